/* Banks.c - access of threads to shared memory: vector width and bank conflicts. */
#include "Linear.h"
#include "tile-c/LayoutShared.h"

bool tileSharedAccessOf(const TileLayout *distributed, const TileSharedLayout *shared, int32_t elementBits,
                        int32_t maxVectorBits, TileSharedAccess *out) {
  TileSharedAccess access;
  if (elementBits < 8 || elementBits > 64 || !tileIsPowerOfTwo(elementBits) ||
      !tileLayoutInvertAndCompose(distributed, &shared->map, &access.toOffset))
    return false;
  int64_t widest = maxVectorBits / elementBits;
  if (shared->padInterval) {
    // A vector crosses no padding and stays aligned after it.
    widest = widest < shared->padInterval ? widest : shared->padInterval;
    while (widest > 1 && shared->padAmount % widest != 0)
      widest /= 2;
  }
  access.vector = tileLayoutVector(&access.toOffset, TileLayoutDim_Offset, widest, false);
  *out = access;
  return true;
}

/// The lanes of a phase: log2 of their number, and the lanes that span them.
typedef struct Phase {
  int32_t bits;
  uint32_t lanes[TileLayout_MaxBits];
} Phase;

static Phase phaseOf(int32_t laneBits, int32_t vectorBytes, int32_t banks) {
  int32_t wide = vectorBytes < 4 ? 4 : vectorBytes;
  int32_t fit = banks * 4 > wide ? tileLog2((uint64_t)(banks * 4 / wide)) : 0;
  Phase phase = {fit < laneBits ? fit : laneBits, {0}};
  for (int32_t i = 0; i < phase.bits; ++i)
    phase.lanes[i] = 1u << i;
  if (banks == 64 && wide == 16 && laneBits >= 5) {
    // The parity of lane bits 2..4 is the same for all lanes of a phase.
    phase.lanes[2] = 4 | 8;
    phase.lanes[3] = 8 | 16;
  }
  return phase;
}

/// Number of the phase in which a lane takes part.
static int32_t phaseOfLane(const Phase *phase, int32_t lane) {
  if (phase->bits == 4 && phase->lanes[2] == (4 | 8))
    return (__builtin_popcount((uint32_t)lane & 28) & 1) | (lane >> 5) << 1;
  return lane >> phase->bits;
}

static uint64_t offsetOf(const TileLayout *toOffset, int64_t reg, int64_t lane) {
  int32_t at[TileLayout_MaxRank];
  tileLayoutApply(toOffset, reg, lane, 0, 0, at);
  return (uint64_t)at[TileLayoutDim_Offset];
}

/// Passes of a phase whose words are the span of `offsets` and of the words of one vector: words per bank.
static int32_t linearWays(const uint64_t *offsets, int32_t n, int32_t elementBits, int32_t vectorBytes,
                          int32_t banks) {
  TileGF2Space words = {{0}, {0}}, used = {{0}, {0}};
  for (int32_t i = 0; i < n; ++i)
    tileGF2Insert(&words, offsets[i] * (uint64_t)(elementBits / 8) / 4, 0, NULL);
  for (int32_t word = 1; word * 4 < vectorBytes; word *= 2)
    tileGF2Insert(&words, (uint64_t)word, 0, NULL);
  for (int32_t p = 0; p < 64; ++p)
    if (words.value[p])
      tileGF2Insert(&used, words.value[p] & (uint64_t)(banks - 1), 0, NULL);
  return 1 << (tileGF2Dimension(&words) - tileGF2Dimension(&used));
}

enum { MaxPhaseWords = 256 };

/// Different words a phase asks of its busiest bank, counted one by one.
static int32_t countWays(const int64_t *words, int32_t n, int32_t banks) {
  int32_t load[64] = {0}, worst = 0;
  for (int32_t i = 0; i < n; ++i) {
    bool repeated = false;
    for (int32_t j = 0; j < i && !repeated; ++j)
      repeated = words[j] == words[i];
    int32_t bank = (int32_t)(words[i] & (banks - 1));
    if (!repeated && ++load[bank] > worst)
      worst = load[bank];
  }
  return worst;
}

