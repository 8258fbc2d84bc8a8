/* LoadBlocks.c - tile-gpu-load-blocks: blocks that meet products' sums come by the copy engine, as the products' factors do.
 *
 *   scf.for %j = ... {
 *     %m = tile_gpu.tma_alloc 1[%j]
 *     %b = tile.desc_load %d[%i, %j] : !tile.desc<128x128xf16> -> tensor<128x128xf16>
 *     %f = arith.extf %b
 *     %s = tile_gpu.wgmma %q, %m, %zero;  %s1 = tile_gpu.wgmma_wait 0 (%s)
 *     %t = arith.addf %s1, %f
 *   } {tile.warp_specialize}
 * becomes, for a descriptor that is a parameter and that the kernel only reads,
 *   scf.for %j = ... {
 *     %m = tile_gpu.tma_alloc 1[%j]
 *     %n = tile_gpu.tma_alloc 4[%i, %j]
 *     %s = tile_gpu.wgmma %q, %m, %zero;  %s1 = tile_gpu.wgmma_wait 0 (%s)
 *     %b = tile_gpu.local_load %n;  %f = arith.extf %b
 *     %t = arith.addf %s1, %f
 *   } {tile.warp_specialize}
 * Every thread reads from shared memory what lies where its sums do, when it needs it. Loads of its own run ahead in registers, with
 * their addresses: beside the sums of attention there are too few for them.
 *
 * requires: tile-gpu-accelerate-wgmma{descriptors=true}; before layouts.
 * ensures: the same elements; blocks that leave the factors no room for the buffers they ask for stay, and those whose place follows
 * from what was loaded. */
#include "BlockOrder.h"
#include "StoreBlocks.h"
#include "TensorMaps.h"
#include "TmaCopies.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

enum { MIN_WARPS = 8, MAX_DEPTH = 64, SPARE_BYTES = 2048, ENOUGH_STAGES = 3 };

static MlirWalkResult collect(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_Tile_DescLoad &&
      tileBlockMatrix(mlirValueGetType(mlirOperationGetResult(op, 0))).ptr &&
      tileOpKind(mlirOperationGetParentOperation(op)) == TileOp_SCF_For)
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

/* Whether what is read leads to nothing: the load of a factor that the engine brings already. */
static bool isDead(MlirValue v, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (depth > MAX_DEPTH || !tileOpIsPure(user) || mlirOperationGetNumResults(user) != 1 ||
        !isDead(mlirOperationGetResult(user, 0), depth + 1))
      return false;
  }
  return true;
}

/* Whether a product takes what is read as it is: it does without the engine, and reads the block in its own way. */
static bool isFactor(MlirValue v) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    const TileOpKind kind = tileOpKind(user);
    if ((kind == TileOp_Tile_Dot && mlirOpOperandGetOperandNumber(use) < 2) ||
        ((kind == TileOp_Tile_Trans || kind == TileOp_Tile_Reshape) &&
         isFactor(mlirOperationGetResult(user, 0))))
      return true;
  }
  return false;
}

typedef struct Fed {
  const TileModuleTarget *target;
  bool found;
} Fed;

/* A loop with products of the copy engine's blocks that has a producer, or gets one. */
static MlirWalkResult findFed(MlirOperation loop, void *user) {
  Fed *fed = user;
  bool copies = false, products = false;
  if (tileOpKind(loop) != TileOp_SCF_For ||
      (fed->target->numWarps < MIN_WARPS &&
       !mlirOperationGetDiscardableAttributeByName(loop, tileStr("tile.warp_specialize")).ptr))
    return MlirWalkResultAdvance;
  for (MlirOperation op =
           mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)));
       op.ptr; op = mlirOperationGetNextInBlock(op)) {
    copies |= tileOpKind(op) == TileOp_TileGPU_TmaAlloc;
    products |= tileOpKind(op) == TileOp_TileGPU_Wgmma;
  }
  fed->found |= copies && products;
  return fed->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* Whether the load stands in such a loop, or in one around it. */
static bool isFed(MlirOperation load, const TileModuleTarget *target) {
  Fed fed = {target, false};
  mlirOperationWalk(mlirOperationGetParentOperation(load), findFed, &fed, MlirWalkPreOrder);
  return fed.found;
}

/* A scalar that a producer can compute: from parameters and induction variables. */
static bool canFollow(MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr) {
    const TileOpKind kind = tileOpKind(mlirBlockGetParentOperation(tileValueGetBlock(v)));
    return kind == TileOp_Func_Func || (kind == TileOp_SCF_For && !mlirBlockArgumentGetArgNumber(v));
  }
  if (depth > MAX_DEPTH || !tileOpIsPure(op) || mlirOperationGetNumRegions(op) ||
      tileTypeIsTensor(mlirValueGetType(v)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!canFollow(mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

// ---- Room ----

typedef struct Room {
  const TileTargetInfo *target;
  MlirOperation load;
  int64_t bytes;
  int stages;
} Room;

static int64_t bytesOf(MlirType block) {
  return tileTypeNumElements(block) * (int64_t)tileElementTypeSize(tileElementTypeOf(block));
}

/* What is stored where the load stands leaves in parts. */
static int64_t bytesStored(const Room *room, MlirOperation store) {
  MlirType block = mlirValueGetType(tileDescStoreOpGetValue(tileDescStoreOpCast(store)));
  const bool isBeside = mlirBlockEqual(mlirOperationGetBlock(store), mlirOperationGetBlock(room->load));
  return bytesOf(block) /
         (isBeside ? tileStoreParts(room->target, store, block,
                                    bytesOf(mlirValueGetType(mlirOperationGetResult(room->load, 0))))
                   : 1);
}

static MlirWalkResult addBytes(MlirOperation op, void *user) {
  Room *room = user;
  if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc) {
    bool repeats = false; // a ring of several buffers, in a loop of products
    for (MlirOperation other = mlirBlockGetFirstOperation(mlirOperationGetBlock(op)); other.ptr;
         other = mlirOperationGetNextInBlock(other))
      repeats |= tileOpKind(other) == TileOp_TileGPU_Wgmma;
    room->bytes +=
        tileTmaBytes(mlirValueGetType(mlirOperationGetResult(op, 0))) * (repeats ? room->stages : 1);
  }
  if (tileOpKind(op) == TileOp_TileGPU_Alloc)
    room->bytes += tileTmaBytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (tileOpKind(op) == TileOp_Tile_DescStore)
    room->bytes += bytesStored(room, op);
  return MlirWalkResultAdvance;
}

static bool isBehindLoop(MlirOperation load) {
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(load));
       !mlirOperationEqual(op, load); op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_SCF_For)
      return true;
  return false;
}

