/* Elementwise.c - casts and element-wise math that arith and math do not have.
 *
 *   tt.fp_to_fp %x, rounding = rtz : tensor<64xf32> -> tensor<64xf16>
 *     -> tile.fp_to_fp %x rounding = rtz : tensor<64xf32> -> tensor<64xf16>
 *   tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (f32) -> f32
 *     -> tile.extern_elementwise "__nv_tanhf"(%x) pure : (f32) -> f32
 *   tt.approx_divf %x, %y : f32 -> arith.divf %x, %y : f32, which is as fast by default */
#include "TTToTile.h"
#include "tile-c/Dialect/Arith.h"

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

static MlirLogicalResult convertIntToPtr(TTConversion *c, MlirOperation op) {
  return ttReplace(c, op, tileIntToPtrOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0)).op);
}

static MlirLogicalResult convertPtrToInt(TTConversion *c, MlirOperation op) {
  return ttReplace(c, op, tilePtrToIntOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0)).op);
}

static MlirLogicalResult convertBitcast(TTConversion *c, MlirOperation op) {
  MlirValue src = operand(op, 0);
  if (mlirTypeEqual(ttTypeOf(src), ttResultType(op)))
    return ttReplaceByValue(c, op, src);
  return ttReplace(c, op, tileBitcastOpCreate(c->builder, ttLoc(op), ttResultType(op), src).op);
}

static MlirLogicalResult convertFpToFp(TTConversion *c, MlirOperation op) {
  TTFpToFpOp f = {op};
  MlirAttribute rounding = mlirAttributeGetNull();
  if (!mlirAttributeIsNull(ttFpToFpOpGetRoundingAttr(f)))
    rounding =
        ttI32(c, ttFpToFpOpGetRounding(f) == TTRoundingMode_RTZ ? TileRounding_RTZ : TileRounding_RTNE);
  return ttReplace(c, op,
                   tileFpToFpOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0), rounding).op);
}

static MlirLogicalResult convertClampF(TTConversion *c, MlirOperation op) {
  bool all = ttClampFOpGetPropagateNan((TTClampFOp){op}) == TTPropagateNan_ALL;
  TileClampFOp by =
      tileClampFOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0), operand(op, 1),
                         operand(op, 2), ttI32(c, all ? TilePropagateNan_All : TilePropagateNan_None));
  return ttReplace(c, op, by.op);
}

static MlirLogicalResult convertPreciseDivF(TTConversion *c, MlirOperation op) {
  return ttReplace(
      c, op,
      tilePreciseDivFOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0), operand(op, 1)).op);
}

static MlirLogicalResult convertApproxDivF(TTConversion *c, MlirOperation op) {
  return ttReplace(c, op,
                   arithDivFOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0), operand(op, 1),
                                     mlirAttributeGetNull())
                       .op);
}

static MlirLogicalResult convertPreciseSqrt(TTConversion *c, MlirOperation op) {
  return ttReplace(c, op,
                   tilePreciseSqrtOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0)).op);
}

static MlirLogicalResult convertMulhiUI(TTConversion *c, MlirOperation op) {
  return ttReplace(
      c, op, tileMulhiUIOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0), operand(op, 1)).op);
}

/* An empty name means none. */
static MlirAttribute nonEmpty(MlirAttribute text) {
  return mlirStringAttrGetValue(text).length ? text : mlirAttributeGetNull();
}

static MlirLogicalResult convertExtern(TTConversion *c, MlirOperation op) {
  TTExternElementwiseOp e = {op};
  intptr_t n = mlirOperationGetNumOperands(op);
  TileExternElementwiseOp by = tileExternElementwiseOpCreate(
      c->builder, ttLoc(op), ttResultType(op), n, ttOperands(c, op, 0, n),
      ttExternElementwiseOpGetSymbolAttr(e), nonEmpty(ttExternElementwiseOpGetLibnameAttr(e)),
      nonEmpty(ttExternElementwiseOpGetLibpathAttr(e)), ttUnitIf(c, ttExternElementwiseOpGetPure(e)));
  return ttReplace(c, op, by.op);
}

static MlirLogicalResult convertInlineAsm(TTConversion *c, MlirOperation op) {
  TTElementwiseInlineAsmOp a = {op};
  intptr_t n = mlirOperationGetNumOperands(op);
  TileInlineAsmOp by = tileInlineAsmOpCreate(
      c->builder, ttLoc(op), mlirOperationGetNumResults(op), ttResultTypes(c, op), n, ttOperands(c, op, 0, n),
      ttElementwiseInlineAsmOpGetAsmStringAttr(a), ttElementwiseInlineAsmOpGetConstraintsAttr(a),
      ttElementwiseInlineAsmOpGetPackedElementAttr(a), ttUnitIf(c, ttElementwiseInlineAsmOpGetPure(a)));
  return ttReplace(c, op, by.op);
}

const TTRow ttElementwiseRows[] = {
    {TileOp_TT_IntToPtr, convertIntToPtr},
    {TileOp_TT_PtrToInt, convertPtrToInt},
    {TileOp_TT_Bitcast, convertBitcast},
    {TileOp_TT_FpToFp, convertFpToFp},
    {TileOp_TT_ClampF, convertClampF},
    {TileOp_TT_PreciseDivF, convertPreciseDivF},
    {TileOp_TT_ApproxDivF, convertApproxDivF},
    {TileOp_TT_PreciseSqrt, convertPreciseSqrt},
    {TileOp_TT_MulhiUI, convertMulhiUI},
    {TileOp_TT_ExternElementwise, convertExtern},
    {TileOp_TT_ElementwiseInlineAsm, convertInlineAsm},
    {TileOp_None, NULL},
};
