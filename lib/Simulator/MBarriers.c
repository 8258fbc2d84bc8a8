/* MBarriers.c - barriers in shared memory: phases of arrivals and of bytes that copies bring. */
#include "Barriers.h"
#include "Cluster.h"
#include "Hopper.h"
#include <string.h>

static SimHopperWarp *partOf(const SimWarp *w) { return &w->machine->hopper->warps[w->index]; }

static void join(uint32_t *to, const uint32_t *from, unsigned n) {
  for (unsigned k = 0; k < n; ++k)
    to[k] = from[k] > to[k] ? from[k] : to[k];
}

static SimMBarrier *find(SimHopper *h, uint64_t offset) {
  for (unsigned k = 0; k < h->numBarriers; ++k)
    if (h->barriers[k].offset == offset)
      return &h->barriers[k];
  return NULL;
}

/// Warps that wait look again.
static void wake(SimMachine *m, SimMBarrier *b) {
  for (uint64_t rest = b->waiting; rest; rest &= rest - 1)
    m->warps[__builtin_ctzll(rest)].state = SimWarp_Ready;
  b->waiting = 0;
}

static void completePhase(SimMachine *m, SimMBarrier *b) {
  const unsigned n = m->hopper->numClocks;
  if (b->pending || b->bytes)
    return;
  memcpy(b->done, b->clock, n * sizeof *b->done);
  memset(b->clock, 0, n * sizeof *b->clock);
  if (b->peers) {
    const size_t all = (size_t)m->program->cluster * n;
    memcpy(b->peersDone, b->peers, all * sizeof *b->peers);
    memset(b->peers, 0, all * sizeof *b->peers);
  }
  b->pending = b->count;
  ++b->phase;
  wake(m, b);
}

static uint64_t lanesOf(const SimWarp *w, const SimInsn *i) {
  const uint8_t *predicate = SIM_SLOT(uint8_t, w, i->b);
  uint64_t mask = 0;
  if (!(i->param & SimMBarrier_Predicate))
    return w->active;
  SIM_FOR_LANES(lane, w->active)
  mask |= (uint64_t)(predicate[lane] != 0) << lane;
  return mask;
}

/// The barrier of one lane, known to this warp; NULL after a fault.
static SimMBarrier *barrierOf(SimWarp *w, const SimInsn *i, uint64_t lane) {
  const uint64_t offset = SIM_SLOT(uint64_t, w, i->a)[lane];
  SimMBarrier *b = find(w->machine->hopper, offset);
  if (!b || !b->count)
    return simFault(w, i, (int)lane, "got offset %llu of shared memory, where no barrier was initialised",
                    (unsigned long long)offset),
           NULL;
  if (b->initWarp != w->index && w->clock[b->initWarp] < b->initTime) {
    simFault(w, i, (int)lane, "uses the barrier at offset %llu, made by warp %u with no barrier between",
             (unsigned long long)offset, b->initWarp);
    simFaultNote(w->machine, b->at->op, "it was made here");
    return NULL;
  }
  return b;
}

/// The same, for a warp that arrives or waits.
static SimMBarrier *use(SimWarp *w, const SimInsn *i, uint64_t lane) {
  SimMBarrier *b = barrierOf(w, i, lane);
  if (b)
    b->used[w->index] = w->clock[w->index];
  return b;
}

// ---- Making ----

static bool checkOffset(SimWarp *w, const SimInsn *i, uint64_t lane, uint64_t offset) {
  if (offset % 8 == 0 && offset + 8 <= w->machine->program->sharedBytes)
    return true;
  return simFault(w, i, (int)lane,
                  "got offset %llu, expected a multiple of 8 inside shared memory, which has %u bytes",
                  (unsigned long long)offset, w->machine->program->sharedBytes),
         false;
}

SimStatus simMBarrierInit(SimWarp *w, const SimInsn *i) {
  SimHopper *h = w->machine->hopper;
  SIM_FOR_LANES(lane, w->active) {
    const uint64_t offset = SIM_SLOT(uint64_t, w, i->a)[lane];
    const uint32_t count = SIM_SLOT(uint32_t, w, i->c)[lane];
    SimMBarrier *b = find(h, offset);
    if (!checkOffset(w, i, lane, offset))
      return SimStatus_Fault;
    if (count < 1 || count >= 1 << 20)
      return simFault(w, i, (int)lane, "got a count of %u, expected 1 to 2^20 - 1", count);
    if (b && b->count)
      return simFault(w, i, (int)lane, "makes a barrier at offset %llu, where there is one",
                      (unsigned long long)offset);
    if (!b && h->numBarriers == SIM_MAX_MBARRIERS)
      return simFault(w, i, (int)lane, "makes more than %d barriers", SIM_MAX_MBARRIERS);
    b = b ? b : &h->barriers[h->numBarriers++];
    *b = (SimMBarrier){.offset = offset,
                       .count = count,
                       .pending = count,
                       .initWarp = (uint8_t)w->index,
                       .initTime = w->clock[w->index],
                       .at = i,
                       .clock = b->clock,
                       .done = b->done,
                       .used = b->used,
                       .peers = b->peers,
                       .peersDone = b->peersDone,
                       .copies = b->copies,
                       .capacity = b->capacity};
    memset(b->clock, 0, h->numClocks * sizeof *b->clock);
    memset(b->done, 0, h->numClocks * sizeof *b->done);
    memset(b->used, 0, h->numClocks * sizeof *b->used);
    if (b->peers)
      memset(b->peers, 0, 2 * (size_t)w->machine->program->cluster * h->numClocks * sizeof *b->peers);
  }
  return SimStatus_Next;
}

