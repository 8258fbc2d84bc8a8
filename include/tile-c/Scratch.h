/* Scratch.h - how much shared memory an op needs while it runs, and what for.
 *
 * One description serves the allocation (bytes) and the lowering (the plan behind them), so that they cannot
 * disagree. */
#ifndef TILE_C_SCRATCH_H
#define TILE_C_SCRATCH_H
#include "tile-c/IR.h"
#include "tile-c/LayoutConvert.h"
#include "tile-c/Target.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Moving a tensor from one layout to another, of the same shape.
struct TileConvertPlan {
  TileConversion conversion;
  /// For kinds above Register: both layouts without repeated registers, and where those of the source come
  /// from.
  TileLayout from, to;
  int32_t fromKept[TileLayout_MaxBits]; ///< operand's register bit behind each register bit of `from`
  int elementBits;                      ///< in shared memory: i1 8, pointers 64
  bool byShuffles;                      ///< within warps, and cheaper so: `shuffle`, no shared memory
  bool warpLocal; ///< through shared memory, but no warp reads what another one has written
  TileShufflePlan shuffle;
  TileScratchPlan scratch;
};
typedef struct TileConvertPlan TileConvertPlan;
/// Plans with at most `limit` bytes of scratch (0: what the chip gives without asking); more need rounds. False
/// if the element or the size cannot be converted; `out->scratch.bytes` is then the least that would do.
bool tileConvertPlan(const TileLayout *from, const TileLayout *to, MlirType element,
                     const TileTargetInfo *target, int64_t limit, TileConvertPlan *out);
/// The plan of a tile_gpu.convert_layout with these layouts: its attribute tile_gpu.scratch_limit is the limit.
bool tileConvertPlanOf(MlirOperation op, const TileLayout *from, const TileLayout *to,
                       const TileTargetInfo *target, TileConvertPlan *out);

/// A reduction along one axis: in each thread, over lanes, then over warps through shared memory.
typedef struct TileReducePlan {
  TileLayout operand, result;  ///< result: tileLayoutSlice of the operand; rank 0 for a scalar
  uint32_t laneMask, warpMask; ///< bits of the lane and warp number along the axis
  uint32_t slotMask;           ///< bits of the thread's number that tell results of one register apart
  int axisWarps;               ///< warps that hold parts of one result
  int64_t perRound;            ///< result registers that go through shared memory at a time
  int64_t resultElements;      ///< places for each of these warps: all results, in rounds those of a round
  int64_t bytes;               ///< scratch of all operands; 0 if one warp holds each result
} TileReducePlan;
/// Whether operands may have the layout: each of its bits lies along the axis or has nothing of it, and no element
/// is held twice by bits along the axis. Of an ordered reduction, registers hold the lowest positions and warps the
/// highest.
bool tileReduceLayoutFits(MlirOperation op, const TileLayout *operand);
/// Whether the combiner was found not to be commutative (`tile_gpu.ordered`, from convert-tile-to-tile-gpu): partial
/// results of lower elements stay in front of those of higher ones.
bool tileReduceIsOrdered(MlirOperation op);
/// With at most `limit` bytes of scratch (0: the op's attribute tile_gpu.scratch_limit, or what a block can have), if
/// so few results at a time will do. False (with a diagnostic) if an operand has no layout or one that does not fit.
bool tileReducePlan(MlirOperation op, const TileTargetInfo *target, int64_t limit, TileReducePlan *out);
/// Bytes of one element of an operand in shared memory.
int tileScratchElementBytes(MlirType type);
/// Where operand i's part of a reduction's scratch begins.
int64_t tileReduceOffset(MlirOperation op, const TileReducePlan *plan, intptr_t operand);

/// A matrix product without matrix units: both operands row-major in shared memory, or as much of them along K as
/// fits at a time.
typedef struct TileDotPlan {
  TileLayout result;
  int64_t m, n, k;
  int64_t chunk; ///< of K at a time, a power of two
  int64_t
      aRow; ///< elements from one row of A's to the next: chunk, or more, so that lanes meet no bank twice
  int64_t bOffset, bytes; ///< where B begins, what both take
} TileDotPlan;
/// False (with a diagnostic) if the result has no layout.
bool tileDotPlan(MlirOperation op, const TileTargetInfo *target, TileDotPlan *out);
/// tile.gather: the source is stored, element after element; each thread loads what its indices name. A source that
/// does not fit is stored in 2^roundBits parts, one after another: bits of its coordinates that depend on a register
/// bit alone tell them apart, and are left out of places. Each thread loads in each round and keeps what came from
/// the right part.
typedef struct TileGatherPlan {
  TileLayout source, result;           ///< source: a part's, without repeated registers
  int32_t kept[TileLayout_MaxBits];    ///< operand's register bit behind each register bit of `source`
  int32_t order[TileLayout_MaxRank];   ///< dimensions of the source in shared memory, the fastest first
  int64_t strides[TileLayout_MaxRank]; ///< of the source in shared memory, in elements
  TileSharedAccess store;
  int elementBits; ///< in shared memory: i1 8, pointers 64
  int roundBits;
  struct {
    int32_t registerBit; ///< of the operand
    int32_t dim, bit;    ///< of the coordinate: its bit, those of earlier entries taken out
  } rounds[TileLayout_MaxBits];
  int64_t bytes; ///< of a part
} TileGatherPlan;
/// With at most `limit` bytes for a part (0: the op's attribute tile_gpu.scratch_limit, or what a block can have), if
/// the layout has such halves. False (with a diagnostic) if an operand has no layout.
bool tileGatherPlan(MlirOperation op, const TileTargetInfo *target, int64_t limit, TileGatherPlan *out);

/// Bins of a tile.histogram that are counted at a time, a counter of 4 bytes each in at most `limit` bytes (0: the op's
/// attribute tile_gpu.scratch_limit, or what a block can have).
int64_t tileHistogramBins(MlirOperation op, const TileTargetInfo *target, int64_t limit);

/// Whether all threads of the program meet at a barrier inside an op with scratch, after its first stores;
/// else only those of a warp do.
bool tileScratchMeetsBarrier(MlirOperation op, const TileTargetInfo *target);
/// Whether the blocks of a cluster share out what a tile_gpu.block_sum adds up, or the first one adds up all of it.
bool tileBlockSumIsShared(MlirOperation op);

/// Bytes of shared memory that `op` needs while it runs; 0 if none. Fails with a diagnostic.
MlirLogicalResult tileScratchBytes(MlirOperation op, const TileTargetInfo *target, int64_t *out_bytes);

#ifdef __cplusplus
}
#endif
#endif
