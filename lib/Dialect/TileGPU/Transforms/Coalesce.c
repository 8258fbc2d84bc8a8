/* Coalesce.c - tile-gpu-coalesce: chooses the layout in which each access of memory would like to have its
 * tensors.
 *
 * before:  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>                   (pointers run, 16 bytes aligned)
 * after:   %v = tile.load %p {tile_gpu.layout = #tile_gpu.layout<1, register = [[1], [2], [512]],
 *                              lane = [[4], .. [64]], warp = [[128], [256]], block = []>} : ..
 *          (4 warps of 32)
 *
 * requires: module attributes of convert-tile-to-tile-gpu; shapes that are powers of two
 * ensures:  every load, store and atomic on a tensor of pointers has tile_gpu.layout; nothing else changes
 *
 * The dimension along which pointers run comes first, so that neighbouring lanes access neighbouring memory.
 * A thread holds as many neighbours as one access can take: by alignment, mask (MaskBound.c) and the target's
 * widest access. Loads whose tensors meet in one computation agree on the most that one of them can take, so
 * that no conversion comes between them; stores do not follow, as a thread that writes twice leaves gaps in
 * what a warp writes at once. What is loaded for sums of warp groups has no wish: it takes their layout. */
#include "AccelerateWgmma.h"
#include "ValueClasses.h"
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/Bits.h"

typedef struct Access {
  MlirOperation op;
  MlirValue ptr, mask;
  int rank;
  int64_t shape[TileLayout_MaxRank];
  int32_t order[TileLayout_MaxRank]; ///< fastest dimension first
  int64_t perThread;                 ///< elements of a thread along order[0]
  bool isLoad;
  struct Access *next;
} Access;

typedef struct Coalescer {
  TileModuleTarget machine;
  TileArena *arena;
  TileAxisInfo *info;
  TileValueClasses classes;
  Access *first, **last;
  bool hasSums; ///< there is a product of warp groups with many sums a thread
  MlirLogicalResult result;
} Coalescer;

// ---- One access by itself ----

/* Dimensions by descending run, the later ones first among equals. */
static void chooseOrder(Access *a, const TileAxis *ptr) {
  for (int i = 0; i < a->rank; ++i) {
    int32_t d = a->rank - 1 - i, at = i;
    for (; at > 0 && ptr->dims[d].run > ptr->dims[a->order[at - 1]].run; --at)
      a->order[at] = a->order[at - 1];
    a->order[at] = d;
  }
}

/* The share of one of `blocks` blocks: the slowest dimensions are split first. Fills split[]. */
static int64_t splitAmongBlocks(const Access *a, int64_t blocks, int32_t *split, int64_t *share) {
  for (int i = a->rank - 1; i >= 0; --i) {
    int32_t d = a->order[i];
    split[d] = (int32_t)(blocks < a->shape[d] ? blocks : a->shape[d]);
    share[d] = a->shape[d] / split[d];
    blocks /= split[d];
  }
  return blocks; // so many hold copies
}

/* Elements that one atomic instruction takes. */
static int64_t atomicWidth(const TileTargetInfo *target, MlirOperation op, TileElementType element) {
  TileAtomicRMWOp rmw = tileAtomicRMWOpCast(op);
  if (tileAtomicRMWOpIsNull(rmw) || tileAtomicRMWOpGetKind(rmw) != TileRMWKind_FAdd)
    return 1;
  const bool hasVectors = tileTargetHas(target, TileFeature_AtomicAddF32Vec);
  switch (element) {
  case TileElementType_F16:
    return hasVectors ? 8 : tileTargetHas(target, TileFeature_AtomicAddF16x2) ? 2 : 1;
  case TileElementType_BF16:
    return hasVectors ? 8 : tileTargetHas(target, TileFeature_AtomicAddBF16x2) ? 2 : 1;
  case TileElementType_F32:
    return hasVectors ? 4 : 1;
  default:
    return 1;
  }
}

/* Neighbours that one access of a thread can take along the fastest dimension. */
static int64_t widest(const Coalescer *c, const Access *a, const TileAxis *ptr, TileElementType element) {
  int32_t fast = a->order[0];
  TileAxis reach;
  bool isAtomic = tileOpKind(a->op) == TileOp_Tile_AtomicRMW || tileOpKind(a->op) == TileOp_Tile_AtomicCAS;
  if (!isAtomic && tileAccessAxis(c->info, &c->machine.info, a->ptr, &reach))
    ptr = &reach;
  int64_t n = ptr->dims[fast].contiguity;
  int64_t bits = c->machine.info.maxVectorBits / (8 * (int64_t)tileElementTypeSize(element));
  if (a->mask.ptr)
    n = tileLeast(n, tileAxisInfoMaskGroup(c->info, a->mask, fast));
  if (isAtomic)
    bits = tileLeast(bits, atomicWidth(&c->machine.info, a->op, element));
  return tileLeast(n, bits > 1 ? bits : 1);
}

