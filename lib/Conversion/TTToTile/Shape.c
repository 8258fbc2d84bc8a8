/* Shape.c - ops that make, reshape and rearrange tensors.
 *
 *   tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
 *     -> tile.make_range 0 to 64 : tensor<64xi32>
 *   tt.cat %a, %b, in any order
 *     -> tile.cat %a, %b, in order */
#include "TTToTile.h"

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

static MlirLogicalResult convertSplat(TTConversion *c, MlirOperation op) {
  return ttReplace(c, op, tileSplatOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0)).op);
}

static MlirLogicalResult convertUnsplat(TTConversion *c, MlirOperation op) {
  return ttReplace(c, op, tileUnsplatOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0)).op);
}

static MlirLogicalResult convertMakeRange(TTConversion *c, MlirOperation op) {
  TTMakeRangeOp r = {op};
  TileMakeRangeOp by = tileMakeRangeOpCreate(c->builder, ttLoc(op), ttResultType(op),
                                             ttMakeRangeOpGetStartAttr(r), ttMakeRangeOpGetEndAttr(r));
  return ttReplace(c, op, by.op);
}

static MlirLogicalResult convertExpandDims(TTConversion *c, MlirOperation op) {
  MlirAttribute axis = ttExpandDimsOpGetAxisAttr((TTExpandDimsOp){op});
  return ttReplace(c, op,
                   tileExpandDimsOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0), axis).op);
}

static MlirLogicalResult convertBroadcast(TTConversion *c, MlirOperation op) {
  MlirValue src = operand(op, 0);
  if (mlirTypeEqual(ttTypeOf(src), ttResultType(op)))
    return ttReplaceByValue(c, op, src);
  return ttReplace(c, op, tileBroadcastOpCreate(c->builder, ttLoc(op), ttResultType(op), src).op);
}

static MlirLogicalResult convertTrans(TTConversion *c, MlirOperation op) {
  MlirAttribute order = ttTransOpGetOrderAttr((TTTransOp){op});
  return ttReplace(c, op,
                   tileTransOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0), order).op);
}

static MlirLogicalResult convertReshape(TTConversion *c, MlirOperation op) {
  MlirAttribute flag = ttReshapeOpGetAllowReorderAttr((TTReshapeOp){op});
  bool reorder = !mlirAttributeIsNull(flag) && mlirBoolAttrGetValue(flag);
  return ttReplace(
      c, op,
      tileReshapeOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0), ttUnitIf(c, reorder)).op);
}

static MlirLogicalResult convertJoin(TTConversion *c, MlirOperation op) {
  return ttReplace(
      c, op, tileJoinOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0), operand(op, 1)).op);
}

static MlirLogicalResult convertCat(TTConversion *c, MlirOperation op) {
  return ttReplace(
      c, op, tileCatOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0), operand(op, 1)).op);
}

static MlirLogicalResult convertSplit(TTConversion *c, MlirOperation op) {
  MlirType half = ttResultType(op);
  return ttReplace(c, op, tileSplitOpCreate(c->builder, ttLoc(op), half, half, operand(op, 0)).op);
}

static MlirLogicalResult convertHistogram(TTConversion *c, MlirOperation op) {
  MlirValue mask = ttHistogramOpGetMask((TTHistogramOp){op});
  return ttReplace(c, op,
                   tileHistogramOpCreate(c->builder, ttLoc(op), ttResultType(op), operand(op, 0), mask).op);
}

static MlirLogicalResult convertGather(TTConversion *c, MlirOperation op) {
  TTGatherOp g = {op};
  TileGatherOp by = tileGatherOpCreate(c->builder, ttLoc(op), ttResultType(op), ttGatherOpGetSrc(g),
                                       ttGatherOpGetIndices(g), ttGatherOpGetAxisAttr(g));
  return ttReplace(c, op, by.op);
}

const TTRow ttShapeRows[] = {
    {TileOp_TT_Splat, convertSplat},
    {TileOp_TT_Unsplat, convertUnsplat},
    {TileOp_TT_MakeRange, convertMakeRange},
    {TileOp_TT_ExpandDims, convertExpandDims},
    {TileOp_TT_Broadcast, convertBroadcast},
    {TileOp_TT_Trans, convertTrans},
    {TileOp_TT_Reshape, convertReshape},
    {TileOp_TT_Join, convertJoin},
    {TileOp_TT_Cat, convertCat},
    {TileOp_TT_Split, convertSplit},
    {TileOp_TT_Histogram, convertHistogram},
    {TileOp_TT_Gather, convertGather},
    {TileOp_None, NULL},
};
