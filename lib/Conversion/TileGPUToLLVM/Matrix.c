/* Matrix.c - tile_gpu.mma: fragments are taken from the registers of the three tensors and multiplied,
 * instruction by instruction.
 *
 * The order is K outside, then rows, then columns: an accumulator comes back only after all others, so that no
 * instruction waits for the one before. Steps along K that one access of shared memory feeds stay together. */
#include "Lowering.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"

typedef struct Fragment {
  int count;
  MlirValue values[TileMatrix_MaxFragment];
} Fragment;

typedef struct Product {
  TileLowering *l;
  TileMatrixCall call;
  TileMatrixOperand a, b, acc;
  TileRegisters aIn, bIn, cIn;
  bool computesA, computesB; ///< one of them at most: a factor that is computed beside its products
} Product;

/* i1 true in lanes whose elements lie within K; null if all do. */
static MlirValue lanesInside(TileLowering *l, const TileMatrixOperand *o) {
  if (!o->outsideLanes)
    return (MlirValue){NULL};
  MlirValue outside = tileEmit2(l, TileOp_LLVM_And, l->tid, tileEmitI32(l, o->outsideLanes));
  return tileEmitICmp(l, LLVMICmpPredicate_eq, outside, tileEmitI32(l, 0));
}

/* The fragment at `at`; beyond the end of K are zeros. */
static Fragment takeFragment(Product *p, const TileMatrixOperand *o, TileRegisters in, TileMatrixRole role,
                             MlirValue inside, const int32_t at[TileMatrixAxis_Count]) {
  TileLowering *l = p->l;
  MlirValue elements[TileMatrix_MaxFragment];
  int n = 1 << o->numElementBits;
  for (int e = 0; e < n; ++e) {
    uint32_t reg = tileMatrixRegister(o, at, (uint32_t)e);
    elements[e] = in.values[reg];
    MlirValue zero = tileEmitZero(l, mlirValueGetType(elements[e]));
    if (reg & o->outsideRegisters)
      elements[e] = zero;
    else if (inside.ptr)
      elements[e] = tileEmitSelect(l, inside, elements[e], zero);
  }
  Fragment f;
  f.count = l->hooks->packFragment(l, &p->call, role, elements, n, f.values);
  return f;
}

/* Fragments along one direction (rows of A, columns of B) of one step along K. */
static Fragment *takeFragments(Product *p, TileMatrixRole role, MlirValue inside, int32_t batch, int32_t k) {
  const TileMatrixOperand *o = role == TileMatrixRole_A ? &p->a : &p->b;
  TileMatrixAxis axis = role == TileMatrixRole_A ? TileMatrixAxis_M : TileMatrixAxis_N;
  int n = 1 << o->numRepeats[axis];
  Fragment *fragments = tileArenaAlloc(p->l->arena, (size_t)n, sizeof *fragments);
  for (int i = 0; i < n; ++i) {
    int32_t at[TileMatrixAxis_Count] = {[TileMatrixAxis_Batch] = batch, [TileMatrixAxis_K] = k};
    at[axis] = i;
    fragments[i] = takeFragment(p, o, role == TileMatrixRole_A ? p->aIn : p->bIn, role, inside, at);
  }
  return fragments;
}

static void multiplyPair(Product *p, const Fragment *a, const Fragment *b, Fragment *sum) {
  bool swapped = p->call.instr->transposed;
  const Fragment *first = swapped ? b : a, *second = swapped ? a : b;
  p->l->hooks->multiply(p->l, &p->call, first->values, first->count, second->values, second->count,
                        sum->values, sum->count);
}

static void multiplyStep(Product *p, const Fragment *a, const Fragment *b, Fragment *acc) {
  int rows = 1 << p->acc.numRepeats[TileMatrixAxis_M], columns = 1 << p->acc.numRepeats[TileMatrixAxis_N];
  for (int i = 0; i < rows * columns; ++i) {
    int m = p->computesB ? i % rows : i / columns, n = p->computesB ? i / rows : i % columns;
    multiplyPair(p, &a[m], &b[n], &acc[m * columns + n]);
  }
}

enum { MAX_JOINT = 4, LEAST_BETWEEN = 4 };

/* How many steps along K take their fragments from one access of shared memory, if they are to be done together:
 * a fragment is then done with early, and its registers free for the next one. Enough other sums must lie between
 * two products of one. */
static int jointSteps(const Product *p, int rows, int columns, int steps) {
  const TileMatrixChoice *c = p->call.instr;
  int lanes = c->family == TileMatrixFamily_MFMA ? 64 / c->m : 0;
  int joint = lanes ? c->kWidth * lanes / c->k : 1;
  bool apart = (rows < columns ? rows : columns) >= LEAST_BETWEEN;
  return joint > 1 && joint <= MAX_JOINT && steps % joint == 0 && apart ? joint : 1;
}

/* Several steps along K: the side with more fragments outside, so that each of them is used once; or the side that is computed, so that
 * all products of one fragment stand between it and the next. */
static void multiplyJoint(Product *p, int joint, Fragment *const *a, Fragment *const *b, Fragment *acc) {
  int rows = 1 << p->acc.numRepeats[TileMatrixAxis_M], columns = 1 << p->acc.numRepeats[TileMatrixAxis_N];
  bool rowsOutside = p->computesA != p->computesB ? p->computesA : rows >= columns;
  int outer = rowsOutside ? rows : columns, inner = rowsOutside ? columns : rows;
  for (int o = 0; o < outer; ++o)
    for (int k = 0; k < joint; ++k)
      for (int i = 0; i < inner; ++i) {
        int m = rowsOutside ? o : i, n = rowsOutside ? i : o;
        multiplyPair(p, &a[k][m], &b[k][n], &acc[m * columns + n]);
      }
}

