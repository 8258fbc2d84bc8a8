/* FarValues.c - after all passes over the IR of functions too long for LLVM's register allocator: blocks are cut into short
 * ones, and a value that is used in another block than its own waits in memory.
 *
 *     bb:                               bb.part:
 *       %a = load p                       %a = load p
 *       ...                               store %a, frame + 0
 *       %b = fadd %a, %c        to        br bb
 *                                       bb:
 *                                         %a.near = load frame + 0
 *                                         %b = fadd %a.near, %c
 *
 * Tensors larger than the register file make blocks of 100,000 instructions with thousands of values at a time.
 * LLVM's selection looks at all loads of a block for each of them, and its allocator for such code (a block at a time)
 * gives every value a place of its own in memory, more than a thread may have. Here places are shared: in the order of the
 * blocks a value needs its own from where it is made to its last use, to the end of the loops around that. Values that
 * are the same in all lanes are left alone, as they are few and would lose that property. */
#include "LLVMModule.h"
#include "tile-c/Support/PointerMap.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  /// Instructions of a function: the time of the register allocator of LLVM's AMD back end grows with their cube once
  /// values do not fit (17,000 take 80 s). No kernel whose tensors fit into registers is that long.
  ALLOCATION_LIMIT = 12000,
  PART = 400,          ///< instructions of a block
  ALWAYS_SHORT = 2000, ///< instructions of a function that LLVM gets by with, whatever waits
  /// What a thread has, of values that wait at a time: a softmax of 256 registers each of 512 threads took 12 s. LLVM 22
  /// also writes groups of 5 to 7 registers wrongly that lie across the first 4096 bytes of a thread's memory.
  TOO_MANY_TIMES = 3,
  /// The same beside matrix products: fragments that are put together count element by element, each alive for a few instructions, and
  /// tile-interleave-products has said where loads stand. 5,000 to 9,000 instructions with 780 to 3,300 such values took 1.3 times as
  /// long with LLVM's own allocation, and spilled a twentieth to a tenth.
  TOO_MANY_TIMES_BESIDE_PRODUCTS = 24,
  SHARED = 3, ///< address spaces
  PRIVATE = 5,
  WORD = 4 ///< bytes
};

/// An instruction in the order of the blocks.
typedef struct Value {
  LLVMValueRef value;
  uint32_t part;  ///< block after the cut
  uint32_t first; ///< position from which on it has its place
  uint32_t last;  ///< position of the last use
  uint32_t born;  ///< the next phi whose place is needed from the same position on, its position + 1
  uint32_t next;  ///< the next value that is used last at the same position, its position + 1
  uint32_t size;  ///< words in memory; 0: stays where it is
  uint32_t place;
  bool varies; ///< from lane to lane
  bool joins;  ///< a phi that becomes stores in the blocks before its own
  bool waits;  ///< is read from memory in its own part too
} Value;

typedef struct Loop {
  uint32_t first, last; ///< positions from a branch's target to the branch
} Loop;

typedef struct Far {
  TileArena arena;
  TilePointerMap positions; ///< instruction: position + 1
  TilePointerMap starts;    ///< block: position of its first instruction + 1
  Value *values;
  LLVMBasicBlockRef *blocks; ///< in an order with branches forward, but for loops
  Loop *loops;
  size_t numValues, numBlocks, numLoops;
  uint32_t words; ///< of all places
  LLVMValueRef frame;
  LLVMBuilderRef builder;
  LLVMTargetDataRef layout;
} Far;

static Value *valueOf(const Far *f, LLVMValueRef value) {
  intptr_t position = (intptr_t)tilePointerMapFind(&f->positions, value);
  return position ? &f->values[position - 1] : NULL;
}

static uint32_t positionOf(const Far *f, const Value *v) { return (uint32_t)(v - f->values); }

// ---- Order ----

typedef struct Step {
  LLVMBasicBlockRef block;
  unsigned next;
} Step;

