/* HoistInvariant.c - tile-hoist-invariant: what every iteration of a loop computes, or loads, alike moves in
 * front of it.
 *
 * before:  scf.for %k = %c0 to %n step %c1 {
 *            %w = tile.load %p : tensor<64x!tile.ptr<f32>>
 *            ...
 * after:   %some = arith.cmpi slt, %c0, %n : i32
 *          %m = tile.splat %some : tensor<64xi1>
 *          %w = tile.load %p mask %m : tensor<64x!tile.ptr<f32>>
 *          scf.for %k = %c0 to %n step %c1 {
 *            ...
 *
 * Loads move out of scf.for only, if nothing in the loop writes memory or waits for others who do; unless the
 * loop is known to be entered, they are masked by the condition of its first iteration, so that no memory is
 * touched that was not before. Upstream's loop-invariant-code-motion does the same for what has no effects;
 * here the two feed each other.
 *
 * requires: structured control flow. ensures: the same results and accesses, but for fewer repetitions. */
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Passes.h"
#include "tile-c/Patterns.h"

/* Operations that do not change memory nor let others' changes be seen: loads around them keep their values.
 */
static bool keepsMemory(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_SCF_Condition:
  case TileOp_SCF_For:
  case TileOp_SCF_If:
  case TileOp_SCF_While:
  case TileOp_SCF_Yield:
  case TileOp_Tile_Assert:
  case TileOp_Tile_Assume:
  case TileOp_Tile_DescGather:
  case TileOp_Tile_DescLoad:
  case TileOp_Tile_MapElementwise:
  case TileOp_Tile_Print:
  case TileOp_Tile_Reduce:
  case TileOp_Tile_Scan:
  case TileOp_Tile_Yield:
    return true;
  case TileOp_Tile_Load:
    return !tileLoadOpGetIsVolatile(tileLoadOpCast(op));
  default:
    return tileOpIsPure(op);
  }
}

static MlirWalkResult stopAtWrites(MlirOperation op, void *user) {
  bool *quiet = user;
  *quiet = *quiet && keepsMemory(op);
  return *quiet ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool isMadeIn(MlirValue v, MlirOperation op) {
  MlirOperation p = mlirBlockGetParentOperation(tileValueGetBlock(v));
  for (; p.ptr; p = mlirOperationGetParentOperation(p))
    if (mlirOperationEqual(p, op))
      return true;
  return false;
}

/* What an operation and everything in it reads. */
typedef struct Reads {
  MlirOperation op, loop;
  bool invariant; ///< nothing of the loop, and all inner operations pure
} Reads;

static MlirWalkResult checkReads(MlirOperation op, void *user) {
  Reads *r = user;
  bool root = mlirOperationEqual(op, r->op);
  if (!root && !tileOpIsPure(op) && tileOpKind(op) != TileOp_Tile_Yield)
    r->invariant = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    if (isMadeIn(v, r->loop) && (root || !isMadeIn(v, r->op)))
      r->invariant = false;
  }
  return r->invariant ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool isInvariant(MlirOperation op, MlirOperation loop) {
  Reads reads = {op, loop, true};
  mlirOperationWalk(op, checkReads, &reads, MlirWalkPreOrder);
  return reads.invariant;
}

static bool isEntered(SCFForOp loop) {
  int64_t low, high;
  return tileValueConstantInt(scfForOpGetLowerBound(loop), &low) &&
         tileValueConstantInt(scfForOpGetUpperBound(loop), &high) && !scfForOpGetUnsignedCmp(loop) &&
         low < high;
}

/* lower < upper, spread like `like` (a scalar or tensor), and what the mask said before. */
static MlirValue guardedMask(TileBuilder b, SCFForOp loop, MlirType like, MlirValue mask) {
  MlirContext context = mlirTypeGetContext(like);
  MlirLocation loc = mlirOperationGetLocation(loop.op);
  MlirType i1 = mlirIntegerTypeGet(context, 1), type = tileTypeWithElement(like, i1);
  MlirAttribute predicate =
      mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64),
                         scfForOpGetUnsignedCmp(loop) ? ArithCmpIPredicate_ult : ArithCmpIPredicate_slt);
  MlirValue entered = arithCmpIOpGetResult(
      arithCmpIOpCreate(b, loc, i1, scfForOpGetLowerBound(loop), scfForOpGetUpperBound(loop), predicate));
  if (tileTypeIsTensor(type))
    entered = tileSplatOpGetResult(tileSplatOpCreate(b, loc, type, entered));
  return mask.ptr ? arithAndIOpGetResult(arithAndIOpCreate(b, loc, type, mask, entered)) : entered;
}

