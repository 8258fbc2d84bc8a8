/* FactorLoads.c - loads of transposed factors: blocks of rows in a thread instead of single ones. */
#include "FactorLoads.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Bits.h"

enum { MAX_DEPTH = 8, WORD = 4 };

static MlirOperation loadBehind(MlirValue v, int *kDim, int depth) {
  MlirOperation def = tileValueGetDefiningOp(v), none = {NULL};
  TileTransOp trans = tileTransOpCast(def);
  if (!def.ptr || depth == MAX_DEPTH || !tileTypeIsTensor(mlirValueGetType(v)) ||
      mlirShapedTypeGetRank(mlirValueGetType(v)) != 2)
    return none;
  if (tileOpKind(def) == TileOp_Tile_Load)
    return def;
  if (!tileTransOpIsNull(trans))
    *kDim = (int)tileTransOpGetOrder(trans, *kDim);
  else if (!tileOpIsElementwise(def))
    return none;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(def); ++i) {
    int dim = *kDim;
    MlirOperation load = loadBehind(mlirOperationGetOperand(def, i), &dim, depth + 1);
    if (load.ptr) {
      *kDim = dim;
      return load;
    }
  }
  return none;
}

/* The load that `v` comes from by operations on single elements and transpositions, the first of several; *kDim
 * follows. */
static MlirOperation loadOf(MlirValue v, int *kDim) { return loadBehind(v, kDim, 0); }

/* The run of neighbours that a thread holds in its first registers: its dimension and length. */
static int runOf(const TileLayout *layout, int32_t *out_length) {
  int dim = -1;
  *out_length = 1;
  for (int32_t bit = 0; bit < layout->bits[TileLayoutDim_Register]; ++bit) {
    const int32_t *basis = layout->bases[TileLayoutDim_Register][bit];
    int along = basis[0] ? 0 : 1;
    if (basis[along] != *out_length || basis[!along] || (dim >= 0 && dim != along))
      break;
    dim = along;
    *out_length *= 2;
  }
  return dim;
}

/* Whether the load will have a buffer: in a loop that is to be pipelined. */
static bool isInPipeline(int numStages, MlirOperation load) {
  MlirOperation loop = mlirOperationGetParentOperation(load);
  return tileOpKind(loop) == TileOp_SCF_For && tileGetIntAttr(loop, "tile.num_stages", numStages) > 1;
}
static bool isPipelined(const TileModuleTarget *target, MlirOperation load) {
  return isInPipeline(target->numStages, load);
}

/* From which reads transpose. */
static bool readsTranspose(const TileModuleTarget *target, MlirOperation load) {
  return tileTargetHas(&target->info, TileFeature_DsReadTr) && isPipelined(target, load);
}

static MlirValue offsetsOf(MlirOperation load) {
  MlirOperation def = tileValueGetDefiningOp(mlirOperationGetOperand(load, 0));
  return def.ptr && tileOpKind(def) == TileOp_Tile_AddPtr ? mlirOperationGetOperand(def, 1)
                                                          : (MlirValue){NULL};
}

/* The load's wish, and that of others by the same offsets, which get the same layout in the end (attention's keys and values): one that
 * was asked for nothing else would have its way by standing first. */
