/* Arith.c - arithmetic of the arith dialect and its kin, by the rules of docs/spec/numerics.md. */
#include "tile-c/Dialect/Arith.h"
#include "Elementwise.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/OpKind.h"

#define ARGS                                                                                                 \
  TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x, MlirType result

MlirValue tileEmitDirect(ARGS) { return tileEmit(l, row->llvm, result, mlirOperationGetNumOperands(op), x); }

/* arith and llvm number their predicates alike. */
MlirValue tileEmitIntCompare(ARGS) {
  return tileEmitICmp(l, (LLVMICmpPredicate)arithCmpIOpGetPredicate(arithCmpIOpCast(op)), x[0], x[1]);
}
MlirValue tileEmitFloatCompare(ARGS) {
  return tileEmitFCmp(l, (LLVMFCmpPredicate)arithCmpFOpGetPredicate(arithCmpFOpCast(op)), x[0], x[1]);
}

/* An amount of the width or more gives 0, or all sign bits: LLVM leaves it undefined, so it is selected
 * unless known. */
MlirValue tileEmitShift(ARGS) {
  int64_t bits = tileTypeBits(result), amount;
  MlirValue last = tileEmitInt(l, result, bits - 1);
  if (tileValueConstantInt(mlirOperationGetOperand(op, 1), &amount) && amount >= 0 && amount < bits)
    return tileEmit2(l, row->llvm, x[0], x[1]);
  MlirValue inRange = tileEmitICmp(l, LLVMICmpPredicate_ule, x[1], last);
  MlirValue clamped = tileEmitSelect(l, inRange, x[1], last);
  MlirValue shifted = tileEmit2(l, row->llvm, x[0], clamped);
  return row->llvm == TileOp_LLVM_AShr ? shifted
                                       : tileEmitSelect(l, inRange, shifted, tileEmitInt(l, result, 0));
}

/* On AMD in 32 bits at least: without optimisation LLVM joins a narrower quotient and remainder to an operation that it
 * then cannot select. */
static MlirValue divide(TileLowering *l, TileOpKind kind, MlirValue x, MlirValue y) {
  MlirType type = mlirValueGetType(x), i32 = mlirIntegerTypeGet(l->context, 32);
  if (l->target->vendor != TileVendor_AMD || tileTypeBits(type) >= 32)
    return tileEmit2(l, kind, x, y);
  TileOpKind extend =
      kind == TileOp_LLVM_SDiv || kind == TileOp_LLVM_SRem ? TileOp_LLVM_SExt : TileOp_LLVM_ZExt;
  MlirValue wide = tileEmit2(l, kind, tileEmit1(l, extend, i32, x), tileEmit1(l, extend, i32, y));
  return tileEmit1(l, TileOp_LLVM_Trunc, type, wide);
}

/* Divisor 0 acts as 1. Signed: -1 is taken out too, since the smallest value divided by it is undefined in
 * LLVM. */
MlirValue tileEmitSignedDivide(ARGS) {
  bool remainder = row->llvm == TileOp_LLVM_SRem;
  int64_t divisor;
  if (tileTypeBits(result) == 1)
    return remainder ? tileEmitInt(l, result, 0) : x[0];
  if (tileValueConstantInt(mlirOperationGetOperand(op, 1), &divisor) && divisor != 0 && divisor != -1)
    return divide(l, row->llvm, x[0], x[1]);
  MlirValue one = tileEmitInt(l, result, 1), zero = tileEmitInt(l, result, 0);
  MlirValue above = tileEmit2(l, TileOp_LLVM_Add, x[1], one); /* 0 or 1 for divisors -1 and 0 */
  MlirValue special = tileEmitICmp(l, LLVMICmpPredicate_ule, above, one);
  MlirValue safe = divide(l, row->llvm, x[0], tileEmitSelect(l, special, one, x[1]));
  if (remainder)
    return safe;
  MlirValue minusOne = tileEmitICmp(l, LLVMICmpPredicate_eq, above, zero);
  return tileEmitSelect(l, minusOne, tileEmit2(l, TileOp_LLVM_Sub, zero, x[0]), safe);
}

MlirValue tileEmitUnsignedDivide(ARGS) {
  int64_t divisor;
  if (tileTypeBits(result) == 1)
    return row->llvm == TileOp_LLVM_URem ? tileEmitInt(l, result, 0) : x[0];
  if (tileValueConstantInt(mlirOperationGetOperand(op, 1), &divisor) && divisor != 0)
    return divide(l, row->llvm, x[0], x[1]);
  MlirValue one = tileEmitInt(l, result, 1);
  MlirValue isZero = tileEmitICmp(l, LLVMICmpPredicate_eq, x[1], tileEmitInt(l, result, 0));
  return divide(l, row->llvm, x[0], tileEmitSelect(l, isZero, one, x[1]));
}

MlirValue tileEmitFloatDivide(ARGS) {
  if (mlirTypeIsAF32(result) && !l->precise)
    return mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.normal")).ptr
               ? l->hooks->divideNormal(l, x[0], x[1])
               : l->hooks->divide(l, x[0], x[1]);
  return tileEmitPreciseDivide(l, row, op, x, result);
}

/* f16 and bf16 divide in f32: rounding the correctly rounded f32 quotient is right for them (24 >= 2 * 11 + 2
 * bits). */
MlirValue tileEmitPreciseDivide(ARGS) {
  (void)op;
  if (tileTypeBits(result) != 16)
    return tileEmit2(l, row->llvm, x[0], x[1]);
  MlirType f32 = mlirF32TypeGet(l->context);
  MlirValue wide = tileEmit2(l, row->llvm, tileEmit1(l, TileOp_LLVM_FPExt, f32, x[0]),
                             tileEmit1(l, TileOp_LLVM_FPExt, f32, x[1]));
  return tileEmit1(l, TileOp_LLVM_FPTrunc, result, wide);
}

