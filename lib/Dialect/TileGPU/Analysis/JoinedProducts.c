/* JoinedProducts.c - products of warp groups that one instruction does together.
 *
 *   %p = tile_gpu.part %b from 0 : !tile_gpu.memdesc<9x16x64xf16, #s> -> !tile_gpu.memdesc<128x64xf16, #s1>
 *   %q = tile_gpu.part %b from 8 : !tile_gpu.memdesc<9x16x64xf16, #s> -> !tile_gpu.memdesc<16x64xf16, #s>
 *   %d = tile_gpu.wgmma %a, %p^T, %c     128 columns
 *   %e = tile_gpu.wgmma %a, %q^T, %f     16 columns
 * are one product of 144 columns: the instruction sees rows of its second factor in groups of eight, all as far apart as in one buffer. */
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"

enum { MOST_COLUMNS = 256 };

/* Views, copies that are yet to get a buffer, and numbers. */
static bool isBeside(MlirOperation op) {
  return tileOpKind(op) == TileOp_TileGPU_TmaAlloc || (tileOpIsPure(op) && !mlirOperationGetNumRegions(op));
}

static bool canJoin(MlirOperation op, TileWarpGroupShape *out) {
  return tileOpKind(op) == TileOp_TileGPU_Wgmma && tileWarpGroupShapeOf(op, out) && out->warpsN == 1 &&
         out->instrN == out->n && !tileTypeIsTensor(mlirValueGetType(mlirOperationGetOperand(op, 0))) &&
         !tileGetIntAttr(op, "tile_gpu.turn", 0) &&
         !mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.parts")).ptr;
}

/* Whether a value is there in front of an op. */
static bool isThere(MlirValue v, MlirOperation op) {
  MlirOperation def = tileValueGetDefiningOp(v);
  return !def.ptr || mlirOperationGetBlock(def).ptr != mlirOperationGetBlock(op).ptr ||
         mlirOperationIsBeforeInBlock(def, op);
}

MlirOperation tileWarpGroupJoined(MlirOperation product) {
  const MlirOperation none = {NULL};
  TileWarpGroupShape own, other;
  MlirOperation next = mlirOperationGetNextInBlock(product);
  while (next.ptr && isBeside(next))
    next = mlirOperationGetNextInBlock(next);
  if (!next.ptr || !canJoin(product, &own) || !canJoin(next, &other))
    return none;
  TileGPUWgmmaOp p = tileGPUWgmmaOpCast(product), q = tileGPUWgmmaOpCast(next);
  return mlirValueEqual(tileGPUWgmmaOpGetA(p), tileGPUWgmmaOpGetA(q)) && own.warpsM == other.warpsM &&
                 own.m == other.m && isThere(tileGPUWgmmaOpGetC(q), product) &&
                 tileElementTypeOf(mlirValueGetType(tileGPUWgmmaOpGetC(p))) ==
                     tileElementTypeOf(mlirValueGetType(tileGPUWgmmaOpGetC(q)))
             ? next
             : none;
}

/* Which buffers of which array a second factor is. */
typedef struct Place {
  TileGPUPartOp part;
  TileGPUIndexOp of;
  bool transposed;
} Place;

static bool placeOf(MlirValue b, Place *out) {
  MlirOperation op = tileValueGetDefiningOp(b);
  *out = (Place){.transposed = op.ptr && tileOpKind(op) == TileOp_TileGPU_Trans};
  if (out->transposed)
    op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  out->part = tileGPUPartOpCast(op);
  if (tileGPUPartOpIsNull(out->part))
    return false;
  out->of = tileGPUIndexOpCast(tileValueGetDefiningOp(tileGPUPartOpGetSource(out->part)));
  return !tileGPUIndexOpIsNull(out->of);
}

/* Whether a second factor lies behind another one, in rows of the same width. */
static bool follows(MlirValue before, MlirValue after) {
  Place p, q;
  TileMemDesc one, whole;
  TileWarpGroupFactor first, second;
  TileMemDesc own, other;
  return placeOf(before, &p) && placeOf(after, &q) && p.transposed == q.transposed &&
         mlirValueEqual(tileGPUIndexOpGetSource(p.of), tileGPUIndexOpGetSource(q.of)) &&
         mlirValueEqual(tileGPUIndexOpGetIndex(p.of), tileGPUIndexOpGetIndex(q.of)) &&
         tileGPUIndexOpGetRotate(p.of) == tileGPUIndexOpGetRotate(q.of) &&
         tileMemDescOf(mlirValueGetType(tileGPUPartOpGetSource(p.part)), &one) &&
         tileMemDescOf(mlirValueGetType(tileGPUPartOpGetResult(p.part)), &whole) &&
         tileGPUPartOpGetFirst(q.part) == tileGPUPartOpGetFirst(p.part) + whole.stride / one.stride &&
         tileMemDescOf(mlirValueGetType(before), &own) && tileWarpGroupFactorOf(&own, 0, &first) &&
         tileMemDescOf(mlirValueGetType(after), &other) && tileWarpGroupFactorOf(&other, 0, &second) &&
         first.kMajor == second.kMajor && first.swizzleBytes == second.swizzleBytes;
}

int tileWarpGroupJoin(MlirOperation product, MlirOperation out[TileJoin_Most]) {
  TileWarpGroupShape shape;
  int count = 1;
  out[0] = product;
  if (!tileWarpGroupShapeOf(product, &shape))
    return 1;
  for (int64_t columns = shape.n; count < TileJoin_Most; ++count) {
    MlirOperation next = tileWarpGroupJoined(out[count - 1]);
    if (!next.ptr || !follows(mlirOperationGetOperand(out[count - 1], 1), mlirOperationGetOperand(next, 1)) ||
        !tileWarpGroupShapeOf(next, &shape) || (columns += shape.n) > MOST_COLUMNS)
      break;
    out[count] = next;
  }
  return count;
}
