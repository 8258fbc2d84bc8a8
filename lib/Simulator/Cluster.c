/* Cluster.c - blocks of a cluster: meeting, and reading each other's shared memory. */
#include "Cluster.h"
#include "Barriers.h"
#include "Hopper.h"
#include "Memory.h"
#include <stdlib.h>
#include <string.h>

static void join(uint32_t *to, const uint32_t *from, unsigned n) {
  for (unsigned k = 0; k < n; ++k)
    to[k] = from[k] > to[k] ? from[k] : to[k];
}

bool simClusterCreate(SimMachine *first) {
  const unsigned count = first->program->cluster;
  for (unsigned r = 0; r < count; ++r) {
    SimMachine *m = r ? calloc(1, sizeof *m) : first;
    const bool ok =
        m && (!r || simMachineCreate(m, first->run)) && (m->cluster = calloc(1, sizeof *m->cluster));
    if (m && r)
      first->cluster->blocks[r] = m; // to be released
    if (!ok)
      return false;
    m->shadow.remote = calloc(m->shadow.numCells + 1, sizeof *m->shadow.remote);
    m->cluster->count = count;
    m->cluster->rank = r;
    first->cluster->blocks[r] = m;
    if (!m->shadow.remote)
      return false;
  }
  for (unsigned r = 1; r < count; ++r)
    memcpy(first->cluster->blocks[r]->cluster->blocks, first->cluster->blocks, sizeof first->cluster->blocks);
  return true;
}

void simClusterRelease(SimMachine *first) {
  for (unsigned r = 1; first->cluster && r < SIM_MAX_CLUSTER; ++r) {
    SimMachine *m = first->cluster->blocks[r];
    if (!m)
      continue;
    free(m->shadow.remote);
    free(m->cluster);
    m->cluster = NULL;
    simMachineRelease(m);
    free(m);
  }
  free(first->shadow.remote);
  free(first->cluster);
  first->cluster = NULL;
}

void simClusterStart(SimMachine *m) {
  SimCluster *c = m->cluster;
  c->arrived = c->owing = c->waiting = 0;
  c->start = c->phase;
  memset(c->clock, 0, sizeof c->clock);
  memset(c->known, 0, sizeof c->known);
}

void simClusterBegin(SimMachine *m) {
  const unsigned n = m->program->numClocks;
  for (unsigned k = 0; m->hopper && k < m->program->numWarps; ++k)
    for (unsigned v = 0; v < m->cluster->count * n; ++v)
      m->hopper->warps[k].peers[v] = m->cluster->blocks[v / n]->clockBase;
}

// ---- Meeting ----

static SimStatus learn(SimWarp *w) {
  const SimCluster *c = w->machine->cluster;
  const unsigned n = w->machine->program->numClocks;
  for (unsigned r = 0; w->machine->hopper && r < c->count; ++r)
    join(w->machine->hopper->warps[w->index].peers + (size_t)r * n, c->blocks[r]->cluster->known, n);
  join(w->clock, w->machine->cluster->known, w->machine->program->numClocks);
  w->laneClock = w->clock[w->index];
  simTick(w);
  return SimStatus_Next;
}

SimStatus simClusterArrive(SimWarp *w, const SimInsn *i) {
  SimCluster *c = w->machine->cluster;
  if (w->active != w->live)
    return simFault(w, i, -1, "is executed by a part of the warp's lanes, expected all");
  if (c->owing >> w->index & 1)
    return simFault(w, i, -1, "arrives twice at the cluster's barrier with no wait between");
  c->arrived |= UINT64_C(1) << w->index;
  c->owing |= UINT64_C(1) << w->index;
  c->phases[w->index] = c->phase;
  if (!i->param)
    join(c->clock, w->clock, w->machine->program->numClocks);
  simTick(w);
  return SimStatus_Next;
}

SimStatus simClusterWait(SimWarp *w, const SimInsn *i) {
  SimCluster *c = w->machine->cluster;
  if (!(c->owing >> w->index & 1))
    return simFault(w, i, -1, "waits at the cluster's barrier without having arrived");
  c->owing &= ~(UINT64_C(1) << w->index);
  if (c->phases[w->index] != c->phase)
    return learn(w);
  c->waiting |= UINT64_C(1) << w->index;
  w->state = SimWarp_Waiting;
  w->waitsAt = i;
  return SimStatus_Yield;
}

static const SimWarp *findMissing(const SimMachine *m) {
  for (unsigned k = 0; k < m->program->numWarps; ++k)
    if (m->warps[k].state != SimWarp_Ended && !(m->cluster->arrived >> k & 1))
      return &m->warps[k];
  return NULL;
}

bool simClusterComplete(SimMachine *first) {
  const SimCluster *all = first->cluster;
  bool any = false;
  for (unsigned r = 0; r < all->count; ++r) {
    if (findMissing(all->blocks[r]))
      return false;
    any |= all->blocks[r]->cluster->waiting != 0;
  }
  for (unsigned r = 0; any && r < all->count; ++r)
    memcpy(all->blocks[r]->cluster->known, all->blocks[r]->cluster->clock,
           sizeof all->blocks[r]->cluster->known);
  for (unsigned r = 0; any && r < all->count; ++r) {
    SimMachine *m = all->blocks[r];
    SimCluster *c = m->cluster;
    const uint64_t waiting = c->waiting;
    c->arrived = c->waiting = 0;
    m->shadow.phase = ++c->phase;
    for (uint64_t rest = waiting; rest; rest &= rest - 1) {
      SimWarp *w = &m->warps[__builtin_ctzll(rest)];
      w->state = SimWarp_Ready;
      learn(w);
    }
  }
  return any;
}

