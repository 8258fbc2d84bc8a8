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
 * Of numbers that nothing is known of (segments, padded keys) a warp asks its own whether a comparison fails (tile_gpu.any).
 *
 * In attention only the blocks at the diagonal, at the edge of a window and behind the last key pay for their masks. An
 * op that takes a selection between two constants goes with it. Selections of what is rarely needed become branches too
 * (RareBranches.h).
 *
 * Conversions of numbers that nearly always are small (ALiBi's distances) become branches too (SmallConversions.h).
 *
 * Each condition of a mask has a branch of its own, so that a block at one edge of a window does not pay for the other: behind one for all
 * of them, or, beside products of warp groups, one after the other. There each thread asks for the rows that it holds, so that of four warp groups only those at the diagonal pay;
 * and where all numbers are small, comparisons say so (tile_gpu.small): they then are with constants.
 *
 * requires: layouts; tile-gpu-prefetch has run. ensures: the same results. */
#include "SkipMasks.h"
#include "ComputeAgain.h"
#include "IntegerBounds.h"
#include "RareBranches.h"
#include "SmallConversions.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/SmallNumbers.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

enum { MIN_REGISTERS = 16, MAX_ROWS = 4, MAX_DEPTH = 24, MAX_CONDITIONS = 8 };

typedef struct Skip {
  TileBoundsBuilder bounds; ///< the builder, too
  TileArena *arena;
  bool byGroups;     ///< the product is a warp group's
  MlirValue small;   ///< that all numbers of the comparisons are small; null: nothing asked yet
  bool isNeverSmall; ///< or not all of them are known
  const char *mark;  ///< of comparisons that are computed again
  bool isConverted;  ///< the comparison's elements may be another warp's than the mask's
} Skip;

/* One of the conditions of a mask. */
typedef struct Condition {
  MlirValue mask;
  MlirValue holds; ///< i1: everywhere; null: nothing is known
  MlirValue small; ///< i1: all numbers of its comparisons are; null likewise
} Condition;

static MlirValue both(Skip *s, MlirValue x, MlirValue y) { return tileBoundsBoth(&s->bounds, x, y); }
static MlirValue either(Skip *s, MlirValue x, MlirValue y) {
  return x.ptr && y.ptr ? tileCreateOp2(s->bounds.b, s->bounds.loc, TileOp_Arith_OrI, x, y) : x.ptr ? x : y;
}
static MlirValue negated(Skip *s, MlirValue x) {
  return tileCreateOp2(s->bounds.b, s->bounds.loc, TileOp_Arith_XOrI, x, tileBoundsTruth(&s->bounds, true));
}

// ---- Masks that are the same everywhere ----

static ArithCmpIPredicate inverse(ArithCmpIPredicate p) {
  static const ArithCmpIPredicate other[] = {
      ArithCmpIPredicate_ne,  ArithCmpIPredicate_eq,  ArithCmpIPredicate_sge, ArithCmpIPredicate_sgt,
      ArithCmpIPredicate_sle, ArithCmpIPredicate_slt, ArithCmpIPredicate_uge, ArithCmpIPredicate_ugt,
      ArithCmpIPredicate_ule, ArithCmpIPredicate_ult};
  return other[p];
}

static void needSmall(Skip *s, const TileIntegerBounds *x) {
  s->small = both(s, s->small, tileBoundsWithin(&s->bounds, x, TILE_SMALL_COMPARED));
}

/* A vector of which a thread holds a few numbers, broadcast to `v`. */
static MlirValue rowsOf(MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (op.ptr && tileOpKind(op) == TileOp_Tile_Broadcast)
    op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  MlirValue none = {NULL},
            rows = op.ptr && tileOpKind(op) == TileOp_Tile_ExpandDims ? mlirOperationGetOperand(op, 0) : none;
  TileLayout layout;
  if (!rows.ptr || tileElementTypeOf(mlirValueGetType(rows)) != TileElementType_I32 ||
      !tileLayoutOfType(mlirValueGetType(rows), &layout) || tileLayoutNumRegisters(&layout) > MAX_ROWS)
    return none;
  return rows;
}

/* That no row of the thread is on the wrong side (by `wrong`) of a scalar. */
static MlirValue allRows(Skip *s, MlirValue rows, ArithCmpIPredicate wrong, MlirValue bound) {
  TileBoundsBuilder *k = &s->bounds;
  MlirType type = mlirValueGetType(rows), i32 = mlirIntegerTypeGet(k->context, 32);
  MlirValue narrow =
      arithTruncIOpGetOut(arithTruncIOpCreate(k->b, k->loc, i32, bound, (MlirAttribute){NULL}));
  MlirValue splat = tileSplatOpGetResult(tileSplatOpCreate(k->b, k->loc, type, narrow));
  MlirValue isWrong = arithCmpIOpGetResult(arithCmpIOpCreate(k->b, k->loc, tileTypeWithElement(type, k->i1),
                                                             rows, splat, tileI64Attr(k->context, wrong)));
  return negated(s, tileGPUAnyOpGetResult(tileGPUAnyOpCreate(k->b, k->loc, k->i1, isWrong)));
}

/* x < y (or <=, by the predicate): for all elements, if it holds for x's largest and y's smallest. */
static MlirValue allBelow(Skip *s, ArithCmpIPredicate p, MlirValue x, MlirValue y) {
  TileIntegerBounds xs, ys;
  bool hasX = tileIntegerBoundsOf(&s->bounds, x, &xs), hasY = tileIntegerBoundsOf(&s->bounds, y, &ys);
  const bool asksOwn = s->byGroups && !s->isConverted;
  MlirValue none = {NULL}, rowsX = asksOwn ? rowsOf(x) : none, rowsY = asksOwn ? rowsOf(y) : none;
  if (hasX && hasY) {
    needSmall(s, &xs);
    needSmall(s, &ys);
  } else {
    s->isNeverSmall = true;
  }
  const bool isStrict = p == ArithCmpIPredicate_slt;
  if (hasX && rowsY.ptr) {
    tileBoundsNeedExact(&s->bounds, &xs);
    return allRows(s, rowsY, isStrict ? ArithCmpIPredicate_sle : ArithCmpIPredicate_slt, xs.high);
  }
  if (hasY && rowsX.ptr) {
    tileBoundsNeedExact(&s->bounds, &ys);
    return allRows(s, rowsX, isStrict ? ArithCmpIPredicate_sge : ArithCmpIPredicate_sgt, ys.low);
  }
  if (!hasX || !hasY)
    return none;
  tileBoundsNeedExact(&s->bounds, &xs);
  tileBoundsNeedExact(&s->bounds, &ys);
  return tileBoundsCompare(&s->bounds, p, xs.high, ys.low);
}

/* Numbers of which nothing is known, as those of segments or of padded keys: each warp asks its own whether a comparison fails. Of vectors that is
 * a few operations, of all pairs of two vectors only where they shall be equal (then each is equal to the first). */
static MlirValue noneFails(Skip *s, ArithCmpIOp op, ArithCmpIPredicate failing) {
  enum { FEW = 16 };
  int32_t kept[TileLayout_MaxBits];
  TileLayout layout, unique;
  TileBoundsBuilder *k = &s->bounds;
  MlirValue x = arithCmpIOpGetLhs(op);
  if (s->byGroups || s->isConverted || tileElementTypeOf(mlirValueGetType(x)) != TileElementType_I32 ||
      !tileLayoutOfType(mlirValueGetType(x), &layout))
    return (MlirValue){NULL};
  tileLayoutDropRedundantRegisters(&layout, &unique, kept);
  if (tileLayoutNumRegisters(&unique) > FEW && failing != ArithCmpIPredicate_ne)
    return (MlirValue){NULL};
  MlirValue fails =
      arithCmpIOpGetResult(arithCmpIOpCreate(k->b, k->loc, tileTypeWithElement(mlirValueGetType(x), k->i1), x,
                                             arithCmpIOpGetRhs(op), tileI64Attr(k->context, failing)));
  TileGPUAnyOp any = tileGPUAnyOpCreate(k->b, k->loc, k->i1, fails);
  mlirOperationSetDiscardableAttributeByName(any.op, tileStr("tile_gpu.warp"), mlirUnitAttrGet(k->context));
  return negated(s, tileGPUAnyOpGetResult(any));
}

static MlirValue allInOrder(Skip *s, ArithCmpIOp op, ArithCmpIPredicate p);

/* A condition under which all comparisons hold. */
static MlirValue allCompare(Skip *s, ArithCmpIOp op, bool wanted) {
  const ArithCmpIPredicate p = arithCmpIOpGetPredicate(op);
  MlirValue inOrder = allInOrder(s, op, wanted ? p : inverse(p));
  return inOrder.ptr ? inOrder : noneFails(s, op, wanted ? inverse(p) : p);
}

static MlirValue allInOrder(Skip *s, ArithCmpIOp op, ArithCmpIPredicate p) {
  MlirValue x = arithCmpIOpGetLhs(op), y = arithCmpIOpGetRhs(op);
  switch (p) {
  case ArithCmpIPredicate_slt:
    return allBelow(s, ArithCmpIPredicate_slt, x, y);
  case ArithCmpIPredicate_sle:
    return allBelow(s, ArithCmpIPredicate_sle, x, y);
  case ArithCmpIPredicate_sgt:
    return allBelow(s, ArithCmpIPredicate_slt, y, x);
  case ArithCmpIPredicate_sge:
    return allBelow(s, ArithCmpIPredicate_sle, y, x);
  default:
    s->isNeverSmall = true;
    return (MlirValue){NULL};
  }
}

static MlirValue all(Skip *s, MlirValue mask, bool wanted, int depth);

static MlirValue allConverted(Skip *s, MlirValue mask, bool wanted, int depth) {
  const bool before = s->isConverted;
  s->isConverted = true;
  MlirValue found = all(s, mask, wanted, depth);
  s->isConverted = before;
  return found;
}

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
    return tileBoundsTruth(&s->bounds, (constant != 0) == wanted);
  if (!tileTypeIsTensor(mlirValueGetType(mask)))
    return wanted ? mask : negated(s, mask);
  switch (op.ptr ? tileOpKind(op) : TileOp_None) {
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Trans:
    return all(s, mlirOperationGetOperand(op, 0), wanted, depth + 1);
  case TileOp_TileGPU_ConvertLayout:
    return allConverted(s, mlirOperationGetOperand(op, 0), wanted, depth + 1);
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

static void startBlock(Skip *s, MlirRegion region) {
  mlirRewriterBaseSetInsertionPointToEnd(s->bounds.b, tileRegionAddBlock(region));
}

/* `last` (the selection itself, or the only op that takes it) with another value in the place of the selection. */
static MlirValue lastWith(Skip *s, MlirOperation select, MlirOperation last, MlirValue chosen) {
  if (mlirOperationEqual(select, last))
    return chosen;
  MlirOperation copy = mlirOperationClone(last);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(last); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(last, i), mlirOperationGetResult(select, 0)))
      mlirOperationSetOperand(copy, i, chosen);
  mlirRewriterBaseInsert(s->bounds.b, copy);
  return mlirOperationGetResult(copy, 0);
}

