/* RisingMaxima.c - tile-gpu-rising-maxima: rows look for the largest of numbers of which a rising polynomial is not taken yet.
 *
 *   %y = scf.if (tile_gpu.any |%s| >= %b) {...} else { yield %s * P(%s * %s) }     // scores of attention under a soft cap
 *   %w = scf.if %masked { yield (arith.select %in, %y, %low) } else { yield %y }
 *   %m = tile.reduce %w axis = 1 {maxnumf}
 *   %e = arith.subf %w, %n                                                     // %n follows from %m
 * becomes
 *   %i, %u = (what each lane holds of %s's bits: the largest as signed and as unsigned integers)
 *   %t, %o, %p... = scf.if %masked or (any %i or %u out of bounds) {
 *     yield %w * 2^-88, (a lane's largest of %w) * 2^-88, 2^88, 0, 2^-126
 *   } else { yield %s, %i, (the coefficients of P) }
 *   %m = tile.reduce (%o * P(%o * %o)) {maxnumf}
 *   %e = math.fma %t, P(%t * %t), -%n
 *
 * A row's largest number has the largest value of the polynomial, but for its roundings. Of a lane's numbers of a row, one of which has no
 * sign, the largest one is so as an integer too, and the integers as which unsigned ones are largest are the negative numbers
 * far from 0, and numbers that are none: three of either kind are compared in one operation, which f32 are not. Lanes that
 * have negative numbers alone look for the smallest unsigned one behind a branch. Those that have any out of bounds do as the text says, and hand
 * on a polynomial that is the product by 2^88, whatever the number: the smallest, 2^-126, times a square is nothing beside it, times infinity
 * it is infinity and not NaN.
 *
 * requires: layouts; tile-gpu-skip-masks has run. ensures: no such polynomial is taken in front of its maximum. */
#include "Maxima.h"
#include "OpParts.h"
#include "OwnColumns.h"
#include "tile-c/Collect.h"
#include "tile-c/Combiner.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Math.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include <math.h>

enum { MOST_COEFFICIENTS = 4, LEAST_COEFFICIENTS = 3, MOST_BRANCHES = 4 };

typedef struct Rising {
  TileBuilder b;
  MlirContext context;
  MlirLocation loc;
  MlirType f32, i32, i1;
  MlirOperation reduce;
  TileOwnColumns columns;
  SCFIfOp branch;                            ///< around the polynomial
  MlirOperation any, compare, size;          ///< that ask for it: |s| >= bound
  MlirValue s, bound;                        ///< f32 tensor; the scalar
  MlirValue coefficients[MOST_COEFFICIENTS]; ///< f32, of the lowest power first
  int count;
  SCFIfOp masks[MOST_BRANCHES]; ///< behind it, the last one first
  int numMasks;
} Rising;

/* Bits of what each lane holds of a row: the largest as signed and as unsigned integers, and what they have to stay below. */
typedef struct Integers {
  MlirValue largest, lowest, upper, lower;
} Integers;

/* Numbers of which the polynomial is to be taken. */
typedef struct Numbers {
  MlirValue x, own, coefficients[MOST_COEFFICIENTS];
} Numbers;

// ---- What there is ----

static MlirValue splatOf(MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  return tileOpIs(op, TileOp_Tile_Splat) ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
}

static bool isSquare(const Rising *r, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  return tileOpIs(op, TileOp_Arith_MulF) && mlirValueEqual(mlirOperationGetOperand(op, 0), r->s) &&
         mlirValueEqual(mlirOperationGetOperand(op, 1), r->s);
}

/* x * (c0 + z * (c1 + ...)), z = x * x, that is said to rise up to the bound, and the whole of the region. */
static bool findPolynomial(Rising *r, MlirRegion region) {
  MlirOperation product = tileValueGetDefiningOp(mlirOperationGetOperand(tileRegionYield(region), 0));
  if (!tileOpIs(product, TileOp_Arith_MulF) ||
      !mlirOperationGetDiscardableAttributeByName(product, tileStr(TILE_RISING)).ptr)
    return false;
  r->s = mlirOperationGetOperand(product, 0);
  MlirValue p = mlirOperationGetOperand(product, 1);
  for (r->count = 0; r->count < MOST_COEFFICIENTS;) {
    MlirOperation sum = tileValueGetDefiningOp(p);
    MlirValue c = tileOpIs(sum, TileOp_Math_Fma) ? splatOf(mlirOperationGetOperand(sum, 2)) : splatOf(p);
    if (!c.ptr)
      return false;
    r->coefficients[r->count++] = c;
    if (!tileOpIs(sum, TileOp_Math_Fma))
      return r->count >= LEAST_COEFFICIENTS;
    if (!isSquare(r, mlirOperationGetOperand(sum, 0)))
      return false;
    p = mlirOperationGetOperand(sum, 1);
  }
  return false;
}

