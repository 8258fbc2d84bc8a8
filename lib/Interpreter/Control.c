/* Control.c - structured control flow, branches and calls become copies and jumps.
 *
 * A loop's carried values have slots of their own, which the initial values and then each iteration's results
 * are copied to; the loop's results are those same slots. A call is its function's body in place of it. */
#include "Decode.h"
#include "tile-c/Dialect/CF.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/SCF.h"

// ---- Moves and jumps ----

static bool runMove(Machine *m, const Instruction *i) {
  for (int k = 0; k < i->numOperands; ++k)
    memmove(i->results[k]->data, i->operands[k]->data, (size_t)i->results[k]->count * i->results[k]->size);
  return true;
}

/// A destination is also a later source: everything goes through the scratch memory.
static bool runMoveOverlapping(Machine *m, const Instruction *i) {
  char *to = m->scratch;
  for (int k = 0; k < i->numOperands; ++k) {
    size_t bytes = (size_t)i->results[k]->count * i->results[k]->size;
    memcpy(to, i->operands[k]->data, bytes);
    to += bytes;
  }
  const char *from = m->scratch;
  for (int k = 0; k < i->numOperands; ++k) {
    size_t bytes = (size_t)i->results[k]->count * i->results[k]->size;
    memcpy(i->results[k]->data, from, bytes);
    from += bytes;
  }
  return true;
}

bool interpEmitMove(Decoder *d, MlirOperation op, int count, Slot *const *sources,
                    Slot *const *destinations) {
  if (!count)
    return true;
  Instruction *i = interpEmit(d, op, runMove, count, count);
  size_t bytes = 0;
  for (int k = 0; k < count; ++k) {
    i->operands[k] = sources[k], i->results[k] = destinations[k];
    bytes += (size_t)destinations[k]->count * destinations[k]->size;
    interpMergeOrigins(d, destinations[k], sources[k]);
    for (int j = 0; j < k; ++j)
      if (destinations[j]->data == sources[k]->data && destinations[j] != destinations[k])
        i->execute = runMoveOverlapping;
  }
  if (i->execute == runMoveOverlapping && bytes > d->scratchBytes)
    d->scratchBytes = bytes;
  return true;
}

static bool runJump(Machine *m, const Instruction *i) {
  m->next = i->target;
  return true;
}

static bool runJumpIfFalse(Machine *m, const Instruction *i) {
  if (!i->operands[0]->data[0])
    m->next = i->target;
  return true;
}

Instruction *interpEmitJump(Decoder *d, MlirOperation op, Slot *condition) {
  Instruction *i = interpEmit(d, op, condition ? runJumpIfFalse : runJump, condition != NULL, 0);
  if (condition)
    i->operands[0] = condition;
  return i;
}

/// Slots of operands [first, first + count) of an op; NULL after a diagnostic.
static Slot **usesOf(Decoder *d, MlirOperation op, intptr_t first, intptr_t count) {
  Slot **slots = tileArenaAlloc(&d->arena, (size_t)count + 1, sizeof *slots);
  for (intptr_t k = 0; k < count; ++k)
    if (!(slots[k] = interpUse(d, op, mlirOperationGetOperand(op, first + k))))
      return NULL;
  return slots;
}

/// New slots for all results of an op; NULL after a diagnostic.
static Slot **resultsOf(Decoder *d, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  Slot **slots = tileArenaAlloc(&d->arena, (size_t)count + 1, sizeof *slots);
  for (intptr_t k = 0; k < count; ++k)
    if (!(slots[k] = interpResultSlot(d, op, k)))
      return NULL;
  return slots;
}

/// New slots for the arguments of a block, from `first`; NULL after a diagnostic.
static Slot **argumentsOf(Decoder *d, MlirOperation op, MlirBlock block, intptr_t first) {
  intptr_t count = mlirBlockGetNumArguments(block) - first;
  Slot **slots = tileArenaAlloc(&d->arena, (size_t)(count > 0 ? count : 0) + 1, sizeof *slots);
  for (intptr_t k = 0; k < count; ++k) {
    MlirValue argument = mlirBlockGetArgument(block, first + k);
    if (!(slots[k] = interpNewSlot(d, op, mlirValueGetType(argument))))
      return NULL;
    interpBind(d, argument, slots[k]);
  }
  return slots;
}

// ---- scf.for ----

