/* PadShape.c - padding of ops that move elements: reshape and cat, whose order padding would change, ranges and
 * constants.
 *
 *   %y = tile.reshape %x : tensor<4x3xf32> -> tensor<12xf32>
 * becomes
 *   %f = tile.reshape %x : tensor<4x4xf32> -> tensor<16xf32>
 *   %y = tile.gather %f, %i axis = 0      %i = element (l / 3) * 4 + l % 3 at place l
 *
 * unless padding keeps the order: where within each group of dimensions that become others only the first is
 * odd, all added elements come last on both sides. */
#include "Padding.h"
#include "tile-c/Dialect/Arith.h"

// ---- Ranges and constants ----

/* An end that does not fit an i32: from 0 on, and the start is added. */
MlirLogicalResult padMakeRange(Padding *p, MlirOperation op) {
  TileMakeRangeOp range = tileMakeRangeOpCast(op);
  MlirValue result = tileMakeRangeOpGetResult(range);
  MlirType type = mlirValueGetType(result);
  int64_t start = tileMakeRangeOpGetStart(range), n = mlirShapedTypeGetDimSize(type, 0);
  if (start + padSize(n) <= INT32_MAX)
    return tileSuccess();
  MlirValue from0 = padIndex(p, type, 0);
  MlirValue offset = padConstant(p, type, mlirIntegerAttrGet(tileTypeGetElement(type), start));
  MlirValue sum =
      arithAddIOpGetResult(arithAddIOpCreate(p->b, p->loc, type, from0, offset, mlirAttributeGetNull()));
  mlirRewriterBaseReplaceOpWithValues(p->b, op, 1, &sum);
  return tileSuccess();
}

/* Where element number `at` of a padded tensor stands in one of shape `shape`: beyond an end, the last. */
static void clampedIndex(int64_t at, int rank, const int64_t *shape, uint64_t *out) {
  for (int d = rank - 1; d >= 0; --d) {
    int64_t size = padSize(shape[d]), i = at % size;
    out[d] = (uint64_t)(i < shape[d] ? i : shape[d] - 1);
    at /= size;
  }
}

MlirAttribute padDense(Padding *p, MlirAttribute value) {
  if (!mlirAttributeIsADenseElements(value))
    return mlirAttributeGetNull();
  MlirType type = mlirAttributeGetType(value), padded = padType(type);
  int64_t shape[TileLayout_MaxRank], n = tileTypeNumElements(padded);
  uint64_t at[TileLayout_MaxRank];
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  if (mlirDenseElementsAttrIsSplat(value))
    return mlirDenseElementsAttrSplatGet(padded, mlirDenseElementsAttrGetSplatValue(value));
  MlirAttribute *elements = tileArenaAlloc(p->arena, (size_t)n, sizeof *elements);
  for (int64_t i = 0; i < n; ++i) {
    clampedIndex(i, rank, shape, at);
    elements[i] = mlirElementsAttrGetValue(value, rank, at);
  }
  return mlirDenseElementsAttrGet(padded, (intptr_t)n, elements);
}

// ---- cat ----

static MlirValue indexConstant(Padding *p, MlirType like, int64_t value) {
  return padConstant(p, like, mlirIntegerAttrGet(tileTypeGetElement(like), value));
}

/* Element i is that of the left if i is less than its size, else the right's at i - size: both are picked,
 * indices that are out of range for one of them read anything. */
MlirLogicalResult padCat(Padding *p, MlirOperation op) {
  MlirValue lhs = mlirOperationGetOperand(op, 0), rhs = mlirOperationGetOperand(op, 1);
  MlirType result = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirValue i = padIndex(p, result, 0);
  MlirType indices = mlirValueGetType(i);
  MlirValue size = indexConstant(p, indices, mlirShapedTypeGetDimSize(mlirValueGetType(lhs), 0));
  MlirValue isLeft = arithCmpIOpGetResult(arithCmpIOpCreate(
      p->b, p->loc, tileTypeWithElement(indices, mlirIntegerTypeGet(p->context, 1)), i, size,
      mlirIntegerAttrGet(mlirIntegerTypeGet(p->context, 64), ArithCmpIPredicate_slt)));
  MlirValue right =
      arithSubIOpGetResult(arithSubIOpCreate(p->b, p->loc, indices, i, size, mlirAttributeGetNull()));
  MlirValue zero = padZero(p, indices);
  MlirValue by = padSelect(p, isLeft, padGather(p, lhs, padSelect(p, isLeft, i, zero), result, 0),
                           padGather(p, rhs, padSelect(p, isLeft, zero, right), result, 0));
  mlirRewriterBaseReplaceOpWithValues(p->b, op, 1, &by);
  return tileSuccess();
}

// ---- reshape ----

/* Sizes first .. end - 1 of a shape. */
typedef struct Group {
  int first, end;
} Group;

/* The next group on both sides whose sizes have one product; false at the end. */
static bool nextGroup(const int64_t *a, int rankA, Group *ga, const int64_t *b, int rankB, Group *gb) {
  int64_t x = 1, y = 1;
  *ga = (Group){ga->end, ga->end};
  *gb = (Group){gb->end, gb->end};
  if (ga->end == rankA && gb->end == rankB)
    return false;
  do {
    if (ga->end < rankA && (x <= y || gb->end == rankB))
      x *= a[ga->end++];
    else
      y *= b[gb->end++];
  } while (x != y && (ga->end < rankA || gb->end < rankB));
  return true;
}

/* Only the first size, apart from ones, may be odd: then all added elements come last. */
static bool endsInPowers(const int64_t *shape, Group g) {
  while (g.first < g.end && shape[g.first] == 1)
    ++g.first;
  for (int d = g.first + 1; d < g.end; ++d)
    if (padSize(shape[d]) != shape[d])
      return false;
  return true;
}

