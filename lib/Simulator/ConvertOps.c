/* ConvertOps.c - decodes conversions that have instructions of their own: 8-bit floats, tf32, packed f16. */
#include "MapOps.h"
#include "tile-c/Dialect/NVVM.h"
#include "tile-c/Dialect/ROCDL.h"

// ---- NVIDIA: pairs ----

/// Two f32 in one i16, the first above (PTX ISA, cvt.rn.satfinite.e4m3x2.f32).
static void pairToFloat8(const SimInsn *i, const char *regs, char *result) {
  const float *restrict a = (const float *)(const void *)(regs + i->a);
  const float *restrict b = (const float *)(const void *)(regs + i->b);
  uint16_t *restrict r = (uint16_t *)(void *)result;
  const TileElementType type = (TileElementType)i->param;
  for (uint32_t k = 0; k < i->count; ++k) {
    const uint64_t high =
        tileFloatEncode(type, (double)a[k], TileRoundingMode_NearestEven, TileOverflow_Saturate);
    const uint64_t low =
        tileFloatEncode(type, (double)b[k], TileRoundingMode_NearestEven, TileOverflow_Saturate);
    r[k] = (uint16_t)(high << 8 | low);
  }
}

/// One byte of an i16 as f16; `bits`: its lowest bit.
static void float8ToF16(const SimInsn *i, const char *regs, char *result) {
  const uint16_t *restrict a = (const uint16_t *)(const void *)(regs + i->a);
  uint16_t *restrict r = (uint16_t *)(void *)result;
  for (uint32_t k = 0; k < i->count; ++k)
    r[k] = (uint16_t)tileFloatConvert((TileElementType)i->param, a[k] >> i->bits & 0xFF, TileElementType_F16,
                                      TileRoundingMode_NearestEven, TileOverflow_Default);
}

bool simDecodeToFloat8(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimValue *a = simOperand(d, op, 0), *b = simOperand(d, op, 1),
                 *result = a && b ? simResult(d, op) : NULL;
  if (!result)
    return false;
  SimInsn *i = simEmitPure(d, pairToFloat8, result->slots[0], 1, d->program->lanes);
  i->a = a->slots[0];
  i->b = b->slots[0];
  i->param = row->param;
  return true;
}

bool simDecodeFromFloat8(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimValue *a = simOperand(d, op, 0), *result = a ? simResult(d, op) : NULL;
  for (uint32_t k = 0; result && k < 2; ++k) {
    SimInsn *i = simEmitPure(d, float8ToF16, result->slots[k], 1, d->program->lanes);
    i->a = a->slots[0];
    i->bits = (uint16_t)(8 * k);
    i->param = row->param;
  }
  return result != NULL;
}

/// tf32 in a register of 32 bits: rounded to 10 fraction bits, to nearest with ties to even or (`param` 1)
/// away.
static void toTF32(const SimInsn *i, const char *regs, char *result) {
  const uint32_t *restrict a = (const uint32_t *)(const void *)(regs + i->a);
  uint32_t *restrict r = (uint32_t *)(void *)result;
  for (uint32_t k = 0; k < i->count; ++k) {
    const bool finite = (a[k] & 0x7F800000) != 0x7F800000;
    const uint32_t half = i->param ? 0x1000 : 0xFFF + (a[k] >> 13 & 1);
    r[k] = finite ? (a[k] + half) & ~UINT32_C(0x1FFF) : a[k] & 0x7FFFFF ? 0x7FFFFFFF : a[k];
  }
}

bool simDecodeToTF32(SimDecoder *d, MlirOperation op, const SimRow *row) {
  NVVMConvertFloatToTF32Op convert = nvvmConvertFloatToTF32OpCast(op);
  bool away = row->param;
  if (!nvvmConvertFloatToTF32OpIsNull(convert)) {
    const NVVMFPRoundingMode rounding = nvvmConvertFloatToTF32OpGetRnd(convert);
    away = rounding == NVVMFPRoundingMode_RNA;
    if ((!away && rounding != NVVMFPRoundingMode_RN) || nvvmConvertFloatToTF32OpGetRelu(convert))
      return simRefuse(op, "with this rounding is not known to the simulator");
  }
  const SimValue *a = simOperand(d, op, 0), *result = a ? simResult(d, op) : NULL;
  if (!result)
    return false;
  SimInsn *i = simEmitPure(d, toTF32, result->slots[0], 2, d->program->lanes);
  i->a = a->slots[0];
  i->param = away;
  return true;
}

// ---- AMD ----

/// The chip decides between the two families of 8-bit floats. `param` of the rows: 0 fp8, 1 bf8.
static TileElementType float8Of(const SimDecoder *d, uint64_t isBf8) {
  const bool fnuz = d->target->fp8Format == TileFp8Format_FNUZ;
  if (isBf8)
    return fnuz ? TileElementType_F8E5M2FNUZ : TileElementType_F8E5M2;
  return fnuz ? TileElementType_F8E4M3FNUZ : TileElementType_F8E4M3FN;
}

/// The selector of a byte or word: an attribute of the op, or the intrinsic's last operand.
static bool selectorOf(MlirOperation op, const char *attribute, int64_t *out) {
  MlirAttribute a = mlirOperationGetAttributeByName(op, tileStr(attribute));
  if (a.ptr)
    *out = tileIntegerAttrValue(a);
  else if (!simConstantOperand(op, mlirOperationGetNumOperands(op) - 1, out))
    return simRefuse(op, "has a selector that is not constant");
  return true;
}

