/* FormDescriptors.c - tile-gpu-form-descriptors: factors that are loaded through pointers become blocks of descriptors, which
 * the copy engine takes.
 *
 *   scf.for %k = 0 to %K step 64 ... {
 *     %p = splat(%a) + (splat(%m0) + range 0 to 128)[:, None] * splat(%ld) + (splat(%k) + range 0 to 64)[None, :]
 *     %x = tile.load %p mask (splat(%m0) + range)[:, None] < splat(%M) and (splat(%k) + range)[None, :] < splat(%K) other 0
 *     ... tile.dot %x, ...
 * becomes
 *   %ok = 0 <= %m0 <= 2^31 - 129 and 1 <= %M and 1 <= %K and 1 <= %ld and %M * %ld + %K < 2^31
 *   scf.if %ok {
 *     %d = tile.make_desc %a shape [%M, %K] strides [%ld, 1] : !tile.desc<128x64xf16>
 *     scf.for %k = 0 to %K step 64 ... {
 *       %x = tile.desc_load %d[%m0, %k]
 *   } else {
 *     (as it was, its loops not pipelined, its products in short steps along K)
 *   }
 *
 * A stride that is not known to be a multiple of 16 bytes is asked too; for one that is none there is a third version (FormApart.h).
 * Base, sizes and strides are parameters, so that the host makes the tensor maps. Where the host cannot, the condition is false.
 * Indices modulo a size count as if they were not where masks of stores leave out what differs (DeadRows.h). A store of
 * sums to memory that the kernel does nothing else with becomes one through a descriptor too.
 *
 * requires: module attributes of convert-tile-to-tile-gpu, no layouts yet; before tile-gpu-accelerate-wgmma.
 * ensures: the same results. A load of a factor that stays has `tile_gpu.no_block`, which says why; the function has
 * `tile_gpu.formed`: places of all, and why not. */
#include "AccelerateWgmma.h"
#include "Boxes.h"
#include "DeadRows.h"
#include "FormApart.h"
#include "FormBlocks.h"
#include "FormConditions.h"
#include "FormMade.h"
#include "FormPairs.h"
#include "FormPlain.h"
#include "LoopPrograms.h"
#include "MemoryRoots.h"
#include "StoreBlocks.h"
#include "TensorMaps.h"
#include "WidenedFactors.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Passes.h"
#include <stdio.h>

enum {
  MOST_ACCESSES = 16,
  MOST_MAPS = 24, /* of 128 bytes, of the 4 KiB that all parameters have */
  WIDENED = -1    /* a dimension along K: bytes that are read into registers have none */
};

typedef struct Access {
  MlirOperation op;
  TileBox box;
} Access;

/* A load that is a factor, whether the copy engine can take it, and its dimension along K. */
typedef struct Factor {
  MlirOperation load;
  TileBox box;
  int kDim;
  const char *why;
} Factor;

/* Numbers of its loads; -1: a factor is none. */
typedef struct Product {
  MlirBlock block;
  int factors[2];
  int64_t sums;    ///< elements
  bool isComputed; ///< the first factor follows from another product
} Product;

typedef struct Former {
  TileBuilder b;
  TileArena *arena;
  const TileModuleTarget *target;
  MlirOperation function;
  MlirBlock entry;
  TileAxisInfo *info;
  TileBoxGuard guard;
  Factor factors[MOST_ACCESSES];
  Product products[MOST_ACCESSES];
  Access accesses[MOST_ACCESSES];
  int numFactors, numProducts, numAccesses;
  bool hasComputed; ///< a product's first factor follows from another product
} Former;

enum { BESIDE_WARPS = 8 }; // with fewer there is no producer (tile-gpu-load-blocks)

static const char noBlock[] = "tile_gpu.no_block", formedName[] = "tile_gpu.formed";

/* `box` (may be null) knows the parameter at fault. */
static void explain(MlirOperation op, const char *why, const TileBox *box) {
  char text[200];
  MlirValue parameter = box && box->culprit.ptr ? tileBoxParameter(box->culprit) : (MlirValue){NULL};
  const bool has = parameter.ptr != NULL;
  if (has)
    snprintf(text, sizeof text, "%s (argument %d)", why, (int)mlirBlockArgumentGetArgNumber(parameter));
  mlirOperationSetDiscardableAttributeByName(
      op, tileStr(noBlock), mlirStringAttrGet(mlirOperationGetContext(op), tileStr(has ? text : why)));
}

