/* InterleaveNear.c - tile-interleave-products of a block whose products need reads of the block itself: fragments are read a few
 * products ahead, as far as registers reach.
 *
 *   llvm.load x 128; mfma x 64; barrier; llvm.store x 8; global load x 8
 * becomes
 *   llvm.load x 4; (mfma; llvm.load x 2) ...; mfma ...; barrier; llvm.store x 8; global load x 8
 *
 * LLVM's scheduler reads the fragments of all of K at once beside accumulators and staged loads, which are then spilled. Here reads
 * stand in the order of their use, and no more of what they bring is alive than there is room beside the accumulators and
 * what stores wait for. Loads that stores behind the products want start as registers come free. What stands behind the products and waits
 * for no read of theirs comes among them, once all fragments have. */
#include "InterleaveWrite.h"
#include "mlir-c/BuiltinTypes.h"
#include "tile-c/Dialect/LLVM.h"
#include "tile-c/Dialect/TileGPUModule.h"

/* Reads behind each product: more than one catch up, more than two do not hide behind it (16 to 32 cycles, a read of 16 bytes a lane takes
 * LDS 8). */
enum { AHEAD_PER_PRODUCT = 2 };

static bool isWmma(TileOpKind kind) {
  return kind >= TileOp_ROCDL_wmma_bf16_16x16x16_bf16 && kind <= TileOp_ROCDL_wmma_i32_16x16x64_iu8;
}

typedef struct Near {
  TileInterleaveWriter w;
  TileInterleave *x;
  int room;  ///< registers for fragments and loads on their way
  int *dies; ///< words of fragments that nobody needs behind a product
} Near;

static int bitsOf(MlirType type) {
  if (mlirTypeIsAVector(type))
    return (int)mlirShapedTypeGetDimSize(type, 0) * bitsOf(mlirShapedTypeGetElementType(type));
  if (mlirTypeIsAInteger(type))
    return (int)mlirIntegerTypeGetWidth(type);
  return mlirTypeIsAFloat(type) ? (int)mlirFloatTypeGetWidth(type) : 32;
}

static int wordsOf(MlirValue v) { return (bitsOf(mlirValueGetType(v)) + 31) / 32; }

/* None of a copy straight to LDS. */
static int wordsOfResult(const TileBlockOp *o) {
  return mlirOperationGetNumResults(o->op) ? wordsOf(mlirOperationGetResult(o->op, 0)) : 0;
}

/* Whether products take what is computed from a value, not the value itself. */
static bool isWidened(const TileInterleave *x, MlirValue v, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); depth && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    size_t number = (size_t)tilePointerMapFind(&x->index, user.ptr);
    if (number && x->ops[number - 1].kind == TileBlockOp_Pure)
      return !tileInterleaveIsLight(tileOpKind(user)) ||
             isWidened(x, mlirOperationGetResult(user, 0), depth - 1);
  }
  return false;
}

/* Registers that hold accumulators, what was loaded in an iteration before and is stored in this one, and addresses of loads. */
static int wordsHeld(const TileInterleave *x) {
  int words = 0;
  for (int i = 0; i < x->numOps; ++i) {
    const TileBlockOp *o = &x->ops[i];
    if (o->kind == TileBlockOp_SharedWrite && o->needs < 0)
      words += wordsOf(mlirOperationGetOperand(o->op, 0));
    if (o->kind == TileBlockOp_Global)
      words += tileOpKind(o->op) == TileOp_LLVM_Load ? 2 : 1;
    if (o->kind != TileBlockOp_Matrix)
      continue;
    const TileBlockOp *sum = tileBlockOpOf(x, mlirOperationGetOperand(o->op, 2));
    if (!sum || sum->kind != TileBlockOp_Matrix)
      words += wordsOfResult(o);
  }
  return words;
}

typedef struct Alive {
  const TileInterleave *x;
  TilePointerMap later; ///< ops behind the segment: what they make is not alive yet
  TilePointerMap seen;
  int words;
} Alive;

