/* ChunkMasks.h - masks that compare a range of columns with a bound, by whole chunks of columns. */
#ifndef TILE_LIB_TILEGPU_CHUNKMASKS_H
#define TILE_LIB_TILEGPU_CHUNKMASKS_H
#include "tile-c/IR.h"

/// Whether a part of a mask is to stay as it is.
typedef bool (*TileChunkStays)(MlirValue part, void *user);

typedef struct TileChunks {
  TileBuilder b;
  MlirOperation loop; ///< in front of which the condition is emitted
  int64_t size;       ///< columns of a chunk, a power of two
  TileChunkStays stays;
  void *user;
} TileChunks;

/// The condition (i1, at the insertion point) by which all elements of a chunk have one mask; null if the mask is made of something else,
/// or of what the loop computes; perhaps some ops that nobody needs.
MlirValue tileChunkMaskHolds(const TileChunks *c, MlirLocation loc, MlirValue mask);
/// The mask of each chunk's first element, for all of it: the same as `mask` where that condition is true. At the insertion point.
MlirValue tileChunkMask(const TileChunks *c, MlirValue mask);

#endif
