/* CombineMemory.c - pointers, masks and loads whose elements are replaced. */
#include "Combine.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"

static const MlirValue noValue = {NULL};

static bool isAll(MlirValue v, int64_t expected) {
  int64_t value;
  return v.ptr && tileValueConstantInt(v, &value) && (value & 1) == expected;
}

/* a + b in the type of both, if that is the sum of the two as numbers. */
static MlirValue sumOfOffsets(TileBuilder b, MlirLocation loc, MlirValue x, MlirValue y) {
  MlirType type = mlirValueGetType(x), element = tileTypeGetElement(type);
  unsigned bits = mlirIntegerTypeGetWidth(element);
  int64_t p, q, sum;
  if (tileValueConstantInt(x, &p) && tileValueConstantInt(y, &q)) {
    bool overflows = __builtin_add_overflow(p, q, &sum);
    if (bits < 64 && (overflows || sum < -(INT64_C(1) << (bits - 1)) || sum >= INT64_C(1) << (bits - 1)))
      return noValue;
    sum = (int64_t)((uint64_t)p + (uint64_t)q);
    return combineConstant(b, loc, type, mlirIntegerAttrGet(element, sum));
  }
  if (bits < 64) // i32 offsets are added as addresses of 64 bits: their own sum could wrap around
    return noValue;
  return arithAddIOpGetResult(arithAddIOpCreate(b, loc, type, x, y, (MlirAttribute){NULL}));
}

/* addptr (addptr p, x), y => addptr p, x + y */
MlirLogicalResult combineAddPtr(MlirOperation op, TileBuilder b, void *state) {
  TileAddPtrOp outer = tileAddPtrOpCast(op);
  TileAddPtrOp inner = tileAddPtrOpCast(tileValueGetDefiningOp(tileAddPtrOpGetPtr(outer)));
  if (tileAddPtrOpIsNull(inner) || !tileValueHasOneUse(tileAddPtrOpGetResult(inner)))
    return tileFailure();
  MlirValue x = tileAddPtrOpGetOffset(inner), y = tileAddPtrOpGetOffset(outer);
  if (!mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(y)))
    return tileFailure();
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue sum = sumOfOffsets(b, loc, x, y);
  if (!sum.ptr)
    return tileFailure();
  TileAddPtrOp whole = tileAddPtrOpCreate(b, loc, combineResultType(op), tileAddPtrOpGetPtr(inner), sum);
  tileCopyDiscardableAttrs(op, whole.op);
  return tileReplaceOp(b, op, tileAddPtrOpGetResult(whole));
}

/* The load with another mask and another value for masked elements. */
static MlirLogicalResult replaceLoad(TileBuilder b, MlirOperation replaced, TileLoadOp load, MlirValue mask,
                                     MlirValue other) {
  TileLoadOp n = tileLoadOpCreate(b, mlirOperationGetLocation(load.op), combineResultType(load.op),
                                  tileLoadOpGetPtr(load), mask, other, tileLoadOpGetCacheAttr(load),
                                  tileLoadOpGetEvictAttr(load), tileLoadOpGetIsVolatileAttr(load));
  tileCopyDiscardableAttrs(load.op, n.op);
  return tileReplaceOp(b, replaced, tileLoadOpGetResult(n));
}

/* A mask that is true everywhere masks nothing; what stands for masked elements is needed only with a mask.
 */
MlirLogicalResult combineLoad(MlirOperation op, TileBuilder b, void *state) {
  TileLoadOp load = tileLoadOpCast(op);
  MlirValue mask = tileLoadOpGetMask(load), other = tileLoadOpGetOther(load);
  if (isAll(mask, 1) || (!mask.ptr && other.ptr))
    return replaceLoad(b, op, load, noValue, noValue);
  if (other.ptr && combineProducer(other, TileOp_UB_Poison).ptr)
    return replaceLoad(b, op, load, mask, noValue);
  return tileFailure();
}

