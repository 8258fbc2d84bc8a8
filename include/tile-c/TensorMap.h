/* TensorMap.h - the tensor maps that a lowered kernel takes after its parameters.
 *
 * The llvm.func has a discardable attribute
 *   tile_gpu.tensor_maps = [{base = 0 : i32, element = f16, sizes = array<i32: 5, 3>, strides = array<i32: 5>,
 *                            box = array<i32: 64, 128>, swizzle = 128 : i32}, ...]
 * with one entry for each of its last parameters, which are the maps. `base`, `sizes` and `strides` are numbers of
 * parameters, innermost dimension first; the innermost stride is 1 and left out. -1: none. `size_factors` and
 * `stride_factors` (array<i64>, 1 where missing) multiply them, or stand alone; `size_more` and `stride_more` (two for each
 * dimension, -1 or missing: none) are parameters that they are multiplied by too. `nan` (unit): what lies outside
 * is NaN. `checked` (unit): the kernel does not use the map where a size or stride is below 1, or a stride is no
 * multiple of 16 bytes. `stored` (unit): it stores with it, in rows of whole 16 bytes. `apart` and
 * `row` (i32): of rows that start at any element, every `apart`-th from `row` on: base and first size are those from the multiple of 16
 * bytes in front of that row's start on, the second size is the number of such rows, the second stride that of `apart` rows. */
#ifndef TILE_C_TENSORMAP_H
#define TILE_C_TENSORMAP_H
#include "mlir-c/IR.h"
#include "tile-c/Manifest.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The attribute as it stands: a list, or null. For passes that make, change or hand on maps.
MlirAttribute tileTensorMapList(MlirOperation function);
/// Gives a function this list; null is none.
void tileTensorMapSetList(MlirOperation function, MlirAttribute list);
/// Tensor maps among the function's last parameters.
intptr_t tileTensorMapCount(MlirOperation function);
/// Recipe i; a member that is missing or of another kind reads as 0.
TileTensorMap tileTensorMapGet(MlirOperation function, intptr_t i);

#ifdef __cplusplus
}
#endif
#endif
