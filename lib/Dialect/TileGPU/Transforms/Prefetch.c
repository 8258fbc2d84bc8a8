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
 * row or column, shifted by what its row says, an activation) is computed slice by slice, in front of each slice's product; what is read
 * ahead are the bytes, and the scales that lie along K.
 *
 * In blocks of eight warps the first slice of bytes is carried as it was widened, behind the last product.
 *
 * The sums are formed in the same order. After the last iteration a buffer is read that nobody needs; it holds
 * what a masked copy left there.
 *
 * Without asynchronous copies the body ends in stores of what was loaded before: then the barrier and the reads
 * stand behind these stores, and the loads of a later iteration among the last product.
 *
 * requires: tile-gpu-pipeline. ensures: the same results. */
#include "FactorSlices.h"
#include "ReadDirectly.h"
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

enum { MOST_SLICES = 4, MOST_PRODUCTS = 2, MOST_OPERANDS = 2 * MOST_PRODUCTS, MOST_REGISTERS = 255 };

/* One operand, of a product or of several: how it is read now. */
typedef struct Operand {
  TileFactor factor;
  bool isMade; ///< what is carried is the factor's slice, and not what it is computed of
  MlirValue first[TILE_MOST_FACTOR_READS],
      next[TILE_MOST_FACTOR_READS]; ///< slice 0 of this iteration and of the next
} Operand;

/* Slices of all that is read, by operand and read. */
typedef MlirValue Fragments[MOST_OPERANDS][TILE_MOST_FACTOR_READS];

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
  intptr_t numCarried;           ///< values that the loop carries more
  int factors[MOST_PRODUCTS][2]; ///< indices into operands
  int64_t k, step;               ///< K of the product and of a slice
  bool isStaged;                 ///< no asynchronous copies: loads pass through registers
  bool isTight;                  ///< AMD: what does not fit the registers is spilled
} Prefetch;

// ---- The pattern ----

static bool isInBody(const Prefetch *p, MlirOperation op) {
  return op.ptr && mlirOperationGetBlock(op).ptr == p->body.ptr;
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

/* Position of the carried index of a read among the loop's variables. */
static intptr_t indexPosition(const TileFactorRead *r) {
  return mlirBlockArgumentGetArgNumber(tileGPUIndexOpGetIndex(r->index)) - 1;
}

/* Whether the next index is known at the end of the body, and not before. */
static bool advancesIndex(const Prefetch *p, const TileFactorRead *r) {
  if (indexPosition(r) < 0)
    return false;
  MlirValue next = mlirOperationGetOperand(p->yield, indexPosition(r));
  TileGPUAdvanceOp op = tileGPUAdvanceOpCast(tileValueGetDefiningOp(next));
  return !tileGPUAdvanceOpIsNull(op) &&
         tileGPUAdvanceOpGetIndex(op).ptr == tileGPUIndexOpGetIndex(r->index).ptr;
}

/* The type of a slice of `step` along K of factor `i`; null if it has no layout. */
static MlirType sliceType(const Prefetch *p, MlirOperation product, int i) {
  static const TileMatrixRole roles[] = {TileMatrixRole_A, TileMatrixRole_B};
  TileGPUMmaOp mma = tileGPUMmaOpCast(product);
  TileMatrixSizes sizes = tileMatrixSizesOf(product);
  TileMatrixChoice choice;
  TileMatrixOperand part;
  int64_t shape[TileLayout_MaxRank];
  MlirType type = mlirValueGetType(i ? tileGPUMmaOpGetB(mma) : tileGPUMmaOpGetA(mma));
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  sizes.k = p->step;
  if (!tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(mma), &choice) ||
      !tileMatrixOperandOf(&choice, &sizes, roles[i], &part))
    return (MlirType){NULL};
  shape[rank - 1 - i] = p->step;
  return mlirRankedTensorTypeGet(rank, shape, tileTypeGetElement(type),
                                 tileLayoutToAttr(mlirOperationGetContext(product), &part.layout));
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
    const TileFactor *f = &p->operands[i].factor;
    int64_t fragments = 0;
    for (int r = 0; r < f->numReads; ++r)
      fragments += tileRegisterWords(f->reads[r].fragment);
    words += fragments;
    if (f->numOps > 1) /* beside it what it is widened to */
      words += tileRegisterWords(f->ops[f->numOps - 1].type);
    least = fragments < least ? fragments : least;
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
  return p->step < p->k || (p->step == p->k && p->isTight && !p->isStaged);
}

/* Blocks of eight warps and more, of which one fits a multiprocessor: nobody else multiplies while all of its warps widen bytes at the top of the body. */
static bool isAlone(MlirOperation product) {
  enum { ALONE = 8 };
  TileMatrixChoice c;
  return tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(tileGPUMmaOpCast(product)), &c) &&
         c.warps[0] * c.warps[1] * (c.rank == 3 ? c.warps[2] : 1) >= ALONE;
}

