/* Combine.h - the body of a reduce or a scan, applied to two partial results. */
#ifndef TILE_LIB_CONVERSION_COMBINE_H
#define TILE_LIB_CONVERSION_COMBINE_H
#include "Lowering.h"

enum { TileCombiner_MaxOperands = 16 };

/// One partial result: a value for each operand of the op.
typedef struct TilePartial {
  MlirValue values[TileCombiner_MaxOperands];
} TilePartial;

typedef struct TileCombiner {
  TileLowering *l;
  MlirOperation op;
  MlirBlock body;
  intptr_t n;  ///< operands of the op
  bool failed; ///< an op of the body could not be lowered (and said so)
} TileCombiner;

/// Fails if the op has too many operands.
MlirLogicalResult tileCombinerInit(TileLowering *l, MlirOperation op, TileCombiner *out);
/// The body on a and b: emitted anew at each call. Returns a once something has failed.
TilePartial tileCombine(TileCombiner *c, const TilePartial *a, const TilePartial *b);
/// Register `reg` of every operand.
TilePartial tilePartialOfRegister(const TileCombiner *c, int64_t reg);
/// b where the condition holds, a elsewhere.
TilePartial tilePartialSelect(const TileCombiner *c, MlirValue condition, const TilePartial *a,
                              const TilePartial *b);

#endif
