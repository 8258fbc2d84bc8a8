/* AccessAxis.c - how far the neighbours of an access reach on a chip whose wide accesses may start at any element.
 *
 *   rows of f16 that start at any multiple of 2 bytes: (splat(row) * splat(stride) + range 0 to 64) of %p
 *   contiguity 1 by the axis analysis, whose groups are aligned; run 64, an estimate that nothing may wrap around for
 * becomes
 *   contiguity 64, where nothing wraps around
 *
 * The estimate is exact for sums of ranges. Where it is used, either the bounds of all that makes the offsets were checked in front of
 * the loop, or all that is reached through a parameter spans less than 2^31 bytes (tile.pointer_range): of two
 * neighbours at both ends of the numbers one would lie outside.
 *
 * AMD's chips run in the mode in which global memory is accessed at any address (AMDGPUUsage, "unaligned-access-mode", on under
 * amdhsa); LLVM loads a <8 x half> of alignment 2 by one instruction on each, since "wide global memory operations perform better than
 * multiple smaller memory ops -- even when misaligned" (SIISelLowering). */
#include "BufferOffsets.h"
#include "MemoryRoots.h"
#include "mlir-c/BuiltinAttributes.h"
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/OpKind.h"

enum { MOST_DEPTH = 24, LEAST_BITS = 32 };

static bool runsExactly(MlirValue v, int32_t d, int depth);

static bool operandRuns(MlirOperation op, intptr_t i, int32_t d, int depth) {
  return runsExactly(mlirOperationGetOperand(op, i), d, depth);
}

/* A pointer that a loop hands on: what it starts with, and what each iteration adds. */
static bool variableRuns(MlirValue v, int32_t d, int depth) {
  MlirBlock block = tileValueGetBlock(v);
  SCFForOp loop = scfForOpCast(mlirBlockGetParentOperation(block));
  intptr_t i = mlirBlockArgumentGetArgNumber(v) - 1;
  if (scfForOpIsNull(loop) || i < 0)
    return false;
  MlirValue next = mlirOperationGetOperand(mlirBlockGetTerminator(block), i);
  for (; !mlirValueEqual(next, v) && depth; --depth) {
    MlirOperation op = tileValueGetDefiningOp(next);
    TileOpKind kind = op.ptr ? tileOpKind(op) : TileOp_None;
    if ((kind != TileOp_Tile_AddPtr && kind != TileOp_Arith_AddI) || !operandRuns(op, 1, d, depth - 1))
      return false;
    next = mlirOperationGetOperand(op, 0);
  }
  return depth && runsExactly(scfForOpGetInitArgs(loop, i), d, depth - 1);
}

static unsigned bitsOf(MlirValue v) {
  return mlirIntegerTypeGetWidth(tileTypeGetElement(mlirValueGetType(v)));
}

static bool isOneAlong(MlirValue v, int32_t d) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(v), d) == 1;
}

/* Whether elements along dimension d are equal or neighbours, modulo 2^32 or more, where the estimate says so. */
static bool runsExactly(MlirValue v, int32_t d, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!depth)
    return false;
  if (!op.ptr)
    return variableRuns(v, d, depth);
  switch (tileOpKind(op)) {
  case TileOp_Tile_MakeRange:
  case TileOp_Tile_Splat:
    return true;
  case TileOp_Arith_Constant:
    return mlirDenseElementsAttrIsSplat(arithConstantOpGetValueAttr(arithConstantOpCast(op)));
  case TileOp_Tile_AddPtr:
  case TileOp_Arith_AddI:
  case TileOp_Arith_SubI:
  case TileOp_Arith_MulI:
    return operandRuns(op, 0, d, depth - 1) && operandRuns(op, 1, d, depth - 1);
  case TileOp_Arith_ExtSI:
  case TileOp_Arith_TruncI:
    return bitsOf(mlirOperationGetOperand(op, 0)) >= LEAST_BITS &&
           bitsOf(mlirOperationGetResult(op, 0)) >= LEAST_BITS && operandRuns(op, 0, d, depth - 1);
  case TileOp_Tile_Broadcast:
    return isOneAlong(mlirOperationGetOperand(op, 0), d) || operandRuns(op, 0, d, depth - 1);
  case TileOp_Tile_ExpandDims: {
    int32_t axis = (int32_t)tileExpandDimsOpGetAxis(tileExpandDimsOpCast(op));
    return d == axis || operandRuns(op, 0, d - (d > axis), depth - 1);
  }
  case TileOp_TileGPU_ConvertLayout:
    return operandRuns(op, 0, d, depth - 1);
  default:
    return false;
  }
}

/* Whether neighbours that are both accessed are so in memory too, whatever wraps around. */
static bool isBounded(MlirValue ptr) {
  MlirOperation def = tileValueGetDefiningOp(ptr);
  if (def.ptr && mlirOperationGetDiscardableAttributeByName(def, tileStr("tile_gpu.bounded")).ptr)
    return true;
  MlirValue parameter = tilePointerParameter(ptr);
  return parameter.ptr && tilePointerRange(parameter) <= LEAST_BITS;
}

bool tileAccessAxis(const TileAxisInfo *info, const TileTargetInfo *target, MlirValue ptr, TileAxis *out) {
  const TileAxis *known = tileAxisInfoOf(info, ptr);
  if (!known)
    return false;
  *out = *known;
  if (!tileTargetHas(target, TileFeature_UnalignedAccess) || !tileTypeIsTensor(mlirValueGetType(ptr)) ||
      !isBounded(ptr))
    return true;
  for (int32_t d = 0; d < out->type.rank; ++d)
    if (out->dims[d].run > out->dims[d].contiguity && runsExactly(ptr, d, MOST_DEPTH))
      out->dims[d].contiguity = out->dims[d].run;
  return true;
}
