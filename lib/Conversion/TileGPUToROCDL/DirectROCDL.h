/* DirectROCDL.h - loads to LDS on AMD, and waits for them. */
#ifndef TILE_LIB_CONVERSION_DIRECTROCDL_H
#define TILE_LIB_CONVERSION_DIRECTROCDL_H
#include "../TileGPUToLLVM/Lowering.h"

enum { TileAmdOpen_Any = 63 }; ///< operations under way: as many as there are

/// TileLoweringHooks.copyDirect and .waitForCopies.
void tileAmdCopyDirect(TileLowering *l, MlirValue to, const TileAccess *from);
void tileAmdWaitForCopies(TileLowering *l, int64_t open);
/// Waits until no more than so many loads of global memory (below 63), and operations of LDS, are under way (gfx9).
void tileAmdWaitForCounters(TileLowering *l, int64_t loads, int64_t shared);
/// The byte offset of a buffer access, outside of the resource where the predicate is false.
MlirValue tileAmdBufferOffset(TileLowering *l, const TileAccess *a);
/// Tells LLVM that what the function reads and writes in LDS is not what loads to LDS write: that the waits which are there
/// suffice.
void tileAmdSeparateCopies(MlirOperation function);

#endif
