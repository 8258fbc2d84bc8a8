/* Usage.h - the list of kernels and what they use, as a reader of tool output fills it. */
#ifndef TILE_LIB_TARGET_USAGE_H
#define TILE_LIB_TARGET_USAGE_H
#include "tile-c/Emission.h"

/// Appends a kernel of which nothing is known yet; NULL without memory.
TileKernelUsage *tileUsageAdd(TileEmission *emission, const char *name, size_t length);

/// Reads the metadata of AMD assembly text (AMDGPUUsage, "Code Object V5 Metadata") into the kernels' usage.
void tileAmdgpuReadUsage(const char *assembly, TileEmission *emission);

#endif
