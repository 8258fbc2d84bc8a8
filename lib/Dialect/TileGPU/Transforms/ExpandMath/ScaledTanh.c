/* ScaledTanh.c - tanh of scores beside products, between factors that are the same everywhere (a soft cap).
 *
 *   %u = arith.mulf %s, (splat %k)          %w = math.fma %s, %s, -(0.3125 / %k)^2
 *   %t = math.tanh %u                       %p = (a polynomial in %w with factors c k, c k^3 ...)
 *   %r = arith.mulf %t, (splat %c)          %r = arith.mulf %s, %p
 *
 * for |s| < 0.3125 / |k|, which is where %w has a sign: five operations and half of one for ten, and k and c are rounded once, where u
 * and r were. Signs of three numbers are asked in one operation, and by no unit that multiplies. Threads
 * with a larger score compute all of theirs as mathTanh does (by branches that tile-gpu-skip-masks makes). Where k or c is such
 * that the coefficients might not be in range, all threads do. Where %r is an exponent of weights of 16 bits and nothing else
 * (Exponents.h), a shorter polynomial does, for |s| < 0.28 / |k| and |c| up to 512: a relative error of 2^-20.3.
 *
 * Where no branch is to be (AMD), such an exponent is c - 2 c / (exp(2 k s) + 1), five operations of which two are not multiplied or added: off by 2^-22 of
 * |c|, which is as little where |c| is up to 512. Whether it is, the loop asks in front of it (tile-gpu-split-loops):
 *
 *   %r = arith.select (splat %holds), (this), (as the text says it) {tile_gpu.usual} */
#include "ScaledTanh.h"
#include "../Maxima.h"
#include "Exponents.h"
#include "Functions.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"

enum { MAX_FACTORS = 3 };

enum { MAX_COEFFICIENTS = 4 };

/* tanh(x) / x = P(x^2), |x| < most. */
typedef struct Series {
  int count;
  double c[MAX_COEFFICIENTS];
  double most, mostCap;
} Series;

/* A relative error of 2^-20.3, and one below 2^-25.8. */
static const Series brief = {3, {0x1.ffffe6p-1, -0x1.5526a5p-2, 0x1.04863ep-3}, 0.28, 512},
                    full = {4, {1, -0x1.555470p-2, 0x1.10a032p-3, -0x1.9a4cd8p-5}, 0.3125, 0x1p20};

/* A product of scalars; of none, 1. */
typedef struct Factor {
  MlirValue value;
  int count;
} Factor;

static MlirValue scalarOf(MathBuilder *scalar, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  MlirAttribute number = tileValueConstantNumber(v);
  if (number.ptr && mlirAttributeIsAFloat(number))
    return mathConstant(scalar, mlirFloatAttrGetValueDouble(number));
  return op.ptr && tileOpKind(op) == TileOp_Tile_Splat ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
}

/* What of the op's operands is the same in all elements: a factor, or a divisor. */
static bool takeFactor(MathBuilder *scalar, MlirOperation op, Factor *f, MlirValue *out_other) {
  const bool isQuotient = tileOpKind(op) == TileOp_Arith_DivF;
  if (f->count == MAX_FACTORS || (!isQuotient && tileOpKind(op) != TileOp_Arith_MulF))
    return false;
  for (intptr_t i = 1; i >= (isQuotient ? 1 : 0); --i) {
    MlirValue v = scalarOf(scalar, mlirOperationGetOperand(op, i));
    if (!v.ptr)
      continue;
    v = isQuotient ? mathDiv(scalar, mathConstant(scalar, 1), v) : v;
    f->value = f->count++ ? mathMul(scalar, f->value, v) : v;
    *out_other = mlirOperationGetOperand(op, 1 - i);
    return true;
  }
  return false;
}

static MlirOperation producerAlone(MlirValue v, MlirBlock block) {
  MlirOperation op = tileValueGetDefiningOp(v);
  return op.ptr && tileValueHasOneUse(v) && mlirBlockEqual(mlirOperationGetBlock(op), block)
             ? op
             : (MlirOperation){NULL};
}

