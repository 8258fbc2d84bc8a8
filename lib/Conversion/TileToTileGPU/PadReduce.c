/* PadReduce.c - padding of ops that combine elements: added ones must not take part.
 *
 * A reduction whose body is one known op for each operand reads the op's neutral element in their place. In
 * any other, an operand more says which elements take part:
 *
 *   %r:2 = tile.reduce %x, %in axis = 0 {
 *   ^bb0(%a, %inA, %b, %inB):
 *     %c = (the body on %a, %b)
 *     %d = select %inB, %c, %a    %e = select %inA, %d, %b    %in = or %inA, %inB
 *     tile.yield %e, %in
 *
 * A body with loops or branches is not executed on elements that do not take part: nothing says that its loops
 * end there. */
#include "Padding.h"
#include "tile-c/Combiner.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/UB.h"

/* Gives all operands neutral elements; false if one of them has none. */
static bool fillNeutral(Padding *p, MlirOperation op, MlirValue inside) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirAttribute *neutral = tileArenaAlloc(p->arena, (size_t)n, sizeof *neutral);
  for (intptr_t i = 0; i < n; ++i) {
    MlirOperation by = tileCombinerOp(op, i);
    neutral[i] = by.ptr ? tileNeutralElement(tileOpKind(by), mlirValueGetType(mlirBlockGetArgument(body, i)))
                        : mlirAttributeGetNull();
    if (!neutral[i].ptr)
      return false;
  }
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue fill = padConstant(p, padTypeOf(op, i), neutral[i]);
    mlirOperationSetOperand(op, i, padSelect(p, inside, mlirOperationGetOperand(op, i), fill));
  }
  return true;
}

// ---- Bodies ----

static bool hasRegions(MlirBlock body) {
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (mlirOperationGetNumRegions(op))
      return true;
  return false;
}

static void moveBefore(MlirOperation first, MlirOperation last, MlirOperation before) {
  for (MlirOperation op = first, next; !mlirOperationEqual(op, last); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, before);
  }
}

static MlirOperation yieldIn(Padding *p, MlirRegion region, intptr_t n, const MlirValue *values) {
  MlirBlock block = tileRegionAddBlock(region);
  mlirRewriterBaseSetInsertionPointToEnd(p->b, block);
  return scfYieldOpCreate(p->b, p->loc, n, values).op;
}

static MlirValue undefined(Padding *p, MlirType type) {
  MlirAttribute value = mlirAttributeParseGet(p->context, tileStr("#ub.poison"));
  return ubPoisonOpGetResult(ubPoisonOpCreate(p->b, p->loc, type, value));
}

/* Wraps all of a body into `scf.if condition`; otherwise it yields what is undefined. */
static void guard(Padding *p, MlirBlock body, MlirOperation first, MlirValue condition) {
  MlirOperation yield = mlirBlockGetTerminator(body);
  intptr_t n = mlirOperationGetNumOperands(yield);
  MlirType *types = tileArenaAlloc(p->arena, (size_t)n, sizeof *types);
  MlirValue *values = tileArenaAlloc(p->arena, (size_t)n, sizeof *values);
  for (intptr_t i = 0; i < n; ++i) {
    values[i] = mlirOperationGetOperand(yield, i);
    types[i] = mlirValueGetType(values[i]);
  }
  mlirRewriterBaseSetInsertionPointBefore(p->b, yield);
  SCFIfOp branch = scfIfOpCreate(p->b, p->loc, n, types, condition);
  MlirOperation end = yieldIn(p, mlirOperationGetRegion(branch.op, 0), n, values);
  for (intptr_t i = 0; i < n; ++i) {
    mlirRewriterBaseSetInsertionPointBefore(p->b, branch.op);
    values[i] = undefined(p, types[i]);
  }
  MlirOperation stop = n ? tileValueGetDefiningOp(values[0]) : branch.op;
  yieldIn(p, mlirOperationGetRegion(branch.op, 1), n, values);
  moveBefore(first, stop, end);
  for (intptr_t i = 0; i < n; ++i)
    mlirOperationSetOperand(yield, i, mlirOperationGetResult(branch.op, i));
}

static MlirValue both(Padding *p, MlirValue a, MlirValue b, bool either) {
  MlirType i1 = mlirIntegerTypeGet(p->context, 1);
  return either ? arithOrIOpGetResult(arithOrIOpCreate(p->b, p->loc, i1, a, b))
                : arithAndIOpGetResult(arithAndIOpCreate(p->b, p->loc, i1, a, b));
}

