/* AssignLayouts.h - the choice of layouts, for the pass that rewrites by it; private to the pass. */
#ifndef TILE_ASSIGNLAYOUTS_H
#define TILE_ASSIGNLAYOUTS_H
#include "LayoutClasses.h"
#include "tile-c/AxisInfo.h"
#include "tile-c/Target.h"

typedef struct Assign {
  LayoutClasses classes;
  TileAxisInfo *axis;
  const TileTargetInfo *target;
  MlirContext context;
  int numWarps, numStages;
  bool printCosts;
  TilePointerMap clones; ///< value -> Clone list
} Assign;

/// Gives every class that needs one a layout, with a diagnostic where none fits.
MlirLogicalResult tileChooseLayouts(Assign *a);
/// Whether `op` in the layout it prefers, with its data converted, is cheaper than in the one that `first` does; `user` is
/// the Assign.
bool tilePrefersOwnLayout(void *user, MlirOperation op, MlirOperation first);
/// A layout for a tensor that nothing is known of; false if its sizes are no powers of two.
bool tileDefaultLayout(const Assign *a, MlirType type, TileLayout *out);
/// The layout of the op's class, or another one if the op cannot work with it.
MlirAttribute tileWorkingLayout(Assign *a, MlirOperation op, const LayoutNode *root);
/// The layout in which a reduction leaves its results, if that of its operands is chosen already.
MlirAttribute tileReducedLayout(Assign *a, MlirOperation op);

#endif
