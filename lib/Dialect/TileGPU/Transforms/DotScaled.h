/* DotScaled.h - products of scaled operands as plain products. */
#ifndef TILE_LIB_TILEGPU_DOTSCALED_H
#define TILE_LIB_TILEGPU_DOTSCALED_H
#include "tile-c/IR.h"

/// Replaces every tile.dot_scaled in `module` by a tile.dot of operands that were decoded and scaled.
MlirLogicalResult tileExpandScaledDots(TileBuilder b, MlirOperation module);

#endif
