/* Emission.h - from a module in the LLVM, NVVM or ROCDL dialect to LLVM IR, assembly text or a binary.
 *
 * Thread-safe: each call has its own LLVM context. Nothing is printed and no file is written; the only
 * process started is ptxas. Failures are diagnostics in the module's MLIR context. */
#ifndef TILE_C_EMISSION_H
#define TILE_C_EMISSION_H
#include "mlir-c/IR.h"
#include "tile-c/Compile.h"
#include "tile-c/Target.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A ptxas that waits for its text.
typedef struct TilePtxas TilePtxas;

/// Zero-initialise, then set what differs; strings are borrowed for the call.
typedef struct TileEmissionOptions {
  const TileTargetInfo *target; ///< required
  int optLevel;                 ///< 0 to 3, for LLVM and for ptxas
  unsigned codeObjectVersion;   ///< AMD: 5 or 6; 0: what the target table says
  bool slpVectorize;  ///< let LLVM join scalar operations into vectors (the lowering has chosen them already)
  bool lineTables;    ///< the module has debug locations and ptxas shall keep them
  const char *ptxas;  ///< path of ptxas, or NULL: search (see tilePtxasFind)
  bool keepsMemory;   ///< the process ends soon: what LLVM holds is not given back
  TilePtxas *started; ///< from tilePtxasStart with the same options, or NULL
} TileEmissionOptions;

/// What one kernel needs of the machine, as far as the last tool that looked at it says. -1: not known.
typedef struct TileKernelUsage {
  char *name;
  int registers;           ///< a thread: NVIDIA registers, AMD vector registers
  int accumRegisters;      ///< AMD: of those, accumulation registers
  int scalarRegisters;     ///< AMD: a wave
  int spillBytes;          ///< NVIDIA: bytes stored by spills a thread; AMD: registers spilled, times 4
  int stackBytes;          ///< local (scratch) memory a thread, spills included
  int sharedBytes;         ///< static shared memory (LDS) a block
  bool spillsBesideGroups; ///< what it spills, it spills beside products of warp groups (wgmma)
} TileKernelUsage;

typedef struct TileEmission {
  char *data; ///< text or binary, with a terminating zero that `size` does not count
  size_t size;
  TileKernelUsage *kernels; ///< for Cubin, AMDGCN, HSACO and Report; else none
  size_t numKernels;
} TileEmission;

/// Emits `module` (consumed only in that LLVM gets a translation of it) as LLVM, PTX, Cubin, AMDGCN or HSACO.
/// With TileEmit_Report `data` is empty and the kernels' usage is all that is wanted; no ptxas is then no
/// error. The module's context needs the translations of tileRegisterTranslations.
MlirLogicalResult tileEmitModule(MlirModule module, TileEmit kind, const TileEmissionOptions *options,
                                 TileEmission *out_emission);
void tileEmissionRelease(TileEmission *emission);
/// Warns at `loc` of kernels that spill beside products of warp groups.
void tileWarnOfSpills(MlirLocation loc, const TileEmission *emission);

/// Adds the LLVM IR translations of builtin, llvm, nvvm and rocdl to a registry.
void tileRegisterTranslations(MlirDialectRegistry registry);

/// Gives every function of a lowered module the debug scope that line tables need. `directivesOnly`: no debug
/// sections, only .loc lines, which is what ptxas wants.
MlirLogicalResult tileAddDebugScopes(MlirModule module, bool directivesOnly);

/// Starts ptxas before there is PTX: it takes some milliseconds to get ready, in which the kernel can be
/// compiled. Until tileEmitModule hands the text over, it waits. NULL if there is no ptxas: tileEmitModule says so.
/// Ends with tilePtxasEnd, whether it has been used or not.
TilePtxas *tilePtxasStart(const TileEmissionOptions *options);
void tilePtxasEnd(TilePtxas *ptxas);

/// Path of ptxas, malloc'ed: `given` if not NULL, else the first of $PATH, $CUDA_HOME/bin,
/// /usr/local/cuda/bin, and the build folder's `ptxas` (where the scripts unpack the wheel nvidia-cuda-nvcc).
/// NULL if there is none.
char *tilePtxasFind(const char *given);

/// For programs: when LLVM gives up in the middle of a kernel, print one sentence that names the kernel, and
/// exit with status 1. Libraries must not call it: LLVM has one such handler per process.
void tileInstallFatalErrorHandler(const char *programName);

#ifdef __cplusplus
}
#endif
#endif
