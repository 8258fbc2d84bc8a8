/* OverlapWgmma.c - tile-gpu-overlap-wgmma: a loop's product stays open while the next iteration starts.
 *
 *   %r = scf.for ... iter_args(%acc = %z) {
 *     %s = tile_gpu.wgmma %a, %b, %acc
 *     %d = tile_gpu.wgmma_wait 0 (%s)
 *     scf.yield %d
 *   }
 * becomes
 *   %r = scf.for ... iter_args(%acc = %z) {
 *     %s = tile_gpu.wgmma %a, %b, %acc
 *     tile_gpu.wgmma_wait 1 ()
 *     scf.yield %s
 *   }
 *   %r1 = tile_gpu.wgmma_wait 0 (%r)
 *
 * Beside copies of threads (cp.async) loop and wait stand in a branch of their own, taken if there is an iteration: where the sums of no
 * iteration meet those of the loop, ptxas copies registers, and before the wait that made it execute products one by one (C7514).
 *
 * A loop with `tile_gpu.copies_behind` has a buffer less: its copies move behind that wait, and a barrier of all threads, so that they fill
 * what the iteration before has read.
 *   %s = tile_gpu.wgmma %a, %b, %acc
 *   tile_gpu.wgmma_wait 1 ();  tile.barrier;  tile_gpu.async_copy ...;  tile_gpu.async_commit
 * Those of the copy engine take the barrier in front of them along.
 *
 * Only for the one product of a loop, or all of them beside copies of threads, whose sums nothing else in the loop looks at, and whose
 * factors are among several buffers: with one more of them than copies are ahead (tile-gpu-pipeline), the next iteration's
 * copies go where the product before last has read.
 *
 * requires: tile-gpu-pipeline.  ensures: every sum is waited for before it is used otherwise than as a sum. */
#include "BlockOrder.h"
#include "KeepOpen.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Passes.h"
#include "tile-c/SharedAccess.h"
#include "tile-c/Support/PointerList.h"

/* One buffer of at least three, chosen by the iteration. */
static bool isOneOfSeveral(MlirValue buffer) {
  TileBufferChoice choice;
  return tileBufferRoot(buffer, &choice).ptr && choice.known && choice.index.ptr && choice.count >= 3;
}

enum { MOST_SUMS = 4 };

typedef struct Count {
  int products, waits, copies;
  bool hasEngine; ///< copies of the copy engine
} Count;

static MlirWalkResult count(MlirOperation op, void *user) {
  Count *c = user;
  c->products += tileOpKind(op) == TileOp_TileGPU_Wgmma;
  c->waits += tileOpKind(op) == TileOp_TileGPU_WgmmaWait;
  c->copies += tileOpKind(op) == TileOp_TileGPU_AsyncCopy;
  c->hasEngine |= tileOpKind(op) == TileOp_TileGPU_TmaCopy;
  c->waits += tileOpKind(op) == TileOp_TileGPU_MBarrierArrive ? 2 : 0; // gives the buffers away at once
  return MlirWalkResultAdvance;
}

/* Sums that the loop carries, one for each of its products. */
typedef struct Sums {
  intptr_t count, numbers[MOST_SUMS];
  TileGPUWgmmaOp products[MOST_SUMS];
} Sums;

/* The number of the carried sum that value i of the wait completes, -1 if it is none. */
static intptr_t carriedSum(MlirBlock body, TileGPUWgmmaWaitOp wait, intptr_t i, TileGPUWgmmaOp *out_product) {
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue started = tileGPUWgmmaWaitOpGetValues(wait, i), done = tileGPUWgmmaWaitOpGetResults(wait, i);
  TileGPUWgmmaOp product = tileGPUWgmmaOpCast(tileValueGetDefiningOp(started));
  if (tileGPUWgmmaOpIsNull(product) || !mlirBlockEqual(mlirOperationGetBlock(product.op), body) ||
      !mlirOperationEqual(tileValueOnlyUser(started), wait.op) ||
      !mlirOperationEqual(tileValueOnlyUser(done), yield) ||
      tileTypeIsTensor(mlirValueGetType(tileGPUWgmmaOpGetA(product))) ||
      !isOneOfSeveral(tileGPUWgmmaOpGetA(product)) || !isOneOfSeveral(tileGPUWgmmaOpGetB(product)))
    return -1;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(yield); ++k) {
    MlirValue sum = mlirBlockGetArgument(body, k + 1);
    if (mlirValueEqual(mlirOperationGetOperand(yield, k), done) &&
        mlirValueEqual(tileGPUWgmmaOpGetC(product), sum) &&
        mlirOperationEqual(tileValueOnlyUser(sum), product.op)) {
      *out_product = product;
      return k;
    }
  }
  return -1;
}

