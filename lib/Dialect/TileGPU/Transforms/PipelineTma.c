/* PipelineTma.c - tile-gpu-pipeline-tma: blocks that the copy engine brings are started iterations ahead.
 *
 *   scf.for %k = %lo to %hi step %st iter_args(%acc = %z) {
 *     %m = tile_gpu.tma_alloc 0[%i, %k]
 *     ... products of %m
 * becomes, with four buffers,
 *   %b = tile_gpu.alloc : () -> memdesc<4x...>;  %f = tile_gpu.alloc : () -> memdesc<4x2xi64>
 *   tile_gpu.mbarrier_init %f;  tile.barrier
 *   (for the first two iterations, if there are as many:) mbarrier_expect %f[n]; tma_copy 0[%i, %lo + n * %st], %b[n], %f[n]
 *   scf.for %k = %lo to %hi step %st iter_args(%acc = %z, %n = 0, %parity = 0) {
 *     tile_gpu.mbarrier_wait %f[%n], %parity
 *     tile.barrier
 *     mbarrier_expect %f[%n + 2]; tma_copy 0[%i, %k + 2 * %st], %b[%n + 2], %f[%n + 2], if there is such an iteration
 *     ... products of %b[%n]
 *   tile.barrier; tile_gpu.mbarrier_inval %f
 *
 * Copies run two buffers behind the product that last read theirs: that of the iteration before may be open
 * (tile-gpu-overlap-wgmma), that of the one before it is over for all threads at the barrier. All copies of an
 * iteration count towards one barrier.
 *
 * requires: nothing of layouts.  ensures: no tma_alloc is left; every copy is waited for. */
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

enum { MAX_COPIES = 8, MAX_BUFFERS = 8, BARRIER_WORDS = 2 };

typedef struct Copies {
  TileBuilder b;
  MlirContext context;
  MlirLocation loc;
  const TileModuleTarget *target;
  int count;
  TileGPUTmaAllocOp ops[MAX_COPIES];
  MlirValue buffers[MAX_COPIES], barriers;
  int64_t bytes; ///< of one iteration
  int numBuffers;
} Copies;

static MlirType i32Of(const Copies *c) { return mlirIntegerTypeGet(c->context, 32); }

static MlirValue constantOf(Copies *c, MlirType type, int64_t value) {
  return arithConstantOpGetResult(arithConstantOpCreate(c->b, c->loc, type, mlirIntegerAttrGet(type, value)));
}
static MlirValue i32(Copies *c, int64_t value) { return constantOf(c, i32Of(c), value); }
static MlirValue truth(Copies *c) { return constantOf(c, mlirIntegerTypeGet(c->context, 1), 1); }

static void emitBarrier(Copies *c) {
  mlirOperationSetDiscardableAttributeByName(tileBarrierOpCreate(c->b, c->loc).op,
                                             tileStr("tile_gpu.shared_only"), mlirUnitAttrGet(c->context));
}

// ---- Buffers ----

static int64_t bytesOf(MlirType buffer) {
  TileMemDesc desc;
  return tileMemDescOf(buffer, &desc) ? desc.stride : 0;
}

static MlirType barriersType(Copies *c, int count) {
  const int64_t shape[1] = {BARRIER_WORDS};
  const int32_t order[1] = {0};
  TileSharedLayout layout;
  (void)tileSharedPlain(shape, 1, order, &layout);
  return tileMemDescTypeFor(mlirIntegerTypeGet(c->context, 64), &layout, TileShared_DefaultAlignment, count);
}

static MlirValue allocate(Copies *c, MlirType type) {
  return tileGPUAllocOpGetResult(tileGPUAllocOpCreate(c->b, c->loc, type, (MlirValue){NULL}));
}

/* Buffers, and barriers that every thread and the copy engine know of. */
static void makeBuffers(Copies *c) {
  for (int i = 0; i < c->count; ++i) {
    MlirType type = mlirValueGetType(tileGPUTmaAllocOpGetResult(c->ops[i]));
    TileMemDesc desc;
    (void)tileMemDescOf(type, &desc);
    c->buffers[i] = allocate(c, tileMemDescTypeFor(tileGPUMemDescTypeGetElementType(type), &desc.layout,
                                                   desc.alignment, c->numBuffers));
  }
  c->barriers = allocate(c, barriersType(c, c->numBuffers));
  tileGPUMBarrierInitOpCreate(c->b, c->loc, c->barriers);
  tileGPUFenceAsyncOpCreate(c->b, c->loc, 0, NULL);
  emitBarrier(c);
}