static void addAlive(Alive *a, MlirValue v) {
  MlirType type = mlirValueGetType(v);
  MlirOperation def = tileValueGetDefiningOp(v);
  bool isConstant =
      def.ptr && (tileOpKind(def) == TileOp_LLVM_Constant || tileOpKind(def) == TileOp_LLVM_Zero);
  if (isConstant || tileBlockOpOf(a->x, v) || (def.ptr && tilePointerMapFind(&a->later, def.ptr)) ||
      (!mlirTypeIsAVector(type) && !mlirTypeIsAFloat(type)) || tilePointerMapFind(&a->seen, v.ptr))
    return;
  tilePointerMapSet(&a->seen, v.ptr, a);
  a->words += wordsOf(v);
}

/* What ops in front of a segment take from outside of the block: in a loop they take it again, after the segment. */
static void addInvariants(Alive *a) {
  for (MlirOperation op = mlirBlockGetFirstOperation(a->x->block); op.ptr != a->x->from.ptr;
       op = mlirOperationGetNextInBlock(op))
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      MlirValue v = mlirOperationGetOperand(op, k);
      if (tileValueGetBlock(v).ptr != a->x->block.ptr)
        addAlive(a, v);
    }
}

/* Registers of vectors and floats that are alive when a segment starts, and those of its sums that start from nothing. */
static int wordsAlive(const TileInterleave *x) {
  Alive a = {.x = x, .later.arena = x->arena, .seen.arena = x->arena};
  addInvariants(&a);
  for (MlirOperation op = x->to; op.ptr; op = mlirOperationGetNextInBlock(op))
    tilePointerMapSet(&a.later, op.ptr, op.ptr);
  for (MlirOperation op = x->from; op.ptr; op = mlirOperationGetNextInBlock(op))
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      addAlive(&a, mlirOperationGetOperand(op, k));
  for (int i = 0; i < x->numProducts; ++i) {
    const TileBlockOp *o = &x->ops[x->products[i]];
    MlirOperation sum = tileValueGetDefiningOp(mlirOperationGetOperand(o->op, 2));
    if (sum.ptr && (tileOpKind(sum) == TileOp_LLVM_Constant || tileOpKind(sum) == TileOp_LLVM_Zero))
      a.words += wordsOfResult(o);
  }
  return a.words;
}

static bool isRead(const TileBlockOp *o) { return o->kind == TileBlockOp_SharedRead; }

/* What a fragment takes, and what it becomes: bytes and, twice as wide, what they are widened to. */
static int wordsOfFragment(const Near *n, const TileBlockOp *o) {
  return wordsOfResult(o) *
         (isWidened(n->x, mlirOperationGetResult(o->op, 0), TileInterleave_MostMoves) ? 3 : 1);
}

static void writeRead(Near *n, TileBlockOp *o) {
  if (o->done)
    return;
  int words = wordsOfFragment(n, o);
  tileInterleaveWrite(&n->w, o);
  int last = tileInterleaveLastUse(n->x, mlirOperationGetResult(o->op, 0));
  n->room -= words;
  if (last >= 0)
    n->dies[last] += words;
}

static void writeProduct(Near *n, int i) {
  tileInterleaveWrite(&n->w, &n->x->ops[n->x->products[i]]);
  tileInterleaveWriteHeavy(&n->w);
  n->room += n->dies[i];
}

static bool startsWithBarrier(const TileInterleave *x, int part) {
  for (int i = 0; i < x->numOps; ++i)
    if (x->ops[i].part == part && x->ops[i].kind == TileBlockOp_Barrier)
      return true;
  return false;
}

/* Loads of a part, and of those behind it up to the next barrier. */
static int loadsFrom(const TileInterleave *x, int part, TileBlockOp **out) {
  int n = 0, end = part + 1;
  while (end < x->numParts && !startsWithBarrier(x, end))
    ++end;
  for (int i = 0; i < x->numOps; ++i)
    if (x->ops[i].kind == TileBlockOp_Global && x->ops[i].part >= part && x->ops[i].part < end)
      out[n++] = &x->ops[i];
  return n;
}

// ---- All fragments at once ----

static bool waitsForReads(const TileInterleave *x, const TileBlockOp *o) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(o->op); ++k) {
    const TileBlockOp *def = tileBlockOpOf(x, mlirOperationGetOperand(o->op, k));
    if (def && def->needs >= 0)
      return true;
  }
  return false;
}

/* Whether what stands behind a part's products, up to the block's end, is there and needs none of its reads: it need not wait for the
 * products then. */
