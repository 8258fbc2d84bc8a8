/* Elementwise.c - ops that act on each element alone: one table from op kind to the emitter of one register.
 */
#include "Elementwise.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Numerics.h"

#define ROW(kind, ...) [TileOp_##kind] = {__VA_ARGS__}

const TileElementwiseRow tileElementwiseRows[TileOp_Count] = {
    ROW(Arith_AddF, tileEmitDirect, TileOp_LLVM_FAdd, false),
    ROW(Arith_AddI, tileEmitDirect, TileOp_LLVM_Add, false),
    ROW(Arith_AndI, tileEmitDirect, TileOp_LLVM_And, false),
    ROW(Arith_Bitcast, tileEmitBits, TileOp_LLVM_Bitcast, true),
    ROW(Arith_CeilDivSI, tileEmitCeilDivide, TileOp_None, false),
    ROW(Arith_CeilDivUI, tileEmitCeilDivideUnsigned, TileOp_None, false),
    ROW(Arith_CmpF, tileEmitFloatCompare, TileOp_LLVM_FCmp, false),
    ROW(Arith_CmpI, tileEmitIntCompare, TileOp_LLVM_ICmp, false),
    ROW(Arith_DivF, tileEmitFloatDivide, TileOp_LLVM_FDiv, false),
    ROW(Arith_DivSI, tileEmitSignedDivide, TileOp_LLVM_SDiv, false),
    ROW(Arith_DivUI, tileEmitUnsignedDivide, TileOp_LLVM_UDiv, false),
    ROW(Arith_ExtF, tileEmitExtF, TileOp_LLVM_FPExt, true),
    ROW(Arith_ExtSI, tileEmitDirect, TileOp_LLVM_SExt, false),
    ROW(Arith_ExtUI, tileEmitDirect, TileOp_LLVM_ZExt, false),
    ROW(Arith_FPToSI, tileEmitFloatToInt, TileOp_LLVM_FPToSI, true),
    ROW(Arith_FPToUI, tileEmitFloatToInt, TileOp_LLVM_FPToUI, true),
    ROW(Arith_FloorDivSI, tileEmitFloorDivide, TileOp_None, false),
    ROW(Arith_IndexCast, tileEmitIndexCast, TileOp_LLVM_SExt, false),
    ROW(Arith_IndexCastUI, tileEmitIndexCast, TileOp_LLVM_ZExt, false),
    ROW(Arith_MaxNumF, tileEmitDirect, TileOp_LLVM_MaxNum, false),
    ROW(Arith_MaxSI, tileEmitDirect, TileOp_LLVM_SMax, false),
    ROW(Arith_MaxUI, tileEmitDirect, TileOp_LLVM_UMax, false),
    ROW(Arith_MaximumF, tileEmitDirect, TileOp_LLVM_Maximum, false),
    ROW(Arith_MinNumF, tileEmitDirect, TileOp_LLVM_MinNum, false),
    ROW(Arith_MinSI, tileEmitDirect, TileOp_LLVM_SMin, false),
    ROW(Arith_MinUI, tileEmitDirect, TileOp_LLVM_UMin, false),
    ROW(Arith_MinimumF, tileEmitDirect, TileOp_LLVM_Minimum, false),
    ROW(Arith_MulF, tileEmitDirect, TileOp_LLVM_FMul, false),
    ROW(Arith_MulI, tileEmitMultiply, TileOp_LLVM_Mul, false),
    ROW(Arith_NegF, tileEmitDirect, TileOp_LLVM_FNeg, false),
    ROW(Arith_OrI, tileEmitDirect, TileOp_LLVM_Or, false),
    ROW(Arith_RemSI, tileEmitSignedDivide, TileOp_LLVM_SRem, false),
    ROW(Arith_RemUI, tileEmitUnsignedDivide, TileOp_LLVM_URem, false),
    ROW(Arith_SIToFP, tileEmitIntToFloat, TileOp_LLVM_SIToFP, true),
    ROW(Arith_Select, tileEmitDirect, TileOp_LLVM_Select, true),
    ROW(Arith_ShLI, tileEmitShift, TileOp_LLVM_Shl, false),
    ROW(Arith_ShRSI, tileEmitShift, TileOp_LLVM_AShr, false),
    ROW(Arith_ShRUI, tileEmitShift, TileOp_LLVM_LShr, false),
    ROW(Arith_SubF, tileEmitDirect, TileOp_LLVM_FSub, false),
    ROW(Arith_SubI, tileEmitDirect, TileOp_LLVM_Sub, false),
    ROW(Arith_TruncF, tileEmitTruncF, TileOp_LLVM_FPTrunc, true),
    ROW(Arith_TruncI, tileEmitDirect, TileOp_LLVM_Trunc, false),
    ROW(Arith_UIToFP, tileEmitIntToFloat, TileOp_LLVM_UIToFP, true),
    ROW(Arith_XOrI, tileEmitDirect, TileOp_LLVM_XOr, false),
    ROW(Math_AbsF, tileEmitDirect, TileOp_LLVM_FAbs, false),
    ROW(Math_AbsI, tileEmitAbsInt, TileOp_LLVM_Abs, false),
    ROW(Math_Ceil, tileEmitDirect, TileOp_LLVM_FCeil, false),
    ROW(Math_CopySign, tileEmitDirect, TileOp_LLVM_CopySign, false),
    ROW(Math_CountLeadingZeros, tileEmitCountZeros, TileOp_LLVM_CountLeadingZeros, false),
    ROW(Math_CountTrailingZeros, tileEmitCountZeros, TileOp_LLVM_CountTrailingZeros, false),
    ROW(Math_CtPop, tileEmitDirect, TileOp_LLVM_CtPop, false),
    ROW(Math_Exp2, tileEmitPrimitive, TileOp_None, false),
    ROW(Math_Floor, tileEmitDirect, TileOp_LLVM_FFloor, false),
    ROW(Math_Fma, tileEmitFma, TileOp_LLVM_FMA, true),
    ROW(Math_Log2, tileEmitPrimitive, TileOp_None, false),
    ROW(Math_RoundEven, tileEmitDirect, TileOp_LLVM_RoundEven, false),
    ROW(Math_Rsqrt, tileEmitPrimitive, TileOp_None, false),
    ROW(Math_Sqrt, tileEmitPrimitive, TileOp_LLVM_Sqrt, false),
    ROW(Math_Tanh, tileEmitPrimitive, TileOp_None, false),
    ROW(Math_Trunc, tileEmitDirect, TileOp_LLVM_FTrunc, false),
    ROW(Tile_AddPtr, tileEmitAddPtr, TileOp_LLVM_GEP, false),
    ROW(Tile_Bitcast, tileEmitBits, TileOp_LLVM_Bitcast, true),
    ROW(Tile_ClampF, tileEmitClampF, TileOp_None, false),
    ROW(Tile_FpToFp, tileEmitFpToFp, TileOp_None, true),
    ROW(Tile_IntToPtr, tileEmitDirect, TileOp_LLVM_IntToPtr, false),
    ROW(Tile_MulhiUI, tileEmitMulHigh, TileOp_LLVM_ZExt, false),
    ROW(Tile_PreciseDivF, tileEmitPreciseDivide, TileOp_LLVM_FDiv, false),
    ROW(Tile_PreciseSqrt, tileEmitDirect, TileOp_LLVM_Sqrt, false),
    ROW(Tile_PtrToInt, tileEmitDirect, TileOp_LLVM_PtrToInt, false),
};

