/* ExpandMath.c - tile-gpu-expand-math: math functions in terms of the primitives that the lowering knows.
 *
 *   %1 = math.exp %0 : tensor<256xf32>
 * becomes
 *   %t = arith.mulf %0, %log2e : tensor<256xf32> ... %1 = math.exp2 %t ...
 *
 * f16 and bf16 are computed in f32. The primitives (exp2, log2, sqrt, rsqrt of f32; fma, floor, abs ...)
 * stay.
 *
 * requires: nothing; with tile_gpu.target on the module rare paths become branches (tile_gpu.any).
 * ensures: without `exact`, no tile.extern_elementwise and no math op but primitives is left. Run twice, it expands nothing
 * more but the log2 that a fast function asked for. */
#include "Externs.h"
#include "Functions.h"
#include "Quotients.h"
#include "ScaledTanh.h"
#include "TanhForms.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Math.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"

typedef struct Rule {
  MathExpander f32, f64; ///< null: none
  bool primitive32;      ///< the lowering knows it for f32
  bool primitive64;
  bool native; ///< the lowering knows it for every type
  bool direct; ///< the expander works on every float type as it is
  int mode;    ///< for the expander
} Rule;

static const Rule ops[TileOp_Count] = {
    [TileOp_Arith_MaxNumF] = {.native = true},
    [TileOp_Arith_MaxSI] = {.native = true},
    [TileOp_Arith_MaxUI] = {.native = true},
    [TileOp_Arith_MinNumF] = {.native = true},
    [TileOp_Arith_MinSI] = {.native = true},
    [TileOp_Arith_MinUI] = {.native = true},
    [TileOp_Arith_RemF] = {.f32 = mathFmod, .f64 = mathFmod},
    [TileOp_Math_AbsF] = {.native = true},
    [TileOp_Math_Acos] = {.f32 = mathAcos, .f64 = mathAcos},
    [TileOp_Math_Acosh] = {.f32 = mathAcosh, .f64 = mathAcosh},
    [TileOp_Math_Asin] = {.f32 = mathAsin, .f64 = mathAsin},
    [TileOp_Math_Asinh] = {.f32 = mathAsinh, .f64 = mathAsinh},
    [TileOp_Math_Atan] = {.f32 = mathAtan, .f64 = mathAtan},
    [TileOp_Math_Atan2] = {.f32 = mathAtan2, .f64 = mathAtan2},
    [TileOp_Math_Atanh] = {.f32 = mathAtanh, .f64 = mathAtanh},
    [TileOp_Math_Cbrt] = {.f32 = mathCbrt, .f64 = mathCbrt},
    [TileOp_Math_Ceil] = {.native = true},
    [TileOp_Math_ClampF] = {.f32 = mathClamp, .f64 = mathClamp, .direct = true},
    [TileOp_Math_CopySign] = {.native = true},
    [TileOp_Math_Cos] = {.f32 = mathCos, .f64 = mathCos},
    [TileOp_Math_Cosh] = {.f32 = mathCosh, .f64 = mathCosh},
    [TileOp_Math_Erf] = {.f32 = mathErf, .f64 = mathWideErf},
    [TileOp_Math_Erfc] = {.f32 = mathErfc, .f64 = mathErfc},
    [TileOp_Math_Exp] = {.f32 = mathExp, .f64 = mathWideExp},
    [TileOp_Math_Exp2] = {.f64 = mathWideExp2Of, .primitive32 = true},
    [TileOp_Math_ExpM1] = {.f32 = mathExpM1, .f64 = mathWideExpM1},
    [TileOp_Math_FPowI] = {.f32 = mathPowI32, .f64 = mathPowI32},
    [TileOp_Math_Floor] = {.native = true},
    [TileOp_Math_Fma] = {.native = true},
    [TileOp_Math_IPowI] = {.f32 = mathIntPow, .f64 = mathIntPow},
    [TileOp_Math_IsFinite] = {.f32 = mathTest, .f64 = mathTest, .mode = MathTest_Finite},
    [TileOp_Math_IsInf] = {.f32 = mathTest, .f64 = mathTest, .mode = MathTest_Infinite},
    [TileOp_Math_IsNaN] = {.f32 = mathTest, .f64 = mathTest, .mode = MathTest_NaN},
    [TileOp_Math_IsNormal] = {.f32 = mathTest, .f64 = mathTest, .mode = MathTest_Normal},
    [TileOp_Math_Log] = {.f32 = mathLog, .f64 = mathWideLog},
    [TileOp_Math_Log10] = {.f32 = mathLog10, .f64 = mathWideLog10},
    [TileOp_Math_Log1p] = {.f32 = mathLog1p, .f64 = mathWideLog1p},
    [TileOp_Math_Log2] = {.f32 = mathLog2, .f64 = mathWideLog2},
    [TileOp_Math_PowF] = {.f32 = mathPow, .f64 = mathPow},
    [TileOp_Math_Round] = {.f32 = mathRound, .f64 = mathRound},
    [TileOp_Math_RoundEven] = {.native = true},
    [TileOp_Math_Rsqrt] = {.f64 = mathWideRsqrt, .primitive32 = true},
    [TileOp_Math_Sin] = {.f32 = mathSin, .f64 = mathSin},
    [TileOp_Math_Sincos] = {.f32 = mathSin, .f64 = mathSin}, /* and mathCos for the second result */
    [TileOp_Math_Sinh] = {.f32 = mathSinh, .f64 = mathSinh},
    [TileOp_Math_Sqrt] = {.primitive32 = true, .primitive64 = true},
    [TileOp_Math_Tan] = {.f32 = mathTan, .f64 = mathTan},
    [TileOp_Math_Tanh] = {.f32 = mathTanh, .f64 = mathWideTanh},
    [TileOp_Math_Trunc] = {.native = true},
    [TileOp_Tile_MulhiUI] = {.native = true},
};

