/* Loads.c - loads that are worth starting early, and how. */
#include "../MemoryRoots.h"
#include "Pipeline.h"
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/SeparateMemory.h"

bool tilePipelineIsDot(MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  return kind == TileOp_Tile_Dot || kind == TileOp_Tile_DotScaled || kind == TileOp_TileGPU_Mma ||
         kind == TileOp_TileGPU_Wgmma;
}

int tilePipelineLoadOf(const TilePipeline *p, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  for (int i = 0; op.ptr && i < p->numLoads; ++i)
    if (p->loads[i].op.op.ptr == op.ptr)
      return i;
  return -1;
}

static void addLoad(TilePipeline *p, MlirOperation op) {
  TileLoadOp load = tileLoadOpCast(op);
  if (tileLoadOpIsNull(load) || tileLoadOpGetIsVolatile(load) ||
      tileLoadOpGetCache(load) == TileCacheModifier_CV || p->numLoads == TilePipeline_MaxLoads)
    return;
  if (tilePipelineLoadOf(p, mlirOperationGetResult(op, 0)) < 0)
    p->loads[p->numLoads++] = (TilePipelineLoad){.op = load};
}

enum { Few = 4 };

static bool isFew(MlirValue v) {
  TileLayout layout;
  return tileLayoutOfType(mlirValueGetType(v), &layout) && 1 << layout.bits[TileLayoutDim_Register] <= Few;
}

// ---- Which ----

/* From a value back through the body to loads. */
static void addLoadsBehind(TilePipeline *p, TilePointerMap *seen, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || mlirOperationGetBlock(op).ptr != p->body.ptr || tilePointerMapFind(seen, op.ptr))
    return;
  tilePointerMapSet(seen, op.ptr, op.ptr);
  addLoad(p, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    addLoadsBehind(p, seen, mlirOperationGetOperand(op, i));
}

typedef struct DotWalk {
  TilePipeline *p;
  TilePointerMap seen;
} DotWalk;

static MlirWalkResult visitDot(MlirOperation op, void *user) {
  DotWalk *walk = user;
  if (tilePipelineIsDot(op))
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      addLoadsBehind(walk->p, &walk->seen, mlirOperationGetOperand(op, i));
  return MlirWalkResultAdvance;
}

static void collect(TilePipeline *p) {
  DotWalk walk = {p, {.arena = p->arena}};
  mlirOperationWalk(p->loop.op, visitDot, &walk, MlirWalkPreOrder);
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); p->allLoads && op.ptr;
       op = mlirOperationGetNextInBlock(op))
    addLoad(p, op);
}

// ---- Beside them ----

static TilePipelineSlice sliceOfOperands(TilePipeline *p, MlirOperation op, bool *out_possible) {
  TilePipelineSlice slice = tilePipelineNewSlice(p);
  uint32_t needs = 0;
  *out_possible = true;
  for (intptr_t k = 0; *out_possible && k < mlirOperationGetNumOperands(op); ++k)
    *out_possible = tilePipelineSliceAdd(p, &slice, mlirOperationGetOperand(op, k), false, &needs);
  *out_possible &= !needs;
  return slice;
}

/* Whether neither the load's address needs another load, nor one of those that lead to products needs this one. */
static bool standsAlone(TilePipeline *p, MlirOperation load) {
  bool possible, of;
  TilePipelineSlice slice = sliceOfOperands(p, load, &possible);
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); possible && op.ptr;
       op = mlirOperationGetNextInBlock(op))
    possible &= tileOpKind(op) != TileOp_Tile_Load || !tilePointerMapFind(&slice.ops, op.ptr);
  for (int i = 0; possible && i < p->numLoads; ++i) {
    TilePipelineSlice other = sliceOfOperands(p, p->loads[i].op.op, &of);
    possible &= !tilePointerMapFind(&other.ops, load.ptr);
  }
  return possible;
}

