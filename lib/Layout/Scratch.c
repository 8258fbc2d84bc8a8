/* Scratch.c - planning a conversion through shared memory: vectors, rounds, and offsets free of bank
 * conflicts.
 *
 * All subspaces live in one coordinate system: an element is named by the place at which the source holds it,
 * as a packed (register, lane, warp) with the bits that only make copies left at 0; the block is left out,
 * since every block writes to its own memory. LayoutConvert.h has the argument why conflicts can always be
 * avoided. */
#include "Linear.h"
#include "tile-c/LayoutConvert.h"
#include <string.h>

/// One side: its vectors by kind of input.
typedef struct Side {
  const TileLayout *layout;
  int32_t numRegisters, numLanes;
  uint64_t registers[TileLayout_MaxBits], lanes[TileLayout_MaxBits]; ///< zero vectors included
  TileGF2Space registerSpan, warpSpan, fixedSpan;                    ///< fixed: lanes and blocks
} Side;

typedef struct Problem {
  const TileScratchOptions *options;
  Side src, dst;
  uint64_t places[64]; ///< unit vectors of the coordinate system, lowest first
  int32_t numPlaces;
  TileLayout origin; ///< src, to translate places back to coordinates
} Problem;

/// A list of independent vectors.
typedef struct Vectors {
  int32_t count;
  uint64_t items[64];
} Vectors;

static void push(Vectors *list, uint64_t vector) { list->items[list->count++] = vector; }

static void addAll(TileGF2Space *space, const Vectors *list) {
  for (int32_t i = 0; i < list->count; ++i)
    tileGF2Insert(space, list->items[i], 0, NULL);
}

// ---- Coordinates ----

/// Image of src, solved by inputs that make no copies, in the order in which tileLayoutFreeMask judges them.
static void invertSource(const TileLayout *src, TileGF2Space *image, Problem *problem) {
  static const TileLayoutDim order[] = {TileLayoutDim_Lane, TileLayoutDim_Warp, TileLayoutDim_Block,
                                        TileLayoutDim_Register};
  uint64_t used = 0;
  memset(image, 0, sizeof *image);
  for (int32_t i = 0; i < TileLayoutDim_Count; ++i)
    for (int32_t bit = 0; bit < src->bits[order[i]]; ++bit) {
      uint64_t place = 1ull << (tileLayoutInputShift(src, order[i]) + bit);
      if (tileGF2Insert(image, tileLayoutVectorOf(src, order[i], bit), place, NULL) &&
          order[i] != TileLayoutDim_Block)
        used |= place;
    }
  for (; used; used &= used - 1)
    problem->places[problem->numPlaces++] = used & -used;
}

/// Expresses one side's vectors in places. False if src does not hold them.
static bool readSide(const TileLayout *layout, const TileGF2Space *image, uint64_t ownBits, Side *side) {
  side->layout = layout;
  side->numRegisters = layout->bits[TileLayoutDim_Register];
  side->numLanes = layout->bits[TileLayoutDim_Lane];
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < layout->bits[dim]; ++bit) {
      uint64_t place = 0;
      if (tileGF2Reduce(image, tileLayoutVectorOf(layout, dim, bit), &place))
        return false;
      place &= ownBits;
      if (dim == TileLayoutDim_Register)
        side->registers[bit] = place;
      if (dim == TileLayoutDim_Lane)
        side->lanes[bit] = place;
      TileGF2Space *span = dim == TileLayoutDim_Register ? &side->registerSpan
                           : dim == TileLayoutDim_Warp   ? &side->warpSpan
                                                         : &side->fixedSpan;
      tileGF2Insert(span, place, 0, NULL);
    }
  return true;
}

