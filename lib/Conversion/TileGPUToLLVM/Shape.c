/* Shape.c - ops that only say where elements come from: they cost no instruction when the layouts agree. */
#include "Lowering.h"
#include "tile-c/Dialect/Arith.h"
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
  if (tileFailed(tileRegisterCount(l, op, mlirValueGetType(result), &count)))
    return tileFailure();
  TileRegisters r = tileNewRegisters(l, count);
  for (intptr_t i = 0; i < count; ++i)
    r.values[i] = source.values[0];
  tileBind(l, result, r);
  return tileSuccess();
}

/* The largest of a thread's numbers, by pairs: one after the other, each would wait for the one before. */
static MlirValue largest(TileLowering *l, const MlirValue *values, intptr_t n) {
  if (n == 1)
    return values[0];
  MlirValue low = largest(l, values, n / 2), high = largest(l, values + n / 2, n - n / 2);
  return tileEmit2(l, TileOp_LLVM_MaxNum, low, high);
}

/* Whether any number is above (or at) a bound that is the same for all: the largest that is a number is. Null: it asks
 * something else. */
static MlirValue anyAbove(TileLowering *l, MlirValue mask) {
  const MlirValue none = {NULL};
  ArithCmpFOp compare = arithCmpFOpCast(tileValueGetDefiningOp(mask));
  if (arithCmpFOpIsNull(compare))
    return none;
  const ArithCmpFPredicate p = arithCmpFOpGetPredicate(compare);
  TileRegisters x = tileRegistersOf(l, arithCmpFOpGetLhs(compare)),
                bound = tileRegistersOf(l, arithCmpFOpGetRhs(compare));
  if ((p != ArithCmpFPredicate_OGE && p != ArithCmpFPredicate_OGT) ||
      !mlirTypeIsAF32(tileTypeGetElement(mlirValueGetType(arithCmpFOpGetLhs(compare)))))
    return none;
  for (intptr_t i = 1; i < bound.count; ++i)
    if (bound.values[i].ptr != bound.values[0].ptr)
      return none;
  return tileEmitFCmp(l, (LLVMFCmpPredicate)p, largest(l, x.values, x.count), bound.values[0]);
}

/* Whether any number of 32 bits has no sign: all bits together have none then. Null: it asks something else. */
static MlirValue anyUnsigned(TileLowering *l, MlirValue mask) {
  ArithCmpIOp compare = arithCmpIOpCast(tileValueGetDefiningOp(mask));
  const MlirValue none = {NULL};
  if (arithCmpIOpIsNull(compare) || arithCmpIOpGetPredicate(compare) != ArithCmpIPredicate_sge)
    return none;
  int64_t bound;
  MlirValue x = arithCmpIOpGetLhs(compare);
  if (!tileValueConstantInt(arithCmpIOpGetRhs(compare), &bound) || bound ||
      tileElementTypeOf(mlirValueGetType(x)) != TileElementType_I32)
    return none;
  TileRegisters bits = tileRegistersOf(l, x);
  MlirValue all = bits.values[0];
  for (intptr_t i = 1; i < bits.count; ++i)
    all = tileEmit2(l, TileOp_LLVM_And, all, bits.values[i]);
  return tileEmitICmp(l, LLVMICmpPredicate_sge, all, tileEmitI32(l, 0));
}

/* The number that stands for those that are to be equal to values[i]. */
static intptr_t groupOf(const intptr_t *group, intptr_t i) {
  while (group[i] != i)
    i = group[i];
  return i;
}

static intptr_t placeOf(const MlirValue *values, intptr_t *n, MlirValue v) {
  for (intptr_t i = 0; i < *n; ++i)
    if (values[i].ptr == v.ptr)
      return i;
  return (*n)++;
}

/* Whether any two numbers of 32 bits differ, pair by pair. Pairs that follow from others are not looked at: of rows and columns each has to
 * be equal to the first. Null: it asks something else. */
