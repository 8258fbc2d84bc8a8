/* Combiner.h - what the body of a reduction or a scan is, where it is one known op. */
#ifndef TILE_C_COMBINER_H
#define TILE_C_COMBINER_H
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The op that makes result i of a tile.reduce or tile.scan from its two arguments alone, in either order; null if
/// there is none.
MlirOperation tileCombinerOp(MlirOperation op, intptr_t i);
/// Whether swapping the op's two operands changes nothing, to the last bit.
bool tileKindIsCommutative(TileOpKind kind);
/// The value that leaves every other one as it is when combined with it by an op of this kind; null if none is
/// known. `type` is the elements'.
MlirAttribute tileNeutralElement(TileOpKind kind, MlirType type);

#ifdef __cplusplus
}
#endif
#endif
