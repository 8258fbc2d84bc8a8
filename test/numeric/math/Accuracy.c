/* Accuracy.c - measures the expanders of tile-gpu-expand-math: largest error in ulp against functions of
 * higher precision, special values included, with the hardware's primitives exact and at the ends of their
 * error bounds.
 *
 *   math-accuracy [--samples=LOG2] [--only=NAME] [--amd]    one line per function; exit status 1 if one is
 * above its bound */
#include "Catalog.h"
#include "Evaluate.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 2048 };

typedef struct Worst {
  double ulp;
  double x[MATH_MAX_ARITY], got, expected;
  EvalError error;
  double absolute; ///< largest absolute error where the bound is absolute
  uint64_t wrong;  ///< NaN, infinity or sign of zero
  double wrongX[MATH_MAX_ARITY], wrongGot, wrongExpected;
} Worst;

static double ulpOf(double reference, int digits, int minExponent) {
  int exponent;
  frexp(reference, &exponent);
  return ldexp(1, (exponent - 1 < minExponent ? minExponent : exponent - 1) - (digits - 1));
}

/* Error of `got` in units of the last place of a format with so many digits. NAN: of another kind than
 * expected. */
static double errorOf(double got, long double exact, int digits, int minExponent, double max) {
  double reference = (double)exact;
  if (isnan(reference) || isnan(got))
    return isnan(reference) && isnan(got) ? 0 : NAN;
  double unit = ulpOf(max, digits, minExponent);
  if (isinf(got)) {
    if (fabsl(exact) >= (long double)max + unit / 2)
      return signbit(got) == signbit(reference) ? 0 : NAN;
    return fabsl(exact) > max / 2 && signbit(got) == signbit(reference)
               ? (double)(((long double)max + unit - fabsl(exact)) / unit)
               : NAN;
  }
  if (isinf(reference))
    return NAN;
  if (reference == 0)
    return got == 0 && signbit(got) == signbit(reference) ? 0 : NAN;
  if (fabsl(exact) >= max)
    return (double)(fabsl((long double)got - exact) / unit);
  if (got == 0 && signbit(got) != signbit(reference))
    return NAN;
  return (double)(fabsl((long double)got - exact) / ulpOf(reference, digits, minExponent));
}

static void note(const MathCase *f, Worst *w, double ulp, const double *x, double got, double expected,
                 EvalError error) {
  if (x[0] > f->exceptFrom && x[0] < f->exceptTo)
    return;
  if (f->absoluteFrom > 0 && fabs(x[0]) >= f->absoluteFrom) {
    if (fabs(got - expected) > w->absolute)
      w->absolute = fabs(got - expected);
    if (!isnan(ulp) || (isfinite(got) && isfinite(expected)))
      return;
  }
  if (isnan(ulp)) {
    if (!w->wrong++) {
      memcpy(w->wrongX, x, sizeof w->wrongX);
      w->wrongGot = got, w->wrongExpected = expected;
    }
  } else if (ulp > w->ulp) {
    memcpy(w->x, x, sizeof w->x);
    w->ulp = ulp, w->got = got, w->expected = expected, w->error = error;
  }
}

// ---- Inputs ----

static uint64_t next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static const double specials[] = {0.0,
                                  -0.0,
                                  1,
                                  -1,
                                  0.5,
                                  -0.5,
                                  2,
                                  -2,
                                  3,
                                  -3,
                                  1.5,
                                  -1.5,
                                  2.5,
                                  -2.5,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  0x1p-149,
                                  -0x1p-149,
                                  0x1p-126,
                                  -0x1p-126,
                                  0x1.fffffcp-127,
                                  0x1.fffffep127,
                                  -0x1.fffffep127,
                                  0x1.fffffep-1,
                                  0x1.000002p0,
                                  -0x1.fffffep-1,
                                  -0x1.000002p0,
                                  0x1p22,
                                  0x1p23,
                                  0x1p24,
                                  -0x1p24,
                                  0x1.fffffep23,
                                  0x1p31,
                                  -0x1p31,
                                  0x1p32,
                                  10,
                                  100,
                                  -100,
                                  127,
                                  128,
                                  -126,
                                  -149,
                                  -150,
                                  0x1.fffffep-2};

