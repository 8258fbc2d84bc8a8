/* InsertBarriers.c - tile-gpu-insert-barriers: where a scratch may be overwritten before all threads have
 * read it.
 *
 *   %m = tile.reduce %x {tile_gpu.scratch = 0 : i32} ...
 *   %s = tile.reduce %y {tile_gpu.scratch = 0 : i32} ...
 * becomes
 *   %s = tile.reduce %y {tile_gpu.scratch = 0 : i32, tile_gpu.barrier} ...
 *
 * An op with scratch stores, waits at its own barrier and loads. The next one must not store before the last
 * load is over: it gets a barrier in front, unless none came before on any path, or a tile.barrier stands
 * between. A forward data flow of one bit over the structured control flow.
 *
 * requires: tile-gpu-allocate-shared.  ensures: no scratch is written while another op may read it. */
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Passes.h"

typedef struct Barriers {
  MlirContext context;
  uint64_t *count;
} Barriers;

static bool flowBlock(Barriers *b, MlirBlock block, bool pending);

static bool flowRegion(Barriers *b, MlirOperation op, intptr_t region, bool pending) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
  return block.ptr ? flowBlock(b, block, pending) : pending;
}

/* A loop's body is entered from before it and from its own end. */
static bool flowLoop(Barriers *b, MlirOperation op, bool pending) {
  bool isWhile = tileOpKind(op) == TileOp_SCF_While;
  for (int round = 0; round < 2; ++round) {
    bool after = flowRegion(b, op, 0, pending);
    bool back = isWhile ? flowRegion(b, op, 1, after) : after;
    if (isWhile && round)
      return after; /* left from the condition's region */
    if (!isWhile && (back == pending || round))
      return pending || back;
    pending |= back;
  }
  return pending;
}

static bool flowBranches(Barriers *b, MlirOperation op, bool pending) {
  bool any = false, none = false;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    none |= !mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)).ptr;
    any |= flowRegion(b, op, i, pending);
  }
  return any || (none && pending);
}

static bool flowOp(Barriers *b, MlirOperation op, bool pending) {
  switch (tileOpKind(op)) {
  case TileOp_SCF_For:
  case TileOp_SCF_While:
    return flowLoop(b, op, pending);
  case TileOp_SCF_If:
  case TileOp_SCF_IndexSwitch:
    return flowBranches(b, op, pending);
  case TileOp_Tile_Barrier:
    return false;
  default:
    break;
  }
  if (!mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.scratch")).ptr)
    return pending;
  if (pending && !mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.barrier")).ptr) {
    mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.barrier"), mlirUnitAttrGet(b->context));
    ++*b->count;
  }
  return true;
}

static bool flowBlock(Barriers *b, MlirBlock block, bool pending) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    pending = flowOp(b, op, pending);
  return pending;
}

static MlirWalkResult flowFunction(MlirOperation op, void *user) {
  if (tileOpKind(op) != TileOp_Func_Func)
    return MlirWalkResultAdvance;
  flowRegion(user, op, 0, false);
  return MlirWalkResultSkip;
}

MlirLogicalResult tileGPUInsertBarriersRun(MlirOperation module, const TileGPUInsertBarriersParams *params) {
  Barriers b = {mlirOperationGetContext(module), params->numBarriers};
  mlirOperationWalk(module, flowFunction, &b, MlirWalkPreOrder);
  return tileSuccess();
}
