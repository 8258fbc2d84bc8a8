/* AmdMatrixOps.c - decodes MFMA and WMMA: one table of forms. */
#include "MapOps.h"
#include "MatrixOps.h"
#include "tile-c/Dialect/ROCDL.h"

typedef enum Operand { F16, BF16, F32, F64, XF32, I8, I4, FP8, BF8 } Operand;

typedef struct MatrixForm {
  TileOpKind kind;
  uint8_t m, n, k, blocks, a, b; ///< a, b: Operand
} MatrixForm;

#define MFMA(NAME, M, N, K, BLOCKS, A, B) {TileOp_ROCDL_mfma_##NAME, M, N, K, BLOCKS, A, B}
#define WMMA(NAME, K, A, B)               {TileOp_ROCDL_wmma_##NAME, 16, 16, K, 1, A, B}

static const MatrixForm forms[] = {
    MFMA(f32_32x32x1f32, 32, 32, 1, 2, F32, F32),
    MFMA(f32_16x16x1f32, 16, 16, 1, 4, F32, F32),
    MFMA(f32_4x4x1f32, 4, 4, 1, 16, F32, F32),
    MFMA(f32_32x32x2f32, 32, 32, 2, 1, F32, F32),
    MFMA(f32_16x16x4f32, 16, 16, 4, 1, F32, F32),
    MFMA(f32_32x32x4f16, 32, 32, 4, 2, F16, F16),
    MFMA(f32_16x16x4f16, 16, 16, 4, 4, F16, F16),
    MFMA(f32_4x4x4f16, 4, 4, 4, 16, F16, F16),
    MFMA(f32_32x32x8f16, 32, 32, 8, 1, F16, F16),
    MFMA(f32_16x16x16f16, 16, 16, 16, 1, F16, F16),
    MFMA(i32_32x32x4i8, 32, 32, 4, 2, I8, I8),
    MFMA(i32_16x16x4i8, 16, 16, 4, 4, I8, I8),
    MFMA(i32_4x4x4i8, 4, 4, 4, 16, I8, I8),
    MFMA(i32_32x32x8i8, 32, 32, 8, 1, I8, I8),
    MFMA(i32_16x16x16i8, 16, 16, 16, 1, I8, I8),
    MFMA(f32_32x32x2bf16, 32, 32, 2, 2, BF16, BF16),
    MFMA(f32_16x16x2bf16, 16, 16, 2, 4, BF16, BF16),
    MFMA(f32_4x4x2bf16, 4, 4, 2, 16, BF16, BF16),
    MFMA(f32_32x32x4bf16, 32, 32, 4, 1, BF16, BF16),
    MFMA(f32_16x16x8bf16, 16, 16, 8, 1, BF16, BF16),
    MFMA(f32_32x32x4bf16_1k, 32, 32, 4, 2, BF16, BF16),
    MFMA(f32_16x16x4bf16_1k, 16, 16, 4, 4, BF16, BF16),
    MFMA(f32_4x4x4bf16_1k, 4, 4, 4, 16, BF16, BF16),
    MFMA(f32_32x32x8bf16_1k, 32, 32, 8, 1, BF16, BF16),
    MFMA(f32_16x16x16bf16_1k, 16, 16, 16, 1, BF16, BF16),
    MFMA(f64_16x16x4f64, 16, 16, 4, 1, F64, F64),
    MFMA(f64_4x4x4f64, 4, 4, 4, 4, F64, F64),
    MFMA(i32_16x16x32_i8, 16, 16, 32, 1, I8, I8),
    MFMA(i32_32x32x16_i8, 32, 32, 16, 1, I8, I8),
    MFMA(f32_16x16x8_xf32, 16, 16, 8, 1, XF32, XF32),
    MFMA(f32_32x32x4_xf32, 32, 32, 4, 1, XF32, XF32),
    MFMA(f32_16x16x32_bf8_bf8, 16, 16, 32, 1, BF8, BF8),
    MFMA(f32_16x16x32_bf8_fp8, 16, 16, 32, 1, BF8, FP8),
    MFMA(f32_16x16x32_fp8_bf8, 16, 16, 32, 1, FP8, BF8),
    MFMA(f32_16x16x32_fp8_fp8, 16, 16, 32, 1, FP8, FP8),
    MFMA(f32_32x32x16_bf8_bf8, 32, 32, 16, 1, BF8, BF8),
    MFMA(f32_32x32x16_bf8_fp8, 32, 32, 16, 1, BF8, FP8),
    MFMA(f32_32x32x16_fp8_bf8, 32, 32, 16, 1, FP8, BF8),
    MFMA(f32_32x32x16_fp8_fp8, 32, 32, 16, 1, FP8, FP8),
    MFMA(f32_16x16x32_bf16, 16, 16, 32, 1, BF16, BF16),
    MFMA(i32_16x16x64_i8, 16, 16, 64, 1, I8, I8),
    MFMA(f32_16x16x32_f16, 16, 16, 32, 1, F16, F16),
    MFMA(f32_32x32x16_bf16, 32, 32, 16, 1, BF16, BF16),
    MFMA(i32_32x32x32_i8, 32, 32, 32, 1, I8, I8),
    MFMA(f32_32x32x16_f16, 32, 32, 16, 1, F16, F16),
    WMMA(f32_16x16x16_f16, 16, F16, F16),
    WMMA(f32_16x16x16_bf16, 16, BF16, BF16),
    WMMA(f16_16x16x16_f16, 16, F16, F16),
    WMMA(bf16_16x16x16_bf16, 16, BF16, BF16),
    WMMA(i32_16x16x16_iu8, 16, I8, I8),
    WMMA(i32_16x16x16_iu4, 16, I4, I4),
    WMMA(f32_16x16x16_fp8_fp8, 16, FP8, FP8),
    WMMA(f32_16x16x16_fp8_bf8, 16, FP8, BF8),
    WMMA(f32_16x16x16_bf8_bf8, 16, BF8, BF8),
    WMMA(f32_16x16x16_bf8_fp8, 16, BF8, FP8),
    WMMA(i32_16x16x32_iu4, 32, I4, I4),
};

