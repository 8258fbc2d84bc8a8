/* Exponents.c - values that are exponents of weights alone. */
#include "Exponents.h"
#include "tile-c/Combiner.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/OpKind.h"

/* How far from the value a use is. */
typedef enum Place { Place_Value, Place_Difference, Place_Weight } Place;

static bool haveUses(MlirValue v, Place place, int depth);

static bool narrows(MlirOperation op) {
  TileElementType element = tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return element == TileElementType_F16 || element == TileElementType_BF16 ||
         element >= TileElementType_F8E4M3FN;
}

static bool isReduction(MlirOperation op, TileOpKind kind, TileOpKind other) {
  MlirOperation combiner =
      mlirOperationGetNumOperands(op) == 1 ? tileCombinerOp(op, 0) : (MlirOperation){NULL};
  return combiner.ptr && (tileOpKind(combiner) == kind || tileOpKind(combiner) == other);
}

/* Whether the weights, or what selections make of them, become numbers of 16 bits somewhere. */
static bool areNarrowed(MlirValue v, int depth) {
  enum { MostSelections = 4 };
  for (MlirOpOperand use = mlirValueGetFirstUse(v); depth < MostSelections && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    const TileOpKind kind = tileOpKind(user);
    if (kind == TileOp_Arith_TruncF || kind == TileOp_Tile_FpToFp ||
        (kind == TileOp_Arith_Select && areNarrowed(mlirOperationGetResult(user, 0), depth + 1)))
      return true;
  }
  return false;
}

/* Whether the other factor is a number up to 2, as between natural exponents and those of two. */
static bool isLittleFactor(MlirOperation fma, intptr_t operand) {
  enum { Most = 2 };
  MlirAttribute factor = operand < 2 ? tileValueConstantNumber(mlirOperationGetOperand(fma, 1 - operand))
                                     : (MlirAttribute){NULL};
  const double number =
      factor.ptr && mlirAttributeIsAFloat(factor) ? mlirFloatAttrGetValueDouble(factor) : Most + 1;
  return number >= -Most && number <= Most;
}

static bool isUse(MlirOpOperand use, Place place, int depth) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  const bool isFirst = mlirOpOperandGetOperandNumber(use) == 0;
  switch (tileOpKind(user)) {
  case TileOp_Arith_Select:
    return !isFirst && haveUses(mlirOperationGetResult(user, 0), place, depth);
  case TileOp_Tile_Reduce:
    return place == Place_Weight  ? isReduction(user, TileOp_Arith_AddF, TileOp_Arith_AddF)
           : place == Place_Value ? isReduction(user, TileOp_Arith_MaxNumF, TileOp_Arith_MaximumF)
                                  : false;
  case TileOp_Arith_SubF:
    return place == Place_Value && isFirst &&
           haveUses(mlirOperationGetResult(user, 0), Place_Difference, depth);
  case TileOp_Math_Fma:
    return place == Place_Value && isLittleFactor(user, mlirOpOperandGetOperandNumber(use)) &&
           haveUses(mlirOperationGetResult(user, 0), Place_Difference, depth);
  case TileOp_SCF_Yield: {
    MlirOperation branch = mlirOperationGetParentOperation(user);
    return tileOpKind(branch) == TileOp_SCF_If &&
           haveUses(mlirOperationGetResult(branch, mlirOpOperandGetOperandNumber(use)), place, depth);
  }
  case TileOp_Math_Exp:
  case TileOp_Math_Exp2:
    return place == Place_Difference && haveUses(mlirOperationGetResult(user, 0), Place_Weight, depth) &&
           areNarrowed(mlirOperationGetResult(user, 0), 0);
  case TileOp_Arith_TruncF:
  case TileOp_Tile_FpToFp:
    return place == Place_Weight && narrows(user);
  default:
    return false;
  }
}

static bool haveUses(MlirValue v, Place place, int depth) {
  enum { MostSteps = 8 };
  if (depth == MostSteps || tileValueIsUnused(v))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!isUse(use, place, depth + 1))
      return false;
  return true;
}

bool mathIsExponent(MlirValue v) { return haveUses(v, Place_Value, 0); }
