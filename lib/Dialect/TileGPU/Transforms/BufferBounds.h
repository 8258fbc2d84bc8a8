/* BufferBounds.h - between which numbers the offsets of a tensor of pointers lie, computed when the kernel runs. */
#ifndef TILE_LIB_TILEGPU_BUFFERBOUNDS_H
#define TILE_LIB_TILEGPU_BUFFERBOUNDS_H
#include "BufferOffsets.h"
#include "tile-c/OpKind.h"

typedef struct TileBufferBounds {
  MlirValue low, high; ///< i64, elements, both included; null if the pointers have no offsets
  MlirValue holds;     ///< i1: no sum or product on the way leaves its type, so that the two are right
} TileBufferBounds;

/// Emits them at the builder's insertion point from the scalars of which offsets are made. False, and perhaps some ops
/// that nobody needs, if they are made of something else.
bool tileBufferBoundsOf(TileBuilder b, MlirLocation loc, const TileBufferParts *parts, TileBufferBounds *out);

MlirValue tileBufferConstant(TileBuilder b, MlirLocation loc, int64_t x); ///< i64
/// x <= y, of i64.
MlirValue tileBufferAtMost(TileBuilder b, MlirLocation loc, MlirValue x, MlirValue y);

#endif
