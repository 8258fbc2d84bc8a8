/* FindRings.c - which rings a kernel's copies need, whether a producer can fill them, and how many buffers they have. */
#include "BlockOrder.h"
#include "Rings.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Support/Bits.h"

enum { SPARE_BYTES = 1024 };

// ---- What there is ----

bool tileRingsHaveCopies(MlirOperation op) {
  TileArena arena = {0};
  TilePointerList found = {.arena = &arena};
  tileCollectOps(op, TileOp_TileGPU_TmaAlloc, MlirWalkPreOrder, &found);
  const bool any = found.count > 0;
  tileArenaRelease(&arena);
  return any;
}

int tileRingOf(const TileRings *r, MlirOperation op) {
  TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
  for (int i = 0; i < r->count; ++i)
    if (r->rings[i].number == tileGetIntAttr(op, "tile_gpu.ring", 0) &&
        mlirAttributeEqual(r->rings[i].map, tileGPUTmaAllocOpGetMapAttr(alloc)) &&
        mlirTypeEqual(r->rings[i].type, mlirValueGetType(tileGPUTmaAllocOpGetResult(alloc))))
      return i;
  return -1;
}

static MlirWalkResult findRing(MlirOperation op, void *user) {
  bool *used = ((void **)user)[0];
  const TileRings *r = ((void **)user)[1];
  if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc)
    used[tileRingOf(r, op)] = true;
  return MlirWalkResultAdvance;
}

int tileRingsIn(const TileRings *r, MlirOperation op, int out[TileRing_Max]) {
  bool used[TileRing_Max] = {false};
  void *user[2] = {used, (void *)r};
  int n = 0;
  mlirOperationWalk(op, findRing, user, MlirWalkPreOrder);
  for (int i = 0; i < r->count; ++i)
    if (used[i])
      out[n++] = i;
  return n;
}

/* Whether the producer can compute the value: from parameters and induction variables, by scalars. */
static bool canFollow(const TileRings *r, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileTmaIsInFront(r->front, v))
    return true;
  if (!op.ptr) {
    MlirOperation parent = mlirBlockGetParentOperation(tileValueGetBlock(v));
    return tileOpKind(parent) == TileOp_Func_Func ||
           (tileOpKind(parent) == TileOp_SCF_For && !mlirBlockArgumentGetArgNumber(v));
  }
  if (depth > 64 || !tileOpIsPure(op) || mlirOperationGetNumRegions(op) ||
      tileTypeIsTensor(mlirValueGetType(v)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!canFollow(r, mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

/* What is around a copy. */
typedef struct Place {
  bool isInner, isRepeated;
} Place;

/* Everything around a copy is a loop or a branch that the producer can take too. */
static bool canReach(const TileRings *r, MlirOperation op, Place *out) {
  *out = (Place){false, false};
  for (MlirOperation up = mlirOperationGetParentOperation(op); tileOpKind(up) != TileOp_Func_Func;
       up = mlirOperationGetParentOperation(up)) {
    const TileOpKind kind = tileOpKind(up);
    const int operands = kind == TileOp_SCF_For ? 3 : kind == TileOp_SCF_If ? 1 : 0;
    out->isRepeated |= kind == TileOp_SCF_For;
    out->isInner |=
        mlirOperationGetDiscardableAttributeByName(up, tileStr("tile.warp_specialize")).ptr != NULL;
    if (!operands)
      return false;
    for (int i = 0; i < operands; ++i)
      if (!canFollow(r, mlirOperationGetOperand(up, i), 0))
        return false;
  }
  return true;
}

// ---- Where a buffer is free again ----

bool tileRingEnds(MlirValue buffer, TilePointerList *ends) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use), end = {NULL};
    if (tileOpKind(op) == TileOp_TileGPU_Trans) {
      if (!tileRingEnds(mlirOperationGetResult(op, 0), ends))
        return false;
      continue;
    }
    if (tileOpKind(op) == TileOp_TileGPU_Wgmma)
      end = tileWarpGroupWaitOf(op);
    if (tileOpKind(op) == TileOp_TileGPU_LocalLoad)
      end = op;
    if (!end.ptr)
      return false;
    tilePointerListAppend(ends, end.ptr);
  }
  return true;
}

MlirOperation tileRingLastEnd(MlirBlock block, const TilePointerList *ends) {
  MlirOperation last = {NULL};
  for (size_t i = 0; i < ends->count; ++i) {
    MlirOperation at = tileOpInBlock((MlirOperation){(void *)ends->items[i]}, block);
    if (at.ptr && (!last.ptr || mlirOperationIsBeforeInBlock(last, at)))
      last = at;
  }
  return last;
}

// ---- Whether it can be done ----

