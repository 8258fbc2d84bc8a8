/* Function.c - blocks of a function in an order in which values are defined before they are used; branches;
 * where lanes that part meet again. */
#include "Control.h"
#include "Decode.h"
#include "tile-c/Dialect/LLVM.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t numberOf(const SimDecoder *d, MlirBlock block) {
  return (uint32_t)((uintptr_t)tilePointerMapFind(&d->blocks, block.ptr) - 1);
}

// ---- Order ----

typedef struct Visit {
  MlirBlock block;
  intptr_t next; ///< successor
} Visit;

static MlirBlock successor(MlirBlock block, intptr_t k) {
  return mlirOperationGetSuccessor(mlirBlockGetTerminator(block), k);
}
static intptr_t numSuccessors(MlirBlock block) {
  return mlirOperationGetNumSuccessors(mlirBlockGetTerminator(block));
}

/// Numbers the reachable blocks in reverse post-order.
static void orderBlocks(SimDecoder *d, MlirBlock entry, uint32_t total) {
  Visit *stack = tileArenaAlloc(d->arena, total + 1, sizeof *stack);
  MlirBlock *postOrder = tileArenaAlloc(d->arena, total + 1, sizeof *postOrder);
  uint32_t depth = 0, count = 0;
  tilePointerMapSet(&d->blocks, entry.ptr, (void *)1);
  stack[depth++] = (Visit){entry, 0};
  while (depth) {
    Visit *top = &stack[depth - 1];
    if (top->next < numSuccessors(top->block)) {
      MlirBlock next = successor(top->block, top->next++);
      if (tilePointerMapFind(&d->blocks, next.ptr))
        continue;
      tilePointerMapSet(&d->blocks, next.ptr, (void *)1);
      stack[depth++] = (Visit){next, 0};
    } else {
      postOrder[count++] = top->block;
      --depth;
    }
  }
  d->order = tileArenaAlloc(d->arena, count + 1, sizeof *d->order);
  for (uint32_t k = 0; k < count; ++k) {
    d->order[k] = postOrder[count - 1 - k];
    tilePointerMapSet(&d->blocks, d->order[k].ptr, (void *)(uintptr_t)(k + 1));
  }
  d->program->numBlocks = count;
  d->program->blocks = tileArenaAlloc(d->arena, count, sizeof *d->program->blocks);
}

// ---- Meeting points ----

/// Nearest common ancestor in the post-dominator tree; `rank` grows towards the exit.
static uint32_t intersect(const uint32_t *parent, const uint32_t *rank, uint32_t a, uint32_t b) {
  while (a != b) {
    while (rank[a] < rank[b])
      a = parent[a];
    while (rank[b] < rank[a])
      b = parent[b];
  }
  return a;
}

/// Post-order from the exit (number `exit`) against the edges; blocks that never get there come last.
static uint32_t backwardOrder(const SimDecoder *d, uint32_t exit, uint32_t *order) {
  const uint32_t n = exit;
  uint32_t count = 0;
  bool *seen = tileArenaAlloc(d->arena, n + 1, sizeof *seen), changed = true;
  order[count++] = exit;
  seen[exit] = true;
  while (changed) { // breadth first from the exit: any order of discovery will do
    changed = false;
    for (uint32_t k = n; k-- > 0;) {
      bool reaches = !seen[k] && !numSuccessors(d->order[k]);
      for (intptr_t s = 0; !seen[k] && !reaches && s < numSuccessors(d->order[k]); ++s)
        reaches = seen[numberOf(d, successor(d->order[k], s))];
      if (!reaches)
        continue;
      seen[k] = changed = true;
      order[count++] = k;
    }
  }
  return count;
}

/// Immediate post-dominators by iteration (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm").
static void findMeetings(SimDecoder *d) {
  const uint32_t n = d->program->numBlocks, exit = n;
  uint32_t *order = tileArenaAlloc(d->arena, n + 1, sizeof *order);
  uint32_t *rank = tileArenaAlloc(d->arena, n + 1, sizeof *rank);
  uint32_t *parent = tileArenaAlloc(d->arena, n + 1, sizeof *parent);
  const uint32_t count = backwardOrder(d, exit, order);
  for (uint32_t k = 0; k <= n; ++k)
    parent[k] = SIM_NO_BLOCK;
  for (uint32_t k = 0; k < count; ++k)
    rank[order[k]] = n - k;
  parent[exit] = exit;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 1; k < count; ++k) {
      const uint32_t block = order[k];
      uint32_t meet = numSuccessors(d->order[block]) ? SIM_NO_BLOCK : exit;
      for (intptr_t s = 0; s < numSuccessors(d->order[block]); ++s) {
        const uint32_t next = numberOf(d, successor(d->order[block], s));
        if (parent[next] != SIM_NO_BLOCK)
          meet = meet == SIM_NO_BLOCK ? next : intersect(parent, rank, meet, next);
      }
      changed |= parent[block] != meet;
      parent[block] = meet;
    }
  }
  for (uint32_t k = 0; k < n; ++k)
    d->program->blocks[k].meet = parent[k] == exit ? SIM_NO_BLOCK : parent[k];
}

