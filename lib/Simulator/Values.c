/* Values.c - slots of values, constants, and instructions as they are added. */
#include "Decode.h"
#include "tile-c/Dialect/LLVM.h"
#include <stdio.h>
#include <stdlib.h>

bool simRefuse(MlirOperation op, const char *format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  (void)tileEmitOpError(op, "%s", text);
  return false;
}

// ---- Slots ----

uint32_t simNewSlot(SimDecoder *d, unsigned log2Bytes) {
  const uint64_t slot = d->program->regBytes;
  d->program->regBytes += (uint64_t)d->program->lanes << log2Bytes;
  return (uint32_t)slot;
}

uint32_t *simNewSlots(SimDecoder *d, const SimType *type) {
  uint32_t *slots = tileArenaAlloc(d->arena, type->count + 1, sizeof *slots);
  for (uint32_t k = 0; k < type->count; ++k)
    slots[k] = simNewSlot(d, type->scalars[k].log2Bytes);
  return slots;
}

void simDefine(SimDecoder *d, MlirValue v, const SimType *type, const uint32_t *slots) {
  SimValue *value = tileArenaAlloc(d->arena, 1, sizeof *value);
  *value = (SimValue){type, slots};
  tilePointerMapSet(&d->values, v.ptr, value);
}

const SimValue *simUse(SimDecoder *d, MlirOperation op, MlirValue v) {
  const SimValue *value = tilePointerMapFind(&d->values, v.ptr);
  if (!value)
    simRefuse(op, "uses a value that the simulator has not seen");
  return value;
}

const SimValue *simOperand(SimDecoder *d, MlirOperation op, intptr_t k) {
  return simUse(d, op, mlirOperationGetOperand(op, k));
}

const SimValue *simResult(SimDecoder *d, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  const SimType *type = simTypeOf(d, op, mlirValueGetType(result));
  if (!type)
    return NULL;
  simDefine(d, result, type, simNewSlots(d, type));
  return simUse(d, op, result);
}

// ---- Constants ----

static void *grow(SimDecoder *d, void *old, uint32_t used, uint32_t *capacity, size_t size) {
  if (used < *capacity)
    return old;
  *capacity = *capacity ? 2 * *capacity : 256;
  void *grown = tileArenaAlloc(d->arena, *capacity, size);
  if (used)
    memcpy(grown, old, used * size);
  return grown;
}

uint32_t simConstantSlot(SimDecoder *d, unsigned log2Bytes, uint64_t low, uint64_t high) {
  TilePointerMap *map = &d->constantSlots[log2Bytes];
  const void *key = high || low > UINT64_MAX - 1 ? NULL : (const void *)(uintptr_t)(low + 1);
  const uintptr_t known = key ? (uintptr_t)tilePointerMapFind(map, key) : 0;
  if (known)
    return (uint32_t)(known - 1);
  SimProgram *p = d->program;
  d->constants = grow(d, d->constants, p->numConstants, &d->constantCapacity, sizeof *d->constants);
  const uint32_t slot = simNewSlot(d, log2Bytes);
  d->constants[p->numConstants++] = (SimConstant){slot, (uint8_t)log2Bytes, low, high};
  p->constants = d->constants;
  if (key)
    tilePointerMapSet(map, key, (void *)((uintptr_t)slot + 1));
  return slot;
}

static uint32_t integerSlot(SimDecoder *d, const SimScalar *s, int64_t value) {
  const uint64_t low = s->bits < 64 ? (uint64_t)value & ((UINT64_C(1) << s->bits) - 1) : (uint64_t)value;
  const uint64_t high = s->bits > 64 && value < 0 ? UINT64_MAX >> (128 - s->bits) : 0;
  return simConstantSlot(d, s->log2Bytes, low, high);
}

