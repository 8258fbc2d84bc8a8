/* Turns.c - programs that talk to each other, on one host thread: one after another, but for those that wait.
 *
 * A warp that spends its turns on atomics may wait for what another program does: a barrier of the grid, a lock. After
 * some such turns its program is put aside, which costs a machine of its own; the programs behind it run, then those put
 * aside go on in the order in which they were. It depends on counts of instructions only, so a run is the same every time. */
#include "Counters.h"
#include "Sync.h"
#include <stdlib.h>

enum { MAX_MACHINES = 1024 };
static const uint64_t maxBytes = UINT64_C(2) << 30; // of all machines, about

typedef struct Turns {
  SimRun *run;
  SimMachine *made[MAX_MACHINES]; ///< beside the first
  SimMachine *idle[MAX_MACHINES];
  SimMachine *aside[MAX_MACHINES]; ///< a ring
  unsigned numMade, maxMade, numIdle, numAside, firstAside;
} Turns;

static unsigned machinesThatFit(const SimProgram *p) {
  const uint64_t bytes =
      (uint64_t)(p->regBytes + p->localBytes * p->lanes) * p->numWarps + 8 * (uint64_t)p->sharedBytes + 65536;
  const uint64_t fit = maxBytes / bytes;
  return fit < MAX_MACHINES - 1 ? (unsigned)fit : MAX_MACHINES - 1;
}

/// A machine for one more program; NULL: as many wait as there is room for.
static SimMachine *takeMachine(Turns *t) {
  if (t->numIdle)
    return t->idle[--t->numIdle];
  SimMachine *m = t->numMade < t->maxMade ? calloc(1, sizeof *m) : NULL;
  if (m && !simMachineCreate(m, t->run)) {
    simMachineRelease(m);
    free(m);
    m = NULL;
  }
  if (!m)
    t->maxMade = t->numMade;
  else
    t->made[t->numMade++] = m;
  return m;
}

static bool hasMore(const Turns *t) { return atomic_load(&t->run->next) < t->run->numPrograms; }

/// A new program's machine, or that of the one that has waited longest; NULL: all have ended.
static SimMachine *nextMachine(Turns *t) {
  SimMachine *m = hasMore(t) ? takeMachine(t) : NULL;
  if (m) {
    simProgramStart(m, atomic_fetch_add(&t->run->next, 1));
    return m;
  }
  if (!t->numAside)
    return NULL;
  m = t->aside[t->firstAside];
  t->firstAside = (t->firstAside + 1) % MAX_MACHINES;
  --t->numAside;
  simSyncResume(m);
  return m;
}

/// Whether the program was put aside.
static bool runTurn(Turns *t, SimMachine *m) {
  m->others = t->numAside || hasMore(t);
  if (!simProgramContinue(m)) {
    atomic_store(&t->run->stop, true);
    return false;
  }
  return m->aside && simSyncPutAside(m);
}

void simTurnsRun(SimMachine *first) {
  Turns *t = calloc(1, sizeof *t);
  if (!t)
    return;
  t->run = first->run;
  t->maxMade = machinesThatFit(first->program);
  t->idle[t->numIdle++] = first;
  for (SimMachine *m; !atomic_load(&t->run->stop) && (m = nextMachine(t));) {
    if (runTurn(t, m))
      t->aside[(t->firstAside + t->numAside++) % MAX_MACHINES] = m;
    else
      t->idle[t->numIdle++] = m;
    if (m->fault.set)
      first->fault = m->fault;
  }
  for (unsigned k = 0; k < t->numMade; ++k) {
    if (t->run->total)
      simCountersAdd(t->run->total, t->made[k]->counters, first->program);
    simMachineRelease(t->made[k]);
    free(t->made[k]);
  }
  free(t);
}
