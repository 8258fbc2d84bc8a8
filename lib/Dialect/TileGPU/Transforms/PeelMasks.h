/* PeelMasks.h - masks of loads that are true everywhere in the first iterations of a loop. */
#ifndef TILE_LIB_TILEGPU_PEELMASKS_H
#define TILE_LIB_TILEGPU_PEELMASKS_H
#include "tile-c/Dialect/SCF.h"
#include "tile-c/IR.h"

enum { TilePeel_MostMasks = 4 };

/// True everywhere while factor * iv + most < number, which is not known to hold for iv < 0.
typedef struct TilePeelMask {
  MlirValue value;
  MlirValue number; ///< i32, from outside of the loop
  int64_t factor, most;
} TilePeelMask;

/// A loop that counts in i32 from a constant, not negative, or from a number that is found not to be negative when the kernel runs.
typedef struct TilePeel {
  TileBuilder b;
  SCFForOp loop;
  MlirBlock body;
  int64_t lower, step;
  MlirValue start; ///< what it counts from if that is no constant; else null
  TilePeelMask masks[TilePeel_MostMasks];
  int numMasks;
} TilePeel;

/// Collects the masks.
void tilePeelFindMasks(TilePeel *p);
/// The bound of the loop's first iterations in which all of them are true everywhere, at the insertion point.
MlirValue tilePeelEnd(TilePeel *p);
/// Makes them constants.
void tilePeelSetMasks(TilePeel *p);

#endif
