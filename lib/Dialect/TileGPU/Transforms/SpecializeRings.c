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
#include "TmaCopies.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Support/PointerList.h"

enum { MAX_RINGS = 8, SPARE_BYTES = 1024, GROUP_WARPS = 4 };

typedef struct Ring {
  MlirAttribute map;
  MlirType type;
  int64_t bytes;
  int numBuffers;
  bool isInner; ///< some copies stand in a loop without loops of copies
  MlirValue buffers, full, freed;
} Ring;

/* Number and parity of each ring. */
typedef struct State {
  MlirValue at[MAX_RINGS][2];
} State;

typedef struct Rings {
  TileTmaCopies c;
  TileArena *arena;
  MlirOperation function;
  Ring rings[MAX_RINGS];
  int count;
  TilePointerList allocs;
  TilePointerList from, to; ///< values of the producer
} Rings;

// ---- What there is ----

static MlirWalkResult collectAlloc(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc)
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

static bool hasCopies(MlirOperation op) {
  TileArena arena = {0};
  TilePointerList found = {.arena = &arena};
  mlirOperationWalk(op, collectAlloc, &found, MlirWalkPreOrder);
  const bool any = found.count > 0;
  tileArenaRelease(&arena);
  return any;
}

static int ringOf(const Rings *r, MlirOperation op) {
  TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
  for (int i = 0; i < r->count; ++i)
    if (mlirAttributeEqual(r->rings[i].map, tileGPUTmaAllocOpGetMapAttr(alloc)) &&
        mlirTypeEqual(r->rings[i].type, mlirValueGetType(tileGPUTmaAllocOpGetResult(alloc))))
      return i;
  return -1;
}

static MlirWalkResult findRing(MlirOperation op, void *user) {
  bool *used = ((void **)user)[0];
  const Rings *r = ((void **)user)[1];
  if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc)
    used[ringOf(r, op)] = true;
  return MlirWalkResultAdvance;
}

/* Which rings an op's regions use. */
static int ringsIn(const Rings *r, MlirOperation op, int out[MAX_RINGS]) {
  bool used[MAX_RINGS] = {false};
  void *user[2] = {used, (void *)r};
  int n = 0;
  mlirOperationWalk(op, findRing, user, MlirWalkPreOrder);
  for (int i = 0; i < r->count; ++i)
    if (used[i])
      out[n++] = i;
  return n;
}

/* Whether the producer can compute the value: from parameters and induction variables, by scalars. */
static bool canFollow(MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr) {
    MlirOperation parent = mlirBlockGetParentOperation(tileValueGetBlock(v));
    return tileOpKind(parent) == TileOp_Func_Func ||
           (tileOpKind(parent) == TileOp_SCF_For && !mlirBlockArgumentGetArgNumber(v));
  }
  if (depth > 64 || !tileOpIsPure(op) || mlirOperationGetNumRegions(op) ||
      tileTypeIsTensor(mlirValueGetType(v)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!canFollow(mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

/* Everything around a copy is a loop or a branch that the producer can take too. */
static bool canReach(MlirOperation op, bool *out_inner) {
  *out_inner = false;
  for (MlirOperation up = mlirOperationGetParentOperation(op); tileOpKind(up) != TileOp_Func_Func;
       up = mlirOperationGetParentOperation(up)) {
    const TileOpKind kind = tileOpKind(up);
    const int operands = kind == TileOp_SCF_For ? 3 : kind == TileOp_SCF_If ? 1 : 0;
    *out_inner |= mlirOperationGetDiscardableAttributeByName(up, tileStr("tile.warp_specialize")).ptr != NULL;
    if (!operands)
      return false;
    for (int i = 0; i < operands; ++i)
      if (!canFollow(mlirOperationGetOperand(up, i), 0))
        return false;
  }
  return true;
}

// ---- Where a buffer is free again ----

/* Ends of the reads of a buffer and of its views: products' waits; false if something else reads it. */
static bool collectEnds(MlirValue buffer, TilePointerList *ends) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use), end = {NULL};
    if (tileOpKind(op) == TileOp_TileGPU_Trans) {
      if (!collectEnds(mlirOperationGetResult(op, 0), ends))
        return false;
      continue;
    }
    if (tileOpKind(op) == TileOp_TileGPU_Wgmma)
      end = tileWarpGroupWaitOf(op);
    if (!end.ptr)
      return false;
    tilePointerListAppend(ends, end.ptr);
  }
  return true;
}

