/* LocalMemory.c - tile_gpu.local_load and local_store: by 8x8 matrices where the layouts admit it and it is
 * the better way, else by the widest vectors. */
#include "Buffers.h"
#include "tile-c/Dialect/TileGPU.h"

/* One tensor on one buffer. */
typedef struct Local {
  TileBufferView view;
  TileLayout layout, unique; ///< of the tensor; without repeated registers, on the whole buffer's shape
  int32_t kept[TileLayout_MaxBits]; ///< the tensor's register bit behind each register bit of `unique`
  int32_t bits;                     ///< of an element in memory
} Local;

static MlirLogicalResult describe(TileLowering *l, MlirOperation op, MlirValue tensor, MlirValue buffer,
                                  Local *out) {
  TileLayout unique;
  TILE_TRY(tileRequireLayout(op, tensor, &out->layout));
  if (!tileBufferViewOf(l, buffer, &out->view))
    return TILE_BUG(op, "the buffer is unknown");
  tileLayoutDropRedundantRegisters(&out->layout, &unique, out->kept);
  if (!tileMemDescEmbed(&out->view.desc, &unique, &out->unique))
    return TILE_BUG(op, "the buffer has another shape");
  out->bits = 8 * out->view.desc.elementBytes;
  return tileSuccess();
}

static int32_t widestBits(TileLowering *l, const Local *x) {
  int64_t most = l->target->maxVectorBits < 128 ? l->target->maxVectorBits : 128;
  return (int32_t)(tileBufferAlignedWidth(&x->view, most / x->bits) * x->bits);
}

static MlirLogicalResult accessOf(TileLowering *l, MlirOperation op, const Local *x, TileSharedAccess *out) {
  return tileSharedAccessOf(&x->unique, &x->view.desc.layout, x->bits, widestBits(l, x), out)
             ? tileSuccess()
             : tileEmitOpError(op, "got a layout that the buffer does not hold, expected all of its elements "
                                   "in each block");
}

/* How many passes over the banks the matrices save decides, or else instructions. */
static bool wantsMatrices(TileLowering *l, const Local *x, TileFeature feature, TileMatrixAccess *out) {
  const TileSharedLayout *shared = &x->view.desc.layout;
  TileSharedConflicts plain, matrices;
  if (!l->hooks->loadMatrix || !tileTargetHas(l->target, feature) || x->bits > 32 ||
      x->view.start % (128 / x->bits))
    return false;
  if (!tileSharedMatrixAccess(&x->unique, shared, x->bits, false, 4, out) &&
      !tileSharedMatrixAccess(&x->unique, shared, x->bits, true, 4, out))
    return false;
  return tileSharedConflicts(&x->unique, shared, x->bits, widestBits(l, x), (int32_t)l->target->sharedBanks,
                             &plain) &&
         tileSharedMatrixConflicts(out, shared, x->bits, &matrices) &&
         (matrices.wavefronts < plain.wavefronts ||
          (matrices.wavefronts == plain.wavefronts && matrices.accesses < plain.accesses));
}

static MlirType vectorOf(MlirType element, int width) {
  int64_t shape[] = {width};
  return width == 1 ? element : mlirVectorTypeGet(1, shape, element);
}

static void loadMatrices(TileLowering *l, const Local *x, const TileMatrixAccess *m, MlirValue *out) {
  TileBufferAddress address = tileBufferAddress(l, &x->view, &m->address);
  int count = 1 << m->matrixBits, word = 1 << m->registers.elementBits;
  MlirValue words[4], elements[4];
  for (uint32_t i = 0; i < 1u << m->address.bits[TileLayoutDim_Register]; ++i) {
    l->hooks->loadMatrix(l, tileEmitBufferAddress(l, &address, i), count, m->transposed, words);
    for (int k = 0; k < count; ++k) {
      tileEmitUnpack(l, tileEmitBitcast(l, words[k], vectorOf(address.memory, word)), word, elements);
      for (int e = 0; e < word; ++e)
        out[tileLayoutVectorRegister(&m->registers, i << m->matrixBits | (uint32_t)k, (uint32_t)e)] =
            elements[e];
    }
  }
}

