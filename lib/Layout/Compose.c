/* Compose.c - composition, inversion, quotients and quotient-like restrictions of layouts. */
#include "Linear.h"
#include <string.h>

bool tileLayoutCompose(const TileLayout *inner, const TileLayout *outer, TileLayout *out) {
  if (inner->rank != TileLayoutDim_Count)
    return false;
  for (int32_t d = 0; d < TileLayoutDim_Count; ++d)
    if (tileLayoutDimBits(inner, d) > outer->bits[d])
      return false;
  TileLayout result = tileLayoutEmpty(outer->rank);
  memcpy(result.shape, outer->shape, sizeof result.shape);
  memcpy(result.bits, inner->bits, sizeof result.bits);
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < inner->bits[dim]; ++bit) {
      const int32_t *at = inner->bases[dim][bit];
      tileLayoutApply(outer, at[0], at[1], at[2], at[3], result.bases[dim][bit]);
    }
  *out = result;
  return true;
}

/// Columns of a layout by elimination: `image` solves layout(x) = y, `kernel` is the set of x with layout(x)
/// = 0.
static void eliminate(const TileLayout *layout, TileGF2Space *image, TileGF2Space *kernel) {
  memset(image, 0, sizeof *image);
  memset(kernel, 0, sizeof *kernel);
  int32_t position = 0;
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < layout->bits[dim]; ++bit, ++position) {
      uint64_t relation = 0;
      if (!tileGF2Insert(image, tileLayoutVectorOf(layout, dim, bit), 1ull << position, &relation))
        tileGF2Insert(kernel, relation, 0, NULL);
    }
}

/// Splits a packed input of the layout behind `map` (rank TileLayoutDim_Count) into its indices.
static void unpackInput(const TileLayout *map, uint64_t packed, int32_t *index) {
  for (int32_t d = 0; d < TileLayoutDim_Count; ++d) {
    index[d] = (int32_t)(packed & ((uint64_t)map->shape[d] - 1));
    packed >>= tileLayoutDimBits(map, d);
  }
}

bool tileLayoutInvertAndCompose(const TileLayout *dst, const TileLayout *src, TileLayout *out) {
  if (src->rank != dst->rank || memcmp(src->shape, dst->shape, sizeof src->shape) != 0)
    return false;
  TileGF2Space image, kernel;
  eliminate(src, &image, &kernel);
  TileLayout map;
  tileLayoutBeginMap(src, &map);
  memcpy(map.bits, dst->bits, sizeof map.bits);
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < dst->bits[dim]; ++bit) {
      uint64_t place = 0;
      if (tileGF2Reduce(&image, tileLayoutVectorOf(dst, dim, bit), &place))
        return false;
      // Blocks sit in the highest bits, registers in the lowest: the smallest difference to y's own place is
      // the cheapest.
      uint64_t own = bit < src->bits[dim] ? 1ull << (tileLayoutInputShift(src, (TileLayoutDim)dim) + bit) : 0;
      unpackInput(&map, tileGF2Reduce(&kernel, place ^ own, NULL) ^ own, map.bases[dim][bit]);
    }
  *out = map;
  return true;
}

bool tileLayoutPseudoInverse(const TileLayout *layout, TileLayout *out) {
  int32_t coordBits = tileLayoutCoordBits(layout);
  if (coordBits > TileLayout_MaxBits)
    return false;
  TileGF2Space image, kernel;
  eliminate(layout, &image, &kernel);
  TileLayout map;
  tileLayoutBeginMap(layout, &map);
  map.bits[TileLayoutDim_Offset] = coordBits;
  for (int32_t bit = 0; bit < coordBits; ++bit) {
    uint64_t place = 0;
    if (tileGF2Reduce(&image, 1ull << bit, &place))
      return false;
    unpackInput(&map, tileGF2Reduce(&kernel, place, NULL), map.bases[TileLayoutDim_Offset][bit]);
  }
  *out = map;
  return true;
}

void tileLayoutSublayout(const TileLayout *layout, TileLayoutDimMask inputs, uint32_t dimMask,
                         TileLayout *out) {
  TileLayout result = tileLayoutEmpty(layout->rank);
  for (int32_t d = 0; d < layout->rank; ++d)
    if (dimMask >> d & 1)
      result.shape[d] = layout->shape[d];
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim) {
    if (!(inputs >> dim & 1))
      continue;
    result.bits[dim] = layout->bits[dim];
    for (int32_t bit = 0; bit < layout->bits[dim]; ++bit)
      for (int32_t d = 0; d < layout->rank; ++d)
        if (dimMask >> d & 1)
          result.bases[dim][bit][d] = layout->bases[dim][bit][d];
  }
  *out = result;
}

/// Whether `dim` of a map between inputs is the identity and no other input reaches it.
static bool isIdentityOver(const TileLayout *map, TileLayoutDim dim) {
  if (map->shape[dim] != 1 << map->bits[dim])
    return false;
  for (int32_t in = 0; in < TileLayoutDim_Count; ++in)
    for (int32_t bit = 0; bit < map->bits[in]; ++bit)
      for (int32_t d = 0; d < TileLayoutDim_Count; ++d) {
        bool concerned = in == (int32_t)dim || d == (int32_t)dim;
        int32_t expected = in == (int32_t)dim && d == (int32_t)dim ? 1 << bit : 0;
        if (concerned && map->bases[in][bit][d] != expected)
          return false;
      }
  return true;
}

bool tileLayoutQuotient(const TileLayout *map, TileLayoutDim dim, TileLayout *out) {
  if (map->rank != TileLayoutDim_Count || (unsigned)dim >= TileLayoutDim_Count || !isIdentityOver(map, dim))
    return false;
  tileLayoutSublayout(map, ~TILE_LAYOUT_DIM(dim), ~(1u << dim), out);
  return true;
}

/// Sizes and bit numbers of `part` must fit into those of `whole`; writes the quotient's, vectors still zero.
static bool beginQuotient(const TileLayout *whole, const TileLayout *part, TileLayout *out) {
  if (whole->rank != part->rank)
    return false;
  *out = tileLayoutEmpty(whole->rank);
  for (int32_t d = 0; d < whole->rank; ++d) {
    if (part->shape[d] > whole->shape[d])
      return false;
    out->shape[d] = whole->shape[d] / part->shape[d];
  }
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim) {
    if (part->bits[dim] > whole->bits[dim])
      return false;
    out->bits[dim] = whole->bits[dim] - part->bits[dim];
  }
  return true;
}

bool tileLayoutDivideLeft(const TileLayout *layout, const TileLayout *low, TileLayout *out) {
  TileLayout high, product;
  if (!beginQuotient(layout, low, &high))
    return false;
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < high.bits[dim]; ++bit)
      for (int32_t d = 0; d < layout->rank; ++d)
        high.bases[dim][bit][d] = layout->bases[dim][low->bits[dim] + bit][d] >> tileLayoutDimBits(low, d);
  if (!tileLayoutProduct(low, &high, &product) || !tileLayoutEqual(&product, layout))
    return false;
  *out = high;
  return true;
}

bool tileLayoutDivideRight(const TileLayout *layout, const TileLayout *high, TileLayout *out) {
  TileLayout low, product;
  if (!beginQuotient(layout, high, &low))
    return false;
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < low.bits[dim]; ++bit)
      for (int32_t d = 0; d < layout->rank; ++d)
        low.bases[dim][bit][d] = layout->bases[dim][bit][d] & (low.shape[d] - 1);
  if (!tileLayoutProduct(&low, high, &product) || !tileLayoutEqual(&product, layout))
    return false;
  *out = low;
  return true;
}
