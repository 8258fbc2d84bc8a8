/* DotScaled.c - tile.dot_scaled: operands in small formats times a scale for each group along K, multiplied
 * in f32. */
#include "Dot.h"
#include "tile-c/Dialect/Tile.h"
#include <math.h>

/// A format of 8 bits or fewer that is none of the element types: sign, exponent, fraction, without special
/// values.
typedef struct SmallFormat {
  int exponentBits, fractionBits, bias;
} SmallFormat;

static const SmallFormat smallFormats[] = {
    [TileScaledElementType_E2M3] = {2, 3, 1},
    [TileScaledElementType_E3M2] = {3, 2, 3},
    [TileScaledElementType_E2M1] = {2, 1, 1},
};

static float smallValue(const SmallFormat *f, unsigned bits) {
  int exponent = (int)(bits >> f->fractionBits) & ((1 << f->exponentBits) - 1);
  int fraction = (int)bits & ((1 << f->fractionBits) - 1);
  if (exponent)
    fraction |= 1 << f->fractionBits;
  float magnitude = ldexpf((float)fraction, (exponent ? exponent : 1) - f->bias - f->fractionBits);
  return bits >> (f->exponentBits + f->fractionBits) & 1 ? -magnitude : magnitude;
}

typedef struct Operand {
  TileScaledElementType type;
  bool packedAcrossK;    ///< e2m1: pairs lie along the other dimension
  int64_t rows, columns; ///< logical: [m, k] or [k, n]
  bool kIsRow;           ///< b
  int64_t group;         ///< elements of K that share a scale; 0: no scale
  float *values;         ///< scratch of one batch, row-major
} Operand;

typedef struct ScaledDot {
  int64_t batch, m, n, k;
  Operand a, b;
  float *acc;
} ScaledDot;

static float elementOf(const Operand *o, const Slot *slot, int64_t row, int64_t column) {
  if (o->type == TileScaledElementType_E2M1) {
    bool alongRows = o->kIsRow != o->packedAcrossK; // which coordinate is halved in memory
    int64_t at = alongRows ? row / 2 * o->columns + column : row * (o->columns / 2) + column / 2;
    unsigned pair = (uint8_t)slot->data[at];
    return smallValue(&smallFormats[o->type], (alongRows ? row : column) & 1 ? pair >> 4 : pair & 15);
  }
  int64_t at = row * o->columns + column;
  switch (o->type) {
  case TileScaledElementType_E4M3:
    return (float)tileFloatDecode(TileElementType_F8E4M3FN, (uint8_t)slot->data[at]);
  case TileScaledElementType_E5M2:
    return (float)tileFloatDecode(TileElementType_F8E5M2, (uint8_t)slot->data[at]);
  case TileScaledElementType_BF16:
  case TileScaledElementType_FP16:
    return (float)tileFloatLoad(slot->type, slot->data, at);
  default:
    return smallValue(&smallFormats[o->type], (uint8_t)slot->data[at]);
  }
}

/// Scales are [m, k / group] for a, [n, k / group] for b; i8 is a power of two with bias 127, 255 is NaN.
static float scaleOf(const Slot *scales, int64_t other, int64_t group, int64_t groups) {
  int64_t at = other * groups + group;
  if (tileElementTypeIsFloat(scales->type))
    return (float)tileFloatLoad(scales->type, scales->data, at);
  unsigned exponent = (uint8_t)scales->data[at];
  return exponent == 255 ? NAN : ldexpf(1, (int)exponent - 127);
}

static void loadOperand(const Operand *o, const Slot *slot, const Slot *scales, int64_t k, int64_t batch) {
  int64_t firstRow = batch * o->rows, firstScale = batch * (o->kIsRow ? o->columns : o->rows);
  for (int64_t row = 0; row < o->rows; ++row)
    for (int64_t column = 0; column < o->columns; ++column) {
      float value = elementOf(o, slot, firstRow + row, column);
      int64_t along = o->kIsRow ? row : column, other = o->kIsRow ? column : row;
      if (scales)
        value *= scaleOf(scales, firstScale + other, along / o->group, k / o->group);
      o->values[row * o->columns + column] = value;
    }
}

