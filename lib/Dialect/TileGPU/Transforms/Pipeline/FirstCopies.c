/* FirstCopies.c - the first copies of a pipeline start before a conversion in front of the loop waits for its load.
 *
 *   %q = tile.load ...
 *   %f = tile_gpu.convert_layout %q              // waits for %q, then for all threads
 *   tile_gpu.async_copy ...; tile_gpu.async_commit
 *   scf.for ... { tile_gpu.mma %f, ... }
 * becomes
 *   %q = tile.load ...
 *   tile_gpu.async_copy ...; tile_gpu.async_commit
 *   %f = tile_gpu.convert_layout %q
 *   scf.for ... { tile_gpu.mma %f, ... }
 *
 * The conversion's shared memory then lies beside the buffers: where that would cost a block on the multiprocessor, nothing moves. */
#include "../BlockOrder.h"
#include "Pipeline.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/OpKind.h"
#include "tile-c/Scratch.h"
#include "tile-c/Support/Bits.h"

/* A conversion of what was loaded in front of the loop, which nobody wants before the loop. */
static bool canWait(MlirOperation op, MlirOperation loop) {
  MlirOperation load = op;
  if (tileOpKind(op) != TileOp_TileGPU_ConvertLayout)
    return false;
  for (int depth = 0; depth < 8 && load.ptr && (mlirOperationEqual(load, op) || tileOpIsElementwise(load));
       ++depth)
    load = mlirOperationGetNumOperands(load) ? tileValueGetDefiningOp(mlirOperationGetOperand(load, 0))
                                             : (MlirOperation){NULL};
  if (!load.ptr || tileOpKind(load) != TileOp_Tile_Load ||
      !mlirBlockEqual(mlirOperationGetBlock(load), mlirOperationGetBlock(loop)))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = tileOpInBlock(mlirOpOperandGetOwner(use), mlirOperationGetBlock(loop));
    if (!user.ptr || mlirOperationIsBeforeInBlock(user, loop))
      return false;
  }
  return true;
}

static MlirWalkResult addSums(MlirOperation op, void *user) {
  if (tilePipelineIsDot(op))
    *(int64_t *)user += tileTypeNumElements(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return MlirWalkResultAdvance;
}

/* Blocks that registers leave room for: ptxas gives a thread twice what its sums take, and the addresses. */
static int64_t blocksByRegisters(const TilePipeline *p, MlirOperation loop) {
  enum { ADDRESSES = 32 };
  const TileTargetInfo *info = &p->target->info;
  int64_t threads = (int64_t)p->target->numWarps * info->warpSize, sums = 0;
  mlirOperationWalk(loop, addSums, &sums, MlirWalkPreOrder);
  int64_t registers = tileLeast(2 * sums / threads + ADDRESSES, info->maxRegistersPerThread);
  return info->registersPerMultiprocessor / (threads * registers);
}

static bool fits(const TilePipeline *p, int64_t byRegisters, int64_t buffers, int64_t more) {
  const TileTargetInfo *info = &p->target->info;
  int64_t reserved = info->sharedReserved, all = info->sharedPerMultiprocessor;
  int64_t blocks = tileLeast(byRegisters, all / (buffers + reserved));
  return buffers + more <= info->sharedPerBlock && (buffers + more + reserved) * tileMost(blocks, 1) <= all;
}

void tilePipelineCopiesFirst(TilePipeline *p, MlirOperation loop) {
  int64_t buffers = p->sharedBytes, more = 0, blocks = blocksByRegisters(p, loop);
  if (!tileTargetHas(&p->target->info, TileFeature_CpAsync))
    return;
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(loop));
       op.ptr && !mlirOperationEqual(op, loop); op = next) {
    int64_t bytes = 0;
    next = mlirOperationGetNextInBlock(op);
    if (!canWait(op, loop) || tileFailed(tileScratchBytes(op, &p->target->info, &bytes)) || !bytes ||
        !fits(p, blocks, buffers, more + bytes))
      continue;
    more += bytes;
    mlirOperationMoveBefore(op, loop);
  }
}
