/* Text.c - layouts as text: the canonical printed form, its parser, and drawings. */
#include "Linear.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tileTextAppend(TileText *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = text->size > text->length ? text->size - text->length : 0;
  int written = vsnprintf(room ? text->buffer + text->length : NULL, room, format, arguments);
  va_end(arguments);
  if (written > 0)
    text->length += (size_t)written;
}

static const char *const inputNames[] = {"register", "lane", "warp", "block"};

static const char *inputName(int32_t dim, bool memory) {
  return memory && dim == TileLayoutDim_Offset ? "offset" : inputNames[dim];
}

static void printNumbers(TileText *text, int32_t n, const int32_t *numbers) {
  tileTextAppend(text, "[");
  for (int32_t i = 0; i < n; ++i)
    tileTextAppend(text, "%s%d", i ? "," : "", (int)numbers[i]);
  tileTextAppend(text, "]");
}

size_t tileLayoutPrint(const TileLayout *layout, bool memory, char *buffer, size_t size) {
  TileText text = {buffer, size, 0};
  if (size)
    buffer[0] = 0;
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim) {
    if (!layout->bits[dim])
      continue;
    tileTextAppend(&text, "%s=[", inputName(dim, memory));
    for (int32_t bit = 0; bit < layout->bits[dim]; ++bit) {
      tileTextAppend(&text, bit ? "," : "");
      printNumbers(&text, layout->rank, layout->bases[dim][bit]);
    }
    tileTextAppend(&text, "], ");
  }
  tileTextAppend(&text, "shape=");
  printNumbers(&text, layout->rank, layout->shape);
  return text.length;
}

/// A cursor over the text; the first error sticks.
typedef struct Parser {
  const char *text;
  size_t length, at;
  const char *error;
} Parser;

static bool fail(Parser *parser, const char *message) {
  if (!parser->error)
    parser->error = message;
  return false;
}

static char peek(Parser *parser) {
  while (parser->at < parser->length && strchr(" \t\r\n", parser->text[parser->at]) &&
         parser->text[parser->at])
    ++parser->at;
  return parser->at < parser->length ? parser->text[parser->at] : 0;
}

static bool accept(Parser *parser, char c) {
  if (peek(parser) != c || !c)
    return false;
  ++parser->at;
  return true;
}

static bool parseNumber(Parser *parser, int32_t *out) {
  int64_t value = 0;
  char c = peek(parser);
  if (c < '0' || c > '9')
    return fail(parser, "expected a number");
  for (; parser->at < parser->length && (c = parser->text[parser->at]) >= '0' && c <= '9'; ++parser->at) {
    value = value * 10 + (c - '0');
    if (value > 1 << 30)
      return fail(parser, "number is too large, expected at most 1073741824");
  }
  *out = (int32_t)value;
  return true;
}

/// "[1,2,3]" of at most `max` numbers.
static bool parseNumbers(Parser *parser, int32_t max, int32_t *out, int32_t *out_count) {
  int32_t n = 0;
  if (!accept(parser, '['))
    return fail(parser, "expected '['");
  if (!accept(parser, ']')) {
    do {
      if (n == max)
        return fail(parser, "more numbers than a tensor has dimensions");
      if (!parseNumber(parser, &out[n++]))
        return false;
    } while (accept(parser, ','));
    if (!accept(parser, ']'))
      return fail(parser, "expected ',' or ']'");
  }
  *out_count = n;
  return true;
}

/// "[[0,1],[8,0]]": the vectors of input `dim`. *rank is -1 until the first vector fixes it.
static bool parseBases(Parser *parser, int32_t dim, int32_t *rank, TileLayout *layout) {
  if (!accept(parser, '['))
    return fail(parser, "expected '['");
  if (accept(parser, ']'))
    return true;
  do {
    int32_t count, bit = layout->bits[dim];
    if (bit == TileLayout_MaxBits)
      return fail(parser, "more than 24 vectors for one input");
    if (!parseNumbers(parser, TileLayout_MaxRank, layout->bases[dim][bit], &count))
      return false;
    if (*rank >= 0 && *rank != count)
      return fail(parser, "vectors and shape differ in rank");
    *rank = count;
    ++layout->bits[dim];
  } while (accept(parser, ','));
  return accept(parser, ']') || fail(parser, "expected ',' or ']'");
}

/// Reads "name="; returns the input's number, TileLayoutDim_Count for "shape", -1 on error.
static int32_t parseKey(Parser *parser) {
  static const struct {
    const char *name;
    int32_t dim;
  } keys[] = {{"register", 0}, {"offset", 0}, {"lane", 1},
              {"warp", 2},     {"block", 3},  {"shape", TileLayoutDim_Count}};
  peek(parser);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    size_t n = strlen(keys[i].name);
    if (parser->length - parser->at < n || memcmp(parser->text + parser->at, keys[i].name, n) != 0)
      continue;
    parser->at += n;
    if (accept(parser, '='))
      return keys[i].dim;
    fail(parser, "expected '='");
    return -1;
  }
  fail(parser, "expected 'register', 'offset', 'lane', 'warp', 'block' or 'shape'");
  return -1;
}

static bool parseLayout(Parser *parser, TileLayout *layout) {
  int32_t rank = -1;
  uint32_t seen = 0;
  do {
    int32_t key = parseKey(parser);
    if (key < 0)
      return false;
    if (seen >> key & 1)
      return fail(parser, "an input is given twice");
    seen |= 1u << key;
    if (key < TileLayoutDim_Count) {
      if (!parseBases(parser, key, &rank, layout))
        return false;
      continue;
    }
    int32_t count;
    if (!parseNumbers(parser, TileLayout_MaxRank, layout->shape, &count))
      return false;
    if (rank >= 0 && rank != count)
      return fail(parser, "vectors and shape differ in rank");
    rank = layout->rank = count;
  } while (accept(parser, ','));
  if (!(seen >> TileLayoutDim_Count & 1))
    return fail(parser, "expected 'shape'");
  if (peek(parser) || parser->at < parser->length)
    return fail(parser, "expected ',' or the end of the layout");
  return tileLayoutIsValid(layout) ||
         fail(parser,
              "sizes are no powers of two, or a vector is outside the shape, or there are too many bits");
}

bool tileLayoutParse(const char *text, size_t length, TileLayout *out, const char **out_error,
                     size_t *out_position) {
  Parser parser = {text, length, 0, NULL};
  TileLayout layout = tileLayoutEmpty(0);
  bool ok = parseLayout(&parser, &layout);
  if (ok)
    *out = layout;
  if (out_error)
    *out_error = parser.error;
  if (out_position)
    *out_position = parser.at;
  return ok;
}
