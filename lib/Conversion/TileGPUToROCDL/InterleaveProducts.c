/* InterleaveProducts.c - tile-interleave-products: in loops that read fragments ahead of their products
 * (tile-gpu-prefetch), matrix instructions and memory accesses are written in the order in which they shall be
 * issued, and LLVM is kept from changing it.
 *
 *   llvm.load x 12; mfma x 64; barrier; llvm.store x 8; barrier; llvm.load x 12; global load x 8; mfma x 64
 * becomes
 *   (llvm.load, mfma x 5) x 12 ...; barrier; (llvm.store, mfma x 4) x 8; barrier;
 *   (llvm.load or global load, mfma, mfma) x 20 ...
 * with rocdl.sched.barrier 0 behind each of them.
 *
 * A wave issues in order, and a matrix instruction keeps its unit busy for several issue slots, in which accesses of
 * memory cost nothing; left alone, LLVM's schedulers move reads to their use and loads and writes together. Accesses
 * are spread over the first two thirds of the products behind them, which need none of them, so that what they bring has come
 * by the last one; where there are none before the next barrier, over
 * a share of those behind it. Reads are ordered by their first use. Loads and reads alternate; copies straight to LDS, which the
 * next barrier waits for, come first where the products before it take less time than a load.
 * Vector instructions that products need (bytes widened, scales) are spread over the products before, once what they
 * read has come. Everything else moves to its first user. Accesses of shared memory do not cross barriers and keep their order where
 * a part has writes; global loads keep theirs.
 *
 * requires: convert-tile-gpu-to-rocdl. ensures: the same results. */
#include "InterleaveProducts.h"
#include "tile-c/Dialect/ROCDL.h"
#include "tile-c/Passes.h"
#include <stdlib.h>

typedef struct Writer {
  TileInterleave *x;
  TileBuilder b;
  MlirOperation end;   ///< the terminator
  int written;         ///< products
  TileBlockOp **heavy; ///< vector instructions that factors need, in the order of the products
  int numHeavy, nextHeavy;
} Writer;

static void pin(Writer *w, MlirOperation op) {
  mlirRewriterBaseSetInsertionPointBefore(w->b, w->end);
  rocdlSchedBarrierCreate(w->b, mlirOperationGetLocation(op), tileI32Attr(mlirOperationGetContext(op), 0));
}

/* The op and, before it, what it needs. */
static void write(Writer *w, TileBlockOp *o) {
  if (o->done)
    return;
  o->done = true;
  o->at = w->written;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(o->op); ++k) {
    TileBlockOp *def = tileBlockOpOf(w->x, mlirOperationGetOperand(o->op, k));
    if (def)
      write(w, def);
  }
  mlirOperationMoveBefore(o->op, w->end);
  w->written += o->kind == TileBlockOp_Matrix;
  if (o->kind != TileBlockOp_Pure && o->kind != TileBlockOp_Barrier)
    pin(w, o->op);
}

// ---- Vector instructions between products ----

/* Ops that become no instruction, or one for scalars. */
static bool isLight(TileOpKind kind) {
  switch (kind) {
  case TileOp_LLVM_AddressOf:
  case TileOp_LLVM_Bitcast:
  case TileOp_LLVM_Constant:
  case TileOp_LLVM_ExtractElement:
  case TileOp_LLVM_ExtractValue:
  case TileOp_LLVM_GEP:
  case TileOp_LLVM_InsertElement:
  case TileOp_LLVM_InsertValue:
  case TileOp_LLVM_Poison:
  case TileOp_LLVM_ShuffleVector:
  case TileOp_LLVM_Undef:
  case TileOp_LLVM_Zero:
  case TileOp_ROCDL_MakeBufferRsrc:
    return true;
  default:
    return false;
  }
}