/// One access of a warp, phase by phase. Returns its passes and raises *ways to the worst phase's.
static int64_t simulateAccess(const TileSharedAccess *access, const TileSharedLayout *shared,
                              int32_t elementBits, int32_t vectorBytes, int32_t banks, const Phase *phase,
                              uint32_t reg, int32_t *ways) {
  int32_t lanes = (int32_t)tileLayoutNumLanes(&access->toOffset);
  int64_t passes = 0;
  for (int32_t p = 0; p < lanes >> phase->bits; ++p) {
    int64_t words[MaxPhaseWords];
    int32_t n = 0;
    for (int32_t lane = 0; lane < lanes; ++lane) {
      if (phaseOfLane(phase, lane) != p)
        continue;
      int64_t offset = tileSharedPhysicalOffset(shared, (int64_t)offsetOf(&access->toOffset, reg, lane));
      for (int32_t byte = 0; byte < vectorBytes && n < MaxPhaseWords; byte += 4)
        words[n++] = (offset * (elementBits / 8) + byte) / 4;
    }
    int32_t worst = countWays(words, n, banks);
    *ways = worst > *ways ? worst : *ways;
    passes += worst;
  }
  return passes;
}

bool tileSharedConflicts(const TileLayout *distributed, const TileSharedLayout *shared, int32_t elementBits,
                         int32_t maxVectorBits, int32_t banks, TileSharedConflicts *out) {
  TileLayout once;
  TileSharedAccess access;
  tileLayoutDropRedundantRegisters(distributed, &once, NULL);
  if ((banks != 32 && banks != 64) || distributed->bits[TileLayoutDim_Lane] > 6 || maxVectorBits > 128 ||
      !tileSharedAccessOf(&once, shared, elementBits, maxVectorBits, &access))
    return false;
  int32_t vectorBytes = elementBits / 8 << access.vector.elementBits;
  Phase phase = phaseOf(once.bits[TileLayoutDim_Lane], vectorBytes, banks);
  TileSharedConflicts result = {1 << access.vector.accessBits,
                                1 << (once.bits[TileLayoutDim_Lane] - phase.bits), 1, 0};
  if (shared->padInterval) {
    for (int32_t a = 0; a < result.accesses; ++a)
      result.wavefronts +=
          simulateAccess(&access, shared, elementBits, vectorBytes, banks, &phase,
                         tileLayoutVectorRegister(&access.vector, (uint32_t)a, 0), &result.ways);
  } else {
    uint64_t offsets[TileLayout_MaxBits];
    for (int32_t i = 0; i < phase.bits; ++i)
      offsets[i] = offsetOf(&access.toOffset, 0, phase.lanes[i]);
    // Registers, other phases and warps add a constant to all words of a phase: a permutation of the banks.
    result.ways = linearWays(offsets, phase.bits, elementBits, vectorBytes, banks);
    result.wavefronts = (int64_t)result.accesses * result.phases * result.ways;
  }
  *out = result;
  return true;
}

/// Bank passes of one matrix: rows of 16 bytes at the addresses of eight lanes.
static int32_t countMatrixWays(const TileMatrixAccess *access, const TileSharedLayout *shared,
                               int32_t elementBits, int32_t instruction, int32_t matrix) {
  int64_t words[32];
  for (int32_t row = 0; row < 8; ++row) {
    uint64_t place = offsetOf(&access->address, instruction, matrix * 8 + row);
    int64_t offset = tileSharedPhysicalOffset(shared, (int64_t)place);
    for (int32_t word = 0; word < 4; ++word)
      words[row * 4 + word] = offset * (elementBits / 8) / 4 + word;
  }
  return countWays(words, 32, 32);
}

bool tileSharedMatrixConflicts(const TileMatrixAccess *access, const TileSharedLayout *shared,
                               int32_t elementBits, TileSharedConflicts *out) {
  int32_t instructions = 1 << access->address.bits[TileLayoutDim_Register],
          matrices = 1 << access->matrixBits;
  TileSharedConflicts result = {instructions, matrices, 1, 0};
  if (elementBits < 8 || elementBits > 32)
    return false;
  if (!shared->padInterval) {
    uint64_t rows[3];
    for (int32_t i = 0; i < 3; ++i)
      rows[i] = offsetOf(&access->address, 0, 1 << i);
    result.ways = linearWays(rows, 3, elementBits, 16, 32);
    result.wavefronts = (int64_t)instructions * matrices * result.ways;
    *out = result;
    return true;
  }
  for (int32_t i = 0; i < instructions; ++i)
    for (int32_t m = 0; m < matrices; ++m) {
      int32_t ways = countMatrixWays(access, shared, elementBits, i, m);
      result.ways = ways > result.ways ? ways : result.ways;
      result.wavefronts += ways;
    }
  *out = result;
  return true;
}
