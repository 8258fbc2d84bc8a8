/* FormPlain.c - the product of two boxes, loaded through pointers in short steps along K.
 *
 *   %x = tile.load (box of 128x64 at [%m0, %k])
 *   %y = tile.load (box of 64x256 at [%k, %n0])
 *   %d = tile.dot %x, %y, %c
 * becomes
 *   %d = scf.for %p = 0 to 64 step 16 iter_args(%s = %c) {
 *     %x = tile.load (box of 128x16 at [%m0, %k + %p])
 *     %y = tile.load (box of 16x256 at [%k + %p, %n0])
 *     scf.yield (tile.dot %x, %y, %s)
 *
 * It is there for sizes, strides and starts that no tensor map is made of, is short, and needs few registers. Where strides are not known to
 * be whole 16 bytes when the kernel is compiled, and it is what probably runs, steps are as long as registers reach. Sums are the same:
 * the matrix unit adds up in such steps. Indices are what they are without bounds, in 64 bits; a product with a stride is
 * of 32 bits where the kernel's is. */
#include "FormPlain.h"
#include "Boxes.h"
#include "FormMade.h"
#include "WidenedFactors.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/PointerList.h"

const char tileFormedLoad[] =
    "a second version, for sizes, strides and starts that the copy engine does not take";

enum { STEP_BYTES = 32, MOST_DEPTH = 24 };

typedef struct Plain {
  TileBuilder b;
  MlirContext context;
  MlirLocation loc;
  MlirType i32, i64;
} Plain;

MlirOperation tileFactorLoad(MlirValue factor) {
  MlirOperation op = tileValueGetDefiningOp(factor);
  if (op.ptr && tileOpKind(op) == TileOp_Tile_Trans)
    op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  return op.ptr && (tileOpKind(op) == TileOp_Tile_Load || tileIsMadeAccess(op)) ? op : (MlirOperation){NULL};
}

// ---- Numbers ----

static MlirType tensorOf(int rank, const int64_t *shape, MlirType element) {
  return mlirRankedTensorTypeGet(rank, shape, element, (MlirAttribute){NULL});
}
static MlirValue number(Plain *p, MlirType type, int64_t n) {
  return tileCreateInteger(p->b, p->loc, type, n);
}
static MlirValue two(Plain *p, TileOpKind kind, MlirValue x, MlirValue y) {
  return tileCreateOp2(p->b, p->loc, kind, x, y);
}
static MlirValue extended(Plain *p, MlirValue v) {
  MlirType element = tileTypeGetElement(mlirValueGetType(v));
  if (mlirTypeEqual(element, p->i64))
    return v;
  return arithExtSIOpGetOut(
      arithExtSIOpCreate(p->b, p->loc, tileTypeWithElement(mlirValueGetType(v), p->i64), v));
}
static MlirValue splat(Plain *p, MlirType like, MlirValue scalar) {
  MlirType type = tileTypeWithElement(like, mlirValueGetType(scalar));
  return tileSplatOpGetResult(tileSplatOpCreate(p->b, p->loc, type, scalar));
}

static MlirValue startOf(Plain *p, const TileSum *sum) {
  MlirValue total = number(p, p->i64, sum->constant);
  for (int i = 0; i < sum->count; ++i)
    total = two(p, TileOp_Arith_AddI, total,
                two(p, TileOp_Arith_MulI, extended(p, sum->values[i]), number(p, p->i64, sum->factors[i])));
  return total;
}

// ---- Pieces ----

/* A dimension of a piece: offsets and a mask, vectors; what all pointers move by, a scalar. */
typedef struct Side {
  MlirValue offsets, mask, move; ///< mask and move may be null
} Side;

/* How many of the piece's indices, from its start on, are below 0: a number of 0 to `length`. */
static MlirValue belowOf(Plain *p, MlirValue start, int64_t length) {
  MlirValue below = two(p, TileOp_Arith_SubI, number(p, p->i64, 0), start);
  below = two(p, TileOp_Arith_MaxSI, below, number(p, p->i64, 0));
  below = two(p, TileOp_Arith_MinSI, below, number(p, p->i64, length));
  return arithTruncIOpGetOut(arithTruncIOpCreate(p->b, p->loc, p->i32, below, (MlirAttribute){NULL}));
}

/* How much of the piece lies below the bound, from its start on: a number of 0 to `length`, the range of its mask. */
static MlirValue insideOf(Plain *p, MlirValue start, MlirValue size, int64_t length) {
  MlirValue left = two(p, TileOp_Arith_SubI, size, start);
  left = two(p, TileOp_Arith_MaxSI, left, number(p, p->i64, 0));
  left = two(p, TileOp_Arith_MinSI, left, number(p, p->i64, length));
  return arithTruncIOpGetOut(arithTruncIOpCreate(p->b, p->loc, p->i32, left, (MlirAttribute){NULL}));
}

