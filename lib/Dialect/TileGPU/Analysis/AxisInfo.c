/* AxisInfo.c - forward data flow of axis claims through structured control flow. */
#include "AxisFlow.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include <stdlib.h>

enum {
  WidenRangesAfter = 3, ///< rounds of a loop after which a growing range becomes the type's
  GiveUpAfter = 10      ///< rounds after which what still changes is unknown
};

static void visitRegion(TileAxisInfo *info, MlirRegion region);

bool tileAxisTypeOf(MlirType type, TileAxisType *out) {
  int64_t shape[TileLayout_MaxRank];
  MlirType element = tileTypeGetElement(type);
  bool tensor = tileTypeIsTensor(type);
  int rank = tensor ? tileTypeGetShape(type, shape, TileLayout_MaxRank) : 0;
  if ((tensor && (rank < 1 || rank > TileLayout_MaxRank || !mlirShapedTypeHasStaticShape(type))))
    return false;
  for (int d = 0; d < rank; ++d)
    if (shape[d] < 1)
      return false;
  int32_t bits = 0;
  int64_t unit = 1;
  if (tilePtrTypeIsA(element)) {
    unit = (int64_t)tileElementTypeSize(tilePointeeElement(element));
  } else if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) <= 64) {
    bits = (int32_t)mlirIntegerTypeGetWidth(element);
  } else if (mlirTypeIsAIndex(element)) {
    bits = 64;
  } else if (tileElementTypeOf(element) == TileElementType_None) {
    return false;
  }
  *out = tileAxisType(rank, tensor ? shape : NULL, bits, unit);
  return true;
}

const TileAxis *tileAxisInfoOf(const TileAxisInfo *info, MlirValue value) {
  return value.ptr ? tilePointerMapFind(&info->facts, value.ptr) : NULL;
}

TileAxisDim tileAxisInfoGet(const TileAxisInfo *info, MlirValue value, int dim) {
  const TileAxis *axis = tileAxisInfoOf(info, value);
  return axis && dim >= 0 && dim < axis->type.rank ? axis->dims[dim] : (TileAxisDim){1, 1, 1, 1};
}

bool tileAxisInfoConstant(const TileAxisInfo *info, MlirValue value, int64_t *out_value) {
  const TileAxis *axis = tileAxisInfoOf(info, value);
  return axis && tileAxisIsConstant(axis, out_value);
}

int64_t tileAxisInfoMaxPrograms(const TileAxisInfo *info, int axis) {
  return axis >= 0 && axis < 3 ? info->maxPrograms[axis] : 1;
}

TileAxis axisValue(const TileAxisInfo *info, MlirValue value) {
  const TileAxis *known = tileAxisInfoOf(info, value);
  TileAxisType type;
  if (known)
    return *known;
  if (!tileAxisTypeOf(mlirValueGetType(value), &type))
    type = tileAxisType(1, NULL, 0, 1);
  return tileAxisUnknown(type);
}

TileAxis axisOperand(const TileAxisInfo *info, MlirOperation op, intptr_t i) {
  return axisValue(info, mlirOperationGetOperand(op, i));
}

static void store(TileAxisInfo *info, MlirValue value, TileAxis axis) {
  const AxisAssumption *a = tilePointerMapFind(&info->assumptions, value.ptr);
  if (a && axis.type.bits) {
    tileAxisHint(&axis, 0, 0, a->divisibility, 0);
    tileAxisRestrict(&axis, a->min, a->max);
  }
  TileAxis *place = tilePointerMapFind(&info->facts, value.ptr);
  if (!place)
    tilePointerMapSet(&info->facts, value.ptr, place = tileArenaAlloc(&info->arena, 1, sizeof *place));
  *place = axis;
}

static void storeUnknown(TileAxisInfo *info, MlirValue value) {
  TileAxisType type;
  if (tileAxisTypeOf(mlirValueGetType(value), &type))
    store(info, value, tileAxisUnknown(type));
}

static void storeJoin(TileAxisInfo *info, MlirValue value, MlirValue a, MlirValue b) {
  TileAxisType type;
  if (!tileAxisTypeOf(mlirValueGetType(value), &type))
    return;
  TileAxis x = axisValue(info, a), y = axisValue(info, b);
  store(info, value, tileAxisJoin(&x, &y));
}

static int64_t perDim(MlirAttribute hint, int32_t d) {
  if (!hint.ptr)
    return 0;
  if (mlirAttributeIsADenseI32Array(hint))
    return d < mlirDenseArrayGetNumElements(hint) ? mlirDenseI32ArrayGetElement(hint, d) : 0;
  return mlirAttributeIsAInteger(hint) ? tileIntegerAttrValue(hint) : 0;
}