/* The op of `block` in which `op` lies; null if it lies elsewhere. */
static MlirOperation ancestorIn(MlirBlock block, MlirOperation op) {
  while (op.ptr && mlirOperationGetBlock(op).ptr != block.ptr)
    op = mlirOperationGetParentOperation(op);
  return op;
}

static bool isBefore(MlirOperation a, MlirOperation b) {
  for (MlirOperation op = mlirOperationGetNextInBlock(a); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (op.ptr == b.ptr)
      return true;
  return false;
}

/* The last op of the block that is an end or has one; null without any. */
static MlirOperation lastEnd(MlirBlock block, const TilePointerList *ends) {
  MlirOperation last = {NULL};
  for (size_t i = 0; i < ends->count; ++i) {
    MlirOperation at = ancestorIn(block, (MlirOperation){(void *)ends->items[i]});
    if (at.ptr && (!last.ptr || isBefore(last, at)))
      last = at;
  }
  return last;
}

// ---- Whether it can be done ----

static bool addRing(Rings *r, MlirOperation op, bool isInner) {
  TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
  int i = ringOf(r, op);
  if (i < 0) {
    if (r->count == MAX_RINGS)
      return false;
    i = r->count++;
    MlirType type = mlirValueGetType(tileGPUTmaAllocOpGetResult(alloc));
    r->rings[i] =
        (Ring){.map = tileGPUTmaAllocOpGetMapAttr(alloc), .type = type, .bytes = tileTmaBytes(type)};
  }
  r->rings[i].isInner |= isInner;
  return true;
}

/* No block of a ring is asked for while another of the same is in use: one buffer is enough to go on. */
static bool isAlone(const Rings *r, MlirOperation op, const TilePointerList *ends) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation last = lastEnd(block, ends);
  for (size_t i = 0; i < r->allocs.count; ++i) {
    MlirOperation other = {(void *)r->allocs.items[i]};
    MlirOperation at = ancestorIn(block, other);
    if (other.ptr != op.ptr && at.ptr && ringOf(r, other) == ringOf(r, op) && isBefore(op, at) &&
        (at.ptr == last.ptr || isBefore(at, last)))
      return false;
  }
  return last.ptr != NULL;
}

static bool collectRings(Rings *r) {
  TilePointerList ends = {.arena = r->arena};
  mlirOperationWalk(r->function, collectAlloc, &r->allocs, MlirWalkPreOrder);
  for (size_t i = 0; i < r->allocs.count; ++i) {
    MlirOperation op = {(void *)r->allocs.items[i]};
    TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
    bool isInner;
    if (!canReach(op, &isInner) || !addRing(r, op, isInner))
      return false;
    for (intptr_t d = 0; d < tileGPUTmaAllocOpGetNumCoordinates(alloc); ++d)
      if (!canFollow(tileGPUTmaAllocOpGetCoordinates(alloc, d), 0))
        return false;
  }
  for (size_t i = 0; i < r->allocs.count; ++i) {
    ends.count = 0;
    MlirOperation op = {(void *)r->allocs.items[i]};
    if (!collectEnds(mlirOperationGetResult(op, 0), &ends) || !isAlone(r, op, &ends))
      return false;
  }
  return r->count > 0;
}

/* Other buffers: those alive beside the rings, in loops with copies, and all others, which may take the rings' place. */
typedef struct Others {
  int64_t beside, apart;
} Others;

static MlirWalkResult addBytes(MlirOperation op, void *user) {
  Others *o = user;
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (tileOpKind(op) != TileOp_TileGPU_Alloc)
    return MlirWalkResultAdvance;
  const bool isBeside = tileOpKind(parent) != TileOp_Func_Func && hasCopies(parent);
  *(isBeside ? &o->beside : &o->apart) += tileTmaBytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return MlirWalkResultAdvance;
}

static int64_t ringBytes(const Rings *r) {
  int64_t sum = 0;
  for (int i = 0; i < r->count; ++i)
    sum += r->rings[i].numBuffers * (r->rings[i].bytes + 32);
  return sum;
}

