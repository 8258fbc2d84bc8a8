/* ReadDirectly.c - conversions of vectors that come from buffers; what stands in front of copies. */
#include "ReadDirectly.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUMatrix.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"

static MlirWalkResult collect(MlirOperation op, void *user) {
  TileGPUConvertLayoutOp convert = tileGPUConvertLayoutOpCast(op);
  if (!tileGPUConvertLayoutOpIsNull(convert)) {
    MlirValue source = tileGPUConvertLayoutOpGetSource(convert);
    MlirOperation load = tileValueGetDefiningOp(source);
    if (load.ptr && tileOpKind(load) == TileOp_TileGPU_LocalLoad && tileValueHasOneUse(source) &&
        mlirShapedTypeGetRank(mlirValueGetType(source)) == 1)
      tilePointerListAppend(user, op.ptr);
  }
  return MlirWalkResultAdvance;
}

void tileReadVectorsDirectly(TileBuilder b, MlirOperation module) {
  TileArena arena = {0};
  TilePointerList converts = {.arena = &arena};
  mlirOperationWalk(module, collect, &converts, MlirWalkPreOrder);
  for (size_t i = 0; i < converts.count; ++i) {
    MlirOperation convert = {(void *)converts.items[i]};
    MlirOperation load = tileValueGetDefiningOp(mlirOperationGetOperand(convert, 0));
    MlirValue result = mlirOperationGetResult(convert, 0);
    mlirRewriterBaseSetInsertionPointBefore(b, load);
    MlirValue direct = tileGPULocalLoadOpGetResult(tileGPULocalLoadOpCreate(
        b, mlirOperationGetLocation(load), mlirValueGetType(result), mlirOperationGetOperand(load, 0)));
    mlirValueReplaceAllUsesOfWith(result, direct);
    mlirRewriterBaseEraseOp(b, convert);
    mlirRewriterBaseEraseOp(b, load);
  }
  tileArenaRelease(&arena);
}

/* The view that a vector is read through, of a buffer from outside of the block; null if it is no such read. */
static MlirOperation viewOfVector(MlirBlock body, MlirOperation op) {
  MlirOperation none = {NULL};
  if (tileOpKind(op) != TileOp_TileGPU_LocalLoad ||
      mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(op, 0))) != 1)
    return none;
  MlirOperation view = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  if (!view.ptr || tileOpKind(view) != TileOp_TileGPU_Index ||
      !mlirBlockEqual(mlirOperationGetBlock(view), body))
    return none;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(view); ++i) {
    MlirOperation def = tileValueGetDefiningOp(mlirOperationGetOperand(view, i));
    if (def.ptr && mlirBlockEqual(mlirOperationGetBlock(def), body))
      return none;
  }
  return view;
}

void tileReadVectorsFirst(MlirBlock body) {
  MlirOperation copy = {NULL}, next;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    const TileOpKind kind = tileOpKind(op);
    if (kind == TileOp_TileGPU_AsyncCopy && !copy.ptr)
      copy = op;
    // Behind these other data may be meant.
    if (kind == TileOp_TileGPU_LocalStore || kind == TileOp_TileGPU_AsyncWait || kind == TileOp_Tile_Barrier)
      copy = (MlirOperation){NULL};
    MlirOperation view = copy.ptr ? viewOfVector(body, op) : copy;
    if (!view.ptr)
      continue;
    mlirOperationMoveBefore(view, copy);
    mlirOperationMoveBefore(op, copy);
  }
}

/* Measured with factors of bytes that ldmatrix transposes: blocks of eight warps 4 to 6 % faster, of four, two of which share a
 * multiprocessor, 1 to 4 % slower; of bytes along K, which other reads bring, 10 % slower. */
static bool isAloneAndPaired(MlirOperation product) {
  enum { ALONE = 8 };
  TileMatrixChoice c;
  return tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(tileGPUMmaOpCast(product)), &c) && c.paired &&
         c.warps[0] * c.warps[1] * (c.rank == 3 ? c.warps[2] : 1) >= ALONE;
}

void tileCopiesBehindProduct(MlirBlock body) {
  enum { MOST = 32 };
  MlirOperation copies[MOST], product = {NULL};
  int n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr && !product.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    const TileOpKind kind = tileOpKind(op);
    if (kind == TileOp_TileGPU_AsyncWait || kind == TileOp_Tile_Barrier || kind == TileOp_TileGPU_LocalStore)
      return;
    if (kind == TileOp_TileGPU_Mma)
      product = op;
    else if (kind == TileOp_TileGPU_AsyncCopy || kind == TileOp_TileGPU_AsyncCommit) {
      if (n == MOST)
        return;
      copies[n++] = op;
    }
  }
  while (product.ptr && isAloneAndPaired(product) && n-- > 0)
    mlirOperationMoveAfter(copies[n], product);
}
