/* MapElementwise.c - tile.map_elementwise: the scalar body once for each pack of consecutive elements. */
#include "Lowering.h"
#include "tile-c/Dialect/Tile.h"

MlirLogicalResult tilePacksOf(TileLowering *l, MlirOperation op, int64_t pack, TilePacks *out) {
  MlirValue first = {NULL};
  intptr_t operands = mlirOperationGetNumOperands(op), n = operands + mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < n && !first.ptr; ++i) {
    MlirValue v = i < operands ? mlirOperationGetOperand(op, i) : mlirOperationGetResult(op, i - operands);
    if (tileTypeIsTensor(mlirValueGetType(v)))
      first = v;
  }
  TileLayout layout = tileLayoutEmpty(0);
  if (first.ptr && tileFailed(tileRequireLayout(op, first, &layout)))
    return tileFailure();
  int32_t bits[TileLayout_MaxBits];
  *out = (TilePacks){.pack = (int)pack, .registers = (intptr_t)tileLayoutNumRegisters(&layout)};
  if (!tileLayoutRunBits(&layout, pack, bits))
    return tileEmitOpError(op,
                           "got a layout that spreads %lld consecutive elements over threads, expected "
                           "them in one (run tile-gpu-assign-layouts before)",
                           (long long)pack);
  out->copies = tileLayoutZeroMask(&layout, TileLayoutDim_Register);
  out->element = tileArenaAlloc(l->arena, (size_t)pack, sizeof *out->element);
  for (int64_t e = 0; e < pack; ++e)
    for (int bit = 0; pack >> bit > 1; ++bit)
      out->element[e] |= (uint32_t)(e >> bit & 1) << bits[bit];
  return tileSuccess();
}

bool tileIsFirstOfPack(const TilePacks *packs, intptr_t reg) {
  return !((uint32_t)reg & (packs->copies | packs->element[packs->pack - 1]));
}

void tileBindPacked(TileLowering *l, const TilePacks *packs, MlirValue v, TileRegisters r) {
  for (intptr_t i = 0; i < r.count; ++i)
    if ((uint32_t)i & packs->copies)
      r.values[i] = r.values[(uint32_t)i & ~packs->copies];
  tileBind(l, v, r);
}

MlirLogicalResult tileLowerMapElementwise(TileLowering *l, MlirOperation op) {
  TilePacks packs;
  if (tileFailed(tilePacksOf(l, op, tileMapElementwiseOpGetPack(tileMapElementwiseOpCast(op)), &packs)))
    return tileFailure();
  intptr_t operands = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation yield;
  TileRegisters *out = tileArenaAlloc(l->arena, (size_t)results + 1, sizeof *out);
  for (intptr_t k = 0; k < results; ++k)
    out[k] = tileNewRegisters(l, packs.registers);
  for (intptr_t reg = 0; reg < packs.registers; ++reg) {
    if (!tileIsFirstOfPack(&packs, reg))
      continue;
    for (intptr_t a = 0; a < operands * packs.pack; ++a)
      tileBindOne(l, mlirBlockGetArgument(body, a),
                  tileRegistersOf(l, mlirOperationGetOperand(op, a / packs.pack))
                      .values[reg | packs.element[a % packs.pack]]);
    if (tileFailed(tileLowerBlock(l, body, &yield)))
      return tileFailure();
    for (intptr_t y = 0; y < results * packs.pack; ++y)
      out[y / packs.pack].values[reg | packs.element[y % packs.pack]] =
          tileRegistersOf(l, mlirOperationGetOperand(yield, y)).values[0];
  }
  for (intptr_t k = 0; k < results; ++k)
    tileBindPacked(l, &packs, mlirOperationGetResult(op, k), out[k]);
  return tileSuccess();
}
