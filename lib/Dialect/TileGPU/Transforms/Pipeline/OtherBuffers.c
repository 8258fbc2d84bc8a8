/* OtherBuffers.c - the shared memory that is in use beside the buffers of a pipeline: those in its loop (of inner pipelines, of
 * factors that are computed), and those in front of it that live on through it. */
#include "Pipeline.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Support/Bits.h"

/* A buffer of a block, and the last op of the block that is done before it may be another's. */
typedef struct Buffer {
  MlirOperation alloc, last;
  int64_t bytes;
} Buffer;

typedef struct Buffers {
  Buffer *items;
  size_t count;
} Buffers;

/* Bytes of a tile_gpu.alloc; 0 of other ops, and of what will be the pipeline's own. */
static int64_t bytesOf(const TilePipeline *p, MlirOperation op) {
  TileMemDesc desc;
  int load;
  if (tileOpKind(op) != TileOp_TileGPU_Alloc || tilePipelineReadsBuffer(p, op, &load) ||
      !tileMemDescOf(mlirValueGetType(mlirOperationGetResult(op, 0)), &desc))
    return 0;
  return tileMemDescBytes(&desc);
}

/* The op of `block` that an op is, or stands in; null: it stands elsewhere. */
static MlirOperation opOfBlock(MlirBlock block, MlirOperation op) {
  while (op.ptr && mlirOperationGetBlock(op).ptr != block.ptr)
    op = mlirOperationGetParentOperation(op);
  return op;
}

/* Of uses of a buffer and of views of it, in a block. Products of warp groups read until they have been waited for. */
static MlirOperation lastUse(MlirBlock block, MlirValue buffer, MlirOperation last, int depth) {
  enum { MOST_VIEWS = 8 };
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), wait = {NULL};
    if (tileOpKind(user) == TileOp_TileGPU_Wgmma)
      wait = tileWarpGroupWaitOf(user);
    MlirOperation at = opOfBlock(block, wait.ptr ? wait : user);
    if (at.ptr && mlirOperationIsBeforeInBlock(last, at))
      last = at;
    for (intptr_t i = 0; depth < MOST_VIEWS && i < mlirOperationGetNumResults(user); ++i)
      if (tileGPUMemDescTypeIsA(mlirValueGetType(mlirOperationGetResult(user, i))))
        last = lastUse(block, mlirOperationGetResult(user, i), last, depth + 1);
  }
  return last;
}

static Buffers buffersOf(const TilePipeline *p, MlirBlock block) {
  Buffers found = {NULL, 0};
  size_t most = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    most += tileOpKind(op) == TileOp_TileGPU_Alloc;
  found.items = tileArenaAlloc(p->arena, most + 1, sizeof *found.items);
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (bytesOf(p, op))
      found.items[found.count++] =
          (Buffer){op, lastUse(block, mlirOperationGetResult(op, 0), op, 0), bytesOf(p, op)};
  return found;
}

/* Bytes of those that are in use while an op of their block is executed. */
static int64_t bytesAt(const Buffers *buffers, MlirOperation op) {
  int64_t bytes = 0;
  for (size_t i = 0; i < buffers->count; ++i) {
    const Buffer *b = &buffers->items[i];
    if (b->alloc.ptr == op.ptr || (mlirOperationIsBeforeInBlock(b->alloc, op) &&
                                   (b->last.ptr == op.ptr || mlirOperationIsBeforeInBlock(op, b->last))))
      bytes += b->bytes;
  }
  return bytes;
}

static int64_t mostIn(const TilePipeline *p, MlirBlock block) {
  const Buffers buffers = buffersOf(p, block);
  int64_t most = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    int64_t inside = 0;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
      inside = tileMost(inside, inner.ptr ? mostIn(p, inner) : 0);
    }
    if (inside || tileOpKind(op) == TileOp_TileGPU_Alloc)
      most = tileMost(most, bytesAt(&buffers, op) + inside);
  }
  return most;
}

int64_t tilePipelineOtherBytesIn(const TilePipeline *p) { return mostIn(p, p->body); }

int64_t tilePipelineOtherBytesAround(const TilePipeline *p) {
  int64_t bytes = 0;
  for (MlirOperation op = p->loop.op; op.ptr && tileOpKind(op) != TileOp_Func_Func;
       op = mlirOperationGetParentOperation(op)) {
    const Buffers buffers = buffersOf(p, mlirOperationGetBlock(op));
    bytes += bytesAt(&buffers, op);
  }
  return bytes;
}
