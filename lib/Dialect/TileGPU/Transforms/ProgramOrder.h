/* ProgramOrder.h - what tile-gpu-order-programs tells the pass that gives a kernel a loop over its programs. */
#ifndef TILE_GPU_PROGRAM_ORDER_H
#define TILE_GPU_PROGRAM_ORDER_H

/// Attribute of a kernel, i32: how the iterations of its loops with products follow the program's number along x, and nothing else of
/// the program.
static const char tileWorkName[] = "tile_gpu.work";

enum { TileWork_Grows = 1, TileWork_Falls = 2 };

/// Attribute of the ops whose results are used as the program's numbers in the order, i32: the axis.
static const char tileOrderedName[] = "tile_gpu.ordered";

#endif