static bool addRing(TileRings *r, MlirOperation op, Place place) {
  TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
  int i = tileRingOf(r, op);
  if (i < 0) {
    if (r->count == TileRing_Max)
      return false;
    i = r->count++;
    MlirType type = mlirValueGetType(tileGPUTmaAllocOpGetResult(alloc));
    r->rings[i] = (TileRing){.map = tileGPUTmaAllocOpGetMapAttr(alloc),
                             .number = tileGetIntAttr(op, "tile_gpu.ring", 0),
                             .type = type,
                             .bytes = tileTmaBytes(type),
                             .leader = -1};
  }
  r->rings[i].isInner |= place.isInner;
  r->rings[i].isRepeated |= place.isRepeated;
  r->rings[i].isBeside |=
      mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.beside")).ptr != NULL;
  return true;
}

/* No block of a ring is asked for while another of the same is in use: one buffer is enough to go on. */
static bool isAlone(const TileRings *r, MlirOperation op, const TilePointerList *ends) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation last = tileRingLastEnd(block, ends);
  for (size_t i = 0; i < r->allocs.count; ++i) {
    MlirOperation other = {(void *)r->allocs.items[i]};
    MlirOperation at = tileOpInBlock(other, block);
    if (other.ptr != op.ptr && at.ptr && tileRingOf(r, other) == tileRingOf(r, op) &&
        mlirOperationIsBeforeInBlock(op, at) &&
        (at.ptr == last.ptr || mlirOperationIsBeforeInBlock(at, last)))
      return false;
  }
  return last.ptr != NULL;
}

/* The branch of tile-gpu-form-descriptors that all copies stand in; null if there is none. */
static MlirOperation branchOfVersions(const TileRings *r) {
  MlirOperation branch = {NULL};
  for (size_t i = 0; i < r->allocs.count; ++i) {
    MlirOperation up = {(void *)r->allocs.items[i]};
    while (tileOpKind(mlirOperationGetParentOperation(up)) != TileOp_Func_Func)
      up = mlirOperationGetParentOperation(up);
    if (tileOpKind(up) != TileOp_SCF_If || mlirOperationGetNumResults(up) ||
        (branch.ptr && branch.ptr != up.ptr))
      return (MlirOperation){NULL};
    branch = up;
  }
  return branch;
}

static bool collectRings(TileRings *r) {
  TilePointerList ends = {.arena = r->arena};
  tileCollectOps(r->function, TileOp_TileGPU_TmaAlloc, MlirWalkPreOrder, &r->allocs);
  r->front = branchOfVersions(r);
  for (size_t i = 0; i < r->allocs.count; ++i) {
    MlirOperation op = {(void *)r->allocs.items[i]};
    TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
    Place place;
    if (!canReach(r, op, &place) || !addRing(r, op, place))
      return false;
    for (intptr_t d = 0; d < tileGPUTmaAllocOpGetNumCoordinates(alloc); ++d)
      if (!canFollow(r, tileGPUTmaAllocOpGetCoordinates(alloc, d), 0))
        return false;
  }
  for (size_t i = 0; i < r->allocs.count; ++i) {
    ends.count = 0;
    MlirOperation op = {(void *)r->allocs.items[i]};
    if (!tileRingEnds(mlirOperationGetResult(op, 0), &ends) || !isAlone(r, op, &ends))
      return false;
  }
  return r->count > 0;
}

// ---- Rings that take another's barriers ----

static bool isVector(const TileRings *r, int ring) {
  TileMemDesc desc;
  return tileMemDescOf(r->rings[ring].type, &desc) && desc.rank == 1;
}

static int countCopies(const TileRings *r, int ring) {
  int n = 0;
  for (size_t i = 0; i < r->allocs.count; ++i)
    n += tileRingOf(r, (MlirOperation){(void *)r->allocs.items[i]}) == ring;
  return n;
}

/* The last copy of a block in front of one of a vector. */
static MlirOperation leaderOf(const TileRings *r, MlirOperation copy) {
  MlirOperation found = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(copy)); op.ptr != copy.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc && !isVector(r, tileRingOf(r, op)))
      found = op;
  return found;
}

/* The leader's buffer is still read, by products, when the copy's no longer is: its warps wait for them together. */
static bool endsBefore(TileRings *r, MlirOperation copy, MlirOperation leader) {
  TilePointerList own = {.arena = r->arena}, others = {.arena = r->arena};
  (void)tileRingEnds(mlirOperationGetResult(copy, 0), &own);
  (void)tileRingEnds(mlirOperationGetResult(leader, 0), &others);
  MlirBlock block = mlirOperationGetBlock(copy);
  MlirOperation first = tileRingLastEnd(block, &own), last = tileRingLastEnd(block, &others);
  return tileOpKind(last) == TileOp_TileGPU_WgmmaWait && mlirOperationIsBeforeInBlock(first, last);
}

