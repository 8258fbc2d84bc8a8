/* Fma.c - the fused multiply-add, rounded once in the type of the operation.
 *
 * bf16 without an instruction of its own, and f8, go through f64: there the product is exact, and the sum's error, which
 * Knuth's TwoSum gives exactly, decides its last bit. A sum in f32 or f64 alone would be rounded twice: 0x1.1p16 squared
 * plus 1 is just above the middle between two bf16 numbers, on which its f32 sum lies. */
#include "Elementwise.h"

#define ARGS                                                                                                 \
  TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x, MlirType result

/* a * b + c in f64, odd if anything was lost. The product of two numbers of 8 bits is exact, and nothing overflows. */
static MlirValue oddFma(TileLowering *l, const MlirValue *x) {
  MlirType i64 = mlirIntegerTypeGet(l->context, 64), f64 = mlirF64TypeGet(l->context);
  MlirValue product = tileEmit2(l, TileOp_LLVM_FMul, x[0], x[1]);
  MlirValue sum = tileEmit2(l, TileOp_LLVM_FAdd, product, x[2]);
  MlirValue part = tileEmit2(l, TileOp_LLVM_FSub, sum, product);
  MlirValue other = tileEmit2(l, TileOp_LLVM_FSub, sum, part);
  MlirValue error = tileEmit2(l, TileOp_LLVM_FAdd, tileEmit2(l, TileOp_LLVM_FSub, product, other),
                              tileEmit2(l, TileOp_LLVM_FSub, x[2], part));
  MlirValue isExact = tileEmitFCmp(l, LLVMFCmpPredicate_ueq, error, tileEmitZero(l, f64)); /* so is NaN */
  MlirValue signs =
      tileEmit2(l, TileOp_LLVM_XOr, tileEmitBitcast(l, error, i64), tileEmitBitcast(l, sum, i64));
  MlirValue isAbove = tileEmitICmp(l, LLVMICmpPredicate_slt, signs, tileEmitInt(l, i64, 0));
  return tileEmitOdd(l, sum, isAbove, isExact);
}

MlirValue tileEmitFma(ARGS) {
  TileElementType type = tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(op, 0)));
  bool native = type == TileElementType_BF16 ? tileTargetHas(l->target, TileFeature_BF16Fma)
                                             : type < TileElementType_F8E4M3FN;
  MlirType f64 = mlirF64TypeGet(l->context);
  MlirValue wide[3];
  if (native)
    return tileEmitDirect(l, row, op, x, result);
  for (int i = 0; i < 3; ++i)
    wide[i] = tileEmitFloatConvert(l, type, TileElementType_F64, x[i], f64, false);
  return tileEmitFloatConvert(l, TileElementType_F64, type, oddFma(l, wide), result, false);
}