static void setWish(MlirOperation load, MlirAttribute old, MlirAttribute wish) {
  MlirValue offsets = offsetsOf(load);
  MlirOperation first = mlirBlockGetFirstOperation(mlirOperationGetBlock(load));
  for (MlirOperation op = first; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    bool isOther =
        offsets.ptr && tileOpKind(op) == TileOp_Tile_Load && offsetsOf(op).ptr == offsets.ptr &&
        mlirAttributeEqual(mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.layout")), old);
    if (isOther || op.ptr == load.ptr)
      mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.layout"), wish);
  }
}

void tileAskForRowsAlongK(const TileModuleTarget *target, MlirValue factor, int kDim) {
  TileLayout layout;
  int64_t shape[2];
  MlirOperation load =
      mlirShapedTypeGetRank(mlirValueGetType(factor)) == 2 ? loadOf(factor, &kDim) : (MlirOperation){NULL};
  if (!load.ptr || target->numCtas > 1)
    return;
  MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
  MlirAttribute wish = mlirOperationGetDiscardableAttributeByName(load, tileStr("tile_gpu.layout"));
  if (tileTypeGetShape(type, shape, 2) != 2 || !tileLayoutFromAttr(wish, shape, 2, &layout))
    return;
  int32_t width, bytes = (int32_t)tileElementTypeSize(tileElementTypeOf(type)), perThread[2],
                 order[2] = {!kDim, kDim};
  int64_t registers = tileLayoutNumRegisters(&layout);
  if (bytes == 2 && readsTranspose(target, load))
    return;
  if (!bytes || runOf(&layout, &width) != !kDim)
    return;
  if (bytes == 1 && !tileTargetHas(&target->info, TileFeature_CpAsync)) /* at least a word along K */
    width = (int32_t)tileLeast(width, registers / WORD > WORD ? registers / WORD : WORD);
  perThread[!kDim] = width;
  perThread[kDim] = (int32_t)tileLeast(tileLeast(16 / bytes, registers / width), shape[kDim]);
  if (perThread[kDim] > 1 &&
      tileLayoutDefaultBlocked(shape, 2, perThread, order, (int32_t)target->info.warpSize, target->numWarps,
                               &layout))
    setWish(load, wish, tileLayoutToAttr(mlirOperationGetContext(load), &layout));
}

/* The load that a factor comes from, and the dimension and length of the runs that it gives threads; *kDim follows. Null
 * if unknown. */
static MlirOperation runsOf(MlirValue factor, int *kDim, int *out_dim, int32_t *out_width) {
  TileLayout layout;
  int64_t shape[2];
  MlirOperation none = {NULL};
  if (mlirShapedTypeGetRank(mlirValueGetType(factor)) != 2)
    return none;
  MlirOperation load = loadOf(factor, kDim);
  if (!load.ptr)
    return none;
  MlirAttribute wish = mlirOperationGetDiscardableAttributeByName(load, tileStr("tile_gpu.layout"));
  if (tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(load, 0)), shape, 2) != 2 ||
      !tileLayoutFromAttr(wish, shape, 2, &layout))
    return none;
  *out_dim = runOf(&layout, out_width);
  return load;
}

bool tileLoadWaitsInBuffer(const TileTargetInfo *info, int numStages, MlirOperation op) {
  TileLayout layout;
  int64_t shape[2];
  int32_t width;
  if (tileOpKind(op) != TileOp_Tile_Load || !tileTargetHas(info, TileFeature_CpAsync) ||
      !isInPipeline(numStages, op))
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirAttribute wish = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.layout"));
  const int32_t bytes = (int32_t)tileElementTypeSize(tileElementTypeOf(type));
  if (bytes < 2 || tileTypeGetShape(type, shape, 2) != 2 ||
      (!tileLayoutOfType(type, &layout) && !tileLayoutFromAttr(wish, shape, 2, &layout)))
    return false;
  runOf(&layout, &width);
  return width * bytes >= WORD;
}

bool tileRunsAlongK(MlirValue factor, int kDim) {
  int32_t width;
  int dim;
  return runsOf(factor, &kDim, &dim, &width).ptr && dim == kDim;
}

bool tileBytesRunAcrossK(const TileModuleTarget *target, MlirValue factor, int kDim) {
  int32_t width;
  int dim;
  MlirOperation load = runsOf(factor, &kDim, &dim, &width);
  return load.ptr && tileTargetHas(&target->info, TileFeature_LdMatrix) &&
         tileTargetHas(&target->info, TileFeature_CpAsync) && isPipelined(target, load) && dim == !kDim &&
         width >= WORD &&
         tileElementTypeSize(tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(load, 0)))) == 1 &&
         tileElementTypeSize(tileElementTypeOf(mlirValueGetType(factor))) == 2;
}
