/* CarryDistances.h - loops that carry a scalar distance instead of tensors of pointers. */
#ifndef TILE_LIB_TILEGPU_CARRYDISTANCES_H
#define TILE_LIB_TILEGPU_CARRYDISTANCES_H
#include "tile-c/IR.h"

/// Tensors of pointers that an scf.for moves by one distance for all elements become carried distances (i64, elements).
void tileCarryDistances(TileBuilder b, MlirOperation loop);

#endif
