/* Atomics.c - read-modify-write. Lanes act one after the other, in ascending order; kernels with atomics run
 * their programs one after the other, so that results are the same every time. */
#include "Atomics.h"
#include "Counters.h"
#include "Sync.h"
#include <string.h>

static uint64_t readBits(const char *at, unsigned log2Bytes) {
  uint64_t value = 0;
  memcpy(&value, at, (size_t)1 << log2Bytes);
  return value;
}

static const TileElementType elements[] = {[SimFloat_F16] = TileElementType_F16,
                                           [SimFloat_BF16] = TileElementType_BF16,
                                           [SimFloat_F32] = TileElementType_F32,
                                           [SimFloat_F64] = TileElementType_F64};

static uint64_t applyFloat(const SimAtomicOp *op, uint64_t old, uint64_t value) {
  const TileElementType type = elements[op->type];
  const double x = tileFloatDecode(type, old), y = tileFloatDecode(type, value);
  double r;
  switch (op->kind) {
  case SimAtomic_FAdd:
    r = x + y;
    break;
  case SimAtomic_FSub:
    r = x - y;
    break;
  case SimAtomic_FMax:
    r = tileMaxNum(x, y);
    break;
  case SimAtomic_FMin:
    r = tileMinNum(x, y);
    break;
  case SimAtomic_FMaximum:
    r = tileMaximum(x, y);
    break;
  default:
    r = tileMinimum(x, y);
  }
  return tileFloatEncode(type, r, TileRoundingMode_NearestEven, TileOverflow_Default);
}

static uint64_t applyInteger(const SimAtomicOp *op, uint64_t old, uint64_t value) {
  const int64_t x = tileWrap((int64_t)old, op->bits), y = tileWrap((int64_t)value, op->bits);
  switch (op->kind) {
  case SimAtomic_Xchg:
    return value;
  case SimAtomic_Add:
    return old + value;
  case SimAtomic_Sub:
    return old - value;
  case SimAtomic_And:
    return old & value;
  case SimAtomic_Nand:
    return ~(old & value);
  case SimAtomic_Or:
    return old | value;
  case SimAtomic_Xor:
    return old ^ value;
  case SimAtomic_Max:
    return x > y ? old : value;
  case SimAtomic_Min:
    return x < y ? old : value;
  case SimAtomic_UMax:
    return old > value ? old : value;
  case SimAtomic_UMin:
    return old < value ? old : value;
  case SimAtomic_UIncWrap:
    return old >= value ? 0 : old + 1;
  case SimAtomic_UDecWrap:
    return old == 0 || old > value ? value : old - 1;
  case SimAtomic_USubCond:
    return old >= value ? old - value : old;
  default: // USubSat
    return old >= value ? old - value : 0;
  }
}

static uint64_t apply(const SimAtomicOp *op, uint64_t old, uint64_t value) {
  if (op->kind >= SimAtomic_FAdd && op->kind <= SimAtomic_FMinimum)
    return applyFloat(op, old, value);
  return applyInteger(op, old, value);
}

/// One lane's part.
static void update(SimWarp *w, const SimAtomicOp *op, uint64_t lane, char *at, uint32_t k) {
  const size_t size = (size_t)1 << op->log2Bytes;
  const uint64_t old = readBits(at, op->log2Bytes);
  const uint64_t value = readBits(w->regs + op->values[k] + lane * size, op->log2Bytes);
  uint64_t stored = value;
  if (op->kind == SimAtomic_CmpXchg) {
    const bool equal = old == readBits(w->regs + op->expected + lane * size, op->log2Bytes);
    stored = equal ? value : old;
    SIM_SLOT(uint8_t, w, op->success)[lane] = equal;
  } else {
    stored = apply(op, old, value);
  }
  memcpy(at, &stored, size);
  if (op->old)
    memcpy(w->regs + op->old[k] + lane * size, &old, size);
}

SimStatus simAtomic(SimWarp *w, const SimInsn *i) {
  const SimAtomicOp *op = i->data;
  const uint64_t *addresses = SIM_SLOT(uint64_t, w, i->a);
  const unsigned bytes = op->numParts << op->log2Bytes;
  SimPlaces places;
  w->machine->asked += op->space != SimSpace_Shared;
  if (!simLocate(w, i, op->space, addresses, bytes, op->alignment, w->active, SimDirection_Both, &places) ||
      !simRecordReads(w, i, &places, w->active, 0, bytes, true) ||
      !simRecordWrites(w, i, &places, w->active, 0, 0, bytes, true))
    return SimStatus_Fault;
  SIM_FOR_LANES(lane, w->active) {
    if (op->acquires)
      simSyncAcquire(w, places.at[lane]);
    for (uint32_t k = 0; k < op->numParts; ++k)
      update(w, op, lane, places.at[lane] + ((size_t)k << op->log2Bytes), k);
    if (op->publishes)
      simSyncPublish(w, places.at[lane]);
  }
  if (w->machine->counters && places.global)
    simCountGlobal(w, i, places.global, addresses, bytes);
  if (w->machine->counters && places.shared)
    simCountShared(w, i, SimBankRule_Nvidia, places.shared, places.offset, bytes);
  return SimStatus_Next;
}

static void eachPlace(SimWarp *w, const SimInsn *i, void (*act)(SimWarp *, const char *)) {
  const SimAccess *access = i->data;
  SimPlaces places;
  if (simLocate(w, i, access->space, SIM_SLOT(uint64_t, w, i->a), access->bytes, access->alignment, w->active,
                SimDirection_Read, &places))
    SIM_FOR_LANES(lane, w->active)
  act(w, places.at[lane]);
}

SimStatus simAcquireLoad(SimWarp *w, const SimInsn *i) {
  eachPlace(w, i, simSyncAcquire);
  return simLoad(w, i);
}

SimStatus simReleaseStore(SimWarp *w, const SimInsn *i) {
  const SimStatus status = simStore(w, i);
  if (status == SimStatus_Next)
    eachPlace(w, i, simSyncPublish);
  return status;
}
