/* SmallNumbers.h - what a mark on an op of integers says of its numbers.
 *
 * `tile_gpu.small` on arith.cmpi: no element of either side is above TILE_SMALL_COMPARED in magnitude, nor would be without the
 * type's bounds; on arith.sitofp: none above TILE_SMALL_CONVERTED, so that a float holds it and all of its neighbours. A
 * comparison of two such numbers is one of their difference, and the difference of two elements may be added on either side of
 * a conversion. `tile_gpu.sums` says nothing of the numbers, but that registers of a conversion, or of a comparison's side, which differ
 * by constants are to be computed from one sum. */
#ifndef TILE_C_SMALLNUMBERS_H
#define TILE_C_SMALLNUMBERS_H

#define TILE_SMALL "tile_gpu.small"
#define TILE_SUMS  "tile_gpu.sums"

enum { TILE_SMALL_COMPARED = 1 << 29, TILE_SMALL_CONVERTED = 1 << 23 };

#endif
