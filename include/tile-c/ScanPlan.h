/* ScanPlan.h - how a tile.scan is carried out with the layout of its operands.
 *
 * Along the axis an element's position is a binary number, and each of its bits is held by one register,
 * lane or warp bit. A scan works from the lowest position bit upwards: with the prefixes of all blocks of 2^k
 * elements at hand, the next bit makes blocks of 2^(k+1) by combining the last prefix of each lower half into
 * the upper half. Position bits below the lowest warp bit (`innerBits` of them: registers and lanes in any
 * order) are done within the warp. The rest names a block: the blocks' totals go through shared memory once,
 * and every thread combines those before its own.
 *
 * An axis of at most TileScan_ShortAxis elements that is not all in registers is done with blocks of one element
 * (if scratch for all of them is small): from the first to the last, so that not even the grouping differs from
 * the definition.
 *
 * Where a thread holds TileScan_SpreadGroups such blocks or more of a scan that all threads share, the lanes are not scanned
 * block after block. `spread`: only the register bits below the first lane or warp bit are inner ones; the threads' totals of
 * them go to shared memory, and each thread takes as many that follow each other, in order of the thread numbers: they are
 * scanned in registers, once over the lanes, and once over the warps, and what stands before each of them goes back the same way.
 *
 * Worked: 1024 f32 on 4 warps of 32 lanes, register=[[1],[2],[512]], lane=[[4],..,[64]],
 * warp=[[128],[256]]. Seven inner bits: two registers in order, then five steps of lanes. Three outer bits,
 * two of warps and one of registers: eight blocks of 128 elements; blocks 0..3 are register 0..3 of warps
 * 0..3, blocks 4..7 registers 4..7. 4096 f32 on the same warps, register=[[1],[2],[512],[1024],[2048]], would be 32 blocks, eight
 * of each warp, 48 shuffles a thread. Spread they are 1024 of 4 elements: thread t has number t + 128 i at i and scans 8 t to
 * 8 t + 7, with 6 shuffles. */
#ifndef TILE_C_SCANPLAN_H
#define TILE_C_SCANPLAN_H
#include "tile-c/IR.h"
#include "tile-c/Layout.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TileScan_ShortAxis = 8,
  TileScan_ShortBytes = 16384,
  TileScan_SpreadGroups = 4,
  TileScan_SpreadBytes = 16384
};

/// What holds one bit of the position along the axis.
typedef struct TileScanBit {
  TileLayoutDim holder; ///< Register, Lane or Warp
  int bit;              ///< of the register, lane or warp number
} TileScanBit;

typedef struct TileScanPlan {
  TileLayout layout; ///< of operands and results
  int axis;
  bool reverse;
  int axisBits, innerBits;
  TileScanBit bits[TileLayout_MaxBits]; ///< by position bit
  bool spread;
  int64_t blocks;        ///< 2^(axisBits - innerBits)
  int64_t sliceElements; ///< scans side by side
  int64_t bytes;         ///< scratch of all operands; 0 if each scan lies in one warp
} TileScanPlan;

/// Whether the scan `op` can work with this layout: every bit of the position is one register, lane or
/// warp bit that moves nothing else, and no lane bit stands above a warp bit (unless the axis is short).
bool tileScanLayoutFits(MlirOperation op, const TileLayout *layout);
/// False (with a diagnostic) if an operand has no layout or one that does not fit.
bool tileScanPlan(MlirOperation op, TileScanPlan *out);
/// Byte offset of operand i's totals in the scratch: [block][element of the slice], row-major; if spread, the warps' behind.
int64_t tileScanOffset(MlirOperation op, const TileScanPlan *plan, intptr_t operand);

#ifdef __cplusplus
}
#endif
#endif
