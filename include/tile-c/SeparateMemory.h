/* SeparateMemory.h - which parameters of a kernel the code takes to be different memory.
 *
 * Passes that start loads early, or leave accesses to an engine that keeps no order with others, rely on it.
 * They tell it to the function, whose discardable attribute
 *   tile_gpu.separate = array<i32: 0, 2, 1, 2>
 * is a list of pairs of launch values (as in Manifest.h), the smaller one first. The launch contract has them,
 * and the simulator and libtile_rt refuse arguments of a pair that overlap. Of parameters that tile-gpu-find-in-place
 * has found (`tile_gpu.in_place`, triples) the pair goes to another list, of triples,
 *   tile_gpu.same_or_separate = array<i32: 2, 3, 0>
 * and may be the very same memory, if so many values behind each are equal too. */
#ifndef TILE_C_SEPARATEMEMORY_H
#define TILE_C_SEPARATEMEMORY_H
#include "mlir-c/IR.h"
#include "tile-c/Manifest.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The position of a func.func's parameter, or of a descriptor's pointer, among the values that the kernel is
/// launched with: a descriptor is its pointer, sizes and strides.
int tileLaunchValueOf(MlirValue parameter);
/// Tells the function of two parameters that they are taken to be different memory. Harmless if they are one.
void tileAssumeSeparate(MlirValue a, MlirValue b);
/// Tells the function that this will be enough: they are different memory or the very same.
void tileAllowSame(MlirValue a, MlirValue b);
/// The pairs of a function, lowered or not.
intptr_t tileSeparateCount(MlirOperation function);
TileValuePair tileSeparateGet(MlirOperation function, intptr_t i);
/// Copies them from a function to what it becomes.
void tileSeparateCopy(MlirOperation from, MlirOperation to);

#ifdef __cplusplus
}
#endif
#endif
