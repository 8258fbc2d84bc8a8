/* KernelManifest.c - gathers the launch contract: parameters from the signatures as written, before any pass;
 * resources from the module's attributes after the last one. */
#include "KernelManifest.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/TT.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/HandOn.h"
#include "tile-c/IR.h"
#include "tile-c/ProgramLoop.h"
#include "tile-c/SeparateMemory.h"
#include "tile-c/TensorMap.h"

static MlirType pointee(MlirType type) {
  if (tilePtrTypeIsA(type))
    return tilePtrTypeGetPointee(type);
  return ttPtrTypeIsA(type) ? ttPtrTypeGetPointeeType(type) : (MlirType){NULL};
}

static void describeDescriptor(MlirType type, TileManifestParam *param) {
  bool tile = tileDescTypeIsA(type);
  intptr_t rank = tile ? tileDescTypeGetNumShape(type) : ttTensorDescTypeGetNumShape(type);
  param->kind = TileParamKind_Descriptor;
  param->type =
      tileElementTypeOf(tile ? tileDescTypeGetElementType(type) : ttTensorDescTypeGetElementType(type));
  if (rank > TILE_MAX_RANK)
    param->type = TileElementType_None;
  for (intptr_t i = 0; i < rank && i < TILE_MAX_RANK; ++i)
    param->box[i] = tile ? tileDescTypeGetShape(type, i) : ttTensorDescTypeGetShape(type, i);
  param->rank = (unsigned)rank;
}

/// The name that the text gives a parameter: a location, loc("x"(...)), in Triton IR; else what the text says.
static const char *argumentName(TileArena *arena, const TileSession *session, const TileKernelView *kernel,
                                intptr_t i) {
  MlirLocation loc = mlirValueGetLocation(mlirBlockGetArgument(kernel->entry, i));
  if (!mlirLocationIsAName(loc)) {
    size_t length;
    const char *name = tileSessionArgumentName(session, kernel->name, (size_t)i, &length);
    return tileArenaCopy(arena, name, length);
  }
  MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(loc));
  return tileArenaCopy(arena, name.data, name.length);
}

/// What a lowered text says of a pointer's elements: the argument attribute tile.element, else nothing
/// (bytes).
static TileElementType loweredElement(MlirAttribute argAttrs, intptr_t i) {
  if (mlirAttributeIsNull(argAttrs) || i >= mlirArrayAttrGetNumElements(argAttrs))
    return TileElementType_I8;
  MlirAttribute attrs = mlirArrayAttrGetElement(argAttrs, i);
  MlirAttribute element = mlirDictionaryAttrGetElementByName(attrs, tileStr("tile.element"));
  return !mlirAttributeIsNull(element) && mlirAttributeIsAType(element)
             ? tileElementTypeOf(mlirTypeAttrGetValue(element))
             : TileElementType_I8;
}

static int64_t divisibility(MlirAttribute argAttrs, intptr_t i) {
  if (mlirAttributeIsNull(argAttrs) || i >= mlirArrayAttrGetNumElements(argAttrs))
    return 0;
  MlirAttribute attrs = mlirArrayAttrGetElement(argAttrs, i);
  MlirAttribute value = mlirDictionaryAttrGetElementByName(attrs, tileStr("tile.divisibility"));
  if (mlirAttributeIsNull(value))
    value = mlirDictionaryAttrGetElementByName(attrs, tileStr("tt.divisibility"));
  return mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value) ? 0 : tileIntegerAttrValue(value);
}

