/* AxisOps.c - from operations to the axis algebra: one row for each kind. */
#include "AxisFlow.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"

/* An operation of which result `type` is wanted. */
typedef struct Site {
  const TileAxisInfo *info;
  MlirOperation op;
  TileAxisType type;
} Site;

typedef TileAxis (*Transfer)(const Site *s);

static TileAxis operand(const Site *s, intptr_t i) { return axisOperand(s->info, s->op, i); }

// ---- Arithmetic ----

#define BINARY(name, call)                                                                                   \
  static TileAxis name(const Site *s) {                                                                      \
    TileAxis a = operand(s, 0), b = operand(s, 1);                                                           \
    return call;                                                                                             \
  }
BINARY(addI, tileAxisAdd(&a, &b))
BINARY(subI, tileAxisSub(&a, &b))
BINARY(mulI, tileAxisMul(&a, &b))
BINARY(divSI, tileAxisDiv(&a, &b, true))
BINARY(divUI, tileAxisDiv(&a, &b, false))
BINARY(floorDivSI, tileAxisFloorDiv(&a, &b))
BINARY(remSI, tileAxisRem(&a, &b, true))
BINARY(remUI, tileAxisRem(&a, &b, false))
BINARY(andI, tileAxisAnd(&a, &b))
BINARY(orI, tileAxisOr(&a, &b))
BINARY(xorI, tileAxisXor(&a, &b))
BINARY(shlI, tileAxisShl(&a, &b))
BINARY(shrSI, tileAxisShr(&a, &b, true))
BINARY(shrUI, tileAxisShr(&a, &b, false))
BINARY(maxSI, tileAxisMinMax(&a, &b, true, true))
BINARY(maxUI, tileAxisMinMax(&a, &b, true, false))
BINARY(minSI, tileAxisMinMax(&a, &b, false, true))
BINARY(minUI, tileAxisMinMax(&a, &b, false, false))
BINARY(addPtr, tileAxisAddPtr(&a, &b))
BINARY(cmpI, tileAxisCmp((TileAxisCmp)arithCmpIOpGetPredicate(arithCmpIOpCast(s->op)), &a, &b))
#undef BINARY

static TileAxis resize(const Site *s, bool isSigned) {
  TileAxis a = operand(s, 0);
  return s->type.bits >= a.type.bits ? tileAxisExtend(&a, s->type.bits, isSigned)
                                     : tileAxisTruncate(&a, s->type.bits);
}
static TileAxis resizeSigned(const Site *s) { return resize(s, true); }
static TileAxis resizeUnsigned(const Site *s) { return resize(s, false); }

static TileAxis reinterpret(const Site *s) {
  TileAxis a = operand(s, 0);
  return tileAxisReinterpret(&a, s->type.bits, s->type.unit);
}

static TileAxis selectOp(const Site *s) {
  TileAxis c = operand(s, 0), a = operand(s, 1), b = operand(s, 2);
  return tileAxisSelect(&c, &a, &b);
}

/* Equal operands give equal results. */
static TileAxis elementwise(const Site *s) {
  enum { Most = 16 };
  TileAxis operands[Most];
  const TileAxis *pointers[Most];
  intptr_t n = mlirOperationGetNumOperands(s->op);
  if (n > Most)
    return tileAxisUnknown(s->type);
  for (intptr_t i = 0; i < n; ++i) {
    operands[i] = operand(s, i);
    pointers[i] = &operands[i];
  }
  return tileAxisElementwise(s->type, pointers, (int32_t)n);
}

/* Two lanes that read one address get one value, unless somebody may change it in between. */
static TileAxis load(const Site *s) {
  return tileLoadOpGetIsVolatile(tileLoadOpCast(s->op)) ? tileAxisUnknown(s->type) : elementwise(s);
}

static TileAxis externElementwise(const Site *s) {
  return tileExternElementwiseOpGetIsPure(tileExternElementwiseOpCast(s->op)) ? elementwise(s)
                                                                              : tileAxisUnknown(s->type);
}

