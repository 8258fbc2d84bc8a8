/* WarpSpecialize.c - tile-gpu-warp-specialize: a warp of its own starts the copies of the copy engine.
 *
 *   scf.for %t = ... {
 *     scf.for %k = %lo to %hi step %st iter_args(%acc = %z) {
 *       %m = tile_gpu.tma_alloc 0[%i, %k]
 *       ... products of %m, waited for
 *     } {tile.warp_specialize}
 *     ... stores of the sum
 * becomes
 *   %b = tile_gpu.alloc (a ring);  %full, %free = tile_gpu.alloc, tile_gpu.mbarrier_init
 *   tile_gpu.producer {
 *     scf.for %t ... scf.for %k ... {
 *       mbarrier_wait %free[%n];  mbarrier_expect %full[%n];  tma_copy 0[%i, %k], %b[%n], %full[%n]
 *   }
 *   scf.for %t = ... {
 *     scf.for %k ... {
 *       mbarrier_wait %full[%n]
 *       ... products of %b[%n]
 *       mbarrier_arrive %free[%n]
 *   tile.barrier; mbarrier_inval %full; mbarrier_inval %free
 *
 * Both carry the number of the buffer and a parity through all loops, so that the producer runs ahead over the
 * stores of a block into the next one. The copy engine's store of a block goes on beside them (DeferStores.h).
 *
 * requires: nothing of layouts.
 * ensures: the kernel has one producer at its start, or is as it was. */
#include "DeferStores.h"
#include "GroupStores.h"
#include "KeepOpen.h"
#include "SpecializeRings.h"
#include "TensorMaps.h"
#include "TmaCopies.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

enum { MAX_DEPTH = 4, SPARE_BYTES = 1024, LEAST_OPEN = 3 /* buffers */ };

typedef struct Specializer {
  TileTmaCopies c;
  TileArena *arena;
  SCFForOp path[MAX_DEPTH]; ///< loops, the outermost first; the last has the copies
  int depth;
  SCFIfOp branch;           ///< in whose first arm they stand; null: none
  MlirValue ivs[MAX_DEPTH]; ///< the producer's induction variables
  MlirValue freed;          ///< barriers
  bool staysOpen;           ///< products go on while the next iteration starts
  TilePointerList from, to; ///< values of the producer
} Specializer;

static MlirBlock bodyOf(SCFForOp loop) { return mlirRegionGetFirstBlock(scfForOpGetRegion(loop)); }

// ---- What is asked for ----

/* The loops around one that asks, up to the function's body or an arm of a branch there (tile-gpu-form-descriptors); false if
 * anything else is around it. */
static bool findPath(Specializer *s, MlirOperation loop) {
  SCFForOp up[MAX_DEPTH];
  s->depth = 0;
  for (; tileOpKind(loop) == TileOp_SCF_For; loop = mlirOperationGetParentOperation(loop)) {
    if (s->depth == MAX_DEPTH)
      return false;
    up[s->depth++] = scfForOpCast(loop);
  }
  for (int i = 0; i < s->depth; ++i)
    s->path[i] = up[s->depth - 1 - i];
  s->branch = scfIfOpCast(loop);
  if (!scfIfOpIsNull(s->branch)) {
    if (mlirOperationGetNumResults(loop) || mlirOperationGetBlock(s->path[0].op).ptr !=
                                                mlirRegionGetFirstBlock(scfIfOpGetThenRegion(s->branch)).ptr)
      return false;
    loop = mlirOperationGetParentOperation(loop);
  }
  return tileOpKind(loop) == TileOp_Func_Func;
}

static int levelOf(const Specializer *s, MlirBlock block) {
  for (int i = 0; i < s->depth; ++i)
    if (bodyOf(s->path[i]).ptr == block.ptr)
      return i;
  return -1;
}

/* Whether the producer can compute the value: from parameters and induction variables, without tensors. In front of a branch of two
 * versions all is there. */
