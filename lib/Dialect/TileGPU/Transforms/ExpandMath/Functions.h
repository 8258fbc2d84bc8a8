/* Functions.h - the expanders, by family. docs/math.md lists the error measured for each. */
#ifndef TILE_LIB_TILEGPU_MATHFUNCTIONS_H
#define TILE_LIB_TILEGPU_MATHFUNCTIONS_H
#include "MathBuilder.h"

/* Exponential.c */
MlirValue mathExp(MathBuilder *m, const MlirValue *x);
MlirValue mathExp10(MathBuilder *m, const MlirValue *x);
MlirValue mathExpM1(MathBuilder *m, const MlirValue *x);
/// 2^n for an integer n near t; 2^t = 2^(t - n) * power for every t.
typedef struct MathScale {
  MlirValue n, power;
} MathScale;
MathScale mathScaleOf(MathBuilder *m, MlirValue t);
/// exp(x.high + x.low) = (1 + p) * first * second, for -110 <= x.high <= 89.
typedef struct MathPowerParts {
  MlirValue p, first, second;
} MathPowerParts;
MathPowerParts mathExpParts(MathBuilder *m, MathPair x);
/// 2^(x.high + x.low) likewise, for |x.high| <= 250.
MathPowerParts mathExp2Parts(MathBuilder *m, MathPair x);
/// exp(x) / 4 to 1 ulp, without the hardware's exp2; 0 <= x, large x give a value of 2^126 or more.
MlirValue mathExpQuarter(MathBuilder *m, MlirValue x);

/* Logarithm.c */
MlirValue mathLog(MathBuilder *m, const MlirValue *x);
MlirValue mathLog2(MathBuilder *m, const MlirValue *x);
MlirValue mathLog10(MathBuilder *m, const MlirValue *x);
MlirValue mathLog1p(MathBuilder *m, const MlirValue *x);

/* Power.c */
MathPair mathLog2Pair(MathBuilder *m, MlirValue a);
MlirValue mathPow(MathBuilder *m, const MlirValue *x);

/* Trigonometric.c */
MlirValue mathSin(MathBuilder *m, const MlirValue *x);
MlirValue mathCos(MathBuilder *m, const MlirValue *x);
MlirValue mathTan(MathBuilder *m, const MlirValue *x);

/* TrigReduction.c */
/// x = remainder + quadrant * pi / 2, |remainder| <= pi / 4 and a little; quadrant modulo 4 in the low bits.
typedef struct MathReduced {
  MlirValue remainder, quadrant;
} MathReduced;
MathReduced mathReduceHalfPi(MathBuilder *m, MlirValue x);
/// The cosine of what was reduced (Trigonometric.c).
MlirValue mathCosineOf(MathBuilder *m, MathReduced r);

/* InverseTrig.c */
MlirValue mathAsin(MathBuilder *m, const MlirValue *x);
MlirValue mathAcos(MathBuilder *m, const MlirValue *x);
MlirValue mathAtan(MathBuilder *m, const MlirValue *x);
MlirValue mathAtan2(MathBuilder *m, const MlirValue *x);

/* Hyperbolic.c */
MlirValue mathSinh(MathBuilder *m, const MlirValue *x);
MlirValue mathCosh(MathBuilder *m, const MlirValue *x);
MlirValue mathTanh(MathBuilder *m, const MlirValue *x);
MlirValue mathAsinh(MathBuilder *m, const MlirValue *x);
MlirValue mathAcosh(MathBuilder *m, const MlirValue *x);
MlirValue mathAtanh(MathBuilder *m, const MlirValue *x);

/* ErrorFunctions.c */
MlirValue mathErf(MathBuilder *m, const MlirValue *x);
MlirValue mathErfc(MathBuilder *m, const MlirValue *x);
MlirValue mathErfcx(MathBuilder *m, const MlirValue *x);
MlirValue mathNormCdf(MathBuilder *m, const MlirValue *x);
/// exp(x^2) erfc(x) for 0 <= x.
MathPair mathScaledComplement(MathBuilder *m, MlirValue x);

/* SinPi.c */
MlirValue mathSinPi(MathBuilder *m, const MlirValue *x);
MlirValue mathCosPi(MathBuilder *m, const MlirValue *x);

