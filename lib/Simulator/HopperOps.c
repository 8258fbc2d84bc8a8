/* HopperOps.c - decodes warp-group products, barriers in shared memory and tensor copies. */
#include "HopperOps.h"
#include "Hopper.h"
#include "MapOps.h"
#include "MatrixOps.h"
#include "tile-c/Dialect/NVVM.h"
#include "tile-c/Dialect/TileNV.h"

static void uses(SimDecoder *d, unsigned granule) {
  d->program->usesHopper = true;
  if (d->program->sharedGranule > granule)
    d->program->sharedGranule = granule;
}

// ---- Products ----

/// Values by bits of the short types; NULL for tf32, whose bits are an f32's.
static const double *tableOf(SimDecoder *d, TileNVWgmmaType type) {
  static const TileElementType types[] = {
      [TileNVWgmmaType_F16] = TileElementType_F16,       [TileNVWgmmaType_BF16] = TileElementType_BF16,
      [TileNVWgmmaType_E4M3] = TileElementType_F8E4M3FN, [TileNVWgmmaType_E5M2] = TileElementType_F8E5M2,
      [TileNVWgmmaType_S8] = TileElementType_I8,         [TileNVWgmmaType_U8] = TileElementType_I8};
  if (type == TileNVWgmmaType_TF32)
    return NULL;
  const bool is16 = type == TileNVWgmmaType_F16 || type == TileNVWgmmaType_BF16;
  const uint32_t count = is16 ? 1 << 16 : 1 << 8;
  double *table = d->wgmmaTables[type];
  if (table)
    return table;
  table = d->wgmmaTables[type] = tileArenaAlloc(d->arena, count, sizeof *table);
  for (uint32_t bits = 0; bits < count; ++bits)
    table[bits] = type == TileNVWgmmaType_S8   ? (double)(int8_t)bits
                  : type == TileNVWgmmaType_U8 ? (double)bits
                                               : tileFloatDecode(types[type], bits);
  return table;
}

static unsigned bytesOf(TileNVWgmmaType type) {
  return type == TileNVWgmmaType_TF32                                  ? 4
         : type == TileNVWgmmaType_F16 || type == TileNVWgmmaType_BF16 ? 2
                                                                       : 1;
}

/// Exponent of a type's smallest normal number.
static int leastOf(TileNVWgmmaType type) {
  return type == TileNVWgmmaType_E4M3                                  ? -6
         : type == TileNVWgmmaType_E5M2 || type == TileNVWgmmaType_F16 ? -14
                                                                       : -126;
}

/// One pass. That of 8-bit floats keeps fewer bits, of the sum too.
static SimSumRule sumRule(const SimDecoder *d, const SimWgmma *g, TileNVWgmmaType a, TileNVWgmmaType b) {
  const bool is8 = bytesOf(a) == 1;
  const int bits = 23 + d->target->tensorCoreFloat8GuardBits;
  return (SimSumRule){.terms = g->shape.k,
                      .fractionBits = is8 ? bits : 23,
                      .guardBits = is8 ? 0 : d->target->tensorCoreGuardBits,
                      .leastA = leastOf(a),
                      .leastB = leastOf(b),
                      .leastSum = g->isHalf ? -14 : -126,
                      .isHalf = g->isHalf};
}

static bool takeA(SimDecoder *d, TileNVWgmmaOp op, SimWgmma *g) {
  g->aInRegisters = tileNVWgmmaOpGetNumA(op) == 4;
  for (intptr_t k = 0; k < tileNVWgmmaOpGetNumA(op); ++k) {
    const SimValue *a = simUse(d, op.op, tileNVWgmmaOpGetA(op, k));
    if (!a)
      return false;
    g->a[k] = a->slots[0];
  }
  return true;
}

