/* Functions.h - the expanders, by family. docs/math.md lists the error measured for each. */
#ifndef TILE_LIB_TILEGPU_MATHFUNCTIONS_H
#define TILE_LIB_TILEGPU_MATHFUNCTIONS_H
#include "MathBuilder.h"

/* Exponential.c */
MlirValue mathExp(MathBuilder *m, const MlirValue *x);
MlirValue mathExpM1(MathBuilder *m, const MlirValue *x);
/// power * 2^low, low small and the rest of an exponent whose 2^ is power; power where it is 0 or infinite.
MlirValue mathCorrectPower(MathBuilder *m, MlirValue power, MlirValue low);

/* Logarithm.c */
MlirValue mathLog(MathBuilder *m, const MlirValue *x);
MlirValue mathLog2(MathBuilder *m, const MlirValue *x);
MlirValue mathLog10(MathBuilder *m, const MlirValue *x);
MlirValue mathLog1p(MathBuilder *m, const MlirValue *x);

/* Power.c */
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

/* Hyperbolic.c */
MlirValue mathTanh(MathBuilder *m, const MlirValue *x);

/* ErrorFunctions.c */
MlirValue mathErf(MathBuilder *m, const MlirValue *x);

/* Rounding.c */
MlirValue mathRound(MathBuilder *m, const MlirValue *x);

#endif
