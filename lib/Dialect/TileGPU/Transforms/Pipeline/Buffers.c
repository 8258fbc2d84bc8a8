/* Buffers.c - the shared memory of a pipeline: how many buffers a load needs, in which layout. */
#include "Pipeline.h"
#include "SharedChoice.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Scratch.h"
#include "tile-c/Support/Bits.h"

/* The load whose result `v` is, through transposed views; their order, from the load's dimensions. */
static int loadBehind(const TilePipeline *p, MlirValue v, int32_t *perm) {
  MlirOperation op = tileValueGetDefiningOp(v);
  int load = tilePipelineLoadOf(p, v);
  if (load >= 0) {
    for (int32_t d = 0; d < TileLayout_MaxRank; ++d)
      perm[d] = d;
    return load;
  }
  if (tileOpKind(op) != TileOp_Tile_Trans || mlirOperationGetBlock(op).ptr != p->body.ptr)
    return -1;
  int32_t inner[TileLayout_MaxRank];
  load = loadBehind(p, mlirOperationGetOperand(op, 0), inner);
  MlirAttribute order = tileTransOpGetOrderAttr(tileTransOpCast(op));
  for (intptr_t d = 0; load >= 0 && d < mlirDenseArrayGetNumElements(order); ++d)
    perm[d] = inner[mlirDenseI32ArrayGetElement(order, d)];
  return load;
}

/* The load that a tile_gpu.alloc starts with, -1 if it starts with anything else. */
static int loadOfAlloc(const TilePipeline *p, MlirOperation op) {
  TileGPUAllocOp alloc = tileGPUAllocOpCast(op);
  MlirValue init = tileGPUAllocOpIsNull(alloc) ? (MlirValue){NULL} : tileGPUAllocOpGetInit(alloc);
  return init.ptr ? tilePipelineLoadOf(p, init) : -1;
}

bool tilePipelineReadsBuffer(const TilePipeline *p, MlirOperation user, int *out_load) {
  int32_t perm[TileLayout_MaxRank];
  if (tileOpKind(user) == TileOp_TileGPU_Alloc) {
    *out_load = loadOfAlloc(p, user);
    return *out_load >= 0 && p->loads[*out_load].mode != TileCopy_Register &&
           mlirTypeEqual(p->loads[*out_load].bufferType, mlirValueGetType(mlirOperationGetResult(user, 0)));
  }
  if (tileOpKind(user) != TileOp_TileGPU_ConvertLayout)
    return false;
  *out_load = loadBehind(p, mlirOperationGetOperand(user, 0), perm);
  return *out_load >= 0 && p->loads[*out_load].mode != TileCopy_Register;
}

// ---- Layout ----

typedef struct Readers {
  TilePipeline *p;
  int load;
  TileSharedReader *readers;
  int count;
  MlirType wanted; ///< of the first alloc of the load's result; null: there is none
} Readers;

static MlirWalkResult visitReader(MlirOperation op, void *user) {
  Readers *r = user;
  int32_t perm[TileLayout_MaxRank], back[TileLayout_MaxRank];
  TileLayout layout;
  if (loadOfAlloc(r->p, op) == r->load && !r->wanted.ptr)
    r->wanted = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (tileOpKind(op) != TileOp_TileGPU_ConvertLayout || r->count == TileSharedReader_Max ||
      loadBehind(r->p, mlirOperationGetOperand(op, 0), perm) != r->load ||
      !tileLayoutOfType(mlirValueGetType(mlirOperationGetResult(op, 0)), &layout))
    return MlirWalkResultAdvance;
  for (int32_t d = 0; d < layout.rank; ++d)
    back[perm[d]] = d;
  if (tileLayoutTranspose(&layout, back, &r->readers[r->count].layout))
    ++r->count;
  return MlirWalkResultAdvance;
}

bool tilePipelineChooseLayout(TilePipeline *p, int i) {
  TilePipelineLoad *load = &p->loads[i];
  MlirType type = mlirValueGetType(tileLoadOpGetResult(load->op));
  TileSharedReader readers[TileSharedReader_Max];
  Readers walk = {p, i, readers, 0, {NULL}};
  TileMemDesc wanted;
  TileLayout own;
  if (!tileLayoutOfType(type, &own))
    return false;
  mlirOperationWalk(p->loop.op, visitReader, &walk, MlirWalkPreOrder);
  load->alignment = TileShared_DefaultAlignment;
  load->isFactor = walk.wanted.ptr && tileMemDescOf(walk.wanted, &wanted);
  if (load->isFactor) {
    load->layout = wanted.layout;
    load->alignment = wanted.alignment;
    load->bufferType = walk.wanted;
    return true;
  }
  if (!walk.count)
    readers[walk.count++].layout = own;
  int bits = 8 * (int)tileElementTypeSize(tileElementTypeOf(type));
  if (!tileChooseSharedLayout(&own, readers, walk.count, bits, &p->target->info, load->isDirect,
                              &load->layout))
    return false;
  load->bufferType =
      tileMemDescTypeFor(tileTypeGetElement(type), &load->layout, TileShared_DefaultAlignment, 0);
  return true;
}

// ---- Number ----

typedef struct ScratchWalk {
  TilePipeline *p;
  int64_t most;
} ScratchWalk;

