/* Harness.h - from a kernel's text with layouts to what the simulator makes of it. */
#ifndef TILE_TEST_PROPERTY_HARNESS_H
#define TILE_TEST_PROPERTY_HARNESS_H
#include "tile-c/IR.h"
#include "tile-c/Layout.h"
#include "tile-c/Simulator.h"
#include "tile-c/Support/StringBuilder.h"
#include "tile-c/Target.h"

/// All dialects and passes. Destroyed with mlirContextDestroy.
MlirContext harnessContext(void);
/// "#name = #tile_gpu.layout<...>" and a newline.
void harnessAppendLayout(TileStringBuilder *out, const char *name, const TileLayout *layout);
/// "module attributes {...} {" and a newline.
void harnessAppendModule(TileStringBuilder *out, const TileTargetInfo *target, int warps);
/// Scratch, barriers and the conversion to LLVM's dialect; appends the lowered text, or what went wrong. False: it
/// did not work.
bool harnessLower(MlirContext context, const TileTargetInfo *target, const TileStringBuilder *text,
                  TileStringBuilder *out);
/// One program of the only kernel, which takes two pointers. Appends the counters to `json`. False: a fault, told
/// on stderr.
bool harnessSimulate(const TileStringBuilder *lowered, const TileTargetInfo *target, int warps, void *in,
                     size_t inBytes, void *out, size_t outBytes, TileStringBuilder *json);

#endif
