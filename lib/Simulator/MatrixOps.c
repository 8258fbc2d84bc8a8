/* MatrixOps.c - decodes mma.sync, ldmatrix and stmatrix. */
#include "MatrixOps.h"
#include "MapOps.h"
#include "Memory.h"
#include "tile-c/Dialect/NVVM.h"
#include <ctype.h>
#include <stdlib.h>

// ---- Shared ----

typedef struct Text {
  char data[128];
  size_t length;
} Text;

static void appendText(MlirStringRef s, void *user) {
  Text *text = user;
  for (size_t k = 0; k < s.length && text->length + 1 < sizeof text->data; ++k)
    text->data[text->length++] = s.data[k];
}

unsigned simNumbersIn(MlirAttribute a, unsigned *out, unsigned max) {
  Text text = {{0}, 0};
  unsigned n = 0;
  if (a.ptr)
    mlirAttributePrint(a, appendText, &text);
  for (char *at = text.data; *at && n < max;)
    if (isdigit((unsigned char)*at))
      out[n++] = (unsigned)strtoul(at, &at, 10);
    else
      ++at;
  return n;
}

const double *simFloat8Table(SimDecoder *d, TileElementType type) {
  double *values = tileArenaAlloc(d->arena, 256, sizeof *values);
  for (unsigned bits = 0; bits < 256; ++bits)
    values[bits] = tileFloatDecode(type, bits);
  return values;
}

bool simMakeFragment(SimDecoder *d, MlirOperation op, const SimValue *value, unsigned bits, SimNumber number,
                     SimFragment *out) {
  (void)d;
  const SimScalar *s = &value->type->scalars[0];
  if (!value->type->count || s->bits % bits || s->bits < bits)
    return simRefuse(op, "has an operand of %u-bit numbers, expected elements of %u bits", s->bits, bits);
  *out = (SimFragment){.slots = value->slots,
                       .perSlot = s->bits / bits,
                       .elementBits = bits,
                       .slotLog2Bytes = s->log2Bytes,
                       .number = number,
                       .size = value->type->count * (s->bits / bits)};
  return true;
}

/// Places of all elements in a dense matrix of `columns` columns, blocks of `area` one after the other.
static const uint16_t *mapOf(SimDecoder *d, const SimMatrixShape *s, unsigned size,
                             SimElement (*at)(const SimMatrixShape *, unsigned, unsigned), unsigned rows,
                             unsigned columns) {
  const unsigned lanes = d->program->lanes;
  uint16_t *map = tileArenaAlloc(d->arena, (size_t)lanes * size, sizeof *map);
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < size; ++i) {
      const SimElement e = at(s, lane, i);
      map[lane * size + i] = (uint16_t)(e.block * rows * columns + e.row * columns + e.column);
    }
  return map;
}

static bool wrongSize(MlirOperation op, const char *name, unsigned got, unsigned expected) {
  return simRefuse(op, "has %u elements of operand %s in a lane, expected %u", got, name, expected);
}

bool simEmitMatrix(SimDecoder *d, MlirOperation op, SimMatrixOp *m) {
  const SimMatrixShape *s = &m->shape;
  const SimValue *result = simResult(d, op);
  if (!result)
    return false;
  if (m->a.size != simFragmentSizeA(s))
    return wrongSize(op, "A", m->a.size, simFragmentSizeA(s));
  if (m->b.size != simFragmentSizeB(s))
    return wrongSize(op, "B", m->b.size, simFragmentSizeB(s));
  if (m->c.size != simFragmentSizeC(s) || result->type->count < m->c.size)
    return wrongSize(op, "C", m->c.size, simFragmentSizeC(s));
  m->a.map = mapOf(d, s, m->a.size, simFragmentA, s->m, s->k);
  SimMatrixShape ofB = *s;
  ofB.elementBits = m->b.elementBits; // CDNA4: may differ from A's
  m->b.map = mapOf(d, &ofB, m->b.size, simFragmentB, s->k, s->n);
  m->c.map = mapOf(d, s, m->c.size, simFragmentC, s->m, s->n);
  m->result = result->slots;
  SimMatrixOp *kept = tileArenaAlloc(d->arena, 1, sizeof *kept);
  *kept = *m;
  simEmitEffect(d, simMatrix)->data = kept;
  return true;
}

// ---- mma.sync ----

typedef struct MmaType {
  NVVMMMATypes type;
  unsigned bits;
  SimNumber number;
  TileElementType float8;
} MmaType;