static MlirValue strideOf(Plain *p, const TileBoxDim *dim) {
  if (!dim->stride.ptr)
    return number(p, p->i32, dim->factor);
  return dim->factor == 1
             ? dim->stride
             : two(p, TileOp_Arith_MulI, dim->stride, number(p, mlirValueGetType(dim->stride), dim->factor));
}

/* Indices modulo the size, whose rows come to nothing (DeadRows.h): the last one as well, without a division, times the stride. */
static void wrappedSide(Plain *p, MlirValue range, MlirValue start, MlirValue size, MlirValue stride,
                        Side *out) {
  MlirType wide = tileTypeWithElement(mlirValueGetType(range), p->i64);
  MlirValue index = two(p, TileOp_Arith_AddI, splat(p, wide, start), extended(p, range));
  MlirValue last = two(p, TileOp_Arith_SubI, size, number(p, p->i64, 1));
  index = two(p, TileOp_Arith_MinSI, index, splat(p, wide, last));
  out->offsets = two(p, TileOp_Arith_MulI, index, splat(p, wide, extended(p, stride)));
}

static Side sideOf(Plain *p, const TileBox *box, int d, int64_t length, MlirValue by) {
  const TileBoxDim *dim = &box->dims[d];
  const bool hasSize = dim->bound.ptr || dim->size != TileBox_Unbounded;
  MlirType narrow = tensorOf(1, &length, p->i32), wide = tensorOf(1, &length, p->i64);
  MlirValue range = tileMakeRangeOpGetResult(tileMakeRangeOpCreate(
      p->b, p->loc, narrow, tileI32Attr(p->context, 0), tileI32Attr(p->context, length)));
  MlirValue start = startOf(p, &dim->start), stride = strideOf(p, dim), size = {NULL};
  if (by.ptr)
    start = two(p, TileOp_Arith_AddI, start, extended(p, by));
  if (hasSize)
    size = dim->bound.ptr ? extended(p, dim->bound) : number(p, p->i64, dim->size);
  Side side = {.mask = {NULL}};
  if (dim->isWrapped) {
    wrappedSide(p, range, start, size, stride, &side);
    return side;
  }
  if (hasSize)
    side.mask = arithCmpIOpGetResult(arithCmpIOpCreate(
        p->b, p->loc, tensorOf(1, &length, mlirIntegerTypeGet(p->context, 1)), range,
        splat(p, narrow, insideOf(p, start, size, length)), tileI64Attr(p->context, ArithCmpIPredicate_slt)));
  if (dim->hasFloor) {
    MlirValue above = arithCmpIOpGetResult(arithCmpIOpCreate(
        p->b, p->loc, tensorOf(1, &length, mlirIntegerTypeGet(p->context, 1)), range,
        splat(p, narrow, belowOf(p, start, length)), tileI64Attr(p->context, ArithCmpIPredicate_sge)));
    side.mask = side.mask.ptr ? two(p, TileOp_Arith_AndI, side.mask, above) : above;
  }
  if (d != box->unit && box->isNarrow && tileBoxDimIsRamp(dim) &&
      mlirTypeEqual(mlirValueGetType(stride), p->i32)) {
    MlirValue few =
        arithTruncIOpGetOut(arithTruncIOpCreate(p->b, p->loc, p->i32, start, (MlirAttribute){NULL}));
    MlirValue index = two(p, TileOp_Arith_AddI, splat(p, narrow, few), range);
    side.offsets = extended(p, two(p, TileOp_Arith_MulI, index, splat(p, narrow, stride)));
    return side;
  }
  stride = extended(p, stride);
  side.move = two(p, TileOp_Arith_MulI, start, stride);
  side.offsets = two(p, TileOp_Arith_MulI, extended(p, range), splat(p, wide, stride));
  return side;
}

/* A vector along dimension d as a matrix. */
static MlirValue spread(Plain *p, MlirValue v, int d, const int64_t shape[2]) {
  MlirType element = tileTypeGetElement(mlirValueGetType(v));
  const int64_t column[2] = {d ? 1 : shape[0], d ? shape[1] : 1};
  MlirValue line = tileExpandDimsOpGetResult(
      tileExpandDimsOpCreate(p->b, p->loc, tensorOf(2, column, element), v, tileI32Attr(p->context, !d)));
  return tileBroadcastOpGetResult(tileBroadcastOpCreate(p->b, p->loc, tensorOf(2, shape, element), line));
}

