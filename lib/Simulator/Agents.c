/* Agents.c - actors beside the threads, and the fence between what threads store and what they see. */
#include "Barriers.h"
#include "Cluster.h"
#include "Hopper.h"
#include <stdlib.h>
#include <string.h>

static SimHopperWarp *partOf(const SimWarp *w) { return &w->machine->hopper->warps[w->index]; }

SimHopper *simHopperCreate(const SimProgram *p) {
  SimHopper *h = calloc(1, sizeof *h);
  if (!h)
    return NULL;
  h->numClocks = p->numClocks;
  h->numSlots = p->regBytes / 32 + 1024;
  bool ok = true;
  for (unsigned k = 0; k < p->numWarps; ++k)
    ok &= (h->warps[k].open = calloc(h->numSlots, sizeof *h->warps[k].open)) != NULL;
  for (unsigned k = 0; k < SIM_MAX_MBARRIERS; ++k) {
    ok &= (h->barriers[k].clock = calloc(3u * p->numClocks, sizeof(uint32_t))) != NULL;
    h->barriers[k].done = h->barriers[k].clock ? h->barriers[k].clock + p->numClocks : NULL;
    h->barriers[k].used = h->barriers[k].clock ? h->barriers[k].clock + 2u * p->numClocks : NULL;
  }
  const size_t all = p->cluster > 1 ? (size_t)p->cluster * p->numClocks : 0;
  for (unsigned k = 0; all && k < p->numWarps; ++k)
    ok &= (h->warps[k].peers = calloc(all, sizeof(uint32_t))) != NULL;
  for (unsigned k = 0; all && k < SIM_MAX_MBARRIERS; ++k) {
    ok &= (h->barriers[k].peers = calloc(2 * all, sizeof(uint32_t))) != NULL;
    h->barriers[k].peersDone = h->barriers[k].peers ? h->barriers[k].peers + all : NULL;
  }
  if (ok)
    return h;
  simHopperRelease(h);
  return NULL;
}

void simHopperRelease(SimHopper *h) {
  for (unsigned k = 0; h && k < SIM_MAX_WARPS; ++k) {
    free(h->warps[k].open);
    free(h->warps[k].peers);
  }
  for (unsigned k = 0; h && k < SIM_MAX_MBARRIERS; ++k) {
    free(h->barriers[k].clock);
    free(h->barriers[k].peers);
    free(h->barriers[k].copies);
  }
  free(h);
}

void simHopperStart(SimMachine *m) {
  SimHopper *h = m->hopper;
  for (unsigned k = 0; k < m->program->numWarps; ++k) {
    uint32_t *open = h->warps[k].open, *peers = h->warps[k].peers;
    memset(open, 0, h->numSlots * sizeof *open);
    if (peers)
      memset(peers, 0, (size_t)m->program->cluster * h->numClocks * sizeof *peers);
    h->warps[k] = (SimHopperWarp){
        .time = {0, m->clockBase, m->clockBase}, .mbarrier = SIM_NO_BLOCK, .open = open, .peers = peers};
    m->warps[k].inFlight = NULL;
  }
  for (unsigned k = 0; k < h->numBarriers; ++k)
    h->barriers[k].numCopies = 0;
  h->numBarriers = 0;
}

unsigned simAgentIndex(const SimWarp *w, SimAgent agent) {
  return (unsigned)agent * w->machine->program->numWarps + w->index;
}

uint32_t simAgentTick(SimWarp *w, SimAgent agent) { return ++partOf(w)->time[agent]; }

void simAgentLearn(SimWarp *w, SimAgent agent, uint32_t time) {
  const unsigned index = simAgentIndex(w, agent), actors = w->machine->program->numActors;
  if (w->clock[index] < time)
    w->clock[index] = time;
  if (w->clock[actors + index] < time)
    w->clock[actors + index] = time;
}

uint32_t simAgentsLatest(const SimMachine *m) {
  uint32_t latest = 0;
  for (unsigned k = 0; k < m->program->numWarps; ++k)
    for (unsigned agent = 1; agent < 3; ++agent)
      latest = m->hopper->warps[k].time[agent] > latest ? m->hopper->warps[k].time[agent] : latest;
  return latest;
}

bool simAgentAccess(SimWarp *w, const SimInsn *i, SimAgent agent, uint32_t time, bool writes, uint64_t offset,
                    unsigned bytes) {
  SimMachine *m = w->machine;
  const unsigned actors = m->program->numActors;
  const SimActor actor = {.time = time,
                          .known = writes ? w->clock : w->clock + actors,
                          .op = i->op,
                          .warp = simAgentIndex(w, agent)};
  SimConflict c;
  if (offset + bytes > m->program->sharedBytes)
    return simFault(w, i, -1, "reaches offset %llu of shared memory, which has %u bytes",
                    (unsigned long long)(offset + bytes), m->program->sharedBytes),
           false;
  if (!m->shadow.cells || (writes ? simSharedWrite(&m->shadow, &actor, offset, bytes, false, &c)
                                  : simSharedRead(&m->shadow, &actor, offset, bytes, &c)))
    return true;
  if (!writes && c.kind == SimConflict_ReadAfterWrite && c.warp < m->program->numWarps &&
      m->shadow.cells[c.offset >> m->shadow.log2Granule].time <= w->clock[c.warp]) {
    simFault(w, i, -1,
             "reads offset %llu of shared memory, stored by warp %u with no fence.proxy.async between",
             (unsigned long long)c.offset, c.warp);
    simFaultNote(m, c.op, "it was written here");
    return false;
  }
  return simReportShared(w, i, 0, &c);
}

bool simAgentCopiesTo(SimWarp *w, const SimInsn *i, SimMachine *peer, uint32_t time, uint64_t offset,
                      unsigned bytes) {
  const unsigned rank = peer->cluster->rank;
  const SimActor actor = {.time = time,
                          .known = partOf(w)->peers + (size_t)rank * w->machine->program->numClocks,
                          .op = i->op,
                          .warp = simAgentIndex(w, SimAgent_Copies)};
  SimConflict c;
  bool lives = false;
  for (unsigned k = 0; k < peer->program->numWarps; ++k)
    lives |= peer->warps[k].state != SimWarp_Ended;
  if (!lives || peer->cluster->phase == peer->cluster->start)
    return simFault(w, i, -1, "copies to shared memory of block %u, which %s", rank,
                    lives ? "may not have begun: the cluster has not met" : "has ended"),
           false;
  if (offset + bytes > peer->program->sharedBytes)
    return simFault(w, i, -1, "reaches offset %llu of shared memory, which has %u bytes",
                    (unsigned long long)(offset + bytes), peer->program->sharedBytes),
           false;
  return !peer->shadow.cells || simSharedWrite(&peer->shadow, &actor, offset, bytes, false, &c) ||
         simReportShared(w, i, 0, &c);
}

SimStatus simProxyFence(SimWarp *w, const SimInsn *i) {
  const unsigned actors = w->machine->program->numActors;
  (void)i;
  for (unsigned k = 0; k < actors; ++k)
    if (w->clock[actors + k] < w->clock[k])
      w->clock[actors + k] = w->clock[k];
  simTick(w);
  return SimStatus_Next;
}
