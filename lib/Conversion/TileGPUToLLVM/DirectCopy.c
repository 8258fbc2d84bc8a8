/* DirectCopy.c - tile_gpu.async_copy through a buffer resource straight into shared memory, 16 bytes a lane and one lane
 * behind the other, and waits that count such copies.
 *
 * A warp's copies land in the order in which they were started. So a wait for all groups but the newest n is a wait for
 * all copies but those of n groups; fewer may be counted than there are. */
#include "DirectCopy.h"
#include "Buffers.h"
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Support/PointerList.h"

enum { COPY_BYTES = 16 };

typedef struct DirectCopy {
  TileGPUAsyncCopyOp op;
  TileMemDesc desc;
  TileLayout layout, toOffset;
  MlirValue base, offsets, mask; ///< of the program: scalar pointer, tensors (mask may be null)
  int width;                     ///< elements of one copy
} DirectCopy;

static bool isWhole(MlirValue buffer) {
  TileOpKind kind = tileOpKind(tileValueGetDefiningOp(buffer));
  return kind == TileOp_TileGPU_Index || kind == TileOp_TileGPU_Alloc;
}

/* Registers of one copy on neighbouring places, lanes behind each other, no copies of elements. */
static bool isLaneLinear(const TileLayout *toOffset, int width, int warpSize) {
  int32_t low = __builtin_ctz((unsigned)width), lanes = __builtin_ctz((unsigned)warpSize);
  if (toOffset->bits[TileLayoutDim_Register] < low || toOffset->bits[TileLayoutDim_Lane] != lanes)
    return false;
  for (int dim = 0; dim < TileLayoutDim_Block; ++dim)
    for (int32_t bit = 0; bit < toOffset->bits[dim]; ++bit) {
      int32_t at = toOffset->bases[dim][bit][TileLayoutDim_Offset];
      bool first = dim == TileLayoutDim_Register && bit < low;
      int32_t wanted = first ? 1 << bit : width << bit;
      if (first || dim == TileLayoutDim_Lane ? at != wanted : !at || at % (width * warpSize))
        return false;
    }
  return true;
}

static bool read(TileLowering *l, MlirOperation op, DirectCopy *out) {
  *out = (DirectCopy){.op = tileGPUAsyncCopyOpCast(op)};
  TileLayout whole;
  if (!l->hooks->copyDirect || tileGPUAsyncCopyOpIsNull(out->op) ||
      !mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.buffer")).ptr ||
      !(l->target->asyncCopyBytes & COPY_BYTES) || !tileTargetHas(l->target, TileFeature_LdsDma))
    return false;
  MlirValue pointers = tileGPUAsyncCopyOpGetPtr(out->op), buffer = tileGPUAsyncCopyOpGetTarget(out->op);
  MlirOperation def = tileValueGetDefiningOp(pointers), splat;
  if (tileOpKind(def) != TileOp_Tile_AddPtr || tileGPUAsyncCopyOpGetOther(out->op).ptr || !isWhole(buffer))
    return false;
  splat = tileValueGetDefiningOp(mlirOperationGetOperand(def, 0));
  if (tileOpKind(splat) != TileOp_Tile_Splat || !tileLayoutOfType(mlirValueGetType(pointers), &out->layout) ||
      !tileMemDescOf(mlirValueGetType(buffer), &out->desc) || out->desc.layout.padInterval ||
      !tileMemDescEmbed(&out->desc, &out->layout, &whole) ||
      !tileLayoutInvertAndCompose(&whole, &out->desc.layout.map, &out->toOffset))
    return false;
  out->base = mlirOperationGetOperand(splat, 0);
  out->offsets = mlirOperationGetOperand(def, 1);
  out->mask = tileGPUAsyncCopyOpGetMask(out->op);
  out->width = COPY_BYTES / out->desc.elementBytes;
  TileAccessPlan plan = tileAccessPlan(l->axis, l->target, pointers, out->mask, &out->layout,
                                       8 * (int64_t)out->desc.elementBytes);
  return out->width > 1 && plan.width >= out->width && plan.aligned >= out->width &&
         isLaneLinear(&out->toOffset, out->width, (int)l->target->warpSize);
}

/* Instructions that the copy is; 0 if it passes through registers. */
static int64_t countOf(TileLowering *l, MlirOperation op) {
  DirectCopy c;
  return read(l, op, &c) ? tileLayoutNumRegisters(&c.layout) / c.width : 0;
}

