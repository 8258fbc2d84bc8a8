/* Prefetch.c - tile-gpu-prefetch: the first fragments of a product in a pipelined loop are read one iteration
 * ahead, so that the matrix units need not wait for shared memory behind the barrier.
 *
 *   scf.for ... iter_args(%acc, %i)
 *     tile_gpu.async_wait 1; tile.barrier
 *     (copies of a later iteration)
 *     %a = tile_gpu.local_load %va : -> tensor<128x32xf16, #a>     // %va, %vb: buffers of %i
 *     %b = tile_gpu.local_load %vb : -> tensor<32x128xf16, #b>
 *     %d = tile_gpu.mma %a, %b, %acc
 *     scf.yield %d, tile_gpu.advance %i
 * becomes
 *   tile_gpu.async_wait 1; tile.barrier; %a0, %b0 = tile_gpu.local_load K 0..16
 *   scf.for ... iter_args(%acc, %i, %fa = %a0, %fb = %b0)
 *     (copies of a later iteration)
 *     %a1, %b1 = tile_gpu.local_load K 16..32
 *     %c = tile_gpu.mma %fa, %fb, %acc : tensor<128x16xf16, ...
 *     tile_gpu.async_wait 1; tile.barrier
 *     %na, %nb = tile_gpu.local_load K 0..16 of the next buffers
 *     %d = tile_gpu.mma %a1, %b1, %c
 *     scf.yield %d, ..., %na, %nb
 *
 * The sums are formed in the same order. After the last iteration a buffer is read that nobody needs; it holds
 * what a masked copy left there.
 *
 * Only on targets with asynchronous copies.
 *
 * requires: tile-gpu-pipeline. ensures: the same results. */
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMatrix.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/SharedAccess.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"

enum { MOST_SLICES = 4 };

/* One operand: how it is read now. */
typedef struct Operand {
  TileGPULocalLoadOp load;
  TileGPUIndexOp index;
  TileGPUTransOp trans; ///< between the two; null if none
  int kDim;
  MlirType fragment;     ///< of one slice
  MlirValue first, next; ///< slice 0 of this iteration and of the next
} Operand;

typedef struct Prefetch {
  TileArena *arena;
  TileBuilder b;
  SCFForOp loop;
  MlirBlock body;
  MlirOperation yield, mma;
  TileGPUAsyncWaitOp wait; ///< at the top of the body; null if none
  MlirOperation barrier;
  Operand operands[2];
  int64_t k, step; ///< K of the product and of a slice
} Prefetch;

// ---- The pattern ----

static bool isInBody(const Prefetch *p, MlirOperation op) {
  return op.ptr && mlirOperationGetBlock(op).ptr == p->body.ptr;
}

/* local_load [of trans] of index, in the body, each for this product alone; the index is carried. */
static bool matchOperand(const Prefetch *p, MlirValue v, Operand *o) {
  MlirOperation op = tileValueGetDefiningOp(v);
  o->load = tileGPULocalLoadOpCast(op);
  if (!isInBody(p, op) || tileGPULocalLoadOpIsNull(o->load) || !tileValueHasOneUse(v))
    return false;
  MlirOperation view = tileValueGetDefiningOp(tileGPULocalLoadOpGetSource(o->load));
  o->trans = tileGPUTransOpCast(view);
  if (!tileGPUTransOpIsNull(o->trans))
    view = tileValueGetDefiningOp(tileGPUTransOpGetSource(o->trans));
  o->index = tileGPUIndexOpCast(view);
  if (tileGPUIndexOpIsNull(o->index) || !isInBody(p, view))
    return false;
  MlirValue index = tileGPUIndexOpGetIndex(o->index);
  return mlirValueIsABlockArgument(index) && tileValueGetBlock(index).ptr == p->body.ptr;
}

/* The single product of the body. */
static bool findProduct(Prefetch *p) {
  p->mma = (MlirOperation){NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationGetNumRegions(op) && tileOpKind(op) != TileOp_Tile_Reduce &&
        tileOpKind(op) != TileOp_Tile_Scan)
      return false;
    if (tileOpKind(op) != TileOp_TileGPU_Mma)
      continue;
    if (p->mma.ptr)
      return false;
    p->mma = op;
  }
  return p->mma.ptr != NULL;
}

/* The wait at the top and the barrier behind it. */
static bool findWait(Prefetch *p) {
  p->wait = (TileGPUAsyncWaitOp){{NULL}};
  p->barrier = (MlirOperation){NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileGPUAsyncWaitOp wait = tileGPUAsyncWaitOpCast(op);
    if (tileGPUAsyncWaitOpIsNull(wait))
      continue;
    if (p->wait.op.ptr)
      return false;
    p->wait = wait;
    p->barrier = mlirOperationGetNextInBlock(op);
    if (tileOpKind(p->barrier) != TileOp_Tile_Barrier)
      return false;
  }
  return true;
}

