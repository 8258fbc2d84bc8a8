/* BufferRules.c - what must hold of an access and of its scalars for a buffer resource. */
#include "BufferOffsets.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/PointerMap.h"

int64_t tilePointerRange(MlirValue parameter) {
  MlirOperation function = mlirBlockGetParentOperation(tileValueGetBlock(parameter));
  MlirAttribute all = mlirOperationGetAttributeByName(function, tileStr("arg_attrs"));
  intptr_t i = mlirBlockArgumentGetArgNumber(parameter);
  if (!all.ptr || i >= mlirArrayAttrGetNumElements(all))
    return 64;
  MlirAttribute range =
      mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(all, i), tileStr("tile.pointer_range"));
  return range.ptr ? tileIntegerAttrValue(range) : 64;
}

static int64_t hintOf(MlirOperation op, bool evict) {
  TileLoadOp load = tileLoadOpCast(op);
  if (!tileLoadOpIsNull(load))
    return evict ? tileLoadOpGetEvict(load) : tileLoadOpGetCache(load);
  return evict ? tileStoreOpGetEvict(tileStoreOpCast(op)) : tileStoreOpGetCache(tileStoreOpCast(op));
}

/* No hint that changes the instruction. */
bool tileBufferIsPlain(MlirOperation op) {
  TileLoadOp load = tileLoadOpCast(op);
  if (!tileLoadOpIsNull(load) && tileLoadOpGetIsVolatile(load))
    return false;
  int64_t cache = hintOf(op, false);
  return cache != TileCacheModifier_CS && cache != TileCacheModifier_CV &&
         hintOf(op, true) != TileEvictionPolicy_First;
}

/* Whether a scalar is known to be the same in all lanes to LLVM too: it comes from parameters, program ids and
 * arithmetic, around loops. A cycle proves nothing to the contrary. */
static bool isUniform(TilePointerMap *seen, MlirValue v) {
  if (tilePointerMapFind(seen, v.ptr))
    return true;
  tilePointerMapSet(seen, v.ptr, seen);
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr) {
    MlirBlock block = tileValueGetBlock(v);
    MlirOperation parent = mlirBlockGetParentOperation(block);
    intptr_t arg = mlirBlockArgumentGetArgNumber(v);
    if (tileOpKind(parent) == TileOp_Func_Func)
      return true;
    if (tileOpKind(parent) != TileOp_SCF_For)
      return false;
    if (!arg)
      return isUniform(seen, mlirOperationGetOperand(parent, 0)) &&
             isUniform(seen, mlirOperationGetOperand(parent, 2));
    return isUniform(seen, scfForOpGetInitArgs(scfForOpCast(parent), arg - 1)) &&
           isUniform(seen, mlirOperationGetOperand(mlirBlockGetTerminator(block), arg - 1));
  }
  if (tileOpKind(op) == TileOp_SCF_For) {
    MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(scfForOpCast(op)));
    return isUniform(seen, mlirBlockGetArgument(body, mlirOpResultGetResultNumber(v) + 1));
  }
  if (tileOpKind(op) == TileOp_Tile_ProgramId || tileOpKind(op) == TileOp_Tile_NumPrograms)
    return true;
  bool follows = tileOpIsPure(op) && tileOpKind(op) != TileOp_Tile_Unsplat && !mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; follows && i < mlirOperationGetNumOperands(op); ++i)
    follows = isUniform(seen, mlirOperationGetOperand(op, i));
  return follows;
}

bool tileBufferIsUniform(const TileBufferParts *parts) {
  TileArena arena = {0};
  TilePointerMap seen = {.arena = &arena};
  bool uniform = isUniform(&seen, parts->base);
  for (int i = 0; uniform && i < parts->numMoves; ++i)
    uniform = isUniform(&seen, parts->moves[i]);
  tileArenaRelease(&arena);
  return uniform;
}
