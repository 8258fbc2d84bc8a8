/* TileVerify.c - checks and message texts that the verifiers of the tile dialect share. */
#include "TileVerify.h"
#include "TileHooks.h"
#include "tile-c/OpKind.h"
#include <stdio.h>

// ---- texts ----

typedef struct TextSink {
  TileText *text;
  size_t length;
} TextSink;

static void appendText(MlirStringRef part, void *data) {
  TextSink *sink = data;
  size_t room = sizeof sink->text->s - 1 - sink->length;
  size_t n = part.length < room ? part.length : room;
  memcpy(sink->text->s + sink->length, part.data, n);
  sink->length += n;
}

TileText tileTextOfType(MlirType type) {
  TileText text = {{0}};
  TextSink sink = {&text, 0};
  mlirTypePrint(type, appendText, &sink);
  return text;
}

TileText tileTextOfAttr(MlirAttribute attr) {
  TileText text = {{0}};
  TextSink sink = {&text, 0};
  mlirAttributePrint(attr, appendText, &sink);
  return text;
}

TileText tileTextOfDims(intptr_t rank, const int64_t *dims) {
  TileText text = {"scalar"};
  size_t length = 0;
  for (intptr_t i = 0; i < rank && length < sizeof text.s; ++i)
    length +=
        (size_t)snprintf(text.s + length, sizeof text.s - length, "%s%lld", i ? "x" : "", (long long)dims[i]);
  return text;
}

TileText tileTextOfShape(MlirType type) {
  int64_t dims[TileVerify_MaxRank];
  intptr_t rank = tileRankOf(type) < TileVerify_MaxRank ? tileRankOf(type) : TileVerify_MaxRank;
  for (intptr_t i = 0; i < rank; ++i)
    dims[i] = tileDimOf(type, i);
  return tileTextOfDims(rank, dims);
}

// ---- queries ----

intptr_t tileRankOf(MlirType type) { return tileTypeIsTensor(type) ? mlirShapedTypeGetRank(type) : 0; }

int64_t tileDimOf(MlirType type, intptr_t i) { return mlirShapedTypeGetDimSize(type, i); }

bool tileSameShape(MlirType a, MlirType b) {
  if (tileRankOf(a) != tileRankOf(b))
    return false;
  for (intptr_t i = 0; i < tileRankOf(a); ++i)
    if (tileDimOf(a, i) != tileDimOf(b, i))
      return false;
  return true;
}

// ---- checks ----

MlirLogicalResult tileVerifyAxis(MlirOperation op, int64_t axis, intptr_t rank) {
  if (axis >= 0 && axis < rank)
    return tileSuccess();
  return tileEmitOpError(op, "got axis %lld, expected 0 to %lld", (long long)axis, (long long)rank - 1);
}

MlirLogicalResult tileVerifyElement(MlirOperation op, const char *what, MlirType type, MlirType element) {
  MlirType got = tileTypeGetElement(type);
  if (mlirTypeEqual(got, element))
    return tileSuccess();
  return tileEmitOpError(op, "got %s of %s, expected %s", what, tileTextOfType(got).s,
                         tileTextOfType(element).s);
}

MlirLogicalResult tileVerifyShape(MlirOperation op, const char *what, MlirType type, intptr_t rank,
                                  const int64_t *dims) {
  bool same = tileRankOf(type) == rank;
  for (intptr_t i = 0; same && i < rank; ++i)
    same = tileDimOf(type, i) == dims[i];
  if (same)
    return tileSuccess();
  return tileEmitOpError(op, "got %s of shape %s, expected %s", what, tileTextOfShape(type).s,
                         tileTextOfDims(rank, dims).s);
}

MlirLogicalResult tileVerifySameEncoding(MlirOperation op, MlirType a, MlirType b) {
  MlirAttribute left = tileTypeGetEncoding(a), right = tileTypeGetEncoding(b);
  if (mlirAttributeIsNull(left) || mlirAttributeIsNull(right) || mlirAttributeEqual(left, right))
    return tileSuccess();
  return tileEmitOpError(op, "got layouts of %s and %s, expected equal ones", tileTextOfType(a).s,
                         tileTextOfType(b).s);
}

static MlirLogicalResult verifyLikeFirst(MlirOperation op, MlirType *first, MlirType type) {
  if (mlirTypeIsNull(*first))
    *first = type;
  if (!tileSameShape(*first, type))
    return tileEmitOpError(op, "got shapes %s and %s, expected equal ones", tileTextOfShape(*first).s,
                           tileTextOfShape(type).s);
  return tileVerifySameEncoding(op, *first, type);
}

