/* HandOn.h - kernels whose programs hand sums on to each other (tile_gpu.hand_on): the function has the attribute
 * tile_gpu.scratch_per_program (i32, bytes), and behind its own parameters one for so much memory a program, zeroed where it is
 * new. */
#ifndef TILE_C_HANDON_H
#define TILE_C_HANDON_H

/// Of a place, in front of the sums: its first word says whether they are there.
enum { TileHandOn_HeaderBytes = 128 };

static const char tileHandOnScratchName[] = "tile_gpu.scratch_per_program";

#endif
