/* Machine.c - one host thread's machine: memory for one program at a time, and the order of its warps. */
#include "Async.h"
#include "Barriers.h"
#include "Cluster.h"
#include "Control.h"
#include "Counters.h"
#include "Hopper.h"
#include "Memory.h"
#include "Sync.h"
#include <stdlib.h>
#include <string.h>

enum {
  TURN = 4096,  ///< instructions of a warp before the next one runs
  WAIT = 16384, ///< of a program that may wait, before it is put aside
};

uint64_t simRandom(uint64_t *state) { // splitmix64 (Steele, Lea and Flood, 2014)
  uint64_t x = *state += 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

// ---- Memory ----

static void fillConstant(char *regs, const SimConstant *c, unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; ++lane) {
    char *at = regs + c->slot + ((size_t)lane << c->log2Bytes);
    memcpy(at, &c->low, c->log2Bytes > 3 ? 8 : (size_t)1 << c->log2Bytes);
    if (c->log2Bytes > 3)
      memcpy(at + 8, &c->high, 8);
  }
}

static bool createWarp(SimMachine *m, SimWarp *w, unsigned index) {
  const SimProgram *p = m->program;
  w->machine = m;
  w->index = index;
  w->full = p->lanes == 64 ? UINT64_MAX : (UINT64_C(1) << p->lanes) - 1;
  w->regs = aligned_alloc(64, (p->regBytes + 127) / 64 * 64);
  w->frames = calloc(SIM_MAX_FRAMES, sizeof *w->frames);
  w->clock = calloc(2u * p->numClocks, sizeof *w->clock);
  w->pending = w->clock + p->numClocks;
  w->async = simAsyncCreate();
  if (!w->regs || !w->frames || !w->clock || !w->async)
    return false;
  memset(w->regs, 0, p->regBytes);
  for (uint32_t k = 0; k < p->numConstants; ++k)
    fillConstant(w->regs, &p->constants[k], p->lanes);
  return true;
}

bool simMachineCreate(SimMachine *m, SimRun *run) {
  const SimProgram *p = run->program;
  *m = (SimMachine){.run = run, .program = p};
  m->warps = calloc(p->numWarps, sizeof *m->warps);
  m->shared = calloc((size_t)p->sharedBytes + SIM_MAX_ACCESS, 1);
  m->local = calloc((size_t)p->localBytes * p->lanes * p->numWarps + SIM_MAX_ACCESS, 1);
  m->scratch = aligned_alloc(64, (p->scratchBytes + 127) / 64 * 64);
  bool ok = m->warps && m->shared && m->local && m->scratch;
  for (unsigned k = 0; ok && k < p->numWarps; ++k)
    ok = createWarp(m, &m->warps[k], k);
  if (ok && (run->checks & (TileSimCheck_Race | TileSimCheck_Uninit)))
    ok = simSharedShadowInit(&m->shadow, p->sharedBytes, p->sharedGranule, p->numActors);
  if (ok && p->usesHopper)
    ok = (m->hopper = simHopperCreate(p)) != NULL;
  m->shadow.lockstep = p->isAmd;
  m->shadow.wantsRaces = run->checks & TileSimCheck_Race;
  m->shadow.wantsUninit = run->checks & TileSimCheck_Uninit;
  if (ok && run->total) {
    m->counters = calloc(1, sizeof *m->counters);
    ok = m->counters && simCountersInit(m->counters, p);
  }
  return ok;
}

void simMachineRelease(SimMachine *m) {
  for (unsigned k = 0; m->warps && k < m->program->numWarps; ++k) {
    free(m->warps[k].regs);
    free(m->warps[k].frames);
    free(m->warps[k].clock);
    simAsyncRelease(m->warps[k].async);
  }
  if (m->counters)
    simCountersRelease(m->counters);
  simHopperRelease(m->hopper);
  free(m->counters);
  free(m->before);
  simSharedShadowRelease(&m->shadow);
  free(m->warps);
  free(m->shared);
  free(m->local);
  free(m->scratch);
}

// ---- One program ----

/// Where the next program's times start: above all of this one's.
static uint32_t latestTime(const SimMachine *m) {
  uint32_t latest = m->clockBase, agents = m->hopper ? simAgentsLatest(m) : 0;
  for (unsigned k = 0; k < m->program->numWarps; ++k)
    latest = m->warps[k].clock[k] > latest ? m->warps[k].clock[k] : latest;
  return agents > latest ? agents : latest;
}

static void startProgram(SimMachine *m, uint64_t linear) {
  const SimProgram *p = m->program;
  const uint32_t *grid = m->run->grid;
  m->linear = linear;
  m->aside = false;
  m->id[0] = (uint32_t)(linear % grid[0]);
  m->id[1] = (uint32_t)(linear / grid[0] % grid[1]);
  m->id[2] = (uint32_t)(linear / grid[0] / grid[1]);
  m->random = m->run->seed ^ linear * 0xD6E8FEB86659FD93;
  m->clockBase = latestTime(m);
  if (m->clockBase > UINT32_MAX / 2) { // times start over
    m->clockBase = 0;
    if (m->shadow.cells) {
      memset(m->shadow.cells, 0, m->shadow.numCells * sizeof *m->shadow.cells);
      memset(m->shadow.reads, 0, m->shadow.numCells * p->numActors * sizeof *m->shadow.reads);
    }
  }
  m->shadow.start = m->clockBase;
  memset(m->barriers, 0, sizeof m->barriers);
  simSyncStart(m);
  if (m->hopper)
    simHopperStart(m);
  const uint64_t threads = (uint64_t)p->threads[0] * p->threads[1] * p->threads[2];
  for (unsigned k = 0; k < p->numWarps; ++k) {
    SimWarp *w = &m->warps[k];
    const uint64_t left = threads - (uint64_t)k * p->lanes;
    for (unsigned v = 0; v < p->numClocks; ++v)
      w->clock[v] = w->pending[v] = m->clockBase;
    ++w->clock[k];
    w->laneClock = w->released = m->clockBase;
    simAsyncReset(w);
    simWarpStart(w, left >= p->lanes ? w->full : (UINT64_C(1) << left) - 1);
  }
  if (m->counters)
    ++m->counters->programs;
}

