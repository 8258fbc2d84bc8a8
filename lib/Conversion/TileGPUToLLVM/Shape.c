/* Shape.c - ops that only say where elements come from: they cost no instruction when the layouts agree. */
#include "Lowering.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Scratch.h"

MlirLogicalResult tileLowerMakeRange(TileLowering *l, MlirOperation op) {
  TileMakeRangeOp range = tileMakeRangeOpCast(op);
  MlirValue result = tileMakeRangeOpGetResult(range);
  TileLayout layout;
  if (tileFailed(tileRequireLayout(op, result, &layout)))
    return tileFailure();
  MlirAttribute encoding = tileTypeGetEncoding(mlirValueGetType(result));
  int64_t start = tileMakeRangeOpGetStart(range);
  TileRegisters r = tileNewRegisters(l, (intptr_t)tileLayoutNumRegisters(&layout));
  for (intptr_t i = 0; i < r.count; ++i) {
    r.values[i] = tileEmitCoordinate(l, encoding, &layout, (int)i, 0);
    if (start)
      r.values[i] = tileEmit2(l, TileOp_LLVM_Add, r.values[i], tileEmitI32(l, start));
  }
  tileBind(l, result, r);
  return tileSuccess();
}

MlirLogicalResult tileLowerSplat(TileLowering *l, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  TileRegisters source = tileRegistersOf(l, mlirOperationGetOperand(op, 0));
  intptr_t count;
  if (tileFailed(tileRegisterCount(op, mlirValueGetType(result), &count)))
    return tileFailure();
  TileRegisters r = tileNewRegisters(l, count);
  for (intptr_t i = 0; i < count; ++i)
    r.values[i] = source.values[0];
  tileBind(l, result, r);
  return tileSuccess();
}

MlirLogicalResult tileLowerUnsplat(TileLowering *l, MlirOperation op) {
  TileRegisters source = tileRegistersOf(l, mlirOperationGetOperand(op, 0));
  tileBindOne(l, mlirOperationGetResult(op, 0), source.values[0]);
  return tileSuccess();
}

/* Binds the result (layout `to`) to the source's registers, seen with layout `from`; both of one shape. */
static MlirLogicalResult bindMoved(TileLowering *l, MlirOperation op, MlirValue source,
                                   const TileLayout *from, const TileLayout *to) {
  TileConversion conversion;
  if (!tileLayoutConversion(from, to, &conversion))
    return TILE_BUG(op, "the source's layout does not hold every element of the result");
  if (conversion.kind > TileConversion_Register)
    return tileEmitOpError(op, "is not supported yet where it moves data between %ss",
                           tileConversionKindName(conversion.kind));
  TileRegisters in = tileRegistersOf(l, source);
  TileRegisters r = tileNewRegisters(l, (intptr_t)tileLayoutNumRegisters(to));
  for (intptr_t i = 0; i < r.count; ++i)
    r.values[i] = in.values[tileConversionSourceRegister(&conversion, i)];
  tileBind(l, mlirOperationGetResult(op, 0), r);
  return tileSuccess();
}

/* Layouts of operand 0 and result 0. */
static MlirLogicalResult layoutsOf(MlirOperation op, TileLayout *from, TileLayout *to) {
  if (tileFailed(tileRequireLayout(op, mlirOperationGetOperand(op, 0), from)))
    return tileFailure();
  return tileRequireLayout(op, mlirOperationGetResult(op, 0), to);
}

MlirLogicalResult tileLowerExpandDims(TileLowering *l, MlirOperation op) {
  TileLayout from, to;
  if (tileFailed(layoutsOf(op, &from, &to)))
    return tileFailure();
  if (!tileLayoutExpandDims(&from, (int32_t)tileExpandDimsOpGetAxis(tileExpandDimsOpCast(op)), &from))
    return TILE_BUG(op, "cannot expand the layout");
  return bindMoved(l, op, mlirOperationGetOperand(op, 0), &from, &to);
}

MlirLogicalResult tileLowerBroadcast(TileLowering *l, MlirOperation op) {
  TileLayout from, to;
  int64_t shape[TileLayout_MaxRank];
  if (tileFailed(layoutsOf(op, &from, &to)))
    return tileFailure();
  tileTypeGetShape(mlirValueGetType(mlirOperationGetOperand(op, 0)), shape, TileLayout_MaxRank);
  if (!tileLayoutClip(&to, shape, &to))
    return TILE_BUG(op, "cannot clip the layout");
  return bindMoved(l, op, mlirOperationGetOperand(op, 0), &from, &to);
}

MlirLogicalResult tileLowerReshape(TileLowering *l, MlirOperation op) {
  TileLayout from, to;
  int64_t shape[TileLayout_MaxRank];
  if (tileFailed(layoutsOf(op, &from, &to)))
    return tileFailure();
  int rank = tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(op, 0)), shape, TileLayout_MaxRank);
  if (!tileLayoutReshape(&from, shape, rank, &from))
    return TILE_BUG(op, "cannot reshape the layout");
  return bindMoved(l, op, mlirOperationGetOperand(op, 0), &from, &to);
}

MlirLogicalResult tileLowerTrans(TileLowering *l, MlirOperation op) {
  TileTransOp trans = tileTransOpCast(op);
  TileLayout from, to;
  int32_t perm[TileLayout_MaxRank] = {0};
  if (tileFailed(layoutsOf(op, &from, &to)))
    return tileFailure();
  for (intptr_t i = 0; i < tileTransOpGetNumOrder(trans) && i < TileLayout_MaxRank; ++i)
    perm[i] = (int32_t)tileTransOpGetOrder(trans, i);
  if (!tileLayoutTranspose(&from, perm, &from))
    return TILE_BUG(op, "cannot transpose the layout");
  return bindMoved(l, op, mlirOperationGetOperand(op, 0), &from, &to);
}

MlirLogicalResult tileLowerConvertLayout(TileLowering *l, MlirOperation op) {
  TileLayout from, to;
  TileConvertPlan plan;
  MlirValue source = mlirOperationGetOperand(op, 0);
  if (tileFailed(layoutsOf(op, &from, &to)))
    return tileFailure();
  if (!tileConvertPlan(&from, &to, mlirValueGetType(source), l->target, &plan))
    return tileLowerNotSupported(l, op);
  if (plan.conversion.kind <= TileConversion_Register)
    return bindMoved(l, op, source, &from, &to);
  TileRegisters out = tileNewRegisters(l, (intptr_t)tileLayoutNumRegisters(&to));
  if (tileFailed(tileEmitConversion(l, op, tileRegistersOf(l, source), &plan, &to, out)))
    return tileFailure();
  tileBind(l, mlirOperationGetResult(op, 0), out);
  return tileSuccess();
}
