/* SharedChoice.c - tries swizzles and counts passes over the banks. */
#include "SharedChoice.h"
#include "tile-c/LayoutConvert.h"
#include "tile-c/Support/Bits.h"

/* The dimension of neighbours in a thread, or else lane, first; then from the last dimension down. */
static void orderOf(const TileLayout *layout, int32_t *order) {
  int32_t fastest = layout->rank - 1, n = 0;
  bool found = false;
  for (int dim = TileLayoutDim_Register; dim <= TileLayoutDim_Lane && !found; ++dim)
    for (int32_t bit = 0; bit < layout->bits[dim] && !found; ++bit)
      for (int32_t d = 0; d < layout->rank && !found; ++d)
        if (layout->bases[dim][bit][d] == 1) {
          fastest = d;
          found = true;
        }
  order[n++] = fastest;
  for (int32_t d = layout->rank - 1; d >= 0; --d)
    if (d != fastest)
      order[n++] = d;
}

static int32_t widest(const TileTargetInfo *target) {
  return target->maxVectorBits < 128 ? (int32_t)target->maxVectorBits : 128;
}

int64_t tileSharedReadCost(const TileLayout *layout, const TileSharedLayout *shared, int32_t elementBits,
                           const TileTargetInfo *target) {
  TileSharedConflicts conflicts;
  TileMatrixAccess access;
  TileLayout unique;
  tileLayoutDropRedundantRegisters(layout, &unique, NULL);
  int64_t cost = INT64_MAX;
  if (tileSharedConflicts(&unique, shared, elementBits, widest(target), (int32_t)target->sharedBanks,
                          &conflicts))
    cost = conflicts.wavefronts;
  for (int transposed = 0; transposed < 2 && tileTargetHas(target, TileFeature_LdMatrix); ++transposed)
    if (elementBits <= 32 && tileSharedMatrixAccess(&unique, shared, elementBits, transposed, 4, &access) &&
        tileSharedMatrixConflicts(&access, shared, elementBits, &conflicts))
      cost = tileLeast(cost, conflicts.wavefronts);
  if (tileTargetHas(target, TileFeature_DsReadTr) &&
      tileSharedTransposedConflicts(&unique, shared, elementBits, (int32_t)target->sharedBanks, &conflicts))
    cost = tileLeast(cost, conflicts.wavefronts);
  return cost;
}

typedef struct Choice {
  const TileLayout *writer;
  const TileSharedReader *readers;
  int count;
  int32_t elementBits;
  const TileTargetInfo *target;
  int64_t best, least; ///< passes of the best so far; if nothing met in a bank (as far as is known)
  TileSharedLayout *out;
} Choice;

/* Words of 4 bytes that a warp reads, as many at a time as there are banks. */
static int64_t leastReads(const Choice *c, const TileLayout *layout) {
  TileLayout unique;
  tileLayoutDropRedundantRegisters(layout, &unique, NULL);
  int64_t bits = tileLayoutNumRegisters(&unique) * tileLayoutNumLanes(&unique) * c->elementBits;
  return tileMost(1, bits / 32 / (int64_t)c->target->sharedBanks);
}

static void consider(Choice *c, const TileSharedLayout *shared) {
  TileSharedConflicts write;
  if (!tileSharedConflicts(c->writer, shared, c->elementBits, widest(c->target),
                           (int32_t)c->target->sharedBanks, &write))
    return;
  int64_t cost = write.wavefronts;
  c->least = write.wavefronts / write.ways;
  for (int i = 0; i < c->count; ++i) {
    int64_t read = tileSharedReadCost(&c->readers[i].layout, shared, c->elementBits, c->target);
    if (read == INT64_MAX)
      return;
    cost += read;
    c->least += leastReads(c, &c->readers[i].layout);
  }
  if (cost >= c->best)
    return;
  c->best = cost;
  *c->out = *shared;
}

