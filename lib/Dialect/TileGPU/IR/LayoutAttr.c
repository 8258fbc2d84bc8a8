/* LayoutAttr.c - #tile_gpu.layout <-> TileLayout. */
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"

enum { MAX_COORDS = TileLayout_MaxBits * TileLayout_MaxRank };

/* The bases of one input, flat; how many numbers. */
static intptr_t flatten(const TileLayout *layout, TileLayoutDim dim, int64_t *out) {
  intptr_t n = 0;
  for (int32_t bit = 0; bit < layout->bits[dim]; ++bit)
    for (int32_t d = 0; d < layout->rank; ++d)
      out[n++] = layout->bases[dim][bit][d];
  return n;
}

MlirAttribute tileLayoutToAttr(MlirContext context, const TileLayout *layout) {
  int64_t coords[TileLayoutDim_Count][MAX_COORDS];
  intptr_t n[TileLayoutDim_Count];
  if (layout->rank < 1)
    return (MlirAttribute){NULL};
  for (int d = 0; d < TileLayoutDim_Count; ++d)
    n[d] = flatten(layout, (TileLayoutDim)d, coords[d]);
  return tileGPULayoutAttrGet(context, layout->rank, n[TileLayoutDim_Register],
                              coords[TileLayoutDim_Register], n[TileLayoutDim_Lane],
                              coords[TileLayoutDim_Lane], n[TileLayoutDim_Warp], coords[TileLayoutDim_Warp],
                              n[TileLayoutDim_Block], coords[TileLayoutDim_Block]);
}

/* How the attribute names its four inputs, in the order of TileLayoutDim. */
static const struct {
  intptr_t (*count)(MlirAttribute);
  int64_t (*coord)(MlirAttribute, intptr_t);
} inputs[TileLayoutDim_Count] = {
    [TileLayoutDim_Register] = {tileGPULayoutAttrGetNumRegisters, tileGPULayoutAttrGetRegisters},
    [TileLayoutDim_Lane] = {tileGPULayoutAttrGetNumLanes, tileGPULayoutAttrGetLanes},
    [TileLayoutDim_Warp] = {tileGPULayoutAttrGetNumWarps, tileGPULayoutAttrGetWarps},
    [TileLayoutDim_Block] = {tileGPULayoutAttrGetNumBlocks, tileGPULayoutAttrGetBlocks}};

bool tileLayoutFromAttr(MlirAttribute attr, const int64_t *shape, int rank, TileLayout *out) {
  int32_t bases[TileLayoutDim_Count * MAX_COORDS], bits[TileLayoutDim_Count], *next = bases;
  if (!attr.ptr || !tileGPULayoutAttrIsA(attr) || rank < 1 || rank > TileLayout_MaxRank ||
      tileGPULayoutAttrGetRank(attr) != rank)
    return false;
  for (int d = 0; d < TileLayoutDim_Count; ++d) {
    intptr_t n = inputs[d].count(attr);
    if (n % rank || n / rank > TileLayout_MaxBits)
      return false;
    bits[d] = (int32_t)(n / rank);
    for (intptr_t i = 0; i < n; ++i)
      *next++ = (int32_t)inputs[d].coord(attr, i);
  }
  return tileLayoutFromBases(rank, shape, bits, bases, out);
}

bool tileLayoutOfType(MlirType tensor, TileLayout *out) {
  int64_t shape[TileLayout_MaxRank];
  if (!tileTypeIsTensor(tensor))
    return false;
  int rank = tileTypeGetShape(tensor, shape, TileLayout_MaxRank);
  return rank <= TileLayout_MaxRank && tileLayoutFromAttr(tileTypeGetEncoding(tensor), shape, rank, out);
}

int64_t tileRegisterWords(MlirType type) {
  TileLayout layout;
  if (!tileLayoutOfType(type, &layout))
    return 0;
  return tileLayoutNumRegisters(&layout) * (int64_t)tileElementTypeSize(tileElementTypeOf(type)) / 4;
}
