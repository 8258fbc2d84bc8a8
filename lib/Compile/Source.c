/* Source.c - fills ${NAME} in, from -D and the file's own declarations, and remembers where, so that columns
 * in diagnostics are those of the file. */
#include "Source.h"
#include "Report.h"
#include "tile-c/Support/StringBuilder.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool isNameStart(char c) { return isalpha((unsigned char)c) || c == '_'; }
static bool isNameChar(char c) { return isalnum((unsigned char)c) || c == '_'; }

static size_t nameLength(const char *at, const char *end) {
  const char *begin = at;
  if (at < end && isNameStart(*at))
    while (at < end && isNameChar(*at))
      ++at;
  return (size_t)(at - begin);
}

// ---- Declarations ----

static const char *skipBlanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t'))
    ++at;
  return at;
}

/// The text up to `end` without blanks behind it.
static size_t trimmedLength(const char *at, const char *end) {
  while (end > at && isspace((unsigned char)end[-1]))
    --end;
  return (size_t)(end - at);
}

/// Parses "NAME = VALUE [in VALUE, ...]".
static bool parseParam(const char *at, const char *end, TileParam *param) {
  param->name = at = skipBlanks(at, end);
  param->nameLength = nameLength(at, end);
  at = skipBlanks(at + param->nameLength, end);
  if (!param->nameLength || at == end || *at != '=')
    return false;
  param->value = at = skipBlanks(at + 1, end);
  const char *in = at;
  while (in < end && !(end - in >= 4 && isspace((unsigned char)in[0]) && memcmp(in + 1, "in", 2) == 0 &&
                       isspace((unsigned char)in[3])))
    ++in;
  param->valueLength = trimmedLength(at, in);
  if (in < end) {
    param->choices = skipBlanks(in + 4, end);
    param->choicesLength = trimmedLength(param->choices, end);
  }
  return param->valueLength > 0 && (in == end || param->choicesLength > 0);
}

static const TileParam *findParam(const TileSource *source, const char *name, size_t length) {
  for (size_t i = 0; i < source->numParams; ++i)
    if (source->params[i].nameLength == length && memcmp(source->params[i].name, name, length) == 0)
      return &source->params[i];
  return NULL;
}

static bool addParam(TileSource *source, TileParam param, const TileCompileOptions *options) {
  const TileParam *before = findParam(source, param.name, param.nameLength);
  if (before) {
    tileReportAt(options, TileSeverity_Error, param.line, 1, "'%.*s' is declared again; it was in line %u",
                 (int)param.nameLength, param.name, before->line);
    return false;
  }
  TileParam *params = realloc(source->params, (source->numParams + 1) * sizeof *params);
  if (!params)
    return false;
  source->params = params;
  params[source->numParams++] = param;
  return true;
}

bool tileSourceReadParams(TileSource *source, const char *text, size_t size,
                          const TileCompileOptions *options) {
  static const char mark[] = "tile.param";
  unsigned line = 1;
  for (const char *at = text, *end = text + size; at < end; ++line) {
    const char *newLine = memchr(at, '\n', (size_t)(end - at));
    const char *lineEnd = newLine ? newLine : end;
    const char *word = skipBlanks(at, lineEnd);
    bool comment = lineEnd - word > 2 && word[0] == '/' && word[1] == '/';
    word = comment ? skipBlanks(word + 2, lineEnd) : lineEnd;
    if (lineEnd - word >= (ptrdiff_t)sizeof mark && memcmp(word, mark, sizeof mark - 1) == 0 &&
        isspace((unsigned char)word[sizeof mark - 1])) {
      TileParam param = {.line = line};
      if (!parseParam(word + sizeof mark, lineEnd, &param)) {
        tileReportAt(options, TileSeverity_Error, line, (unsigned)(word - at) + 1,
                     "malformed tile.param, expected 'NAME = VALUE' or 'NAME = VALUE in VALUE, VALUE'");
        return false;
      }
      if (!addParam(source, param, options))
        return false;
    }
    at = newLine ? newLine + 1 : end;
  }
  return true;
}

// ---- Substitution ----

/// The value of a name: the last -D, else the declaration's; NULL if it has neither.
static const char *findValue(TileSource *source, const TileCompileOptions *options, const char *name,
                             size_t length, size_t *out_length) {
  for (size_t i = options->numDefines; i-- > 0;) {
    const TileDefine *define = &options->defines[i];
    if (strlen(define->name) == length && memcmp(define->name, name, length) == 0) {
      source->usedDefines[i] = true;
      *out_length = strlen(define->value);
      return define->value;
    }
  }
  const TileParam *param = findParam(source, name, length);
  *out_length = param ? param->valueLength : 0;
  return param ? param->value : NULL;
}

static bool addSubstitution(TileSource *source, TileSubstitution substitution) {
  size_t n = source->numSubstitutions;
  // Grows when the count is a power of two.
  if ((n & (n - 1)) == 0) {
    TileSubstitution *grown = realloc(source->substitutions, (n ? 2 * n : 1) * sizeof *grown);
    if (!grown)
      return false;
    source->substitutions = grown;
  }
  source->substitutions[source->numSubstitutions++] = substitution;
  return true;
}

