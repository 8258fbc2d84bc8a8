/* FormRanges.c - between what a number lies in all iterations of a loop, as values that are known in front of it.
 *
 *   scf.for %t = %pid to %tiles step %n {
 *     %group = arith.divsi %t, %per;  %first = arith.muli %group, 8;  %in = arith.remsi %t, %per
 * %t lies in [%pid, %tiles - 1], %first in [%pid / %per * 8, (%tiles - 1) / %per * 8], %in in [0, %per - 1], if 0 <= %pid, 1 <= %per
 * and nothing wraps around, which is asked too. */
#include "FormRanges.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/OpKind.h"

static bool rangeOf(TileBoxGuard *g, MlirValue v, TileKnownRange *out, int depth);

static MlirValue least(TileBoxGuard *g, MlirValue x, MlirValue y) {
  return tileGuardTwo(g, TileOp_Arith_MinSI, x, y);
}
static MlirValue most(TileBoxGuard *g, MlirValue x, MlirValue y) {
  return tileGuardTwo(g, TileOp_Arith_MaxSI, x, y);
}

/* x / y of 32 bits, where x is not negative and y is not 0; else some number. */
static MlirValue quotient(TileBoxGuard *g, MlirValue x, MlirValue y) {
  MlirType i32 = mlirIntegerTypeGet(g->context, 32), i64 = mlirIntegerTypeGet(g->context, 64);
  MlirAttribute none = {NULL};
  MlirValue one = tileCreateInteger(g->b, g->loc, i32, 1);
  MlirValue a = arithTruncIOpGetOut(arithTruncIOpCreate(g->b, g->loc, i32, x, none)),
            b = arithTruncIOpGetOut(arithTruncIOpCreate(g->b, g->loc, i32, y, none));
  b = tileGuardTwo(g, TileOp_Arith_MaxUI, b, one);
  return arithExtSIOpGetOut(arithExtSIOpCreate(g->b, g->loc, i64, tileGuardTwo(g, TileOp_Arith_DivUI, a, b)));
}

/* What does not wrap around in 32 bits. */
static void requireNarrow(TileBoxGuard *g, MlirValue v, const TileKnownRange *r) {
  if (tileElementTypeOf(mlirValueGetType(v)) != TileElementType_I32)
    return;
  tileGuardRequire(g, tileGuardNumber(g, INT32_MIN), r->low);
  tileGuardRequire(g, r->high, tileGuardNumber(g, INT32_MAX));
}

static void rangeOfProduct(TileBoxGuard *g, const TileKnownRange *x, const TileKnownRange *y,
                           TileKnownRange *out) {
  MlirValue first = tileGuardTwo(g, TileOp_Arith_MulI, x->low, y->low),
            last = tileGuardTwo(g, TileOp_Arith_MulI, x->high, y->high);
  out->low = least(g, first, last);
  out->high = most(g, first, last);
  if (x->isExact || y->isExact)
    return;
  first = tileGuardTwo(g, TileOp_Arith_MulI, x->low, y->high);
  last = tileGuardTwo(g, TileOp_Arith_MulI, x->high, y->low);
  out->low = least(g, out->low, least(g, first, last));
  out->high = most(g, out->high, most(g, first, last));
}

/* Quotients and remainders of numbers of 32 bits that are not negative. */
static bool rangeOfQuotient(TileBoxGuard *g, MlirOperation op, const TileKnownRange *x,
                            const TileKnownRange *y, TileKnownRange *out) {
  const TileOpKind kind = tileOpKind(op);
  MlirValue one = tileGuardNumber(g, 1), zero = tileGuardNumber(g, 0);
  if (tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(op, 0))) != TileElementType_I32)
    return false;
  tileGuardRequire(g, zero, x->low);
  tileGuardRequire(g, one, y->low);
  MlirValue below = tileGuardTwo(g, TileOp_Arith_SubI, y->high, one);
  if (kind == TileOp_Arith_RemSI || kind == TileOp_Arith_RemUI) {
    out->low = zero;
    out->high = least(g, x->high, below);
    return true;
  }
  MlirValue top = x->high;
  if (kind == TileOp_Arith_CeilDivSI || kind == TileOp_Arith_CeilDivUI)
    top = tileGuardTwo(g, TileOp_Arith_AddI, top, below);
  out->low = quotient(g, x->low, y->high);
  out->high = quotient(g, top, y->low);
  return true;
}