static MlirValue viewOf(Copies *c, MlirValue buffers, MlirType one, MlirValue index, int rotate) {
  return tileGPUIndexOpGetResult(
      tileGPUIndexOpCreate(c->b, c->loc, one, buffers, index, tileI32Attr(c->context, rotate)));
}

static MlirValue barrierOf(Copies *c, MlirValue index, int rotate) {
  return viewOf(c, c->barriers, barriersType(c, 0), index, rotate);
}

// ---- Coordinates of other iterations ----

typedef struct Iteration {
  Copies *c;
  MlirBlock body;
  MlirValue iv; ///< that stands for the loop's
  TilePointerList *from, *to;
} Iteration;

/* Whether the value follows from the induction variable and what is in front of the loop. */
static bool follows(MlirBlock body, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileValueGetBlock(v).ptr != body.ptr)
    return true;
  if (!op.ptr)
    return mlirBlockArgumentGetArgNumber(v) == 0;
  if (depth > 32 || !tileOpIsPure(op) || mlirOperationGetNumRegions(op) ||
      tileTypeIsTensor(mlirValueGetType(v)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!follows(body, mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

static MlirValue inIteration(Iteration *it, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileValueGetBlock(v).ptr != it->body.ptr)
    return v;
  if (!op.ptr)
    return it->iv;
  for (size_t i = 0; i < it->from->count; ++i)
    if (it->from->items[i] == v.ptr)
      return (MlirValue){(void *)it->to->items[i]};
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(clone, i, inIteration(it, mlirOperationGetOperand(op, i)));
  mlirRewriterBaseInsert(it->c->b, clone);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    tilePointerListAppend(it->from, mlirOperationGetResult(op, i).ptr);
    tilePointerListAppend(it->to, mlirOperationGetResult(clone, i).ptr);
  }
  return inIteration(it, v);
}

/* Starts all copies of an iteration into buffer (index + rotate) modulo their number. */
static void start(Copies *c, MlirBlock body, MlirValue iv, MlirValue index, int rotate, MlirValue predicate) {
  TileArena arena = {0};
  TilePointerList from = {.arena = &arena}, to = {.arena = &arena};
  Iteration it = {c, body, iv, &from, &to};
  MlirValue barrier = barrierOf(c, index, rotate);
  tileGPUMBarrierExpectOpCreate(c->b, c->loc, barrier, predicate, tileI32Attr(c->context, c->bytes));
  for (int i = 0; i < c->count; ++i) {
    MlirValue coordinates[TileLayout_MaxRank];
    const intptr_t rank = tileGPUTmaAllocOpGetNumCoordinates(c->ops[i]);
    for (intptr_t d = 0; d < rank; ++d)
      coordinates[d] = inIteration(&it, tileGPUTmaAllocOpGetCoordinates(c->ops[i], d));
    MlirType one = mlirValueGetType(tileGPUTmaAllocOpGetResult(c->ops[i]));
    tileGPUTmaCopyOpCreate(c->b, c->loc, rank, coordinates, viewOf(c, c->buffers[i], one, index, rotate),
                           barrier, predicate, tileGPUTmaAllocOpGetMapAttr(c->ops[i]));
  }
  tileArenaRelease(&arena);
}

// ---- Loops ----

static MlirValue binary(Copies *c, TileOpKind kind, MlirValue a, MlirValue b) {
  MlirOperationState s = mlirOperationStateGet(tileStr(tileOpKindName(kind)), c->loc);
  MlirType type = mlirValueGetType(a);
  mlirOperationStateAddOperands(&s, 2, (MlirValue[]){a, b});
  mlirOperationStateAddResults(&s, 1, &type);
  return mlirOperationGetResult(tileBuilderInsert(c->b, &s), 0);
}

/* from + steps * step */
static MlirValue later(Copies *c, SCFForOp loop, MlirValue from, int steps) {
  MlirValue step = scfForOpGetStep(loop);
  if (!steps)
    return from;
  MlirValue by = binary(c, TileOp_Arith_MulI, step, constantOf(c, mlirValueGetType(step), steps));
  return binary(c, TileOp_Arith_AddI, from, by);
}

/* Whether the iteration `steps` after `from`, which is one, is one: end - from > steps * step. */
static MlirValue exists(Copies *c, SCFForOp loop, MlirValue from, int steps) {
  MlirValue step = scfForOpGetStep(loop), end = scfForOpGetUpperBound(loop);
  MlirValue left = binary(c, TileOp_Arith_SubI, end, from);
  MlirValue by = binary(c, TileOp_Arith_MulI, step, constantOf(c, mlirValueGetType(step), steps));
  return arithCmpIOpGetResult(arithCmpIOpCreate(c->b, c->loc, mlirIntegerTypeGet(c->context, 1), left, by,
                                                tileI64Attr(c->context, ArithCmpIPredicate_sgt)));
}

/* Buffers for `stages` as far as memory goes; below three there is no room for an open product. */
static bool chooseNumber(Copies *c, int stages) {
  int64_t bytes = BARRIER_WORDS * 8;
  for (int i = 0; i < c->count; ++i)
    bytes += bytesOf(mlirValueGetType(tileGPUTmaAllocOpGetResult(c->ops[i])));
  for (c->numBuffers = stages + 1 < MAX_BUFFERS ? stages + 1 : MAX_BUFFERS; c->numBuffers >= 3;
       --c->numBuffers)
    if (c->numBuffers * bytes + 1024 <= c->target->info.sharedPerBlock)
      return stages > 1;
  return false;
}

static void collectCopies(Copies *c, MlirBlock body) {
  c->count = 0;
  c->bytes = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
    bool ok = !tileGPUTmaAllocOpIsNull(alloc) && c->count < MAX_COPIES;
    for (intptr_t d = 0; ok && d < tileGPUTmaAllocOpGetNumCoordinates(alloc); ++d)
      ok = follows(body, tileGPUTmaAllocOpGetCoordinates(alloc, d), 0);
    if (!ok)
      continue;
    c->bytes += bytesOf(mlirValueGetType(tileGPUTmaAllocOpGetResult(alloc)));
    c->ops[c->count++] = alloc;
  }
}

