/* ShiftedLoad.c - tile_gpu.shifted_load: elements of rows that start some elements behind their place in a buffer.
 *
 *   16 bytes at the elements' place and the 16 bytes behind, words w0 to w7; the row starts B bytes behind its place
 *   x0 to x5 = B and 8 ? w2 to w7 : w0 to w5
 *   y0 to y4 = B and 4 ? x1 to x5 : x0 to x4
 *   word i of the result = bytes B and 3 on of y(i), y(i + 1)            (prmt)
 *
 * A thread that holds those behind too reads them once. Where a layout has fewer neighbours in a thread, elements are read one by one. B depends on a row's last bits alone: it is the same for all
 * rows of a thread that are as far apart. */
#include "../TileGPUToLLVM/Buffers.h"
#include "tile-c/Dialect/TileGPU.h"

enum { WORDS = 4, WORD_BYTES = 4, MOST_APART = 16 };

typedef struct Shifted {
  TileBufferView view;
  TileLayout unique;
  TileSharedAccess access;
  TileBufferAddress address;
  MlirValue shift, rows;        ///< the part of a row's number that the thread makes
  MlirValue behind[MOST_APART]; ///< bytes, by what the register adds to the row's number
  int64_t apart, part;          ///< part: columns that lie together
  MlirValue (*words)[WORDS];    ///< of each access, read so far
} Shifted;

static MlirValue both(TileLowering *l, MlirValue x, int64_t y) {
  return tileEmit2(l, TileOp_LLVM_And, x, tileEmitI32(l, y));
}

static MlirValue hasBit(TileLowering *l, MlirValue x, int64_t bit) {
  return tileEmitICmp(l, LLVMICmpPredicate_ne, both(l, x, bit), tileEmitI32(l, 0));
}

/* How many bytes behind its place the row of a register starts. */
static MlirValue bytesBehind(TileLowering *l, Shifted *s, uint32_t reg) {
  const uint32_t part = tileRegisterPart(&s->unique, (int)reg, 0) & (uint32_t)(s->apart - 1);
  if (s->behind[part].ptr)
    return s->behind[part];
  MlirValue row = part ? tileEmit2(l, TileOp_LLVM_XOr, s->rows, tileEmitI32(l, part)) : s->rows;
  MlirValue elements = both(l, tileEmit2(l, TileOp_LLVM_Mul, row, s->shift), s->apart - 1);
  return s->behind[part] = tileEmit2(l, TileOp_LLVM_Mul, elements, tileEmitI32(l, s->view.desc.elementBytes));
}

static void loadWords(TileLowering *l, MlirValue at, MlirValue out[WORDS]) {
  const TileAccess from = {.pointer = at,
                           .element = mlirIntegerTypeGet(l->context, 32),
                           .width = WORDS,
                           .alignment = WORDS * WORD_BYTES};
  tileEmitPlainLoad(l, &from, out);
}

static uint32_t firstRegister(const Shifted *s, uint32_t access) {
  return tileLayoutVectorRegister(&s->access.vector, access, 0);
}

/* The words at the place of an access. */
static const MlirValue *wordsOf(TileLowering *l, Shifted *s, uint32_t access) {
  MlirValue *words = s->words[access];
  if (!words[0].ptr)
    loadWords(l, tileEmitBufferAddress(l, &s->address, firstRegister(s, access)), words);
  return words;
}

/* The access of this thread whose elements lie behind; -1 if there is none. */
static int64_t accessBehind(const Shifted *s, uint32_t access) {
  const uint32_t reg = firstRegister(s, access), mask = tileThreadMask(&s->unique, 1),
                 row = tileRegisterPart(&s->unique, (int)reg, 0),
                 from = tileRegisterPart(&s->unique, (int)reg, 1), to = from + (uint32_t)s->apart;
  if ((from ^ to) & mask || to / s->part != from / s->part)
    return -1;
  for (uint32_t a = 0; a < 1u << s->access.vector.accessBits; ++a)
    if (tileRegisterPart(&s->unique, (int)firstRegister(s, a), 0) == row &&
        tileRegisterPart(&s->unique, (int)firstRegister(s, a), 1) == to)
      return a;
  return -1;
}

static void loadShifted(TileLowering *l, Shifted *s, uint32_t access, MlirValue out[WORDS]) {
  MlirValue words[2 * WORDS], behind = bytesBehind(l, s, firstRegister(s, access));
  MlirType i32 = mlirIntegerTypeGet(l->context, 32);
  const int64_t next = accessBehind(s, access);
  memcpy(words, wordsOf(l, s, access), WORDS * sizeof *words);
  if (next >= 0)
    memcpy(words + WORDS, wordsOf(l, s, (uint32_t)next), WORDS * sizeof *words);
  else
    loadWords(l,
              tileEmitSharedOffset(l, tileEmitBufferAddress(l, &s->address, firstRegister(s, access)),
                                   WORDS * WORD_BYTES),
              words + WORDS);
  MlirValue two = hasBit(l, behind, 2 * WORD_BYTES), one = hasBit(l, behind, WORD_BYTES);
  for (int i = 0; i < WORDS + 2; ++i)
    words[i] = tileEmitSelect(l, two, words[i + 2], words[i]);
  for (int i = 0; i <= WORDS; ++i)
    words[i] = tileEmitSelect(l, one, words[i + 1], words[i]);
  MlirValue selector = tileEmit2(l, TileOp_LLVM_Mul, both(l, behind, WORD_BYTES - 1), tileEmitI32(l, 0x1111));
  selector = tileEmit2(l, TileOp_LLVM_Add, selector, tileEmitI32(l, 0x3210));
  for (int i = 0; i < WORDS; ++i) {
    MlirValue operands[] = {words[i], words[i + 1], selector};
    out[i] = s->view.desc.elementBytes == WORD_BYTES
                 ? words[i]
                 : tileEmitIntrinsic(l, "llvm.nvvm.prmt", i32, 3, operands);
  }
}