/* Rings of inner loops have as many buffers as there are stages, if they fit. */
static bool chooseNumbers(Rings *r) {
  Others others = {SPARE_BYTES, SPARE_BYTES};
  const int64_t most = r->c.target->info.sharedPerBlock;
  int stages = r->c.target->numStages < TileTma_MaxBuffers ? r->c.target->numStages : TileTma_MaxBuffers;
  mlirOperationWalk(r->function, addBytes, &others, MlirWalkPreOrder);
  for (; stages > 0; --stages) {
    for (int i = 0; i < r->count; ++i)
      r->rings[i].numBuffers = r->rings[i].isInner ? stages : 1;
    if (ringBytes(r) + others.beside <= most)
      break;
  }
  const unsigned threads = (unsigned)(r->c.target->numWarps + GROUP_WARPS) * r->c.target->info.warpSize;
  return stages > 0 && others.apart <= most && threads <= r->c.target->info.maxThreadsPerBlock;
}

// ---- Loops and branches with more values ----

static intptr_t appendState(const State *state, const int *rings, int n, MlirValue *out) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      out[2 * i + k] = state->at[rings[i]][k];
  return 2 * n;
}

static void stateFromResults(State *state, const int *rings, int n, MlirOperation op) {
  const intptr_t first = mlirOperationGetNumResults(op) - 2 * n;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      state->at[rings[i]][k] = mlirOperationGetResult(op, first + 2 * i + k);
}

static void stateFromArguments(State *state, const int *rings, int n, MlirBlock body) {
  const intptr_t first = mlirBlockGetNumArguments(body) - 2 * n;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      state->at[rings[i]][k] = mlirBlockGetArgument(body, first + 2 * i + k);
}

static MlirBlock addBlock(MlirRegion region) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  return block;
}

/* Ends the block with its old yield's values and the rings'. */
static void yieldMore(Rings *r, MlirBlock block, const State *state, const int *rings, int n) {
  MlirOperation yield = mlirBlockGetTerminator(block);
  const intptr_t old = yield.ptr ? mlirOperationGetNumOperands(yield) : 0;
  MlirValue *values = tileArenaAlloc(r->arena, (size_t)(old + 2 * n) + 1, sizeof *values);
  for (intptr_t i = 0; i < old; ++i)
    values[i] = mlirOperationGetOperand(yield, i);
  appendState(state, rings, n, values + old);
  mlirRewriterBaseSetInsertionPointToEnd(r->c.b, block);
  scfYieldOpCreate(r->c.b, r->c.loc, old + 2 * n, values);
  if (yield.ptr)
    mlirRewriterBaseEraseOp(r->c.b, yield);
}

static void advance(Rings *r, const Ring *ring, MlirValue at[2]) {
  MlirValue next[2];
  r->c.numBuffers = ring->numBuffers;
  tileTmaAdvance(&r->c, at[0], at[1], next);
  at[0] = next[0];
  at[1] = next[1];
}

// ---- The producer ----

