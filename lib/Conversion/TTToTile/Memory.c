/* Memory.c - pointer arithmetic, loads, stores and atomics.
 *
 *   tt.load %p, %m, %o cacheModifier = cg evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
 *     -> tile.load %p mask %m other %o cache = cg evict = last : tensor<64x!tile.ptr<f32>>
 *   tt.atomic_load acquire, gpu, %p -> tile.atomic_rmw or %p, 0; of floats through integers of their width
 *   tt.atomic_store release, gpu, %p, %v -> tile.atomic_rmw exch %p, %v, its result unused */
#include "TTToTile.h"
#include "tile-c/Dialect/Arith.h"

static const TileCacheModifier caches[] = {
    [TTCacheModifier_NONE] = TileCacheModifier_None, [TTCacheModifier_CA] = TileCacheModifier_CA,
    [TTCacheModifier_CG] = TileCacheModifier_CG,     [TTCacheModifier_WB] = TileCacheModifier_WB,
    [TTCacheModifier_CS] = TileCacheModifier_CS,     [TTCacheModifier_WT] = TileCacheModifier_WT,
    [TTCacheModifier_CV] = TileCacheModifier_CV,
};
static const TileEvictionPolicy evictions[] = {
    [TTEvictionPolicy_NORMAL] = TileEvictionPolicy_Normal,
    [TTEvictionPolicy_EVICT_FIRST] = TileEvictionPolicy_First,
    [TTEvictionPolicy_EVICT_LAST] = TileEvictionPolicy_Last,
};
static const TileMemSemantic orders[] = {
    [TTMemSemantic_RELAXED] = TileMemSemantic_Relaxed,
    [TTMemSemantic_ACQUIRE] = TileMemSemantic_Acquire,
    [TTMemSemantic_RELEASE] = TileMemSemantic_Release,
    [TTMemSemantic_ACQUIRE_RELEASE] = TileMemSemantic_AcqRel,
};
static const TileMemScope scopes[] = {
    [TTMemSyncScope_GPU] = TileMemScope_GPU,
    [TTMemSyncScope_CTA] = TileMemScope_CTA,
    [TTMemSyncScope_SYSTEM] = TileMemScope_Sys,
};
static const TileRMWKind rmwKinds[] = {
    [TTRMWOp_AND] = TileRMWKind_And,   [TTRMWOp_OR] = TileRMWKind_Or,     [TTRMWOp_XOR] = TileRMWKind_Xor,
    [TTRMWOp_ADD] = TileRMWKind_Add,   [TTRMWOp_FADD] = TileRMWKind_FAdd, [TTRMWOp_MAX] = TileRMWKind_Max,
    [TTRMWOp_MIN] = TileRMWKind_Min,   [TTRMWOp_UMAX] = TileRMWKind_UMax, [TTRMWOp_UMIN] = TileRMWKind_UMin,
    [TTRMWOp_XCHG] = TileRMWKind_Exch,
};

TTCaching ttCaching(const TTConversion *c, TTCacheModifier cache, TTEvictionPolicy evict,
                    MlirAttribute policy) {
  if (!mlirAttributeIsNull(policy)) {
    cache = ttCachePolicyAttrGetCacheModifier(policy);
    evict = ttCachePolicyAttrGetEvictionPolicy(policy);
  }
  return (TTCaching){ttI32(c, caches[cache]), ttI32(c, evictions[evict])};
}

static MlirLogicalResult convertAddPtr(TTConversion *c, MlirOperation op) {
  TTAddPtrOp a = {op};
  return ttReplace(
      c, op,
      tileAddPtrOpCreate(c->builder, ttLoc(op), ttResultType(op), ttAddPtrOpGetPtr(a), ttAddPtrOpGetOffset(a))
          .op);
}

static MlirLogicalResult convertLoad(TTConversion *c, MlirOperation op) {
  TTLoadOp l = {op};
  TTCaching caching = ttCaching(c, ttLoadOpGetCache(l), ttLoadOpGetEvict(l), ttLoadOpGetCachePolicyAttr(l));
  TileLoadOp by = tileLoadOpCreate(c->builder, ttLoc(op), ttResultType(op), ttLoadOpGetPtr(l),
                                   ttLoadOpGetMask(l), ttLoadOpGetOther(l), caching.cache, caching.evict,
                                   ttUnitIf(c, ttLoadOpGetIsVolatile(l)));
  return ttReplace(c, op, by.op);
}

static MlirLogicalResult convertStore(TTConversion *c, MlirOperation op) {
  TTStoreOp s = {op};
  TTCaching caching =
      ttCaching(c, ttStoreOpGetCache(s), ttStoreOpGetEvict(s), ttStoreOpGetCachePolicyAttr(s));
  TileStoreOp by = tileStoreOpCreate(c->builder, ttLoc(op), ttStoreOpGetPtr(s), ttStoreOpGetValue(s),
                                     ttStoreOpGetMask(s), caching.cache, caching.evict);
  return ttReplace(c, op, by.op);
}

