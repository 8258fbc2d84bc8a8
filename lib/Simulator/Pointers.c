/* Pointers.c - decodes address arithmetic and what gives addresses: globals, stack slots, casts between
 * address spaces. */
#include "MapOps.h"
#include "Memory.h"
#include "Module.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/LLVM.h"

/// result = a + (b sign-extended) * stride + offset; b of i->bits.
typedef struct Step {
  int64_t stride, offset;
} Step;

#define STEP(B, S)                                                                                           \
  static void step##B(const SimInsn *i, const char *regs, char *result) {                                    \
    const uint64_t *restrict a = (const uint64_t *)(const void *)(regs + i->a);                              \
    const S *restrict b = (const S *)(const void *)(regs + i->b);                                            \
    uint64_t *restrict r = (uint64_t *)(void *)result;                                                       \
    const Step step = *(const Step *)i->data;                                                                \
    for (uint32_t k = 0; k < i->count; ++k)                                                                  \
      r[k] = a[k] + (uint64_t)b[k] * (uint64_t)step.stride + (uint64_t)step.offset;                          \
  }
STEP(8, int8_t)
STEP(16, int16_t)
STEP(32, int32_t)
STEP(64, int64_t)
static const SimPure steps[] = {step8, step16, step32, step64};

static const int32_t dynamicIndex = INT32_MIN; // LLVM::kDynamicIndex of the dialect

/// What an address computation has gathered so far.
typedef struct Walk {
  SimDecoder *d;
  MlirOperation op;
  uint32_t address; ///< slot
  int64_t offset;   ///< not yet added
} Walk;

static bool addIndex(Walk *walk, MlirValue index, int64_t stride) {
  const SimValue *value = simUse(walk->d, walk->op, index);
  if (!value)
    return false;
  const SimScalar *s = &value->type->scalars[0];
  if (s->log2Bytes > 3 || s->bits != 8u << s->log2Bytes)
    return simRefuse(walk->op, "has an index of %u bits, which is not known to the simulator", s->bits);
  Step *step = tileArenaAlloc(walk->d->arena, 1, sizeof *step);
  *step = (Step){stride, walk->offset};
  walk->offset = 0;
  const uint32_t result = simNewSlot(walk->d, 3);
  SimInsn *i = simEmitPure(walk->d, steps[s->log2Bytes], result, 3, walk->d->program->lanes);
  i->a = walk->address;
  i->b = value->slots[0];
  i->data = step;
  walk->address = result;
  return true;
}

/// The type inside `type` that an index chooses, and the distance of two neighbours; a struct's field adds
/// its own offset. Null after a diagnostic.
static MlirType enter(Walk *walk, MlirType type, int32_t constant, int64_t *stride) {
  *stride = 0;
  if (mlirTypeIsALLVMStructType(type)) {
    const SimType *t = simTypeOf(walk->d, walk->op, type);
    if (!t || constant < 0 || (uint32_t)constant >= t->numFields) {
      simRefuse(walk->op, "chooses no field of a struct");
      return (MlirType){NULL};
    }
    const uint32_t first = t->fieldStart[constant];
    walk->offset += first < t->count ? t->offsets[first] : t->size;
    return mlirLLVMStructTypeGetElementType(type, constant);
  }
  MlirType element = mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : (MlirType){NULL};
  if (!element.ptr && simArrayLength(type) >= 0)
    element = mlirLLVMArrayTypeGetElementType(type);
  if (!element.ptr)
    simRefuse(walk->op, "goes into a type that has no elements");
  else
    *stride = simAllocSize(walk->d, walk->op, element);
  return *stride < 0 ? (MlirType){NULL} : element;
}

