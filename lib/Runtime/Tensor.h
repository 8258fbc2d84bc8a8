/* Tensor.h - how a launch passes descriptors. */
#ifndef TILE_RUNTIME_TENSOR_H
#define TILE_RUNTIME_TENSOR_H
#include "tile-c/Runtime.h"

/// The kernel's own parameters that a parameter of the source takes.
size_t tileTensorParts(const TileManifestParam *param);
/// Points `out_params` to the parts of a checked tensor, in the kernel's order; `sizes` has room for `rank` of
/// them. Returns how many there are.
size_t tileTensorPass(const TileTensor *tensor, int32_t *sizes, void **out_params);

#endif
