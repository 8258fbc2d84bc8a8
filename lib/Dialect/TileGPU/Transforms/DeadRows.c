/* DeadRows.c - follows a dimension of a block through products and element-wise ops to the masks of stores.
 *
 *   %a = tile.load (rows (m0 + range) % M)      // rows from M on are the first ones again
 *   %d = tile.dot %a, %b, %c                    // row i of %d depends on row i of %a alone
 *   tile.store %p, %d mask (m0 + range) < M     // and those from M on are not stored
 * Reductions along other dimensions keep rows apart, and so do their results where they are broadcast again; a select by such a mask leaves
 * the rest out. */
#include "DeadRows.h"
#include "BoxSums.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/PointerMap.h"

typedef struct Rows {
  const TileBoxDim *rows;
  TilePointerMap seen; ///< value -> dimension + 1
} Rows;

enum { MOST_DEPTH = 64 };

static bool areDead(Rows *r, MlirValue v, int dim, int depth);

/* Whether the mask, or one of those that it is the conjunction of, leaves out all from the size on. */
static bool isBelowSize(const Rows *r, MlirValue mask, int dim) {
  MlirOperation op = mask.ptr ? tileValueGetDefiningOp(mask) : (MlirOperation){NULL};
  if (op.ptr && tileOpKind(op) == TileOp_Arith_AndI)
    return isBelowSize(r, mlirOperationGetOperand(op, 0), dim) ||
           isBelowSize(r, mlirOperationGetOperand(op, 1), dim);
  TileBoxMask m;
  if (!mask.ptr || !tileBoxMaskOf(mask, &m) || !m.has[dim] || !tileSumEqual(&m.start[dim], &r->rows->start))
    return false;
  const TileSum *bound = &m.bound[dim];
  if (!r->rows->bound.ptr)
    return !bound->count && bound->constant == r->rows->size;
  return bound->count == 1 && !bound->constant && bound->factors[0] == 1 &&
         mlirValueEqual(tileBoxParameter(bound->values[0]), r->rows->bound);
}

/* The variable of a loop that starts with, or goes on with, operand `i` of `op`. */
static bool areDeadInLoop(Rows *r, MlirOperation loop, intptr_t i, int dim, int depth) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  return areDead(r, mlirBlockGetArgument(body, i + 1), dim, depth) &&
         areDead(r, mlirOperationGetResult(loop, i), dim, depth);
}

/* A row's results follow from that row. */
static bool areDeadReduced(Rows *r, MlirOperation op, int dim, int depth) {
  const int axis = (int)tileReduceOpGetAxis(tileReduceOpCast(op));
  if (axis == dim)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!areDead(r, mlirOperationGetResult(op, i), dim - (axis < dim), depth))
      return false;
  return true;
}

static bool areDeadBroadcast(Rows *r, MlirOperation op, int dim, int depth) {
  MlirValue from = mlirOperationGetOperand(op, 0), to = mlirOperationGetResult(op, 0);
  return mlirShapedTypeGetDimSize(mlirValueGetType(from), dim) ==
             mlirShapedTypeGetDimSize(mlirValueGetType(to), dim) &&
         areDead(r, to, dim, depth);
}

static bool isDeadUse(Rows *r, MlirOperation op, intptr_t number, int dim, int depth) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  switch (tileOpKind(op)) {
  case TileOp_Tile_Store:
    return number == 1 && isBelowSize(r, tileStoreOpGetMask(tileStoreOpCast(op)), dim);
  case TileOp_Tile_AtomicRMW:
    return number == 1 && tileValueIsUnused(mlirOperationGetResult(op, 0)) &&
           isBelowSize(r, tileAtomicRMWOpGetMask(tileAtomicRMWOpCast(op)), dim);
  case TileOp_Tile_Dot:
    return (number == 2 || (number == 0 && dim == 0) || (number == 1 && dim == 1)) &&
           areDead(r, mlirOperationGetResult(op, 0), dim, depth);
  case TileOp_Tile_Trans:
    return areDead(r, mlirOperationGetResult(op, 0), tileRampMoved(op, dim), depth);
  case TileOp_Tile_Reduce:
    return areDeadReduced(r, op, dim, depth);
  case TileOp_Tile_ExpandDims: {
    const int axis = (int)tileExpandDimsOpGetAxis(tileExpandDimsOpCast(op));
    return areDead(r, mlirOperationGetResult(op, 0), dim + (axis <= dim), depth);
  }
  case TileOp_Tile_Broadcast:
    return areDeadBroadcast(r, op, dim, depth);
  case TileOp_Arith_Select:
    return (number == 1 && isBelowSize(r, mlirOperationGetOperand(op, 0), dim)) ||
           areDead(r, mlirOperationGetResult(op, 0), dim, depth);
  case TileOp_SCF_For:
    return number >= 3 && areDeadInLoop(r, op, number - 3, dim, depth);
  case TileOp_SCF_Yield:
    if (tileOpKind(parent) == TileOp_SCF_If)
      return areDead(r, mlirOperationGetResult(parent, number), dim, depth);
    return tileOpKind(parent) == TileOp_SCF_For && areDeadInLoop(r, parent, number, dim, depth);
  default:
    return tileOpIsElementwise(op) && tileOpIsPure(op) && mlirOperationGetNumResults(op) == 1 &&
           areDead(r, mlirOperationGetResult(op, 0), dim, depth);
  }
}

static bool areDead(Rows *r, MlirValue v, int dim, int depth) {
  const intptr_t known = (intptr_t)tilePointerMapFind(&r->seen, v.ptr);
  if (known || depth > MOST_DEPTH)
    return known == dim + 1;
  tilePointerMapSet(&r->seen, v.ptr, (void *)(intptr_t)(dim + 1));
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!isDeadUse(r, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), dim, depth + 1))
      return false;
  return true;
}

bool tileRowsAreDead(MlirValue block, int dim, const TileBoxDim *rows) {
  TileArena arena = {0};
  Rows r = {.rows = rows, .seen = {.arena = &arena}};
  const bool dead = areDead(&r, block, dim, 0);
  tileArenaRelease(&arena);
  return dead;
}
