/* Grid.c - all programs of a run, on as many host threads as help.
 *
 * Programs that do not talk to each other can run in any order with the same result. If one faults, what was
 * found first depends on timing: the buffers are restored and the run repeated on one thread, so that the
 * message is always the same. */
#include "Cluster.h"
#include "Counters.h"
#include "Sync.h"
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static unsigned threadsFor(const SimRun *run, unsigned wanted) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t n = wanted ? wanted : cores > 0 ? (uint64_t)cores : 1;
  if (run->program->ordered)
    n = 1;
  return (unsigned)(n > run->numPrograms ? run->numPrograms : n > 256 ? 256 : n);
}

static bool createShadows(SimRun *run, bool isParallel) {
  for (unsigned k = 1; k <= run->numBuffers; ++k) {
    SimBuffer *b = &run->buffers[k];
    if (!(run->checks & TileSimCheck_Race) || b->argument < 0)
      continue;
    b->shadow = (SimGlobalShadow){.isParallel = isParallel};
    if (!simGlobalShadowInit(&b->shadow, b->bytes, run->program->globalGranule))
      return false;
  }
  return true;
}

static void releaseShadows(SimRun *run) {
  for (unsigned k = 1; k <= run->numBuffers; ++k)
    simGlobalShadowRelease(&run->buffers[k].shadow);
}

static int runThread(void *machine) {
  simMachineRun(machine);
  return 0;
}

/// Starts n - 1 threads beside this one and waits for all.
static void runThreads(SimMachine *machines, unsigned n) {
  thrd_t threads[256];
  unsigned started = 1;
  while (started < n && thrd_create(&threads[started], runThread, &machines[started]) == thrd_success)
    ++started;
  simMachineRun(&machines[0]);
  for (unsigned k = 1; k < started; ++k)
    thrd_join(threads[k], NULL);
}

static bool outOfMemory(SimFault *fault) {
  *fault = (SimFault){.set = true,
                      .op = SIM_NO_BLOCK,
                      .otherOp = SIM_NO_BLOCK,
                      .text = "out of memory for the simulated machine"};
  return false;
}

/// One run with n threads; counters go to run->total.
static bool runOnce(SimRun *run, unsigned n, SimFault *out_fault) {
  SimMachine *machines = calloc(n, sizeof *machines);
  unsigned created = 0;
  bool ok = machines && createShadows(run, n > 1);
  atomic_store(&run->stop, false);
  atomic_store(&run->next, 0);
  while (ok && created < n)
    ok = simMachineCreate(&machines[created++], run) &&
         (run->program->cluster <= 1 || simClusterCreate(&machines[created - 1]));
  if (ok)
    runThreads(machines, n);
  else
    outOfMemory(out_fault);
  for (unsigned k = 0; k < created; ++k) {
    if (machines[k].fault.set && !out_fault->set)
      *out_fault = machines[k].fault;
    if (ok && run->total)
      simCountersAdd(run->total, machines[k].counters, run->program);
    for (unsigned r = 1; ok && run->total && machines[k].cluster && r < run->program->cluster; ++r)
      simCountersAdd(run->total, machines[k].cluster->blocks[r]->counters, run->program);
    simClusterRelease(&machines[k]);
    simMachineRelease(&machines[k]);
  }
  free(machines);
  releaseShadows(run);
  return !out_fault->set;
}

/// Copies of all buffers one after the other; NULL: no memory.
static char *save(const SimRun *run) {
  uint64_t total = 0;
  for (unsigned k = 1; k <= run->numBuffers; ++k)
    total += run->buffers[k].bytes;
  char *copy = malloc(total + 1), *at = copy;
  for (unsigned k = 1; copy && k <= run->numBuffers; at += run->buffers[k++].bytes)
    if (run->buffers[k].bytes)
      memcpy(at, run->buffers[k].data, run->buffers[k].bytes);
  return copy;
}

static void restore(SimRun *run, const char *at) {
  for (unsigned k = 1; k <= run->numBuffers; at += run->buffers[k++].bytes)
    if (run->buffers[k].bytes && !run->buffers[k].readOnly)
      memcpy(run->buffers[k].data, at, run->buffers[k].bytes);
}

bool simRunGrid(SimRun *run, unsigned numThreads, SimFault *out_fault) {
  unsigned n = threadsFor(run, numThreads);
  char *copy = n > 1 ? save(run) : NULL;
  *out_fault = (SimFault){.set = false};
  if (!copy)
    n = 1;
  if (run->program->ordered &&
      !(run->sync = simSyncCreate(run->numPrograms * run->program->cluster, run->program->numWarps)))
    return outOfMemory(out_fault);
  bool ok = runOnce(run, n, out_fault);
  if (!ok && copy) {
    restore(run, copy);
    if (run->total)
      simCountersClear(run->total, run->program);
    *out_fault = (SimFault){.set = false};
    ok = runOnce(run, 1, out_fault);
  }
  free(copy);
  simSyncRelease(run->sync);
  run->sync = NULL;
  return ok;
}
