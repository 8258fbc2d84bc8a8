/* BlockPointer.c - block pointers become base, shape, strides and offsets, each a value of its own, through
 * loops, branches, calls and functions.
 *
 *   %p = tt.make_tensor_ptr %x, [%n], [%s], [%o] {order = array<i32: 0>} : <tensor<64xf32>>
 *   %r = scf.for .. iter_args(%q = %p) -> (!tt.ptr<tensor<64xf32>>) : i32 {
 *     %t = tt.advance %q, [%c64] : <tensor<64xf32>>
 *     scf.yield %t : !tt.ptr<tensor<64xf32>>
 *   }
 * becomes
 *   %r:4 = scf.for .. iter_args(%b = %x, %m = %n, %d = %s, %i = %o) -> (!tt.ptr<f32>, i64, i64, i32) : i32 {
 *     %j = arith.addi %i, %c64 : i32
 *     scf.yield %b, %m, %d, %j : !tt.ptr<f32>, i64, i64, i32
 *   }
 * Canonicalization takes out again what the loop does not change.
 *
 * requires: structured control flow. ensures: no value has a block pointer's type. */
#include "BlockPointer.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/ValueExpansion.h"

static intptr_t rankOf(MlirType type) { return mlirShapedTypeGetRank(ttPtrTypeGetPointeeType(type)); }

static void appendTypes(TileExpansion *e, MlirType type, TilePointerList *out) {
  MlirType i64 = mlirIntegerTypeGet(e->context, 64), i32 = mlirIntegerTypeGet(e->context, 32);
  MlirType element = tileTypeGetElement(ttPtrTypeGetPointeeType(type));
  intptr_t rank = rankOf(type);
  tilePointerListAppend(out, ttPtrTypeGet(e->context, element, ttPtrTypeGetAddressSpace(type)).ptr);
  for (intptr_t i = 0; i < 3 * rank; ++i)
    tilePointerListAppend(out, i < 2 * rank ? i64.ptr : i32.ptr);
}

static TileExpanded expandMake(TileExpansion *e, MlirOperation op) {
  size_t n, got = (size_t)mlirOperationGetNumOperands(op);
  MlirValue *components = tileExpansionNew(e, mlirOperationGetResult(op, 0), &n);
  if (got != n) {
    tileEmitOpError(op, "got %lld offsets, expected %lld", (long long)(got - 1) / 3, (long long)(n - 1) / 3);
    return TileExpanded_Failed;
  }
  for (size_t i = 0; i < n; ++i)
    components[i] = mlirOperationGetOperand(op, (intptr_t)i);
  return TileExpanded_Done;
}

static TileExpanded expandAdvance(TileExpansion *e, MlirOperation op) {
  MlirValue *from = tileExpansionGet(e, op, mlirOperationGetOperand(op, 0));
  intptr_t rank = rankOf(ttResultType(op)), offsets = mlirOperationGetNumOperands(op) - 1;
  size_t n;
  if (!from)
    return TileExpanded_Failed;
  if (offsets != rank) {
    tileEmitOpError(op, "got %lld offsets, expected %lld", (long long)offsets, (long long)rank);
    return TileExpanded_Failed;
  }
  MlirValue *components = tileExpansionNew(e, mlirOperationGetResult(op, 0), &n);
  memcpy(components, from, n * sizeof *from);
  for (intptr_t d = 0; d < rank; ++d) {
    MlirValue by = mlirOperationGetOperand(op, 1 + d), old = from[1 + 2 * rank + d];
    int64_t constant;
    if (tileValueConstantInt(by, &constant) && constant == 0)
      continue;
    components[1 + 2 * rank + d] = arithAddIOpGetResult(
        arithAddIOpCreate(e->builder, ttLoc(op), ttTypeOf(old), old, by, mlirAttributeGetNull()));
  }
  return TileExpanded_Done;
}

