/* TileGPUToROCDL.c - convert-tile-gpu-to-rocdl: the AMD side of the lowering.
 *
 *   tile.store %p, %v mask %m : tensor<256x!tile.ptr<f32>, #layout>
 * becomes, per thread and vector,
 *   llvm.cond_br %pred, ^access, ^after
 * ^access:
 *   llvm.store %w, %q {alignment = 16} : vector<4xf32>, !llvm.ptr<1>
 *
 * requires: layouts on all tensors, tile_gpu.target on the module.
 * ensures: kernels are llvm.func with rocdl.kernel; only llvm and rocdl ops are left in them. */
#include "../TileGPUToLLVM/Lowering.h"
#include "BytesROCDL.h"
#include "DirectROCDL.h"
#include "MatrixROCDL.h"
#include "Occupancy.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/ROCDL.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Passes.h"
#include <stdio.h>

static MlirValue specialRegister(TileLowering *l, TileOpKind kind) {
  return tileEmit(l, kind, mlirIntegerTypeGet(l->context, 32), 0, NULL);
}

static MlirValue threadId(TileLowering *l) { return specialRegister(l, TileOp_ROCDL_ThreadIdX); }

static MlirValue programId(TileLowering *l, int axis) {
  static const TileOpKind kinds[] = {TileOp_ROCDL_BlockIdX, TileOp_ROCDL_BlockIdY, TileOp_ROCDL_BlockIdZ};
  return specialRegister(l, kinds[axis]);
}

/* hidden_block_count_{x,y,z}: the first three words of the implicit arguments (LLVM AMDGPUUsage, code object
 * version 5). */
static MlirValue numPrograms(TileLowering *l, int axis) {
  MlirType pointer = mlirLLVMPointerTypeGet(l->context, 4), i8 = mlirIntegerTypeGet(l->context, 8);
  MlirValue base = tileEmitIntrinsic(l, "llvm.amdgcn.implicitarg.ptr", pointer, 0, NULL);
  int32_t offset = 4 * axis;
  MlirValue address =
      llvmGEPOpGetRes(llvmGEPOpCreate(l->b, l->loc, pointer, base, 0, NULL,
                                      mlirDenseI32ArrayGet(l->context, 1, &offset), mlirTypeAttrGet(i8)));
  LLVMLoadOpAttrs attrs = {.alignment = tileI64Attr(l->context, 4)};
  return llvmLoadOpGetRes(
      llvmLoadOpCreate(l->b, l->loc, mlirIntegerTypeGet(l->context, 32), address, &attrs));
}

/* Streaming hints become "nontemporal": the access then does not stay in the caches (AMDGPUUsage, memory
 * model). */
static bool isStreaming(const TileAccess *a) {
  return a->cache == TileCacheModifier_CS || a->evict == TileEvictionPolicy_First;
}

static MlirType accessType(const TileAccess *a) {
  int64_t shape[] = {a->width};
  return a->width == 1 ? a->element : mlirVectorTypeGet(1, shape, a->element);
}

static MlirValue emitLoad(TileLowering *l, const TileAccess *a) {
  LLVMLoadOpAttrs attrs = {.alignment = tileI64Attr(l->context, a->alignment)};
  if (a->isVolatile || a->cache == TileCacheModifier_CV)
    attrs.volatile_ = mlirUnitAttrGet(l->context);
  if (isStreaming(a))
    attrs.nontemporal = mlirUnitAttrGet(l->context);
  return llvmLoadOpGetRes(llvmLoadOpCreate(l->b, l->loc, accessType(a), a->pointer, &attrs));
}

// ---- Buffers ----

/* An offset of so many bytes lies outside of every resource, and what lies behind it too. */
static const int64_t resourceBytes = INT64_C(1) << 31;

/* A word of a number that is the same in all lanes, in a scalar register. */
static MlirValue scalarWord(TileLowering *l, MlirValue number, int64_t word) {
  enum { WORD = 32 };
  MlirType i32 = mlirIntegerTypeGet(l->context, WORD);
  MlirValue shifted =
      word ? tileEmit2(l, TileOp_LLVM_LShr, number, tileEmitInt(l, mlirValueGetType(number), WORD * word))
           : number;
  MlirValue part = tileEmit1(l, TileOp_LLVM_Trunc, i32, shifted);
  return rocdlReadfirstlaneOpGetRes(rocdlReadfirstlaneOpCreate(l->b, l->loc, i32, part));
}

