/* Combine.c - tile-combine: fewer and smaller operations on the target-free IR.
 *
 * before:  %a = tile.splat %x : tensor<64xf32>
 *          %b = tile.splat %y : tensor<64xf32>
 *          %c = arith.mulf %a, %b : tensor<64xf32>
 * after:   %s = arith.mulf %x, %y : f32
 *          %c = tile.splat %s : tensor<64xf32>
 *
 * requires: nothing. ensures: the same results, bit for bit, except that `add (dot a, b, 0), c` accumulates
 * onto c, and for the sign of a zero that a reduction takes for the largest or smallest. */
#include "Combine.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Passes.h"

/* Element-wise operations with one result, on scalars as on tensors. */
#define ELEMENTWISE(kind)                                                                                    \
  {kind, 2, computeBeforeSplat}, { kind, 1, computeBeforeBroadcast }

static const TilePattern patterns[] = {
    {TileOp_Arith_AddF, 3, combineAddOfDot},
    {TileOp_Arith_AddI, 3, combineAddOfDot},
    {TileOp_Arith_SubI, 3, combineDistance},
    {TileOp_Arith_Select, 3, combineSelectOfLoad},
    {TileOp_Arith_Select, 3, combineSelectOfCompare},
    {TileOp_Tile_AddPtr, 3, combineAddPtr},
    {TileOp_Tile_Assert, 1, combineTrueCondition},
    {TileOp_Tile_Assume, 1, combineTrueCondition},
    {TileOp_Tile_AtomicRMW, 1, combineAtomic},
    {TileOp_Tile_Broadcast, 1, combineShapeOfSplat},
    {TileOp_Tile_ExpandDims, 1, combineShapeOfSplat},
    {TileOp_Tile_Join, 1, combineJoin},
    {TileOp_Tile_Load, 1, combineLoad},
    {TileOp_Tile_Reduce, 1, combineReduceOfSelects},
    {TileOp_Tile_Reshape, 2, combineShapeOfSplat},
    {TileOp_Tile_Reshape, 1, combineReshape},
    {TileOp_Tile_Split, 1, combineSplit},
    {TileOp_Tile_Store, 1, combineStore},
    {TileOp_Tile_Trans, 1, combineShapeOfSplat},
    {TileOp_Tile_Unsplat, 1, combineUnsplat},
    ELEMENTWISE(TileOp_Arith_AddF),
    ELEMENTWISE(TileOp_Arith_AddI),
    ELEMENTWISE(TileOp_Arith_AndI),
    ELEMENTWISE(TileOp_Arith_Bitcast),
    ELEMENTWISE(TileOp_Arith_CeilDivSI),
    ELEMENTWISE(TileOp_Arith_CeilDivUI),
    ELEMENTWISE(TileOp_Arith_CmpF),
    ELEMENTWISE(TileOp_Arith_CmpI),
    ELEMENTWISE(TileOp_Arith_DivF),
    ELEMENTWISE(TileOp_Arith_DivSI),
    ELEMENTWISE(TileOp_Arith_DivUI),
    ELEMENTWISE(TileOp_Arith_ExtF),
    ELEMENTWISE(TileOp_Arith_ExtSI),
    ELEMENTWISE(TileOp_Arith_ExtUI),
    ELEMENTWISE(TileOp_Arith_FPToSI),
    ELEMENTWISE(TileOp_Arith_FPToUI),
    ELEMENTWISE(TileOp_Arith_FloorDivSI),
    ELEMENTWISE(TileOp_Arith_MaxNumF),
    ELEMENTWISE(TileOp_Arith_MaxSI),
    ELEMENTWISE(TileOp_Arith_MaxUI),
    ELEMENTWISE(TileOp_Arith_MaximumF),
    ELEMENTWISE(TileOp_Arith_MinNumF),
    ELEMENTWISE(TileOp_Arith_MinSI),
    ELEMENTWISE(TileOp_Arith_MinUI),
    ELEMENTWISE(TileOp_Arith_MinimumF),
    ELEMENTWISE(TileOp_Arith_MulF),
    ELEMENTWISE(TileOp_Arith_MulI),
    ELEMENTWISE(TileOp_Arith_NegF),
    ELEMENTWISE(TileOp_Arith_OrI),
    ELEMENTWISE(TileOp_Arith_RemF),
    ELEMENTWISE(TileOp_Arith_RemSI),
    ELEMENTWISE(TileOp_Arith_RemUI),
    ELEMENTWISE(TileOp_Arith_SIToFP),
    ELEMENTWISE(TileOp_Arith_Select),
    ELEMENTWISE(TileOp_Arith_ShLI),
    ELEMENTWISE(TileOp_Arith_ShRSI),
    ELEMENTWISE(TileOp_Arith_ShRUI),
    ELEMENTWISE(TileOp_Arith_SubF),
    ELEMENTWISE(TileOp_Arith_SubI),
    ELEMENTWISE(TileOp_Arith_TruncF),
    ELEMENTWISE(TileOp_Arith_TruncI),
    ELEMENTWISE(TileOp_Arith_UIToFP),
    ELEMENTWISE(TileOp_Arith_XOrI),
    ELEMENTWISE(TileOp_Math_AbsF),
    ELEMENTWISE(TileOp_Math_AbsI),
    ELEMENTWISE(TileOp_Math_Ceil),
    ELEMENTWISE(TileOp_Math_CopySign),
    ELEMENTWISE(TileOp_Math_Cos),
    ELEMENTWISE(TileOp_Math_Erf),
    ELEMENTWISE(TileOp_Math_Exp2),
    ELEMENTWISE(TileOp_Math_Exp),
    ELEMENTWISE(TileOp_Math_Floor),
    ELEMENTWISE(TileOp_Math_Fma),
    ELEMENTWISE(TileOp_Math_Log1p),
    ELEMENTWISE(TileOp_Math_Log2),
    ELEMENTWISE(TileOp_Math_Log),
    ELEMENTWISE(TileOp_Math_PowF),
    ELEMENTWISE(TileOp_Math_Rsqrt),
    ELEMENTWISE(TileOp_Math_Sin),
    ELEMENTWISE(TileOp_Math_Sqrt),
    ELEMENTWISE(TileOp_Math_Tanh),
    ELEMENTWISE(TileOp_Math_Trunc),
    ELEMENTWISE(TileOp_Tile_AddPtr),
    ELEMENTWISE(TileOp_Tile_Bitcast),
    ELEMENTWISE(TileOp_Tile_ClampF),
    ELEMENTWISE(TileOp_Tile_FpToFp),
    ELEMENTWISE(TileOp_Tile_IntToPtr),
    ELEMENTWISE(TileOp_Tile_MulhiUI),
    ELEMENTWISE(TileOp_Tile_PreciseDivF),
    ELEMENTWISE(TileOp_Tile_PreciseSqrt),
    ELEMENTWISE(TileOp_Tile_PtrToInt),
};
#undef ELEMENTWISE

MlirValue combineConstant(TileBuilder b, MlirLocation loc, MlirType type, MlirAttribute number) {
  MlirAttribute value = tileTypeIsTensor(type) ? mlirDenseElementsAttrSplatGet(type, number) : number;
  return arithConstantOpGetResult(arithConstantOpCreate(b, loc, type, value));
}

MlirLogicalResult tileCombineRun(MlirOperation op, const TileCombineParams *params) {
  tileApplyPatterns(op, patterns, TILE_COUNTOF(patterns), NULL, params->numRewrites);
  return tileSuccess();
}
