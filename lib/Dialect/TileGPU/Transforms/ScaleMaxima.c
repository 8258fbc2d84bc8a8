/* ScaleMaxima.c - tile-gpu-scale-maxima: rows look for the largest of numbers that are not scaled yet.
 *
 *   %s = arith.mulf %x, (tile.splat %f)        : tensor<64x64xf32>   // scores of attention
 *   %m = tile.reduce %s axis = 1 {maxnumf}
 *   %e = arith.subf %s, %y                                           // %y follows from %m
 * becomes
 *   %ok = %f > 0 and %f < inf                                        // in front of the loop
 *   %t, %g = scf.if %ok { scf.yield %x, %f } else { scf.yield %x * %f, 1.0 }
 *   %m = (tile.reduce %t axis = 1 {maxnumf}) * %g
 *   %e = math.fma %t, %g, -%y
 *
 * Products by a positive finite number, rounded, are in the order of their factors: the maximum is the same to the last bit, NaNs, infinities
 * and zeros of either sign too. The difference has one rounding less, as tile-form-fma would give it if the maximum did not need
 * the product as well; where the factor is none of these, or the numbers are masked by a large finite one, both are as they were. A known factor needs no branch. A branch that
 * the product leaves as it is, and masks elsewhere (tile-gpu-skip-masks), takes the question along.
 *
 * requires: layouts; tile-gpu-skip-masks has run. ensures: no product is left that such a maximum and such differences alone need. */
#include "Maxima.h"
#include "OpParts.h"
#include "SkipMasks.h"
#include "tile-c/Collect.h"
#include "tile-c/Combiner.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Math.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"
#include <math.h>

enum { MIN_REGISTERS = 16 };

/* A product of a tensor and a number that is the same everywhere. */
typedef struct Product {
  MlirOperation op;
  MlirValue x;
  MlirValue factor; ///< f32; null: a constant
  double constant;  ///< 0 if the factor is none
} Product;

typedef struct Maxima {
  TileBuilder b;
  MlirContext context;
  MlirLocation loc;
  MlirType f32;
} Maxima;

// ---- What is scaled ----

static bool isFactor(MlirValue v, Product *out) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileOpIs(op, TileOp_Tile_Splat)) {
    out->factor = mlirOperationGetOperand(op, 0);
    v = out->factor;
  }
  MlirAttribute number = tileValueConstantNumber(v);
  if (number.ptr && mlirAttributeIsAFloat(number)) {
    out->factor = (MlirValue){NULL};
    out->constant = mlirFloatAttrGetValueDouble(number);
    return out->constant > 0 && out->constant < HUGE_VAL;
  }
  return out->factor.ptr;
}

static bool isScaled(MlirValue v, Product *out) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!tileOpIs(op, TileOp_Arith_MulF))
    return false;
  for (int i = 0; i < 2; ++i) {
    *out = (Product){.op = op, .x = mlirOperationGetOperand(op, 1 - i)};
    if (isFactor(mlirOperationGetOperand(op, i), out))
      return true;
  }
  return false;
}

bool tileIsForMaximum(MlirValue scores, MlirOperation reduce) {
  int numDifferences = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(scores); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    const bool isDifference = tileOpIs(user, TileOp_Arith_SubF) && mlirOpOperandGetOperandNumber(use) == 0;
    if ((!isDifference && !mlirOperationEqual(user, reduce)) ||
        !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(reduce)))
      return false;
    numDifferences += isDifference;
  }
  return numDifferences > 0;
}

static bool isUsedInOnly(MlirValue v, MlirOperation parent) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!tileOpIsIn(mlirOpOperandGetOwner(use), parent))
      return false;
  return true;
}

/* What a branch leaves as it is on one side. */
static MlirValue keptBy(SCFIfOp branch) {
  return mlirOperationGetOperand(tileRegionYield(scfIfOpGetThenRegion(branch)), 0);
}

/* Whether a branch may ask for the factor, too: that is known, or the other side is right whatever the branch asks. */
static bool mayAsk(MlirOperation branch, const Product *p) {
  return !p->factor.ptr || mlirOperationGetDiscardableAttributeByName(branch, tileStr(TILE_SHORTCUT)).ptr;
}

