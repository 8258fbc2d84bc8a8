/* DeadWarps.c - a number of warps that is no power of two: layouts for one that is, and rows for the warps that do not run.
 *
 *   num-warps = 12:
 *   %q = tile.desc_load %a[%i, %k] : !tile.desc<192x64xf16> -> tensor<192x64xf16>
 *   %s = tile.dot %q, %kt, %zero : tensor<192x64xf16> * tensor<64x128xf16> -> tensor<192x128xf32>
 * becomes, for layouts of 16 warps, in a kernel with tile_gpu.padded_rows = 256
 *   %q = tile.desc_load %a[%i, %k] {tile_gpu.piece} : !tile.desc<256x64xf16> -> tensor<256x64xf16>
 *   %s = tile.dot %q, %kt, %zero : tensor<256x64xf16> * tensor<64x128xf16> -> tensor<256x128xf32>
 * and so all that follows from the rows. The last warps would hold rows that pad and copies of what others have; they are not launched.
 * What is loaded of those rows nobody reads, and nobody stores them. Rows that meet in a reduction, accesses through pointers, and
 * shapes of the padded size that have nothing to do with the rows are refused; the lowering asks of each layout whether it is as said. */
#include "Cut.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/OpKind.h"

enum { WarpRows = 16 };

typedef struct Search {
  const Cut *c;
  MlirOperation dot; ///< the first
  MlirOperation bad; ///< an op that cannot stand beside warps that do not run
} Search;

static bool isKnown(const Search *s, MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Func_Func:
  case TileOp_Func_Return:
  case TileOp_SCF_For:
  case TileOp_SCF_If:
  case TileOp_SCF_Yield:
  case TileOp_Arith_Constant:
  case TileOp_Tile_Yield:
  case TileOp_Tile_Dot:
  case TileOp_Tile_Trans:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_Reshape:
  case TileOp_Tile_Splat:
  case TileOp_Tile_MakeRange:
  case TileOp_Tile_Reduce:
  case TileOp_Tile_DescLoad:
  case TileOp_Tile_ProgramId:
  case TileOp_Tile_NumPrograms:
    return true;
  case TileOp_Tile_DescStore:
    return cutDimOf(s->c, tileDescStoreOpGetValue(tileDescStoreOpCast(op))) == 0;
  default:
    return tileOpIsElementwise(op) && tileOpIsPure(op);
  }
}

static bool hasSize(MlirType type, int64_t size) {
  bool found = false;
  for (intptr_t d = 0; tileTypeIsTensor(type) && d < mlirShapedTypeGetRank(type); ++d)
    found |= mlirShapedTypeGetDimSize(type, d) == size;
  return found;
}

static MlirWalkResult findDot(MlirOperation op, void *user) {
  Search *s = user;
  if (tileOpKind(op) != TileOp_Tile_Dot)
    return MlirWalkResultAdvance;
  s->dot = op;
  return MlirWalkResultInterrupt;
}

static MlirWalkResult findBad(MlirOperation op, void *user) {
  Search *s = user;
  bool good = isKnown(s, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    good &= !hasSize(mlirValueGetType(mlirOperationGetResult(op, i)), s->c->pieces[0]);
  if (good)
    return MlirWalkResultAdvance;
  s->bad = op;
  return MlirWalkResultInterrupt;
}

static MlirLogicalResult padRows(MlirOperation function, TileBuilder b, int launched, int numWarps,
                                 TileArena *arena) {
  Cut c = {
      .context = mlirOperationGetContext(function), .b = b, .arena = arena, .numPieces = 1, .reduces = true};
  Search s = {.c = &c};
  int64_t shape[2];
  c.dims.arena = c.values.arena = c.descs.arena = c.parts.arena = c.dead.arena = arena;
  mlirOperationWalk(function, findDot, &s, MlirWalkPreOrder);
  if (!s.dot.ptr || tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(s.dot, 0)), shape, 2) != 2 ||
      shape[0] != WarpRows * launched)
    return tileEmitOpError(s.dot.ptr ? s.dot : function, "got num-warps = %d, expected products with %d rows",
                           launched, WarpRows * launched);
  c.size = shape[0];
  c.pieces[0] = WarpRows * numWarps;
  if (!cutFindValues(&c, mlirOperationGetResult(s.dot, 0), 0))
    return tileEmitOpError(s.dot, "got num-warps = %d, expected rows of products that stay apart", launched);
  mlirOperationWalk(function, findBad, &s, MlirWalkPreOrder);
  if (s.bad.ptr)
    return tileEmitOpError(
        s.bad, "got num-warps = %d, expected accesses through descriptors, rows apart and no size of %lld",
        launched, (long long)c.pieces[0]);
  cutRewrite(&c, function);
  mlirOperationSetDiscardableAttributeByName(function, tileStr("tile_gpu.padded_rows"),
                                             tileI32Attr(c.context, c.pieces[0]));
  return tileSuccess();
}

MlirLogicalResult cutForLaunchedWarps(MlirOperation module, int launched, int numWarps) {
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  TileArena arena = {0};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  MlirLogicalResult result = tileSuccess();
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr && tileSucceeded(result);
       op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func)
      result = padRows(op, b, launched, numWarps, &arena);
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return result;
}
