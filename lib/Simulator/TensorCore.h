/* TensorCore.h - private to lib/Simulator: the sums of NVIDIA's matrix instructions, as the hardware rounds them.
 *
 * The accumulator and the products of a pass are aligned at the largest exponent among them, where a product's
 * exponent is the sum of its factors' (a subnormal number's is that of its type's smallest normal one); what is below
 * fractionBits + guardBits bits of that exponent is cut off; the sum of what is left is exact and is cut off to 1 + fractionBits
 * bits, or rounded to f16. Passes follow each other in ascending k.
 *
 * Seen on an H200 (test/data/simulator/h200_programs.json): one pass of 16 products of 16-bit numbers or 8 of
 * tf32, fractionBits 23, guardBits 2; wgmma of 8-bit floats: one pass of 32, fractionBits 13, guardBits 0. Sums with infinities or
 * NaN are those of f64. An A100 takes 8 or 4 at a time and has
 * guardBits 1: M. Fasi et al., "Numerical behavior of NVIDIA tensor cores", PeerJ Computer Science 7:e330, 2021. */
#ifndef TILE_LIB_SIMULATOR_TENSORCORE_H
#define TILE_LIB_SIMULATOR_TENSORCORE_H
#include "Fragments.h"

typedef struct SimSumRule {
  unsigned terms;     ///< products of one pass
  int fractionBits;   ///< of a sum of f32 that are kept: 23, or fewer
  int guardBits;      ///< fraction bits beyond these that take part
  int leastA, leastB; ///< exponents of the factors' smallest normal numbers
  int leastSum;       ///< the same of the accumulator's
  bool isHalf;        ///< f16 accumulators: the last sum is not cut off, so that it is rounded to f16 alone
} SimSumRule;

/// c += a * b: a is [m][k], b is [k][n], c is [m][n], m, n at most 16, k at most 64. Numbers are f32 or shorter;
/// c ends as numbers of at most 24 bits, or as what has to be rounded to f16.
void simTensorCoreMultiply(const SimMatrixShape *s, SimSumRule rule, const double *a, const double *b,
                           double *c);

/// Hopper has no mma.sync of 8-bit floats: two passes of f16, over k = 0, 1, 4, 5, ... and over 2, 3, 6, 7, ...,
/// start at zero, and c is added to nearest. With f16 accumulators each pass gives f16. Seen on an H200.
void simTensorCoreFloat8AsHalf(const SimMatrixShape *s, SimSumRule rule, bool halfSums, const double *a,
                               const double *b, double *c);
#endif