static const MmaType *mmaType(NVVMMMATypes type) {
  static const MmaType types[] = {
      {NVVMMMATypes_f16, 16, SimNumber_F16, TileElementType_None},
      {NVVMMMATypes_bf16, 16, SimNumber_BF16, TileElementType_None},
      {NVVMMMATypes_tf32, 32, SimNumber_TF32, TileElementType_None},
      {NVVMMMATypes_f64, 64, SimNumber_F64, TileElementType_None},
      {NVVMMMATypes_s8, 8, SimNumber_Signed, TileElementType_None},
      {NVVMMMATypes_u8, 8, SimNumber_Unsigned, TileElementType_None},
      {NVVMMMATypes_s4, 4, SimNumber_Signed, TileElementType_None},
      {NVVMMMATypes_u4, 4, SimNumber_Unsigned, TileElementType_None},
      {NVVMMMATypes_b1, 1, SimNumber_Unsigned, TileElementType_None},
      {NVVMMMATypes_e4m3, 8, SimNumber_Float8, TileElementType_F8E4M3FN},
      {NVVMMMATypes_e5m2, 8, SimNumber_Float8, TileElementType_F8E5M2},
  };
  for (size_t k = 0; k < TILE_COUNTOF(types); ++k)
    if (types[k].type == type)
      return &types[k];
  return NULL;
}

/// Operands [first, first + n) as one list of numbers; NULL after a diagnostic.
static const SimValue *concatenate(SimDecoder *d, MlirOperation op, intptr_t first, intptr_t n) {
  uint32_t count = 0;
  for (intptr_t k = 0; k < n; ++k) {
    const SimValue *v = simOperand(d, op, first + k);
    if (!v)
      return NULL;
    count += v->type->count;
  }
  SimValue *all = tileArenaAlloc(d->arena, 1, sizeof *all);
  SimType *type = tileArenaAlloc(d->arena, 1, sizeof *type);
  uint32_t *slots = tileArenaAlloc(d->arena, count + 1u, sizeof *slots), used = 0;
  SimScalar *scalars = tileArenaAlloc(d->arena, count + 1u, sizeof *scalars);
  for (intptr_t k = 0; k < n; ++k) {
    const SimValue *v = simOperand(d, op, first + k);
    memcpy(slots + used, v->slots, v->type->count * sizeof *slots);
    memcpy(scalars + used, v->type->scalars, v->type->count * sizeof *scalars);
    used += v->type->count;
  }
  *type = (SimType){.count = count, .scalars = scalars};
  *all = (SimValue){type, slots};
  return all;
}

/// How the accumulator's numbers are to be read.
static SimNumber accumulatorNumber(const SimScalar *s) {
  switch (s->format) {
  case SimFloat_F16:
    return SimNumber_F16;
  case SimFloat_BF16:
    return SimNumber_BF16;
  case SimFloat_F32:
    return SimNumber_F32;
  case SimFloat_F64:
    return SimNumber_F64;
  default:
    return SimNumber_Signed;
  }
}

static bool fragmentOf(SimDecoder *d, MlirOperation op, const SimValue *value, const MmaType *type,
                       SimFragment *out) {
  if (!value || !simMakeFragment(d, op, value, type->bits, type->number, out))
    return false;
  if (type->number == SimNumber_Float8)
    out->float8 = simFloat8Table(d, type->float8);
  return true;
}

/// Operands: na of A, nb of B, the rest of C.
static bool emitMma(SimDecoder *d, MlirOperation op, SimMatrixOp *m, const MmaType *a, const MmaType *b,
                    intptr_t na, intptr_t nb) {
  const intptr_t nc = mlirOperationGetNumOperands(op) - na - nb;
  const SimValue *c = concatenate(d, op, na + nb, nc);
  m->stride = 1;
  const int least = a->number == SimNumber_F16 || a->number == SimNumber_Float8 ? -14 : -126;
  const bool isHalf = c && c->type->scalars[0].bits == 16;
  m->sum = (SimSumRule){.terms = d->target->tensorCoreBytes * 8 / a->bits,
                        .fractionBits = 23,
                        .guardBits = d->target->tensorCoreGuardBits,
                        .leastA = least,
                        .leastB = least,
                        .leastSum = isHalf ? -14 : -126,
                        .isHalf = isHalf};
  if (a->number == SimNumber_Float8) {
    m->asHalves = d->target->tensorCoreFloat8AsHalf;
    if (m->asHalves)
      m->sum.terms = 16;
    else
      m->sum.guardBits = d->target->tensorCoreFloat8GuardBits;
  }
  return c && fragmentOf(d, op, concatenate(d, op, 0, na), a, &m->a) &&
         fragmentOf(d, op, concatenate(d, op, na, nb), b, &m->b) &&
         simMakeFragment(d, op, c, c->type->scalars[0].bits, accumulatorNumber(&c->type->scalars[0]),
                         &m->c) &&
         simEmitMatrix(d, op, m);
}

