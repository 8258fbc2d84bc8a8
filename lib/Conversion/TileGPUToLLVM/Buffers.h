/* Buffers.h - how a thread reaches the elements of a buffer in shared memory. */
#ifndef TILE_LIB_CONVERSION_BUFFERS_H
#define TILE_LIB_CONVERSION_BUFFERS_H
#include "Lowering.h"
#include "tile-c/Dialect/TileGPUMemory.h"

/// A buffer or view in the function being built.
typedef struct TileBufferView {
  TileMemDesc desc;
  MlirValue base; ///< !llvm.ptr<3> of the buffer's offset 0
  int64_t start;  ///< offset in elements of the view's first element; XOR it to those of the view
} TileBufferView;

/// False if `v` is no buffer of one layout's size.
bool tileBufferViewOf(TileLowering *l, MlirValue v, TileBufferView *out);

/// Addresses of a thread: a map from (register, lane, warp) to offsets, and what its lanes and warps make of
/// it.
typedef struct TileBufferAddress {
  TileBufferView view;
  TileLayout toOffset;
  MlirValue thread; ///< i32, in front of the function's body
  MlirType memory;  ///< of an element
} TileBufferAddress;
TileBufferAddress tileBufferAddress(TileLowering *l, const TileBufferView *view, const TileLayout *toOffset);
/// !llvm.ptr<3> of the element that register `reg` of the map stands for.
MlirValue tileEmitBufferAddress(TileLowering *l, const TileBufferAddress *a, uint32_t reg);
/// The most elements, up to `width`, that stay together wherever the view begins.
int64_t tileBufferAlignedWidth(const TileBufferView *view, int64_t width);

#endif