static const MatrixForm *formOf(MlirOperation op) {
  const TileOpKind kind = tileOpKind(op);
  for (size_t k = 0; k < TILE_COUNTOF(forms); ++k)
    if (forms[k].kind == kind)
      return &forms[k];
  return NULL;
}

static unsigned bitsOf(Operand o) {
  static const unsigned bits[] = {16, 16, 32, 64, 32, 8, 4, 8, 8};
  return bits[o];
}

/// The chip decides between the two families of 8-bit floats.
static TileElementType float8Type(const SimDecoder *d, Operand o) {
  const bool fnuz = d->target->fp8Format == TileFp8Format_FNUZ;
  if (o == FP8)
    return fnuz ? TileElementType_F8E4M3FNUZ : TileElementType_F8E4M3FN;
  return fnuz ? TileElementType_F8E5M2FNUZ : TileElementType_F8E5M2;
}

static bool fragmentOf(SimDecoder *d, MlirOperation op, const SimValue *value, Operand o, bool isUnsigned,
                       SimFragment *out) {
  static const SimNumber numbers[] = {
      [F16] = SimNumber_F16,   [BF16] = SimNumber_BF16,  [F32] = SimNumber_F32,
      [F64] = SimNumber_F64,   [XF32] = SimNumber_TF32,  [I8] = SimNumber_Signed,
      [I4] = SimNumber_Signed, [FP8] = SimNumber_Float8, [BF8] = SimNumber_Float8};
  const SimNumber number = isUnsigned ? SimNumber_Unsigned : numbers[o];
  if (!value || !simMakeFragment(d, op, value, bitsOf(o), number, out))
    return false;
  if (number == SimNumber_Float8)
    out->float8 = simFloat8Table(d, float8Type(d, o));
  return true;
}

/// The accumulator is what the result is: f32, f64, i32, or 16 bits of WMMA's kind.
static bool accumulatorOf(SimDecoder *d, MlirOperation op, const SimValue *c, Operand o, SimFragment *out) {
  const SimScalar *s = &c->type->scalars[0];
  const SimNumber number = s->bits == 64               ? SimNumber_F64
                           : s->bits == 16             ? (o == BF16 ? SimNumber_BF16 : SimNumber_F16)
                           : s->format == SimFloat_F32 ? SimNumber_F32
                                                       : SimNumber_Signed;
  return simMakeFragment(d, op, c, s->bits, number, out);
}

static bool constantBelow(MlirOperation op, intptr_t index, const char *name, int64_t limit, uint8_t *out) {
  int64_t value;
  if (!simConstantOperand(op, index, &value) || value < 0 || value >= limit)
    return simRefuse(op, "has a modifier %s that is no constant from 0 to %d", name, (int)limit - 1);
  *out = (uint8_t)value;
  return true;
}

/// Operands cbsz, abid and blgp. f64: CDNA3's blgp negates, CDNA2 has none of them (AMD's matrix instruction calculator).
static bool takeModifiers(const SimDecoder *d, MlirOperation op, const SimMatrixShape *s, SimModifiers *out) {
  const bool isF64 = s->family == SimMatrix_MfmaF64;
  const bool negates = isF64 && d->target->fp8Format != TileFp8Format_None;
  unsigned runs = 1;
  while (!isF64 && 1u << runs <= s->blocks)
    ++runs;
  return constantBelow(op, 3, "cbsz", runs, &out->broadcast) &&
         constantBelow(op, 4, "abid", INT64_C(1) << out->broadcast, &out->block) &&
         constantBelow(op, 5, "blgp", isF64 && !negates ? 1 : 8, negates ? &out->negated : &out->lanePattern);
}

