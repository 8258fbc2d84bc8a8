/* Wgmma.c - products of warp groups. Each warp computes its 16 rows when it comes to the product; what it read
 * stays taken, and its registers must not be touched, until a wait covers the product's group.
 *
 * Sums of floats are those of TensorCore.h in one pass, as an H200 gives them. */
#include "Atomics.h"
#include "Barriers.h"
#include "Hopper.h"
#include "Kernels.h"
#include <math.h>
#include <string.h>

enum { Rows = 16, MaxN = 256, MaxK = 32, SlotGranule = 32, SlotBytes = 128 };

static SimHopperWarp *partOf(const SimWarp *w) { return &w->machine->hopper->warps[w->index]; }
static size_t slotIndex(uint32_t slot) { return slot / SlotGranule; }

typedef struct Operands {
  double a[Rows * MaxK], b[MaxN * MaxK], c[Rows * MaxN];
} Operands;

// ---- Operands ----

static double numberAt(const double *decode, const char *at, unsigned bytes) {
  uint32_t bits = 0;
  memcpy(&bits, at, bytes);
  if (decode)
    return decode[bits];
  return (double)tileF32FromBits(bits & ~UINT32_C(0x1FFF)); // tf32
}

/// One element of an operand in shared memory, recorded 16 bytes at a time.
static bool readShared(SimWarp *w, const SimInsn *i, uint32_t time, const SimDescriptor *d, bool transposed,
                       unsigned first, unsigned count, const double *decode, double sign, double *out) {
  const SimWgmma *g = i->data;
  const SimWgmmaShape *s = &g->shape;
  const unsigned bytes = s->elementBytes;
  for (unsigned outer = 0; outer < count; ++outer)
    for (unsigned k = 0; k < s->k; ++k) {
      const uint32_t address = simDescriptorAddress(d, s, transposed, first + outer, k);
      if (address % 16 == 0 && !simAgentAccess(w, i, SimAgent_Products, time, false, address, 16))
        return false;
      if (address + bytes > w->machine->program->sharedBytes)
        return simFault(w, i, -1, "reaches offset %u of shared memory, which has %u bytes", address + bytes,
                        w->machine->program->sharedBytes),
               false;
      out[outer * s->k + k] = sign * numberAt(decode, w->machine->shared + address, bytes);
    }
  return true;
}

static void readRegistersA(SimWarp *w, const SimWgmma *g, double *out) {
  const unsigned perRegister = 4 / g->shape.elementBytes;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned reg = 0; reg < 4; ++reg)
      for (unsigned e = 0; e < perRegister; ++e) {
        unsigned row, k;
        simWgmmaA(&g->shape, lane, reg, e, &row, &k);
        const char *at = w->regs + g->a[reg] + lane * 4 + e * g->shape.elementBytes;
        out[row * g->shape.k + k] = g->signA * numberAt(g->decodeA, at, g->shape.elementBytes);
      }
}

static double accumulatorNumber(const SimWgmma *g, uint32_t bits, unsigned half) {
  if (g->isHalf)
    return (double)tileF16ToF32((uint16_t)(bits >> 16 * half));
  return g->isInteger ? (double)(int32_t)bits : (double)tileF32FromBits(bits);
}

static void readAccumulator(SimWarp *w, const SimWgmma *g, double *c) {
  for (unsigned reg = 0; reg < g->registers; ++reg)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned half = 0; half <= g->isHalf; ++half) {
        unsigned row, column;
        simWgmmaC(g->isHalf, lane, reg, half, &row, &column);
        c[row * g->shape.n + column] =
            accumulatorNumber(g, SIM_SLOT(uint32_t, w, g->accumulator[reg])[lane], half);
      }
}

static uint32_t integer(const SimWgmma *g, double x) {
  if (g->saturates)
    x = x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
  return (uint32_t)(int64_t)x;
}

/// NaN have the bits that the hardware gives.
static uint32_t encode(const SimWgmma *g, double x) {
  if (g->isInteger)
    return integer(g, x);
  if (isnan(x))
    return g->isHalf ? 0x7FFF : 0x7FFFFFFF;
  return g->isHalf ? tileF32ToF16(tileF64ToF32Odd(x)) : tileF32Bits((float)x);
}

