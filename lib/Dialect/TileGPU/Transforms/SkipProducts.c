/* SkipProducts.c - tile-gpu-skip-products: products of which a mask keeps nothing are not computed.
 *
 *   %s = tile_gpu.mma %q, %k, 0
 *   %ids = tile_gpu.local_load ..                                   // numbers of the columns' segments
 *   %eq = arith.cmpi eq, (tile.broadcast %rows), (tile.broadcast %ids)
 *   %t = arith.select (arith.andi %eq, %other), %s, %low
 * becomes
 *   %ids = ..; %least, %most = tile.reduce %ids                     // in a layout in which a warp has each number once
 *   %any = tile_gpu.any (%rows >= %least and %rows <= %most) {tile_gpu.warp}
 *   %s = scf.if %any { yield tile_gpu.mma %q, %k, 0 } else { yield 0 }
 *   (the rest as it was)
 *
 * Documents that are packed into one sequence do not see each other: most blocks of keys are then of other documents than a warp's
 * queries. Rows and columns whose numbers do not overlap have no pair of equal ones; where they do overlap the mask decides. The mask itself
 * is skipped by tile-gpu-skip-masks. Each warp asks its own rows: `mma.sync` needs no other warp.
 *
 * requires: layouts; tile-gpu-prefetch has run. ensures: the same results. */
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMatrix.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"

typedef struct Product {
  TileBuilder b;
  MlirContext context;
  MlirLocation loc;
  MlirOperation op;
  MlirValue rows;          ///< numbers of a warp's rows, i32, from in front of the loop
  TileGPULocalLoadOp read; ///< of the columns' numbers
  MlirOperation index;     ///< the view that is read
} Product;

// ---- Which ----

/* The vector of which `v` repeats each element along the other dimension; null if it does not. */
static MlirValue vectorOf(MlirValue v, int *out_dim) {
  const MlirValue none = {NULL};
  MlirOperation broadcast = tileValueGetDefiningOp(v);
  if (!broadcast.ptr || tileOpKind(broadcast) != TileOp_Tile_Broadcast)
    return none;
  TileExpandDimsOp expand =
      tileExpandDimsOpCast(tileValueGetDefiningOp(mlirOperationGetOperand(broadcast, 0)));
  if (tileExpandDimsOpIsNull(expand))
    return none;
  MlirValue vector = mlirOperationGetOperand(expand.op, 0);
  *out_dim = 1 - (int)tileExpandDimsOpGetAxis(expand);
  const bool isVector = mlirShapedTypeGetRank(mlirValueGetType(vector)) == 1 &&
                        tileElementTypeOf(mlirValueGetType(vector)) == TileElementType_I32;
  return isVector ? vector : none;
}

/* A vector that stands in front of the product's block. */
static bool isBefore(const Product *p, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  return op.ptr && mlirOperationGetBlock(op).ptr != mlirOperationGetBlock(p->op).ptr;
}

/* Whether an op writes a buffer, or waits for who does. */
static bool changesBuffers(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_Barrier:
  case TileOp_TileGPU_AsyncCopy:
  case TileOp_TileGPU_AsyncWait:
  case TileOp_TileGPU_LocalStore:
  case TileOp_TileGPU_MBarrierArrive:
  case TileOp_TileGPU_MBarrierWait:
  case TileOp_TileGPU_TmaCopy:
  case TileOp_TileGPU_WgmmaWait:
    return true;
  default:
    return false;
  }
}

static MlirWalkResult findChange(MlirOperation op, void *user) {
  *(bool *)user |= changesBuffers(op);
  return *(bool *)user ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* Whether buffers hold at `to` what they hold at `from`, in front of it. */
static bool holdsTheSame(MlirOperation from, MlirOperation to) {
  bool changes = false;
  MlirOperation at = from;
  for (; at.ptr && at.ptr != to.ptr && !changes; at = mlirOperationGetNextInBlock(at))
    mlirOperationWalk(at, findChange, &changes, MlirWalkPreOrder);
  return at.ptr && !changes;
}

/* A read of a buffer that the loop's variables choose: it stands in front of the product, or may. */
static bool isRead(Product *p, MlirValue v) {
  MlirBlock body = mlirOperationGetBlock(p->op);
  MlirOperation op = tileValueGetDefiningOp(v);
  p->read = tileGPULocalLoadOpCast(op);
  if (!op.ptr || tileGPULocalLoadOpIsNull(p->read) || mlirOperationGetBlock(op).ptr != body.ptr)
    return false;
  p->index = tileValueGetDefiningOp(tileGPULocalLoadOpGetSource(p->read));
  if (!p->index.ptr || tileOpKind(p->index) != TileOp_TileGPU_Index)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(p->index); ++i) {
    MlirOperation def = tileValueGetDefiningOp(mlirOperationGetOperand(p->index, i));
    if (def.ptr && mlirOperationGetBlock(def).ptr == body.ptr)
      return false;
  }
  return mlirOperationIsBeforeInBlock(op, p->op) ? holdsTheSame(op, p->op) : holdsTheSame(p->op, op);
}

