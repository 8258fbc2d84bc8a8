/* ModuleTarget.c - the target of a module, from and to its attributes. */
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Support/Bits.h"
#include <stdio.h>

/* A string attribute's text, zero-terminated; empty if there is none or it is too long. */
static void readText(MlirOperation module, const char *name, char *out, size_t size) {
  MlirAttribute value = mlirOperationGetDiscardableAttributeByName(module, tileStr(name));
  MlirStringRef text = {"", 0};
  if (value.ptr && mlirAttributeIsAString(value))
    text = mlirStringAttrGetValue(value);
  snprintf(out, size, "%.*s", text.length < size ? (int)text.length : 0, text.data);
}

static MlirLogicalResult readChip(MlirOperation module, TileTargetInfo *out) {
  char chip[64], disabled[512];
  readText(module, "tile_gpu.target", chip, sizeof chip);
  if (!*chip)
    return tileEmitOpError(
        module,
        "got no 'tile_gpu.target', expected the name of a chip (run convert-tile-to-tile-gpu before)");
  const TileTargetInfo *known = tileTargetLookup(chip);
  if (!known)
    return tileEmitOpError(module, "got 'tile_gpu.target' \"%s\", expected one of %s", chip,
                           tileTargetNames());
  *out = *known;
  const char *bad;
  size_t length;
  readText(module, "tile_gpu.disabled", disabled, sizeof disabled);
  if (!tileTargetDisable(out, disabled, &bad, &length))
    return tileEmitOpError(module, "got '%.*s' in 'tile_gpu.disabled', expected features", (int)length, bad);
  return tileSuccess();
}

static MlirLogicalResult readCount(MlirOperation module, const char *name, int missing, int most,
                                   bool anyNumber, int *out) {
  const char *kind = anyNumber ? "number" : "power of two";
  MlirAttribute attribute = mlirOperationGetDiscardableAttributeByName(module, tileStr(name));
  if (attribute.ptr && !mlirAttributeIsAInteger(attribute))
    return tileEmitOpError(module, "got no integer as '%s', expected a %s from 1 to %d", name, kind, most);
  int64_t value = tileGetIntAttr(module, name, missing);
  *out = (int)value;
  if (value >= 1 && value <= most && (anyNumber || tileIsPowerOfTwo(value)))
    return tileSuccess();
  return tileEmitOpError(module, "got %lld as '%s', expected a %s from 1 to %d", (long long)value, name, kind,
                         most);
}

MlirLogicalResult tileModuleTargetRead(MlirOperation op, TileModuleTarget *out) {
  while (mlirOperationGetParentOperation(op).ptr)
    op = mlirOperationGetParentOperation(op);
  TILE_TRY(readChip(op, &out->info));
  enum { MostBlocks = 16 };
  const int mostWarps = (int)out->info.maxWarpsPerBlock;
  TILE_TRY(readCount(op, "tile_gpu.num_warps", 0, mostWarps, false, &out->numWarps));
  TILE_TRY(readCount(op, "tile_gpu.launched_warps", out->numWarps, mostWarps, true, &out->launchedWarps));
  if (out->launchedWarps != out->numWarps && tileLayoutWarps(out->launchedWarps) != out->numWarps)
    return tileEmitOpError(op, "got %d as 'tile_gpu.launched_warps', expected %d, or 12 of 16",
                           out->launchedWarps, out->numWarps);
  TILE_TRY(readCount(op, "tile_gpu.num_ctas", 1, MostBlocks, false, &out->numCtas));
  return readCount(op, "tile_gpu.num_stages", 1, TILE_MOST_STAGES, true, &out->numStages);
}

static void setAttr(MlirOperation module, const char *name, MlirAttribute value) {
  mlirOperationSetDiscardableAttributeByName(module, tileStr(name), value);
}

void tileModuleTargetWrite(MlirOperation module, const TileModuleTarget *target, MlirStringRef disabled) {
  MlirContext context = mlirOperationGetContext(module);
  setAttr(module, "tile_gpu.target", mlirStringAttrGet(context, tileStr(target->info.chip)));
  setAttr(module, "tile_gpu.num_warps", tileI32Attr(context, target->numWarps));
  if (target->launchedWarps != target->numWarps)
    setAttr(module, "tile_gpu.launched_warps", tileI32Attr(context, target->launchedWarps));
  setAttr(module, "tile_gpu.num_ctas", tileI32Attr(context, target->numCtas));
  setAttr(module, "tile_gpu.num_stages", tileI32Attr(context, target->numStages));
  setAttr(module, "tile_gpu.threads_per_warp", tileI32Attr(context, target->info.warpSize));
  if (disabled.length)
    setAttr(module, "tile_gpu.disabled", mlirStringAttrGet(context, disabled));
}