/* Both buffers are free behind the same wait for products: parts of one block, as of 96 columns. */
static bool endsTogether(TileRings *r, MlirOperation copy, MlirOperation leader) {
  TilePointerList own = {.arena = r->arena}, others = {.arena = r->arena};
  (void)tileRingEnds(mlirOperationGetResult(copy, 0), &own);
  (void)tileRingEnds(mlirOperationGetResult(leader, 0), &others);
  MlirBlock block = mlirOperationGetBlock(copy);
  MlirOperation last = tileRingLastEnd(block, &own);
  return last.ptr == tileRingLastEnd(block, &others).ptr && tileOpKind(last) == TileOp_TileGPU_WgmmaWait;
}

/* Copies that each stand behind one of a ring, and are as many: in step with it, they need no barriers. Of vectors, which are read sooner,
 * and of blocks that are read as long. */
static void findLeader(TileRings *r, int ring) {
  TilePointerList leaders = {.arena = r->arena};
  int found = -1;
  for (size_t i = 0; i < r->allocs.count; ++i) {
    MlirOperation op = {(void *)r->allocs.items[i]};
    if (tileRingOf(r, op) != ring)
      continue;
    MlirOperation leader = leaderOf(r, op);
    if (!leader.ptr || !(isVector(r, ring) ? endsBefore : endsTogether)(r, op, leader) ||
        (found >= 0 && tileRingOf(r, leader) != found))
      return;
    for (size_t k = 0; k < leaders.count; ++k)
      if (leaders.items[k] == leader.ptr)
        return;
    tilePointerListAppend(&leaders, leader.ptr);
    found = tileRingOf(r, leader);
  }
  if (found < 0 || countCopies(r, found) != (int)leaders.count ||
      r->rings[found].numBuffers != r->rings[ring].numBuffers)
    return;
  r->rings[ring].leader = r->rings[found].leader >= 0 ? r->rings[found].leader : found;
}

int64_t tileRingPhaseBytes(const TileRings *r, int ring) {
  int64_t bytes = r->rings[ring].bytes;
  for (int i = 0; i < r->count; ++i)
    bytes += r->rings[i].leader == ring ? r->rings[i].bytes : 0;
  return bytes;
}

// ---- Numbers of buffers ----

/* Other buffers: those alive beside the rings, in loops with copies, and all others, which may take the rings' place. */
typedef struct Others {
  int64_t beside, apart;
} Others;

static MlirWalkResult addBytes(MlirOperation op, void *user) {
  Others *o = user;
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (tileOpKind(op) != TileOp_TileGPU_Alloc)
    return MlirWalkResultAdvance;
  const bool isBeside = tileOpKind(parent) != TileOp_Func_Func && tileRingsHaveCopies(parent);
  *(isBeside ? &o->beside : &o->apart) += tileTmaBytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return MlirWalkResultAdvance;
}

static int64_t ringBytes(const TileRings *r) {
  int64_t sum = 0;
  for (int i = 0; i < r->count; ++i)
    sum += r->rings[i].numBuffers * (r->rings[i].bytes + 32);
  return sum;
}

/* Blocks of a loop around the inner ones, as of queries: the next is there when a warp group goes on to it before the others. */
static void addSecondBuffers(TileRings *r, int64_t left) {
  for (int i = 0; i < r->count; ++i) {
    TileRing *ring = &r->rings[i];
    if (ring->isInner || !ring->isRepeated || ring->bytes + 32 > left)
      continue;
    ring->numBuffers = 2;
    left -= ring->bytes + 32;
  }
}

/* Whether `stages` buffers for each ring of inner loops fit, or one of those that meet sums and as many of all others. */
static bool giveStages(TileRings *r, int stages, int64_t most) {
  for (int spare = 0; spare < 2; ++spare) {
    for (int i = 0; i < r->count; ++i) {
      TileRing *ring = &r->rings[i];
      ring->numBuffers = ring->isInner && !(spare && ring->isBeside) ? stages : 1;
    }
    if (ringBytes(r) <= most)
      return true;
  }
  return false;
}

/* Rings of inner loops have as many buffers as there are stages, if they fit. */
static bool chooseNumbers(TileRings *r) {
  Others others = {SPARE_BYTES, SPARE_BYTES};
  const int64_t most = r->c.target->info.sharedPerBlock;
  int stages = (int)tileLeast(tileMost(r->c.target->numStages, 2), TileTma_MaxBuffers);
  mlirOperationWalk(r->function, addBytes, &others, MlirWalkPreOrder);
  while (stages > 0 && !giveStages(r, stages, most - others.beside))
    --stages;
  const unsigned threads =
      (unsigned)(r->c.target->launchedWarps + TileRing_GroupWarps) * r->c.target->info.warpSize;
  if (stages > 1)
    addSecondBuffers(r, most - ringBytes(r) - others.beside);
  return stages > 0 && others.apart <= most && threads <= r->c.target->info.maxThreadsPerBlock;
}

bool tileFindRings(TileRings *r) {
  if (!collectRings(r) || !chooseNumbers(r))
    return false;
  for (int i = 0; i < r->count; ++i)
    findLeader(r, i);
  return true;
}
