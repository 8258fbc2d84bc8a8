/* Shuffle.c - warp-local conversions as selects, lane shuffles and selects (LayoutConvert.h explains the
 * factoring).
 *
 * The conversion C maps (round, thread) to (register, lane) of the source, a round being at first a
 * destination register. One shuffle serves a round if lanes that read the same source lane want the same
 * register. While two lanes clash, the difference k of their numbers has C(k) = (some register, lane 0); then
 * the round is made to depend on the lane, r = d ^ after(l), which adds C(after(l)) to what lane l wants,
 * until no clash is left. What remains is linear in the source lane, and becomes the stages before. */
#include "Linear.h"
#include "tile-c/LayoutConvert.h"
#include <string.h>

/// C by columns, and `after` as it grows. Thread bits are those of lane, then warp, then block.
typedef struct Factoring {
  int32_t rounds, lanes, threads;
  uint64_t roundReg[TileLayout_MaxBits], roundLane[TileLayout_MaxBits];
  uint64_t threadReg[64], threadLane[64], after[64];
} Factoring;

static void readColumns(const TileLayout *map, Factoring *f) {
  memset(f, 0, sizeof *f);
  f->rounds = map->bits[TileLayoutDim_Register];
  f->lanes = map->bits[TileLayoutDim_Lane];
  for (int32_t bit = 0; bit < f->rounds; ++bit) {
    f->roundReg[bit] = (uint64_t)map->bases[TileLayoutDim_Register][bit][TileLayoutDim_Register];
    f->roundLane[bit] = (uint64_t)map->bases[TileLayoutDim_Register][bit][TileLayoutDim_Lane];
  }
  for (int32_t dim = TileLayoutDim_Lane; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < map->bits[dim]; ++bit, ++f->threads) {
      f->threadReg[f->threads] = (uint64_t)map->bases[dim][bit][TileLayoutDim_Register];
      f->threadLane[f->threads] = (uint64_t)map->bases[dim][bit][TileLayoutDim_Lane];
    }
}

/// XOR of columns[i] over the set bits of `bits`.
static uint64_t combine(const uint64_t *columns, uint64_t bits) {
  uint64_t sum = 0;
  for (; bits; bits &= bits - 1)
    sum ^= columns[__builtin_ctzll(bits)];
  return sum;
}

/// Finds lanes that clash: *difference is the register difference they want, *mask the lane bits whose parity
/// tells them apart while it is even for all harmless differences. `image` becomes the span of the source
/// lanes.
static bool findClash(const Factoring *f, TileGF2Space *image, uint64_t *difference, uint64_t *mask) {
  TileGF2Space byRegister = {{0}, {0}}, harmless = {{0}, {0}};
  memset(image, 0, sizeof *image);
  for (int32_t l = 0; l < f->lanes; ++l) {
    uint64_t k = 0, same = 0;
    if (tileGF2Insert(image, f->threadLane[l], 1ull << l, &k))
      continue;
    if (!tileGF2Insert(&byRegister, combine(f->threadReg, k), k, &same))
      tileGF2Insert(&harmless, same, 0, NULL);
  }
  uint64_t clash = 0;
  for (int32_t p = 0; p < 64 && !clash; ++p)
    clash = byRegister.value[p] ? byRegister.source[p] : 0;
  if (!clash)
    return false;
  // A basis of all lane differences that contains the harmless ones and this clash: the mask picks the
  // clash's coordinate.
  tileGF2Insert(&harmless, clash, 1, NULL);
  for (int32_t l = 0; l < f->lanes; ++l)
    tileGF2Insert(&harmless, 1ull << l, 0, NULL);
  *mask = 0;
  for (int32_t l = 0; l < f->lanes; ++l) {
    uint64_t coordinate = 0;
    tileGF2Reduce(&harmless, 1ull << l, &coordinate);
    *mask |= coordinate << l;
  }
  *difference = combine(f->threadReg, clash);
  return true;
}

/// Adds `reg` and `lane` to what the lanes with odd parity of `mask` want, and `rounds` to their choice of
/// round.
static void shift(Factoring *f, uint64_t mask, uint64_t reg, uint64_t lane, uint64_t rounds) {
  for (; mask; mask &= mask - 1) {
    int32_t l = __builtin_ctzll(mask);
    f->threadReg[l] ^= reg;
    f->threadLane[l] ^= lane;
    f->after[l] ^= rounds;
  }
}

