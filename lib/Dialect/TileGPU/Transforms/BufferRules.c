/* BufferRules.c - what must hold of an access and of its scalars for a buffer resource. */
#include "BufferOffsets.h"
#include "tile-c/Dialect/Arith.h"
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

static bool mayBeNegative(TilePointerMap *seen, MlirValue v);

static bool operandMayBeNegative(TilePointerMap *seen, MlirOperation op, intptr_t i) {
  return mayBeNegative(seen, mlirOperationGetOperand(op, i));
}

static bool isParameter(MlirValue v) {
  return mlirValueIsABlockArgument(v) &&
         tileOpKind(mlirBlockGetParentOperation(tileValueGetBlock(v))) == TileOp_Func_Func;
}

/* A parameter that something is multiplied with or divided by, and one that is divided, rounded up or not, is a stride or a size:
 * tile.pointer_range says that it is not negative. */
static bool factorMayBeNegative(TilePointerMap *seen, MlirOperation op, intptr_t i) {
  MlirValue v = mlirOperationGetOperand(op, i);
  for (MlirOperation def = tileValueGetDefiningOp(v); def.ptr; def = tileValueGetDefiningOp(v)) {
    const TileOpKind kind = tileOpKind(def);
    int64_t more;
    const bool roundsUp = kind == TileOp_Arith_AddI &&
                          tileValueConstantInt(mlirOperationGetOperand(def, 1), &more) && more >= 0;
    if (!roundsUp && kind != TileOp_Arith_ExtSI && kind != TileOp_Arith_TruncI && kind != TileOp_Tile_Splat &&
        kind != TileOp_Tile_Broadcast)
      break;
    v = mlirOperationGetOperand(def, 0);
  }
  return !isParameter(v) && mayBeNegative(seen, v);
}

/* What a loop hands on: what it starts with, and what an iteration makes of it. Parameters may be anything. */
static bool carriedMayBeNegative(TilePointerMap *seen, MlirOperation parent, MlirBlock block, intptr_t arg) {
  SCFForOp loop = scfForOpCast(parent);
  if (scfForOpIsNull(loop))
    return true;
  if (!arg)
    return mayBeNegative(seen, scfForOpGetLowerBound(loop));
  return mayBeNegative(seen, scfForOpGetInitArgs(loop, arg - 1)) ||
         mayBeNegative(seen, mlirOperationGetOperand(mlirBlockGetTerminator(block), arg - 1));
}

static bool constantIsNegative(MlirOperation op) {
  MlirAttribute value = arithConstantOpGetValueAttr(arithConstantOpCast(op));
  if (!mlirAttributeIsADenseElements(value))
    return tileIntegerAttrValue(value) < 0;
  MlirType element = tileTypeGetElement(mlirValueGetType(mlirOperationGetResult(op, 0)));
  if (!mlirDenseElementsAttrIsSplat(value))
    return true;
  return mlirIntegerTypeGetWidth(element) == 64   ? mlirDenseElementsAttrGetInt64SplatValue(value) < 0
         : mlirIntegerTypeGetWidth(element) == 32 ? mlirDenseElementsAttrGetInt32SplatValue(value) < 0
                                                  : true;
}

static bool isMadeOfNegative(TilePointerMap *seen, MlirValue v);

/* What is known so far is kept in the map; a cycle proves nothing to the contrary. */
static bool mayBeNegative(TilePointerMap *seen, MlirValue v) {
  static const char negative, other;
  const void *known = tilePointerMapFind(seen, v.ptr);
  if (known)
    return known == &negative;
  tilePointerMapSet(seen, v.ptr, (void *)(uintptr_t)&other);
  bool result = isMadeOfNegative(seen, v);
  if (result)
    tilePointerMapSet(seen, v.ptr, (void *)(uintptr_t)&negative);
  return result;
}

static bool isMadeOfNegative(TilePointerMap *seen, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  int64_t divisor;
  if (!op.ptr) {
    MlirBlock block = tileValueGetBlock(v);
    return carriedMayBeNegative(seen, mlirBlockGetParentOperation(block), block,
                                mlirBlockArgumentGetArgNumber(v));
  }
  switch (tileOpKind(op)) {
  case TileOp_Arith_Constant:
    return constantIsNegative(op);
  case TileOp_Tile_MakeRange:
  case TileOp_Tile_ProgramId:
  case TileOp_Tile_NumPrograms:
  case TileOp_Arith_ExtUI:
  case TileOp_Arith_DivUI:
  case TileOp_Arith_RemUI:
    return false;
  case TileOp_Arith_MulI:
    return factorMayBeNegative(seen, op, 0) || factorMayBeNegative(seen, op, 1);
  case TileOp_Arith_DivSI: /* what divides and is no constant is a size */
  case TileOp_Arith_FloorDivSI:
  case TileOp_Arith_CeilDivSI:
    return factorMayBeNegative(seen, op, 0) ||
           (tileValueConstantInt(mlirOperationGetOperand(op, 1), &divisor) && divisor < 0);
  case TileOp_Arith_AddI:
  case TileOp_Arith_OrI:
  case TileOp_Arith_XOrI:
  case TileOp_Arith_MinSI:
    return operandMayBeNegative(seen, op, 0) || operandMayBeNegative(seen, op, 1);
  case TileOp_Arith_AndI:
  case TileOp_Arith_MaxSI:
    return operandMayBeNegative(seen, op, 0) && operandMayBeNegative(seen, op, 1);
  case TileOp_Arith_Select:
    return operandMayBeNegative(seen, op, 1) || operandMayBeNegative(seen, op, 2);
  case TileOp_Arith_RemSI:
  case TileOp_Arith_ShLI:
  case TileOp_Arith_ShRSI:
  case TileOp_Arith_ShRUI:
  case TileOp_Arith_ExtSI:
  case TileOp_Arith_TruncI:
  case TileOp_Arith_IndexCast:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Reshape:
  case TileOp_Tile_Trans:
  case TileOp_TileGPU_ConvertLayout:
    return operandMayBeNegative(seen, op, 0);
  default:
    return true;
  }
}

bool tileBufferMayLeadBack(const TileBufferParts *parts) {
  MlirOperation owner = tileValueGetDefiningOp(parts->base);
  if (!owner.ptr)
    owner = mlirBlockGetParentOperation(tileValueGetBlock(parts->base));
  if (!parts->numMoves && tileOpKind(owner) == TileOp_Func_Func)
    return false; /* the parameter itself, in front of all that is reached */
  TileArena arena = {0};
  TilePointerMap seen = {.arena = &arena};
  bool negative = false;
  for (int i = 0; !negative && i < parts->numOffsets; ++i)
    negative = mayBeNegative(&seen, parts->offsets[i]);
  tileArenaRelease(&arena);
  return negative;
}
