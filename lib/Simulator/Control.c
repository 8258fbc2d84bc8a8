/* Control.c - branches: lanes that part run one side after the other and meet at the post-dominator.
 *
 * A warp has a stack of frames. Where lanes part, their frame is set to go on at the meeting block, and a
 * frame for each side is put on top; a side ends when it arrives there. A side that starts at the meeting
 * block has nothing to run. A frame's lanes are a proper part of those of the frame it parted from, which
 * bounds the stack. */
#include "Control.h"
#include "Counters.h"
#include "Hopper.h"
#include <string.h>

uint64_t simMaskOf(const SimWarp *w, uint32_t slot) {
  const uint8_t *bytes = SIM_SLOT(uint8_t, w, slot);
  uint64_t mask = 0;
  for (unsigned lane = 0; lane < w->machine->program->lanes; ++lane)
    mask |= (uint64_t)(bytes[lane] != 0) << lane;
  return mask;
}

static void moveDirectly(SimWarp *w, const SimEdge *edge, uint64_t mask) {
  const unsigned lanes = w->machine->program->lanes;
  for (uint32_t k = 0; k < edge->numMoves; ++k) {
    const SimMove *m = &edge->moves[k];
    if (mask == w->full)
      memcpy(w->regs + m->to, w->regs + m->from, (size_t)lanes << m->log2Bytes);
    else
      simBlend(w->regs + m->to, w->regs + m->from, lanes, m->log2Bytes, lanes, mask);
  }
}

/// A destination is also a source: all values are read before one is written.
static void moveThroughScratch(SimWarp *w, const SimEdge *edge, uint64_t mask) {
  const unsigned lanes = w->machine->program->lanes;
  char *at = w->machine->scratch;
  for (uint32_t k = 0; k < edge->numMoves; ++k) {
    const SimMove *m = &edge->moves[k];
    memcpy(at, w->regs + m->from, (size_t)lanes << m->log2Bytes);
    at += (size_t)lanes << m->log2Bytes;
  }
  at = w->machine->scratch;
  for (uint32_t k = 0; k < edge->numMoves; ++k) {
    const SimMove *m = &edge->moves[k];
    simBlend(w->regs + m->to, at, lanes, m->log2Bytes, lanes, mask);
    at += (size_t)lanes << m->log2Bytes;
  }
}

static void move(SimWarp *w, const SimEdge *edge, uint64_t mask) {
  if (w->inFlight)
    simWgmmaMove(w, edge);
  if (edge->overlapping)
    moveThroughScratch(w, edge, mask);
  else
    moveDirectly(w, edge, mask);
}

/// Takes finished frames away and goes on with the last one left.
static SimStatus resume(SimWarp *w) {
  while (w->numFrames && !(w->frames[w->numFrames - 1].mask & w->live))
    --w->numFrames;
  if (!w->numFrames) {
    w->active = 0;
    w->state = SimWarp_Ended;
    return SimStatus_Ended;
  }
  const SimFrame *top = &w->frames[w->numFrames - 1];
  const SimProgram *p = w->machine->program;
  const SimBlock *block = &p->blocks[top->block];
  w->active = top->mask & w->live;
  w->pc = &p->insns[block->first];
  w->steps += block->count;
  if (w->machine->counters)
    simCountBlock(w, top->block);
  if (w->steps > w->machine->run->maxSteps)
    return simFault(w, w->pc, -1, "is not executed: the limit of %llu steps of a warp is reached",
                    (unsigned long long)w->machine->run->maxSteps);
  if (w->turn <= block->count)
    return SimStatus_Yield;
  w->turn -= block->count;
  return SimStatus_Next;
}

/// The running lanes arrive at a block.
static SimStatus arrive(SimWarp *w, uint32_t block) {
  SimFrame *top = &w->frames[w->numFrames - 1];
  if (top->meet == block && w->numFrames > 1)
    --w->numFrames;
  else
    top->block = block;
  return resume(w);
}

