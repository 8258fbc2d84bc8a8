/* LoadVectors.c - tile-gpu-load-vectors: vectors beside blocks that the copy engine brings come by it too.
 *
 *   scf.for %i = ... {
 *     %m = tile_gpu.tma_alloc 0[%i, %j]
 *     ... products of %m
 *     %v = tile.desc_load %d[%i] : !tile.desc<64xf32> -> tensor<64xf32>
 *   } {tile.warp_specialize}
 * becomes, for a descriptor that is a parameter and that the kernel only reads,
 *   scf.for %i = ... {
 *     %m = tile_gpu.tma_alloc 0[%i, %j]
 *     %n = tile_gpu.tma_alloc 1[%i] : !tile_gpu.memdesc<64xf32, #plain>
 *     ... products of %m
 *     %v = tile_gpu.local_load %n
 *   } {tile.warp_specialize}
 * Every thread reads from shared memory what it needs, where it needs it. As a load of its own the vector would be spread over lanes,
 * and move between them for each element that a thread needs.
 *
 * requires: tile-gpu-accelerate-wgmma{descriptors=true}; before layouts.
 * ensures: the same elements; vectors of other sizes than 128 bytes to 256 elements stay. */
#include "TensorMaps.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

static bool isSpecialized(MlirOperation loop) {
  return tileOpKind(loop) == TileOp_SCF_For &&
         mlirOperationGetDiscardableAttributeByName(loop, tileStr("tile.warp_specialize")).ptr;
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_Tile_DescLoad && isSpecialized(mlirOperationGetParentOperation(op)) &&
      mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(op, 0))) == 1)
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

/* The last copy in front of the load, in its block; null: there is none. */
static MlirOperation copyBefore(MlirOperation load) {
  MlirOperation found = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(load)); op.ptr != load.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc)
      found = op;
  return found;
}

/* Whether the value is there behind `copy`. */
static bool isThere(MlirValue v, MlirOperation copy) {
  MlirOperation def = tileValueGetDefiningOp(v);
  if (!def.ptr || mlirOperationGetBlock(def).ptr != mlirOperationGetBlock(copy).ptr)
    return true;
  for (MlirOperation op = mlirOperationGetNextInBlock(def); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (op.ptr == copy.ptr)
      return true;
  return false;
}

static bool rewrite(TileBuilder b, MlirOperation op) {
  TileDescLoadOp load = tileDescLoadOpCast(op);
  MlirOperation copy = copyBefore(op);
  if (!copy.ptr || !isThere(tileDescLoadOpGetCoords(load, 0), copy))
    return false;
  mlirRewriterBaseSetInsertionPointAfter(b, copy);
  MlirValue buffer = tileTmaVectorBufferFor(b, load), result = tileDescLoadOpGetResult(load);
  if (!buffer.ptr)
    return false;
  mlirRewriterBaseSetInsertionPointBefore(b, op);
  MlirValue read = tileGPULocalLoadOpGetResult(
      tileGPULocalLoadOpCreate(b, mlirOperationGetLocation(op), mlirValueGetType(result), buffer));
  mlirValueReplaceAllUsesOfWith(result, read);
  mlirRewriterBaseEraseOp(b, op);
  return true;
}

MlirLogicalResult tileGPULoadVectorsRun(MlirOperation module, const TileGPULoadVectorsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_TMA))
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList loads = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  mlirOperationWalk(module, collect, &loads, MlirWalkPreOrder);
  for (size_t i = 0; i < loads.count; ++i)
    *params->numVectors += rewrite(b, (MlirOperation){(void *)loads.items[i]});
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
