/* ExpandStep.c - what the stages of a pipeline do in one step. */
#include "Expand.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/UB.h"

// ---- Buffers ----

/* The buffer of iteration step - stage. */
static MlirValue bufferOf(TileExpansionStep *s, const TilePipelineLoad *load, int stage) {
  TilePipeline *p = s->p;
  int n = load->buffers, ahead = p->depth - stage;
  MlirType i32 = mlirIntegerTypeGet(p->context, 32);
  MlirValue index = s->counter[n];
  int rotate = ahead % n;
  if (!s->isBody) {
    index = tilePipelineConstant(p, s->loc, i32, (s->step - stage) % n);
    rotate = 0;
  }
  return tileGPUIndexOpGetResult(tileGPUIndexOpCreate(p->b, s->loc, load->bufferType, load->alloc, index,
                                                      tileI32Attr(p->context, rotate)));
}

/* The buffer, or transposed view of one, that holds a value of the body in this stage; null if none does. */
static MlirValue viewOf(TileExpansionStep *s, int stage, MlirValue v) {
  TilePipeline *p = s->p;
  int i = tilePipelineLoadOf(p, v);
  if (i >= 0)
    return p->loads[i].buffers ? bufferOf(s, &p->loads[i], stage) : (MlirValue){NULL};
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileOpKind(op) != TileOp_Tile_Trans || mlirOperationGetBlock(op).ptr != p->body.ptr)
    return (MlirValue){NULL};
  MlirValue source = viewOf(s, stage, mlirOperationGetOperand(op, 0));
  TileMemDesc desc;
  if (!source.ptr || !tileMemDescOf(mlirValueGetType(source), &desc))
    return (MlirValue){NULL};
  MlirAttribute order = tileTransOpGetOrderAttr(tileTransOpCast(op));
  int32_t perm[TileLayout_MaxRank];
  for (int32_t d = 0; d < desc.rank; ++d)
    perm[d] = mlirDenseI32ArrayGetElement(order, d);
  TileSharedLayout turned = desc.layout;
  (void)tileLayoutTranspose(&desc.layout.map, perm, &turned.map);
  MlirType type = tileMemDescTypeFor(tileGPUMemDescTypeGetElementType(mlirValueGetType(source)), &turned,
                                     desc.alignment, 0);
  return tileGPUTransOpGetResult(tileGPUTransOpCreate(p->b, s->loc, type, source, order));
}

static MlirValue readBuffer(TileExpansionStep *s, MlirType type, MlirValue view) {
  return tileGPULocalLoadOpGetResult(tileGPULocalLoadOpCreate(s->p->b, s->loc, type, view));
}

// ---- Values ----

static void bind(TileStageState *stage, MlirValue from, MlirValue to) {
  tilePointerMapSet(&stage->values, from.ptr, (void *)to.ptr);
}

/* A load's result: handed on in registers, or read from its buffer as the load had it. */
static MlirValue valueOfLoad(TileExpansionStep *s, int stage, int i) {
  TilePipelineLoad *load = &s->p->loads[i];
  if (load->mode == TileCopy_Register)
    return load->current[stage - load->stage - 1];
  return readBuffer(s, mlirValueGetType(tileLoadOpGetResult(load->op)), bufferOf(s, load, stage));
}

MlirValue tilePipelineLookup(TileExpansionStep *s, int stage, MlirValue v) {
  TilePipeline *p = s->p;
  TileStageState *state = &s->stages[stage];
  MlirValue known = {tilePointerMapFind(&state->values, v.ptr)};
  if (known.ptr)
    return known;
  if (mlirValueIsABlockArgument(v) && tileValueGetBlock(v).ptr == p->body.ptr) {
    intptr_t arg = mlirBlockArgumentGetArgNumber(v);
    return arg ? state->args[arg - 1] : state->iv;
  }
  int load = tilePipelineLoadOf(p, v);
  if (load < 0)
    return v;
  known = valueOfLoad(s, stage, load);
  bind(state, v, known);
  return known;
}

typedef struct Remap {
  TileExpansionStep *s;
  int stage;
} Remap;

static bool isOfBody(const TilePipeline *p, MlirValue v) { return tileValueGetBlock(v).ptr == p->body.ptr; }

static MlirWalkResult remapOperands(MlirOperation op, void *user) {
  Remap *r = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    if (isOfBody(r->s->p, v))
      mlirOperationSetOperand(op, i, tilePipelineLookup(r->s, r->stage, v));
  }
  return MlirWalkResultAdvance;
}

