/* AmdGuards.c - IR that LLVM 22's AMDGPU back end gets wrong, or makes more of than it need, written in a way that it gets right:
 * products rounded to f16, negative zeros in vectors, loads in front of barriers, products of waves, signs that are copied, constants of 8-bit floats, divisions of
 * few bits. */
#include "LLVMModule.h"
#include "tile-c/IR.h"
#include "llvm-c/Core.h"
#include <math.h>
#include <string.h>

// ---- Signs of zeros ----

/// The product that a number is, or is the negative of.
static LLVMValueRef productOf(LLVMValueRef number, bool *out_negative) {
  *out_negative = LLVMIsAInstruction(number) && LLVMGetInstructionOpcode(number) == LLVMFNeg;
  LLVMValueRef product = *out_negative ? LLVMGetOperand(number, 0) : number;
  return LLVMIsAInstruction(product) && LLVMGetInstructionOpcode(product) == LLVMFMul ? product : NULL;
}

static LLVMValueRef negativeZero(LLVMTypeRef type) {
  LLVMValueRef elements[16], zero;
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return LLVMConstReal(type, -0.0);
  const unsigned n = LLVMGetVectorSize(type);
  zero = LLVMConstReal(LLVMGetElementType(type), -0.0);
  for (unsigned i = 0; i < n && i < 16; ++i)
    elements[i] = zero;
  return n <= 16 ? LLVMConstVector(elements, n) : NULL;
}

/// A rounding from f32 to f16.
static bool narrowsToHalf(LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf(i);
  if (LLVMGetInstructionOpcode(i) != LLVMFPTrunc)
    return false;
  LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(i, 0));
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    type = LLVMGetElementType(type);
    from = LLVMGetElementType(from);
  }
  return LLVMGetTypeKind(type) == LLVMHalfTypeKind && LLVMGetTypeKind(from) == LLVMFloatTypeKind;
}

static void addNegativeZero(LLVMModuleRef module, LLVMValueRef narrowing, LLVMBuilderRef builder) {
  static const char name[] = "llvm.fma";
  bool negative;
  LLVMValueRef product = productOf(LLVMGetOperand(narrowing, 0), &negative);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(narrowing, 0));
  LLVMValueRef zero = product ? negativeZero(type) : NULL;
  if (!zero)
    return;
  unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
  LLVMValueRef fma = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
  LLVMValueRef operands[] = {LLVMGetOperand(product, 0), LLVMGetOperand(product, 1), zero};
  LLVMPositionBuilderBefore(builder, narrowing);
  if (negative)
    operands[0] = LLVMBuildFNeg(builder, operands[0], "");
  LLVMSetOperand(narrowing, 0, LLVMBuildCall2(builder, LLVMGlobalGetValueType(fma), fma, operands, 3, ""));
}

// ---- Barriers ----

/// s.barrier, s.barrier.signal, ...
static bool isBarrier(LLVMValueRef i) { return tileCallsNamed(i, "llvm.amdgcn.s.barrier"); }

static void guardBarrier(LLVMValueRef barrier, LLVMBuilderRef builder) {
  char nothing[] = "", clobbers[] = "~{memory}";
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetTypeContext(LLVMTypeOf(barrier))), NULL, 0, 0);
  LLVMValueRef code = LLVMGetInlineAsm(type, nothing, 0, clobbers, sizeof clobbers - 1, true, false,
                                       LLVMInlineAsmDialectATT, false);
  LLVMPositionBuilderBefore(builder, barrier);
  LLVMBuildCall2(builder, type, code, NULL, 0, "");
}

// ---- Signs that are copied ----

