/* ResourceReport.h - what the kernels need, for people (--emit=report). */
#ifndef TILE_LIB_COMPILE_RESOURCEREPORT_H
#define TILE_LIB_COMPILE_RESOURCEREPORT_H
#include "tile-c/Emission.h"
#include "tile-c/Manifest.h"

/// Text, malloc'ed. `usage` lists the kernels that the assembler reported, in any order.
char *tileResourceReport(const TileManifest *manifest, const TileTargetInfo *target,
                         const TileEmission *usage, size_t *out_size);

#endif
