/* Atomic.c - tile.atomic_rmw and tile.atomic_cas: one LLVM atomic for each element, by one thread; neighbours of a thread are
 * added in vectors where the chip can and nobody reads what was there.
 *
 * What the hardware lacks (f16 or bf16 adds, 16-bit exchanges) LLVM expands into compare-and-swap loops. Of
 * threads and registers that hold copies of an element one acts; where the result is used, the others get it
 * through shared memory. */
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Scratch.h"

typedef struct Atomic {
  MlirOperation op;
  MlirValue mask; ///< null: all
  TileRegisters pointers, values, compares;
  bool isCas;
  int64_t kind, sem, scope;
  MlirType type; ///< LLVM type of an element
  MlirValue owner;
  TileLayout layout; ///< rank 0, no bits, for a scalar
} Atomic;

static LLVMAtomicOrdering orderingOf(int64_t sem) {
  static const LLVMAtomicOrdering orderings[] = {
      [TileMemSemantic_Relaxed] = LLVMAtomicOrdering_monotonic,
      [TileMemSemantic_Acquire] = LLVMAtomicOrdering_acquire,
      [TileMemSemantic_Release] = LLVMAtomicOrdering_release,
      [TileMemSemantic_AcqRel] = LLVMAtomicOrdering_acq_rel,
  };
  return orderings[sem];
}

/* A failed exchange stores nothing, so it releases nothing. */
static LLVMAtomicOrdering failureOrdering(LLVMAtomicOrdering o) {
  return o == LLVMAtomicOrdering_acq_rel   ? LLVMAtomicOrdering_acquire
         : o == LLVMAtomicOrdering_release ? LLVMAtomicOrdering_monotonic
                                           : o;
}

static LLVMAtomicBinOp binaryOf(int64_t kind, MlirType type) {
  static const LLVMAtomicBinOp ops[] = {
      [TileRMWKind_And] = LLVMAtomicBinOp__and,      [TileRMWKind_Or] = LLVMAtomicBinOp__or,
      [TileRMWKind_Xor] = LLVMAtomicBinOp__xor,      [TileRMWKind_Add] = LLVMAtomicBinOp_add,
      [TileRMWKind_FAdd] = LLVMAtomicBinOp_fadd,     [TileRMWKind_Max] = LLVMAtomicBinOp_max,
      [TileRMWKind_Min] = LLVMAtomicBinOp_min,       [TileRMWKind_UMax] = LLVMAtomicBinOp_umax,
      [TileRMWKind_UMin] = LLVMAtomicBinOp_umin,     [TileRMWKind_Exch] = LLVMAtomicBinOp_xchg,
      [TileRMWKind_Inc] = LLVMAtomicBinOp_uinc_wrap, [TileRMWKind_Dec] = LLVMAtomicBinOp_udec_wrap,
  };
  if (mlirTypeIsAFloat(type) && kind == TileRMWKind_Max)
    return LLVMAtomicBinOp_fmax;
  if (mlirTypeIsAFloat(type) && kind == TileRMWKind_Min)
    return LLVMAtomicBinOp_fmin;
  return ops[kind];
}

static MlirAttribute enumAttr(TileLowering *l, int value) { return tileI64Attr(l->context, value); }

static MlirAttribute syncScope(TileLowering *l, int64_t scope) {
  return mlirStringAttrGet(l->context, tileStr(l->hooks->syncScope(scope)));
}

static MlirValue emitRMW(TileLowering *l, const Atomic *a, intptr_t i) {
  LLVMAtomicRMWOpAttrs attrs = {.syncscope = syncScope(l, a->scope),
                                .alignment = tileI64Attr(l->context, tileTypeBits(a->type) / 8)};
  return llvmAtomicRMWOpGetRes(llvmAtomicRMWOpCreate(
      l->b, l->loc, a->type, a->pointers.values[i], a->values.values[i],
      enumAttr(l, binaryOf(a->kind, a->type)), enumAttr(l, orderingOf(a->sem)), &attrs));
}

