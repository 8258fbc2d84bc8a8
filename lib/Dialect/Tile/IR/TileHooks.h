/* TileHooks.h - what the C++ side of the tile dialect asks of its C side, beside the verifiers of operations.
 */
#ifndef TILE_DIALECT_TILE_IR_TILEHOOKS_H
#define TILE_DIALECT_TILE_IR_TILEHOOKS_H
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Verifies an attribute `tile.*` on an operation of any dialect.
MlirLogicalResult tileVerifyOperationAttribute(MlirOperation op, MlirNamedAttribute attr);
/// Verifies an attribute `tile.*` on an argument of `op`.
MlirLogicalResult tileVerifyArgAttribute(MlirOperation op, MlirNamedAttribute attr);

#ifdef __cplusplus
}
#endif
#endif
