/* ExpandMath.c - tile-gpu-expand-math: math functions in terms of the primitives that the lowering knows.
 *
 *   %1 = math.exp %0 : tensor<256xf32>
 * becomes
 *   %t = arith.mulf %0, %log2e : tensor<256xf32> ... %1 = math.exp2 %t ...
 *
 * f16 and bf16 are computed in f32. The primitives (exp2, log2, sqrt, rsqrt of f32; fma, floor, abs ...)
 * stay.
 *
 * requires: tile_gpu.target on the module.
 * ensures: no tile.extern_elementwise and no math op but primitives is left. */
#include "Functions.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Arena.h"

typedef struct Rule {
  MathExpander f32, f64; ///< null: not supported
  bool primitive32;      ///< stays as it is for f32
  bool primitive64;
} Rule;

/* Functions that are ops. */
static const Rule ops[TileOp_Count] = {
    [TileOp_Math_Exp] = {.f32 = mathExp},
    [TileOp_Math_Exp2] = {.primitive32 = true},
    [TileOp_Math_Log2] = {.primitive32 = true},
    [TileOp_Math_Sqrt] = {.primitive32 = true, .primitive64 = true},
    [TileOp_Math_Rsqrt] = {.primitive32 = true},
};

/* Functions of the device libraries that extern_elementwise may name, and the op that means the same. */
static const struct {
  const char *symbol;
  TileOpKind kind;
} externs[] = {
    {"__nv_expf", TileOp_Math_Exp},
    {"__nv_exp2f", TileOp_Math_Exp2},
    {"__nv_rsqrtf", TileOp_Math_Rsqrt},
};

typedef struct Expand {
  TileBuilder b;
  MlirContext context;
  MlirOperation *work;
  size_t count, capacity;
  TileArena arena;
  bool precise;
} Expand;

static TileOpKind functionOf(MlirOperation op) {
  TileExternElementwiseOp call = tileExternElementwiseOpCast(op);
  if (tileExternElementwiseOpIsNull(call))
    return tileOpKind(op);
  for (size_t i = 0; i < TILE_COUNTOF(externs); ++i)
    if (mlirStringRefEqual(tileExternElementwiseOpGetSymbol(call), tileStr(externs[i].symbol)))
      return externs[i].kind;
  return TileOp_None;
}

static bool isFunction(MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  const Rule *rule = &ops[kind];
  return kind == TileOp_Tile_ExternElementwise || rule->f32 || rule->f64 || rule->primitive32;
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  Expand *e = user;
  if (!isFunction(op))
    return MlirWalkResultAdvance;
  if (e->count == e->capacity) {
    size_t capacity = e->capacity ? 2 * e->capacity : 64;
    MlirOperation *work = tileArenaAlloc(&e->arena, capacity, sizeof *work);
    if (e->count)
      memcpy(work, e->work, e->count * sizeof *work);
    e->work = work;
    e->capacity = capacity;
  }
  e->work[e->count++] = op;
  return MlirWalkResultAdvance;
}

static MlirLogicalResult refuse(MlirOperation op, TileOpKind function) {
  TileExternElementwiseOp call = tileExternElementwiseOpCast(op);
  if (function == TileOp_None) {
    MlirStringRef symbol = tileExternElementwiseOpGetSymbol(call);
    return tileEmitOpError(op,
                           "calls '%.*s', which is not known; expected a libdevice function that is in the "
                           "table of docs/math.md",
                           (int)symbol.length, symbol.data);
  }
  return tileEmitOpError(
      op, "is not supported yet on %s",
      tileElementTypeName(tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(op, 0)))));
}

enum { MAX_ARGUMENTS = 4 };

static MlirLogicalResult expandOne(Expand *e, MlirOperation op) {
  TileOpKind function = functionOf(op);
  const Rule *rule = &ops[function];
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  TileElementType element = tileElementTypeOf(type);
  bool narrow = element == TileElementType_F16 || element == TileElementType_BF16,
       wide = element == TileElementType_F64;
  intptr_t n = mlirOperationGetNumOperands(op);
  bool primitive = wide ? rule->primitive64 : rule->primitive32;
  MathExpander expander = wide ? rule->f64 : rule->f32;
  if ((element != TileElementType_F32 && !narrow && !wide) || (!expander && !primitive) || n > MAX_ARGUMENTS)
    return refuse(op, function);
  if (primitive && !narrow && tileOpKind(op) == function)
    return tileSuccess();
  MathBuilder m = {
      .b = e->b, .loc = mlirOperationGetLocation(op), .context = e->context, .precise = e->precise};
  m.type = narrow ? tileTypeWithElement(type, mlirF32TypeGet(e->context)) : type;
  mlirRewriterBaseSetInsertionPointBefore(e->b, op);
  MlirValue x[MAX_ARGUMENTS];
  for (intptr_t i = 0; i < n; ++i) {
    x[i] = mlirOperationGetOperand(op, i);
    if (narrow)
      x[i] = mathEmit(&m, TileOp_Arith_ExtF, m.type, 1, &x[i]);
  }
  MlirValue y = primitive ? mathEmit(&m, function, m.type, n, x) : expander(&m, x);
  if (narrow)
    y = mathEmit(&m, TileOp_Arith_TruncF, type, 1, &y);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), y);
  mlirRewriterBaseEraseOp(e->b, op);
  return tileSuccess();
}

MlirLogicalResult tileGPUExpandMathRun(MlirOperation module, const TileGPUExpandMathParams *params) {
  Expand e = {.context = mlirOperationGetContext(module),
              .b = mlirIRRewriterCreate(mlirOperationGetContext(module)),
              .precise = params->precise};
  mlirOperationWalk(module, collect, &e, MlirWalkPreOrder);
  MlirLogicalResult result = tileSuccess();
  for (size_t i = 0; i < e.count && tileSucceeded(result); ++i)
    result = expandOne(&e, e.work[i]);
  tileArenaRelease(&e.arena);
  mlirIRRewriterDestroy(e.b);
  return result;
}
