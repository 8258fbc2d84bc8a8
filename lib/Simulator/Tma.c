/* Tma.c - the tensor copy engine: boxes between global and shared memory.
 *
 * A load lands when a wait for its barrier looks for it; a store reads at once, and its source is taken until the
 * wait that covers its group. Elements outside the tensor are filled on the way in and left alone on the way out. */
#include "Barriers.h"
#include "Cluster.h"
#include "Hopper.h"
#include "tile-c/Numerics.h"
#include <stdlib.h>
#include <string.h>

enum { BoxAlignment = 128, Granule = 16 };

static SimHopperWarp *partOf(const SimWarp *w) { return &w->machine->hopper->warps[w->index]; }

static uint32_t boxBytes(const SimTensorMap *map) {
  uint32_t bytes = map->elementBytes;
  for (unsigned d = 0; d < map->rank; ++d)
    bytes *= map->box[d];
  return bytes;
}

/// Every row of a box along the innermost dimension: its place in shared memory before swizzling, its address in
/// global memory, and which of its elements [first, end) are inside the tensor.
typedef struct Row {
  uint32_t shared;
  uint64_t address;
  int64_t first, end;
} Row;

static Row rowOf(const SimBulkCopy *c, uint32_t number) {
  const SimTensorMap *map = c->map;
  const int64_t inner = map->box[0], x = c->coordinates[0];
  Row row = {.shared = c->to + number * map->box[0] * map->elementBytes, .address = map->base};
  row.first = x < 0 ? (-x < inner ? -x : inner) : 0;
  row.end = map->sizes[0] - x < inner ? (map->sizes[0] > x ? map->sizes[0] - x : row.first) : inner;
  for (unsigned d = 1; d < map->rank; ++d) {
    const int64_t at = c->coordinates[d] + number % map->box[d];
    number /= map->box[d];
    if (at < 0 || at >= map->sizes[d])
      row.end = row.first;
    row.address += (uint64_t)(at * map->strides[d]);
  }
  row.address += (uint64_t)((x + row.first) * map->elementBytes);
  return row;
}

static uint32_t numRows(const SimTensorMap *map) { return boxBytes(map) / (map->box[0] * map->elementBytes); }

/// Whether bytes [at, at + count) of the row in shared memory are in global memory already.
static bool isThere(const SimWarp *w, const SimTensorMap *map, const Row *row, const char *global,
                    unsigned at, unsigned count) {
  const uint32_t first = row->shared + (uint32_t)row->first * map->elementBytes + at;
  bool same = true;
  for (unsigned k = 0; k < count; ++k)
    same &= w->machine->shared[simPatternAddress(first + k, map->swizzleBytes)] == global[at + k];
  return same;
}

/// The global bytes of a row; NULL after a fault, or if it has none.
static bool locateRow(SimWarp *w, const SimInsn *i, const SimTensorMap *map, const Row *row,
                      SimDirection direction, SimPlaces *places) {
  const uint64_t address = row->address;
  const unsigned bytes = (unsigned)((row->end - row->first) * map->elementBytes);
  if (!simLocate(w, i, SimSpace_Global, &address, bytes, 1, 1, direction, places))
    return false;
  const char *global = places->at[0];
  for (unsigned at = 0, piece; at < bytes; at += piece) {
    const unsigned most = bytes - at < SIM_MAX_ACCESS ? bytes - at : SIM_MAX_ACCESS, size = map->elementBytes;
    const bool same = direction && isThere(w, map, row, global, at, size);
    for (piece = direction ? size : most; piece < most;
         piece += size) // another program may have written some
      if (isThere(w, map, row, global, at + piece, size) != same)
        break;
    if (!(direction ? simRecordWrites(w, i, places, 1, same, at, piece, false)
                    : simRecordReads(w, i, places, 1, at, piece, false)))
      return false;
  }
  return true;
}

// ---- In ----

