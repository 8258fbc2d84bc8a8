/* ScanPlan.c - which register, lane or warp bit holds each bit of the position along a scan's axis. */
#include "tile-c/ScanPlan.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Scratch.h"

/* The position bit that an input bit moves: -1 if none, -2 if it moves more than that. */
static int positionBit(const TileLayout *layout, int axis, int in, int bit) {
  int32_t along = layout->bases[in][bit][axis];
  if (!along)
    return -1;
  for (int d = 0; d < layout->rank; ++d)
    if (d != axis && layout->bases[in][bit][d])
      return -2;
  return along & (along - 1) ? -2 : __builtin_ctz((unsigned)along);
}

/* Fills bits and axisBits. */
static bool placeBits(const TileLayout *layout, int axis, TileScanPlan *plan) {
  uint32_t placed = 0;
  for (int in = 0; in < TileLayoutDim_Count; ++in)
    for (int bit = 0; bit < layout->bits[in]; ++bit) {
      int at = positionBit(layout, axis, in, bit);
      if (at == -1)
        continue;
      if (at < 0 || at >= TileLayout_MaxBits || placed >> at & 1 || in == TileLayoutDim_Block)
        return false;
      plan->bits[at] = (TileScanBit){(TileLayoutDim)in, bit};
      placed |= 1u << at;
    }
  plan->axisBits = __builtin_popcount(placed);
  return (int64_t)1 << plan->axisBits == layout->shape[axis];
}

static int bitsWithout(const TileScanPlan *plan, int from, TileLayoutDim holder) {
  while (from < plan->axisBits && plan->bits[from].holder != holder)
    ++from;
  return from;
}

/* Whether all elements may pass through the scratch. */
static bool isShort(const TileScanPlan *plan, const TileLayout *layout, int elementBytes) {
  return plan->axisBits && 1 << plan->axisBits <= TileScan_ShortAxis &&
         tileLayoutNumElements(layout) * elementBytes <= TileScan_ShortBytes;
}

/* Sets innerBits; false if the blocks' totals would have to be scanned over lanes again. */
static bool chooseBlocks(const TileLayout *layout, int elementBytes, TileScanPlan *plan) {
  int lane = bitsWithout(plan, 0, TileLayoutDim_Lane), warp = bitsWithout(plan, 0, TileLayoutDim_Warp);
  bool inRegisters = lane == plan->axisBits && warp == plan->axisBits;
  plan->innerBits = !inRegisters && isShort(plan, layout, elementBytes) ? 0 : warp;
  return !plan->innerBits || bitsWithout(plan, warp, TileLayoutDim_Lane) == plan->axisBits;
}

static int firstThreadBit(const TileScanPlan *plan) {
  int lane = bitsWithout(plan, 0, TileLayoutDim_Lane), warp = bitsWithout(plan, 0, TileLayoutDim_Warp);
  return lane < warp ? lane : warp;
}

/* Whether all threads share one scan, and hold many blocks of it that lie apart. */
static bool isSpread(const TileScanPlan *plan, const TileLayout *layout, int elementBytes) {
  int groups = 0, threads = 0;
  for (int at = firstThreadBit(plan); at < plan->axisBits; ++at)
    ++*(plan->bits[at].holder == TileLayoutDim_Register ? &groups : &threads);
  return threads == layout->bits[TileLayoutDim_Lane] + layout->bits[TileLayoutDim_Warp] &&
         tileLayoutNumElements(layout) == layout->shape[plan->axis] &&
         (1 << groups) >= TileScan_SpreadGroups &&
         ((int64_t)elementBytes << (groups + threads)) <= TileScan_SpreadBytes;
}

/* Bytes of one element of all operands. */
static int elementBytes(MlirOperation op) {
  int bytes = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    bytes += tileScratchElementBytes(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return bytes;
}

bool tileScanLayoutFits(MlirOperation op, const TileLayout *layout) {
  TileScanPlan plan = {.axis = (int)tileScanOpGetAxis(tileScanOpCast(op))};
  return placeBits(layout, plan.axis, &plan) && chooseBlocks(layout, elementBytes(op), &plan);
}

static int64_t alignUp(int64_t n) { return (n + 15) / 16 * 16; }

int64_t tileScanOffset(MlirOperation op, const TileScanPlan *plan, intptr_t operand) {
  int64_t offset = 0, rows = plan->blocks;
  if (plan->spread)
    rows += (int64_t)1 << plan->layout.bits[TileLayoutDim_Warp];
  for (intptr_t i = 0; i < operand; ++i)
    offset += alignUp(rows * plan->sliceElements *
                      tileScratchElementBytes(mlirValueGetType(mlirOperationGetOperand(op, i))));
  return offset;
}

bool tileScanPlan(MlirOperation op, TileScanPlan *out) {
  TileScanOp scan = tileScanOpCast(op);
  *out = (TileScanPlan){.axis = (int)tileScanOpGetAxis(scan), .reverse = tileScanOpGetReverse(scan)};
  if (!tileLayoutOfType(mlirValueGetType(tileScanOpGetSrcs(scan, 0)), &out->layout))
    return tileSucceeded(tileEmitOpError(
        op, "got an operand without a layout, expected one (run tile-gpu-assign-layouts before)"));
  if (!placeBits(&out->layout, out->axis, out) || !chooseBlocks(&out->layout, elementBytes(op), out))
    return tileSucceeded(tileEmitOpError(
        op, "got a layout in which the axis is not made of single register, lane and warp bits, expected "
            "one (run tile-gpu-assign-layouts before)"));
  out->spread = out->innerBits && isSpread(out, &out->layout, elementBytes(op));
  if (out->spread)
    out->innerBits = firstThreadBit(out);
  out->blocks = (int64_t)1 << (out->axisBits - out->innerBits);
  out->sliceElements = tileLayoutNumElements(&out->layout) / out->layout.shape[out->axis];
  if (out->blocks > 1)
    out->bytes = tileScanOffset(op, out, mlirOperationGetNumOperands(op));
  return true;
}
