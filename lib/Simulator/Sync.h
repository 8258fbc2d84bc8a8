/* Sync.h - private to lib/Simulator: the order that atomics with acquire and release make between warps, and
 * between programs. */
#ifndef TILE_LIB_SIMULATOR_SYNC_H
#define TILE_LIB_SIMULATOR_SYNC_H
#include "Sim.h"

typedef struct SimSync SimSync;

/// For a run whose programs are ordered. NULL: no memory.
SimSync *simSyncCreate(uint64_t numPrograms, unsigned numWarps);
void simSyncRelease(SimSync *sync);
/// A new program begins: nothing is known to be before it.
void simSyncStart(SimMachine *m);
/// Keeps what is before the machine's program while others run. False: no memory.
bool simSyncPutAside(SimMachine *m);
void simSyncResume(SimMachine *m);
/// What the warp did is known to whoever acquires at the address later; `place`: bytes of memory, the key.
void simSyncPublish(SimWarp *w, const char *place);
void simSyncAcquire(SimWarp *w, const char *place);
/// A bit for each program whose published accesses are before what the running one does; NULL: none is.
const uint64_t *simSyncBefore(const SimMachine *m);

#endif
