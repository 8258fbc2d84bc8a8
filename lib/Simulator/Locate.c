/* Locate.c - from addresses to places: which buffer or memory, inside it or not, aligned or not; and the
 * words for what is wrong. */
#include "Counters.h"
#include "Memory.h"
#include <stdio.h>
#include <string.h>

static const char *const verbs[] = {"reads", "writes", "updates"};

const char *simDescribePlace(const SimWarp *w, const SimBuffer *buffer, char *text, size_t size) {
  if (!buffer)
    return "shared memory";
  if (buffer->argument < 0)
    return "constant memory";
  snprintf(text, size, "argument %d", buffer->argument);
  return text;
}

/// The nearest buffer to an address outside all.
static const SimBuffer *nearest(const SimRun *run, uint64_t address, char *text, size_t size) {
  const uint64_t half = UINT64_C(1) << (SIM_BUFFER_SHIFT - 1);
  const uint64_t index = (address + half) >> SIM_BUFFER_SHIFT;
  if (index < 1 || index > run->numBuffers || run->buffers[index].argument < 0) {
    snprintf(text, size, "far from all arguments");
    return NULL;
  }
  const SimBuffer *b = &run->buffers[index];
  if (address < b->address)
    snprintf(text, size, "%llu bytes before argument %d", (unsigned long long)(b->address - address),
             b->argument);
  else
    snprintf(text, size, "%llu bytes from the start of argument %d, which has %llu bytes",
             (unsigned long long)(address - b->address), b->argument, (unsigned long long)b->bytes);
  return b;
}

static bool outside(SimWarp *w, const SimInsn *i, uint64_t lane, uint64_t address, unsigned bytes,
                    SimDirection direction) {
  char text[128];
  if (!address)
    return simFault(w, i, (int)lane, "%s %u bytes at a null pointer", verbs[direction], bytes), false;
  nearest(w->machine->run, address, text, sizeof text);
  return simFault(w, i, (int)lane, "%s %u bytes at 0x%llx, %s", verbs[direction], bytes,
                  (unsigned long long)address, text),
         false;
}

static bool misaligned(SimWarp *w, const SimInsn *i, uint64_t lane, uint64_t address, unsigned alignment,
                       SimDirection direction) {
  return simFault(w, i, (int)lane, "%s at address 0x%llx, expected a multiple of %u", verbs[direction],
                  (unsigned long long)address, alignment),
         false;
}

/// A place for accesses outside memory that are not to be reported: reads give what is there.
static char *nowhere(SimWarp *w) { return w->machine->shared + w->machine->program->sharedBytes; }

static bool locateGlobal(SimWarp *w, const SimInsn *i, uint64_t lane, uint64_t address, unsigned bytes,
                         SimDirection direction, SimPlaces *out) {
  SimRun *run = w->machine->run;
  const uint64_t index = address >> SIM_BUFFER_SHIFT;
  const uint64_t offset = address & ((UINT64_C(1) << SIM_BUFFER_SHIFT) - 1);
  SimBuffer *b = index - 1 < run->numBuffers ? &run->buffers[index] : NULL;
  if (b && offset + bytes <= b->bytes && !(b->readOnly && direction)) {
    out->at[lane] = b->data + offset;
    out->offset[lane] = offset;
    out->buffer[lane] = b;
    out->global |= UINT64_C(1) << lane;
    return true;
  }
  out->at[lane] = nowhere(w);
  return !(run->checks & TileSimCheck_Bounds) || outside(w, i, lane, address, bytes, direction);
}

static bool locateShared(SimWarp *w, const SimInsn *i, uint64_t lane, uint64_t offset, unsigned bytes,
                         SimDirection direction, SimPlaces *out) {
  const SimMachine *m = w->machine;
  if (offset + bytes <= m->program->sharedBytes && offset < m->program->sharedBytes) {
    out->at[lane] = m->shared + offset;
    out->offset[lane] = offset;
    out->buffer[lane] = NULL;
    out->shared |= UINT64_C(1) << lane;
    return true;
  }
  out->at[lane] = nowhere(w);
  if (!(m->run->checks & TileSimCheck_Bounds))
    return true;
  return simFault(w, i, (int)lane, "%s %u bytes at offset %lld of shared memory, which has %u bytes",
                  verbs[direction], bytes, (long long)(int32_t)offset, m->program->sharedBytes),
         false;
}

static bool locateLocal(SimWarp *w, const SimInsn *i, uint64_t lane, uint64_t offset, unsigned bytes,
                        SimDirection direction, SimPlaces *out) {
  const SimMachine *m = w->machine;
  const uint64_t size = m->program->localBytes;
  out->buffer[lane] = NULL;
  out->at[lane] = m->local + ((uint64_t)w->index * m->program->lanes + lane) * size + offset;
  if (offset + bytes <= size && offset < size)
    return true;
  out->at[lane] = nowhere(w);
  return !(m->run->checks & TileSimCheck_Bounds) ||
         (simFault(w, i, (int)lane,
                   "%s %u bytes at offset %lld of the lane's own memory, which has %llu bytes",
                   verbs[direction], bytes, (long long)offset, (unsigned long long)size),
          false);
}

/// A generic address may mean any memory.
static bool locateLane(SimWarp *w, const SimInsn *i, SimSpace space, uint64_t lane, uint64_t address,
                       unsigned bytes, SimDirection direction, SimPlaces *out) {
  const uint64_t low = address & ((UINT64_C(1) << SIM_BUFFER_SHIFT) - 1);
  if (space == SimSpace_Shared)
    return locateShared(w, i, lane, address, bytes, direction, out);
  if (space == SimSpace_Local)
    return locateLocal(w, i, lane, address, bytes, direction, out);
  if (space == SimSpace_Generic && address >> SIM_BUFFER_SHIFT == SIM_SHARED_WINDOW)
    return locateShared(w, i, lane, low, bytes, direction, out);
  if (space == SimSpace_Generic && address >> SIM_BUFFER_SHIFT == SIM_LOCAL_WINDOW)
    return locateLocal(w, i, lane, low, bytes, direction, out);
  return locateGlobal(w, i, lane, address, bytes, direction, out);
}

bool simLocate(SimWarp *w, const SimInsn *i, SimSpace space, const uint64_t *addresses, unsigned bytes,
               unsigned alignment, uint64_t mask, SimDirection direction, SimPlaces *out) {
  const bool wantsBounds = w->machine->run->checks & TileSimCheck_Bounds;
  out->global = out->shared = 0;
  SIM_FOR_LANES(lane, mask) {
    if (!locateLane(w, i, space, lane, addresses[lane], bytes, direction, out))
      return false;
    if ((addresses[lane] & (alignment - 1)) && wantsBounds)
      return misaligned(w, i, lane, addresses[lane], alignment, direction);
  }
  return true;
}