// ---- Which loads ----

/* Whether nothing but products of warp groups use the value, transposed or not. */
static bool hasOnlyProducts(const Former *f, MlirValue v, bool isTurned) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    TileWarpGroupShape shape;
    if (tileOpKind(user) == TileOp_Tile_Trans
            ? isTurned || !hasOnlyProducts(f, mlirOperationGetResult(user, 0), true)
            : tileOpKind(user) != TileOp_Tile_Dot || mlirOpOperandGetOperandNumber(use) > 1 ||
                  !tileWgmmaShapeOf(f->target, tileDotOpCast(user), &shape))
      return false;
  }
  return true;
}

static const char *checkHints(const Former *f, MlirOperation op, int kDim) {
  TileLoadOp load = tileLoadOpCast(op);
  MlirValue other = tileLoadOpIsNull(load) ? (MlirValue){NULL} : tileLoadOpGetOther(load);
  if (!tileLoadOpIsNull(load) && tileLoadOpGetIsVolatile(load))
    return "it is volatile";
  if (other.ptr && !tileValueIsPositiveZero(other))
    return "what its mask leaves out is not 0";
  MlirValue result = mlirOperationGetResult(op, 0);
  if (kDim == WIDENED)
    return tileValueHasOneUse(result) ? NULL : "its bytes have other uses than being widened";
  return hasOnlyProducts(f, result, false) ? NULL : "it has other uses than products";
}

static const char *checkWrapped(MlirOperation load, const TileBox *box) {
  for (int d = 0; d < 2; ++d)
    if (box->dims[d].isWrapped && !tileRowsAreDead(mlirOperationGetResult(load, 0), d, &box->dims[d]))
      return "its rows or columns are taken modulo a number, and no mask of a store leaves out those that "
             "come again";
  return NULL;
}

/* What all accesses share, asked last. */
static const char noStart[] = "its neighbours are not known to begin at a multiple of 16 bytes";

/* Of a block of a descriptor that the kernel makes. */
static const char *checkStart(const Former *f, MlirOperation access) {
  return tileIsMadeAccess(access) && !tileBlockStartFits(f->info, access) ? noStart : NULL;
}

static const char *checkBlock(Former *f, const TileBox *box, MlirType type) {
  if (!tileTensorMapTakes(tileFormedBlockType(box, type)))
    return "its size is none that the copy engine takes";
  if (!box->made.ptr && !tileSumIsMultiple(f->info, &box->dims[box->unit].start, 16 / box->elementBytes))
    return noStart;
  return tileBoxGuardTakes(&f->guard, box)
             ? NULL
             : "the start of a block or what bounds it is not known at the start of the kernel";
}

/* `kDim`: the load's dimension along K. */
static const char *checkLoad(Former *f, MlirOperation load, int kDim, TileBox *box) {
  const char *why = checkHints(f, load, kDim);
  MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
  if (why || (why = tileBoxOf(load, f->info, box)) || (why = checkStart(f, load)) ||
      (why = checkWrapped(load, box)))
    return why;
  if (!tileParameterIsReadOnly(box->base))
    return "the kernel may write what it reads";
  if (kDim == WIDENED && box->numExtra)
    return "its bytes are widened, and a dimension of a batch moves it";
  if (box->unit != kDim && kDim != WIDENED && tileElementTypeSize(tileElementTypeOf(type)) != 2)
    return "its neighbours do not run along K, which elements of 16 bits alone may";
  return checkBlock(f, box, type);
}

static void addAccess(Former *f, MlirOperation op, const TileBox *box) {
  f->accesses[f->numAccesses++] = (Access){op, *box};
}

/* Elements of 16 bits may run along K in one product and not in another: both read the block as it lies. */
static bool runsAnyWay(const Factor *factor, int kDim) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(factor->load, 0));
  return factor->kDim != WIDENED && kDim != WIDENED && tileElementTypeSize(tileElementTypeOf(type)) == 2;
}

