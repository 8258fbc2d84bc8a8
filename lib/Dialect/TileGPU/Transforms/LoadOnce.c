/* LoadOnce.c - tile-gpu-load-once: bytes that hold several numbers of a few bits each are loaded once, not once for each.
 *
 *   %k = arith.divsi (tile.make_range 0 to 64), 2 : tensor<64xi32>          // 0, 0, 1, 1, ..
 *   %p = tile.addptr .., (tile.broadcast (tile.expand_dims %k ..)) : tensor<64x128x!tile.ptr<i8>>
 *   %m = tile.broadcast (arith.cmpi slt, (tile.expand_dims (tile.make_range 0 to 64) ..), (tile.splat %n))
 *   %v = tile.load %p mask %m other %zero : tensor<64x128x!tile.ptr<i8>>
 * becomes
 *   %k = tile.make_range 0 to 32 : tensor<32xi32>
 *   %p = tile.addptr .., (tile.broadcast (tile.expand_dims %k ..)) : tensor<32x128x!tile.ptr<i8>>
 *   %m = tile.broadcast (arith.cmpi slt, (tile.expand_dims (tile.make_range 0 to 32) ..), (tile.splat ceil(%n / 2)))
 *   %w = tile.load %p mask %m other %zero : tensor<32x128x!tile.ptr<i8>>
 *   %v = tile.reshape (tile.broadcast (tile.expand_dims %w axis = 1)) : tensor<32x2x128xi8> -> tensor<64x128xi8>
 *
 * Neighbours of what is loaded are then neighbours in memory: accesses are wide, and may be copies that no register waits for.
 * What repeats is taken from where the axis analysis says that it does; the first of each group is computed anew.
 *
 * requires: module attributes of convert-tile-to-tile-gpu, no layouts yet.
 * ensures: the same results; each byte that was read is read. */
#include "tile-c/AxisInfo.h"
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

enum {
  MOST_TIMES = 8, ///< numbers in a byte; factors of larger groups are few
  MOST_DEPTH = 32
};

/* Of each group of `times` neighbours along a dimension, the first. */
typedef struct Firsts {
  TileBuilder b;
  MlirContext context;
  const TileAxisInfo *info;
  const TileTargetInfo *chip;
  int numStages;
  int64_t times;
} Firsts;

static const MlirValue none = {NULL};

static MlirValue firstsOf(Firsts *f, MlirValue v, int d, int depth);

// ---- Numbers ----

static MlirType shorter(const Firsts *f, MlirType type, int d) {
  int64_t shape[TileLayout_MaxRank];
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  shape[d] /= f->times;
  return mlirRankedTensorTypeGet(rank, shape, tileTypeGetElement(type), tileTypeGetEncoding(type));
}

static int64_t sizeOf(MlirValue v, int d) {
  int64_t shape[TileLayout_MaxRank];
  tileTypeGetShape(mlirValueGetType(v), shape, TileLayout_MaxRank);
  return shape[d];
}

static MlirValue number(Firsts *f, MlirLocation loc, MlirType type, int64_t n) {
  MlirAttribute value = mlirIntegerAttrGet(tileTypeGetElement(type), n);
  if (tileTypeIsTensor(type))
    value = mlirDenseElementsAttrSplatGet(type, value);
  return arithConstantOpGetResult(arithConstantOpCreate(f->b, loc, type, value));
}

static MlirValue range(Firsts *f, MlirOperation at, MlirType type, int64_t start, int64_t end) {
  return tileMakeRangeOpGetResult(tileMakeRangeOpCreate(f->b, mlirOperationGetLocation(at), type,
                                                        tileI32Attr(f->context, start),
                                                        tileI32Attr(f->context, end)));
}

/* The one scalar that all elements are; null if it is not found. */
static MlirValue scalarOf(MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  while (op.ptr && (tileOpKind(op) == TileOp_Tile_Broadcast || tileOpKind(op) == TileOp_Tile_ExpandDims))
    op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  return op.ptr && tileOpKind(op) == TileOp_Tile_Splat ? mlirOperationGetOperand(op, 0) : none;
}

