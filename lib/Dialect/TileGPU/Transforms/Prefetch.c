/* Prefetch.c - tile-gpu-prefetch: the first fragments of a product in a pipelined loop are read one iteration
 * ahead, so that the matrix units need not wait for shared memory behind the barrier.
 *
 *   scf.for ... iter_args(%acc, %i)
 *     tile_gpu.async_wait 1; tile.barrier
 *     (copies of a later iteration)
 *     %a = tile_gpu.local_load %va : -> tensor<128x32xf16, #a>     // %va, %vb: buffers of %i
 *     %b = tile_gpu.local_load %vb : -> tensor<32x128xf16, #b>
 *     %d = tile_gpu.mma %a, %b, %acc
 *     scf.yield %d, tile_gpu.advance %i
 * becomes
 *   tile_gpu.async_wait 1; tile.barrier; %a0, %b0 = tile_gpu.local_load K 0..16
 *   scf.for ... iter_args(%acc, %i, %fa = %a0, %fb = %b0)
 *     (copies of a later iteration)
 *     %a1, %b1 = tile_gpu.local_load K 16..32
 *     %c = tile_gpu.mma %fa, %fb, %acc : tensor<128x16xf16, ...
 *     tile_gpu.async_wait 1; tile.barrier
 *     %na, %nb = tile_gpu.local_load K 0..16 of the next buffers
 *     %d = tile_gpu.mma %a1, %b1, %c
 *     scf.yield %d, ..., %na, %nb
 *
 * What is computed element by element between a buffer and the product (weights of bytes widened, times a scale for each
 * column, shifted by what its row says) is computed slice by slice, in front of each slice's product; what is read ahead are the bytes.
 *
 * The sums are formed in the same order. After the last iteration a buffer is read that nobody needs; it holds
 * what a masked copy left there.
 *
 * Without asynchronous copies the body ends in stores of what was loaded before: then the barrier and the reads
 * stand behind these stores, and the loads of a later iteration among the last product.
 *
 * requires: tile-gpu-pipeline. ensures: the same results. */
#include "ReadDirectly.h"
#include "RepeatedRows.h"
#include "SliceValues.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMatrix.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Patterns.h"
#include "tile-c/SharedAccess.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"
#include <string.h>

enum {
  MOST_SLICES = 4,
  MOST_STEPS = 6,
  MOST_PRODUCTS = 2,
  MOST_OPERANDS = 2 * MOST_PRODUCTS,
  MOST_REGISTERS = 255
};

/* One operand, of a product or of several: how it is read now. */
typedef struct Operand {
  MlirValue value;
  TileGPULocalLoadOp load;
  TileGPUIndexOp index;
  TileGPUTransOp trans;            ///< between the two; null if none
  MlirOperation steps[MOST_STEPS]; ///< element-wise ops from the load to the product, the last one first
  int numSteps, kDim;
  MlirOperation repeat;  ///< in front of the steps, which repeats rows along K; null if none
  int64_t times;         ///< how often each
  MlirType fragment;     ///< of one slice, as it is loaded
  MlirType taken;        ///< behind `repeat`
  MlirValue first, next; ///< slice 0 of this iteration and of the next
} Operand;

typedef struct Prefetch {
  TileArena *arena;
  TileBuilder b;
  SCFForOp loop;
  MlirBlock body;
  MlirOperation yield;
  MlirOperation products[MOST_PRODUCTS]; ///< none needs another one's result
  int numProducts;
  TileGPUAsyncWaitOp wait; ///< at the top of the body; null if none
  MlirOperation barrier;
  Operand operands[MOST_OPERANDS];
  int numOperands;
  int factors[MOST_PRODUCTS][2]; ///< indices into operands
  int64_t k, step;               ///< K of the product and of a slice
  bool isStaged;                 ///< no asynchronous copies: loads pass through registers
  bool isTight;                  ///< AMD: what does not fit the registers is spilled
} Prefetch;

// ---- The pattern ----

static bool isInBody(const Prefetch *p, MlirOperation op) {
  return op.ptr && mlirOperationGetBlock(op).ptr == p->body.ptr;
}

