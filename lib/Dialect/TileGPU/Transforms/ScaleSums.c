/* ScaleSums.c - tile-gpu-scale-sums: rows look for the largest of sums that are not scaled yet.
 *
 *   %y = scf.if %small { yield fma(%s, %f, %d * %g) } else {...}            // scores of attention and ALiBi's distances
 *   %w = scf.if %all { scf.yield %y } else { scf.yield (arith.select %in, %y, %low) }
 *   %m = tile.reduce %w axis = 1 {maxnumf}
 *   %e = arith.subf %w, %n                                                  // %n follows from %m
 * becomes
 *   %x, %h, %o = scf.if %small and %f > 0 {
 *     %x = math.fma (%d - %c), %g / %f, %s                                  // %c: tile_gpu.first of %d
 *     yield %x, %f, %c * %g
 *   } else {...; yield %y, 1, 0 }
 *   %u, %i, %p = scf.if %all { yield %x, %h, %o } else { yield (arith.select %in, fma(%x, %h, %o), %low), 1, 0 }
 *   %m = tile.reduce (math.fma (what each lane holds of %u, its maximum), %i, %p) axis = 1 {maxnumf}
 *   %e = math.fma %u, %i, %p - %n
 *
 * Small distances (tile_gpu.small) are one number of the thread and constants, which become part of the instruction that adds them: an element
 * takes one fused multiply-add for what was a sum, a product and a half of each. Threads have factors and offsets of their own, also
 * from branches, so that what a lane holds is converted before lanes meet. A sum without a branch of its own is unscaled where its factors are
 * known.
 *
 * requires: layouts; tile-gpu-skip-masks has run. ensures: no sum is scaled that such a maximum and such differences alone need. */
#include "Maxima.h"
#include "OpParts.h"
#include "OwnColumns.h"
#include "SkipMasks.h"
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Math.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/SmallNumbers.h"
#include "tile-c/Support/PointerMap.h"
#include <math.h>

enum { MOST_BRANCHES = 4 };

/* Numbers on their way to the maximum: x * factor + offset, f32 that may differ between threads. */
typedef struct Numbers {
  MlirValue x, factor, offset;
} Numbers;

typedef struct Sums {
  TileBuilder b;
  TileArena *arena;
  MlirLocation loc;
  MlirOperation reduce;
  MlirOperation sum;    ///< fma x, F, (D * G)
  MlirValue x, f, d, g; ///< F and G are the same everywhere
  TileOwnColumns columns;
} Sums;

// ---- The sum ----

static bool isUniform(MlirValue v) {
  return tileValueConstantNumber(v).ptr || tileOpIs(tileValueGetDefiningOp(v), TileOp_Tile_Splat);
}

/* fma(x, F, D * G), where F and G are the same everywhere and x is the sum of a product of warp groups. */
static bool findSum(Sums *s, MlirValue v, MlirBlock block) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!tileOpIs(op, TileOp_Math_Fma) || !mlirBlockEqual(mlirOperationGetBlock(op), block))
    return false;
  MlirOperation scaled = tileValueGetDefiningOp(mlirOperationGetOperand(op, 2));
  const int x = isUniform(mlirOperationGetOperand(op, 0)) ? 1 : 0;
  if (!tileOpIs(scaled, TileOp_Arith_MulF) || !isUniform(mlirOperationGetOperand(op, 1 - x)))
    return false;
  const int d = isUniform(mlirOperationGetOperand(scaled, 0)) ? 1 : 0;
  if (!isUniform(mlirOperationGetOperand(scaled, 1 - d)))
    return false;
  s->sum = op;
  s->x = mlirOperationGetOperand(op, x);
  s->f = mlirOperationGetOperand(op, 1 - x);
  s->d = mlirOperationGetOperand(scaled, d);
  s->g = mlirOperationGetOperand(scaled, 1 - d);
  return tileOpIs(tileValueGetDefiningOp(s->x), TileOp_TileGPU_WgmmaWait);
}

static MlirValue number(const Sums *s, double value) {
  MlirContext context = mlirLocationGetContext(s->loc);
  MlirType f32 = mlirF32TypeGet(context);
  return arithConstantOpGetResult(
      arithConstantOpCreate(s->b, s->loc, f32, mlirFloatAttrDoubleGet(context, f32, value)));
}

