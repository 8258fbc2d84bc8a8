/* SplitLoops.c - tile-gpu-split-loops: a loop with products becomes two, a fast one for as long as masks along K let
 * everything through and offsets fit 32 bits, and one for the rest.
 *
 *   scf.for %k = 0 to %n {
 *     %m = arith.cmpi slt, %range, (tile.splat (%K - %k * 64))      // range: 0 to 64
 *     %a = tile.load %p mask %m other 0
 *     ... tile.dot ...
 * becomes
 *   (low, high: between which numbers the offsets of %p lie, by arithmetic on scalars)
 *   %full = fits(low, high) ? min(n, (K - 64) / 64 + 1) : 0
 *   scf.for %k = 0 to %full { %a = tile.load (%base + low) + (offsets of %p - low) {tile_gpu.buffer}; ... tile.dot ... }
 *   scf.for %k = %full to %n  { as before }
 *
 * The second loop runs at most once if n = ceil(K / 64), unless offsets do not fit; it is not pipelined. Loops may count from any number that
 * is not negative when the kernel runs (attention with a window). Pointers that
 * start from a parameter with tile.pointer_range need no bounds (tile-gpu-buffer-accesses). What a block reads must span
 * less than 2^31 bytes, from the lowest of its addresses on: sizes of arrays do not matter.
 *
 * Masks along the last dimension that are the same in all iterations (columns of a factor that runs along them) are asked for whole chunks of 16
 * bytes in the fast loop, if bounds lie between chunks or outside of the block (ChunkMasks.h): each chunk is one access then.
 *
 * Selections marked `tile_gpu.usual` (the short form of a soft cap, by the cap's size) hold in the fast loop; all others take what holds everywhere.
 *
 * On AMD alone: there a mask costs vector instructions or a branch, and so do pointers of 64 bits; an asynchronous copy of
 * NVIDIA's has the mask for nothing.
 *
 * requires: convert-tile-to-tile-gpu. ensures: the same results. */
#include "BufferBounds.h"
#include "CarryDistances.h"
#include "ChunkMasks.h"
#include "MemoryRoots.h"
#include "PeelMasks.h"
#include "tile-c/AxisInfo.h"
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"

enum { MOST_LOADS = 8, MOST_USUAL = 4, CHUNK_BYTES = 16 };

typedef struct Split {
  TilePeel peel;
  MlirOperation loads[MOST_LOADS]; ///< to become buffer accesses
  TileBufferParts parts[MOST_LOADS];
  TileBufferBounds bounds[MOST_LOADS];
  int numLoads;
  MlirOperation chunked[MOST_LOADS]; ///< whose masks go by chunks
  int numChunked;
  MlirOperation usual[MOST_USUAL]; ///< selections by what is true in the fast loop
  int numUsual;
  MlirValue fits; ///< i1; null: always
} Split;

static bool isOutside(const Split *s, MlirValue v) {
  MlirOperation parent = mlirBlockGetParentOperation(tileValueGetBlock(v));
  for (; parent.ptr; parent = mlirOperationGetParentOperation(parent))
    if (parent.ptr == s->peel.loop.op.ptr)
      return false;
  return true;
}

static bool isCandidate(Split *s) {
  TilePeel *p = &s->peel;
  bool hasProduct = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileOpKind kind = tileOpKind(op);
    if (kind == TileOp_SCF_For || kind == TileOp_SCF_While)
      return false;
    hasProduct |= kind == TileOp_Tile_Dot;
  }
  if (!tileValueConstantInt(scfForOpGetLowerBound(p->loop), &p->lower))
    p->start = scfForOpGetLowerBound(p->loop);
  return hasProduct && tileGetIntAttr(p->loop.op, "tile.num_stages", 2) > 1 &&
         !scfForOpGetUnsignedCmp(p->loop) && p->lower >= 0 &&
         tileValueConstantInt(scfForOpGetStep(p->loop), &p->step) && p->step > 0 &&
         mlirTypeIsAInteger(mlirValueGetType(scfForOpGetStep(p->loop))) &&
         mlirIntegerTypeGetWidth(mlirValueGetType(scfForOpGetStep(p->loop))) == 32;
}

