/* SourceNames.c - refuses values that are used before the region that defines them.
 *
 *   scf.yield %a : i32                scf.index_switch %i
 *   scf.if %c {                       case 0 { scf.yield %a : i32 }
 *     %a = arith.constant 1 : i32     case 5 { %a = arith.constant 1 : i32
 *     oops                              oops
 *
 * No text with that is valid, but the parser of LLVM 22 takes the use for one of the inner %a. If it then meets an error it
 * destroys the op that defines %a first, and the other one writes to its memory.
 *
 * A use that its own braces do not define belongs to the braces around them once they close, unless they are a function's.
 * What may be a region's argument, in parentheses, counts as a definition. */
#include "Report.h"
#include "Source.h"
#include "tile-c/Support/Arena.h"
#include <ctype.h>
#include <string.h>

/// Braces that are open, or were.
typedef struct Place {
  unsigned depth;
  unsigned scope;     ///< the braces' number; 0: nowhere
  unsigned functions; ///< that had been closed within the braces
} Place;

typedef struct Name {
  const char *text;
  size_t length;
  Place use;          ///< the outermost among those that are open
  Place definition;   ///< likewise
  bool isArgument;    ///< of the definition: it ends with the function behind it
  const char *usedAt; ///< of the use
  struct Name *next;  ///< of the names used within the same braces
} Name;

typedef struct Scope {
  unsigned number;    ///< no two braces of a text have the same
  unsigned brackets;  ///< other brackets that are open within
  unsigned functions; ///< braces of functions that have been closed within
  bool operands;      ///< the outermost of the brackets holds the operands of an op in its generic form
  bool isFunction;    ///< a symbol stands in front of the braces
  bool symbol;        ///< a symbol stands in front of what is read, in the same line
  Name *used;
} Scope;

typedef struct Names {
  const char *at, *end;
  TileArena arena;
  Name **names;
  size_t capacity, count;
  unsigned depth, numbers;
  Scope scopes[TILE_MAX_NESTING + 2];
  bool afterString;
} Names;

static size_t hashOf(const char *text, size_t length) {
  size_t hash = 14695981039346656037u;
  for (size_t i = 0; i < length; ++i)
    hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
  return hash ^ hash >> 32;
}

static Name **slotOf(const Names *n, const char *text, size_t length) {
  size_t i = hashOf(text, length) & (n->capacity - 1);
  while (n->names[i] && (n->names[i]->length != length || memcmp(n->names[i]->text, text, length) != 0))
    i = (i + 1) & (n->capacity - 1);
  return &n->names[i];
}

static void grow(Names *n) {
  Name **old = n->names;
  size_t capacity = n->capacity;
  n->capacity = capacity ? 2 * capacity : 256;
  n->names = tileArenaAlloc(&n->arena, n->capacity, sizeof(Name *));
  for (size_t i = 0; i < capacity; ++i)
    if (old[i])
      *slotOf(n, old[i]->text, old[i]->length) = old[i];
}

static Name *nameOf(Names *n, const char *text, size_t length) {
  if (2 * (n->count + 1) > n->capacity)
    grow(n);
  Name **slot = slotOf(n, text, length);
  if (!*slot) {
    *slot = tileArenaAlloc(&n->arena, 1, sizeof(Name));
    **slot = (Name){.text = text, .length = length};
    ++n->count;
  }
  return *slot;
}

static bool isOpen(const Names *n, Place place) {
  return place.scope && place.depth <= n->depth && n->scopes[place.depth].number == place.scope;
}

static Place placeAt(const Names *n, unsigned depth) {
  return (Place){depth, n->scopes[depth].number, n->scopes[depth].functions};
}

/// Whether the name is defined in braces that are open.
static bool isDefined(const Names *n, const Name *name) {
  Place place = name->definition;
  return isOpen(n, place) && (!name->isArgument || n->scopes[place.depth].functions == place.functions);
}

/// Notes a use at `at`, of a name with no use in braces that are open, in those of the depth.
static void addUse(Names *n, Name *name, unsigned depth, const char *at) {
  name->use = placeAt(n, depth);
  name->usedAt = at;
  name->next = n->scopes[depth].used;
  n->scopes[depth].used = name;
}

static void define(Names *n, Name *name, bool isArgument) {
  if (isDefined(n, name))
    return;
  name->definition = placeAt(n, n->depth);
  name->isArgument = isArgument;
}

static const char *skipSpace(const Names *n, const char *at) {
  while (at < n->end && isspace((unsigned char)*at))
    ++at;
  return at;
}

static bool isNameCharacter(char c) { return isalnum((unsigned char)c) || (c && strchr("_$.-", c)); }

/// Behind the name at `at`, the number of its results and spaces.
static const char *behindName(const Names *n, const char *at) {
  while (at < n->end && isNameCharacter(*at))
    ++at;
  at = skipSpace(n, at);
  if (at + 1 < n->end && *at == ':' && isdigit((unsigned char)at[1]))
    for (++at; at < n->end && isdigit((unsigned char)*at);)
      ++at;
  return skipSpace(n, at);
}

/// Whether an equals sign follows, maybe behind more names: `at` is behind the first.
static bool isResult(const Names *n, const char *at) {
  while (at < n->end && *at == ',') {
    at = skipSpace(n, at + 1);
    if (at == n->end || *at != '%')
      return false;
    at = behindName(n, at + 1);
  }
  return at < n->end && *at == '=';
}