static bool beginProblem(const TileLayout *src, const TileLayout *dst, const TileScratchOptions *options,
                         Problem *problem) {
  TileGF2Space image;
  memset(problem, 0, sizeof *problem);
  if (src->rank != dst->rank || memcmp(src->shape, dst->shape, sizeof src->shape) != 0)
    return false;
  problem->options = options;
  problem->origin = *src;
  invertSource(src, &image, problem);
  uint64_t ownBits = (1ull << tileLayoutInputShift(src, TileLayoutDim_Block)) - 1;
  return problem->numPlaces <= TileLayout_MaxBits && readSide(src, &image, ownBits, &problem->src) &&
         readSide(dst, &image, ownBits, &problem->dst);
}

// ---- Choosing subspaces ----

static int32_t log2Of(int64_t n) { return tileLog2((uint64_t)n); }
/// log2 of the elements that share a bank's word.
static int32_t wordBits(int32_t elementBits) { return elementBits < 32 ? log2Of(32 / elementBits) : 0; }

/// Appends vectors of `from` that are independent of `list`, until it has `wanted`.
static void extend(Vectors *list, const uint64_t *from, int32_t n, int32_t wanted) {
  TileGF2Space span = {{0}, {0}};
  addAll(&span, list);
  for (int32_t i = 0; i < n && list->count < wanted; ++i)
    if (tileGF2Insert(&span, from[i], 0, NULL))
      push(list, from[i]);
}

static void extendBySpace(Vectors *list, const TileGF2Space *from, int32_t wanted) {
  uint64_t basis[64];
  int32_t n = tileGF2Basis(from, basis);
  extend(list, basis, n, wanted);
}

/// A cut into rounds: bit i of an element's round is the parity of its place under functional[i]. `vector[i]`
/// has round 1 << i; `space` is what travels in round 0.
typedef struct Rounds {
  int32_t count;
  uint64_t functional[64], vector[64];
  uint32_t srcByWarp, dstByWarp; ///< round bits that depend on the warp, not on the register
  TileGF2Space space;
} Rounds;

/// Adds functionals that vanish on all lanes and blocks, on `low`, and per side on its warps or (byWarp) its
/// registers.
static void findRounds(const Problem *problem, const Vectors *low, bool srcByWarp, bool dstByWarp,
                       int32_t wanted, TileGF2Space *chosen, Rounds *rounds) {
  TileGF2Space basis;
  tileGF2Sum(&problem->src.fixedSpan, &problem->dst.fixedSpan, &basis);
  tileGF2Sum(&basis, srcByWarp ? &problem->src.registerSpan : &problem->src.warpSpan, &basis);
  tileGF2Sum(&basis, dstByWarp ? &problem->dst.registerSpan : &problem->dst.warpSpan, &basis);
  addAll(&basis, low);
  memset(basis.source, 0, sizeof basis.source);
  // Complete to a basis of all places; each added vector's coordinate is such a functional.
  int32_t added = 0;
  for (int32_t i = problem->numPlaces - 1; i >= 0; --i)
    added += tileGF2Insert(&basis, problem->places[i], 1ull << added, NULL);
  for (int32_t k = 0; k < added && rounds->count < wanted; ++k) {
    uint64_t functional = 0;
    for (int32_t i = 0; i < problem->numPlaces; ++i) {
      uint64_t coordinates = 0;
      tileGF2Reduce(&basis, problem->places[i], &coordinates);
      functional |= (coordinates >> k & 1) ? problem->places[i] : 0;
    }
    if (!tileGF2Insert(chosen, functional, 0, NULL))
      continue;
    rounds->srcByWarp |= srcByWarp ? 1u << rounds->count : 0;
    rounds->dstByWarp |= dstByWarp ? 1u << rounds->count : 0;
    rounds->functional[rounds->count++] = functional;
  }
}