// ---- Memory that the loop writes ----

/* Loads may move over what the loop does to memory. */
typedef struct WriteWalk {
  TilePipeline *p;
  bool possible;
} WriteWalk;

static void checkWrite(WriteWalk *walk, MlirValue ptr) {
  MlirValue root = tilePointerParameter(ptr);
  walk->possible &= root.ptr != NULL;
  for (int i = 0; walk->possible && i < walk->p->numLoads; ++i) {
    MlirValue other = tilePointerParameter(tileLoadOpGetPtr(walk->p->loads[i].op));
    walk->possible = other.ptr && other.ptr != root.ptr;
  }
}

static MlirWalkResult visitWrite(MlirOperation op, void *user) {
  WriteWalk *walk = user;
  TileOpKind kind = tileOpKind(op);
  switch (kind) {
  case TileOp_Tile_Store:
  case TileOp_Tile_AtomicRMW:
  case TileOp_Tile_AtomicCAS:
    checkWrite(walk, tilePointerAccessOf(op).ptr);
    break;
  case TileOp_SCF_For:
  case TileOp_SCF_While:
    walk->possible &= op.ptr == walk->p->loop.op.ptr; /* innermost loops only */
    break;
  case TileOp_SCF_If:
  case TileOp_SCF_IndexSwitch:
  case TileOp_SCF_Yield:
  case TileOp_Tile_Assume:
  case TileOp_Tile_DotScaled:
  case TileOp_Tile_Load:
  case TileOp_Tile_MapElementwise:
  case TileOp_Tile_Print:
  case TileOp_Tile_Reduce:
  case TileOp_Tile_Scan:
  case TileOp_Tile_Yield:
  case TileOp_TileGPU_Alloc:
  case TileOp_TileGPU_ConvertLayout:
  case TileOp_TileGPU_FenceAsync:
  case TileOp_TileGPU_LocalLoad:
  case TileOp_TileGPU_TmaAlloc:
  case TileOp_TileGPU_Trans:
  case TileOp_TileGPU_WgmmaWait:
    break;
  default:
    walk->possible &= tileOpIsPure(op) || tilePipelineIsDot(op);
  }
  return walk->possible ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool maySkipWrites(TilePipeline *p) {
  WriteWalk walk = {p, true};
  mlirOperationWalk(p->loop.op, visitWrite, &walk, MlirWalkPreOrder);
  return walk.possible;
}

typedef struct Products {
  bool others;   ///< by other instructions than those of warp groups, that are added up by these or few
  bool isBehind; ///< products of `mma.sync`, many, that are added to sums behind
  int64_t words; ///< of a thread for sums, and for products that are added to them behind
} Products;

/* Whether a product of `mma.sync` is as large as makes its numbers worth a buffer (a block of 16x128 took 25 % longer), and added to sums behind. */
static bool isManyBehind(MlirOperation op) {
  enum { MANY = 64 };
  TileGPUMmaOp product = tileGPUMmaOpCast(op);
  return !tileGPUMmaOpIsNull(product) && tileValueIsPositiveZero(tileGPUMmaOpGetC(product)) &&
         tileRegisterWords(mlirValueGetType(tileGPUMmaOpGetResult(product))) >= MANY;
}

static MlirWalkResult addProduct(MlirOperation op, void *user) {
  Products *all = user;
  TileGPUWgmmaOp product = tileGPUWgmmaOpCast(op);
  if (!tilePipelineIsDot(op))
    return MlirWalkResultAdvance;
  if (tileGPUWgmmaOpIsNull(product)) {
    all->isBehind = isManyBehind(op);
    all->others = !all->isBehind;
    return all->others ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
  }
  const int64_t words = tileRegisterWords(mlirValueGetType(tileGPUWgmmaOpGetResult(product)));
  all->words += tileValueIsPositiveZero(tileGPUWgmmaOpGetC(product)) ? 2 * words : words;
  return MlirWalkResultAdvance;
}

/* Products of warp groups, whose sums leave registers to spare; large ones of `mma.sync`, where cp.async brings what is beside. */
static bool leavesRoom(TilePipeline *p) {
  enum { MOST = 192 };
  Products all = {0};
  mlirOperationWalk(p->loop.op, addProduct, &all, MlirWalkPreOrder);
  return !all.others && (all.words ? all.words <= MOST && !all.isBehind
                                   : tileTargetHas(&p->target->info, TileFeature_CpAsync));
}

/* A few numbers a thread that meet products' sums (scales of a block of K) run ahead as well: in the iteration that needs them they would be waited for. */
static void addBeside(TilePipeline *p) {
  if (!p->takesBeside || !leavesRoom(p))
    return;
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (tileOpKind(op) != TileOp_Tile_Load || !isFew(mlirOperationGetResult(op, 0)) ||
        tilePipelineLoadOf(p, mlirOperationGetResult(op, 0)) >= 0 || !standsAlone(p, op))
      continue;
    const int before = p->numLoads;
    addLoad(p, op);
    if (p->numLoads > before && !maySkipWrites(p))
      p->numLoads = before;
    else if (p->numLoads > before)
      p->loads[before].isBeside = true;
  }
}

