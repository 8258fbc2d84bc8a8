/* PadMemory.c - padding of ops with effects: the added elements have none. */
#include "Padding.h"
#include "tile-c/Dialect/Arith.h"

static const uint32_t allDims = ~0u;

static MlirValue masked(Padding *p, MlirValue mask, MlirType type) {
  return padAnd(p, padInside(p, type, allDims), mask);
}

static MlirLogicalResult replace(Padding *p, MlirOperation old, MlirOperation by) {
  tileCopyDiscardableAttrs(old, by);
  mlirRewriterBaseReplaceOpWithOperation(p->b, old, by);
  return tileSuccess();
}

MlirLogicalResult padLoad(Padding *p, MlirOperation op) {
  TileLoadOp o = tileLoadOpCast(op);
  MlirType type = mlirValueGetType(tileLoadOpGetResult(o));
  TileLoadOp by = tileLoadOpCreate(
      p->b, p->loc, type, tileLoadOpGetPtr(o), masked(p, tileLoadOpGetMask(o), type), tileLoadOpGetOther(o),
      tileLoadOpGetCacheAttr(o), tileLoadOpGetEvictAttr(o), tileLoadOpGetIsVolatileAttr(o));
  return replace(p, op, by.op);
}

MlirLogicalResult padStore(Padding *p, MlirOperation op) {
  TileStoreOp o = tileStoreOpCast(op);
  MlirValue value = tileStoreOpGetValue(o);
  TileStoreOp by = tileStoreOpCreate(p->b, p->loc, tileStoreOpGetPtr(o), value,
                                     masked(p, tileStoreOpGetMask(o), mlirValueGetType(value)),
                                     tileStoreOpGetCacheAttr(o), tileStoreOpGetEvictAttr(o));
  return replace(p, op, by.op);
}

MlirLogicalResult padAtomicRMW(Padding *p, MlirOperation op) {
  TileAtomicRMWOp o = tileAtomicRMWOpCast(op);
  MlirType type = mlirValueGetType(tileAtomicRMWOpGetResult(o));
  TileAtomicRMWOp by =
      tileAtomicRMWOpCreate(p->b, p->loc, type, tileAtomicRMWOpGetPtr(o), tileAtomicRMWOpGetValue(o),
                            masked(p, tileAtomicRMWOpGetMask(o), type), tileAtomicRMWOpGetKindAttr(o),
                            tileAtomicRMWOpGetSemAttr(o), tileAtomicRMWOpGetScopeAttr(o));
  return replace(p, op, by.op);
}

/* Each added element becomes a copy of the last one that there is along each dimension. */
static MlirValue repeatLast(Padding *p, MlirValue v) {
  MlirType type = mlirValueGetType(v), i32 = mlirIntegerTypeGet(p->context, 32);
  uint32_t odd = padOddDims(type);
  for (int d = 0; d < TileLayout_MaxRank; ++d) {
    if (!(odd >> d & 1))
      continue;
    MlirValue index = padIndex(p, type, d);
    MlirType indices = mlirValueGetType(index);
    MlirValue last = padConstant(p, indices, mlirIntegerAttrGet(i32, mlirShapedTypeGetDimSize(type, d) - 1));
    index = arithMinSIOpGetResult(arithMinSIOpCreate(p->b, p->loc, indices, index, last));
    v = padGather(p, v, index, type, d);
  }
  return v;
}

/* The op has no mask: added elements swap a value against itself, where another element works anyway. */
MlirLogicalResult padAtomicCAS(Padding *p, MlirOperation op) {
  TileAtomicCASOp o = tileAtomicCASOpCast(op);
  MlirValue cmp = tileAtomicCASOpGetCmp(o), value = tileAtomicCASOpGetValue(o);
  MlirValue inside = padInside(p, mlirValueGetType(cmp), allDims);
  mlirOperationSetOperand(op, 0, repeatLast(p, tileAtomicCASOpGetPtr(o)));
  mlirOperationSetOperand(op, 2, padSelect(p, inside, value, cmp));
  return tileSuccess();
}

/* Rows outside of the tensor are not written, and -1 is outside. */
MlirLogicalResult padDescScatter(Padding *p, MlirOperation op) {
  MlirValue rows = tileDescScatterOpGetRows(tileDescScatterOpCast(op));
  MlirType type = mlirValueGetType(rows);
  MlirValue inside = padInside(p, type, allDims);
  if (inside.ptr)
    mlirOperationSetOperand(
        op, 1,
        padSelect(p, inside, rows, padConstant(p, type, mlirIntegerAttrGet(tileTypeGetElement(type), -1))));
  return tileSuccess();
}

MlirLogicalResult padAssert(Padding *p, MlirOperation op) {
  MlirValue condition = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(condition);
  MlirValue yes = padConstant(p, type, mlirIntegerAttrGet(tileTypeGetElement(type), 1));
  mlirOperationSetOperand(op, 0, padSelect(p, padInside(p, type, allDims), condition, yes));
  return tileSuccess();
}

/* What is printed is up to the lowering: it is told the sizes. */
MlirLogicalResult padPrint(Padding *p, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirAttribute *sizes = tileArenaAlloc(p->arena, (size_t)n, sizeof *sizes);
  for (intptr_t i = 0; i < n; ++i) {
    int64_t shape[TileLayout_MaxRank];
    int rank = tileTypeGetShape(padTypeOf(op, i), shape, TileLayout_MaxRank);
    sizes[i] = mlirDenseI64ArrayGet(p->context, rank, shape);
  }
  mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.sizes"),
                                             mlirArrayAttrGet(p->context, n, sizes));
  return tileSuccess();
}

// ---- Code of others, which runs for the added elements, too ----

static MlirType anyOdd(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (padIsOdd(padTypeOf(op, i)))
      return padTypeOf(op, i);
  return mlirValueGetType(mlirOperationGetResult(op, 0));
}

static MlirLogicalResult refuseEffects(MlirOperation op) {
  int64_t shape[TileLayout_MaxRank];
  MlirType type = anyOdd(op);
  int d = 0;
  tileTypeGetShape(type, shape, TileLayout_MaxRank);
  while (!(padOddDims(type) >> d & 1))
    ++d;
  return tileEmitOpError(op,
                         "may have effects and has a tensor whose dimension %d is %lld, expected a power of "
                         "two, or no effects ('pure') and no pointers",
                         d, (long long)shape[d]);
}

static bool takesPointers(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tilePtrTypeIsA(tileTypeGetElement(padTypeOf(op, i))))
      return true;
  return false;
}

MlirLogicalResult padInlineAsm(Padding *p, MlirOperation op) {
  (void)p;
  TileInlineAsmOp o = tileInlineAsmOpCast(op);
  if (!tileInlineAsmOpGetIsPure(o) || takesPointers(op))
    return refuseEffects(op);
  return padCheckPack(op, tileInlineAsmOpGetPack(o), anyOdd(op));
}

MlirLogicalResult padExtern(Padding *p, MlirOperation op) {
  (void)p;
  if (!tileExternElementwiseOpGetIsPure(tileExternElementwiseOpCast(op)) || takesPointers(op))
    return refuseEffects(op);
  return tileSuccess();
}
