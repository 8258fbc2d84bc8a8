/* SourceExpressions.c - refuses tile.grid, tile.require and tile.row lines that no launch could evaluate: bad syntax, and names that
 * are neither parameters nor arguments. Their values are not known here; a division by zero shows when they are. */
#include "Report.h"
#include "Source.h"
#include "tile-c/Expression.h"
#include <ctype.h>
#include <string.h>

/// Characters of an expression, and of those that a message shows.
enum { MOST_LENGTH = 4096, MOST_SHOWN = 40 };

typedef struct Check {
  const TileSource *source;
  const char *text, *end; ///< of the file
  int64_t seed;
} Check;

/// Other small numbers with each seed stand for those that are not known yet: products of many do not overflow, and differences are
/// not zero with all seeds.
static bool lookUp(const char *name, size_t length, int64_t *out_value, void *user) {
  const Check *c = user;
  bool known = length == 10 && !memcmp(name, "processors", 10);
  for (size_t i = 0; !known && i < c->source->numParams; ++i)
    known = c->source->params[i].nameLength == length && !memcmp(c->source->params[i].name, name, length);
  known = known || tileSourceHasArgument(c->text, (size_t)(c->end - c->text), name, length, true);
  *out_value = c->seed;
  for (size_t i = 0; i < length; ++i)
    *out_value = (*out_value * 31 + (unsigned char)name[i]) % 59 + 2;
  return known;
}

/// Whether the text starts with a name and a bracket.
static bool isCall(const char *text, size_t length) {
  size_t at = 0;
  while (at < length && (isalnum((unsigned char)text[at]) || text[at] == '_'))
    ++at;
  while (at < length && isspace((unsigned char)text[at]))
    ++at;
  return at < length && text[at] == '(';
}

static bool checkPart(Check *c, const TileSourceExpression *e, size_t from, size_t length,
                      const TileCompileOptions *options) {
  TileExpressionResult result = TileExpression_Malformed;
  int64_t value;
  size_t at = 0;
  if (length > MOST_LENGTH) {
    tileReportAt(options, TileSeverity_Error, e->line, 1,
                 "got an expression of %zu characters, expected at most %d", length, MOST_LENGTH);
    return false;
  }
  for (c->seed = 1; c->seed < 9 && result == TileExpression_Malformed; ++c->seed)
    result = tileExpressionEvaluate(e->text + from, length, lookUp, c, &value, &at);
  if (result == TileExpression_Ok)
    return true;
  const char *wrong = e->text + from + at, *line = wrong;
  while (line > c->text && line[-1] != '\n')
    --line;
  const unsigned column = (unsigned)(wrong - line) + 1;
  const char *where = at < length ? wrong : "its end";
  const size_t rest = at < length ? length - at : strlen(where);
  const int shown = rest < MOST_SHOWN ? (int)rest : MOST_SHOWN;
  if (result == TileExpression_Unknown && isCall(where, rest))
    tileReportAt(options, TileSeverity_Error, e->line, column,
                 "unknown function at '%.*s', expected min, max or ceildiv", shown, where);
  else if (result == TileExpression_Unknown)
    tileReportAt(options, TileSeverity_Error, e->line, column,
                 "unknown name at '%.*s', expected a tile.param, a number among the arguments of a kernel or "
                 "'processors'",
                 shown, where);
  else
    tileReportAt(options, TileSeverity_Error, e->line, column,
                 "malformed expression at %s%.*s%s, expected integers, names, ( ), + - * / %%, min, max and "
                 "ceildiv, no "
                 "division by zero and no number above 2^63 - 1",
                 at < length ? "'" : "", shown, where, at < length ? "'" : "");
  return false;
}

static bool checkParts(Check *c, const TileSourceExpression *e, const char *what, int most,
                       const TileCompileOptions *options) {
  int parts = 0;
  for (size_t from = 0, end; from <= e->length; from = end + 1, ++parts) {
    end = tileSourcePartEnd(e, from);
    if (!checkPart(c, e, from, end - from, options))
      return false;
  }
  if (parts > most)
    tileReportAt(options, TileSeverity_Error, e->line, 1, "%s has %d sizes, expected at most %d", what, parts,
                 most);
  return parts <= most;
}

size_t tileSourcePartEnd(const TileSourceExpression *e, size_t from) {
  int depth = 0;
  for (size_t k = from; k < e->length; ++k) {
    depth += (e->text[k] == '(') - (e->text[k] == ')');
    if (e->text[k] == ',' && !depth)
      return k;
  }
  return e->length;
}

bool tileSourceCheckExpressions(const TileSource *source, const char *text, size_t size,
                                const TileCompileOptions *options) {
  Check c = {.source = source, .text = text, .end = text + size};
  if (source->grid.text && !checkParts(&c, &source->grid, "tile.grid", 3, options))
    return false;
  for (size_t i = 0; i < source->numRequires; ++i)
    if (!checkPart(&c, &source->requires[i], 0, source->requires[i].length, options))
      return false;
  for (size_t i = 0; i < source->numRows; ++i) {
    const TileSourceRow *row = &source->rows[i];
    if (!tileSourceHasArgument(text, size, row->name, row->nameLength, false)) {
      tileReportAt(options, TileSeverity_Error, row->length.line, 1,
                   "tile.row: got '%.*s', expected the name of a descriptor among the arguments of a kernel",
                   (int)row->nameLength, row->name);
      return false;
    }
    if (!checkParts(&c, &row->length, "tile.row", 2, options))
      return false;
  }
  return true;
}