/* The number of a factor's load among those of the kernel; -1 if it is none, or one too many. */
static int readFactor(Former *f, TileDotOp dot, int number) {
  MlirValue factor = mlirOperationGetOperand(dot.op, number);
  MlirOperation load = tileFactorLoad(factor), trans = tileValueGetDefiningOp(factor);
  int kDim = 1 - number;
  if (!load.ptr && tileWgmmaWidens(f->target, dot, number) &&
      !tileWidenedLoad(dot, mlirOperationGetOperand(dot.op, !number)).ptr) {
    load = tileWidenedLoad(dot, factor);
    kDim = WIDENED;
  }
  const bool isTurned = trans.ptr && tileOpKind(trans) == TileOp_Tile_Trans;
  kDim = isTurned && kDim != WIDENED ? 1 - kDim : kDim;
  for (int i = 0; load.ptr && i < f->numFactors; ++i)
    if (f->factors[i].load.ptr == load.ptr) {
      if (f->factors[i].kDim != kDim && !runsAnyWay(&f->factors[i], kDim))
        f->factors[i].why = "products read it along different dimensions";
      return i;
    }
  if (!load.ptr || f->numFactors == MOST_ACCESSES)
    return -1;
  Factor *out = &f->factors[f->numFactors];
  *out = (Factor){.load = load, .kDim = kDim};
  out->why = checkLoad(f, load, kDim, &out->box);
  return f->numFactors++;
}

static void readProduct(Former *f, TileDotOp dot) {
  TileWarpGroupShape shape;
  if (!tileWgmmaShapeOf(f->target, dot, &shape) || f->numProducts == MOST_ACCESSES)
    return;
  Product *p = &f->products[f->numProducts++];
  p->isComputed = tileWgmmaKeepsFactor(&shape, dot);
  f->hasComputed |= p->isComputed;
  p->sums = shape.m * shape.n;
  p->block = mlirOperationGetBlock(dot.op);
  p->factors[0] = readFactor(f, dot, 0);
  p->factors[1] = readFactor(f, dot, 1);
}

/* Both factors of a product, the second one if the first is computed, or none. Returns whether that changes anything. */
static bool refuseProduct(Former *f, const Product *p) {
  const int *n = p->factors;
  const bool takes[2] = {n[0] < 0 ? p->isComputed : !f->factors[n[0]].why,
                         n[1] >= 0 && !f->factors[n[1]].why};
  bool changed = false;
  for (int i = 0; i < 2; ++i)
    if (n[i] >= 0 && !takes[!i] && !f->factors[n[i]].why) {
      f->factors[n[i]].why = "the product's other factor is no block that the copy engine takes";
      changed = true;
    }
  return changed;
}

static void chooseFactors(Former *f) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (int i = 0; i < f->numProducts; ++i)
      changed |= refuseProduct(f, &f->products[i]);
  }
  for (int i = 0; i < f->numFactors; ++i)
    if (f->factors[i].why)
      explain(f->factors[i].load, f->factors[i].why, &f->factors[i].box);
    else
      addAccess(f, f->factors[i].load, &f->factors[i].box);
}

// ---- Which loads beside products ----

/* Whether the load stands behind the loop that adds the product up, in one that goes over blocks of its result: a residual. */
static bool isBehindLoop(const Product *p, MlirOperation load, MlirType type) {
  MlirOperation loop = mlirBlockGetParentOperation(p->block);
  return tileOpKind(loop) == TileOp_SCF_For &&
         mlirBlockEqual(mlirOperationGetBlock(loop), mlirOperationGetBlock(load)) &&
         tileOpKind(mlirOperationGetParentOperation(load)) == TileOp_SCF_For &&
         tileTypeNumElements(type) == p->sums;
}

