/* Dot.c - tile.dot without matrix units: both operands in shared memory, each thread adds up its elements of
 * the result.
 *
 * A loop over K; in each step a thread loads the elements of its rows of A and its columns of B once and
 * multiplies them out, in several steps an iteration, for which A's are loaded together. The order of a sum is ascending in K with one rounding a step (docs/spec/numerics.md).
 */
#include "Elementwise.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Scratch.h"

enum { MAX_RANK = 3 };

typedef struct Dot {
  TileLowering *l;
  MlirOperation op;
  TileDotPlan plan;
  TileElementType aType, bType;
  MlirType sum; ///< type of the accumulators: f32, f64 or i32
  bool tf32;    ///< f32 operands lose their low bits
  MlirValue aBase, bBase;
} Dot;

/* Index of a register's element among those of its chunk, row-major, `span` of them for each along K. */
static MlirValue chunkIndex(const Dot *d, const TileLayout *layout, int reg, int kDim, int64_t span) {
  TileLowering *l = d->l;
  MlirValue index = {NULL};
  int64_t stride = 1;
  for (int dim = layout->rank - 1; dim >= 0; --dim) {
    MlirValue c = tileEmitRegisterCoordinate(l, layout, tileEmitThreadPart(l, layout, dim), reg, dim);
    if (dim == kDim)
      c = tileEmit2(l, TileOp_LLVM_And, c, tileEmitI32(l, d->plan.chunk - 1));
    if (stride > 1)
      c = tileEmit2(l, TileOp_LLVM_Mul, c, tileEmitI32(l, stride));
    index = index.ptr ? tileEmit2(l, TileOp_LLVM_Add, index, c) : c;
    stride *= dim == kDim ? span : layout->shape[dim];
  }
  return index;
}

/* Whether a register's element is in the chunk: known here, or i1 in *out_condition. */
static bool isInChunk(const Dot *d, const TileLayout *layout, int reg, int kDim, int64_t chunk,
                      MlirValue *out_condition) {
  TileLowering *l = d->l;
  uint32_t above = ~(uint32_t)(d->plan.chunk - 1), part = tileRegisterPart(layout, reg, kDim);
  *out_condition = (MlirValue){NULL};
  if (!(tileThreadMask(layout, kDim) & above))
    return (part & above) == (uint32_t)(chunk * d->plan.chunk);
  MlirValue c = tileEmitRegisterCoordinate(l, layout, tileEmitThreadPart(l, layout, kDim), reg, kDim);
  MlirValue first = tileEmit2(l, TileOp_LLVM_And, c, tileEmitI32(l, (int32_t)above));
  *out_condition = tileEmitICmp(l, LLVMICmpPredicate_eq, first, tileEmitI32(l, chunk * d->plan.chunk));
  return true;
}

/* The chunk's elements of an operand, row-major; registers that repeat others are left out. */
static MlirLogicalResult storeOperand(Dot *d, MlirValue operand, int64_t offset, int kDim, int64_t span,
                                      int64_t chunk) {
  TileLowering *l = d->l;
  TileLayout layout;
  if (tileFailed(tileRequireLayout(d->op, operand, &layout)))
    return tileFailure();
  TileRegisters in = tileRegistersOf(l, operand);
  uint32_t copies = tileLayoutFreeMask(&layout, TileLayoutDim_Register);
  MlirValue base = tileEmitSharedPointer(l, tileScratchOffset(d->op) + offset);
  bool whole = d->plan.chunk == d->plan.k;
  for (intptr_t i = 0; i < in.count; ++i) {
    MlirValue condition = {NULL};
    if (((uint32_t)i & copies) || (!whole && !isInChunk(d, &layout, (int)i, kDim, chunk, &condition)))
      continue;
    MlirValue v = tileToMemory(l, in.values[i]);
    MlirType memory = mlirValueGetType(v);
    MlirValue index = span == d->plan.k ? tileEmitFlatIndex(l, &layout, (int)i)
                                        : chunkIndex(d, &layout, (int)i, kDim, span);
    TileAccess to = {.pointer = tileEmitSharedElement(l, base, memory, index),
                     .element = memory,
                     .width = 1,
                     .alignment = (int)tileTypeBits(memory) / 8};
    if (!condition.ptr) {
      tileEmitPlainStore(l, &to, &v);
      continue;
    }
    MlirBlock store = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
    tileEmitCondBranch(l, condition, store, 0, NULL, after, 0, NULL);
    tileEnterBlock(l, store);
    tileEmitPlainStore(l, &to, &v);
    tileEmitBranch(l, after, 0, NULL);
    tileEnterBlock(l, after);
  }
  return tileSuccess();
}

