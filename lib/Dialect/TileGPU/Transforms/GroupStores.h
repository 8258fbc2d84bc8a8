/* GroupStores.h - copies out of a buffer by warp groups, each of the rows that it stored itself. */
#ifndef TILE_LIB_TILEGPU_GROUPSTORES_H
#define TILE_LIB_TILEGPU_GROUPSTORES_H
#include "tile-c/IR.h"

/// Marks the uses of a buffer that threads fill and the copy engine empties; false if groups do not hold runs of rows of what is
/// stored, or the buffer has other uses.
bool tileGroupStore(MlirOperation function, MlirValue buffer, int numWarps);

#endif