/// The copies in the source within a warp: packed (lane, register) differences of equal elements.
static int32_t sourceCopies(const TileLayout *src, uint64_t *copies) {
  TileGF2Space image = {{0}, {0}}, kernel = {{0}, {0}};
  int32_t bits[2] = {src->bits[TileLayoutDim_Register], src->bits[TileLayoutDim_Lane]};
  for (int32_t dim = 0, position = 0; dim < 2; ++dim)
    for (int32_t bit = 0; bit < bits[dim]; ++bit, ++position) {
      uint64_t relation = 0;
      if (!tileGF2Insert(&image, tileLayoutVectorOf(src, dim, bit), 1ull << position, &relation))
        tileGF2Insert(&kernel, relation, 0, NULL);
    }
  return tileGF2Basis(&kernel, copies);
}

/// Removes one clash. False if there is no room for another round bit.
static bool resolveClash(Factoring *f, const TileLayout *src, const TileGF2Space *image, uint64_t difference,
                         uint64_t mask) {
  for (int32_t i = 0; i < f->rounds; ++i)
    if (!tileGF2Contains(image, f->roundLane[i])) {
      shift(f, mask, f->roundReg[i], f->roundLane[i], 1ull << i);
      return true;
    }
  uint64_t copies[64];
  int32_t n = sourceCopies(src, copies), registers = src->bits[TileLayoutDim_Register];
  for (int32_t i = 0; i < n; ++i)
    if (!tileGF2Contains(image, copies[i] >> registers)) {
      shift(f, mask, copies[i] & ((1ull << registers) - 1), copies[i] >> registers, 0);
      return true;
    }
  // Some rounds differ in just this register: take the other round. Else shuffle both registers.
  TileGF2Space rounds = {{0}, {0}};
  for (int32_t i = 0; i < f->rounds; ++i)
    tileGF2Insert(&rounds, f->roundReg[i] | f->roundLane[i] << 32, 1ull << i, NULL);
  uint64_t other = 0;
  if (tileGF2Reduce(&rounds, difference, &other)) {
    if (f->rounds == TileLayout_MaxBits)
      return false;
    f->roundReg[f->rounds] = difference;
    other = 1ull << f->rounds++;
  }
  shift(f, mask, difference, 0, other);
  return true;
}

/// Splits a linear map from thread bits, given by columns, into stages of one flip each.
static int32_t splitStages(const TileLayout *map, const uint64_t *columns, TileSelectStage *stages) {
  TileGF2Space flips = {{0}, {0}};
  int32_t n = 0, thread = 0;
  for (int32_t dim = TileLayoutDim_Lane; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < map->bits[dim]; ++bit, ++thread) {
      if (tileGF2Insert(&flips, columns[thread], 1ull << n, NULL))
        stages[n++].flip = (uint32_t)columns[thread];
      uint64_t used = 0;
      tileGF2Reduce(&flips, columns[thread], &used);
      for (; used; used &= used - 1) {
        TileSelectStage *stage = &stages[__builtin_ctzll(used)];
        uint32_t *mask = dim == TileLayoutDim_Lane   ? &stage->laneMask
                         : dim == TileLayoutDim_Warp ? &stage->warpMask
                                                     : &stage->blockMask;
        *mask |= 1u << bit;
      }
    }
  return n;
}

static void buildFetch(const Factoring *f, const TileLayout *map, TileShufflePlan *plan) {
  plan->fetch = tileLayoutEmpty(1);
  plan->fetch.shape[0] = map->shape[TileLayoutDim_Lane];
  memcpy(plan->fetch.bits, map->bits, sizeof map->bits);
  plan->fetch.bits[TileLayoutDim_Register] = f->rounds;
  for (int32_t i = 0; i < f->rounds; ++i)
    plan->fetch.bases[TileLayoutDim_Register][i][0] = (int32_t)f->roundLane[i];
  plan->isXor = true;
  for (int32_t dim = TileLayoutDim_Lane, thread = 0; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < map->bits[dim]; ++bit, ++thread) {
      plan->fetch.bases[dim][bit][0] = (int32_t)f->threadLane[thread];
      plan->isXor &= dim != TileLayoutDim_Lane || f->threadLane[thread] == 1ull << bit;
    }
}

