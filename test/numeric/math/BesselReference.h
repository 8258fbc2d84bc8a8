/* BesselReference.h - Bessel functions in 80 bits, right beside their zeros. */
#ifndef TILE_TEST_MATH_BESSELREFERENCE_H
#define TILE_TEST_MATH_BESSELREFERENCE_H
#include <stdbool.h>

long double referenceJ0(long double x);
long double referenceJ1(long double x);
long double referenceY0(long double x);
long double referenceY1(long double x);

#endif