/* A value of which each slice along K can be had: equal, or computed. Masks stay whole: where none is false, all of them are skipped (tile-gpu-skip-masks). */
static bool isKnownAlongK(MlirValue v, int kDim) {
  return tileIsEqualAlong(v, kDim) || (tileElementTypeOf(mlirValueGetType(v)) != TileElementType_I1 &&
                                       tileCanSlice(v, kDim, (MlirType){NULL}));
}

/* The operand that is not known along K; -1 if there is not exactly one. */
static intptr_t movingOperand(MlirOperation op, int kDim) {
  intptr_t moving = -1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (isKnownAlongK(mlirOperationGetOperand(op, i), kDim))
      continue;
    if (moving >= 0)
      return -1;
    moving = i;
  }
  return moving;
}

/* Whether only products take the value. */
static bool isForProducts(MlirValue v) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (tileOpKind(mlirOpOperandGetOwner(use)) != TileOp_TileGPU_Mma ||
        mlirOpOperandGetOperandNumber(use) > 1)
      return false;
  return true;
}

/* The op at the end of the element-wise ops in front of `v`, each for products alone; null if there are too many. */
static MlirOperation behindSteps(const Prefetch *p, MlirValue v, Operand *o) {
  MlirOperation none = {NULL};
  for (o->numSteps = 0;;) {
    MlirOperation op = tileValueGetDefiningOp(v);
    if (!isInBody(p, op) || !(o->numSteps ? tileValueHasOneUse(v) : isForProducts(v)))
      return none;
    if (!tileOpIsElementwise(op))
      return op;
    intptr_t moving = movingOperand(op, o->kDim);
    if (moving < 0 || o->numSteps == MOST_STEPS)
      return none;
    o->steps[o->numSteps++] = op;
    v = mlirOperationGetOperand(op, moving);
  }
}

/* local_load [of trans] of index, in the body, each for products alone; the index is carried. */
static bool matchOperand(const Prefetch *p, MlirValue v, int i, Operand *o) {
  o->value = v;
  o->kDim = (int)mlirShapedTypeGetRank(mlirValueGetType(v)) - 1 - i;
  MlirOperation op = behindSteps(p, v, o);
  o->times = 1;
  o->repeat = (MlirOperation){NULL};
  MlirValue repeated = tileRepeatedOf(op, o->kDim, &o->times);
  if (repeated.ptr) {
    o->repeat = op;
    op = tileValueGetDefiningOp(repeated);
    if (!isInBody(p, op) || !tileValueHasOneUse(repeated))
      return false;
  }
  o->load = tileGPULocalLoadOpCast(op);
  if (!op.ptr || tileGPULocalLoadOpIsNull(o->load))
    return false;
  MlirOperation view = tileValueGetDefiningOp(tileGPULocalLoadOpGetSource(o->load));
  o->trans = tileGPUTransOpCast(view);
  if (!tileGPUTransOpIsNull(o->trans))
    view = tileValueGetDefiningOp(tileGPUTransOpGetSource(o->trans));
  o->index = tileGPUIndexOpCast(view);
  if (tileGPUIndexOpIsNull(o->index) || !isInBody(p, view))
    return false;
  MlirValue index = tileGPUIndexOpGetIndex(o->index);
  return mlirValueIsABlockArgument(index) && tileValueGetBlock(index).ptr == p->body.ptr;
}

/* The products of the body, and no regions that may hold others. */
static bool findProducts(Prefetch *p) {
  p->numProducts = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationGetNumRegions(op) && tileOpKind(op) != TileOp_Tile_Reduce &&
        tileOpKind(op) != TileOp_Tile_Scan)
      return false;
    if (tileOpKind(op) != TileOp_TileGPU_Mma)
      continue;
    if (p->numProducts == MOST_PRODUCTS)
      return false;
    p->products[p->numProducts++] = op;
  }
  return p->numProducts > 0;
}

/* The wait at the top and the barrier behind it. */
static bool findWait(Prefetch *p) {
  p->wait = (TileGPUAsyncWaitOp){{NULL}};
  p->barrier = (MlirOperation){NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileGPUAsyncWaitOp wait = tileGPUAsyncWaitOpCast(op);
    if (tileGPUAsyncWaitOpIsNull(wait))
      continue;
    if (p->wait.op.ptr)
      return false;
    p->wait = wait;
    p->barrier = mlirOperationGetNextInBlock(op);
    if (tileOpKind(p->barrier) != TileOp_Tile_Barrier)
      return false;
  }
  return true;
}

