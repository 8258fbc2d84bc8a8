/* MatrixInstr.c - #tile_gpu.instr, and what follows from it for the tensors of a product. */
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMatrix.h"
#include "tile-c/Support/Bits.h"

MlirAttribute tileMatrixChoiceToAttr(MlirContext context, const TileMatrixChoice *c) {
  int64_t warps[3] = {c->warps[0], c->warps[1], c->warps[2]};
  return tileGPUInstrAttrGet(context, (int64_t)c->family, c->m, c->n, c->k, c->kWidth, c->rank, warps,
                             c->shortened, c->transposed, c->paired);
}

static bool inRange(int64_t x) { return x >= 1 && x <= 1024 && tileIsPowerOfTwo(x); }

bool tileMatrixChoiceFromAttr(MlirAttribute attr, TileMatrixChoice *out) {
  if (!attr.ptr || !tileGPUInstrAttrIsA(attr))
    return false;
  int64_t m = tileGPUInstrAttrGetM(attr), n = tileGPUInstrAttrGetN(attr), k = tileGPUInstrAttrGetK(attr),
          kWidth = tileGPUInstrAttrGetKWidth(attr);
  intptr_t rank = tileGPUInstrAttrGetNumWarps(attr);
  if (rank < 2 || rank > 3 || !inRange(m) || !inRange(n) || !inRange(k) || !inRange(kWidth))
    return false;
  TileMatrixChoice c = {.family = (TileMatrixFamily)tileGPUInstrAttrGetFamily(attr),
                        .m = (int32_t)m,
                        .n = (int32_t)n,
                        .k = (int32_t)k,
                        .kWidth = (int32_t)kWidth,
                        .rank = (int32_t)rank,
                        .shortened = tileGPUInstrAttrGetShortened(attr),
                        .transposed = tileGPUInstrAttrGetTransposed(attr),
                        .paired = tileGPUInstrAttrGetPaired(attr)};
  for (intptr_t i = 0; i < rank; ++i) {
    int64_t warps = tileGPUInstrAttrGetWarps(attr, i);
    if (!inRange(warps))
      return false;
    c.warps[i] = (int32_t)warps;
  }
  *out = c;
  return true;
}

TileMatrixSizes tileMatrixSizesOf(MlirOperation op) {
  int64_t a[3], c[3];
  MlirType types[3];
  for (int i = 0; i < 3; ++i)
    types[i] = mlirValueGetType(mlirOperationGetOperand(op, i));
  int rank = tileTypeGetShape(types[0], a, 3);
  tileTypeGetShape(types[2], c, 3);
  return (TileMatrixSizes){rank == 3 ? a[0] : 1,
                           c[rank - 2],
                           c[rank - 1],
                           a[rank - 1],
                           tileElementTypeOf(types[0]),
                           tileElementTypeOf(types[1]),
                           tileElementTypeOf(types[2])};
}

bool tileMatrixChoiceExists(const TileMatrixChoice *c, const TileMatrixSizes *s) {
  for (size_t chip = 0; chip < tileTargetCount(); ++chip)
    for (size_t i = 0; i < tileTargetAt(chip)->numMatrixInstrs; ++i) {
      const TileMatrixInstr *row = &tileTargetAt(chip)->matrixInstrs[i];
      if (row->family == c->family && row->a == s->a && row->b == s->b && row->acc == s->acc &&
          row->m == c->m && row->n == c->n && row->k == c->k && row->shortened == c->shortened)
        return true;
    }
  return false;
}

// ---- Fragments ----

/* How many lanes share a row of A (a column of B). */
static int32_t lanesAlongK(const TileMatrixChoice *c) {
  switch (c->family) {
  case TileMatrixFamily_MFMA:
    return 64 / (c->m < c->n ? c->m : c->n);
  case TileMatrixFamily_WMMA11:
    return 1;
  case TileMatrixFamily_WMMA12:
    return 2;
  default:
    return 4;
  }
}

/* K that one repetition of the layout's tile covers. */
static int64_t tileDepth(const TileMatrixChoice *c, bool f64) {
  int64_t depth = (int64_t)c->kWidth * lanesAlongK(c);
  if (c->family == TileMatrixFamily_MmaSync && !(f64 && c->m == 8))
    depth *= 2;
  return depth > c->k ? depth : c->k;
}

