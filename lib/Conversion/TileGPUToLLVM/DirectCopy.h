/* DirectCopy.h - copies from global to shared memory that pass through no register, on AMD. */
#ifndef TILE_LIB_CONVERSION_DIRECTCOPY_H
#define TILE_LIB_CONVERSION_DIRECTCOPY_H
#include "Lowering.h"

/// Lowers a tile_gpu.async_copy of 16 bytes a lane; false, and nothing is emitted, if it has another form.
bool tileLowerDirectCopy(TileLowering *l, MlirOperation op);
/// Whether there are copies in a function or region that are marked as direct.
bool tileHasDirectCopies(MlirOperation function);
/// Copies of a warp that may be under way behind a wait for all groups but the newest `groups`.
int64_t tileCopiesUnderWay(TileLowering *l, MlirOperation wait, int64_t groups);

#endif