static void writeResult(SimWarp *w, const SimWgmma *g, const double *c) {
  for (unsigned reg = 0; reg < g->registers; ++reg)
    for (unsigned lane = 0; lane < 32; ++lane) {
      uint32_t bits = 0;
      for (unsigned half = 0; half <= g->isHalf; ++half) {
        unsigned row, column;
        simWgmmaC(g->isHalf, lane, reg, half, &row, &column);
        bits |= encode(g, c[row * g->shape.n + column]) << 16 * half;
      }
      SIM_SLOT(uint32_t, w, g->result[reg])[lane] = bits;
    }
}

static void multiply(const SimWgmmaShape *s, const Operands *o, double *c) {
  for (unsigned row = 0; row < Rows; ++row)
    for (unsigned column = 0; column < s->n; ++column) {
      double sum = 0;
      for (unsigned k = 0; k < s->k; ++k)
        sum += o->a[row * s->k + k] * o->b[column * s->k + k];
      c[row * s->n + column] += sum;
    }
}

enum { Columns = 16 };

static void multiplyAligned(const SimWgmma *g, const Operands *o, double *c) {
  const SimWgmmaShape *s = &g->shape;
  double b[Columns * MaxK], part[Rows * Columns];
  for (unsigned first = 0; first < s->n; first += Columns) {
    const unsigned n = s->n - first < Columns ? s->n - first : Columns;
    const SimMatrixShape shape = {SimMatrix_MmaSync, Rows, n, s->k, 1, 8 * s->elementBytes};
    for (unsigned k = 0; k < s->k; ++k)
      for (unsigned column = 0; column < n; ++column)
        b[k * n + column] = o->b[(first + column) * s->k + k];
    for (unsigned row = 0; row < Rows; ++row)
      memcpy(part + row * n, c + row * s->n + first, n * sizeof *part);
    simTensorCoreMultiply(&shape, g->sum, o->a, b, part);
    for (unsigned row = 0; row < Rows; ++row)
      memcpy(c + row * s->n + first, part + row * n, n * sizeof *part);
  }
}

// ---- The product ----

static bool uniform64(SimWarp *w, const SimInsn *i, uint32_t slot, uint64_t *out) {
  const uint64_t *values = SIM_SLOT(uint64_t, w, slot);
  *out = values[0];
  for (unsigned lane = 1; lane < 32; ++lane)
    if (values[lane] != *out)
      return simFault(w, i, (int)lane, "got another descriptor than the warp's first lane"), false;
  return true;
}

static bool isOpen(const SimWarp *w, uint32_t slot) { return partOf(w)->open[slotIndex(slot)] != 0; }

static bool check(SimWarp *w, const SimInsn *i) {
  const SimWgmma *g = i->data;
  if (w->active != w->full)
    return simFault(w, i, __builtin_ctzll(w->full & ~w->active),
                    "is executed by a part of the warp's lanes, expected all"),
           false;
  if (!partOf(w)->isFenced && (g->aInRegisters || !isOpen(w, g->accumulator[0])))
    return simFault(w, i, -1, "touches registers with no wgmma.fence since the last commit"), false;
  for (unsigned k = 0; g->aInRegisters && k < 4; ++k)
    if (isOpen(w, g->a[k]))
      return simFault(w, i, -1, "reads a register that an earlier product still writes"), false;
  return true;
}

static bool readOperands(SimWarp *w, const SimInsn *i, uint32_t time, Operands *o) {
  const SimWgmma *g = i->data;
  uint64_t bits;
  if (g->aInRegisters) {
    readRegistersA(w, g, o->a);
  } else {
    if (!uniform64(w, i, g->a[0], &bits))
      return false;
    const SimDescriptor a = simDescriptorOf(bits);
    if (!readShared(w, i, time, &a, g->shape.transA, Rows * (w->index % 4), Rows, g->decodeA, g->signA, o->a))
      return false;
  }
  if (!uniform64(w, i, g->b, &bits))
    return false;
  const SimDescriptor b = simDescriptorOf(bits);
  return readShared(w, i, time, &b, g->shape.transB, 0, g->shape.n, g->decodeB, g->signB, o->b);
}

static bool scales(const SimWarp *w, const SimWgmma *g) {
  return !g->hasScale || SIM_SLOT(uint8_t, w, g->scale)[0];
}

