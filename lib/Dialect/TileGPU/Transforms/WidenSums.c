/* WidenSums.c - tile-gpu-widen-sums: sums of f16 of products that warp groups can compute are sums of f32.
 *
 *   %r = scf.for ... iter_args(%acc = %zero) -> tensor<128x128xf16> {
 *     %s = tile.dot %a, %b, %acc : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf16>
 *     scf.yield %s
 *   }
 * becomes
 *   %w = scf.for ... iter_args(%acc = %zero') -> tensor<128x128xf32> {
 *     %s = tile.dot %a, %b, %acc : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
 *     scf.yield %s
 *   }
 *   %r = arith.truncf %w
 *
 * Warp groups' instructions take as long for either; what is made for products into f32 (copies ahead, products that stay open, sums that
 * stay in registers) then is there for these too. A sum that is widened anyway is not rounded at all, and is added to by the product itself
 * where it would be behind it.
 *
 * requires: module attributes of convert-tile-to-tile-gpu.
 * ensures: sums with one rounding where each instruction had its own; no thread has more than 128 numbers of one. */
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Math.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

enum { MOST_NUMBERS = 128 /* of a sum in a thread */ };

typedef struct Widen {
  TileBuilder b;
  const TileModuleTarget *target;
} Widen;

static MlirType wideType(MlirType type) {
  int64_t shape[TileLayout_MaxRank];
  const int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  return mlirRankedTensorTypeGet(rank, shape, mlirF32TypeGet(mlirTypeGetContext(type)),
                                 tileTypeGetEncoding(type));
}

static bool isWide(MlirValue v) { return tileElementTypeOf(mlirValueGetType(v)) == TileElementType_F32; }

/* What a value is the widened or narrowed form of; null if it is none. */
static MlirValue sourceOf(MlirValue v, TileOpKind kind) {
  MlirOperation op = tileValueGetDefiningOp(v);
  return op.ptr && tileOpKind(op) == kind ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
}

// ---- Products ----

static bool takes(const Widen *w, TileDotOp dot) {
  MlirType a = mlirValueGetType(tileDotOpGetA(dot)), c = mlirValueGetType(tileDotOpGetC(dot));
  int64_t factor[3], sum[3];
  TileWarpGroupShape shape;
  return tileElementTypeOf(c) == TileElementType_F16 && tileElementTypeOf(a) == TileElementType_F16 &&
         tileElementTypeOf(mlirValueGetType(tileDotOpGetB(dot))) == TileElementType_F16 &&
         tileTypeGetShape(a, factor, 3) == 2 && tileTypeGetShape(c, sum, 3) == 2 &&
         tileWarpGroupShape(sum[0], sum[1], factor[1], w->target->numWarps, TileElementType_F16, &shape) &&
         sum[0] * sum[1] <= (int64_t)MOST_NUMBERS * w->target->numWarps * w->target->info.warpSize;
}

static MlirValue widened(Widen *w, MlirLocation loc, MlirValue v) {
  MlirType type = wideType(mlirValueGetType(v));
  MlirAttribute none = {NULL};
  if (tileValueIsPositiveZero(v))
    return arithConstantOpGetResult(arithConstantOpCreate(
        w->b, loc, type,
        mlirDenseElementsAttrSplatGet(
            type, mlirFloatAttrDoubleGet(mlirTypeGetContext(type), tileTypeGetElement(type), 0.0))));
  return arithExtFOpGetOut(arithExtFOpCreate(w->b, loc, type, v, none));
}

/* extf (truncf x) of what this pass has narrowed is x. */
static void dropRoundings(Widen *w, MlirValue wide, MlirValue narrow) {
  for (MlirOpOperand use = mlirValueGetFirstUse(narrow), next; !mlirOpOperandIsNull(use); use = next) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    next = mlirOpOperandGetNextUse(use);
    if (tileOpKind(user) == TileOp_Arith_ExtF && isWide(mlirOperationGetResult(user, 0)))
      mlirRewriterBaseReplaceOpWithValues(w->b, user, 1, &wide);
  }
}

/* What is added to a sum by an op of the same block, its only user: z of addf sum, z, and x * y of fma x, y, sum, which is made in front
 * of the op; null if there is no such op. */
static MlirValue addendOf(Widen *w, MlirOperation user, MlirValue sum) {
  MlirValue none = {NULL};
  ArithAddFOp add = arithAddFOpCast(user);
  MathFmaOp fma = mathFmaOpCast(user);
  if (!arithAddFOpIsNull(add)) {
    MlirValue other = mlirOperationGetOperand(user, mlirValueEqual(mlirOperationGetOperand(user, 0), sum));
    return mlirValueEqual(other, sum) ? none : other;
  }
  if (mathFmaOpIsNull(fma) || mlirValueEqual(mathFmaOpGetA(fma), sum) ||
      mlirValueEqual(mathFmaOpGetB(fma), sum))
    return none;
  MlirAttribute plain = {NULL};
  mlirRewriterBaseSetInsertionPointBefore(w->b, user);
  return arithMulFOpGetResult(arithMulFOpCreate(w->b, mlirOperationGetLocation(user), mlirValueGetType(sum),
                                                mathFmaOpGetA(fma), mathFmaOpGetB(fma), plain));
}

