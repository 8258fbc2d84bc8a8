/* TileVerifyMemory.c - verifiers of loads, stores, atomics and descriptors. */
#include "TileVerify.h"

MlirLogicalResult tileAddPtrOpVerify(TileAddPtrOp o) {
  return tileVerifySameEncoding(o.op, typeOf(tileAddPtrOpGetPtr(o)), typeOf(tileAddPtrOpGetOffset(o)));
}

/* `allowed` is a set of bits 1 << TileCacheModifier. */
static MlirLogicalResult verifyCache(MlirOperation op, TileCacheModifier cache, unsigned allowed,
                                     const char *names) {
  if (cache == TileCacheModifier_None || allowed >> cache & 1)
    return tileSuccess();
  return tileEmitOpError(op, "got cache = %s, expected %s", tileCacheModifierStringify(cache), names);
}

static const unsigned loadCaches = 1u << TileCacheModifier_CA | 1u << TileCacheModifier_CG |
                                   1u << TileCacheModifier_CS | 1u << TileCacheModifier_CV;
static const unsigned storeCaches = 1u << TileCacheModifier_WB | 1u << TileCacheModifier_CG |
                                    1u << TileCacheModifier_CS | 1u << TileCacheModifier_WT;

MlirLogicalResult tileLoadOpVerify(TileLoadOp o) {
  if (tileLoadOpGetOther(o).ptr && !tileLoadOpGetMask(o).ptr)
    return tileEmitOpError(o.op, "got 'other' without a mask, expected both");
  return verifyCache(o.op, tileLoadOpGetCache(o), loadCaches, "ca, cg, cs or cv on a load");
}

MlirLogicalResult tileStoreOpVerify(TileStoreOp o) {
  return verifyCache(o.op, tileStoreOpGetCache(o), storeCaches, "wb, cg, cs or wt on a store");
}

// ---- atomics ----

/* What each kind of read-modify-write takes, as the text of a message. */
static const char *rmwRefusal(TileRMWKind kind, TileElementType element) {
  bool word = element == TileElementType_I32 || element == TileElementType_I64;
  bool wide = element == TileElementType_F32 || element == TileElementType_F64;
  bool half = element == TileElementType_F16 || element == TileElementType_BF16;
  switch (kind) {
  case TileRMWKind_FAdd:
    return wide || half ? NULL : word ? "a float (add is for integers)" : "f16, bf16, f32 or f64";
  case TileRMWKind_Add:
    return word ? NULL : wide || half ? "an integer (fadd is for floats)" : "i32 or i64";
  case TileRMWKind_Max:
  case TileRMWKind_Min:
    return word || wide || half ? NULL : "i32, i64, f16, bf16, f32 or f64";
  case TileRMWKind_Exch:
    return word || wide ? NULL : "i32, i64, f32 or f64";
  default:
    return word ? NULL : "i32 or i64";
  }
}

MlirLogicalResult tileAtomicRMWOpVerify(TileAtomicRMWOp o) {
  TileRMWKind kind = tileAtomicRMWOpGetKind(o);
  TileElementType element = elementKind(tileAtomicRMWOpGetValue(o));
  const char *expected = rmwRefusal(kind, element);
  if (!expected)
    return tileSuccess();
  return tileEmitOpError(o.op, "got %s of %s, expected %s", tileRMWKindStringify(kind),
                         tileElementTypeName(element), expected);
}

MlirLogicalResult tileAtomicCASOpVerify(TileAtomicCASOp o) {
  TileElementType element = elementKind(tileAtomicCASOpGetValue(o));
  if (tileElementTypeBits(element) >= 16)
    return tileSuccess();
  return tileEmitOpError(o.op, "got elements of %s, expected 16, 32 or 64 bits",
                         tileElementTypeName(element));
}

MlirLogicalResult tileAtomicPollOpVerify(TileAtomicPollOp o) {
  TileMemSemantic sem = tileAtomicPollOpGetSem(o);
  if (sem == TileMemSemantic_Relaxed || sem == TileMemSemantic_Acquire)
    return tileSuccess();
  return tileEmitOpError(o.op, "got sem = %s, expected relaxed or acquire", tileMemSemanticStringify(sem));
}

// ---- descriptors ----

static MlirLogicalResult verifyCount(MlirOperation op, const char *what, intptr_t got, MlirType desc) {
  intptr_t rank = tileDescTypeGetNumShape(desc);
  if (got == rank)
    return tileSuccess();
  return tileEmitOpError(op, "got %lld %s, expected %lld", (long long)got, what, (long long)rank);
}

MlirLogicalResult tileMakeDescOpVerify(TileMakeDescOp o) {
  MlirType desc = typeOf(tileMakeDescOpGetResult(o));
  TILE_TRY(verifyCount(o.op, "sizes in 'shape'", tileMakeDescOpGetNumShape(o), desc));
  TILE_TRY(verifyCount(o.op, "strides", tileMakeDescOpGetNumStrides(o), desc));
  TileElementType element = tileElementTypeOf(tileDescTypeGetElementType(desc));
  if (tileMakeDescOpGetPadding(o) == TilePadding_NaN && !tileElementTypeIsFloat(element))
    return tileEmitOpError(o.op, "got padding = nan for %s, expected a floating-point element",
                           tileElementTypeName(element));
  return tileSuccess();
}