/// At most `wanted` round bits, those that depend on registers on both sides first; fills in vectors and
/// space.
static Rounds chooseRounds(const Problem *problem, const Vectors *low, int32_t wanted) {
  Rounds rounds;
  TileGF2Space chosen = {{0}, {0}}, images = {{0}, {0}};
  memset(&rounds, 0, sizeof rounds);
  for (int32_t kind = 0; kind < 4 && rounds.count < wanted; ++kind)
    findRounds(problem, low, kind & 2, kind & 1, wanted, &chosen, &rounds);
  for (int32_t i = 0; i < problem->numPlaces; ++i) {
    uint64_t image = 0, relation = 0;
    for (int32_t k = 0; k < rounds.count; ++k)
      image |= (uint64_t)(__builtin_popcountll(rounds.functional[k] & problem->places[i]) & 1) << k;
    if (!tileGF2Insert(&images, image, problem->places[i], &relation))
      tileGF2Insert(&rounds.space, relation, 0, NULL);
  }
  for (int32_t k = 0; k < rounds.count; ++k)
    tileGF2Reduce(&images, 1ull << k, &rounds.vector[k]);
  return rounds;
}

/// What one phase of a side touches, by independent vectors: its lanes, then its vector and the words it
/// shares.
static Vectors phaseVectors(const Problem *problem, const Side *side, const Vectors *low,
                            TileScratchAccess access) {
  const TileScratchOptions *options = problem->options;
  Vectors phase = {0, {0}};
  int32_t vector = 0, lowWord = wordBits(options->elementBits);
  if (access != TileScratchAccess_Vector) { // an 8x8 matrix: all lanes and their 4 bytes
    extend(&phase, side->lanes, side->numLanes, 64);
    extend(&phase, side->registers, lowWord, 64);
    return phase;
  }
  while (vector < low->count && tileGF2Contains(&side->registerSpan, low->items[vector]))
    ++vector;
  int32_t wide = vector > lowWord ? vector : lowWord;
  int32_t lanes = log2Of((int64_t)options->banks * 32 / options->elementBits) - wide;
  bool parity = options->banks == 64 && (options->elementBits << vector) == 128 && side->numLanes >= 5;
  for (int32_t i = 0; i < lanes && i < side->numLanes; ++i) {
    uint64_t lane = side->lanes[i];
    if (parity && (i == 2 || i == 3))
      lane ^= side->lanes[i + 1];
    extend(&phase, &lane, 1, phase.count + 1);
  }
  extend(&phase, low->items, wide < low->count ? wide : low->count, 64);
  return phase;
}

/// Vectors of `list` that complete `base`, in order; with `last`, those inside it come after the others.
static Vectors complete(const TileGF2Space *base, const Vectors *list, const TileGF2Space *last) {
  TileGF2Space sum = *base;
  Vectors added = {0, {0}};
  for (int32_t pass = 0; pass < (last ? 2 : 1); ++pass)
    for (int32_t i = 0; i < list->count; ++i)
      if ((!last || tileGF2Contains(last, list->items[i]) == pass) &&
          tileGF2Insert(&sum, list->items[i], 0, NULL))
        push(&added, list->items[i]);
  return added;
}

/// `wanted` vectors of `space` whose span misses the phases of both sides: first from outside both, then sums
/// of a vector of each alone. There are always enough if dim(space) - wanted is at least the larger of both
/// dimensions. Low vectors are summed last and with registers of the other side: added to a lane or warp they
/// would spoil its alignment.
static Vectors missBoth(const Problem *problem, const Vectors *space, const Vectors *srcPhase,
                        const Vectors *dstPhase, int32_t wanted) {
  TileGF2Space a = {{0}, {0}}, b = {{0}, {0}}, both, sum;
  addAll(&a, srcPhase);
  addAll(&b, dstPhase);
  tileGF2Intersect(&a, &b, &both);
  tileGF2Sum(&a, &b, &sum);
  Vectors result = complete(&sum, space, NULL);
  Vectors onlySrc = complete(&both, srcPhase, &problem->dst.registerSpan);
  Vectors onlyDst = complete(&both, dstPhase, &problem->src.registerSpan);
  for (int32_t i = 0; i < onlySrc.count && i < onlyDst.count; ++i)
    push(&result, onlySrc.items[i] ^ onlyDst.items[i]);
  result.count = result.count < wanted ? result.count : wanted;
  return result;
}

