/* Layout.h - where each element of a tensor lives: linear maps over GF(2), the one representation of layout.
 *
 * WHAT A LAYOUT IS
 *
 * A tensor of 2^n elements is spread over registers, lanes, warps and blocks (the CTAs of a cluster), all of
 * which come in powers of two. A layout answers: which element does register r of lane l of warp w of block b
 * hold? In every layout that hardware asks for, the answer has one property. Write the four indices in
 * binary; then each single bit contributes a fixed coordinate, whatever the other bits are, and contributions
 * are combined by XOR:
 *
 *     L(r, l, w, b) = XOR of basis(d, i) over every input d and every bit i that is set in the index of d
 *
 * That is a linear map over GF(2), the field of two elements where addition is XOR. It is stored as one basis
 * vector per input bit; a basis vector has one coordinate per tensor dimension.
 *
 * Example 1: a blocked layout. A 4 x 8 tensor on one warp of 16 lanes, 4 by 4, with two neighbouring
 * elements a thread:
 *
 *     register=[[0,1]], lane=[[0,2],[0,4],[1,0],[2,0]], shape=[4,8]
 *
 *     bit           basis     meaning                      row \ col  0     1     2     3     4     5     6     7
 *     register 0    (0,1)     one column to the right      0          0:0   0:1   1:0   1:1   2:0   2:1   3:0   3:1
 *     lane 0        (0,2)     two columns                  1          4:0   4:1   5:0   5:1   6:0   6:1   7:0   7:1
 *     lane 1        (0,4)     four                         2          8:0   8:1   9:0   9:1   10:0  10:1  11:0  11:1
 *     lane 2        (1,0)     one row down                 3          12:0  12:1  13:0  13:1  14:0  14:1  15:0  15:1
 *     lane 3        (2,0)     two rows                     (cells are lane:register)
 *
 *     Element of register 1 of lane 6 = 0b0110: (0,1) ^ (0,4) ^ (1,0) = (1,5).
 *
 * Example 2: replication. A basis vector of zeros says that the bit does not matter: both halves hold the
 * same elements. A 1-D tensor of 4 elements on 8 lanes, where lanes 4..7 repeat lanes 0..3:
 *
 *     lane=[[1],[2],[0]], shape=[4]
 *
 * Example 3: a matrix-core fragment. The accumulator of NVIDIA's m16n8 (PTX ISA, "Matrix Fragments for
 * mma.m16n8k16"): register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], shape=[16,8]. A thread holds
 * two neighbours in row lane/4 and the same two columns eight rows below. It differs from Example 1 only in
 * numbers, not in kind.
 *
 * Example 4: swizzled shared memory. The input is now the offset (counted in elements) in a buffer. Rows of 4
 * elements where element c of row r is stored at column c ^ r, so that a column can be read without bank
 * conflicts:
 *
 *     offset=[[0,1],[0,2],[1,1],[2,2]], shape=[4,4]     offset 0..3:   (0,0) (0,1) (0,2) (0,3)
 *                                                       offset 4..7:   (1,1) (1,0) (1,3) (1,2)
 *                                                       offset 8..11:  (2,2) (2,3) (2,0) (2,1)
 *                                                       offset 12..15: (3,3) (3,2) (3,1) (3,0)
 *
 *     basis (1,1) of offset bit 2 moves one row down *and* flips column bit 0: that is all a swizzle is.
 *
 * WHY LINEAR
 *
 * Because every question a compiler asks has an answer by elimination, the same for all kinds of layout:
 *   - Is a conversion from A to B free? Solve A(x) = B(y) for x; look whether x differs from y in its lane,
 *     warp or block bits (tileLayoutConversion).
 *   - Which threads hold copies? Basis vectors that depend on others (tileLayoutFreeMask).
 *   - How wide may a load be? The registers that map to the low bits of the fastest dimension
 *     (tileLayoutVector).
 *   - Do lanes meet in a bank? A dimension count of two subspaces (tileSharedConflicts, LayoutShared.h).
 *   - What does a transposed, sliced or reshaped tensor look like? Its basis vectors with bits permuted,
 *     dropped or regrouped: a layout is carried through such an operation exactly, and no data moves.
 *
 * OPERATIONS, IN SHORT
 *
 *     product A * B     A below, B above: the input bits of B come after those of A, its coordinates are
 *                       shifted past A's sizes. identity(register, 2) * identity(lane, 4) along one dimension:
 *                       register=[[1]], lane=[[2],[4]], size 8.
 *     compose A . B     first B, then A: the coordinates of B are the inputs of A.
 *     conversion A->B   the map C from B's inputs to A's inputs with A(C(y)) = B(y): where to fetch from.
 *     divide A / B      the X with B * X = A, if there is one.
 *
 * RULES OF THIS HEADER
 *
 * TileLayout is a plain value: copy it freely, compare it with tileLayoutEqual; nothing allocates. Functions
 * that can fail return false and leave `out` untouched; the cases are listed at each. `out` may be the same
 * object as an input. Sizes are powers of two; the sum of input bits and the sum of coordinate bits are at
 * most 62 each. Coordinates and shapes are in elements; dimension 0 is the slowest in row-major order. */