/// The warp that runs next: in turn, or at random. NULL: none can.
static SimWarp *pickWarp(SimMachine *m, unsigned *turn) {
  const unsigned n = m->program->numWarps;
  const unsigned first = m->run->shuffle ? (unsigned)(simRandom(&m->random) % n) : *turn;
  for (unsigned k = 0; k < n; ++k) {
    SimWarp *w = &m->warps[(first + k) % n];
    if (w->state != SimWarp_Ready)
      continue;
    *turn = (w->index + 1) % n;
    return w;
  }
  return NULL;
}

static bool allEnded(const SimMachine *m) {
  for (unsigned k = 0; k < m->program->numWarps; ++k)
    if (m->warps[k].state != SimWarp_Ended)
      return false;
  return true;
}

/// Whether the warp, which had a turn of so many instructions, and those before it have asked for long what others do.
static bool waitsLong(SimMachine *m, const SimWarp *w, uint64_t turn, uint64_t asked) {
  if (!m->others || m->asked == asked)
    return false;
  m->waited += w->turn < turn ? turn - w->turn : turn;
  return m->waited >= WAIT;
}

/// Runs a block until none of its warps can go on, or it is put aside. False: a fault.
static bool runReady(SimMachine *m) {
  m->turn = m->aside ? m->turn : 0;
  m->aside = false;
  m->waited = 0;
  for (SimWarp *w; (w = pickWarp(m, &m->turn));) {
    const uint64_t turn = m->run->shuffle ? 1 + simRandom(&m->random) % 64 : TURN, asked = m->asked;
    w->turn = turn;
    if (simRunWarp(w) == SimStatus_Fault)
      return false;
    if (atomic_load_explicit(&m->run->stop, memory_order_relaxed))
      return true;
    if ((m->aside = waitsLong(m, w, turn, asked)))
      return true;
  }
  return true;
}

/// The blocks of a program, the last one first; the fault of any is the first one's.
static bool runBlocks(SimMachine *first) {
  const SimCluster *c = first->cluster;
  for (unsigned r = c->count; r-- > 0;)
    if (!runReady(c->blocks[r])) {
      first->fault = c->blocks[r]->fault;
      return false;
    }
  return true;
}

/// One block's arrivals and copies may have woken another's warps.
static bool anyReady(const SimMachine *first) {
  const SimCluster *c = first->cluster;
  for (unsigned r = 0; r < c->count; ++r)
    for (unsigned k = 0; k < c->blocks[r]->program->numWarps; ++k)
      if (c->blocks[r]->warps[k].state == SimWarp_Ready)
        return true;
  return false;
}

static bool runCluster(SimMachine *first, uint64_t linear) {
  const SimCluster *c = first->cluster;
  for (unsigned r = 0; r < c->count; ++r) {
    startProgram(c->blocks[r], linear * c->count + r);
    simClusterStart(c->blocks[r]);
  }
  for (unsigned r = 0; r < c->count; ++r)
    simClusterBegin(c->blocks[r]);
  do
    if (!runBlocks(first))
      return false;
  while (!atomic_load_explicit(&first->run->stop, memory_order_relaxed) &&
         (anyReady(first) || simClusterComplete(first)));
  if (atomic_load_explicit(&first->run->stop, memory_order_relaxed))
    return true;
  for (unsigned r = 0; r < c->count && !first->fault.set; ++r)
    if (!allEnded(c->blocks[r])) {
      simBarrierDeadlock(c->blocks[r]);
      first->fault = c->blocks[r]->fault;
    }
  return !first->fault.set;
}

bool simProgramContinue(SimMachine *m) {
  if (!runReady(m))
    return false;
  if (!m->aside && !atomic_load_explicit(&m->run->stop, memory_order_relaxed) && !allEnded(m))
    simBarrierDeadlock(m);
  return !m->fault.set;
}

static bool runProgram(SimMachine *m, uint64_t linear) {
  if (m->cluster)
    return runCluster(m, linear);
  startProgram(m, linear);
  return simProgramContinue(m);
}

static uint64_t commonDivisor(uint64_t a, uint64_t b) {
  while (b) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Program number k of the order in which they start.
static uint64_t shuffled(const SimRun *run, uint64_t k) {
  if (!run->shuffle || run->inOrder)
    return k;
  const uint64_t n = run->numPrograms;
  uint64_t state = run->seed, step = simRandom(&state) % n, start = simRandom(&state) % n;
  while (commonDivisor(step, n) != 1)
    ++step;
  return (uint64_t)(((SimU128)k * step + start) % n);
}

void simProgramStart(SimMachine *m, uint64_t number) { startProgram(m, shuffled(m->run, number)); }

void simMachineRun(SimMachine *m) {
  SimRun *run = m->run;
  if (run->program->ordered && !m->cluster) {
    simTurnsRun(m);
    return;
  }
  while (!atomic_load_explicit(&run->stop, memory_order_relaxed)) {
    const uint64_t k = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed);
    if (k >= run->numPrograms)
      return;
    if (!runProgram(m, shuffled(run, k)))
      atomic_store(&run->stop, true);
  }
}