static bool canFollow(const Specializer *s, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileTmaIsInFront(s->branch.op, v))
    return true;
  if (!op.ptr) {
    const int level = levelOf(s, tileValueGetBlock(v));
    return level < 0 ? tileOpKind(mlirBlockGetParentOperation(tileValueGetBlock(v))) == TileOp_Func_Func
                     : mlirBlockArgumentGetArgNumber(v) == 0;
  }
  if (depth > 64 || tileTypeIsTensor(mlirValueGetType(v)) || !tileOpIsPure(op) ||
      mlirOperationGetNumRegions(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!canFollow(s, mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

static bool collectCopies(Specializer *s) {
  MlirBlock body = bodyOf(s->path[s->depth - 1]);
  s->c.count = 0;
  s->c.bytes = 0;
  for (int i = 0; i < s->depth; ++i)
    for (int k = 0; k < 3; ++k)
      if (!canFollow(s, mlirOperationGetOperand(s->path[i].op, k), 0)) // bounds and step
        return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
    if (tileGPUTmaAllocOpIsNull(alloc))
      continue;
    // Threads that read vectors on their own would have to meet before they let go of them.
    if (s->c.count == TileTma_MaxCopies || tileGPUTmaAllocOpGetNumCoordinates(alloc) == 1)
      return false;
    for (intptr_t d = 0; d < tileGPUTmaAllocOpGetNumCoordinates(alloc); ++d)
      if (!canFollow(s, tileGPUTmaAllocOpGetCoordinates(alloc, d), 0))
        return false;
    s->c.bytes += tileTmaBytes(mlirValueGetType(tileGPUTmaAllocOpGetResult(alloc)));
    s->c.ops[s->c.count++] = alloc;
  }
  return s->c.count > 0;
}

typedef struct Bytes {
  const Specializer *s;
  int64_t sum;
} Bytes;

/* Buffers of the branch's other arm take the place of the rings. */
static bool isApart(const Specializer *s, MlirOperation op) {
  MlirBlock other =
      scfIfOpIsNull(s->branch) ? (MlirBlock){NULL} : mlirRegionGetFirstBlock(scfIfOpGetElseRegion(s->branch));
  for (; other.ptr && op.ptr; op = mlirOperationGetParentOperation(op))
    if (mlirBlockEqual(mlirOperationGetBlock(op), other))
      return true;
  return false;
}

static MlirWalkResult addBytes(MlirOperation op, void *user) {
  Bytes *b = user;
  if (tileOpKind(op) == TileOp_TileGPU_Alloc && !isApart(b->s, op))
    b->sum += tileTmaBytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return MlirWalkResultAdvance;
}

/* As many stages as are asked for and fit beside all other buffers. */
static bool chooseNumber(Specializer *s, MlirOperation function) {
  Bytes others = {s, SPARE_BYTES};
  MlirOperation loop = s->path[s->depth - 1].op;
  int64_t asked = tileTmaStages(loop, s->c.target);
  mlirOperationWalk(function, addBytes, &others, MlirWalkPreOrder);
  s->c.numBuffers = (int)(asked < TileTma_MaxBuffers ? asked : TileTma_MaxBuffers);
  while (s->c.numBuffers > 1 &&
         s->c.numBuffers * (s->c.bytes + 32) + others.sum > s->c.target->info.sharedPerBlock)
    --s->c.numBuffers;
  const unsigned threads = (unsigned)(s->c.target->launchedWarps + 1) * s->c.target->info.warpSize;
  return s->c.numBuffers > 1 && threads <= s->c.target->info.maxThreadsPerBlock;
}

/* Those that share a copy's rows and those that share its columns both have to free a buffer. */
static void addSharers(TileTmaCopies *c, MlirOperation op, int64_t cluster) {
  const int64_t blocks = tileGetIntAttr(op, "tile_gpu.multicast", 1),
                stride = tileGetIntAttr(op, "tile_gpu.multicast_stride", 1);
  const bool isFirst = c->blocks != cluster;
  const int apart = (int)(blocks == cluster ? 0 : stride > 1 ? stride : blocks);
  c->blocks = (int)cluster;
  c->apart = isFirst || c->apart == apart ? apart : 0;
}

/* Blocks of a cluster copy parts of what all of them need: boxes of columns, or else of rows. */
static void shareCopies(Specializer *s, MlirOperation function) {
  TileTmaCopies *c = &s->c;
  const int64_t cluster = tileGetIntAttr(function, "tile_gpu.cluster", 1);
  for (int i = 0; i < c->count; ++i) {
    TileMemDesc desc;
    TileWarpGroupFactor rows;
    const int64_t blocks = tileGetIntAttr(c->ops[i].op, "tile_gpu.multicast", 1);
    if (cluster == 1 || blocks == 1 ||
        !tileMemDescOf(mlirValueGetType(tileGPUTmaAllocOpGetResult(c->ops[i])), &desc) ||
        !tileWarpGroupFactorOf(&desc, 1, &rows))
      continue;
    const int64_t boxes = desc.shape[1] * desc.elementBytes / rows.swizzleBytes;
    if (boxes % blocks && (desc.shape[0] % (8 * blocks) ||
                           !tileTensorMapShorten(function, tileGPUTmaAllocOpGetMap(c->ops[i]), (int)blocks)))
      mlirOperationRemoveDiscardableAttributeByName(c->ops[i].op, tileStr("tile_gpu.multicast"));
    else
      addSharers(c, c->ops[i].op, cluster);
  }
}

// ---- The producer ----

static MlirValue follow(Specializer *s, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr) {
    const int level = levelOf(s, tileValueGetBlock(v));
    return level < 0 ? v : s->ivs[level];
  }
  for (size_t i = 0; i < s->from.count; ++i)
    if (s->from.items[i] == v.ptr)
      return (MlirValue){(void *)s->to.items[i]};
  if (tileTmaIsInFront(s->branch.op, v))
    return v;
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(clone, i, follow(s, mlirOperationGetOperand(op, i)));
  mlirRewriterBaseInsert(s->c.b, clone);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    tilePointerListAppend(&s->from, mlirOperationGetResult(op, i).ptr);
    tilePointerListAppend(&s->to, mlirOperationGetResult(clone, i).ptr);
  }
  return follow(s, v);
}