static TileAccess accessAt(TileLowering *l, const TileBufferAddress *address, const TileSharedAccess *access,
                           uint32_t a) {
  int width = 1 << access->vector.elementBits;
  return (TileAccess){.pointer =
                          tileEmitBufferAddress(l, address, tileLayoutVectorRegister(&access->vector, a, 0)),
                      .element = address->memory,
                      .width = width,
                      .alignment = width * address->view.desc.elementBytes};
}

static MlirLogicalResult loadVectors(TileLowering *l, MlirOperation op, const Local *x, MlirValue *out) {
  TileSharedAccess access;
  TILE_TRY(accessOf(l, op, x, &access));
  TileBufferAddress address = tileBufferAddress(l, &x->view, &access.toOffset);
  MlirValue words[16];
  for (uint32_t a = 0; a < 1u << access.vector.accessBits; ++a) {
    TileAccess from = accessAt(l, &address, &access, a);
    tileEmitPlainLoad(l, &from, words);
    for (int e = 0; e < from.width; ++e)
      out[tileLayoutVectorRegister(&access.vector, a, (uint32_t)e)] = words[e];
  }
  return tileSuccess();
}

/* Reads that transpose, where they take fewer passes over the banks, or as many and fewer instructions. */
static bool wantsTransposed(TileLowering *l, const Local *x, TileSharedAccess *out) {
  const TileSharedLayout *shared = &x->view.desc.layout;
  int32_t banks = (int32_t)l->target->sharedBanks;
  TileSharedConflicts plain, turned;
  if (!l->hooks->loadTransposed || !tileTargetHas(l->target, TileFeature_DsReadTr) ||
      x->view.start % (64 / x->bits) ||
      !tileSharedTransposedConflicts(&x->unique, shared, x->bits, banks, &turned) ||
      !tileSharedConflicts(&x->unique, shared, x->bits, widestBits(l, x), banks, &plain))
    return false;
  return (turned.wavefronts < plain.wavefronts ||
          (turned.wavefronts == plain.wavefronts && turned.accesses < plain.accesses)) &&
         tileSharedTransposedAccess(&x->unique, shared, x->bits, out);
}

static void loadTransposed(TileLowering *l, const Local *x, const TileSharedAccess *access, MlirValue *out) {
  TileBufferAddress address = tileBufferAddress(l, &x->view, &access->toOffset);
  int width = 1 << access->vector.elementBits;
  MlirValue words[8];
  for (uint32_t a = 0; a < 1u << access->vector.accessBits; ++a) {
    MlirValue at = tileEmitBufferAddress(l, &address, tileLayoutVectorRegister(&access->vector, a, 0));
    MlirValue loaded = l->hooks->loadTransposed(l, at, x->bits);
    tileEmitUnpack(l, tileEmitBitcast(l, loaded, vectorOf(address.memory, width)), width, words);
    for (int e = 0; e < width; ++e)
      out[tileLayoutVectorRegister(&access->vector, a, (uint32_t)e)] = words[e];
  }
}

MlirLogicalResult tileLowerLocalLoad(TileLowering *l, MlirOperation op) {
  TileGPULocalLoadOp load = tileGPULocalLoadOpCast(op);
  MlirValue result = tileGPULocalLoadOpGetResult(load);
  TileMatrixAccess matrices;
  TileSharedAccess transposed;
  TileConversion repeat;
  TileLayout unique;
  int32_t unused[TileLayout_MaxBits];
  Local x;
  TILE_TRY(describe(l, op, result, tileGPULocalLoadOpGetSource(load), &x));
  MlirValue *loaded = tileArenaAlloc(l->arena, (size_t)tileLayoutNumRegisters(&x.unique), sizeof *loaded);
  if (wantsMatrices(l, &x, TileFeature_LdMatrix, &matrices))
    loadMatrices(l, &x, &matrices, loaded);
  else if (wantsTransposed(l, &x, &transposed))
    loadTransposed(l, &x, &transposed, loaded);
  else
    TILE_TRY(loadVectors(l, op, &x, loaded));
  tileLayoutDropRedundantRegisters(&x.layout, &unique, unused);
  if (!tileLayoutConversion(&unique, &x.layout, &repeat) || repeat.kind > TileConversion_Register)
    return TILE_BUG(op, "registers that repeat others are not found among them");
  MlirType element = tileLowerElementType(l, mlirValueGetType(result));
  TileRegisters r = tileNewRegisters(l, (intptr_t)tileLayoutNumRegisters(&x.layout));
  for (intptr_t i = 0; i < r.count; ++i)
    r.values[i] = tileFromMemory(l, loaded[tileConversionSourceRegister(&repeat, i)], element);
  tileBind(l, result, r);
  return tileSuccess();
}

