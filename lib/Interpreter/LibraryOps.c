/* LibraryOps.c - libdevice's functions from floats to integers and back, and on integers, element by element.
 *
 * Source of the meanings: NVIDIA's libdevice user's guide. Conversions of integers follow
 * docs/spec/numerics.md where the guide leaves them open. */
#include "LibraryOps.h"
#include "tile-c/IR.h"

static Scalar ofInt(int64_t value) { return (Scalar){.i = value}; }
static Scalar ofFloat(double value) { return (Scalar){.f = value}; }

// ---- Floats to integers ----

static Scalar isNaN(const Scalar *x, unsigned bits) { return ofInt(isnan(x->f) != 0); }
static Scalar isInf(const Scalar *x, unsigned bits) { return ofInt(isinf(x->f) != 0); }
static Scalar isFinite(const Scalar *x, unsigned bits) { return ofInt(isfinite(x->f) != 0); }
static Scalar hasSign(const Scalar *x, unsigned bits) { return ofInt(signbit(x->f) != 0); }
static Scalar exponent(const Scalar *x, unsigned bits) {
  return ofInt(x->f == 0 || isnan(x->f) ? INT32_MIN : isinf(x->f) ? INT32_MAX : ilogb(x->f));
}
static Scalar toIntNearest(const Scalar *x, unsigned bits) {
  return ofInt(tileFloatToInt(rint(x->f), bits, true));
}
static Scalar toIntAway(const Scalar *x, unsigned bits) {
  return ofInt(tileFloatToInt(round(x->f), bits, true));
}
static Scalar toIntZero(const Scalar *x, unsigned bits) { return ofInt(tileFloatToInt(x->f, bits, true)); }
static Scalar toIntDown(const Scalar *x, unsigned bits) {
  return ofInt(tileFloatToInt(floor(x->f), bits, true));
}
static Scalar toIntUp(const Scalar *x, unsigned bits) {
  return ofInt(tileFloatToInt(ceil(x->f), bits, true));
}
static Scalar toUintNearest(const Scalar *x, unsigned bits) {
  return ofInt(tileFloatToInt(rint(x->f), bits, false));
}
static Scalar toUintZero(const Scalar *x, unsigned bits) { return ofInt(tileFloatToInt(x->f, bits, false)); }
static Scalar floatBits(const Scalar *x, unsigned bits) {
  return ofInt(bits == 64 ? (int64_t)tileF64Bits(x->f) : (int32_t)tileF32Bits((float)x->f));
}

// ---- Integers to floats ----

static Scalar powerOf(const Scalar *x, unsigned bits) { return ofFloat(pow(x[0].f, (double)x[1].i)); }
static Scalar scaled(const Scalar *x, unsigned bits) {
  int64_t n = x[1].i;
  return ofFloat(ldexp(x[0].f, n > 4000 ? 4000 : n < -4000 ? -4000 : (int)n));
}
static Scalar fromBits(const Scalar *x, unsigned bits) {
  return ofFloat(bits == 64 ? tileF64FromBits((uint64_t)x->i) : (double)tileF32FromBits((uint32_t)x->i));
}

// ---- Integers ----

static Scalar absolute(const Scalar *x, unsigned bits) {
  return ofInt(x->i < 0 ? (int64_t)(0 - (uint64_t)x->i) : x->i);
}
static Scalar least(const Scalar *x, unsigned bits) { return x[0].i < x[1].i ? x[0] : x[1]; }
static Scalar greatest(const Scalar *x, unsigned bits) { return x[0].i > x[1].i ? x[0] : x[1]; }
static Scalar leastUnsigned(const Scalar *x, unsigned bits) {
  return (uint64_t)x[0].i < (uint64_t)x[1].i ? x[0] : x[1];
}
static Scalar greatestUnsigned(const Scalar *x, unsigned bits) {
  return (uint64_t)x[0].i > (uint64_t)x[1].i ? x[0] : x[1];
}
static Scalar high(const Scalar *x, unsigned bits) { return ofInt(tileMulHighSigned(x[0].i, x[1].i, bits)); }
static Scalar highUnsigned(const Scalar *x, unsigned bits) {
  return ofInt(tileMulHighUnsigned(x[0].i, x[1].i, bits));
}
static Scalar product24(const Scalar *x, unsigned bits) {
  return ofInt(tileWrap(x[0].i, 24) * tileWrap(x[1].i, 24));
}
static Scalar productUnsigned24(const Scalar *x, unsigned bits) {
  return ofInt((int64_t)(tileUnsigned(x[0].i, 24) * tileUnsigned(x[1].i, 24)));
}
static Scalar countOnes(const Scalar *x, unsigned bits) {
  return ofInt(__builtin_popcountll(tileUnsigned(x->i, bits)));
}
static Scalar leadingZeros(const Scalar *x, unsigned bits) {
  uint64_t value = tileUnsigned(x->i, bits);
  return ofInt(value ? __builtin_clzll(value) - (int)(64 - bits) : (int)bits);
}
static Scalar firstSet(const Scalar *x, unsigned bits) {
  return ofInt(x->i ? __builtin_ctzll((uint64_t)x->i) + 1 : 0);
}
static Scalar reversed(const Scalar *x, unsigned bits) {
  uint64_t result = 0;
  for (unsigned b = 0; b < bits; ++b)
    result |= ((uint64_t)x->i >> b & 1) << (bits - 1 - b);
  return ofInt((int64_t)result);
}
static Scalar average(const Scalar *x, unsigned bits) { return ofInt((x[0].i + x[1].i) >> 1); }
static Scalar averageUp(const Scalar *x, unsigned bits) { return ofInt((x[0].i + x[1].i + 1) >> 1); }
static Scalar averageUnsigned(const Scalar *x, unsigned bits) {
  return ofInt((int64_t)((tileUnsigned(x[0].i, bits) + tileUnsigned(x[1].i, bits)) >> 1));
}

