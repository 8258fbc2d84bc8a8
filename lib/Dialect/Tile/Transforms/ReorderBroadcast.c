/* ReorderBroadcast.c - element-wise operations compute on the small tensor, or the scalar, before it is
 * spread.
 *
 *   mulf (splat x), (splat y)            =>  splat (mulf x, y)
 *   mulf (broadcast x), (splat y)        =>  broadcast (mulf x, (splat y))
 *   mulf (broadcast x), (broadcast y)    =>  broadcast (mulf x, y)      if x and y have one shape
 *   subi (broadcast (addi x, (splat i))), (broadcast y)
 *                                        =>  addi (broadcast x), (broadcast (subi (splat i), y))   in a loop that changes i alone:
 *                                            a thread's neighbours then differ by constants */
#include "Combine.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"

enum { MaxOperands = 4 };

static bool isTensor(MlirValue v) { return tileTypeIsTensor(mlirValueGetType(v)); }

/* The scalar that all elements of a tensor are: splat's operand, or a new constant. Null if there is none. */
static MlirValue scalarOf(TileBuilder b, MlirLocation loc, MlirValue v) {
  MlirOperation splat = combineProducer(v, TileOp_Tile_Splat);
  if (splat.ptr)
    return mlirOperationGetOperand(splat, 0);
  MlirAttribute number = tileValueConstantNumber(v);
  if (!number.ptr)
    return (MlirValue){NULL};
  return combineConstant(b, loc, tileTypeGetElement(mlirValueGetType(v)), number);
}

static bool isSpread(MlirValue v) {
  return combineProducer(v, TileOp_Tile_Splat).ptr || tileValueConstantNumber(v).ptr;
}

/* `op` once more, on other operands and with another type of result. */
static MlirValue cloneOn(TileBuilder b, MlirOperation op, const MlirValue *operands, MlirType resultType) {
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(clone, i, operands[i]);
  mlirValueSetType(mlirOperationGetResult(clone, 0), resultType);
  return mlirOperationGetResult(mlirRewriterBaseInsert(b, clone), 0);
}

/* Hints speak of each dimension of the result: an operation that carries some stays as it is. */
static bool canMove(MlirOperation op) {
  return mlirOperationGetNumOperands(op) <= MaxOperands && mlirOperationGetNumResults(op) == 1 &&
         tileTypeIsTensor(combineResultType(op)) && !tileHasDiscardableAttrs(op);
}

MlirLogicalResult computeBeforeSplat(MlirOperation op, TileBuilder b, void *state) {
  MlirValue operands[MaxOperands];
  bool any = false;
  if (!canMove(op))
    return tileFailure();
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    any |= combineProducer(v, TileOp_Tile_Splat).ptr != NULL;
    if (isTensor(v) && !isSpread(v))
      return tileFailure();
  }
  if (!any) // constants only: the folder's work
    return tileFailure();
  MlirLocation loc = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    operands[i] = isTensor(v) ? scalarOf(b, loc, v) : v;
  }
  MlirType type = combineResultType(op);
  MlirValue scalar = cloneOn(b, op, operands, tileTypeGetElement(type));
  return tileReplaceOp(b, op, tileSplatOpGetResult(tileSplatOpCreate(b, loc, type, scalar)));
}

static MlirType withShapeOf(MlirType shaped, MlirType like) {
  return tileTypeWithElement(shaped, tileTypeGetElement(like));
}

/* The type of the tensors that are broadcast, if all that are have one shape and all others are one value
 * everywhere (a scalar condition of a select is no tensor at all). Null otherwise. */
static MlirType commonSource(MlirOperation op) {
  MlirType source = {NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    MlirOperation broadcast = combineProducer(v, TileOp_Tile_Broadcast);
    if (!broadcast.ptr) {
      if (isTensor(v) && !isSpread(v))
        return (MlirType){NULL};
      continue;
    }
    MlirType from = mlirValueGetType(mlirOperationGetOperand(broadcast, 0));
    if (source.ptr && !mlirTypeEqual(withShapeOf(source, from), from))
      return (MlirType){NULL};
    source = from;
  }
  return source;
}

MlirLogicalResult computeBeforeBroadcast(MlirOperation op, TileBuilder b, void *state) {
  MlirValue operands[MaxOperands];
  if (!canMove(op))
    return tileFailure();
  MlirType source = commonSource(op);
  if (!source.ptr)
    return tileFailure();
  MlirLocation loc = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    MlirOperation broadcast = combineProducer(v, TileOp_Tile_Broadcast);
    MlirAttribute number = tileValueConstantNumber(v);
    MlirType small = withShapeOf(source, mlirValueGetType(v));
    if (broadcast.ptr)
      operands[i] = mlirOperationGetOperand(broadcast, 0);
    else if (!isTensor(v))
      operands[i] = v;
    else if (number.ptr)
      operands[i] = combineConstant(b, loc, small, number);
    else
      operands[i] = tileSplatOpGetResult(tileSplatOpCreate(b, loc, small, scalarOf(b, loc, v)));
  }
  MlirType type = combineResultType(op);
  MlirValue computed = cloneOn(b, op, operands, withShapeOf(source, type));
  return tileReplaceOp(b, op, tileBroadcastOpGetResult(tileBroadcastOpCreate(b, loc, type, computed)));
}