/* addf (dot x, y, 0), z => dot x, y, z, where the sum stands: z may be made between them. fma u, v, (dot x, y, 0) is the sum of u * v: what
 * a loop scales and adds to then stays one accumulator. */
static void joinAddend(Widen *w, TileDotOp dot) {
  MlirValue sum = tileDotOpGetResult(dot);
  MlirOperation user = tileValueOnlyUser(sum);
  if (!user.ptr || !tileValueIsPositiveZero(tileDotOpGetC(dot)) ||
      !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(dot.op)))
    return;
  MlirValue addend = addendOf(w, user, sum);
  if (!addend.ptr)
    return;
  mlirOperationMoveBefore(dot.op, user);
  mlirOperationSetOperand(dot.op, 2, addend);
  mlirRewriterBaseReplaceOpWithValues(w->b, user, 1, &sum);
}

static bool widenProduct(Widen *w, MlirOperation op) {
  TileDotOp dot = tileDotOpCast(op);
  if (!takes(w, dot))
    return false;
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue result = tileDotOpGetResult(dot);
  MlirType narrow = mlirValueGetType(result);
  MlirAttribute none = {NULL};
  mlirRewriterBaseSetInsertionPointBefore(w->b, op);
  mlirOperationSetOperand(op, 2, widened(w, loc, tileDotOpGetC(dot)));
  mlirValueSetType(result, wideType(narrow));
  mlirRewriterBaseSetInsertionPointAfter(w->b, op);
  MlirOperation round = arithTruncFOpCreate(w->b, loc, narrow, result, none, none).op;
  MlirValue rounded = mlirOperationGetResult(round, 0);
  mlirValueReplaceAllUsesExcept(result, rounded, 1, &round);
  dropRoundings(w, result, rounded);
  if (tileValueIsUnused(rounded)) {
    mlirRewriterBaseEraseOp(w->b, round);
    joinAddend(w, dot);
  }
  return true;
}

// ---- Loops ----

/* A tensor: scalars are not what products start from. */
static bool onlyWidened(MlirValue v) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (tileOpKind(mlirOpOperandGetOwner(use)) != TileOp_Arith_ExtF ||
        !isWide(mlirOperationGetResult(mlirOpOperandGetOwner(use), 0)))
      return false;
  return !tileValueIsUnused(v);
}

/* Sum i of a loop is carried as f32 where every iteration widens it and rounds what it becomes. */
static void carryWide(Widen *w, SCFForOp loop, intptr_t i) {
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirLocation loc = mlirOperationGetLocation(loop.op);
  MlirValue carried = mlirBlockGetArgument(body, i + 1), result = mlirOperationGetResult(loop.op, i),
            made = sourceOf(mlirOperationGetOperand(yield, i), TileOp_Arith_TruncF);
  MlirType narrow = mlirValueGetType(carried);
  MlirAttribute none = {NULL};
  enum { FirstInit = 3 };
  if (!tileTypeIsTensor(narrow) || tileElementTypeOf(narrow) != TileElementType_F16 || !made.ptr ||
      !isWide(made) || !onlyWidened(carried))
    return;
  mlirRewriterBaseSetInsertionPointBefore(w->b, loop.op);
  mlirOperationSetOperand(loop.op, FirstInit + i,
                          widened(w, loc, mlirOperationGetOperand(loop.op, FirstInit + i)));
  mlirOperationSetOperand(yield, i, made);
  mlirValueSetType(carried, wideType(narrow));
  mlirValueSetType(result, wideType(narrow));
  dropRoundings(w, carried, carried);
  mlirRewriterBaseSetInsertionPointAfter(w->b, loop.op);
  MlirOperation round = arithTruncFOpCreate(w->b, loc, narrow, result, none, none).op;
  mlirValueReplaceAllUsesExcept(result, mlirOperationGetResult(round, 0), 1, &round);
  dropRoundings(w, result, mlirOperationGetResult(round, 0));
}

MlirLogicalResult tileGPUWidenSumsRun(MlirOperation module, const TileGPUWidenSumsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_WGMMA))
    return tileSuccess();
  TileArena arena = {0};
  TilePointerList dots = {.arena = &arena}, loops = {.arena = &arena};
  Widen w = {mlirIRRewriterCreate(mlirOperationGetContext(module)), &target};
  int64_t found = 0;
  tileCollectOps(module, TileOp_Tile_Dot, MlirWalkPreOrder, &dots);
  for (size_t i = 0; i < dots.count; ++i)
    found += widenProduct(&w, (MlirOperation){(void *)dots.items[i]});
  if (found)
    tileCollectOps(module, TileOp_SCF_For, MlirWalkPostOrder, &loops);
  for (size_t i = 0; i < loops.count;
       ++i) { // inner ones first: what they start from is widened in front of them then
    MlirOperation loop = {(void *)loops.items[i]};
    for (intptr_t k = 0; k < mlirOperationGetNumResults(loop); ++k)
      carryWide(&w, scfForOpCast(loop), k);
  }
  *params->numProducts += found;
  mlirIRRewriterDestroy(w.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
