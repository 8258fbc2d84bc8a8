/* EarlyCopies.c - tile-gpu-early-copies: copies of a loop that reads fragments ahead start behind the barrier of the iteration before.
 *
 *   scf.for ... iter_args(%p, %i)
 *     tile_gpu.async_copy f(%p), %buffers[%i + n - 1]; tile_gpu.async_commit
 *     (reads, products)
 *     tile_gpu.async_wait n - 2; tile.barrier
 *     (reads of the next iteration, products)
 *     scf.yield %q, %j
 * becomes
 *   tile_gpu.async_copy f(%p0), %buffers[%i0 + n - 1] mask (there is an iteration); tile_gpu.async_commit
 *   scf.for ... iter_args(%p, %i)
 *     (reads, products)
 *     tile_gpu.async_wait n - 2; tile.barrier
 *     tile_gpu.async_copy f(%q), %buffers[%j + n - 1]; tile_gpu.async_commit
 *     (reads of the next iteration, products)
 *     scf.yield %q, %j
 *
 * The barrier is where all threads are done with the buffer that the copies write: with as many buffers data has half an iteration more to
 * come, a whole one with two buffers. Waits count as before: the groups in front of one are the same.
 *
 * What a copy needs is computed once more from what the iteration yields. Copies under a mask ask whether there is another iteration, since
 * their masks may come from the induction variable. Those without are ones that repeat the last iteration, in the pipeline, rather
 * than go past it; they do so once more.
 *
 * requires: tile-gpu-prefetch. ensures: the same results. */
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/SharedAccess.h"
#include "tile-c/Support/PointerList.h"

typedef struct Early {
  TileArena *arena;
  TileBuilder b;
  SCFForOp loop;
  MlirBlock body;
  MlirOperation yield;
  TilePointerList copies;
  MlirOperation commit, barrier;
} Early;

// ---- The pattern ----

static bool isInBody(const Early *e, MlirOperation op) {
  return op.ptr && mlirOperationGetBlock(op).ptr == e->body.ptr;
}

/* Copies, their commit, and behind them the one wait with its barrier. */
static bool findOps(Early *e) {
  e->commit = e->barrier = (MlirOperation){NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(e->body); op.ptr; op = mlirOperationGetNextInBlock(op))
    switch (tileOpKind(op)) {
    case TileOp_TileGPU_AsyncCopy:
      if (e->commit.ptr)
        return false;
      tilePointerListAppend(&e->copies, op.ptr);
      break;
    case TileOp_TileGPU_AsyncCommit:
      if (e->commit.ptr)
        return false;
      e->commit = op;
      break;
    case TileOp_TileGPU_AsyncWait:
      if (!e->commit.ptr || e->barrier.ptr)
        return false;
      e->barrier = mlirOperationGetNextInBlock(op);
      if (tileOpKind(e->barrier) != TileOp_Tile_Barrier)
        return false;
      break;
    default:
      break;
    }
  return e->copies.count && e->barrier.ptr;
}

/* What the next iteration gets in place of a value of the body that is no result of an op in it; null if it is known too late. */
static MlirValue nextOf(const Early *e, MlirValue v) {
  if (!mlirValueIsABlockArgument(v) || tileValueGetBlock(v).ptr != e->body.ptr)
    return v;
  intptr_t number = mlirBlockArgumentGetArgNumber(v);
  if (!number)
    return v; /* the induction variable: one step more, of which the caller takes care */
  MlirValue next = mlirOperationGetOperand(e->yield, number - 1);
  MlirOperation def = tileValueGetDefiningOp(next);
  bool isKnown = !isInBody(e, def) || mlirOperationIsBeforeInBlock(def, e->barrier);
  return isKnown ? next : (MlirValue){NULL};
}

/* Whether an op may be computed where it was not before: views of buffers too. */
static bool isRepeatable(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_TileGPU_Advance:
  case TileOp_TileGPU_Index:
  case TileOp_TileGPU_Part:
  case TileOp_TileGPU_Slice:
  case TileOp_TileGPU_Trans:
    return true;
  default:
    return tileOpIsPure(op) && !mlirOperationGetNumRegions(op);
  }
}

/* Whether a value can be computed behind the barrier for the next iteration, and in front of the loop for the first. */
static bool canRepeat(const Early *e, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!isInBody(e, op))
    return nextOf(e, v).ptr;
  bool can = depth < 32 && isRepeatable(op);
  for (intptr_t i = 0; can && i < mlirOperationGetNumOperands(op); ++i)
    can = canRepeat(e, mlirOperationGetOperand(op, i), depth + 1);
  return can;
}

/* The buffer that a copy of the next iteration writes, in terms of this one's index. */
static MlirOperation nextBuffer(const Early *e, TileGPUAsyncCopyOp copy, TileBufferChoice *choice) {
  MlirOperation root = tileBufferRoot(tileGPUAsyncCopyOpGetTarget(copy), choice);
  if (!root.ptr || !choice->index.ptr)
    return root;
  TileGPUAdvanceOp next = tileGPUAdvanceOpCast(tileValueGetDefiningOp(nextOf(e, choice->index)));
  choice->known = choice->known && !tileGPUAdvanceOpIsNull(next) &&
                  mlirValueEqual(tileGPUAdvanceOpGetIndex(next), choice->index) &&
                  tileGPUAdvanceOpGetCount(next) == choice->count;
  ++choice->rotate;
  return root;
}

