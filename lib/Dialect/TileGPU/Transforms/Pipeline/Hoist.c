/* Hoist.c - conversions of layout move in front of element-wise ops, to the loads behind them.
 *
 *   %a = tile.load %p : tensor<..xi8, #blocked>
 *   %f = arith.sitofp %a : tensor<..xi8, #blocked> to tensor<..xf16, #blocked>
 *   %d = tile_gpu.convert_layout %f : tensor<..xf16, #blocked> -> tensor<..xf16, #operand>
 * becomes
 *   %b = tile_gpu.convert_layout %a : tensor<..xi8, #blocked> -> tensor<..xi8, #operand>
 *   %d = arith.sitofp %b : tensor<..xi8, #operand> to tensor<..xf16, #operand>
 *
 * so that the buffer which the pipeliner gives the load is read in the layout that is wanted, and holds the
 * narrower type.
 *
 * Operands that come from in front of the loop, such as scales, are converted there. */
#include "../FactorCost.h"
#include "Pipeline.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"

/* A value that is the same in every element, so that it has any layout. */
static bool isUniform(MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  ArithConstantOp constant = arithConstantOpCast(op);
  if (!arithConstantOpIsNull(constant)) {
    MlirAttribute value = arithConstantOpGetValueAttr(constant);
    return mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value);
  }
  return tileOpKind(op) == TileOp_Tile_Splat;
}

/* Whether `v` is made in front of the loop whose body `op` is in. */
static bool isInvariant(MlirValue v, MlirOperation op) {
  return mlirValueIsAOpResult(v) &&
         mlirOperationGetBlock(tileValueGetDefiningOp(v)).ptr != mlirOperationGetBlock(op).ptr;
}

/* The operand of an element-wise op that is neither uniform nor invariant; -1 if there is not exactly one. */
static intptr_t movingOperand(MlirOperation op) {
  intptr_t moving = -1;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    if (!mlirAttributeEqual(tileTypeGetEncoding(mlirValueGetType(v)), tileTypeGetEncoding(type)))
      return -1;
    if (isUniform(v) || isInvariant(v, op))
      continue;
    if (moving >= 0)
      return -1;
    moving = i;
  }
  return moving;
}

/* Whether element-wise ops, each with one user, lead from a load in the body to the operand of `convert`. Not if
 * the loaded bytes would have to be read one by one. */
static bool comesFromLoad(const TilePipeline *p, MlirOperation convert) {
  MlirBlock body = p->body;
  TileLayout wanted;
  MlirValue v = mlirOperationGetOperand(convert, 0);
  if (!tileLayoutOfType(mlirValueGetType(mlirOperationGetResult(convert, 0)), &wanted))
    return false;
  for (int depth = 0; depth < 16; ++depth) {
    MlirOperation op = tileValueGetDefiningOp(v);
    if (!op.ptr || mlirOperationGetBlock(op).ptr != body.ptr)
      return false;
    if (tileOpKind(op) == TileOp_Tile_Load)
      return depth > 0 && !tileIsReadByBytes(mlirValueGetType(v), &wanted, &p->target->info);
    intptr_t moving = mlirOperationGetNumOperands(op) && tileOpIsElementwise(op) && tileValueHasOneUse(v)
                          ? movingOperand(op)
                          : -1;
    if (moving < 0)
      return false;
    v = mlirOperationGetOperand(op, moving);
  }
  return false;
}

/* A broadcast from in front of the loop, in another layout: of its operand, converted. Null if it is none. */
static MlirValue broadcastWith(TileBuilder b, MlirOperation op, MlirType type) {
  TileLayout layout;
  int64_t from[TileLayout_MaxRank], to[TileLayout_MaxRank];
  if (tileOpKind(op) != TileOp_Tile_Broadcast || !tileLayoutOfType(type, &layout))
    return (MlirValue){NULL};
  MlirValue source = mlirOperationGetOperand(op, 0);
  int rank = tileTypeGetShape(type, to, TileLayout_MaxRank);
  tileTypeGetShape(mlirValueGetType(source), from, TileLayout_MaxRank);
  for (int d = 0; d < rank; ++d)
    if (from[d] != to[d] && !tileLayoutUnbroadcast(&layout, d, &layout))
      return (MlirValue){NULL};
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType narrow =
      tileTypeWithEncoding(mlirValueGetType(source), tileLayoutToAttr(mlirOperationGetContext(op), &layout));
  MlirValue converted = tileGPUConvertLayoutOpGetResult(tileGPUConvertLayoutOpCreate(b, loc, narrow, source));
  return tileBroadcastOpGetResult(tileBroadcastOpCreate(b, loc, type, converted));
}

