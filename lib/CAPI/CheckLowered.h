/* CheckLowered.h - what ops of the LLVM and NVVM dialects must not say; for CheckAttributes.c. */
#ifndef TILE_LIB_CAPI_CHECKLOWERED_H
#define TILE_LIB_CAPI_CHECKLOWERED_H
#include "mlir-c/IR.h"

/// False: the attributes of `op`, which need not be verified, make LLVM crash, and a diagnostic was given.
bool tileCheckLowered(MlirOperation op);

#endif
