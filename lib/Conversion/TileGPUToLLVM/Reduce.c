/* Reduce.c - tile.reduce: in each thread, over the lanes of a warp by shuffles, over warps through shared
 * memory. With `contract` the products that a thread adds up are fused with the additions. */
#include "Combine.h"
#include "tile-c/Combiner.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Scratch.h"

typedef struct Reduction {
  TileCombiner combiner;
  TileLowering *l;
  MlirOperation op;
  TileReducePlan plan;
  intptr_t n;     ///< operands
  bool symmetric; ///< the order of two partial results cannot show
} Reduction;

enum { DEEP_TREE = 128 }; ///< partial results that are too many to be there at once

/* The tree of combineAll, each part of it finished before the next begins: as many partial results wait as the
 * tree is high. */
static TilePartial combineDepthFirst(Reduction *r, TilePartial *parts, intptr_t n) {
  intptr_t waiting = 0;
  for (intptr_t i = 0; i < n; ++i) {
    parts[waiting++] = parts[i];
    for (intptr_t pairs = i + 1; pairs % 2 == 0; pairs /= 2, --waiting)
      parts[waiting - 2] = tileCombine(&r->combiner, &parts[waiting - 2], &parts[waiting - 1]);
  }
  for (; waiting > 1; --waiting)
    parts[waiting - 2] = tileCombine(&r->combiner, &parts[waiting - 2], &parts[waiting - 1]);
  return parts[0];
}

/* Whether partial results are conditions of which all or one must be true. */
static bool joinsConditions(const Reduction *r, const TilePartial *part) {
  MlirOperation op = r->n == 1 ? tileCombinerOp(r->op, 0) : (MlirOperation){NULL};
  MlirType type = mlirValueGetType(part->values[0]);
  return op.ptr && (tileOpKind(op) == TileOp_Arith_OrI || tileOpKind(op) == TileOp_Arith_AndI) &&
         mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

/* Whether three partial results are compared in one instruction. */
static bool comparesThree(const Reduction *r) {
  MlirOperation op = r->n == 1 ? tileCombinerOp(r->op, 0) : (MlirOperation){NULL};
  if (!op.ptr || !tileTargetHas(r->l->target, TileFeature_ThreeWayMaxima) ||
      !mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), mlirIntegerTypeGet(r->l->context, 32)))
    return false;
  const TileOpKind kind = tileOpKind(op);
  return kind == TileOp_Arith_MaxSI || kind == TileOp_Arith_MinSI || kind == TileOp_Arith_MaxUI ||
         kind == TileOp_Arith_MinUI;
}

/* A tree of three branches each, as ptxas fuses them. */
static TilePartial combineThrees(Reduction *r, TilePartial *parts, intptr_t n) {
  for (; n > 1; n = (n + 2) / 3)
    for (intptr_t i = 0; i < n; i += 3) {
      TilePartial part = parts[i];
      for (intptr_t j = i + 1; j < n && j < i + 3; ++j)
        part = tileCombine(&r->combiner, &part, &parts[j]);
      parts[i / 3] = part;
    }
  return parts[0];
}

/* Neighbours first: a tree, so that the chain of dependent operations is short. LLVM makes a chain of conditions in any case,
 * but asks before of each condition in one half of a tree what it says of each in the other: a tenth of bool_any's time. */
static TilePartial combineAll(Reduction *r, TilePartial *parts, intptr_t n) {
  if (n > 2 && r->l->target->vendor == TileVendor_NVIDIA && joinsConditions(r, parts)) {
    for (intptr_t i = 1; i < n; ++i)
      parts[0] = tileCombine(&r->combiner, &parts[0], &parts[i]);
    return parts[0];
  }
  if (comparesThree(r) && n <= DEEP_TREE)
    return combineThrees(r, parts, n);
  if (n > DEEP_TREE)
    return combineDepthFirst(r, parts, n);
  for (; n > 1; n = (n + 1) / 2)
    for (intptr_t i = 0; i < n; i += 2)
      parts[i / 2] = i + 1 < n ? tileCombine(&r->combiner, &parts[i], &parts[i + 1]) : parts[i];
  return parts[0];
}

