/* ExpandArith.c - induction variables of other iterations, and whether those exist. */
#include "Expand.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"

MlirValue tilePipelineConstant(TilePipeline *p, MlirLocation loc, MlirType type, int64_t value) {
  return tileCreateInteger(p->b, loc, type, value);
}

static MlirValue binary(TilePipeline *p, MlirLocation loc, TileOpKind kind, MlirValue a, MlirValue b) {
  return tileCreateOp2(p->b, loc, kind, a, b);
}

static MlirValue compare(TilePipeline *p, MlirLocation loc, ArithCmpIPredicate predicate, MlirValue a,
                         MlirValue b) {
  return arithCmpIOpGetResult(arithCmpIOpCreate(p->b, loc, mlirIntegerTypeGet(p->context, 1), a, b,
                                                tileI64Attr(p->context, predicate)));
}

MlirValue tilePipelineIterationAfter(TilePipeline *p, MlirLocation loc, MlirValue base, int n) {
  MlirValue step = scfForOpGetStep(p->loop);
  MlirType type = mlirValueGetType(base);
  int64_t known;
  if (!n)
    return base;
  if (tileValueConstantInt(step, &known))
    return binary(p, loc, TileOp_Arith_AddI, base, tilePipelineConstant(p, loc, type, n * known));
  MlirValue by =
      n == 1 ? step : binary(p, loc, TileOp_Arith_MulI, step, tilePipelineConstant(p, loc, type, n));
  return binary(p, loc, TileOp_Arith_AddI, base, by);
}

/* upper - iv > n * step, unsigned: iv is below upper, so that the difference is exact. A step that is not
 * known is multiplied in twice as many bits. */
static MlirValue remainsMore(TilePipeline *p, MlirLocation loc, MlirValue iv, int n) {
  MlirValue step = scfForOpGetStep(p->loop);
  MlirType type = mlirValueGetType(iv);
  MlirValue rest = binary(p, loc, TileOp_Arith_SubI, scfForOpGetUpperBound(p->loop), iv);
  int64_t known;
  if (tileValueConstantInt(step, &known) && known < INT32_MAX / TilePipeline_MaxStages)
    return compare(p, loc, ArithCmpIPredicate_ugt, rest, tilePipelineConstant(p, loc, type, n * known));
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < 64) {
    type = mlirIntegerTypeGet(p->context, 64);
    rest = arithExtUIOpGetOut(arithExtUIOpCreate(p->b, loc, type, rest));
    step = arithExtUIOpGetOut(arithExtUIOpCreate(p->b, loc, type, step));
  }
  MlirValue by = binary(p, loc, TileOp_Arith_MulI, step, tilePipelineConstant(p, loc, type, n));
  return compare(p, loc, ArithCmpIPredicate_ugt, rest, by);
}

MlirValue tilePipelineHasIteration(TilePipeline *p, MlirLocation loc, MlirValue iv, int n, bool first) {
  MlirValue more = {NULL};
  if (n)
    more = remainsMore(p, loc, iv, n);
  if (!first)
    return more;
  ArithCmpIPredicate less = scfForOpGetUnsignedCmp(p->loop) ? ArithCmpIPredicate_ult : ArithCmpIPredicate_slt;
  MlirValue any = compare(p, loc, less, iv, scfForOpGetUpperBound(p->loop));
  return more.ptr ? binary(p, loc, TileOp_Arith_AndI, any, more) : any;
}
