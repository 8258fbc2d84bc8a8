/* ShareLoops.c - tile-gpu-share-loops: the blocks of a cluster share a loop that adds up.
 *
 *   %s = scf.for %k = %lo to %hi step %st iter_args(%acc = %zero) {
 *     ...
 *     %d = tile.dot %x, %y, %acc
 *     scf.yield %d
 *   } {tile.split = 2 : i32}
 *   tile.desc_store %c[%i, %j], %s
 * becomes
 *   %r = tile_gpu.block_rank
 *   %p = scf.for %k = (part %r of %lo to %hi) step %st iter_args(%acc = %zero) { ... }
 *   %s = tile_gpu.block_sum %p blocks = 2
 *   scf.if %r == 0 { tile.desc_store %c[%i, %j], %s }
 * in a kernel with tile_gpu.cluster = 2: a program is two blocks. All of them do all of it, but for the loop, of which each has
 * a part, and for what is written, which the first one alone does.
 *
 * requires: tile ops; module attributes.
 * ensures: the same sums but for the order of their terms. A loop that cannot be shared stays as it is, with a warning. */
#include "MemoryRoots.h"
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

typedef struct Splitter {
  TileBuilder b;
  MlirContext context;
  MlirLocation loc;
  const TileTargetInfo *target;
  int64_t blocks;
  TilePointerList loops, writers, loads;
  const char *reason; ///< why not
  MlirValue rank;
} Splitter;

// ---- What can be shared ----

/* The operand to which the op adds the others; null if it adds nothing up. */
static MlirValue addend(MlirOperation op, int which) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_Dot:
    return which ? (MlirValue){NULL} : tileDotOpGetC(tileDotOpCast(op));
  case TileOp_Arith_AddF:
  case TileOp_Arith_AddI:
    return mlirOperationGetOperand(op, which);
  default:
    return (MlirValue){NULL};
  }
}

/* Whether `v` is `start` plus terms that have nothing of `start`, and each sum on the way is used once. */
static bool addsTo(MlirValue v, MlirValue start, int depth) {
  enum { Most = 16 };
  if (mlirValueEqual(v, start))
    return tileValueHasOneUse(v);
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || depth > Most || !tileValueHasOneUse(v))
    return false;
  for (int which = 0; which < 2; ++which) {
    MlirValue next = addend(op, which);
    if (next.ptr && addsTo(next, start, depth + 1))
      return true;
  }
  return false;
}

/* All that the loop carries are sums of 32 bits that start at zero. */
static bool carriesSums(SCFForOp loop) {
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < scfForOpGetNumInitArgs(loop); ++i) {
    MlirType type = mlirValueGetType(scfForOpGetInitArgs(loop, i));
    if (!tileTypeIsTensor(type) || tileElementTypeBits(tileElementTypeOf(type)) != 32 ||
        !tileValueIsZero(scfForOpGetInitArgs(loop, i)) ||
        !addsTo(mlirOperationGetOperand(yield, i), mlirBlockGetArgument(body, i + 1), 0))
      return false;
  }
  return scfForOpGetNumInitArgs(loop) > 0;
}

/* All blocks come to the loop equally often: nothing but loops is around it. */
static bool isReachedByAll(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (tileOpKind(op) == TileOp_SCF_For);
  return tileOpKind(op) == TileOp_Func_Func;
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  Splitter *s = user;
  switch (tileOpKind(op)) {
  case TileOp_SCF_For:
    if (tileGetIntAttr(op, "tile.split", 1) > 1)
      tilePointerListAppend(&s->loops, op.ptr);
    break;
  case TileOp_Tile_Store:
  case TileOp_Tile_DescStore:
  case TileOp_Tile_DescReduce:
  case TileOp_Tile_DescScatter:
  case TileOp_Tile_Print:
    tilePointerListAppend(&s->writers, op.ptr);
    break;
  case TileOp_Tile_AtomicRMW:
  case TileOp_Tile_AtomicCAS:
  case TileOp_Tile_AtomicPoll:
  case TileOp_Tile_InlineAsm:
  case TileOp_Tile_Barrier:
    s->reason = "the kernel has atomic operations, barriers or assembly text";
    break;
  case TileOp_Tile_Load:
  case TileOp_Tile_DescLoad:
  case TileOp_Tile_DescGather:
    tilePointerListAppend(&s->loads, op.ptr);
    break;
  default:
    break;
  }
  return MlirWalkResultAdvance;
}

