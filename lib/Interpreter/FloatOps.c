/* FloatOps.c - element-wise float arithmetic and functions: computed on doubles, rounded once to the type. */
#define _DEFAULT_SOURCE // lgamma_r
#include "FloatOps.h"
#include "Decode.h"
#include "SpecialFunctions.h"
#include "tile-c/Dialect/Tile.h"
#include <math.h>

static void add(TileElementType type, double *r, const double *a, const double *b, const double *c,
                int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = a[i] + b[i];
}
static void subtract(TileElementType type, double *r, const double *a, const double *b, const double *c,
                     int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = a[i] - b[i];
}
static void multiply(TileElementType type, double *r, const double *a, const double *b, const double *c,
                     int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = a[i] * b[i];
}
static void divide(TileElementType type, double *r, const double *a, const double *b, const double *c,
                   int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = a[i] / b[i];
}
static void negate(TileElementType type, double *r, const double *a, const double *b, const double *c,
                   int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = -a[i];
}
static void absolute(TileElementType type, double *r, const double *a, const double *b, const double *c,
                     int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = fabs(a[i]);
}
static void squareRoot(TileElementType type, double *r, const double *a, const double *b, const double *c,
                       int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = sqrt(a[i]);
}
static void minNum(TileElementType type, double *r, const double *a, const double *b, const double *c,
                   int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = tileMinNum(a[i], b[i]);
}
static void maxNum(TileElementType type, double *r, const double *a, const double *b, const double *c,
                   int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = tileMaxNum(a[i], b[i]);
}
static void minimum(TileElementType type, double *r, const double *a, const double *b, const double *c,
                    int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = tileMinimum(a[i], b[i]);
}
static void maximum(TileElementType type, double *r, const double *a, const double *b, const double *c,
                    int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = tileMaximum(a[i], b[i]);
}
static void fused(TileElementType type, double *r, const double *a, const double *b, const double *c,
                  int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = tileFloatFma(type, a[i], b[i], c[i]);
}
static void clampNumber(TileElementType type, double *r, const double *x, const double *low,
                        const double *high, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = tileMinNum(tileMaxNum(x[i], low[i]), high[i]);
}

static void clampAll(TileElementType type, double *r, const double *x, const double *low, const double *high,
                     int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    r[i] = tileMinimum(tileMaximum(x[i], low[i]), high[i]);
}

static double reciprocalRoot(double x) { return 1 / sqrt(x); }
static double reciprocal(double x) { return 1 / x; }
static double exp10Of(double x) { return pow(10, x); }
static double logGamma(double x) {
  int sign; // lgamma itself would write a global
  return lgamma_r(x, &sign);
}
/* As hypot: infinite beside a NaN too. */
static double norm3(const double *x) { return hypot(hypot(x[0], x[1]), x[2]); }
static double norm4(const double *x) { return hypot(hypot(x[0], x[1]), hypot(x[2], x[3])); }
static double reciprocalNorm3(const double *x) { return 1 / norm3(x); }
static double reciprocalNorm4(const double *x) { return 1 / norm4(x); }
static double saturate(double x) { return isnan(x) ? 0 : x < 0 ? 0 : x > 1 ? 1 : x; }