typedef struct Cursor {
  const char *at, *end, *lineStart;
  size_t newLineStart; ///< offset in the output
  unsigned line;
  bool inString, inComment;
} Cursor;

/// Handles the ${NAME} at the cursor; false after a diagnostic.
static bool substitute(TileSource *source, Cursor *c, size_t length, const TileCompileOptions *options,
                       TileStringBuilder *out) {
  unsigned column = (unsigned)(c->at - c->lineStart) + 1;
  size_t valueLength;
  const char *value = findValue(source, options, c->at + 2, length, &valueLength);
  if (!value) {
    tileReportAt(options, TileSeverity_Error, c->line, column,
                 "'%.*s' has no value, expected -D %.*s=VALUE or a line '// tile.param %.*s = VALUE'",
                 (int)length, c->at + 2, (int)length, c->at + 2, (int)length, c->at + 2);
    return false;
  }
  TileSubstitution substitution = {c->line, column, (unsigned)(out->length - c->newLineStart) + 1,
                                   (unsigned)length + 3, (unsigned)valueLength};
  tileStringAppend(out, value, valueLength);
  c->at += length + 3;
  return addSubstitution(source, substitution);
}

/// Appends the character at the cursor and keeps track of lines, strings and comments.
static void copyCharacter(Cursor *c, TileStringBuilder *out) {
  char ch = *c->at;
  if (ch == '"' && !c->inComment)
    c->inString = !c->inString;
  else if (ch == '/' && c->end - c->at > 1 && c->at[1] == '/' && !c->inString)
    c->inComment = true;
  size_t length = ch == '\\' && c->inString && c->end - c->at > 1 && c->at[1] != '\n' ? 2 : 1;
  tileStringAppend(out, c->at, length);
  c->at += length;
  if (ch == '\n') {
    ++c->line;
    c->lineStart = c->at;
    c->newLineStart = out->length;
    c->inString = c->inComment = false;
  }
}

static bool substituteAll(TileSource *source, const char *text, size_t size,
                          const TileCompileOptions *options, TileStringBuilder *out) {
  Cursor c = {.at = text, .end = text + size, .lineStart = text, .line = 1};
  while (c.at < c.end) {
    // Text without names is copied in large pieces.
    size_t plain = 0;
    while (plain < (size_t)(c.end - c.at) && !strchr("\"/\\\n$", c.at[plain]))
      ++plain;
    tileStringAppend(out, c.at, plain);
    c.at += plain;
    if (c.at == c.end)
      break;
    bool dollar = *c.at == '$' && !c.inComment && c.end - c.at > 3 && c.at[1] == '{';
    size_t length = dollar ? nameLength(c.at + 2, c.end) : 0;
    if (length && c.at + 2 + length < c.end && c.at[2 + length] == '}') {
      if (!substitute(source, &c, length, options, out))
        return false;
    } else {
      copyCharacter(&c, out);
    }
  }
  return true;
}

/// A -D that nothing uses is probably misspelt; an earlier one of the same name is only overridden.
static void warnUnusedDefines(const TileSource *source, const TileCompileOptions *options) {
  for (size_t i = 0; i < options->numDefines; ++i) {
    const char *name = options->defines[i].name;
    bool used = findParam(source, name, strlen(name)) != NULL;
    for (size_t j = i; j < options->numDefines; ++j)
      used |= source->usedDefines[j] && strcmp(options->defines[j].name, name) == 0;
    if (!used)
      tileReport(options, TileSeverity_Warning, "-D %s: the file uses no ${%s}", name, name);
  }
}

bool tileSourceInit(TileSource *source, const char *text, size_t size, const TileCompileOptions *options) {
  *source = (TileSource){0};
  TileStringBuilder out = {0};
  source->usedDefines = calloc(options->numDefines + 1, sizeof *source->usedDefines);
  if (!source->usedDefines || !tileSourceCheckText(text, size, options) ||
      !tileSourceReadParams(source, text, size, options) ||
      !substituteAll(source, text, size, options, &out)) {
    tileStringRelease(&out);
    tileSourceRelease(source);
    return false;
  }
  warnUnusedDefines(source, options);
  source->text = tileStringTake(&out, &source->size);
  if (tileSourceCheckNesting(source, options))
    return true;
  tileSourceRelease(source);
  return false;
}

void tileSourceRelease(TileSource *source) {
  free(source->text);
  free(source->params);
  free(source->substitutions);
  free(source->usedDefines);
  *source = (TileSource){0};
}

unsigned tileSourceColumn(const TileSource *source, unsigned line, unsigned column) {
  unsigned result = column;
  for (size_t i = 0; i < source->numSubstitutions; ++i) {
    const TileSubstitution *s = &source->substitutions[i];
    if (s->line != line || s->newColumn > column)
      continue;
    if (column < s->newColumn + s->newLength)
      result = s->oldColumn;
    else
      result = s->oldColumn + s->oldLength + (column - s->newColumn - s->newLength);
  }
  return result;
}