enum { MAX_OPERANDS = 8, LOOK_BACK = 16 };

/* Register i of an operand; a scalar beside tensors (the condition of a select) is the same for all. */
static MlirValue operandRegister(TileRegisters r, intptr_t i) { return r.values[r.count == 1 ? 0 : i]; }

static bool sameOperands(const TileRegisters *in, intptr_t n, intptr_t a, intptr_t b) {
  for (intptr_t k = 0; k < n; ++k)
    if (operandRegister(in[k], a).ptr != operandRegister(in[k], b).ptr)
      return false;
  return true;
}

static bool isF8(MlirValue v) { return tileElementTypeOf(mlirValueGetType(v)) >= TileElementType_F8E4M3FN; }

static bool touchesF8(MlirOperation op) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    if (isF8(mlirOperationGetOperand(op, k)))
      return true;
  return isF8(mlirOperationGetResult(op, 0));
}

/* Arithmetic on f8: the f32 result, rounded again, is right for + - * / (24 >= 2 * 4 + 2 bits). */
static MlirValue emitInF32(TileLowering *l, const TileElementwiseRow *row, MlirOperation op, MlirValue *x,
                           intptr_t n) {
  MlirType f32 = mlirF32TypeGet(l->context);
  MlirValue result = mlirOperationGetResult(op, 0);
  for (intptr_t k = 0; k < n; ++k)
    if (isF8(mlirOperationGetOperand(op, k)))
      x[k] =
          tileEmitFloat8ToF32(l, tileElementTypeOf(mlirValueGetType(mlirOperationGetOperand(op, k))), x[k]);
  if (!isF8(result))
    return row->emit(l, row, op, x, tileLowerElementType(l, mlirValueGetType(result)));
  MlirValue y = row->emit(l, row, op, x, f32);
  return y.ptr ? tileEmitF32ToFloat8(l, tileElementTypeOf(mlirValueGetType(result)), y, false) : y;
}