// ---- Shapes ----

/* The shape op again, of another source. */
static MlirValue reshaped(Firsts *f, MlirOperation op, MlirValue source, int d) {
  MlirType type = shorter(f, mlirValueGetType(mlirOperationGetResult(op, 0)), d);
  MlirOperation clone = mlirOperationClone(op);
  mlirOperationSetOperand(clone, 0, source);
  mlirValueSetType(mlirOperationGetResult(clone, 0), type);
  mlirRewriterBaseSetInsertionPointAfter(f->b, op);
  mlirRewriterBaseInsert(f->b, clone);
  return mlirOperationGetResult(clone, 0);
}

static int innerDim(MlirOperation op, int d) {
  if (tileOpKind(op) != TileOp_Tile_ExpandDims)
    return d;
  return d > (int)tileExpandDimsOpGetAxis(tileExpandDimsOpCast(op)) ? d - 1 : d;
}

static bool isShape(MlirOperation op) {
  return tileOpKind(op) == TileOp_Tile_Broadcast || tileOpKind(op) == TileOp_Tile_ExpandDims;
}

static MlirValue quotients(Firsts *f, MlirValue v, int d, int depth);

/* Of a sum with one multiple of `times` for all, as blocks of a loop start at. */
static MlirValue movedQuotients(Firsts *f, MlirOperation sum, int d, int depth) {
  MlirValue v = mlirOperationGetResult(sum, 0);
  const TileAxis *axis = tileAxisInfoOf(f->info, v);
  for (int i = 0; i < 2 && axis && axis->min >= 0; ++i) {
    MlirValue start = scalarOf(mlirOperationGetOperand(sum, i));
    if (!start.ptr || tileAxisInfoGet(f->info, start, 0).divisibility % f->times)
      continue;
    MlirValue q = quotients(f, mlirOperationGetOperand(sum, !i), d, depth + 1);
    if (!q.ptr)
      continue;
    MlirLocation loc = mlirOperationGetLocation(sum);
    MlirType type = mlirValueGetType(start);
    mlirRewriterBaseSetInsertionPointAfter(f->b, sum);
    MlirValue by = number(f, loc, type, f->times);
    start = tileCreateOp2(f->b, loc, TileOp_Arith_DivSI, start, by);
    start = tileSplatOpGetResult(tileSplatOpCreate(f->b, loc, mlirValueGetType(q), start));
    return tileCreateOp2(f->b, loc, TileOp_Arith_AddI, start, q);
  }
  return none;
}

/* The firsts of `v`, each divided by `times`: they are multiples of it, none negative. */
static MlirValue quotients(Firsts *f, MlirValue v, int d, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || depth > MOST_DEPTH)
    return none;
  if (isShape(op)) {
    MlirValue source = mlirOperationGetOperand(op, 0);
    int inner = innerDim(op, d);
    MlirValue q = sizeOf(source, inner) == 1 ? none : quotients(f, source, inner, depth + 1);
    return q.ptr ? reshaped(f, op, q, d) : none;
  }
  if (tileOpKind(op) == TileOp_Arith_AddI)
    return movedQuotients(f, op, d, depth);
  TileMakeRangeOp all = tileMakeRangeOpCast(op);
  if (tileMakeRangeOpIsNull(all))
    return none;
  int64_t start = tileMakeRangeOpGetStart(all), end = tileMakeRangeOpGetEnd(all);
  if (start < 0 || start % f->times)
    return none;
  mlirRewriterBaseSetInsertionPointAfter(f->b, op);
  return range(f, op, shorter(f, mlirValueGetType(v), d), start / f->times, end / f->times);
}

// ---- Operations ----

