/* Descriptors.h - what the parts of tile-gpu-expand-descriptors share. */
#ifndef TILE_LIB_TILEGPU_DESCRIPTORS_H
#define TILE_LIB_TILEGPU_DESCRIPTORS_H
#include "tile-c/AxisInfo.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Layout.h"
#include "tile-c/ValueExpansion.h"

/// A descriptor's components, in this order: base, `rank` sizes (i32), `rank` strides (i64, in elements) and,
/// for floats, whether elements outside read as NaN (i1).
typedef struct DescParts {
  MlirType type;
  intptr_t rank;
  const MlirValue *values;
} DescParts;

static inline MlirValue descBase(const DescParts *p) { return p->values[0]; }
static inline MlirValue descSize(const DescParts *p, intptr_t d) { return p->values[1 + d]; }
static inline MlirValue descStride(const DescParts *p, intptr_t d) { return p->values[1 + p->rank + d]; }
/// Null for integers: zero it is.
static inline MlirValue descPadsNaN(const DescParts *p) {
  return mlirTypeIsAFloat(tileDescTypeGetElementType(p->type)) ? p->values[1 + 2 * p->rank]
                                                               : (MlirValue){NULL};
}

/// DescriptorAccess.c: writes a tile.desc_* op as an access through pointers; `axis` knows the coordinates.
MlirLogicalResult descExpandAccess(TileExpansion *e, const TileAxisInfo *axis, MlirOperation op,
                                   const DescParts *parts);

#endif