/* The comparison is of bits: floats travel as integers. */
static MlirValue emitCas(TileLowering *l, const Atomic *a, intptr_t i) {
  MlirType bits = mlirIntegerTypeGet(l->context, tileTypeBits(a->type)),
           i1 = mlirIntegerTypeGet(l->context, 1);
  MlirType fields[] = {bits, i1};
  LLVMAtomicOrdering order = orderingOf(a->sem);
  LLVMAtomicCmpXchgOpAttrs attrs = {.syncscope = syncScope(l, a->scope),
                                    .alignment = tileI64Attr(l->context, tileTypeBits(a->type) / 8)};
  MlirValue pair = llvmAtomicCmpXchgOpGetRes(llvmAtomicCmpXchgOpCreate(
      l->b, l->loc, mlirLLVMStructTypeLiteralGet(l->context, 2, fields, false), a->pointers.values[i],
      tileEmitBitcast(l, a->compares.values[i], bits), tileEmitBitcast(l, a->values.values[i], bits),
      enumAttr(l, order), enumAttr(l, failureOrdering(order)), &attrs));
  int64_t first = 0;
  MlirValue old = llvmExtractValueOpGetRes(
      llvmExtractValueOpCreate(l->b, l->loc, bits, pair, mlirDenseI64ArrayGet(l->context, 1, &first)));
  return tileEmitBitcast(l, old, a->type);
}

static MlirValue emitElement(TileLowering *l, const Atomic *a, intptr_t i) {
  return a->isCas ? emitCas(l, a, i) : emitRMW(l, a, i);
}

static MlirValue predicateOf(TileLowering *l, const Atomic *a, intptr_t i) {
  MlirValue mask = a->mask.ptr ? tileRegistersOf(l, a->mask).values[i] : (MlirValue){NULL};
  if (!mask.ptr || !a->owner.ptr)
    return mask.ptr ? mask : a->owner;
  return tileEmit2(l, TileOp_LLVM_And, mask, a->owner);
}

/* The element's atomic where this thread is the one to do it; elsewhere zero. */
static MlirValue emitPredicated(TileLowering *l, const Atomic *a, intptr_t i) {
  MlirValue predicate = predicateOf(l, a, i), zero = tileEmitZero(l, a->type);
  if (!predicate.ptr)
    return emitElement(l, a, i);
  MlirBlock act = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 1, &a->type);
  tileEmitCondBranch(l, predicate, act, 0, NULL, after, 1, &zero);
  tileEnterBlock(l, act);
  MlirValue old = emitElement(l, a, i);
  tileEmitBranch(l, after, 1, &old);
  tileEnterBlock(l, after);
  return mlirBlockGetArgument(after, 0);
}

static TileAccess scratchAccess(TileLowering *l, const Atomic *a, intptr_t i, MlirType memory) {
  MlirValue base = tileEmitSharedPointer(l, tileScratchOffset(a->op));
  return (TileAccess){.pointer =
                          tileEmitSharedElement(l, base, memory, tileEmitFlatIndex(l, &a->layout, (int)i)),
                      .element = memory,
                      .width = 1,
                      .alignment = (int)tileTypeBits(memory) / 8};
}

/* Owners store what they got, everybody loads it. */
static void shareResults(TileLowering *l, const Atomic *a, TileRegisters out, uint32_t copies) {
  MlirType memory = tileMemoryType(l, a->type);
  MlirBlock store = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  tileEmitScratchBarrier(l, a->op);
  tileEmitCondBranch(l, a->owner, store, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, store);
  for (intptr_t i = 0; i < out.count; ++i) {
    if ((uint32_t)i & copies)
      continue;
    TileAccess to = scratchAccess(l, a, i, memory);
    tileEmitPlainStore(l, &to, &out.values[i]);
  }
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
  l->hooks->fullBarrier(l);
  for (intptr_t i = 0; i < out.count; ++i) {
    TileAccess from = scratchAccess(l, a, i, memory);
    tileEmitPlainLoad(l, &from, &out.values[i]);
  }
}

/* How many neighbours one instruction can add; 1: it takes single elements. */
static int addedAtOnce(TileLowering *l, const Atomic *a, MlirValue pointers, MlirValue result) {
  const bool isHalf = mlirTypeIsAF16(a->type) || mlirTypeIsABF16(a->type);
  const int most = isHalf ? 8 : 4;
  if (a->isCas || a->kind != TileRMWKind_FAdd || !(isHalf || mlirTypeIsAF32(a->type)) ||
      a->sem != TileMemSemantic_Relaxed || a->scope != TileMemScope_GPU || !a->layout.rank ||
      !tileValueIsUnused(result) || !l->hooks->addVector ||
      !tileTargetHas(l->target, TileFeature_AtomicAddF32Vec))
    return 1;
  const int width =
      tileAccessPlan(l->axis, l->target, pointers, a->mask, &a->layout, tileTypeBits(a->type)).width;
  return width < most ? width : most;
}