static MlirValue zeros(Plain *p, MlirType type) {
  MlirType element = tileTypeGetElement(type);
  MlirAttribute zero = mlirTypeIsAFloat(element) ? mlirFloatAttrDoubleGet(p->context, element, 0)
                                                 : mlirIntegerAttrGet(element, 0);
  return arithConstantOpGetResult(
      arithConstantOpCreate(p->b, p->loc, type, mlirDenseElementsAttrSplatGet(type, zero)));
}

/* Pointers and mask (null: none) of a box of this shape; along K moved by `by`, if that is not null. */
static MlirValue pointersOf(Plain *p, const TileBox *box, const int64_t shape[2], int kDim, MlirValue by,
                            MlirValue *out_mask) {
  MlirType pointer = mlirValueGetType(box->base), type = tensorOf(2, shape, pointer);
  MlirValue offsets = {NULL}, mask = {NULL}, base = box->base;
  for (int d = 0; d < 2; ++d) {
    const Side side = sideOf(p, box, d, shape[d], d == kDim ? by : (MlirValue){NULL});
    MlirValue o = spread(p, side.offsets, d, shape),
              m = side.mask.ptr ? spread(p, side.mask, d, shape) : side.mask;
    if (side.move.ptr)
      base = tileAddPtrOpGetResult(tileAddPtrOpCreate(p->b, p->loc, pointer, base, side.move));
    offsets = offsets.ptr ? two(p, TileOp_Arith_AddI, offsets, o) : o;
    mask = mask.ptr && m.ptr ? two(p, TileOp_Arith_AndI, mask, m) : mask.ptr ? mask : m;
  }
  for (int i = 0; i < box->numExtra; ++i) {
    const TileBoxExtra *extra = &box->extra[i];
    MlirValue stride = number(p, p->i64, extra->factor), start = startOf(p, &extra->start);
    if (extra->stride.ptr)
      stride = two(p, TileOp_Arith_MulI, extended(p, extra->stride), stride);
    base = tileAddPtrOpGetResult(
        tileAddPtrOpCreate(p->b, p->loc, pointer, base, two(p, TileOp_Arith_MulI, start, stride)));
  }
  *out_mask = mask;
  return tileAddPtrOpGetResult(tileAddPtrOpCreate(p->b, p->loc, type, splat(p, type, base), offsets));
}

/* The step's part of a box, `kDim` along K. */
static MlirValue pieceOf(Plain *p, MlirOperation old, const TileBox *box, MlirType element, int kDim,
                         int64_t step, MlirValue by) {
  const int64_t shape[2] = {kDim == 0 ? step : box->dims[0].length, kDim == 1 ? step : box->dims[1].length};
  if (box->made.ptr)
    return tileMadePiece(p->b, box, old, shape, kDim, by);
  MlirType type = tensorOf(2, shape, element);
  MlirAttribute none = {NULL};
  MlirValue mask, at = pointersOf(p, box, shape, kDim, by, &mask);
  TileLoadOp load =
      tileLoadOpCreate(p->b, p->loc, type, at, mask, mask.ptr ? zeros(p, type) : mask, none, none, none);
  mlirOperationSetDiscardableAttributeByName(load.op, tileStr("tile_gpu.no_block"),
                                             mlirStringAttrGet(p->context, tileStr(tileFormedLoad)));
  return tileLoadOpGetResult(load);
}

static bool isSecond(MlirOperation load) {
  MlirAttribute why = load.ptr
                          ? mlirOperationGetDiscardableAttributeByName(load, tileStr("tile_gpu.no_block"))
                          : (MlirAttribute){NULL};
  return why.ptr && mlirStringRefEqual(mlirStringAttrGetValue(why), tileStr(tileFormedLoad));
}

/* Whether a factor follows element by element from one load of the second version, and else from what is the same along K. */
static bool isChain(MlirValue v, int kDim, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || !depth || tileValueConstantNumber(v).ptr)
    return op.ptr && depth;
  const TileOpKind kind = tileOpKind(op);
  if (isSecond(op) || kind == TileOp_Tile_Splat)
    return true;
  if (kind == TileOp_Tile_Trans)
    return isChain(mlirOperationGetOperand(op, 0), 1 - kDim, depth - 1);
  if (kind == TileOp_Tile_Broadcast)
    return mlirShapedTypeGetDimSize(mlirValueGetType(mlirOperationGetOperand(op, 0)), kDim) == 1;
  bool ok = tileOpIsElementwise(op) && tileOpIsPure(op) && mlirOperationGetNumResults(op) == 1;
  for (intptr_t i = 0; ok && i < mlirOperationGetNumOperands(op); ++i)
    ok = isChain(mlirOperationGetOperand(op, i), kDim, depth - 1);
  return ok;
}

