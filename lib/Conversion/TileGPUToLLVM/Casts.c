/* Casts.c - conversions between integers, floats and pointers, by the rules of docs/spec/numerics.md. */
#include "Elementwise.h"
#include "tile-c/Dialect/Tile.h"

#define ARGS                                                                                                 \
  TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x, MlirType result

static TileElementType operandElement(MlirOperation op) {
  return tileElementTypeOf(mlirValueGetType(mlirOperationGetOperand(op, 0)));
}
static TileElementType resultElement(MlirOperation op) {
  return tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(op, 0)));
}
static bool isFloat8(TileElementType t) { return t >= TileElementType_F8E4M3FN; }

/* Any float to f32 or f64, exactly; f16, bf16 and f8 become f32. */
static MlirValue widen(TileLowering *l, TileElementType from, MlirValue x) {
  if (isFloat8(from))
    return tileEmitFloat8ToF32(l, from, x);
  return tileElementTypeBits(from) == 16 ? tileEmit1(l, TileOp_LLVM_FPExt, mlirF32TypeGet(l->context), x) : x;
}

MlirValue tileEmitOdd(TileLowering *l, MlirValue nearest, MlirValue isAbove, MlirValue isExact) {
  MlirType type = mlirValueGetType(nearest), integer = mlirIntegerTypeGet(l->context, tileTypeBits(type));
  MlirValue bits = tileEmitBitcast(l, nearest, integer);
  MlirValue down = tileEmit2(l, TileOp_LLVM_Sub, bits, tileEmit1(l, TileOp_LLVM_ZExt, integer, isAbove));
  MlirValue odd = tileEmit2(l, TileOp_LLVM_Or, down, tileEmitInt(l, integer, 1));
  return tileEmitBitcast(l, tileEmitSelect(l, isExact, bits, odd), type);
}

MlirValue tileEmitRoundToOdd(TileLowering *l, MlirValue x) {
  MlirType f64 = mlirF64TypeGet(l->context), f32 = mlirF32TypeGet(l->context);
  MlirValue nearest = tileEmit1(l, TileOp_LLVM_FPTrunc, f32, x);
  MlirValue back = tileEmit1(l, TileOp_LLVM_FPExt, f64, nearest);
  MlirValue isExact = tileEmitFCmp(l, LLVMFCmpPredicate_ueq, back, x); /* NaN counts as exact */
  MlirValue isAbove = tileEmitFCmp(l, LLVMFCmpPredicate_ogt, tileEmit1(l, TileOp_LLVM_FAbs, f64, back),
                                   tileEmit1(l, TileOp_LLVM_FAbs, f64, x));
  return tileEmitOdd(l, nearest, isAbove, isExact);
}

/* Toward zero: nearest, then one step back where that grew the magnitude (infinity becomes the largest
 * number). */
static MlirValue stepBack(TileLowering *l, MlirValue x, MlirValue nearest, MlirType result) {
  MlirType wide = mlirValueGetType(x), bits = mlirIntegerTypeGet(l->context, tileTypeBits(result));
  MlirValue back = tileEmit1(l, TileOp_LLVM_FPExt, wide, nearest);
  MlirValue grew = tileEmitFCmp(l, LLVMFCmpPredicate_ogt, tileEmit1(l, TileOp_LLVM_FAbs, wide, back),
                                tileEmit1(l, TileOp_LLVM_FAbs, wide, x));
  MlirValue code = tileEmitBitcast(l, nearest, bits);
  MlirValue less = tileEmit2(l, TileOp_LLVM_Sub, code, tileEmitInt(l, bits, 1));
  return tileEmitBitcast(l, tileEmitSelect(l, grew, less, code), result);
}

/* f32 or f64 to any narrower float (or f32 to f32), rounded once. */
static MlirValue narrow(TileLowering *l, MlirValue x, TileElementType to, MlirType result, bool towardZero) {
  if (mlirTypeEqual(mlirValueGetType(x), result))
    return x;
  bool fromF64 = tileTypeBits(mlirValueGetType(x)) == 64, half = tileTypeBits(result) <= 16;
  if (fromF64 && half)
    x = tileEmitRoundToOdd(l, x); /* also right for rounding toward zero */
  if (isFloat8(to))
    return tileEmitF32ToFloat8(l, to, x, towardZero);
  MlirValue nearest = tileEmit1(l, TileOp_LLVM_FPTrunc, result, x);
  return towardZero ? stepBack(l, x, nearest, result) : nearest;
}

MlirValue tileEmitFloatConvert(TileLowering *l, TileElementType from, TileElementType to, MlirValue x,
                               MlirType result, bool towardZero) {
  if (from == to)
    return x;
  MlirValue wide = widen(l, from, x);
  if (to == TileElementType_F64)
    return tileTypeBits(mlirValueGetType(wide)) == 64 ? wide : tileEmit1(l, TileOp_LLVM_FPExt, result, wide);
  return narrow(l, wide, to, result, towardZero);
}