/* Besides the product's operands nothing reads buffers: the wait and its barrier may move. */
static bool readsNothingElse(const Prefetch *p) {
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_LocalLoad && op.ptr != p->operands[0].load.op.ptr &&
        op.ptr != p->operands[1].load.op.ptr)
      return false;
  return true;
}

/* Only the next iteration wants the product. */
static bool isYieldedOnly(const Prefetch *p) {
  MlirValue result = mlirOperationGetResult(p->mma, 0);
  return tileValueHasOneUse(result) &&
         mlirOpOperandGetOwner(mlirValueGetFirstUse(result)).ptr == p->yield.ptr;
}

/* Position of the carried index of an operand among the loop's variables. */
static intptr_t indexPosition(const Operand *o) {
  return mlirBlockArgumentGetArgNumber(tileGPUIndexOpGetIndex(o->index)) - 1;
}

/* Whether the next index is known at the end of the body, and not before. */
static bool advancesIndex(const Prefetch *p, const Operand *o) {
  MlirValue next = mlirOperationGetOperand(p->yield, indexPosition(o));
  TileGPUAdvanceOp op = tileGPUAdvanceOpCast(tileValueGetDefiningOp(next));
  return !tileGPUAdvanceOpIsNull(op) &&
         tileGPUAdvanceOpGetIndex(op).ptr == tileGPUIndexOpGetIndex(o->index).ptr;
}

/* The layout of a slice of `step` along K; its type. */
static bool fragmentType(Prefetch *p, int i, int64_t step) {
  static const TileMatrixRole roles[] = {TileMatrixRole_A, TileMatrixRole_B};
  TileGPUMmaOp mma = tileGPUMmaOpCast(p->mma);
  TileMatrixSizes sizes = tileMatrixSizesOf(p->mma);
  TileMatrixChoice choice;
  TileMatrixOperand part;
  int64_t shape[TileLayout_MaxRank];
  MlirType type = mlirValueGetType(i ? tileGPUMmaOpGetB(mma) : tileGPUMmaOpGetA(mma));
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  sizes.k = step;
  if (!tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(mma), &choice) ||
      !tileMatrixOperandOf(&choice, &sizes, roles[i], &part))
    return false;
  p->operands[i].kDim = rank - 1 - i;
  shape[p->operands[i].kDim] = step;
  MlirContext context = mlirOperationGetContext(p->mma);
  p->operands[i].fragment =
      mlirRankedTensorTypeGet(rank, shape, tileTypeGetElement(type), tileLayoutToAttr(context, &part.layout));
  return true;
}

/* K that one instruction, or the lanes of one access, cover. */
static int64_t leastStep(const Prefetch *p) {
  TileMatrixChoice choice;
  TileMatrixSizes sizes = tileMatrixSizesOf(p->mma);
  TileMatrixOperand a;
  TileGPUMmaOp mma = tileGPUMmaOpCast(p->mma);
  if (!tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(mma), &choice) ||
      !tileMatrixOperandOf(&choice, &sizes, TileMatrixRole_A, &a))
    return sizes.k;
  uint32_t lanes = tileLayoutMaskAlong(&a.layout, TileLayoutDim_Lane, a.layout.rank - 1);
  int64_t covered = (int64_t)choice.kWidth << __builtin_popcount(lanes);
  return covered > choice.k ? covered : choice.k;
}

static bool chooseSlices(Prefetch *p) {
  p->k = tileMatrixSizesOf(p->mma).k;
  p->step = leastStep(p);
  while (p->step * MOST_SLICES < p->k)
    p->step *= 2;
  return p->step < p->k && fragmentType(p, 0, p->step) && fragmentType(p, 1, p->step);
}

static bool matches(Prefetch *p) {
  if (!findProduct(p) || !findWait(p) || !isYieldedOnly(p))
    return false;
  TileGPUMmaOp mma = tileGPUMmaOpCast(p->mma);
  return matchOperand(p, tileGPUMmaOpGetA(mma), &p->operands[0]) &&
         matchOperand(p, tileGPUMmaOpGetB(mma), &p->operands[1]) && readsNothingElse(p) &&
         advancesIndex(p, &p->operands[0]) && advancesIndex(p, &p->operands[1]) && chooseSlices(p);
}

// ---- The rewriting ----