/* Whether a mask, but for what is true everywhere in the fast loop, is the same for all neighbours in the last dimension: it is one offset's then. */
static bool isOfRows(const Split *s, MlirValue mask, int depth) {
  enum { MOST_DEPTH = 8 };
  MlirOperation def = tileValueGetDefiningOp(mask);
  for (int i = 0; i < s->peel.numMasks; ++i)
    if (s->peel.masks[i].value.ptr == mask.ptr)
      return true;
  if (!def.ptr || depth == MOST_DEPTH)
    return false;
  intptr_t last = mlirShapedTypeGetRank(mlirValueGetType(mask)) - 1;
  switch (tileOpKind(def)) {
  case TileOp_Tile_Splat:
    return true;
  case TileOp_Arith_AndI:
    return isOfRows(s, mlirOperationGetOperand(def, 0), depth + 1) &&
           isOfRows(s, mlirOperationGetOperand(def, 1), depth + 1);
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
    return mlirShapedTypeGetDimSize(mlirValueGetType(tileOpKind(def) == TileOp_Tile_Broadcast
                                                         ? mlirOperationGetOperand(def, 0)
                                                         : mask),
                                    last) == 1 ||
           isOfRows(s, mlirOperationGetOperand(def, 0), depth + 1);
  default:
    return false;
  }
}

static bool isChunked(const Split *s, MlirOperation load) {
  for (int i = 0; i < s->numChunked; ++i)
    if (s->chunked[i].ptr == load.ptr)
      return true;
  return false;
}

/* A load of a tensor whose pointers are a scalar, which each iteration may compute (descriptors), and offsets from outside of the loop, of
 * which nothing is said. */
static bool wantsBounds(const Split *s, MlirOperation op, TileBufferParts *parts) {
  if (tileOpKind(op) != TileOp_Tile_Load || !tileBufferIsPlain(op))
    return false;
  MlirValue pointers = tilePointerAccessOf(op).ptr;
  MlirType type = mlirValueGetType(pointers);
  if (!tileTypeIsTensor(type) || tilePointeeElement(type) == TileElementType_None)
    return false;
  MlirValue parameter = tilePointerParameter(pointers);
  if ((parameter.ptr && tilePointerRange(parameter) <= 32) || tileBufferPartsOf(pointers, parts) ||
      !parts->numOffsets || !tileBufferIsUniform(parts))
    return false;
  for (int i = 0; i < parts->numOffsets; ++i)
    if (!isOutside(s, parts->offsets[i]))
      return false;
  MlirValue mask = tileLoadOpGetMask(tileLoadOpCast(op));
  return isOutside(s, parts->base) || !mask.ptr || isOfRows(s, mask, 0) || isChunked(s, op);
}

static MlirValue both(Split *s, MlirLocation loc, MlirValue x, MlirValue y) {
  return x.ptr && y.ptr ? tileCreateOp2(s->peel.b, loc, TileOp_Arith_AndI, x, y) : x.ptr ? x : y;
}

static MlirOperation functionOf(MlirOperation op) {
  while (tileOpKind(op) != TileOp_Func_Func)
    op = mlirOperationGetParentOperation(op);
  return op;
}

static bool stays(MlirValue mask, void *user) { return isOfRows(user, mask, 0); }

static TileChunks chunksOf(Split *s, MlirOperation load) {
  MlirValue pointers = tilePointerAccessOf(load).ptr;
  int64_t bytes = (int64_t)tileElementTypeSize(tilePointeeElement(mlirValueGetType(pointers)));
  return (TileChunks){s->peel.b, s->peel.loop.op, CHUNK_BYTES / bytes, stays, s};
}

/* Whether a load's elements run along the last dimension, and its mask may tell neighbours apart. */
static bool wantsChunks(const TileAxisInfo *axis, MlirOperation op) {
  MlirValue pointers = tilePointerAccessOf(op).ptr, mask = tilePointerAccessOf(op).mask;
  TileElementType element = tilePointeeElement(mlirValueGetType(pointers));
  if (!axis || element == TileElementType_None || tileElementTypeSize(element) >= CHUNK_BYTES)
    return false;
  int last = (int)mlirShapedTypeGetRank(mlirValueGetType(mask)) - 1;
  int64_t size = CHUNK_BYTES / (int64_t)tileElementTypeSize(element);
  return tileAxisInfoGet(axis, pointers, last).run >= size &&
         tileAxisInfoGet(axis, mask, last).constancy < size;
}

