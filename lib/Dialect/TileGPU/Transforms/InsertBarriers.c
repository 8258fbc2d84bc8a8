/* InsertBarriers.c - tile-gpu-insert-barriers: a barrier wherever an access of shared memory may meet another
 * thread's that is not known to be over, and nowhere else.
 *
 *   tile_gpu.local_store %t, %m
 *   %u = tile_gpu.local_load %m
 *   %s = tile.reduce %y {tile_gpu.scratch = 0 : i32} ...
 * becomes
 *   tile_gpu.local_store %t, %m
 *   tile.barrier {tile_gpu.shared_only}
 *   %u = tile_gpu.local_load %m
 *   %s = tile.reduce %y {tile_gpu.scratch = 0 : i32, tile_gpu.barrier} ...
 *
 * A forward data flow of the accesses since the last barrier (PendingAccesses.h) over the structured control
 * flow. An op with scratch stores, waits at its own barrier and loads: what was pending before it is over
 * after it, its loads are pending; if only the threads of a warp wait, both stay. A copy that is under way is no access yet; it becomes a write at the wait
 * that covers it. `tile_gpu.shared_only` says that global memory need not be ordered.
 *
 * At the end of a kernel, where nothing takes shared memory again, barriers in it are not ended, and nobody waits for others
 * before that (PTX ISA, mbarrier.inval: before the memory is used for something else), nor for copies that nobody reads.
 *
 * requires: tile-gpu-allocate-shared.
 * ensures: no byte of shared memory is written while another thread may access it. */
#include "DropFences.h"
#include "PendingAccesses.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Passes.h"
#include "tile-c/Scratch.h"
#include "tile-c/Support/PointerList.h"

typedef struct Barriers {
  MlirContext context;
  const TileTargetInfo *target;
  TileArena *arena;
  TileBuilder builder;
  uint64_t *count;
} Barriers;

static void flowBlock(Barriers *b, MlirBlock block, TilePending *state);

static void flowRegion(Barriers *b, MlirOperation op, intptr_t region, TilePending *state) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
  if (block.ptr)
    flowBlock(b, block, state);
}

/* A loop's body is entered from before it and from its own end, until nothing is added. */
static void flowFor(Barriers *b, MlirOperation op, TilePending *state) {
  TilePending entry = tilePendingCopy(state), body;
  tilePendingEnterLoop(&entry, op);
  for (;;) {
    body = tilePendingCopy(&entry);
    flowRegion(b, op, 0, &body);
    TilePending back = tilePendingCopy(&body);
    tilePendingNextIteration(&back, op);
    if (!tilePendingJoin(&entry, &back))
      break;
  }
  tilePendingLeaveLoop(&body, op);
  tilePendingJoin(state, &body);
}

static void flowWhile(Barriers *b, MlirOperation op, TilePending *state) {
  TilePending entry = tilePendingCopy(state);
  for (;;) {
    TilePending before = tilePendingCopy(&entry);
    flowRegion(b, op, 0, &before);
    TilePending after = tilePendingCopy(&before);
    flowRegion(b, op, 1, &after);
    tilePendingForgetChoices(&after);
    *state = before; /* left from the condition's region */
    if (!tilePendingJoin(&entry, &after))
      return;
  }
}

static void flowBranches(Barriers *b, MlirOperation op, TilePending *state) {
  TilePending before = tilePendingCopy(state);
  bool none = false;
  tilePendingClear(state);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    TilePending arm = tilePendingCopy(&before);
    none |= !mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)).ptr;
    flowRegion(b, op, i, &arm);
    tilePendingJoin(state, &arm);
  }
  if (none)
    tilePendingJoin(state, &before);
}

static bool hasAttr(MlirOperation op, const char *name) {
  return mlirOperationGetDiscardableAttributeByName(op, tileStr(name)).ptr != NULL;
}

static void flowScratch(Barriers *b, MlirOperation op, TilePending *state) {
  int64_t bytes = 0, first = tileGetIntAttr(op, "tile_gpu.scratch", 0);
  (void)tileScratchBytes(op, b->target, &bytes);
  TilePendingAccess access = {.first = first, .end = first + bytes, .isWrite = true};
  bool marked = hasAttr(op, "tile_gpu.barrier");
  if (!marked && tilePendingMeets(state, &access)) {
    mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.barrier"), mlirUnitAttrGet(b->context));
    ++*b->count;
    marked = true;
  }
  if (marked)
    tilePendingBarrier(state);
  if (tileScratchMeetsBarrier(op, b->target)) {
    tilePendingBarrier(state);
    access.isWrite = false;
  }
  tilePendingAdd(state, &access);
}

static void flowBuffers(Barriers *b, MlirOperation op, TilePending *state) {
  TilePendingAccess accesses[TileSharedUse_Max];
  int n = tilePendingAccessesOf(op, accesses);
  TilePendingMeeting meeting = TilePendingMeeting_None;
  for (int i = 0; i < n; ++i) {
    const TilePendingMeeting one = tilePendingMeets(state, &accesses[i]);
    meeting = one > meeting ? one : meeting;
  }
  if (meeting) {
    mlirRewriterBaseSetInsertionPointBefore(b->builder, op);
    TileBarrierOp barrier = tileBarrierOpCreate(b->builder, mlirOperationGetLocation(op));
    mlirOperationSetDiscardableAttributeByName(barrier.op, tileStr("tile_gpu.shared_only"),
                                               mlirUnitAttrGet(b->context));
    ++*b->count;
    if (meeting == TilePendingMeeting_InGroup) {
      const int64_t groups = tileGetIntAttr(op, "tile_gpu.groups", 0);
      mlirOperationSetDiscardableAttributeByName(barrier.op, tileStr("tile_gpu.groups"),
                                                 tileI32Attr(b->context, groups));
      tilePendingGroupBarrier(state, (int)groups);
    } else {
      tilePendingBarrier(state);
    }
  }
  for (int i = 0; i < n; ++i)
    tilePendingAdd(state, &accesses[i]);
}

