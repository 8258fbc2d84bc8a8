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
#include "tile-c/Dialect/UB.h"

typedef struct Expansion {
  TTConversion *c;
  TilePointerList deadOps;  ///< replaced ops, users after their operands' owners; erased last to first
  TilePointerList deadArgs; ///< replaced block arguments
} Expansion;

/* A list of values, types or attributes. */
static TilePointerList newList(TTConversion *c) { return (TilePointerList){.arena = c->arena}; }

static TTBlockPointer *componentsOf(TTConversion *c, MlirValue value) {
  return tilePointerMapFind(&c->blocks, value.ptr);
}

static TTBlockPointer *newBlockPointer(TTConversion *c, MlirType type) {
  TTBlockPointer *p = tileArenaAlloc(c->arena, 1, sizeof *p);
  p->block = ttPtrTypeGetPointeeType(type);
  p->rank = mlirShapedTypeGetRank(p->block);
  p->components = tileArenaAlloc(c->arena, 1 + 3 * p->rank, sizeof *p->components);
  return p;
}

static intptr_t numComponents(const TTBlockPointer *p) { return 1 + 3 * p->rank; }

// ---- Lists of types and values ----

static void appendTypes(TTConversion *c, TilePointerList *list, MlirType type) {
  if (!ttIsBlockPointer(type)) {
    tilePointerListAppend(list, type.ptr);
    return;
  }
  MlirType block = ttPtrTypeGetPointeeType(type);
  MlirType i64 = mlirIntegerTypeGet(c->context, 64), i32 = mlirIntegerTypeGet(c->context, 32);
  intptr_t rank = mlirShapedTypeGetRank(block);
  tilePointerListAppend(
      list, ttPtrTypeGet(c->context, tileTypeGetElement(block), ttPtrTypeGetAddressSpace(type)).ptr);
  for (intptr_t i = 0; i < 3 * rank; ++i)
    tilePointerListAppend(list, i < 2 * rank ? i64.ptr : i32.ptr);
}

static MlirLogicalResult appendValues(TTConversion *c, MlirOperation user, TilePointerList *list,
                                      MlirValue value) {
  if (!ttIsBlockPointer(ttTypeOf(value))) {
    tilePointerListAppend(list, value.ptr);
    return tileSuccess();
  }
  TTBlockPointer *p = componentsOf(c, value);
  if (!p)
    return tileEmitOpError(user, "got a block pointer of unknown origin, expected tt.make_tensor_ptr");
  for (intptr_t i = 0; i < numComponents(p); ++i)
    tilePointerListAppend(list, p->components[i].ptr);
  return tileSuccess();
}

