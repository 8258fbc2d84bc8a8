/* Matrix.c - fragments of matrix instructions, and their repetition over warps and tensors. */
#include "Linear.h"
#include "tile-c/LayoutMatrix.h"

/// The tensor dimensions of a role: M or N (`outer`), K or N (`inner` of the accumulator), and which
/// placement entries they take warps from.
typedef struct RoleDims {
  int32_t rank;
  int32_t m, n, k;      ///< tensor dimension of M, N, K; -1 if the role has none
  int32_t warpM, warpN; ///< index into placement->warps
} RoleDims;

static bool dimsOf(const TileMatrixPlacement *placement, TileMatrixRole role, RoleDims *out) {
  if (placement->rank < 2 || placement->rank > 3 || (unsigned)role > TileMatrixRole_B)
    return false;
  int32_t first = placement->rank - 2, second = placement->rank - 1;
  out->rank = placement->rank;
  out->m = role == TileMatrixRole_B ? -1 : first;
  out->n = role == TileMatrixRole_A ? -1 : second;
  out->k = role == TileMatrixRole_A ? second : role == TileMatrixRole_B ? first : -1;
  out->warpM = first;
  out->warpN = second;
  return true;
}

/// Appends `size` values of `in` along tensor dimension `dim`, or copies if the role has no such dimension.
static bool spread(TileLayout *layout, TileLayoutDim in, int32_t dim, int32_t size) {
  return dim < 0 ? tileLayoutAppendZeros(layout, in, size) : tileLayoutAppend(layout, in, dim, size);
}

/// Appends warps along N and M (M first if `mFastest`), then batch.
static bool spreadWarps(TileLayout *layout, const TileMatrixPlacement *placement, const RoleDims *dims,
                        bool mFastest) {
  const int32_t *warps = placement->warps;
  bool ok = !mFastest || spread(layout, TileLayoutDim_Warp, dims->m, warps[dims->warpM]);
  ok = ok && spread(layout, TileLayoutDim_Warp, dims->n, warps[dims->warpN]);
  ok = ok && (mFastest || spread(layout, TileLayoutDim_Warp, dims->m, warps[dims->warpM]));
  return ok && (dims->rank == 2 || spread(layout, TileLayoutDim_Warp, 0, warps[0]));
}

/// Distributes over the tensor: registers repeat along K first, else along N, then along M, then along batch.
static bool finish(const TileLayout *tile, const TileMatrixPlacement *placement, const RoleDims *dims,
                   TileLayout *out) {
  int32_t inner = dims->k >= 0 ? dims->k : dims->n;
  int32_t outer = 2 * dims->rank - 3 - inner; // the other of the two last dimensions
  int32_t order[3] = {inner, outer, 0};
  return tileLayoutDistribute(tile, NULL, placement->shape, order, out);
}

/// NVIDIA's fragment: in 8 rows, 4 lanes of `kWidth` elements along `inner`; more rows, then more columns, in
/// registers. With `paired` rows, those of one lane are neighbours.
static bool pairedFragment(TileLayout *tile, int32_t outer, int32_t inner, int32_t rows, int32_t columns,
                           int32_t kWidth, bool paired) {
  return tileLayoutAppend(tile, TileLayoutDim_Register, inner, kWidth) &&
         tileLayoutAppend(tile, TileLayoutDim_Lane, inner, 4) &&
         (!paired || tileLayoutAppend(tile, TileLayoutDim_Register, outer, rows / 8)) &&
         tileLayoutAppend(tile, TileLayoutDim_Lane, outer, 8) &&
         (paired || tileLayoutAppend(tile, TileLayoutDim_Register, outer, rows / 8)) &&
         tileLayoutAppend(tile, TileLayoutDim_Register, inner, columns / (4 * kWidth));
}

static bool nvidiaFragment(TileLayout *tile, int32_t outer, int32_t inner, int32_t rows, int32_t columns,
                           int32_t kWidth) {
  return pairedFragment(tile, outer, inner, rows, columns, kWidth, false);
}

