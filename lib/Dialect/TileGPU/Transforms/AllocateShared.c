/* AllocateShared.c - tile-gpu-allocate-shared: where buffers and each op's scratch lie in shared memory.
 *
 *   %0 = tile_gpu.alloc : () -> !tile_gpu.memdesc<2x64x64xf32, #shared>
 *   %2 = tile_gpu.convert_layout %1 : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
 * becomes
 *   %0 = tile_gpu.alloc {tile_gpu.offset = 0 : i32} : ...
 *   %2 = tile_gpu.convert_layout %1 {tile_gpu.scratch = 32768 : i32} : ...
 * and the module gets tile_gpu.shared = 49152 : i32
 *
 * Ops are numbered in program order. A scratch lives while its op runs, a small one until the next scratch's op
 * does; a buffer from its alloc to the last use of it or a view, or to the end of a loop around that use which the
 * alloc stands in front of, or, if copies into it may be under way, to the next wait for all of them. What never
 * lives at once shares bytes. If all that is too much, conversions take less, in rounds.
 *
 * requires: layouts on all tensors.
 * ensures: tile_gpu.scratch on every op that needs scratch, tile_gpu.offset on every alloc; the sum fits the
 * chip. */
#include "SharedPlacement.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Passes.h"
#include "tile-c/Scratch.h"
#include "tile-c/SharedAccess.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/Bits.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"
#include <stdio.h>

typedef struct Span {
  int32_t first, last; ///< of the op and all ops in it
} Span;

typedef struct Allocation {
  TileArena *arena;
  const TileTargetInfo *target;
  MlirContext context;
  TilePointerMap spans;  ///< op -> Span
  TilePointerList users; ///< ops with a buffer or scratch, one an item
  TileSharedItem *items;
  int32_t time;
  int64_t bytes, live, alignment; ///< of the program so far
  const TileGPUAllocateSharedParams *params;
} Allocation;

static Span *spanOf(Allocation *a, MlirOperation op) { return tilePointerMapFind(&a->spans, op.ptr); }

/* Numbers the ops and collects those that need shared memory. */
static void number(Allocation *a, MlirOperation op) {
  Span *span = tileArenaAlloc(a->arena, 1, sizeof *span);
  span->first = a->time++;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock b = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); b.ptr;
         b = mlirBlockGetNextInRegion(b))
      for (MlirOperation o = mlirBlockGetFirstOperation(b); o.ptr; o = mlirOperationGetNextInBlock(o))
        number(a, o);
  span->last = a->time++;
  tilePointerMapSet(&a->spans, op.ptr, span);
  tilePointerListAppend(&a->users, op.ptr);
}

static bool isLoop(MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  return kind == TileOp_SCF_For || kind == TileOp_SCF_While;
}

/* The end of `use`, or of the outermost loop around it that does not contain `alloc`. */
static int32_t lastOf(Allocation *a, MlirOperation alloc, MlirOperation use) {
  int32_t last = spanOf(a, use)->last;
  for (MlirOperation op = mlirOperationGetParentOperation(use); op.ptr && !tileOpIsIn(alloc, op);
       op = mlirOperationGetParentOperation(op))
    if (isLoop(op))
      last = spanOf(a, op)->last;
  return last;
}

/* The first wait for everything, after `time`, in the alloc's block; the end of the function without one. */
static int32_t settledAfter(Allocation *a, MlirOperation alloc, int32_t time) {
  for (MlirOperation op = alloc; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileGPUAsyncWaitOp wait = tileGPUAsyncWaitOpCast(op);
    if (!tileGPUAsyncWaitOpIsNull(wait) && !tileGPUAsyncWaitOpGetPending(wait) && spanOf(a, op)->first > time)
      return spanOf(a, op)->last;
  }
  return a->time;
}

static void extendOverUses(Allocation *a, MlirOperation alloc, MlirValue buffer, int32_t *last,
                           bool *isAsync) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirOperation wait = tileOpKind(op) == TileOp_TileGPU_Wgmma ? tileWarpGroupWaitOf(op) : op;
    int32_t end = lastOf(a, alloc, wait.ptr ? wait : op); // products read until they are waited for
    *last = end > *last ? end : *last;
    *isAsync |= tileOpKind(op) == TileOp_TileGPU_AsyncCopy;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      if (tileGPUMemDescTypeIsA(mlirValueGetType(mlirOperationGetResult(op, i))))
        extendOverUses(a, alloc, mlirOperationGetResult(op, i), last, isAsync);
  }
}

