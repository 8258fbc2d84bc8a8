/* PendingAccesses.h - the state of tile-gpu-insert-barriers: accesses of shared memory that some thread may
 * not have finished. */
#ifndef TILE_LIB_TILEGPU_PENDINGACCESSES_H
#define TILE_LIB_TILEGPU_PENDINGACCESSES_H
#include "tile-c/IR.h"
#include "tile-c/SharedAccess.h"
#include "tile-c/Support/Arena.h"

/// Bytes [first, end) of shared memory, of a buffer or (root null) of an op's scratch.
typedef struct TilePendingAccess {
  int64_t first, end;
  MlirOperation root; ///< tile_gpu.alloc
  TileBufferChoice choice;
  bool isWrite, isAsync; ///< isAsync: a copy under way, which no barrier ends
  int groups;            ///< so many groups of warps each their own part of the buffer; 0: all
  int commits;           ///< groups ended since an asynchronous copy started, up to a limit
} TilePendingAccess;

/// A set of accesses. Set `arena`, leave the rest zero.
typedef struct TilePending {
  TileArena *arena;
  TilePendingAccess *items;
  int count, capacity;
} TilePending;

/// What an op does to buffers; returns how many, at most TileSharedUse_Max.
int tilePendingAccessesOf(MlirOperation op, TilePendingAccess *out);

TilePending tilePendingCopy(const TilePending *state);
void tilePendingClear(TilePending *state);
void tilePendingAdd(TilePending *state, const TilePendingAccess *access);
/// Adds all of `from`; whether any was new.
bool tilePendingJoin(TilePending *state, const TilePending *from);
/// For whom an access has to wait: nobody, threads of its warp group, or any.
typedef enum TilePendingMeeting {
  TilePendingMeeting_None,
  TilePendingMeeting_InGroup,
  TilePendingMeeting_Any
} TilePendingMeeting;
/// For whom `access` has to wait of the set: they share bytes and one of them writes.
TilePendingMeeting tilePendingMeets(const TilePending *state, const TilePendingAccess *access);
/// Accesses of groups' own parts are over, where each of `groups` waits for itself and the parts are no larger.
void tilePendingGroupBarrier(TilePending *state, int groups);
/// All accesses are over, except copies under way.
void tilePendingBarrier(TilePending *state);
void tilePendingCommit(TilePending *state);
/// Copies older than the newest `pending` groups become writes.
void tilePendingWait(TilePending *state, int64_t pending);

// Choices of buffers by an index that an scf.for carries through tile_gpu.advance are followed into it, to
// its next iteration and out of it.
void tilePendingEnterLoop(TilePending *state, MlirOperation loop);
void tilePendingNextIteration(TilePending *state, MlirOperation loop);
void tilePendingLeaveLoop(TilePending *state, MlirOperation loop);
void tilePendingForgetChoices(TilePending *state);

#endif
