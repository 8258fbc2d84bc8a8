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
 */
#include "DeferStores.h"
#include "tile-c/Dialect/TileGPU.h"

static MlirWalkResult countStores(MlirOperation op, void *user) {
  *(int *)user += tileOpKind(op) == TileOp_TileGPU_TmaStore;
  return MlirWalkResultAdvance;
}

static MlirOperation findIn(MlirBlock block, TileOpKind kind) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (op.ptr && tileOpKind(op) != kind)
    op = mlirOperationGetNextInBlock(op);
  return op;
}

MlirValue tileDeferStore(TileBuilder b, SCFForOp loop) {
  const MlirValue no = {NULL};
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirOperation store = findIn(body, TileOp_TileGPU_TmaStore),
                wait = findIn(body, TileOp_TileGPU_TmaStoreWait);
  int stores = 0;
  mlirOperationWalk(loop.op, countStores, &stores, MlirWalkPreOrder);
  if (stores != 1 || !store.ptr || !wait.ptr || mlirOperationGetNumOperands(wait) != 1)
    return no;
  MlirValue buffer = tileGPUTmaStoreOpGetSource(tileGPUTmaStoreOpCast(store));
  TileGPUAllocOp alloc = tileGPUAllocOpCast(tileValueGetDefiningOp(buffer));
  if (tileGPUAllocOpIsNull(alloc) || !tileGPUAllocOpGetInit(alloc).ptr ||
      mlirOperationGetBlock(alloc.op).ptr != body.ptr ||
      !mlirValueEqual(mlirOperationGetOperand(wait, 0), buffer))
    return no;
  MlirLocation loc = mlirOperationGetLocation(store);
  mlirRewriterBaseSetInsertionPointBefore(b, loop.op);
  MlirValue made =
      tileGPUAllocOpGetResult(tileGPUAllocOpCreate(b, loc, mlirValueGetType(buffer), (MlirValue){NULL}));
  mlirRewriterBaseSetInsertionPointBefore(b, alloc.op);
  tileGPUTmaStoreWaitOpCreate(b, loc, 1, &made);
  tileGPULocalStoreOpCreate(b, loc, tileGPUAllocOpGetInit(alloc), made);
  mlirRewriterBaseSetInsertionPointAfter(b, loop.op);
  tileGPUTmaStoreWaitOpCreate(b, loc, 1, &made);
  mlirRewriterBaseEraseOp(b, wait);
  mlirValueReplaceAllUsesOfWith(buffer, made);
  mlirRewriterBaseEraseOp(b, alloc.op);
  return made;
}
