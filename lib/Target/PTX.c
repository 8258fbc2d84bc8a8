/* PTX.c - LLVM's NVPTX back end: registration, and a way around a fault of its. What it needs of a module, the
 * translation sets already: the kernel calling convention and nvvm.reqntid; f32 denormals are kept and mul/add
 * stay apart (mul.rn, add.rn) by default. */
#include "LLVMModule.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"
#include <pthread.h>

static void initialize(void) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

void tileNvptxInitialize(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
}

/// Whether a shift's amount may be wider than what a PTX shift reads of it, and somebody chooses it by a condition.
static bool mayLoseAmount(LLVMValueRef shift) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(shift);
  LLVMTypeRef type = LLVMTypeOf(shift);
  if ((opcode != LLVMShl && opcode != LLVMLShr) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(type) != 64)
    return false;
  LLVMValueRef amount = LLVMGetOperand(shift, 1);
  if (LLVMIsConstant(amount) || LLVMIsAZExtInst(amount))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(shift); use; use = LLVMGetNextUse(use))
    if (LLVMIsASelectInst(LLVMGetUser(use)))
      return true;
  return false;
}

static void clampAmount(LLVMModuleRef module, LLVMValueRef shift, LLVMBuilderRef builder) {
  static const char name[] = "llvm.umin";
  LLVMValueRef amount = LLVMGetOperand(shift, 1);
  LLVMTypeRef type = LLVMTypeOf(amount);
  unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
  LLVMValueRef least = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
  LLVMValueRef operands[] = {amount, LLVMConstInt(type, 63, false)};
  LLVMPositionBuilderBefore(builder, shift);
  LLVMSetOperand(shift, 1, LLVMBuildCall2(builder, LLVMGlobalGetValueType(least), least, operands, 2, ""));
}

typedef struct Guard {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
} Guard;

static LLVMValueRef guardShift(LLVMValueRef i, void *user) {
  const Guard *g = user;
  if (mayLoseAmount(i))
    clampAmount(g->module, i, g->builder);
  return i;
}

void tileNvptxGuardShifts(LLVMModuleRef module) {
  Guard g = {module, LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  tileForEachInstruction(module, guardShift, &g);
  LLVMDisposeBuilder(g.builder);
}