/* Gives a combiner of n operands one more: whether an element takes part. */
static void carryPredicate(Padding *p, MlirBlock body, intptr_t n) {
  MlirType i1 = mlirIntegerTypeGet(p->context, 1);
  MlirValue inA = mlirBlockInsertArgument(body, n, i1, p->loc);
  MlirValue inB = mlirBlockAddArgument(body, i1, p->loc);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue *out = tileArenaAlloc(p->arena, (size_t)n + 1, sizeof *out);
  if (hasRegions(body)) {
    MlirOperation first = mlirBlockGetFirstOperation(body);
    mlirRewriterBaseSetInsertionPointBefore(p->b, first);
    guard(p, body, first, both(p, inA, inB, false));
  }
  mlirRewriterBaseSetInsertionPointBefore(p->b, yield);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue a = mlirBlockGetArgument(body, i), b = mlirBlockGetArgument(body, n + 1 + i);
    out[i] = padSelect(p, inA, padSelect(p, inB, mlirOperationGetOperand(yield, i), a), b);
  }
  out[n] = both(p, inA, inB, true);
  tileYieldOpCreate(p->b, mlirOperationGetLocation(yield), n + 1, out);
  mlirRewriterBaseEraseOp(p->b, yield);
}

// ---- Reduce and scan ----

static MlirOperation createLike(Padding *p, MlirOperation op, intptr_t n, const MlirType *types,
                                const MlirValue *srcs) {
  TileScanOp scan = tileScanOpCast(op);
  if (!tileScanOpIsNull(scan))
    return tileScanOpCreate(p->b, p->loc, n, types, n, srcs, tileScanOpGetAxisAttr(scan),
                            tileScanOpGetReverseAttr(scan))
        .op;
  TileReduceOp reduce = tileReduceOpCast(op);
  return tileReduceOpCreate(p->b, p->loc, n, types, n, srcs, tileReduceOpGetAxisAttr(reduce),
                            tileReduceOpGetContractAttr(reduce))
      .op;
}

/* A copy of the op with the predicate as its last operand takes its place. */
static void addPredicate(Padding *p, MlirOperation op, MlirValue inside) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirType *types = tileArenaAlloc(p->arena, (size_t)n + 1, sizeof *types);
  MlirValue *values = tileArenaAlloc(p->arena, (size_t)n + 1, sizeof *values);
  for (intptr_t i = 0; i < n; ++i) {
    values[i] = mlirOperationGetOperand(op, i);
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  }
  values[n] = inside;
  types[n] = tileTypeWithElement(types[0], mlirIntegerTypeGet(p->context, 1));
  MlirOperation by = createLike(p, op, n + 1, types, values);
  tileCopyDiscardableAttrs(op, by);
  mlirRegionTakeBody(mlirOperationGetRegion(by, 0), mlirOperationGetRegion(op, 0));
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetResult(by, i);
  mlirRewriterBaseReplaceOpWithValues(p->b, op, n, values);
  carryPredicate(p, mlirRegionGetFirstBlock(mlirOperationGetRegion(by, 0)), n);
}

static void exclude(Padding *p, MlirOperation op, int64_t axis) {
  MlirValue inside = padInside(p, padTypeOf(op, 0), 1u << axis);
  if (inside.ptr && !fillNeutral(p, op, inside))
    addPredicate(p, op, inside);
}

MlirLogicalResult padReduce(Padding *p, MlirOperation op) {
  exclude(p, op, tileReduceOpGetAxis(tileReduceOpCast(op)));
  return tileSuccess();
}

/* Forward, the added elements come last and change nothing before. */
MlirLogicalResult padScan(Padding *p, MlirOperation op) {
  TileScanOp scan = tileScanOpCast(op);
  if (tileScanOpGetReverse(scan) || hasRegions(mlirRegionGetFirstBlock(tileScanOpGetBody(scan))))
    exclude(p, op, tileScanOpGetAxis(scan));
  return tileSuccess();
}

// ---- map_elementwise ----

MlirLogicalResult padCheckPack(MlirOperation op, int64_t pack, MlirType type) {
  int64_t last = mlirShapedTypeGetDimSize(type, mlirShapedTypeGetRank(type) - 1);
  if (padSize(pack) == pack && last % pack == 0)
    return tileSuccess();
  return tileEmitOpError(op, "got pack = %lld, expected a power of two that divides the last dimension, %lld",
                         (long long)pack, (long long)last);
}

