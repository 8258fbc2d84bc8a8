/* MemoryOps.c - decodes loads, stores and atomics. */
#include "Atomics.h"
#include "Barriers.h"
#include "Cluster.h"
#include "MapOps.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/LLVM.h"
#include "tile-c/Dialect/TileNV.h"

enum { SharedCluster = 7 }; // NVPTX: shared memory of a cluster

int simPointerSpace(MlirValue pointer) {
  MlirType type = mlirValueGetType(pointer);
  return mlirTypeIsALLVMPointerType(type) ? (int)mlirLLVMPointerTypeGetAddressSpace(type) : -1;
}

static bool spaceOf(const SimDecoder *d, MlirOperation op, MlirValue pointer, SimSpace *out) {
  const int space = simPointerSpace(pointer);
  *out = (SimSpace)(space == SharedCluster && !d->program->isAmd ? SimSpace_Shared : space);
  switch ((int)*out) {
  case SimSpace_Generic:
  case SimSpace_Global:
  case SimSpace_Shared:
  case SimSpace_Constant:
  case SimSpace_Local:
    return true;
  default:
    return simRefuse(op, "accesses address space %d, which is not known to the simulator", space);
  }
}

/// Remembers the smallest access of each memory.
static void noteGranule(SimDecoder *d, SimSpace space, unsigned bytes) {
  SimProgram *p = d->program;
  if ((space == SimSpace_Global || space == SimSpace_Generic) && bytes < p->globalGranule)
    p->globalGranule = bytes;
  if ((space == SimSpace_Shared || space == SimSpace_Generic) && bytes < p->sharedGranule)
    p->sharedGranule = bytes;
}

static SimMix mixOf(SimSpace space) { return space == SimSpace_Shared ? SimMix_Shared : SimMix_Global; }

/// An access of a value at a pointer; NULL after a diagnostic.
static SimAccess *newAccess(SimDecoder *d, MlirOperation op, MlirValue pointer, const SimValue *value,
                            int64_t alignment) {
  const SimType *type = value->type;
  SimAccess *access = tileArenaAlloc(d->arena, 1, sizeof *access);
  SimPart *parts = tileArenaAlloc(d->arena, type->count + 1, sizeof *parts);
  if (!spaceOf(d, op, pointer, &access->space))
    return NULL;
  if (type->size > SIM_MAX_ACCESS || !type->count)
    return simRefuse(op, "accesses %u bytes, expected at most %d", type->size, SIM_MAX_ACCESS), NULL;
  for (uint32_t k = 0; k < type->count; ++k) {
    parts[k] =
        (SimPart){value->slots[k], value->slots[k], (uint16_t)type->offsets[k], type->scalars[k].log2Bytes};
    noteGranule(d, access->space, 1u << type->scalars[k].log2Bytes);
  }
  access->bytes = (uint16_t)type->size;
  access->alignment = (uint16_t)(alignment ? alignment : type->alignment);
  access->bits = type->scalars[0].bits & 7 ? type->scalars[0].bits : 0;
  access->numParts = type->count;
  access->parts = parts;
  d->mix = mixOf(access->space);
  return access;
}

static bool emitAccess(SimDecoder *d, MlirOperation op, SimEffect effect, MlirValue pointer,
                       const SimValue *value, int64_t alignment, LLVMAtomicOrdering ordering,
                       bool isVolatile) {
  const SimValue *address = simUse(d, op, pointer);
  SimAccess *access = address && value ? newAccess(d, op, pointer, value, alignment) : NULL;
  if (!access)
    return false;
  access->isAtomic = ordering != LLVMAtomicOrdering_not_atomic;
  access->asks = (access->isAtomic || isVolatile) && access->space != SimSpace_Shared;
  d->program->ordered |= access->isAtomic || access->asks;
  SimInsn *i = simEmitEffect(d, effect);
  i->a = address->slots[0];
  i->bits = effect == simStore || effect == simReleaseStore; // for the counters
  i->data = access;
  return true;
}

static int64_t alignmentOf(MlirAttribute a) { return a.ptr ? tileIntegerAttrValue(a) : 0; }

bool simDecodeLoad(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  LLVMLoadOp load = llvmLoadOpCast(op);
  if (simPointerSpace(llvmLoadOpGetAddr(load)) == SharedCluster && d->program->cluster > 1)
    return emitAccess(d, op, simClusterLoad, llvmLoadOpGetAddr(load), simResult(d, op),
                      alignmentOf(llvmLoadOpGetAlignmentAttr(load)), LLVMAtomicOrdering_not_atomic, false);
  const LLVMAtomicOrdering ordering = llvmLoadOpGetOrdering(load);
  const bool acquires = ordering >= LLVMAtomicOrdering_acquire;
  return emitAccess(d, op, acquires ? simAcquireLoad : simLoad, llvmLoadOpGetAddr(load), simResult(d, op),
                    alignmentOf(llvmLoadOpGetAlignmentAttr(load)), ordering, llvmLoadOpGetVolatile(load));
}