/// Checks the source and takes the destination at the start.
static bool startLoad(SimWarp *w, const SimInsn *i, SimBulkCopy *c) {
  SimSharedShadow *shadow = &w->machine->shadow;
  const uint32_t bytes = boxBytes(c->map);
  if (!simAgentAccess(w, i, SimAgent_Copies, c->time, true, c->to, bytes))
    return false;
  for (uint32_t k = 0; k < numRows(c->map); ++k) {
    const Row row = rowOf(c, k);
    SimPlaces places;
    if (row.end > row.first && !locateRow(w, i, c->map, &row, SimDirection_Read, &places))
      return false;
  }
  if (shadow->cells && shadow->wantsRaces)
    simSharedSetFlight(shadow, c->to, bytes, w->index + 1, i->op);
  return true;
}

static bool keep(SimWarp *w, const SimInsn *i, SimMBarrier *b, const SimBulkCopy *c) {
  if (b->numCopies == b->capacity) {
    const size_t capacity = b->capacity ? 2 * b->capacity : 16;
    SimBulkCopy *grown = realloc(b->copies, capacity * sizeof *grown);
    if (!grown)
      return simFault(w, i, -1, "leaves no memory for copies on their way"), false;
    b->copies = grown;
    b->capacity = capacity;
  }
  b->copies[b->numCopies++] = *c;
  return true;
}

/// Elements go to their swizzled places.
static bool land(SimWarp *w, const SimInsn *i, const SimBulkCopy *c) {
  SimMachine *m = w->machine;
  const SimTensorMap *map = c->map;
  const unsigned size = map->elementBytes;
  for (uint32_t k = 0; k < numRows(map); ++k) {
    const Row row = rowOf(c, k);
    SimPlaces places;
    if (row.end > row.first &&
        !simLocate(w, c->insn, SimSpace_Global, &row.address, (unsigned)((row.end - row.first) * size), 1, 1,
                   SimDirection_Read, &places))
      return false;
    for (int64_t e = 0; e < map->box[0]; ++e) {
      char *to = m->shared + simPatternAddress(row.shared + (uint32_t)e * size, map->swizzleBytes);
      if (e >= row.first && e < row.end)
        memcpy(to, places.at[0] + (e - row.first) * size, size);
      else
        memcpy(to, &map->fill, size);
    }
  }
  if (m->shadow.cells && m->shadow.wantsRaces)
    simSharedSetFlight(&m->shadow, c->to, boxBytes(map), 0, i->op);
  return true;
}

bool simTmaLand(SimWarp *w, const SimInsn *i, SimMBarrier *b) {
  const uint32_t phase = b->phase;
  size_t landed = 0;
  bool ok = true;
  for (; ok && landed < b->numCopies && b->phase == phase; ++landed) {
    const SimBulkCopy c = b->copies[landed];
    SimWarp *owner = &w->machine->warps[c.warp];
    ok = land(owner, i, &c) &&
         simMBarrierComplete(w, c.insn, b, boxBytes(c.map), simAgentIndex(owner, SimAgent_Copies), c.time);
  }
  memmove(b->copies, b->copies + landed, (b->numCopies - landed) * sizeof *b->copies);
  b->numCopies -= landed;
  return ok;
}

// ---- Out ----

static double asNumber(uint64_t bits, unsigned size) {
  return size == 4 ? (double)tileF32FromBits((uint32_t)bits) : (double)tileF16ToF32((uint16_t)bits);
}

static uint64_t sumOf(uint64_t a, uint64_t b, unsigned size) {
  const float sum = (float)(asNumber(a, size) + asNumber(b, size));
  return size == 4 ? tileF32Bits(sum) : tileF32ToF16(sum);
}

