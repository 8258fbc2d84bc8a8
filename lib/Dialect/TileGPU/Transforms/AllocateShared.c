/* AllocateShared.c - tile-gpu-allocate-shared: where each op's scratch lies in shared memory.
 *
 *   %1 = tile_gpu.convert_layout %0 : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
 * becomes
 *   %1 = tile_gpu.convert_layout %0 {tile_gpu.scratch = 0 : i32} : ...
 * and the module gets tile_gpu.shared = 16384 : i32
 *
 * Scratch lives only while its op runs, so all of it starts at offset 0 and the program needs the largest.
 *
 * requires: layouts on all tensors.
 * ensures: tile_gpu.scratch on every op that needs scratch; the sum fits the chip. */
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Scratch.h"

typedef struct Allocation {
  const TileTargetInfo *target;
  MlirContext context;
  int64_t bytes; ///< of the program so far
  MlirOperation largest;
  uint64_t *numScratch;
  bool failed;
} Allocation;

static MlirWalkResult place(MlirOperation op, void *user) {
  Allocation *a = user;
  int64_t bytes;
  if (tileFailed(tileScratchBytes(op, a->target, &bytes))) {
    a->failed = true;
    return MlirWalkResultInterrupt;
  }
  if (!bytes)
    return MlirWalkResultAdvance;
  mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.scratch"), tileI32Attr(a->context, 0));
  ++*a->numScratch;
  if (bytes > a->bytes) {
    a->bytes = bytes;
    a->largest = op;
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUAllocateSharedRun(MlirOperation module, const TileGPUAllocateSharedParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  Allocation a = {
      .target = &target.info, .context = mlirOperationGetContext(module), .numScratch = params->numScratch};
  mlirOperationWalk(module, place, &a, MlirWalkPreOrder);
  if (a.failed)
    return tileFailure();
  if (a.bytes > a.target->sharedPerBlock)
    return tileEmitOpError(a.largest, "needs %lld bytes of shared memory, %s has %u for a block",
                           (long long)a.bytes, a.target->chip, a.target->sharedPerBlock);
  if (a.bytes)
    mlirOperationSetDiscardableAttributeByName(module, tileStr("tile_gpu.shared"),
                                               tileI32Attr(a.context, a.bytes));
  return tileSuccess();
}
