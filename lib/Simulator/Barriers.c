/* Barriers.c - barriers of a program's warps, and what is wrong when they never complete.
 *
 * A barrier completes when the threads that it expects have arrived; each warp counts with all its lanes.
 * Completing makes all that its warps did before known to those that waited. */
#include "Barriers.h"
#include <stdio.h>
#include <string.h>

static void join(uint32_t *to, const uint32_t *from, unsigned n) {
  for (unsigned k = 0; k < n; ++k)
    to[k] = from[k] > to[k] ? from[k] : to[k];
}

void simTick(SimWarp *w) { ++w->clock[w->index]; }

static void complete(SimMachine *m, SimBarrier *b) {
  const unsigned n = m->program->numWarps;
  for (uint64_t rest = b->waiting; rest; rest &= rest - 1) {
    SimWarp *w = &m->warps[__builtin_ctzll(rest)];
    join(w->clock, b->clock, n);
    w->laneClock = w->clock[w->index];
    simTick(w);
    w->state = SimWarp_Ready;
  }
  *b = (SimBarrier){0};
}

/// Counts the warp in; false: a fault.
static bool arrive(SimWarp *w, const SimInsn *i, unsigned id, uint32_t threads) {
  SimMachine *m = w->machine;
  SimBarrier *b = &m->barriers[id];
  const uint32_t all = m->program->numWarps * m->program->lanes, expected = threads ? threads : all;
  if (w->active != w->live)
    return simFault(w, i, __builtin_ctzll(w->live & ~w->active),
                    "is executed by a part of the warp's lanes (mask 0x%llx of 0x%llx), expected all",
                    (unsigned long long)w->active, (unsigned long long)w->live),
           false;
  if (expected % m->program->lanes || expected > all)
    return simFault(w, i, -1, "waits for %u threads, expected a multiple of %u up to %u", expected,
                    m->program->lanes, all),
           false;
  if (b->expected && b->expected != expected) {
    simFault(w, i, -1, "waits for %u threads at barrier %u, where another warp waits for %u", expected, id,
             b->expected);
    simFaultNote(m, b->at->op, "the other warp waits here");
    return false;
  }
  if (b->came >> w->index & 1)
    return simFault(w, i, -1, "arrives twice at barrier %u before it is complete", id), false;
  b->at = b->at ? b->at : i;
  b->expected = expected;
  b->arrived += m->program->lanes;
  b->came |= UINT64_C(1) << w->index;
  join(b->clock, w->clock, m->program->numWarps);
  return true;
}

SimStatus simBarrierWait(SimWarp *w, const SimInsn *i, unsigned id, uint32_t threads) {
  SimMachine *m = w->machine;
  SimBarrier *b = &m->barriers[id];
  if (!arrive(w, i, id, threads))
    return SimStatus_Fault;
  b->waiting |= UINT64_C(1) << w->index;
  w->state = SimWarp_Waiting;
  w->waitsAt = i;
  w->barrier = id;
  if (b->arrived == b->expected)
    complete(m, b);
  return w->state == SimWarp_Waiting ? SimStatus_Yield : SimStatus_Next;
}

SimStatus simBarrierArrive(SimWarp *w, const SimInsn *i, unsigned id, uint32_t threads) {
  SimBarrier *b = &w->machine->barriers[id];
  if (!arrive(w, i, id, threads))
    return SimStatus_Fault;
  simTick(w);
  if (b->arrived == b->expected)
    complete(w->machine, b);
  return SimStatus_Next;
}

static const char *describe(const SimWarp *w, char *text, size_t size) {
  if (w->state == SimWarp_Ended)
    return "has ended";
  snprintf(text, size, "waits at barrier %u", w->barrier);
  return text;
}

void simBarrierDeadlock(SimMachine *m) {
  SimWarp *first = NULL, *other = NULL;
  char text[64];
  for (unsigned k = 0; k < m->program->numWarps && !first; ++k)
    first = m->warps[k].state == SimWarp_Waiting ? &m->warps[k] : NULL;
  const SimBarrier *b = &m->barriers[first->barrier];
  for (unsigned k = 0; k < m->program->numWarps && !other; ++k)
    other = b->came >> k & 1 ? NULL : &m->warps[k];
  simFault(first, first->waitsAt, -1, "is never complete: %u of %u threads have arrived, warp %u %s",
           b->arrived, b->expected, other ? other->index : 0,
           other ? describe(other, text, sizeof text) : "has arrived");
  if (other && other->state == SimWarp_Waiting)
    simFaultNote(m, other->waitsAt->op, "warp %u waits here", other->index);
}

// ---- The instructions ----

SimStatus simBarrierAll(SimWarp *w, const SimInsn *i) { return simBarrierWait(w, i, 0, 0); }

/// The value of a uniform operand in the first lane; faults if lanes differ.
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

static SimStatus named(SimWarp *w, const SimInsn *i,
                       SimStatus (*act)(SimWarp *, const SimInsn *, unsigned, uint32_t)) {
  const SimBarrierOperands *operands = i->data;
  uint32_t id = 0, threads = 0;
  if ((operands->hasId && !uniform(w, i, i->a, &id)) ||
      (operands->hasThreads && !uniform(w, i, i->b, &threads)))
    return SimStatus_Fault;
  if (id >= SIM_NUM_BARRIERS)
    return simFault(w, i, -1, "got barrier %u, expected one below %d", id, SIM_NUM_BARRIERS);
  return act(w, i, id, threads);
}

SimStatus simBarrierNamed(SimWarp *w, const SimInsn *i) { return named(w, i, simBarrierWait); }
SimStatus simBarrierNamedArrive(SimWarp *w, const SimInsn *i) { return named(w, i, simBarrierArrive); }

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
