/* MemDesc.c - #tile_gpu.shared and !tile_gpu.memdesc <-> TileSharedLayout. */
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Support/Bits.h"

enum { MAX_COORDS = TileLayout_MaxBits * TileLayout_MaxRank };

/* The bases of one input, flat; how many numbers. */
static intptr_t flatten(const TileLayout *layout, TileLayoutDim dim, int64_t *out) {
  intptr_t n = 0;
  for (int32_t bit = 0; bit < layout->bits[dim]; ++bit)
    for (int32_t d = 0; d < layout->rank; ++d)
      out[n++] = layout->bases[dim][bit][d];
  return n;
}

MlirAttribute tileSharedToAttr(MlirContext context, const TileSharedLayout *shared, int64_t alignment) {
  int64_t offsets[MAX_COORDS], blocks[MAX_COORDS];
  if (shared->map.rank < 1)
    return (MlirAttribute){NULL};
  intptr_t numOffsets = flatten(&shared->map, TileLayoutDim_Offset, offsets);
  intptr_t numBlocks = flatten(&shared->map, TileLayoutDim_Block, blocks);
  return tileGPUSharedAttrGet(context, shared->map.rank, numOffsets, offsets, numBlocks, blocks,
                              shared->padInterval, shared->padAmount, alignment);
}

/* The layout with these bases on the shape that they span. */
static bool fromBases(int64_t rank, intptr_t numOffsets, const int64_t *offsets, intptr_t numBlocks,
                      const int64_t *blocks, TileLayout *out) {
  if (rank < 1 || rank > TileLayout_MaxRank || numOffsets % rank || numBlocks % rank ||
      numOffsets / rank > TileLayout_MaxBits || numBlocks / rank > TileLayout_MaxBits)
    return false;
  int32_t bases[2 * MAX_COORDS], bits[TileLayoutDim_Count] = {0};
  int64_t shape[TileLayout_MaxRank] = {0};
  bits[TileLayoutDim_Offset] = (int32_t)(numOffsets / rank);
  bits[TileLayoutDim_Block] = (int32_t)(numBlocks / rank);
  for (intptr_t i = 0; i < numOffsets + numBlocks; ++i) {
    int64_t c = i < numOffsets ? offsets[i] : blocks[i - numOffsets];
    if (c < 0 || c >= INT32_MAX / 2)
      return false;
    bases[i] = (int32_t)c;
    shape[i % rank] |= c;
  }
  for (int64_t d = 0; d < rank; ++d)
    shape[d] = shape[d] ? (int64_t)2 << (63 - __builtin_clzll((unsigned long long)shape[d])) : 1;
  return tileLayoutFromBases((int32_t)rank, shape, bits, bases, out);
}

const char *tileSharedAttrProblem(int64_t rank, intptr_t numOffsets, const int64_t *offsets,
                                  intptr_t numBlocks, const int64_t *blocks, int64_t padInterval,
                                  int64_t padAmount, int64_t alignment) {
  TileSharedLayout shared;
  if (rank < 1 || rank > TileLayout_MaxRank)
    return "got a shared layout of this rank, expected 1 to 6";
  if (!fromBases(rank, numOffsets, offsets, numBlocks, blocks, &shared.map))
    return "got bases that are no layout, expected at most 24 of coordinates that are not negative";
  if (!tileLayoutIsSurjective(&shared.map) || !tileLayoutIsInjective(&shared.map))
    return "got a shared layout that is not one to one, expected one place for each element";
  if (!tileSharedPad(&shared, padInterval, padAmount) || (padInterval && !padAmount))
    return "got padding that is none, expected 'pad' of a power of two and a positive number";
  if (alignment < 1 || alignment > 1 << 16 || alignment & (alignment - 1))
    return "got an alignment that is no power of two up to 65536";
  return NULL;
}