static void hoistLoad(TileLoadOp load, SCFForOp loop, TileBuilder b) {
  if (isEntered(loop)) {
    mlirRewriterBaseMoveOpBefore(b, load.op, loop.op);
    return;
  }
  mlirRewriterBaseSetInsertionPointBefore(b, loop.op);
  MlirType like = mlirValueGetType(tileLoadOpGetPtr(load));
  MlirValue mask = guardedMask(b, loop, like, tileLoadOpGetMask(load));
  TileLoadOp n =
      tileLoadOpCreate(b, mlirOperationGetLocation(load.op), mlirValueGetType(tileLoadOpGetResult(load)),
                       tileLoadOpGetPtr(load), mask, tileLoadOpGetOther(load), tileLoadOpGetCacheAttr(load),
                       tileLoadOpGetEvictAttr(load), tileLoadOpGetIsVolatileAttr(load));
  tileCopyDiscardableAttrs(load.op, n.op);
  mlirRewriterBaseReplaceOpWithOperation(b, load.op, n.op);
}

static bool movesAsIs(MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  return tileOpIsPure(op) || kind == TileOp_Tile_Reduce || kind == TileOp_Tile_Scan ||
         kind == TileOp_Tile_MapElementwise;
}

/* In the order of the text, so that what an operation needs has moved before it. */
static void hoistRegion(MlirRegion region, MlirOperation loop, TileBuilder b,
                        const TileHoistInvariantParams *params) {
  bool quiet = tileOpKind(loop) == TileOp_SCF_For;
  if (quiet)
    mlirOperationWalk(loop, stopAtWrites, &quiet, MlirWalkPreOrder);
  MlirOperation next, op = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(region));
  for (; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    TileLoadOp load = tileLoadOpCast(op);
    bool isLoad = !tileLoadOpIsNull(load) && quiet;
    if ((!isLoad && !movesAsIs(op)) || !isInvariant(op, loop))
      continue;
    if (isLoad)
      hoistLoad(load, scfForOpCast(loop), b);
    else
      mlirRewriterBaseMoveOpBefore(b, op, loop);
    *params->numLoads += isLoad;
    *params->numOthers += !isLoad;
  }
}

typedef struct Hoister {
  TileBuilder b;
  const TileHoistInvariantParams *params;
} Hoister;

/* Inner loops first: what leaves them may leave the outer ones too. */
static MlirWalkResult hoistLoop(MlirOperation op, void *user) {
  const Hoister *h = user;
  TileOpKind kind = tileOpKind(op);
  for (intptr_t i = 0;
       (kind == TileOp_SCF_For || kind == TileOp_SCF_While) && i < mlirOperationGetNumRegions(op); ++i)
    hoistRegion(mlirOperationGetRegion(op, i), op, h->b, h->params);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileHoistInvariantRun(MlirOperation op, const TileHoistInvariantParams *params) {
  Hoister h = {mlirIRRewriterCreate(mlirOperationGetContext(op)), params};
  mlirOperationWalk(op, hoistLoop, &h, MlirWalkPostOrder);
  mlirIRRewriterDestroy(h.b);
  return tileSuccess();
}