static bool bufferItem(Allocation *a, MlirOperation op, TileSharedItem *item) {
  TileMemDesc desc;
  bool isAsync = false;
  MlirValue result = mlirOperationGetResult(op, 0);
  if (!tileMemDescOf(mlirValueGetType(result), &desc))
    return false;
  Span *span = spanOf(a, op);
  *item = (TileSharedItem){.bytes = tileMemDescBytes(&desc),
                           .alignment = tileMost(desc.alignment, TileShared_DefaultAlignment),
                           .first = span->first,
                           .last = span->last};
  extendOverUses(a, op, result, &item->last, &isAsync);
  if (isAsync)
    item->last = settledAfter(a, op, item->last);
  return true;
}

/* Small scratch does not share bytes with the next scratch in the program: the barrier inside that one then tells
 * also that this one has been read, and none is needed between them. Unless the two do not fit together. */
static void separateSmall(TileSharedItem *items, const bool *isScratch, int32_t count, int64_t limit) {
  enum { SmallBytes = 2048 };
  for (int32_t i = 0; i < count; ++i) {
    int32_t next = -1, end = items[i].last;
    for (int32_t k = 0; k < count && isScratch[i] && items[i].bytes <= SmallBytes; ++k)
      if (isScratch[k] && items[k].first > end && (next < 0 || items[k].first < items[next].first))
        next = k;
    if (next >= 0 && items[i].bytes + items[next].bytes <= limit)
      items[i].last = items[next].first;
  }
}

/* Keeps of all ops those that need shared memory, with their items. */
static MlirLogicalResult collect(Allocation *a, int32_t *out_count) {
  size_t kept = 0;
  bool *isScratch = tileArenaAlloc(a->arena, a->users.count + 1, sizeof *isScratch);
  a->items = tileArenaAlloc(a->arena, a->users.count + 1, sizeof *a->items);
  for (size_t i = 0; i < a->users.count; ++i) {
    MlirOperation op = {(void *)a->users.items[i]};
    TileSharedItem item = {.alignment = TileShared_DefaultAlignment};
    if (tileOpKind(op) == TileOp_TileGPU_Alloc) {
      if (!bufferItem(a, op, &item))
        return TILE_BUG(op, "an alloc of no buffer");
    } else {
      TILE_TRY(tileScratchBytes(op, a->target, &item.bytes));
      if (!item.bytes)
        continue;
      item.first = spanOf(a, op)->first;
      item.last = spanOf(a, op)->last;
    }
    a->users.items[kept] = op.ptr;
    isScratch[kept] = tileOpKind(op) != TileOp_TileGPU_Alloc;
    a->items[kept++] = item;
  }
  separateSmall(a->items, isScratch, (int32_t)kept, a->target->sharedPerBlock);
  *out_count = (int32_t)kept;
  return tileSuccess();
}

/* The largest of those alive at `time`, and the largest but one; -1: none. */
static void largestAt(const Allocation *a, int32_t count, int32_t time, int32_t out[2]) {
  out[0] = out[1] = -1;
  for (int32_t i = 0; i < count; ++i) {
    const TileSharedItem *item = &a->items[i];
    if (item->first > time || time > item->last)
      continue;
    if (out[0] < 0 || item->bytes > a->items[out[0]].bytes) {
      out[1] = out[0];
      out[0] = i;
    } else if (out[1] < 0 || item->bytes > a->items[out[1]].bytes) {
      out[1] = i;
    }
  }
}

static MlirLogicalResult tooMuch(const Allocation *a, int32_t count, int64_t bytes) {
  int32_t time = 0, largest[2];
  tileSharedLiveMost(a->items, count, &time);
  largestAt(a, count, time, largest);
  MlirOperation op = {(void *)a->users.items[largest[0]]};
  long long own = (long long)a->items[largest[0]].bytes;
  if (largest[1] < 0)
    return tileEmitOpError(op, "needs %lld bytes of shared memory, %s has %u for a block", own,
                           a->target->chip, a->target->sharedPerBlock);
  MlirOperation next = {(void *)a->users.items[largest[1]]};
  char note[64];
  snprintf(note, sizeof note, "the next largest needs %lld bytes", (long long)a->items[largest[1]].bytes);
  return tileEmitOpErrorWithNote(op, mlirOperationGetLocation(next), note,
                                 "needs %lld bytes of shared memory, %lld with all that is alive beside it; "
                                 "%s has %u for a block",
                                 own, (long long)bytes, a->target->chip, a->target->sharedPerBlock);
}