/// Depth first; a block follows all that it leads to, read from the end.
static void orderBlocks(Far *f, LLVMValueRef function) {
  size_t count = LLVMCountBasicBlocks(function), depth = 0, place = count;
  TilePointerMap seen = {.arena = &f->arena};
  Step *stack = tileArenaAlloc(&f->arena, count, sizeof *stack);
  LLVMBasicBlockRef *blocks = tileArenaAlloc(&f->arena, count, sizeof *blocks);
  stack[depth++] = (Step){LLVMGetEntryBasicBlock(function), 0};
  tilePointerMapSet(&seen, stack->block, stack->block);
  while (depth) {
    Step *top = &stack[depth - 1];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
    if (top->next == LLVMGetNumSuccessors(end)) {
      blocks[--place] = top->block;
      --depth;
      continue;
    }
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, top->next++);
    if (tilePointerMapFind(&seen, next))
      continue;
    tilePointerMapSet(&seen, next, next);
    stack[depth++] = (Step){next, 0};
  }
  f->blocks = blocks + place;
  f->numBlocks = count - place;
}

/// Phis, and memory on the stack, which has to stay in the first block, are at a block's head.
static bool isHead(LLVMValueRef i) { return LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i); }

static void numberValues(Far *f) {
  size_t count = 0, next = 0;
  uint32_t part = 0;
  for (size_t b = 0; b < f->numBlocks; ++b)
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b]); i; i = LLVMGetNextInstruction(i))
      ++count;
  f->values = tileArenaAlloc(&f->arena, count, sizeof *f->values);
  for (size_t b = 0; b < f->numBlocks; ++b) {
    unsigned length = 0;
    ++part;
    tilePointerMapSet(&f->starts, f->blocks[b], (void *)(intptr_t)(next + 1));
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
      if (!isHead(i) && ++length > PART) {
        length = 1;
        ++part;
      }
      tilePointerMapSet(&f->positions, i, (void *)(intptr_t)(next + 1));
      f->values[next] = (Value){.value = i, .part = part, .first = (uint32_t)next, .last = (uint32_t)next};
      ++next;
    }
  }
  f->numValues = next;
}

static void findLoops(Far *f) {
  size_t capacity = 0;
  for (size_t b = 0; b < f->numBlocks; ++b)
    capacity += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(f->blocks[b]));
  f->loops = tileArenaAlloc(&f->arena, capacity, sizeof *f->loops);
  for (size_t b = 0; b < f->numBlocks; ++b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks[b]);
    uint32_t last = positionOf(f, valueOf(f, end));
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); ++i) {
      uint32_t first = (uint32_t)(intptr_t)tilePointerMapFind(&f->starts, LLVMGetSuccessor(end, i)) - 1;
      if (first <= last)
        f->loops[f->numLoops++] = (Loop){first, last};
    }
  }
}

// ---- Which values wait in memory ----

/// What is the same in all lanes whatever its operands are.
static bool isUniformCall(LLVMValueRef i) {
  static const char *const names[] = {"llvm.amdgcn.readfirstlane", "llvm.amdgcn.readlane",
                                      "llvm.amdgcn.workgroup.id",  "llvm.amdgcn.make.buffer.rsrc",
                                      "llvm.amdgcn.ballot",        "llvm.amdgcn.implicitarg",
                                      "llvm.amdgcn.kernarg",       "llvm.amdgcn.dispatch"};
  for (size_t n = 0; n < sizeof names / sizeof *names; ++n)
    if (tileCallsNamed(i, names[n]))
      return true;
  return false;
}

static bool operandVaries(const Far *f, LLVMValueRef i) {
  for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i); ++n) {
    const Value *operand = valueOf(f, LLVMGetOperand(i, n));
    if (operand && operand->varies)
      return true;
  }
  return false;
}

/// An estimate: LLVM finds out for itself what it may keep in scalar registers.
static bool varies(const Far *f, LLVMValueRef i) {
  return LLVMIsACallInst(i) ? !isUniformCall(i) : operandVaries(f, i);
}

