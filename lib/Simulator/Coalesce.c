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

static SimBankPasses groupPasses(const uint64_t *offsets, uint64_t mask, unsigned bytes, unsigned banks) {
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
  return (SimBankPasses){most, (n + banks - 1) / banks};
}

SimBankPasses simCountBankPasses(const uint64_t *offsets, uint64_t mask, unsigned lanes, unsigned bytes,
                                 unsigned banks) {
  unsigned group = bytes <= 4 ? lanes : banks * 4 / bytes;
  SimBankPasses total = {0, 0};
  if (group > lanes)
    group = lanes;
  for (unsigned first = 0; first < lanes; first += group) {
    const uint64_t part = mask & ((group == 64 ? UINT64_MAX : (UINT64_C(1) << group) - 1) << first);
    if (!part)
      continue;
    const SimBankPasses p = groupPasses(offsets, part, bytes, banks);
    total.passes += p.passes;
    total.ideal += p.ideal;
  }
  return total;
}
