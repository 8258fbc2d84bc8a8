/* Integers.c - divisions that round down or up, by the rules of docs/spec/numerics.md. */
#include "Elementwise.h"
#include "tile-c/Dialect/Arith.h"

#define ARGS                                                                                                 \
  TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x, MlirType result

/* The truncated quotient, moved by one where there is a remainder and the exact quotient lies on the other
 * side. The remainder by 0 and by -1 is 0. */
static MlirValue roundedSigned(ARGS, bool up) {
  static const TileElementwiseRow divide = {NULL, TileOp_LLVM_SDiv, false},
                                  remainder = {NULL, TileOp_LLVM_SRem, false};
  (void)row;
  MlirValue quotient = tileEmitSignedDivide(l, &divide, op, x, result);
  MlirValue rest = tileEmitSignedDivide(l, &remainder, op, x, result), zero = tileEmitInt(l, result, 0);
  MlirValue inexact = tileEmitICmp(l, LLVMICmpPredicate_ne, rest, zero);
  LLVMICmpPredicate side = up ? LLVMICmpPredicate_sge : LLVMICmpPredicate_slt;
  MlirValue signs = tileEmitICmp(l, side, tileEmit2(l, TileOp_LLVM_XOr, x[0], x[1]), zero);
  MlirValue step = tileEmit2(l, TileOp_LLVM_And, inexact, signs);
  if (tileTypeBits(result) > 1)
    step = tileEmit1(l, TileOp_LLVM_ZExt, result, step);
  return tileEmit2(l, up ? TileOp_LLVM_Add : TileOp_LLVM_Sub, quotient, step);
}

MlirValue tileEmitFloorDivide(ARGS) { return roundedSigned(l, row, op, x, result, false); }
MlirValue tileEmitCeilDivide(ARGS) { return roundedSigned(l, row, op, x, result, true); }

MlirValue tileEmitCeilDivideUnsigned(ARGS) {
  static const TileElementwiseRow divide = {NULL, TileOp_LLVM_UDiv, false},
                                  remainder = {NULL, TileOp_LLVM_URem, false};
  (void)row;
  MlirValue quotient = tileEmitUnsignedDivide(l, &divide, op, x, result);
  MlirValue rest = tileEmitUnsignedDivide(l, &remainder, op, x, result);
  MlirValue step = tileEmitICmp(l, LLVMICmpPredicate_ne, rest, tileEmitInt(l, result, 0));
  if (tileTypeBits(result) > 1)
    step = tileEmit1(l, TileOp_LLVM_ZExt, result, step);
  return tileEmit2(l, TileOp_LLVM_Add, quotient, step);
}
