/* DeferEpilogues.c - tile-gpu-defer-epilogues: what becomes of a block's sums, beside the first product of the next block.
 *
 *   scf.for %i = %low to %n step %one {
 *     %o:2 = scf.if %some {
 *       %s = tile_gpu.wgmma ...                 // the first product of a block of queries
 *       %t = tile_gpu.wgmma_wait 0(%s)
 *       ... the loop over keys ...
 *     }
 *     %r = arith.truncf (arith.divf %o#0, ...)
 *     tile_gpu.local_store %r, %m; tile_gpu.tma_store 3[(... %i ...), ...], %m
 *   }
 * becomes
 *   %p:3 = scf.for %i = %low to %n step %one iter_args(%o0 = 0, %o1 = 0, %i0 = 0) {
 *     %o:2 = scf.if %some {
 *       %s = tile_gpu.wgmma ...
 *       scf.if (%i != %low) { (the same with %o0, %o1, %i0) }
 *       %t = tile_gpu.wgmma_wait 0(%s)
 *       ...
 *     } else { scf.if (%i != %low) { the same } ... }
 *     scf.yield %o#0, %o#1, %i
 *   }
 *   scf.if (%low < %n) { (the same with %p#0, %p#1, %p#2) }
 *
 * The matrix unit waits for nothing but the last product of a block. (Of four warp groups others multiply meanwhile: there it
 * gained nothing on an H200.) Taken where the program's warps access global memory only in
 * what is deferred: the copy engine's loads, by a warp of their own, keep no order with it anyway.
 *
 * requires: tile-gpu-warp-specialize, tile-gpu-rotate-products, tile-gpu-pipeline-tma have run. ensures: the same results. */
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/OpKind.h"
#include "tile-c/Passes.h"
#include "tile-c/Patterns.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

enum { MAX_CARRIED = 32, MAX_ROOTS = 32, MOST_WARPS = 8 };

typedef struct Epilogue {
  TileBuilder b;
  MlirLocation loc;
  SCFForOp loop;
  MlirBlock body;
  SCFIfOp branch;        ///< with the products
  MlirOperation product; ///< the first one, in its first arm
  MlirOperation roots[MAX_ROOTS];
  int numRoots;
  MlirValue carried[MAX_CARRIED]; ///< values of the body that the epilogue needs
  int numCarried;
  TileArena *arena;
} Epilogue;

// ---- What there is ----

static bool isOpenProduct(MlirOperation op) {
  MlirOperation next = mlirOperationGetNextInBlock(op);
  return tileOpKind(op) == TileOp_TileGPU_Wgmma && next.ptr && tileOpKind(next) == TileOp_TileGPU_WgmmaWait;
}

/* The first product of the branch's first arm, waited for at once. */
static bool findProduct(Epilogue *e) {
  MlirBlock arm = mlirRegionGetFirstBlock(scfIfOpGetThenRegion(e->branch));
  for (MlirOperation op = mlirBlockGetFirstOperation(arm); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpKind(op) != TileOp_TileGPU_Wgmma && !mlirOperationGetNumRegions(op))
      continue;
    e->product = op;
    return isOpenProduct(op);
  }
  return false;
}

/* Ops of an epilogue that do something. */
static bool isStore(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_Barrier:
  case TileOp_Tile_Store:
  case TileOp_TileGPU_FenceAsync:
  case TileOp_TileGPU_LocalStore:
  case TileOp_TileGPU_TmaStore:
  case TileOp_TileGPU_TmaStoreWait:
    return true;
  default:
    return false;
  }
}

/* What neither reads nor writes memory that others see (but through the copy engine's loads), nor waits for others, nor says anything:
 * the order of such an op and the deferred stores does not show. Anything else, and what later versions add, does. */