bool simClusterIsWaiting(const SimWarp *w) {
  return w->machine->cluster && w->state == SimWarp_Waiting && w->machine->cluster->waiting >> w->index & 1;
}

void simClusterDeadlock(SimWarp *w) {
  const SimCluster *c = w->machine->cluster;
  for (unsigned r = 0; r < c->count; ++r) {
    const SimWarp *other = findMissing(c->blocks[r]);
    if (!other)
      continue;
    simFault(w, w->waitsAt, -1, "waits for ever at the cluster's barrier: warp %u of block %u does not come",
             other->index, r);
    if (other->state == SimWarp_Waiting)
      simFaultNote(w->machine, other->waitsAt->op, "it waits here");
    return;
  }
}

// ---- Others' shared memory ----

SimStatus simClusterRank(SimWarp *w, const SimInsn *i) {
  const SimCluster *c = w->machine->cluster;
  uint32_t *result = SIM_SLOT(uint32_t, w, i->result);
  for (unsigned lane = 0; lane < w->machine->program->lanes; ++lane)
    result[lane] = !c ? i->param != 0 : i->param ? c->count : c->rank;
  return SimStatus_Next;
}

SimStatus simMapa(SimWarp *w, const SimInsn *i) {
  const uint64_t *addresses = SIM_SLOT(uint64_t, w, i->a);
  const uint32_t *ranks = SIM_SLOT(uint32_t, w, i->b);
  const unsigned count = w->machine->cluster ? w->machine->cluster->count : 1;
  uint64_t *result = SIM_SLOT(uint64_t, w, i->result);
  SIM_FOR_LANES(lane, w->active) {
    if (ranks[lane] >= count)
      return simFault(w, i, (int)lane, "got block %u of a cluster of %u", ranks[lane], count);
    result[lane] = (addresses[lane] & UINT32_MAX) | (uint64_t)(ranks[lane] + 1) << SIM_RANK_SHIFT;
  }
  return SimStatus_Next;
}

/// What is wrong with a read of another block's bytes; false if nothing.
static bool isWrong(SimWarp *w, const SimInsn *i, uint64_t lane, SimMachine *peer, uint64_t offset,
                    unsigned bytes) {
  SimSharedShadow *s = &peer->shadow;
  const unsigned rank = peer->cluster->rank;
  const unsigned long long at = offset;
  bool lives = false;
  for (unsigned k = 0; k < peer->program->numWarps; ++k)
    lives |= peer->warps[k].state != SimWarp_Ended;
  if (offset + bytes > peer->program->sharedBytes)
    return simFault(w, i, (int)lane,
                    "reads %u bytes at offset %llu of block %u's shared memory, which has %u bytes", bytes,
                    at, rank, peer->program->sharedBytes),
           true;
  if (!lives || peer->cluster->phase == peer->cluster->start)
    return simFault(w, i, (int)lane, "reads shared memory of block %u, which %s", rank,
                    lives ? "may not have begun: the cluster has not met" : "has ended"),
           true;
  if (!s->cells)
    return false;
  for (uint64_t cell = offset >> s->log2Granule; cell <= (offset + bytes - 1) >> s->log2Granule; ++cell) {
    const SimSharedCell *c = &s->cells[cell];
    s->remote[cell] = (uint64_t)(s->phase + 1) << 32 | i->op;
    if (s->wantsUninit && c->time <= s->start)
      return simFault(w, i, (int)lane,
                      "reads offset %llu of block %u's shared memory, which nobody has written so far", at,
                      rank),
             true;
    if (!s->wantsRaces || (c->time <= peer->cluster->known[c->warp] && !c->flight))
      continue;
    simFault(
        w, i, (int)lane,
        "races: reads offset %llu of block %u's shared memory, written by its warp %u with no barrier of the "
        "cluster between",
        at, rank, c->warp % peer->program->numWarps);
    simFaultNote(w->machine, c->op, "it was written here");
    return true;
  }
  return false;
}

SimStatus simClusterLoad(SimWarp *w, const SimInsn *i) {
  const SimAccess *access = i->data;
  const uint64_t *addresses = SIM_SLOT(uint64_t, w, i->a);
  const SimCluster *cluster = w->machine->cluster;
  SimPlaces places = {.shared = 0};
  SIM_FOR_LANES(lane, w->active) {
    const uint64_t rank = (addresses[lane] >> SIM_RANK_SHIFT) - 1, offset = addresses[lane] & UINT32_MAX;
    if (!cluster || rank >= cluster->count)
      return simFault(w, i, (int)lane, "reads at 0x%llx, which is no address of a block of the cluster",
                      (unsigned long long)addresses[lane]);
    if (offset & (access->alignment - 1u))
      return simFault(w, i, (int)lane, "reads at offset %llu, expected a multiple of %u",
                      (unsigned long long)offset, access->alignment);
    SimMachine *peer = cluster->blocks[rank];
    if (isWrong(w, i, lane, peer, offset, access->bytes))
      return SimStatus_Fault;
    places.at[lane] = peer->shared + offset;
  }
  for (uint32_t k = 0; k < access->numParts; ++k)
    simGather(w->regs + access->parts[k].slot, &places, w->active, access->parts[k].offset,
              access->parts[k].log2Bytes);
  return SimStatus_Next;
}
