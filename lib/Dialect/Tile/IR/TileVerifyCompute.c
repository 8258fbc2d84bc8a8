/* TileVerifyCompute.c - verifiers of element-wise calls, reductions, scans, histograms and gathers. */
#include "TileVerify.h"
#include <string.h>

// ---- element-wise ----

MlirLogicalResult tileExternElementwiseOpVerify(TileExternElementwiseOp o) {
  if (!tileExternElementwiseOpGetSymbol(o).length)
    return tileEmitOpError(o.op, "got an empty symbol, expected a function's name");
  return tileVerifyOneShape(o.op);
}

/* `pack` is positive and divides the elements of the op's values, which have one shape. */
static MlirLogicalResult verifyPack(MlirOperation op, int64_t pack) {
  if (pack < 1)
    return tileEmitOpError(op, "got pack = %lld, expected at least 1", (long long)pack);
  TILE_TRY(tileVerifyOneShape(op));
  intptr_t results = mlirOperationGetNumResults(op);
  if (!results && !mlirOperationGetNumOperands(op))
    return tileSuccess();
  MlirValue any = results ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 0);
  int64_t n = tileTypeNumElements(typeOf(any));
  if (n % pack == 0)
    return tileSuccess();
  return tileEmitOpError(op, "got pack = %lld, expected a divisor of %lld elements", (long long)pack,
                         (long long)n);
}

/* Entries of a constraint string that stand for operands or results, that is, no clobbers. */
static int64_t countConstraints(MlirStringRef text) {
  int64_t n = 0;
  for (size_t i = 0; i < text.length; ++i)
    if (i == 0 || text.data[i - 1] == ',')
      n += text.data[i] != '~';
  return n;
}

/* What stands behind a `$` as LLVM reads it: `$`, a number of an operand, {number:modifier}, {:special}, or an alternative's ( | ).
 * Returns how many characters; 0: something else. `out_operand` -1: no operand. */
static size_t takeDollar(const char *at, size_t length, int64_t *out_operand) {
  size_t n = length && *at == '{';
  const bool isBraced = n;
  *out_operand = -1;
  if (length && strchr("$(|)", *at))
    return 1;
  for (; n < length && at[n] >= '0' && at[n] <= '9'; ++n)
    if (*out_operand < INT32_MAX)
      *out_operand = (*out_operand < 0 ? 0 : *out_operand) * 10 + at[n] - '0';
  if (!isBraced)
    return n;
  if (n < length && at[n] == ':')
    while (n < length && at[n] != '}')
      ++n;
  return n > 1 && n < length && at[n] == '}' ? n + 1 : 0;
}

/* LLVM ends the program at an operand that there is not. */
static MlirLogicalResult verifyTemplate(MlirOperation op, MlirStringRef text, int64_t operands) {
  for (size_t i = 0; i < text.length; ++i) {
    int64_t operand;
    if (text.data[i] != '$')
      continue;
    const size_t n = takeDollar(text.data + i + 1, text.length - i - 1, &operand);
    if (!n)
      return tileEmitOpError(
          op, "got a '$' at character %zu of the text, expected $$ or the number of an operand", i + 1);
    if (operand >= operands)
      return tileEmitOpError(op, "got operand $%lld, expected one below %lld", (long long)operand,
                             (long long)operands);
    i += n;
  }
  return tileSuccess();
}

MlirLogicalResult tileInlineAsmOpVerify(TileInlineAsmOp o) {
  int64_t pack = tileInlineAsmOpGetPack(o), got = countConstraints(tileInlineAsmOpGetConstraints(o));
  int64_t expected = tileInlineAsmOpGetNumResults(o) + tileInlineAsmOpGetNumArgs(o);
  TILE_TRY(verifyPack(o.op, pack));
  TILE_TRY(verifyTemplate(o.op, tileInlineAsmOpGetText(o), got));
  if (pack != 1 || got == expected)
    return tileSuccess();
  return tileEmitOpError(o.op, "got %lld constraints, expected %lld, one for each result and argument",
                         (long long)got, (long long)expected);
}

// ---- operations with a body ----

enum { MaxBodyTypes = 256 };

static MlirLogicalResult verifyBodySize(MlirOperation op, int64_t n) {
  if (n <= MaxBodyTypes)
    return tileSuccess();
  return tileEmitOpError(op, "got a body of %lld arguments or values, expected at most %d", (long long)n,
                         MaxBodyTypes);
}

MlirLogicalResult tileMapElementwiseOpVerify(TileMapElementwiseOp o) {
  int64_t pack = tileMapElementwiseOpGetPack(o);
  intptr_t srcs = tileMapElementwiseOpGetNumSrcs(o), results = tileMapElementwiseOpGetNumResults(o);
  MlirType types[MaxBodyTypes];
  MlirRegion body = tileMapElementwiseOpGetBody(o);
  TILE_TRY(verifyPack(o.op, pack));
  TILE_TRY(verifyBodySize(o.op, pack > MaxBodyTypes ? pack : pack * (srcs > results ? srcs : results)));
  for (intptr_t i = 0; i < srcs * pack; ++i)
    types[i] = tileTypeGetElement(typeOf(tileMapElementwiseOpGetSrcs(o, i / pack)));
  TILE_TRY(tileVerifyBodyArguments(o.op, body, srcs * pack, types));
  for (intptr_t i = 0; i < results * pack; ++i)
    types[i] = tileTypeGetElement(typeOf(tileMapElementwiseOpGetResults(o, i / pack)));
  TILE_TRY(tileVerifyBodyYields(o.op, body, results * pack, types));
  return tileVerifyBodyScalars(o.op, body);
}