/// operands: lower, upper, step; results: induction variable, iterations left. Jumps over the loop if there
/// is none.
static bool runForBegin(Machine *m, const Instruction *i) {
  const Slot *lowerSlot = i->operands[0];
  int64_t lower = tileIntLoad(lowerSlot->type, lowerSlot->data, 0);
  int64_t upper = tileIntLoad(lowerSlot->type, i->operands[1]->data, 0);
  int64_t step = tileIntLoad(lowerSlot->type, i->operands[2]->data, 0);
  unsigned bits = tileElementTypeBits(lowerSlot->type);
  bool isUnsigned = i->parameter;
  if (isUnsigned ? step == 0 : step <= 0)
    return interpError(m, i, "got a step of %lld, expected a positive one", (long long)step);
  uint64_t stride = tileUnsigned(step, bits);
  bool any = isUnsigned ? tileUnsigned(lower, bits) < tileUnsigned(upper, bits) : lower < upper;
  uint64_t span = tileUnsigned((int64_t)((uint64_t)upper - (uint64_t)lower), bits);
  uint64_t trips = any ? (span - 1) / stride + 1 : 0;
  memcpy(i->results[1]->data, &trips, sizeof trips);
  tileIntStore(i->results[0]->type, i->results[0]->data, 0, lower);
  if (!trips)
    m->next = i->target;
  return true;
}

/// operands: step; results: induction variable, iterations left. Jumps to the body while there are some.
static bool runForNext(Machine *m, const Instruction *i) {
  uint64_t *left = (uint64_t *)i->results[1]->data;
  if (--*left == 0)
    return true;
  Slot *variable = i->results[0];
  uint64_t next = (uint64_t)tileIntLoad(variable->type, variable->data, 0) +
                  (uint64_t)tileIntLoad(variable->type, i->operands[0]->data, 0);
  tileIntStore(variable->type, variable->data, 0, (int64_t)next);
  m->next = i->target;
  return true;
}

bool interpDecodeFor(Decoder *d, MlirOperation op) {
  SCFForOp loop = scfForOpCast(op);
  intptr_t carried = mlirOperationGetNumResults(op);
  MlirBlock block = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  Slot **bounds = usesOf(d, op, 0, 3), **inits = bounds ? usesOf(d, op, 3, carried) : NULL;
  Slot **arguments = inits ? argumentsOf(d, op, block, 0) : NULL;
  Slot *left = arguments ? interpNewSlot(d, op, mlirIntegerTypeGet(mlirOperationGetContext(op), 64)) : NULL;
  if (!left || !interpEmitMove(d, op, (int)carried, inits, arguments + 1))
    return false;
  for (intptr_t k = 0; k < carried; ++k)
    interpBind(d, mlirOperationGetResult(op, k), arguments[1 + k]);
  Instruction *begin = interpEmit(d, op, runForBegin, 3, 2);
  memcpy(begin->operands, bounds, 3 * sizeof *bounds);
  begin->results[0] = arguments[0], begin->results[1] = left;
  begin->parameter = scfForOpGetUnsignedCmp(loop);
  int top = d->numCode;
  Slot **yields = tileArenaAlloc(&d->arena, (size_t)carried + 1, sizeof *yields);
  if (!interpDecodeRegion(d, scfForOpGetRegion(loop), yields, carried) ||
      !interpEmitMove(d, op, (int)carried, yields, arguments + 1))
    return false;
  Instruction *next = interpEmit(d, op, runForNext, 1, 2);
  next->operands[0] = bounds[2];
  next->results[0] = arguments[0], next->results[1] = left;
  next->target = top;
  begin->target = d->numCode;
  return true;
}

// ---- scf.while ----

bool interpDecodeWhile(Decoder *d, MlirOperation op) {
  SCFWhileOp loop = scfWhileOpCast(op);
  MlirBlock before = mlirRegionGetFirstBlock(scfWhileOpGetBefore(loop));
  MlirBlock after = mlirRegionGetFirstBlock(scfWhileOpGetAfter(loop));
  intptr_t numInits = mlirOperationGetNumOperands(op), numResults = mlirOperationGetNumResults(op);
  Slot **inits = usesOf(d, op, 0, numInits), **arguments = inits ? argumentsOf(d, op, before, 0) : NULL;
  Slot **forwarded = arguments ? argumentsOf(d, op, after, 0) : NULL; // what the condition passes on
  if (!forwarded || !interpEmitMove(d, op, (int)numInits, inits, arguments))
    return false;
  for (intptr_t k = 0; k < numResults; ++k)
    interpBind(d, mlirOperationGetResult(op, k), forwarded[k]);
  int top = d->numCode;
  MlirOperation condition = interpDecodeBlock(d, before);
  if (!condition.ptr)
    return false;
  if (tileOpKind(condition) != TileOp_SCF_Condition)
    return interpRefuse(condition, "ends the first region of a while loop, expected 'scf.condition'");
  Slot **passed = usesOf(d, condition, 0, 1 + numResults);
  if (!passed || !interpEmitMove(d, condition, (int)numResults, passed + 1, forwarded))
    return false;
  Instruction *leave = interpEmitJump(d, condition, passed[0]);
  Slot **yields = tileArenaAlloc(&d->arena, (size_t)numInits + 1, sizeof *yields);
  if (!interpDecodeRegion(d, scfWhileOpGetAfter(loop), yields, numInits) ||
      !interpEmitMove(d, op, (int)numInits, yields, arguments))
    return false;
  if (interpMayWait(d, op))
    interpEmitRound(d, op);
  interpEmitJump(d, op, NULL)->target = top;
  leave->target = d->numCode;
  return true;
}

