/* PTX.c - LLVM's NVPTX back end: registration. What it needs of a module, the translation sets already: the
 * kernel calling convention and nvvm.reqntid; f32 denormals are kept and mul/add stay apart (mul.rn, add.rn)
 * by default. */
#include "LLVMModule.h"
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
