/* CostBlocks.c - what one block of a cluster has of a program whose rows are shared out (tile.blocks). */
#include "CostWalk.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"

enum { LEAST_ROWS = 64 };

static void readLoop(TileCostWalk *w, MlirOperation loop, int64_t blocks) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    int64_t shape[2];
    if (tileOpKind(op) != TileOp_Tile_Dot ||
        tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(op, 0)), shape, 2) != 2)
      continue;
    const bool isTransposed = tileCostIsTransposed(w, op);
    w->rows = shape[isTransposed];
    w->needs.impossible |= w->rows % blocks || w->rows / blocks < LEAST_ROWS ||
                           !tileTargetHas(w->in->target, TileFeature_Cluster) ||
                           (unsigned)blocks > w->in->target->maxClusterSize;
    w->needs.blocks = (int)blocks;
    TileDotOp dot = tileDotOpCast(op);
    w->shared = tileCostSourceOf(isTransposed ? tileDotOpGetA(dot) : tileDotOpGetB(dot));
    return;
  }
}

void tileCostFindBlocks(TileCostWalk *w, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpKind(op) != TileOp_SCF_For)
      continue;
    const int64_t blocks = tileGetIntAttr(op, "tile.blocks", 1);
    if (blocks > 1)
      readLoop(w, op, blocks);
    else
      tileCostFindBlocks(w, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  }
}

/// What rows that do not start at the cache's lines cost more: each asks for a line more, less what other requests hide.
static const double acrossLines = 0.805;

/* The row that the text declares. Else, where a loop goes along the rows of a descriptor's tensor to an end that is known, that is taken
 * for their length. */
static int64_t rowOf(TileCostWalk *w, TileDescLoadOp load) {
  const intptr_t n = tileDescLoadOpGetNumCoords(load);
  MlirValue desc = tileDescLoadOpGetDesc(load);
  if (mlirValueIsABlockArgument(desc) &&
      mlirBlockGetParentOperation(tileValueGetBlock(desc)).ptr == w->in->kernel.ptr &&
      w->in->rows[mlirBlockArgumentGetArgNumber(desc)] > 0)
    return w->in->rows[mlirBlockArgumentGetArgNumber(desc)];
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

double tileCostOfRows(TileCostWalk *w, MlirOperation op) {
  enum { LINE = 128 };
  TileDescLoadOp load = tileDescLoadOpCast(op);
  if (tileDescLoadOpIsNull(load))
    return 1;
  const MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t rest = rowOf(w, load) * (int64_t)tileElementTypeSize(tileElementTypeOf(type)) % LINE, atLines = 1;
  while (rest % (LINE / atLines)) // one of so many rows starts at a line
    atLines *= 2;
  return 1 + acrossLines * (1 - 1.0 / (double)atLines);
}

double tileCostPart(const TileCostWalk *w, MlirType type) {
  int64_t shape[2];
  return w->needs.blocks > 1 && tileTypeGetShape(type, shape, 2) == 2 &&
                 (shape[0] == w->rows || shape[1] == w->rows)
             ? 1.0 / w->needs.blocks
             : 1;
}
