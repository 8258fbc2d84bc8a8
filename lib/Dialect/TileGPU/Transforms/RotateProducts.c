/* RotateProducts.c - tile-gpu-rotate-products: the last product of an iteration runs beside the first of the next.
 *
 *   %r = scf.for %k = %lo to %hi step %st iter_args(%acc = %z) {
 *     %s = tile_gpu.wgmma %q, %kt, %zero;  %s1 = tile_gpu.wgmma_wait 0 (%s)
 *     %p, %al = ... of %s1 (softmax);  %h = arith.truncf %p
 *     %m = tile_gpu.tma_alloc 2[%k]
 *     %a = arith.mulf %acc, %al
 *     %o = tile_gpu.wgmma %h, %m, %a;  %o1 = tile_gpu.wgmma_wait 0 (%o)
 *     scf.yield %o1
 * becomes
 *   %r = scf.if (%lo < %hi) {
 *     ... the iteration of %lo but for its last product: %a0, %h0
 *     %f:2 = scf.for %k = %lo + %st to %hi step %st iter_args(%a = %a0, %h = %h0) {
 *       %s = tile_gpu.wgmma %q, %kt, %zero
 *       %m = tile_gpu.tma_alloc 2[%k - %st];  %o = tile_gpu.wgmma %h, %m, %a
 *       %s1 = tile_gpu.wgmma_wait 1 (%s)
 *       %p, %al = ... of %s1
 *       %o1, %p1 = tile_gpu.wgmma_wait 0 (%o, %p)
 *       %h1 = arith.truncf %p1;  %a1 = arith.mulf %o1, %al
 *       scf.yield %a1, %h1
 *     ... the last product of the last iteration
 *   } else { %z }
 *
 * Two products are in flight while the elements between them are computed. A loop is taken if its last product has a first
 * factor in registers and a block of the copy engine as second, adds to a sum that the loop carries and nothing else of the
 * loop reads than what leads to that product, element by element, and another product starts before it. Several last products with one
 * first factor, as of columns that are no power of two, go together. The registers of the first factor are not written while the product that reads them is open: what narrows them stands behind the wait.
 *
 * requires: layouts; eight warps, or a loop that asks for `tile.warp_specialize`.
 * ensures: the same sums in the same order; the loop asks for `tile.warp_specialize`. */
#include "AccelerateWgmma.h"
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Passes.h"
#include "tile-c/Patterns.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

enum { MAX_CARRIED = 64, MIN_WARPS = 8, MAX_PRODUCTS = 3 };

/* What an op of the body belongs to. */
typedef enum Part {
  Part_Head = 0, ///< of the iteration itself
  Part_Tail = 1, ///< the last product and its second factor
  Part_Scale = 2 ///< from the carried sum to the product
} Part;

typedef struct Rotation {
  TileBuilder b;
  TileArena *arena;
  MlirLocation loc;
  SCFForOp loop;
  MlirBlock body;
  int count; ///< of the last products: several where columns are no power of two, all with one first factor
  TileGPUWgmmaOp products[MAX_PRODUCTS];
  TileGPUWgmmaWaitOp waits[MAX_PRODUCTS]; ///< the products'
  intptr_t sums[MAX_PRODUCTS];            ///< numbers of the carried sums
  MlirOperation narrow; ///< makes the first factor from twice as many bits; null: nothing does
  TilePointerMap parts; ///< op -> Part, of the body's ops that are not Head
} Rotation;

static Part partOf(const Rotation *r, MlirOperation op) {
  return (Part)(uintptr_t)tilePointerMapFind(&r->parts, op.ptr);
}
static void setPart(Rotation *r, MlirOperation op, Part part) {
  tilePointerMapSet(&r->parts, op.ptr, (void *)(uintptr_t)part);
}

/* The products' first factor. */
static MlirValue factorOf(const Rotation *r) { return tileGPUWgmmaOpGetA(r->products[0]); }

static int countUses(MlirValue v) {
  int n = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    ++n;
  return n;
}

// ---- Which loops ----