// ---- Candidates ----

/// A choice of the lowest offset bits, and how the sides hope to access them.
typedef struct Candidate {
  Vectors low;
  TileScratchAccess store, load;
} Candidate;

enum { MaxCandidates = 8 };

/// Rows of 16 bytes as ldmatrix and stmatrix want them from `side`; false if its lanes do not give one.
static bool matrixRow(const Problem *problem, const Side *side, bool transposed, Vectors *row) {
  int32_t bits = problem->options->elementBits, word = wordBits(bits);
  if (side->numLanes != 5 || bits > 32 || (transposed && bits != 16) ||
      side->numRegisters < (transposed ? 1 : word))
    return false;
  row->count = 0;
  for (int32_t i = 0; i < word && !transposed; ++i)
    push(row, side->registers[i]);
  for (int32_t i = 0; i < (transposed ? 3 : 2); ++i)
    push(row, side->lanes[transposed ? 2 + i : i]);
  TileGF2Space span = {{0}, {0}};
  addAll(&span, row);
  return tileGF2Dimension(&span) == row->count;
}

/// The candidates whose common vectors have at most `shared` bits.
static int32_t listCandidates(const Problem *problem, int32_t shared, Candidate *list) {
  const TileScratchOptions *options = problem->options;
  int32_t widest = options->maxVectorBits > options->elementBits
                       ? log2Of(options->maxVectorBits / options->elementBits)
                       : 0;
  int32_t n = 0;
  TileGF2Space common;
  Candidate base = {{0, {0}}, TileScratchAccess_Vector, TileScratchAccess_Vector};
  list[n++] = base;
  tileGF2Intersect(&problem->src.registerSpan, &problem->dst.registerSpan, &common);
  extendBySpace(&base.low, &common, shared);
  list[n++] = base;
  for (int32_t side = 0; side < 2; ++side) {
    list[n] = base;
    extendBySpace(&list[n].low, side ? &problem->dst.registerSpan : &problem->src.registerSpan, widest);
    n += list[n].low.count > base.low.count;
  }
  for (int32_t kind = 0; kind < 4; ++kind) {
    bool load = kind & 1, transposed = kind & 2;
    Candidate candidate = {{0, {0}}, TileScratchAccess_Vector, TileScratchAccess_Vector};
    TileScratchAccess access = transposed ? TileScratchAccess_MatrixTransposed : TileScratchAccess_Matrix;
    if (!(load ? options->ldMatrix : options->stMatrix) ||
        !matrixRow(problem, load ? &problem->dst : &problem->src, transposed, &candidate.low))
      continue;
    *(load ? &candidate.load : &candidate.store) = access;
    list[n++] = candidate;
  }
  return n;
}

/// Fills the lowest word: narrow elements share it, preferably registers of one thread.
static void fillWord(const Problem *problem, Vectors *low) {
  int32_t word = wordBits(problem->options->elementBits);
  extendBySpace(low, &problem->src.registerSpan, word);
  extendBySpace(low, &problem->dst.registerSpan, word);
  extend(low, problem->places, problem->numPlaces, word);
}

static void setOffsets(const Problem *problem, const Vectors *vectors, TileLayout *map) {
  const TileLayout *origin = &problem->origin;
  for (int32_t i = 0; i < vectors->count; ++i) {
    int64_t index[TileLayoutDim_Count] = {0};
    for (int32_t dim = 0; dim < TileLayoutDim_Block; ++dim)
      index[dim] = (int64_t)(vectors->items[i] >> tileLayoutInputShift(origin, (TileLayoutDim)dim)) &
                   (((int64_t)1 << origin->bits[dim]) - 1);
    tileLayoutApply(origin, index[0], index[1], index[2], 0,
                    map->bases[TileLayoutDim_Offset][map->bits[TileLayoutDim_Offset]++]);
  }
}