static void multiplySteps(Product *p, int32_t batch, MlirValue insideA, MlirValue insideB, Fragment *acc) {
  int rows = 1 << p->acc.numRepeats[TileMatrixAxis_M], columns = 1 << p->acc.numRepeats[TileMatrixAxis_N],
      steps = 1 << p->a.numRepeats[TileMatrixAxis_K], joint = jointSteps(p, rows, columns, steps);
  Fragment *a[MAX_JOINT], *b[MAX_JOINT];
  for (int32_t k = 0; k < steps; k += joint) {
    for (int32_t j = 0; j < joint; ++j) {
      a[j] = takeFragments(p, TileMatrixRole_A, insideA, batch, k + j);
      b[j] = takeFragments(p, TileMatrixRole_B, insideB, batch, k + j);
    }
    if (joint > 1)
      multiplyJoint(p, joint, a, b, acc);
    else
      multiplyStep(p, a[0], b[0], acc);
  }
}

static void multiplyBatch(Product *p, int32_t batch, TileRegisters out) {
  TileLowering *l = p->l;
  int rows = 1 << p->acc.numRepeats[TileMatrixAxis_M], columns = 1 << p->acc.numRepeats[TileMatrixAxis_N],
      n = 1 << p->acc.numElementBits;
  MlirValue none = {NULL}, insideA = lanesInside(l, &p->a), insideB = lanesInside(l, &p->b);
  Fragment *acc = tileArenaAlloc(l->arena, (size_t)(rows * columns), sizeof *acc);
  for (int i = 0; i < rows * columns; ++i) {
    const int32_t at[TileMatrixAxis_Count] = {batch, i / columns, i % columns, 0};
    acc[i] = takeFragment(p, &p->acc, p->cIn, TileMatrixRole_Accumulator, none, at);
  }
  multiplySteps(p, batch, insideA, insideB, acc);
  for (int i = 0; i < rows * columns; ++i) {
    const int32_t at[TileMatrixAxis_Count] = {batch, i / columns, i % columns, 0};
    MlirValue elements[TileMatrix_MaxFragment];
    l->hooks->unpackFragment(l, &p->call, acc[i].values, acc[i].count, elements, n);
    for (int e = 0; e < n; ++e)
      out.values[tileMatrixRegister(&p->acc, at, (uint32_t)e)] = elements[e];
  }
}

/* Whether a factor is made of what was read, for its products alone: bytes that are widened. */
static bool isComputed(MlirValue factor) {
  MlirOperation op = tileValueGetDefiningOp(factor);
  return op.ptr && tileOpIsElementwise(op) && tileOpKind(op) != TileOp_Arith_Constant;
}

MlirLogicalResult tileLowerMma(TileLowering *l, MlirOperation op) {
  TileGPUMmaOp mma = tileGPUMmaOpCast(op);
  TileMatrixChoice choice;
  TileMatrixSizes sizes = tileMatrixSizesOf(op);
  TileLayout layout;
  Product p = {.l = l, .call = {&choice, &sizes}};
  for (int i = 0; i < 3; ++i)
    TILE_TRY(tileRequireLayout(op, mlirOperationGetOperand(op, i), &layout));
  if (!tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(mma), &choice) ||
      !tileMatrixOperandOf(&choice, &sizes, TileMatrixRole_A, &p.a) ||
      !tileMatrixOperandOf(&choice, &sizes, TileMatrixRole_B, &p.b) ||
      !tileMatrixOperandOf(&choice, &sizes, TileMatrixRole_Accumulator, &p.acc))
    return TILE_BUG(op, "the layouts of the instruction cannot be built");
  if (!l->hooks->hasMatrix(l, &p.call))
    return tileEmitOpError(op, "is bound to an instruction that cannot be emitted for %s", l->target->chip);
  l->usesMatrix = true;
  p.aIn = tileRegistersOf(l, tileGPUMmaOpGetA(mma));
  p.bIn = tileRegistersOf(l, tileGPUMmaOpGetB(mma));
  p.cIn = tileRegistersOf(l, tileGPUMmaOpGetC(mma));
  bool keepsOrder = choice.family == TileMatrixFamily_MFMA || choice.family == TileMatrixFamily_WMMA11 ||
                    choice.family == TileMatrixFamily_WMMA12; /* ptxas has its own */
  p.computesA = keepsOrder && isComputed(tileGPUMmaOpGetA(mma));
  p.computesB = keepsOrder && !p.computesA && isComputed(tileGPUMmaOpGetB(mma));
  l->hasProducts = true;
  if (tileOpKind(tileValueGetDefiningOp(tileGPUMmaOpGetC(mma))) != TileOp_TileGPU_Mma) { /* no slice of one */
    ++l->numSums;
    l->sums += p.cIn.count;
  }
  TileRegisters out = tileNewRegisters(l, p.cIn.count);
  for (int32_t batch = 0; batch < 1 << p.acc.numRepeats[TileMatrixAxis_Batch]; ++batch)
    multiplyBatch(&p, batch, out);
  tileBind(l, tileGPUMmaOpGetResult(mma), out);
  return tileSuccess();
}