static MlirValue follow(Rings *r, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  for (size_t i = 0; i < r->from.count; ++i)
    if (r->from.items[i] == v.ptr)
      return (MlirValue){(void *)r->to.items[i]};
  if (!op.ptr)
    return v; // a parameter
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
static void produce(Rings *r, MlirOperation op, State *state) {
  TileTmaCopies *c = &r->c;
  TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
  const int number = ringOf(r, op);
  Ring *ring = &r->rings[number];
  MlirValue *at = state->at[number], coordinates[TileLayout_MaxRank];
  for (intptr_t d = 0; d < tileGPUTmaAllocOpGetNumCoordinates(alloc); ++d)
    coordinates[d] = follow(r, tileGPUTmaAllocOpGetCoordinates(alloc, d));
  MlirValue always = tileTmaConstant(c, mlirIntegerTypeGet(c->context, 1), 1);
  MlirValue full = tileTmaBarrierOf(c, ring->full, at[0], 0);
  tileGPUMBarrierWaitOpCreate(c->b, c->loc, tileTmaBarrierOf(c, ring->freed, at[0], 0), at[1]);
  tileGPUMBarrierExpectOpCreate(c->b, c->loc, full, always, tileI32Attr(c->context, ring->bytes));
  tileGPUTmaCopyOpCreate(c->b, c->loc, tileGPUTmaAllocOpGetNumCoordinates(alloc), coordinates,
                         tileTmaView(c, ring->buffers, ring->type, at[0], 0), full, always,
                         tileGPUTmaAllocOpGetMapAttr(alloc));
  advance(r, ring, at);
}

static void produceBlock(Rings *r, MlirBlock block, State *state);

/* The region's copies, in a block of its own that yields the rings; values made there are forgotten. */
static void produceRegion(Rings *r, MlirBlock from, MlirBlock to, State state, const int *rings, int n) {
  const size_t known = r->from.count;
  mlirRewriterBaseSetInsertionPointToEnd(r->c.b, to);
  if (from.ptr)
    produceBlock(r, from, &state);
  MlirValue values[2 * MAX_RINGS];
  appendState(&state, rings, n, values);
  scfYieldOpCreate(r->c.b, r->c.loc, 2 * n, values);
  r->from.count = r->to.count = known;
}

static void produceLoop(Rings *r, SCFForOp old, State *state) {
  TileTmaCopies *c = &r->c;
  int rings[MAX_RINGS];
  const int n = ringsIn(r, old.op, rings);
  MlirValue lower = follow(r, scfForOpGetLowerBound(old)), upper = follow(r, scfForOpGetUpperBound(old)),
            step = follow(r, scfForOpGetStep(old)), inits[2 * MAX_RINGS];
  MlirType types[2 * MAX_RINGS];
  appendState(state, rings, n, inits);
  for (int i = 0; i < 2 * n; ++i)
    types[i] = tileTmaI32(c);
  SCFForOp loop = scfForOpCreate(c->b, c->loc, 2 * n, types, lower, upper, step, 2 * n, inits,
                                 scfForOpGetUnsignedCmpAttr(old));
  MlirBlock from = mlirRegionGetFirstBlock(scfForOpGetRegion(old)), body = addBlock(scfForOpGetRegion(loop));
  mlirBlockAddArgument(body, mlirValueGetType(lower), c->loc);
  for (int i = 0; i < 2 * n; ++i)
    mlirBlockAddArgument(body, types[i], c->loc);
  State inner = *state;
  stateFromArguments(&inner, rings, n, body);
  const size_t known = r->from.count;
  tilePointerListAppend(&r->from, mlirBlockGetArgument(from, 0).ptr);
  tilePointerListAppend(&r->to, mlirBlockGetArgument(body, 0).ptr);
  produceRegion(r, from, body, inner, rings, n);
  r->from.count = r->to.count = known;
  mlirRewriterBaseSetInsertionPointAfter(c->b, loop.op);
  stateFromResults(state, rings, n, loop.op);
}

static void produceBranch(Rings *r, SCFIfOp old, State *state) {
  TileTmaCopies *c = &r->c;
  int rings[MAX_RINGS];
  const int n = ringsIn(r, old.op, rings);
  MlirType types[2 * MAX_RINGS];
  for (int i = 0; i < 2 * n; ++i)
    types[i] = tileTmaI32(c);
  SCFIfOp branch = scfIfOpCreate(c->b, c->loc, 2 * n, types, follow(r, scfIfOpGetCondition(old)));
  produceRegion(r, mlirRegionGetFirstBlock(scfIfOpGetThenRegion(old)), addBlock(scfIfOpGetThenRegion(branch)),
                *state, rings, n);
  produceRegion(r, mlirRegionGetFirstBlock(scfIfOpGetElseRegion(old)), addBlock(scfIfOpGetElseRegion(branch)),
                *state, rings, n);
  mlirRewriterBaseSetInsertionPointAfter(c->b, branch.op);
  stateFromResults(state, rings, n, branch.op);
}

static void produceBlock(Rings *r, MlirBlock block, State *state) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc)
      produce(r, op, state);
    else if (tileOpKind(op) == TileOp_SCF_For && hasCopies(op))
      produceLoop(r, scfForOpCast(op), state);
    else if (tileOpKind(op) == TileOp_SCF_If && hasCopies(op))
      produceBranch(r, scfIfOpCast(op), state);
  }
}

static MlirType ringType(const Ring *ring) {
  TileMemDesc desc;
  (void)tileMemDescOf(ring->type, &desc);
  return tileMemDescTypeFor(tileGPUMemDescTypeGetElementType(ring->type), &desc.layout, desc.alignment,
                            ring->numBuffers);
}

static State startOfRings(Rings *r, int64_t parity) {
  State state;
  for (int i = 0; i < r->count; ++i) {
    state.at[i][0] = tileTmaIndex(&r->c, 0);
    state.at[i][1] = tileTmaIndex(&r->c, parity);
  }
  return state;
}

