/* TileAccess.h - what passes ask of ops of the tile dialect: which memory they access, whether they may move or go. */
#ifndef TILE_C_DIALECT_TILEACCESS_H
#define TILE_C_DIALECT_TILEACCESS_H
#include "tile-c/IR.h"
#include "tile-c/Support/PointerMap.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where an op reads or writes. `mask` is null if every element is accessed.
typedef struct TilePointerAccess {
  MlirValue ptr, mask; ///< scalars or tensors of one shape
} TilePointerAccess;

/// Of load, store, atomic_rmw and atomic_cas; `ptr` is null for all other ops.
TilePointerAccess tilePointerAccessOf(MlirOperation op);

/// Whether the op has no effects and may also be executed where it was not before. Ops with regions do not
/// count.
bool tileOpIsPure(MlirOperation op);
/// Erases `op` if it is pure, has no regions and nobody uses it, and then its operands likewise. `gone` takes
/// what was erased: an operand's own operands may be operands here too.
void tileEraseUnused(TileBuilder b, TilePointerMap *gone, MlirOperation op);

/// Whether `v` follows, by pure scalar ops, from the induction variable of the loop with this body and what is in front of it.
bool tileValueFollowsInLoop(MlirBlock body, MlirValue v);

/// Whether the block stands, at any depth, in an scf.for or scf.while.
bool tileBlockIsInLoop(MlirBlock block);

/// Whether each element of the op's one result depends on those of operands of the same shape at the same place: arith, math
/// and casts. An arith.constant counts, an op with regions does not.
bool tileOpIsElementwise(MlirOperation op);

/// The element type that a pointer, or each pointer of a tensor, points to.
TileElementType tilePointeeElement(MlirType pointers);

#ifdef __cplusplus
}
#endif
#endif