/* Wider chunks and slower phases: for readers whose lanes run along rows and across them. */
static void searchWide(Choice *c, const int64_t *shape, const int32_t *order, int32_t narrowest) {
  TileSharedLayout shared;
  int64_t row = shape[order[0]], rows = shape[order[1]];
  for (int32_t vec = narrowest; vec < row; vec *= 2)
    for (int32_t perPhase = 1; perPhase < rows; perPhase *= 2)
      for (int32_t maxPhase = 2; maxPhase * vec <= row && maxPhase * perPhase <= rows; maxPhase *= 2)
        if (c->best > c->least && tileSharedSwizzled(shape, c->writer->rank, order,
                                                     (TileSwizzle){vec, perPhase, maxPhase}, &shared))
          consider(c, &shared);
}

/* Swizzles of chunks from 16 bytes down to `narrowest` elements, and none, with rows along order[0]. */
static void searchOrder(Choice *c, const int64_t *shape, const int32_t *order, int32_t narrowest) {
  TileSharedLayout shared;
  int64_t row = shape[order[0]];
  if (tileSharedPlain(shape, c->writer->rank, order, &shared))
    consider(c, &shared);
  for (int32_t vec = 128 / c->elementBits; vec >= 1 && vec >= narrowest; vec /= 2) {
    if (vec > row || c->writer->rank < 2)
      continue;
    TileSwizzle swizzle = tileSharedChooseSwizzle(c->elementBits, row, vec, (int32_t)c->target->sharedBanks);
    for (; swizzle.maxPhase > 1; swizzle.maxPhase /= 2)
      if (tileSharedSwizzled(shape, c->writer->rank, order, swizzle, &shared))
        consider(c, &shared);
  }
  if (c->best > c->least && c->writer->rank > 1)
    searchWide(c, shape, order, narrowest);
}

/* For reads that transpose 16-bit elements: 16 lanes read 32 bytes of each of four rows. The next 16 read the rows 8
 * behind them (instructions of 16 columns) or the next 32 bytes of the same rows (of 32). In the first case chunks of 16
 * elements change places by bits 0, 1 and 3 of the row, in the second pairs of chunks by bits 0 and 1, as far as short
 * rows do not lie in different banks by these bits already: 32 lanes then meet in no bank. */
static void searchTransposed(Choice *c, const int64_t *shape, const int32_t *order) {
  static const int32_t rowBits[] = {0, 1, 3};
  enum { CHUNK = 16, ELEMENT_BITS = 16 };
  int64_t row = shape[order[0]], banks = (int64_t)c->target->sharedBanks * 32 / ELEMENT_BITS;
  TileSharedLayout shared;
  if (!tileTargetHas(c->target, TileFeature_DsReadTr) || c->elementBits != ELEMENT_BITS ||
      c->writer->rank != 2)
    return;
  for (int pairs = 0; pairs < 2; ++pairs) {
    int64_t chunk = CHUNK << pairs;
    if (!tileSharedPlain(shape, 2, order, &shared))
      return;
    for (int i = 0; i < 3 - pairs; ++i) {
      int32_t bit = __builtin_ctzll((uint64_t)row) + rowBits[i];
      if (row << rowBits[i] < banks || chunk >= row || bit >= shared.map.bits[TileLayoutDim_Register])
        continue;
      shared.map.bases[TileLayoutDim_Register][bit][order[0]] ^= (int32_t)chunk;
      chunk *= 2;
    }
    consider(c, &shared);
  }
}

/* Whether all readers read transposed from the best layout so far, and meet in no bank. */
static bool allTransposed(const Choice *c) {
  TileSharedConflicts conflicts;
  bool all = c->best != INT64_MAX && tileTargetHas(c->target, TileFeature_DsReadTr);
  for (int i = 0; all && i < c->count; ++i) {
    TileLayout unique;
    tileLayoutDropRedundantRegisters(&c->readers[i].layout, &unique, NULL);
    all = tileSharedTransposedConflicts(&unique, c->out, c->elementBits, (int32_t)c->target->sharedBanks,
                                        &conflicts) &&
          conflicts.ways == 1;
  }
  return all;
}

