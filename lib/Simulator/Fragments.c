/* Fragments.c - the published fragment layouts as formulas. */
#include "Fragments.h"

static unsigned lanesOf(const SimMatrixShape *s) {
  return s->family == SimMatrix_Mfma || s->family == SimMatrix_MfmaF64 || s->family == SimMatrix_MfmaF8F6F4
             ? 64
             : 32;
}

/// RDNA3 holds A and B twice.
static unsigned copies(const SimMatrixShape *s) { return s->family == SimMatrix_Wmma11 ? 2 : 1; }

unsigned simFragmentSizeA(const SimMatrixShape *s) {
  return s->m * s->k * s->blocks * copies(s) / lanesOf(s);
}
unsigned simFragmentSizeB(const SimMatrixShape *s) {
  return s->k * s->n * s->blocks * copies(s) / lanesOf(s);
}
unsigned simFragmentSizeC(const SimMatrixShape *s) { return s->m * s->n * s->blocks / lanesOf(s); }

// ---- mma.sync: groups of four lanes hold a row (A) or a column (B) ----

/// Elements of a 32-bit register, or of one 64-bit register.
static unsigned perRegister(const SimMatrixShape *s) {
  return s->elementBits >= 32 ? 1 : 32 / s->elementBits;
}

/// Registers alternate between rows g and g + 8 if there are 16 rows, then go on along k.
static SimElement mmaA(const SimMatrixShape *s, unsigned lane, unsigned i) {
  const unsigned e = perRegister(s), reg = i / e, halves = s->m / 8;
  const unsigned row = lane / 4 + 8 * (reg % halves);
  return (SimElement){row, (lane % 4) * e + i % e + reg / halves * 4 * e, 0};
}

static SimElement mmaB(const SimMatrixShape *s, unsigned lane, unsigned i) {
  const unsigned e = perRegister(s);
  return (SimElement){(lane % 4) * e + i % e + i / e * 4 * e, lane / 4, 0};
}

static SimElement mmaC(unsigned lane, unsigned i) {
  return (SimElement){lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2, 0};
}

// ---- MFMA: lanes count rows (columns), then blocks, then groups of k ----

static SimElement mfmaOperand(unsigned lane, unsigned i, unsigned outer, unsigned blocks, unsigned depth) {
  const unsigned rest = lane / outer;
  return (SimElement){lane % outer, rest / blocks * depth + i, rest % blocks};
}

static SimElement mfmaA(const SimMatrixShape *s, unsigned lane, unsigned i) {
  return mfmaOperand(lane, i, s->m, s->blocks, simFragmentSizeA(s));
}

static SimElement mfmaB(const SimMatrixShape *s, unsigned lane, unsigned i) {
  const SimElement e = mfmaOperand(lane, i, s->n, s->blocks, simFragmentSizeB(s));
  return (SimElement){e.column, e.row, e.block};
}

/// 32 elements of a row: all in a run, or 16 and, half of k further, 16.
static unsigned wideK(const SimMatrixShape *s, unsigned lane, unsigned i) {
  const unsigned group = lane / s->m;
  return s->elementBits == 8 ? i / 16 * (s->k / 2) + group * 16 + i % 16 : group * 32 + i;
}

/// Groups of `height` rows in consecutive registers; the lanes beyond a row's n continue with the next
/// groups, then with the next blocks.
static SimElement mfmaC(const SimMatrixShape *s, unsigned lane, unsigned i) {
  const unsigned height = s->family == SimMatrix_MfmaF64 ? 1 : 4;
  const unsigned column = lane % s->n, rest = lane / s->n,
                 groups = 64 / s->n;        // groups of rows over the lanes
  const unsigned rowGroups = s->m / height; // of one block
  const unsigned group = i / height * groups + rest, row = i % height;
  if (rowGroups < groups) { // several blocks share the lanes
    if (s->family == SimMatrix_MfmaF64)
      return (SimElement){lane / (s->n * s->blocks), column, rest % s->blocks};
    return (SimElement){row, column, rest};
  }
  return (SimElement){group % rowGroups * height + row, column, group / rowGroups};
}

// ---- WMMA ----

/// RDNA3: a lane holds a whole row (column), the upper half-wave a copy. RDNA4: the half-waves share each run
/// of 2 * width along k.
static unsigned wmmaK(const SimMatrixShape *s, unsigned lane, unsigned i) {
  if (s->family == SimMatrix_Wmma11)
    return i;
  const unsigned width = s->k == 16 ? 8 : 16;
  return i % width + lane / 16 * width + i / width * 2 * width;
}

static SimElement wmmaC(const SimMatrixShape *s, unsigned lane, unsigned i) {
  const unsigned row = s->family == SimMatrix_Wmma11 ? 2 * i + lane / 16 : i + 8 * (lane / 16);
  return (SimElement){row, lane % 16, 0};
}

// ---- By family ----

SimElement simFragmentA(const SimMatrixShape *s, unsigned lane, unsigned i) {
  switch (s->family) {
  case SimMatrix_MmaSync:
    return mmaA(s, lane, i);
  case SimMatrix_Mfma:
  case SimMatrix_MfmaF64:
    return mfmaA(s, lane, i);
  case SimMatrix_MfmaF8F6F4:
    return (SimElement){lane % s->m, wideK(s, lane, i), 0};
  default:
    return (SimElement){lane % 16, wmmaK(s, lane, i), 0};
  }
}

SimElement simFragmentB(const SimMatrixShape *s, unsigned lane, unsigned i) {
  switch (s->family) {
  case SimMatrix_MmaSync:
    return mmaB(s, lane, i);
  case SimMatrix_Mfma:
  case SimMatrix_MfmaF64:
    return mfmaB(s, lane, i);
  case SimMatrix_MfmaF8F6F4:
    return (SimElement){wideK(s, lane, i), lane % s->n, 0};
  default:
    return (SimElement){wmmaK(s, lane, i), lane % 16, 0};
  }
}

SimElement simFragmentC(const SimMatrixShape *s, unsigned lane, unsigned i) {
  switch (s->family) {
  case SimMatrix_MmaSync:
    return mmaC(lane, i);
  case SimMatrix_Mfma:
  case SimMatrix_MfmaF64:
  case SimMatrix_MfmaF8F6F4:
    return mfmaC(s, lane, i);
  default:
    return wmmaC(s, lane, i);
  }
}

unsigned simPatternLane(unsigned pattern, unsigned lane) {
  switch (pattern) {
  case 0:
    return lane;
  case 1:
  case 2:
    return lane % 32 + 32 * (pattern - 1);
  case 3:
    return (lane + 16) % 64;
  default:
    return lane % 16 + 16 * (pattern - 4);
  }
}

SimElement simLdMatrixElement(bool transposed, unsigned lane, unsigned h) {
  const unsigned group = lane / 4, inner = lane % 4 * 2 + h;
  return transposed ? (SimElement){inner, group, 0} : (SimElement){group, inner, 0};
}