/* What a value needs of the block's vector instructions, operands first. */
static void collectHeavy(Writer *w, MlirValue v) {
  TileBlockOp *o = tileBlockOpOf(w->x, v);
  if (!o || o->collected || o->kind != TileBlockOp_Pure)
    return;
  o->collected = true;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(o->op); ++k)
    collectHeavy(w, mlirOperationGetOperand(o->op, k));
  if (!isLight(tileOpKind(o->op)))
    w->heavy[w->numHeavy++] = o;
}

/* Whether what was read for an op has had time to come. */
static bool isReady(const Writer *w, const TileBlockOp *o) {
  enum { TIME = 6 };
  if (o->done)
    return o->kind == TileBlockOp_Pure || w->written - o->at >= TIME;
  if (o->kind != TileBlockOp_Pure)
    return false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(o->op); ++k) {
    const TileBlockOp *def = tileBlockOpOf(w->x, mlirOperationGetOperand(o->op, k));
    if (def && !isReady(w, def))
      return false;
  }
  return true;
}

/* Behind each product its share of the vector instructions that later ones need: they cost nothing beside it. */
static void writeHeavy(Writer *w) {
  int share = (w->numHeavy + w->x->numProducts - 1) / w->x->numProducts;
  for (int n = 0; n < share && w->nextHeavy < w->numHeavy; ++w->nextHeavy) {
    TileBlockOp *o = w->heavy[w->nextHeavy];
    if (o->done)
      continue;
    if (!isReady(w, o))
      return;
    write(w, o);
    ++n;
  }
}

// ---- Accesses between products ----

static int byFirstUse(const void *a, const void *b) {
  const TileBlockOp *x = *(TileBlockOp *const *)a, *y = *(TileBlockOp *const *)b;
  return x->firstUse != y->firstUse ? (x->firstUse < y->firstUse ? -1 : 1) : x < y ? -1 : x > y;
}

/* Cycles of a SIMD for products: 16 for one of 16x16, 32 for one of 32x32 (CDNA's tables of passes). */
static int cyclesOf(const TileInterleave *x, int first, int end) {
  int cycles = 0;
  for (int i = first; i < end; ++i) {
    MlirType sum = mlirValueGetType(mlirOperationGetResult(x->ops[x->products[i]].op, 0));
    cycles += mlirTypeIsAVector(sum) && mlirShapedTypeGetDimSize(sum, 0) > 4 ? 32 : 16;
  }
  return cycles;
}

/* Whether the loop waits for all its copies at once: vmcnt, of which bits 3..0 and 15..14 are a gfx9 wait's, is 0. */
static bool waitsForAll(const TileInterleave *x) {
  for (int i = 0; i < x->numOps; ++i) {
    ROCDLSWaitcntOp wait = rocdlSWaitcntOpCast(x->ops[i].op);
    if (!rocdlSWaitcntOpIsNull(wait) && !(rocdlSWaitcntOpGetBitfield(wait) & 0xc00f))
      return true;
  }
  return false;
}

/* Whether copies straight to LDS could still be under way when the next iteration's barrier waits for them, if they started among the
 * reads: two waves share a SIMD, a load takes some 700 cycles. */
static bool isHurried(const TileInterleave *x, int part, TileBlockOp *const *global, int numGlobal) {
  enum { LOAD = 700, WAVES = 2 };
  int all = cyclesOf(x, 0, x->numProducts), mine = cyclesOf(x, part ? x->end[part - 1] : 0, x->end[part]);
  return numGlobal && tileOpKind(global[0]->op) == TileOp_ROCDL_RawPtrBufferLoadLds && waitsForAll(x) &&
         WAVES * (all - mine * 2 / 3) < LOAD;
}

