/* AlternateBuffers.c - tile-gpu-alternate-buffers: computed factors are written into two buffers in turn.
 *
 *   scf.for ... {
 *     %m = tile_gpu.alloc %h
 *     tile_gpu.fence_async %m
 *     ... tile_gpu.wgmma of %m, waited for
 *   } {tile.warp_specialize}
 * becomes
 *   %both = tile_gpu.alloc : () -> !tile_gpu.memdesc<2x...>
 *   scf.for ... iter_args(%i = %c0) {
 *     %m = tile_gpu.index %both[%i]
 *     tile_gpu.local_store %h, %m
 *     tile_gpu.fence_async %m
 *     ... tile_gpu.wgmma of %m, waited for
 *     scf.yield tile_gpu.advance %i of 2
 *   }
 * Warp groups read each other's rows. With one buffer they meet twice an iteration: when all have written, and before the next
 * write. With two the first meeting is enough: who comes to it has done with the products of the iteration before.
 *
 * requires: tile-gpu-warp-specialize, tile-gpu-pipeline-tma.
 * ensures: all buffers still fit the chip; nothing else is in the place of the new ones. */
#include "TmaCopies.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

enum { BUFFERS = 2, SPARE_BYTES = 1024 };

/* Only products read the buffer, perhaps through views; fences may stand between. */
static bool isFactor(MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    const TileOpKind kind = tileOpKind(op);
    const bool isView = kind == TileOp_TileGPU_Trans && isFactor(mlirOperationGetResult(op, 0));
    if (!isView && kind != TileOp_TileGPU_Wgmma && kind != TileOp_TileGPU_FenceAsync)
      return false;
  }
  return true;
}

static MlirWalkResult addBytes(MlirOperation op, void *user) {
  TileMemDesc desc;
  if (tileOpKind(op) == TileOp_TileGPU_Alloc &&
      tileMemDescOf(mlirValueGetType(mlirOperationGetResult(op, 0)), &desc))
    *(int64_t *)user += tileMemDescBytes(&desc);
  return MlirWalkResultAdvance;
}

/* Bytes of all buffers, as if none shared its place with another. */
static int64_t bytesBeside(MlirOperation op) {
  int64_t bytes = SPARE_BYTES;
  mlirOperationWalk(tileFunctionOf(op), addBytes, &bytes, MlirWalkPreOrder);
  return bytes;
}

/* A factor of the loop's own block, with room for a second buffer. */
static bool findFactor(const TileTmaCopies *c, MlirBlock body, TileGPUAllocOp *out) {
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    *out = tileGPUAllocOpCast(op);
    if (tileGPUAllocOpIsNull(*out) || !tileGPUAllocOpGetInit(*out).ptr ||
        !isFactor(tileGPUAllocOpGetResult(*out)))
      continue;
    const int64_t more = tileTmaBytes(mlirValueGetType(tileGPUAllocOpGetResult(*out)));
    if (bytesBeside(op) + more <= c->target->info.sharedPerBlock)
      return true;
  }
  return false;
}

static void alternate(TileTmaCopies *c, SCFForOp loop, TileGPUAllocOp alloc, MlirValue index) {
  MlirValue old = tileGPUAllocOpGetResult(alloc);
  MlirType one = mlirValueGetType(old);
  TileMemDesc desc;
  (void)tileMemDescOf(one, &desc);
  MlirType both =
      tileMemDescTypeFor(tileGPUMemDescTypeGetElementType(one), &desc.layout, desc.alignment, BUFFERS);
  mlirRewriterBaseSetInsertionPointBefore(c->b, loop.op);
  MlirValue buffers = tileGPUAllocOpGetResult(tileGPUAllocOpCreate(c->b, c->loc, both, (MlirValue){NULL}));
  mlirRewriterBaseSetInsertionPointBefore(c->b, alloc.op);
  MlirValue view = tileTmaView(c, buffers, one, index, 0);
  tileGPULocalStoreOpCreate(c->b, c->loc, tileGPUAllocOpGetInit(alloc), view);
  mlirValueReplaceAllUsesOfWith(old, view);
  mlirRewriterBaseEraseOp(c->b, alloc.op);
}

/* The loop with one more carried number: which buffer is next. */
static SCFForOp carryIndex(TileTmaCopies *c, SCFForOp loop, MlirValue *out_index) {
  TileArena arena = {0};
  mlirRewriterBaseSetInsertionPointBefore(c->b, loop.op);
  MlirValue zero = tileTmaIndex(c, 0), values[1];
  SCFForOp wide = tileTmaWidenLoopBy(c, loop, 1, &zero, &arena);
  mlirRewriterBaseEraseOp(c->b, loop.op);
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(wide));
  MlirOperation yield = mlirBlockGetTerminator(body);
  const intptr_t n = mlirOperationGetNumOperands(yield);
  *out_index = mlirBlockGetArgument(body, n + 1);
  mlirRewriterBaseSetInsertionPointBefore(c->b, yield);
  values[0] = tileGPUAdvanceOpGetResult(
      tileGPUAdvanceOpCreate(c->b, c->loc, tileTmaI32(c), *out_index, tileI32Attr(c->context, BUFFERS)));
  MlirValue *all = tileArenaAlloc(&arena, (size_t)n + 1, sizeof *all);
  for (intptr_t i = 0; i < n; ++i)
    all[i] = mlirOperationGetOperand(yield, i);
  all[n] = values[0];
  scfYieldOpCreate(c->b, c->loc, n + 1, all);
  mlirRewriterBaseEraseOp(c->b, yield);
  tileArenaRelease(&arena);
  return wide;
}

static uint64_t alternateIn(TileTmaCopies *c, MlirOperation op) {
  SCFForOp loop = scfForOpCast(op);
  TileGPUAllocOp factor;
  MlirValue index = {NULL};
  uint64_t n = 0;
  c->loc = mlirOperationGetLocation(op);
  for (; findFactor(c, mlirRegionGetFirstBlock(scfForOpGetRegion(loop)), &factor); ++n) {
    if (!index.ptr)
      loop = carryIndex(c, loop, &index);
    alternate(c, loop, factor, index);
  }
  return n;
}

static MlirWalkResult collectLoop(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_SCF_For &&
      mlirOperationGetDiscardableAttributeByName(op, tileStr("tile.warp_specialize")).ptr)
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUAlternateBuffersRun(MlirOperation module,
                                             const TileGPUAlternateBuffersParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_WGMMA))
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList loops = {.arena = &arena};
  MlirContext context = mlirOperationGetContext(module);
  TileTmaCopies c = {.b = mlirIRRewriterCreate(context), .context = context, .target = &target};
  mlirOperationWalk(module, collectLoop, &loops, MlirWalkPostOrder);
  for (size_t i = 0; i < loops.count; ++i)
    *params->numBuffers += alternateIn(&c, (MlirOperation){(void *)loops.items[i]});
  mlirIRRewriterDestroy(c.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