// ---- Branches ----

/// An edge to successor `to` that carries operands [first, first + n).
static bool fillEdge(SimDecoder *d, MlirOperation op, MlirBlock to, intptr_t first, intptr_t n,
                     SimEdge *edge) {
  uint32_t count = 0, capacity = 0;
  edge->block = numberOf(d, to);
  for (intptr_t k = 0; k < n; ++k)
    capacity += simUse(d, op, mlirBlockGetArgument(to, k))->type->count;
  SimMove *moves = tileArenaAlloc(d->arena, capacity + 1u, sizeof *moves);
  for (intptr_t k = 0; k < n; ++k) {
    const SimValue *from = simOperand(d, op, first + k), *into = simUse(d, op, mlirBlockGetArgument(to, k));
    if (!from)
      return false;
    for (uint32_t c = 0; c < from->type->count; ++c)
      if (from->slots[c] != into->slots[c])
        moves[count++] = (SimMove){from->slots[c], into->slots[c], from->type->scalars[c].log2Bytes};
  }
  for (uint32_t a = 0; a < count; ++a)
    for (uint32_t b = 0; b < count && !edge->overlapping; ++b)
      edge->overlapping = moves[a].to == moves[b].from;
  const uint64_t bytes = (uint64_t)count * d->program->lanes * 16;
  if (bytes > d->program->scratchBytes)
    d->program->scratchBytes = bytes;
  edge->moves = moves;
  edge->numMoves = count;
  return true;
}

static SimBranch *newBranch(SimDecoder *d, uint32_t numEdges) {
  SimBranch *branch = tileArenaAlloc(d->arena, 1, sizeof *branch);
  branch->edges = tileArenaAlloc(d->arena, numEdges, sizeof *branch->edges);
  branch->numEdges = numEdges;
  branch->block = d->block;
  return branch;
}

bool simDecodeBr(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  SimBranch *branch = newBranch(d, 1);
  if (!fillEdge(d, op, mlirOperationGetSuccessor(op, 0), 0, mlirOperationGetNumOperands(op),
                (SimEdge *)branch->edges))
    return false;
  simEmitEffect(d, simBranch)->data = branch;
  return true;
}

bool simDecodeCondBr(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  LLVMCondBrOp br = llvmCondBrOpCast(op);
  const intptr_t yes = llvmCondBrOpGetNumTrueDestOperands(br), no = llvmCondBrOpGetNumFalseDestOperands(br);
  SimBranch *branch = newBranch(d, 2);
  SimEdge *edges = (SimEdge *)branch->edges;
  const SimValue *condition = simOperand(d, op, 0);
  if (!condition || !fillEdge(d, op, llvmCondBrOpGetTrueDest(br), 1, yes, &edges[0]) ||
      !fillEdge(d, op, llvmCondBrOpGetFalseDest(br), 1 + yes, no, &edges[1]))
    return false;
  SimInsn *i = simEmitEffect(d, simCondBranch);
  i->a = condition->slots[0];
  i->data = branch;
  return true;
}

