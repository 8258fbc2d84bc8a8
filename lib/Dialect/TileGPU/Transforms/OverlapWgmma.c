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
 *
 * Only for the one product of a loop whose sum nothing else in the loop looks at, and whose factors are among
 * several buffers: with one more of them than copies are ahead (tile-gpu-pipeline), the next iteration's
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

typedef struct Count {
  int products, waits, copies;
} Count;

static MlirWalkResult count(MlirOperation op, void *user) {
  Count *c = user;
  c->products += tileOpKind(op) == TileOp_TileGPU_Wgmma;
  c->waits += tileOpKind(op) == TileOp_TileGPU_WgmmaWait;
  c->copies += tileOpKind(op) == TileOp_TileGPU_AsyncCopy;
  c->waits += tileOpKind(op) == TileOp_TileGPU_MBarrierArrive ? 2 : 0; // gives the buffers away at once
  return MlirWalkResultAdvance;
}

/* The number of the carried sum that the wait completes, -1 if it is no such wait. */
static intptr_t carriedSum(SCFForOp loop, TileGPUWgmmaWaitOp wait, TileGPUWgmmaOp *out_product) {
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirOperation yield = mlirBlockGetTerminator(body);
  if (tileGPUWgmmaWaitOpGetNumValues(wait) != 1 || tileGPUWgmmaWaitOpGetPending(wait))
    return -1;
  MlirValue started = tileGPUWgmmaWaitOpGetValues(wait, 0);
  TileGPUWgmmaOp product = tileGPUWgmmaOpCast(tileValueGetDefiningOp(started));
  if (tileGPUWgmmaOpIsNull(product) || !mlirOperationEqual(tileValueOnlyUser(started), wait.op) ||
      !mlirOperationEqual(tileValueOnlyUser(tileGPUWgmmaWaitOpGetResults(wait, 0)), yield) ||
      tileTypeIsTensor(mlirValueGetType(tileGPUWgmmaOpGetA(product))) ||
      !isOneOfSeveral(tileGPUWgmmaOpGetA(product)) || !isOneOfSeveral(tileGPUWgmmaOpGetB(product)))
    return -1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue sum = mlirBlockGetArgument(body, i + 1);
    if (mlirValueEqual(mlirOperationGetOperand(yield, i), tileGPUWgmmaWaitOpGetResults(wait, 0)) &&
        mlirValueEqual(tileGPUWgmmaOpGetC(product), sum) &&
        mlirOperationEqual(tileValueOnlyUser(sum), product.op)) {
      *out_product = product;
      return i;
    }
  }
  return -1;
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

/* Copies of threads move behind the wait, where all threads meet. */
static void moveCopies(TileBuilder b, MlirOperation wait) {
  mlirRewriterBaseSetInsertionPointAfter(b, wait);
  MlirOperation at = tileBarrierOpCreate(b, mlirOperationGetLocation(wait)).op;
  mlirOperationSetDiscardableAttributeByName(at, tileStr("tile_gpu.shared_only"),
                                             mlirUnitAttrGet(mlirOperationGetContext(wait)));
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(wait)), next; op.ptr != wait.ptr;
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (tileOpKind(op) != TileOp_TileGPU_AsyncCopy && tileOpKind(op) != TileOp_TileGPU_AsyncCommit)
      continue;
    mlirOperationMoveAfter(op, at);
    at = op;
  }
}

static bool overlap(TileBuilder b, TileArena *arena, MlirOperation op) {
  SCFForOp loop = scfForOpCast(op);
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirContext context = mlirOperationGetContext(op);
  Count found = {0, 0, 0};
  TileGPUWgmmaOp product;
  intptr_t sum = -1;
  TileGPUWgmmaWaitOp wait = {{NULL}};
  mlirOperationWalk(op, count, &found, MlirWalkPreOrder);
  if (found.products != 1 || found.waits != 1)
    return false;
  for (MlirOperation o = mlirBlockGetFirstOperation(body); o.ptr && sum < 0;
       o = mlirOperationGetNextInBlock(o)) {
    wait = tileGPUWgmmaWaitOpCast(o);
    sum = tileGPUWgmmaWaitOpIsNull(wait) ? -1 : carriedSum(loop, wait, &product);
  }
  if (sum < 0)
    return false;
  mlirRewriterBaseSetInsertionPointBefore(b, wait.op);
  TileGPUWgmmaWaitOp before = tileGPUWgmmaWaitOpCreate(b, mlirOperationGetLocation(wait.op), 0, NULL, 0, NULL,
                                                       tileI32Attr(context, 1));
  if (mlirOperationRemoveDiscardableAttributeByName(op, tileStr("tile_gpu.copies_behind"))) {
    moveCopies(b, before.op);
    moveAddresses(arena, product.op);
  }
  mlirOperationSetOperand(mlirBlockGetTerminator(body), sum, tileGPUWgmmaOpGetResult(product));
  mlirRewriterBaseEraseOp(b, wait.op);
  if (found.copies)
    tileEnterLoopBranch(b, arena, loop);
  MlirValue left = mlirOperationGetResult(op, sum);
  MlirType type = mlirValueGetType(left);
  mlirRewriterBaseSetInsertionPointAfter(b, op);
  TileGPUWgmmaWaitOp last = tileGPUWgmmaWaitOpCreate(b, mlirOperationGetLocation(product.op), 1, &type, 1,
                                                     &left, tileI32Attr(context, 0));
  mlirValueReplaceAllUsesExcept(left, tileGPUWgmmaWaitOpGetResults(last, 0), 1, &last.op);
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
