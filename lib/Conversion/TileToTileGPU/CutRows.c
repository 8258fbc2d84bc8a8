/* CutRows.c - the blocks of a cluster share out the rows, or columns, of a kernel's products.
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
 * warning.
 *
 * tile.column_blocks = 4 shares out the columns alike, among so many times as many blocks: of a cluster's blocks, those of the same columns
 * follow each other, and those of the same rows are as far apart as there are blocks along the rows,
 *   %rows = (%r mod 2) * 128;  %columns = (%r / 2) * 64
 *     %x = tile.desc_load %a[%i + %rows, %k] {tile_gpu.multicast = 4 : i32, tile_gpu.multicast_stride = 2 : i32}
 *     %y = tile.desc_load %b[%k, %j + %columns] {tile_gpu.multicast = 2 : i32} */
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

/* One direction in which blocks are shared out. */
typedef struct Direction {
  const char *attribute; ///< of the loop: the blocks along it
  int dim;               ///< of the products
} Direction;

static const Direction directions[] = {{"tile.blocks", 0}, {"tile.column_blocks", 1}};

typedef struct Asked {
  const Direction *direction;
  MlirOperation loop; ///< the first that asks
  int loops;
} Asked;

static MlirWalkResult findLoop(MlirOperation op, void *user) {
  Asked *a = user;
  if (tileOpKind(op) != TileOp_SCF_For || tileGetIntAttr(op, a->direction->attribute, 1) < 2)
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

static bool canDivide(MlirOperation dot, int64_t size, int64_t blocks, int dim) {
  const int64_t part = size / blocks;
  return size % blocks == 0 && (dim ? part % cutLeastColumns(tileDotOpCast(dot)) == 0 : part >= LeastRows);
}

/* `others`: blocks of the cluster so far. */
static const char *reasonAgainst(Cut *c, MlirOperation function, const Asked *asked, int64_t others,
                                 unsigned mostBlocks) {
  const int dim = asked->direction->dim;
  const int64_t blocks = tileGetIntAttr(asked->loop, asked->direction->attribute, 1);
  MlirOperation dot = dotIn(asked->loop);
  int64_t shape[2];
  if (asked->loops > 1 || tileGetIntAttr(asked->loop, "tile.split", 1) > 1)
    return "another loop has it too, or the loop has tile.split";
  if (!tileIsPowerOfTwo(blocks) || blocks * others > (int64_t)mostBlocks)
    return "it is no power of two or more than the blocks of a cluster";
  if (!dot.ptr || tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(dot, 0)), shape, 2) != 2 ||
      !canDivide(dot, shape[dim], blocks, dim))
    return dim ? "the loop has no product with a multiple of 16 (or 8) columns for each block"
               : "the loop has no product with 64 rows for each block";
  c->size = shape[dim];
  c->numPieces = 1;
  c->pieces[0] = shape[dim] / blocks;
  if (!cutFindValues(c, mlirOperationGetResult(dot, 0), dim))
    return dim ? "what follows from the columns of its products cannot be shared out"
               : "what follows from the rows of its products cannot be shared out";
  Effects effects = {c, false};
  mlirOperationWalk(function, findEffect, &effects, MlirWalkPreOrder);
  return effects.others ? "the kernel writes something else than parts of its products" : NULL;
}

/* Loads of what is the same in `blocks` blocks whose ranks are `stride` apart; in all of them, if it was the same before. */
static void markShared(Cut *c, MlirOperation loop, int64_t blocks, int64_t stride) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpKind(op) != TileOp_Tile_DescLoad || cutDimOf(c, mlirOperationGetResult(op, 0)) >= 0)
      continue;
    const int64_t before = tileGetIntAttr(op, "tile_gpu.multicast", 1);
    mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.multicast"),
                                               tileI32Attr(c->context, blocks * before));
    if (stride > 1 && before == 1)
      mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.multicast_stride"),
                                                 tileI32Attr(c->context, stride));
  }
}

/* What this block's part starts at: `size` times its number along the direction. */
static MlirValue startOf(Cut *c, MlirLocation loc, int64_t stride, int64_t blocks, bool more, int64_t size) {
  MlirType i32 = mlirIntegerTypeGet(c->context, 32);
  MlirValue rank = tileGPUBlockRankOpGetResult(tileGPUBlockRankOpCreate(c->b, loc, i32));
  const struct {
    TileOpKind kind;
    int64_t by;
    bool needed;
  } steps[] = {{TileOp_Arith_DivUI, stride, stride > 1},
               {TileOp_Arith_RemUI, blocks, more},
               {TileOp_Arith_MulI, size, true}};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    if (!steps[i].needed)
      continue;
    MlirValue by = tileCreateInteger(c->b, loc, i32, steps[i].by);
    rank = tileCreateOp2(c->b, loc, steps[i].kind, rank, by);
  }
  return rank;
}

static void shareOut(MlirOperation function, TileBuilder b, const Direction *direction, unsigned mostBlocks) {
  TileArena arena = {0};
  Asked asked = {.direction = direction};
  mlirOperationWalk(function, findLoop, &asked, MlirWalkPreOrder);
  Cut c = {.context = mlirOperationGetContext(function), .b = b, .arena = &arena};
  c.dims.arena = c.values.arena = c.descs.arena = c.parts.arena = c.dead.arena = &arena;
  const int64_t others = tileGetIntAttr(function, "tile_gpu.cluster", 1);
  const char *reason = asked.loops ? reasonAgainst(&c, function, &asked, others, mostBlocks) : NULL;
  if (reason)
    tileEmitWarning(mlirOperationGetLocation(asked.loop), "%s is left out: %s", direction->attribute, reason);
  if (asked.loops && !reason) {
    const int64_t blocks = tileGetIntAttr(asked.loop, direction->attribute, 1);
    const bool more = !direction->dim && tileGetIntAttr(asked.loop, directions[1].attribute, 1) > 1;
    mlirRewriterBaseSetInsertionPointToStart(b, mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
    c.start = startOf(&c, mlirOperationGetLocation(asked.loop), others, blocks, more, c.pieces[0]);
    markShared(&c, asked.loop, blocks, others);
    cutRewrite(&c, function);
    mlirOperationSetDiscardableAttributeByName(function, tileStr("tile_gpu.cluster"),
                                               tileI32Attr(c.context, others * blocks));
  }
  tileArenaRelease(&arena);
}

void cutRowsOf(MlirOperation function, TileBuilder b, unsigned mostBlocks) {
  for (size_t i = 0; i < sizeof directions / sizeof *directions; ++i)
    shareOut(function, b, &directions[i], mostBlocks);
}
