/* DropDebug.c - tile-gpu-drop-debug: removes assertions that are not wanted and prints that cannot be.
 *
 *   tile.assert %c, "index out of bounds" : tensor<256xi1>
 * goes, unless asserts = true; and
 *   tile.print "x = " %x : f32
 * goes where kernels cannot print, with a warning.
 *
 * requires: tile_gpu.target on the module. ensures: what is left can be lowered. */
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/OpKind.h"
#include "tile-c/Passes.h"

typedef struct Dropper {
  const TileTargetInfo *target;
  bool asserts;
} Dropper;

/* Erases the op that is walked over: mlir-c's walk allows it in post order. */
static MlirWalkResult dropOp(MlirOperation op, void *user) {
  const Dropper *d = user;
  switch (tileOpKind(op)) {
  case TileOp_Tile_Assert:
  case TileOp_CF_Assert:
    if (!d->asserts)
      mlirOperationDestroy(op);
    break;
  case TileOp_Tile_Print:
    if (d->target->canPrint)
      break;
    tileEmitWarning(mlirOperationGetLocation(op), "'tile.print' op is dropped: kernels cannot print on %s",
                    d->target->chip);
    mlirOperationDestroy(op);
    break;
  default:
    break;
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUDropDebugRun(MlirOperation module, const TileGPUDropDebugParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  Dropper d = {&target.info, params->asserts};
  mlirOperationWalk(module, dropOp, &d, MlirWalkPostOrder);
  return tileSuccess();
}