/// Vectors of `space` that complete `fixed`: threads first, so that they start at whole vectors.
static Vectors bankVectors(const Problem *problem, const TileGF2Space *fixed, const TileGF2Space *roundSpace,
                           const Vectors *space) {
  Vectors wish = {0, {0}};
  TileGF2Space span = *fixed;
  const TileGF2Space *threads[] = {&problem->src.fixedSpan, &problem->src.warpSpan, &problem->dst.fixedSpan,
                                   &problem->dst.warpSpan};
  for (int32_t i = 0; i < 4; ++i) {
    uint64_t basis[64];
    int32_t n = tileGF2Basis(threads[i], basis);
    for (int32_t k = 0; k < n; ++k)
      if (tileGF2Contains(roundSpace, basis[k]) && tileGF2Insert(&span, basis[k], 0, NULL))
        push(&wish, basis[k]);
  }
  extend(&wish, space->items, space->count, 64);
  return complete(fixed, &wish, NULL);
}

/// The shared layout: vector, banks, the space that misses both phases, rounds.
static void buildShared(const Problem *problem, const Candidate *candidate, const Rounds *rounds,
                        TileSharedLayout *out) {
  const TileScratchOptions *options = problem->options;
  const Vectors *low = &candidate->low;
  TileGF2Space fixed = {{0}, {0}};
  Vectors space = {0, {0}}, top = {rounds->count, {0}};
  space.count = tileGF2Basis(&rounds->space, space.items);
  memcpy(top.items, rounds->vector, sizeof top.items);
  Vectors srcPhase = phaseVectors(problem, &problem->src, low, candidate->store);
  Vectors dstPhase = phaseVectors(problem, &problem->dst, low, candidate->load);
  int32_t beyond = space.count - log2Of((int64_t)options->banks * 32 / options->elementBits);
  Vectors segment = missBoth(problem, &space, &srcPhase, &dstPhase, beyond > 0 ? beyond : 0);
  addAll(&fixed, low);
  addAll(&fixed, &segment);
  Vectors banks = bankVectors(problem, &fixed, &rounds->space, &space);
  TileLayout map = tileLayoutEmpty(problem->origin.rank);
  memcpy(map.shape, problem->origin.shape, sizeof map.shape);
  setOffsets(problem, low, &map);
  setOffsets(problem, &banks, &map);
  setOffsets(problem, &segment, &map);
  setOffsets(problem, &top, &map);
  uint32_t copies = tileLayoutFreeMask(&problem->origin, TileLayoutDim_Block);
  map.bits[TileLayoutDim_Block] = problem->origin.bits[TileLayoutDim_Block];
  for (int32_t bit = 0; bit < map.bits[TileLayoutDim_Block]; ++bit)
    if (!(copies >> bit & 1))
      memcpy(map.bases[TileLayoutDim_Block][bit], problem->origin.bases[TileLayoutDim_Block][bit],
             sizeof map.bases[0][0]);
  *out = (TileSharedLayout){map, 0, 0};
}

/// Instructions and bank passes of one side: a matrix access if hoped for and possible, else the widest
/// vectors without conflicts.
static bool measure(const Problem *problem, const Side *side, const TileSharedLayout *shared,
                    TileScratchAccess *access, int32_t *vectorBits, TileSharedConflicts *out) {
  const TileScratchOptions *options = problem->options;
  TileMatrixAccess matrix;
  *vectorBits = options->maxVectorBits;
  if (*access != TileScratchAccess_Vector &&
      tileSharedMatrixAccess(side->layout, shared, options->elementBits,
                             *access == TileScratchAccess_MatrixTransposed, 4, &matrix))
    return tileSharedMatrixConflicts(&matrix, shared, options->elementBits, out);
  *access = TileScratchAccess_Vector;
  for (; tileSharedConflicts(side->layout, shared, options->elementBits, *vectorBits, options->banks, out);
       *vectorBits /= 2)
    if (out->ways == 1 || *vectorBits <= options->elementBits)
      return true;
  return false;
}

