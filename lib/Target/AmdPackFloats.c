/* AmdPackFloats.c - before all passes over the IR: sums and products of f32 in pairs, in kernels with matrix products.
 *
 *   %s0 = extractelement <4 x float> %s, 0          %s01 = shufflevector <4 x float> %s, 0, 1
 *   %s1 = extractelement <4 x float> %s, 1          %t01 = fmul <2 x float> %s01, (splat %k)
 *   %t0 = fmul float %s0, %k                  to    %t0 = extractelement <2 x float> %t01, 0
 *   %t1 = fmul float %s1, %k                        %t1 = extractelement <2 x float> %t01, 1
 *
 * CDNA has one instruction for both (v_pk_mul_f32). What a tensor's op became stands in a row, so that two neighbours are a pair if each operand is two
 * neighbours of a vector, which lie in neighbouring registers, one value for both, or two constants. LLVM's vectoriser looks where values are
 * stored or summed up; scores of attention go through powers and maxima, which have no pairs. */
#include "LLVMModule.h"
#include "tile-c/Support/PointerMap.h"
#include "llvm-c/Core.h"
#include <string.h>

typedef struct Pack {
  LLVMBuilderRef builder;
  TileArena *arena;
  TilePointerMap firsts, seconds; ///< of a pair: the vector
  LLVMTypeRef f32, pair, i32;
} Pack;

static bool isPairable(const Pack *p, LLVMValueRef i) {
  if (LLVMTypeOf(i) != p->f32)
    return false;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
    return true;
  default:
    return tileCallsNamed(i, "llvm.fma.f32");
  }
}

static int numOperands(LLVMValueRef i) { return LLVMIsACallInst(i) ? 3 : 2; }

static bool elementOf(LLVMValueRef v, LLVMValueRef *out_vector, unsigned *out_number) {
  if (!LLVMIsAExtractElementInst(v) || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
    return false;
  *out_vector = LLVMGetOperand(v, 0);
  *out_number = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
  return true;
}

/* Two phis in a row, which LLVM's vectoriser makes one where they are wanted as one, or two numbers converted for these alone: they come to lie in
 * neighbouring registers. */
static bool canLieTogether(LLVMValueRef x, LLVMValueRef y) {
  if (LLVMIsAPHINode(x))
    return LLVMIsAPHINode(y) && LLVMGetNextInstruction(x) == y;
  LLVMUseRef a = LLVMGetFirstUse(x), b = LLVMGetFirstUse(y);
  return LLVMIsASIToFPInst(x) && LLVMIsASIToFPInst(y) && !LLVMGetNextUse(a) && !LLVMGetNextUse(b);
}

static LLVMValueRef together(Pack *p, LLVMValueRef x, LLVMValueRef y) {
  LLVMValueRef first =
      LLVMBuildInsertElement(p->builder, LLVMGetPoison(p->pair), x, LLVMConstInt(p->i32, 0, false), "");
  return LLVMBuildInsertElement(p->builder, first, y, LLVMConstInt(p->i32, 1, false), "");
}

/* The pair that x and y are, or null; `build` makes what is missing. */
static LLVMValueRef pairOf(Pack *p, LLVMValueRef x, LLVMValueRef y, bool build, bool *wide) {
  LLVMValueRef both[] = {x, y}, vector, other;
  unsigned first, second;
  LLVMValueRef known = tilePointerMapFind(&p->firsts, x);
  if (known && known == tilePointerMapFind(&p->seconds, y)) {
    *wide = true;
    return known;
  }
  if (LLVMIsAConstantFP(x) && LLVMIsAConstantFP(y))
    return LLVMConstVector(both, 2);
  if (x == y)
    return build ? together(p, x, y) : x;
  if (canLieTogether(x, y)) {
    *wide = true;
    return build ? together(p, x, y) : x;
  }
  if (!elementOf(x, &vector, &first) || !elementOf(y, &other, &second) || vector != other || first % 2 ||
      second != first + 1)
    return NULL;
  *wide = true;
  if (!build || LLVMTypeOf(vector) == p->pair)
    return vector;
  LLVMValueRef places[] = {LLVMConstInt(p->i32, first, false), LLVMConstInt(p->i32, second, false)};
  return LLVMBuildShuffleVector(p->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                LLVMConstVector(places, 2), "");
}

static bool isPair(Pack *p, LLVMValueRef x, LLVMValueRef y) {
  bool wide = false;
  if (!y || !isPairable(p, y) || LLVMGetInstructionOpcode(x) != LLVMGetInstructionOpcode(y) ||
      LLVMGetFastMathFlags(x) != LLVMGetFastMathFlags(y))
    return false;
  for (int k = 0; k < numOperands(x); ++k) {
    LLVMValueRef a = LLVMGetOperand(x, (unsigned)k), b = LLVMGetOperand(y, (unsigned)k);
    if (b == x || !pairOf(p, a, b, false, &wide))
      return false;
  }
  return wide;
}

static LLVMValueRef emit(Pack *p, LLVMValueRef x, LLVMValueRef *operands) {
  if (!LLVMIsACallInst(x))
    return LLVMBuildBinOp(p->builder, LLVMGetInstructionOpcode(x), operands[0], operands[1], "");
  unsigned id = LLVMLookupIntrinsicID("llvm.fma", strlen("llvm.fma"));
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(x)));
  LLVMTypeRef type = LLVMIntrinsicGetType(LLVMGetModuleContext(module), id, &p->pair, 1);
  return LLVMBuildCall2(p->builder, type, LLVMGetIntrinsicDeclaration(module, id, &p->pair, 1), operands, 3,
                        "");
}

