/* Counters.h - private to lib/Simulator: what --stats counts. */
#ifndef TILE_LIB_SIMULATOR_COUNTERS_H
#define TILE_LIB_SIMULATOR_COUNTERS_H
#include "Coalesce.h"
#include "Sim.h"

/// Of one instruction that touches memory.
typedef struct SimAccessCounters {
  uint64_t requests;  ///< times that a warp executed it with at least one lane
  uint64_t lanes;     ///< accesses of lanes
  uint64_t bytes;     ///< that lanes asked for
  uint64_t sectors;   ///< global: sectors touched, request by request; shared: passes of the banks
  uint64_t conflicts; ///< shared: passes beyond those that the data needs
} SimAccessCounters;

struct SimCounters {
  uint64_t *blockWarps, *blockLanes; ///< executions of each block, by warps and by lanes
  SimAccessCounters *accesses;       ///< by instruction
  uint64_t programs;
};

bool simCountersInit(SimCounters *c, const SimProgram *p);
void simCountersRelease(SimCounters *c);
void simCountersClear(SimCounters *c, const SimProgram *p);
void simCountersAdd(SimCounters *to, const SimCounters *from, const SimProgram *p);

static inline void simCountBlock(SimWarp *w, uint32_t block) {
  SimCounters *c = w->machine->counters;
  ++c->blockWarps[block];
  c->blockLanes[block] += (uint64_t)__builtin_popcountll(w->active);
}
/// Counts one execution of a global access of `bytes` a lane.
void simCountGlobal(SimWarp *w, const SimInsn *i, uint64_t mask, const uint64_t *addresses, unsigned bytes);
void simCountShared(SimWarp *w, const SimInsn *i, SimBankRule rule, uint64_t mask, const uint64_t *offsets,
                    unsigned bytes);
#endif