/* Besides the products' operands, buffers are read in front of the last product only: the wait that covers these reads
 * and its barrier may move to the end of the iteration before. */
static bool readsNothingElse(const Prefetch *p) {
  MlirOperation last = p->products[p->numProducts - 1];
  for (MlirOperation op = last; op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_LocalLoad)
      return false;
  return true;
}

/* Only the next iteration wants the product. */
static bool isYieldedOnly(const Prefetch *p, MlirOperation product) {
  MlirValue result = mlirOperationGetResult(product, 0);
  return tileValueHasOneUse(result) &&
         mlirOpOperandGetOwner(mlirValueGetFirstUse(result)).ptr == p->yield.ptr;
}

/* Position of the carried index of an operand among the loop's variables. */
static intptr_t indexPosition(const Operand *o) {
  return mlirBlockArgumentGetArgNumber(tileGPUIndexOpGetIndex(o->index)) - 1;
}

/* Whether the next index is known at the end of the body, and not before. */
static bool advancesIndex(const Prefetch *p, const Operand *o) {
  MlirValue next = mlirOperationGetOperand(p->yield, indexPosition(o));
  TileGPUAdvanceOp op = tileGPUAdvanceOpCast(tileValueGetDefiningOp(next));
  return !tileGPUAdvanceOpIsNull(op) &&
         tileGPUAdvanceOpGetIndex(op).ptr == tileGPUIndexOpGetIndex(o->index).ptr;
}

/* Whether what the steps take beside the fragment can be had in its layout. */
static bool scalesFit(const Operand *o) {
  for (int i = 0; i < o->numSteps; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(o->steps[i]); ++k) {
      MlirValue v = mlirOperationGetOperand(o->steps[i], k);
      MlirType type = tileTypeWithElement(o->taken, tileTypeGetElement(mlirValueGetType(v)));
      if (k != movingOperand(o->steps[i], o->kDim) && !tileCanSlice(v, o->kDim, type))
        return false;
    }
  return true;
}

/* The layout of a slice of `step` along K; its type. */
static bool fragmentType(Operand *o, MlirOperation product, int i, int64_t step) {
  static const TileMatrixRole roles[] = {TileMatrixRole_A, TileMatrixRole_B};
  TileGPUMmaOp mma = tileGPUMmaOpCast(product);
  TileMatrixSizes sizes = tileMatrixSizesOf(product);
  TileMatrixChoice choice;
  TileMatrixOperand part;
  int64_t shape[TileLayout_MaxRank];
  MlirType type = mlirValueGetType(i ? tileGPUMmaOpGetB(mma) : tileGPUMmaOpGetA(mma));
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  sizes.k = step;
  if (!tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(mma), &choice) ||
      !tileMatrixOperandOf(&choice, &sizes, roles[i], &part))
    return false;
  shape[o->kDim] = step;
  MlirContext context = mlirOperationGetContext(product);
  MlirType loaded = mlirValueGetType(tileGPULocalLoadOpGetResult(o->load));
  o->taken = mlirRankedTensorTypeGet(rank, shape, tileTypeGetElement(loaded),
                                     tileLayoutToAttr(context, &part.layout));
  o->fragment =
      o->repeat.ptr ? tileRepeatedType(o->taken, tileTypeGetElement(loaded), o->kDim, o->times) : o->taken;
  if (!o->fragment.ptr)
    return false;
  return scalesFit(o);
}

/* K that one instruction covers, or as many as share the neighbours of a thread: on NVIDIA a register of 32 bits is the
 * least, MFMA's lanes along K have as many each. */
static int64_t leastStep(MlirOperation product) {
  TileMatrixChoice choice;
  TileGPUMmaOp mma = tileGPUMmaOpCast(product);
  int64_t bits = 8 * (int64_t)tileElementTypeSize(tileElementTypeOf(mlirValueGetType(tileGPUMmaOpGetA(mma))));
  if (!tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(mma), &choice))
    return tileMatrixSizesOf(product).k;
  int64_t covered = choice.family == TileMatrixFamily_MFMA ? choice.kWidth * (64 / choice.m) : choice.k;
  if (choice.family != TileMatrixFamily_MmaSync)
    return covered > choice.k ? covered : choice.k;
  int64_t shared = choice.kWidth * bits / 32;
  return choice.k * (shared > 1 && bits <= 32 ? shared : 1);
}