/* Whether nothing behind the barrier touches the buffer that the copy will write by then. */
static bool isFreeBehindBarrier(const Early *e, MlirOperation copy) {
  TileBufferChoice mine, other;
  MlirOperation root = nextBuffer(e, tileGPUAsyncCopyOpCast(copy), &mine);
  if (!root.ptr || !mine.known)
    return false;
  for (MlirOperation op = e->barrier; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileSharedUse uses[TileSharedUse_Max];
    int n = tileSharedUsesOf(op, uses);
    for (int i = 0; i < n; ++i) {
      MlirOperation otherRoot = tileBufferRoot(uses[i].buffer, &other);
      if (!otherRoot.ptr || (otherRoot.ptr == root.ptr && !tileBufferChoicesDiffer(&mine, &other)))
        return false;
    }
  }
  return true;
}

static bool matches(Early *e) {
  if (!findOps(e))
    return false;
  for (size_t i = 0; i < e->copies.count; ++i) {
    MlirOperation copy = {(void *)e->copies.items[i]};
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(copy); ++k)
      if (!canRepeat(e, mlirOperationGetOperand(copy, k), 0))
        return false;
    if (!isFreeBehindBarrier(e, copy))
      return false;
  }
  return true;
}

// ---- The rewriting ----

/* Copies of the slice of one iteration: what is known of its values, and a condition for all of it. */
typedef struct Iteration {
  Early *e;
  bool isFirst;
  TilePointerMap values;
  MlirValue exists; ///< i1
} Iteration;

static MlirValue valueOf(Iteration *x, MlirValue v);

static MlirOperation repeatOp(Iteration *x, MlirOperation op) {
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(clone, i, valueOf(x, mlirOperationGetOperand(op, i)));
  mlirRewriterBaseInsert(x->e->b, clone);
  return clone;
}

static MlirValue valueOf(Iteration *x, MlirValue v) {
  const Early *e = x->e;
  MlirOperation op = tileValueGetDefiningOp(v);
  void *known = tilePointerMapFind(&x->values, v.ptr);
  if (known)
    return (MlirValue){known};
  if (isInBody(e, op)) {
    MlirOperation clone = repeatOp(x, op);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      tilePointerMapSet(&x->values, mlirOperationGetResult(op, i).ptr,
                        (void *)mlirOperationGetResult(clone, i).ptr);
    return (MlirValue){tilePointerMapFind(&x->values, v.ptr)};
  }
  if (!x->isFirst || tileValueGetBlock(v).ptr != e->body.ptr)
    return nextOf(e, v);
  return scfForOpGetInitArgs(e->loop, mlirBlockArgumentGetArgNumber(v) - 1);
}

static MlirValue compare(Early *e, ArithCmpIPredicate predicate, MlirValue a, MlirValue b) {
  MlirContext context = mlirOperationGetContext(e->yield);
  return arithCmpIOpGetResult(arithCmpIOpCreate(e->b, mlirOperationGetLocation(e->loop.op),
                                                mlirIntegerTypeGet(context, 1), a, b,
                                                tileI64Attr(context, predicate)));
}

/* The induction variable of the next iteration (it may wrap if there is none), and whether that exists: the upper bound is more than a
 * step away. */
static void enterNext(Iteration *x) {
  Early *e = x->e;
  MlirLocation loc = mlirOperationGetLocation(e->loop.op);
  MlirValue iv = mlirBlockGetArgument(e->body, 0), step = scfForOpGetStep(e->loop);
  MlirType type = mlirValueGetType(iv);
  MlirValue rest = arithSubIOpGetResult(
      arithSubIOpCreate(e->b, loc, type, scfForOpGetUpperBound(e->loop), iv, (MlirAttribute){NULL}));
  x->exists = compare(e, ArithCmpIPredicate_ugt, rest, step);
  MlirValue next = arithAddIOpGetResult(arithAddIOpCreate(e->b, loc, type, iv, step, (MlirAttribute){NULL}));
  tilePointerMapSet(&x->values, iv.ptr, (void *)next.ptr);
}

static void enterFirst(Iteration *x) {
  Early *e = x->e;
  MlirValue lower = scfForOpGetLowerBound(e->loop);
  bool isUnsigned = scfForOpGetUnsignedCmp(e->loop);
  x->exists = compare(e, isUnsigned ? ArithCmpIPredicate_ult : ArithCmpIPredicate_slt, lower,
                      scfForOpGetUpperBound(e->loop));
  tilePointerMapSet(&x->values, mlirBlockGetArgument(e->body, 0).ptr, (void *)lower.ptr);
}

