/* Exponential.c - exp and its family from exp2. */
#include "Functions.h"

/* exp(x) = 2^t * 2^c with t = x * log2(e) rounded and c the exact rest, so that the error of the product,
 * which grows with |x|, is taken back: 2^c = 1 + c * ln 2 to second order. Where t overflows or is not
 * finite, 2^t is the answer. */
MlirValue mathExp(MathBuilder *m, const MlirValue *x) {
  MlirValue log2e = mathConstant(m, 0x1.715476p+0), log2eLow = mathConstant(m, 0x1.4ae0c0p-26),
            ln2 = mathConstant(m, 0x1.62e430p-1);
  MlirValue t = mathMul(m, x[0], log2e);
  MlirValue zero = mathConstant(m, 0), minusT = mathSub(m, zero, t);
  MlirValue c = mathFma(m, x[0], log2eLow, mathFma(m, x[0], log2e, minusT));
  MlirValue power = mathUnary(m, TileOp_Math_Exp2, t);
  MlirValue corrected = mathFma(m, mathMul(m, c, ln2), power, power);
  MlirValue inside = mathCompare(m, 4, mathAbs(m, t), mathConstant(m, 126));
  return mathSelect(m, inside, corrected, power);
}
