/* Dot.h - the shape and scratch memory of a matrix product; private to lib/Interpreter. */
#ifndef TILE_LIB_INTERPRETER_DOT_H
#define TILE_LIB_INTERPRETER_DOT_H
#include "Decode.h"

/// acc [m, n] += a [m, k] * b [k, n], row-major, each sum a chain of f32 fma in ascending k.
void interpMultiplyAdd(float *acc, const float *a, const float *b, int64_t m, int64_t n, int64_t k);

/// acc from and to the elements of a float tensor, from element `start`.
void interpLoadFloats(const Slot *slot, int64_t start, int64_t count, float *out);
void interpStoreFloats(Slot *slot, int64_t start, int64_t count, const float *values);

#endif