static void applyHints(TileAxis *axis, MlirAttribute contiguity, MlirAttribute divisibility,
                       MlirAttribute constancy) {
  if (!contiguity.ptr && !divisibility.ptr && !constancy.ptr)
    return;
  for (int32_t d = 0; d < axis->type.rank; ++d)
    tileAxisHint(axis, d, perDim(contiguity, d), perDim(divisibility, d), perDim(constancy, d));
}

static MlirAttribute hintOf(MlirOperation op, const char *name) {
  return mlirOperationGetDiscardableAttributeByName(op, tileStr(name));
}

static void visitSimple(TileAxisInfo *info, MlirOperation op) {
  for (intptr_t i = 0, n = mlirOperationGetNumResults(op); i < n; ++i) {
    TileAxisType type;
    MlirValue result = mlirOperationGetResult(op, i);
    if (!tileAxisTypeOf(mlirValueGetType(result), &type))
      continue;
    TileAxis axis = axisOfResult(info, op, i, type);
    if (i == 0)
      applyHints(&axis, hintOf(op, "tile.contiguity"), hintOf(op, "tile.divisibility"),
                 hintOf(op, "tile.constancy"));
    store(info, result, axis);
  }
}

static MlirOperation terminatorOf(MlirRegion region) {
  return mlirBlockGetTerminator(mlirRegionGetFirstBlock(region));
}

/* One more round for a loop-carried value: `next` is what another iteration gives. */
static TileAxis widened(const TileAxis *carried, const TileAxis *next, int round) {
  TileAxis joined = tileAxisJoin(carried, next);
  if (tileAxisEqual(&joined, carried))
    return joined;
  if (round >= GiveUpAfter)
    return tileAxisUnknown(carried->type);
  if (round >= WidenRangesAfter && joined.min < carried->min)
    joined.min = joined.min >= 0 ? 0 : tileAxisTypeMin(joined.type.bits);
  if (round >= WidenRangesAfter && joined.max > carried->max)
    joined.max = tileAxisTypeMax(joined.type.bits);
  return joined;
}

/* Joins operands first.. of the terminator into args first.. of the block; true if one changed. */
static bool carry(TileAxisInfo *info, MlirBlock block, intptr_t firstArg, MlirOperation from,
                  intptr_t firstOperand, intptr_t n, int round) {
  bool changed = false;
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue arg = mlirBlockGetArgument(block, firstArg + i);
    TileAxisType type;
    if (!tileAxisTypeOf(mlirValueGetType(arg), &type))
      continue;
    TileAxis before = axisValue(info, arg), next = axisOperand(info, from, firstOperand + i);
    store(info, arg, widened(&before, &next, round));
    changed |=
        !tileAxisEqual(&before, tileAxisInfoOf(info, arg)); // an assumption may have taken the growth back
  }
  return changed;
}

static void copyFact(TileAxisInfo *info, MlirValue to, MlirValue from) {
  TileAxisType type;
  if (tileAxisTypeOf(mlirValueGetType(to), &type))
    store(info, to, axisValue(info, from));
}

static void setInductionVariable(TileAxisInfo *info, SCFForOp loop, MlirValue iv) {
  TileAxis low = axisValue(info, scfForOpGetLowerBound(loop)),
           high = axisValue(info, scfForOpGetUpperBound(loop));
  TileAxis step = axisValue(info, scfForOpGetStep(loop));
  int64_t v = tileAxisDivisibilityOfAll(&low), s = tileAxisDivisibilityOfAll(&step);
  TileAxis axis = tileAxisUniform(low.type, v < s ? v : s);
  // Signed comparison: lower <= iv < upper. An unsigned one says the same if neither is negative.
  bool ordered = !scfForOpGetUnsignedCmp(loop) || (low.min >= 0 && high.min >= 0);
  if (ordered && high.max > low.min)
    tileAxisRestrict(&axis, low.min, high.max - 1);
  store(info, iv, axis);
}

static void visitFor(TileAxisInfo *info, MlirOperation op) {
  SCFForOp loop = scfForOpCast(op);
  MlirRegion region = scfForOpGetRegion(loop);
  MlirBlock body = mlirRegionGetFirstBlock(region);
  intptr_t n = scfForOpGetNumInitArgs(loop);
  setInductionVariable(info, loop, mlirBlockGetArgument(body, 0));
  for (intptr_t i = 0; i < n; ++i)
    copyFact(info, mlirBlockGetArgument(body, i + 1), scfForOpGetInitArgs(loop, i));
  for (int round = 0;; ++round) {
    visitRegion(info, region);
    if (!carry(info, body, 1, terminatorOf(region), 0, n, round))
      break;
  }
  for (intptr_t i = 0; i < n; ++i)
    storeJoin(info, mlirOperationGetResult(op, i), scfForOpGetInitArgs(loop, i),
              mlirOperationGetOperand(terminatorOf(region), i));
}

