/* HopperOps.h - private to lib/Simulator: decoders of what sm_90 adds. */
#ifndef TILE_LIB_SIMULATOR_HOPPEROPS_H
#define TILE_LIB_SIMULATOR_HOPPEROPS_H
#include "Decode.h"
#include "Simulate.h"

bool simDecodeWgmma(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeWgmmaWait(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeWgmmaFence(SimDecoder *d, MlirOperation op, const SimRow *row); ///< param: 1 commits
bool simDecodeMBarrier(SimDecoder *d, MlirOperation op, const SimRow *row);   ///< by kind
bool simDecodeTma(SimDecoder *d, MlirOperation op, const SimRow *row);        ///< param: 1 stores
bool simDecodeBulk(SimDecoder *d, MlirOperation op, const SimRow *row);       ///< param: 1 waits
bool simDecodeProxyFence(SimDecoder *d, MlirOperation op,
                         const SimRow *row); ///< param: 1 of all, 0 of barriers

// ClusterOps.c
bool simDecodeClusterRank(SimDecoder *d, MlirOperation op,
                          const SimRow *row); ///< param: 1 the number of blocks
bool simDecodeClusterBarrier(SimDecoder *d, MlirOperation op,
                             const SimRow *row); ///< param: 0 arrives, 1 relaxed, 2 waits
bool simDecodeMapa(SimDecoder *d, MlirOperation op, const SimRow *row);

/// The parameters from `first` on are the kernel's tensor maps, made with the launch's arguments.
bool simBindTensorMaps(SimDecoder *d, SimRun *run, intptr_t first, const TileArgument *arguments,
                       size_t numArguments);
#endif
