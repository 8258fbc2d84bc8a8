/* WidenedFactors.h - factors that are loaded as bytes and widened in the threads that multiply. */
#ifndef TILE_LIB_TILEGPU_WIDENEDFACTORS_H
#define TILE_LIB_TILEGPU_WIDENEDFACTORS_H
#include "tile-c/Dialect/Tile.h"

/// Whether a factor of 16 bits follows, element by element, transposed or not, from one load of bytes that stands in the product's
/// block; `descriptors`: from a block that the copy engine can bring, and from no other load that stands there.
bool tileFactorIsWidened(TileDotOp dot, MlirValue factor, bool descriptors);

/// The load of bytes through pointers that such a factor follows from; null if there is none.
MlirOperation tileWidenedLoad(TileDotOp dot, MlirValue factor);

/// The product with its factors exchanged, transposed as they and its sum are: b^T a^T + c^T. A sum that a loop carries for the product
/// alone is carried transposed. The old product is erased.
TileDotOp tileExchangeFactors(TileBuilder b, TileDotOp dot);

/// Blocks of descriptors that the factor follows from become buffers that the copy engine fills, read where they were loaded.
void tileBringWidened(TileBuilder b, MlirValue factor);

#endif