/* One iteration's copies, as soon as the buffer is free. */
static void produce(Specializer *s, MlirValue index, MlirValue parity) {
  TileTmaCopies *c = &s->c;
  MlirValue always = tileTmaConstant(c, mlirIntegerTypeGet(c->context, 1), 1);
  MlirValue full = tileTmaBarrierOf(c, c->barriers, index, 0);
  tileGPUMBarrierWaitOpCreate(c->b, c->loc, tileTmaBarrierOf(c, s->freed, index, 0), parity);
  tileGPUMBarrierExpectOpCreate(c->b, c->loc, full, always, tileI32Attr(c->context, c->bytes));
  for (int i = 0; i < c->count; ++i) {
    MlirValue coordinates[TileLayout_MaxRank];
    for (intptr_t d = 0; d < tileGPUTmaAllocOpGetNumCoordinates(c->ops[i]); ++d)
      coordinates[d] = follow(s, tileGPUTmaAllocOpGetCoordinates(c->ops[i], d));
    tileTmaStart(c, i, coordinates, index, 0, full, always);
  }
}

/* The loops from `level` inwards; `state` is the number of the buffer and its parity, before and after. */
static void emitLoops(Specializer *s, int level, MlirValue state[2]) {
  TileTmaCopies *c = &s->c;
  SCFForOp old = s->path[level];
  MlirValue lower = follow(s, scfForOpGetLowerBound(old)), upper = follow(s, scfForOpGetUpperBound(old)),
            step = follow(s, scfForOpGetStep(old)), next[2];
  MlirType types[2] = {tileTmaI32(c), tileTmaI32(c)};
  SCFForOp loop =
      scfForOpCreate(c->b, c->loc, 2, types, lower, upper, step, 2, state, scfForOpGetUnsignedCmpAttr(old));
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  mlirBlockAddArgument(body, mlirValueGetType(lower), c->loc);
  mlirBlockAddArgument(body, types[0], c->loc);
  mlirBlockAddArgument(body, types[1], c->loc);
  mlirRegionAppendOwnedBlock(scfForOpGetRegion(loop), body);
  s->ivs[level] = mlirBlockGetArgument(body, 0);
  next[0] = mlirBlockGetArgument(body, 1);
  next[1] = mlirBlockGetArgument(body, 2);
  mlirRewriterBaseSetInsertionPointToEnd(c->b, body);
  if (level + 1 < s->depth) {
    emitLoops(s, level + 1, next);
  } else {
    MlirValue at[2] = {next[0], next[1]};
    produce(s, at[0], at[1]);
    tileTmaAdvance(c, at[0], at[1], next);
  }
  scfYieldOpCreate(c->b, c->loc, 2, next);
  mlirRewriterBaseSetInsertionPointAfter(c->b, loop.op);
  state[0] = mlirOperationGetResult(loop.op, 0);
  state[1] = mlirOperationGetResult(loop.op, 1);
}