/* Slice `s` of an operand, from the buffer that `index` chooses. */
static MlirValue readSlice(Prefetch *p, const Operand *o, MlirValue index, int64_t s) {
  MlirLocation loc = mlirOperationGetLocation(o->load.op);
  MlirValue view = tileGPUIndexOpGetResult(tileGPUIndexOpCreate(
      p->b, loc, mlirValueGetType(tileGPUIndexOpGetResult(o->index)), tileGPUIndexOpGetSource(o->index),
      index, tileI32Attr(mlirOperationGetContext(p->mma), tileGPUIndexOpGetRotate(o->index))));
  if (!tileGPUTransOpIsNull(o->trans))
    view = tileGPUTransOpGetResult(tileGPUTransOpCreate(p->b, loc,
                                                        mlirValueGetType(tileGPUTransOpGetResult(o->trans)),
                                                        view, tileGPUTransOpGetOrderAttr(o->trans)));
  MlirType whole = mlirValueGetType(view);
  int64_t shape[TileLayout_MaxRank], offsets[TileLayout_MaxRank] = {0};
  int rank = tileTypeGetShape(o->fragment, shape, TileLayout_MaxRank);
  offsets[o->kDim] = s * p->step;
  MlirContext context = mlirOperationGetContext(p->mma);
  MlirType part = tileGPUMemDescTypeGet(context, rank, shape, tileGPUMemDescTypeGetElementType(whole),
                                        tileGPUMemDescTypeGetLayout(whole));
  MlirValue slice = tileGPUSliceOpGetResult(
      tileGPUSliceOpCreate(p->b, loc, part, view, mlirDenseI64ArrayGet(context, rank, offsets)));
  return tileGPULocalLoadOpGetResult(tileGPULocalLoadOpCreate(p->b, loc, o->fragment, slice));
}

static void waitForCopies(Prefetch *p) {
  if (!p->wait.op.ptr)
    return;
  mlirRewriterBaseInsert(p->b, mlirOperationClone(p->wait.op));
  mlirRewriterBaseInsert(p->b, mlirOperationClone(p->barrier));
}

/* A loop like this one with two more variables, around the same body; its op. */
static void growLoop(Prefetch *p) {
  MlirLocation loc = mlirOperationGetLocation(p->loop.op);
  intptr_t n = scfForOpGetNumInitArgs(p->loop);
  MlirValue *inits = tileArenaAlloc(p->arena, (size_t)n + 2, sizeof *inits);
  MlirType *types = tileArenaAlloc(p->arena, (size_t)n + 2, sizeof *types);
  for (intptr_t i = 0; i < n + 2; ++i) {
    inits[i] = i < n ? scfForOpGetInitArgs(p->loop, i) : p->operands[i - n].first;
    types[i] = mlirValueGetType(inits[i]);
  }
  MlirAttribute isUnsigned = scfForOpGetUnsignedCmp(p->loop)
                                 ? mlirUnitAttrGet(mlirOperationGetContext(p->loop.op))
                                 : (MlirAttribute){NULL};
  SCFForOp grown =
      scfForOpCreate(p->b, loc, n + 2, types, scfForOpGetLowerBound(p->loop), scfForOpGetUpperBound(p->loop),
                     scfForOpGetStep(p->loop), n + 2, inits, isUnsigned);
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(p->loop.op); ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(p->loop.op, i);
    mlirOperationSetDiscardableAttributeByName(grown.op, mlirIdentifierStr(attr.name), attr.attribute);
  }
  mlirRegionTakeBody(scfForOpGetRegion(grown), scfForOpGetRegion(p->loop));
  for (int i = 0; i < 2; ++i)
    p->operands[i].first = mlirBlockAddArgument(p->body, types[n + i], loc);
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->loop.op, i), mlirOperationGetResult(grown.op, i));
  mlirRewriterBaseEraseOp(p->b, p->loop.op);
  p->loop = grown;
}

static MlirValue multiply(Prefetch *p, const MlirValue fragments[2], MlirValue accumulator) {
  MlirOperation mma = mlirOperationClone(p->mma);
  mlirOperationSetOperand(mma, 0, fragments[0]);
  mlirOperationSetOperand(mma, 1, fragments[1]);
  mlirOperationSetOperand(mma, 2, accumulator);
  mlirRewriterBaseInsert(p->b, mma);
  return mlirOperationGetResult(mma, 0);
}

/* All slices but the last, each multiplied while the next is read; the last one's fragments. */
static MlirValue multiplyFirst(Prefetch *p, MlirValue fragments[2]) {
  MlirValue accumulator = tileGPUMmaOpGetC(tileGPUMmaOpCast(p->mma));
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->mma);
  fragments[0] = p->operands[0].first;
  fragments[1] = p->operands[1].first;
  for (int64_t s = 1; s < p->k / p->step; ++s) {
    MlirValue next[2];
    for (int i = 0; i < 2; ++i)
      next[i] = readSlice(p, &p->operands[i], tileGPUIndexOpGetIndex(p->operands[i].index), s);
    accumulator = multiply(p, fragments, accumulator);
    fragments[0] = next[0];
    fragments[1] = next[1];
  }
  return accumulator;
}

