/* TanhForms.h - tanh written as a quotient; private to the pass. */
#ifndef TILE_LIB_TILEGPU_MATHTANHFORMS_H
#define TILE_LIB_TILEGPU_MATHTANHFORMS_H
#include "MathBuilder.h"

/// If `op`, of f32, is c - 2 c / (exp(2 x) + 1) in one of the ways in which that is written, c a constant, replaces it by c * tanh(x). m->type is its type.
bool mathFormTanh(MathBuilder *m, MlirOperation op);

#endif
