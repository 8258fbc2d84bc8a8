/* SpecializeRings.c - a producer for all copies of a kernel.
 *
 *   %q = tile_gpu.tma_alloc 0[%i]
 *   scf.if %any {
 *     %k0 = tile_gpu.tma_alloc 1[%lo];  ... products of %q, %k0, waited for
 *     scf.for %j = ... {
 *       %k = tile_gpu.tma_alloc 1[%j];  %v = tile_gpu.tma_alloc 2[%j - %st]
 *       ... products, waited for
 *     }
 *     %v1 = tile_gpu.tma_alloc 2[%last] ...
 * becomes
 *   %b0, %b1, %b2 = tile_gpu.alloc (rings);  full and free barriers of each
 *   tile_gpu.producer {
 *     wait for a free %b0, copy 0[%i]
 *     scf.if %any { %b1: copy 1[%lo];  scf.for %j ... { %b1: copy 1[%j];  %b2: copy 2[%j - %st] };  %b2: copy 2[%last] }
 *   }
 *   ... at each tma_alloc: wait for a full buffer; behind the wait of the last product that reads it: arrive at its free barrier
 *
 * Blocks of one tensor map and type share a ring. Both sides go through the rings in the order of the program, with a buffer's
 * number and a parity for each ring, carried through loops and branches. */
#include "SpecializeRings.h"
#include "DeferStores.h"
#include "GroupStores.h"
#include "Rings.h"
#include "tile-c/Dialect/Tile.h"

/* Ends the block with its old yield's values and the rings'. */
static void yieldMore(TileRings *r, MlirBlock block, const TileRingState *state, const int *rings, int n) {
  MlirOperation yield = mlirBlockGetTerminator(block);
  const intptr_t old = yield.ptr ? mlirOperationGetNumOperands(yield) : 0;
  MlirValue *values = tileArenaAlloc(r->arena, (size_t)(old + 2 * n) + 1, sizeof *values);
  for (intptr_t i = 0; i < old; ++i)
    values[i] = mlirOperationGetOperand(yield, i);
  tileRingStateAppend(state, rings, n, values + old);
  mlirRewriterBaseSetInsertionPointToEnd(r->c.b, block);
  scfYieldOpCreate(r->c.b, r->c.loc, old + 2 * n, values);
  if (yield.ptr)
    mlirRewriterBaseEraseOp(r->c.b, yield);
}

/* A warp of the program alone: what all its threads have read goes before its arrival. */
static void meetWarp(TileRings *r) {
  MlirOperation barrier = tileBarrierOpCreate(r->c.b, r->c.loc).op;
  mlirOperationSetDiscardableAttributeByName(barrier, tileStr("tile_gpu.groups"),
                                             tileI32Attr(r->c.context, r->c.target->numWarps));
  mlirOperationSetDiscardableAttributeByName(barrier, tileStr("tile_gpu.shared_only"),
                                             mlirUnitAttrGet(r->c.context));
}

static bool areRead(const TilePointerList *ends) {
  for (size_t i = 0; i < ends->count; ++i)
    if (tileOpKind((MlirOperation){(void *)ends->items[i]}) == TileOp_TileGPU_LocalLoad)
      return true;
  return false;
}

static void arriveAt(TileRings *r, const TilePointerList *ends, MlirValue barrier) {
  if (areRead(ends))
    meetWarp(r);
  tileGPUMBarrierArriveOpCreate(r->c.b, r->c.loc, barrier);
}

/* Arrives behind the last reads in the block, in each arm of a branch behind its own. */
static void release(TileRings *r, MlirBlock block, const TilePointerList *ends, MlirValue barrier) {
  MlirOperation last = tileRingLastEnd(block, ends);
  if (last.ptr && tileOpKind(last) == TileOp_SCF_If) {
    for (int arm = 0; arm < 2; ++arm)
      release(r, mlirRegionGetFirstBlock(mlirOperationGetRegion(last, arm)), ends, barrier);
    return;
  }
  if (last.ptr)
    mlirRewriterBaseSetInsertionPointAfter(r->c.b, last);
  else
    mlirRewriterBaseSetInsertionPointToStart(r->c.b, block);
  arriveAt(r, ends, barrier);
}

/* ptxas moves waits for products up as far as their block of instructions goes, over all that is to run beside them. Where
 * a product stays open over another wait, its own gets a block's start in front of it: a barrier that was passed before. */