/* A product with its first factor in registers whose awaited result is only passed on. */
static bool isPassedOn(const Rotation *r, MlirValue passed, TileGPUWgmmaWaitOp *out_wait,
                       TileGPUWgmmaOp *out_product) {
  *out_wait = tileGPUWgmmaWaitOpCast(tileValueGetDefiningOp(passed));
  if (tileGPUWgmmaWaitOpIsNull(*out_wait) || mlirOperationGetBlock(out_wait->op).ptr != r->body.ptr ||
      tileGPUWgmmaWaitOpGetNumValues(*out_wait) != 1 ||
      !mlirOperationEqual(tileValueOnlyUser(passed), mlirBlockGetTerminator(r->body)))
    return false;
  MlirValue started = tileGPUWgmmaWaitOpGetValues(*out_wait, 0);
  *out_product = tileGPUWgmmaOpCast(tileValueGetDefiningOp(started));
  return !tileGPUWgmmaOpIsNull(*out_product) &&
         mlirOperationEqual(tileValueOnlyUser(started), out_wait->op) &&
         tileTypeIsTensor(mlirValueGetType(tileGPUWgmmaOpGetA(*out_product)));
}

/* The first of the body's last products, and those beside it with its first factor. */
static bool findProducts(Rotation *r) {
  MlirOperation yield = mlirBlockGetTerminator(r->body);
  r->count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield) && r->count < MAX_PRODUCTS; ++i) {
    TileGPUWgmmaOp *product = &r->products[r->count];
    if (!isPassedOn(r, mlirOperationGetOperand(yield, i), &r->waits[r->count], product) ||
        (r->count && !mlirValueEqual(tileGPUWgmmaOpGetA(*product), tileGPUWgmmaOpGetA(r->products[0]))))
      continue;
    r->sums[r->count++] = i;
  }
  return r->count > 0;
}

/* Views of one block, used by this product alone. */
static bool takeFactor(Rotation *r, TileGPUWgmmaOp product) {
  MlirOperation user = product.op, op = tileValueGetDefiningOp(tileGPUWgmmaOpGetB(product));
  while (op.ptr && mlirOperationGetBlock(op).ptr == r->body.ptr &&
         mlirOperationEqual(tileValueOnlyUser(mlirOperationGetResult(op, 0)), user)) {
    TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCast(op);
    setPart(r, op, Part_Tail);
    for (intptr_t d = 0; !tileGPUTmaAllocOpIsNull(alloc) && d < tileGPUTmaAllocOpGetNumCoordinates(alloc);
         ++d)
      if (!tileValueFollowsInLoop(r->body, tileGPUTmaAllocOpGetCoordinates(alloc, d)))
        return false;
    if (!tileGPUTmaAllocOpIsNull(alloc))
      return true;
    if (tileOpKind(op) != TileOp_TileGPU_Trans)
      return false;
    user = op;
    op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  }
  return false;
}

/* All that reads the carried sum leads, element by element, to the product's. */
static bool takeScaling(Rotation *r, TileGPUWgmmaOp product, MlirValue v, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (op.ptr == product.op.ptr && mlirOpOperandGetOperandNumber(use) == 2)
      continue;
    if (depth > 8 || mlirOperationGetBlock(op).ptr != r->body.ptr || !tileOpIsPure(op) ||
        mlirOperationGetNumRegions(op) || mlirOperationGetNumResults(op) != 1 ||
        !mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), mlirValueGetType(v)))
      return false;
    setPart(r, op, Part_Scale);
    if (!takeScaling(r, product, mlirOperationGetResult(op, 0), depth + 1))
      return false;
  }
  return true;
}

static bool isLastProduct(const Rotation *r, MlirOperation op) {
  for (int i = 0; i < r->count; ++i)
    if (mlirOperationEqual(op, r->products[i].op))
      return true;
  return false;
}

/* A wait for an earlier product, in front of the last ones; their blocks may be loaded in front of it. */
static bool waitsBefore(const Rotation *r) {
  for (MlirOperation op = mlirBlockGetFirstOperation(r->body); op.ptr && !isLastProduct(r, op);
       op = mlirOperationGetNextInBlock(op)) {
    TileGPUWgmmaWaitOp wait = tileGPUWgmmaWaitOpCast(op);
    if (!tileGPUWgmmaWaitOpIsNull(wait))
      return !tileGPUWgmmaWaitOpGetPending(wait);
  }
  return false;
}

