/* Counters.c - counters of one machine, and their sums. */
#include "Counters.h"
#include <stdlib.h>
#include <string.h>

bool simCountersInit(SimCounters *c, const SimProgram *p) {
  c->blockWarps = calloc(p->numBlocks + 1u, sizeof *c->blockWarps);
  c->blockLanes = calloc(p->numBlocks + 1u, sizeof *c->blockLanes);
  c->accesses = calloc(p->numInsns + 1u, sizeof *c->accesses);
  c->programs = 0;
  return c->blockWarps && c->blockLanes && c->accesses;
}

void simCountersRelease(SimCounters *c) {
  free(c->blockWarps);
  free(c->blockLanes);
  free(c->accesses);
  *c = (SimCounters){0};
}

void simCountersClear(SimCounters *c, const SimProgram *p) {
  memset(c->blockWarps, 0, p->numBlocks * sizeof *c->blockWarps);
  memset(c->blockLanes, 0, p->numBlocks * sizeof *c->blockLanes);
  memset(c->accesses, 0, p->numInsns * sizeof *c->accesses);
  c->programs = 0;
}

void simCountersAdd(SimCounters *to, const SimCounters *from, const SimProgram *p) {
  to->programs += from->programs;
  for (uint32_t k = 0; k < p->numBlocks; ++k) {
    to->blockWarps[k] += from->blockWarps[k];
    to->blockLanes[k] += from->blockLanes[k];
  }
  for (uint32_t k = 0; k < p->numInsns; ++k) {
    SimAccessCounters *sum = &to->accesses[k];
    const SimAccessCounters *more = &from->accesses[k];
    sum->requests += more->requests;
    sum->lanes += more->lanes;
    sum->bytes += more->bytes;
    sum->sectors += more->sectors;
    sum->conflicts += more->conflicts;
  }
}

static SimAccessCounters *countersOf(SimWarp *w, const SimInsn *i, uint64_t mask, unsigned bytes) {
  SimAccessCounters *c = &w->machine->counters->accesses[i - w->machine->program->insns];
  const uint64_t lanes = (uint64_t)__builtin_popcountll(mask);
  ++c->requests;
  c->lanes += lanes;
  c->bytes += lanes * bytes;
  return c;
}

void simCountGlobal(SimWarp *w, const SimInsn *i, uint64_t mask, const uint64_t *addresses, unsigned bytes) {
  SimAccessCounters *c = countersOf(w, i, mask, bytes);
  c->sectors += simCountPieces(addresses, mask, bytes, w->machine->program->sectorBytes);
}

void simCountShared(SimWarp *w, const SimInsn *i, SimBankRule rule, uint64_t mask, const uint64_t *offsets,
                    unsigned bytes) {
  const SimProgram *p = w->machine->program;
  SimAccessCounters *c = countersOf(w, i, mask, bytes);
  const SimBankPasses passes =
      simCountBankPasses(p->isAmd ? SimBankRule_Amd : rule, offsets, mask, p->lanes, bytes, p->banks);
  c->sectors += passes.passes;
  c->conflicts += passes.conflicts;
}
