/* Shape.c - carrying a layout through operations that rename, drop, add or regroup tensor dimensions. */
#include "Linear.h"
#include <string.h>

/// Applies `keep`: result dimension i is operand dimension from[i], or a new one of size 1 if from[i] < 0.
static void pickDims(const TileLayout *layout, int32_t rank, const int32_t *from, TileLayout *out) {
  TileLayout result = tileLayoutEmpty(rank);
  memcpy(result.bits, layout->bits, sizeof result.bits);
  for (int32_t d = 0; d < rank; ++d) {
    if (from[d] < 0)
      continue;
    result.shape[d] = layout->shape[from[d]];
    for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim)
      for (int32_t bit = 0; bit < layout->bits[dim]; ++bit)
        result.bases[dim][bit][d] = layout->bases[dim][bit][from[d]];
  }
  *out = result;
}

bool tileLayoutDropDim(const TileLayout *layout, int32_t dim, TileLayout *out) {
  if (dim < 0 || dim >= layout->rank)
    return false;
  int32_t from[TileLayout_MaxRank];
  for (int32_t d = 0; d < layout->rank - 1; ++d)
    from[d] = d < dim ? d : d + 1;
  pickDims(layout, layout->rank - 1, from, out);
  return true;
}

bool tileLayoutSlice(const TileLayout *layout, int32_t dim, TileLayout *out) {
  if (!tileLayoutDropDim(layout, dim, out))
    return false;
  tileLayoutDropRedundantRegisters(out, out, NULL);
  return true;
}

bool tileLayoutExpandDims(const TileLayout *layout, int32_t dim, TileLayout *out) {
  if (dim < 0 || dim > layout->rank || layout->rank == TileLayout_MaxRank)
    return false;
  int32_t from[TileLayout_MaxRank];
  for (int32_t d = 0; d <= layout->rank; ++d)
    from[d] = d < dim ? d : d == dim ? -1 : d - 1;
  pickDims(layout, layout->rank + 1, from, out);
  return true;
}

bool tileLayoutTranspose(const TileLayout *layout, const int32_t *perm, TileLayout *out) {
  uint32_t seen = 0;
  for (int32_t d = 0; d < layout->rank; ++d) {
    if (perm[d] < 0 || perm[d] >= layout->rank || (seen >> perm[d] & 1))
      return false;
    seen |= 1u << perm[d];
  }
  pickDims(layout, layout->rank, perm, out);
  return true;
}

bool tileLayoutReshape(const TileLayout *layout, const int64_t *shape, int32_t rank, TileLayout *out) {
  if (rank < 0 || rank > TileLayout_MaxRank)
    return false;
  TileLayout result = tileLayoutEmpty(rank);
  memcpy(result.bits, layout->bits, sizeof result.bits);
  for (int32_t d = 0; d < rank; ++d) {
    if (!tileIsPowerOfTwo(shape[d]) || shape[d] > 1 << 30)
      return false;
    result.shape[d] = (int32_t)shape[d];
  }
  if (tileLayoutCoordBits(&result) != tileLayoutCoordBits(layout))
    return false;
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < layout->bits[dim]; ++bit)
      tileLayoutUnpack(&result, tileLayoutVectorOf(layout, dim, bit), result.bases[dim][bit]);
  *out = result;
  return true;
}

/// Gives zero vectors of input `in` the next coordinates of `dim` until it has `size` elements.
static void fillFreeBits(TileLayout *layout, TileLayoutDim in, int32_t dim, int64_t size) {
  uint32_t zero = tileLayoutZeroMask(layout, in);
  for (int32_t bit = 0; bit < layout->bits[in] && layout->shape[dim] < size; ++bit) {
    if (!(zero >> bit & 1))
      continue;
    layout->bases[in][bit][dim] = layout->shape[dim];
    layout->shape[dim] *= 2;
  }
}

bool tileLayoutBroadcast(const TileLayout *layout, int32_t dim, int64_t size, bool useFree, TileLayout *out) {
  if (dim < 0 || dim >= layout->rank || layout->shape[dim] != 1 || !tileIsPowerOfTwo(size) || size > 1 << 30)
    return false;
  TileLayout result = *layout;
  if (useFree) {
    fillFreeBits(&result, TileLayoutDim_Lane, dim, size);
    fillFreeBits(&result, TileLayoutDim_Warp, dim, size);
  }
  if (!tileLayoutAppend(&result, TileLayoutDim_Register, dim, size / result.shape[dim]))
    return false;
  *out = result;
  return true;
}

bool tileLayoutUnbroadcast(const TileLayout *layout, int32_t dim, TileLayout *out) {
  if (dim < 0 || dim >= layout->rank)
    return false;
  int32_t from[TileLayout_MaxRank];
  for (int32_t d = 0; d < layout->rank; ++d)
    from[d] = d == dim ? -1 : d;
  pickDims(layout, layout->rank, from, out);
  tileLayoutDropRedundantRegisters(out, out, NULL);
  return true;
}

