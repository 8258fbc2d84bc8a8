/* Pairs.c - random layouts: the bits of all coordinates and some zeros, shuffled over registers, lanes, warps,
 * and added to each other. */
#include "Pairs.h"
#include <string.h>

int below(Random *random, int n) { /* splitmix64 */
  uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return (int)((z ^ z >> 31) % (uint64_t)n);
}

enum { MaxColumns = TileLayout_MaxBits };

/* Basis vectors of a layout in the order register, lane, warp. */
typedef struct Columns {
  int count, rank;
  int32_t at[MaxColumns][TileLayout_MaxRank];
} Columns;

static void addZeros(Columns *c, int n) {
  for (; n > 0; --n)
    memset(c->at[c->count++], 0, sizeof c->at[0]);
}

static void swap(Columns *c, int a, int b) {
  int32_t kept[TileLayout_MaxRank];
  memcpy(kept, c->at[a], sizeof kept);
  memcpy(c->at[a], c->at[b], sizeof kept);
  memcpy(c->at[b], kept, sizeof kept);
}

static void shuffle(Random *random, Columns *c, int from, int to) {
  for (int i = to - 1; i > from; --i)
    swap(c, i, from + below(random, i - from + 1));
}

/* Adds columns of [from, to) to columns of [into, to): the span of all stays. */
static void mix(Random *random, Columns *c, int from, int into, int to, int times) {
  for (; times > 0 && to - into > 0 && to - from > 1; --times) {
    int a = into + below(random, to - into), b = from + below(random, to - from);
    for (int d = 0; a != b && d < c->rank; ++d)
      c->at[a][d] ^= c->at[b][d];
  }
}

static Columns unitColumns(const int64_t *shape, int rank) {
  Columns c = {.rank = rank};
  for (int d = rank - 1; d >= 0; --d)
    for (int64_t step = 1; step < shape[d]; step *= 2) {
      memset(c.at[c.count], 0, sizeof c.at[0]);
      c.at[c.count++][d] = (int32_t)step;
    }
  return c;
}

static TileLayout layoutOf(const Columns *c, const int64_t *shape, int laneBits, int warpBits) {
  int32_t bits[TileLayoutDim_Count] = {c->count - laneBits - warpBits, laneBits, warpBits, 0};
  int32_t bases[MaxColumns * TileLayout_MaxRank];
  TileLayout layout = tileLayoutEmpty(c->rank);
  for (int i = 0; i < c->count; ++i)
    memcpy(bases + i * c->rank, c->at[i], (size_t)c->rank * sizeof *bases);
  (void)tileLayoutFromBases(c->rank, shape, bits, bases, &layout);
  return layout;
}

/* Registers, lanes and warps of `c` in any order, those of the threads last. */
static void disturb(Random *random, Columns *c, int threads) {
  addZeros(c, below(random, 4) == 0 ? 1 + below(random, 2) : 0);
  addZeros(c, c->count < threads ? threads - c->count : 0);
  shuffle(random, c, 0, c->count);
  mix(random, c, 0, 0, c->count, below(random, 2) * below(random, 8));
}

/* Another arrangement of what each warp has. */
static void disturbWarps(Random *random, Columns *c, int warpBits) {
  int inWarp = c->count - warpBits;
  shuffle(random, c, 0, inWarp);
  mix(random, c, 0, 0, inWarp, below(random, 2) * below(random, 6));
  if (below(random, 3) == 0) /* warps that hold the same in another order */
    for (int i = 0; i < warpBits; ++i)
      for (int d = 0, b = below(random, inWarp); d < c->rank; ++d)
        c->at[inWarp + i][d] ^= c->at[b][d];
}

/* A shape of about as many elements as there are threads, up to 32 times as many; returns its rank. */
static int randomShape(Random *random, int threadBits, int64_t *shape) {
  int rank = 1 + below(random, 3), size = threadBits - 2 + below(random, 8);
  shape[0] = shape[1] = shape[2] = 1;
  for (int i = 0; i < size; ++i)
    shape[below(random, rank)] *= 2;
  return rank;
}

TileLayout randomPlainLayout(Random *random, int laneBits, int warpBits) {
  int64_t shape[3];
  int rank = randomShape(random, laneBits + warpBits, shape), threads = laneBits + warpBits;
  Columns c = unitColumns(shape, rank);
  addZeros(&c, below(random, 4) == 0 ? 1 + below(random, 2) : 0);
  addZeros(&c, c.count < threads ? threads - c.count : 0);
  shuffle(random, &c, 0, c.count);
  return layoutOf(&c, shape, laneBits, warpBits);
}

LayoutPair randomPair(Random *random, int laneBits, int warpBits) {
  int64_t shape[3];
  int threads = laneBits + warpBits, rank = randomShape(random, threads, shape);
  Columns from = unitColumns(shape, rank), to;
  disturb(random, &from, threads);
  to = from;
  switch (below(random, 4)) {
  case 0:
    disturbWarps(random, &to, warpBits);
    break;
  case 1: /* registers alone */
    shuffle(random, &to, 0, to.count - threads);
    mix(random, &to, 0, 0, to.count - threads, below(random, 3));
    break;
  default:
    to = unitColumns(shape, rank);
    disturb(random, &to, threads);
  }
  return (LayoutPair){layoutOf(&from, shape, laneBits, warpBits), layoutOf(&to, shape, laneBits, warpBits)};
}
