/* AccessPlan.h - how the threads of a program access global memory for one load or store of a tensor, and
 * what stands in the way of wider accesses.
 *
 * One description serves the lowering, which writes the accesses, and the report, which explains them, so
 * that they cannot disagree. */
#ifndef TILE_C_ACCESSPLAN_H
#define TILE_C_ACCESSPLAN_H
#include "tile-c/AxisInfo.h"
#include "tile-c/Target.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Widths count elements and are powers of two; an access takes consecutive registers.
typedef struct TileAccessPlan {
  int32_t dim;   ///< dimension along which the elements of a wide access are neighbours
  int width;     ///< of one access under any mask
  int wideWidth; ///< of one access where the thread's masks are all true; at least `width`
  int aligned; ///< elements to a multiple of which an access starts; less than its width where the chip lets it start anywhere
  bool twoForms; ///< the op is written twice: for all masks true, and for any
} TileAccessPlan;

/// What is known of pointers for their accesses: as the axis analysis says, but where the chip lets wide accesses start at any element,
/// `contiguity` counts neighbours wherever they start. Those are certain if nothing wraps around, as the kernel has found out in front of
/// its loop (`tile_gpu.bounded` on the tile.addptr) or as tile.pointer_range promises. False if nothing is known.
bool tileAccessAxis(const TileAxisInfo *info, const TileTargetInfo *target, MlirValue ptr, TileAxis *out);

/// `mask` may be null. `bits`: of one element in memory (i1: 8).
TileAccessPlan tileAccessPlan(const TileAxisInfo *info, const TileTargetInfo *target, MlirValue ptr,
                              MlirValue mask, const TileLayout *layout, int64_t bits);

/// How many elements each condition by itself would let one access take.
typedef struct TileAccessLimits {
  int32_t dim;     ///< the dimension of which the rest speaks
  int64_t chip;    ///< the chip's widest access
  int64_t run;     ///< neighbours in memory, whatever their alignment (an estimate: TileAxisDim.run)
  int64_t address; ///< neighbours in memory that are known to be aligned to their size
  int64_t mask;    ///< masked alike, at least almost always (tileAxisInfoMaskGroup); without mask the chip's
  int64_t layout;  ///< neighbours that the layout gives one thread
  int64_t alignment; ///< bytes of which each group of `address` neighbours is known to start at a multiple
} TileAccessLimits;

/// The limits along the dimension of the plan, or, where an access takes one element, along the dimension in
/// which pointers run.
TileAccessLimits tileAccessLimits(const TileAxisInfo *info, const TileTargetInfo *target, MlirValue ptr,
                                  MlirValue mask, const TileLayout *layout, int64_t bits,
                                  const TileAccessPlan *plan);

#ifdef __cplusplus
}
#endif
#endif
