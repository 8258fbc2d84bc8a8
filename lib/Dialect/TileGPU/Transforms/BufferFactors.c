/* BufferFactors.c - tile-gpu-buffer-factors: both factors of a product that no pipeline moves stand in shared memory before either is
 * read (AMD).
 *
 *   %a = tile.load ...;  %fa = tile_gpu.convert_layout %a
 *   %b = tile.load ...;  %fb = tile_gpu.convert_layout %b
 *   %d = tile_gpu.mma %fa, %fb, %c
 * becomes
 *   %ma = tile_gpu.alloc; %mb = tile_gpu.alloc
 *   %a = tile.load ...;  tile_gpu.local_store %a, %ma
 *   %b = tile.load ...;  tile_gpu.local_store %b, %mb
 *   %fa = tile_gpu.local_load %ma;  %fb = tile_gpu.local_load %mb
 *   %d = tile_gpu.mma %fa, %fb, %c
 *
 * A conversion reads a whole factor before the next one's bytes take its place: fragments of all of K are alive at
 * once, beside the accumulators, and are spilled. From two buffers they are read where they are multiplied
 * (tile-interleave-products), behind one barrier in place of three. So are factors of different products of a block, of which the other
 * factor is in registers (attention): the second one's fragments do not wait through all that stands between. Reads of a pipeline's
 * buffers move down to their product for the same reason. What is computed element by element between a conversion and its
 * product, or transposed, moves behind the barrier.
 *
 * requires: tile-gpu-prefetch, which leaves these conversions. ensures: the same results. */
#include "SharedChoice.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Scratch.h"
#include "tile-c/Support/PointerList.h"

enum { MOST_CONVERSIONS = 4, MOST_STEPS = 12, MOST_PRODUCTS = 4 };

typedef struct Factor {
  TileGPUConvertLayoutOp convert;
  MlirType buffer;
  MlirValue place; ///< the buffer
} Factor;

typedef struct Factors {
  TileBuilder b;
  const TileTargetInfo *target;
  MlirOperation product;
  Factor factors[MOST_CONVERSIONS];
  int count;
  MlirOperation steps
      [MOST_STEPS]; ///< element by element or transposed, between a conversion and the product, operands first
  int numSteps;
  int64_t bytes;
} Factors;

// ---- Which ----

static bool isHere(const Factors *f, MlirOperation op) {
  return op.ptr && mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(f->product));
}

/* Whether a conversion passes through shared memory and its warps wait for each other there; one in a warp alone keeps nobody waiting. */
static bool isShared(const Factors *f, TileGPUConvertLayoutOp convert) {
  int64_t bytes = 0;
  return tileSucceeded(tileScratchBytes(convert.op, f->target, &bytes)) && bytes &&
         tileScratchMeetsBarrier(convert.op, f->target);
}

/* A conversion by way of shared memory, of what was not read from there; its buffer. */
static bool takeConversion(Factors *f, TileGPUConvertLayoutOp convert) {
  MlirValue source = tileGPUConvertLayoutOpGetSource(convert);
  MlirType type = mlirValueGetType(source);
  TileLayout own;
  TileSharedReader reader;
  TileSharedLayout layout;
  TileMemDesc desc;
  int bits = 8 * (int)tileElementTypeSize(tileElementTypeOf(type));
  if (f->count == MOST_CONVERSIONS || bits < 8 || tileElementTypeOf(type) == TileElementType_I1 ||
      !tileLayoutOfType(type, &own) ||
      !tileLayoutOfType(mlirValueGetType(tileGPUConvertLayoutOpGetResult(convert)), &reader.layout) ||
      !tileChooseSharedLayout(&own, &reader, 1, bits, f->target, false, &layout))
    return false;
  Factor *factor = &f->factors[f->count++];
  factor->convert = convert;
  factor->buffer = tileMemDescTypeFor(tileTypeGetElement(type), &layout, TileShared_DefaultAlignment, 0);
  if (!tileMemDescOf(factor->buffer, &desc))
    return false;
  f->bytes += desc.stride;
  return true;
}

