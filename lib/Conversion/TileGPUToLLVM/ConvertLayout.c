/* ConvertLayout.c - tile_gpu.convert_layout that moves data between threads: by shuffles (ConvertShuffle.c), or
 * stored to shared memory in one layout and loaded in the other, in rounds where the scratch is short. */
#include "Lowering.h"
#include "tile-c/Scratch.h"

/* Accesses of one side to the scratch. */
typedef struct Side {
  const TileSharedAccess *access;
  MlirValue base, thread; ///< thread: the part of an offset that threads contribute
  MlirType memory;
  int placeBits;   ///< the bits of an offset below those of the round
  uint32_t byWarp; ///< bits of the round that depend on the warp
} Side;

static Side sideOf(TileLowering *l, const TileSharedAccess *access, MlirValue base, MlirType memory,
                   int placeBits, uint32_t byWarp) {
  return (Side){access, base, tileEmitThreadPart(l, &access->toOffset, 0), memory, placeBits, byWarp};
}

static uint32_t placeMask(const Side *s) { return (1u << s->placeBits) - 1; }

/* Element offset in the scratch of the first element of access a. */
static MlirValue accessOffset(TileLowering *l, const Side *s, uint32_t reg) {
  uint32_t constant = tileRegisterPart(&s->access->toOffset, (int)reg, 0) & placeMask(s),
           mask = tileThreadMask(&s->access->toOffset, 0);
  MlirValue thread = s->thread;
  if (mask & ~placeMask(s))
    thread = tileEmit2(l, TileOp_LLVM_And, thread, tileEmitI32(l, placeMask(s)));
  if (!constant)
    return thread;
  return tileEmit2(l, mask & constant ? TileOp_LLVM_XOr : TileOp_LLVM_Add, thread, tileEmitI32(l, constant));
}

static TileAccess accessFor(TileLowering *l, const Side *s, uint32_t a) {
  int width = 1 << s->access->vector.elementBits;
  MlirValue index = accessOffset(l, s, tileLayoutVectorRegister(&s->access->vector, a, 0));
  return (TileAccess){.pointer = tileEmitSharedElement(l, s->base, s->memory, index),
                      .element = s->memory,
                      .width = width,
                      .alignment = width * (int)tileTypeBits(s->memory) / 8};
}

/* Whether access a belongs to the round, as far as its register tells. */
static bool isInRound(const Side *s, uint32_t a, uint32_t round) {
  uint32_t reg = tileLayoutVectorRegister(&s->access->vector, a, 0);
  uint32_t of = tileRegisterPart(&s->access->toOffset, (int)reg, 0) >> s->placeBits;
  return !((of ^ round) & ~s->byWarp);
}

/* i1: this warp takes part in the round; null: every one does. */
static MlirValue takesPart(TileLowering *l, const Side *s, uint32_t round) {
  if (!s->byWarp)
    return (MlirValue){NULL};
  MlirValue own =
      tileEmit2(l, TileOp_LLVM_And, s->thread, tileEmitI32(l, (int64_t)s->byWarp << s->placeBits));
  return tileEmitICmp(l, LLVMICmpPredicate_eq, own,
                      tileEmitI32(l, (int64_t)(round & s->byWarp) << s->placeBits));
}