static bool isWithin(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_SCF_Condition:
  case TileOp_SCF_For:
  case TileOp_SCF_If:
  case TileOp_SCF_While:
  case TileOp_SCF_Yield:
  case TileOp_TileGPU_Advance:
  case TileOp_TileGPU_Alloc:
  case TileOp_TileGPU_Any:
  case TileOp_TileGPU_BlockSum:
  case TileOp_TileGPU_ConvertLayout:
  case TileOp_TileGPU_FenceAsync:
  case TileOp_TileGPU_Hold:
  case TileOp_TileGPU_Index:
  case TileOp_TileGPU_LocalLoad:
  case TileOp_TileGPU_LocalStore:
  case TileOp_TileGPU_MBarrierArrive:
  case TileOp_TileGPU_MBarrierExpect:
  case TileOp_TileGPU_MBarrierWait:
  case TileOp_TileGPU_Mma:
  case TileOp_TileGPU_Slice:
  case TileOp_TileGPU_TmaCopy:
  case TileOp_TileGPU_TmaStoreWait:
  case TileOp_TileGPU_Trans:
  case TileOp_TileGPU_Wgmma:
  case TileOp_TileGPU_WgmmaWait:
  case TileOp_Tile_Assume:
  case TileOp_Tile_Barrier:
  case TileOp_Tile_MapElementwise:
  case TileOp_Tile_Reduce:
  case TileOp_Tile_Scan:
  case TileOp_Tile_Yield:
    return true;
  case TileOp_Tile_InlineAsm:
    return false;
  default:
    return tileOpIsPure(op);
  }
}

static MlirWalkResult countAccess(MlirOperation op, void *user) {
  *(int *)user += !isWithin(op);
  return MlirWalkResultAdvance;
}

static bool canCompute(MlirOperation op) { return tileOpIsPure(op) || tileOpKind(op) == TileOp_Tile_Reduce; }

/* The stores behind the branch; false if something else there is neither pure nor an arrival at a barrier. */
static bool findRoots(Epilogue *e) {
  int accesses = 0, own = 0;
  bool storesBlock = false;
  mlirOperationWalk(e->loop.op, countAccess, &accesses, MlirWalkPreOrder);
  for (MlirOperation op = mlirOperationGetNextInBlock(e->branch.op), end = mlirBlockGetTerminator(e->body);
       op.ptr != end.ptr; op = mlirOperationGetNextInBlock(op)) {
    const TileOpKind kind = tileOpKind(op);
    storesBlock |= kind == TileOp_TileGPU_TmaStore;
    own += kind == TileOp_TileGPU_TmaStore || kind == TileOp_Tile_Store;
    if (isStore(op) && e->numRoots < MAX_ROOTS)
      e->roots[e->numRoots++] = op;
    else if (isStore(op) || (!canCompute(op) && kind != TileOp_TileGPU_MBarrierArrive &&
                             kind != TileOp_TileGPU_Advance && kind != TileOp_TileGPU_Index))
      return false;
  }
  return storesBlock && own == accesses;
}

static bool isInBody(const Epilogue *e, MlirValue v) { return mlirBlockEqual(tileValueGetBlock(v), e->body); }

static bool carry(Epilogue *e, MlirValue v) {
  for (int i = 0; i < e->numCarried; ++i)
    if (mlirValueEqual(e->carried[i], v))
      return true;
  if (e->numCarried == MAX_CARRIED)
    return false;
  e->carried[e->numCarried++] = v;
  return true;
}

/* What the epilogue has to be told to have `v`: results of the branch, and what the body starts from. The rest is computed again, beside
 * the product: a quotient of the block's number takes as long as a part of its softmax. */
static bool findCarried(Epilogue *e, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!isInBody(e, v))
    return true;
  if (!op.ptr || op.ptr == e->branch.op.ptr)
    return carry(e, v);
  const int known = e->numCarried;
  bool isComputed = canCompute(op);
  for (intptr_t i = 0; isComputed && i < mlirOperationGetNumOperands(op); ++i)
    isComputed = findCarried(e, mlirOperationGetOperand(op, i));
  if (isComputed)
    return true;
  e->numCarried = known;
  return mlirOperationIsBeforeInBlock(op, e->branch.op) && !tileTypeIsTensor(mlirValueGetType(v)) &&
         carry(e, v);
}

static bool canDefer(Epilogue *e) {
  if (scfForOpGetUnsignedCmpAttr(e->loop).ptr)
    return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(e->body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_SCF_If && mlirOperationGetNumResults(op)) {
      e->branch = scfIfOpCast(op);
      break;
    }
  if (scfIfOpIsNull(e->branch) || !mlirRegionGetFirstBlock(scfIfOpGetElseRegion(e->branch)).ptr ||
      !findProduct(e) || !findRoots(e))
    return false;
  for (int i = 0; i < e->numRoots; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(e->roots[i]); ++k)
      if (!findCarried(e, mlirOperationGetOperand(e->roots[i], k)))
        return false;
  return true;
}

// ---- What becomes of it ----

static MlirValue valueThere(Epilogue *e, TilePointerMap *there, MlirValue v);

