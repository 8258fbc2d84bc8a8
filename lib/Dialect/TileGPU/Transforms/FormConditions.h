/* FormConditions.h - when a load or store of a matrix is one of a box that the copy engine can take. */
#ifndef TILE_LIB_TILEGPU_FORMCONDITIONS_H
#define TILE_LIB_TILEGPU_FORMCONDITIONS_H
#include "Boxes.h"
#include "tile-c/Support/PointerList.h"

/// Between what a number lies in all iterations of a loop, known in front of it.
typedef struct TileKnownRange {
  MlirValue value, low, high;
  bool isExact; ///< it is the same in all of them
} TileKnownRange;

enum { TileBoxGuard_MostRanges = 64 };

typedef struct TileBoxGuard {
  TileBuilder b;
  MlirContext context;
  MlirLocation loc;
  const TileAxisInfo *info;
  SCFForOp scan;            ///< a loop in whose iterations starts differ; null: none
  TilePointerList from, to; ///< values again
  MlirValue ok;             ///< i1; null: nothing to ask so far
  bool isCoarse;            ///< asks about all iterations of `scan` at once
  bool isLost;              ///< which cannot be done
  TileKnownRange ranges[TileBoxGuard_MostRanges];
  int numRanges;
} TileBoxGuard;

/// Whether the conditions of the box can be asked at the start of the kernel; collects the loop to scan.
bool tileBoxGuardTakes(TileBoxGuard *g, const TileBox *box);
/// A condition under which all boxes are what they seem, at the start of the kernel's block; null: always. Size and
/// stride of a tensor map are then such that one can be made.
MlirValue tileBoxGuardEmit(TileBoxGuard *g, MlirBlock entry, const TileBox *const *boxes, int n);
/// The number in i32, at the insertion point.
MlirValue tileSumEmit(TileBuilder b, MlirLocation loc, const TileSum *sum);

#endif
