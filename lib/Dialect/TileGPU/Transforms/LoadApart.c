/* LoadApart.c - tile-gpu-load-apart: blocks whose rows start at any element come by the copy engine.
 *
 *   %d = tile.make_desc %a shape [%m, %n] strides [%ld, 1] {tile_gpu.apart = 8} : !tile.desc<128x64xf16>
 *   scf.for ... {
 *     %x = tile.desc_load %d[%i, %k]
 *     ... tile.dot %x, ...
 * becomes
 *   %shift = trunc(%ld) and 7
 *   scf.for ... {
 *     %b = tile_gpu.tma_alloc 2[%i, %k] apart 8 : !tile_gpu.memdesc<128x64xf16, #apart>
 *     %x = tile_gpu.shifted_load %b by %shift apart 8 {tile_gpu.layout}
 *     ... tile.dot %x, ...
 *
 * Rows 0, 8, 16, ... start alike behind a multiple of 16 bytes, rows 1, 9, 17, ... do, and so on: each of the eight maps has some, and what
 * it brings of a row starts at that multiple, with 16 bytes more than the block has. A thread reads 16 bytes twice, those at its elements'
 * place and those behind, and takes what it needs.
 *
 * requires: tile-gpu-accelerate-wgmma{descriptors=true}, which leaves such blocks; before layouts.
 * ensures: the same elements; tile.desc_load of other descriptors stay. */
#include "AccelerateWgmma.h"
#include "TensorMaps.h"
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

enum { MOST_BYTES = 16 /* of an access */ };

/* Elements that a row starts further behind a multiple of 16 bytes than the row before, where descriptors are made. */
static MlirValue shiftOf(TileBuilder b, MlirValue desc, int64_t apart) {
  TileMakeDescOp make = tileMakeDescOpCast(tileValueGetDefiningOp(desc));
  MlirLocation loc = mlirOperationGetLocation(make.op);
  MlirType i32 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 32);
  MlirValue stride = tileMakeDescOpGetStrides(make, tileMakeDescOpGetNumStrides(make) - 2);
  mlirRewriterBaseSetInsertionPointAfter(b, make.op);
  stride = arithTruncIOpGetOut(arithTruncIOpCreate(b, loc, i32, stride, (MlirAttribute){NULL}));
  return tileCreateOp2(b, loc, TileOp_Arith_AndI, stride, tileCreateInteger(b, loc, i32, apart - 1));
}

/* Vectors of one input's bits, each independent of those before; `pivots` by their highest bit. */
typedef struct Basis {
  TileLayout *layout;
  int32_t pivots[TileLayout_MaxBits], lanes, warps;
} Basis;

static bool isNew(Basis *b, int32_t row) {
  for (int bit = TileLayout_MaxBits - 1; row && bit >= 0; --bit) {
    if (!(row >> bit & 1))
      continue;
    if (!b->pivots[bit]) {
      b->pivots[bit] = row;
      return true;
    }
    row ^= b->pivots[bit];
  }
  return false;
}

/* The next bit of a lane's number, or a warp's or a register's if there are no more. */
static void append(Basis *b, int32_t row, int32_t column) {
  TileLayout *l = b->layout;
  const TileLayoutDim in = l->bits[TileLayoutDim_Lane] < b->lanes   ? TileLayoutDim_Lane
                           : l->bits[TileLayoutDim_Warp] < b->warps ? TileLayoutDim_Warp
                                                                    : TileLayoutDim_Register;
  int32_t *basis = l->bases[in][l->bits[in]++];
  basis[0] = row;
  basis[1] = column;
}

/* Threads hold as much of a row as there is for each, up to the part of it that lies together: of so many times 16 bytes they read one more.
 * The eight threads that the banks serve at a time have other rows or places in them: rows 1 + n, 2 + 2n, 4 + 4n apart lie in other
 * banks where they are read from (rows n apart are 16 bytes more than a part apart), and where they go to, which is swizzled by the last bits of a
 * row. */
