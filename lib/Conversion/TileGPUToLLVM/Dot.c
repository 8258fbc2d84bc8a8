/* Dot.c - tile.dot without matrix units: both operands in shared memory, each thread adds up its elements of
 * the result.
 *
 * A loop over K; in each step a thread loads the elements of its rows of A and its columns of B once and
 * multiplies them out. The order of a sum is ascending in K with one rounding a step (docs/spec/numerics.md).
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

/* The operand's elements, row-major; registers that repeat others are left out. */
static MlirLogicalResult storeOperand(Dot *d, MlirValue operand, int64_t offset) {
  TileLowering *l = d->l;
  TileLayout layout;
  if (tileFailed(tileRequireLayout(d->op, operand, &layout)))
    return tileFailure();
  TileRegisters in = tileRegistersOf(l, operand);
  uint32_t copies = tileLayoutFreeMask(&layout, TileLayoutDim_Register);
  MlirValue base = tileEmitSharedPointer(l, tileScratchOffset(d->op) + offset);
  for (intptr_t i = 0; i < in.count; ++i) {
    if ((uint32_t)i & copies)
      continue;
    MlirValue v = tileToMemory(l, in.values[i]);
    MlirType memory = mlirValueGetType(v);
    TileAccess to = {.pointer = tileEmitSharedElement(l, base, memory, tileEmitFlatIndex(l, &layout, (int)i)),
                     .element = memory,
                     .width = 1,
                     .alignment = (int)tileTypeBits(memory) / 8};
    tileEmitPlainStore(l, &to, &v);
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

static MlirValue loadElement(Dot *d, TileElementType type, MlirValue base, MlirValue index) {
  TileLowering *l = d->l;
  MlirType memory = tileMemoryType(l, tileLowerElementType(l, tileElementTypeToMlir(l->context, type)));
  TileAccess from = {.pointer = tileEmitSharedElement(l, base, memory, index),
                     .element = memory,
                     .width = 1,
                     .alignment = (int)tileTypeBits(memory) / 8};
  MlirValue v;
  tileEmitPlainLoad(l, &from, &v);
  return widen(d, type, v);
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

static void multiplyStep(Dot *d, MlirValue k, intptr_t n, MlirValue *const rows[2], intptr_t *const first[2],
                         const MlirValue *in, MlirValue *out) {
  TileLowering *l = d->l;
  MlirValue *a = tileArenaAlloc(l->arena, (size_t)n, sizeof *a),
            *b = tileArenaAlloc(l->arena, (size_t)n, sizeof *b);
  MlirValue kRow = d->plan.n > 1 ? tileEmit2(l, TileOp_LLVM_Mul, k, tileEmitI32(l, d->plan.n)) : k;
  for (intptr_t r = 0; r < n; ++r) {
    a[r] = first[0][r] == r ? loadElement(d, d->aType, d->aBase, tileEmit2(l, TileOp_LLVM_Add, rows[0][r], k))
                            : a[first[0][r]];
    b[r] = first[1][r] == r
               ? loadElement(d, d->bType, d->bBase, tileEmit2(l, TileOp_LLVM_Add, rows[1][r], kRow))
               : b[first[1][r]];
    out[r] = multiplyAdd(d, a[r], b[r], in[r]);
  }
}

/* for k in 0 .. K: out += a[row, k] * b[k, column] */
static void multiplyLoop(Dot *d, TileRegisters acc) {
  TileLowering *l = d->l;
  intptr_t n = acc.count;
  MlirValue *rows[2], *arguments = tileArenaAlloc(l->arena, (size_t)n + 1, sizeof *arguments);
  intptr_t *first[2];
  bool batch = d->plan.result.rank == 3;
  int m = batch ? 1 : 0;
  const int64_t aStride[MAX_RANK] = {batch ? d->plan.m * d->plan.k : d->plan.k, batch ? d->plan.k : 0, 0};
  const int64_t bStride[MAX_RANK] = {batch ? d->plan.k * d->plan.n : 0, batch ? 0 : 1, batch};
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
  MlirBlock body = tileAppendBlock(l, n + 1, types), after = tileAppendBlock(l, 0, NULL);
  tileEmitBranch(l, body, n + 1, arguments);
  tileEnterBlock(l, body);
  MlirValue k = mlirBlockGetArgument(body, 0);
  for (intptr_t r = 0; r < n; ++r)
    acc.values[r] = mlirBlockGetArgument(body, r + 1);
  multiplyStep(d, k, n, rows, first, acc.values, &arguments[1]);
  memcpy(acc.values, &arguments[1], (size_t)n * sizeof *acc.values);
  arguments[0] = tileEmit2(l, TileOp_LLVM_Add, k, tileEmitI32(l, 1));
  MlirValue more = tileEmitICmp(l, LLVMICmpPredicate_slt, arguments[0], tileEmitI32(l, d->plan.k));
  tileEmitCondBranch(l, more, body, n + 1, arguments, after, 0, NULL);
  tileEnterBlock(l, after);
}

MlirLogicalResult tileLowerDot(TileLowering *l, MlirOperation op) {
  TileDotOp dot = tileDotOpCast(op);
  MlirValue result = tileDotOpGetResult(dot);
  TileElementType type = tileElementTypeOf(mlirValueGetType(result));
  Dot d = {.l = l, .op = op};
  if (!tileDotPlan(op, &d.plan))
    return tileFailure();
  d.aType = tileElementTypeOf(mlirValueGetType(tileDotOpGetA(dot)));
  d.bType = tileElementTypeOf(mlirValueGetType(tileDotOpGetB(dot)));
  d.sum = tileElementTypeToMlir(l->context, !tileElementTypeIsFloat(type) ? TileElementType_I32
                                            : type == TileElementType_F64 ? TileElementType_F64
                                                                          : TileElementType_F32);
  d.tf32 = tileDotOpGetPrecision(dot) == TileInputPrecision_TF32 && d.aType == TileElementType_F32;
  tileEmitScratchBarrier(l, op);
  if (tileFailed(storeOperand(&d, tileDotOpGetA(dot), 0)) ||
      tileFailed(storeOperand(&d, tileDotOpGetB(dot), d.plan.bOffset)))
    return tileFailure();
  l->hooks->barrier(l);
  d.aBase = tileEmitSharedPointer(l, tileScratchOffset(op));
  d.bBase = tileEmitSharedPointer(l, tileScratchOffset(op) + d.plan.bOffset);
  TileRegisters c = tileRegistersOf(l, tileDotOpGetC(dot)), acc = tileNewRegisters(l, c.count);
  TileElementType wide = tileElementTypeOf(d.sum);
  bool convert = tileElementTypeIsFloat(type) && type != wide;
  for (intptr_t r = 0; r < c.count; ++r)
    acc.values[r] = convert ? tileEmitFloatConvert(l, type, wide, c.values[r], d.sum, false) : c.values[r];
  multiplyLoop(&d, acc);
  for (intptr_t r = 0; r < c.count && convert; ++r)
    acc.values[r] = tileEmitFloatConvert(l, wide, type, acc.values[r],
                                         tileLowerElementType(l, mlirValueGetType(result)), false);
  tileBind(l, result, acc);
  return tileSuccess();
}
