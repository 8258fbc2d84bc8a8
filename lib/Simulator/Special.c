/* Special.c - who a lane is: thread, warp and program numbers; checks of operands. */
#include "Effects.h"
#include <string.h>

static bool isZero(const char *at, unsigned log2Bytes) {
  static const char zeros[16];
  return !memcmp(at, zeros, (size_t)1 << log2Bytes);
}

SimStatus simCheckDivisor(SimWarp *w, const SimInsn *i) {
  SIM_FOR_LANES(lane, w->active)
  if (isZero(w->regs + i->a + (lane << i->log2Bytes), i->log2Bytes))
    return simFault(w, i, (int)lane, "divides by zero");
  return SimStatus_Next;
}

/// Threads are numbered x first; a warp holds consecutive ones.
SimStatus simThreadId(SimWarp *w, const SimInsn *i) {
  const SimProgram *p = w->machine->program;
  uint32_t *result = SIM_SLOT(uint32_t, w, i->result);
  for (unsigned lane = 0; lane < p->lanes; ++lane) {
    const unsigned linear = w->index * p->lanes + lane;
    const unsigned id[] = {linear % p->threads[0], linear / p->threads[0] % p->threads[1],
                           linear / p->threads[0] / p->threads[1]};
    result[lane] = id[i->param];
  }
  return SimStatus_Next;
}

static SimStatus broadcast(SimWarp *w, const SimInsn *i, uint32_t value) {
  uint32_t *result = SIM_SLOT(uint32_t, w, i->result);
  for (unsigned lane = 0; lane < w->machine->program->lanes; ++lane)
    result[lane] = value;
  return SimStatus_Next;
}

SimStatus simProgramId(SimWarp *w, const SimInsn *i) { return broadcast(w, i, w->machine->id[i->param]); }
/// The counter of constant rate: a tick is an instruction of the warp, so that it is the same on every machine.
SimStatus simSteps(SimWarp *w, const SimInsn *i) { return broadcast(w, i, (uint32_t)w->steps); }
SimStatus simWarpId(SimWarp *w, const SimInsn *i) { return broadcast(w, i, w->index); }

SimStatus simLaneId(SimWarp *w, const SimInsn *i) {
  uint32_t *result = SIM_SLOT(uint32_t, w, i->result);
  for (unsigned lane = 0; lane < w->machine->program->lanes; ++lane)
    result[lane] = lane;
  return SimStatus_Next;
}