#ifndef TILE_C_LAYOUT_H
#define TILE_C_LAYOUT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TileLayout_MaxRank = 16, TileLayout_MaxBits = 24, TileLayout_MaxTotalBits = 62 };

/// The inputs of a layout. A memory has offsets where threads have registers, hence the alias.
typedef enum TileLayoutDim {
  TileLayoutDim_Register,
  TileLayoutDim_Lane,
  TileLayoutDim_Warp,
  TileLayoutDim_Block,
  TileLayoutDim_Count,
  TileLayoutDim_Offset = TileLayoutDim_Register
} TileLayoutDim;

/// A linear map from (register | offset, lane, warp, block) bits to coordinates. Entries past bits[] and rank
/// are zero.
typedef struct TileLayout {
  int32_t rank;                      ///< 0 (a scalar) to TileLayout_MaxRank
  int32_t bits[TileLayoutDim_Count]; ///< log2 of the size of each input
  int32_t shape[TileLayout_MaxRank]; ///< sizes of the coordinates
  int32_t bases[TileLayoutDim_Count][TileLayout_MaxBits][TileLayout_MaxRank]; ///< image of each input bit
} TileLayout;

/// A subset of inputs: bit d stands for TileLayoutDim d.
typedef uint32_t TileLayoutDimMask;
#define TILE_LAYOUT_DIM(d) (1u << (d))

// ---- Making layouts ----

/// No input bits, all sizes 1: the neutral element of the product. Rank is clamped to 0..TileLayout_MaxRank.
TileLayout tileLayoutEmpty(int32_t rank);
/// Whether every invariant of this header holds.
bool tileLayoutIsValid(const TileLayout *layout);

/// `size` values of input `in` map to coordinates 0, stride, 2 * stride ... of dimension `dim`; the
/// dimension's size is size * stride. False if a number is not a power of two or out of range.
bool tileLayoutStrided1D(int32_t rank, TileLayoutDim in, int32_t dim, int64_t size, int64_t stride,
                         TileLayout *out);
/// The same with stride 1.
bool tileLayoutIdentity1D(int32_t rank, TileLayoutDim in, int32_t dim, int64_t size, TileLayout *out);
/// `size` values of input `in` all map to the origin (replication).
bool tileLayoutZeros1D(int32_t rank, TileLayoutDim in, int64_t size, TileLayout *out);
/// From explicit basis vectors: `bases` lists them for register bit 0, 1, ... then lane, warp, block; `rank`
/// numbers each. False if a coordinate is outside `shape`, a size is no power of two, or too many bits.
bool tileLayoutFromBases(int32_t rank, const int64_t *shape, const int32_t bits[TileLayoutDim_Count],
                         const int32_t *bases, TileLayout *out);
/// Direct sum (see the essay). False if ranks differ or the result has too many bits.
bool tileLayoutProduct(const TileLayout *low, const TileLayout *high, TileLayout *out);

/// `*layout = *layout * identity(in, dim, size)`: the step in which most layouts are written down.
bool tileLayoutAppend(TileLayout *layout, TileLayoutDim in, int32_t dim, int64_t size);
/// `*layout = *layout * zeros(in, size)`.
bool tileLayoutAppendZeros(TileLayout *layout, TileLayoutDim in, int64_t size);
/// Appends identities of `in` with sizes[d] for each dimension d, in the order `order[0]` (fastest) first.
bool tileLayoutAppendOrdered(TileLayout *layout, TileLayoutDim in, const int32_t *sizes,
                             const int32_t *order);