/* One buffer fits beside those of the factors, and of what is stored. Once a block, it is worth a fourth buffer of the factors. */
static bool fits(MlirOperation load, const TileModuleTarget *target) {
  Room room = {&target->info, load, SPARE_BYTES, target->numStages};
  if (room.stages > ENOUGH_STAGES && isBehindLoop(load))
    room.stages = ENOUGH_STAGES;
  MlirOperation function = load;
  while (tileOpKind(function) != TileOp_Func_Func)
    function = mlirOperationGetParentOperation(function);
  mlirOperationWalk(function, addBytes, &room, MlirWalkPreOrder);
  return room.bytes + bytesOf(mlirValueGetType(mlirOperationGetResult(load, 0))) <=
         target->info.sharedPerBlock;
}

// ---- Rewriting ----

/* Element by element, from nothing else of its size: it can stand where it is read. */
static bool isCast(MlirOperation op, MlirValue of) {
  if (tileOpKind(op) == TileOp_Tile_Reshape)
    return true;
  if (!tileOpIsPure(op) || !tileOpIsElementwise(op) || mlirOperationGetNumResults(op) != 1)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue other = mlirOperationGetOperand(op, i);
    MlirOperation def = tileValueGetDefiningOp(other);
    if (!mlirValueEqual(other, of) &&
        !(def.ptr && (tileOpKind(def) == TileOp_Tile_Splat || tileOpKind(def) == TileOp_Arith_Constant)))
      return false;
  }
  return true;
}

/* Moves the read, and what it leads to alone, down to what needs it. */
static void sinkRead(MlirOperation read) {
  MlirBlock block = mlirOperationGetBlock(read);
  MlirOperation chain[8] = {read};
  int n = 1;
  for (; n < 8; ++n) {
    MlirValue v = mlirOperationGetResult(chain[n - 1], 0);
    MlirOperation user = tileValueOnlyUser(v);
    if (!user.ptr || mlirOperationGetBlock(user).ptr != block.ptr || !isCast(user, v))
      break;
    chain[n] = user;
  }
  MlirOperation user = tileFirstUserInBlock(mlirOperationGetResult(chain[n - 1], 0));
  for (int i = 0; user.ptr && i < n; ++i)
    mlirOperationMoveBefore(chain[i], user);
}

static bool rewrite(TileBuilder b, MlirOperation op, const TileModuleTarget *target) {
  TileDescLoadOp load = tileDescLoadOpCast(op);
  if (isDead(tileDescLoadOpGetResult(load), 0) || isFactor(tileDescLoadOpGetResult(load)) ||
      !isFed(op, target) || !fits(op, target))
    return false;
  for (intptr_t d = 0; d < tileDescLoadOpGetNumCoords(load); ++d)
    if (!canFollow(tileDescLoadOpGetCoords(load, d), 0))
      return false;
  mlirRewriterBaseSetInsertionPointBefore(b, op);
  MlirValue buffer = tileTmaBufferFor(b, load, 1), result = tileDescLoadOpGetResult(load);
  if (!buffer.ptr)
    return false;
  mlirOperationSetDiscardableAttributeByName(tileValueGetDefiningOp(buffer), tileStr("tile_gpu.beside"),
                                             mlirUnitAttrGet(mlirOperationGetContext(op)));
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(result), matrix = tileBlockMatrix(type);
  TileGPULocalLoadOp read = tileGPULocalLoadOpCreate(b, loc, matrix, buffer);
  MlirValue v = tileGPULocalLoadOpGetResult(read);
  if (!mlirTypeEqual(type, matrix))
    v = tileReshapeOpGetResult(tileReshapeOpCreate(b, loc, type, v, (MlirAttribute){NULL}));
  mlirValueReplaceAllUsesOfWith(result, v);
  mlirRewriterBaseEraseOp(b, op);
  sinkRead(read.op);
  return true;
}

MlirLogicalResult tileGPULoadBlocksRun(MlirOperation module, const TileGPULoadBlocksParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_TMA))
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList loads = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  mlirOperationWalk(module, collect, &loads, MlirWalkPreOrder);
  for (size_t i = 0; i < loads.count; ++i)
    *params->numBlocks += rewrite(b, (MlirOperation){(void *)loads.items[i]}, &target);
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
