/* Hopper.h - private to lib/Simulator: barriers in shared memory, the tensor copy engine, products of warp groups.
 *
 * What runs beside the threads is an actor of its own in the shadow of shared memory: each warp has one for its
 * products and one for its copies. An actor's time grows with each operation, and a warp knows of it by the
 * wait that covers the operation. Actors see what threads stored through the async proxy: a second set of times,
 * which a proxy fence brings up to date and barriers hand on like the first.
 *
 *   clocks: [0, warps) threads | products | copies: A actors; then the same as the async proxy sees it */
#ifndef TILE_LIB_SIMULATOR_HOPPER_H
#define TILE_LIB_SIMULATOR_HOPPER_H
#include "Memory.h"
#include "TensorCore.h"
#include "WgmmaLayout.h"
#include "tile-c/Manifest.h"

typedef enum SimAgent { SimAgent_Products = 1, SimAgent_Copies = 2 } SimAgent;

/// A tensor map as the launcher would make it. Innermost dimension first.
typedef struct SimTensorMap {
  uint64_t base; ///< address
  unsigned rank, elementBytes, swizzleBytes;
  int64_t sizes[TILE_MAX_RANK], strides[TILE_MAX_RANK]; ///< elements; bytes
  unsigned box[TILE_MAX_RANK];
  uint64_t fill; ///< bits of elements outside
} SimTensorMap;

/// Addresses of tensor maps: map i is at i * SIM_MAP_BYTES of the window.
enum { SIM_MAP_WINDOW = 0x4002, SIM_MAP_BYTES = 128 };

typedef struct SimHopper SimHopper;
SimHopper *simHopperCreate(const SimProgram *p); ///< NULL: no memory
void simHopperRelease(SimHopper *h);
void simHopperStart(SimMachine *m); ///< a new program begins

// Actors: in Agents.c
unsigned simAgentIndex(const SimWarp *w, SimAgent agent);
uint32_t simAgentTick(SimWarp *w, SimAgent agent); ///< the time of a new operation
/// Records an access of an operation to shared memory; false after a fault.
bool simAgentAccess(SimWarp *w, const SimInsn *i, SimAgent agent, uint32_t time, bool writes, uint64_t offset,
                    unsigned bytes);
/// The same of a copy to another block of the cluster, as one of that block's warp of the same number.
bool simAgentCopiesTo(SimWarp *w, const SimInsn *i, SimMachine *peer, uint32_t time, uint64_t offset,
                      unsigned bytes);
/// The warp knows that the agent's operations up to `time` are over.
void simAgentLearn(SimWarp *w, SimAgent agent, uint32_t time);
/// Latest time of any agent, for the next program's start.
uint32_t simAgentsLatest(const SimMachine *m);
SimStatus simProxyFence(SimWarp *w, const SimInsn *i); ///< param 1: of barriers just made, too

// MBarriers.c. a: address; b: predicate if param & SimMBarrier_Predicate; c: count, bytes, parity or, if param &
// SimMBarrier_Remote, the block of the cluster at whose barrier the warp arrives
enum { SimMBarrier_Predicate = 1, SimMBarrier_Remote = 2 };
SimStatus simMBarrierInit(SimWarp *w, const SimInsn *i);
SimStatus simMBarrierInval(SimWarp *w, const SimInsn *i);
SimStatus simMBarrierExpect(SimWarp *w, const SimInsn *i);
SimStatus simMBarrierArrive(SimWarp *w, const SimInsn *i);
SimStatus simMBarrierWait(SimWarp *w, const SimInsn *i);
SimStatus simMBarrierFence(SimWarp *w, const SimInsn *i);
void simMBarrierDeadlock(SimWarp *w);
bool simMBarrierIsWaiting(const SimWarp *w);
typedef struct SimMBarrier SimMBarrier;
/// The barrier of machine `m`, the warp's own or another of its cluster, at the offset for a copy of the engine; NULL after a fault.
SimMBarrier *simMBarrierForCopy(SimWarp *w, const SimInsn *i, SimMachine *m, uint64_t offset);
/// `bytes` of an operation of the agent at `time` have arrived; false after a fault.
bool simMBarrierComplete(SimWarp *w, const SimInsn *i, SimMBarrier *b, uint32_t bytes, unsigned agent,
                         uint32_t time);