/// Spreads one block's tile over a tensor. The tile is repeated in registers, dimension order[0] first, until
/// it covers the block's share of `shape`; coordinates that exceed the share become zero (replicated);
/// `cluster` (null: one block) says with its block bits which share is whose. False if ranks differ, order is
/// no permutation, a size is no power of two.
bool tileLayoutDistribute(const TileLayout *tile, const TileLayout *cluster, const int64_t *shape,
                          const int32_t *order, TileLayout *out);

/// Blocked: sizePerThread registers, then threadsPerWarp lanes, then warpsPerCta warps, each in `order`
/// (fastest dimension first), distributed over `shape`. All arrays have `rank` entries. False as for
/// tileLayoutDistribute.
bool tileLayoutBlocked(const int64_t *shape, int32_t rank, const int32_t *sizePerThread,
                       const int32_t *threadsPerWarp, const int32_t *warpsPerCta, const int32_t *order,
                       TileLayout *out);

/// How many lanes and warps a blocked layout puts along each dimension.
typedef struct TileBlockedShape {
  int32_t sizePerThread[TileLayout_MaxRank];
  int32_t threadsPerWarp[TileLayout_MaxRank];
  int32_t warpsPerCta[TileLayout_MaxRank];
} TileBlockedShape;

/// The default distribution: from the fastest dimension on, as many lanes and then warps as the shape can
/// feed; the slowest dimension takes what is left. `threads` and `warps` are powers of two.
bool tileLayoutDefaultBlockedShape(const int64_t *shape, int32_t rank, const int32_t *sizePerThread,
                                   const int32_t *order, int32_t threads, int32_t warps,
                                   TileBlockedShape *out);
/// The blocked layout of that distribution.
bool tileLayoutDefaultBlocked(const int64_t *shape, int32_t rank, const int32_t *sizePerThread,
                              const int32_t *order, int32_t threads, int32_t warps, TileLayout *out);
/// A cluster's layout for tileLayoutDistribute: blocksPerDim[d] blocks along d, fastest order[0]; of these
/// splitPerDim[d] hold different shares and the rest hold copies.
bool tileLayoutCluster(int32_t rank, const int32_t *blocksPerDim, const int32_t *splitPerDim,
                       const int32_t *order, TileLayout *out);

// ---- Carrying layouts through tensor operations ----

/// Drops dimension `dim` (what a reduction along it leaves; or a dimension of size 1), then register bits
/// that only repeat other registers.
bool tileLayoutSlice(const TileLayout *layout, int32_t dim, TileLayout *out);
/// Drops dimension `dim` and keeps all registers, also those that become copies.
bool tileLayoutDropDim(const TileLayout *layout, int32_t dim, TileLayout *out);
/// Inserts a dimension of size 1 before dimension `dim` (0..rank).
bool tileLayoutExpandDims(const TileLayout *layout, int32_t dim, TileLayout *out);
/// Result dimension i is operand dimension perm[i].
bool tileLayoutTranspose(const TileLayout *layout, const int32_t *perm, TileLayout *out);
/// Regroups the row-major element index into another shape with equally many elements.
bool tileLayoutReshape(const TileLayout *layout, const int64_t *shape, int32_t rank, TileLayout *out);
/// Dimension `dim` of size 1 becomes `size`, by new registers; with `useFree`, lane and warp bits that only
/// replicate take the new coordinates first (they hold the value already, so the operation is free either
/// way).
bool tileLayoutBroadcast(const TileLayout *layout, int32_t dim, int64_t size, bool useFree, TileLayout *out);
/// The operand's layout for a broadcast whose result has `layout`: dimension `dim` becomes 1, repeated
/// registers are dropped.
bool tileLayoutUnbroadcast(const TileLayout *layout, int32_t dim, TileLayout *out);
/// Appends a fastest dimension of size 2 held by register bit 0 (tile.join).
bool tileLayoutJoin(const TileLayout *layout, TileLayout *out);
/// Undoes a join: the last dimension has size 2 and is one register bit, which goes to out_bit (may be null).
/// False if the two halves do not live in the same thread.
bool tileLayoutSplit(const TileLayout *layout, TileLayout *out, int32_t *out_bit);
/// Doubles dimension `dim`: a new highest register bit chooses the upper half (tile.cat).
bool tileLayoutCat(const TileLayout *layout, int32_t dim, TileLayout *out);
/// Undoes a cat: the halves of dimension `dim` are told apart by one register bit alone, which goes to
/// out_bit (may be null). False if the two halves do not live in the same thread.
bool tileLayoutHalve(const TileLayout *layout, int32_t dim, TileLayout *out, int32_t *out_bit);
/// Coordinates modulo `shape` (sizes at most the layout's): inputs beyond the shape become copies.
bool tileLayoutClip(const TileLayout *layout, const int64_t *shape, TileLayout *out);
/// Removes register bits whose vector is a combination of lower register bits. A register of the result is
/// found in the operand by the same coordinates; kept[i], if not null, is the operand's register bit behind
/// result bit i.
void tileLayoutDropRedundantRegisters(const TileLayout *layout, TileLayout *out, int32_t *kept);