static MlirWalkResult visitScratch(MlirOperation op, void *user) {
  ScratchWalk *walk = user;
  int64_t bytes = 0;
  int load;
  if (!tilePipelineReadsBuffer(walk->p, op, &load) &&
      tileSucceeded(tileScratchBytes(op, &walk->p->target->info, &bytes)) && bytes > walk->most)
    walk->most = bytes;
  return MlirWalkResultAdvance;
}

static int64_t bufferBytes(const TilePipelineLoad *load) {
  TileMemDesc desc;
  return tileMemDescOf(load->bufferType, &desc) ? desc.stride : 0;
}

static MlirWalkResult countDot(MlirOperation op, void *count) {
  *(int *)count += tilePipelineIsDot(op);
  return MlirWalkResultAdvance;
}

/* A staged load's second buffer saves a barrier, but not at the price of a second block on the same multiprocessor.
 * On AMD a single product hides the barrier behind itself (tile-gpu-prefetch), and one buffer has constant
 * addresses. */
static int stagedBuffers(TilePipeline *p, int64_t bytesOfTwo) {
  int dots = 0;
  mlirOperationWalk(p->loop.op, countDot, &dots, MlirWalkPreOrder);
  bool hidden = dots == 1 && p->target->info.vendor == TileVendor_AMD;
  return !hidden && 2 * bytesOfTwo <= p->target->info.sharedPerBlock ? 2 : 1;
}

typedef struct Open {
  MlirBlock body;
  bool any, all;
} Open;

/* Whether a product adds to what the loop carries, which nothing else in it looks at. */
static MlirWalkResult lookAtSum(MlirOperation op, void *user) {
  Open *o = user;
  if (tileOpKind(op) != TileOp_TileGPU_Wgmma)
    return MlirWalkResultAdvance;
  MlirOperation yield = mlirBlockGetTerminator(o->body);
  MlirValue sum = tileGPUWgmmaOpGetC(tileGPUWgmmaOpCast(op));
  MlirOperation wait = tileValueOnlyUser(mlirOperationGetResult(op, 0));
  o->any = true;
  o->all &= mlirValueIsABlockArgument(sum) && mlirBlockEqual(mlirBlockArgumentGetOwner(sum), o->body) &&
            wait.ptr && tileOpKind(wait) == TileOp_TileGPU_WgmmaWait &&
            mlirOperationGetNumResults(wait) == 1 &&
            mlirOperationEqual(tileValueOnlyUser(mlirOperationGetResult(wait, 0)), yield);
  return MlirWalkResultAdvance;
}

/* Whether products may go on while the next iteration starts: all do, or none. */
static bool mayStayOpen(const TilePipeline *p) {
  Open o = {p->body, false, true};
  mlirOperationWalk(p->loop.op, lookAtSum, &o, MlirWalkPreOrder);
  return o.any && o.all;
}

/* A factor's buffer is still read in the step after its own: tile-gpu-overlap-wgmma leaves a product open. Copies that start behind the wait
 * for it may take that buffer. */
static void countBuffers(TilePipeline *p) {
  int64_t staged = 0;
  for (int i = 0; i < p->numLoads; ++i)
    if (p->loads[i].mode == TileCopy_Staged)
      staged += 2 * bufferBytes(&p->loads[i]);
  int ofStaged = stagedBuffers(p, staged);
  const bool isOpen = !p->isBehind && mayStayOpen(p);
  for (int i = 0; i < p->numLoads; ++i) {
    TilePipelineLoad *load = &p->loads[i];
    load->buffers = 0;
    if (load->consumers && load->mode == TileCopy_Async)
      load->buffers = load->last - load->stage + (load->isFactor && isOpen ? 2 : 1);
    else if (load->consumers && load->mode == TileCopy_Staged)
      load->buffers = ofStaged;
  }
}

bool tilePipelineChooseBuffers(TilePipeline *p) {
  ScratchWalk walk = {p, 0};
  for (int i = 0; i < p->numLoads; ++i)
    if (p->loads[i].mode != TileCopy_Register && !tilePipelineChooseLayout(p, i))
      return false;
  countBuffers(p);
  mlirOperationWalk(p->loop.op, visitScratch, &walk, MlirWalkPreOrder);
  int64_t bytes = walk.most;
  for (int i = 0; i < p->numLoads; ++i)
    bytes += p->loads[i].buffers * bufferBytes(&p->loads[i]);
  p->sharedBytes = bytes;
  return bytes - walk.most + tileMost(walk.most, tilePipelineOtherBytesIn(p)) +
             tilePipelineOtherBytesAround(p) <=
         p->target->info.sharedPerBlock;
}

void tilePipelineAllocate(TilePipeline *p) {
  MlirLocation loc = mlirOperationGetLocation(p->loop.op);
  for (int i = 0; i < p->numLoads; ++i) {
    TilePipelineLoad *load = &p->loads[i];
    if (!load->buffers)
      continue;
    MlirType element = tileGPUMemDescTypeGetElementType(load->bufferType);
    MlirType type = tileMemDescTypeFor(element, &load->layout, load->alignment, load->buffers);
    tilePipelinePrepareDirect(p, load);
    load->alloc = tileGPUAllocOpGetResult(tileGPUAllocOpCreate(p->b, loc, type, (MlirValue){NULL}));
  }
}