/* Buffers, barriers and the producer, at the start of the function. */
static void emitProducer(Rings *r, MlirBlock entry) {
  TileTmaCopies *c = &r->c;
  mlirRewriterBaseSetInsertionPointToStart(c->b, entry);
  for (int i = 0; i < r->count; ++i) {
    Ring *ring = &r->rings[i];
    c->numBuffers = ring->numBuffers;
    ring->buffers =
        tileGPUAllocOpGetResult(tileGPUAllocOpCreate(c->b, c->loc, ringType(ring), (MlirValue){NULL}));
    ring->full = tileTmaMakeBarriers(c, 1);
    ring->freed = tileTmaMakeBarriers(c, c->target->numWarps);
  }
  tileGPUFenceAsyncOpCreate(c->b, c->loc, 0, NULL);
  TileGPUProducerOp producer = tileGPUProducerOpCreate(c->b, c->loc);
  MlirBlock body = addBlock(tileGPUProducerOpGetBody(producer));
  mlirOperationSetDiscardableAttributeByName(producer.op, tileStr("tile_gpu.moves_registers"),
                                             mlirUnitAttrGet(c->context));
  // From three warp groups on, all but one are between products at any time; two do as well without turns.
  if (c->target->numWarps >= 3 * GROUP_WARPS && c->target->numWarps <= 7 * GROUP_WARPS)
    mlirOperationSetDiscardableAttributeByName(producer.op, tileStr("tile_gpu.turns"),
                                               mlirUnitAttrGet(c->context));
  mlirRewriterBaseSetInsertionPointToEnd(c->b, body);
  // The phase before the first counts as complete: all buffers are free.
  State state = startOfRings(r, 1);
  produceBlock(r, entry, &state);
  mlirRewriterBaseSetInsertionPointAfter(c->b, producer.op);
}

// ---- The consumers ----

static void arriveAt(Rings *r, MlirValue barrier) {
  tileGPUMBarrierArriveOpCreate(r->c.b, r->c.loc, barrier);
}

/* Arrives behind the last reads in the block, in each arm of a branch behind its own. */
static void release(Rings *r, MlirBlock block, const TilePointerList *ends, MlirValue barrier) {
  MlirOperation last = lastEnd(block, ends);
  if (last.ptr && tileOpKind(last) == TileOp_SCF_If) {
    for (int arm = 0; arm < 2; ++arm)
      release(r, mlirRegionGetFirstBlock(mlirOperationGetRegion(last, arm)), ends, barrier);
    return;
  }
  if (last.ptr)
    mlirRewriterBaseSetInsertionPointAfter(r->c.b, last);
  else
    mlirRewriterBaseSetInsertionPointToStart(r->c.b, block);
  arriveAt(r, barrier);
}

/* ptxas moves waits for products up as far as their block of instructions goes, over all that is to run beside them. Where
 * a product stays open over another wait, its own gets a block's start in front of it: a barrier that was passed before. */
static void holdWaits(Rings *r, const TilePointerList *ends, MlirValue full, MlirValue parity) {
  for (size_t i = 0; i < ends->count; ++i) {
    MlirOperation end = {(void *)ends->items[i]};
    if (tileGPUWgmmaWaitOpGetNumValues(tileGPUWgmmaWaitOpCast(end)) < 2)
      continue;
    mlirRewriterBaseSetInsertionPointBefore(r->c.b, end);
    tileGPUMBarrierWaitOpCreate(r->c.b, r->c.loc, full, parity);
  }
}

static void consume(Rings *r, MlirOperation op, State *state) {
  TileTmaCopies *c = &r->c;
  const int number = ringOf(r, op);
  Ring *ring = &r->rings[number];
  MlirValue *at = state->at[number], buffer = mlirOperationGetResult(op, 0), parity = at[1];
  TilePointerList ends = {.arena = r->arena};
  (void)collectEnds(buffer, &ends);
  mlirRewriterBaseSetInsertionPointBefore(c->b, op);
  MlirValue full = tileTmaBarrierOf(c, ring->full, at[0], 0);
  tileGPUMBarrierWaitOpCreate(c->b, c->loc, full, parity);
  mlirValueReplaceAllUsesOfWith(buffer, tileTmaView(c, ring->buffers, ring->type, at[0], 0));
  MlirValue barrier = tileTmaBarrierOf(c, ring->freed, at[0], 0);
  advance(r, ring, at);
  release(r, mlirOperationGetBlock(op), &ends, barrier);
  if (c->target->numWarps <= 2 * GROUP_WARPS) // with more groups, others fill the gap
    holdWaits(r, &ends, full, parity);
  mlirRewriterBaseEraseOp(c->b, op);
}

static void consumeBlock(Rings *r, MlirBlock block, State *state);