/* Whether the branch alone needs an op of its question, but for what asks. */
static bool isForBranch(const Rising *r, MlirOperation op) {
  MlirValue v = mlirOperationGetResult(op, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tileOpIsIn(user, r->branch.op) && !mlirOperationEqual(user, r->branch.op) &&
        !mlirOperationEqual(user, r->any) && !mlirOperationEqual(user, r->compare))
      return false;
  }
  return mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(r->branch.op));
}

/* The condition |s| >= bound of any element, which the branch alone asks for. */
static bool findQuestion(Rising *r) {
  r->any = tileValueGetDefiningOp(scfIfOpGetCondition(r->branch));
  if (!tileOpIs(r->any, TileOp_TileGPU_Any))
    return false;
  r->compare = tileValueGetDefiningOp(mlirOperationGetOperand(r->any, 0));
  if (!tileOpIs(r->compare, TileOp_Arith_CmpF) ||
      arithCmpFOpGetPredicate(arithCmpFOpCast(r->compare)) != ArithCmpFPredicate_OGE)
    return false;
  r->size = tileValueGetDefiningOp(mlirOperationGetOperand(r->compare, 0));
  r->bound = splatOf(mlirOperationGetOperand(r->compare, 1));
  return tileOpIs(r->size, TileOp_Math_AbsF) && mlirValueEqual(mlirOperationGetOperand(r->size, 0), r->s) &&
         r->bound.ptr && isForBranch(r, r->any) && isForBranch(r, r->compare) && isForBranch(r, r->size);
}

/* The branches between the polynomial and `v`, each of which leaves it as it is on one side. */
static bool findBranches(Rising *r, MlirValue v) {
  MlirBlock block = mlirOperationGetBlock(r->reduce);
  for (r->numMasks = 0; r->numMasks < MOST_BRANCHES;) {
    MlirOperation op = tileValueGetDefiningOp(v);
    r->branch = op.ptr ? scfIfOpCast(op) : (SCFIfOp){{NULL}};
    if (!op.ptr || scfIfOpIsNull(r->branch) || mlirOperationGetNumResults(op) != 1 ||
        !mlirBlockEqual(mlirOperationGetBlock(op), block))
      return false;
    if (findPolynomial(r, scfIfOpGetElseRegion(r->branch)) && findQuestion(r))
      return true;
    const bool isThen = tileRegionIsEmpty(scfIfOpGetThenRegion(r->branch));
    if (!isThen && !tileRegionIsEmpty(scfIfOpGetElseRegion(r->branch)))
      return false;
    r->masks[r->numMasks++] = r->branch;
    v = mlirOperationGetOperand(
        tileRegionYield(isThen ? scfIfOpGetThenRegion(r->branch) : scfIfOpGetElseRegion(r->branch)), 0);
    for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      if (!tileOpIsIn(mlirOpOperandGetOwner(use), op))
        return false;
  }
  return false;
}

static bool isTaken(Rising *r) {
  MlirValue numbers = mlirOperationGetOperand(r->reduce, 0);
  TileLayout layout;
  return tileOpIs(tileCombinerOp(r->reduce, 0), TileOp_Arith_MaxNumF) &&
         tileReduceOpGetAxis(tileReduceOpCast(r->reduce)) == 1 && tileIsForMaximum(numbers, r->reduce) &&
         tileLayoutOfType(mlirValueGetType(numbers), &layout) && layout.rank == 2 &&
         tileOwnColumnsOf(&layout, &r->columns) && findBranches(r, numbers);
}

// ---- Scalars ----

static MlirValue number(const Rising *r, double value) {
  return arithConstantOpGetResult(
      arithConstantOpCreate(r->b, r->loc, r->f32, mlirFloatAttrDoubleGet(r->context, r->f32, value)));
}

static MlirValue everywhere(const Rising *r, MlirType type, MlirValue scalar) {
  return tileSplatOpGetResult(tileSplatOpCreate(r->b, r->loc, type, scalar));
}

