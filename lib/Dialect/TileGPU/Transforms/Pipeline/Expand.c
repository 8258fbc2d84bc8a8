/* Expand.c - replaces a loop by its pipeline: the first steps in front, then a loop of as many iterations in
 * which each stage works for another one of them. Stages whose iteration does not exist load nothing, so that
 * no steps are needed behind the loop. */
#include "Expand.h"
#include "tile-c/Dialect/TileGPU.h"

/* Values that the new loop carries, collected as operands, bound as arguments, in one order. */
typedef struct Carried {
  TilePipeline *p;
  MlirValue values[512];
  MlirType types[512];
  intptr_t count;
} Carried;

/* Calls `visit` for every place that holds a carried value. */
typedef void (*Visit)(Carried *c, MlirValue *place);

static void forEachPlace(Carried *c, TileExpansionStep *s, Visit visit) {
  TilePipeline *p = c->p;
  c->count = 0;
  for (int stage = p->depth; stage >= 0; --stage)
    for (intptr_t i = 0; i < p->numArgs; ++i)
      if (p->slices[stage].args[i])
        visit(c, &s->stages[stage].args[i]);
  for (int stage = 0; stage < p->depth; ++stage)
    if (p->slices[stage].stops)
      visit(c, &s->stages[stage].iv);
  for (int n = 1; n <= TilePipeline_MaxStages; ++n)
    if (s->counter[n].ptr)
      visit(c, &s->counter[n]);
  for (int i = 0; i < p->numLoads; ++i)
    for (int k = 0; k < p->loads[i].carried; ++k)
      visit(c, &p->loads[i].current[k]);
}

static void collect(Carried *c, MlirValue *place) {
  c->types[c->count] = mlirValueGetType(*place);
  c->values[c->count++] = *place;
}
static void assign(Carried *c, MlirValue *place) { *place = c->values[c->count++]; }

/* How many values of a load are handed from step to step. */
static void countCarried(TilePipeline *p) {
  for (int i = 0; i < p->numLoads; ++i) {
    TilePipelineLoad *load = &p->loads[i];
    load->carried = 0;
    if (load->consumers && load->mode != TileCopy_Async)
      load->carried = load->mode == TileCopy_Staged ? !p->isLate : load->last - load->stage;
  }
}

/* How many places a step of this pipeline hands on. */
static intptr_t countPlaces(const TilePipeline *p) {
  intptr_t count = 2 * TilePipeline_MaxStages;
  for (int stage = 0; stage <= p->depth; ++stage)
    for (intptr_t i = 0; i < p->numArgs; ++i)
      count += p->slices[stage].args[i];
  for (int i = 0; i < p->numLoads; ++i)
    count += p->loads[i].carried;
  return count;
}

static void startArgs(TileExpansionStep *s) {
  TilePipeline *p = s->p;
  for (int stage = 0; stage <= p->depth; ++stage) {
    s->stages[stage].iv = scfForOpGetLowerBound(p->loop);
    s->stages[stage].args = tileArenaAlloc(p->arena, (size_t)p->numArgs + 1, sizeof(MlirValue));
    for (intptr_t i = 0; i < p->numArgs; ++i)
      s->stages[stage].args[i] = scfForOpGetInitArgs(p->loop, i);
  }
}

/* Induction variable and predicate of a stage in this step. */
static void enterStage(TileExpansionStep *s, int stage) {
  TilePipeline *p = s->p;
  TileStageState *state = &s->stages[stage];
  int n = s->isBody ? p->depth - stage : s->step - stage;
  state->values = (TilePointerMap){.arena = p->arena};
  MlirValue base = s->isBody ? s->iv : scfForOpGetLowerBound(p->loop);
  bool stops = p->slices[stage].stops, exists = s->isBody && (stops || !n);
  if (!stops)
    state->iv = tilePipelineIterationAfter(p, s->loc, base, n);
  state->predicate = exists ? (MlirValue){NULL} : tilePipelineHasIteration(p, s->loc, base, n, !s->isBody);
}

static void emitFirstSteps(TileExpansionStep *s) {
  for (s->step = 0; s->step < s->p->depth; ++s->step) {
    for (int stage = 0; stage <= s->step; ++stage)
      enterStage(s, stage);
    tilePipelineEmitStep(s);
    s->loc = mlirOperationGetLocation(s->p->loop.op);
  }
}

static void startCounters(TileExpansionStep *s) {
  TilePipeline *p = s->p;
  MlirType i32 = mlirIntegerTypeGet(p->context, 32);
  for (int i = 0; i < p->numLoads; ++i) {
    int n = p->loads[i].buffers;
    if (n && !s->counter[n].ptr)
      s->counter[n] = tilePipelineConstant(p, s->loc, i32, 0);
  }
}