bool simDecodeSwitch(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  LLVMSwitchOp sw = llvmSwitchOpCast(op);
  const intptr_t n = llvmSwitchOpGetNumCaseDestinations(sw);
  const SimValue *selector = simOperand(d, op, 0);
  if (!selector || n + 1 > SIM_MAX_EDGES)
    return selector && simRefuse(op, "has %ld cases, expected at most %d", (long)n, SIM_MAX_EDGES - 1);
  SimBranch *branch = newBranch(d, (uint32_t)n + 1);
  SimEdge *edges = (SimEdge *)branch->edges;
  uint64_t *cases = tileArenaAlloc(d->arena, (size_t)n + 1, sizeof *cases);
  MlirAttribute values = mlirOperationGetAttributeByName(op, tileStr("case_values"));
  intptr_t first = 1 + llvmSwitchOpGetNumDefaultOperands(sw);
  if (!fillEdge(d, op, llvmSwitchOpGetDefaultDestination(sw), 1, first - 1, &edges[0]))
    return false;
  const unsigned bits = selector->type->scalars[0].bits;
  for (intptr_t k = 0; k < n; ++k) {
    MlirBlock to = llvmSwitchOpGetCaseDestinations(sw, k);
    const intptr_t carried = mlirBlockGetNumArguments(to);
    const bool splat = mlirDenseElementsAttrIsSplat(values);
    const int64_t value = splat        ? tileIntegerAttrValue(mlirDenseElementsAttrGetSplatValue(values))
                          : bits == 64 ? mlirDenseElementsAttrGetInt64Value(values, k)
                          : bits == 32 ? mlirDenseElementsAttrGetInt32Value(values, k)
                                       : mlirDenseElementsAttrGetInt8Value(values, k);
    cases[k] = tileUnsigned(value, bits);
    if (!fillEdge(d, op, to, first, carried, &edges[k + 1]))
      return false;
    first += carried;
  }
  branch->cases = cases;
  SimInsn *i = simEmitEffect(d, simSwitch);
  i->a = selector->slots[0];
  i->log2Bytes = selector->type->scalars[0].log2Bytes;
  i->data = branch;
  return true;
}

bool simDecodeReturn(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row, (void)op;
  simEmitEffect(d, simReturn);
  return true;
}

/// What the row says, and for the trap of an assertion its message.
bool simDecodeUnreachable(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const char *text = (const char *)(uintptr_t)row->param;
  const MlirAttribute message = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.assert"));
  if (!mlirAttributeIsNull(message) && mlirAttributeIsAString(message)) {
    const MlirStringRef value = mlirStringAttrGetValue(message);
    const size_t size = strlen(text) + value.length + 3;
    char *whole = tileArenaAlloc(d->arena, size, 1);
    snprintf(whole, size, "%s: %.*s", text, (int)value.length, value.data);
    text = whole;
  }
  simEmitEffect(d, simUnreachable)->data = text;
  return true;
}

// ---- The whole ----

static bool decodeOp(SimDecoder *d, MlirOperation op) {
  const SimRow *row = simRowOf(tileOpKind(op));
  if (!row || !row->decode)
    return simRefuse(op, "is not known to the simulator");
  SimProgram *p = d->program;
  if (p->numOps == d->opCapacity) {
    d->opCapacity = d->opCapacity ? 2 * d->opCapacity : 256;
    MlirOperation *grown = tileArenaAlloc(d->arena, d->opCapacity, sizeof *grown);
    if (p->numOps)
      memcpy(grown, d->ops, p->numOps * sizeof *grown);
    d->ops = grown;
  }
  d->op = p->numOps;
  d->ops[p->numOps++] = op;
  d->mix = row->mix;
  return row->decode(d, op, row);
}

static bool decodeBlock(SimDecoder *d, uint32_t number) {
  SimBlock *block = &d->program->blocks[number];
  block->first = d->program->numInsns;
  d->block = number;
  for (MlirOperation op = mlirBlockGetFirstOperation(d->order[number]); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (!decodeOp(d, op))
      return false;
  block->count = d->program->numInsns - block->first;
  return true;
}

/// Arguments of all blocks but the entry get slots: branches write them.
static bool defineArguments(SimDecoder *d) {
  for (uint32_t b = 1; b < d->program->numBlocks; ++b)
    for (intptr_t k = 0; k < mlirBlockGetNumArguments(d->order[b]); ++k) {
      MlirValue argument = mlirBlockGetArgument(d->order[b], k);
      const SimType *type = simTypeOf(d, d->function, mlirValueGetType(argument));
      if (!type)
        return false;
      simDefine(d, argument, type, simNewSlots(d, type));
    }
  return true;
}

bool simDecodeFunction(SimDecoder *d) {
  MlirRegion body = mlirOperationGetRegion(d->function, 0);
  MlirBlock entry = mlirRegionGetFirstBlock(body);
  uint32_t total = 0;
  for (MlirBlock b = entry; b.ptr; b = mlirBlockGetNextInRegion(b))
    ++total;
  if (!total)
    return simRefuse(d->function, "has no body");
  orderBlocks(d, entry, total);
  findMeetings(d);
  if (!defineArguments(d))
    return false;
  for (uint32_t b = 0; b < d->program->numBlocks; ++b)
    if (!decodeBlock(d, b))
      return false;
  if (d->program->regBytes > UINT32_MAX)
    return simRefuse(d->function, "needs %llu bytes of registers for one warp, more than the simulator has",
                     (unsigned long long)d->program->regBytes);
  return true;
}
