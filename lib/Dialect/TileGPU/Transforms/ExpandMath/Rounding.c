/* Rounding.c - rounding to integers other than the hardware's own ways, and functions of one comparison. */
#include "Functions.h"

/* Half away from zero: truncate after adding the float before 1/2 (1/2 itself would carry 0.49999997 up to
 * 1). */
MlirValue mathRound(MathBuilder *m, const MlirValue *x) {
  double half = mathWidth(m) == 64 ? 0x1.fffffffffffffp-2 : 0x1.fffffep-2;
  MlirValue moved = mathAdd(m, x[0], mathCopySign(m, mathConstant(m, half), x[0]));
  return mathUnary(m, TileOp_Math_Trunc, moved);
}

/* x - y where x > y, else 0; NaN stays. */
MlirValue mathFdim(MathBuilder *m, const MlirValue *x) {
  MlirValue notAbove = mathCompare(m, MathOrder_LE, x[0], x[1]);
  return mathSelect(m, notAbove, mathConstant(m, 0), mathSub(m, x[0], x[1]));
}

/* To [0, 1]; NaN gives 0. */
MlirValue mathSaturate(MathBuilder *m, const MlirValue *x) {
  MlirValue low = mathBinary(m, TileOp_Arith_MaxNumF, x[0], mathConstant(m, 0));
  return mathBinary(m, TileOp_Arith_MinNumF, low, mathConstant(m, 1));
}

/* math.clampf: max, then min, numbers winning over NaN. */
MlirValue mathClamp(MathBuilder *m, const MlirValue *x) {
  return mathBinary(m, TileOp_Arith_MinNumF, mathBinary(m, TileOp_Arith_MaxNumF, x[0], x[1]), x[2]);
}