typedef struct Piece {
  const TileBox *box;
  int64_t step;
  MlirValue by;
} Piece;

/* The step's part of such a factor, `kDim` along K. */
static MlirValue factorOf(Plain *p, MlirValue old, const Piece *piece, int kDim) {
  static const int32_t order[2] = {1, 0};
  MlirOperation op = tileValueGetDefiningOp(old);
  MlirType element = tileTypeGetElement(mlirValueGetType(old));
  int64_t shape[2];
  tileTypeGetShape(mlirValueGetType(old), shape, 2);
  shape[kDim] = piece->step;
  MlirType type = tensorOf(2, shape, element);
  MlirAttribute constant = tileValueConstantNumber(old);
  if (constant.ptr)
    return arithConstantOpGetResult(
        arithConstantOpCreate(p->b, p->loc, type, mlirDenseElementsAttrSplatGet(type, constant)));
  if (isSecond(op))
    return pieceOf(p, op, piece->box, element, kDim, piece->step, piece->by);
  MlirValue x = mlirOperationGetOperand(op, 0);
  switch (tileOpKind(op)) {
  case TileOp_Tile_Splat:
    return tileSplatOpGetResult(tileSplatOpCreate(p->b, p->loc, type, x));
  case TileOp_Tile_Broadcast:
    return tileBroadcastOpGetResult(tileBroadcastOpCreate(p->b, p->loc, type, x));
  case TileOp_Tile_Trans:
    return tileTransOpGetResult(tileTransOpCreate(p->b, p->loc, type, factorOf(p, x, piece, 1 - kDim),
                                                  mlirDenseI32ArrayGet(p->context, 2, order)));
  default:
    break;
  }
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(clone, i, factorOf(p, mlirOperationGetOperand(op, i), piece, kDim));
  mlirValueSetType(mlirOperationGetResult(clone, 0), type);
  mlirRewriterBaseInsert(p->b, clone);
  return mlirOperationGetResult(clone, 0);
}

// ---- The product ----

/* The product in steps, at the builder's place. */
static MlirValue emitSteps(Plain *p, MlirOperation dot, const TileBox boxes[2], int64_t k, int64_t step) {
  MlirValue a = mlirOperationGetOperand(dot, 0), b = mlirOperationGetOperand(dot, 1),
            c = mlirOperationGetOperand(dot, 2);
  MlirType type = mlirValueGetType(c);
  SCFForOp loop = scfForOpCreate(p->b, p->loc, 1, &type, number(p, p->i32, 0), number(p, p->i32, k),
                                 number(p, p->i32, step), 1, &c, (MlirAttribute){NULL});
  mlirOperationSetDiscardableAttributeByName(loop.op, tileStr("tile.num_stages"), tileI32Attr(p->context, 1));
  MlirBlock body = tileRegionAddBlock(scfForOpGetRegion(loop));
  MlirValue by = mlirBlockAddArgument(body, p->i32, p->loc), sums = mlirBlockAddArgument(body, type, p->loc);
  mlirRewriterBaseSetInsertionPointToEnd(p->b, body);
  MlirOperation one = mlirOperationClone(dot);
  mlirOperationSetOperand(one, 1, factorOf(p, b, &(Piece){&boxes[1], step, by}, 0));
  mlirOperationSetOperand(one, 0, factorOf(p, a, &(Piece){&boxes[0], step, by}, 1));
  mlirOperationSetOperand(one, 2, sums);
  mlirRewriterBaseInsert(p->b, one);
  MlirValue next = mlirOperationGetResult(one, 0);
  scfYieldOpCreate(p->b, p->loc, 1, &next);
  mlirRewriterBaseSetInsertionPointAfter(p->b, loop.op);
  return mlirOperationGetResult(loop.op, 0);
}

/* As many elements along K at a time as there are registers for, and for their addresses, beside the sums: `packed` elements of 16 bits in
 * each. */
static int64_t stepFor(const TileModuleTarget *target, MlirOperation dot, int64_t k, int64_t least,
                       int64_t packed) {
  enum { FewSums = 64, ManyLoads = 64, FewLoads = 16 };
  int64_t c[2];
  const int64_t threads = target->numWarps * (int64_t)target->info.warpSize;
  tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(dot, 0)), c, 2);
  const int64_t most = c[0] * c[1] / threads <= FewSums ? ManyLoads : FewLoads;
  while (k > least && k % 2 == 0 && (c[0] + c[1]) * k / packed / threads > most)
    k /= 2;
  return k;
}

