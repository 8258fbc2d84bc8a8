/* Compile.h - libtile: text in, binary and manifest out; and the `cpu` device.
 *
 * Thread-safe: no state is shared between calls, each call makes its own MLIR context. Every failure is
 * reported through the diagnostic callback before the call returns; nothing is printed. */
#ifndef TILE_C_COMPILE_H
#define TILE_C_COMPILE_H
#include "tile-c/ElementType.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileSeverity {
  TileSeverity_Error,
  TileSeverity_Warning,
  TileSeverity_Remark,
  TileSeverity_Note
} TileSeverity;

/// Receives one diagnostic. `text` is "file:line:col: message" without severity and newline; valid during the
/// call only.
typedef void (*TileDiagnosticCallback)(TileSeverity severity, const char *text, void *user);

/// What to produce, in pipeline order. The names on the command line are in parentheses.
typedef enum TileEmit {
  TileEmit_Tile,        ///< after import and the target-free passes (tile)
  TileEmit_TileGPU,     ///< just before lowering (tile_gpu)
  TileEmit_LLVMDialect, ///< lowered, what the simulator executes (llvm-dialect)
  TileEmit_LLVM,        ///< LLVM IR text (llvm)
  TileEmit_PTX,         ///< NVIDIA only (ptx)
  TileEmit_Cubin,       ///< NVIDIA only, needs ptxas (cubin)
  TileEmit_AMDGCN,      ///< AMD only, assembly text (amdgcn)
  TileEmit_HSACO,       ///< AMD only, linked code object (hsaco)
  TileEmit_Manifest,    ///< the launch contract as JSON (manifest)
  TileEmit_Report       ///< human-readable report (report)
} TileEmit;

/// `name` is the command-line spelling; false if unknown.
bool tileEmitParse(const char *name, TileEmit *out_emit);
const char *tileEmitName(TileEmit emit);

typedef struct TileDefine {
  const char *name, *value;
} TileDefine;

/// The value of one of the kernel's scalar arguments, for --auto.
typedef struct TileKnown {
  const char *name;
  int64_t value;
} TileKnown;

/// Most warps of a program on any chip; three warp groups are the one number that is no power of two, and layouts are
/// made for four then, of which the last would hold nothing.
enum { TILE_MOST_WARPS = 32, TILE_THREE_GROUPS = 12, TILE_FOUR_GROUPS = 16 };
enum { TILE_MOST_STAGES = 16 }; ///< of a pipelined loop

/// Whether some chip takes programs of so many warps; tileTargetTakesWarps asks for one chip.
static inline bool tileIsWarpCount(int64_t warps) {
  return warps == TILE_THREE_GROUPS || (warps >= 1 && warps <= TILE_MOST_WARPS && (warps & (warps - 1)) == 0);
}

/// Initialise with tileCompileOptionsInit, then set what differs. Strings are borrowed for the call.
typedef struct TileCompileOptions {
  const char *fileName;      ///< for locations; NULL: "<input>"
  const char *target;        ///< chip: "sm_90a", "gfx942" ...; required from TileEmit_TileGPU on
  const char *kernel;        ///< NULL: all kernels of the text
  int numWarps;              ///< warps a program; 0: 4
  int numStages;             ///< 0: 3
  int numCtas;               ///< 0 or 1: loops ask for clusters
  int optLevel;              ///< LLVM level 0 to 3; -1 (tileCompileOptionsInit): 3
  bool debug;                ///< asserts are kept
  bool lineTables;           ///< -g
  bool noFpContract;         ///< --fp-contract=off
  bool precise;              ///< --math=precise
  const char *disable;       ///< comma-separated chip features to avoid, or NULL
  const char *ptxas;         ///< path of ptxas, or NULL: search
  int codeObjectVersion;     ///< AMD: 5 or 6; 0: 5
  bool keepsMemory;          ///< the process ends soon: what MLIR and LLVM hold is not given back
  int64_t maxSteps;          ///< cpu, sim: operations one program may execute; 0: no limit
  const TileDefine *defines; ///< -D NAME=VALUE
  size_t numDefines;
  const char *automatic;  ///< --auto: the chip for which the cost rule chooses among the values that the text
                          ///< declares (those without -D); NULL: defaults
  const TileKnown *known; ///< scalar arguments, by name; others count as 4096
  size_t numKnown;
  unsigned processors;               ///< multiprocessors; 0: as the chip usually has
  TileDiagnosticCallback diagnostic; ///< may be NULL
  void *diagnosticUser;
} TileCompileOptions;

void tileCompileOptionsInit(TileCompileOptions *options);

/// Bytes owned by the library; text outputs carry a terminating zero that `size` does not count.
typedef struct TileCompileResult {
  char *data;
  size_t size;
  char *manifest; ///< JSON, for the binary kinds and TileEmit_Manifest; else NULL
  size_t manifestSize;
} TileCompileResult;

void tileCompileResultRelease(TileCompileResult *result);

/// How a call ends; the tools' exit status. On failure diagnostics were given.
typedef enum TileStatus {
  TileStatus_Done = 0,
  TileStatus_Failed = 1, ///< the text does not do, or something outside (ptxas)
  TileStatus_Options = 2 ///< the options do not: by themselves, for the chip, or no kernel has that name
} TileStatus;

/// Compiles `size` bytes of MLIR or Triton IR text (told apart by content). A TileStatus.
int tileCompile(const char *text, size_t size, TileEmit emit, const TileCompileOptions *options,
                TileCompileResult *out_result);

/// Kernel parameters as the launch contract sees them.
typedef struct TileArgument {
  TileElementType type; ///< element type of the buffer, or the scalar's type
  bool isBuffer;
  void *data;          ///< buffer: elements in host memory, row-major; written by the kernel
  int64_t numElements; ///< buffer: elements
  union {
    int64_t i; ///< i1 to i64, sign-extended
    double f;  ///< any float type, as its exact value
  } scalar;
  int number; ///< what messages call it, plus 1: the arguments of a descriptor are one to the user; 0: its index
} TileArgument;

static inline int tileArgumentNumber(const TileArgument *argument, size_t index) {
  return argument->number ? argument->number - 1 : (int)index;
}

/// Executes kernel `options->kernel` (may be NULL if there is only one) on the `cpu` device: the meaning of
/// the tile ops. Every access outside a buffer is a diagnostic. A TileStatus.
int tileExecuteCpu(const char *text, size_t size, const TileCompileOptions *options, const uint32_t grid[3],
                   TileArgument *arguments, size_t numArguments);

#ifdef __cplusplus
}
#endif
#endif
