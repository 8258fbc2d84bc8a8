/* Axis.h - what is known about neighbouring elements of a tensor: how wide an access may be is decided here.
 *
 * Plain C with no MLIR in it. A TileAxis holds claims about all elements x[i] of one integer or pointer
 * tensor, for each dimension by itself (whatever the other coordinates are). A claim about groups of g
 * elements speaks of the aligned groups: those at positions m*g to m*g + g - 1. All numbers are powers of
 * two; groups divide the size of the dimension.
 *
 *     contiguity c     within a group of c, x[i + 1] = x[i] + 1 without wrapping around, signed or unsigned
 *                      (pointers: + the size of an element in bytes)
 *     divisibility v   the first element of each group of c is a multiple of v (pointers: of v bytes); with
 *                      c = 1 that is every element
 *     constancy k      within a group of k, all elements are equal
 *     run              as contiguity, but may wrap around at 2^(bits-1), and may be broken where a negative
 *                      number is divided: good for choosing an order of dimensions, promises nothing
 *     min, max         every element, as a signed number, lies between (i1: 0 to 1)
 *
 * c > 1 implies c * unit <= v: a group starts at a multiple of its own size, so that it never crosses a power
 * of two that is at least its size; that is why sums that wrap around, extensions and comparisons need no
 * other proof. The price is that 1, 2, 3, 4 has contiguity 1 (it starts at 1); no wide access could use more
 * anyway.
 *
 *     make_range 0 to 128                      c = 128  v = 2^62  k = 1    0..127
 *     splat of a pointer, divisible by 16      c = 1    v = 16    k = 128
 *     addptr of the two, f32                   c = 4    v = 16    k = 1    run = 128: 16 bytes at once
 *
 * Division and remainder follow the numerics table, except that a group whose divisor is zero is left out of
 * the claims (elements of such a group are 0 or x; nothing useful is addressed by them). A signed dividend
 * must be known not to be negative: [-64 .. -57] divided by 32 is -2, -1, -1 ...; the first multiple of the
 * divisor stands apart. */
#ifndef TILE_C_AXIS_H
#define TILE_C_AXIS_H
#include "tile-c/Layout.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Powers of two above this are not told apart; the divisibility of 0.
#define TILE_AXIS_MAX_DIVISIBILITY (INT64_C(1) << 62)

typedef struct TileAxisDim {
  int64_t contiguity, divisibility, constancy, run;
} TileAxisDim;

/// What a value is. A scalar has rank 1 and shape {1}.
typedef struct TileAxisType {
  int32_t rank;                      ///< 1 to TileLayout_MaxRank
  int32_t bits;                      ///< of an integer (index: 64); 0 for pointers, floats and others
  int64_t unit;                      ///< bytes that a pointer's +1 moves; 1 for all else
  int64_t shape[TileLayout_MaxRank]; ///< sizes, at least 1, not necessarily powers of two
} TileAxisType;

typedef struct TileAxis {
  TileAxisType type;
  TileAxisDim dims[TileLayout_MaxRank];
  int64_t min, max; ///< for bits = 0 without meaning
} TileAxis;

/// The numbers of arith.cmpi's predicates.
typedef enum TileAxisCmp {
  TileAxisCmp_EQ,
  TileAxisCmp_NE,
  TileAxisCmp_SLT,
  TileAxisCmp_SLE,
  TileAxisCmp_SGT,
  TileAxisCmp_SGE,
  TileAxisCmp_ULT,
  TileAxisCmp_ULE,
  TileAxisCmp_UGT,
  TileAxisCmp_UGE
} TileAxisCmp;

// ---- Types and facts ----

/// A scalar or tensor type; `shape` null: a scalar.
TileAxisType tileAxisType(int32_t rank, const int64_t *shape, int32_t bits, int64_t unit);
/// The largest power of two that divides n; TILE_AXIS_MAX_DIVISIBILITY for 0.
int64_t tileAxisPowerOf(int64_t n);
/// Smallest and largest signed value of an integer type (i1: 0 and 1).
int64_t tileAxisTypeMin(int32_t bits);
int64_t tileAxisTypeMax(int32_t bits);

/// Nothing is known.
TileAxis tileAxisUnknown(TileAxisType type);
/// Every element is `value`.
TileAxis tileAxisConstant(TileAxisType type, int64_t value);
/// Every element is the same unknown multiple of `divisibility` (any positive number; its power of two
/// counts).
TileAxis tileAxisUniform(TileAxisType type, int64_t divisibility);
/// Everything equal that needs to be, such as a floating-point constant.
bool tileAxisIsUniform(const TileAxis *a);
/// Whether every element is known to be one integer.
bool tileAxisIsConstant(const TileAxis *a, int64_t *out_value);
bool tileAxisEqual(const TileAxis *a, const TileAxis *b);
/// Largest power of two that divides every element (bytes for pointers).
int64_t tileAxisDivisibilityOfAll(const TileAxis *a);
/// Restricts min and max to what is known besides; the facts that follow from it.
void tileAxisRestrict(TileAxis *a, int64_t min, int64_t max);
/// What the author of the program promises for dimension `d`; 0: nothing. Numbers that are not powers of two
/// count with their power of two, groups that do not fit the dimension with what fits.
void tileAxisHint(TileAxis *a, int32_t d, int64_t contiguity, int64_t divisibility, int64_t constancy);
/// What holds for both.
TileAxis tileAxisJoin(const TileAxis *a, const TileAxis *b);

