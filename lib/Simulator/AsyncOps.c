/* AsyncOps.c - decodes asynchronous copies and waits of both vendors. */
#include "Async.h"
#include "Buffers.h"
#include "MapOps.h"
#include "tile-c/Dialect/NVVM.h"
#include "tile-c/Dialect/ROCDL.h"

static void noteGranules(SimDecoder *d, unsigned bytes) {
  SimProgram *p = d->program;
  const unsigned granule = bytes < 4 ? bytes : 4; // a count may end anywhere
  p->globalGranule = granule < p->globalGranule ? granule : p->globalGranule;
  p->sharedGranule = granule < p->sharedGranule ? granule : p->sharedGranule;
}

static bool emitCopy(SimDecoder *d, MlirOperation op, MlirValue to, MlirValue from, MlirValue count,
                     SimCopyKind kind) {
  const SimValue *shared = simUse(d, op, to), *global = simUse(d, op, from);
  const SimValue *bytes = count.ptr ? simUse(d, op, count) : NULL;
  if (!shared || !global || (count.ptr && !bytes))
    return false;
  SimCopyKind *kept = tileArenaAlloc(d->arena, 1, sizeof *kept);
  *kept = kind;
  kept->hasCount = bytes != NULL;
  noteGranules(d, bytes ? 1 : kind.bytes);
  SimInsn *i = simEmitEffect(d, simAsyncCopy);
  i->a = shared->slots[0];
  i->b = global->slots[0];
  i->c = bytes ? bytes->slots[0] : 0;
  i->data = kept;
  return true;
}

bool simDecodeCpAsync(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  NVVMCpAsyncOp copy = nvvmCpAsyncOpCast(op);
  const int64_t bytes = nvvmCpAsyncOpGetSize(copy);
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return simRefuse(op, "copies %lld bytes, expected 4, 8 or 16", (long long)bytes);
  return emitCopy(d, op, nvvmCpAsyncOpGetDst(copy), nvvmCpAsyncOpGetSrc(copy), nvvmCpAsyncOpGetCpSize(copy),
                  (SimCopyKind){.bytes = (unsigned)bytes});
}

bool simDecodeAsyncCommit(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)op, (void)row;
  simEmitEffect(d, simAsyncCommit);
  return true;
}

bool simDecodeAsyncWait(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const int64_t n = nvvmCpAsyncWaitGroupOpGetN(nvvmCpAsyncWaitGroupOpCast(op));
  if (n < 0)
    return simRefuse(op, "got %lld, expected a number of groups", (long long)n);
  simEmitEffect(d, simAsyncWait)->param = (uint64_t)n;
  return true;
}

// ---- AMD ----

/// rocdl.load.to.lds and rocdl.global.load.lds: the same operands and attributes.
bool simDecodeLoadToLds(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  MlirAttribute size = mlirOperationGetAttributeByName(op, tileStr("size"));
  MlirAttribute offset = mlirOperationGetAttributeByName(op, tileStr("offset"));
  if (!size.ptr || !offset.ptr)
    return simRefuse(op, "has no size and offset");
  const int64_t bytes = tileIntegerAttrValue(size);
  if (bytes < 1 || bytes > 16 || simPointerSpace(mlirOperationGetOperand(op, 0)) > 1)
    return simRefuse(op, "of this size and source is not known to the simulator");
  return emitCopy(
      d, op, mlirOperationGetOperand(op, 1), mlirOperationGetOperand(op, 0), (MlirValue){NULL},
      (SimCopyKind){.bytes = (unsigned)bytes, .isLdsDma = true, .offset = tileIntegerAttrValue(offset)});
}

/// rocdl.raw.ptr.buffer.load.lds: 16 bytes a lane on chips that have them, else up to 4. The uniform offset counts for the
/// range; no instruction offset, which would move the destination too.
bool simDecodeBufferLoadLds(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  ROCDLRawPtrBufferLoadLdsOp load = rocdlRawPtrBufferLoadLdsOpCast(op);
  int64_t bytes, offset;
  if (!simConstantOperand(op, 2, &bytes) || !simConstantOperand(op, 5, &offset) || offset || bytes < 1 ||
      bytes > 16 || !(d->target->asyncCopyBytes & (unsigned)bytes))
    return simRefuse(op, "of this size or offset is not known to the simulator");
  const SimValue *resource = simUse(d, op, rocdlRawPtrBufferLoadLdsOpGetRsrc(load)),
                 *to = simUse(d, op, rocdlRawPtrBufferLoadLdsOpGetLdsPtr(load)),
                 *lane = simUse(d, op, rocdlRawPtrBufferLoadLdsOpGetVoffset(load)),
                 *uniform = simUse(d, op, rocdlRawPtrBufferLoadLdsOpGetSoffset(load));
  if (!resource || !to || !lane || !uniform)
    return false;
  SimBufferCopy *first = tileArenaAlloc(d->arena, 1, sizeof *first);
  SimCopyKind *second = tileArenaAlloc(d->arena, 1, sizeof *second);
  *first = (SimBufferCopy){(uint32_t)bytes, simNewSlot(d, 3), simNewSlot(d, 2)};
  *second = (SimCopyKind){.bytes = (unsigned)bytes, .hasCount = true, .isLdsDma = true};
  noteGranules(d, (unsigned)bytes);
  SimInsn *i = simEmitEffect(d, simBufferCopyAddresses);
  i->a = resource->slots[0];
  i->b = lane->slots[0];
  i->c = uniform->slots[0];
  i->data = first;
  i = simEmitEffect(d, simAsyncCopy);
  i->a = to->slots[0];
  i->b = first->addresses;
  i->c = first->counts;
  i->data = second;
  return true;
}

static bool emitWait(SimDecoder *d, uint64_t open, bool lds) {
  SimInsn *i = simEmitEffect(d, simWaitCounters);
  i->param = open;
  i->bits = lds;
  return true;
}

/// s_waitcnt's bits: GFX9 splits vmcnt in two; GFX11 has other places (AMDGPU ISA documents, "S_WAITCNT").
bool simDecodeSWaitcnt(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const unsigned bits = (unsigned)rocdlSWaitcntOpGetBitfield(rocdlSWaitcntOpCast(op));
  const bool isGfx9 = d->program->lanes == 64;
  const unsigned vector = isGfx9 ? (bits & 15) | (bits >> 14 & 3) << 4 : bits >> 10 & 63;
  const unsigned lds = isGfx9 ? bits >> 8 & 15 : bits >> 4 & 63;
  return emitWait(d, vector == 63 ? UINT32_MAX : vector, lds == 0);
}

/// GFX12 has an instruction for each counter. `param`: 1 for LDS, 0 for loads, 2 for others.
bool simDecodeWaitCounter(SimDecoder *d, MlirOperation op, const SimRow *row) {
  MlirAttribute count = mlirOperationGetAttributeByName(op, tileStr("count"));
  const int64_t open = count.ptr ? tileIntegerAttrValue(count) : 0;
  if (row->param == 0)
    return emitWait(d, (uint64_t)open, false);
  return emitWait(d, UINT32_MAX, row->param == 1 && open == 0);
}