/* Registers for accumulators, staged loads and fragments. WMMA's accumulators and RDNA3's fragments are runs of eight registers, and
 * each staged load has an address of its own. */
static int64_t mostWords(const Prefetch *p, int64_t staged) {
  enum { MFMA = 220, WMMA12 = 220, WMMA11 = 204, LOAD_WORDS = 4 };
  TileMatrixChoice choice;
  if (!tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(tileGPUMmaOpCast(p->products[0])), &choice) ||
      choice.family == TileMatrixFamily_MFMA)
    return MFMA;
  return (choice.family == TileMatrixFamily_WMMA11 ? WMMA11 : WMMA12) - staged / LOAD_WORDS;
}

/* Registers of the sums. On NVIDIA's chips fragments are not read ahead where these are all that a thread has. */
static int64_t sumWords(const Prefetch *p) {
  int64_t words = 0;
  for (int j = 0; j < p->numProducts; ++j)
    words += tileRegisterWords(mlirValueGetType(mlirOperationGetResult(p->products[j], 0)));
  return words;
}

/* Whether accumulators, staged loads and fragments fit a thread's registers, beside addresses: while one set of fragments
 * is multiplied, the other comes in as fast as the first one's larger side is done with. */
static bool fitsRegisters(const Prefetch *p) {
  int64_t words = 0, staged = 0, least = INT64_MAX;
  for (int i = 0; i < p->numOperands; ++i) {
    int64_t fragment = tileRegisterWords(p->operands[i].fragment);
    words += fragment;
    if (p->operands[i].numSteps) /* beside it what it is widened to */
      words += tileRegisterWords(tileTypeWithElement(
          p->operands[i].fragment, tileTypeGetElement(mlirValueGetType(p->operands[i].value))));
    least = fragment < least ? fragment : least;
  }
  words += least + sumWords(p);
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_LocalStore)
      staged += tileRegisterWords(mlirValueGetType(tileGPULocalStoreOpGetValue(tileGPULocalStoreOpCast(op))));
  return words + staged <= mostWords(p, staged);
}

/* With copies straight to LDS (AMD) one slice, all of K, is read ahead too. */
static bool chooseSlices(Prefetch *p) {
  p->k = tileMatrixSizesOf(p->products[0]).k;
  p->step = leastStep(p->products[0]);
  for (int j = 1; j < p->numProducts; ++j)
    if (tileMatrixSizesOf(p->products[j]).k != p->k || leastStep(p->products[j]) != p->step)
      return false;
  while (p->step * MOST_SLICES < p->k)
    p->step *= 2;
  if (p->step > p->k || (p->step == p->k && (!p->isTight || p->isStaged)))
    return false;
  for (int j = 0; j < p->numProducts; ++j)
    for (int i = 0; i < 2; ++i)
      if (!fragmentType(&p->operands[p->factors[j][i]], p->products[j], i, p->step))
        return false;
  return p->isTight ? fitsRegisters(p) : sumWords(p) < MOST_REGISTERS;
}

/* The operand of a product; one that another product takes as the same factor is shared. */
static bool addOperand(Prefetch *p, int j, int i) {
  MlirValue v = mlirOperationGetOperand(p->products[j], i);
  for (int k = 0; k < p->numOperands; ++k)
    if (mlirValueEqual(p->operands[k].value, v)) {
      p->factors[j][i] = k;
      return j > 0 && p->factors[0][i] == k &&
             mlirAttributeEqual(tileGPUMmaOpGetInstrAttr(tileGPUMmaOpCast(p->products[0])),
                                tileGPUMmaOpGetInstrAttr(tileGPUMmaOpCast(p->products[j])));
    }
  p->factors[j][i] = p->numOperands;
  Operand *o = &p->operands[p->numOperands++];
  return matchOperand(p, v, i, o) && advancesIndex(p, o);
}