static MlirValue widen(Dot *d, TileElementType from, MlirValue v) {
  TileLowering *l = d->l;
  if (mlirTypeIsAInteger(d->sum))
    return mlirTypeEqual(mlirValueGetType(v), d->sum) ? v : tileEmit1(l, TileOp_LLVM_SExt, d->sum, v);
  TileElementType to = mlirTypeIsAF64(d->sum) ? TileElementType_F64 : TileElementType_F32;
  v = tileEmitFloatConvert(l, from, to, v, d->sum, false);
  if (!d->tf32)
    return v;
  MlirType i32 = mlirIntegerTypeGet(l->context, 32);
  MlirValue bits = tileEmit2(l, TileOp_LLVM_And, tileEmitBitcast(l, v, i32), tileEmitI32(l, -(1 << 13)));
  return tileEmitBitcast(l, bits, d->sum);
}

/* `width` neighbours, the first of them at a multiple of `width`. */
static void loadElements(Dot *d, TileElementType type, MlirValue base, MlirValue index, int width,
                         MlirValue *out) {
  TileLowering *l = d->l;
  MlirType memory = tileMemoryType(l, tileLowerElementType(l, tileElementTypeToMlir(l->context, type)));
  TileAccess from = {.pointer = tileEmitSharedElement(l, base, memory, index),
                     .element = memory,
                     .width = width,
                     .alignment = width * (int)tileTypeBits(memory) / 8};
  tileEmitPlainLoad(l, &from, out);
  for (int i = 0; i < width; ++i)
    out[i] = widen(d, type, out[i]);
}

static MlirValue multiplyAdd(Dot *d, MlirValue a, MlirValue b, MlirValue sum) {
  TileLowering *l = d->l;
  if (mlirTypeIsAInteger(d->sum))
    return tileEmit2(l, TileOp_LLVM_Add, tileEmit2(l, TileOp_LLVM_Mul, a, b), sum);
  return tileEmit3(l, TileOp_LLVM_FMA, d->sum, a, b, sum);
}

/* Result registers with equal coordinates along `skip`'s complement share an operand's element: a key of the
 * register. */
static uint64_t keyOf(const Dot *d, int reg, int skip) {
  uint64_t key = 0;
  for (int dim = 0; dim < d->plan.result.rank; ++dim)
    key = key << 20 | (dim == skip ? 0 : tileRegisterPart(&d->plan.result, reg, dim));
  return key;
}

/* Coordinates of a result register, times the strides of an operand in shared memory. */
static MlirValue operandRow(Dot *d, int reg, const int64_t stride[MAX_RANK]) {
  TileLowering *l = d->l;
  MlirValue sum = {NULL};
  for (int dim = 0; dim < d->plan.result.rank; ++dim) {
    if (!stride[dim])
      continue;
    MlirValue c =
        tileEmitRegisterCoordinate(l, &d->plan.result, tileEmitThreadPart(l, &d->plan.result, dim), reg, dim);
    c = stride[dim] > 1 ? tileEmit2(l, TileOp_LLVM_Mul, c, tileEmitI32(l, stride[dim])) : c;
    sum = sum.ptr ? tileEmit2(l, TileOp_LLVM_Add, sum, c) : c;
  }
  return sum;
}

/* For each result register the operand's index at k = 0, computed once for registers that share it. */
static void operandRows(Dot *d, int skip, const int64_t stride[MAX_RANK], intptr_t n, MlirValue *rows,
                        intptr_t *first) {
  for (intptr_t r = 0; r < n; ++r) {
    first[r] = r;
    for (intptr_t s = 0; s < r && first[r] == r; ++s)
      if (first[s] == s && keyOf(d, (int)s, skip) == keyOf(d, (int)r, skip))
        first[r] = s;
    rows[r] = first[r] == r ? operandRow(d, (int)r, stride) : rows[first[r]];
  }
}

enum { MOST_STEPS = 8, MOST_PRODUCTS = 128, MOST_IN_ROW = 2048, MOST_SUMS = 64, ACCESS_BYTES = 16 };

