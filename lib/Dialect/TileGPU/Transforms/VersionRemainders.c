/* VersionRemainders.c - tile-gpu-version-remainders: indices modulo a size are known to run where none is negative.
 *
 *   %x = arith.addi (tile.splat %s), %range : tensor<128xi32>
 *   %r = arith.remsi %x, (tile.splat %n) : tensor<128xi32>
 *   (the rest of the kernel)
 * becomes
 *   %c = arith.minsi (arith.maxsi %s, 0), 2^31 - 128
 *   %ok = arith.cmpi eq, %c, %s
 *   scf.if %ok {
 *     %x = arith.addi (tile.splat %c), %range           // 0 <= %x: aligned groups of %x modulo %n run
 *     %r = arith.remsi %x, (tile.splat %n)
 *     (the rest of the kernel)
 *   } else {
 *     %x = arith.addi (tile.splat %s), %range
 *     %r = arith.remsi %x, (tile.splat %n)
 *     (the rest of the kernel, its loops not pipelined)
 *   }
 *
 * A remainder of negative numbers counts down to zero and stands apart there, so that nothing is known about
 * neighbours; rows and columns modulo a size are never negative, but seldom provably so: they are quotients of
 * program ids. Done only where an access of memory gets wider by it, once for a kernel.
 *
 * requires: module attributes of convert-tile-to-tile-gpu, no layouts yet.
 * ensures: the same results. */
#include "tile-c/AxisInfo.h"
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

/* A start that a remainder is taken of: clamped to where no element of the sum is negative. */
typedef struct Start {
  MlirValue value, clamped;
  MlirOperation splat;
  int64_t most; ///< of the start, such that the sum does not wrap around
} Start;

enum { MAX_STARTS = 8 };

typedef struct Versions {
  TileBuilder b;
  TileArena *arena;
  MlirBlock block; ///< of the kernel
  int64_t threads; ///< of a program
  Start starts[MAX_STARTS];
  int numStarts;
} Versions;

// ---- Which starts ----

static void addStart(Versions *v, const TileAxisInfo *info, MlirOperation sum, int which) {
  TileSplatOp splat = tileSplatOpCast(tileValueGetDefiningOp(mlirOperationGetOperand(sum, which)));
  const TileAxis *other = tileAxisInfoOf(info, mlirOperationGetOperand(sum, !which));
  if (tileSplatOpIsNull(splat) || !other || other->min < 0 || v->numStarts == MAX_STARTS ||
      !mlirBlockEqual(mlirOperationGetBlock(splat.op), v->block))
    return;
  MlirValue value = mlirOperationGetOperand(splat.op, 0);
  if (tileTypeIsTensor(mlirValueGetType(value)))
    return;
  for (int i = 0; i < v->numStarts; ++i)
    if (mlirOperationEqual(v->starts[i].splat, splat.op))
      return;
  v->starts[v->numStarts++] =
      (Start){.value = value, .splat = splat.op, .most = tileAxisTypeMax(other->type.bits) - other->max};
}