/* first + second, which is not rounded by itself if it is a product. */
static TilePartial addProduct(Reduction *r, const TilePartial *first, const TilePartial *second) {
  TileLowering *l = r->l;
  MlirOperation product = tileValueGetDefiningOp(second->values[0]);
  if (!product.ptr || tileOpKind(product) != TileOp_LLVM_FMul)
    return tileCombine(&r->combiner, first, second);
  MlirValue x = mlirOperationGetOperand(product, 0), y = mlirOperationGetOperand(product, 1);
  return (TilePartial){{tileEmit3(l, TileOp_LLVM_FMA, mlirValueGetType(x), x, y, first->values[0])}};
}

/* A sum of products: a few chains, each of which rounds only its first one. */
static TilePartial addProducts(Reduction *r, TilePartial *parts, intptr_t n) {
  intptr_t chains = n >= 32 ? 4 : n >= 8 ? 2 : 1, each = (n + chains - 1) / chains, ends = 0;
  for (intptr_t from = 0; from < n; from += each) {
    TilePartial sum = parts[from];
    for (intptr_t i = from + 1; i < n && i < from + each; ++i)
      sum = addProduct(r, &sum, &parts[i]);
    parts[ends++] = sum;
  }
  return combineAll(r, parts, ends);
}

/* Whether operand register `reg` belongs to result register `result`. */
static bool belongs(const Reduction *r, int64_t reg, int64_t result, int axis) {
  int32_t from[TileLayout_MaxRank] = {0}, to[TileLayout_MaxRank] = {0};
  tileLayoutApply(&r->plan.operand, reg, 0, 0, 0, from);
  tileLayoutApply(&r->plan.result, result, 0, 0, 0, to);
  for (int d = 0; d < r->plan.result.rank; ++d)
    if (to[d] != from[d < axis ? d : d + 1])
      return false;
  return true;
}

static TilePartial reduceThread(Reduction *r, int64_t result) {
  int axis = (int)tileReduceOpGetAxis(tileReduceOpCast(r->op));
  int64_t registers = tileLayoutNumRegisters(&r->plan.operand);
  uint32_t copies = tileLayoutFreeMask(&r->plan.operand, TileLayoutDim_Register) &
                    tileLayoutZeroMask(&r->plan.operand, TileLayoutDim_Register);
  TilePartial *parts = tileArenaAlloc(r->l->arena, (size_t)registers, sizeof *parts);
  intptr_t n = 0;
  for (int64_t reg = 0; reg < registers; ++reg) {
    if ((uint32_t)reg & copies || !belongs(r, reg, result, axis))
      continue;
    parts[n++] = tilePartialOfRegister(&r->combiner, reg);
  }
  bool contract = tileReduceOpGetContract(tileReduceOpCast(r->op)) && n > 1;
  return contract ? addProducts(r, parts, n) : combineAll(r, parts, n);
}

/* Whether swapping the operands of the body changes nothing, to the last bit. */
static bool isSymmetric(const Reduction *r) {
  for (intptr_t i = 0; i < r->n; ++i) {
    MlirOperation op = tileCombinerOp(r->op, i);
    if (!op.ptr || !tileKindIsCommutative(tileOpKind(op)))
      return false;
  }
  return true;
}

/* Both lanes of a pair combine the same two partial results. Where order may show (rounding, ties), the lower
 * lane's comes first in both: copies of a result have to be equal. */
static TilePartial combineLanes(Reduction *r, const TilePartial *mine, const TilePartial *other, int bit) {
  TileLowering *l = r->l;
  if (r->symmetric)
    return tileCombine(&r->combiner, mine, other);
  MlirValue upper =
      tileEmitICmp(l, LLVMICmpPredicate_ne, tileEmit2(l, TileOp_LLVM_And, l->tid, tileEmitI32(l, 1 << bit)),
                   tileEmitI32(l, 0));
  TilePartial first = tilePartialSelect(&r->combiner, upper, mine, other),
              second = tilePartialSelect(&r->combiner, upper, other, mine);
  return tileCombine(&r->combiner, &first, &second);
}

