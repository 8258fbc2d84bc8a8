/* RareBranches.h - what few threads need, behind a branch.
 *
 *   %y = (a short polynomial of %x)                  : tensor<64x64xf32>
 *   %z = (a function that takes longer, of %x)
 *   %v = arith.select %large, %z, %y {tile_gpu.rare}
 * becomes
 *   %any = tile_gpu.any %large                       // in this thread
 *   %v = scf.if %any { %y, %z, arith.select ... } else { %y alone }
 *
 * Both sides compute %y, so that no more values are alive at the branch than before. */
#ifndef TILE_LIB_TILEGPU_RAREBRANCHES_H
#define TILE_LIB_TILEGPU_RAREBRANCHES_H
#include "tile-c/IR.h"
#include "tile-c/Support/Arena.h"

/// False, and nothing is done, if `select` has no mark. byParts: a quarter of the registers, at most sixteen, has a branch of its own (tile_gpu.parts).
bool tileBranchIfRare(TileBuilder b, TileArena *arena, MlirOperation select, bool byParts);

#endif
