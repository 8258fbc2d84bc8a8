/* Write.h - the files that tile-legality makes. */
#ifndef TILE_TEST_LEGALITY_WRITE_H
#define TILE_TEST_LEGALITY_WRITE_H
#include "Rows.h"

/// The C table; `kinds` is the path of tile-c/OpKind.h. `check`: compares with the file instead; false if it
/// differs.
bool writeTable(const Rows *rows, const char *kinds, const char *path, bool check);
/// The table for readers.
bool writeDoc(const Rows *rows, const char *path, bool check);
/// "llvm.fadd f16", in a buffer that the next call overwrites.
const char *rowText(const Row *row);

#endif