/* Values that the op needs are emitted before it, also those that ops inside it need. */
static MlirWalkResult prepareOperands(MlirOperation op, void *user) {
  Remap *r = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    if (isOfBody(r->s->p, v))
      (void)tilePipelineLookup(r->s, r->stage, v);
  }
  return MlirWalkResultAdvance;
}

static MlirOperation cloneOp(TileExpansionStep *s, int stage, MlirOperation op) {
  Remap r = {s, stage};
  mlirOperationWalk(op, prepareOperands, &r, MlirWalkPreOrder);
  MlirOperation clone = mlirOperationClone(op);
  mlirRewriterBaseInsert(s->p->b, clone);
  mlirOperationWalk(clone, remapOperands, &r, MlirWalkPreOrder);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    bind(&s->stages[stage], mlirOperationGetResult(op, i), mlirOperationGetResult(clone, i));
  return clone;
}

// ---- Loads ----

/* `mask` (may be null) and the stage's predicate, for pointers of a type; null: always. */
static MlirValue whereItExists(TileExpansionStep *s, int stage, MlirValue mask, MlirType pointers) {
  TilePipeline *p = s->p;
  MlirValue predicate = s->stages[stage].predicate;
  MlirType type = tileTypeWithElement(pointers, mlirIntegerTypeGet(p->context, 1));
  if (!predicate.ptr)
    return mask;
  if (tileTypeIsTensor(type))
    predicate = tileSplatOpGetResult(tileSplatOpCreate(p->b, s->loc, type, predicate));
  if (!mask.ptr)
    return predicate;
  return arithAndIOpGetResult(arithAndIOpCreate(p->b, s->loc, type, mask, predicate));
}

static MlirValue maskFor(TileExpansionStep *s, int stage, TileLoadOp load) {
  MlirValue mask = tileLoadOpGetMask(load);
  if (mask.ptr)
    mask = tilePipelineLookup(s, stage, mask);
  return whereItExists(s, stage, mask, mlirValueGetType(tileLoadOpGetPtr(load)));
}

static MlirValue otherFor(TileExpansionStep *s, int stage, TileLoadOp load) {
  MlirValue other = tileLoadOpGetOther(load);
  return !other.ptr || tileValueIsPositiveZero(other) ? (MlirValue){NULL}
                                                      : tilePipelineLookup(s, stage, other);
}

static TileGPUAsyncCopyOp createCopy(TileExpansionStep *s, TilePipelineLoad *load, MlirValue ptr,
                                     MlirValue mask, MlirValue other) {
  return tileGPUAsyncCopyOpCreate(s->p->b, s->loc, ptr, bufferOf(s, load, load->stage), mask, other);
}

static void startCopy(TileExpansionStep *s, TilePipelineLoad *load) {
  int stage = load->stage;
  MlirValue ptr = tilePipelineLookup(s, stage, tileLoadOpGetPtr(load->op));
  if (!load->isDirect) {
    (void)createCopy(s, load, ptr, maskFor(s, stage, load->op), otherFor(s, stage, load->op));
    return;
  }
  ptr = tilePipelineDirectPointers(s->p, load, ptr);
  MlirValue mask = whereItExists(s, stage, load->mask, mlirValueGetType(ptr));
  TileGPUAsyncCopyOp copy = createCopy(s, load, ptr, mask, (MlirValue){NULL});
  mlirOperationSetDiscardableAttributeByName(copy.op, tileStr("tile_gpu.buffer"),
                                             mlirUnitAttrGet(s->p->context));
}

/* Masked by the existence of the iteration alone, a load gives nothing that is ever used. */
static MlirValue unusedOther(TileExpansionStep *s, TileLoadOp load) {
  MlirContext context = mlirOperationGetContext(load.op);
  MlirType type = mlirValueGetType(tileLoadOpGetResult(load));
  MlirAttribute poison = mlirAttributeParseGet(context, tileStr("#ub.poison"));
  return ubPoisonOpGetResult(ubPoisonOpCreate(s->p->b, s->loc, type, poison));
}