MlirLogicalResult tileVerifyOneShape(MlirOperation op) {
  MlirType first = {NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    TILE_TRY(verifyLikeFirst(op, &first, typeOf(mlirOperationGetOperand(op, i))));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    TILE_TRY(verifyLikeFirst(op, &first, typeOf(mlirOperationGetResult(op, i))));
  return tileSuccess();
}

MlirLogicalResult tileVerifyRankLimit(MlirOperation op, MlirType type) {
  if (tileRankOf(type) <= TileVerify_MaxRank)
    return tileSuccess();
  return tileEmitOpError(op, "got %lld dimensions, expected at most %d", (long long)tileRankOf(type),
                         TileVerify_MaxRank);
}

// ---- bodies of reduce, scan and map_elementwise ----

MlirLogicalResult tileVerifyBodyArguments(MlirOperation op, MlirRegion body, intptr_t n,
                                          const MlirType *expected) {
  MlirBlock block = mlirRegionGetFirstBlock(body);
  intptr_t got = mlirBlockGetNumArguments(block);
  if (got != n)
    return tileEmitOpError(op, "got a body with %lld arguments, expected %lld", (long long)got, (long long)n);
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = typeOf(mlirBlockGetArgument(block, i));
    if (!mlirTypeEqual(type, expected[i]))
      return tileEmitOpError(op, "got body argument #%lld of %s, expected %s", (long long)i,
                             tileTextOfType(type).s, tileTextOfType(expected[i]).s);
  }
  return tileSuccess();
}

MlirLogicalResult tileVerifyBodyYields(MlirOperation op, MlirRegion body, intptr_t n,
                                       const MlirType *expected) {
  TileYieldOp yield = tileYieldOpCast(mlirBlockGetTerminator(mlirRegionGetFirstBlock(body)));
  if (tileYieldOpIsNull(yield))
    return tileEmitOpError(op, "got a body without tile.yield, expected it as the last operation");
  intptr_t got = tileYieldOpGetNumValues(yield);
  if (got != n)
    return tileEmitOpError(yield.op, "got %lld values, expected %lld", (long long)got, (long long)n);
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = typeOf(tileYieldOpGetValues(yield, i));
    if (!mlirTypeEqual(type, expected[i]))
      return tileEmitOpError(yield.op, "got value #%lld of %s, expected %s", (long long)i,
                             tileTextOfType(type).s, tileTextOfType(expected[i]).s);
  }
  return tileSuccess();
}

/* Why an operation may not stand in a body; NULL if it may. */
static const char *bodyRefusal(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_Load:
  case TileOp_Tile_Store:
  case TileOp_Tile_AtomicRMW:
  case TileOp_Tile_AtomicCAS:
  case TileOp_Tile_AtomicPoll:
  case TileOp_Tile_Barrier:
  case TileOp_Tile_GridDependencyWait:
  case TileOp_Tile_GridDependencyLaunch:
  case TileOp_Tile_Print:
  case TileOp_Tile_Assert:
    return "got a body that accesses memory, expected computation only";
  default:
    break;
  }
  bool tensors = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    tensors |= tileTypeIsTensor(typeOf(mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    tensors |= tileTypeIsTensor(typeOf(mlirOperationGetResult(op, i)));
  return tensors ? "got a body that computes on tensors, expected scalars only" : NULL;
}

typedef struct BodyWalk {
  MlirOperation found;
  const char *refusal;
} BodyWalk;

static MlirWalkResult findRefused(MlirOperation op, void *data) {
  BodyWalk *walk = data;
  walk->refusal = bodyRefusal(op);
  walk->found = op;
  return walk->refusal ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

MlirLogicalResult tileVerifyBodyScalars(MlirOperation op, MlirRegion body) {
  BodyWalk walk = {0};
  for (MlirOperation inner = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(body));
       inner.ptr && !walk.refusal; inner = mlirOperationGetNextInBlock(inner))
    mlirOperationWalk(inner, findRefused, &walk, MlirWalkPreOrder);
  if (!walk.refusal)
    return tileSuccess();
  return tileEmitOpErrorWithNote(op, mlirOperationGetLocation(walk.found), "see this operation", "%s",
                                 walk.refusal);
}
