/* ControlFlow.h - control flow as regions. */
#ifndef TILE_C_CONTROLFLOW_H
#define TILE_C_CONTROLFLOW_H
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Turns every region below `op` that has several blocks into one block with scf ops, and drops blocks that
/// nothing reaches. The regions' ops may be of any dialect; branches are cf's. Fails, after a diagnostic, on
/// a loop without an exit and on branches of other dialects.
MlirLogicalResult tileLiftControlFlowToSCF(MlirOperation op);

#ifdef __cplusplus
}
#endif
#endif
