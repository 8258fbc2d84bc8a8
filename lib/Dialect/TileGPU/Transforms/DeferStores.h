/* DeferStores.h - copies out of a buffer that go on while the loop around them continues. */
#ifndef TILE_LIB_TILEGPU_DEFERSTORES_H
#define TILE_LIB_TILEGPU_DEFERSTORES_H
#include "tile-c/Dialect/SCF.h"

/// If the loop's body has one store of the copy engine, from a buffer of its own: the buffer is made before the
/// loop, and waited for where it is filled again, and behind the loop. Returns it; null if there is no such store.
MlirValue tileDeferStore(TileBuilder b, SCFForOp loop);

#endif