// ---- Branches of one op ----

/// A region whose results go to `results`; an empty one gives none.
static bool decodeArm(Decoder *d, MlirOperation op, MlirRegion region, Slot *const *results) {
  intptr_t count = mlirOperationGetNumResults(op);
  if (!mlirRegionGetFirstBlock(region).ptr)
    return true;
  Slot **yields = tileArenaAlloc(&d->arena, (size_t)count + 1, sizeof *yields);
  return interpDecodeRegion(d, region, yields, count) && interpEmitMove(d, op, (int)count, yields, results);
}

bool interpDecodeIf(Decoder *d, MlirOperation op) {
  SCFIfOp branch = scfIfOpCast(op);
  Slot **results = resultsOf(d, op),
       *condition = results ? interpUse(d, op, scfIfOpGetCondition(branch)) : NULL;
  if (!condition)
    return false;
  Instruction *toElse = interpEmitJump(d, op, condition);
  if (!decodeArm(d, op, scfIfOpGetThenRegion(branch), results))
    return false;
  Instruction *toEnd = interpEmitJump(d, op, NULL);
  toElse->target = d->numCode;
  if (!decodeArm(d, op, scfIfOpGetElseRegion(branch), results))
    return false;
  toEnd->target = d->numCode;
  return true;
}

/// operands: the value; data: the case's value. Jumps unless they are equal.
static bool runJumpUnlessCase(Machine *m, const Instruction *i) {
  if (tileIntLoad(i->operands[0]->type, i->operands[0]->data, 0) != *(const int64_t *)i->data)
    m->next = i->target;
  return true;
}

static Instruction *emitCaseJump(Decoder *d, MlirOperation op, Slot *value, int64_t caseValue) {
  Instruction *i = interpEmit(d, op, runJumpUnlessCase, 1, 0);
  int64_t *data = tileArenaAlloc(&d->arena, 1, sizeof *data);
  *data = caseValue;
  i->operands[0] = value;
  i->data = data;
  return i;
}

bool interpDecodeIndexSwitch(Decoder *d, MlirOperation op) {
  SCFIndexSwitchOp choice = scfIndexSwitchOpCast(op);
  intptr_t numCases = scfIndexSwitchOpGetNumCases(choice);
  Slot **results = resultsOf(d, op),
       *value = results ? interpUse(d, op, scfIndexSwitchOpGetArg(choice)) : NULL;
  if (!value)
    return false;
  Instruction **toEnd = tileArenaAlloc(&d->arena, (size_t)numCases + 1, sizeof *toEnd);
  for (intptr_t k = 0; k < numCases; ++k) {
    Instruction *skip = emitCaseJump(d, op, value, scfIndexSwitchOpGetCases(choice, k));
    if (!decodeArm(d, op, scfIndexSwitchOpGetCaseRegions(choice, k), results))
      return false;
    toEnd[k] = interpEmitJump(d, op, NULL);
    skip->target = d->numCode;
  }
  if (!decodeArm(d, op, scfIndexSwitchOpGetDefaultRegion(choice), results))
    return false;
  for (intptr_t k = 0; k < numCases; ++k)
    toEnd[k]->target = d->numCode;
  return true;
}

bool interpDecodeExecuteRegion(Decoder *d, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  Slot **results = tileArenaAlloc(&d->arena, (size_t)count + 1, sizeof *results);
  if (!interpDecodeRegion(d, mlirOperationGetRegion(op, 0), results, count))
    return false;
  for (intptr_t k = 0; k < count; ++k)
    interpBind(d, mlirOperationGetResult(op, k), results[k]);
  return true;
}

// ---- Several blocks ----

/// A jump whose target is the begin of a block not decoded yet.
typedef struct Fixup {
  Instruction *jump;
  MlirBlock block;
  struct Fixup *next;
} Fixup;

