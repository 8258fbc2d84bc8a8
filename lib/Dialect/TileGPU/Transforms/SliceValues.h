/* SliceValues.h - slices of values that are equal along a dimension, or computed of ranges, splats and constants alone: indices, and what is made of
 * them. */
#ifndef TILE_LIB_TILEGPU_SLICEVALUES_H
#define TILE_LIB_TILEGPU_SLICEVALUES_H
#include "tile-c/IR.h"

/// Whether `v` is a constant or splat, or a broadcast along `dim`: its slices along that are made of what it is made of.
bool tileIsEqualAlong(MlirValue v, int dim);
/// Whether `v`, a tensor with a layout, is equal along `dim`, or computed so that some of its elements along it can be computed alone, in the layout of
/// `type` if that is not null.
bool tileCanSlice(MlirValue v, int dim, MlirType type);
/// Elements `start` and on along `dim`, as many as `type` has, in its layout, at the builder's place; of a value that
/// tileCanSlice takes with that type.
MlirValue tileSliceValue(TileBuilder b, MlirValue v, int dim, int64_t start, MlirType type);
/// The type of the slice of an expansion's or broadcast's operand where that of its result is of `type`, and the dimension along which it is one: null
/// if that has no such layout, -1 if there is no such dimension. A broadcast is none along `dim`.
MlirType tileSliceSourceType(MlirOperation op, int dim, MlirType type);
int tileSliceSourceDim(MlirOperation op, int dim);
#endif
