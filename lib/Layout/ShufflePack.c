/* ShufflePack.c - several narrow values in one shuffled word.
 *
 * Rounds d and d ^ p that read the same lane can share a word if three things hold: the select stages exchange
 * whole words (no flip lies in the span of the packed differences), and the registers that a word of rounds
 * asks for lie in one source word, in the same order. The first is a matter of choosing p, the second of
 * choosing which round stands first in a word. */
#include "Linear.h"
#include "tile-c/LayoutConvert.h"
#include <string.h>

/// One side: packed differences, then flips and units that complete them to a basis. Sources of the space are
/// coordinates: element bits lowest, word bits from MaxElementBits on.
enum { MaxElementBits = 2 };

static void addFlips(const TileSelectStage *stages, int32_t n, TileGF2Space *space) {
  for (int32_t i = 0; i < n; ++i)
    tileGF2Insert(space, stages[i].flip, 0, NULL);
}

/// Bits of the round that can be packed, those of neighbouring source registers first.
static void chooseBits(const TileShufflePlan *plan, int32_t most, TileShufflePacking *out) {
  TileGF2Space source = {{0}, {0}}, round = {{0}, {0}};
  addFlips(plan->before, plan->numBefore, &source);
  addFlips(plan->after, plan->numAfter, &round);
  uint32_t left = plan->sameLane;
  while (left && out->bits < most) {
    int32_t best = __builtin_ctz(left);
    for (int32_t i = best; i < plan->roundBits; ++i)
      if (left >> i & 1 && plan->supply[i] < plan->supply[best])
        best = i;
    left &= ~(1u << best);
    if (tileGF2Contains(&source, plan->supply[best]) || tileGF2Contains(&round, 1u << best))
      continue;
    tileGF2Insert(&source, plan->supply[best], 0, NULL);
    tileGF2Insert(&round, 1u << best, 0, NULL);
    out->sourceElement[out->bits] = plan->supply[best];
    out->roundElement[out->bits++] = 1u << best;
  }
}

/// Completes the packed differences to a basis of all numbers of `bits` bits, flips first. Returns how many
/// vectors were added; *space tells coordinates.
static int32_t completeWords(const uint32_t *elements, int32_t numElements, const TileSelectStage *stages,
                             int32_t numStages, int32_t bits, uint32_t *words, TileGF2Space *space) {
  int32_t n = 0;
  memset(space, 0, sizeof *space);
  for (int32_t i = 0; i < numElements; ++i)
    tileGF2Insert(space, elements[i], 1ull << i, NULL);
  for (int32_t i = 0; i < numStages + bits; ++i) {
    uint32_t vector = i < numStages ? stages[i].flip : 1u << (i - numStages);
    if (tileGF2Insert(space, vector, 1ull << (MaxElementBits + n), NULL))
      words[n++] = vector;
  }
  return n;
}

/// Makes every word of rounds start with the round that is supplied by the start of a source word. False if a
/// flip stands in the way.
static bool alignRounds(const TileShufflePlan *plan, const TileGF2Space *source, TileShufflePacking *out) {
  for (int32_t i = 0; i < out->roundWordBits; ++i) {
    uint64_t at = 0;
    tileGF2Reduce(source, tileShuffleSupply(plan, out->roundWord[i]), &at);
    for (int32_t e = 0; e < out->bits; ++e) {
      if (!(at >> e & 1))
        continue;
      for (int32_t f = 0; f < plan->numAfter; ++f)
        if (plan->after[f].flip == out->roundWord[i])
          return false;
      out->roundWord[i] ^= out->roundElement[e];
    }
  }
  return true;
}

void tileShufflePack(const TileShufflePlan *plan, int32_t elementBits, TileShufflePacking *out) {
  int32_t most = elementBits < 32 ? tileLog2((uint64_t)(32 / elementBits)) : 0;
  for (most = most < MaxElementBits ? most : MaxElementBits;; --most) {
    TileGF2Space source, round;
    TileShufflePacking packing;
    memset(&packing, 0, sizeof packing);
    chooseBits(plan, most, &packing);
    packing.sourceWordBits = completeWords(packing.sourceElement, packing.bits, plan->before, plan->numBefore,
                                           plan->sourceBits, packing.sourceWord, &source);
    packing.roundWordBits = completeWords(packing.roundElement, packing.bits, plan->after, plan->numAfter,
                                          plan->roundBits, packing.roundWord, &round);
    if (!alignRounds(plan, &source, &packing) && packing.bits)
      continue;
    *out = packing;
    return;
  }
}

int64_t tileShuffleCost(const TileShufflePlan *plan, int32_t elementBits) {
  TileShufflePacking packing;
  tileShufflePack(plan, elementBits, &packing);
  int64_t parts = elementBits > 32 ? 2 : 1, values = (int64_t)1 << plan->roundBits;
  int64_t shuffles = ((plan->shuffles + (1 << packing.bits) - 1) >> packing.bits) * parts;
  int64_t selects = (((int64_t)plan->numBefore << packing.sourceWordBits) +
                     ((int64_t)plan->numAfter << packing.roundWordBits)) *
                    parts;
  return 2 * shuffles + selects + (packing.bits ? values : 0);
}
