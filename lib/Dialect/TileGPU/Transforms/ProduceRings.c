/* ProduceRings.c - the producer of a kernel's copies: its loops and branches again, with nothing but them. */
#include "Rings.h"
#include "tile-c/Dialect/TileGPUMemory.h"

/* The value computed again among the producer's ops. */
static MlirValue follow(TileRings *r, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  for (size_t i = 0; i < r->from.count; ++i)
    if (r->from.items[i] == v.ptr)
      return (MlirValue){(void *)r->to.items[i]};
  if (!op.ptr || tileTmaIsInFront(r->front, v))
    return v; // a parameter, or there already
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(clone, i, follow(r, mlirOperationGetOperand(op, i)));
  mlirRewriterBaseInsert(r->c.b, clone);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    tilePointerListAppend(&r->from, mlirOperationGetResult(op, i).ptr);
    tilePointerListAppend(&r->to, mlirOperationGetResult(clone, i).ptr);
  }
  return follow(r, v);
}

/* A copy as soon as its buffer is free. */
static void produce(TileRings *r, MlirOperation op, TileRingState *state) {
  TileTmaCopies *c = &r->c;
  TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
  const int number = tileRingOf(r, op);
  TileRing *ring = &r->rings[number];
  MlirValue *at = state->at[number], coordinates[TileLayout_MaxRank];
  for (intptr_t d = 0; d < tileGPUTmaAllocOpGetNumCoordinates(alloc); ++d)
    coordinates[d] = follow(r, tileGPUTmaAllocOpGetCoordinates(alloc, d));
  MlirValue always = tileTmaConstant(c, mlirIntegerTypeGet(c->context, 1), 1);
  MlirValue full = tileTmaBarrierOf(c, ring->full, at[0], 0);
  if (ring->leader < 0) {
    tileGPUMBarrierWaitOpCreate(c->b, c->loc, tileTmaBarrierOf(c, ring->freed, at[0], 0), at[1]);
    tileGPUMBarrierExpectOpCreate(c->b, c->loc, full, always,
                                  tileI32Attr(c->context, tileRingPhaseBytes(r, number)));
  }
  tileGPUTmaCopyOpCreate(c->b, c->loc, tileGPUTmaAllocOpGetNumCoordinates(alloc), coordinates,
                         tileTmaView(c, ring->buffers, ring->type, at[0], 0), full, always,
                         tileGPUTmaAllocOpGetMapAttr(alloc), tileGPUTmaAllocOpGetApartAttr(alloc));
  tileRingAdvance(r, ring, at);
}

static void produceBlock(TileRings *r, MlirBlock block, TileRingState *state);

/* The region's copies, in a block of its own that yields the rings; values made there are forgotten. */
static void produceRegion(TileRings *r, MlirBlock from, MlirBlock to, TileRingState state, const int *rings,
                          int n) {
  const size_t known = r->from.count;
  mlirRewriterBaseSetInsertionPointToEnd(r->c.b, to);
  if (from.ptr)
    produceBlock(r, from, &state);
  MlirValue values[2 * TileRing_Max];
  tileRingStateAppend(&state, rings, n, values);
  scfYieldOpCreate(r->c.b, r->c.loc, 2 * n, values);
  r->from.count = r->to.count = known;
}

static void produceLoop(TileRings *r, SCFForOp old, TileRingState *state) {
  TileTmaCopies *c = &r->c;
  int rings[TileRing_Max];
  const int n = tileRingsIn(r, old.op, rings);
  MlirValue lower = follow(r, scfForOpGetLowerBound(old)), upper = follow(r, scfForOpGetUpperBound(old)),
            step = follow(r, scfForOpGetStep(old)), inits[2 * TileRing_Max];
  MlirType types[2 * TileRing_Max];
  tileRingStateAppend(state, rings, n, inits);
  for (int i = 0; i < 2 * n; ++i)
    types[i] = tileTmaI32(c);
  SCFForOp loop = scfForOpCreate(c->b, c->loc, 2 * n, types, lower, upper, step, 2 * n, inits,
                                 scfForOpGetUnsignedCmpAttr(old));
  MlirBlock from = mlirRegionGetFirstBlock(scfForOpGetRegion(old)),
            body = tileRegionAddBlock(scfForOpGetRegion(loop));
  mlirBlockAddArgument(body, mlirValueGetType(lower), c->loc);
  for (int i = 0; i < 2 * n; ++i)
    mlirBlockAddArgument(body, types[i], c->loc);
  TileRingState inner = *state;
  tileRingStateFromArguments(&inner, rings, n, body);
  const size_t known = r->from.count;
  tilePointerListAppend(&r->from, mlirBlockGetArgument(from, 0).ptr);
  tilePointerListAppend(&r->to, mlirBlockGetArgument(body, 0).ptr);
  produceRegion(r, from, body, inner, rings, n);
  r->from.count = r->to.count = known;
  mlirRewriterBaseSetInsertionPointAfter(c->b, loop.op);
  tileRingStateFromResults(state, rings, n, loop.op);
}