static MlirValue withEncoding(TileBuilder b, MlirValue v, MlirAttribute encoding, MlirOperation loop) {
  MlirType type = tileTypeWithEncoding(mlirValueGetType(v), encoding);
  MlirOperation op = tileValueGetDefiningOp(v);
  MlirLocation loc = mlirOperationGetLocation(op);
  ArithConstantOp constant = arithConstantOpCast(op);
  if (!isUniform(v)) {
    mlirRewriterBaseSetInsertionPointBefore(b, loop);
    MlirValue broadcast = broadcastWith(b, op, type);
    return broadcast.ptr ? broadcast
                         : tileGPUConvertLayoutOpGetResult(tileGPUConvertLayoutOpCreate(b, loc, type, v));
  }
  if (arithConstantOpIsNull(constant))
    return tileSplatOpGetResult(tileSplatOpCreate(b, loc, type, mlirOperationGetOperand(op, 0)));
  MlirAttribute value = mlirDenseElementsAttrGetSplatValue(arithConstantOpGetValueAttr(constant));
  return arithConstantOpGetResult(
      arithConstantOpCreate(b, loc, type, mlirDenseElementsAttrSplatGet(type, value)));
}

/* The op on operands of another layout, in front of `at`. */
static MlirValue cloneWith(TileBuilder b, MlirOperation op, MlirValue converted, MlirOperation at) {
  MlirAttribute encoding = tileTypeGetEncoding(mlirValueGetType(converted));
  MlirOperation loop = mlirOperationGetParentOperation(at);
  intptr_t moving = movingOperand(op);
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    mlirRewriterBaseSetInsertionPointBefore(b, at);
    mlirOperationSetOperand(
        clone, i, i == moving ? converted : withEncoding(b, mlirOperationGetOperand(op, i), encoding, loop));
  }
  MlirValue result = mlirOperationGetResult(clone, 0);
  mlirValueSetType(result, tileTypeWithEncoding(mlirValueGetType(result), encoding));
  mlirRewriterBaseSetInsertionPointBefore(b, at);
  mlirRewriterBaseInsert(b, clone);
  return result;
}

/* convert(op(x)) -> op(convert(x)); returns the new conversion. */
static MlirOperation swapOnce(TileBuilder b, MlirOperation convert) {
  MlirOperation op = tileValueGetDefiningOp(mlirOperationGetOperand(convert, 0));
  MlirAttribute encoding = tileTypeGetEncoding(mlirValueGetType(mlirOperationGetResult(convert, 0)));
  MlirValue source = mlirOperationGetOperand(op, movingOperand(op));
  mlirRewriterBaseSetInsertionPointBefore(b, convert);
  MlirOperation next =
      tileGPUConvertLayoutOpCreate(b, mlirOperationGetLocation(convert),
                                   tileTypeWithEncoding(mlirValueGetType(source), encoding), source)
          .op;
  MlirValue result = cloneWith(b, op, mlirOperationGetResult(next, 0), convert);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(convert, 0), result);
  mlirRewriterBaseEraseOp(b, convert);
  mlirRewriterBaseEraseOp(b, op);
  return next;
}

void tilePipelineHoistConversions(TilePipeline *p) {
  TilePointerList converts = {.arena = p->arena};
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_ConvertLayout && comesFromLoad(p, op))
      tilePointerListAppend(&converts, op.ptr);
  for (size_t i = 0; i < converts.count; ++i) {
    MlirOperation convert = {(void *)converts.items[i]};
    while (comesFromLoad(p, convert))
      convert = swapOnce(p->b, convert);
  }
}