/// Numbers, and pointers that are numbers; not resources of buffers.
static bool canWait(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type) <= 64;
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
    return true;
  case LLVMPointerTypeKind:
    return LLVMGetPointerAddressSpace(type) <= PRIVATE;
  case LLVMVectorTypeKind: {
    LLVMTypeRef element = LLVMGetElementType(type);
    return canWait(element) &&
           (LLVMGetTypeKind(element) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(element) >= 8);
  }
  default:
    return false;
  }
}

/// The type in memory: integers of odd widths, conditions above all, are widened.
static LLVMTypeRef memoryType(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
    return type;
  unsigned width = LLVMGetIntTypeWidth(type);
  if (width == 8 || width == 16 || width == 32 || width == 64)
    return type;
  return LLVMIntTypeInContext(LLVMGetTypeContext(type), width <= 32 ? 32 : 64);
}

static uint32_t wordsOf(const Far *f, LLVMTypeRef type) {
  return (uint32_t)((LLVMABISizeOfType(f->layout, memoryType(type)) + WORD - 1) / WORD);
}

/// The instruction at which operand `n` of `i` is read: for a phi the end of the block it comes from.
static LLVMValueRef readerOf(LLVMValueRef i, unsigned n) {
  return LLVMIsAPHINode(i) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(i, n)) : i;
}

static void noteUses(Far *f, LLVMValueRef i) {
  for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i); ++n) {
    Value *operand = valueOf(f, LLVMGetOperand(i, n));
    if (!operand)
      continue;
    const Value *reader = valueOf(f, readerOf(i, n));
    if (!reader)
      continue; // from a block that nothing leads to
    if (positionOf(f, reader) > operand->last)
      operand->last = positionOf(f, reader);
    LLVMTypeRef type = LLVMTypeOf(operand->value);
    if (reader->part != operand->part && operand->varies && !LLVMIsAAllocaInst(operand->value) &&
        canWait(type))
      operand->size = wordsOf(f, type);
  }
}

/// The parts of a tensor that two branches make are phis by the hundred, each of them a register across the blocks' edges.
/// Of a loop they stay, as they may read each other.
static void notePhi(Far *f, Value *phi) {
  uint32_t first = phi->first;
  for (unsigned n = 0; n < LLVMCountIncoming(phi->value); ++n) {
    const Value *end = valueOf(f, readerOf(phi->value, n));
    if (!end || positionOf(f, end) > phi->first)
      return;
    if (positionOf(f, end) < first)
      first = positionOf(f, end);
  }
  LLVMTypeRef type = LLVMTypeOf(phi->value);
  if (!phi->varies || !canWait(type))
    return;
  phi->first = first;
  phi->joins = phi->waits = true;
  phi->size = wordsOf(f, type);
}

/// A value from before a loop that is used in it is needed until the loop ends.
static void extendOverLoops(Far *f, Value *v) {
  for (bool grows = f->numLoops > 0; grows;) {
    grows = false;
    for (size_t l = 0; l < f->numLoops; ++l)
      if (v->first < f->loops[l].first && v->last >= f->loops[l].first && v->last < f->loops[l].last) {
        v->last = f->loops[l].last;
        grows = true;
      }
  }
}

/// What all lanes read at one place of shared memory comes in a vector register, and LLVM copies it to a scalar one if that
/// saves copies of what is computed from it, which it counts anew for each: sums of sums of warps, thousands in a
/// chain, took it minutes and gigabytes. From a thread's own memory it counts as different.
static void noteSharedRead(Far *f, Value *v) {
  if (v->varies || !LLVMIsALoadInst(v->value) || !canWait(LLVMTypeOf(v->value)) ||
      LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v->value, 0))) != SHARED)
    return;
  v->varies = v->waits = true;
  v->size = wordsOf(f, LLVMTypeOf(v->value));
}