// Tma.c
/// `data` of a tensor copy.
typedef struct SimTma {
  uint32_t shared, map, barrier, predicate, multicast;
  uint32_t coordinates[TILE_MAX_RANK];
  unsigned rank, reduction; ///< reduction: TileNVTmaReduction
  bool isStore, hasPredicate, hasMulticast;
} SimTma;
SimStatus simTmaCopy(SimWarp *w, const SimInsn *i);
SimStatus simBulkCommit(SimWarp *w, const SimInsn *i);
SimStatus simBulkWait(SimWarp *w, const SimInsn *i); ///< param: groups that may be open
/// Lands copies that this barrier counts until its phase is complete; false after a fault.
bool simTmaLand(SimWarp *w, const SimInsn *i, SimMBarrier *b);
/// Whether the warp may end; false after a fault.
bool simTmaEnd(SimWarp *w);

// Wgmma.c
/// `data` of a product.
typedef struct SimWgmma {
  SimWgmmaShape shape;
  uint32_t a[4], b, scale;
  bool aInRegisters, hasScale, isHalf, isInteger, saturates;
  double signA, signB;
  const double *decodeA, *decodeB; ///< values by bits (elements of 8 and 16 bits)
  SimSumRule sum;                  ///< of floats; integers: no terms
  const uint32_t *accumulator, *result;
  unsigned registers;
} SimWgmma;
SimStatus simWgmma(SimWarp *w, const SimInsn *i);
SimStatus simWgmmaFence(SimWarp *w, const SimInsn *i);
SimStatus simWgmmaCommit(SimWarp *w, const SimInsn *i);
SimStatus simWgmmaWait(SimWarp *w, const SimInsn *i); ///< param: groups that may be open
/// Whether the instruction leaves registers of open products alone; false after a fault.
bool simWgmmaAllows(SimWarp *w, const SimInsn *i);
void simWgmmaMove(SimWarp *w, const SimEdge *edge);

// ---- State ----

typedef struct SimBulkCopy {
  const SimInsn *insn;
  const SimTensorMap *map;
  int64_t coordinates[TILE_MAX_RANK];
  uint32_t to, time;
  uint16_t warp;
} SimBulkCopy;

struct SimMBarrier {
  uint64_t offset;
  uint32_t count, pending; ///< arrivals of a phase; still missing
  int64_t bytes;           ///< of copies that the phase still waits for
  uint32_t phase;          ///< phases that are complete
  bool isFenced;           ///< known to the copy engine
  uint8_t initWarp;
  uint32_t initTime;
  uint64_t waiting; ///< warps
  const SimInsn *at;
  uint32_t *clock, *done;
  uint32_t *used; ///< by warp: its time when it last arrived or waited
  uint32_t *peers,
      *peersDone;      ///< by block of the cluster: clocks of those who arrived from there, as clock and done
  uint32_t met;        ///< 1 + times that the cluster had met when another block arrived last
  SimBulkCopy *copies; ///< that count towards it, oldest first
  size_t numCopies, capacity;
};

enum { SIM_MAX_MBARRIERS = 128 };

/// A warp's part.
typedef struct SimHopperWarp {
  uint32_t time[3];             ///< by SimAgent
  uint32_t mbarrier;            ///< it waits at this one; SIM_NO_BLOCK: none
  uint32_t phase, parity;       ///< of the barrier when it began to wait
  uint32_t stores, storeGroups; ///< of the copy engine, uncommitted; committed and open
  uint32_t storeTimes[64];      ///< last operation of each open group
  bool isFenced;                ///< wgmma.fence since the last commit
  uint32_t committed;           ///< groups of products
  uint32_t groupTimes[8];       ///< last operation of the latest groups
  uint32_t *open;               ///< by register / 32 bytes: group + 1 of the product that writes it, or 0
  uint32_t numOpen;
  uint32_t
      *peers; ///< by block of the cluster: what the warp knows of its actors; NULL: a program is one block
} SimHopperWarp;

struct SimHopper {
  SimHopperWarp warps[SIM_MAX_WARPS];
  SimMBarrier barriers[SIM_MAX_MBARRIERS];
  unsigned numBarriers, numClocks;
  size_t numSlots;
};

#endif