static LLVMTypeRef elementOf(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

/// The integer with the sign bit of a float; 0 if it is no float that a kernel can have.
static unsigned bitsOf(LLVMTypeRef element) {
  LLVMTypeKind kind = LLVMGetTypeKind(element);
  return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ? 16
         : kind == LLVMFloatTypeKind                            ? 32
         : kind == LLVMDoubleTypeKind                           ? 64
                                                                : 0;
}

/// 0x80..0 in each element of a vector of `n`, or in an integer if `n` is 0; null if there are too many elements.
static LLVMValueRef signMask(LLVMTypeRef integer, unsigned n) {
  LLVMValueRef one = LLVMConstInt(integer, 1ULL << (LLVMGetIntTypeWidth(integer) - 1), false), elements[64];
  if (!n)
    return one;
  if (n > TILE_COUNTOF(elements))
    return NULL;
  for (unsigned k = 0; k < n; ++k)
    elements[k] = one;
  return LLVMConstVector(elements, n);
}

static bool copiesSign(LLVMValueRef i) {
  return tileCallsNamed(i, "llvm.copysign.") && bitsOf(elementOf(LLVMTypeOf(i)));
}

/// (x & 0x7f..f) | (y & 0x80..0); returns the last instruction.
static LLVMValueRef copySignByBits(LLVMValueRef i, LLVMBuilderRef b) {
  LLVMTypeRef type = LLVMTypeOf(i);
  LLVMTypeRef bits = LLVMIntTypeInContext(LLVMGetTypeContext(type), bitsOf(elementOf(type)));
  unsigned n = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
  LLVMValueRef mask = signMask(bits, n);
  if (!mask)
    return i;
  if (n)
    bits = LLVMVectorType(bits, n);
  LLVMPositionBuilderBefore(b, i);
  LLVMValueRef x = LLVMBuildBitCast(b, LLVMGetOperand(i, 0), bits, ""),
               y = LLVMBuildBitCast(b, LLVMGetOperand(i, 1), bits, "");
  LLVMValueRef magnitude = LLVMBuildAnd(b, x, LLVMConstNot(mask), ""), sign = LLVMBuildAnd(b, y, mask, "");
  LLVMValueRef result = LLVMBuildBitCast(b, LLVMBuildOr(b, magnitude, sign, ""), type, "");
  LLVMReplaceAllUsesWith(i, result);
  LLVMInstructionEraseFromParent(i);
  return result;
}

// ---- Products of waves ----

/// A matrix product of RDNA's: of all lanes, whatever the branch.
static bool isWaveProduct(LLVMValueRef i) {
  static const char prefix[] = "llvm.amdgcn.wmma.", sparse[] = "llvm.amdgcn.swmmac.";
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
  size_t length;
  const char *name = callee ? LLVMGetValueName2(callee, &length) : NULL;
  return name &&
         (strncmp(name, prefix, sizeof prefix - 1) == 0 || strncmp(name, sparse, sizeof sparse - 1) == 0);
}

/// Whether only instructions of other blocks, and no phi, read it.
static bool isReadElsewhere(LLVMValueRef i) {
  for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) == LLVMGetInstructionParent(i))
      return false;
  }
  return LLVMGetFirstUse(i) != NULL;
}

/// An empty assembly at the block's end reads the product.
static void holdProduct(LLVMValueRef product, LLVMBuilderRef builder) {
  LLVMTypeRef type = LLVMTypeOf(product), parameters[] = {type};
  LLVMTypeRef function =
      LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetTypeContext(type)), parameters, 1, false);
  char text[] = "", constraint[] = "v";
  LLVMValueRef nothing =
      LLVMGetInlineAsm(function, text, 0, constraint, 1, true, false, LLVMInlineAsmDialectATT, false);
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(product)));
  LLVMBuildCall2(builder, function, nothing, &product, 1, "");
}

// ---- Negative zeros in vectors ----

static bool isHalf(LLVMTypeRef type) { return LLVMGetTypeKind(elementOf(type)) == LLVMHalfTypeKind; }

static bool isNegativeZero(LLVMValueRef element) {
  LLVMBool inexact;
  return LLVMIsAConstantFP(element) && signbit(LLVMConstRealGetDouble(element, &inexact)) &&
         LLVMConstRealGetDouble(element, &inexact) == 0;
}

