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
 * (tile-gpu-overlap-wgmma), that of the one before it is over for all threads at the barrier. Where no product
 * stays open, because there are several, one buffer is enough. All copies of an iteration count towards one barrier.
 *
 * requires: nothing of layouts.  ensures: no tma_alloc is left; every copy is waited for. */
#include "AccelerateWgmma.h"
#include "TmaCopies.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

// ---- Coordinates of other iterations ----

typedef struct Iteration {
  TileTmaCopies *c;
  MlirBlock body;
  MlirValue iv; ///< that stands for the loop's
  TilePointerList *from, *to;
} Iteration;

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
static void start(TileTmaCopies *c, MlirBlock body, MlirValue iv, MlirValue index, int rotate,
                  MlirValue predicate) {
  TileArena arena = {0};
  TilePointerList from = {.arena = &arena}, to = {.arena = &arena};
  Iteration it = {c, body, iv, &from, &to};
  MlirValue barrier = tileTmaBarrierOf(c, c->barriers, index, rotate);
  tileGPUMBarrierExpectOpCreate(c->b, c->loc, barrier, predicate, tileI32Attr(c->context, c->bytes));
  for (int i = 0; i < c->count; ++i) {
    MlirValue coordinates[TileLayout_MaxRank];
    const intptr_t rank = tileGPUTmaAllocOpGetNumCoordinates(c->ops[i]);
    for (intptr_t d = 0; d < rank; ++d)
      coordinates[d] = inIteration(&it, tileGPUTmaAllocOpGetCoordinates(c->ops[i], d));
    tileTmaStart(c, i, coordinates, index, rotate, barrier, predicate);
  }
  tileArenaRelease(&arena);
}

// ---- Loops ----

/* from + steps * step */
static MlirValue later(TileTmaCopies *c, SCFForOp loop, MlirValue from, int steps) {
  MlirValue step = scfForOpGetStep(loop);
  if (!steps)
    return from;
  MlirValue by = tileTmaBinary(c, TileOp_Arith_MulI, step, tileTmaConstant(c, mlirValueGetType(step), steps));
  return tileTmaBinary(c, TileOp_Arith_AddI, from, by);
}

/* Whether the iteration `steps` after `from`, which is one, is one: end - from > steps * step. */
static MlirValue exists(TileTmaCopies *c, SCFForOp loop, MlirValue from, int steps) {
  MlirValue step = scfForOpGetStep(loop), end = scfForOpGetUpperBound(loop);
  MlirValue left = tileTmaBinary(c, TileOp_Arith_SubI, end, from);
  MlirValue by = tileTmaBinary(c, TileOp_Arith_MulI, step, tileTmaConstant(c, mlirValueGetType(step), steps));
  return arithCmpIOpGetResult(arithCmpIOpCreate(c->b, c->loc, mlirIntegerTypeGet(c->context, 1), left, by,
                                                tileI64Attr(c->context, ArithCmpIPredicate_sgt)));
}

typedef struct Bytes {
  const TileTmaCopies *c;
  int64_t sum;
} Bytes;

static MlirWalkResult addBytes(MlirOperation op, void *user) {
  Bytes *b = user;
  bool isOwn = tileOpKind(op) != TileOp_TileGPU_Alloc && tileOpKind(op) != TileOp_TileGPU_TmaAlloc;
  for (int i = 0; i < b->c->count; ++i)
    isOwn |= b->c->ops[i].op.ptr == op.ptr;
  TileMemDesc desc;
  if (!isOwn && tileMemDescOf(mlirValueGetType(mlirOperationGetResult(op, 0)), &desc))
    b->sum += tileMemDescBytes(&desc);
  return MlirWalkResultAdvance;
}

/* Whether a buffer or a view of it is used in the loop. */
static bool isUsedIn(MlirOperation loop, MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 ||
      !tileGPUMemDescTypeIsA(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation owner = mlirOpOperandGetOwner(use);
    for (MlirOperation up = owner; up.ptr; up = mlirOperationGetParentOperation(up))
      if (up.ptr == loop.ptr)
        return true;
    if (isUsedIn(loop, owner))
      return true;
  }
  return false;
}