static void annotate(Allocation *a, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    MlirOperation op = {(void *)a->users.items[i]};
    bool isBuffer = tileOpKind(op) == TileOp_TileGPU_Alloc;
    mlirOperationSetDiscardableAttributeByName(op, tileStr(isBuffer ? "tile_gpu.offset" : "tile_gpu.scratch"),
                                               tileI32Attr(a->context, a->items[i].offset));
    ++*(isBuffer ? a->params->numBuffers : a->params->numScratch);
    a->alignment = tileMost(a->alignment, a->items[i].alignment);
  }
}

/* Whether the op can do with that much scratch, in more rounds. */
static bool canDoWith(const Allocation *a, MlirOperation op, int64_t bytes) {
  TileLayout from, to;
  TileConvertPlan plan;
  TileGatherPlan gather;
  TileReducePlan reduce;
  if (tileOpKind(op) == TileOp_Tile_Reduce)
    return tileReducePlan(op, a->target, bytes, &reduce) && reduce.bytes <= bytes;
  if (tileOpKind(op) == TileOp_Tile_Histogram)
    return 4 * tileHistogramBins(op, a->target, bytes) <= bytes;
  if (tileOpKind(op) == TileOp_Tile_Gather)
    return tileGatherPlan(op, a->target, bytes, &gather) && gather.bytes <= bytes;
  return tileOpKind(op) == TileOp_TileGPU_ConvertLayout &&
         tileLayoutOfType(mlirValueGetType(mlirOperationGetOperand(op, 0)), &from) &&
         tileLayoutOfType(mlirValueGetType(mlirOperationGetResult(op, 0)), &to) &&
         tileConvertPlan(&from, &to, mlirValueGetType(mlirOperationGetOperand(op, 0)), a->target, bytes,
                         &plan);
}

/* Halves the scratch of the largest conversion, gather, reduction or histogram that can do with less; false if there is none. */
static bool shortenScratch(const Allocation *a, int32_t count) {
  MlirStringRef name = tileStr("tile_gpu.scratch_limit");
  MlirOperation best = {NULL};
  int64_t most = 0;
  for (int32_t i = 0; i < count; ++i) {
    MlirOperation op = {(void *)a->users.items[i]};
    int64_t half = a->items[i].bytes / 2;
    if (half <= most || !canDoWith(a, op, half))
      continue;
    best = op;
    most = half;
  }
  if (best.ptr)
    mlirOperationSetDiscardableAttributeByName(best, name, tileI32Attr(a->context, most));
  return best.ptr;
}

static MlirLogicalResult allocate(Allocation *a, MlirOperation function) {
  int32_t count;
  a->time = 0;
  a->users.count = 0;
  number(a, function);
  TILE_TRY(collect(a, &count));
  int64_t bytes = tilePlaceShared(a->arena, a->items, count);
  if (bytes > a->target->sharedPerBlock)
    return shortenScratch(a, count) ? allocate(a, function) : tooMuch(a, count, bytes);
  annotate(a, count);
  a->bytes = tileMost(a->bytes, bytes);
  a->live = tileMost(a->live, tileSharedLiveMost(a->items, count, NULL));
  return tileSuccess();
}

static MlirLogicalResult allocateAll(Allocation *a, MlirOperation module) {
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    TILE_TRY(allocate(a, op));
  *a->params->bytes += (uint64_t)a->bytes;
  *a->params->liveBytes += (uint64_t)a->live;
  if (a->bytes)
    mlirOperationSetDiscardableAttributeByName(module, tileStr("tile_gpu.shared"),
                                               tileI32Attr(a->context, a->bytes));
  else // the text may say what it likes
    mlirOperationRemoveDiscardableAttributeByName(module, tileStr("tile_gpu.shared"));
  if (a->alignment > 128)
    mlirOperationSetDiscardableAttributeByName(module, tileStr("tile_gpu.shared_alignment"),
                                               tileI32Attr(a->context, a->alignment));
  return tileSuccess();
}

MlirLogicalResult tileGPUAllocateSharedRun(MlirOperation module, const TileGPUAllocateSharedParams *params) {
  TileModuleTarget target;
  TileArena arena = {0};
  TILE_TRY(tileModuleTargetRead(module, &target));
  Allocation a = {.arena = &arena,
                  .target = &target.info,
                  .context = mlirOperationGetContext(module),
                  .spans = {.arena = &arena},
                  .users = {.arena = &arena},
                  .params = params};
  MlirLogicalResult result = allocateAll(&a, module);
  tileArenaRelease(&arena);
  return result;
}
