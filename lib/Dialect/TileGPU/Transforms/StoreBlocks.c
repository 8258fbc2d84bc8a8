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
 * In a loop, where factors of the next block come while this one leaves, a block of more than a third of the shared memory leaves
 * in parts, through a buffer of the size of one:
 *   %m = tile_gpu.alloc
 *   tile_gpu.local_store (the left half of %s), %m;  tile_gpu.fence_async %m;  tile_gpu.tma_store 2[%i, %j], %m
 *   tile_gpu.tma_store_wait %m
 *   tile_gpu.local_store (the right half of %s), %m;  ...  tile_gpu.tma_store 2[%i, %j + 128], %m
 *   tile_gpu.tma_store_wait %m
 *
 * requires: module attributes; before tile-gpu-expand-descriptors.
 * ensures: the same memory; other stores stay, and so do those of blocks larger than the shared memory. */
#include "StoreBlocks.h"
#include "MemoryRoots.h"
#include "TensorMaps.h"
#include "TmaCopies.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
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
  if (tileOpKind(op) == TileOp_TileGPU_BlockSum || tileOpKind(op) == TileOp_TileGPU_HandOn)
    return followsFromProduct(mlirOperationGetOperand(op, 0), depth + 1);
  if (!tileOpIsPure(op) || mlirOperationGetNumRegions(op))
    return false;
  const int64_t size = tileTypeNumElements(mlirValueGetType(v));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (tileTypeIsTensor(mlirValueGetType(operand)) &&
        (tileTypeNumElements(mlirValueGetType(operand)) == size || tileOpKind(op) == TileOp_Tile_Split) &&
        followsFromProduct(operand, depth + 1))
      return true;
  }
  return false;
}

bool tileFollowsFromProduct(MlirValue v) { return followsFromProduct(v, 0); }

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
  MlirValue desc, value, coordinates[TILE_MAX_RANK];
  intptr_t rank;
  bool adds;
} Store;

/* The matrix that was given more dimensions, of one element. */
static bool findMatrix(MlirValue *value) {
  MlirType matrix = tileBlockMatrix(mlirValueGetType(*value));
  TileReshapeOp reshape = tileReshapeOpCast(tileValueGetDefiningOp(*value));
  if (!matrix.ptr || mlirTypeEqual(matrix, mlirValueGetType(*value)))
    return matrix.ptr;
  if (tileReshapeOpIsNull(reshape) || !mlirTypeEqual(matrix, mlirValueGetType(tileReshapeOpGetSrc(reshape))))
    return false;
  *value = tileReshapeOpGetSrc(reshape);
  return true;
}

static bool readStore(MlirOperation op, Store *out) {
  TileDescStoreOp store = tileDescStoreOpCast(op);
  TileDescReduceOp reduce = tileDescReduceOpCast(op);
  out->adds = tileDescStoreOpIsNull(store);
  out->desc = out->adds ? tileDescReduceOpGetDesc(reduce) : tileDescStoreOpGetDesc(store);
  out->value = out->adds ? tileDescReduceOpGetValue(reduce) : tileDescStoreOpGetValue(store);
  out->rank = out->adds ? tileDescReduceOpGetNumCoords(reduce) : tileDescStoreOpGetNumCoords(store);
  if (out->rank < 2 || out->rank > TILE_MAX_RANK || !findMatrix(&out->value))
    return false;
  for (intptr_t i = 0; i < out->rank; ++i)
    out->coordinates[i] =
        out->adds ? tileDescReduceOpGetCoords(reduce, i) : tileDescStoreOpGetCoords(store, i);
  return !out->adds || (tileDescReduceOpGetKind(reduce) == TileDescReduceKind_Add &&
                        mlirTypeIsAF32(tileTypeGetElement(mlirValueGetType(out->value))));
}

// ---- Parts ----

typedef struct Writer {
  TileBuilder b;
  MlirContext context;
  MlirLocation loc;
  const TileTargetInfo *target;
} Writer;

static MlirType resized(MlirType like, intptr_t rank, const int64_t *shape) {
  return mlirRankedTensorTypeGet(rank, shape, tileTypeGetElement(like), mlirAttributeGetNull());
}

int tileStoreParts(const TileTargetInfo *target, MlirOperation store, MlirType block, int64_t beside) {
  int64_t shape[2];
  if (tileTypeGetShape(block, shape, 2) != 2 ||
      tileOpKind(mlirOperationGetParentOperation(store)) != TileOp_SCF_For)
    return 1;
  return tileTargetStoreParts(
      target, tileTypeNumElements(block) * (int64_t)tileElementTypeSize(tileElementTypeOf(block)), shape[1],
      beside);
}

/* Bytes of the blocks that tile-gpu-load-blocks brings for what is stored: those of the block it stands in. */
static int64_t bytesBeside(MlirOperation store) {
  int64_t bytes = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(store)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc &&
        mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.beside")).ptr)
      bytes += tileTmaBytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return bytes;
}