/* The load itself, masked; its value is the newest of those that are handed on. */
static MlirValue emitLoad(TileExpansionStep *s, int stage, TileLoadOp load) {
  MlirValue ptr = tilePipelineLookup(s, stage, tileLoadOpGetPtr(load));
  MlirValue mask = maskFor(s, stage, load), other = otherFor(s, stage, load);
  if (mask.ptr && !tileLoadOpGetMask(load).ptr)
    other = unusedOther(s, load);
  TileLoadOp n =
      tileLoadOpCreate(s->p->b, s->loc, mlirValueGetType(tileLoadOpGetResult(load)), ptr, mask, other,
                       tileLoadOpGetCacheAttr(load), tileLoadOpGetEvictAttr(load), (MlirAttribute){NULL});
  MlirAttribute buffer = mlirOperationGetDiscardableAttributeByName(load.op, tileStr("tile_gpu.buffer"));
  if (buffer.ptr)
    mlirOperationSetDiscardableAttributeByName(n.op, tileStr("tile_gpu.buffer"), buffer);
  return tileLoadOpGetResult(n);
}

static void startLoad(TileExpansionStep *s, TilePipelineLoad *load) {
  MlirValue loaded = emitLoad(s, load->stage, load->op);
  for (int i = load->carried; --i > 0;)
    load->current[i] = load->current[i - 1];
  load->current[0] = loaded;
}

/* What was loaded in the step before, or in this one. */
static void storeStaged(TileExpansionStep *s) {
  for (int i = 0; i < s->p->numLoads; ++i) {
    TilePipelineLoad *load = &s->p->loads[i];
    int stage = load->stage + !s->p->isLate;
    if (load->mode != TileCopy_Staged || !load->buffers || s->step < stage)
      continue;
    s->loc = mlirOperationGetLocation(load->op.op);
    tileGPULocalStoreOpCreate(s->p->b, s->loc, load->current[0], bufferOf(s, load, stage));
  }
}

// ---- Slices ----

/* Whether a transposed view of a load is read through its buffer by all of its users. */
static bool isOnlyRead(const TilePipeline *p, MlirOperation op) {
  if (tileOpKind(op) != TileOp_Tile_Trans)
    return false;
  MlirValue result = mlirOperationGetResult(op, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    int load;
    if (!isOnlyRead(p, user) &&
        (!tilePipelineReadsBuffer(p, user, &load) || mlirOperationGetBlock(user).ptr != p->body.ptr))
      return false;
  }
  return true;
}

/* Whether all buffers of a fence are filled by copies, which have a fence of their own. */
static bool isFenceOfCopies(const TilePipeline *p, MlirOperation op) {
  int load;
  if (tileOpKind(op) != TileOp_TileGPU_FenceAsync)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation def = tileValueGetDefiningOp(mlirOperationGetOperand(op, i));
    if (!def.ptr || !tilePipelineReadsBuffer(p, def, &load) || p->loads[load].mode != TileCopy_Async)
      return false;
  }
  return true;
}

static void emitOp(TileExpansionStep *s, int stage, MlirOperation op) {
  TilePipeline *p = s->p;
  int load;
  s->loc = mlirOperationGetLocation(op);
  if (isOnlyRead(p, op) || isFenceOfCopies(p, op))
    return;
  if (tilePipelineReadsBuffer(p, op, &load)) {
    MlirValue result = mlirOperationGetResult(op, 0);
    if (tileOpKind(op) == TileOp_TileGPU_Alloc) {
      bind(&s->stages[stage], result, bufferOf(s, &p->loads[load], stage));
      return;
    }
    MlirValue view = viewOf(s, stage, mlirOperationGetOperand(op, 0));
    bind(&s->stages[stage], result, readBuffer(s, mlirValueGetType(result), view));
    return;
  }
  TileLoadOp plain = tileLoadOpCast(op);
  if (!tileLoadOpIsNull(plain) && s->stages[stage].predicate.ptr)
    bind(&s->stages[stage], tileLoadOpGetResult(plain), emitLoad(s, stage, plain));
  else
    (void)cloneOp(s, stage, op);
}

/* Which loads a stage starts. */
typedef enum Part { Part_Async, Part_Registers } Part;

static bool startsNow(const TilePipelineLoad *load, int stage, Part part) {
  return load->consumers && load->stage == stage && (load->mode == TileCopy_Async) == (part == Part_Async);
}

static void emitSlice(TileExpansionStep *s, int stage) {
  TilePipeline *p = s->p;
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr && op.ptr != p->yield.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (tilePointerMapFind(&p->slices[stage].ops, op.ptr))
      emitOp(s, stage, op);
    int load = mlirOperationGetNumResults(op) ? tilePipelineLoadOf(p, mlirOperationGetResult(op, 0)) : -1;
    if (load >= 0 && startsNow(&p->loads[load], stage, Part_Async)) {
      s->loc = mlirOperationGetLocation(op);
      startCopy(s, &p->loads[load]);
    }
  }
}