static MlirLogicalResult collectParam(TileKernelManifest *m, const TileSession *session,
                                      const TileKernelView *kernel, intptr_t i, TileManifestParam *param) {
  MlirType type = mlirValueGetType(mlirBlockGetArgument(kernel->entry, i));
  MlirType element = pointee(type);
  param->name = argumentName(&m->arena, session, kernel, i);
  param->divisibility = divisibility(kernel->argAttrs, i);
  if (!mlirTypeIsNull(element)) {
    param->kind = TileParamKind_Pointer;
    param->type = tileElementTypeOf(element);
  } else if (mlirTypeIsALLVMPointerType(type)) {
    param->kind = TileParamKind_Pointer;
    param->type = loweredElement(kernel->argAttrs, i);
  } else if (tileDescTypeIsA(type) || ttTensorDescTypeIsA(type)) {
    describeDescriptor(type, param);
  } else if (!tileTypeIsTensor(type)) {
    param->kind = TileParamKind_Scalar;
    param->type = tileElementTypeOf(type);
  }
  if (param->type != TileElementType_None)
    return tileSuccess();
  return tileEmitOpError(kernel->op,
                         "parameter %d cannot be passed to a kernel, expected a pointer, a descriptor "
                         "of at most %d dimensions or a number",
                         (int)i, TILE_MAX_RANK);
}

/// The grid and the choices that the text declares.
static void collectDeclared(TileKernelManifest *m, const TileSession *session, TileManifestKernel *kernel) {
  TileDefine *defines;
  kernel->numChoices = tileSessionGetChoices(session, &m->arena, &defines);
  TileManifestChoice *choices = tileArenaAlloc(&m->arena, kernel->numChoices + 1, sizeof *choices);
  for (size_t i = 0; i < kernel->numChoices; ++i)
    choices[i] = (TileManifestChoice){defines[i].name, defines[i].value};
  kernel->choices = choices;
  for (int i = 0; i < 3; ++i)
    kernel->programs[i] = tileSessionGetGrid(session, i, &m->arena);
}

static MlirLogicalResult collectKernel(TileKernelManifest *m, const TileSession *session,
                                       const TileKernelView *view, TileManifestKernel *kernel) {
  const TileCompileOptions *options = tileSessionGetOptions(session);
  const TileTargetInfo *target = tileSessionGetTarget(session);
  const bool hasScratch = tileGetIntAttr(view->op, tileHandOnScratchName, 0) > 0, // a lowered text
      hasLoop = tileLoopsPrograms(view->op);
  const intptr_t n = mlirBlockGetNumArguments(view->entry) - tileTensorMapCount(view->op) - hasScratch -
                     (hasLoop ? TileProgramLoop_Parameters : 0);
  if (n < 0)
    return tileEmitOpError(view->op, "has fewer parameters than its attributes say");
  TileManifestParam *params = tileArenaAlloc(&m->arena, (size_t)n, sizeof *params);
  for (intptr_t i = 0; i < n; ++i)
    if (tileFailed(collectParam(m, session, view, i, &params[i])))
      return tileFailure();
  *kernel = (TileManifestKernel){.name = tileArenaCopy(&m->arena, view->name.data, view->name.length),
                                 .params = params,
                                 .numParams = (size_t)n,
                                 .numWarps = (unsigned)options->numWarps,
                                 .threadsPerWarp = target ? target->warpSize : 32,
                                 .numCtas = (unsigned)options->numCtas,
                                 .sharedStatic = target && target->sharedIsStatic};
  collectDeclared(m, session, kernel);
  return tileSuccess();
}

MlirLogicalResult tileKernelManifestCollect(TileKernelManifest *m, const TileSession *session) {
  const TileTargetInfo *target = tileSessionGetTarget(session);
  MlirModule module = tileSessionGetModule(session);
  TileKernelView view = {0};
  size_t count = 0;
  while (tileKernelViewNext(module, view.op, &view))
    ++count;
  m->kernels = tileArenaAlloc(&m->arena, count, sizeof *m->kernels);
  m->manifest = (TileManifest){.target = target ? target->chip : NULL,
                               .vendor = target ? target->vendor : TileVendor_None,
                               .kernels = m->kernels,
                               .numKernels = count};
  view.op = (MlirOperation){NULL};
  for (size_t i = 0; tileKernelViewNext(module, view.op, &view); ++i)
    if (tileFailed(collectKernel(m, session, &view, &m->kernels[i])))
      return tileFailure();
  return tileSuccess();
}

/// The kernel's function, lowered or not; null if there is none.
static MlirOperation findKernel(MlirModule module, const char *kernel) {
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute symbol = mlirOperationGetAttributeByName(op, mlirSymbolTableGetSymbolAttributeName());
    if (!mlirAttributeIsNull(symbol) && mlirStringRefEqual(mlirStringAttrGetValue(symbol), tileStr(kernel)))
      return op;
  }
  return (MlirOperation){NULL};
}

