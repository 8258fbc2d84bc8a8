/* Async.h - private to lib/Simulator: copies from global to shared memory that land when they are waited for.
 *
 * A copy's bytes are in nobody's reach between its start and the wait that covers it: touching the
 * destination is a fault, and so is a source that has changed when the copy lands. */
#ifndef TILE_LIB_SIMULATOR_ASYNC_H
#define TILE_LIB_SIMULATOR_ASYNC_H
#include "Sim.h"

typedef struct SimAsync SimAsync;

SimAsync *simAsyncCreate(void); ///< NULL: no memory
void simAsyncRelease(SimAsync *async);
/// Forgets copies that nobody waited for; a new program begins.
void simAsyncReset(SimWarp *w);

/// `data` of a copy. Operands: a shared address, b global address, c bytes to read (the rest are zeros).
typedef struct SimCopyKind {
  unsigned bytes; ///< of each lane
  bool hasCount;  ///< c is there
  bool isLdsDma;  ///< AMD: a is the warp's base, lane l writes at l * max(bytes, 4)
  int64_t offset; ///< added to both addresses (AMD)
} SimCopyKind;

SimStatus simAsyncCopy(SimWarp *w, const SimInsn *i);
SimStatus simAsyncCommit(SimWarp *w, const SimInsn *i);
SimStatus simAsyncWait(SimWarp *w, const SimInsn *i);    ///< param: groups that may be on their way
SimStatus simAsyncWaitAll(SimWarp *w, const SimInsn *i); ///< uncommitted copies too

/// AMD's counter of vector memory operations: each counts, a wait names how many of the latest may be open.
void simAsyncCountVector(SimWarp *w);
/// param: operations that may be open, UINT32_MAX: any; `bits` 1: LDS operations are waited for too, which
/// makes them visible at barriers.
SimStatus simWaitCounters(SimWarp *w, const SimInsn *i);
#endif
