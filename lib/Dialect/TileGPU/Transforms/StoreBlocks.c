/* StoreBlocks.c - tile-gpu-store-blocks: the copy engine stores blocks of sums.
 *
 *   %s = tile.dot ...
 *   %h = arith.truncf %s
 *   tile.desc_store %c[%i, %j], %h
 * becomes, for a descriptor that is a parameter and has no other use (the engine keeps no order between stores),
 *   %m = tile_gpu.alloc %h
 *   tile_gpu.fence_async %m
 *   tile_gpu.tma_store 2[%i, %j], %m
 *   tile_gpu.tma_store_wait
 *
 * `tile.desc_reduce add` of f32 becomes a store with `add`.
 *
 * requires: module attributes; before tile-gpu-expand-descriptors.
 * ensures: the same memory; other stores stay, and so do those of blocks larger than the shared memory. */
#include "MemoryRoots.h"
#include "TensorMaps.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

static bool isProduct(MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  return kind == TileOp_Tile_Dot || kind == TileOp_TileGPU_Wgmma || kind == TileOp_TileGPU_WgmmaWait;
}

/* Whether a value follows from a product, one element from one element, through loops too. */
static bool followsFromProduct(MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || depth > 16)
    return false;
  if (isProduct(op))
    return true;
  if (tileOpKind(op) == TileOp_SCF_For) {
    MlirOperation yield =
        mlirBlockGetTerminator(mlirRegionGetFirstBlock(scfForOpGetRegion(scfForOpCast(op))));
    return followsFromProduct(mlirOperationGetOperand(yield, mlirOpResultGetResultNumber(v)), depth + 1);
  }
  if (tileOpKind(op) == TileOp_TileGPU_BlockSum)
    return followsFromProduct(mlirOperationGetOperand(op, 0), depth + 1);
  if (!tileOpIsPure(op) || mlirOperationGetNumRegions(op))
    return false;
  const int64_t size = tileTypeNumElements(mlirValueGetType(v));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (tileTypeIsTensor(mlirValueGetType(operand)) &&
        tileTypeNumElements(mlirValueGetType(operand)) == size && followsFromProduct(operand, depth + 1))
      return true;
  }
  return false;
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_Tile_DescStore || tileOpKind(op) == TileOp_Tile_DescReduce)
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

static bool fits(const TileTargetInfo *target, MlirType block) {
  return tileTypeNumElements(block) * (int64_t)tileElementTypeSize(tileElementTypeOf(block)) <=
         target->sharedPerBlock;
}

/* A block that is stored, or added to what is there: the engine adds f32 as the other atomics do. */
typedef struct Store {
  MlirValue desc, value, coordinates[2];
  bool adds;
} Store;

static bool readStore(MlirOperation op, Store *out) {
  TileDescStoreOp store = tileDescStoreOpCast(op);
  TileDescReduceOp reduce = tileDescReduceOpCast(op);
  out->adds = tileDescStoreOpIsNull(store);
  out->desc = out->adds ? tileDescReduceOpGetDesc(reduce) : tileDescStoreOpGetDesc(store);
  out->value = out->adds ? tileDescReduceOpGetValue(reduce) : tileDescStoreOpGetValue(store);
  if ((out->adds ? tileDescReduceOpGetNumCoords(reduce) : tileDescStoreOpGetNumCoords(store)) != 2)
    return false;
  for (intptr_t i = 0; i < 2; ++i)
    out->coordinates[i] =
        out->adds ? tileDescReduceOpGetCoords(reduce, i) : tileDescStoreOpGetCoords(store, i);
  return !out->adds || (tileDescReduceOpGetKind(reduce) == TileDescReduceKind_Add &&
                        mlirTypeIsAF32(tileTypeGetElement(mlirValueGetType(out->value))));
}

static bool rewrite(TileBuilder b, const TileTargetInfo *target, MlirOperation op) {
  Store store;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirContext context = mlirOperationGetContext(op);
  if (!readStore(op, &store) || !fits(target, mlirValueGetType(store.value)) ||
      !followsFromProduct(store.value, 0) || !tileDescriptorIsStoredOnce(store.desc))
    return false;
  MlirType buffer;
  const int map = tileTensorMapFor(store.desc, mlirValueGetType(store.value), &buffer);
  if (map < 0)
    return false;
  tileAssumeDescriptorSeparate(store.desc, true);
  mlirRewriterBaseSetInsertionPointBefore(b, op);
  MlirValue staged = tileGPUAllocOpGetResult(tileGPUAllocOpCreate(b, loc, buffer, store.value));
  tileGPUFenceAsyncOpCreate(b, loc, 1, &staged);
  tileGPUTmaStoreOpCreate(b, loc, 2, store.coordinates, staged, tileI32Attr(context, map),
                          store.adds ? mlirUnitAttrGet(context) : (MlirAttribute){NULL});
  tileGPUTmaStoreWaitOpCreate(b, loc, 1, &staged);
  mlirRewriterBaseEraseOp(b, op);
  return true;
}

MlirLogicalResult tileGPUStoreBlocksRun(MlirOperation module, const TileGPUStoreBlocksParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_TMA))
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList stores = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  mlirOperationWalk(module, collect, &stores, MlirWalkPreOrder);
  for (size_t i = 0; i < stores.count; ++i)
    *params->numStores += rewrite(b, &target.info, (MlirOperation){(void *)stores.items[i]});
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
