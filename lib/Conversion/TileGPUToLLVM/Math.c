/* Math.c - the math functions that are primitives: every other one is expressed in these by
 * tile-gpu-expand-math before. */
#include "Elementwise.h"

#define ARGS                                                                                                 \
  TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x, MlirType result

MlirValue tileEmitPrimitive(ARGS) {
  if (!mlirTypeIsAF32(result))
    return row->llvm && tileTypeBits(result) == 64 ? tileEmit1(l, row->llvm, result, x[0])
                                                   : (MlirValue){NULL};
  switch (tileOpKind(op)) {
  case TileOp_Math_Exp2:
    return mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.normal")).ptr
               ? l->hooks->exp2Normal(l, x[0])
               : l->hooks->exp2(l, x[0]);
  case TileOp_Math_Log2:
    return l->hooks->log2(l, x[0]);
  case TileOp_Math_Rsqrt:
    return l->hooks->rsqrt(l, x[0]);
  case TileOp_Math_Tanh: /* only where tile-gpu-expand-math leaves it */
    return l->hooks->tanh ? l->hooks->tanh(l, x[0]) : (MlirValue){NULL};
  case TileOp_Math_Sqrt:
    return l->precise ? tileEmit1(l, row->llvm, result, x[0]) : l->hooks->sqrt(l, x[0]);
  default:
    return (MlirValue){NULL};
  }
}

/* Defined for zero: the width. */
MlirValue tileEmitCountZeros(ARGS) {
  (void)op;
  MlirAttribute defined = mlirIntegerAttrGet(mlirIntegerTypeGet(l->context, 1), 0);
  if (row->llvm == TileOp_LLVM_CountLeadingZeros)
    return llvmCountLeadingZerosOpGetRes(llvmCountLeadingZerosOpCreate(l->b, l->loc, result, x[0], defined));
  return llvmCountTrailingZerosOpGetRes(llvmCountTrailingZerosOpCreate(l->b, l->loc, result, x[0], defined));
}