static MlirLogicalResult convertRMW(TTConversion *c, MlirOperation op) {
  TTAtomicRMWOp a = {op};
  TileAtomicRMWOp by = tileAtomicRMWOpCreate(
      c->builder, ttLoc(op), ttResultType(op), ttAtomicRMWOpGetPtr(a), ttAtomicRMWOpGetVal(a),
      ttAtomicRMWOpGetMask(a), ttI32(c, rmwKinds[ttAtomicRMWOpGetAtomicRmwOp(a)]),
      ttI32(c, orders[ttAtomicRMWOpGetSem(a)]), ttI32(c, scopes[ttAtomicRMWOpGetScope(a)]));
  return ttReplace(c, op, by.op);
}

static MlirLogicalResult convertCAS(TTConversion *c, MlirOperation op) {
  TTAtomicCASOp a = {op};
  TileAtomicCASOp by = tileAtomicCASOpCreate(c->builder, ttLoc(op), ttResultType(op), ttAtomicCASOpGetPtr(a),
                                             ttAtomicCASOpGetCmp(a), ttAtomicCASOpGetVal(a),
                                             ttI32(c, orders[ttAtomicCASOpGetSem(a)]),
                                             ttI32(c, scopes[ttAtomicCASOpGetScope(a)]));
  return ttReplace(c, op, by.op);
}

/* The pointers of `ptr` as pointers to the integer type `to`. */
static MlirValue pointerToInt(TTConversion *c, MlirLocation loc, MlirValue ptr, MlirType to) {
  MlirType type = ttTypeOf(ptr), element = tileTypeGetElement(type);
  MlirType cast = tilePtrTypeGet(c->context, to, tilePtrTypeGetAddressSpace(element));
  return tileBitcastOpGetResult(tileBitcastOpCreate(c->builder, loc, tileTypeWithElement(type, cast), ptr));
}

static MlirLogicalResult convertAtomicLoad(TTConversion *c, MlirOperation op) {
  TTAtomicLoadOp a = {op};
  MlirLocation loc = ttLoc(op);
  MlirType type = ttResultType(op);
  unsigned bits = tileElementTypeBits(tileElementTypeOf(type));
  if (bits != 32 && bits != 64)
    return tileEmitOpError(op, "got elements of %u bits, expected 32 or 64", bits);
  MlirType integer = mlirIntegerTypeGet(c->context, bits), integers = tileTypeWithElement(type, integer);
  MlirAttribute zero = mlirIntegerAttrGet(integer, 0);
  if (tileTypeIsTensor(type))
    zero = mlirDenseElementsAttrSplatGet(integers, zero);
  bool direct = mlirTypeEqual(type, integers);
  MlirValue ptr = ttAtomicLoadOpGetPtr(a),
            none = arithConstantOpGetResult(arithConstantOpCreate(c->builder, loc, integers, zero));
  if (!direct)
    ptr = pointerToInt(c, loc, ptr, integer);
  TileAtomicRMWOp by = tileAtomicRMWOpCreate(
      c->builder, loc, integers, ptr, none, ttAtomicLoadOpGetMask(a), ttI32(c, TileRMWKind_Or),
      ttI32(c, orders[ttAtomicLoadOpGetSem(a)]), ttI32(c, scopes[ttAtomicLoadOpGetScope(a)]));
  if (direct)
    return ttReplace(c, op, by.op);
  return ttReplace(c, op, tileBitcastOpCreate(c->builder, loc, type, tileAtomicRMWOpGetResult(by)).op);
}

static MlirLogicalResult convertAtomicStore(TTConversion *c, MlirOperation op) {
  TTAtomicStoreOp a = {op};
  MlirValue value = ttAtomicStoreOpGetVal(a);
  TileAtomicRMWOp by = tileAtomicRMWOpCreate(c->builder, ttLoc(op), ttTypeOf(value), ttAtomicStoreOpGetPtr(a),
                                             value, ttAtomicStoreOpGetMask(a), ttI32(c, TileRMWKind_Exch),
                                             ttI32(c, orders[ttAtomicStoreOpGetSem(a)]),
                                             ttI32(c, scopes[ttAtomicStoreOpGetScope(a)]));
  return ttReplace(c, op, by.op);
}

static MlirLogicalResult convertPoll(TTConversion *c, MlirOperation op) {
  TTAtomicPollOp a = {op};
  if (tileTypeIsTensor(ttTypeOf(ttAtomicPollOpGetPtr(a))))
    return tileEmitOpError(op, "got a tensor of pointers, expected one pointer");
  TileAtomicPollOp by = tileAtomicPollOpCreate(
      c->builder, ttLoc(op), ttResultType(op), ttAtomicPollOpGetPtr(a), ttAtomicPollOpGetExpected(a),
      ttAtomicPollOpGetTimeout(a), ttI32(c, orders[ttAtomicPollOpGetSem(a)]),
      ttI32(c, scopes[ttAtomicPollOpGetScope(a)]), (MlirAttribute){NULL});
  return ttReplace(c, op, by.op);
}

const TTRow ttMemoryRows[] = {
    {TileOp_TT_AddPtr, convertAddPtr},
    {TileOp_TT_Load, convertLoad},
    {TileOp_TT_Store, convertStore},
    {TileOp_TT_AtomicRMW, convertRMW},
    {TileOp_TT_AtomicCAS, convertCAS},
    {TileOp_TT_AtomicLoad, convertAtomicLoad},
    {TileOp_TT_AtomicStore, convertAtomicStore},
    {TileOp_TT_AtomicPoll, convertPoll},
    {TileOp_None, NULL},
};
