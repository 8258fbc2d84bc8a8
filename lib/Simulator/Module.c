/* Module.c - globals: shared memory, static and dynamic, and constant data. */
#include "Module.h"
#include "Memory.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/LLVM.h"

/// Where a global lies.
typedef struct Place {
  uint64_t address;
} Place;

static MlirOperation firstOp(SimDecoder *d) {
  return mlirBlockGetFirstOperation(mlirModuleGetBody(d->module));
}

static uint64_t roundUp(uint64_t n, uint64_t to) { return to ? (n + to - 1) / to * to : n; }

static uint64_t alignmentOf(LLVMGlobalOp global) {
  MlirAttribute a = llvmGlobalOpGetAlignmentAttr(global);
  return a.ptr ? (uint64_t)tileIntegerAttrValue(a) : 16;
}

static void place(SimDecoder *d, LLVMGlobalOp global, uint64_t address) {
  Place *p = tileArenaAlloc(d->arena, 1, sizeof *p);
  p->address = address;
  tilePointerMapSet(&d->globals, global.op.ptr, p);
}

/// One pass over shared globals: those with a size, or those without, which all lie behind.
static bool placeShared(SimDecoder *d, bool dynamic, uint64_t *bytes, bool *out_any) {
  *out_any = false;
  for (MlirOperation op = firstOp(d); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    LLVMGlobalOp global = llvmGlobalOpCast(op);
    if (llvmGlobalOpIsNull(global) || llvmGlobalOpGetAddrSpace(global) != SimSpace_Shared)
      continue;
    const int64_t size = simAllocSize(d, op, llvmGlobalOpGetGlobalType(global));
    if (size < 0)
      return false;
    if ((size == 0) != dynamic)
      continue;
    *bytes = roundUp(*bytes, alignmentOf(global));
    place(d, global, *bytes);
    *bytes += (uint64_t)size;
    *out_any = true;
  }
  return true;
}

bool simPlaceGlobals(SimDecoder *d) {
  uint64_t bytes = 0;
  bool any, dynamic;
  if (!placeShared(d, false, &bytes, &any) || !placeShared(d, true, &bytes, &dynamic))
    return false;
  if (dynamic)
    bytes +=
        (uint64_t)tileGetIntAttr(d->function, "tile_gpu.shared",
                                 tileGetIntAttr(mlirModuleGetOperation(d->module), "tile_gpu.shared", 0));
  if (bytes > d->target->sharedPerBlock)
    return simRefuse(d->function, "needs %llu bytes of shared memory, %s has %u", (unsigned long long)bytes,
                     d->target->chip, d->target->sharedPerBlock);
  d->program->sharedBytes = (uint32_t)bytes;
  return true;
}

/// Appends a string's or splat number's bytes to the constant data.
static bool placeConstant(SimDecoder *d, MlirOperation op, LLVMGlobalOp global) {
  MlirAttribute value = llvmGlobalOpGetValueAttr(global);
  const int64_t size = simAllocSize(d, op, llvmGlobalOpGetGlobalType(global));
  if (!value.ptr || !mlirAttributeIsAString(value) || size < 0)
    return simRefuse(op, "has no string as its value, which is all that the simulator knows of globals");
  MlirStringRef text = mlirStringAttrGetValue(value);
  const uint64_t at = roundUp(d->constantBytes, 16), bytes = at + (uint64_t)size;
  char *grown = tileArenaAlloc(d->arena, bytes + 1, 1);
  memcpy(grown, d->constantData, d->constantBytes);
  memcpy(grown + at, text.data, text.length < (size_t)size ? text.length : (size_t)size);
  d->constantData = grown;
  d->constantBytes = bytes;
  place(d, global, ((uint64_t)SIM_CONSTANT_BUFFER << SIM_BUFFER_SHIFT) + at);
  return true;
}

bool simGlobalAddress(SimDecoder *d, MlirOperation op, MlirStringRef name, uint64_t *out_address) {
  for (MlirOperation at = firstOp(d); at.ptr; at = mlirOperationGetNextInBlock(at)) {
    LLVMGlobalOp global = llvmGlobalOpCast(at);
    if (llvmGlobalOpIsNull(global) || !mlirStringRefEqual(llvmGlobalOpGetSymName(global), name))
      continue;
    const Place *known = tilePointerMapFind(&d->globals, at.ptr);
    if (!known && !placeConstant(d, at, global))
      return false;
    known = tilePointerMapFind(&d->globals, at.ptr);
    *out_address = known->address;
    return true;
  }
  return simRefuse(op, "names the global '%.*s', which is not there", (int)name.length, name.data);
}
