/* FormFma.c - tile-form-fma: a product and a sum become one operation with one rounding.
 *
 * before:  %m = arith.mulf %a, %b : tensor<256xf32>
 *          %s = arith.addf %m, %c : tensor<256xf32>
 * after:   %s = math.fma %a, %b, %c : tensor<256xf32>
 *
 *   a * b + c, c + a * b   =>  fma(a, b, c)
 *   a * b - c              =>  fma(a, b, -c)
 *   c - a * b              =>  fma(-a, b, c)
 *
 * A sum over an axis is no op of its own yet: it is only told that it may do the same.
 *
 *          %m = arith.mulf %a, %b : tensor<256xf32>
 *   before: %s = tile.reduce %m axis = 0 : tensor<256xf32> -> f32 {addf}
 *   after:  %s = tile.reduce %m axis = 0 contract : tensor<256xf32> -> f32 {addf}
 *
 * The rule, so that everyone who executes the module rounds alike: f16, f32 and f64, scalars and tensors; the
 * product has no other use and is computed in the same block; if both operands of a sum are such products,
 * the left one goes in. bf16 stays as it is: not every chip has the operation. This pass is the only one that
 * forms fused operations, and no back end may form more or split them.
 *
 * requires: nothing. ensures: no such product is left but in front of a reduction that has `contract`; everything else is
 * unchanged. */
#include "tile-c/Combiner.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Math.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Arena.h"

/* Sums, differences and reductions in the order of the text. */
typedef struct Sum {
  MlirOperation op;
  struct Sum *next;
} Sum;

typedef struct Sums {
  TileArena arena;
  Sum *first, **last;
} Sums;

static bool canFuse(MlirType type) {
  switch (tileElementTypeOf(type)) {
  case TileElementType_F16:
  case TileElementType_F32:
  case TileElementType_F64:
    return true;
  default:
    return false;
  }
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  Sums *sums = user;
  TileOpKind kind = tileOpKind(op);
  if ((kind != TileOp_Arith_AddF && kind != TileOp_Arith_SubF && kind != TileOp_Tile_Reduce) ||
      !canFuse(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return MlirWalkResultAdvance;
  *sums->last = tileArenaAlloc(&sums->arena, 1, sizeof **sums->last);
  (*sums->last)->op = op;
  sums->last = &(*sums->last)->next;
  return MlirWalkResultAdvance;
}

/* The product that operand i is, if nobody else needs it; null otherwise. */
static ArithMulFOp productOf(MlirOperation sum, intptr_t i) {
  MlirValue v = mlirOperationGetOperand(sum, i);
  ArithMulFOp product = arithMulFOpCast(tileValueGetDefiningOp(v));
  if (arithMulFOpIsNull(product) || !tileValueHasOneUse(v) ||
      !mlirBlockEqual(mlirOperationGetBlock(product.op), mlirOperationGetBlock(sum)))
    return (ArithMulFOp){{NULL}};
  return product;
}

static MlirValue negated(TileBuilder b, MlirLocation loc, MlirValue v) {
  return arithNegFOpGetResult(arithNegFOpCreate(b, loc, mlirValueGetType(v), v, (MlirAttribute){NULL}));
}

static bool fuse(TileBuilder b, MlirOperation sum) {
  bool difference = tileOpKind(sum) == TileOp_Arith_SubF;
  intptr_t side = 0;
  ArithMulFOp product = productOf(sum, 0);
  if (arithMulFOpIsNull(product))
    product = productOf(sum, side = 1);
  if (arithMulFOpIsNull(product))
    return false;
  MlirLocation loc = mlirOperationGetLocation(sum);
  MlirValue x = arithMulFOpGetLhs(product), y = arithMulFOpGetRhs(product);
  MlirValue z = mlirOperationGetOperand(sum, 1 - side);
  mlirRewriterBaseSetInsertionPointBefore(b, sum);
  if (difference && side == 0)
    z = negated(b, loc, z);
  if (difference && side == 1)
    x = negated(b, loc, x);
  MlirType type = mlirValueGetType(mlirOperationGetResult(sum, 0));
  mlirRewriterBaseReplaceOpWithOperation(b, sum,
                                         mathFmaOpCreate(b, loc, type, x, y, z, (MlirAttribute){NULL}).op);
  mlirRewriterBaseEraseOp(b, product.op);
  return true;
}

/* A sum over an axis of products that nobody else needs. */
static bool contract(MlirOperation reduce) {
  if (mlirOperationGetNumOperands(reduce) != 1 || arithMulFOpIsNull(productOf(reduce, 0)))
    return false;
  MlirOperation combiner = tileCombinerOp(reduce, 0);
  if (!combiner.ptr || tileOpKind(combiner) != TileOp_Arith_AddF)
    return false;
  tileReduceOpSetContractAttr(tileReduceOpCast(reduce), mlirUnitAttrGet(mlirOperationGetContext(reduce)));
  return true;
}

MlirLogicalResult tileFormFmaRun(MlirOperation op, const TileFormFmaParams *params) {
  Sums sums = {.last = &sums.first};
  mlirOperationWalk(op, collect, &sums, MlirWalkPreOrder);
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(op));
  for (const Sum *s = sums.first; s; s = s->next)
    if (tileOpKind(s->op) == TileOp_Tile_Reduce)
      *params->numContracted += contract(s->op);
    else
      *params->numFused += fuse(b, s->op);
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&sums.arena);
  return tileSuccess();
}