static bool isBesideProduct(MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  if (tileOpKind(mlirBlockGetParentOperation(block)) != TileOp_SCF_For)
    return false;
  for (MlirOperation o = mlirBlockGetFirstOperation(block); o.ptr; o = mlirOperationGetNextInBlock(o))
    if (tileOpKind(o) == TileOp_Tile_Dot)
      return true;
  return false;
}

/* Elements that a thread takes although others then have none: asynchronous copies, by which a vector of scales comes to the
 * products of a loop, have at least 4 bytes. */
static int64_t leastPerThread(const Coalescer *c, const Access *a, TileElementType element) {
  enum { LEAST_COPY = 4 };
  int64_t bytes = (int64_t)tileElementTypeSize(element);
  bool isCopied = a->isLoad && a->rank == 1 && bytes && bytes < LEAST_COPY &&
                  tileTargetHas(&c->machine.info, TileFeature_CpAsync) && isBesideProduct(a->op);
  return isCopied ? LEAST_COPY / bytes : 1;
}

static MlirLogicalResult checkShape(const Access *a) {
  for (int d = 0; d < a->rank; ++d)
    if (!tileIsPowerOfTwo(a->shape[d]))
      return tileEmitOpError(a->op, "got %lld elements along dimension %d, expected a power of two",
                             (long long)a->shape[d], d);
  return tileSuccess();
}

static MlirLogicalResult describeAccess(Coalescer *c, Access *a) {
  MlirType type = mlirValueGetType(a->ptr);
  a->rank = (int)mlirShapedTypeGetRank(type);
  if (a->rank > TileLayout_MaxRank)
    return tileEmitOpError(a->op, "got a tensor of %d dimensions, expected at most %d", a->rank,
                           TileLayout_MaxRank);
  tileTypeGetShape(type, a->shape, TileLayout_MaxRank);
  if (tileFailed(checkShape(a)))
    return tileFailure();
  const TileAxis *ptr = tileAxisInfoOf(c->info, a->ptr);
  if (!ptr)
    return TILE_BUG(a->op, "the axis analysis has not seen this pointer");
  chooseOrder(a, ptr);
  TileElementType element = tilePointeeElement(type);
  int64_t share[TileLayout_MaxRank],
      threads = (int64_t)c->machine.info.warpSize * c->machine.numWarps * c->machine.numCtas;
  int32_t split[TileLayout_MaxRank];
  splitAmongBlocks(a, c->machine.numCtas, split, share);
  int64_t each = tileTypeNumElements(type) / threads; // no thread stays idle for the sake of width
  each = tileMost(each, leastPerThread(c, a, element));
  a->perThread = tileLeast(tileLeast(widest(c, a, ptr, element), share[a->order[0]]), each);
  return tileSuccess();
}

// ---- Loads beside products of warp groups ----

enum {
  MOST_STEPS = 8,
  MANY_WARPS = 8,
  MANY_SUMS = 128 /* of a thread: what is loaded for them has no room beside them in two layouts */
};

/* A product that warp groups will compute, with so many sums that nothing else finds room. */
static bool fillsThreads(const TileModuleTarget *target, MlirOperation op) {
  TileWarpGroupShape shape;
  return tileOpKind(op) == TileOp_Tile_Dot && target->numWarps >= MANY_WARPS &&
         tileTypeNumElements(mlirValueGetType(mlirOperationGetResult(op, 0))) >=
             MANY_SUMS * (int64_t)target->numWarps * target->info.warpSize &&
         tileWgmmaShapeOf(target, tileDotOpCast(op), &shape);
}

