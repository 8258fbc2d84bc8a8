/* Memory.c - pointer arithmetic, loads and stores on host memory, with every access checked. */
#include "Decode.h"
#include "tile-c/Dialect/Tile.h"
#include <inttypes.h>
#include <stdio.h>

// ---- Checking ----

static bool contains(const Buffer *b, uint64_t address, size_t bytes) {
  return address >= b->start && b->bytes >= bytes && address - b->start <= b->bytes - bytes;
}

/// Signed distance in bytes from the buffer: negative before it, 0 if the access begins inside.
static int64_t distance(const Buffer *b, uint64_t address) {
  if (address < b->start)
    return (int64_t)(address - b->start);
  uint64_t offset = address - b->start;
  return offset < b->bytes ? 0 : (int64_t)(offset - b->bytes);
}

static const Buffer *nearest(const Machine *m, uint64_t address) {
  const Buffer *best = NULL;
  int64_t bestDistance = INT64_MAX;
  for (int b = 0; b < m->numBuffers; ++b) {
    int64_t gap = distance(&m->buffers[b], address);
    gap = gap < 0 ? (gap == INT64_MIN ? INT64_MAX : -gap) : gap;
    if (gap < bestDistance)
      best = &m->buffers[b], bestDistance = gap;
  }
  return best;
}

static bool outside(Machine *m, const Instruction *i, const Slot *pointer, int64_t element, uint64_t address,
                    size_t bytes, const char *verb) {
  char where[256];
  interpElementText(pointer, element, where, sizeof where);
  const char *comma = where[0] ? " " : "";
  int origin = interpOriginOf(pointer);
  const Buffer *b = origin >= 0 ? &m->buffers[origin] : nearest(m, address);
  if (!b)
    return interpError(m, i, "%s%s%s %zu bytes at address 0x%" PRIx64 ", but no argument is a buffer", where,
                       comma, verb, bytes, address);
  return interpError(
      m, i, "%s%s%s %zu bytes at offset %" PRId64 " of %s %d, which has %" PRIu64 " bytes (%s[%" PRId64 "])",
      where, comma, verb, bytes, (int64_t)(address - b->start),
      origin >= 0 ? "argument" : "the nearest argument", b->argument, b->bytes, tileElementTypeName(b->type),
      b->numElements);
}

bool interpCheckAccess(Machine *m, const Instruction *i, const Slot *pointer, int64_t element,
                       uint64_t address, size_t bytes, const char *verb) {
  int origin = interpOriginOf(pointer);
  bool inside = false;
  if (origin >= 0) {
    inside = contains(&m->buffers[origin], address, bytes);
  } else {
    for (int k = 0; k < m->numBuffers && !inside; ++k) {
      int b = (m->lastBuffer + k) % m->numBuffers;
      if ((inside = contains(&m->buffers[b], address, bytes)))
        m->lastBuffer = b;
    }
  }
  if (!inside)
    return outside(m, i, pointer, element, address, bytes, verb);
  if (address & (bytes - 1)) {
    char where[256];
    interpElementText(pointer, element, where, sizeof where);
    return interpError(m, i, "%s%s%s %zu bytes at address 0x%" PRIx64 ", which is not aligned to them", where,
                       where[0] ? " " : "", verb, bytes, address);
  }
  return true;
}

// ---- addptr ----

static bool runAddPtr(Machine *m, const Instruction *i) {
  const Slot *pointer = i->operands[0], *offset = i->operands[1];
  Slot *result = i->results[0];
  const uint64_t *from = (const uint64_t *)pointer->data;
  uint64_t *to = (uint64_t *)result->data, scale = result->pointeeSize;
  int64_t x[CHUNK];
  for (int64_t start = 0; start < result->count; start += CHUNK) {
    int64_t n = result->count - start < CHUNK ? result->count - start : CHUNK;
    tileIntDecodeArray(offset->type, offset->data + start * (int64_t)offset->size, n, x);
    for (int64_t e = 0; e < n; ++e)
      to[start + e] = from[start + e] + (uint64_t)x[e] * scale;
  }
  return true;
}

bool interpDecodeAddPtr(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runAddPtr);
  if (!i)
    return false;
  interpMergeOrigins(d, i->results[0], i->operands[0]);
  return true;
}

// ---- load, store ----

static void copyOne(char *to, const char *from, size_t size) {
  switch (size) {
  case 4:
    memcpy(to, from, 4);
    return;
  case 2:
    memcpy(to, from, 2);
    return;
  case 8:
    memcpy(to, from, 8);
    return;
  default:
    memcpy(to, from, size);
  }
}

static bool runLoad(Machine *m, const Instruction *i) {
  const Slot *pointer = i->operands[0], *mask = i->operands[1], *other = i->operands[2];
  Slot *result = i->results[0];
  const uint64_t *addresses = (const uint64_t *)pointer->data;
  size_t size = result->size;
  for (int64_t e = 0; e < result->count; ++e) {
    char *to = result->data + e * (int64_t)size;
    if (mask && !mask->data[e]) {
      if (other)
        copyOne(to, other->data + e * (int64_t)size, size);
      else
        memset(to, 0, size);
      continue;
    }
    if (!interpCheckAccess(m, i, pointer, e, addresses[e], size, "reads"))
      return false;
    copyOne(to, (const char *)(uintptr_t)addresses[e], size);
    if (result->type == TileElementType_I1)
      *to = *to != 0;
  }
  return true;
}

bool interpDecodeLoad(Decoder *d, MlirOperation op) {
  TileLoadOp load = tileLoadOpCast(op);
  MlirValue mask = tileLoadOpGetMask(load), other = tileLoadOpGetOther(load);
  Instruction *i = interpEmit(d, op, runLoad, 3, 1);
  i->operands[0] = interpUse(d, op, tileLoadOpGetPtr(load));
  i->operands[1] = mask.ptr ? interpUse(d, op, mask) : NULL;
  i->operands[2] = other.ptr ? interpUse(d, op, other) : NULL;
  i->results[0] = interpResultSlot(d, op, 0);
  if (!i->results[0] || !i->operands[0] || (mask.ptr && !i->operands[1]) || (other.ptr && !i->operands[2]))
    return false;
  interpSetOriginAny(d, i->results[0]);
  return true;
}

static bool runStore(Machine *m, const Instruction *i) {
  const Slot *pointer = i->operands[0], *value = i->operands[1], *mask = i->operands[2];
  const uint64_t *addresses = (const uint64_t *)pointer->data;
  size_t size = value->size;
  for (int64_t e = 0; e < value->count; ++e) {
    if (mask && !mask->data[e])
      continue;
    if (!interpCheckAccess(m, i, pointer, e, addresses[e], size, "writes"))
      return false;
    copyOne((char *)(uintptr_t)addresses[e], value->data + e * (int64_t)size, size);
  }
  return true;
}

bool interpDecodeStore(Decoder *d, MlirOperation op) {
  TileStoreOp store = tileStoreOpCast(op);
  MlirValue mask = tileStoreOpGetMask(store);
  Instruction *i = interpEmit(d, op, runStore, 3, 0);
  i->operands[0] = interpUse(d, op, tileStoreOpGetPtr(store));
  i->operands[1] = interpUse(d, op, tileStoreOpGetValue(store));
  i->operands[2] = mask.ptr ? interpUse(d, op, mask) : NULL;
  return i->operands[0] && i->operands[1] && (!mask.ptr || i->operands[2]);
}
