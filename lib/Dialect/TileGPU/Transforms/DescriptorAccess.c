/* DescriptorAccess.c - one access to a block of a descriptor, through a tensor of pointers under a mask.
 *
 * The block's first element is addressed by scalars, so that in a loop over blocks only they change:
 *
 *   start    = base + sum of coordinate(d) * stride(d)
 *   pointers = splat(start) + sum of (0 .. extent(d) - 1) * stride(d)           offsets have 64 bits
 *   mask     = and of 0 <= coordinate(d) + (0 .. extent(d) - 1) < size(d)
 *
 * A coordinate has 32 bits; where adding the range wraps around, the sum is negative and the element outside,
 * as it would be without wrapping. */
#include "Descriptors.h"
#include "tile-c/Dialect/Arith.h"
#include <math.h>

enum { MaxRank = 16 };

/* The tensor of the op; its dimensions are the descriptor's from `skip` on. */
typedef struct Block {
  TileExpansion *e;
  const TileAxisInfo *axis;
  const DescParts *parts;
  MlirLocation loc;
  intptr_t rank, skip;
  int64_t shape[MaxRank];
  MlirType i32, i64;
  MlirValue offsets, mask; ///< null as long as there is nothing to add
} Block;

// ---- Short forms ----

static MlirType tensorOf(const Block *b, MlirType element) {
  return mlirRankedTensorTypeGet(b->rank, b->shape, element, mlirAttributeGetNull());
}

static MlirValue splat(Block *b, MlirValue scalar, MlirType like) {
  MlirType type = tileTypeWithElement(like, mlirValueGetType(scalar));
  return tileSplatOpGetResult(tileSplatOpCreate(b->e->builder, b->loc, type, scalar));
}

static MlirValue widen(Block *b, MlirValue v) {
  MlirType type = tileTypeWithElement(mlirValueGetType(v), b->i64);
  return arithExtSIOpGetOut(arithExtSIOpCreate(b->e->builder, b->loc, type, v));
}

static MlirValue add(Block *b, MlirValue x, MlirValue y) {
  if (!x.ptr)
    return y;
  return arithAddIOpGetResult(
      arithAddIOpCreate(b->e->builder, b->loc, mlirValueGetType(x), x, y, mlirAttributeGetNull()));
}

static MlirValue multiply(Block *b, MlirValue x, MlirValue y) {
  return arithMulIOpGetResult(
      arithMulIOpCreate(b->e->builder, b->loc, mlirValueGetType(x), x, y, mlirAttributeGetNull()));
}

static MlirValue both(Block *b, MlirValue x, MlirValue y) {
  return x.ptr ? arithAndIOpGetResult(arithAndIOpCreate(b->e->builder, b->loc, mlirValueGetType(x), x, y))
               : y;
}

static MlirValue compare(Block *b, ArithCmpIPredicate predicate, MlirValue x, MlirValue y) {
  MlirType type = tileTypeWithElement(mlirValueGetType(x), mlirIntegerTypeGet(b->e->context, 1));
  return arithCmpIOpGetResult(
      arithCmpIOpCreate(b->e->builder, b->loc, type, x, y, mlirIntegerAttrGet(b->i64, predicate)));
}

static MlirValue constant(Block *b, MlirType type, MlirAttribute value) {
  if (tileTypeIsTensor(type))
    value = mlirDenseElementsAttrSplatGet(type, value);
  return arithConstantOpGetResult(arithConstantOpCreate(b->e->builder, b->loc, type, value));
}

static MlirValue range(Block *b, int64_t extent) {
  MlirType type = mlirRankedTensorTypeGet(1, &extent, b->i32, mlirAttributeGetNull());
  return tileMakeRangeOpGetResult(tileMakeRangeOpCreate(
      b->e->builder, b->loc, type, tileI32Attr(b->e->context, 0), tileI32Attr(b->e->context, extent)));
}

/* A tensor of one dimension along dimension d of the block, repeated along the others. */
static MlirValue spread(Block *b, MlirValue v, intptr_t d) {
  MlirType element = tileTypeGetElement(mlirValueGetType(v));
  int64_t shape[MaxRank];
  for (intptr_t k = 0, rank = 1; k < b->rank; ++k) {
    if (k == d)
      continue;
    for (intptr_t i = 0; i <= rank; ++i)
      shape[i] = 1;
    shape[k < d ? k + 1 : d] = b->shape[d];
    MlirType type = mlirRankedTensorTypeGet(++rank, shape, element, mlirAttributeGetNull());
    v = tileExpandDimsOpGetResult(
        tileExpandDimsOpCreate(b->e->builder, b->loc, type, v, tileI32Attr(b->e->context, k < d ? 0 : k)));
  }
  MlirType whole = tensorOf(b, element);
  if (mlirTypeEqual(whole, mlirValueGetType(v)))
    return v;
  return tileBroadcastOpGetResult(tileBroadcastOpCreate(b->e->builder, b->loc, whole, v));
}

