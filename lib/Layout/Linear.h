/* Linear.h - vectors and subspaces over GF(2), packed in 64-bit words; private to lib/Layout.
 *
 * A coordinate tuple is packed row-major (the last dimension in the lowest bits), an input tuple with the
 * register in the lowest bits and the block in the highest: smaller numbers are then cheaper places to fetch
 * from. */
#ifndef TILE_LAYOUT_LINEAR_H
#define TILE_LAYOUT_LINEAR_H
#include "tile-c/Layout.h"
#include "tile-c/Support/Bits.h"

/// A subspace by echelon basis: value[p] is 0 or has p as its highest set bit. source[p] is carried along:
/// for columns of a matrix, the combination of inputs that gives value[p].
typedef struct TileGF2Space {
  uint64_t value[64];
  uint64_t source[64];
} TileGF2Space;

/// floor(log2(n)) for n > 0.
static inline int32_t tileLog2(uint64_t n) { return 63 - __builtin_clzll(n); }

/// The representative of `value` modulo the space with the smallest number. *source, if not null, collects
/// the sources of what was subtracted.
uint64_t tileGF2Reduce(const TileGF2Space *space, uint64_t value, uint64_t *source);
/// Adds a vector. Returns false if it was in the space already; then *relation (if not null) is the
/// combination of sources that gives zero.
bool tileGF2Insert(TileGF2Space *space, uint64_t value, uint64_t source, uint64_t *relation);
static inline bool tileGF2Contains(const TileGF2Space *space, uint64_t value) {
  return tileGF2Reduce(space, value, NULL) == 0;
}
int32_t tileGF2Dimension(const TileGF2Space *space);
/// Basis vectors in order of their highest bit; returns how many.
int32_t tileGF2Basis(const TileGF2Space *space, uint64_t out_vectors[64]);
/// out = a + b (the span of both).
void tileGF2Sum(const TileGF2Space *a, const TileGF2Space *b, TileGF2Space *out);
/// out = a intersected with b. Sources of the result are zero.
void tileGF2Intersect(const TileGF2Space *a, const TileGF2Space *b, TileGF2Space *out);

/// Number of coordinate bits of dimension d, and of all dimensions.
int32_t tileLayoutDimBits(const TileLayout *layout, int32_t d);
int32_t tileLayoutCoordBits(const TileLayout *layout);
/// Number of bits of all inputs, and of the inputs before `dim`.
int32_t tileLayoutInputBits(const TileLayout *layout);
int32_t tileLayoutInputShift(const TileLayout *layout, TileLayoutDim dim);
/// Coordinates <-> packed coordinates.
uint64_t tileLayoutPack(const TileLayout *layout, const int32_t *coords);
void tileLayoutUnpack(const TileLayout *layout, uint64_t packed, int32_t *coords);
/// Packed basis vector of one input bit.
uint64_t tileLayoutVectorOf(const TileLayout *layout, int32_t dim, int32_t bit);
/// Adds the basis vectors of the inputs in `mask`; sources are packed inputs.
void tileLayoutSpan(const TileLayout *layout, TileLayoutDimMask mask, TileGF2Space *space);

/// Starts a map between inputs: rank TileLayoutDim_Count, sizes those of `target`'s inputs.
void tileLayoutBeginMap(const TileLayout *target, TileLayout *map);

/// Text with snprintf's contract: counts everything, stores what fits.
typedef struct TileText {
  char *buffer;
  size_t size;
  size_t length;
} TileText;
void tileTextAppend(TileText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