/* An integer of at most 32 bits over all lanes in one instruction; false if there is none. */
static bool reduceWholeWarp(Reduction *r, TilePartial *part) {
  TileLowering *l = r->l;
  MlirType type = mlirValueGetType(part->values[0]), i32 = mlirIntegerTypeGet(l->context, 32);
  if (!l->hooks->reduceWarp || r->n != 1 || !r->symmetric || !mlirTypeIsAInteger(type) ||
      mlirIntegerTypeGetWidth(type) > 32 || r->plan.laneMask != l->target->warpSize - 1)
    return false;
  MlirOperation op =
      tileValueGetDefiningOp(mlirOperationGetOperand(mlirBlockGetTerminator(r->combiner.body), 0));
  TileOpKind kind = tileOpKind(op);
  bool isSigned = kind == TileOp_Arith_MaxSI || kind == TileOp_Arith_MinSI;
  MlirValue word = part->values[0];
  if (mlirIntegerTypeGetWidth(type) < 32)
    word = tileEmit1(l, isSigned ? TileOp_LLVM_SExt : TileOp_LLVM_ZExt, i32, word);
  MlirValue all = l->hooks->reduceWarp(l, kind, word);
  if (!all.ptr)
    return false;
  part->values[0] = mlirIntegerTypeGetWidth(type) < 32 ? tileEmit1(l, TileOp_LLVM_Trunc, type, all) : all;
  return true;
}

/* Lanes below a bit that were combined already hold the same: any lane of the other half will do, and one that is
 * mirrored may be the cheapest. */
static int partnerMask(const Reduction *r, int bit) {
  uint32_t below = (1u << bit) - 1;
  return (bit == 2 || bit == 3) && (r->plan.laneMask & below) == below ? (1 << bit) | (int)below : 1 << bit;
}

static TilePartial reduceLanes(Reduction *r, TilePartial part) {
  if (r->plan.laneMask && reduceWholeWarp(r, &part))
    return part;
  for (int bit = 0; bit < r->plan.operand.bits[TileLayoutDim_Lane]; ++bit) {
    if (!(r->plan.laneMask >> bit & 1))
      continue;
    TilePartial other;
    for (intptr_t i = 0; i < r->n; ++i)
      other.values[i] = tileEmitShuffleXor(r->l, part.values[i], partnerMask(r, bit));
    part = combineLanes(r, &part, &other, bit);
  }
  return part;
}

/* The warp's number among those that hold parts of one result: its bits of warpMask, gathered. */
static MlirValue axisWarp(Reduction *r) {
  TileLowering *l = r->l;
  int lanes = r->plan.operand.bits[TileLayoutDim_Lane], next = 0;
  MlirValue number = tileEmitI32(l, 0);
  for (int bit = 0; bit < r->plan.operand.bits[TileLayoutDim_Warp]; ++bit) {
    if (!(r->plan.warpMask >> bit & 1))
      continue;
    MlirValue b = tileEmit2(l, TileOp_LLVM_LShr, l->tid, tileEmitI32(l, lanes + bit));
    b = tileEmit2(l, TileOp_LLVM_Shl, tileEmit2(l, TileOp_LLVM_And, b, tileEmitI32(l, 1)),
                  tileEmitI32(l, next++));
    number = tileEmit2(l, TileOp_LLVM_Or, number, b);
  }
  return number;
}

static MlirValue scratchElement(Reduction *r, intptr_t operand, MlirType memory, MlirValue warp,
                                MlirValue index) {
  TileLowering *l = r->l;
  MlirValue base =
      tileEmitSharedPointer(l, tileScratchOffset(r->op) + tileReduceOffset(r->op, &r->plan, operand));
  MlirValue row = tileEmit2(l, TileOp_LLVM_Mul, warp, tileEmitI32(l, r->plan.resultElements));
  return tileEmitSharedElement(l, base, memory, tileEmit2(l, TileOp_LLVM_Add, row, index));
}

static TileAccess scalarAccess(MlirValue pointer, MlirType memory) {
  return (TileAccess){
      .pointer = pointer, .element = memory, .width = 1, .alignment = (int)tileTypeBits(memory) / 8};
}

/* Where a result stands among those of its warp: in the tensor's order, or in rounds where the thread and the register
 * say. */