/* How many steps along K an iteration does: constant offsets and wide reads of A for each of a few products more. */
static int stepsOf(const Dot *d, intptr_t n) {
  int steps = 1;
  while (steps < MOST_STEPS && d->plan.chunk % (2 * steps) == 0 && n * 2 * steps <= MOST_PRODUCTS)
    steps *= 2;
  return steps;
}

/* How often an iteration does that: all of them, if they are not too many. Elements of what comes next are loaded beside products then, which
 * the end of an iteration would keep them from (NVIDIA, whose assembler orders them, beside as many sums as leave it registers). */
static int turnsOf(const Dot *d, intptr_t n, int steps) {
  return d->l->target->vendor == TileVendor_NVIDIA && n <= MOST_SUMS && n * d->plan.chunk <= MOST_IN_ROW
             ? (int)(d->plan.chunk / steps)
             : 1;
}

/* A's elements of several steps from k on, a multiple of their number, for each result register: a[r * steps + step]. */
static void loadRows(Dot *d, MlirValue k, int steps, intptr_t n, const MlirValue *rows, const intptr_t *first,
                     MlirValue *a) {
  TileLowering *l = d->l;
  MlirType memory = tileMemoryType(l, tileLowerElementType(l, tileElementTypeToMlir(l->context, d->aType)));
  const int most = ACCESS_BYTES * 8 / (int)tileTypeBits(memory), width = steps < most ? steps : most;
  for (intptr_t r = 0; r < n; ++r)
    for (int step = 0; step < steps; step += width)
      if (first[r] == r)
        loadElements(
            d, d->aType, d->aBase,
            tileEmit2(l, TileOp_LLVM_Add, tileEmit2(l, TileOp_LLVM_Add, rows[r], k), tileEmitI32(l, step)),
            width, &a[r * steps + step]);
      else
        memcpy(&a[r * steps + step], &a[first[r] * steps + step], (size_t)width * sizeof *a);
}

static void multiplySteps(Dot *d, MlirValue k, int steps, intptr_t n, MlirValue *const rows[2],
                          intptr_t *const first[2], const MlirValue *in, MlirValue *out) {
  TileLowering *l = d->l;
  MlirValue *a = tileArenaAlloc(l->arena, (size_t)(n * steps), sizeof *a),
            *b = tileArenaAlloc(l->arena, (size_t)n, sizeof *b);
  loadRows(d, k, steps, n, rows[0], first[0], a);
  MlirValue kRow = d->plan.n > 1 ? tileEmit2(l, TileOp_LLVM_Mul, k, tileEmitI32(l, d->plan.n)) : k;
  memcpy(out, in, (size_t)n * sizeof *out);
  for (int step = 0; step < steps; ++step)
    for (intptr_t r = 0; r < n; ++r) {
      MlirValue at = tileEmit2(l, TileOp_LLVM_Add, tileEmit2(l, TileOp_LLVM_Add, rows[1][r], kRow),
                               tileEmitI32(l, step * d->plan.n));
      if (first[1][r] == r)
        loadElements(d, d->bType, d->bBase, at, 1, &b[r]);
      else
        b[r] = b[first[1][r]];
      out[r] = multiplyAdd(d, a[r * steps + step], b[r], out[r]);
    }
}

