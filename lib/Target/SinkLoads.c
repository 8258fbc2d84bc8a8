/* SinkLoads.c - after all passes over the IR: loads of a block that fill more registers than a thread has move down to
 * where their values are used.
 *
 *     %a0 = load p0                         %a0 = load p0
 *     ...                                   %a1 = load p1
 *     %a999 = load p999            to       %s0 = fadd %a0, %a1
 *     %s0 = fadd %a0, %a1                   %a2 = load p2
 *     ...                                   ...
 *
 * A tile is loaded whole before anything is done with it. LLVM's schedulers leave thousands of loads where they are, and its
 * register allocator then takes minutes to choose what to spill; moved down, the values of a reduction never wait. No
 * load passes anything that may write memory. Blocks that load less are left to the schedulers, and shared memory is: its
 * reads stand where the pipelines want them. */
#include "LLVMModule.h"
#include "tile-c/Support/PointerMap.h"
#include "llvm-c/Core.h"
#include <stdint.h>
#include <string.h>

enum {
  SINK_LIMIT =
      512, ///< registers of 32 bits that a block's loads fill: what a thread has on the best equipped chips
  SPACING = 1 << 20, ///< between the places of neighbours, for those that move in between
  SHARED = 3         ///< address space, of both vendors
};

typedef struct Sink {
  TilePointerMap places; ///< instruction: where it stands in its block, increasing
  LLVMBuilderRef builder;
  unsigned memoryKind;
} Sink;

static bool isLoad(LLVMValueRef i) {
  if (LLVMIsALoadInst(i))
    return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) != SHARED;
  return tileCallsNamed(i, "llvm.amdgcn.raw.ptr.buffer.load.");
}

static unsigned registersOf(LLVMTypeRef type) {
  unsigned count = 1;
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    count = LLVMGetVectorSize(type);
    type = LLVMGetElementType(type);
  }
  unsigned bits = 32;
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
    bits = LLVMGetIntTypeWidth(type);
  else if (LLVMGetTypeKind(type) == LLVMDoubleTypeKind || LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    bits = 64;
  else if (LLVMGetTypeKind(type) == LLVMHalfTypeKind || LLVMGetTypeKind(type) == LLVMBFloatTypeKind)
    bits = 16;
  return (count * bits + 31) / 32;
}

static unsigned loadedRegisters(LLVMBasicBlockRef block) {
  unsigned registers = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    registers += isLoad(i) ? registersOf(LLVMTypeOf(i)) : 0;
  return registers;
}

/// What stands between a load and its use, or makes its address: moves along.
static bool isPlain(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMGetElementPtr:
  case LLVMExtractElement:
  case LLVMSExt:
  case LLVMZExt:
    return true;
  case LLVMAdd:
  case LLVMOr:
  case LLVMXor:
    return LLVMIsConstant(LLVMGetOperand(i, 1));
  default:
    return false;
  }
}

/// In LLVM's attribute `memory`, two bits for each kind of memory: may be read, may be written.
static bool mayWrite(const Sink *s, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMStore:
  case LLVMFence:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
  case LLVMCall:
    break;
  default:
    return false;
  }
  LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(i));
  LLVMAttributeRef memory =
      callee
          ? LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, s->memoryKind)
          : NULL;
  return !memory || (LLVMGetEnumAttributeValue(memory) & UINT64_C(0xaaaaaaaaaaaaaaaa));
}

static intptr_t placeOf(const Sink *s, LLVMValueRef i) { return (intptr_t)tilePointerMapFind(&s->places, i); }

static void place(Sink *s, LLVMValueRef i, intptr_t where) {
  tilePointerMapSet(&s->places, i, (void *)where);
}

/// The first instruction of the block behind `i` that uses it; null if there is none.
static LLVMValueRef firstUser(const Sink *s, LLVMValueRef i, LLVMBasicBlockRef block) {
  LLVMValueRef first = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMGetInstructionParent(user) == block && placeOf(s, user) > placeOf(s, i) &&
        (!first || placeOf(s, user) < placeOf(s, first)))
      first = user;
  }
  return first;
}

static void moveBefore(Sink *s, LLVMValueRef i, LLVMValueRef target) {
  LLVMValueRef previous = LLVMGetPreviousInstruction(target);
  if (previous == i)
    return;
  intptr_t before = placeOf(s, previous), behind = placeOf(s, target);
  if (behind - before < 2)
    return; // too many have moved there
  LLVMInstructionRemoveFromParent(i);
  LLVMPositionBuilderBefore(s->builder, target);
  LLVMInsertIntoBuilder(s->builder, i);
  place(s, i, before + (behind - before) / 2);
}

/// From the end, so that users have moved before what they use.
static void sinkIn(Sink *s, LLVMBasicBlockRef block) {
  intptr_t where = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    place(s, i, where += SPACING);
  LLVMValueRef write = NULL, previous = NULL;
  for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = previous) {
    previous = LLVMGetPreviousInstruction(i);
    bool load = isLoad(i);
    if (load || isPlain(i)) {
      LLVMValueRef target = firstUser(s, i, block);
      if (target && load && write && placeOf(s, write) < placeOf(s, target))
        target = write;
      if (target && !LLVMIsAPHINode(target))
        moveBefore(s, i, target);
    } else if (mayWrite(s, i)) {
      write = i;
    }
  }
}

void tileSinkLoads(LLVMModuleRef module) {
  TileArena arena = {0};
  Sink s = {.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
            .memoryKind = LLVMGetEnumAttributeKindForName("memory", strlen("memory"))};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      if (loadedRegisters(b) < SINK_LIMIT)
        continue;
      s.places = (TilePointerMap){.arena = &arena};
      sinkIn(&s, b);
    }
  LLVMDisposeBuilder(s.builder);
  tileArenaRelease(&arena);
}