/* A block that meets the sums of a product beside which it is loaded, as biases of attention, or behind which. */
static bool isBeside(const Former *f, MlirOperation op) {
  if (tileOpKind(op) != TileOp_Tile_Load)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  const int bytes = (int)tileElementTypeSize(tileElementTypeOf(type));
  bool found = false;
  if (!tileTypeIsTensor(type) || mlirShapedTypeGetRank(type) != 2 || (bytes != 2 && bytes != 4))
    return false;
  for (int i = 0; i < f->numFactors; ++i)
    if (f->factors[i].load.ptr == op.ptr)
      return false;
  for (int i = 0; i < f->numProducts; ++i)
    found |= (f->products[i].isComputed && mlirBlockEqual(f->products[i].block, mlirOperationGetBlock(op))) ||
             isBehindLoop(&f->products[i], op, type);
  return found && !hasOnlyProducts(f, mlirOperationGetResult(op, 0), false);
}

static const char *checkBeside(Former *f, MlirOperation op, TileBox *box) {
  TileLoadOp load = tileLoadOpCast(op);
  MlirValue other = tileLoadOpGetOther(load);
  if (tileLoadOpGetIsVolatile(load))
    return "it is volatile";
  if (other.ptr && !tileValueIsPositiveZero(other))
    return "what its mask leaves out is not 0";
  const char *why = tileBoxOf(op, f->info, box);
  if (why)
    return why;
  if (box->unit != 1 || box->dims[0].isWrapped || box->dims[1].isWrapped)
    return "its neighbours do not run along rows";
  if (!tileParameterIsReadOnly(box->base))
    return "the kernel may write what it reads";
  return checkBlock(f, box, mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static MlirWalkResult readBeside(MlirOperation op, void *user) {
  Former *f = user;
  TileBox box = {.unit = 0}; // a hint is looked at in front of it
  if (f->numAccesses == MOST_ACCESSES || !isBeside(f, op))
    return MlirWalkResultAdvance;
  const char *why = checkBeside(f, op, &box);
  if (why)
    explain(op, why, &box);
  else
    addAccess(f, op, &box);
  return MlirWalkResultAdvance;
}

// ---- Which stores ----

static bool stores(MlirOperation op) {
  return tileOpKind(op) == TileOp_Tile_Store ||
         (tileOpKind(op) == TileOp_Tile_DescStore && tileIsMadeAccess(op));
}

static MlirValue storedBy(MlirOperation op) {
  TileStoreOp store = tileStoreOpCast(op);
  return tileStoreOpIsNull(store) ? tileDescStoreOpGetValue(tileDescStoreOpCast(op))
                                  : tileStoreOpGetValue(store);
}

static const char *checkStore(Former *f, MlirOperation op, TileBox *box) {
  TileStoreOp store = tileStoreOpCast(op);
  MlirType type = mlirValueGetType(storedBy(op));
  const char *why = tileBoxOf(op, f->info, box);
  if (why || (why = checkStart(f, op)))
    return why;
  if (box->unit != 1 || box->dims[0].isWrapped || box->dims[1].isWrapped)
    return "its neighbours do not run along rows";
  if (!tileStoreOpIsNull(store) && (tileStoreOpGetCache(store) != TileCacheModifier_None ||
                                    tileStoreOpGetEvict(store) != TileEvictionPolicy_Normal))
    return "it has a hint for the cache";
  if (!tileParameterIsStoredOnce(box->base, op))
    return "the kernel does more with that memory";
  return checkBlock(f, box, type);
}

static MlirWalkResult readStore(MlirOperation op, void *user) {
  Former *f = user;
  TileBox box;
  if (!stores(op) || f->numAccesses == MOST_ACCESSES || !tileTypeIsTensor(mlirValueGetType(storedBy(op))) ||
      !tileFollowsFromProduct(storedBy(op)))
    return MlirWalkResultAdvance;
  const char *why = checkStore(f, op, &box);
  if (why)
    explain(op, why, &box);
  else
    addAccess(f, op, &box);
  return MlirWalkResultAdvance;
}

static MlirWalkResult readDot(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_Tile_Dot)
    readProduct(user, tileDotOpCast(op));
  return MlirWalkResultAdvance;
}

// ---- Two versions ----

/* Whether factors can come apart, and rows of some are not known to be whole 16 bytes. `boxes` are the factors' then. */
static bool canComeApart(const Former *f, TileBox boxes[MOST_ACCESSES]) {
  bool isAny = false;
  int64_t maps = 0;
  if (f->hasComputed || f->numProducts == MOST_ACCESSES) // there may be more of them
    return false;
  for (int i = 0; i < f->numFactors; ++i) {
    const Factor *factor = &f->factors[i];
    boxes[i] = factor->box;
    if (factor->why || factor->kDim == WIDENED ||
        !tileApartTakes(f->info, &boxes[i], mlirValueGetType(mlirOperationGetResult(factor->load, 0))))
      return false;
    isAny |= !boxes[i].isAligned;
    maps += boxes[i].apart + 1;
  }
  for (int i = 0; i < f->numProducts; ++i)
    if (f->products[i].factors[0] < 0 || f->products[i].factors[1] < 0)
      return false;
  return isAny && maps <= MOST_MAPS;
}

/* The version for rows that start at any element, in front of the second one, for which the other arm is left. */
static MlirBlock formApart(Former *f, MlirBlock second) {
  TileBox boxes[MOST_ACCESSES];
  const TileBox *all[MOST_ACCESSES];
  MlirBlock arms[2];
  if (!canComeApart(f, boxes))
    return second;
  for (int i = 0; i < f->numFactors; ++i)
    all[i] = &boxes[i];
  f->guard.from.count = f->guard.to.count = 0; // values in the first version
  f->guard.numRanges = 0;
  f->guard.isLost = false;
  MlirValue ok = tileBoxGuardEmit(&f->guard, second, all, f->numFactors);
  if (!ok.ptr)
    ok = tileCreateInteger(f->b, f->guard.loc, mlirIntegerTypeGet(f->guard.context, 1), 1);
  tileSplitBlock(f->b, f->guard.loc, second, ok, arms);
  tileFormApartBlock(f->b, f->arena, f->target, f->info, arms[0]);
  return arms[1];
}

/* The second version; one more for rows of whole words, where it is what may usually run. */
static void formSecond(Former *f, MlirBlock block) {
  MlirBlock second = formApart(f, block);
  if (!mlirBlockEqual(second, block)) {
    tileFormPlainBlock(f->b, f->arena, f->target, f->info, second, 0);
    return;
  }
  TilePairs pairs = {.refuses = f->hasComputed};
  MlirBlock arms[2] = {second};
  for (int i = 0; i < f->numFactors; ++i)
    if (!f->factors[i].why)
      tilePairsAdd(&pairs, &f->factors[i].box);
  const bool isSplit = pairs.count && !pairs.refuses;
  if (pairs.count) // it takes the registers of a second program on the multiprocessor
    mlirOperationSetDiscardableAttributeByName(f->function, tileStr("tile_gpu.long_steps"),
                                               mlirUnitAttrGet(mlirOperationGetContext(f->function)));
  if (isSplit)
    tilePairsSplit(&pairs, f->b, f->guard.loc, second, arms);
  for (int i = 0; i <= isSplit; ++i)
    tileFormPlainBlock(f->b, f->arena, f->target, f->info, arms[i], isSplit && !i ? 2 : 1);
  if (isSplit)
    tilePairsAssume(&pairs, f->b, f->guard.loc, arms[0]);
}

/* The body of the kernel behind `last` moves into the first arm of a branch, a copy of it into the second. */
static void split(Former *f, MlirValue ok) {
  MlirBlock arms[2];
  for (int i = 0; i < f->numAccesses; ++i)
    explain(f->accesses[i].op, tileFormedLoad, NULL);
  tileSplitBlock(f->b, f->guard.loc, f->entry, ok, arms);
  formSecond(f, arms[1]);
  f->entry = arms[0];
}

// ---- What is left ----

/* Variables that a loop carries for nobody stay as they start, so that they go. */
static MlirWalkResult dropCarried(MlirOperation op, void *user) {
  (void)user;
  if (tileOpKind(op) != TileOp_SCF_For)
    return MlirWalkResultAdvance;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i + 1);
    MlirOperation next = tileValueOnlyUser(argument);
    if (next.ptr && tileOpIsPure(next) && tileValueIsUnused(mlirOperationGetResult(op, i)) &&
        mlirOperationEqual(next, tileValueGetDefiningOp(mlirOperationGetOperand(yield, i))) &&
        mlirOperationEqual(tileValueOnlyUser(mlirOperationGetResult(next, 0)), yield))
      mlirOperationSetOperand(yield, i, argument);
  }
  return MlirWalkResultAdvance;
}

