/* SharedChoice.h - the layout of a buffer in shared memory that is cheapest for those who use it. */
#ifndef TILE_LIB_TILEGPU_SHAREDCHOICE_H
#define TILE_LIB_TILEGPU_SHAREDCHOICE_H
#include "tile-c/LayoutShared.h"
#include "tile-c/Target.h"

enum { TileSharedReader_Max = 8 };

typedef struct TileSharedReader {
  TileLayout layout; ///< of the registers it reads into, in the buffer's dimensions
} TileSharedReader;

/// Rows run along the dimension in which `writer` holds neighbours in a thread. Among swizzles of chunks from
/// 16 bytes down, and none, the one with the fewest passes over the banks, of one warp that writes once and of
/// all readers; a writer's vectors of up to 16 bytes stay together. Where there are no asynchronous copies (none are of fewer than 4 bytes), layouts that
/// are made for a reader and scatter the writer's vectors compete too, unless `inChunks`: the writer is a copy of 16 bytes
/// a lane. False if a layout does not fit.
bool tileChooseSharedLayout(const TileLayout *writer, const TileSharedReader *readers, int count,
                            int32_t elementBits, const TileTargetInfo *target, bool inChunks,
                            TileSharedLayout *out);
/// Passes over the banks that one warp needs to read a buffer into `layout`, by matrices or vectors.
int64_t tileSharedReadCost(const TileLayout *layout, const TileSharedLayout *shared, int32_t elementBits,
                           const TileTargetInfo *target);

#endif
