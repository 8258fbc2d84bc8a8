/* TestAxisInfo.c - tile-gpu-test-axis-info: shows the results of the axis analysis.
 *
 * requires: nothing. ensures: the IR is unchanged. */
#include "tile-c/AxisInfo.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/StringBuilder.h"

static void appendNumber(TileStringBuilder *s, int64_t n) {
  if (n == TILE_AXIS_MAX_DIVISIBILITY)
    tileStringAppendText(s, "*");
  else
    tileStringAppendFormat(s, "%lld", (long long)n);
}

static void appendDims(TileStringBuilder *s, const char *name, const TileAxis *axis, size_t offset) {
  tileStringAppendText(s, name);
  for (int32_t d = 0; d < axis->type.rank; ++d) {
    tileStringAppendText(s, d ? ", " : " = [");
    appendNumber(s, *(const int64_t *)((const char *)&axis->dims[d] + offset));
  }
  tileStringAppendText(s, "]");
}

static bool hasOtherRun(const TileAxis *axis) {
  for (int32_t d = 0; d < axis->type.rank; ++d)
    if (axis->dims[d].run != axis->dims[d].contiguity)
      return true;
  return false;
}

static void describe(TileStringBuilder *s, const TileAxis *axis) {
  appendDims(s, "c", axis, offsetof(TileAxisDim, contiguity));
  appendDims(s, " v", axis, offsetof(TileAxisDim, divisibility));
  appendDims(s, " k", axis, offsetof(TileAxisDim, constancy));
  if (hasOtherRun(axis))
    appendDims(s, " run", axis, offsetof(TileAxisDim, run));
  int32_t bits = axis->type.bits;
  if (bits && axis->min == axis->max)
    tileStringAppendFormat(s, " = %lld", (long long)axis->min);
  else if (bits && (axis->min != tileAxisTypeMin(bits) || axis->max != tileAxisTypeMax(bits)))
    tileStringAppendFormat(s, " in %lld to %lld", (long long)axis->min, (long long)axis->max);
}

static MlirWalkResult remark(MlirOperation op, void *user) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    const TileAxis *axis = tileAxisInfoOf(user, mlirOperationGetResult(op, i));
    if (!axis)
      continue;
    TileStringBuilder s = {0};
    describe(&s, axis);
    tileEmitRemark(mlirOperationGetLocation(op), "%s", s.data);
    tileStringRelease(&s);
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUTestAxisInfoRun(MlirOperation op, const TileGPUTestAxisInfoParams *params) {
  TileAxisInfo *info = tileAxisInfoCreate(op);
  mlirOperationWalk(op, remark, info, MlirWalkPreOrder);
  tileAxisInfoRelease(info);
  return tileSuccess();
}