/* Roots.c */
MlirValue mathCbrt(MathBuilder *m, const MlirValue *x);
MlirValue mathRcbrt(MathBuilder *m, const MlirValue *x);
MlirValue mathHypot(MathBuilder *m, const MlirValue *x);
MlirValue mathNorm3(MathBuilder *m, const MlirValue *x);
MlirValue mathNorm4(MathBuilder *m, const MlirValue *x);
MlirValue mathRhypot(MathBuilder *m, const MlirValue *x);
MlirValue mathRnorm3(MathBuilder *m, const MlirValue *x);
MlirValue mathRnorm4(MathBuilder *m, const MlirValue *x);

/* ErrorInverse.c */
MlirValue mathErfInv(MathBuilder *m, const MlirValue *x);
MlirValue mathErfcInv(MathBuilder *m, const MlirValue *x);
MlirValue mathNormCdfInv(MathBuilder *m, const MlirValue *x);

/* Gamma.c */
MlirValue mathLgamma(MathBuilder *m, const MlirValue *x);
MlirValue mathTgamma(MathBuilder *m, const MlirValue *x);

/* Bessel.c, BesselModified.c */
MlirValue mathJ0(MathBuilder *m, const MlirValue *x);
MlirValue mathJ1(MathBuilder *m, const MlirValue *x);
MlirValue mathY0(MathBuilder *m, const MlirValue *x);
MlirValue mathY1(MathBuilder *m, const MlirValue *x);
MlirValue mathI0(MathBuilder *m, const MlirValue *x);
MlirValue mathI1(MathBuilder *m, const MlirValue *x);

/* Rounding.c */
MlirValue mathRound(MathBuilder *m, const MlirValue *x);
MlirValue mathFdim(MathBuilder *m, const MlirValue *x);
MlirValue mathSaturate(MathBuilder *m, const MlirValue *x);
MlirValue mathClamp(MathBuilder *m, const MlirValue *x);

/* Remainder.c */
MlirValue mathFmod(MathBuilder *m, const MlirValue *x);
MlirValue mathRemainder(MathBuilder *m, const MlirValue *x);

/* Bits.c; mathLdexp's second argument and mathIlogb's result are integers of the float's width */
MlirValue mathNextAfter(MathBuilder *m, const MlirValue *x);
MlirValue mathLogb(MathBuilder *m, const MlirValue *x);
MlirValue mathIlogb(MathBuilder *m, const MlirValue *x);
MlirValue mathLdexp(MathBuilder *m, const MlirValue *x);

/* Integers.c; values are MathType_Int or what libdevice's signature says */
typedef enum MathTest {
  MathTest_NaN,
  MathTest_Infinite,
  MathTest_Finite,
  MathTest_Sign,
  MathTest_Normal,    ///< of f32, bf16 and f64
  MathTest_NormalHalf ///< of what was f16
} MathTest;
MlirValue mathAbsInt(MathBuilder *m, const MlirValue *x);
MlirValue mathMulHigh(MathBuilder *m, const MlirValue *x);
MlirValue mathMul24(MathBuilder *m, const MlirValue *x);
MlirValue mathSad(MathBuilder *m, const MlirValue *x);
MlirValue mathAverage(MathBuilder *m, const MlirValue *x);
MlirValue mathAverageUp(MathBuilder *m, const MlirValue *x);
MlirValue mathCountLeadingZeros(MathBuilder *m, const MlirValue *x);
MlirValue mathPopulation(MathBuilder *m, const MlirValue *x);
MlirValue mathFindFirst(MathBuilder *m, const MlirValue *x);
MlirValue mathReverseBits(MathBuilder *m, const MlirValue *x);
MlirValue mathBytePermute(MathBuilder *m, const MlirValue *x);
MlirValue mathBitsOf(MathBuilder *m, const MlirValue *x);
MlirValue mathOfBits(MathBuilder *m, const MlirValue *x);
MlirValue mathHalfOfBits(MathBuilder *m, const MlirValue *x);
MlirValue mathOfHalves(MathBuilder *m, const MlirValue *x);
MlirValue mathHalfToFloat(MathBuilder *m, const MlirValue *x);
MlirValue mathFloatToHalf(MathBuilder *m, const MlirValue *x);
MlirValue mathTest(MathBuilder *m, const MlirValue *x);
MlirValue mathTestInt(MathBuilder *m, const MlirValue *x);
MlirValue mathLdexpI32(MathBuilder *m, const MlirValue *x);
MlirValue mathIlogbI32(MathBuilder *m, const MlirValue *x);
MlirValue mathPowI32(MathBuilder *m, const MlirValue *x);
MlirValue mathIntPow(MathBuilder *m, const MlirValue *x);