static const FloatOp ops[] = {
    {TileOp_Arith_AddF, NULL, 2, .loop = add},
    {TileOp_Arith_SubF, NULL, 2, .loop = subtract},
    {TileOp_Arith_MulF, NULL, 2, .loop = multiply},
    {TileOp_Arith_DivF, NULL, 2, .loop = divide},
    {TileOp_Tile_PreciseDivF, NULL, 2, .loop = divide},
    {TileOp_Arith_RemF, "fmod", 2, .binary = fmod},
    {TileOp_Arith_NegF, NULL, 1, .loop = negate},
    {TileOp_Arith_MinNumF, "fmin", 2, .loop = minNum},
    {TileOp_Arith_MaxNumF, "fmax", 2, .loop = maxNum},
    {TileOp_Arith_MinimumF, NULL, 2, .loop = minimum},
    {TileOp_Arith_MaximumF, NULL, 2, .loop = maximum},
    {TileOp_Math_Fma, "fma", 3, .loop = fused},
    {TileOp_Math_ClampF, NULL, 3, .loop = clampNumber},
    {TileOp_Math_AbsF, "fabs", 1, .loop = absolute},
    {TileOp_Math_Sqrt, "sqrt", 1, .loop = squareRoot},
    {TileOp_Tile_PreciseSqrt, NULL, 1, .loop = squareRoot},
    {TileOp_Math_Rsqrt, "rsqrt", 1, .unary = reciprocalRoot},
    {TileOp_Math_Acos, "acos", 1, .unary = acos},
    {TileOp_Math_Acosh, "acosh", 1, .unary = acosh},
    {TileOp_Math_Asin, "asin", 1, .unary = asin},
    {TileOp_Math_Asinh, "asinh", 1, .unary = asinh},
    {TileOp_Math_Atan, "atan", 1, .unary = atan},
    {TileOp_Math_Atanh, "atanh", 1, .unary = atanh},
    {TileOp_Math_Atan2, "atan2", 2, .binary = atan2},
    {TileOp_Math_Cbrt, "cbrt", 1, .unary = cbrt},
    {TileOp_Math_Ceil, "ceil", 1, .unary = ceil},
    {TileOp_Math_CopySign, "copysign", 2, .binary = copysign},
    {TileOp_Math_Cos, "cos", 1, .unary = cos},
    {TileOp_Math_Cosh, "cosh", 1, .unary = cosh},
    {TileOp_Math_Erf, "erf", 1, .unary = erf},
    {TileOp_Math_Erfc, "erfc", 1, .unary = erfc},
    {TileOp_Math_Exp, "exp", 1, .unary = exp},
    {TileOp_Math_Exp2, "exp2", 1, .unary = exp2},
    {TileOp_Math_ExpM1, "expm1", 1, .unary = expm1},
    {TileOp_Math_Floor, "floor", 1, .unary = floor},
    {TileOp_Math_Log, "log", 1, .unary = log},
    {TileOp_Math_Log10, "log10", 1, .unary = log10},
    {TileOp_Math_Log1p, "log1p", 1, .unary = log1p},
    {TileOp_Math_Log2, "log2", 1, .unary = log2},
    {TileOp_Math_PowF, "pow", 2, .binary = pow},
    {TileOp_Math_Round, "round", 1, .unary = round},
    {TileOp_Math_RoundEven, "rint", 1, .unary = rint},
    {TileOp_Math_Sin, "sin", 1, .unary = sin},
    {TileOp_Math_Sinh, "sinh", 1, .unary = sinh},
    {TileOp_Math_Tan, "tan", 1, .unary = tan},
    {TileOp_Math_Tanh, "tanh", 1, .unary = tanh},
    {TileOp_Math_Trunc, "trunc", 1, .unary = trunc},
    {TileOp_None, "nearbyint", 1, .unary = rint},
    {TileOp_None, "exp10", 1, .unary = exp10Of},
    {TileOp_None, "fdim", 2, .binary = fdim},
    {TileOp_None, "hypot", 2, .binary = hypot},
    {TileOp_None, "lgamma", 1, .unary = logGamma},
    {TileOp_None, "tgamma", 1, .unary = tgamma},
    {TileOp_None, "logb", 1, .unary = logb},
    {TileOp_None, "j0", 1, .unary = j0},
    {TileOp_None, "j1", 1, .unary = j1},
    {TileOp_None, "y0", 1, .unary = y0},
    {TileOp_None, "y1", 1, .unary = y1},
    {TileOp_None, "cyl_bessel_i0", 1, .unary = interpBesselI0},
    {TileOp_None, "cyl_bessel_i1", 1, .unary = interpBesselI1},
    {TileOp_None, "sinpi", 1, .unary = interpSinPi},
    {TileOp_None, "cospi", 1, .unary = interpCosPi},
    {TileOp_None, "rcbrt", 1, .unary = interpRcbrt},
    {TileOp_None, "rhypot", 2, .binary = interpRhypot},
    {TileOp_None, "erfcx", 1, .unary = interpErfcx},
    {TileOp_None, "erfinv", 1, .unary = interpErfInv},
    {TileOp_None, "erfcinv", 1, .unary = interpErfcInv},
    {TileOp_None, "normcdf", 1, .unary = interpNormCdf},
    {TileOp_None, "normcdfinv", 1, .unary = interpNormCdfInv},
    {TileOp_None, "norm3d", 3, .many = norm3},
    {TileOp_None, "norm4d", 4, .many = norm4},
    {TileOp_None, "rnorm3d", 3, .many = reciprocalNorm3},
    {TileOp_None, "rnorm4d", 4, .many = reciprocalNorm4},
    {TileOp_None, "remainder", 2, .binary = remainder},
    {TileOp_None, "saturate", 1, .unary = saturate},
    {TileOp_None, "rcp_rn", 1, .unary = reciprocal},
    {TileOp_None, "fdividef", 2, .loop = divide},
    {TileOp_None, "fdiv_rn", 2, .loop = divide},
    {TileOp_None, "ddiv_rn", 2, .loop = divide},
    {TileOp_None, "fsqrt_rn", 1, .loop = squareRoot},
    {TileOp_None, "dsqrt_rn", 1, .loop = squareRoot},
    {TileOp_None, "fadd_rn", 2, .loop = add},
    {TileOp_None, "fmul_rn", 2, .loop = multiply},
    {TileOp_None, "fsub_rn", 2, .loop = subtract},
    {TileOp_None, "fmaf_rn", 3, .loop = fused},
};

