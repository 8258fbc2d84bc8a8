/* Counts.c - whole numbers that are kept as floats, and how large they can become: the counts of elements of every variance
 * that is computed in one pass (Welford), in the loop and in the reduction behind it.
 *
 *   %n = scf.for ... iter_args(%c = 0.0) {            // sums of whole numbers are whole, rounded or not
 *     %d = arith.addf %c, 1.0
 *     scf.yield (arith.select %mask, %d, %c)          // c + 1 is c from 2^24 on: at most 2^25
 *   }
 *   tile.reduce (..., %n) { ^(..., %a: f32, ..., %b: f32): %s = arith.addf %a, %b ... return ..., %s }   // 2^26 times the size
 *
 * Such a number is 0 or at least 1, so that nothing has to be scaled where it divides (Quotients.c). */
#include "Quotients.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include <math.h>

/* The loops whose carried value is being looked at, from the inside to the outside. */
typedef struct Walk {
  MlirValue carried;
  const struct Walk *outer;
  int depth; ///< ops on the way: sums are trees, of which only small ones are counts
} Walk;

enum { DEEPEST = 12 };

static double most(MlirValue v, const Walk *outer);

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

static MlirValue yielded(MlirRegion region, intptr_t i) {
  return operand(mlirBlockGetTerminator(mlirRegionGetFirstBlock(region)), i);
}

/* A value at the end of an iteration: at most `apart`, or `step` away from what the iteration began with. */
typedef struct Growth {
  double apart, step;
} Growth;

static Growth larger(Growth a, Growth b) { return (Growth){fmax(a.apart, b.apart), fmax(a.step, b.step)}; }

static Growth growth(MlirValue v, const Walk *walk) {
  Walk next = {walk->carried, walk->outer, walk->depth + 1};
  if (mlirValueEqual(v, walk->carried))
    return (Growth){0, 0};
  MlirOperation def = tileValueGetDefiningOp(v);
  TileOpKind kind = def.ptr && next.depth < DEEPEST ? tileOpKind(def) : TileOp_None;
  if (kind == TileOp_Arith_Select)
    return larger(growth(operand(def, 1), &next), growth(operand(def, 2), &next));
  if (kind == TileOp_SCF_If && mlirRegionGetFirstBlock(mlirOperationGetRegion(def, 1)).ptr) {
    intptr_t i = mlirOpResultGetResultNumber(v);
    return larger(growth(yielded(mlirOperationGetRegion(def, 0), i), &next),
                  growth(yielded(mlirOperationGetRegion(def, 1), i), &next));
  }
  for (int i = 0; kind == TileOp_Arith_AddF && i < 2; ++i) {
    double other = most(operand(def, 1 - i), &next);
    Growth g = other < INFINITY ? growth(operand(def, i), &next) : (Growth){INFINITY, INFINITY};
    if (g.apart < INFINITY)
      return (Growth){g.apart + other, g.step + other};
  }
  return (Growth){most(v, &next), 0};
}

static double powerAbove(double x) { return x > 0 ? exp2(ceil(log2(x))) : 0; }

/* A power of two 2^25 times what is added is not changed by it, nor is anything below it brought above. */
static double mostCarried(SCFForOp loop, intptr_t i, const Walk *outer) {
  MlirRegion region = scfForOpGetRegion(loop);
  Walk walk = {mlirBlockGetArgument(mlirRegionGetFirstBlock(region), i + 1), outer,
               outer ? outer->depth + 1 : 0};
  for (const Walk *w = outer; w; w = w->outer)
    if (mlirValueEqual(w->carried, walk.carried))
      return INFINITY;
  double first = most(scfForOpGetInitArgs(loop, i), outer);
  if (first == INFINITY)
    return INFINITY;
  Growth g = growth(yielded(region, i), &walk);
  return fmax(powerAbove(fmax(first, g.apart)), 0x1p25 * powerAbove(g.step));
}

/* Twice as much for the roundings. */
static double mostReduced(TileReduceOp reduce, intptr_t i, const Walk *outer) {
  MlirBlock body = mlirRegionGetFirstBlock(tileReduceOpGetBody(reduce));
  MlirValue a = mlirBlockGetArgument(body, i),
            b = mlirBlockGetArgument(body, i + tileReduceOpGetNumSrcs(reduce));
  MlirOperation sum = tileValueGetDefiningOp(yielded(tileReduceOpGetBody(reduce), i));
  if (!sum.ptr || tileOpKind(sum) != TileOp_Arith_AddF)
    return INFINITY;
  MlirValue x = operand(sum, 0), y = operand(sum, 1);
  if (!(mlirValueEqual(x, a) && mlirValueEqual(y, b)) && !(mlirValueEqual(x, b) && mlirValueEqual(y, a)))
    return INFINITY;
  MlirValue source = tileReduceOpGetSrcs(reduce, i);
  int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(source), tileReduceOpGetAxis(reduce));
  return 2.0 * (double)size * most(source, outer);
}

static double mostOfArgument(MlirValue v, const Walk *outer) {
  MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(v));
  intptr_t i = mlirBlockArgumentGetArgNumber(v);
  TileOpKind kind = tileOpKind(parent);
  if (kind == TileOp_SCF_For && i > 0)
    return mostCarried(scfForOpCast(parent), i - 1, outer);
  TileReduceOp reduce = tileReduceOpCast(parent);
  return kind == TileOp_Tile_Reduce ? mostReduced(reduce, i % tileReduceOpGetNumSrcs(reduce), outer)
                                    : INFINITY;
}

static double mostOfConstant(MlirValue v) {
  double number;
  return mathConstantOf(v, &number) && number == trunc(number) ? fabs(number) : INFINITY;
}

/* The largest absolute value of a whole number; infinity if it may be none, or nothing is known. */
static double most(MlirValue v, const Walk *outer) {
  if (mlirValueIsABlockArgument(v))
    return mostOfArgument(v, outer);
  Walk walk = {outer ? outer->carried : (MlirValue){NULL}, outer ? outer->outer : NULL,
               outer ? outer->depth + 1 : 0};
  MlirOperation def = tileValueGetDefiningOp(v);
  switch (walk.depth < DEEPEST ? tileOpKind(def) : TileOp_None) {
  case TileOp_Arith_Constant:
    return mostOfConstant(v);
  case TileOp_Arith_SIToFP:
  case TileOp_Arith_UIToFP:
    return exp2(mlirIntegerTypeGetWidth(tileTypeGetElement(mlirValueGetType(operand(def, 0)))));
  case TileOp_Tile_Splat:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
    return most(operand(def, 0), &walk);
  case TileOp_Arith_AddF:
    return most(operand(def, 0), &walk) + most(operand(def, 1), &walk);
  case TileOp_Arith_Select:
    return fmax(most(operand(def, 1), &walk), most(operand(def, 2), &walk));
  case TileOp_SCF_For:
    return mostCarried(scfForOpCast(def), mlirOpResultGetResultNumber(v), &walk);
  case TileOp_Tile_Reduce:
    return mostReduced(tileReduceOpCast(def), mlirOpResultGetResultNumber(v), &walk);
  default:
    return INFINITY;
  }
}

bool mathIsCount(MlirValue v) { return most(v, NULL) <= 0x1p64; }
