/* Catalog.h - the functions that the accuracy test measures. */
#ifndef TILE_TEST_MATH_CATALOG_H
#define TILE_TEST_MATH_CATALOG_H
#include "Functions.h"

enum { MATH_MAX_ARITY = 4 };

typedef struct MathCase {
  const char *name;
  int arity;
  MathExpander f32, f64;
  double bound32, bound64; ///< ulp
  double allowed32; ///< if not 0: what may be reached with every primitive at its bound, where that is above
                    ///< bound32
  double (*unary)(double);               ///< reference for f32
  double (*binary)(double, double);      ///< the same of two arguments
  long double (*unaryLong)(long double); ///< reference for f64
  long double (*binaryLong)(long double, long double);
  double (*many)(const double *x);                     ///< reference for f32 of more than two arguments
  double from[MATH_MAX_ARITY], to[MATH_MAX_ARITY];     ///< where half of the inputs are taken from
  double absoluteFrom, absoluteBound, absoluteBound64; ///< if not 0: from this |x| on the error is absolute
  double exceptFrom, exceptTo; ///< where CUDA promises no relative error and neither do we
} MathCase;

extern const MathCase mathCases[];
extern const int mathNumCases;

#endif
