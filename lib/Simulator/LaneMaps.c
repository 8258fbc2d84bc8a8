/* LaneMaps.c - which lane reads which, for every cross-lane instruction. Pure functions. */
#include "Lanes.h"

enum { Unknown = -2 };

unsigned simShflLane(SimShfl kind, unsigned lane, uint32_t b, uint32_t c, bool *out_valid) {
  const unsigned value = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  const int highest = (int)((lane & segment) | (clamp & ~segment)), lowest = (int)(lane & segment);
  int from;
  switch (kind) {
  case SimShfl_Up:
    from = (int)lane - (int)value;
    *out_valid = from >= highest;
    break;
  case SimShfl_Down:
    from = (int)(lane + value);
    *out_valid = from <= highest;
    break;
  case SimShfl_Butterfly:
    from = (int)(lane ^ value);
    *out_valid = from <= highest;
    break;
  default:
    from = lowest | (int)(value & ~segment);
    *out_valid = from <= highest;
  }
  return *out_valid ? (unsigned)from : lane;
}

/// Within rows of 16 lanes.
static int inRow(unsigned lane, int from) {
  return from < 0 || from > 15 ? SIM_LANE_INVALID : (int)(lane & ~15u) + from;
}

static int wholeWave(unsigned control, unsigned lane, unsigned lanes) { // GFX9 only
  switch (control) {
  case 0x130:
    return lane + 1 < lanes ? (int)lane + 1 : SIM_LANE_INVALID;
  case 0x134:
    return (int)((lane + 1) % lanes);
  case 0x138:
    return (int)lane - 1;
  case 0x13C:
    return (int)((lane + lanes - 1) % lanes);
  case 0x142: // row_bcast:15, the last lane of the row before
    return lane >= 16 ? (int)(lane & ~15u) - 1 : SIM_LANE_INVALID;
  case 0x143: // row_bcast:31
    return lane >= 32 ? 31 : SIM_LANE_INVALID;
  default:
    return Unknown;
  }
}

int simDppLane(unsigned control, unsigned lane, unsigned lanes) {
  const int at = (int)(lane & 15), n = (int)(control & 15);
  if (control < 0x100) // quad_perm
    return (int)((lane & ~3u) | (control >> 2 * (lane & 3) & 3));
  switch (control & 0x1F0) {
  case 0x100: // row_shl
    return n ? inRow(lane, at + n) : Unknown;
  case 0x110: // row_shr
    return n ? inRow(lane, at - n) : Unknown;
  case 0x120: // row_ror
    return n ? inRow(lane, (at - n) & 15) : Unknown;
  case 0x150: // row_share, row_newbcast
    return inRow(lane, n);
  case 0x160: // row_xmask
    return inRow(lane, at ^ n);
  default:
    if (control == 0x140) // row_mirror
      return inRow(lane, 15 - at);
    if (control == 0x141) // row_half_mirror
      return inRow(lane, (at & 8) | (7 - (at & 7)));
    return wholeWave(control, lane, lanes);
  }
}

int simSwizzleLane(unsigned offset, unsigned lane) {
  const unsigned at = lane & 31, base = lane & ~31u;
  if (!(offset & 0x8000)) { // bit mode
    const unsigned and = offset & 31, or = offset >> 5 & 31, xor = offset >> 10 & 31;
    return (int)(base | (((at & and) | or) ^ xor));
  }
  if ((offset & 0xFF00) == 0x8000) // quad permutation
    return (int)((lane & ~3u) | (offset >> 2 * (lane & 3) & 3));
  return Unknown;
}

void simMbcnt(const SimInsn *i, const char *regs, char *result) {
  const uint32_t *a = (const uint32_t *)(const void *)(regs + i->a),
                 *c = (const uint32_t *)(const void *)(regs + i->c);
  uint32_t *r = (uint32_t *)(void *)result;
  for (uint32_t lane = 0; lane < i->count; ++lane) {
    const uint32_t first = (uint32_t)i->param;
    const uint32_t below = lane < first         ? 0
                           : lane - first >= 32 ? UINT32_MAX
                                                : (UINT32_C(1) << (lane - first)) - 1;
    r[lane] = c[lane] + (uint32_t)__builtin_popcount(a[lane] & below);
  }
}

void simPrmt(const SimInsn *i, const char *regs, char *result) {
  const uint32_t *a = (const uint32_t *)(const void *)(regs + i->a),
                 *b = (const uint32_t *)(const void *)(regs + i->b);
  const uint32_t *c = (const uint32_t *)(const void *)(regs + i->c);
  uint32_t *r = (uint32_t *)(void *)result;
  for (uint32_t lane = 0; lane < i->count; ++lane) {
    const uint64_t bytes = (uint64_t)b[lane] << 32 | a[lane];
    uint32_t value = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const uint32_t selector = c[lane] >> 4 * k & 15;
      uint32_t byte = (uint32_t)(bytes >> 8 * (selector & 7)) & 0xFF;
      if (selector & 8) // the sign, eight times
        byte = byte & 0x80 ? 0xFF : 0;
      value |= byte << 8 * k;
    }
    r[lane] = value;
  }
}
