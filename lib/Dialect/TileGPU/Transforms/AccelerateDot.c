/* AccelerateDot.c - tile-gpu-accelerate-dot: products are bound to matrix instructions.
 *
 *   %d = tile.dot %a, %b, %c precision = tf32 : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
 * becomes (sm_80, four warps)
 *   %d = tile_gpu.mma %a, %b, %c instr = <mma_sync, 16, 8, 8, k_width = 1, warps = [2, 2] shortened = true> ...
 *
 * Operands that the instruction does not take are converted element by element; a precision of several parts
 * becomes as many products. A product without an instruction stays and is marked with the reason.
 *
 * requires: module attributes of convert-tile-to-tile-gpu; sizes that are powers of two.
 * ensures: each tile.dot left has `tile_gpu.refused`; there is no tile.dot_scaled. */
#include "DotChoice.h"
#include "DotScaled.h"
#include "ExpandMath/MathBuilder.h"
#include "FactorLoads.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

// ---- Which products feed which ----

enum { FEEDS = 1, TAKES = 2, MAX_SLICE = 64 };

typedef struct Products {
  TilePointerList dots;
  TilePointerMap flags; ///< op -> FEEDS, TAKES
} Products;

static unsigned flagsOf(const Products *p, MlirOperation op) {
  return (unsigned)(uintptr_t)tilePointerMapFind(&p->flags, op.ptr);
}

static void addFlag(Products *p, MlirOperation op, unsigned flag) {
  tilePointerMapSet(&p->flags, op.ptr, (void *)(uintptr_t)(flagsOf(p, op) | flag));
}

/* What a loop hands its next iteration as this argument; `v` itself if it is none. */
static MlirValue handedOn(MlirValue v) {
  if (!mlirValueIsABlockArgument(v))
    return v;
  MlirBlock body = mlirBlockArgumentGetOwner(v);
  intptr_t i = mlirBlockArgumentGetArgNumber(v) - 1;
  MlirOperation loop = mlirBlockGetParentOperation(body);
  return loop.ptr && tileOpKind(loop) == TileOp_SCF_For && i >= 0
             ? mlirOperationGetOperand(mlirBlockGetTerminator(body), i)
             : v;
}

static bool isFromBits(MlirValue v) {
  MlirOperation def = tileValueGetDefiningOp(v);
  return tileElementTypeOf(mlirValueGetType(v)) == TileElementType_I1 ||
         (def.ptr && (tileOpKind(def) == TileOp_Arith_SIToFP || tileOpKind(def) == TileOp_Arith_UIToFP));
}

/* Products whose results become `v` element by element, in this iteration or the next. What comes from integers and conditions is looked at
 * last: random numbers of a dropout are a hundred ops. */
static void followBack(Products *p, MlirOperation taker, MlirValue v, int *budget) {
  MlirOperation def = tileValueGetDefiningOp(handedOn(v));
  if (!def.ptr || !tileTypeIsTensor(mlirValueGetType(v)) || --*budget < 0)
    return;
  if (tileOpKind(def) == TileOp_Tile_Dot) {
    addFlag(p, def, FEEDS);
    addFlag(p, taker, TAKES);
    return;
  }
  for (int bits = 0; tileOpIsElementwise(def) && bits < 2; ++bits)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(def); ++i)
      if (isFromBits(mlirOperationGetOperand(def, i)) == bits)
        followBack(p, taker, mlirOperationGetOperand(def, i), budget);
}

/* The operand of an element-wise op that a factor comes from: no condition, and no number that is the same everywhere. */
static MlirValue comesFrom(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    MlirOperation def = tileValueGetDefiningOp(v);
    if (tileElementTypeOf(mlirValueGetType(v)) != TileElementType_I1 && def.ptr &&
        (tileOpKind(def) == TileOp_Tile_Load || tileOpKind(def) == TileOp_Tile_Trans ||
         tileOpKind(def) == TileOp_Tile_Reshape ||
         (tileOpIsElementwise(def) && mlirOperationGetNumOperands(def) > 0)))
      return v;
  }
  return mlirOperationGetOperand(op, 0);
}

