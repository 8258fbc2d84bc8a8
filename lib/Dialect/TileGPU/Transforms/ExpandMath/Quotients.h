/* Quotients.h - fast divisions by what is known to be in range; private to the pass. */
#ifndef TILE_LIB_TILEGPU_MATHQUOTIENTS_H
#define TILE_LIB_TILEGPU_MATHQUOTIENTS_H
#include "MathBuilder.h"

/// An f32 division by a constant of at least 2^-120 plus a value that is not negative, by a whole number, a square root or the
/// sum of a softmax. To be asked before functions are expanded.
bool mathIsQuotient(MlirOperation op);
/// Whether a value is the sum of a softmax: 0, NaN, or at least 1 and at most the number of elements.
bool mathIsSoftmaxSum(MlirValue v);
/// Whether a value is a whole number of at most 2^64: 0, or at least 1. Not for values of other types than f32.
bool mathIsCount(MlirValue v);
/// Whether a value is a float constant, the same in all elements.
bool mathConstantOf(MlirValue v, double *out_value);
/// Replaces such a division by one that needs no scaling; m->type is its type.
void mathScaleQuotient(MathBuilder *m, MlirOperation op);

#endif