/* What the report says: places, and why not. */
typedef struct Memory {
  MlirContext context;
  TilePointerList entries;
} Memory;

static void rememberOne(Memory *m, MlirOperation op, MlirAttribute why) {
  const TileOpKind kind = tileOpKind(op);
  const bool isStore =
      kind == TileOp_Tile_Store || kind == TileOp_Tile_DescStore || kind == TileOp_Tile_DescReduce;
  MlirNamedAttribute members[] = {
      tileNamedAttr(m->context, "at", mlirLocationGetAttribute(mlirOperationGetLocation(op))),
      tileNamedAttr(m->context, "stores", mlirBoolAttrGet(m->context, isStore)),
      tileNamedAttr(m->context, "why", why)};
  tilePointerListAppend(&m->entries, mlirDictionaryAttrGet(m->context, why.ptr ? 3 : 2, members).ptr);
}

static MlirWalkResult rememberRefused(MlirOperation op, void *user) {
  MlirAttribute why = mlirOperationGetDiscardableAttributeByName(op, tileStr(noBlock));
  if (why.ptr)
    rememberOne(user, op, why);
  return MlirWalkResultAdvance;
}

static void remember(Former *f) {
  Memory m = {mlirOperationGetContext(f->function), {.arena = f->arena}};
  for (int i = 0; i < f->numAccesses; ++i)
    rememberOne(&m, f->accesses[i].op, (MlirAttribute){NULL});
  mlirOperationWalk(f->function, rememberRefused, &m, MlirWalkPreOrder);
  if (m.entries.count)
    mlirOperationSetDiscardableAttributeByName(
        f->function, tileStr(formedName),
        mlirArrayAttrGet(m.context, (intptr_t)m.entries.count, (const MlirAttribute *)m.entries.items));
}

