/* Pipeline.c - tile-gpu-pipeline: loads of a loop are started iterations before they are used.
 *
 *   scf.for %k = %lo to %hi step %st iter_args(%p = %p0, %acc = %z) {
 *     %a = tile.load %p
 *     %f = tile_gpu.convert_layout %a
 *     %d = tile.dot %f, ..., %acc
 *     %q = tile.addptr %p, %n
 *     scf.yield %q, %d
 * becomes, with num-stages = 2 on a chip with asynchronous copies,
 *   %m = tile_gpu.alloc : () -> !tile_gpu.memdesc<2x...>
 *   tile_gpu.async_copy %p0, %m[0] mask (%lo < %hi); tile_gpu.async_commit; %p1 = tile.addptr %p0, %n
 *   scf.for %k = %lo to %hi step %st iter_args(%acc = %z, %p = %p1, %i = 0) {
 *     tile_gpu.async_wait 0
 *     tile_gpu.async_copy %p, %m[%i + 1] mask (%hi - %k > %st); tile_gpu.async_commit
 *     %f = tile_gpu.local_load %m[%i]
 *     %d = tile.dot %f, ..., %acc
 *     scf.yield %d, tile.addptr %p, %n, tile_gpu.advance %i
 *   tile_gpu.async_wait 0
 *
 * Hoist.c and Pointers.c prepare, Loads.c finds the loads, Schedule.c gives them stages, Slices.c what each stage executes, Buffers.c shared
 * memory, Expand.c writes the result. Pipeline.h explains steps, stages and slices.
 *
 * requires: layouts on all tensors; tile.num_stages on a loop, or tile_gpu.num_stages on the module, above 1.
 * ensures: the same results for any number of stages; memory is read no more often and nowhere else. */
#include "Pipeline.h"
#include "CarryDistances.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Bits.h"

static bool planStages(TilePipeline *p) {
  p->isLate = tilePipelineIsTight(p);
  tilePipelineSchedule(p);
  tilePipelineMakeSlices(p);
  return tilePipelineChooseBuffers(p);
}

/* With fewer and fewer stages until the buffers fit. */
static bool planFewer(TilePipeline *p) {
  for (; p->numStages > 1; --p->numStages) {
    if (!tilePipelineFindLoads(p))
      return false;
    if (planStages(p))
      return true;
  }
  return false;
}

/* Two buffers give a copy straight to LDS one iteration, in which products of gfx950 take less time than it does. Where no second block
 * fits a compute unit beside them, a third buffer costs nothing. */
static bool hasRoomForThird(const TilePipeline *p) {
  bool isDirect = false;
  for (int i = 0; i < p->numLoads; ++i)
    isDirect |= p->loads[i].isDirect && p->loads[i].buffers;
  return isDirect && p->numStages == 2 && 2 * p->sharedBytes > p->target->info.sharedPerMultiprocessor;
}

typedef struct Sums {
  int products;
  int64_t elements;
} Sums;

