/* Npy.h - what the reader and the writer of .npy files share. */
#ifndef TILE_RUNTIME_NPY_H
#define TILE_RUNTIME_NPY_H
#include "tile-c/HostArray.h"

/// How a number lies in a file, little-endian.
typedef enum NpyKind { Npy_Bool, Npy_Int, Npy_Uint, Npy_Float } NpyKind;

typedef struct NpyHeader {
  NpyKind kind;
  unsigned bytes; ///< of one element
  bool fortranOrder;
  unsigned rank;
  int64_t shape[TILE_ARRAY_MAX_RANK];
} NpyHeader;

/// Parses the header's Python dictionary, `length` bytes. `path` is for messages.
TileErrorCode npyParseHeader(const char *path, const char *text, size_t length, NpyHeader *out_header,
                             TileError *out_error);

/// Converts element number `index` at `from` to `type` at `to`; `path` and `index` are for messages.
TileErrorCode npyConvert(const char *path, const NpyHeader *header, const void *from, TileElementType type,
                         void *to, int64_t index, TileError *out_error);

#endif
