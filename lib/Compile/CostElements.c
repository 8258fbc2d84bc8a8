/* CostElements.c - numbers in tensors, as far as they follow from parameters: how far apart the rows of a block lie that is loaded
 * through pointers. */
#include "CostWalk.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"

enum { MOST_RANK = 5, MOST_VISITS = 512 };

typedef struct Element {
  TileCostWalk *w;
  int visits;
} Element;

static bool elementOf(Element *e, MlirValue v, const int64_t *at, int64_t *out);

/* What a loop carries is what it starts with; pointers that are parameters count as 0. */
static bool ofArgument(Element *e, MlirValue v, const int64_t *at, int64_t *out) {
  MlirOperation owner = mlirBlockGetParentOperation(tileValueGetBlock(v));
  const intptr_t number = mlirBlockArgumentGetArgNumber(v);
  SCFForOp loop = scfForOpCast(owner);
  if (owner.ptr == e->w->in->kernel.ptr)
    return *out = 0, tilePtrTypeIsA(mlirValueGetType(v));
  return !scfForOpIsNull(loop) && number > 0 && elementOf(e, scfForOpGetInitArgs(loop, number - 1), at, out);
}

static bool ofBroadcast(Element *e, MlirValue from, const int64_t *at, int64_t *out) {
  int64_t shape[MOST_RANK], place[MOST_RANK];
  const int rank = tileTypeGetShape(mlirValueGetType(from), shape, MOST_RANK);
  for (int d = 0; d < rank; ++d)
    place[d] = shape[d] == 1 ? 0 : at[d];
  return elementOf(e, from, place, out);
}

static bool ofExpanded(Element *e, TileExpandDimsOp op, const int64_t *at, int64_t *out) {
  int64_t place[MOST_RANK] = {0}, shape[MOST_RANK];
  const int rank = tileTypeGetShape(mlirValueGetType(tileExpandDimsOpGetResult(op)), shape, MOST_RANK);
  const int axis = (int)tileExpandDimsOpGetAxis(op);
  for (int d = 0; d + 1 < rank; ++d)
    place[d] = at[d + (d >= axis)];
  return elementOf(e, mlirOperationGetOperand(op.op, 0), place, out);
}

/* Sums of pointers and numbers, and what is computed element by element. */
static bool ofOperands(Element *e, MlirOperation op, const int64_t *at, int64_t *out) {
  const intptr_t n = mlirOperationGetNumOperands(op);
  int64_t v[3];
  for (intptr_t i = 0; i < n; ++i)
    if (i >= 3 || !elementOf(e, mlirOperationGetOperand(op, i), at, &v[i]))
      return false;
  if (tileOpKind(op) == TileOp_Tile_AddPtr)
    return !__builtin_add_overflow(v[0], v[1], out);
  return n > 0 && tileCostCompute(op, v, out);
}

static bool elementOf(Element *e, MlirValue v, const int64_t *at, int64_t *out) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (++e->visits > MOST_VISITS)
    return false;
  if (tileCostNumber(e->w, v, out) || tileValueConstantInt(v, out))
    return true;
  if (!op.ptr)
    return ofArgument(e, v, at, out);
  switch (tileOpKind(op)) {
  case TileOp_Tile_Splat:
    return elementOf(e, mlirOperationGetOperand(op, 0), at, out);
  case TileOp_Tile_MakeRange:
    return *out = tileMakeRangeOpGetStart(tileMakeRangeOpCast(op)) + at[0], true;
  case TileOp_Tile_Broadcast:
    return ofBroadcast(e, mlirOperationGetOperand(op, 0), at, out);
  case TileOp_Tile_ExpandDims:
    return ofExpanded(e, tileExpandDimsOpCast(op), at, out);
  default:
    return !mlirOperationGetNumRegions(op) && ofOperands(e, op, at, out);
  }
}

/* The pointers of a load or store of a block of two dimensions, and its sizes. */
static bool pointersOf(MlirOperation op, MlirValue *out_pointers, int64_t shape[2]) {
  TileLoadOp load = tileLoadOpCast(op);
  TileStoreOp store = tileStoreOpCast(op);
  if (tileLoadOpIsNull(load) && tileStoreOpIsNull(store))
    return false;
  *out_pointers = tileLoadOpIsNull(load) ? tileStoreOpGetPtr(store) : tileLoadOpGetPtr(load);
  return tileTypeGetShape(mlirValueGetType(*out_pointers), shape, 2) == 2;
}

static int64_t bytesOfElement(MlirOperation op) {
  TileStoreOp store = tileStoreOpCast(op);
  MlirValue block = tileStoreOpIsNull(store) ? mlirOperationGetResult(op, 0) : tileStoreOpGetValue(store);
  return (int64_t)tileElementTypeSize(tileElementTypeOf(mlirValueGetType(block)));
}

bool tileCostRowsOf(TileCostWalk *w, MlirOperation op, TileCostRows *out) {
  int64_t shape[2], at[2] = {0, 0}, first, next[2];
  MlirValue pointers;
  Element e = {.w = w};
  if (!tileTargetHas(w->in->target, TileFeature_TMAPointers) || !pointersOf(op, &pointers, shape) ||
      !elementOf(&e, pointers, at, &first))
    return false;
  for (int d = 0; d < 2; ++d) {
    at[d] = shape[d] > 1;
    if (!elementOf(&e, pointers, at, &next[d]))
      return false;
    at[d] = 0;
  }
  const int along = next[1] - first == 1;
  const int64_t bytes = bytesOfElement(op);
  *out = (TileCostRows){.length = (next[!along] - first) * bytes, .columns = shape[along] * bytes};
  return next[along] - first == 1 && next[!along] - first > 1;
}

bool tileCostIsApart(TileCostWalk *w, MlirOperation op) {
  enum { GRANULE = 16 };
  TileCostRows rows;
  return tileCostRowsOf(w, op, &rows) && rows.length % GRANULE;
}

TileCostApart tileCostApart(TileCostWalk *w, MlirOperation op) {
  enum { GRANULE = 16, PIECE = 128 };
  TileCostRows rows;
  bool isApart = false; // the version for such rows has all of a product's factors so
  MlirBlock block = mlirOperationGetBlock(op);
  for (MlirOperation o = mlirBlockGetFirstOperation(block); o.ptr && !isApart;
       o = mlirOperationGetNextInBlock(o))
    isApart = tileOpKind(o) == TileOp_Tile_Load && tileCostIsApart(w, o);
  if (!isApart || !tileCostRowsOf(w, op, &rows))
    return (TileCostApart){.longer = 1};
  const int64_t bytes = bytesOfElement(op);
  const double piece = rows.columns < PIECE ? (double)rows.columns : PIECE; // of a row, that lies in a box
  return (TileCostApart){
      .longer = 1 + GRANULE / (double)rows.columns,
      .boxes = (double)rows.columns / piece * GRANULE / (double)bytes,
      .pieces =
          (double)(tileTypeNumElements(mlirValueGetType(mlirOperationGetResult(op, 0))) * bytes) / piece};
}
