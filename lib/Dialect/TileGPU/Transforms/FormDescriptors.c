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
#include "FormConditions.h"
#include "FormPlain.h"
#include "LoopPrograms.h"
#include "MemoryRoots.h"
#include "StoreBlocks.h"
#include "TensorMaps.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Passes.h"
#include <stdio.h>

enum { MOST_ACCESSES = 16 };

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

static const char noBlock[] = "tile_gpu.no_block", formedName[] = "tile_gpu.formed";

/* `box` (may be null) knows the parameter at fault. */
static void explain(MlirOperation op, const char *why, const TileBox *box) {
  char text[200];
  const bool has = box && box->culprit.ptr && mlirValueIsABlockArgument(tileBoxParameter(box->culprit));
  if (has)
    snprintf(text, sizeof text, "%s (argument %d)", why,
             (int)mlirBlockArgumentGetArgNumber(tileBoxParameter(box->culprit)));
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

static const char *checkHints(const Former *f, TileLoadOp load) {
  if (tileLoadOpGetIsVolatile(load))
    return "it is volatile";
  MlirValue other = tileLoadOpGetOther(load);
  if (other.ptr && !tileValueIsPositiveZero(other))
    return "what its mask leaves out is not 0";
  return hasOnlyProducts(f, tileLoadOpGetResult(load), false) ? NULL : "it has other uses than products";
}

/* The block as the memory has it: neighbours along the last dimension. */
static MlirType blockType(const TileBox *box, MlirType type) {
  const int64_t shape[2] = {box->dims[!box->unit].length, box->dims[box->unit].length};
  return mlirRankedTensorTypeGet(2, shape, tileTypeGetElement(type), (MlirAttribute){NULL});
}

static const char *checkWrapped(MlirOperation load, const TileBox *box) {
  for (int d = 0; d < 2; ++d)
    if (box->dims[d].isWrapped && !tileRowsAreDead(mlirOperationGetResult(load, 0), d, &box->dims[d]))
      return "its rows or columns are taken modulo a number, and no mask of a store leaves out those that "
             "come again";
  return NULL;
}

/* `kDim`: the load's dimension along K. */
static const char *checkLoad(Former *f, MlirOperation load, int kDim, TileBox *box) {
  const char *why = checkHints(f, tileLoadOpCast(load));
  MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
  if (why || (why = tileBoxOf(load, f->info, box)) || (why = checkWrapped(load, box)))
    return why;
  if (!tileParameterIsReadOnly(box->base))
    return "the kernel may write what it reads";
  if (box->unit != kDim && tileElementTypeSize(tileElementTypeOf(type)) != 2)
    return "its neighbours do not run along K, which elements of 16 bits alone may";
  if (!tileTensorMapTakes(blockType(box, type)))
    return "its size is none that the copy engine takes";
  return tileBoxGuardTakes(&f->guard, box)
             ? NULL
             : "the start of a block or what bounds it is not known at the start of the kernel";
}

static void addAccess(Former *f, MlirOperation op, const TileBox *box) {
  f->accesses[f->numAccesses++] = (Access){op, *box};
}

/* The number of a factor's load among those of the kernel; -1 if it is none, or one too many. */
static int readFactor(Former *f, MlirValue factor, int kDim) {
  MlirOperation load = tileFactorLoad(factor), trans = tileValueGetDefiningOp(factor);
  const bool isTurned = trans.ptr && tileOpKind(trans) == TileOp_Tile_Trans;
  kDim = isTurned ? 1 - kDim : kDim;
  for (int i = 0; load.ptr && i < f->numFactors; ++i)
    if (f->factors[i].load.ptr == load.ptr) {
      if (f->factors[i].kDim != kDim)
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
  p->factors[0] = readFactor(f, tileDotOpGetA(dot), 1);
  p->factors[1] = readFactor(f, tileDotOpGetB(dot), 0);
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

// ---- Which stores ----

static const char *checkStore(Former *f, TileStoreOp store, TileBox *box) {
  MlirType type = mlirValueGetType(tileStoreOpGetValue(store));
  const char *why = tileBoxOf(store.op, f->info, box);
  if (why)
    return why;
  if (box->unit != 1 || box->dims[0].isWrapped || box->dims[1].isWrapped)
    return "its neighbours do not run along rows";
  if (tileStoreOpGetCache(store) != TileCacheModifier_None ||
      tileStoreOpGetEvict(store) != TileEvictionPolicy_Normal)
    return "it has a hint for the cache";
  if (!tileParameterIsStoredOnce(box->base, store.op))
    return "the kernel does more with that memory";
  if (!tileTensorMapTakes(blockType(box, type)))
    return "its size is none that the copy engine takes";
  return tileBoxGuardTakes(&f->guard, box)
             ? NULL
             : "the start of a block or what bounds it is not known at the start of the kernel";
}

static MlirWalkResult readStore(MlirOperation op, void *user) {
  Former *f = user;
  TileStoreOp store = tileStoreOpCast(op);
  TileBox box;
  if (tileStoreOpIsNull(store) || f->numAccesses == MOST_ACCESSES ||
      !tileTypeIsTensor(mlirValueGetType(tileStoreOpGetValue(store))) ||
      !tileFollowsFromProduct(tileStoreOpGetValue(store)))
    return MlirWalkResultAdvance;
  const char *why = checkStore(f, store, &box);
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

static MlirWalkResult makePlain(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_Tile_Dot || tileOpKind(op) == TileOp_Tile_Store)
    tilePointerListAppend(user, op.ptr);
  if (tileOpKind(op) != TileOp_SCF_For)
    return MlirWalkResultAdvance;
  mlirOperationSetDiscardableAttributeByName(op, tileStr("tile.num_stages"),
                                             tileI32Attr(mlirOperationGetContext(op), 1));
  (void)mlirOperationRemoveDiscardableAttributeByName(op, tileStr("tile.warp_specialize"));
  return MlirWalkResultAdvance;
}

/* The body of the kernel behind `last` moves into the first arm of a branch, a copy of it into the second. */
static void split(Former *f, MlirValue ok) {
  MlirLocation loc = f->guard.loc;
  MlirOperation end = mlirBlockGetTerminator(f->entry);
  for (int i = 0; i < f->numAccesses; ++i)
    explain(f->accesses[i].op, tileFormedLoad, NULL);
  mlirRewriterBaseSetInsertionPointAfter(f->b, tileValueGetDefiningOp(ok));
  SCFIfOp branch = scfIfOpCreate(f->b, loc, 0, NULL, ok);
  mlirRewriterBaseSetInsertionPointToEnd(f->b, tileRegionAddBlock(scfIfOpGetThenRegion(branch)));
  MlirOperation yield = scfYieldOpCreate(f->b, loc, 0, NULL).op;
  for (MlirOperation op = mlirOperationGetNextInBlock(branch.op), next; !mlirOperationEqual(op, end);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, yield);
  }
  MlirOperation other = mlirOperationClone(branch.op);
  mlirRegionTakeBody(scfIfOpGetElseRegion(branch), mlirOperationGetRegion(other, 0));
  mlirOperationDestroy(other);
  TilePointerList changed = {.arena = f->arena};
  MlirBlock second = mlirRegionGetFirstBlock(scfIfOpGetElseRegion(branch));
  for (MlirOperation op = mlirBlockGetFirstOperation(second); op.ptr; op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, makePlain, &changed, MlirWalkPreOrder);
  for (size_t i = 0; i < changed.count; ++i) {
    MlirOperation op = {(void *)changed.items[i]};
    (tileOpKind(op) == TileOp_Tile_Store ? tileFormPlainStore : tileFormPlainProduct)(f->b, f->info, op);
  }
  f->entry = mlirRegionGetFirstBlock(scfIfOpGetThenRegion(branch));
}

// ---- Blocks ----

static MlirValue constant(Former *f, MlirLocation loc, unsigned bits, int64_t n) {
  MlirType type = mlirIntegerTypeGet(mlirLocationGetContext(loc), bits);
  return arithConstantOpGetResult(arithConstantOpCreate(f->b, loc, type, mlirIntegerAttrGet(type, n)));
}

static MlirValue strideOf(Former *f, MlirLocation loc, MlirValue stride, int64_t factor) {
  MlirType i64 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 64);
  if (!stride.ptr)
    return constant(f, loc, 64, factor);
  if (tileElementTypeOf(mlirValueGetType(stride)) != TileElementType_I64)
    stride = arithExtSIOpGetOut(arithExtSIOpCreate(f->b, loc, i64, stride));
  return factor == 1 ? stride
                     : tileCreateOp2(f->b, loc, TileOp_Arith_MulI, stride, constant(f, loc, 64, factor));
}

/* The block with the dimensions in front of it in which it has one element. */
static MlirType fullType(const TileBox *box, MlirType block) {
  int64_t shape[2 + TileBox_MostExtra];
  for (int i = 0; i < box->numExtra; ++i)
    shape[i] = 1;
  tileTypeGetShape(block, shape + box->numExtra, 2);
  return box->numExtra ? mlirRankedTensorTypeGet(2 + box->numExtra, shape, tileTypeGetElement(block),
                                                 (MlirAttribute){NULL})
                       : block;
}

static MlirValue reshaped(Former *f, MlirLocation loc, MlirType type, MlirValue v) {
  return mlirTypeEqual(type, mlirValueGetType(v))
             ? v
             : tileReshapeOpGetResult(tileReshapeOpCreate(f->b, loc, type, v, (MlirAttribute){NULL}));
}

/* A descriptor at the start of the kernel, its neighbours along the last dimension. */
static MlirValue makeDescriptor(Former *f, MlirOperation op, const TileBox *box, MlirType block,
                                bool isChecked) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirContext context = mlirLocationGetContext(loc);
  const int order[2] = {!box->unit, box->unit}, rank = 2 + box->numExtra;
  MlirValue shape[2 + TileBox_MostExtra], strides[2 + TileBox_MostExtra];
  int64_t sizes[2 + TileBox_MostExtra];
  tileTypeGetShape(fullType(box, block), sizes, rank);
  mlirRewriterBaseSetInsertionPointToStart(f->b, f->entry);
  for (int i = 0; i < box->numExtra; ++i) {
    shape[i] = constant(f, loc, 32, TileBox_Unbounded);
    strides[i] = strideOf(f, loc, box->extra[i].stride, box->extra[i].factor);
  }
  for (int i = 0; i < 2; ++i) {
    const TileBoxDim *dim = &box->dims[order[i]];
    shape[box->numExtra + i] = dim->bound.ptr ? dim->bound : constant(f, loc, 32, dim->size);
    strides[box->numExtra + i] = strideOf(f, loc, dim->stride, dim->factor);
  }
  MlirType type = tileDescTypeGet(context, rank, sizes, tileTypeGetElement(block), (MlirAttribute){NULL});
  TileMakeDescOp make =
      tileMakeDescOpCreate(f->b, loc, type, box->base, rank, shape, rank, strides, (MlirAttribute){NULL});
  const bool isLoad = tileOpKind(op) == TileOp_Tile_Load;
  mlirOperationSetDiscardableAttributeByName(
      make.op, tileStr(formedName), mlirStringAttrGet(context, tileStr(isLoad ? "loaded" : "stored")));
  if (isChecked)
    mlirOperationSetDiscardableAttributeByName(make.op, tileStr("tile_gpu.checked"),
                                               mlirUnitAttrGet(context));
  return tileMakeDescOpGetResult(make);
}

