/* TileVerifyShape.c - verifiers of the operations that make, reshape or cast tensors, and of print. */
#include "TileVerify.h"

MlirLogicalResult tileMakeRangeOpVerify(TileMakeRangeOp o) {
  int64_t start = tileMakeRangeOpGetStart(o), end = tileMakeRangeOpGetEnd(o), length = end - start;
  if (length <= 0)
    return tileEmitOpError(o.op, "got the range %lld to %lld, expected an end after the start",
                           (long long)start, (long long)end);
  return verifyShape(o.op, "a result", typeOf(tileMakeRangeOpGetResult(o)), 1, &length);
}

MlirLogicalResult tileUnsplatOpVerify(TileUnsplatOp o) {
  int64_t n = tileTypeNumElements(typeOf(tileUnsplatOpGetSrc(o)));
  return n == 1 ? tileSuccess() : tileEmitOpError(o.op, "got %lld elements, expected 1", (long long)n);
}

MlirLogicalResult tileExpandDimsOpVerify(TileExpandDimsOp o) {
  MlirType src = typeOf(tileExpandDimsOpGetSrc(o)), result = typeOf(tileExpandDimsOpGetResult(o));
  int64_t axis = tileExpandDimsOpGetAxis(o), dims[TileMaxRank + 1];
  intptr_t rank = rankOf(src);
  TRY(verifyRankLimit(o.op, src));
  TRY(verifyAxis(o.op, axis, rank + 1));
  for (intptr_t i = 0; i <= rank; ++i)
    dims[i] = i == axis ? 1 : dimOf(src, i > axis ? i - 1 : i);
  TRY(verifyShape(o.op, "a result", result, rank + 1, dims));
  return verifyElement(o.op, "a result", result, tileTypeGetElement(src));
}

MlirLogicalResult tileBroadcastOpVerify(TileBroadcastOp o) {
  MlirType src = typeOf(tileBroadcastOpGetSrc(o)), result = typeOf(tileBroadcastOpGetResult(o));
  if (rankOf(src) != rankOf(result))
    return tileEmitOpError(o.op, "got %lld dimensions from %lld, expected as many", (long long)rankOf(result),
                           (long long)rankOf(src));
  for (intptr_t i = 0; i < rankOf(src); ++i)
    if (dimOf(src, i) != dimOf(result, i) && dimOf(src, i) != 1)
      return tileEmitOpError(
          o.op, "got dimension %lld growing from %lld to %lld, expected a size of 1 or no change",
          (long long)i, (long long)dimOf(src, i), (long long)dimOf(result, i));
  TRY(verifyElement(o.op, "a result", result, tileTypeGetElement(src)));
  return verifySameEncoding(o.op, src, result);
}

MlirLogicalResult tileReshapeOpVerify(TileReshapeOp o) {
  MlirType src = typeOf(tileReshapeOpGetSrc(o)), result = typeOf(tileReshapeOpGetResult(o));
  int64_t got = tileTypeNumElements(result), expected = tileTypeNumElements(src);
  if (got != expected)
    return tileEmitOpError(o.op, "got a result of %lld elements, expected %lld", (long long)got,
                           (long long)expected);
  return verifyElement(o.op, "a result", result, tileTypeGetElement(src));
}

MlirLogicalResult tileTransOpVerify(TileTransOp o) {
  MlirType src = typeOf(tileTransOpGetSrc(o)), result = typeOf(tileTransOpGetResult(o));
  MlirAttribute order = tileTransOpGetOrderAttr(o);
  intptr_t rank = rankOf(src), n = mlirDenseArrayGetNumElements(order);
  TRY(verifyRankLimit(o.op, src));
  if (n != rank)
    return tileEmitOpError(o.op, "got an order of %lld entries, expected %lld", (long long)n,
                           (long long)rank);
  int64_t dims[TileMaxRank];
  unsigned seen = 0;
  for (intptr_t i = 0; i < rank; ++i) {
    int32_t from = mlirDenseI32ArrayGetElement(order, i);
    if (from < 0 || from >= rank || seen >> from & 1)
      return tileEmitOpError(o.op,
                             "got %d at position %lld of the order, expected a permutation of 0 to %lld",
                             from, (long long)i, (long long)rank - 1);
    seen |= 1u << from;
    dims[i] = dimOf(src, from);
  }
  TRY(verifyShape(o.op, "a result", result, rank, dims));
  return verifyElement(o.op, "a result", result, tileTypeGetElement(src));
}

