/* CodeGen.h - a shorter way from LLVM IR to PTX. */
#ifndef TILE_LIB_TARGET_CODEGEN_H
#define TILE_LIB_TARGET_CODEGEN_H
#include "llvm-c/TargetMachine.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// PTX of a module that a short pipeline of Optimize.c has been over. What NVPTX would run over the IR once more before it
/// selects instructions is left out. For code without `loops` so is what comes after it and ptxas does better: common
/// subexpressions, instructions moved to where they are used. NULL if the machine cannot do it.
LLVMMemoryBufferRef tileGeneratePtx(LLVMTargetMachineRef machine, LLVMModuleRef module, bool loops);

/// Whether LLVM's SLSR, before it computes an address from another one, proves that this makes nothing poison that was not: all
/// around passes that may run it, in all threads. For a masked matmul the proof took two fifths of the time to PTX.
void tileReuseGuardEnter(bool guarded);
void tileReuseGuardLeave(void);

#ifdef __cplusplus
}
#endif
#endif