// ---- The pass ----

static MlirWalkResult findShared(MlirOperation op, void *user) {
  *(bool *)user |= tileOpKind(op) == TileOp_SCF_For && tileGetIntAttr(op, "tile.split", 1) > 1;
  return MlirWalkResultAdvance;
}

static MlirWalkResult explainMarked(MlirOperation op, void *user) {
  (void)user;
  if (tileBlockStartIsMarked(op))
    explain(op, noStart, NULL);
  return MlirWalkResultAdvance;
}

static bool mayForm(const Former *f) {
  bool isShared = false;
  mlirOperationWalk(f->function, findShared, &isShared, MlirWalkPreOrder);
  return tileTargetHas(&f->target->info, TileFeature_TMAPointers) &&
         tileTargetHas(&f->target->info, TileFeature_WGMMA) && f->entry.ptr &&
         !mlirBlockGetNextInRegion(f->entry).ptr && !isShared &&
         mlirOperationGetAttributeByName(f->function, tileStr("tile.kernel")).ptr;
}

/* Elements of the sums of all products in a block, in the one that has most. */
static int64_t mostSums(const Former *f) {
  int64_t most = 0;
  for (int i = 0; i < f->numProducts; ++i) {
    int64_t sums = 0;
    for (int k = 0; k < f->numProducts; ++k)
      sums += mlirBlockEqual(f->products[i].block, f->products[k].block) ? f->products[k].sums : 0;
    most = sums > most ? sums : most;
  }
  return most;
}

/* The second version of attention has a whole block of values in registers, beside the sums of both products and the weights. */
static bool leavesRegisters(const Former *f) {
  enum { MostSums = 128 };
  return !f->hasComputed ||
         mostSums(f) / (f->target->numWarps * (int64_t)f->target->info.warpSize) <= MostSums;
}

static void refuseAll(Former *f) {
  for (int i = 0; i < f->numAccesses; ++i)
    explain(f->accesses[i].op, "the products' sums leave a second version too few registers", NULL);
  f->numAccesses = 0;
}