// ---- Addresses and masks ----

static MlirValue scaled(Block *b, MlirValue coordinate, intptr_t dim) {
  MlirValue wide = widen(b, coordinate), stride = descStride(b->parts, dim);
  MlirType type = mlirValueGetType(wide);
  int64_t one;
  if (tileValueConstantInt(stride, &one) && one == 1)
    return wide;
  return multiply(b, wide, tileTypeIsTensor(type) ? splat(b, stride, type) : stride);
}

/* coordinate + extent - 1 stays within i32, and the coordinate is not negative. */
static bool isNeverNegative(const Block *b, MlirValue coordinate, int64_t extent) {
  const TileAxis *known = tileAxisInfoOf(b->axis, coordinate);
  return known && known->min >= 0 && known->max <= INT32_MAX - (extent - 1);
}

/* 0 <= index < size, elementwise; without the first where it is known. */
static MlirValue inside(Block *b, MlirValue index, intptr_t dim, bool neverNegative) {
  MlirType type = mlirValueGetType(index);
  MlirValue size = descSize(b->parts, dim), low = {NULL};
  if (!neverNegative)
    low = compare(b, ArithCmpIPredicate_sge, index, constant(b, type, mlirIntegerAttrGet(b->i32, 0)));
  if (tileTypeIsTensor(type))
    size = splat(b, size, type);
  return both(b, low, compare(b, ArithCmpIPredicate_slt, index, size));
}

static void addMask(Block *b, MlirValue mask, intptr_t d) {
  MlirValue whole =
      tileTypeIsTensor(mlirValueGetType(mask)) ? spread(b, mask, d) : splat(b, mask, tensorOf(b, b->i32));
  b->mask = both(b, b->mask, whole);
}

static void addOffsets(Block *b, MlirValue offsets, intptr_t d) {
  b->offsets = add(b, b->offsets, spread(b, offsets, d));
}

/* Dimension `dim` of the descriptor: a run of elements from a coordinate on. */
static void addRun(Block *b, MlirValue *inout_start, MlirValue coordinate, intptr_t dim) {
  intptr_t d = dim - b->skip;
  int64_t extent = d < 0 ? 1 : b->shape[d];
  *inout_start = add(b, *inout_start, scaled(b, coordinate, dim));
  MlirValue index = coordinate;
  if (extent > 1) {
    MlirValue steps = range(b, extent);
    addOffsets(b, scaled(b, steps, dim), d);
    index = add(b, splat(b, coordinate, mlirValueGetType(steps)), steps);
  }
  addMask(b, inside(b, index, dim, isNeverNegative(b, coordinate, extent)), d);
}

static MlirValue pointerTo(Block *b, MlirValue base, MlirValue offset) {
  return tileAddPtrOpGetResult(
      tileAddPtrOpCreate(b->e->builder, b->loc, mlirValueGetType(base), base, offset));
}

static MlirValue pointersFrom(Block *b, MlirValue startOffset) {
  MlirValue start = pointerTo(b, descBase(b->parts), startOffset);
  MlirValue all = splat(b, start, tensorOf(b, b->i32));
  return b->offsets.ptr ? pointerTo(b, all, b->offsets) : all;
}

/* Operands of a block access: the descriptor, a coordinate for each of its dimensions. */
static MlirValue blockPointers(Block *b, MlirOperation op) {
  MlirValue start = {NULL};
  for (intptr_t dim = 0; dim < b->parts->rank; ++dim)
    addRun(b, &start, mlirOperationGetOperand(op, 1 + dim), dim);
  return pointersFrom(b, start);
}

/* Operands of an access to rows: the descriptor, the rows, the first column. */
static MlirValue rowPointers(Block *b, MlirOperation op) {
  MlirValue rows = mlirOperationGetOperand(op, 1), start = {NULL};
  addOffsets(b, scaled(b, rows, 0), 0);
  addMask(b, inside(b, rows, 0, isNeverNegative(b, rows, 1)), 0);
  addRun(b, &start, mlirOperationGetOperand(op, 2), 1);
  return pointersFrom(b, start);
}

// ---- Ops ----