/* A float conversion that rounds to nearest even. */
static bool isNearestConversion(MlirOperation op) {
  TileFpToFpOp convert = tileFpToFpOpCast(op);
  TileOpKind kind = tileOpKind(op);
  return kind == TileOp_Arith_ExtF || kind == TileOp_Arith_TruncF ||
         (!tileFpToFpOpIsNull(convert) && tileFpToFpOpGetRounding(convert) == TileRounding_RTNE);
}

/* Integers of 8 bits to floats, four registers at a time, where the target has a way. */
static bool widenBytes(TileLowering *l, MlirOperation op, TileRegisters in, TileRegisters out) {
  TileOpKind kind = tileOpKind(op);
  if ((kind != TileOp_Arith_SIToFP && kind != TileOp_Arith_UIToFP) || !l->hooks->widenBytes ||
      tileElementTypeOf(mlirValueGetType(mlirOperationGetOperand(op, 0))) != TileElementType_I8 ||
      in.count != out.count || out.count % 4)
    return false;
  TileElementType to = tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(op, 0)));
  for (intptr_t i = 0; i < out.count; i += 4)
    if (!l->hooks->widenBytes(l, kind == TileOp_Arith_SIToFP, to, &in.values[i], &out.values[i]))
      return false;
  return true;
}

/* Products of bf16, two registers at a time, where the target has a way. */
static bool multiplyBrains(TileLowering *l, MlirOperation op, const TileRegisters *in, TileRegisters out) {
  if (tileOpKind(op) != TileOp_Arith_MulF || !l->hooks->multiplyBrains || out.count % 2 ||
      tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(op, 0))) != TileElementType_BF16)
    return false;
  for (intptr_t i = 0; i < out.count; i += 2) {
    MlirValue x[] = {operandRegister(in[0], i), operandRegister(in[0], i + 1)};
    MlirValue y[] = {operandRegister(in[1], i), operandRegister(in[1], i + 1)};
    l->hooks->multiplyBrains(l, x, y, &out.values[i]);
  }
  return true;
}

/* Register bits that do not change the result of a comparison: its axis analysis says that neighbours are equal
 * (a mask whose bound is a multiple of the vector), which the back end cannot see. */
static uint32_t repeatedBits(TileLowering *l, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  TileLayout layout;
  uint32_t repeated = 0;
  if (tileOpKind(op) != TileOp_Arith_CmpI || !tileLayoutOfType(mlirValueGetType(result), &layout))
    return 0;
  for (int bit = 0; bit < layout.bits[TileLayoutDim_Register]; ++bit) {
    const int32_t *basis = layout.bases[TileLayoutDim_Register][bit];
    bool inGroup = true;
    for (int d = 0; d < layout.rank; ++d)
      inGroup &= basis[d] < tileAxisPowerOf(tileAxisInfoGet(l->axis, result, d).constancy);
    repeated |= inGroup ? 1u << bit : 0;
  }
  return repeated;
}

