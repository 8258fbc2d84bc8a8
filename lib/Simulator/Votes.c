/* Votes.c - what all lanes of a warp together say: votes, matches, reductions. */
#include "Control.h"
#include "Lanes.h"
#include "tile-c/Numerics.h"
#include <string.h>

static void storeLane(SimWarp *w, uint32_t slot, unsigned log2Bytes, uint64_t lane, uint64_t value) {
  memcpy(w->regs + slot + (lane << log2Bytes), &value, (size_t)1 << log2Bytes);
}

SimStatus simVote(SimWarp *w, const SimInsn *i) {
  const uint32_t *members = SIM_SLOT(uint32_t, w, i->a);
  const uint64_t yes = simMaskOf(w, i->b) & w->active;
  if (!simCheckMembers(w, i, i->a))
    return SimStatus_Fault;
  SIM_FOR_LANES(lane, w->active) {
    const uint64_t mask = members[lane], ballot = yes & mask;
    const uint64_t results[] = {[SimVote_Any] = ballot != 0,
                                [SimVote_All] = ballot == mask,
                                [SimVote_Ballot] = ballot,
                                [SimVote_Uniform] = ballot == mask || !ballot};
    storeLane(w, i->result, i->log2Bytes, lane, results[i->param]);
  }
  return SimStatus_Next;
}

SimStatus simBallot(SimWarp *w, const SimInsn *i) {
  const uint64_t yes = simMaskOf(w, i->a) & w->active;
  SIM_FOR_LANES(lane, w->active)
  storeLane(w, i->result, i->log2Bytes, lane, yes);
  return SimStatus_Next;
}

SimStatus simElect(SimWarp *w, const SimInsn *i) {
  if (!simCheckMembers(w, i, i->a))
    return SimStatus_Fault;
  const uint32_t *members = SIM_SLOT(uint32_t, w, i->a);
  SIM_FOR_LANES(lane, w->active)
  storeLane(w, i->result, 0, lane, lane == (uint64_t)__builtin_ctz(members[lane]));
  return SimStatus_Next;
}

static uint64_t numberOf(const SimWarp *w, uint32_t slot, unsigned log2Bytes, uint64_t lane) {
  uint64_t value = 0;
  memcpy(&value, w->regs + slot + (lane << log2Bytes), (size_t)1 << log2Bytes);
  return value;
}

SimStatus simMatchAny(SimWarp *w, const SimInsn *i) {
  if (!simCheckMembers(w, i, i->a))
    return SimStatus_Fault;
  const uint32_t *members = SIM_SLOT(uint32_t, w, i->a);
  SIM_FOR_LANES(lane, w->active) {
    uint64_t equal = 0;
    for (uint64_t other = 0; other < 32; ++other)
      if ((members[lane] >> other & 1) &&
          numberOf(w, i->b, i->log2Bytes, other) == numberOf(w, i->b, i->log2Bytes, lane))
        equal |= UINT64_C(1) << other;
    storeLane(w, i->result, 2, lane, equal);
  }
  return SimStatus_Next;
}

static uint32_t combine(SimRedux kind, uint32_t a, uint32_t b) {
  const double x = (double)tileF32FromBits(a), y = (double)tileF32FromBits(b);
  switch (kind) {
  case SimRedux_Add:
    return a + b;
  case SimRedux_And:
    return a & b;
  case SimRedux_Or:
    return a | b;
  case SimRedux_Xor:
    return a ^ b;
  case SimRedux_Max:
    return (int32_t)a > (int32_t)b ? a : b;
  case SimRedux_Min:
    return (int32_t)a < (int32_t)b ? a : b;
  case SimRedux_UMax:
    return a > b ? a : b;
  case SimRedux_UMin:
    return a < b ? a : b;
  case SimRedux_FMax:
    return tileF32Bits((float)tileMaxNum(x, y));
  default:
    return tileF32Bits((float)tileMinNum(x, y));
  }
}

SimStatus simRedux(SimWarp *w, const SimInsn *i) {
  const uint32_t *values = SIM_SLOT(uint32_t, w, i->a), *members = SIM_SLOT(uint32_t, w, i->b);
  if (!simCheckMembers(w, i, i->b))
    return SimStatus_Fault;
  SIM_FOR_LANES(lane, w->active) {
    const uint32_t mask = members[lane];
    uint32_t sum = values[__builtin_ctz(mask)];
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1)
      sum = combine((SimRedux)i->param, sum, values[__builtin_ctz(rest)]);
    storeLane(w, i->result, 2, lane, sum);
  }
  return SimStatus_Next;
}
