/* SkipMasks.c - tile-gpu-skip-masks: blocks of a product that lie inside a mask as a whole are not masked.
 *
 *   %col = arith.addi (tile.splat %j), %range                       // %range: 0 .. 63
 *   %in = arith.cmpi sle, %col, (arith.addi (tile.splat %m0), %rows)  // %rows: 0 .. 127
 *   %t = arith.select %in, %s, %low : tensor<128x64xf32>
 * becomes
 *   %all = arith.cmpi sle, %j + 63, %m0 + 0                          // in i64: and neither sum wraps around
 *   %t = scf.if %all {
 *     scf.yield %s
 *   } else {
 *     (%col, %in again)
 *     scf.yield (arith.select %in, %s, %low)
 *   }
 *
 * In attention only the blocks at the diagonal, at the edge of a window and behind the last key pay for their masks. An
 * op that takes a selection between two constants goes with it. Selections of what is rarely needed become branches too
 * (RareBranches.h).
 *
 * requires: layouts; tile-gpu-prefetch has run. ensures: the same results. */
#include "RareBranches.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

enum { MIN_REGISTERS = 16, MAX_DEPTH = 24 };

typedef struct Skip {
  TileBuilder b;
  TileArena *arena;
  MlirContext context;
  MlirLocation loc;
  MlirType i1, i64;
  MlirValue exact; ///< that sums which have to be exact do not wrap around; null: nothing asked yet
} Skip;

/* Scalars of i64 between which all elements lie, if the integers' own arithmetic does not wrap around. */
typedef struct Bounds {
  MlirValue low, high;
} Bounds;

static MlirValue number(Skip *s, int64_t n) {
  return arithConstantOpGetResult(arithConstantOpCreate(s->b, s->loc, s->i64, mlirIntegerAttrGet(s->i64, n)));
}
static MlirValue truth(Skip *s, bool v) {
  return arithConstantOpGetResult(arithConstantOpCreate(s->b, s->loc, s->i1, mlirIntegerAttrGet(s->i1, v)));
}

/* x and y are of i64 or of i1, as the result is. */
static MlirValue binary(Skip *s, TileOpKind kind, MlirValue x, MlirValue y) {
  return tileCreateOp2(s->b, s->loc, kind, x, y);
}
static MlirValue sum(Skip *s, MlirValue x, MlirValue y) { return binary(s, TileOp_Arith_AddI, x, y); }
static MlirValue less(Skip *s, MlirValue x, MlirValue y) { return binary(s, TileOp_Arith_SubI, x, y); }
static MlirValue both(Skip *s, MlirValue x, MlirValue y) {
  return x.ptr && y.ptr ? binary(s, TileOp_Arith_AndI, x, y) : x.ptr ? x : y;
}
static MlirValue either(Skip *s, MlirValue x, MlirValue y) {
  return x.ptr && y.ptr ? binary(s, TileOp_Arith_OrI, x, y) : x.ptr ? x : y;
}
static MlirValue compare(Skip *s, ArithCmpIPredicate p, MlirValue x, MlirValue y) {
  return arithCmpIOpGetResult(arithCmpIOpCreate(s->b, s->loc, s->i1, x, y, tileI64Attr(s->context, p)));
}

// ---- Bounds of integers ----

static bool isI32(MlirValue v) { return tileElementTypeOf(mlirValueGetType(v)) == TileElementType_I32; }

/* Sums are taken modulo 2^32: one that is in range is exact. */
static void needExact(Skip *s, const Bounds *x) {
  MlirValue low = compare(s, ArithCmpIPredicate_sge, x->low, number(s, INT32_MIN));
  MlirValue high = compare(s, ArithCmpIPredicate_sle, x->high, number(s, INT32_MAX));
  s->exact = both(s, s->exact, both(s, low, high));
}

static bool boundsOf(Skip *s, MlirValue v, int depth, Bounds *out);

