/* Region.c - ops with a body of scalar code: reduce, scan and map_elementwise. The body moves as it is; its
 * ops are converted before.
 *
 *   "tt.reduce"(%x) <{axis = 1 : i32}> ({..  tt.reduce.return %s : f32 })
 *       : (tensor<8x4xf32>) -> tensor<8xf32>
 *     -> tile.reduce %x axis = 1 : tensor<8x4xf32> -> tensor<8xf32> {..  tile.yield %s : f32 } */
#include "TTToTile.h"

static MlirLogicalResult moveBody(TTConversion *c, MlirOperation op, MlirOperation by) {
  MlirRegion body = mlirOperationGetRegion(op, 0);
  MlirBlock first = mlirRegionGetFirstBlock(body);
  if (!first.ptr || mlirBlockGetNextInRegion(first).ptr)
    return tileEmitOpError(op, "got a body of several blocks or none, expected one block");
  mlirRegionTakeBody(mlirOperationGetRegion(by, 0), body);
  return ttReplace(c, op, by);
}

static MlirLogicalResult convertReduce(TTConversion *c, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  TileReduceOp by = tileReduceOpCreate(c->builder, ttLoc(op), mlirOperationGetNumResults(op),
                                       ttResultTypes(c, op), n, ttOperands(c, op, 0, n),
                                       ttReduceOpGetAxisAttr((TTReduceOp){op}), (MlirAttribute){NULL});
  return moveBody(c, op, by.op);
}

static MlirLogicalResult convertScan(TTConversion *c, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  TTScanOp s = {op};
  TileScanOp by =
      tileScanOpCreate(c->builder, ttLoc(op), mlirOperationGetNumResults(op), ttResultTypes(c, op), n,
                       ttOperands(c, op, 0, n), ttScanOpGetAxisAttr(s), ttUnitIf(c, ttScanOpGetReverse(s)));
  return moveBody(c, op, by.op);
}

static MlirLogicalResult convertMap(TTConversion *c, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  TileMapElementwiseOp by = tileMapElementwiseOpCreate(
      c->builder, ttLoc(op), mlirOperationGetNumResults(op), ttResultTypes(c, op), n, ttOperands(c, op, 0, n),
      ttMapElementwiseOpGetPackAttr((TTMapElementwiseOp){op}));
  return moveBody(c, op, by.op);
}

static MlirLogicalResult convertYield(TTConversion *c, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  return ttReplace(c, op, tileYieldOpCreate(c->builder, ttLoc(op), n, ttOperands(c, op, 0, n)).op);
}

const TTRow ttRegionRows[] = {
    {TileOp_TT_Reduce, convertReduce},
    {TileOp_TT_ReduceReturn, convertYield},
    {TileOp_TT_Scan, convertScan},
    {TileOp_TT_ScanReturn, convertYield},
    {TileOp_TT_MapElementwise, convertMap},
    {TileOp_TT_MapElementwiseReturn, convertYield},
    {TileOp_None, NULL},
};
