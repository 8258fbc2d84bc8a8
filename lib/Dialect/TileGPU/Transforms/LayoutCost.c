/* LayoutCost.c - conversions by the plan that will carry them out, loops by their trips. */
#include "LayoutCost.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/OpKind.h"
#include "tile-c/Scratch.h"

enum { UNKNOWN_TRIPS = 8, MOST_TRIPS = 64 };

static double tripsOf(MlirOperation loop) {
  SCFForOp op = scfForOpCast(loop);
  int64_t low, high, step;
  if (scfForOpIsNull(op) || !tileValueConstantInt(scfForOpGetLowerBound(op), &low) ||
      !tileValueConstantInt(scfForOpGetUpperBound(op), &high) ||
      !tileValueConstantInt(scfForOpGetStep(op), &step) || step < 1)
    return UNKNOWN_TRIPS;
  double trips = high > low ? ((double)high - (double)low) / (double)step : 1;
  return trips < 1 ? 1 : trips > MOST_TRIPS ? MOST_TRIPS : trips;
}

double tileTripWeight(MlirOperation op) {
  double weight = 1;
  for (op = mlirOperationGetParentOperation(op); op.ptr; op = mlirOperationGetParentOperation(op)) {
    TileOpKind kind = tileOpKind(op);
    if (kind == TileOp_SCF_For || kind == TileOp_SCF_While)
      weight *= tripsOf(op);
    else if (kind == TileOp_SCF_If)
      weight *= 0.75; /* now and then not at all */
  }
  return weight;
}

double tileConversionCost(MlirType type, MlirAttribute from, MlirAttribute to, const TileTargetInfo *target) {
  enum { Wait = 24, BlockWait = 40 }; /* for the barrier inside, and the one that frees the scratch */
  int64_t shape[TileLayout_MaxRank];
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  TileLayout a, b;
  TileConvertPlan plan;
  if (mlirAttributeEqual(from, to))
    return 0;
  if (!tileLayoutFromAttr(from, shape, rank, &a) || !tileLayoutFromAttr(to, shape, rank, &b))
    return BlockWait;
  if (!tileConvertPlan(&a, &b, type, target, 0, &plan))
    return 1e6;
  if (plan.conversion.kind <= TileConversion_Register)
    return 0;
  if (plan.byShuffles)
    return (double)tileShuffleCost(&plan.shuffle, plan.elementBits);
  return (double)plan.scratch.cost + (plan.warpLocal ? Wait : BlockWait);
}
