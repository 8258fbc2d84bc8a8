/* SmallConversions.h - integers that become floats beside products of warp groups, where nearly all of them are small.
 *
 *   %d = arith.subi (column), (row)      : tensor<128x128xi32>
 *   %f = arith.sitofp %d
 *   %t = math.fma %f, %slope, %s
 * becomes
 *   %fits = (all of %d between -2^23 and 2^23, by arithmetic on scalars)
 *   %t = scf.if %fits { math.fma (arith.sitofp %d {tile_gpu.small}), %slope, %s } else { math.fma (arith.sitofp %d), ... }
 *
 * Small ones are converted once for many registers, which differ by constants: their floats do too, exactly. */
#ifndef TILE_LIB_TILEGPU_SMALLCONVERSIONS_H
#define TILE_LIB_TILEGPU_SMALLCONVERSIONS_H
#include "IntegerBounds.h"
#include "tile-c/Support/Arena.h"

/// False, and nothing is done, if nothing bounds the numbers of `conversion` (arith.sitofp), or too few are in a thread.
bool tileBranchIfSmall(TileBoundsBuilder *s, TileArena *arena, MlirOperation conversion);
#endif
