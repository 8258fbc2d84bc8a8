/* AxisInternal.h - what the files of the axis algebra share. Meaning of the claims: tile-c/Axis.h. */
#ifndef TILE_AXIS_INTERNAL_H
#define TILE_AXIS_INTERNAL_H
#include "tile-c/Axis.h"
#include "tile-c/Support/Bits.h"

static inline int64_t axisLeast3(int64_t a, int64_t b, int64_t c) { return tileLeast(tileLeast(a, b), c); }

/* The product of two powers of two, as far as they are told apart. */
static inline int64_t axisMultiply(int64_t a, int64_t b) {
  return a > TILE_AXIS_MAX_DIVISIBILITY / b ? TILE_AXIS_MAX_DIVISIBILITY : a * b;
}

/* Runs of a sum: one side runs where the other stays. */
static inline int64_t axisRunOfSum(const TileAxisDim *a, const TileAxisDim *b) {
  return tileMost(tileLeast(a->run, b->constancy), tileLeast(a->constancy, b->run));
}

/* What divides the first element of each aligned group of g along d, also for g other than the contiguity. */
static inline int64_t axisStart(const TileAxis *a, int32_t d, int64_t g) {
  const TileAxisDim *x = &a->dims[d];
  return g >= x->contiguity ? x->divisibility : tileLeast(x->divisibility, g * a->type.unit);
}

/* What divides every element: those of a group of constancy are its first. */
static inline int64_t axisAll(const TileAxis *a, int32_t d) { return axisStart(a, d, a->dims[d].constancy); }

/* Groups of g run by +1 (perhaps wrapping around), their first elements are multiples of v: shrinks g until
 * the claim of contiguity holds. */
static inline void axisSetGroup(TileAxis *r, int32_t d, int64_t g, int64_t v) {
  r->dims[d].contiguity = tileMost(1, tileLeast(g, v / r->type.unit));
  r->dims[d].divisibility = v;
}

/* After all dims and the range are set: facts that follow from each other. Every function of Axis.h ends with
 * it. */
void axisFinish(TileAxis *r);
/* The range of the type. */
static inline void axisForgetRange(TileAxis *r) {
  r->min = tileAxisTypeMin(r->type.bits);
  r->max = tileAxisTypeMax(r->type.bits);
}
/* min and max if they fit the type, else the whole type. */
void axisSetRange(TileAxis *r, int64_t min, int64_t max);
/* a's type, all ones, whole range. */
TileAxis axisStartFrom(const TileAxis *a);

#endif
