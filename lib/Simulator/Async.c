/* Async.c - cp.async with its groups, and AMD's loads to LDS with its counter. */
#include "Async.h"
#include "Barriers.h"
#include "Counters.h"
#include "Memory.h"
#include <stdlib.h>
#include <string.h>

typedef struct Copy {
  const SimInsn *insn;
  uint64_t number; ///< AMD: of the operation
  uint32_t group;  ///< NVIDIA: of the lane
  uint32_t to;     ///< offset in shared memory
  const char *from;
  uint8_t lane, bytes, sourceBytes;
  char data[16]; ///< what the source held at the start
} Copy;

struct SimAsync {
  Copy *copies; ///< in the order of their starts
  size_t count, capacity;
  uint32_t committed[SIM_MAX_LANES]; ///< groups of each lane
  uint64_t operations;
};

SimAsync *simAsyncCreate(void) { return calloc(1, sizeof(SimAsync)); }

void simAsyncRelease(SimAsync *async) {
  if (async)
    free(async->copies);
  free(async);
}

static void setFlight(SimWarp *w, const Copy *c, unsigned flight) {
  SimSharedShadow *shadow = &w->machine->shadow;
  if (shadow->cells && shadow->wantsRaces)
    simSharedSetFlight(shadow, c->to, c->bytes, flight, c->insn->op);
}

void simAsyncReset(SimWarp *w) {
  SimAsync *async = w->async;
  for (size_t k = 0; k < async->count; ++k)
    setFlight(w, &async->copies[k], 0);
  async->count = 0;
  async->operations = 0;
  memset(async->committed, 0, sizeof async->committed);
}

static Copy *newCopy(SimAsync *async) {
  if (async->count == async->capacity) {
    const size_t capacity = async->capacity ? 2 * async->capacity : 1024;
    Copy *grown = realloc(async->copies, capacity * sizeof *grown);
    if (!grown)
      return NULL;
    async->copies = grown;
    async->capacity = capacity;
  }
  return &async->copies[async->count++];
}

// ---- Starting ----

/// Shared addresses of the lanes, and how many bytes each reads.
typedef struct Request {
  uint64_t to[SIM_MAX_LANES], from[SIM_MAX_LANES];
  uint32_t count[SIM_MAX_LANES];
} Request;

static bool gather(SimWarp *w, const SimInsn *i, Request *r) {
  const SimCopyKind *kind = i->data;
  const uint64_t *to = SIM_SLOT(uint64_t, w, i->a), *from = SIM_SLOT(uint64_t, w, i->b);
  const uint64_t base = to[__builtin_ctzll(w->active)];
  SIM_FOR_LANES(lane, w->active) {
    r->count[lane] = kind->hasCount ? SIM_SLOT(uint32_t, w, i->c)[lane] : kind->bytes;
    r->from[lane] = from[lane] + (uint64_t)kind->offset;
    r->to[lane] = to[lane] + (uint64_t)kind->offset;
    if (r->count[lane] > kind->bytes)
      return simFault(w, i, (int)lane, "reads %u bytes, expected at most %u", r->count[lane], kind->bytes),
             false;
    if (!kind->isLdsDma)
      continue;
    if (to[lane] != base)
      return simFault(w, i, (int)lane, "got LDS address %llu, expected %llu as in the warp's first lane",
                      (unsigned long long)to[lane], (unsigned long long)base),
             false;
    r->to[lane] += lane * (kind->bytes < 4 ? 4 : kind->bytes);
  }
  return true;
}

/// Lanes that read `count` bytes.
static uint64_t lanesThatRead(const SimWarp *w, const Request *r, uint32_t count) {
  uint64_t mask = 0;
  SIM_FOR_LANES(lane, w->active)
  mask |= (uint64_t)(r->count[lane] == count) << lane;
  return mask;
}

/// Finds the sources of all lanes, those with equal counts together.
static bool locateSources(SimWarp *w, const SimInsn *i, const Request *r, SimPlaces *sources) {
  const SimCopyKind *kind = i->data;
  uint64_t global = 0;
  for (uint64_t rest = w->active; rest;) {
    const uint32_t count = r->count[__builtin_ctzll(rest)];
    const uint64_t mask = lanesThatRead(w, r, count);
    rest &= ~mask;
    if (!count)
      continue;
    if (!simLocate(w, i, SimSpace_Global, r->from, count, kind->bytes, mask, SimDirection_Read, sources) ||
        !simRecordReads(w, i, sources, mask, 0, count, false))
      return false;
    global |= sources->global;
  }
  sources->global = global;
  return true;
}