/* A product reads its buffers until it is waited for, whatever barriers there are in between. */
static void flowProductsUntil(MlirOperation wait, TilePending *state) {
  MlirBlock block = mlirOperationGetBlock(wait);
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr != wait.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    TilePendingAccess accesses[TileSharedUse_Max];
    const bool endsHere = tileOpKind(op) == TileOp_TileGPU_Wgmma && tileWarpGroupWaitOf(op).ptr == wait.ptr;
    const int n = endsHere ? tilePendingAccessesOf(op, accesses) : 0;
    for (int i = 0; i < n; ++i)
      tilePendingAdd(state, &accesses[i]);
  }
}

static void flowOp(Barriers *b, MlirOperation op, TilePending *state) {
  switch (tileOpKind(op)) {
  case TileOp_SCF_For:
    flowFor(b, op, state);
    return;
  case TileOp_SCF_While:
    flowWhile(b, op, state);
    return;
  case TileOp_SCF_If:
  case TileOp_SCF_IndexSwitch:
    flowBranches(b, op, state);
    return;
  case TileOp_Tile_Barrier:
    if (hasAttr(op, "tile_gpu.groups")) // of an earlier round, or of warps behind their reads
      tilePendingGroupBarrier(state, (int)tileGetIntAttr(op, "tile_gpu.groups", 0));
    else
      tilePendingBarrier(state);
    return;
  case TileOp_TileGPU_Producer: /* all threads meet there */
    tilePendingBarrier(state);
    return;
  case TileOp_TileGPU_AsyncCommit:
    tilePendingCommit(state);
    return;
  case TileOp_TileGPU_AsyncWait:
    tilePendingWait(state, tileGPUAsyncWaitOpGetPending(tileGPUAsyncWaitOpCast(op)));
    return;
  case TileOp_TileGPU_WgmmaWait:
    flowProductsUntil(op, state);
    return;
  default:
    break;
  }
  if (hasAttr(op, "tile_gpu.scratch"))
    flowScratch(b, op, state);
  else
    flowBuffers(b, op, state);
}

static void flowBlock(Barriers *b, MlirBlock block, TilePending *state) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    flowOp(b, op, state);
}

// ---- The end of a kernel ----

/* Neither reads nor writes shared memory, nor orders who does. */
static bool leavesSharedAlone(MlirOperation op) {
  TileSharedUse uses[TileSharedUse_Max];
  if (hasAttr(op, "tile_gpu.scratch") || tileSharedUsesOf(op, uses))
    return false;
  switch (tileOpKind(op)) {
  case TileOp_Tile_Store:
  case TileOp_Tile_Reduce:
  case TileOp_Tile_Scan:
    return true;
  default:
    return tileOpIsPure(op) && !mlirOperationGetNumRegions(op);
  }
}

static void dropEnd(Barriers *b, MlirBlock entry) {
  TilePointerList last = {.arena = b->arena}; /* with no use of shared memory behind them */
  for (MlirOperation op = mlirBlockGetFirstOperation(entry); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    const TileOpKind kind = tileOpKind(op);
    // Other blocks of a cluster may still arrive at this one's barriers.
    const bool isBarrier =
        kind == TileOp_Tile_Barrier && hasAttr(op, "tile_gpu.shared_only") && !hasAttr(op, "tile_gpu.blocks");
    if (isBarrier || kind == TileOp_TileGPU_MBarrierInval || kind == TileOp_TileGPU_AsyncWait)
      tilePointerListAppend(&last, op.ptr);
    else if (kind != TileOp_Func_Return && !leavesSharedAlone(op))
      last.count = 0;
  }
  const MlirOperation *ops = (const MlirOperation *)(const void *)last.items;
  for (size_t i = 0; i < last.count; ++i)
    mlirRewriterBaseEraseOp(b->builder, ops[i]);
}

static MlirWalkResult flowFunction(MlirOperation op, void *user) {
  Barriers *b = user;
  if (tileOpKind(op) != TileOp_Func_Func)
    return MlirWalkResultAdvance;
  TilePending state = {.arena = b->arena};
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  if (entry.ptr) {
    dropEnd(b, entry);
    tileDropFences(b->builder, entry);
  }
  flowRegion(b, op, 0, &state);
  return MlirWalkResultSkip;
}

MlirLogicalResult tileGPUInsertBarriersRun(MlirOperation module, const TileGPUInsertBarriersParams *params) {
  TileModuleTarget target;
  TileArena arena = {0};
  TILE_TRY(tileModuleTargetRead(module, &target));
  MlirContext context = mlirOperationGetContext(module);
  Barriers b = {context, &target.info, &arena, mlirIRRewriterCreate(context), params->numBarriers};
  mlirOperationWalk(module, flowFunction, &b, MlirWalkPreOrder);
  mlirIRRewriterDestroy(b.builder);
  tileArenaRelease(&arena);
  return tileSuccess();
}