static bool involvesBlockPointer(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (ttIsBlockPointer(ttTypeOf(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (ttIsBlockPointer(ttTypeOf(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

// ---- Ops with regions, terminators, calls ----

static void expandArguments(Expansion *e, MlirBlock block, MlirLocation loc) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue arg = mlirBlockGetArgument(block, i);
    if (!ttIsBlockPointer(ttTypeOf(arg)))
      continue;
    TilePointerList types = newList(e->c);
    appendTypes(e->c, &types, ttTypeOf(arg));
    TTBlockPointer *p = newBlockPointer(e->c, ttTypeOf(arg));
    for (size_t k = 0; k < types.count; ++k)
      p->components[k] = mlirBlockInsertArgument(block, i + 1 + (intptr_t)k, (MlirType){types.items[k]}, loc);
    tilePointerMapSet(&e->c->blocks, arg.ptr, p);
    tilePointerListAppend(&e->deadArgs, arg.ptr);
    i += (intptr_t)types.count;
  }
}

static void mapResults(Expansion *e, MlirOperation op, MlirOperation by) {
  intptr_t at = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (!ttIsBlockPointer(ttTypeOf(result))) {
      mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(by, at++));
      continue;
    }
    TTBlockPointer *p = newBlockPointer(e->c, ttTypeOf(result));
    for (intptr_t k = 0; k < numComponents(p); ++k)
      p->components[k] = mlirOperationGetResult(by, at++);
    tilePointerMapSet(&e->c->blocks, result.ptr, p);
  }
}

/* The same op with components where it had block pointers; takes over the regions. Null after a diagnostic.
 */
static MlirOperation rebuild(Expansion *e, MlirOperation op) {
  TTConversion *c = e->c;
  TilePointerList operands = newList(c), results = newList(c);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileFailed(appendValues(c, op, &operands, mlirOperationGetOperand(op, i))))
      return (MlirOperation){NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    appendTypes(c, &results, ttTypeOf(mlirOperationGetResult(op, i)));
  MlirOperationState state = mlirOperationStateGet(mlirIdentifierStr(mlirOperationGetName(op)), ttLoc(op));
  mlirOperationStateAddOperands(&state, (intptr_t)operands.count, (const MlirValue *)operands.items);
  mlirOperationStateAddResults(&state, (intptr_t)results.count, (const MlirType *)results.items);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute attr = mlirOperationGetAttribute(op, i);
    mlirOperationStateAddAttributes(&state, 1, &attr);
  }
  intptr_t regions = mlirOperationGetNumRegions(op);
  tileStateAddRegions(&state, regions);
  mlirRewriterBaseSetInsertionPointBefore(c->builder, op);
  MlirOperation by = tileBuilderInsert(c->builder, &state);
  for (intptr_t r = 0; by.ptr && r < regions; ++r) {
    MlirRegion region = mlirOperationGetRegion(by, r);
    mlirRegionTakeBody(region, mlirOperationGetRegion(op, r));
    for (MlirBlock b = mlirRegionGetFirstBlock(region); b.ptr; b = mlirBlockGetNextInRegion(b))
      expandArguments(e, b, ttLoc(op));
  }
  return by;
}

// ---- Ops on block pointers ----

static MlirLogicalResult expandMake(Expansion *e, MlirOperation op) {
  TTBlockPointer *p = newBlockPointer(e->c, ttResultType(op));
  if (mlirOperationGetNumOperands(op) != numComponents(p))
    return tileEmitOpError(op, "got %lld offsets, expected %lld",
                           (long long)(mlirOperationGetNumOperands(op) - 1) / 3, (long long)p->rank);
  for (intptr_t i = 0; i < numComponents(p); ++i)
    p->components[i] = mlirOperationGetOperand(op, i);
  tilePointerMapSet(&e->c->blocks, mlirOperationGetResult(op, 0).ptr, p);
  return tileSuccess();
}

static MlirLogicalResult expandAdvance(Expansion *e, MlirOperation op) {
  TTConversion *c = e->c;
  TilePointerList from = newList(c);
  TILE_TRY(appendValues(c, op, &from, mlirOperationGetOperand(op, 0)));
  TTBlockPointer *p = newBlockPointer(c, ttResultType(op));
  if (mlirOperationGetNumOperands(op) != 1 + p->rank)
    return tileEmitOpError(op, "got %lld offsets, expected %lld",
                           (long long)mlirOperationGetNumOperands(op) - 1, (long long)p->rank);
  for (size_t i = 0; i < from.count; ++i)
    p->components[i] = (MlirValue){from.items[i]};
  for (intptr_t d = 0; d < p->rank; ++d) {
    MlirValue by = mlirOperationGetOperand(op, 1 + d), old = ttBlockOffset(p, d);
    int64_t constant;
    if (tileValueConstantInt(by, &constant) && constant == 0)
      continue;
    p->components[1 + 2 * p->rank + d] = arithAddIOpGetResult(
        arithAddIOpCreate(c->builder, ttLoc(op), ttTypeOf(old), old, by, mlirAttributeGetNull()));
  }
  tilePointerMapSet(&c->blocks, mlirOperationGetResult(op, 0).ptr, p);
  return tileSuccess();
}

static MlirLogicalResult expandSelect(Expansion *e, MlirOperation op) {
  TTConversion *c = e->c;
  ArithSelectOp select = {op};
  TilePointerList yes = newList(c), no = newList(c);
  TILE_TRY(appendValues(c, op, &yes, arithSelectOpGetTrueValue(select)));
  TILE_TRY(appendValues(c, op, &no, arithSelectOpGetFalseValue(select)));
  TTBlockPointer *p = newBlockPointer(c, ttResultType(op));
  for (size_t i = 0; i < yes.count; ++i) {
    MlirValue a = {yes.items[i]}, b = {no.items[i]};
    p->components[i] =
        mlirValueEqual(a, b)
            ? a
            : arithSelectOpGetResult(arithSelectOpCreate(c->builder, ttLoc(op), ttTypeOf(a),
                                                         arithSelectOpGetCondition(select), a, b));
  }
  tilePointerMapSet(&c->blocks, mlirOperationGetResult(op, 0).ptr, p);
  return tileSuccess();
}

static void expandPoison(Expansion *e, MlirOperation op) {
  TilePointerList types = newList(e->c);
  TTBlockPointer *p = newBlockPointer(e->c, ttResultType(op));
  appendTypes(e->c, &types, ttResultType(op));
  for (size_t i = 0; i < types.count; ++i)
    p->components[i] = ubPoisonOpGetResult(
        ubPoisonOpCreate(e->c->builder, ttLoc(op), (MlirType){types.items[i]}, mlirAttributeGetNull()));
  tilePointerMapSet(&e->c->blocks, mlirOperationGetResult(op, 0).ptr, p);
}

static MlirLogicalResult expandRegions(Expansion *e, MlirOperation op);

static MlirLogicalResult expandOther(Expansion *e, MlirOperation op) {
  MlirOperation by = rebuild(e, op);
  if (!by.ptr)
    return tileFailure();
  mapResults(e, op, by);
  tilePointerListAppend(&e->deadOps, op.ptr);
  return expandRegions(e, by);
}

static MlirLogicalResult expandAccess(Expansion *e, MlirOperation op) {
  TTBlockPointer *p = componentsOf(e->c, mlirOperationGetOperand(op, 0));
  if (!p)
    return tileEmitOpError(op, "got a block pointer of unknown origin, expected tt.make_tensor_ptr");
  return tileOpKind(op) == TileOp_TT_Load ? ttExpandBlockLoad(e->c, (TTLoadOp){op}, p)
                                          : ttExpandBlockStore(e->c, (TTStoreOp){op}, p);
}

static MlirLogicalResult expandOp(Expansion *e, MlirOperation op) {
  if (!involvesBlockPointer(op))
    return expandRegions(e, op);
  mlirRewriterBaseSetInsertionPointBefore(e->c->builder, op);
  switch (tileOpKind(op)) {
  case TileOp_TT_Load:
  case TileOp_TT_Store:
    return expandAccess(e, op); /* erases the op */
  case TileOp_TT_MakeTensorPtr:
    TILE_TRY(expandMake(e, op));
    break;
  case TileOp_TT_Advance:
    TILE_TRY(expandAdvance(e, op));
    break;
  case TileOp_Arith_Select:
    TILE_TRY(expandSelect(e, op));
    break;
  case TileOp_UB_Poison:
  case TileOp_LLVM_Undef:
    expandPoison(e, op);
    break;
  default:
    return expandOther(e, op);
  }
  tilePointerListAppend(&e->deadOps, op.ptr);
  return tileSuccess();
}

static MlirLogicalResult expandRegions(Expansion *e, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); block.ptr;
         block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block), next; inner.ptr; inner = next) {
        next = mlirOperationGetNextInBlock(inner);
        TILE_TRY(expandOp(e, inner));
      }
  return tileSuccess();
}