// ---- Arithmetic: operands of one type, the result's ----

TileAxis tileAxisAdd(const TileAxis *a, const TileAxis *b);
TileAxis tileAxisSub(const TileAxis *a, const TileAxis *b);
TileAxis tileAxisMul(const TileAxis *a, const TileAxis *b);
TileAxis tileAxisDiv(const TileAxis *a, const TileAxis *b, bool isSigned);
TileAxis tileAxisFloorDiv(const TileAxis *a, const TileAxis *b);
TileAxis tileAxisRem(const TileAxis *a, const TileAxis *b, bool isSigned);
TileAxis tileAxisAnd(const TileAxis *a, const TileAxis *b);
TileAxis tileAxisOr(const TileAxis *a, const TileAxis *b);
TileAxis tileAxisXor(const TileAxis *a, const TileAxis *b);
TileAxis tileAxisShl(const TileAxis *a, const TileAxis *b);
TileAxis tileAxisShr(const TileAxis *a, const TileAxis *b, bool isSigned);
TileAxis tileAxisMinMax(const TileAxis *a, const TileAxis *b, bool isMax, bool isSigned);
/// An i1 of the operands' shape.
TileAxis tileAxisCmp(TileAxisCmp predicate, const TileAxis *a, const TileAxis *b);
/// `condition` may be a scalar.
TileAxis tileAxisSelect(const TileAxis *condition, const TileAxis *a, const TileAxis *b);
/// p + unit * offset: pointer and offset, the latter of any integer type, sign-extended.
TileAxis tileAxisAddPtr(const TileAxis *p, const TileAxis *offset);
/// Integer to integer of another width.
TileAxis tileAxisExtend(const TileAxis *a, int32_t bits, bool isSigned);
TileAxis tileAxisTruncate(const TileAxis *a, int32_t bits);
/// The same bits as another type (pointer, integer or other): positions stay, `unit` may change.
TileAxis tileAxisReinterpret(const TileAxis *a, int32_t bits, int64_t unit);
/// Any function of elements at the same position (floating-point arithmetic, a load by its operands): equal
/// operands give equal results. A scalar among operands counts as equal everywhere.
TileAxis tileAxisElementwise(TileAxisType type, const TileAxis *const *operands, int32_t count);

// ---- Shapes ----

TileAxis tileAxisMakeRange(TileAxisType type, int64_t start, int64_t end);
TileAxis tileAxisSplat(TileAxisType type, const TileAxis *scalar);
TileAxis tileAxisExpandDims(TileAxisType type, const TileAxis *a, int32_t axis);
TileAxis tileAxisBroadcast(TileAxisType type, const TileAxis *a);
/// Row-major order stays, unless `reorder`.
TileAxis tileAxisReshape(TileAxisType type, const TileAxis *a, bool reorder);
/// Result dimension i is dimension order[i].
TileAxis tileAxisTranspose(TileAxisType type, const TileAxis *a, const int32_t *order);
/// A new last dimension of size 2.
TileAxis tileAxisPair(TileAxisType type, const TileAxis *a, const TileAxis *b);
/// One half of a last dimension of size 2.
TileAxis tileAxisUnpair(TileAxisType type, const TileAxis *a);
TileAxis tileAxisConcat(TileAxisType type, const TileAxis *a, const TileAxis *b);
/// Exactly what `values` (row-major, product of the shape) show.
TileAxis tileAxisOfElements(TileAxisType type, const int64_t *values);

// ---- Accesses ----

/// How the registers of a thread are grouped into accesses of memory, and along which dimension.
typedef struct TileAccessVector {
  int32_t dim;             ///< dimension along which an access's elements are neighbours
  int64_t width;           ///< elements of one access, a power of two
  TileLayoutVector vector; ///< which registers
} TileAccessVector;

/// The widest accesses that pointers (`ptr`) and mask (null: none) allow in this layout: their elements are
/// neighbours in memory, aligned to the whole access, all masked or none, and take at most maxBits.
/// elementBits: of one element in memory (i1: 8). With onlyInOrder an access is `width` consecutive
/// registers.
TileAccessVector tileAccessVector(const TileAxis *ptr, const TileAxis *mask, const TileLayout *layout,
                                  int64_t elementBits, int64_t maxBits, bool onlyInOrder);
/// Only the width, of consecutive registers. 1 if nothing is known (ptr null).
int64_t tileAccessVectorWidth(const TileAxis *ptr, const TileAxis *mask, const TileLayout *layout,
                              int64_t elementBits, int64_t maxBits);

/// The dimension along which pointers run, -1 if along none (or ptr is null).
int32_t tileAxisRunDim(const TileAxis *ptr);
/// How many sectors of memory one access of all lanes of a warp touches, each lane at its first element. By
/// layout and claims: elements that neighbour in memory share sectors, equal addresses count once, all others
/// are taken to lie apart. Arrays are taken to start at a sector. With sectorBytes = elementBytes it is the
/// number of different elements.
int32_t tileAccessSectors(const TileAxis *ptr, const TileLayout *layout, int64_t elementBytes,
                          int64_t sectorBytes);

#ifdef __cplusplus
}
#endif
#endif