/* The loop with two more carried variables, which start at 0; its body moves over. */
static SCFForOp widenLoop(Copies *c, SCFForOp loop, TileArena *arena) {
  const intptr_t n = scfForOpGetNumInitArgs(loop);
  MlirBlock old = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirType *types = tileArenaAlloc(arena, (size_t)n + 2, sizeof *types);
  MlirValue *inits = tileArenaAlloc(arena, (size_t)n + 2, sizeof *inits);
  for (intptr_t i = 0; i < n; ++i) {
    inits[i] = scfForOpGetInitArgs(loop, i);
    types[i] = mlirValueGetType(inits[i]);
  }
  types[n] = types[n + 1] = i32Of(c);
  inits[n] = inits[n + 1] = i32(c, 0);
  SCFForOp wide =
      scfForOpCreate(c->b, c->loc, n + 2, types, scfForOpGetLowerBound(loop), scfForOpGetUpperBound(loop),
                     scfForOpGetStep(loop), n + 2, inits, scfForOpGetUnsignedCmpAttr(loop));
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  mlirBlockAddArgument(body, mlirValueGetType(scfForOpGetLowerBound(loop)), c->loc);
  for (intptr_t i = 0; i < n + 2; ++i)
    mlirBlockAddArgument(body, types[i], c->loc);
  mlirRegionAppendOwnedBlock(scfForOpGetRegion(wide), body);
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(loop.op); ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(loop.op, i);
    mlirOperationSetDiscardableAttributeByName(wide.op, mlirIdentifierStr(attr.name), attr.attribute);
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(old), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(body, op);
  }
  for (intptr_t i = 0; i <= n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(old, i), mlirBlockGetArgument(body, i));
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop.op, i), mlirOperationGetResult(wide.op, i));
  return wide;
}

static void endLoop(Copies *c, SCFForOp loop, MlirValue index, MlirValue parity, TileArena *arena) {
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirOperation yield = mlirBlockGetTerminator(body);
  const intptr_t n = mlirOperationGetNumOperands(yield);
  MlirValue *values = tileArenaAlloc(arena, (size_t)n + 2, sizeof *values);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetOperand(yield, i);
  mlirRewriterBaseSetInsertionPointBefore(c->b, yield);
  values[n] = tileGPUAdvanceOpGetResult(
      tileGPUAdvanceOpCreate(c->b, c->loc, i32Of(c), index, tileI32Attr(c->context, c->numBuffers)));
  MlirValue wraps =
      arithCmpIOpGetResult(arithCmpIOpCreate(c->b, c->loc, mlirIntegerTypeGet(c->context, 1), values[n],
                                             i32(c, 0), tileI64Attr(c->context, ArithCmpIPredicate_eq)));
  MlirValue turned = binary(c, TileOp_Arith_XOrI, parity, i32(c, 1));
  values[n + 1] = arithSelectOpGetResult(arithSelectOpCreate(c->b, c->loc, i32Of(c), wraps, turned, parity));
  scfYieldOpCreate(c->b, c->loc, n + 2, values);
  mlirRewriterBaseEraseOp(c->b, yield);
}