bool simDecodeWgmma(SimDecoder *d, MlirOperation operation, const SimRow *row) {
  (void)row;
  TileNVWgmmaOp op = tileNVWgmmaOpCast(operation);
  const TileNVWgmmaType a = tileNVWgmmaOpGetAType(op), b = tileNVWgmmaOpGetBType(op);
  const SimValue *accumulator = simUse(d, operation, tileNVWgmmaOpGetAccumulator(op));
  const SimValue *descriptor = simUse(d, operation, tileNVWgmmaOpGetB(op)), *result = simResult(d, operation);
  MlirValue scale = tileNVWgmmaOpGetScale(op);
  const SimValue *when = scale.ptr ? simUse(d, operation, scale) : NULL;
  SimWgmma *g = tileArenaAlloc(d->arena, 1, sizeof *g);
  if (!accumulator || !descriptor || !result || (scale.ptr && !when) || !takeA(d, op, g))
    return false;
  g->shape = (SimWgmmaShape){.n = (unsigned)tileNVWgmmaOpGetN(op),
                             .k = 32 / bytesOf(a),
                             .elementBytes = bytesOf(a),
                             .transA = tileNVWgmmaOpGetTransA(op),
                             .transB = tileNVWgmmaOpGetTransB(op)};
  g->b = descriptor->slots[0];
  g->hasScale = when;
  g->scale = when ? when->slots[0] : 0;
  g->isInteger = a == TileNVWgmmaType_S8 || a == TileNVWgmmaType_U8;
  g->isHalf = !g->isInteger && accumulator->type->scalars[0].format == SimFloat_None;
  g->saturates = tileNVWgmmaOpGetSaturate(op);
  g->signA = tileNVWgmmaOpGetNegateA(op) ? -1 : 1;
  g->signB = tileNVWgmmaOpGetNegateB(op) ? -1 : 1;
  g->decodeA = tableOf(d, a);
  g->decodeB = tableOf(d, b);
  if (!g->isInteger)
    g->sum = sumRule(d, g, a, b);
  g->accumulator = accumulator->slots;
  g->result = result->slots;
  g->registers = accumulator->type->count;
  uses(d, 16);
  simEmitEffect(d, simWgmma)->data = g;
  return true;
}

/// Results are the operands.
static bool passThrough(SimDecoder *d, MlirOperation op) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k) {
    const SimValue *value = simUse(d, op, mlirOperationGetOperand(op, k));
    if (!value)
      return false;
    simDefine(d, mlirOperationGetResult(op, k), value->type, value->slots);
  }
  return true;
}

/// The values are those that come in: they may be touched again.
bool simDecodeWgmmaWait(SimDecoder *d, MlirOperation operation, const SimRow *row) {
  (void)row;
  TileNVWgmmaWaitOp op = tileNVWgmmaWaitOpCast(operation);
  int64_t pending = 0;
  uses(d, 16);
  if (tileNVWgmmaWaitOpIsNull(op))
    pending = nvvmWgmmaWaitGroupSyncOpGetGroup(nvvmWgmmaWaitGroupSyncOpCast(operation));
  else
    pending = tileNVWgmmaWaitOpGetPending(op);
  simEmitEffect(d, simWgmmaWait)->param = (uint64_t)pending;
  return passThrough(d, operation);
}

bool simDecodeWgmmaFence(SimDecoder *d, MlirOperation op, const SimRow *row) {
  uses(d, 16);
  simEmitEffect(d, row->param ? simWgmmaCommit : simWgmmaFence);
  return passThrough(d, op);
}

// ---- Barriers ----

typedef struct Parts {
  MlirValue barrier, number, predicate;
  SimEffect effect;
} Parts;

static Parts partsOf(MlirOperation op) {
  TileNVMBarrierInitOp init = tileNVMBarrierInitOpCast(op);
  TileNVMBarrierExpectOp expect = tileNVMBarrierExpectOpCast(op);
  TileNVMBarrierArriveOp arrive = tileNVMBarrierArriveOpCast(op);
  TileNVMBarrierWaitOp wait = tileNVMBarrierWaitOpCast(op);
  Parts p = {.barrier = mlirOperationGetOperand(op, 0)};
  switch (tileOpKind(op)) {
  case TileOp_TileNV_MBarrierInit:
    p.number = tileNVMBarrierInitOpGetCount(init);
    p.effect = simMBarrierInit;
    break;
  case TileOp_TileNV_MBarrierExpect:
    p.number = tileNVMBarrierExpectOpGetBytes(expect);
    p.predicate = tileNVMBarrierExpectOpGetPredicate(expect);
    p.effect = simMBarrierExpect;
    break;
  case TileOp_TileNV_MBarrierArrive:
    p.predicate = tileNVMBarrierArriveOpGetPredicate(arrive);
    p.number = tileNVMBarrierArriveOpGetCta(arrive);
    p.effect = simMBarrierArrive;
    break;
  case TileOp_TileNV_MBarrierWait:
    p.number = tileNVMBarrierWaitOpGetParity(wait);
    p.effect = simMBarrierWait;
    break;
  default:
    p.effect = simMBarrierInval;
  }
  return p;
}

