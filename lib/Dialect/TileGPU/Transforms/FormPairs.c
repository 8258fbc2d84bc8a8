/* FormPairs.c - a version for matrices of 16-bit elements whose rows are whole words but not whole 16 bytes, as of 4090 elements.
 *
 *   (what runs where the copy engine does not take the matrices, tile-gpu-form-descriptors)
 * becomes
 *   %ok = %lda and 1 == 0 and %ldb and 1 == 0 and %K and 1 == 0
 *   scf.if %ok {
 *     (the same with %lda >> 1 << 1 for %lda, ..., so that neighbours are known to be words)
 *   } else {
 *     (as it was)
 *   }
 * Loads of single elements take four times as long. */
#include "FormPairs.h"
#include "FormBlocks.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Support/PointerList.h"

static void addParameter(TilePairs *p, MlirValue v) {
  MlirValue parameter = v.ptr ? tileBoxParameter(v) : v;
  if (!v.ptr)
    return;
  for (int i = 0; i < p->count; ++i)
    if (mlirValueEqual(p->even[i], parameter))
      return;
  if (!parameter.ptr || p->count == TilePairs_Most)
    p->refuses = true;
  else
    p->even[p->count++] = parameter;
}

void tilePairsAdd(TilePairs *p, const TileBox *box) {
  const TileBoxDim *along = &box->dims[box->unit], *across = &box->dims[!box->unit];
  if (box->isAligned)
    return;
  if (box->elementBytes != 2 || box->made.ptr || box->numExtra || along->isWrapped || along->hasFloor ||
      (!across->stride.ptr && across->factor % 2)) {
    p->refuses = true;
    return;
  }
  addParameter(p, along->bound);
  if (across->factor % 2)
    addParameter(p, across->stride);
}

static MlirValue constant(TileBuilder b, MlirLocation loc, MlirType type, int64_t n) {
  return arithConstantOpGetResult(arithConstantOpCreate(b, loc, type, mlirIntegerAttrGet(type, n)));
}

static MlirValue isEven(TileBuilder b, MlirLocation loc, MlirValue v) {
  MlirType type = mlirValueGetType(v);
  return arithCmpIOpGetResult(arithCmpIOpCreate(
      b, loc, mlirIntegerTypeGet(mlirLocationGetContext(loc), 1),
      tileCreateOp2(b, loc, TileOp_Arith_AndI, v, constant(b, loc, type, 1)), constant(b, loc, type, 0),
      tileI64Attr(mlirLocationGetContext(loc), ArithCmpIPredicate_eq)));
}

void tilePairsSplit(const TilePairs *p, TileBuilder b, MlirLocation loc, MlirBlock block,
                    MlirBlock out_arms[2]) {
  mlirRewriterBaseSetInsertionPointToStart(b, block);
  MlirValue ok = isEven(b, loc, p->even[0]);
  for (int i = 1; i < p->count; ++i)
    ok = tileCreateOp2(b, loc, TileOp_Arith_AndI, ok, isEven(b, loc, p->even[i]));
  tileSplitBlock(b, loc, block, ok, out_arms);
}

static bool isIn(MlirOperation op, MlirBlock block) {
  for (; op.ptr; op = mlirOperationGetParentOperation(op))
    if (mlirBlockEqual(mlirOperationGetBlock(op), block))
      return true;
  return false;
}

void tilePairsAssume(const TilePairs *p, TileBuilder b, MlirLocation loc, MlirBlock arm) {
  mlirRewriterBaseSetInsertionPointToStart(b, arm);
  for (int i = 0; i < p->count; ++i) {
    MlirValue v = p->even[i];
    MlirType type = mlirValueGetType(v);
    MlirValue half = tileCreateOp2(b, loc, TileOp_Arith_ShRSI, v, constant(b, loc, type, 1));
    MlirValue same = tileCreateOp2(b, loc, TileOp_Arith_MulI, half, constant(b, loc, type, 2));
    for (MlirOpOperand use = mlirValueGetFirstUse(v), next; !mlirOpOperandIsNull(use); use = next) {
      next = mlirOpOperandGetNextUse(use);
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (!mlirOperationEqual(user, tileValueGetDefiningOp(half)) && isIn(user, arm))
        mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), same);
    }
  }
}