bool simDecodeGEP(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  LLVMGEPOp gep = llvmGEPOpCast(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = llvmGEPOpGetElemType(gep);
  const SimValue *base = simUse(d, op, llvmGEPOpGetBase(gep));
  const SimType *pointer = base ? simTypeOf(d, op, mlirValueGetType(result)) : NULL;
  if (!pointer)
    return false;
  if (pointer->count != 1)
    return simRefuse(op, "on vectors of pointers is not known to the simulator");
  Walk walk = {d, op, base->slots[0], 0};
  int64_t stride = simAllocSize(d, op, type);
  intptr_t dynamic = 0;
  if (stride < 0)
    return false;
  for (intptr_t k = 0; k < llvmGEPOpGetNumRawConstantIndices(gep); ++k) {
    const int32_t index = (int32_t)llvmGEPOpGetRawConstantIndices(gep, k);
    if (k > 0 && !(type = enter(&walk, type, index, &stride)).ptr)
      return false;
    if (index != dynamicIndex)
      walk.offset += stride * index;
    else if (!addIndex(&walk, llvmGEPOpGetDynamicIndices(gep, dynamic++), stride))
      return false;
  }
  if (walk.offset) {
    SimInsn *i = simEmitPure(d, simAdd.of[3], simNewSlot(d, 3), 3, d->program->lanes);
    i->a = walk.address;
    i->b = simConstantSlot(d, 3, (uint64_t)walk.offset, 0);
    i->bits = 64;
    walk.address = i->result;
  }
  uint32_t *slots = tileArenaAlloc(d->arena, 1, sizeof *slots);
  slots[0] = walk.address;
  simDefine(d, result, pointer, slots);
  return true;
}

static bool defineAddress(SimDecoder *d, MlirOperation op, uint64_t address) {
  MlirValue result = mlirOperationGetResult(op, 0);
  const SimType *type = simTypeOf(d, op, mlirValueGetType(result));
  uint32_t *slots = tileArenaAlloc(d->arena, 1, sizeof *slots);
  if (!type)
    return false;
  slots[0] = simConstantSlot(d, 3, address, 0);
  simDefine(d, result, type, slots);
  return true;
}

bool simDecodeAddressOf(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  uint64_t address;
  return simGlobalAddress(d, op, llvmAddressOfOpGetGlobalName(llvmAddressOfOpCast(op)), &address) &&
         defineAddress(d, op, address);
}

/// Each alloca has its own place in every lane's memory, however often it is executed.
bool simDecodeAlloca(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  int64_t count, each = simAllocSize(d, op, llvmAllocaOpGetElemType(llvmAllocaOpCast(op)));
  if (!simConstantOperand(op, 0, &count) || count < 0 || each < 0 || each * count > 1 << 20)
    return simRefuse(op, "has no constant size up to 1 MiB");
  const uint64_t offset = ((uint64_t)d->program->localBytes + 15) & ~UINT64_C(15);
  d->program->localBytes = (uint32_t)(offset + (uint64_t)(each * count));
  const bool generic = simPointerSpace(mlirOperationGetResult(op, 0)) == SimSpace_Generic;
  return defineAddress(d, op, generic ? (uint64_t)SIM_LOCAL_WINDOW << SIM_BUFFER_SHIFT | offset : offset);
}

static bool hasWindow(int space) { return space == SimSpace_Shared || space == SimSpace_Local; }

/// Shared and local memory have windows in the generic space.
bool simDecodeAddrSpaceCast(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const int from = simPointerSpace(mlirOperationGetOperand(op, 0));
  const int to = simPointerSpace(mlirOperationGetResult(op, 0));
  if (from < 0 || to < 0)
    return simRefuse(op, "on vectors of pointers is not known to the simulator");
  if (from == to || (!hasWindow(from) && !hasWindow(to)))
    return simDecodeAlias(d, op, row);
  const SimValue *pointer = simOperand(d, op, 0), *result = pointer ? simResult(d, op) : NULL;
  if (!result)
    return false;
  const uint64_t window =
      from == SimSpace_Shared || to == SimSpace_Shared ? SIM_SHARED_WINDOW : SIM_LOCAL_WINDOW;
  const uint64_t low = (UINT64_C(1) << SIM_BUFFER_SHIFT) - 1;
  const uint32_t constant =
      hasWindow(from) ? simConstantSlot(d, 3, window << SIM_BUFFER_SHIFT, 0) : simConstantSlot(d, 3, low, 0);
  SimInsn *i =
      simEmitPure(d, hasWindow(from) ? simOr.of[3] : simAnd.of[3], result->slots[0], 3, d->program->lanes);
  i->a = pointer->slots[0];
  i->b = constant;
  i->bits = 64;
  return true;
}
