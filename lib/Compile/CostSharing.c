/* CostSharing.c - how many of the programs that run at a time ask for the same block: the scalars that a load's coordinates
 * follow from are computed for all of them, one lane a program; of a tensor of pointers the first one. */
#include "CostWalk.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"

enum { MOST_DEPTH = 64 };

typedef struct Lanes {
  TileCostWalk *w;
  TilePointerMap known; ///< value -> int64_t[count]
  int count, depth;
  bool *runs; ///< whether a program enters the loops whose iterations its numbers are of
} Lanes;

static int64_t *lanesOf(Lanes *l, MlirValue v);

static int64_t *same(Lanes *l, int64_t value) {
  int64_t *lanes = tileArenaAlloc(l->w->arena, (size_t)l->count, sizeof *lanes);
  for (int i = 0; i < l->count; ++i)
    lanes[i] = value;
  return lanes;
}

/* A parameter, or the first iteration of a loop. */
static int64_t *ofArgument(Lanes *l, MlirValue v) {
  MlirOperation owner = mlirBlockGetParentOperation(tileValueGetBlock(v));
  const intptr_t number = mlirBlockArgumentGetArgNumber(v);
  if (owner.ptr == l->w->in->kernel.ptr && tilePtrTypeIsA(mlirValueGetType(v)))
    return same(l, 0); // a load's all follow from the same one
  if (owner.ptr == l->w->in->kernel.ptr)
    return l->w->in->known[number] ? same(l, l->w->in->values[number]) : NULL;
  SCFForOp loop = scfForOpCast(owner);
  if (scfForOpIsNull(loop))
    return NULL;
  if (number) // what it carries is what it starts with
    return lanesOf(l, scfForOpGetInitArgs(loop, number - 1));
  int64_t *first = lanesOf(l, scfForOpGetLowerBound(loop)), *end = lanesOf(l, scfForOpGetUpperBound(loop));
  for (int i = 0; first && end && i < l->count; ++i)
    l->runs[i] &= first[i] < end[i];
  return first;
}

static int64_t *ofOp(Lanes *l, MlirOperation op) {
  const intptr_t n = mlirOperationGetNumOperands(op);
  const int64_t *from[3];
  for (intptr_t i = 0; i < n; ++i)
    if (i >= 3 || !(from[i] = lanesOf(l, mlirOperationGetOperand(op, i))))
      return NULL;
  int64_t *lanes = same(l, 0);
  for (int i = 0; i < l->count; ++i) {
    const int64_t v[3] = {from[0][i], n > 1 ? from[1][i] : 0, n > 2 ? from[2][i] : 0};
    if (tileOpKind(op) == TileOp_Tile_AddPtr ? __builtin_add_overflow(v[0], v[1], &lanes[i])
                                             : !tileCostCompute(op, v, &lanes[i]))
      return NULL;
  }
  return lanes;
}

static int64_t *programs(Lanes *l) {
  int64_t *lanes = same(l, 0);
  for (int i = 0; i < l->count; ++i)
    lanes[i] = i;
  return lanes;
}

static int64_t *compute(Lanes *l, MlirValue v) {
  int64_t value;
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr)
    return ofArgument(l, v);
  if (mlirOperationGetNumRegions(op))
    return NULL;
  if (tileValueConstantInt(v, &value))
    return same(l, value);
  switch (tileOpKind(op)) {
  case TileOp_Tile_NumPrograms:
    return same(l, (int64_t)l->w->in->programs);
  case TileOp_Tile_ProgramId:
    return programs(l);
  case TileOp_Tile_MakeRange:
    return same(l, tileMakeRangeOpGetStart(tileMakeRangeOpCast(op)));
  case TileOp_Tile_Splat:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
    return lanesOf(l, mlirOperationGetOperand(op, 0));
  default:
    return mlirOperationGetNumOperands(op) ? ofOp(l, op) : NULL;
  }
}

/* Null: not known. */
static int64_t *lanesOf(Lanes *l, MlirValue v) {
  int64_t *lanes = tilePointerMapFind(&l->known, v.ptr);
  if (lanes || l->depth == MOST_DEPTH)
    return lanes;
  ++l->depth;
  lanes = compute(l, v);
  --l->depth;
  if (lanes)
    tilePointerMapSet(&l->known, v.ptr, lanes);
  return lanes;
}

/* The lanes that a block follows from; 0: they are not known. */
static int placesOf(Lanes *l, MlirOperation op, const int64_t *at[3]) {
  TileDescLoadOp load = tileDescLoadOpCast(op);
  TileLoadOp pointers = tileLoadOpCast(op);
  if (!tileLoadOpIsNull(pointers))
    return tileTargetHas(l->w->in->target, TileFeature_TMAPointers) &&
           (at[0] = lanesOf(l, tileLoadOpGetPtr(pointers))) != NULL;
  const intptr_t n = tileDescLoadOpIsNull(load) ? 0 : tileDescLoadOpGetNumCoords(load);
  for (intptr_t d = 0; d < n; ++d)
    if (n > 3 || !(at[d] = lanesOf(l, tileDescLoadOpGetCoords(load, d))))
      return 0;
  return (int)n;
}

double tileCostSharers(TileCostWalk *w, MlirOperation op) {
  const double most = w->in->programs < w->in->processors ? w->in->programs : w->in->processors;
  Lanes l = {.w = w, .known = {.arena = w->arena}, .count = (int)most};
  if (l.count < 2)
    return 1;
  l.runs = tileArenaAlloc(w->arena, (size_t)l.count, sizeof *l.runs);
  for (int i = 0; i < l.count; ++i)
    l.runs[i] = true;
  const int64_t *at[3];
  const int n = placesOf(&l, op, at);
  double count = 0;
  for (int i = 0; n && i < l.count; ++i) {
    bool isSame = l.runs[i];
    for (int d = 0; d < n; ++d)
      isSame &= at[d][i] == at[d][0];
    count += isSame;
  }
  return count < 1 ? 1 : count;
}
