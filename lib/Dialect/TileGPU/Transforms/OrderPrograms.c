/* OrderPrograms.c - tile-gpu-order-programs: programs with much work start before those with little.
 *
 *   %x = tile.program_id x; %y = tile.program_id y
 *   scf.for %j = 0 to min(%n, (%x + 1) * 128) step 64 { ... tile.dot ... }
 * becomes
 *   %i = (tile.program_id x) + (tile.program_id y) * %nx         // in the order in which programs start
 *   %x, %y: of the i-th program where, in each group of 16 %y, all of the greatest %x come first
 *
 * In attention with a causal mask the last block of rows does as much as all that stand idle at the end might have done: 0.77
 * of the time of 132 multiprocessors is used with 32 blocks of rows in each of 32 heads, 0.98 in this order. Groups keep the
 * keys of few heads in the cache. Where the work falls with %x the smallest come first. With a window of keys the programs at the start
 * of the sequence have less to do, and come last.
 *
 * A kernel whose work follows %x alone says so (ProgramOrder.h): one that goes over its programs in a loop deals them out by itself.
 *
 * Not where programs may wait for each other or what they do could be seen to depend on their order: atomics, volatile loads,
 * prints, clusters. AMD's chips deal programs out to several dies.
 *
 * requires: module attributes of convert-tile-to-tile-gpu. ensures: the same results. */
#include "ProgramOrder.h"
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

// ---- How work depends on the program ----

/* How a scalar follows program_id x. */
typedef enum Trend { Trend_None, Trend_Grows, Trend_Falls, Trend_Unknown } Trend;

static Trend opposite(Trend t) { return t == Trend_Grows ? Trend_Falls : t == Trend_Falls ? Trend_Grows : t; }

static Trend together(Trend a, Trend b) {
  return a == Trend_None ? b : b == Trend_None || a == b ? a : Trend_Unknown;
}

/* The sign of a constant; 0 if the value is none. */
static int signOf(MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || tileOpKind(op) != TileOp_Arith_Constant)
    return 0;
  MlirAttribute value = arithConstantOpGetValueAttr(arithConstantOpCast(op));
  if (!mlirAttributeIsAInteger(value))
    return 0;
  int64_t n = mlirIntegerAttrGetValueSInt(value);
  return n > 0 ? 1 : n < 0 ? -1 : 0;
}

enum { MAX_DEPTH = 16 };

static Trend trendOf(MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr) /* a parameter: loops stand in the kernel's block */
    return Trend_None;
  TileProgramIdOp id = tileProgramIdOpCast(op);
  if (!tileProgramIdOpIsNull(id))
    return tileProgramIdOpGetAxis(id) == TileProgramAxis_X ? Trend_Grows : Trend_None;
  if (depth > MAX_DEPTH || mlirOperationGetNumRegions(op))
    return Trend_Unknown;
  intptr_t n = mlirOperationGetNumOperands(op);
  Trend t[2] = {Trend_None, Trend_None}, all = Trend_None;
  for (intptr_t i = 0; i < n; ++i) {
    Trend one = trendOf(mlirOperationGetOperand(op, i), depth + 1);
    all = together(all, one);
    if (i < 2)
      t[i] = one;
  }
  if (all == Trend_None)
    return Trend_None;
  int sign = n == 2 ? signOf(mlirOperationGetOperand(op, 1)) : 0;
  switch (tileOpKind(op)) {
  case TileOp_Arith_AddI:
  case TileOp_Arith_MinSI:
  case TileOp_Arith_MaxSI:
  case TileOp_Arith_ExtSI:
  case TileOp_Arith_TruncI:
    return all;
  case TileOp_Arith_SubI:
    return together(t[0], opposite(t[1]));
  case TileOp_Arith_MulI:
    return sign > 0 ? t[0] : sign < 0 ? opposite(t[0]) : Trend_Unknown;
  case TileOp_Arith_DivSI:
  case TileOp_Arith_CeilDivSI:
  case TileOp_Arith_FloorDivSI:
    return sign > 0 ? t[0] : Trend_Unknown;
  default:
    return Trend_Unknown;
  }
}

typedef struct Kernel {
  MlirBlock block;
  Trend work;     ///< of loops with products
  bool isOrdered; ///< programs may see each other's work
  bool isOther; ///< what they do follows other things than program_id x and parameters, or a moving start too
  TilePointerList x, y;
} Kernel;

static MlirWalkResult findProduct(MlirOperation op, void *user) {
  *(bool *)user |= tileOpKind(op) == TileOp_Tile_Dot;
  return MlirWalkResultAdvance;
}

