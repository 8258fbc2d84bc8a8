/* NpyRead.c - reading .npy files. */
#include "Npy.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static TileErrorCode readBytes(FILE *file, const char *path, void *to, size_t size, const char *what,
                               TileError *out_error) {
  const size_t got = fread(to, 1, size, file);
  if (got == size)
    return TileError_None;
  if (ferror(file))
    return tileErrorSet(out_error, TileError_File, "%s: cannot read: %s", path, strerror(errno));
  return tileErrorSet(out_error, TileError_Format, "%s: truncated: got %zu bytes of %s, expected %zu", path,
                      got, what, size);
}

/// Everything before the numbers.
static TileErrorCode readHeader(FILE *file, const char *path, NpyHeader *out_header, TileError *out_error) {
  unsigned char head[8], length[4] = {0};
  TileErrorCode code = readBytes(file, path, head, sizeof head, "the .npy magic", out_error);
  if (code)
    return code;
  if (memcmp(head, "\x93NUMPY", 6))
    return tileErrorSet(out_error, TileError_Format, "%s: not a .npy file", path);
  if (head[6] < 1 || head[6] > 3)
    return tileErrorSet(out_error, TileError_Format, "%s: got .npy format version %d.%d, expected 1 to 3",
                        path, head[6], head[7]);
  if ((code = readBytes(file, path, length, head[6] == 1 ? 2 : 4, "the header's length", out_error)))
    return code;
  const size_t size = length[0] | length[1] << 8 | length[2] << 16 | (size_t)length[3] << 24;
  if (size > 1 << 20) // numpy's own headers are below 64 KiB
    return tileErrorSet(out_error, TileError_Format, "%s: malformed .npy header: it claims %zu bytes", path,
                        size);
  char *text = malloc(size + 1);
  if (!text)
    return tileErrorSet(out_error, TileError_OutOfMemory, "out of host memory");
  code = readBytes(file, path, text, size, "header", out_error);
  if (!code)
    code = npyParseHeader(path, text, size, out_header, out_error);
  free(text);
  return code;
}

/// Position in a row-major array of the element that stands at `index` in a Fortran-order file.
static int64_t rowMajorIndex(const NpyHeader *header, int64_t index) {
  int64_t result = 0, stride[TILE_ARRAY_MAX_RANK];
  int64_t next = 1;
  for (unsigned i = header->rank; i-- > 0; next *= header->shape[i])
    stride[i] = next;
  for (unsigned i = 0; i < header->rank; ++i) {
    result += index % header->shape[i] * stride[i];
    index /= header->shape[i];
  }
  return result;
}

/// True if the numbers lie in the file as in the array.
static bool isSameLayout(const NpyHeader *header, TileElementType type) {
  const bool sameKind = tileElementTypeIsFloat(type)
                            ? header->kind == Npy_Float && type != TileElementType_BF16
                            : header->kind == Npy_Int && type != TileElementType_I1;
  return sameKind && header->bytes == tileElementTypeSize(type) &&
         (!header->fortranOrder || header->rank < 2);
}

/// Reads the numbers piece by piece, converting each.
static TileErrorCode readConverted(FILE *file, const char *path, const NpyHeader *header, TileArray *array,
                                   TileError *out_error) {
  enum { Piece = 4096 };
  char piece[Piece * 8];
  const size_t size = tileElementTypeSize(array->type);
  for (int64_t done = 0; done < array->numElements;) {
    const int64_t count = array->numElements - done < Piece ? array->numElements - done : Piece;
    TileErrorCode code = readBytes(file, path, piece, (size_t)count * header->bytes, "data", out_error);
    if (code)
      return code;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t to = header->fortranOrder ? rowMajorIndex(header, done + i) : done + i;
      if ((code = npyConvert(path, header, piece + i * header->bytes, array->type,
                             (char *)array->data + to * (int64_t)size, to, out_error)))
        return code;
    }
    done += count;
  }
  return TileError_None;
}

/// Refuses a file that is too short before memory is taken for what its header claims.
static TileErrorCode checkLength(FILE *file, const char *path, const NpyHeader *header,
                                 TileError *out_error) {
  const long start = ftell(file);
  if (start < 0 || fseek(file, 0, SEEK_END))
    return TileError_None; // a pipe: reading will tell
  const long end = ftell(file);
  if (fseek(file, start, SEEK_SET) || end < start)
    return tileErrorSet(out_error, TileError_File, "%s: cannot read: %s", path, strerror(errno));
  double expected = header->bytes; // exact where it matters: up to 2^53 bytes
  for (unsigned i = 0; i < header->rank; ++i)
    expected *= (double)header->shape[i];
  if ((double)(end - start) >= expected)
    return TileError_None;
  return tileErrorSet(out_error, TileError_Format, "%s: truncated: got %ld bytes of data, expected %.0f",
                      path, end - start, expected);
}

TileErrorCode tileNpyRead(const char *path, TileElementType type, TileArray *out_array,
                          TileError *out_error) {
  memset(out_array, 0, sizeof *out_array);
  FILE *file = fopen(path, "rb");
  if (!file)
    return tileErrorSet(out_error, TileError_File, "%s: cannot open: %s", path, strerror(errno));
  NpyHeader header;
  TileErrorCode code = readHeader(file, path, &header, out_error);
  if (!code)
    code = checkLength(file, path, &header, out_error);
  if (!code)
    code = tileArrayCreate(type, header.rank, header.shape, out_array, out_error);
  if (!code)
    code = isSameLayout(&header, type)
               ? readBytes(file, path, out_array->data, tileArrayBytes(out_array), "data", out_error)
               : readConverted(file, path, &header, out_array, out_error);
  fclose(file);
  if (code)
    tileArrayRelease(out_array);
  return code;
}