/* Of other buffers in the loop, and of those in front of it and of those around it that it uses. */
static int64_t otherBytes(const TileTmaCopies *c, MlirOperation inner) {
  MlirOperation loop = inner;
  Bytes b = {c, 0};
  mlirOperationWalk(loop, addBytes, &b, MlirWalkPreOrder);
  for (; tileOpKind(loop) != TileOp_Func_Func; loop = mlirOperationGetParentOperation(loop))
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(loop)); op.ptr != loop.ptr;
         op = mlirOperationGetNextInBlock(op))
      if (isUsedIn(inner, op))
        addBytes(op, &b);
  return b.sum;
}

typedef struct Open {
  int products;
  int64_t sums; ///< elements
  bool inRegisters;
  bool readsCopies; ///< what the copy engine brings is a factor as it is
} Open;

static bool isCopy(MlirValue factor) {
  MlirOperation op = tileValueGetDefiningOp(factor);
  while (op.ptr && tileOpKind(op) == TileOp_TileGPU_Trans)
    op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  return op.ptr && tileOpKind(op) == TileOp_TileGPU_TmaAlloc;
}

static MlirWalkResult countProducts(MlirOperation op, void *user) {
  Open *o = user;
  if (tileOpKind(op) != TileOp_TileGPU_Wgmma)
    return MlirWalkResultAdvance;
  ++o->products;
  o->sums += tileTypeNumElements(mlirValueGetType(mlirOperationGetResult(op, 0)));
  o->inRegisters |= tileTypeIsTensor(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  for (int i = 0; i < 2; ++i)
    o->readsCopies |= isCopy(mlirOperationGetOperand(op, i));
  return MlirWalkResultAdvance;
}

static Open openOf(SCFForOp loop) {
  Open o = {0};
  mlirOperationWalk(loop.op, countProducts, &o, MlirWalkPreOrder);
  return o;
}

/* The product in front of which all copies of the loop are shifted into buffers of its own, with all threads meeting behind that: then the
 * copies' buffers are free, and while it multiplies copies are started. Null: there is none. */
static MlirOperation productOfShifts(const TileTmaCopies *c, MlirBlock body) {
  const MlirOperation none = {NULL};
  MlirOperation product = none;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpKind(op) == TileOp_TileGPU_Wgmma && product.ptr)
      return none;
    if (tileOpKind(op) == TileOp_TileGPU_Wgmma)
      product = op;
  }
  for (int i = 0; product.ptr && i < c->count; ++i) {
    MlirOperation user = tileValueOnlyUser(tileGPUTmaAllocOpGetResult(c->ops[i]));
    if (tileOpKind(user) != TileOp_TileGPU_ShiftedLoad ||
        !mlirBlockEqual(mlirOperationGetBlock(user), body) || !mlirOperationIsBeforeInBlock(user, product))
      return none;
  }
  return product;
}

/* How many buffers copies stay behind: two if an iteration's product may be open in the next. */
static int buffersBehind(const TileTmaCopies *c, SCFForOp loop) {
  const Open o = openOf(loop);
  if (o.products == 1 && productOfShifts(c, mlirRegionGetFirstBlock(scfForOpGetRegion(loop))).ptr)
    return 0;
  return o.products == 1 && !o.inRegisters && o.readsCopies ? 2 : 1;
}

enum { MORE_BUFFERS = 2, ENOUGH_BUFFERS = 3 };

/* Whether the kernel's other version takes a second program's registers (tile-gpu-form-descriptors). */
static bool hasLongSteps(MlirOperation op) {
  while (tileOpKind(op) != TileOp_Func_Func)
    op = mlirOperationGetParentOperation(op);
  return mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.long_steps")).ptr != NULL;
}

/* The three buffers that were asked for, if they leave a multiprocessor room for a second program, which more would keep out: copies then
 * start behind the wait for the product of the iteration before (tile-gpu-overlap-wgmma), so that three are enough for two iterations ahead.
 * A program that is alone on its multiprocessor wants more: who asks for four gets them. */