typedef struct Expand {
  TileBuilder b;
  MlirContext context;
  MlirOperation *work;
  size_t count, capacity;
  TileArena arena;
  bool precise, branches, exact;
  bool quotients;          ///< divisions are approximate: those of Quotients.c are collected too
  TileModuleTarget target; ///< all zero before a chip is known
} Expand;

static bool isFunction(MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  const Rule *rule = &ops[kind];
  return kind == TileOp_Tile_ExternElementwise || rule->f32 || rule->f64 || rule->primitive32;
}

/* A call whose expansion every device may execute. */
static bool isExactCall(MlirOperation op) {
  TileExternElementwiseOp call = tileExternElementwiseOpCast(op);
  TileElementType family;
  if (tileExternElementwiseOpIsNull(call))
    return false;
  const MathExtern *known = mathExternLookup(op, &family);
  return known && known->exact;
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  Expand *e = user;
  bool quotient = e->quotients && mathIsQuotient(op);
  if (e->exact ? !isExactCall(op) : !isFunction(op) && !quotient)
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
  MathType result;
  MlirType type; ///< float type to compute in
  bool widen;    ///< floats are extended to it before and the result is rounded back
  bool stays;
  int mode;
} Plan;

static MlirType floatOfWidth(MlirType like, bool wide) {
  MlirContext context = mlirTypeGetContext(like);
  return tileTypeWithElement(like, wide ? mlirF64TypeGet(context) : mlirF32TypeGet(context));
}

static bool isFloat(TileElementType t) { return t >= TileElementType_F16 && t <= TileElementType_F64; }

/* An op of `kind` on values like x: a function of floats, a test of them or, for ipowi, of integers. */
static MlirLogicalResult planRule(MlirOperation op, TileOpKind kind, MlirType like, Plan *plan) {
  const Rule *rule = &ops[kind];
  TileElementType element = tileElementTypeOf(like);
  bool wide = element == TileElementType_F64 || element == TileElementType_I64;
  bool narrow = element == TileElementType_F16 || element == TileElementType_BF16;
  bool supported = kind == TileOp_Math_IPowI ? element == TileElementType_I32 || wide : isFloat(element);
  bool primitive = wide ? rule->primitive64 : rule->primitive32, same = tileOpKind(op) == kind;
  *plan = (Plan){.kind = kind, .mode = rule->mode, .type = like};
  plan->stays = same && (rule->native || (primitive && !narrow));
  if (rule->native || rule->direct) {
    plan->expander = rule->f32;
    return tileSuccess();
  }
  plan->expander = primitive ? NULL : wide ? rule->f64 : rule->f32;
  if (!supported || (!plan->expander && !primitive))
    return tileEmitOpError(op, "got %s, expected %s", tileElementTypeName(element),
                           kind == TileOp_Math_IPowI        ? "i32 or i64"
                           : rule->f64 || rule->primitive64 ? "f64, f32, f16 or bf16"
                                                            : "f32, f16 or bf16");
  plan->type = floatOfWidth(like, wide);
  plan->widen = narrow;
  if (kind == TileOp_Math_IsNormal && element == TileElementType_F16)
    plan->mode = MathTest_NormalHalf;
  return tileSuccess();
}