static void advanceCounters(TileExpansionStep *s) {
  MlirType i32 = mlirIntegerTypeGet(s->p->context, 32);
  for (int n = 1; n <= TilePipeline_MaxStages; ++n)
    if (s->counter[n].ptr)
      s->counter[n] = tileGPUAdvanceOpGetResult(
          tileGPUAdvanceOpCreate(s->p->b, s->loc, i32, s->counter[n], tileI32Attr(s->p->context, n)));
}

static SCFForOp createLoop(TilePipeline *p, const Carried *c, MlirLocation loc) {
  MlirAttribute isUnsigned =
      scfForOpGetUnsignedCmp(p->loop) ? mlirUnitAttrGet(p->context) : (MlirAttribute){NULL};
  SCFForOp loop = scfForOpCreate(p->b, loc, c->count, c->types, scfForOpGetLowerBound(p->loop),
                                 scfForOpGetUpperBound(p->loop), scfForOpGetStep(p->loop), c->count,
                                 c->values, isUnsigned);
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  mlirBlockAddArgument(body, mlirValueGetType(scfForOpGetLowerBound(p->loop)), loc);
  for (intptr_t i = 0; i < c->count; ++i)
    mlirBlockAddArgument(body, c->types[i], loc);
  mlirRegionAppendOwnedBlock(scfForOpGetRegion(loop), body);
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(p->loop.op); ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(p->loop.op, i);
    MlirStringRef name = mlirIdentifierStr(attr.name);
    if (!mlirStringRefEqual(name, tileStr("tile.num_stages")))
      mlirOperationSetDiscardableAttributeByName(loop.op, name, attr.attribute);
  }
  return loop;
}

static void emitBody(TileExpansionStep *s, Carried *c, SCFForOp loop) {
  TilePipeline *p = s->p;
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  for (intptr_t i = 0; i < c->count; ++i)
    c->values[i] = mlirBlockGetArgument(body, i + 1);
  forEachPlace(c, s, assign);
  s->isBody = true;
  s->step = p->depth;
  mlirRewriterBaseSetInsertionPointToEnd(p->b, body);
  s->iv = mlirBlockGetArgument(body, 0);
  for (int stage = 0; stage <= p->depth; ++stage)
    enterStage(s, stage);
  tilePipelineEmitStep(s);
  s->loc = mlirOperationGetLocation(p->loop.op);
  advanceCounters(s);
  forEachPlace(c, s, collect);
  scfYieldOpCreate(p->b, s->loc, c->count, c->values);
}

/* The last stage's variables come first. */
static void replaceResults(TilePipeline *p, SCFForOp loop) {
  intptr_t at = 0;
  for (intptr_t i = 0; i < p->numArgs; ++i) {
    MlirValue old = mlirOperationGetResult(p->loop.op, i);
    if (p->slices[p->depth].args[i])
      mlirValueReplaceAllUsesOfWith(old, mlirOperationGetResult(loop.op, at++));
  }
}

static bool hasCopies(const TilePipeline *p) {
  for (int i = 0; i < p->numLoads; ++i)
    if (p->loads[i].mode == TileCopy_Async && p->loads[i].consumers)
      return true;
  return false;
}

void tilePipelineExpand(TilePipeline *p) {
  MlirLocation loc = mlirOperationGetLocation(p->loop.op);
  Carried *c = tileArenaAlloc(p->arena, 1, sizeof *c);
  TileExpansionStep *s = tileArenaAlloc(p->arena, 1, sizeof *s);
  *s = (TileExpansionStep){.p = p, .loc = loc};
  c->p = p;
  countCarried(p);
  if (countPlaces(p) > (intptr_t)TILE_COUNTOF(c->values))
    return;
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->loop.op);
  tilePipelineAllocate(p);
  startArgs(s);
  emitFirstSteps(s);
  startCounters(s);
  forEachPlace(c, s, collect);
  SCFForOp loop = createLoop(p, c, loc);
  emitBody(s, c, loop);
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->loop.op);
  if (hasCopies(p)) /* what was started for nothing lands before others get its memory */
    tileGPUAsyncWaitOpCreate(p->b, loc, tileI32Attr(p->context, 0));
  replaceResults(p, loop);
  mlirRewriterBaseEraseOp(p->b, p->loop.op);
  if (p->isBehind)
    mlirOperationSetDiscardableAttributeByName(loop.op, tileStr("tile_gpu.copies_behind"),
                                               mlirUnitAttrGet(p->context));
  if (hasCopies(p))
    tilePipelineCopiesFirst(p, loop.op);
}