static MlirValue bitsOf(const Rising *r, MlirValue v, MlirType type) {
  return arithBitcastOpGetOut(arithBitcastOpCreate(r->b, r->loc, type, v));
}

static MlirValue compare(const Rising *r, MlirValue x, ArithCmpFPredicate predicate, double bound) {
  return arithCmpFOpGetResult(arithCmpFOpCreate(r->b, r->loc, r->i1, x, number(r, bound),
                                                tileI64Attr(r->context, predicate), (MlirAttribute){NULL}));
}

/* The bits of the bound, where the polynomial rises, else of 0, behind what computes it. */
static MlirValue boundBits(const Rising *r) {
  MlirOperation from = tileValueGetDefiningOp(r->bound), first = tileValueGetDefiningOp(r->coefficients[0]);
  if (from.ptr && first.ptr && mlirBlockEqual(mlirOperationGetBlock(from), mlirOperationGetBlock(first)))
    mlirRewriterBaseSetInsertionPointAfter(r->b, mlirOperationIsBeforeInBlock(from, first) ? first : from);
  else
    mlirRewriterBaseSetInsertionPointBefore(r->b, r->branch.op);
  MlirValue rises = tileCreateOp2(r->b, r->loc, TileOp_Arith_AndI,
                                  compare(r, r->coefficients[0], ArithCmpFPredicate_OGT, 0),
                                  compare(r, r->bound, ArithCmpFPredicate_OGT, 0));
  return bitsOf(r, tileCreateSelect(r->b, r->loc, rises, r->bound, number(r, 0)), r->i32);
}

// ---- The question ----

static MlirValue compareOwn(const Rising *r, MlirValue own, ArithCmpIPredicate order, MlirValue bits) {
  MlirType flags = tileOwnColumnsType(&r->columns, r->i1);
  return arithCmpIOpGetResult(arithCmpIOpCreate(
      r->b, r->loc, flags, own, everywhere(r, mlirValueGetType(own), bits), tileI64Attr(r->context, order)));
}

static MlirValue either(const Rising *r, MlirValue x, MlirValue y) {
  return tileCreateOp2(r->b, r->loc, TileOp_Arith_OrI, x, y);
}

static MlirValue anyOf(const Rising *r, MlirValue flags) {
  TileGPUAnyOp any = tileGPUAnyOpCreate(r->b, r->loc, r->i1, flags);
  mlirOperationSetDiscardableAttributeByName(any.op, tileStr("tile_gpu.warp"), mlirUnitAttrGet(r->context));
  return tileGPUAnyOpGetResult(any);
}

static MlirValue ownInteger(const Rising *r, TileOpKind kind) {
  MlirType words = tileTypeWithElement(mlirValueGetType(r->s), r->i32);
  return tileReduceOwnIntegers(r->b, r->reduce, bitsOf(r, r->s, words), &r->columns, kind);
}

/* The largest as integers, and their bounds, in front of the branch. */
static Integers lookAt(const Rising *r) {
  Integers n;
  n.upper = boundBits(r);
  n.lower = either(r, n.upper, tileCreateInteger(r->b, r->loc, r->i32, INT32_MIN));
  mlirRewriterBaseSetInsertionPointBefore(r->b, r->branch.op);
  n.largest = ownInteger(r, TileOp_Arith_MaxSI);
  n.lowest = ownInteger(r, TileOp_Arith_MaxUI);
  return n;
}

/* Whether one of the masks has to be looked at; null if there is none. */
static MlirValue askMasks(const Rising *r) {
  MlirValue any = {NULL};
  for (int i = r->numMasks; i-- > 0;) {
    MlirValue masked = scfIfOpGetCondition(r->masks[i]);
    if (tileRegionIsEmpty(scfIfOpGetThenRegion(r->masks[i])))
      masked =
          tileCreateOp2(r->b, r->loc, TileOp_Arith_XOrI, masked, tileCreateInteger(r->b, r->loc, r->i1, 1));
    any = any.ptr ? either(r, any, masked) : masked;
  }
  return any;
}

/* Whether a lane has a number that is out of bounds, or, where `order` has no sign, negative ones alone; or there is a mask. */
static MlirValue ask(const Rising *r, const Integers *n, ArithCmpIPredicate order, MlirValue masked) {
  MlirValue any = anyOf(r, either(r, compareOwn(r, n->largest, order, n->upper),
                                  compareOwn(r, n->lowest, ArithCmpIPredicate_uge, n->lower)));
  return masked.ptr ? either(r, masked, any) : any;
}

