/* Scratch.c - plans for ops that move data between lanes and warps. */
#include "tile-c/Scratch.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/ScanPlan.h"
#include <string.h>

int tileScratchElementBytes(MlirType type) {
  size_t bytes = tileElementTypeSize(tileElementTypeOf(type));
  return bytes ? (int)bytes : 8; /* pointers */
}

/* What the way through shared memory costs beside its accesses: addresses, the barrier inside and the one that
 * frees the scratch for the next op. */
enum { SCRATCH_OVERHEAD = 24, BARRIERS_OVERHEAD = 64 };

/* log2 of the elements that the inputs reach. */
static int reachedBits(const TileLayout *layout, TileLayoutDimMask inputs) {
  TileLayout part;
  int bits = 0;
  tileLayoutSublayout(layout, inputs, UINT32_MAX, &part);
  for (int dim = 0; dim < TileLayoutDim_Count; ++dim)
    bits += part.bits[dim] - __builtin_popcount(tileLayoutFreeMask(&part, (TileLayoutDim)dim));
  return bits;
}

/* Whether no two warps hold the same element. */
static bool warpsAreDisjoint(const TileLayout *layout) {
  TileLayoutDimMask own = TILE_LAYOUT_DIM(TileLayoutDim_Register) | TILE_LAYOUT_DIM(TileLayoutDim_Lane);
  return reachedBits(layout, own) + layout->bits[TileLayoutDim_Warp] ==
         reachedBits(layout, own | TILE_LAYOUT_DIM(TileLayoutDim_Warp));
}

/* Shuffles where they are cheaper, or where shared memory does not suffice. What all warps hold alike goes through one scratch,
 * for which all of them meet twice. */
static void planShuffles(const TileLayout *from, const TileLayout *to, bool scratchFits,
                         TileConvertPlan *out) {
  if (out->conversion.kind != TileConversion_Lane || tileLayoutNumBlocks(from) > 1 ||
      !tileLayoutPlanShuffles(from, to, &out->shuffle))
    return;
  const int32_t overhead = SCRATCH_OVERHEAD + (warpsAreDisjoint(from) ? 0 : BARRIERS_OVERHEAD);
  out->byShuffles =
      !scratchFits || tileShuffleCost(&out->shuffle, out->elementBits) <= out->scratch.cost + overhead;
}

bool tileConvertPlan(const TileLayout *from, const TileLayout *to, MlirType element,
                     const TileTargetInfo *target, int64_t limit, TileConvertPlan *out) {
  *out = (TileConvertPlan){.elementBits = 8 * tileScratchElementBytes(element)};
  if (!tileLayoutConversion(from, to, &out->conversion))
    return false;
  if (out->conversion.kind <= TileConversion_Register)
    return true;
  int32_t unused[TileLayout_MaxBits];
  tileLayoutDropRedundantRegisters(from, &out->from, out->fromKept);
  tileLayoutDropRedundantRegisters(to, &out->to, unused);
  TileScratchOptions options = {.elementBits = out->elementBits,
                                .maxVectorBits =
                                    (int32_t)(target->maxVectorBits < 128 ? target->maxVectorBits : 128),
                                .banks = (int32_t)target->sharedBanks,
                                .maxBytes = limit ? limit : target->sharedPerBlockDefault};
  options.ldMatrix = tileTargetHas(target, TileFeature_LdMatrix);
  bool fits = tileLayoutPlanScratch(&out->from, &out->to, &options, &out->scratch);
  if (fits && out->scratch.roundBits && out->scratch.load != TileScratchAccess_Vector) {
    options.ldMatrix = false; // whole matrices need all of the scratch
    fits = tileLayoutPlanScratch(&out->from, &out->to, &options, &out->scratch);
  }
  planShuffles(from, to, fits, out);
  out->warpLocal =
      out->conversion.kind == TileConversion_Lane && !out->scratch.roundBits && warpsAreDisjoint(from);
  return fits || out->byShuffles;
}

bool tileConvertPlanOf(MlirOperation op, const TileLayout *from, const TileLayout *to,
                       const TileTargetInfo *target, TileConvertPlan *out) {
  return tileConvertPlan(from, to, mlirValueGetType(mlirOperationGetOperand(op, 0)), target,
                         tileGetIntAttr(op, "tile_gpu.scratch_limit", 0), out);
}