static MlirValue scalarOf(const Sums *s, MlirValue uniform) {
  MlirAttribute known = tileValueConstantNumber(uniform);
  return known.ptr ? number(s, mlirFloatAttrGetValueDouble(known))
                   : mlirOperationGetOperand(tileValueGetDefiningOp(uniform), 0);
}

static MlirValue compared(const Sums *s, MlirValue x, ArithCmpFPredicate predicate, double bound) {
  MlirContext context = mlirLocationGetContext(s->loc);
  return arithCmpFOpGetResult(arithCmpFOpCreate(s->b, s->loc, mlirIntegerTypeGet(context, 1), x,
                                                number(s, bound), tileI64Attr(context, predicate),
                                                (MlirAttribute){NULL}));
}

static MlirValue product(const Sums *s, MlirValue x, MlirValue y) {
  return tileCreateOp2(s->b, s->loc, TileOp_Arith_MulF, x, y);
}

static MlirValue everywhere(const Sums *s, MlirType type, MlirValue scalar) {
  return tileSplatOpGetResult(tileSplatOpCreate(s->b, s->loc, type, scalar));
}

/* x * factor + offset of scalars. */
static MlirValue scaled(const Sums *s, MlirValue x, MlirValue factor, MlirValue offset) {
  MlirType type = mlirValueGetType(x);
  return mathFmaOpGetResult(mathFmaOpCreate(s->b, s->loc, type, x, everywhere(s, type, factor),
                                            everywhere(s, type, offset), (MlirAttribute){NULL}));
}

/* The largest quotient with which no D becomes infinite that was not before. */
static double mostOf(MlirValue d) {
  MlirOperation op = tileValueGetDefiningOp(d);
  const bool isLimited =
      tileOpIs(op, TileOp_Arith_SIToFP) ||
      (tileOpIs(op, TileOp_Arith_ExtF) &&
       tileElementTypeOf(mlirValueGetType(mlirOperationGetOperand(op, 0))) == TileElementType_F16);
  return isLimited ? 0x1p60 : 1;
}

/* What G is at most: no product with an integer is infinite then. */
#define MOST_G 0x1p100
/* The least quotient of a G other than 0: it has all of its bits, and an infinite D stays so. */
#define LEAST_QUOTIENT 0x1p-100

static MlirValue sizeOf(const Sums *s, MlirValue x) {
  return mathAbsFOpGetResult(mathAbsFOpCreate(s->b, s->loc, mlirValueGetType(x), x, (MlirAttribute){NULL}));
}

static MlirValue both(const Sums *s, MlirValue x, MlirValue y) {
  return tileCreateOp2(s->b, s->loc, TileOp_Arith_AndI, x, y);
}

/* G / F, and whether F is positive and finite, and G and the quotient neither too large nor, without being 0, too small. */
static MlirValue quotientOf(const Sums *s, MlirValue *out_holds) {
  MlirValue f = scalarOf(s, s->f), g = scalarOf(s, s->g),
            q = tileCreateOp2(s->b, s->loc, TileOp_Arith_DivF, g, f), size = sizeOf(s, q),
            isOrdered = both(s, compared(s, f, ArithCmpFPredicate_OGT, 0),
                             compared(s, f, ArithCmpFPredicate_OLT, HUGE_VAL)),
            isSmall = both(s, compared(s, sizeOf(s, g), ArithCmpFPredicate_OLE, MOST_G),
                           compared(s, size, ArithCmpFPredicate_OLE, mostOf(s->d))),
            isLarge = tileCreateOp2(s->b, s->loc, TileOp_Arith_OrI,
                                    compared(s, size, ArithCmpFPredicate_OGE, LEAST_QUOTIENT),
                                    compared(s, g, ArithCmpFPredicate_OEQ, 0));
  *out_holds = both(s, isOrdered, both(s, isSmall, isLarge));
  return q;
}

// ---- What a thread adds ----

/* Whether elements of a thread differ by constants: sums of rows and columns. */
static bool isLinear(MlirValue v, int depth) {
  enum { MOST_DEPTH = 8 };
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || depth == MOST_DEPTH)
    return false;
  switch (tileOpKind(op)) {
  case TileOp_Tile_MakeRange:
  case TileOp_Tile_Splat:
  case TileOp_Arith_Constant:
    return true;
  case TileOp_Arith_AddI:
  case TileOp_Arith_SubI:
    return isLinear(mlirOperationGetOperand(op, 0), depth + 1) &&
           isLinear(mlirOperationGetOperand(op, 1), depth + 1);
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
    return isLinear(mlirOperationGetOperand(op, 0), depth + 1);
  default:
    return false;
  }
}

