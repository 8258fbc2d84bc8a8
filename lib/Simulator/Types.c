/* Types.c - LLVM-dialect types as lists of numbers, with their places in memory. */
#include "Decode.h"
#include "mlir-c/Dialect/LLVM.h"
#include <stdlib.h>

enum { MAX_NUMBERS = 4096 };

typedef struct Builder {
  SimDecoder *d;
  MlirOperation op;
  SimScalar *scalars;
  uint32_t *offsets;
  uint32_t count;
} Builder;

static uint8_t containerOf(unsigned bits) {
  return bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : bits <= 64 ? 3 : 4;
}

static bool scalarOf(MlirType type, SimScalar *out) {
  *out = (SimScalar){.format = SimFloat_None};
  if (mlirTypeIsAInteger(type)) {
    out->bits = (uint16_t)mlirIntegerTypeGetWidth(type);
    if (out->bits > 128 || out->bits == 0)
      return false;
  } else if (mlirTypeIsALLVMPointerType(type)) {
    enum { BufferResource = 8 }; // address space of AMD's 128-bit resources
    out->bits = mlirLLVMPointerTypeGetAddressSpace(type) == BufferResource ? 128 : 64;
    out->isPointer = true;
  } else if (mlirTypeIsAF16(type) || mlirTypeIsABF16(type)) {
    out->bits = 16;
    out->format = mlirTypeIsAF16(type) ? SimFloat_F16 : SimFloat_BF16;
  } else if (mlirTypeIsAF32(type)) {
    out->bits = 32;
    out->format = SimFloat_F32;
  } else if (mlirTypeIsAF64(type)) {
    out->bits = 64;
    out->format = SimFloat_F64;
  } else {
    return false;
  }
  out->log2Bytes = containerOf(out->bits);
  return true;
}

typedef struct Text {
  char data[32];
  size_t length;
} Text;

static void appendText(MlirStringRef s, void *user) {
  Text *text = user;
  for (size_t k = 0; k < s.length && text->length + 1 < sizeof text->data; ++k)
    text->data[text->length++] = s.data[k];
}

static bool isArray(MlirType type) {
  MlirType sample = mlirLLVMArrayTypeGet(mlirIntegerTypeGet(mlirTypeGetContext(type), 8), 1);
  return mlirTypeIDEqual(mlirTypeGetTypeID(type), mlirTypeGetTypeID(sample));
}

int64_t simArrayLength(MlirType type) { // mlir-c has no getter: "!llvm.array<16 x i8>"
  static const char prefix[] = "!llvm.array<";
  Text text = {{0}, 0};
  if (!isArray(type))
    return -1;
  mlirTypePrint(type, appendText, &text);
  return strncmp(text.data, prefix, sizeof prefix - 1) ? -1
                                                       : strtoll(text.data + sizeof prefix - 1, NULL, 10);
}

static uint32_t roundUp(uint32_t n, uint32_t to) { return (n + to - 1) / to * to; }

static uint32_t powerOfTwo(uint32_t n) {
  uint32_t p = 1;
  while (p < n)
    p *= 2;
  return p;
}

static bool append(Builder *b, MlirType type, uint32_t at, uint32_t *out_size, uint32_t *out_alignment);

static bool appendScalar(Builder *b, SimScalar scalar, uint32_t at, uint32_t *size, uint32_t *alignment) {
  if (b->count == MAX_NUMBERS)
    return simRefuse(b->op, "has a value of more than %d numbers", MAX_NUMBERS);
  b->scalars[b->count] = scalar;
  b->offsets[b->count++] = at;
  *size = *alignment = 1u << scalar.log2Bytes;
  return true;
}

static bool appendRepeated(Builder *b, MlirType element, int64_t n, uint32_t at, uint32_t *size,
                           uint32_t *alignment) {
  uint32_t each = 0, position = at;
  *alignment = 1;
  for (int64_t k = 0; k < n; ++k) {
    if (!append(b, element, position, &each, alignment))
      return false;
    position += roundUp(each, *alignment);
  }
  *size = position - at;
  return true;
}