static bool start(SimWarp *w, const SimInsn *i, const Request *r, const SimPlaces *sources) {
  const SimCopyKind *kind = i->data;
  SIM_FOR_LANES(lane, w->active) {
    Copy *c = newCopy(w->async);
    if (!c)
      return simFault(w, i, -1, "leaves no memory for copies on their way"), false;
    *c = (Copy){.insn = i,
                .number = w->async->operations,
                .group = w->async->committed[lane],
                .to = (uint32_t)r->to[lane],
                .from = sources->at[lane],
                .lane = (uint8_t)lane,
                .bytes = (uint8_t)kind->bytes,
                .sourceBytes = (uint8_t)r->count[lane]};
    if (c->sourceBytes)
      memcpy(c->data, c->from, c->sourceBytes);
    setFlight(w, c, w->index + 1);
  }
  return true;
}

SimStatus simAsyncCopy(SimWarp *w, const SimInsn *i) {
  const SimCopyKind *kind = i->data;
  Request r;
  SimPlaces sources, destinations;
  if (!gather(w, i, &r) ||
      !simLocate(w, i, SimSpace_Shared, r.to, kind->bytes, kind->bytes < 4 ? 4 : kind->bytes, w->active,
                 SimDirection_Write, &destinations) ||
      !simRecordWrites(w, i, &destinations, w->active, 0, 0, kind->bytes, false) ||
      !locateSources(w, i, &r, &sources))
    return SimStatus_Fault;
  if (w->machine->program->isAmd)
    simAsyncCountVector(w);
  if (!start(w, i, &r, &sources))
    return SimStatus_Fault;
  if (w->machine->counters && sources.global)
    simCountGlobal(w, i, sources.global, r.from, kind->bytes);
  return SimStatus_Next;
}

// ---- Landing ----

static bool land(SimWarp *w, const SimInsn *i, const Copy *c) {
  SimMachine *m = w->machine;
  SimConflict conflict;
  if (c->sourceBytes && (m->run->checks & TileSimCheck_Race) && memcmp(c->from, c->data, c->sourceBytes)) {
    simFault(w, i, c->lane, "waits for a copy whose source has been overwritten meanwhile");
    simFaultNote(m, c->insn->op, "the copy started here");
    return false;
  }
  setFlight(w, c, 0);
  const SimActor actor = {.time = w->clock[w->index],
                          .laneTime = w->laneClock,
                          .known = w->clock,
                          .op = c->insn->op,
                          .warp = w->index,
                          .lane = c->lane};
  if (m->shadow.cells)
    (void)simSharedWrite(&m->shadow, &actor, c->to, c->bytes, true, &conflict);
  if (c->to + c->bytes <= m->program->sharedBytes) {
    memset(m->shared + c->to, 0, c->bytes);
    memcpy(m->shared + c->to, c->data, c->sourceBytes);
  }
  return true;
}

/// Lands every copy for which `isDue` says so, in the order of their starts.
static SimStatus landDue(SimWarp *w, const SimInsn *i,
                         bool (*isDue)(const SimWarp *, const SimInsn *, const Copy *)) {
  SimAsync *async = w->async;
  size_t kept = 0;
  for (size_t k = 0; k < async->count; ++k) {
    if (!isDue(w, i, &async->copies[k]))
      async->copies[kept++] = async->copies[k];
    else if (!land(w, i, &async->copies[k]))
      return SimStatus_Fault;
  }
  async->count = kept;
  return SimStatus_Next;
}

static bool isWaiting(const SimWarp *w, const Copy *c) { return w->active >> c->lane & 1; }

static bool isGroupDue(const SimWarp *w, const SimInsn *i, const Copy *c) {
  const uint32_t committed = w->async->committed[c->lane];
  return isWaiting(w, c) && c->group < committed && committed - c->group > i->param;
}
static bool isAnyDue(const SimWarp *w, const SimInsn *i, const Copy *c) {
  (void)i;
  return isWaiting(w, c);
}
static bool isNumberDue(const SimWarp *w, const SimInsn *i, const Copy *c) {
  return c->number + i->param <= w->async->operations;
}

SimStatus simAsyncCommit(SimWarp *w, const SimInsn *i) {
  (void)i;
  SIM_FOR_LANES(lane, w->active)
  ++w->async->committed[lane];
  return SimStatus_Next;
}

SimStatus simAsyncWait(SimWarp *w, const SimInsn *i) { return landDue(w, i, isGroupDue); }
SimStatus simAsyncWaitAll(SimWarp *w, const SimInsn *i) { return landDue(w, i, isAnyDue); }

void simAsyncCountVector(SimWarp *w) { ++w->async->operations; }

SimStatus simWaitCounters(SimWarp *w, const SimInsn *i) {
  if (i->bits)
    simFenceRelease(w);
  return i->param == UINT32_MAX ? SimStatus_Next : landDue(w, i, isNumberDue);
}
