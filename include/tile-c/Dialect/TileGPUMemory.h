/* TileGPUMemory.h - between #tile_gpu.shared, !tile_gpu.memdesc and the layout algebra's TileSharedLayout. */
#ifndef TILE_C_DIALECT_TILEGPUMEMORY_H
#define TILE_C_DIALECT_TILEGPUMEMORY_H
#include "tile-c/IR.h"
#include "tile-c/LayoutShared.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TileShared_DefaultAlignment = 16 }; ///< bytes; what a #tile_gpu.shared without `align` has

/// The attribute of a layout of rank 1 or more; `alignment` in bytes, a power of two.
MlirAttribute tileSharedToAttr(MlirContext context, const TileSharedLayout *shared, int64_t alignment);
/// The layout, on the shape that its bases span. False, `out` untouched, for any other attribute.
bool tileSharedFromAttr(MlirAttribute attr, TileSharedLayout *out);

/// A !tile_gpu.memdesc taken apart.
typedef struct TileMemDesc {
  TileElementType element;
  int32_t elementBytes;              ///< in memory; an i1 is a byte
  int32_t rank;                      ///< of the layout, and of the view without its dimensions of buffers
  int32_t numBufferDims;             ///< dimensions before those
  int64_t numBuffers;                ///< their product; 1 without
  int64_t shape[TileLayout_MaxRank]; ///< of the view, `rank` sizes
  TileSharedLayout layout;           ///< of one whole buffer
  int64_t alignment;                 ///< bytes
  int64_t stride;                    ///< bytes from a buffer to the next
} TileMemDesc;

/// False if `type` is no memdesc.
bool tileMemDescOf(MlirType type, TileMemDesc *out);
/// Whether the view is smaller than the buffer.
bool tileMemDescIsPart(const TileMemDesc *desc);
/// Bytes to allocate.
int64_t tileMemDescBytes(const TileMemDesc *desc);
/// Whether buffers like `one` that lie after each other are a buffer like `whole`.
bool tileMemDescContinues(const TileMemDesc *one, const TileMemDesc *whole);
/// The same distribution, as one of a part at the buffer's first elements: what tileSharedAccessOf wants with
/// desc->layout. False if it is not of the view's shape.
bool tileMemDescEmbed(const TileMemDesc *desc, const TileLayout *distributed, TileLayout *out);
/// The offset in elements, before padding, of the element at `coords` (rank numbers).
int64_t tileMemDescOffset(const TileMemDesc *desc, const int64_t *coords);
/// The buffer for blocks [rows, columns] of rows that start at any element, of which every `apart`-th starts alike behind a multiple of 16
/// bytes: those lie together, each with 16 bytes more than it has elements, in parts of up to 128 bytes; `out_columns` of one. False if
/// there is none: a part has 32 bytes at least, and rows that start alike are a multiple of 8.
bool tileSharedApart(const int64_t shape[2], int32_t elementBytes, int64_t apart, TileSharedLayout *out,
                     int64_t *out_columns);
/// The memdesc type of one buffer of `shape` with this layout, of `count` buffers if count > 0.
MlirType tileMemDescTypeFor(MlirType element, const TileSharedLayout *layout, int64_t alignment,
                            int64_t count);

/// What stands in the way of an attribute or type with these parameters, as a message; null: nothing.
const char *tileSharedAttrProblem(int64_t rank, intptr_t numOffsets, const int64_t *offsets,
                                  intptr_t numBlocks, const int64_t *blocks, int64_t padInterval,
                                  int64_t padAmount, int64_t alignment);
const char *tileMemDescProblem(intptr_t rank, const int64_t *shape, MlirType element, MlirAttribute layout);

#ifdef __cplusplus
}
#endif
#endif
