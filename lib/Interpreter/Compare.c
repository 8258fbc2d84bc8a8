/* Compare.c - comparisons, classification of floats, select. */
#include "Decode.h"
#include "tile-c/Dialect/Arith.h"
#include <math.h>

/// How two values stand; a predicate is the set of the outcomes that make it true.
enum { Less = 1, Equal = 2, Greater = 4, Unordered = 8 };

typedef struct Predicate {
  int outcomes;
  bool isUnsigned; ///< integers
} Predicate;

static const Predicate floatPredicates[] = {
    [ArithCmpFPredicate_AlwaysFalse] = {0, false},
    [ArithCmpFPredicate_OEQ] = {Equal, false},
    [ArithCmpFPredicate_OGT] = {Greater, false},
    [ArithCmpFPredicate_OGE] = {Greater | Equal, false},
    [ArithCmpFPredicate_OLT] = {Less, false},
    [ArithCmpFPredicate_OLE] = {Less | Equal, false},
    [ArithCmpFPredicate_ONE] = {Less | Greater, false},
    [ArithCmpFPredicate_ORD] = {Less | Equal | Greater, false},
    [ArithCmpFPredicate_UEQ] = {Equal | Unordered, false},
    [ArithCmpFPredicate_UGT] = {Greater | Unordered, false},
    [ArithCmpFPredicate_UGE] = {Greater | Equal | Unordered, false},
    [ArithCmpFPredicate_ULT] = {Less | Unordered, false},
    [ArithCmpFPredicate_ULE] = {Less | Equal | Unordered, false},
    [ArithCmpFPredicate_UNE] = {Less | Greater | Unordered, false},
    [ArithCmpFPredicate_UNO] = {Unordered, false},
    [ArithCmpFPredicate_AlwaysTrue] = {Less | Equal | Greater | Unordered, false},
};

static const Predicate integerPredicates[] = {
    [ArithCmpIPredicate_eq] = {Equal, false},    [ArithCmpIPredicate_ne] = {Less | Greater, false},
    [ArithCmpIPredicate_slt] = {Less, false},    [ArithCmpIPredicate_sle] = {Less | Equal, false},
    [ArithCmpIPredicate_sgt] = {Greater, false}, [ArithCmpIPredicate_sge] = {Greater | Equal, false},
    [ArithCmpIPredicate_ult] = {Less, true},     [ArithCmpIPredicate_ule] = {Less | Equal, true},
    [ArithCmpIPredicate_ugt] = {Greater, true},  [ArithCmpIPredicate_uge] = {Greater | Equal, true},
};

static bool runCompareFloat(Machine *m, const Instruction *i) {
  const Predicate *predicate = i->data;
  const Slot *a = i->operands[0], *b = i->operands[1];
  Slot *result = i->results[0];
  double x[CHUNK], y[CHUNK];
  for (int64_t start = 0; start < result->count; start += CHUNK) {
    int64_t n = result->count - start < CHUNK ? result->count - start : CHUNK;
    tileFloatDecodeArray(a->type, a->data + start * (int64_t)a->size, n, x);
    tileFloatDecodeArray(b->type, b->data + start * (int64_t)b->size, n, y);
    for (int64_t e = 0; e < n; ++e) {
      int outcome = x[e] < y[e] ? Less : x[e] == y[e] ? Equal : x[e] > y[e] ? Greater : Unordered;
      result->data[start + e] = (predicate->outcomes & outcome) != 0;
    }
  }
  return true;
}

