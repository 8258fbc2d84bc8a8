/* Shadow.h - who touched each byte of shared and global memory last, and whether that happened before.
 *
 * Pure data structures. Time: each warp counts its own, a number that grows when others may learn of what it
 * did (a barrier, a release). `known[v]` of a warp is the latest time of warp v that happened before what the
 * warp does now, so an access of v at time t is ordered before it exactly if t <= known[v] (a vector clock;
 * Flanagan and Freund, "FastTrack", PLDI 2009). Times of shared memory never start over, so that one program
 * need not clear what the one before has left: older times count as "never".
 *
 * Memory is divided in cells of the size of the program's smallest access. */
#ifndef TILE_LIB_SIMULATOR_SHADOW_H
#define TILE_LIB_SIMULATOR_SHADOW_H
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SimConflictKind {
  SimConflict_None,
  SimConflict_Uninitialised,
  SimConflict_ReadAfterWrite, ///< this access reads, the other wrote
  SimConflict_WriteAfterRead,
  SimConflict_WriteAfterWrite,
  SimConflict_Remote,  ///< another block of the cluster has read it since the cluster met
  SimConflict_InFlight ///< an asynchronous copy to the place has not been waited for
} SimConflictKind;

enum { SIM_MANY_LANES = 255 };

/// An access's other party.
typedef struct SimConflict {
  SimConflictKind kind;
  uint64_t program;    ///< global memory only
  unsigned warp, lane; ///< lane SIM_MANY_LANES: several
  uint32_t op;
  uint64_t offset; ///< where in the memory
  bool several;    ///< the program and warp are one of several, and unknown
} SimConflict;

// ---- Shared memory of one program ----

typedef struct SimSharedCell {
  uint32_t time, op; ///< of the last write
  uint8_t warp, lane;
  uint8_t isAtomic;
  uint8_t flight; ///< 1 + warp whose asynchronous copy is on its way
  uint32_t flightOp;
} SimSharedCell;

typedef struct SimSharedShadow {
  SimSharedCell *cells;
  uint64_t *reads; ///< cell by cell, for each warp: time << 32 | op << 8 | lane of its last read
  uint64_t numCells;
  unsigned numWarps, log2Granule;
  bool lockstep; ///< lanes of a warp are always ordered (AMD), else only by warp barriers
  bool wantsRaces, wantsUninit;
  uint32_t start; ///< times up to this one belong to earlier programs
  uint64_t *
      remote; ///< cell by cell: phase + 1 << 32 | op of the last read by another block of the cluster; or NULL
  uint32_t phase; ///< times that the cluster has met
} SimSharedShadow;

/// Who accesses.
typedef struct SimActor {
  uint32_t time;         ///< own
  uint32_t laneTime;     ///< own time of the last warp barrier
  const uint32_t *known; ///< of each warp
  uint32_t op;
  unsigned warp, lane;
  bool isAtomic;
} SimActor;

bool simSharedShadowInit(SimSharedShadow *s, uint64_t bytes, unsigned granule, unsigned numWarps);
void simSharedShadowRelease(SimSharedShadow *s);
/// Records a read of [offset, offset + bytes); false on a conflict.
bool simSharedRead(SimSharedShadow *s, const SimActor *who, uint64_t offset, unsigned bytes,
                   SimConflict *out_conflict);
/// Records a write. `same`: it leaves the bytes as they are, which cannot be told from the other write.
bool simSharedWrite(SimSharedShadow *s, const SimActor *who, uint64_t offset, unsigned bytes, bool same,
                    SimConflict *out_conflict);
/// Marks the destination of an asynchronous copy, or takes the mark away.
void simSharedSetFlight(SimSharedShadow *s, uint64_t offset, unsigned bytes, unsigned flight, uint32_t op);

// ---- Global memory of all programs ----

/* A cell's word: who (28 bits of program + 1, 6 of warp), two flags, 28 bits of time since the program began.
 * Programs on several host threads update words without locks: a conflict is then found for certain, its
 * other party may vary; the caller repeats the run on one thread for the message. */
typedef struct SimGlobalCell SimGlobalCell;

typedef struct SimGlobalShadow {
  SimGlobalCell *cells;
  uint64_t numCells;
  unsigned log2Granule;
  bool isParallel; ///< several host threads use it
} SimGlobalShadow;

typedef struct SimGlobalActor {
  uint64_t program;
  uint32_t time, start;  ///< own time; time at which the program began
  const uint32_t *known; ///< of each warp
  uint32_t op;
  unsigned warp, lane;
  bool isAtomic;
  const uint64_t *before; ///< a bit for each program that happened before, or NULL: none
} SimGlobalActor;

bool simGlobalShadowInit(SimGlobalShadow *s, uint64_t bytes, unsigned granule);
void simGlobalShadowRelease(SimGlobalShadow *s);
bool simGlobalRead(SimGlobalShadow *s, const SimGlobalActor *who, uint64_t offset, unsigned bytes,
                   SimConflict *out_conflict);
/// `same`: the bytes are there already; such a write conflicts with nothing.
bool simGlobalWrite(SimGlobalShadow *s, const SimGlobalActor *who, uint64_t offset, unsigned bytes, bool same,
                    SimConflict *out_conflict);

#ifdef __cplusplus
}
#endif
#endif
