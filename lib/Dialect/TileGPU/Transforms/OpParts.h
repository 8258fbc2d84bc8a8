/* OpParts.h - questions about ops and their regions that several passes ask; private to them. */
#ifndef TILE_LIB_DIALECT_TILEGPU_TRANSFORMS_OPPARTS_H
#define TILE_LIB_DIALECT_TILEGPU_TRANSFORMS_OPPARTS_H
#include "tile-c/OpKind.h"

/// Whether there is an op, of that kind.
static inline bool tileOpIs(MlirOperation op, TileOpKind kind) { return op.ptr && tileOpKind(op) == kind; }

/// What ends a region of one block.
static inline MlirOperation tileRegionYield(MlirRegion region) {
  return mlirBlockGetTerminator(mlirRegionGetFirstBlock(region));
}

/// Whether a region of one block has nothing but its end.
static inline bool tileRegionIsEmpty(MlirRegion region) {
  return mlirOperationEqual(mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(region)),
                            tileRegionYield(region));
}

#endif
