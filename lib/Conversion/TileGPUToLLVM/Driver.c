/* Driver.c - the walk: each op of each kernel goes through one table to the emitter of its kind. */
#include "DirectCopy.h"
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/HandOn.h"
#include "tile-c/ProgramLoop.h"
#include "tile-c/SeparateMemory.h"
#include "tile-c/TensorMap.h"
#include "tile-c/ThreadWords.h"

static const TileOpLowering table[TileOp_Count] = {
    [TileOp_Tile_ProgramId] = tileLowerProgramId,
    [TileOp_Tile_NumPrograms] = tileLowerNumPrograms,
    [TileOp_Tile_MakeRange] = tileLowerMakeRange,
    [TileOp_Tile_Splat] = tileLowerSplat,
    [TileOp_Tile_Unsplat] = tileLowerUnsplat,
    [TileOp_Tile_ExpandDims] = tileLowerExpandDims,
    [TileOp_Tile_Broadcast] = tileLowerBroadcast,
    [TileOp_Tile_Reshape] = tileLowerReshape,
    [TileOp_Tile_Trans] = tileLowerTrans,
    [TileOp_Tile_Join] = tileLowerJoin,
    [TileOp_Tile_Split] = tileLowerSplit,
    [TileOp_Tile_Cat] = tileLowerCat,
    [TileOp_TileGPU_Any] = tileLowerAny,
    [TileOp_TileGPU_First] = tileLowerUnsplat,
    [TileOp_TileGPU_ConvertLayout] = tileLowerConvertLayout,
    [TileOp_TileGPU_Alloc] = tileLowerAlloc,
    [TileOp_TileGPU_Index] = tileLowerIndex,
    [TileOp_TileGPU_Advance] = tileLowerAdvance,
    [TileOp_TileGPU_Part] = tileLowerPart,
    [TileOp_TileGPU_Slice] = tileLowerView,
    [TileOp_TileGPU_Trans] = tileLowerView,
    [TileOp_TileGPU_LocalLoad] = tileLowerLocalLoad,
    [TileOp_TileGPU_LocalStore] = tileLowerLocalStore,
    [TileOp_TileGPU_AsyncCopy] = tileLowerAsyncCopy,
    [TileOp_TileGPU_AsyncCommit] = tileLowerAsyncCommit,
    [TileOp_TileGPU_AsyncWait] = tileLowerAsyncWait,
    [TileOp_Tile_Load] = tileLowerLoad,
    [TileOp_Tile_Store] = tileLowerStore,
    [TileOp_Tile_AtomicRMW] = tileLowerAtomicRMW,
    [TileOp_Tile_AtomicCAS] = tileLowerAtomicCAS,
    [TileOp_Tile_Dot] = tileLowerDot,
    [TileOp_TileGPU_Mma] = tileLowerMma,
    [TileOp_TileGPU_Wgmma] = tileLowerWgmma,
    [TileOp_TileGPU_WgmmaWait] = tileLowerWgmmaWait,
    [TileOp_TileGPU_FenceAsync] = tileLowerFenceAsync,
    [TileOp_TileGPU_Hold] = tileLowerHold,
    [TileOp_TileGPU_ShiftedLoad] = tileLowerShiftedLoad,
    [TileOp_TileGPU_TmaCopy] = tileLowerTmaCopy,
    [TileOp_TileGPU_TmaStore] = tileLowerTmaStore,
    [TileOp_TileGPU_BlockRank] = tileLowerBlockRank,
    [TileOp_TileGPU_BlockSum] = tileLowerBlockSum,
    [TileOp_TileGPU_HandOn] = tileLowerHandOn,
    [TileOp_TileGPU_TmaStoreWait] = tileLowerTmaStoreWait,
    [TileOp_TileGPU_MBarrierInit] = tileLowerMBarrierInit,
    [TileOp_TileGPU_MBarrierInval] = tileLowerMBarrierInval,
    [TileOp_TileGPU_MBarrierExpect] = tileLowerMBarrierExpect,
    [TileOp_TileGPU_MBarrierWait] = tileLowerMBarrierWait,
    [TileOp_TileGPU_MBarrierArrive] = tileLowerMBarrierArrive,
    [TileOp_TileGPU_Producer] = tileLowerProducer,
    [TileOp_Tile_Reduce] = tileLowerReduce,
    [TileOp_Tile_Gather] = tileLowerGather,
    [TileOp_Tile_Scan] = tileLowerScan,
    [TileOp_Tile_Histogram] = tileLowerHistogram,
    [TileOp_Tile_AtomicPoll] = tileLowerAtomicPoll,
    [TileOp_Tile_Barrier] = tileLowerBarrier,
    [TileOp_Tile_GridDependencyWait] = tileLowerGridDependency,
    [TileOp_Tile_GridDependencyLaunch] = tileLowerGridDependency,
    [TileOp_Tile_Assert] = tileLowerAssert,
    [TileOp_CF_Assert] = tileLowerAssert,
    [TileOp_Tile_Print] = tileLowerPrint,
    [TileOp_Tile_Assume] = tileLowerNothing,
    [TileOp_Tile_MapElementwise] = tileLowerMapElementwise,
    [TileOp_Tile_InlineAsm] = tileLowerInlineAsm,
    [TileOp_Arith_AddUIExtended] = tileLowerExtended,
    [TileOp_Arith_MulSIExtended] = tileLowerExtended,
    [TileOp_Arith_MulUIExtended] = tileLowerExtended,
    [TileOp_Arith_Constant] = tileLowerConstant,
    [TileOp_UB_Poison] = tileLowerPoison,
    [TileOp_SCF_For] = tileLowerFor,
    [TileOp_SCF_If] = tileLowerIf,
    [TileOp_SCF_While] = tileLowerWhile,
    [TileOp_SCF_IndexSwitch] = tileLowerIndexSwitch,
};