static SimStatus follow(SimWarp *w, const SimEdge *edge) {
  move(w, edge, w->active);
  return arrive(w, edge->block);
}

/// Whether a block ends the kernel with an error: an assertion's, a trap.
static bool isDeadEnd(const SimProgram *p, uint32_t block) {
  const SimBlock *b = &p->blocks[block];
  return b->count && p->insns[b->first + b->count - 1].effect == simUnreachable;
}

/// Lanes part: masks[e] take edge e. Sides that end the kernel run first: what the others meet without these lanes, as a
/// barrier, is not the error.
static SimStatus part(SimWarp *w, const SimBranch *branch, const uint64_t *masks) {
  const uint32_t meet = w->machine->program->blocks[branch->block].meet;
  SimFrame *top = &w->frames[w->numFrames - 1];
  if (meet == top->meet) // what is left to do there is the frame's below
    --w->numFrames;
  else
    top->block = meet;
  for (int dead = 0; dead < 2; ++dead) {
    for (uint32_t e = branch->numEdges; e-- > 0;) { // the first edge runs first
      if (!masks[e] || isDeadEnd(w->machine->program, branch->edges[e].block) != dead)
        continue;
      move(w, &branch->edges[e], masks[e]);
      if (branch->edges[e].block != meet)
        w->frames[w->numFrames++] = (SimFrame){masks[e], branch->edges[e].block, meet};
    }
  }
  return resume(w);
}

SimStatus simBranch(SimWarp *w, const SimInsn *i) {
  return follow(w, &((const SimBranch *)i->data)->edges[0]);
}

SimStatus simCondBranch(SimWarp *w, const SimInsn *i) {
  const SimBranch *branch = i->data;
  const uint64_t yes = simMaskOf(w, i->a) & w->active;
  if (yes == w->active)
    return follow(w, &branch->edges[0]);
  if (!yes)
    return follow(w, &branch->edges[1]);
  return part(w, branch, (const uint64_t[]){yes, w->active & ~yes});
}

static uint64_t selectorOf(const SimWarp *w, const SimInsn *i, uint64_t lane) {
  uint64_t value = 0;
  memcpy(&value, w->regs + i->a + (lane << i->log2Bytes), i->log2Bytes > 3 ? 8 : (size_t)1 << i->log2Bytes);
  return value;
}

SimStatus simSwitch(SimWarp *w, const SimInsn *i) {
  const SimBranch *branch = i->data;
  uint64_t masks[SIM_MAX_EDGES] = {0}; // the decoder refuses more
  SIM_FOR_LANES(lane, w->active) {
    const uint64_t value = selectorOf(w, i, lane);
    uint32_t e = 1;
    while (e < branch->numEdges && branch->cases[e - 1] != value)
      ++e;
    masks[e < branch->numEdges ? e : 0] |= UINT64_C(1) << lane;
  }
  for (uint32_t e = 0; e < branch->numEdges; ++e)
    if (masks[e] == w->active)
      return follow(w, &branch->edges[e]);
  return part(w, branch, masks);
}

SimStatus simReturn(SimWarp *w, const SimInsn *i) {
  (void)i;
  w->live &= ~w->active;
  --w->numFrames;
  if (!w->live && w->machine->hopper && !simTmaEnd(w))
    return SimStatus_Fault;
  return resume(w);
}

SimStatus simUnreachable(SimWarp *w, const SimInsn *i) {
  return simFault(w, i, __builtin_ctzll(w->active), "%s", (const char *)i->data);
}

void simWarpStart(SimWarp *w, uint64_t lanes) {
  w->live = lanes;
  w->steps = 0;
  w->numFrames = 1;
  w->frames[0] = (SimFrame){lanes, 0, SIM_NO_BLOCK};
  w->state = SimWarp_Ready;
  w->turn = UINT64_MAX;
  (void)resume(w);
}