static unsigned elementSize(MlirType type) { return (unsigned)tileElementTypeSize(tileElementTypeOf(type)); }

/* Whether a factor is widened bytes and nothing else: what is scaled as f32 on the way needs more registers than there are. */
static bool isWidened(const TileFactor *f) {
  bool isNarrow = true;
  for (int i = 0; i < f->numOps; ++i)
    isNarrow &= tileElementTypeOf(f->ops[i].type) != TileElementType_F32;
  return isNarrow && elementSize(f->reads[0].fragment) < elementSize(f->ops[f->numOps - 1].type);
}

static int numCarried(const Operand *o) { return o->isMade ? 1 : o->factor.numReads; }

/* The operand of a product; one that another product takes as the same factor is shared. */
static bool addOperand(Prefetch *p, int j, int i) {
  MlirValue v = mlirOperationGetOperand(p->products[j], i);
  for (int k = 0; k < p->numOperands; ++k)
    if (mlirValueEqual(p->operands[k].factor.value, v)) {
      p->factors[j][i] = k;
      return j > 0 && p->factors[0][i] == k &&
             mlirAttributeEqual(tileGPUMmaOpGetInstrAttr(tileGPUMmaOpCast(p->products[0])),
                                tileGPUMmaOpGetInstrAttr(tileGPUMmaOpCast(p->products[j])));
    }
  p->factors[j][i] = p->numOperands;
  TileFactor *f = &p->operands[p->numOperands++].factor;
  *f = (TileFactor){
      .body = p->body, .value = v, .dim = (int)mlirShapedTypeGetRank(mlirValueGetType(v)) - 1 - i};
  MlirType slice = sliceType(p, p->products[j], i);
  if (!slice.ptr || !tileFindFactor(f, slice))
    return false;
  for (int r = 0; r < f->numReads; ++r)
    if (!advancesIndex(p, &f->reads[r]))
      return false;
  Operand *o = &p->operands[p->numOperands - 1];
  o->isMade = !p->isTight && isAlone(p->products[j]) && isWidened(f) && tileIsFactorInvariant(f);
  p->numCarried += numCarried(o);
  return true;
}

static bool matches(Prefetch *p) {
  if (!findProducts(p) || !findWait(p))
    return false;
  p->isStaged = p->isTight && !p->wait.op.ptr;
  if (!readsNothingElse(p) || !chooseSlices(p))
    return false;
  for (int j = 0; j < p->numProducts; ++j)
    if (!isYieldedOnly(p, p->products[j]) || !addOperand(p, j, 0) || !addOperand(p, j, 1))
      return false;
  return p->isTight ? fitsRegisters(p) : sumWords(p) < MOST_REGISTERS;
}

// ---- The rewriting ----

static void waitForCopies(Prefetch *p) {
  if (!p->wait.op.ptr)
    return;
  mlirRewriterBaseInsert(p->b, mlirOperationClone(p->wait.op));
  mlirRewriterBaseInsert(p->b, mlirOperationClone(p->barrier));
}

/* Slice 0 of the factors that are carried as they are computed. */
static void makeFirst(Prefetch *p, bool isNext) {
  for (int i = 0; i < p->numOperands; ++i) {
    Operand *o = &p->operands[i];
    MlirValue *reads = isNext ? o->next : o->first;
    if (o->isMade)
      reads[0] = tileMakeSlice(p->b, &o->factor, reads, 0);
  }
}

/* A loop like this one with a variable more for each read, around the same body; its op. */
static void growLoop(Prefetch *p) {
  MlirLocation loc = mlirOperationGetLocation(p->loop.op);
  intptr_t n = scfForOpGetNumInitArgs(p->loop), all = n;
  MlirValue *inits = tileArenaAlloc(p->arena, (size_t)(n + p->numCarried), sizeof *inits);
  MlirType *types = tileArenaAlloc(p->arena, (size_t)(n + p->numCarried), sizeof *types);
  for (intptr_t i = 0; i < n; ++i)
    inits[i] = scfForOpGetInitArgs(p->loop, i);
  for (int i = 0; i < p->numOperands; ++i)
    for (int r = 0; r < numCarried(&p->operands[i]); ++r)
      inits[all++] = p->operands[i].first[r];
  for (intptr_t i = 0; i < all; ++i)
    types[i] = mlirValueGetType(inits[i]);
  MlirAttribute isUnsigned = scfForOpGetUnsignedCmp(p->loop)
                                 ? mlirUnitAttrGet(mlirOperationGetContext(p->loop.op))
                                 : (MlirAttribute){NULL};
  SCFForOp grown =
      scfForOpCreate(p->b, loc, all, types, scfForOpGetLowerBound(p->loop), scfForOpGetUpperBound(p->loop),
                     scfForOpGetStep(p->loop), all, inits, isUnsigned);
  tileCopyDiscardableAttrs(p->loop.op, grown.op);
  mlirRegionTakeBody(scfForOpGetRegion(grown), scfForOpGetRegion(p->loop));
  for (int i = 0, at = (int)n; i < p->numOperands; ++i)
    for (int r = 0; r < numCarried(&p->operands[i]); ++r)
      p->operands[i].first[r] = mlirBlockAddArgument(p->body, types[at++], loc);
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->loop.op, i), mlirOperationGetResult(grown.op, i));
  mlirRewriterBaseEraseOp(p->b, p->loop.op);
  p->loop = grown;
}

