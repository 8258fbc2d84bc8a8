/* Options.h - checking a compilation's options. */
#ifndef TILE_LIB_COMPILE_OPTIONS_H
#define TILE_LIB_COMPILE_OPTIONS_H
#include "tile-c/Compile.h"
#include "tile-c/Target.h"

/// Where a text says how many warps or stages there are; line 0: it does not, an option or the default does.
typedef struct TileCountPlace {
  unsigned line, column;
  bool isDefine; ///< the line declares the name, and -D has given the value
} TileCountPlace;

typedef struct TileCountPlaces {
  TileCountPlace warps, stages;
} TileCountPlaces;

/// Copies the options with defaults filled in, and the target's table without the disabled features.
/// *out_hasTarget is false if no chip is named. False: a diagnostic was given.
bool tileOptionsResolve(const TileCompileOptions *given, const TileCountPlaces *places,
                        TileCompileOptions *out_options, TileTargetInfo *out_target, bool *out_hasTarget);

#endif
