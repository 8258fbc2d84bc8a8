/* CreateOp.c - ops by kind. */
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"

MlirValue tileCreateOp(TileBuilder b, MlirLocation loc, TileOpKind kind, MlirType result, intptr_t n,
                       const MlirValue *operands) {
  MlirOperationState s = mlirOperationStateGet(tileStr(tileOpKindName(kind)), loc);
  mlirOperationStateAddOperands(&s, n, operands);
  mlirOperationStateAddResults(&s, 1, &result);
  return mlirOperationGetResult(tileBuilderInsert(b, &s), 0);
}

MlirValue tileCreateOp2(TileBuilder b, MlirLocation loc, TileOpKind kind, MlirValue x, MlirValue y) {
  const MlirValue operands[] = {x, y};
  return tileCreateOp(b, loc, kind, mlirValueGetType(x), 2, operands);
}

MlirValue tileCreateSelect(TileBuilder b, MlirLocation loc, MlirValue condition, MlirValue x, MlirValue y) {
  const MlirValue operands[] = {condition, x, y};
  return tileCreateOp(b, loc, TileOp_Arith_Select, mlirValueGetType(x), 3, operands);
}

MlirValue tileCreateInteger(TileBuilder b, MlirLocation loc, MlirType type, int64_t n) {
  return arithConstantOpGetResult(arithConstantOpCreate(b, loc, type, mlirIntegerAttrGet(type, n)));
}

MlirNamedAttribute tileNamedAttr(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, tileStr(name)), value);
}