/* A body with loops is told which elements there are, as its last arguments. */
static void guardMap(Padding *p, MlirOperation op, int64_t pack) {
  intptr_t n = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  MlirType *types = tileArenaAlloc(p->arena, (size_t)results, sizeof *types);
  MlirValue *values = tileArenaAlloc(p->arena, (size_t)(n > results ? n : results) + 1, sizeof *values);
  MlirAttribute packAttr = tileMapElementwiseOpGetPackAttr(tileMapElementwiseOpCast(op));
  for (intptr_t i = 0; i < results; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetOperand(op, i);
  values[n] = padInside(p, padTypeOf(op, 0), ~0u);
  MlirOperation by = tileMapElementwiseOpCreate(p->b, p->loc, results, types, n + 1, values, packAttr).op;
  tileCopyDiscardableAttrs(op, by);
  mlirRegionTakeBody(mlirOperationGetRegion(by, 0), mlirOperationGetRegion(op, 0));
  for (intptr_t i = 0; i < results; ++i)
    values[i] = mlirOperationGetResult(by, i);
  mlirRewriterBaseReplaceOpWithValues(p->b, op, results, values);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(by, 0));
  MlirValue in = {NULL};
  for (int64_t i = 0; i < pack; ++i) {
    MlirValue added = mlirBlockAddArgument(body, mlirIntegerTypeGet(p->context, 1), p->loc);
    in = i ? in : added;
  }
  guard(p, body, mlirBlockGetFirstOperation(body), in);
}

MlirLogicalResult padMapElementwise(Padding *p, MlirOperation op) {
  TileMapElementwiseOp map = tileMapElementwiseOpCast(op);
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!n)
    return tileSuccess();
  TILE_TRY(padCheckPack(op, tileMapElementwiseOpGetPack(map), padTypeOf(op, 0)));
  if (hasRegions(mlirRegionGetFirstBlock(tileMapElementwiseOpGetBody(map))))
    guardMap(p, op, tileMapElementwiseOpGetPack(map));
  return tileSuccess();
}

// ---- Histogram and products ----

MlirLogicalResult padHistogram(Padding *p, MlirOperation op) {
  TileHistogramOp o = tileHistogramOpCast(op);
  MlirType result = mlirValueGetType(tileHistogramOpGetResult(o));
  MlirValue mask = padAnd(p, padInside(p, padTypeOf(op, 0), ~0u), tileHistogramOpGetMask(o));
  TileHistogramOp by = tileHistogramOpCreate(p->b, p->loc, result, tileHistogramOpGetSrc(o), mask);
  tileCopyDiscardableAttrs(op, by.op);
  mlirRewriterBaseReplaceOpWithOperation(p->b, op, by.op);
  return tileSuccess();
}

/* Zero in operand i beyond the end of dimension `dim`; -0 keeps a sum of zeros what it is. */
static void zeroAlong(Padding *p, MlirOperation op, intptr_t i, intptr_t dim, double zero) {
  MlirValue v = mlirOperationGetOperand(op, i);
  MlirType type = mlirValueGetType(v), element = tileTypeGetElement(type);
  MlirValue inside = padInside(p, type, 1u << dim);
  if (!inside.ptr)
    return;
  bool isSigned =
      tileNeutralElement(TileOp_Arith_AddF, element).ptr; /* a float with a zero of its own sign */
  MlirValue fill =
      isSigned ? padConstant(p, type, mlirFloatAttrDoubleGet(p->context, element, zero)) : padZero(p, type);
  mlirOperationSetOperand(op, i, padSelect(p, inside, v, fill));
}

MlirLogicalResult padDot(Padding *p, MlirOperation op) {
  intptr_t rank = mlirShapedTypeGetRank(padTypeOf(op, 0));
  zeroAlong(p, op, 0, rank - 1, -0.0);
  zeroAlong(p, op, 1, rank - 2, 0.0);
  return tileSuccess();
}

/* Scales of added groups are 1. */
static void oneAlong(Padding *p, MlirOperation op, MlirValue scale) {
  if (!scale.ptr)
    return;
  MlirType type = mlirValueGetType(scale), element = tileTypeGetElement(type);
  MlirValue inside = padInside(p, type, 1u << (mlirShapedTypeGetRank(type) - 1));
  if (!inside.ptr)
    return;
  MlirAttribute one = mlirTypeIsAFloat(element) ? mlirFloatAttrDoubleGet(p->context, element, 1.0)
                                                : mlirIntegerAttrGet(element, 127);
  MlirValue by = padSelect(p, inside, scale, padConstant(p, type, one));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(op, i), scale))
      mlirOperationSetOperand(op, i, by);
}

MlirLogicalResult padDotScaled(Padding *p, MlirOperation op) {
  TileDotScaledOp o = tileDotScaledOpCast(op);
  intptr_t rank = mlirShapedTypeGetRank(padTypeOf(op, 0));
  MlirValue a = tileDotScaledOpGetAScale(o), b = tileDotScaledOpGetBScale(o);
  zeroAlong(p, op, 0, rank - 1, 0.0);
  zeroAlong(p, op, 1, rank - 2, 0.0);
  oneAlong(p, op, a);
  if (b.ptr && (!a.ptr || !mlirValueEqual(a, b)))
    oneAlong(p, op, b);
  return tileSuccess();
}