static MlirAttribute layoutFor(MlirType matrix, const TileModuleTarget *target, int64_t apart) {
  enum { PhaseBits = 3 };
  TileLayout layout = tileLayoutEmpty(2);
  Basis b = {&layout,
             {0},
             __builtin_ctz((unsigned)target->info.warpSize),
             __builtin_ctz((unsigned)target->numWarps)};
  TileSharedLayout buffer;
  int64_t shape[2], part, run;
  tileTypeGetShape(matrix, shape, 2);
  if (!tileSharedApart(shape, (int32_t)(MOST_BYTES / apart), apart, &buffer, &part))
    return (MlirAttribute){NULL};
  const int64_t threads = (int64_t)target->info.warpSize * target->numWarps;
  for (run = part; run > apart && shape[0] * shape[1] < run * threads; run /= 2)
    ;
  layout.shape[0] = (int32_t)shape[0];
  layout.shape[1] = (int32_t)shape[1];
  for (int32_t c = 1; c < run; c *= 2) {
    layout.bases[TileLayoutDim_Register][layout.bits[TileLayoutDim_Register]][0] = 0;
    layout.bases[TileLayoutDim_Register][layout.bits[TileLayoutDim_Register]++][1] = c;
  }
  int phase = 0;
  for (int32_t c = (int32_t)run; c < part; c *= 2, ++phase)
    append(&b, 0, c);
  for (int32_t r = 1; phase < PhaseBits; r *= 2, ++phase)
    if (r * apart < shape[0] && isNew(&b, r + r * (int32_t)apart))
      append(&b, r + r * (int32_t)apart, 0);
  for (int32_t r = 1; r < shape[0]; r *= 2)
    if (isNew(&b, r))
      append(&b, r, 0);
  for (int32_t c = (int32_t)part; c < shape[1]; c *= 2)
    append(&b, 0, c);
  while (layout.bits[TileLayoutDim_Lane] < b.lanes || layout.bits[TileLayoutDim_Warp] < b.warps)
    append(&b, 0, 0);
  return tileLayoutToAttr(mlirTypeGetContext(matrix), &layout);
}

static MlirWalkResult addSums(MlirOperation op, void *user) {
  int64_t *most = user, sums = tileOpKind(op) == TileOp_Tile_Dot || tileOpKind(op) == TileOp_TileGPU_Wgmma
                                   ? tileTypeNumElements(mlirValueGetType(mlirOperationGetResult(op, 0)))
                                   : 0;
  *most = sums > *most ? sums : *most;
  return MlirWalkResultAdvance;
}

static MlirWalkResult findSpecialized(MlirOperation op, void *user) {
  *(bool *)user |=
      mlirOperationGetDiscardableAttributeByName(op, tileStr("tile.warp_specialize")).ptr != NULL;
  return MlirWalkResultAdvance;
}

/* Where sums leave room for two programs a multiprocessor, one multiplies while the other one shifts: ptxas is told so. */
static void askForRoom(MlirOperation function, const TileModuleTarget *target) {
  int64_t sums = 0;
  bool isSpecialized = false;
  mlirOperationWalk(function, addSums, &sums, MlirWalkPreOrder);
  mlirOperationWalk(function, findSpecialized, &isSpecialized, MlirWalkPreOrder);
  if (!isSpecialized && tileWgmmaLeavesRoom(target, sums))
    mlirOperationSetDiscardableAttributeByName(function, tileStr("tile_gpu.min_blocks"),
                                               tileI32Attr(mlirOperationGetContext(function), 2));
}

static bool rewrite(TileBuilder b, MlirOperation op, const TileModuleTarget *target) {
  TileDescLoadOp load = tileDescLoadOpCast(op);
  MlirValue desc = tileDescLoadOpGetDesc(load), result = tileDescLoadOpGetResult(load);
  const int64_t apart = tileRowsApart(desc);
  mlirRewriterBaseSetInsertionPointBefore(b, op);
  MlirValue buffer = apart ? tileTmaApartBufferFor(b, load) : (MlirValue){NULL};
  if (!buffer.ptr)
    return false;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(result), matrix = tileBlockMatrix(type);
  MlirValue shift = shiftOf(b, desc, apart);
  mlirRewriterBaseSetInsertionPointBefore(b, op);
  TileGPUShiftedLoadOp read = tileGPUShiftedLoadOpCreate(b, loc, matrix, buffer, shift,
                                                         tileI32Attr(mlirOperationGetContext(op), apart));
  MlirAttribute layout = layoutFor(matrix, target, apart);
  if (layout.ptr)
    mlirOperationSetDiscardableAttributeByName(read.op, tileStr("tile_gpu.layout"), layout);
  MlirValue v = tileGPUShiftedLoadOpGetResult(read);
  if (!mlirTypeEqual(type, matrix))
    v = tileReshapeOpGetResult(tileReshapeOpCreate(b, loc, type, v, (MlirAttribute){NULL}));
  mlirValueReplaceAllUsesOfWith(result, v);
  mlirRewriterBaseEraseOp(b, op);
  askForRoom(tileFunctionOf(read.op), target);
  return true;
}

MlirLogicalResult tileGPULoadApartRun(MlirOperation module, const TileGPULoadApartParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_TMA))
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList loads = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileCollectOps(module, TileOp_Tile_DescLoad, MlirWalkPreOrder, &loads);
  for (size_t i = 0; i < loads.count; ++i)
    *params->numBlocks += rewrite(b, (MlirOperation){(void *)loads.items[i]}, &target);
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