/* Bits of the elements that a factor was loaded as in runs along K, before conversions of single elements. */
static int loadedBits(MlirValue v, int kDim) {
  MlirOperation def = tileValueGetDefiningOp(v);
  int bits = 8 * (int)tileElementTypeSize(tileElementTypeOf(mlirValueGetType(v)));
  if (!tileRunsAlongK(v, kDim))
    return bits;
  for (int depth = 0;
       def.ptr && depth < 8 && (tileOpIsElementwise(def) || tileOpKind(def) == TileOp_Tile_Trans); ++depth) {
    MlirValue source = comesFrom(def);
    int here = 8 * (int)tileElementTypeSize(tileElementTypeOf(mlirValueGetType(source)));
    if (here && here < bits)
      bits = here;
    def = tileValueGetDefiningOp(source);
  }
  return def.ptr && tileOpKind(def) == TileOp_Tile_Load
             ? bits
             : 8 * (int)tileElementTypeSize(tileElementTypeOf(mlirValueGetType(v)));
}

/* The dimension of which a load gives a thread neighbours; -1 if of none. */
static int runDimension(MlirOperation load) {
  TileLayout layout;
  int64_t shape[2];
  MlirAttribute wish = mlirOperationGetDiscardableAttributeByName(load, tileStr("tile_gpu.layout"));
  if (tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(load, 0)), shape, 2) != 2 ||
      !tileLayoutFromAttr(wish, shape, 2, &layout) || !layout.bits[TileLayoutDim_Register])
    return -1;
  return layout.bases[TileLayoutDim_Register][0][0] == 1   ? 0
         : layout.bases[TileLayoutDim_Register][0][1] == 1 ? 1
                                                           : -1;
}

/* Whether a factor is made, in the product's block, of bytes that hold several numbers each and lie along K (tile-gpu-load-once repeats them): of these
 * loadedBits knows nothing. */
static bool isUnpacked(MlirOperation dot, MlirValue v, int kDim) {
  static const TileOpKind repeated[] = {TileOp_Tile_Reshape, TileOp_Tile_Broadcast, TileOp_Tile_ExpandDims};
  MlirOperation def = tileValueGetDefiningOp(v);
  for (int depth = 0;
       def.ptr && depth < 8 && tileOpIsElementwise(def) && mlirOperationGetNumOperands(def) > 0; ++depth)
    def = tileValueGetDefiningOp(comesFrom(def));
  for (size_t i = 0; i < TILE_COUNTOF(repeated); ++i) {
    if (!def.ptr || tileOpKind(def) != repeated[i])
      return false;
    def = tileValueGetDefiningOp(mlirOperationGetOperand(def, 0));
  }
  return def.ptr && tileOpKind(def) == TileOp_Tile_Load && runDimension(def) == kDim &&
         mlirBlockEqual(mlirOperationGetBlock(def), mlirOperationGetBlock(dot));
}

/* Whether the sums of the products in this one's block take all registers of a thread. */
static bool isCrowded(const Products *p, const TileModuleTarget *target, MlirOperation dot) {
  enum { REGISTERS = 255, REGISTER_BYTES = 4 };
  int64_t bytes = 0;
  for (size_t i = 0; i < p->dots.count; ++i) {
    MlirOperation other = {(void *)p->dots.items[i]};
    MlirType type = mlirValueGetType(mlirOperationGetResult(other, 0));
    if (mlirBlockEqual(mlirOperationGetBlock(other), mlirOperationGetBlock(dot)))
      bytes += tileTypeNumElements(type) * (int64_t)tileElementTypeSize(tileElementTypeOf(type));
  }
  return bytes / ((int64_t)target->numWarps * target->info.warpSize) >= REGISTERS * REGISTER_BYTES;
}

