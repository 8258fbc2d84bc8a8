/* LoopPrograms.h - kernels that go over their programs in a loop, one block a multiprocessor. */
#ifndef TILE_LIB_TILEGPU_LOOPPROGRAMS_H
#define TILE_LIB_TILEGPU_LOOPPROGRAMS_H
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/IR.h"

/// Whether the kernel, which multiplies blocks that the copy engine brings, should: each multiprocessor has room for one of its
/// programs, all take the same time, and nothing depends on their order.
bool tileShouldLoopPrograms(MlirOperation function, const TileModuleTarget *target);
/// Gives the kernel's body a loop over the programs; three hidden parameters say how many there are.
void tileLoopPrograms(TileBuilder b, MlirOperation function);

/// The same of a kernel that goes over blocks of the result itself: whether a warp of its own should bring the blocks.
bool tileShouldProduce(MlirOperation function, const TileModuleTarget *target);
/// All loops with products ask for one.
void tileAskForProducer(MlirOperation op);

#endif
