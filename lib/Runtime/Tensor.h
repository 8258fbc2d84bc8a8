/* Tensor.h - how a launch passes descriptors. */
#ifndef TILE_RUNTIME_TENSOR_H
#define TILE_RUNTIME_TENSOR_H
#include "tile-c/Runtime.h"

/// The kernel's own parameters that a parameter of the source takes.
size_t tileTensorParts(const TileManifestParam *param);
/// Points `out_params` to the parts of a checked tensor, in the kernel's order; `sizes` has room for `rank` of
/// them. Returns how many there are.
size_t tileTensorPass(const TileTensor *tensor, int32_t *sizes, void **out_params);

/// Refuses arguments of which the contract says that they are different memory, and which overlap: descriptors
/// with all they reach, pointers with their first element (nobody tells the launch where they end).
TileErrorCode tileSeparateCheck(const TileManifestKernel *contract, void *const *arguments,
                                TileError *out_error);

#endif
