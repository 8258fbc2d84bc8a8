/* FindInPlace.c - tile-gpu-find-in-place: a matrix that is read where another one is written, element for element.
 *
 *   func.func @kernel(..., %r: !tile.ptr<f16>, %c: !tile.ptr<f16>, ...) {
 *     ...
 *     %x = tile.load (%r + %offsets)
 *     %y = %sums + %x
 *     tile.store (%c + %offsets), %y
 * The function gets
 *   tile_gpu.in_place = array<i32: 2, 3, 0>
 *
 * A residual is often the output too, given as two parameters. Passes that let loads run ahead of stores, or leave either to an engine, want
 * parameters to be different memory (SeparateMemory.h). Of such a pair they need less: each element is read once, by one thread, and then written, in
 * whatever parts, because what is written is made of it; so the two may also be the very same memory. Programs that share elements would
 * race in the text as well. A part of one that lies in the other at another place stays excluded.
 *
 * The pair's accesses are the kernel's only ones of their parameters, in one block that no loop is around, at addresses made of the same
 * values; what follows from the load ends in the store, element by element. Descriptors that are parameters must have the same sizes and strides as well.
 *
 * requires: module attributes of convert-tile-to-tile-gpu, helpers inlined; before accesses take another form.
 * ensures: tile_gpu.in_place on functions with products for chips with the tensor copy engine. */
#include "MemoryRoots.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/SeparateMemory.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

enum { MAX_PARAMETERS = 64, MAX_DEPTH = 24 };

/* What a kernel does with a parameter's memory. */
typedef struct Accesses {
  MlirOperation load, store; ///< the first
  int count;
} Accesses;

typedef struct Kernel {
  MlirOperation function;
  Accesses of[MAX_PARAMETERS];
  bool isKnown, hasProduct;
  int64_t threads; ///< of a program: of fewer elements several threads would have one
} Kernel;

// ---- Accesses ----

static void noteAccess(Kernel *k, MlirOperation op, bool isLoad, bool isStore) {
  MlirValue root = tileMemoryParameter(op);
  if (!root.ptr || !mlirValueIsABlockArgument(root) ||
      mlirBlockArgumentGetArgNumber(root) >= MAX_PARAMETERS) {
    k->isKnown = false;
    return;
  }
  Accesses *a = &k->of[mlirBlockArgumentGetArgNumber(root)];
  ++a->count;
  if (isLoad)
    a->load = op;
  if (isStore)
    a->store = op;
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  Kernel *k = user;
  switch (tileOpKind(op)) {
  case TileOp_Tile_Load:
  case TileOp_Tile_DescLoad:
    noteAccess(k, op, true, false);
    break;
  case TileOp_Tile_Store:
  case TileOp_Tile_DescStore:
    noteAccess(k, op, false, true);
    break;
  case TileOp_Tile_AtomicRMW:
  case TileOp_Tile_AtomicCAS:
  case TileOp_Tile_DescReduce:
  case TileOp_Tile_DescGather:
  case TileOp_Tile_DescScatter:
    noteAccess(k, op, false, false);
    break;
  case TileOp_Tile_AtomicPoll:
  case TileOp_Tile_InlineAsm:
  case TileOp_Func_Call:
    k->isKnown = false;
    break;
  case TileOp_Tile_Dot:
  case TileOp_Tile_DotScaled:
    k->hasProduct = true;
    break;
  default:
    break;
  }
  return k->isKnown ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

// ---- Addresses ----

/* Whether two values are the same computation, where parameter x of the one stands for y of the other. */
static bool areAlike(MlirValue a, MlirValue b, MlirValue x, MlirValue y, int depth) {
  if (mlirValueEqual(a, x) || mlirValueEqual(b, y))
    return mlirValueEqual(a, x) && mlirValueEqual(b, y);
  if (mlirValueEqual(a, b))
    return true;
  MlirOperation p = tileValueGetDefiningOp(a), q = tileValueGetDefiningOp(b);
  const intptr_t n = p.ptr ? mlirOperationGetNumOperands(p) : 0;
  if (!p.ptr || !q.ptr || depth == MAX_DEPTH || tileOpKind(p) != tileOpKind(q) || !tileOpIsPure(p) ||
      mlirOperationGetNumRegions(p) || n != mlirOperationGetNumOperands(q) ||
      mlirOpResultGetResultNumber(a) != mlirOpResultGetResultNumber(b) ||
      !mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) ||
      tileOperationGetProperties(p).ptr != tileOperationGetProperties(q).ptr)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    if (!areAlike(mlirOperationGetOperand(p, i), mlirOperationGetOperand(q, i), x, y, depth + 1))
      return false;
  return true;
}