/// `want` sends a source lane to the register offered there for round 0; every lane difference's wish is
/// linear in it.
static void buildStages(Factoring *f, const TileLayout *map, TileShufflePlan *plan) {
  TileGF2Space want = {{0}, {0}};
  uint64_t before[64] = {0};
  for (int32_t l = 0; l < f->lanes; ++l)
    tileGF2Insert(&want, f->threadLane[l], f->threadReg[l], NULL);
  for (int32_t thread = 0; thread < f->threads; ++thread) {
    uint64_t lane = thread < f->lanes ? 1ull << thread : f->threadLane[thread];
    tileGF2Reduce(&want, lane, &before[thread]);
    if (thread >= f->lanes)
      before[thread] ^= f->threadReg[thread];
  }
  for (int32_t i = 0; i < f->rounds; ++i) {
    uint64_t offered = 0;
    tileGF2Reduce(&want, f->roundLane[i], &offered);
    plan->supply[i] = (uint32_t)(f->roundReg[i] ^ offered);
    plan->sameLane |= f->roundLane[i] ? 0 : 1u << i;
  }
  plan->numBefore = splitStages(map, before, plan->before);
  plan->numAfter = splitStages(map, f->after, plan->after);
}

static void count(const Factoring *f, TileShufflePlan *plan) {
  int32_t rounds = 1 << f->rounds;
  TileGF2Space lanes = {{0}, {0}};
  bool othersStay = plan->isXor;
  for (int32_t i = 0; i < f->rounds; ++i)
    tileGF2Insert(&lanes, f->roundLane[i], 0, NULL);
  for (int32_t thread = f->lanes; thread < f->threads; ++thread)
    othersStay &= f->threadLane[thread] == 0;
  plan->shuffles = rounds - (othersStay ? rounds >> tileGF2Dimension(&lanes) : 0);
  plan->selects = rounds * (plan->numBefore + plan->numAfter);
}

/// Which round each register of dst is, when registers that repeat others were dropped.
static void buildCollect(const TileLayout *dst, const int32_t *kept, int32_t numKept, TileShufflePlan *plan) {
  TileGF2Space span = {{0}, {0}};
  for (int32_t i = 0; i < numKept; ++i)
    tileGF2Insert(&span, tileLayoutVectorOf(dst, TileLayoutDim_Register, kept[i]), 1ull << i, NULL);
  plan->registerBits = dst->bits[TileLayoutDim_Register];
  for (int32_t bit = 0; bit < plan->registerBits; ++bit) {
    uint64_t round = 0;
    tileGF2Reduce(&span, tileLayoutVectorOf(dst, TileLayoutDim_Register, bit), &round);
    plan->collect[bit] = (uint32_t)round;
  }
}

bool tileLayoutPlanShuffles(const TileLayout *src, const TileLayout *dst, TileShufflePlan *out) {
  TileLayout once;
  TileConversion conversion;
  int32_t kept[TileLayout_MaxBits];
  tileLayoutDropRedundantRegisters(dst, &once, kept);
  if (!tileLayoutConversion(src, &once, &conversion) || conversion.kind > TileConversion_Lane ||
      src->bits[TileLayoutDim_Register] > 30)
    return false;
  TileShufflePlan plan;
  Factoring factoring;
  TileGF2Space image;
  uint64_t difference, mask;
  memset(&plan, 0, sizeof plan);
  readColumns(&conversion.map, &factoring);
  while (findClash(&factoring, &image, &difference, &mask))
    if (!resolveClash(&factoring, src, &image, difference, mask))
      return false;
  buildFetch(&factoring, &conversion.map, &plan);
  buildStages(&factoring, &conversion.map, &plan);
  buildCollect(dst, kept, once.bits[TileLayoutDim_Register], &plan);
  plan.roundBits = factoring.rounds;
  plan.sourceBits = src->bits[TileLayoutDim_Register];
  count(&factoring, &plan);
  *out = plan;
  return true;
}

uint32_t tileShuffleSupply(const TileShufflePlan *plan, uint32_t round) {
  uint32_t reg = 0;
  for (int32_t i = 0; i < plan->roundBits; ++i)
    reg ^= (round >> i & 1) ? plan->supply[i] : 0;
  return reg;
}

uint32_t tileShuffleCollect(const TileShufflePlan *plan, uint32_t dstRegister) {
  uint32_t round = 0;
  for (int32_t i = 0; i < plan->registerBits; ++i)
    round ^= (dstRegister >> i & 1) ? plan->collect[i] : 0;
  return round;
}
