/* Parameters.h - parameters that a pass adds to a kernel; the launcher knows them by attributes (ProgramLoop.h, HandOn.h). */
#ifndef TILE_LIB_TILEGPU_PARAMETERS_H
#define TILE_LIB_TILEGPU_PARAMETERS_H
#include "tile-c/IR.h"

/// Appends `n` parameters of a type to a func.func, which has no results.
void tileAppendParameters(MlirOperation function, intptr_t n, MlirType type, MlirValue *out);

#endif