/* How much a division or a shift to the right divides by; 0 for all else. */
static int64_t divisorOf(MlirOperation op) {
  int64_t n;
  TileOpKind kind = tileOpKind(op);
  bool divides = kind == TileOp_Arith_DivSI || kind == TileOp_Arith_DivUI;
  if ((!divides && kind != TileOp_Arith_ShRSI && kind != TileOp_Arith_ShRUI) ||
      !tileValueConstantInt(mlirOperationGetOperand(op, 1), &n) || n < 0 || (!divides && n > 30))
    return 0;
  return divides ? n : INT64_C(1) << n;
}

static MlirValue divided(Firsts *f, MlirOperation op, int d, int depth) {
  int64_t by = divisorOf(op);
  MlirValue q = by && by % f->times == 0 ? quotients(f, mlirOperationGetOperand(op, 0), d, depth + 1) : none;
  if (!q.ptr || by == f->times)
    return q;
  mlirRewriterBaseSetInsertionPointAfter(f->b, op);
  MlirLocation loc = mlirOperationGetLocation(op);
  return tileCreateOp2(f->b, loc, TileOp_Arith_DivSI, q, number(f, loc, mlirValueGetType(q), by / f->times));
}

/* times * q < n where q < ceil(n / times). */
static MlirValue compared(Firsts *f, MlirOperation op, int d, int depth) {
  ArithCmpIOp compare = arithCmpIOpCast(op);
  MlirValue n = scalarOf(arithCmpIOpGetRhs(compare));
  if (tileIntegerAttrValue(arithCmpIOpGetPredicateAttr(compare)) != ArithCmpIPredicate_slt || !n.ptr)
    return none;
  MlirValue q = quotients(f, arithCmpIOpGetLhs(compare), d, depth + 1);
  if (!q.ptr)
    return none;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(n);
  mlirRewriterBaseSetInsertionPointAfter(f->b, op);
  MlirValue shift = number(f, loc, type, __builtin_ctzll((unsigned long long)f->times));
  MlirValue floor = tileCreateOp2(f->b, loc, TileOp_Arith_ShRSI, n, shift);
  MlirValue rest = tileCreateOp2(f->b, loc, TileOp_Arith_AndI, n, number(f, loc, type, f->times - 1));
  if (f->times > 2)
    rest = tileCreateOp2(f->b, loc, TileOp_Arith_MinUI, rest, number(f, loc, type, 1));
  MlirValue ceiling = tileCreateOp2(f->b, loc, TileOp_Arith_AddI, floor, rest);
  MlirValue all = tileSplatOpGetResult(tileSplatOpCreate(f->b, loc, mlirValueGetType(q), ceiling));
  MlirType i1s = shorter(f, mlirValueGetType(arithCmpIOpGetResult(compare)), d);
  return arithCmpIOpGetResult(
      arithCmpIOpCreate(f->b, loc, i1s, q, all, arithCmpIOpGetPredicateAttr(compare)));
}

/* An operation of elements at the same place, of the operands' firsts. */
static MlirValue elementwise(Firsts *f, MlirOperation op, int d, int depth) {
  enum { MostOperands = 3 };
  MlirValue operands[MostOperands];
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n < 1 || n > MostOperands || mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumRegions(op))
    return none;
  for (intptr_t i = 0; i < n; ++i) {
    operands[i] = mlirOperationGetOperand(op, i);
    if (tileTypeIsTensor(mlirValueGetType(operands[i])))
      operands[i] = firstsOf(f, operands[i], d, depth + 1);
    if (!operands[i].ptr)
      return none;
  }
  MlirValue result = reshaped(f, op, operands[0], d);
  for (intptr_t i = 1; i < n; ++i)
    mlirOperationSetOperand(tileValueGetDefiningOp(result), i, operands[i]);
  return result;
}

/* The number of 64 bits by which a loop moves all pointers alike: a constant, or computed in front of the loop. */
static MlirValue strideOf(Firsts *f, SCFForOp loop, MlirValue offset) {
  MlirType i64 = mlirIntegerTypeGet(f->context, 64);
  MlirLocation loc = mlirOperationGetLocation(loop.op);
  MlirValue scalar = scalarOf(offset);
  int64_t by;
  mlirRewriterBaseSetInsertionPointBefore(f->b, loop.op);
  if (tileValueConstantInt(offset, &by))
    return number(f, loc, i64, by);
  if (!scalar.ptr || !mlirBlockEqual(tileValueGetBlock(scalar), mlirOperationGetBlock(loop.op)))
    return none;
  return mlirTypeEqual(mlirValueGetType(scalar), i64)
             ? scalar
             : arithExtSIOpGetOut(arithExtSIOpCreate(f->b, loc, i64, scalar));
}

