/* CostNumbers.c - evaluates a kernel's scalars from the parameters that are known, for the first program. */
#include "CostWalk.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"

void tileCostSetNumber(TileCostWalk *w, MlirValue v, int64_t value) {
  int64_t *number = tileArenaAlloc(w->arena, 1, sizeof *number);
  *number = value;
  tilePointerMapSet(&w->numbers, v.ptr, number);
}

static bool operands(TileCostWalk *w, MlirOperation op, int64_t out[3]) {
  const intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n; ++i)
    if (i >= 3 || !tileCostNumber(w, mlirOperationGetOperand(op, i), &out[i]))
      return false;
  return n > 0;
}

static int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }

static bool compare(int64_t predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case ArithCmpIPredicate_eq:
    return a == b;
  case ArithCmpIPredicate_ne:
    return a != b;
  case ArithCmpIPredicate_slt:
  case ArithCmpIPredicate_ult:
    return a < b;
  case ArithCmpIPredicate_sle:
  case ArithCmpIPredicate_ule:
    return a <= b;
  case ArithCmpIPredicate_sgt:
  case ArithCmpIPredicate_ugt:
    return a > b;
  default:
    return a >= b;
  }
}

static bool divide(TileOpKind kind, int64_t a, int64_t b, int64_t *out) {
  if (!b || b == -1)
    return false;
  switch (kind) {
  case TileOp_Arith_CeilDivSI:
  case TileOp_Arith_CeilDivUI:
    return *out = ceilDiv(a, b), true;
  case TileOp_Arith_RemSI:
  case TileOp_Arith_RemUI:
    return *out = a % b, true;
  default:
    return *out = a / b, true;
  }
}

bool tileCostCompute(MlirOperation op, const int64_t v[3], int64_t *out) {
  const TileOpKind kind = tileOpKind(op);
  switch (kind) {
  case TileOp_Arith_AddI:
    return !__builtin_add_overflow(v[0], v[1], out);
  case TileOp_Arith_SubI:
    return !__builtin_sub_overflow(v[0], v[1], out);
  case TileOp_Arith_MulI:
    return !__builtin_mul_overflow(v[0], v[1], out);
  case TileOp_Arith_MinSI:
  case TileOp_Arith_MinUI:
    return *out = v[0] < v[1] ? v[0] : v[1], true;
  case TileOp_Arith_MaxSI:
  case TileOp_Arith_MaxUI:
    return *out = v[0] > v[1] ? v[0] : v[1], true;
  case TileOp_Arith_DivSI:
  case TileOp_Arith_DivUI:
  case TileOp_Arith_CeilDivSI:
  case TileOp_Arith_CeilDivUI:
  case TileOp_Arith_RemSI:
  case TileOp_Arith_RemUI:
    return divide(kind, v[0], v[1], out);
  case TileOp_Arith_IndexCast:
  case TileOp_Arith_ExtSI:
  case TileOp_Arith_ExtUI:
  case TileOp_Arith_TruncI:
    return *out = v[0], true;
  case TileOp_Arith_Select:
    return *out = v[0] ? v[1] : v[2], true;
  case TileOp_Arith_CmpI:
    return *out = compare(arithCmpIOpGetPredicate(arithCmpIOpCast(op)), v[0], v[1]), true;
  default:
    return false;
  }
}

static bool evaluate(TileCostWalk *w, MlirOperation op, int64_t *out) {
  int64_t v[3];
  switch (tileOpKind(op)) {
  case TileOp_Tile_ProgramId:
    return *out = 0, true;
  case TileOp_Tile_NumPrograms:
    return *out = (int64_t)w->in->programs, true;
  default:
    return operands(w, op, v) && tileCostCompute(op, v, out);
  }
}

bool tileCostNumber(TileCostWalk *w, MlirValue v, int64_t *out_value) {
  const int64_t *known = tilePointerMapFind(&w->numbers, v.ptr);
  if (known)
    return *out_value = *known, true;
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || tileTypeIsTensor(mlirValueGetType(v)))
    return false;
  if (!tileValueConstantInt(v, out_value)) {
    enum { MaxDepth = 64 };
    if (mlirOperationGetNumRegions(op) || w->depth > MaxDepth)
      return false;
    ++w->depth;
    const bool ok = evaluate(w, op, out_value);
    --w->depth;
    if (!ok)
      return false;
  }
  tileCostSetNumber(w, v, *out_value);
  return true;
}