static void holdWaits(TileRings *r, const TilePointerList *ends, MlirValue full, MlirValue parity) {
  for (size_t i = 0; i < ends->count; ++i) {
    MlirOperation end = {(void *)ends->items[i]};
    TileGPUWgmmaWaitOp wait = tileGPUWgmmaWaitOpCast(end);
    if (tileGPUWgmmaWaitOpIsNull(wait) || tileGPUWgmmaWaitOpGetNumValues(wait) < 2)
      continue;
    mlirRewriterBaseSetInsertionPointBefore(r->c.b, end);
    tileGPUMBarrierWaitOpCreate(r->c.b, r->c.loc, full, parity);
  }
}

/* The first reduction of f32 of the block in front of an op. */
static MlirValue reducedBefore(MlirOperation end) {
  MlirBlock block = mlirOperationGetBlock(end);
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr && op.ptr != end.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (tileOpKind(op) != TileOp_Tile_Reduce || mlirOperationGetNumResults(op) != 1)
      continue;
    MlirValue result = mlirOperationGetResult(op, 0);
    if (tileTypeIsTensor(mlirValueGetType(result)) &&
        tileElementTypeOf(mlirValueGetType(result)) == TileElementType_F32)
      return result;
  }
  return (MlirValue){NULL};
}

/* With more groups others fill the gap. Of three, one at a time has its products to itself for longer than the first row's maximum takes:
 * waits stay behind that (1 % of attention with D = 64; with four groups it would cost as much). */
static void holdBehindReduction(TileRings *r, const TilePointerList *ends, MlirValue parity) {
  for (size_t i = 0; i < ends->count; ++i) {
    MlirOperation end = {(void *)ends->items[i]};
    TileGPUWgmmaWaitOp wait = tileGPUWgmmaWaitOpCast(end);
    if (tileGPUWgmmaWaitOpIsNull(wait) || tileGPUWgmmaWaitOpGetNumValues(wait) < 2)
      continue;
    MlirValue reduced = reducedBefore(end);
    if (!reduced.ptr)
      continue;
    mlirRewriterBaseSetInsertionPointBefore(r->c.b, end);
    tileGPUHoldOpCreate(r->c.b, r->c.loc, reduced, parity);
  }
}

static void consume(TileRings *r, MlirOperation op, TileRingState *state) {
  TileTmaCopies *c = &r->c;
  const int number = tileRingOf(r, op);
  TileRing *ring = &r->rings[number];
  MlirValue *at = state->at[number], buffer = mlirOperationGetResult(op, 0), parity = at[1];
  TilePointerList ends = {.arena = r->arena};
  (void)tileRingEnds(buffer, &ends);
  mlirRewriterBaseSetInsertionPointBefore(c->b, op);
  MlirValue full = tileTmaBarrierOf(c, ring->full, at[0], 0);
  const bool leads = ring->leader < 0;
  if (leads)
    tileGPUMBarrierWaitOpCreate(c->b, c->loc, full, parity);
  mlirValueReplaceAllUsesOfWith(buffer, tileTmaView(c, ring->buffers, ring->type, at[0], 0));
  MlirValue barrier = leads ? tileTmaBarrierOf(c, ring->freed, at[0], 0) : full;
  tileRingAdvance(r, ring, at);
  if (leads)
    release(r, mlirOperationGetBlock(op), &ends, barrier);
  if (leads && c->target->numWarps <= 2 * TileRing_GroupWarps)
    holdWaits(r, &ends, full, parity);
  else if (leads && c->target->launchedWarps == 3 * TileRing_GroupWarps)
    holdBehindReduction(r, &ends, parity);
  mlirRewriterBaseEraseOp(c->b, op);
}

static void consumeBlock(TileRings *r, MlirBlock block, TileRingState *state);

static MlirOperation consumeLoop(TileRings *r, MlirOperation op, TileRingState *state) {
  int rings[TileRing_Max];
  const int n = tileRingsIn(r, op, rings);
  MlirValue inits[2 * TileRing_Max];
  tileRingStateAppend(state, rings, n, inits);
  mlirRewriterBaseSetInsertionPointBefore(r->c.b, op);
  SCFForOp wide = tileTmaWidenLoopBy(&r->c, scfForOpCast(op), 2 * n, inits, r->arena);
  mlirRewriterBaseEraseOp(r->c.b, op);
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(wide));
  TileRingState inner = *state;
  tileRingStateFromArguments(&inner, rings, n, body);
  consumeBlock(r, body, &inner);
  yieldMore(r, body, &inner, rings, n);
  tileRingStateFromResults(state, rings, n, wide.op);
  return wide.op;
}

