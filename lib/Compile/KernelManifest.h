/* KernelManifest.h - the launch contract of a module's kernels, gathered while it is compiled. */
#ifndef TILE_LIB_COMPILE_KERNELMANIFEST_H
#define TILE_LIB_COMPILE_KERNELMANIFEST_H
#include "mlir-c/IR.h"
#include "tile-c/Manifest.h"
#include "tile-c/Session.h"
#include "tile-c/Support/Arena.h"

/// Zero-initialise. The arena owns everything that the manifest points to.
typedef struct TileKernelManifest {
  TileArena arena;
  TileManifest manifest;
  TileManifestKernel *kernels;
} TileKernelManifest;

/// Reads the kernels' signatures; before the pipeline runs. Diagnostics at a parameter that no launcher could
/// pass.
MlirLogicalResult tileKernelManifestCollect(TileKernelManifest *m, const TileSession *session);
/// Adds what the pipeline decided: shared memory, extra warps. After the pipeline has run.
void tileKernelManifestComplete(TileKernelManifest *m, const TileSession *session);
void tileKernelManifestRelease(TileKernelManifest *m);

#endif
