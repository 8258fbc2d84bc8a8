/* FactorCost.h - whether a factor of a matrix product is converted, or its producers are repeated in the
 * instruction's layout.
 *
 * A weight that was loaded as i8 and widened is better converted before it is widened; a sum of two loaded
 * tensors is better converted after it, unless they wait in buffers of a pipeline, which are read in any layout. */
#ifndef TILE_LIB_TILEGPU_FACTORCOST_H
#define TILE_LIB_TILEGPU_FACTORCOST_H
#include "tile-c/IR.h"
#include "tile-c/Layout.h"
#include "tile-c/Target.h"

/// Whether a value has its registers in the right threads already, if not in the right order.
bool tileLayoutIsFreeFor(MlirValue value, const TileLayout *wanted);
/// Whether a conversion of bytes reads them one by one, because their neighbours go to other threads; wider
/// elements would be transposed by ldmatrix.
bool tileIsReadByBytes(MlirType type, const TileLayout *wanted, const TileTargetInfo *target);
/// The layout in which a load of a few numbers beside products of warp groups goes on to others: each warp has them all, so that
/// none waits for another; null for other ops.
MlirAttribute tileLayoutOfWarps(MlirContext context, MlirOperation load, int numWarps);
/// Whether a producer is repeated in any layout that is asked for: a read of a buffer, and beside
/// blocks of the copy engine a load of few numbers a thread.
bool tileIsReadAgain(MlirOperation def, MlirAttribute layout);
/// Whether repeating the producer of `value` with its result in `layout` moves less between threads than
/// converting the value.
bool tileFactorIsRepeated(MlirValue value, MlirAttribute layout, const TileTargetInfo *target, int numStages);
/// Whether numbers along one dimension that a loop with products computes of what it does not change (rows of an image) are
/// rather computed again in another layout than handed from thread to thread in each iteration, behind barriers.
bool tileVectorIsRepeated(MlirValue v, MlirAttribute layout);

/// Whether a load in a loop waits in a buffer, for a product that its elements lead to: they are read from there in any layout.
bool tileIsReadFromBuffer(MlirOperation load, const TileTargetInfo *target, int numStages);

#endif
