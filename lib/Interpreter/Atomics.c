/* Atomics.c - read-modify-write, compare-and-swap and polling. Programs run one after another and the
 * elements of a tensor in row-major order, so that each access is atomic and the order is fixed. */
#include "Decode.h"
#include "tile-c/Dialect/Tile.h"

/// What memory of an integer type holds after `kind` combined `old` with `value`.
static int64_t combineInts(TileRMWKind kind, TileElementType type, int64_t old, int64_t value) {
  switch (kind) {
  case TileRMWKind_And:
    return old & value;
  case TileRMWKind_Or:
    return old | value;
  case TileRMWKind_Xor:
    return old ^ value;
  case TileRMWKind_Max:
    return old > value ? old : value;
  case TileRMWKind_Min:
    return old < value ? old : value;
  case TileRMWKind_UMax: // sign-extended values keep their unsigned order as 64-bit numbers
    return (uint64_t)old > (uint64_t)value ? old : value;
  case TileRMWKind_UMin:
    return (uint64_t)old < (uint64_t)value ? old : value;
  case TileRMWKind_Exch:
    return value;
  case TileRMWKind_Inc: // wraps to 0 from value
    return (uint64_t)old >= (uint64_t)value ? 0 : (int64_t)((uint64_t)old + 1);
  case TileRMWKind_Dec: // wraps to value from 0
    return old == 0 || (uint64_t)old > (uint64_t)value ? value : (int64_t)((uint64_t)old - 1);
  case TileRMWKind_Add:
  case TileRMWKind_FAdd:
    break;
  }
  return (int64_t)((uint64_t)old + (uint64_t)value);
}

static double combineFloats(TileRMWKind kind, double old, double value) {
  switch (kind) {
  case TileRMWKind_Max:
    return tileMaxNum(old, value);
  case TileRMWKind_Min:
    return tileMinNum(old, value);
  case TileRMWKind_Exch:
    return value;
  default:
    return old + value;
  }
}

static bool runAtomicRMW(Machine *m, const Instruction *i) {
  const Slot *pointer = i->operands[0], *value = i->operands[1], *mask = i->operands[2];
  Slot *result = i->results[0];
  TileRMWKind kind = (TileRMWKind)i->parameter;
  for (int64_t e = 0; e < value->count; ++e) {
    char *old = result->data + e * (int64_t)result->size;
    uint64_t address = ((const uint64_t *)pointer->data)[e];
    memset(old, 0, result->size);
    if (mask && !mask->data[e])
      continue;
    if (!interpCheckAccess(m, i, pointer, e, address, value->size, "writes"))
      return false;
    char *memory = (char *)(uintptr_t)address;
    memcpy(old, memory, value->size);
    if (tileElementTypeIsFloat(value->type))
      tileFloatStore(value->type, memory, 0,
                     combineFloats(kind, tileFloatLoad(value->type, old, 0),
                                   tileFloatLoad(value->type, value->data, e)));
    else
      tileIntStore(value->type, memory, 0,
                   combineInts(kind, value->type, tileIntLoad(value->type, old, 0),
                               tileIntLoad(value->type, value->data, e)));
  }
  return true;
}

bool interpDecodeAtomicRMW(Decoder *d, MlirOperation op) {
  TileAtomicRMWOp rmw = tileAtomicRMWOpCast(op);
  MlirValue mask = tileAtomicRMWOpGetMask(rmw);
  Instruction *i = interpEmit(d, op, runAtomicRMW, 3, 1);
  i->operands[0] = interpUse(d, op, tileAtomicRMWOpGetPtr(rmw));
  i->operands[1] = interpUse(d, op, tileAtomicRMWOpGetValue(rmw));
  i->operands[2] = mask.ptr ? interpUse(d, op, mask) : NULL;
  i->results[0] = interpResultSlot(d, op, 0);
  i->parameter = (int)tileAtomicRMWOpGetKind(rmw);
  return i->results[0] && i->operands[0] && i->operands[1] && (!mask.ptr || i->operands[2]);
}

static bool runAtomicCAS(Machine *m, const Instruction *i) {
  const Slot *pointer = i->operands[0], *expected = i->operands[1], *value = i->operands[2];
  Slot *result = i->results[0];
  size_t size = value->size;
  for (int64_t e = 0; e < value->count; ++e) {
    uint64_t address = ((const uint64_t *)pointer->data)[e];
    if (!interpCheckAccess(m, i, pointer, e, address, size, "writes"))
      return false;
    char *memory = (char *)(uintptr_t)address, *old = result->data + e * (int64_t)size;
    memcpy(old, memory, size);
    if (!memcmp(old, expected->data + e * (int64_t)size, size))
      memcpy(memory, value->data + e * (int64_t)size, size);
  }
  return true;
}

bool interpDecodeAtomicCAS(Decoder *d, MlirOperation op) { return interpEmitOp(d, op, runAtomicCAS) != NULL; }

/// The value is there now, or the program is put aside until others have run.
static bool runAtomicPoll(Machine *m, const Instruction *i) {
  const Slot *pointer = i->operands[0], *expected = i->operands[1];
  uint64_t address = *(const uint64_t *)pointer->data;
  if (!interpCheckAccess(m, i, pointer, 0, address, expected->size, "reads"))
    return false;
  bool seen = !memcmp((const char *)(uintptr_t)address, expected->data, expected->size);
  m->seen |= seen;
  if (!seen && i->numOperands < 3 && m->others) {
    --m->next;
    m->waits = true;
    return false;
  }
  if (!seen && i->numOperands < 3)
    return interpError(m, i,
                       "waits for ever: memory holds %lld, expected %lld, and no other program can change it",
                       (long long)tileIntLoad(expected->type, (const char *)(uintptr_t)address, 0),
                       (long long)tileIntLoad(expected->type, expected->data, 0));
  i->results[0]->data[0] = seen;
  return true;
}

bool interpDecodeAtomicPoll(Decoder *d, MlirOperation op) {
  return interpEmitOp(d, op, runAtomicPoll) != NULL;
}
