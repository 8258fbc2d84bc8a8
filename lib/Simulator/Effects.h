/* Effects.h - private to lib/Simulator: instructions that look at the mask, or at more than one lane. */
#ifndef TILE_LIB_SIMULATOR_EFFECTS_H
#define TILE_LIB_SIMULATOR_EFFECTS_H
#include "Sim.h"

/// Faults if a lane's number at a is zero.
SimStatus simCheckDivisor(SimWarp *w, const SimInsn *i);
/// result: coordinate `param` of the thread.
SimStatus simThreadId(SimWarp *w, const SimInsn *i);
SimStatus simProgramId(SimWarp *w, const SimInsn *i);
SimStatus simSteps(SimWarp *w, const SimInsn *i);
SimStatus simWarpId(SimWarp *w, const SimInsn *i);
SimStatus simLaneId(SimWarp *w, const SimInsn *i);
#endif
