/* MathBuilder.c - ops on m->type at the builder's insertion point. */
#include "MathBuilder.h"
#include "tile-c/Dialect/Arith.h"

MlirValue mathEmit(MathBuilder *m, TileOpKind kind, MlirType result, intptr_t n, const MlirValue *x) {
  MlirOperationState s = mlirOperationStateGet(tileStr(tileOpKindName(kind)), m->loc);
  mlirOperationStateAddOperands(&s, n, x);
  mlirOperationStateAddResults(&s, 1, &result);
  return mlirOperationGetResult(tileBuilderInsert(m->b, &s), 0);
}

MlirValue mathUnary(MathBuilder *m, TileOpKind kind, MlirValue x) {
  return mathEmit(m, kind, mlirValueGetType(x), 1, &x);
}

MlirValue mathBinary(MathBuilder *m, TileOpKind kind, MlirValue a, MlirValue b) {
  MlirValue x[] = {a, b};
  return mathEmit(m, kind, mlirValueGetType(a), 2, x);
}

static MlirValue constant(MathBuilder *m, MlirType type, MlirAttribute element) {
  MlirAttribute value = tileTypeIsTensor(type) ? mlirDenseElementsAttrSplatGet(type, element) : element;
  return arithConstantOpGetResult(arithConstantOpCreate(m->b, m->loc, type, value));
}

MlirValue mathConstant(MathBuilder *m, double value) {
  return constant(m, m->type, mlirFloatAttrDoubleGet(m->context, tileTypeGetElement(m->type), value));
}

MlirType mathIntType(MathBuilder *m) {
  unsigned bits = tileElementTypeBits(tileElementTypeOf(m->type));
  return tileTypeWithElement(m->type, mlirIntegerTypeGet(m->context, bits));
}

MlirValue mathInt(MathBuilder *m, int64_t value) {
  MlirType type = mathIntType(m);
  return constant(m, type, mlirIntegerAttrGet(tileTypeGetElement(type), value));
}

MlirValue mathAdd(MathBuilder *m, MlirValue a, MlirValue b) { return mathBinary(m, TileOp_Arith_AddF, a, b); }
MlirValue mathSub(MathBuilder *m, MlirValue a, MlirValue b) { return mathBinary(m, TileOp_Arith_SubF, a, b); }
MlirValue mathMul(MathBuilder *m, MlirValue a, MlirValue b) { return mathBinary(m, TileOp_Arith_MulF, a, b); }

MlirValue mathFma(MathBuilder *m, MlirValue a, MlirValue b, MlirValue c) {
  MlirValue x[] = {a, b, c};
  return mathEmit(m, TileOp_Math_Fma, mlirValueGetType(a), 3, x);
}

MlirValue mathAbs(MathBuilder *m, MlirValue x) { return mathUnary(m, TileOp_Math_AbsF, x); }

MlirValue mathSelect(MathBuilder *m, MlirValue c, MlirValue t, MlirValue f) {
  MlirValue x[] = {c, t, f};
  return mathEmit(m, TileOp_Arith_Select, mlirValueGetType(t), 3, x);
}

MlirValue mathCompare(MathBuilder *m, int predicate, MlirValue a, MlirValue b) {
  MlirType type = tileTypeWithElement(mlirValueGetType(a), mlirIntegerTypeGet(m->context, 1));
  MlirAttribute p = tileI64Attr(m->context, predicate), none = {NULL};
  return arithCmpFOpGetResult(arithCmpFOpCreate(m->b, m->loc, type, a, b, p, none));
}

MlirValue mathBits(MathBuilder *m, MlirValue x) {
  return mathEmit(m, TileOp_Arith_Bitcast, mathIntType(m), 1, &x);
}
MlirValue mathFromBits(MathBuilder *m, MlirValue x) {
  return mathEmit(m, TileOp_Arith_Bitcast, m->type, 1, &x);
}

MlirValue mathPolynomial(MathBuilder *m, MlirValue x, const double *c, int n) {
  MlirValue sum = mathConstant(m, c[n - 1]);
  for (int i = n - 2; i >= 0; --i)
    sum = mathFma(m, sum, x, mathConstant(m, c[i]));
  return sum;
}
