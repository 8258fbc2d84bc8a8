/* MathBuilder.h - short forms for writing a math function as arith and math ops on scalars or whole tensors.
 */
#ifndef TILE_LIB_TILEGPU_MATHBUILDER_H
#define TILE_LIB_TILEGPU_MATHBUILDER_H
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Target.h"

typedef struct MathBuilder {
  TileBuilder b;
  MlirLocation loc;
  MlirContext context;
  MlirType type; ///< float type being computed in: f32, f64 or a tensor of it
  const TileTargetInfo *target;
  bool precise;
} MathBuilder;

/// Writes the value of a function of x[0], x[1] ... in m->type; null: not supported for this type.
typedef MlirValue (*MathExpander)(MathBuilder *m, const MlirValue *x);

MlirValue mathEmit(MathBuilder *m, TileOpKind kind, MlirType result, intptr_t n, const MlirValue *x);
MlirValue mathUnary(MathBuilder *m, TileOpKind kind, MlirValue x);
MlirValue mathBinary(MathBuilder *m, TileOpKind kind, MlirValue a, MlirValue b);
MlirValue mathConstant(MathBuilder *m, double value);
MlirValue mathInt(MathBuilder *m, int64_t value); ///< i32 (f32) or i64 (f64), splat
MlirType mathIntType(MathBuilder *m);
MlirValue mathAdd(MathBuilder *m, MlirValue a, MlirValue b);
MlirValue mathSub(MathBuilder *m, MlirValue a, MlirValue b);
MlirValue mathMul(MathBuilder *m, MlirValue a, MlirValue b);
MlirValue mathFma(MathBuilder *m, MlirValue a, MlirValue b, MlirValue c);
MlirValue mathAbs(MathBuilder *m, MlirValue x);
MlirValue mathSelect(MathBuilder *m, MlirValue c, MlirValue t, MlirValue f);
/// arith.cmpf with the predicate's number (1 oeq, 2 ogt, 3 oge, 4 olt, 5 ole, 6 one, 14 uno ...).
MlirValue mathCompare(MathBuilder *m, int predicate, MlirValue a, MlirValue b);
MlirValue mathBits(MathBuilder *m, MlirValue x); ///< float to integer bits
MlirValue mathFromBits(MathBuilder *m, MlirValue x);
/// c[0] + x * (c[1] + x * (...)), by fma, n coefficients.
MlirValue mathPolynomial(MathBuilder *m, MlirValue x, const double *c, int n);

#endif
