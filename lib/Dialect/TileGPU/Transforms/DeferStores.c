/* DeferStores.c - copies out of a buffer that go on while the loop around them continues.
 *
 *   scf.for ... {
 *     %m = tile_gpu.alloc %h
 *     tile_gpu.fence_async %m
 *     tile_gpu.tma_store 2[%i, %j], %m
 *     tile_gpu.tma_store_wait %m
 * becomes
 *   %m = tile_gpu.alloc
 *   scf.for ... {
 *     tile_gpu.tma_store_wait %m
 *     tile_gpu.local_store %h, %m
 *     tile_gpu.fence_async %m
 *     tile_gpu.tma_store 2[%i, %j], %m
 *   }
 *   tile_gpu.tma_store_wait %m
 *
 * With several buffers, those of the iteration before are waited for at once: the engine does not say which of its copies are over. A
 * buffer that is filled several times in an iteration keeps its waits in between. */
#include "DeferStores.h"
#include "tile-c/Dialect/TileGPU.h"

/* A buffer that the loop's body fills and the engine copies. */
typedef struct Deferred {
  MlirOperation alloc, lastWait, firstStore; ///< firstStore: null if the alloc fills the buffer
  int copies;
} Deferred;

static MlirWalkResult countStores(MlirOperation op, void *user) {
  *(int *)user += tileOpKind(op) == TileOp_TileGPU_TmaStore;
  return MlirWalkResultAdvance;
}

static bool uses(MlirOperation op, MlirValue v) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(op, i), v))
      return true;
  return false;
}

static intptr_t countUses(MlirValue v) {
  intptr_t n = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    ++n;
  return n;
}

/* Filled, copied and, at last, waited for by itself, all of it in the block of the alloc. */
static bool readDeferred(MlirOperation alloc, Deferred *out) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  intptr_t seen = 0;
  *out = (Deferred){.alloc = alloc};
  MlirOperation last = {NULL};
  for (MlirOperation op = mlirOperationGetNextInBlock(alloc); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    const TileOpKind kind = tileOpKind(op);
    if (!uses(op, buffer))
      continue;
    ++seen;
    last = op;
    out->copies += kind == TileOp_TileGPU_TmaStore;
    if (kind == TileOp_TileGPU_LocalStore && !out->firstStore.ptr)
      out->firstStore = op;
  }
  out->lastWait = last;
  return out->copies && seen == countUses(buffer) && tileOpKind(last) == TileOp_TileGPU_TmaStoreWait &&
         mlirOperationGetNumOperands(last) == 1 &&
         (tileGPUAllocOpGetInit(tileGPUAllocOpCast(alloc)).ptr || out->firstStore.ptr);
}

static int collect(MlirBlock body, Deferred out[TileDefer_MaxStores]) {
  int n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_Alloc && n < TileDefer_MaxStores && readDeferred(op, &out[n]))
      ++n;
  return n;
}

/* The buffer in front of the loop; *inout_waits is where all are waited for. */
static MlirValue defer(TileBuilder b, SCFForOp loop, const Deferred *d, MlirOperation *inout_waits) {
  TileGPUAllocOp alloc = tileGPUAllocOpCast(d->alloc);
  MlirLocation loc = mlirOperationGetLocation(d->lastWait);
  MlirValue init = tileGPUAllocOpGetInit(alloc), buffer = tileGPUAllocOpGetResult(alloc);
  MlirOperation filled = d->firstStore;
  mlirRewriterBaseSetInsertionPointBefore(b, loop.op);
  MlirValue made =
      tileGPUAllocOpGetResult(tileGPUAllocOpCreate(b, loc, mlirValueGetType(buffer), (MlirValue){NULL}));
  if (init.ptr) {
    mlirRewriterBaseSetInsertionPointBefore(b, d->alloc);
    filled = tileGPULocalStoreOpCreate(b, loc, init, made).op;
  }
  if (!inout_waits->ptr)
    *inout_waits = filled;
  mlirRewriterBaseSetInsertionPointBefore(b, *inout_waits);
  tileGPUTmaStoreWaitOpCreate(b, loc, 1, &made);
  mlirRewriterBaseSetInsertionPointAfter(b, loop.op);
  tileGPUTmaStoreWaitOpCreate(b, loc, 1, &made);
  mlirRewriterBaseEraseOp(b, d->lastWait);
  mlirValueReplaceAllUsesOfWith(buffer, made);
  mlirRewriterBaseEraseOp(b, d->alloc);
  return made;
}

int tileDeferStores(TileBuilder b, SCFForOp loop, MlirValue out[TileDefer_MaxStores]) {
  Deferred found[TileDefer_MaxStores];
  int stores = 0, copies = 0;
  MlirOperation waits = {NULL};
  const int n = collect(mlirRegionGetFirstBlock(scfForOpGetRegion(loop)), found);
  mlirOperationWalk(loop.op, countStores, &stores, MlirWalkPreOrder);
  for (int i = 0; i < n; ++i)
    copies += found[i].copies;
  if (copies != stores)
    return 0;
  for (int i = 0; i < n; ++i)
    out[i] = defer(b, loop, &found[i], &waits);
  return n;
}
