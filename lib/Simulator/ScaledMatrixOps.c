/* ScaledMatrixOps.c - decodes CDNA4's matrix instructions of 8-, 6- and 4-bit floats, with powers of two for each 32.
 *
 * Operands: A, B, C, format of A (cbsz), format of B (blgp), byte of A's scales (opsel), A's scales, byte of B's
 * scales, B's scales (LLVM, IntrinsicsAMDGPU.td). Both scales the constant 0: the instruction without scales.
 * Formats as the CDNA4 ISA counts them; the small ones (OCP MX) have neither infinities nor NaN. */
#include "MapOps.h"
#include "MatrixOps.h"
#include <math.h>

typedef struct SmallFormat {
  unsigned bits, fractionBits;
  int bias;
  TileElementType float8; ///< None: a small one
} SmallFormat;

static const SmallFormat formats[] = {
    {8, 3, 7, TileElementType_F8E4M3FN}, {8, 2, 15, TileElementType_F8E5M2}, {6, 3, 1, TileElementType_None},
    {6, 2, 3, TileElementType_None},     {4, 1, 1, TileElementType_None},
};

/// The values of a format by their bits.
static const double *tableOf(SimDecoder *d, const SmallFormat *f) {
  if (f->float8 != TileElementType_None)
    return simFloat8Table(d, f->float8);
  const unsigned count = 1u << f->bits, one = 1u << f->fractionBits;
  double *values = tileArenaAlloc(d->arena, count, sizeof *values);
  for (unsigned bits = 0; bits < count; ++bits) {
    const unsigned magnitude = bits % (count / 2), exponent = magnitude / one, fraction = magnitude % one;
    const int power = (exponent ? (int)exponent : 1) - f->bias - (int)f->fractionBits;
    const double value = ldexp(exponent ? one + fraction : fraction, power);
    values[bits] = bits < count / 2 ? value : -value;
  }
  return values;
}

/// Operand `index` as 32 elements of the format that operand `format` names.
static const SmallFormat *operandOf(SimDecoder *d, MlirOperation op, intptr_t index, intptr_t format,
                                    SimFragment *out) {
  const SimValue *value = simOperand(d, op, index);
  int64_t number;
  if (!value)
    return NULL;
  if (!simConstantOperand(op, format, &number) || number < 0 || number >= (int64_t)TILE_COUNTOF(formats)) {
    simRefuse(op, "has a format that is no constant between 0 and 4");
    return NULL;
  }
  const SmallFormat *f = &formats[number];
  // A type of the next wider format is what LLVM takes too; bits above are ignored.
  if (value->type->scalars[0].bits != 32 || value->type->count < f->bits) {
    simRefuse(op, "has %u numbers of %u bits in operand %c, expected %u of 32", value->type->count,
              value->type->scalars[0].bits, (char)('A' + index), f->bits);
    return NULL;
  }
  *out = (SimFragment){.slots = value->slots,
                       .elementBits = f->bits,
                       .slotLog2Bytes = 2,
                       .number = SimNumber_Float8,
                       .float8 = tableOf(d, f),
                       .size = 32};
  return f;
}

static bool scaleOf(SimDecoder *d, MlirOperation op, intptr_t opsel, SimScale *out) {
  const SimValue *value = simOperand(d, op, opsel + 1);
  int64_t byte;
  if (!value)
    return false;
  if (!simConstantOperand(op, opsel, &byte) || byte < 0 || byte > 3)
    return simRefuse(op, "has a byte of scales (opsel) that is no constant between 0 and 3");
  *out = (SimScale){value->slots[0], (unsigned)byte};
  return true;
}

bool simDecodeMfmaScale(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const unsigned side = (unsigned)row->param;
  int64_t a, b;
  if (mlirOperationGetNumOperands(op) != 9)
    return simRefuse(op, "has %d operands, expected 9", (int)mlirOperationGetNumOperands(op));
  if (d->program->lanes != 64)
    return simRefuse(op, "needs warps of 64 lanes, %s has %u", d->target->chip, d->program->lanes);
  SimMatrixOp m = {.stride = 1};
  const SmallFormat *formatA = operandOf(d, op, 0, 3, &m.a);
  const SimValue *c = simOperand(d, op, 2);
  if (!formatA || !operandOf(d, op, 1, 4, &m.b) || !c || !scaleOf(d, op, 5, &m.scaleA) ||
      !scaleOf(d, op, 7, &m.scaleB))
    return false;
  m.scaled = !(simConstantOperand(op, 6, &a) && simConstantOperand(op, 8, &b) && !a && !b);
  m.shape = (SimMatrixShape){.family = SimMatrix_MfmaF8F6F4,
                             .m = side,
                             .n = side,
                             .k = 2048 / side,
                             .blocks = 1,
                             .elementBits = formatA->bits};
  return simMakeFragment(d, op, c, 32, SimNumber_F32, &m.c) && simEmitMatrix(d, op, &m);
}
