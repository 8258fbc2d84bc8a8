/* ExpandDescriptors.c - tile-gpu-expand-descriptors: tensor descriptors become pointers, sizes and strides,
 * their blocks masked accesses.
 *
 *   func.func @k(%d: !tile.desc<64xf32>, %i: i32) attributes {tile.kernel} {
 *     %t = tile.desc_load %d[%i] : !tile.desc<64xf32> -> tensor<64xf32>
 * becomes
 *   func.func @k(%base: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %size: i32, %stride: i64, %i: i32) ...
 * { %p = addptr(splat(addptr(%base, %i)), 0 .. 63) %m = 0 <= %i + (0 .. 63) < %size %t = tile.load %p mask %m
 * other %zero : tensor<64x!tile.ptr<f32>>
 *
 * A launch passes a descriptor as base, sizes (i32) and strides (i64), with the promise that the base and all
 * strides but the last are multiples of 16 bytes and the last stride is 1. A descriptor that the kernel makes
 * is taken as it is.
 *
 * requires: structured control flow, helpers inlined. What the chip copies by itself has been taken out by a
 * pass before this one: it has no descriptor type any more.
 * ensures: no value has a descriptor's type. */
#include "Descriptors.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Bits.h"

typedef struct Expander {
  TileExpansion e;
  TileAxisInfo *axis;
  uint64_t *count;
} Expander;

static MlirType elementOf(MlirType desc) { return tileDescTypeGetElementType(desc); }

/* What a launch passes. */
static void appendParameterTypes(TileExpansion *e, MlirType type, TilePointerList *out) {
  MlirType i32 = mlirIntegerTypeGet(e->context, 32), i64 = mlirIntegerTypeGet(e->context, 64);
  intptr_t rank = tileDescTypeGetNumShape(type);
  tilePointerListAppend(out, tilePtrTypeGet(e->context, elementOf(type), 1).ptr);
  for (intptr_t i = 0; i < 2 * rank; ++i)
    tilePointerListAppend(out, i < rank ? i32.ptr : i64.ptr);
}

static void appendTypes(TileExpansion *e, MlirType type, TilePointerList *out) {
  appendParameterTypes(e, type, out);
  if (mlirTypeIsAFloat(elementOf(type)))
    tilePointerListAppend(out, mlirIntegerTypeGet(e->context, 1).ptr);
}

static MlirValue constantInt(TileExpansion *e, MlirLocation loc, int width, int64_t value) {
  MlirType type = mlirIntegerTypeGet(e->context, (unsigned)width);
  return tileCreateInteger(e->builder, loc, type, value);
}

static TileExpanded expandMake(TileExpansion *e, MlirOperation op) {
  TileMakeDescOp make = tileMakeDescOpCast(op);
  MlirValue result = tileMakeDescOpGetResult(make);
  size_t n, operands = (size_t)mlirOperationGetNumOperands(op);
  MlirValue *parts = tileExpansionNew(e, result, &n);
  for (size_t i = 0; i < operands; ++i)
    parts[i] = mlirOperationGetOperand(op, (intptr_t)i);
  if (operands < n)
    parts[operands] =
        constantInt(e, mlirOperationGetLocation(op), 1, tileMakeDescOpGetPadding(make) == TilePadding_NaN);
  return TileExpanded_Done;
}

static TileExpanded expandAccess(TileExpansion *e, MlirOperation op) {
  Expander *x = e->user;
  MlirValue desc = mlirOperationGetOperand(op, 0); /* first in all of them */
  DescParts parts = {.type = mlirValueGetType(desc), .values = tileExpansionGet(e, op, desc)};
  parts.rank = tileDescTypeGetNumShape(parts.type);
  if (!parts.values || tileFailed(descExpandAccess(e, x->axis, op, &parts)))
    return TileExpanded_Failed;
  ++*x->count;
  return TileExpanded_Done;
}

static TileExpanded expandOp(TileExpansion *e, MlirOperation op, bool *out_erased) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_MakeDesc:
    return expandMake(e, op);
  case TileOp_Tile_DescLoad:
  case TileOp_Tile_DescStore:
  case TileOp_Tile_DescReduce:
  case TileOp_Tile_DescGather:
  case TileOp_Tile_DescScatter:
    return expandAccess(e, op);
  default:
    return TileExpanded_Carries;
  }
}

/* The copy engines and the layouts of a block want powers of two. */
static bool isOddDescriptor(MlirType type) {
  bool odd = false;
  for (intptr_t i = 0; tileDescTypeIsA(type) && i < tileDescTypeGetNumShape(type); ++i)
    odd |= !tileIsPowerOfTwo(tileDescTypeGetShape(type, i));
  return odd;
}

static const TileExpansionRules allRules = {"a descriptor", tileDescTypeIsA, appendTypes, expandOp},
                                oddRules = {"a descriptor", isOddDescriptor, appendTypes, expandOp};

// ---- Kernel parameters ----

/* What the launcher promises of component k. */
static MlirAttribute promiseOf(TileExpansion *e, MlirType desc, intptr_t k) {
  intptr_t rank = tileDescTypeGetNumShape(desc);
  int64_t size = (int64_t)tileElementTypeSize(tileElementTypeOf(elementOf(desc)));
  int64_t divisibility = k == 0 ? 16 : k > rank && k < 2 * rank ? 16 / size : 1;
  MlirNamedAttribute named = {mlirIdentifierGet(e->context, tileStr("tile.divisibility")),
                              tileI32Attr(e->context, divisibility)};
  return mlirDictionaryAttrGet(e->context, divisibility > 1, &named);
}

