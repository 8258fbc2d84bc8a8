/* Evaluate.h - executes the expanders of tile-gpu-expand-math on arrays: the seven functions of MathBuilder.h
 * with an MlirValue that points to an array instead of IR.
 *
 * Each op is computed here from its definition (docs/spec/numerics.md), independently of the interpreter and
 * of the lowering. The primitives that hardware only approximates (exp2, log2, sqrt, rsqrt and division of
 * f32) take an error as large as the documents of the hardware allow, up, down or at random. */
#ifndef TILE_TEST_MATH_EVALUATE_H
#define TILE_TEST_MATH_EVALUATE_H
#include "Functions.h"
#include <stdint.h>

typedef enum EvalError {
  EvalError_None,
  EvalError_Up,
  EvalError_Down,
  EvalError_Random,
  EvalError_Count
} EvalError;

enum { EVAL_CHUNK = 4096 };

typedef struct Eval {
  MathBuilder builder; ///< first: handed to expanders
  int width;           ///< 32 or 64
  int count;           ///< elements in use, at most EVAL_CHUNK
  EvalError error;
  bool amd; ///< AMD's bounds for the primitives, else NVIDIA's
  char *memory;
  size_t used, size;
  uint64_t ops; ///< ops of the last expansion, constants not counted
} Eval;

/// Memory for `values` arrays of an expansion.
void evalInit(Eval *e, int values);
void evalRelease(Eval *e);
/// Forgets all values and chooses the type.
void evalReset(Eval *e, int width, int count, EvalError error);
/// An array of count elements (float, double, int32_t or int64_t; i1 is an int).
MlirValue evalNew(Eval *e);
static inline void *evalData(MlirValue v) { return (void *)v.ptr; }
#endif
