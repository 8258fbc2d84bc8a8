/* Simulate.h - private to lib/Simulator: a run from the module to the last program. */
#ifndef TILE_LIB_SIMULATOR_SIMULATE_H
#define TILE_LIB_SIMULATOR_SIMULATE_H
#include "Counters.h"
#include "Decode.h"

/// The text that a kernel came from, for the listing of the counters.
typedef struct SimSource {
  const char *name, *text;
  size_t size;
} SimSource;

/// Executes `kernel` (NULL: the only one) of a lowered module. Failure: a diagnostic was given.
MlirLogicalResult tileSimulateKernel(MlirModule module, const TileTargetInfo *target, const char *kernel,
                                     const uint32_t grid[3], TileArgument *arguments, size_t numArguments,
                                     const TileSimOptions *options, const SimSource *source);

// Arguments.c
/// Defines the entry block's arguments and lists the buffers; false after a diagnostic.
bool simBindArguments(SimDecoder *d, SimRun *run, const TileArgument *arguments, size_t numArguments);

// Stats.c
/// The counters as text or JSON, to run->output.
void simPrintStats(const SimRun *run, const SimDecoder *d, const SimSource *source, TileSimStats format);
#endif
