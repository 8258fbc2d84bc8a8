/* Blocked.c - spreading one block's tile over a tensor, and the blocked layouts built that way. */
#include "Linear.h"

static bool orderIsPermutation(int32_t rank, const int32_t *order) {
  uint32_t seen = 0;
  for (int32_t i = 0; i < rank; ++i) {
    if (order[i] < 0 || order[i] >= rank || (seen >> order[i] & 1))
      return false;
    seen |= 1u << order[i];
  }
  return true;
}

static bool shapeIsValid(int32_t rank, const int64_t *shape) {
  for (int32_t d = 0; d < rank; ++d)
    if (!tileIsPowerOfTwo(shape[d]) || shape[d] > 1 << 30)
      return false;
  return rank >= 0 && rank <= TileLayout_MaxRank;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

bool tileLayoutDistribute(const TileLayout *tile, const TileLayout *cluster, const int64_t *shape,
                          const int32_t *order, TileLayout *out) {
  int32_t rank = tile->rank;
  TileLayout blocks = cluster ? *cluster : tileLayoutEmpty(rank);
  if (blocks.rank != rank || !shapeIsValid(rank, shape) || !orderIsPermutation(rank, order))
    return false;
  int64_t limit[TileLayout_MaxRank], share[TileLayout_MaxRank];
  for (int32_t d = 0; d < rank; ++d)
    limit[d] = least(shape[d], blocks.shape[d]);
  if (!tileLayoutClip(&blocks, limit, &blocks))
    return false;
  for (int32_t d = 0; d < rank; ++d)
    share[d] = shape[d] / blocks.shape[d];
  TileLayout layout = *tile;
  for (int32_t i = 0; i < rank; ++i) {
    int32_t d = order[i];
    if (share[d] > layout.shape[d] &&
        !tileLayoutAppend(&layout, TileLayoutDim_Register, d, share[d] / layout.shape[d]))
      return false;
  }
  return tileLayoutClip(&layout, share, &layout) && tileLayoutProduct(&layout, &blocks, out);
}

bool tileLayoutBlocked(const int64_t *shape, int32_t rank, const int32_t *sizePerThread,
                       const int32_t *threadsPerWarp, const int32_t *warpsPerCta, const int32_t *order,
                       TileLayout *out) {
  if (!shapeIsValid(rank, shape) || !orderIsPermutation(rank, order))
    return false;
  TileLayout tile = tileLayoutEmpty(rank);
  return tileLayoutAppendOrdered(&tile, TileLayoutDim_Register, sizePerThread, order) &&
         tileLayoutAppendOrdered(&tile, TileLayoutDim_Lane, threadsPerWarp, order) &&
         tileLayoutAppendOrdered(&tile, TileLayoutDim_Warp, warpsPerCta, order) &&
         tileLayoutDistribute(&tile, NULL, shape, order, out);
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

bool tileLayoutDefaultBlockedShape(const int64_t *shape, int32_t rank, const int32_t *sizePerThread,
                                   const int32_t *order, int32_t threads, int32_t warps,
                                   TileBlockedShape *out) {
  if (!shapeIsValid(rank, shape) || !orderIsPermutation(rank, order) || !tileIsPowerOfTwo(threads) ||
      !tileIsPowerOfTwo(warps))
    return false;
  TileBlockedShape result = {{0}, {0}, {0}};
  int64_t remainingThreads = (int64_t)threads * warps, remainingLanes = threads, remainingWarps = warps;
  for (int32_t i = 0; i < rank; ++i) {
    int32_t d = order[i];
    if (!tileIsPowerOfTwo(sizePerThread[d]))
      return false;
    bool last = i == rank - 1;
    int64_t wanted = clamp(shape[d] / sizePerThread[d], 1, remainingThreads);
    int64_t lanes = last ? remainingLanes : clamp(wanted, 1, remainingLanes);
    int64_t warpsHere = last ? remainingWarps : clamp(wanted / lanes, 1, remainingWarps);
    result.sizePerThread[d] = sizePerThread[d];
    result.threadsPerWarp[d] = (int32_t)lanes;
    result.warpsPerCta[d] = (int32_t)warpsHere;
    remainingLanes /= lanes;
    remainingWarps /= warpsHere;
    remainingThreads /= lanes * warpsHere;
  }
  *out = result;
  return true;
}

bool tileLayoutDefaultBlocked(const int64_t *shape, int32_t rank, const int32_t *sizePerThread,
                              const int32_t *order, int32_t threads, int32_t warps, TileLayout *out) {
  TileBlockedShape blocked;
  if (!tileLayoutDefaultBlockedShape(shape, rank, sizePerThread, order, threads, warps, &blocked))
    return false;
  if (rank == 0) {
    TileLayout scalar = tileLayoutEmpty(0);
    return tileLayoutAppendZeros(&scalar, TileLayoutDim_Lane, threads) &&
           tileLayoutAppendZeros(&scalar, TileLayoutDim_Warp, warps) && (*out = scalar, true);
  }
  return tileLayoutBlocked(shape, rank, blocked.sizePerThread, blocked.threadsPerWarp, blocked.warpsPerCta,
                           order, out);
}

bool tileLayoutCluster(int32_t rank, const int32_t *blocksPerDim, const int32_t *splitPerDim,
                       const int32_t *order, TileLayout *out) {
  if (rank < 0 || rank > TileLayout_MaxRank || !orderIsPermutation(rank, order))
    return false;
  TileLayout layout = tileLayoutEmpty(rank);
  for (int32_t i = 0; i < rank; ++i) {
    int32_t d = order[i];
    if (!tileIsPowerOfTwo(blocksPerDim[d]) || !tileIsPowerOfTwo(splitPerDim[d]) ||
        splitPerDim[d] > blocksPerDim[d] ||
        !tileLayoutAppend(&layout, TileLayoutDim_Block, d, splitPerDim[d]) ||
        !tileLayoutAppendZeros(&layout, TileLayoutDim_Block, blocksPerDim[d] / splitPerDim[d]))
      return false;
  }
  *out = layout;
  return true;
}
