/* Coordinates.c - index arithmetic: which element of a tensor a thread's register holds.
 *
 * A layout is linear over GF(2), so a coordinate is (what the thread contributes) ^ (what the register
 * contributes). The first part is computed once per layout in the function's first block, from runs of
 * thread-id bits that keep their order; the second is a constant. Where the two share no bits, XOR is
 * addition, which address arithmetic likes better. */
#include "Lowering.h"

/* Basis of thread bit i along dim: lane bits first, then warp bits. */
static int32_t threadBasis(const TileLayout *layout, int i, int dim) {
  int lanes = layout->bits[TileLayoutDim_Lane];
  if (i < lanes)
    return layout->bases[TileLayoutDim_Lane][i][dim];
  return layout->bases[TileLayoutDim_Warp][i - lanes][dim];
}

static int threadBits(const TileLayout *layout) {
  return layout->bits[TileLayoutDim_Lane] + layout->bits[TileLayoutDim_Warp];
}

/* The part of thread bits [first, first + n) that maps to basis, basis << 1, ... */
static MlirValue emitRun(TileLowering *l, int first, int n, int32_t basis) {
  MlirValue bits = tileEmit2(l, TileOp_LLVM_And, l->tid, tileEmitI32(l, (int64_t)((1u << n) - 1) << first));
  if (basis & (basis - 1)) { /* several coordinate bits move together: multiply the single bit */
    if (first)
      bits = tileEmit2(l, TileOp_LLVM_LShr, bits, tileEmitI32(l, first));
    return tileEmit2(l, TileOp_LLVM_Mul, bits, tileEmitI32(l, basis));
  }
  int to = 0;
  while (basis >> to != 1)
    ++to;
  if (to == first)
    return bits;
  return to > first ? tileEmit2(l, TileOp_LLVM_Shl, bits, tileEmitI32(l, to - first))
                    : tileEmit2(l, TileOp_LLVM_LShr, bits, tileEmitI32(l, first - to));
}

MlirValue tileEmitThreadPart(TileLowering *l, const TileLayout *layout, int dim) {
  MlirValue sum = {NULL};
  uint32_t used = 0;
  for (int i = 0, n; i < threadBits(layout); i += n) {
    int32_t basis = threadBasis(layout, i, dim);
    n = 1;
    if (!basis)
      continue;
    uint32_t covers = (uint32_t)basis;
    if (!(basis & (basis - 1)))
      for (; i + n < threadBits(layout) && threadBasis(layout, i + n, dim) == basis << n; ++n)
        covers |= (uint32_t)basis << n;
    MlirValue run = emitRun(l, i, n, basis);
    sum = sum.ptr ? tileEmit2(l, used & covers ? TileOp_LLVM_XOr : TileOp_LLVM_Or, sum, run) : run;
    used |= covers;
  }
  return sum.ptr ? sum : tileEmitI32(l, 0);
}

static MlirValue threadPart(TileLowering *l, MlirAttribute encoding, const TileLayout *layout, int dim) {
  MlirValue *cached = tilePointerMapFind(&l->coordinates, encoding.ptr);
  if (!cached) {
    cached = tileArenaAlloc(l->arena, TileLayout_MaxRank, sizeof *cached);
    tilePointerMapSet(&l->coordinates, encoding.ptr, cached);
  }
  if (!cached[dim].ptr) {
    TileBuilder body = l->b;
    l->b = l->prologue;
    cached[dim] = tileEmitThreadPart(l, layout, dim);
    l->b = body;
  }
  return cached[dim];
}

uint32_t tileThreadMask(const TileLayout *layout, int dim) {
  uint32_t mask = 0;
  for (int i = 0; i < threadBits(layout); ++i)
    mask |= (uint32_t)threadBasis(layout, i, dim);
  return mask;
}

uint32_t tileRegisterPart(const TileLayout *layout, int reg, int dim) {
  uint32_t part = 0;
  for (int i = 0; i < layout->bits[TileLayoutDim_Register]; ++i)
    if (reg >> i & 1)
      part ^= (uint32_t)layout->bases[TileLayoutDim_Register][i][dim];
  return part;
}

MlirValue tileEmitRegisterCoordinate(TileLowering *l, const TileLayout *layout, MlirValue thread, int reg,
                                     int dim) {
  uint32_t mask = tileThreadMask(layout, dim), part = tileRegisterPart(layout, reg, dim);
  if (!mask)
    return tileEmitI32(l, part);
  if (!part)
    return thread;
  return tileEmit2(l, mask & part ? TileOp_LLVM_XOr : TileOp_LLVM_Add, thread, tileEmitI32(l, part));
}

MlirValue tileEmitCoordinate(TileLowering *l, MlirAttribute encoding, const TileLayout *layout, int reg,
                             int dim) {
  MlirValue none = {NULL};
  return tileEmitRegisterCoordinate(
      l, layout, tileThreadMask(layout, dim) ? threadPart(l, encoding, layout, dim) : none, reg, dim);
}

MlirValue tileEmitFlatIndex(TileLowering *l, const TileLayout *layout, int reg) {
  MlirValue index = {NULL};
  int64_t stride = 1;
  for (int d = layout->rank - 1; d >= 0; stride *= layout->shape[d--]) {
    MlirValue c = tileEmitRegisterCoordinate(l, layout, tileEmitThreadPart(l, layout, d), reg, d);
    if (stride > 1)
      c = tileEmit2(l, TileOp_LLVM_Mul, c, tileEmitI32(l, stride));
    index = index.ptr ? tileEmit2(l, TileOp_LLVM_Add, index, c) : c;
  }
  return index.ptr ? index : tileEmitI32(l, 0);
}

MlirValue tileEmitOwnerPredicate(TileLowering *l, const TileLayout *layout) {
  uint32_t mask = tileLayoutFreeMask(layout, TileLayoutDim_Lane) |
                  tileLayoutFreeMask(layout, TileLayoutDim_Warp) << layout->bits[TileLayoutDim_Lane];
  if (!mask)
    return (MlirValue){NULL};
  MlirValue copies = tileEmit2(l, TileOp_LLVM_And, l->tid, tileEmitI32(l, mask));
  return tileEmitICmp(l, LLVMICmpPredicate_eq, copies, tileEmitI32(l, 0));
}

MlirValue tileEmitFirstThread(TileLowering *l) {
  return tileEmitICmp(l, LLVMICmpPredicate_eq, l->tid, tileEmitI32(l, 0));
}

MlirValue tileEmitLane(TileLowering *l) {
  return tileEmit2(l, TileOp_LLVM_And, l->tid, tileEmitI32(l, l->target->warpSize - 1));
}

MlirValue tileEmitGatherBits(TileLowering *l, MlirValue value, const int *positions, int n) {
  MlirValue gathered = tileEmitI32(l, 0);
  for (int i = 0, run; i < n; i += run) {
    for (run = 1; i + run < n && positions[i + run] == positions[i] + run;)
      ++run;
    MlirValue bits = value;
    if (positions[i])
      bits = tileEmit2(l, TileOp_LLVM_LShr, bits, tileEmitI32(l, positions[i]));
    bits = tileEmit2(l, TileOp_LLVM_And, bits, tileEmitI32(l, (int64_t)(1u << run) - 1));
    if (i)
      bits = tileEmit2(l, TileOp_LLVM_Shl, bits, tileEmitI32(l, i));
    gathered = i ? tileEmit2(l, TileOp_LLVM_Or, gathered, bits) : bits;
  }
  return gathered;
}