static bool mayTellApart(const Split *s, MlirOperation op) {
  if (tileOpKind(op) != TileOp_Tile_Load || !tileBufferIsPlain(op))
    return false;
  MlirValue mask = tileLoadOpGetMask(tileLoadOpCast(op));
  return mask.ptr && tileTypeIsTensor(mlirValueGetType(mask)) && !isOfRows(s, mask, 0);
}

/* Loads whose masks go by chunks, and the condition for that. */
static void findChunked(Split *s) {
  TileBuilder b = s->peel.b;
  TileAxisInfo *axis = NULL;
  mlirRewriterBaseSetInsertionPointBefore(b, s->peel.loop.op);
  for (MlirOperation op = mlirBlockGetFirstOperation(s->peel.body); op.ptr && s->numChunked < MOST_LOADS;
       op = mlirOperationGetNextInBlock(op)) {
    if (!mayTellApart(s, op))
      continue;
    axis = axis ? axis : tileAxisInfoCreate(functionOf(op));
    if (!wantsChunks(axis, op))
      continue;
    TileChunks chunks = chunksOf(s, op);
    MlirLocation loc = mlirOperationGetLocation(op);
    MlirValue holds = tileChunkMaskHolds(&chunks, loc, tileLoadOpGetMask(tileLoadOpCast(op)));
    if (!holds.ptr)
      continue;
    s->fits = both(s, loc, s->fits, holds);
    s->chunked[s->numChunked++] = op;
  }
  if (axis)
    tileAxisInfoRelease(axis);
}

/* In the fast loop. */
static void askByChunks(Split *s, MlirOperation load) {
  TileChunks chunks = chunksOf(s, load);
  MlirValue mask = tileLoadOpGetMask(tileLoadOpCast(load));
  mlirRewriterBaseSetInsertionPointBefore(s->peel.b, load);
  MlirValue all = tileChunkMask(&chunks, mask);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(load); ++i)
    if (mlirOperationGetOperand(load, i).ptr == mask.ptr)
      mlirOperationSetOperand(load, i, all);
}

/* Bounds in front of the loop, and the condition that they fit. */
static void findLoads(Split *s) {
  TileBuilder b = s->peel.b;
  mlirRewriterBaseSetInsertionPointBefore(b, s->peel.loop.op);
  for (MlirOperation op = mlirBlockGetFirstOperation(s->peel.body); op.ptr && s->numLoads < MOST_LOADS;
       op = mlirOperationGetNextInBlock(op)) {
    TileBufferParts *parts = &s->parts[s->numLoads];
    TileBufferBounds *bounds = &s->bounds[s->numLoads];
    MlirLocation loc = mlirOperationGetLocation(op);
    if (!wantsBounds(s, op, parts) || !tileBufferBoundsOf(b, loc, parts, bounds))
      continue;
    int64_t bytes =
        (int64_t)tileElementTypeSize(tilePointeeElement(mlirValueGetType(mlirOperationGetOperand(op, 0))));
    MlirValue span = tileCreateOp2(b, loc, TileOp_Arith_SubI, bounds->high, bounds->low),
              most = tileBufferConstant(b, loc, (INT64_C(1) << 31) / bytes - 1);
    s->fits = both(s, loc, s->fits, both(s, loc, bounds->holds, tileBufferAtMost(b, loc, span, most)));
    s->loads[s->numLoads++] = op;
  }
}

static bool isUsual(MlirOperation op) {
  return tileOpKind(op) == TileOp_Arith_Select &&
         mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.usual")).ptr;
}

/* Selections by scalars from outside, which are to be true in the fast loop. */
static void findUsual(Split *s) {
  for (MlirOperation op = mlirBlockGetFirstOperation(s->peel.body); op.ptr && s->numUsual < MOST_USUAL;
       op = mlirOperationGetNextInBlock(op)) {
    MlirOperation splat =
        isUsual(op) ? tileValueGetDefiningOp(mlirOperationGetOperand(op, 0)) : (MlirOperation){NULL};
    if (!splat.ptr || tileOpKind(splat) != TileOp_Tile_Splat ||
        !isOutside(s, mlirOperationGetOperand(splat, 0)))
      continue;
    s->fits = both(s, mlirOperationGetLocation(op), s->fits, mlirOperationGetOperand(splat, 0));
    s->usual[s->numUsual++] = op;
  }
}

