/* TileGPUModule.h - which chip a module is for and how many warps run a program: attributes of the module that
 * convert-tile-to-tile-gpu writes and every pass after it reads here. */
#ifndef TILE_C_DIALECT_TILEGPUMODULE_H
#define TILE_C_DIALECT_TILEGPUMODULE_H
#include "tile-c/IR.h"
#include "tile-c/Target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TileModuleTarget {
  TileTargetInfo info;              ///< a copy of the chip's row, without the features that are switched off
  int numWarps, numCtas, numStages; ///< at least 1; warps and ctas are powers of two
  int launchedWarps; ///< the first of them that run: what the others would hold is rows that pad (convert-tile-to-tile-gpu)
} TileModuleTarget;

/// Reads the attributes of the module that `op` is or lies in. Fails, after a diagnostic at the module, if they
/// are missing (except num_ctas and num_stages: 1) or say what cannot be.
MlirLogicalResult tileModuleTargetRead(MlirOperation op, TileModuleTarget *out);
/// Writes them; `disabled` is the comma-separated list of features that were switched off, may be empty.
void tileModuleTargetWrite(MlirOperation module, const TileModuleTarget *target, MlirStringRef disabled);

#ifdef __cplusplus
}
#endif
#endif
