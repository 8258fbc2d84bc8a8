/* FormApart.c - a version for matrices whose rows start at any element, as rows of 4111 of f16.
 *
 *   %x = tile.load (rows %m0 to %m0 + 128 of %a, columns from %k on)
 * becomes
 *   %d = tile.make_desc %a ... {tile_gpu.apart = 8}
 *   %x = tile.desc_load %d[%m0, %k]
 *
 * The copy engine takes addresses, strides and coordinates of whole 16 bytes only. Rows that are 16 bytes / element apart start alike, so
 * that one tensor map can have them (lib/Runtime/MapPlace.c), and tile-gpu-load-apart brings a block by as many boxes as there are such
 * maps, and moves its elements to their places on the way through registers. */
#include "FormApart.h"
#include "AccelerateWgmma.h"
#include "FormBlocks.h"
#include "FormPlain.h"
#include "TensorMaps.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/PointerList.h"

bool tileApartTakes(const TileAxisInfo *info, TileBox *box, MlirType type) {
  box->apart = box->made.ptr ? 0 : tileTensorMapTakesApart(tileFormedBlockType(box, type));
  return box->apart && tileSumIsMultiple(info, &box->dims[0].start, box->apart) &&
         tileSumIsMultiple(info, &box->dims[1].start, box->apart);
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_Tile_Dot || tileOpKind(op) == TileOp_Tile_Store)
    tilePointerListAppend(user, op.ptr);
  if (tileOpKind(op) == TileOp_SCF_For) // the kernel's producer is the first version's
    (void)mlirOperationRemoveDiscardableAttributeByName(op, tileStr("tile.warp_specialize"));
  return MlirWalkResultAdvance;
}

static void formFactor(const TileFormSite *site, const TileAxisInfo *info, MlirValue factor) {
  MlirOperation load = tileFactorLoad(factor);
  TileBox box;
  if (!load.ptr || tileBoxOf(load, info, &box)) // formed, for another product
    return;
  box.apart =
      tileTensorMapTakesApart(tileFormedBlockType(&box, mlirValueGetType(mlirOperationGetResult(load, 0))));
  (void)mlirOperationRemoveDiscardableAttributeByName(load, tileStr("tile_gpu.no_block"));
  tileFormBlock(site, load, &box, true);
}

void tileFormApartBlock(TileBuilder b, TileArena *arena, const TileModuleTarget *target,
                        const TileAxisInfo *info, MlirBlock block) {
  const TileFormSite site = {b, arena, block};
  TilePointerList changed = {.arena = arena};
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, collect, &changed, MlirWalkPreOrder);
  for (size_t i = 0; i < changed.count; ++i) {
    MlirOperation op = {(void *)changed.items[i]};
    const bool isProduct = tileOpKind(op) == TileOp_Tile_Dot;
    TileWarpGroupShape shape; // nothing was asked about what other products load
    const bool isWarpGroups = isProduct && tileWgmmaShapeOf(target, tileDotOpCast(op), &shape);
    for (int k = 0; isWarpGroups && k < 2; ++k)
      formFactor(&site, info, mlirOperationGetOperand(op, k));
    if (!isProduct)
      tileFormPlainStore(b, info, op);
  }
}
