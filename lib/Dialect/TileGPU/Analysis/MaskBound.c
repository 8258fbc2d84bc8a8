/* MaskBound.c - masks that compare an index with a bound: almost all of their groups are true or false as a
 * whole. */
#include "tile-c/AxisInfo.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Support/Bits.h"

/* One operand counts up along the dimension, the other is the same for the group. */
static int64_t compareGroup(const TileAxisInfo *info, ArithCmpIOp compare, int dim) {
  ArithCmpIPredicate p = arithCmpIOpGetPredicate(compare);
  TileAxisDim a = tileAxisInfoGet(info, arithCmpIOpGetLhs(compare), dim),
              b = tileAxisInfoGet(info, arithCmpIOpGetRhs(compare), dim);
  if (p == ArithCmpIPredicate_eq || p == ArithCmpIPredicate_ne)
    return 1;
  int64_t up = tileLeast(a.contiguity, b.constancy), down = tileLeast(b.contiguity, a.constancy);
  return up > down ? up : down;
}

/* The group of a shape op's operand; `dim` of the result. */
static int64_t shapeGroup(const TileAxisInfo *info, MlirOperation op, int dim) {
  MlirValue operand = mlirOperationGetOperand(op, 0);
  TileExpandDimsOp expand = tileExpandDimsOpCast(op);
  if (tileExpandDimsOpIsNull(expand)) { /* broadcast */
    int64_t shape[TileLayout_MaxRank] = {0};
    tileTypeGetShape(mlirValueGetType(operand), shape, TileLayout_MaxRank);
    return shape[dim] == 1 ? mlirShapedTypeGetDimSize(mlirValueGetType(mlirOperationGetResult(op, 0)), dim)
                           : tileAxisInfoMaskGroup(info, operand, dim);
  }
  int axis = (int)tileExpandDimsOpGetAxis(expand);
  return dim == axis ? 1 : tileAxisInfoMaskGroup(info, operand, dim > axis ? dim - 1 : dim);
}

int64_t tileAxisInfoMaskGroup(const TileAxisInfo *info, MlirValue mask, int dim) {
  int64_t constant = tileAxisInfoGet(info, mask, dim).constancy, found = 1;
  MlirOperation op = tileValueGetDefiningOp(mask);
  switch (tileOpKind(op)) {
  case TileOp_Arith_CmpI:
    found = compareGroup(info, arithCmpIOpCast(op), dim);
    break;
  case TileOp_Arith_AndI:
    found = tileLeast(tileAxisInfoMaskGroup(info, mlirOperationGetOperand(op, 0), dim),
                      tileAxisInfoMaskGroup(info, mlirOperationGetOperand(op, 1), dim));
    break;
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Broadcast:
    found = shapeGroup(info, op, dim);
    break;
  case TileOp_TileGPU_ConvertLayout:
    found = tileAxisInfoMaskGroup(info, mlirOperationGetOperand(op, 0), dim);
    break;
  default:
    break;
  }
  return found > constant ? found : constant;
}
