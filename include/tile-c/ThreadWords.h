/* ThreadWords.h - how much of its tensors a thread of a kernel has to keep in registers. */
#ifndef TILE_C_THREADWORDS_H
#define TILE_C_THREADWORDS_H
#include "tile-c/AccessPlan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most 32-bit registers that loaded values, and what is computed from them, take in a thread at a load or a reduction,
/// where order is fixed; between those a thread can go through its elements one by one. -1 if the kernel (lowered to
/// tile_gpu, with layouts) has loops, branches, types of 64 bits, accesses of memory in many parts, or ops that need many
/// registers of their own.
int64_t tileThreadWords(MlirOperation function, const TileAxisInfo *axis, const TileTargetInfo *target);

#ifdef __cplusplus
}
#endif
#endif