static bool isFollowed(const TileInterleave *x, int part) {
  int behind = 0;
  for (int i = 0; i < x->numOps; ++i) {
    const TileBlockOp *o = &x->ops[i];
    if (o->part > part && o->kind != TileBlockOp_Pure &&
        (o->kind == TileBlockOp_Matrix || isRead(o) || waitsForReads(x, o)))
      return false;
    if (o->part == part && (o->kind == TileBlockOp_SharedWrite || o->kind == TileBlockOp_Global))
      return false;
    behind += o->part > part && o->kind != TileBlockOp_Pure;
  }
  return behind;
}

/* Whether a part's reads fit the registers together. */
static bool fitsWhole(const Near *n, int part) {
  int words = 0, products = 0;
  for (int i = 0; i < n->x->numOps; ++i) {
    const TileBlockOp *o = &n->x->ops[i];
    words += o->part == part && isRead(o) ? wordsOfResult(o) : 0;
    products += o->part == part && o->kind == TileBlockOp_Matrix;
  }
  return products && words <= n->room;
}

/* What stands behind a part's products, spread over two thirds of those from number `first` on; `written` of all `products` are. */
static void writeBehind(Near *n, int part, int first, int written, int products) {
  TileInterleave *x = n->x;
  int count = 0, next = 0;
  for (int i = 0; i < x->numOps; ++i)
    count += x->ops[i].part > part && x->ops[i].kind != TileBlockOp_Pure;
  for (int i = 0; i < x->numOps; ++i) {
    TileBlockOp *o = &x->ops[i];
    if (o->part <= part || o->kind == TileBlockOp_Pure)
      continue;
    if (3 * (written - first) * count < 2 * next++ * (products - first))
      return;
    tileInterleaveWrite(&n->w, o);
  }
}

/* Reads first, then products as fragments come; from half of these on, when all have come, what stands behind them. */
static void writeWhole(Near *n, int part) {
  TileInterleave *x = n->x;
  TileBlockAccesses a;
  int products = tileInterleaveProductsIn(x, part), written = 0;
  tileInterleaveAccesses(x, part, &a);
  for (int i = 0; i < a.numShared; ++i)
    tileInterleaveWrite(&n->w, a.shared[i]);
  for (int i = 0; i < x->numProducts; ++i) {
    if (x->ops[x->products[i]].part != part)
      continue;
    if (written >= products / 2)
      writeBehind(n, part, products / 2, written, products);
    writeProduct(n, i);
    ++written;
  }
}

// ---- Some at a time ----

/* Factors of a part that wait for no read: halves of what they are made of (softmax's powers, as floats of 32 bits), so that they come
 * before reads take registers. */
static void writeFactorsThere(Near *n, int part) {
  TileInterleave *x = n->x;
  for (int i = 0; i < x->numProducts; ++i)
    for (intptr_t k = 0; k < 2 && x->ops[x->products[i]].part == part; ++k) {
      TileBlockOp *factor = tileBlockOpOf(x, mlirOperationGetOperand(x->ops[x->products[i]].op, k));
      if (factor && factor->kind == TileBlockOp_Pure && factor->needs < 0)
        tileInterleaveWrite(&n->w, factor);
    }
}

/* Products of a part among its accesses. */
static void writeProducts(Near *n, int part) {
  enum {
    TIME = 8
  }; /* products in which the last fragments come: at least 128 cycles, what a read of LDS takes */
  TileBlockAccesses a;
  int read = 0, load = 0, products = tileInterleaveProductsIn(n->x, part), written = 0, last = 0;
  bool goesOn = isFollowed(n->x, part);
  tileInterleaveAccesses(n->x, part, &a);
  a.numGlobal = loadsFrom(n->x, part, a.global);
  if (n->x->isSegment)
    writeFactorsThere(n, part);
  for (int i = 0; i < n->x->numProducts; ++i) {
    TileBlockOp *product = &n->x->ops[n->x->products[i]];
    if (product->part != part)
      continue;
    for (; read < a.numShared && isRead(a.shared[read]) && a.shared[read]->firstUse <= i; ++read)
      writeRead(n, a.shared[read]);
    for (int k = 0; k < AHEAD_PER_PRODUCT && read < a.numShared && isRead(a.shared[read]) &&
                    wordsOfFragment(n, a.shared[read]) <= n->room;
         ++k, ++read)
      writeRead(n, a.shared[read]);
    if (load < a.numGlobal && wordsOfResult(a.global[load]) <= n->room) {
      n->room -= wordsOfResult(a.global[load]);
      tileInterleaveWrite(&n->w, a.global[load++]);
    }
    last = read == a.numShared && !last ? written + 1 : last;
    if (goesOn && last && written >= last + TIME)
      writeBehind(n, part, last + TIME, written, products);
    writeProduct(n, i);
    ++written;
  }
}