/* New arguments behind argument i; returns how many. */
static intptr_t expandParameter(TileExpansion *e, MlirBlock entry, intptr_t i, TilePointerList *types,
                                TilePointerList *attrs) {
  MlirValue arg = mlirBlockGetArgument(entry, i);
  MlirType type = mlirValueGetType(arg);
  MlirLocation loc = mlirValueGetLocation(arg);
  TilePointerList own = tileExpansionList(e);
  intptr_t rank = tileDescTypeGetNumShape(type);
  size_t n;
  MlirValue *parts = tileExpansionNew(e, arg, &n);
  appendParameterTypes(e, type, &own);
  for (size_t k = 0; k < own.count; ++k) {
    parts[k] = mlirBlockInsertArgument(entry, i + 1 + (intptr_t)k, (MlirType){own.items[k]}, loc);
    tilePointerListAppend(types, own.items[k]);
    tilePointerListAppend(attrs, promiseOf(e, type, (intptr_t)k).ptr);
  }
  mlirRewriterBaseSetInsertionPointToStart(e->builder, entry);
  parts[2 * rank] = constantInt(e, loc, 64, 1);
  if (n > own.count)
    parts[own.count] = constantInt(e, loc, 1, 0);
  tilePointerListAppend(&e->deadArgs, arg.ptr);
  return (intptr_t)own.count;
}

static void expandParameters(TileExpansion *e, FuncFuncOp function) {
  MlirBlock entry = mlirRegionGetFirstBlock(funcFuncOpGetBody(function));
  MlirAttribute old = funcFuncOpGetArgAttrsAttr(function), empty = mlirDictionaryAttrGet(e->context, 0, NULL);
  MlirType type = funcFuncOpGetFunctionType(function);
  TilePointerList types = tileExpansionList(e), attrs = tileExpansionList(e), results = tileExpansionList(e);
  for (intptr_t i = 0, at = 0; i < mlirFunctionTypeGetNumInputs(type); ++i, ++at) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    if (e->rules->matches(input)) {
      at += expandParameter(e, entry, at, &types, &attrs);
      continue;
    }
    tilePointerListAppend(&types, input.ptr);
    tilePointerListAppend(&attrs, old.ptr ? mlirArrayAttrGetElement(old, i).ptr : empty.ptr);
  }
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    tilePointerListAppend(&results, mlirFunctionTypeGetResult(type, i).ptr);
  MlirType expanded = mlirFunctionTypeGet(e->context, (intptr_t)types.count, (const MlirType *)types.items,
                                          (intptr_t)results.count, (const MlirType *)results.items);
  funcFuncOpSetFunctionTypeAttr(function, mlirTypeAttrGet(expanded));
  funcFuncOpSetArgAttrsAttr(
      function, mlirArrayAttrGet(e->context, (intptr_t)attrs.count, (const MlirAttribute *)attrs.items));
}

// ---- The pass ----

typedef struct Search {
  const TileExpansionRules *rules;
  bool found;
} Search;

static MlirWalkResult findDescriptor(MlirOperation op, void *user) {
  Search *s = user;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    s->found |= s->rules->matches(mlirValueGetType(mlirOperationGetResult(op, i)));
  return s->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool mentionsDescriptor(FuncFuncOp function, const TileExpansionRules *rules) {
  MlirType type = funcFuncOpGetFunctionType(function);
  Search s = {rules, false};
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    s.found |= rules->matches(mlirFunctionTypeGetInput(type, i));
  if (!s.found)
    mlirOperationWalk(function.op, findDescriptor, &s, MlirWalkPreOrder);
  return s.found;
}

static MlirLogicalResult expandFunction(FuncFuncOp function, const TileExpansionRules *rules,
                                        uint64_t *count) {
  TileArena arena = {0};
  Expander x = {.count = count};
  if (!mlirRegionGetFirstBlock(funcFuncOpGetBody(function)).ptr || !mentionsDescriptor(function, rules))
    return tileSuccess();
  MlirContext context = mlirOperationGetContext(function.op);
  x.e = tileExpansionOf(rules, context, mlirIRRewriterCreate(context), &arena, &x);
  x.axis = tileAxisInfoCreate(function.op);
  MlirLogicalResult result = tileFailure();
  if (x.axis) {
    expandParameters(&x.e, function);
    result = tileExpandRegions(&x.e, function.op);
  }
  if (tileSucceeded(result))
    tileExpansionFinish(&x.e);
  tileAxisInfoRelease(x.axis);
  mlirIRRewriterDestroy(x.e.builder);
  tileArenaRelease(&arena);
  return result;
}

MlirLogicalResult tileGPUExpandDescriptorsRun(MlirOperation module,
                                              const TileGPUExpandDescriptorsParams *params) {
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  const TileExpansionRules *rules = params->odd ? &oddRules : &allRules;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func &&
        tileFailed(expandFunction(funcFuncOpCast(op), rules, params->numAccesses)))
      return tileFailure();
  return tileSuccess();
}
