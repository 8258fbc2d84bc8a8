/* Races.c - accesses on their way to the shadow memories, and the messages about what those find. */
#include "Memory.h"
#include "Sync.h"
#include <stdio.h>

static const char *describeLane(const SimWarp *w, const SimConflict *c, char *text, size_t size) {
  const unsigned warps = w->machine->program->numWarps;
  if (c->warp >= warps)
    snprintf(text, size, "%s of warp %u that has not been waited for",
             c->warp < 2 * warps ? "a product" : "a tensor copy", c->warp % warps);
  else if (c->lane == SIM_MANY_LANES)
    snprintf(text, size, "warp %u", c->warp);
  else
    snprintf(text, size, "warp %u, lane %u", c->warp, c->lane);
  return text;
}

bool simReportShared(SimWarp *w, const SimInsn *i, uint64_t lane, const SimConflict *c) {
  char who[64];
  const unsigned long long offset = c->offset;
  describeLane(w, c, who, sizeof who);
  switch (c->kind) {
  case SimConflict_Uninitialised:
    simFault(w, i, (int)lane, "reads offset %llu of shared memory, which nobody has written so far", offset);
    return false;
  case SimConflict_InFlight:
    simFault(w, i, (int)lane,
             "touches offset %llu of shared memory while an asynchronous copy of warp %u to it has not been "
             "waited for",
             offset, c->warp);
    break;
  case SimConflict_Remote:
    simFault(w, i, (int)lane,
             "races: writes offset %llu of shared memory, read by another block with no barrier of the "
             "cluster between",
             offset);
    simFaultNote(w->machine, c->op, "it was read here");
    return false;
  case SimConflict_ReadAfterWrite:
    simFault(w, i, (int)lane,
             "races: reads offset %llu of shared memory, written by %s with no barrier between", offset, who);
    break;
  default:
    simFault(w, i, (int)lane, "races: writes offset %llu of shared memory, %s by %s with no barrier between",
             offset, c->kind == SimConflict_WriteAfterRead ? "read" : "written", who);
  }
  simFaultNote(w->machine, c->op,
               c->kind == SimConflict_WriteAfterRead ? "it was read here"
               : c->kind == SimConflict_InFlight     ? "the copy started here"
                                                     : "it was written here");
  return false;
}

static bool reportGlobal(SimWarp *w, const SimInsn *i, uint64_t lane, const SimBuffer *buffer,
                         const SimConflict *c) {
  const SimMachine *m = w->machine;
  const uint32_t *grid = m->run->grid;
  char place[64], other[96];
  const bool own = c->program == m->linear;
  if (c->several && own)
    snprintf(other, sizeof other, "another program");
  else if (own)
    snprintf(other, sizeof other, "warp %u, lane %u with no barrier between", c->warp, c->lane);
  else
    snprintf(other, sizeof other, "program (%llu, %llu, %llu), warp %u, lane %u",
             (unsigned long long)(c->program % grid[0]), (unsigned long long)(c->program / grid[0] % grid[1]),
             (unsigned long long)(c->program / grid[0] / grid[1]), c->warp, c->lane);
  simFault(w, i, (int)lane, "races: %s offset %llu of %s, %s by %s",
           c->kind == SimConflict_ReadAfterWrite ? "reads" : "writes another value at",
           (unsigned long long)c->offset, simDescribePlace(w, buffer, place, sizeof place),
           c->kind == SimConflict_WriteAfterRead ? "read" : "written", other);
  if (!c->several)
    simFaultNote(w->machine, c->op,
                 c->kind == SimConflict_WriteAfterRead ? "it was read here" : "it was written here");
  return false;
}

static SimActor sharedActor(const SimWarp *w, const SimInsn *i, bool isAtomic) {
  return (SimActor){.time = w->clock[w->index],
                    .laneTime = w->laneClock,
                    .known = w->clock,
                    .op = i->op,
                    .warp = w->index,
                    .isAtomic = isAtomic};
}

static SimGlobalActor globalActor(const SimWarp *w, const SimInsn *i, bool isAtomic) {
  const SimMachine *m = w->machine;
  return (SimGlobalActor){.program = m->linear,
                          .time = w->clock[w->index],
                          .start = m->clockBase,
                          .known = w->clock,
                          .op = i->op,
                          .warp = w->index,
                          .isAtomic = isAtomic,
                          .before = simSyncBefore(m)};
}

bool simRecordReads(SimWarp *w, const SimInsn *i, const SimPlaces *places, uint64_t mask, unsigned delta,
                    unsigned bytes, bool isAtomic) {
  const unsigned checks = w->machine->run->checks;
  SimConflict c;
  SimActor actor = sharedActor(w, i, isAtomic);
  if (checks & (TileSimCheck_Race | TileSimCheck_Uninit))
    SIM_FOR_LANES(lane, mask & places->shared) {
      actor.lane = (unsigned)lane;
      if (!simSharedRead(&w->machine->shadow, &actor, places->offset[lane] + delta, bytes, &c))
        return simReportShared(w, i, lane, &c);
    }
  if (!(checks & TileSimCheck_Race) || !(mask & places->global))
    return true;
  SimGlobalActor reader = globalActor(w, i, isAtomic);
  SIM_FOR_LANES(lane, mask & places->global) {
    SimBuffer *b = places->buffer[lane];
    reader.lane = (unsigned)lane;
    if (b->shadow.cells && !simGlobalRead(&b->shadow, &reader, places->offset[lane] + delta, bytes, &c))
      return reportGlobal(w, i, lane, b, &c);
  }
  return true;
}

bool simRecordWrites(SimWarp *w, const SimInsn *i, const SimPlaces *places, uint64_t mask, uint64_t same,
                     unsigned delta, unsigned bytes, bool isAtomic) {
  const unsigned checks = w->machine->run->checks;
  SimConflict c;
  SimActor actor = sharedActor(w, i, isAtomic);
  if (checks & (TileSimCheck_Race | TileSimCheck_Uninit))
    SIM_FOR_LANES(lane, mask & places->shared) {
      actor.lane = (unsigned)lane;
      if (!simSharedWrite(&w->machine->shadow, &actor, places->offset[lane] + delta, bytes, same >> lane & 1,
                          &c))
        return simReportShared(w, i, lane, &c);
    }
  if (!(checks & TileSimCheck_Race) || !(mask & places->global))
    return true;
  SimGlobalActor writer = globalActor(w, i, isAtomic);
  SIM_FOR_LANES(lane, mask & places->global) {
    SimBuffer *b = places->buffer[lane];
    writer.lane = (unsigned)lane;
    if (b->shadow.cells &&
        !simGlobalWrite(&b->shadow, &writer, places->offset[lane] + delta, bytes, same >> lane & 1, &c))
      return reportGlobal(w, i, lane, b, &c);
  }
  return true;
}
