/* MatrixLayouts.h - layouts of the classes that hold accumulators of matrix instructions. */
#ifndef TILE_LIB_TILEGPU_MATRIXLAYOUTS_H
#define TILE_LIB_TILEGPU_MATRIXLAYOUTS_H
#include "LayoutClasses.h"

/// Accumulators have their instruction's layout; if several meet in a class, that of the innermost product.
void tileChooseMatrixLayouts(LayoutClasses *c);
/// The layout of accumulators that an access of memory loads or stores; null if there are none.
MlirAttribute tileLayoutOfData(LayoutClasses *c, MlirOperation op);

#endif