/// Inserts a zero vector at register bit 0, or removes register bit `bit`.
static void insertRegisterBit(TileLayout *layout) {
  memmove(layout->bases[0] + 1, layout->bases[0], sizeof layout->bases[0] - sizeof layout->bases[0][0]);
  memset(layout->bases[0][0], 0, sizeof layout->bases[0][0]);
  ++layout->bits[TileLayoutDim_Register];
}
static void removeRegisterBit(TileLayout *layout, int32_t bit) {
  int32_t last = --layout->bits[TileLayoutDim_Register];
  memmove(layout->bases[0] + bit, layout->bases[0] + bit + 1,
          (size_t)(last - bit) * sizeof layout->bases[0][0]);
  memset(layout->bases[0][last], 0, sizeof layout->bases[0][last]);
}

bool tileLayoutJoin(const TileLayout *layout, TileLayout *out) {
  TileLayout result;
  if (layout->bits[TileLayoutDim_Register] == TileLayout_MaxBits ||
      tileLayoutInputBits(layout) == TileLayout_MaxTotalBits ||
      tileLayoutCoordBits(layout) == TileLayout_MaxTotalBits ||
      !tileLayoutExpandDims(layout, layout->rank, &result))
    return false;
  result.shape[layout->rank] = 2;
  insertRegisterBit(&result);
  result.bases[TileLayoutDim_Register][0][layout->rank] = 1;
  *out = result;
  return true;
}

/* The register bit that alone moves the upper half of `dim`, and nothing else; -1 if there is none. */
static int32_t halvingBit(const TileLayout *layout, int32_t dim) {
  int32_t half = layout->shape[dim] / 2, found = -1;
  for (int32_t in = 0; in < TileLayoutDim_Count; ++in)
    for (int32_t bit = 0; bit < layout->bits[in]; ++bit) {
      if (!(layout->bases[in][bit][dim] & half))
        continue;
      if (in != TileLayoutDim_Register || found >= 0 || layout->bases[in][bit][dim] != half)
        return -1;
      for (int32_t d = 0; d < layout->rank; ++d)
        if (d != dim && layout->bases[in][bit][d])
          return -1;
      found = bit;
    }
  return found;
}

bool tileLayoutSplit(const TileLayout *layout, TileLayout *out, int32_t *out_bit) {
  int32_t last = layout->rank - 1;
  TileLayout result;
  if (last < 0 || layout->shape[last] != 2 || !tileLayoutHalve(layout, last, &result, out_bit))
    return false;
  return tileLayoutDropDim(&result, last, out);
}

bool tileLayoutCat(const TileLayout *layout, int32_t dim, TileLayout *out) {
  TileLayout result = *layout;
  if (dim < 0 || dim >= layout->rank || !tileLayoutAppend(&result, TileLayoutDim_Register, dim, 2))
    return false;
  *out = result;
  return true;
}

bool tileLayoutHalve(const TileLayout *layout, int32_t dim, TileLayout *out, int32_t *out_bit) {
  if (dim < 0 || dim >= layout->rank || layout->shape[dim] < 2)
    return false;
  int32_t bit = halvingBit(layout, dim);
  if (bit < 0)
    return false;
  TileLayout result = *layout;
  removeRegisterBit(&result, bit);
  result.shape[dim] /= 2;
  if (out_bit)
    *out_bit = bit;
  *out = result;
  return true;
}

bool tileLayoutClip(const TileLayout *layout, const int64_t *shape, TileLayout *out) {
  TileLayout result = *layout;
  for (int32_t d = 0; d < layout->rank; ++d) {
    if (!tileIsPowerOfTwo(shape[d]) || shape[d] > layout->shape[d])
      return false;
    result.shape[d] = (int32_t)shape[d];
    for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim)
      for (int32_t bit = 0; bit < layout->bits[dim]; ++bit)
        result.bases[dim][bit][d] &= (int32_t)shape[d] - 1;
  }
  *out = result;
  return true;
}

void tileLayoutDropRedundantRegisters(const TileLayout *layout, TileLayout *out, int32_t *kept) {
  TileLayout source = *layout, result = *layout;
  TileGF2Space span = {{0}, {0}};
  int32_t n = 0;
  memset(result.bases[TileLayoutDim_Register], 0, sizeof result.bases[TileLayoutDim_Register]);
  for (int32_t bit = 0; bit < source.bits[TileLayoutDim_Register]; ++bit) {
    if (!tileGF2Insert(&span, tileLayoutVectorOf(&source, TileLayoutDim_Register, bit), 0, NULL))
      continue;
    memcpy(result.bases[TileLayoutDim_Register][n], source.bases[TileLayoutDim_Register][bit],
           sizeof result.bases[TileLayoutDim_Register][n]);
    if (kept)
      kept[n] = bit;
    ++n;
  }
  result.bits[TileLayoutDim_Register] = n;
  *out = result;
}
