/* ConvertShuffle.c - tile_gpu.convert_layout within warps: selects, lane shuffles and selects, as the algebra
 * planned them (LayoutConvert.h), narrow values packed into words. */
#include "Lowering.h"
#include "tile-c/LayoutConvert.h"

typedef struct Shuffles {
  TileLowering *l;
  const TileShufflePlan *plan;
  TileShufflePacking packing;
  MlirType type;   ///< of an element in memory: i8 for i1
  uint32_t *words; ///< register or round -> word << 8 | element
} Shuffles;

static uint32_t combine(const uint32_t *columns, uint32_t bits) {
  uint32_t sum = 0;
  for (; bits; bits &= bits - 1)
    sum ^= columns[__builtin_ctz(bits)];
  return sum;
}

/* Fills s->words for one side; element e of word w is value word(w) ^ element(e). */
static void numberWords(Shuffles *s, const uint32_t *word, int wordBits, const uint32_t *element) {
  for (uint32_t w = 0; w < 1u << wordBits; ++w)
    for (uint32_t e = 0; e < 1u << s->packing.bits; ++e)
      s->words[combine(word, w) ^ combine(element, e)] = w << 8 | e;
}

/* The values of a word in an integer; a lone value stays as it is. */
static MlirValue packWord(Shuffles *s, const MlirValue *values) {
  TileLowering *l = s->l;
  int n = 1 << s->packing.bits;
  if (n == 1)
    return values[0];
  return tileEmitBitcast(l, tileEmitPack(l, values, n),
                         mlirIntegerTypeGet(l->context, (unsigned)n * tileTypeBits(s->type)));
}

static void unpackWord(Shuffles *s, MlirValue word, MlirValue *out) {
  int64_t n[] = {1 << s->packing.bits};
  if (n[0] > 1)
    word = tileEmitBitcast(s->l, word, mlirVectorTypeGet(1, n, s->type));
  tileEmitUnpack(s->l, word, (int)n[0], out);
}

/* i1: an odd number of the masked bits of the thread's number is set. */
static MlirValue oddParity(TileLowering *l, uint32_t mask) {
  MlirValue bits = tileEmit2(l, TileOp_LLVM_And, l->tid, tileEmitI32(l, mask));
  if (mask & (mask - 1)) {
    bits = tileEmit1(l, TileOp_LLVM_CtPop, mlirValueGetType(bits), bits);
    bits = tileEmit2(l, TileOp_LLVM_And, bits, tileEmitI32(l, 1));
  }
  return tileEmitICmp(l, LLVMICmpPredicate_ne, bits, tileEmitI32(l, 0));
}

/* Exchanges words in the threads that a stage names. */
static void runStages(Shuffles *s, const TileSelectStage *stages, int n, MlirValue *words, uint32_t count) {
  TileLowering *l = s->l;
  MlirValue *old = tileArenaAlloc(l->arena, count, sizeof *old);
  int lanes = s->plan->fetch.bits[TileLayoutDim_Lane];
  for (int i = 0; i < n; ++i) {
    MlirValue odd = oddParity(l, stages[i].laneMask | stages[i].warpMask << lanes);
    uint32_t flip = s->words[stages[i].flip] >> 8;
    memcpy(old, words, count * sizeof *old);
    for (uint32_t w = 0; w < count; ++w)
      if (old[w].ptr && old[w ^ flip].ptr)
        words[w] = tileEmitSelect(l, odd, old[w ^ flip], old[w]);
  }
}

/* One word from the lane that the plan names. `thread`: the part of the lane that threads contribute, once
 * computed. */
static MlirValue fetch(Shuffles *s, MlirValue word, uint32_t round, MlirValue *thread) {
  TileLowering *l = s->l;
  uint32_t constant = tileRegisterPart(&s->plan->fetch, (int)round, 0);
  bool byWarp = false;
  for (int bit = 0; bit < s->plan->fetch.bits[TileLayoutDim_Warp]; ++bit)
    byWarp |= s->plan->fetch.bases[TileLayoutDim_Warp][bit][0] != 0;
  if (s->plan->isXor && !byWarp)
    return constant ? tileEmitShuffleXor(l, word, (int)constant) : word;
  if (!thread->ptr)
    *thread = tileEmitThreadPart(l, &s->plan->fetch, 0);
  MlirValue lane = constant ? tileEmit2(l, TileOp_LLVM_XOr, *thread, tileEmitI32(l, constant)) : *thread;
  return tileEmitShuffleIndex(l, word, lane);
}

/* Source registers as words, after the stages before. */
static MlirValue *supplyWords(Shuffles *s, TileRegisters in) {
  const TileShufflePacking *p = &s->packing;
  uint32_t count = 1u << p->sourceWordBits;
  MlirValue *words = tileArenaAlloc(s->l->arena, count, sizeof *words), values[4];
  numberWords(s, p->sourceWord, p->sourceWordBits, p->sourceElement);
  for (uint32_t w = 0; w < count; ++w) {
    for (uint32_t e = 0; e < 1u << p->bits; ++e)
      values[e] = tileToMemory(s->l, in.values[combine(p->sourceWord, w) ^ combine(p->sourceElement, e)]);
    words[w] = packWord(s, values);
  }
  runStages(s, s->plan->before, s->plan->numBefore, words, count);
  return words;
}

void tileEmitShuffles(TileLowering *l, const TileShufflePlan *plan, MlirType type, TileRegisters in,
                      TileRegisters out) {
  Shuffles s = {.l = l, .plan = plan, .type = tileMemoryType(l, type)};
  bool isPointer = !mlirTypeIsAInteger(s.type) && !mlirTypeIsAFloat(s.type);
  tileShufflePack(plan, isPointer ? 64 : (int32_t)tileTypeBits(s.type), &s.packing);
  const TileShufflePacking *p = &s.packing;
  uint32_t rounds = 1u << plan->roundBits, count = 1u << p->roundWordBits;
  s.words = tileArenaAlloc(l->arena, rounds | 1u << plan->sourceBits, 2 * sizeof *s.words);
  MlirValue *supplied = supplyWords(&s, in), thread = {NULL};
  MlirValue *words = tileArenaAlloc(l->arena, count, sizeof *words);
  MlirValue *values = tileArenaAlloc(l->arena, rounds, sizeof *values), unpacked[4];
  for (uint32_t w = 0; w < count; ++w) {
    uint32_t round = combine(p->roundWord, w), from = s.words[tileShuffleSupply(plan, round)] >> 8;
    words[w] = fetch(&s, supplied[from], round, &thread);
  }
  numberWords(&s, p->roundWord, p->roundWordBits, p->roundElement);
  runStages(&s, plan->after, plan->numAfter, words, count);
  for (uint32_t w = 0; w < count; ++w) {
    unpackWord(&s, words[w], unpacked);
    for (uint32_t e = 0; e < 1u << p->bits; ++e)
      values[combine(p->roundWord, w) ^ combine(p->roundElement, e)] = unpacked[e];
  }
  for (intptr_t r = 0; r < out.count; ++r)
    out.values[r] = tileFromMemory(l, values[tileShuffleCollect(plan, (uint32_t)r)], type);
}