static void pipelineLoop(Copies *c, SCFForOp loop) {
  TileArena arena = {0};
  const int ahead = c->numBuffers - 2;
  const intptr_t n = scfForOpGetNumInitArgs(loop);
  MlirBlock old = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  c->loc = mlirOperationGetLocation(loop.op);
  mlirRewriterBaseSetInsertionPointBefore(c->b, loop.op);
  makeBuffers(c);
  for (int k = 0; k < ahead; ++k)
    start(c, old, later(c, loop, scfForOpGetLowerBound(loop), k), i32(c, k), 0,
          exists(c, loop, scfForOpGetLowerBound(loop), k));
  SCFForOp wide = widenLoop(c, loop, &arena);
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(wide));
  MlirValue iv = mlirBlockGetArgument(body, 0), index = mlirBlockGetArgument(body, n + 1),
            parity = mlirBlockGetArgument(body, n + 2);
  mlirRewriterBaseSetInsertionPointToStart(c->b, body);
  tileGPUMBarrierWaitOpCreate(c->b, c->loc, barrierOf(c, index, 0), parity);
  emitBarrier(c);
  start(c, body, later(c, wide, iv, ahead), index, ahead, exists(c, wide, iv, ahead));
  for (int i = 0; i < c->count; ++i) {
    MlirValue result = tileGPUTmaAllocOpGetResult(c->ops[i]);
    mlirRewriterBaseSetInsertionPointBefore(c->b, c->ops[i].op);
    mlirValueReplaceAllUsesOfWith(result, viewOf(c, c->buffers[i], mlirValueGetType(result), index, 0));
    mlirRewriterBaseEraseOp(c->b, c->ops[i].op);
  }
  endLoop(c, wide, index, parity, &arena);
  mlirRewriterBaseSetInsertionPointAfter(c->b, wide.op);
  emitBarrier(c);
  tileGPUMBarrierInvalOpCreate(c->b, c->loc, c->barriers);
  mlirRewriterBaseEraseOp(c->b, loop.op);
  tileArenaRelease(&arena);
}

// ---- One at a time ----

/* A buffer, a barrier, a copy and a wait. */
static void copyNow(Copies *c, TileGPUTmaAllocOp op) {
  MlirValue result = tileGPUTmaAllocOpGetResult(op);
  c->loc = mlirOperationGetLocation(op.op);
  c->ops[0] = op;
  c->count = 1;
  c->numBuffers = 1;
  c->bytes = bytesOf(mlirValueGetType(result));
  mlirRewriterBaseSetInsertionPointBefore(c->b, op.op);
  makeBuffers(c);
  MlirValue zero = i32(c, 0);
  start(c, (MlirBlock){NULL}, zero, zero, 0, truth(c));
  tileGPUMBarrierWaitOpCreate(c->b, c->loc, barrierOf(c, zero, 0), zero);
  emitBarrier(c);
  tileGPUMBarrierInvalOpCreate(c->b, c->loc, c->barriers);
  mlirValueReplaceAllUsesOfWith(result, viewOf(c, c->buffers[0], mlirValueGetType(result), zero, 0));
  mlirRewriterBaseEraseOp(c->b, op.op);
}

typedef struct Found {
  TilePointerList loops, copies;
} Found;

static MlirWalkResult find(MlirOperation op, void *user) {
  Found *f = user;
  if (tileOpKind(op) == TileOp_SCF_For)
    tilePointerListAppend(&f->loops, op.ptr);
  if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc)
    tilePointerListAppend(&f->copies, op.ptr);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUPipelineTmaRun(MlirOperation module, const TileGPUPipelineTmaParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  TileArena arena = {0};
  Found f = {{.arena = &arena}, {.arena = &arena}};
  Copies c = {.b = mlirIRRewriterCreate(mlirOperationGetContext(module)),
              .context = mlirOperationGetContext(module),
              .target = &target};
  mlirOperationWalk(module, find, &f, MlirWalkPostOrder);
  for (size_t i = 0; f.copies.count && i < f.loops.count; ++i) {
    SCFForOp loop = scfForOpCast((MlirOperation){(void *)f.loops.items[i]});
    collectCopies(&c, mlirRegionGetFirstBlock(scfForOpGetRegion(loop)));
    if (!c.count || !chooseNumber(&c, (int)tileGetIntAttr(loop.op, "tile.num_stages", target.numStages)))
      continue;
    *params->numCopies += (uint64_t)c.count;
    pipelineLoop(&c, loop);
  }
  f.copies.count = 0;
  f.loops.count = 0;
  mlirOperationWalk(module, find, &f, MlirWalkPostOrder);
  for (size_t i = 0; i < f.copies.count; ++i)
    copyNow(&c, tileGPUTmaAllocOpCast((MlirOperation){(void *)f.copies.items[i]}));
  mlirIRRewriterDestroy(c.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
