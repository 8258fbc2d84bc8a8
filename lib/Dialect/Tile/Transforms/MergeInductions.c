/* MergeInductions.c - tile-merge-inductions: what a loop carries and moves as its own variable moves is that variable.
 *
 * before:  %before = arith.subi %start, %step
 *          scf.for %t = %start to %end step %step iter_args(%u = %before) -> (i32) : i32 {
 *            %next = arith.addi %u, %step
 *            ... uses of %next
 * after:   scf.for %t = %start to %end step %step iter_args(%u = %before) -> (i32) : i32 {
 *            %v = arith.addi %t, -step
 *            %next = arith.addi %v, %step        // folds to %t
 *            ... uses of %next
 *
 * Persistent kernels number the block that they store apart from the one that they load. Taken where the distance of both is
 * a constant; all in arithmetic modulo the type's size.
 *
 * requires: structured control flow. ensures: the same values; variables that nothing needs are left to others. */
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/OpKind.h"
#include "tile-c/Passes.h"

enum { MOST_DEPTH = 8 };

/* A number as `value` + constant; a constant has no value. */
static MlirValue splitConstant(MlirValue v, uint64_t *out_constant) {
  *out_constant = 0;
  for (int depth = 0; depth < MOST_DEPTH; ++depth) {
    MlirOperation op = tileValueGetDefiningOp(v);
    int64_t constant;
    if (tileValueConstantInt(v, &constant)) {
      *out_constant += (uint64_t)constant;
      return (MlirValue){NULL};
    }
    const bool adds = op.ptr && tileOpKind(op) == TileOp_Arith_AddI;
    if (!adds && !(op.ptr && tileOpKind(op) == TileOp_Arith_SubI))
      break;
    if (!tileValueConstantInt(mlirOperationGetOperand(op, 1), &constant))
      break;
    *out_constant += adds ? (uint64_t)constant : -(uint64_t)constant;
    v = mlirOperationGetOperand(op, 0);
  }
  return v;
}

static bool isSameNumber(MlirValue x, MlirValue y) {
  int64_t a, b;
  return mlirValueEqual(x, y) || (tileValueConstantInt(x, &a) && tileValueConstantInt(y, &b) && a == b);
}

/* Whether the loop moves its variable `v`, number `i` of those that it carries, by its step. */
static bool movesByStep(SCFForOp loop, MlirBlock body, intptr_t i, MlirValue v) {
  MlirOperation next = tileValueGetDefiningOp(mlirOperationGetOperand(mlirBlockGetTerminator(body), i));
  if (!next.ptr || tileOpKind(next) != TileOp_Arith_AddI ||
      !mlirTypeEqual(mlirValueGetType(v), mlirValueGetType(scfForOpGetStep(loop))))
    return false;
  for (int k = 0; k < 2; ++k)
    if (mlirValueEqual(mlirOperationGetOperand(next, k), v) &&
        isSameNumber(mlirOperationGetOperand(next, !k), scfForOpGetStep(loop)))
      return true;
  return false;
}

typedef struct Merger {
  TileBuilder b;
  uint64_t *count;
} Merger;

static void merge(Merger *m, SCFForOp loop, intptr_t i) {
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirValue own = mlirBlockGetArgument(body, 0), v = mlirBlockGetArgument(body, i + 1);
  uint64_t start, first;
  MlirValue lower = splitConstant(scfForOpGetLowerBound(loop), &start),
            initial = splitConstant(scfForOpGetInitArgs(loop, i), &first);
  if (lower.ptr != initial.ptr || !movesByStep(loop, body, i, v))
    return;
  MlirLocation loc = mlirOperationGetLocation(loop.op);
  MlirType type = mlirValueGetType(own);
  mlirRewriterBaseSetInsertionPointToStart(m->b, body);
  MlirValue distance = tileCreateInteger(m->b, loc, type, (int64_t)(first - start));
  mlirValueReplaceAllUsesOfWith(v, tileCreateOp2(m->b, loc, TileOp_Arith_AddI, own, distance));
  ++*m->count;
}

static MlirWalkResult visit(MlirOperation op, void *user) {
  SCFForOp loop = scfForOpCast(op);
  for (intptr_t i = 0; !scfForOpIsNull(loop) && i < scfForOpGetNumInitArgs(loop); ++i)
    merge(user, loop, i);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileMergeInductionsRun(MlirOperation op, const TileMergeInductionsParams *params) {
  Merger m = {mlirIRRewriterCreate(mlirOperationGetContext(op)), params->numMerged};
  mlirOperationWalk(op, visit, &m, MlirWalkPreOrder);
  mlirIRRewriterDestroy(m.b);
  return tileSuccess();
}