/* Every basis vector lies along the axis or has nothing of it. */
static bool axisIsSeparate(const TileLayout *l, int axis) {
  for (int in = 0; in < TileLayoutDim_Count; ++in)
    for (int bit = 0; bit < l->bits[in]; ++bit)
      for (int d = 0; l->bases[in][bit][axis] && d < l->rank; ++d)
        if (d != axis && l->bases[in][bit][d])
          return false;
  return true;
}

/* No element of a row is held twice but by threads and registers that have no part along the axis. */
static bool axisIsHeldOnce(const TileLayout *l, int axis) {
  uint32_t pivots[32] = {0};
  for (int in = 0; in < TileLayoutDim_Count; ++in)
    for (int bit = 0; bit < l->bits[in]; ++bit) {
      uint32_t v = (uint32_t)l->bases[in][bit][axis];
      if (!v)
        continue;
      while (v && pivots[31 - __builtin_clz(v)])
        v ^= pivots[31 - __builtin_clz(v)];
      if (!v)
        return false;
      pivots[31 - __builtin_clz(v)] = v;
    }
  return true;
}

/* Registers, then lanes, then warps: a thread's elements are neighbours, those of a warp as well. */
static bool axisIsInOrder(const TileLayout *l, int axis) {
  int32_t last = 0;
  for (int in = 0; in < TileLayoutDim_Count; ++in)
    for (int bit = 0; bit < l->bits[in]; ++bit) {
      int32_t along = l->bases[in][bit][axis];
      if (!along)
        continue;
      if (along & (along - 1) || along < last)
        return false;
      last = along;
    }
  return true;
}

bool tileReduceLayoutFits(MlirOperation op, const TileLayout *operand) {
  int axis = (int)tileReduceOpGetAxis(tileReduceOpCast(op));
  return axisIsSeparate(operand, axis) && axisIsHeldOnce(operand, axis) &&
         (!tileReduceIsOrdered(op) || axisIsInOrder(operand, axis));
}

bool tileReduceIsOrdered(MlirOperation op) {
  return mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.ordered")).ptr;
}

static int64_t alignUp(int64_t n) { return (n + 15) / 16 * 16; }

int64_t tileReduceOffset(MlirOperation op, const TileReducePlan *plan, intptr_t operand) {
  int64_t offset = 0;
  for (intptr_t i = 0; i < operand; ++i)
    offset += alignUp(plan->resultElements * plan->axisWarps *
                      tileScratchElementBytes(mlirValueGetType(mlirOperationGetOperand(op, i))));
  return offset;
}

static uint32_t bitsBelow(int n) { return (1u << n) - 1; }

/* Threads that hold results of their own: not along the axis, and not alike. */
static uint32_t slotMask(const TileReducePlan *plan) {
  const TileLayout *l = &plan->operand;
  int lanes = l->bits[TileLayoutDim_Lane], warps = l->bits[TileLayoutDim_Warp];
  return (bitsBelow(lanes) & ~(plan->laneMask | tileLayoutZeroMask(l, TileLayoutDim_Lane))) |
         (bitsBelow(warps) & ~(plan->warpMask | tileLayoutZeroMask(l, TileLayoutDim_Warp))) << lanes;
}

/* As many result registers at a time as the scratch has room for. */
static void planRounds(MlirOperation op, int64_t limit, TileReducePlan *out) {
  intptr_t n = mlirOperationGetNumOperands(op);
  out->perRound = tileLayoutNumRegisters(&out->result);
  out->bytes = tileReduceOffset(op, out, n);
  while (out->bytes > limit && out->perRound > 1) {
    out->perRound /= 2;
    out->resultElements = out->perRound << __builtin_popcount(out->slotMask);
    out->bytes = tileReduceOffset(op, out, n);
  }
}

bool tileReducePlan(MlirOperation op, const TileTargetInfo *target, int64_t limit, TileReducePlan *out) {
  TileReduceOp reduce = tileReduceOpCast(op);
  int axis = (int)tileReduceOpGetAxis(reduce);
  if (!limit)
    limit = tileGetIntAttr(op, "tile_gpu.scratch_limit", target->sharedPerBlock);
  *out = (TileReducePlan){.axisWarps = 1};
  if (!tileLayoutOfType(mlirValueGetType(tileReduceOpGetSrcs(reduce, 0)), &out->operand))
    return tileSucceeded(tileEmitOpError(
        op, "got an operand without a layout, expected one (run tile-gpu-assign-layouts before)"));
  if (!tileReduceLayoutFits(op, &out->operand) || !tileLayoutSlice(&out->operand, axis, &out->result))
    return tileSucceeded(tileEmitOpError(op, "got a layout that mixes the axis with other dimensions or "
                                             "holds elements of it twice, expected another "
                                             "one (tile-gpu-assign-layouts converts such operands)"));
  out->laneMask = tileLayoutMaskAlong(&out->operand, TileLayoutDim_Lane, axis);
  out->warpMask = tileLayoutMaskAlong(&out->operand, TileLayoutDim_Warp, axis);
  out->axisWarps = 1 << __builtin_popcount(out->warpMask);
  out->slotMask = slotMask(out);
  out->resultElements = tileLayoutNumElements(&out->result);
  if (out->warpMask)
    planRounds(op, limit, out);
  return true;
}

