/* Cost.c - cycles of a whole launch: programs in waves over the multiprocessors. */
#include "Cost.h"
#include "CostWalk.h"
#include "tile-c/IR.h"
#include <math.h>

/// Bytes a cycle that a multiprocessor gets from the cache alone, and that all get together; and what copies for each other cost the
/// blocks of a cluster, which wait for each other; several on a multiprocessor for each other; and a wave of blocks for the one before: by measurement on an H200 (docs/auto.md); taken for other chips too, where only
/// ratios matter.
static const double rateAlone = 410, rateTogether = 183.0 * 132, clusterCycles[3] = {2233, 924, 1255},
                    togetherFactor = 1.088, waveCycles = 4600;

/// Registers of a thread beside its sums, and how many are given out at a time: the second as CUDA's occupancy tables have it (units of
/// 256 a warp), the first an estimate.
enum { REGISTERS_BESIDE = 56, REGISTER_UNIT = 8 };

static double smaller(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

/// Blocks that a multiprocessor holds.
static double blocksTogether(const TileCostInput *in, const TileNeeds *needs) {
  const TileTargetInfo *t = in->target;
  const double threads = (in->numWarps + (needs->specialized ? 1 : 0)) * (double)t->warpSize;
  const double registers = REGISTER_UNIT * ceil((needs->registers + REGISTERS_BESIDE) / REGISTER_UNIT);
  double blocks = floor(t->maxWarpsPerMultiprocessor * (double)t->warpSize / threads);
  blocks = smaller(blocks, floor(t->registersPerMultiprocessor / (registers * threads)));
  blocks = smaller(blocks, floor(t->sharedPerMultiprocessor / (needs->sharedBytes + t->sharedReserved + 1)));
  if (t->maxBlocksPerMultiprocessor)
    blocks = smaller(blocks, t->maxBlocksPerMultiprocessor);
  return larger(blocks, 1);
}

/// Multiprocessors that clusters of so many blocks reach: they do not reach over the chip's parts, of 16 or 18 multiprocessors
/// (measured on an H200: 66 clusters of 2, 30 of 4, 15 of 8 at a time).
static double reached(double processors, int cluster) {
  return cluster > 2 ? floor(processors * 10 / 11 / cluster) * cluster : processors;
}

static TileWork walk(TileCostWalk *w) {
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(w->in->kernel, 0));
  w->needs = (TileNeeds){.split = 1, .blocks = 1, .columnBlocks = 1, .storedParts = 1};
  tileCostFindBlocks(w, entry);
  w->cluster = w->needs.split * w->needs.blocks * w->needs.columnBlocks;
  const double active = smaller(larger(w->in->programs, 1) * w->cluster, w->in->processors);
  w->rate = smaller(rateAlone, rateTogether / active);
  w->active = active / w->in->processors;
  w->numbers = (TilePointerMap){.arena = w->arena};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    if (w->in->known[i])
      tileCostSetNumber(w, mlirBlockGetArgument(entry, i), w->in->values[i]);
  return tileCostWalkBlock(w, entry);
}

/// Cycles of blocks that a multiprocessor has at a time: they share its units.
static double waveOf(const TileCostWalk *w, const TileWork *one, double together) {
  const double busy = larger(larger(one->matrix, one->engine), one->bytes / w->rate);
  return larger(one->time, together * busy) * (together > 1 ? togetherFactor : 1);
}

double tileCostEstimate(const TileCostInput *in) {
  TileArena arena = {0};
  TileCostWalk w = {.in = in, .arena = &arena};
  const TileWork one = walk(&w);
  const int sharers = w.needs.blocks * w.needs.columnBlocks, cluster = w.needs.split * sharers;
  const double blocks = in->programs * cluster, processors = reached(in->processors, cluster);
  // Larger clusters find no room beside others.
  const double together = cluster > 2 ? 1 : smaller(blocksTogether(in, &w.needs), ceil(blocks / processors));
  const double each = ceil(blocks / processors), full = floor(each / together), rest = each - full * together;
  double cost = full * waveOf(&w, &one, together) + (rest > 0 ? waveOf(&w, &one, rest) : 0) +
                (full + (rest > 0) - 1) * waveCycles;
  if (sharers > 1)
    cost += clusterCycles[sharers < 4 ? 0 : sharers < 8 ? 1 : 2];
  tileArenaRelease(&arena);
  return w.needs.impossible ? INFINITY : cost;
}
