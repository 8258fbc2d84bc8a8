/* SinkWaits.c - tile-gpu-sink-waits: products stay open until something needs their sums.
 *
 *   %s = tile_gpu.wgmma %k, %q, %zero;  %s1 = tile_gpu.wgmma_wait 0 (%s)
 *   %p = tile_gpu.wgmma %v, %o, %zero;  %p1 = tile_gpu.wgmma_wait 0 (%p)
 *   %e = math.exp2 %s1
 *   %d = arith.mulf %e, %p1
 * becomes
 *   %s = tile_gpu.wgmma %k, %q, %zero
 *   %p = tile_gpu.wgmma %v, %o, %zero
 *   %s1 = tile_gpu.wgmma_wait 1 (%s)
 *   %e = math.exp2 %s1
 *   %p1 = tile_gpu.wgmma_wait 0 (%p)
 *   %d = arith.mulf %e, %p1
 *
 * A wait moves down to the first op of its block that needs one of its values, at most to the block's end and not over ops whose
 * regions have products, nor over a later wait at which its products are over: ptxas takes sums that are named behind a wait of
 * their own to be open until then, and waits once more (C7517). Nor does it move over a write to what its product reads: of a factor that
 * comes by registers there may be one buffer. Waits that meet become one. Loads' conversions to other layouts
 * move down in the same way, over products.
 *
 * requires: every product has its own wait for all behind it.  ensures: the same sums; no product is open at a block's end. */
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Passes.h"
#include "tile-c/SharedAccess.h"
#include "tile-c/Support/PointerList.h"

enum { MAX_VALUES = 8 };

static bool usesResultOf(MlirOperation user, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(user); ++i)
    if (tileValueGetDefiningOp(mlirOperationGetOperand(user, i)).ptr == op.ptr)
      return true;
  return false;
}

typedef struct Need {
  MlirOperation op;
  bool found;
} Need;