/* Slice `s` of every product, added to its sum. */
static void multiply(Prefetch *p, Fragments fragments, MlirValue *sums, int64_t s) {
  MlirValue factors[MOST_OPERANDS];
  for (int i = 0; i < p->numOperands; ++i)
    factors[i] = s == 0 && p->operands[i].isMade
                     ? fragments[i][0]
                     : tileMakeSlice(p->b, &p->operands[i].factor, fragments[i], s);
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
static void multiplyFirst(Prefetch *p, Fragments fragments, MlirValue *sums) {
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->products[p->numProducts - 1]);
  for (int j = 0; j < p->numProducts; ++j)
    sums[j] = tileGPUMmaOpGetC(tileGPUMmaOpCast(p->products[j]));
  for (int i = 0; i < p->numOperands; ++i)
    memcpy(fragments[i], p->operands[i].first, sizeof fragments[i]);
  for (int64_t s = 1; s < p->k / p->step; ++s) {
    Fragments next;
    for (int i = 0; i < p->numOperands; ++i)
      for (int r = 0; r < p->operands[i].factor.numReads; ++r) {
        const TileFactorRead *read = &p->operands[i].factor.reads[r];
        next[i][r] = tileReadSlice(p->b, read, tileGPUIndexOpGetIndex(read->index), s);
      }
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

/* The index that a read has in the next iteration, computed here. */
static MlirValue nextIndex(Prefetch *p, const TileFactorRead *r) {
  MlirValue next = mlirOperationGetOperand(p->yield, indexPosition(r));
  MlirOperation op = tileValueGetDefiningOp(next);
  if (!isInBody(p, op) || tileOpKind(op) != TileOp_TileGPU_Advance)
    return next;
  MlirOperation clone = mlirOperationClone(op);
  mlirRewriterBaseInsert(p->b, clone);
  return mlirOperationGetResult(clone, 0);
}

/* At the end of the body: the next iteration's first slice, and the products of this one's last. */
static void finishBody(Prefetch *p, Fragments fragments, MlirValue *sums) {
  mlirRewriterBaseSetInsertionPointBefore(p->b, endOfBody(p));
  waitForCopies(p);
  for (int i = 0; i < p->numOperands; ++i)
    for (int r = 0; r < p->operands[i].factor.numReads; ++r) {
      const TileFactorRead *read = &p->operands[i].factor.reads[r];
      p->operands[i].next[r] = tileReadSlice(p->b, read, nextIndex(p, read), 0);
    }
  if (p->isStaged) /* loads start among the reads */
    mlirRewriterBaseSetInsertionPointBefore(p->b, p->yield);
  multiply(p, fragments, sums, p->k / p->step - 1);
  makeFirst(p, true);
  for (int j = 0; j < p->numProducts; ++j)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->products[j], 0), sums[j]);
  intptr_t n = mlirOperationGetNumOperands(p->yield), all = n;
  MlirValue *values = tileArenaAlloc(p->arena, (size_t)(n + p->numCarried), sizeof *values);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirOperationGetOperand(p->yield, i);
  for (int i = 0; i < p->numOperands; ++i)
    for (int r = 0; r < numCarried(&p->operands[i]); ++r)
      values[all++] = p->operands[i].next[r];
  mlirOperationSetOperands(p->yield, all, values);
}

static void eraseOld(Prefetch *p) {
  for (int j = 0; j < p->numProducts; ++j)
    mlirRewriterBaseEraseOp(p->b, p->products[j]);
  for (int i = 0; i < p->numOperands; ++i)
    tileEraseFactor(p->b, &p->operands[i].factor);
  if (p->wait.op.ptr) {
    mlirRewriterBaseEraseOp(p->b, p->barrier);
    mlirRewriterBaseEraseOp(p->b, p->wait.op);
  }
}

static void rewrite(Prefetch *p) {
  Fragments fragments;
  MlirValue sums[MOST_PRODUCTS];
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->loop.op);
  waitForCopies(p);
  for (int i = 0; i < p->numOperands; ++i)
    for (int r = 0; r < p->operands[i].factor.numReads; ++r) {
      const TileFactorRead *read = &p->operands[i].factor.reads[r];
      p->operands[i].first[r] =
          tileReadSlice(p->b, read, scfForOpGetInitArgs(p->loop, indexPosition(read)), 0);
    }
  makeFirst(p, false);
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