// ---- Questions ----

bool tileLayoutEqual(const TileLayout *a, const TileLayout *b);
/// Whether the two describe the same placement when register numbering is left aside (same lane, warp and
/// block vectors, registers spanning the same elements).
bool tileLayoutEqualUpToRegisters(const TileLayout *a, const TileLayout *b);
/// 2^bits of the input: number of registers per thread, lanes per warp, warps per block, blocks.
int64_t tileLayoutSize(const TileLayout *layout, TileLayoutDim dim);
int64_t tileLayoutNumRegisters(const TileLayout *layout);
int64_t tileLayoutNumLanes(const TileLayout *layout);
int64_t tileLayoutNumWarps(const TileLayout *layout);
int64_t tileLayoutNumBlocks(const TileLayout *layout);
/// Elements of the tensor: the product of the sizes.
int64_t tileLayoutNumElements(const TileLayout *layout);
/// Basis vector of one input bit, `rank` numbers, for emitting index arithmetic; null if out of range.
const int32_t *tileLayoutBasis(const TileLayout *layout, TileLayoutDim dim, int32_t bit);
/// Coordinates of an element; index bits past the layout's are ignored. Writes `rank` numbers.
void tileLayoutApply(const TileLayout *layout, int64_t reg, int64_t lane, int64_t warp, int64_t block,
                     int32_t *out_coords);
/// The same as a row-major element index.
int64_t tileLayoutApplyFlat(const TileLayout *layout, int64_t reg, int64_t lane, int64_t warp, int64_t block);
/// Every element is held somewhere.
bool tileLayoutIsSurjective(const TileLayout *layout);
/// No element is held twice.
bool tileLayoutIsInjective(const TileLayout *layout);
/// Bits of `dim` that only make copies: inputs with all free bits zero already hold every element. Vectors
/// are judged in the order lane, warp, block, register. A store is done by inputs with (index & mask) == 0.
uint32_t tileLayoutFreeMask(const TileLayout *layout, TileLayoutDim dim);
/// Bits of `dim` whose vector is zero: a subset of the free ones.
uint32_t tileLayoutZeroMask(const TileLayout *layout, TileLayoutDim dim);
/// Bits of `dim` that move along tensor dimension `tensorDim`.
uint32_t tileLayoutMaskAlong(const TileLayout *layout, TileLayoutDim dim, int32_t tensorDim);

/// How the registers of a thread group into vector accesses: access a, element e of it, is one register.
typedef struct TileLayoutVector {
  int32_t elementBits;                  ///< log2 of the elements of one access
  int32_t accessBits;                   ///< log2 of the number of accesses of a thread
  uint32_t element[TileLayout_MaxBits]; ///< register number (XOR mask) of each bit of e
  uint32_t access[TileLayout_MaxBits];  ///< register number (XOR mask) of each bit of a
  bool inOrder;                         ///< registers need no renumbering: register = a << elementBits | e
} TileLayoutVector;

/// The widest grouping of at most `maxElements` into runs of consecutive, aligned elements of dimension
/// `dim`, the same for all threads; registers may be renumbered. With `onlyInOrder`, only runs of registers
/// 0..2^k-1 count. Always succeeds (width 1 in the worst case).
TileLayoutVector tileLayoutVector(const TileLayout *layout, int32_t dim, int64_t maxElements,
                                  bool onlyInOrder);
/// The register that holds element e of access a.
uint32_t tileLayoutVectorRegister(const TileLayoutVector *vector, uint32_t access, uint32_t element);

/// The register bits that alone move the low bits of the row-major element index, so that a thread holds runs
/// of `elements` consecutive elements: out_bits[i] moves index bit i. False if a thread does not.
bool tileLayoutRunBits(const TileLayout *layout, int64_t elements, int32_t *out_bits);