static MlirWalkResult addSums(MlirOperation op, void *user) {
  Sums *sums = user;
  if (tileOpKind(op) != TileOp_TileGPU_Wgmma)
    return MlirWalkResultAdvance;
  ++sums->products;
  sums->elements += tileTypeNumElements(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return MlirWalkResultAdvance;
}

/* Blocks of warp groups on a multiprocessor beside so many bytes a block; 0: the loop has none, or several products, which do not stay open. */
static int64_t blocksBeside(const TilePipeline *p, int64_t bytes) {
  enum { Others = 64 }; // registers of a thread beside sums
  const TileTargetInfo *info = &p->target->info;
  const int64_t threads = (int64_t)p->target->numWarps * info->warpSize;
  Sums sums = {0};
  mlirOperationWalk(p->loop.op, addSums, &sums, MlirWalkPreOrder);
  return sums.products == 1 ? tileLeast(info->registersPerMultiprocessor / (sums.elements + threads * Others),
                                        info->sharedPerMultiprocessor / (bytes + info->sharedReserved))
                            : 0;
}

enum { MANY_WARPS = 8 };

static MlirWalkResult findStore(MlirOperation op, void *user) {
  const TileOpKind kind = tileOpKind(op);
  *(bool *)user |=
      kind == TileOp_Tile_Store || kind == TileOp_Tile_AtomicRMW || kind == TileOp_TileGPU_TmaStore;
  return MlirWalkResultAdvance;
}

/* Whether loops around this one store: a kernel that goes over its blocks itself has a program for each multiprocessor. Others add up, as
 * over the rows and columns of a convolution (with 8 warps, which would meet twice in few iterations, that took 100 us instead of 93). */
static bool goesOverBlocks(const TilePipeline *p) {
  MlirOperation loop = p->loop.op;
  bool found = p->target->numWarps >= MANY_WARPS && tileBlockIsInLoop(mlirOperationGetBlock(loop));
  for (MlirOperation up = mlirOperationGetParentOperation(loop); tileOpKind(up) != TileOp_Func_Func;
       up = mlirOperationGetParentOperation(up))
    if (tileOpKind(up) == TileOp_SCF_For || tileOpKind(up) == TileOp_SCF_While)
      mlirOperationWalk(up, findStore, &found, MlirWalkPreOrder);
  return found;
}

/* A product that stays open keeps a buffer more than there are stages. Where that is what keeps another block off the multiprocessor, copies
 * start behind the wait for that product, for which all warps meet once more. */
static bool keepBlocks(TilePipeline *p) {
  const int numStages = p->numStages;
  const int64_t blocks = blocksBeside(p, p->sharedBytes);
  if (numStages < 3 || !blocks || goesOverBlocks(p))
    return true;
  p->isBehind = true;
  if (planFewer(p) && p->numStages == numStages && blocksBeside(p, p->sharedBytes) > blocks)
    return true;
  p->isBehind = false;
  p->numStages = numStages;
  return planFewer(p);
}

/* What is small beside the factors' loads runs ahead where that costs no stage. */
static bool planBeside(TilePipeline *p) {
  const int numStages = p->numStages;
  p->takesBeside = true;
  if (planFewer(p) && keepBlocks(p) && p->numStages == numStages)
    return true;
  p->takesBeside = p->isBehind = false;
  p->numStages = numStages;
  return planFewer(p) && keepBlocks(p);
}

static bool plan(TilePipeline *p) {
  if (!planBeside(p))
    return false;
  if (!hasRoomForThird(p))
    return true;
  ++p->numStages;
  return planFewer(p);
}

static void refreshAxis(TilePipeline *p, MlirOperation module, TileAxisInfo **axis) {
  TileAxisInfo *anew = tileAxisInfoCreate(module);
  if (!anew)
    return;
  tileAxisInfoRelease(*axis);
  p->axis = *axis = anew;
}

/* AMD: pointers that move by one distance carry that. What is known of the new ones, direct copies want to know. */
static void carryDistances(TilePipeline *p, MlirOperation module, TileAxisInfo **axis) {
  if (tileTargetHas(&p->target->info, TileFeature_CpAsync) || !tilePipelineFindLoads(p))
    return;
  tileCarryDistances(p->b, p->loop.op);
  if (!tilePipelineHasDirectCopies(&p->target->info))
    return;
  refreshAxis(p, module, axis);
  if (tilePipelineMarkBuffers(p))
    refreshAxis(p, module, axis);
}

static bool pipelineLoop(MlirOperation loop, MlirOperation module, const TileModuleTarget *target,
                         TileAxisInfo **axis, TileArena *arena) {
  TilePipeline *p = tileArenaAlloc(arena, 1, sizeof *p);
  int64_t asked = tileGetIntAttr(loop, "tile.num_stages", 0);
  *p = (TilePipeline){.arena = arena,
                      .context = mlirOperationGetContext(loop),
                      .target = target,
                      .axis = *axis,
                      .loop = scfForOpCast(loop),
                      .allLoads = asked > 0,
                      .numStages = asked > 0 ? (int)asked : target->numStages};
  if (p->numStages > TilePipeline_MaxStages)
    p->numStages = TilePipeline_MaxStages;
  p->body = mlirRegionGetFirstBlock(scfForOpGetRegion(p->loop));
  p->yield = mlirBlockGetTerminator(p->body);
  p->numArgs = scfForOpGetNumInitArgs(p->loop);
  if (p->numStages < 2)
    return false;
  p->b = mlirIRRewriterCreate(p->context);
  tilePipelineHoistConversions(p);
  carryDistances(p, module, axis);
  bool planned = plan(p);
  if (planned) {
    tilePipelineAssumeSeparate(p);
    tilePipelineExpand(p);
  }
  mlirRewriterBaseClearInsertionPoint(p->b);
  mlirIRRewriterDestroy(p->b);
  return planned;
}

MlirLogicalResult tileGPUPipelineRun(MlirOperation module, const TileGPUPipelineParams *params) {
  TileModuleTarget target;
  TileArena arena = {0};
  TILE_TRY(tileModuleTargetRead(module, &target));
  TileAxisInfo *axis = tileAxisInfoCreate(module);
  TilePointerList loops = {.arena = &arena};
  tileCollectOps(module, TileOp_SCF_For, MlirWalkPostOrder, &loops);
  for (size_t i = 0; axis && i < loops.count; ++i)
    if (pipelineLoop((MlirOperation){(void *)loops.items[i]}, module, &target, &axis, &arena))
      ++*params->numLoops;
  tileAxisInfoRelease(axis);
  tileArenaRelease(&arena);
  return axis ? tileSuccess() : tileFailure();
}