typedef struct Graph {
  Decoder *d;
  TilePointerMap begins; ///< block to its first instruction, plus one
  Fixup *fixups;
  Slot **results; ///< where returns go
  intptr_t numResults;
  Fixup *returns;
} Graph;

static void addFixup(Graph *g, Fixup **list, Instruction *jump, MlirBlock block) {
  Fixup *fixup = tileArenaAlloc(&g->d->arena, 1, sizeof *fixup);
  *fixup = (Fixup){jump, block, *list};
  *list = fixup;
}

/// Copies operands [first, ..) of `op` to the block's arguments and jumps there.
static bool branchTo(Graph *g, MlirOperation op, MlirBlock block, intptr_t first) {
  intptr_t count = mlirBlockGetNumArguments(block);
  Slot **sources = usesOf(g->d, op, first, count);
  Slot **destinations = tileArenaAlloc(&g->d->arena, (size_t)count + 1, sizeof *destinations);
  if (!sources)
    return false;
  for (intptr_t k = 0; k < count; ++k)
    destinations[k] = interpUse(g->d, op, mlirBlockGetArgument(block, k));
  interpEmitMove(g->d, op, (int)count, sources, destinations);
  if (tilePointerMapFind(&g->begins, block.ptr) && interpMayWait(g->d, mlirOperationGetParentOperation(op)))
    interpEmitRound(g->d, op);
  addFixup(g, &g->fixups, interpEmitJump(g->d, op, NULL), block);
  return true;
}

static bool decodeCondBranch(Graph *g, MlirOperation op) {
  CFCondBranchOp branch = cfCondBranchOpCast(op);
  Slot *condition = interpUse(g->d, op, cfCondBranchOpGetCondition(branch));
  if (!condition)
    return false;
  Instruction *toFalse = interpEmitJump(g->d, op, condition);
  if (!branchTo(g, op, cfCondBranchOpGetTrueDest(branch), 1))
    return false;
  toFalse->target = g->d->numCode;
  return branchTo(g, op, cfCondBranchOpGetFalseDest(branch),
                  1 + cfCondBranchOpGetNumTrueDestOperands(branch));
}

static bool decodeSwitch(Graph *g, MlirOperation op) {
  CFSwitchOp choice = cfSwitchOpCast(op);
  Slot *flag = interpUse(g->d, op, cfSwitchOpGetFlag(choice));
  if (!flag)
    return false;
  intptr_t first = 1 + mlirBlockGetNumArguments(cfSwitchOpGetDefaultDestination(choice));
  MlirAttribute values = mlirOperationGetInherentAttributeByName(op, tileStr("case_values"));
  for (intptr_t k = 0; k + 1 < mlirOperationGetNumSuccessors(op); ++k) {
    MlirBlock block = cfSwitchOpGetCaseDestinations(choice, k);
    int64_t value =
        tileIntegerAttrValue(mlirDenseElementsAttrIsSplat(values)
                                 ? mlirDenseElementsAttrGetSplatValue(values)
                                 : mlirElementsAttrGetValue(values, 1, (uint64_t[]){(uint64_t)k}));
    Instruction *skip = emitCaseJump(g->d, op, flag, value);
    if (!branchTo(g, op, block, first))
      return false;
    first += mlirBlockGetNumArguments(block);
    skip->target = g->d->numCode;
  }
  return branchTo(g, op, cfSwitchOpGetDefaultDestination(choice), 1);
}

static bool runUnreachable(Machine *m, const Instruction *i) { return interpError(m, i, "is reached"); }

static bool decodeTerminator(Graph *g, MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_CF_Branch:
    return branchTo(g, op, cfBranchOpGetDest(cfBranchOpCast(op)), 0);
  case TileOp_CF_CondBranch:
    return decodeCondBranch(g, op);
  case TileOp_CF_Switch:
    return decodeSwitch(g, op);
  case TileOp_UB_Unreachable:
    return interpEmit(g->d, op, runUnreachable, 0, 0) != NULL;
  case TileOp_Func_Return:
  case TileOp_SCF_Yield:
  case TileOp_Tile_Yield: {
    Slot **values = usesOf(g->d, op, 0, g->numResults);
    if (!values)
      return false;
    interpEmitMove(g->d, op, (int)g->numResults, values, g->results);
    addFixup(g, &g->returns, interpEmitJump(g->d, op, NULL), (MlirBlock){NULL});
    return true;
  }
  default:
    return interpRefuse(op, "the cpu device does not support this terminator");
  }
}

