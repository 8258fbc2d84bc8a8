/* TileToTileGPU.c - convert-tile-to-tile-gpu: from here on the module is for one chip and a number of warps.
 *
 *   module { func.func @k(...) ... }
 * becomes
 *   module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 4 : i32,
 *                      tile_gpu.threads_per_warp = 32 : i32, ...}
 *
 * Tensors whose sizes are no powers of two are cut where they belong to products of warp groups (CutBlocks.c), else padded
 * (Padding.c).
 *
 * requires: tile ops without layouts.
 * ensures: a known chip, warps it can run, tensors with power-of-two sizes. */
#include "Cut.h"
#include "Order.h"
#include "Padding.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Layout.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Bits.h"
#include <stdio.h>

enum { MAX_ELEMENTS = 1 << 20 };

/* What the layouts after this pass can hold. */
static MlirLogicalResult checkType(MlirOperation op, MlirType type) {
  int64_t shape[TileLayout_MaxRank + 1];
  if (!tileTypeIsTensor(type))
    return tileSuccess();
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank + 1);
  if (rank > TileLayout_MaxRank)
    return tileEmitOpError(op, "has a tensor of rank %d, expected at most %d", rank, (int)TileLayout_MaxRank);
  int64_t elements = 1;
  for (int i = 0; i < rank; ++i) {
    if (shape[i] < 1)
      return tileEmitOpError(op, "has a tensor whose dimension %d is %lld, expected at least 1", i,
                             (long long)shape[i]);
    elements = shape[i] > MAX_ELEMENTS ? MAX_ELEMENTS + 1 : elements * padSize(shape[i]);
    if (elements > MAX_ELEMENTS)
      return tileEmitOpError(
          op, "has a tensor of more than %d elements, its sizes rounded up to powers of two", MAX_ELEMENTS);
  }
  return tileSuccess();
}

static MlirWalkResult checkOp(MlirOperation op, void *user) {
  MlirLogicalResult *result = user;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && tileSucceeded(*result); ++i)
    *result = checkType(op, mlirValueGetType(mlirOperationGetResult(op, i)));
  return tileFailed(*result) ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static MlirLogicalResult checkProgram(MlirOperation module, const TileTargetInfo *target,
                                      const TileConvertTileToTileGPUParams *p) {
  if (!tileTargetTakesWarps(target, p->numWarps))
    return tileEmitError(mlirOperationGetLocation(module),
                         "got num-warps = %lld, expected a power of two from 1 to %u on %s%s",
                         (long long)p->numWarps, target->maxWarpsPerBlock, target->chip,
                         tileTargetTakesWarps(target, TILE_THREE_GROUPS) ? ", or 12 for three warp groups"
                                                                         : "");
  if (p->numCtas != 1)
    return tileEmitError(mlirOperationGetLocation(module),
                         "got num-ctas = %lld, expected 1: loops ask for clusters (tile.split, tile.blocks)",
                         (long long)p->numCtas);
  if (p->numStages < 1 || p->numStages > TILE_MOST_STAGES)
    return tileEmitError(mlirOperationGetLocation(module),
                         "got num-stages = %lld, expected a number from 1 to %d", (long long)p->numStages,
                         TILE_MOST_STAGES);
  MlirLogicalResult result = tileSuccess();
  mlirOperationWalk(module, checkOp, &result, MlirWalkPreOrder);
  return result;
}

/* The chip's row without the features that are switched off. */
static MlirLogicalResult findTarget(MlirLocation loc, const TileConvertTileToTileGPUParams *p,
                                    TileTargetInfo *out) {
  char chip[64], disabled[512];
  const char *bad;
  size_t length;
  snprintf(chip, sizeof chip, "%.*s", (int)p->target.length, p->target.data);
  snprintf(disabled, sizeof disabled, "%.*s", (int)p->disable.length, p->disable.data);
  const TileTargetInfo *known = tileTargetLookup(chip);
  if (!known)
    return tileEmitError(loc, "got target '%s', expected one of %s", chip, tileTargetNames());
  *out = *known;
  if (!tileTargetDisable(out, disabled, &bad, &length))
    return tileEmitError(loc, "got feature '%.*s' to disable, expected one of the chip's", (int)length, bad);
  return tileSuccess();
}

MlirLogicalResult tileConvertTileToTileGPURun(MlirOperation module, const TileConvertTileToTileGPUParams *p) {
  TileModuleTarget target = {
      .launchedWarps = (int)p->numWarps, .numCtas = (int)p->numCtas, .numStages = (int)p->numStages};
  TILE_TRY(findTarget(mlirOperationGetLocation(module), p, &target.info));
  TILE_TRY(checkProgram(module, &target.info, p));
  target.numWarps = (int)tileLayoutWarps(p->numWarps);
  if (target.numWarps != target.launchedWarps)
    TILE_TRY(cutForLaunchedWarps(module, target.launchedWarps, target.numWarps));
  orderReductions(module);
  uint64_t accesses = 0;
  if (tileTargetHas(&target.info, TileFeature_WGMMA) && tileTargetHas(&target.info, TileFeature_TMA)) {
    transposeProducts(module, target.numWarps);
    cutModule(module, target.numWarps, target.info.maxClusterSize);
  }
  TileGPUExpandDescriptorsParams odd = {.odd = true, .numAccesses = &accesses};
  TILE_TRY(tileGPUExpandDescriptorsRun(module, &odd));
  TILE_TRY(padModule(module));
  tileModuleTargetWrite(module, &target, p->disable);
  return tileSuccess();
}