MlirValue tileEmitExtF(ARGS) {
  (void)row;
  return tileEmitFloatConvert(l, operandElement(op), resultElement(op), x[0], result, false);
}
MlirValue tileEmitTruncF(ARGS) {
  (void)row;
  return tileEmitFloatConvert(l, operandElement(op), resultElement(op), x[0], result, false);
}
MlirValue tileEmitFpToFp(ARGS) {
  (void)row;
  bool towardZero = tileFpToFpOpGetRounding(tileFpToFpOpCast(op)) == TileRounding_RTZ;
  return tileEmitFloatConvert(l, operandElement(op), resultElement(op), x[0], result, towardZero);
}

/* Saturates to i32 (i64 for 64-bit results), NaN gives 0, then wraps. */
MlirValue tileEmitFloatToInt(ARGS) {
  bool isSigned = row->llvm == TileOp_LLVM_FPToSI;
  unsigned bits = tileTypeBits(result);
  MlirValue source = widen(l, operandElement(op), x[0]);
  MlirType wide = mlirIntegerTypeGet(l->context, bits == 64 ? 64 : 32);
  MlirValue v = tileEmitIntrinsic(l, isSigned ? "llvm.fptosi.sat" : "llvm.fptoui.sat", wide, 1, &source);
  return bits < 32 ? tileEmit1(l, TileOp_LLVM_Trunc, result, v) : v;
}

/* i64 to a value with the same rounding to 16 bits or fewer that f64 holds exactly: where the magnitude needs
 * more than 53 bits, the low 11 are folded into one sticky bit. */
static MlirValue stickyI64(TileLowering *l, TileOpKind kind, MlirValue v) {
  MlirType i64 = mlirIntegerTypeGet(l->context, 64);
  MlirValue never = tileEmitInt(l, mlirIntegerTypeGet(l->context, 1), 0), low = tileEmitInt(l, i64, 0x7FF);
  MlirValue lost = tileEmit2(l, TileOp_LLVM_Add, tileEmit2(l, TileOp_LLVM_And, v, low), low);
  MlirValue folded = tileEmit2(l, TileOp_LLVM_And, tileEmit2(l, TileOp_LLVM_Or, v, lost),
                               tileEmitInt(l, i64, ~INT64_C(0x7FF)));
  MlirValue magnitude =
      kind == TileOp_LLVM_SIToFP ? tileEmitIntrinsic(l, "llvm.abs", i64, 2, (MlirValue[]){v, never}) : v;
  MlirValue small = tileEmitICmp(l, LLVMICmpPredicate_ult, magnitude, tileEmitInt(l, i64, INT64_C(1) << 53));
  return tileEmitSelect(l, small, v, folded);
}

MlirValue tileEmitIntToFloat(ARGS) {
  enum { F32_BITS = 24 };
  unsigned from = tileTypeBits(mlirValueGetType(x[0]));
  if (tileTypeBits(result) > 16)
    return tileEmit1(l, row->llvm, result, x[0]);
  const bool isSmall =
      row->llvm == TileOp_LLVM_SIToFP && tileKnownBits(mlirOperationGetOperand(op, 0)) <= F32_BITS;
  if (from == 64 && isSmall)
    x = (MlirValue[]){tileEmit1(l, TileOp_LLVM_Trunc, mlirIntegerTypeGet(l->context, 32), x[0])};
  if (from <= 16 || isSmall) /* exact in f32 */
    return narrow(l, tileEmit1(l, row->llvm, mlirF32TypeGet(l->context), x[0]), resultElement(op), result,
                  false);
  MlirValue v = from == 64 ? stickyI64(l, row->llvm, x[0]) : x[0];
  MlirValue exact = tileEmit1(l, row->llvm, mlirF64TypeGet(l->context), v);
  return narrow(l, exact, resultElement(op), result, false);
}

/* Same bits, other type. Pointers have no bits of a number: int_to_ptr and ptr_to_int are for them. */
MlirValue tileEmitBits(ARGS) {
  (void)op, (void)row;
  return tileEmitBitcast(l, x[0], result);
}

/* index is i64 here. */
MlirValue tileEmitIndexCast(ARGS) {
  (void)op;
  unsigned from = tileTypeBits(mlirValueGetType(x[0])), to = tileTypeBits(result);
  if (from == to)
    return x[0];
  return tileEmit1(l, from < to ? row->llvm : TileOp_LLVM_Trunc, result, x[0]);
}

/* The offset counts elements, signed; getelementptr extends it to the pointer's width. */
MlirValue tileEmitAddPtr(ARGS) {
  (void)row;
  MlirType pointer = tileTypeGetElement(mlirValueGetType(mlirOperationGetResult(op, 0)));
  MlirType element = tileMemoryType(l, tileLowerElementType(l, tilePtrTypeGetPointee(pointer)));
  int32_t dynamic = INT32_MIN;
  return llvmGEPOpGetRes(llvmGEPOpCreate(l->b, l->loc, result, x[0], 1, &x[1],
                                         mlirDenseI32ArrayGet(l->context, 1, &dynamic),
                                         mlirTypeAttrGet(element)));
}