static void findStarts(Versions *v, const TileAxisInfo *info) {
  for (MlirOperation op = mlirBlockGetFirstOperation(v->block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (tileOpKind(op) != TileOp_Arith_RemSI ||
        !tileTypeIsTensor(mlirValueGetType(mlirOperationGetResult(op, 0))))
      continue;
    const TileAxis *dividend = tileAxisInfoOf(info, mlirOperationGetOperand(op, 0));
    MlirOperation sum = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
    if (!dividend || dividend->min >= 0 || !sum.ptr || tileOpKind(sum) != TileOp_Arith_AddI)
      continue;
    addStart(v, info, sum, 0);
    addStart(v, info, sum, 1);
  }
}

// ---- Clamps ----

/* Behind the place where the start is computed. */
static void setPlaceBehind(Versions *v, MlirValue value) {
  MlirOperation op = tileValueGetDefiningOp(value);
  if (op.ptr)
    mlirRewriterBaseSetInsertionPointAfter(v->b, op);
  else
    mlirRewriterBaseSetInsertionPointToStart(v->b, v->block);
}

static MlirValue integer(Versions *v, MlirLocation loc, MlirType type, int64_t n) {
  return tileCreateInteger(v->b, loc, type, n);
}

static void clampStarts(Versions *v) {
  for (int i = 0; i < v->numStarts; ++i) {
    Start *s = &v->starts[i];
    MlirType type = mlirValueGetType(s->value);
    MlirLocation loc = mlirOperationGetLocation(s->splat);
    setPlaceBehind(v, s->value);
    MlirValue zero = integer(v, loc, type, 0), most = integer(v, loc, type, s->most);
    MlirValue low = arithMaxSIOpGetResult(arithMaxSIOpCreate(v->b, loc, type, s->value, zero));
    s->clamped = arithMinSIOpGetResult(arithMinSIOpCreate(v->b, loc, type, low, most));
    mlirOperationSetOperand(s->splat, 0, s->clamped);
  }
}

static void dropClamps(Versions *v) {
  for (int i = 0; i < v->numStarts; ++i) {
    MlirOperation high = tileValueGetDefiningOp(v->starts[i].clamped);
    MlirOperation low = tileValueGetDefiningOp(mlirOperationGetOperand(high, 0));
    mlirOperationSetOperand(v->starts[i].splat, 0, v->starts[i].value);
    mlirRewriterBaseEraseOp(v->b, high);
    mlirRewriterBaseEraseOp(v->b, low);
  }
}

// ---- Whether it helps ----

typedef struct Widths {
  const TileAxisInfo *info;
  TilePointerMap *seen; ///< access -> its width so far
  int64_t threads;
  bool grewInLoop, grew, hasLoop; ///< hasLoop: an access in a loop was seen
} Widths;

static MlirWalkResult visitAccess(MlirOperation op, void *user) {
  Widths *w = user;
  TilePointerAccess access = tilePointerAccessOf(op);
  const TileAxis *axis = access.ptr.ptr ? tileAxisInfoOf(w->info, access.ptr) : NULL;
  int64_t width = 1;
  if (!axis || tileTypeNumElements(mlirValueGetType(access.ptr)) < 2 * w->threads)
    return MlirWalkResultAdvance;
  for (int32_t d = 0; d < axis->type.rank; ++d)
    width = axis->dims[d].contiguity > width ? axis->dims[d].contiguity : width;
  intptr_t before = (intptr_t)tilePointerMapFind(w->seen, op.ptr);
  w->hasLoop |= tileBlockIsInLoop(mlirOperationGetBlock(op));
  w->grew |= before && width > before;
  w->grewInLoop |= before && width > before && tileBlockIsInLoop(mlirOperationGetBlock(op));
  tilePointerMapSet(w->seen, op.ptr, (void *)(intptr_t)width);
  return MlirWalkResultAdvance;
}

/* Whether an access is wider with the clamps, which are there afterwards: one in a loop, if the kernel has any there, of
 * at least two elements a thread. */
static bool clampsHelp(Versions *v, const TileAxisInfo *before, MlirOperation func) {
  TilePointerMap seen = {.arena = v->arena};
  Widths w = {.info = before, .seen = &seen, .threads = v->threads};
  mlirOperationWalk(func, visitAccess, &w, MlirWalkPreOrder);
  clampStarts(v);
  TileAxisInfo *after = tileAxisInfoCreate(func);
  w.info = after;
  mlirOperationWalk(func, visitAccess, &w, MlirWalkPreOrder);
  tileAxisInfoRelease(after);
  return w.hasLoop ? w.grewInLoop : w.grew;
}

// ---- Two versions ----

/* The clamp that stands last. */
static MlirOperation lastClamp(const Versions *v) {
  MlirOperation last = {NULL};
  for (int i = 0; i < v->numStarts; ++i) {
    MlirOperation op = tileValueGetDefiningOp(v->starts[i].clamped);
    if (!last.ptr || mlirOperationIsBeforeInBlock(last, op))
      last = op;
  }
  return last;
}

typedef struct Dependence {
  const TilePointerMap *marks;
  bool found;
} Dependence;

static MlirWalkResult findMarked(MlirOperation op, void *user) {
  Dependence *d = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !d->found; ++i) {
    MlirOperation def = tileValueGetDefiningOp(mlirOperationGetOperand(op, i));
    d->found = def.ptr && tilePointerMapFind(d->marks, def.ptr);
  }
  return d->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* Ops in front of `last` that use clamps, in order; false if one of them cannot move behind it. */
static bool findDependent(const Versions *v, MlirOperation last, TilePointerList *out) {
  TilePointerMap marks = {.arena = v->arena};
  for (int i = 0; i < v->numStarts; ++i)
    tilePointerMapSet(&marks, tileValueGetDefiningOp(v->starts[i].clamped).ptr, v->starts[i].splat.ptr);
  for (MlirOperation op = mlirBlockGetFirstOperation(v->block); !mlirOperationEqual(op, last);
       op = mlirOperationGetNextInBlock(op)) {
    Dependence dependence = {&marks, false};
    mlirOperationWalk(op, findMarked, &dependence, MlirWalkPreOrder);
    if (!dependence.found)
      continue;
    if (mlirOperationGetNumRegions(op) || !tileOpIsPure(op) || tilePointerMapFind(&marks, op.ptr))
      return false;
    tilePointerMapSet(&marks, op.ptr, op.ptr);
    tilePointerListAppend(out, op.ptr);
  }
  return !tilePointerMapFind(&marks, tileValueGetDefiningOp(mlirOperationGetOperand(last, 0)).ptr);
}

/* %c0 == %s0 and ... */
static MlirValue allInRange(Versions *v, MlirLocation loc) {
  MlirType i1 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 1);
  MlirValue all = {NULL};
  for (int i = 0; i < v->numStarts; ++i) {
    MlirAttribute equal = tileI64Attr(mlirLocationGetContext(loc), ArithCmpIPredicate_eq);
    MlirValue one = arithCmpIOpGetResult(
        arithCmpIOpCreate(v->b, loc, i1, v->starts[i].clamped, v->starts[i].value, equal));
    all = all.ptr ? arithAndIOpGetResult(arithAndIOpCreate(v->b, loc, i1, all, one)) : one;
  }
  return all;
}