/* The sum that reaches the product comes from the carried one; what scales it needs nothing else of its kind. */
static bool findScaling(Rotation *r, int i) {
  MlirValue c = tileGPUWgmmaOpGetC(r->products[i]), carried = mlirBlockGetArgument(r->body, r->sums[i] + 1);
  MlirOperation op = tileValueGetDefiningOp(c);
  if (!takeScaling(r, r->products[i], carried, 0))
    return false;
  return mlirValueEqual(c, carried) || (op.ptr && partOf(r, op) == Part_Scale);
}

static MlirWalkResult addSums(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_TileGPU_Wgmma)
    *(int64_t *)user += tileTypeNumElements(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return MlirWalkResultAdvance;
}

static bool leavesRoom(MlirOperation loop, const TileModuleTarget *target) {
  int64_t sums = 0;
  mlirOperationWalk(loop, addSums, &sums, MlirWalkPreOrder);
  return tileWgmmaLeavesRoom(target, sums);
}

/* Whether a loop that can should: with one warp group a program, or sums that leave room for two programs a multiprocessor, these do as
 * well, with fewer registers: ptxas is told so. */
static bool isWorthwhile(MlirOperation loop, const TileModuleTarget *target) {
  static const char blocks[] = "tile_gpu.min_blocks";
  MlirOperation function = tileFunctionOf(loop);
  const bool asks = mlirOperationGetDiscardableAttributeByName(loop, tileStr("tile.warp_specialize")).ptr;
  if (!asks && target->numWarps < MIN_WARPS)
    return false;
  if (asks || !leavesRoom(loop, target)) {
    (void)mlirOperationRemoveDiscardableAttributeByName(function, tileStr(blocks));
    return true;
  }
  mlirOperationSetDiscardableAttributeByName(function, tileStr(blocks),
                                             tileI32Attr(mlirOperationGetContext(loop), 2));
  return false;
}

/* Whether the products can wait for the next iteration. */
static bool canRotate(Rotation *r) {
  if (scfForOpGetUnsignedCmpAttr(r->loop).ptr || scfForOpGetNumInitArgs(r->loop) > MAX_CARRIED - 2 ||
      !findProducts(r))
    return false;
  for (int i = 0; i < r->count; ++i) {
    setPart(r, r->products[i].op, Part_Tail);
    setPart(r, r->waits[i].op, Part_Tail);
  }
  for (int i = 0; i < r->count; ++i)
    if (!takeFactor(r, r->products[i]) || !findScaling(r, i))
      return false;
  MlirValue a = factorOf(r);
  MlirOperation narrow = tileValueGetDefiningOp(a);
  const bool isNarrow = narrow.ptr && tileOpKind(narrow) == TileOp_Arith_TruncF &&
                        mlirOperationGetBlock(narrow).ptr == r->body.ptr && countUses(a) == r->count;
  r->narrow = isNarrow ? narrow : (MlirOperation){NULL};
  return waitsBefore(r) && tileValueGetBlock(a).ptr == r->body.ptr && narrow.ptr &&
         partOf(r, narrow) == Part_Head;
}

// ---- Copies of ops ----

/* An iteration while it is written: values of the body -> values there. */
typedef struct Copy {
  Rotation *r;
  TilePointerMap values;
} Copy;

static MlirValue mapped(const Copy *c, MlirValue v) {
  void *found = tilePointerMapFind(&c->values, v.ptr);
  return found ? (MlirValue){found} : v;
}
static void bind(Copy *c, MlirValue from, MlirValue to) {
  tilePointerMapSet(&c->values, from.ptr, (void *)to.ptr);
}

static MlirWalkResult mapOperands(MlirOperation op, void *user) {
  Copy *c = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(op, i, mapped(c, mlirOperationGetOperand(op, i)));
  return MlirWalkResultAdvance;
}

