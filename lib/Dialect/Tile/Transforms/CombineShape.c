/* CombineShape.c - operations on shapes that meet each other; sums of matrix products. */
#include "Combine.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"

/* expand_dims, broadcast, reshape, trans of one value everywhere => splat of it */
MlirLogicalResult combineShapeOfSplat(MlirOperation op, TileBuilder b, void *state) {
  MlirOperation splat = combineProducer(mlirOperationGetOperand(op, 0), TileOp_Tile_Splat);
  if (!splat.ptr)
    return tileFailure();
  TileSplatOp n = tileSplatOpCreate(b, mlirOperationGetLocation(op), combineResultType(op),
                                    mlirOperationGetOperand(splat, 0));
  return tileReplaceOp(b, op, tileSplatOpGetResult(n));
}

/* reshape (expand_dims x) => reshape x: both keep the order of elements. */
MlirLogicalResult combineReshape(MlirOperation op, TileBuilder b, void *state) {
  TileReshapeOp reshape = tileReshapeOpCast(op);
  MlirOperation inner = combineProducer(tileReshapeOpGetSrc(reshape), TileOp_Tile_ExpandDims);
  if (!inner.ptr)
    return tileFailure();
  MlirValue x = mlirOperationGetOperand(inner, 0);
  if (mlirTypeEqual(mlirValueGetType(x), combineResultType(op)))
    return tileReplaceOp(b, op, x);
  TileReshapeOp n = tileReshapeOpCreate(b, mlirOperationGetLocation(op), combineResultType(op), x,
                                        tileReshapeOpGetAllowReorderAttr(reshape));
  tileCopyDiscardableAttrs(op, n.op);
  return tileReplaceOp(b, op, tileReshapeOpGetResult(n));
}

/* unsplat (reshape x), unsplat (expand_dims x) => unsplat x */
MlirLogicalResult combineUnsplat(MlirOperation op, TileBuilder b, void *state) {
  MlirOperation inner = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  if (!inner.ptr || (tileOpKind(inner) != TileOp_Tile_Reshape && tileOpKind(inner) != TileOp_Tile_ExpandDims))
    return tileFailure();
  TileUnsplatOp n = tileUnsplatOpCreate(b, mlirOperationGetLocation(op), combineResultType(op),
                                        mlirOperationGetOperand(inner, 0));
  return tileReplaceOp(b, op, tileUnsplatOpGetResult(n));
}

/* split (join x, y) => x, y */
MlirLogicalResult combineSplit(MlirOperation op, TileBuilder b, void *state) {
  MlirOperation join = combineProducer(mlirOperationGetOperand(op, 0), TileOp_Tile_Join);
  if (!join.ptr)
    return tileFailure();
  MlirValue both[] = {mlirOperationGetOperand(join, 0), mlirOperationGetOperand(join, 1)};
  mlirRewriterBaseReplaceOpWithValues(b, op, 2, both);
  return tileSuccess();
}

/* join (split x) => x */
MlirLogicalResult combineJoin(MlirOperation op, TileBuilder b, void *state) {
  MlirOperation split = combineProducer(mlirOperationGetOperand(op, 0), TileOp_Tile_Split);
  if (!split.ptr || !mlirValueEqual(mlirOperationGetOperand(op, 0), mlirOperationGetResult(split, 0)) ||
      !mlirValueEqual(mlirOperationGetOperand(op, 1), mlirOperationGetResult(split, 1)))
    return tileFailure();
  return tileReplaceOp(b, op, mlirOperationGetOperand(split, 0));
}

/* A product onto zero that only `sum` uses, in its block, whose accumulator is as wide as the sum. */
static TileDotOp plainDot(MlirOperation sum, MlirValue v) {
  TileDotOp dot = tileDotOpCast(tileValueGetDefiningOp(v));
  TileElementType element = tileElementTypeOf(mlirValueGetType(v));
  bool wide =
      element == TileElementType_F32 || element == TileElementType_F64 || element == TileElementType_I32;
  if (tileDotOpIsNull(dot) || !wide || !tileValueHasOneUse(v) || !tileValueIsZero(tileDotOpGetC(dot)) ||
      tileDotOpGetImpreciseAcc(dot) != 0 ||
      !mlirBlockEqual(mlirOperationGetBlock(dot.op), mlirOperationGetBlock(sum)))
    return (TileDotOp){{NULL}};
  return dot;
}

/* Whether a value follows from a tensor that the loop with this body carries, or from another product. */
static bool followsFromSum(MlirBlock body, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!tileTypeIsTensor(mlirValueGetType(v)))
    return false;
  if (!op.ptr)
    return mlirBlockEqual(tileValueGetBlock(v), body);
  if (depth > 12 || mlirOperationGetNumRegions(op) || tileOpKind(op) == TileOp_Tile_Dot)
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (followsFromSum(body, mlirOperationGetOperand(op, i), depth + 1))
      return true;
  return false;
}

static bool isLoad(MlirOperation op) {
  return tileOpKind(op) == TileOp_Tile_Load || tileOpKind(op) == TileOp_Tile_DescLoad;
}

/* What an iteration computes element by element for a product of its own, or loads (a bias of scores), is better had beside the
 * product than in front of it. */
static bool isBias(MlirOperation sum, MlirValue addend) {
  MlirOperation op = tileValueGetDefiningOp(addend);
  return op.ptr &&
         (tileOpIsElementwise(op) ||
          (isLoad(op) && mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(sum)))) &&
         !tileValueConstantNumber(addend).ptr &&
         tileOpKind(mlirOperationGetParentOperation(sum)) == TileOp_SCF_For &&
         !followsFromSum(mlirOperationGetBlock(sum), addend, 0);
}

/* add (dot x, y, 0), z => dot x, y, z */
MlirLogicalResult combineAddOfDot(MlirOperation op, TileBuilder b, void *state) {
  intptr_t side = 0;
  TileDotOp dot = plainDot(op, mlirOperationGetOperand(op, 0));
  if (tileDotOpIsNull(dot))
    dot = plainDot(op, mlirOperationGetOperand(op, side = 1));
  if (tileDotOpIsNull(dot) || isBias(op, mlirOperationGetOperand(op, 1 - side)))
    return tileFailure();
  TileDotOp n = tileDotOpCreate(b, mlirOperationGetLocation(dot.op), combineResultType(op),
                                tileDotOpGetA(dot), tileDotOpGetB(dot), mlirOperationGetOperand(op, 1 - side),
                                tileDotOpGetPrecisionAttr(dot), tileDotOpGetImpreciseAccAttr(dot));
  tileCopyDiscardableAttrs(dot.op, n.op);
  return tileReplaceOp(b, op, tileDotOpGetResult(n));
}
