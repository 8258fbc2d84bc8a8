/* Exponents.h - values that are exponents of weights alone; private to the pass. */
#ifndef TILE_LIB_TILEGPU_MATHEXPONENTS_H
#define TILE_LIB_TILEGPU_MATHEXPONENTS_H
#include "tile-c/IR.h"

/// Whether `v`, chosen or replaced by selections or not, has no other use than a maximum over an axis and differences that
/// exp or exp2 take whose results become numbers of 16 bits or fewer, and are summed up: scores of attention.
bool mathIsExponent(MlirValue v);
#endif