typedef struct Undo {
  const Versions *v;
  MlirContext context;
} Undo;

/* In the second version: the starts as they were, loops as they stand. */
static MlirWalkResult undoClamp(MlirOperation op, void *user) {
  Undo *u = user;
  if (tileOpKind(op) == TileOp_SCF_For)
    mlirOperationSetDiscardableAttributeByName(op, tileStr("tile.num_stages"), tileI32Attr(u->context, 1));
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    for (int i = 0; i < u->v->numStarts; ++i)
      if (mlirValueEqual(mlirOperationGetOperand(op, k), u->v->starts[i].clamped))
        mlirOperationSetOperand(op, k, u->v->starts[i].value);
  return MlirWalkResultAdvance;
}

static void split(Versions *v, MlirOperation last, const TilePointerList *dependent) {
  MlirOperation end = mlirBlockGetTerminator(v->block);
  MlirLocation loc = mlirOperationGetLocation(v->starts[0].splat);
  mlirRewriterBaseSetInsertionPointAfter(v->b, last);
  MlirValue condition = allInRange(v, loc);
  SCFIfOp branch = scfIfOpCreate(v->b, loc, 0, NULL, condition);
  mlirRewriterBaseSetInsertionPointToEnd(v->b, tileRegionAddBlock(scfIfOpGetThenRegion(branch)));
  MlirOperation yield = scfYieldOpCreate(v->b, loc, 0, NULL).op;
  for (size_t i = 0; i < dependent->count; ++i)
    mlirOperationMoveBefore((MlirOperation){(void *)dependent->items[i]}, yield);
  for (MlirOperation op = mlirOperationGetNextInBlock(branch.op); !mlirOperationEqual(op, end);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, yield);
    op = next;
  }
  MlirOperation other = mlirOperationClone(branch.op);
  mlirRegionTakeBody(scfIfOpGetElseRegion(branch), mlirOperationGetRegion(other, 0));
  mlirOperationDestroy(other);
  Undo undo = {v, mlirLocationGetContext(loc)};
  MlirBlock second = mlirRegionGetFirstBlock(scfIfOpGetElseRegion(branch));
  for (MlirOperation op = mlirBlockGetFirstOperation(second); op.ptr; op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, undoClamp, &undo, MlirWalkPreOrder);
}

static bool rewrite(TileBuilder b, TileArena *arena, const TileModuleTarget *target, MlirOperation func) {
  MlirBlock block = mlirRegionGetFirstBlock(funcFuncOpGetBody(funcFuncOpCast(func)));
  if (!block.ptr || mlirBlockGetNextInRegion(block).ptr)
    return false;
  Versions v = {
      .b = b, .arena = arena, .block = block, .threads = (int64_t)target->numWarps * target->info.warpSize};
  TileAxisInfo *info = tileAxisInfoCreate(func);
  findStarts(&v, info);
  bool helps = v.numStarts && clampsHelp(&v, info, func);
  tileAxisInfoRelease(info);
  TilePointerList dependent = {.arena = arena};
  MlirOperation last = v.numStarts ? lastClamp(&v) : (MlirOperation){NULL};
  if (helps && findDependent(&v, last, &dependent)) {
    split(&v, last, &dependent);
    return true;
  }
  dropClamps(&v);
  return false;
}

MlirLogicalResult tileGPUVersionRemaindersRun(MlirOperation module,
                                              const TileGPUVersionRemaindersParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  TileArena arena = {0};
  TilePointerList funcs = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileCollectOps(module, TileOp_Func_Func, MlirWalkPreOrder, &funcs);
  for (size_t i = 0; i < funcs.count; ++i)
    *params->numVersioned += rewrite(b, &arena, &target, (MlirOperation){(void *)funcs.items[i]});
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