/// The slot of a scalar attribute; false if it is none.
static bool scalarSlot(SimDecoder *d, const SimScalar *s, MlirAttribute a, uint32_t *out_slot) {
  if (mlirAttributeIsAFloat(a) && s->format != SimFloat_None)
    *out_slot = simConstantSlot(d, s->log2Bytes, tileFloatAttrBits(a), 0);
  else if (mlirAttributeIsAInteger(a) || mlirAttributeIsABool(a))
    *out_slot = integerSlot(d, s, tileIntegerAttrValue(a));
  else
    return false;
  return true;
}

/// Element k of a dense attribute with elements that differ, by its bytes.
static bool denseSlot(SimDecoder *d, const SimScalar *s, MlirAttribute a, int64_t k, uint32_t *out_slot) {
  if (s->bits == 1) {
    *out_slot = integerSlot(d, s, mlirDenseElementsAttrGetBoolValue(a, (intptr_t)k));
    return true;
  }
  const char *raw = mlirDenseElementsAttrGetRawData(a);
  uint64_t low = 0;
  if (!raw || s->log2Bytes > 3)
    return false;
  memcpy(&low, raw + (k << s->log2Bytes), (size_t)1 << s->log2Bytes);
  *out_slot = simConstantSlot(d, s->log2Bytes, low, 0);
  return true;
}

bool simDecodeConstant(SimDecoder *d, MlirOperation op, const SimRow *row) {
  MlirValue result = mlirOperationGetResult(op, 0);
  const SimType *type = simTypeOf(d, op, mlirValueGetType(result));
  if (!type)
    return false;
  uint32_t *slots = tileArenaAlloc(d->arena, type->count + 1, sizeof *slots);
  MlirAttribute value = {NULL};
  if (row->param) // a constant, not a zero, poison or undef
    value = mlirOperationGetAttributeByName(op, tileStr("value"));
  const bool dense = value.ptr && mlirAttributeIsADenseElements(value);
  if (dense && mlirDenseElementsAttrIsSplat(value))
    value = mlirDenseElementsAttrGetSplatValue(value);
  for (uint32_t k = 0; k < type->count; ++k) {
    const SimScalar *s = &type->scalars[k];
    if (!value.ptr)
      slots[k] = simConstantSlot(d, s->log2Bytes, 0, 0);
    else if (!(mlirAttributeIsADenseElements(value) ? denseSlot(d, s, value, k, &slots[k])
                                                    : scalarSlot(d, s, value, &slots[k])))
      return simRefuse(op, "has a value that the simulator does not know");
  }
  simDefine(d, result, type, slots);
  return true;
}

bool simConstantOperand(MlirOperation op, intptr_t k, int64_t *out_value) {
  LLVMConstantOp constant = llvmConstantOpCast(tileValueGetDefiningOp(mlirOperationGetOperand(op, k)));
  return !llvmConstantOpIsNull(constant) &&
         tileAttrIsSplatInt(llvmConstantOpGetValueAttr(constant), out_value);
}

// ---- Instructions ----

static SimInsn *append(SimDecoder *d) {
  SimProgram *p = d->program;
  p->insns = grow(d, p->insns, p->numInsns, &d->capacity, sizeof *p->insns);
  SimInsn *i = &p->insns[p->numInsns++];
  *i = (SimInsn){.op = d->op, .mix = (uint8_t)d->mix};
  return i;
}

SimInsn *simEmitPure(SimDecoder *d, SimPure pure, uint32_t result, unsigned log2Bytes, uint32_t count) {
  SimInsn *i = append(d);
  const uint64_t bytes = (uint64_t)count << log2Bytes;
  i->pure = pure;
  i->result = result;
  i->log2Bytes = (uint8_t)log2Bytes;
  i->count = count;
  if (bytes > d->program->scratchBytes)
    d->program->scratchBytes = bytes;
  return i;
}

SimInsn *simEmitEffect(SimDecoder *d, SimEffect effect) {
  SimInsn *i = append(d);
  i->effect = effect;
  return i;
}