bool tileSharedFromAttr(MlirAttribute attr, TileSharedLayout *out) {
  int64_t offsets[MAX_COORDS], blocks[MAX_COORDS];
  if (!attr.ptr || !tileGPUSharedAttrIsA(attr))
    return false;
  intptr_t numOffsets = tileGPUSharedAttrGetNumOffsets(attr), numBlocks = tileGPUSharedAttrGetNumBlocks(attr);
  for (intptr_t i = 0; i < numOffsets; ++i)
    offsets[i] = tileGPUSharedAttrGetOffsets(attr, i);
  for (intptr_t i = 0; i < numBlocks; ++i)
    blocks[i] = tileGPUSharedAttrGetBlocks(attr, i);
  out->padInterval = tileGPUSharedAttrGetPadInterval(attr);
  out->padAmount = tileGPUSharedAttrGetPadAmount(attr);
  return fromBases(tileGPUSharedAttrGetRank(attr), numOffsets, offsets, numBlocks, blocks, &out->map);
}

const char *tileMemDescProblem(intptr_t rank, const int64_t *shape, MlirType element, MlirAttribute layout) {
  TileSharedLayout shared;
  if (!tileTypeIsNumber(element))
    return "got elements of this type, expected numbers";
  if (!tileSharedFromAttr(layout, &shared))
    return "got an attribute that is no layout of shared memory, expected #tile_gpu.shared";
  if (rank < shared.map.rank || rank > TileLayout_MaxRank + 2)
    return "got fewer dimensions than the layout has, expected at least its rank and at most two more";
  int64_t buffers = 1;
  for (intptr_t i = 0; i < rank; ++i) {
    int32_t d = (int32_t)(i - (rank - shared.map.rank));
    if (shape[i] < 1 || shape[i] > 1 << 20 || (d < 0 && (buffers *= shape[i]) > 1 << 20))
      return "got an empty or too large dimension, expected positive sizes";
    if (d >= 0 && (shape[i] & (shape[i] - 1) || shape[i] > shared.map.shape[d]))
      return "got a dimension that the layout does not have, expected a power of two up to its size";
  }
  return NULL;
}