bool simDecodeMma(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  NVVMMmaOp mma = nvvmMmaOpCast(op);
  unsigned shape[3];
  const MmaType *a =
      nvvmMmaOpGetMultiplicandAPtxTypeAttr(mma).ptr ? mmaType(nvvmMmaOpGetMultiplicandAPtxType(mma)) : NULL;
  const MmaType *b =
      nvvmMmaOpGetMultiplicandBPtxTypeAttr(mma).ptr ? mmaType(nvvmMmaOpGetMultiplicandBPtxType(mma)) : NULL;
  if (!a || !b || simNumbersIn(nvvmMmaOpGetShapeAttr(mma), shape, 3) != 3)
    return simRefuse(op, "with these types is not known to the simulator");
  if (shape[1] != 8 || shape[2] * a->bits < 128 || nvvmMmaOpGetLayoutA(mma) != NVVMMMALayout_row ||
      nvvmMmaOpGetLayoutB(mma) != NVVMMMALayout_col)
    return simRefuse(op, "of this shape and layout is not known to the simulator");
  SimMatrixOp m = {.shape = {SimMatrix_MmaSync, shape[0], shape[1], shape[2], 1, a->bits}};
  m.differs = nvvmMmaOpGetB1OpAttr(mma).ptr && nvvmMmaOpGetB1Op(mma) == NVVMMMAB1Op_xor_popc;
  m.saturates = nvvmMmaOpGetIntOverflowBehaviorAttr(mma).ptr &&
                nvvmMmaOpGetIntOverflowBehavior(mma) == NVVMMMAIntOverflow_satfinite;
  return emitMma(d, op, &m, a, b, nvvmMmaOpGetNumOperandA(mma), nvvmMmaOpGetNumOperandB(mma));
}

/// What the NVVM dialect lacks: m16n8k4, k8 and k16 of f64, m16n8k16 and k32 of 8-bit floats.
bool simDecodeMmaIntrinsic(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const unsigned k = row->param & 0xFF;
  const MmaType *a = mmaType((NVVMMMATypes)(row->param >> 8 & 0xFF)),
                *b = mmaType((NVVMMMATypes)(row->param >> 16 & 0xFF));
  const intptr_t na = 16 * k * a->bits / 32 / (a->bits == 64 ? 64 : 32), nb = na / 2;
  SimMatrixOp m = {.shape = {SimMatrix_MmaSync, 16, 8, k, 1, a->bits}};
  return emitMma(d, op, &m, a, b, na, nb);
}

// ---- ldmatrix, stmatrix ----

static bool emitLdMatrix(SimDecoder *d, MlirOperation op, SimEffect effect, unsigned count, bool transposed,
                         const uint32_t *slots, MlirAttribute shape, bool isB16) {
  unsigned extents[2] = {8, 8};
  const SimValue *address = simOperand(d, op, 0);
  if (!address)
    return false;
  if (!isB16 || (simNumbersIn(shape, extents, 2), extents[0] != 8) || extents[1] != 8 || count == 3 ||
      count > 4)
    return simRefuse(op, "of this shape is not known to the simulator");
  SimLdMatrix *m = tileArenaAlloc(d->arena, 1, sizeof *m);
  *m = (SimLdMatrix){count, transposed, slots};
  if (d->program->sharedGranule > 16)
    d->program->sharedGranule = 16;
  SimInsn *i = simEmitEffect(d, effect);
  i->a = address->slots[0];
  i->bits = effect == simStoreMatrix; // for the counters
  i->data = m;
  return true;
}

bool simDecodeLdMatrix(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  NVVMLdMatrixOp ld = nvvmLdMatrixOpCast(op);
  const SimValue *result = simResult(d, op);
  return result && emitLdMatrix(d, op, simLoadMatrix, result->type->count,
                                nvvmLdMatrixOpGetLayout(ld) == NVVMMMALayout_col, result->slots,
                                nvvmLdMatrixOpGetShapeAttr(ld),
                                nvvmLdMatrixOpGetEltType(ld) == NVVMLdStMatrixEltType_B16);
}

bool simDecodeStMatrix(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  NVVMStMatrixOp st = nvvmStMatrixOpCast(op);
  const intptr_t n = nvvmStMatrixOpGetNumSources(st);
  const SimValue *sources = concatenate(d, op, 1, n);
  return sources &&
         emitLdMatrix(d, op, simStoreMatrix, (unsigned)n, nvvmStMatrixOpGetLayout(st) == NVVMMMALayout_col,
                      sources->slots, nvvmStMatrixOpGetShapeAttr(st),
                      nvvmStMatrixOpGetEltType(st) == NVVMLdStMatrixEltType_B16);
}
