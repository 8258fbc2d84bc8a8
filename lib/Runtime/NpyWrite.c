/* NpyWrite.c - writing .npy files: whole or not at all. */
#define _POSIX_C_SOURCE 200809L
#include "tile-c/HostArray.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// numpy's spelling of the type that an element type is written as.
static const char *descrOf(TileElementType type) {
  static const char *const rows[TileElementType_Count] = {
      [TileElementType_I1] = "|b1",        [TileElementType_I8] = "|i1",
      [TileElementType_I16] = "<i2",       [TileElementType_I32] = "<i4",
      [TileElementType_I64] = "<i8",       [TileElementType_F16] = "<f2",
      [TileElementType_BF16] = "<f4",      [TileElementType_F32] = "<f4",
      [TileElementType_F64] = "<f8",       [TileElementType_F8E4M3FN] = "|u1",
      [TileElementType_F8E5M2] = "|u1",    [TileElementType_F8E4M3FNUZ] = "|u1",
      [TileElementType_F8E5M2FNUZ] = "|u1"};
  return rows[type];
}

/// Header of format version 1: a multiple of 64 bytes, padded with blanks, ended by a newline.
static bool writeHeader(FILE *file, const TileArray *array) {
  char text[512] = "";
  int used =
      snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (", descrOf(array->type));
  for (unsigned i = 0; i < array->rank; ++i)
    used += snprintf(text + used, sizeof text - (size_t)used,
                     i + 1 < array->rank ? "%lld, "
                     : i                 ? "%lld"
                                         : "%lld,",
                     (long long)array->shape[i]);
  used += snprintf(text + used, sizeof text - (size_t)used, "), }");
  const int length = (10 + used + 1 + 63) / 64 * 64 - 10;
  const unsigned char head[10] = {
      0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)length, (unsigned char)(length >> 8)};
  return fwrite(head, 1, sizeof head, file) == sizeof head &&
         fprintf(file, "%-*s\n", length - 1, text) == length;
}

static bool writeElements(FILE *file, const TileArray *array) {
  const bool asBool = array->type == TileElementType_I1, asFloat = array->type == TileElementType_BF16;
  if (!asBool && !asFloat)
    return fwrite(array->data, 1, tileArrayBytes(array), file) == tileArrayBytes(array);
  const size_t from = tileElementTypeSize(array->type), to = asBool ? 1 : 4;
  for (int64_t i = 0; i < array->numElements; ++i) {
    const TileScalar value = tileScalarLoad(array->type, (const char *)array->data + i * (int64_t)from);
    char element[4];
    tileScalarStore(asBool ? TileElementType_I8 : TileElementType_F32, value, element);
    if (fwrite(element, 1, to, file) != to)
      return false;
  }
  return true;
}

/// A new file beside `path`; its name goes to `temporary`. NULL with errno on failure.
static FILE *openTemporary(const char *path, char *temporary, size_t size) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    snprintf(temporary, size, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
    const int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (descriptor >= 0)
      return fdopen(descriptor, "wb");
    if (errno != EEXIST)
      break;
  }
  return NULL;
}

/// Devices and pipes are written to in place: renaming would replace them.
static bool isPlainOrMissing(const char *path) {
  struct stat status;
  return stat(path, &status) || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
}

TileErrorCode tileNpyWrite(const char *path, const TileArray *array, TileError *out_error) {
  const bool rename_ = isPlainOrMissing(path);
  const size_t size = strlen(path) + 48;
  char *temporary = malloc(size);
  if (!temporary)
    return tileErrorSet(out_error, TileError_OutOfMemory, "out of host memory");
  FILE *file = rename_ ? openTemporary(path, temporary, size) : fopen(path, "wb");
  bool ok = file != NULL;
  if (ok) {
    ok = writeHeader(file, array) && writeElements(file, array);
    ok &= fclose(file) == 0;
    if (ok && rename_)
      ok = rename(temporary, path) == 0;
  }
  const int reason = errno;
  if (!ok && file && rename_)
    unlink(temporary);
  free(temporary);
  if (ok)
    return TileError_None;
  return tileErrorSet(out_error, TileError_File, "%s: cannot write: %s", path, strerror(reason));
}