/* `pairs` is `half` with a last dimension of 2. */
static MlirLogicalResult verifyPairs(MlirOperation op, const char *what, MlirType pairs, MlirType half) {
  int64_t dims[TileMaxRank + 1];
  intptr_t rank = rankOf(half);
  TRY(verifyRankLimit(op, half));
  for (intptr_t i = 0; i < rank; ++i)
    dims[i] = dimOf(half, i);
  dims[rank] = 2;
  TRY(verifyShape(op, what, pairs, rank + 1, dims));
  return verifyElement(op, what, pairs, tileTypeGetElement(half));
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
  int64_t dims[TileMaxRank];
  TRY(verifyRankLimit(o.op, lhs));
  for (intptr_t i = 0; i < rankOf(lhs); ++i)
    dims[i] = dimOf(lhs, i);
  if (rankOf(rhs) == rankOf(lhs))
    dims[0] = dimOf(rhs, 0);
  TRY(verifyShape(o.op, "a second operand", rhs, rankOf(lhs), dims));
  dims[0] += dimOf(lhs, 0);
  TRY(verifyShape(o.op, "a result", result, rankOf(lhs), dims));
  TRY(verifyElement(o.op, "a second operand", rhs, tileTypeGetElement(lhs)));
  return verifyElement(o.op, "a result", result, tileTypeGetElement(lhs));
}

MlirLogicalResult tileIntToPtrOpVerify(TileIntToPtrOp o) {
  return verifySameEncoding(o.op, typeOf(tileIntToPtrOpGetSrc(o)), typeOf(tileIntToPtrOpGetResult(o)));
}

MlirLogicalResult tilePtrToIntOpVerify(TilePtrToIntOp o) {
  return verifySameEncoding(o.op, typeOf(tilePtrToIntOpGetSrc(o)), typeOf(tilePtrToIntOpGetResult(o)));
}

MlirLogicalResult tileFpToFpOpVerify(TileFpToFpOp o) {
  return verifySameEncoding(o.op, typeOf(tileFpToFpOpGetSrc(o)), typeOf(tileFpToFpOpGetResult(o)));
}

MlirLogicalResult tileBitcastOpVerify(TileBitcastOp o) {
  MlirType src = typeOf(tileBitcastOpGetSrc(o)), result = typeOf(tileBitcastOpGetResult(o));
  MlirType from = tileTypeGetElement(src), to = tileTypeGetElement(result);
  if (tilePtrTypeIsA(from) != tilePtrTypeIsA(to))
    return tileEmitOpError(o.op, "got %s from %s, expected both or neither to be pointers", textOfType(to).s,
                           textOfType(from).s);
  if (tilePtrTypeIsA(from)) {
    unsigned old = (unsigned)tilePtrTypeGetAddressSpace(from), now = (unsigned)tilePtrTypeGetAddressSpace(to);
    if (old != now)
      return tileEmitOpError(o.op, "got address space %u, expected %u", now, old);
  } else if (tileElementTypeBits(tileElementTypeOf(from)) != tileElementTypeBits(tileElementTypeOf(to))) {
    return tileEmitOpError(o.op, "got %s from %s, expected equal widths", textOfType(to).s,
                           textOfType(from).s);
  }
  return verifySameEncoding(o.op, src, result);
}

MlirLogicalResult tilePrintOpVerify(TilePrintOp o) {
  MlirAttribute isUnsigned = tilePrintOpGetIsUnsignedAttr(o);
  intptr_t n = tilePrintOpGetNumArgs(o);
  if (mlirAttributeIsNull(isUnsigned) || mlirDenseArrayGetNumElements(isUnsigned) == n)
    return tileSuccess();
  return tileEmitOpError(o.op, "got %lld entries in 'unsigned', expected %lld",
                         (long long)mlirDenseArrayGetNumElements(isUnsigned), (long long)n);
}