static DotRequest requestOf(const Products *p, const TileModuleTarget *target, MlirOperation op) {
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(a));
  return (DotRequest){.sizes = tileMatrixSizesOf(op),
                      .rank = rank,
                      .precision = tileDotOpGetPrecision(tileDotOpCast(op)),
                      .feedsDot = flagsOf(p, op) & FEEDS,
                      .takesDot = flagsOf(p, op) & TAKES,
                      .bitsA = loadedBits(a, rank - 1),
                      .bitsB = loadedBits(b, rank - 2),
                      .acrossA = tileBytesRunAcrossK(target, a, rank - 1),
                      .acrossB = tileBytesRunAcrossK(target, b, rank - 2),
                      .unpackedA = isUnpacked(op, a, rank - 1),
                      .unpackedB = isUnpacked(op, b, rank - 2),
                      .crowded = isCrowded(p, target, op),
                      .imprecise = tileDotOpGetImpreciseAcc(tileDotOpCast(op))};
}

// ---- Operands ----

enum { MAX_PARTS = 3 };

static MathBuilder builderFor(TileBuilder b, MlirOperation op, MlirType tensor) {
  MlirContext context = mlirOperationGetContext(op);
  return (MathBuilder){.b = b,
                       .loc = mlirOperationGetLocation(op),
                       .context = context,
                       .type = tileTypeWithElement(tensor, mlirF32TypeGet(context))};
}

static MlirValue toElement(MathBuilder *m, MlirValue v, TileElementType element) {
  MlirType type = mlirValueGetType(v);
  if (tileElementTypeOf(type) == element)
    return v;
  MlirType to = tileTypeWithElement(type, tileElementTypeToMlir(m->context, element));
  return tileFpToFpOpGetResult(tileFpToFpOpCreate(m->b, m->loc, to, v, tileI32Attr(m->context, 0)));
}

/* f32 without the 13 bits that tf32 lacks. */
static MlirValue maskTF32(MathBuilder *m, MlirValue x) {
  return mathFromBits(m, mathIntOpK(m, TileOp_Arith_AndI, mathBits(m, x), -(1 << 13)));
}

/* What a part leaves over of x; an infinite part leaves nothing. */
static MlirValue restOf(MathBuilder *m, MlirValue x, MlirValue part) {
  MlirValue isFinite = mathCompareK(m, MathOrder_LT, mathAbs(m, part), (double)INFINITY);
  return mathSelect(m, isFinite, mathSub(m, x, part), mathConstant(m, 0));
}

/* The parts of an operand, the greatest first, in the instruction's type; how many. */
static int splitOperand(MathBuilder *m, MlirValue x, DotParts parts, TileElementType element,
                        MlirValue out[MAX_PARTS]) {
  int n = parts == DotParts_BF16x6 ? 3 : 2;
  switch (parts) {
  case DotParts_Plain:
    out[0] = toElement(m, x, element);
    return 1;
  case DotParts_Masked:
    out[0] = maskTF32(m, x);
    return 1;
  case DotParts_Halved:
    x = maskTF32(m, x);
    break;
  default:
    break;
  }
  for (int i = 0; i < n; ++i) {
    out[i] = parts == DotParts_TF32x3 ? (i == 0 ? maskTF32(m, x) : x) : toElement(m, x, element);
    if (i + 1 < n)
      x = restOf(m, x, toElement(m, out[i], TileElementType_F32));
  }
  return n;
}

/* Which parts of a and b are multiplied, the smallest products first. */
static const signed char pairs[6][2] = {{1, 1}, {2, 0}, {0, 2}, {1, 0}, {0, 1}, {0, 0}};

