/* PendingAccesses.c - sets of unfinished accesses of shared memory. */
#include "PendingAccesses.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUMemory.h"

enum { MOST_COMMITS = 16 }; /* older groups are not told apart */

static int groupsOf(MlirOperation op) {
  const int64_t groups = tileGetIntAttr(op, "tile_gpu.groups", 0);
  return groups > 1 ? (int)groups : 0;
}

int tilePendingAccessesOf(MlirOperation op, TilePendingAccess *out) {
  TileSharedUse uses[TileSharedUse_Max];
  int n = tileSharedUsesOf(op, uses), kept = 0;
  for (int i = 0; i < n; ++i) {
    TilePendingAccess a = {.isWrite = uses[i].isWrite, .isAsync = uses[i].isAsync, .groups = groupsOf(op)};
    TileMemDesc desc;
    a.root = tileBufferRoot(uses[i].buffer, &a.choice);
    if (!a.root.ptr || !tileMemDescOf(mlirValueGetType(mlirOperationGetResult(a.root, 0)), &desc))
      continue;
    a.first = tileGetIntAttr(a.root, "tile_gpu.offset", 0);
    a.end = a.first + tileMemDescBytes(&desc);
    out[kept++] = a;
  }
  return kept;
}

static bool sameAccess(const TilePendingAccess *a, const TilePendingAccess *b) {
  return a->first == b->first && a->end == b->end && a->root.ptr == b->root.ptr &&
         a->choice.known == b->choice.known && a->choice.index.ptr == b->choice.index.ptr &&
         a->choice.rotate == b->choice.rotate && a->choice.count == b->choice.count &&
         a->isWrite == b->isWrite && a->isAsync == b->isAsync && a->groups == b->groups &&
         a->commits == b->commits;
}

static bool contains(const TilePending *state, const TilePendingAccess *access) {
  for (int i = 0; i < state->count; ++i)
    if (sameAccess(&state->items[i], access))
      return true;
  return false;
}

static void append(TilePending *state, const TilePendingAccess *access) {
  if (state->count == state->capacity) {
    int capacity = state->capacity ? 2 * state->capacity : 16;
    TilePendingAccess *items = tileArenaAlloc(state->arena, (size_t)capacity, sizeof *items);
    if (state->count)
      memcpy(items, state->items, (size_t)state->count * sizeof *items);
    state->items = items;
    state->capacity = capacity;
  }
  state->items[state->count++] = *access;
}

void tilePendingAdd(TilePending *state, const TilePendingAccess *access) {
  if (!contains(state, access))
    append(state, access);
}

TilePending tilePendingCopy(const TilePending *state) {
  TilePending copy = {.arena = state->arena};
  for (int i = 0; i < state->count; ++i)
    append(&copy, &state->items[i]);
  return copy;
}

void tilePendingClear(TilePending *state) { state->count = 0; }

bool tilePendingJoin(TilePending *state, const TilePending *from) {
  int before = state->count;
  for (int i = 0; i < from->count; ++i)
    tilePendingAdd(state, &from->items[i]);
  return state->count > before;
}

static bool meets(const TilePendingAccess *other, const TilePendingAccess *access) {
  if (other->isAsync || !(other->isWrite || access->isWrite) || access->first >= other->end ||
      other->first >= access->end)
    return false;
  return !access->root.ptr || access->root.ptr != other->root.ptr ||
         !tileBufferChoicesDiffer(&access->choice, &other->choice);
}

TilePendingMeeting tilePendingMeets(const TilePending *state, const TilePendingAccess *access) {
  TilePendingMeeting found = TilePendingMeeting_None;
  for (int i = 0; i < state->count; ++i) {
    const TilePendingAccess *other = &state->items[i];
    if (!meets(other, access))
      continue;
    if (!other->groups || other->groups != access->groups || other->root.ptr != access->root.ptr)
      return TilePendingMeeting_Any;
    found = TilePendingMeeting_InGroup;
  }
  return found;
}

/* After items were changed: each once. */
static void dropRepeated(TilePending *state) {
  int n = state->count;
  state->count = 0;
  for (int i = 0; i < n; ++i) {
    TilePendingAccess a = state->items[i];
    tilePendingAdd(state, &a);
  }
}