/* What 64-bit comparisons choose, LLVM keeps in vector registers, and goes around each access with it in a loop over the lanes. */
static MlirValue scalarPointer(TileLowering *l, MlirValue pointer) {
  enum { WORD = 32 };
  MlirType i64 = mlirIntegerTypeGet(l->context, 64);
  MlirValue number = tileEmit1(l, TileOp_LLVM_PtrToInt, i64, pointer);
  MlirValue low = tileEmit1(l, TileOp_LLVM_ZExt, i64, scalarWord(l, number, 0)),
            high = tileEmit1(l, TileOp_LLVM_ZExt, i64, scalarWord(l, number, 1));
  number = tileEmit2(l, TileOp_LLVM_Or, low, tileEmit2(l, TileOp_LLVM_Shl, high, tileEmitInt(l, i64, WORD)));
  return tileEmit1(l, TileOp_LLVM_IntToPtr, mlirValueGetType(pointer), number);
}

static MlirValue makeResource(TileLowering *l, MlirValue base, bool computed) {
  base = computed ? scalarPointer(l, base) : base;
  MlirType type = mlirLLVMPointerTypeGet(l->context, 8), i64 = mlirIntegerTypeGet(l->context, 64),
           i16 = mlirIntegerTypeGet(l->context, 16);
  return rocdlMakeBufferRsrcOpGetRes(rocdlMakeBufferRsrcOpCreate(
      l->b, l->loc, type, base, tileEmitInt(l, i16, 0), tileEmitInt(l, i64, resourceBytes),
      tileEmitI32(l, (int32_t)l->target->bufferFlags)));
}

/* The type a buffer access of as many bits has: words, or one element of less. */
static MlirType bufferType(TileLowering *l, const TileAccess *a) {
  int64_t bits = (int64_t)tileTypeBits(a->element) * a->width, words = bits / 32;
  MlirType i32 = mlirIntegerTypeGet(l->context, 32);
  if (words > 1)
    return mlirVectorTypeGet(1, &words, i32);
  return words ? i32 : mlirIntegerTypeGet(l->context, (unsigned)bits);
}

MlirValue tileAmdBufferOffset(TileLowering *l, const TileAccess *a) {
  return a->predicate.ptr
             ? tileEmitSelect(l, a->predicate, a->offset, tileEmitI32(l, (int32_t)-resourceBytes))
             : a->offset;
}

/* Tells the simulator of words that may start at any element. */
static void setAlignment(TileLowering *l, MlirOperation op, const TileAccess *a) {
  enum { WORD = 4 };
  if (a->alignment < WORD && a->alignment < a->width * (int)tileTypeBits(a->element) / 8)
    mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.alignment"),
                                               tileI32Attr(l->context, a->alignment));
}

static void bufferLoad(TileLowering *l, const TileAccess *a, const MlirValue *others, MlirValue *out) {
  MlirValue zero = tileEmitI32(l, 0);
  MlirAttribute none = {NULL};
  ROCDLRawPtrBufferLoadOp load = rocdlRawPtrBufferLoadOpCreate(
      l->b, l->loc, bufferType(l, a), a->resource, tileAmdBufferOffset(l, a), zero, zero, none, none, none);
  setAlignment(l, load.op, a);
  MlirValue loaded = rocdlRawPtrBufferLoadOpGetRes(load);
  loaded = tileEmitBitcast(l, loaded, accessType(a));
  if (a->predicate.ptr && a->othersMatter)
    loaded = tileEmitSelect(l, a->predicate, loaded, tileEmitPack(l, others, a->width));
  tileEmitUnpack(l, loaded, a->width, out);
}

static void bufferStore(TileLowering *l, const TileAccess *a, MlirValue value) {
  MlirValue zero = tileEmitI32(l, 0);
  MlirAttribute none = {NULL};
  value = tileEmitBitcast(l, value, bufferType(l, a));
  setAlignment(l,
               rocdlRawPtrBufferStoreOpCreate(l->b, l->loc, value, a->resource, tileAmdBufferOffset(l, a),
                                              zero, zero, none, none, none)
                   .op,
               a);
}

