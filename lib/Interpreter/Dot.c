/* Dot.c - tile.dot: every sum is a chain of fused multiply-adds in ascending k, in f32 (f64, i32 for those
 * types).
 *
 * f16, bf16 and f8 products are exact in f32's range, so the chain rounds as exact products added one by one.
 * Narrower accumulators are widened first and rounded once at the end. What `precision` does to f32 operands
 * is in docs/spec/numerics.md. */
#include "Dot.h"
#include "tile-c/Dialect/Tile.h"
#include <math.h>

// fmaf without the instruction is a call of 20 ns: compile the loop for the processors that have it as well.
#if defined(__x86_64__) && defined(__linux__)
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
static void fmaRow(float *restrict acc, const float *restrict b, float a, int64_t n) {
  for (int64_t j = 0; j < n; ++j)
    acc[j] = fmaf(a, b[j], acc[j]);
}

void interpMultiplyAdd(float *acc, const float *a, const float *b, int64_t m, int64_t n, int64_t k) {
  for (int64_t row = 0; row < m; ++row)
    for (int64_t step = 0; step < k; ++step)
      fmaRow(acc + row * n, b + step * n, a[row * k + step], n);
}

void interpLoadFloats(const Slot *slot, int64_t start, int64_t count, float *out) {
  double x[CHUNK];
  for (int64_t done = 0; done < count; done += CHUNK) {
    int64_t n = count - done < CHUNK ? count - done : CHUNK;
    tileFloatDecodeArray(slot->type, slot->data + (start + done) * (int64_t)slot->size, n, x);
    for (int64_t e = 0; e < n; ++e)
      out[done + e] = (float)x[e];
  }
}

void interpStoreFloats(Slot *slot, int64_t start, int64_t count, const float *values) {
  double x[CHUNK];
  for (int64_t done = 0; done < count; done += CHUNK) {
    int64_t n = count - done < CHUNK ? count - done : CHUNK;
    for (int64_t e = 0; e < n; ++e)
      x[e] = values[done + e];
    tileFloatEncodeArray(slot->type, x, n, slot->data + (start + done) * (int64_t)slot->size);
  }
}

// ---- Operand parts ----

enum { MAX_PARTS = 3 };
typedef float (*Narrow)(float);

static float toTF32(float x) { return tileRoundTF32(x, TileRoundingMode_TowardZero); }
static float toBF16(float x) { return tileBF16ToF32(tileF32ToBF16(x)); }

/// Which products of parts make up the precise one: (part of a, part of b), smallest first.
typedef struct PrecisionRow {
  int parts, products;
  Narrow narrow; ///< NULL: the operand as it is
  signed char pairs[6][2];
} PrecisionRow;

static const PrecisionRow precisions[] = {
    [TileInputPrecision_IEEE] = {1, 1, NULL, {{0, 0}}},
    [TileInputPrecision_TF32] = {1, 1, toTF32, {{0, 0}}},
    [TileInputPrecision_TF32x3] = {2, 3, toTF32, {{1, 0}, {0, 1}, {0, 0}}},
    [TileInputPrecision_BF16x3] = {2, 3, toBF16, {{1, 0}, {0, 1}, {0, 0}}},
    [TileInputPrecision_BF16x6] = {3, 6, toBF16, {{1, 1}, {2, 0}, {0, 2}, {1, 0}, {0, 1}, {0, 0}}},
};

/// x becomes part 0; parts 1.. hold what narrowing left over. An infinite value has no rest.
static void splitParts(const PrecisionRow *row, float *const *parts, int64_t count) {
  if (!row->narrow)
    return;
  for (int64_t e = 0; e < count; ++e) {
    float rest = parts[0][e];
    for (int p = 0; p < row->parts; ++p) {
      float part = row->narrow(rest);
      parts[p][e] = part;
      rest = isfinite(part) ? rest - part : 0;
    }
  }
}

// ---- The three arithmetics ----

typedef struct Dot {
  int64_t batch, m, n, k;
  const PrecisionRow *precision;
  float *a[MAX_PARTS], *b[MAX_PARTS], *acc; ///< scratch of one batch
} Dot;