/* Pointers that a loop moves by one number: from its iterations' count, which starts at 0. */
static MlirValue carried(Firsts *f, MlirValue v, int d, int depth) {
  MlirBlock body = mlirBlockArgumentGetOwner(v);
  SCFForOp loop = scfForOpCast(mlirBlockGetParentOperation(body));
  intptr_t i = mlirBlockArgumentGetArgNumber(v) - 1;
  int64_t low, step;
  if (scfForOpIsNull(loop) || i < 0 || scfForOpGetUnsignedCmp(loop) ||
      !tileValueConstantInt(scfForOpGetLowerBound(loop), &low) || low ||
      !tileValueConstantInt(scfForOpGetStep(loop), &step) || step < 1)
    return none;
  MlirValue count = mlirBlockGetArgument(body, 0);
  TileAddPtrOp next =
      tileAddPtrOpCast(tileValueGetDefiningOp(mlirOperationGetOperand(mlirBlockGetTerminator(body), i)));
  if (tileAddPtrOpIsNull(next) || !mlirValueEqual(tileAddPtrOpGetPtr(next), v) ||
      !mlirTypeIsAInteger(mlirValueGetType(count)))
    return none;
  MlirValue first = firstsOf(f, scfForOpGetInitArgs(loop, i), d, depth + 1);
  MlirValue by = first.ptr ? strideOf(f, loop, tileAddPtrOpGetOffset(next)) : none;
  if (!by.ptr)
    return none;
  MlirLocation loc = mlirOperationGetLocation(next.op);
  mlirRewriterBaseSetInsertionPointToStart(f->b, body);
  if (step > 1)
    count =
        tileCreateOp2(f->b, loc, TileOp_Arith_DivSI, count, number(f, loc, mlirValueGetType(count), step));
  if (!mlirTypeEqual(mlirValueGetType(count), mlirValueGetType(by)))
    count = arithExtSIOpGetOut(arithExtSIOpCreate(f->b, loc, mlirValueGetType(by), count));
  MlirValue moved = tileCreateOp2(f->b, loc, TileOp_Arith_MulI, count, by);
  MlirType pointers = mlirValueGetType(first), offsets = tileTypeWithElement(pointers, mlirValueGetType(by));
  MlirValue all = tileSplatOpGetResult(tileSplatOpCreate(f->b, loc, offsets, moved));
  return tileAddPtrOpGetResult(tileAddPtrOpCreate(f->b, loc, pointers, first, all));
}

static MlirValue shapedFirsts(Firsts *f, MlirOperation op, int d, int depth) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  int inner = innerDim(op, d);
  if (sizeOf(source, inner) != 1)
    source = firstsOf(f, source, inner, depth + 1);
  return source.ptr ? reshaped(f, op, source, d) : none;
}

static MlirValue firstsOf(Firsts *f, MlirValue v, int d, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (depth > MOST_DEPTH || sizeOf(v, d) % f->times)
    return none;
  if (!op.ptr)
    return carried(f, v, d, depth);
  MlirAttribute constant = tileValueConstantNumber(v);
  MlirType type = shorter(f, mlirValueGetType(v), d);
  if (constant.ptr) {
    mlirRewriterBaseSetInsertionPointAfter(f->b, op);
    return arithConstantOpGetResult(arithConstantOpCreate(f->b, mlirOperationGetLocation(op), type,
                                                          mlirDenseElementsAttrSplatGet(type, constant)));
  }
  if (tileOpKind(op) == TileOp_Tile_Splat)
    return reshaped(f, op, mlirOperationGetOperand(op, 0), d);
  if (isShape(op))
    return shapedFirsts(f, op, d, depth);
  MlirValue simple = divisorOf(op)                         ? divided(f, op, d, depth)
                     : tileOpKind(op) == TileOp_Arith_CmpI ? compared(f, op, d, depth)
                                                           : none;
  if (simple.ptr)
    return simple;
  return tileOpIsElementwise(op) || tileOpKind(op) == TileOp_Tile_AddPtr ? elementwise(f, op, d, depth)
                                                                         : none;
}

