/* Amdgpu.h - AMD code objects. */
#ifndef TILE_LIB_TARGET_AMDGPU_H
#define TILE_LIB_TARGET_AMDGPU_H
#include "tile-c/Emission.h"

/// Of LLVM's command line: LLVM 22's SDWA peephole takes v_ashrrev_i16, which clears the upper half, for a sign extension to 32
/// bits (mended by llvm-project#198491), and words that are read as 16 bits for such. test/lit/Target/sdwa.mlir.
#define TILE_AMDGPU_SWITCH "-amdgpu-sdwa-peephole=0"

/// Links one relocatable object into a code object (hsaco), malloc'ed with a terminating zero not counted.
MlirLogicalResult tileAmdgpuLink(const char *object, size_t size, MlirLocation loc, char **out_data,
                                 size_t *out_size);

#endif
