/* KeepOpen.c - products of a specialised loop that go on while the next iteration starts.
 *
 *   %r:3 = scf.for ... iter_args(%acc = %z, %n = .., %parity = ..) {
 *     mbarrier_wait %full[%n], %parity
 *     %s = tile_gpu.wgmma %a, %b, %acc;  %d = tile_gpu.wgmma_wait 0 (%s)
 *     mbarrier_arrive %freed[%n]
 *     scf.yield %d, ..
 * becomes
 *   %r:4 = scf.for ... iter_args(%acc = %z, %n = .., %parity = .., %before = 4) {
 *     mbarrier_wait %full[%n], %parity
 *     %s = tile_gpu.wgmma %a, %b, %acc;  tile_gpu.wgmma_wait 1 ()
 *     mbarrier_arrive %freed[%before]
 *     scf.yield %s, .., %n
 *   %d = tile_gpu.wgmma_wait 0 (%r#0)
 *   mbarrier_arrive %freed[%r#3]
 */
#include "KeepOpen.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/TileGPU.h"

enum { MAX_SUMS = 8 };

typedef struct Open {
  TileGPUWgmmaWaitOp waits[MAX_SUMS];
  intptr_t numWaits, products;
  MlirOperation last; ///< product
} Open;

static MlirBlock bodyOf(SCFForOp loop) { return mlirRegionGetFirstBlock(scfForOpGetRegion(loop)); }

/* The number of the sum that a product adds to and that is yielded behind its wait; -1: it is another value. */
static intptr_t sumOf(MlirBlock body, MlirValue started, MlirValue done) {
  MlirOperation yield = mlirBlockGetTerminator(body);
  TileGPUWgmmaOp product = tileGPUWgmmaOpCast(tileValueGetDefiningOp(started));
  if (tileGPUWgmmaOpIsNull(product) || mlirOperationGetBlock(product.op).ptr != body.ptr ||
      tileTypeIsTensor(mlirValueGetType(tileGPUWgmmaOpGetA(product))) ||
      tileValueOnlyUser(done).ptr != yield.ptr)
    return -1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue sum = mlirBlockGetArgument(body, i + 1);
    if (mlirValueEqual(mlirOperationGetOperand(yield, i), done))
      return mlirValueEqual(tileGPUWgmmaOpGetC(product), sum) && tileValueOnlyUser(sum).ptr == product.op.ptr
                 ? i
                 : -1;
  }
  return -1;
}

static bool readWait(MlirBlock body, TileGPUWgmmaWaitOp wait) {
  for (intptr_t i = 0; i < tileGPUWgmmaWaitOpGetNumValues(wait); ++i) {
    MlirValue started = tileGPUWgmmaWaitOpGetValues(wait, i);
    if (tileValueOnlyUser(started).ptr != wait.op.ptr ||
        sumOf(body, started, tileGPUWgmmaWaitOpGetResults(wait, i)) < 0)
      return false;
  }
  return true;
}

/* Products in the body itself, and their waits. */
static bool readLoop(SCFForOp loop, Open *out) {
  MlirBlock body = bodyOf(loop);
  intptr_t sums = 0;
  *out = (Open){.numWaits = 0};
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileGPUWgmmaWaitOp wait = tileGPUWgmmaWaitOpCast(op);
    if (mlirOperationGetNumRegions(op))
      return false;
    if (tileOpKind(op) == TileOp_TileGPU_Wgmma) {
      ++out->products;
      out->last = op;
    }
    if (tileGPUWgmmaWaitOpIsNull(wait))
      continue;
    sums += tileGPUWgmmaWaitOpGetNumValues(wait);
    if (sums > MAX_SUMS || !readWait(body, wait))
      return false;
    out->waits[out->numWaits++] = wait;
  }
  return out->products == sums;
}

bool tileCanKeepOpen(const TileTmaCopies *c, SCFForOp loop) {
  Open open;
  return readLoop(loop, &open) && (open.products == 1 || tileTmaJoined(c) == open.products);
}

/* The other products of one instruction end with its group. */
static void markJoined(const TileTmaCopies *c, MlirBlock body) {
  bool isFirst = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpKind(op) != TileOp_TileGPU_Wgmma)
      continue;
    if (!isFirst)
      mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.same_group"),
                                                 mlirUnitAttrGet(c->context));
    isFirst = false;
  }
}

/* The one that frees the buffer. */
static MlirOperation findArrive(MlirBlock body) {
  MlirOperation found = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_MBarrierArrive)
      found = op;
  return found;
}

