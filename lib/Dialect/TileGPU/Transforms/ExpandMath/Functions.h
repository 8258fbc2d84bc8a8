/* Functions.h - the expanders, by family. Each states its error bound where it is defined. */
#ifndef TILE_LIB_TILEGPU_MATHFUNCTIONS_H
#define TILE_LIB_TILEGPU_MATHFUNCTIONS_H
#include "MathBuilder.h"

MlirValue mathExp(MathBuilder *m, const MlirValue *x);

#endif
