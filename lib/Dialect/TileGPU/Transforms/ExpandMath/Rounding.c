/* Rounding.c - rounding to integers other than the hardware's own ways. */
#include "Functions.h"

/* Half away from zero: truncate after adding the float before 1/2 (1/2 itself would carry 0.49999997 up to
 * 1). */
MlirValue mathRound(MathBuilder *m, const MlirValue *x) {
  double half = mathWidth(m) == 64 ? 0x1.fffffffffffffp-2 : 0x1.fffffep-2;
  MlirValue moved = mathAdd(m, x[0], mathCopySign(m, mathConstant(m, half), x[0]));
  return mathUnary(m, TileOp_Math_Trunc, moved);
}