/* The combiner of a reduce or scan over the op's operands: takes their elements twice and yields them once.
 */
static MlirLogicalResult verifyCombiner(MlirOperation op, MlirRegion body) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirType types[MaxBodyTypes];
  TILE_TRY(verifyBodySize(op, 2 * n));
  for (intptr_t i = 0; i < n; ++i)
    types[i] = types[n + i] = tileTypeGetElement(typeOf(mlirOperationGetOperand(op, i)));
  TILE_TRY(tileVerifyBodyArguments(op, body, 2 * n, types));
  TILE_TRY(tileVerifyBodyYields(op, body, n, types));
  return tileVerifyBodyScalars(op, body);
}

/* `result` is `src` without `axis`; a scalar if that was all. */
static MlirLogicalResult verifyReduced(MlirOperation op, MlirType src, int64_t axis, MlirType result) {
  int64_t dims[TileVerify_MaxRank];
  intptr_t rank = 0;
  for (intptr_t i = 0; i < tileRankOf(src); ++i)
    if (i != axis)
      dims[rank++] = tileDimOf(src, i);
  TILE_TRY(tileVerifyShape(op, "a result", result, rank, dims));
  return tileVerifyElement(op, "a result", result, tileTypeGetElement(src));
}

MlirLogicalResult tileReduceOpVerify(TileReduceOp o) {
  intptr_t n = tileReduceOpGetNumSrcs(o), results = tileReduceOpGetNumResults(o);
  int64_t axis = tileReduceOpGetAxis(o);
  if (n != results)
    return tileEmitOpError(o.op, "got %lld results, expected %lld, one for each operand", (long long)results,
                           (long long)n);
  MlirType first = typeOf(tileReduceOpGetSrcs(o, 0));
  TILE_TRY(tileVerifyRankLimit(o.op, first));
  TILE_TRY(tileVerifyAxis(o.op, axis, tileRankOf(first)));
  for (intptr_t i = 0; i < n; ++i) {
    MlirType src = typeOf(tileReduceOpGetSrcs(o, i));
    TILE_TRY(tileVerifySameEncoding(o.op, first, src));
    TILE_TRY(verifyReduced(o.op, src, axis, typeOf(tileReduceOpGetResults(o, i))));
  }
  return verifyCombiner(o.op, tileReduceOpGetBody(o));
}

MlirLogicalResult tileScanOpVerify(TileScanOp o) {
  TILE_TRY(tileVerifyAxis(o.op, tileScanOpGetAxis(o), tileRankOf(typeOf(tileScanOpGetSrcs(o, 0)))));
  TILE_TRY(tileVerifyOneShape(o.op));
  return verifyCombiner(o.op, tileScanOpGetBody(o));
}

// ---- data-dependent ----

MlirLogicalResult tileHistogramOpVerify(TileHistogramOp o) {
  MlirType src = typeOf(tileHistogramOpGetSrc(o)), result = typeOf(tileHistogramOpGetResult(o));
  if (tileRankOf(src) != 1 || tileRankOf(result) != 1)
    return tileEmitOpError(o.op, "got shapes %s and %s, expected one dimension each", tileTextOfShape(src).s,
                           tileTextOfShape(result).s);
  TileElementType counts = tileElementTypeOf(result);
  if (counts == TileElementType_I32 || counts == TileElementType_I64)
    return tileSuccess();
  return tileEmitOpError(o.op, "got counts of %s, expected i32 or i64", tileElementTypeName(counts));
}

MlirLogicalResult tileGatherOpVerify(TileGatherOp o) {
  MlirType src = typeOf(tileGatherOpGetSrc(o)), indices = typeOf(tileGatherOpGetIndices(o));
  MlirType result = typeOf(tileGatherOpGetResult(o));
  int64_t axis = tileGatherOpGetAxis(o), dims[TileVerify_MaxRank];
  TILE_TRY(tileVerifyRankLimit(o.op, src));
  TILE_TRY(tileVerifyAxis(o.op, axis, tileRankOf(src)));
  for (intptr_t i = 0; i < tileRankOf(src); ++i)
    dims[i] = i == axis && tileRankOf(indices) == tileRankOf(src) ? tileDimOf(indices, i) : tileDimOf(src, i);
  TILE_TRY(tileVerifyShape(o.op, "indices", indices, tileRankOf(src), dims));
  if (tileElementTypeOf(indices) == TileElementType_I1)
    return tileEmitOpError(o.op, "got indices of i1, expected wider integers");
  TILE_TRY(tileVerifyShape(o.op, "a result", result, tileRankOf(src), dims));
  TILE_TRY(tileVerifyElement(o.op, "a result", result, tileTypeGetElement(src)));
  return tileVerifySameEncoding(o.op, indices, result);
}
