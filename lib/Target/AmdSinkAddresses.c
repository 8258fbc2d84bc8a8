/* AmdSinkAddresses.c - after all passes over the IR: addresses and conditions of many accesses behind the loops of matrix products are put together
 * where they are used.
 *
 *   %at = add %row, %column                        (row times stride; column)
 *   %p = getelementptr %c, %at                     br %in, store, next
 *   ...                                  to        store:
 *   br %in, store, next                              %at = add %row, %column
 *   store:                                           %p = getelementptr %c, %at
 *     store %x, %p                                   store %x, %p
 *
 * A result whose rows may start anywhere is stored element by element at its edges, each behind a branch. Addresses of all of them, two registers
 * each, would be there beside all values before the first one is stored; of rows and columns there are few. */
#include "LLVMModule.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"
#include "llvm-c/Core.h"
#include <string.h>

enum { MANY = 16, MOST_DEPTH = 6, GLOBAL = 1, WORD = 32 };

typedef struct Sink {
  TileArena *arena;
  LLVMBuilderRef builder;
  TilePointerMap clones;     ///< of a block
  TilePointerMap known;      ///< what has been put together again
  TilePointerList originals; ///< the same, users behind their operands
  LLVMBasicBlockRef block;
} Sink;

static unsigned bitsOf(LLVMValueRef v) {
  LLVMTypeRef type = LLVMTypeOf(v);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

/* One vector or scalar instruction, or part of another one, of values that stay as they are. */
static bool isCheap(LLVMValueRef v) {
  switch (LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : (LLVMOpcode)0) {
  case LLVMAdd:
  case LLVMAnd:
  case LLVMBitCast:
  case LLVMExtractElement:
  case LLVMGetElementPtr:
  case LLVMLShr:
  case LLVMOr:
  case LLVMSExt:
  case LLVMSelect:
  case LLVMShl:
  case LLVMSub:
  case LLVMTrunc:
  case LLVMZExt:
    return LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVectorTypeKind;
  default:
    return false;
  }
}

static bool isElsewhere(const Sink *s, LLVMValueRef v) {
  return isCheap(v) && LLVMGetInstructionParent(v) != s->block;
}

/* A number of which LLVM knows nothing: it takes those that differ by constants for neighbours in memory, whether they wrap around or not. */
static LLVMValueRef anew(Sink *s, LLVMValueRef number, LLVMValueRef place) {
  LLVMTypeRef type = LLVMTypeOf(number), function = LLVMFunctionType(type, &type, 1, 0);
  LLVMValueRef nothing =
      LLVMGetInlineAsm(function, "", 0, "=v,0", strlen("=v,0"), 0, 0, LLVMInlineAsmDialectATT, 0);
  LLVMPositionBuilderBefore(s->builder, place);
  return LLVMBuildCall2(s->builder, function, nothing, &number, 1, "");
}

/* The value, put together again in front of an instruction of the block. */
static LLVMValueRef putTogether(Sink *s, LLVMValueRef v, LLVMValueRef place, int depth) {
  LLVMValueRef clone = isElsewhere(s, v) ? tilePointerMapFind(&s->clones, v) : v;
  if (clone || !depth)
    return clone ? clone : v;
  clone = LLVMInstructionClone(v);
  for (int i = 0; i < LLVMGetNumOperands(v); ++i)
    LLVMSetOperand(clone, (unsigned)i, putTogether(s, LLVMGetOperand(v, (unsigned)i), place, depth - 1));
  if (LLVMGetInstructionOpcode(v) == LLVMSExt && bitsOf(LLVMGetOperand(v, 0)) == WORD)
    LLVMSetOperand(clone, 0, anew(s, LLVMGetOperand(clone, 0), place));
  LLVMPositionBuilderBefore(s->builder, place);
  LLVMInsertIntoBuilder(s->builder, clone);
  tilePointerMapSet(&s->clones, v, clone);
  if (!tilePointerMapFind(&s->known, v)) {
    tilePointerMapSet(&s->known, v, v);
    tilePointerListAppend(&s->originals, v);
  }
  return clone;
}

static bool isStore(LLVMValueRef i) {
  if (LLVMGetInstructionOpcode(i) == LLVMStore)
    return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 1))) == GLOBAL;
  return tileCallsNamed(i, "llvm.amdgcn.raw.ptr.buffer.store");
}

static void visitBlock(Sink *s, LLVMBasicBlockRef b) {
  s->clones = (TilePointerMap){.arena = s->arena};
  s->block = b;
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
    for (int k = 0; !LLVMIsAPHINode(i) && k < LLVMGetNumOperands(i); ++k)
      if (isElsewhere(s, LLVMGetOperand(i, (unsigned)k)))
        LLVMSetOperand(i, (unsigned)k, putTogether(s, LLVMGetOperand(i, (unsigned)k), i, MOST_DEPTH));
}

static int numStores(LLVMBasicBlockRef b) {
  int n = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
    n += isStore(i);
  return n;
}

/* What is left without a use: the back end would find that it is the same as what has been put together. */
static void eraseUnused(Sink *s) {
  for (bool any = true; any;) {
    any = false;
    for (size_t i = s->originals.count; i-- > 0;) {
      LLVMValueRef v = (LLVMValueRef)(void *)s->originals.items[i];
      if (!v || LLVMGetFirstUse(v))
        continue;
      LLVMInstructionEraseFromParent(v);
      s->originals.items[i] = NULL;
      any = true;
    }
  }
}

static bool multiplies(LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (tileCallsNamed(i, "llvm.amdgcn.mfma") || tileCallsNamed(i, "llvm.amdgcn.wmma"))
        return true;
  return false;
}

static void visitFunction(LLVMValueRef function, LLVMBuilderRef builder) {
  TileArena arena = {0};
  Sink s = {.arena = &arena, .builder = builder, .known.arena = &arena, .originals.arena = &arena};
  int n = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    n += numStores(b);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); n >= MANY && b; b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    if (numStores(b) || (LLVMGetNumSuccessors(end) == 2 && numStores(LLVMGetSuccessor(end, 0))))
      visitBlock(&s, b);
  }
  eraseUnused(&s);
  tileArenaRelease(&arena);
}

void tileAmdSinkAddresses(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && multiplies(f))
      visitFunction(f, builder);
  LLVMDisposeBuilder(builder);
}
