/* Source.c - fills ${NAME} and ${NAME / 16} in, from -D and the file's own declarations, and remembers where, so that columns
 * in diagnostics are those of the file. */
#include "Source.h"
#include "Report.h"
#include "tile-c/Expression.h"
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

/// Where " in " or " of " stands, the line's end for the second blank; `end` if nowhere.
static const char *findList(const char *at, const char *end) {
  for (; end - at >= 3; ++at)
    if (isspace((unsigned char)at[0]) && (end - at == 3 || isspace((unsigned char)at[3])) &&
        (memcmp(at + 1, "in", 2) == 0 || memcmp(at + 1, "of", 2) == 0))
      return at;
  return end;
}

/// Parses "NAME = VALUE [in VALUE, ...]"; after `of` instead are values that only a person chooses.
static bool parseParam(const char *at, const char *end, TileParam *param) {
  param->name = at = skipBlanks(at, end);
  param->nameLength = nameLength(at, end);
  at = skipBlanks(at + param->nameLength, end);
  if (!param->nameLength || at == end || *at != '=')
    return false;
  param->value = at = skipBlanks(at + 1, end);
  const char *list = findList(at, end);
  param->valueLength = trimmedLength(at, list);
  if (list == end)
    return param->valueLength > 0;
  const char *values = skipBlanks(list + 3, end);
  const size_t length = trimmedLength(values, end);
  if (list[1] == 'i') {
    param->choices = values;
    param->choicesLength = length;
  }
  return param->valueLength > 0 && length > 0;
}

const TileParam *tileSourceFindParam(const TileSource *source, const char *name, size_t length) {
  for (size_t i = 0; i < source->numParams; ++i)
    if (source->params[i].nameLength == length && memcmp(source->params[i].name, name, length) == 0)
      return &source->params[i];
  return NULL;
}

