/* Histogram.c - tile.histogram: counters in shared memory, one atomic addition for each element.
 *
 * There are no branches: an element that counts nowhere (masked, beyond the last bin, or a copy of what
 * another thread holds) adds zero. More bins than shared memory has room for are counted some at a time. */
#include "Lowering.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Scratch.h"

typedef struct Histogram {
  TileLowering *l;
  MlirOperation op;
  int64_t bins;  ///< counted at a time
  int64_t first; ///< the first of them
  MlirType i32;
  MlirValue counters;     ///< !llvm.ptr<3>
  TileRegisters in, mask; ///< mask.count 0: none
  MlirValue owner;        ///< i1; null: every thread
  uint32_t copies;        ///< register bits that repeat other registers
} Histogram;

static TileAccess counter(Histogram *h, MlirValue index) {
  return (TileAccess){.pointer = tileEmitSharedElement(h->l, h->counters, h->i32, index),
                      .element = h->i32,
                      .width = 1,
                      .alignment = 4};
}

static void clearRounds(Histogram *h, int64_t threads) {
  TileLowering *l = h->l;
  MlirValue zero = tileEmitZero(l, h->i32);
  for (int64_t at = 0; at < h->bins; at += threads) {
    TileAccess to = counter(h, at ? tileEmit2(l, TileOp_LLVM_Add, l->tid, tileEmitI32(l, at)) : l->tid);
    tileEmitPlainStore(l, &to, &zero);
  }
}

/* Thread t clears counters t, t + threads, ... */
static void clear(Histogram *h) {
  TileLowering *l = h->l;
  int64_t threads = (int64_t)l->numWarps * l->target->warpSize;
  if (h->bins >= threads) {
    clearRounds(h, threads);
    return;
  }
  MlirBlock some = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  MlirValue clears = tileEmitICmp(l, LLVMICmpPredicate_ult, l->tid, tileEmitI32(l, h->bins));
  tileEmitCondBranch(l, clears, some, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, some);
  clearRounds(h, threads);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

/* The value as i32 and whether it names a bin. */
static MlirValue binOf(Histogram *h, MlirValue v, MlirValue *counts) {
  TileLowering *l = h->l;
  unsigned bits = tileTypeBits(mlirValueGetType(v));
  if (bits < 32)
    v = tileEmit1(l, TileOp_LLVM_ZExt, h->i32, v);
  if (h->first)
    v = tileEmit2(l, TileOp_LLVM_Sub, v, tileEmitInt(l, mlirValueGetType(v), h->first));
  if (h->first || bits >= 32 || (int64_t)1 << bits > h->bins) // all below the first wrap around
    *counts = tileEmitICmp(l, LLVMICmpPredicate_ult, v, tileEmitInt(l, mlirValueGetType(v), h->bins));
  if (bits > 32)
    v = tileEmit1(l, TileOp_LLVM_Trunc, h->i32, v);
  return tileEmit2(l, TileOp_LLVM_And, v, tileEmitI32(l, h->bins - 1));
}

static MlirValue both(TileLowering *l, MlirValue a, MlirValue b) {
  return !a.ptr ? b : !b.ptr ? a : tileEmit2(l, TileOp_LLVM_And, a, b);
}

static void count(Histogram *h, intptr_t i) {
  TileLowering *l = h->l;
  MlirValue counts = {NULL}, one = tileEmitI32(l, 1);
  MlirValue index = binOf(h, h->in.values[i], &counts);
  counts = both(l, both(l, h->owner, counts), h->mask.count ? h->mask.values[i] : (MlirValue){NULL});
  MlirValue step = counts.ptr ? tileEmit1(l, TileOp_LLVM_ZExt, h->i32, counts) : one;
  LLVMAtomicRMWOpAttrs attrs = {
      .syncscope = mlirStringAttrGet(l->context, tileStr(l->hooks->syncScope(TileMemScope_CTA))),
      .alignment = tileI64Attr(l->context, 4)};
  llvmAtomicRMWOpCreate(l->b, l->loc, h->i32, tileEmitSharedElement(l, h->counters, h->i32, index), step,
                        tileI64Attr(l->context, LLVMAtomicBinOp_add),
                        tileI64Attr(l->context, LLVMAtomicOrdering_monotonic), &attrs);
}

/* The counts of these bins, into the registers that hold them. */
static void loadCounts(Histogram *h, const TileLayout *layout, TileRegisters out, int64_t bins) {
  TileLowering *l = h->l;
  for (intptr_t i = 0; i < out.count; ++i) {
    MlirValue index = tileEmitFlatIndex(l, layout, (int)i), own = {NULL}, value;
    if (h->bins < bins) {
      MlirValue past = tileEmit2(l, TileOp_LLVM_Sub, index, tileEmitI32(l, h->first));
      own = tileEmitICmp(l, LLVMICmpPredicate_ult, past, tileEmitI32(l, h->bins));
      index = tileEmit2(l, TileOp_LLVM_And, index, tileEmitI32(l, h->bins - 1));
    }
    TileAccess from = counter(h, index);
    tileEmitPlainLoad(l, &from, &value);
    out.values[i] = own.ptr && h->first ? tileEmitSelect(l, own, value, out.values[i]) : value;
  }
}

/* Clears, counts and reads, for some bins after the others. */
static MlirLogicalResult countRounds(Histogram *h, int64_t bins) {
  TileLowering *l = h->l;
  TileLayout layout;
  MlirValue result = mlirOperationGetResult(h->op, 0);
  MlirType type = tileLowerElementType(l, mlirValueGetType(result));
  if (tileFailed(tileRequireLayout(h->op, result, &layout)))
    return tileFailure();
  TileRegisters out = tileNewRegisters(l, (intptr_t)tileLayoutNumRegisters(&layout));
  for (h->first = 0; h->first < bins; h->first += h->bins) {
    if (h->first)
      l->hooks->barrier(l);
    clear(h);
    l->hooks->barrier(l);
    for (intptr_t i = 0; i < h->in.count; ++i)
      if (!((uint32_t)i & h->copies))
        count(h, i);
    l->hooks->barrier(l);
    loadCounts(h, &layout, out, bins);
  }
  for (intptr_t i = 0; i < out.count && tileTypeBits(type) > 32; ++i)
    out.values[i] = tileEmit1(l, TileOp_LLVM_ZExt, type, out.values[i]);
  tileBind(l, result, out);
  return tileSuccess();
}

MlirLogicalResult tileLowerHistogram(TileLowering *l, MlirOperation op) {
  TileHistogramOp histogram = tileHistogramOpCast(op);
  MlirValue src = tileHistogramOpGetSrc(histogram), mask = tileHistogramOpGetMask(histogram);
  TileLayout layout;
  if (tileFailed(tileRequireLayout(op, src, &layout)))
    return tileFailure();
  Histogram h = {.l = l,
                 .op = op,
                 .bins = tileHistogramBins(op, l->target, 0),
                 .i32 = mlirIntegerTypeGet(l->context, 32),
                 .in = tileRegistersOf(l, src),
                 .owner = tileEmitOwnerPredicate(l, &layout),
                 .copies = tileLayoutFreeMask(&layout, TileLayoutDim_Register)};
  if (mask.ptr)
    h.mask = tileRegistersOf(l, mask);
  if (mask.ptr && h.mask.count != h.in.count)
    return tileEmitOpError(op, "got a mask with another layout than the source, expected the same");
  h.counters = tileEmitSharedPointer(l, tileScratchOffset(op));
  tileEmitScratchBarrier(l, op);
  return countRounds(&h, tileTypeNumElements(mlirValueGetType(mlirOperationGetResult(op, 0))));
}
