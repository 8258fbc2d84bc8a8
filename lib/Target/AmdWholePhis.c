/* AmdWholePhis.c - before all passes over the IR: what a loop carries of elements of a loaded vector, it carries as that vector, and takes
 * apart where the first of them is used.
 *
 *   loop:                                          loop:
 *     %a = phi half [ %x0, ... ], [ %y0, ... ]       %v = phi <4 x i32> [ %x, ... ], [ %y, ... ]
 *     %b = phi half [ %x1, ... ], [ %y1, ... ]       ...
 *     ...                                            barrier
 *     barrier                                        %w = call asm sideeffect "", "=v,0"(%v)
 *     (stores of %a, %b, ...)                   to   %h = bitcast <4 x i32> %w to <8 x half>
 *     %y = (a load of <8 x half>)                    %a = extractelement <8 x half> %h, 0
 *     %y0 = extractelement %y, 0                     %b = extractelement <8 x half> %h, 1
 *     %y1 = extractelement %y, 1                     (stores of %a, %b, ...)
 *                                                    %y = (a load)
 *
 * Loads of a later iteration wait in registers until they are stored. LLVM's vectoriser forms pairs of such phis as their users have
 * them, elements of two loads among them, and puts the pairs together in front of the back edge: right behind the loads, for
 * which every iteration would wait there (attention with a causal mask, whose loop has several blocks). Of vectors that nothing holds
 * its scheduler puts elements together anywhere in the block, which is a wait too. */
#include "LLVMModule.h"
#include "llvm-c/Core.h"
#include <string.h>

enum { HALF = 16, WORD = 32, MOST_EDGES = 4, MOST_ELEMENTS = 16 };

/* Phis of elements of one vector along each edge, by the number of the element. */
typedef struct Whole {
  LLVMValueRef vectors[MOST_EDGES], phis[MOST_ELEMENTS];
  unsigned numEdges, numElements, numPhis;
} Whole;

static bool isShort(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    return true;
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type) < WORD;
  default:
    return false;
  }
}

static bool isLoaded(LLVMValueRef v) {
  while (LLVMIsABitCastInst(v))
    v = LLVMGetOperand(v, 0);
  return LLVMIsALoadInst(v) || (LLVMIsACallInst(v) && tileCallsNamed(v, "llvm.amdgcn.raw.ptr.buffer.load"));
}

/* The number of the element if the value is one of a vector of which it is known. */
static bool takeElement(LLVMValueRef v, LLVMValueRef *out_vector, unsigned *out_number) {
  if (!LLVMIsAExtractElementInst(v) || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
    return false;
  *out_vector = LLVMGetOperand(v, 0);
  unsigned long long number = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
  *out_number = (unsigned)number;
  return number < LLVMGetVectorSize(LLVMTypeOf(*out_vector));
}

/* Reads the vectors that a phi takes the same element of: false if it is another kind. */
static bool readPhi(LLVMValueRef phi, Whole *w, unsigned *out_number) {
  w->numEdges = LLVMCountIncoming(phi);
  if (!isShort(LLVMTypeOf(phi)) || w->numEdges < 2 || w->numEdges > MOST_EDGES)
    return false;
  for (unsigned e = 0; e < w->numEdges; ++e) {
    unsigned number;
    if (!takeElement(LLVMGetIncomingValue(phi, e), &w->vectors[e], &number))
      return false;
    if (e && (number != *out_number || LLVMTypeOf(w->vectors[e]) != LLVMTypeOf(w->vectors[0])))
      return false;
    *out_number = number;
  }
  w->numElements = LLVMGetVectorSize(LLVMTypeOf(w->vectors[0]));
  return w->numElements <= MOST_ELEMENTS && *out_number < w->numElements;
}

static bool isSame(const Whole *a, const Whole *b) {
  bool same = a->numEdges == b->numEdges;
  for (unsigned e = 0; same && e < a->numEdges; ++e)
    same = a->vectors[e] == b->vectors[e];
  return same;
}

/* The phis behind the first one that take other elements of the same vectors. */
static void collect(LLVMValueRef first, unsigned number, Whole *w) {
  w->phis[number] = first;
  w->numPhis = 1;
  for (LLVMValueRef i = LLVMGetNextInstruction(first); i && LLVMIsAPHINode(i) && w->numPhis < w->numElements;
       i = LLVMGetNextInstruction(i)) {
    Whole other = {0};
    if (readPhi(i, &other, &number) && isSame(w, &other) && !w->phis[number]) {
      w->phis[number] = i;
      w->numPhis++;
    }
  }
}

/* In front of which the operand is needed. */
static LLVMValueRef placeOf(LLVMValueRef user, unsigned operand) {
  return LLVMIsAPHINode(user) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, operand)) : user;
}

