/* FormRanges.h - private to FormConditions.c and FormRanges.c: numbers of a guard, and between what they lie in all iterations of a
 * loop. */
#ifndef TILE_LIB_TILEGPU_FORMRANGES_H
#define TILE_LIB_TILEGPU_FORMRANGES_H
#include "FormConditions.h"

/// A constant of 64 bits.
MlirValue tileGuardNumber(TileBoxGuard *g, int64_t n);
MlirValue tileGuardTwo(TileBoxGuard *g, TileOpKind kind, MlirValue x, MlirValue y);
/// The guard holds only if x <= y.
void tileGuardRequire(TileBoxGuard *g, MlirValue x, MlirValue y);
/// The value again at the insertion point, in 64 bits.
MlirValue tileGuardWide(TileBoxGuard *g, MlirValue v);

/// Bounds of a number, in 64 bits.
typedef struct TileGuardRange {
  MlirValue low, high;
} TileGuardRange;

/// Between what a number lies in all iterations of g->scan, and that it is computed without wrapping around: more is asked than has
/// to be, but once. False if an op on the way is none of those that are known.
bool tileGuardRangeInLoop(TileBoxGuard *g, MlirValue v, TileGuardRange *out);

#endif