static bool runDotFloat(Machine *machine, const Instruction *i) {
  const Dot *dot = i->data;
  int64_t sizeA = dot->m * dot->k, sizeB = dot->k * dot->n, sizeC = dot->m * dot->n;
  for (int64_t batch = 0; batch < dot->batch; ++batch) {
    interpLoadFloats(i->operands[0], batch * sizeA, sizeA, dot->a[0]);
    interpLoadFloats(i->operands[1], batch * sizeB, sizeB, dot->b[0]);
    interpLoadFloats(i->operands[2], batch * sizeC, sizeC, dot->acc);
    splitParts(dot->precision, dot->a, sizeA);
    splitParts(dot->precision, dot->b, sizeB);
    for (int p = 0; p < dot->precision->products; ++p)
      interpMultiplyAdd(dot->acc, dot->a[dot->precision->pairs[p][0]], dot->b[dot->precision->pairs[p][1]],
                        dot->m, dot->n, dot->k);
    interpStoreFloats(i->results[0], batch * sizeC, sizeC, dot->acc);
  }
  return true;
}

static bool runDotDouble(Machine *machine, const Instruction *i) {
  const Dot *dot = i->data;
  memcpy(i->results[0]->data, i->operands[2]->data, (size_t)i->results[0]->count * sizeof(double));
  for (int64_t row = 0; row < dot->batch * dot->m; ++row) {
    const double *a = (const double *)i->operands[0]->data + row * dot->k;
    const double *b = (const double *)i->operands[1]->data + row / dot->m * dot->k * dot->n;
    double *acc = (double *)i->results[0]->data + row * dot->n;
    for (int64_t step = 0; step < dot->k; ++step)
      for (int64_t j = 0; j < dot->n; ++j)
        acc[j] = fma(a[step], b[step * dot->n + j], acc[j]);
  }
  return true;
}

static bool runDotInteger(Machine *machine, const Instruction *i) {
  const Dot *dot = i->data;
  const Slot *a = i->operands[0], *b = i->operands[1], *c = i->operands[2];
  Slot *result = i->results[0];
  for (int64_t e = 0; e < result->count; ++e) {
    int64_t row = e / dot->n, column = e % dot->n, first = row / dot->m * dot->k * dot->n + column;
    uint64_t sum = (uint64_t)tileIntLoad(c->type, c->data, e);
    for (int64_t step = 0; step < dot->k; ++step)
      sum += (uint64_t)tileIntLoad(a->type, a->data, row * dot->k + step) *
             (uint64_t)tileIntLoad(b->type, b->data, first + step * dot->n);
    tileIntStore(result->type, result->data, e, (int64_t)sum);
  }
  return true;
}

static bool allocateParts(Decoder *d, MlirOperation op, Dot *dot) {
  for (int p = 0; p < dot->precision->parts; ++p) {
    dot->a[p] = (float *)(void *)interpNewStorage(d, op, dot->m * dot->k, sizeof(float));
    dot->b[p] = (float *)(void *)interpNewStorage(d, op, dot->k * dot->n, sizeof(float));
    if (!dot->a[p] || !dot->b[p])
      return false;
  }
  dot->acc = (float *)(void *)interpNewStorage(d, op, dot->m * dot->n, sizeof(float));
  return dot->acc != NULL;
}

bool interpDecodeDot(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runDotFloat);
  if (!i)
    return false;
  const Slot *a = i->operands[0], *b = i->operands[1];
  Dot *dot = tileArenaAlloc(&d->arena, 1, sizeof *dot);
  int rank = a->rank;
  dot->batch = rank == 3 ? a->shape[0] : 1;
  dot->m = a->shape[rank - 2], dot->k = a->shape[rank - 1], dot->n = b->shape[rank - 1];
  bool isF32 = a->type == TileElementType_F32 && b->type == TileElementType_F32;
  dot->precision = &precisions[isF32 ? tileDotOpGetPrecision(tileDotOpCast(op)) : TileInputPrecision_IEEE];
  i->data = dot;
  if (!tileElementTypeIsFloat(a->type))
    i->execute = runDotInteger;
  else if (a->type == TileElementType_F64)
    i->execute = runDotDouble;
  else
    return allocateParts(d, op, dot);
  return true;
}
