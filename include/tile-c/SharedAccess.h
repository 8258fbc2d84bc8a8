/* SharedAccess.h - which buffers in shared memory an op reads and writes, for allocation and barriers.
 *
 * Asynchronous copies write from their start until a wait that covers them: `isAsync`. */
#ifndef TILE_C_SHAREDACCESS_H
#define TILE_C_SHAREDACCESS_H
#include "tile-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One buffer of several: (index + rotate) modulo count; `index` null if it is a constant, then in `rotate`.
typedef struct TileBufferChoice {
  bool known; ///< false: any of them
  MlirValue index;
  int64_t rotate, count;
} TileBufferChoice;

/// The tile_gpu.alloc behind a buffer or view (null if it is none), and which of its buffers it is.
MlirOperation tileBufferRoot(MlirValue buffer, TileBufferChoice *out_choice);
/// Whether two choices among the buffers of one alloc are known to differ.
bool tileBufferChoicesDiffer(const TileBufferChoice *a, const TileBufferChoice *b);

typedef struct TileSharedUse {
  MlirValue buffer;
  bool isWrite, isAsync;
} TileSharedUse;

enum { TileSharedUse_Max = 4 };
/// What `op` itself does to buffers, not ops inside; at most TileSharedUse_Max uses, returns how many.
int tileSharedUsesOf(MlirOperation op, TileSharedUse *out);

#ifdef __cplusplus
}
#endif
#endif
