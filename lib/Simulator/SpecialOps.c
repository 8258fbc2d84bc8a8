/* SpecialOps.c - decodes what GPUs have beyond LLVM: numbers of threads and programs, barriers, conversions
 * of 8-bit floats, flushing functions; and intrinsics by name. */
#include "Barriers.h"
#include "Effects.h"
#include "MapOps.h"
#include "Module.h"
#include "Special.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/LLVM.h"
#include "tile-c/Dialect/NVVM.h"

// ---- Numbers ----

/// A 32-bit number that an effect computes, in the result's width.
static bool emitNumber(SimDecoder *d, MlirOperation op, SimEffect effect, uint64_t param) {
  const SimValue *result = simResult(d, op);
  if (!result)
    return false;
  const SimScalar *s = &result->type->scalars[0];
  const uint32_t slot = s->log2Bytes == 2 ? result->slots[0] : simNewSlot(d, 2);
  SimInsn *i = simEmitEffect(d, effect);
  i->result = slot;
  i->param = param;
  if (s->log2Bytes == 2)
    return true;
  SimInsn *widen =
      simEmitPure(d, simZExt[2].of[s->log2Bytes], result->slots[0], s->log2Bytes, d->program->lanes);
  widen->a = slot;
  widen->bits = s->bits;
  return true;
}

bool simDecodeThreadId(SimDecoder *d, MlirOperation op, const SimRow *row) {
  return emitNumber(d, op, simThreadId, row->param);
}
bool simDecodeProgramId(SimDecoder *d, MlirOperation op, const SimRow *row) {
  return emitNumber(d, op, simProgramId, row->param);
}
bool simDecodeLaneId(SimDecoder *d, MlirOperation op, const SimRow *row) {
  return emitNumber(d, op, simLaneId, row->param);
}
bool simDecodeWarpId(SimDecoder *d, MlirOperation op, const SimRow *row) {
  return emitNumber(d, op, simWarpId, row->param);
}

bool simDecodeSteps(SimDecoder *d, MlirOperation op, const SimRow *row) {
  return emitNumber(d, op, simSteps, row->param);
}

/// The same for every lane of every program: a constant.
bool simDecodeUniform(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimProgram *p = d->program;
  const uint64_t values[] = {[SimUniform_ThreadsX] = p->threads[0],
                             [SimUniform_ThreadsY] = p->threads[1],
                             [SimUniform_ThreadsZ] = p->threads[2],
                             [SimUniform_GridX] = d->grid[0],
                             [SimUniform_GridY] = d->grid[1],
                             [SimUniform_GridZ] = d->grid[2],
                             [SimUniform_Lanes] = p->lanes,
                             [SimUniform_Warps] = p->numWarps,
                             [SimUniform_SharedBytes] = p->sharedBytes,
                             [SimUniform_ImplicitArguments] = (uint64_t)SIM_CONSTANT_BUFFER
                                                              << SIM_BUFFER_SHIFT};
  MlirValue result = mlirOperationGetResult(op, 0);
  const SimType *type = simTypeOf(d, op, mlirValueGetType(result));
  if (!type)
    return false;
  uint32_t *slots = tileArenaAlloc(d->arena, 1, sizeof *slots);
  slots[0] = simConstantSlot(d, type->scalars[0].log2Bytes, values[row->param], 0);
  simDefine(d, result, type, slots);
  return true;
}

// ---- Barriers ----

static bool emitBarrier(SimDecoder *d, SimBarrierKind kind, uint32_t id, uint32_t threads) {
  SimBarrierKind *kept = tileArenaAlloc(d->arena, 1, sizeof *kept);
  *kept = kind;
  SimInsn *i = simEmitEffect(d, simBarrier);
  i->a = id;
  i->b = threads;
  i->data = kept;
  return true;
}

/// All warps. `param`: 1 if it orders no memory.
bool simDecodeBarrier(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)op;
  return emitBarrier(d, (SimBarrierKind){.arrives = true, .waits = true, .isFence = !row->param}, 0, 0);
}

/// GFX12: s_barrier_signal and s_barrier_wait of the program's barrier, -1. `param`: 1 waits.
bool simDecodeSplitBarrier(SimDecoder *d, MlirOperation op, const SimRow *row) {
  MlirAttribute id = mlirOperationGetAttributeByName(op, tileStr("id"));
  if (!id.ptr || (tileIntegerAttrValue(id) & 0xFFFF) != 0xFFFF)
    return simRefuse(op, "of another barrier than -1 is not known to the simulator");
  return emitBarrier(d, (SimBarrierKind){.arrives = !row->param, .waits = row->param}, 0, 0);
}