static bool carriedSums(MlirBlock body, TileGPUWgmmaWaitOp wait, Sums *out) {
  out->count = tileGPUWgmmaWaitOpGetNumValues(wait);
  if (out->count < 1 || out->count > MOST_SUMS || tileGPUWgmmaWaitOpGetPending(wait))
    return false;
  for (intptr_t i = 0; i < out->count; ++i)
    if ((out->numbers[i] = carriedSum(body, wait, i, &out->products[i])) < 0)
      return false;
  return true;
}

static bool isOnlyNeededBehind(MlirOperation op, MlirOperation product) {
  if (!tileOpIsPure(op) || mlirOperationGetNumRegions(op) || !mlirOperationGetNumResults(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, i)); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = tileOpInBlock(mlirOpOperandGetOwner(use), mlirOperationGetBlock(op));
      if (!user.ptr || !mlirOperationIsBeforeInBlock(product, user))
        return false;
    }
  return true;
}

/* What copies and the next iteration alone need is computed while the product runs. */
static void moveAddresses(TileArena *arena, MlirOperation product) {
  TilePointerList ops = {.arena = arena};
  MlirOperation at = mlirOperationGetNextInBlock(product);
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(product)); op.ptr != product.ptr;
       op = mlirOperationGetNextInBlock(op))
    tilePointerListAppend(&ops, op.ptr);
  for (size_t i = ops.count; i-- > 0;) {
    MlirOperation op = {(void *)ops.items[i]};
    if (!isOnlyNeededBehind(op, product))
      continue;
    mlirOperationMoveBefore(op, at);
    at = op;
  }
}

/* The barrier behind which the copy engine's copies start: all threads are done with what they fill. */
static MlirOperation barrierOfCopies(MlirOperation wait) {
  MlirOperation found = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(wait)); op.ptr != wait.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    const TileOpKind kind = tileOpKind(op);
    if (kind == TileOp_TileGPU_AsyncWait)
      return (MlirOperation){NULL}; // it is for what threads copied
    if (kind == TileOp_Tile_Barrier && !found.ptr)
      found = op;
    if (kind == TileOp_TileGPU_TmaCopy)
      return found;
  }
  return (MlirOperation){NULL};
}

/* Copies move behind the wait, where all threads meet. */
static void moveCopies(TileBuilder b, MlirOperation wait) {
  MlirOperation at = barrierOfCopies(wait);
  mlirRewriterBaseSetInsertionPointAfter(b, wait);
  if (at.ptr) {
    mlirOperationMoveAfter(at, wait);
  } else {
    at = tileBarrierOpCreate(b, mlirOperationGetLocation(wait)).op;
    mlirOperationSetDiscardableAttributeByName(at, tileStr("tile_gpu.shared_only"),
                                               mlirUnitAttrGet(mlirOperationGetContext(wait)));
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(wait)), next; op.ptr != wait.ptr;
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    const TileOpKind kind = tileOpKind(op);
    if (kind != TileOp_TileGPU_AsyncCopy && kind != TileOp_TileGPU_AsyncCommit &&
        kind != TileOp_TileGPU_TmaCopy && kind != TileOp_TileGPU_MBarrierExpect)
      continue;
    mlirOperationMoveAfter(op, at);
    at = op;
  }
}