/* The dimension along which a thread, or else a lane, goes first. */
static int fastestDim(const TileLayout *l) {
  for (int in = TileLayoutDim_Register; in <= TileLayoutDim_Lane; ++in)
    for (int bit = 0; bit < l->bits[in]; ++bit)
      for (int d = 0; d < l->rank; ++d)
        if (l->bases[in][bit][d])
          return d;
  return l->rank - 1;
}

/* The fastest dimension first, the others from the last to the first. */
static void orderSource(TileGatherPlan *plan) {
  int fastest = fastestDim(&plan->source), n = 0;
  int64_t stride = 1;
  plan->order[n++] = fastest;
  for (int d = plan->source.rank - 1; d >= 0; --d)
    if (d != fastest)
      plan->order[n++] = d;
  for (int i = 0; i < n; stride *= plan->source.shape[plan->order[i++]])
    plan->strides[plan->order[i]] = stride;
}

/* The register bit that alone has bit `b` of coordinate `d`, and nothing else; -1 if there is none. */
static int registerBitOf(const TileLayout *l, int d, int b) {
  int found = -1;
  for (int in = 0; in < TileLayoutDim_Count; ++in)
    for (int bit = 0; bit < l->bits[in]; ++bit) {
      if (!(l->bases[in][bit][d] >> b & 1))
        continue;
      int32_t rest = l->bases[in][bit][d] ^ 1 << b;
      for (int e = 0; e < l->rank; ++e)
        rest |= e == d ? 0 : l->bases[in][bit][e];
      if (found >= 0 || in != TileLayoutDim_Register || rest)
        return -1;
      found = bit;
    }
  return found;
}

/* Takes the register bit away, and the coordinate's bit: those above it move down. */
static void takeBit(TileLayout *l, int registerBit, int d, int b) {
  int last = --l->bits[TileLayoutDim_Register];
  memmove(l->bases[TileLayoutDim_Register][registerBit], l->bases[TileLayoutDim_Register][registerBit + 1],
          (size_t)(last - registerBit) * sizeof l->bases[TileLayoutDim_Register][0]);
  memset(l->bases[TileLayoutDim_Register][last], 0, sizeof l->bases[TileLayoutDim_Register][last]);
  int32_t low = (1 << b) - 1;
  for (int in = 0; in < TileLayoutDim_Count; ++in)
    for (int bit = 0; bit < l->bits[in]; ++bit) {
      int32_t c = l->bases[in][bit][d];
      l->bases[in][bit][d] = (c & low) | (c >> 1 & ~low);
    }
  l->shape[d] /= 2;
}

/* Parts of half the size, told apart by a coordinate that goes as slowly as possible. */
static bool halveSource(TileGatherPlan *plan) {
  for (int i = plan->source.rank - 1; i >= 0; --i) {
    int d = plan->order[i];
    for (int b = __builtin_ctz((unsigned)plan->source.shape[d]) - 1; b >= 0; --b) {
      int bit = registerBitOf(&plan->source, d, b);
      if (bit < 0)
        continue;
      plan->rounds[plan->roundBits].registerBit = plan->kept[bit];
      plan->rounds[plan->roundBits].dim = d;
      plan->rounds[plan->roundBits++].bit = b;
      takeBit(&plan->source, bit, d, b);
      for (int k = bit; k < plan->source.bits[TileLayoutDim_Register]; ++k)
        plan->kept[k] = plan->kept[k + 1];
      plan->bytes /= 2;
      return true;
    }
  }
  return false;
}