/* The end of the body, but for loads under a mask: they may become branches, which fragments of two iterations
 * should not have to live through. */
static MlirOperation endOfBody(Prefetch *p) {
  for (MlirOperation op = p->mma; op.ptr != p->yield.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileLoadOp load = tileLoadOpCast(op);
    if (!tileLoadOpIsNull(load) && tileLoadOpGetMask(load).ptr)
      return op;
  }
  return p->yield;
}

/* The index that an operand has in the next iteration, computed here. */
static MlirValue nextIndex(Prefetch *p, const Operand *o) {
  MlirValue next = mlirOperationGetOperand(p->yield, indexPosition(o));
  MlirOperation op = tileValueGetDefiningOp(next);
  if (!isInBody(p, op) || tileOpKind(op) != TileOp_TileGPU_Advance)
    return next;
  MlirOperation clone = mlirOperationClone(op);
  mlirRewriterBaseInsert(p->b, clone);
  return mlirOperationGetResult(clone, 0);
}

/* At the end of the body: the next iteration's first slice, and the product of this one's last. */
static void finishBody(Prefetch *p, const MlirValue fragments[2], MlirValue accumulator) {
  mlirRewriterBaseSetInsertionPointBefore(p->b, endOfBody(p));
  waitForCopies(p);
  for (int i = 0; i < 2; ++i)
    p->operands[i].next = readSlice(p, &p->operands[i], nextIndex(p, &p->operands[i]), 0);
  MlirValue sum = multiply(p, fragments, accumulator);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->mma, 0), sum);
  intptr_t n = mlirOperationGetNumOperands(p->yield);
  MlirValue *values = tileArenaAlloc(p->arena, (size_t)n + 2, sizeof *values);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetOperand(p->yield, i);
  values[n] = p->operands[0].next;
  values[n + 1] = p->operands[1].next;
  mlirOperationSetOperands(p->yield, n + 2, values);
}

static void eraseUnused(Prefetch *p, MlirOperation view) {
  if (view.ptr && tileValueIsUnused(mlirOperationGetResult(view, 0)))
    mlirRewriterBaseEraseOp(p->b, view);
}

static void eraseOld(Prefetch *p) {
  mlirRewriterBaseEraseOp(p->b, p->mma);
  for (int i = 0; i < 2; ++i) {
    mlirRewriterBaseEraseOp(p->b, p->operands[i].load.op);
    eraseUnused(p, p->operands[i].trans.op);
    eraseUnused(p, p->operands[i].index.op);
  }
  if (p->wait.op.ptr) {
    mlirRewriterBaseEraseOp(p->b, p->barrier);
    mlirRewriterBaseEraseOp(p->b, p->wait.op);
  }
}

static void rewrite(Prefetch *p) {
  MlirValue fragments[2];
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->loop.op);
  waitForCopies(p);
  for (int i = 0; i < 2; ++i)
    p->operands[i].first =
        readSlice(p, &p->operands[i], scfForOpGetInitArgs(p->loop, indexPosition(&p->operands[i])), 0);
  growLoop(p);
  MlirValue accumulator = multiplyFirst(p, fragments);
  finishBody(p, fragments, accumulator);
  eraseOld(p);
}

static bool prefetchLoop(MlirOperation loop, TileArena *arena) {
  Prefetch p = {.arena = arena, .loop = scfForOpCast(loop)};
  p.body = mlirRegionGetFirstBlock(scfForOpGetRegion(p.loop));
  p.yield = mlirBlockGetTerminator(p.body);
  if (!matches(&p))
    return false;
  p.b = mlirIRRewriterCreate(mlirOperationGetContext(loop));
  rewrite(&p);
  mlirRewriterBaseClearInsertionPoint(p.b);
  mlirIRRewriterDestroy(p.b);
  return true;
}

static MlirWalkResult collectLoop(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_SCF_For)
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUPrefetchRun(MlirOperation module, const TileGPUPrefetchParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  // On AMD staged tiles, pointers and accumulators leave no room for a second set of fragments: LLVM spills.
  if (!tileTargetHas(&target.info, TileFeature_CpAsync))
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList loops = {.arena = &arena};
  mlirOperationWalk(module, collectLoop, &loops, MlirWalkPostOrder);
  for (size_t i = 0; i < loops.count; ++i)
    if (prefetchLoop((MlirOperation){(void *)loops.items[i]}, &arena))
      ++*params->numLoops;
  tileArenaRelease(&arena);
  return tileSuccess();
}