static bool addParam(TileSource *source, TileParam param, const TileCompileOptions *options) {
  const TileParam *before = tileSourceFindParam(source, param.name, param.nameLength);
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

/// `word`, in this column, is "tile.param"; `at` is behind it.
static bool readParam(TileSource *source, const char *word, const char *at, const char *end, unsigned line,
                      unsigned column, const TileCompileOptions *options) {
  TileParam param = {.line = line};
  if (parseParam(at, end, &param)) {
    param.column = column + (unsigned)(param.value - word);
    return addParam(source, param, options);
  }
  tileReportAt(options, TileSeverity_Error, line, column,
               "malformed tile.param, expected 'NAME = VALUE' or 'NAME = VALUE in VALUE, VALUE'");
  return false;
}

static bool readGrid(TileSource *source, const char *at, const char *end, unsigned line, unsigned column,
                     const TileCompileOptions *options) {
  at = skipBlanks(at, end);
  const bool equals = at < end && *at == '=';
  at = equals ? skipBlanks(at + 1, end) : at;
  if (equals && at < end && !source->grid.text) {
    source->grid = (TileSourceExpression){at, trimmedLength(at, end), line};
    return true;
  }
  tileReportAt(options, TileSeverity_Error, line, column, "%s",
               source->grid.text ? "a second tile.grid" : "malformed tile.grid, expected '= X[, Y[, Z]]'");
  return false;
}

static bool readRequire(TileSource *source, const char *at, const char *end, unsigned line, unsigned column,
                        const TileCompileOptions *options) {
  if (source->numRequires < TILE_MAX_REQUIRES) {
    at = skipBlanks(at, end);
    source->requires[source->numRequires++] = (TileSourceExpression){at, trimmedLength(at, end), line};
    return true;
  }
  tileReportAt(options, TileSeverity_Error, line, column, "got more than %d lines tile.require",
               TILE_MAX_REQUIRES);
  return false;
}

static bool readRow(TileSource *source, const char *at, const char *end, unsigned line, unsigned column,
                    const TileCompileOptions *options) {
  TileSourceRow row = {.name = skipBlanks(at, end)};
  while (row.name + row.nameLength < end &&
         (row.name[row.nameLength] == '_' || isalnum((unsigned char)row.name[row.nameLength])))
    ++row.nameLength;
  at = skipBlanks(row.name + row.nameLength, end);
  const bool equals = row.nameLength && at < end && *at == '=';
  at = equals ? skipBlanks(at + 1, end) : at;
  if (equals && at < end && source->numRows < TILE_MAX_ROWS) {
    row.length = (TileSourceExpression){at, trimmedLength(at, end), line};
    source->rows[source->numRows++] = row;
    return true;
  }
  tileReportAt(options, TileSeverity_Error, line, column, "%s",
               source->numRows == TILE_MAX_ROWS ? "too many lines tile.row"
                                                : "malformed tile.row, expected 'NAME = ELEMENTS[, ROWS]'");
  return false;
}

bool tileSourceReadParams(TileSource *source, const char *text, size_t size,
                          const TileCompileOptions *options) {
  unsigned line = 1;
  for (const char *at = text, *end = text + size; at < end; ++line) {
    const char *newLine = memchr(at, '\n', (size_t)(end - at));
    const char *lineEnd = newLine ? newLine : end;
    const char *word = skipBlanks(at, lineEnd), *rest;
    bool comment = lineEnd - word > 2 && word[0] == '/' && word[1] == '/', ok = true;
    word = comment ? skipBlanks(word + 2, lineEnd) : lineEnd;
    const unsigned column = (unsigned)(word - at) + 1;
    switch (tileSourceMark(word, lineEnd, line, column, options, &rest)) {
    case TileSourceMark_None:
      break;
    case TileSourceMark_Param:
      ok = readParam(source, word, rest, lineEnd, line, column, options);
      break;
    case TileSourceMark_Grid:
      ok = readGrid(source, rest, lineEnd, line, column, options);
      break;
    case TileSourceMark_Require:
      ok = readRequire(source, rest, lineEnd, line, column, options);
      break;
    case TileSourceMark_Row:
      ok = readRow(source, rest, lineEnd, line, column, options);
      break;
    case TileSourceMark_Wrong:
      ok = false;
      break;
    }
    if (!ok)
      return false;
    at = newLine ? newLine + 1 : end;
  }
  return tileSourceCheckExpressions(source, text, size, options);
}

const char *tileSourceFindValue(const TileSource *source, const TileCompileOptions *options, const char *name,
                                size_t length, size_t *out_length) {
  const TileParam *param = tileSourceFindParam(source, name, length);
  if (!param)
    return NULL;
  for (size_t i = options->numDefines; i-- > 0;)
    if (strlen(options->defines[i].name) == length && !memcmp(options->defines[i].name, name, length))
      return *out_length = strlen(options->defines[i].value), options->defines[i].value;
  return *out_length = param->valueLength, param->value;
}

// ---- Substitution ----

/// The last -D of a name; NULL if there is none.
static const TileDefine *findDefine(TileSource *source, const TileCompileOptions *options, const char *name,
                                    size_t length) {
  for (size_t i = options->numDefines; i-- > 0;) {
    const TileDefine *define = &options->defines[i];
    if (strlen(define->name) == length && memcmp(define->name, name, length) == 0) {
      source->usedDefines[i] = true;
      return define;
    }
  }
  return NULL;
}

/// The value of a name: the last -D, else the declaration's; NULL if it has neither.
static const char *findValue(TileSource *source, const TileCompileOptions *options, const char *name,
                             size_t length, size_t *out_length) {
  const TileDefine *define = findDefine(source, options, name, length);
  const TileParam *param = define ? NULL : tileSourceFindParam(source, name, length);
  *out_length = define ? strlen(define->value) : param ? param->valueLength : 0;
  return define ? define->value : param ? param->value : NULL;
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
  TileSubstitution substitution = {c->line,
                                   column,
                                   (unsigned)(out->length - c->newLineStart) + 1,
                                   (unsigned)length + 3,
                                   (unsigned)valueLength,
                                   findDefine(source, options, c->at + 2, length),
                                   c->at + 2,
                                   length};
  tileStringAppend(out, value, valueLength);
  c->at += length + 3;
  return addSubstitution(source, substitution);
}

/// The length of an expression that starts at `at` with a name and goes up to '}'; 0 if something else stands there.
static size_t expressionLength(const char *at, const char *end) {
  size_t length = nameLength(at, end);
  while (length && at + length < end && (isNameChar(at[length]) || strchr(" +-*/%(),", at[length])))
    ++length;
  return length && at + length < end && at[length] == '}' ? length : 0;
}

typedef struct Numbers {
  TileSource *source;
  const TileCompileOptions *options;
} Numbers;

static bool findNumber(const char *name, size_t length, int64_t *out_value, void *user) {
  Numbers *n = user;
  size_t valueLength;
  char text[24], *end;
  const char *value = findValue(n->source, n->options, name, length, &valueLength);
  if (!value || !valueLength || valueLength >= sizeof text)
    return false;
  memcpy(text, value, valueLength);
  text[valueLength] = 0;
  *out_value = strtoll(text, &end, 10);
  return !*end;
}

/// Handles the ${EXPRESSION} at the cursor; false after a diagnostic.
static bool substituteExpression(TileSource *source, Cursor *c, size_t length,
                                 const TileCompileOptions *options, TileStringBuilder *out) {
  const char *text = c->at + 2;
  const unsigned column = (unsigned)(c->at - c->lineStart) + 1,
                 newColumn = (unsigned)(out->length - c->newLineStart) + 1;
  Numbers numbers = {source, options};
  int64_t value;
  size_t at;
  const TileExpressionResult result = tileExpressionEvaluate(text, length, findNumber, &numbers, &value, &at);
  if (result != TileExpression_Ok) {
    tileReportAt(options, TileSeverity_Error, c->line, column + 2 + (unsigned)at, "%s in '%.*s'",
                 result == TileExpression_Unknown ? "got a name without a number or an unknown function"
                                                  : "got a malformed expression or a division by zero",
                 (int)length, text);
    return false;
  }
  const size_t before = out->length;
  tileStringAppendFormat(out, "%lld", (long long)value);
  c->at += length + 3;
  return addSubstitution(source, (TileSubstitution){c->line, column, newColumn, (unsigned)length + 3,
                                                    (unsigned)(out->length - before), NULL, NULL, 0});
}

/// What stands in ${...} is no name and no expression: MLIR has no '$' there.
static bool refuseSubstitution(const Cursor *c, const TileCompileOptions *options) {
  enum { MostShown = 40 };
  size_t length = 2;
  while (length < MostShown && length < (size_t)(c->end - c->at) && !strchr("}\n", c->at[length]))
    ++length;
  tileReportAt(options, TileSeverity_Error, c->line, (unsigned)(c->at - c->lineStart) + 1,
               "got '%.*s}', expected a name in the braces, or an expression of names and integers that "
               "starts with a name",
               (int)length, c->at);
  return false;
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
    } else if (length && (length = expressionLength(c.at + 2, c.end))) {
      if (!substituteExpression(source, &c, length, options, out))
        return false;
    } else if (dollar && !c.inString) {
      return refuseSubstitution(&c, options);
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
    bool used = tileSourceFindParam(source, name, strlen(name)) != NULL;
    for (size_t j = i; j < options->numDefines; ++j)
      used |= source->usedDefines[j] && strcmp(options->defines[j].name, name) == 0;
    if (!used)
      tileReport(options, TileSeverity_Warning, "-D %s: the file uses no ${%s}", name, name);
  }
}