static bool boundsOfTwo(Skip *s, MlirOperation op, int depth, Bounds *out) {
  Bounds x, y;
  if (!boundsOf(s, mlirOperationGetOperand(op, 0), depth, &x) ||
      !boundsOf(s, mlirOperationGetOperand(op, 1), depth, &y))
    return false;
  switch (tileOpKind(op)) {
  case TileOp_Arith_AddI:
    *out = (Bounds){sum(s, x.low, y.low), sum(s, x.high, y.high)};
    return true;
  case TileOp_Arith_SubI:
    *out = (Bounds){less(s, x.low, y.high), less(s, x.high, y.low)};
    return true;
  default: /* minsi, maxsi */
    needExact(s, &x);
    needExact(s, &y);
    *out = (Bounds){binary(s, tileOpKind(op), x.low, y.low), binary(s, tileOpKind(op), x.high, y.high)};
    return true;
  }
}

static bool boundsOf(Skip *s, MlirValue v, int depth, Bounds *out) {
  MlirOperation op = tileValueGetDefiningOp(v);
  int64_t constant;
  if (!isI32(v) || depth > MAX_DEPTH)
    return false;
  if (tileValueConstantInt(v, &constant)) {
    out->low = out->high = number(s, constant);
    return true;
  }
  if (!tileTypeIsTensor(mlirValueGetType(v))) {
    out->low = out->high = arithExtSIOpGetOut(arithExtSIOpCreate(s->b, s->loc, s->i64, v));
    return true;
  }
  switch (op.ptr ? tileOpKind(op) : TileOp_None) {
  case TileOp_Tile_MakeRange:
    *out = (Bounds){number(s, tileMakeRangeOpGetStart(tileMakeRangeOpCast(op))),
                    number(s, (int64_t)tileMakeRangeOpGetEnd(tileMakeRangeOpCast(op)) - 1)};
    return true;
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Trans:
  case TileOp_TileGPU_ConvertLayout:
    return boundsOf(s, mlirOperationGetOperand(op, 0), depth + 1, out);
  case TileOp_Arith_AddI:
  case TileOp_Arith_MaxSI:
  case TileOp_Arith_MinSI:
  case TileOp_Arith_SubI:
    return boundsOfTwo(s, op, depth + 1, out);
  default:
    return false;
  }
}

// ---- Masks that are the same everywhere ----

static ArithCmpIPredicate inverse(ArithCmpIPredicate p) {
  static const ArithCmpIPredicate other[] = {
      ArithCmpIPredicate_ne,  ArithCmpIPredicate_eq,  ArithCmpIPredicate_sge, ArithCmpIPredicate_sgt,
      ArithCmpIPredicate_sle, ArithCmpIPredicate_slt, ArithCmpIPredicate_uge, ArithCmpIPredicate_ugt,
      ArithCmpIPredicate_ule, ArithCmpIPredicate_ult};
  return other[p];
}

/* A condition under which all comparisons hold. */
static MlirValue allCompare(Skip *s, ArithCmpIOp op, bool wanted) {
  Bounds x, y;
  ArithCmpIPredicate p = arithCmpIOpGetPredicate(op);
  p = wanted ? p : inverse(p);
  if (p < ArithCmpIPredicate_slt || p > ArithCmpIPredicate_sge ||
      !boundsOf(s, arithCmpIOpGetLhs(op), 0, &x) || !boundsOf(s, arithCmpIOpGetRhs(op), 0, &y))
    return (MlirValue){NULL};
  needExact(s, &x);
  needExact(s, &y);
  bool isBelow = p == ArithCmpIPredicate_slt || p == ArithCmpIPredicate_sle;
  return isBelow ? compare(s, p, x.high, y.low) : compare(s, p, x.low, y.high);
}

static MlirValue all(Skip *s, MlirValue mask, bool wanted, int depth);

static MlirValue allOfTwo(Skip *s, MlirOperation op, bool wanted, int depth) {
  MlirValue x = all(s, mlirOperationGetOperand(op, 0), wanted, depth),
            y = all(s, mlirOperationGetOperand(op, 1), wanted, depth);
  if ((tileOpKind(op) == TileOp_Arith_OrI) == wanted)
    return either(s, x, y); // one of the two is enough
  return x.ptr && y.ptr ? both(s, x, y) : (MlirValue){NULL};
}

