/* MathBuilder.c - creation of ops on m->type at the builder's insertion point. */
#include "MathBuilder.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileGPU.h"

int mathWidth(MathBuilder *m) { return (int)tileElementTypeBits(tileElementTypeOf(m->type)); }

static MlirType scalarType(MathBuilder *m, MathType type) {
  switch (type) {
  case MathType_Float:
    return tileTypeGetElement(m->type);
  case MathType_Int:
    return mlirIntegerTypeGet(m->context, (unsigned)mathWidth(m));
  case MathType_Bool:
    return mlirIntegerTypeGet(m->context, 1);
  case MathType_F16:
    return mlirF16TypeGet(m->context);
  case MathType_F32:
    return mlirF32TypeGet(m->context);
  case MathType_F64:
    return mlirF64TypeGet(m->context);
  case MathType_I16:
    return mlirIntegerTypeGet(m->context, 16);
  case MathType_I32:
    return mlirIntegerTypeGet(m->context, 32);
  case MathType_I64:
    return mlirIntegerTypeGet(m->context, 64);
  }
  return m->type;
}

static MlirType resultType(MathBuilder *m, MathType type) {
  return tileTypeWithElement(m->type, scalarType(m, type));
}

MathBuilder mathWithWidth(MathBuilder *m, int width) {
  MathBuilder other = *m;
  other.type = resultType(m, width == 64 ? MathType_F64 : MathType_F32);
  return other;
}

MlirValue mathEmit(MathBuilder *m, TileOpKind kind, MathType result, int n, const MlirValue *x) {
  return tileCreateOp(m->b, m->loc, kind, resultType(m, result), n, x);
}

static MlirValue constant(MathBuilder *m, MlirType type, MlirAttribute element) {
  MlirAttribute value = tileTypeIsTensor(type) ? mlirDenseElementsAttrSplatGet(type, element) : element;
  return arithConstantOpGetResult(arithConstantOpCreate(m->b, m->loc, type, value));
}

MlirValue mathExp2Normal(MathBuilder *m, MlirValue x) {
  MlirValue y = mathUnary(m, TileOp_Math_Exp2, x);
  mlirOperationSetDiscardableAttributeByName(tileValueGetDefiningOp(y), tileStr("tile_gpu.normal"),
                                             mlirUnitAttrGet(m->context));
  return y;
}

MlirValue mathReciprocalNormal(MathBuilder *m, MlirValue x) {
  MlirValue y = mathDiv(m, mathConstant(m, 1), x);
  if (!m->precise)
    mlirOperationSetDiscardableAttributeByName(tileValueGetDefiningOp(y), tileStr("tile_gpu.normal"),
                                               mlirUnitAttrGet(m->context));
  return y;
}

MlirValue mathConstant(MathBuilder *m, double value) {
  return constant(m, m->type, mlirFloatAttrDoubleGet(m->context, tileTypeGetElement(m->type), value));
}

MlirValue mathInt(MathBuilder *m, int64_t value) {
  MlirType type = resultType(m, MathType_Int);
  return constant(m, type, mlirIntegerAttrGet(tileTypeGetElement(type), value));
}

MlirValue mathCompare(MathBuilder *m, MathOrder order, MlirValue a, MlirValue b) {
  MlirAttribute predicate = tileI64Attr(m->context, order), none = {NULL};
  return arithCmpFOpGetResult(
      arithCmpFOpCreate(m->b, m->loc, resultType(m, MathType_Bool), a, b, predicate, none));
}

MlirValue mathCompareInt(MathBuilder *m, MathIntOrder order, MlirValue a, MlirValue b) {
  MlirAttribute predicate = tileI64Attr(m->context, order);
  return arithCmpIOpGetResult(arithCmpIOpCreate(m->b, m->loc, resultType(m, MathType_Bool), a, b, predicate));
}

enum { MAX_RARE = 4 };

static void selectRare(MathBuilder *m, MlirValue condition, MathRare rare, const MlirValue *x,
                       const void *user, int n, MlirValue *values) {
  MlirValue out[MAX_RARE];
  rare(m, x, user, out);
  for (int i = 0; i < n; ++i)
    values[i] = tileCreateSelect(m->b, m->loc, condition, out[i], values[i]);
}

static MlirBlock startRegion(MathBuilder *m, MlirRegion region) {
  MlirBlock block = tileRegionAddBlock(region);
  mlirRewriterBaseSetInsertionPointToEnd(m->b, block);
  return block;
}

void mathRarely(MathBuilder *m, MlirValue condition, MathRare rare, const MlirValue *x, const void *user,
                int n, MlirValue *values) {
  bool isMarked = m->branches && m->besideProduct && n == 1;
  if (!m->branches || isMarked) {
    selectRare(m, condition, rare, x, user, n, values);
    if (isMarked)
      mlirOperationSetDiscardableAttributeByName(tileValueGetDefiningOp(values[0]), tileStr("tile_gpu.rare"),
                                                 mlirBoolAttrGet(m->context, m->whole));
    return;
  }
  MlirValue any = condition;
  if (tileTypeIsTensor(m->type))
    any =
        tileGPUAnyOpGetResult(tileGPUAnyOpCreate(m->b, m->loc, mlirIntegerTypeGet(m->context, 1), condition));
  MlirType types[MAX_RARE];
  for (int i = 0; i < n; ++i)
    types[i] = mlirValueGetType(values[i]);
  SCFIfOp branch = scfIfOpCreate(m->b, m->loc, n, types, any);
  startRegion(m, scfIfOpGetElseRegion(branch));
  scfYieldOpCreate(m->b, m->loc, n, values);
  startRegion(m, scfIfOpGetThenRegion(branch));
  selectRare(m, condition, rare, x, user, n, values);
  scfYieldOpCreate(m->b, m->loc, n, values);
  mlirRewriterBaseSetInsertionPointAfter(m->b, branch.op);
  for (int i = 0; i < n; ++i)
    values[i] = scfIfOpGetResults(branch, i);
}
