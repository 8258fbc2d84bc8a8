/* IR.c - the part of tile-c/IR.h that mlir-c suffices for. */
#include "tile-c/IR.h"
#include "mlir-c/Diagnostics.h"
#include "tile-c/Dialect/Arith.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MESSAGE_SIZE = 2048 };

MlirLogicalResult tileEmitError(MlirLocation loc, const char *format, ...) {
  char text[MESSAGE_SIZE];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  mlirEmitError(loc, text);
  return tileFailure();
}

/* "'tile.load' op " into text; the number of characters. */
static size_t opPrefix(MlirOperation op, char *text, size_t size) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  int n = snprintf(text, size, "'%.*s' op ", (int)name.length, name.data);
  return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

MlirLogicalResult tileEmitOpError(MlirOperation op, const char *format, ...) {
  char text[MESSAGE_SIZE];
  size_t n = opPrefix(op, text, sizeof text);
  va_list ap;
  va_start(ap, format);
  vsnprintf(text + n, sizeof text - n, format, ap);
  va_end(ap);
  mlirEmitError(mlirOperationGetLocation(op), text);
  return tileFailure();
}

MlirLogicalResult tileEmitBug(MlirOperation op, const char *file, int line, const char *text) {
  const char *slash = strrchr(file, '/');
  return tileEmitOpError(op, "internal error at %s:%d: %s", slash ? slash + 1 : file, line, text);
}

/* Its first part; unknown if there is none. */
static MlirLocation firstOfFused(MlirLocation loc) {
  unsigned n = mlirLocationFusedGetNumLocations(loc);
  MlirLocation *parts = n ? malloc(n * sizeof *parts) : NULL, first;
  if (!parts)
    return mlirLocationUnknownGet(mlirLocationGetContext(loc));
  mlirLocationFusedGetLocations(loc, parts);
  first = parts[0];
  free(parts);
  return first;
}

MlirLocation tileLocationPosition(MlirLocation loc) {
  while (!mlirLocationIsAFileLineColRange(loc)) {
    if (mlirLocationIsAName(loc))
      loc = mlirLocationNameGetChildLoc(loc);
    else if (mlirLocationIsACallSite(loc))
      loc = mlirLocationCallSiteGetCallee(loc);
    else if (mlirLocationIsAFused(loc))
      loc = firstOfFused(loc);
    else
      break;
  }
  return loc;
}

MlirOperation tileBuilderInsert(TileBuilder b, MlirOperationState *state) {
  MlirOperation op = mlirOperationCreate(state);
  return op.ptr ? mlirRewriterBaseInsert(b, op) : op;
}

void tileStateAddAttr(MlirOperationState *state, const char *name, MlirAttribute attribute) {
  MlirIdentifier id = mlirIdentifierGet(mlirAttributeGetContext(attribute), tileStr(name));
  MlirNamedAttribute named = mlirNamedAttributeGet(id, attribute);
  mlirOperationStateAddAttributes(state, 1, &named);
}

void tileStateAddRegions(MlirOperationState *state, intptr_t n) {
  for (intptr_t i = 0; i < n; ++i) {
    MlirRegion region = mlirRegionCreate();
    mlirOperationStateAddOwnedRegions(state, 1, &region);
  }
}

static void segment(MlirOperation op, const char *property, intptr_t group, intptr_t *out_start,
                    intptr_t *out_count) {
  MlirAttribute sizes = mlirOperationGetInherentAttributeByName(op, tileStr(property));
  intptr_t start = 0;
  for (intptr_t i = 0; i < group; ++i)
    start += mlirDenseI32ArrayGetElement(sizes, i);
  *out_start = start;
  *out_count = mlirDenseI32ArrayGetElement(sizes, group);
}

void tileOperandSegment(MlirOperation op, intptr_t group, intptr_t *out_start, intptr_t *out_count) {
  segment(op, "operandSegmentSizes", group, out_start, out_count);
}
void tileResultSegment(MlirOperation op, intptr_t group, intptr_t *out_start, intptr_t *out_count) {
  segment(op, "resultSegmentSizes", group, out_start, out_count);
}

