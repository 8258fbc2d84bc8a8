/* AxisAssume.c - what tile.assume and the use of program ids say before the flow of claims starts. */
#include "AxisFlow.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"

static AxisAssumption *assumptionOf(TileAxisInfo *info, MlirValue v) {
  AxisAssumption *a = tilePointerMapFind(&info->assumptions, v.ptr);
  if (a)
    return a;
  a = tileArenaAlloc(&info->arena, 1, sizeof *a);
  *a = (AxisAssumption){INT64_MIN, INT64_MAX, 1};
  tilePointerMapSet(&info->assumptions, v.ptr, a);
  return a;
}

/* v % n == 0 */
static void assumeMultiple(TileAxisInfo *info, MlirBlock where, MlirValue remainder) {
  MlirOperation op = tileValueGetDefiningOp(remainder);
  int64_t n;
  if (!op.ptr || (tileOpKind(op) != TileOp_Arith_RemSI && tileOpKind(op) != TileOp_Arith_RemUI))
    return;
  MlirValue v = mlirOperationGetOperand(op, 0);
  if (!tileValueConstantInt(mlirOperationGetOperand(op, 1), &n) || n < 1 ||
      !mlirBlockEqual(tileValueGetBlock(v), where))
    return;
  AxisAssumption *a = assumptionOf(info, v);
  if (a->divisibility < tileAxisPowerOf(n))
    a->divisibility = tileAxisPowerOf(n);
}

static ArithCmpIPredicate mirrored(ArithCmpIPredicate p) {
  static const ArithCmpIPredicate other[] = {
      ArithCmpIPredicate_eq,  ArithCmpIPredicate_ne,  ArithCmpIPredicate_sgt, ArithCmpIPredicate_sge,
      ArithCmpIPredicate_slt, ArithCmpIPredicate_sle, ArithCmpIPredicate_ugt, ArithCmpIPredicate_uge,
      ArithCmpIPredicate_ult, ArithCmpIPredicate_ule};
  return other[p];
}

static void assumeBound(AxisAssumption *a, ArithCmpIPredicate p, int64_t bound) {
  int64_t low = INT64_MIN, high = INT64_MAX;
  if (p == ArithCmpIPredicate_eq || p == ArithCmpIPredicate_sge)
    low = bound;
  if (p == ArithCmpIPredicate_sgt && bound < INT64_MAX)
    low = bound + 1;
  if (p == ArithCmpIPredicate_eq || p == ArithCmpIPredicate_sle ||
      (p == ArithCmpIPredicate_ule && bound >= 0))
    high = bound;
  if ((p == ArithCmpIPredicate_slt && bound > INT64_MIN) || (p == ArithCmpIPredicate_ult && bound > 0))
    high = bound - 1;
  if (high != INT64_MAX && (p == ArithCmpIPredicate_ult || p == ArithCmpIPredicate_ule))
    low = 0;
  a->min = low > a->min ? low : a->min;
  a->max = high < a->max ? high : a->max;
}

/* A fact about a value holds wherever the value is used, if the assumption is in the value's own block:
 * whoever computes the value comes by it. */
static void assume(TileAxisInfo *info, MlirBlock where, MlirValue condition) {
  MlirOperation op = tileValueGetDefiningOp(condition);
  if (op.ptr && tileOpKind(op) == TileOp_Arith_AndI) {
    assume(info, where, mlirOperationGetOperand(op, 0));
    assume(info, where, mlirOperationGetOperand(op, 1));
    return;
  }
  ArithCmpIOp cmp = arithCmpIOpCast(op);
  if (arithCmpIOpIsNull(cmp))
    return;
  ArithCmpIPredicate p = arithCmpIOpGetPredicate(cmp);
  MlirValue v = arithCmpIOpGetLhs(cmp), other = arithCmpIOpGetRhs(cmp);
  int64_t bound;
  if (tileValueConstantInt(v, &bound)) {
    MlirValue swapped = v;
    v = other;
    other = swapped;
    p = mirrored(p);
  }
  if (!tileValueConstantInt(other, &bound) || tileTypeIsTensor(mlirValueGetType(v)))
    return;
  if (p == ArithCmpIPredicate_eq && bound == 0)
    assumeMultiple(info, where, v);
  if (mlirBlockEqual(tileValueGetBlock(v), where))
    assumeBound(assumptionOf(info, v), p, bound);
}

/* pid * constant stays within i32 for this many programs. */
static void boundPrograms(TileAxisInfo *info, TileProgramIdOp pid) {
  int64_t *most = &info->maxPrograms[tileProgramIdOpGetAxis(pid)];
  MlirValue id = tileProgramIdOpGetResult(pid);
  for (MlirOpOperand use = mlirValueGetFirstUse(id); use.ptr; use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    TileOpKind kind = tileOpKind(user);
    int64_t factor;
    if (kind != TileOp_Arith_MulI && kind != TileOp_Arith_ShLI)
      continue;
    bool first = mlirOpOperandGetOperandNumber(use) == 0;
    if ((!first && kind == TileOp_Arith_ShLI) ||
        !tileValueConstantInt(mlirOperationGetOperand(user, first ? 1 : 0), &factor))
      continue;
    if (kind == TileOp_Arith_ShLI)
      factor = factor >= 0 && factor < 31 ? INT64_C(1) << factor : 1;
    if (factor > 1 && (INT64_C(1) << 31) / factor < *most)
      *most = (INT64_C(1) << 31) / factor;
  }
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  TileAxisInfo *info = user;
  if (tileOpKind(op) == TileOp_Tile_Assume)
    assume(info, mlirOperationGetBlock(op), tileAssumeOpGetCondition(tileAssumeOpCast(op)));
  if (tileOpKind(op) == TileOp_Tile_ProgramId)
    boundPrograms(info, tileProgramIdOpCast(op));
  return MlirWalkResultAdvance;
}

void axisCollectAssumptions(TileAxisInfo *info, MlirOperation root) {
  // Grids: 2^31 - 1 programs along x, 65535 along y and z (CUDA programming guide, compute capabilities).
  info->maxPrograms[0] = INT32_MAX;
  info->maxPrograms[1] = info->maxPrograms[2] = 65535;
  mlirOperationWalk(root, collect, info, MlirWalkPreOrder);
}
