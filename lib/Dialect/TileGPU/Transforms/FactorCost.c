/* FactorCost.c - bits that move between threads for a factor, with and without repeating what makes it. */
#include "FactorCost.h"
#include "LayoutClasses.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Scratch.h"

bool tileLayoutIsFreeFor(MlirValue value, const TileLayout *wanted) {
  TileLayout from;
  TileConversion conversion;
  return tileLayoutOfType(mlirValueGetType(value), &from) &&
         tileLayoutConversion(&from, wanted, &conversion) && conversion.kind <= TileConversion_Register;
}

/* Producers that may be repeated for a factor: its conversion then works on what they take. */
static bool isCheapFactor(MlirOperation def) {
  return tileLayoutIsCheap(def) || tileOpKind(def) == TileOp_Tile_FpToFp;
}

static double bitsOf(MlirType type) {
  return (double)tileTypeNumElements(type) * 8 * tileScratchElementBytes(type);
}

/* What it takes to have `v` in another layout: bits that move, and one for each operation on an element that
 * is repeated for it. */
static double movedBits(MlirValue v, const TileLayout *wanted, int depth) {
  TileLayout operand;
  MlirType type = mlirValueGetType(v);
  MlirOperation def = tileValueGetDefiningOp(v);
  if (!tileTypeIsTensor(type) || (def.ptr && tileLayoutRole(def) == LayoutRole_Free) ||
      tileLayoutIsFreeFor(v, wanted))
    return 0;
  double bits = bitsOf(type), through = 0;
  if (!depth || !def.ptr || !isCheapFactor(def))
    return bits;
  bool shape = tileLayoutRole(def) == LayoutRole_Shape;
  if (shape && !tileLayoutCarryBack(def, wanted, &operand))
    return bits;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(def); ++i)
    through += movedBits(mlirOperationGetOperand(def, i), shape ? &operand : wanted, depth - 1);
  if (!shape)
    through += (double)tileTypeNumElements(type);
  return through < bits ? through : bits;
}

bool tileFactorIsRepeated(MlirValue value, MlirAttribute layout) {
  enum { Depth = 6 };
  TileLayout wanted;
  int64_t shape[TileLayout_MaxRank];
  MlirType type = mlirValueGetType(value);
  MlirOperation def = tileValueGetDefiningOp(value);
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  if (!def.ptr || !isCheapFactor(def) || !tileLayoutFromAttr(layout, shape, rank, &wanted) ||
      tileLayoutIsFreeFor(value, &wanted))
    return false;
  // Converting the operand of a shape op costs the same and leaves the load next to its conversion.
  return tileLayoutRole(def) == LayoutRole_Shape || movedBits(value, &wanted, Depth) < bitsOf(type);
}
