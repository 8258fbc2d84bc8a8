/* KeepOpen.h - products of a specialised loop that go on while the next iteration starts. */
#ifndef TILE_LIB_TILEGPU_KEEPOPEN_H
#define TILE_LIB_TILEGPU_KEEPOPEN_H
#include "TmaCopies.h"

/// Whether the loop does nothing with the sums of its products but to add to them, so that they may stay open.
bool tileCanKeepOpen(const TileTmaCopies *c, SCFForOp loop);

/// Of a consumer's loop that carries the number of its buffer and a parity last, and frees the buffer at its end: keeps the products
/// of an iteration open until the next one's have started, and frees the buffer of the iteration before. `freed` has one barrier
/// more than there are buffers, which stands for the one of the iteration before the first. Returns the op with the loop's results, of
/// which the last is new: the loop, or a branch around it. `out_end`: the last op that takes part, which frees the last buffer.
MlirOperation tileKeepOpen(TileTmaCopies *c, SCFForOp loop, MlirValue freed, TileArena *arena,
                           MlirOperation *out_end);

/// Puts the loop into a branch of its own, taken if it has an iteration; returns the branch, whose results take the place of the
/// loop's.
MlirOperation tileEnterLoopBranch(TileBuilder b, TileArena *arena, SCFForOp loop);

#endif