static int64_t alignUp(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

bool tileMemDescOf(MlirType type, TileMemDesc *out) {
  if (!type.ptr || !tileGPUMemDescTypeIsA(type))
    return false;
  TileMemDesc desc = {.numBuffers = 1};
  MlirAttribute layout = tileGPUMemDescTypeGetLayout(type);
  desc.element = tileElementTypeOf(tileGPUMemDescTypeGetElementType(type));
  desc.elementBytes = (int32_t)tileElementTypeSize(desc.element);
  if (!tileSharedFromAttr(layout, &desc.layout))
    return false;
  desc.rank = desc.layout.map.rank;
  desc.numBufferDims = (int32_t)tileGPUMemDescTypeGetNumShape(type) - desc.rank;
  for (int32_t i = 0; i < desc.numBufferDims; ++i)
    desc.numBuffers *= tileGPUMemDescTypeGetShape(type, i);
  for (int32_t d = 0; d < desc.rank; ++d)
    desc.shape[d] = tileGPUMemDescTypeGetShape(type, desc.numBufferDims + d);
  desc.alignment = tileGPUSharedAttrGetAlignment(layout);
  desc.stride = alignUp(tileSharedNumElements(&desc.layout) * desc.elementBytes, desc.alignment);
  *out = desc;
  return true;
}

bool tileMemDescIsPart(const TileMemDesc *desc) {
  for (int32_t d = 0; d < desc->rank; ++d)
    if (desc->shape[d] != desc->layout.map.shape[d])
      return true;
  return false;
}

int64_t tileMemDescBytes(const TileMemDesc *desc) {
  if (desc->layout.padInterval &&
      desc->alignment > TileShared_DefaultAlignment) // the copy engine fills padding
    return desc->numBuffers * desc->stride;
  return (desc->numBuffers - 1) * desc->stride + tileSharedNumElements(&desc->layout) * desc->elementBytes;
}

bool tileMemDescContinues(const TileMemDesc *one, const TileMemDesc *whole) {
  const TileLayout *a = &one->layout.map, *b = &whole->layout.map;
  const TileLayoutDim dim = TileLayoutDim_Offset;
  if (one->rank != whole->rank || one->element != whole->element || one->alignment != whole->alignment ||
      one->layout.padInterval || whole->layout.padInterval || a->bits[dim] > b->bits[dim] ||
      a->bits[TileLayoutDim_Block] || b->bits[TileLayoutDim_Block] || tileMemDescIsPart(one) ||
      tileMemDescIsPart(whole) || one->stride != tileSharedNumElements(&one->layout) * one->elementBytes)
    return false;
  for (int32_t bit = 0; bit < a->bits[dim]; ++bit)
    for (int32_t d = 0; d < one->rank; ++d)
      if (a->bases[dim][bit][d] != b->bases[dim][bit][d])
        return false;
  return true;
}

bool tileMemDescEmbed(const TileMemDesc *desc, const TileLayout *distributed, TileLayout *out) {
  if (distributed->rank != desc->rank)
    return false;
  TileLayout result = *distributed;
  for (int32_t d = 0; d < desc->rank; ++d) {
    if (distributed->shape[d] != desc->shape[d])
      return false;
    result.shape[d] = desc->layout.map.shape[d];
  }
  *out = result;
  return true;
}

int64_t tileMemDescOffset(const TileMemDesc *desc, const int64_t *coords) {
  TileLayout inverse;
  int32_t at[TileLayout_MaxRank];
  int64_t flat = 0;
  for (int32_t d = 0; d < desc->rank; ++d)
    flat = flat * desc->layout.map.shape[d] + coords[d];
  if (!tileLayoutPseudoInverse(&desc->layout.map, &inverse))
    return 0;
  tileLayoutApply(&inverse, flat, 0, 0, 0, at);
  return at[TileLayoutDim_Offset];
}

bool tileSharedApart(const int64_t shape[2], int32_t elementBytes, int64_t apart, TileSharedLayout *out,
                     int64_t *out_columns) {
  enum { Granule = 16, LeastBytes = 32, MostBytes = 128, LeastRows = 8 };
  const int64_t columns = shape[1] * elementBytes < MostBytes ? shape[1] : MostBytes / elementBytes;
  const int32_t order[2] = {1, 0};
  if (elementBytes >= Granule || apart != Granule / elementBytes || !tileIsPowerOfTwo(shape[0]) ||
      !tileIsPowerOfTwo(shape[1]) || shape[0] < apart * LeastRows || columns * elementBytes < LeastBytes)
    return false;
  const int64_t part[2] = {shape[0], columns};
  TileSharedLayout layout;
  if (!tileSharedPlain(part, 2, order, &layout))
    return false;
  int32_t (*bases)[TileLayout_MaxRank] =
      layout.map.bases[TileLayoutDim_Offset] + __builtin_ctzll((uint64_t)columns);
  const int32_t rowBits = __builtin_ctzll((uint64_t)shape[0]), apartBits = __builtin_ctzll((uint64_t)apart);
  for (int32_t i = 0; i < rowBits; ++i)
    bases[i][0] = 1 << (i + apartBits < rowBits ? i + apartBits : i + apartBits - rowBits);
  if (!tileLayoutAppend(&layout.map, TileLayoutDim_Offset, 1, shape[1] / columns) ||
      !tileSharedPad(&layout, columns, apart))
    return false;
  *out = layout;
  *out_columns = columns;
  return true;
}

MlirType tileMemDescTypeFor(MlirType element, const TileSharedLayout *layout, int64_t alignment,
                            int64_t count) {
  MlirContext context = mlirTypeGetContext(element);
  int64_t shape[TileLayout_MaxRank + 1];
  intptr_t rank = 0;
  if (count > 0)
    shape[rank++] = count;
  for (int32_t d = 0; d < layout->map.rank; ++d)
    shape[rank++] = layout->map.shape[d];
  return tileGPUMemDescTypeGet(context, rank, shape, element, tileSharedToAttr(context, layout, alignment));
}
