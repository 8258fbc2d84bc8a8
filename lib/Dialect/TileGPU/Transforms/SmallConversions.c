/* SmallConversions.c - a branch for integers that are small when they become floats. */
#include "SmallConversions.h"
#include "ComputeAgain.h"
#include "SkipMasks.h"
#include "tile-c/Dialect/Math.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/OpKind.h"
#include "tile-c/SmallNumbers.h"

enum { MIN_REGISTERS = 16, MAX_CHAIN = 8 };

static bool isSum(MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  return kind == TileOp_Arith_AddF || kind == TileOp_Arith_SubF || kind == TileOp_Math_Fma;
}

static bool canGoAlong(MlirOperation op, MlirBlock block) {
  TileOpKind kind = tileOpKind(op);
  return mlirBlockEqual(mlirOperationGetBlock(op), block) &&
         (tileOpIsElementwise(op) || kind == TileOp_Tile_Broadcast || kind == TileOp_Tile_ExpandDims);
}

/* The ops that take the floats, one after the other, up to the sum that they go into: nothing else is alive behind it. */
static int chainOf(MlirOperation conversion, MlirOperation *out) {
  int n = 0;
  out[n++] = conversion;
  while (n < MAX_CHAIN && !isSum(out[n - 1])) {
    MlirOperation user = tileValueOnlyUser(mlirOperationGetResult(out[n - 1], 0));
    if (!user.ptr || !canGoAlong(user, mlirOperationGetBlock(conversion)))
      break;
    out[n++] = user;
  }
  return n;
}

/* The conversion of numbers or of magnitudes: the magnitudes of floats cost less. */
static MlirValue convert(TileAgain *again, MlirOperation conversion, bool isSmall) {
  MlirValue from = mlirOperationGetOperand(conversion, 0);
  MlirOperation magnitude = tileValueGetDefiningOp(from);
  const bool isMagnitude = isSmall && magnitude.ptr && tileOpKind(magnitude) == TileOp_Math_AbsI;
  if (isMagnitude)
    from = mlirOperationGetOperand(magnitude, 0);
  MlirOperation copy = mlirOperationClone(conversion);
  mlirOperationSetOperand(copy, 0, tileComputeAgain(again, from));
  mlirOperationSetDiscardableAttributeByName(copy, tileStr(isSmall ? TILE_SMALL : TILE_SUMS),
                                             mlirUnitAttrGet(mlirOperationGetContext(copy)));
  mlirRewriterBaseInsert(again->b, copy);
  MlirValue result = mlirOperationGetResult(copy, 0);
  return isMagnitude
             ? mathAbsFOpGetResult(mathAbsFOpCreate(again->b, mlirOperationGetLocation(copy),
                                                    mlirValueGetType(result), result, (MlirAttribute){NULL}))
             : result;
}

/* LLVM moves what both arms end with behind them, and with it all floats; of operands that change places it leaves it there. */
static void exchange(MlirOperation sum) {
  if (tileOpKind(sum) != TileOp_Arith_AddF && tileOpKind(sum) != TileOp_Math_Fma)
    return;
  MlirValue first = mlirOperationGetOperand(sum, 0);
  mlirOperationSetOperand(sum, 0, mlirOperationGetOperand(sum, 1));
  mlirOperationSetOperand(sum, 1, first);
}

static void writeArm(TileBoundsBuilder *s, TileArena *arena, MlirRegion region, const MlirOperation *chain,
                     int n, bool isSmall) {
  mlirRewriterBaseSetInsertionPointToEnd(s->b, tileRegionAddBlock(region));
  TileAgain again = {.b = s->b, .block = mlirOperationGetBlock(chain[0]), .copies = {.arena = arena}};
  MlirValue value = convert(&again, chain[0], isSmall);
  for (int i = 1; i < n; ++i) {
    MlirOperation copy = mlirOperationClone(chain[i]);
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(copy); ++k)
      if (mlirValueEqual(mlirOperationGetOperand(copy, k), mlirOperationGetResult(chain[i - 1], 0)))
        mlirOperationSetOperand(copy, k, value);
    if (!isSmall)
      exchange(copy);
    mlirRewriterBaseInsert(s->b, copy);
    value = mlirOperationGetResult(copy, 0);
  }
  scfYieldOpCreate(s->b, s->loc, 1, &value);
}

bool tileBranchIfSmall(TileBoundsBuilder *s, TileArena *arena, MlirOperation conversion) {
  MlirValue from = mlirOperationGetOperand(conversion, 0);
  MlirOperation chain[MAX_CHAIN], magnitude = tileValueGetDefiningOp(from);
  TileLayout layout;
  TileIntegerBounds bounds;
  if (tileElementTypeOf(mlirValueGetType(from)) != TileElementType_I32 ||
      tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(conversion, 0))) != TileElementType_F32 ||
      !tileLayoutOfType(mlirValueGetType(from), &layout) || tileLayoutNumRegisters(&layout) < MIN_REGISTERS)
    return false;
  const int n = chainOf(conversion, chain);
  MlirOperation last = chain[n - 1];
  s->loc = mlirOperationGetLocation(conversion);
  s->exact = (MlirValue){NULL};
  mlirRewriterBaseSetInsertionPointBefore(s->b, last);
  if (magnitude.ptr && tileOpKind(magnitude) == TileOp_Math_AbsI)
    from = mlirOperationGetOperand(magnitude, 0);
  s->overLoops = true; // nearly always all are small: asked once
  const bool isBounded = tileIntegerBoundsOf(s, from, &bounds);
  s->overLoops = false;
  if (!isBounded)
    return false;
  MlirValue fits = tileBoundsBoth(s, s->exact, tileBoundsWithin(s, &bounds, TILE_SMALL_CONVERTED));
  MlirValue result = mlirOperationGetResult(last, 0);
  MlirType type = mlirValueGetType(result);
  SCFIfOp branch = scfIfOpCreate(s->b, s->loc, 1, &type, fits);
  mlirOperationSetDiscardableAttributeByName(branch.op, tileStr(TILE_SHORTCUT),
                                             mlirUnitAttrGet(mlirOperationGetContext(branch.op)));
  writeArm(s, arena, scfIfOpGetThenRegion(branch), chain, n, true);
  writeArm(s, arena, scfIfOpGetElseRegion(branch), chain, n, false);
  mlirValueReplaceAllUsesOfWith(result, scfIfOpGetResults(branch, 0));
  for (int i = n; i-- > 1;)
    mlirRewriterBaseEraseOp(s->b, chain[i]);
  TilePointerMap gone = {.arena = arena};
  tileEraseUnused(s->b, &gone, chain[0]);
  return true;
}
