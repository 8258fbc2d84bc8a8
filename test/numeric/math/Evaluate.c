/* Evaluate.c - each op of an expansion on arrays of f32 or f64. */
#include "Evaluate.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void evalInit(Eval *e, int values) {
  *e = (Eval){.size = (size_t)values * EVAL_CHUNK * 8};
  e->memory = malloc(e->size);
  if (!e->memory)
    exit(2);
}

void evalRelease(Eval *e) { free(e->memory); }

void evalReset(Eval *e, int width, int count, EvalError error) {
  e->width = width;
  e->count = count;
  e->error = error;
  e->used = 0;
  e->ops = 0;
}

MlirValue evalNew(Eval *e) {
  size_t bytes = (size_t)EVAL_CHUNK * (size_t)(e->width / 8);
  if (e->used + bytes > e->size) {
    fprintf(stderr, "the evaluator's memory is too small\n");
    exit(2);
  }
  MlirValue v = {e->memory + e->used};
  e->used += bytes;
  return v;
}

static Eval *evalOf(MathBuilder *m) { return (Eval *)m; }
int mathWidth(MathBuilder *m) { return evalOf(m)->width; }

static uint32_t randomBits(uint32_t i) {
  i *= 0x9e3779b1u;
  i ^= i >> 15;
  i *= 0x85ebca77u;
  return i ^ i >> 13;
}

/* What an instruction may be off: `relative`, and so many units of the last place, before it rounds. */
typedef struct Bound {
  double relative, units;
} Bound;

typedef enum Primitive {
  Primitive_Exp2,
  Primitive_Log2,
  Primitive_Rsqrt,
  Primitive_Sqrt,
  Primitive_Divide,
  Primitive_Reciprocal ///< on normal numbers
} Primitive;

/* NVIDIA: the largest errors over all f32 inputs on an H200 (docs/math.md) and a little. */
static const Bound nvidia[] = {
    [Primitive_Exp2] = {0x1.6a09e6p-23, 1.6},   [Primitive_Log2] = {0x1.51p-23, 1.6},
    [Primitive_Rsqrt] = {0x1.125fbep-23, 1.02}, [Primitive_Sqrt] = {0x1.b0p-24, 0.45},
    [Primitive_Divide] = {0x1.5p-23, 1.62},     [Primitive_Reciprocal] = {0x1.0p-23, 0.5}};
/* AMD: v_exp_f32 and v_log_f32 are 1 ulp (AMD's ISA manuals); division and sqrt are correctly rounded, rsqrt
 * is made of them. */
static const Bound amd[] = {[Primitive_Exp2] = {0x1.0p-23, 0.5},  [Primitive_Log2] = {0x1.0p-23, 0.5},
                            [Primitive_Rsqrt] = {0x1.0p-23, 0.5}, [Primitive_Sqrt] = {0, 0},
                            [Primitive_Divide] = {0, 0},          [Primitive_Reciprocal] = {0x1.0p-23, 0.5}};

/* The largest error that the bound allows at this value, up, down, or anything between. */
static float approximate(const Eval *e, double exact, Primitive primitive, int i) {
  Bound bound = e->amd ? amd[primitive] : nvidia[primitive];
  if (e->error == EvalError_None || !isfinite(exact))
    return (float)exact;
  int exponent;
  frexp(exact, &exponent);
  double most = fabs(exact) * bound.relative;
  double units = ldexp(bound.units, (exponent < -125 ? -125 : exponent) - 24);
  most = most < units ? most : units;
  double by = e->error == EvalError_Up     ? 1
              : e->error == EvalError_Down ? -1
                                           : (double)randomBits((uint32_t)i) / 0x1.0p31 - 1;
  return (float)(exact + by * most);
}

static float log2Approximate(const Eval *e, double x, int i) {
  double y = log2(x);
  if (!e->amd && x > 0.5 && x < 2 && e->error != EvalError_None) /* absolute there */
    return (float)(y + (approximate(e, 1.5, Primitive_Log2, i) - 1.5));
  return approximate(e, y, Primitive_Log2, i);
}

#define LOOP(T, expression)                                                                                  \
  do {                                                                                                       \
    T *r = evalData(result);                                                                                 \
    for (int i = 0; i < n; ++i)                                                                              \
      r[i] = (expression);                                                                                   \
  } while (0)

/* Every op but those of f32 alone, for a float type F and its integer type I (unsigned U), the library suffix
 * S. */
