/* MemoryRoots.h - which parameters of a kernel memory belongs to: different parameters are different memory. */
#ifndef TILE_LIB_TILEGPU_MEMORYROOTS_H
#define TILE_LIB_TILEGPU_MEMORYROOTS_H
#include "tile-c/Dialect/Tile.h"

/// The kernel's parameter that a pointer starts from; null if it is not known.
MlirValue tilePointerParameter(MlirValue pointer);
/// The kernel's parameter, a pointer or a descriptor, whose memory an access is of; null if it is not known.
MlirValue tileAccessedParameter(MlirOperation access);
/// The same also of an access by a descriptor that the kernel makes.
MlirValue tileMemoryParameter(MlirOperation access);
/// Whether tile-gpu-form-descriptors made it of parameters: an op tile.make_desc with `tile_gpu.formed`, "loaded" or "stored".
bool tileDescriptorIsFormed(MlirValue desc);
/// Whether nothing in the kernel writes what a parameter points to, nor waits for writes of other launches.
bool tileParameterIsReadOnly(MlirValue pointer);
/// Whether the op is all that the kernel does with the memory of a parameter, a pointer.
bool tileParameterIsStoredOnce(MlirValue pointer, MlirOperation store);
/// Whether nothing in the kernel writes what the descriptor, a parameter, stands for, nor waits for writes of other launches.
bool tileDescriptorIsReadOnly(MlirValue desc);
/// Whether one store is all that the kernel does with the descriptor, a parameter, and with its memory.
bool tileDescriptorIsStoredOnce(MlirValue desc);
/// Tells the kernel that the descriptor's memory is taken to be other than what it writes, or accesses in any
/// way, through other parameters (SeparateMemory.h).
void tileAssumeDescriptorSeparate(MlirValue desc, bool alsoReads);

#endif
