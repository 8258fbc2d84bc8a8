/* DropFences.c - fences between threads' stores to shared memory and the async proxy (wgmma, the copy engine) that another fence
 * makes needless.
 *
 *   %q = tile_gpu.alloc %t;  tile_gpu.fence_async %q
 *   scf.for ... { tile_gpu.async_wait 1;  tile_gpu.fence_async;  tile.barrier
 *                 tile_gpu.fence_async %m;  %s = tile_gpu.wgmma %q, %m, %c }
 * becomes
 *   %q = tile_gpu.alloc %t
 *   scf.for ... { tile_gpu.async_wait 1;  tile_gpu.fence_async;  tile.barrier;  %s = tile_gpu.wgmma %q, %m, %c }
 *
 * A fence orders all that its thread has stored, or knows of by a barrier, before what comes behind it (PTX ISA, memory
 * consistency model, proxies): one is needless if nothing was stored since the last one, or if another one comes before any use. */
#include "DropFences.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/SharedAccess.h"

enum { Stores = 1, Uses = 2 };

static bool hasScratch(MlirOperation op) {
  return mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.scratch")).ptr != NULL;
}

/* What an op without regions does: stores of its threads, and what lets the async proxy read or write, or tells others that they may. */
static int effectsOf(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_TileGPU_Wgmma:
  case TileOp_TileGPU_TmaCopy:
  case TileOp_TileGPU_TmaStore:
  case TileOp_TileGPU_MBarrierArrive:
    return Uses;
  case TileOp_TileGPU_Alloc:
    return tileGPUAllocOpGetInit(tileGPUAllocOpCast(op)).ptr ? Stores : 0;
  case TileOp_TileGPU_LocalStore:
  case TileOp_TileGPU_AsyncWait: /* what was copied by threads has landed */
    return Stores;
  case TileOp_TileGPU_AsyncCopy:
  case TileOp_TileGPU_AsyncCommit:
  case TileOp_TileGPU_WgmmaWait:
  case TileOp_TileGPU_LocalLoad:
  case TileOp_TileGPU_ShiftedLoad:
  case TileOp_TileGPU_Index:
  case TileOp_Tile_Barrier:
  case TileOp_SCF_Yield:
  case TileOp_Func_Return:
    return 0;
  case TileOp_Tile_Load:
  case TileOp_Tile_Store:
  case TileOp_Tile_Reduce:
  case TileOp_Tile_Scan:
    return hasScratch(op) ? Stores : 0;
  default:
    return !tileOpIsPure(op) ? Stores | Uses : hasScratch(op) ? Stores : 0;
  }
}

static bool isFence(MlirOperation op) { return tileOpKind(op) == TileOp_TileGPU_FenceAsync; }
static bool isBranch(MlirOperation op) {
  return tileOpKind(op) == TileOp_SCF_If || tileOpKind(op) == TileOp_SCF_IndexSwitch;
}
static MlirBlock blockOf(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}
/* Reductions have a region too, which does nothing to memory. */
static bool isFlow(MlirOperation op) {
  return isBranch(op) || tileOpKind(op) == TileOp_SCF_For || tileOpKind(op) == TileOp_SCF_While ||
         tileOpKind(op) == TileOp_TileGPU_Producer;
}

// ---- Nothing was stored since the last one ----

/* Whether there are stores with no fence behind them, at the end of a block. */
static bool dropClean(TileBuilder b, MlirBlock block, bool isDirty) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (isFence(op)) {
      if (!isDirty)
        mlirRewriterBaseEraseOp(b, op);
      isDirty = false;
    } else if (isFlow(op)) {
      bool after = isDirty;
      for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
        if (blockOf(op, i).ptr)
          after |= dropClean(b, blockOf(op, i), isDirty || !isBranch(op));
      isDirty = after;
    } else {
      isDirty |= (effectsOf(op) & Stores) != 0;
    }
  }
  return isDirty;
}

// ---- Another one comes before any use ----

typedef enum Ahead { Ahead_Nothing, Ahead_Fence, Ahead_Use } Ahead;

static Ahead aheadIn(MlirOperation op);

/* What comes first, from an op to the end of its block. */
static Ahead aheadOf(MlirOperation op) {
  Ahead found = Ahead_Nothing;
  for (; op.ptr && !found; op = mlirOperationGetNextInBlock(op))
    found = aheadIn(op);
  return found;
}

static Ahead aheadIn(MlirOperation op) {
  bool all = isBranch(op);
  if (!isFlow(op))
    return isFence(op) ? Ahead_Fence : effectsOf(op) & Uses ? Ahead_Use : Ahead_Nothing;
  if (tileOpKind(op) != TileOp_SCF_For && !isBranch(op))
    return Ahead_Use;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    const Ahead one =
        blockOf(op, i).ptr ? aheadOf(mlirBlockGetFirstOperation(blockOf(op, i))) : Ahead_Nothing;
    if (one == Ahead_Use)
      return Ahead_Use;
    all &= one == Ahead_Fence;
  }
  return all ? Ahead_Fence : Ahead_Nothing;
}

static void dropCovered(TileBuilder b, MlirBlock block, bool isFunction) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    for (intptr_t i = 0; isFlow(op) && i < mlirOperationGetNumRegions(op); ++i)
      if (blockOf(op, i).ptr)
        dropCovered(b, blockOf(op, i), false);
    const Ahead ahead = isFence(op) ? aheadOf(next) : Ahead_Use;
    if (ahead == Ahead_Fence || (isFunction && ahead == Ahead_Nothing))
      mlirRewriterBaseEraseOp(b, op);
  }
}

void tileDropFences(TileBuilder b, MlirBlock entry) {
  (void)dropClean(b, entry, false);
  dropCovered(b, entry, true);
}