bool simDecodeMBarrier(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const Parts p = partsOf(op);
  const SimValue *barrier = simUse(d, op, p.barrier);
  const SimValue *number = p.number.ptr ? simUse(d, op, p.number) : NULL;
  const SimValue *predicate = p.predicate.ptr ? simUse(d, op, p.predicate) : NULL;
  if (!barrier || (p.number.ptr && !number) || (p.predicate.ptr && !predicate))
    return false;
  uses(d, 16);
  SimInsn *i = simEmitEffect(d, p.effect);
  i->a = barrier->slots[0];
  i->b = predicate ? predicate->slots[0] : 0;
  i->c = number ? number->slots[0] : 0;
  i->param = predicate ? SimMBarrier_Predicate : 0;
  if (number && tileOpKind(op) == TileOp_TileNV_MBarrierArrive)
    i->param |= SimMBarrier_Remote;
  return true;
}

bool simDecodeProxyFence(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)op;
  uses(d, 16);
  simEmitEffect(d, simMBarrierFence)->param = row->param;
  return true;
}

// ---- Copies ----

static bool takeSlot(SimDecoder *d, MlirOperation op, MlirValue v, uint32_t *out_slot) {
  const SimValue *value = v.ptr ? simUse(d, op, v) : NULL;
  *out_slot = value ? value->slots[0] : 0;
  return !v.ptr || value;
}

bool simDecodeTma(SimDecoder *d, MlirOperation op, const SimRow *row) {
  TileNVTmaLoadOp load = tileNVTmaLoadOpCast(op);
  TileNVTmaStoreOp store = tileNVTmaStoreOpCast(op);
  const bool stores = row->param;
  MlirValue predicate = stores ? tileNVTmaStoreOpGetPredicate(store) : tileNVTmaLoadOpGetPredicate(load);
  SimTma *t = tileArenaAlloc(d->arena, 1, sizeof *t);
  *t = (SimTma){.isStore = stores, .hasPredicate = predicate.ptr != NULL};
  MlirValue multicast = stores ? (MlirValue){NULL} : tileNVTmaLoadOpGetMulticast(load);
  t->hasMulticast = multicast.ptr != NULL;
  t->reduction = stores ? (unsigned)tileNVTmaStoreOpGetReduction(store) : 0;
  if (t->reduction > TileNVTmaReduction_Add)
    return simRefuse(op, "with this reduction is not known to the simulator");
  t->rank =
      (unsigned)(stores ? tileNVTmaStoreOpGetNumCoordinates(store) : tileNVTmaLoadOpGetNumCoordinates(load));
  for (unsigned k = 0; k < t->rank; ++k)
    if (!takeSlot(d, op,
                  stores ? tileNVTmaStoreOpGetCoordinates(store, k) : tileNVTmaLoadOpGetCoordinates(load, k),
                  &t->coordinates[k]))
      return false;
  if (!takeSlot(d, op, stores ? tileNVTmaStoreOpGetMap(store) : tileNVTmaLoadOpGetMap(load), &t->map) ||
      !takeSlot(d, op, stores ? tileNVTmaStoreOpGetSource(store) : tileNVTmaLoadOpGetDestination(load),
                &t->shared) ||
      !takeSlot(d, op, stores ? (MlirValue){NULL} : tileNVTmaLoadOpGetBarrier(load), &t->barrier) ||
      !takeSlot(d, op, multicast, &t->multicast) || !takeSlot(d, op, predicate, &t->predicate))
    return false;
  uses(d, 16);
  if (d->program->globalGranule > 1) // rows may end anywhere
    d->program->globalGranule = d->program->globalGranule > 2 ? 2 : d->program->globalGranule;
  simEmitEffect(d, simTmaCopy)->data = t;
  return true;
}

bool simDecodeBulk(SimDecoder *d, MlirOperation op, const SimRow *row) {
  uses(d, 16);
  SimInsn *i = simEmitEffect(d, row->param ? simBulkWait : simBulkCommit);
  if (row->param)
    i->param = (uint64_t)nvvmCpAsyncBulkWaitGroupOpGetGroup(nvvmCpAsyncBulkWaitGroupOpCast(op));
  return true;
}
