/* Barriers.h - private to lib/Simulator: barriers of a program's warps. */
#ifndef TILE_LIB_SIMULATOR_BARRIERS_H
#define TILE_LIB_SIMULATOR_BARRIERS_H
#include "Sim.h"

/// `data` of a named barrier: which of a (id) and b (threads) it has.
typedef struct SimBarrierOperands {
  bool hasId, hasThreads;
} SimBarrierOperands;

/// Arrives without waiting.
SimStatus simBarrierArrive(SimWarp *w, const SimInsn *i, unsigned id, uint32_t threads);
SimStatus simBarrierAll(SimWarp *w, const SimInsn *i);
SimStatus simBarrierNamed(SimWarp *w, const SimInsn *i);
SimStatus simBarrierNamedArrive(SimWarp *w, const SimInsn *i);
SimStatus simWarpBarrier(SimWarp *w, const SimInsn *i); ///< a: lanes
/// The warp's own time goes on: others may have learned of what it did.
void simTick(SimWarp *w);
#endif
