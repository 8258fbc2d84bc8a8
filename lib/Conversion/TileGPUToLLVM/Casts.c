/* Casts.c - conversions between integers, floats and pointers, by the rules of docs/spec/numerics.md. */
#include "Elementwise.h"
#include "tile-c/Dialect/Tile.h"

#define ARGS                                                                                                 \
  TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x, MlirType result

/* Saturates to i32 (i64 for 64-bit results), NaN gives 0, then wraps. */
MlirValue tileEmitFloatToInt(ARGS) {
  (void)op;
  bool isSigned = row->llvm == TileOp_LLVM_FPToSI;
  unsigned bits = tileTypeBits(result);
  MlirValue source = x[0];
  if (tileTypeBits(mlirValueGetType(source)) == 16)
    source = tileEmit1(l, TileOp_LLVM_FPExt, mlirF32TypeGet(l->context), source);
  MlirType wide = mlirIntegerTypeGet(l->context, bits == 64 ? 64 : 32);
  MlirValue v = tileEmitIntrinsic(l, isSigned ? "llvm.fptosi.sat" : "llvm.fptoui.sat", wide, 1, &source);
  return bits < 32 ? tileEmit1(l, TileOp_LLVM_Trunc, result, v) : v;
}

/* An odd f32: toward zero, with the last bit set if anything was lost; rounding it again to 16 bits is then
 * correct. */
static MlirValue makeOdd(TileLowering *l, MlirValue nearest, MlirValue isAbove, MlirValue isExact) {
  MlirType i32 = mlirIntegerTypeGet(l->context, 32), f32 = mlirF32TypeGet(l->context);
  MlirValue bits = tileEmitBitcast(l, nearest, i32);
  MlirValue down = tileEmit2(l, TileOp_LLVM_Sub, bits, tileEmit1(l, TileOp_LLVM_ZExt, i32, isAbove));
  MlirValue odd = tileEmit2(l, TileOp_LLVM_Or, down, tileEmitI32(l, 1));
  return tileEmitBitcast(l, tileEmitSelect(l, isExact, bits, odd), f32);
}

MlirValue tileEmitRoundToOdd(TileLowering *l, MlirValue x) {
  MlirType f64 = mlirF64TypeGet(l->context), f32 = mlirF32TypeGet(l->context);
  MlirValue nearest = tileEmit1(l, TileOp_LLVM_FPTrunc, f32, x);
  MlirValue back = tileEmit1(l, TileOp_LLVM_FPExt, f64, nearest);
  MlirValue isExact = tileEmitFCmp(l, LLVMFCmpPredicate_ueq, back, x); /* NaN counts as exact */
  MlirValue isAbove = tileEmitFCmp(l, LLVMFCmpPredicate_ogt, tileEmit1(l, TileOp_LLVM_FAbs, f64, back),
                                   tileEmit1(l, TileOp_LLVM_FAbs, f64, x));
  return makeOdd(l, nearest, isAbove, isExact);
}

/* i32 and i64 to f16 and bf16 must not round twice: through an f64 (exact for i32) made odd in f32; i64 keeps
 * its low bits as a sticky bit first. */
static MlirValue intToNarrowFloat(TileLowering *l, TileOpKind kind, MlirValue v, MlirType result) {
  MlirType f64 = mlirF64TypeGet(l->context), i64 = mlirIntegerTypeGet(l->context, 64);
  if (tileTypeBits(mlirValueGetType(v)) == 64) {
    MlirValue low = tileEmit2(l, TileOp_LLVM_And, v, tileEmitInt(l, i64, 0x7FF));
    MlirValue sticky = tileEmit2(l, TileOp_LLVM_Add, low, tileEmitInt(l, i64, 0x7FF));
    MlirValue folded = tileEmit2(l, TileOp_LLVM_And, tileEmit2(l, TileOp_LLVM_Or, v, sticky),
                                 tileEmitInt(l, i64, ~INT64_C(0x7FF)));
    MlirType i1 = mlirIntegerTypeGet(l->context, 1);
    (void)i1;
    MlirValue magnitude =
        kind == TileOp_LLVM_SIToFP
            ? tileEmitIntrinsic(l, "llvm.abs", i64, 2,
                                (MlirValue[]){v, tileEmitInt(l, mlirIntegerTypeGet(l->context, 1), 0)})
            : v;
    MlirValue small =
        tileEmitICmp(l, LLVMICmpPredicate_ult, magnitude, tileEmitInt(l, i64, INT64_C(1) << 53));
    v = tileEmitSelect(l, small, v, folded);
  }
  MlirValue exact = tileEmit1(l, kind, f64, v);
  return tileEmit1(l, TileOp_LLVM_FPTrunc, result, tileEmitRoundToOdd(l, exact));
}

MlirValue tileEmitIntToFloat(ARGS) {
  (void)op;
  unsigned from = tileTypeBits(mlirValueGetType(x[0]));
  if (tileTypeBits(result) != 16)
    return tileEmit1(l, row->llvm, result, x[0]);
  if (from <= 16) /* exact in f32 */
    return tileEmit1(l, TileOp_LLVM_FPTrunc, result,
                     tileEmit1(l, row->llvm, mlirF32TypeGet(l->context), x[0]));
  return intToNarrowFloat(l, row->llvm, x[0], result);
}

MlirValue tileEmitExtF(ARGS) {
  (void)op;
  return tileEmit1(l, row->llvm, result, x[0]);
}

MlirValue tileEmitTruncF(ARGS) {
  (void)op;
  if (tileTypeBits(mlirValueGetType(x[0])) == 64 && tileTypeBits(result) == 16)
    return tileEmit1(l, TileOp_LLVM_FPTrunc, result, tileEmitRoundToOdd(l, x[0]));
  return tileEmit1(l, row->llvm, result, x[0]);
}

MlirValue tileEmitFpToFp(ARGS) {
  static const TileElementwiseRow narrow = {tileEmitTruncF, TileOp_LLVM_FPTrunc, false};
  (void)row;
  unsigned from = tileTypeBits(mlirValueGetType(x[0])), to = tileTypeBits(result);
  if (mlirTypeEqual(mlirValueGetType(x[0]), result))
    return x[0];
  if (from < to)
    return tileEmit1(l, TileOp_LLVM_FPExt, result, x[0]);
  if (from == to || tileFpToFpOpGetRounding(tileFpToFpOpCast(op)) == TileRounding_RTZ)
    return (MlirValue){NULL};
  return tileEmitTruncF(l, &narrow, op, x, result);
}

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
