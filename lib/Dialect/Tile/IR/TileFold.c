/* TileFold.c - folders of the tile dialect: constants through shape operations, and operations that change
 * nothing.
 *
 *   %c = arith.constant 1.0 : f32
 *   %s = tile.splat %c : tensor<128x1xf32>
 *   %b = tile.broadcast %s : tensor<128x1xf32> -> tensor<128x64xf32>
 * becomes
 *   %b = arith.constant dense<1.0> : tensor<128x64xf32>
 *
 * A folder gets the constant value of each operand (null if unknown) and returns whether it found a value or
 * a constant; the operation's own result as the value means that the operation was changed in place. */
#include "TileVerify.h"
#include "tile-c/OpKind.h"

static bool foldToValue(MlirValue value, TileFoldResult *out) { return out->value = value, true; }
static bool foldToAttribute(MlirAttribute attribute, TileFoldResult *out) {
  return out->attribute = attribute, true;
}

static MlirValue operandOf(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static MlirType resultType(MlirOperation op) { return typeOf(mlirOperationGetResult(op, 0)); }

/* The op does nothing: its result has the type of its first operand and may replace it. */
static bool foldIdentity(MlirOperation op, TileFoldResult *out) {
  MlirValue src = operandOf(op, 0);
  return mlirTypeEqual(typeOf(src), resultType(op)) && foldToValue(src, out);
}

static bool isDense(MlirAttribute a) { return a.ptr && mlirAttributeIsADenseElements(a); }

/* The op moves elements only: of one value, they are that value in the result's type. */
static bool foldSplat(MlirOperation op, MlirAttribute src, TileFoldResult *out) {
  if (!isDense(src) || !mlirDenseElementsAttrIsSplat(src))
    return false;
  MlirAttribute value = mlirDenseElementsAttrGetSplatValue(src);
  return foldToAttribute(mlirDenseElementsAttrSplatGet(resultType(op), value), out);
}

/* The op keeps the row-major order of elements. */
static bool foldReshaped(MlirOperation op, MlirAttribute src, TileFoldResult *out) {
  if (foldSplat(op, src, out))
    return true;
  return isDense(src) && foldToAttribute(mlirDenseElementsAttrReshapeGet(src, resultType(op)), out);
}

/* The op that makes the first operand, if it is of this kind; null otherwise. */
static MlirOperation producerOf(MlirOperation op, TileOpKind kind) {
  MlirOperation producer = tileValueGetDefiningOp(operandOf(op, 0));
  return producer.ptr && tileOpKind(producer) == kind ? producer : (MlirOperation){NULL};
}

/* Lets the op read its producer's operand instead of its producer. */
static bool foldSkipping(MlirOperation op, MlirOperation producer, TileFoldResult *out) {
  mlirOperationSetOperand(op, 0, operandOf(producer, 0));
  return foldToValue(mlirOperationGetResult(op, 0), out);
}

// ---- shapes ----

bool tileSplatOpFold(TileSplatOp o, const MlirAttribute *operands, TileFoldResult *out) {
  MlirAttribute scalar = operands[0];
  if (!scalar.ptr || !(mlirAttributeIsAInteger(scalar) || mlirAttributeIsAFloat(scalar)))
    return false;
  return foldToAttribute(mlirDenseElementsAttrSplatGet(resultType(o.op), scalar), out);
}

bool tileUnsplatOpFold(TileUnsplatOp o, const MlirAttribute *operands, TileFoldResult *out) {
  MlirOperation splat = producerOf(o.op, TileOp_Tile_Splat);
  if (splat.ptr)
    return foldToValue(operandOf(splat, 0), out);
  MlirAttribute src = operands[0];
  return isDense(src) && mlirDenseElementsAttrIsSplat(src) &&
         foldToAttribute(mlirDenseElementsAttrGetSplatValue(src), out);
}

bool tileMakeRangeOpFold(TileMakeRangeOp o, const MlirAttribute *operands, TileFoldResult *out) {
  int64_t start = tileMakeRangeOpGetStart(o);
  if (tileMakeRangeOpGetEnd(o) - start != 1)
    return false;
  return foldToAttribute(mlirDenseElementsAttrSplatGet(resultType(o.op), tileMakeRangeOpGetStartAttr(o)),
                         out);
}

bool tileExpandDimsOpFold(TileExpandDimsOp o, const MlirAttribute *operands, TileFoldResult *out) {
  return foldReshaped(o.op, operands[0], out);
}

bool tileBroadcastOpFold(TileBroadcastOp o, const MlirAttribute *operands, TileFoldResult *out) {
  if (foldIdentity(o.op, out) || foldSplat(o.op, operands[0], out))
    return true;
  MlirOperation inner = producerOf(o.op, TileOp_Tile_Broadcast);
  return inner.ptr && foldSkipping(o.op, inner, out);
}

bool tileReshapeOpFold(TileReshapeOp o, const MlirAttribute *operands, TileFoldResult *out) {
  if (foldIdentity(o.op, out) || foldReshaped(o.op, operands[0], out))
    return true;
  MlirOperation inner = producerOf(o.op, TileOp_Tile_Reshape);
  bool reorders = inner.ptr && tileReshapeOpGetAllowReorder(tileReshapeOpCast(inner));
  if (!inner.ptr || (reorders && !tileReshapeOpGetAllowReorder(o)))
    return false;
  return foldSkipping(o.op, inner, out);
}

static bool isIdentityOrder(TileTransOp o) {
  for (intptr_t i = 0; i < tileTransOpGetNumOrder(o); ++i)
    if (tileTransOpGetOrder(o, i) != i)
      return false;
  return true;
}

bool tileTransOpFold(TileTransOp o, const MlirAttribute *operands, TileFoldResult *out) {
  if ((isIdentityOrder(o) && foldIdentity(o.op, out)) || foldSplat(o.op, operands[0], out))
    return true;
  TileTransOp inner = tileTransOpCast(producerOf(o.op, TileOp_Tile_Trans));
  intptr_t rank = tileTransOpGetNumOrder(o);
  if (tileTransOpIsNull(inner) || rank > TileVerify_MaxRank)
    return false;
  int32_t order[TileVerify_MaxRank];
  for (intptr_t i = 0; i < rank; ++i)
    order[i] = (int32_t)tileTransOpGetOrder(inner, tileTransOpGetOrder(o, i));
  tileTransOpSetOrderAttr(o, mlirDenseI32ArrayGet(mlirOperationGetContext(o.op), rank, order));
  return foldSkipping(o.op, inner.op, out);
}

// ---- casts ----

/* A cast of a cast from the result's own type gives the value from before both. */
static bool foldRoundTrip(MlirOperation op, TileOpKind inverse, TileFoldResult *out) {
  MlirOperation inner = producerOf(op, inverse);
  return inner.ptr && mlirTypeEqual(typeOf(operandOf(inner, 0)), resultType(op)) &&
         foldToValue(operandOf(inner, 0), out);
}

bool tileIntToPtrOpFold(TileIntToPtrOp o, const MlirAttribute *operands, TileFoldResult *out) {
  return foldRoundTrip(o.op, TileOp_Tile_PtrToInt, out);
}

bool tilePtrToIntOpFold(TilePtrToIntOp o, const MlirAttribute *operands, TileFoldResult *out) {
  return foldRoundTrip(o.op, TileOp_Tile_IntToPtr, out);
}

bool tileBitcastOpFold(TileBitcastOp o, const MlirAttribute *operands, TileFoldResult *out) {
  if (foldIdentity(o.op, out))
    return true;
  MlirOperation inner = producerOf(o.op, TileOp_Tile_Bitcast);
  return inner.ptr && foldSkipping(o.op, inner, out);
}

bool tileFpToFpOpFold(TileFpToFpOp o, const MlirAttribute *operands, TileFoldResult *out) {
  return foldIdentity(o.op, out);
}

// ---- memory ----

static bool isAll(MlirAttribute a, int64_t expected) {
  int64_t value;
  return a.ptr && tileAttrIsSplatInt(a, &value) && (value & 1) == expected;
}

bool tileAddPtrOpFold(TileAddPtrOp o, const MlirAttribute *operands, TileFoldResult *out) {
  int64_t offset;
  return operands[1].ptr && tileAttrIsSplatInt(operands[1], &offset) && offset == 0 &&
         foldToValue(tileAddPtrOpGetPtr(o), out);
}

/* Nothing is read where the mask is false. */
bool tileLoadOpFold(TileLoadOp o, const MlirAttribute *operands, TileFoldResult *out) {
  MlirValue other = tileLoadOpGetOther(o);
  return other.ptr && !tileLoadOpGetIsVolatile(o) && isAll(operands[1], 0) && foldToValue(other, out);
}
