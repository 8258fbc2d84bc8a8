/* LaunchedWarps.c - whether warps that are not launched would hold nothing but copies and rows that pad.
 *
 * Of 16 warps 12 run (convert-tile-to-tile-gpu): the others are those whose number has both of the highest bits. */
#include "Lowering.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"

/* The one dimension along which a basis moves, -1: none, -2: several. */
static int dimOf(const TileLayout *layout, const int32_t *basis) {
  int found = -1;
  for (int d = 0; d < layout->rank; ++d)
    if (basis[d])
      found = found == -1 ? d : -2;
  return found;
}

/* Everything else lies in the first quarter of the dimension. */
static bool isQuarter(const TileLayout *layout, int dim, int32_t high) {
  bool is = true;
  for (int in = 0; in < TileLayoutDim_Count; ++in)
    for (int32_t bit = 0; bit < layout->bits[in]; ++bit)
      is &= (in == TileLayoutDim_Warp && bit >= high) || layout->bases[in][bit][dim] < layout->shape[dim] / 4;
  return is;
}

static bool isSpared(const TileLayout *layout, int64_t padded) {
  const int32_t high = layout->bits[TileLayoutDim_Warp] - 2;
  if (layout->rank == 0)
    return true;
  if (high < 0)
    return false;
  const int32_t *third = layout->bases[TileLayoutDim_Warp][high],
                *half = layout->bases[TileLayoutDim_Warp][high + 1];
  const int dim = dimOf(layout, half);
  if (dim == -1 || dimOf(layout, third) == -1)
    return true; // a copy of what another warp has
  return dim >= 0 && dimOf(layout, third) == dim && layout->shape[dim] == padded && half[dim] == padded / 2 &&
         third[dim] == padded / 4 && isQuarter(layout, dim, high);
}

typedef struct Check {
  TileLowering *l;
  int64_t padded;
  MlirLogicalResult result;
} Check;

static MlirWalkResult checkOp(MlirOperation op, void *user) {
  Check *c = user;
  bool good = tileOpKind(op) != TileOp_TileGPU_TmaStore ||
              mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.groups")).ptr;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    TileLayout layout;
    good &= !tileTypeIsTensor(type) || (tileLayoutOfType(type, &layout) && isSpared(&layout, c->padded));
  }
  if (good)
    return MlirWalkResultAdvance;
  c->result = tileEmitOpError(op, "needs %d warps, got num-warps = %d", c->l->numWarps, c->l->launchedWarps);
  return MlirWalkResultInterrupt;
}

MlirLogicalResult tileCheckLaunchedWarps(TileLowering *l, MlirOperation function) {
  Check c = {l, tileGetIntAttr(function, "tile_gpu.padded_rows", 0), tileSuccess()};
  if (l->launchedWarps != l->numWarps)
    mlirOperationWalk(function, checkOp, &c, MlirWalkPreOrder);
  return c.result;
}