/// The result types of a region of several blocks: those of its first return.
static bool makeReturnSlots(Graph *g, MlirRegion region) {
  for (MlirBlock b = mlirRegionGetFirstBlock(region); b.ptr; b = mlirBlockGetNextInRegion(b)) {
    MlirOperation end = mlirBlockGetTerminator(b);
    if (mlirOperationGetNumSuccessors(end) || tileOpKind(end) == TileOp_UB_Unreachable)
      continue;
    for (intptr_t k = 0; k < g->numResults; ++k)
      if (!(g->results[k] = interpNewSlot(g->d, end, mlirValueGetType(mlirOperationGetOperand(end, k)))))
        return false;
    return true;
  }
  return true;
}

static bool decodeGraph(Decoder *d, MlirRegion region, Slot **out_results, intptr_t numResults) {
  Graph g = {d, {&d->arena, NULL, 0, 0}, NULL, out_results, numResults, NULL};
  if (!makeReturnSlots(&g, region))
    return false;
  MlirBlock first = mlirRegionGetFirstBlock(region);
  for (MlirBlock b = mlirBlockGetNextInRegion(first); b.ptr; b = mlirBlockGetNextInRegion(b))
    if (!argumentsOf(d, mlirBlockGetTerminator(b), b, 0))
      return false;
  for (MlirBlock b = first; b.ptr; b = mlirBlockGetNextInRegion(b)) {
    tilePointerMapSet(&g.begins, b.ptr, (void *)(intptr_t)(d->numCode + 1));
    MlirOperation end = interpDecodeBlock(d, b);
    if (!end.ptr || !decodeTerminator(&g, end))
      return false;
  }
  for (Fixup *f = g.fixups; f; f = f->next)
    f->jump->target = (int)(intptr_t)tilePointerMapFind(&g.begins, f->block.ptr) - 1;
  for (Fixup *f = g.returns; f; f = f->next)
    f->jump->target = d->numCode;
  return true;
}

bool interpDecodeRegion(Decoder *d, MlirRegion region, Slot **out_results, intptr_t numResults) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (mlirBlockGetNextInRegion(block).ptr)
    return decodeGraph(d, region, out_results, numResults);
  MlirOperation end = interpDecodeBlock(d, block);
  if (!end.ptr)
    return false;
  if (tileOpKind(end) == TileOp_UB_Unreachable)
    interpEmit(d, end, runUnreachable, 0, 0);
  for (intptr_t k = 0; k < numResults && k < mlirOperationGetNumOperands(end); ++k)
    if (!(out_results[k] = interpUse(d, end, mlirOperationGetOperand(end, k))))
      return false;
  return true;
}

// ---- Calls ----

enum { MAX_CALLS = 1 << 20 };

static MlirOperation findFunction(MlirModule module, MlirStringRef name) {
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func &&
        mlirStringRefEqual(funcFuncOpGetSymName(funcFuncOpCast(op)), name))
      return op;
  return (MlirOperation){NULL};
}

bool interpDecodeCall(Decoder *d, MlirOperation op) {
  MlirStringRef name = funcCallOpGetCallee(funcCallOpCast(op));
  MlirOperation callee = findFunction(d->module, name);
  MlirRegion region = callee.ptr ? funcFuncOpGetBody(funcFuncOpCast(callee)) : (MlirRegion){NULL};
  MlirBlock entry = callee.ptr ? mlirRegionGetFirstBlock(region) : (MlirBlock){NULL};
  if (!entry.ptr)
    return interpRefuse(op, "calls '%.*s', which has no body", (int)name.length, name.data);
  if (++d->numCalls > MAX_CALLS)
    return interpRefuse(op, "inlining gives more than %d calls", MAX_CALLS);
  for (const Frame *f = d->frame; f; f = f->caller)
    if (mlirOperationEqual(f->function, callee))
      return interpRefuse(op, "calls '%.*s' recursively, which is not supported", (int)name.length,
                          name.data);
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(entry); ++k) {
    Slot *argument = interpUse(d, op, mlirOperationGetOperand(op, k));
    if (!argument)
      return false;
    interpBind(d, mlirBlockGetArgument(entry, k), argument);
  }
  Frame frame = {callee, d->frame};
  d->frame = &frame;
  intptr_t count = mlirOperationGetNumResults(op);
  Slot **results = tileArenaAlloc(&d->arena, (size_t)count + 1, sizeof *results);
  bool ok = interpDecodeRegion(d, region, results, count);
  d->frame = frame.caller;
  for (intptr_t k = 0; ok && k < count; ++k)
    interpBind(d, mlirOperationGetResult(op, k), results[k]);
  return ok;
}