static void keepInLoop(TileTmaCopies *c, SCFForOp loop, MlirValue freed, const Open *open, TileArena *arena) {
  MlirBlock body = bodyOf(loop);
  const intptr_t n = mlirBlockGetNumArguments(body);
  MlirValue index = mlirBlockGetArgument(body, n - 3), before = mlirBlockGetArgument(body, n - 1);
  MlirOperation arrive = findArrive(body), yield = mlirBlockGetTerminator(body);
  mlirRewriterBaseSetInsertionPointBefore(c->b, arrive);
  tileGPUWgmmaWaitOpCreate(c->b, c->loc, 0, NULL, 0, NULL, tileI32Attr(c->context, 1));
  markJoined(c, body);
  mlirOperationSetOperand(arrive, 0, tileTmaBarrierOf(c, freed, before, 0));
  for (intptr_t i = 0; i < open->numWaits; ++i) {
    for (intptr_t k = 0; k < tileGPUWgmmaWaitOpGetNumValues(open->waits[i]); ++k)
      mlirValueReplaceAllUsesOfWith(tileGPUWgmmaWaitOpGetResults(open->waits[i], k),
                                    tileGPUWgmmaWaitOpGetValues(open->waits[i], k));
    mlirRewriterBaseEraseOp(c->b, open->waits[i].op);
  }
  const intptr_t m = mlirOperationGetNumOperands(yield);
  MlirValue *values = tileArenaAlloc(arena, (size_t)m + 1, sizeof *values);
  for (intptr_t i = 0; i < m; ++i)
    values[i] = mlirOperationGetOperand(yield, i);
  values[m] = index;
  mlirRewriterBaseSetInsertionPointBefore(c->b, yield);
  scfYieldOpCreate(c->b, c->loc, m + 1, values);
  mlirRewriterBaseEraseOp(c->b, yield);
}

/* Behind the loop: the sums, and the last buffer, which the returned op frees. */
static MlirOperation endLoop(TileTmaCopies *c, SCFForOp loop, MlirValue freed) {
  MlirBlock body = bodyOf(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue sums[MAX_SUMS];
  MlirType types[MAX_SUMS];
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop.op); ++i)
    if (tileOpKind(tileValueGetDefiningOp(mlirOperationGetOperand(yield, i))) == TileOp_TileGPU_Wgmma) {
      sums[count] = mlirOperationGetResult(loop.op, i);
      types[count] = mlirValueGetType(sums[count]);
      ++count;
    }
  mlirRewriterBaseSetInsertionPointAfter(c->b, loop.op);
  TileGPUWgmmaWaitOp wait =
      tileGPUWgmmaWaitOpCreate(c->b, c->loc, count, types, count, sums, tileI32Attr(c->context, 0));
  for (intptr_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesExcept(sums[i], tileGPUWgmmaWaitOpGetResults(wait, i), 1, &wait.op);
  const intptr_t last = mlirOperationGetNumResults(loop.op) - 1;
  return tileTmaArrive(c, tileTmaBarrierOf(c, freed, mlirOperationGetResult(loop.op, last), 0));
}

MlirOperation tileEnterLoopBranch(TileBuilder b, TileArena *arena, SCFForOp loop) {
  MlirLocation loc = mlirOperationGetLocation(loop.op);
  MlirContext context = mlirOperationGetContext(loop.op);
  const intptr_t n = mlirOperationGetNumResults(loop.op);
  MlirType *types = tileArenaAlloc(arena, (size_t)n + 1, sizeof *types);
  MlirValue *values = tileArenaAlloc(arena, (size_t)n + 1, sizeof *values);
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(loop.op, i));
  mlirRewriterBaseSetInsertionPointBefore(b, loop.op);
  MlirValue any = arithCmpIOpGetResult(arithCmpIOpCreate(
      b, loc, mlirIntegerTypeGet(context, 1), scfForOpGetLowerBound(loop), scfForOpGetUpperBound(loop),
      tileI64Attr(context, scfForOpGetUnsignedCmp(loop) ? ArithCmpIPredicate_ult : ArithCmpIPredicate_slt)));
  SCFIfOp branch = scfIfOpCreate(b, loc, n, types, any);
  for (intptr_t i = 0; i < n; ++i) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop.op, i), mlirOperationGetResult(branch.op, i));
    values[i] = mlirOperationGetResult(loop.op, i);
  }
  mlirRewriterBaseSetInsertionPointToEnd(b, tileRegionAddBlock(scfIfOpGetThenRegion(branch)));
  MlirOperation yield = scfYieldOpCreate(b, loc, n, values).op;
  mlirOperationMoveBefore(loop.op, yield);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = scfForOpGetInitArgs(loop, i);
  mlirRewriterBaseSetInsertionPointToEnd(b, tileRegionAddBlock(scfIfOpGetElseRegion(branch)));
  scfYieldOpCreate(b, loc, n, values);
  return branch.op;
}

MlirOperation tileKeepOpen(TileTmaCopies *c, SCFForOp loop, MlirValue freed, TileArena *arena,
                           MlirOperation *out_end) {
  Open open;
  mlirRewriterBaseSetInsertionPointBefore(c->b, loop.op);
  const MlirValue first = tileTmaIndex(c, c->numBuffers);
  SCFForOp wide = tileTmaWidenLoopBy(c, loop, 1, &first, arena);
  mlirRewriterBaseEraseOp(c->b, loop.op);
  (void)readLoop(wide, &open);
  keepInLoop(c, wide, freed, &open, arena);
  // Sums of no iteration that meet those of several products: ptxas would copy them in front of the wait (C7514).
  MlirOperation whole = open.products > 1 ? tileEnterLoopBranch(c->b, arena, wide) : wide.op;
  MlirOperation arrive = endLoop(c, wide, freed);
  *out_end = open.products > 1 ? whole : arrive;
  return whole;
}
