/* BufferOps.c - decodes AMD's buffer resources and accesses. */
#include "Buffers.h"
#include "MapOps.h"
#include "tile-c/Dialect/ROCDL.h"

bool simDecodeMakeResource(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *operands[4];
  for (intptr_t k = 0; k < 4; ++k)
    if (!(operands[k] = simOperand(d, op, k)))
      return false;
  const SimValue *result = simResult(d, op);
  if (!result)
    return false;
  if (result->type->scalars[0].bits != 128 || operands[2]->type->scalars[0].log2Bytes != 3)
    return simRefuse(op,
                     "of this form is not known to the simulator, expected a !llvm.ptr<8> and a size in i64");
  SimInsn *i = simEmitPure(d, simMakeResource, result->slots[0], 4, d->program->lanes);
  i->a = operands[0]->slots[0];
  i->b = operands[1]->slots[0];
  i->c = operands[2]->slots[0];
  i->param = operands[3]->slots[0];
  return true;
}

enum { Word = 4 };

/// A buffer access of `value`, with resource and offsets from operand `first` on.
static SimBufferAccess *newAccess(SimDecoder *d, MlirOperation op, const SimValue *value, intptr_t first) {
  const SimType *type = value->type;
  SimBufferAccess *b = tileArenaAlloc(d->arena, 1, sizeof *b);
  SimPart *parts = tileArenaAlloc(d->arena, type->count + 1, sizeof *parts);
  const SimValue *resource = simOperand(d, op, first), *offset = simOperand(d, op, first + 1);
  const SimValue *uniform = simOperand(d, op, first + 2);
  if (!resource || !offset || !uniform)
    return NULL;
  if (resource->type->scalars[0].bits != 128 || type->size > SIM_MAX_ACCESS)
    return simRefuse(op, "of this form is not known to the simulator"), NULL;
  MlirAttribute said = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.alignment"));
  const unsigned alignment = said.ptr ? (unsigned)tileIntegerAttrValue(said) : Word;
  for (uint32_t k = 0; k < type->count; ++k) {
    const unsigned size = 1u << type->scalars[k].log2Bytes, unit = size < alignment ? size : alignment;
    parts[k] =
        (SimPart){value->slots[k], value->slots[k], (uint16_t)type->offsets[k], type->scalars[k].log2Bytes};
    if (unit < d->program->globalGranule)
      d->program->globalGranule = unit;
  }
  b->access = (SimAccess){.space = SimSpace_Global,
                          .bytes = (uint16_t)type->size,
                          .alignment = (uint16_t)alignment,
                          .numParts = type->count,
                          .parts = parts};
  SimInsn *i = simEmitEffect(d, simBufferAccess);
  i->a = resource->slots[0];
  i->b = offset->slots[0];
  i->c = uniform->slots[0];
  i->data = b;
  return b;
}

bool simDecodeBufferLoad(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *result = simResult(d, op);
  return result && newAccess(d, op, result, 0);
}

bool simDecodeBufferStore(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *value = simOperand(d, op, 0);
  SimBufferAccess *b = value ? newAccess(d, op, value, 1) : NULL;
  if (!b)
    return false;
  b->isStore = true;
  d->program->insns[d->program->numInsns - 1].bits = 1; // for the counters: writes
  return true;
}

/// `param`: SimAtomicKind. The ops give nothing back; the old values go to slots of their own.
bool simDecodeBufferAtomic(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimValue *value = simOperand(d, op, 0);
  SimBufferAccess *b = value ? newAccess(d, op, value, 1) : NULL;
  if (!b)
    return false;
  const SimScalar *s = &value->type->scalars[0];
  SimAtomicOp *a = tileArenaAlloc(d->arena, 1, sizeof *a);
  *a = (SimAtomicOp){.kind = (SimAtomicKind)row->param,
                     .space = SimSpace_Global,
                     .type = s->format,
                     .log2Bytes = s->log2Bytes,
                     .bits = s->bits,
                     .alignment = b->access.bytes,
                     .numParts = value->type->count,
                     .values = value->slots,
                     .old = simNewSlots(d, value->type)};
  b->atomic = a;
  b->addresses = simNewSlot(d, 3);
  d->program->ordered = true;
  return true;
}