static bool matches(Prefetch *p) {
  if (!findProducts(p) || !findWait(p))
    return false;
  p->numOperands = 0;
  for (int j = 0; j < p->numProducts; ++j)
    if (!isYieldedOnly(p, p->products[j]) || !addOperand(p, j, 0) || !addOperand(p, j, 1))
      return false;
  p->isStaged = p->isTight && !p->wait.op.ptr;
  return readsNothingElse(p) && chooseSlices(p);
}

// ---- The rewriting ----

/* Slice `s` of an operand, from the buffer that `index` chooses. */
static MlirValue readSlice(Prefetch *p, const Operand *o, MlirValue index, int64_t s) {
  MlirLocation loc = mlirOperationGetLocation(o->load.op);
  MlirValue view = tileGPUIndexOpGetResult(tileGPUIndexOpCreate(
      p->b, loc, mlirValueGetType(tileGPUIndexOpGetResult(o->index)), tileGPUIndexOpGetSource(o->index),
      index, tileI32Attr(mlirOperationGetContext(p->yield), tileGPUIndexOpGetRotate(o->index))));
  if (!tileGPUTransOpIsNull(o->trans))
    view = tileGPUTransOpGetResult(tileGPUTransOpCreate(p->b, loc,
                                                        mlirValueGetType(tileGPUTransOpGetResult(o->trans)),
                                                        view, tileGPUTransOpGetOrderAttr(o->trans)));
  MlirType whole = mlirValueGetType(view);
  int64_t shape[TileLayout_MaxRank], offsets[TileLayout_MaxRank] = {0};
  int rank = tileTypeGetShape(o->fragment, shape, TileLayout_MaxRank);
  offsets[o->kDim] = s * (p->step / o->times);
  MlirContext context = mlirOperationGetContext(p->yield);
  MlirType part = tileGPUMemDescTypeGet(context, rank, shape, tileGPUMemDescTypeGetElementType(whole),
                                        tileGPUMemDescTypeGetLayout(whole));
  MlirValue slice = tileGPUSliceOpGetResult(
      tileGPUSliceOpCreate(p->b, loc, part, view, mlirDenseI64ArrayGet(context, rank, offsets)));
  return tileGPULocalLoadOpGetResult(tileGPULocalLoadOpCreate(p->b, loc, o->fragment, slice));
}

static void waitForCopies(Prefetch *p) {
  if (!p->wait.op.ptr)
    return;
  mlirRewriterBaseInsert(p->b, mlirOperationClone(p->wait.op));
  mlirRewriterBaseInsert(p->b, mlirOperationClone(p->barrier));
}

/* A loop like this one with a variable more for each operand, around the same body; its op. */
static void growLoop(Prefetch *p) {
  MlirLocation loc = mlirOperationGetLocation(p->loop.op);
  intptr_t n = scfForOpGetNumInitArgs(p->loop), all = n + p->numOperands;
  MlirValue *inits = tileArenaAlloc(p->arena, (size_t)all, sizeof *inits);
  MlirType *types = tileArenaAlloc(p->arena, (size_t)all, sizeof *types);
  for (intptr_t i = 0; i < all; ++i) {
    inits[i] = i < n ? scfForOpGetInitArgs(p->loop, i) : p->operands[i - n].first;
    types[i] = mlirValueGetType(inits[i]);
  }
  MlirAttribute isUnsigned = scfForOpGetUnsignedCmp(p->loop)
                                 ? mlirUnitAttrGet(mlirOperationGetContext(p->loop.op))
                                 : (MlirAttribute){NULL};
  SCFForOp grown =
      scfForOpCreate(p->b, loc, all, types, scfForOpGetLowerBound(p->loop), scfForOpGetUpperBound(p->loop),
                     scfForOpGetStep(p->loop), all, inits, isUnsigned);
  tileCopyDiscardableAttrs(p->loop.op, grown.op);
  mlirRegionTakeBody(scfForOpGetRegion(grown), scfForOpGetRegion(p->loop));
  for (int i = 0; i < p->numOperands; ++i)
    p->operands[i].first = mlirBlockAddArgument(p->body, types[n + i], loc);
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->loop.op, i), mlirOperationGetResult(grown.op, i));
  mlirRewriterBaseEraseOp(p->b, p->loop.op);
  p->loop = grown;
}

