/* SkipMasks.h - what tile-gpu-skip-masks says of its branches. */
#ifndef TILE_LIB_DIALECT_TILEGPU_TRANSFORMS_SKIPMASKS_H
#define TILE_LIB_DIALECT_TILEGPU_TRANSFORMS_SKIPMASKS_H

/// A branch (scf.if) whose first side is only a shorter way to what its second side computes: that one is right whatever the condition.
#define TILE_SHORTCUT "tile_gpu.shortcut"

#endif
