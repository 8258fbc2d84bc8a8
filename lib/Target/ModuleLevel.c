/* ModuleLevel.c - what may stand outside of functions when a module goes to LLVM.
 *
 * MLIR's translation makes each operation's instruction where its builder stands. Outside of functions and in the
 * initialisers of globals that is nowhere: constants are folded there, intrinsics end the process. So all else is refused. */
#include "LLVMModule.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"

static bool standsInModule(TileOpKind kind) {
  switch (kind) {
  case TileOp_LLVM_Alias:
  case TileOp_LLVM_Comdat:
  case TileOp_LLVM_Global:
  case TileOp_LLVM_GlobalCtors:
  case TileOp_LLVM_GlobalDtors:
  case TileOp_LLVM_IFunc:
  case TileOp_LLVM_LLVMFunc:
  case TileOp_LLVM_LinkerOptions:
  case TileOp_LLVM_ModuleFlags:
    return true;
  default:
    return false;
  }
}

/// Ops that LLVM's builder folds to constants when their operands are some.
static bool standsInInitialiser(TileOpKind kind) {
  switch (kind) {
  case TileOp_LLVM_Add:
  case TileOp_LLVM_AddrSpaceCast:
  case TileOp_LLVM_AddressOf:
  case TileOp_LLVM_Bitcast:
  case TileOp_LLVM_Constant:
  case TileOp_LLVM_ExtractValue:
  case TileOp_LLVM_GEP:
  case TileOp_LLVM_InsertValue:
  case TileOp_LLVM_IntToPtr:
  case TileOp_LLVM_Poison:
  case TileOp_LLVM_PtrToInt:
  case TileOp_LLVM_Return:
  case TileOp_LLVM_Sub:
  case TileOp_LLVM_Trunc:
  case TileOp_LLVM_Undef:
  case TileOp_LLVM_Zero:
    return true;
  default:
    return false;
  }
}

static MlirWalkResult checkInitialiser(MlirOperation op, void *user) {
  bool *ok = user;
  const TileOpKind kind = tileOpKind(op);
  if (kind == TileOp_LLVM_Global || kind == TileOp_LLVM_Alias || standsInInitialiser(kind))
    return MlirWalkResultAdvance;
  *ok = false;
  (void)tileEmitOpError(op, "is no constant, expected only constants in the initialiser of a global");
  return MlirWalkResultInterrupt;
}

MlirLogicalResult tileCheckModuleLevel(MlirModule module) {
  MlirBlock body = mlirModuleGetBody(module);
  bool ok = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr && ok;
       op = mlirOperationGetNextInBlock(op)) {
    const TileOpKind kind = tileOpKind(op);
    if (!standsInModule(kind))
      return tileEmitOpError(op, "stands outside of a function, expected functions and globals there");
    if (kind == TileOp_LLVM_Global || kind == TileOp_LLVM_Alias)
      mlirOperationWalk(op, checkInitialiser, &ok, MlirWalkPreOrder);
  }
  return ok ? tileSuccess() : tileFailure();
}
