/* CombineMinMax.c - rewrites of tile-combine: comparisons and selects that are a minimum or a maximum.
 *
 * before:  %c = arith.cmpi sgt, %a, %b : i32
 *          %m = arith.select %c, %a, %b : i32
 * after:   %m = arith.maxsi %a, %b : i32
 *
 * In a reduction over floats, as PyTorch's compiler writes it:
 *
 * before:  %c = arith.cmpf ogt, %a, %b : f32
 *          %n = arith.cmpf une, %a, %a : f32
 *          %o = arith.ori %c, %n : i1
 *          %m = arith.select %o, %a, %b : f32
 * after:   %m = arith.maximumf %a, %b : f32
 *
 * One instruction instead of four, and a known op: its operands may be swapped, and it has a neutral element. Between
 * zeros of both signs the comparison decides for the one that happens to be second, in any order; maximumf for +0. So
 * this is for reductions only. */
#include "Combine.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"

static bool same(MlirOperation op, MlirValue x, MlirValue y) {
  return mlirValueEqual(mlirOperationGetOperand(op, 0), x) &&
         mlirValueEqual(mlirOperationGetOperand(op, 1), y);
}

static TileOpKind integerKind(ArithCmpIPredicate predicate) {
  switch (predicate) {
  case ArithCmpIPredicate_sgt:
  case ArithCmpIPredicate_sge:
    return TileOp_Arith_MaxSI;
  case ArithCmpIPredicate_slt:
  case ArithCmpIPredicate_sle:
    return TileOp_Arith_MinSI;
  case ArithCmpIPredicate_ugt:
  case ArithCmpIPredicate_uge:
    return TileOp_Arith_MaxUI;
  case ArithCmpIPredicate_ult:
  case ArithCmpIPredicate_ule:
    return TileOp_Arith_MinUI;
  default:
    return TileOp_None;
  }
}

/* What the kind becomes if the select takes the operands the other way round. */
static TileOpKind opposite(TileOpKind kind) {
  switch (kind) {
  case TileOp_Arith_MaxSI:
    return TileOp_Arith_MinSI;
  case TileOp_Arith_MinSI:
    return TileOp_Arith_MaxSI;
  case TileOp_Arith_MaxUI:
    return TileOp_Arith_MinUI;
  case TileOp_Arith_MinUI:
    return TileOp_Arith_MaxUI;
  default:
    return TileOp_None;
  }
}

/* select (x > y), x, y => max x, y */
MlirLogicalResult combineSelectOfCompare(MlirOperation op, TileBuilder b, void *state) {
  ArithSelectOp select = arithSelectOpCast(op);
  ArithCmpIOp compare = arithCmpIOpCast(tileValueGetDefiningOp(arithSelectOpGetCondition(select)));
  if (arithCmpIOpIsNull(compare))
    return tileFailure();
  MlirValue x = arithSelectOpGetTrueValue(select), y = arithSelectOpGetFalseValue(select);
  TileOpKind kind = integerKind(arithCmpIOpGetPredicate(compare));
  if (!same(compare.op, x, y))
    kind = same(compare.op, y, x) ? opposite(kind) : TileOp_None;
  if (kind == TileOp_None || mlirValueEqual(x, y))
    return tileFailure();
  return tileReplaceOp(b, op, tileCreateOp2(b, mlirOperationGetLocation(op), kind, x, y));
}

static bool isNaNTest(MlirValue v, MlirValue x) {
  ArithCmpFOp test = arithCmpFOpCast(tileValueGetDefiningOp(v));
  if (arithCmpFOpIsNull(test) || !same(test.op, x, x))
    return false;
  ArithCmpFPredicate predicate = arithCmpFOpGetPredicate(test);
  return predicate == ArithCmpFPredicate_UNE || predicate == ArithCmpFPredicate_UNO;
}

/* Of a comparison of x with y that decides for x where it is true. */
static TileOpKind floatKind(MlirValue v, MlirValue x, MlirValue y) {
  ArithCmpFOp compare = arithCmpFOpCast(tileValueGetDefiningOp(v));
  if (arithCmpFOpIsNull(compare) || !same(compare.op, x, y))
    return TileOp_None;
  switch (arithCmpFOpGetPredicate(compare)) {
  case ArithCmpFPredicate_OGT:
  case ArithCmpFPredicate_OGE:
    return TileOp_Arith_MaximumF;
  case ArithCmpFPredicate_OLT:
  case ArithCmpFPredicate_OLE:
    return TileOp_Arith_MinimumF;
  default:
    return TileOp_None;
  }
}

/* reduce by select (x > y or x is NaN), x, y => reduce by maximumf */
MlirLogicalResult combineReduceOfSelects(MlirOperation op, TileBuilder b, void *state) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation yield = mlirBlockGetTerminator(body);
  ArithSelectOp select = arithSelectOpCast(tileValueGetDefiningOp(mlirOperationGetOperand(yield, 0)));
  if (mlirOperationGetNumOperands(op) != 1 || arithSelectOpIsNull(select))
    return tileFailure();
  MlirValue x = arithSelectOpGetTrueValue(select), y = arithSelectOpGetFalseValue(select);
  MlirValue first = mlirBlockGetArgument(body, 0), second = mlirBlockGetArgument(body, 1);
  bool both = (mlirValueEqual(x, first) && mlirValueEqual(y, second)) ||
              (mlirValueEqual(x, second) && mlirValueEqual(y, first));
  MlirOperation either = combineProducer(arithSelectOpGetCondition(select), TileOp_Arith_OrI);
  TileOpKind kind = TileOp_None;
  for (int i = 0; i < 2 && both && either.ptr && kind == TileOp_None; ++i)
    if (isNaNTest(mlirOperationGetOperand(either, 1 - i), x))
      kind = floatKind(mlirOperationGetOperand(either, i), x, y);
  if (kind == TileOp_None)
    return tileFailure();
  mlirRewriterBaseSetInsertionPointBefore(b, yield);
  MlirValue by = tileCreateOp2(b, mlirOperationGetLocation(select.op), kind, x, y);
  mlirOperationSetOperand(yield, 0, by);
  return tileSuccess();
}
