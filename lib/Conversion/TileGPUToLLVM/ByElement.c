/* ByElement.c - products and sums on the way to one op's elements, those of a few elements in front of the next ones'.
 *
 *   %z0 = %x0 * %x0;  %z1 = %x1 * %x1;  %p0 = fma %z0, %c, %d;  %p1 = fma %z1, %c, %d;  %e0 = fma %x0, %p0, %m;  %e1 = fma %x1, %p1, %m
 * becomes (here one by one)
 *   %z0;  %p0;  %e0;  %z1;  %p1;  %e1
 *
 * ptxas keeps to the order where registers are short: all of %p at once are as many registers more as a thread has elements. */
#include "Lowering.h"

enum { MOST_OPS = 16, GROUP = 4 };

static bool isIn(const MlirOperation *ops, int n, MlirOperation op) {
  for (int i = 0; i < n; ++i)
    if (mlirOperationEqual(ops[i], op))
      return true;
  return false;
}

/* Whether an op may move: it multiplies or adds, in this block, for these ops alone. */
static bool isForThese(const MlirOperation *ops, int n, MlirOperation op) {
  if (!op.ptr || (tileOpKind(op) != TileOp_LLVM_FMul && tileOpKind(op) != TileOp_LLVM_FMA &&
                  tileOpKind(op) != TileOp_LLVM_FAdd))
    return false;
  MlirValue v = mlirOperationGetResult(op, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!isIn(ops, n, mlirOpOperandGetOwner(use)))
      return false;
  return mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(ops[0])) && !isIn(ops, n, op);
}

/* Ops that the element alone needs, itself the first, users in front of what they use. */
static int opsOf(MlirValue element, MlirOperation *ops) {
  ops[0] = tileValueGetDefiningOp(element);
  int n = ops[0].ptr ? 1 : 0;
  for (int k = 0; k < n; ++k)
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(ops[k]) && n < MOST_OPS; ++j) {
      MlirOperation from = tileValueGetDefiningOp(mlirOperationGetOperand(ops[k], j));
      if (isForThese(ops, n, from))
        ops[n++] = from;
    }
  return n;
}

void tileOrderByElement(TileRegisters elements) {
  MlirOperation ops[GROUP][MOST_OPS];
  for (intptr_t i = 0; i < elements.count; i += GROUP) {
    int n[GROUP] = {0}, most = 0;
    for (intptr_t j = i; j < elements.count && j < i + GROUP; ++j) {
      n[j - i] = opsOf(elements.values[j], ops[j - i]);
      most = n[j - i] > most ? n[j - i] : most;
    }
    if (!n[0])
      continue;
    for (int k = most; --k > 0;)
      for (int j = 0; j < GROUP; ++j)
        if (k < n[j])
          mlirOperationMoveBefore(ops[j][k], ops[0][0]);
  }
}
