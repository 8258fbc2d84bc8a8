/* Options.c - fills defaults in and refuses values that no target could take. */
#include "Options.h"
#include "Report.h"
#include <stdio.h>

void tileCompileOptionsInit(TileCompileOptions *options) {
  *options = (TileCompileOptions){0};
  options->optLevel = -1;
}

static bool resolveTarget(const TileCompileOptions *options, TileTargetInfo *target) {
  const TileTargetInfo *found = tileTargetLookup(options->target);
  if (!found) {
    tileReport(options, TileSeverity_Error, "unknown target '%s', expected one of %s", options->target,
               tileTargetNames());
    return false;
  }
  *target = *found;
  const char *bad;
  size_t length;
  if (tileTargetDisable(target, options->disable, &bad, &length))
    return true;
  tileReport(options, TileSeverity_Error, "unknown feature '%.*s' to disable", (int)length, bad);
  return false;
}

/// Reports an option, or where the text declares it, as NUM_WARPS.
static void reportCount(const TileCompileOptions *options, const TileCountPlace *place, const char *option,
                        const char *declared, int value, const char *expected) {
  if (place->line)
    tileReportAt(options, TileSeverity_Error, place->line, place->column, "%s: got %d%s, expected %s",
                 declared, value, place->isDefine ? " from -D" : "", expected);
  else
    tileReport(options, TileSeverity_Error, "%s: got %d, expected %s", option, value, expected);
}

static bool checkWarps(const TileCompileOptions *options, const TileTargetInfo *target,
                       const TileCountPlace *place) {
  if (options->target ? tileTargetTakesWarps(target, options->numWarps) : tileIsWarpCount(options->numWarps))
    return true;
  const bool takesGroups = !options->target || tileTargetTakesWarps(target, TILE_THREE_GROUPS);
  char expected[96];
  snprintf(expected, sizeof expected, "a power of two up to %u%s%s%s",
           options->target ? target->maxWarpsPerBlock : TILE_MOST_WARPS,
           takesGroups ? ", or 12 for three warp groups" : "", options->target ? " on " : "",
           options->target ? options->target : "");
  reportCount(options, place, "num-warps", "NUM_WARPS", options->numWarps, expected);
  return false;
}

static bool checkStages(const TileCompileOptions *options, const TileCountPlace *place) {
  if (options->numStages >= 1 && options->numStages <= TILE_MOST_STAGES)
    return true;
  char expected[48];
  snprintf(expected, sizeof expected, "a number from 1 to %d", TILE_MOST_STAGES);
  reportCount(options, place, "num-stages", "NUM_STAGES", options->numStages, expected);
  return false;
}

/* One block a program; those of a cluster are a loop's to ask for. */
static bool checkCtas(const TileCompileOptions *options) {
  if (options->numCtas != 1)
    tileReport(options, TileSeverity_Error,
               "num-ctas: got %d, expected 1: loops ask for clusters (tile.split, tile.blocks)",
               options->numCtas);
  return options->numCtas == 1;
}

static bool checkLevel(const TileCompileOptions *options) {
  if (options->optLevel > 3)
    tileReport(options, TileSeverity_Error, "opt-level: got %d, expected a number from 0 to 3",
               options->optLevel);
  return options->optLevel <= 3;
}

bool tileOptionsResolve(const TileCompileOptions *given, const TileCountPlaces *places,
                        TileCompileOptions *out_options, TileTargetInfo *out_target, bool *out_hasTarget) {
  TileCompileOptions o = *given;
  o.numWarps = o.numWarps ? o.numWarps : 4;
  o.numStages = o.numStages ? o.numStages : 3;
  o.numCtas = o.numCtas ? o.numCtas : 1;
  o.optLevel = o.optLevel < 0 ? 3 : o.optLevel;
  *out_hasTarget = o.target != NULL;
  if (o.target && !resolveTarget(&o, out_target))
    return false;
  *out_options = o;
  return checkWarps(&o, out_target, &places->warps) && checkStages(&o, &places->stages) && checkCtas(&o) &&
         checkLevel(&o);
}
