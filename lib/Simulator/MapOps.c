/* MapOps.c - decodes operations that act on each number alone: arithmetic, comparisons, casts, selections. */
#include "MapOps.h"
#include "Effects.h"
#include "tile-c/Dialect/LLVM.h"

enum { MAX_OPERANDS = 3 };

/// True if a value's slots follow each other like those of a new value.
static bool isDense(const SimDecoder *d, const SimValue *v) {
  for (uint32_t k = 1; k < v->type->count; ++k)
    if (v->slots[k] != v->slots[k - 1] + (d->program->lanes << v->type->scalars[k - 1].log2Bytes))
      return false;
  return true;
}

static void setOperands(SimInsn *i, unsigned n, const SimValue *const *operands, uint32_t k) {
  i->a = operands[0]->slots[k];
  i->b = n > 1 ? operands[1]->slots[k] : i->a;
  i->c = n > 2 ? operands[2]->slots[k] : i->a;
}

void simEmitMap(SimDecoder *d, SimPure pure, unsigned n, const SimValue *const *operands,
                const SimValue *result, unsigned bits, uint64_t param) {
  const uint32_t lanes = d->program->lanes, count = result->type->count;
  bool dense = isDense(d, result);
  for (unsigned k = 0; k < n; ++k)
    dense &= isDense(d, operands[k]);
  for (uint32_t k = 0; k < count; k += dense ? count : 1) {
    SimInsn *i = simEmitPure(d, pure, result->slots[k], result->type->scalars[k].log2Bytes,
                             dense ? count * lanes : lanes);
    setOperands(i, n, operands, k);
    i->bits = (uint16_t)bits;
    i->param = param;
  }
}

/// The first n operands; all have as many numbers as the first.
static bool operandsOf(SimDecoder *d, MlirOperation op, unsigned n, const SimValue **out) {
  for (unsigned k = 0; k < n; ++k) {
    out[k] = simOperand(d, op, (intptr_t)k);
    if (!out[k])
      return false;
    if (out[k]->type->count != out[0]->type->count || !out[k]->type->count)
      return simRefuse(op, "has operands of %u and %u numbers", out[0]->type->count, out[k]->type->count);
  }
  return true;
}

SimPure simKernelFor(const SimKernels *kernels, const SimScalar *s) {
  return kernels->of[s->format != SimFloat_None ? (unsigned)s->format : s->log2Bytes];
}

static bool noKernel(MlirOperation op) {
  return simRefuse(op, "with this type is not known to the simulator");
}

static bool decodeMap(SimDecoder *d, MlirOperation op, const SimKernels *kernels, unsigned n) {
  const SimValue *operands[MAX_OPERANDS];
  const intptr_t given = mlirOperationGetNumOperands(op);
  n = n ? n : (unsigned)given;
  if (n > MAX_OPERANDS || (intptr_t)n > given)
    return simRefuse(op, "has %ld operands, expected %u", (long)given, n);
  if (!operandsOf(d, op, n, operands))
    return false;
  const SimScalar *s = &operands[0]->type->scalars[0];
  SimPure pure = simKernelFor(kernels, s);
  const SimValue *result = pure ? simResult(d, op) : NULL;
  if (!pure)
    return noKernel(op);
  if (!result)
    return false;
  simEmitMap(d, pure, n, operands, result, s->bits, 0);
  return true;
}

/// `param`: number of operands; 0: as many as the op has.
bool simDecodeMap(SimDecoder *d, MlirOperation op, const SimRow *row) {
  return decodeMap(d, op, row->kernels, (unsigned)row->param);
}

bool simDecodeFma(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const bool isBF16 = mlirTypeIsABF16(tileTypeGetElement(mlirValueGetType(mlirOperationGetOperand(op, 0))));
  return decodeMap(d, op, d->program->isAmd && isBF16 ? &simFmaBF16AsF32 : &simFma, 3);
}

/// Division: lanes that divide by zero are reported before.
bool simDecodeDivide(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimValue *divisor = simOperand(d, op, 1);
  if (!divisor)
    return false;
  for (uint32_t k = 0; k < divisor->type->count; ++k) {
    SimInsn *i = simEmitEffect(d, simCheckDivisor);
    i->a = divisor->slots[k];
    i->log2Bytes = divisor->type->scalars[k].log2Bytes;
  }
  return simDecodeMap(d, op, row);
}

