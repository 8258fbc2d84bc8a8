/* UnrollRounds.c - tile-gpu-unroll-rounds: short loops of element-wise ops that carry more than the registers hold.
 *
 *   %r:4 = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %a0, %b = %b0, ...) {     // 128x128xi32 each, 8 warps: 256 registers
 *     %x = arith.muli %a, %factor
 *     ...
 *     scf.yield ...
 * becomes the seven rounds one after the other, whose elements do not wait for each other: what is between the rounds of one element
 * (a random number's) need not be there while the others' are computed.
 *
 * requires: the module's target. ensures: the same results; loops that carry at most so many registers stay. */
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/OpKind.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

enum { MOST_ROUNDS = 16, MOST_OPS = 64, MOST_REGISTERS = 96, MOST_WRITTEN = 1 << 18 };

typedef struct Rounds {
  SCFForOp loop;
  MlirBlock body;
  int64_t first, step, count;
  int ops;
} Rounds;

static bool readRounds(MlirOperation op, Rounds *out) {
  int64_t last;
  *out = (Rounds){.loop = scfForOpCast(op)};
  out->body = mlirRegionGetFirstBlock(scfForOpGetRegion(out->loop));
  if (!tileValueConstantInt(scfForOpGetLowerBound(out->loop), &out->first) ||
      !tileValueConstantInt(scfForOpGetUpperBound(out->loop), &last) ||
      !tileValueConstantInt(scfForOpGetStep(out->loop), &out->step) || out->step < 1 || last <= out->first ||
      scfForOpGetUnsignedCmp(out->loop))
    return false;
  const uint64_t distance = (uint64_t)last - (uint64_t)out->first,
                 more = (distance - 1) / (uint64_t)out->step;
  out->count = (int64_t)more + 1;
  return more < MOST_ROUNDS;
}

/* Counts the body's ops. */
static bool isElementwise(Rounds *r) {
  int n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(r->body); mlirOperationGetNextInBlock(op).ptr;
       op = mlirOperationGetNextInBlock(op), ++n) {
    const TileOpKind kind = tileOpKind(op);
    if (!tileOpIsElementwise(op) && kind != TileOp_Tile_Splat && kind != TileOp_Tile_Broadcast &&
        kind != TileOp_Tile_ExpandDims && kind != TileOp_Tile_MulhiUI)
      return false;
  }
  r->ops = n;
  return n <= MOST_OPS;
}

/* Words of a thread that go from one round to the next. */
static int64_t carriedWords(const Rounds *r, const TileModuleTarget *target) {
  int64_t bits = 0;
  for (intptr_t i = 0; i < scfForOpGetNumInitArgs(r->loop); ++i) {
    MlirType type = mlirValueGetType(scfForOpGetInitArgs(r->loop, i));
    if (tileTypeIsTensor(type))
      bits += tileTypeNumElements(type) * (int64_t)tileElementTypeBits(tileElementTypeOf(type));
  }
  return bits / 32 / ((int64_t)target->numWarps * target->info.warpSize);
}

static MlirValue valueThere(const TilePointerMap *there, MlirValue v) {
  void *known = tilePointerMapFind(there, v.ptr);
  return known ? (MlirValue){known} : v;
}

/* The ops of one round behind those of the one before; `carried` becomes what it hands on. */
static void writeRound(TileBuilder b, TileArena *arena, const Rounds *r, MlirValue iv, MlirValue *carried) {
  TilePointerMap there = {.arena = arena};
  MlirOperation yield = mlirBlockGetTerminator(r->body);
  const intptr_t n = mlirOperationGetNumOperands(yield);
  tilePointerMapSet(&there, mlirBlockGetArgument(r->body, 0).ptr, (void *)iv.ptr);
  for (intptr_t i = 0; i < n; ++i)
    tilePointerMapSet(&there, mlirBlockGetArgument(r->body, i + 1).ptr, (void *)carried[i].ptr);
  for (MlirOperation op = mlirBlockGetFirstOperation(r->body); op.ptr != yield.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      mlirOperationSetOperand(copy, i, valueThere(&there, mlirOperationGetOperand(op, i)));
    mlirRewriterBaseInsert(b, copy);
    tilePointerMapSet(&there, mlirOperationGetResult(op, 0).ptr, (void *)mlirOperationGetResult(copy, 0).ptr);
  }
  for (intptr_t i = 0; i < n; ++i)
    carried[i] = valueThere(&there, mlirOperationGetOperand(yield, i));
}

static void unroll(TileBuilder b, TileArena *arena, const Rounds *r) {
  const intptr_t n = scfForOpGetNumInitArgs(r->loop);
  MlirLocation loc = mlirOperationGetLocation(r->loop.op);
  MlirType number = mlirValueGetType(scfForOpGetLowerBound(r->loop));
  MlirValue *carried = tileArenaAlloc(arena, (size_t)n + 1, sizeof *carried);
  for (intptr_t i = 0; i < n; ++i)
    carried[i] = scfForOpGetInitArgs(r->loop, i);
  mlirRewriterBaseSetInsertionPointBefore(b, r->loop.op);
  for (int64_t round = 0; round < r->count; ++round) {
    MlirAttribute at =
        mlirIntegerAttrGet(number, (int64_t)((uint64_t)r->first + (uint64_t)round * (uint64_t)r->step));
    writeRound(b, arena, r, arithConstantOpGetResult(arithConstantOpCreate(b, loc, number, at)), carried);
  }
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(r->loop.op, i), carried[i]);
  mlirRewriterBaseEraseOp(b, r->loop.op);
}

MlirLogicalResult tileGPUUnrollRoundsRun(MlirOperation module, const TileGPUUnrollRoundsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  TileArena arena = {0};
  TilePointerList loops = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileCollectOps(module, TileOp_SCF_For, MlirWalkPostOrder, &loops);
  for (size_t i = 0; i < loops.count; ++i) {
    Rounds r;
    if (!readRounds((MlirOperation){(void *)loops.items[i]}, &r) || !isElementwise(&r))
      continue;
    const int64_t words = carriedWords(&r, &target);
    if (words <= MOST_REGISTERS || words > MOST_WRITTEN / (r.count * (r.ops + 1)))
      continue;
    unroll(b, &arena, &r);
    ++*params->numLoops;
  }
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