/// Bits of the scratch that must go to rounds so that the rest fits.
static int32_t roundsNeeded(const Problem *problem) {
  int64_t bytes = ((int64_t)1 << problem->numPlaces) * problem->options->elementBits / 8;
  int32_t rounds = 0;
  for (; problem->options->maxBytes && bytes > problem->options->maxBytes && bytes > 1; bytes /= 2)
    ++rounds;
  return rounds;
}

static bool evaluate(const Problem *problem, Candidate *candidate, int32_t roundBits, TileScratchPlan *out) {
  fillWord(problem, &candidate->low);
  Rounds rounds = chooseRounds(problem, &candidate->low, roundBits);
  if (rounds.count < roundBits)
    return false;
  TileScratchPlan plan;
  memset(&plan, 0, sizeof plan);
  plan.roundBits = roundBits;
  plan.storeByWarp = rounds.srcByWarp;
  plan.loadByWarp = rounds.dstByWarp;
  plan.bytes = ((int64_t)1 << (problem->numPlaces - roundBits)) * problem->options->elementBits / 8;
  plan.store = candidate->store;
  plan.load = candidate->load;
  buildShared(problem, candidate, &rounds, &plan.shared);
  if (!measure(problem, &problem->src, &plan.shared, &plan.store, &plan.storeVectorBits,
               &plan.storeConflicts) ||
      !measure(problem, &problem->dst, &plan.shared, &plan.load, &plan.loadVectorBits, &plan.loadConflicts))
    return false;
  plan.cost = plan.storeConflicts.accesses + plan.storeConflicts.wavefronts + plan.loadConflicts.accesses +
              plan.loadConflicts.wavefronts;
  *out = plan;
  return true;
}

static bool optionsAreValid(const TileScratchOptions *options) {
  return options->elementBits >= 8 && options->elementBits <= 64 && tileIsPowerOfTwo(options->elementBits) &&
         (options->banks == 32 || options->banks == 64) && options->maxBytes >= 0 &&
         options->maxVectorBits >= 32 && options->maxVectorBits <= 128 &&
         tileIsPowerOfTwo(options->maxVectorBits);
}

/// The most rounds any candidate without common vectors can be cut into.
static int64_t leastBytes(const Problem *problem) {
  Vectors low = {0, {0}};
  fillWord(problem, &low);
  int32_t rounds = chooseRounds(problem, &low, problem->numPlaces).count;
  return ((int64_t)1 << (problem->numPlaces - rounds)) * problem->options->elementBits / 8;
}

bool tileLayoutPlanScratch(const TileLayout *src, const TileLayout *dst, const TileScratchOptions *options,
                           TileScratchPlan *out) {
  Problem problem;
  out->bytes = 0;
  if (!optionsAreValid(options) || !beginProblem(src, dst, options, &problem))
    return false;
  int32_t widest = options->maxVectorBits > options->elementBits
                       ? log2Of(options->maxVectorBits / options->elementBits)
                       : 0;
  int32_t roundBits = roundsNeeded(&problem);
  bool found = false;
  // Common vectors and rounds compete for the same registers: shorten the vectors until the rounds suffice.
  for (int32_t shared = widest; shared >= 0 && !found; --shared) {
    Candidate candidates[MaxCandidates];
    int32_t n = listCandidates(&problem, shared, candidates);
    for (int32_t i = 0; i < n; ++i) {
      TileScratchPlan plan;
      if (!evaluate(&problem, &candidates[i], roundBits, &plan) || (found && plan.cost >= out->cost))
        continue;
      *out = plan;
      found = true;
    }
  }
  if (!found)
    out->bytes = leastBytes(&problem);
  return found;
}