/* Directed.c */
typedef enum MathRounding {
  MathRounding_Nearest,
  MathRounding_Zero,
  MathRounding_Down,
  MathRounding_Up
} MathRounding;
MlirValue mathToI32(MathBuilder *m, const MlirValue *x);
MlirValue mathToU32(MathBuilder *m, const MlirValue *x);
MlirValue mathToI64(MathBuilder *m, const MlirValue *x);
MlirValue mathToU64(MathBuilder *m, const MlirValue *x);
MlirValue mathRoundToI64(MathBuilder *m, const MlirValue *x);
MlirValue mathF64ToF32(MathBuilder *m, const MlirValue *x);
MlirValue mathI32ToF32(MathBuilder *m, const MlirValue *x);
MlirValue mathU32ToF32(MathBuilder *m, const MlirValue *x);
MlirValue mathI32ToF64(MathBuilder *m, const MlirValue *x);
MlirValue mathU32ToF64(MathBuilder *m, const MlirValue *x);
MlirValue mathI64ToF32(MathBuilder *m, const MlirValue *x);
MlirValue mathU64ToF32(MathBuilder *m, const MlirValue *x);
MlirValue mathI64ToF64(MathBuilder *m, const MlirValue *x);
MlirValue mathU64ToF64(MathBuilder *m, const MlirValue *x);
MlirValue mathAddDirected(MathBuilder *m, const MlirValue *x);
MlirValue mathSubDirected(MathBuilder *m, const MlirValue *x);
MlirValue mathMulDirected(MathBuilder *m, const MlirValue *x);
MlirValue mathDivDirected(MathBuilder *m, const MlirValue *x);
MlirValue mathRcpDirected(MathBuilder *m, const MlirValue *x);
MlirValue mathSqrtDirected(MathBuilder *m, const MlirValue *x);
MlirValue mathFmaDirected(MathBuilder *m, const MlirValue *x);
MlirValue mathRsqrtExact(MathBuilder *m, const MlirValue *x);

/* Fast.c */
MlirValue mathFastExp(MathBuilder *m, const MlirValue *x);
MlirValue mathFastExp10(MathBuilder *m, const MlirValue *x);
MlirValue mathFastLog(MathBuilder *m, const MlirValue *x);
MlirValue mathFastLog2(MathBuilder *m, const MlirValue *x);
MlirValue mathFastLog10(MathBuilder *m, const MlirValue *x);
MlirValue mathFastPow(MathBuilder *m, const MlirValue *x);
MlirValue mathFastDivide(MathBuilder *m, const MlirValue *x);
MlirValue mathFastSin(MathBuilder *m, const MlirValue *x);
MlirValue mathFastCos(MathBuilder *m, const MlirValue *x);
MlirValue mathFastTan(MathBuilder *m, const MlirValue *x);

/* Wide.c, WideLogarithm.c: f64 */
MlirValue mathWideExp(MathBuilder *m, const MlirValue *x);
MlirValue mathWideExp2Of(MathBuilder *m, const MlirValue *x);
MlirValue mathWideExp10(MathBuilder *m, const MlirValue *x);
MlirValue mathWideExpM1(MathBuilder *m, const MlirValue *x);
MlirValue mathWideTanh(MathBuilder *m, const MlirValue *x);
MlirValue mathWideErf(MathBuilder *m, const MlirValue *x);
MlirValue mathWideLog(MathBuilder *m, const MlirValue *x);
MlirValue mathWideLog2(MathBuilder *m, const MlirValue *x);
MlirValue mathWideLog10(MathBuilder *m, const MlirValue *x);
MlirValue mathWideLog1p(MathBuilder *m, const MlirValue *x);
MlirValue mathWideRsqrt(MathBuilder *m, const MlirValue *x);
/// exp(x) / 2^shift, and exp(x.high + x.low).
MlirValue mathWideExpScaled(MathBuilder *m, MlirValue x, int shift);
MlirValue mathWideExpOf(MathBuilder *m, MathPair x);
/// erf(x) for |x| < 1.
MlirValue mathWideErfSmall(MathBuilder *m, MlirValue x);
/// 2^(x.high + x.low), and infinity or 0 where that is beyond f64.
MlirValue mathWideExp2(MathBuilder *m, MathPair x);

/// Marks powers of two whose subnormal results may be 0 (Vanish.c).
void mathMarkVanishing(MlirOperation module);

#endif
