/* File.h - reading a whole file into memory, with a limit. */
#ifndef TILE_C_FILE_H
#define TILE_C_FILE_H
#include "tile-c/Error.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a kernel's text, a binary or a manifest may have; a device or a pipe may have no end.
enum { TILE_FILE_MEBIBYTES = 256 };

/// Reads all bytes of a file, a pipe or a device; "-" is standard input. They are malloc'ed, with a zero behind them
/// that is not counted in *out_size. The text of an error does not start with the path.
TileErrorCode tileFileRead(const char *path, char **out_data, size_t *out_size, TileError *out_error);

#ifdef __cplusplus
}
#endif
#endif
