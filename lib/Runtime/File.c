/* File.c - reading a whole file. */
#define _POSIX_C_SOURCE 200809L
#include "tile-c/File.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// The bytes as far as the limit goes and one more; NULL if there is no memory for them.
static char *readAll(FILE *file, size_t *out_size) {
  enum { First = 1 << 16 };
  const size_t limit = (size_t)TILE_FILE_MEBIBYTES << 20;
  size_t size = 0, capacity = First;
  char *data = malloc(capacity);
  while (data) {
    size += fread(data + size, 1, capacity - 1 - size, file);
    if (size < capacity - 1 || size > limit)
      break;
    capacity = 2 * capacity < limit + 2 ? 2 * capacity : limit + 2;
    char *grown = realloc(data, capacity);
    if (!grown)
      free(data);
    data = grown;
  }
  *out_size = size;
  return data;
}

static TileErrorCode readOpen(FILE *file, char **out_data, size_t *out_size, TileError *out_error) {
  struct stat status;
  if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode))
    return tileErrorSet(out_error, TileError_File, "it is a folder, expected a file");
  errno = 0;
  *out_data = readAll(file, out_size);
  TileErrorCode code = TileError_None;
  if (!*out_data)
    code = tileErrorSet(out_error, TileError_OutOfMemory, "cannot read: out of memory");
  else if (ferror(file))
    code = tileErrorSet(out_error, TileError_File, "cannot read: %s", strerror(errno));
  else if (*out_size > (size_t)TILE_FILE_MEBIBYTES << 20)
    code = tileErrorSet(out_error, TileError_File,
                        "cannot read: got more than the %d MiB that a file may have", TILE_FILE_MEBIBYTES);
  if (code) {
    free(*out_data);
    *out_data = NULL;
  } else {
    (*out_data)[*out_size] = 0;
  }
  return code;
}

TileErrorCode tileFileRead(const char *path, char **out_data, size_t *out_size, TileError *out_error) {
  *out_data = NULL;
  *out_size = 0;
  const int isStandardInput = !strcmp(path, "-");
  FILE *file = isStandardInput ? stdin : fopen(path, "rb");
  if (!file)
    return tileErrorSet(out_error, TileError_File, "cannot open: %s", strerror(errno));
  TileErrorCode code = readOpen(file, out_data, out_size, out_error);
  if (!isStandardInput)
    fclose(file);
  return code;
}
