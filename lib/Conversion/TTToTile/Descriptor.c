/* Descriptor.c - tensor descriptors, the experimental spellings and opaque tensor maps included.
 *
 *   tt.make_tensor_descriptor %p, [%m, %n], [%s, %c1] : <f16>, <64x32xf16>
 *     -> tile.make_desc %p shape [%m, %n] strides [%s, %c1] : !tile.desc<64x32xf16>
 *   tt.experimental_descriptor_load %d[%i, %j] : !tt.ptr<i8, 0> -> tensor<64x32xf16>, %d a kernel argument
 *     -> the argument becomes !tile.desc<64x32xf16>; tile.desc_load %d[%i, %j] */
#include "TTToTile.h"

static MlirLogicalResult convertMake(TTConversion *c, MlirOperation op) {
  TTMakeTensorDescOp m = {op};
  intptr_t rank = ttMakeTensorDescOpGetNumShape(m);
  MlirAttribute padding = ttMakeTensorDescOpGetPaddingAttr(m);
  bool nan = !mlirAttributeIsNull(padding) && tileIntegerAttrValue(padding) == TTPaddingOption_PAD_NAN;
  TileMakeDescOp by = tileMakeDescOpCreate(
      c->builder, ttLoc(op), ttResultType(op), ttMakeTensorDescOpGetBase(m), rank, ttOperands(c, op, 1, rank),
      rank, ttOperands(c, op, 1 + rank, rank), ttI32(c, nan ? TilePadding_NaN : TilePadding_Zero));
  return ttReplace(c, op, by.op);
}

/* Operands of a load: descriptor, coordinates. */
static MlirLogicalResult replaceLoad(TTConversion *c, MlirOperation op, TTCaching caching) {
  intptr_t n = mlirOperationGetNumOperands(op) - 1;
  TileDescLoadOp by =
      tileDescLoadOpCreate(c->builder, ttLoc(op), ttResultType(op), mlirOperationGetOperand(op, 0), n,
                           ttOperands(c, op, 1, n), caching.cache, caching.evict);
  return ttReplace(c, op, by.op);
}

static MlirLogicalResult convertLoad(TTConversion *c, MlirOperation op) {
  TTDescriptorLoadOp l = {op};
  return replaceLoad(c, op,
                     ttCaching(c, ttDescriptorLoadOpGetCache(l), ttDescriptorLoadOpGetEvict(l),
                               ttDescriptorLoadOpGetCachePolicyAttr(l)));
}

static MlirLogicalResult convertOldLoad(TTConversion *c, MlirOperation op) {
  TTExperimentalDescriptorLoadOp l = {op};
  return replaceLoad(c, op,
                     ttCaching(c, ttExperimentalDescriptorLoadOpGetCache(l),
                               ttExperimentalDescriptorLoadOpGetEvict(l), mlirAttributeGetNull()));
}

/* Operands of a store, old or new: descriptor, block, coordinates. */
static MlirLogicalResult convertStore(TTConversion *c, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op) - 2;
  TileDescStoreOp by = tileDescStoreOpCreate(c->builder, ttLoc(op), mlirOperationGetOperand(op, 0), n,
                                             ttOperands(c, op, 2, n), mlirOperationGetOperand(op, 1));
  return ttReplace(c, op, by.op);
}

static const TileDescReduceKind reduceKinds[] = {
    [TTDescriptorReduceKind_ADD] = TileDescReduceKind_Add,
    [TTDescriptorReduceKind_MIN] = TileDescReduceKind_Min,
    [TTDescriptorReduceKind_MAX] = TileDescReduceKind_Max,
    [TTDescriptorReduceKind_INC] = TileDescReduceKind_Inc,
    [TTDescriptorReduceKind_DEC] = TileDescReduceKind_Dec,
    [TTDescriptorReduceKind_AND] = TileDescReduceKind_And,
    [TTDescriptorReduceKind_OR] = TileDescReduceKind_Or,
    [TTDescriptorReduceKind_XOR] = TileDescReduceKind_Xor,
};

static MlirLogicalResult convertReduce(TTConversion *c, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op) - 2;
  MlirAttribute kind = ttI32(c, reduceKinds[ttDescriptorReduceOpGetKind((TTDescriptorReduceOp){op})]);
  TileDescReduceOp by = tileDescReduceOpCreate(c->builder, ttLoc(op), mlirOperationGetOperand(op, 0), n,
                                               ttOperands(c, op, 2, n), mlirOperationGetOperand(op, 1), kind);
  return ttReplace(c, op, by.op);
}

static MlirLogicalResult convertGather(TTConversion *c, MlirOperation op) {
  MlirValue *v = ttOperands(c, op, 0, 3);
  return ttReplace(c, op,
                   tileDescGatherOpCreate(c->builder, ttLoc(op), ttResultType(op), v[0], v[1], v[2]).op);
}

static MlirLogicalResult convertScatter(TTConversion *c, MlirOperation op) {
  MlirValue *v = ttOperands(c, op, 0, 4);
  return ttReplace(c, op, tileDescScatterOpCreate(c->builder, ttLoc(op), v[0], v[1], v[2], v[3]).op);
}

static MlirLogicalResult convertReinterpret(TTConversion *c, MlirOperation op) {
  return ttReplaceByValue(c, op, mlirOperationGetOperand(op, 0));
}