static void load(TileLowering *l, const TileAccess *a, const MlirValue *others, MlirValue *out) {
  if (a->resource.ptr) {
    bufferLoad(l, a, others, out);
    return;
  }
  if (!a->predicate.ptr) {
    tileEmitUnpack(l, emitLoad(l, a), a->width, out);
    return;
  }
  MlirType type = accessType(a);
  MlirValue other = tileEmitPack(l, others, a->width);
  MlirBlock access = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 1, &type);
  tileEmitCondBranch(l, a->predicate, access, 0, NULL, after, 1, &other);
  tileEnterBlock(l, access);
  MlirValue loaded = emitLoad(l, a);
  tileEmitBranch(l, after, 1, &loaded);
  tileEnterBlock(l, after);
  tileEmitUnpack(l, mlirBlockGetArgument(after, 0), a->width, out);
}

static void emitStore(TileLowering *l, const TileAccess *a, MlirValue value) {
  LLVMStoreOpAttrs attrs = {.alignment = tileI64Attr(l->context, a->alignment)};
  if (isStreaming(a))
    attrs.nontemporal = mlirUnitAttrGet(l->context);
  llvmStoreOpCreate(l->b, l->loc, value, a->pointer, &attrs);
}

static void store(TileLowering *l, const TileAccess *a, const MlirValue *values) {
  MlirValue value = tileEmitPack(l, values, a->width);
  if (a->resource.ptr) {
    bufferStore(l, a, value);
    return;
  }
  if (!a->predicate.ptr) {
    emitStore(l, a, value);
    return;
  }
  MlirBlock access = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, a->predicate, access, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, access);
  emitStore(l, a, value);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

static MlirValue loadTransposed(TileLowering *l, MlirValue address, int bits) {
  int64_t n = bits == 16 ? 4 : 2;
  MlirType type = mlirVectorTypeGet(1, &n, mlirIntegerTypeGet(l->context, bits == 16 ? 16 : 32));
  return tileEmit1(l, bits == 16 ? TileOp_ROCDL_ds_read_tr16_b64 : TileOp_ROCDL_ds_read_tr8_b64, type,
                   address);
}

/* A release, s_barrier and an acquire of the work-group. */
static void fullBarrier(TileLowering *l) { rocdlBarrierOpCreate(l->b, l->loc); }

/* A fence of the work-group that orders LDS alone: global loads may stay under way, and no cache is dropped
 * (AMDGPUUsage, "Memory Model Relaxation Annotations"). */
static void fenceLocal(TileLowering *l, LLVMAtomicOrdering ordering) {
  MlirAttribute local =
      mlirAttributeParseGet(l->context, tileStr("#llvm.mmra_tag<\"amdgpu-synchronize-as\":\"local\">"));
  LLVMFenceOp fence = llvmFenceOpCreate(l->b, l->loc, tileI64Attr(l->context, ordering),
                                        mlirStringAttrGet(l->context, tileStr("workgroup")));
  mlirOperationSetDiscardableAttributeByName(fence.op, tileStr("llvm.mmra"), local);
}

/* A wave runs in lockstep and its accesses to LDS keep their order: only the compiler must not change it. */
static void warpBarrier(TileLowering *l) {
  MlirAttribute ordering = tileI64Attr(l->context, LLVMAtomicOrdering_acq_rel);
  llvmFenceOpCreate(l->b, l->loc, ordering, mlirStringAttrGet(l->context, tileStr("wavefront")));
}

/* A release of the work-group would wait for copies to LDS that are under way, too: where there are some, LDS accesses of
 * the wave's own are waited for, and a fence of the wave keeps the compiler from moving them. */
static void barrier(TileLowering *l) {
  if (l->copiesDirectly) {
    warpBarrier(l);
    tileAmdWaitForCounters(l, TileAmdOpen_Any, 0);
  } else {
    fenceLocal(l, LLVMAtomicOrdering_release);
  }
  rocdlSBarrierOpCreate(l->b, l->loc);
  fenceLocal(l, LLVMAtomicOrdering_acquire);
}

static MlirValue firstLane(TileLowering *l, MlirValue word) {
  return rocdlReadfirstlaneOpGetRes(rocdlReadfirstlaneOpCreate(l->b, l->loc, mlirValueGetType(word), word));
}