// ---- The block ----

/* Whether a block loads through buffer resources, as the loop that does the rest does not: pointers and masks take registers. */
static bool loadsByBuffers(const TileInterleave *x) {
  for (int i = 0; i < x->numOps; ++i)
    if (x->ops[i].kind == TileBlockOp_Global && tileOpKind(x->ops[i].op) != TileOp_LLVM_Load)
      return true;
  return false;
}

/* Registers of a wave beside addresses and what is lost between runs of eight registers (WMMA): less where more waves shall share a
 * SIMD, whose registers have been counted (Occupancy.c). ALL and MOST are the chips' (512 vector registers a lane, 256 of them for VALU); what is
 * taken off is by trial, with test/lit/Target/amdgpu-*.test, whose kernels spill nothing; more among other ops, whose numbers are alive (masks of causal
 * attention: 21 registers spilled with 48, 9 with 64, no fewer with 80). */
static int registersOf(const TileInterleave *x) {
  enum { ALL = 512, MOST = 256, FEW = 16, POINTERS = 40, WMMA = 48, AMONG_OTHERS = 64 };
  int64_t waves = tileGetIntAttr(mlirBlockGetParentOperation(x->block), "rocdl.waves_per_eu", 0);
  if (waves > ALL / MOST)
    return (int)(ALL / waves) - FEW;
  bool isShort = isWmma(tileOpKind(x->ops[x->products[0]].op));
  return MOST - (isShort ? (x->isSegment ? AMONG_OTHERS : WMMA) : loadsByBuffers(x) ? FEW : POINTERS);
}

/* Registers for words and scales on their way to widened fragments of WMMA: by trial, 16 left three of gfx1100's spilled. */
static int wordsOfWidening(const TileInterleave *x) {
  enum { WMMA = 28 };
  if (isWmma(tileOpKind(x->ops[x->products[0]].op)))
    for (int i = 0; i < x->numOps; ++i)
      if (isRead(&x->ops[i]) &&
          isWidened(x, mlirOperationGetResult(x->ops[i].op, 0), TileInterleave_MostMoves))
        return WMMA;
  return 0;
}

static int roomOf(const TileInterleave *x) {
  return registersOf(x) - wordsOfWidening(x) - (x->isSegment ? wordsAlive(x) : wordsHeld(x));
}

bool tileInterleaveIsShort(const TileInterleave *x) {
  int words = 0;
  for (int i = 0; i < x->numOps; ++i)
    words += isRead(&x->ops[i]) ? wordsOfResult(&x->ops[i]) : 0;
  return words > roomOf(x);
}

void tileInterleaveNear(TileInterleave *x) {
  Near n = {.x = x, .room = roomOf(x)};
  tileInterleaveStart(&n.w, x);
  n.dies = tileArenaAlloc(x->arena, (size_t)x->numProducts, sizeof *n.dies);
  if (!x->isSegment &&
      !isWmma(
          tileOpKind(x->ops[x->products[0]].op))) /* whose fragments leave no room for several at a time */
    tileInterleaveOrderByReads(x, true);
  for (int part = 0; part < x->numParts; ++part) {
    tileInterleaveWriteBarrier(&n.w, part);
    if (isFollowed(x, part) && fitsWhole(&n, part)) {
      writeWhole(&n, part);
      break;
    }
    writeProducts(&n, part);
    for (int i = 0; i < x->numOps; ++i) /* in their order, what stands alone and what is left */
      if (x->ops[i].part == part && x->ops[i].kind != TileBlockOp_Pure)
        tileInterleaveWrite(&n.w, &x->ops[i]);
  }
  tileInterleaveFinish(&n.w);
}