/* The first instruction that takes one of the elements, if all that do are in its block. */
static LLVMValueRef firstUser(const Whole *w) {
  LLVMBasicBlockRef block = NULL;
  for (unsigned k = 0; k < w->numElements; ++k)
    for (LLVMUseRef use = w->phis[k] ? LLVMGetFirstUse(w->phis[k]) : NULL; use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMIsAPHINode(user) || (block && block != LLVMGetInstructionParent(user)))
        return NULL;
      block = LLVMGetInstructionParent(user);
    }
  for (LLVMValueRef i = block ? LLVMGetFirstInstruction(block) : NULL; i; i = LLVMGetNextInstruction(i))
    for (int k = 0; k < LLVMGetNumOperands(i); ++k)
      for (unsigned e = 0; e < w->numElements; ++e)
        if (w->phis[e] && LLVMGetOperand(i, (unsigned)k) == w->phis[e])
          return i;
  return NULL;
}

static unsigned bitsOf(LLVMTypeRef vector) {
  LLVMTypeRef element = LLVMGetElementType(vector);
  bool isInteger = LLVMGetTypeKind(element) == LLVMIntegerTypeKind;
  return LLVMGetVectorSize(vector) * (isInteger ? LLVMGetIntTypeWidth(element) : HALF);
}

/* The vector, not to be taken apart in front of this place; as it is if it has no registers of its own size. */
static LLVMValueRef holdTo(LLVMBuilderRef b, LLVMValueRef vector, LLVMTypeRef elements, LLVMValueRef place) {
  const unsigned words = bitsOf(elements) / WORD;
  if (bitsOf(elements) % WORD || (words != 1 && words != 2 && words != 4))
    return vector;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(elements)),
              type = words == 1 ? i32 : LLVMVectorType(i32, words),
              function = LLVMFunctionType(type, &type, 1, 0);
  LLVMValueRef nothing =
      LLVMGetInlineAsm(function, "", 0, "=v,0", strlen("=v,0"), 1, 0, LLVMInlineAsmDialectATT, 0);
  LLVMPositionBuilderBefore(b, place);
  LLVMValueRef held = LLVMBuildBitCast(b, vector, type, "");
  return LLVMBuildCall2(b, function, nothing, &held, 1, "");
}

/* The element is taken where it is used: loops whose first block is long are not rotated. */
static void takeWhereUsed(LLVMBuilderRef b, LLVMValueRef phi, LLVMValueRef whole, LLVMTypeRef type,
                          LLVMValueRef number) {
  for (LLVMUseRef use = LLVMGetFirstUse(phi); use; use = LLVMGetFirstUse(phi)) {
    LLVMValueRef user = LLVMGetUser(use);
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); ++k)
      if (LLVMGetOperand(user, k) == phi) {
        LLVMPositionBuilderBefore(b, placeOf(user, k));
        LLVMValueRef vector = LLVMBuildBitCast(b, whole, type, "");
        LLVMSetOperand(user, k, LLVMBuildExtractElement(b, vector, number, ""));
      }
  }
  LLVMInstructionEraseFromParent(phi);
}

/* The vectors as they have been loaded, in words, if all are alike. */
static void stripCasts(Whole *w) {
  LLVMTypeRef type = NULL;
  for (unsigned e = 0; e < w->numEdges; ++e) {
    if (!LLVMIsABitCastInst(w->vectors[e]))
      return;
    LLVMTypeRef own = LLVMTypeOf(LLVMGetOperand(w->vectors[e], 0));
    if (type && own != type)
      return;
    type = own;
  }
  for (unsigned e = 0; e < w->numEdges; ++e)
    w->vectors[e] = LLVMGetOperand(w->vectors[e], 0);
}

static void carryWhole(LLVMBuilderRef b, LLVMValueRef first, Whole *w) {
  LLVMBasicBlockRef edges[MOST_EDGES];
  LLVMTypeRef type = LLVMTypeOf(w->vectors[0]);
  for (unsigned e = 0; e < w->numEdges; ++e)
    edges[e] = LLVMGetIncomingBlock(first, e);
  stripCasts(w);
  LLVMPositionBuilderBefore(b, first);
  LLVMValueRef whole = LLVMBuildPhi(b, LLVMTypeOf(w->vectors[0]), "");
  LLVMAddIncoming(whole, w->vectors, edges, w->numEdges);
  LLVMValueRef user = firstUser(w);
  LLVMValueRef held = user ? holdTo(b, whole, type, user) : whole;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  for (unsigned k = 0; k < w->numElements; ++k)
    if (w->phis[k])
      takeWhereUsed(b, w->phis[k], held, type, LLVMConstInt(i32, k, false));
}

static void visitBlock(LLVMBuilderRef b, LLVMBasicBlockRef block) {
  LLVMValueRef next;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i); i = next) {
    next = LLVMGetNextInstruction(i);
    Whole w = {0};
    unsigned number;
    if (!readPhi(i, &w, &number))
      continue;
    bool loaded = false;
    for (unsigned e = 0; e < w.numEdges; ++e)
      loaded |= isLoaded(w.vectors[e]);
    if (!loaded)
      continue;
    collect(i, number, &w);
    if (w.numPhis < 2)
      continue;
    carryWhole(b, i, &w);
    next = LLVMGetFirstInstruction(block); /* some of those behind are gone */
  }
}

void tileAmdWholePhis(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      visitBlock(builder, b);
  LLVMDisposeBuilder(builder);
}