static bool leaveRoom(TileTmaCopies *c, SCFForOp loop, int stages, int64_t bytes, int64_t others) {
  const TileTargetInfo *info = &c->target->info;
  const int64_t half = info->sharedPerMultiprocessor / 2 - info->sharedReserved - others, fit = half / bytes;
  if (c->behind != 2 || stages != ENOUGH_BUFFERS || fit != ENOUGH_BUFFERS ||
      !tileWgmmaLeavesRoom(c->target, openOf(loop).sums) ||
      tileBlockIsInLoop(mlirOperationGetBlock(loop.op)) || hasLongSteps(loop.op))
    return false;
  c->numBuffers = ENOUGH_BUFFERS;
  c->behind = 1;
  mlirOperationSetDiscardableAttributeByName(loop.op, tileStr("tile_gpu.copies_behind"),
                                             mlirUnitAttrGet(c->context));
  return true;
}

/* Blocks that are shifted into buffers of their own, in which products read them: between two meetings of all threads the matrix units wait.
 * As many buffers as leave room for a second program, which multiplies meanwhile. */
static bool leaveRoomForShifts(TileTmaCopies *c, SCFForOp loop, int stages, int64_t bytes, int64_t others) {
  const TileTargetInfo *info = &c->target->info;
  const Open o = openOf(loop);
  const int64_t half = info->sharedPerMultiprocessor / 2 - info->sharedReserved - others, fit = half / bytes;
  if (c->behind || fit < 2 || !tileWgmmaLeavesRoom(c->target, o.sums))
    return false;
  c->numBuffers = (int)(fit < stages ? fit : stages);
  return true;
}

/* Buffers for `stages` as far as memory goes. */
static bool chooseNumber(TileTmaCopies *c, SCFForOp loop, int stages) {
  int64_t bytes = 16;
  c->behind = buffersBehind(c, loop);
  const int64_t others = 1024 + otherBytes(c, loop.op);
  for (int i = 0; i < c->count; ++i)
    bytes += tileTmaBytes(mlirValueGetType(tileGPUTmaAllocOpGetResult(c->ops[i])));
  const int most = stages + (c->behind ? c->behind - 1 : 0);
  for (c->numBuffers = most < TileTma_MaxBuffers ? most : TileTma_MaxBuffers; c->numBuffers > c->behind;
       --c->numBuffers)
    if (c->numBuffers * bytes + others <= c->target->info.sharedPerBlock)
      break;
  if (c->numBuffers <= c->behind)
    return false;
  if (leaveRoom(c, loop, stages, bytes, others) || leaveRoomForShifts(c, loop, stages, bytes, others))
    return true;
  /* Where no second program fits beside these, more buffers cost nothing: 128x128 blocks of 4 warps, 4096 cubed, 0.90 for 0.75. */
  for (int more = 0; more < MORE_BUFFERS && stages > 2 && c->numBuffers < TileTma_MaxBuffers; ++more)
    if (2 * (c->numBuffers * bytes + others) > c->target->info.sharedPerBlock &&
        (c->numBuffers + 1) * bytes + others <= c->target->info.sharedPerBlock)
      ++c->numBuffers;
  return stages > 1;
}

static void collectCopies(TileTmaCopies *c, MlirBlock body) {
  c->count = 0;
  c->bytes = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
    bool ok = !tileGPUTmaAllocOpIsNull(alloc) && c->count < TileTma_MaxCopies;
    for (intptr_t d = 0; ok && d < tileGPUTmaAllocOpGetNumCoordinates(alloc); ++d)
      ok = tileValueFollowsInLoop(body, tileGPUTmaAllocOpGetCoordinates(alloc, d));
    if (!ok)
      continue;
    c->bytes += tileTmaBytes(mlirValueGetType(tileGPUTmaAllocOpGetResult(alloc)));
    c->ops[c->count++] = alloc;
  }
}

/* Buffers, and barriers that every thread and the copy engine know of. */
static void makeRing(TileTmaCopies *c) {
  tileTmaMakeBuffers(c);
  c->barriers = tileTmaMakeBarriers(c, 1);
  tileGPUFenceAsyncOpCreate(c->b, c->loc, 0, NULL);
  tileTmaBarrier(c);
}

