/* ClusterNVVM.h - blocks of a cluster: their numbers and their barrier. */
#ifndef TILE_LIB_TILEGPUTONVVM_CLUSTERNVVM_H
#define TILE_LIB_TILEGPUTONVVM_CLUSTERNVVM_H
#include "../TileGPUToLLVM/Lowering.h"

/// The number of this block in its cluster, i32.
MlirValue tileEmitBlockRank(TileLowering *l);
/// All threads of the cluster that have not ended meet; what they wrote to shared memory before is seen behind it.
void tileClusterBarrier(TileLowering *l);

#endif