/// bar.sync and bar.arrive with a number and a count of threads. `param`: 1 only arrives.
bool simDecodeNamedBarrier(SimDecoder *d, MlirOperation op, const SimRow *row) {
  NVVMBarrierArriveOp arrive = nvvmBarrierArriveOpCast(op);
  NVVMBarrierOp barrier = nvvmBarrierOpCast(op);
  MlirValue id = row->param ? nvvmBarrierArriveOpGetBarrierId(arrive) : nvvmBarrierOpGetBarrierId(barrier);
  MlirValue threads =
      row->param ? nvvmBarrierArriveOpGetNumberOfThreads(arrive) : nvvmBarrierOpGetNumberOfThreads(barrier);
  if (!row->param && nvvmBarrierOpGetReductionPredicate(barrier).ptr)
    return simRefuse(op, "with a reduction is not known to the simulator");
  const SimValue *idValue = id.ptr ? simUse(d, op, id) : NULL;
  const SimValue *threadsValue = threads.ptr ? simUse(d, op, threads) : NULL;
  if ((id.ptr && !idValue) || (threads.ptr && !threadsValue))
    return false;
  return emitBarrier(d,
                     (SimBarrierKind){.hasId = idValue,
                                      .hasThreads = threadsValue,
                                      .arrives = true,
                                      .waits = !row->param,
                                      .isFence = true},
                     idValue ? idValue->slots[0] : 0, threadsValue ? threadsValue->slots[0] : 0);
}

bool simDecodeWarpBarrier(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *mask = simOperand(d, op, 0);
  if (!mask)
    return false;
  simEmitEffect(d, simWarpBarrier)->a = mask->slots[0];
  return true;
}

// ---- Intrinsics ----

bool simDecodeCallIntrinsic(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  MlirStringRef name = llvmCallIntrinsicOpGetIntrin(llvmCallIntrinsicOpCast(op));
  const SimRow *intrinsic = simIntrinsicRow(name);
  if (!intrinsic)
    return simRefuse(op, "calls '%.*s', which is not known to the simulator", (int)name.length, name.data);
  d->mix = intrinsic->mix;
  return intrinsic->decode(d, op, intrinsic);
}

/// The one instruction that the lowering has no other name for.
bool simDecodeInlineAsm(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  static const char tanh[] = "tanh.approx.f32 $0, $1;";
  MlirStringRef text = llvmInlineAsmOpGetAsmString(llvmInlineAsmOpCast(op));
  if (mlirStringRefEqual(text, mlirStringRefCreate(tanh, sizeof tanh - 1))) {
    const SimRow *known = simIntrinsicRow(tileStr("llvm.nvvm.tanh.approx.f"));
    d->mix = known->mix;
    return known->decode(d, op, known);
  }
  return simRefuse(op, "is assembly text, which the simulator cannot execute");
}

/// A function of f32 that flushes subnormal operands and results.
bool simDecodeFlushed(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimValue *operands[2];
  const unsigned n = row->param ? (unsigned)row->param : 1;
  const uint32_t lanes = d->program->lanes;
  uint32_t flushed[2] = {0, 0};
  for (unsigned k = 0; k < n; ++k) {
    if (!(operands[k] = simOperand(d, op, (intptr_t)k)))
      return false;
    if (operands[k]->type->count != 1 || operands[k]->type->scalars[0].format != SimFloat_F32)
      return simRefuse(op, "on this type is not known to the simulator");
    flushed[k] = simNewSlot(d, 2);
    simEmitPure(d, simFtz.of[SimFloat_F32], flushed[k], 2, lanes)->a = operands[k]->slots[0];
  }
  const SimValue *result = simResult(d, op);
  if (!result)
    return false;
  SimInsn *i = simEmitPure(d, row->kernels->of[SimFloat_F32], simNewSlot(d, 2), 2, lanes);
  i->a = flushed[0];
  i->b = flushed[n - 1];
  const uint32_t raw = i->result;
  simEmitPure(d, simFtz.of[SimFloat_F32], result->slots[0], 2, lanes)->a = raw;
  return true;
}