int32_t tileMatrixRows(const TileMatrixChoice *c) { return c->transposed ? c->n : c->m; }
int32_t tileMatrixColumns(const TileMatrixChoice *c) { return c->transposed ? c->m : c->n; }

static int32_t log2Of(int32_t n) { return __builtin_ctz((unsigned)n); }

/* The constructor's layout of a tensor that is at least one instruction in each warp. */
static bool wholeLayout(const TileMatrixChoice *c, const TileMatrixSizes *s, TileMatrixRole role,
                        TileLayout *out) {
  bool f64 = s->a == TileElementType_F64;
  int first = c->rank - 2;
  TileMatrixPlacement p = {.rank = c->rank, .shape = {tileMost(s->batch, c->warps[0])}, .paired = c->paired};
  memcpy(p.warps, c->warps, sizeof p.warps);
  int64_t m = tileMost(s->m, (int64_t)tileMatrixRows(c) * c->warps[first]),
          k = tileMost(s->k, tileDepth(c, f64)),
          n = tileMost(s->n, (int64_t)tileMatrixColumns(c) * c->warps[first + 1]);
  p.shape[first] = role == TileMatrixRole_B ? k : m;
  p.shape[first + 1] = role == TileMatrixRole_A ? k : n;
  switch (c->family) {
  case TileMatrixFamily_MmaSync:
    return tileLayoutMmaSync(&p, role, c->kWidth, f64 && c->m == 8, c->transposed, out);
  case TileMatrixFamily_MFMA:
    return tileLayoutMfma(&p, role, c->m, c->n, c->kWidth, f64, c->transposed, out);
  case TileMatrixFamily_WMMA11:
  case TileMatrixFamily_WMMA12:
    return tileLayoutWmma(&p, role, c->family == TileMatrixFamily_WMMA11 ? 1 : 2, c->kWidth, c->k,
                          c->transposed, out);
  default:
    return false;
  }
}

/* Direction of tensor dimension `dim` of a role. */
static TileMatrixAxis axisOf(int32_t rank, TileMatrixRole role, int32_t dim) {
  if (dim < rank - 2)
    return TileMatrixAxis_Batch;
  if (dim == rank - 2)
    return role == TileMatrixRole_B ? TileMatrixAxis_K : TileMatrixAxis_M;
  return role == TileMatrixRole_A ? TileMatrixAxis_K : TileMatrixAxis_N;
}

/* Bits of a fragment's registers along each direction. */
static void fragmentBits(const TileMatrixChoice *c, TileMatrixRole role, int32_t out[TileMatrixAxis_Count]) {
  memset(out, 0, TileMatrixAxis_Count * sizeof *out);
  bool nvidia = c->family == TileMatrixFamily_MmaSync;
  TileMatrixAxis outer = c->transposed ? TileMatrixAxis_N : TileMatrixAxis_M,
                 inner = c->transposed ? TileMatrixAxis_M : TileMatrixAxis_N;
  if (role != TileMatrixRole_Accumulator) {
    bool isFirst = role == (c->transposed ? TileMatrixRole_B : TileMatrixRole_A);
    out[TileMatrixAxis_K] = log2Of(c->k / lanesAlongK(c));
    out[outer] = nvidia && isFirst ? log2Of(c->m / 8) : 0;
  } else if (nvidia) {
    out[inner] = 1;
    out[outer] = log2Of(c->m / 8);
  } else {
    int32_t lanes = c->family == TileMatrixFamily_MFMA ? 64 : 32;
    out[outer] = log2Of(c->m * c->n / lanes);
  }
}

/* Register bits along a direction, the shortest step first. */
static int32_t bitsAlong(const TileLayout *whole, int32_t dim, int32_t *out) {
  int32_t n = 0;
  for (int32_t bit = 0; bit < whole->bits[TileLayoutDim_Register]; ++bit) {
    int32_t step = whole->bases[TileLayoutDim_Register][bit][dim], at = n;
    if (!step)
      continue;
    for (; at > 0 && whole->bases[TileLayoutDim_Register][out[at - 1]][dim] > step; --at)
      out[at] = out[at - 1];
    out[at] = bit;
    ++n;
  }
  return n;
}

static void takeElements(TileMatrixOperand *o, const int32_t *bits, int32_t first, int32_t end) {
  for (int32_t i = first; i < end; ++i)
    o->elementBits[o->numElementBits++] = bits[i];
}