/// Adds are of f32 and f16; what the reduction is of is not in the map, so others are refused when decoded. Other programs add to
/// the same memory at the same time.
static void combine(char *to, const char *from, unsigned size, bool adds) {
  uint64_t b = 0;
  memcpy(&b, from, size);
  if (!adds) {
    memcpy(to, &b, size);
  } else if (size == 4) {
    uint32_t old = __atomic_load_n((uint32_t *)to, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n((uint32_t *)to, &old, (uint32_t)sumOf(old, b, size), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
  } else {
    uint16_t old = __atomic_load_n((uint16_t *)to, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n((uint16_t *)to, &old, (uint16_t)sumOf(old, b, size), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
  }
}

static bool store(SimWarp *w, const SimInsn *i, const SimBulkCopy *c) {
  const SimTma *t = i->data;
  const SimTensorMap *map = c->map;
  const unsigned size = map->elementBytes;
  if (!simAgentAccess(w, i, SimAgent_Copies, c->time, false, c->to, boxBytes(map)))
    return false;
  for (uint32_t k = 0; k < numRows(map); ++k) {
    const Row row = rowOf(c, k);
    SimPlaces places;
    if (row.end <= row.first)
      continue;
    if (t->reduction ? !simLocate(w, i, SimSpace_Global, &row.address,
                                  (unsigned)((row.end - row.first) * size), 1, 1, SimDirection_Both, &places)
                     : !locateRow(w, i, map, &row, SimDirection_Write, &places))
      return false;
    for (int64_t e = row.first; e < row.end; ++e)
      combine(places.at[0] + (e - row.first) * size,
              w->machine->shared + simPatternAddress(row.shared + (uint32_t)e * size, map->swizzleBytes),
              size, t->reduction != 0);
  }
  ++partOf(w)->stores;
  return true;
}

SimStatus simBulkCommit(SimWarp *w, const SimInsn *i) {
  SimHopperWarp *part = partOf(w);
  if (part->storeGroups == 64)
    return simFault(w, i, -1, "has more than 64 groups of copies open");
  part->storeTimes[part->storeGroups++] = part->time[SimAgent_Copies];
  part->stores = 0;
  return SimStatus_Next;
}

SimStatus simBulkWait(SimWarp *w, const SimInsn *i) {
  SimHopperWarp *part = partOf(w);
  if (part->storeGroups <= i->param)
    return SimStatus_Next;
  const uint32_t done = part->storeGroups - (uint32_t)i->param;
  simAgentLearn(w, SimAgent_Copies, part->storeTimes[done - 1]);
  memmove(part->storeTimes, part->storeTimes + done, (size_t)i->param * sizeof *part->storeTimes);
  part->storeGroups = (uint32_t)i->param;
  return SimStatus_Next;
}

bool simTmaEnd(SimWarp *w) {
  const SimHopperWarp *part = partOf(w);
  if (!part->stores && !part->storeGroups)
    return true;
  return simFault(w, w->pc ? w->pc - 1 : NULL, -1,
                  "ends the warp while copies from its shared memory have not been waited for"),
         false;
}

// ---- Both ----

static const SimTensorMap *mapOf(SimWarp *w, const SimInsn *i, uint64_t address) {
  const uint64_t low = address & ((UINT64_C(1) << SIM_BUFFER_SHIFT) - 1);
  if (address >> SIM_BUFFER_SHIFT == SIM_MAP_WINDOW && low % SIM_MAP_BYTES == 0 &&
      low / SIM_MAP_BYTES < w->machine->program->numTensorMaps)
    return &w->machine->program->tensorMaps[low / SIM_MAP_BYTES];
  return simFault(w, i, -1, "got 0x%llx, expected the address of a tensor map", (unsigned long long)address),
         NULL;
}

/// What ends a kernel on an H200 (an illegal instruction), though no document says so.
static bool checkStart(SimWarp *w, const SimInsn *i, const SimBulkCopy *c, bool isStore) {
  const int64_t inner = c->coordinates[0], multiple = Granule / c->map->elementBytes;
  if (inner % multiple)
    return simFault(w, i, -1,
                    "got %lld as its first coordinate, expected a multiple of %lld, which are %d bytes",
                    (long long)inner, (long long)multiple, (int)Granule),
           false;
  for (unsigned d = 0; isStore && d < c->map->rank; ++d)
    if (c->coordinates[d] < 0)
      return simFault(w, i, -1, "got %lld as coordinate %u, expected 0 or more of what it stores to",
                      (long long)c->coordinates[d], d),
             false;
  return true;
}

static bool check(SimWarp *w, const SimInsn *i, const SimBulkCopy *c, unsigned rank) {
  const unsigned pattern = c->map->swizzleBytes * 8, align = pattern > BoxAlignment ? pattern : BoxAlignment;
  if (c->map->rank != rank)
    return simFault(w, i, -1, "got %u coordinates, expected %u as the tensor map has", rank, c->map->rank),
           false;
  if (c->to % align)
    return simFault(w, i, -1, "got offset %u of shared memory, expected a multiple of %u", c->to, align),
           false;
  return true;
}

/// The same box to another block: there it counts as a copy of the warp of the same number.
static bool copyToPeer(SimWarp *w, const SimInsn *i, SimBulkCopy c, SimMachine *peer, uint64_t barrier) {
  const uint32_t bytes = boxBytes(c.map);
  c.time = simAgentTick(&peer->warps[w->index], SimAgent_Copies);
  if (!simAgentCopiesTo(w, i, peer, c.time, c.to, bytes))
    return false;
  if (peer->shadow.cells && peer->shadow.wantsRaces)
    simSharedSetFlight(&peer->shadow, c.to, bytes, w->index + 1, i->op);
  SimMBarrier *b = simMBarrierForCopy(w, i, peer, barrier);
  return b && keep(w, i, b, &c);
}

static bool copyToBlocks(SimWarp *w, const SimInsn *i, SimBulkCopy *c, uint32_t blocks, uint64_t barrier) {
  const SimCluster *cluster = w->machine->cluster;
  const unsigned count = cluster ? cluster->count : 1;
  if (!blocks || blocks >> count)
    return simFault(w, i, -1, "got blocks 0x%x of a cluster of %u", blocks, count), false;
  for (unsigned r = 0; r < count; ++r) {
    if (!(blocks >> r & 1))
      continue;
    SimMBarrier *b = NULL;
    if (cluster && r != cluster->rank ? !copyToPeer(w, i, *c, cluster->blocks[r], barrier)
                                      : !(b = simMBarrierForCopy(w, i, w->machine, barrier)) ||
                                            !startLoad(w, i, c) || !keep(w, i, b, c))
      return false;
  }
  return true;
}

static SimStatus copyLane(SimWarp *w, const SimInsn *i, uint64_t lane) {
  const SimTma *t = i->data;
  SimBulkCopy c = {.insn = i,
                   .map = mapOf(w, i, SIM_SLOT(uint64_t, w, t->map)[lane]),
                   .to = (uint32_t)SIM_SLOT(uint64_t, w, t->shared)[lane],
                   .warp = (uint16_t)w->index};
  if (!c.map || !check(w, i, &c, t->rank))
    return SimStatus_Fault;
  for (unsigned d = 0; d < t->rank; ++d)
    c.coordinates[d] = (int32_t)SIM_SLOT(uint32_t, w, t->coordinates[d])[lane];
  if (!checkStart(w, i, &c, t->isStore))
    return SimStatus_Fault;
  c.time = simAgentTick(w, SimAgent_Copies);
  if (t->isStore)
    return store(w, i, &c) ? SimStatus_Next : SimStatus_Fault;
  const uint64_t barrier = SIM_SLOT(uint64_t, w, t->barrier)[lane];
  if (t->hasMulticast)
    return copyToBlocks(w, i, &c, SIM_SLOT(uint16_t, w, t->multicast)[lane], barrier) ? SimStatus_Next
                                                                                      : SimStatus_Fault;
  SimMBarrier *b = simMBarrierForCopy(w, i, w->machine, barrier);
  return b && startLoad(w, i, &c) && keep(w, i, b, &c) ? SimStatus_Next : SimStatus_Fault;
}

SimStatus simTmaCopy(SimWarp *w, const SimInsn *i) {
  const SimTma *t = i->data;
  SIM_FOR_LANES(lane, w->active)
  if ((!t->hasPredicate || SIM_SLOT(uint8_t, w, t->predicate)[lane]) && copyLane(w, i, lane))
    return SimStatus_Fault;
  return SimStatus_Next;
}
