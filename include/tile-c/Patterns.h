/* Patterns.h - rewrites as rows of a table, applied until none matches.
 *
 *     static MlirLogicalResult dropMask(MlirOperation op, TileBuilder b, void *state) { ... }
 *     static const TilePattern rows[] = {{TileOp_Tile_Load, 1, dropMask}, ...};
 *     tileApplyPatterns(func, rows, TILE_COUNTOF(rows), NULL, &count);
 *
 * A row's function either leaves the IR as it is and returns failure, or changes it through the builder
 * (which stands in front of the operation) and returns success. Operations whose results nobody uses vanish
 * by themselves if they have no effect, and folders run in between. */
#ifndef TILE_C_PATTERNS_H
#define TILE_C_PATTERNS_H
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef MlirLogicalResult (*TileRewrite)(MlirOperation op, TileBuilder b, void *state);

typedef struct TilePattern {
  TileOpKind root;  ///< operations that are offered
  unsigned benefit; ///< higher ones are tried first
  TileRewrite rewrite;
} TilePattern;

/// Applies the rows to everything inside `root` (an operation that is isolated from above, such as a function
/// or module) and adds the number of rewrites to *inout_count if that is not null. `state` is handed to each
/// rewrite.
void tileApplyPatterns(MlirOperation root, const TilePattern *rows, size_t numRows, void *state,
                       uint64_t *inout_count);

/// Replaces the one result of `op`, which disappears.
static inline MlirLogicalResult tileReplaceOp(TileBuilder b, MlirOperation op, MlirValue value) {
  mlirRewriterBaseReplaceOpWithValues(b, op, 1, &value);
  return mlirLogicalResultSuccess();
}
/// The discardable attributes of `from` on `to` as well.
void tileCopyDiscardableAttrs(MlirOperation from, MlirOperation to);
bool tileHasDiscardableAttrs(MlirOperation op);

#ifdef __cplusplus
}
#endif
#endif