/// Lines and columns of diagnostics are those of the text as long as no value ends a line.
static bool checkDefines(const TileCompileOptions *options) {
  for (size_t i = 0; i < options->numDefines; ++i)
    for (const char *at = options->defines[i].value; *at; ++at)
      if (iscntrl((unsigned char)*at) && *at != '\t') {
        tileReport(options, TileSeverity_Error, "-D %s: got a control character (%d) in its value",
                   options->defines[i].name, (unsigned char)*at);
        return false;
      }
  return true;
}

bool tileSourceInit(TileSource *source, const char *text, size_t size, const TileCompileOptions *options) {
  *source = (TileSource){0};
  TileStringBuilder out = {0};
  source->usedDefines = calloc(options->numDefines + 1, sizeof *source->usedDefines);
  if (!source->usedDefines || !checkDefines(options) || !tileSourceCheckText(text, size, options) ||
      !tileSourceReadParams(source, text, size, options) ||
      !substituteAll(source, text, size, options, &out)) {
    tileStringRelease(&out);
    tileSourceRelease(source);
    return false;
  }
  warnUnusedDefines(source, options);
  source->text = tileStringTake(&out, &source->size);
  if (tileSourceCheckNesting(source, options) && tileSourceCheckNames(source, options))
    return true;
  tileSourceRelease(source);
  return false;
}

bool tileSourceFill(TileSource *source, const char *text, size_t size, const TileCompileOptions *options) {
  TileStringBuilder out = {0};
  free(source->text);
  free(source->substitutions);
  free(source->usedDefines);
  source->text = NULL;
  source->substitutions = NULL;
  source->numSubstitutions = 0;
  source->usedDefines = calloc(options->numDefines + 1, sizeof *source->usedDefines);
  if (!source->usedDefines || !substituteAll(source, text, size, options, &out)) {
    tileStringRelease(&out);
    return false;
  }
  source->text = tileStringTake(&out, &source->size);
  return source->text != NULL;
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

/// A declared value of several words, in which a misspelt `in` may stand; NULL if it is none.
static const TileParam *paramOfWords(const TileSource *source, const TileSubstitution *s) {
  const TileParam *param = s->name ? tileSourceFindParam(source, s->name, s->nameLength) : NULL;
  return param && memchr(param->value, ' ', param->valueLength) ? param : NULL;
}

void tileSourceExplainError(const TileSource *source, const TileCompileOptions *options, unsigned line,
                            unsigned column) {
  const TileSubstitution *found = NULL;
  for (size_t i = 0; i < source->numSubstitutions; ++i) {
    const TileSubstitution *s = &source->substitutions[i];
    if (s->line == line && (s->define || paramOfWords(source, s)) && (!found || s->newColumn <= column))
      found = s;
  }
  if (!found)
    return;
  if (found->define) {
    tileReportAt(options, TileSeverity_Note, line, found->oldColumn, "${%s} is '%s' here, as -D says",
                 found->define->name, found->define->value);
    return;
  }
  const TileParam *param = paramOfWords(source, found);
  tileReportAt(options, TileSeverity_Note, line, found->oldColumn, "${%.*s} is '%.*s' here, as line %u says",
               (int)param->nameLength, param->name, (int)param->valueLength, param->value, param->line);
}