/* The steps from a fragment as it was loaded to the product's operand. */
static MlirValue takeSteps(Prefetch *p, const Operand *o, MlirValue fragment, int64_t s) {
  if (o->repeat.ptr)
    fragment =
        tileRepeatRows(p->b, mlirOperationGetLocation(o->repeat), fragment, o->taken, o->kDim, o->times);
  for (int i = o->numSteps - 1; i >= 0; --i) {
    MlirOperation op = o->steps[i], copy = mlirOperationClone(op);
    intptr_t moving = movingOperand(op, o->kDim);
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      MlirValue v = mlirOperationGetOperand(op, k);
      MlirType type = tileTypeWithElement(o->taken, tileTypeGetElement(mlirValueGetType(v)));
      mlirOperationSetOperand(copy, k,
                              k == moving ? fragment : tileSliceValue(p->b, v, o->kDim, s * p->step, type));
    }
    fragment = mlirOperationGetResult(copy, 0);
    mlirValueSetType(fragment, tileTypeWithElement(o->taken, tileTypeGetElement(mlirValueGetType(fragment))));
    mlirRewriterBaseInsert(p->b, copy);
  }
  return fragment;
}

/* Slice `s` of every product, added to its sum. */
static void multiply(Prefetch *p, const MlirValue *fragments, MlirValue *sums, int64_t s) {
  MlirValue factors[MOST_OPERANDS];
  for (int i = 0; i < p->numOperands; ++i)
    factors[i] = takeSteps(p, &p->operands[i], fragments[i], s);
  for (int j = 0; j < p->numProducts; ++j) {
    MlirOperation mma = mlirOperationClone(p->products[j]);
    for (int i = 0; i < 2; ++i)
      mlirOperationSetOperand(mma, i, factors[p->factors[j][i]]);
    mlirOperationSetOperand(mma, 2, sums[j]);
    mlirRewriterBaseInsert(p->b, mma);
    sums[j] = mlirOperationGetResult(mma, 0);
  }
}

/* All slices but the last, each multiplied while the next is read; the last one's fragments. */
static void multiplyFirst(Prefetch *p, MlirValue *fragments, MlirValue *sums) {
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->products[p->numProducts - 1]);
  for (int j = 0; j < p->numProducts; ++j)
    sums[j] = tileGPUMmaOpGetC(tileGPUMmaOpCast(p->products[j]));
  for (int i = 0; i < p->numOperands; ++i)
    fragments[i] = p->operands[i].first;
  for (int64_t s = 1; s < p->k / p->step; ++s) {
    MlirValue next[MOST_OPERANDS];
    for (int i = 0; i < p->numOperands; ++i)
      next[i] = readSlice(p, &p->operands[i], tileGPUIndexOpGetIndex(p->operands[i].index), s);
    multiply(p, fragments, sums, s - 1);
    memcpy(fragments, next, sizeof next);
  }
}

/* The end of the body, but for loads under a mask: they may become branches, which fragments of two iterations
 * should not have to live through. Staged loads start behind the barrier, among the reads. */
static MlirOperation endOfBody(Prefetch *p) {
  MlirOperation end = p->yield;
  for (MlirOperation op = p->products[p->numProducts - 1]; op.ptr != p->yield.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    TileLoadOp load = tileLoadOpCast(op);
    if (p->isStaged && tileOpKind(op) == TileOp_TileGPU_LocalStore)
      end = mlirOperationGetNextInBlock(op);
    if (!p->isStaged && !tileLoadOpIsNull(load) && tileLoadOpGetMask(load).ptr)
      return op;
  }
  return end;
}

/* The index that an operand has in the next iteration, computed here. */
static MlirValue nextIndex(Prefetch *p, const Operand *o) {
  MlirValue next = mlirOperationGetOperand(p->yield, indexPosition(o));
  MlirOperation op = tileValueGetDefiningOp(next);
  if (!isInBody(p, op) || tileOpKind(op) != TileOp_TileGPU_Advance)
    return next;
  MlirOperation clone = mlirOperationClone(op);
  mlirRewriterBaseInsert(p->b, clone);
  return mlirOperationGetResult(clone, 0);
}

