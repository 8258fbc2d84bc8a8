/* ResourceReport.h - what the kernels need, for people (--emit=report). */
#ifndef TILE_LIB_COMPILE_RESOURCEREPORT_H
#define TILE_LIB_COMPILE_RESOURCEREPORT_H
#include "AccessReport.h"
#include "tile-c/Emission.h"
#include "tile-c/Manifest.h"
#include "tile-c/Support/StringBuilder.h"

/// Text, malloc'ed. The session's module is lowered; `usage` lists the kernels that the assembler reported,
/// in any order; `accesses` was gathered before lowering.
char *tileResourceReport(const TileSession *session, const TileManifest *manifest, const TileEmission *usage,
                         const TileAccessReport *accesses, size_t *out_size);

/// Appends a line for each assertion that the lowered kernel checks: position and message.
void tileReportAsserts(MlirModule module, const char *kernel, TileStringBuilder *text);

#endif
