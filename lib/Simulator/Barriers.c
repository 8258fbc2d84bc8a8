/* Barriers.c - barriers of a program's warps, and what is wrong when they never complete.
 *
 * A barrier completes when the threads that it expects have arrived; each warp counts with all its lanes.
 * What the warps published before they came is then known to those who wait: at once if the barrier is a
 * fence too, as NVIDIA's are; after an acquiring fence if it is not (AMD's s_barrier), and what counts as
 * published is then what a releasing fence has seen. */
#include "Barriers.h"
#include "Cluster.h"
#include "Hopper.h"
#include <stdio.h>
#include <string.h>

static void join(uint32_t *to, const uint32_t *from, unsigned n) {
  for (unsigned k = 0; k < n; ++k)
    to[k] = from[k] > to[k] ? from[k] : to[k];
}

void simTick(SimWarp *w) { ++w->clock[w->index]; }

void simFenceRelease(SimWarp *w) {
  w->released = w->clock[w->index];
  simTick(w);
}

void simFenceAcquire(SimWarp *w) { join(w->clock, w->pending, w->machine->program->numClocks); }

SimStatus simFence(SimWarp *w, const SimInsn *i) {
  if (i->param & SimFence_Release)
    simFenceRelease(w);
  if (i->param & SimFence_Acquire)
    simFenceAcquire(w);
  return SimStatus_Next;
}

// ---- Arriving and waiting ----

static void learn(SimWarp *w, const SimBarrier *b) {
  join(w->pending, b->done, w->machine->program->numClocks);
  if (w->acquires)
    simFenceAcquire(w);
  w->laneClock = w->clock[w->index];
  simTick(w);
}

static void complete(SimMachine *m, SimBarrier *b) {
  const uint64_t waiting = b->waiting;
  memcpy(b->done, b->clock, sizeof b->done);
  memset(b->clock, 0, sizeof b->clock);
  b->arrived = b->expected = 0;
  b->waiting = b->came = 0;
  b->at = NULL;
  ++b->generation;
  for (uint64_t rest = waiting; rest; rest &= rest - 1) {
    SimWarp *w = &m->warps[__builtin_ctzll(rest)];
    learn(w, b);
    w->state = SimWarp_Ready;
  }
}

static void publish(SimWarp *w, SimBarrier *b, bool isFence) {
  const uint32_t own = w->clock[w->index];
  if (isFence)
    simFenceRelease(w);
  uint32_t published[SIM_MAX_CLOCKS];
  memcpy(published, w->clock, w->machine->program->numClocks * sizeof *published);
  published[w->index] = isFence ? own : w->released;
  join(b->clock, published, w->machine->program->numClocks);
}

static bool checkThreads(SimWarp *w, const SimInsn *i, unsigned id, const SimBarrier *b, uint32_t expected) {
  const SimProgram *p = w->machine->program;
  if (expected % p->lanes || expected > p->numWarps * p->lanes)
    return simFault(w, i, -1, "waits for %u threads, expected a multiple of %u up to %u", expected, p->lanes,
                    p->numWarps * p->lanes),
           false;
  if (b->expected && b->expected != expected) {
    simFault(w, i, -1, "waits for %u threads at barrier %u, where another warp waits for %u", expected, id,
             b->expected);
    simFaultNote(w->machine, b->at->op, "the other warp waits here");
    return false;
  }
  if (b->came >> w->index & 1)
    return simFault(w, i, -1, "arrives twice at barrier %u before it is complete", id), false;
  return true;
}

/// Counts the warp in; false: a fault.
static bool arrive(SimWarp *w, const SimInsn *i, unsigned id, uint32_t threads, bool isFence) {
  SimMachine *m = w->machine;
  SimBarrier *b = &m->barriers[id];
  const uint32_t expected = threads ? threads : m->program->numWarps * m->program->lanes;
  if (!checkThreads(w, i, id, b, expected))
    return false;
  w->generation = b->generation;
  b->at = b->at ? b->at : i;
  b->expected = expected;
  b->arrived += m->program->lanes;
  b->came |= UINT64_C(1) << w->index;
  publish(w, b, isFence);
  return true;
}

