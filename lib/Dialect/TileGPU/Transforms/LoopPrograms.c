/* LoopPrograms.c - a kernel's programs one after the other in as many blocks as there are multiprocessors: copies for the next one
 * start while the last one's sums are stored.
 *
 *   func.func @k(...) {
 *     %x = tile.program_id x
 *     ... products in a loop, stores
 * becomes
 *   func.func @k(..., %nx, %ny, %nz) attributes {tile_gpu.program_loop} {
 *     scf.for %t = (tile.program_id x) to %nx * %ny * %nz step (tile.num_programs x) {
 *       %x = %t mod %nx
 *       ... products in a loop that asks for a producer, stores
 *
 * Where programs do the more the greater %x is (attention with a causal mask, tile-gpu-order-programs), a block takes them in pairs of
 * the first and the last, the second and the last but one, which all do the same:
 *
 *     scf.for %r = 0 to 2 * (pairs of this block) {
 *       %pair = %r / 2 * (tile.num_programs x) + (tile.program_id x)
 *       %x = %r odd ? %pair mod (%nx / 2) : %nx - 1 - %pair mod (%nx / 2)
 *
 * or, where %nx is odd or the last pairs would leave more than a fifteenth of the blocks' time unused, in the order of their work, every
 * second round of blocks from the last one to the first.
 *
 * The launcher passes the numbers of programs asked for, and launches fewer blocks (`grid_rule`, docs/manifest.md). */
#include "LoopPrograms.h"
#include "AccelerateWgmma.h"
#include "Parameters.h"
#include "ProgramOrder.h"
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/ProgramLoop.h"
#include "tile-c/Support/PointerList.h"

enum { MOST_DEPTH = 32, MIN_WARPS = 8, PRODUCER_WARPS = 4 };

// ---- Which ----

static bool followsProgram(MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr)
    return false; // a parameter: loops stand in the kernel's block
  if (tileOpKind(op) == TileOp_Tile_ProgramId || depth > MOST_DEPTH)
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (followsProgram(mlirOperationGetOperand(op, i), depth + 1))
      return true;
  return mlirOperationGetNumRegions(op) > 0;
}

typedef struct Look {
  const TileModuleTarget *target;
  MlirBlock entry;
  bool isInLoop;  ///< the kernel goes over its blocks itself
  bool isOrdered; ///< programs that do more than others are known
  int products;
  MlirBlock last;     ///< of the last product
  int64_t sums, most; ///< elements of all sums in that block; in the block that has most
  bool refuses;
} Look;

/* A product in a loop of the kernel's block whose iterations are the same in all programs, or of such a loop around it. */
static void lookAtProduct(Look *l, TileDotOp dot) {
  MlirOperation loop = mlirOperationGetParentOperation(dot.op);
  TileWarpGroupShape shape;
  if (!tileWgmmaShapeOf(l->target, dot, &shape) || tileOpKind(loop) != TileOp_SCF_For) {
    l->refuses = true;
    return;
  }
  MlirOperation around = l->isInLoop ? mlirOperationGetParentOperation(loop) : loop;
  if ((l->isInLoop && tileOpKind(around) != TileOp_SCF_For) ||
      !mlirBlockEqual(mlirOperationGetBlock(around), l->entry)) {
    l->refuses = true;
    return;
  }
  for (int i = 0; i < 3 && !l->isInLoop && !l->isOrdered; ++i)
    l->refuses |= followsProgram(mlirOperationGetOperand(loop, i), 0);
  ++l->products;
  l->sums = (mlirBlockEqual(l->last, mlirOperationGetBlock(dot.op)) ? l->sums : 0) + shape.m * shape.n;
  l->last = mlirOperationGetBlock(dot.op);
  l->most = l->sums > l->most ? l->sums : l->most;
}

/* What a program may do beside products and pure operations; anything else (atomics, waits for other programs, messages, calls, what
 * later versions add) stays with a program a block. */
static bool mayRepeat(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Func_Func:
  case TileOp_Func_Return:
  case TileOp_SCF_Condition:
  case TileOp_SCF_If:
  case TileOp_SCF_While:
  case TileOp_SCF_Yield:
  case TileOp_Tile_Assume:
  case TileOp_Tile_Barrier:
  case TileOp_Tile_DescGather:
  case TileOp_Tile_DescLoad:
  case TileOp_Tile_DescScatter:
  case TileOp_Tile_DescStore:
  case TileOp_Tile_GridDependencyLaunch:
  case TileOp_Tile_MapElementwise:
  case TileOp_Tile_Reduce:
  case TileOp_Tile_Scan:
  case TileOp_Tile_Store:
  case TileOp_Tile_Yield:
    return true;
  case TileOp_SCF_For: // its programs hand sums on to each other
    return !mlirOperationGetDiscardableAttributeByName(op, tileStr("tile.stream")).ptr;
  case TileOp_Tile_Load:
    return !tileLoadOpGetIsVolatile(tileLoadOpCast(op));
  case TileOp_Tile_InlineAsm:
    return false;
  default:
    return tileOpIsPure(op);
  }
}

