/* Control.h - private to lib/Simulator: branches of a decoded program. */
#ifndef TILE_LIB_SIMULATOR_CONTROL_H
#define TILE_LIB_SIMULATOR_CONTROL_H
#include "Sim.h"

/// `data` of a branch. A conditional one has the true edge, then the false one.
typedef struct SimBranch {
  uint32_t block; ///< that it ends
  uint32_t numEdges;
  const SimEdge *edges;
  const uint64_t *cases; ///< of a switch: values of the edges after the first, which is the default
} SimBranch;

/// Lanes whose byte in `slot` is not zero.
uint64_t simMaskOf(const SimWarp *w, uint32_t slot);

SimStatus simBranch(SimWarp *w, const SimInsn *i);
SimStatus simCondBranch(SimWarp *w, const SimInsn *i); ///< a: condition
SimStatus simSwitch(SimWarp *w, const SimInsn *i);     ///< a: selector, in a container of log2Bytes
SimStatus simReturn(SimWarp *w, const SimInsn *i);
SimStatus simUnreachable(SimWarp *w, const SimInsn *i); ///< `data`: what the op is, in words

/// Puts the warp at the start of the program with these lanes.
void simWarpStart(SimWarp *w, uint64_t lanes);
#endif
