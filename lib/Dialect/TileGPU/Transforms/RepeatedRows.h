/* RepeatedRows.h - values whose rows are repeated (tile-gpu-load-once): expanded, broadcast, and reshaped. */
#ifndef TILE_LIB_TILEGPU_REPEATEDROWS_H
#define TILE_LIB_TILEGPU_REPEATEDROWS_H
#include "tile-c/IR.h"

/// If `reshape` puts together `dim` and the dimension behind it, along which alone its source is a broadcast, all of it used once: what is repeated,
/// and how often each row is. Null otherwise.
MlirValue tileRepeatedOf(MlirOperation reshape, int dim, int64_t *times);
/// The type of what is repeated so, with this element type, where the result is to have the layout of `result`; null if there is none.
MlirType tileRepeatedType(MlirType result, MlirType element, int dim, int64_t times);
/// `v` of that type, repeated: a value of the layout of `result` and `v`'s element type.
MlirValue tileRepeatRows(TileBuilder b, MlirLocation loc, MlirValue v, MlirType result, int dim,
                         int64_t times);
/// Erases the ops of a repetition that nothing uses any longer.
void tileEraseRepeated(TileBuilder b, MlirOperation reshape);
#endif
