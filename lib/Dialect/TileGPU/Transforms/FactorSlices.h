/* FactorSlices.h - what a factor of a product in a loop is computed of, element by element, slice by slice along K (tile-gpu-prefetch). */
#ifndef TILE_LIB_TILEGPU_FACTORSLICES_H
#define TILE_LIB_TILEGPU_FACTORSLICES_H
#include "tile-c/Dialect/TileGPU.h"

enum { TILE_MOST_FACTOR_READS = 3, TILE_MOST_FACTOR_OPS = 24 };

/// A read of a buffer that an argument of the loop's body chooses.
typedef struct TileFactorRead {
  TileGPULocalLoadOp load;
  TileGPUIndexOp index;
  TileGPUTransOp trans; ///< between the two; null if none
  int dim;              ///< of what is read, along K
  MlirType fragment;    ///< of one slice
} TileFactorRead;

/// Set `body`, `value` and `dim`, leave the rest zero.
typedef struct TileFactor {
  MlirBlock body;
  MlirValue value; ///< what the product takes
  int dim;         ///< of it, K
  TileFactorRead reads[TILE_MOST_FACTOR_READS];
  int numReads;
  struct {
    MlirOperation op;
    MlirType type;   ///< of a slice of its result
    int dim;         ///< of that, K
    MlirValue value; ///< the slice that was made last
  } ops
      [TILE_MOST_FACTOR_OPS]; ///< from reads to `value`, operands first; used by one another and by products alone
  int numOps;
} TileFactor;

/// Fills in the reads and ops, of slices of `value` of the type `slice`; false if the factor cannot be had so. Beside reads it takes values that are
/// equal along K or computed of ranges (SliceValues.h), and vectors along K in whatever layout. Masks that hide parts of K alone stay whole:
/// where none is false, all of them are skipped (tile-gpu-skip-masks).
bool tileFindFactor(TileFactor *f, MlirType slice);
/// Whether all iterations compute the factor of its reads in the same way.
bool tileIsFactorInvariant(const TileFactor *f);
/// Slice `s` of a read, from the buffer that `index` chooses.
MlirValue tileReadSlice(TileBuilder b, const TileFactorRead *read, MlirValue index, int64_t s);
/// Slice `s` of the factor, of these slices of its reads.
MlirValue tileMakeSlice(TileBuilder b, TileFactor *f, const MlirValue *reads, int64_t s);
/// Erases what the whole factor was computed by, when no product takes it any longer.
void tileEraseFactor(TileBuilder b, const TileFactor *f);
#endif