static bool haveSameAddress(MlirOperation load, MlirOperation store, MlirValue x, MlirValue y) {
  const TileOpKind kind = tileOpKind(load);
  if (kind == TileOp_Tile_Load)
    return tileOpKind(store) == TileOp_Tile_Store &&
           areAlike(tilePointerAccessOf(load).ptr, tilePointerAccessOf(store).ptr, x, y, 0);
  TileDescLoadOp from = tileDescLoadOpCast(load);
  TileDescStoreOp to = tileDescStoreOpCast(store);
  if (tileDescLoadOpIsNull(from) || tileDescStoreOpIsNull(to) ||
      tileDescLoadOpGetNumCoords(from) != tileDescStoreOpGetNumCoords(to) ||
      !areAlike(tileDescLoadOpGetDesc(from), tileDescStoreOpGetDesc(to), x, y, 0))
    return false;
  for (intptr_t d = 0; d < tileDescLoadOpGetNumCoords(from); ++d)
    if (!areAlike(tileDescLoadOpGetCoords(from, d), tileDescStoreOpGetCoords(to, d), x, y, 0))
      return false;
  return true;
}

// ---- What is written is made of what is read ----

/* Whether all that follows from the load is what the store writes, element by element. */
static bool endsIn(MlirOperation load, MlirOperation store, TileArena *arena) {
  TilePointerList list = {.arena = arena};
  TilePointerMap seen = {.arena = arena};
  bool reaches = false;
  tilePointerListAppend(&list, load.ptr);
  for (size_t i = 0; i < list.count; ++i) {
    MlirOperation op = {(void *)list.items[i]};
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
      for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, r)); !mlirOpOperandIsNull(use);
           use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        reaches |= user.ptr == store.ptr;
        if (user.ptr == store.ptr || tilePointerMapFind(&seen, user.ptr))
          continue;
        const bool isSum = tileOpKind(user) == TileOp_Tile_Dot && mlirOpOperandGetOperandNumber(use) == 2;
        if (!isSum && !tileOpIsElementwise(user))
          return false;
        tilePointerMapSet(&seen, user.ptr, user.ptr);
        tilePointerListAppend(&list, user.ptr);
      }
  }
  return reaches;
}

static bool isInPlace(const Kernel *k, intptr_t from, intptr_t to, TileArena *arena) {
  const Accesses *read = &k->of[from], *written = &k->of[to];
  if (from == to || read->count != 1 || !read->load.ptr || written->count != 1 || !written->store.ptr ||
      tileTypeNumElements(mlirValueGetType(mlirOperationGetResult(read->load, 0))) < k->threads)
    return false;
  MlirBlock block = mlirOperationGetBlock(read->load),
            entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(k->function, 0));
  MlirValue x = mlirBlockGetArgument(entry, from), y = mlirBlockGetArgument(entry, to);
  return mlirBlockEqual(block, mlirOperationGetBlock(written->store)) && !tileBlockIsInLoop(block) &&
         mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(y)) &&
         haveSameAddress(read->load, written->store, x, y) && endsIn(read->load, written->store, arena);
}

static void findPairs(MlirOperation function, int64_t threads, const TileGPUFindInPlaceParams *params) {
  Kernel k = {.function = function, .isKnown = true, .threads = threads};
  mlirOperationWalk(function, collect, &k, MlirWalkPreOrder);
  if (!k.isKnown || !k.hasProduct)
    return;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  intptr_t n = mlirBlockGetNumArguments(entry);
  n = n < MAX_PARAMETERS ? n : MAX_PARAMETERS;
  TileArena arena = {0};
  for (intptr_t from = 0; from < n; ++from)
    for (intptr_t to = 0; to < n; ++to)
      if (isInPlace(&k, from, to, &arena)) {
        tileAllowSame(mlirBlockGetArgument(entry, from), mlirBlockGetArgument(entry, to));
        ++*params->numPairs;
      }
  tileArenaRelease(&arena);
}

MlirLogicalResult tileGPUFindInPlaceRun(MlirOperation module, const TileGPUFindInPlaceParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_TMA))
    return tileSuccess();
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func && mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)).ptr)
      findPairs(op, (int64_t)target.numWarps * target.info.warpSize, params);
  return tileSuccess();
}