static MlirWalkResult look(MlirOperation op, void *user) {
  Look *l = user;
  if (tileOpKind(op) == TileOp_Tile_Dot)
    lookAtProduct(l, tileDotOpCast(op));
  else
    l->refuses |= !mayRepeat(op);
  return l->refuses ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* One program fills a multiprocessor, and all that it multiplies is in loops of `entry`, or in loops of those. */
static bool isForProducer(const TileModuleTarget *target, MlirOperation function, MlirBlock entry,
                          bool isInLoop) {
  Look l = {.target = target,
            .entry = entry,
            .isInLoop = isInLoop,
            .isOrdered = mlirOperationGetDiscardableAttributeByName(function, tileStr(tileWorkName)).ptr};
  const int64_t threads = target->numWarps * (int64_t)target->info.warpSize;
  if (!tileTargetHas(&target->info, TileFeature_ProgramLoops) || target->numWarps < MIN_WARPS ||
      threads + PRODUCER_WARPS * target->info.warpSize > (int64_t)target->info.maxThreadsPerBlock ||
      target->numCtas > 1 || tileGetIntAttr(function, "tile_gpu.cluster", 1) > 1)
    return false;
  mlirOperationWalk(function, look, &l, MlirWalkPreOrder);
  return !l.refuses && l.products && !tileWgmmaLeavesRoom(target, l.most);
}

bool tileShouldLoopPrograms(MlirOperation function, const TileModuleTarget *target) {
  return isForProducer(target, function, mlirRegionGetFirstBlock(funcFuncOpGetBody(funcFuncOpCast(function))),
                       false);
}

bool tileShouldProduce(MlirOperation function, const TileModuleTarget *target) {
  return isForProducer(target, function, mlirRegionGetFirstBlock(funcFuncOpGetBody(funcFuncOpCast(function))),
                       true);
}

// ---- The loop ----

static MlirValue binary(TileBuilder b, MlirLocation loc, TileOpKind kind, MlirValue x, MlirValue y) {
  return tileCreateOp2(b, loc, kind, x, y);
}

static MlirValue ofGrid(TileBuilder b, MlirLocation loc, MlirType i32, bool number) {
  MlirAttribute x = tileI32Attr(mlirLocationGetContext(loc), TileProgramAxis_X);
  return number ? tileNumProgramsOpGetResult(tileNumProgramsOpCreate(b, loc, i32, x))
                : tileProgramIdOpGetResult(tileProgramIdOpCreate(b, loc, i32, x));
}

typedef struct Numbers {
  TileBuilder b;
  MlirLocation loc;
  MlirType i32;
  MlirValue id[3], count[3];
  TilePointerList gone;
} Numbers;

static MlirValue emit(Numbers *n, TileOpKind kind, MlirValue x, MlirValue y) {
  return binary(n->b, n->loc, kind, x, y);
}
static MlirValue constant(Numbers *n, int64_t value) {
  return arithConstantOpGetResult(
      arithConstantOpCreate(n->b, n->loc, n->i32, mlirIntegerAttrGet(n->i32, value)));
}
static MlirValue choose(Numbers *n, MlirValue condition, MlirValue x, MlirValue y) {
  return tileCreateSelect(n->b, n->loc, condition, x, y);
}
static MlirValue compare(Numbers *n, ArithCmpIPredicate predicate, MlirValue x, MlirValue y) {
  MlirContext context = mlirTypeGetContext(n->i32);
  return arithCmpIOpGetResult(
      arithCmpIOpCreate(n->b, n->loc, mlirIntegerTypeGet(context, 1), x, y, tileI64Attr(context, predicate)));
}
static MlirValue isOdd(Numbers *n, MlirValue x) {
  return compare(n, ArithCmpIPredicate_ne, emit(n, TileOp_Arith_RemUI, x, constant(n, 2)), constant(n, 0));
}

static MlirWalkResult replaceNumber(MlirOperation op, void *user) {
  Numbers *n = user;
  TileProgramIdOp id = tileProgramIdOpCast(op);
  TileNumProgramsOp count = tileNumProgramsOpCast(op);
  if (!tileProgramIdOpIsNull(id))
    mlirValueReplaceAllUsesOfWith(tileProgramIdOpGetResult(id), n->id[tileProgramIdOpGetAxis(id)]);
  else if (!tileNumProgramsOpIsNull(count))
    mlirValueReplaceAllUsesOfWith(tileNumProgramsOpGetResult(count),
                                  n->count[tileNumProgramsOpGetAxis(count)]);
  else
    return MlirWalkResultAdvance;
  tilePointerListAppend(&n->gone, op.ptr);
  return MlirWalkResultAdvance;
}

static MlirWalkResult askForProducer(MlirOperation op, void *user) {
  (void)user;
  MlirOperation loop = mlirOperationGetParentOperation(op);
  if (tileOpKind(op) == TileOp_Tile_Dot)
    mlirOperationSetDiscardableAttributeByName(loop, tileStr("tile.warp_specialize"),
                                               mlirUnitAttrGet(mlirOperationGetContext(op)));
  return MlirWalkResultAdvance;
}

void tileAskForProducer(MlirOperation op) { mlirOperationWalk(op, askForProducer, NULL, MlirWalkPreOrder); }

/* Programs that do more the greater (`grows`) or smaller their number along x is, dealt out to blocks. */
typedef struct Deal {
  bool grows;
  MlirValue block, blocks; ///< this one's number, how many
  MlirValue others;        ///< programs with one number along x
  MlirValue half;          ///< pairs of programs with the others' numbers, at least 1
  MlirValue inPairs;       ///< i1
  MlirValue rounds;        ///< programs of this block
} Deal;

/* Pairs of a whole are those of programs that do the same together; with the last ones, blocks may have nothing to do. */
static void deal(Numbers *n, Deal *d) {
  enum { Part = 15 };
  MlirValue one = constant(n, 1), two = constant(n, 2), nx = n->count[0];
  d->others = emit(n, TileOp_Arith_MulI, n->count[1], n->count[2]);
  MlirValue half = emit(n, TileOp_Arith_DivUI, nx, two), pairs = emit(n, TileOp_Arith_MulI, half, d->others),
            less = emit(n, TileOp_Arith_SubI, d->blocks, one);
  d->half = emit(n, TileOp_Arith_MaxSI, half, one);
  MlirValue places = emit(n, TileOp_Arith_MulI, d->blocks,
                          emit(n, TileOp_Arith_DivUI, emit(n, TileOp_Arith_AddI, pairs, less), d->blocks));
  MlirValue idle = emit(n, TileOp_Arith_MulI, emit(n, TileOp_Arith_SubI, places, pairs), constant(n, Part));
  MlirValue few = choose(n, isOdd(n, nx), emit(n, TileOp_Arith_AddI, places, one), idle);
  d->inPairs = compare(n, ArithCmpIPredicate_sle, few, places);
  MlirValue mine = emit(n, TileOp_Arith_AddI, emit(n, TileOp_Arith_SubI, pairs, d->block), less);
  mine = emit(n, TileOp_Arith_MulI, emit(n, TileOp_Arith_DivUI, mine, d->blocks), two);
  MlirValue all = emit(n, TileOp_Arith_MulI, nx, d->others),
            whole = emit(n, TileOp_Arith_DivUI, all, d->blocks);
  MlirValue place = choose(n, isOdd(n, whole), emit(n, TileOp_Arith_SubI, less, d->block), d->block);
  MlirValue last = compare(n, ArithCmpIPredicate_slt, place, emit(n, TileOp_Arith_RemUI, all, d->blocks));
  d->rounds = choose(n, d->inPairs, mine, choose(n, last, emit(n, TileOp_Arith_AddI, whole, one), whole));
}

/* The program of a round. */
static void programOf(Numbers *n, const Deal *d, MlirValue round) {
  MlirValue zero = constant(n, 0), one = constant(n, 1), two = constant(n, 2), odd = isOdd(n, round),
            most = emit(n, TileOp_Arith_SubI, n->count[0], one);
  MlirValue pair =
      emit(n, TileOp_Arith_AddI,
           emit(n, TileOp_Arith_MulI, emit(n, TileOp_Arith_DivUI, round, two), d->blocks), d->block);
  MlirValue low = emit(n, TileOp_Arith_RemUI, pair, d->half), high = emit(n, TileOp_Arith_SubI, most, low);
  MlirValue x = d->grows ? choose(n, odd, low, high) : choose(n, odd, high, low),
            other = emit(n, TileOp_Arith_DivUI, pair, d->half);
  MlirValue back = emit(n, TileOp_Arith_SubI, emit(n, TileOp_Arith_SubI, d->blocks, one), d->block);
  MlirValue item = emit(n, TileOp_Arith_AddI, emit(n, TileOp_Arith_MulI, round, d->blocks),
                        choose(n, odd, back, d->block));
  MlirValue step = emit(n, TileOp_Arith_DivUI, item, d->others);
  if (d->grows)
    step = emit(n, TileOp_Arith_SubI, most, step);
  x = choose(n, d->inPairs, x, step);
  other = choose(n, d->inPairs, other, emit(n, TileOp_Arith_RemUI, item, d->others));
  n->id[0] = emit(n, TileOp_Arith_MaxSI, x, zero);
  n->id[1] = emit(n, TileOp_Arith_MaxSI, emit(n, TileOp_Arith_RemUI, other, n->count[1]), zero);
  n->id[2] = emit(n, TileOp_Arith_MaxSI, emit(n, TileOp_Arith_DivUI, other, n->count[1]), zero);
}

/* Of programs that do the same. */
static void inOrder(Numbers *n, MlirValue t) {
  MlirValue rest = emit(n, TileOp_Arith_DivUI, t, n->count[0]);
  n->id[0] = emit(n, TileOp_Arith_RemUI, t, n->count[0]);
  n->id[1] = emit(n, TileOp_Arith_RemUI, rest, n->count[1]);
  n->id[2] = emit(n, TileOp_Arith_DivUI, rest, n->count[1]);
}

/* The program's numbers in an order that the loop makes itself. */
static MlirWalkResult replaceOrdered(MlirOperation op, void *user) {
  Numbers *n = user;
  const int64_t axis = tileGetIntAttr(op, tileOrderedName, -1);
  if (axis >= 0)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), n->id[axis]);
  return MlirWalkResultAdvance;
}

