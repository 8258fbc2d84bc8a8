/* BlockPointerAccess.c - loads and stores through a block pointer, by a tensor of pointers.
 *
 *   %v = tt.load %p {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<64xf32>>
 * becomes, for base %x, shape %n, stride %s and offset %o,
 *   %i = splat(%o) + (0 .. 63)                      as i64
 *   %q = tt.addptr splat(%x), %i * splat(%s)
 *   %m = 0 <= %i && %i < splat(%n)
 *   %v = tt.load %q, %m, dense<0.0> : tensor<64x!tt.ptr<f32>>
 * with one such %i for each dimension, broadcast to the block's shape.
 *
 * ensures: an address is formed, and a mask, exactly where the block pointer's access has one. */
#include "BlockPointer.h"
#include "tile-c/Dialect/Arith.h"
#include <math.h>

enum { MaxRank = 16 };

typedef struct Access {
  TTConversion *c;
  MlirLocation loc;
  const TTBlockPointer *p;
  MlirType i64;
  int64_t shape[MaxRank];
} Access;

static MlirType tensorOf(const Access *a, const int64_t *shape, intptr_t rank, MlirType element) {
  return mlirRankedTensorTypeGet(rank, shape, element, mlirAttributeGetNull());
}

static MlirValue splat(const Access *a, MlirValue scalar, const int64_t *shape) {
  MlirType type = tensorOf(a, shape, a->p->rank, ttTypeOf(scalar));
  return ttSplatOpGetResult(ttSplatOpCreate(a->c->builder, a->loc, type, scalar));
}

static MlirValue widen(const Access *a, MlirValue v) {
  MlirType type = tileTypeWithElement(ttTypeOf(v), a->i64);
  return arithExtSIOpGetOut(arithExtSIOpCreate(a->c->builder, a->loc, type, v));
}

static MlirValue add(const Access *a, MlirValue x, MlirValue y) {
  return arithAddIOpGetResult(
      arithAddIOpCreate(a->c->builder, a->loc, ttTypeOf(x), x, y, mlirAttributeGetNull()));
}

static MlirValue broadcast(const Access *a, MlirValue v) {
  MlirType type = tensorOf(a, a->shape, a->p->rank, tileTypeGetElement(ttTypeOf(v)));
  if (mlirTypeEqual(type, ttTypeOf(v)))
    return v;
  return ttBroadcastOpGetResult(ttBroadcastOpCreate(a->c->builder, a->loc, type, v));
}

/* 0, 1, .. along dimension d, of shape 1x..xBx..x1. */
static MlirValue rangeAlong(const Access *a, intptr_t d) {
  TTConversion *c = a->c;
  MlirType i32 = mlirIntegerTypeGet(c->context, 32);
  int64_t shape[MaxRank] = {a->shape[d]};
  MlirValue range = ttMakeRangeOpGetResult(ttMakeRangeOpCreate(c->builder, a->loc, tensorOf(a, shape, 1, i32),
                                                               ttI32(c, 0), ttI32(c, a->shape[d])));
  for (intptr_t k = 0; k < a->p->rank; ++k) {
    if (k == d)
      continue;
    intptr_t rank = mlirShapedTypeGetRank(ttTypeOf(range));
    for (intptr_t i = 0; i <= rank; ++i)
      shape[i] = 1;
    shape[k < d ? k + 1 : d] = a->shape[d];
    range = ttExpandDimsOpGetResult(ttExpandDimsOpCreate(
        c->builder, a->loc, tensorOf(a, shape, rank + 1, i32), range, ttI32(c, k < d ? 0 : k)));
  }
  return range;
}

/* Coordinates along dimension d, i64, of shape 1x..xBx..x1. */
static MlirValue coordinates(const Access *a, intptr_t d) {
  int64_t shape[MaxRank];
  for (intptr_t i = 0; i < a->p->rank; ++i)
    shape[i] = i == d ? a->shape[d] : 1;
  MlirValue offset = splat(a, widen(a, ttBlockOffset(a->p, d)), shape);
  return add(a, offset, widen(a, rangeAlong(a, d)));
}

