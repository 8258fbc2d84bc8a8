/* ReadDirectly.c - conversions of vectors that come from buffers. */
#include "ReadDirectly.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"

static MlirWalkResult collect(MlirOperation op, void *user) {
  TileGPUConvertLayoutOp convert = tileGPUConvertLayoutOpCast(op);
  if (!tileGPUConvertLayoutOpIsNull(convert)) {
    MlirValue source = tileGPUConvertLayoutOpGetSource(convert);
    MlirOperation load = tileValueGetDefiningOp(source);
    if (load.ptr && tileOpKind(load) == TileOp_TileGPU_LocalLoad && tileValueHasOneUse(source) &&
        mlirShapedTypeGetRank(mlirValueGetType(source)) == 1)
      tilePointerListAppend(user, op.ptr);
  }
  return MlirWalkResultAdvance;
}

void tileReadVectorsDirectly(TileBuilder b, MlirOperation module) {
  TileArena arena = {0};
  TilePointerList converts = {.arena = &arena};
  mlirOperationWalk(module, collect, &converts, MlirWalkPreOrder);
  for (size_t i = 0; i < converts.count; ++i) {
    MlirOperation convert = {(void *)converts.items[i]};
    MlirOperation load = tileValueGetDefiningOp(mlirOperationGetOperand(convert, 0));
    MlirValue result = mlirOperationGetResult(convert, 0);
    mlirRewriterBaseSetInsertionPointBefore(b, load);
    MlirValue direct = tileGPULocalLoadOpGetResult(tileGPULocalLoadOpCreate(
        b, mlirOperationGetLocation(load), mlirValueGetType(result), mlirOperationGetOperand(load, 0)));
    mlirValueReplaceAllUsesOfWith(result, direct);
    mlirRewriterBaseEraseOp(b, convert);
    mlirRewriterBaseEraseOp(b, load);
  }
  tileArenaRelease(&arena);
}