static bool followsFromProduct(const TileModuleTarget *target, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  const TileOpKind kind = op.ptr ? tileOpKind(op) : TileOp_None;
  if (kind == TileOp_TileGPU_Wgmma || kind == TileOp_TileGPU_WgmmaWait ||
      (kind == TileOp_Tile_Dot && fillsThreads(target, op)))
    return true;
  if (kind == TileOp_SCF_For && depth < MOST_STEPS) {
    MlirOperation yield = mlirBlockGetTerminator(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
    return followsFromProduct(target, mlirOperationGetOperand(yield, mlirOpResultGetResultNumber(v)),
                              depth + 1);
  }
  if (depth == MOST_STEPS || !op.ptr || !tileOpIsElementwise(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (followsFromProduct(target, mlirOperationGetOperand(op, i), depth + 1))
      return true;
  return false;
}

/* Whether an operation of the value's elements has sums for another operand, and no other use takes more than elements. */
static bool meetsSums(const TileModuleTarget *target, MlirValue v, int depth) {
  bool found = false;
  if (depth == MOST_STEPS)
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tileOpIsElementwise(user))
      return false;
    for (intptr_t i = 0; !found && i < mlirOperationGetNumOperands(user); ++i)
      found = !mlirValueEqual(mlirOperationGetOperand(user, i), v) &&
              followsFromProduct(target, mlirOperationGetOperand(user, i), 0);
    found = found || meetsSums(target, mlirOperationGetResult(user, 0), depth + 1);
  }
  return found;
}

/* What is loaded for the sums of a warp group's product, one element for each, is loaded as they lie: on its way from another layout
 * all groups would meet, in an iteration in which they otherwise do not, through shared memory that copies of factors fill. */
static bool isForSums(const Coalescer *c, MlirOperation load) {
  return c->hasSums && tileOpKind(load) == TileOp_Tile_Load &&
         meetsSums(&c->machine, mlirOperationGetResult(load, 0), 0);
}

static MlirWalkResult findSums(MlirOperation op, void *user) {
  Coalescer *c = user;
  TileOpKind kind = tileOpKind(op);
  c->hasSums = kind == TileOp_TileGPU_Wgmma || kind == TileOp_TileGPU_WgmmaWait ||
               (kind == TileOp_Tile_Dot && fillsThreads(&c->machine, op));
  return c->hasSums ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  Coalescer *c = user;
  TilePointerAccess where = tilePointerAccessOf(op);
  tileValueClassesAddOp(&c->classes, op);
  if (!where.ptr.ptr || !tileTypeIsTensor(mlirValueGetType(where.ptr)) ||
      mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.any_layout")).ptr || isForSums(c, op))
    return MlirWalkResultAdvance;
  Access *a = tileArenaAlloc(c->arena, 1, sizeof *a);
  *a = (Access){.op = op, .ptr = where.ptr, .mask = where.mask, .isLoad = tileOpKind(op) == TileOp_Tile_Load};
  if (tileFailed(describeAccess(c, a)))
    c->result = tileFailure();
  *c->last = a;
  c->last = &a->next;
  return MlirWalkResultAdvance;
}

// ---- Accesses together ----

static bool meets(Coalescer *c, const Access *a, const Access *b) {
  return a->rank == b->rank && !memcmp(a->shape, b->shape, sizeof a->shape) &&
         !memcmp(a->order, b->order, sizeof a->order) &&
         tileValueClassOf(&c->classes, a->ptr) == tileValueClassOf(&c->classes, b->ptr);
}

static int64_t agreedPerThread(Coalescer *c, const Access *a) {
  int64_t n = a->perThread;
  if (!a->isLoad)
    return n;
  for (const Access *b = c->first; b; b = b->next)
    if (b->perThread > n && meets(c, a, b))
      n = b->perThread;
  return n;
}

static bool makeLayout(const TileModuleTarget *m, const Access *a, int64_t perThread, TileLayout *out) {
  int32_t size[TileLayout_MaxRank], split[TileLayout_MaxRank], blocks[TileLayout_MaxRank];
  int64_t share[TileLayout_MaxRank];
  int64_t copies = splitAmongBlocks(a, m->numCtas, split, share);
  for (int d = 0; d < a->rank; ++d) {
    size[d] = d == a->order[0] ? (int32_t)perThread : 1;
    blocks[d] = d == a->order[0] ? split[d] * (int32_t)copies : split[d];
  }
  TileBlockedShape shape;
  TileLayout tile = tileLayoutEmpty(a->rank), cluster;
  return tileLayoutDefaultBlockedShape(share, a->rank, size, a->order, (int32_t)m->info.warpSize, m->numWarps,
                                       &shape) &&
         tileLayoutAppendOrdered(&tile, TileLayoutDim_Register, shape.sizePerThread, a->order) &&
         tileLayoutAppendOrdered(&tile, TileLayoutDim_Lane, shape.threadsPerWarp, a->order) &&
         tileLayoutAppendOrdered(&tile, TileLayoutDim_Warp, shape.warpsPerCta, a->order) &&
         tileLayoutCluster(a->rank, blocks, split, a->order, &cluster) &&
         tileLayoutDistribute(&tile, &cluster, a->shape, a->order, out);
}

static MlirLogicalResult annotate(Coalescer *c, const TileGPUCoalesceParams *params) {
  for (const Access *a = c->first; a; a = a->next) {
    TileLayout layout;
    int64_t perThread = agreedPerThread(c, a);
    if (!makeLayout(&c->machine, a, perThread, &layout))
      return TILE_BUG(a->op, "no blocked layout for this access");
    mlirOperationSetDiscardableAttributeByName(a->op, tileStr("tile_gpu.layout"),
                                               tileLayoutToAttr(mlirOperationGetContext(a->op), &layout));
    ++*params->numAccesses;
    *params->numWide += a->perThread > 1;
  }
  return tileSuccess();
}

MlirLogicalResult tileGPUCoalesceRun(MlirOperation op, const TileGPUCoalesceParams *params) {
  TileArena arena = {0};
  Coalescer c = {
      .arena = &arena, .classes = {.map = {.arena = &arena}}, .last = &c.first, .result = tileSuccess()};
  TILE_TRY(tileModuleTargetRead(op, &c.machine));
  c.info = tileAxisInfoCreate(op);
  mlirOperationWalk(op, findSums, &c, MlirWalkPreOrder);
  mlirOperationWalk(op, collect, &c, MlirWalkPreOrder);
  if (tileSucceeded(c.result))
    c.result = annotate(&c, params);
  tileAxisInfoRelease(c.info);
  tileArenaRelease(&arena);
  return c.result;
}