/* The conversions behind a factor, and what is computed with them for it alone. */
static bool visit(Factors *f, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!isHere(f, op) || mlirShapedTypeGetRank(mlirValueGetType(v)) < 2 || !tileValueHasOneUse(v))
    return true;
  TileGPUConvertLayoutOp convert = tileGPUConvertLayoutOpCast(op);
  if (!tileGPUConvertLayoutOpIsNull(convert))
    return !isShared(f, convert) || takeConversion(f, convert);
  if ((!tileOpIsElementwise(op) && tileOpKind(op) != TileOp_Tile_Trans) || !mlirOperationGetNumOperands(op))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileTypeIsTensor(mlirValueGetType(mlirOperationGetOperand(op, i))) &&
        !visit(f, mlirOperationGetOperand(op, i)))
      return false;
  if (f->numSteps == MOST_STEPS)
    return false;
  f->steps[f->numSteps++] = op;
  return true;
}

static bool isTaken(const Factors *all, int n, MlirOperation op) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < all[k].count; ++i)
      if (all[k].factors[i].convert.op.ptr == op.ptr)
        return true;
  return false;
}

/* Whether the buffers, `bytes`, fit beside what the block's other ops need while they run; of other buffers nobody knows here how many are alive. */
static bool fit(const Factors *all, int n, int64_t bytes) {
  MlirBlock block = mlirOperationGetBlock(all->product);
  int64_t most = 0, own;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileOpKind kind = tileOpKind(op);
    if (kind == TileOp_TileGPU_LocalLoad || kind == TileOp_TileGPU_AsyncCopy ||
        kind == TileOp_TileGPU_Alloc || kind == TileOp_SCF_For || kind == TileOp_SCF_While)
      return false;
    own = 0;
    if (!isTaken(all, n, op) && tileSucceeded(tileScratchBytes(op, all->target, &own)) && own > most)
      most = own;
  }
  return bytes + most <= all->target->sharedPerBlockDefault;
}

// ---- The rewriting ----

static void store(Factors *f, Factor *factor) {
  MlirLocation loc = mlirOperationGetLocation(factor->convert.op);
  mlirRewriterBaseSetInsertionPointBefore(f->b, factor->convert.op);
  factor->place = tileGPUAllocOpGetResult(tileGPUAllocOpCreate(f->b, loc, factor->buffer, (MlirValue){NULL}));
  tileGPULocalStoreOpCreate(f->b, loc, tileGPUConvertLayoutOpGetSource(factor->convert), factor->place);
}

static void read(Factors *f, Factor *factor) {
  MlirValue old = tileGPUConvertLayoutOpGetResult(factor->convert);
  mlirRewriterBaseSetInsertionPointBefore(f->b, f->product);
  MlirValue loaded = tileGPULocalLoadOpGetResult(tileGPULocalLoadOpCreate(
      f->b, mlirOperationGetLocation(factor->convert.op), mlirValueGetType(old), factor->place));
  mlirValueReplaceAllUsesOfWith(old, loaded);
  mlirRewriterBaseEraseOp(f->b, factor->convert.op);
}

static void rewrite(Factors *f) {
  for (int i = 0; i < f->count; ++i)
    store(f, &f->factors[i]);
  for (int i = 0; i < f->count; ++i)
    read(f, &f->factors[i]);
  for (int i = 0; i < f->numSteps; ++i)
    mlirOperationMoveBefore(f->steps[i], f->product);
}

