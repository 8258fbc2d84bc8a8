/* TileVerifyDot.c - verifiers of the matrix products. */
#include "TileVerify.h"

/* Checks that a, b and c are matrices, or batches of them, of fitting sizes. `am`, `ak`, `bk`, `bn` are how
 * many elements of the product one element of a or b stands for along that dimension. */
static MlirLogicalResult verifyMatrices(MlirOperation op, MlirType a, MlirType b, MlirType c, int am, int ak,
                                        int bk, int bn) {
  intptr_t rank = tileRankOf(a);
  if ((rank != 2 && rank != 3) || tileRankOf(b) != rank || tileRankOf(c) != rank)
    return tileEmitOpError(op,
                           "got shapes %s, %s and %s, expected two dimensions each, or three with a batch",
                           tileTextOfShape(a).s, tileTextOfShape(b).s, tileTextOfShape(c).s);
  intptr_t row = rank - 2, column = rank - 1;
  int64_t m = tileDimOf(a, row) * am, k = tileDimOf(a, column) * ak, other = tileDimOf(b, row) * bk,
          n = tileDimOf(b, column) * bn;
  if (k != other)
    return tileEmitOpError(op,
                           "got K = %lld in the first operand and %lld in the second, expected equal sizes",
                           (long long)k, (long long)other);
  if (rank == 3 && tileDimOf(a, 0) != tileDimOf(b, 0))
    return tileEmitOpError(op, "got batches of %lld and %lld, expected equal sizes",
                           (long long)tileDimOf(a, 0), (long long)tileDimOf(b, 0));
  int64_t dims[3] = {tileDimOf(a, 0)};
  dims[row] = m;
  dims[column] = n;
  return tileVerifyShape(op, "an accumulator", c, rank, dims);
}

static bool isF8(TileElementType e) {
  return e == TileElementType_F8E4M3FN || e == TileElementType_F8E5M2 || e == TileElementType_F8E4M3FNUZ ||
         e == TileElementType_F8E5M2FNUZ;
}

static bool isIn(TileElementType e, TileElementType first, TileElementType second) {
  return e == first || e == second;
}

/* Whether a product of elements `a` may be summed in `c`; `out_expected` says what may be. */
static bool accumulates(TileElementType a, TileElementType c, const char **out_expected) {
  switch (a) {
  case TileElementType_I8:
    return *out_expected = "i32", c == TileElementType_I32;
  case TileElementType_F64:
    return *out_expected = "f64", c == TileElementType_F64;
  case TileElementType_BF16:
  case TileElementType_F32:
    return *out_expected = "f32", c == TileElementType_F32;
  default:
    return *out_expected = "f32 or f16", isIn(c, TileElementType_F32, TileElementType_F16);
  }
}

static MlirLogicalResult verifyDotElements(MlirOperation op, TileElementType a, TileElementType b,
                                           TileElementType c) {
  bool known = a == TileElementType_I8 || (tileElementTypeIsFloat(a));
  if (!known || (a != b && !(isF8(a) && isF8(b))))
    return tileEmitOpError(op,
                           "got operands of %s and %s, expected i8, f16, bf16, f32, f64 or f8 on both sides",
                           tileElementTypeName(a), tileElementTypeName(b));
  const char *expected;
  if (accumulates(a, c, &expected))
    return tileSuccess();
  return tileEmitOpError(op, "got an accumulator of %s for operands of %s, expected %s",
                         tileElementTypeName(c), tileElementTypeName(a), expected);
}

MlirLogicalResult tileDotOpVerify(TileDotOp o) {
  TileElementType a = elementKind(tileDotOpGetA(o));
  TILE_TRY(verifyMatrices(o.op, typeOf(tileDotOpGetA(o)), typeOf(tileDotOpGetB(o)), typeOf(tileDotOpGetC(o)),
                          1, 1, 1, 1));
  TILE_TRY(verifyDotElements(o.op, a, elementKind(tileDotOpGetB(o)), elementKind(tileDotOpGetC(o))));
  TileInputPrecision precision = tileDotOpGetPrecision(o);
  if (precision != TileInputPrecision_IEEE && a != TileElementType_F32)
    return tileEmitOpError(o.op, "got precision = %s for %s, expected it on f32 only",
                           tileInputPrecisionStringify(precision), tileElementTypeName(a));
  int64_t imprecise = tileDotOpGetImpreciseAcc(o);
  if (imprecise < 0)
    return tileEmitOpError(o.op, "got imprecise_acc = %lld, expected 0 or more", (long long)imprecise);
  return tileSuccess();
}