/// The constant with zeros where it is poison, behind an empty assembly; itself if no element is -0.
static LLVMValueRef hideNegativeZeros(LLVMValueRef constant, LLVMBuilderRef builder) {
  LLVMTypeRef type = LLVMTypeOf(constant), element = elementOf(type);
  const bool isVector = type != element;
  const unsigned n = isVector ? LLVMGetVectorSize(type) : 1;
  LLVMValueRef elements[64];
  bool found = false;
  if (n > TILE_COUNTOF(elements))
    return constant;
  for (unsigned k = 0; k < n; ++k) {
    LLVMValueRef e = isVector ? LLVMGetAggregateElement(constant, k) : constant;
    found |= e && isNegativeZero(e);
    elements[k] = e && LLVMIsAConstantFP(e) ? e : LLVMConstNull(element);
  }
  if (!found)
    return constant;
  char text[] = "", constraints[] = "=v,0";
  LLVMTypeRef function = LLVMFunctionType(type, &type, 1, false);
  LLVMValueRef code = LLVMGetInlineAsm(function, text, 0, constraints, sizeof constraints - 1, false, false,
                                       LLVMInlineAsmDialectATT, false);
  LLVMValueRef whole = isVector ? LLVMConstVector(elements, n) : constant;
  return LLVMBuildCall2(builder, function, code, &whole, 1, "");
}

static bool putsTogether(LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  return (opcode == LLVMInsertElement || opcode == LLVMShuffleVector) && isHalf(LLVMTypeOf(i));
}

static void hideInOperands(LLVMValueRef i, LLVMBuilderRef builder) {
  LLVMPositionBuilderBefore(builder, i);
  for (unsigned k = 0; k < 2; ++k) {
    LLVMValueRef operand = LLVMGetOperand(i, k);
    if (LLVMIsConstant(operand) && isHalf(LLVMTypeOf(operand)))
      LLVMSetOperand(i, k, hideNegativeZeros(operand, builder));
  }
}

// ---- Constants of 8-bit floats ----

/// A constant word whose upper two 8-bit floats are converted.
static bool convertsUpperConstants(LLVMValueRef i) {
  return (tileCallsNamed(i, "llvm.amdgcn.cvt.pk.f32.fp8") ||
          tileCallsNamed(i, "llvm.amdgcn.cvt.pk.f32.bf8")) &&
         LLVMIsAConstantInt(LLVMGetOperand(i, 0)) && !LLVMIsNull(LLVMGetOperand(i, 1));
}

static void convertAsLower(LLVMValueRef i) {
  LLVMValueRef word = LLVMGetOperand(i, 0), upper = LLVMGetOperand(i, 1);
  LLVMSetOperand(i, 0, LLVMConstInt(LLVMTypeOf(word), LLVMConstIntGetZExtValue(word) >> 16, false));
  LLVMSetOperand(i, 1, LLVMConstNull(LLVMTypeOf(upper)));
}

/// What the guards work with.
typedef struct Guard {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
} Guard;

static LLVMValueRef guardInstruction(LLVMValueRef i, void *user) {
  const Guard *g = user;
  if (narrowsToHalf(i))
    addNegativeZero(g->module, i, g->builder);
  else if (isBarrier(i))
    guardBarrier(i, g->builder);
  else if (isWaveProduct(i) && isReadElsewhere(i))
    holdProduct(i, g->builder);
  else if (putsTogether(i))
    hideInOperands(i, g->builder);
  else if (convertsUpperConstants(i))
    convertAsLower(i);
  else if (copiesSign(i))
    return copySignByBits(i, g->builder);
  return i;
}