/* D as a number of each thread, and what its elements are more than that: constants, where elements of a thread differ by such. The
 * number is null if nothing is known of them. */
static MlirValue apart(const Sums *s, MlirValue *out_number) {
  MlirOperation conversion = tileValueGetDefiningOp(s->d);
  MlirType f32 = mlirF32TypeGet(mlirLocationGetContext(s->loc));
  *out_number = (MlirValue){NULL};
  if (!tileOpIs(conversion, TileOp_Arith_SIToFP) ||
      !mlirOperationGetDiscardableAttributeByName(conversion, tileStr(TILE_SMALL)).ptr ||
      !isLinear(mlirOperationGetOperand(conversion, 0), 0))
    return s->d;
  MlirValue integers = mlirOperationGetOperand(conversion, 0);
  MlirType type = mlirValueGetType(integers);
  MlirValue first = tileGPUFirstOpGetResult(
                tileGPUFirstOpCreate(s->b, s->loc, tileTypeGetElement(type), integers)),
            more = tileCreateOp2(s->b, s->loc, TileOp_Arith_SubI, integers, everywhere(s, type, first));
  MlirOperation rest = mlirOperationClone(conversion);
  mlirOperationSetOperand(rest, 0, more);
  mlirRewriterBaseInsert(s->b, rest);
  *out_number = arithSIToFPOpGetOut(arithSIToFPOpCreate(s->b, s->loc, f32, first));
  return mlirOperationGetResult(rest, 0);
}

/* x + D * q, at the builder's place. */
static Numbers addUnscaled(const Sums *s, MlirValue q) {
  MlirType type = mlirValueGetType(s->x);
  MlirValue own, f = scalarOf(s, s->f), rest = apart(s, &own);
  MlirValue sum = mathFmaOpGetResult(
      mathFmaOpCreate(s->b, s->loc, type, rest, everywhere(s, type, q), s->x, (MlirAttribute){NULL}));
  return (Numbers){sum, f, own.ptr ? product(s, product(s, own, q), f) : number(s, 0)};
}

// ---- The branches ----

static bool isUsedInOnly(MlirValue v, MlirOperation parent) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!tileOpIsIn(mlirOpOperandGetOwner(use), parent))
      return false;
  return true;
}

static bool isInside(MlirValue uniform, MlirOperation branch) {
  return !tileValueConstantNumber(uniform).ptr && tileOpIsIn(tileValueGetDefiningOp(uniform), branch);
}

/* Whether a branch that is only a shorter way ends with the sum on its first side, of factors that stand in front of it. */
static bool findShortSum(Sums *s, SCFIfOp branch) {
  MlirRegion region = scfIfOpGetThenRegion(branch);
  return mlirOperationGetDiscardableAttributeByName(branch.op, tileStr(TILE_SHORTCUT)).ptr &&
         !tileRegionIsEmpty(region) &&
         findSum(s, mlirOperationGetOperand(tileRegionYield(region), 0), mlirRegionGetFirstBlock(region)) &&
         !isInside(s->f, branch.op) && !isInside(s->g, branch.op);
}

/* The branches that leave `v` as it is on one side, the last one first, up to where the sum is: in the last of them, or, where
 * `out_direct` says so, in front of it. Negative: nowhere. */
static int branchesOf(Sums *s, MlirValue v, SCFIfOp *out, bool *out_direct) {
  MlirBlock block = mlirOperationGetBlock(s->reduce);
  for (int n = 0; n < MOST_BRANCHES; ++n) {
    *out_direct = findSum(s, v, block);
    if (*out_direct)
      return n;
    MlirOperation op = tileValueGetDefiningOp(v);
    SCFIfOp branch = op.ptr ? scfIfOpCast(op) : (SCFIfOp){{NULL}};
    if (!op.ptr || scfIfOpIsNull(branch) || mlirOperationGetNumResults(op) != 1 ||
        !mlirBlockEqual(mlirOperationGetBlock(op), block))
      return -1;
    out[n] = branch;
    if (findShortSum(s, branch))
      return n + 1;
    const bool isThen = tileRegionIsEmpty(scfIfOpGetThenRegion(branch));
    if (!isThen && !tileRegionIsEmpty(scfIfOpGetElseRegion(branch)))
      return -1;
    v = mlirOperationGetOperand(
        tileRegionYield(isThen ? scfIfOpGetThenRegion(branch) : scfIfOpGetElseRegion(branch)), 0);
    if (!isUsedInOnly(v, op))
      return -1;
  }
  return -1;
}