/* Whether a mask is false where numbers of a row and a column differ: it and others. */
static bool findNumbers(Product *p, MlirValue mask, int depth) {
  enum { MOST_DEPTH = 4 };
  MlirOperation op = tileValueGetDefiningOp(mask);
  if (!op.ptr || depth == MOST_DEPTH)
    return false;
  if (tileOpKind(op) == TileOp_Arith_AndI)
    return findNumbers(p, mlirOperationGetOperand(op, 0), depth + 1) ||
           findNumbers(p, mlirOperationGetOperand(op, 1), depth + 1);
  ArithCmpIOp compare = arithCmpIOpCast(op);
  if (arithCmpIOpIsNull(compare) || arithCmpIOpGetPredicate(compare) != ArithCmpIPredicate_eq)
    return false;
  for (intptr_t i = 0; i < 2; ++i) {
    int dim = 0, other = 0;
    MlirValue rows = vectorOf(mlirOperationGetOperand(op, i), &dim),
              columns = vectorOf(mlirOperationGetOperand(op, 1 - i), &other);
    if (rows.ptr && columns.ptr && dim == 0 && other == 1 && isBefore(p, rows) && isRead(p, columns)) {
      p->rows = rows;
      return true;
    }
  }
  return false;
}

/* The mask of the selection that alone wants what is computed of the product, element by element; null if there is none. */
static MlirValue maskOf(const Product *p) {
  const MlirValue none = {NULL};
  MlirValue v = mlirOperationGetResult(p->op, 0);
  for (;;) {
    if (!tileValueHasOneUse(v))
      return none;
    MlirOpOperand use = mlirValueGetFirstUse(v);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationGetBlock(user).ptr != mlirOperationGetBlock(p->op).ptr || !tileOpIsElementwise(user) ||
        !tileOpIsPure(user) || mlirOperationGetNumResults(user) != 1)
      return none;
    if (tileOpKind(user) == TileOp_Arith_Select)
      return mlirOpOperandGetOperandNumber(use) == 1 ? mlirOperationGetOperand(user, 0) : none;
    v = mlirOperationGetResult(user, 0);
  }
}

/* Products of `mma.sync` that begin with zeros. */
static bool matches(Product *p) {
  TileMatrixChoice choice;
  TileGPUMmaOp mma = tileGPUMmaOpCast(p->op);
  MlirValue mask;
  if (!tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(mma), &choice) ||
      choice.family != TileMatrixFamily_MmaSync || choice.rank != 2 ||
      !tileValueIsPositiveZero(tileGPUMmaOpGetC(mma)) ||
      tileOpKind(mlirOperationGetParentOperation(p->op)) != TileOp_SCF_For)
    return false;
  mask = maskOf(p);
  return mask.ptr && findNumbers(p, mask, 0);
}

// ---- The branch ----

/* Each number in one lane of each warp, or in several. */
static bool onceAWarp(MlirType type, MlirType *out) {
  TileLayout old, layout = tileLayoutEmpty(1);
  if (!tileLayoutOfType(type, &old) || old.bits[TileLayoutDim_Block])
    return false;
  int at = 0;
  layout.shape[0] = old.shape[0];
  for (; at < old.bits[TileLayoutDim_Lane]; ++at)
    layout.bases[TileLayoutDim_Lane][at][0] = 1 << at < old.shape[0] ? 1 << at : 0;
  layout.bits[TileLayoutDim_Lane] = old.bits[TileLayoutDim_Lane];
  for (int r = 0; 1 << at < old.shape[0]; ++at, ++r) {
    layout.bases[TileLayoutDim_Register][r][0] = 1 << at;
    layout.bits[TileLayoutDim_Register] = r + 1;
  }
  layout.bits[TileLayoutDim_Warp] = old.bits[TileLayoutDim_Warp];
  *out = mlirRankedTensorTypeGet(1, (int64_t[]){old.shape[0]}, tileTypeGetElement(type),
                                 tileLayoutToAttr(mlirTypeGetContext(type), &layout));
  return tileLayoutIsValid(&layout);
}

/* The least or the largest. */
static MlirValue extreme(Product *p, MlirValue v, TileOpKind by) {
  MlirType i32 = mlirIntegerTypeGet(p->context, 32);
  TileReduceOp reduce =
      tileReduceOpCreate(p->b, p->loc, 1, &i32, 1, &v, tileI32Attr(p->context, 0), (MlirAttribute){NULL});
  MlirBlock body = mlirBlockCreate(2, (MlirType[]){i32, i32}, (MlirLocation[]){p->loc, p->loc});
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(reduce.op, 0), body);
  mlirRewriterBaseSetInsertionPointToEnd(p->b, body);
  MlirValue chosen =
      tileCreateOp2(p->b, p->loc, by, mlirBlockGetArgument(body, 0), mlirBlockGetArgument(body, 1));
  tileYieldOpCreate(p->b, p->loc, 1, &chosen);
  mlirRewriterBaseSetInsertionPointAfter(p->b, reduce.op);
  return mlirOperationGetResult(reduce.op, 0);
}