/* for k in 0 .. chunk: out += a[row, k] * b[k, column] */
static void multiplyLoop(Dot *d, TileRegisters acc) {
  TileLowering *l = d->l;
  intptr_t n = acc.count;
  MlirValue *rows[2], *arguments = tileArenaAlloc(l->arena, (size_t)n + 1, sizeof *arguments);
  intptr_t *first[2];
  bool batch = d->plan.result.rank == 3;
  int m = batch ? 1 : 0;
  const int64_t depth = d->plan.chunk;
  const int64_t aRow = d->plan.aRow,
                aStride[MAX_RANK] = {batch ? d->plan.m * aRow : aRow, batch ? aRow : 0, 0};
  const int64_t bStride[MAX_RANK] = {batch ? depth * d->plan.n : 0, batch ? 0 : 1, batch};
  for (int i = 0; i < 2; ++i) {
    rows[i] = tileArenaAlloc(l->arena, (size_t)n, sizeof **rows);
    first[i] = tileArenaAlloc(l->arena, (size_t)n, sizeof **first);
    operandRows(d, i ? m : m + 1, i ? bStride : aStride, n, rows[i], first[i]);
  }
  MlirType *types = tileArenaAlloc(l->arena, (size_t)n + 1, sizeof *types);
  types[0] = mlirIntegerTypeGet(l->context, 32);
  arguments[0] = tileEmitI32(l, 0);
  for (intptr_t r = 0; r < n; ++r) {
    types[r + 1] = d->sum;
    arguments[r + 1] = acc.values[r];
  }
  const int steps = stepsOf(d, n);
  MlirBlock body = tileAppendBlock(l, n + 1, types), after = tileAppendBlock(l, 0, NULL);
  tileEmitBranch(l, body, n + 1, arguments);
  tileEnterBlock(l, body);
  MlirValue k = mlirBlockGetArgument(body, 0);
  for (intptr_t r = 0; r < n; ++r)
    acc.values[r] = mlirBlockGetArgument(body, r + 1);
  const int turns = turnsOf(d, n, steps);
  for (int turn = 0; turn < turns; ++turn) {
    MlirValue from = turn ? tileEmit2(l, TileOp_LLVM_Add, k, tileEmitI32(l, turn * steps)) : k;
    multiplySteps(d, from, steps, n, rows, first, acc.values, &arguments[1]);
    memcpy(acc.values, &arguments[1], (size_t)n * sizeof *acc.values);
  }
  arguments[0] = tileEmit2(l, TileOp_LLVM_Add, k, tileEmitI32(l, turns * steps));
  MlirValue more = tileEmitICmp(l, LLVMICmpPredicate_slt, arguments[0], tileEmitI32(l, depth));
  tileEmitCondBranch(l, more, body, n + 1, arguments, after, 0, NULL);
  tileEnterBlock(l, after);
}

MlirLogicalResult tileLowerDot(TileLowering *l, MlirOperation op) {
  TileDotOp dot = tileDotOpCast(op);
  MlirValue result = tileDotOpGetResult(dot);
  TileElementType type = tileElementTypeOf(mlirValueGetType(result));
  Dot d = {.l = l, .op = op};
  if (!tileDotPlan(op, l->target, &d.plan))
    return tileFailure();
  d.aType = tileElementTypeOf(mlirValueGetType(tileDotOpGetA(dot)));
  d.bType = tileElementTypeOf(mlirValueGetType(tileDotOpGetB(dot)));
  d.sum = tileElementTypeToMlir(l->context, !tileElementTypeIsFloat(type) ? TileElementType_I32
                                            : type == TileElementType_F64 ? TileElementType_F64
                                                                          : TileElementType_F32);
  d.tf32 = tileDotOpGetPrecision(dot) == TileInputPrecision_TF32 && d.aType == TileElementType_F32;
  d.aBase = tileEmitSharedPointer(l, tileScratchOffset(op));
  d.bBase = tileEmitSharedPointer(l, tileScratchOffset(op) + d.plan.bOffset);
  TileRegisters c = tileRegistersOf(l, tileDotOpGetC(dot)), acc = tileNewRegisters(l, c.count);
  TileElementType wide = tileElementTypeOf(d.sum);
  bool convert = tileElementTypeIsFloat(type) && type != wide;
  for (intptr_t r = 0; r < c.count; ++r)
    acc.values[r] = convert ? tileEmitFloatConvert(l, type, wide, c.values[r], d.sum, false) : c.values[r];
  int rank = d.plan.result.rank;
  tileEmitScratchBarrier(l, op);
  for (int64_t chunk = 0; chunk < d.plan.k / d.plan.chunk; ++chunk) {
    if (chunk)
      l->hooks->barrier(l); // everyone has read the chunk before
    if (tileFailed(storeOperand(&d, tileDotOpGetA(dot), 0, rank - 1, d.plan.aRow, chunk)) ||
        tileFailed(storeOperand(&d, tileDotOpGetB(dot), d.plan.bOffset, rank - 2, d.plan.chunk, chunk)))
      return tileFailure();
    l->hooks->barrier(l);
    multiplyLoop(&d, acc);
  }
  for (intptr_t r = 0; r < c.count && convert; ++r)
    acc.values[r] = tileEmitFloatConvert(l, wide, type, acc.values[r],
                                         tileLowerElementType(l, mlirValueGetType(result)), false);
  tileBind(l, result, acc);
  return tileSuccess();
}
