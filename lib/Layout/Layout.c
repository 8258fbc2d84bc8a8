/* Layout.c - making layouts: one-dimensional pieces, explicit bases, products. */
#include "Linear.h"
#include <string.h>

TileLayout tileLayoutEmpty(int32_t rank) {
  TileLayout layout;
  memset(&layout, 0, sizeof layout);
  layout.rank = rank < 0 ? 0 : rank > TileLayout_MaxRank ? TileLayout_MaxRank : rank;
  for (int32_t d = 0; d < layout.rank; ++d)
    layout.shape[d] = 1;
  return layout;
}

static bool shapeIsValid(const TileLayout *layout) {
  if (layout->rank < 0 || layout->rank > TileLayout_MaxRank)
    return false;
  for (int32_t d = 0; d < TileLayout_MaxRank; ++d)
    if (d < layout->rank ? !tileIsPowerOfTwo(layout->shape[d]) : layout->shape[d] != 0)
      return false;
  return tileLayoutCoordBits(layout) <= TileLayout_MaxTotalBits;
}

static bool basisIsValid(const TileLayout *layout, int32_t dim, int32_t bit) {
  for (int32_t d = 0; d < TileLayout_MaxRank; ++d) {
    int32_t limit = bit < layout->bits[dim] && d < layout->rank ? layout->shape[d] : 1;
    if (layout->bases[dim][bit][d] < 0 || layout->bases[dim][bit][d] >= limit)
      return false;
  }
  return true;
}

bool tileLayoutIsValid(const TileLayout *layout) {
  if (!shapeIsValid(layout))
    return false;
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim) {
    if (layout->bits[dim] < 0 || layout->bits[dim] > TileLayout_MaxBits)
      return false;
    for (int32_t bit = 0; bit < TileLayout_MaxBits; ++bit)
      if (!basisIsValid(layout, dim, bit))
        return false;
  }
  return tileLayoutInputBits(layout) <= TileLayout_MaxTotalBits;
}

/// Sets *bits to log2(size) if size is a power of two an input may have.
static bool inputBits(int64_t size, int32_t *bits) {
  if (!tileIsPowerOfTwo(size) || tileLog2((uint64_t)size) > TileLayout_MaxBits)
    return false;
  *bits = tileLog2((uint64_t)size);
  return true;
}

bool tileLayoutStrided1D(int32_t rank, TileLayoutDim in, int32_t dim, int64_t size, int64_t stride,
                         TileLayout *out) {
  int32_t bits;
  if (rank < 1 || rank > TileLayout_MaxRank || dim < 0 || dim >= rank ||
      (unsigned)in >= TileLayoutDim_Count || !inputBits(size, &bits) || !tileIsPowerOfTwo(stride) ||
      stride > (1 << 30) / size)
    return false;
  TileLayout layout = tileLayoutEmpty(rank);
  layout.bits[in] = bits;
  layout.shape[dim] = (int32_t)(size * stride);
  for (int32_t i = 0; i < bits; ++i)
    layout.bases[in][i][dim] = (int32_t)(stride << i);
  *out = layout;
  return true;
}

bool tileLayoutIdentity1D(int32_t rank, TileLayoutDim in, int32_t dim, int64_t size, TileLayout *out) {
  return tileLayoutStrided1D(rank, in, dim, size, 1, out);
}

bool tileLayoutZeros1D(int32_t rank, TileLayoutDim in, int64_t size, TileLayout *out) {
  int32_t bits;
  if (rank < 0 || rank > TileLayout_MaxRank || (unsigned)in >= TileLayoutDim_Count || !inputBits(size, &bits))
    return false;
  TileLayout layout = tileLayoutEmpty(rank);
  layout.bits[in] = bits;
  *out = layout;
  return true;
}

bool tileLayoutFromBases(int32_t rank, const int64_t *shape, const int32_t bits[TileLayoutDim_Count],
                         const int32_t *bases, TileLayout *out) {
  if (rank < 0 || rank > TileLayout_MaxRank)
    return false;
  TileLayout layout = tileLayoutEmpty(rank);
  for (int32_t d = 0; d < rank; ++d) {
    if (!tileIsPowerOfTwo(shape[d]) || shape[d] > 1 << 30)
      return false;
    layout.shape[d] = (int32_t)shape[d];
  }
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim) {
    if (bits[dim] < 0 || bits[dim] > TileLayout_MaxBits)
      return false;
    layout.bits[dim] = bits[dim];
    for (int32_t bit = 0; bit < bits[dim]; ++bit)
      for (int32_t d = 0; d < rank; ++d)
        layout.bases[dim][bit][d] = *bases++;
  }
  if (!tileLayoutIsValid(&layout))
    return false;
  *out = layout;
  return true;
}

bool tileLayoutProduct(const TileLayout *low, const TileLayout *high, TileLayout *out) {
  if (low->rank != high->rank)
    return false;
  TileLayout layout = *low;
  int32_t shift[TileLayout_MaxRank] = {0};
  for (int32_t d = 0; d < low->rank; ++d) {
    shift[d] = tileLayoutDimBits(low, d);
    if (shift[d] + tileLayoutDimBits(high, d) > 30)
      return false;
    layout.shape[d] = low->shape[d] << tileLayoutDimBits(high, d);
  }
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim) {
    if (low->bits[dim] + high->bits[dim] > TileLayout_MaxBits)
      return false;
    layout.bits[dim] = low->bits[dim] + high->bits[dim];
    for (int32_t bit = 0; bit < high->bits[dim]; ++bit)
      for (int32_t d = 0; d < low->rank; ++d)
        layout.bases[dim][low->bits[dim] + bit][d] = high->bases[dim][bit][d] << shift[d];
  }
  if (tileLayoutCoordBits(&layout) > TileLayout_MaxTotalBits ||
      tileLayoutInputBits(&layout) > TileLayout_MaxTotalBits)
    return false;
  *out = layout;
  return true;
}

bool tileLayoutAppend(TileLayout *layout, TileLayoutDim in, int32_t dim, int64_t size) {
  TileLayout piece;
  return tileLayoutIdentity1D(layout->rank, in, dim, size, &piece) &&
         tileLayoutProduct(layout, &piece, layout);
}

bool tileLayoutAppendZeros(TileLayout *layout, TileLayoutDim in, int64_t size) {
  TileLayout piece;
  return tileLayoutZeros1D(layout->rank, in, size, &piece) && tileLayoutProduct(layout, &piece, layout);
}

bool tileLayoutAppendOrdered(TileLayout *layout, TileLayoutDim in, const int32_t *sizes,
                             const int32_t *order) {
  TileLayout result = *layout;
  for (int32_t i = 0; i < layout->rank; ++i)
    if (!tileLayoutAppend(&result, in, order[i], sizes[order[i]]))
      return false;
  *layout = result;
  return true;
}