/* The scores: what the argument is before it is multiplied. */
static MlirValue scoresOf(MathBuilder *scalar, MlirOperation op, Factor *k) {
  MlirValue s = mlirOperationGetOperand(op, 0);
  for (;;) {
    MlirOperation product = producerAlone(s, mlirOperationGetBlock(op));
    if (!product.ptr || !takeFactor(scalar, product, k, &s))
      return s;
  }
}

/* The last of the products that take the result one after the other. */
static MlirOperation lastOf(MathBuilder *scalar, MlirOperation op, Factor *c) {
  for (;;) {
    MlirOperation user = tileValueOnlyUser(mlirOperationGetResult(op, 0));
    MlirValue other;
    if (!user.ptr || !mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op)) ||
        tileOpKind(user) != TileOp_Arith_MulF || !takeFactor(scalar, user, c, &other))
      return op;
    op = user;
  }
}

/* The score that a thread may have, at most: below zero where the coefficients may be out of range. */
static MlirValue inRange(MathBuilder *scalar, const Series *series, MlirValue k, MlirValue c,
                         MlirValue limit) {
  MlirValue size = mathAbs(scalar, k), cap = mathAbs(scalar, c);
  limit =
      mathSelect(scalar, mathCompareK(scalar, MathOrder_GE, size, 0x1p-16), limit, mathConstant(scalar, -1));
  limit = mathSelect(scalar, mathCompareK(scalar, MathOrder_LE, size, 4), limit, mathConstant(scalar, -1));
  limit =
      mathSelect(scalar, mathCompareK(scalar, MathOrder_GE, cap, 0x1p-10), limit, mathConstant(scalar, -1));
  return mathSelect(scalar, mathCompareK(scalar, MathOrder_LE, cap, series->mostCap), limit,
                    mathConstant(scalar, -1));
}

static MlirValue bound(MathBuilder *scalar, const Series *series, MlirValue k, MlirValue c) {
  return inRange(scalar, series, k, c,
                 mathDiv(scalar, mathConstant(scalar, series->most), mathAbs(scalar, k)));
}

static MlirValue everywhere(MathBuilder *m, MlirValue scalar) {
  return tileSplatOpGetResult(tileSplatOpCreate(m->b, m->loc, m->type, scalar));
}

/* The coefficients in z - x, by steps of Horner's scheme. */
static void shift(const Series *series, double x, double *out) {
  for (int i = 0; i < series->count; ++i)
    out[i] = series->c[i];
  for (int i = 0; i < series->count; ++i)
    for (int j = series->count - 2; j >= i; --j)
      out[j] += x * out[j + 1];
}

/* In z, the score's square, or that less the bound's (which has a sign where the score is small). */
static MlirValue polynomial(MathBuilder *m, MathBuilder *scalar, const Series *series, MlirValue s,
                            MlirValue k, MlirValue c, MlirValue z, bool isShifted) {
  MlirValue square = mathMul(scalar, k, k), factor = mathMul(scalar, c, k), coefficients[MAX_COEFFICIENTS];
  double numbers[MAX_COEFFICIENTS];
  shift(series, isShifted ? series->most * series->most : 0, numbers);
  for (int i = 0; i < series->count; ++i) {
    coefficients[i] = everywhere(m, mathMulK(scalar, factor, numbers[i]));
    factor = mathMul(scalar, factor, square);
  }
  MlirValue p = coefficients[series->count - 1];
  for (int i = series->count - 2; i >= 0; --i)
    p = mathFma(m, z, p, coefficients[i]);
  MlirValue y = mathMul(m, s, p);
  if (!isShifted)
    mlirOperationSetDiscardableAttributeByName(tileValueGetDefiningOp(y), tileStr(TILE_RISING),
                                               mlirUnitAttrGet(m->context));
  return y;
}

/* The square of the score less that of the bound. */
static MlirValue squareBeyond(MathBuilder *m, MathBuilder *scalar, const Series *series, MlirValue s,
                              MlirValue k, MlirValue c) {
  MlirValue square =
      mathDiv(scalar, mathConstant(scalar, series->most * series->most), mathMul(scalar, k, k));
  return mathFma(m, s, s, everywhere(m, mathNeg(scalar, inRange(scalar, series, k, c, square))));
}

typedef struct Whole {
  MlirOperation op, last;
} Whole;