static MlirOperation copyThere(Epilogue *e, TilePointerMap *there, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, valueThere(e, there, mlirOperationGetOperand(op, i)));
  mlirRewriterBaseInsert(e->b, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    tilePointerMapSet(there, mlirOperationGetResult(op, i).ptr, (void *)mlirOperationGetResult(copy, i).ptr);
  return copy;
}

static MlirValue valueThere(Epilogue *e, TilePointerMap *there, MlirValue v) {
  MlirValue known = {tilePointerMapFind(there, v.ptr)};
  if (known.ptr || !isInBody(e, v))
    return known.ptr ? known : v;
  copyThere(e, there, tileValueGetDefiningOp(v));
  return (MlirValue){tilePointerMapFind(there, v.ptr)};
}

/* The epilogue at the builder's place, under a condition. */
static void writeEpilogue(Epilogue *e, MlirValue condition, const MlirValue *carried) {
  TilePointerMap there = {.arena = e->arena};
  for (int i = 0; i < e->numCarried; ++i)
    tilePointerMapSet(&there, e->carried[i].ptr, (void *)carried[i].ptr);
  SCFIfOp choice = scfIfOpCreate(e->b, e->loc, 0, NULL, condition);
  mlirRewriterBaseSetInsertionPointToEnd(e->b, tileRegionAddBlock(scfIfOpGetThenRegion(choice)));
  for (int i = 0; i < e->numRoots; ++i)
    copyThere(e, &there, e->roots[i]);
  scfYieldOpCreate(e->b, e->loc, 0, NULL);
  mlirRewriterBaseSetInsertionPointAfter(e->b, choice.op);
}

/* Sums of earlier products while the newest one is open: ptxas wants to be told that those are over. */
static void waitForSums(Epilogue *e, MlirValue *carried) {
  MlirValue sums[MAX_CARRIED];
  MlirType types[MAX_CARRIED];
  int at[MAX_CARRIED], n = 0;
  for (int i = 0; i < e->numCarried; ++i)
    if (tileTypeIsTensor(mlirValueGetType(carried[i]))) {
      at[n] = i;
      types[n] = mlirValueGetType(carried[i]);
      sums[n++] = carried[i];
    }
  TileGPUWgmmaWaitOp wait = tileGPUWgmmaWaitOpCreate(e->b, e->loc, n, types, n, sums,
                                                     tileI32Attr(mlirLocationGetContext(e->loc), 1));
  for (int i = 0; i < n; ++i)
    carried[at[i]] = tileGPUWgmmaWaitOpGetResults(wait, i);
}

static MlirValue compare(Epilogue *e, ArithCmpIPredicate p, MlirValue x, MlirValue y) {
  MlirContext context = mlirLocationGetContext(e->loc);
  return arithCmpIOpGetResult(
      arithCmpIOpCreate(e->b, e->loc, mlirIntegerTypeGet(context, 1), x, y, tileI64Attr(context, p)));
}

/* Zero of a number's or a tensor's type. */
static MlirValue zeroOf(Epilogue *e, MlirType type) {
  MlirType element = tileTypeGetElement(type);
  MlirAttribute zero = mlirTypeIsAFloat(element)
                           ? mlirFloatAttrDoubleGet(mlirTypeGetContext(type), element, 0)
                           : mlirIntegerAttrGet(element, 0);
  if (tileTypeIsTensor(type))
    zero = mlirDenseElementsAttrSplatGet(type, zero);
  return arithConstantOpGetResult(arithConstantOpCreate(e->b, e->loc, type, zero));
}

/* The loop with the epilogue's values carried, its body empty. */
static SCFForOp makeLoop(Epilogue *e) {
  const intptr_t n = scfForOpGetNumInitArgs(e->loop), all = n + e->numCarried;
  MlirValue *inits = tileArenaAlloc(e->arena, (size_t)all + 1, sizeof *inits);
  MlirType *types = tileArenaAlloc(e->arena, (size_t)all + 1, sizeof *types);
  mlirRewriterBaseSetInsertionPointBefore(e->b, e->loop.op);
  for (intptr_t i = 0; i < all; ++i) {
    types[i] = mlirValueGetType(i < n ? scfForOpGetInitArgs(e->loop, i) : e->carried[i - n]);
    inits[i] = i < n ? scfForOpGetInitArgs(e->loop, i) : zeroOf(e, types[i]);
  }
  MlirValue lower = scfForOpGetLowerBound(e->loop);
  SCFForOp loop = scfForOpCreate(e->b, e->loc, all, types, lower, scfForOpGetUpperBound(e->loop),
                                 scfForOpGetStep(e->loop), all, inits, (MlirAttribute){NULL});
  MlirBlock body = tileRegionAddBlock(scfForOpGetRegion(loop));
  mlirBlockAddArgument(body, mlirValueGetType(lower), e->loc);
  for (intptr_t i = 0; i < all; ++i)
    mlirBlockAddArgument(body, types[i], e->loc);
  tileCopyDiscardableAttrs(e->loop.op, loop.op);
  return loop;
}