static void yieldNumbers(const Sums *s, Numbers n) {
  const MlirValue values[] = {n.x, n.factor, n.offset};
  scfYieldOpCreate(s->b, s->loc, 3, values);
}

/* What a side yields that is scaled. */
static void yieldScaled(const Sums *s, MlirRegion side) {
  MlirOperation yield = tileRegionYield(side);
  mlirRewriterBaseSetInsertionPointBefore(s->b, yield);
  yieldNumbers(s, (Numbers){mlirOperationGetOperand(yield, 0), number(s, 1), number(s, 0)});
  mlirRewriterBaseEraseOp(s->b, yield);
}

static SCFIfOp branchOn(const Sums *s, MlirValue condition) {
  MlirType f32 = mlirF32TypeGet(mlirLocationGetContext(s->loc));
  const MlirType types[] = {mlirValueGetType(s->x), f32, f32};
  return scfIfOpCreate(s->b, s->loc, 3, types, condition);
}

static Numbers numbersOf(SCFIfOp branch) {
  return (Numbers){scfIfOpGetResults(branch, 0), scfIfOpGetResults(branch, 1), scfIfOpGetResults(branch, 2)};
}

/* The shorter way to the sum, which is taken where the factor is positive, too. */
static Numbers shortenSum(const Sums *s, SCFIfOp old) {
  MlirValue holds;
  mlirRewriterBaseSetInsertionPointBefore(s->b, old.op);
  MlirValue q = quotientOf(s, &holds);
  SCFIfOp branch = branchOn(s, both(s, scfIfOpGetCondition(old), holds));
  mlirRegionTakeBody(scfIfOpGetThenRegion(branch), scfIfOpGetThenRegion(old));
  mlirRegionTakeBody(scfIfOpGetElseRegion(branch), scfIfOpGetElseRegion(old));
  MlirOperation yield = tileRegionYield(scfIfOpGetThenRegion(branch));
  mlirRewriterBaseSetInsertionPointBefore(s->b, yield);
  yieldNumbers(s, addUnscaled(s, q));
  mlirRewriterBaseEraseOp(s->b, yield);
  yieldScaled(s, scfIfOpGetElseRegion(branch));
  return numbersOf(branch);
}

/* A branch that leaves the numbers as they are on one side: on the other one they are scaled first. */
static Numbers passOn(const Sums *s, SCFIfOp old, Numbers n) {
  const bool isThen = tileRegionIsEmpty(scfIfOpGetThenRegion(old));
  MlirRegion kept = isThen ? scfIfOpGetThenRegion(old) : scfIfOpGetElseRegion(old),
             other = isThen ? scfIfOpGetElseRegion(old) : scfIfOpGetThenRegion(old);
  MlirValue before = mlirOperationGetOperand(tileRegionYield(kept), 0);
  mlirRewriterBaseSetInsertionPointBefore(s->b, old.op);
  SCFIfOp branch = branchOn(s, scfIfOpGetCondition(old));
  MlirRegion keptNow = isThen ? scfIfOpGetThenRegion(branch) : scfIfOpGetElseRegion(branch),
             otherNow = isThen ? scfIfOpGetElseRegion(branch) : scfIfOpGetThenRegion(branch);
  mlirRegionTakeBody(otherNow, other);
  mlirRewriterBaseSetInsertionPointToStart(s->b, mlirRegionGetFirstBlock(otherNow));
  mlirValueReplaceAllUsesOfWith(before, scaled(s, n.x, n.factor, n.offset));
  yieldScaled(s, otherNow);
  mlirRewriterBaseSetInsertionPointToEnd(s->b, tileRegionAddBlock(keptNow));
  yieldNumbers(s, n);
  return numbersOf(branch);
}

