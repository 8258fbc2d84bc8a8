/* Extern.c - tile.extern_elementwise of the functions of libdevice and OCML, by name; and the refusal of
 * assembly. */
#include "Decode.h"
#include "FloatOps.h"
#include "LibraryOps.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/LibraryName.h"

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
  bool known = baseName(tileLibraryName(op), &name), isF32;
  const FloatOp *function = known ? floatFunction(name, &isF32) : NULL;
  if (function) {
    i->data = function;
    return sameFloats(i, function->arity) ||
           interpRefuse(op, "'%.*s' got %d operands, expected %d of the result's float type",
                        (int)symbol.length, symbol.data, i->numOperands, function->arity);
  }
  const LibraryOp *other = known ? interpLibraryOpNamed(name.text, name.length) : NULL;
  if (!other)
    return interpRefuse(op, "the cpu device does not know the function '%.*s'", (int)symbol.length,
                        symbol.data);
  i->execute = interpRunLibraryOp;
  i->data = other;
  return interpLibraryOpFits(other, i) ||
         interpRefuse(op, "'%.*s' got operands or a result of other types than it has", (int)symbol.length,
                      symbol.data);
}

bool interpDecodeInlineAsm(Decoder *d, MlirOperation op) {
  return interpRefuse(op, "the cpu device cannot execute target assembly");
}