/* Elements of a 32-bit register first; NVIDIA's A then goes over its rows, the accumulators over their
 * columns before that (exchanged: B over its columns, the accumulators over their rows before that). */
static void orderElements(TileMatrixOperand *o, int32_t bits[TileMatrixAxis_Count][TileLayout_MaxBits],
                          const int32_t fragment[TileMatrixAxis_Count], TileElementType element,
                          bool transposed) {
  int32_t width = (int32_t)tileElementTypeSize(element), word = width >= 4 ? 0 : width == 2 ? 1 : 2;
  int32_t depth = fragment[TileMatrixAxis_K];
  word = word < depth ? word : depth;
  takeElements(o, bits[TileMatrixAxis_K], 0, word);
  TileMatrixAxis inner = transposed ? TileMatrixAxis_M : TileMatrixAxis_N,
                 outer = transposed ? TileMatrixAxis_N : TileMatrixAxis_M;
  takeElements(o, bits[inner], 0, fragment[inner]);
  takeElements(o, bits[outer], 0, fragment[outer]);
  takeElements(o, bits[TileMatrixAxis_K], word, depth);
}

/* Inputs whose step along K reaches past its end. */
static uint32_t outside(const TileLayout *whole, TileLayoutDim in, int32_t dim, int64_t k) {
  uint32_t mask = 0;
  for (int32_t bit = 0; bit < whole->bits[in]; ++bit)
    mask |= (uint32_t)(whole->bases[in][bit][dim] >= k) << bit;
  return mask;
}

bool tileMatrixOperandOf(const TileMatrixChoice *c, const TileMatrixSizes *s, TileMatrixRole role,
                         TileMatrixOperand *out) {
  TileMatrixOperand o = {.numElementBits = 0};
  TileLayout whole;
  int32_t bits[TileMatrixAxis_Count][TileLayout_MaxBits], fragment[TileMatrixAxis_Count], first = c->rank - 2;
  int64_t shape[3] = {s->batch};
  shape[first] = role == TileMatrixRole_B ? s->k : s->m;
  shape[first + 1] = role == TileMatrixRole_A ? s->k : s->n;
  if (!wholeLayout(c, s, role, &whole) || !tileLayoutClip(&whole, shape, &o.layout))
    return false;
  fragmentBits(c, role, fragment);
  for (int32_t dim = 0; dim < c->rank; ++dim) {
    TileMatrixAxis axis = axisOf(c->rank, role, dim);
    int32_t n = bitsAlong(&whole, dim, bits[axis]);
    if (n < fragment[axis])
      return false;
    o.numRepeats[axis] = n - fragment[axis];
    memcpy(o.repeats[axis], bits[axis] + fragment[axis], (size_t)o.numRepeats[axis] * sizeof(int32_t));
    if (axis == TileMatrixAxis_K) {
      o.outsideRegisters = outside(&whole, TileLayoutDim_Register, dim, s->k);
      o.outsideLanes = outside(&whole, TileLayoutDim_Lane, dim, s->k);
    }
  }
  orderElements(&o, bits, fragment, role == TileMatrixRole_B ? s->b : s->a, c->transposed);
  *out = o;
  return true;
}

uint32_t tileMatrixRegister(const TileMatrixOperand *o, const int32_t at[TileMatrixAxis_Count],
                            uint32_t element) {
  uint32_t reg = 0;
  for (int32_t i = 0; i < o->numElementBits; ++i)
    reg |= (element >> i & 1u) << o->elementBits[i];
  for (int32_t axis = 0; axis < TileMatrixAxis_Count; ++axis)
    for (int32_t i = 0; i < o->numRepeats[axis]; ++i)
      reg |= ((uint32_t)at[axis] >> i & 1u) << o->repeats[axis][i];
  return reg;
}

MlirAttribute tileMatrixLayoutAttr(MlirOperation op, TileMatrixRole role) {
  TileMatrixChoice choice;
  TileMatrixOperand operand;
  TileMatrixSizes sizes = tileMatrixSizesOf(op);
  if (!tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(tileGPUMmaOpCast(op)), &choice) ||
      !tileMatrixOperandOf(&choice, &sizes, role, &operand))
    return (MlirAttribute){NULL};
  return tileLayoutToAttr(mlirOperationGetContext(op), &operand.layout);
}
