/* Barriers.h - private to lib/Simulator: barriers of a program's warps. */
#ifndef TILE_LIB_SIMULATOR_BARRIERS_H
#define TILE_LIB_SIMULATOR_BARRIERS_H
#include "Sim.h"

/// What a barrier instruction does; `data` of all of them. Operands: a the barrier's number, b the threads.
typedef struct SimBarrierKind {
  bool hasId, hasThreads;
  bool arrives, waits; ///< both: the usual barrier
  bool isFence;        ///< memory is ordered too; AMD's s_barrier needs fences around it
} SimBarrierKind;

SimStatus simBarrier(SimWarp *w, const SimInsn *i);
SimStatus simWarpBarrier(SimWarp *w, const SimInsn *i); ///< a: lanes

typedef enum SimFenceKind { SimFence_Release = 1, SimFence_Acquire = 2 } SimFenceKind;
/// What the warp did so far can be learned at barriers; what it learned at barriers counts from here on.
void simFenceRelease(SimWarp *w);
void simFenceAcquire(SimWarp *w);
SimStatus simFence(SimWarp *w, const SimInsn *i); ///< param: SimFenceKind bits
/// The warp's own time goes on: others may have learned of what it did.
void simTick(SimWarp *w);
#endif
