/* Function.c - functions, calls and the grid.
 *
 *   tt.func public @k(%p: !tt.ptr<f32>)   -> func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel}
 *   tt.func private @h(%x: f32) -> f32    -> func.func private @h(%x: f32) -> f32
 *   tt.call @h(%x) : (f32) -> f32         -> call @h(%x) : (f32) -> f32
 * `noinline` is dropped: helpers are always inlined. */
#include "TTToTile.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/UB.h"

static bool isKernelArgument(MlirType type) {
  return tilePtrTypeIsA(type) || tileDescTypeIsA(type) || tileTypeIsNumber(type);
}

/* What the host can launch: not private, no results, arguments that a launch can pass. */
static bool isKernel(TTFuncOp f, MlirType type) {
  MlirAttribute visibility = ttFuncOpGetSymVisibilityAttr(f);
  bool kernel = mlirAttributeIsNull(visibility) ||
                mlirStringRefEqual(mlirStringAttrGetValue(visibility), tileStr("public"));
  kernel &= !mlirFunctionTypeGetNumResults(type) && mlirRegionGetFirstBlock(ttFuncOpGetBody(f)).ptr;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    kernel &= isKernelArgument(mlirFunctionTypeGetInput(type, i));
  return kernel;
}

static MlirAttribute convertArgAttrs(TTConversion *c, MlirAttribute array) {
  if (mlirAttributeIsNull(array))
    return array;
  intptr_t n = mlirArrayAttrGetNumElements(array);
  MlirAttribute *dictionaries = tileArenaAlloc(c->arena, n + 1, sizeof *dictionaries);
  for (intptr_t i = 0; i < n; ++i)
    dictionaries[i] = ttConvertArgAttrs(c, mlirArrayAttrGetElement(array, i));
  return mlirArrayAttrGet(c->context, n, dictionaries);
}

static MlirLogicalResult convertFunc(TTConversion *c, MlirOperation op) {
  TTFuncOp f = {op};
  MlirType type = ttConvertType(c, ttLoc(op), mlirTypeAttrGetValue(ttFuncOpGetFunctionTypeAttr(f)));
  if (mlirTypeIsNull(type))
    return tileFailure();
  bool kernel = isKernel(f, type);
  MlirAttribute visibility =
      kernel ? mlirAttributeGetNull() : mlirStringAttrGet(c->context, tileStr("private"));
  FuncFuncOp func = funcFuncOpCreate(c->builder, ttLoc(op), ttFuncOpGetSymNameAttr(f), mlirTypeAttrGet(type),
                                     visibility, convertArgAttrs(c, ttFuncOpGetArgAttrsAttr(f)),
                                     convertArgAttrs(c, ttFuncOpGetResAttrsAttr(f)), mlirAttributeGetNull());
  mlirRegionTakeBody(funcFuncOpGetBody(func), ttFuncOpGetBody(f));
  mlirOperationRemoveDiscardableAttributeByName(op, tileStr("noinline"));
  TILE_TRY(ttReplace(c, op, func.op));
  if (kernel)
    mlirOperationSetDiscardableAttributeByName(func.op, tileStr("tile.kernel"), mlirUnitAttrGet(c->context));
  return tileSuccess();
}

static MlirLogicalResult convertCall(TTConversion *c, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirAttribute none = mlirAttributeGetNull();
  FuncCallOp call =
      funcCallOpCreate(c->builder, ttLoc(op), mlirOperationGetNumResults(op), ttResultTypes(c, op), n,
                       ttOperands(c, op, 0, n), ttCallOpGetCalleeAttr((TTCallOp){op}), none, none, none);
  return ttReplace(c, op, call.op);
}

static MlirLogicalResult convertReturn(TTConversion *c, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  return ttReplace(c, op, funcReturnOpCreate(c->builder, ttLoc(op), n, ttOperands(c, op, 0, n)).op);
}

static const TileProgramAxis axes[] = {[TTProgramDim_X] = TileProgramAxis_X,
                                       [TTProgramDim_Y] = TileProgramAxis_Y,
                                       [TTProgramDim_Z] = TileProgramAxis_Z};

static MlirLogicalResult convertProgramId(TTConversion *c, MlirOperation op) {
  MlirAttribute axis = ttI32(c, axes[ttGetProgramIdOpGetAxis((TTGetProgramIdOp){op})]);
  return ttReplace(c, op, tileProgramIdOpCreate(c->builder, ttLoc(op), ttResultType(op), axis).op);
}

static MlirLogicalResult convertNumPrograms(TTConversion *c, MlirOperation op) {
  MlirAttribute axis = ttI32(c, axes[ttGetNumProgramsOpGetAxis((TTGetNumProgramsOp){op})]);
  return ttReplace(c, op, tileNumProgramsOpCreate(c->builder, ttLoc(op), ttResultType(op), axis).op);
}

/* 3.0 writes llvm.mlir.undef where a value does not matter. */
static MlirLogicalResult convertUndef(TTConversion *c, MlirOperation op) {
  return ttReplace(c, op,
                   ubPoisonOpCreate(c->builder, ttLoc(op), ttResultType(op), mlirAttributeGetNull()).op);
}

const TTRow ttFunctionRows[] = {
    {TileOp_TT_Func, convertFunc},
    {TileOp_TT_Call, convertCall},
    {TileOp_TT_Return, convertReturn},
    {TileOp_TT_GetProgramId, convertProgramId},
    {TileOp_TT_GetNumPrograms, convertNumPrograms},
    {TileOp_LLVM_Undef, convertUndef},
    {TileOp_None, NULL},
};