static MlirValue turned(Former *f, MlirLocation loc, MlirType type, MlirValue v) {
  static const int32_t order[2] = {1, 0};
  return tileTransOpGetResult(
      tileTransOpCreate(f->b, loc, type, v, mlirDenseI32ArrayGet(mlirLocationGetContext(loc), 2, order)));
}

static void replaceLoad(Former *f, TileLoadOp load, const TileBox *box, MlirValue desc, MlirType block,
                        const MlirValue *coordinates) {
  MlirLocation loc = mlirOperationGetLocation(load.op);
  MlirValue old = tileLoadOpGetResult(load);
  MlirValue v = tileDescLoadOpGetResult(
      tileDescLoadOpCreate(f->b, loc, fullType(box, block), desc, 2 + box->numExtra, coordinates,
                           tileLoadOpGetCacheAttr(load), tileLoadOpGetEvictAttr(load)));
  v = reshaped(f, loc, block, v);
  if (box->unit == 1) {
    mlirValueReplaceAllUsesOfWith(old, v);
    return;
  }
  MlirValue back = {NULL};
  while (!mlirOpOperandIsNull(mlirValueGetFirstUse(old))) {
    MlirOpOperand use = mlirValueGetFirstUse(old);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpKind(user) == TileOp_Tile_Trans) {
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(user, 0), v);
      mlirRewriterBaseEraseOp(f->b, user);
      continue;
    }
    if (!back.ptr)
      back = turned(f, loc, mlirValueGetType(old), v);
    mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), back);
  }
}

