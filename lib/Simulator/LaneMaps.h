/* LaneMaps.h - which lane of a warp reads which, for the cross-lane instructions of both vendors. Pure
 * functions. */
#ifndef TILE_LIB_SIMULATOR_LANEMAPS_H
#define TILE_LIB_SIMULATOR_LANEMAPS_H
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which lane each lane reads (PTX ISA, "shfl.sync"; AMD ISA documents, "DPP", "DS_SWIZZLE"). */
typedef enum SimShfl { SimShfl_Butterfly, SimShfl_Up, SimShfl_Down, SimShfl_Index } SimShfl;
enum { SIM_LANE_INVALID = -1 };

/// The lane that `lane` reads; *out_valid is shfl's predicate (else it reads itself). b: distance or index;
/// c: clamp and segment mask.
unsigned simShflLane(SimShfl kind, unsigned lane, uint32_t b, uint32_t c, bool *out_valid);
/// The lane that DPP control `control` reads; SIM_LANE_INVALID: outside the row. -2 if the control is
/// unknown.
int simDppLane(unsigned control, unsigned lane, unsigned lanes);
/// The lane that ds_swizzle with this offset reads; -2 if the mode is unknown.
int simSwizzleLane(unsigned offset, unsigned lane);

#ifdef __cplusplus
}
#endif
#endif