// ---- scaled ----

/* The element type that carries a format: i8 for all of 8 bits or fewer, or the type named after it. */
static TileElementType carrierOf(TileScaledElementType format) {
  switch (format) {
  case TileScaledElementType_E4M3:
    return TileElementType_F8E4M3FN;
  case TileScaledElementType_E5M2:
    return TileElementType_F8E5M2;
  case TileScaledElementType_BF16:
    return TileElementType_BF16;
  case TileScaledElementType_FP16:
    return TileElementType_F16;
  default:
    return TileElementType_I8;
  }
}

static MlirLogicalResult verifyFormat(MlirOperation op, TileScaledElementType format, bool packedAcross,
                                      MlirType type) {
  TileElementType got = tileElementTypeOf(type), expected = carrierOf(format);
  bool narrow = format != TileScaledElementType_BF16 && format != TileScaledElementType_FP16;
  if (got != expected && !(narrow && got == TileElementType_I8))
    return tileEmitOpError(op, "got an operand of %s for %s, expected %s%s", tileElementTypeName(got),
                           tileScaledElementTypeStringify(format), tileElementTypeName(expected),
                           narrow && expected != TileElementType_I8 ? " or i8" : "");
  if (packedAcross && format != TileScaledElementType_E2M1)
    return tileEmitOpError(op, "got packing of %s, expected it for e2m1 only",
                           tileScaledElementTypeStringify(format));
  return tileSuccess();
}

/* A scale, if there is one, has the operand's batch and `rows`, and K divided by the group. */
static MlirLogicalResult verifyScale(MlirOperation op, const char *what, MlirValue scale, MlirType c,
                                     int64_t rows, int64_t k) {
  if (!scale.ptr)
    return tileSuccess();
  TileElementType element = elementKind(scale);
  if (!isIn(element, TileElementType_I8, TileElementType_F8E4M3FN))
    return tileEmitOpError(op, "got %s of %s, expected i8 or f8E4M3FN", what, tileElementTypeName(element));
  int64_t group = element == TileElementType_I8 ? 32 : 16;
  if (k % group)
    return tileEmitOpError(op, "got K = %lld, expected a multiple of the %lld elements that share a scale",
                           (long long)k, (long long)group);
  intptr_t rank = tileRankOf(c);
  int64_t dims[3] = {tileDimOf(c, 0)};
  dims[rank - 2] = rows;
  dims[rank - 1] = k / group;
  return tileVerifyShape(op, what, typeOf(scale), rank, dims);
}

MlirLogicalResult tileDotScaledOpVerify(TileDotScaledOp o) {
  MlirType a = typeOf(tileDotScaledOpGetA(o)), b = typeOf(tileDotScaledOpGetB(o)),
           c = typeOf(tileDotScaledOpGetC(o));
  TileScaledElementType aFormat = tileDotScaledOpGetAType(o), bFormat = tileDotScaledOpGetBType(o);
  bool aAcross = tileDotScaledOpGetAPackM(o), bAcross = tileDotScaledOpGetBPackN(o);
  TILE_TRY(verifyFormat(o.op, aFormat, aAcross, a));
  TILE_TRY(verifyFormat(o.op, bFormat, bAcross, b));
  int aPack = aFormat == TileScaledElementType_E2M1 ? 2 : 1,
      bPack = bFormat == TileScaledElementType_E2M1 ? 2 : 1;
  int am = aAcross ? aPack : 1, ak = aAcross ? 1 : aPack, bn = bAcross ? bPack : 1, bk = bAcross ? 1 : bPack;
  TILE_TRY(verifyMatrices(o.op, a, b, c, am, ak, bk, bn));
  if (tileElementTypeOf(c) != TileElementType_F32)
    return tileEmitOpError(o.op, "got an accumulator of %s, expected f32",
                           tileElementTypeName(tileElementTypeOf(c)));
  intptr_t rank = tileRankOf(c);
  int64_t k = tileDimOf(a, rank - 1) * ak;
  TILE_TRY(verifyScale(o.op, "a_scale", tileDotScaledOpGetAScale(o), c, tileDimOf(c, rank - 2), k));
  return verifyScale(o.op, "b_scale", tileDotScaledOpGetBScale(o), c, tileDimOf(c, rank - 1), k);
}
