/* DirectROCDL.c - loads to LDS on AMD (gfx9), and waits for them.
 *
 * LLVM knows that such a load writes LDS, and would wait for all of them in front of each access of LDS. Waits stand where
 * they are needed already: accesses get alias scopes that say so. Nothing moves over a wait because of it: fences of the
 * barriers beside the waits keep accesses of LDS on their side. */
#include "DirectROCDL.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/ROCDL.h"

/* The loads' base in M0 is an SGPR: `to` comes from first lanes and scalars. */
void tileAmdCopyDirect(TileLowering *l, MlirValue to, const TileAccess *from) {
  MlirAttribute none = {NULL};
  MlirValue zero = tileEmitI32(l, 0);
  int64_t bytes = (int64_t)tileTypeBits(from->element) * from->width / 8;
  rocdlRawPtrBufferLoadLdsOpCreate(l->b, l->loc, from->resource, to, tileEmitI32(l, bytes),
                                   tileAmdBufferOffset(l, from), zero, zero, zero, none, none, none);
}

/* GFX9's s_waitcnt: vmcnt in bits 0 to 3 and 14 to 15, expcnt in 4 to 6, lgkmcnt in 8 to 11 (CDNA3 ISA, "S_WAITCNT"). */
void tileAmdWaitForCounters(TileLowering *l, int64_t loads, int64_t shared) {
  enum { NO_EXPORTS = 7 };
  int64_t bits = (loads & 15) | NO_EXPORTS << 4 | (shared & 15) << 8 | (loads >> 4 & 3) << 14;
  rocdlSWaitcntOpCreate(l->b, l->loc, tileI32Attr(l->context, bits));
}

void tileAmdWaitForCopies(TileLowering *l, int64_t open) {
  tileAmdWaitForCounters(l, open < TileAmdOpen_Any ? open : TileAmdOpen_Any - 1, 15);
}

typedef struct Scopes {
  MlirAttribute copies, others; ///< lists of one scope
} Scopes;

static MlirAttribute oneOf(MlirContext context, MlirAttribute list, intptr_t i) {
  MlirAttribute scope = mlirArrayAttrGetElement(list, i);
  return mlirArrayAttrGet(context, 1, &scope);
}

static Scopes makeScopes(MlirContext context) {
  MlirAttribute both = mlirAttributeParseGet(
      context,
      tileStr("[#llvm.alias_scope<id = distinct[0]<>, domain = <id = distinct[2]<>, description = \"lds\">, "
              "description = \"copies\">, "
              "#llvm.alias_scope<id = distinct[1]<>, domain = <id = distinct[2]<>, description = \"lds\">, "
              "description = \"accesses\">]"));
  return (Scopes){oneOf(context, both, 0), oneOf(context, both, 1)};
}

static bool isShared(MlirOperation op, intptr_t pointer) {
  return mlirLLVMPointerTypeGetAddressSpace(mlirValueGetType(mlirOperationGetOperand(op, pointer))) == 3;
}

static void setScopes(MlirOperation op, MlirAttribute own, MlirAttribute others) {
  mlirOperationSetInherentAttributeByName(op, tileStr("alias_scopes"), own);
  mlirOperationSetInherentAttributeByName(op, tileStr("noalias_scopes"), others);
}

static MlirWalkResult visit(MlirOperation op, void *user) {
  const Scopes *scopes = user;
  TileOpKind kind = tileOpKind(op);
  if (kind == TileOp_ROCDL_RawPtrBufferLoadLds)
    setScopes(op, scopes->copies, scopes->others);
  else if ((kind == TileOp_LLVM_Load && isShared(op, 0)) || (kind == TileOp_LLVM_Store && isShared(op, 1)) ||
           kind == TileOp_ROCDL_ds_read_tr16_b64 || kind == TileOp_ROCDL_ds_read_tr8_b64)
    setScopes(op, scopes->others, scopes->copies);
  return MlirWalkResultAdvance;
}

void tileAmdSeparateCopies(MlirOperation function) {
  Scopes scopes = makeScopes(mlirOperationGetContext(function));
  mlirOperationWalk(function, visit, &scopes, MlirWalkPreOrder);
}