/* Only the first block writes, so no block may read what the kernel writes. */
static bool readsItsWrites(const Splitter *s) {
  for (size_t i = 0; i < s->writers.count; ++i) {
    MlirOperation writer = {(void *)s->writers.items[i]};
    if (tileOpKind(writer) == TileOp_Tile_Print)
      continue;
    MlirValue written = tileAccessedParameter(writer);
    for (size_t k = 0; k < s->loads.count; ++k) {
      MlirValue read = tileAccessedParameter((MlirOperation){(void *)s->loads.items[k]});
      if (!written.ptr || !read.ptr || mlirValueEqual(read, written))
        return true;
    }
  }
  return false;
}

static const char *reasonAgainst(Splitter *s, MlirOperation loop) {
  if (s->reason)
    return s->reason;
  if (tileGetIntAttr(loop, "tile.split", 1) != s->blocks)
    return "other loops of the kernel have another tile.split";
  if (s->blocks & (s->blocks - 1) || s->blocks > (int64_t)s->target->maxClusterSize)
    return "it is no power of two or more than the blocks of a cluster";
  if (!carriesSums(scfForOpCast(loop)))
    return "the loop carries something else than sums of 32 bits that start at zero";
  if (!isReachedByAll(loop))
    return "not all blocks may reach the loop";
  if (readsItsWrites(s))
    return "the kernel may read what it writes";
  for (size_t i = 0; i < s->writers.count; ++i)
    if (tileOpIsIn((MlirOperation){(void *)s->writers.items[i]}, loop))
      return "the loop writes";
  return NULL;
}

// ---- Sharing ----

static MlirValue binary(Splitter *s, TileOpKind kind, MlirValue a, MlirValue b) {
  return tileCreateOp2(s->b, s->loc, kind, a, b);
}

static MlirValue constant(Splitter *s, MlirType type, int64_t value) {
  return tileCreateInteger(s->b, s->loc, type, value);
}

static MlirValue rankAs(Splitter *s, MlirType type) {
  if (mlirTypeIsAIndex(type))
    return arithIndexCastOpGetOut(arithIndexCastOpCreate(s->b, s->loc, type, s->rank));
  return mlirIntegerTypeGetWidth(type) == 32
             ? s->rank
             : arithExtUIOpGetOut(arithExtUIOpCreate(s->b, s->loc, type, s->rank));
}

/* Part `rank` of the iterations: each part but the last has equally many. */
static void shareBounds(Splitter *s, SCFForOp loop) {
  MlirValue low = scfForOpGetLowerBound(loop), high = scfForOpGetUpperBound(loop),
            step = scfForOpGetStep(loop);
  MlirType type = mlirValueGetType(low);
  mlirRewriterBaseSetInsertionPointBefore(s->b, loop.op);
  MlirValue trips = binary(s, TileOp_Arith_CeilDivSI, binary(s, TileOp_Arith_SubI, high, low), step);
  MlirValue part = binary(s, TileOp_Arith_CeilDivSI, trips, constant(s, type, s->blocks));
  MlirValue distance = binary(s, TileOp_Arith_MulI, part, step);
  MlirValue first =
      binary(s, TileOp_Arith_AddI, low, binary(s, TileOp_Arith_MulI, rankAs(s, type), distance));
  MlirValue left = binary(s, TileOp_Arith_SubI, high, first);
  MlirValue end = binary(s, TileOp_Arith_AddI, first, binary(s, TileOp_Arith_MinSI, distance, left));
  mlirOperationSetOperand(loop.op, 0, first);
  mlirOperationSetOperand(loop.op, 1, end);
}

