/* TileVerifyShape.c - verifiers of the operations that make, reshape or cast tensors, and of print. */
#include "TileVerify.h"

MlirLogicalResult tileMakeRangeOpVerify(TileMakeRangeOp o) {
  int64_t start = tileMakeRangeOpGetStart(o), end = tileMakeRangeOpGetEnd(o), length = end - start;
  if (length <= 0)
    return tileEmitOpError(o.op, "got the range %lld to %lld, expected an end after the start",
                           (long long)start, (long long)end);
  return tileVerifyShape(o.op, "a result", typeOf(tileMakeRangeOpGetResult(o)), 1, &length);
}

MlirLogicalResult tileUnsplatOpVerify(TileUnsplatOp o) {
  int64_t n = tileTypeNumElements(typeOf(tileUnsplatOpGetSrc(o)));
  return n == 1 ? tileSuccess() : tileEmitOpError(o.op, "got %lld elements, expected 1", (long long)n);
}

MlirLogicalResult tileExpandDimsOpVerify(TileExpandDimsOp o) {
  MlirType src = typeOf(tileExpandDimsOpGetSrc(o)), result = typeOf(tileExpandDimsOpGetResult(o));
  int64_t axis = tileExpandDimsOpGetAxis(o), dims[TileVerify_MaxRank + 1];
  intptr_t rank = tileRankOf(src);
  TILE_TRY(tileVerifyRankLimit(o.op, src));
  TILE_TRY(tileVerifyAxis(o.op, axis, rank + 1));
  for (intptr_t i = 0; i <= rank; ++i)
    dims[i] = i == axis ? 1 : tileDimOf(src, i > axis ? i - 1 : i);
  TILE_TRY(tileVerifyShape(o.op, "a result", result, rank + 1, dims));
  return tileVerifyElement(o.op, "a result", result, tileTypeGetElement(src));
}

MlirLogicalResult tileBroadcastOpVerify(TileBroadcastOp o) {
  MlirType src = typeOf(tileBroadcastOpGetSrc(o)), result = typeOf(tileBroadcastOpGetResult(o));
  if (tileRankOf(src) != tileRankOf(result))
    return tileEmitOpError(o.op, "got %lld dimensions from %lld, expected as many",
                           (long long)tileRankOf(result), (long long)tileRankOf(src));
  for (intptr_t i = 0; i < tileRankOf(src); ++i)
    if (tileDimOf(src, i) != tileDimOf(result, i) && tileDimOf(src, i) != 1)
      return tileEmitOpError(
          o.op, "got dimension %lld growing from %lld to %lld, expected a size of 1 or no change",
          (long long)i, (long long)tileDimOf(src, i), (long long)tileDimOf(result, i));
  TILE_TRY(tileVerifyElement(o.op, "a result", result, tileTypeGetElement(src)));
  return tileSuccess(); /* the layouts may differ: lanes that hold one element of a dimension of size 1 hold
                           many of the result */
}

MlirLogicalResult tileReshapeOpVerify(TileReshapeOp o) {
  MlirType src = typeOf(tileReshapeOpGetSrc(o)), result = typeOf(tileReshapeOpGetResult(o));
  int64_t got = tileTypeNumElements(result), expected = tileTypeNumElements(src);
  if (got != expected)
    return tileEmitOpError(o.op, "got a result of %lld elements, expected %lld", (long long)got,
                           (long long)expected);
  return tileVerifyElement(o.op, "a result", result, tileTypeGetElement(src));
}

MlirLogicalResult tileTransOpVerify(TileTransOp o) {
  MlirType src = typeOf(tileTransOpGetSrc(o)), result = typeOf(tileTransOpGetResult(o));
  MlirAttribute order = tileTransOpGetOrderAttr(o);
  intptr_t rank = tileRankOf(src), n = mlirDenseArrayGetNumElements(order);
  TILE_TRY(tileVerifyRankLimit(o.op, src));
  if (n != rank)
    return tileEmitOpError(o.op, "got an order of %lld entries, expected %lld", (long long)n,
                           (long long)rank);
  int64_t dims[TileVerify_MaxRank];
  unsigned seen = 0;
  for (intptr_t i = 0; i < rank; ++i) {
    int32_t from = mlirDenseI32ArrayGetElement(order, i);
    if (from < 0 || from >= rank || seen >> from & 1)
      return tileEmitOpError(o.op,
                             "got %d at position %lld of the order, expected a permutation of 0 to %lld",
                             from, (long long)i, (long long)rank - 1);
    seen |= 1u << from;
    dims[i] = tileDimOf(src, from);
  }
  TILE_TRY(tileVerifyShape(o.op, "a result", result, rank, dims));
  return tileVerifyElement(o.op, "a result", result, tileTypeGetElement(src));
}

