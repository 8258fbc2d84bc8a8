/* Schedule.c - which stage starts which load.
 *
 * Counted back from the computation: an asynchronous copy starts as many steps before its consumer as stages
 * can be spared for its level, a staged load two (one in flight, one in the buffer), a load in registers one:
 * to hand it on would wait for it. */
#include "Pipeline.h"

static int distanceOf(const TilePipeline *p, const TilePipelineLoad *load, int levels) {
  int spared = (p->numStages - 1) / levels;
  switch (load->mode) {
  case TileCopy_Async:
    return spared > 1 ? spared : 1;
  case TileCopy_Staged:
    return 2;
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
