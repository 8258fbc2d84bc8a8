/* IntegerOps.c - element-wise integer arithmetic: computed on int64_t, wrapped to the type as it is stored.
 */
#include "Decode.h"
#include "tile-c/Dialect/Arith.h"

typedef void (*IntegerLoop)(int64_t *r, const int64_t *a, const int64_t *b, int64_t count);

/// One of `unary`, `binary` and `loop` is set.
typedef struct IntegerOp {
  TileOpKind kind;
  int arity;
  bool isSigned; ///< an i1 of 1 is read as -1
  int64_t (*unary)(int64_t, unsigned);
  int64_t (*binary)(int64_t, int64_t, unsigned);
  IntegerLoop loop;
} IntegerOp;

static void add(int64_t *r, const int64_t *a, const int64_t *b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = (int64_t)((uint64_t)a[i] + (uint64_t)b[i]);
}
static void subtract(int64_t *r, const int64_t *a, const int64_t *b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = (int64_t)((uint64_t)a[i] - (uint64_t)b[i]);
}
static void multiply(int64_t *r, const int64_t *a, const int64_t *b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = (int64_t)((uint64_t)a[i] * (uint64_t)b[i]);
}
static void bitAnd(int64_t *r, const int64_t *a, const int64_t *b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = a[i] & b[i];
}
static void bitOr(int64_t *r, const int64_t *a, const int64_t *b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = a[i] | b[i];
}
static void bitXor(int64_t *r, const int64_t *a, const int64_t *b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = a[i] ^ b[i];
}
static void minSigned(int64_t *r, const int64_t *a, const int64_t *b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = a[i] < b[i] ? a[i] : b[i];
}
static void maxSigned(int64_t *r, const int64_t *a, const int64_t *b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = a[i] > b[i] ? a[i] : b[i];
}
// Sign-extended values keep their unsigned order as 64-bit numbers.
static void minUnsigned(int64_t *r, const int64_t *a, const int64_t *b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = (uint64_t)a[i] < (uint64_t)b[i] ? a[i] : b[i];
}
static void maxUnsigned(int64_t *r, const int64_t *a, const int64_t *b, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = (uint64_t)a[i] > (uint64_t)b[i] ? a[i] : b[i];
}

static int64_t absolute(int64_t a, unsigned bits) { return a < 0 ? (int64_t)(0 - (uint64_t)a) : a; }
static int64_t countOnes(int64_t a, unsigned bits) { return __builtin_popcountll(tileUnsigned(a, bits)); }
static int64_t countLeadingZeros(int64_t a, unsigned bits) {
  uint64_t value = tileUnsigned(a, bits);
  return value ? __builtin_clzll(value) - (int)(64 - bits) : bits;
}
static int64_t countTrailingZeros(int64_t a, unsigned bits) {
  uint64_t value = tileUnsigned(a, bits);
  return value ? __builtin_ctzll(value) : bits;
}
/// base to a signed power: by squaring; a negative power is the truncated reciprocal.
static int64_t power(int64_t base, int64_t exponent, unsigned bits) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0;
  uint64_t result = 1, factor = (uint64_t)base;
  for (uint64_t e = (uint64_t)exponent; e; e >>= 1, factor *= factor)
    if (e & 1)
      result *= factor;
  return (int64_t)result;
}

static const IntegerOp ops[] = {
    {TileOp_Arith_AddI, 2, .loop = add},
    {TileOp_Arith_SubI, 2, .loop = subtract},
    {TileOp_Arith_MulI, 2, .loop = multiply},
    {TileOp_Arith_AndI, 2, .loop = bitAnd},
    {TileOp_Arith_OrI, 2, .loop = bitOr},
    {TileOp_Arith_XOrI, 2, .loop = bitXor},
    {TileOp_Arith_MinSI, 2, true, .loop = minSigned},
    {TileOp_Arith_MaxSI, 2, true, .loop = maxSigned},
    {TileOp_Arith_MinUI, 2, .loop = minUnsigned},
    {TileOp_Arith_MaxUI, 2, .loop = maxUnsigned},
    {TileOp_Arith_DivSI, 2, .binary = tileDivSigned},
    {TileOp_Arith_DivUI, 2, .binary = tileDivUnsigned},
    {TileOp_Arith_RemSI, 2, .binary = tileRemSigned},
    {TileOp_Arith_RemUI, 2, .binary = tileRemUnsigned},
    {TileOp_Arith_FloorDivSI, 2, .binary = tileFloorDivSigned},
    {TileOp_Arith_CeilDivSI, 2, .binary = tileCeilDivSigned},
    {TileOp_Arith_CeilDivUI, 2, .binary = tileCeilDivUnsigned},
    {TileOp_Arith_ShLI, 2, .binary = tileShiftLeft},
    {TileOp_Arith_ShRSI, 2, .binary = tileShiftRightSigned},
    {TileOp_Arith_ShRUI, 2, .binary = tileShiftRightUnsigned},
    {TileOp_Tile_MulhiUI, 2, .binary = tileMulHighUnsigned},
    {TileOp_Math_AbsI, 1, true, .unary = absolute},
    {TileOp_Math_CtPop, 1, .unary = countOnes},
    {TileOp_Math_CountLeadingZeros, 1, .unary = countLeadingZeros},
    {TileOp_Math_CountTrailingZeros, 1, .unary = countTrailingZeros},
    {TileOp_Math_IPowI, 2, true, .binary = power},
};