static void markOpen(SimWarp *w, const SimWgmma *g) {
  SimHopperWarp *part = partOf(w);
  for (unsigned k = 0; k < g->registers; ++k) {
    uint32_t *open = &part->open[slotIndex(g->result[k])];
    part->numOpen += !*open;
    *open = part->committed + 1;
  }
  w->inFlight = part;
}

SimStatus simWgmma(SimWarp *w, const SimInsn *i) {
  const SimWgmma *g = i->data;
  Operands o;
  if (!check(w, i))
    return SimStatus_Fault;
  if (!readOperands(w, i, simAgentTick(w, SimAgent_Products), &o))
    return SimStatus_Fault;
  memset(o.c, 0, sizeof o.c);
  if (scales(w, g))
    readAccumulator(w, g, o.c);
  if (g->sum.terms)
    multiplyAligned(g, &o, o.c);
  else
    multiply(&g->shape, &o, o.c);
  writeResult(w, g, o.c);
  markOpen(w, g);
  return SimStatus_Next;
}

// ---- Groups ----

SimStatus simWgmmaFence(SimWarp *w, const SimInsn *i) {
  (void)i;
  partOf(w)->isFenced = true;
  return SimStatus_Next;
}

SimStatus simWgmmaCommit(SimWarp *w, const SimInsn *i) {
  SimHopperWarp *part = partOf(w);
  (void)i;
  part->groupTimes[part->committed % 8] = part->time[SimAgent_Products];
  ++part->committed;
  part->isFenced = false;
  return SimStatus_Next;
}

SimStatus simWgmmaWait(SimWarp *w, const SimInsn *i) {
  SimHopperWarp *part = partOf(w);
  const uint32_t left = (uint32_t)i->param;
  if (part->committed <= left)
    return SimStatus_Next;
  const uint32_t done = part->committed - left; // groups 0 to done - 1 are over
  simAgentLearn(w, SimAgent_Products, part->groupTimes[(done - 1) % 8]);
  for (size_t k = 0; part->numOpen && k < w->machine->hopper->numSlots; ++k)
    if (part->open[k] && part->open[k] <= done) {
      part->open[k] = 0;
      --part->numOpen;
    }
  w->inFlight = part->numOpen ? part : NULL;
  w->laneClock = w->clock[w->index];
  simTick(w);
  return SimStatus_Next;
}

// ---- Registers of open products ----

static bool touches(const SimHopperWarp *part, uint32_t slot, uint32_t numbers) {
  for (uint32_t k = 0; k < numbers; ++k)
    if (part->open[slotIndex(slot + k * SlotBytes)])
      return true;
  return false;
}

/// Operands of pure instructions, and values that are stored or added to memory.
bool simWgmmaAllows(SimWarp *w, const SimInsn *i) {
  const SimHopperWarp *part = w->inFlight;
  bool reads = false;
  if (i->pure) {
    const uint32_t numbers = i->count / 32;
    reads =
        touches(part, i->a, numbers) || (i->b && touches(part, i->b, 1)) || (i->c && touches(part, i->c, 1));
  } else if (i->effect == simStore) {
    const SimAccess *access = i->data;
    for (uint32_t k = 0; k < access->numParts; ++k)
      reads |= touches(part, access->parts[k].slot, 1);
  } else if (i->effect == simAtomic) {
    const SimAtomicOp *atomic = i->data;
    for (uint32_t k = 0; k < atomic->numParts; ++k)
      reads |= touches(part, atomic->values[k], 1);
  }
  return !reads || (simFault(w, i, -1, "reads a register of a product that has not been waited for"), false);
}

void simWgmmaMove(SimWarp *w, const SimEdge *edge) {
  SimHopperWarp *part = w->inFlight;
  uint32_t *moved = (uint32_t *)(void *)w->machine->scratch;
  for (uint32_t k = 0; k < edge->numMoves; ++k)
    moved[k] = part->open[slotIndex(edge->moves[k].from)];
  for (uint32_t k = 0; k < edge->numMoves; ++k) {
    uint32_t *to = &part->open[slotIndex(edge->moves[k].to)];
    part->numOpen += (moved[k] != 0) - (*to != 0);
    *to = moved[k];
  }
}