/* Whether a thread's sums leave too few of the registers that it is launched with: a producer has a warp group then, and gives most
 * of its own away. */
static bool needsRegisters(const Specializer *s) {
  enum { MostSums = 128 };
  SCFForOp loop = s->path[s->depth - 1];
  int64_t bytes = 0;
  for (intptr_t i = 0; i < scfForOpGetNumInitArgs(loop); ++i) {
    MlirType type = mlirValueGetType(scfForOpGetInitArgs(loop, i));
    if (tileTypeIsTensor(type))
      bytes += tileTypeNumElements(type) * (int64_t)tileElementTypeSize(tileElementTypeOf(type));
  }
  return bytes / 4 / (s->c.target->numWarps * (int64_t)s->c.target->info.warpSize) > MostSums;
}

/* Buffers, barriers and the producer, at the start of the function or in front of the branch of two versions. */
static void emitProducer(Specializer *s, MlirBlock entry) {
  TileTmaCopies *c = &s->c;
  if (scfIfOpIsNull(s->branch))
    mlirRewriterBaseSetInsertionPointToStart(c->b, entry);
  else
    mlirRewriterBaseSetInsertionPointBefore(c->b, s->branch.op);
  tileTmaMakeBuffers(c);
  c->barriers = tileTmaMakeBarriers(c, 1);
  s->freed = tileTmaMakeBarriersFor(c, c->numBuffers + s->staysOpen,
                                    (int64_t)c->target->launchedWarps * tileTmaSharers(c));
  TileGPUProducerOp producer = tileGPUProducerOpCreate(c->b, c->loc);
  if (c->blocks > 1)
    mlirOperationSetDiscardableAttributeByName(producer.op, tileStr("tile_gpu.blocks"),
                                               tileI32Attr(c->context, c->blocks));
  if (needsRegisters(s))
    mlirOperationSetDiscardableAttributeByName(producer.op, tileStr("tile_gpu.moves_registers"),
                                               mlirUnitAttrGet(c->context));
  MlirBlock body = tileRegionAddBlock(tileGPUProducerOpGetBody(producer));
  mlirRewriterBaseSetInsertionPointToEnd(c->b, body);
  if (!scfIfOpIsNull(
          s->branch)) { // the other arm needs more registers than are left to a thread of all warps
    mlirOperationSetDiscardableAttributeByName(producer.op, tileStr("tile_gpu.moves_registers"),
                                               mlirUnitAttrGet(c->context));
    SCFIfOp branch = scfIfOpCreate(c->b, c->loc, 0, NULL, scfIfOpGetCondition(s->branch));
    mlirRewriterBaseSetInsertionPointToEnd(c->b, tileRegionAddBlock(scfIfOpGetThenRegion(branch)));
    scfYieldOpCreate(c->b, c->loc, 0, NULL);
    mlirRewriterBaseSetInsertionPointToStart(c->b, mlirRegionGetFirstBlock(scfIfOpGetThenRegion(branch)));
  }
  // The phase before the first counts as complete: all buffers are free.
  MlirValue state[2] = {tileTmaIndex(c, 0), tileTmaIndex(c, 1)};
  emitLoops(s, 0, state);
  mlirRewriterBaseSetInsertionPointAfter(c->b, producer.op);
}

// ---- The consumers ----