static MlirValue scaled(const Access *a, MlirValue coordinate, intptr_t d) {
  int64_t one, shape[MaxRank];
  if (tileValueConstantInt(ttBlockStride(a->p, d), &one) && one == 1)
    return coordinate;
  tileTypeGetShape(ttTypeOf(coordinate), shape, MaxRank);
  MlirValue stride = splat(a, ttBlockStride(a->p, d), shape);
  return arithMulIOpGetResult(arithMulIOpCreate(a->c->builder, a->loc, ttTypeOf(coordinate), coordinate,
                                                stride, mlirAttributeGetNull()));
}

static MlirValue compare(const Access *a, ArithCmpIPredicate predicate, MlirValue x, MlirValue y) {
  MlirType type = tileTypeWithElement(ttTypeOf(x), mlirIntegerTypeGet(a->c->context, 1));
  MlirAttribute p = mlirIntegerAttrGet(a->i64, predicate);
  return arithCmpIOpGetResult(arithCmpIOpCreate(a->c->builder, a->loc, type, x, y, p));
}

static MlirValue both(const Access *a, MlirValue x, MlirValue y) {
  if (mlirValueIsNull(x))
    return y;
  return arithAndIOpGetResult(arithAndIOpCreate(a->c->builder, a->loc, ttTypeOf(x), x, y));
}

static MlirValue inBounds(const Access *a, MlirValue coordinate, intptr_t d) {
  int64_t shape[MaxRank];
  tileTypeGetShape(ttTypeOf(coordinate), shape, MaxRank);
  MlirAttribute zero = mlirDenseElementsAttrInt64SplatGet(ttTypeOf(coordinate), 0);
  MlirValue low =
      arithConstantOpGetResult(arithConstantOpCreate(a->c->builder, a->loc, ttTypeOf(coordinate), zero));
  MlirValue end = splat(a, ttBlockShape(a->p, d), shape);
  MlirValue inside = both(a, compare(a, ArithCmpIPredicate_sge, coordinate, low),
                          compare(a, ArithCmpIPredicate_slt, coordinate, end));
  return broadcast(a, inside);
}

/* Sets the pointers of the block and, if any dimension is checked, the mask. */
static void address(const Access *a, MlirAttribute boundaryCheck, MlirValue *out_pointers,
                    MlirValue *out_mask) {
  bool checked[MaxRank] = {false};
  for (intptr_t i = 0; boundaryCheck.ptr && i < mlirDenseArrayGetNumElements(boundaryCheck); ++i)
    checked[mlirDenseI32ArrayGetElement(boundaryCheck, i)] = true;
  MlirValue sum = {NULL};
  *out_mask = sum;
  for (intptr_t d = 0; d < a->p->rank; ++d) {
    MlirValue coordinate = coordinates(a, d), term = broadcast(a, scaled(a, coordinate, d));
    sum = mlirValueIsNull(sum) ? term : add(a, sum, term);
    if (checked[d])
      *out_mask = both(a, *out_mask, inBounds(a, coordinate, d));
  }
  MlirValue base = splat(a, ttBlockBase(a->p), a->shape);
  *out_pointers = ttAddPtrOpGetResult(ttAddPtrOpCreate(a->c->builder, a->loc, ttTypeOf(base), base, sum));
}