/* ds_bpermute reads the lane whose number times 4 is the address (AMD ISA, DS_BPERMUTE_B32). */
static MlirValue shuffleIndex(TileLowering *l, MlirValue word, MlirValue lane) {
  MlirValue address = tileEmit2(l, TileOp_LLVM_Shl, lane, tileEmitI32(l, 2));
  return rocdlDsBpermuteOpGetRes(
      rocdlDsBpermuteOpCreate(l->b, l->loc, mlirValueGetType(word), address, word));
}

static const char *syncScope(int64_t scope) {
  static const char *const names[] = {"agent", "workgroup", ""}; /* gpu, cta, sys */
  return names[scope];
}

/* The control of a DPP move that reads lane ^ laneMask (AMD ISA, "DPP control values"); -1 if there is none. */
static int dppControl(const TileTargetInfo *target, int laneMask) {
  if (!tileTargetHas(target, TileFeature_DPP) || laneMask > 15)
    return -1;
  if (laneMask < 4) /* quad_perm */
    return (0 ^ laneMask) | (1 ^ laneMask) << 2 | (2 ^ laneMask) << 4 | (3 ^ laneMask) << 6;
  if (laneMask == 7)
    return 0x141; /* row_half_mirror */
  if (laneMask == 15)
    return 0x140; /* row_mirror */
  if (laneMask == 8)
    return 0x128;                                        /* row_ror:8 */
  return target->warpSize == 32 ? 0x160 | laneMask : -1; /* row_xmask: RDNA */
}

/* Within 16 lanes an operand modifier, on RDNA between rows of 16 a permutation without memory. */
static MlirValue shuffleXor(TileLowering *l, MlirValue word, int laneMask) {
  int control = dppControl(l->target, laneMask);
  MlirType type = mlirValueGetType(word), i1 = mlirIntegerTypeGet(l->context, 1);
  if (control >= 0)
    return rocdlDPPUpdateOpGetRes(rocdlDPPUpdateOpCreate(
        l->b, l->loc, type, word, word, tileI32Attr(l->context, control), tileI32Attr(l->context, 15),
        tileI32Attr(l->context, 15), mlirIntegerAttrGet(i1, 1)));
  if (laneMask == 16 && l->target->warpSize == 32) { /* the same lane of the other row */
    MlirAttribute no = mlirIntegerAttrGet(i1, 0), yes = mlirIntegerAttrGet(i1, 1);
    return rocdlPermlaneX16OpGetRes(rocdlPermlaneX16OpCreate(l->b, l->loc, type, word, word,
                                                             tileEmitI32(l, 0x76543210),
                                                             tileEmitI32(l, (int32_t)0xfedcba98), no, yes));
  }
  return shuffleIndex(l, word, tileEmit2(l, TileOp_LLVM_XOr, tileEmitLane(l), tileEmitI32(l, laneMask)));
}

/* On CDNA, MFMA shall write vector registers: LLVM otherwise keeps accumulators in accumulation registers, moves
 * them there and back at loop phis and spills. The attribute leaves those registers usable for what does not
 * fit. */
static void keepVectorAccumulators(TileLowering *l, MlirOperation function) {
  if (!l->usesMatrix || !tileTargetHas(l->target, TileFeature_AGPR))
    return;
  MlirAttribute pair[] = {mlirStringAttrGet(l->context, tileStr("amdgpu-agpr-alloc")),
                          mlirStringAttrGet(l->context, tileStr("0"))};
  MlirAttribute list = mlirArrayAttrGet(l->context, 2, pair);
  llvmLLVMFuncOpSetPassthroughAttr(llvmLLVMFuncOpCast(function), mlirArrayAttrGet(l->context, 1, &list));
}

/* A ballot is a scalar, so that the branch on it is the wave's. */
static MlirValue anyLane(TileLowering *l, MlirValue condition) {
  MlirType mask = mlirIntegerTypeGet(l->context, l->target->warpSize);
  MlirValue lanes = tileEmit1(l, TileOp_ROCDL_Ballot, mask, condition);
  return tileEmitICmp(l, LLVMICmpPredicate_ne, lanes, tileEmitInt(l, mask, 0));
}

