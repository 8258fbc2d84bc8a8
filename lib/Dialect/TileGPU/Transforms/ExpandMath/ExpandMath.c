/* ExpandMath.c - tile-gpu-expand-math: math functions in terms of the primitives that the lowering knows.
 *
 *   %1 = math.exp %0 : tensor<256xf32>
 * becomes
 *   %t = arith.mulf %0, %log2e : tensor<256xf32> ... %1 = math.exp2 %t ...
 *
 * f16 and bf16 are computed in f32. The primitives (exp2, log2, sqrt, rsqrt of f32; fma, floor, abs ...)
 * stay.
 *
 * requires: nothing.
 * ensures: no tile.extern_elementwise and no math op but primitives is left. Run twice, it expands nothing
 * more but the log2 that a fast function asked for. */
#include "Externs.h"
#include "Functions.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Arena.h"

typedef struct Rule {
  MathExpander f32, f64; ///< null: none
  bool primitive32;      ///< the lowering knows it for f32
  bool primitive64;
  bool native; ///< the lowering knows it for every float type
} Rule;

static const Rule ops[TileOp_Count] = {
    [TileOp_Arith_MaxNumF] = {.native = true},
    [TileOp_Arith_MinNumF] = {.native = true},
    [TileOp_Math_AbsF] = {.native = true},
    [TileOp_Math_Ceil] = {.native = true},
    [TileOp_Math_CopySign] = {.native = true},
    [TileOp_Math_Cos] = {.f32 = mathCos},
    [TileOp_Math_Erf] = {.f32 = mathErf},
    [TileOp_Math_Exp] = {.f32 = mathExp},
    [TileOp_Math_Exp2] = {.primitive32 = true},
    [TileOp_Math_ExpM1] = {.f32 = mathExpM1},
    [TileOp_Math_Floor] = {.native = true},
    [TileOp_Math_Fma] = {.native = true},
    [TileOp_Math_Log] = {.f32 = mathLog},
    [TileOp_Math_Log10] = {.f32 = mathLog10},
    [TileOp_Math_Log1p] = {.f32 = mathLog1p},
    [TileOp_Math_Log2] = {.f32 = mathLog2},
    [TileOp_Math_PowF] = {.f32 = mathPow},
    [TileOp_Math_Round] = {.f32 = mathRound, .f64 = mathRound},
    [TileOp_Math_RoundEven] = {.native = true},
    [TileOp_Math_Rsqrt] = {.primitive32 = true},
    [TileOp_Math_Sin] = {.f32 = mathSin},
    [TileOp_Math_Sqrt] = {.primitive32 = true, .primitive64 = true},
    [TileOp_Math_Tanh] = {.f32 = mathTanh},
    [TileOp_Math_Trunc] = {.native = true},
};

typedef struct Expand {
  TileBuilder b;
  MlirContext context;
  MlirOperation *work;
  size_t count, capacity;
  TileArena arena;
  bool precise;
} Expand;

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

enum { MAX_ARGUMENTS = 4 };

/* What is to be written for an op. */
typedef struct Plan {
  MathExpander expander; ///< null: the op of `kind`
  TileOpKind kind;
  TileElementType element;
  bool widen; ///< computed in f32
  bool stays;
} Plan;

static MlirLogicalResult planRule(MlirOperation op, TileOpKind kind, Plan *plan) {
  const Rule *rule = &ops[kind];
  bool narrow = plan->element == TileElementType_F16 || plan->element == TileElementType_BF16;
  bool wide = plan->element == TileElementType_F64;
  if (rule->native) {
    plan->kind = kind;
    plan->stays = tileOpKind(op) == kind;
    return tileSuccess();
  }
  bool primitive = wide ? rule->primitive64 : rule->primitive32;
  plan->expander = primitive ? NULL : wide ? rule->f64 : rule->f32;
  if ((plan->element != TileElementType_F32 && !narrow && !wide) || (!plan->expander && !primitive))
    return tileEmitOpError(op, "got %s, expected %sf32, f16 or bf16", tileElementTypeName(plan->element),
                           rule->f64 || rule->primitive64 ? "f64, " : "");
  plan->kind = kind;
  plan->widen = narrow;
  plan->stays = primitive && !narrow && tileOpKind(op) == kind;
  return tileSuccess();
}

/* A call: a name that is known, with as many arguments as the function has, all of the result's type. */
static MlirLogicalResult planExtern(MlirOperation op, Plan *plan) {
  MlirStringRef symbol = tileExternElementwiseOpGetSymbol(tileExternElementwiseOpCast(op));
  const MathExtern *known = mathExternLookup(symbol);
  if (!known)
    return tileEmitOpError(op, "calls '%.*s', expected a function that docs/math.md lists",
                           (int)symbol.length, symbol.data);
  intptr_t n = mlirOperationGetNumOperands(op);
  if (n != known->arity)
    return tileEmitOpError(op, "calls '%.*s' with %d operands, expected %d", (int)symbol.length, symbol.data,
                           (int)n, known->arity);
  for (intptr_t i = 0; i < n; ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)),
                       mlirValueGetType(mlirOperationGetResult(op, 0))))
      return tileEmitOpError(op, "calls '%.*s', expected operands and result of one type", (int)symbol.length,
                             symbol.data);
  if (known->kind != TileOp_None)
    return planRule(op, known->kind, plan);
  plan->expander = known->expander;
  plan->widen = plan->element != TileElementType_F32;
  if (plan->widen && plan->element != TileElementType_F16 && plan->element != TileElementType_BF16)
    return tileEmitOpError(op, "calls '%.*s' on %s, expected f32", (int)symbol.length, symbol.data,
                           tileElementTypeName(plan->element));
  return tileSuccess();
}

static MlirValue cast(Expand *e, MlirLocation loc, TileOpKind kind, MlirType type, MlirValue x) {
  MlirOperationState s = mlirOperationStateGet(tileStr(tileOpKindName(kind)), loc);
  mlirOperationStateAddOperands(&s, 1, &x);
  mlirOperationStateAddResults(&s, 1, &type);
  return mlirOperationGetResult(tileBuilderInsert(e->b, &s), 0);
}

static MlirLogicalResult expandOne(Expand *e, MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  Plan plan = {.element = tileElementTypeOf(type)};
  bool isCall = tileOpKind(op) == TileOp_Tile_ExternElementwise;
  if (tileFailed(isCall ? planExtern(op, &plan) : planRule(op, tileOpKind(op), &plan)))
    return tileFailure();
  if (plan.stays)
    return tileSuccess();
  MathBuilder m = {
      .b = e->b, .loc = mlirOperationGetLocation(op), .context = e->context, .precise = e->precise};
  m.type = plan.widen ? tileTypeWithElement(type, mlirF32TypeGet(e->context)) : type;
  m.narrow = plan.element == TileElementType_F16;
  mlirRewriterBaseSetInsertionPointBefore(e->b, op);
  int n = (int)mlirOperationGetNumOperands(op);
  MlirValue x[MAX_ARGUMENTS];
  for (int i = 0; i < n && i < MAX_ARGUMENTS; ++i) {
    x[i] = mlirOperationGetOperand(op, i);
    if (plan.widen)
      x[i] = cast(e, m.loc, TileOp_Arith_ExtF, m.type, x[i]);
  }
  MlirValue y = plan.expander ? plan.expander(&m, x) : mathEmit(&m, plan.kind, MathType_Float, n, x);
  if (plan.widen)
    y = cast(e, m.loc, TileOp_Arith_TruncF, type, y);
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
