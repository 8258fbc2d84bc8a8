/* Simulator.h - the `sim` device: executes lowered code, every lane of every warp, on the CPU.
 *
 * What runs is the LLVM-dialect module that convert-tile-gpu-to-nvvm and convert-tile-gpu-to-rocdl produce
 * (llvm, nvvm, rocdl and tile_nv ops), just before expand-tile-nv and translation. Warps of 32 or 64 lanes
 * advance with a mask of active lanes and meet again at post-dominators. Programs run in parallel on the
 * host's cores; results are the same on every machine and for every number of threads. docs/simulator.md
 * says what is checked, counted and modelled. */
#ifndef TILE_C_SIMULATOR_H
#define TILE_C_SIMULATOR_H
#include "tile-c/Compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of faults that can be looked for; accesses outside memory never touch the host's memory, checked or
/// not.
typedef enum TileSimCheck {
  TileSimCheck_Race = 1,    ///< unordered accesses of shared and global memory; async data before its wait
  TileSimCheck_Bounds = 2,  ///< accesses outside buffers, misaligned accesses
  TileSimCheck_Uninit = 4,  ///< reads of shared memory that nobody has written
  TileSimCheck_NaN = 8,     ///< matrix instructions that produce NaN
  TileSimCheck_Default = 7, ///< all but NaN
} TileSimCheck;

typedef enum TileSimStats { TileSimStats_None, TileSimStats_Text, TileSimStats_Json } TileSimStats;

/// Zero-initialise, set `checks`, then what differs.
typedef struct TileSimOptions {
  unsigned checks;   ///< TileSimCheck bits
  uint64_t maxSteps; ///< instructions that one warp may execute; 0: 10^9
  bool shuffle;      ///< another interleaving of warps and another order of programs, from `seed`
  uint64_t seed;
  unsigned numThreads; ///< host threads; 0: as many as cores
  TileSimStats stats;  ///< counters, given to `output` at the end
  /// Receives the counters, and what the kernel prints; `text` is zero-terminated. NULL: dropped.
  void (*output)(const char *text, void *user);
  void *outputUser;
} TileSimOptions;

/// Compiles kernel `options->kernel` (may be NULL if there is only one) for `options->target` and executes
/// it, or executes it as it is if the text is lowered already. `simOptions` may be NULL: the default checks.
/// A TileStatus; a fault's diagnostic has its op, program, warp, lane and address, and the buffers then hold
/// what the programs had written.
int tileExecuteSim(const char *text, size_t size, const TileCompileOptions *options, const uint32_t grid[3],
                   TileArgument *arguments, size_t numArguments, const TileSimOptions *simOptions);

#ifdef __cplusplus
}
#endif
#endif
