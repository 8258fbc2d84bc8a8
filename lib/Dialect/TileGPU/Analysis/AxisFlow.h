/* AxisFlow.h - what the data flow of AxisInfo.c and the transfer table of AxisOps.c share. */
#ifndef TILE_AXIS_FLOW_H
#define TILE_AXIS_FLOW_H
#include "tile-c/AxisInfo.h"
#include "tile-c/Support/PointerMap.h"

/* What tile.assume says of one integer. */
typedef struct AxisAssumption {
  int64_t min, max, divisibility;
} AxisAssumption;

struct TileAxisInfo {
  TileArena arena;
  TilePointerMap facts;       ///< value -> TileAxis
  TilePointerMap assumptions; ///< value -> AxisAssumption
  int64_t maxPrograms[3];
};

/* The claims of operand `i`, or nothing known: never null for a number or pointer. */
TileAxis axisOperand(const TileAxisInfo *info, MlirOperation op, intptr_t i);
TileAxis axisValue(const TileAxisInfo *info, MlirValue value);

/* The claims for result `i` of an operation without regions; `type` is the result's. */
TileAxis axisOfResult(const TileAxisInfo *info, MlirOperation op, intptr_t i, TileAxisType type);

/* Facts that hold before the flow starts: tile.assume and the bounds of program ids. */
void axisCollectAssumptions(TileAxisInfo *info, MlirOperation root);

#endif
