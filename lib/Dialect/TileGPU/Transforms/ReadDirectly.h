/* ReadDirectly.h - buffers are read in the layout that is wanted. */
#ifndef TILE_LIB_TILEGPU_READDIRECTLY_H
#define TILE_LIB_TILEGPU_READDIRECTLY_H
#include "tile-c/IR.h"

/// A vector read from a buffer and converted to another layout, its only user, is read in that layout: other lanes read the
/// same words again, but nothing passes through shared memory a second time, between two barriers. Of vectors alone:
/// larger reads chose their layouts by cost.
void tileReadVectorsDirectly(TileBuilder b, MlirOperation module);

/// Reads of vectors (scales of a factor) stand in front of the copies that an iteration starts: copies write shared memory, and
/// ptxas lets no read pass them, so that the first product would wait for all their addresses.
void tileReadVectorsFirst(MlirBlock body);
/// The copies that an iteration starts stand behind its first product, whose fragments are there already: for blocks that are alone
/// on a multiprocessor, where nobody else multiplies while all warps compute addresses.
void tileCopiesBehindProduct(MlirBlock body);

#endif