static MlirOperation lastProduct(const Sums *sums) {
  MlirOperation last = sums->products[0].op;
  for (intptr_t i = 1; i < sums->count; ++i)
    if (mlirOperationIsBeforeInBlock(last, sums->products[i].op))
      last = sums->products[i].op;
  return last;
}

/* The one wait of a loop, if it is for all of its products. */
static TileGPUWgmmaWaitOp waitOf(MlirBlock body, const Count *found, Sums *sums) {
  TileGPUWgmmaWaitOp wait = {{NULL}}, none = {{NULL}};
  /* Two blocks in flight have a buffer more if threads copy them (tile-gpu-pipeline); the engine's do for one product. */
  if (found->waits != 1 || !found->products || (found->products > 1 && (found->hasEngine || !found->copies)))
    return none;
  for (MlirOperation o = mlirBlockGetFirstOperation(body); o.ptr && tileGPUWgmmaWaitOpIsNull(wait);
       o = mlirOperationGetNextInBlock(o))
    wait = tileGPUWgmmaWaitOpCast(o);
  return !tileGPUWgmmaWaitOpIsNull(wait) && carriedSums(body, wait, sums) && sums->count == found->products
             ? wait
             : none;
}

/* Waits for the sums behind the loop. */
static void waitBehind(TileBuilder b, MlirOperation loop, const Sums *sums) {
  MlirValue left[MOST_SUMS];
  MlirType types[MOST_SUMS];
  for (intptr_t i = 0; i < sums->count; ++i) {
    left[i] = mlirOperationGetResult(loop, sums->numbers[i]);
    types[i] = mlirValueGetType(left[i]);
  }
  mlirRewriterBaseSetInsertionPointAfter(b, loop);
  TileGPUWgmmaWaitOp last =
      tileGPUWgmmaWaitOpCreate(b, mlirOperationGetLocation(sums->products[0].op), sums->count, types,
                               sums->count, left, tileI32Attr(mlirOperationGetContext(loop), 0));
  for (intptr_t i = 0; i < sums->count; ++i)
    mlirValueReplaceAllUsesExcept(left[i], tileGPUWgmmaWaitOpGetResults(last, i), 1, &last.op);
}

static bool overlap(TileBuilder b, TileArena *arena, MlirOperation op) {
  SCFForOp loop = scfForOpCast(op);
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  Count found = {0};
  Sums sums;
  mlirOperationWalk(op, count, &found, MlirWalkPreOrder);
  TileGPUWgmmaWaitOp wait = waitOf(body, &found, &sums);
  if (tileGPUWgmmaWaitOpIsNull(wait))
    return false;
  mlirRewriterBaseSetInsertionPointBefore(b, wait.op);
  TileGPUWgmmaWaitOp before =
      tileGPUWgmmaWaitOpCreate(b, mlirOperationGetLocation(wait.op), 0, NULL, 0, NULL,
                               tileI32Attr(mlirOperationGetContext(op), (int32_t)sums.count));
  for (intptr_t i = 0; i < sums.count; ++i)
    mlirOperationSetOperand(mlirBlockGetTerminator(body), sums.numbers[i],
                            tileGPUWgmmaOpGetResult(sums.products[i]));
  mlirRewriterBaseEraseOp(b, wait.op);
  if (mlirOperationRemoveDiscardableAttributeByName(op, tileStr("tile_gpu.copies_behind"))) {
    moveCopies(b, before.op);
    moveAddresses(arena, lastProduct(&sums));
  }
  if (found.copies)
    tileEnterLoopBranch(b, arena, loop);
  waitBehind(b, op, &sums);
  return true;
}

MlirLogicalResult tileGPUOverlapWgmmaRun(MlirOperation module, const TileGPUOverlapWgmmaParams *params) {
  TileArena arena = {0};
  TilePointerList loops = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileCollectOps(module, TileOp_SCF_For, MlirWalkPreOrder, &loops);
  for (size_t i = 0; i < loops.count; ++i)
    *params->numProducts += overlap(b, &arena, (MlirOperation){(void *)loops.items[i]});
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