bool tileGatherPlan(MlirOperation op, const TileTargetInfo *target, int64_t limit, TileGatherPlan *out) {
  MlirType source = mlirValueGetType(mlirOperationGetOperand(op, 0));
  TileLayout layout;
  TileSharedLayout shared;
  int64_t shape[TileLayout_MaxRank];
  if (!limit)
    limit = tileGetIntAttr(op, "tile_gpu.scratch_limit", target->sharedPerBlock);
  *out = (TileGatherPlan){.elementBits = 8 * tileScratchElementBytes(source)};
  if (!tileLayoutOfType(source, &layout) ||
      !tileLayoutOfType(mlirValueGetType(mlirOperationGetResult(op, 0)), &out->result))
    return tileSucceeded(tileEmitOpError(
        op, "got a tensor without a layout, expected one on source and result (run tile-gpu-assign-layouts "
            "before)"));
  tileLayoutDropRedundantRegisters(&layout, &out->source, out->kept);
  orderSource(out);
  out->bytes = tileTypeNumElements(source) * out->elementBits / 8;
  while (out->bytes > limit && halveSource(out)) {
  }
  orderSource(out);
  int32_t widest = (int32_t)(target->maxVectorBits < 128 ? target->maxVectorBits : 128);
  for (int d = 0; d < layout.rank; ++d)
    shape[d] = out->source.shape[d];
  if (!tileSharedPlain(shape, layout.rank, out->order, &shared) ||
      !tileSharedAccessOf(&out->source, &shared, out->elementBits, widest, &out->store))
    return tileSucceeded(TILE_BUG(op, "the source's layout does not fit shared memory"));
  return true;
}