static TileElementType letterType(char letter, TileElementType family) {
  switch (letter) {
  case 'F':
    return family;
  case 'f':
    return TileElementType_F32;
  case 'd':
    return TileElementType_F64;
  case 'h':
    return TileElementType_I16;
  case 'i':
    return TileElementType_I32;
  default:
    return TileElementType_I64;
  }
}

/* The types of a call are the function's. */
static MlirLogicalResult checkCall(MlirOperation op, MlirStringRef symbol, const MathExtern *known,
                                   TileElementType family) {
  intptr_t n = mlirOperationGetNumOperands(op), expected = (intptr_t)strlen(known->signature) - 1;
  if (n != expected)
    return tileEmitOpError(op, "calls '%.*s' with %d operands, expected %d", (int)symbol.length, symbol.data,
                           (int)n, (int)expected);
  for (intptr_t i = 0; i <= n; ++i) {
    MlirValue v = i ? mlirOperationGetOperand(op, i - 1) : mlirOperationGetResult(op, 0);
    TileElementType got = tileElementTypeOf(mlirValueGetType(v)),
                    wanted = letterType(known->signature[i], family);
    if (got != wanted)
      return tileEmitOpError(op, "calls '%.*s' with %s as %s, expected %s", (int)symbol.length, symbol.data,
                             tileElementTypeName(got), i ? "operand" : "result", tileElementTypeName(wanted));
  }
  return tileSuccess();
}

static MlirLogicalResult refuse(MlirOperation op, MlirStringRef symbol) {
  const char *why = mathExternRefusal(symbol);
  if (why)
    return tileEmitOpError(op, "calls '%.*s', which %s", (int)symbol.length, symbol.data, why);
  return tileEmitOpError(op, "calls '%.*s', expected a function that docs/math.md lists", (int)symbol.length,
                         symbol.data);
}

static MlirLogicalResult planCall(MlirOperation op, Plan *plan) {
  MlirStringRef symbol = tileExternElementwiseOpGetSymbol(tileExternElementwiseOpCast(op));
  TileElementType family;
  const MathExtern *known = mathExternLookup(op, &family);
  if (!known)
    return refuse(op, symbol);
  if (tileFailed(checkCall(op, symbol, known, family)))
    return tileFailure();
  MlirType like = mlirValueGetType(mlirOperationGetOperand(op, 0));
  TileElementType first = tileElementTypeOf(like);
  bool wide = first == TileElementType_F64 || first == TileElementType_I64;
  if (known->kind != TileOp_None) {
    MlirLogicalResult result = planRule(op, known->kind, like, plan);
    plan->result = isFloat(first) ? MathType_Float : MathType_Int;
    plan->type = floatOfWidth(like, wide);
    return result;
  }
  *plan = (Plan){
      .expander = wide ? known->f64 : known->f32, .type = floatOfWidth(like, wide), .mode = known->mode};
  if (!plan->expander)
    return tileEmitOpError(op, "calls '%.*s', which is not supported on f64, expected its form on f32",
                           (int)symbol.length, symbol.data);
  return tileSuccess();
}

static MlirValue cast(Expand *e, MlirLocation loc, TileOpKind kind, MlirType type, MlirValue x) {
  return tileCreateOp(e->b, loc, kind, type, 1, &x);
}

/* Extends float operands; others stay. */
static int loadArguments(Expand *e, MathBuilder *m, MlirOperation op, const Plan *plan, MlirValue *x) {
  int n = (int)mlirOperationGetNumOperands(op);
  for (int i = 0; i < n && i < MAX_ARGUMENTS; ++i) {
    x[i] = mlirOperationGetOperand(op, i);
    if (plan->widen && isFloat(tileElementTypeOf(mlirValueGetType(x[i]))))
      x[i] = cast(e, m->loc, TileOp_Arith_ExtF, m->type, x[i]);
  }
  return n;
}

static void replaceResult(Expand *e, MathBuilder *m, MlirOperation op, const Plan *plan, int index,
                          MlirValue y) {
  MlirValue old = mlirOperationGetResult(op, index);
  MlirType type = mlirValueGetType(old);
  if (plan->widen && isFloat(tileElementTypeOf(type)))
    y = cast(e, m->loc, TileOp_Arith_TruncF, type, y);
  mlirValueReplaceAllUsesOfWith(old, y);
}