/* At the end of the body: the next iteration's first slice, and the products of this one's last. */
static void finishBody(Prefetch *p, const MlirValue *fragments, MlirValue *sums) {
  mlirRewriterBaseSetInsertionPointBefore(p->b, endOfBody(p));
  waitForCopies(p);
  for (int i = 0; i < p->numOperands; ++i)
    p->operands[i].next = readSlice(p, &p->operands[i], nextIndex(p, &p->operands[i]), 0);
  if (p->isStaged) /* loads start among the reads */
    mlirRewriterBaseSetInsertionPointBefore(p->b, p->yield);
  multiply(p, fragments, sums, p->k / p->step - 1);
  for (int j = 0; j < p->numProducts; ++j)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->products[j], 0), sums[j]);
  intptr_t n = mlirOperationGetNumOperands(p->yield), all = n + p->numOperands;
  MlirValue *values = tileArenaAlloc(p->arena, (size_t)all, sizeof *values);
  for (intptr_t i = 0; i < all; ++i)
    values[i] = i < n ? mlirOperationGetOperand(p->yield, i) : p->operands[i - n].next;
  mlirOperationSetOperands(p->yield, all, values);
}

static void eraseUnused(Prefetch *p, MlirOperation view) {
  if (view.ptr && tileValueIsUnused(mlirOperationGetResult(view, 0)))
    mlirRewriterBaseEraseOp(p->b, view);
}

static void eraseOld(Prefetch *p) {
  for (int j = 0; j < p->numProducts; ++j)
    mlirRewriterBaseEraseOp(p->b, p->products[j]);
  for (int i = 0; i < p->numOperands; ++i) {
    for (int k = 0; k < p->operands[i].numSteps; ++k)
      mlirRewriterBaseEraseOp(p->b, p->operands[i].steps[k]);
    if (p->operands[i].repeat.ptr)
      tileEraseRepeated(p->b, p->operands[i].repeat);
    mlirRewriterBaseEraseOp(p->b, p->operands[i].load.op);
    eraseUnused(p, p->operands[i].trans.op);
    eraseUnused(p, p->operands[i].index.op);
  }
  if (p->wait.op.ptr) {
    mlirRewriterBaseEraseOp(p->b, p->barrier);
    mlirRewriterBaseEraseOp(p->b, p->wait.op);
  }
}

static void rewrite(Prefetch *p) {
  MlirValue fragments[MOST_OPERANDS], sums[MOST_PRODUCTS];
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->loop.op);
  waitForCopies(p);
  for (int i = 0; i < p->numOperands; ++i)
    p->operands[i].first =
        readSlice(p, &p->operands[i], scfForOpGetInitArgs(p->loop, indexPosition(&p->operands[i])), 0);
  growLoop(p);
  multiplyFirst(p, fragments, sums);
  finishBody(p, fragments, sums);
  eraseOld(p);
  tileReadVectorsFirst(p->body);
  tileCopiesBehindProduct(p->body);
}

static bool prefetchLoop(MlirOperation loop, bool isTight, TileArena *arena) {
  Prefetch p = {.arena = arena, .loop = scfForOpCast(loop), .isTight = isTight};
  p.body = mlirRegionGetFirstBlock(scfForOpGetRegion(p.loop));
  p.yield = mlirBlockGetTerminator(p.body);
  if (!matches(&p))
    return false;
  p.b = mlirIRRewriterCreate(mlirOperationGetContext(loop));
  rewrite(&p);
  mlirRewriterBaseClearInsertionPoint(p.b);
  mlirIRRewriterDestroy(p.b);
  return true;
}

MlirLogicalResult tileGPUPrefetchRun(MlirOperation module, const TileGPUPrefetchParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  TileArena arena = {0};
  bool isTight = !tileTargetHas(&target.info, TileFeature_CpAsync);
  TilePointerList loops = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileReadVectorsDirectly(b, module);
  mlirIRRewriterDestroy(b);
  tileCollectOps(module, TileOp_SCF_For, MlirWalkPostOrder, &loops);
  for (size_t i = 0; i < loops.count; ++i)
    if (prefetchLoop((MlirOperation){(void *)loops.items[i]}, isTight, &arena))
      ++*params->numLoops;
  tileArenaRelease(&arena);
  return tileSuccess();
}