MlirLogicalResult combineStore(MlirOperation op, TileBuilder b, void *state) {
  TileStoreOp store = tileStoreOpCast(op);
  MlirValue mask = tileStoreOpGetMask(store);
  if (isAll(mask, 0)) {
    mlirRewriterBaseEraseOp(b, op);
    return tileSuccess();
  }
  if (!isAll(mask, 1))
    return tileFailure();
  TileStoreOp n =
      tileStoreOpCreate(b, mlirOperationGetLocation(op), tileStoreOpGetPtr(store), tileStoreOpGetValue(store),
                        noValue, tileStoreOpGetCacheAttr(store), tileStoreOpGetEvictAttr(store));
  tileCopyDiscardableAttrs(op, n.op);
  mlirRewriterBaseEraseOp(b, op);
  return tileSuccess();
}

MlirLogicalResult combineAtomic(MlirOperation op, TileBuilder b, void *state) {
  TileAtomicRMWOp rmw = tileAtomicRMWOpCast(op);
  if (!isAll(tileAtomicRMWOpGetMask(rmw), 1))
    return tileFailure();
  TileAtomicRMWOp n = tileAtomicRMWOpCreate(b, mlirOperationGetLocation(op), combineResultType(op),
                                            tileAtomicRMWOpGetPtr(rmw), tileAtomicRMWOpGetValue(rmw), noValue,
                                            tileAtomicRMWOpGetKindAttr(rmw), tileAtomicRMWOpGetSemAttr(rmw),
                                            tileAtomicRMWOpGetScopeAttr(rmw));
  tileCopyDiscardableAttrs(op, n.op);
  return tileReplaceOp(b, op, tileAtomicRMWOpGetResult(n));
}

/* Whether `v` can be used in front of `op`: it is made before it, in the same block or one around it. */
static bool isBefore(MlirValue v, MlirOperation op) {
  bool argument = mlirValueIsABlockArgument(v);
  MlirBlock block = tileValueGetBlock(v);
  while (op.ptr && !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op.ptr && (argument || mlirOperationIsBeforeInBlock(mlirOpResultGetOwner(v), op));
}

/* Whether select's condition is the load's mask: the mask itself, or a scalar spread over it. */
static bool isMaskOf(MlirValue condition, MlirValue mask) {
  if (mlirValueEqual(condition, mask))
    return true;
  TileSplatOp splat = tileSplatOpCast(tileValueGetDefiningOp(mask));
  return !tileSplatOpIsNull(splat) && mlirValueEqual(tileSplatOpGetSrc(splat), condition);
}

/* select m, (load p mask m), x => load p mask m other x. The load keeps its place: stores may stand between
 * the two. */
MlirLogicalResult combineSelectOfLoad(MlirOperation op, TileBuilder b, void *state) {
  ArithSelectOp select = arithSelectOpCast(op);
  MlirValue loaded = arithSelectOpGetTrueValue(select), other = arithSelectOpGetFalseValue(select);
  TileLoadOp load = tileLoadOpCast(tileValueGetDefiningOp(loaded));
  if (tileLoadOpIsNull(load) || !tileValueHasOneUse(loaded) || tileLoadOpGetIsVolatile(load))
    return tileFailure();
  MlirValue mask = tileLoadOpGetMask(load);
  if (!mask.ptr || !isMaskOf(arithSelectOpGetCondition(select), mask))
    return tileFailure();
  MlirAttribute constant = tileValueConstantNumber(other);
  if (!constant.ptr && !isBefore(other, load.op))
    return tileFailure();
  mlirRewriterBaseSetInsertionPointBefore(b, load.op);
  if (!isBefore(other, load.op))
    other = combineConstant(b, mlirOperationGetLocation(op), mlirValueGetType(other), constant);
  return replaceLoad(b, op, load, mask, other);
}

/* assume true, assert true */
MlirLogicalResult combineTrueCondition(MlirOperation op, TileBuilder b, void *state) {
  if (!isAll(mlirOperationGetOperand(op, 0), 1))
    return tileFailure();
  mlirRewriterBaseEraseOp(b, op);
  return tileSuccess();
}