#define DEFINE_OPS(NAME, F, I, U, S, WIDTH)                                                                  \
  static bool NAME(Eval *e, TileOpKind kind, MlirValue result, int n, const MlirValue *x, int arity) {       \
    const F *a = evalData(x[0]), *b = arity > 1 ? evalData(x[1]) : NULL,                                     \
            *c = arity > 2 ? evalData(x[2]) : NULL;                                                          \
    const I *p = (const I *)a, *q = (const I *)b, *s = (const I *)c;                                         \
    switch (kind) {                                                                                          \
    case TileOp_Arith_AddF:                                                                                  \
      LOOP(F, a[i] + b[i]);                                                                                  \
      break;                                                                                                 \
    case TileOp_Arith_SubF:                                                                                  \
      LOOP(F, a[i] - b[i]);                                                                                  \
      break;                                                                                                 \
    case TileOp_Arith_MulF:                                                                                  \
      LOOP(F, a[i] * b[i]);                                                                                  \
      break;                                                                                                 \
    case TileOp_Arith_DivF:                                                                                  \
      if (WIDTH == 64)                                                                                       \
        LOOP(F, a[i] / b[i]);                                                                                \
      else                                                                                                   \
        LOOP(F, approximate(e, (double)a[i] / b[i], Primitive_Divide, i));                                   \
      break;                                                                                                 \
    case TileOp_Tile_PreciseDivF:                                                                            \
      LOOP(F, a[i] / b[i]);                                                                                  \
      break;                                                                                                 \
    case TileOp_Tile_PreciseSqrt:                                                                            \
      LOOP(F, sqrt##S(a[i]));                                                                                \
      break;                                                                                                 \
    case TileOp_Arith_NegF:                                                                                  \
      LOOP(F, -a[i]);                                                                                        \
      break;                                                                                                 \
    case TileOp_Arith_MinNumF:                                                                               \
      LOOP(F, fmin##S(a[i], b[i]));                                                                          \
      break;                                                                                                 \
    case TileOp_Arith_MaxNumF:                                                                               \
      LOOP(F, fmax##S(a[i], b[i]));                                                                          \
      break;                                                                                                 \
    case TileOp_Math_Fma:                                                                                    \
      LOOP(F, fma##S(a[i], b[i], c[i]));                                                                     \
      break;                                                                                                 \
    case TileOp_Math_AbsF:                                                                                   \
      LOOP(F, fabs##S(a[i]));                                                                                \
      break;                                                                                                 \
    case TileOp_Math_CopySign:                                                                               \
      LOOP(F, copysign##S(a[i], b[i]));                                                                      \
      break;                                                                                                 \
    case TileOp_Math_Floor:                                                                                  \
      LOOP(F, floor##S(a[i]));                                                                               \
      break;                                                                                                 \
    case TileOp_Math_Ceil:                                                                                   \
      LOOP(F, ceil##S(a[i]));                                                                                \
      break;                                                                                                 \
    case TileOp_Math_Trunc:                                                                                  \
      LOOP(F, trunc##S(a[i]));                                                                               \
      break;                                                                                                 \
    case TileOp_Math_RoundEven:                                                                              \
      LOOP(F, rint##S(a[i]));                                                                                \
      break;                                                                                                 \
    case TileOp_Math_Sqrt:                                                                                   \
      if (WIDTH == 64)                                                                                       \
        LOOP(F, sqrt##S(a[i]));                                                                              \
      else                                                                                                   \
        LOOP(F, approximate(e, sqrt(a[i]), Primitive_Sqrt, i));                                              \
      break;                                                                                                 \
    case TileOp_Arith_Select:                                                                                \
      LOOP(I, p[i] ? q[i] : s[i]);                                                                           \
      break;                                                                                                 \
    case TileOp_Arith_Bitcast:                                                                               \
      LOOP(I, p[i]);                                                                                         \
      break;                                                                                                 \
    case TileOp_Arith_AddI:                                                                                  \
      LOOP(I, (I)((U)p[i] + (U)q[i]));                                                                       \
      break;                                                                                                 \
    case TileOp_Arith_SubI:                                                                                  \
      LOOP(I, (I)((U)p[i] - (U)q[i]));                                                                       \
      break;                                                                                                 \
    case TileOp_Arith_MulI:                                                                                  \
      LOOP(I, (I)((U)p[i] * (U)q[i]));                                                                       \
      break;                                                                                                 \
    case TileOp_Arith_AndI:                                                                                  \
      LOOP(I, p[i] & q[i]);                                                                                  \
      break;                                                                                                 \
    case TileOp_Arith_OrI:                                                                                   \
      LOOP(I, p[i] | q[i]);                                                                                  \
      break;                                                                                                 \
    case TileOp_Arith_XOrI:                                                                                  \
      LOOP(I, p[i] ^ q[i]);                                                                                  \
      break;                                                                                                 \
    case TileOp_Arith_ShLI:                                                                                  \
      LOOP(I, (U)q[i] < WIDTH ? (I)((U)p[i] << q[i]) : 0);                                                   \
      break;                                                                                                 \
    case TileOp_Arith_ShRUI:                                                                                 \
      LOOP(I, (U)q[i] < WIDTH ? (I)((U)p[i] >> q[i]) : 0);                                                   \
      break;                                                                                                 \
    case TileOp_Arith_ShRSI:                                                                                 \
      LOOP(I, p[i] >> ((U)q[i] < WIDTH ? q[i] : WIDTH - 1));                                                 \
      break;                                                                                                 \
    case TileOp_Arith_MinSI:                                                                                 \
      LOOP(I, p[i] < q[i] ? p[i] : q[i]);                                                                    \
      break;                                                                                                 \
    case TileOp_Arith_MaxSI:                                                                                 \
      LOOP(I, p[i] > q[i] ? p[i] : q[i]);                                                                    \
      break;                                                                                                 \
    case TileOp_Arith_SIToFP:                                                                                \
      LOOP(F, (F)p[i]);                                                                                      \
      break;                                                                                                 \
    case TileOp_Arith_FPToSI:                                                                                \
      LOOP(I, a[i] != a[i]                      ? 0                                                          \
              : a[i] >= -(F)(U)INT##WIDTH##_MIN ? INT##WIDTH##_MAX                                           \
              : a[i] <= (F)INT##WIDTH##_MIN     ? INT##WIDTH##_MIN                                           \
                                                : (I)a[i]);                                                  \
      break;                                                                                                 \
    case TileOp_Tile_MulhiUI:                                                                                \
      LOOP(I, (I)(U)((unsigned __int128)(U)p[i] * (U)q[i] >> WIDTH));                                        \
      break;                                                                                                 \
    case TileOp_Math_CountLeadingZeros:                                                                      \
      LOOP(I, p[i] ? (WIDTH == 64 ? __builtin_clzll((uint64_t)(U)p[i]) : __builtin_clz((uint32_t)(U)p[i]))   \
                   : WIDTH);                                                                                 \
      break;                                                                                                 \
    default:                                                                                                 \
      return false;                                                                                          \
    }                                                                                                        \
    return true;                                                                                             \
  }

#pragma clang diagnostic ignored "-Wunused-variable"
DEFINE_OPS(emit32, float, int32_t, uint32_t, f, 32)
DEFINE_OPS(emit64, double, int64_t, uint64_t, , 64)

static bool emitPrimitive32(Eval *e, TileOpKind kind, MlirValue result, int n, const float *a) {
  switch (kind) {
  case TileOp_Math_Exp2:
    LOOP(float, approximate(e, exp2(a[i]), Primitive_Exp2, i));
    break;
  case TileOp_Math_Log2:
    LOOP(float, log2Approximate(e, a[i], i));
    break;
  case TileOp_Math_Rsqrt:
    LOOP(float, approximate(e, 1 / sqrt(a[i]), Primitive_Rsqrt, i));
    break;
  default:
    return false;
  }
  return true;
}

MlirValue mathEmit(MathBuilder *m, TileOpKind kind, MathType type, int arity, const MlirValue *x) {
  Eval *e = evalOf(m);
  MlirValue result = evalNew(e);
  ++e->ops;
  if (e->width == 64 ? emit64(e, kind, result, e->count, x, arity)
                     : emit32(e, kind, result, e->count, x, arity) ||
                           emitPrimitive32(e, kind, result, e->count, evalData(x[0])))
    return result;
  fprintf(stderr, "the evaluator does not know op kind %d\n", (int)kind);
  exit(2);
}

MlirValue mathConstant(MathBuilder *m, double value) {
  Eval *e = evalOf(m);
  MlirValue result = evalNew(e);
  int n = e->count;
  if (e->width == 32 && value == value && (double)(float)value != value) {
    static int told;
    if (told++ < 20)
      fprintf(stderr, "note: constant %a is no float\n", value);
  }
  if (e->width == 64)
    LOOP(double, value);
  else
    LOOP(float, (float)value);
  return result;
}

MlirValue mathInt(MathBuilder *m, int64_t value) {
  Eval *e = evalOf(m);
  MlirValue result = evalNew(e);
  int n = e->count;
  if (e->width == 64)
    LOOP(int64_t, value);
  else
    LOOP(int32_t, (int32_t)value);
  return result;
}

#define COMPARE(T, R, expression)                                                                            \
  do {                                                                                                       \
    const T *p = evalData(a), *q = evalData(b);                                                              \
    LOOP(R, expression);                                                                                     \
  } while (0)

#define COMPARE_FLOATS(T, R)                                                                                 \
  switch (order) {                                                                                           \
  case MathOrder_EQ:                                                                                         \
    COMPARE(T, R, p[i] == q[i]);                                                                             \
    break;                                                                                                   \
  case MathOrder_GT:                                                                                         \
    COMPARE(T, R, p[i] > q[i]);                                                                              \
    break;                                                                                                   \
  case MathOrder_GE:                                                                                         \
    COMPARE(T, R, p[i] >= q[i]);                                                                             \
    break;                                                                                                   \
  case MathOrder_LT:                                                                                         \
    COMPARE(T, R, p[i] < q[i]);                                                                              \
    break;                                                                                                   \
  case MathOrder_LE:                                                                                         \
    COMPARE(T, R, p[i] <= q[i]);                                                                             \
    break;                                                                                                   \
  case MathOrder_NE:                                                                                         \
    COMPARE(T, R, p[i] != q[i]);                                                                             \
    break;                                                                                                   \
  case MathOrder_Unordered:                                                                                  \
    COMPARE(T, R, p[i] != p[i] || q[i] != q[i]);                                                             \
    break;                                                                                                   \
  }

#define COMPARE_INTS(T, U)                                                                                   \
  switch (order) {                                                                                           \
  case MathIntOrder_EQ:                                                                                      \
    COMPARE(T, T, p[i] == q[i]);                                                                             \
    break;                                                                                                   \
  case MathIntOrder_NE:                                                                                      \
    COMPARE(T, T, p[i] != q[i]);                                                                             \
    break;                                                                                                   \
  case MathIntOrder_LT:                                                                                      \
    COMPARE(T, T, p[i] < q[i]);                                                                              \
    break;                                                                                                   \
  case MathIntOrder_GE:                                                                                      \
    COMPARE(T, T, p[i] >= q[i]);                                                                             \
    break;                                                                                                   \
  case MathIntOrder_ULT:                                                                                     \
    COMPARE(T, T, (U)p[i] < (U)q[i]);                                                                        \
    break;                                                                                                   \
  case MathIntOrder_UGE:                                                                                     \
    COMPARE(T, T, (U)p[i] >= (U)q[i]);                                                                       \
    break;                                                                                                   \
  }

MlirValue mathCompare(MathBuilder *m, MathOrder order, MlirValue a, MlirValue b) {
  Eval *e = evalOf(m);
  MlirValue result = evalNew(e);
  int n = e->count;
  ++e->ops;
  if (e->width == 64)
    COMPARE_FLOATS(double, int64_t)
  else
    COMPARE_FLOATS(float, int32_t)
  return result;
}

MlirValue mathCompareInt(MathBuilder *m, MathIntOrder order, MlirValue a, MlirValue b) {
  Eval *e = evalOf(m);
  MlirValue result = evalNew(e);
  int n = e->count;
  ++e->ops;
  if (e->width == 64)
    COMPARE_INTS(int64_t, uint64_t)
  else
    COMPARE_INTS(int32_t, uint32_t)
  return result;
}

MlirValue mathExp2Normal(MathBuilder *m, MlirValue x) {
  Eval *e = evalOf(m);
  MlirValue result = mathUnary(m, TileOp_Math_Exp2, x);
  float *r = evalData(result);
  for (int i = 0; i < e->count; ++i)
    if (fabsf(r[i]) < 0x1.0p-126f)
      r[i] = 0;
  return result;
}

MlirValue mathReciprocalNormal(MathBuilder *m, MlirValue x) {
  Eval *e = evalOf(m);
  MlirValue result = mathUnary(m, TileOp_Math_AbsF, x);
  const float *a = evalData(x);
  float *r = evalData(result);
  for (int i = 0; i < e->count; ++i) {
    r[i] = m->precise ? 1 / a[i] : approximate(e, 1.0 / a[i], Primitive_Reciprocal, i);
    if (!m->precise && fabsf(r[i]) < 0x1.0p-126f)
      r[i] = 0;
  }
  return result;
}

void mathRarely(MathBuilder *m, MlirValue condition, MathRare rare, const MlirValue *x, const void *user,
                int n, MlirValue *values) {
  MlirValue out[4];
  rare(m, x, user, out);
  for (int i = 0; i < n; ++i)
    values[i] = mathSelect(m, condition, out[i], values[i]);
}