MlirAttribute tileEnumAttrGet(MlirContext context, const char *dialect, const char *mnemonic,
                              const char *bracket, const char *keyword) {
  char text[256];
  snprintf(text, sizeof text, "#%s<%s %s%s%s>", dialect, mnemonic, bracket, keyword, *bracket ? ">" : "");
  return mlirAttributeParseGet(context, tileStr(text));
}

typedef struct TextSink {
  char *out;
  size_t size, length;
  bool overflow;
} TextSink;

static void appendText(MlirStringRef s, void *user) {
  TextSink *sink = user;
  if (sink->length + s.length + 1 > sink->size) {
    sink->overflow = true;
    return;
  }
  memcpy(sink->out + sink->length, s.data, s.length);
  sink->out[sink->length += s.length] = 0;
}

bool tileEnumAttrKeyword(MlirAttribute attribute, char *out, size_t size) {
  char text[256] = "";
  TextSink sink = {text, sizeof text, 0, false};
  if (!attribute.ptr)
    return false;
  mlirAttributePrint(attribute, appendText, &sink);
  size_t end = sink.length;
  while (end && !isalnum((unsigned char)text[end - 1]) && text[end - 1] != '_')
    --end;
  size_t start = end;
  while (start && (isalnum((unsigned char)text[start - 1]) || text[start - 1] == '_'))
    --start;
  if (sink.overflow || end - start + 1 > size)
    return false;
  memcpy(out, text + start, end - start);
  out[end - start] = 0;
  return true;
}

int64_t tileIntegerAttrValue(MlirAttribute attribute) {
  if (mlirAttributeIsABool(attribute) && mlirIntegerTypeGetWidth(mlirAttributeGetType(attribute)) == 1)
    return mlirBoolAttrGetValue(attribute);
  MlirType type = mlirAttributeGetType(attribute);
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeIsSigned(type))
    return mlirIntegerAttrGetValueSInt(attribute);
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeIsUnsigned(type))
    return (int64_t)mlirIntegerAttrGetValueUInt(attribute);
  return mlirIntegerAttrGetValueInt(attribute);
}

/* The number itself, or what all elements are; null if they differ. */
static MlirAttribute numberOf(MlirAttribute attribute) {
  if (!attribute.ptr || !mlirAttributeIsADenseElements(attribute))
    return attribute;
  return mlirDenseElementsAttrIsSplat(attribute) ? mlirDenseElementsAttrGetSplatValue(attribute)
                                                 : (MlirAttribute){NULL};
}

bool tileAttrIsSplatInt(MlirAttribute attribute, int64_t *out_value) {
  attribute = numberOf(attribute);
  if (!attribute.ptr || !mlirAttributeIsAInteger(attribute))
    return false;
  *out_value = tileIntegerAttrValue(attribute);
  return true;
}

MlirAttribute tileValueConstantNumber(MlirValue v) {
  ArithConstantOp constant = arithConstantOpCast(tileValueGetDefiningOp(v));
  return arithConstantOpIsNull(constant) ? (MlirAttribute){NULL}
                                         : numberOf(arithConstantOpGetValueAttr(constant));
}

bool tileValueConstantInt(MlirValue v, int64_t *out_value) {
  return tileAttrIsSplatInt(tileValueConstantNumber(v), out_value);
}

bool tileValueIsZero(MlirValue v) {
  MlirAttribute number = tileValueConstantNumber(v);
  int64_t n;
  if (number.ptr && mlirAttributeIsAFloat(number))
    return mlirFloatAttrGetValueDouble(number) == 0;
  return tileAttrIsSplatInt(number, &n) && !n;
}

bool tileValueIsPositiveZero(MlirValue v) {
  MlirAttribute number = tileValueConstantNumber(v);
  if (number.ptr && mlirAttributeIsAFloat(number) && signbit(mlirFloatAttrGetValueDouble(number)))
    return false;
  return tileValueIsZero(v);
}

// ---- Types ----

bool tileTypeIsTensor(MlirType type) { return mlirTypeIsARankedTensor(type); }