static void consume(Specializer *s, SCFForOp loop) {
  TileTmaCopies *c = &s->c;
  MlirBlock body = bodyOf(loop);
  const intptr_t n = mlirBlockGetNumArguments(body);
  MlirValue index = mlirBlockGetArgument(body, n - 2), parity = mlirBlockGetArgument(body, n - 1), next[2];
  mlirRewriterBaseSetInsertionPointToStart(c->b, body);
  tileGPUMBarrierWaitOpCreate(c->b, c->loc, tileTmaBarrierOf(c, c->barriers, index, 0), parity);
  for (int i = 0; i < c->count; ++i) {
    MlirValue result = tileGPUTmaAllocOpGetResult(c->ops[i]);
    mlirRewriterBaseSetInsertionPointBefore(c->b, c->ops[i].op);
    mlirValueReplaceAllUsesOfWith(result, tileTmaBufferOf(c, i, index, 0));
    mlirRewriterBaseEraseOp(c->b, c->ops[i].op);
  }
  mlirRewriterBaseSetInsertionPointBefore(c->b, mlirBlockGetTerminator(body));
  tileTmaArrive(c, tileTmaBarrierOf(c, s->freed, index, 0));
  tileTmaAdvance(c, index, parity, next);
  tileTmaYield(c, loop, next, s->arena);
}

static void emitConsumers(Specializer *s) {
  TileTmaCopies *c = &s->c;
  MlirValue state[2] = {{NULL}, {NULL}};
  for (int i = 0; i < s->depth; ++i) {
    MlirOperation old = s->path[i].op;
    mlirRewriterBaseSetInsertionPointBefore(c->b, old);
    if (!i) {
      state[0] = tileTmaIndex(c, 0);
      state[1] = tileTmaIndex(c, 0);
    }
    s->path[i] = tileTmaWidenLoop(c, s->path[i], state, s->arena);
    mlirRewriterBaseEraseOp(c->b, old);
    MlirBlock body = bodyOf(s->path[i]);
    const intptr_t n = mlirBlockGetNumArguments(body);
    state[0] = mlirBlockGetArgument(body, n - 2);
    state[1] = mlirBlockGetArgument(body, n - 1);
  }
  consume(s, s->path[s->depth - 1]);
  MlirOperation last = s->path[s->depth - 1].op, end = last; // `last` has the inner loop's results
  if (s->staysOpen)
    last = tileKeepOpen(c, s->path[s->depth - 1], s->freed, s->arena, &end);
  for (int i = s->depth - 1; i > 0; --i) {
    MlirOperation inner = i == s->depth - 1 ? last : s->path[i].op;
    const intptr_t n = mlirOperationGetNumResults(inner) - (s->staysOpen && i == s->depth - 1);
    MlirValue left[2] = {mlirOperationGetResult(inner, n - 2), mlirOperationGetResult(inner, n - 1)};
    tileTmaYield(c, s->path[i - 1], left, s->arena);
  }
  MlirOperation first = s->depth > 1 ? s->path[0].op : end;
  mlirRewriterBaseSetInsertionPointAfter(c->b, scfIfOpIsNull(s->branch) ? first : s->branch.op);
  tileTmaClusterBarrier(c);
  tileGPUMBarrierInvalOpCreate(c->b, c->loc, c->barriers);
  tileGPUMBarrierInvalOpCreate(c->b, c->loc, s->freed);
}

// ---- The pass ----

/* A loop that the blocks of a cluster share is one of few, behind which all threads of the cluster meet: there is nothing to
 * run ahead into, and the program's own threads start copies sooner. */
static bool isShared(MlirOperation loop) {
  if (tileGetIntAttr(loop, "tile.split", 1) == 1)
    return false;
  for (MlirOperation op = mlirOperationGetNextInBlock(loop); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_BlockSum)
      return true;
  return false;
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_SCF_For && !isShared(op) &&
      mlirOperationGetDiscardableAttributeByName(op, tileStr("tile.warp_specialize")).ptr)
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