/* What is left of a factor; loads have effects, so that nobody else would erase them. */
static void eraseUnused(TileBuilder b, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  MlirValue operands[4];
  const intptr_t n = op.ptr ? mlirOperationGetNumOperands(op) : 0;
  if (!op.ptr || !depth || !tileValueIsUnused(v) || n > 4 || !(isSecond(op) || tileOpIsPure(op)))
    return;
  for (intptr_t i = 0; i < n; ++i)
    operands[i] = mlirOperationGetOperand(op, i);
  const bool isLoad = isSecond(op);
  mlirRewriterBaseEraseOp(b, op);
  for (intptr_t i = 0; i < n && !isLoad; ++i)
    eraseUnused(b, operands[i], depth - 1);
}

static void formProduct(TileBuilder b, const TileModuleTarget *target, const TileAxisInfo *info,
                        MlirOperation dot, int packed) {
  MlirContext context = mlirOperationGetContext(dot);
  Plain p = {b, context, mlirOperationGetLocation(dot), mlirIntegerTypeGet(context, 32),
             mlirIntegerTypeGet(context, 64)};
  TileBox boxes[2];
  int64_t shape[2];
  MlirOperation loads[2];
  for (int i = 0; i < 2; ++i) {
    MlirValue factor = mlirOperationGetOperand(dot, i);
    loads[i] = tileFactorLoad(factor);
    if (!loads[i].ptr)
      loads[i] = tileWidenedLoad(tileDotOpCast(dot), factor);
    if (!isSecond(loads[i]) || tileBoxOf(loads[i], info, &boxes[i]) || !isChain(factor, 1 - i, MOST_DEPTH))
      return;
  }
  MlirValue a = mlirOperationGetOperand(dot, 0), factors[2] = {a, mlirOperationGetOperand(dot, 1)};
  tileTypeGetShape(mlirValueGetType(a), shape, 2);
  const int64_t step = STEP_BYTES / (int64_t)tileElementTypeSize(tileElementTypeOf(mlirValueGetType(a)));
  if (shape[1] % step)
    return;
  mlirRewriterBaseSetInsertionPointBefore(b, dot);
  const bool isRare = !packed || (boxes[0].isAligned && boxes[1].isAligned);
  MlirValue sums =
      emitSteps(&p, dot, boxes, shape[1], isRare ? step : stepFor(target, dot, shape[1], step, packed));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(dot, 0), sums);
  mlirRewriterBaseEraseOp(b, dot);
  for (int i = 0; i < 2; ++i)
    eraseUnused(b, factors[i], MOST_DEPTH);
}

void tileFormPlainStore(TileBuilder b, const TileAxisInfo *info, MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  Plain p = {b, context, mlirOperationGetLocation(op), mlirIntegerTypeGet(context, 32),
             mlirIntegerTypeGet(context, 64)};
  TileStoreOp store = tileStoreOpCast(op);
  TileBox box;
  if (!isSecond(op) || tileBoxOf(op, info, &box))
    return;
  const int64_t shape[2] = {box.dims[0].length, box.dims[1].length};
  MlirAttribute none = {NULL};
  mlirRewriterBaseSetInsertionPointBefore(b, op);
  MlirValue mask, at = pointersOf(&p, &box, shape, -1, (MlirValue){NULL}, &mask);
  TileStoreOp made = tileStoreOpCreate(b, p.loc, at, tileStoreOpGetValue(store), mask, none, none);
  mlirOperationSetDiscardableAttributeByName(made.op, tileStr("tile_gpu.no_block"),
                                             mlirStringAttrGet(context, tileStr(tileFormedLoad)));
  mlirOperationSetDiscardableAttributeByName(made.op, tileStr("tile_gpu.any_layout"),
                                             mlirUnitAttrGet(context));
  mlirRewriterBaseEraseOp(b, op);
}

// ---- All of them ----

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

void tileFormPlainBlock(TileBuilder b, TileArena *arena, const TileModuleTarget *target,
                        const TileAxisInfo *info, MlirBlock block, int packed) {
  TilePointerList changed = {.arena = arena};
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, makePlain, &changed, MlirWalkPreOrder);
  for (size_t i = 0; i < changed.count; ++i) {
    MlirOperation op = {(void *)changed.items[i]};
    if (tileOpKind(op) == TileOp_Tile_Store)
      tileFormPlainStore(b, info, op);
    else
      formProduct(b, target, info, op, packed);
  }
}
