/* DropFences.h - fences of the async proxy that another one makes needless. */
#ifndef TILE_LIB_TILEGPU_DROPFENCES_H
#define TILE_LIB_TILEGPU_DROPFENCES_H
#include "tile-c/IR.h"

/// Erases tile_gpu.fence_async ops of a function whose entry block is `entry`, once shared memory is allocated.
void tileDropFences(TileBuilder b, MlirBlock entry);
#endif
