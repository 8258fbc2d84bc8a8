/* Options.c - fills defaults in and refuses values that no target could take. */
#include "Options.h"
#include "Report.h"
#include "tile-c/Support/Bits.h"
#include <string.h>

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

/// Reports "WHAT must be ..., got N".
static bool checkRange(const TileCompileOptions *options, const char *what, int value, bool valid,
                       const char *expected, unsigned limit) {
  if (!valid)
    tileReport(options, TileSeverity_Error, "%s: got %d, expected %s up to %u", what, value, expected, limit);
  return valid;
}

/* One block a program; those of a cluster are a loop's to ask for. */
static bool checkCtas(const TileCompileOptions *options) {
  if (options->numCtas != 1)
    tileReport(options, TileSeverity_Error,
               "num-ctas: got %d, expected 1: loops ask for clusters (tile.split, tile.blocks)",
               options->numCtas);
  return options->numCtas == 1;
}

/* Three warp groups: a kernel may have blocks of as many rows (convert-tile-to-tile-gpu says whether it has). */
static bool isThreeGroups(const TileCompileOptions *o, const TileTargetInfo *target) {
  enum { ThreeGroups = 12 };
  return o->numWarps == ThreeGroups && (!o->target || tileTargetHas(target, TileFeature_WGMMA));
}

bool tileOptionsResolve(const TileCompileOptions *given, TileCompileOptions *out_options,
                        TileTargetInfo *out_target, bool *out_hasTarget) {
  enum { maxStages = 16, maxWarpsAnywhere = 32 };
  TileCompileOptions o = *given;
  o.numWarps = o.numWarps ? o.numWarps : 4;
  o.numStages = o.numStages ? o.numStages : 3;
  o.numCtas = o.numCtas ? o.numCtas : 1;
  o.optLevel = o.optLevel < 0 ? 3 : o.optLevel;
  *out_hasTarget = o.target != NULL;
  if (o.target && !resolveTarget(&o, out_target))
    return false;
  unsigned maxWarps = o.target ? out_target->maxWarpsPerBlock : maxWarpsAnywhere;
  *out_options = o;
  return checkRange(&o, "num-warps", o.numWarps,
                    (tileIsPowerOfTwo(o.numWarps) || isThreeGroups(&o, out_target)) &&
                        (unsigned)o.numWarps <= maxWarps,
                    "a power of two", maxWarps) &&
         checkRange(&o, "num-stages", o.numStages, o.numStages > 0 && o.numStages <= maxStages,
                    "a number from 1", maxStages) &&
         checkCtas(&o) && checkRange(&o, "opt-level", o.optLevel, o.optLevel <= 3, "a number from 0", 3);
}