static void chooseValues(Far *f) {
  for (size_t i = 0; i < f->numValues; ++i) {
    f->values[i].varies = varies(f, f->values[i].value);
    noteSharedRead(f, &f->values[i]);
  }
  for (size_t i = 0; i < f->numValues; ++i) {
    noteUses(f, f->values[i].value);
    if (LLVMIsAPHINode(f->values[i].value))
      notePhi(f, &f->values[i]);
  }
  for (size_t i = 0; i < f->numValues; ++i)
    if (f->values[i].size)
      extendOverLoops(f, &f->values[i]);
}

// ---- Places ----

/// Free places of one size, as a stack.
typedef struct Free {
  uint32_t *places;
  size_t count;
} Free;

enum { SIZES = 65 }; ///< words; what is larger has places of its own

static void freePlaces(Far *f, Free *unused, uint32_t *dying, size_t position) {
  for (uint32_t d = dying[position]; d; d = f->values[d - 1].next) {
    const Value *v = &f->values[d - 1];
    if (v->size < SIZES)
      unused[v->size].places[unused[v->size].count++] = v->place;
  }
}

static void assignPlace(Far *f, Free *unused, uint32_t *dying, Value *v) {
  if (v->size < SIZES && unused[v->size].count) {
    v->place = unused[v->size].places[--unused[v->size].count];
  } else {
    v->place = f->words;
    f->words += v->size;
  }
  v->next = dying[v->last];
  dying[v->last] = positionOf(f, v) + 1;
}

static void prepareFree(Far *f, Free *unused) {
  size_t counts[SIZES] = {0};
  for (size_t i = 0; i < f->numValues; ++i)
    if (f->values[i].size < SIZES)
      ++counts[f->values[i].size];
  for (size_t s = 0; s < SIZES; ++s)
    unused[s] = (Free){s && counts[s] ? tileArenaAlloc(&f->arena, counts[s], sizeof(uint32_t)) : NULL, 0};
}

/// A phi's place is written where others are read for the last time, one after the other: it is not one of theirs. An
/// instruction's result is written when its operands have been read.
static void assignPlaces(Far *f) {
  Free unused[SIZES];
  prepareFree(f, unused);
  uint32_t *dying = tileArenaAlloc(&f->arena, f->numValues, sizeof *dying);
  uint32_t *born = tileArenaAlloc(&f->arena, f->numValues, sizeof *born);
  for (size_t i = 0; i < f->numValues; ++i)
    if (f->values[i].joins) {
      f->values[i].born = born[f->values[i].first];
      born[f->values[i].first] = (uint32_t)i + 1;
    }
  for (size_t i = 0; i < f->numValues; ++i) {
    for (uint32_t n = born[i]; n; n = f->values[n - 1].born)
      assignPlace(f, unused, dying, &f->values[n - 1]);
    freePlaces(f, unused, dying, i);
    if (f->values[i].size && !f->values[i].joins)
      assignPlace(f, unused, dying, &f->values[i]);
  }
}

// ---- Rewriting ----

static LLVMValueRef addressOf(Far *f, const Value *v) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(v->value));
  LLVMTypeRef word = LLVMInt32TypeInContext(context);
  LLVMValueRef offset = LLVMConstInt(word, v->place, false);
  return LLVMBuildInBoundsGEP2(f->builder, word, f->frame, &offset, 1, "");
}

static LLVMValueRef buildReload(Far *f, const Value *v, LLVMValueRef before) {
  LLVMPositionBuilderBefore(f->builder, before);
  LLVMTypeRef type = LLVMTypeOf(v->value), stored = memoryType(type);
  LLVMValueRef load = LLVMBuildLoad2(f->builder, stored, addressOf(f, v), "near");
  LLVMSetAlignment(load, WORD);
  return stored == type ? load : LLVMBuildTrunc(f->builder, load, type, "near");
}

static void buildStore(Far *f, const Value *v, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(v->value), stored = memoryType(type);
  if (stored != type)
    value = LLVMBuildZExt(f->builder, value, stored, "");
  LLVMSetAlignment(LLVMBuildStore(f->builder, value, addressOf(f, v)), WORD);
}

