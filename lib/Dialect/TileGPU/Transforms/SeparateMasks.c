/* SeparateMasks.c - masks of accesses that computations use too are made twice.
 *
 * A mask has the layout of its access. Where a computation selects by the same mask, common subexpression
 * elimination has made them one value, and the computation's layout would become the access's. */
#include "SeparateMasks.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/OpKind.h"

enum { MOST_OPS = 8 };

static bool isCheap(MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  return kind == TileOp_Tile_Broadcast || kind == TileOp_Tile_Splat || kind == TileOp_Arith_AndI;
}

/* Whether something else than an access of memory uses `v`. */
static bool isComputedWith(MlirValue v) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!tilePointerAccessOf(mlirOpOperandGetOwner(use)).ptr.ptr)
      return true;
  return false;
}

/* A copy of the cheap ops behind `v`, in front of `at`; `v` itself if there are none or too many. */
static MlirValue copyOf(TileBuilder b, MlirValue v, MlirOperation at, int *left) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!isCheap(op) || --*left < 0)
    return v;
  MlirOperation clone = mlirOperationClone(op);
  if (tileOpKind(op) == TileOp_Arith_AndI)
    for (intptr_t i = 0; i < 2; ++i)
      mlirOperationSetOperand(clone, i, copyOf(b, mlirOperationGetOperand(op, i), at, left));
  mlirRewriterBaseSetInsertionPointBefore(b, at);
  mlirRewriterBaseInsert(b, clone);
  return mlirOperationGetResult(clone, 0);
}

static MlirWalkResult separate(MlirOperation op, void *user) {
  TilePointerAccess access = tilePointerAccessOf(op);
  if (!access.ptr.ptr || !access.mask.ptr || !tileTypeIsTensor(mlirValueGetType(access.mask)) ||
      !isComputedWith(access.mask))
    return MlirWalkResultAdvance;
  int left = MOST_OPS;
  MlirValue mask = copyOf(*(TileBuilder *)user, access.mask, op, &left);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(op, i), access.mask))
      mlirOperationSetOperand(op, i, mask);
  return MlirWalkResultAdvance;
}

void tileSeparateMasks(MlirOperation module) {
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  mlirOperationWalk(module, separate, &b, MlirWalkPostOrder);
  mlirRewriterBaseClearInsertionPoint(b);
  mlirIRRewriterDestroy(b);
}
