/* OwnColumns.c - what each lane holds of rows that several lanes share. */
#include "OwnColumns.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Support/Bits.h"

/* Column bits that lanes own: a run of single bits, in no other bit's way; warps own none. */
bool tileOwnColumnsOf(const TileLayout *layout, TileOwnColumns *out) {
  uint32_t lanes = 0, others = 0;
  for (int in = 0; in < TileLayoutDim_Count; ++in)
    for (int32_t bit = 0; bit < layout->bits[in]; ++bit) {
      const uint32_t column = (uint32_t)layout->bases[in][bit][1];
      if (!column)
        continue;
      if (in > TileLayoutDim_Lane || layout->bases[in][bit][0] || !tileIsPowerOfTwo(column))
        return false;
      *(in == TileLayoutDim_Lane ? &lanes : &others) |= column;
    }
  if (!lanes || lanes & others)
    return false;
  const uint32_t low = lanes & -lanes, width = lanes / low + 1;
  const int64_t columns = layout->shape[1];
  const int64_t shape[4] = {layout->shape[0], columns / ((int64_t)low * width), width, low};
  memcpy(out->shape, shape, sizeof shape);
  return tileIsPowerOfTwo(width) && tileLayoutReshape(layout, shape, 4, &out->elements) &&
         tileLayoutSlice(&out->elements, 3, &out->partial) &&
         tileLayoutSlice(&out->partial, 1, &out->partial);
}

static MlirType typeOf(MlirType element, const int64_t *shape, int rank, const TileLayout *layout) {
  return mlirRankedTensorTypeGet(rank, shape, element, tileLayoutToAttr(mlirTypeGetContext(element), layout));
}

MlirType tileOwnColumnsType(const TileOwnColumns *c, MlirType element) {
  const int64_t shape[2] = {c->shape[0], c->shape[2]};
  return typeOf(element, shape, 2, &c->partial);
}

MlirValue tileReduceAlong(TileBuilder b, MlirOperation reduce, MlirValue v, int axis, MlirType type) {
  MlirOperation clone = mlirOperationClone(reduce);
  mlirRewriterBaseInsert(b, clone);
  mlirOperationSetOperand(clone, 0, v);
  mlirOperationSetInherentAttributeByName(clone, tileStr("axis"),
                                          tileI32Attr(mlirTypeGetContext(type), axis));
  mlirValueSetType(mlirOperationGetResult(clone, 0), type);
  return mlirOperationGetResult(clone, 0);
}

MlirValue tileReduceOwn(TileBuilder b, MlirOperation reduce, MlirValue v, const TileOwnColumns *c) {
  TileLayout without;
  (void)tileLayoutSlice(&c->elements, 3, &without);
  MlirType element = tileTypeGetElement(mlirValueGetType(v));
  v = tileReshapeOpGetResult(tileReshapeOpCreate(b, mlirOperationGetLocation(reduce),
                                                 typeOf(element, c->shape, 4, &c->elements), v,
                                                 (MlirAttribute){NULL}));
  v = tileReduceAlong(b, reduce, v, 3, typeOf(element, c->shape, 3, &without));
  return tileReduceAlong(b, reduce, v, 1, tileOwnColumnsType(c, element));
}

static MlirValue reduceIntegers(TileBuilder b, MlirOperation like, MlirValue v, int axis, MlirType type,
                                TileOpKind kind) {
  MlirLocation loc = mlirOperationGetLocation(like);
  MlirType element = tileTypeGetElement(type);
  TileReduceOp reduce =
      tileReduceOpCreate(b, loc, 1, &type, 1, &v, tileI32Attr(mlirTypeGetContext(type), axis),
                         tileReduceOpGetContractAttr(tileReduceOpCast(like)));
  MlirBlock body = tileRegionAddBlock(mlirOperationGetRegion(reduce.op, 0));
  MlirValue x = mlirBlockAddArgument(body, element, loc), y = mlirBlockAddArgument(body, element, loc);
  mlirRewriterBaseSetInsertionPointToEnd(b, body);
  MlirValue both = tileCreateOp2(b, loc, kind, x, y);
  tileYieldOpCreate(b, loc, 1, &both);
  mlirRewriterBaseSetInsertionPointAfter(b, reduce.op);
  return tileReduceOpGetResults(reduce, 0);
}

/* Groups of neighbours first, of which there are more: threes of them are combined at a time. */
MlirValue tileReduceOwnIntegers(TileBuilder b, MlirOperation reduce, MlirValue v, const TileOwnColumns *c,
                                TileOpKind kind) {
  const int64_t groups[3] = {c->shape[0], c->shape[2], c->shape[3]};
  MlirType element = tileTypeGetElement(mlirValueGetType(v));
  TileLayout without;
  (void)tileLayoutSlice(&c->elements, 1, &without);
  v = tileReshapeOpGetResult(tileReshapeOpCreate(b, mlirOperationGetLocation(reduce),
                                                 typeOf(element, c->shape, 4, &c->elements), v,
                                                 (MlirAttribute){NULL}));
  v = reduceIntegers(b, reduce, v, 1, typeOf(element, groups, 3, &without), kind);
  return reduceIntegers(b, reduce, v, 2, tileOwnColumnsType(c, element), kind);
}