/// Behind the value, in the same part.
static void storeValue(Far *f, const Value *v) {
  LLVMValueRef behind = LLVMGetNextInstruction(v->value);
  while (isHead(behind))
    behind = LLVMGetNextInstruction(behind);
  LLVMValueRef front = LLVMGetPreviousInstruction(behind);
  LLVMPositionBuilderBefore(f->builder, behind);
  buildStore(f, v, v->value);
  for (LLVMValueRef i = LLVMGetNextInstruction(front); i != behind; i = LLVMGetNextInstruction(i))
    tilePointerMapSet(&f->positions, i, (void *)(intptr_t)(positionOf(f, v) + 1));
}

/// The value to read in operand `n`'s stead, if it waits in memory.
static LLVMValueRef reloadOperand(Far *f, TilePointerMap *near, const Value *user, unsigned n) {
  LLVMValueRef value = LLVMGetOperand(user->value, n);
  const Value *operand = valueOf(f, value);
  LLVMValueRef reader = readerOf(user->value, n);
  const Value *place = valueOf(f, reader);
  if (!operand || !operand->size || !place || (place->part == operand->part && !operand->waits))
    return value;
  if (LLVMIsAPHINode(user->value))
    return buildReload(f, operand, reader);
  LLVMValueRef reload = tilePointerMapFind(near, value);
  if (!reload) {
    reload = buildReload(f, operand, reader);
    tilePointerMapSet(near, value, reload);
  }
  return reload;
}

static void rewriteOperands(Far *f, TilePointerMap *near, const Value *user) {
  for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(user->value); ++n) {
    LLVMValueRef value = reloadOperand(f, near, user, n);
    if (user->joins) {
      LLVMPositionBuilderBefore(f->builder, readerOf(user->value, n));
      buildStore(f, user, value);
    } else if (value != LLVMGetOperand(user->value, n)) {
      LLVMSetOperand(user->value, n, value);
    }
  }
}

static void rewriteValues(Far *f) {
  TilePointerMap near = {.arena = &f->arena};
  for (size_t i = 0; i < f->numValues; ++i) {
    if (i && f->values[i].part != f->values[i - 1].part)
      near = (TilePointerMap){.arena = &f->arena};
    rewriteOperands(f, &near, &f->values[i]);
  }
  for (size_t i = 0; i < f->numValues; ++i)
    if (f->values[i].size && !f->values[i].joins)
      storeValue(f, &f->values[i]);
  for (size_t i = 0; i < f->numValues;
       ++i) // when no instruction can take their place in `positions` any more
    if (f->values[i].joins)
      LLVMInstructionEraseFromParent(f->values[i].value);
}

static void makeFrame(Far *f, LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMPositionBuilderBefore(f->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMTypeRef words = LLVMArrayType2(LLVMInt32TypeInContext(context), f->words);
  f->frame = LLVMBuildAlloca(f->builder, words, "far");
  LLVMSetAlignment(f->frame, 4 * WORD);
}

/// Part of the instruction, or of the one that what was put in front of it belongs to.
static uint32_t partOf(const Far *f, LLVMValueRef i) {
  const Value *v = valueOf(f, i);
  for (; !v; v = valueOf(f, i))
    i = LLVMGetNextInstruction(i);
  return v->part;
}

/// Moves instructions from the block's start up to `end` into a new block in front.
static LLVMBasicBlockRef cutFront(Far *f, LLVMBasicBlockRef block, LLVMValueRef end) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(block)));
  LLVMBasicBlockRef front = LLVMInsertBasicBlockInContext(context, block, "part");
  LLVMPositionBuilderAtEnd(f->builder, front);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end; i = LLVMGetFirstInstruction(block)) {
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(f->builder, i);
  }
  return front;
}