/// Byte `bits` / 8 of an i32 as f32.
static void float8ToF32(const SimInsn *i, const char *regs, char *result) {
  const uint32_t *restrict a = (const uint32_t *)(const void *)(regs + i->a);
  float *restrict r = (float *)(void *)result;
  for (uint32_t k = 0; k < i->count; ++k)
    r[k] = (float)tileFloatDecode((TileElementType)i->param, a[k] >> i->bits & 0xFF);
}

static bool emitFromFloat8(SimDecoder *d, MlirOperation op, uint64_t isBf8, unsigned firstByte) {
  const SimValue *a = simOperand(d, op, 0), *result = a ? simResult(d, op) : NULL;
  for (uint32_t k = 0; result && k < result->type->count; ++k) {
    SimInsn *i = simEmitPure(d, float8ToF32, result->slots[k], 2, d->program->lanes);
    i->a = a->slots[0];
    i->bits = (uint16_t)(8 * (firstByte + k));
    i->param = float8Of(d, isBf8);
  }
  return result != NULL;
}

bool simDecodeAmdFromFloat8(SimDecoder *d, MlirOperation op, const SimRow *row) {
  int64_t byte;
  return selectorOf(op, "byteSel", &byte) && emitFromFloat8(d, op, row->param, (unsigned)byte & 3);
}

bool simDecodeAmdPairFromFloat8(SimDecoder *d, MlirOperation op, const SimRow *row) {
  int64_t word;
  return selectorOf(op, "wordSel", &word) && emitFromFloat8(d, op, row->param, word ? 2 : 0);
}

/// Two f32 in one half of an i32, the first below; c is the old value. What is too large becomes NaN or
/// infinity. `bits`: lowest bit of the half.
static void pairIntoFloat8(const SimInsn *i, const char *regs, char *result) {
  const float *restrict a = (const float *)(const void *)(regs + i->a);
  const float *restrict b = (const float *)(const void *)(regs + i->b);
  const uint32_t *restrict c = (const uint32_t *)(const void *)(regs + i->c);
  uint32_t *restrict r = (uint32_t *)(void *)result;
  const TileElementType type = (TileElementType)i->param;
  for (uint32_t k = 0; k < i->count; ++k) {
    const uint64_t low =
        tileFloatEncode(type, (double)a[k], TileRoundingMode_NearestEven, TileOverflow_NonFinite);
    const uint64_t high =
        tileFloatEncode(type, (double)b[k], TileRoundingMode_NearestEven, TileOverflow_NonFinite);
    r[k] = (c[k] & ~(UINT32_C(0xFFFF) << i->bits)) | (uint32_t)(high << 8 | low) << i->bits;
  }
}

bool simDecodeAmdPairToFloat8(SimDecoder *d, MlirOperation op, const SimRow *row) {
  int64_t word;
  const SimValue *a = simOperand(d, op, 0), *b = simOperand(d, op, 1), *old = simOperand(d, op, 2);
  const SimValue *result = a && b && old ? simResult(d, op) : NULL;
  if (!result || !selectorOf(op, "wordSel", &word))
    return false;
  SimInsn *i = simEmitPure(d, pairIntoFloat8, result->slots[0], 2, d->program->lanes);
  i->a = a->slots[0];
  i->b = b->slots[0];
  i->c = old->slots[0];
  i->bits = word ? 16 : 0;
  i->param = float8Of(d, row->param);
  return true;
}

/// f32 to f16 toward zero.
static void toF16TowardZero(const SimInsn *i, const char *regs, char *result) {
  const float *restrict a = (const float *)(const void *)(regs + i->a);
  uint16_t *restrict r = (uint16_t *)(void *)result;
  for (uint32_t k = 0; k < i->count; ++k)
    r[k] = (uint16_t)tileFloatEncode(TileElementType_F16, (double)a[k], TileRoundingMode_TowardZero,
                                     TileOverflow_Default);
}

bool simDecodePackRtz(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *a = simOperand(d, op, 0), *b = simOperand(d, op, 1),
                 *result = a && b ? simResult(d, op) : NULL;
  if (!result || result->type->count != 2)
    return result && simRefuse(op, "with this type is not known to the simulator");
  simEmitPure(d, toF16TowardZero, result->slots[0], 1, d->program->lanes)->a = a->slots[0];
  simEmitPure(d, toF16TowardZero, result->slots[1], 1, d->program->lanes)->a = b->slots[0];
  return true;
}

/// The median: max(min(a, b), min(max(a, b), c)).
bool simDecodeMedian(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *a = simOperand(d, op, 0), *b = simOperand(d, op, 1), *c = simOperand(d, op, 2);
  const SimValue *result = a && b && c ? simResult(d, op) : NULL;
  if (!result)
    return false;
  const SimType *type = result->type;
  const SimScalar *s = &type->scalars[0];
  SimPure lesser = simKernelFor(&simMinNum, s), greater = simKernelFor(&simMaxNum, s);
  if (!lesser || s->format == SimFloat_None)
    return simRefuse(op, "with this type is not known to the simulator");
  const SimValue low = {type, simNewSlots(d, type)}, high = {type, simNewSlots(d, type)};
  const SimValue middle = {type, simNewSlots(d, type)};
  simEmitMap(d, lesser, 2, (const SimValue *const[]){a, b}, &low, s->bits, 0);
  simEmitMap(d, greater, 2, (const SimValue *const[]){a, b}, &high, s->bits, 0);
  simEmitMap(d, lesser, 2, (const SimValue *const[]){&high, c}, &middle, s->bits, 0);
  simEmitMap(d, greater, 2, (const SimValue *const[]){&low, &middle}, result, s->bits, 0);
  return true;
}
