/* CostBlocks.c - what one block of a cluster has of a program whose rows are shared out (tile.blocks). */
#include "CostWalk.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"

enum { LEAST_ROWS = 64 };

/// The block of the second factor, before it is transposed.
static MlirValue sourceOf(MlirValue factor) {
  MlirOperation op = tileValueGetDefiningOp(factor);
  return op.ptr && tileOpKind(op) == TileOp_Tile_Trans ? mlirOperationGetOperand(op, 0) : factor;
}

static void readLoop(TileCostWalk *w, MlirOperation loop, int64_t blocks) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    int64_t shape[2];
    if (tileOpKind(op) != TileOp_Tile_Dot ||
        tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(op, 0)), shape, 2) != 2)
      continue;
    w->needs.impossible |= shape[0] % blocks || shape[0] / blocks < LEAST_ROWS ||
                           !tileTargetHas(w->in->target, TileFeature_Cluster) ||
                           (unsigned)blocks > w->in->target->maxClusterSize;
    w->needs.blocks = (int)blocks;
    w->rows = shape[0];
    w->shared = sourceOf(tileDotOpGetB(tileDotOpCast(op)));
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

/// Times that a line of the cache is asked for where rows of memory do not start at lines: 2, less what other requests hide.
static const double acrossLines = 1.9;

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
  return rowOf(w, load) * (int64_t)tileElementTypeSize(tileElementTypeOf(type)) % LINE ? acrossLines : 1;
}

double tileCostPart(const TileCostWalk *w, MlirType type) {
  int64_t shape[2];
  return w->needs.blocks > 1 && tileTypeGetShape(type, shape, 2) == 2 && shape[0] == w->rows
             ? 1.0 / w->needs.blocks
             : 1;
}
