/* Memory.c - loads and stores: each lane's place, checks, data. */
#include "Memory.h"
#include "Async.h"
#include "Counters.h"
#include <string.h>

static uint64_t laneMask(SimWarp *w, const SimInsn *i, const SimAccess *access) {
  if (!access->isPredicated)
    return w->active;
  const uint8_t *predicate = SIM_SLOT(uint8_t, w, i->b);
  uint64_t mask = 0;
  SIM_FOR_LANES(lane, w->active)
  mask |= (uint64_t)(predicate[lane] != 0) << lane;
  return mask;
}

// ---- Data ----

#define GATHER(T)                                                                                            \
  SIM_FOR_LANES(lane, mask)                                                                                  \
  memcpy((T *)(void *)slot + lane, places->at[lane] + delta, sizeof(T))
#define SCATTER(T)                                                                                           \
  SIM_FOR_LANES(lane, mask)                                                                                  \
  memcpy(places->at[lane] + delta, (const T *)(const void *)slot + lane, sizeof(T))
#define BY_SIZE(ACTION)                                                                                      \
  switch (log2Bytes) {                                                                                       \
  case 0:                                                                                                    \
    ACTION(uint8_t);                                                                                         \
    break;                                                                                                   \
  case 1:                                                                                                    \
    ACTION(uint16_t);                                                                                        \
    break;                                                                                                   \
  case 2:                                                                                                    \
    ACTION(uint32_t);                                                                                        \
    break;                                                                                                   \
  case 3:                                                                                                    \
    ACTION(uint64_t);                                                                                        \
    break;                                                                                                   \
  default:                                                                                                   \
    ACTION(SimU128);                                                                                         \
  }

void simGather(char *slot, const SimPlaces *places, uint64_t mask, unsigned delta, unsigned log2Bytes) {
  BY_SIZE(GATHER)
}

void simScatter(const char *slot, const SimPlaces *places, uint64_t mask, unsigned delta,
                unsigned log2Bytes) {
  BY_SIZE(SCATTER)
}

/// Lanes whose bytes in memory equal the slot's.
static uint64_t equalLanes(const char *slot, const SimPlaces *places, uint64_t mask, unsigned delta,
                           unsigned log2Bytes) {
  const size_t size = (size_t)1 << log2Bytes;
  uint64_t equal = 0;
  SIM_FOR_LANES(lane, mask)
  equal |= (uint64_t)!memcmp(places->at[lane] + delta, slot + (lane << log2Bytes), size) << lane;
  return equal;
}

/// An integer of an odd width has no bits above it.
static void clearAbove(SimWarp *w, const SimAccess *access, uint64_t mask) {
  for (uint32_t k = 0; access->bits && k < access->numParts; ++k) {
    const SimPart *part = &access->parts[k];
    const unsigned below = access->bits & 7u;
    SIM_FOR_LANES(lane, mask) {
      uint8_t *top = (uint8_t *)w->regs + part->slot + (lane << part->log2Bytes) + (access->bits >> 3);
      *top &= (uint8_t)((1u << below) - 1);
    }
  }
}

// ---- Load and store ----

static void fillOthers(SimWarp *w, const SimAccess *access, uint64_t mask) {
  const unsigned lanes = w->machine->program->lanes;
  for (uint32_t k = 0; mask && k < access->numParts; ++k) {
    const SimPart *part = &access->parts[k];
    simBlend(w->regs + part->slot, w->regs + part->other, lanes, part->log2Bytes, lanes, mask);
  }
}

static void count(SimWarp *w, const SimInsn *i, const SimPlaces *places, const uint64_t *addresses,
                  unsigned bytes) {
  if (places->global)
    simCountGlobal(w, i, places->global, addresses, bytes);
  if (places->shared)
    simCountShared(w, i, SimBankRule_Nvidia, places->shared, places->offset, bytes);
}

SimStatus simLoad(SimWarp *w, const SimInsn *i) {
  const SimAccess *access = i->data;
  const uint64_t mask = laneMask(w, i, access), *addresses = SIM_SLOT(uint64_t, w, i->a);
  SimPlaces places;
  w->machine->asked += access->asks;
  if (w->machine->program->isAmd && access->space != SimSpace_Shared)
    simAsyncCountVector(w);
  if (!simLocate(w, i, access->space, addresses, access->bytes, access->alignment, mask, SimDirection_Read,
                 &places))
    return SimStatus_Fault;
  for (uint32_t k = 0; k < access->numParts; ++k) {
    const SimPart *part = &access->parts[k];
    if (!simRecordReads(w, i, &places, mask, part->offset, 1u << part->log2Bytes, access->isAtomic))
      return SimStatus_Fault;
    simGather(w->regs + part->slot, &places, mask, part->offset, part->log2Bytes);
  }
  clearAbove(w, access, mask);
  if (access->isPredicated)
    fillOthers(w, access, w->active & ~mask);
  if (w->machine->counters && mask)
    count(w, i, &places, addresses, access->bytes);
  return SimStatus_Next;
}

/// Two lanes have stored different values at one place: the later one's stands.
static SimStatus reportClash(SimWarp *w, const SimInsn *i, const SimPlaces *places, uint64_t lane,
                             const SimPart *part) {
  uint64_t other = lane;
  const char *at = places->at[lane] + part->offset;
  SIM_FOR_LANES(candidate, w->active)
  if (candidate != lane && places->at[candidate] && places->at[candidate] + part->offset == at)
    other = candidate;
  char text[64];
  return simFault(w, i, (int)lane,
                  "races with itself: lanes %llu and %llu store different values at offset %llu of %s",
                  (unsigned long long)lane, (unsigned long long)other,
                  (unsigned long long)(places->offset[lane] + part->offset),
                  simDescribePlace(w, places->buffer[lane], text, sizeof text));
}

SimStatus simStore(SimWarp *w, const SimInsn *i) {
  const SimAccess *access = i->data;
  const uint64_t mask = laneMask(w, i, access), *addresses = SIM_SLOT(uint64_t, w, i->a);
  const bool wantsRaces = w->machine->run->checks & TileSimCheck_Race;
  SimPlaces places;
  if (w->machine->program->storesCount && access->space != SimSpace_Shared)
    simAsyncCountVector(w);
  if (!simLocate(w, i, access->space, addresses, access->bytes, access->alignment, mask, SimDirection_Write,
                 &places))
    return SimStatus_Fault;
  for (uint32_t k = 0; k < access->numParts; ++k) {
    const SimPart *part = &access->parts[k];
    const char *slot = w->regs + part->slot;
    const uint64_t same = wantsRaces ? equalLanes(slot, &places, mask, part->offset, part->log2Bytes) : 0;
    if (!simRecordWrites(w, i, &places, mask, same, part->offset, 1u << part->log2Bytes, access->isAtomic))
      return SimStatus_Fault;
    simScatter(slot, &places, mask, part->offset, part->log2Bytes);
  }
  for (uint32_t k = 0; wantsRaces && k < access->numParts; ++k) {
    const SimPart *part = &access->parts[k];
    const uint64_t lost =
        mask & ~equalLanes(w->regs + part->slot, &places, mask, part->offset, part->log2Bytes);
    if (lost)
      return reportClash(w, i, &places, (uint64_t)__builtin_ctzll(lost), part);
  }
  if (w->machine->counters && mask)
    count(w, i, &places, addresses, access->bytes);
  return SimStatus_Next;
}