static void replace(Former *f, const Access *a, bool isChecked) {
  MlirLocation loc = mlirOperationGetLocation(a->op);
  const TileBox *box = &a->box;
  TileStoreOp store = tileStoreOpCast(a->op);
  MlirType type = mlirValueGetType(tileStoreOpIsNull(store) ? mlirOperationGetResult(a->op, 0)
                                                            : tileStoreOpGetValue(store));
  MlirType block = blockType(box, type);
  MlirValue desc = makeDescriptor(f, a->op, box, block, isChecked), coordinates[2 + TileBox_MostExtra];
  mlirRewriterBaseSetInsertionPointBefore(f->b, a->op);
  for (int i = 0; i < box->numExtra; ++i)
    coordinates[i] = tileSumEmit(f->b, loc, &box->extra[i].start);
  coordinates[box->numExtra] = tileSumEmit(f->b, loc, &box->dims[!box->unit].start);
  coordinates[box->numExtra + 1] = tileSumEmit(f->b, loc, &box->dims[box->unit].start);
  if (tileStoreOpIsNull(store))
    replaceLoad(f, tileLoadOpCast(a->op), box, desc, block, coordinates);
  else
    tileDescStoreOpCreate(f->b, loc, desc, 2 + box->numExtra, coordinates,
                          reshaped(f, loc, fullType(box, block), tileStoreOpGetValue(store)));
  TilePointerMap gone = {.arena = f->arena};
  MlirValue pointers = tilePointerAccessOf(a->op).ptr, mask = tilePointerAccessOf(a->op).mask;
  mlirRewriterBaseEraseOp(f->b, a->op);
  MlirOperation makers[2] = {tileValueGetDefiningOp(pointers),
                             mask.ptr ? tileValueGetDefiningOp(mask) : (MlirOperation){NULL}};
  for (int i = 0; i < 2; ++i)
    if (makers[i].ptr && !tilePointerMapFind(&gone, makers[i].ptr))
      tileEraseUnused(f->b, &gone, makers[i]);
}

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
  MlirNamedAttribute members[] = {
      mlirNamedAttributeGet(mlirIdentifierGet(m->context, tileStr("at")),
                            mlirLocationGetAttribute(mlirOperationGetLocation(op))),
      mlirNamedAttributeGet(mlirIdentifierGet(m->context, tileStr("stores")),
                            mlirBoolAttrGet(m->context, tileOpKind(op) == TileOp_Tile_Store)),
      mlirNamedAttributeGet(mlirIdentifierGet(m->context, tileStr("why")), why)};
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

