/* Ptxas.h - running NVIDIA's assembler. */
#ifndef TILE_LIB_TARGET_PTXAS_H
#define TILE_LIB_TARGET_PTXAS_H
#include "tile-c/Emission.h"

/// Assembles PTX text (zero-terminated) into a cubin, out_emission->data, and fills the kernels' usage from
/// what ptxas says. What asks for several blocks on a multiprocessor and is spilled for them is assembled again for one. Errors, warnings and performance losses of ptxas become diagnostics at `loc`.
MlirLogicalResult tilePtxasRun(const char *ptx, size_t size, const TileEmissionOptions *options,
                               MlirLocation loc, TileEmission *out_emission);

/// Reads ptxas's messages: diagnostics at `loc`, and with `--verbose` output the kernels' usage. Returns the
/// number of errors.
unsigned tilePtxasReadLog(const char *log, MlirLocation loc, TileEmission *emission);

/// Notes which kernels spill although they have products of warp groups, whose sums ptxas then moves about or waits for.
void tilePtxasNoteSpills(const char *ptx, TileEmission *emission);

#endif