MlirLogicalResult tileLowerNothing(TileLowering *l, MlirOperation op) {
  (void)l, (void)op;
  return tileSuccess();
}

MlirLogicalResult tileLowerNotSupported(TileLowering *l, MlirOperation op) {
  return tileEmitOpError(op, "is not supported yet on %s", l->target->chip);
}

static MlirLogicalResult lowerOp(TileLowering *l, MlirOperation op) {
  l->loc = mlirOperationGetLocation(op);
  TileOpKind kind = tileOpKind(op);
  TileOpLowering lower = table[kind];
  return lower ? lower(l, op) : tileLowerElementwise(l, op);
}

MlirLogicalResult tileLowerBlock(TileLowering *l, MlirBlock block, MlirOperation *out_terminator) {
  MlirOperation terminator = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr && op.ptr != terminator.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (tileFailed(lowerOp(l, op)))
      return tileFailure();
  *out_terminator = terminator;
  return tileSuccess();
}

/* A name that assemblers read as one: PTX knows no dots in it. */
static bool isSymbol(MlirStringRef name, bool dots) {
  if (!name.length || (name.data[0] >= '0' && name.data[0] <= '9') || name.data[0] == '.')
    return false;
  for (size_t i = 0; i < name.length; ++i) {
    const char c = name.data[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
    if (!letter && !(c >= '0' && c <= '9') && !(dots && c == '.'))
      return false;
  }
  return true;
}

/* Names of functions that lowered code calls, and LLVM's own, are taken. */
static MlirLogicalResult checkName(TileLowering *l, FuncFuncOp source) {
  static const char *const taken[] = {"llvm.", "__assertfail", "vprintf"};
  MlirStringRef name = mlirStringAttrGetValue(funcFuncOpGetSymNameAttr(source));
  const bool amd = l->target->vendor == TileVendor_AMD;
  if (!isSymbol(name, amd))
    return tileEmitOpError(source.op, "got name '%.*s', expected letters, digits, '_'%s and '$' on %s",
                           (int)name.length, name.data, amd ? ", '.'" : "", l->target->chip);
  for (size_t i = 0; i < TILE_COUNTOF(taken); ++i)
    if (name.length >= strlen(taken[i]) && !memcmp(name.data, taken[i], strlen(taken[i])))
      return tileEmitOpError(source.op, "got name '%.*s', expected one that is not a run-time function's",
                             (int)name.length, name.data);
  return tileSuccess();
}

/* The llvm.func with the kernel's name and its parameters in order; descriptors are refused. */
static MlirLogicalResult createFunction(TileLowering *l, TileBuilder at, FuncFuncOp source,
                                        MlirOperation *out_function) {
  MlirType type = funcFuncOpGetFunctionType(source), inputs[256];
  intptr_t n = mlirFunctionTypeGetNumInputs(type), maps = tileTensorMapCount(source.op);
  if (n + maps > (intptr_t)TILE_COUNTOF(inputs))
    return tileEmitOpError(source.op, "got %ld parameters, expected at most %zu", (long)n,
                           TILE_COUNTOF(inputs));
  for (intptr_t i = 0; i < n; ++i) {
    inputs[i] = tileLowerElementType(l, mlirFunctionTypeGetInput(type, i));
    if (!inputs[i].ptr)
      return tileEmitOpError(source.op, "has parameter %ld of a type that is not supported yet on %s",
                             (long)i, l->target->chip);
  }
  for (intptr_t i = 0; i < maps; ++i)
    inputs[n + i] = mlirLLVMPointerTypeGet(l->context, 0);
  MlirType lowered = mlirLLVMFunctionTypeGet(mlirLLVMVoidTypeGet(l->context), n + maps, inputs, false);
  LLVMLLVMFuncOp function =
      llvmLLVMFuncOpCreate(at, l->loc, funcFuncOpGetSymNameAttr(source), mlirTypeAttrGet(lowered), NULL);
  l->body = llvmLLVMFuncOpGetBody(function);
  MlirBlock entry = tileAppendBlock(l, n + maps, inputs);
  l->firstMap = n;
  if (maps)
    tileMarkTensorMaps(l, source.op, function.op);
  tileSeparateCopy(source.op, function.op);
  MlirAttribute blocks =
      mlirOperationGetDiscardableAttributeByName(source.op, tileStr("tile_gpu.min_blocks"));
  if (blocks.ptr)
    mlirOperationSetDiscardableAttributeByName(function.op, tileStr("tile_gpu.min_blocks"), blocks);
  if (tileLoopsPrograms(source.op))
    mlirOperationSetDiscardableAttributeByName(function.op, tileStr(tileProgramLoopName),
                                               mlirUnitAttrGet(l->context));
  MlirBlock body = mlirRegionGetFirstBlock(funcFuncOpGetBody(source));
  for (intptr_t i = 0; i < n; ++i)
    tileBindOne(l, mlirBlockGetArgument(body, i), mlirBlockGetArgument(entry, i));
  *out_function = function.op;
  return tileSuccess();
}

/* Opens the first block for prologue values and continues in a second one. */
static void openBody(TileLowering *l) {
  MlirBlock entry = mlirRegionGetFirstBlock(l->body), first = tileAppendBlock(l, 0, NULL);
  tileEnterBlock(l, entry);
  tileEmitBranch(l, first, 0, NULL);
  mlirRewriterBaseSetInsertionPointBefore(l->prologue, mlirBlockGetTerminator(entry));
  tileEnterBlock(l, first);
  TileBuilder body = l->b;
  l->b = l->prologue;
  l->tid = l->hooks->threadId(l);
  l->b = body;
}

static MlirLogicalResult lowerKernel(TileLowering *l, TileBuilder at, FuncFuncOp source) {
  MlirBlock block = mlirRegionGetFirstBlock(funcFuncOpGetBody(source));
  if (mlirBlockGetNextInRegion(block).ptr)
    return tileEmitOpError(source.op,
                           "has unstructured control flow, expected one block (run lift-cf-to-scf before)");
  MlirOperation function, terminator;
  l->loc = mlirOperationGetLocation(source.op);
  TILE_TRY(checkName(l, source));
  if (tileFailed(createFunction(l, at, source, &function)))
    return tileFailure();
  l->cluster = (int)tileGetIntAttr(source.op, "tile_gpu.cluster", 1);
  openBody(l);
  l->copiesDirectly = tileHasDirectCopies(source.op);
  TILE_TRY(tileCheckLaunchedWarps(l, source.op));
  tileWarnOfLargeTensors(l, source.op);
  l->words = tileThreadWords(source.op, l->axis, l->target);
  MlirLogicalResult result = tileLowerBlock(l, block, &terminator);
  if (tileSucceeded(result)) {
    l->loc = mlirOperationGetLocation(terminator);
    llvmReturnOpCreate(l->b, l->loc, (MlirValue){NULL});
    l->hooks->markKernel(l, function, (l->launchedWarps + l->extraWarps) * (int)l->target->warpSize);
    if (l->cluster > 1)
      mlirOperationSetDiscardableAttributeByName(function, tileStr("tile_gpu.cluster"),
                                                 tileI32Attr(l->context, l->cluster));
    MlirAttribute scratch =
        mlirOperationGetDiscardableAttributeByName(source.op, tileStr(tileHandOnScratchName));
    if (scratch.ptr)
      mlirOperationSetDiscardableAttributeByName(function, tileStr(tileHandOnScratchName), scratch);
    if (l->extraWarps)
      mlirOperationSetDiscardableAttributeByName(function, tileStr("tile_gpu.extra_warps"),
                                                 tileI32Attr(l->context, l->extraWarps));
  }
  return result;
}

static MlirLogicalResult lowerFunction(MlirOperation module, FuncFuncOp source, TileLowering shared) {
  TileArena arena = {0};
  TileLowering l = shared;
  l.arena = &arena;
  l.values.arena = l.coordinates.arena = l.constants.arena = &arena;
  l.b = mlirIRRewriterCreate(l.context);
  l.prologue = mlirIRRewriterCreate(l.context);
  TileBuilder at = mlirIRRewriterCreateFromOp(source.op);
  l.axis = tileAxisInfoCreate(source.op);
  MlirLogicalResult result = l.axis ? lowerKernel(&l, at, source) : tileFailure();
  tileAxisInfoRelease(l.axis);
  mlirIRRewriterDestroy(at);
  mlirIRRewriterDestroy(l.prologue);
  mlirIRRewriterDestroy(l.b);
  tileArenaRelease(&arena);
  if (tileSucceeded(result))
    mlirOperationDestroy(source.op);
  return result;
}

MlirLogicalResult tileLowerModule(MlirOperation module, const TileLoweringHooks *hooks, bool precise) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (target.info.vendor != hooks->vendor)
    return tileEmitError(mlirOperationGetLocation(module), "got chip %s, expected one of %s",
                         target.info.chip, hooks->vendor == TileVendor_AMD ? "AMD" : "NVIDIA");
  TileLowering shared = {.context = mlirOperationGetContext(module),
                         .hooks = hooks,
                         .target = &target.info,
                         .numWarps = target.numWarps,
                         .launchedWarps = target.launchedWarps,
                         .precise = precise};
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  shared.loc = mlirOperationGetLocation(module);
  TileBuilder top = mlirIRRewriterCreate(shared.context);
  mlirRewriterBaseSetInsertionPointToStart(top, body);
  tileDeclareShared(&shared, module, top);
  mlirIRRewriterDestroy(top);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    FuncFuncOp function = funcFuncOpCast(op);
    if (funcFuncOpIsNull(function))
      continue;
    if (!mlirOperationGetDiscardableAttributeByName(op, tileStr("tile.kernel")).ptr)
      return tileEmitOpError(
          op, "is a function that was not inlined into its callers (is it recursive, or called by none?)");
    if (tileFailed(lowerFunction(module, function, shared)))
      return tileFailure();
  }
  return tileSuccess();
}
