/* PadValues.c - padded types, and the masks and selections that rules insert. */
#include "Padding.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Support/Bits.h"

// ---- Types ----

int64_t padSize(int64_t n) {
  int64_t size = n > 0;
  while (size < n)
    size *= 2;
  return size;
}

uint32_t padOddDims(MlirType type) {
  int64_t shape[TileLayout_MaxRank];
  uint32_t odd = 0;
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  for (int d = 0; d < rank && d < TileLayout_MaxRank; ++d)
    odd |= (uint32_t)!tileIsPowerOfTwo(shape[d]) << d;
  return odd;
}

bool padIsOdd(MlirType type) { return padOddDims(type) != 0; }

MlirType padType(MlirType type) {
  int64_t shape[TileLayout_MaxRank];
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  if (rank == 0 || rank > TileLayout_MaxRank)
    return type;
  for (int d = 0; d < rank; ++d)
    shape[d] = padSize(shape[d]);
  return mlirRankedTensorTypeGet(rank, shape, tileTypeGetElement(type), tileTypeGetEncoding(type));
}

// ---- Values ----

static MlirType i32Like(Padding *p, MlirType like) {
  return tileTypeWithElement(like, mlirIntegerTypeGet(p->context, 32));
}

MlirValue padConstant(Padding *p, MlirType type, MlirAttribute element) {
  if (tileTypeIsTensor(type))
    element = mlirDenseElementsAttrSplatGet(type, element);
  return arithConstantOpGetResult(arithConstantOpCreate(p->b, p->loc, type, element));
}

MlirValue padZero(Padding *p, MlirType type) {
  MlirType element = tileTypeGetElement(type);
  MlirAttribute zero = mlirTypeIsAFloat(element) ? mlirFloatAttrDoubleGet(p->context, element, 0.0)
                                                 : mlirIntegerAttrGet(element, 0);
  return padConstant(p, type, zero);
}

MlirValue padSelect(Padding *p, MlirValue condition, MlirValue yes, MlirValue no) {
  return arithSelectOpGetResult(arithSelectOpCreate(p->b, p->loc, mlirValueGetType(yes), condition, yes, no));
}

MlirValue padAnd(Padding *p, MlirValue a, MlirValue b) {
  if (!a.ptr || !b.ptr)
    return a.ptr ? a : b;
  return arithAndIOpGetResult(arithAndIOpCreate(p->b, p->loc, mlirValueGetType(a), a, b));
}

MlirValue padGather(Padding *p, MlirValue src, MlirValue indices, MlirType result, int axis) {
  return tileGatherOpGetResult(
      tileGatherOpCreate(p->b, p->loc, result, src, indices, tileI32Attr(p->context, axis)));
}

/* 0, 1, .. along dimension `dim` of `like`, as a tensor of one dimension. */
static MlirValue line(Padding *p, MlirType like, int dim) {
  int64_t n = mlirShapedTypeGetDimSize(like, dim);
  MlirType type = mlirRankedTensorTypeGet(1, &n, mlirIntegerTypeGet(p->context, 32), mlirAttributeGetNull());
  return tileMakeRangeOpGetResult(
      tileMakeRangeOpCreate(p->b, p->loc, type, tileI32Attr(p->context, 0), tileI32Attr(p->context, n)));
}

/* A tensor of one dimension along dimension `dim` of `like`, repeated along the others. */
static MlirValue spread(Padding *p, MlirValue v, MlirType like, int dim) {
  MlirType element = tileTypeGetElement(mlirValueGetType(v)), whole = tileTypeWithElement(like, element);
  int64_t shape[TileLayout_MaxRank], size = mlirShapedTypeGetDimSize(like, dim);
  int rank = (int)mlirShapedTypeGetRank(like);
  for (int d = 0, have = 1; d < rank; ++d) {
    if (d == dim)
      continue;
    for (int i = 0; i <= have; ++i)
      shape[i] = 1;
    shape[d < dim ? d + 1 : dim] = size;
    MlirType type = mlirRankedTensorTypeGet(++have, shape, element, mlirAttributeGetNull());
    v = tileExpandDimsOpGetResult(
        tileExpandDimsOpCreate(p->b, p->loc, type, v, tileI32Attr(p->context, d < dim ? 0 : d)));
  }
  if (mlirTypeEqual(whole, mlirValueGetType(v)))
    return v;
  return tileBroadcastOpGetResult(tileBroadcastOpCreate(p->b, p->loc, whole, v));
}

MlirValue padIndex(Padding *p, MlirType like, int dim) {
  return spread(p, line(p, like, dim), i32Like(p, like), dim);
}

/* index < size along one dimension, compared before it is repeated along the others. */
static MlirValue insideAlong(Padding *p, MlirType like, int dim) {
  MlirValue index = line(p, like, dim);
  MlirType type = mlirValueGetType(index), i32 = mlirIntegerTypeGet(p->context, 32);
  MlirValue size = padConstant(p, type, mlirIntegerAttrGet(i32, mlirShapedTypeGetDimSize(like, dim)));
  MlirType i1 = tileTypeWithElement(type, mlirIntegerTypeGet(p->context, 1));
  MlirValue in = arithCmpIOpGetResult(
      arithCmpIOpCreate(p->b, p->loc, i1, index, size,
                        mlirIntegerAttrGet(mlirIntegerTypeGet(p->context, 64), ArithCmpIPredicate_slt)));
  return spread(p, in, like, dim);
}

MlirValue padInside(Padding *p, MlirType like, uint32_t dims) {
  MlirValue in = {NULL};
  dims &= padOddDims(like);
  for (int d = 0; d < TileLayout_MaxRank; ++d)
    if (dims >> d & 1)
      in = padAnd(p, in, insideAlong(p, like, d));
  return in;
}