void tilePendingBarrier(TilePending *state) {
  int kept = 0;
  for (int i = 0; i < state->count; ++i)
    if (state->items[i].isAsync)
      state->items[kept++] = state->items[i];
  state->count = kept;
}

void tilePendingGroupBarrier(TilePending *state, int groups) {
  int kept = 0;
  for (int i = 0; i < state->count; ++i)
    if (state->items[i].isAsync || state->items[i].groups < groups)
      state->items[kept++] = state->items[i];
  state->count = kept;
}

void tilePendingCommit(TilePending *state) {
  for (int i = 0; i < state->count; ++i)
    if (state->items[i].isAsync && state->items[i].commits < MOST_COMMITS)
      ++state->items[i].commits;
  dropRepeated(state);
}

void tilePendingWait(TilePending *state, int64_t pending) {
  for (int i = 0; i < state->count; ++i)
    if (state->items[i].isAsync &&
        (state->items[i].commits > pending || state->items[i].commits == MOST_COMMITS)) {
      state->items[i].isAsync = false;
      state->items[i].commits = 0;
    }
  dropRepeated(state);
}

/* The index that the loop carries through tile_gpu.advance of `count`, as a body argument; null if none. */
static MlirValue carriedIndex(MlirOperation loop, int64_t count, intptr_t i) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirValue argument = mlirBlockGetArgument(body, i + 1);
  MlirValue next = mlirOperationGetOperand(mlirBlockGetTerminator(body), i);
  TileGPUAdvanceOp advance = tileGPUAdvanceOpCast(tileValueGetDefiningOp(next));
  bool carried = !tileGPUAdvanceOpIsNull(advance) && tileGPUAdvanceOpGetCount(advance) == count &&
                 tileGPUAdvanceOpGetIndex(advance).ptr == argument.ptr;
  return carried ? argument : (MlirValue){NULL};
}

static void enterChoice(TileBufferChoice *choice, MlirOperation loop) {
  SCFForOp op = scfForOpCast(loop);
  int64_t start;
  if (!choice->known || choice->index.ptr)
    return;
  for (intptr_t i = 0; i < scfForOpGetNumInitArgs(op); ++i) {
    MlirValue argument = carriedIndex(loop, choice->count, i);
    if (!argument.ptr || !tileValueConstantInt(scfForOpGetInitArgs(op, i), &start))
      continue;
    choice->index = argument;
    choice->rotate = ((choice->rotate - start) % choice->count + choice->count) % choice->count;
    return;
  }
}

void tilePendingEnterLoop(TilePending *state, MlirOperation loop) {
  for (int i = 0; i < state->count; ++i)
    enterChoice(&state->items[i].choice, loop);
  dropRepeated(state);
}

static void nextChoice(TileBufferChoice *choice, MlirOperation loop) {
  SCFForOp op = scfForOpCast(loop);
  if (!choice->known || !choice->index.ptr ||
      !tileValueIsIn(choice->index, loop)) /* else another value in the next iteration */
    return;
  for (intptr_t i = 0; i < scfForOpGetNumInitArgs(op); ++i)
    if (carriedIndex(loop, choice->count, i).ptr == choice->index.ptr) {
      choice->rotate = (choice->rotate + choice->count - 1) % choice->count;
      return;
    }
  choice->known = false;
}

void tilePendingNextIteration(TilePending *state, MlirOperation loop) {
  for (int i = 0; i < state->count; ++i)
    nextChoice(&state->items[i].choice, loop);
  dropRepeated(state);
}

void tilePendingLeaveLoop(TilePending *state, MlirOperation loop) {
  for (int i = 0; i < state->count; ++i) {
    TileBufferChoice *choice = &state->items[i].choice;
    if (choice->known && choice->index.ptr && tileValueIsIn(choice->index, loop))
      choice->known = false;
  }
  dropRepeated(state);
}

void tilePendingForgetChoices(TilePending *state) {
  for (int i = 0; i < state->count; ++i)
    state->items[i].choice.known = false;
  dropRepeated(state);
}
