/* Pointers.c - pointers that a loop moves by the same distance for all elements are carried as that distance.
 *
 *   scf.for ... iter_args(%p = %p0) -> tensor<128x64x!tile.ptr<f16>>
 *     %v = tile.load %p
 *     %q = tile.addptr %p, %c          // every element of %c is 64
 *     scf.yield %q
 * becomes
 *   scf.for ... iter_args(%d = 0) -> i64
 *     %s = tile.splat %d
 *     %p = tile.addptr %p0, %s
 *     %v = tile.load %p
 *     %e = arith.addi %d, 64
 *     scf.yield %e
 *
 * so that the distance stays in scalar registers, and a stage can stop moving by one selection. */
#include "CarryDistances.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"

typedef struct Carry {
  TileBuilder b;
  MlirContext context;
  SCFForOp loop;
  MlirBlock body;
  MlirOperation yield;
} Carry;

/* A scalar from outside of the loop that all elements of `v` are; null if there is none. */
static MlirValue uniformOf(Carry *p, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  MlirLocation loc = mlirOperationGetLocation(p->loop.op);
  MlirType i64 = mlirIntegerTypeGet(p->context, 64);
  int64_t constant;
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->loop.op);
  if (tileValueConstantInt(v, &constant))
    return tileCreateInteger(p->b, loc, i64, constant);
  if (tileOpKind(op) != TileOp_Tile_Splat)
    return (MlirValue){NULL};
  MlirValue scalar = mlirOperationGetOperand(op, 0);
  MlirOperation parent = mlirBlockGetParentOperation(tileValueGetBlock(scalar));
  for (; parent.ptr; parent = mlirOperationGetParentOperation(parent))
    if (parent.ptr == p->loop.op.ptr)
      return (MlirValue){NULL};
  if (mlirTypeEqual(mlirValueGetType(scalar), i64))
    return scalar;
  return arithExtSIOpGetOut(arithExtSIOpCreate(p->b, loc, i64, scalar));
}

/* The distance by which carried variable i moves; null if it is no tensor of pointers or moves otherwise. */
static MlirValue strideOf(Carry *p, intptr_t i) {
  MlirValue argument = mlirBlockGetArgument(p->body, i + 1), next = mlirOperationGetOperand(p->yield, i);
  MlirType type = mlirValueGetType(argument);
  MlirOperation op = tileValueGetDefiningOp(next);
  if (!tileTypeIsTensor(type) || !tilePtrTypeIsA(tileTypeGetElement(type)) ||
      tileOpKind(op) != TileOp_Tile_AddPtr || mlirOperationGetOperand(op, 0).ptr != argument.ptr)
    return (MlirValue){NULL};
  return uniformOf(p, mlirOperationGetOperand(op, 1));
}

/* first + distance, for all elements. */
static MlirValue moved(Carry *p, MlirValue first, MlirValue distance) {
  MlirLocation loc = mlirOperationGetLocation(p->loop.op);
  MlirType type = mlirValueGetType(first);
  MlirType offsets = tileTypeWithElement(type, mlirIntegerTypeGet(p->context, 64));
  MlirValue splat = tileSplatOpGetResult(tileSplatOpCreate(p->b, loc, offsets, distance));
  return tileAddPtrOpGetResult(tileAddPtrOpCreate(p->b, loc, type, first, splat));
}

/* All uses of `v` but by `except` become `by`. */
static void replaceUses(MlirValue v, MlirValue by, MlirOperation except) {
  MlirOpOperand next;
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation owner = mlirOpOperandGetOwner(use);
    if (owner.ptr != except.ptr)
      mlirOperationSetOperand(owner, mlirOpOperandGetOperandNumber(use), by);
  }
}

static void carryDistance(Carry *p, intptr_t i, MlirValue stride) {
  MlirLocation loc = mlirOperationGetLocation(p->loop.op);
  MlirType i64 = mlirIntegerTypeGet(p->context, 64);
  MlirValue first = scfForOpGetInitArgs(p->loop, i), argument = mlirBlockGetArgument(p->body, i + 1);
  MlirValue result = mlirOperationGetResult(p->loop.op, i);
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->loop.op);
  MlirValue zero = tileCreateInteger(p->b, loc, i64, 0);
  mlirOperationSetOperand(p->loop.op, 3 + i, zero);
  mlirValueSetType(argument, i64);
  mlirValueSetType(result, i64);
  mlirRewriterBaseSetInsertionPointToStart(p->b, p->body);
  MlirValue pointers = moved(p, first, argument);
  MlirOperation splat = tileValueGetDefiningOp(mlirOperationGetOperand(tileValueGetDefiningOp(pointers), 1));
  replaceUses(argument, pointers, splat);
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->yield);
  mlirOperationSetOperand(
      p->yield, i,
      arithAddIOpGetResult(arithAddIOpCreate(p->b, loc, i64, argument, stride, (MlirAttribute){NULL})));
  if (tileValueIsUnused(result))
    return;
  mlirRewriterBaseSetInsertionPointAfter(p->b, p->loop.op);
  MlirValue end = moved(p, first, result);
  replaceUses(result, end, tileValueGetDefiningOp(mlirOperationGetOperand(tileValueGetDefiningOp(end), 1)));
}

void tileCarryDistances(TileBuilder b, MlirOperation loop) {
  Carry c = {.b = b, .context = mlirOperationGetContext(loop), .loop = scfForOpCast(loop)};
  c.body = mlirRegionGetFirstBlock(scfForOpGetRegion(c.loop));
  c.yield = mlirBlockGetTerminator(c.body);
  for (intptr_t i = 0; i < scfForOpGetNumInitArgs(c.loop); ++i) {
    MlirValue stride = strideOf(&c, i);
    if (stride.ptr)
      carryDistance(&c, i, stride);
  }
}
