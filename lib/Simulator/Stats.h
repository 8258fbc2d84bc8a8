/* Stats.h - private to lib/Simulator: counters gathered for printing. */
#ifndef TILE_LIB_SIMULATOR_STATS_H
#define TILE_LIB_SIMULATOR_STATS_H
#include "Simulate.h"
#include "tile-c/Support/StringBuilder.h"

typedef enum SimTraffic {
  SimTraffic_GlobalLoad,
  SimTraffic_GlobalStore,
  SimTraffic_SharedLoad,
  SimTraffic_SharedStore,
  SimTraffic_Count
} SimTraffic;

extern const char *const simTrafficNames[SimTraffic_Count];
extern const char *const simMixNames[SimMix_Count];

/// Where an operation is in a source.
typedef struct SimSourceLine {
  MlirStringRef file;
  unsigned line, column;
} SimSourceLine;

/// One instruction that touches memory.
typedef struct SimAccessRow {
  SimSourceLine at;
  MlirStringRef op;
  SimTraffic traffic;
  SimAccessCounters counters;
} SimAccessRow;

/// All instructions of one source line.
typedef struct SimLineRow {
  SimSourceLine at;
  uint64_t warps; ///< executions by warps
  SimAccessCounters traffic[SimTraffic_Count];
} SimLineRow;

typedef struct SimSummary {
  const char *chip;
  uint64_t programs, warps, lanes; ///< programs run; warps of one; instructions executed by lanes
  uint64_t instructions;           ///< executed by warps
  unsigned lanesPerWarp;
  uint64_t mix[SimMix_Count];
  SimAccessCounters traffic[SimTraffic_Count];
  SimAccessRow *accesses;
  size_t numAccesses;
  SimLineRow *lines; ///< by file and line
  size_t numLines;
} SimSummary;

/// `arena` owns what the summary points to.
void simSummarize(const SimRun *run, const SimDecoder *d, SimSummary *out);
SimSourceLine simSourceLineOf(MlirOperation op);
/// source: the text that the kernel came from, of file `name`; the listing shows its lines.
void simStatsText(const SimSummary *s, const SimSource *source, TileStringBuilder *out);
void simStatsJson(const SimSummary *s, TileStringBuilder *out);
#endif