static float float32(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float f;
  memcpy(&f, &low, 4);
  return f;
}

static double float64(uint64_t bits) {
  double d;
  memcpy(&d, &bits, 8);
  return d;
}

/* Half of the inputs over all bit patterns, half uniform in the function's interval. */
static double sample(uint64_t *state, int width, double from, double to, uint64_t index) {
  uint64_t bits = next(state);
  if (index & 1) {
    double x = from + (to - from) * ((double)(bits >> 11) * 0x1p-53);
    return width == 32 ? (float)x : x;
  }
  return width == 32 ? float32(bits >> 32) : float64(bits);
}

static void fill(const MathCase *f, int width, uint64_t *state, uint64_t start, int n,
                 double (*x)[EVAL_CHUNK]) {
  const uint64_t s = TILE_COUNTOF(specials);
  for (int i = 0; i < n; ++i) {
    uint64_t index = start + (uint64_t)i;
    bool special = index < (f->arity > 2 ? 1 << 16 : f->arity == 2 ? s * s : s);
    for (int k = 0; k < f->arity; ++k)
      x[k][i] = !special       ? sample(state, width, f->from[k], f->to[k], index >> k)
                : f->arity > 2 ? specials[next(state) % s]
                               : specials[k ? index / s : index % s];
  }
}

// ---- Measuring ----

static void load(Eval *e, MlirValue v, const double *x) {
  for (int i = 0; i < e->count; ++i)
    if (e->width == 32)
      ((float *)evalData(v))[i] = (float)x[i];
    else
      ((double *)evalData(v))[i] = x[i];
}

static double resultAt(const Eval *e, MlirValue v, int i) {
  return e->width == 32 ? ((float *)evalData(v))[i] : ((double *)evalData(v))[i];
}

static long double referenceOf(const MathCase *f, int width, const double *x) {
  if (f->many)
    return f->many(x);
  if (width == 32)
    return f->arity == 2 ? f->binary(x[0], x[1]) : f->unary(x[0]);
  return f->arity == 2 ? f->binaryLong(x[0], x[1]) : f->unaryLong(x[0]);
}

/* The arguments number i; zeros follow those that the function has. */
static const double *argumentsAt(double (*x)[EVAL_CHUNK], int i, double *out) {
  for (int k = 0; k < MATH_MAX_ARITY; ++k)
    out[k] = x[k][i];
  return out;
}

static MlirValue expand(Eval *e, const MathCase *f, int width, double (*x)[EVAL_CHUNK], int n,
                        EvalError error) {
  evalReset(e, width, n, error);
  MlirValue arguments[MATH_MAX_ARITY];
  for (int k = 0; k < f->arity; ++k)
    load(e, arguments[k] = evalNew(e), x[k]);
  return (width == 32 ? f->f32 : f->f64)(&e->builder, arguments);
}

static Worst measure(Eval *e, const MathCase *f, int width, uint64_t samples) {
  static double x[MATH_MAX_ARITY][EVAL_CHUNK];
  double at[MATH_MAX_ARITY];
  static long double reference[EVAL_CHUNK];
  Worst worst = {0};
  uint64_t state = 1;
  e->builder.narrow = false;
  int modes = width == 32 ? EvalError_Count : 1;
  for (uint64_t start = 0; start < samples; start += EVAL_CHUNK) {
    fill(f, width, &state, start, EVAL_CHUNK, x);
    for (int i = 0; i < EVAL_CHUNK; ++i)
      reference[i] = referenceOf(f, width, argumentsAt(x, i, at));
    for (int mode = 0; mode < modes; ++mode) {
      MlirValue y = expand(e, f, width, x, EVAL_CHUNK, (EvalError)mode);
      for (int i = 0; i < EVAL_CHUNK; ++i) {
        double got = resultAt(e, y, i);
        double ulp = width == 32 ? errorOf(got, reference[i], 24, -126, 0x1.fffffep127)
                                 : errorOf(got, reference[i], 53, -1022, 0x1.fffffffffffffp1023);
        note(f, &worst, ulp, argumentsAt(x, i, at), got, (double)reference[i], (EvalError)mode);
      }
    }
  }
  return worst;
}