static bool sameSizes(const int64_t *a, Group ga, const int64_t *b, Group gb) {
  bool same = ga.end - ga.first == gb.end - gb.first;
  for (int i = 0; same && i < ga.end - ga.first; ++i)
    same = a[ga.first + i] == b[gb.first + i];
  return same;
}

static bool keepsOrder(MlirType from, MlirType to) {
  int64_t a[TileLayout_MaxRank], b[TileLayout_MaxRank];
  int rankA = tileTypeGetShape(from, a, TileLayout_MaxRank),
      rankB = tileTypeGetShape(to, b, TileLayout_MaxRank);
  Group ga = {0, 0}, gb = {0, 0};
  while (nextGroup(a, rankA, &ga, b, rankB, &gb))
    if (!sameSizes(a, ga, b, gb) && !(endsInPowers(a, ga) && endsInPowers(b, gb)))
      return false;
  return true;
}

/* Any order would be allowed, but it must be one that knows which elements are added. */
MlirLogicalResult padReshape(Padding *p, MlirOperation op) {
  MlirType from = padTypeOf(op, 0), to = mlirValueGetType(mlirOperationGetResult(op, 0));
  TileReshapeOp by =
      tileReshapeOpCreate(p->b, p->loc, to, mlirOperationGetOperand(op, 0), mlirAttributeGetNull());
  tileCopyDiscardableAttrs(op, by.op);
  mlirRewriterBaseReplaceOpWithOperation(p->b, op, by.op);
  if (keepsOrder(from, to))
    return tileSuccess();
  PadReshape *r = tileArenaAlloc(p->arena, 1, sizeof *r);
  *r = (PadReshape){by.op, from, to};
  tilePointerListAppend(&p->reshapes, r);
  return tileSuccess();
}

typedef enum Arithmetic { Add, Multiply, Divide, Remainder } Arithmetic;

static MlirValue compute(Padding *p, Arithmetic what, MlirValue x, int64_t constant) {
  MlirType type = mlirValueGetType(x);
  MlirAttribute none = mlirAttributeGetNull();
  if (what != Remainder && constant == 1)
    return x;
  MlirValue y = indexConstant(p, type, constant);
  switch (what) {
  case Multiply:
    return arithMulIOpGetResult(arithMulIOpCreate(p->b, p->loc, type, x, y, none));
  case Divide:
    return arithDivUIOpGetResult(arithDivUIOpCreate(p->b, p->loc, type, x, y, none));
  case Remainder:
    return arithRemUIOpGetResult(arithRemUIOpCreate(p->b, p->loc, type, x, y));
  default:
    return x;
  }
}

static MlirValue plus(Padding *p, MlirValue x, MlirValue y) {
  if (!x.ptr)
    return y;
  return arithAddIOpGetResult(
      arithAddIOpCreate(p->b, p->loc, mlirValueGetType(x), x, y, mlirAttributeGetNull()));
}

/* A row-major number in a tensor of sizes `a`, as one in a tensor of sizes `b`: each coordinate moves from its
 * stride in the first to that in the second. */
static MlirValue renumber(Padding *p, MlirValue number, int rank, const int64_t *a, const int64_t *b) {
  MlirValue sum = {NULL};
  int64_t strideA = 1, strideB = 1;
  for (int d = rank - 1; d >= 0; --d) {
    MlirValue i = compute(p, Divide, number, strideA);
    if (d > 0)
      i = compute(p, Remainder, i, a[d]);
    sum = plus(p, sum, compute(p, Multiply, i, strideB));
    strideA *= a[d];
    strideB *= b[d];
  }
  return sum;
}

static MlirType flatType(MlirType like, MlirType element) {
  int64_t n = tileTypeNumElements(like);
  return mlirRankedTensorTypeGet(1, &n, element, mlirAttributeGetNull());
}

static MlirValue reshaped(Padding *p, MlirValue v, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(v), type))
    return v;
  return tileReshapeOpGetResult(tileReshapeOpCreate(p->b, p->loc, type, v, mlirAttributeGetNull()));
}

/* Numbers of added elements may lie behind the end of the source: gather reads anything there. */
void padFinishReshape(Padding *p, const PadReshape *r) {
  int64_t from[TileLayout_MaxRank], to[TileLayout_MaxRank], fromPadded[TileLayout_MaxRank],
      toPadded[TileLayout_MaxRank];
  int rankFrom = tileTypeGetShape(r->from, from, TileLayout_MaxRank),
      rankTo = tileTypeGetShape(r->to, to, TileLayout_MaxRank);
  for (int d = 0; d < rankFrom; ++d)
    fromPadded[d] = padSize(from[d]);
  for (int d = 0; d < rankTo; ++d)
    toPadded[d] = padSize(to[d]);
  MlirValue source = mlirOperationGetOperand(r->op, 0), result = mlirOperationGetResult(r->op, 0);
  MlirType element = tileTypeGetElement(r->to), i32 = mlirIntegerTypeGet(p->context, 32);
  p->loc = mlirOperationGetLocation(r->op);
  mlirRewriterBaseSetInsertionPointBefore(p->b, r->op);
  MlirValue flat = reshaped(p, source, flatType(mlirValueGetType(source), element));
  MlirValue place = padIndex(p, flatType(mlirValueGetType(result), i32), 0);
  MlirValue logical = renumber(p, place, rankTo, toPadded, to);
  MlirValue number = renumber(p, logical, rankFrom, from, fromPadded);
  MlirValue picked = padGather(p, flat, number, flatType(mlirValueGetType(result), element), 0);
  MlirValue by = reshaped(p, picked, mlirValueGetType(result));
  mlirRewriterBaseReplaceOpWithValues(p->b, r->op, 1, &by);
}