/* A branch that does nothing on one side but leave a product as it is, or what another such branch made of it, and alone needs it. */
static bool isBranch(MlirOperation op, Product *out, int depth) {
  enum { MostBranches = 4 };
  SCFIfOp branch = scfIfOpCast(op);
  if (!op.ptr || depth == MostBranches || scfIfOpIsNull(branch) || mlirOperationGetNumResults(op) != 1 ||
      !tileRegionIsEmpty(scfIfOpGetThenRegion(branch)))
    return false;
  MlirValue kept = keptBy(branch);
  MlirOperation from = tileValueGetDefiningOp(kept);
  return (isScaled(kept, out) ? mayAsk(op, out) : isBranch(from, out, depth + 1)) &&
         mlirBlockEqual(mlirOperationGetBlock(from), mlirOperationGetBlock(op)) && isUsedInOnly(kept, op);
}

// ---- The branch ----

static MlirValue number(const Maxima *s, double value) {
  return arithConstantOpGetResult(
      arithConstantOpCreate(s->b, s->loc, s->f32, mlirFloatAttrDoubleGet(s->context, s->f32, value)));
}

static MlirValue compared(const Maxima *s, MlirValue x, ArithCmpFPredicate predicate, double bound) {
  return arithCmpFOpGetResult(arithCmpFOpCreate(s->b, s->loc, mlirIntegerTypeGet(s->context, 1), x,
                                                number(s, bound), tileI64Attr(s->context, predicate),
                                                (MlirAttribute){NULL}));
}

/* That the factor is positive and finite, behind what computes it; null: it is known. */
static MlirValue isOrdered(const Maxima *s, const Product *p) {
  if (!p->factor.ptr)
    return (MlirValue){NULL};
  MlirOperation from = tileValueGetDefiningOp(p->factor);
  if (from.ptr)
    mlirRewriterBaseSetInsertionPointAfter(s->b, from);
  else
    mlirRewriterBaseSetInsertionPointToStart(s->b, tileValueGetBlock(p->factor));
  MlirValue isPositive = compared(s, p->factor, ArithCmpFPredicate_OGT, 0.0);
  return tileCreateOp2(s->b, s->loc, TileOp_Arith_AndI, isPositive,
                       compared(s, p->factor, ArithCmpFPredicate_OLT, HUGE_VAL));
}

static void yieldTwo(const Maxima *s, MlirValue x, MlirValue factor) {
  const MlirValue values[] = {x, factor};
  scfYieldOpCreate(s->b, s->loc, 2, values);
}

static MlirValue everywhere(const Maxima *s, MlirType type, MlirValue factor) {
  return tileSplatOpGetResult(tileSplatOpCreate(s->b, s->loc, type, factor));
}

static SCFIfOp branchOn(const Maxima *s, const Product *p, MlirValue condition) {
  const MlirType types[] = {mlirValueGetType(p->x), s->f32};
  return scfIfOpCreate(s->b, s->loc, 2, types, condition);
}

static void leaveUnscaled(const Maxima *s, const Product *p, SCFIfOp branch) {
  mlirRewriterBaseSetInsertionPointToEnd(s->b, tileRegionAddBlock(scfIfOpGetThenRegion(branch)));
  yieldTwo(s, p->x, p->factor.ptr ? p->factor : number(s, p->constant));
}

/* A branch around the product, which is for the scores alone. */
static SCFIfOp branchAround(const Maxima *s, const Product *p, MlirValue condition) {
  mlirRewriterBaseSetInsertionPointBefore(s->b, p->op);
  SCFIfOp branch = branchOn(s, p, condition);
  leaveUnscaled(s, p, branch);
  mlirRewriterBaseSetInsertionPointToEnd(s->b, tileRegionAddBlock(scfIfOpGetElseRegion(branch)));
  MlirOperation copy = mlirOperationClone(p->op);
  mlirRewriterBaseInsert(s->b, copy);
  yieldTwo(s, mlirOperationGetResult(copy, 0), number(s, 1.0));
  return branch;
}