bool simDecodeStore(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  LLVMStoreOp store = llvmStoreOpCast(op);
  const LLVMAtomicOrdering ordering = llvmStoreOpGetOrdering(store);
  const bool publishes = ordering >= LLVMAtomicOrdering_release;
  return emitAccess(d, op, publishes ? simReleaseStore : simStore, llvmStoreOpGetAddr(store),
                    simUse(d, op, llvmStoreOpGetValue(store)),
                    alignmentOf(llvmStoreOpGetAlignmentAttr(store)), ordering, false);
}

/// PTX wants vectors aligned as a whole; a predicate masks lanes off, which get `other`.
bool simDecodeTileNVLoad(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  TileNVLoadOp load = tileNVLoadOpCast(op);
  const SimValue *address = simUse(d, op, tileNVLoadOpGetPointer(load));
  const SimValue *predicate = simUse(d, op, tileNVLoadOpGetPredicate(load));
  const SimValue *other = simUse(d, op, tileNVLoadOpGetOther(load)), *result = simResult(d, op);
  SimAccess *access = address && predicate && other && result
                          ? newAccess(d, op, tileNVLoadOpGetPointer(load), result, 0)
                          : NULL;
  if (!access)
    return false;
  access->isPredicated = true;
  access->asks = tileNVLoadOpGetIsVolatile(load);
  d->program->ordered |= access->asks;
  for (uint32_t k = 0; k < access->numParts; ++k)
    ((SimPart *)access->parts)[k].other = other->slots[k];
  SimInsn *i = simEmitEffect(d, simLoad);
  i->a = address->slots[0];
  i->b = predicate->slots[0];
  i->data = access;
  return true;
}

bool simDecodeTileNVStore(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  TileNVStoreOp store = tileNVStoreOpCast(op);
  const SimValue *value = simUse(d, op, tileNVStoreOpGetValue(store));
  const SimValue *address = simUse(d, op, tileNVStoreOpGetPointer(store));
  const SimValue *predicate = simUse(d, op, tileNVStoreOpGetPredicate(store));
  SimAccess *access =
      value && address && predicate ? newAccess(d, op, tileNVStoreOpGetPointer(store), value, 0) : NULL;
  if (!access)
    return false;
  access->isPredicated = true;
  SimInsn *i = simEmitEffect(d, simStore);
  i->bits = 1; // for the counters: writes
  i->a = address->slots[0];
  i->b = predicate->slots[0];
  i->data = access;
  return true;
}

// ---- Atomics ----

static bool atomicKind(MlirOperation op, LLVMAtomicBinOp bin, SimAtomicKind *out) {
  static const int8_t kinds[] = {
      [LLVMAtomicBinOp_xchg] = SimAtomic_Xchg,
      [LLVMAtomicBinOp_add] = SimAtomic_Add,
      [LLVMAtomicBinOp_sub] = SimAtomic_Sub,
      [LLVMAtomicBinOp__and] = SimAtomic_And,
      [LLVMAtomicBinOp_nand] = SimAtomic_Nand,
      [LLVMAtomicBinOp__or] = SimAtomic_Or,
      [LLVMAtomicBinOp__xor] = SimAtomic_Xor,
      [LLVMAtomicBinOp_max] = SimAtomic_Max,
      [LLVMAtomicBinOp_min] = SimAtomic_Min,
      [LLVMAtomicBinOp_umax] = SimAtomic_UMax,
      [LLVMAtomicBinOp_umin] = SimAtomic_UMin,
      [LLVMAtomicBinOp_fadd] = SimAtomic_FAdd,
      [LLVMAtomicBinOp_fsub] = SimAtomic_FSub,
      [LLVMAtomicBinOp_fmax] = SimAtomic_FMax,
      [LLVMAtomicBinOp_fmin] = SimAtomic_FMin,
      [LLVMAtomicBinOp_uinc_wrap] = SimAtomic_UIncWrap,
      [LLVMAtomicBinOp_udec_wrap] = SimAtomic_UDecWrap,
      [LLVMAtomicBinOp_usub_cond] = SimAtomic_USubCond,
      [LLVMAtomicBinOp_usub_sat] = SimAtomic_USubSat,
      [LLVMAtomicBinOp_fmaximum] = SimAtomic_FMaximum,
      [LLVMAtomicBinOp_fminimum] = SimAtomic_FMinimum,
  };
  if ((unsigned)bin >= TILE_COUNTOF(kinds))
    return simRefuse(op, "does an update that is not known to the simulator");
  *out = (SimAtomicKind)kinds[bin];
  return true;
}

static bool acquires(LLVMAtomicOrdering o) {
  return o == LLVMAtomicOrdering_acquire || o == LLVMAtomicOrdering_acq_rel ||
         o == LLVMAtomicOrdering_seq_cst;
}
static bool publishes(LLVMAtomicOrdering o) {
  return o == LLVMAtomicOrdering_release || o == LLVMAtomicOrdering_acq_rel ||
         o == LLVMAtomicOrdering_seq_cst;
}

