/* Cluster.h - private to lib/Simulator: the blocks of a cluster, which run side by side: their barrier, and loads from each
 * other's shared memory.
 *
 * Each block is a machine of its own. They take turns when none of a block's warps can go on; the last block goes first,
 * so that one that ends too early is gone before others want its memory. */
#ifndef TILE_LIB_SIMULATOR_CLUSTER_H
#define TILE_LIB_SIMULATOR_CLUSTER_H
#include "Sim.h"

enum {
  SIM_MAX_CLUSTER = 16,
  SIM_RANK_SHIFT = 32 /* of an address of another block's shared memory: rank + 1 */
};

/// A block's part in the cluster.
struct SimCluster {
  SimMachine *blocks[SIM_MAX_CLUSTER]; ///< by rank
  unsigned count, rank;
  uint32_t phase, start;            ///< times that the blocks have met; when this program began
  uint64_t arrived, owing, waiting; ///< warps; owing: that have not waited since they arrived
  uint32_t phases[SIM_MAX_WARPS];   ///< when each warp arrived last
  uint32_t clock[SIM_MAX_CLOCKS];   ///< published by those who arrived
  uint32_t known[SIM_MAX_CLOCKS];   ///< what all blocks know of this one's
};

/// Machines for the other blocks of `first`'s cluster; false: no memory.
bool simClusterCreate(SimMachine *first);
void simClusterRelease(SimMachine *first);
void simClusterStart(SimMachine *m);
void simClusterBegin(SimMachine *m); ///< once all blocks have started
/// Lets all go on if everybody who lives has arrived; false if not.
bool simClusterComplete(SimMachine *first);
bool simClusterIsWaiting(const SimWarp *w);
void simClusterDeadlock(SimWarp *w);

SimStatus simClusterRank(SimWarp *w, const SimInsn *i);   ///< param: 1 the number of blocks
SimStatus simClusterArrive(SimWarp *w, const SimInsn *i); ///< param: 1 publishes nothing
SimStatus simClusterWait(SimWarp *w, const SimInsn *i);
SimStatus simMapa(SimWarp *w, const SimInsn *i);        ///< a: address of own memory, b: rank
SimStatus simClusterLoad(SimWarp *w, const SimInsn *i); ///< as simLoad, of an address that mapa gave

#endif
