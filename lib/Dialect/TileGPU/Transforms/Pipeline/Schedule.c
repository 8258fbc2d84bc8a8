/* Schedule.c - which stage starts which load.
 *
 * Counted back from the computation: an asynchronous copy starts as many steps before its consumer as stages
 * can be spared for its level, a staged load two (one in flight, one in the buffer), a load in registers one:
 * to hand it on would wait for it. On AMD, where registers do not reach for that, a staged load starts in the
 * step in which it is stored, behind the computation: as far ahead in the step as registers come free
 * (tile-interleave-products). */
#include "Pipeline.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMatrix.h"

typedef struct Words {
  int64_t sums, fragments; ///< registers of a thread; fragments: of the product with most of them
} Words;

/* Accumulators of a product that the loop carries; fragments of as much of K as is multiplied at a time. */
static MlirWalkResult addProduct(MlirOperation op, void *user) {
  Words *words = user;
  TileMatrixChoice choice;
  TileGPUMmaOp mma = tileGPUMmaOpCast(op);
  if (tileGPUMmaOpIsNull(mma) || !tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(mma), &choice))
    return MlirWalkResultAdvance;
  int64_t k = tileMatrixSizesOf(op).k,
          covered = choice.family == TileMatrixFamily_MFMA ? choice.kWidth * (64 / choice.m) : choice.k;
  covered = covered < choice.k ? choice.k : covered;
  int64_t both = tileRegisterWords(mlirValueGetType(tileGPUMmaOpGetA(mma))) +
                 tileRegisterWords(mlirValueGetType(tileGPUMmaOpGetB(mma))),
          fragments = covered < k ? both * covered / k : both;
  words->fragments = fragments > words->fragments ? fragments : words->fragments;
  words->sums += tileRegisterWords(mlirValueGetType(tileGPUMmaOpGetResult(mma)));
  return MlirWalkResultAdvance;
}

bool tilePipelineIsTight(const TilePipeline *p) {
  /* Of a wave's 256 vector registers, those that are left beside addresses and counters: by trial, as gfx942's and gfx1100's 64x64 of a
   * wave spill nothing (test/lit/Target/amdgpu-*.test count). LOAD_WORDS: an address for each load of 16 bytes. */
  enum { MOST = 230, LOAD_WORDS = 4 };
  Words words = {0, 0};
  int64_t staged = 0;
  if (p->target->info.vendor != TileVendor_AMD)
    return false;
  mlirOperationWalk(p->loop.op, addProduct, &words, MlirWalkPreOrder);
  for (int i = 0; i < p->numLoads; ++i)
    if (p->loads[i].mode == TileCopy_Staged)
      staged += tileRegisterWords(mlirValueGetType(tileLoadOpGetResult(p->loads[i].op)));
  return words.sums && words.sums + words.fragments + staged + staged / LOAD_WORDS > MOST;
}

static int distanceOf(const TilePipeline *p, const TilePipelineLoad *load, int levels) {
  int spared = (p->numStages - 1) / levels;
  switch (load->mode) {
  case TileCopy_Async:
    return spared > 1 ? spared : 1;
  case TileCopy_Staged:
    return p->isLate ? 1 : 2;
  default:
    return 1;
  }
}

/* The earliest stage that uses the load, the computation being 0: of loads whose operands need it. */
static int earliestUse(TilePipeline *p, int load) {
  int earliest = 0;
  for (int i = 0; i < p->numLoads; ++i) {
    TilePipelineSlice slice = tilePipelineNewSlice(p);
    uint32_t needs = 0;
    if (p->loads[i].level >= p->loads[load].level)
      continue;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(p->loads[i].op.op); ++k)
      (void)tilePipelineSliceAdd(p, &slice, mlirOperationGetOperand(p->loads[i].op.op, k), false, &needs);
    if (needs >> load & 1 && p->loads[i].stage < earliest)
      earliest = p->loads[i].stage;
  }
  return earliest;
}

void tilePipelineSchedule(TilePipeline *p) {
  int levels = 1, first = 0;
  for (int i = 0; i < p->numLoads; ++i)
    levels = p->loads[i].level >= levels ? p->loads[i].level + 1 : levels;
  for (int level = 0; level < levels; ++level)
    for (int i = 0; i < p->numLoads; ++i) {
      TilePipelineLoad *load = &p->loads[i];
      if (load->level != level)
        continue;
      load->stage = earliestUse(p, i) - distanceOf(p, load, levels);
      first = load->stage < first ? load->stage : first;
    }
  for (int i = 0; i < p->numLoads; ++i)
    p->loads[i].stage -= first;
  p->depth = -first;
}
