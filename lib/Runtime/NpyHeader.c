/* NpyHeader.c - the header of a .npy file: a Python dictionary literal such as
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } */
#include "Npy.h"
#include <string.h>

typedef struct Scanner {
  const char *at, *end;
} Scanner;

static void skipBlanks(Scanner *scanner) {
  while (scanner->at < scanner->end && strchr(" \t\r\n", *scanner->at) && *scanner->at)
    ++scanner->at;
}

static bool take(Scanner *scanner, char c) {
  skipBlanks(scanner);
  if (scanner->at == scanner->end || *scanner->at != c)
    return false;
  ++scanner->at;
  return true;
}

static bool takeWord(Scanner *scanner, const char *word) {
  skipBlanks(scanner);
  const size_t length = strlen(word);
  if ((size_t)(scanner->end - scanner->at) < length || memcmp(scanner->at, word, length))
    return false;
  scanner->at += length;
  return true;
}

/// A quoted string without escapes into `out_text`.
static bool takeString(Scanner *scanner, char *out_text, size_t size) {
  skipBlanks(scanner);
  if (scanner->at == scanner->end || (*scanner->at != '\'' && *scanner->at != '"'))
    return false;
  const char quote = *scanner->at++;
  size_t used = 0;
  while (scanner->at < scanner->end && *scanner->at != quote && used + 1 < size)
    out_text[used++] = *scanner->at++;
  out_text[used] = 0;
  return take(scanner, quote);
}

static bool takeExtent(Scanner *scanner, int64_t *out_extent) {
  skipBlanks(scanner);
  int64_t value = 0;
  const char *start = scanner->at;
  while (scanner->at < scanner->end && *scanner->at >= '0' && *scanner->at <= '9') {
    if (value > INT64_MAX / 16)
      return false;
    value = 10 * value + (*scanner->at++ - '0');
  }
  *out_extent = value;
  return scanner->at > start;
}

static bool takeShape(Scanner *scanner, NpyHeader *header) {
  if (!take(scanner, '('))
    return false;
  while (!take(scanner, ')')) {
    if (header->rank == TILE_ARRAY_MAX_RANK || !takeExtent(scanner, &header->shape[header->rank++]))
      return false;
    if (!take(scanner, ','))
      return take(scanner, ')');
  }
  return true;
}

static TileErrorCode setType(const char *path, const char *descr, NpyHeader *header, TileError *out_error) {
  static const char *const supported[] = {"b1", "i1", "i2", "i4", "i8", "u1",
                                          "u2", "u4", "u8", "f2", "f4", "f8"};
  static const NpyKind kinds[] = {
      ['b' - 'b'] = Npy_Bool, ['f' - 'b'] = Npy_Float, ['i' - 'b'] = Npy_Int, ['u' - 'b'] = Npy_Uint};
  for (size_t i = 0; i < sizeof supported / sizeof *supported; ++i) {
    if (!descr[0] || strcmp(descr + 1, supported[i]))
      continue;
    header->kind = kinds[descr[1] - 'b'];
    header->bytes = (unsigned)(descr[2] - '0');
    if (strchr(header->bytes == 1 ? "|<>=" : "<", descr[0]))
      return TileError_None;
    if (descr[0] == '>')
      return tileErrorSet(out_error, TileError_Format,
                          "%s: got big-endian numbers ('%s'), expected little-endian", path, descr);
  }
  return tileErrorSet(out_error, TileError_Format,
                      "%s: got elements of type '%s', expected bool, int, uint, float16, float32 or float64",
                      path, descr);
}

TileErrorCode npyParseHeader(const char *path, const char *text, size_t length, NpyHeader *out_header,
                             TileError *out_error) {
  Scanner scanner = {text, text + length};
  char descr[16] = "", key[16];
  bool hasOrder = false, hasShape = false, ok = take(&scanner, '{');
  memset(out_header, 0, sizeof *out_header);
  while (ok && !take(&scanner, '}')) {
    ok = takeString(&scanner, key, sizeof key) && take(&scanner, ':');
    if (ok && !strcmp(key, "descr")) {
      if (take(&scanner, '['))
        return tileErrorSet(out_error, TileError_Format, "%s: got records, expected an array of numbers",
                            path);
      ok = takeString(&scanner, descr, sizeof descr);
    } else if (ok && !strcmp(key, "fortran_order")) {
      out_header->fortranOrder = takeWord(&scanner, "True");
      ok = hasOrder = out_header->fortranOrder || takeWord(&scanner, "False");
    } else if (ok && !strcmp(key, "shape")) {
      ok = hasShape = takeShape(&scanner, out_header);
    } else {
      ok = false;
    }
    if (ok && !take(&scanner, ','))
      ok = take(&scanner, '}') && (scanner.at--, true);
  }
  if (!ok || !descr[0] || !hasOrder || !hasShape)
    return tileErrorSet(
        out_error, TileError_Format,
        "%s: malformed .npy header, expected 'descr', 'fortran_order' and a 'shape' of at most %d", path,
        TILE_ARRAY_MAX_RANK);
  return setType(path, descr, out_header, out_error);
}
