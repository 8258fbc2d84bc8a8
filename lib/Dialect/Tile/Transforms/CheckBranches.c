/* CheckBranches.c - tile-check-branches: refuses branches that lift-cf-to-scf could not lift.
 *
 *   func.func @f(%c: i1) { llvm.cond_br %c, ^a, ^b ... }
 * gives
 *   error: 'llvm.cond_br' op branches in 'func.func', expected cf.br, cf.cond_br or cf.switch
 *
 * Upstream's lifting (LLVM 22) finds out when it has begun, and leaves branches to blocks that are gone.
 * requires: nothing. ensures: all branches in func.func are cf's. */
#include "tile-c/ControlFlow.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/IR.h"
#include "tile-c/Passes.h"

typedef struct Checker {
  MlirStringRef function; ///< what the branches stand in
  bool failed;
} Checker;

static MlirWalkResult checkBranch(MlirOperation op, void *user) {
  Checker *c = user;
  const TileOpKind kind = tileOpKind(op);
  if (!mlirOperationGetNumSuccessors(op) || kind == TileOp_CF_Branch || kind == TileOp_CF_CondBranch ||
      kind == TileOp_CF_Switch)
    return MlirWalkResultAdvance;
  c->failed = true;
  (void)tileEmitOpError(op, "branches in '%.*s', expected cf.br, cf.cond_br or cf.switch",
                        (int)c->function.length, c->function.data);
  return MlirWalkResultInterrupt;
}

MlirLogicalResult tileCheckBranches(MlirOperation function) {
  Checker c = {.function = mlirIdentifierStr(mlirOperationGetName(function))};
  mlirOperationWalk(function, checkBranch, &c, MlirWalkPreOrder);
  return c.failed ? tileFailure() : tileSuccess();
}

MlirLogicalResult tileCheckBranchesRun(MlirOperation module, const TileCheckBranchesParams *params) {
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func)
      TILE_TRY(tileCheckBranches(op));
  return tileSuccess();
}