/* One instruction in the place of two. */
static void join(Pack *p, LLVMValueRef x, LLVMValueRef y) {
  LLVMValueRef operands[3];
  bool wide;
  LLVMPositionBuilderBefore(p->builder, y);
  for (int k = 0; k < numOperands(x); ++k)
    operands[k] = pairOf(p, LLVMGetOperand(x, (unsigned)k), LLVMGetOperand(y, (unsigned)k), true, &wide);
  LLVMValueRef both = emit(p, x, operands);
  if (LLVMIsAInstruction(both) && LLVMCanValueUseFastMathFlags(both))
    LLVMSetFastMathFlags(both, LLVMGetFastMathFlags(x));
  LLVMValueRef first = LLVMBuildExtractElement(p->builder, both, LLVMConstInt(p->i32, 0, false), ""),
               second = LLVMBuildExtractElement(p->builder, both, LLVMConstInt(p->i32, 1, false), "");
  LLVMReplaceAllUsesWith(x, first);
  LLVMReplaceAllUsesWith(y, second);
  LLVMInstructionEraseFromParent(x);
  LLVMInstructionEraseFromParent(y);
  tilePointerMapSet(&p->firsts, first, both);
  tilePointerMapSet(&p->seconds, second, both);
}

static LLVMValueRef nextPairable(const Pack *p, LLVMValueRef i) {
  do
    i = LLVMGetNextInstruction(i);
  while (i && LLVMIsAExtractElementInst(i));
  return i && isPairable(p, i) ? i : NULL;
}

static bool multiplies(LLVMBasicBlockRef b) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
    if (tileCallsNamed(i, "llvm.amdgcn.mfma"))
      return true;
  return false;
}

static void visitBlock(Pack *p, LLVMBasicBlockRef b) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    LLVMValueRef other = isPairable(p, i) ? nextPairable(p, i) : NULL;
    if (!isPair(p, i, other))
      continue;
    next = LLVMGetNextInstruction(other);
    join(p, i, other);
  }
}

void tileAmdPackFloats(LLVMModuleRef module) {
  TileArena arena = {0};
  LLVMContextRef context = LLVMGetModuleContext(module);
  Pack p = {.builder = LLVMCreateBuilderInContext(context),
            .arena = &arena,
            .firsts.arena = &arena,
            .seconds.arena = &arena};
  p.f32 = LLVMFloatTypeInContext(context);
  p.pair = LLVMVectorType(p.f32, 2);
  p.i32 = LLVMInt32TypeInContext(context);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      if (multiplies(b))
        visitBlock(&p, b);
  LLVMDisposeBuilder(p.builder);
  tileArenaRelease(&arena);
}