bool simDecodeMfma(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const MatrixForm *f = formOf(op);
  const SimValue *a = simOperand(d, op, 0), *b = simOperand(d, op, 1), *c = simOperand(d, op, 2);
  if (!f || !a || !b || !c)
    return false;
  SimMatrixOp m = {.shape = {f->a == F64 ? SimMatrix_MfmaF64 : SimMatrix_Mfma, f->m, f->n, f->k, f->blocks,
                             bitsOf((Operand)f->a)},
                   .stride = 1};
  if (d->program->lanes != 64)
    return simRefuse(op, "needs warps of 64 lanes, %s has %u", d->target->chip, d->program->lanes);
  return takeModifiers(d, op, &m.shape, &m.modifiers) && fragmentOf(d, op, a, (Operand)f->a, false, &m.a) &&
         fragmentOf(d, op, b, (Operand)f->b, false, &m.b) && accumulatorOf(d, op, c, (Operand)f->a, &m.c) &&
         simEmitMatrix(d, op, &m);
}

static bool unitAttr(MlirOperation op, const char *name) {
  MlirAttribute a = mlirOperationGetAttributeByName(op, tileStr(name));
  return a.ptr && tileIntegerAttrValue(a);
}

/// RDNA3's 16-bit accumulators use half of each register: numbers 2 i (+ 1 with opsel) of the value.
static void takeHalves(MlirOperation op, SimMatrixOp *m, SimDecoder *d, const SimValue *c) {
  uint32_t *slots = tileArenaAlloc(d->arena, 8, sizeof *slots);
  m->stride = 2;
  m->offset = unitAttr(op, "opsel");
  for (unsigned i = 0; i < 8; ++i)
    slots[i] = c->slots[2 * i + m->offset];
  m->c.slots = slots;
  m->c.size = 8;
}

bool simDecodeWmma(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const MatrixForm *f = formOf(op);
  const SimValue *a = simOperand(d, op, 0), *b = simOperand(d, op, 1), *c = simOperand(d, op, 2);
  if (!f || !a || !b || !c)
    return false;
  // RDNA4 has conversions and matrix products of 8-bit floats, RDNA3 has neither.
  const bool isRdna4 = d->target->fp8Format != TileFp8Format_None, isInteger = f->a == I8 || f->a == I4;
  SimMatrixOp m = {
      .shape = {isRdna4 ? SimMatrix_Wmma12 : SimMatrix_Wmma11, 16, 16, f->k, 1, bitsOf((Operand)f->a)},
      .stride = 1,
      .copiesAgree = !isRdna4,
      .saturates = unitAttr(op, "clamp")};
  if (d->program->lanes != 32)
    return simRefuse(op, "needs warps of 32 lanes, %s has %u", d->target->chip, d->program->lanes);
  if (!fragmentOf(d, op, a, (Operand)f->a, isInteger && !unitAttr(op, "signA"), &m.a) ||
      !fragmentOf(d, op, b, (Operand)f->b, isInteger && !unitAttr(op, "signB"), &m.b) ||
      !accumulatorOf(d, op, c, (Operand)f->a, &m.c))
    return false;
  if (!isRdna4 && m.c.number != SimNumber_F32 && m.c.number != SimNumber_Signed && c->type->count == 16)
    takeHalves(op, &m, d, c);
  const bool halves = m.stride == 2;
  if (!simEmitMatrix(d, op, &m))
    return false;
  if (!halves)
    return true;
  // The other halves keep the accumulator's.
  const SimValue *result = simUse(d, op, mlirOperationGetResult(op, 0));
  for (unsigned i = 0; i < 8; ++i) {
    SimInsn *copy = simEmitPure(d, simCopy.of[1], result->slots[2 * i + !m.offset], 1, d->program->lanes);
    copy->a = c->slots[2 * i + !m.offset];
    copy->bits = 16;
  }
  return true;
}

bool simDecodeTransposedRead(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimValue *address = simOperand(d, op, 0), *result = simResult(d, op);
  if (!address || !result)
    return false;
  const SimScalar *s = &result->type->scalars[0];
  if (result->type->count * s->bits != 64 || s->bits != 8u << s->log2Bytes || d->program->lanes != 64)
    return simRefuse(op, "of this type is not known to the simulator");
  if (d->program->sharedGranule > 8)
    d->program->sharedGranule = 8;
  SimTransposedRead *read = tileArenaAlloc(d->arena, 1, sizeof *read);
  *read = (SimTransposedRead){(unsigned)row->param, result->type->count, result->slots};
  SimInsn *i = simEmitEffect(d, simTransposedRead);
  i->a = address->slots[0];
  i->data = read;
  return true;
}
