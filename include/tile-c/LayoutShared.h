/* LayoutShared.h - shared memory: which element lies at which offset, how threads reach it, and what the
 * banks say.
 *
 * A TileSharedLayout is a TileLayout whose inputs are the bits of an offset (and of a block: the CTA of a
 * cluster whose memory it is), plus padding, which is no linear map and therefore stands beside it. Offsets
 * count elements.
 *
 * The XOR swizzle, worked: rows of 64 f16 = 128 bytes = all 32 banks once. Eight lanes that read 16 bytes
 * each from the same column of eight rows would meet in the same four banks. With vec = 8, perPhase = 1,
 * maxPhase = 8, chunk c of row r is stored at chunk c ^ (r % 8), so the eight lanes meet eight different
 * groups of banks. With rows of 64 bytes two rows share one pass over the banks, so the phase changes every
 * perPhase = 2 rows, and 4 phases suffice. */
#ifndef TILE_C_LAYOUTSHARED_H
#define TILE_C_LAYOUTSHARED_H
#include "tile-c/Layout.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TileSharedLayout {
  TileLayout map;      ///< offset (and block) bits -> coordinates; one to one
  int64_t padInterval; ///< after every so many elements ... (a power of two; 0: no padding)
  int64_t padAmount;   ///< ... this many are left unused
} TileSharedLayout;

// ---- Making shared layouts ----

/// Elements in the order of `order` (fastest dimension first), nothing moved.
bool tileSharedPlain(const int64_t *shape, int32_t rank, const int32_t *order, TileSharedLayout *out);

/// Rows run along order[0], are stacked along order[1]. Chunk c (vec elements) of row r is stored as chunk
/// c ^ (r / perPhase % maxPhase), as far as the row has chunks; further dimensions are not swizzled.
typedef struct TileSwizzle {
  int32_t vec, perPhase, maxPhase; ///< powers of two
} TileSwizzle;
bool tileSharedSwizzled(const int64_t *shape, int32_t rank, const int32_t *order, TileSwizzle swizzle,
                        TileSharedLayout *out);
/// The swizzle with which vec-wide accesses to the same column of consecutive rows fill the banks: the phase
/// changes with every pass over the banks, and there are as many phases as vectors fit into a pass (or a
/// row). `rowElements` is the length of a row, `banks` 32 or 64 (of 4 bytes).
TileSwizzle tileSharedChooseSwizzle(int32_t elementBits, int64_t rowElements, int32_t vec, int32_t banks);

/// What TMA writes and wgmma reads: rows of swizzleBytes (128, 64, 32; 0: 16-byte rows, no swizzle) along
/// order[0], 16-byte chunks swizzled over 8 rows (PTX ISA, "Shared Memory Matrix Layout", swizzling modes).
/// All rows (order[1], then further dimensions) come before the next swizzleBytes of columns, as TMA boxes of
/// that width lie one after another. False if a row is narrower than the swizzle.
bool tileSharedNvmma(const int64_t *shape, int32_t rank, const int32_t *order, int32_t elementBits,
                     int32_t swizzleBytes, TileSharedLayout *out);
/// The widest of 128, 64, 32, 0 that a row of `rowElements` admits.
int32_t tileSharedNvmmaSwizzleBytes(int32_t elementBits, int64_t rowElements);

/// Sets the padding; `interval` is a power of two or 0, `amount` not negative.
bool tileSharedPad(TileSharedLayout *shared, int64_t interval, int64_t amount);
/// Prepends a dimension of `count` copies of the buffer, one after another: stages of a pipeline.
bool tileSharedStack(const TileSharedLayout *shared, int64_t count, TileSharedLayout *out);

bool tileSharedIsValid(const TileSharedLayout *shared);
bool tileSharedEqual(const TileSharedLayout *a, const TileSharedLayout *b);
/// Where offset `offset` of the map lies, in elements: offset + offset / interval * amount.
int64_t tileSharedPhysicalOffset(const TileSharedLayout *shared, int64_t offset);
/// Elements to allocate in each block.
int64_t tileSharedNumElements(const TileSharedLayout *shared);
/// As tileLayoutPrint, with ", pad=[interval,amount]" if there is padding.
size_t tileSharedPrint(const TileSharedLayout *shared, char *buffer, size_t size);

// ---- Access by threads ----