/// An attribute of the kernel's function, else of the module.
static int64_t resource(MlirModule module, MlirOperation kernel, const char *name) {
  int64_t value = tileGetIntAttr(mlirModuleGetOperation(module), name, 0);
  return kernel.ptr ? tileGetIntAttr(kernel, name, value) : value;
}

static void collectTensorMaps(TileKernelManifest *m, MlirOperation function, TileManifestKernel *kernel) {
  kernel->numTensorMaps = (size_t)tileTensorMapCount(function);
  TileTensorMap *maps = tileArenaAlloc(&m->arena, kernel->numTensorMaps + 1, sizeof *maps);
  for (size_t i = 0; i < kernel->numTensorMaps; ++i)
    maps[i] = tileTensorMapGet(function, (intptr_t)i);
  kernel->tensorMaps = maps;
}

static void collectSeparate(TileKernelManifest *m, MlirOperation function, TileManifestKernel *kernel) {
  kernel->numSeparate = (size_t)tileSeparateCount(function);
  TileValuePair *pairs = tileArenaAlloc(&m->arena, kernel->numSeparate + 1, sizeof *pairs);
  for (size_t i = 0; i < kernel->numSeparate; ++i)
    pairs[i] = tileSeparateGet(function, (intptr_t)i);
  kernel->separate = pairs;
}

/// Parameters that passes have added: memory for what programs hand on to each other (tile-gpu-stream-loops), and how many programs there
/// are, which blocks that go over them have to know.
static void collectHidden(TileKernelManifest *m, MlirOperation function, TileManifestKernel *kernel) {
  TileHiddenKind *hidden = tileArenaAlloc(&m->arena, 1 + TileProgramLoop_Parameters, sizeof *hidden);
  const int64_t bytes = tileGetIntAttr(function, tileHandOnScratchName, 0);
  kernel->hidden = hidden;
  kernel->numHidden = 0;
  if (bytes) {
    hidden[kernel->numHidden++] = TileHiddenKind_Scratch;
    kernel->scratchBytesPerBlock = (uint64_t)bytes;
    kernel->scratchKept = true;
  }
  if (!tileLoopsPrograms(function))
    return;
  hidden[kernel->numHidden++] = TileHiddenKind_ProgramsX;
  hidden[kernel->numHidden++] = TileHiddenKind_ProgramsY;
  hidden[kernel->numHidden++] = TileHiddenKind_ProgramsZ;
  kernel->gridRule = TileGridRule_Persistent;
  kernel->blocksPerProcessor = 1;
}

void tileKernelManifestComplete(TileKernelManifest *m, const TileSession *session) {
  MlirModule module = tileSessionGetModule(session);
  for (size_t i = 0; i < m->manifest.numKernels; ++i) {
    TileManifestKernel *kernel = &m->kernels[i];
    MlirOperation function = findKernel(module, kernel->name);
    kernel->numWarps =
        (unsigned)tileGetIntAttr(mlirModuleGetOperation(module), "tile_gpu.num_warps", kernel->numWarps);
    kernel->numWarps =
        (unsigned)tileGetIntAttr(mlirModuleGetOperation(module), "tile_gpu.launched_warps", kernel->numWarps);
    kernel->sharedBytes = (unsigned)resource(module, function, "tile_gpu.shared");
    kernel->extraWarps = (unsigned)resource(module, function, "tile_gpu.extra_warps");
    kernel->cluster[0] = (unsigned)resource(module, function, "tile_gpu.cluster");
    if (kernel->cluster[0] > 1)
      kernel->numCtas = kernel->cluster[0];
    if (!function.ptr)
      continue;
    collectTensorMaps(m, function, kernel);
    collectSeparate(m, function, kernel);
    collectHidden(m, function, kernel);
  }
}

void tileKernelManifestRelease(TileKernelManifest *m) {
  tileArenaRelease(&m->arena);
  *m = (TileKernelManifest){0};
}