static MlirValue anyDiffers(TileLowering *l, MlirValue mask) {
  enum { MOST = 64 };
  ArithCmpIOp compare = arithCmpIOpCast(tileValueGetDefiningOp(mask));
  MlirValue values[2 * MOST], all = {NULL};
  intptr_t group[2 * MOST], n = 0;
  if (arithCmpIOpIsNull(compare) || arithCmpIOpGetPredicate(compare) != ArithCmpIPredicate_ne ||
      tileElementTypeOf(mlirValueGetType(arithCmpIOpGetLhs(compare))) != TileElementType_I32)
    return all;
  TileRegisters x = tileRegistersOf(l, arithCmpIOpGetLhs(compare)),
                y = tileRegistersOf(l, arithCmpIOpGetRhs(compare));
  if (x.count > MOST || x.count != y.count)
    return all;
  for (intptr_t i = 0; i < x.count; ++i) {
    intptr_t at[2];
    for (int k = 0; k < 2; ++k) {
      const MlirValue v = k ? y.values[i] : x.values[i];
      const intptr_t known = n;
      at[k] = placeOf(values, &n, v);
      if (at[k] == known) {
        values[known] = v;
        group[known] = known;
      }
      at[k] = groupOf(group, at[k]);
    }
    if (at[0] == at[1])
      continue;
    group[at[1]] = at[0];
    MlirValue differ = tileEmit2(l, TileOp_LLVM_XOr, x.values[i], y.values[i]);
    all = all.ptr ? tileEmit2(l, TileOp_LLVM_Or, all, differ) : differ;
  }
  return tileEmitICmp(l, LLVMICmpPredicate_ne, all.ptr ? all : tileEmitI32(l, 0), tileEmitI32(l, 0));
}

MlirValue tileEmitAny(TileLowering *l, MlirValue mask) {
  MlirValue any = anyAbove(l, mask);
  any = any.ptr ? any : anyUnsigned(l, mask);
  any = any.ptr ? any : anyDiffers(l, mask);
  if (any.ptr)
    return any;
  TileRegisters registers = tileRegistersOf(l, mask);
  any = registers.values[0];
  for (intptr_t i = 1; i < registers.count; ++i)
    any = tileEmit2(l, TileOp_LLVM_Or, any, registers.values[i]);
  return any;
}

MlirLogicalResult tileLowerAny(TileLowering *l, MlirOperation op) {
  MlirValue any = tileEmitAny(l, mlirOperationGetOperand(op, 0));
  // Of all lanes, so that they stay together.
  if (l->hooks->voteAny && mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.warp")).ptr)
    any = l->hooks->voteAny(l, any);
  tileBindOne(l, mlirOperationGetResult(op, 0), any);
  return tileSuccess();
}

MlirLogicalResult tileLowerUnsplat(TileLowering *l, MlirOperation op) {
  TileRegisters source = tileRegistersOf(l, mlirOperationGetOperand(op, 0));
  tileBindOne(l, mlirOperationGetResult(op, 0), source.values[0]);
  return tileSuccess();
}

/* Binds a result (layout `to`) to registers `in`, seen with layout `from`; both of one shape. */
static MlirLogicalResult bindMoved(TileLowering *l, MlirOperation op, intptr_t result, TileRegisters in,
                                   const TileLayout *from, const TileLayout *to) {
  TileConversion conversion;
  if (!tileLayoutConversion(from, to, &conversion))
    return TILE_BUG(op, "the source's layout does not hold every element of the result");
  if (conversion.kind > TileConversion_Register)
    return tileEmitOpError(op, "is not supported yet where it moves data between %ss",
                           tileConversionKindName(conversion.kind));
  TileRegisters r = tileNewRegisters(l, (intptr_t)tileLayoutNumRegisters(to));
  for (intptr_t i = 0; i < r.count; ++i)
    r.values[i] = in.values[tileConversionSourceRegister(&conversion, i)];
  tileBind(l, mlirOperationGetResult(op, result), r);
  return tileSuccess();
}

static TileRegisters operandOf(TileLowering *l, MlirOperation op) {
  return tileRegistersOf(l, mlirOperationGetOperand(op, 0));
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
  return bindMoved(l, op, 0, operandOf(l, op), &from, &to);
}

MlirLogicalResult tileLowerBroadcast(TileLowering *l, MlirOperation op) {
  TileLayout from, to;
  int64_t shape[TileLayout_MaxRank];
  if (tileFailed(layoutsOf(op, &from, &to)))
    return tileFailure();
  tileTypeGetShape(mlirValueGetType(mlirOperationGetOperand(op, 0)), shape, TileLayout_MaxRank);
  if (!tileLayoutClip(&to, shape, &to))
    return TILE_BUG(op, "cannot clip the layout");
  return bindMoved(l, op, 0, operandOf(l, op), &from, &to);
}

MlirLogicalResult tileLowerReshape(TileLowering *l, MlirOperation op) {
  TileLayout from, to;
  int64_t shape[TileLayout_MaxRank];
  if (tileFailed(layoutsOf(op, &from, &to)))
    return tileFailure();
  int rank = tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(op, 0)), shape, TileLayout_MaxRank);
  if (!tileLayoutReshape(&from, shape, rank, &from))
    return TILE_BUG(op, "cannot reshape the layout");
  return bindMoved(l, op, 0, operandOf(l, op), &from, &to);
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
  return bindMoved(l, op, 0, operandOf(l, op), &from, &to);
}

