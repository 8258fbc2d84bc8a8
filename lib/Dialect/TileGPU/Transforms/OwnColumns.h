/* OwnColumns.h - what each lane holds of rows that several lanes share. */
#ifndef TILE_LIB_DIALECT_TILEGPU_TRANSFORMS_OWNCOLUMNS_H
#define TILE_LIB_DIALECT_TILEGPU_TRANSFORMS_OWNCOLUMNS_H

#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/OpKind.h"
#include "tile-c/Passes.h"

/// A matrix whose columns are shared by lanes, each of which holds runs of neighbours: no warp holds a part of a row.
typedef struct TileOwnColumns {
  int64_t shape[4];    ///< rows, groups of neighbours, lanes, neighbours
  TileLayout elements, ///< reshaped
      partial;         ///< rows, lanes
} TileOwnColumns;

bool tileOwnColumnsOf(const TileLayout *layout, TileOwnColumns *out);

/// f32 or whatever `element` is, a number for each row and lane.
MlirType tileOwnColumnsType(const TileOwnColumns *c, MlirType element);

/// A copy, at the builder's place, of a tile.reduce of one value along another axis of another value.
MlirValue tileReduceAlong(TileBuilder b, MlirOperation reduce, MlirValue v, int axis, MlirType type);

/// What each lane holds of `v`'s rows, reduced as `reduce` does: of tileOwnColumnsType; no lane needs another's.
MlirValue tileReduceOwn(TileBuilder b, MlirOperation reduce, MlirValue v, const TileOwnColumns *c);

/// The same of integers of 32 bits, by an op of `kind` (arith.maxsi, ...).
MlirValue tileReduceOwnIntegers(TileBuilder b, MlirOperation reduce, MlirValue v, const TileOwnColumns *c,
                                TileOpKind kind);

#endif