// ---- Loads ----

/* How often each element repeats along `d`, 1 if it is to be loaded as it is. */
static int64_t timesAlong(const TileAxisInfo *info, TileLoadOp load, int d, int64_t threads) {
  MlirValue ptr = tileLoadOpGetPtr(load), mask = tileLoadOpGetMask(load);
  int64_t times = tileAxisInfoGet(info, ptr, d).constancy;
  if (times < 2 || times > MOST_TIMES || times >= sizeOf(ptr, d) || sizeOf(ptr, d) % times)
    return 1;
  if (mask.ptr && tileAxisInfoGet(info, mask, d).constancy < times)
    return 1;
  return tileTypeNumElements(mlirValueGetType(ptr)) / times < threads ? 1 : times;
}

static MlirValue repeated(Firsts *f, MlirLocation loc, MlirValue v, MlirType result, int d) {
  int64_t shape[TileLayout_MaxRank];
  int rank = tileTypeGetShape(mlirValueGetType(v), shape, TileLayout_MaxRank - 1);
  MlirType element = tileTypeGetElement(result);
  for (int i = rank; i > d + 1; --i)
    shape[i] = shape[i - 1];
  shape[d + 1] = 1;
  MlirType one = mlirRankedTensorTypeGet(rank + 1, shape, element, (MlirAttribute){NULL});
  shape[d + 1] = f->times;
  MlirType all = mlirRankedTensorTypeGet(rank + 1, shape, element, (MlirAttribute){NULL});
  v = tileExpandDimsOpGetResult(tileExpandDimsOpCreate(f->b, loc, one, v, tileI32Attr(f->context, d + 1)));
  v = tileBroadcastOpGetResult(tileBroadcastOpCreate(f->b, loc, all, v));
  return tileReshapeOpGetResult(tileReshapeOpCreate(f->b, loc, result, v, (MlirAttribute){NULL}));
}

/* Where only the loop itself still moves these pointers, it moves them no longer. */
static void dropCarried(TileBuilder b, MlirValue ptr) {
  if (!mlirValueIsABlockArgument(ptr) || !tileValueHasOneUse(ptr))
    return;
  MlirOperation next = tileValueOnlyUser(ptr), yield = mlirBlockGetTerminator(mlirBlockArgumentGetOwner(ptr));
  intptr_t i = mlirBlockArgumentGetArgNumber(ptr) - 1;
  if (tileOpKind(next) != TileOp_Tile_AddPtr || !tileValueHasOneUse(mlirOperationGetResult(next, 0)) ||
      !tileValueIsUnused(
          mlirOperationGetResult(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(ptr)), i)))
    return;
  mlirOperationSetOperand(yield, i, ptr);
  mlirRewriterBaseEraseOp(b, next);
}

static bool loadOnce(Firsts *f, TileLoadOp load, int d) {
  MlirValue ptr = tileLoadOpGetPtr(load), mask = tileLoadOpGetMask(load), other = tileLoadOpGetOther(load);
  MlirValue firsts = firstsOf(f, ptr, d, 0), masks = none, others = none;
  if (firsts.ptr && mask.ptr)
    masks = firstsOf(f, mask, d, 0);
  if (firsts.ptr && other.ptr && tileValueConstantNumber(other).ptr)
    others = firstsOf(f, other, d, 0);
  if (!firsts.ptr || !masks.ptr != !mask.ptr || !others.ptr != !other.ptr)
    return false;
  MlirLocation loc = mlirOperationGetLocation(load.op);
  MlirType result = mlirValueGetType(tileLoadOpGetResult(load));
  mlirRewriterBaseSetInsertionPointBefore(f->b, load.op);
  TileLoadOp once =
      tileLoadOpCreate(f->b, loc, shorter(f, result, d), firsts, masks, others, tileLoadOpGetCacheAttr(load),
                       tileLoadOpGetEvictAttr(load), (MlirAttribute){NULL});
  MlirValue all = repeated(f, loc, tileLoadOpGetResult(once), result, d);
  mlirRewriterBaseReplaceOpWithValues(f->b, load.op, 1, &all);
  dropCarried(f->b, ptr);
  return true;
}

