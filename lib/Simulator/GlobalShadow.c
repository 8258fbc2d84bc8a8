/* GlobalShadow.c - happens-before for global memory, between the warps of a program and between programs.
 *
 * Programs are unordered, except where atomics order them. Two writes of the same bytes are no fault, nor is
 * a read beside a write that changes nothing: replicated data is stored so. */
#include "Shadow.h"
#include <stdatomic.h>
#include <stdlib.h>

/// Last write, last read; what the messages say of them: op << 6 | lane.
struct SimGlobalCell {
  _Atomic uint64_t words[2];
  _Atomic uint32_t places[2];
};

enum { TIME_BITS = 28, WARP_BITS = 6 };
static const uint64_t timeMask = (UINT64_C(1) << TIME_BITS) - 1;
/// Of a write: it changed the bytes. Of a read: programs before have read too.
static const uint64_t flagBit = UINT64_C(1) << TIME_BITS;
static const uint64_t atomicBit = UINT64_C(1) << (TIME_BITS + 1);

static uint64_t programOf(uint64_t word) { return word >> (TIME_BITS + 2 + WARP_BITS); }
static unsigned warpOf(uint64_t word) { return (unsigned)(word >> (TIME_BITS + 2)) & ((1 << WARP_BITS) - 1); }

bool simGlobalShadowInit(SimGlobalShadow *s, uint64_t bytes, unsigned granule) {
  s->log2Granule = (unsigned)__builtin_ctz(granule);
  s->numCells = (bytes >> s->log2Granule) + 1;
  s->cells = calloc(s->numCells, sizeof *s->cells);
  return s->cells;
}

void simGlobalShadowRelease(SimGlobalShadow *s) {
  free(s->cells);
  s->cells = NULL;
}

static uint64_t wordOf(const SimGlobalActor *who) {
  return (who->program + 1) << (TIME_BITS + 2 + WARP_BITS) | (uint64_t)who->warp << (TIME_BITS + 2) |
         (who->isAtomic ? atomicBit : 0) | ((who->time - who->start) & timeMask);
}

/// Whether the access that `word` tells of happened before what `who` does.
static bool isBefore(const SimGlobalActor *who, uint64_t word) {
  const uint64_t program = programOf(word);
  if (!program || ((word & atomicBit) && who->isAtomic))
    return true;
  if (program - 1 != who->program)
    return who->before && (who->before[(program - 1) >> 6] >> ((program - 1) & 63) & 1);
  const unsigned warp = warpOf(word);
  return warp == who->warp || (uint32_t)(word & timeMask) + who->start <= who->known[warp];
}

static uint32_t placeOf(const SimGlobalShadow *s, uint64_t index) {
  return atomic_load_explicit(&s->cells[index >> 1].places[index & 1], memory_order_relaxed);
}

static bool conflict(const SimGlobalShadow *s, SimConflict *out, SimConflictKind kind, uint64_t word,
                     uint64_t index, uint32_t place, bool several) {
  *out = (SimConflict){.kind = kind,
                       .program = programOf(word) - 1,
                       .warp = warpOf(word),
                       .lane = place & 63,
                       .op = place >> 6,
                       .offset = (index >> 1) << s->log2Granule,
                       .several = several};
  return false;
}

/// Puts `word` in place and returns what was there. On several threads one of two accesses sees the other.
static uint64_t exchange(SimGlobalShadow *s, const SimGlobalActor *who, uint64_t index, uint64_t word) {
  atomic_store_explicit(&s->cells[index >> 1].places[index & 1], who->op << 6 | who->lane,
                        memory_order_relaxed);
  if (s->isParallel)
    return atomic_exchange(&s->cells[index >> 1].words[index & 1], word);
  const uint64_t before = atomic_load_explicit(&s->cells[index >> 1].words[index & 1], memory_order_relaxed);
  atomic_store_explicit(&s->cells[index >> 1].words[index & 1], word, memory_order_relaxed);
  return before;
}

static void keepFlag(SimGlobalShadow *s, uint64_t index, bool flag) {
  if (flag)
    atomic_fetch_or_explicit(&s->cells[index >> 1].words[index & 1], flagBit, memory_order_relaxed);
}

/// The first program to read stays on record, with its latest read; a flag says that others have read too.
static void recordRead(SimGlobalShadow *s, const SimGlobalActor *who, uint64_t at, uint64_t word) {
  const uint64_t old = atomic_load_explicit(&s->cells[at].words[1], memory_order_relaxed);
  if ((old & ~flagBit) == word)
    return;
  if (programOf(old) && programOf(old) != programOf(word)) {
    if (!(old & flagBit))
      atomic_fetch_or(&s->cells[at].words[1], flagBit);
    return;
  }
  const uint64_t before = exchange(s, who, 2 * at + 1, word);
  const bool others = programOf(before) && programOf(before) != programOf(word);
  keepFlag(s, 2 * at + 1, others || (before & flagBit));
}

bool simGlobalRead(SimGlobalShadow *s, const SimGlobalActor *who, uint64_t offset, unsigned bytes,
                   SimConflict *out_conflict) {
  const uint64_t last = (offset + bytes - 1) >> s->log2Granule, mine = wordOf(who);
  for (uint64_t at = offset >> s->log2Granule; at <= last; ++at) {
    if (!who->isAtomic)
      recordRead(s, who, at, mine);
    const uint64_t write = atomic_load(&s->cells[at].words[0]);
    if ((write & flagBit) && !isBefore(who, write))
      return conflict(s, out_conflict, SimConflict_ReadAfterWrite, write, 2 * at, placeOf(s, 2 * at), false);
  }
  return true;
}

bool simGlobalWrite(SimGlobalShadow *s, const SimGlobalActor *who, uint64_t offset, unsigned bytes, bool same,
                    SimConflict *out_conflict) {
  const uint64_t last = (offset + bytes - 1) >> s->log2Granule;
  const uint64_t mine = wordOf(who) | (same ? 0 : flagBit);
  for (uint64_t at = offset >> s->log2Granule; at <= last; ++at) {
    const uint32_t place = atomic_load_explicit(&s->cells[at].places[0], memory_order_relaxed);
    const uint64_t write = exchange(s, who, 2 * at, mine), read = atomic_load(&s->cells[at].words[1]);
    keepFlag(s, 2 * at, write & flagBit);
    if (!same) {
      if (!isBefore(who, write))
        return conflict(s, out_conflict, SimConflict_WriteAfterWrite, write, 2 * at, place, false);
      const bool own = programOf(read) == programOf(mine);
      if (!isBefore(who, read) || (own && (read & flagBit) && !who->before))
        return conflict(s, out_conflict, SimConflict_WriteAfterRead, read, 2 * at + 1, placeOf(s, 2 * at + 1),
                        own && (read & flagBit));
    }
  }
  return true;
}
