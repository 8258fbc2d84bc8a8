/* Combiner.c - the ops that reductions and scans are made of, and their neutral elements. */
#include "tile-c/Combiner.h"
#include <math.h>

MlirOperation tileCombinerOp(MlirOperation op, intptr_t i) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirValue a = mlirBlockGetArgument(body, i);
  MlirValue b = mlirBlockGetArgument(body, mlirOperationGetNumOperands(op) + i);
  MlirOperation by = tileValueGetDefiningOp(mlirOperationGetOperand(mlirBlockGetTerminator(body), i));
  if (!by.ptr || mlirOperationGetNumOperands(by) != 2)
    return (MlirOperation){NULL};
  MlirValue x = mlirOperationGetOperand(by, 0), y = mlirOperationGetOperand(by, 1);
  bool fits =
      (mlirValueEqual(x, a) && mlirValueEqual(y, b)) || (mlirValueEqual(x, b) && mlirValueEqual(y, a));
  return fits ? by : (MlirOperation){NULL};
}

bool tileKindIsCommutative(TileOpKind kind) {
  switch (kind) {
  case TileOp_Arith_AddF:
  case TileOp_Arith_AddI:
  case TileOp_Arith_AndI:
  case TileOp_Arith_MaxNumF:
  case TileOp_Arith_MaxSI:
  case TileOp_Arith_MaxUI:
  case TileOp_Arith_MaximumF:
  case TileOp_Arith_MinNumF:
  case TileOp_Arith_MinSI:
  case TileOp_Arith_MinUI:
  case TileOp_Arith_MinimumF:
  case TileOp_Arith_MulF:
  case TileOp_Arith_MulI:
  case TileOp_Arith_OrI:
  case TileOp_Arith_XOrI:
    return true;
  default:
    return false;
  }
}

/* -0 and not +0: what is added to it stays what it is, even -0. NaN for the maximum that ignores NaN: a row
 * of nothing else has to stay NaN. */
static bool neutralFloat(TileOpKind kind, double *out) {
  switch (kind) {
  case TileOp_Arith_AddF:
    return *out = -0.0, true;
  case TileOp_Arith_MulF:
    return *out = 1, true;
  case TileOp_Arith_MaximumF:
    return *out = -INFINITY, true;
  case TileOp_Arith_MinimumF:
    return *out = INFINITY, true;
  case TileOp_Arith_MaxNumF:
  case TileOp_Arith_MinNumF:
    return *out = NAN, true;
  default:
    return false;
  }
}

static bool neutralInt(TileOpKind kind, unsigned width, int64_t *out) {
  int64_t least = (int64_t)(UINT64_MAX << (width - 1));
  switch (kind) {
  case TileOp_Arith_AddI:
  case TileOp_Arith_OrI:
  case TileOp_Arith_XOrI:
  case TileOp_Arith_MaxUI:
    return *out = 0, true;
  case TileOp_Arith_MulI:
    return *out = width == 1 ? -1 : 1, true;
  case TileOp_Arith_AndI:
  case TileOp_Arith_MinUI:
    return *out = -1, true;
  case TileOp_Arith_MaxSI:
    return *out = least, true;
  case TileOp_Arith_MinSI:
    return *out = ~least, true;
  default:
    return false;
  }
}

static bool hasInfinity(TileElementType e) {
  return e == TileElementType_F16 || e == TileElementType_BF16 || e == TileElementType_F32 ||
         e == TileElementType_F64;
}

MlirAttribute tileNeutralElement(TileOpKind kind, MlirType type) {
  double number;
  int64_t integer;
  if (hasInfinity(tileElementTypeOf(type)) && neutralFloat(kind, &number))
    return mlirFloatAttrDoubleGet(mlirTypeGetContext(type), type, number);
  if (mlirTypeIsAInteger(type) && neutralInt(kind, mlirIntegerTypeGetWidth(type), &integer))
    return mlirIntegerAttrGet(type, integer);
  return mlirAttributeGetNull();
}
