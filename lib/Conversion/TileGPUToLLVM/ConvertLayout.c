/* ConvertLayout.c - tile_gpu.convert_layout that moves data: stored to shared memory in one layout, loaded in
 * the other. */
#include "Lowering.h"
#include "tile-c/Scratch.h"

/* Element offset in the scratch of the first element of access a. */
static MlirValue accessOffset(TileLowering *l, const TileSharedAccess *access, MlirValue thread,
                              uint32_t reg) {
  uint32_t constant = tileRegisterPart(&access->toOffset, (int)reg, 0),
           mask = tileThreadMask(&access->toOffset, 0);
  if (!constant)
    return thread;
  return tileEmit2(l, mask & constant ? TileOp_LLVM_XOr : TileOp_LLVM_Add, thread, tileEmitI32(l, constant));
}

static TileAccess accessFor(TileLowering *l, const TileSharedAccess *access, MlirValue base, MlirValue thread,
                            MlirType memory, uint32_t a) {
  int width = 1 << access->vector.elementBits;
  MlirValue index = accessOffset(l, access, thread, tileLayoutVectorRegister(&access->vector, a, 0));
  return (TileAccess){.pointer = tileEmitSharedElement(l, base, memory, index),
                      .element = memory,
                      .width = width,
                      .alignment = width * (int)tileTypeBits(memory) / 8};
}

void tileEmitSharedStores(TileLowering *l, const TileSharedAccess *access, const int32_t *kept,
                          MlirValue base, TileRegisters in) {
  MlirType memory = tileMemoryType(l, mlirValueGetType(in.values[0]));
  MlirValue thread = tileEmitThreadPart(l, &access->toOffset, 0), words[16];
  for (uint32_t a = 0; a < 1u << access->vector.accessBits; ++a) {
    TileAccess to = accessFor(l, access, base, thread, memory, a);
    for (int e = 0; e < to.width; ++e) {
      uint32_t unique = tileLayoutVectorRegister(&access->vector, a, (uint32_t)e), reg = 0;
      for (int bit = 0; unique >> bit; ++bit)
        reg |= (unique >> bit & 1u) << kept[bit];
      words[e] = tileToMemory(l, in.values[reg]);
    }
    tileEmitPlainStore(l, &to, words);
  }
}

static void loadAll(TileLowering *l, const TileSharedAccess *access, MlirValue base, MlirType type,
                    MlirValue *out) {
  MlirType memory = tileMemoryType(l, type);
  MlirValue thread = tileEmitThreadPart(l, &access->toOffset, 0), words[16];
  for (uint32_t a = 0; a < 1u << access->vector.accessBits; ++a) {
    TileAccess from = accessFor(l, access, base, thread, memory, a);
    tileEmitPlainLoad(l, &from, words);
    for (int e = 0; e < from.width; ++e)
      out[tileLayoutVectorRegister(&access->vector, a, (uint32_t)e)] = tileFromMemory(l, words[e], type);
  }
}

MlirLogicalResult tileEmitConversion(TileLowering *l, MlirOperation op, TileRegisters in,
                                     const TileConvertPlan *plan, const TileLayout *to, TileRegisters out) {
  TileSharedAccess store, load;
  TileConversion repeat;
  if (plan->scratch.roundBits)
    return tileEmitOpError(op, "needs its shared memory in several rounds, which is not supported yet");
  if (!tileSharedAccessOf(&plan->from, &plan->scratch.shared, plan->elementBits,
                          plan->scratch.storeVectorBits, &store) ||
      !tileSharedAccessOf(&plan->to, &plan->scratch.shared, plan->elementBits, plan->scratch.loadVectorBits,
                          &load) ||
      !tileLayoutConversion(&plan->to, to, &repeat) || repeat.kind > TileConversion_Register)
    return TILE_BUG(op, "the scratch plan does not fit the layouts");
  MlirValue *unique = tileArenaAlloc(l->arena, (size_t)tileLayoutNumRegisters(&plan->to), sizeof *unique);
  tileEmitScratchBarrier(l, op);
  MlirValue base = tileEmitSharedPointer(l, tileScratchOffset(op));
  tileEmitSharedStores(l, &store, plan->fromKept, base, in);
  l->hooks->barrier(l);
  loadAll(l, &load, base, mlirValueGetType(in.values[0]), unique);
  for (intptr_t i = 0; i < out.count; ++i)
    out.values[i] = unique[tileConversionSourceRegister(&repeat, i)];
  return tileSuccess();
}