const FloatOp *interpFloatOpOf(TileOpKind kind) {
  for (size_t i = 0; i < TILE_COUNTOF(ops); ++i)
    if (ops[i].kind == kind && kind != TileOp_None)
      return &ops[i];
  return NULL;
}

const FloatOp *interpFloatOpNamed(const char *name, size_t length) {
  for (size_t i = 0; i < TILE_COUNTOF(ops); ++i)
    if (ops[i].name && strlen(ops[i].name) == length && !memcmp(ops[i].name, name, length))
      return &ops[i];
  return NULL;
}

enum { MOST_OPERANDS = 4 };

static void apply(const FloatOp *op, TileElementType type, double *r, double (*x)[CHUNK], int64_t n) {
  if (op->loop) {
    op->loop(type, r, x[0], x[1], x[2], n);
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    double one[MOST_OPERANDS];
    for (int k = 0; op->many && k < op->arity; ++k)
      one[k] = x[k][i];
    r[i] = op->many ? op->many(one) : op->unary ? op->unary(x[0][i]) : op->binary(x[0][i], x[1][i]);
  }
}

bool interpRunFloat(Machine *m, const Instruction *i) {
  const FloatOp *op = i->data;
  Slot *result = i->results[0];
  double x[MOST_OPERANDS][CHUNK], r[CHUNK];
  for (int64_t start = 0; start < result->count; start += CHUNK) {
    int64_t n = result->count - start < CHUNK ? result->count - start : CHUNK;
    for (int k = 0; k < op->arity; ++k)
      tileFloatDecodeArray(result->type, i->operands[k]->data + start * (int64_t)result->size, n, x[k]);
    apply(op, result->type, r, x, n);
    tileFloatEncodeArray(result->type, r, n, result->data + start * (int64_t)result->size);
  }
  return true;
}

bool interpIsFloatOp(TileOpKind kind) { return interpFloatOpOf(kind) != NULL; }

bool interpDecodeFloat(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, interpRunFloat);
  if (!i)
    return false;
  i->data = interpFloatOpOf(tileOpKind(op));
  return true;
}

bool interpDecodeClamp(Decoder *d, MlirOperation op) {
  static const FloatOp clamps[] = {[TilePropagateNan_None] = {TileOp_None, NULL, 3, .loop = clampNumber},
                                   [TilePropagateNan_All] = {TileOp_None, NULL, 3, .loop = clampAll}};
  Instruction *i = interpEmitOp(d, op, interpRunFloat);
  if (!i)
    return false;
  i->data = &clamps[tileClampFOpGetPropagateNan(tileClampFOpCast(op)) == TilePropagateNan_All];
  return true;
}

static bool runSincos(Machine *m, const Instruction *i) {
  const Slot *x = i->operands[0];
  for (int64_t e = 0; e < i->results[0]->count; ++e) {
    double value = tileFloatLoad(x->type, x->data, e);
    tileFloatStore(x->type, i->results[0]->data, e, sin(value));
    tileFloatStore(x->type, i->results[1]->data, e, cos(value));
  }
  return true;
}

bool interpDecodeSincos(Decoder *d, MlirOperation op) { return interpEmitOp(d, op, runSincos) != NULL; }

static bool runPowerInteger(Machine *m, const Instruction *i) {
  const Slot *x = i->operands[0], *n = i->operands[1];
  for (int64_t e = 0; e < i->results[0]->count; ++e)
    tileFloatStore(x->type, i->results[0]->data, e,
                   pow(tileFloatLoad(x->type, x->data, e), (double)tileIntLoad(n->type, n->data, e)));
  return true;
}

bool interpDecodePowerInteger(Decoder *d, MlirOperation op) {
  return interpEmitOp(d, op, runPowerInteger) != NULL;
}
