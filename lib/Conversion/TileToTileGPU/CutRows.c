/* CutRows.c - the blocks of a cluster share out the rows of a kernel's products.
 *
 *   scf.for ... {
 *     %x = tile.desc_load %a[%i, %k] : !tile.desc<256x64xf16> -> tensor<256x64xf16>
 *     %y = tile.desc_load %b[%k, %j] : !tile.desc<64x256xf16> -> tensor<64x256xf16>
 *     %d = tile.dot %x, %y, %acc
 *   } {tile.blocks = 2 : i32}
 *   tile.desc_store %c[%i, %j], %d
 * becomes
 *   %r = tile_gpu.block_rank;  %rows = %r * 128
 *     %x = tile.desc_load %a[%i + %rows, %k] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
 *     %y = tile.desc_load %b[%k, %j] {tile_gpu.multicast = 2 : i32}
 *     ...
 *   tile.desc_store %c[%i + %rows, %j], %d : tensor<128x256xf16>
 * in a kernel with tile_gpu.cluster = 2: a program is two blocks. What does not depend on the rows is the same in both, and loads of
 * it may be shared (tile-gpu-warp-specialize). A kernel that writes something else than its share of the rows stays as it is, with a
 * warning. */
#include "Cut.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Bits.h"

enum { LeastRows = 64 };

typedef struct Asked {
  MlirOperation loop; ///< the first that asks
  int loops;
} Asked;

static MlirWalkResult findLoop(MlirOperation op, void *user) {
  Asked *a = user;
  if (tileOpKind(op) != TileOp_SCF_For || tileGetIntAttr(op, "tile.blocks", 1) < 2)
    return MlirWalkResultAdvance;
  a->loop = a->loop.ptr ? a->loop : op;
  ++a->loops;
  return MlirWalkResultAdvance;
}

static MlirOperation dotIn(MlirOperation loop) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Tile_Dot)
      return op;
  return (MlirOperation){NULL};
}

typedef struct Effects {
  const Cut *c;
  bool others; ///< something is written, or made, by other than a share of the rows
} Effects;

/* Ops without effects, loads, control flow, and stores of a share. */
static MlirWalkResult findEffect(MlirOperation op, void *user) {
  Effects *e = user;
  switch (tileOpKind(op)) {
  case TileOp_Tile_DescStore:
    e->others |= cutDimOf(e->c, tileDescStoreOpGetValue(tileDescStoreOpCast(op))) < 0;
    break;
  case TileOp_Tile_MakeRange: // numbers of rows
    e->others |= cutDimOf(e->c, mlirOperationGetResult(op, 0)) >= 0;
    break;
  case TileOp_SCF_For:
  case TileOp_SCF_If:
  case TileOp_SCF_Yield:
  case TileOp_Func_Func:
  case TileOp_Func_Return:
  case TileOp_Tile_Load:
  case TileOp_Tile_DescLoad:
    break;
  default:
    e->others |= !tileOpIsPure(op);
  }
  return MlirWalkResultAdvance;
}

static const char *reasonAgainst(Cut *c, MlirOperation function, const Asked *asked, unsigned mostBlocks) {
  const int64_t blocks = tileGetIntAttr(asked->loop, "tile.blocks", 1);
  MlirOperation dot = dotIn(asked->loop);
  int64_t shape[2];
  if (asked->loops > 1 || tileGetIntAttr(asked->loop, "tile.split", 1) > 1)
    return "another loop has it too, or the loop has tile.split";
  if (!tileIsPowerOfTwo(blocks) || blocks > (int64_t)mostBlocks)
    return "it is no power of two or more than the blocks of a cluster";
  if (!dot.ptr || tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(dot, 0)), shape, 2) != 2 ||
      shape[0] % blocks || shape[0] / blocks < LeastRows)
    return "the loop has no product with 64 rows for each block";
  c->size = shape[0];
  c->numPieces = 1;
  c->pieces[0] = shape[0] / blocks;
  if (!cutFindValues(c, mlirOperationGetResult(dot, 0), 0))
    return "what follows from the rows of its products cannot be shared out";
  Effects effects = {c, false};
  mlirOperationWalk(function, findEffect, &effects, MlirWalkPreOrder);
  return effects.others ? "the kernel writes something else than rows of its products" : NULL;
}

static void markShared(Cut *c, MlirOperation loop, int64_t blocks) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Tile_DescLoad && cutDimOf(c, mlirOperationGetResult(op, 0)) < 0)
      mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.multicast"),
                                                 tileI32Attr(c->context, blocks));
}

void cutRowsOf(MlirOperation function, TileBuilder b, unsigned mostBlocks) {
  TileArena arena = {0};
  Asked asked = {.loops = 0};
  mlirOperationWalk(function, findLoop, &asked, MlirWalkPreOrder);
  Cut c = {.context = mlirOperationGetContext(function), .b = b, .arena = &arena};
  c.dims.arena = c.values.arena = c.descs.arena = c.parts.arena = c.dead.arena = &arena;
  const char *reason = asked.loops ? reasonAgainst(&c, function, &asked, mostBlocks) : NULL;
  if (reason)
    tileEmitWarning(mlirOperationGetLocation(asked.loop), "tile.blocks is left out: %s", reason);
  if (asked.loops && !reason) {
    const int64_t blocks = tileGetIntAttr(asked.loop, "tile.blocks", 1);
    MlirLocation loc = mlirOperationGetLocation(asked.loop);
    MlirType i32 = mlirIntegerTypeGet(c.context, 32);
    mlirRewriterBaseSetInsertionPointToStart(b, mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
    MlirValue rank = tileGPUBlockRankOpGetResult(tileGPUBlockRankOpCreate(b, loc, i32));
    MlirValue rows =
        arithConstantOpGetResult(arithConstantOpCreate(b, loc, i32, mlirIntegerAttrGet(i32, c.pieces[0])));
    c.start = tileCreateOp2(b, loc, TileOp_Arith_MulI, rank, rows);
    markShared(&c, asked.loop, blocks);
    cutRewrite(&c, function);
    mlirOperationSetDiscardableAttributeByName(function, tileStr("tile_gpu.cluster"),
                                               tileI32Attr(c.context, blocks));
  }
  tileArenaRelease(&arena);
}