bool simDecodeICmp(SimDecoder *d, MlirOperation op, const SimRow *row) {
  enum { Equal = 1, Greater = 2, Less = 4 };
  static const uint8_t accepted[] = {
      [LLVMICmpPredicate_eq] = Equal,    [LLVMICmpPredicate_ne] = Less | Greater,
      [LLVMICmpPredicate_slt] = Less,    [LLVMICmpPredicate_sle] = Less | Equal,
      [LLVMICmpPredicate_sgt] = Greater, [LLVMICmpPredicate_sge] = Greater | Equal,
      [LLVMICmpPredicate_ult] = Less,    [LLVMICmpPredicate_ule] = Less | Equal,
      [LLVMICmpPredicate_ugt] = Greater, [LLVMICmpPredicate_uge] = Greater | Equal,
  };
  (void)row;
  const LLVMICmpPredicate p = llvmICmpOpGetPredicate(llvmICmpOpCast(op));
  const bool isSigned = p >= LLVMICmpPredicate_slt && p <= LLVMICmpPredicate_sge;
  const SimValue *operands[MAX_OPERANDS], *result;
  if (!operandsOf(d, op, 2, operands) || !(result = simResult(d, op)))
    return false;
  const SimScalar *s = &operands[0]->type->scalars[0];
  simEmitMap(d, (isSigned ? &simCompareS : &simCompareU)->of[s->log2Bytes], 2, operands, result, s->bits,
             accepted[p]);
  return true;
}

bool simDecodeFCmp(SimDecoder *d, MlirOperation op, const SimRow *row) {
  enum { Equal = 1, Greater = 2, Less = 4, Unordered = 8 };
  static const uint8_t accepted[] = {
      [LLVMFCmpPredicate__false] = 0,
      [LLVMFCmpPredicate_oeq] = Equal,
      [LLVMFCmpPredicate_ogt] = Greater,
      [LLVMFCmpPredicate_oge] = Greater | Equal,
      [LLVMFCmpPredicate_olt] = Less,
      [LLVMFCmpPredicate_ole] = Less | Equal,
      [LLVMFCmpPredicate_one] = Less | Greater,
      [LLVMFCmpPredicate_ord] = Less | Greater | Equal,
      [LLVMFCmpPredicate_ueq] = Equal | Unordered,
      [LLVMFCmpPredicate_ugt] = Greater | Unordered,
      [LLVMFCmpPredicate_uge] = Greater | Equal | Unordered,
      [LLVMFCmpPredicate_ult] = Less | Unordered,
      [LLVMFCmpPredicate_ule] = Less | Equal | Unordered,
      [LLVMFCmpPredicate_une] = Less | Greater | Unordered,
      [LLVMFCmpPredicate_uno] = Unordered,
      [LLVMFCmpPredicate__true] = Less | Greater | Equal | Unordered,
  };
  (void)row;
  const SimValue *operands[MAX_OPERANDS], *result;
  if (!operandsOf(d, op, 2, operands))
    return false;
  SimPure pure = simKernelFor(&simCompareF, &operands[0]->type->scalars[0]);
  if (!pure || !(result = simResult(d, op)))
    return pure ? false : noKernel(op);
  simEmitMap(d, pure, 2, operands, result, 1, accepted[llvmFCmpOpGetPredicate(llvmFCmpOpCast(op))]);
  return true;
}

bool simDecodeSelect(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *condition = simOperand(d, op, 0), *yes = simOperand(d, op, 1), *no = simOperand(d, op, 2);
  const SimValue *result = condition && yes && no ? simResult(d, op) : NULL;
  if (!result)
    return false;
  for (uint32_t k = 0; k < result->type->count; ++k) {
    const SimScalar *s = &result->type->scalars[k];
    SimInsn *i =
        simEmitPure(d, simSelect.of[s->log2Bytes], result->slots[k], s->log2Bytes, d->program->lanes);
    i->a = condition->slots[condition->type->count == 1 ? 0 : k];
    i->b = yes->slots[k];
    i->c = no->slots[k];
  }
  return true;
}

// ---- Casts ----

