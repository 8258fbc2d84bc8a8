/* Lanes.c - shuffles and permutations, with the faults they can have: reading a lane that is not there. */
#include "Lanes.h"
#include <string.h>

/// Every number of the value goes from one lane to another.
static void take(SimWarp *w, const SimLaneMove *move, unsigned log2Bytes, uint64_t lane, uint64_t from) {
  const size_t size = (size_t)1 << log2Bytes;
  for (uint32_t k = 0; k < move->numParts; ++k)
    memcpy(w->regs + move->to[k] + lane * size, w->regs + move->from[k] + from * size, size);
}

static void keepOld(SimWarp *w, const SimLaneMove *move, unsigned log2Bytes, uint64_t lane) {
  const size_t size = (size_t)1 << log2Bytes;
  for (uint32_t k = 0; k < move->numParts; ++k)
    memcpy(w->regs + move->to[k] + lane * size, w->regs + move->old[k] + lane * size, size);
}

static void clear(SimWarp *w, const SimLaneMove *move, unsigned log2Bytes, uint64_t lane) {
  const size_t size = (size_t)1 << log2Bytes;
  for (uint32_t k = 0; k < move->numParts; ++k)
    memset(w->regs + move->to[k] + lane * size, 0, size);
}

static SimStatus fromInactive(SimWarp *w, const SimInsn *i, uint64_t lane, uint64_t from) {
  return simFault(w, i, (int)lane, "reads lane %llu, which is not active", (unsigned long long)from);
}

bool simCheckMembers(SimWarp *w, const SimInsn *i, uint32_t slot) {
  const uint32_t *masks = SIM_SLOT(uint32_t, w, slot);
  SIM_FOR_LANES(lane, w->active) {
    if (!(masks[lane] >> lane & 1))
      return simFault(w, i, (int)lane, "is executed by a lane that its mask 0x%x leaves out", masks[lane]),
             false;
    const uint64_t missing = masks[lane] & ~w->active & w->full;
    if (missing)
      return simFault(w, i, (int)lane, "names lanes 0x%llx, which are not active, in its mask 0x%x",
                      (unsigned long long)missing, masks[lane]),
             false;
  }
  return true;
}

SimStatus simShfl(SimWarp *w, const SimInsn *i) {
  const SimLaneMove *move = i->data;
  const uint32_t *b = SIM_SLOT(uint32_t, w, i->b), *c = SIM_SLOT(uint32_t, w, i->c);
  if (!simCheckMembers(w, i, i->a))
    return SimStatus_Fault;
  SIM_FOR_LANES(lane, w->active) {
    bool valid;
    const unsigned from = simShflLane((SimShfl)move->kind, (unsigned)lane, b[lane], c[lane], &valid);
    if (!(w->active >> from & 1))
      return fromInactive(w, i, lane, from);
    take(w, move, i->log2Bytes, lane, from);
    if (move->valid)
      SIM_SLOT(uint8_t, w, move->valid)[lane] = valid;
  }
  return SimStatus_Next;
}

SimStatus simBpermute(SimWarp *w, const SimInsn *i) {
  const uint32_t *address = SIM_SLOT(uint32_t, w, i->a);
  SIM_FOR_LANES(lane, w->active) {
    const unsigned from = address[lane] / 4 % w->machine->program->lanes;
    if (!(w->active >> from & 1))
      return fromInactive(w, i, lane, from);
    take(w, i->data, i->log2Bytes, lane, from);
  }
  return SimStatus_Next;
}

SimStatus simDpp(SimWarp *w, const SimInsn *i) {
  const SimLaneMove *move = i->data;
  SIM_FOR_LANES(lane, w->active) {
    const int from = simDppLane(move->kind, (unsigned)lane, w->machine->program->lanes);
    const bool enabled = (move->rowMask >> (lane / 16) & 1) && (move->bankMask >> (lane / 4 % 4) & 1);
    if (!enabled)
      keepOld(w, move, i->log2Bytes, lane);
    else if (from >= 0 && (w->active >> from & 1))
      take(w, move, i->log2Bytes, lane, (uint64_t)from);
    else if (move->boundControl)
      clear(w, move, i->log2Bytes, lane);
    else
      keepOld(w, move, i->log2Bytes, lane);
  }
  return SimStatus_Next;
}

SimStatus simSwizzle(SimWarp *w, const SimInsn *i) {
  const SimLaneMove *move = i->data;
  SIM_FOR_LANES(lane, w->active) {
    const int from = simSwizzleLane(move->kind, (unsigned)lane);
    if (from < 0 || !(w->active >> from & 1))
      return fromInactive(w, i, lane, (uint64_t)from);
    take(w, move, i->log2Bytes, lane, (uint64_t)from);
  }
  return SimStatus_Next;
}

SimStatus simReadLane(SimWarp *w, const SimInsn *i) {
  const uint32_t *lanes = SIM_SLOT(uint32_t, w, i->a);
  const unsigned from = lanes[__builtin_ctzll(w->active)] % w->machine->program->lanes;
  SIM_FOR_LANES(lane, w->active) {
    if (lanes[lane] % w->machine->program->lanes != from)
      return simFault(w, i, (int)lane, "reads lane %u, expected lane %u as in the warp's first lane",
                      lanes[lane], from);
    take(w, i->data, i->log2Bytes, lane, from); // inactive lanes too, as the hardware does
  }
  return SimStatus_Next;
}

SimStatus simReadFirstLane(SimWarp *w, const SimInsn *i) {
  const uint64_t from = (uint64_t)__builtin_ctzll(w->active);
  SIM_FOR_LANES(lane, w->active)
  take(w, i->data, i->log2Bytes, lane, from);
  return SimStatus_Next;
}

/// v_permlane16_swap_b32 and 32: odd rows of the first operand change places with even rows of the second.
SimStatus simPermlaneSwap(SimWarp *w, const SimInsn *i) {
  const SimLaneMove *move = i->data;
  const unsigned half = move->kind;
  const uint32_t *one = SIM_SLOT(uint32_t, w, move->from[0]), *two = SIM_SLOT(uint32_t, w, move->from[1]);
  uint32_t *first = SIM_SLOT(uint32_t, w, move->to[0]), *second = SIM_SLOT(uint32_t, w, move->to[1]);
  if (w->active != w->full)
    return simFault(w, i, -1, "is executed by a part of the warp's lanes, expected all");
  for (unsigned lane = 0; lane < w->machine->program->lanes; ++lane) {
    const bool odd = lane & half;
    first[lane] = odd ? two[lane - half] : one[lane];
    second[lane] = odd ? two[lane] : one[lane + half];
  }
  return SimStatus_Next;
}

/// v_permlanex16_b32: from the other row of 16 of each pair, at the lane that a nibble names.
SimStatus simPermlaneX16(SimWarp *w, const SimInsn *i) {
  const SimLaneMove *move = i->data;
  const uint32_t *low = SIM_SLOT(uint32_t, w, i->b), *high = SIM_SLOT(uint32_t, w, i->c);
  SIM_FOR_LANES(lane, w->active) {
    const unsigned at = (unsigned)lane & 15;
    const uint32_t selectors = at < 8 ? low[lane] : high[lane];
    const uint64_t from = (((lane & ~UINT64_C(15)) ^ 16) | (selectors >> 4 * (at & 7) & 15));
    if (w->active >> from & 1)
      take(w, move, i->log2Bytes, lane, from);
    else if (move->boundControl)
      clear(w, move, i->log2Bytes, lane);
    else
      keepOld(w, move, i->log2Bytes, lane);
  }
  return SimStatus_Next;
}
