/* FormApart.h - a version for matrices whose rows start at any element: the copy engine brings rows that start alike. */
#ifndef TILE_LIB_TILEGPU_FORMAPART_H
#define TILE_LIB_TILEGPU_FORMAPART_H
#include "Boxes.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Support/Arena.h"

/// Whether the copy engine can bring the rows of a factor's box apart: `box->apart` says how far. `type` is the factor's.
bool tileApartTakes(const TileAxisInfo *info, TileBox *box, MlirType type);
/// Makes a block the version in which factors of warp groups' products come so, which they all can (tileApartTakes).
void tileFormApartBlock(TileBuilder b, TileArena *arena, const TileModuleTarget *target,
                        const TileAxisInfo *info, MlirBlock block);

#endif
