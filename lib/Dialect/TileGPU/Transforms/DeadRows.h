/* DeadRows.h - rows of a block that nothing which is stored depends on. */
#ifndef TILE_LIB_TILEGPU_DEADROWS_H
#define TILE_LIB_TILEGPU_DEADROWS_H
#include "Boxes.h"

/// Whether rows (dimension `dim`) of a loaded block whose index is not below the dimension's size reach memory nowhere: each
/// store that depends on them is masked so that it leaves out those rows or columns that do.
bool tileRowsAreDead(MlirValue block, int dim, const TileBoxDim *rows);

#endif