static void addUp(Splitter *s, SCFForOp loop) {
  mlirRewriterBaseSetInsertionPointAfter(s->b, loop.op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop.op); ++i) {
    MlirValue part = mlirOperationGetResult(loop.op, i);
    TileGPUBlockSumOp sum = tileGPUBlockSumOpCreate(s->b, s->loc, mlirValueGetType(part), part,
                                                    tileI32Attr(s->context, s->blocks));
    mlirValueReplaceAllUsesExcept(part, tileGPUBlockSumOpGetResult(sum), 1, &sum.op);
  }
}

static void onlyFirstWrites(Splitter *s, MlirOperation writer) {
  s->loc = mlirOperationGetLocation(writer);
  mlirRewriterBaseSetInsertionPointBefore(s->b, writer);
  MlirValue isFirst = arithCmpIOpGetResult(arithCmpIOpCreate(
      s->b, s->loc, mlirIntegerTypeGet(s->context, 1), s->rank, constant(s, mlirValueGetType(s->rank), 0),
      tileI64Attr(s->context, ArithCmpIPredicate_eq)));
  SCFIfOp branch = scfIfOpCreate(s->b, s->loc, 0, NULL, isFirst);
  MlirBlock body = tileRegionAddBlock(mlirOperationGetRegion(branch.op, 0));
  mlirOperationRemoveFromParent(writer);
  mlirBlockAppendOwnedOperation(body, writer);
  mlirRewriterBaseSetInsertionPointToEnd(s->b, body);
  scfYieldOpCreate(s->b, s->loc, 0, NULL);
}

/* All loops of a kernel that ask for it, or none. */
static bool split(MlirOperation function, const TileTargetInfo *target) {
  TileArena arena = {0};
  Splitter s = {.context = mlirOperationGetContext(function),
                .loc = mlirOperationGetLocation(function),
                .target = target,
                .loops = {.arena = &arena},
                .writers = {.arena = &arena},
                .loads = {.arena = &arena}};
  mlirOperationWalk(function, collect, &s, MlirWalkPreOrder);
  bool shared = s.loops.count > 0;
  for (size_t i = 0; shared && i < s.loops.count; ++i) {
    MlirOperation loop = {(void *)s.loops.items[i]};
    s.blocks = s.blocks ? s.blocks : tileGetIntAttr(loop, "tile.split", 1);
    const char *reason = reasonAgainst(&s, loop);
    if (reason)
      tileEmitWarning(mlirOperationGetLocation(loop), "tile.split is left out: %s", reason);
    shared = !reason;
  }
  if (shared) {
    s.b = mlirIRRewriterCreate(s.context);
    mlirRewriterBaseSetInsertionPointToStart(s.b,
                                             mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
    s.rank =
        tileGPUBlockRankOpGetResult(tileGPUBlockRankOpCreate(s.b, s.loc, mlirIntegerTypeGet(s.context, 32)));
    for (size_t i = 0; i < s.loops.count; ++i) {
      s.loc = mlirOperationGetLocation((MlirOperation){(void *)s.loops.items[i]});
      shareBounds(&s, scfForOpCast((MlirOperation){(void *)s.loops.items[i]}));
      addUp(&s, scfForOpCast((MlirOperation){(void *)s.loops.items[i]}));
    }
    for (size_t i = 0; i < s.writers.count; ++i)
      onlyFirstWrites(&s, (MlirOperation){(void *)s.writers.items[i]});
    mlirOperationSetDiscardableAttributeByName(function, tileStr("tile_gpu.cluster"),
                                               tileI32Attr(s.context, s.blocks));
    mlirIRRewriterDestroy(s.b);
  }
  tileArenaRelease(&arena);
  return shared;
}

MlirLogicalResult tileGPUShareLoopsRun(MlirOperation module, const TileGPUShareLoopsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_Cluster))
    return tileSuccess();
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func)
      *params->numKernels += split(op, &target.info);
  return tileSuccess();
}
