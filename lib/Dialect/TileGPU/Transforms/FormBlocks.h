/* FormBlocks.h - loads and stores of boxes as those of blocks of descriptors. */
#ifndef TILE_LIB_TILEGPU_FORMBLOCKS_H
#define TILE_LIB_TILEGPU_FORMBLOCKS_H
#include "Boxes.h"
#include "tile-c/Support/Arena.h"

typedef struct TileFormSite {
  TileBuilder b;
  TileArena *arena;
  MlirBlock entry; ///< at whose start descriptors are made
} TileFormSite;

/// The block, a matrix, as the memory has it: neighbours along the last dimension.
MlirType tileFormedBlockType(const TileBox *box, MlirType type);
/// Replaces a tile.load or tile.store by the box's; `isChecked`: where no tensor map can be made, it is not reached.
void tileFormBlock(const TileFormSite *f, MlirOperation access, const TileBox *box, bool isChecked);

/// A block's operations behind the one that makes `ok` move into the first arm of a branch, a copy of them into the second.
void tileSplitBlock(TileBuilder b, MlirLocation loc, MlirBlock block, MlirValue ok, MlirBlock out_arms[2]);

/// Tells later passes that the launcher makes this tile.make_desc.
void tileMarkFormed(MlirOperation make, bool isLoaded, bool isChecked);

#endif
