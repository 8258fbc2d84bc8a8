/* ErrorFunctions.c - erf and its family. */
#include "Functions.h"

/* erf(x) = x + x * P(x^2), |x| < 1: relative error below 2^-24.3. */
static const double erfSmall[] = {0x1.06eba2p-3,  -0x1.81266cp-2, 0x1.ce078ep-4,
                                  -0x1.b589e6p-6, 0x1.41b700p-8,  -0x1.25204cp-11};
/* log2(erfc(x)) = x * L(x), 1 <= x <= 3.9: relative error of erf below 2^-30.7. Falls below -25 for all
 * larger x. */
static const double erfcLog[] = {-0x1.a0dc50p+0, -0x1.d506ccp-1, -0x1.3ac28ep-3, 0x1.1bc360p-5,
                                 -0x1.634234p-8, 0x1.092c20p-11, -0x1.51e9aap-16};

MlirValue mathErf(MathBuilder *m, const MlirValue *x) {
  MlirValue a = mathAbs(m, x[0]), one = mathConstant(m, 1);
  MlirValue exponent = mathMul(m, a, mathPolynomial(m, a, erfcLog, TILE_COUNTOF(erfcLog)));
  MlirValue large = mathSub(m, one, mathUnary(m, TileOp_Math_Exp2, exponent));
  large = mathCopySign(m, large, x[0]);
  MlirValue p = mathPolynomial(m, mathMul(m, a, a), erfSmall, TILE_COUNTOF(erfSmall));
  MlirValue isSmall = mathCompareK(m, MathOrder_LT, a, 1);
  return mathSelect(m, isSmall, mathFma(m, x[0], p, x[0]), large);
}
