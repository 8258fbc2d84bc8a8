/* AxisInfo.h - the claims of tile-c/Axis.h for every number and pointer of a function, by forward data flow.
 *
 * Starts from what is known of arguments (`tile.divisibility`), hints on operations (`tile.contiguity`,
 * `tile.divisibility`, `tile.constancy`), `tile.assume`, program ids and constants, and follows tile, arith,
 * math and structured control flow (scf.for, scf.while, scf.if) to a fixed point. What it cannot follow it
 * knows nothing about.
 *
 * It takes two things for granted. A group of elements whose divisor is zero is left out of the claims
 * (Axis.h). And where a program id is multiplied by a constant, the product does not exceed its type: a
 * launch of more programs than tileAxisInfoMaxPrograms is outside the claims. */
#ifndef TILE_C_AXISINFO_H
#define TILE_C_AXISINFO_H
#include "tile-c/Axis.h"
#include "tile-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TileAxisInfo TileAxisInfo;

/// Analyses everything inside `func` (or a module). The result does not follow later changes of the IR; it
/// belongs to the caller. Not thread-safe, nor needs to be: one per pass run.
TileAxisInfo *tileAxisInfoCreate(MlirOperation func);
void tileAxisInfoRelease(TileAxisInfo *info);

/// The claims for a value, or null if it is neither number nor pointer, or unknown to the analysis. A scalar
/// is a tensor of one element. Lives as long as `info`.
const TileAxis *tileAxisInfoOf(const TileAxisInfo *info, MlirValue value);
/// One dimension of that; all ones if nothing is known or there is no such dimension.
TileAxisDim tileAxisInfoGet(const TileAxisInfo *info, MlirValue value, int dim);
/// The integer that all elements are, if it is known.
bool tileAxisInfoConstant(const TileAxisInfo *info, MlirValue value, int64_t *out_value);
/// Elements of aligned groups along `dim` in which the mask is constant, or compares a running index with a
/// bound: then almost every group is true or false as a whole, so that a wide access pays even if a few
/// groups need another way.
int64_t tileAxisInfoMaskGroup(const TileAxisInfo *info, MlirValue mask, int dim);
/// Programs along axis 0 to 2 for which the claims hold.
int64_t tileAxisInfoMaxPrograms(const TileAxisInfo *info, int axis);

/// What `type` is to the analysis; false for anything but numbers, pointers and static tensors of them of
/// rank 1 to TileLayout_MaxRank.
bool tileAxisTypeOf(MlirType type, TileAxisType *out);

#ifdef __cplusplus
}
#endif
#endif
