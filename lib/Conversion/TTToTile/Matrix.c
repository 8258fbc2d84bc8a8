/* Matrix.c - matrix products.
 *
 *   tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
 *     -> tile.dot %a, %b, %c precision = tf32 : ...
 * The precision says something about f32 operands only; Triton writes it on all. */
#include "TTToTile.h"

static const TileInputPrecision precisions[] = {
    [TTInputPrecision_TF32] = TileInputPrecision_TF32,
    [TTInputPrecision_TF32x3] = TileInputPrecision_TF32x3,
    [TTInputPrecision_IEEE] = TileInputPrecision_IEEE,
    [TTInputPrecision_BF16x3] = TileInputPrecision_BF16x3,
    [TTInputPrecision_BF16x6] = TileInputPrecision_BF16x6,
};

static TileInputPrecision precisionOf(TTDotOp dot) {
  if (tileElementTypeOf(ttTypeOf(ttDotOpGetA(dot))) != TileElementType_F32)
    return TileInputPrecision_IEEE;
  MlirAttribute allowTF32 = ttDotOpGetAllowTF32Attr(dot);
  if (!mlirAttributeIsNull(allowTF32) && mlirBoolAttrGetValue(allowTF32))
    return TileInputPrecision_TF32;
  return precisions[ttDotOpGetInputPrecision(dot)];
}

static MlirLogicalResult convertDot(TTConversion *c, MlirOperation op) {
  TTDotOp dot = {op};
  TileDotOp by = tileDotOpCreate(c->builder, ttLoc(op), ttResultType(op), ttDotOpGetA(dot), ttDotOpGetB(dot),
                                 ttDotOpGetC(dot), ttI32(c, precisionOf(dot)),
                                 ttI32(c, ttDotOpGetMaxNumImpreciseAcc(dot)));
  return ttReplace(c, op, by.op);
}

static const TileScaledElementType formats[] = {
    [TTScaleDotElemType_E4M3] = TileScaledElementType_E4M3,
    [TTScaleDotElemType_E5M2] = TileScaledElementType_E5M2,
    [TTScaleDotElemType_E2M3] = TileScaledElementType_E2M3,
    [TTScaleDotElemType_E3M2] = TileScaledElementType_E3M2,
    [TTScaleDotElemType_E2M1] = TileScaledElementType_E2M1,
    [TTScaleDotElemType_BF16] = TileScaledElementType_BF16,
    [TTScaleDotElemType_FP16] = TileScaledElementType_FP16,
};

static MlirLogicalResult convertDotScaled(TTConversion *c, MlirOperation op) {
  TTDotScaledOp dot = {op};
  TileDotScaledOp by = tileDotScaledOpCreate(
      c->builder, ttLoc(op), ttResultType(op), ttDotScaledOpGetA(dot), ttDotScaledOpGetB(dot),
      ttDotScaledOpGetC(dot), ttDotScaledOpGetAScale(dot), ttDotScaledOpGetBScale(dot),
      ttI32(c, formats[ttDotScaledOpGetAElemType(dot)]), ttI32(c, formats[ttDotScaledOpGetBElemType(dot)]),
      ttUnitIf(c, !ttDotScaledOpGetLhsKPack(dot)), ttUnitIf(c, !ttDotScaledOpGetRhsKPack(dot)),
      ttUnitIf(c, ttDotScaledOpGetFastMath(dot)));
  return ttReplace(c, op, by.op);
}

const TTRow ttMatrixRows[] = {
    {TileOp_TT_Dot, convertDot},
    {TileOp_TT_DotScaled, convertDotScaled},
    {TileOp_None, NULL},
};