/// Whether a name in parentheses may be an argument of a region: a type follows it, or an equals sign or `in` the
/// parentheses. `at` is behind it.
static bool mayBeArgument(const Names *n, const char *at) {
  if (at < n->end && *at == ':')
    return true;
  for (unsigned open = 1; at < n->end && *at != '{' && *at != '}'; ++at)
    if (*at == '(' || *at == '[')
      ++open;
    else if ((*at == ')' || *at == ']') && !--open)
      break;
  at = at < n->end ? skipSpace(n, at + 1) : at;
  return at < n->end && (*at == '=' || (*at == 'i' && at + 1 < n->end && at[1] == 'n'));
}

/// At a percent sign. The name, if it is defined too late, else NULL.
static const Name *takeName(Names *n) {
  const char *start = ++n->at;
  while (n->at < n->end && isNameCharacter(*n->at))
    ++n->at;
  Name *name = nameOf(n, start, (size_t)(n->at - start));
  const char *next = behindName(n, start);
  Scope *scope = &n->scopes[n->depth];
  if (scope->brackets ? next < n->end && *next == '=' : isResult(n, next)) {
    if (isOpen(n, name->use) && name->use.depth < n->depth)
      return name;
    define(n, name, scope->brackets);
  } else if (scope->brackets && !(scope->brackets == 1 && scope->operands) && mayBeArgument(n, next)) {
    define(n, name, true);
  } else if (!isOpen(n, name->use)) {
    addUse(n, name, n->depth, start - 1);
  }
  return NULL;
}

/// At a quote. What follows an op's name are operands, what follows a symbol's (`@"f"(%a: i32)`) may be names of arguments.
static void takeString(Names *n, const char *text) {
  bool symbol = n->at > text && n->at[-1] == '@';
  for (++n->at; n->at < n->end && *n->at != '"' && *n->at != '\n'; ++n->at)
    n->at += *n->at == '\\' && n->at + 1 < n->end;
  n->at += n->at < n->end;
  n->afterString = !symbol;
}

static void takeComment(Names *n) {
  static const char split[] = "// -----";
  if ((size_t)(n->end - n->at) >= sizeof split - 1 && !memcmp(n->at, split, sizeof split - 1)) {
    n->depth = 0; // another module may follow, whatever is left open in this one
    n->scopes[0] = (Scope){.number = ++n->numbers};
  }
  while (n->at < n->end && *n->at != '\n')
    ++n->at;
}

/// Uses of what the braces do not define go to those around them.
static void closeBraces(Names *n) {
  const Scope *scope = &n->scopes[n->depth];
  for (Name *name = scope->used, *next; name && !scope->isFunction; name = next) {
    next = name->next;
    if (!isDefined(n, name))
      addUse(n, name, n->depth - 1, name->usedAt);
  }
  n->scopes[--n->depth].functions += scope->isFunction;
}

static void takeBracket(Names *n, bool afterString) {
  Scope *scope = &n->scopes[n->depth];
  char c = *n->at++;
  if (c == '{' && n->depth <= TILE_MAX_NESTING) {
    n->scopes[++n->depth] = (Scope){.number = ++n->numbers, .isFunction = scope->symbol && !scope->brackets};
  } else if (c == '}' && n->depth) {
    closeBraces(n);
  } else if (c == '@' && !scope->brackets) {
    scope->symbol = true;
  } else if (c == '\n' && !scope->brackets) {
    scope->symbol = false;
  } else if (c == '(' || c == '[') {
    if (!scope->brackets++)
      scope->operands = c == '(' && afterString;
  } else if ((c == ')' || c == ']') && scope->brackets) {
    --scope->brackets;
  }
}

/// Up to the first name that is defined too late, which it returns and which starts at *late, or to the end: NULL.
static const Name *scan(Names *n, const char **late) {
  const char *text = n->at;
  while (n->at < n->end) {
    *late = n->at;
    bool afterString = n->afterString;
    n->afterString = afterString && isspace((unsigned char)*n->at);
    if (*n->at == '%') {
      const Name *name = takeName(n);
      if (name)
        return name;
    } else if (*n->at == '"') {
      takeString(n, text);
    } else if (*n->at == '/' && n->at + 1 < n->end && n->at[1] == '/') {
      takeComment(n);
    } else {
      takeBracket(n, afterString);
    }
  }
  return NULL;
}

static unsigned lineOf(const TileSource *source, const char *at) {
  unsigned line = 1;
  for (const char *c = source->text; c < at; ++c)
    line += *c == '\n';
  return line;
}

bool tileSourceCheckNames(const TileSource *source, const TileCompileOptions *options) {
  Names names = {
      .at = source->text, .end = source->text + source->size, .numbers = 1, .scopes = {{.number = 1}}};
  const char *late;
  const Name *name = scan(&names, &late);
  if (name) {
    unsigned line = lineOf(source, late), column = 1;
    for (const char *c = late; c > source->text && c[-1] != '\n'; --c)
      ++column;
    tileReportAt(options, TileSeverity_Error, line, tileSourceColumn(source, line, column),
                 "got a definition of %%%.*s within a region behind its use outside in line %u, expected it "
                 "in front of "
                 "the use",
                 (int)name->length, name->text, lineOf(source, name->usedAt));
  }
  tileArenaRelease(&names.arena);
  return !name;
}
