/* Casts.c - conversions between element types, and reinterpretations, which share storage and cost nothing.
 */
#include "Decode.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"

/// What stands between decoding one type and encoding another.
typedef enum CastKind { Cast_FloatToFloat, Cast_FloatToInt, Cast_IntToFloat, Cast_IntToInt } CastKind;

typedef struct Cast {
  TileOpKind op;
  CastKind kind;
  bool isSigned;
} Cast;

static const Cast casts[] = {
    {TileOp_Arith_ExtF, Cast_FloatToFloat, false},  {TileOp_Arith_TruncF, Cast_FloatToFloat, false},
    {TileOp_Tile_FpToFp, Cast_FloatToFloat, false}, {TileOp_Arith_FPToSI, Cast_FloatToInt, true},
    {TileOp_Arith_FPToUI, Cast_FloatToInt, false},  {TileOp_Arith_SIToFP, Cast_IntToFloat, true},
    {TileOp_Arith_UIToFP, Cast_IntToFloat, false},  {TileOp_Arith_ExtSI, Cast_IntToInt, true},
    {TileOp_Arith_ExtUI, Cast_IntToInt, false},     {TileOp_Arith_TruncI, Cast_IntToInt, false},
    {TileOp_Arith_IndexCast, Cast_IntToInt, true},  {TileOp_Arith_IndexCastUI, Cast_IntToInt, false},
};

static void storeFloatBits(Slot *slot, int64_t element, uint64_t bits) {
  memcpy(slot->data + element * (int64_t)slot->size, &bits, slot->size); // little endian
}

static void floatToFloat(const Slot *from, Slot *to, int64_t start, int64_t n, TileRoundingMode rounding) {
  double x[CHUNK];
  tileFloatDecodeArray(from->type, from->data + start * (int64_t)from->size, n, x);
  if (rounding == TileRoundingMode_NearestEven) {
    tileFloatEncodeArray(to->type, x, n, to->data + start * (int64_t)to->size);
    return;
  }
  for (int64_t e = 0; e < n; ++e)
    storeFloatBits(to, start + e, tileFloatEncode(to->type, x[e], rounding, TileOverflow_Default));
}

static void floatToInt(const Slot *from, Slot *to, int64_t start, int64_t n, bool isSigned) {
  double x[CHUNK];
  int64_t r[CHUNK];
  unsigned bits = tileElementTypeBits(to->type);
  tileFloatDecodeArray(from->type, from->data + start * (int64_t)from->size, n, x);
  for (int64_t e = 0; e < n; ++e)
    r[e] = tileFloatToInt(x[e], bits, isSigned);
  tileIntEncodeArray(to->type, r, n, to->data + start * (int64_t)to->size);
}

/// Integers of `from`, extended as the op says.
static void decodeInts(const Slot *from, int64_t start, int64_t n, bool isSigned, int64_t *x) {
  unsigned bits = tileElementTypeBits(from->type);
  tileIntDecodeArray(from->type, from->data + start * (int64_t)from->size, n, x);
  for (int64_t e = 0; e < n; ++e)
    x[e] = isSigned ? (bits == 1 ? -x[e] : x[e]) : (int64_t)tileUnsigned(x[e], bits);
}

static void intToFloat(const Slot *from, Slot *to, int64_t start, int64_t n, bool isSigned) {
  int64_t x[CHUNK];
  double r[CHUNK];
  decodeInts(from, start, n, isSigned, x);
  if (tileElementTypeBits(from->type) <= 32) { // exact as double: one rounding
    for (int64_t e = 0; e < n; ++e)
      r[e] = (double)x[e];
    tileFloatEncodeArray(to->type, r, n, to->data + start * (int64_t)to->size);
    return;
  }
  for (int64_t e = 0; e < n; ++e)
    storeFloatBits(to, start + e, tileIntToFloat(to->type, x[e], isSigned));
}

static void intToInt(const Slot *from, Slot *to, int64_t start, int64_t n, bool isSigned) {
  int64_t x[CHUNK];
  decodeInts(from, start, n, isSigned, x);
  tileIntEncodeArray(to->type, x, n, to->data + start * (int64_t)to->size);
}

static bool runCast(Machine *m, const Instruction *i) {
  const Cast *cast = i->data;
  const Slot *from = i->operands[0];
  Slot *to = i->results[0];
  for (int64_t start = 0; start < to->count; start += CHUNK) {
    int64_t n = to->count - start < CHUNK ? to->count - start : CHUNK;
    switch (cast->kind) {
    case Cast_FloatToFloat:
      floatToFloat(from, to, start, n, (TileRoundingMode)i->parameter);
      break;
    case Cast_FloatToInt:
      floatToInt(from, to, start, n, cast->isSigned);
      break;
    case Cast_IntToFloat:
      intToFloat(from, to, start, n, cast->isSigned);
      break;
    case Cast_IntToInt:
      intToInt(from, to, start, n, cast->isSigned);
      break;
    }
  }
  return true;
}

/// The rounding that the op asks for; false if the cpu device does not offer it.
static bool roundingOf(MlirOperation op, TileOpKind kind, int *out_rounding) {
  *out_rounding = TileRoundingMode_NearestEven;
  if (kind == TileOp_Tile_FpToFp && tileFpToFpOpGetRounding(tileFpToFpOpCast(op)) == TileRounding_RTZ)
    *out_rounding = TileRoundingMode_TowardZero;
  if (kind != TileOp_Arith_TruncF || !arithTruncFOpGetRoundingmodeAttr(arithTruncFOpCast(op)).ptr)
    return true;
  ArithRoundingMode mode = arithTruncFOpGetRoundingmode(arithTruncFOpCast(op));
  if (mode == ArithRoundingMode_toward_zero)
    *out_rounding = TileRoundingMode_TowardZero;
  return mode == ArithRoundingMode_toward_zero || mode == ArithRoundingMode_to_nearest_even;
}

bool interpDecodeCast(Decoder *d, MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  Instruction *i = interpEmitOp(d, op, runCast);
  if (!i)
    return false;
  if (!roundingOf(op, kind, &i->parameter))
    return interpRefuse(op, "this rounding mode is not supported, expected to_nearest_even or toward_zero");
  for (size_t c = 0; c < TILE_COUNTOF(casts); ++c)
    if (casts[c].op == kind)
      i->data = &casts[c];
  return true;
}

bool interpDecodeBitcast(Decoder *d, MlirOperation op) {
  const Slot *source = interpUse(d, op, mlirOperationGetOperand(op, 0));
  if (!source)
    return false;
  MlirValue result = mlirOperationGetResult(op, 0);
  Slot *slot = interpAliasSlot(d, op, mlirValueGetType(result), source);
  if (!slot)
    return false;
  if (tileOpKind(op) == TileOp_Tile_IntToPtr)
    interpSetOriginAny(d, slot);
  interpBind(d, result, slot);
  return true;
}