SimStatus simMBarrierInval(SimWarp *w, const SimInsn *i) {
  SIM_FOR_LANES(lane, w->active) {
    SimMBarrier *b = barrierOf(w, i, lane);
    if (!b)
      return SimStatus_Fault;
    if (b->numCopies || b->waiting)
      return simFault(w, i, (int)lane, "ends a barrier that is in use");
    for (unsigned k = 0; k < w->machine->program->numWarps; ++k)
      if (k != w->index && b->used[k] > w->clock[k])
        return simFault(w, i, (int)lane,
                        "ends the barrier at offset %llu, which warp %u has used with no barrier between",
                        (unsigned long long)b->offset, k);
    if (b->met && b->met - 1 == w->machine->cluster->phase)
      return simFault(
          w, i, (int)lane,
          "ends the barrier at offset %llu, which another block has used: the cluster has not met since",
          (unsigned long long)b->offset);
    b->count = 0;
  }
  return SimStatus_Next;
}

/// fence.mbarrier_init, fence.proxy.async: the copy engine learns of barriers that this warp has made.
SimStatus simMBarrierFence(SimWarp *w, const SimInsn *i) {
  SimHopper *h = w->machine->hopper;
  for (unsigned k = 0; k < h->numBarriers; ++k)
    h->barriers[k].isFenced |= h->barriers[k].initWarp == w->index;
  return i->param ? simProxyFence(w, i) : SimStatus_Next;
}

// ---- Arriving ----

/// `m`: the barrier's machine.
static bool arriveAt(SimWarp *w, const SimInsn *i, uint64_t lane, SimMachine *m, SimMBarrier *b) {
  const unsigned n = m->hopper->numClocks;
  if (!b->pending)
    return simFault(
               w, i, (int)lane,
               "arrives once more at the barrier at offset %llu, which expects %u arrivals and still waits "
               "for %lld bytes",
               (unsigned long long)b->offset, b->count, (long long)b->bytes),
           false;
  join(m == w->machine ? b->clock : b->peers + (size_t)w->machine->cluster->rank * n, w->clock, n);
  --b->pending;
  completePhase(m, b);
  wake(m, b); // copies may land now
  return true;
}

static bool arrive(SimWarp *w, const SimInsn *i, uint64_t lane, SimMBarrier *b) {
  return arriveAt(w, i, lane, w->machine, b);
}

/// At another block's barrier at the same place.
static bool arriveRemote(SimWarp *w, const SimInsn *i, uint64_t lane) {
  const SimCluster *c = w->machine->cluster;
  const uint32_t rank = SIM_SLOT(uint32_t, w, i->c)[lane];
  const uint64_t offset = SIM_SLOT(uint64_t, w, i->a)[lane];
  if (rank >= (c ? c->count : 1))
    return simFault(w, i, (int)lane, "got block %u of a cluster of %u", rank, c ? c->count : 1), false;
  if (!c || rank == c->rank) {
    SimMBarrier *own = use(w, i, lane);
    return own && arrive(w, i, lane, own);
  }
  SimMachine *peer = c->blocks[rank];
  SimMBarrier *b = find(peer->hopper, offset);
  bool lives = false;
  for (unsigned k = 0; k < peer->program->numWarps; ++k)
    lives |= peer->warps[k].state != SimWarp_Ended;
  if (!lives || peer->cluster->phase == peer->cluster->start)
    return simFault(w, i, (int)lane, "arrives at a barrier of block %u, which %s", rank,
                    lives ? "may not have begun: the cluster has not met" : "has ended"),
           false;
  if (!b || !b->count)
    return simFault(w, i, (int)lane, "got offset %llu of block %u's shared memory, where no barrier is",
                    (unsigned long long)offset, rank),
           false;
  b->met = peer->cluster->phase + 1;
  return arriveAt(w, i, lane, peer, b);
}

SimStatus simMBarrierArrive(SimWarp *w, const SimInsn *i) {
  const uint64_t mask = lanesOf(w, i);
  SIM_FOR_LANES(lane, mask) {
    if (i->param & SimMBarrier_Remote) {
      if (!arriveRemote(w, i, lane))
        return SimStatus_Fault;
      continue;
    }
    SimMBarrier *b = use(w, i, lane);
    if (!b || !arrive(w, i, lane, b))
      return SimStatus_Fault;
  }
  if (mask)
    simTick(w);
  return SimStatus_Next;
}