static bool anyLoad(const Former *f) {
  for (int i = 0; i < f->numAccesses; ++i)
    if (!stores(f->accesses[i].op))
      return true;
  return false;
}

/* All that the copy engine can take. */
static void readAll(Former *f) {
  mlirOperationWalk(f->function, readDot, f, MlirWalkPreOrder);
  chooseFactors(f);
  if (anyLoad(f) && f->target->numWarps >= BESIDE_WARPS) // the kernel has a second version anyway
    mlirOperationWalk(f->function, readBeside, f, MlirWalkPreOrder);
  if (!leavesRegisters(f))
    refuseAll(f);
  if (anyLoad(f))
    mlirOperationWalk(f->function, readStore, f, MlirWalkPreOrder);
  else
    f->numAccesses = 0;
}

/* A kernel that goes over blocks itself, whose sums leave by the copy engine, gets a producer as one that is given a loop. */
static void askForProducer(Former *f) {
  if (f->numAccesses && stores(f->accesses[f->numAccesses - 1].op) &&
      tileShouldProduce(f->function, f->target))
    tileAskForProducer(f->function);
}

/* Programs one after the other, where sums leave by the copy engine beside the next one's copies: what was read is read again. */
static void loopPrograms(Former *f) {
  if (!f->numAccesses || !stores(f->accesses[f->numAccesses - 1].op) ||
      !tileShouldLoopPrograms(f->function, f->target))
    return;
  tileLoopPrograms(f->b, f->function);
  tileAxisInfoRelease(f->info);
  f->guard.info = f->info = tileAxisInfoCreate(f->function);
  f->guard.scan = (SCFForOp){{NULL}};
  f->numFactors = f->numProducts = f->numAccesses = 0;
  readAll(f);
}

static uint64_t form(Former *f) {
  const TileBox *boxes[MOST_ACCESSES];
  readAll(f);
  loopPrograms(f);
  askForProducer(f);
  remember(f);
  if (!f->numAccesses)
    return 0;
  for (int i = 0; i < f->numAccesses; ++i)
    boxes[i] = &f->accesses[i].box;
  MlirValue ok = tileBoxGuardEmit(&f->guard, f->entry, boxes, f->numAccesses);
  if (ok.ptr)
    split(f, ok);
  const TileFormSite site = {f->b, f->arena, f->entry};
  for (int i = 0; i < f->numAccesses; ++i) {
    (void)mlirOperationRemoveDiscardableAttributeByName(f->accesses[i].op, tileStr(noBlock));
    tileFormBlock(&site, f->accesses[i].op, &f->accesses[i].box, ok.ptr != NULL);
  }
  mlirOperationWalk(f->function, dropCarried, NULL, MlirWalkPreOrder);
  return (uint64_t)f->numAccesses;
}

static uint64_t rewrite(TileBuilder b, const TileModuleTarget *target, MlirOperation function) {
  TileArena arena = {0};
  MlirContext context = mlirOperationGetContext(function);
  Former *f = tileArenaAlloc(&arena, 1, sizeof *f);
  *f = (Former){.b = b,
                .arena = &arena,
                .target = target,
                .function = function,
                .entry = mlirRegionGetFirstBlock(funcFuncOpGetBody(funcFuncOpCast(function))),
                .guard = {.b = b,
                          .context = context,
                          .loc = mlirOperationGetLocation(function),
                          .from = {.arena = &arena},
                          .to = {.arena = &arena}}};
  uint64_t count = 0;
  f->guard.info = f->info = tileAxisInfoCreate(function);
  tileMarkBlockStarts(f->info, function);
  mlirOperationWalk(function, explainMarked, NULL, MlirWalkPreOrder);
  if (mayForm(f))
    count = form(f);
  tileAxisInfoRelease(f->info);
  tileArenaRelease(&arena);
  return count;
}

MlirLogicalResult tileGPUFormDescriptorsRun(MlirOperation module,
                                            const TileGPUFormDescriptorsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_TMA))
    return tileSuccess();
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func)
      *params->numAccesses += rewrite(b, &target, op);
  mlirIRRewriterDestroy(b);
  return tileSuccess();
}
