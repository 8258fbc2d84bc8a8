/* Turns.c - the programs of a grid: one after another, but for those that wait for another one.
 *
 *   while (atomic_add(flag, 0) == 0) {}     a barrier of the grid, a turn, a lock that another program holds
 *
 * A loop with an atomic or a volatile load that has gone round often puts its program aside: the bytes of its slots are
 * kept, the programs behind it run, then those that were put aside go on in the order in which they were. Whether a
 * program is put aside depends on nothing but the counts of its own rounds, so a run is the same every time. */
#include "Decode.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Tile.h"
#include <stdlib.h>

enum { ROUNDS = 256 }; ///< of such a loop in a turn

/// A program that has been put aside.
typedef struct Waiting {
  uint32_t program[3];
  int next;
  int64_t steps;
  struct Waiting *following;
  char *bytes; ///< of all slots
} Waiting;

typedef struct Turns {
  Decoder *d;
  Machine *m;
  Waiting *first, *last;
  size_t count, stuck; ///< stuck: how many in a row have found nothing new
  size_t slotBytes, keptBytes;
} Turns;

// ---- Loops that may wait ----

/// Whether the op reads, in each of its rounds, what other programs may change meanwhile.
bool interpMayWait(Decoder *d, MlirOperation op) {
  TilePointerList list = {.arena = &d->arena};
  tileCollectOps(op, TileOp_Tile_AtomicRMW, MlirWalkPreOrder, &list);
  tileCollectOps(op, TileOp_Tile_AtomicCAS, MlirWalkPreOrder, &list);
  tileCollectOps(op, TileOp_Tile_AtomicPoll, MlirWalkPreOrder, &list);
  tileCollectOps(op, TileOp_Func_Call, MlirWalkPreOrder, &list);
  bool may = list.count != 0;
  list.count = 0;
  tileCollectOps(op, TileOp_Tile_Load, MlirWalkPreOrder, &list);
  for (size_t k = 0; k < list.count && !may; ++k)
    may = tileLoadOpGetIsVolatile(tileLoadOpCast((MlirOperation){(void *)list.items[k]}));
  return may;
}

static bool runRound(Machine *m, const Instruction *i) {
  (void)i;
  if (!m->others || ++m->rounds % ROUNDS)
    return true;
  m->waits = true;
  return false;
}

void interpEmitRound(Decoder *d, MlirOperation op) {
  if (!d->body)
    interpEmit(d, op, runRound, 0, 0);
}

// ---- What a program's slots hold ----

static size_t bytesOfSlots(const Decoder *d) {
  size_t bytes = 0;
  for (const Storage *s = d->storage; s; s = s->previous)
    bytes += s->bytes;
  return bytes;
}

static void copySlots(const Decoder *d, char *kept, bool isBack) {
  for (Storage *s = d->storage; s; kept += s->bytes, s = s->previous)
    isBack ? memcpy(interpStorageBytes(s), kept, s->bytes) : memcpy(kept, interpStorageBytes(s), s->bytes);
}

static bool putAside(Turns *t) {
  Machine *m = t->m;
  Waiting *w = calloc(1, sizeof *w);
  if (w && t->keptBytes + t->slotBytes <= t->d->maxStorageBytes)
    w->bytes = malloc(t->slotBytes + 1);
  if (!w || !w->bytes) {
    free(w);
    return interpError(m, m->code[m->next],
                       "waits for another program, and %zu programs that do so fill the memory for tensors",
                       t->count);
  }
  memcpy(w->program, m->program, sizeof w->program);
  w->next = m->next;
  w->steps = m->steps;
  copySlots(t->d, w->bytes, false);
  t->keptBytes += t->slotBytes;
  t->last ? (t->last->following = w) : (t->first = w);
  t->last = w;
  ++t->count;
  return true;
}

/// The program that has waited longest, in the machine again.
static void takeFirst(Turns *t) {
  Waiting *w = t->first;
  t->first = w->following;
  if (!t->first)
    t->last = NULL;
  memcpy(t->m->program, w->program, sizeof w->program);
  t->m->next = w->next;
  t->m->steps = w->steps;
  copySlots(t->d, w->bytes, true);
  t->keptBytes -= t->slotBytes;
  --t->count;
  free(w->bytes);
  free(w);
}

// ---- The grid ----

/// Runs the machine's program from its next instruction until it ends or is put aside. `isLast`: no other has begun
/// later or waits.
static bool runTurn(Turns *t, bool isLast) {
  Machine *m = t->m;
  const int begin = m->next;
  m->others = !isLast;
  m->waits = m->seen = false;
  m->rounds = 0;
  if (interpRun(m, begin, m->end)) {
    t->stuck = 0;
    return true;
  }
  if (!m->waits)
    return false;
  t->stuck = m->next == begin && !m->seen ? t->stuck + 1 : 0;
  return putAside(t);
}

static bool runAll(Turns *t) {
  Machine *m = t->m;
  const uint64_t total = (uint64_t)m->grid[0] * m->grid[1] * m->grid[2];
  for (uint64_t p = 0; p < total; ++p) {
    m->program[0] = (uint32_t)(p % m->grid[0]);
    m->program[1] = (uint32_t)(p / m->grid[0] % m->grid[1]);
    m->program[2] = (uint32_t)(p / m->grid[0] / m->grid[1]);
    m->steps = 0;
    m->next = 0;
    if (!runTurn(t, p + 1 == total && !t->count))
      return false;
  }
  while (t->count) {
    takeFirst(t);
    if (!runTurn(t, !t->count || t->stuck > t->count))
      return false;
  }
  return true;
}

bool interpRunGrid(Decoder *d, Machine *m) {
  Turns t = {.d = d, .m = m, .slotBytes = bytesOfSlots(d)};
  const bool ok = runAll(&t);
  for (Waiting *w = t.first, *following; w; w = following) {
    following = w->following;
    free(w->bytes);
    free(w);
  }
  return ok;
}