/* `pairs` is `half` with a last dimension of 2. */
static MlirLogicalResult verifyPairs(MlirOperation op, const char *what, MlirType pairs, MlirType half) {
  int64_t dims[TileVerify_MaxRank + 1];
  intptr_t rank = tileRankOf(half);
  TILE_TRY(tileVerifyRankLimit(op, half));
  for (intptr_t i = 0; i < rank; ++i)
    dims[i] = tileDimOf(half, i);
  dims[rank] = 2;
  TILE_TRY(tileVerifyShape(op, what, pairs, rank + 1, dims));
  return tileVerifyElement(op, what, pairs, tileTypeGetElement(half));
}

MlirLogicalResult tileJoinOpVerify(TileJoinOp o) {
  return verifyPairs(o.op, "a result", typeOf(tileJoinOpGetResult(o)), typeOf(tileJoinOpGetLhs(o)));
}

MlirLogicalResult tileSplitOpVerify(TileSplitOp o) {
  return verifyPairs(o.op, "a source", typeOf(tileSplitOpGetSrc(o)), typeOf(mlirOperationGetResult(o.op, 0)));
}

MlirLogicalResult tileCatOpVerify(TileCatOp o) {
  MlirType lhs = typeOf(tileCatOpGetLhs(o)), rhs = typeOf(tileCatOpGetRhs(o)),
           result = typeOf(tileCatOpGetResult(o));
  int64_t dims[TileVerify_MaxRank];
  TILE_TRY(tileVerifyRankLimit(o.op, lhs));
  for (intptr_t i = 0; i < tileRankOf(lhs); ++i)
    dims[i] = tileDimOf(lhs, i);
  if (tileRankOf(rhs) == tileRankOf(lhs))
    dims[0] = tileDimOf(rhs, 0);
  TILE_TRY(tileVerifyShape(o.op, "a second operand", rhs, tileRankOf(lhs), dims));
  dims[0] += tileDimOf(lhs, 0);
  TILE_TRY(tileVerifyShape(o.op, "a result", result, tileRankOf(lhs), dims));
  TILE_TRY(tileVerifyElement(o.op, "a second operand", rhs, tileTypeGetElement(lhs)));
  return tileVerifyElement(o.op, "a result", result, tileTypeGetElement(lhs));
}

MlirLogicalResult tileIntToPtrOpVerify(TileIntToPtrOp o) {
  return tileVerifySameEncoding(o.op, typeOf(tileIntToPtrOpGetSrc(o)), typeOf(tileIntToPtrOpGetResult(o)));
}

MlirLogicalResult tilePtrToIntOpVerify(TilePtrToIntOp o) {
  return tileVerifySameEncoding(o.op, typeOf(tilePtrToIntOpGetSrc(o)), typeOf(tilePtrToIntOpGetResult(o)));
}

MlirLogicalResult tileFpToFpOpVerify(TileFpToFpOp o) {
  return tileVerifySameEncoding(o.op, typeOf(tileFpToFpOpGetSrc(o)), typeOf(tileFpToFpOpGetResult(o)));
}

MlirLogicalResult tileBitcastOpVerify(TileBitcastOp o) {
  MlirType src = typeOf(tileBitcastOpGetSrc(o)), result = typeOf(tileBitcastOpGetResult(o));
  MlirType from = tileTypeGetElement(src), to = tileTypeGetElement(result);
  if (tilePtrTypeIsA(from) != tilePtrTypeIsA(to))
    return tileEmitOpError(o.op, "got %s from %s, expected both or neither to be pointers",
                           tileTextOfType(to).s, tileTextOfType(from).s);
  if (tilePtrTypeIsA(from)) {
    unsigned old = (unsigned)tilePtrTypeGetAddressSpace(from), now = (unsigned)tilePtrTypeGetAddressSpace(to);
    if (old != now)
      return tileEmitOpError(o.op, "got address space %u, expected %u", now, old);
  } else if (tileElementTypeBits(tileElementTypeOf(from)) != tileElementTypeBits(tileElementTypeOf(to))) {
    return tileEmitOpError(o.op, "got %s from %s, expected equal widths", tileTextOfType(to).s,
                           tileTextOfType(from).s);
  }
  return tileVerifySameEncoding(o.op, src, result);
}

MlirLogicalResult tilePrintOpVerify(TilePrintOp o) {
  MlirAttribute isUnsigned = tilePrintOpGetIsUnsignedAttr(o);
  intptr_t n = tilePrintOpGetNumArgs(o);
  if (mlirAttributeIsNull(isUnsigned) || mlirDenseArrayGetNumElements(isUnsigned) == n)
    return tileSuccess();
  return tileEmitOpError(o.op, "got %lld entries in 'unsigned', expected %lld",
                         (long long)mlirDenseArrayGetNumElements(isUnsigned), (long long)n);
}
