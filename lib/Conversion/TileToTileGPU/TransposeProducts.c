/* TransposeProducts.c - products whose columns fit warp groups and whose rows do not are computed transposed.
 *
 *   %r = scf.for ... iter_args(%acc = %zero) {
 *     %d = tile.dot %x, %y, %acc : tensor<80x64xf16> * tensor<64x128xf16> -> tensor<80x128xf32>
 *     scf.yield %d
 *   }
 * becomes
 *   %t = scf.for ... iter_args(%acc = %zero') {
 *     %d = tile.dot %yt, %xt, %acc : tensor<128x64xf16> * tensor<64x80xf16> -> tensor<128x80xf32>
 *     scf.yield %d
 *   }
 *   %r = tile.trans %t order = [1, 0]
 * A warp group's instruction has 64 rows and any multiple of 8 columns: 80 rows would be padded to 128, as columns they are what they
 * are. Sums stay transposed around the loop, where it costs nothing; what is stored then goes through shared memory by transposing
 * stores. Only for the one use of a loop's sum that starts from a constant, with factors that come through descriptors. */
#include "Cut.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Bits.h"

typedef struct Transposed {
  MlirOperation dot, loop;
  intptr_t sum; ///< number of the loop's sum
} Transposed;

/* What a factor is the transpose of, or null. */
static MlirValue untransposed(MlirValue factor) {
  TileTransOp trans = tileTransOpCast(tileValueGetDefiningOp(factor));
  return tileTransOpIsNull(trans) || mlirShapedTypeGetRank(mlirValueGetType(factor)) != 2 ||
                 mlirDenseI32ArrayGetElement(tileTransOpGetOrderAttr(trans), 0) != 1
             ? (MlirValue){NULL}
             : tileTransOpGetSrc(trans);
}

static bool isLoaded(MlirValue factor) {
  MlirValue source = untransposed(factor);
  MlirOperation op = tileValueGetDefiningOp(source.ptr ? source : factor);
  return op.ptr && tileOpKind(op) == TileOp_Tile_DescLoad;
}

/* Of the part that a block of the cluster has (CutRows.c). */
static bool hasOddRows(MlirOperation loop, MlirType type) {
  const int64_t blocks = tileMost(tileGetIntAttr(loop, "tile.blocks", 1), 1),
                columnBlocks = tileMost(tileGetIntAttr(loop, "tile.column_blocks", 1), 1);
  int64_t shape[2];
  return tileTypeGetShape(type, shape, 2) == 2 && shape[0] % blocks == 0 && shape[1] % columnBlocks == 0 &&
         tileWarpGroupSuitsTransposed(shape[0] / blocks, shape[1] / columnBlocks);
}

static bool isSplat(MlirValue v) {
  ArithConstantOp constant = arithConstantOpCast(tileValueGetDefiningOp(v));
  MlirAttribute value =
      arithConstantOpIsNull(constant) ? (MlirAttribute){NULL} : arithConstantOpGetValueAttr(constant);
  return value.ptr && mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value);
}

static bool read(MlirOperation op, Transposed *out) {
  TileDotOp dot = tileDotOpCast(op);
  SCFForOp loop = scfForOpCast(mlirOperationGetParentOperation(op));
  if (scfForOpIsNull(loop) || !hasOddRows(loop.op, mlirValueGetType(tileDotOpGetResult(dot))) ||
      !isLoaded(tileDotOpGetA(dot)) || !isLoaded(tileDotOpGetB(dot)))
    return false;
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirValue sum = tileDotOpGetC(dot);
  MlirOperation yield = mlirBlockGetTerminator(body);
  if (!mlirValueIsABlockArgument(sum) || tileValueGetBlock(sum).ptr != body.ptr ||
      tileValueOnlyUser(sum).ptr != op.ptr || tileValueOnlyUser(tileDotOpGetResult(dot)).ptr != yield.ptr)
    return false;
  *out = (Transposed){op, loop.op, mlirBlockArgumentGetArgNumber(sum) - 1};
  return out->sum >= 0 && mlirValueEqual(mlirOperationGetOperand(yield, out->sum), tileDotOpGetResult(dot)) &&
         isSplat(scfForOpGetInitArgs(loop, out->sum));
}

static MlirType turned(MlirType type) {
  const int64_t shape[2] = {mlirShapedTypeGetDimSize(type, 1), mlirShapedTypeGetDimSize(type, 0)};
  return mlirRankedTensorTypeGet(2, shape, tileTypeGetElement(type), mlirAttributeGetNull());
}