bool tileLayoutMmaSync(const TileMatrixPlacement *placement, TileMatrixRole role, int32_t kWidth, bool f64,
                       bool transposed, TileLayout *out) {
  RoleDims dims;
  if (!dimsOf(placement, role, &dims) || (role != TileMatrixRole_Accumulator && !tileIsPowerOfTwo(kWidth)))
    return false;
  TileLayout tile = tileLayoutEmpty(dims.rank);
  int32_t rows = f64 ? 8 : 16, depth = (f64 ? 4 : 8) * kWidth;
  int32_t outer = transposed ? dims.n : dims.m, inner = transposed ? dims.m : dims.n;
  bool paired = placement->paired, isFirst = role == (transposed ? TileMatrixRole_B : TileMatrixRole_A);
  bool ok = role == TileMatrixRole_Accumulator ? pairedFragment(&tile, outer, inner, rows, 8, 2, paired)
            : isFirst ? pairedFragment(&tile, outer, dims.k, rows, depth, kWidth, paired)
                      : nvidiaFragment(&tile, inner, dims.k, 8, depth, kWidth);
  return ok && spreadWarps(&tile, placement, &dims, false) && finish(&tile, placement, &dims, out);
}

bool tileLayoutWgmma(const TileMatrixPlacement *placement, TileMatrixRole role, int32_t instrN,
                     int32_t kWidth, TileLayout *out) {
  RoleDims dims;
  if (role == TileMatrixRole_B || !dimsOf(placement, role, &dims) || placement->warps[dims.warpM] % 4 != 0)
    return false;
  TileLayout tile = tileLayoutEmpty(dims.rank);
  bool ok;
  if (role == TileMatrixRole_A)
    ok = tileIsPowerOfTwo(kWidth) && nvidiaFragment(&tile, dims.m, dims.k, 16, 8 * kWidth, kWidth);
  else
    ok = instrN >= 8 && tileIsPowerOfTwo(instrN) && nvidiaFragment(&tile, dims.m, dims.n, 16, instrN, 2);
  return ok && spreadWarps(&tile, placement, &dims, true) && finish(&tile, placement, &dims, out);
}

static int32_t tilesAlong(const TileMatrixPlacement *placement, int32_t index) {
  return placement->tilesPerWarp[index] ? placement->tilesPerWarp[index] : 1;
}

/// Repeats along `dim` in registers until the tensor's size is reached.
static bool coverDim(TileLayout *tile, const TileMatrixPlacement *placement, int32_t dim) {
  int64_t size = placement->shape[dim];
  return size <= tile->shape[dim] ||
         tileLayoutAppend(tile, TileLayoutDim_Register, dim, size / tile->shape[dim]);
}

/// AMD's accumulators: tiles of a warp along N, warps, the rest of N; then the same along M.
static bool amdFinishAccumulator(TileLayout *tile, const TileMatrixPlacement *placement, const RoleDims *dims,
                                 TileLayout *out) {
  return tileLayoutAppend(tile, TileLayoutDim_Register, dims->n, tilesAlong(placement, dims->warpN)) &&
         tileLayoutAppend(tile, TileLayoutDim_Warp, dims->n, placement->warps[dims->warpN]) &&
         coverDim(tile, placement, dims->n) &&
         tileLayoutAppend(tile, TileLayoutDim_Register, dims->m, tilesAlong(placement, dims->warpM)) &&
         tileLayoutAppend(tile, TileLayoutDim_Warp, dims->m, placement->warps[dims->warpM]) &&
         (dims->rank == 2 || tileLayoutAppend(tile, TileLayoutDim_Warp, 0, placement->warps[0])) &&
         finish(tile, placement, dims, out);
}

/// AMD's operands: all of K, tiles of a warp along the other dimension, warps.
static bool amdFinishOperand(TileLayout *tile, const TileMatrixPlacement *placement, const RoleDims *dims,
                             TileLayout *out) {
  int32_t other = dims->m >= 0 ? dims->m : dims->n;
  int32_t tiles = tilesAlong(placement, dims->m >= 0 ? dims->warpM : dims->warpN);
  return coverDim(tile, placement, dims->k) && tileLayoutAppend(tile, TileLayoutDim_Register, other, tiles) &&
         spreadWarps(tile, placement, dims, false) && finish(tile, placement, dims, out);
}

/// MFMA accumulator: `group` consecutive elements along `along` in registers, lanes across, further lanes and
/// registers along.
static bool mfmaAccumulator(TileLayout *tile, int32_t along, int32_t across, int32_t sizeAlong,
                            int32_t sizeAcross, int32_t group) {
  return tileLayoutAppend(tile, TileLayoutDim_Register, along, group) &&
         tileLayoutAppend(tile, TileLayoutDim_Lane, across, sizeAcross) &&
         tileLayoutAppend(tile, TileLayoutDim_Lane, along, 64 / sizeAcross) &&
         tileLayoutAppend(tile, TileLayoutDim_Register, along, sizeAlong * sizeAcross / (64 * group));
}