static SimStatus wait(SimWarp *w, const SimInsn *i, unsigned id, bool isFence) {
  SimBarrier *b = &w->machine->barriers[id];
  w->acquires = isFence;
  if (w->generation != b->generation) { // complete since the warp arrived
    learn(w, b);
    return SimStatus_Next;
  }
  b->waiting |= UINT64_C(1) << w->index;
  w->state = SimWarp_Waiting;
  w->waitsAt = i;
  w->barrier = id;
  return SimStatus_Yield;
}

static bool checkLanes(SimWarp *w, const SimInsn *i) {
  if (w->active == w->live)
    return true;
  return simFault(w, i, __builtin_ctzll(w->live & ~w->active),
                  "is executed by a part of the warp's lanes (mask 0x%llx of 0x%llx), expected all",
                  (unsigned long long)w->active, (unsigned long long)w->live),
         false;
}

/// The value of a uniform operand; faults if lanes differ.
static bool uniform(SimWarp *w, const SimInsn *i, uint32_t slot, uint32_t *out_value) {
  const uint32_t *values = SIM_SLOT(uint32_t, w, slot);
  *out_value = values[__builtin_ctzll(w->active)];
  SIM_FOR_LANES(lane, w->active)
  if (values[lane] != *out_value)
    return simFault(w, i, (int)lane, "got %u, expected %u as in the warp's first lane", values[lane],
                    *out_value),
           false;
  return true;
}

SimStatus simBarrier(SimWarp *w, const SimInsn *i) {
  const SimBarrierKind *kind = i->data;
  uint32_t id = 0, threads = 0;
  if (!checkLanes(w, i) || (kind->hasId && !uniform(w, i, i->a, &id)) ||
      (kind->hasThreads && !uniform(w, i, i->b, &threads)))
    return SimStatus_Fault;
  if (id >= SIM_NUM_BARRIERS)
    return simFault(w, i, -1, "got barrier %u, expected one below %d", id, SIM_NUM_BARRIERS);
  if (kind->arrives && !arrive(w, i, id, threads, kind->isFence))
    return SimStatus_Fault;
  SimBarrier *b = &w->machine->barriers[id];
  if (kind->arrives && b->arrived == b->expected)
    complete(w->machine, b);
  return kind->waits ? wait(w, i, id, kind->isFence) : SimStatus_Next;
}

SimStatus simWarpBarrier(SimWarp *w, const SimInsn *i) {
  const uint32_t *masks = SIM_SLOT(uint32_t, w, i->a);
  SIM_FOR_LANES(lane, w->active)
  if ((masks[lane] & w->live) & ~w->active)
    return simFault(w, i, (int)lane, "waits for lanes 0x%llx that are not here (active: 0x%llx)",
                    (unsigned long long)(masks[lane] & w->live & ~w->active), (unsigned long long)w->active);
  w->laneClock = w->clock[w->index];
  simTick(w);
  return SimStatus_Next;
}

// ---- Nobody can go on ----

static const char *describe(const SimWarp *w, char *text, size_t size) {
  if (w->state == SimWarp_Ended)
    return "has ended";
  if (simClusterIsWaiting(w))
    return "waits for the cluster";
  if (simMBarrierIsWaiting(w))
    return "waits at a barrier in shared memory";
  snprintf(text, size, "waits at barrier %u", w->barrier);
  return text;
}

void simBarrierDeadlock(SimMachine *m) {
  SimWarp *first = NULL, *other = NULL;
  char text[64];
  for (unsigned k = 0; k < m->program->numWarps && !first; ++k)
    first = m->warps[k].state == SimWarp_Waiting ? &m->warps[k] : NULL;
  if (simClusterIsWaiting(first)) {
    simClusterDeadlock(first);
    return;
  }
  if (simMBarrierIsWaiting(first)) {
    simMBarrierDeadlock(first);
    return;
  }
  const SimBarrier *b = &m->barriers[first->barrier];
  for (unsigned k = 0; k < m->program->numWarps && !other; ++k)
    other = b->came >> k & 1 ? NULL : &m->warps[k];
  simFault(first, first->waitsAt, -1, "is never complete: %u of %u threads have arrived, warp %u %s",
           b->arrived, b->expected, other ? other->index : 0,
           other ? describe(other, text, sizeof text) : "has arrived");
  if (other && other->state == SimWarp_Waiting)
    simFaultNote(m, other->waitsAt->op, "warp %u waits here", other->index);
}
