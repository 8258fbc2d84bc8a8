/* SourceNames.c - refuses values that are used before the region that defines them.
 *
 *   scf.yield %a : i32
 *   scf.if %c {
 *     %a = arith.constant 1 : i32
 *     oops
 *
 * No text with that is valid, but the parser of LLVM 22 takes the use for one of the inner %a. If it then meets an error it
 * destroys the inner op first, and the outer one writes to its memory. Looked at are uses outside of parentheses and
 * operands of the generic form; what is in other parentheses may be names of a region's arguments. */
#include "Report.h"
#include "Source.h"
#include "tile-c/Support/Arena.h"
#include <ctype.h>
#include <string.h>

/// A name and the braces that are open at its last use.
typedef struct Use {
  const char *name; ///< NULL: a free slot
  size_t length;
  unsigned depth, scope;
} Use;

typedef struct Scope {
  unsigned number;   ///< no two braces of a text have the same
  unsigned brackets; ///< other brackets that are open within
  bool operands;     ///< the outermost of them holds the operands of an op in its generic form
} Scope;

typedef struct Names {
  const char *at, *end;
  TileArena arena;
  Use *uses;
  size_t capacity, count;
  unsigned depth, numbers;
  Scope scopes[TILE_MAX_NESTING + 2];
  bool afterString;
} Names;

static size_t hashOf(const char *name, size_t length) {
  size_t hash = 14695981039346656037u;
  for (size_t i = 0; i < length; ++i)
    hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
  return hash ^ hash >> 32;
}

static Use *slotOf(const Names *n, const char *name, size_t length) {
  size_t i = hashOf(name, length) & (n->capacity - 1);
  while (n->uses[i].name && (n->uses[i].length != length || memcmp(n->uses[i].name, name, length) != 0))
    i = (i + 1) & (n->capacity - 1);
  return &n->uses[i];
}

static void grow(Names *n) {
  Use *old = n->uses;
  size_t capacity = n->capacity;
  n->capacity = capacity ? 2 * capacity : 256;
  n->uses = tileArenaAlloc(&n->arena, n->capacity, sizeof *n->uses);
  for (size_t i = 0; i < capacity; ++i)
    if (old[i].name)
      *slotOf(n, old[i].name, old[i].length) = old[i];
}

static void recordUse(Names *n, const char *name, size_t length) {
  if (2 * (n->count + 1) > n->capacity)
    grow(n);
  Use *use = slotOf(n, name, length);
  n->count += !use->name;
  // The outermost use counts, while its braces are open.
  if (use->name && use->depth <= n->depth && n->scopes[use->depth].number == use->scope)
    return;
  *use = (Use){name, length, n->depth, n->scopes[n->depth].number};
}

/// Whether the name was used outside of braces that are open now.
static bool wasUsedOutside(const Names *n, const char *name, size_t length) {
  const Use *use = n->capacity ? slotOf(n, name, length) : NULL;
  return use && use->name && use->depth < n->depth && n->scopes[use->depth].number == use->scope;
}

static const char *skipSpace(const Names *n, const char *at) {
  while (at < n->end && isspace((unsigned char)*at))
    ++at;
  return at;
}

static bool isNameCharacter(char c) { return isalnum((unsigned char)c) || (c && strchr("_$.-", c)); }

/// At a percent sign. False: the name is defined too late.
static bool takeName(Names *n) {
  const char *name = ++n->at;
  while (n->at < n->end && isNameCharacter(*n->at))
    ++n->at;
  size_t length = (size_t)(n->at - name);
  const char *next = skipSpace(n, n->at);
  if (next + 1 < n->end && *next == ':' && isdigit((unsigned char)next[1]))
    for (++next; next < n->end && isdigit((unsigned char)*next);)
      ++next;
  next = skipSpace(n, next);
  const Scope *scope = &n->scopes[n->depth];
  if (next < n->end && *next == '=')
    return !wasUsedOutside(n, name, length);
  if (!scope->brackets || (scope->brackets == 1 && scope->operands))
    recordUse(n, name, length);
  return true;
}

static void takeString(Names *n) {
  for (++n->at; n->at < n->end && *n->at != '"' && *n->at != '\n'; ++n->at)
    n->at += *n->at == '\\' && n->at + 1 < n->end;
  n->at += n->at < n->end;
  n->afterString = true;
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

static void takeBracket(Names *n, bool afterString) {
  Scope *scope = &n->scopes[n->depth];
  char c = *n->at++;
  if (c == '{' && n->depth <= TILE_MAX_NESTING) {
    n->scopes[++n->depth] = (Scope){.number = ++n->numbers};
  } else if (c == '}' && n->depth) {
    --n->depth;
  } else if (c == '(' || c == '[') {
    if (!scope->brackets++)
      scope->operands = c == '(' && afterString;
  } else if ((c == ')' || c == ']') && scope->brackets) {
    --scope->brackets;
  }
}

/// Up to the first name that is defined too late, which it returns, or to the end: NULL.
static const char *scan(Names *n) {
  while (n->at < n->end) {
    const char *start = n->at;
    bool afterString = n->afterString;
    n->afterString = afterString && isspace((unsigned char)*n->at);
    if (*n->at == '%') {
      if (!takeName(n))
        return start;
    } else if (*n->at == '"') {
      takeString(n);
    } else if (*n->at == '/' && n->at + 1 < n->end && n->at[1] == '/') {
      takeComment(n);
    } else {
      takeBracket(n, afterString);
    }
  }
  return NULL;
}

bool tileSourceCheckNames(const TileSource *source, const TileCompileOptions *options) {
  Names names = {.at = source->text, .end = source->text + source->size};
  const char *late = scan(&names);
  tileArenaRelease(&names.arena);
  if (!late)
    return true;
  unsigned line = 1, column = 1;
  for (const char *c = source->text; c < late; ++c) {
    column = *c == '\n' ? 1 : column + 1;
    line += *c == '\n';
  }
  size_t length = 1;
  while (late + length < names.end && isNameCharacter(late[length]))
    ++length;
  tileReportAt(
      options, TileSeverity_Error, line, tileSourceColumn(source, line, column),
      "got a definition of %.*s within a region behind a use outside, expected it in front of the use",
      (int)length, late);
  return false;
}