/* The mask of a copy, true only if the iteration exists. */
static MlirValue maskOf(Iteration *x, MlirValue mask, MlirType pointers) {
  Early *e = x->e;
  MlirLocation loc = mlirOperationGetLocation(e->loop.op);
  MlirContext context = mlirOperationGetContext(e->yield);
  MlirType type = tileTypeWithElement(pointers, mlirIntegerTypeGet(context, 1));
  MlirValue all = tileSplatOpGetResult(tileSplatOpCreate(e->b, loc, type, x->exists));
  return mask.ptr ? arithAndIOpGetResult(arithAndIOpCreate(e->b, loc, type, all, mask)) : all;
}

static void emitCopies(Iteration *x) {
  Early *e = x->e;
  for (size_t i = 0; i < e->copies.count; ++i) {
    TileGPUAsyncCopyOp copy = tileGPUAsyncCopyOpCast((MlirOperation){(void *)e->copies.items[i]});
    MlirValue ptr = valueOf(x, tileGPUAsyncCopyOpGetPtr(copy)), mask = tileGPUAsyncCopyOpGetMask(copy),
              other = tileGPUAsyncCopyOpGetOther(copy);
    MlirValue target = valueOf(x, tileGPUAsyncCopyOpGetTarget(copy));
    if (mask.ptr || x->isFirst)
      mask = maskOf(x, mask.ptr ? valueOf(x, mask) : mask, mlirValueGetType(ptr));
    if (other.ptr)
      other = valueOf(x, other);
    MlirOperation moved =
        tileGPUAsyncCopyOpCreate(e->b, mlirOperationGetLocation(copy.op), ptr, target, mask, other).op;
    for (intptr_t k = 0; k < mlirOperationGetNumDiscardableAttributes(copy.op); ++k) {
      MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(copy.op, k);
      mlirOperationSetDiscardableAttributeByName(moved, mlirIdentifierStr(attr.name), attr.attribute);
    }
  }
  tileGPUAsyncCommitOpCreate(e->b, mlirOperationGetLocation(e->commit));
}

/* Erases an op of the body if nothing uses it, and then its operands likewise. */
static void eraseUnused(Early *e, TilePointerMap *gone, MlirOperation op) {
  MlirValue operands[8];
  intptr_t n = isInBody(e, op) ? mlirOperationGetNumOperands(op) : 0;
  if (!n || n > (intptr_t)TILE_COUNTOF(operands) || !isRepeatable(op) ||
      !tileValueIsUnused(mlirOperationGetResult(op, 0)))
    return;
  for (intptr_t i = 0; i < n; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  tilePointerMapSet(gone, op.ptr, op.ptr);
  mlirRewriterBaseEraseOp(e->b, op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirOperation def = tileValueGetDefiningOp(operands[i]);
    if (def.ptr && !tilePointerMapFind(gone, def.ptr))
      eraseUnused(e, gone, def);
  }
}

static void eraseCopies(Early *e) {
  TilePointerMap gone = {.arena = e->arena};
  mlirRewriterBaseEraseOp(e->b, e->commit);
  for (size_t i = 0; i < e->copies.count; ++i) {
    MlirOperation copy = {(void *)e->copies.items[i]};
    MlirOperation defs[4];
    intptr_t n = mlirOperationGetNumOperands(copy);
    for (intptr_t k = 0; k < n; ++k)
      defs[k] = tileValueGetDefiningOp(mlirOperationGetOperand(copy, k));
    mlirRewriterBaseEraseOp(e->b, copy);
    for (intptr_t k = 0; k < n; ++k)
      if (defs[k].ptr && !tilePointerMapFind(&gone, defs[k].ptr))
        eraseUnused(e, &gone, defs[k]);
  }
}

static void rewrite(Early *e) {
  Iteration first = {e, true, {.arena = e->arena}, {NULL}}, next = {e, false, {.arena = e->arena}, {NULL}};
  mlirRewriterBaseSetInsertionPointBefore(e->b, e->loop.op);
  enterFirst(&first);
  emitCopies(&first);
  mlirRewriterBaseSetInsertionPointAfter(e->b, e->barrier);
  enterNext(&next);
  emitCopies(&next);
  eraseCopies(e);
}

MlirLogicalResult tileGPUEarlyCopiesRun(MlirOperation module, const TileGPUEarlyCopiesParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (tileTargetHas(&target.info, TileFeature_CpAsync))
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList loops = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileCollectOps(module, TileOp_SCF_For, MlirWalkPostOrder, &loops);
  for (size_t i = 0; i < loops.count; ++i) {
    Early e = {.arena = &arena, .b = b, .loop = scfForOpCast((MlirOperation){(void *)loops.items[i]})};
    e.copies = (TilePointerList){.arena = &arena};
    e.body = mlirRegionGetFirstBlock(scfForOpGetRegion(e.loop));
    e.yield = mlirBlockGetTerminator(e.body);
    if (!matches(&e))
      continue;
    rewrite(&e);
    ++*params->numLoops;
  }
  mlirRewriterBaseClearInsertionPoint(b);
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