static TileExpanded expandAccess(TileExpansion *e, MlirOperation op, bool *out_erased) {
  TTBlockPointer p = {.components = tileExpansionGet(e, op, mlirOperationGetOperand(op, 0))};
  if (!p.components)
    return TileExpanded_Failed;
  MlirType type = ttTypeOf(mlirOperationGetOperand(op, 0));
  p.block = ttPtrTypeGetPointeeType(type);
  p.rank = rankOf(type);
  *out_erased = true;
  MlirLogicalResult result = tileOpKind(op) == TileOp_TT_Load
                                 ? ttExpandBlockLoad(e->user, (TTLoadOp){op}, &p)
                                 : ttExpandBlockStore(e->user, (TTStoreOp){op}, &p);
  return tileSucceeded(result) ? TileExpanded_Done : TileExpanded_Failed;
}

static TileExpanded expandOp(TileExpansion *e, MlirOperation op, bool *out_erased) {
  switch (tileOpKind(op)) {
  case TileOp_TT_Load:
  case TileOp_TT_Store:
    return expandAccess(e, op, out_erased);
  case TileOp_TT_MakeTensorPtr:
    return expandMake(e, op);
  case TileOp_TT_Advance:
    return expandAdvance(e, op);
  default:
    return TileExpanded_Carries;
  }
}

static const TileExpansionRules rules = {"a block pointer", ttIsBlockPointer, appendTypes, expandOp};

// ---- Functions ----

/* Argument attributes belong to the base; the other components have none. */
static void expandSignature(TileExpansion *e, TTFuncOp func) {
  MlirType type = mlirTypeAttrGetValue(ttFuncOpGetFunctionTypeAttr(func));
  MlirAttribute attrs = ttFuncOpGetArgAttrsAttr(func);
  if (!mlirAttributeIsNull(attrs))
    ttFuncOpSetArgAttrsAttr(func, tileExpandArgAttrs(e, attrs, type));
  ttFuncOpSetFunctionTypeAttr(func, mlirTypeAttrGet(tileExpandFunctionType(e, type)));
  MlirBlock entry = mlirRegionGetFirstBlock(ttFuncOpGetBody(func));
  if (entry.ptr)
    tileExpandArguments(e, entry, ttLoc(func.op));
}

static bool isOrHasBlockPointer(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (ttIsBlockPointer(ttTypeOf(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (ttIsBlockPointer(ttTypeOf(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

static MlirWalkResult findBlockPointer(MlirOperation op, void *data) {
  bool *found = data;
  TileOpKind kind = tileOpKind(op);
  *found |= kind == TileOp_TT_MakeTensorPtr || (kind != TileOp_None && isOrHasBlockPointer(op));
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* A launch has no block pointers to pass. */
static MlirLogicalResult refuseArguments(TTFuncOp func) {
  MlirAttribute visibility = ttFuncOpGetSymVisibilityAttr(func);
  if (!mlirAttributeIsNull(visibility) &&
      !mlirStringRefEqual(mlirStringAttrGetValue(visibility), tileStr("public")))
    return tileSuccess();
  MlirType type = mlirTypeAttrGetValue(ttFuncOpGetFunctionTypeAttr(func));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    if (ttIsBlockPointer(mlirFunctionTypeGetInput(type, i)))
      return tileEmitOpError(func.op,
                             "got a kernel argument that is a block pointer, expected tt.make_tensor_ptr in "
                             "the kernel");
  return tileSuccess();
}

static bool mentionsBlockPointer(TTFuncOp func) {
  bool found = false;
  MlirType type = mlirTypeAttrGetValue(ttFuncOpGetFunctionTypeAttr(func));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    found |= ttIsBlockPointer(mlirFunctionTypeGetInput(type, i));
  if (!found)
    mlirOperationWalk(func.op, findBlockPointer, &found, MlirWalkPreOrder);
  return found;
}

MlirLogicalResult ttExpandBlockPointers(TTConversion *c, TTFuncOp func) {
  if (!mentionsBlockPointer(func))
    return tileSuccess();
  TILE_TRY(refuseArguments(func));
  TileExpansion e = tileExpansionOf(&rules, c->context, c->builder, c->arena, c);
  expandSignature(&e, func);
  TILE_TRY(tileExpandRegions(&e, func.op));
  tileExpansionFinish(&e);
  return tileSuccess();
}