static MlirWalkResult assumeWrite(MlirOperation op, void *user) {
  const TilePipeline *p = user;
  TileOpKind kind = tileOpKind(op);
  if (kind != TileOp_Tile_Store && kind != TileOp_Tile_AtomicRMW && kind != TileOp_Tile_AtomicCAS)
    return MlirWalkResultAdvance;
  for (int i = 0; i < p->numLoads; ++i)
    tileAssumeSeparate(tilePointerParameter(tilePointerAccessOf(op).ptr),
                       tilePointerParameter(tileLoadOpGetPtr(p->loads[i].op)));
  return MlirWalkResultAdvance;
}

void tilePipelineAssumeSeparate(TilePipeline *p) {
  mlirOperationWalk(p->loop.op, assumeWrite, p, MlirWalkPreOrder);
}

// ---- Levels ----

static void dropLoad(TilePipeline *p, int i) {
  --p->numLoads;
  for (; i < p->numLoads; ++i)
    p->loads[i] = p->loads[i + 1];
}

/* Which other loads the operands of load i need; false if it cannot start early at all. */
static bool needsOf(TilePipeline *p, int i, uint32_t *out) {
  TilePipelineSlice slice = tilePipelineNewSlice(p);
  MlirOperation op = p->loads[i].op.op;
  *out = 0;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    if (!tilePipelineSliceAdd(p, &slice, mlirOperationGetOperand(op, k), false, out))
      return false;
  return true;
}

/* Levels of all loads. Returns a load that has to be dropped, -1 if all may stay. A load whose address needs
 * itself climbs above all levels. */
static int levelLoads(TilePipeline *p) {
  uint32_t needs[TilePipeline_MaxLoads];
  int most = p->numStages > 2 ? p->numStages - 2 : 0;
  for (int i = 0; i < p->numLoads; ++i) {
    p->loads[i].level = 0;
    if (!needsOf(p, i, &needs[i]))
      return i;
  }
  for (int round = 0; round < p->numLoads + TilePipeline_MaxStages; ++round)
    for (int i = 0; i < p->numLoads; ++i)
      for (int k = 0; k < p->numLoads; ++k)
        if (needs[i] >> k & 1 && p->loads[k].level <= p->loads[i].level)
          p->loads[k].level = p->loads[i].level + 1;
  int deepest = -1;
  for (int i = 0; i < p->numLoads; ++i)
    if (p->loads[i].level > most && (deepest < 0 || p->loads[i].level > p->loads[deepest].level))
      deepest = i;
  return deepest;
}

// ---- How ----

