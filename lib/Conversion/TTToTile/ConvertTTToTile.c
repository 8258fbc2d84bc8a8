/* ConvertTTToTile.c - Triton IR into the tile dialect.
 *
 *   tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
 *     %pid = tt.get_program_id x : i32
 *     %done = arith.cmpi sge, %pid, %n : i32
 *     cf.cond_br %done, ^bb1, ^bb2
 *   ^bb1:
 *     tt.return
 *   ^bb2:
 *     %q = tt.addptr %p, %pid : !tt.ptr<f32>, i32
 *     tt.store %q, %c : !tt.ptr<f32>
 *     tt.return
 *   }
 * becomes
 *   func.func @k(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
 *     %pid = tile.program_id x
 *     %done = arith.cmpi sge, %pid, %n : i32
 *     scf.if %done {
 *     } else {
 *       %q = tile.addptr %p, %pid : !tile.ptr<f32>, i32
 *       tile.store %q, %c : !tile.ptr<f32>
 *     }
 *     return
 *   }
 *
 * requires: nothing; a module without tt ops stays as it is.
 * ensures: no op, type or attribute of tt is left, all control flow of what was a tt.func is structured,
 *          locations are those of the ops converted. */
#include "TTToTile.h"
#include "tile-c/ControlFlow.h"
#include "tile-c/Passes.h"
#include "tile-c/Patterns.h"

static const TTRow *const families[] = {
    ttDebugRows,  ttDescriptorRows, ttElementwiseRows, ttFunctionRows,
    ttMatrixRows, ttMemoryRows,     ttRegionRows,      ttShapeRows,
};

// ---- Helpers of the families ----

MlirValue *ttOperands(TTConversion *c, MlirOperation op, intptr_t first, intptr_t n) {
  MlirValue *values = tileArenaAlloc(c->arena, n + 1, sizeof *values);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetOperand(op, first + i);
  return values;
}

MlirType *ttResultTypes(TTConversion *c, MlirOperation op) {
  intptr_t n = mlirOperationGetNumResults(op);
  MlirType *types = tileArenaAlloc(c->arena, n + 1, sizeof *types);
  for (intptr_t i = 0; i < n; ++i)
    types[i] = ttTypeOf(mlirOperationGetResult(op, i));
  return types;
}

static void erase(TTConversion *c, MlirOperation op) { mlirRewriterBaseEraseOp(c->builder, op); }

MlirLogicalResult ttReplace(TTConversion *c, MlirOperation op, MlirOperation by) {
  if (!by.ptr)
    return TILE_BUG(op, "an op could not be created");
  tileCopyDiscardableAttrs(op, by);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(by, i));
  erase(c, op);
  return tileSuccess();
}

MlirLogicalResult ttReplaceByValue(TTConversion *c, MlirOperation op, MlirValue by) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), by);
  erase(c, op);
  return tileSuccess();
}

// ---- The walk ----

typedef struct Collector {
  TilePointerList ops;
  bool (*wanted)(MlirOperation op);
} Collector;

static MlirWalkResult collect(MlirOperation op, void *data) {
  Collector *collector = data;
  if (collector->wanted(op))
    tilePointerListAppend(&collector->ops, op.ptr);
  return MlirWalkResultAdvance;
}

typedef struct OpList {
  const MlirOperation *ops;
  size_t count;
} OpList;

static OpList collectOps(TTConversion *c, MlirOperation root, bool (*wanted)(MlirOperation op)) {
  Collector collector = {{.arena = c->arena}, wanted};
  mlirOperationWalk(root, collect, &collector, MlirWalkPostOrder);
  return (OpList){(const MlirOperation *)collector.ops.items, collector.ops.count};
}

static bool isFunction(MlirOperation op) { return tileOpKind(op) == TileOp_TT_Func; }
static bool isAny(MlirOperation op) { return true; }

static TTConvert converterOf(MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  for (size_t f = 0; kind != TileOp_None && f < TILE_COUNTOF(families); ++f)
    for (const TTRow *row = families[f]; row->kind != TileOp_None; ++row)
      if (row->kind == kind)
        return row->convert;
  return NULL;
}

static bool isTriton(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return name.length > 3 &&
         (!memcmp(name.data, "tt.", 3) || (name.length > 4 && !memcmp(name.data, "ttg.", 4)));
}

/* Inner ops come first, the function last. All are tried, so that one run reports every op it cannot convert.
 */
static MlirLogicalResult convertOps(TTConversion *c, MlirOperation func) {
  bool ok = true;
  OpList list = collectOps(c, func, isAny);
  for (size_t i = 0; i < list.count; ++i) {
    MlirOperation op = list.ops[i];
    TTConvert convert = converterOf(op);
    mlirRewriterBaseSetInsertionPointBefore(c->builder, op);
    if (convert)
      ok &= tileSucceeded(convert(c, op));
    else if (isTriton(op))
      ok &= tileSucceeded(tileEmitOpError(op, "has no counterpart in the tile dialect"));
  }
  return ok ? tileSuccess() : tileFailure();
}

/* Functions of other dialects are not converted, so nothing of Triton may stand in them. */
static MlirLogicalResult refuseRemains(TTConversion *c, MlirOperation module) {
  OpList list = collectOps(c, module, isTriton);
  for (size_t i = 0; i < list.count; ++i)
    tileEmitOpError(list.ops[i], "got an op of Triton IR outside of tt.func, expected it inside");
  return list.count ? tileFailure() : tileSuccess();
}

static MlirLogicalResult convertFunction(TTConversion *c, MlirOperation func) {
  TTFuncOp f = {func};
  TILE_TRY(tileCheckBranches(func));
  TILE_TRY(tileLiftControlFlowToSCF(func));
  TILE_TRY(ttExpandBlockPointers(c, f));
  TILE_TRY(ttResolveTensorMaps(c, f));
  TILE_TRY(ttConvertTypesAndHints(c, func));
  return convertOps(c, func);
}

MlirLogicalResult tileConvertTTToTileRun(MlirOperation module, const TileConvertTTToTileParams *params) {
  TileArena arena = {0};
  TTConversion c = {
      .context = mlirOperationGetContext(module),
      .arena = &arena,
      .types = {.arena = &arena},
  };
  c.builder = mlirIRRewriterCreate(c.context);
  bool ok = true;
  OpList funcs = collectOps(&c, module, isFunction);
  for (size_t i = 0; i < funcs.count; ++i)
    ok &= tileSucceeded(convertFunction(&c, funcs.ops[i]));
  ok = ok && tileSucceeded(refuseRemains(&c, module));
  mlirIRRewriterDestroy(c.builder);
  tileArenaRelease(&arena);
  // Ops of Triton IR have no verifiers of their own, and passes rely on what those of tile ops say.
  ok = ok && (!funcs.count || mlirOperationVerify(module));
  return ok ? tileSuccess() : tileFailure();
}