/// The block itself stays the last part, which the phis of its successors name; what leads to it leads to the first.
static void cutBlock(Far *f, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  uint32_t part = partOf(f, LLVMGetFirstInstruction(block)), last = partOf(f, end);
  if (part == last)
    return;
  LLVMBasicBlockRef previous = NULL;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); part != last; i = LLVMGetNextInstruction(i)) {
    if (partOf(f, i) == part)
      continue;
    part = partOf(f, i);
    LLVMBasicBlockRef front = cutFront(f, block, i);
    if (previous) {
      LLVMPositionBuilderAtEnd(f->builder, previous);
      LLVMBuildBr(f->builder, front);
    } else {
      // Without its end the block has no successors whose phis would be changed as well.
      LLVMInstructionRemoveFromParent(end);
      LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(front));
      LLVMPositionBuilderAtEnd(f->builder, block);
      LLVMInsertIntoBuilder(f->builder, end);
    }
    previous = front;
  }
  LLVMPositionBuilderAtEnd(f->builder, previous);
  LLVMBuildBr(f->builder, block);
}

/// The most words that wait for a use at a time, registers in other words, without what is the same in all lanes.
static uint32_t mostLive(Far *f) {
  uint32_t *ends = tileArenaAlloc(&f->arena, f->numValues, sizeof *ends), live = 0, most = 0;
  for (size_t i = 0; i < f->numValues; ++i) {
    const Value *v = &f->values[i];
    live -= ends[i];
    if (!v->varies || v->last == i || !canWait(LLVMTypeOf(v->value)))
      continue;
    uint32_t words = wordsOf(f, LLVMTypeOf(v->value));
    ends[v->last] += words;
    live += words;
    if (live > most)
      most = live;
  }
  return most;
}

/// The registers of one of the kernel's threads.
static uint32_t registersOfThread(LLVMValueRef function, const TileTargetInfo *target) {
  static const char name[] = "amdgpu-flat-work-group-size"; // "least,most"
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, sizeof name - 1);
  unsigned length;
  const char *text = attribute ? LLVMGetStringAttributeValue(attribute, &length) : NULL;
  const char *most = text ? strchr(text, ',') : NULL;
  unsigned threads = most ? (unsigned)strtoul(most + 1, NULL, 10) : 0;
  unsigned share = threads ? target->registersPerMultiprocessor / threads : target->maxRegistersPerThread;
  return share < target->maxRegistersPerThread ? share : target->maxRegistersPerThread;
}

static bool hasProducts(const Far *f) {
  for (size_t i = 0; i < f->numValues; ++i)
    if (tileCallsNamed(f->values[i].value, "llvm.amdgcn.mfma") ||
        tileCallsNamed(f->values[i].value, "llvm.amdgcn.wmma"))
      return true;
  return false;
}

static bool shorten(LLVMValueRef function, LLVMTargetDataRef layout, uint32_t registers) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  Far f = {.builder = LLVMCreateBuilderInContext(context), .layout = layout};
  f.positions.arena = f.starts.arena = &f.arena;
  orderBlocks(&f, function);
  numberValues(&f);
  findLoops(&f);
  chooseValues(&f);
  uint32_t times = hasProducts(&f) ? TOO_MANY_TIMES_BESIDE_PRODUCTS : TOO_MANY_TIMES;
  bool shortened = f.numValues > ALLOCATION_LIMIT || mostLive(&f) > times * registers;
  if (shortened) {
    assignPlaces(&f);
    makeFrame(&f, function);
    rewriteValues(&f);
    for (size_t b = 0; b < f.numBlocks; ++b)
      cutBlock(&f, f.blocks[b]);
  }
  LLVMDisposeBuilder(f.builder);
  tileArenaRelease(&f.arena);
  return shortened;
}

bool tileShortenFunctions(LLVMModuleRef module, const TileTargetInfo *target) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  bool shortened = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && tileIsFunctionLongerThan(f, ALWAYS_SHORT))
      shortened |= shorten(f, layout, registersOfThread(f, target));
  return shortened;
}
