/* SmallNumbers.c - comparisons and conversions of integers that are known to be small (tile-c/SmallNumbers.h).
 *
 * What the registers of a thread hold are sums of a few values with different constants: rows and columns of neighbours
 * differ by constants. So one sum serves many registers, and their constants move to the other side of a comparison, where
 * they are part of the instruction, or behind the conversion, where they are added exactly:
 *
 *   (j + c + 8) <= (m + r)           =>   (j + c - m - r) <= -8
 *   float((j + c + 8) - (m + r))     =>   float(j + c - m - r) + 8.0
 *
 * Comparisons of numbers that may be large, which stand beside those as what hardly ever runs, compute theirs anew: columns and rows would
 * else wait in registers of their own for the whole length of loops.
 *
 * Registers with the same sum and constant (row and column both 8 further) share a result. */
#include "tile-c/SmallNumbers.h"
#include "Elementwise.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/TileNV.h"

enum { MAX_LEAVES = 8, MAX_DEPTH = 8, MAX_CONSTANT = 1 << 20 };

/* The sum of some leaves, each as it is or negated, and a constant. */
typedef struct Linear {
  int n;
  MlirValue leaves[MAX_LEAVES];
  bool negative[MAX_LEAVES];
  int64_t constant;
} Linear;

static bool addLeaf(Linear *out, MlirValue v, bool negative) {
  for (int i = 0; i < out->n; ++i)
    if (out->leaves[i].ptr == v.ptr && out->negative[i] != negative) {
      --out->n;
      out->leaves[i] = out->leaves[out->n];
      out->negative[i] = out->negative[out->n];
      return true;
    }
  if (out->n == MAX_LEAVES)
    return false;
  out->leaves[out->n] = v;
  out->negative[out->n++] = negative;
  return true;
}

static bool addTo(Linear *out, MlirValue v, bool negative, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  TileOpKind kind = op.ptr ? tileOpKind(op) : TileOp_None;
  int64_t constant;
  if (kind == TileOp_LLVM_Constant &&
      tileAttrIsSplatInt(llvmConstantOpGetValueAttr(llvmConstantOpCast(op)), &constant)) {
    out->constant += negative ? -constant : constant;
    return constant > -MAX_CONSTANT && constant < MAX_CONSTANT;
  }
  if ((kind == TileOp_LLVM_Add || kind == TileOp_LLVM_Sub) && depth < MAX_DEPTH)
    return addTo(out, mlirOperationGetOperand(op, 0), negative, depth + 1) &&
           addTo(out, mlirOperationGetOperand(op, 1), negative != (kind == TileOp_LLVM_Sub), depth + 1);
  return addLeaf(out, v, negative);
}

static bool sameLeaves(const Linear *a, const Linear *b) {
  bool same = a->n == b->n;
  for (int i = 0; same && i < a->n; ++i)
    same = a->leaves[i].ptr == b->leaves[i].ptr && a->negative[i] == b->negative[i];
  return same;
}

static MlirValue emitLeaves(TileLowering *l, const Linear *x, int64_t constant) {
  MlirValue sum = {NULL};
  for (int negative = 0; negative < 2; ++negative)
    for (int i = 0; i < x->n; ++i)
      if (x->negative[i] == negative)
        sum = sum.ptr || negative ? tileEmit2(l, negative ? TileOp_LLVM_Sub : TileOp_LLVM_Add,
                                              sum.ptr ? sum : tileEmitI32(l, 0), x->leaves[i])
                                  : x->leaves[i];
  if (!sum.ptr)
    return tileEmitI32(l, constant);
  return constant ? tileEmit2(l, TileOp_LLVM_Add, sum, tileEmitI32(l, constant)) : sum;
}

static bool hasMark(MlirOperation op, const char *mark) {
  return mlirOperationGetDiscardableAttributeByName(op, tileStr(mark)).ptr;
}

/* The result of a register whose leaves are those of `first`: `base` is their sum, or the float of first's number. */
static MlirValue emitFrom(TileLowering *l, MlirOperation op, const Linear *x, const Linear *first,
                          MlirValue *base) {
  if (tileOpKind(op) == TileOp_Arith_CmpI) {
    if (!base->ptr)
      *base = emitLeaves(l, x, 0);
    return tileEmitICmp(l, (LLVMICmpPredicate)arithCmpIOpGetPredicate(arithCmpIOpCast(op)), *base,
                        tileEmitI32(l, -x->constant));
  }
  MlirType f32 = mlirF32TypeGet(l->context);
  if (!hasMark(op,
               TILE_SMALL)) { // any numbers: from one sum that stays in a register, not from a column each
    if (!base->ptr)
      *base = emitLeaves(l, x, 0);
    return tileEmit1(l, TileOp_LLVM_SIToFP, f32,
                     tileEmit2(l, TileOp_LLVM_Add, *base, tileEmitI32(l, x->constant)));
  }
  if (!base->ptr)
    *base = tileEmit1(l, TileOp_LLVM_SIToFP, f32, emitLeaves(l, x, x->constant));
  if (x->constant == first->constant)
    return *base;
  MlirValue distance =
      tileEmitConstant(l, mlirFloatAttrDoubleGet(l->context, f32, (double)(x->constant - first->constant)));
  return tileEmit2(l, TileOp_LLVM_FAdd, *base, distance);
}

