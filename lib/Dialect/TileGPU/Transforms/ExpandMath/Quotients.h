/* Quotients.h - divisions by a sum that cannot be small; private to the pass. */
#ifndef TILE_LIB_TILEGPU_MATHQUOTIENTS_H
#define TILE_LIB_TILEGPU_MATHQUOTIENTS_H
#include "MathBuilder.h"

/// An f32 division by a constant of at least 2^-120 plus a value that is not negative. To be asked before
/// functions are expanded.
bool mathIsQuotient(MlirOperation op);
/// Replaces such a division by one that needs no scaling; m->type is its type.
void mathScaleQuotient(MathBuilder *m, MlirOperation op);

#endif