static const IntegerOp *opOf(TileOpKind kind) {
  for (size_t i = 0; i < TILE_COUNTOF(ops); ++i)
    if (ops[i].kind == kind)
      return &ops[i];
  return NULL;
}

bool interpIsIntegerOp(TileOpKind kind) { return opOf(kind) != NULL; }

/// Elements [start, start + n) as int64_t; with `isSigned` an i1 of 1 becomes -1.
static void decodeChunk(const Slot *slot, int64_t start, int64_t n, bool isSigned, int64_t *out) {
  tileIntDecodeArray(slot->type, slot->data + start * (int64_t)slot->size, n, out);
  if (isSigned && slot->type == TileElementType_I1)
    for (int64_t i = 0; i < n; ++i)
      out[i] = -out[i];
}

static void apply(const IntegerOp *op, unsigned bits, int64_t *r, int64_t (*x)[CHUNK], int64_t n) {
  if (op->loop) {
    op->loop(r, x[0], x[1], n);
    return;
  }
  for (int64_t i = 0; i < n; ++i)
    r[i] = op->unary ? op->unary(x[0][i], bits) : op->binary(x[0][i], x[1][i], bits);
}

static bool runInteger(Machine *m, const Instruction *i) {
  const IntegerOp *op = i->data;
  Slot *result = i->results[0];
  unsigned bits = tileElementTypeBits(result->type);
  int64_t x[2][CHUNK], r[CHUNK];
  for (int64_t start = 0; start < result->count; start += CHUNK) {
    int64_t n = result->count - start < CHUNK ? result->count - start : CHUNK;
    for (int k = 0; k < op->arity; ++k)
      decodeChunk(i->operands[k], start, n, op->isSigned, x[k]);
    apply(op, bits, r, x, n);
    tileIntEncodeArray(result->type, r, n, result->data + start * (int64_t)result->size);
  }
  return true;
}

bool interpDecodeInteger(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runInteger);
  if (!i)
    return false;
  i->data = opOf(tileOpKind(op));
  return true;
}

// ---- Two results ----

/// results[0] the low half (the sum), results[1] the high half (the carry as i1).
static bool runExtended(Machine *m, const Instruction *i) {
  Slot *low = i->results[0], *high = i->results[1];
  unsigned bits = tileElementTypeBits(low->type);
  TileOpKind kind = (TileOpKind)i->parameter;
  for (int64_t e = 0; e < low->count; ++e) {
    int64_t a = tileIntLoad(low->type, i->operands[0]->data, e),
            b = tileIntLoad(low->type, i->operands[1]->data, e);
    int64_t sum = (int64_t)((uint64_t)a + (uint64_t)b), product = (int64_t)((uint64_t)a * (uint64_t)b);
    int64_t upper = kind == TileOp_Arith_AddUIExtended   ? tileUnsigned(sum, bits) < tileUnsigned(a, bits)
                    : kind == TileOp_Arith_MulUIExtended ? tileMulHighUnsigned(a, b, bits)
                                                         : tileMulHighSigned(a, b, bits);
    tileIntStore(low->type, low->data, e, kind == TileOp_Arith_AddUIExtended ? sum : product);
    tileIntStore(high->type, high->data, e, upper);
  }
  return true;
}

bool interpDecodeExtendedInteger(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runExtended);
  if (!i)
    return false;
  i->parameter = (int)tileOpKind(op);
  return true;
}
