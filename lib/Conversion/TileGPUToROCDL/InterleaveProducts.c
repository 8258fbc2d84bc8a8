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
 * a share of those behind it. Reads are ordered by their first use, and stand behind the last product that takes what stands in their
 * registers. Loads and reads alternate; copies straight to LDS, which the
 * next barrier waits for, come first where the products before it take less time than a load.
 * Vector instructions that products need (bytes widened, scales) are spread over the products before, once what they
 * read has come. Everything else moves to its first user. Accesses of shared memory do not cross barriers and keep their order where
 * a part has writes; global loads keep theirs. Blocks whose products need reads of the block itself: InterleaveNear.c.
 *
 * requires: convert-tile-gpu-to-rocdl. ensures: the same results. */
#include "InterleaveWrite.h"
#include "tile-c/Dialect/ROCDL.h"
#include "tile-c/Passes.h"

// ---- Accesses between products ----

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
  TileBlockAccesses a;
  int n = 0;
  tileInterleaveAccesses(x, part, &a);
  int ahead = isHurried(x, part, a.global, a.numGlobal) ? a.numGlobal : 0;
  for (int i = 0, k = 0; i < a.numShared || k < a.numGlobal;)
    out[n++] = k < a.numGlobal && (i >= a.numShared || k < i + ahead) ? a.global[k++] : a.shared[i++];
  return n;
}

/* The first access that is still to come and writes no registers that products from number `next` on take. */
static TileBlockOp *nextAccess(TileBlockOp **accesses, int n, int next) {
  for (int i = 0; i < n; ++i)
    if (!accesses[i]->done && accesses[i]->freed < next)
      return accesses[i];
  return NULL;
}

static void writePart(TileInterleaveWriter *w, int part) {
  TileInterleave *x = w->x;
  TileBlockOp **accesses = tileArenaAlloc(x->arena, (size_t)x->numOps, sizeof *accesses), *access;
  int n = accessesOf(x, part, accesses), first = part ? x->end[part - 1] : 0, products = x->end[part] - first,
      written = 0;
  tileInterleaveWriteBarrier(w, part);
  for (int i = 0; i < products; ++i) {
    /* All in two thirds of the products, if their registers are free. */
    while (2 * written * products <= 3 * i * n && (access = nextAccess(accesses, n, first + i))) {
      tileInterleaveWrite(w, access);
      ++written;
    }
    tileInterleaveWrite(w, &x->ops[x->products[first + i]]);
    tileInterleaveWriteHeavy(w);
  }
  for (int i = 0; i < n; ++i)
    tileInterleaveWrite(w, accesses[i]);
}

static void rewrite(TileInterleave *x) {
  TileInterleaveWriter w;
  tileInterleaveStart(&w, x);
  for (int part = 0; part < x->numParts; ++part)
    writePart(&w, part);
  tileInterleaveFinish(&w);
}

/* Parts of a block between ops whose place must not change, such as what softmax calls: each by itself, where registers are short. */
static bool rewriteSegments(MlirBlock block) {
  bool any = false;
  MlirOperation end = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr != end.ptr;) {
    TileArena arena = {0};
    TileInterleave x = {.arena = &arena};
    if (tileInterleaveReadSegment(&x, op) && tileInterleaveIsShort(&x)) {
      tileInterleaveOrderByReads(&x, false);
      tileInterleaveNear(&x);
      any = true;
    }
    op = x.to.ptr == end.ptr ? end : mlirOperationGetNextInBlock(x.to);
    tileArenaRelease(&arena);
  }
  return any;
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
    if (tileInterleaveRead(&x, block)) {
      if (tileInterleavePlan(&x))
        rewrite(&x);
      else
        tileInterleaveNear(&x);
      ++*numLoops;
    } else {
      *numLoops += rewriteSegments(block);
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