bool tileLowerDirectCopy(TileLowering *l, MlirOperation op) {
  DirectCopy c;
  TileBufferView view;
  if (!read(l, op, &c) || !tileBufferViewOf(l, tileGPUAsyncCopyOpGetTarget(c.op), &view))
    return false;
  TileBufferAddress address = tileBufferAddress(l, &view, &c.toOffset);
  TileRegisters offsets = tileRegistersOf(l, c.offsets),
                masks = c.mask.ptr ? tileRegistersOf(l, c.mask) : (TileRegisters){0, NULL};
  MlirValue resource = l->hooks->makeResource(l, tileRegistersOf(l, c.base).values[0], false);
  TileBuilder body = l->b;
  l->b = l->prologue; /* of a warp's first lane: where the warp's part begins */
  address.thread = l->hooks->firstLane(l, address.thread);
  l->b = body;
  for (intptr_t first = 0; first < offsets.count; first += c.width) {
    TileAccess from = {.resource = resource,
                       .offset = tileEmit2(l, TileOp_LLVM_Shl, offsets.values[first],
                                           tileEmitI32(l, __builtin_ctz((unsigned)c.desc.elementBytes))),
                       .predicate = masks.count ? masks.values[first] : (MlirValue){NULL},
                       .element = address.memory,
                       .width = c.width};
    l->hooks->copyDirect(l, tileEmitBufferAddress(l, &address, (uint32_t)first), &from);
  }
  return true;
}

static MlirWalkResult findDirect(MlirOperation op, void *user) {
  bool *found = user;
  *found |= tileOpKind(op) == TileOp_TileGPU_AsyncCopy &&
            mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.buffer")).ptr;
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool tileHasDirectCopies(MlirOperation function) {
  bool found = false;
  mlirOperationWalk(function, findDirect, &found, MlirWalkPreOrder);
  return found;
}

// ---- Waits ----

/* The smallest group that ends in front of a wait, and whether those before have landed. */
typedef struct Groups {
  int64_t least, current; ///< current: of the group whose end was met; -1 if none was
  bool landed;
} Groups;

static void closeGroup(Groups *g) {
  if (g->current >= 0 && g->current < g->least)
    g->least = g->current;
  g->current = -1;
}

/* Backwards from `op` to the start of its block or to a wait for everything. */
static void scan(TileLowering *l, MlirBlock block, MlirOperation end, Groups *g) {
  TilePointerList ops = {.arena = l->arena};
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr && op.ptr != end.ptr;
       op = mlirOperationGetNextInBlock(op))
    tilePointerListAppend(&ops, op.ptr);
  while (ops.count && !g->landed) {
    MlirOperation op = {(void *)ops.items[--ops.count]};
    TileGPUAsyncWaitOp wait = tileGPUAsyncWaitOpCast(op);
    if (tileOpKind(op) == TileOp_TileGPU_AsyncCommit) {
      closeGroup(g);
      g->current = 0;
    } else if (g->current >= 0 && tileOpKind(op) == TileOp_TileGPU_AsyncCopy) {
      g->current += countOf(l, op);
    } else if (mlirOperationGetNumRegions(op) && tileHasDirectCopies(op)) {
      g->least = 0;
    }
    g->landed = !tileGPUAsyncWaitOpIsNull(wait) && !tileGPUAsyncWaitOpGetPending(wait);
  }
  closeGroup(g);
}

int64_t tileCopiesUnderWay(TileLowering *l, MlirOperation wait, int64_t groups) {
  Groups g = {.least = INT64_MAX, .current = -1};
  if (!groups)
    return 0;
  for (MlirOperation at = wait; !g.landed; at = mlirOperationGetParentOperation(at)) {
    MlirBlock block = mlirOperationGetBlock(at);
    MlirOperation parent = mlirBlockGetParentOperation(block);
    scan(l, block, at, &g);
    if (tileOpKind(parent) == TileOp_SCF_For && !g.landed) /* the iteration before */
      scan(l, block, (MlirOperation){NULL}, &g);
    else if (tileOpKind(parent) != TileOp_SCF_If)
      break;
  }
  return g.least == INT64_MAX ? 0 : g.least * groups;
}