/* Whether a number that follows the program is kept from falling below one that does not. */
static bool stopsAtLeast(MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || depth > MAX_DEPTH || mlirOperationGetNumRegions(op) || trendOf(v, 0) == Trend_None)
    return false;
  bool found = false, fixed = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    found |= stopsAtLeast(mlirOperationGetOperand(op, i), depth + 1);
    fixed |= trendOf(mlirOperationGetOperand(op, i), 0) == Trend_None;
  }
  return found || (fixed && tileOpKind(op) == TileOp_Arith_MaxSI);
}

/* Iterations of a loop in the kernel's block. Both bounds may move by one distance; where the first one cannot fall below the
 * start of the data (a window of keys), they are fewer for the programs there. */
static Trend iterations(SCFForOp loop) {
  Trend low = trendOf(scfForOpGetLowerBound(loop), 0), high = trendOf(scfForOpGetUpperBound(loop), 0);
  if (low == high)
    return low == Trend_Unknown || stopsAtLeast(scfForOpGetLowerBound(loop), 0) ? low : Trend_None;
  return together(opposite(low), high);
}

/* Parameters, constants and the program's number along x, and what is computed of these. */
static bool followsXAlone(MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  TileProgramIdOp id = tileProgramIdOpCast(op);
  if (!op.ptr)
    return true;
  if (!tileProgramIdOpIsNull(id))
    return tileProgramIdOpGetAxis(id) == TileProgramAxis_X;
  if (depth > MAX_DEPTH || mlirOperationGetNumRegions(op) || !tileOpIsPure(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!followsXAlone(mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

static bool isOtherwise(SCFForOp loop) {
  return !followsXAlone(scfForOpGetUpperBound(loop), 0) || !followsXAlone(scfForOpGetStep(loop), 0) ||
         !followsXAlone(scfForOpGetLowerBound(loop), 0) ||
         trendOf(scfForOpGetLowerBound(loop), 0) != Trend_None;
}

static MlirWalkResult visit(MlirOperation op, void *user) {
  Kernel *k = user;
  TileLoadOp load = tileLoadOpCast(op);
  TileProgramIdOp id = tileProgramIdOpCast(op);
  bool hasProduct = false;
  switch (tileOpKind(op)) {
  case TileOp_Tile_AtomicCAS:
  case TileOp_Tile_AtomicRMW:
  case TileOp_Tile_AtomicPoll:
  case TileOp_Tile_DescReduce:
  case TileOp_Tile_InlineAsm:
  case TileOp_Tile_Print:
  case TileOp_Tile_Assert:
  case TileOp_Func_Call:
    k->isOrdered = true;
    break;
  case TileOp_Tile_Load:
    k->isOrdered |= tileLoadOpGetIsVolatile(load);
    break;
  case TileOp_Tile_ProgramId:
    if (tileProgramIdOpGetAxis(id) != TileProgramAxis_Z)
      tilePointerListAppend(tileProgramIdOpGetAxis(id) == TileProgramAxis_X ? &k->x : &k->y, op.ptr);
    break;
  case TileOp_SCF_For:
    mlirOperationWalk(op, findProduct, &hasProduct, MlirWalkPreOrder);
    if (hasProduct && mlirBlockEqual(mlirOperationGetBlock(op), k->block)) {
      k->work = together(k->work, iterations(scfForOpCast(op)));
      k->isOther |= isOtherwise(scfForOpCast(op));
    }
    break;
  default:
    break;
  }
  return MlirWalkResultAdvance;
}

// ---- The other order ----

enum { GROUP = 16, MOST_X = 1 << 15 };

typedef struct Order {
  TileBuilder b;
  MlirLocation loc;
  MlirType i32;
} Order;

static MlirValue number(Order *o, int64_t n) { return tileCreateInteger(o->b, o->loc, o->i32, n); }
static MlirValue binary(Order *o, TileOpKind kind, MlirValue x, MlirValue y) {
  return tileCreateOp2(o->b, o->loc, kind, x, y);
}
static MlirAttribute axis(Order *o, TileProgramAxis a) { return tileI32Attr(mlirTypeGetContext(o->i32), a); }
static MlirValue idOf(Order *o, TileProgramAxis a) {
  return tileProgramIdOpGetResult(tileProgramIdOpCreate(o->b, o->loc, o->i32, axis(o, a)));
}
static MlirValue countOf(Order *o, TileProgramAxis a) {
  return tileNumProgramsOpGetResult(tileNumProgramsOpCreate(o->b, o->loc, o->i32, axis(o, a)));
}

static void replaceAll(const TilePointerList *ids, MlirValue by, TileProgramAxis along, TileBuilder b) {
  mlirOperationSetDiscardableAttributeByName(tileValueGetDefiningOp(by), tileStr(tileOrderedName),
                                             tileI32Attr(mlirTypeGetContext(mlirValueGetType(by)), along));
  for (size_t i = 0; i < ids->count; ++i) {
    MlirOperation op = {(void *)ids->items[i]};
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), by);
    mlirRewriterBaseEraseOp(b, op);
  }
}

/* The i-th program: in group g of y, x = i' / size from the busiest on, y = 16 g + i' % size. Numbers are not negative, which
 * the maxima say to those who ask. With more than 2^15 programs along x products might wrap around (along y there are at most
 * 2^16 - 1): these stay in their order. */
static void reorder(Order *o, const Kernel *k) {
  mlirRewriterBaseSetInsertionPointToStart(o->b, k->block);
  MlirValue oldX = idOf(o, TileProgramAxis_X), oldY = idOf(o, TileProgramAxis_Y), x = oldX, y = oldY;
  MlirValue whole = countOf(o, TileProgramAxis_X), zero = number(o, 0), most = number(o, MOST_X);
  MlirValue nx = binary(o, TileOp_Arith_MinSI, whole, most);
  MlirValue few = arithCmpIOpGetResult(
      arithCmpIOpCreate(o->b, o->loc, mlirIntegerTypeGet(mlirTypeGetContext(o->i32), 1), whole, most,
                        tileI64Attr(mlirTypeGetContext(o->i32), ArithCmpIPredicate_sle)));
  if (k->y.count) {
    MlirValue ny = countOf(o, TileProgramAxis_Y), group = number(o, GROUP);
    MlirValue i = binary(o, TileOp_Arith_AddI, x, binary(o, TileOp_Arith_MulI, oldY, nx));
    MlirValue each = binary(o, TileOp_Arith_MulI, nx, group), g = binary(o, TileOp_Arith_DivUI, i, each);
    MlirValue first = binary(o, TileOp_Arith_MulI, g, group);
    MlirValue size = binary(o, TileOp_Arith_MinSI, binary(o, TileOp_Arith_SubI, ny, first), group);
    MlirValue rest = binary(o, TileOp_Arith_RemUI, i, each);
    x = binary(o, TileOp_Arith_DivUI, rest, size);
    y = binary(o, TileOp_Arith_AddI, first, binary(o, TileOp_Arith_RemUI, rest, size));
  }
  if (k->work == Trend_Grows)
    x = binary(o, TileOp_Arith_SubI, binary(o, TileOp_Arith_SubI, nx, number(o, 1)), x);
  x = tileCreateSelect(o->b, o->loc, few, x, oldX);
  y = tileCreateSelect(o->b, o->loc, few, y, oldY);
  replaceAll(&k->x, binary(o, TileOp_Arith_MaxSI, x, zero), TileProgramAxis_X, o->b);
  replaceAll(&k->y, binary(o, TileOp_Arith_MaxSI, y, zero), TileProgramAxis_Y, o->b);
}

static bool rewrite(TileBuilder b, TileArena *arena, MlirOperation func) {
  Kernel k = {.block = mlirRegionGetFirstBlock(funcFuncOpGetBody(funcFuncOpCast(func))),
              .x = {.arena = arena},
              .y = {.arena = arena}};
  if (!k.block.ptr || !mlirOperationGetDiscardableAttributeByName(func, tileStr("tile.kernel")).ptr)
    return false;
  mlirOperationWalk(func, visit, &k, MlirWalkPreOrder);
  bool matters = k.work == Trend_Grows || (k.work == Trend_Falls && k.y.count);
  if (!matters || k.isOrdered)
    return false;
  Order o = {b, mlirOperationGetLocation(func), mlirIntegerTypeGet(mlirOperationGetContext(func), 32)};
  reorder(&o, &k);
  if (!k.isOther)
    mlirOperationSetDiscardableAttributeByName(
        func, tileStr(tileWorkName),
        tileI32Attr(mlirTypeGetContext(o.i32), k.work == Trend_Grows ? TileWork_Grows : TileWork_Falls));
  return true;
}

MlirLogicalResult tileGPUOrderProgramsRun(MlirOperation module, const TileGPUOrderProgramsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_MmaSync) || target.numCtas != 1)
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList funcs = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileCollectOps(module, TileOp_Func_Func, MlirWalkPreOrder, &funcs);
  for (size_t i = 0; i < funcs.count; ++i)
    *params->numOrdered += rewrite(b, &arena, (MlirOperation){(void *)funcs.items[i]});
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
