/* TmaCopies.c - buffers, barriers and loops of copies by the copy engine. */
#include "TmaCopies.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Patterns.h"

enum { BARRIER_WORDS = 2 };

MlirType tileTmaI32(const TileTmaCopies *c) { return mlirIntegerTypeGet(c->context, 32); }

MlirValue tileTmaConstant(TileTmaCopies *c, MlirType type, int64_t value) {
  return arithConstantOpGetResult(arithConstantOpCreate(c->b, c->loc, type, mlirIntegerAttrGet(type, value)));
}
MlirValue tileTmaIndex(TileTmaCopies *c, int64_t value) { return tileTmaConstant(c, tileTmaI32(c), value); }

MlirValue tileTmaBinary(TileTmaCopies *c, TileOpKind kind, MlirValue a, MlirValue b) {
  return tileCreateOp2(c->b, c->loc, kind, a, b);
}

void tileTmaBarrier(TileTmaCopies *c) {
  mlirOperationSetDiscardableAttributeByName(tileBarrierOpCreate(c->b, c->loc).op,
                                             tileStr("tile_gpu.shared_only"), mlirUnitAttrGet(c->context));
}

static void markBlocks(const TileTmaCopies *c, MlirOperation op) {
  if (c->blocks > 1)
    mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.blocks"),
                                               tileI32Attr(c->context, c->blocks));
}

void tileTmaClusterBarrier(TileTmaCopies *c) {
  MlirOperation barrier = tileBarrierOpCreate(c->b, c->loc).op;
  mlirOperationSetDiscardableAttributeByName(barrier, tileStr("tile_gpu.shared_only"),
                                             mlirUnitAttrGet(c->context));
  markBlocks(c, barrier);
}

// ---- Buffers ----

bool tileTmaIsInFront(MlirOperation front, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!front.ptr || !mlirBlockEqual(tileValueGetBlock(v), mlirOperationGetBlock(front)))
    return false;
  return !op.ptr || mlirOperationIsBeforeInBlock(op, front);
}

int64_t tileTmaBytes(MlirType buffer) {
  TileMemDesc desc;
  return tileMemDescOf(buffer, &desc) ? desc.stride : 0;
}

static MlirType barriersType(TileTmaCopies *c, int count) {
  const int64_t shape[1] = {BARRIER_WORDS};
  const int32_t order[1] = {0};
  TileSharedLayout layout;
  (void)tileSharedPlain(shape, 1, order, &layout);
  return tileMemDescTypeFor(mlirIntegerTypeGet(c->context, 64), &layout, TileShared_DefaultAlignment, count);
}

static MlirValue allocate(TileTmaCopies *c, MlirType type) {
  return tileGPUAllocOpGetResult(tileGPUAllocOpCreate(c->b, c->loc, type, (MlirValue){NULL}));
}

void tileTmaMakeBuffers(TileTmaCopies *c) {
  for (int i = 0; i < c->count; ++i) {
    MlirType type = mlirValueGetType(tileGPUTmaAllocOpGetResult(c->ops[i]));
    TileMemDesc desc;
    (void)tileMemDescOf(type, &desc);
    c->buffers[i] = allocate(c, tileMemDescTypeFor(tileGPUMemDescTypeGetElementType(type), &desc.layout,
                                                   desc.alignment, c->numBuffers));
  }
}

MlirValue tileTmaMakeBarriersFor(TileTmaCopies *c, int number, int64_t arrivals) {
  MlirValue barriers = allocate(c, barriersType(c, number));
  tileGPUMBarrierInitOpCreate(c->b, c->loc, barriers, tileI32Attr(c->context, arrivals));
  return barriers;
}

MlirValue tileTmaMakeBarriers(TileTmaCopies *c, int64_t arrivals) {
  return tileTmaMakeBarriersFor(c, c->numBuffers, arrivals);
}

void tileTmaArrive(TileTmaCopies *c, MlirValue barrier) {
  markBlocks(c, tileGPUMBarrierArriveOpCreate(c->b, c->loc, barrier).op);
}

MlirValue tileTmaView(TileTmaCopies *c, MlirValue buffers, MlirType one, MlirValue index, int rotate) {
  return tileGPUIndexOpGetResult(
      tileGPUIndexOpCreate(c->b, c->loc, one, buffers, index, tileI32Attr(c->context, rotate)));
}

MlirValue tileTmaBarrierOf(TileTmaCopies *c, MlirValue barriers, MlirValue index, int rotate) {
  return tileTmaView(c, barriers, barriersType(c, 0), index, rotate);
}

