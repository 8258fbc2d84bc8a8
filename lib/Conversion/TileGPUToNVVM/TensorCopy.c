/* TensorCopy.c - the tensor copy engine and barriers in shared memory: thread 0 of the program speaks for all.
 *
 *   tile_gpu.tma_copy 0[%i, %k], %m, %bar if %more
 * becomes, one for each swizzled row's width of columns,
 *   tile_nv.tma_load %m', %map[%k, %i], %bar' if (%more and thread 0) */
#include "../TileGPUToLLVM/Buffers.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/NVVM.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Dialect/TileNV.h"
#include "tile-c/TensorMap.h"

enum { MAP_BYTES = 128, MAP_ALIGNMENT = 64 };

static MlirNamedAttribute named(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, tileStr(name)), value);
}

void tileMarkTensorMaps(TileLowering *l, MlirOperation source, MlirOperation function) {
  const intptr_t maps = tileTensorMapCount(source), n = l->firstMap + maps;
  MlirContext context = l->context;
  MlirType bytes = mlirLLVMArrayTypeGet(mlirIntegerTypeGet(context, 8), MAP_BYTES);
  MlirNamedAttribute byValue[] = {named(context, "llvm.byval", mlirTypeAttrGet(bytes)),
                                  named(context, "llvm.align", tileI64Attr(context, MAP_ALIGNMENT)),
                                  named(context, "nvvm.grid_constant", mlirUnitAttrGet(context))};
  MlirAttribute *attrs = tileArenaAlloc(l->arena, (size_t)n, sizeof *attrs);
  for (intptr_t i = 0; i < n; ++i)
    attrs[i] = mlirDictionaryAttrGet(context, i < l->firstMap ? 0 : 3, byValue);
  llvmLLVMFuncOpSetArgAttrsAttr(llvmLLVMFuncOpCast(function), mlirArrayAttrGet(context, n, attrs));
  static const char name[] = "tile_gpu.tensor_maps";
  mlirOperationSetDiscardableAttributeByName(
      function, tileStr(name), mlirOperationGetDiscardableAttributeByName(source, tileStr(name)));
}

static MlirLogicalResult requireTma(TileLowering *l, MlirOperation op) {
  return tileTargetHas(l->target, TileFeature_TMA)
             ? tileSuccess()
             : tileEmitOpError(op, "got chip %s, expected one with a tensor copy engine", l->target->chip);
}

static MlirValue baseOf(TileLowering *l, MlirValue buffer) { return tileRegistersOf(l, buffer).values[0]; }

/* Thread 0, where the predicate is true. */
static MlirValue onlyFirst(TileLowering *l, MlirValue predicate) {
  return tileEmit2(l, TileOp_LLVM_And, tileEmitFirstThread(l), tileRegistersOf(l, predicate).values[0]);
}

MlirLogicalResult tileLowerTmaCopy(TileLowering *l, MlirOperation operation) {
  TileGPUTmaCopyOp op = tileGPUTmaCopyOpCast(operation);
  TileBufferView view;
  TileWarpGroupFactor rows;
  MlirValue coordinates[2];
  TILE_TRY(requireTma(l, operation));
  if (!tileBufferViewOf(l, tileGPUTmaCopyOpGetTarget(op), &view) ||
      tileGPUTmaCopyOpGetNumCoordinates(op) != 2 || !tileWarpGroupFactorOf(&view.desc, 1, &rows) ||
      !rows.kMajor)
    return tileEmitOpError(operation,
                           "got a buffer in another layout than swizzled rows of 128, 64 or 32 bytes");
  MlirBlock entry = mlirRegionGetFirstBlock(l->body);
  MlirValue map = mlirBlockGetArgument(entry, l->firstMap + tileGPUTmaCopyOpGetMap(op));
  MlirValue predicate = onlyFirst(l, tileGPUTmaCopyOpGetPredicate(op));
  MlirValue column = tileRegistersOf(l, tileGPUTmaCopyOpGetCoordinates(op, 1)).values[0];
  coordinates[1] = tileRegistersOf(l, tileGPUTmaCopyOpGetCoordinates(op, 0)).values[0];
  const int64_t width = rows.swizzleBytes / view.desc.elementBytes;
  for (int64_t first = 0; first < view.desc.shape[1]; first += width) {
    const int64_t at[TileLayout_MaxRank] = {0, first};
    const int64_t offset = tileMemDescOffset(&view.desc, at) * view.desc.elementBytes;
    MlirValue to = offset ? tileEmitSharedOffset(l, view.base, offset) : view.base;
    coordinates[0] = first ? tileEmit2(l, TileOp_LLVM_Add, column, tileEmitI32(l, first)) : column;
    tileNVTmaLoadOpCreate(l->b, l->loc, to, map, 2, coordinates, baseOf(l, tileGPUTmaCopyOpGetBarrier(op)),
                          predicate, (MlirValue){NULL});
  }
  return tileSuccess();
}

