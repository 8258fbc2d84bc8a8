/* ValueClasses.h - which tensors of one shape meet in a computation, by union and find. */
#ifndef TILE_GPU_VALUE_CLASSES_H
#define TILE_GPU_VALUE_CLASSES_H
#include "tile-c/IR.h"
#include "tile-c/Support/PointerMap.h"

/// Set map.arena, leave the rest zero.
typedef struct TileValueClasses {
  TilePointerMap map; ///< value -> its node
} TileValueClasses;

/// Joins the classes of the tensors that `op` reads, yields, passes to its regions and produces, where shapes
/// are equal.
void tileValueClassesAddOp(TileValueClasses *classes, MlirOperation op);
/// The same pointer for values of one class. A value never seen is alone.
const void *tileValueClassOf(TileValueClasses *classes, MlirValue value);

#endif
