/* ValueExpansion.c - compound values taken apart: rebuilding the ops that hand them on. */
#include "tile-c/ValueExpansion.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/UB.h"

TileExpansion tileExpansionOf(const TileExpansionRules *rules, MlirContext context, TileBuilder builder,
                              TileArena *arena, void *user) {
  return (TileExpansion){.rules = rules,
                         .context = context,
                         .builder = builder,
                         .arena = arena,
                         .user = user,
                         .components = {.arena = arena},
                         .deadOps = {.arena = arena},
                         .deadArgs = {.arena = arena}};
}

static bool isCompound(const TileExpansion *e, MlirValue v) { return e->rules->matches(mlirValueGetType(v)); }

MlirValue *tileExpansionGet(TileExpansion *e, MlirOperation user, MlirValue value) {
  MlirValue *components = tilePointerMapFind(&e->components, value.ptr);
  if (!components)
    tileEmitOpError(user, "got %s of unknown origin", e->rules->what);
  return components;
}

MlirValue *tileExpansionNew(TileExpansion *e, MlirValue value, size_t *out_count) {
  TilePointerList types = tileExpansionList(e);
  e->rules->types(e, mlirValueGetType(value), &types);
  MlirValue *components = tileArenaAlloc(e->arena, types.count, sizeof *components);
  tilePointerMapSet(&e->components, value.ptr, components);
  *out_count = types.count;
  return components;
}

static void appendTypes(TileExpansion *e, TilePointerList *list, MlirType type) {
  if (e->rules->matches(type))
    e->rules->types(e, type, list);
  else
    tilePointerListAppend(list, type.ptr);
}

static MlirLogicalResult appendValues(TileExpansion *e, MlirOperation user, TilePointerList *list,
                                      MlirValue value) {
  if (!isCompound(e, value)) {
    tilePointerListAppend(list, value.ptr);
    return tileSuccess();
  }
  TilePointerList types = tileExpansionList(e);
  MlirValue *components = tileExpansionGet(e, user, value);
  if (!components)
    return tileFailure();
  e->rules->types(e, mlirValueGetType(value), &types);
  for (size_t i = 0; i < types.count; ++i)
    tilePointerListAppend(list, components[i].ptr);
  return tileSuccess();
}

// ---- Ops that hand values on ----

void tileExpandArguments(TileExpansion *e, MlirBlock block, MlirLocation loc) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue arg = mlirBlockGetArgument(block, i);
    if (!isCompound(e, arg))
      continue;
    TilePointerList types = tileExpansionList(e);
    size_t n;
    e->rules->types(e, mlirValueGetType(arg), &types);
    MlirValue *components = tileExpansionNew(e, arg, &n);
    for (size_t k = 0; k < n; ++k)
      components[k] = mlirBlockInsertArgument(block, i + 1 + (intptr_t)k, (MlirType){types.items[k]}, loc);
    tilePointerListAppend(&e->deadArgs, arg.ptr);
    i += (intptr_t)n;
  }
}

static void mapResults(TileExpansion *e, MlirOperation op, MlirOperation by) {
  for (intptr_t i = 0, at = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (!isCompound(e, result)) {
      mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(by, at++));
      continue;
    }
    size_t n;
    MlirValue *components = tileExpansionNew(e, result, &n);
    for (size_t k = 0; k < n; ++k)
      components[k] = mlirOperationGetResult(by, at++);
  }
}

/* The same op with components where it had compound values; takes over the regions. Null after a diagnostic.
 */
static MlirOperation rebuild(TileExpansion *e, MlirOperation op) {
  TilePointerList operands = tileExpansionList(e), results = tileExpansionList(e);
  MlirLocation loc = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileFailed(appendValues(e, op, &operands, mlirOperationGetOperand(op, i))))
      return (MlirOperation){NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    appendTypes(e, &results, mlirValueGetType(mlirOperationGetResult(op, i)));
  MlirOperationState state = mlirOperationStateGet(mlirIdentifierStr(mlirOperationGetName(op)), loc);
  mlirOperationStateAddOperands(&state, (intptr_t)operands.count, (const MlirValue *)operands.items);
  mlirOperationStateAddResults(&state, (intptr_t)results.count, (const MlirType *)results.items);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute attr = mlirOperationGetAttribute(op, i);
    mlirOperationStateAddAttributes(&state, 1, &attr);
  }
  intptr_t regions = mlirOperationGetNumRegions(op);
  tileStateAddRegions(&state, regions);
  MlirOperation by = tileBuilderInsert(e->builder, &state);
  for (intptr_t r = 0; by.ptr && r < regions; ++r) {
    MlirRegion region = mlirOperationGetRegion(by, r);
    mlirRegionTakeBody(region, mlirOperationGetRegion(op, r));
    for (MlirBlock b = mlirRegionGetFirstBlock(region); b.ptr; b = mlirBlockGetNextInRegion(b))
      tileExpandArguments(e, b, loc);
  }
  return by;
}