// ---- Both sides ----

static void yieldNumbers(const Rising *r, const Numbers *n) {
  MlirValue values[2 + MOST_COEFFICIENTS] = {n->x, n->own};
  for (int i = 0; i < r->count; ++i)
    values[2 + i] = n->coefficients[i];
  scfYieldOpCreate(r->b, r->loc, 2 + r->count, values);
}

static MlirValue times(const Rising *r, MlirValue v, double factor) {
  return tileCreateOp2(r->b, r->loc, TileOp_Arith_MulF, v,
                       everywhere(r, mlirValueGetType(v), number(r, factor)));
}

/* As the text says it: the branches move here. */
static void yieldAsWritten(const Rising *r, MlirBlock side, MlirValue numbers) {
  MlirOperation moved[4 + MOST_BRANCHES] = {r->size, r->compare, r->any, r->branch.op};
  int n = 4;
  for (int i = r->numMasks; i-- > 0;)
    moved[n++] = r->masks[i].op;
  mlirRewriterBaseSetInsertionPointToEnd(r->b, side);
  Numbers as = {times(r, numbers, 0x1p-88),
                times(r, tileReduceOwn(r->b, r->reduce, numbers, &r->columns), 0x1p-88),
                {number(r, 0x1p88)}};
  for (int i = 1; i < r->count; ++i)
    as.coefficients[i] = number(r, i + 1 < r->count ? 0 : 0x1p-126);
  yieldNumbers(r, &as);
  MlirOperation first = mlirBlockGetFirstOperation(side);
  for (int i = 0; i < n; ++i)
    mlirOperationMoveBefore(moved[i], first);
}

/* Lanes whose numbers of a row are all negative: the smallest as an unsigned integer is the largest. */
static void yieldNegative(const Rising *r, const Integers *n, MlirValue own) {
  MlirType flags = tileOwnColumnsType(&r->columns, r->i1);
  MlirValue smallest = ownInteger(r, TileOp_Arith_MinUI);
  MlirValue zero = everywhere(r, mlirValueGetType(smallest), tileCreateInteger(r->b, r->loc, r->i32, 0));
  MlirValue isNegative = arithCmpIOpGetResult(arithCmpIOpCreate(
      r->b, r->loc, flags, n->largest, zero, tileI64Attr(r->context, ArithCmpIPredicate_slt)));
  Numbers as = {r->s,
                tileCreateSelect(r->b, r->loc, isNegative, bitsOf(r, smallest, mlirValueGetType(own)), own),
                {{NULL}}};
  memcpy(as.coefficients, r->coefficients, sizeof as.coefficients);
  yieldNumbers(r, &as);
}

static SCFIfOp branchOn(const Rising *r, MlirValue condition) {
  MlirType types[2 + MOST_COEFFICIENTS] = {
      mlirValueGetType(r->s), tileOwnColumnsType(&r->columns, r->f32), r->f32, r->f32, r->f32, r->f32};
  return scfIfOpCreate(r->b, r->loc, 2 + r->count, types, condition);
}

static void yieldResults(const Rising *r, SCFIfOp branch) {
  MlirValue values[2 + MOST_COEFFICIENTS];
  for (int i = 0; i < 2 + r->count; ++i)
    values[i] = scfIfOpGetResults(branch, i);
  scfYieldOpCreate(r->b, r->loc, 2 + r->count, values);
}

static Numbers choose(const Rising *r, const Integers *integers, MlirValue numbers) {
  MlirValue own = bitsOf(r, integers->largest, tileOwnColumnsType(&r->columns, r->f32)), masked = askMasks(r);
  SCFIfOp branch = branchOn(r, ask(r, integers, ArithCmpIPredicate_uge, masked));
  mlirRewriterBaseSetInsertionPointToEnd(r->b, tileRegionAddBlock(scfIfOpGetElseRegion(branch)));
  Numbers n = {r->s, own, {{NULL}}};
  memcpy(n.coefficients, r->coefficients, sizeof n.coefficients);
  yieldNumbers(r, &n);
  mlirRewriterBaseSetInsertionPointToEnd(r->b, tileRegionAddBlock(scfIfOpGetThenRegion(branch)));
  SCFIfOp inner = branchOn(r, ask(r, integers, ArithCmpIPredicate_sge, masked));
  yieldResults(r, inner);
  mlirRewriterBaseSetInsertionPointToEnd(r->b, tileRegionAddBlock(scfIfOpGetElseRegion(inner)));
  yieldNegative(r, integers, own);
  yieldAsWritten(r, tileRegionAddBlock(scfIfOpGetThenRegion(inner)), numbers);
  n.x = scfIfOpGetResults(branch, 0);
  n.own = scfIfOpGetResults(branch, 1);
  for (int i = 0; i < r->count; ++i)
    n.coefficients[i] = scfIfOpGetResults(branch, 2 + i);
  mlirRewriterBaseSetInsertionPointAfter(r->b, branch.op);
  return n;
}