static void produceBranch(TileRings *r, SCFIfOp old, TileRingState *state) {
  TileTmaCopies *c = &r->c;
  int rings[TileRing_Max];
  const int n = tileRingsIn(r, old.op, rings);
  MlirType types[2 * TileRing_Max];
  for (int i = 0; i < 2 * n; ++i)
    types[i] = tileTmaI32(c);
  SCFIfOp branch = scfIfOpCreate(c->b, c->loc, 2 * n, types, follow(r, scfIfOpGetCondition(old)));
  produceRegion(r, mlirRegionGetFirstBlock(scfIfOpGetThenRegion(old)),
                tileRegionAddBlock(scfIfOpGetThenRegion(branch)), *state, rings, n);
  produceRegion(r, mlirRegionGetFirstBlock(scfIfOpGetElseRegion(old)),
                tileRegionAddBlock(scfIfOpGetElseRegion(branch)), *state, rings, n);
  mlirRewriterBaseSetInsertionPointAfter(c->b, branch.op);
  tileRingStateFromResults(state, rings, n, branch.op);
}

static void produceBlock(TileRings *r, MlirBlock block, TileRingState *state) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc)
      produce(r, op, state);
    else if (tileOpKind(op) == TileOp_SCF_For && tileRingsHaveCopies(op))
      produceLoop(r, scfForOpCast(op), state);
    else if (tileOpKind(op) == TileOp_SCF_If && tileRingsHaveCopies(op))
      produceBranch(r, scfIfOpCast(op), state);
  }
}

static MlirType ringType(const TileRing *ring) {
  TileMemDesc desc;
  (void)tileMemDescOf(ring->type, &desc);
  return tileMemDescTypeFor(tileGPUMemDescTypeGetElementType(ring->type), &desc.layout, desc.alignment,
                            ring->numBuffers);
}

static MlirWalkResult findSeveral(MlirOperation op, void *user) {
  *(bool *)user |= mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.several")).ptr != NULL;
  return MlirWalkResultAdvance;
}

/* Whether two warp groups do better in turns: where a loop's last products are several (tile-gpu-rotate-products), or blocks meet their sums
 * (tile-gpu-load-blocks), which both groups read from one buffer. */
static bool wantsTurns(const TileRings *r) {
  bool found = false;
  for (int i = 0; i < r->count; ++i)
    found |= r->rings[i].isBeside && r->rings[i].isInner;
  mlirOperationWalk(r->function, findSeveral, &found, MlirWalkPreOrder);
  return found;
}

void tileRingsProduce(TileRings *r, MlirBlock entry) {
  TileTmaCopies *c = &r->c;
  if (r->front.ptr)
    mlirRewriterBaseSetInsertionPointBefore(c->b, r->front);
  else
    mlirRewriterBaseSetInsertionPointToStart(c->b, entry);
  for (int i = 0; i < r->count; ++i) {
    TileRing *ring = &r->rings[i];
    c->numBuffers = ring->numBuffers;
    ring->buffers =
        tileGPUAllocOpGetResult(tileGPUAllocOpCreate(c->b, c->loc, ringType(ring), (MlirValue){NULL}));
    if (ring->leader >= 0)
      continue;
    ring->full = tileTmaMakeBarriers(c, 1);
    ring->freed = tileTmaMakeBarriers(c, c->target->launchedWarps);
  }
  for (int i = 0; i < r->count; ++i)
    if (r->rings[i].leader >= 0)
      r->rings[i].full = r->rings[r->rings[i].leader].full;
  TileGPUProducerOp producer = tileGPUProducerOpCreate(c->b, c->loc);
  MlirBlock body = tileRegionAddBlock(tileGPUProducerOpGetBody(producer));
  mlirOperationSetDiscardableAttributeByName(producer.op, tileStr("tile_gpu.moves_registers"),
                                             mlirUnitAttrGet(c->context));
  // From three warp groups on, all but one are between products at any time; two do as well without turns, but for those whose products get
  // in each other's way (heads of 80 elements: 1.3 times as fast in turns, of 96 1.04, a matrix of biases 1.05).
  if (c->target->launchedWarps >= (wantsTurns(r) ? 2 : 3) * TileRing_GroupWarps &&
      c->target->launchedWarps <= 7 * TileRing_GroupWarps)
    mlirOperationSetDiscardableAttributeByName(producer.op, tileStr("tile_gpu.turns"),
                                               mlirUnitAttrGet(c->context));
  mlirRewriterBaseSetInsertionPointToEnd(c->b, body);
  // The phase before the first counts as complete: all buffers are free.
  TileRingState state = tileRingStateStart(r, 1);
  produceBlock(r, entry, &state);
  mlirRewriterBaseSetInsertionPointAfter(c->b, producer.op);
}