static void storeRound(TileLowering *l, const Side *s, const int32_t *kept, TileRegisters in,
                       uint32_t round) {
  MlirValue words[16], predicate = takesPart(l, s, round);
  MlirBlock after = {NULL};
  if (predicate.ptr) {
    MlirBlock store = tileAppendBlock(l, 0, NULL);
    after = tileAppendBlock(l, 0, NULL);
    tileEmitCondBranch(l, predicate, store, 0, NULL, after, 0, NULL);
    tileEnterBlock(l, store);
  }
  for (uint32_t a = 0; a < 1u << s->access->vector.accessBits; ++a) {
    if (!isInRound(s, a, round))
      continue;
    TileAccess to = accessFor(l, s, a);
    for (int e = 0; e < to.width; ++e) {
      uint32_t unique = tileLayoutVectorRegister(&s->access->vector, a, (uint32_t)e), reg = 0;
      for (int bit = 0; unique >> bit; ++bit)
        reg |= (unique >> bit & 1u) << kept[bit];
      words[e] = tileToMemory(l, in.values[reg]);
    }
    tileEmitPlainStore(l, &to, words);
  }
  if (!predicate.ptr)
    return;
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

void tileEmitSharedStores(TileLowering *l, const TileSharedAccess *access, const int32_t *kept,
                          MlirValue base, TileRegisters in) {
  Side s = sideOf(l, access, base, tileMemoryType(l, mlirValueGetType(in.values[0])),
                  access->toOffset.shape[0] > 1 ? __builtin_ctz((unsigned)access->toOffset.shape[0]) : 0, 0);
  storeRound(l, &s, kept, in, 0);
}

/* One element of 16 bits, out of the word that holds it: all of the scratch was written. */
static MlirValue loadHalf(TileLowering *l, const Side *s, uint32_t a) {
  MlirType i16 = mlirIntegerTypeGet(l->context, 16), i32 = mlirIntegerTypeGet(l->context, 32);
  MlirValue index = accessOffset(l, s, tileLayoutVectorRegister(&s->access->vector, a, 0)), word;
  MlirValue at = tileEmit2(l, TileOp_LLVM_LShr, index, tileEmitI32(l, 1));
  TileAccess from = {
      .pointer = tileEmitSharedElement(l, s->base, i32, at), .element = i32, .width = 1, .alignment = 4};
  tileEmitPlainLoad(l, &from, &word);
  MlirValue shift = tileEmit2(l, TileOp_LLVM_Shl, tileEmit2(l, TileOp_LLVM_And, index, tileEmitI32(l, 1)),
                              tileEmitI32(l, 4));
  MlirValue half = tileEmit1(l, TileOp_LLVM_Trunc, i16, tileEmit2(l, TileOp_LLVM_LShr, word, shift));
  return tileEmitBitcast(l, half, s->memory);
}

/* The accesses of one round; `words` are values in memory's type. */
static void loadAccesses(TileLowering *l, const Side *s, uint32_t round, MlirValue *words) {
  MlirValue loaded[16];
  // Waves of 64 load single elements of 16 bits into whole registers, those of 32 into halves.
  bool halves = s->access->vector.elementBits == 0 && tileTypeBits(s->memory) == 16 &&
                l->hooks->loadsHalfWords && l->target->warpSize == 32;
  for (uint32_t a = 0; a < 1u << s->access->vector.accessBits; ++a) {
    if (!isInRound(s, a, round))
      continue;
    if (halves) {
      words[tileLayoutVectorRegister(&s->access->vector, a, 0)] = loadHalf(l, s, a);
      continue;
    }
    TileAccess from = accessFor(l, s, a);
    tileEmitPlainLoad(l, &from, loaded);
    for (int e = 0; e < from.width; ++e)
      words[tileLayoutVectorRegister(&s->access->vector, a, (uint32_t)e)] = loaded[e];
  }
}

/* Warps that sit the round out keep what they have. */
static void loadRound(TileLowering *l, const Side *s, uint32_t round, MlirValue *words, intptr_t n) {
  MlirValue predicate = takesPart(l, s, round);
  if (!predicate.ptr) {
    loadAccesses(l, s, round, words);
    return;
  }
  MlirType *types = tileArenaAlloc(l->arena, (size_t)n, sizeof *types);
  MlirValue *loaded = tileArenaAlloc(l->arena, (size_t)n, sizeof *loaded);
  for (intptr_t i = 0; i < n; ++i) {
    types[i] = s->memory;
    loaded[i] = words[i] = words[i].ptr ? words[i] : tileEmitZero(l, s->memory);
  }
  MlirBlock load = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, n, types);
  tileEmitCondBranch(l, predicate, load, 0, NULL, after, n, words);
  tileEnterBlock(l, load);
  loadAccesses(l, s, round, loaded);
  tileEmitBranch(l, after, n, loaded);
  tileEnterBlock(l, after);
  for (intptr_t i = 0; i < n; ++i)
    words[i] = mlirBlockGetArgument(after, i);
}