/* Products of one block, the first of which is `first`. */
static int rewriteBlock(TileBuilder b, const TileTargetInfo *target, const TilePointerList *products,
                        size_t first) {
  Factors all[MOST_PRODUCTS];
  int n = 0, count = 0;
  int64_t bytes = 0;
  MlirBlock block = mlirOperationGetBlock((MlirOperation){(void *)products->items[first]});
  for (size_t i = first; i < products->count; ++i) {
    MlirOperation product = {(void *)products->items[i]};
    if (!mlirBlockEqual(mlirOperationGetBlock(product), block))
      continue;
    if (n == MOST_PRODUCTS)
      return 0;
    Factors *f = &all[n++];
    *f = (Factors){.b = b, .target = target, .product = product};
    if (!visit(f, mlirOperationGetOperand(product, 0)) || !visit(f, mlirOperationGetOperand(product, 1)))
      return 0;
    count += f->count;
    bytes += f->bytes;
  }
  if (count < 2 || !fit(all, n, bytes))
    return 0;
  for (int i = 0; i < n; ++i)
    rewrite(&all[i]);
  return n;
}

// ---- Reads of pipelines ----

/* Whether what a buffer holds may be another thing behind an op, or the op is a meeting that the pipeline has placed. */
static bool endsReads(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_Barrier:
  case TileOp_TileGPU_Advance:
  case TileOp_TileGPU_AsyncCommit:
  case TileOp_TileGPU_AsyncCopy:
  case TileOp_TileGPU_AsyncWait:
  case TileOp_TileGPU_LocalStore:
    return true;
  default:
    return mlirOperationGetNumRegions(op) != 0 && tileOpKind(op) != TileOp_Tile_Reduce;
  }
}

/* Whether one product adds to the other's sum: a slice of the same product, beside which the next one's fragments are read. */
static bool continues(MlirOperation product, MlirOperation other) {
  MlirOperation sum = tileValueGetDefiningOp(mlirOperationGetOperand(product, 2));
  while (sum.ptr && tileOpKind(sum) == TileOp_TileGPU_Mma) {
    if (sum.ptr == other.ptr)
      return true;
    sum = tileValueGetDefiningOp(mlirOperationGetOperand(sum, 2));
  }
  return false;
}

/* A read that a product takes as it is, or transposed, in front of another product moves down to its own. */
static void sinkRead(MlirOperation read) {
  MlirValue result = mlirOperationGetResult(read, 0);
  MlirOperation trans = {NULL}, user = {NULL};
  if (!tileValueHasOneUse(result) || mlirShapedTypeGetRank(mlirValueGetType(result)) < 2)
    return;
  user = mlirOpOperandGetOwner(mlirValueGetFirstUse(result));
  if (tileOpKind(user) == TileOp_Tile_Trans && tileValueHasOneUse(mlirOperationGetResult(user, 0))) {
    trans = user;
    user = mlirOpOperandGetOwner(mlirValueGetFirstUse(mlirOperationGetResult(user, 0)));
  }
  if (tileOpKind(user) != TileOp_TileGPU_Mma ||
      !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(read)))
    return;
  bool passesProduct = false;
  for (MlirOperation op = mlirOperationGetNextInBlock(read); op.ptr != user.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    bool isProduct = op.ptr && tileOpKind(op) == TileOp_TileGPU_Mma;
    if (!op.ptr || endsReads(op) || (isProduct && continues(user, op)))
      return;
    passesProduct |= isProduct;
  }
  if (!passesProduct)
    return;
  mlirOperationMoveBefore(read, user);
  if (trans.ptr)
    mlirOperationMoveBefore(trans, user);
}

MlirLogicalResult tileGPUBufferFactorsRun(MlirOperation module, const TileGPUBufferFactorsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (target.info.vendor != TileVendor_AMD)
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList products = {.arena = &arena}, reads = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileCollectOps(module, TileOp_TileGPU_Mma, MlirWalkPostOrder, &products);
  for (size_t i = 0; i < products.count; ++i)
    *params->numProducts += (uint64_t)rewriteBlock(b, &target.info, &products, i);
  mlirRewriterBaseClearInsertionPoint(b);
  mlirIRRewriterDestroy(b);
  tileCollectOps(module, TileOp_TileGPU_LocalLoad, MlirWalkPostOrder, &reads);
  for (size_t i = 0; i < reads.count; ++i)
    sinkRead((MlirOperation){(void *)reads.items[i]});
  tileArenaRelease(&arena);
  return tileSuccess();
}