MlirValue tileEmitAbsInt(ARGS) {
  (void)op, (void)row;
  MlirAttribute defined = mlirBoolAttrGet(l->context, 0);
  MlirAttribute zero = mlirIntegerAttrGet(mlirIntegerTypeGet(l->context, 1), 0);
  (void)defined;
  return llvmAbsOpGetRes(llvmAbsOpCreate(l->b, l->loc, result, x[0], zero));
}

static bool isConstant(MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  return op.ptr && tileOpKind(op) == TileOp_LLVM_Constant;
}

/* Whether the product of the op's operands is needed in its other half too, as random numbers do. */
static bool hasOtherHalf(MlirOperation op, TileOpKind kind) {
  enum { MOST_USES = 32 };
  const MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  int uses = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(tileValueConstantNumber(x).ptr ? y : x);
       !mlirOpOperandIsNull(use) && ++uses <= MOST_USES; use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpKind(user) != kind || !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op)))
      continue;
    const MlirValue a = mlirOperationGetOperand(user, 0), b = mlirOperationGetOperand(user, 1);
    if ((mlirValueEqual(a, x) && mlirValueEqual(b, y)) || (mlirValueEqual(a, y) && mlirValueEqual(b, x)))
      return true;
  }
  return false;
}

static bool isExtensionOf(MlirValue v, MlirValue of) {
  MlirOperation op = tileValueGetDefiningOp(v);
  return op.ptr && tileOpKind(op) == TileOp_LLVM_ZExt && mlirValueEqual(mlirOperationGetOperand(op, 0), of);
}

/* Whether a product is that of an extension and one of `y`: of a square x * x the extension itself is no second factor. */
static bool isTimes(MlirOperation product, MlirValue extension, MlirValue y) {
  for (intptr_t i = 0; i < 2; ++i)
    if (mlirValueEqual(mlirOperationGetOperand(product, i), extension))
      return isExtensionOf(mlirOperationGetOperand(product, 1 - i), y);
  return false;
}

/* The whole product of two registers without a sign: the one that there is in the block, or a new one. */
static MlirValue wholeProduct(TileLowering *l, MlirType wide, MlirValue x, MlirValue y) {
  MlirBlock block = mlirRewriterBaseGetInsertionBlock(l->b);
  for (MlirOpOperand use = mlirValueGetFirstUse(x); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation extension = mlirOpOperandGetOwner(use);
    if (tileOpKind(extension) != TileOp_LLVM_ZExt)
      continue;
    MlirOperation product = tileValueOnlyUser(mlirOperationGetResult(extension, 0));
    if (product.ptr && tileOpKind(product) == TileOp_LLVM_Mul &&
        mlirBlockEqual(mlirOperationGetBlock(product), block) &&
        isTimes(product, mlirOperationGetResult(extension, 0), y))
      return mlirOperationGetResult(product, 0);
  }
  return tileEmit2(l, TileOp_LLVM_Mul, tileEmit1(l, TileOp_LLVM_ZExt, wide, x),
                   tileEmit1(l, TileOp_LLVM_ZExt, wide, y));
}

/* Both halves of a product of 32 bits are one instruction on NVIDIA. */
static bool isWhole(TileLowering *l, MlirOperation op, TileOpKind other, MlirType result,
                    const MlirValue *x) {
  return l->hooks->mulHigh && tileTypeBits(result) == 32 && !(isConstant(x[0]) && isConstant(x[1])) &&
         hasOtherHalf(op, other);
}

MlirValue tileEmitMultiply(ARGS) {
  if (!isWhole(l, op, TileOp_Tile_MulhiUI, result, x))
    return tileEmitDirect(l, row, op, x, result);
  return tileEmit1(l, TileOp_LLVM_Trunc, result,
                   wholeProduct(l, mlirIntegerTypeGet(l->context, 64), x[0], x[1]));
}

/* The upper half of the product of twice the width. Of constants LLVM computes that one. */
MlirValue tileEmitMulHigh(ARGS) {
  const unsigned bits = tileTypeBits(result);
  const bool whole = row->llvm == TileOp_LLVM_ZExt && isWhole(l, op, TileOp_Arith_MulI, result, x);
  if (!whole && l->hooks->mulHigh && (bits == 32 || bits == 64) && !(isConstant(x[0]) && isConstant(x[1])))
    return l->hooks->mulHigh(l, row->llvm == TileOp_LLVM_SExt, x[0], x[1]);
  MlirType wide = mlirIntegerTypeGet(l->context, bits == 1 ? 8 : 2 * bits); /* not i2, which no chip has */
  MlirValue product = whole ? wholeProduct(l, wide, x[0], x[1])
                            : tileEmit2(l, TileOp_LLVM_Mul, tileEmit1(l, row->llvm, wide, x[0]),
                                        tileEmit1(l, row->llvm, wide, x[1]));
  MlirValue high = tileEmit2(l, TileOp_LLVM_LShr, product, tileEmitInt(l, wide, bits));
  return tileEmit1(l, TileOp_LLVM_Trunc, result, high);
}

/* max, then min. Without propagation numbers win, so that a NaN gives the lower bound. */
MlirValue tileEmitClampF(ARGS) {
  (void)row, (void)result;
  bool propagate = tileClampFOpGetPropagateNan(tileClampFOpCast(op)) == TilePropagateNan_All;
  MlirValue low = tileEmit2(l, propagate ? TileOp_LLVM_Maximum : TileOp_LLVM_MaxNum, x[0], x[1]);
  return tileEmit2(l, propagate ? TileOp_LLVM_Minimum : TileOp_LLVM_MinNum, low, x[2]);
}
