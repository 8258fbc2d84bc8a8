/* LayoutCost.h - what conversions cost, and how often an op is executed: the weights of layout assignment. */
#ifndef TILE_LIB_TILEGPU_LAYOUTCOST_H
#define TILE_LIB_TILEGPU_LAYOUTCOST_H
#include "tile-c/IR.h"
#include "tile-c/Layout.h"
#include "tile-c/Target.h"

/// How often an op is executed for each time its function is: the trips of the loops around it, where they are
/// known; a guess where they are not.
double tileTripWeight(MlirOperation op);
/// Instructions and bank passes of a warp for a tensor of `type` from one layout to the other, and the wait; 0 if
/// registers only change their names. `type` has the shape; its own layout does not count.
double tileConversionCost(MlirType type, MlirAttribute from, MlirAttribute to, const TileTargetInfo *target);

#endif