/* Whether a factor is a block that the loop's own iteration copies. */
static bool isOwnCopy(MlirBlock body, MlirValue factor) {
  MlirOperation op = tileValueGetDefiningOp(factor);
  if (op.ptr && tileOpKind(op) == TileOp_TileGPU_Trans)
    op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  return op.ptr && tileOpKind(op) == TileOp_TileGPU_TmaAlloc && mlirOperationGetBlock(op).ptr == body.ptr;
}

typedef struct Products {
  MlirBlock body;
  int count, own;   ///< own: of blocks of the same iteration
  bool inRegisters; ///< one has its first factor there
} Products;

static MlirWalkResult countProduct(MlirOperation op, void *user) {
  Products *p = user;
  if (tileOpKind(op) != TileOp_TileGPU_Wgmma)
    return MlirWalkResultAdvance;
  ++p->count;
  p->inRegisters |= tileTypeIsTensor(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  p->own += mlirOperationGetBlock(op).ptr == p->body.ptr &&
            isOwnCopy(p->body, mlirOperationGetOperand(op, 0)) &&
            isOwnCopy(p->body, mlirOperationGetOperand(op, 1));
  return MlirWalkResultAdvance;
}

/* Whether copies stand in the loops around this one, as of residuals. */
static bool hasCopiesAround(MlirOperation loop) {
  for (MlirOperation up = mlirOperationGetParentOperation(loop); tileOpKind(up) == TileOp_SCF_For;
       up = mlirOperationGetParentOperation(up))
    for (MlirOperation op = mlirBlockGetFirstOperation(bodyOf(scfForOpCast(up))); op.ptr;
         op = mlirOperationGetNextInBlock(op))
      if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc)
        return true;
  return false;
}

/* With several products, of which one follows from another, buffers are free at different times; copies of one that moved to the
 * next iteration stand beside the loop too. A factor in registers is read before its product, and needs the registers that a
 * producer's warp group gives away. */
static bool wantsRings(MlirOperation loop) {
  Products p = {.body = bodyOf(scfForOpCast(loop))};
  if (hasCopiesAround(loop))
    return true;
  mlirOperationWalk(loop, countProduct, &p, MlirWalkPreOrder);
  return (p.count > 1 && p.own < p.count) || p.inRegisters;
}

/* The first loop that asks and can; one producer a kernel. */
static bool specialize(MlirOperation function, const TileModuleTarget *target) {
  TileArena arena = {0};
  TilePointerList loops = {.arena = &arena};
  bool done = false;
  mlirOperationWalk(function, collect, &loops, MlirWalkPreOrder);
  for (size_t i = 0; !done && i < loops.count; ++i)
    done = wantsRings((MlirOperation){(void *)loops.items[i]}) && tileSpecializeRings(function, target);
  for (size_t i = 0; !done && i < loops.count; ++i) {
    MlirOperation loop = {(void *)loops.items[i]};
    Specializer s = {.c = {.context = mlirOperationGetContext(function),
                           .loc = mlirOperationGetLocation(loop),
                           .target = target},
                     .arena = &arena,
                     .from = {.arena = &arena},
                     .to = {.arena = &arena}};
    if (!findPath(&s, loop) || !collectCopies(&s) || !chooseNumber(&s, function))
      continue;
    shareCopies(&s, function);
    s.staysOpen = s.c.numBuffers >= LEAST_OPEN && tileCanKeepOpen(&s.c, s.path[s.depth - 1]);
    s.c.b = mlirIRRewriterCreate(s.c.context);
    emitProducer(&s, mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
    emitConsumers(&s);
    MlirValue buffers[TileDefer_MaxStores];
    const int stores = s.depth > 1 ? tileDeferStores(s.c.b, s.path[0], buffers) : 0;
    for (int k = 0; k < stores; ++k)
      tileGroupStore(function, buffers[k], target->numWarps);
    mlirIRRewriterDestroy(s.c.b);
    done = true;
  }
  tileArenaRelease(&arena);
  return done;
}

MlirLogicalResult tileGPUWarpSpecializeRun(MlirOperation module, const TileGPUWarpSpecializeParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_TMA))
    return tileSuccess();
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func)
      *params->numKernels += specialize(op, &target);
  return tileSuccess();
}