/* What becomes of the selection where the condition of its mask does not hold everywhere. */
static MlirValue masked(Skip *s, MlirOperation select, MlirOperation last, MlirValue mask, MlirValue kept,
                        bool wanted) {
  TileAgain again = {.b = s->bounds.b,
                     .block = mlirOperationGetBlock(select),
                     .copies = {.arena = s->arena},
                     .mark = s->mark};
  MlirValue masks = tileComputeAgain(&again, mask);
  MlirOperation copy = mlirOperationClone(select);
  mlirOperationSetOperand(copy, 0, masks);
  mlirOperationSetOperand(copy, wanted ? 1 : 2, kept);
  mlirRewriterBaseInsert(s->bounds.b, copy);
  return lastWith(s, select, last, mlirOperationGetResult(copy, 0));
}

static MlirValue maskedBySize(Skip *s, MlirOperation select, MlirOperation last, const Condition *c,
                              MlirValue kept, bool wanted) {
  if (!c->small.ptr)
    return masked(s, select, last, c->mask, kept, wanted);
  TileBuilder b = s->bounds.b;
  MlirType type = mlirValueGetType(mlirOperationGetResult(last, 0));
  SCFIfOp choice = scfIfOpCreate(b, s->bounds.loc, 1, &type, c->small);
  for (int isSmall = 1; isSmall >= 0; --isSmall) {
    startBlock(s, isSmall ? scfIfOpGetThenRegion(choice) : scfIfOpGetElseRegion(choice));
    s->mark = isSmall ? TILE_SMALL : TILE_SUMS;
    MlirValue value = masked(s, select, last, c->mask, kept, wanted);
    scfYieldOpCreate(b, s->bounds.loc, 1, &value);
  }
  mlirRewriterBaseSetInsertionPointAfter(b, choice.op);
  return scfIfOpGetResults(choice, 0);
}

