/* Options.h - checking a compilation's options. */
#ifndef TILE_LIB_COMPILE_OPTIONS_H
#define TILE_LIB_COMPILE_OPTIONS_H
#include "tile-c/Compile.h"
#include "tile-c/Target.h"

/// Copies the options with defaults filled in, and the target's table without the disabled features.
/// *out_hasTarget is false if no chip is named. False: a diagnostic was given.
bool tileOptionsResolve(const TileCompileOptions *given, TileCompileOptions *out_options,
                        TileTargetInfo *out_target, bool *out_hasTarget);

#endif
