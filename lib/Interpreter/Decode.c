/* Decode.c - which decoder an operation has. */
#include "Decode.h"

/// Ops with a decoder of their own; element-wise float and integer ops are found in their families' tables.
static const Decode decoders[TileOp_Count] = {
    [TileOp_Arith_Bitcast] = interpDecodeBitcast,
    [TileOp_Arith_CmpF] = interpDecodeCompareFloat,
    [TileOp_Arith_CmpI] = interpDecodeCompareInteger,
    [TileOp_Arith_Constant] = interpDecodeConstant,
    [TileOp_Arith_AddUIExtended] = interpDecodeExtendedInteger,
    [TileOp_Arith_MulSIExtended] = interpDecodeExtendedInteger,
    [TileOp_Arith_MulUIExtended] = interpDecodeExtendedInteger,
    [TileOp_Arith_ExtF] = interpDecodeCast,
    [TileOp_Arith_ExtSI] = interpDecodeCast,
    [TileOp_Arith_ExtUI] = interpDecodeCast,
    [TileOp_Arith_FPToSI] = interpDecodeCast,
    [TileOp_Arith_FPToUI] = interpDecodeCast,
    [TileOp_Arith_IndexCast] = interpDecodeCast,
    [TileOp_Arith_IndexCastUI] = interpDecodeCast,
    [TileOp_Arith_SIToFP] = interpDecodeCast,
    [TileOp_Arith_Select] = interpDecodeSelect,
    [TileOp_Arith_TruncF] = interpDecodeCast,
    [TileOp_Arith_TruncI] = interpDecodeCast,
    [TileOp_Arith_UIToFP] = interpDecodeCast,
    [TileOp_CF_Assert] = interpDecodeAssert,
    [TileOp_Func_Call] = interpDecodeCall,
    [TileOp_Math_FPowI] = interpDecodePowerInteger,
    [TileOp_Math_IsFinite] = interpDecodeClassify,
    [TileOp_Math_IsInf] = interpDecodeClassify,
    [TileOp_Math_IsNaN] = interpDecodeClassify,
    [TileOp_Math_IsNormal] = interpDecodeClassify,
    [TileOp_Math_Sincos] = interpDecodeSincos,
    [TileOp_SCF_ExecuteRegion] = interpDecodeExecuteRegion,
    [TileOp_SCF_For] = interpDecodeFor,
    [TileOp_SCF_If] = interpDecodeIf,
    [TileOp_SCF_IndexSwitch] = interpDecodeIndexSwitch,
    [TileOp_SCF_While] = interpDecodeWhile,
    [TileOp_Tile_AddPtr] = interpDecodeAddPtr,
    [TileOp_Tile_Assert] = interpDecodeAssert,
    [TileOp_Tile_Assume] = interpDecodeAssert,
    [TileOp_Tile_AtomicCAS] = interpDecodeAtomicCAS,
    [TileOp_Tile_AtomicPoll] = interpDecodeAtomicPoll,
    [TileOp_Tile_AtomicRMW] = interpDecodeAtomicRMW,
    [TileOp_Tile_Barrier] = interpDecodeNothing,
    [TileOp_Tile_Bitcast] = interpDecodeBitcast,
    [TileOp_Tile_Broadcast] = interpDecodeBroadcast,
    [TileOp_Tile_Cat] = interpDecodeCat,
    [TileOp_Tile_ClampF] = interpDecodeClamp,
    [TileOp_Tile_DescGather] = interpDecodeDescGather,
    [TileOp_Tile_DescLoad] = interpDecodeDescLoad,
    [TileOp_Tile_DescReduce] = interpDecodeDescReduce,
    [TileOp_Tile_DescScatter] = interpDecodeDescScatter,
    [TileOp_Tile_DescStore] = interpDecodeDescStore,
    [TileOp_Tile_Dot] = interpDecodeDot,
    [TileOp_Tile_DotScaled] = interpDecodeDotScaled,
    [TileOp_Tile_ExpandDims] = interpDecodeSameOrder,
    [TileOp_Tile_ExternElementwise] = interpDecodeExtern,
    [TileOp_Tile_FpToFp] = interpDecodeCast,
    [TileOp_Tile_Gather] = interpDecodeGather,
    [TileOp_Tile_GridDependencyLaunch] = interpDecodeNothing,
    [TileOp_Tile_GridDependencyWait] = interpDecodeNothing,
    [TileOp_Tile_Histogram] = interpDecodeHistogram,
    [TileOp_Tile_InlineAsm] = interpDecodeInlineAsm,
    [TileOp_Tile_IntToPtr] = interpDecodeBitcast,
    [TileOp_Tile_Join] = interpDecodeJoin,
    [TileOp_Tile_Load] = interpDecodeLoad,
    [TileOp_Tile_MakeDesc] = interpDecodeMakeDesc,
    [TileOp_Tile_MakeRange] = interpDecodeMakeRange,
    [TileOp_Tile_MapElementwise] = interpDecodeMapElementwise,
    [TileOp_Tile_NumPrograms] = interpDecodeProgramId,
    [TileOp_Tile_Print] = interpDecodePrint,
    [TileOp_Tile_ProgramId] = interpDecodeProgramId,
    [TileOp_Tile_PtrToInt] = interpDecodeBitcast,
    [TileOp_Tile_Reduce] = interpDecodeReduce,
    [TileOp_Tile_Reshape] = interpDecodeSameOrder,
    [TileOp_Tile_Scan] = interpDecodeScan,
    [TileOp_Tile_Splat] = interpDecodeSplat,
    [TileOp_Tile_Split] = interpDecodeSplit,
    [TileOp_Tile_Store] = interpDecodeStore,
    [TileOp_Tile_Trans] = interpDecodeTrans,
    [TileOp_Tile_Unsplat] = interpDecodeSameOrder,
    [TileOp_UB_Poison] = interpDecodePoison,
};

static Decode decoderOf(TileOpKind kind) {
  return decoders[kind]            ? decoders[kind]
         : interpIsFloatOp(kind)   ? interpDecodeFloat
         : interpIsIntegerOp(kind) ? interpDecodeInteger
                                   : NULL;
}

bool interpDecodeOp(Decoder *d, MlirOperation op) {
  Decode decode = decoderOf(tileOpKind(op));
  if (!decode)
    return interpRefuse(op, "the cpu device does not support this operation");
  return decode(d, op);
}

MlirOperation interpDecodeBlock(Decoder *d, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr && !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op))
    if (!interpDecodeOp(d, op))
      return (MlirOperation){NULL};
  return end;
}