SimStatus simMBarrierExpect(SimWarp *w, const SimInsn *i) {
  const uint64_t mask = lanesOf(w, i);
  SIM_FOR_LANES(lane, mask) {
    SimMBarrier *b = use(w, i, lane);
    if (!b)
      return SimStatus_Fault;
    b->bytes += SIM_SLOT(uint32_t, w, i->c)[lane];
    if (!arrive(w, i, lane, b))
      return SimStatus_Fault;
  }
  if (mask)
    simTick(w);
  return SimStatus_Next;
}

// ---- Copies ----

SimMBarrier *simMBarrierForCopy(SimWarp *w, const SimInsn *i, SimMachine *m, uint64_t offset) {
  SimMBarrier *b = find(m->hopper, offset);
  if (!b || !b->count)
    return simFault(w, i, -1, "got offset %llu of shared memory, where no barrier was initialised",
                    (unsigned long long)offset),
           NULL;
  if (!b->isFenced)
    return simFault(w, i, -1, "counts towards the barrier at offset %llu, made with no fence after it",
                    (unsigned long long)offset),
           NULL;
  wake(m, b);
  return b;
}

bool simMBarrierComplete(SimWarp *w, const SimInsn *i, SimMBarrier *b, uint32_t bytes, unsigned agent,
                         uint32_t time) {
  const unsigned actors = w->machine->program->numActors;
  b->bytes -= bytes;
  if (b->bytes < 0 && !b->pending)
    return simFault(w, i, -1, "brings %lld bytes more than the barrier at offset %llu expects",
                    (long long)-b->bytes, (unsigned long long)b->offset),
           false;
  if (b->clock[agent] < time)
    b->clock[agent] = time;
  if (b->clock[actors + agent] < time)
    b->clock[actors + agent] = time;
  completePhase(w->machine, b);
  return true;
}

// ---- Waiting ----

static bool isComplete(const SimMBarrier *b, uint32_t parity) { return (b->phase & 1) != (parity & 1); }

static SimStatus pass(SimWarp *w, SimMBarrier *b) {
  partOf(w)->mbarrier = SIM_NO_BLOCK;
  join(w->clock, b->done, w->machine->hopper->numClocks);
  if (b->peersDone)
    join(partOf(w)->peers, b->peersDone, w->machine->program->cluster * w->machine->hopper->numClocks);
  w->laneClock = w->clock[w->index];
  simTick(w);
  return SimStatus_Next;
}

static SimStatus block(SimWarp *w, const SimInsn *i, SimMBarrier *b, uint32_t parity) {
  SimHopperWarp *part = partOf(w);
  if (part->mbarrier == SIM_NO_BLOCK)
    part->phase = b->phase;
  part->mbarrier = (uint32_t)(b - w->machine->hopper->barriers);
  part->parity = parity;
  b->waiting |= UINT64_C(1) << w->index;
  w->state = SimWarp_Waiting;
  w->waitsAt = i;
  w->pc = i; // to look again
  return SimStatus_Yield;
}

SimStatus simMBarrierWait(SimWarp *w, const SimInsn *i) {
  const uint64_t first = (uint64_t)__builtin_ctzll(w->active);
  const uint64_t *offsets = SIM_SLOT(uint64_t, w, i->a);
  const uint32_t *parities = SIM_SLOT(uint32_t, w, i->c), parity = parities[first] & 1;
  SimHopperWarp *part = partOf(w);
  SimMBarrier *b = use(w, i, first);
  if (!b)
    return SimStatus_Fault;
  SIM_FOR_LANES(lane, w->active)
  if (offsets[lane] != offsets[first] || (parities[lane] & 1) != parity)
    return simFault(w, i, (int)lane, "waits for another barrier or phase than the warp's first lane");
  if (part->mbarrier != SIM_NO_BLOCK && b->phase - part->phase > 1)
    return simFault(w, i, -1,
                    "has missed a phase of the barrier at offset %llu: two were completed meanwhile",
                    (unsigned long long)b->offset);
  if (part->mbarrier != SIM_NO_BLOCK && b->phase != part->phase)
    return pass(w, b);
  if (!isComplete(b, parity) && !simTmaLand(w, i, b))
    return SimStatus_Fault;
  return isComplete(b, parity) ? pass(w, b) : block(w, i, b, parity);
}

bool simMBarrierIsWaiting(const SimWarp *w) {
  return w->machine->hopper && partOf(w)->mbarrier != SIM_NO_BLOCK && w->state == SimWarp_Waiting;
}

void simMBarrierDeadlock(SimWarp *w) {
  const SimMBarrier *b = &w->machine->hopper->barriers[partOf(w)->mbarrier];
  simFault(
      w, w->waitsAt, -1,
      "waits for ever: phase %u of the barrier at offset %llu (parity %u) lacks %u of %u arrivals and %lld "
      "bytes of copies",
      b->phase, (unsigned long long)b->offset, partOf(w)->parity, b->pending, b->count, (long long)b->bytes);
}
