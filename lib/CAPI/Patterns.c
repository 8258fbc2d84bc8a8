/* Patterns.c - tables of rewrites over MLIR's greedy driver. */
#include "tile-c/Patterns.h"
#include "tile-c/Support/Arena.h"

/* Over one region; what still changes then stays as it is, correct but not simplest. */
enum { MaxSweeps = 32 };

typedef struct Binding {
  const TilePattern *row;
  void *state;
  uint64_t *count;
} Binding;

static MlirLogicalResult matchAndRewrite(MlirRewritePattern pattern, MlirOperation op,
                                         MlirPatternRewriter rewriter, void *user) {
  (void)pattern;
  const Binding *binding = user;
  TileBuilder b = mlirPatternRewriterAsBase(rewriter);
  mlirRewriterBaseSetInsertionPointBefore(b, op);
  MlirLogicalResult result = binding->row->rewrite(op, b, binding->state);
  if (tileSucceeded(result) && binding->count)
    ++*binding->count;
  return result;
}

static MlirFrozenRewritePatternSet freeze(MlirContext context, Binding *bindings, size_t n) {
  const MlirRewritePatternCallbacks callbacks = {NULL, NULL, matchAndRewrite};
  MlirRewritePatternSet set = mlirRewritePatternSetCreate(context);
  for (size_t i = 0; i < n; ++i) {
    const TilePattern *row = bindings[i].row;
    mlirRewritePatternSetAdd(set, mlirOpRewritePatternCreate(tileStr(tileOpKindName(row->root)), row->benefit,
                                                             context, callbacks, &bindings[i], 0, NULL));
  }
  return mlirFreezeRewritePattern(set);
}

void tileApplyPatterns(MlirOperation root, const TilePattern *rows, size_t numRows, void *state,
                       uint64_t *inout_count) {
  TileArena arena = {0};
  Binding *bindings = tileArenaAlloc(&arena, numRows, sizeof *bindings);
  for (size_t i = 0; i < numRows; ++i)
    bindings[i] = (Binding){&rows[i], state, inout_count};
  MlirFrozenRewritePatternSet patterns = freeze(mlirOperationGetContext(root), bindings, numRows);
  MlirGreedyRewriteDriverConfig config = mlirGreedyRewriteDriverConfigCreate();
  mlirGreedyRewriteDriverConfigSetMaxIterations(config, MaxSweeps);
  mlirGreedyRewriteDriverConfigSetUseTopDownTraversal(config, true);
  // Failure says that the IR is not at rest yet, which is no error.
  (void)mlirApplyPatternsAndFoldGreedilyWithOp(root, patterns, config);
  mlirGreedyRewriteDriverConfigDestroy(config);
  mlirFrozenRewritePatternSetDestroy(patterns);
  tileArenaRelease(&arena);
}

bool tileHasDiscardableAttrs(MlirOperation op) { return mlirOperationGetNumDiscardableAttributes(op) != 0; }

void tileCopyDiscardableAttrs(MlirOperation from, MlirOperation to) {
  for (intptr_t i = 0, n = mlirOperationGetNumDiscardableAttributes(from); i < n; ++i) {
    MlirNamedAttribute a = mlirOperationGetDiscardableAttribute(from, i);
    mlirOperationSetDiscardableAttributeByName(to, mlirIdentifierStr(a.name), a.attribute);
  }
}