/* What elements outside read as. */
static MlirValue padding(Block *b) {
  MlirType element = tileDescTypeGetElementType(b->parts->type), type = tensorOf(b, element);
  MlirValue nan = descPadsNaN(b->parts);
  int64_t known = 0;
  if (!nan.ptr)
    return constant(b, type, mlirIntegerAttrGet(element, 0));
  if (tileValueConstantInt(nan, &known))
    return constant(b, type, mlirFloatAttrDoubleGet(b->e->context, element, known ? NAN : 0.0));
  MlirValue yes = constant(b, element, mlirFloatAttrDoubleGet(b->e->context, element, NAN));
  MlirValue no = constant(b, element, mlirFloatAttrDoubleGet(b->e->context, element, 0.0));
  return splat(b, arithSelectOpGetResult(arithSelectOpCreate(b->e->builder, b->loc, element, nan, yes, no)),
               type);
}

static void load(Block *b, MlirOperation op, MlirValue pointers) {
  TileDescLoadOp l = tileDescLoadOpCast(op);
  MlirAttribute none = mlirAttributeGetNull();
  bool block = !tileDescLoadOpIsNull(l);
  MlirValue result = mlirOperationGetResult(op, 0);
  TileLoadOp by = tileLoadOpCreate(b->e->builder, b->loc, mlirValueGetType(result), pointers, b->mask,
                                   padding(b), block ? tileDescLoadOpGetCacheAttr(l) : none,
                                   block ? tileDescLoadOpGetEvictAttr(l) : none, none);
  mlirValueReplaceAllUsesOfWith(result, tileLoadOpGetResult(by));
}

static void store(Block *b, MlirValue value, MlirValue pointers) {
  MlirAttribute none = mlirAttributeGetNull();
  tileStoreOpCreate(b->e->builder, b->loc, pointers, value, b->mask, none, none);
}

static TileRMWKind rmwKind(TileDescReduceKind kind, bool isFloat) {
  static const TileRMWKind kinds[] = {
      [TileDescReduceKind_Add] = TileRMWKind_Add, [TileDescReduceKind_Min] = TileRMWKind_Min,
      [TileDescReduceKind_Max] = TileRMWKind_Max, [TileDescReduceKind_Inc] = TileRMWKind_Inc,
      [TileDescReduceKind_Dec] = TileRMWKind_Dec, [TileDescReduceKind_And] = TileRMWKind_And,
      [TileDescReduceKind_Or] = TileRMWKind_Or,   [TileDescReduceKind_Xor] = TileRMWKind_Xor,
  };
  return isFloat && kind == TileDescReduceKind_Add ? TileRMWKind_FAdd : kinds[kind];
}

static void reduce(Block *b, MlirOperation op, MlirValue value, MlirValue pointers) {
  MlirType type = mlirValueGetType(value);
  MlirAttribute none = mlirAttributeGetNull();
  TileRMWKind kind =
      rmwKind(tileDescReduceOpGetKind(tileDescReduceOpCast(op)), mlirTypeIsAFloat(tileTypeGetElement(type)));
  tileAtomicRMWOpCreate(b->e->builder, b->loc, type, pointers, value, b->mask,
                        tileI32Attr(b->e->context, kind), none, none);
}

MlirLogicalResult descExpandAccess(TileExpansion *e, const TileAxisInfo *axis, MlirOperation op,
                                   const DescParts *parts) {
  TileOpKind kind = tileOpKind(op);
  bool loads = kind == TileOp_Tile_DescLoad || kind == TileOp_Tile_DescGather;
  bool rows = kind == TileOp_Tile_DescGather || kind == TileOp_Tile_DescScatter;
  MlirValue value = loads ? mlirOperationGetResult(op, 0)
                          : mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
  Block b = {.e = e, .axis = axis, .parts = parts, .loc = mlirOperationGetLocation(op)};
  b.i32 = mlirIntegerTypeGet(e->context, 32);
  b.i64 = mlirIntegerTypeGet(e->context, 64);
  b.rank = mlirShapedTypeGetRank(mlirValueGetType(value));
  b.skip = parts->rank - b.rank;
  if (parts->rank > MaxRank)
    return tileEmitOpError(op, "got a descriptor of %ld dimensions, expected at most %d", (long)parts->rank,
                           (int)MaxRank);
  tileTypeGetShape(mlirValueGetType(value), b.shape, MaxRank);
  MlirValue pointers = rows ? rowPointers(&b, op) : blockPointers(&b, op);
  if (loads)
    load(&b, op, pointers);
  else if (kind == TileOp_Tile_DescReduce)
    reduce(&b, op, value, pointers);
  else
    store(&b, value, pointers);
  return tileSuccess();
}
