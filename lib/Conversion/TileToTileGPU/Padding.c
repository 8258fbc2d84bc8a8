/* Padding.c - tensors of any size become tensors of powers of two: the part of convert-tile-to-tile-gpu that the
 * rest of the compiler need not know of.
 *
 *   %i = tile.make_range 0 to 100 : tensor<100xi32>
 *   %p = tile.addptr %x, %i : tensor<100x!tile.ptr<f32>>, tensor<100xi32>
 *   %v = tile.load %p : tensor<100x!tile.ptr<f32>>
 *   %s = tile.reduce %v axis = 0 : tensor<100xf32> -> f32 { addf }
 * becomes
 *   %i = tile.make_range 0 to 128 : tensor<128xi32>
 *   %p = tile.addptr %x, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
 *   %in = arith.cmpi slt, %i, dense<100>
 *   %v = tile.load %p mask %in : tensor<128x!tile.ptr<f32>>
 *   %w = arith.select %in, %v, dense<-0.0>
 *   %s = tile.reduce %w axis = 0 : tensor<128xf32> -> f32 { addf }
 *
 * An element keeps its index along each dimension; those that are added hold anything. Elementwise ops, splat,
 * broadcast, expand_dims, trans, join, split and gather need no more than the larger type, and so do loops,
 * branches and calls that hand such tensors on. What touches memory, combines elements or numbers them in
 * another order has a rule. Descriptors of odd blocks become pointers before. */
#include "Padding.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Passes.h"

static const PadRule rules[TileOp_Count] = {
    [TileOp_Tile_Assert] = padAssert,
    [TileOp_Tile_AtomicCAS] = padAtomicCAS,
    [TileOp_Tile_AtomicRMW] = padAtomicRMW,
    [TileOp_Tile_Cat] = padCat,
    [TileOp_Tile_DescScatter] = padDescScatter,
    [TileOp_Tile_Dot] = padDot,
    [TileOp_Tile_DotScaled] = padDotScaled,
    [TileOp_Tile_ExternElementwise] = padExtern,
    [TileOp_Tile_Histogram] = padHistogram,
    [TileOp_Tile_InlineAsm] = padInlineAsm,
    [TileOp_Tile_Load] = padLoad,
    [TileOp_Tile_MakeRange] = padMakeRange,
    [TileOp_Tile_MapElementwise] = padMapElementwise,
    [TileOp_Tile_Print] = padPrint,
    [TileOp_Tile_Reduce] = padReduce,
    [TileOp_Tile_Reshape] = padReshape,
    [TileOp_Tile_Scan] = padScan,
    [TileOp_Tile_Store] = padStore,
};

// ---- Ops with odd tensors ----

static bool mentionsOdd(MlirOperation op) {
  bool odd = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    odd |= padIsOdd(padTypeOf(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    odd |= padIsOdd(mlirValueGetType(mlirOperationGetResult(op, i)));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (intptr_t i = 0; entry.ptr && i < mlirBlockGetNumArguments(entry); ++i)
      odd |= padIsOdd(mlirValueGetType(mlirBlockGetArgument(entry, i)));
  }
  return odd;
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  if (mentionsOdd(op))
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

static MlirLogicalResult applyRules(Padding *p, const TilePointerList *ops) {
  for (size_t i = 0; i < ops->count; ++i) {
    MlirOperation op = {(void *)ops->items[i]};
    PadRule rule = rules[tileOpKind(op)];
    if (!rule)
      continue;
    p->loc = mlirOperationGetLocation(op);
    mlirRewriterBaseSetInsertionPointBefore(p->b, op);
    TILE_TRY(rule(p, op));
  }
  return tileSuccess();
}

// ---- Types grow ----

static void growBlocks(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; block.ptr; block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
        MlirValue arg = mlirBlockGetArgument(block, i);
        mlirBlockArgumentSetType(arg, padType(mlirValueGetType(arg)));
      }
  }
}

static void growFunction(Padding *p, FuncFuncOp function) {
  MlirType type = funcFuncOpGetFunctionType(function);
  intptr_t n = mlirFunctionTypeGetNumInputs(type), m = mlirFunctionTypeGetNumResults(type);
  MlirType *types = tileArenaAlloc(p->arena, (size_t)(n + m) + 1, sizeof *types);
  for (intptr_t i = 0; i < n; ++i)
    types[i] = padType(mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < m; ++i)
    types[n + i] = padType(mlirFunctionTypeGetResult(type, i));
  funcFuncOpSetFunctionTypeAttr(function,
                                mlirTypeAttrGet(mlirFunctionTypeGet(p->context, n, types, m, types + n)));
}

static MlirLogicalResult growAttributes(Padding *p, MlirOperation op) {
  MlirType type;
  MlirAttribute value;
  switch (tileOpKind(op)) {
  case TileOp_Func_Func:
    growFunction(p, funcFuncOpCast(op));
    return tileSuccess();
  case TileOp_Tile_MakeRange:
    type = mlirValueGetType(mlirOperationGetResult(op, 0));
    tileMakeRangeOpSetEndAttr(tileMakeRangeOpCast(op),
                              tileI32Attr(p->context, tileMakeRangeOpGetStart(tileMakeRangeOpCast(op)) +
                                                          padSize(mlirShapedTypeGetDimSize(type, 0))));
    return tileSuccess();
  case TileOp_Arith_Constant:
    value = arithConstantOpGetValueAttr(arithConstantOpCast(op));
    if (!padIsOdd(mlirAttributeGetType(value)))
      return tileSuccess();
    value = padDense(p, value);
    if (!value.ptr)
      return tileEmitOpError(op, "got a value that is no list of elements, expected dense<..>");
    arithConstantOpSetValueAttr(arithConstantOpCast(op), value);
    return tileSuccess();
  default:
    return tileSuccess();
  }
}

typedef struct Growth {
  Padding *p;
  MlirLogicalResult result;
} Growth;

static MlirWalkResult grow(MlirOperation op, void *user) {
  Growth *g = user;
  g->result = growAttributes(g->p, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue v = mlirOperationGetResult(op, i);
    mlirValueSetType(v, padType(mlirValueGetType(v)));
  }
  growBlocks(op);
  return tileFailed(g->result) ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

// ---- All of it ----

static MlirLogicalResult padAll(Padding *p, MlirOperation module, const TilePointerList *ops) {
  TILE_TRY(applyRules(p, ops));
  Growth g = {p, tileSuccess()};
  mlirOperationWalk(module, grow, &g, MlirWalkPreOrder);
  for (size_t i = 0; tileSucceeded(g.result) && i < p->reshapes.count; ++i)
    padFinishReshape(p, p->reshapes.items[i]);
  return g.result;
}

MlirLogicalResult padModule(MlirOperation module) {
  TileArena arena = {0};
  TilePointerList ops = {.arena = &arena};
  mlirOperationWalk(module, collect, &ops, MlirWalkPreOrder);
  MlirLogicalResult result = tileSuccess();
  if (ops.count) {
    MlirContext context = mlirOperationGetContext(module);
    Padding p = {.context = context, .b = mlirIRRewriterCreate(context), .arena = &arena};
    p.reshapes.arena = &arena;
    result = padAll(&p, module, &ops);
    mlirIRRewriterDestroy(p.b);
  }
  tileArenaRelease(&arena);
  return result;
}