/* `late`: those that are stored in the same step. */
static void startRegisters(TileExpansionStep *s, bool late) {
  for (int i = 0; i < s->p->numLoads; ++i) {
    TilePipelineLoad *load = &s->p->loads[i];
    if (load->stage > s->step || !startsNow(load, load->stage, Part_Registers) ||
        (s->p->isLate && load->mode == TileCopy_Staged) != late)
      continue;
    s->loc = mlirOperationGetLocation(load->op.op);
    startLoad(s, load);
  }
}

static MlirValue emitSelect(TileExpansionStep *s, MlirValue condition, MlirValue a, MlirValue b) {
  return tileCreateSelect(s->p->b, s->loc, condition, a, b);
}

/* If there is no next iteration, the variables stay as they are, induction variable included. */
static void stopAtLast(TileExpansionStep *s, int stage, MlirValue *next) {
  TilePipeline *p = s->p;
  TileStageState *state = &s->stages[stage];
  int n = s->isBody ? p->depth - stage : s->step - stage;
  MlirValue base = s->isBody ? s->iv : scfForOpGetLowerBound(p->loop);
  MlirValue more = tilePipelineHasIteration(p, s->loc, base, n + 1, !s->isBody);
  for (intptr_t i = 0; i < p->numArgs; ++i)
    if (p->slices[stage].args[i])
      next[i] = emitSelect(s, more, next[i], state->args[i]);
  state->iv = emitSelect(s, more, tilePipelineIterationAfter(p, s->loc, state->iv, 1), state->iv);
}

/* The carried variables of a stage for its next iteration. */
static void advance(TileExpansionStep *s, int stage) {
  TilePipeline *p = s->p;
  MlirValue *next = tileArenaAlloc(p->arena, (size_t)p->numArgs + 1, sizeof *next);
  s->loc = mlirOperationGetLocation(p->loop.op);
  for (intptr_t i = 0; i < p->numArgs; ++i)
    if (p->slices[stage].args[i])
      next[i] = tilePipelineLookup(s, stage, mlirOperationGetOperand(p->yield, i));
  if (p->slices[stage].stops)
    stopAtLast(s, stage, next);
  s->stages[stage].args = next;
}

/* Waits for the copies that stages of this step read: one group is committed in each step, and this step's is
 * still to come. The barrier lets other threads' copies be read; since it also ends the reads of the step
 * before, it stands in front of this step's copies. */
static bool waitForCopies(TileExpansionStep *s) {
  TilePipeline *p = s->p;
  int pending = -1;
  bool any = false, factors = false;
  for (int i = 0; i < p->numLoads; ++i) {
    const TilePipelineLoad *load = &p->loads[i];
    any |= load->mode == TileCopy_Async && load->consumers && load->stage <= s->step;
    factors |= load->mode == TileCopy_Async && load->consumers && load->isFactor;
    for (int c = 0; load->mode == TileCopy_Async && c <= s->step && c <= p->depth; ++c)
      if (load->consumers >> c & 1 && (pending < 0 || c - load->stage - 1 < pending))
        pending = c - load->stage - 1;
  }
  if (pending >= 0) {
    tileGPUAsyncWaitOpCreate(p->b, s->loc, tileI32Attr(p->context, pending));
    if (factors)
      tileGPUFenceAsyncOpCreate(p->b, s->loc, 0, NULL);
    mlirOperationSetDiscardableAttributeByName(tileBarrierOpCreate(p->b, s->loc).op,
                                               tileStr("tile_gpu.shared_only"), mlirUnitAttrGet(p->context));
  }
  return any;
}

void tilePipelineEmitStep(TileExpansionStep *s) {
  TilePipeline *p = s->p;
  bool hasCopies = waitForCopies(s);
  for (int stage = p->depth - 1; stage >= 0; --stage)
    if (stage <= s->step)
      emitSlice(s, stage);
  if (hasCopies)
    tileGPUAsyncCommitOpCreate(p->b, s->loc);
  if (s->isBody)
    emitSlice(s, p->depth);
  startRegisters(s, true); /* tile-interleave-products moves them up */
  storeStaged(s);
  startRegisters(s, false);
  for (int stage = 0; stage <= p->depth; ++stage)
    if (stage < p->depth ? stage <= s->step : s->isBody)
      advance(s, stage);
}