/* The body's ops to the new one, which yields what the epilogue needs as well. */
static void moveBody(Epilogue *e, SCFForOp loop) {
  const intptr_t n = scfForOpGetNumInitArgs(e->loop), all = n + e->numCarried;
  MlirBlock to = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirOperation end = mlirBlockGetTerminator(e->body);
  MlirValue *yields = tileArenaAlloc(e->arena, (size_t)all + 1, sizeof *yields);
  for (intptr_t i = 0; i < all; ++i)
    yields[i] = i < n ? mlirOperationGetOperand(end, i) : e->carried[i - n];
  mlirRewriterBaseSetInsertionPointToEnd(e->b, to);
  MlirOperation yield = scfYieldOpCreate(e->b, e->loc, all, yields).op;
  for (MlirOperation op = mlirBlockGetFirstOperation(e->body), next; op.ptr != end.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, yield);
  }
  for (intptr_t i = 0; i <= n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(e->body, i), mlirBlockGetArgument(to, i));
}

/* Block arguments that are carried are the new body's from here on. */
static void renameCarried(Epilogue *e, MlirBlock to) {
  for (int i = 0; i < e->numCarried; ++i)
    if (mlirValueIsABlockArgument(e->carried[i]))
      e->carried[i] = mlirBlockGetArgument(to, mlirBlockArgumentGetArgNumber(e->carried[i]));
}

static void defer(Epilogue *e) {
  const intptr_t n = scfForOpGetNumInitArgs(e->loop);
  SCFForOp loop = makeLoop(e);
  MlirBlock to = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  moveBody(e, loop);
  renameCarried(e, to);
  e->body = to;
  MlirValue before[MAX_CARRIED], after[MAX_CARRIED], lower = scfForOpGetLowerBound(loop);
  for (int i = 0; i < e->numCarried; ++i) {
    before[i] = mlirBlockGetArgument(to, n + 1 + i);
    after[i] = mlirOperationGetResult(loop.op, n + i);
  }
  mlirRewriterBaseSetInsertionPointBefore(e->b, e->branch.op);
  MlirValue isLater = compare(e, ArithCmpIPredicate_ne, mlirBlockGetArgument(to, 0), lower);
  mlirRewriterBaseSetInsertionPointToStart(e->b, mlirRegionGetFirstBlock(scfIfOpGetElseRegion(e->branch)));
  writeEpilogue(e, isLater, before);
  mlirRewriterBaseSetInsertionPointAfter(e->b, e->product);
  waitForSums(e, before);
  writeEpilogue(e, isLater, before);
  mlirRewriterBaseSetInsertionPointAfter(e->b, loop.op);
  writeEpilogue(e, compare(e, ArithCmpIPredicate_slt, lower, scfForOpGetUpperBound(loop)), after);
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(e->loop.op, i), mlirOperationGetResult(loop.op, i));
  mlirRewriterBaseEraseOp(e->b, e->loop.op);
  for (int i = e->numRoots; i-- > 0;)
    mlirRewriterBaseEraseOp(e->b, e->roots[i]);
}

MlirLogicalResult tileGPUDeferEpiloguesRun(MlirOperation module, const TileGPUDeferEpiloguesParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_TMA) || target.numWarps > MOST_WARPS)
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList loops = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileCollectOps(module, TileOp_SCF_For, MlirWalkPostOrder, &loops);
  for (size_t i = 0; i < loops.count; ++i) {
    MlirOperation op = {(void *)loops.items[i]};
    Epilogue e = {.b = b, .arena = &arena, .loc = mlirOperationGetLocation(op), .loop = scfForOpCast(op)};
    e.body = mlirRegionGetFirstBlock(scfForOpGetRegion(e.loop));
    if (!canDefer(&e))
      continue;
    defer(&e);
    ++*params->numDeferred;
  }
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