static bool runCompareInteger(Machine *m, const Instruction *i) {
  const Predicate *predicate = i->data;
  const Slot *a = i->operands[0], *b = i->operands[1];
  Slot *result = i->results[0];
  // Moves unsigned order onto signed order. A one-bit 1 is -1 to a signed comparison: swap the outcome by
  // negation.
  uint64_t flip = predicate->isUnsigned ? UINT64_C(1) << 63 : 0;
  int64_t scale = a->type == TileElementType_I1 && !predicate->isUnsigned ? -1 : 1;
  int64_t x[CHUNK], y[CHUNK];
  for (int64_t start = 0; start < result->count; start += CHUNK) {
    int64_t n = result->count - start < CHUNK ? result->count - start : CHUNK;
    tileIntDecodeArray(a->type, a->data + start * (int64_t)a->size, n, x);
    tileIntDecodeArray(b->type, b->data + start * (int64_t)b->size, n, y);
    for (int64_t e = 0; e < n; ++e) {
      int64_t p = (int64_t)((uint64_t)(scale < 0 ? -x[e] : x[e]) ^ flip);
      int64_t q = (int64_t)((uint64_t)(scale < 0 ? -y[e] : y[e]) ^ flip);
      int outcome = p < q ? Less : p == q ? Equal : Greater;
      result->data[start + e] = (predicate->outcomes & outcome) != 0;
    }
  }
  return true;
}

bool interpDecodeCompareFloat(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runCompareFloat);
  if (!i)
    return false;
  i->data = &floatPredicates[arithCmpFOpGetPredicate(arithCmpFOpCast(op))];
  return true;
}

bool interpDecodeCompareInteger(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runCompareInteger);
  if (!i)
    return false;
  i->data = &integerPredicates[arithCmpIOpGetPredicate(arithCmpIOpCast(op))];
  return true;
}

// ---- Classification ----

static bool isOfKind(TileOpKind kind, const Slot *slot, double x) {
  switch (kind) {
  case TileOp_Math_IsNaN:
    return isnan(x);
  case TileOp_Math_IsInf:
    return isinf(x);
  case TileOp_Math_IsFinite:
    return isfinite(x);
  default: { // normal in its own type: the smallest normal is the reciprocal of two to the bias minus one
    static const double smallest[TileElementType_Count] = {
        [TileElementType_F16] = 0x1p-14,       [TileElementType_BF16] = 0x1p-126,
        [TileElementType_F32] = 0x1p-126,      [TileElementType_F64] = 0x1p-1022,
        [TileElementType_F8E4M3FN] = 0x1p-6,   [TileElementType_F8E5M2] = 0x1p-14,
        [TileElementType_F8E4M3FNUZ] = 0x1p-7, [TileElementType_F8E5M2FNUZ] = 0x1p-15};
    return isfinite(x) && fabs(x) >= smallest[slot->type];
  }
  }
}

static bool runClassify(Machine *m, const Instruction *i) {
  const Slot *x = i->operands[0];
  Slot *result = i->results[0];
  for (int64_t e = 0; e < result->count; ++e)
    result->data[e] = isOfKind((TileOpKind)i->parameter, x, tileFloatLoad(x->type, x->data, e));
  return true;
}

bool interpDecodeClassify(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runClassify);
  if (!i)
    return false;
  i->parameter = (int)tileOpKind(op);
  return true;
}

// ---- Select ----

static void select4(uint32_t *r, const char *c, const uint32_t *a, const uint32_t *b, int64_t count) {
  for (int64_t e = 0; e < count; ++e)
    r[e] = c[e] ? a[e] : b[e];
}

static bool runSelect(Machine *m, const Instruction *i) {
  const Slot *condition = i->operands[0], *a = i->operands[1], *b = i->operands[2];
  Slot *result = i->results[0];
  size_t size = result->size;
  if (condition->count != result->count) { // one condition for all elements
    memcpy(result->data, (condition->data[0] ? a : b)->data, (size_t)result->count * size);
    return true;
  }
  if (size == 4) {
    select4((uint32_t *)result->data, condition->data, (const uint32_t *)a->data, (const uint32_t *)b->data,
            result->count);
    return true;
  }
  for (int64_t e = 0; e < result->count; ++e)
    memcpy(result->data + e * (int64_t)size, (condition->data[e] ? a : b)->data + e * (int64_t)size, size);
  return true;
}

bool interpDecodeSelect(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runSelect);
  if (!i)
    return false;
  interpMergeOrigins(d, i->results[0], i->operands[1]);
  interpMergeOrigins(d, i->results[0], i->operands[2]);
  return true;
}
