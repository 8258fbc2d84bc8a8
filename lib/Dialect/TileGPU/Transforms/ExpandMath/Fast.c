/* Fast.c - libdevice's __nv_fast_* functions: the hardware's primitives with the least around them. Their
 * error grows with the argument; docs/math.md says how. */
#include "Functions.h"

static MlirValue exp2Of(MathBuilder *m, MlirValue x) { return mathUnary(m, TileOp_Math_Exp2, x); }
static MlirValue log2Of(MathBuilder *m, MlirValue x) { return mathUnary(m, TileOp_Math_Log2, x); }

MlirValue mathFastExp(MathBuilder *m, const MlirValue *x) {
  return exp2Of(m, mathMulK(m, x[0], 0x1.715476p+0));
}
MlirValue mathFastExp10(MathBuilder *m, const MlirValue *x) {
  return exp2Of(m, mathMulK(m, x[0], 0x1.a934f0p+1));
}
MlirValue mathFastLog(MathBuilder *m, const MlirValue *x) {
  return mathMulK(m, log2Of(m, x[0]), 0x1.62e430p-1);
}
MlirValue mathFastLog2(MathBuilder *m, const MlirValue *x) { return log2Of(m, x[0]); }
MlirValue mathFastLog10(MathBuilder *m, const MlirValue *x) {
  return mathMulK(m, log2Of(m, x[0]), 0x1.344136p-2);
}
MlirValue mathFastPow(MathBuilder *m, const MlirValue *x) {
  return exp2Of(m, mathMul(m, x[1], log2Of(m, x[0])));
}
MlirValue mathFastDivide(MathBuilder *m, const MlirValue *x) { return mathDiv(m, x[0], x[1]); }

/* As accurate as the others up to 2^16; the reduction of larger arguments is left out. */
static MlirValue unreduced(MathBuilder *m, const MlirValue *x, MathExpander expander) {
  MathBuilder narrow = *m;
  narrow.narrow = true;
  return expander(&narrow, x);
}
MlirValue mathFastSin(MathBuilder *m, const MlirValue *x) { return unreduced(m, x, mathSin); }
MlirValue mathFastCos(MathBuilder *m, const MlirValue *x) { return unreduced(m, x, mathCos); }
MlirValue mathFastTan(MathBuilder *m, const MlirValue *x) { return unreduced(m, x, mathTan); }
