/* Passes on the target-free tile dialect. Keep alphabetical. */
#ifndef TILE_TRANSFORMS_PASSES
#define TILE_TRANSFORMS_PASSES
include "tile/TilePass.td"

#endif