/* By 8x8 matrices: words[i] becomes register i of plan->to. */
static void loadMatrices(TileLowering *l, const TileMatrixAccess *m, MlirValue base, MlirType memory,
                         MlirValue *words) {
  int count = 1 << m->matrixBits, perWord = 32 / (int)tileTypeBits(memory);
  int64_t shape[] = {perWord};
  MlirType word = perWord == 1 ? memory : mlirVectorTypeGet(1, shape, memory);
  MlirValue loaded[4], elements[4], thread = tileEmitThreadPart(l, &m->address, 0);
  for (uint32_t i = 0; i < 1u << m->address.bits[TileLayoutDim_Register]; ++i) {
    MlirValue index = tileEmitRegisterCoordinate(l, &m->address, thread, (int)i, 0);
    l->hooks->loadMatrix(l, tileEmitSharedElement(l, base, memory, index), count, m->transposed, loaded);
    for (int k = 0; k < count; ++k) {
      tileEmitUnpack(l, tileEmitBitcast(l, loaded[k], word), perWord, elements);
      for (int e = 0; e < perWord; ++e)
        words[tileLayoutVectorRegister(&m->registers, i << m->matrixBits | (uint32_t)k, (uint32_t)e)] =
            elements[e];
    }
  }
}

/* Through shared memory; words[i] becomes register i of plan->to. */
static void emitScratch(TileLowering *l, MlirOperation op, const TileConvertPlan *plan,
                        const TileSharedAccess *store, const TileSharedAccess *load,
                        const TileMatrixAccess *matrices, TileRegisters in, MlirValue *words) {
  intptr_t n = (intptr_t)tileLayoutNumRegisters(&plan->to);
  const TileScratchPlan *scratch = &plan->scratch;
  MlirType memory = tileMemoryType(l, mlirValueGetType(in.values[0]));
  int placeBits = scratch->shared.map.bits[TileLayoutDim_Offset] - scratch->roundBits;
  tileEmitScratchBarrier(l, op);
  MlirValue base = tileEmitSharedPointer(l, tileScratchOffset(op));
  Side from = sideOf(l, store, base, memory, placeBits, scratch->storeByWarp),
       to = sideOf(l, load, base, memory, placeBits, scratch->loadByWarp);
  for (uint32_t round = 0; round < 1u << scratch->roundBits; ++round) {
    if (round)
      l->hooks->barrier(l);
    storeRound(l, &from, plan->fromKept, in, round);
    if (plan->warpLocal)
      l->hooks->warpBarrier(l);
    else
      l->hooks->barrier(l);
    if (matrices)
      loadMatrices(l, matrices, base, memory, words);
    else
      loadRound(l, &to, round, words, n);
  }
}

MlirLogicalResult tileEmitConversion(TileLowering *l, MlirOperation op, TileRegisters in,
                                     const TileConvertPlan *plan, const TileLayout *to, TileRegisters out) {
  TileSharedAccess store, load;
  TileConversion repeat;
  MlirType type = mlirValueGetType(in.values[0]);
  if (plan->byShuffles) {
    tileEmitShuffles(l, &plan->shuffle, type, in, out);
    return tileSuccess();
  }
  if (!tileSharedAccessOf(&plan->from, &plan->scratch.shared, plan->elementBits,
                          plan->scratch.storeVectorBits, &store) ||
      !tileSharedAccessOf(&plan->to, &plan->scratch.shared, plan->elementBits, plan->scratch.loadVectorBits,
                          &load) ||
      !tileLayoutConversion(&plan->to, to, &repeat) || repeat.kind > TileConversion_Register)
    return TILE_BUG(op, "the scratch plan does not fit the layouts");
  TileMatrixAccess matrices;
  bool byMatrices = plan->scratch.load != TileScratchAccess_Vector;
  if (byMatrices &&
      !tileSharedMatrixAccess(&plan->to, &plan->scratch.shared, plan->elementBits,
                              plan->scratch.load == TileScratchAccess_MatrixTransposed, 4, &matrices))
    return TILE_BUG(op, "the scratch plan has matrices that its layouts do not");
  MlirValue *words = tileArenaAlloc(l->arena, (size_t)tileLayoutNumRegisters(&plan->to), sizeof *words);
  emitScratch(l, op, plan, &store, &load, byMatrices ? &matrices : NULL, in, words);
  for (intptr_t i = 0; i < out.count; ++i)
    out.values[i] = tileFromMemory(l, words[tileConversionSourceRegister(&repeat, i)], type);
  return tileSuccess();
}
