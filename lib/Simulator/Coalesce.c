/* Coalesce.c - sectors of global accesses and bank passes of shared ones. */
#include "Coalesce.h"
#include <stdbool.h>
#include <stdlib.h>

enum { MAX_LANES = 64, MAX_WORDS = MAX_LANES * 64 };

static int compare(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/// Sorts and drops repetitions; most lists come in order.
static unsigned unique(uint64_t *values, unsigned n) {
  bool sorted = true;
  for (unsigned k = 1; k < n && sorted; ++k)
    sorted = values[k - 1] <= values[k];
  if (!sorted)
    qsort(values, n, sizeof *values, compare);
  unsigned count = 0;
  for (unsigned k = 0; k < n; ++k)
    if (!k || values[k] != values[k - 1])
      values[count++] = values[k];
  return count;
}

unsigned simCountPieces(const uint64_t *addresses, uint64_t mask, unsigned bytes, unsigned pieceBytes) {
  uint64_t pieces[MAX_WORDS];
  const unsigned shift = (unsigned)__builtin_ctz(pieceBytes);
  unsigned n = 0;
  for (; mask; mask &= mask - 1) {
    const uint64_t address = addresses[__builtin_ctzll(mask)];
    for (uint64_t at = address >> shift; at <= (address + bytes - 1) >> shift && n < MAX_WORDS; ++at)
      if (!n || pieces[n - 1] != at)
        pieces[n++] = at;
  }
  return unique(pieces, n);
}

/// Passes of lanes that go through the banks together: the busiest bank's different words.
static unsigned groupPasses(const uint64_t *offsets, uint64_t mask, unsigned bytes, unsigned banks) {
  uint64_t words[MAX_WORDS];
  unsigned load[256] = {0}, n = 0, most = 0;
  for (; mask; mask &= mask - 1) {
    const uint64_t offset = offsets[__builtin_ctzll(mask)];
    for (uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4 && n < MAX_WORDS; ++word)
      words[n++] = word;
  }
  n = unique(words, n);
  for (unsigned k = 0; k < n; ++k) {
    const unsigned bank = (unsigned)(words[k] % banks);
    if (++load[bank] > most)
      most = load[bank];
  }
  return most;
}

static uint64_t lanesFrom(unsigned first, unsigned count) {
  return (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << first;
}

/// The lanes of one group. 64 banks serve 16 bytes a lane to quads of lanes in this order (an assumption about
/// CDNA4: the ISA manual does not say, and no such GPU was at hand): quads 0, 3, 5, 6 of eight go together, and 1, 2, 4, 7.
static uint64_t groupLanes(unsigned first, unsigned group, unsigned bytes, unsigned banks) {
  if (banks == 64 && bytes == 16 && group == 16)
    return (first & 16 ? UINT64_C(0xF00F0FF0) : UINT64_C(0x0FF0F00F)) << (first & 32);
  return lanesFrom(first, group);
}

/// Every active lane has an active partner at this distance with the same address.
static bool isPaired(const uint64_t *offsets, uint64_t mask, unsigned distance) {
  for (uint64_t rest = mask; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctzll(rest), other = lane ^ distance;
    if (!(mask >> other & 1) || offsets[lane] != offsets[other])
      return false;
  }
  return true;
}

/// A unit of lanes that is cut into groups. As measured on an H200: a unit (the warp at 8 bytes a lane, each half
/// at 16) goes as two groups, unless its lanes are pairs of neighbours, or of lanes two apart, that want the
/// same; then it goes as one. Conflicts are passes beyond those that as many bytes take side by side.
static SimBankPasses unitPasses(const uint64_t *offsets, uint64_t mask, unsigned first, unsigned count,
                                unsigned group, unsigned bytes, unsigned banks) {
  const unsigned row = banks * 4, asked = (unsigned)__builtin_popcountll(mask) * bytes;
  const bool merged = group < count && (isPaired(offsets, mask, 1) || isPaired(offsets, mask, 2));
  group = merged ? count : group;
  unsigned passes = 0;
  for (unsigned lane = first; lane < first + count; lane += group)
    passes += groupPasses(offsets, mask & groupLanes(lane, group, bytes, banks), bytes, banks);
  const unsigned ideal = merged ? 1 : (asked + row - 1) / row;
  return (SimBankPasses){passes, passes > ideal ? passes - ideal : 0};
}

SimBankPasses simCountBankPasses(SimBankRule rule, const uint64_t *offsets, uint64_t mask, unsigned lanes,
                                 unsigned bytes, unsigned banks) {
  unsigned group = bytes <= 4 ? lanes : banks * 4 / bytes;
  group = group > lanes ? lanes : group ? group : 1;
  const unsigned unit = rule == SimBankRule_Nvidia && group < lanes ? 2 * group : group;
  SimBankPasses total = {0, 0};
  for (unsigned first = 0; first < lanes; first += unit) {
    const uint64_t part = mask & lanesFrom(first, unit);
    if (!part)
      continue;
    const SimBankPasses p = unitPasses(offsets, part, first, unit, group, bytes, banks);
    total.passes += p.passes;
    total.conflicts += p.conflicts;
  }
  return total;
}