/* All f16 inputs: computed in f32, then rounded. */
static Worst measureHalf(Eval *e, const MathCase *f) {
  static double x[MATH_MAX_ARITY][EVAL_CHUNK];
  double at[MATH_MAX_ARITY];
  Worst worst = {0};
  e->builder.narrow = true;
  uint64_t state = 7;
  for (uint32_t start = 0; start < 65536; start += EVAL_CHUNK) {
    for (int i = 0; i < EVAL_CHUNK; ++i) {
      for (int k = 0; k < MATH_MAX_ARITY; ++k) {
        uint16_t bits = k ? (uint16_t)next(&state) : (uint16_t)(start + (uint32_t)i);
        _Float16 h;
        memcpy(&h, &bits, sizeof h);
        x[k][i] = (double)h;
      }
    }
    for (int mode = 0; mode < EvalError_Count; ++mode) {
      MlirValue y = expand(e, f, 32, x, EVAL_CHUNK, (EvalError)mode);
      for (int i = 0; i < EVAL_CHUNK; ++i) {
        double got = (double)(_Float16)(float)resultAt(e, y, i);
        long double exact = referenceOf(f, 32, argumentsAt(x, i, at));
        note(f, &worst, errorOf(got, exact, 11, -14, 65504), at, got, (double)exact, (EvalError)mode);
      }
    }
  }
  return worst;
}

static bool report(const MathCase *f, const char *type, const Worst *w, double bound, uint64_t ops) {
  double absolute = strcmp(type, "f64") ? f->absoluteBound : f->absoluteBound64;
  bool ok = w->ulp <= bound && !w->wrong && w->absolute <= absolute;
  printf("%-12s %-4s %8.3f ulp (bound %g) %4d ops  worst at %a", f->name, type, w->ulp, bound, (int)ops,
         w->x[0]);
  for (int k = 1; k < f->arity; ++k)
    printf(", %a", w->x[k]);
  printf(" (error mode %d): got %a, expected %a%s\n", w->error, w->got, w->expected, ok ? "" : "  ABOVE");
  if (f->absoluteFrom > 0)
    printf("  from %g on %g absolute (bound %g)\n", f->absoluteFrom, w->absolute, absolute);
  if (w->wrong)
    printf("  %llu wrong special values, first at %a, %a: got %a, expected %a\n",
           (unsigned long long)w->wrong, w->wrongX[0], w->wrongX[1], w->wrongGot, w->wrongExpected);
  fflush(stdout);
  return ok;
}

static bool measureCase(Eval *e, const MathCase *f, uint64_t samples) {
  bool ok = true;
  if (f->f32) {
    Worst single = measure(e, f, 32, samples);
    double bound = f->allowed32 > 0 ? f->allowed32 : f->bound32;
    ok &= report(f, "f32", &single, bound, e->ops);
    Worst half = measureHalf(e, f);
    half.absolute = 0; /* rounding to f16 is above the bound */
    ok &= report(f, "f16", &half, f->bound32 > 2 ? 1 : 0.51, e->ops);
  }
  if (f->f64) {
    Worst wide = measure(e, f, 64, samples);
    ok &= report(f, "f64", &wide, f->bound64, e->ops);
  }
  return ok;
}

int main(int argc, char **argv) {
  int log2Samples = 18;
  const char *only = NULL;
  bool useAmd = false;
  for (int i = 1; i < argc; ++i) {
    if (!strncmp(argv[i], "--samples=", 10))
      log2Samples = atoi(argv[i] + 10);
    else if (!strncmp(argv[i], "--only=", 7))
      only = argv[i] + 7;
    else if (!strcmp(argv[i], "--amd"))
      useAmd = true;
    else
      return 2;
  }
  Eval e;
  evalInit(&e, VALUES);
  e.amd = useAmd;
  bool ok = true;
  for (int i = 0; i < mathNumCases; ++i)
    if (!only || !strcmp(only, mathCases[i].name))
      ok &= measureCase(&e, &mathCases[i], (uint64_t)1 << log2Samples);
  evalRelease(&e);
  return ok ? 0 : 1;
}