/* The left and the right half of the columns; in registers, where each thread has some of both. */
static void halve(const Writer *w, MlirValue v, MlirValue out[2]) {
  int64_t shape[2];
  MlirType type = mlirValueGetType(v);
  tileTypeGetShape(type, shape, 2);
  const int64_t pairs[3] = {shape[0], 2, shape[1] / 2}, last[3] = {shape[0], shape[1] / 2, 2};
  const int32_t order[3] = {0, 2, 1};
  MlirValue apart = tileReshapeOpGetResult(
      tileReshapeOpCreate(w->b, w->loc, resized(type, 3, pairs), v, mlirAttributeGetNull()));
  MlirValue turned = tileTransOpGetResult(tileTransOpCreate(w->b, w->loc, resized(type, 3, last), apart,
                                                            mlirDenseI32ArrayGet(w->context, 3, order)));
  TileSplitOp split = tileSplitOpCreate(w->b, w->loc, resized(type, 2, last), resized(type, 2, last), turned);
  out[0] = tileSplitOpGetLhs(split);
  out[1] = tileSplitOpGetRhs(split);
}

static void takeApart(const Writer *w, MlirValue v, int parts, MlirValue out[]) {
  MlirValue halves[2];
  if (parts == 1) {
    out[0] = v;
    return;
  }
  halve(w, v, halves);
  takeApart(w, halves[0], parts / 2, out);
  takeApart(w, halves[1], parts / 2, out + parts / 2);
}

static MlirValue columnAfter(const Writer *w, MlirValue column, int64_t by) {
  if (!by)
    return column;
  MlirType type = mlirValueGetType(column);
  MlirValue constant = tileCreateInteger(w->b, w->loc, type, by);
  return tileCreateOp2(w->b, w->loc, TileOp_Arith_AddI, column, constant);
}

static void writeParts(const Writer *w, const Store *store, MlirType buffer, int map, int parts,
                       const MlirValue *values) {
  MlirAttribute adds = store->adds ? mlirUnitAttrGet(w->context) : (MlirAttribute){NULL};
  MlirValue staged = tileGPUAllocOpGetResult(
      tileGPUAllocOpCreate(w->b, w->loc, buffer, parts == 1 ? values[0] : (MlirValue){NULL}));
  for (int i = 0; i < parts; ++i) {
    MlirValue at[TILE_MAX_RANK];
    for (intptr_t d = 0; d < store->rank; ++d)
      at[d] = store->coordinates[d];
    at[store->rank - 1] =
        columnAfter(w, at[store->rank - 1], i * mlirShapedTypeGetDimSize(mlirValueGetType(values[i]), 1));
    if (parts > 1)
      tileGPULocalStoreOpCreate(w->b, w->loc, values[i], staged);
    tileGPUFenceAsyncOpCreate(w->b, w->loc, 1, &staged);
    tileGPUTmaStoreOpCreate(w->b, w->loc, store->rank, at, staged, tileI32Attr(w->context, map), adds);
    tileGPUTmaStoreWaitOpCreate(w->b, w->loc, 1, &staged);
  }
}

static bool rewrite(Writer *w, MlirOperation op) {
  Store store;
  MlirType buffer;
  MlirValue values[TileTarget_MostStoreParts];
  if (tileBlockStartIsMarked(op) || !readStore(op, &store) ||
      !fits(w->target, mlirValueGetType(store.value)) || !tileFollowsFromProduct(store.value) ||
      !tileDescriptorIsStoredOnce(store.desc))
    return false;
  w->loc = mlirOperationGetLocation(op);
  mlirRewriterBaseSetInsertionPointBefore(w->b, op);
  const int parts =
      store.adds ? 1 : tileStoreParts(w->target, op, mlirValueGetType(store.value), bytesBeside(op));
  MlirType whole = mlirValueGetType(store.value), part = whole;
  if (parts > 1) {
    const int64_t shape[2] = {mlirShapedTypeGetDimSize(whole, 0), mlirShapedTypeGetDimSize(whole, 1) / parts};
    part = resized(whole, 2, shape);
  }
  const int map = tileTensorMapFor(store.desc, part, TileTensorMapUse_Store, &buffer);
  if (map < 0)
    return false;
  tileAssumeDescriptorSeparate(store.desc, true);
  takeApart(w, store.value, parts, values);
  writeParts(w, &store, buffer, map, parts, values);
  mlirRewriterBaseEraseOp(w->b, op);
  return true;
}

MlirLogicalResult tileGPUStoreBlocksRun(MlirOperation module, const TileGPUStoreBlocksParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_TMA))
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList stores = {.arena = &arena};
  MlirContext context = mlirOperationGetContext(module);
  Writer w = {.b = mlirIRRewriterCreate(context), .context = context, .target = &target.info};
  mlirOperationWalk(module, collect, &stores, MlirWalkPreOrder);
  for (size_t i = 0; i < stores.count; ++i)
    *params->numStores += rewrite(&w, (MlirOperation){(void *)stores.items[i]});
  mlirIRRewriterDestroy(w.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