static void addVectors(TileLowering *l, const Atomic *a, int width, uint32_t copies) {
  for (intptr_t first = 0; first < a->pointers.count; first += width) {
    if ((uint32_t)first & copies)
      continue;
    const TileAccess to = {.pointer = a->pointers.values[first],
                           .element = a->type,
                           .width = width,
                           .alignment = width * (int)tileTypeBits(a->type) / 8};
    MlirValue predicate = predicateOf(l, a, first);
    MlirBlock act = {NULL}, after = {NULL};
    if (predicate.ptr) {
      act = tileAppendBlock(l, 0, NULL);
      after = tileAppendBlock(l, 0, NULL);
      tileEmitCondBranch(l, predicate, act, 0, NULL, after, 0, NULL);
      tileEnterBlock(l, act);
    }
    l->hooks->addVector(l, &to, a->values.values + first);
    if (predicate.ptr) {
      tileEmitBranch(l, after, 0, NULL);
      tileEnterBlock(l, after);
    }
  }
}

static void emitFence(TileLowering *l, const Atomic *a, LLVMAtomicOrdering ordering) {
  llvmFenceOpCreate(l->b, l->loc, enumAttr(l, ordering), syncScope(l, a->scope));
}

/* Elements of a tensor have no order among themselves: one fence in front of all of a thread's and one behind them order what it
 * does before and after. Emits the first one; true if there is to be a second. */
static bool fencesOnce(TileLowering *l, Atomic *a) {
  const int64_t sem = a->sem;
  if (a->isCas || a->pointers.count < 2 || sem == TileMemSemantic_Relaxed)
    return false;
  a->sem = TileMemSemantic_Relaxed;
  if (sem != TileMemSemantic_Acquire)
    emitFence(l, a, LLVMAtomicOrdering_release);
  return sem != TileMemSemantic_Release;
}

static MlirLogicalResult lowerAtomic(TileLowering *l, Atomic *a, MlirValue pointers, MlirValue result) {
  a->pointers = tileRegistersOf(l, pointers);
  a->type = tileLowerElementType(l, mlirValueGetType(result));
  bool tensor = tileTypeIsTensor(mlirValueGetType(pointers));
  a->layout = tileLayoutEmpty(0);
  if (tensor && tileFailed(tileRequireLayout(a->op, pointers, &a->layout)))
    return tileFailure();
  a->owner = tensor ? tileEmitOwnerPredicate(l, &a->layout) : tileEmitFirstThread(l);
  uint32_t copies = tensor ? tileLayoutFreeMask(&a->layout, TileLayoutDim_Register) : 0;
  TileRegisters out = tileNewRegisters(l, a->pointers.count);
  const bool acquires = tensor && fencesOnce(l, a);
  const int width = addedAtOnce(l, a, pointers, result);
  if (width > 1) {
    addVectors(l, a, width, copies);
    if (acquires)
      emitFence(l, a, LLVMAtomicOrdering_acquire);
    tileBind(l, result, a->values); // nobody asks
    return tileSuccess();
  }
  for (intptr_t i = 0; i < out.count; ++i)
    out.values[i] = (uint32_t)i & copies ? (MlirValue){NULL} : emitPredicated(l, a, i);
  if (acquires)
    emitFence(l, a, LLVMAtomicOrdering_acquire);
  for (intptr_t i = 0; i < out.count; ++i)
    if (!out.values[i].ptr)
      out.values[i] = out.values[(uint32_t)i & ~copies];
  if (a->owner.ptr && !tileValueIsUnused(result))
    shareResults(l, a, out, copies);
  tileBind(l, result, out);
  return tileSuccess();
}

MlirLogicalResult tileLowerAtomicRMW(TileLowering *l, MlirOperation op) {
  TileAtomicRMWOp rmw = tileAtomicRMWOpCast(op);
  Atomic a = {.op = op,
              .mask = tileAtomicRMWOpGetMask(rmw),
              .values = tileRegistersOf(l, tileAtomicRMWOpGetValue(rmw)),
              .kind = tileAtomicRMWOpGetKind(rmw),
              .sem = tileAtomicRMWOpGetSem(rmw),
              .scope = tileAtomicRMWOpGetScope(rmw)};
  return lowerAtomic(l, &a, tileAtomicRMWOpGetPtr(rmw), tileAtomicRMWOpGetResult(rmw));
}

MlirLogicalResult tileLowerAtomicCAS(TileLowering *l, MlirOperation op) {
  TileAtomicCASOp cas = tileAtomicCASOpCast(op);
  Atomic a = {.op = op,
              .values = tileRegistersOf(l, tileAtomicCASOpGetValue(cas)),
              .compares = tileRegistersOf(l, tileAtomicCASOpGetCmp(cas)),
              .isCas = true,
              .sem = tileAtomicCASOpGetSem(cas),
              .scope = tileAtomicCASOpGetScope(cas)};
  return lowerAtomic(l, &a, tileAtomicCASOpGetPtr(cas), tileAtomicCASOpGetResult(cas));
}