static MlirWalkResult findProduct(MlirOperation op, void *user) {
  if (tileOpKind(op) != TileOp_Tile_Dot && tileOpKind(op) != TileOp_TileGPU_Wgmma)
    return MlirWalkResultAdvance;
  *(bool *)user = true;
  return MlirWalkResultInterrupt;
}

/* Where instructions compete with a matrix unit's, and a branch does not disturb an order of issue (AMD). */
static bool isBesideProduct(const Expand *e, MlirOperation op, MlirType like) {
  enum { MOST_ELEMENTS = 64 };
  bool found = false;
  if (!tileTargetHas(&e->target.info, TileFeature_MmaSync) || !tileTypeIsTensor(like) ||
      tileTypeNumElements(like) > (int64_t)MOST_ELEMENTS * e->target.numWarps * e->target.info.warpSize)
    return false;
  MlirOperation loop = mlirOperationGetParentOperation(op);
  if (tileOpKind(loop) == TileOp_SCF_For)
    mlirOperationWalk(loop, findProduct, &found, MlirWalkPreOrder);
  return found;
}

/* In a loop with products that tile-gpu-split-loops may make two of. */
static bool isInSplitLoop(const Expand *e, MlirOperation op, MlirType like) {
  bool found = false;
  MlirOperation loop = mlirOperationGetParentOperation(op);
  if (e->branches && e->target.info.vendor == TileVendor_AMD && tileTypeIsTensor(like) &&
      tileElementTypeOf(like) == TileElementType_F32 && tileOpKind(loop) == TileOp_SCF_For)
    mlirOperationWalk(loop, findProduct, &found, MlirWalkPreOrder);
  return found;
}

static double constantSize(MlirValue v) {
  MlirAttribute number = tileValueConstantNumber(v);
  return number.ptr && mlirAttributeIsAFloat(number) ? fabs(mlirFloatAttrGetValueDouble(number)) : 0;
}

/* Whether a user adds the value, times a constant at most, to a constant that is no smaller than that. */
static bool isAdded(MlirOpOperand use) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  const intptr_t at = (intptr_t)mlirOpOperandGetOperandNumber(use);
  switch (tileOpKind(user)) {
  case TileOp_Arith_AddF:
  case TileOp_Arith_SubF:
    return constantSize(mlirOperationGetOperand(user, 1 - at)) >= 1;
  case TileOp_Math_Fma: {
    const double times = at < 2 ? constantSize(mlirOperationGetOperand(user, 1 - at)) : 0;
    return times > 0 && constantSize(mlirOperationGetOperand(user, 2)) >= times;
  }
  default:
    return false;
  }
}

/* Whether the op's f32 result, between -1 and 1, has no other use. */
static bool isOnlyAdded(const Expand *e, MlirOperation op, MlirType like) {
  MlirValue result = mlirOperationGetResult(op, 0);
  if (e->precise || tileElementTypeOf(like) != TileElementType_F32 || tileValueIsUnused(result))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!isAdded(use))
      return false;
  return true;
}

/* A set of flags as it is written, cut off where it is longer than all of them. */
/* tanh that the text allows to be an approximation, where the chip has one (NVIDIA: a relative error of 2^-11). */
static bool isInstruction(const Expand *e, MlirOperation op, MlirType like) {
  MathTanhOp tanh = mathTanhOpCast(op);
  return !mathTanhOpIsNull(tanh) && !e->precise && tileTargetHas(&e->target.info, TileFeature_MmaSync) &&
         tileElementTypeOf(like) == TileElementType_F32 &&
         tileAttrAllowsApproximation(mathTanhOpGetFastmathAttr(tanh));
}