static const LibraryOp ops[] = {
    {"isnanf", "if", isNaN},
    {"isnand", "if", isNaN},
    {"isinff", "if", isInf},
    {"isinfd", "if", isInf},
    {"finitef", "if", isFinite},
    {"isfinited", "if", isFinite},
    {"signbitf", "if", hasSign},
    {"signbitd", "if", hasSign},
    {"ilogb", "if", exponent},
    {"ilogbf", "if", exponent},
    {"llrint", "if", toIntNearest},
    {"llrintf", "if", toIntNearest},
    {"llround", "if", toIntAway},
    {"llroundf", "if", toIntAway},
    {"float2int_rn", "if", toIntNearest},
    {"float2int_rz", "if", toIntZero},
    {"float2int_rd", "if", toIntDown},
    {"float2int_ru", "if", toIntUp},
    {"double2int_rn", "if", toIntNearest},
    {"double2int_rz", "if", toIntZero},
    {"double2int_rd", "if", toIntDown},
    {"double2int_ru", "if", toIntUp},
    {"float2ll_rn", "if", toIntNearest},
    {"float2ll_rz", "if", toIntZero},
    {"float2uint_rn", "if", toUintNearest},
    {"float2uint_rz", "if", toUintZero},
    {"float_as_int", "if", floatBits},
    {"float_as_uint", "if", floatBits},
    {"double_as_longlong", "if", floatBits},
    {"powif", "ffi", powerOf},
    {"powi", "ffi", powerOf},
    {"ldexpf", "ffi", scaled},
    {"ldexp", "ffi", scaled},
    {"scalbnf", "ffi", scaled},
    {"scalbn", "ffi", scaled},
    {"int_as_float", "fi", fromBits},
    {"uint_as_float", "fi", fromBits},
    {"longlong_as_double", "fi", fromBits},
    {"abs", "ii", absolute},
    {"llabs", "ii", absolute},
    {"min", "iii", least},
    {"llmin", "iii", least},
    {"max", "iii", greatest},
    {"llmax", "iii", greatest},
    {"umin", "iii", leastUnsigned},
    {"ullmin", "iii", leastUnsigned},
    {"umax", "iii", greatestUnsigned},
    {"ullmax", "iii", greatestUnsigned},
    {"mulhi", "iii", high},
    {"mul64hi", "iii", high},
    {"umulhi", "iii", highUnsigned},
    {"umul64hi", "iii", highUnsigned},
    {"mul24", "iii", product24},
    {"umul24", "iii", productUnsigned24},
    {"popc", "ii", countOnes},
    {"popcll", "ii", countOnes},
    {"clz", "ii", leadingZeros},
    {"clzll", "ii", leadingZeros},
    {"ffs", "ii", firstSet},
    {"ffsll", "ii", firstSet},
    {"brev", "ii", reversed},
    {"brevll", "ii", reversed},
    {"hadd", "iii", average},
    {"rhadd", "iii", averageUp},
    {"uhadd", "iii", averageUnsigned},
};

const LibraryOp *interpLibraryOpNamed(const char *name, size_t length) {
  for (size_t k = 0; k < TILE_COUNTOF(ops); ++k)
    if (strlen(ops[k].name) == length && !memcmp(ops[k].name, name, length))
      return &ops[k];
  return NULL;
}

static bool fits(char letter, const Slot *slot) {
  return slot->kind == Slot_Number && (letter == 'f') == (tileElementTypeIsFloat(slot->type) != 0);
}

bool interpLibraryOpFits(const LibraryOp *op, const Instruction *i) {
  if ((int)strlen(op->signature) != 1 + i->numOperands || !fits(op->signature[0], i->results[0]))
    return false;
  for (int k = 0; k < i->numOperands; ++k)
    if (!fits(op->signature[1 + k], i->operands[k]))
      return false;
  return true;
}

bool interpRunLibraryOp(Machine *m, const Instruction *i) {
  const LibraryOp *op = i->data;
  Slot *result = i->results[0];
  unsigned bits = tileElementTypeBits(op->signature[1] == 'i' ? i->operands[0]->type : result->type);
  for (int64_t e = 0; e < result->count; ++e) {
    Scalar x[2];
    for (int k = 0; k < i->numOperands; ++k)
      if (op->signature[1 + k] == 'f')
        x[k].f = tileFloatLoad(i->operands[k]->type, i->operands[k]->data, e);
      else
        x[k].i = tileIntLoad(i->operands[k]->type, i->operands[k]->data, e);
    Scalar r = op->function(x, bits);
    if (op->signature[0] == 'f')
      tileFloatStore(result->type, result->data, e, r.f);
    else
      tileIntStore(result->type, result->data, e, r.i);
  }
  return true;
}
