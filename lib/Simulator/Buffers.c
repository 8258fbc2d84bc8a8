/* Buffers.c - raw buffer accesses: what lies beyond the resource's size reads as zero and is not written,
 * word by word (RDNA3 ISA 9.1, "Range checking": loads and stores of several words are checked for each,
 * atomics as a whole). A resource that is larger than what it lies in is still a fault where it matters. */
#include "Buffers.h"
#include "Counters.h"
#include <string.h>

typedef struct Resource {
  uint64_t address; ///< of the access's first byte
  uint64_t offset;  ///< that is compared with the size
  uint32_t size;
} Resource;

static bool readResource(SimWarp *w, const SimInsn *i, uint64_t lane, Resource *out) {
  const SimU128 word = SIM_SLOT(SimU128, w, i->a)[lane];
  const uint64_t base = (uint64_t)word & ((UINT64_C(1) << 48) - 1);
  if ((uint64_t)word >> 48)
    return simFault(w, i, (int)lane,
                    "has a resource with stride or swizzle, which the simulator does not know"),
           false;
  out->offset = (uint64_t)SIM_SLOT(uint32_t, w, i->b)[lane] + SIM_SLOT(uint32_t, w, i->c)[lane];
  out->address = base + out->offset;
  out->size = (uint32_t)(word >> 64);
  return true;
}

typedef struct Lanes {
  uint64_t addresses[SIM_MAX_LANES], offsets[SIM_MAX_LANES];
  uint32_t sizes[SIM_MAX_LANES];
} Lanes;

static bool gather(SimWarp *w, const SimInsn *i, Lanes *out) {
  SIM_FOR_LANES(lane, w->active) {
    Resource r;
    if (!readResource(w, i, lane, &r))
      return false;
    out->addresses[lane] = r.address;
    out->offsets[lane] = r.offset;
    out->sizes[lane] = r.size;
  }
  return true;
}

/// Lanes for which [offset + delta, + bytes) lies in the resource.
static uint64_t inside(const SimWarp *w, const Lanes *lanes, unsigned delta, unsigned bytes) {
  uint64_t mask = 0;
  SIM_FOR_LANES(lane, w->active)
  mask |= (uint64_t)(lanes->offsets[lane] + delta + bytes <= lanes->sizes[lane]) << lane;
  return mask;
}

static void clearOthers(SimWarp *w, const SimPart *part, uint64_t mask) {
  SIM_FOR_LANES(lane, w->active & ~mask)
  memset(w->regs + part->slot + (lane << part->log2Bytes), 0, (size_t)1 << part->log2Bytes);
}

/// Moves one number of all lanes whose word is inside.
static bool movePart(SimWarp *w, const SimInsn *i, const SimBufferAccess *b, const Lanes *lanes,
                     const SimPart *part) {
  const unsigned size = 1u << part->log2Bytes, word = b->access.bytes < 4 ? b->access.bytes : 4;
  const unsigned first = part->offset & ~(word - 1), end = part->offset + size;
  const uint64_t mask = inside(w, lanes, first, end - first < word ? word : end - first);
  uint64_t addresses[SIM_MAX_LANES];
  SimPlaces places;
  SIM_FOR_LANES(lane, mask)
  addresses[lane] = lanes->addresses[lane] + part->offset;
  const SimDirection direction = b->isStore ? SimDirection_Write : SimDirection_Read;
  const unsigned most = size < word ? size : word,
                 alignment = b->access.alignment < most ? b->access.alignment : most;
  if (!simLocate(w, i, SimSpace_Global, addresses, size, alignment, mask, direction, &places))
    return false;
  if (b->isStore) {
    if (!simRecordWrites(w, i, &places, mask, 0, 0, size, false))
      return false;
    simScatter(w->regs + part->slot, &places, mask, 0, part->log2Bytes);
    return true;
  }
  if (!simRecordReads(w, i, &places, mask, 0, size, false))
    return false;
  simGather(w->regs + part->slot, &places, mask, 0, part->log2Bytes);
  clearOthers(w, part, mask);
  return true;
}

/// The lanes inside do the atomic at addresses of their own; the others get zero.
static SimStatus atomic(SimWarp *w, const SimInsn *i, const SimBufferAccess *b, const Lanes *lanes) {
  const uint64_t active = w->active, mask = inside(w, lanes, 0, b->access.bytes);
  SimInsn inner = *i;
  SIM_FOR_LANES(lane, mask)
  SIM_SLOT(uint64_t, w, b->addresses)[lane] = lanes->addresses[lane];
  for (uint32_t k = 0; k < b->atomic->numParts; ++k)
    clearOthers(w, &(SimPart){.slot = b->atomic->old[k], .log2Bytes = (uint8_t)b->atomic->log2Bytes}, mask);
  inner.a = b->addresses;
  inner.data = b->atomic;
  w->active = mask;
  const SimStatus status = mask ? simAtomic(w, &inner) : SimStatus_Next;
  w->active = active;
  return status;
}

SimStatus simBufferAccess(SimWarp *w, const SimInsn *i) {
  const SimBufferAccess *b = i->data;
  Lanes lanes;
  if (!gather(w, i, &lanes))
    return SimStatus_Fault;
  if (!b->isStore || w->machine->program->storesCount)
    simAsyncCountVector(w);
  if (b->atomic)
    return atomic(w, i, b, &lanes);
  for (uint32_t k = 0; k < b->access.numParts; ++k)
    if (!movePart(w, i, b, &lanes, &b->access.parts[k]))
      return SimStatus_Fault;
  const uint64_t mask = inside(w, &lanes, 0, b->access.bytes);
  if (w->machine->counters && mask)
    simCountGlobal(w, i, mask, lanes.addresses, b->access.bytes);
  return SimStatus_Next;
}

SimStatus simBufferCopyAddresses(SimWarp *w, const SimInsn *i) {
  const SimBufferCopy *copy = i->data;
  Lanes lanes;
  if (!gather(w, i, &lanes))
    return SimStatus_Fault;
  SIM_FOR_LANES(lane, w->active) {
    const uint64_t offset = lanes.offsets[lane], size = lanes.sizes[lane];
    const uint64_t bytes = offset < size ? (size - offset) & ~UINT64_C(3) : 0;
    SIM_SLOT(uint64_t, w, copy->addresses)[lane] = lanes.addresses[lane];
    SIM_SLOT(uint32_t, w, copy->counts)[lane] = bytes < copy->bytes ? (uint32_t)bytes : copy->bytes;
  }
  return SimStatus_Next;
}

void simMakeResource(const SimInsn *i, const char *regs, char *result) {
  const uint64_t *base = (const uint64_t *)(const void *)(regs + i->a);
  const uint16_t *stride = (const uint16_t *)(const void *)(regs + i->b);
  const uint64_t *bytes = (const uint64_t *)(const void *)(regs + i->c);
  const uint32_t *flags = (const uint32_t *)(const void *)(regs + i->param);
  SimU128 *r = (SimU128 *)(void *)result;
  for (uint32_t k = 0; k < i->count; ++k)
    r[k] = (base[k] & ((UINT64_C(1) << 48) - 1)) | (SimU128)stride[k] << 48 |
           (SimU128)(uint32_t)bytes[k] << 64 | (SimU128)flags[k] << 96;
}