static MlirWalkResult findNeed(MlirOperation op, void *user) {
  Need *need = user;
  need->found |= usesResultOf(op, need->op);
  return need->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* Whether an op writes what a product reads. */
static bool overwrites(MlirOperation op, MlirOperation product) {
  TileSharedUse writes[TileSharedUse_Max], reads[TileSharedUse_Max];
  const int numWrites = tileSharedUsesOf(op, writes), numReads = tileSharedUsesOf(product, reads);
  for (int i = 0; i < numWrites; ++i)
    for (int k = 0; writes[i].isWrite && k < numReads; ++k) {
      TileBufferChoice written, read;
      MlirOperation root = tileBufferRoot(writes[i].buffer, &written);
      if (root.ptr && root.ptr == tileBufferRoot(reads[k].buffer, &read).ptr &&
          !tileBufferChoicesDiffer(&written, &read))
        return true;
    }
  return false;
}

static MlirWalkResult findWrite(MlirOperation op, void *user) {
  Need *need = user;
  need->found |= overwrites(op, need->op);
  return need->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* Whether an op, or one inside, writes what the wait's product reads. */
static bool reuses(MlirOperation op, MlirOperation wait) {
  Need need = {tileValueGetDefiningOp(mlirOperationGetOperand(wait, 0)), false};
  mlirOperationWalk(op, findWrite, &need, MlirWalkPreOrder);
  return need.found;
}

/* Whether the wait has to stand in front of `op`, or at the end of a block that has no terminator. */
static bool stops(MlirOperation op, MlirOperation wait) {
  Need need = {wait, false};
  if (!op.ptr || !mlirOperationGetNextInBlock(op).ptr ||
      (mlirOperationGetNumRegions(op) && tileHasWarpGroupProducts(op)))
    return true;
  mlirOperationWalk(op, findNeed, &need, MlirWalkPreOrder);
  return need.found;
}

/* The wait with the values of both, which stand next to each other. */
static void merge(TileBuilder b, TileGPUWgmmaWaitOp first, TileGPUWgmmaWaitOp second) {
  MlirValue values[MAX_VALUES];
  MlirType types[MAX_VALUES];
  const intptr_t n = tileGPUWgmmaWaitOpGetNumValues(first), m = tileGPUWgmmaWaitOpGetNumValues(second);
  const int64_t pending[2] = {tileGPUWgmmaWaitOpGetPending(first), tileGPUWgmmaWaitOpGetPending(second)};
  if (n + m > MAX_VALUES)
    return;
  for (intptr_t i = 0; i < n + m; ++i) {
    values[i] = i < n ? tileGPUWgmmaWaitOpGetValues(first, i) : tileGPUWgmmaWaitOpGetValues(second, i - n);
    types[i] = mlirValueGetType(values[i]);
  }
  mlirRewriterBaseSetInsertionPointBefore(b, second.op);
  TileGPUWgmmaWaitOp both = tileGPUWgmmaWaitOpCreate(
      b, mlirOperationGetLocation(first.op), n + m, types, n + m, values,
      tileI32Attr(mlirOperationGetContext(first.op), pending[0] < pending[1] ? pending[0] : pending[1]));
  for (intptr_t i = 0; i < n + m; ++i)
    mlirValueReplaceAllUsesOfWith(i < n ? tileGPUWgmmaWaitOpGetResults(first, i)
                                        : tileGPUWgmmaWaitOpGetResults(second, i - n),
                                  tileGPUWgmmaWaitOpGetResults(both, i));
  mlirRewriterBaseEraseOp(b, first.op);
  mlirRewriterBaseEraseOp(b, second.op);
}

/* Whether an op takes time: a tensor comes out of it, or goes to memory. */
static bool isWork(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileTypeIsTensor(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return mlirOperationGetNumResults(op) && tileTypeIsTensor(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* Whether all products are over at an op. Sums of earlier products could be named at partial waits too, but attention's gradients are
 * faster (3 % at 128 columns) if such products stay open as long as they may. */
static bool endsAll(MlirOperation op) {
  TileGPUWgmmaWaitOp wait = tileGPUWgmmaWaitOpCast(op);
  return !tileGPUWgmmaWaitOpIsNull(wait) && !tileGPUWgmmaWaitOpGetPending(wait);
}

/* Moves a wait for everything; what has started since stays open. */
static bool sink(TileBuilder b, MlirOperation op) {
  TileGPUWgmmaWaitOp wait = tileGPUWgmmaWaitOpCast(op);
  MlirOperation to = mlirOperationGetNextInBlock(op);
  int64_t since = 0;
  bool works = false;
  if (tileGPUWgmmaWaitOpGetNumValues(wait) != 1 || tileGPUWgmmaWaitOpGetPending(wait) ||
      tileOpKind(tileValueGetDefiningOp(tileGPUWgmmaWaitOpGetValues(wait, 0))) != TileOp_TileGPU_Wgmma)
    return false;
  for (; !stops(to, op) && !endsAll(to) && !reuses(to, op); to = mlirOperationGetNextInBlock(to)) {
    since += tileOpKind(to) == TileOp_TileGPU_Wgmma;
    works |= isWork(to);
  }
  if (!works || since > 7)
    return false;
  MlirOperation before = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  while (mlirOperationGetNextInBlock(before).ptr != to.ptr)
    before = mlirOperationGetNextInBlock(before);
  mlirOperationMoveBefore(op, to);
  mlirOperationSetInherentAttributeByName(op, tileStr("pending"),
                                          tileI32Attr(mlirOperationGetContext(op), since));
  TileGPUWgmmaWaitOp other = tileGPUWgmmaWaitOpCast(before);
  if (endsAll(to))
    merge(b, tileGPUWgmmaWaitOpCast(to), wait);
  else if (!tileGPUWgmmaWaitOpIsNull(other))
    merge(b, other, wait);
  return true;
}

/* What was loaded moves between threads where it is needed, not where the load has to be waited for. */
static void sinkConversion(MlirOperation op) {
  MlirOperation to = mlirOperationGetNextInBlock(op);
  bool starts = false;
  for (; !stops(to, op); to = mlirOperationGetNextInBlock(to))
    starts |= tileOpKind(to) == TileOp_TileGPU_Wgmma;
  if (starts)
    mlirOperationMoveBefore(op, to);
}

/* Reads of what the copy engine brings go as far down as they can, behind waits too, with what only repeats elements: registers are
 * short beside open products. */
static void sinkRead(MlirOperation op) {
  MlirOperation to = mlirOperationGetNextInBlock(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirOperation user = tileValueHasOneUse(result) ? tileValueOnlyUser(result) : (MlirOperation){NULL};
  if (user.ptr && mlirOperationGetBlock(user).ptr == mlirOperationGetBlock(op).ptr &&
      (tileOpKind(user) == TileOp_Tile_ExpandDims || tileOpKind(user) == TileOp_Tile_Broadcast))
    sinkRead(user);
  while (!stops(to, op))
    to = mlirOperationGetNextInBlock(to);
  mlirOperationMoveBefore(op, to);
}

static bool isReadOfCopy(MlirOperation op) {
  if (tileOpKind(op) != TileOp_TileGPU_LocalLoad)
    return false;
  MlirOperation buffer = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  return buffer.ptr && tileOpKind(buffer) == TileOp_TileGPU_TmaAlloc;
}

static bool isConversionOfLoad(MlirOperation op) {
  return tileOpKind(op) == TileOp_TileGPU_ConvertLayout &&
         tileOpKind(tileValueGetDefiningOp(mlirOperationGetOperand(op, 0))) == TileOp_Tile_Load;
}

typedef struct Found {
  TilePointerList waits, conversions, reads;
} Found;

static MlirWalkResult collect(MlirOperation op, void *user) {
  Found *f = user;
  if (tileOpKind(op) == TileOp_TileGPU_WgmmaWait)
    tilePointerListAppend(&f->waits, op.ptr);
  else if (isConversionOfLoad(op))
    tilePointerListAppend(&f->conversions, op.ptr);
  else if (isReadOfCopy(op))
    tilePointerListAppend(&f->reads, op.ptr);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUSinkWaitsRun(MlirOperation module, const TileGPUSinkWaitsParams *params) {
  TileArena arena = {0};
  Found f = {{.arena = &arena}, {.arena = &arena}, {.arena = &arena}};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  mlirOperationWalk(module, collect, &f, MlirWalkPreOrder);
  for (size_t i = 0; i < f.conversions.count; ++i)
    sinkConversion((MlirOperation){(void *)f.conversions.items[i]});
  for (size_t i = f.waits.count; i-- > 0;) // the last first: the others may pass them
    *params->numWaits += sink(b, (MlirOperation){(void *)f.waits.items[i]});
  for (size_t i = f.reads.count; i-- > 0;)
    sinkRead((MlirOperation){(void *)f.reads.items[i]});
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