/* The branch there is, which asks for the factor too; what it does elsewhere is right everywhere. */
static SCFIfOp growBranch(const Maxima *s, const Product *p, SCFIfOp old, MlirValue condition) {
  mlirRewriterBaseSetInsertionPointBefore(s->b, old.op);
  if (condition.ptr)
    condition = tileCreateOp2(s->b, s->loc, TileOp_Arith_AndI, scfIfOpGetCondition(old), condition);
  SCFIfOp branch = branchOn(s, p, condition.ptr ? condition : scfIfOpGetCondition(old));
  leaveUnscaled(s, p, branch);
  mlirRegionTakeBody(scfIfOpGetElseRegion(branch), scfIfOpGetElseRegion(old));
  MlirBlock elsewhere = mlirRegionGetFirstBlock(scfIfOpGetElseRegion(branch));
  MlirOperation yield = mlirBlockGetTerminator(elsewhere);
  mlirRewriterBaseSetInsertionPointBefore(s->b, yield);
  yieldTwo(s, mlirOperationGetOperand(yield, 0), number(s, 1.0));
  mlirRewriterBaseEraseOp(s->b, yield);
  // The product had been in front of the branch.
  mlirOperationMoveBefore(p->op, mlirBlockGetFirstOperation(elsewhere));
  return branch;
}

/* Branches one after the other: where a later one does more than leave the scores as they are, it takes them scaled. */
static SCFIfOp growBranches(const Maxima *s, const Product *p, SCFIfOp old, MlirValue condition) {
  MlirValue kept = keptBy(old);
  SCFIfOp before = scfIfOpCast(tileValueGetDefiningOp(kept));
  if (scfIfOpIsNull(before))
    return growBranch(s, p, old, condition);
  SCFIfOp grown = growBranches(s, p, before, condition);
  MlirValue x = scfIfOpGetResults(grown, 0), factor = scfIfOpGetResults(grown, 1);
  mlirRewriterBaseSetInsertionPointBefore(s->b, old.op);
  SCFIfOp branch = branchOn(s, p, scfIfOpGetCondition(old));
  mlirRewriterBaseSetInsertionPointToEnd(s->b, tileRegionAddBlock(scfIfOpGetThenRegion(branch)));
  yieldTwo(s, x, factor);
  mlirRegionTakeBody(scfIfOpGetElseRegion(branch), scfIfOpGetElseRegion(old));
  MlirBlock elsewhere = mlirRegionGetFirstBlock(scfIfOpGetElseRegion(branch));
  mlirRewriterBaseSetInsertionPointToStart(s->b, elsewhere);
  MlirValue scaled =
      tileCreateOp2(s->b, s->loc, TileOp_Arith_MulF, x, everywhere(s, mlirValueGetType(x), factor));
  mlirValueReplaceAllUsesOfWith(kept, scaled);
  mlirRewriterBaseEraseOp(s->b, before.op);
  MlirOperation yield = mlirBlockGetTerminator(elsewhere);
  mlirRewriterBaseSetInsertionPointBefore(s->b, yield);
  yieldTwo(s, mlirOperationGetOperand(yield, 0), number(s, 1.0));
  mlirRewriterBaseEraseOp(s->b, yield);
  return branch;
}

// ---- The maximum and the differences ----

static void scaleMaximum(const Maxima *s, MlirOperation reduce, MlirValue x, MlirValue factor) {
  MlirValue maximum = mlirOperationGetResult(reduce, 0);
  MlirType type = mlirValueGetType(maximum);
  mlirOperationSetOperand(reduce, 0, x);
  mlirRewriterBaseSetInsertionPointAfter(s->b, reduce);
  MlirValue factors = mlirTypeIsAFloat(type) ? factor : everywhere(s, type, factor);
  MlirValue scaled = tileCreateOp2(s->b, s->loc, TileOp_Arith_MulF, maximum, factors);
  mlirValueReplaceAllUsesExcept(maximum, scaled, 1, (MlirOperation[]){tileValueGetDefiningOp(scaled)});
}

static void scaleDifference(const Maxima *s, MlirOperation difference, MlirValue x, MlirValue factor) {
  const MlirAttribute none = {NULL};
  MlirValue y = mlirOperationGetOperand(difference, 1);
  MlirType type = mlirValueGetType(y);
  mlirRewriterBaseSetInsertionPointBefore(s->b, difference);
  MlirValue minus = arithNegFOpGetResult(arithNegFOpCreate(s->b, s->loc, type, y, none));
  mlirRewriterBaseReplaceOpWithOperation(
      s->b, difference, mathFmaOpCreate(s->b, s->loc, type, x, everywhere(s, type, factor), minus, none).op);
}

static void scaleBehind(const Maxima *s, MlirOperation reduce, MlirValue scores, MlirValue x,
                        MlirValue factor) {
  scaleMaximum(s, reduce, x, factor);
  while (!tileValueIsUnused(scores))
    scaleDifference(s, mlirOpOperandGetOwner(mlirValueGetFirstUse(scores)), x, factor);
}