static MlirValue placeOf(Reduction *r, int64_t result) {
  TileLowering *l = r->l;
  int positions[32], n = 0;
  if (r->plan.perRound == tileLayoutNumRegisters(&r->plan.result))
    return tileEmitFlatIndex(l, &r->plan.result, (int)result);
  for (int bit = 0; bit < 32; ++bit)
    if (r->plan.slotMask >> bit & 1)
      positions[n++] = bit;
  return tileEmit2(l, TileOp_LLVM_Add, tileEmitGatherBits(l, l->tid, positions, n),
                   tileEmitI32(l, result % r->plan.perRound << n));
}

/* Lane 0 of each group of lanes along the axis stores what its warp has. */
static void storePartials(Reduction *r, const TilePartial *parts, int64_t first) {
  TileLowering *l = r->l;
  MlirBlock store = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  uint32_t idle = r->plan.laneMask | tileLayoutZeroMask(&r->plan.operand, TileLayoutDim_Lane);
  MlirValue bits = tileEmit2(l, TileOp_LLVM_And, l->tid, tileEmitI32(l, idle));
  tileEmitCondBranch(l, tileEmitICmp(l, LLVMICmpPredicate_eq, bits, tileEmitI32(l, 0)), store, 0, NULL, after,
                     0, NULL);
  tileEnterBlock(l, store);
  MlirValue warp = axisWarp(r);
  for (int64_t k = first; k < first + r->plan.perRound; ++k) {
    MlirValue index = placeOf(r, k);
    for (intptr_t i = 0; i < r->n; ++i) {
      MlirValue v = tileToMemory(l, parts[k].values[i]);
      TileAccess to =
          scalarAccess(scratchElement(r, i, mlirValueGetType(v), warp, index), mlirValueGetType(v));
      tileEmitPlainStore(l, &to, &v);
    }
  }
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

static TilePartial loadPartials(Reduction *r, const TilePartial *like, int64_t result) {
  TileLowering *l = r->l;
  TilePartial *parts = tileArenaAlloc(l->arena, (size_t)r->plan.axisWarps, sizeof *parts);
  MlirValue index = placeOf(r, result);
  for (int w = 0; w < r->plan.axisWarps; ++w)
    for (intptr_t i = 0; i < r->n; ++i) {
      MlirType type = mlirValueGetType(like->values[i]), memory = tileMemoryType(l, type);
      TileAccess from = scalarAccess(scratchElement(r, i, memory, tileEmitI32(l, w), index), memory);
      MlirValue v;
      tileEmitPlainLoad(l, &from, &v);
      parts[w].values[i] = tileFromMemory(l, v, type);
    }
  return combineAll(r, parts, r->plan.axisWarps);
}

static void reduceWarps(Reduction *r, TilePartial *parts, int64_t results) {
  tileEmitScratchBarrier(r->l, r->op);
  for (int64_t first = 0; first < results; first += r->plan.perRound) {
    if (first)
      r->l->hooks->barrier(r->l);
    storePartials(r, parts, first);
    r->l->hooks->barrier(r->l);
    for (int64_t k = first; k < first + r->plan.perRound; ++k)
      parts[k] = loadPartials(r, &parts[k], k);
  }
}

MlirLogicalResult tileLowerReduce(TileLowering *l, MlirOperation op) {
  Reduction r = {.l = l, .op = op, .n = mlirOperationGetNumOperands(op)};
  if (tileFailed(tileCombinerInit(l, op, &r.combiner)) || !tileReducePlan(op, l->target, 0, &r.plan))
    return tileFailure();
  r.symmetric = isSymmetric(&r);
  int64_t results = tileLayoutNumRegisters(&r.plan.result);
  TilePartial *parts = tileArenaAlloc(l->arena, (size_t)results, sizeof *parts);
  for (int64_t k = 0; k < results && !r.combiner.failed; ++k) {
    parts[k] = reduceThread(&r, k);
    if (!r.combiner.failed)
      parts[k] = reduceLanes(&r, parts[k]);
  }
  if (!r.combiner.failed && r.plan.warpMask)
    reduceWarps(&r, parts, results);
  if (r.combiner.failed)
    return tileFailure();
  for (intptr_t i = 0; i < r.n; ++i) {
    TileRegisters out = tileNewRegisters(l, (intptr_t)results);
    for (int64_t k = 0; k < results; ++k)
      out.values[k] = parts[k].values[i];
    tileBind(l, mlirOperationGetResult(op, i), out);
  }
  return tileSuccess();
}