/* All as the text says it, by copies of its ops. */
static void whole(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out) {
  const Whole *w = user;
  const MlirValue argument = mlirOperationGetOperand(w->op, 0);
  MlirOperation op = w->op;
  out[0] = mathTanh(m, &argument);
  while (!mlirOperationEqual(op, w->last)) {
    MlirOperation next = tileValueOnlyUser(mlirOperationGetResult(op, 0)), copy = mlirOperationClone(next);
    for (intptr_t i = 0; i < 2; ++i)
      if (mlirValueEqual(mlirOperationGetOperand(next, i), mlirOperationGetResult(op, 0)))
        mlirOperationSetOperand(copy, i, out[0]);
    mlirRewriterBaseInsert(m->b, copy);
    out[0] = mlirOperationGetResult(copy, 0);
    op = next;
  }
  m->whole = true; // of this one, too
}

MlirOperation mathScaledTanh(MathBuilder *m, MlirOperation op, bool bySign) {
  MathBuilder scalar = *m;
  scalar.type = tileTypeGetElement(m->type);
  Factor k = {0}, c = {0};
  mlirRewriterBaseSetInsertionPointBefore(m->b, op);
  MlirValue s = scoresOf(&scalar, op, &k);
  if (!k.count)
    k.value = mathConstant(&scalar, 1);
  MlirOperation last = lastOf(&scalar, op, &c);
  mlirRewriterBaseSetInsertionPointBefore(m->b, last);
  if (!c.count)
    c.value = mathConstant(&scalar, 1);
  MlirValue result = mlirOperationGetResult(last, 0);
  const Series *series = mathIsExponent(result) ? &brief : &full;
  MlirValue z = bySign ? squareBeyond(m, &scalar, series, s, k.value, c.value) : mathMul(m, s, s);
  MlirValue y = polynomial(m, &scalar, series, s, k.value, c.value, z, bySign);
  MlirValue isRare = bySign ? mathCompareInt(m, MathIntOrder_GE, mathBits(m, z), mathInt(m, 0))
                            : mathCompare(m, MathOrder_GE, mathAbs(m, s),
                                          everywhere(m, bound(&scalar, series, k.value, c.value)));
  const Whole w = {op, last};
  m->whole = true;
  mathRarely(m, isRare, whole, &s, &w, 1, &y);
  m->whole = false;
  mlirValueReplaceAllUsesOfWith(result, y);
  return last;
}

MlirValue mathCappedExponent(MathBuilder *m, MlirOperation op) {
  MathBuilder scalar = *m;
  scalar.type = tileTypeGetElement(m->type);
  Factor k = {0}, c = {0};
  mlirRewriterBaseSetInsertionPointBefore(m->b, op);
  MlirValue s = scoresOf(&scalar, op, &k);
  MlirOperation last = lastOf(&scalar, op, &c);
  MlirValue result = mlirOperationGetResult(last, 0);
  if (!k.count || !c.count || !mathIsExponent(result))
    return (MlirValue){NULL};
  mlirRewriterBaseSetInsertionPointAfter(m->b, last);
  MlirValue twice = mathMulK(&scalar, k.value, 0x1.715476p+1), down = mathMulK(&scalar, c.value, -2);
  MlirValue holds = mathCompareK(&scalar, MathOrder_GE,
                                 inRange(&scalar, &brief, k.value, c.value, mathConstant(&scalar, 1)), 0);
  MlirValue power = mathExp2Normal(m, mathMul(m, s, everywhere(m, twice)));
  MlirValue part = mathReciprocalNormal(m, mathAddK(m, power, 1));
  MlirValue y = mathFma(m, part, everywhere(m, down), everywhere(m, c.value));
  MlirType i1 = mlirIntegerTypeGet(m->context, 1);
  MlirValue all =
      tileSplatOpGetResult(tileSplatOpCreate(m->b, m->loc, tileTypeWithElement(m->type, i1), holds));
  MlirValue chosen = mathSelect(m, all, y, result);
  MlirOperation select = tileValueGetDefiningOp(chosen);
  mlirOperationSetDiscardableAttributeByName(select, tileStr("tile_gpu.usual"), mlirUnitAttrGet(m->context));
  mlirValueReplaceAllUsesOfWith(result, chosen);
  mlirOperationSetOperand(select, 2, result);
  return chosen;
}