// ---- Barriers ----

/* Continues in a block that only thread 0 enters; leaveFirst ends it. */
static MlirBlock enterFirst(TileLowering *l) {
  MlirBlock only = tileAppendBlock(l, 0, NULL), rest = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, tileEmitFirstThread(l), only, 0, NULL, rest, 0, NULL);
  tileEnterBlock(l, only);
  return rest;
}
static void leaveFirst(TileLowering *l, MlirBlock rest) {
  tileEmitBranch(l, rest, 0, NULL);
  tileEnterBlock(l, rest);
}

static MlirValue barrierAt(TileLowering *l, MlirValue base, const TileMemDesc *desc, int64_t i) {
  return i ? tileEmitSharedOffset(l, base, i * desc->stride) : base;
}

MlirLogicalResult tileLowerMBarrierInit(TileLowering *l, MlirOperation operation) {
  MlirValue buffer = mlirOperationGetOperand(operation, 0), base = baseOf(l, buffer);
  TileMemDesc desc;
  TILE_TRY(requireTma(l, operation));
  if (!tileMemDescOf(mlirValueGetType(buffer), &desc))
    return TILE_BUG(operation, "barriers in no buffer");
  MlirBlock rest = enterFirst(l);
  for (int64_t i = 0; i < desc.numBuffers; ++i)
    tileNVMBarrierInitOpCreate(l->b, l->loc, barrierAt(l, base, &desc, i), tileEmitI32(l, 1));
  nvvmFenceMbarrierInitOpCreate(l->b, l->loc);
  leaveFirst(l, rest);
  return tileSuccess();
}

MlirLogicalResult tileLowerMBarrierInval(TileLowering *l, MlirOperation operation) {
  MlirValue buffer = mlirOperationGetOperand(operation, 0), base = baseOf(l, buffer);
  TileMemDesc desc;
  TILE_TRY(requireTma(l, operation));
  if (!tileMemDescOf(mlirValueGetType(buffer), &desc))
    return TILE_BUG(operation, "barriers in no buffer");
  MlirBlock rest = enterFirst(l);
  for (int64_t i = 0; i < desc.numBuffers; ++i)
    tileNVMBarrierInvalOpCreate(l->b, l->loc, barrierAt(l, base, &desc, i));
  leaveFirst(l, rest);
  return tileSuccess();
}

MlirLogicalResult tileLowerMBarrierExpect(TileLowering *l, MlirOperation operation) {
  TileGPUMBarrierExpectOp op = tileGPUMBarrierExpectOpCast(operation);
  TILE_TRY(requireTma(l, operation));
  tileNVMBarrierExpectOpCreate(l->b, l->loc, baseOf(l, tileGPUMBarrierExpectOpGetBarrier(op)),
                               tileEmitI32(l, tileGPUMBarrierExpectOpGetBytes(op)),
                               onlyFirst(l, tileGPUMBarrierExpectOpGetPredicate(op)));
  return tileSuccess();
}

MlirLogicalResult tileLowerMBarrierWait(TileLowering *l, MlirOperation operation) {
  TileGPUMBarrierWaitOp op = tileGPUMBarrierWaitOpCast(operation);
  TILE_TRY(requireTma(l, operation));
  tileNVMBarrierWaitOpCreate(l->b, l->loc, baseOf(l, tileGPUMBarrierWaitOpGetBarrier(op)),
                             tileRegistersOf(l, tileGPUMBarrierWaitOpGetParity(op)).values[0]);
  return tileSuccess();
}