/// What both atomic ops have in common; the ordering is the stronger one.
static SimAtomicOp *newAtomic(SimDecoder *d, MlirOperation op, MlirValue pointer, const SimValue *value,
                              LLVMAtomicOrdering ordering, int64_t alignment) {
  SimAtomicOp *a = tileArenaAlloc(d->arena, 1, sizeof *a);
  const SimScalar *s = &value->type->scalars[0];
  if (!spaceOf(d, op, pointer, &a->space))
    return NULL;
  if (s->log2Bytes > 3)
    return simRefuse(op, "updates a number of more than 8 bytes"), NULL;
  a->type = s->format;
  a->log2Bytes = s->log2Bytes;
  a->bits = s->bits;
  a->alignment = alignment ? (unsigned)alignment : value->type->alignment;
  a->numParts = value->type->count;
  a->values = value->slots;
  a->acquires = acquires(ordering);
  a->publishes = publishes(ordering);
  d->mix = SimMix_Atomic;
  d->program->ordered |= a->space != SimSpace_Shared;
  noteGranule(d, a->space, 1u << s->log2Bytes);
  return a;
}

bool simDecodeAtomicRMW(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  LLVMAtomicRMWOp rmw = llvmAtomicRMWOpCast(op);
  const SimValue *address = simUse(d, op, llvmAtomicRMWOpGetPtr(rmw));
  const SimValue *value = simUse(d, op, llvmAtomicRMWOpGetVal(rmw)), *result = simResult(d, op);
  if (!address || !value || !result)
    return false;
  SimAtomicOp *a = newAtomic(d, op, llvmAtomicRMWOpGetPtr(rmw), value, llvmAtomicRMWOpGetOrdering(rmw),
                             alignmentOf(llvmAtomicRMWOpGetAlignmentAttr(rmw)));
  if (!a || !atomicKind(op, llvmAtomicRMWOpGetBinOp(rmw), &a->kind))
    return false;
  a->old = result->slots;
  SimInsn *i = simEmitEffect(d, simAtomic);
  i->a = address->slots[0];
  i->data = a;
  return true;
}

/// Nothing reads the old values.
bool simDecodeTileNVAdd(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  TileNVAddOp add = tileNVAddOpCast(op);
  const SimValue *address = simUse(d, op, tileNVAddOpGetPointer(add));
  const SimValue *value = simUse(d, op, tileNVAddOpGetValue(add));
  SimAtomicOp *a = address && value
                       ? newAtomic(d, op, tileNVAddOpGetPointer(add), value, LLVMAtomicOrdering_monotonic, 0)
                       : NULL;
  if (!a)
    return false;
  a->kind = SimAtomic_FAdd;
  SimInsn *i = simEmitEffect(d, simAtomic);
  i->a = address->slots[0];
  i->data = a;
  return true;
}

bool simDecodeCmpXchg(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  LLVMAtomicCmpXchgOp cas = llvmAtomicCmpXchgOpCast(op);
  const SimValue *address = simUse(d, op, llvmAtomicCmpXchgOpGetPtr(cas));
  const SimValue *expected = simUse(d, op, llvmAtomicCmpXchgOpGetCmp(cas));
  const SimValue *value = simUse(d, op, llvmAtomicCmpXchgOpGetVal(cas)), *result = simResult(d, op);
  if (!address || !expected || !value || !result)
    return false;
  SimAtomicOp *a =
      newAtomic(d, op, llvmAtomicCmpXchgOpGetPtr(cas), value, llvmAtomicCmpXchgOpGetSuccessOrdering(cas),
                alignmentOf(llvmAtomicCmpXchgOpGetAlignmentAttr(cas)));
  if (!a)
    return false;
  a->kind = SimAtomic_CmpXchg;
  a->old = result->slots;
  a->expected = expected->slots[0];
  a->success = result->slots[1];
  SimInsn *i = simEmitEffect(d, simAtomic);
  i->a = address->slots[0];
  i->data = a;
  return true;
}

/// llvm.fence orders what its scope says: not of a lane or a warp alone. `param`: an nvvm fence, of all.
bool simDecodeFence(SimDecoder *d, MlirOperation op, const SimRow *row) {
  LLVMFenceOp fence = llvmFenceOpCast(op);
  unsigned kind = SimFence_Release | SimFence_Acquire;
  if (!llvmFenceOpIsNull(fence)) {
    const LLVMAtomicOrdering ordering = llvmFenceOpGetOrdering(fence);
    MlirStringRef scope =
        llvmFenceOpGetSyncscopeAttr(fence).ptr ? llvmFenceOpGetSyncscope(fence) : tileStr("");
    kind = (publishes(ordering) ? SimFence_Release : 0) | (acquires(ordering) ? SimFence_Acquire : 0);
    if (mlirStringRefEqual(scope, tileStr("singlethread")) || mlirStringRefEqual(scope, tileStr("wavefront")))
      kind = 0;
  }
  (void)row;
  simEmitEffect(d, simFence)->param = kind;
  return true;
}
