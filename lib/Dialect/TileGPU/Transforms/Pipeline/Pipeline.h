/* Pipeline.h - the software pipeliner: what its parts know of one loop.
 *
 * Time is counted in steps. Iteration i runs stage s at step i + s; the last stage, number `depth`, is the
 * loop's computation, stages before it start loads early. A slice is what a stage executes: the closure of its
 * loads' operands over ops without effects. Slices do not share values, except through the loads: what two
 * stages need is computed by both, and variables that the loop carries are carried once for each stage that
 * needs them. So a slice is right whatever the others do. */
#ifndef TILE_LIB_TILEGPU_PIPELINE_H
#define TILE_LIB_TILEGPU_PIPELINE_H
#include "tile-c/AxisInfo.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/LayoutShared.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

enum { TilePipeline_MaxStages = 16, TilePipeline_MaxLoads = 32 };

/// The way of a load's elements to their consumers.
typedef enum TileCopyMode {
  TileCopy_Async,   ///< asynchronously into a buffer
  TileCopy_Staged,  ///< into registers, a step later into a buffer
  TileCopy_Register ///< in registers, handed from step to step
} TileCopyMode;

typedef struct TilePipelineLoad {
  TileLoadOp op;
  bool isBeside; ///< does not lead to a product
  int level;     ///< loads on the way from this one to the computation
  TileCopyMode mode;
  int stage;          ///< that starts the load
  uint32_t consumers; ///< bit c: stage c uses the result
  int last;           ///< the highest of these
  int buffers;        ///< 0 in registers
  TileSharedLayout layout;
  MlirType bufferType; ///< of one buffer
  int64_t alignment;   ///< bytes, of a buffer
  bool isFactor;       ///< products of warp groups read the buffer
  bool isDirect;       ///< AMD: the copy goes to LDS 16 bytes a lane, one lane behind the other
  MlirAttribute lanes; ///< of a direct copy: the layout of its addresses
  MlirValue offsets,
      mask; ///< of a direct copy, in that layout, from in front of the loop; null if there are none
  MlirValue alloc;
  MlirValue current[TilePipeline_MaxStages]; ///< of the last steps, the newest first, where carried
  int carried;                               ///< how many of them
} TilePipelineLoad;

typedef struct TilePipelineSlice {
  TilePointerMap ops; ///< of the loop's body
  bool *args;         ///< which carried variables
  bool stops;         ///< at the last iteration, which it repeats instead of masking what does not exist
} TilePipelineSlice;

typedef struct TilePipeline {
  TileArena *arena;
  MlirContext context;
  TileBuilder b;
  const TileModuleTarget *target;
  const TileAxisInfo *axis;
  SCFForOp loop;
  MlirBlock body;
  MlirOperation yield;
  intptr_t numArgs;
  bool takesBeside; ///< loads beside those too, if they are small
  bool allLoads;    ///< asked for on the loop; else those that lead to a dot
  bool isLate; ///< AMD: registers do not reach for staged loads that are under way through a whole iteration
  bool
      isBehind; ///< copies start behind the wait for the product before (tile-gpu-overlap-wgmma), which needs no buffer of its own then
  int numStages, depth;
  int64_t sharedBytes; ///< of all buffers, and the largest scratch beside them
  int numLoads;
  TilePipelineLoad loads[TilePipeline_MaxLoads];
  TilePipelineSlice slices[TilePipeline_MaxStages + 1];
} TilePipeline;

// ---- Hoist.c ----

/// Conversions of what element-wise ops make of a load become conversions of the load.
void tilePipelineHoistConversions(TilePipeline *p);

// ---- Loads.c ----

bool tilePipelineIsDot(MlirOperation op);
/// Collects the loads that may be started early, with levels and modes, deepest level first dropped as far as
/// numStages asks. False if none is left or the loop cannot be pipelined.
bool tilePipelineFindLoads(TilePipeline *p);
/// Tells the function what memory the loads that were found, which will run ahead, take to be another than the
/// loop writes.
void tilePipelineAssumeSeparate(TilePipeline *p);
/// Index in p->loads of a value's load, -1 if it is none.
int tilePipelineLoadOf(const TilePipeline *p, MlirValue v);

// ---- Slices.c ----

/// Adds what `v` needs to the slice, up to the results of p->loads, which are set as bits of *out_loads. With
/// `anything` also ops with effects; else false if one is needed.
bool tilePipelineSliceAdd(TilePipeline *p, TilePipelineSlice *slice, MlirValue v, bool anything,
                          uint32_t *out_loads);
TilePipelineSlice tilePipelineNewSlice(TilePipeline *p);
/// Slices of all stages, and the consumers of all loads.
void tilePipelineMakeSlices(TilePipeline *p);

// ---- Schedule.c ----

/// Whether staged loads, accumulators and a step's fragments fill a thread's registers (p->isLate).
bool tilePipelineIsTight(const TilePipeline *p);
/// Stages of all loads, and the depth.
void tilePipelineSchedule(TilePipeline *p);

// ---- DirectCopies.c ----

/// Whether the chip has copies of 16 bytes a lane from buffer resources to LDS.
bool tilePipelineHasDirectCopies(const TileTargetInfo *target);
/// Makes buffer accesses of loads that tile-gpu-buffer-accesses would make some; whether there were any.
bool tilePipelineMarkBuffers(TilePipeline *p);
/// Makes the load a direct copy if it can be one; its mode then is TileCopy_Async.
void tilePipelineTryDirect(TilePipeline *p, int load);
/// Offsets and mask in the layout of the copy, in front of the loop.
void tilePipelinePrepareDirect(TilePipeline *p, TilePipelineLoad *load);
/// The copy's pointers, given those of the load in the stage that starts it.
MlirValue tilePipelineDirectPointers(TilePipeline *p, const TilePipelineLoad *load, MlirValue pointers);

// ---- FirstCopies.c ----

/// Conversions of what was loaded in front of the new loop move to it, behind the copies that its first iterations need.
void tilePipelineCopiesFirst(TilePipeline *p, MlirOperation loop);

// ---- OtherBuffers.c ----

/// Most bytes of other buffers at a time in the loop, and of those around it that live on through it.
int64_t tilePipelineOtherBytesIn(const TilePipeline *p);
int64_t tilePipelineOtherBytesAround(const TilePipeline *p);

// ---- Buffers.c ----

/// The layout of a load's buffer, from its readers; false if there is none.
bool tilePipelineChooseLayout(TilePipeline *p, int load);
/// Layouts and numbers of buffers; false if they exceed the chip's shared memory.
bool tilePipelineChooseBuffers(TilePipeline *p);
/// Allocates them in front of the loop.
void tilePipelineAllocate(TilePipeline *p);
/// The values that convert_layouts make of a load's result, through transposed views: whether `user` is one,
/// so that it can read the buffer by itself. An alloc of the result is the buffer, if that has its layout.
bool tilePipelineReadsBuffer(const TilePipeline *p, MlirOperation user, int *out_load);

// ---- Expand.c ----

/// Replaces the loop.
void tilePipelineExpand(TilePipeline *p);

#endif
