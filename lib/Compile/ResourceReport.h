/* ResourceReport.h - what the kernels need, for people (--emit=report). */
#ifndef TILE_LIB_COMPILE_RESOURCEREPORT_H
#define TILE_LIB_COMPILE_RESOURCEREPORT_H
#include "tile-c/Emission.h"
#include "tile-c/Manifest.h"
#include "tile-c/Support/StringBuilder.h"

/// Text, malloc'ed. `module` is the lowered one; `usage` lists the kernels that the assembler reported, in
/// any order.
char *tileResourceReport(MlirModule module, const TileManifest *manifest, const TileTargetInfo *target,
                         const TileEmission *usage, size_t *out_size);

/// Appends a line for each assertion that the lowered kernel checks: position and message.
void tileReportAsserts(MlirModule module, const char *kernel, TileStringBuilder *text);

#endif