static bool mayForm(const Former *f) {
  bool isShared = false;
  mlirOperationWalk(f->function, findShared, &isShared, MlirWalkPreOrder);
  return f->entry.ptr && !mlirBlockGetNextInRegion(f->entry).ptr && !isShared &&
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
    if (tileOpKind(f->accesses[i].op) == TileOp_Tile_Load)
      return true;
  return false;
}

/* All that the copy engine can take. */
static void readAll(Former *f) {
  mlirOperationWalk(f->function, readDot, f, MlirWalkPreOrder);
  chooseFactors(f);
  if (!leavesRegisters(f))
    refuseAll(f);
  if (anyLoad(f))
    mlirOperationWalk(f->function, readStore, f, MlirWalkPreOrder);
  else
    f->numAccesses = 0;
}

/* Programs one after the other, where sums leave by the copy engine beside the next one's copies: what was read is read again. */
static void loopPrograms(Former *f) {
  if (!f->numAccesses || tileOpKind(f->accesses[f->numAccesses - 1].op) != TileOp_Tile_Store ||
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
  remember(f);
  if (!f->numAccesses)
    return 0;
  for (int i = 0; i < f->numAccesses; ++i)
    boxes[i] = &f->accesses[i].box;
  MlirValue ok = tileBoxGuardEmit(&f->guard, f->entry, boxes, f->numAccesses);
  if (ok.ptr)
    split(f, ok);
  for (int i = 0; i < f->numAccesses; ++i) {
    (void)mlirOperationRemoveDiscardableAttributeByName(f->accesses[i].op, tileStr(noBlock));
    replace(f, &f->accesses[i], ok.ptr != NULL);
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
  if (mayForm(f)) {
    f->info = tileAxisInfoCreate(function);
    f->guard.info = f->info;
    count = form(f);
    tileAxisInfoRelease(f->info);
  }
  tileArenaRelease(&arena);
  return count;
}

MlirLogicalResult tileGPUFormDescriptorsRun(MlirOperation module,
                                            const TileGPUFormDescriptorsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_TMA) ||
      !tileTargetHas(&target.info, TileFeature_TMAPointers) ||
      !tileTargetHas(&target.info, TileFeature_WGMMA))
    return tileSuccess();
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func)
      *params->numAccesses += rewrite(b, &target, op);
  mlirIRRewriterDestroy(b);
  return tileSuccess();
}