static MlirOperation consumeLoop(Rings *r, MlirOperation op, State *state) {
  int rings[MAX_RINGS];
  const int n = ringsIn(r, op, rings);
  MlirValue inits[2 * MAX_RINGS];
  appendState(state, rings, n, inits);
  mlirRewriterBaseSetInsertionPointBefore(r->c.b, op);
  SCFForOp wide = tileTmaWidenLoopBy(&r->c, scfForOpCast(op), 2 * n, inits, r->arena);
  mlirRewriterBaseEraseOp(r->c.b, op);
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(wide));
  State inner = *state;
  stateFromArguments(&inner, rings, n, body);
  consumeBlock(r, body, &inner);
  yieldMore(r, body, &inner, rings, n);
  stateFromResults(state, rings, n, wide.op);
  return wide.op;
}

static void moveBlock(MlirBlock from, MlirBlock to) {
  for (MlirOperation op = mlirBlockGetFirstOperation(from), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(to, op);
  }
}

static MlirOperation consumeBranch(Rings *r, MlirOperation op, State *state) {
  int rings[MAX_RINGS];
  const int n = ringsIn(r, op, rings);
  const intptr_t old = mlirOperationGetNumResults(op);
  MlirType *types = tileArenaAlloc(r->arena, (size_t)(old + 2 * n) + 1, sizeof *types);
  for (intptr_t i = 0; i < old + 2 * n; ++i)
    types[i] = i < old ? mlirValueGetType(mlirOperationGetResult(op, i)) : tileTmaI32(&r->c);
  mlirRewriterBaseSetInsertionPointBefore(r->c.b, op);
  SCFIfOp wide = scfIfOpCreate(r->c.b, r->c.loc, old + 2 * n, types, scfIfOpGetCondition(scfIfOpCast(op)));
  for (int arm = 0; arm < 2; ++arm) {
    MlirBlock from = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, arm)),
              to = addBlock(mlirOperationGetRegion(wide.op, arm));
    if (from.ptr)
      moveBlock(from, to);
  }
  for (intptr_t i = 0; i < old; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(wide.op, i));
  mlirRewriterBaseEraseOp(r->c.b, op);
  for (int arm = 0; arm < 2; ++arm) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(wide.op, arm));
    State inner = *state;
    consumeBlock(r, block, &inner);
    yieldMore(r, block, &inner, rings, n);
  }
  stateFromResults(state, rings, n, wide.op);
  return wide.op;
}

static void consumeBlock(Rings *r, MlirBlock block, State *state) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc)
      consume(r, op, state);
    else if (tileOpKind(op) == TileOp_SCF_For && hasCopies(op))
      consumeLoop(r, op, state);
    else if (tileOpKind(op) == TileOp_SCF_If && hasCopies(op))
      consumeBranch(r, op, state);
  }
}

static void deferStores(Rings *r, MlirBlock entry) {
  for (MlirOperation op = mlirBlockGetFirstOperation(entry), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    MlirValue buffer =
        tileOpKind(op) == TileOp_SCF_For ? tileDeferStore(r->c.b, scfForOpCast(op)) : (MlirValue){NULL};
    if (buffer.ptr)
      tileGroupStore(r->function, buffer, r->c.target->numWarps);
  }
}

static void emitConsumers(Rings *r, MlirBlock entry) {
  State state = startOfRings(r, 0);
  consumeBlock(r, entry, &state);
  mlirRewriterBaseSetInsertionPointBefore(r->c.b, mlirBlockGetTerminator(entry));
  tileTmaBarrier(&r->c);
  for (int i = 0; i < r->count; ++i) {
    tileGPUMBarrierInvalOpCreate(r->c.b, r->c.loc, r->rings[i].full);
    tileGPUMBarrierInvalOpCreate(r->c.b, r->c.loc, r->rings[i].freed);
  }
  deferStores(r, entry);
}

bool tileSpecializeRings(MlirOperation function, const TileModuleTarget *target) {
  TileArena arena = {0};
  Rings r = {.c = {.context = mlirOperationGetContext(function),
                   .loc = mlirOperationGetLocation(function),
                   .target = target},
             .arena = &arena,
             .function = function,
             .allocs = {.arena = &arena},
             .from = {.arena = &arena},
             .to = {.arena = &arena}};
  const bool can = collectRings(&r) && chooseNumbers(&r);
  if (can) {
    MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
    r.c.b = mlirIRRewriterCreate(r.c.context);
    emitProducer(&r, entry);
    emitConsumers(&r, entry);
    mlirIRRewriterDestroy(r.c.b);
  }
  tileArenaRelease(&arena);
  return can;
}