static MlirLogicalResult expandSelect(TileExpansion *e, MlirOperation op) {
  ArithSelectOp select = {op};
  MlirValue *yes = tileExpansionGet(e, op, arithSelectOpGetTrueValue(select));
  MlirValue *no = yes ? tileExpansionGet(e, op, arithSelectOpGetFalseValue(select)) : NULL;
  size_t n;
  if (!no)
    return tileFailure();
  MlirValue *components = tileExpansionNew(e, mlirOperationGetResult(op, 0), &n);
  for (size_t i = 0; i < n; ++i)
    components[i] = mlirValueEqual(yes[i], no[i])
                        ? yes[i]
                        : arithSelectOpGetResult(arithSelectOpCreate(
                              e->builder, mlirOperationGetLocation(op), mlirValueGetType(yes[i]),
                              arithSelectOpGetCondition(select), yes[i], no[i]));
  return tileSuccess();
}

static void expandPoison(TileExpansion *e, MlirOperation op) {
  TilePointerList types = tileExpansionList(e);
  MlirValue result = mlirOperationGetResult(op, 0);
  size_t n;
  e->rules->types(e, mlirValueGetType(result), &types);
  MlirValue *components = tileExpansionNew(e, result, &n);
  for (size_t i = 0; i < n; ++i)
    components[i] = ubPoisonOpGetResult(ubPoisonOpCreate(e->builder, mlirOperationGetLocation(op),
                                                         (MlirType){types.items[i]}, mlirAttributeGetNull()));
}

static MlirLogicalResult expandCarrier(TileExpansion *e, MlirOperation op) {
  tilePointerListAppend(&e->deadOps, op.ptr);
  switch (tileOpKind(op)) {
  case TileOp_Arith_Select:
    return expandSelect(e, op);
  case TileOp_UB_Poison:
  case TileOp_LLVM_Undef:
    expandPoison(e, op);
    return tileSuccess();
  default:
    break;
  }
  MlirOperation by = rebuild(e, op);
  if (!by.ptr)
    return tileFailure();
  mapResults(e, op, by);
  return tileExpandRegions(e, by);
}

// ---- The walk ----

static bool involves(const TileExpansion *e, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isCompound(e, mlirOperationGetOperand(op, i)))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (isCompound(e, mlirOperationGetResult(op, i)))
      return true;
  return false;
}

static MlirLogicalResult expandOp(TileExpansion *e, MlirOperation op) {
  bool erased = false;
  if (!involves(e, op))
    return tileExpandRegions(e, op);
  mlirRewriterBaseSetInsertionPointBefore(e->builder, op);
  switch (e->rules->expand(e, op, &erased)) {
  case TileExpanded_Failed:
    return tileFailure();
  case TileExpanded_Carries:
    return expandCarrier(e, op);
  case TileExpanded_Done:
    break;
  }
  if (!erased)
    tilePointerListAppend(&e->deadOps, op.ptr);
  return tileSuccess();
}

MlirLogicalResult tileExpandRegions(TileExpansion *e, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); block.ptr;
         block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block), next; inner.ptr; inner = next) {
        next = mlirOperationGetNextInBlock(inner);
        if (tileFailed(expandOp(e, inner)))
          return tileFailure();
      }
  return tileSuccess();
}

void tileExpansionFinish(TileExpansion *e) {
  for (size_t i = e->deadOps.count; i-- > 0;)
    mlirRewriterBaseEraseOp(e->builder, (MlirOperation){(void *)e->deadOps.items[i]});
  for (size_t i = e->deadArgs.count; i-- > 0;) {
    MlirValue arg = {e->deadArgs.items[i]};
    mlirBlockEraseArgument(mlirBlockArgumentGetOwner(arg), (unsigned)mlirBlockArgumentGetArgNumber(arg));
  }
}

// ---- Functions ----

MlirType tileExpandFunctionType(TileExpansion *e, MlirType type) {
  TilePointerList inputs = tileExpansionList(e), results = tileExpansionList(e);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    appendTypes(e, &inputs, mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    appendTypes(e, &results, mlirFunctionTypeGetResult(type, i));
  return mlirFunctionTypeGet(e->context, (intptr_t)inputs.count, (const MlirType *)inputs.items,
                             (intptr_t)results.count, (const MlirType *)results.items);
}

MlirAttribute tileExpandArgAttrs(TileExpansion *e, MlirAttribute attrs, MlirType function) {
  TilePointerList out = tileExpansionList(e);
  MlirAttribute empty = mlirDictionaryAttrGet(e->context, 0, NULL);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(function); ++i) {
    TilePointerList types = tileExpansionList(e);
    appendTypes(e, &types, mlirFunctionTypeGetInput(function, i));
    tilePointerListAppend(&out, mlirArrayAttrGetElement(attrs, i).ptr);
    for (size_t k = 1; k < types.count; ++k)
      tilePointerListAppend(&out, empty.ptr);
  }
  return mlirArrayAttrGet(e->context, (intptr_t)out.count, (const MlirAttribute *)out.items);
}
