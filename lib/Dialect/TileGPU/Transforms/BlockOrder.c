/* BlockOrder.c - where ops stand in a block. */
#include "BlockOrder.h"

MlirOperation tileOpInBlock(MlirOperation op, MlirBlock block) {
  while (op.ptr && !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

MlirOperation tileFirstUserInBlock(MlirValue v) {
  MlirBlock block = tileValueGetBlock(v);
  MlirOperation first = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = tileOpInBlock(mlirOpOperandGetOwner(use), block);
    if (user.ptr && (!first.ptr || mlirOperationIsBeforeInBlock(user, first)))
      first = user;
  }
  return first;
}