/* Whether all that is made of `v`, element by element, is a factor of products with `d` along K. */
static bool isForK(MlirValue v, int d, int depth) {
  if (depth > MOST_DEPTH || tileValueIsUnused(v))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    unsigned i = mlirOpOperandGetOperandNumber(use);
    bool isFactor = tileOpKind(user) == TileOp_Tile_Dot && i == (unsigned)!d;
    if (!isFactor && (!tileOpIsElementwise(user) || !isForK(mlirOperationGetResult(user, 0), d, depth + 1)))
      return false;
  }
  return true;
}

/* mma.sync takes bytes that lie across K from their buffer two rows at a time, by ldmatrix, and copies of them are wide as they
 * are: what is repeated along K would have to be put into another buffer. */
static bool staysRepeated(const Firsts *f, TileLoadOp load, int d) {
  enum { WORD = 4 };
  MlirValue v = tileLoadOpGetResult(load);
  MlirOperation loop = mlirOperationGetParentOperation(load.op);
  return !tileTargetHas(f->chip, TileFeature_WGMMA) && tileTargetHas(f->chip, TileFeature_LdMatrix) &&
         tileTargetHas(f->chip, TileFeature_CpAsync) && mlirShapedTypeGetRank(mlirValueGetType(v)) == 2 &&
         tileElementTypeSize(tileElementTypeOf(mlirValueGetType(v))) == 1 &&
         tileAxisInfoGet(f->info, tileLoadOpGetPtr(load), !d).contiguity >= WORD &&
         tileOpKind(loop) == TileOp_SCF_For && tileGetIntAttr(loop, "tile.num_stages", f->numStages) > 1 &&
         isForK(v, d, 0);
}

static bool rewrite(Firsts *f, TileLoadOp load, int64_t threads) {
  int64_t shape[TileLayout_MaxRank];
  int rank = tileTypeGetShape(mlirValueGetType(tileLoadOpGetPtr(load)), shape, TileLayout_MaxRank);
  if (!tileTypeIsTensor(mlirValueGetType(tileLoadOpGetPtr(load))) || rank >= TileLayout_MaxRank ||
      tileLoadOpGetIsVolatile(load))
    return false;
  for (int d = 0; d < rank; ++d) {
    f->times = timesAlong(f->info, load, d, threads);
    if (f->times > 1 && !staysRepeated(f, load, d) && loadOnce(f, load, d))
      return true;
  }
  return false;
}

MlirLogicalResult tileGPULoadOnceRun(MlirOperation module, const TileGPULoadOnceParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (target.info.vendor != TileVendor_NVIDIA)
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList loads = {.arena = &arena};
  MlirContext context = mlirOperationGetContext(module);
  Firsts f = {.b = mlirIRRewriterCreate(context),
              .context = context,
              .chip = &target.info,
              .numStages = target.numStages};
  int64_t threads = (int64_t)target.numWarps * target.info.warpSize;
  tileCollectOps(module, TileOp_Tile_Load, MlirWalkPreOrder, &loads);
  TileAxisInfo *info = loads.count ? tileAxisInfoCreate(module) : NULL;
  f.info = info;
  for (size_t i = 0; i < loads.count; ++i)
    *params->numLoads += rewrite(&f, tileLoadOpCast((MlirOperation){(void *)loads.items[i]}), threads);
  tileAxisInfoRelease(info);
  mlirIRRewriterDestroy(f.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