static MlirLogicalResult expandOne(Expand *e, MlirOperation op) {
  Plan plan = {.kind = TileOp_None};
  bool isCall = tileOpKind(op) == TileOp_Tile_ExternElementwise;
  MlirType like =
      mlirOperationGetNumOperands(op) ? mlirValueGetType(mlirOperationGetOperand(op, 0)) : (MlirType){NULL};
  if (tileFailed(isCall ? planCall(op, &plan) : planRule(op, tileOpKind(op), like, &plan)))
    return tileFailure();
  if (plan.stays || isInstruction(e, op, like))
    return tileSuccess();
  MathBuilder m = {.b = e->b,
                   .loc = mlirOperationGetLocation(op),
                   .context = e->context,
                   .type = plan.type,
                   .narrow = tileElementTypeOf(like) == TileElementType_F16,
                   .precise = e->precise,
                   .added = isOnlyAdded(e, op, like),
                   .branches = e->branches,
                   .besideProduct = isBesideProduct(e, op, like),
                   .mode = plan.mode};
  if (plan.expander == mathTanh && m.branches && m.besideProduct && !m.added && !m.precise && !plan.widen) {
    TilePointerMap gone = {.arena = &e->arena};
    tileEraseUnused(e->b, &gone, mathScaledTanh(&m, op, !tileTargetHas(&e->target.info, TileFeature_WGMMA)));
    return tileSuccess();
  }
  if (plan.expander == mathTanh && !m.added && !m.precise && !plan.widen && isInSplitLoop(e, op, like))
    (void)mathCappedExponent(&m, op);
  mlirRewriterBaseSetInsertionPointBefore(e->b, op);
  MlirValue x[MAX_ARGUMENTS];
  int n = loadArguments(e, &m, op, &plan, x);
  MlirValue y = plan.expander ? plan.expander(&m, x) : mathEmit(&m, plan.kind, plan.result, n, x);
  replaceResult(e, &m, op, &plan, 0, y);
  if (tileOpKind(op) == TileOp_Math_Sincos)
    replaceResult(e, &m, op, &plan, 1, mathCos(&m, x));
  mlirRewriterBaseEraseOp(e->b, op);
  return tileSuccess();
}

/* Those whose ops are divisions first: they look at the functions that the others expand. */
static void scaleQuotients(Expand *e) {
  size_t kept = 0;
  for (size_t i = 0; i < e->count; ++i) {
    if (tileOpKind(e->work[i]) != TileOp_Arith_DivF) {
      e->work[kept++] = e->work[i];
      continue;
    }
    MathBuilder m = {.b = e->b,
                     .loc = mlirOperationGetLocation(e->work[i]),
                     .context = e->context,
                     .type = mlirValueGetType(mlirOperationGetResult(e->work[i], 0))};
    mathScaleQuotient(&m, e->work[i]);
  }
  e->count = kept;
}

static MlirWalkResult collectSums(MlirOperation op, void *user) {
  const TileOpKind kind = tileOpKind(op);
  if (kind == TileOp_Arith_AddF || kind == TileOp_Arith_SubF || kind == TileOp_Math_Fma)
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

/* tanh that is written as a quotient, where a polynomial is cheaper; before quotients are looked at. */
static void formTanh(Expand *e, MlirOperation module) {
  TilePointerList sums = {.arena = &e->arena};
  mlirOperationWalk(module, collectSums, &sums, MlirWalkPreOrder);
  for (size_t i = 0; i < sums.count; ++i) {
    MlirOperation op = {(void *)sums.items[i]};
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    MathBuilder m = {.b = e->b, .loc = mlirOperationGetLocation(op), .context = e->context, .type = type};
    if (tileElementTypeOf(type) == TileElementType_F32 && isBesideProduct(e, op, type))
      mathFormTanh(&m, op);
  }
}

MlirLogicalResult tileGPUExpandMathRun(MlirOperation module, const TileGPUExpandMathParams *params) {
  const bool chip = mlirOperationGetDiscardableAttributeByName(module, tileStr("tile_gpu.target")).ptr;
  TileModuleTarget target = {0};
  if (chip)
    TILE_TRY(tileModuleTargetRead(module, &target));
  Expand e = {.target = target,
              .context = mlirOperationGetContext(module),
              .b = mlirIRRewriterCreate(mlirOperationGetContext(module)),
              .precise = params->precise,
              .exact = params->exact,
              .branches = chip};
  /* AMD's division is correctly rounded. */
  e.quotients = chip && !e.precise && !e.exact && target.info.vendor == TileVendor_NVIDIA;
  if (e.quotients)
    formTanh(&e, module);
  mlirOperationWalk(module, collect, &e, MlirWalkPreOrder);
  scaleQuotients(&e);
  MlirLogicalResult result = tileSuccess();
  for (size_t i = 0; i < e.count && tileSucceeded(result); ++i)
    result = expandOne(&e, e.work[i]);
  if (!params->precise && !params->exact)
    mathMarkVanishing(module);
  tileArenaRelease(&e.arena);
  mlirIRRewriterDestroy(e.b);
  return result;
}