static void visitWhile(TileAxisInfo *info, MlirOperation op) {
  SCFWhileOp loop = scfWhileOpCast(op);
  MlirRegion before = scfWhileOpGetBefore(loop), after = scfWhileOpGetAfter(loop);
  MlirBlock beforeBlock = mlirRegionGetFirstBlock(before), afterBlock = mlirRegionGetFirstBlock(after);
  intptr_t inits = scfWhileOpGetNumInits(loop), results = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < inits; ++i)
    copyFact(info, mlirBlockGetArgument(beforeBlock, i), scfWhileOpGetInits(loop, i));
  for (int round = 0;; ++round) {
    visitRegion(info, before);
    for (intptr_t i = 0; i < results; ++i) // operand 0 of the condition is the condition
      copyFact(info, mlirBlockGetArgument(afterBlock, i),
               mlirOperationGetOperand(terminatorOf(before), i + 1));
    visitRegion(info, after);
    if (!carry(info, beforeBlock, 0, terminatorOf(after), 0, inits, round))
      break;
  }
  for (intptr_t i = 0; i < results; ++i)
    copyFact(info, mlirOperationGetResult(op, i), mlirOperationGetOperand(terminatorOf(before), i + 1));
}

static void visitIf(TileAxisInfo *info, MlirOperation op) {
  SCFIfOp branch = scfIfOpCast(op);
  MlirRegion then = scfIfOpGetThenRegion(branch), otherwise = scfIfOpGetElseRegion(branch);
  visitRegion(info, then);
  visitRegion(info, otherwise);
  for (intptr_t i = 0, n = mlirOperationGetNumResults(op); i < n; ++i)
    storeJoin(info, mlirOperationGetResult(op, i), mlirOperationGetOperand(terminatorOf(then), i),
              mlirOperationGetOperand(terminatorOf(otherwise), i));
}

/* Arguments of a function: what `tile.divisibility` and the like say. */
static void setArguments(TileAxisInfo *info, MlirOperation op, MlirBlock block) {
  MlirAttribute all = mlirOperationGetAttributeByName(op, tileStr("arg_attrs"));
  for (intptr_t i = 0, n = mlirBlockGetNumArguments(block); i < n; ++i) {
    MlirValue arg = mlirBlockGetArgument(block, i);
    TileAxisType type;
    if (!tileAxisTypeOf(mlirValueGetType(arg), &type))
      continue;
    TileAxis axis = tileAxisUnknown(type);
    if (all.ptr && i < mlirArrayAttrGetNumElements(all)) {
      MlirAttribute hints = mlirArrayAttrGetElement(all, i);
      applyHints(&axis, mlirDictionaryAttrGetElementByName(hints, tileStr("tile.contiguity")),
                 mlirDictionaryAttrGetElementByName(hints, tileStr("tile.divisibility")),
                 mlirDictionaryAttrGetElementByName(hints, tileStr("tile.constancy")));
    }
    store(info, arg, axis);
  }
}

/* Operations with regions that the flow does not follow: nothing is known of what goes in or comes out. */
static void visitOpaque(TileAxisInfo *info, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirRegion region = mlirOperationGetRegion(op, r);
    for (MlirBlock b = mlirRegionGetFirstBlock(region); b.ptr; b = mlirBlockGetNextInRegion(b))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(b); ++i)
        storeUnknown(info, mlirBlockGetArgument(b, i));
    if (tileOpKind(op) == TileOp_Func_Func && mlirRegionGetFirstBlock(region).ptr)
      setArguments(info, op, mlirRegionGetFirstBlock(region));
    visitRegion(info, region);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    storeUnknown(info, mlirOperationGetResult(op, i));
}

static void visit(TileAxisInfo *info, MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_SCF_For:
    visitFor(info, op);
    break;
  case TileOp_SCF_While:
    visitWhile(info, op);
    break;
  case TileOp_SCF_If:
    visitIf(info, op);
    break;
  default:
    if (mlirOperationGetNumRegions(op))
      visitOpaque(info, op);
    else
      visitSimple(info, op);
  }
}

static void visitRegion(TileAxisInfo *info, MlirRegion region) {
  for (MlirBlock b = mlirRegionGetFirstBlock(region); b.ptr; b = mlirBlockGetNextInRegion(b))
    for (MlirOperation op = mlirBlockGetFirstOperation(b); op.ptr; op = mlirOperationGetNextInBlock(op))
      visit(info, op);
}

TileAxisInfo *tileAxisInfoCreate(MlirOperation func) {
  TileArena arena = {0};
  TileAxisInfo *info = tileArenaAlloc(&arena, 1, sizeof *info);
  info->arena = arena;
  info->facts.arena = info->assumptions.arena = &info->arena;
  axisCollectAssumptions(info, func);
  visit(info, func);
  return info;
}

void tileAxisInfoRelease(TileAxisInfo *info) {
  if (!info)
    return;
  TileArena arena = info->arena; // `info` itself lives in it
  tileArenaRelease(&arena);
}