/* A branch whose second side is right everywhere. */
static SCFIfOp shortcut(Skip *s, MlirType type, MlirValue condition) {
  SCFIfOp branch = scfIfOpCreate(s->bounds.b, s->bounds.loc, 1, &type, condition);
  mlirOperationSetDiscardableAttributeByName(branch.op, tileStr(TILE_SHORTCUT),
                                             mlirUnitAttrGet(mlirLocationGetContext(s->bounds.loc)));
  return branch;
}

/* The branch around one condition of the mask of `kept`: the selection's value, or that behind other conditions. */
static MlirValue branch(Skip *s, MlirOperation select, MlirOperation last, const Condition *c, MlirValue kept,
                        bool wanted) {
  TileBuilder b = s->bounds.b;
  MlirType type = mlirValueGetType(mlirOperationGetResult(last, 0));
  SCFIfOp branch = shortcut(s, type, c->holds);
  startBlock(s, scfIfOpGetThenRegion(branch));
  MlirValue inside = lastWith(s, select, last, kept);
  scfYieldOpCreate(b, s->bounds.loc, 1, &inside);
  startBlock(s, scfIfOpGetElseRegion(branch));
  MlirValue outside = maskedBySize(s, select, last, c, kept, wanted);
  scfYieldOpCreate(b, s->bounds.loc, 1, &outside);
  mlirRewriterBaseSetInsertionPointAfter(b, branch.op);
  return scfIfOpGetResults(branch, 0);
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

/* The conditions that all have to hold for the mask to be `wanted`. */
static int conditionsOf(MlirValue mask, bool wanted, int n, Condition *out) {
  MlirOperation op = tileValueGetDefiningOp(mask);
  TileOpKind joined = wanted ? TileOp_Arith_AndI : TileOp_Arith_OrI;
  if (op.ptr && tileOpKind(op) == joined && n < MAX_CONDITIONS - 1) {
    n = conditionsOf(mlirOperationGetOperand(op, 0), wanted, n, out);
    if (n < MAX_CONDITIONS)
      return conditionsOf(mlirOperationGetOperand(op, 1), wanted, n, out);
  }
  out[n] = (Condition){.mask = mask};
  return n + 1;
}

/* Computes when it holds; whether anything is known of it. */
static bool boundCondition(Skip *s, Condition *c, bool wanted) {
  const MlirValue none = {NULL};
  s->bounds.exact = s->small = none;
  s->isNeverSmall = !s->byGroups;
  c->holds = all(s, c->mask, wanted, 0);
  c->holds = c->holds.ptr ? both(s, c->holds, s->bounds.exact) : none;
  c->small = s->isNeverSmall ? none : s->small;
  return c->holds.ptr;
}

/* What is left of the selection (or of what takes it) behind a branch for each of n conditions; null if there would be none. */
static MlirValue branchByEach(Skip *s, MlirOperation select, MlirOperation last, Condition *found, int n,
                              bool wanted) {
  MlirValue kept = mlirOperationGetOperand(select, wanted ? 1 : 2);
  bool isBound = false;
  for (int i = 0; i < n; ++i)
    isBound |= boundCondition(s, &found[i], wanted);
  s->mark = NULL;
  for (int i = 0; isBound && i < n; ++i)
    kept = found[i].holds.ptr ? branch(s, select, last, &found[i], kept, wanted)
                              : masked(s, select, last, found[i].mask, kept, wanted);
  return isBound ? kept : (MlirValue){NULL};
}

/* Blocks inside all conditions have one branch; the others one more for each condition. */
static MlirValue branchThenByEach(Skip *s, MlirOperation select, Condition *found, int n, bool wanted) {
  TileBuilder b = s->bounds.b;
  MlirType type = mlirValueGetType(mlirOperationGetResult(select, 0));
  Condition whole = {.mask = mlirOperationGetOperand(select, 0)};
  if (!boundCondition(s, &whole, wanted))
    return (MlirValue){NULL};
  SCFIfOp outer = shortcut(s, type, whole.holds);
  startBlock(s, scfIfOpGetThenRegion(outer));
  MlirValue inside = mlirOperationGetOperand(select, wanted ? 1 : 2);
  scfYieldOpCreate(b, s->bounds.loc, 1, &inside);
  startBlock(s, scfIfOpGetElseRegion(outer));
  MlirValue outside = branchByEach(s, select, select, found, n, wanted);
  scfYieldOpCreate(b, s->bounds.loc, 1, &outside);
  mlirRewriterBaseSetInsertionPointAfter(b, outer.op);
  return scfIfOpGetResults(outer, 0);
}

static MlirValue branchByConditions(Skip *s, MlirOperation select, MlirOperation last, bool wanted) {
  Condition found[MAX_CONDITIONS] = {{.mask = mlirOperationGetOperand(select, 0)}};
  const int n = mlirOperationEqual(select, last) ? conditionsOf(found[0].mask, wanted, 0, found) : 1;
  return !s->byGroups && n > 1 ? branchThenByEach(s, select, found, n, wanted)
                               : branchByEach(s, select, last, found, n, wanted);
}

static bool rewrite(Skip *s, MlirOperation select) {
  MlirValue mask = mlirOperationGetOperand(select, 0);
  MlirOperation last = lastOf(select);
  bool wanted = isConstant(mlirOperationGetOperand(select, 2));
  if (!last.ptr || !tileTypeIsTensor(mlirValueGetType(mask)) ||
      (!wanted && !isConstant(mlirOperationGetOperand(select, 1))))
    return false;
  TileLayout layout;
  if (!tileLayoutOfType(mlirValueGetType(mask), &layout) || tileLayoutNumRegisters(&layout) < MIN_REGISTERS ||
      !mlirTypeIsAFloat(tileTypeGetElement(mlirValueGetType(mlirOperationGetResult(last, 0)))))
    return false; // numbers of rows, of which a mask is made, cost less than the branches
  s->bounds.loc = mlirOperationGetLocation(select);
  mlirRewriterBaseSetInsertionPointBefore(s->bounds.b, last);
  MlirValue value = branchByConditions(s, select, last, wanted);
  if (!value.ptr)
    return false;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(last, 0), value);
  mlirRewriterBaseEraseOp(s->bounds.b, last);
  if (!mlirOperationEqual(select, last))
    mlirRewriterBaseEraseOp(s->bounds.b, select);
  TilePointerMap gone = {.arena = s->arena};
  tileEraseUnused(s->bounds.b, &gone, tileValueGetDefiningOp(mask));
  return true;
}