/* Instructions of a reader: by vectors, or by matrices where those take fewer passes over the banks. */
static int64_t readInstructions(const Choice *c, const TileLayout *unique, const TileSharedLayout *shared) {
  TileSharedConflicts vectors, matrices;
  TileMatrixAccess access;
  if (!tileSharedConflicts(unique, shared, c->elementBits, widest(c->target), (int32_t)c->target->sharedBanks,
                           &vectors))
    return 0;
  for (int transposed = 0; transposed < 2 && tileTargetHas(c->target, TileFeature_LdMatrix); ++transposed)
    if (c->elementBits <= 32 &&
        tileSharedMatrixAccess(unique, shared, c->elementBits, transposed, 4, &access) &&
        tileSharedMatrixConflicts(&access, shared, c->elementBits, &matrices) &&
        matrices.wavefronts <= vectors.wavefronts)
      return tileLeast(matrices.accesses, vectors.accesses);
  if (tileTargetHas(c->target, TileFeature_DsReadTr) &&
      tileSharedTransposedConflicts(unique, shared, c->elementBits, (int32_t)c->target->sharedBanks,
                                    &matrices) &&
      matrices.wavefronts <= vectors.wavefronts)
    return tileLeast(matrices.accesses, vectors.accesses);
  return vectors.accesses;
}

/* Instructions of a thread that writes once and of all readers. */
static int64_t instructions(const Choice *c, const TileSharedLayout *shared) {
  TileSharedConflicts write;
  int64_t sum = 0;
  if (tileSharedConflicts(c->writer, shared, c->elementBits, widest(c->target),
                          (int32_t)c->target->sharedBanks, &write))
    sum += write.accesses;
  for (int i = 0; i < c->count; ++i) {
    TileLayout unique;
    tileLayoutDropRedundantRegisters(&c->readers[i].layout, &unique, NULL);
    sum += readInstructions(c, &unique, shared);
  }
  return sum;
}

/* Where data pass through registers, the writer may scatter them: what serves a reader best, without bank
 * conflicts on either side. */
static void searchPlans(Choice *c) {
  TileScratchOptions options = {.elementBits = c->elementBits,
                                .maxVectorBits = widest(c->target),
                                .banks = (int32_t)c->target->sharedBanks,
                                .ldMatrix = tileTargetHas(c->target, TileFeature_LdMatrix)};
  for (int i = 0; i < c->count; ++i) {
    TileScratchPlan plan;
    TileLayout unique;
    TileSharedLayout planned;
    Choice other = *c;
    other.best = INT64_MAX;
    other.out = &planned;
    tileLayoutDropRedundantRegisters(&c->readers[i].layout, &unique, NULL);
    if (tileLayoutPlanScratch(c->writer, &unique, &options, &plan) && !plan.roundBits)
      consider(&other, &plan.shared);
    if (other.best == INT64_MAX || (c->best != INT64_MAX && other.best + instructions(&other, &planned) >=
                                                                c->best + instructions(c, c->out)))
      continue;
    c->best = other.best;
    *c->out = planned;
  }
}

bool tileChooseSharedLayout(const TileLayout *writer, const TileSharedReader *readers, int count,
                            int32_t elementBits, const TileTargetInfo *target, bool inChunks,
                            TileSharedLayout *out) {
  int64_t shape[TileLayout_MaxRank];
  int32_t order[TileLayout_MaxRank];
  TileLayout unique;
  tileLayoutDropRedundantRegisters(writer, &unique, NULL);
  Choice c = {&unique, readers, count, elementBits, target, INT64_MAX, 0, out};
  for (int32_t d = 0; d < writer->rank; ++d)
    shape[d] = writer->shape[d];
  orderOf(writer, order);
  /* The writer's vectors are not broken up: asynchronous copies need them whole. */
  TileLayoutVector held = tileLayoutVector(writer, order[0], 128 / elementBits, true);
  searchTransposed(&c, shape, order);
  searchOrder(&c, shape, order, 1 << held.elementBits);
  if (!inChunks && !tileTargetHas(target, TileFeature_CpAsync) && !allTransposed(&c))
    searchPlans(&c);
  return c.best != INT64_MAX;
}