/* The elements of one access, in the order of memory. */
static void loadAccess(TileLowering *l, Shifted *s, uint32_t access, MlirValue *out) {
  const int32_t bytes = s->view.desc.elementBytes, perWord = WORD_BYTES / bytes;
  const int64_t length = perWord;
  MlirType word = perWord > 1 ? mlirVectorTypeGet(1, &length, s->address.memory) : s->address.memory;
  MlirValue words[WORDS];
  loadShifted(l, s, access, words);
  for (int i = 0; i < WORDS; ++i)
    tileEmitUnpack(l, tileEmitBitcast(l, words[i], word), perWord, out + (intptr_t)i * perWord);
}

static void loadElement(TileLowering *l, Shifted *s, uint32_t reg, MlirValue *out) {
  MlirValue at = tileEmitSharedElement(l, tileEmitBufferAddress(l, &s->address, reg),
                                       mlirIntegerTypeGet(l->context, 8), bytesBehind(l, s, reg));
  const TileAccess from = {
      .pointer = at, .element = s->address.memory, .width = 1, .alignment = s->view.desc.elementBytes};
  tileEmitPlainLoad(l, &from, out);
}

static MlirLogicalResult describe(TileLowering *l, TileGPUShiftedLoadOp op, TileLayout *out_layout,
                                  Shifted *s) {
  MlirValue result = tileGPUShiftedLoadOpGetResult(op);
  TileLayout unique;
  int32_t unused[TileLayout_MaxBits];
  TILE_TRY(tileRequireLayout(op.op, result, out_layout));
  *s = (Shifted){.apart = tileGPUShiftedLoadOpGetApart(op)};
  if (!tileBufferViewOf(l, tileGPUShiftedLoadOpGetSource(op), &s->view) || s->view.start)
    return TILE_BUG(op.op, "the buffer is unknown, or a part of one");
  tileLayoutDropRedundantRegisters(out_layout, &unique, unused);
  const int32_t bits = 8 * s->view.desc.elementBytes;
  if (!tileMemDescEmbed(&s->view.desc, &unique, &s->unique) ||
      !tileSharedAccessOf(&s->unique, &s->view.desc.layout, bits, 8 * WORDS * WORD_BYTES, &s->access))
    return tileEmitOpError(op.op, "got a layout that the buffer does not hold, expected all of its elements "
                                  "in each block");
  s->part = s->view.desc.layout.padInterval;
  s->words = tileArenaAlloc(l->arena, (size_t)1 << s->access.vector.accessBits, sizeof *s->words);
  s->address = tileBufferAddress(l, &s->view, &s->access.toOffset);
  s->shift = tileRegistersOf(l, tileGPUShiftedLoadOpGetShift(op)).values[0];
  TileBuilder body = l->b;
  l->b = l->prologue;
  s->rows = tileEmitThreadPart(l, &s->unique, 0);
  l->b = body;
  return tileSuccess();
}

MlirLogicalResult tileLowerShiftedLoad(TileLowering *l, MlirOperation operation) {
  TileGPUShiftedLoadOp op = tileGPUShiftedLoadOpCast(operation);
  MlirValue result = tileGPUShiftedLoadOpGetResult(op), elements[MOST_APART];
  TileConversion repeat;
  TileLayout layout, unique;
  int32_t unused[TileLayout_MaxBits];
  Shifted s;
  TILE_TRY(describe(l, op, &layout, &s));
  MlirValue *loaded = tileArenaAlloc(l->arena, (size_t)tileLayoutNumRegisters(&s.unique), sizeof *loaded);
  const int width = 1 << s.access.vector.elementBits;
  for (uint32_t a = 0; a < 1u << s.access.vector.accessBits; ++a) {
    if (width == s.apart)
      loadAccess(l, &s, a, elements);
    for (int e = 0; e < width; ++e) {
      const uint32_t reg = tileLayoutVectorRegister(&s.access.vector, a, (uint32_t)e);
      if (width == s.apart)
        loaded[reg] = elements[e];
      else
        loadElement(l, &s, reg, &loaded[reg]);
    }
  }
  tileLayoutDropRedundantRegisters(&layout, &unique, unused);
  if (!tileLayoutConversion(&unique, &layout, &repeat) || repeat.kind > TileConversion_Register)
    return TILE_BUG(operation, "registers that repeat others are not found among them");
  MlirType element = tileLowerElementType(l, mlirValueGetType(result));
  TileRegisters r = tileNewRegisters(l, (intptr_t)tileLayoutNumRegisters(&layout));
  for (intptr_t i = 0; i < r.count; ++i)
    r.values[i] = tileFromMemory(l, loaded[tileConversionSourceRegister(&repeat, i)], element);
  tileBind(l, result, r);
  return tileSuccess();
}
