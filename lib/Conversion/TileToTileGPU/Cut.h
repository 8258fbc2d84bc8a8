/* Cut.h - private to this folder: products whose sizes are no powers of two become several that are (CutBlocks.c). */
#ifndef TILE_LIB_TILETOTILEGPU_CUT_H
#define TILE_LIB_TILETOTILEGPU_CUT_H
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

enum { Cut_MostPieces = 3 };

/// One size that is cut, and all values that have it along some dimension because one follows from another.
typedef struct Cut {
  MlirContext context;
  TileBuilder b;
  TileArena *arena;
  int64_t size, pieces[Cut_MostPieces], starts[Cut_MostPieces];
  int numPieces;
  bool reduces;           ///< reductions along other dimensions may stand among the values
  MlirValue start;        ///< i32: of the one piece that there is, instead of starts; null: none
  bool failed;            ///< something stands among the values that cannot be cut
  TilePointerMap dims;    ///< value -> its dimension + 1
  TilePointerList values; ///< all of them
  TilePointerList descs;  ///< descriptors that are parameters, of blocks of this size
  TilePointerMap parts;   ///< value -> MlirValue[numPieces]
  TilePointerList dead;   ///< ops whose pieces have been made, in the order of the text
} Cut;

/// The dimension of a value that is cut, -1 if it is none.
static inline int cutDimOf(const Cut *c, MlirValue v) {
  return (int)(intptr_t)tilePointerMapFind(&c->dims, v.ptr) - 1;
}

/// Collects the values that are cut if dimension `dim` of `v` is; false if that is not possible (CutWeb.c).
bool cutFindValues(Cut *c, MlirValue v, int dim);

/// The unit of a product's columns: 8, an instruction's, where the second factor lies along K in memory, so that each column is a row of
/// whole 16 bytes; else 16 (CutBlocks.c).
int64_t cutLeastColumns(TileDotOp dot);

/// Replaces all values by their pieces (CutBlocks.c).
void cutRewrite(Cut *c, MlirOperation function);

/// Shares out the rows and columns of a kernel's products with `tile.blocks` and `tile.column_blocks` among the blocks of a
/// cluster (CutRows.c).
void cutRowsOf(MlirOperation function, TileBuilder b, unsigned mostBlocks);

/// Pads the rows of a kernel's products, for `launched` of `numWarps` warps, to what all of them would hold (DeadWarps.c).
MlirLogicalResult cutForLaunchedWarps(MlirOperation module, int launched, int numWarps);

/// Products whose rows are no multiple of 64 and whose columns are change places with their factors (TransposeProducts.c).
void transposeProducts(MlirOperation module, int numWarps);

/// Tensors of products by warp groups whose sizes are no powers of two; what cannot be cut stays (CutBlocks.c).
void cutModule(MlirOperation module, int numWarps, unsigned mostBlocks);

#endif