// ---- The maximum and the differences ----

/* P(x * x), at the builder's place. */
static MlirValue factorOf(const Rising *r, const Numbers *n, MlirValue x) {
  MlirType type = mlirValueGetType(x);
  MlirValue z = tileCreateOp2(r->b, r->loc, TileOp_Arith_MulF, x, x),
            p = everywhere(r, type, n->coefficients[r->count - 1]);
  for (int i = r->count - 1; i-- > 0;)
    p = mathFmaOpGetResult(mathFmaOpCreate(r->b, r->loc, type, z, p, everywhere(r, type, n->coefficients[i]),
                                           (MlirAttribute){NULL}));
  return p;
}

static void takeMaximum(const Rising *r, const Numbers *n) {
  mlirRewriterBaseSetInsertionPointBefore(r->b, r->reduce);
  MlirValue own = tileCreateOp2(r->b, r->loc, TileOp_Arith_MulF, n->own, factorOf(r, n, n->own)),
            old = mlirOperationGetResult(r->reduce, 0);
  mlirValueReplaceAllUsesOfWith(old, tileReduceAlong(r->b, r->reduce, own, 1, mlirValueGetType(old)));
  mlirRewriterBaseEraseOp(r->b, r->reduce);
}

static void takeDifference(const Rising *r, const Numbers *n, MlirOperation difference) {
  const MlirAttribute none = {NULL};
  MlirType type = mlirValueGetType(n->x);
  mlirRewriterBaseSetInsertionPointBefore(r->b, difference);
  MlirValue factor = factorOf(r, n, n->x);
  MlirValue minus = arithNegFOpGetResult(
      arithNegFOpCreate(r->b, r->loc, type, mlirOperationGetOperand(difference, 1), none));
  MlirOperation last = mathFmaOpCreate(r->b, r->loc, type, n->x, factor, minus, none).op;
  mlirOperationSetDiscardableAttributeByName(last, tileStr("tile_gpu.by_element"),
                                             mlirUnitAttrGet(r->context));
  mlirRewriterBaseReplaceOpWithOperation(r->b, difference, last);
}

static bool rewrite(Rising *r) {
  if (!isTaken(r))
    return false;
  MlirValue numbers = mlirOperationGetOperand(r->reduce, 0);
  MlirOperation differences[8];
  int count = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(numbers); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, r->reduce))
      continue;
    if (count == (int)TILE_COUNTOF(differences))
      return false;
    differences[count++] = user;
  }
  r->loc = mlirOperationGetLocation(r->branch.op);
  const Integers integers = lookAt(r);
  // Behind the last mask's condition.
  mlirRewriterBaseSetInsertionPointBefore(r->b, r->numMasks ? r->masks[0].op : r->branch.op);
  const Numbers n = choose(r, &integers, numbers);
  takeMaximum(r, &n);
  for (int i = 0; i < count; ++i)
    takeDifference(r, &n, differences[i]);
  return true;
}

MlirLogicalResult tileGPURisingMaximaRun(MlirOperation module, const TileGPURisingMaximaParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_ThreeWayMaxima))
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList found = {.arena = &arena};
  MlirContext context = mlirOperationGetContext(module);
  Rising r = {.b = mlirIRRewriterCreate(context),
              .context = context,
              .f32 = mlirF32TypeGet(context),
              .i32 = mlirIntegerTypeGet(context, 32),
              .i1 = mlirIntegerTypeGet(context, 1)};
  tileCollectMaxima(module, &found);
  for (size_t i = 0; i < found.count; ++i) {
    r.reduce = (MlirOperation){(void *)found.items[i]};
    *params->numTaken += rewrite(&r);
  }
  mlirIRRewriterDestroy(r.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