static MlirValue transpose(TileBuilder b, MlirValue v) {
  const int32_t order[2] = {1, 0};
  MlirValue source = untransposed(v);
  return source.ptr ? source
                    : tileTransOpGetResult(tileTransOpCreate(
                          b, mlirOperationGetLocation(tileValueGetDefiningOp(v)), turned(mlirValueGetType(v)),
                          v, mlirDenseI32ArrayGet(mlirTypeGetContext(mlirValueGetType(v)), 2, order)));
}

/* The number of the loop's operand that a sum starts from. */
static void startTransposed(TileBuilder b, SCFForOp loop, intptr_t sum) {
  MlirValue first = scfForOpGetInitArgs(loop, sum);
  MlirType type = turned(mlirValueGetType(first));
  MlirAttribute value = arithConstantOpGetValueAttr(arithConstantOpCast(tileValueGetDefiningOp(first)));
  mlirRewriterBaseSetInsertionPointBefore(b, loop.op);
  MlirValue zero = arithConstantOpGetResult(
      arithConstantOpCreate(b, mlirOperationGetLocation(loop.op), type,
                            mlirDenseElementsAttrSplatGet(type, mlirDenseElementsAttrGetSplatValue(value))));
  const intptr_t at = mlirOperationGetNumOperands(loop.op) - scfForOpGetNumInitArgs(loop) + sum;
  mlirOperationSetOperand(loop.op, at, zero);
  mlirValueSetType(mlirBlockGetArgument(mlirRegionGetFirstBlock(scfForOpGetRegion(loop)), sum + 1), type);
  mlirValueSetType(mlirOperationGetResult(loop.op, sum), type);
}

/* Blocks along the rows are blocks along the columns now. */
static void swapBlocks(MlirOperation loop) {
  const MlirStringRef names[2] = {tileStr("tile.blocks"), tileStr("tile.column_blocks")};
  MlirAttribute values[2];
  for (int i = 0; i < 2; ++i) {
    values[i] = mlirOperationGetDiscardableAttributeByName(loop, names[i]);
    if (values[i].ptr)
      mlirOperationRemoveDiscardableAttributeByName(loop, names[i]);
  }
  for (int i = 0; i < 2; ++i)
    if (values[i].ptr)
      mlirOperationSetDiscardableAttributeByName(loop, names[!i], values[i]);
}

static void rewrite(TileBuilder b, const Transposed *t) {
  TileDotOp dot = tileDotOpCast(t->dot);
  SCFForOp loop = scfForOpCast(t->loop);
  mlirRewriterBaseSetInsertionPointBefore(b, t->dot);
  MlirOperation other = mlirOperationClone(t->dot);
  mlirOperationSetOperand(other, 0, transpose(b, tileDotOpGetB(dot)));
  mlirOperationSetOperand(other, 1, transpose(b, tileDotOpGetA(dot)));
  mlirValueSetType(mlirOperationGetResult(other, 0), turned(mlirValueGetType(tileDotOpGetResult(dot))));
  mlirRewriterBaseInsert(b, other);
  mlirValueReplaceAllUsesOfWith(tileDotOpGetResult(dot), mlirOperationGetResult(other, 0));
  mlirRewriterBaseEraseOp(b, t->dot);
  swapBlocks(loop.op);
  startTransposed(b, loop, t->sum);
  MlirValue left = mlirOperationGetResult(loop.op, t->sum);
  mlirRewriterBaseSetInsertionPointAfter(b, loop.op);
  const int32_t order[2] = {1, 0};
  TileTransOp back =
      tileTransOpCreate(b, mlirOperationGetLocation(loop.op), turned(mlirValueGetType(left)), left,
                        mlirDenseI32ArrayGet(mlirOperationGetContext(loop.op), 2, order));
  mlirValueReplaceAllUsesExcept(left, tileTransOpGetResult(back), 1, &back.op);
}

void transposeProducts(MlirOperation module, int numWarps) {
  TileArena arena = {0};
  TilePointerList dots = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileCollectOps(module, TileOp_Tile_Dot, MlirWalkPreOrder, &dots);
  for (size_t i = 0; numWarps % 4 == 0 && i < dots.count; ++i) {
    Transposed t;
    if (read((MlirOperation){(void *)dots.items[i]}, &t))
      rewrite(b, &t);
  }
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
}