static bool rangeOfTwo(TileBoxGuard *g, MlirOperation op, const TileKnownRange *x, const TileKnownRange *y,
                       TileKnownRange *out) {
  switch (tileOpKind(op)) {
  case TileOp_Arith_AddI:
    out->low = tileGuardTwo(g, TileOp_Arith_AddI, x->low, y->low);
    out->high = tileGuardTwo(g, TileOp_Arith_AddI, x->high, y->high);
    break;
  case TileOp_Arith_SubI:
    out->low = tileGuardTwo(g, TileOp_Arith_SubI, x->low, y->high);
    out->high = tileGuardTwo(g, TileOp_Arith_SubI, x->high, y->low);
    break;
  case TileOp_Arith_MulI:
    rangeOfProduct(g, x, y, out);
    break;
  case TileOp_Arith_MinSI:
    out->low = least(g, x->low, y->low);
    out->high = least(g, x->high, y->high);
    return true;
  case TileOp_Arith_MaxSI:
    out->low = most(g, x->low, y->low);
    out->high = most(g, x->high, y->high);
    return true;
  case TileOp_Arith_DivSI:
  case TileOp_Arith_DivUI:
  case TileOp_Arith_CeilDivSI:
  case TileOp_Arith_CeilDivUI:
  case TileOp_Arith_RemSI:
  case TileOp_Arith_RemUI:
    return rangeOfQuotient(g, op, x, y, out);
  default:
    return false;
  }
  requireNarrow(g, mlirOperationGetResult(op, 0), out);
  return true;
}

static bool rangeOfOp(TileBoxGuard *g, MlirValue v, TileKnownRange *out, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  TileKnownRange parts[3];
  const intptr_t n = mlirOperationGetNumOperands(op);
  const TileOpKind kind = tileOpKind(op);
  bool isExact = true;
  if (n > 3)
    return false;
  for (intptr_t i = 0; i < n; ++i) {
    if (kind == TileOp_Arith_Select && !i)
      continue;
    if (!rangeOf(g, mlirOperationGetOperand(op, i), &parts[i], depth - 1))
      return false;
    isExact &= parts[i].isExact;
  }
  if (isExact && kind != TileOp_Arith_Select) {
    out->low = out->high = tileGuardWide(g, v);
    return out->isExact = true;
  }
  out->isExact = false;
  if (kind == TileOp_Arith_Select) {
    out->low = least(g, parts[1].low, parts[2].low);
    out->high = most(g, parts[1].high, parts[2].high);
    return true;
  }
  if (kind == TileOp_Arith_ExtSI) {
    *out = parts[0];
    return true;
  }
  return n == 2 && rangeOfTwo(g, op, &parts[0], &parts[1], out);
}

static bool rangeOf(TileBoxGuard *g, MlirValue v, TileKnownRange *out, int depth) {
  MlirValue iv = mlirBlockGetArgument(mlirRegionGetFirstBlock(scfForOpGetRegion(g->scan)), 0);
  for (int i = 0; i < g->numRanges; ++i)
    if (g->ranges[i].value.ptr == v.ptr) {
      *out = g->ranges[i];
      return true;
    }
  const TileElementType type = tileElementTypeOf(mlirValueGetType(v));
  if (!depth || g->numRanges == TileBoxGuard_MostRanges ||
      (type != TileElementType_I32 && type != TileElementType_I64 && type != TileElementType_I1))
    return false;
  *out = (TileKnownRange){.isExact = false};
  if (mlirValueEqual(v, iv)) {
    out->low = tileGuardWide(g, scfForOpGetLowerBound(g->scan));
    out->high = tileGuardTwo(g, TileOp_Arith_SubI, tileGuardWide(g, scfForOpGetUpperBound(g->scan)),
                             tileGuardNumber(g, 1));
    if (scfForOpGetUnsignedCmp(g->scan))
      return false;
  } else if (!tileValueGetDefiningOp(v).ptr) {
    out->low = out->high = tileGuardWide(g, v);
    out->isExact = true;
  } else if (!rangeOfOp(g, v, out, depth)) {
    return false;
  }
  if (g->numRanges == TileBoxGuard_MostRanges)
    return false;
  out->value = v;
  g->ranges[g->numRanges++] = *out;
  return true;
}

bool tileGuardRangeInLoop(TileBoxGuard *g, MlirValue v, TileGuardRange *out) {
  enum { MostDepth = 32 };
  TileKnownRange r;
  if (!rangeOf(g, v, &r, MostDepth))
    return false;
  *out = (TileGuardRange){r.low, r.high};
  return true;
}
