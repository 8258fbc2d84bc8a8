/* SharedShadow.c - happens-before for the shared memory of one program. */
#include "Shadow.h"
#include <stdlib.h>

bool simSharedShadowInit(SimSharedShadow *s, uint64_t bytes, unsigned granule, unsigned numWarps) {
  s->log2Granule = (unsigned)__builtin_ctz(granule);
  s->numCells = (bytes >> s->log2Granule) + 1;
  s->numWarps = numWarps;
  s->cells = calloc(s->numCells, sizeof *s->cells);
  s->reads = calloc(s->numCells * numWarps, sizeof *s->reads);
  return s->cells && s->reads;
}

void simSharedShadowRelease(SimSharedShadow *s) {
  free(s->cells);
  free(s->reads);
  s->cells = NULL;
  s->reads = NULL;
}

/// True if the last write was by the same instruction of the same warp: whether lanes of one store disagree
/// is looked at where the values are.
static bool isSameStore(const SimActor *who, const SimSharedCell *cell) {
  return cell->op == who->op && cell->warp == who->warp && cell->time == who->time;
}

/// True if an access of another (or the same) lane at `time` happened before what `who` does.
static bool isBefore(const SimSharedShadow *s, const SimActor *who, uint32_t time, unsigned warp,
                     unsigned lane) {
  if (time <= s->start)
    return true;
  if (warp != who->warp)
    return time <= who->known[warp];
  return s->lockstep || lane == who->lane || time <= who->laneTime;
}

static bool conflict(SimConflict *out, SimConflictKind kind, unsigned warp, unsigned lane, uint32_t op,
                     uint64_t offset) {
  *out = (SimConflict){.kind = kind, .warp = warp, .lane = lane, .op = op, .offset = offset};
  return false;
}

static bool isInFlight(const SimSharedCell *cell, uint64_t offset, SimConflict *out) {
  return cell->flight &&
         !conflict(out, SimConflict_InFlight, cell->flight - 1u, SIM_MANY_LANES, cell->flightOp, offset);
}

bool simSharedRead(SimSharedShadow *s, const SimActor *who, uint64_t offset, unsigned bytes,
                   SimConflict *out_conflict) {
  const uint64_t last = (offset + bytes - 1) >> s->log2Granule;
  for (uint64_t at = offset >> s->log2Granule; at <= last; ++at) {
    const SimSharedCell *cell = &s->cells[at];
    const uint64_t place = at << s->log2Granule;
    if (s->wantsRaces && isInFlight(cell, place, out_conflict))
      return false;
    if (cell->time <= s->start) {
      if (s->wantsUninit)
        return conflict(out_conflict, SimConflict_Uninitialised, 0, 0, 0, place);
    } else if (s->wantsRaces && !(who->isAtomic && cell->isAtomic) &&
               !isBefore(s, who, cell->time, cell->warp, cell->lane)) {
      return conflict(out_conflict, SimConflict_ReadAfterWrite, cell->warp, cell->lane, cell->op, place);
    }
    if (who->isAtomic)
      continue;
    uint64_t *read = &s->reads[at * s->numWarps + who->warp];
    const bool again = *read >> 32 == who->time && (uint8_t)*read != who->lane;
    *read = (uint64_t)who->time << 32 | (uint64_t)(who->op & 0xFFFFFF) << 8 |
            (again ? SIM_MANY_LANES : who->lane);
  }
  return true;
}

/// A read of this cell that is not ordered before the write; false if there is none.
static bool findReader(const SimSharedShadow *s, const SimActor *who, uint64_t at, SimConflict *out) {
  const uint64_t *reads = &s->reads[at * s->numWarps];
  for (unsigned warp = 0; warp < s->numWarps; ++warp) {
    const uint32_t time = (uint32_t)(reads[warp] >> 32);
    const unsigned lane = (uint8_t)reads[warp];
    if (!isBefore(s, who, time, warp, lane))
      return !conflict(out, SimConflict_WriteAfterRead, warp, lane, (uint32_t)(reads[warp] >> 8) & 0xFFFFFF,
                       at << s->log2Granule);
  }
  return false;
}

bool simSharedWrite(SimSharedShadow *s, const SimActor *who, uint64_t offset, unsigned bytes, bool same,
                    SimConflict *out_conflict) {
  const uint64_t last = (offset + bytes - 1) >> s->log2Granule;
  for (uint64_t at = offset >> s->log2Granule; at <= last; ++at) {
    SimSharedCell *cell = &s->cells[at];
    const uint64_t place = at << s->log2Granule;
    if (s->wantsRaces) {
      if (s->remote && s->remote[at] >> 32 == (uint64_t)s->phase + 1)
        return conflict(out_conflict, SimConflict_Remote, 0, 0, (uint32_t)s->remote[at], place);
      if (isInFlight(cell, place, out_conflict) || findReader(s, who, at, out_conflict))
        return false;
      if (!same && !(who->isAtomic && cell->isAtomic) && !isSameStore(who, cell) &&
          !isBefore(s, who, cell->time, cell->warp, cell->lane))
        return conflict(out_conflict, SimConflict_WriteAfterWrite, cell->warp, cell->lane, cell->op, place);
    }
    *cell = (SimSharedCell){.time = who->time,
                            .op = who->op,
                            .warp = (uint8_t)who->warp,
                            .lane = (uint8_t)who->lane,
                            .isAtomic = who->isAtomic,
                            .flight = cell->flight,
                            .flightOp = cell->flightOp};
  }
  return true;
}

void simSharedSetFlight(SimSharedShadow *s, uint64_t offset, unsigned bytes, unsigned flight, uint32_t op) {
  const uint64_t last = (offset + bytes - 1) >> s->log2Granule;
  for (uint64_t at = offset >> s->log2Granule; at <= last; ++at) {
    s->cells[at].flight = (uint8_t)flight;
    s->cells[at].flightOp = op;
  }
}
