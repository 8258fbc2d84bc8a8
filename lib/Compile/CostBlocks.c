/* CostBlocks.c - what one block of a cluster has of a program whose rows are shared out (tile.blocks). */
#include "CostWalk.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"

enum { LEAST_ROWS = 64, COLUMN_UNIT = 8 };

static void readLoop(TileCostWalk *w, MlirOperation loop, int rowBlocks, int columnBlocks) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    int64_t shape[2];
    if (tileOpKind(op) != TileOp_Tile_Dot ||
        tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(op, 0)), shape, 2) != 2)
      continue;
    const bool isTransposed = tileCostIsTransposed(w, op);
    const int blocks[2] = {isTransposed ? columnBlocks : rowBlocks, isTransposed ? rowBlocks : columnBlocks};
    TileDotOp dot = tileDotOpCast(op);
    for (int i = 0; i < 2; ++i) {
      w->shape[i] = shape[i != isTransposed];
      w->factors[i] = tileCostSourceOf(i != isTransposed ? tileDotOpGetB(dot) : tileDotOpGetA(dot));
    }
    w->needs.impossible |= w->shape[0] % blocks[0] || w->shape[0] / blocks[0] < LEAST_ROWS ||
                           w->shape[1] % (blocks[1] * (blocks[1] > 1 ? COLUMN_UNIT : 1)) ||
                           !tileTargetHas(w->in->target, TileFeature_Cluster) ||
                           (unsigned)(blocks[0] * blocks[1]) > w->in->target->maxClusterSize;
    w->needs.blocks = blocks[0];
    w->needs.columnBlocks = blocks[1];
    w->needs.storedParts = columnBlocks;
    return;
  }
}

void tileCostFindBlocks(TileCostWalk *w, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpKind(op) != TileOp_SCF_For)
      continue;
    const int blocks = (int)tileGetIntAttr(op, "tile.blocks", 1),
              columnBlocks = (int)tileGetIntAttr(op, "tile.column_blocks", 1);
    const int split = (int)tileGetIntAttr(op, "tile.split", 1);
    if (blocks > 1 || columnBlocks > 1)
      readLoop(w, op, blocks, columnBlocks);
    else if (split > 1)
      w->needs.split = split;
    else
      tileCostFindBlocks(w, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  }
}

/* What the text declares of a load's tensor; 0: nothing. */
static int64_t declaredOf(const TileCostWalk *w, TileDescLoadOp load, const int64_t *values) {
  MlirValue desc = tileDescLoadOpGetDesc(load);
  return mlirValueIsABlockArgument(desc) &&
                 mlirBlockGetParentOperation(tileValueGetBlock(desc)).ptr == w->in->kernel.ptr
             ? values[mlirBlockArgumentGetArgNumber(desc)]
             : 0;
}

/* The row that the text declares. Else, where a loop goes along the rows of a descriptor's tensor to an end that is known, that is taken
 * for their length. */
static int64_t rowOfDescriptor(TileCostWalk *w, TileDescLoadOp load) {
  const intptr_t n = tileDescLoadOpGetNumCoords(load);
  if (declaredOf(w, load, w->in->rows) > 0)
    return declaredOf(w, load, w->in->rows);
  MlirValue last = n ? tileDescLoadOpGetCoords(load, n - 1) : (MlirValue){NULL};
  int64_t end;
  if (!last.ptr || !mlirValueIsABlockArgument(last) || mlirBlockArgumentGetArgNumber(last))
    return 0;
  MlirOperation loop = mlirBlockGetParentOperation(tileValueGetBlock(last));
  return tileOpKind(loop) == TileOp_SCF_For &&
                 tileCostNumber(w, scfForOpGetUpperBound(scfForOpCast(loop)), &end)
             ? end
             : 0;
}

/* Bytes from row to row; 0: not known. */
static int64_t rowBytes(TileCostWalk *w, MlirOperation op) {
  TileDescLoadOp load = tileDescLoadOpCast(op);
  TileCostRows rows;
  if (tileDescLoadOpIsNull(load))
    return tileCostRowsOf(w, op, &rows) ? rows.length : 0;
  return rowOfDescriptor(w, load) *
         (int64_t)tileElementTypeSize(tileElementTypeOf(mlirValueGetType(tileDescLoadOpGetResult(load))));
}

double tileCostAcross(TileCostWalk *w, MlirOperation op) {
  enum { LINE = 128 };
  int64_t rest = rowBytes(w, op) % LINE, atLines = 1;
  while (rest % (LINE / atLines)) // one of so many rows starts at a line
    atLines *= 2;
  return 1 - 1.0 / (double)atLines;
}

double tileCostValid(TileCostWalk *w, MlirOperation op) {
  TileDescLoadOp load = tileDescLoadOpCast(op);
  int64_t shape[2];
  if (tileDescLoadOpIsNull(load) ||
      tileTypeGetShape(mlirValueGetType(tileDescLoadOpGetResult(load)), shape, 2) != 2)
    return 1;
  const int64_t sizes[2] = {declaredOf(w, load, w->in->rowCounts), declaredOf(w, load, w->in->rows)};
  double valid = 1;
  for (int i = 0; i < 2; ++i)
    valid *= sizes[i] > 0 && sizes[i] < shape[i] ? (double)sizes[i] / (double)shape[i] : 1;
  return valid;
}

double tileCostPart(const TileCostWalk *w, MlirType type) {
  int64_t shape[2];
  const bool isBlock =
      tileTypeGetShape(type, shape, 2) == 2 && ((shape[0] == w->shape[0] && shape[1] == w->shape[1]) ||
                                                (shape[0] == w->shape[1] && shape[1] == w->shape[0]));
  return isBlock ? 1.0 / (w->needs.blocks * w->needs.columnBlocks) : 1;
}

double tileCostFactorPart(const TileCostWalk *w, MlirValue v, int *out_sharers) {
  const int parts[2] = {w->needs.blocks, w->needs.columnBlocks};
  for (int i = 0; i < 2; ++i)
    if (w->factors[i].ptr && mlirValueEqual(v, w->factors[i])) {
      *out_sharers = parts[!i];
      return 1.0 / parts[i];
    }
  return 0;
}
