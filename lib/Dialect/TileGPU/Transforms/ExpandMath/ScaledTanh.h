/* ScaledTanh.h - tanh of scores beside products; private to the pass. */
#ifndef TILE_LIB_TILEGPU_MATHSCALEDTANH_H
#define TILE_LIB_TILEGPU_MATHSCALEDTANH_H
#include "MathBuilder.h"

/// Replaces the last of the products by factors that are the same everywhere which take the result of `op` (tanh of f32 tensors;
/// the op itself, if there are none), and gives it: unused, as are the ops between them. `bySign`: scores are told from larger ones by
/// a sign that the polynomial has to be computed for; else by their magnitudes, so that nothing of it is alive at the branch.
MlirOperation mathScaledTanh(MathBuilder *m, MlirOperation op, bool bySign);

/// A selection marked `tile_gpu.usual`, by a scalar from outside of the loop, between a short form of what products by factors that are the same
/// everywhere make of `op` and what they are, if that is the exponent of weights and nothing else; then it takes the place of the latter. Null if not.
MlirValue mathCappedExponent(MathBuilder *m, MlirOperation op);
#endif