static bool emitCast(SimDecoder *d, MlirOperation op, SimPure pure, unsigned fromBits, unsigned toBits) {
  const SimValue *operand = simOperand(d, op, 0);
  if (!pure)
    return noKernel(op);
  const SimValue *result = operand ? simResult(d, op) : NULL;
  if (!result)
    return false;
  simEmitMap(d, pure, 1, &operand, result, toBits, fromBits);
  return true;
}

/// The numbers that a cast goes from and to; false after a diagnostic.
static bool castTypes(SimDecoder *d, MlirOperation op, const SimScalar **from, const SimScalar **to) {
  const SimValue *operand = simOperand(d, op, 0);
  const SimType *type = simTypeOf(d, op, mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (!operand || !type)
    return false;
  *from = &operand->type->scalars[0];
  *to = &type->scalars[0];
  return operand->type->count == type->count || noKernel(op);
}

bool simDecodeCast(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimScalar *from, *to;
  if (!castTypes(d, op, &from, &to))
    return false;
  const bool fromFloat = from->format != SimFloat_None, toFloat = to->format != SimFloat_None;
  const SimKernels *table = &row->kernels[fromFloat ? (unsigned)from->format : from->log2Bytes];
  return emitCast(d, op, table->of[toFloat ? (unsigned)to->format : to->log2Bytes], from->bits, to->bits);
}

/// The same numbers under another type.
bool simDecodeAlias(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  MlirValue result = mlirOperationGetResult(op, 0);
  const SimValue *operand = simOperand(d, op, 0);
  const SimType *type = operand ? simTypeOf(d, op, mlirValueGetType(result)) : NULL;
  if (!type)
    return false;
  simDefine(d, result, type, operand->slots);
  return true;
}

/// Pointers are numbers of 64 bits.
bool simDecodePointerCast(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimScalar *from, *to;
  if (!castTypes(d, op, &from, &to))
    return false;
  if (from->log2Bytes == to->log2Bytes && from->bits == to->bits)
    return simDecodeAlias(d, op, row);
  return emitCast(d, op, simZExt[from->log2Bytes].of[to->log2Bytes], from->bits, to->bits);
}

bool simDecodeBitcast(SimDecoder *d, MlirOperation op, const SimRow *row) {
  MlirValue result = mlirOperationGetResult(op, 0);
  const SimValue *operand = simOperand(d, op, 0);
  const SimType *type = operand ? simTypeOf(d, op, mlirValueGetType(result)) : NULL;
  if (!type)
    return false;
  bool same = type->count == operand->type->count;
  for (uint32_t k = 0; same && k < type->count; ++k)
    same = type->scalars[k].bits == operand->type->scalars[k].bits;
  if (same)
    return simDecodeAlias(d, op, row);
  const SimValue *made = simResult(d, op);
  return made && simEmitRepack(d, op, operand, made);
}

/// i1 of a compare or a division's result that depends on no more than a name: `llvm.intr.abs` and the like
/// have a flag as last operand or attribute; only the first counts.
bool simDecodeOverflow(SimDecoder *d, MlirOperation op, const SimRow *row) {
  MlirValue result = mlirOperationGetResult(op, 0);
  const SimValue *operands[MAX_OPERANDS];
  const SimType *type = simTypeOf(d, op, mlirValueGetType(result));
  if (!type || !operandsOf(d, op, 2, operands))
    return false;
  const uint32_t *slots = simNewSlots(d, type), half = type->count / 2;
  const SimType *numbers = operands[0]->type,
                *flags = simTypeOf(d, op, mlirIntegerTypeGet(mlirOperationGetContext(op), 1));
  if (half != 1)
    return simRefuse(op, "on vectors is not known to the simulator");
  const SimScalar *s = &numbers->scalars[0];
  const SimValue sum = {numbers, slots}, overflow = {flags, slots + half};
  simEmitMap(d, row->kernels[0].of[s->log2Bytes], 2, operands, &sum, s->bits, 0);
  simEmitMap(d, ((const SimKernels *)(uintptr_t)row->param)->of[s->log2Bytes], 2, operands, &overflow,
             s->bits, 0);
  simDefine(d, result, type, slots);
  return true;
}

bool simDecodeNothing(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)d, (void)op, (void)row;
  return true;
}