// ---- The maximum and the differences ----

static void takeMaximum(const Sums *s, Numbers n) {
  mlirRewriterBaseSetInsertionPointBefore(s->b, s->reduce);
  MlirValue own = tileReduceOwn(s->b, s->reduce, n.x, &s->columns),
            old = mlirOperationGetResult(s->reduce, 0),
            whole = tileReduceAlong(s->b, s->reduce, scaled(s, own, n.factor, n.offset), 1,
                                    mlirValueGetType(old));
  mlirValueReplaceAllUsesOfWith(old, whole);
  mlirRewriterBaseEraseOp(s->b, s->reduce);
}

static void takeDifference(const Sums *s, MlirOperation difference, Numbers n) {
  const MlirAttribute none = {NULL};
  MlirType type = mlirValueGetType(n.x);
  mlirRewriterBaseSetInsertionPointBefore(s->b, difference);
  MlirValue y = tileCreateOp2(s->b, s->loc, TileOp_Arith_SubF, mlirOperationGetOperand(difference, 1),
                              everywhere(s, type, n.offset)),
            minus = arithNegFOpGetResult(arithNegFOpCreate(s->b, s->loc, type, y, none));
  mlirRewriterBaseReplaceOpWithOperation(
      s->b, difference,
      mathFmaOpCreate(s->b, s->loc, type, n.x, everywhere(s, type, n.factor), minus, none).op);
}

/* Whether F and the quotient are known numbers in range. */
static bool isKnown(const Sums *s, double *out_quotient) {
  MlirAttribute f = tileValueConstantNumber(s->f), g = tileValueConstantNumber(s->g);
  const double factor = f.ptr ? mlirFloatAttrGetValueDouble(f) : 0,
               other = g.ptr ? mlirFloatAttrGetValueDouble(g) : 0;
  *out_quotient = g.ptr && factor > 0 ? other / factor : HUGE_VAL;
  const double size = fabs(*out_quotient);
  return factor < HUGE_VAL && size <= mostOf(s->d) && fabs(other) <= MOST_G &&
         (size >= LEAST_QUOTIENT || other == 0);
}

static bool rewrite(Sums *s) {
  MlirValue numbers = mlirOperationGetOperand(s->reduce, 0);
  SCFIfOp branches[MOST_BRANCHES];
  TileLayout layout;
  bool isDirect;
  double quotient = 0;
  const int n = branchesOf(s, numbers, branches, &isDirect);
  if (n < 0 || (isDirect && !isKnown(s, &quotient)) ||
      tileReduceOpGetAxis(tileReduceOpCast(s->reduce)) != 1 || !tileIsForMaximum(numbers, s->reduce) ||
      !tileLayoutOfType(mlirValueGetType(numbers), &layout) || layout.rank != 2 ||
      !tileOwnColumnsOf(&layout, &s->columns))
    return false;
  s->loc = mlirOperationGetLocation(s->sum);
  if (isDirect)
    mlirRewriterBaseSetInsertionPointBefore(s->b, s->sum);
  Numbers found = isDirect ? addUnscaled(s, number(s, quotient)) : shortenSum(s, branches[n - 1]);
  for (int i = isDirect ? n : n - 1; i-- > 0;)
    found = passOn(s, branches[i], found);
  takeMaximum(s, found);
  while (!tileValueIsUnused(numbers))
    takeDifference(s, mlirOpOperandGetOwner(mlirValueGetFirstUse(numbers)), found);
  for (int i = 0; i < n; ++i)
    mlirRewriterBaseEraseOp(s->b, branches[i].op);
  if (isDirect) {
    TilePointerMap gone = {.arena = s->arena};
    tileEraseUnused(s->b, &gone, s->sum);
  }
  return true;
}

MlirLogicalResult tileGPUScaleSumsRun(MlirOperation module, const TileGPUScaleSumsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (target.info.vendor != TileVendor_NVIDIA)
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList found = {.arena = &arena};
  Sums s = {.b = mlirIRRewriterCreate(mlirOperationGetContext(module)), .arena = &arena};
  tileCollectMaxima(module, &found);
  for (size_t i = 0; i < found.count; ++i) {
    s.reduce = (MlirOperation){(void *)found.items[i]};
    *params->numScaled += rewrite(&s);
  }
  mlirIRRewriterDestroy(s.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
