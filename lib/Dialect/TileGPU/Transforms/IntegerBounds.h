/* IntegerBounds.h - scalars between which all elements of a tensor of integers lie, computed beside it. */
#ifndef TILE_LIB_TILEGPU_INTEGERBOUNDS_H
#define TILE_LIB_TILEGPU_INTEGERBOUNDS_H
#include "tile-c/Dialect/Arith.h"
#include "tile-c/IR.h"

/// Where the scalars are computed, and what has to hold for them to mean something.
typedef struct TileBoundsBuilder {
  TileBuilder b;
  MlirContext context;
  MlirLocation loc;
  MlirType i1, i64;
  MlirValue exact; ///< that sums which have to be exact do not wrap around; null: nothing asked yet
  bool
      overLoops; ///< in all iterations of the loops around: what is asked is the same in each, and asked in front of them
} TileBoundsBuilder;

/// Scalars of i64 between which all elements lie, if the integers' own arithmetic does not wrap around.
typedef struct TileIntegerBounds {
  MlirValue low, high;
} TileIntegerBounds;

TileBoundsBuilder tileBoundsBuilderMake(TileBuilder b, MlirContext context);

/// Of a tensor of i32, or a scalar: sums, differences, minima and maxima of ranges and scalars, however broadcast. False if
/// it is none (what was computed for it is dead).
bool tileIntegerBoundsOf(TileBoundsBuilder *s, MlirValue v, TileIntegerBounds *out);

/// Asks for all elements to be what they are without bounds of the type: sums are taken modulo 2^32, so that one that is in
/// range is exact.
void tileBoundsNeedExact(TileBoundsBuilder *s, const TileIntegerBounds *x);

/// i1: that all elements lie between -most and most.
MlirValue tileBoundsWithin(TileBoundsBuilder *s, const TileIntegerBounds *x, int64_t most);

MlirValue tileBoundsNumber(TileBoundsBuilder *s, int64_t n); ///< i64
MlirValue tileBoundsTruth(TileBoundsBuilder *s, bool v);     ///< i1
MlirValue tileBoundsCompare(TileBoundsBuilder *s, ArithCmpIPredicate p, MlirValue x, MlirValue y);
MlirValue tileBoundsBoth(TileBoundsBuilder *s, MlirValue x, MlirValue y); ///< of i1; null: nothing is asked
#endif
