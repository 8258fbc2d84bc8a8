/* SplitStores.c - tile-gpu-split-stores: the result of a kernel with products, whose rows may start anywhere, is stored by wide accesses
 * where offsets fit 32 bits.
 *
 *   tile.store %p, %x mask %m                 // %p: rows * stride + columns of %c, of whose stride nothing is known
 * becomes
 *   (low, high: between which numbers the offsets of %p lie, by arithmetic on scalars)
 *   scf.if fits(low, high) { tile.store (%base + low) + (offsets of %p - low), %x mask %m {tile_gpu.buffer} }
 *   else                   { tile.store %p, %x mask %m }
 *
 * Neighbours in a row are neighbours in memory where nothing wraps around, which the condition says, and AMD's chips store 16 bytes at any
 * address: the first store takes one access for eight elements of f16, behind one branch for all that is masked; what is masked
 * apart lies outside of the resource. The second one, which takes the first one's layout, has a branch for each element. Rows that are known to start at multiples of 16 bytes, and
 * pointers from a parameter with tile.pointer_range, need nothing of this.
 *
 * requires: convert-tile-to-tile-gpu. ensures: the same results. */
#include "BufferBounds.h"
#include "MemoryRoots.h"
#include "tile-c/AxisInfo.h"
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"

enum { WIDE = 16 }; /* bytes of an access */

/* Whether no loop or branch but loops around all of it, which every program goes through, has the store in it. */
static bool isOfAll(MlirOperation store) {
  MlirOperation parent = mlirOperationGetParentOperation(store);
  while (tileOpKind(parent) == TileOp_SCF_For)
    parent = mlirOperationGetParentOperation(parent);
  return tileOpKind(parent) == TileOp_Func_Func;
}

/* Whether elements stand in runs that are not known to be aligned. */
static bool isUnaligned(const TileAxisInfo *info, MlirValue pointers, int64_t bytes) {
  const TileAxis *axis = tileAxisInfoOf(info, pointers);
  for (int32_t d = 0; axis && d < axis->type.rank; ++d)
    if (axis->dims[d].run > axis->dims[d].contiguity && axis->dims[d].contiguity * bytes < WIDE)
      return true;
  return false;
}

/* Whether a store of a tensor wants other pointers, and can get them. */
static bool isWanted(const TileAxisInfo *info, MlirOperation store, TileBufferParts *parts) {
  MlirValue pointers = tilePointerAccessOf(store).ptr;
  MlirType type = mlirValueGetType(pointers);
  if (!tileTypeIsTensor(type) || mlirShapedTypeGetRank(type) < 2 ||
      tilePointeeElement(type) == TileElementType_None || !tileBufferIsPlain(store) || !isOfAll(store))
    return false;
  MlirValue parameter = tilePointerParameter(pointers);
  return !(parameter.ptr && tilePointerRange(parameter) <= 32) && !tileBufferPartsOf(pointers, parts) &&
         parts->numOffsets && tileBufferIsUniform(parts) &&
         isUnaligned(info, pointers, (int64_t)tileElementTypeSize(tilePointeeElement(type)));
}

static void moveInto(TileBuilder b, MlirRegion region, MlirOperation store) {
  mlirRewriterBaseSetInsertionPointToEnd(b, tileRegionAddBlock(region));
  MlirOperation yield = scfYieldOpCreate(b, mlirOperationGetLocation(store), 0, NULL).op;
  mlirOperationMoveBefore(store, yield);
}

static bool split(TileBuilder b, MlirOperation store, const TileBufferParts *parts) {
  MlirLocation loc = mlirOperationGetLocation(store);
  const int64_t bytes =
      (int64_t)tileElementTypeSize(tilePointeeElement(mlirValueGetType(tilePointerAccessOf(store).ptr)));
  TileBufferBounds bounds;
  mlirRewriterBaseSetInsertionPointBefore(b, store);
  if (!tileBufferBoundsOf(b, loc, parts, &bounds))
    return false;
  MlirValue span = tileCreateOp2(b, loc, TileOp_Arith_SubI, bounds.high, bounds.low),
            fits = tileBufferAtMost(b, loc, span, tileBufferConstant(b, loc, (INT64_C(1) << 31) / bytes - 1));
  if (bounds.holds.ptr)
    fits = tileCreateOp2(b, loc, TileOp_Arith_AndI, bounds.holds, fits);
  SCFIfOp branch = scfIfOpCreate(b, loc, 0, NULL, fits);
  MlirOperation other = mlirOperationClone(store);
  mlirRewriterBaseInsert(b, other);
  mlirOperationSetDiscardableAttributeByName(other, tileStr("tile_gpu.any_layout"),
                                             mlirUnitAttrGet(mlirOperationGetContext(other)));
  moveInto(b, scfIfOpGetThenRegion(branch), store);
  moveInto(b, scfIfOpGetElseRegion(branch), other);
  tileBufferRewrite(b, store, parts, bounds.low);
  return true;
}

static MlirWalkResult visitFunction(MlirOperation function, void *user) {
  uint64_t *numStores = user;
  if (tileOpKind(function) != TileOp_Func_Func)
    return MlirWalkResultAdvance;
  TileArena arena = {0};
  TilePointerList stores = {.arena = &arena}, products = {.arena = &arena};
  tileCollectOps(function, TileOp_Tile_Dot, MlirWalkPreOrder, &products);
  tileCollectOps(function, TileOp_Tile_Store, MlirWalkPreOrder, &stores);
  if (products.count && stores.count) {
    TileAxisInfo *info = tileAxisInfoCreate(function);
    TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(function));
    for (size_t i = 0; info && i < stores.count; ++i) {
      MlirOperation store = {(void *)stores.items[i]};
      TileBufferParts parts;
      *numStores += isWanted(info, store, &parts) && split(b, store, &parts);
    }
    mlirRewriterBaseClearInsertionPoint(b);
    mlirIRRewriterDestroy(b);
    tileAxisInfoRelease(info);
  }
  tileArenaRelease(&arena);
  return MlirWalkResultSkip;
}

MlirLogicalResult tileGPUSplitStoresRun(MlirOperation module, const TileGPUSplitStoresParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (tileTargetHas(&target.info, TileFeature_BufferOps) &&
      tileTargetHas(&target.info, TileFeature_UnalignedAccess))
    mlirOperationWalk(module, visitFunction, params->numStores, MlirWalkPreOrder);
  return tileSuccess();
}
