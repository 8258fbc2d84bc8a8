/* SourceCheck.c - refuses what the parser should not be given: nothing, bytes that are no text, bottomless
 * nesting, arrays of elements without a width, factors without registers. */
#include "Report.h"
#include "Source.h"
#include "tile-c/Session.h"
#include <ctype.h>
#include <string.h>

/// Bytes of the UTF-8 character at text (at most `left`), or 0 if it is none. Overlong forms pass: this tells
/// text from binary data and no more.
static size_t utf8Length(const unsigned char *text, size_t left) {
  size_t length = *text < 0x80   ? 1
                  : *text < 0xC0 ? 0
                  : *text < 0xE0 ? 2
                  : *text < 0xF0 ? 3
                  : *text < 0xF8 ? 4
                                 : 0;
  if (length > left)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((text[i] & 0xC0) != 0x80)
      return 0;
  return length;
}

/// Refuses what Triton's own layouts stand in, in lines as `#blocked = #ttg.blocked<{...}>`.
static bool checkLayouts(const char *text, size_t size, const TileCompileOptions *options) {
  static const char *const dialects[] = {"#ttg.", "#triton_gpu."};
  unsigned line = 1;
  for (const char *at = text, *end = text + size; at < end; ++line) {
    const char *newLine = memchr(at, '\n', (size_t)(end - at)), *lineEnd = newLine ? newLine : end;
    const char *value = *at == '#' ? memchr(at, '=', (size_t)(lineEnd - at)) : NULL;
    while (value && ++value < lineEnd && *value == ' ')
      ;
    for (size_t i = 0; value && i < sizeof dialects / sizeof *dialects; ++i) {
      const size_t length = strlen(dialects[i]);
      if ((size_t)(lineEnd - value) < length || memcmp(value, dialects[i], length) != 0)
        continue;
      tileReportAt(options, TileSeverity_Error, line, (unsigned)(value - at) + 1,
                   "got a layout of Triton's GPU IR (.asm[\"ttgir\"]), expected Triton IR (.asm[\"ttir\"])");
      return false;
    }
    at = newLine ? newLine + 1 : end;
  }
  return true;
}

bool tileSourceCheckText(const char *text, size_t size, const TileCompileOptions *options) {
  const unsigned char *bytes = (const unsigned char *)text;
  bool blank = true;
  for (size_t i = 0; i < size;) {
    size_t length = utf8Length(bytes + i, size - i);
    if (length == 0 || (bytes[i] < 0x20 && !isspace(bytes[i])) || bytes[i] == 0x7F) {
      tileReport(options, TileSeverity_Error,
                 "not a text: byte 0x%02x at offset %zu, expected MLIR or Triton IR text", bytes[i], i);
      return false;
    }
    blank = blank && isspace(bytes[i]);
    i += length;
  }
  if (blank)
    tileReport(options, TileSeverity_Error, "the file is empty, expected MLIR or Triton IR text");
  return !blank && checkLayouts(text, size, options);
}

typedef struct Scanner {
  const char *at, *end;
  unsigned line, column;
} Scanner;

static char peek(const Scanner *s, size_t ahead) {
  return s->end - s->at > (ptrdiff_t)ahead ? s->at[ahead] : 0;
}

static void advance(Scanner *s) {
  bool newLine = *s->at++ == '\n';
  s->line += newLine;
  s->column = newLine ? 1 : s->column + 1;
}

static void skipString(Scanner *s) {
  advance(s);
  while (s->at < s->end && *s->at != '"' && *s->at != '\n') {
    if (*s->at == '\\' && s->at + 1 < s->end)
      advance(s);
    advance(s);
  }
  if (s->at < s->end)
    advance(s);
}

static void skipComment(Scanner *s) {
  while (s->at < s->end && *s->at != '\n')
    advance(s);
}

/// What the parser recurses into: brackets, and a chain of minus signs in affine expressions.
typedef struct Nesting {
  unsigned round, angle, minus;
} Nesting;

