/* Values.c - from tile values to registers, and from tile types to LLVM types. */
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPULayout.h"

TileRegisters tileNewRegisters(TileLowering *l, intptr_t count) {
  return (TileRegisters){count, tileArenaAlloc(l->arena, (size_t)count, sizeof(MlirValue))};
}

/* What a value is bound to, and of how many parts it is one. */
typedef struct Bound {
  TileRegisters registers;
  int parts;
} Bound;

void tileBind(TileLowering *l, MlirValue v, TileRegisters registers) {
  Bound *stored = tileArenaAlloc(l->arena, 1, sizeof *stored);
  *stored = (Bound){registers, l->parts};
  tilePointerMapSet(&l->values, v.ptr, stored);
}

TileRegisters tileRegistersOf(TileLowering *l, MlirValue v) {
  Bound *stored = tilePointerMapFind(&l->values, v.ptr);
  if (!stored)
    return (TileRegisters){0, NULL};
  TileRegisters all = stored->registers;
  if (!l->parts || stored->parts || all.count == 1)
    return all;
  const intptr_t count = all.count / l->parts;
  return (TileRegisters){count, all.values + l->part * count};
}

MlirLogicalResult tileRequireLayout(MlirOperation op, MlirValue tensor, TileLayout *out) {
  if (tileLayoutOfType(mlirValueGetType(tensor), out))
    return tileSuccess();
  return tileEmitOpError(
      op,
      "got a tensor without a #tile_gpu.layout encoding that fits its shape, expected one on every tensor "
      "(run tile-gpu-assign-layouts before)");
}

MlirLogicalResult tileRegisterCount(TileLowering *l, MlirOperation op, MlirType type, intptr_t *out_count) {
  TileLayout layout;
  *out_count = 1;
  if (!tileTypeIsTensor(type))
    return tileSuccess();
  if (!tileLayoutOfType(type, &layout))
    return tileEmitOpError(
        op, "got a tensor without a #tile_gpu.layout encoding that fits its shape, expected one on every "
            "tensor (run tile-gpu-assign-layouts before)");
  *out_count = (intptr_t)tileLayoutNumRegisters(&layout) / (l->parts ? l->parts : 1);
  return tileSuccess();
}

MlirType tileLowerElementType(TileLowering *l, MlirType type) {
  type = tileTypeGetElement(type);
  if (tilePtrTypeIsA(type)) {
    int64_t space = tilePtrTypeGetAddressSpace(type);
    return mlirLLVMPointerTypeGet(l->context, space ? (unsigned)space : 1);
  }
  if (mlirTypeIsAIndex(type))
    return mlirIntegerTypeGet(l->context, 64);
  TileElementType element = tileElementTypeOf(type);
  if (element >= TileElementType_F8E4M3FN)
    return mlirIntegerTypeGet(l->context, 8);
  return element == TileElementType_None ? (MlirType){NULL} : type;
}

MlirType tileMemoryType(TileLowering *l, MlirType element) {
  return tileTypeBits(element) == 1 ? mlirIntegerTypeGet(l->context, 8) : element;
}

unsigned tileTypeBits(MlirType t) {
  if (mlirTypeIsAInteger(t))
    return mlirIntegerTypeGetWidth(t);
  if (mlirTypeIsAF32(t))
    return 32;
  return mlirTypeIsAF16(t) || mlirTypeIsABF16(t) ? 16 : 64;
}