void tileLoopPrograms(TileBuilder b, MlirOperation function) {
  TileArena arena = {0};
  const int64_t work = tileGetIntAttr(function, tileWorkName, 0);
  MlirBlock entry = mlirRegionGetFirstBlock(funcFuncOpGetBody(funcFuncOpCast(function)));
  MlirLocation loc = mlirOperationGetLocation(function);
  MlirType i32 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 32);
  MlirOperation first = mlirBlockGetFirstOperation(entry), end = mlirBlockGetTerminator(entry);
  Numbers n = {.b = b, .loc = loc, .i32 = i32, .gone = {.arena = &arena}};
  tileAppendParameters(function, TileProgramLoop_Parameters, i32, n.count);
  mlirOperationSetDiscardableAttributeByName(function, tileStr(tileProgramLoopName),
                                             mlirUnitAttrGet(mlirLocationGetContext(loc)));
  mlirRewriterBaseSetInsertionPointToStart(b, entry);
  Deal d = {.grows = work == TileWork_Grows,
            .block = ofGrid(b, loc, i32, false),
            .blocks = ofGrid(b, loc, i32, true)};
  if (work)
    deal(&n, &d);
  MlirValue all =
      emit(&n, TileOp_Arith_MulI, emit(&n, TileOp_Arith_MulI, n.count[0], n.count[1]), n.count[2]);
  SCFForOp loop = scfForOpCreate(b, loc, 0, NULL, work ? constant(&n, 0) : d.block, work ? d.rounds : all,
                                 work ? constant(&n, 1) : d.blocks, 0, NULL, (MlirAttribute){NULL});
  MlirBlock body = tileRegionAddBlock(scfForOpGetRegion(loop));
  MlirValue t = mlirBlockAddArgument(body, i32, loc);
  mlirRewriterBaseSetInsertionPointToEnd(b, body);
  if (work)
    programOf(&n, &d, t);
  else
    inOrder(&n, t);
  MlirOperation yield = scfYieldOpCreate(b, loc, 0, NULL).op;
  for (MlirOperation op = first, next; !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, yield);
  }
  for (MlirOperation op = first; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    mlirOperationWalk(op, replaceOrdered, &n, MlirWalkPreOrder);
    mlirOperationWalk(op, replaceNumber, &n, MlirWalkPreOrder);
    tileAskForProducer(op);
  }
  for (size_t i = 0; i < n.gone.count; ++i)
    mlirRewriterBaseEraseOp(b, (MlirOperation){(void *)n.gone.items[i]});
  tileArenaRelease(&arena);
}