/// How the threads of a distributed layout reach a shared layout.
typedef struct TileSharedAccess {
  /// (register, lane, warp, block) -> (offset, 0, 0, block): the map's offset, before padding.
  TileLayout toOffset;
  /// Registers grouped into vectors of consecutive offsets. Registers that repeat others count as further
  /// accesses: drop them first (tileLayoutDropRedundantRegisters).
  TileLayoutVector vector;
} TileSharedAccess;

/// `elementBits` is 8, 16, 32 or 64; vectors are at most maxVectorBits wide and do not cross padding. False
/// if the shared layout lacks an element, or shapes differ.
bool tileSharedAccessOf(const TileLayout *distributed, const TileSharedLayout *shared, int32_t elementBits,
                        int32_t maxVectorBits, TileSharedAccess *out);

/// What the banks make of it. A warp's access is split into phases of consecutive lanes that together ask for
/// at most one word of each bank: banks * 4 bytes / vector bytes lanes each (with 64 banks and 16 bytes: the
/// 16 lanes of equal parity of lane bits 2..4, the grouping we assume for gfx950). Lanes that want the same
/// 4-byte word do not disturb each other; n different words of one bank take n passes.
typedef struct TileSharedConflicts {
  int32_t accesses;   ///< instructions of a thread
  int32_t phases;     ///< passes each needs without conflicts
  int32_t ways;       ///< passes of the worst phase (1: no conflict)
  int64_t wavefronts; ///< passes of all accesses of one warp
} TileSharedConflicts;

/// Predicts for warp 0 of block 0 (without padding all warps behave alike). Repeated registers are accessed
/// once.
bool tileSharedConflicts(const TileLayout *distributed, const TileSharedLayout *shared, int32_t elementBits,
                         int32_t maxVectorBits, int32_t banks, TileSharedConflicts *out);

// ---- ldmatrix and stmatrix ----

/// Access by 8x8 matrices of 16-byte rows (PTX ISA, ldmatrix, stmatrix): thread t of a matrix holds 4 bytes
/// of row t / 4; transposed (elements of 16 bits, or 8 in pairs), it holds rows 2 * (t % 4) and the next of column t / 4.
typedef struct TileMatrixAccess {
  bool transposed;
  int32_t matrixBits; ///< log2 of the matrices of one instruction: 0, 1 or 2 (.x1, .x2, .x4)
  /// (register = instruction, lane, warp, block) -> (offset, 0, 0, block): the address each lane supplies.
  TileLayout address;
  /// Access a = instruction << matrixBits | matrix, element e of the 4 bytes, is one register.
  TileLayoutVector registers;
} TileMatrixAccess;

/// Whether the two layouts admit it, and how. `maxMatrices` is 1, 2 or 4. False if not, or warps have not 32
/// lanes.
bool tileSharedMatrixAccess(const TileLayout *distributed, const TileSharedLayout *shared,
                            int32_t elementBits, bool transposed, int32_t maxMatrices, TileMatrixAccess *out);
/// Bank passes of such an access, for warp 0 (32 banks; a phase is one matrix).
bool tileSharedMatrixConflicts(const TileMatrixAccess *access, const TileSharedLayout *shared,
                               int32_t elementBits, TileSharedConflicts *out);

// ---- Transposing reads (CDNA4 ISA, ds_read_b64_tr_b16, _b8) ----

/// Each of 16 lanes reads 8 bytes, rows of 16 elements between them, and gets a column: 4 elements of 16 bits, or 8
/// of 8. `out`: which element each lane reads as which of its 8 bytes' elements, for a distributed layout whose first
/// registers of a lane are such columns. False if it has too few.
bool tileSharedTransposedRead(const TileLayout *distributed, int32_t elementBits, TileLayout *out);
/// The addresses; access a's element e ends in register tileLayoutVectorRegister(&out->vector, a, e) of `distributed`.
/// False if the 8 bytes are not together in the shared layout.
bool tileSharedTransposedAccess(const TileLayout *distributed, const TileSharedLayout *shared,
                                int32_t elementBits, TileSharedAccess *out);
bool tileSharedTransposedConflicts(const TileLayout *distributed, const TileSharedLayout *shared,
                                   int32_t elementBits, int32_t banks, TileSharedConflicts *out);

#ifdef __cplusplus
}
#endif
#endif