/* The accesses of a part in the order in which they shall start: those of shared and of global memory mixed evenly. */
static int accessesOf(TileInterleave *x, int part, TileBlockOp **out) {
  TileBlockOp **shared = tileArenaAlloc(x->arena, (size_t)x->numOps, sizeof *shared),
              **global = tileArenaAlloc(x->arena, (size_t)x->numOps, sizeof *global);
  int numShared = 0, numGlobal = 0, n = 0;
  bool writes = false;
  for (int i = 0; i < x->numOps; ++i) {
    TileBlockOp *o = &x->ops[i];
    if (o->part != part)
      continue;
    if (o->kind == TileBlockOp_Global)
      global[numGlobal++] = o;
    if (o->kind == TileBlockOp_SharedRead || o->kind == TileBlockOp_SharedWrite)
      shared[numShared++] = o;
    writes |= o->kind == TileBlockOp_SharedWrite;
  }
  if (!writes)
    qsort(shared, (size_t)numShared, sizeof *shared, byFirstUse);
  int ahead = isHurried(x, part, global, numGlobal) ? numGlobal : 0;
  for (int i = 0, k = 0; i < numShared || k < numGlobal;)
    out[n++] = k < numGlobal && (i >= numShared || k < i + ahead) ? global[k++] : shared[i++];
  return n;
}

static void writeBarrier(Writer *w, int part) {
  for (int i = 0; i < w->x->numOps; ++i)
    if (w->x->ops[i].part == part && w->x->ops[i].kind == TileBlockOp_Barrier)
      write(w, &w->x->ops[i]);
}

static void writePart(Writer *w, int part) {
  TileInterleave *x = w->x;
  TileBlockOp **accesses = tileArenaAlloc(x->arena, (size_t)x->numOps, sizeof *accesses);
  int n = accessesOf(x, part, accesses), first = part ? x->end[part - 1] : 0, products = x->end[part] - first,
      next = 0;
  writeBarrier(w, part);
  for (int i = 0; i < products; ++i) {
    for (; next < n && 2 * next * products <= 3 * i * n; ++next) /* all in two thirds of the products */
      write(w, accesses[next]);
    write(w, &x->ops[x->products[first + i]]);
    writeHeavy(w);
  }
  for (; next < n; ++next)
    write(w, accesses[next]);
}

static void rewrite(TileInterleave *x) {
  Writer w = {.x = x, .end = mlirBlockGetTerminator(x->block)};
  w.b = mlirIRRewriterCreate(mlirOperationGetContext(w.end));
  w.heavy = tileArenaAlloc(x->arena, (size_t)x->numOps, sizeof *w.heavy);
  for (int i = 0; i < x->numProducts; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(x->ops[x->products[i]].op); ++k)
      collectHeavy(&w, mlirOperationGetOperand(x->ops[x->products[i]].op, k));
  for (int part = 0; part < x->numParts; ++part)
    writePart(&w, part);
  for (int i = 0; i < x->numOps; ++i)
    write(&w, &x->ops[i]);
  mlirRewriterBaseClearInsertionPoint(w.b);
  mlirIRRewriterDestroy(w.b);
}

static MlirWalkResult visitFunction(MlirOperation op, void *user) {
  uint64_t *numLoops = user;
  if (tileOpKind(op) != TileOp_LLVM_LLVMFunc || !mlirOperationGetNumRegions(op))
    return MlirWalkResultAdvance;
  MlirRegion region = mlirOperationGetRegion(op, 0);
  for (MlirBlock block = mlirRegionGetFirstBlock(region); block.ptr;
       block = mlirBlockGetNextInRegion(block)) {
    TileArena arena = {0};
    TileInterleave x = {.arena = &arena};
    if (tileInterleaveRead(&x, block) && tileInterleavePlan(&x)) {
      rewrite(&x);
      ++*numLoops;
    }
    tileArenaRelease(&arena);
  }
  return MlirWalkResultSkip;
}

MlirLogicalResult tileInterleaveProductsRun(MlirOperation module,
                                            const TileInterleaveProductsParams *params) {
  mlirOperationWalk(module, visitFunction, params->numLoops, MlirWalkPreOrder);
  return tileSuccess();
}
