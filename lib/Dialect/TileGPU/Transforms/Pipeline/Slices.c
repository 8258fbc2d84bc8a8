/* Slices.c - what a stage of the pipeline executes. */
#include "Pipeline.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/TileAccess.h"

TilePipelineSlice tilePipelineNewSlice(TilePipeline *p) {
  TilePipelineSlice slice = {.ops = {.arena = p->arena}};
  slice.args = tileArenaAlloc(p->arena, (size_t)p->numArgs + 1, sizeof *slice.args);
  return slice;
}

/* Ops that a stage may execute for iterations that do not exist, once loads are masked. */
static bool isSpeculable(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_Load:
    return !tileLoadOpGetIsVolatile(tileLoadOpCast(op));
  case TileOp_SCF_If:
  case TileOp_SCF_Yield:
  case TileOp_Tile_Reduce:
  case TileOp_Tile_Scan:
  case TileOp_Tile_Yield:
  case TileOp_TileGPU_ConvertLayout:
    return true;
  default:
    return tileOpIsPure(op) && !tilePipelineIsDot(op);
  }
}

/* A walk over an op and what is in it. */
typedef struct Visit {
  TilePipeline *p;
  MlirOperation root;
  bool speculable;
  TilePointerList *values; ///< defined outside of the op
} Visit;

static MlirWalkResult visitOp(MlirOperation op, void *user) {
  Visit *visit = user;
  bool isRoot = op.ptr == visit->root.ptr;
  visit->speculable &= isSpeculable(op) && (isRoot || tileOpKind(op) != TileOp_Tile_Load);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    if (isRoot || !tileValueIsIn(v, visit->root))
      tilePointerListAppend(visit->values, v.ptr);
  }
  return MlirWalkResultAdvance;
}

/* Marks the carried variable behind a body argument; the value it will have next, null if it is marked or the
 * argument is the induction variable. */
static MlirValue markArgument(TilePipeline *p, TilePipelineSlice *slice, MlirValue v) {
  intptr_t arg = mlirBlockArgumentGetArgNumber(v) - 1;
  if (arg < 0 || slice->args[arg])
    return (MlirValue){NULL};
  slice->args[arg] = true;
  return mlirOperationGetOperand(p->yield, arg);
}

static bool addOp(TilePipeline *p, TilePipelineSlice *slice, MlirOperation op, bool anything,
                  TilePointerList *work) {
  if (tilePointerMapFind(&slice->ops, op.ptr))
    return true;
  Visit visit = {p, op, true, work};
  mlirOperationWalk(op, visitOp, &visit, MlirWalkPreOrder);
  tilePointerMapSet(&slice->ops, op.ptr, op.ptr);
  return anything || visit.speculable;
}

bool tilePipelineSliceAdd(TilePipeline *p, TilePipelineSlice *slice, MlirValue v, bool anything,
                          uint32_t *out_loads) {
  TilePointerList work = {.arena = p->arena};
  tilePointerListAppend(&work, v.ptr);
  while (work.count) {
    MlirValue value = {work.items[--work.count]};
    MlirOperation op = tileValueGetDefiningOp(value);
    if (!op.ptr) {
      bool ours = tileValueGetBlock(value).ptr == p->body.ptr;
      MlirValue next = ours ? markArgument(p, slice, value) : (MlirValue){NULL};
      if (next.ptr)
        tilePointerListAppend(&work, next.ptr);
      continue;
    }
    if (mlirOperationGetBlock(op).ptr != p->body.ptr)
      continue; /* in front of the loop */
    int load = tilePipelineLoadOf(p, value);
    if (load >= 0)
      *out_loads |= 1u << load;
    else if (!addOp(p, slice, op, anything, &work))
      return false;
  }
  return true;
}

static void addOperands(TilePipeline *p, TilePipelineSlice *slice, MlirOperation op, uint32_t *loads) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    (void)tilePipelineSliceAdd(p, slice, mlirOperationGetOperand(op, i), false, loads);
}

static void noteConsumers(TilePipeline *p, uint32_t loads, int stage) {
  for (int i = 0; i < p->numLoads; ++i)
    if (loads >> i & 1) {
      p->loads[i].consumers |= 1u << stage;
      p->loads[i].last = stage > p->loads[i].last ? stage : p->loads[i].last;
    }
}

/* The computation: ops with effects, and what is used after the loop. */
static void makeLastSlice(TilePipeline *p) {
  TilePipelineSlice *slice = &p->slices[p->depth];
  uint32_t loads = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (op.ptr == p->yield.ptr)
      break;
    bool isRoot = mlirOperationGetNumRegions(op) > 0 && tileOpKind(op) != TileOp_Tile_Reduce &&
                  tileOpKind(op) != TileOp_Tile_Scan;
    if (!isRoot && (isSpeculable(op) || tilePipelineIsDot(op)))
      continue;
    TilePointerList work = {.arena = p->arena};
    (void)addOp(p, slice, op, true, &work);
    for (size_t i = 0; i < work.count; ++i)
      (void)tilePipelineSliceAdd(p, slice, (MlirValue){work.items[i]}, true, &loads);
  }
  for (intptr_t i = 0; i < p->numArgs; ++i)
    if (!tileValueIsUnused(mlirOperationGetResult(p->loop.op, i)) && !slice->args[i]) {
      slice->args[i] = true;
      (void)tilePipelineSliceAdd(p, slice, mlirOperationGetOperand(p->yield, i), true, &loads);
    }
  noteConsumers(p, loads, p->depth);
}

/* A stage may repeat its last iteration if that costs a selection of scalars: then its loads need no mask, and
 * read nothing that is not read anyway. NVIDIA's asynchronous copies have masks for nothing. */
static bool canStop(const TilePipeline *p, int stage) {
  const TilePipelineSlice *slice = &p->slices[stage];
  bool starts = false;
  for (int i = 0; i < p->numLoads; ++i) {
    bool here = p->loads[i].stage == stage && p->loads[i].consumers;
    if (here && p->loads[i].mode == TileCopy_Async && !p->loads[i].isDirect)
      return false;
    starts |= here;
  }
  if (!starts)
    return false;
  for (intptr_t i = 0; i < p->numArgs; ++i)
    if (slice->args[i] && tileTypeIsTensor(mlirValueGetType(mlirBlockGetArgument(p->body, i + 1))))
      return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Tile_Load && tilePointerMapFind(&slice->ops, op.ptr))
      return false;
  return true;
}

void tilePipelineMakeSlices(TilePipeline *p) {
  for (int s = 0; s <= p->depth; ++s)
    p->slices[s] = tilePipelineNewSlice(p);
  for (int i = 0; i < p->numLoads; ++i) {
    p->loads[i].consumers = 0;
    p->loads[i].last = 0;
  }
  makeLastSlice(p);
  for (int i = 0; i < p->numLoads; ++i) {
    uint32_t loads = 0;
    addOperands(p, &p->slices[p->loads[i].stage], p->loads[i].op.op, &loads);
    noteConsumers(p, loads, p->loads[i].stage);
  }
  for (int s = 0; s < p->depth; ++s)
    p->slices[s].stops = canStop(p, s);
}