/// - v_fma_mix*_f16 a, b, +0 is selected for a product that is rounded to f16, which makes +0 of -0. Adding -0 changes
///   no product, and selects the same instruction; no pass behind this one takes it away again.
///   test/lit/Target/zero-signs.mlir.
/// - Loads sink past a barrier into the block that uses their values: to the machine code, barriers touch no memory,
///   and fences neither. An empty assembly that may touch all of it, in front of each, holds them.
///   test/lit/Target/sunk-loads.mlir.
/// - A conversion does not change a sign, so the back end takes the sign of what was converted, and what is converted behind a
///   copied sign it converts before: where both ends are of 16 bits, one f16 and one bf16, no instruction is selected. Bits
///   are. test/lit/Target/converted-signs.mlir.
/// - Products of WMMA sink into the branch that alone uses their result, where lanes are off that they need: to the machine
///   code they are no operations of all lanes. An empty assembly reads the result before the branch.
///   test/lit/Target/sunk-products.test.
/// - Where an f16 is put below -0, the upper half becomes +0: the pattern takes it for 0. An empty assembly hides it.
///   test/lit/Target/upper-negative-zeros.mlir.
/// - v_cvt_pk_f32_fp8 and _bf8 of gfx12 take constants of 16 bits: of a longer one the upper half, which op_sel chooses, is lost.
///   It becomes the lower half. test/lit/Target/float8-constants.mlir.
void tileAmdgpuGuard(LLVMModuleRef module) {
  Guard g = {module, LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  tileForEachInstruction(module, guardInstruction, &g);
  LLVMDisposeBuilder(g.builder);
}

// ---- Divisions ----

static bool isVector(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVectorTypeKind; }

static bool isNarrowDivision(LLVMValueRef v) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
  if (opcode != LLVMSDiv && opcode != LLVMUDiv && opcode != LLVMSRem && opcode != LLVMURem)
    return false;
  LLVMTypeRef type = LLVMTypeOf(v), element = isVector(type) ? LLVMGetElementType(type) : type;
  return LLVMGetIntTypeWidth(element) < 32 && !LLVMIsConstant(LLVMGetOperand(v, 0));
}

/// `v` in 32 bits, and what it was computed from as far as no step may overflow.
static LLVMValueRef extended(LLVMValueRef v, LLVMOpcode extend, int depth, LLVMBuilderRef builder) {
  LLVMTypeRef type = LLVMTypeOf(v), wide = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  if (isVector(type))
    wide = LLVMVectorType(wide, LLVMGetVectorSize(type));
  LLVMOpcode opcode = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
  bool exact = (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul) &&
               (extend == LLVMSExt ? LLVMGetNSW(v) : LLVMGetNUW(v));
  if (!exact || !depth)
    return LLVMBuildCast(builder, extend, v, wide, "");
  return LLVMBuildBinOp(builder, opcode, extended(LLVMGetOperand(v, 0), extend, depth - 1, builder),
                        extended(LLVMGetOperand(v, 1), extend, depth - 1, builder), "");
}

/// Done in 32 bits: returns that instruction. An extension of the result that only undoes the narrowing goes.
static LLVMValueRef widen(LLVMValueRef division, LLVMBuilderRef builder) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(division);
  LLVMOpcode extend = opcode == LLVMSDiv || opcode == LLVMSRem ? LLVMSExt : LLVMZExt;
  LLVMTypeRef narrow = LLVMTypeOf(division);
  LLVMPositionBuilderBefore(builder, division);
  LLVMValueRef x = extended(LLVMGetOperand(division, 0), extend, 3, builder),
               y = extended(LLVMGetOperand(division, 1), extend, 0, builder),
               wide = LLVMBuildBinOp(builder, opcode, x, y, "");
  for (LLVMUseRef use = LLVMGetFirstUse(division), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMGetInstructionOpcode(user) != extend || LLVMTypeOf(user) != LLVMTypeOf(wide))
      continue;
    LLVMReplaceAllUsesWith(user, wide);
    LLVMInstructionEraseFromParent(user);
  }
  if (LLVMGetFirstUse(division))
    LLVMReplaceAllUsesWith(division, LLVMBuildTrunc(builder, wide, narrow, ""));
  LLVMInstructionEraseFromParent(division);
  return wide;
}

static LLVMValueRef widenDivision(LLVMValueRef i, void *builder) {
  return isNarrowDivision(i) ? widen(i, builder) : i;
}

void tileAmdWidenDivisions(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  tileForEachInstruction(module, widenDivision, builder);
  LLVMDisposeBuilder(builder);
}