// ---- The pass ----

static bool isMaximum(MlirOperation reduce) {
  TileLayout layout;
  if (!tileOpIs(reduce, TileOp_Tile_Reduce) || mlirOperationGetNumOperands(reduce) != 1)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(reduce, 0));
  MlirOperation combiner = tileCombinerOp(reduce, 0);
  return (tileOpIs(combiner, TileOp_Arith_MaxNumF) || tileOpIs(combiner, TileOp_Arith_MaximumF)) &&
         tileElementTypeOf(type) == TileElementType_F32 && tileLayoutOfType(type, &layout) &&
         tileLayoutNumRegisters(&layout) >= MIN_REGISTERS;
}

/* Whether numbers may be a constant, as masked ones are, of which the product's rounding error is an exponent of its own: the difference of a
 * row that is masked as a whole would be that error instead of 0. */
static bool mayBeLarge(MlirValue v, int depth) {
  enum { MOST_DEPTH = 6 };
  MlirAttribute number = tileValueConstantNumber(v);
  if (number.ptr && mlirAttributeIsAFloat(number)) {
    const double size = fabs(mlirFloatAttrGetValueDouble(number));
    return size > 0x1p20 && size < HUGE_VAL;
  }
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || depth == MOST_DEPTH)
    return false;
  if (tileOpKind(op) == TileOp_Arith_Select)
    return mayBeLarge(mlirOperationGetOperand(op, 1), depth + 1) ||
           mayBeLarge(mlirOperationGetOperand(op, 2), depth + 1);
  SCFIfOp branch = scfIfOpCast(op);
  if (scfIfOpIsNull(branch))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirValueEqual(mlirOperationGetResult(op, i), v))
      return mayBeLarge(mlirOperationGetOperand(tileRegionYield(scfIfOpGetThenRegion(branch)), i),
                        depth + 1) ||
             mayBeLarge(mlirOperationGetOperand(tileRegionYield(scfIfOpGetElseRegion(branch)), i), depth + 1);
  return false;
}

static bool rewrite(Maxima *s, MlirOperation reduce) {
  MlirValue scores = mlirOperationGetOperand(reduce, 0);
  MlirOperation op = tileValueGetDefiningOp(scores);
  Product p;
  const bool isDirect = isScaled(scores, &p);
  if ((!isDirect && !isBranch(op, &p, 0)) || !tileIsForMaximum(scores, reduce) || mayBeLarge(p.x, 0))
    return false;
  s->loc = mlirOperationGetLocation(p.op);
  MlirValue condition = isOrdered(s, &p);
  if (isDirect && !condition.ptr) {
    mlirRewriterBaseSetInsertionPointBefore(s->b, op);
    scaleBehind(s, reduce, scores, p.x, number(s, p.constant));
  } else {
    SCFIfOp branch =
        isDirect ? branchAround(s, &p, condition) : growBranches(s, &p, scfIfOpCast(op), condition);
    scaleBehind(s, reduce, scores, scfIfOpGetResults(branch, 0), scfIfOpGetResults(branch, 1));
  }
  mlirRewriterBaseEraseOp(s->b, op);
  return true;
}

static bool hasProduct(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_Mma || tileOpKind(op) == TileOp_TileGPU_Wgmma)
      return true;
  return false;
}

/* Rows beside products of warps or warp groups. */
static MlirWalkResult collect(MlirOperation op, void *user) {
  MlirBlock block = mlirOperationGetBlock(op);
  if (isMaximum(op) && tileOpIs(mlirBlockGetParentOperation(block), TileOp_SCF_For) && hasProduct(block))
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

void tileCollectMaxima(MlirOperation module, TilePointerList *out) {
  mlirOperationWalk(module, collect, out, MlirWalkPreOrder);
}

MlirLogicalResult tileGPUScaleMaximaRun(MlirOperation module, const TileGPUScaleMaximaParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (target.info.vendor != TileVendor_NVIDIA)
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList found = {.arena = &arena};
  MlirContext context = mlirOperationGetContext(module);
  Maxima s = {.b = mlirIRRewriterCreate(context), .context = context, .f32 = mlirF32TypeGet(context)};
  tileCollectMaxima(module, &found);
  for (size_t i = 0; i < found.count; ++i)
    *params->numScaled += rewrite(&s, (MlirOperation){(void *)found.items[i]});
  mlirIRRewriterDestroy(s.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
