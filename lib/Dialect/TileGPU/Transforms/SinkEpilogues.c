/* SinkEpilogues.c - tile-gpu-sink-epilogues: what is read in front of a loop of matrix products for use behind it is put where it is used (AMD).
 *
 *   %v = tile.load %bias                                         %v = tile.load %bias
 *   %w = tile_gpu.convert_layout %v                              scf.for ... { ... tile_gpu.mma ... }
 *   scf.for ... { ... tile_gpu.mma ... }              to         %w = tile_gpu.convert_layout %v
 *   ... arith.addf %sum, (tile.broadcast %w)                     ... arith.addf %sum, (tile.broadcast %w)
 *
 * The layout of a sum has each element of a bias in many threads, tens of registers in each, which would wait through the loop or be
 * spilled around it. What was loaded is a register or two. What takes more than these is loaded behind the loop if
 * nothing in the kernel writes there, and nothing is written anywhere in between. An op moves if its result takes at least the registers of what it is made of, so that nothing more
 * waits through the loop than before. Indices and addresses stay: LLVM's values are computed again (AmdRecompute.c).
 *
 * requires: layouts; before tile-gpu-allocate-shared. ensures: the same results. */
#include "BlockOrder.h"
#include "MemoryRoots.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

enum { MOST_DEPTH = 12, MOST_WORDS_LOADED = 4 };

static MlirWalkResult findProduct(MlirOperation op, void *user) {
  bool *found = user;
  *found |= tileOpKind(op) == TileOp_TileGPU_Mma;
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool multiplies(MlirOperation loop) {
  bool found = false;
  mlirOperationWalk(loop, findProduct, &found, MlirWalkPreOrder);
  return found;
}

/* Whether a loop with products stands between an op and a later one of its block. */
static bool passesProducts(MlirOperation from, MlirOperation to) {
  for (MlirOperation op = mlirOperationGetNextInBlock(from); op.ptr && op.ptr != to.ptr;
       op = mlirOperationGetNextInBlock(op))
    if ((tileOpKind(op) == TileOp_SCF_For || tileOpKind(op) == TileOp_SCF_While) && multiplies(op))
      return true;
  return false;
}

static MlirWalkResult findStore(MlirOperation op, void *user) {
  bool *found = user;
  switch (tileOpKind(op)) {
  case TileOp_Tile_Store:
  case TileOp_Tile_DescStore:
  case TileOp_Tile_DescReduce:
  case TileOp_Tile_DescScatter:
  case TileOp_Tile_AtomicRMW:
  case TileOp_Tile_AtomicCAS:
  case TileOp_Tile_InlineAsm:
    *found = true;
    return MlirWalkResultInterrupt;
  default:
    return MlirWalkResultAdvance;
  }
}

/* Whether something is written between a load and a later op of its block: parameters may be the same memory. */
static bool passesStores(MlirOperation load, MlirOperation to) {
  bool found = false;
  for (MlirOperation op = mlirOperationGetNextInBlock(load); !found && op.ptr && op.ptr != to.ptr;
       op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, findStore, &found, MlirWalkPreOrder);
  return found;
}

static bool isTensorOp(MlirOperation op) {
  return mlirOperationGetNumResults(op) == 1 &&
         tileTypeIsTensor(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* Whether an op makes something of what is read from memory, and of constants and scalars otherwise. */
static bool comesFromLoad(MlirOperation op, int depth) {
  if (!op.ptr || !depth)
    return false;
  if (tileOpKind(op) == TileOp_Tile_Load)
    return true;
  if (tileOpKind(op) != TileOp_TileGPU_ConvertLayout && !tileOpIsPure(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (comesFromLoad(tileValueGetDefiningOp(mlirOperationGetOperand(op, i)), depth - 1))
      return true;
  return false;
}

/* Registers of what an op is made of, but for what is the same everywhere. */
static int64_t wordsOfOperands(MlirOperation op) {
  int64_t words = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    MlirOperation def = tileValueGetDefiningOp(v);
    TileOpKind kind = def.ptr ? tileOpKind(def) : TileOp_None;
    if (tileTypeIsTensor(mlirValueGetType(v)) && kind != TileOp_Arith_Constant && kind != TileOp_Tile_Splat)
      words += tileRegisterWords(mlirValueGetType(v));
  }
  return words;
}

static bool mayMove(MlirOperation op) {
  if (!isTensorOp(op) || mlirOperationGetNumRegions(op))
    return false;
  int64_t words = tileRegisterWords(mlirValueGetType(mlirOperationGetResult(op, 0)));
  TileLoadOp load = tileLoadOpCast(op);
  if (!tileLoadOpIsNull(load)) {
    MlirValue parameter = tilePointerParameter(tileLoadOpGetPtr(load));
    return words > MOST_WORDS_LOADED && !tileLoadOpGetIsVolatile(load) && parameter.ptr &&
           tileParameterIsReadOnly(parameter);
  }
  return (tileOpKind(op) == TileOp_TileGPU_ConvertLayout || tileOpIsPure(op)) &&
         words >= wordsOfOperands(op) && comesFromLoad(op, MOST_DEPTH);
}

/* From the last op in front of a loop to the first, so that users have moved before what they use. */
static uint64_t sinkBelow(MlirOperation loop, TileArena *arena) {
  TilePointerList ops = {.arena = arena};
  uint64_t n = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(loop)); op.ptr != loop.ptr;
       op = mlirOperationGetNextInBlock(op))
    tilePointerListAppend(&ops, op.ptr);
  for (size_t i = ops.count; i > 0; --i) {
    MlirOperation op = {(void *)ops.items[i - 1]};
    MlirOperation user =
        mayMove(op) ? tileFirstUserInBlock(mlirOperationGetResult(op, 0)) : (MlirOperation){NULL};
    if (!user.ptr || !passesProducts(op, user) ||
        (tileOpKind(op) == TileOp_Tile_Load && passesStores(op, user)))
      continue;
    mlirOperationMoveBefore(op, user);
    ++n;
  }
  return n;
}

MlirLogicalResult tileGPUSinkEpiloguesRun(MlirOperation module, const TileGPUSinkEpiloguesParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (target.info.vendor != TileVendor_AMD)
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList loops = {.arena = &arena};
  tileCollectOps(module, TileOp_SCF_For, MlirWalkPostOrder, &loops);
  for (size_t i = 0; i < loops.count; ++i)
    if (multiplies((MlirOperation){(void *)loops.items[i]}))
      *params->numOps += sinkBelow((MlirOperation){(void *)loops.items[i]}, &arena);
  tileArenaRelease(&arena);
  return tileSuccess();
}
