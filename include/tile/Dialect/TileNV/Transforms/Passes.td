/* Passes on tile_nv. Keep alphabetical. */
#ifndef TILE_NV_TRANSFORMS_PASSES
#define TILE_NV_TRANSFORMS_PASSES
include "tile/TilePass.td"

def ExpandTileNV : TilePass<"expand-tile-nv"> {
  let summary = "Turn tile_nv ops into inline PTX";
  let description = [{
    The last pass before translation: what it makes is opaque to every later one.
  }];
  let dialects = ["llvm"];
}

#endif
