/* FactorLoads.h - how a factor of a matrix product should be loaded where its rows in memory do not run along K.
 */
#ifndef TILE_LIB_TILEGPU_FACTORLOADS_H
#define TILE_LIB_TILEGPU_FACTORLOADS_H
#include "tile-c/Dialect/TileGPUModule.h"

/// For targets whose loads pass through registers on their way to shared memory, and that cannot transpose
/// what they read there: if `factor` was loaded in runs across K (dimension `kDim`), its load is asked to give
/// each thread several rows, so that it can write runs along K.
void tileAskForRowsAlongK(const TileModuleTarget *target, MlirValue factor, int kDim);
/// Whether `op` is a load of a block of words, or wider elements, that cp.async will bring to a buffer ahead of its use: it is read
/// from there in any layout.
bool tileLoadWaitsInBuffer(const TileTargetInfo *info, int numStages, MlirOperation op);
/// Whether the load that `factor` comes from was asked to give threads runs along K.
bool tileRunsAlongK(MlirValue factor, int kDim);
/// Whether `factor`, of 16 bits, is made of bytes that lie across K in memory and will wait in a buffer from which ldmatrix
/// reads two rows of two neighbours at a time.
bool tileBytesRunAcrossK(const TileModuleTarget *target, MlirValue factor, int kDim);

#endif
