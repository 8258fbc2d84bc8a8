/* DeferStores.h - copies out of buffers that go on while the loop around them continues. */
#ifndef TILE_LIB_TILEGPU_DEFERSTORES_H
#define TILE_LIB_TILEGPU_DEFERSTORES_H
#include "tile-c/Dialect/SCF.h"

enum { TileDefer_MaxStores = 8 };

/// If all stores of the copy engine in the loop are in its body itself, from buffers of their own: the buffers are made before
/// the loop, and waited for where the first of them is filled again, and behind the loop. Returns how many there are, 0 if there
/// is a store of another kind.
int tileDeferStores(TileBuilder b, SCFForOp loop, MlirValue out[TileDefer_MaxStores]);

#endif
