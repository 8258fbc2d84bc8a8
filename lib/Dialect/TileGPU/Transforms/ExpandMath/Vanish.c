/* Vanish.c - powers of two whose subnormal results may be 0.
 *
 *   %d = arith.subf %x, %m        // %m: tile.broadcast, as of a row's maximum; or added, negated
 *   %p = math.exp2 %d
 *   %s = tile.reduce %p           // a sum
 *   %h = arith.truncf %p : to f16
 * the exp2 gets tile_gpu.normal: one instruction instead of four on NVIDIA.
 *
 * Narrowed to f16 or f8, a number below 2^-126 is 0 anyway. Narrowed to bf16 or summed up it is off by less than
 * 2^-126, nothing beside a sum above 2^-101; that is accepted where what the exponent is counted from was
 * subtracted from it, so that the terms are parts of a whole. A power may be chosen or replaced by a selection or a branch, or
 * multiplied, before it is narrowed or summed up: k times a power is off by less than k times 2^-126.
 *
 * Of the maximum of something and a constant from -126 on no power is subnormal, whoever reads it. */
#include "Functions.h"
#include "tile-c/Combiner.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/OpKind.h"

static bool isBroadcast(MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileOpKind(op) == TileOp_Arith_NegF)
    return isBroadcast(mlirOperationGetOperand(op, 0));
  return tileOpKind(op) == TileOp_Tile_Broadcast;
}

/* One number for all elements. */
static bool isUniform(MlirValue v) {
  return tileValueConstantNumber(v).ptr || tileOpKind(tileValueGetDefiningOp(v)) == TileOp_Tile_Splat;
}

/* x - m, x + -m, or a * b + m; the first two times one number, as of another base than two. */
static bool isShifted(MlirValue exponent) {
  MlirOperation op = tileValueGetDefiningOp(exponent);
  TileOpKind kind = tileOpKind(op);
  if (kind == TileOp_Arith_MulF)
    for (int i = 0; i < 2; ++i)
      if (isUniform(mlirOperationGetOperand(op, i))) {
        op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 1 - i));
        kind = tileOpKind(op);
        break;
      }
  if (kind == TileOp_Arith_SubF)
    return isBroadcast(mlirOperationGetOperand(op, 1));
  if (kind == TileOp_Arith_AddF)
    return isBroadcast(mlirOperationGetOperand(op, 0)) || isBroadcast(mlirOperationGetOperand(op, 1));
  return kind == TileOp_Math_Fma && isBroadcast(mlirOperationGetOperand(op, 2));
}

static bool narrows(MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  TileElementType element = tileElementTypeOf(type);
  return element == TileElementType_F16 || element == TileElementType_BF16 ||
         element >= TileElementType_F8E4M3FN;
}

static bool usersCannotTell(MlirValue v, int depth);

/* What a branch yields goes on as its result. */
static bool resultCannotTell(MlirOperation yield, intptr_t i, int depth) {
  MlirOperation branch = mlirOperationGetParentOperation(yield);
  return tileOpKind(branch) == TileOp_SCF_If && usersCannotTell(mlirOperationGetResult(branch, i), depth);
}

static bool cannotTell(MlirOpOperand use, int depth) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  switch (tileOpKind(user)) {
  case TileOp_Arith_TruncF:
  case TileOp_Tile_FpToFp:
    return narrows(user);
  case TileOp_Tile_Reduce:
    return mlirOperationGetNumOperands(user) == 1 && tileOpKind(tileCombinerOp(user, 0)) == TileOp_Arith_AddF;
  case TileOp_Arith_MulF:
  case TileOp_Arith_Select:
    return usersCannotTell(mlirOperationGetResult(user, 0), depth);
  case TileOp_SCF_Yield:
    return resultCannotTell(user, mlirOpOperandGetOperandNumber(use), depth);
  default:
    return false;
  }
}

static bool usersCannotTell(MlirValue v, int depth) {
  enum { MostSteps = 6 };
  if (depth == MostSteps || tileValueIsUnused(v))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!cannotTell(use, depth + 1))
      return false;
  return true;
}

/* The maximum of something and a constant that is the exponent of a normal number; constants stand behind. */
static bool isNormal(MlirValue exponent) {
  enum { LeastExponent = -126 };
  MlirOperation op = tileValueGetDefiningOp(exponent);
  const TileOpKind kind = tileOpKind(op);
  if (kind != TileOp_Arith_MaxNumF && kind != TileOp_Arith_MaximumF)
    return false;
  MlirAttribute least = tileValueConstantNumber(mlirOperationGetOperand(op, 1));
  return least.ptr && mlirAttributeIsAFloat(least) && mlirFloatAttrGetValueDouble(least) >= LeastExponent;
}

static MlirWalkResult mark(MlirOperation op, void *context) {
  if (tileOpKind(op) != TileOp_Math_Exp2)
    return MlirWalkResultAdvance;
  MlirValue result = mlirOperationGetResult(op, 0);
  if (tileElementTypeOf(mlirValueGetType(result)) == TileElementType_F32 &&
      (isNormal(mlirOperationGetOperand(op, 0)) ||
       (isShifted(mlirOperationGetOperand(op, 0)) && usersCannotTell(result, 0))))
    mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.normal"),
                                               mlirUnitAttrGet(*(MlirContext *)context));
  return MlirWalkResultAdvance;
}

void mathMarkVanishing(MlirOperation module) {
  MlirContext context = mlirOperationGetContext(module);
  mlirOperationWalk(module, mark, &context, MlirWalkPostOrder);
}