static void countCharacter(Scanner *s, Nesting *depth) {
  char c = *s->at;
  if (c == '-' && peek(s, 1) != '>')
    ++depth->minus;
  else if (!isspace((unsigned char)c))
    depth->minus = 0;
  if (c == '(' || c == '[' || c == '{')
    ++depth->round;
  else if ((c == ')' || c == ']' || c == '}') && depth->round)
    --depth->round;
  else if (c == '<')
    ++depth->angle;
  else if (c == '>' && depth->angle)
    --depth->angle;
  // The > of an arrow is no bracket.
  if (c == '-' && peek(s, 1) == '>')
    advance(s);
  advance(s);
}

static bool isWordCharacter(char c) { return isalnum((unsigned char)c) || strchr("_$.", c); }

/// Behind spaces and comments.
static size_t skipSpace(const Scanner *s, size_t ahead) {
  bool comment = false;
  for (char c; (c = peek(s, ahead)); ++ahead) {
    comment = comment ? c != '\n' : c == '/' && peek(s, ahead + 1) == '/';
    if (!comment && !isspace((unsigned char)c))
      break;
  }
  return ahead;
}

/// Whether a dense array starts here whose elements have no width, which the parser of LLVM 22 asks for: index, or
/// what an alias may hide.
static bool isArrayOfIndex(const Scanner *s, char before) {
  static const char array[] = "array", index[] = "index";
  if (*s->at != 'a' || s->end - s->at < 8 || memcmp(s->at, array, 5) || (before && isWordCharacter(before)))
    return false;
  size_t at = skipSpace(s, 5);
  if (peek(s, at) != '<')
    return false;
  at = skipSpace(s, at + 1);
  return peek(s, at) == '!' || (s->end - s->at >= (ptrdiff_t)at + 5 && !memcmp(s->at + at, index, 5));
}

/// Whether a factor or the sum of an mma.sync starts here that has no registers, of whose first one the parser of LLVM 22
/// asks the type: A[], B[] or C[].
static bool isEmptyFactor(const Scanner *s, char before) {
  if (!strchr("ABC", *s->at) || (before && (isWordCharacter(before) || strchr("%@#!^", before))))
    return false;
  size_t at = skipSpace(s, 1);
  return peek(s, at) == '[' && peek(s, skipSpace(s, at + 1)) == ']';
}

/// Behind a bracket's end, a string or a comment that starts there; else one character further.
static size_t skipItem(const Scanner *s, size_t at) {
  const char c = peek(s, at);
  if (c == '/' && peek(s, at + 1) == '/') {
    while (peek(s, at) && peek(s, at) != '\n')
      ++at;
    return at;
  }
  if (c == '"')
    for (++at; peek(s, at) && peek(s, at) != '"'; ++at)
      at += peek(s, at) == '\\' && peek(s, at + 1);
  return at + 1;
}

/// The length of the op's name if that starts here, else 0.
static size_t startOf(const Scanner *s, char before, const char *name) {
  const size_t length = strlen(name);
  const bool isInWord = before && isWordCharacter(before);
  return !isInWord && (size_t)(s->end - s->at) > length && !memcmp(s->at, name, length) ? length : 0;
}

/// How many types stand in the round brackets of an mma.sync that starts here, 0 if none starts: the parser of LLVM 22
/// writes those behind the third beyond its array.
static unsigned countFactorTypes(const Scanner *s, char before) {
  size_t at = startOf(s, before, "nvvm.mma.sync");
  if (!at)
    return 0;
  // The colon in front of the types stands outside of all brackets; the other three begin something else.
  unsigned depth = 0, types = 1;
  for (char c; (c = peek(s, at)) && (depth || !strchr(":.=%", c)); at = skipItem(s, at))
    depth = strchr("([{", c) ? depth + 1 : strchr(")]}", c) && depth ? depth - 1 : depth;
  at = peek(s, at) == ':' ? skipSpace(s, at + 1) : at;
  if (peek(s, at) != '(')
    return 0;
  depth = 0;
  for (char c; (c = peek(s, at)); at = skipItem(s, at)) {
    depth = strchr("([{<", c) ? depth + 1 : strchr(")]}>", c) && depth ? depth - 1 : depth;
    if (!depth)
      break;
    types += c == ',' && depth == 1;
  }
  return types;
}