MlirLogicalResult tileLowerElementwise(TileLowering *l, MlirOperation op) {
  const TileElementwiseRow *row = &tileElementwiseRows[tileOpKind(op)];
  intptr_t n = mlirOperationGetNumOperands(op), count;
  if (!row->emit || n > MAX_OPERANDS || mlirOperationGetNumResults(op) != 1)
    return tileLowerNotSupported(l, op);
  bool wide = !row->f8 && touchesF8(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = tileLowerElementType(l, mlirValueGetType(result));
  if (tileFailed(tileRegisterCount(l, op, mlirValueGetType(result), &count)))
    return tileFailure();
  TileRegisters in[MAX_OPERANDS], r = tileNewRegisters(l, count);
  for (intptr_t k = 0; k < n; ++k) {
    in[k] = tileRegistersOf(l, mlirOperationGetOperand(op, k));
    if (in[k].count != 1 && in[k].count != count)
      return tileEmitOpError(op, "got operands with different layouts, expected the result's on each");
  }
  if (isNearestConversion(op) &&
      tileLowerFloat8Pairs(l, tileElementTypeOf(mlirValueGetType(mlirOperationGetOperand(op, 0))),
                           tileElementTypeOf(mlirValueGetType(result)), in[0], r)) {
    tileBind(l, result, r);
    return tileSuccess();
  }
  if (widenBytes(l, op, in[0], r) || tileLowerFewBits(l, op, in[0], r) || multiplyBrains(l, op, in, r) ||
      tileLowerSmall(l, op, in, r)) {
    tileBind(l, result, r);
    return tileSuccess();
  }
  uint32_t repeated = repeatedBits(l, op);
  for (intptr_t i = 0; i < count; ++i) {
    if (i & repeated) {
      r.values[i] = r.values[i & ~(intptr_t)repeated];
      continue;
    }
    /* A splat or broadcast operand repeats values: compute each combination once. */
    for (intptr_t j = i - 1; j >= 0 && j >= i - LOOK_BACK && !r.values[i].ptr; --j)
      if (sameOperands(in, n, i, j))
        r.values[i] = r.values[j];
    if (r.values[i].ptr)
      continue;
    MlirValue x[MAX_OPERANDS];
    for (intptr_t k = 0; k < n; ++k)
      x[k] = operandRegister(in[k], i);
    r.values[i] = wide ? emitInF32(l, row, op, x, n) : row->emit(l, row, op, x, type);
    if (!r.values[i].ptr)
      return tileEmitOpError(op, "with these types is not supported yet on %s", l->target->chip);
  }
  if (mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.by_element")).ptr)
    tileOrderByElement(r);
  tileBind(l, result, r);
  return tileSuccess();
}

/* Sums and products whose upper part is a second result. */
MlirLogicalResult tileLowerExtended(TileLowering *l, MlirOperation op) {
  bool isSum = tileOpKind(op) == TileOp_Arith_AddUIExtended;
  TileElementwiseRow high = {.llvm = tileOpKind(op) == TileOp_Arith_MulSIExtended ? TileOp_LLVM_SExt
                                                                                  : TileOp_LLVM_ZExt};
  MlirType type = tileLowerElementType(l, mlirValueGetType(mlirOperationGetResult(op, 0)));
  TileRegisters in[] = {tileRegistersOf(l, mlirOperationGetOperand(op, 0)),
                        tileRegistersOf(l, mlirOperationGetOperand(op, 1))};
  intptr_t count = in[0].count > in[1].count ? in[0].count : in[1].count;
  TileRegisters lower = tileNewRegisters(l, count), upper = tileNewRegisters(l, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue x[] = {operandRegister(in[0], i), operandRegister(in[1], i)};
    lower.values[i] = tileEmit2(l, isSum ? TileOp_LLVM_Add : TileOp_LLVM_Mul, x[0], x[1]);
    upper.values[i] = isSum ? tileEmitICmp(l, LLVMICmpPredicate_ult, lower.values[i], x[0])
                            : tileEmitMulHigh(l, &high, op, x, type);
  }
  tileBind(l, mlirOperationGetResult(op, 0), lower);
  tileBind(l, mlirOperationGetResult(op, 1), upper);
  return tileSuccess();
}

MlirLogicalResult tileLowerPoison(TileLowering *l, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = tileLowerElementType(l, mlirValueGetType(result));
  intptr_t count;
  if (!type.ptr)
    return tileLowerNotSupported(l, op);
  if (tileFailed(tileRegisterCount(l, op, mlirValueGetType(result), &count)))
    return tileFailure();
  TileRegisters r = tileNewRegisters(l, count);
  for (intptr_t i = 0; i < count; ++i)
    r.values[i] = tileEmitZero(l, type); /* zero, as on the cpu device: a defined value hides no fault */
  tileBind(l, result, r);
  return tileSuccess();
}