/* Bytes that one access of the load takes where its masks are true. */
static int accessBytes(const TilePipeline *p, const TilePipelineLoad *load, const TileLayout *layout) {
  MlirType type = mlirValueGetType(tileLoadOpGetResult(load->op));
  int bytes = (int)tileElementTypeSize(tileElementTypeOf(type));
  TileAccessPlan plan = tileAccessPlan(p->axis, &p->target->info, tileLoadOpGetPtr(load->op),
                                       tileLoadOpGetMask(load->op), layout, 8 * bytes);
  int width = plan.twoForms ? plan.wideWidth : plan.width;
  return bytes * width < 16 ? bytes * width : 16;
}

/* Whether a consumer wants the elements in other threads: then they pass through shared memory anyway. */
static bool movesBetweenThreads(MlirValue v) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    TileOpKind kind = tileOpKind(user);
    if (kind == TileOp_TileGPU_ConvertLayout || kind == TileOp_TileGPU_Alloc || tilePipelineIsDot(user) ||
        (kind == TileOp_Tile_Trans && movesBetweenThreads(mlirOperationGetResult(user, 0))))
      return true;
  }
  return false;
}

/* Whether the copy engine brings blocks of the loop's products. */
static bool hasBlocks(const TilePipeline *p) {
  bool has = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); op.ptr; op = mlirOperationGetNextInBlock(op))
    has |= tileOpKind(op) == TileOp_TileGPU_TmaAlloc;
  return has;
}

/* A few numbers a thread beside blocks of the copy engine wait in registers: by cp.async, all warps would have to meet for them. */
static bool waitsInRegisters(const TilePipeline *p, MlirValue result, const TileLayout *layout,
                             bool isBeside) {
  return hasBlocks(p) && 1 << layout->bits[TileLayoutDim_Register] <= Few &&
         (isBeside || !movesBetweenThreads(result));
}

/* More than a few there are loaded when they are needed (a number for each sum of a product): registers are the sums', and
 * shared memory is the blocks'. */
static bool cannotWait(const TilePipeline *p, const TilePipelineLoad *load) {
  MlirValue result = tileLoadOpGetResult(load->op);
  TileLayout layout;
  return tileLayoutOfType(mlirValueGetType(result), &layout) &&
         1 << layout.bits[TileLayoutDim_Register] > Few && hasBlocks(p) && !movesBetweenThreads(result);
}

static TileCopyMode modeOf(const TilePipeline *p, const TilePipelineLoad *load) {
  MlirValue result = tileLoadOpGetResult(load->op);
  TileLayout layout;
  if (!tileLayoutOfType(mlirValueGetType(result), &layout) || load->level > 0 ||
      tileElementTypeOf(mlirValueGetType(result)) == TileElementType_None)
    return TileCopy_Register;
  bool isAsync = tileTargetHas(&p->target->info, TileFeature_CpAsync) &&
                 !waitsInRegisters(p, result, &layout, load->isBeside);
  int bytes = accessBytes(p, load, &layout);
  if (isAsync && bytes >= 4 && (p->target->info.asyncCopyBytes & (unsigned)bytes))
    return TileCopy_Async;
  return movesBetweenThreads(result) && !load->isBeside ? TileCopy_Staged : TileCopy_Register;
}

bool tilePipelineFindLoads(TilePipeline *p) {
  p->numLoads = 0;
  collect(p);
  if (!p->numLoads || !maySkipWrites(p))
    return false;
  addBeside(p);
  for (int i = p->numLoads; i-- > 0;)
    if (cannotWait(p, &p->loads[i]))
      dropLoad(p, i);
  for (int drop; (drop = levelLoads(p)) >= 0;)
    dropLoad(p, drop);
  for (int i = 0; i < p->numLoads; ++i)
    p->loads[i].mode = modeOf(p, &p->loads[i]);
  for (int i = 0; i < p->numLoads; ++i)
    tilePipelineTryDirect(p, i);
  return p->numLoads > 0;
}
