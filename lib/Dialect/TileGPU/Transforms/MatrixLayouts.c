/* MatrixLayouts.c - the accumulators' part in the assignment of layouts. */
#include "MatrixLayouts.h"
#include "tile-c/Dialect/TileGPUMatrix.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"

MlirAttribute tileLayoutOfData(LayoutClasses *c, MlirOperation op) {
  LayoutNode *own = tileLayoutClassOf(c, op.ptr);
  intptr_t operands = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < operands + results; ++i) {
    MlirValue v = i < operands ? mlirOperationGetOperand(op, i) : mlirOperationGetResult(op, i - operands);
    LayoutNode *root = tileLayoutClassOf(c, v.ptr);
    if (root && root != own && root->isMatrix && root->layout.ptr)
      return root->layout;
  }
  return (MlirAttribute){NULL};
}

static int depthOf(MlirOperation op) {
  int depth = 0;
  for (; op.ptr; op = mlirOperationGetParentOperation(op))
    ++depth;
  return depth;
}

void tileChooseMatrixLayouts(LayoutClasses *c) {
  for (int depth = 0, next = 0; depth >= 0; depth = next) {
    // From the deepest level of loops to the outermost: `next` is the deepest below the last one.
    next = -1;
    for (size_t i = 0; i < c->numOps; ++i) {
      MlirOperation op = c->ops[i];
      int here = depthOf(op);
      bool isWarpGroup = tileOpKind(op) == TileOp_TileGPU_Wgmma;
      if (tileLayoutRole(op) != LayoutRole_Mma)
        continue;
      LayoutNode *root = tileLayoutClassOf(c, op.ptr);
      if (here == depth && !root->layout.ptr)
        root->layout =
            isWarpGroup ? tileWarpGroupLayoutAttr(op) : tileMatrixLayoutAttr(op, TileMatrixRole_Accumulator);
      if ((!depth || here < depth) && here > next)
        next = here;
    }
  }
}