static MlirLogicalResult begin(Access *a, TTConversion *c, MlirOperation op, const TTBlockPointer *p,
                               MlirAttribute boundaryCheck) {
  *a = (Access){.c = c, .loc = ttLoc(op), .p = p, .i64 = mlirIntegerTypeGet(c->context, 64)};
  if (p->rank < 1 || p->rank > MaxRank)
    return tileEmitOpError(op, "got a block of %lld dimensions, expected 1 to %d", (long long)p->rank,
                           MaxRank);
  tileTypeGetShape(p->block, a->shape, MaxRank);
  for (intptr_t d = 0; d < p->rank; ++d)
    if (a->shape[d] < 1)
      return tileEmitOpError(op, "got a block of unknown or no size, expected a static block");
  for (intptr_t i = 0; boundaryCheck.ptr && i < mlirDenseArrayGetNumElements(boundaryCheck); ++i) {
    int d = mlirDenseI32ArrayGetElement(boundaryCheck, i);
    if (d < 0 || d >= p->rank)
      return tileEmitOpError(op, "got dimension %d in boundaryCheck, expected 0 to %lld", d,
                             (long long)p->rank - 1);
  }
  return tileSuccess();
}

/* What lies outside reads as zero or NaN; null if the load does not say. */
static MlirLogicalResult paddingOf(const Access *a, TTLoadOp load, MlirValue *out_other) {
  MlirAttribute padding = ttLoadOpGetPaddingAttr(load), value;
  MlirType element = tileTypeGetElement(a->p->block);
  *out_other = (MlirValue){NULL};
  if (mlirAttributeIsNull(padding))
    return tileSuccess();
  bool nan = tileIntegerAttrValue(padding) == TTPaddingOption_PAD_NAN;
  if (tileElementTypeIsFloat(tileElementTypeOf(element)))
    value = mlirFloatAttrDoubleGet(a->c->context, element, nan ? NAN : 0.0);
  else if (mlirTypeIsAInteger(element) && !nan)
    value = mlirIntegerAttrGet(element, 0);
  else
    return tileEmitOpError(load.op, "got padding for an element type that cannot hold it, expected a float");
  MlirAttribute splatted = mlirDenseElementsAttrSplatGet(a->p->block, value);
  *out_other = arithConstantOpGetResult(arithConstantOpCreate(a->c->builder, a->loc, a->p->block, splatted));
  return tileSuccess();
}

MlirLogicalResult ttExpandBlockLoad(TTConversion *c, TTLoadOp load, const TTBlockPointer *p) {
  Access a;
  MlirAttribute check = ttLoadOpGetBoundaryCheckAttr(load), none = mlirAttributeGetNull();
  MlirValue pointers, mask, other = {NULL};
  if (!mlirValueIsNull(ttLoadOpGetMask(load)))
    return tileEmitOpError(load.op, "got a mask on a block pointer, expected boundaryCheck");
  TILE_TRY(begin(&a, c, load.op, p, check));
  address(&a, check, &pointers, &mask);
  if (!mlirValueIsNull(mask))
    TILE_TRY(paddingOf(&a, load, &other));
  TTLoadOp by = ttLoadOpCreate(c->builder, a.loc, p->block, pointers, mask, other, none, none,
                               ttLoadOpGetCacheAttr(load), ttLoadOpGetEvictAttr(load),
                               ttLoadOpGetCachePolicyAttr(load), ttLoadOpGetIsVolatileAttr(load));
  return ttReplace(c, load.op, by.op);
}

MlirLogicalResult ttExpandBlockStore(TTConversion *c, TTStoreOp store, const TTBlockPointer *p) {
  Access a;
  MlirAttribute check = ttStoreOpGetBoundaryCheckAttr(store);
  MlirValue pointers, mask;
  if (!mlirValueIsNull(ttStoreOpGetMask(store)))
    return tileEmitOpError(store.op, "got a mask on a block pointer, expected boundaryCheck");
  TILE_TRY(begin(&a, c, store.op, p, check));
  address(&a, check, &pointers, &mask);
  TTStoreOp by = ttStoreOpCreate(c->builder, a.loc, pointers, ttStoreOpGetValue(store), mask,
                                 mlirAttributeGetNull(), ttStoreOpGetCacheAttr(store),
                                 ttStoreOpGetEvictAttr(store), ttStoreOpGetCachePolicyAttr(store));
  return ttReplace(c, store.op, by.op);
}
