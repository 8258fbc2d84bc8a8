/* Aggregates.c - vectors and structs taken apart and put together: lists of slots rearranged, no instruction,
 * except where an index is not constant. */
#include "MapOps.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/LLVM.h"

/// Copies a value's list with `n` slots from position `first` replaced.
static bool defineReplaced(SimDecoder *d, MlirOperation op, const SimValue *whole, uint32_t first,
                           const SimValue *part) {
  uint32_t *slots = tileArenaAlloc(d->arena, whole->type->count + 1, sizeof *slots);
  memcpy(slots, whole->slots, whole->type->count * sizeof *slots);
  memcpy(slots + first, part->slots, part->type->count * sizeof *slots);
  simDefine(d, mlirOperationGetResult(op, 0), whole->type, slots);
  return true;
}

static bool definePart(SimDecoder *d, MlirOperation op, const SimValue *whole, uint32_t first) {
  MlirValue result = mlirOperationGetResult(op, 0);
  const SimType *type = simTypeOf(d, op, mlirValueGetType(result));
  if (type)
    simDefine(d, result, type, whole->slots + first);
  return type != NULL;
}

static bool inRange(MlirOperation op, int64_t index, uint32_t count) {
  return (index >= 0 && index < count) || simRefuse(op, "has index %lld of %u", (long long)index, count);
}

/// `data` of a select by index.
typedef struct Choices {
  uint32_t count;
  const uint32_t *slots;
} Choices;

/// result[lane] = slots[a[lane]][lane]; indices beyond give the last.
static void chooseByIndex(const SimInsn *i, const char *regs, char *result) {
  const Choices *choices = i->data;
  for (uint32_t lane = 0; lane < i->count; ++lane) {
    uint64_t index = 0;
    memcpy(&index, regs + i->a + ((size_t)lane << i->param), (size_t)1 << i->param);
    const uint32_t slot = choices->slots[index < choices->count ? index : choices->count - 1];
    memcpy(result + ((size_t)lane << i->log2Bytes), regs + slot + ((size_t)lane << i->log2Bytes),
           (size_t)1 << i->log2Bytes);
  }
}

static bool extractDynamic(SimDecoder *d, MlirOperation op, const SimValue *vector, const SimValue *index) {
  const SimValue *result = simResult(d, op);
  if (!result)
    return false;
  Choices *choices = tileArenaAlloc(d->arena, 1, sizeof *choices);
  *choices = (Choices){vector->type->count, vector->slots};
  SimInsn *i =
      simEmitPure(d, chooseByIndex, result->slots[0], result->type->scalars[0].log2Bytes, d->program->lanes);
  i->a = index->slots[0];
  i->param = index->type->scalars[0].log2Bytes;
  i->data = choices;
  return true;
}

bool simDecodeExtractElement(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *vector = simOperand(d, op, 0), *index = simOperand(d, op, 1);
  int64_t k;
  if (!vector || !index)
    return false;
  if (!simConstantOperand(op, 1, &k))
    return extractDynamic(d, op, vector, index);
  return inRange(op, k, vector->type->count) && definePart(d, op, vector, (uint32_t)k);
}

/// result = b where the index a is not `param`, else the new number c.
static void insertByIndex(const SimInsn *i, const char *regs, char *result) {
  const unsigned indexBytes = 1u << (i->param & 7);
  for (uint32_t lane = 0; lane < i->count; ++lane) {
    uint64_t index = 0;
    memcpy(&index, regs + i->a + (size_t)lane * indexBytes, indexBytes);
    const uint32_t from = index == i->param >> 3 ? i->c : i->b;
    memcpy(result + ((size_t)lane << i->log2Bytes), regs + from + ((size_t)lane << i->log2Bytes),
           (size_t)1 << i->log2Bytes);
  }
}

bool simDecodeInsertElement(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *vector = simOperand(d, op, 0), *number = simOperand(d, op, 1),
                 *index = simOperand(d, op, 2);
  int64_t k;
  if (!vector || !number || !index)
    return false;
  if (simConstantOperand(op, 2, &k))
    return inRange(op, k, vector->type->count) && defineReplaced(d, op, vector, (uint32_t)k, number);
  const SimValue *result = simResult(d, op);
  for (uint32_t c = 0; result && c < result->type->count; ++c) {
    SimInsn *i = simEmitPure(d, insertByIndex, result->slots[c], result->type->scalars[c].log2Bytes,
                             d->program->lanes);
    i->a = index->slots[0];
    i->b = vector->slots[c];
    i->c = number->slots[0];
    i->param = (uint64_t)c << 3 | index->type->scalars[0].log2Bytes;
  }
  return result != NULL;
}

