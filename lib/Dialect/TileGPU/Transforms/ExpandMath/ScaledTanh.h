/* ScaledTanh.h - tanh of scores beside products; private to the pass. */
#ifndef TILE_LIB_TILEGPU_MATHSCALEDTANH_H
#define TILE_LIB_TILEGPU_MATHSCALEDTANH_H
#include "MathBuilder.h"

/// Replaces the last of the products by factors that are the same everywhere which take the result of `op` (tanh of f32 tensors;
/// the op itself, if there are none), and gives it: unused, as are the ops between them. `bySign`: scores are told from larger ones by
/// a sign that the polynomial has to be computed for; else by their magnitudes, so that nothing of it is alive at the branch.
MlirOperation mathScaledTanh(MathBuilder *m, MlirOperation op, bool bySign);
#endif