/* One value in the place of a selection. */
static void choose(TileBuilder b, MlirOperation select, intptr_t operand) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(select, 0), mlirOperationGetOperand(select, operand));
  mlirRewriterBaseEraseOp(b, select);
}

static MlirValue endOf(Split *s) {
  TilePeel *p = &s->peel;
  MlirLocation loc = mlirOperationGetLocation(p->loop.op);
  MlirValue end = p->numMasks ? tilePeelEnd(p) : scfForOpGetUpperBound(p->loop);
  if (p->numMasks && p->start.ptr) {
    MlirType i64 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 64);
    MlirValue start = arithExtSIOpGetOut(arithExtSIOpCreate(p->b, loc, i64, p->start));
    s->fits = both(s, loc, s->fits, tileBufferAtMost(p->b, loc, tileBufferConstant(p->b, loc, 0), start));
  }
  if (!s->fits.ptr)
    return end;
  return tileCreateSelect(p->b, loc, s->fits, end, scfForOpGetLowerBound(p->loop));
}

static void rewrite(Split *s) {
  TilePeel *p = &s->peel;
  MlirOperation loop = p->loop.op;
  mlirRewriterBaseSetInsertionPointBefore(p->b, loop);
  MlirValue end = endOf(s);
  MlirOperation rest = mlirOperationClone(loop);
  mlirRewriterBaseSetInsertionPointAfter(p->b, loop);
  mlirRewriterBaseInsert(p->b, rest);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirValue result = mlirOperationGetResult(loop, i);
    mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(rest, i));
    mlirOperationSetOperand(rest, 3 + i, result);
  }
  mlirOperationSetOperand(rest, 0, end);
  mlirOperationSetOperand(loop, 1, end);
  mlirOperationSetDiscardableAttributeByName(rest, tileStr("tile.num_stages"),
                                             tileI32Attr(mlirOperationGetContext(loop), 1));
  for (int i = 0; i < s->numChunked; ++i)
    askByChunks(s, s->chunked[i]);
  tilePeelSetMasks(p);
  for (int i = 0; i < s->numUsual; ++i)
    choose(p->b, s->usual[i], 1);
  for (int i = 0; i < s->numLoads; ++i)
    tileBufferRewrite(p->b, s->loads[i], &s->parts[i], s->bounds[i].low);
}

static bool splitLoop(TileBuilder b, MlirOperation loop) {
  Split s = {.peel = {.b = b, .loop = scfForOpCast(loop)}};
  s.peel.body = mlirRegionGetFirstBlock(scfForOpGetRegion(s.peel.loop));
  if (!isCandidate(&s))
    return false;
  tileCarryDistances(b, loop);
  tilePeelFindMasks(&s.peel);
  findChunked(&s);
  findLoads(&s);
  findUsual(&s);
  if (!s.peel.numMasks && !s.numLoads && !s.numChunked)
    return false;
  rewrite(&s);
  return true;
}

static MlirWalkResult collectUsual(MlirOperation op, void *user) {
  if (isUsual(op))
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

/* What holds everywhere, in all other loops. */
static void chooseOthers(TileBuilder b, MlirOperation module, TileArena *arena) {
  TilePointerList left = {.arena = arena};
  mlirOperationWalk(module, collectUsual, &left, MlirWalkPreOrder);
  for (size_t i = 0; i < left.count; ++i)
    choose(b, (MlirOperation){(void *)left.items[i]}, 2);
}

static void splitAll(TileBuilder b, MlirOperation module, TileArena *arena, uint64_t *numLoops) {
  TilePointerList loops = {.arena = arena};
  tileCollectOps(module, TileOp_SCF_For, MlirWalkPostOrder, &loops);
  for (size_t i = 0; i < loops.count; ++i)
    *numLoops += splitLoop(b, (MlirOperation){(void *)loops.items[i]});
}

MlirLogicalResult tileGPUSplitLoopsRun(MlirOperation module, const TileGPUSplitLoopsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  bool hasMatrix =
      tileTargetHas(&target.info, TileFeature_MFMA) || tileTargetHas(&target.info, TileFeature_WMMA);
  TileArena arena = {0};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  if (hasMatrix && tileTargetHas(&target.info, TileFeature_BufferOps) && target.numStages >= 2)
    splitAll(b, module, &arena, params->numLoops);
  chooseOthers(b, module, &arena);
  mlirRewriterBaseClearInsertionPoint(b);
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
