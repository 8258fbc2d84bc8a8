/* Shared.c - shared memory: one array for the program, scratch of ops at the offsets of
 * tile-gpu-allocate-shared. */
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"

static const char sharedName[] = "tile_shared";

/* The array: sized here on AMD, by the launcher on NVIDIA (where its type has no elements). */
void tileDeclareShared(TileLowering *l, MlirOperation module, TileBuilder at) {
  int64_t bytes = tileGetIntAttr(module, "tile_gpu.shared", 0);
  if (!bytes)
    return;
  int64_t alignment = tileGetIntAttr(module, "tile_gpu.shared_alignment", 128);
  bool isStatic = l->target->sharedIsStatic;
  MlirType type = mlirLLVMArrayTypeGet(mlirIntegerTypeGet(l->context, 8), isStatic ? (unsigned)bytes : 0);
  MlirAttribute linkage =
      mlirLLVMLinkageAttrGet(l->context, isStatic ? MlirLLVMLinkageInternal : MlirLLVMLinkageExternal);
  LLVMGlobalOpAttrs attrs = {.addr_space = tileI32Attr(l->context, 3),
                             .alignment = tileI64Attr(l->context, alignment)};
  LLVMGlobalOp global = llvmGlobalOpCreate(
      at, l->loc, mlirTypeAttrGet(type), mlirStringAttrGet(l->context, tileStr(sharedName)), linkage, &attrs);
  if (!isStatic)
    return;
  /* AMD's LDS has no initial value. */
  MlirBlock body = tileRegionAddBlock(mlirOperationGetRegion(global.op, 0));
  TileBuilder b = mlirIRRewriterCreate(l->context);
  mlirRewriterBaseSetInsertionPointToEnd(b, body);
  MlirValue undefined = llvmUndefOpGetRes(llvmUndefOpCreate(b, l->loc, type));
  llvmReturnOpCreate(b, l->loc, undefined);
  mlirIRRewriterDestroy(b);
}

MlirValue tileEmitSharedOffset(TileLowering *l, MlirValue base, int64_t bytes) {
  int32_t offset = (int32_t)bytes;
  return llvmGEPOpGetRes(llvmGEPOpCreate(l->b, l->loc, mlirValueGetType(base), base, 0, NULL,
                                         mlirDenseI32ArrayGet(l->context, 1, &offset),
                                         mlirTypeAttrGet(mlirIntegerTypeGet(l->context, 8))));
}

MlirValue tileEmitSharedPointer(TileLowering *l, int64_t byteOffset) {
  MlirType pointer = mlirLLVMPointerTypeGet(l->context, 3);
  MlirValue base = llvmAddressOfOpGetRes(llvmAddressOfOpCreate(
      l->b, l->loc, pointer, mlirFlatSymbolRefAttrGet(l->context, tileStr(sharedName))));
  return byteOffset ? tileEmitSharedOffset(l, base, byteOffset) : base;
}

MlirValue tileEmitSharedElement(TileLowering *l, MlirValue base, MlirType element, MlirValue index) {
  int32_t dynamic = INT32_MIN;
  return llvmGEPOpGetRes(llvmGEPOpCreate(l->b, l->loc, mlirValueGetType(base), base, 1, &index,
                                         mlirDenseI32ArrayGet(l->context, 1, &dynamic),
                                         mlirTypeAttrGet(element)));
}

int64_t tileScratchOffset(MlirOperation op) { return tileGetIntAttr(op, "tile_gpu.scratch", 0); }

void tileEmitScratchBarrier(TileLowering *l, MlirOperation op) {
  if (mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.barrier")).ptr)
    l->hooks->barrier(l);
}

MlirValue tileToMemory(TileLowering *l, MlirValue v) {
  MlirType type = mlirValueGetType(v), memory = tileMemoryType(l, type);
  return mlirTypeEqual(type, memory) ? v : tileEmit1(l, TileOp_LLVM_ZExt, memory, v);
}

MlirValue tileFromMemory(TileLowering *l, MlirValue v, MlirType type) {
  return mlirTypeEqual(mlirValueGetType(v), type)
             ? v
             : tileEmitICmp(l, LLVMICmpPredicate_ne, v, tileEmitInt(l, mlirValueGetType(v), 0));
}