static void rewrite(TileBuilder b, MlirOperation op, const DotChoice *choice, MlirAttribute refused) {
  TileDotOp dot = tileDotOpCast(op);
  MlirValue a[MAX_PARTS], bs[MAX_PARTS];
  mlirRewriterBaseSetInsertionPointBefore(b, op);
  MathBuilder forA = builderFor(b, op, mlirValueGetType(tileDotOpGetA(dot))),
              forB = builderFor(b, op, mlirValueGetType(tileDotOpGetB(dot))),
              forC = builderFor(b, op, mlirValueGetType(tileDotOpGetC(dot)));
  int n = splitOperand(&forA, tileDotOpGetA(dot), choice->parts, choice->a, a);
  splitOperand(&forB, tileDotOpGetB(dot), choice->parts, choice->b, bs);
  MlirValue acc = toElement(&forC, tileDotOpGetC(dot), choice->acc);
  MathBuilder sums = forC;
  MlirValue before = acc;
  sums.type = mlirValueGetType(acc);
  if (choice->apart)
    acc = mathConstant(&sums, 0);
  MlirAttribute instr = tileMatrixChoiceToAttr(forA.context, &choice->instr);
  bool all = choice->parts == DotParts_Halved || n == 3; // else the product of the rests is left out
  for (int i = n == 1 ? 5 : all ? 0 : 3; i < 6; ++i) {
    if (pairs[i][0] >= n || pairs[i][1] >= n)
      continue;
    TileGPUMmaOp mma = tileGPUMmaOpCreate(b, forA.loc, mlirValueGetType(acc), a[(int)pairs[i][0]],
                                          bs[(int)pairs[i][1]], acc, instr);
    if (refused.ptr)
      mlirOperationSetDiscardableAttributeByName(mma.op, tileStr("tile_gpu.refused"), refused);
    acc = tileGPUMmaOpGetResult(mma);
  }
  if (choice->apart)
    acc = mathAdd(&sums, before, acc);
  acc = toElement(&forC, acc, tileElementTypeOf(mlirValueGetType(tileDotOpGetResult(dot))));
  mlirValueReplaceAllUsesOfWith(tileDotOpGetResult(dot), acc);
  mlirRewriterBaseEraseOp(b, op);
}

MlirLogicalResult tileGPUAccelerateDotRun(MlirOperation module, const TileGPUAccelerateDotParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  TileArena arena = {0};
  MlirContext context = mlirOperationGetContext(module);
  TileBuilder b = mlirIRRewriterCreate(context);
  MlirLogicalResult result = tileExpandScaledDots(b, module);
  Products p = {.dots = {.arena = &arena}, .flags = {.arena = &arena}};
  tileCollectOps(module, TileOp_Tile_Dot, MlirWalkPreOrder, &p.dots);
  const MlirOperation *dots = (const MlirOperation *)p.dots.items;
  DotRequest *requests = tileArenaAlloc(&arena, p.dots.count + 1, sizeof *requests);
  for (size_t i = 0; i < p.dots.count; ++i) {
    int budget = MAX_SLICE;
    followBack(&p, dots[i], mlirOperationGetOperand(dots[i], 0), &budget);
  }
  for (size_t i = 0; i < p.dots.count; ++i) // before operands change
    requests[i] = requestOf(&p, &target, dots[i]);
  for (size_t i = 0; i < p.dots.count; ++i) {
    DotChoice choice;
    const char *reason;
    bool chosen = tileDotChoose(&target.info, target.numWarps, &requests[i], &choice, &reason);
    MlirAttribute refused = {NULL};
    if (reason)
      refused = mlirStringAttrGet(context, tileStr(reason));
    if (chosen && !tileTargetHas(&target.info, TileFeature_CpAsync))
      for (int k = 0; k < 2; ++k)
        tileAskForRowsAlongK(&target, mlirOperationGetOperand(dots[i], k), requests[i].rank - 1 - k);
    if (chosen)
      rewrite(b, dots[i], &choice, refused);
    else
      mlirOperationSetDiscardableAttributeByName(dots[i], tileStr("tile_gpu.refused"), refused);
    ++*(chosen ? params->numMatrix : params->numRefused);
  }
  mlirIRRewriterDestroy(b);
  tileArenaRelease(&arena);
  return result;
}
