/* OrderMemory.c - tile-gpu-order-memory: a barrier between accesses of one element of global memory by different
 * threads, where the source has one after the other.
 *
 *   %v = tile.load %p : !tile.ptr<i32>          every thread loads
 *   tile.store %p, %w : !tile.ptr<i32>          the first thread stores
 * becomes
 *   %v = tile.load %p : !tile.ptr<i32>
 *   tile.barrier
 *   tile.store %p, %w : !tile.ptr<i32>
 *
 * The source needs no tile.barrier for that: it orders accesses of one element. Two accesses through pointers of
 * one origin (MemoryRoots.h; unknown origins may be any) meet if one of them writes, unless each element is
 * accessed by the same thread in both: their layouts are equal, and a load is not repeated in several threads.
 * That they are threads of one warp does not help: LLVM sees one thread, which need not read again what it has
 * not written itself. Accesses under way are followed through structured control flow; a barrier ends them.
 *
 * requires: layouts (tile-gpu-assign-layouts). ensures: what is said above. */
#include "MemoryRoots.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/OpKind.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

typedef struct Access {
  MlirValue root; ///< the parameter that the pointers come from; null if it is not known
  MlirType place; ///< shape and layout as a tensor of i1; null for a scalar
  bool writes;
  bool repeated; ///< a load that several threads do for the same element
} Access;

typedef struct Order {
  TileArena *arena;
  TileBuilder builder;
  uint64_t *count;
} Order;

// ---- Accesses ----

static bool isRepeated(MlirType type) {
  TileLayout layout;
  if (!tileTypeIsTensor(type) || !tileLayoutOfType(type, &layout))
    return true;
  return (tileLayoutFreeMask(&layout, TileLayoutDim_Warp) |
          tileLayoutFreeMask(&layout, TileLayoutDim_Lane)) != 0;
}

/* Null if the op accesses no memory through pointers. */
static Access *accessOf(Order *o, MlirOperation op) {
  MlirValue ptr = tilePointerAccessOf(op).ptr;
  if (!ptr.ptr)
    return NULL;
  MlirType type = mlirValueGetType(ptr), i1 = mlirIntegerTypeGet(mlirOperationGetContext(op), 1);
  Access *a = tileArenaAlloc(o->arena, 1, sizeof *a);
  a->root = tilePointerParameter(ptr);
  a->place = tileTypeIsTensor(type) ? tileTypeWithElement(type, i1) : (MlirType){NULL};
  a->writes = tileOpKind(op) != TileOp_Tile_Load;
  a->repeated = !a->writes && isRepeated(type);
  return a;
}

static bool isEqual(const Access *a, const Access *b) {
  return a->root.ptr == b->root.ptr && a->place.ptr == b->place.ptr && a->writes == b->writes &&
         a->repeated == b->repeated;
}

static bool meets(const Access *a, const Access *b) {
  if (!a->writes && !b->writes)
    return false;
  if (a->root.ptr && b->root.ptr && a->root.ptr != b->root.ptr)
    return false;
  return a->place.ptr != b->place.ptr || a->repeated || b->repeated;
}

/* False: it is there already. */
static bool add(TilePointerList *state, const Access *a) {
  for (size_t i = 0; i < state->count; ++i)
    if (isEqual(state->items[i], a))
      return false;
  tilePointerListAppend(state, a);
  return true;
}

/* False: nothing was new. */
static bool join(TilePointerList *state, const TilePointerList *other) {
  bool isNew = false;
  for (size_t i = 0; i < other->count; ++i)
    isNew |= add(state, other->items[i]);
  return isNew;
}

static TilePointerList copyOf(Order *o, const TilePointerList *state) {
  TilePointerList copy = {.arena = o->arena};
  join(&copy, state);
  return copy;
}

// ---- Flow ----

static void flowRegion(Order *o, MlirOperation op, intptr_t region, TilePointerList *state);

/* A second time if the end of the body has something under way that its start did not have: loops in loops would take 2^depth rounds
 * otherwise. */
static void flowLoop(Order *o, MlirOperation op, TilePointerList *state) {
  bool isNew = true;
  for (int round = 0; round < 2 && isNew; ++round) {
    TilePointerList body = copyOf(o, state);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      flowRegion(o, op, r, &body);
    isNew = join(state, &body);
  }
}

static void flowBranches(Order *o, MlirOperation op, TilePointerList *state) {
  TilePointerList before = copyOf(o, state);
  bool skips = false;
  state->count = 0;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    TilePointerList arm = copyOf(o, &before);
    skips |= !mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)).ptr;
    flowRegion(o, op, r, &arm);
    join(state, &arm);
  }
  if (skips)
    join(state, &before);
}

static void flowAccess(Order *o, MlirOperation op, TilePointerList *state) {
  const Access *a = accessOf(o, op);
  bool met = false;
  if (!a)
    return;
  for (size_t i = 0; i < state->count && !met; ++i)
    met = meets(state->items[i], a);
  if (met) {
    mlirRewriterBaseSetInsertionPointBefore(o->builder, op);
    tileBarrierOpCreate(o->builder, mlirOperationGetLocation(op));
    ++*o->count;
    state->count = 0;
  }
  add(state, a);
}

static void flowOp(Order *o, MlirOperation op, TilePointerList *state) {
  switch (tileOpKind(op)) {
  case TileOp_SCF_For:
  case TileOp_SCF_While:
    flowLoop(o, op, state);
    return;
  case TileOp_SCF_If:
  case TileOp_SCF_IndexSwitch:
    flowBranches(o, op, state);
    return;
  case TileOp_Tile_Barrier:
    state->count = 0;
    return;
  default:
    flowAccess(o, op, state);
  }
}

static void flowRegion(Order *o, MlirOperation op, intptr_t region, TilePointerList *state) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
  if (!block.ptr)
    return;
  for (MlirOperation inner = mlirBlockGetFirstOperation(block); inner.ptr;
       inner = mlirOperationGetNextInBlock(inner))
    flowOp(o, inner, state);
}

MlirLogicalResult tileGPUOrderMemoryRun(MlirOperation module, const TileGPUOrderMemoryParams *params) {
  TileArena arena = {0};
  Order o = {&arena, mlirIRRewriterCreate(mlirOperationGetContext(module)), params->numBarriers};
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    TilePointerList state = {.arena = &arena};
    if (tileOpKind(op) == TileOp_Func_Func)
      flowRegion(&o, op, 0, &state);
  }
  mlirIRRewriterDestroy(o.builder);
  tileArenaRelease(&arena);
  return tileSuccess();
}