// ---- Algebra ----

/// outer(inner(x)): the coordinates of `inner` are the inputs of `outer`, so inner has rank
/// TileLayoutDim_Count and its sizes are at most outer's input sizes.
bool tileLayoutCompose(const TileLayout *inner, const TileLayout *outer, TileLayout *out);
/// The map C from the inputs of `dst` to those of `src` (rank TileLayoutDim_Count) with src(C(y)) = dst(y).
/// Among the solutions (src may hold copies) C(y) stays in y's block, then warp, then lane, then register, as
/// far as possible. False if shapes differ or src lacks an element that dst asks for.
bool tileLayoutInvertAndCompose(const TileLayout *dst, const TileLayout *src, TileLayout *out);
/// A right inverse: from element coordinates, given as one row-major index in the offset input, to the inputs
/// of `layout`. Sizes: rank TileLayoutDim_Count. False if the layout is not surjective.
bool tileLayoutPseudoInverse(const TileLayout *layout, TileLayout *out);
/// Keeps only the given inputs (others get no bits) and tensor dimensions (bit d of dimMask; others get size
/// 1).
void tileLayoutSublayout(const TileLayout *layout, TileLayoutDimMask inputs, uint32_t dimMask,
                         TileLayout *out);
/// Drops input `dim` from a map between inputs (rank TileLayoutDim_Count) on which it is the identity: bit i
/// of dim goes to bit i of dim and nothing else does. False otherwise.
bool tileLayoutQuotient(const TileLayout *map, TileLayoutDim dim, TileLayout *out);
/// The X with low * X = layout; false if there is none.
bool tileLayoutDivideLeft(const TileLayout *layout, const TileLayout *low, TileLayout *out);
/// The X with X * high = layout; false if there is none.
bool tileLayoutDivideRight(const TileLayout *layout, const TileLayout *high, TileLayout *out);

// ---- Conversions ----

/// What it takes to bring a tensor from one layout to another, cheapest first.
typedef enum TileConversionKind {
  TileConversion_None,     ///< registers stay as they are
  TileConversion_Register, ///< renumber registers within the thread: no instruction
  TileConversion_Lane,     ///< data stays in its warp: lane shuffles or shared memory synchronised per warp
  TileConversion_Warp,     ///< data stays in its block: shared memory with a block barrier
  TileConversion_Block     ///< data crosses blocks: cluster shared memory
} TileConversionKind;

typedef struct TileConversion {
  TileConversionKind kind;
  TileLayout map; ///< dst inputs -> src inputs, see tileLayoutInvertAndCompose
} TileConversion;

/// Analyses src -> dst. False as for tileLayoutInvertAndCompose.
bool tileLayoutConversion(const TileLayout *src, const TileLayout *dst, TileConversion *out);
/// For kinds None and Register: the src register that becomes register `dstRegister`, the same in every
/// thread.
int64_t tileConversionSourceRegister(const TileConversion *conversion, int64_t dstRegister);
const char *tileConversionKindName(TileConversionKind kind);

// ---- Text ----

/// Canonical text, "register=[[0,1],[8,0]], lane=[[0,2]], shape=[16,4]": inputs without bits are left out,
/// shape comes last. `memory` prints "offset" for "register". Writes at most `size` bytes with the final 0
/// and returns the length that was needed (as snprintf).
size_t tileLayoutPrint(const TileLayout *layout, bool memory, char *buffer, size_t size);
/// Reads that text; spaces are free. On failure returns false, *out_error (if not null) is a message in the
/// form of our diagnostics and *out_position the byte where it was noticed.
bool tileLayoutParse(const char *text, size_t length, TileLayout *out, const char **out_error,
                     size_t *out_position);
/// Draws who holds what as a text table, one row per slow index and one column per index of the last
/// dimension; cells are thread:register (thread = warp * lanes + lane), "block/thread:register" with several
/// blocks, and "+n" after a cell with n further copies. At most maxRows x maxCols cells, then "...". Returns
/// as tileLayoutPrint.
size_t tileLayoutDraw(const TileLayout *layout, int32_t maxRows, int32_t maxCols, char *buffer, size_t size);
/// The same for a memory: cells are offsets.
size_t tileLayoutDrawMemory(const TileLayout *layout, int32_t maxRows, int32_t maxCols, char *buffer,
                            size_t size);

#ifdef __cplusplus
}
#endif
#endif