// ---- Sources ----

static int64_t denseElement(MlirAttribute dense, int32_t bits, intptr_t i) {
  switch (bits) {
  case 1:
    return mlirDenseElementsAttrGetBoolValue(dense, i);
  case 8:
    return mlirDenseElementsAttrGetInt8Value(dense, i);
  case 16:
    return mlirDenseElementsAttrGetInt16Value(dense, i);
  case 32:
    return mlirDenseElementsAttrGetInt32Value(dense, i);
  default:
    return mlirDenseElementsAttrGetInt64Value(dense, i);
  }
}

/* A constant whose elements differ: looked at one by one. */
static TileAxis denseConstant(const Site *s, MlirAttribute dense) {
  enum { Most = 4096 };
  int64_t values[Most], n = mlirElementsAttrGetNumElements(dense);
  int32_t bits = s->type.bits;
  if (n > Most || (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return tileAxisUnknown(s->type);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = denseElement(dense, bits, i);
  return tileAxisOfElements(s->type, values);
}

static TileAxis constant(const Site *s) {
  MlirAttribute value = arithConstantOpGetValueAttr(arithConstantOpCast(s->op));
  bool dense = mlirAttributeIsADenseElements(value);
  int64_t number;
  if (s->type.bits && tileAttrIsSplatInt(value, &number))
    return tileAxisConstant(s->type, number);
  if (dense && s->type.bits)
    return denseConstant(s, value);
  bool uniform = !dense || mlirDenseElementsAttrIsSplat(value);
  return uniform ? tileAxisUniform(s->type, 1) : tileAxisUnknown(s->type);
}

static TileAxis programId(const Site *s) {
  TileAxis r = tileAxisUnknown(s->type);
  int axis = (int)tileProgramIdOpGetAxis(tileProgramIdOpCast(s->op));
  tileAxisRestrict(&r, 0, tileAxisInfoMaxPrograms(s->info, axis) - 1);
  return r;
}

static TileAxis numPrograms(const Site *s) {
  TileAxis r = tileAxisUnknown(s->type);
  int axis = (int)tileNumProgramsOpGetAxis(tileNumProgramsOpCast(s->op));
  tileAxisRestrict(&r, 1, tileAxisInfoMaxPrograms(s->info, axis));
  return r;
}

// ---- Shapes ----

static TileAxis makeRange(const Site *s) {
  TileMakeRangeOp op = tileMakeRangeOpCast(s->op);
  return tileAxisMakeRange(s->type, tileMakeRangeOpGetStart(op), tileMakeRangeOpGetEnd(op));
}
static TileAxis same(const Site *s) { return operand(s, 0); }
static TileAxis splat(const Site *s) {
  TileAxis a = operand(s, 0);
  return tileAxisSplat(s->type, &a); // also of a tensor of one element to a scalar
}
static TileAxis expandDims(const Site *s) {
  TileAxis a = operand(s, 0);
  return tileAxisExpandDims(s->type, &a, (int32_t)tileExpandDimsOpGetAxis(tileExpandDimsOpCast(s->op)));
}
static TileAxis broadcast(const Site *s) {
  TileAxis a = operand(s, 0);
  return tileAxisBroadcast(s->type, &a);
}
static TileAxis reshape(const Site *s) {
  TileAxis a = operand(s, 0);
  return tileAxisReshape(s->type, &a, tileReshapeOpGetAllowReorder(tileReshapeOpCast(s->op)));
}
static TileAxis transpose(const Site *s) {
  TileAxis a = operand(s, 0);
  int32_t order[TileLayout_MaxRank];
  for (int32_t d = 0; d < s->type.rank; ++d)
    order[d] = (int32_t)tileTransOpGetOrder(tileTransOpCast(s->op), d);
  return tileAxisTranspose(s->type, &a, order);
}
static TileAxis join(const Site *s) {
  TileAxis a = operand(s, 0), b = operand(s, 1);
  return tileAxisPair(s->type, &a, &b);
}
static TileAxis split(const Site *s) {
  TileAxis a = operand(s, 0);
  return tileAxisUnpair(s->type, &a);
}
static TileAxis cat(const Site *s) {
  TileAxis a = operand(s, 0), b = operand(s, 1);
  return tileAxisConcat(s->type, &a, &b);
}

// ---- The table ----

static const Transfer transfers[TileOp_Count] = {
    [TileOp_Arith_AddI] = addI,
    [TileOp_Arith_AndI] = andI,
    [TileOp_Arith_Bitcast] = reinterpret,
    [TileOp_Arith_CmpI] = cmpI,
    [TileOp_Arith_Constant] = constant,
    [TileOp_Arith_DivSI] = divSI,
    [TileOp_Arith_DivUI] = divUI,
    [TileOp_Arith_ExtSI] = resizeSigned,
    [TileOp_Arith_ExtUI] = resizeUnsigned,
    [TileOp_Arith_FloorDivSI] = floorDivSI,
    [TileOp_Arith_IndexCast] = resizeSigned,
    [TileOp_Arith_IndexCastUI] = resizeUnsigned,
    [TileOp_Arith_MaxSI] = maxSI,
    [TileOp_Arith_MaxUI] = maxUI,
    [TileOp_Arith_MinSI] = minSI,
    [TileOp_Arith_MinUI] = minUI,
    [TileOp_Arith_MulI] = mulI,
    [TileOp_Arith_OrI] = orI,
    [TileOp_Arith_RemSI] = remSI,
    [TileOp_Arith_RemUI] = remUI,
    [TileOp_Arith_Select] = selectOp,
    [TileOp_Arith_ShLI] = shlI,
    [TileOp_Arith_ShRSI] = shrSI,
    [TileOp_Arith_ShRUI] = shrUI,
    [TileOp_Arith_SubI] = subI,
    [TileOp_Arith_TruncI] = resizeSigned,
    [TileOp_Arith_XOrI] = xorI,
    [TileOp_Tile_AddPtr] = addPtr,
    [TileOp_Tile_Bitcast] = reinterpret,
    [TileOp_Tile_Broadcast] = broadcast,
    [TileOp_Tile_Cat] = cat,
    [TileOp_Tile_ClampF] = elementwise,
    [TileOp_Tile_ExpandDims] = expandDims,
    [TileOp_Tile_ExternElementwise] = externElementwise,
    [TileOp_Tile_FpToFp] = elementwise,
    [TileOp_Tile_IntToPtr] = reinterpret,
    [TileOp_Tile_Join] = join,
    [TileOp_Tile_Load] = load,
    [TileOp_Tile_MakeRange] = makeRange,
    [TileOp_Tile_MulhiUI] = elementwise,
    [TileOp_Tile_NumPrograms] = numPrograms,
    [TileOp_Tile_PreciseDivF] = elementwise,
    [TileOp_Tile_PreciseSqrt] = elementwise,
    [TileOp_Tile_ProgramId] = programId,
    [TileOp_Tile_PtrToInt] = reinterpret,
    [TileOp_Tile_Reshape] = reshape,
    [TileOp_Tile_Splat] = splat,
    [TileOp_Tile_Split] = split,
    [TileOp_Tile_Trans] = transpose,
    [TileOp_Tile_Unsplat] = splat,
    [TileOp_TileGPU_ConvertLayout] = same,
};

TileAxis axisOfResult(const TileAxisInfo *info, MlirOperation op, intptr_t i, TileAxisType type) {
  Site site = {info, op, type};
  TileOpKind kind = tileOpKind(op);
  if (transfers[kind] && kind != TileOp_Tile_Split && i > 0)
    return tileAxisUnknown(type);
  if (transfers[kind])
    return transfers[kind](&site);
  // All other operations of arith and math are functions of elements.
  bool function = kind >= TileOp_Arith_AddF && kind <= TileOp_Math_Trunc;
  return function ? elementwise(&site) : tileAxisUnknown(type);
}