static MlirOperation copyOp(Copy *c, MlirOperation op) {
  MlirOperation clone = mlirOperationClone(op);
  mlirOperationWalk(clone, mapOperands, c, MlirWalkPreOrder);
  mlirRewriterBaseInsert(c->r->b, clone);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    bind(c, mlirOperationGetResult(op, i), mlirOperationGetResult(clone, i));
  return clone;
}

static void copyPart(Copy *c, Part part) {
  for (MlirOperation op = mlirBlockGetFirstOperation(c->r->body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (partOf(c->r, op) == part && op.ptr != mlirBlockGetTerminator(c->r->body).ptr)
      copyOp(c, op);
}

static Copy startCopy(Rotation *r, MlirValue iv) {
  Copy c = {r, {.arena = r->arena}};
  bind(&c, mlirBlockGetArgument(r->body, 0), iv);
  return c;
}

/* The value in another iteration, its ops copied there. */
static MlirValue inIteration(Copy *c, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (tileValueGetBlock(v).ptr != c->r->body.ptr || tilePointerMapFind(&c->values, v.ptr))
    return mapped(c, v);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    inIteration(c, mlirOperationGetOperand(op, i));
  copyOp(c, op);
  return mapped(c, v);
}

/* Starts the last products of iteration `iv`, of the values that it hands on. */
static void startProducts(Rotation *r, MlirValue iv, MlirValue a, const MlirValue *values, MlirValue *out) {
  Copy c = startCopy(r, iv);
  bind(&c, factorOf(r), a);
  for (int i = 0; i < r->count; ++i) {
    bind(&c, tileGPUWgmmaOpGetC(r->products[i]), values[r->sums[i]]);
    inIteration(&c, tileGPUWgmmaOpGetB(r->products[i]));
    out[i] = mlirOperationGetResult(copyOp(&c, r->products[i].op), 0);
  }
}

// ---- The new loop ----

static MlirValue binary(Rotation *r, TileOpKind kind, MlirValue a, MlirValue b) {
  return tileCreateOp2(r->b, r->loc, kind, a, b);
}

static void waitFor(Rotation *r, intptr_t n, MlirValue *values, MlirValue *out) {
  MlirType types[MAX_PRODUCTS + 1];
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(values[i]);
  TileGPUWgmmaWaitOp wait = tileGPUWgmmaWaitOpCreate(r->b, r->loc, n, types, n, values,
                                                     tileI32Attr(mlirLocationGetContext(r->loc), 0));
  for (intptr_t i = 0; i < n; ++i)
    out[i] = tileGPUWgmmaWaitOpGetResults(wait, i);
}

/* What the iteration hands on: its yield's values, the sum scaled, then the first factor. */
static void handOn(Copy *c, MlirValue *out) {
  Rotation *r = c->r;
  MlirOperation yield = mlirBlockGetTerminator(r->body);
  const intptr_t n = mlirOperationGetNumOperands(yield);
  if (r->narrow.ptr)
    copyOp(c, r->narrow);
  copyPart(c, Part_Scale);
  for (intptr_t i = 0; i < n; ++i)
    out[i] = mapped(c, mlirOperationGetOperand(yield, i));
  for (int i = 0; i < r->count; ++i)
    out[r->sums[i]] = mapped(c, tileGPUWgmmaOpGetC(r->products[i]));
  out[n] = mapped(c, factorOf(r));
}

/* The first iteration but for its last product. */
static void writeFirst(Rotation *r, MlirValue *out) {
  Copy c = startCopy(r, scfForOpGetLowerBound(r->loop));
  const intptr_t n = scfForOpGetNumInitArgs(r->loop);
  for (intptr_t i = 0; i < n; ++i)
    bind(&c, mlirBlockGetArgument(r->body, i + 1), scfForOpGetInitArgs(r->loop, i));
  for (MlirOperation op = mlirBlockGetFirstOperation(r->body); mlirOperationGetNextInBlock(op).ptr;
       op = mlirOperationGetNextInBlock(op))
    if (partOf(r, op) == Part_Head && op.ptr != r->narrow.ptr)
      copyOp(&c, op);
  handOn(&c, out);
}

/* All products start in one turn of the warp group, if groups take turns. */
static void setTurn(MlirOperation product, int turn) {
  mlirOperationSetDiscardableAttributeByName(product, tileStr("tile_gpu.turn"),
                                             tileI32Attr(mlirOperationGetContext(product), turn));
}

/* Starts the last products of the iteration before that of `iv`. */
static void startBefore(Rotation *r, MlirBlock to, MlirValue *open) {
  const intptr_t n = scfForOpGetNumInitArgs(r->loop);
  MlirValue values[MAX_CARRIED];
  for (intptr_t i = 0; i < n; ++i)
    values[i] = mlirBlockGetArgument(to, i + 1);
  startProducts(r, binary(r, TileOp_Arith_SubI, mlirBlockGetArgument(to, 0), scfForOpGetStep(r->loop)),
                mlirBlockGetArgument(to, n + 1), values, open);
  MlirOperation last = tileValueGetDefiningOp(open[r->count - 1]);
  setTurn(last, TileTurn_Pass);
  if (r->count > 1)
    mlirOperationSetDiscardableAttributeByName(last, tileStr("tile_gpu.several"),
                                               mlirUnitAttrGet(mlirOperationGetContext(last)));
}

/* The iteration of `iv`, the last products of the one before started in front of the first wait. */
static void writeBody(Rotation *r, MlirBlock to, MlirValue *out) {
  const intptr_t n = scfForOpGetNumInitArgs(r->loop);
  MlirValue iv = mlirBlockGetArgument(to, 0), open[MAX_PRODUCTS + 1] = {{NULL}}, done[MAX_PRODUCTS + 1];
  bool hasTurn = false;
  Copy c = startCopy(r, iv);
  for (intptr_t i = 0; i < n; ++i)
    bind(&c, mlirBlockGetArgument(r->body, i + 1), mlirBlockGetArgument(to, i + 1));
  for (MlirOperation op = mlirBlockGetFirstOperation(r->body); mlirOperationGetNextInBlock(op).ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (partOf(r, op) != Part_Head || op.ptr == r->narrow.ptr)
      continue;
    const bool isFirstWait = tileOpKind(op) == TileOp_TileGPU_WgmmaWait && !open[0].ptr;
    if (isFirstWait)
      startBefore(r, to, open);
    MlirOperation copy = copyOp(&c, op);
    if (tileOpKind(op) == TileOp_TileGPU_Wgmma && !hasTurn) {
      setTurn(copy, TileTurn_Take);
      hasTurn = true;
    }
    if (isFirstWait)
      mlirOperationSetInherentAttributeByName(copy, tileStr("pending"),
                                              tileI32Attr(mlirLocationGetContext(r->loc), r->count));
  }
  MlirValue wide = r->narrow.ptr ? mlirOperationGetOperand(r->narrow, 0) : factorOf(r);
  open[r->count] = mapped(&c, wide);
  waitFor(r, r->count + 1, open, done);
  for (int i = 0; i < r->count; ++i)
    bind(&c, mlirBlockGetArgument(r->body, r->sums[i] + 1), done[i]);
  bind(&c, wide, done[r->count]);
  handOn(&c, out);
  scfYieldOpCreate(r->b, r->loc, n + 1, out);
}

static SCFForOp writeLoop(Rotation *r, MlirValue *state) {
  const intptr_t n = scfForOpGetNumInitArgs(r->loop) + 1;
  MlirValue lower = scfForOpGetLowerBound(r->loop), step = scfForOpGetStep(r->loop), out[MAX_CARRIED];
  MlirType types[MAX_CARRIED];
  MlirContext context = mlirLocationGetContext(r->loc);
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(state[i]);
  SCFForOp loop = scfForOpCreate(r->b, r->loc, n, types, binary(r, TileOp_Arith_AddI, lower, step),
                                 scfForOpGetUpperBound(r->loop), step, n, state, (MlirAttribute){NULL});
  MlirBlock body = tileRegionAddBlock(scfForOpGetRegion(loop));
  mlirBlockAddArgument(body, mlirValueGetType(lower), r->loc);
  for (intptr_t i = 0; i < n; ++i)
    mlirBlockAddArgument(body, types[i], r->loc);
  tileCopyDiscardableAttrs(r->loop.op, loop.op);
  mlirOperationSetDiscardableAttributeByName(loop.op, tileStr("tile.warp_specialize"),
                                             mlirUnitAttrGet(context));
  mlirRewriterBaseSetInsertionPointToEnd(r->b, body);
  writeBody(r, body, out);
  mlirRewriterBaseSetInsertionPointAfter(r->b, loop.op);
  for (intptr_t i = 0; i < n; ++i)
    state[i] = mlirOperationGetResult(loop.op, i);
  return loop;
}

/* lower + (upper - lower - 1) / step * step, of a loop that has an iteration. */
static MlirValue lastIteration(Rotation *r) {
  MlirValue lower = scfForOpGetLowerBound(r->loop), step = scfForOpGetStep(r->loop);
  MlirType type = mlirValueGetType(lower);
  MlirValue one = tileCreateInteger(r->b, r->loc, type, 1);
  MlirValue left = binary(r, TileOp_Arith_SubI, scfForOpGetUpperBound(r->loop), lower);
  left = binary(r, TileOp_Arith_DivUI, binary(r, TileOp_Arith_SubI, left, one), step);
  return binary(r, TileOp_Arith_AddI, lower, binary(r, TileOp_Arith_MulI, left, step));
}

static void rotate(Rotation *r) {
  const intptr_t n = scfForOpGetNumInitArgs(r->loop);
  MlirContext context = mlirLocationGetContext(r->loc);
  MlirValue state[MAX_CARRIED], inits[MAX_CARRIED];
  MlirType types[MAX_CARRIED];
  for (intptr_t i = 0; i < n; ++i) {
    inits[i] = scfForOpGetInitArgs(r->loop, i);
    types[i] = mlirValueGetType(inits[i]);
  }
  mlirRewriterBaseSetInsertionPointBefore(r->b, r->loop.op);
  MlirValue any = arithCmpIOpGetResult(
      arithCmpIOpCreate(r->b, r->loc, mlirIntegerTypeGet(context, 1), scfForOpGetLowerBound(r->loop),
                        scfForOpGetUpperBound(r->loop), tileI64Attr(context, ArithCmpIPredicate_slt)));
  SCFIfOp choice = scfIfOpCreate(r->b, r->loc, n, types, any);
  MlirBlock some = tileRegionAddBlock(scfIfOpGetThenRegion(choice)),
            none = tileRegionAddBlock(scfIfOpGetElseRegion(choice));
  mlirRewriterBaseSetInsertionPointToEnd(r->b, some);
  writeFirst(r, state);
  writeLoop(r, state);
  MlirValue open[MAX_PRODUCTS], done[MAX_PRODUCTS];
  startProducts(r, lastIteration(r), state[n], state, open);
  waitFor(r, r->count, open, done);
  for (int i = 0; i < r->count; ++i)
    state[r->sums[i]] = done[i];
  scfYieldOpCreate(r->b, r->loc, n, state);
  mlirRewriterBaseSetInsertionPointToEnd(r->b, none);
  scfYieldOpCreate(r->b, r->loc, n, inits);
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(r->loop.op, i),
                                  mlirOperationGetResult(choice.op, i));
  mlirRewriterBaseEraseOp(r->b, r->loop.op);
}

// ---- The pass ----

MlirLogicalResult tileGPURotateProductsRun(MlirOperation module, const TileGPURotateProductsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_TMA))
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList loops = {.arena = &arena};
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  tileCollectOps(module, TileOp_SCF_For, MlirWalkPostOrder, &loops);
  for (size_t i = 0; i < loops.count; ++i) {
    MlirOperation op = {(void *)loops.items[i]};
    Rotation r = {.b = b,
                  .arena = &arena,
                  .loc = mlirOperationGetLocation(op),
                  .loop = scfForOpCast(op),
                  .parts = {.arena = &arena}};
    r.body = mlirRegionGetFirstBlock(scfForOpGetRegion(r.loop));
    if (!canRotate(&r) || !isWorthwhile(op, &target))
      continue;
    rotate(&r);
    ++*params->numProducts;
  }
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