static bool runDotScaled(Machine *m, const Instruction *i) {
  const ScaledDot *dot = i->data;
  int64_t size = dot->m * dot->n;
  for (int64_t batch = 0; batch < dot->batch; ++batch) {
    loadOperand(&dot->a, i->operands[0], i->operands[3], dot->k, batch);
    loadOperand(&dot->b, i->operands[1], i->operands[4], dot->k, batch);
    interpLoadFloats(i->operands[2], batch * size, size, dot->acc);
    interpMultiplyAdd(dot->acc, dot->a.values, dot->b.values, dot->m, dot->n, dot->k);
    interpStoreFloats(i->results[0], batch * size, size, dot->acc);
  }
  return true;
}

static bool prepareOperand(Decoder *d, MlirOperation op, Operand *o, const Slot *slot, const Slot *scales,
                           int64_t k) {
  int64_t stored = slot->shape[slot->rank - 2] * slot->shape[slot->rank - 1];
  if (o->rows * o->columns != stored * (o->type == TileScaledElementType_E2M1 ? 2 : 1))
    return interpRefuse(op, "got an operand of %lld elements, expected %lld", (long long)stored,
                        (long long)(o->rows * o->columns));
  if (scales) {
    int64_t groups = scales->shape[scales->rank - 1];
    if (groups < 1 || k % groups)
      return interpRefuse(op, "got %lld scales along k, expected a divisor of %lld", (long long)groups,
                          (long long)k);
    o->group = k / groups;
  }
  o->values = (float *)(void *)interpNewStorage(d, op, o->rows * o->columns, sizeof(float));
  return o->values != NULL;
}

static Slot *optionalSlot(Decoder *d, MlirOperation op, MlirValue value, bool *ok) {
  Slot *slot = value.ptr ? interpUse(d, op, value) : NULL;
  *ok = *ok && (!value.ptr || slot);
  return slot;
}

bool interpDecodeDotScaled(Decoder *d, MlirOperation op) {
  TileDotScaledOp scaled = tileDotScaledOpCast(op);
  Instruction *i = interpEmit(d, op, runDotScaled, 5, 1);
  bool ok = true;
  i->operands[0] = optionalSlot(d, op, tileDotScaledOpGetA(scaled), &ok);
  i->operands[1] = optionalSlot(d, op, tileDotScaledOpGetB(scaled), &ok);
  i->operands[2] = optionalSlot(d, op, tileDotScaledOpGetC(scaled), &ok);
  i->operands[3] = optionalSlot(d, op, tileDotScaledOpGetAScale(scaled), &ok);
  i->operands[4] = optionalSlot(d, op, tileDotScaledOpGetBScale(scaled), &ok);
  i->results[0] = interpResultSlot(d, op, 0);
  if (!ok || !i->results[0])
    return false;
  ScaledDot *dot = tileArenaAlloc(&d->arena, 1, sizeof *dot);
  i->data = dot;
  const Slot *result = i->results[0];
  int row = result->rank - 2, column = result->rank - 1;
  dot->batch = result->rank == 3 ? result->shape[0] : 1;
  dot->m = result->shape[row], dot->n = result->shape[column];
  bool packed =
      tileDotScaledOpGetAType(scaled) == TileScaledElementType_E2M1 && !tileDotScaledOpGetAPackM(scaled);
  dot->k = i->operands[0]->shape[column] * (packed ? 2 : 1);
  dot->a = (Operand){
      tileDotScaledOpGetAType(scaled), tileDotScaledOpGetAPackM(scaled), dot->m, dot->k, false, 0, NULL};
  dot->b = (Operand){
      tileDotScaledOpGetBType(scaled), tileDotScaledOpGetBPackN(scaled), dot->k, dot->n, true, 0, NULL};
  dot->acc = (float *)(void *)interpNewStorage(d, op, dot->m * dot->n, sizeof(float));
  return dot->acc && prepareOperand(d, op, &dot->a, i->operands[0], i->operands[3], dot->k) &&
         prepareOperand(d, op, &dot->b, i->operands[1], i->operands[4], dot->k);
}