bool tileLayoutMfma(const TileMatrixPlacement *placement, TileMatrixRole role, int32_t m, int32_t n,
                    int32_t kWidth, bool f64, bool transposed, TileLayout *out) {
  RoleDims dims;
  bool known = (m == n && (m == 32 || m == 16)) || (m == 64 && n == 4) || (m == 4 && n == 64 && !transposed);
  if (!known || !dimsOf(placement, role, &dims))
    return false;
  TileLayout tile = tileLayoutEmpty(dims.rank);
  if (role != TileMatrixRole_Accumulator) {
    int32_t other = role == TileMatrixRole_A ? m : n;
    return tileIsPowerOfTwo(kWidth) && tileLayoutAppend(&tile, TileLayoutDim_Register, dims.k, kWidth) &&
           tileLayoutAppend(&tile, TileLayoutDim_Lane, role == TileMatrixRole_A ? dims.m : dims.n, other) &&
           tileLayoutAppend(&tile, TileLayoutDim_Lane, dims.k, 64 / other) &&
           amdFinishOperand(&tile, placement, &dims, out);
  }
  transposed |= m == 64;
  int32_t group = f64 ? 1 : 4;
  bool ok = transposed ? mfmaAccumulator(&tile, dims.n, dims.m, n, m, group)
                       : mfmaAccumulator(&tile, dims.m, dims.n, m, n, group);
  return ok && amdFinishAccumulator(&tile, placement, &dims, out);
}

/// WMMA accumulator: 16 lanes across; along the other dimension the half-wave gives bit 0 (generation 1) or
/// bit 3.
static bool wmmaAccumulator(TileLayout *tile, int32_t along, int32_t across, int32_t generation) {
  return tileLayoutAppend(tile, TileLayoutDim_Lane, across, 16) &&
         (generation != 1 || tileLayoutAppend(tile, TileLayoutDim_Lane, along, 2)) &&
         tileLayoutAppend(tile, TileLayoutDim_Register, along, 8) &&
         (generation == 1 || tileLayoutAppend(tile, TileLayoutDim_Lane, along, 2));
}

bool tileLayoutWmma(const TileMatrixPlacement *placement, TileMatrixRole role, int32_t generation,
                    int32_t kWidth, int32_t k, bool transposed, TileLayout *out) {
  RoleDims dims;
  if ((generation != 1 && generation != 2) || !dimsOf(placement, role, &dims))
    return false;
  TileLayout tile = tileLayoutEmpty(dims.rank);
  if (role == TileMatrixRole_Accumulator) {
    bool ok = transposed ? wmmaAccumulator(&tile, dims.n, dims.m, generation)
                         : wmmaAccumulator(&tile, dims.m, dims.n, generation);
    return ok && amdFinishAccumulator(&tile, placement, &dims, out);
  }
  int32_t other = role == TileMatrixRole_A ? dims.m : dims.n, halves = generation == 1 ? 1 : 2;
  if (!tileIsPowerOfTwo(kWidth) || !tileIsPowerOfTwo(k) || k < kWidth * halves)
    return false;
  return tileLayoutAppend(&tile, TileLayoutDim_Register, dims.k, kWidth) &&
         tileLayoutAppend(&tile, TileLayoutDim_Lane, other, 16) &&
         (generation == 1 ? tileLayoutAppendZeros(&tile, TileLayoutDim_Lane, 2)
                          : tileLayoutAppend(&tile, TileLayoutDim_Lane, dims.k, 2)) &&
         tileLayoutAppend(&tile, TileLayoutDim_Register, dims.k, k / (halves * kWidth)) &&
         amdFinishOperand(&tile, placement, &dims, out);
}

bool tileLayoutFmaOperand(const TileLayout *accumulator, TileMatrixRole role, int64_t k, TileLayout *out) {
  int32_t rank = accumulator->rank;
  if (rank < 2 || rank > 3 || (role != TileMatrixRole_A && role != TileMatrixRole_B))
    return false;
  int32_t dim = role == TileMatrixRole_A ? rank - 1 : rank - 2;
  TileLayout depth, others;
  return tileLayoutIdentity1D(rank, TileLayoutDim_Register, dim, k, &depth) &&
         tileLayoutUnbroadcast(accumulator, dim, &others) && tileLayoutProduct(&depth, &others, out);
}