/// The factor or the sum of an mma.sync that starts here whose registers do not follow its name, which is the same to the
/// parser of LLVM 22 as A[]; 0 if there is none.
static char factorWithoutRegisters(const Scanner *s, char before) {
  size_t at = startOf(s, before, "nvvm.mma.sync");
  if (!at)
    return 0;
  at = skipSpace(s, at);
  for (const char *factor = "ABC"; *factor && peek(s, at) == *factor; ++factor) {
    at = skipSpace(s, at + 1);
    if (peek(s, at) != '[')
      return *factor;
    while (peek(s, at) && peek(s, at) != ']')
      at = skipItem(s, at);
    at = skipSpace(s, at + 1);
  }
  return 0;
}

/// Whether an extractvalue or insertvalue starts here with a position that may need more than 32 bits: the parser of LLVM 22
/// checks the low ones and takes all.
static bool hasFarPosition(const Scanner *s, char before) {
  enum { MOST_DIGITS = 9 };
  const size_t extract = startOf(s, before, "llvm.extractvalue");
  size_t at = extract ? extract : startOf(s, before, "llvm.insertvalue");
  if (!at)
    return false;
  while (peek(s, at) && !strchr("[:", peek(s, at)))
    at = skipItem(s, at);
  size_t digits = 0;
  for (char c; (c = peek(s, at)) && !strchr("]:", c) && digits <= MOST_DIGITS; ++at)
    digits = isxdigit((unsigned char)c) ? digits + 1 : 0;
  return digits > MOST_DIGITS;
}

bool tileCheckParserInput(const char *text, size_t size, const TileCompileOptions *options) {
  const TileSource source = {.text = (char *)text, .size = size};
  return tileSourceCheckNesting(&source, options) && tileSourceCheckNames(&source, options);
}

bool tileSourceCheckNesting(const TileSource *source, const TileCompileOptions *options) {
  Scanner s = {source->text, source->text + source->size, 1, 1};
  Nesting depth = {0};
  while (s.at < s.end) {
    if (*s.at == '"') {
      skipString(&s);
      continue;
    }
    if (*s.at == '/' && peek(&s, 1) == '/') {
      skipComment(&s);
      continue;
    }
    unsigned line = s.line, column = s.column;
    char before = s.at > source->text ? s.at[-1] : 0;
    if (isEmptyFactor(&s, before)) {
      tileReportAt(options, TileSeverity_Error, line, tileSourceColumn(source, line, column),
                   "got no registers in %c[], expected some", *s.at);
      return false;
    }
    const unsigned types = *s.at == 'n' ? countFactorTypes(&s, before) : 0;
    if (types > 3) {
      tileReportAt(options, TileSeverity_Error, line, tileSourceColumn(source, line, column),
                   "got %u types of factors and sums, expected 3", types);
      return false;
    }
    const char factor = *s.at == 'n' ? factorWithoutRegisters(&s, before) : 0;
    if (factor) {
      tileReportAt(options, TileSeverity_Error, line, tileSourceColumn(source, line, column),
                   "got no registers behind %c, expected some in brackets", factor);
      return false;
    }
    if (*s.at == 'l' && hasFarPosition(&s, before)) {
      tileReportAt(options, TileSeverity_Error, line, tileSourceColumn(source, line, column),
                   "got a position of more than nine digits, expected one inside the type");
      return false;
    }
    if (isArrayOfIndex(&s, before)) {
      tileReportAt(options, TileSeverity_Error, line, tileSourceColumn(source, line, column),
                   "got an array of index or of an alias, expected elements of an integer or float type");
      return false;
    }
    countCharacter(&s, &depth);
    if (depth.round + depth.angle > TILE_MAX_NESTING || depth.minus > TILE_MAX_NESTING) {
      tileReportAt(options, TileSeverity_Error, line, tileSourceColumn(source, line, column),
                   "nested too deeply, expected at most %d levels of brackets", TILE_MAX_NESTING);
      return false;
    }
  }
  return true;
}