/* `block` has the descriptor's element and shape, of which leading dimensions of size 1 may be missing; a piece of a block
 * (tile_gpu.piece) may be smaller. */
static MlirLogicalResult verifyBlock(MlirOperation op, MlirType desc, MlirType block) {
  int64_t dims[TileVerify_MaxRank];
  intptr_t rank = tileDescTypeGetNumShape(desc), skip = 0;
  for (intptr_t i = 0; i < rank; ++i)
    dims[i] = tileDescTypeGetShape(desc, i);
  if (mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.piece")).ptr &&
      tileRankOf(block) == rank)
    for (intptr_t i = 0; i < rank; ++i) {
      const int64_t size = mlirShapedTypeGetDimSize(block, i);
      dims[i] = size < dims[i] ? size : dims[i];
    }
  while (rank - skip > tileRankOf(block) && skip < rank - 1 && dims[skip] == 1)
    ++skip;
  TILE_TRY(tileVerifyShape(op, "a block", block, rank - skip, dims + skip));
  return tileVerifyElement(op, "a block", block, tileDescTypeGetElementType(desc));
}

MlirLogicalResult tileDescLoadOpVerify(TileDescLoadOp o) {
  MlirType desc = typeOf(tileDescLoadOpGetDesc(o));
  TILE_TRY(verifyCount(o.op, "coordinates", tileDescLoadOpGetNumCoords(o), desc));
  TILE_TRY(verifyBlock(o.op, desc, typeOf(tileDescLoadOpGetResult(o))));
  return verifyCache(o.op, tileDescLoadOpGetCache(o), loadCaches, "ca, cg, cs or cv on a load");
}

MlirLogicalResult tileDescStoreOpVerify(TileDescStoreOp o) {
  MlirType desc = typeOf(tileDescStoreOpGetDesc(o));
  TILE_TRY(verifyCount(o.op, "coordinates", tileDescStoreOpGetNumCoords(o), desc));
  return verifyBlock(o.op, desc, typeOf(tileDescStoreOpGetValue(o)));
}

/* What each kind of descriptor reduction takes, as the text of a message. */
static const char *descReduceRefusal(TileDescReduceKind kind, TileElementType element) {
  bool word = element == TileElementType_I32 || element == TileElementType_I64;
  bool real =
      element == TileElementType_F16 || element == TileElementType_BF16 || element == TileElementType_F32;
  switch (kind) {
  case TileDescReduceKind_Add:
  case TileDescReduceKind_Min:
  case TileDescReduceKind_Max:
    return word || real ? NULL : "i32, i64, f16, bf16 or f32";
  case TileDescReduceKind_Inc:
  case TileDescReduceKind_Dec:
    return element == TileElementType_I32 ? NULL : "i32";
  default:
    return word ? NULL : "i32 or i64";
  }
}

MlirLogicalResult tileDescReduceOpVerify(TileDescReduceOp o) {
  MlirType desc = typeOf(tileDescReduceOpGetDesc(o));
  TileDescReduceKind kind = tileDescReduceOpGetKind(o);
  TileElementType element = tileElementTypeOf(tileDescTypeGetElementType(desc));
  TILE_TRY(verifyCount(o.op, "coordinates", tileDescReduceOpGetNumCoords(o), desc));
  TILE_TRY(verifyBlock(o.op, desc, typeOf(tileDescReduceOpGetValue(o))));
  const char *expected = descReduceRefusal(kind, element);
  if (!expected)
    return tileSuccess();
  return tileEmitOpError(o.op, "got %s of %s, expected %s", tileDescReduceKindStringify(kind),
                         tileElementTypeName(element), expected);
}

/* Rows of a descriptor whose block is one row, listed by a 1-D tensor, make a block of rows. */
static MlirLogicalResult verifyRows(MlirOperation op, MlirType desc, MlirType rows, MlirType block) {
  if (tileDescTypeGetNumShape(desc) != 2 || tileDescTypeGetShape(desc, 0) != 1)
    return tileEmitOpError(op, "got %s, expected a block of one row, 1xN", tileTextOfType(desc).s);
  if (tileRankOf(rows) != 1)
    return tileEmitOpError(op, "got rows of shape %s, expected one dimension", tileTextOfShape(rows).s);
  int64_t dims[] = {tileDimOf(rows, 0), tileDescTypeGetShape(desc, 1)};
  TILE_TRY(tileVerifyShape(op, "a block", block, 2, dims));
  return tileVerifyElement(op, "a block", block, tileDescTypeGetElementType(desc));
}

MlirLogicalResult tileDescGatherOpVerify(TileDescGatherOp o) {
  return verifyRows(o.op, typeOf(tileDescGatherOpGetDesc(o)), typeOf(tileDescGatherOpGetRows(o)),
                    typeOf(tileDescGatherOpGetResult(o)));
}

MlirLogicalResult tileDescScatterOpVerify(TileDescScatterOp o) {
  return verifyRows(o.op, typeOf(tileDescScatterOpGetDesc(o)), typeOf(tileDescScatterOpGetRows(o)),
                    typeOf(tileDescScatterOpGetValue(o)));
}