static MlirLogicalResult refuseTensorMap(TTConversion *c, MlirOperation op) {
  return tileEmitOpError(op,
                         "got a tensor map made by the kernel in memory, expected make_tensor_descriptor");
}

const TTRow ttDescriptorRows[] = {
    {TileOp_TT_MakeTensorDesc, convertMake},
    {TileOp_TT_DescriptorLoad, convertLoad},
    {TileOp_TT_DescriptorStore, convertStore},
    {TileOp_TT_DescriptorReduce, convertReduce},
    {TileOp_TT_DescriptorGather, convertGather},
    {TileOp_TT_DescriptorScatter, convertScatter},
    {TileOp_TT_ExperimentalDescriptorLoad, convertOldLoad},
    {TileOp_TT_ExperimentalDescriptorStore, convertStore},
    {TileOp_TT_ExperimentalDescriptorGather, convertGather},
    {TileOp_TT_ExperimentalDescriptorScatter, convertScatter},
    {TileOp_TT_ReinterpretTensorDesc, convertReinterpret},
    {TileOp_TT_ExperimentalTensormapCreate, refuseTensorMap},
    {TileOp_TT_ExperimentalTensormapFenceproxyAcquire, refuseTensorMap},
    {TileOp_None, NULL},
};

// ---- Opaque tensor maps ----

/* The descriptor type that a use of an opaque tensor map implies; null if the use is of another kind. */
static MlirType impliedType(TTConversion *c, MlirOperation user) {
  MlirType block;
  switch (tileOpKind(user)) {
  case TileOp_TT_ReinterpretTensorDesc:
    return ttResultType(user);
  case TileOp_TT_ExperimentalDescriptorLoad:
    block = ttResultType(user);
    break;
  case TileOp_TT_ExperimentalDescriptorStore:
    block = ttTypeOf(mlirOperationGetOperand(user, 1));
    break;
  default:
    return (MlirType){NULL};
  }
  int64_t shape[16];
  int rank = tileTypeGetShape(block, shape, 16);
  if (rank > 16)
    return (MlirType){NULL};
  return ttTensorDescTypeGet(c->context, rank, shape, tileTypeGetElement(block));
}

/* Gives an argument that only serves as a tensor map the one descriptor type that its uses imply. */
static MlirLogicalResult resolveArgument(TTConversion *c, MlirValue arg) {
  MlirType found = {NULL};
  MlirOperation first = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(arg); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirType implied = impliedType(c, user);
    if (mlirTypeIsNull(implied))
      return tileEmitOpError(user, "got a tensor map argument, expected it at descriptor accesses only");
    if (!mlirTypeIsNull(found) && !mlirTypeEqual(found, implied))
      return tileEmitOpErrorWithNote(user, ttLoc(first), "the first block is here",
                                     "got a second block type for one tensor map argument, expected one");
    found = implied;
    first = user;
  }
  if (!mlirTypeIsNull(found))
    mlirValueSetType(arg, found);
  return tileSuccess();
}

static bool isTensorMapUse(MlirOperation user, MlirOpOperand use) {
  switch (tileOpKind(user)) {
  case TileOp_TT_ReinterpretTensorDesc:
  case TileOp_TT_ExperimentalDescriptorLoad:
  case TileOp_TT_ExperimentalDescriptorStore:
    return mlirOpOperandGetOperandNumber(use) == 0;
  default:
    return false;
  }
}

static bool isTensorMap(MlirValue arg) {
  if (!ttPtrTypeIsA(ttTypeOf(arg)))
    return false;
  bool found = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(arg); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    found |= isTensorMapUse(mlirOpOperandGetOwner(use), use);
  return found;
}

/* After the arguments are resolved, a pointer at a descriptor access came from elsewhere. */
static MlirWalkResult checkAccess(MlirOperation op, void *data) {
  bool *ok = data;
  switch (tileOpKind(op)) {
  case TileOp_TT_ReinterpretTensorDesc:
  case TileOp_TT_ExperimentalDescriptorLoad:
  case TileOp_TT_ExperimentalDescriptorStore:
    if (ttPtrTypeIsA(ttTypeOf(mlirOperationGetOperand(op, 0)))) {
      tileEmitOpError(op,
                      "got a tensor map that is no kernel argument, expected an argument or a descriptor");
      *ok = false;
    }
    break;
  default:
    break;
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult ttResolveTensorMaps(TTConversion *c, TTFuncOp func) {
  MlirBlock entry = mlirRegionGetFirstBlock(ttFuncOpGetBody(func));
  bool ok = true, changed = false;
  if (!entry.ptr)
    return tileSuccess();
  intptr_t n = mlirBlockGetNumArguments(entry);
  MlirType *types = tileArenaAlloc(c->arena, n + 1, sizeof *types);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue arg = mlirBlockGetArgument(entry, i);
    if (isTensorMap(arg)) {
      ok &= tileSucceeded(resolveArgument(c, arg));
      changed = true;
    }
    types[i] = ttTypeOf(arg);
  }
  if (changed)
    ttSetFunctionInputs(c, func, n, types);
  if (ok)
    mlirOperationWalk(func.op, checkAccess, &ok, MlirWalkPreOrder);
  return ok ? tileSuccess() : tileFailure();
}