/* A scalar that is true only if all elements of `mask` are `wanted`; null if none is found. */
static MlirValue all(Skip *s, MlirValue mask, bool wanted, int depth) {
  MlirOperation op = tileValueGetDefiningOp(mask);
  int64_t constant;
  if (depth > MAX_DEPTH)
    return (MlirValue){NULL};
  if (tileValueConstantInt(mask, &constant))
    return truth(s, (constant != 0) == wanted);
  if (!tileTypeIsTensor(mlirValueGetType(mask)))
    return wanted ? mask : binary(s, TileOp_Arith_XOrI, mask, truth(s, true));
  switch (op.ptr ? tileOpKind(op) : TileOp_None) {
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Trans:
  case TileOp_TileGPU_ConvertLayout:
    return all(s, mlirOperationGetOperand(op, 0), wanted, depth + 1);
  case TileOp_Arith_AndI:
  case TileOp_Arith_OrI:
    return allOfTwo(s, op, wanted, depth + 1);
  case TileOp_Arith_XOrI:
    if (tileValueConstantInt(mlirOperationGetOperand(op, 1), &constant) && constant)
      return all(s, mlirOperationGetOperand(op, 0), !wanted, depth + 1);
    return (MlirValue){NULL};
  case TileOp_Arith_CmpI:
    return allCompare(s, arithCmpIOpCast(op), wanted);
  default:
    return (MlirValue){NULL};
  }
}

// ---- The branch ----

/* Ops of a mask that move nothing between threads. */
static bool belongsToMask(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Arith_AddI:
  case TileOp_Arith_AndI:
  case TileOp_Arith_CmpI:
  case TileOp_Arith_MaxSI:
  case TileOp_Arith_MinSI:
  case TileOp_Arith_OrI:
  case TileOp_Arith_SubI:
  case TileOp_Arith_XOrI:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Splat:
    return true;
  default:
    return false;
  }
}

/* The value computed again at the insertion point, as far as the ops of its block go. */
static MlirValue again(Skip *s, TilePointerMap *copies, MlirBlock block, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || !mlirBlockEqual(mlirOperationGetBlock(op), block) || !belongsToMask(op))
    return v;
  void *known = tilePointerMapFind(copies, op.ptr);
  if (known)
    return mlirOperationGetResult((MlirOperation){known}, 0);
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, again(s, copies, block, mlirOperationGetOperand(op, i)));
  mlirRewriterBaseInsert(s->b, copy);
  tilePointerMapSet(copies, op.ptr, copy.ptr);
  return mlirOperationGetResult(copy, 0);
}

static void startBlock(Skip *s, MlirRegion region) {
  mlirRewriterBaseSetInsertionPointToEnd(s->b, tileRegionAddBlock(region));
}

/* `last` (the selection itself, or the only op that takes it) with another value in the place of the selection. */
static MlirValue lastWith(Skip *s, MlirOperation select, MlirOperation last, MlirValue chosen) {
  if (mlirOperationEqual(select, last))
    return chosen;
  MlirOperation copy = mlirOperationClone(last);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(last); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(last, i), mlirOperationGetResult(select, 0)))
      mlirOperationSetOperand(copy, i, chosen);
  mlirRewriterBaseInsert(s->b, copy);
  return mlirOperationGetResult(copy, 0);
}

static void branch(Skip *s, MlirOperation select, MlirOperation last, MlirValue condition, bool wanted) {
  MlirValue mask = mlirOperationGetOperand(select, 0), result = mlirOperationGetResult(last, 0);
  MlirType type = mlirValueGetType(result);
  mlirRewriterBaseSetInsertionPointBefore(s->b, last);
  SCFIfOp branch = scfIfOpCreate(s->b, s->loc, 1, &type, condition);
  startBlock(s, scfIfOpGetThenRegion(branch));
  MlirValue inside = lastWith(s, select, last, mlirOperationGetOperand(select, wanted ? 1 : 2));
  scfYieldOpCreate(s->b, s->loc, 1, &inside);
  startBlock(s, scfIfOpGetElseRegion(branch));
  TilePointerMap copies = {.arena = s->arena};
  MlirValue masks = again(s, &copies, mlirOperationGetBlock(select), mask);
  MlirOperation copy = mlirOperationClone(select);
  mlirOperationSetOperand(copy, 0, masks);
  mlirRewriterBaseInsert(s->b, copy);
  MlirValue outside = lastWith(s, select, last, mlirOperationGetResult(copy, 0));
  scfYieldOpCreate(s->b, s->loc, 1, &outside);
  mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(branch.op, 0));
  mlirRewriterBaseEraseOp(s->b, last);
  if (!mlirOperationEqual(select, last))
    mlirRewriterBaseEraseOp(s->b, select);
  TilePointerMap gone = {.arena = s->arena};
  tileEraseUnused(s->b, &gone, tileValueGetDefiningOp(mask));
}

