/* TmaCopies.c - buffers, barriers and loops of copies by the copy engine. */
#include "TmaCopies.h"
#include "TensorMaps.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Patterns.h"
#include "tile-c/Support/Bits.h"

enum { BARRIER_WORDS = 2, MOST_COLUMNS = 256 };

MlirType tileTmaI32(const TileTmaCopies *c) { return mlirIntegerTypeGet(c->context, 32); }

MlirValue tileTmaConstant(TileTmaCopies *c, MlirType type, int64_t value) {
  return tileCreateInteger(c->b, c->loc, type, value);
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

/* The product whose second factor a copy is, and nothing else. */
static MlirOperation productOf(TileGPUTmaAllocOp copy) {
  MlirValue factor = tileGPUTmaAllocOpGetResult(copy);
  MlirOperation user = tileValueOnlyUser(factor);
  if (tileOpKind(user) == TileOp_TileGPU_Trans) {
    factor = mlirOperationGetResult(user, 0);
    user = tileValueOnlyUser(factor);
  }
  TileGPUWgmmaOp product = tileGPUWgmmaOpCast(user);
  return !tileGPUWgmmaOpIsNull(product) && mlirValueEqual(tileGPUWgmmaOpGetB(product), factor)
             ? user
             : (MlirOperation){NULL};
}

static TileMemDesc descOf(const TileTmaCopies *c, int copy) {
  TileMemDesc desc;
  (void)tileMemDescOf(mlirValueGetType(tileGPUTmaAllocOpGetResult(c->ops[copy])), &desc);
  return desc;
}

/* The smallest of these copies' buffers, if all are made of such. */
static bool unitOf(const TileTmaCopies *c, int from, int count, TileMemDesc *out) {
  *out = descOf(c, from);
  for (int i = from + 1; i < from + count; ++i) {
    const TileMemDesc desc = descOf(c, i);
    if (desc.stride < out->stride)
      *out = desc;
  }
  bool all = true;
  for (int i = from; i < from + count; ++i) {
    const TileMemDesc desc = descOf(c, i);
    all &= tileMemDescContinues(out, &desc);
  }
  return all;
}

/* How many copies from this one on are factors of products that one instruction may do. */
static int joinedFrom(const TileTmaCopies *c, int from, TileMemDesc *out_unit) {
  MlirOperation product = productOf(c->ops[from]);
  int64_t columns = 0;
  int count = 0;
  for (; product.ptr && count < TileJoin_Most && from + count < c->count; ++count) {
    TileWarpGroupShape shape;
    if (productOf(c->ops[from + count]).ptr != product.ptr || !tileWarpGroupShapeOf(product, &shape) ||
        (columns += shape.n) > MOST_COLUMNS)
      break;
    product = tileWarpGroupJoined(product);
  }
  while (count > 1 && !unitOf(c, from, count, out_unit))
    --count;
  return count > 1 ? count : 1;
}

int tileTmaJoined(const TileTmaCopies *c) {
  TileMemDesc unit;
  for (int i = 0; i < c->count; ++i) {
    const int count = joinedFrom(c, i, &unit);
    if (count > 1)
      return count;
  }
  return 0;
}

static void makeJoined(TileTmaCopies *c, int from, int count, const TileMemDesc *unit) {
  int64_t shape[2 + TileLayout_MaxRank] = {c->numBuffers, 0};
  for (int i = from; i < from + count; ++i) {
    c->first[i] = (int)shape[1];
    shape[1] += descOf(c, i).stride / unit->stride;
  }
  for (int32_t d = 0; d < unit->rank; ++d)
    shape[2 + d] = unit->shape[d];
  MlirType element =
      tileGPUMemDescTypeGetElementType(mlirValueGetType(tileGPUTmaAllocOpGetResult(c->ops[from])));
  MlirValue ring =
      allocate(c, tileGPUMemDescTypeGet(c->context, 2 + unit->rank, shape, element,
                                        tileSharedToAttr(c->context, &unit->layout, unit->alignment)));
  for (int i = from; i < from + count; ++i)
    c->buffers[i] = ring;
}

void tileTmaMakeBuffers(TileTmaCopies *c) {
  for (int i = 0, count; i < c->count; i += count) {
    TileMemDesc unit;
    count = joinedFrom(c, i, &unit);
    if (count > 1) {
      makeJoined(c, i, count, &unit);
      continue;
    }
    const TileMemDesc desc = descOf(c, i);
    c->first[i] = -1;
    c->buffers[i] = allocate(c, tileMemDescTypeFor(tileGPUMemDescTypeGetElementType(mlirValueGetType(
                                                       tileGPUTmaAllocOpGetResult(c->ops[i]))),
                                                   &desc.layout, desc.alignment, c->numBuffers));
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

MlirOperation tileTmaArrive(TileTmaCopies *c, MlirValue barrier) {
  MlirOperation arrive = tileGPUMBarrierArriveOpCreate(c->b, c->loc, barrier).op;
  markBlocks(c, arrive);
  if (c->blocks > 1 && c->apart)
    mlirOperationSetDiscardableAttributeByName(arrive, tileStr("tile_gpu.multicast_stride"),
                                               tileI32Attr(c->context, c->apart));
  return arrive;
}

int tileTmaSharers(const TileTmaCopies *c) {
  return c->blocks < 2 ? 1 : c->apart ? c->apart + c->blocks / c->apart - 1 : c->blocks;
}

MlirValue tileTmaView(TileTmaCopies *c, MlirValue buffers, MlirType one, MlirValue index, int rotate) {
  return tileGPUIndexOpGetResult(
      tileGPUIndexOpCreate(c->b, c->loc, one, buffers, index, tileI32Attr(c->context, rotate)));
}

MlirValue tileTmaBufferOf(TileTmaCopies *c, int copy, MlirValue index, int rotate) {
  MlirType one = mlirValueGetType(tileGPUTmaAllocOpGetResult(c->ops[copy])),
           ring = mlirValueGetType(c->buffers[copy]);
  if (c->first[copy] < 0)
    return tileTmaView(c, c->buffers[copy], one, index, rotate);
  int64_t shape[2 + TileLayout_MaxRank];
  const intptr_t rank = tileGPUMemDescTypeGetNumShape(ring);
  for (intptr_t d = 1; d < rank; ++d)
    shape[d - 1] = tileGPUMemDescTypeGetShape(ring, d);
  MlirType array = tileGPUMemDescTypeGet(c->context, rank - 1, shape, tileGPUMemDescTypeGetElementType(ring),
                                         tileGPUMemDescTypeGetLayout(ring));
  return tileGPUPartOpGetResult(tileGPUPartOpCreate(c->b, c->loc, one,
                                                    tileTmaView(c, c->buffers[copy], array, index, rotate),
                                                    tileI32Attr(c->context, c->first[copy])));
}

MlirValue tileTmaBarrierOf(TileTmaCopies *c, MlirValue barriers, MlirValue index, int rotate) {
  return tileTmaView(c, barriers, barriersType(c, 0), index, rotate);
}

void tileTmaStart(TileTmaCopies *c, int copy, const MlirValue *coordinates, MlirValue index, int rotate,
                  MlirValue barrier, MlirValue predicate) {
  TileGPUTmaAllocOp op = c->ops[copy];
  TileGPUTmaCopyOp started =
      tileGPUTmaCopyOpCreate(c->b, c->loc, tileGPUTmaAllocOpGetNumCoordinates(op), coordinates,
                             tileTmaBufferOf(c, copy, index, rotate), barrier, predicate,
                             tileGPUTmaAllocOpGetMapAttr(op), tileGPUTmaAllocOpGetApartAttr(op));
  if (c->blocks > 1)
    tileTmaShareLike(op.op, started.op);
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

int tileTmaStages(MlirOperation loop, const TileModuleTarget *target) {
  return (int)tileMost(tileGetIntAttr(loop, "tile.num_stages", target->numStages), 2);
}