void tileTmaStart(TileTmaCopies *c, int copy, const MlirValue *coordinates, MlirValue index, int rotate,
                  MlirValue barrier, MlirValue predicate) {
  TileGPUTmaAllocOp op = c->ops[copy];
  MlirType one = mlirValueGetType(tileGPUTmaAllocOpGetResult(op));
  TileGPUTmaCopyOp started =
      tileGPUTmaCopyOpCreate(c->b, c->loc, tileGPUTmaAllocOpGetNumCoordinates(op), coordinates,
                             tileTmaView(c, c->buffers[copy], one, index, rotate), barrier, predicate,
                             tileGPUTmaAllocOpGetMapAttr(op));
  if (c->blocks > 1 && tileGetIntAttr(op.op, "tile_gpu.multicast", 1) > 1)
    mlirOperationSetDiscardableAttributeByName(started.op, tileStr("tile_gpu.multicast"),
                                               tileI32Attr(c->context, c->blocks));
}

// ---- Loops ----

SCFForOp tileTmaWidenLoopBy(TileTmaCopies *c, SCFForOp loop, intptr_t more, const MlirValue *first,
                            TileArena *arena) {
  const intptr_t n = scfForOpGetNumInitArgs(loop);
  MlirBlock old = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirType *types = tileArenaAlloc(arena, (size_t)(n + more) + 1, sizeof *types);
  MlirValue *inits = tileArenaAlloc(arena, (size_t)(n + more) + 1, sizeof *inits);
  for (intptr_t i = 0; i < n; ++i) {
    inits[i] = scfForOpGetInitArgs(loop, i);
    types[i] = mlirValueGetType(inits[i]);
  }
  for (intptr_t i = 0; i < more; ++i) {
    types[n + i] = tileTmaI32(c);
    inits[n + i] = first[i];
  }
  SCFForOp wide =
      scfForOpCreate(c->b, c->loc, n + more, types, scfForOpGetLowerBound(loop), scfForOpGetUpperBound(loop),
                     scfForOpGetStep(loop), n + more, inits, scfForOpGetUnsignedCmpAttr(loop));
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  mlirBlockAddArgument(body, mlirValueGetType(scfForOpGetLowerBound(loop)), c->loc);
  for (intptr_t i = 0; i < n + more; ++i)
    mlirBlockAddArgument(body, types[i], c->loc);
  mlirRegionAppendOwnedBlock(scfForOpGetRegion(wide), body);
  tileCopyDiscardableAttrs(loop.op, wide.op);
  for (MlirOperation op = mlirBlockGetFirstOperation(old), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(body, op);
  }
  for (intptr_t i = 0; i <= n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(old, i), mlirBlockGetArgument(body, i));
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop.op, i), mlirOperationGetResult(wide.op, i));
  return wide;
}

SCFForOp tileTmaWidenLoop(TileTmaCopies *c, SCFForOp loop, const MlirValue first[2], TileArena *arena) {
  return tileTmaWidenLoopBy(c, loop, 2, first, arena);
}

void tileTmaAdvance(TileTmaCopies *c, MlirValue index, MlirValue parity, MlirValue out[2]) {
  out[0] = tileGPUAdvanceOpGetResult(
      tileGPUAdvanceOpCreate(c->b, c->loc, tileTmaI32(c), index, tileI32Attr(c->context, c->numBuffers)));
  MlirValue wraps = arithCmpIOpGetResult(arithCmpIOpCreate(c->b, c->loc, mlirIntegerTypeGet(c->context, 1),
                                                           out[0], tileTmaIndex(c, 0),
                                                           tileI64Attr(c->context, ArithCmpIPredicate_eq)));
  MlirValue turned = tileTmaBinary(c, TileOp_Arith_XOrI, parity, tileTmaIndex(c, 1));
  out[1] = arithSelectOpGetResult(arithSelectOpCreate(c->b, c->loc, tileTmaI32(c), wraps, turned, parity));
}

void tileTmaYield(TileTmaCopies *c, SCFForOp loop, const MlirValue more[2], TileArena *arena) {
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirOperation yield = mlirBlockGetTerminator(body);
  const intptr_t n = mlirOperationGetNumOperands(yield);
  MlirValue *values = tileArenaAlloc(arena, (size_t)n + 2, sizeof *values);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetOperand(yield, i);
  values[n] = more[0];
  values[n + 1] = more[1];
  mlirRewriterBaseSetInsertionPointBefore(c->b, yield);
  scfYieldOpCreate(c->b, c->loc, n + 2, values);
  mlirRewriterBaseEraseOp(c->b, yield);
}
