/* Sync.c - places in memory through which warps and programs wait for each other.
 *
 * Each place keeps the programs that have published there, and, of the running program, the times of its
 * warps. With very many places everything counts as ordered: a race is then missed rather than invented. */
#include "Sync.h"
#include "Barriers.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 1 << 14, CAPACITY = 2 * MAX_PLACES };
static const uint64_t maxBytes = UINT64_C(1) << 28; // for all places

typedef struct Place {
  const char *key;
  uint64_t *programs; ///< a bit each
  uint64_t program;   ///< whose times these are
  uint32_t *clock;
} Place;

struct SimSync {
  uint64_t words; ///< of a set of programs
  unsigned numWarps;
  uint64_t *before;
  bool saturated;
  unsigned count;
  TileArena arena;
  Place places[CAPACITY];
};

SimSync *simSyncCreate(uint64_t numPrograms, unsigned numWarps) {
  SimSync *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->words = numPrograms / 64 + 1;
  s->numWarps = numWarps;
  s->before = tileArenaAlloc(&s->arena, s->words, 8);
  return s;
}

void simSyncRelease(SimSync *s) {
  if (s)
    tileArenaRelease(&s->arena);
  free(s);
}

const uint64_t *simSyncBefore(const SimMachine *m) { return m->run->sync ? m->run->sync->before : NULL; }

void simSyncStart(SimMachine *m) {
  SimSync *s = m->run->sync;
  if (s && !s->saturated)
    memset(s->before, 0, s->words * 8);
}

bool simSyncPutAside(SimMachine *m) {
  const SimSync *s = m->run->sync;
  if (s && !m->before)
    m->before = malloc(s->words * 8);
  if (s && m->before)
    memcpy(m->before, s->before, s->words * 8);
  return !s || m->before;
}

void simSyncResume(SimMachine *m) {
  SimSync *s = m->run->sync;
  if (s && !s->saturated)
    memcpy(s->before, m->before, s->words * 8);
}

static void saturate(SimSync *s) {
  s->saturated = true;
  memset(s->before, 0xFF, s->words * 8);
}

static Place *find(SimSync *s, const char *key, bool create) {
  uint64_t at = ((uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15) >> 32;
  for (;; ++at) {
    Place *place = &s->places[at % CAPACITY];
    if (place->key == key)
      return place;
    if (place->key)
      continue;
    if (!create)
      return NULL;
    if (s->count == MAX_PLACES || s->count * s->words * 8 > maxBytes)
      return saturate(s), NULL;
    ++s->count;
    place->key = key;
    place->programs = tileArenaAlloc(&s->arena, s->words, 8);
    place->clock = tileArenaAlloc(&s->arena, s->numWarps, sizeof *place->clock);
    place->program = UINT64_MAX;
    return place;
  }
}

void simSyncPublish(SimWarp *w, const char *key) {
  SimMachine *m = w->machine;
  SimSync *s = m->run->sync;
  Place *place = s && !s->saturated ? find(s, key, true) : NULL;
  if (place) {
    for (uint64_t k = 0; k < s->words; ++k)
      place->programs[k] |= s->before[k];
    place->programs[m->linear >> 6] |= UINT64_C(1) << (m->linear & 63);
    if (place->program != m->linear)
      memset(place->clock, 0, s->numWarps * sizeof *place->clock);
    place->program = m->linear;
    for (unsigned v = 0; v < s->numWarps; ++v)
      if (w->clock[v] > place->clock[v])
        place->clock[v] = w->clock[v];
  }
  simTick(w);
}

void simSyncAcquire(SimWarp *w, const char *key) {
  SimMachine *m = w->machine;
  SimSync *s = m->run->sync;
  const Place *place = s && !s->saturated ? find(s, key, false) : NULL;
  if (!place)
    return;
  for (uint64_t k = 0; k < s->words; ++k)
    s->before[k] |= place->programs[k];
  for (unsigned v = 0; place->program == m->linear && v < s->numWarps; ++v)
    if (place->clock[v] > w->clock[v])
      w->clock[v] = place->clock[v];
}