bool simDecodeShuffleVector(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  LLVMShuffleVectorOp shuffle = llvmShuffleVectorOpCast(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  const SimValue *one = simOperand(d, op, 0), *two = simOperand(d, op, 1);
  const SimType *type = one && two ? simTypeOf(d, op, mlirValueGetType(result)) : NULL;
  if (!type)
    return false;
  uint32_t *slots = tileArenaAlloc(d->arena, type->count + 1, sizeof *slots);
  for (uint32_t k = 0; k < type->count; ++k) {
    const int64_t from = llvmShuffleVectorOpGetMask(shuffle, k);
    const uint32_t n = one->type->count;
    if (from >= 0 && !inRange(op, from, n + two->type->count))
      return false;
    slots[k] = from < 0   ? simConstantSlot(d, type->scalars[k].log2Bytes, 0, 0)
               : from < n ? one->slots[from]
                          : two->slots[from - n];
  }
  simDefine(d, result, type, slots);
  return true;
}

/// First number of the field at an op's position, through nested structs and arrays.
static bool fieldStart(SimDecoder *d, MlirOperation op, MlirType type, intptr_t depth,
                       int64_t (*position)(MlirOperation, intptr_t), uint32_t *out_first) {
  *out_first = 0;
  for (intptr_t k = 0; k < depth; ++k) {
    const SimType *t = simTypeOf(d, op, type);
    const int64_t at = position(op, k);
    if (!t)
      return false;
    if (t->numFields) {
      if (!inRange(op, at, t->numFields))
        return false;
      *out_first += t->fieldStart[at];
      type = mlirLLVMStructTypeGetElementType(type, at);
      continue;
    }
    type = mlirLLVMArrayTypeGetElementType(type);
    const SimType *element = simTypeOf(d, op, type);
    if (!element || !inRange(op, at, t->count / (element->count ? element->count : 1)))
      return false;
    *out_first += (uint32_t)at * element->count;
  }
  return true;
}

static int64_t extractPosition(MlirOperation op, intptr_t k) {
  return llvmExtractValueOpGetPosition(llvmExtractValueOpCast(op), k);
}
static int64_t insertPosition(MlirOperation op, intptr_t k) {
  return llvmInsertValueOpGetPosition(llvmInsertValueOpCast(op), k);
}

bool simDecodeExtractValue(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *whole = simOperand(d, op, 0);
  const intptr_t depth = llvmExtractValueOpGetNumPosition(llvmExtractValueOpCast(op));
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  uint32_t first;
  return whole && fieldStart(d, op, type, depth, extractPosition, &first) && definePart(d, op, whole, first);
}

bool simDecodeInsertValue(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *whole = simOperand(d, op, 0), *part = simOperand(d, op, 1);
  const intptr_t depth = llvmInsertValueOpGetNumPosition(llvmInsertValueOpCast(op));
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  uint32_t first;
  return whole && part && fieldStart(d, op, type, depth, insertPosition, &first) &&
         defineReplaced(d, op, whole, first, part);
}

// ---- Numbers of other widths with the same bits ----

typedef struct Repack {
  uint32_t numFrom, numTo;
  const uint32_t *from, *to;
  uint16_t fromBits, toBits;
  uint8_t fromLog2, toLog2;
} Repack;

static bool bitAt(const char *number, unsigned bit) { return (uint8_t)number[bit / 8] >> (bit % 8) & 1; }

/// Bytes of one lane go over as a string; odd widths bit by bit.
static SimStatus repack(SimWarp *w, const SimInsn *i) {
  const Repack *r = i->data;
  SIM_FOR_LANES(lane, w->active) {
    char bytes[1024] = {0};
    unsigned at = 0;
    for (uint32_t k = 0; k < r->numFrom; ++k) {
      const char *number = w->regs + r->from[k] + (lane << r->fromLog2);
      if (r->fromBits % 8 == 0)
        memcpy(bytes + at / 8, number, r->fromBits / 8u);
      else
        for (unsigned bit = 0; bit < r->fromBits; ++bit)
          bytes[(at + bit) / 8] |= (char)(bitAt(number, bit) << (at + bit) % 8);
      at += r->fromBits;
    }
    at = 0;
    for (uint32_t k = 0; k < r->numTo; ++k, at += r->toBits) {
      char *number = w->regs + r->to[k] + (lane << r->toLog2);
      memset(number, 0, (size_t)1 << r->toLog2);
      if (r->toBits % 8 == 0)
        memcpy(number, bytes + at / 8, r->toBits / 8u);
      else
        for (unsigned bit = 0; bit < r->toBits; ++bit)
          number[bit / 8] |= (char)(bitAt(bytes, at + bit) << bit % 8);
    }
  }
  return SimStatus_Next;
}

bool simEmitRepack(SimDecoder *d, MlirOperation op, const SimValue *from, const SimValue *to) {
  const SimScalar *f = &from->type->scalars[0], *t = &to->type->scalars[0];
  if (f->bits * from->type->count != t->bits * to->type->count || f->bits * from->type->count > 8192)
    return simRefuse(op, "is between %u and %u bits", f->bits * from->type->count, t->bits * to->type->count);
  Repack *r = tileArenaAlloc(d->arena, 1, sizeof *r);
  *r = (Repack){from->type->count, to->type->count, from->slots,  to->slots,
                f->bits,           t->bits,         f->log2Bytes, t->log2Bytes};
  simEmitEffect(d, repack)->data = r;
  return true;
}

/// llvm.vector.reduce.*: from the first number to the last; `kernels` combines two.
bool simDecodeVectorReduce(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const bool hasStart = mlirOperationGetNumOperands(op) == 2;
  const SimValue *vector = simOperand(d, op, hasStart ? 1 : 0),
                 *start = hasStart ? simOperand(d, op, 0) : NULL;
  const SimValue *result = vector && (start || !hasStart) ? simResult(d, op) : NULL;
  if (!result)
    return false;
  const SimScalar *s = &vector->type->scalars[0];
  SimPure pure = simKernelFor(row->kernels, s);
  if (!pure)
    return simRefuse(op, "with this type is not known to the simulator");
  uint32_t sum = hasStart ? start->slots[0] : vector->slots[0];
  for (uint32_t k = hasStart ? 0 : 1; k < vector->type->count; ++k) {
    const uint32_t next = k + 1 == vector->type->count ? result->slots[0] : simNewSlot(d, s->log2Bytes);
    SimInsn *i = simEmitPure(d, pure, next, s->log2Bytes, d->program->lanes);
    i->a = sum;
    i->b = vector->slots[k];
    i->bits = s->bits;
    sum = next;
  }
  if (sum != result->slots[0]) // one number only
    simDefine(d, mlirOperationGetResult(op, 0), result->type, vector->slots);
  return true;
}