/* The tensor's register behind one of `unique`. */
static uint32_t keptRegister(const Local *x, uint32_t unique) {
  uint32_t reg = 0;
  for (int bit = 0; unique >> bit; ++bit)
    reg |= (unique >> bit & 1u) << x->kept[bit];
  return reg;
}

/* Makes an access of bytes one of words, where the target has a way to put them together. */
static void packWords(TileLowering *l, TileAccess *to, MlirValue *elements) {
  MlirValue words[4];
  int count = to->width / 4;
  if (!l->hooks->packBytes)
    return;
  for (int i = 0; i < count; ++i)
    if (!l->hooks->packBytes(l, elements + 4 * i, &words[i]))
      return;
  memcpy(elements, words, (size_t)count * sizeof *words);
  to->element = mlirIntegerTypeGet(l->context, 32);
  to->width = count;
}

static void storeVectors(TileLowering *l, const Local *x, const TileSharedAccess *access, TileRegisters in) {
  TileBufferAddress address = tileBufferAddress(l, &x->view, &access->toOffset);
  MlirValue words[16];
  for (uint32_t a = 0; a < 1u << access->vector.accessBits; ++a) {
    TileAccess to = accessAt(l, &address, access, a);
    for (int e = 0; e < to.width; ++e) {
      uint32_t unique = tileLayoutVectorRegister(&access->vector, a, (uint32_t)e);
      words[e] = tileToMemory(l, in.values[keptRegister(x, unique)]);
    }
    if (x->bits == 8 && to.width >= 4)
      packWords(l, &to, words);
    tileEmitPlainStore(l, &to, words);
  }
}

static void storeMatrices(TileLowering *l, const Local *x, const TileMatrixAccess *m, TileRegisters in) {
  TileBufferAddress address = tileBufferAddress(l, &x->view, &m->address);
  int count = 1 << m->matrixBits, word = 1 << m->registers.elementBits;
  MlirType i32 = mlirIntegerTypeGet(l->context, 32);
  MlirValue words[4], elements[4];
  for (uint32_t i = 0; i < 1u << m->address.bits[TileLayoutDim_Register]; ++i) {
    for (int k = 0; k < count; ++k) {
      for (int e = 0; e < word; ++e)
        elements[e] = tileToMemory(
            l, in.values[keptRegister(x, tileLayoutVectorRegister(
                                             &m->registers, i << m->matrixBits | (uint32_t)k, (uint32_t)e))]);
      words[k] = tileEmitBitcast(l, tileEmitPack(l, elements, word), i32);
    }
    l->hooks->storeMatrix(l, tileEmitBufferAddress(l, &address, i), count, m->transposed, words);
  }
}

MlirLogicalResult tileEmitLocalStore(TileLowering *l, MlirOperation op, MlirValue tensor, MlirValue buffer) {
  TileSharedAccess access;
  Local x;
  TILE_TRY(describe(l, op, tensor, buffer, &x));
  TILE_TRY(accessOf(l, op, &x, &access));
  MlirValue owner = tileEmitOwnerPredicate(l, &x.layout);
  TileMatrixAccess matrices;
  if (!owner.ptr && l->hooks->storeMatrix && wantsMatrices(l, &x, TileFeature_StMatrix, &matrices)) {
    storeMatrices(l, &x, &matrices, tileRegistersOf(l, tensor));
    return tileSuccess();
  }
  if (!owner.ptr) {
    storeVectors(l, &x, &access, tileRegistersOf(l, tensor));
    return tileSuccess();
  }
  MlirBlock store = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, owner, store, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, store);
  storeVectors(l, &x, &access, tileRegistersOf(l, tensor));
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
  return tileSuccess();
}

MlirLogicalResult tileLowerLocalStore(TileLowering *l, MlirOperation op) {
  TileGPULocalStoreOp store = tileGPULocalStoreOpCast(op);
  return tileEmitLocalStore(l, op, tileGPULocalStoreOpGetValue(store), tileGPULocalStoreOpGetTarget(store));
}