static bool appendStruct(Builder *b, MlirType type, uint32_t at, uint32_t *size, uint32_t *alignment) {
  uint32_t position = at, each, aligned;
  const bool packed = mlirLLVMStructTypeIsPacked(type);
  *alignment = 1;
  for (intptr_t k = 0; k < mlirLLVMStructTypeGetNumElementTypes(type); ++k) {
    MlirType field = mlirLLVMStructTypeGetElementType(type, k);
    const uint32_t mark = b->count;
    if (!append(b, field, 0, &each, &aligned))
      return false;
    aligned = packed ? 1 : aligned;
    position = roundUp(position, aligned);
    for (uint32_t n = mark; n < b->count; ++n)
      b->offsets[n] += position;
    position += each;
    *alignment = aligned > *alignment ? aligned : *alignment;
  }
  *size = roundUp(position - at, *alignment);
  return true;
}

static bool append(Builder *b, MlirType type, uint32_t at, uint32_t *size, uint32_t *alignment) {
  SimScalar scalar;
  if (scalarOf(type, &scalar))
    return appendScalar(b, scalar, at, size, alignment);
  if (mlirTypeIsAVector(type) && mlirShapedTypeGetRank(type) == 1) {
    const int64_t n = mlirShapedTypeGetDimSize(type, 0);
    if (!appendRepeated(b, mlirShapedTypeGetElementType(type), n, at, size, alignment))
      return false;
    *alignment = powerOfTwo(*size); // a vector is aligned as a whole
    return true;
  }
  if (mlirTypeIsALLVMStructType(type) && !mlirLLVMStructTypeIsOpaque(type))
    return appendStruct(b, type, at, size, alignment);
  const int64_t length = simArrayLength(type);
  if (length >= 0)
    return appendRepeated(b, mlirLLVMArrayTypeGetElementType(type), length, at, size, alignment);
  return simRefuse(b->op, "has a value of a type that the simulator does not know");
}

/// First numbers of a struct's fields.
static const uint32_t *fieldStarts(SimDecoder *d, MlirOperation op, MlirType type, uint32_t numFields) {
  uint32_t *starts = tileArenaAlloc(d->arena, numFields + 1, sizeof *starts), at = 0;
  for (uint32_t k = 0; k < numFields; ++k) {
    starts[k] = at;
    at += simTypeOf(d, op, mlirLLVMStructTypeGetElementType(type, (intptr_t)k))->count;
  }
  starts[numFields] = at;
  return starts;
}

const SimType *simTypeOf(SimDecoder *d, MlirOperation op, MlirType type) {
  SimType *known = tilePointerMapFind(&d->types, type.ptr);
  if (known)
    return known;
  SimScalar scalars[MAX_NUMBERS];
  uint32_t offsets[MAX_NUMBERS];
  Builder b = {d, op, scalars, offsets, 0};
  SimType *made = tileArenaAlloc(d->arena, 1, sizeof *made);
  if (!append(&b, type, 0, &made->size, &made->alignment))
    return NULL;
  SimScalar *copy = tileArenaAlloc(d->arena, b.count + 1, sizeof *copy);
  uint32_t *places = tileArenaAlloc(d->arena, b.count + 1, sizeof *places);
  memcpy(copy, scalars, b.count * sizeof *copy);
  memcpy(places, offsets, b.count * sizeof *places);
  made->count = b.count;
  made->scalars = copy;
  made->offsets = places;
  if (mlirTypeIsALLVMStructType(type)) {
    made->numFields = (uint32_t)mlirLLVMStructTypeGetNumElementTypes(type);
    made->fieldStart = fieldStarts(d, op, type, made->numFields);
  }
  tilePointerMapSet(&d->types, type.ptr, made);
  return made;
}

int64_t simAllocSize(SimDecoder *d, MlirOperation op, MlirType type) {
  const int64_t length = simArrayLength(type);
  if (length >= 0) { // may be far longer than a value
    const int64_t each = simAllocSize(d, op, mlirLLVMArrayTypeGetElementType(type));
    return each < 0 ? -1 : each * length;
  }
  const SimType *t = simTypeOf(d, op, type);
  return t ? (int64_t)roundUp(t->size, t->alignment) : -1;
}
