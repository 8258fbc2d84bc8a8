/* Amdgpu.h - AMD code objects. */
#ifndef TILE_LIB_TARGET_AMDGPU_H
#define TILE_LIB_TARGET_AMDGPU_H
#include "tile-c/Emission.h"

/// Links one relocatable object into a code object (hsaco), malloc'ed with a terminating zero not counted.
MlirLogicalResult tileAmdgpuLink(const char *object, size_t size, MlirLocation loc, char **out_data,
                                 size_t *out_size);

#endif