static MlirValue compare(Product *p, MlirValue scalar, ArithCmpIPredicate predicate) {
  MlirType type = mlirValueGetType(p->rows);
  MlirValue all = tileSplatOpGetResult(tileSplatOpCreate(p->b, p->loc, type, scalar));
  return arithCmpIOpGetResult(arithCmpIOpCreate(p->b, p->loc,
                                                tileTypeWithElement(type, mlirIntegerTypeGet(p->context, 1)),
                                                p->rows, all, tileI64Attr(p->context, predicate)));
}

/* Whether a warp has a row whose number lies among those of the columns. */
static MlirValue overlaps(Product *p, MlirType once) {
  MlirValue numbers = tileGPULocalLoadOpGetResult(
      tileGPULocalLoadOpCreate(p->b, p->loc, once, tileGPULocalLoadOpGetSource(p->read)));
  MlirValue least = extreme(p, numbers, TileOp_Arith_MinSI), most = extreme(p, numbers, TileOp_Arith_MaxSI);
  MlirValue above = compare(p, least, ArithCmpIPredicate_sge),
            below = compare(p, most, ArithCmpIPredicate_sle);
  TileGPUAnyOp any = tileGPUAnyOpCreate(p->b, p->loc, mlirIntegerTypeGet(p->context, 1),
                                        tileCreateOp2(p->b, p->loc, TileOp_Arith_AndI, above, below));
  mlirOperationSetDiscardableAttributeByName(any.op, tileStr("tile_gpu.warp"), mlirUnitAttrGet(p->context));
  return tileGPUAnyOpGetResult(any);
}

/* A read that only the product wants goes with it. */
static void takeRead(MlirOperation product, MlirOperation at) {
  MlirOperation to = product;
  MlirValue factor = mlirOperationGetOperand(product, 1);
  MlirOperation op = tileValueGetDefiningOp(factor);
  if (op.ptr && tileOpKind(op) == TileOp_Tile_Trans && tileValueHasOneUse(factor) &&
      mlirOperationGetBlock(op).ptr == mlirOperationGetBlock(at).ptr) {
    mlirOperationMoveBefore(op, product);
    to = op;
    factor = mlirOperationGetOperand(op, 0);
    op = tileValueGetDefiningOp(factor);
  }
  if (op.ptr && tileOpKind(op) == TileOp_TileGPU_LocalLoad && tileValueHasOneUse(factor) &&
      mlirOperationGetBlock(op).ptr == mlirOperationGetBlock(at).ptr && holdsTheSame(op, at))
    mlirOperationMoveBefore(op, to);
}

static bool skip(Product *p) {
  MlirType once, type = mlirValueGetType(mlirOperationGetResult(p->op, 0));
  if (!onceAWarp(mlirValueGetType(tileGPULocalLoadOpGetResult(p->read)), &once))
    return false;
  if (mlirOperationIsBeforeInBlock(p->op, p->index))
    mlirOperationMoveBefore(p->index, p->op);
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->op);
  MlirValue zero = tileGPUMmaOpGetC(tileGPUMmaOpCast(p->op)), old = mlirOperationGetResult(p->op, 0);
  SCFIfOp branch = scfIfOpCreate(p->b, p->loc, 1, &type, overlaps(p, once));
  MlirBlock blocks[2];
  for (int i = 0; i < 2; ++i) {
    blocks[i] = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(mlirOperationGetRegion(branch.op, i), blocks[i]);
  }
  mlirValueReplaceAllUsesOfWith(old, mlirOperationGetResult(branch.op, 0));
  mlirRewriterBaseSetInsertionPointToEnd(p->b, blocks[0]);
  MlirOperation first = scfYieldOpCreate(p->b, p->loc, 1, &old).op;
  mlirRewriterBaseSetInsertionPointToEnd(p->b, blocks[1]);
  scfYieldOpCreate(p->b, p->loc, 1, &zero);
  mlirOperationMoveBefore(p->op, first);
  takeRead(p->op, branch.op);
  return true;
}

MlirLogicalResult tileGPUSkipProductsRun(MlirOperation module, const TileGPUSkipProductsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  TileArena arena = {0};
  TilePointerList products = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileCollectOps(module, TileOp_TileGPU_Mma, MlirWalkPreOrder, &products);
  for (size_t i = 0; i < products.count && tileTargetHas(&target.info, TileFeature_MmaSync); ++i) {
    MlirOperation op = {(void *)products.items[i]};
    Product p = {
        .b = b, .context = mlirOperationGetContext(op), .loc = mlirOperationGetLocation(op), .op = op};
    if (matches(&p) && skip(&p))
      ++*params->numProducts;
  }
  mlirRewriterBaseClearInsertionPoint(b);
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
