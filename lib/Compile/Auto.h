/* Auto.h - private to lib/Compile: --auto, the choice among a text's declared values. */
#ifndef TILE_LIB_COMPILE_AUTO_H
#define TILE_LIB_COMPILE_AUTO_H
#include "Source.h"
#include "mlir-c/IR.h"
#include "tile-c/Support/Arena.h"

/// Definitions for all declared parameters: those of `options`, then what the cost rule chooses among the rest
/// (options->automatic) or nothing. False: a diagnostic was given. Memory is the arena's.
bool tileAutoChoose(const char *text, size_t size, const TileCompileOptions *options, TileArena *arena,
                    TileDefine **out_defines, size_t *out_numDefines);

/// A grid's part number i of three, with the values of declared parameters filled in; NULL if it has none.
const char *tileAutoGridPart(const TileSource *source, const TileCompileOptions *options, int i,
                             TileArena *arena);

#endif