static void pipelineLoop(TileTmaCopies *c, SCFForOp loop) {
  TileArena arena = {0};
  const int ahead = c->numBuffers - c->behind;
  const intptr_t n = scfForOpGetNumInitArgs(loop);
  MlirBlock old = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  c->loc = mlirOperationGetLocation(loop.op);
  mlirRewriterBaseSetInsertionPointBefore(c->b, loop.op);
  makeRing(c);
  for (int k = 0; k < ahead; ++k)
    start(c, old, later(c, loop, scfForOpGetLowerBound(loop), k), tileTmaIndex(c, k), 0,
          exists(c, loop, scfForOpGetLowerBound(loop), k));
  const MlirValue zeros[2] = {tileTmaIndex(c, 0), tileTmaIndex(c, 0)};
  SCFForOp wide = tileTmaWidenLoop(c, loop, zeros, &arena);
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(wide));
  MlirValue iv = mlirBlockGetArgument(body, 0), index = mlirBlockGetArgument(body, n + 1),
            parity = mlirBlockGetArgument(body, n + 2);
  mlirRewriterBaseSetInsertionPointToStart(c->b, body);
  tileGPUMBarrierWaitOpCreate(c->b, c->loc, tileTmaBarrierOf(c, c->barriers, index, 0), parity);
  MlirOperation product = c->behind ? (MlirOperation){NULL} : productOfShifts(c, body);
  if (product.ptr)
    mlirRewriterBaseSetInsertionPointBefore(c->b, product);
  tileTmaBarrier(c);
  if (product.ptr)
    mlirRewriterBaseSetInsertionPointAfter(c->b, product);
  start(c, body, later(c, wide, iv, ahead), index, ahead % c->numBuffers, exists(c, wide, iv, ahead));
  for (int i = 0; i < c->count; ++i) {
    MlirValue result = tileGPUTmaAllocOpGetResult(c->ops[i]);
    mlirRewriterBaseSetInsertionPointBefore(c->b, c->ops[i].op);
    mlirValueReplaceAllUsesOfWith(result, tileTmaBufferOf(c, i, index, 0));
    mlirRewriterBaseEraseOp(c->b, c->ops[i].op);
  }
  MlirValue next[2];
  mlirRewriterBaseSetInsertionPointBefore(c->b, mlirBlockGetTerminator(body));
  tileTmaAdvance(c, index, parity, next);
  tileTmaYield(c, wide, next, &arena);
  mlirRewriterBaseSetInsertionPointAfter(c->b, wide.op);
  tileTmaBarrier(c);
  tileGPUMBarrierInvalOpCreate(c->b, c->loc, c->barriers);
  mlirRewriterBaseEraseOp(c->b, loop.op);
  tileArenaRelease(&arena);
}

// ---- One at a time ----

/* A buffer, a barrier, a copy and a wait. */
static void copyNow(TileTmaCopies *c, TileGPUTmaAllocOp op) {
  MlirValue result = tileGPUTmaAllocOpGetResult(op);
  c->loc = mlirOperationGetLocation(op.op);
  c->ops[0] = op;
  c->count = 1;
  c->numBuffers = 1;
  c->bytes = tileTmaBytes(mlirValueGetType(result));
  mlirRewriterBaseSetInsertionPointBefore(c->b, op.op);
  makeRing(c);
  MlirValue zero = tileTmaIndex(c, 0);
  start(c, (MlirBlock){NULL}, zero, zero, 0, tileTmaConstant(c, mlirIntegerTypeGet(c->context, 1), 1));
  tileGPUMBarrierWaitOpCreate(c->b, c->loc, tileTmaBarrierOf(c, c->barriers, zero, 0), zero);
  tileTmaBarrier(c);
  tileGPUMBarrierInvalOpCreate(c->b, c->loc, c->barriers);
  mlirValueReplaceAllUsesOfWith(result, tileTmaBufferOf(c, 0, zero, 0));
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
  TileTmaCopies c = {.b = mlirIRRewriterCreate(mlirOperationGetContext(module)),
                     .context = mlirOperationGetContext(module),
                     .target = &target};
  mlirOperationWalk(module, find, &f, MlirWalkPostOrder);
  for (size_t i = 0; f.copies.count && i < f.loops.count; ++i) {
    SCFForOp loop = scfForOpCast((MlirOperation){(void *)f.loops.items[i]});
    collectCopies(&c, mlirRegionGetFirstBlock(scfForOpGetRegion(loop)));
    if (!c.count || !chooseNumber(&c, loop, tileTmaStages(loop.op, &target)))
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
