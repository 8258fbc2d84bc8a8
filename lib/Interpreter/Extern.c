/* Extern.c - tile.extern_elementwise of the functions of libdevice and OCML, by name; and the refusal of
 * assembly. */
#include "Decode.h"
#include "FloatOps.h"
#include "tile-c/Dialect/Tile.h"
#include <math.h>

/// Part of a name between its vendor's prefix and its type's suffix.
typedef struct Name {
  const char *text;
  size_t length;
} Name;

static bool stripPrefix(Name *n, const char *prefix) {
  size_t length = strlen(prefix);
  if (n->length <= length || memcmp(n->text, prefix, length))
    return false;
  n->text += length, n->length -= length;
  return true;
}
static bool stripSuffix(Name *n, const char *suffix) {
  size_t length = strlen(suffix);
  if (n->length <= length || memcmp(n->text + n->length - length, suffix, length))
    return false;
  n->length -= length;
  return true;
}

// ---- Predicates and rounding to integers ----

static int64_t testNaN(double x) { return isnan(x) != 0; }
static int64_t testInf(double x) { return isinf(x) != 0; }
static int64_t testFinite(double x) { return isfinite(x) != 0; }
static int64_t testSign(double x) { return signbit(x) != 0; }
static int64_t roundToInt(double x) { return tileFloatToInt(rint(x), 64, true); }
static int64_t roundAwayToInt(double x) { return tileFloatToInt(round(x), 64, true); }

/// Functions from a float to an integer.
static const struct {
  const char *name;
  int64_t (*function)(double);
} toInteger[] = {{"isnan", testNaN},         {"isinf", testInf},    {"isfinite", testFinite},
                 {"finite", testFinite},     {"signbit", testSign}, {"llrint", roundToInt},
                 {"llround", roundAwayToInt}};

static bool runToInteger(Machine *m, const Instruction *i) {
  const Slot *x = i->operands[0];
  Slot *result = i->results[0];
  for (int64_t e = 0; e < result->count; ++e)
    tileIntStore(result->type, result->data, e,
                 toInteger[i->parameter].function(tileFloatLoad(x->type, x->data, e)));
  return true;
}

static int toIntegerNamed(Name n) {
  stripSuffix(&n, "d"); // __nv_isnand, __nv_isfinited
  for (int k = 0; k < (int)TILE_COUNTOF(toInteger); ++k)
    if (strlen(toInteger[k].name) == n.length && !memcmp(toInteger[k].name, n.text, n.length))
      return k;
  return -1;
}

// ---- Decoding ----

/// The base name and, through `out_type`, the float type that a suffix stands for (None: no suffix).
static bool baseName(MlirStringRef symbol, Name *n) {
  *n = (Name){symbol.data, symbol.length};
  if (stripPrefix(n, "__ocml_")) {
    stripPrefix(n, "native_");
    return stripSuffix(n, "_f32") || stripSuffix(n, "_f64") || stripSuffix(n, "_f16");
  }
  if (!stripPrefix(n, "__nv_"))
    return false;
  stripPrefix(n, "fast_");
  return true;
}

static const FloatOp *floatFunction(Name n, bool *out_f32) {
  const FloatOp *op = interpFloatOpNamed(n.text, n.length);
  *out_f32 = !op && stripSuffix(&n, "f");
  return op ? op : interpFloatOpNamed(n.text, n.length);
}

static bool sameFloats(const Instruction *i, int arity) {
  bool ok = i->numOperands == arity && tileElementTypeIsFloat(i->results[0]->type);
  for (int k = 0; k < i->numOperands; ++k)
    ok = ok && i->operands[k]->type == i->results[0]->type;
  return ok;
}

bool interpDecodeExtern(Decoder *d, MlirOperation op) {
  MlirStringRef symbol = tileExternElementwiseOpGetSymbol(tileExternElementwiseOpCast(op));
  Instruction *i = interpEmitOp(d, op, interpRunFloat);
  if (!i)
    return false;
  Name name;
  bool known = baseName(symbol, &name), isF32;
  const FloatOp *function = known ? floatFunction(name, &isF32) : NULL;
  if (function) {
    i->data = function;
    return sameFloats(i, function->arity) ||
           interpRefuse(op, "'%.*s' got %d operands, expected %d of the result's float type",
                        (int)symbol.length, symbol.data, i->numOperands, function->arity);
  }
  Name shorter = name;
  int index = !known ? -1 : toIntegerNamed(name);
  if (known && index < 0 && stripSuffix(&shorter, "f"))
    index = toIntegerNamed(shorter);
  if (index < 0)
    return interpRefuse(op, "the cpu device does not know the function '%.*s'", (int)symbol.length,
                        symbol.data);
  i->execute = runToInteger;
  i->parameter = index;
  return (i->numOperands == 1 && tileElementTypeIsFloat(i->operands[0]->type) &&
          !tileElementTypeIsFloat(i->results[0]->type)) ||
         interpRefuse(op, "'%.*s' expected one float operand and an integer result", (int)symbol.length,
                      symbol.data);
}

bool interpDecodeInlineAsm(Decoder *d, MlirOperation op) {
  return interpRefuse(op, "the cpu device cannot execute target assembly");
}