// ---- Functions ----

/* Argument attributes belong to the base; the other components have none. */
static MlirAttribute expandArgAttrs(TTConversion *c, MlirAttribute attrs, MlirType function) {
  TilePointerList dictionaries = newList(c);
  MlirAttribute empty = mlirDictionaryAttrGet(c->context, 0, NULL);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(function); ++i) {
    TilePointerList types = newList(c);
    appendTypes(c, &types, mlirFunctionTypeGetInput(function, i));
    tilePointerListAppend(&dictionaries, mlirArrayAttrGetElement(attrs, i).ptr);
    for (size_t k = 1; k < types.count; ++k)
      tilePointerListAppend(&dictionaries, empty.ptr);
  }
  return mlirArrayAttrGet(c->context, (intptr_t)dictionaries.count,
                          (const MlirAttribute *)dictionaries.items);
}

static void expandSignature(Expansion *e, TTFuncOp func) {
  TTConversion *c = e->c;
  TilePointerList inputs = newList(c), results = newList(c);
  MlirType type = mlirTypeAttrGetValue(ttFuncOpGetFunctionTypeAttr(func));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    appendTypes(c, &inputs, mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    appendTypes(c, &results, mlirFunctionTypeGetResult(type, i));
  MlirType expanded = mlirFunctionTypeGet(c->context, (intptr_t)inputs.count, (const MlirType *)inputs.items,
                                          (intptr_t)results.count, (const MlirType *)results.items);
  if (!mlirAttributeIsNull(ttFuncOpGetArgAttrsAttr(func)))
    ttFuncOpSetArgAttrsAttr(func, expandArgAttrs(c, ttFuncOpGetArgAttrsAttr(func), type));
  ttFuncOpSetFunctionTypeAttr(func, mlirTypeAttrGet(expanded));
  MlirBlock entry = mlirRegionGetFirstBlock(ttFuncOpGetBody(func));
  if (entry.ptr)
    expandArguments(e, entry, ttLoc(func.op));
}

static MlirWalkResult findBlockPointer(MlirOperation op, void *data) {
  bool *found = data;
  TileOpKind kind = tileOpKind(op);
  *found |= kind == TileOp_TT_MakeTensorPtr || (kind != TileOp_None && involvesBlockPointer(op));
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
  Expansion e = {c, newList(c), newList(c)};
  expandSignature(&e, func);
  TILE_TRY(expandRegions(&e, func.op));
  for (size_t i = e.deadOps.count; i-- > 0;)
    mlirRewriterBaseEraseOp(c->builder, (MlirOperation){(void *)e.deadOps.items[i]});
  for (size_t i = e.deadArgs.count; i-- > 0;) {
    MlirValue arg = {e.deadArgs.items[i]};
    mlirBlockEraseArgument(mlirBlockArgumentGetOwner(arg), mlirBlockArgumentGetArgNumber(arg));
  }
  return tileSuccess();
}