// ---- The pass ----

static bool hasOp(MlirBlock block, TileOpKind kind) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == kind)
      return true;
  return false;
}

/* What is beside products. Those of warp groups stay open over what follows; branches do not disturb them, so that what is in a
 * branch of its own, or in front of the loop whose first iteration it is, is beside them too. */
typedef struct Collect {
  TilePointerMap groups; ///< blocks with products of warp groups -> block; others -> this
  TilePointerList selections, byGroups, conversions;
} Collect;

static bool isBesideGroups(Collect *c, MlirBlock block) {
  MlirOperation parent = mlirBlockGetParentOperation(block);
  if (!parent.ptr || (tileOpKind(parent) != TileOp_SCF_For && tileOpKind(parent) != TileOp_SCF_If))
    return false;
  void *known = tilePointerMapFind(&c->groups, block.ptr);
  if (known)
    return known == block.ptr;
  bool isBeside = hasOp(block, TileOp_TileGPU_Wgmma) || isBesideGroups(c, mlirOperationGetBlock(parent));
  tilePointerMapSet(&c->groups, block.ptr, isBeside ? block.ptr : (void *)c);
  return isBeside;
}

static bool isBesideMma(MlirBlock block) {
  return tileOpKind(mlirBlockGetParentOperation(block)) == TileOp_SCF_For && hasOp(block, TileOp_TileGPU_Mma);
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  Collect *c = user;
  const TileOpKind kind = tileOpKind(op);
  if ((kind != TileOp_Arith_Select && kind != TileOp_Arith_SIToFP) ||
      !tileTypeIsTensor(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return MlirWalkResultAdvance;
  MlirBlock block = mlirOperationGetBlock(op);
  if (isBesideGroups(c, block))
    tilePointerListAppend(kind == TileOp_Arith_Select ? &c->byGroups : &c->conversions, op.ptr);
  else if (isBesideMma(block))
    tilePointerListAppend(kind == TileOp_Arith_Select ? &c->selections : &c->conversions, op.ptr);
  return MlirWalkResultAdvance;
}

/* Selections of what is rarely needed from the last one on: one that is for another's rare value moves into its branch first. */
static void rewriteAll(Skip *s, const TilePointerList *selections, const TileGPUSkipMasksParams *params) {
  TilePointerMap done = {.arena = s->arena};
  for (size_t i = selections->count; i-- > 0;) {
    MlirOperation select = {(void *)selections->items[i]};
    if (!tileBranchIfRare(s->bounds.b, s->arena, select, s->byGroups))
      continue;
    tilePointerMapSet(&done, select.ptr, select.ptr);
    ++*params->numRare;
  }
  for (size_t i = 0; i < selections->count; ++i)
    if (!tilePointerMapFind(&done, selections->items[i]))
      *params->numSkipped += rewrite(s, (MlirOperation){(void *)selections->items[i]});
}

/* AMD's instructions are issued in an order of ours, which a branch cuts, and a conversion takes no longer than a sum: gfx942, D = 128, 64x64, 4 waves,
 * ALiBi 0.49 of the matrix units' time with branches, 0.66 without. */
static bool convertsAsFast(MlirOperation module) {
  TileModuleTarget target;
  return tileSucceeded(tileModuleTargetRead(module, &target)) && target.info.vendor == TileVendor_AMD;
}

MlirLogicalResult tileGPUSkipMasksRun(MlirOperation module, const TileGPUSkipMasksParams *params) {
  TileArena arena = {0};
  Collect found = {.groups = {.arena = &arena},
                   .selections = {.arena = &arena},
                   .byGroups = {.arena = &arena},
                   .conversions = {.arena = &arena}};
  MlirContext context = mlirOperationGetContext(module);
  Skip s = {.bounds = tileBoundsBuilderMake(mlirIRRewriterCreate(context), context), .arena = &arena};
  mlirOperationWalk(module, collect, &found, MlirWalkPreOrder);
  rewriteAll(&s, &found.selections, params);
  s.byGroups = true;
  rewriteAll(&s, &found.byGroups, params);
  for (size_t i = 0; i < found.conversions.count && !convertsAsFast(module); ++i)
    *params->numSmall +=
        tileBranchIfSmall(&s.bounds, &arena, (MlirOperation){(void *)found.conversions.items[i]});
  mlirIRRewriterDestroy(s.bounds.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