// ---- Distances ----

/* A row or column that is broadcast, of numbers that a loop moves: those without it, and by how much it moves them. */
typedef struct Moved {
  MlirValue still, by; ///< of rank 1; a scalar
  int64_t axis;        ///< of the dimension that is added to `still`
} Moved;

/* Whether a value is the same in all iterations. */
static bool isStill(MlirOperation loop, MlirValue v, int depth) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!mlirBlockEqual(tileValueGetBlock(v), body))
    return true;
  if (!op.ptr || depth > 6 || !tileOpIsPure(op) || mlirOperationGetNumRegions(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!isStill(loop, mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

static bool readMoved(MlirOperation loop, MlirValue v, Moved *out) {
  MlirOperation broadcast = combineProducer(v, TileOp_Tile_Broadcast);
  MlirOperation expand = broadcast.ptr
                             ? combineProducer(mlirOperationGetOperand(broadcast, 0), TileOp_Tile_ExpandDims)
                             : broadcast;
  MlirOperation sum =
      expand.ptr ? combineProducer(mlirOperationGetOperand(expand, 0), TileOp_Arith_AddI) : expand;
  for (intptr_t i = 0; sum.ptr && i < 2; ++i) {
    MlirOperation splat = combineProducer(mlirOperationGetOperand(sum, i), TileOp_Tile_Splat);
    MlirValue still = mlirOperationGetOperand(sum, 1 - i);
    if (!splat.ptr || isStill(loop, mlirOperationGetOperand(splat, 0), 0) || !isStill(loop, still, 0))
      continue;
    *out = (Moved){still, mlirOperationGetOperand(splat, 0),
                   tileExpandDimsOpGetAxis(tileExpandDimsOpCast(expand))};
    return true;
  }
  return false;
}

/* What is broadcast to `v`, if it stays the same in the loop; null otherwise. */
static MlirValue stillSource(MlirOperation loop, MlirValue v) {
  MlirOperation broadcast = combineProducer(v, TileOp_Tile_Broadcast);
  MlirValue source = broadcast.ptr ? mlirOperationGetOperand(broadcast, 0) : (MlirValue){NULL};
  return source.ptr && isStill(loop, source, 0) ? source : (MlirValue){NULL};
}

MlirLogicalResult combineDistance(MlirOperation op, TileBuilder b, void *state) {
  MlirOperation loop = mlirOperationGetParentOperation(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = combineResultType(op);
  Moved moved;
  if (tileOpKind(loop) != TileOp_SCF_For || !canMove(op) || !tileTypeIsTensor(type))
    return tileFailure();
  const bool isFirst = readMoved(loop, mlirOperationGetOperand(op, 0), &moved);
  if (!isFirst && !readMoved(loop, mlirOperationGetOperand(op, 1), &moved))
    return tileFailure();
  MlirValue other = stillSource(loop, mlirOperationGetOperand(op, isFirst ? 1 : 0));
  if (!other.ptr)
    return tileFailure();
  MlirType small = mlirValueGetType(other),
           row = mlirValueGetType(mlirOperationGetOperand(
               combineProducer(mlirOperationGetOperand(op, isFirst ? 0 : 1), TileOp_Tile_Broadcast), 0));
  MlirValue by = tileSplatOpGetResult(tileSplatOpCreate(b, loc, small, moved.by));
  MlirValue from = arithSubIOpGetResult(
      arithSubIOpCreate(b, loc, small, isFirst ? by : other, isFirst ? other : by, (MlirAttribute){NULL}));
  MlirValue expanded = tileExpandDimsOpGetResult(
      tileExpandDimsOpCreate(b, loc, row, moved.still, tileI32Attr(mlirLocationGetContext(loc), moved.axis)));
  MlirValue wide[2] = {tileBroadcastOpGetResult(tileBroadcastOpCreate(b, loc, type, expanded)),
                       tileBroadcastOpGetResult(tileBroadcastOpCreate(b, loc, type, from))};
  MlirOperation made = isFirst ? arithAddIOpCreate(b, loc, type, wide[0], wide[1], (MlirAttribute){NULL}).op
                               : arithSubIOpCreate(b, loc, type, wide[1], wide[0], (MlirAttribute){NULL}).op;
  return tileReplaceOp(b, op, mlirOperationGetResult(made, 0));
}