static void moveBlock(MlirBlock from, MlirBlock to) {
  for (MlirOperation op = mlirBlockGetFirstOperation(from), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(to, op);
  }
}

static MlirOperation consumeBranch(TileRings *r, MlirOperation op, TileRingState *state) {
  int rings[TileRing_Max];
  const int n = tileRingsIn(r, op, rings);
  const intptr_t old = mlirOperationGetNumResults(op);
  MlirType *types = tileArenaAlloc(r->arena, (size_t)(old + 2 * n) + 1, sizeof *types);
  for (intptr_t i = 0; i < old + 2 * n; ++i)
    types[i] = i < old ? mlirValueGetType(mlirOperationGetResult(op, i)) : tileTmaI32(&r->c);
  mlirRewriterBaseSetInsertionPointBefore(r->c.b, op);
  SCFIfOp wide = scfIfOpCreate(r->c.b, r->c.loc, old + 2 * n, types, scfIfOpGetCondition(scfIfOpCast(op)));
  for (int arm = 0; arm < 2; ++arm) {
    MlirBlock from = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, arm)),
              to = tileRegionAddBlock(mlirOperationGetRegion(wide.op, arm));
    if (from.ptr)
      moveBlock(from, to);
  }
  for (intptr_t i = 0; i < old; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(wide.op, i));
  mlirRewriterBaseEraseOp(r->c.b, op);
  for (int arm = 0; arm < 2; ++arm) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(wide.op, arm));
    TileRingState inner = *state;
    consumeBlock(r, block, &inner);
    yieldMore(r, block, &inner, rings, n);
  }
  tileRingStateFromResults(state, rings, n, wide.op);
  return wide.op;
}

static void consumeBlock(TileRings *r, MlirBlock block, TileRingState *state) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc)
      consume(r, op, state);
    else if (tileOpKind(op) == TileOp_SCF_For && tileRingsHaveCopies(op))
      consumeLoop(r, op, state);
    else if (tileOpKind(op) == TileOp_SCF_If && tileRingsHaveCopies(op))
      consumeBranch(r, op, state);
  }
}

/* Of loops in the block, and in the first of two versions. */
static void deferStores(TileRings *r, MlirBlock block, bool isEntry) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (isEntry && r->front.ptr && tileOpKind(op) == TileOp_SCF_If)
      deferStores(r, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)), false);
    MlirValue buffers[TileDefer_MaxStores];
    const int n = tileOpKind(op) == TileOp_SCF_For ? tileDeferStores(r->c.b, scfForOpCast(op), buffers) : 0;
    for (int i = 0; i < n; ++i)
      tileGroupStore(r->function, buffers[i], r->c.target->numWarps);
  }
}

static void emitConsumers(TileRings *r, MlirBlock entry) {
  TileRingState state = tileRingStateStart(r, 0);
  consumeBlock(r, entry, &state);
  mlirRewriterBaseSetInsertionPointBefore(r->c.b, mlirBlockGetTerminator(entry));
  tileTmaBarrier(&r->c);
  for (int i = 0; i < r->count; ++i) {
    if (r->rings[i].leader >= 0)
      continue;
    tileGPUMBarrierInvalOpCreate(r->c.b, r->c.loc, r->rings[i].full);
    tileGPUMBarrierInvalOpCreate(r->c.b, r->c.loc, r->rings[i].freed);
  }
  deferStores(r, entry, true);
}

bool tileSpecializeRings(MlirOperation function, const TileModuleTarget *target) {
  TileArena arena = {0};
  TileRings r = {.c = {.context = mlirOperationGetContext(function),
                       .loc = mlirOperationGetLocation(function),
                       .target = target},
                 .arena = &arena,
                 .function = function,
                 .allocs = {.arena = &arena},
                 .from = {.arena = &arena},
                 .to = {.arena = &arena}};
  const bool can = tileFindRings(&r);
  if (can) {
    MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
    r.c.b = mlirIRRewriterCreate(r.c.context);
    tileRingsProduce(&r, entry);
    emitConsumers(&r, entry);
    mlirIRRewriterDestroy(r.c.b);
  }
  tileArenaRelease(&arena);
  return can;
}
