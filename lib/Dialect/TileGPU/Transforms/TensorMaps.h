/* TensorMaps.h - tensor maps that a kernel's passes ask for. */
#ifndef TILE_LIB_TILEGPU_TENSORMAPS_H
#define TILE_LIB_TILEGPU_TENSORMAPS_H
#include "tile-c/AxisInfo.h"
#include "tile-c/Dialect/Tile.h"

/// What copies with a map do.
typedef enum TileTensorMapUse {
  TileTensorMapUse_Load,
  TileTensorMapUse_LoadApart, ///< no other copies get this map
  TileTensorMapUse_Store      ///< nor this one, whose boxes may change (GroupStores.h)
} TileTensorMapUse;

/// A buffer [rows, columns] with the block that `load` reads through a descriptor that is a parameter of the
/// kernel, or formed of parameters (tile-gpu-form-descriptors), and that it only reads, brought by the copy engine; null if it cannot. Rows of the block have to be a factor's rows along K
/// (kDim 1) if elements are not 16 bits wide. Adds the parameter's tensor map to the function.
MlirValue tileTmaBufferFor(TileBuilder b, TileDescLoadOp load, int kDim);

/// The same for a vector: a buffer [elements] in the order of memory. Null unless it has a multiple of 128 bytes and up to 256 elements
/// of f16, bf16 or f32.
MlirValue tileTmaVectorBufferFor(TileBuilder b, TileDescLoadOp load);

/// The matrix that a block of more dimensions is, whose first ones are 1; null if it is none.
MlirType tileBlockMatrix(MlirType block);

/// Whether the block that a tile.desc_load, tile.desc_store or tile.desc_reduce accesses is known to begin at a multiple of 16 bytes along its
/// innermost dimension: the copy engine ends the kernel at others.
bool tileBlockStartFits(const TileAxisInfo *info, MlirOperation access);
/// Marks accesses through parameters for which that is not known: the copy engine gets none of them from here on.
void tileMarkBlockStarts(const TileAxisInfo *info, MlirOperation function);
bool tileBlockStartIsMarked(MlirOperation access);

/// Whether a tensor map can have blocks [rows, columns] of this tensor type.
bool tileTensorMapTakes(MlirType block);
/// How many tensor maps, each of rows that are as far apart, can have blocks [rows, columns] of this tensor type of rows that start at any
/// element: as many elements as are in 16 bytes; 0: they cannot.
int64_t tileTensorMapTakesApart(MlirType block);
/// That number for a descriptor formed so (`tile_gpu.apart` on its tile.make_desc); 0 for others.
int64_t tileRowsApart(MlirValue desc);
/// The same as tileTmaBufferFor for blocks of such a descriptor, for tile_gpu.shifted_load.
MlirValue tileTmaApartBufferFor(TileBuilder b, TileDescLoadOp load);
/// The number of the tensor map of a descriptor that is a parameter or formed of some, for blocks [rows, columns] of this tensor
/// type, and the type of a buffer for one; -1: the copy engine does not take it.
int tileTensorMapFor(MlirValue desc, MlirType block, TileTensorMapUse use, MlirType *out_buffer);

/// Marks a copy as shared by the blocks of a cluster that share another (tile_gpu.multicast).
void tileTmaShareLike(MlirOperation from, MlirOperation to);

/// Boxes of a map with fewer rows, one of `parts` of them; for a map that only the caller's copies use.
bool tileTensorMapShorten(MlirOperation function, intptr_t map, int parts);

#endif