/* Register 2 * i of the joined layout is register i of the first operand, 2 * i + 1 of the second. */
MlirLogicalResult tileLowerJoin(TileLowering *l, MlirOperation op) {
  TileLayout from, to;
  TileRegisters halves[] = {operandOf(l, op), tileRegistersOf(l, mlirOperationGetOperand(op, 1))};
  if (tileFailed(layoutsOf(op, &from, &to)))
    return tileFailure();
  if (!tileLayoutJoin(&from, &from) || halves[0].count != halves[1].count)
    return TILE_BUG(op, "cannot join the operands' layouts");
  TileRegisters in = tileNewRegisters(l, 2 * halves[0].count);
  for (intptr_t i = 0; i < in.count; ++i)
    in.values[i] = halves[i & 1].values[i >> 1];
  return bindMoved(l, op, 0, in, &from, &to);
}

/* A result's registers are every second one of a join of its layout. */
MlirLogicalResult tileLowerSplit(TileLowering *l, MlirOperation op) {
  TileLayout from, half, to;
  TileConversion conversion;
  TileRegisters in = operandOf(l, op);
  if (tileFailed(layoutsOf(op, &from, &half)))
    return tileFailure();
  if (!tileLayoutJoin(&half, &to) || !tileLayoutConversion(&from, &to, &conversion) ||
      conversion.kind > TileConversion_Register)
    return tileEmitOpError(op, "got an operand whose last dimension is not held by registers, expected it "
                               "(run tile-gpu-assign-layouts before)");
  for (intptr_t r = 0; r < 2; ++r) {
    TileRegisters out = tileNewRegisters(l, (intptr_t)tileLayoutNumRegisters(&half));
    for (intptr_t i = 0; i < out.count; ++i)
      out.values[i] = in.values[tileConversionSourceRegister(&conversion, 2 * i + r)];
    tileBind(l, mlirOperationGetResult(op, r), out);
  }
  return tileSuccess();
}

MlirLogicalResult tileLowerCat(TileLowering *l, MlirOperation op) {
  TileLayout from, to;
  TileRegisters low = operandOf(l, op), high = tileRegistersOf(l, mlirOperationGetOperand(op, 1));
  if (tileFailed(layoutsOf(op, &from, &to)))
    return tileFailure();
  if (!tileLayoutCat(&from, 0, &from) || low.count != high.count)
    return TILE_BUG(op, "cannot concatenate the operands' layouts");
  TileRegisters in = tileNewRegisters(l, 2 * low.count);
  for (intptr_t i = 0; i < low.count; ++i) {
    in.values[i] = low.values[i];
    in.values[low.count + i] = high.values[i];
  }
  return bindMoved(l, op, 0, in, &from, &to);
}

MlirLogicalResult tileLowerConvertLayout(TileLowering *l, MlirOperation op) {
  TileLayout from, to;
  TileConvertPlan plan;
  MlirValue source = mlirOperationGetOperand(op, 0);
  if (tileFailed(layoutsOf(op, &from, &to)))
    return tileFailure();
  if (!tileConvertPlanOf(op, &from, &to, l->target, &plan))
    return tileLowerNotSupported(l, op);
  if (plan.conversion.kind <= TileConversion_Register)
    return bindMoved(l, op, 0, operandOf(l, op), &from, &to);
  TileRegisters out = tileNewRegisters(l, (intptr_t)tileLayoutNumRegisters(&to));
  if (tileFailed(tileEmitConversion(l, op, tileRegistersOf(l, source), &plan, &to, out)))
    return tileFailure();
  tileBind(l, mlirOperationGetResult(op, 0), out);
  return tileSuccess();
}
