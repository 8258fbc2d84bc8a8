/* ControlFlow.h - control flow as regions. */
#ifndef TILE_C_CONTROLFLOW_H
#define TILE_C_CONTROLFLOW_H
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Refuses, with a diagnostic where it stands, the first branch below `function` that is not cf's. CheckBranches.c.
MlirLogicalResult tileCheckBranches(MlirOperation function);

/// Turns every region below `op` that has several blocks into one block with scf ops, and drops blocks that
/// nothing reaches. The regions' ops may be of any dialect; branches must be cf's (tileCheckBranches). Fails, after
/// a diagnostic, on a loop without an exit.
MlirLogicalResult tileLiftControlFlowToSCF(MlirOperation op);

#ifdef __cplusplus
}
#endif
#endif