MlirType tileTypeGetElement(MlirType type) {
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

static TileElementType integerElement(MlirType type) {
  switch (mlirIntegerTypeGetWidth(type)) {
  case 1:
    return TileElementType_I1;
  case 8:
    return TileElementType_I8;
  case 16:
    return TileElementType_I16;
  case 32:
    return TileElementType_I32;
  case 64:
    return TileElementType_I64;
  default:
    return TileElementType_None;
  }
}

TileElementType tileElementTypeOf(MlirType type) {
  type = tileTypeGetElement(type);
  if (mlirTypeIsAInteger(type))
    return integerElement(type);
  if (mlirTypeIsAF32(type))
    return TileElementType_F32;
  if (mlirTypeIsAF16(type))
    return TileElementType_F16;
  if (mlirTypeIsABF16(type))
    return TileElementType_BF16;
  if (mlirTypeIsAF64(type))
    return TileElementType_F64;
  if (mlirTypeIsAFloat8E4M3FN(type))
    return TileElementType_F8E4M3FN;
  if (mlirTypeIsAFloat8E5M2(type))
    return TileElementType_F8E5M2;
  if (mlirTypeIsAFloat8E4M3FNUZ(type))
    return TileElementType_F8E4M3FNUZ;
  if (mlirTypeIsAFloat8E5M2FNUZ(type))
    return TileElementType_F8E5M2FNUZ;
  return TileElementType_None;
}

bool tileTypeIsNumber(MlirType type) {
  if (mlirTypeIsAShaped(type) || (mlirTypeIsAInteger(type) && !mlirIntegerTypeIsSignless(type)))
    return false;
  return tileElementTypeOf(type) != TileElementType_None;
}

MlirType tileElementTypeToMlir(MlirContext context, TileElementType element) {
  switch (element) {
  case TileElementType_F16:
    return mlirF16TypeGet(context);
  case TileElementType_BF16:
    return mlirBF16TypeGet(context);
  case TileElementType_F32:
    return mlirF32TypeGet(context);
  case TileElementType_F64:
    return mlirF64TypeGet(context);
  case TileElementType_F8E4M3FN:
    return mlirFloat8E4M3FNTypeGet(context);
  case TileElementType_F8E5M2:
    return mlirFloat8E5M2TypeGet(context);
  case TileElementType_F8E4M3FNUZ:
    return mlirFloat8E4M3FNUZTypeGet(context);
  case TileElementType_F8E5M2FNUZ:
    return mlirFloat8E5M2FNUZTypeGet(context);
  case TileElementType_None:
  case TileElementType_Count:
    return (MlirType){NULL};
  default:
    return mlirIntegerTypeGet(context, tileElementTypeBits(element));
  }
}

int tileTypeGetShape(MlirType type, int64_t *out_shape, int max) {
  if (!tileTypeIsTensor(type))
    return 0;
  int rank = (int)mlirShapedTypeGetRank(type);
  for (int i = 0; i < rank && i < max; ++i)
    out_shape[i] = mlirShapedTypeGetDimSize(type, i);
  return rank;
}

int64_t tileTypeNumElements(MlirType type) {
  int64_t n = 1;
  if (tileTypeIsTensor(type))
    for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
      n *= mlirShapedTypeGetDimSize(type, i);
  return n;
}

static MlirType rebuildTensor(MlirType type, MlirType element, MlirAttribute encoding) {
  int64_t shape[16];
  int rank = tileTypeGetShape(type, shape, 16);
  if (rank > 16)
    return type;
  return mlirRankedTensorTypeGetChecked(mlirLocationUnknownGet(mlirTypeGetContext(type)), rank, shape,
                                        element, encoding);
}

MlirType tileTypeWithElement(MlirType type, MlirType element) {
  return tileTypeIsTensor(type) ? rebuildTensor(type, element, tileTypeGetEncoding(type)) : element;
}

MlirType tileTypeWithEncoding(MlirType type, MlirAttribute encoding) {
  return tileTypeIsTensor(type) ? rebuildTensor(type, tileTypeGetElement(type), encoding) : type;
}

MlirAttribute tileTypeGetEncoding(MlirType type) {
  return tileTypeIsTensor(type) ? mlirRankedTensorTypeGetEncoding(type) : (MlirAttribute){NULL};
}

// ---- Attributes ----

MlirAttribute tileI32Attr(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), value);
}
MlirAttribute tileI64Attr(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}

int64_t tileGetIntAttr(MlirOperation op, const char *name, int64_t missing) {
  MlirAttribute a = mlirOperationGetDiscardableAttributeByName(op, tileStr(name));
  return a.ptr && mlirAttributeIsAInteger(a) ? tileIntegerAttrValue(a) : missing;
}