/* Whether the sum is of what the kernel's first block computes: such numbers would be there for the kernel's whole length. */
static bool isOfFirstBlock(const TileLowering *l, const Linear *x) {
  for (int i = 0; i < x->n; ++i)
    if (!mlirBlockEqual(tileValueGetBlock(x->leaves[i]), tileValueGetBlock(l->tid)))
      return false;
  return true;
}

/* The registers of one side: of such sums, each from the leaves and a constant, `anew`, so that none waits in a register elsewhere. */
static bool fromSums(TileLowering *l, const TileRegisters *in, MlirValue *out) {
  Linear *sums = tileArenaAlloc(l->arena, (size_t)in->count, sizeof *sums);
  MlirValue *bases = tileArenaAlloc(l->arena, (size_t)in->count, sizeof *bases);
  for (intptr_t i = 0; i < in->count; ++i)
    if (!addTo(&sums[i], in->values[i], false, 0))
      return false;
  for (intptr_t i = 0; i < in->count; ++i) {
    intptr_t first = 0;
    if (!isOfFirstBlock(l, &sums[i])) {
      out[i] = in->values[i];
      continue;
    }
    while (!sameLeaves(&sums[first], &sums[i]))
      ++first;
    if (!bases[first].ptr)
      bases[first] = tileNVAnewOpGetResult(tileNVAnewOpCreate(
          l->b, l->loc, mlirIntegerTypeGet(l->context, 32), emitLeaves(l, &sums[first], 0)));
    out[i] = sums[i].constant ? tileEmit2(l, TileOp_LLVM_Add, bases[first], tileEmitI32(l, sums[i].constant))
                              : bases[first];
  }
  return true;
}

/* A comparison that is hardly ever needed: its numbers are computed where it stands. */
static bool compareAnew(TileLowering *l, MlirOperation op, const TileRegisters *in, TileRegisters out) {
  if (l->target->vendor != TileVendor_NVIDIA)
    return false;
  const LLVMICmpPredicate predicate = (LLVMICmpPredicate)arithCmpIOpGetPredicate(arithCmpIOpCast(op));
  MlirValue *sides[2];
  for (int k = 0; k < 2; ++k) {
    sides[k] = tileArenaAlloc(l->arena, (size_t)in[k].count, sizeof *sides[k]);
    if (in[k].count == 1)
      sides[k][0] = in[k].values[0];
    else if (!fromSums(l, &in[k], sides[k]))
      return false;
  }
  for (intptr_t i = 0; i < out.count; ++i)
    out.values[i] =
        tileEmitICmp(l, predicate, sides[0][in[0].count == 1 ? 0 : i], sides[1][in[1].count == 1 ? 0 : i]);
  return true;
}

static bool canLower(MlirOperation op) {
  const MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0)),
                 to = mlirValueGetType(mlirOperationGetResult(op, 0));
  const bool isComparison = tileOpKind(op) == TileOp_Arith_CmpI;
  return (hasMark(op, TILE_SMALL) || hasMark(op, TILE_SUMS)) &&
         tileElementTypeOf(from) == TileElementType_I32 &&
         (isComparison || tileElementTypeOf(to) == TileElementType_F32);
}

bool tileLowerSmall(TileLowering *l, MlirOperation op, const TileRegisters *in, TileRegisters out) {
  if (!canLower(op))
    return false;
  if (tileOpKind(op) == TileOp_Arith_CmpI && !hasMark(op, TILE_SMALL))
    return compareAnew(l, op, in, out);
  const intptr_t n = mlirOperationGetNumOperands(op);
  Linear *sums = tileArenaAlloc(l->arena, (size_t)out.count, sizeof *sums);
  for (intptr_t i = 0; i < out.count; ++i)
    for (intptr_t k = 0; k < n; ++k)
      if (!addTo(&sums[i], in[k].values[in[k].count == 1 ? 0 : i], k == 1, 0))
        return false;
  MlirValue *bases = tileArenaAlloc(l->arena, (size_t)out.count, sizeof *bases);
  for (intptr_t i = 0; i < out.count; ++i) {
    intptr_t first = 0;
    while (!sameLeaves(&sums[first], &sums[i]))
      ++first;
    for (intptr_t j = first; j < i && !out.values[i].ptr; ++j)
      if (sums[j].constant == sums[i].constant && sameLeaves(&sums[j], &sums[i]))
        out.values[i] = out.values[j];
    if (!out.values[i].ptr)
      out.values[i] = emitFrom(l, op, &sums[i], &sums[first], &bases[first]);
  }
  return true;
}