int64_t tileHistogramBins(MlirOperation op, const TileTargetInfo *target, int64_t limit) {
  int64_t bins = tileTypeNumElements(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (!limit)
    limit = tileGetIntAttr(op, "tile_gpu.scratch_limit", target->sharedPerBlock);
  while (4 * bins > limit && bins > 1)
    bins /= 2;
  return bins;
}

static MlirLogicalResult convertBytes(MlirOperation op, const TileTargetInfo *target, int64_t *out_bytes) {
  TileLayout from, to;
  TileConvertPlan plan;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (!tileLayoutOfType(type, &from) ||
      !tileLayoutOfType(mlirValueGetType(mlirOperationGetResult(op, 0)), &to))
    return tileEmitOpError(op, "got a tensor without a layout, expected one on operand and result");
  if (!tileConvertPlanOf(op, &from, &to, target, &plan))
    return tileEmitOpError(op, "needs at least %lld bytes of shared memory, %s has %u for a block",
                           (long long)plan.scratch.bytes, target->chip, target->sharedPerBlockDefault);
  *out_bytes = plan.conversion.kind > TileConversion_Register && !plan.byShuffles ? plan.scratch.bytes : 0;
  return tileSuccess();
}

bool tileScratchMeetsBarrier(MlirOperation op, const TileTargetInfo *target) {
  TileLayout from, to;
  TileConvertPlan plan;
  return tileOpKind(op) != TileOp_TileGPU_ConvertLayout ||
         !tileLayoutOfType(mlirValueGetType(mlirOperationGetOperand(op, 0)), &from) ||
         !tileLayoutOfType(mlirValueGetType(mlirOperationGetResult(op, 0)), &to) ||
         !tileConvertPlanOf(op, &from, &to, target, &plan) || !plan.warpLocal;
}

/* Bytes between the rows of a product's first factor: lanes read 16 bytes along K of up to eight rows at a time, which lie in different banks
 * if a row is an odd number of 16 bytes (NVIDIA). */
static int64_t rowGap(const TileTargetInfo *target, int64_t rows, int64_t rowBytes) {
  enum { ACCESS = 16 };
  return target->vendor == TileVendor_NVIDIA && rows > 1 && rowBytes % (2 * ACCESS) == 0 ? ACCESS : 0;
}

bool tileDotPlan(MlirOperation op, const TileTargetInfo *target, TileDotPlan *out) {
  TileDotOp dot = tileDotOpCast(op);
  MlirType a = mlirValueGetType(tileDotOpGetA(dot)), b = mlirValueGetType(tileDotOpGetB(dot));
  int64_t shape[TileLayout_MaxRank];
  *out = (TileDotPlan){0};
  if (!tileLayoutOfType(mlirValueGetType(tileDotOpGetResult(dot)), &out->result))
    return tileSucceeded(tileEmitOpError(
        op, "got a result without a layout, expected one (run tile-gpu-assign-layouts before)"));
  int rank = tileTypeGetShape(a, shape, TileLayout_MaxRank);
  out->m = shape[rank - 2];
  out->k = shape[rank - 1];
  tileTypeGetShape(b, shape, TileLayout_MaxRank);
  out->n = shape[rank - 1];
  const int64_t bytesA = tileScratchElementBytes(a), rows = tileTypeNumElements(a) / out->k,
                deepB = tileTypeNumElements(b) / out->k * tileScratchElementBytes(b);
  for (out->chunk = out->k; out->chunk > 0; out->chunk /= 2) {
    out->aRow = out->chunk + rowGap(target, rows, out->chunk * bytesA) / bytesA;
    out->bOffset = alignUp(rows * out->aRow * bytesA);
    out->bytes = out->bOffset + deepB * out->chunk;
    if (out->bytes <= target->sharedPerBlock || out->chunk == 1)
      break;
  }
  return true;
}

/* Room for all results, if threads other than the acting ones need them. */
static int64_t atomicBytes(MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  TileLayout layout;
  if (tileValueIsUnused(result))
    return 0;
  if (tileLayoutOfType(type, &layout) && !tileLayoutFreeMask(&layout, TileLayoutDim_Lane) &&
      !tileLayoutFreeMask(&layout, TileLayoutDim_Warp))
    return 0;
  return tileTypeNumElements(type) * tileScratchElementBytes(type);
}

/* Two blocks would send as much, and meet once more. */
bool tileBlockSumIsShared(MlirOperation op) {
  enum { Least = 4 };
  return tileGPUBlockSumOpGetBlocks(tileGPUBlockSumOpCast(op)) >= Least;
}

/* Each thread's registers, as many threads as the layout has; and the sums of a block's share of them. */
static MlirLogicalResult blockSumBytes(MlirOperation op, const TileTargetInfo *target, int64_t *out_bytes) {
  TileLayout layout;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (!tileLayoutOfType(type, &layout))
    return tileEmitOpError(op, "got a tensor without a layout, expected one");
  *out_bytes = ((int64_t)target->warpSize << layout.bits[TileLayoutDim_Warp]) *
               (int64_t)tileLayoutNumRegisters(&layout) * tileScratchElementBytes(type);
  if (tileBlockSumIsShared(op))
    *out_bytes += *out_bytes / tileGPUBlockSumOpGetBlocks(tileGPUBlockSumOpCast(op));
  return tileSuccess();
}

MlirLogicalResult tileScratchBytes(MlirOperation op, const TileTargetInfo *target, int64_t *out_bytes) {
  TileReducePlan reduce;
  TileDotPlan dot;
  TileGatherPlan gather;
  TileScanPlan scan;
  *out_bytes = 0;
  switch (tileOpKind(op)) {
  case TileOp_TileGPU_ConvertLayout:
    return convertBytes(op, target, out_bytes);
  case TileOp_Tile_Reduce:
    if (!tileReducePlan(op, target, 0, &reduce))
      return tileFailure();
    *out_bytes = reduce.bytes;
    return tileSuccess();
  case TileOp_Tile_Dot:
    if (!tileDotPlan(op, target, &dot))
      return tileFailure();
    *out_bytes = dot.bytes;
    return tileSuccess();
  case TileOp_Tile_Gather:
    if (!tileGatherPlan(op, target, 0, &gather))
      return tileFailure();
    *out_bytes = gather.bytes;
    return tileSuccess();
  case TileOp_Tile_AtomicPoll: /* the result, if it can be false and is asked for */
    if (tileAtomicPollOpGetTimeout(tileAtomicPollOpCast(op)).ptr &&
        !tileValueIsUnused(mlirOperationGetResult(op, 0)))
      *out_bytes = 4;
    return tileSuccess();
  case TileOp_Tile_AtomicRMW:
  case TileOp_Tile_AtomicCAS:
    *out_bytes = atomicBytes(op);
    return tileSuccess();
  case TileOp_TileGPU_BlockSum: /* all of the part */
    return blockSumBytes(op, target, out_bytes);
  case TileOp_Tile_Histogram: /* a counter of 4 bytes for each bin */
    *out_bytes = 4 * tileHistogramBins(op, target, 0);
    return tileSuccess();
  case TileOp_Tile_Scan:
    if (!tileScanPlan(op, &scan))
      return tileFailure();
    *out_bytes = scan.bytes;
    return tileSuccess();
  default:
    return tileSuccess();
  }
}