static bool isConstant(MlirValue v) { return tileOpKind(tileValueGetDefiningOp(v)) == TileOp_Arith_Constant; }

/* The op that goes into the branch: of a selection between two constants the element-wise op that takes it. */
static MlirOperation lastOf(MlirOperation select) {
  MlirValue result = mlirOperationGetResult(select, 0);
  if (!isConstant(mlirOperationGetOperand(select, 1)) || !isConstant(mlirOperationGetOperand(select, 2)))
    return select;
  MlirOperation none = {NULL};
  MlirOperation user =
      tileValueHasOneUse(result) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(result)) : none;
  TileOpKind kind = user.ptr ? tileOpKind(user) : TileOp_None;
  bool fits = (kind == TileOp_Arith_AddF || kind == TileOp_Arith_MulF || kind == TileOp_Math_Fma) &&
              mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(select));
  return fits ? user : none;
}

static bool rewrite(Skip *s, MlirOperation select) {
  MlirValue mask = mlirOperationGetOperand(select, 0);
  MlirOperation last = lastOf(select);
  bool wanted = isConstant(mlirOperationGetOperand(select, 2));
  if (!last.ptr || !tileTypeIsTensor(mlirValueGetType(mask)) ||
      (!wanted && !isConstant(mlirOperationGetOperand(select, 1))))
    return false;
  TileLayout layout;
  if (!tileLayoutOfType(mlirValueGetType(mask), &layout) || tileLayoutNumRegisters(&layout) < MIN_REGISTERS)
    return false;
  s->loc = mlirOperationGetLocation(select);
  s->exact = (MlirValue){NULL};
  mlirRewriterBaseSetInsertionPointBefore(s->b, last);
  MlirValue condition = all(s, mask, wanted, 0);
  if (!condition.ptr)
    return false;
  branch(s, select, last, both(s, condition, s->exact), wanted);
  return true;
}

// ---- The pass ----

/* Selections in the bodies of loops with products. Those of warp groups stay open over what follows: branches that all threads take
 * alike do not disturb them. */
static MlirWalkResult collect(MlirOperation op, void *user) {
  if (tileOpKind(op) != TileOp_SCF_For)
    return MlirWalkResultAdvance;
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(scfForOpCast(op)));
  bool hasProduct = false;
  for (MlirOperation o = mlirBlockGetFirstOperation(body); o.ptr; o = mlirOperationGetNextInBlock(o))
    hasProduct |= tileOpKind(o) == TileOp_TileGPU_Mma || tileOpKind(o) == TileOp_TileGPU_Wgmma;
  for (MlirOperation o = mlirBlockGetFirstOperation(body); hasProduct && o.ptr;
       o = mlirOperationGetNextInBlock(o))
    if (tileOpKind(o) == TileOp_Arith_Select)
      tilePointerListAppend(user, o.ptr);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUSkipMasksRun(MlirOperation module, const TileGPUSkipMasksParams *params) {
  TileArena arena = {0};
  TilePointerList selections = {.arena = &arena};
  MlirContext context = mlirOperationGetContext(module);
  Skip s = {.b = mlirIRRewriterCreate(context),
            .arena = &arena,
            .context = context,
            .i1 = mlirIntegerTypeGet(context, 1),
            .i64 = mlirIntegerTypeGet(context, 64)};
  mlirOperationWalk(module, collect, &selections, MlirWalkPreOrder);
  for (size_t i = 0; i < selections.count; ++i) {
    MlirOperation select = {(void *)selections.items[i]};
    if (tileBranchIfRare(s.b, &arena, select))
      ++*params->numRare;
    else
      *params->numSkipped += rewrite(&s, select);
  }
  mlirIRRewriterDestroy(s.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
