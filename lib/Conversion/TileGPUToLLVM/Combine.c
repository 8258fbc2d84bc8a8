/* Combine.c - the body of a reduce or a scan, applied to two partial results. */
#include "Combine.h"

MlirLogicalResult tileCombinerInit(TileLowering *l, MlirOperation op, TileCombiner *out) {
  *out = (TileCombiner){.l = l, .op = op, .n = mlirOperationGetNumOperands(op)};
  if (out->n > TileCombiner_MaxOperands)
    return tileEmitOpError(op, "got %ld operands, expected at most %d", (long)out->n,
                           TileCombiner_MaxOperands);
  out->body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  return tileSuccess();
}

TilePartial tileCombine(TileCombiner *c, const TilePartial *a, const TilePartial *b) {
  TilePartial result = *a;
  MlirOperation yield;
  MlirLocation loc = c->l->loc;
  if (c->failed)
    return result;
  for (intptr_t i = 0; i < c->n; ++i) {
    tileBindOne(c->l, mlirBlockGetArgument(c->body, i), a->values[i]);
    tileBindOne(c->l, mlirBlockGetArgument(c->body, c->n + i), b->values[i]);
  }
  if (tileFailed(tileLowerBlock(c->l, c->body, &yield))) {
    c->failed = true;
    return result;
  }
  c->l->loc = loc;
  for (intptr_t i = 0; i < c->n; ++i)
    result.values[i] = tileRegistersOf(c->l, mlirOperationGetOperand(yield, i)).values[0];
  return result;
}

TilePartial tilePartialOfRegister(const TileCombiner *c, int64_t reg) {
  TilePartial part = {{{NULL}}};
  for (intptr_t i = 0; i < c->n; ++i)
    part.values[i] = tileRegistersOf(c->l, mlirOperationGetOperand(c->op, i)).values[reg];
  return part;
}

TilePartial tilePartialSelect(const TileCombiner *c, MlirValue condition, const TilePartial *a,
                              const TilePartial *b) {
  TilePartial result = *a;
  for (intptr_t i = 0; i < c->n; ++i)
    if (a->values[i].ptr != b->values[i].ptr)
      result.values[i] = tileEmitSelect(c->l, condition, b->values[i], a->values[i]);
  return result;
}