static void markKernel(TileLowering *l, MlirOperation function, int threads) {
  char range[32];
  int32_t shape[] = {threads, 1, 1};
  snprintf(range, sizeof range, "%d,%d", threads, threads);
  keepVectorAccumulators(l, function);
  if (l->copiesDirectly)
    tileAmdSeparateCopies(function);
  mlirOperationSetDiscardableAttributeByName(function, tileStr("rocdl.kernel"), mlirUnitAttrGet(l->context));
  mlirOperationSetDiscardableAttributeByName(function, tileStr("rocdl.flat_work_group_size"),
                                             mlirStringAttrGet(l->context, tileStr(range)));
  mlirOperationSetDiscardableAttributeByName(function, tileStr("rocdl.reqd_work_group_size"),
                                             mlirDenseI32ArrayGet(l->context, 3, shape));
}

static MlirValue unary(TileLowering *l, const char *intrinsic, MlirValue x) {
  return tileEmitIntrinsic(l, intrinsic, mlirValueGetType(x), 1, &x);
}
/* llvm.exp2 and llvm.log2 become v_exp_f32 and v_log_f32 with scaling around subnormals. */
static MlirValue exp2Hardware(TileLowering *l, MlirValue x) { return unary(l, "llvm.exp2", x); }
/* v_exp_f32 as it is, which flushes subnormals. */
static MlirValue exp2Flushing(TileLowering *l, MlirValue x) { return unary(l, "llvm.amdgcn.exp2", x); }
static MlirValue log2Hardware(TileLowering *l, MlirValue x) { return unary(l, "llvm.log2", x); }
static MlirValue squareRoot(TileLowering *l, MlirValue x) {
  return tileEmit1(l, TileOp_LLVM_Sqrt, mlirValueGetType(x), x);
}
static MlirValue divide(TileLowering *l, MlirValue x, MlirValue y) {
  return tileEmit2(l, TileOp_LLVM_FDiv, x, y);
}
/* v_rcp_f32 is 1 ulp. */
static MlirValue divideNormal(TileLowering *l, MlirValue x, MlirValue y) {
  return tileEmit2(l, TileOp_LLVM_FMul, x, unary(l, "llvm.amdgcn.rcp", y));
}
static MlirValue rsqrtHardware(TileLowering *l, MlirValue x) {
  return divide(l, tileEmitFloat(l, mlirValueGetType(x), 1.0), squareRoot(l, x));
}

static const TileLoweringHooks hooks = {
    .vendor = TileVendor_AMD,
    .threadId = threadId,
    .programId = programId,
    .numPrograms = numPrograms,
    .load = load,
    .loadsHalfWords = true,
    .loadsBranch = true,
    .store = store,
    .makeResource = makeResource,
    .copyDirect = tileAmdCopyDirect,
    .waitForCopies = tileAmdWaitForCopies,
    .firstLane = firstLane,
    .loadTransposed = loadTransposed,
    .barrier = barrier,
    .fullBarrier = fullBarrier,
    .warpBarrier = warpBarrier,
    .anyLane = anyLane,
    .shuffleXor = shuffleXor,
    .syncScope = syncScope,
    .shuffleIndex = shuffleIndex,
    .markKernel = markKernel,
    .exp2 = exp2Hardware,
    .exp2Normal = exp2Flushing,
    .log2 = log2Hardware,
    .rsqrt = rsqrtHardware,
    .sqrt = squareRoot,
    .divide = divide,
    .divideNormal = divideNormal,
    .widenBytes = tileAmdWidenBytes,
    .multiplyBrains = tileAmdMultiplyBrains,
    .widenFloat8 = tileAmdWidenFloat8,
    .packBytes = tileAmdPackBytes,
    .hasMatrix = tileAmdHasMatrix,
    .packFragment = tileAmdPackFragment,
    .unpackFragment = tileAmdUnpackFragment,
    .multiply = tileAmdMultiply,
};

MlirLogicalResult tileConvertTileGPUToROCDLRun(MlirOperation op,
                                               const TileConvertTileGPUToROCDLParams *params) {
  int waves = tileAmdWantedWaves(op);
  TILE_TRY(tileLowerModule(op, &hooks, params->precise));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (MlirOperation f = mlirBlockGetFirstOperation(body); waves && f.ptr; f = mlirOperationGetNextInBlock(f))
    if (mlirOperationGetDiscardableAttributeByName(f, tileStr("rocdl.kernel")).ptr)
      mlirOperationSetDiscardableAttributeByName(f, tileStr("rocdl.waves_per_eu"),
                                                 tileI32Attr(mlirOperationGetContext(op), waves));
  return tileSuccess();
}
