/* TileGPUToNVVM.c - convert-tile-gpu-to-nvvm: the NVIDIA side of the lowering.
 *
 *   %v = tile.load %p mask %m : tensor<256x!tile.ptr<f32>, #layout>
 * becomes, per thread and vector,
 *   %w = tile_nv.load %q, %pred, %zero : !llvm.ptr<1>, vector<4xi32>
 *
 * requires: layouts on all tensors, tile_gpu.target on the module.
 * ensures: kernels are llvm.func with nvvm.kernel; only llvm, nvvm and tile_nv ops are left in them. */
#include "../TileGPUToLLVM/Lowering.h"
#include "ClusterNVVM.h"
#include "DeviceCalls.h"
#include "MatrixNVVM.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/NVVM.h"
#include "tile-c/Dialect/TileNV.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Bits.h"

static MlirValue specialRegister(TileLowering *l, TileOpKind kind) {
  return tileEmit(l, kind, mlirIntegerTypeGet(l->context, 32), 0, NULL);
}

static MlirValue threadId(TileLowering *l) { return specialRegister(l, TileOp_NVVM_ThreadIdX); }

static MlirValue programId(TileLowering *l, int axis) {
  static const TileOpKind kinds[] = {TileOp_NVVM_BlockIdX, TileOp_NVVM_BlockIdY, TileOp_NVVM_BlockIdZ};
  return specialRegister(l, kinds[axis]);
}

static MlirValue numPrograms(TileLowering *l, int axis) {
  static const TileOpKind kinds[] = {TileOp_NVVM_GridDimX, TileOp_NVVM_GridDimY, TileOp_NVVM_GridDimZ};
  return specialRegister(l, kinds[axis]);
}

/* PTX accesses move words: 1, 2, 4 or 8 bytes, or 2 or 4 words of 4, or 2 of 8 bytes. */
typedef struct Words {
  int count, perWord; ///< words of the access; elements in a word
  MlirType word;      ///< integer type
} Words;

static Words wordsOf(TileLowering *l, const TileAccess *a) {
  unsigned bits = tileTypeBits(a->element), total = bits * (unsigned)a->width;
  unsigned wordBits = total < 32 ? total : bits == 64 ? 64 : 32;
  return (Words){(int)(total / wordBits), (int)(wordBits / bits), mlirIntegerTypeGet(l->context, wordBits)};
}

static MlirValue toInteger(TileLowering *l, MlirValue v, MlirType word) {
  MlirType type = mlirValueGetType(v);
  if (mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type) || mlirTypeIsAVector(type))
    return tileEmitBitcast(l, v, word);
  return tileEmit1(l, TileOp_LLVM_PtrToInt, word, v);
}

static MlirValue fromInteger(TileLowering *l, MlirValue v, MlirType type) {
  if (mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type) || mlirTypeIsAVector(type))
    return tileEmitBitcast(l, v, type);
  return tileEmit1(l, TileOp_LLVM_IntToPtr, type, v);
}

static MlirValue packWords(TileLowering *l, const Words *w, const MlirValue *elements) {
  MlirValue words[8];
  for (int i = 0; i < w->count; ++i)
    words[i] = toInteger(l, tileEmitPack(l, elements + i * w->perWord, w->perWord), w->word);
  return tileEmitPack(l, words, w->count);
}

static void unpackWords(TileLowering *l, const Words *w, MlirType element, MlirValue packed, MlirValue *out) {
  MlirValue words[8];
  int64_t shape[] = {w->perWord};
  MlirType wordType = w->perWord == 1 ? element : mlirVectorTypeGet(1, shape, element);
  tileEmitUnpack(l, packed, w->count, words);
  for (int i = 0; i < w->count; ++i)
    tileEmitUnpack(l, fromInteger(l, words[i], wordType), w->perWord, out + i * w->perWord);
}

static MlirAttribute enumAttr(TileLowering *l, int value) { return tileI32Attr(l->context, value); }

static bool isPlain(const TileAccess *a) {
  return !a->predicate.ptr && !a->cache && !a->evict && !a->isVolatile;
}

static MlirValue predicateOf(TileLowering *l, const TileAccess *a) {
  return a->predicate.ptr ? a->predicate : tileEmitInt(l, mlirIntegerTypeGet(l->context, 1), 1);
}

static void load(TileLowering *l, const TileAccess *a, const MlirValue *others, MlirValue *out) {
  if (isPlain(a)) {
    tileEmitPlainLoad(l, a, out);
    return;
  }
  Words w = wordsOf(l, a);
  MlirValue other = packWords(l, &w, others);
  MlirAttribute isVolatile = a->isVolatile ? mlirUnitAttrGet(l->context) : (MlirAttribute){NULL};
  TileNVLoadOp op = tileNVLoadOpCreate(l->b, l->loc, mlirValueGetType(other), a->pointer, predicateOf(l, a),
                                       other, enumAttr(l, a->cache), enumAttr(l, a->evict), isVolatile);
  unpackWords(l, &w, a->element, tileNVLoadOpGetResult(op), out);
}

static void store(TileLowering *l, const TileAccess *a, const MlirValue *values) {
  if (isPlain(a)) {
    tileEmitPlainStore(l, a, values);
    return;
  }
  Words w = wordsOf(l, a);
  tileNVStoreOpCreate(l->b, l->loc, packWords(l, &w, values), a->pointer, predicateOf(l, a),
                      enumAttr(l, a->cache), enumAttr(l, a->evict));
}

static void addVector(TileLowering *l, const TileAccess *a, const MlirValue *values) {
  tileNVAddOpCreate(l->b, l->loc, tileEmitPack(l, values, a->width), a->pointer);
}

/* Beside a producer, of the program's warps only: barrier 0 is everybody's. */
static void barrier(TileLowering *l) {
  const MlirValue none = {NULL};
  if (!l->extraWarps)
    nvvmBarrier0OpCreate(l->b, l->loc);
  else
    nvvmBarrierOpCreate(l->b, l->loc, (MlirType){NULL}, tileEmitI32(l, 1),
                        tileEmitI32(l, l->launchedWarps * (int)l->target->warpSize), none,
                        (MlirAttribute){NULL});
}
static void warpBarrier(TileLowering *l) { nvvmSyncWarpOpCreate(l->b, l->loc, tileEmitI32(l, -1)); }

/* 0 is everybody's, 1 the program's. */
static void groupBarrier(TileLowering *l, int64_t groups) {
  enum { FirstOfGroups = 2, Warps = 4 };
  const MlirValue none = {NULL};
  if (groups == l->numWarps) {
    warpBarrier(l);
    return;
  }
  MlirValue group = tileEmit2(l, TileOp_LLVM_LShr, tileEmitWarp(l), tileEmitI32(l, 2));
  nvvmBarrierOpCreate(l->b, l->loc, (MlirType){NULL},
                      tileEmit2(l, TileOp_LLVM_Add, group, tileEmitI32(l, FirstOfGroups)),
                      tileEmitI32(l, Warps * (int)l->target->warpSize), none, (MlirAttribute){NULL});
}

static MlirValue shuffle(TileLowering *l, NVVMShflKind kind, MlirValue word, MlirValue lane) {
  MlirAttribute mode = nvvmShflKindAttrGet(l->context, kind), none = {NULL};
  return nvvmShflOpGetRes(nvvmShflOpCreate(l->b, l->loc, mlirValueGetType(word), tileEmitI32(l, -1), word,
                                           lane, tileEmitI32(l, 31), mode, none));
}

static MlirValue voteAny(TileLowering *l, MlirValue condition) {
  return nvvmVoteSyncOpGetRes(
      nvvmVoteSyncOpCreate(l->b, l->loc, mlirIntegerTypeGet(l->context, 1), tileEmitI32(l, -1), condition,
                           nvvmVoteSyncKindAttrGet(l->context, NVVMVoteSyncKind_any)));
}

/* griddepcontrol (PTX ISA; sm_90 and up). */
static void gridDependency(TileLowering *l, bool wait) {
  if (!tileTargetHas(l->target, TileFeature_PDL))
    return;
  NVVMGridDepActionKind kind = wait ? NVVMGridDepActionKind_wait : NVVMGridDepActionKind_launch_dependents;
  nvvmGriddepcontrolOpCreate(l->b, l->loc, nvvmGridDepActionKindAttrGet(l->context, kind));
}

static MlirValue shuffleXor(TileLowering *l, MlirValue word, int laneMask) {
  return shuffle(l, NVVMShflKind_bfly, word, tileEmitI32(l, laneMask));
}

static MlirValue shuffleIndex(TileLowering *l, MlirValue word, MlirValue lane) {
  return shuffle(l, NVVMShflKind_idx, word, lane);
}

/* redux.sync (PTX ISA; sm_80 and up). */
static MlirValue reduceWarp(TileLowering *l, TileOpKind op, MlirValue word) {
  NVVMReduxKind kind;
  switch (tileTargetHas(l->target, TileFeature_ReduxI32) ? op : TileOp_None) {
  case TileOp_Arith_AddI:
    kind = NVVMReduxKind_ADD;
    break;
  case TileOp_Arith_AndI:
    kind = NVVMReduxKind_AND;
    break;
  case TileOp_Arith_OrI:
    kind = NVVMReduxKind_OR;
    break;
  case TileOp_Arith_XOrI:
    kind = NVVMReduxKind_XOR;
    break;
  case TileOp_Arith_MaxSI:
    kind = NVVMReduxKind_MAX;
    break;
  case TileOp_Arith_MinSI:
    kind = NVVMReduxKind_MIN;
    break;
  case TileOp_Arith_MaxUI:
    kind = NVVMReduxKind_UMAX;
    break;
  case TileOp_Arith_MinUI:
    kind = NVVMReduxKind_UMIN;
    break;
  default:
    return (MlirValue){NULL};
  }
  MlirAttribute none = {NULL};
  return nvvmReduxOpGetRes(nvvmReduxOpCreate(l->b, l->loc, mlirValueGetType(word), word, tileEmitI32(l, -1),
                                             nvvmReduxKindAttrGet(l->context, kind), none, none));
}

static const char *syncScope(int64_t scope) {
  static const char *const names[] = {"device", "block", ""}; /* gpu, cta, sys */
  return names[scope];
}

/* With 32 registers a thread a multiprocessor is full of them. Left alone, ptxas takes a few more to run ahead, which gives
 * less than the blocks that these keep out; a kernel that holds 16 of data needs no more, one with few takes no more. */
enum { FULL_OCCUPANCY_REGISTERS = 32, FULL_OCCUPANCY_WORDS = 16, FEW_WORDS = 8 };

/* How many blocks shall share a multiprocessor. Said outright, one lets ptxas take the registers that a product's loop can use. Where
 * two products need each other (attention), it takes about twice what their sums do; left alone a few more, which keep the third
 * block of four warps out. */
static int32_t blocksOf(TileLowering *l, MlirOperation function, int threads) {
  enum { ADDRESSES = 32, LIMIT = 168 };
  const TileTargetInfo *target = l->target;
  const int32_t asked =
      (int32_t)tileGetIntAttr(function, "tile_gpu.min_blocks", 1); // tile-gpu-rotate-products
  if (l->numSums < 2 || 2 * l->sums + ADDRESSES > LIMIT)
    return asked;
  int64_t shared = tileGetIntAttr(mlirOperationGetParentOperation(function), "tile_gpu.shared", 0);
  int64_t blocks = tileLeast(target->registersPerMultiprocessor / ((int64_t)threads * LIMIT),
                             target->sharedPerMultiprocessor / (shared + target->sharedReserved + 1));
  return (int32_t)tileMost(blocks, asked);
}

static void markKernel(TileLowering *l, MlirOperation function, int threads) {
  int32_t shape[] = {threads, 1, 1};
  mlirOperationSetDiscardableAttributeByName(function, tileStr("nvvm.kernel"), mlirUnitAttrGet(l->context));
  mlirOperationSetDiscardableAttributeByName(function, tileStr("nvvm.reqntid"),
                                             mlirDenseI32ArrayGet(l->context, 3, shape));
  int32_t cluster[] = {l->cluster, 1, 1};
  if (l->cluster > 1)
    mlirOperationSetDiscardableAttributeByName(function, tileStr("nvvm.cluster_dim"),
                                               mlirDenseI32ArrayGet(l->context, 3, cluster));
  if (l->hasProducts || tileGetIntAttr(function, "tile_gpu.min_blocks", 1) > 1)
    mlirOperationSetDiscardableAttributeByName(function, tileStr("nvvm.minctasm"),
                                               tileI32Attr(l->context, blocksOf(l, function, threads)));
  if (l->words > FEW_WORDS && l->words <= FULL_OCCUPANCY_WORDS)
    mlirOperationSetDiscardableAttributeByName(function, tileStr("nvvm.maxnreg"),
                                               tileI32Attr(l->context, FULL_OCCUPANCY_REGISTERS));
}

static MlirValue unary(TileLowering *l, const char *intrinsic, MlirValue x) {
  return tileEmitIntrinsic(l, intrinsic, mlirValueGetType(x), 1, &x);
}
static MlirValue exp2Approx(TileLowering *l, MlirValue x) { return unary(l, "llvm.nvvm.ex2.approx", x); }
static MlirValue exp2ApproxFtz(TileLowering *l, MlirValue x) {
  return unary(l, "llvm.nvvm.ex2.approx.ftz", x);
}
static MlirValue log2Approx(TileLowering *l, MlirValue x) { return unary(l, "llvm.nvvm.lg2.approx.f", x); }
static MlirValue rsqrtApprox(TileLowering *l, MlirValue x) { return unary(l, "llvm.nvvm.rsqrt.approx.f", x); }
static MlirValue sqrtApprox(TileLowering *l, MlirValue x) { return unary(l, "llvm.nvvm.sqrt.approx.f", x); }
/* LLVM 22 has no intrinsic for it. */
static MlirValue tanhApprox(TileLowering *l, MlirValue x) {
  const LLVMInlineAsmOpAttrs none = {.has_side_effects = {NULL}};
  MlirAttribute text = mlirStringAttrGet(l->context, tileStr("tanh.approx.f32 $0, $1;")),
                constraints = mlirStringAttrGet(l->context, tileStr("=f,f"));
  return mlirOperationGetResult(
      llvmInlineAsmOpCreate(l->b, l->loc, mlirValueGetType(x), 1, &x, text, constraints, &none).op, 0);
}
static MlirValue rcpApproxFtz(TileLowering *l, MlirValue x) {
  return unary(l, "llvm.nvvm.rcp.approx.ftz.f", x);
}

/* As products of twice the width random numbers (ten rounds of these) would take LLVM most of its time: it follows
 * each known bit through all of them, and then widens what is better left narrow. */
static MlirValue mulHigh(TileLowering *l, bool isSigned, MlirValue x, MlirValue y) {
  static const char *const names[2][2] = {{"llvm.nvvm.mulhi.ui", "llvm.nvvm.mulhi.ull"},
                                          {"llvm.nvvm.mulhi.i", "llvm.nvvm.mulhi.ll"}};
  MlirType type = mlirValueGetType(x);
  MlirValue factors[] = {x, y};
  return tileEmitIntrinsic(l, names[isSigned][tileTypeBits(type) == 64], type, 2, factors);
}

/* What ptxas makes of div.full.f32, (x * s) * rcp(y * s) with an s that keeps y * s and its reciprocal normal. It is
 * written out because s and the reciprocal belong to y alone: rows that are divided by their sum share them. */
static MlirValue divideScaled(TileLowering *l, MlirValue x, MlirValue y) {
  MlirType type = mlirValueGetType(y);
  MlirValue size = tileEmit1(l, TileOp_LLVM_FAbs, type, y);
  MlirValue large = tileEmitFCmp(l, LLVMFCmpPredicate_ogt, size, tileEmitFloat(l, type, 0x1p126)),
            small = tileEmitFCmp(l, LLVMFCmpPredicate_olt, size, tileEmitFloat(l, type, 0x1p-126));
  MlirValue up = tileEmitSelect(l, small, tileEmitFloat(l, type, 0x1p24), tileEmitFloat(l, type, 1)),
            scale = tileEmitSelect(l, large, tileEmitFloat(l, type, 0.25), up);
  return tileEmit2(l, TileOp_LLVM_FMul, tileEmit2(l, TileOp_LLVM_FMul, x, scale),
                   rcpApproxFtz(l, tileEmit2(l, TileOp_LLVM_FMul, y, scale)));
}

/* 2^-126 <= |y| <= 2^126 */
static MlirValue divideNormal(TileLowering *l, MlirValue x, MlirValue y) {
  return tileEmit2(l, TileOp_LLVM_FMul, x, rcpApproxFtz(l, y));
}

/* cvt on pairs of OCP f8 (PTX ISA, cvt; sm_89 and up). It saturates and keeps NaN. */
static bool hasFloat8(TileLowering *l, TileElementType t) {
  return tileTargetHas(l->target, TileFeature_Fp8Convert) &&
         (t == TileElementType_F8E4M3FN || t == TileElementType_F8E5M2);
}

static MlirType vectorOfTwo(MlirType element) {
  int64_t two[] = {2};
  return mlirVectorTypeGet(1, two, element);
}

static bool float8ToF32(TileLowering *l, TileElementType from, const MlirValue bits[2], MlirValue out[2]) {
  if (!hasFloat8(l, from))
    return false;
  MlirType i16 = mlirIntegerTypeGet(l->context, 16);
  MlirValue word = tileEmitBitcast(l, tileEmitPack(l, bits, 2), i16);
  const char *name =
      from == TileElementType_F8E4M3FN ? "llvm.nvvm.e4m3x2.to.f16x2.rn" : "llvm.nvvm.e5m2x2.to.f16x2.rn";
  MlirValue halves = tileEmitIntrinsic(l, name, vectorOfTwo(mlirF16TypeGet(l->context)), 1, &word);
  for (int i = 0; i < 2; ++i)
    out[i] = tileEmit1(l, TileOp_LLVM_FPExt, mlirF32TypeGet(l->context), tileEmitExtract(l, halves, i));
  return true;
}

/* Bytes of one word in another order are put in theirs by one permute; others LLVM pairs as they are. */
static bool widenFloat8(TileLowering *l, TileElementType from, TileElementType to, const MlirValue bytes[4],
                        MlirValue out[4]) {
  MlirValue ordered[4];
  if (!hasFloat8(l, from) || to != TileElementType_F16 || !tileNvidiaOrderBytes(l, bytes, ordered))
    return false;
  for (int i = 0; i < 4; i += 2)
    float8ToF32(l, from, ordered + i, out + i);
  for (int i = 0; i < 4; ++i) /* exact */
    out[i] = tileEmit1(l, TileOp_LLVM_FPTrunc, mlirF16TypeGet(l->context), out[i]);
  return true;
}

static bool f32ToFloat8(TileLowering *l, TileElementType to, const MlirValue x[2], MlirValue out[2]) {
  if (!hasFloat8(l, to))
    return false;
  MlirType i16 = mlirIntegerTypeGet(l->context, 16), i8 = mlirIntegerTypeGet(l->context, 8);
  MlirValue operands[] = {x[1], x[0]}; /* the first operand is the high half */
  const char *name =
      to == TileElementType_F8E4M3FN ? "llvm.nvvm.ff.to.e4m3x2.rn" : "llvm.nvvm.ff.to.e5m2x2.rn";
  MlirValue pair = tileEmitIntrinsic(l, name, i16, 2, operands);
  tileEmitUnpack(l, tileEmitBitcast(l, pair, vectorOfTwo(i8)), 2, out);
  return true;
}

/* cp.async: 16 bytes bypass the first cache, fewer cannot (PTX ISA, cp.async). */
static void asyncCopy(TileLowering *l, MlirValue to, MlirValue from, int bytes, MlirValue size) {
  NVVMLoadCacheModifierKind cache = bytes == 16 ? NVVMLoadCacheModifierKind_CG : NVVMLoadCacheModifierKind_CA;
  nvvmCpAsyncOpCreate(l->b, l->loc, to, from, size, tileI32Attr(l->context, bytes),
                      nvvmLoadCacheModifierKindAttrGet(l->context, cache));
}

static void asyncCommit(TileLowering *l) { nvvmCpAsyncCommitGroupOpCreate(l->b, l->loc); }

static void asyncWait(TileLowering *l, int64_t pending) {
  nvvmCpAsyncWaitGroupOpCreate(l->b, l->loc, tileI32Attr(l->context, pending));
}

static void loadMatrix(TileLowering *l, MlirValue address, int count, bool transposed, MlirValue *out) {
  MlirType i32 = mlirIntegerTypeGet(l->context, 32), words[] = {i32, i32, i32, i32};
  MlirType result = count == 1 ? i32 : mlirLLVMStructTypeLiteralGet(l->context, count, words, false);
  MlirAttribute shape = mlirAttributeParseGet(l->context, tileStr("#nvvm.ld_st_matrix_shape<m = 8, n = 8>"));
  MlirValue loaded = nvvmLdMatrixOpGetRes(nvvmLdMatrixOpCreate(
      l->b, l->loc, result, address, tileI32Attr(l->context, count),
      nvvmMMALayoutAttrGet(l->context, transposed ? NVVMMMALayout_col : NVVMMMALayout_row), shape,
      nvvmLdStMatrixEltTypeAttrGet(l->context, NVVMLdStMatrixEltType_B16)));
  for (int64_t i = 0; i < count; ++i)
    out[i] = count == 1 ? loaded
                        : llvmExtractValueOpGetRes(llvmExtractValueOpCreate(
                              l->b, l->loc, i32, loaded, mlirDenseI64ArrayGet(l->context, 1, &i)));
}

static void storeMatrix(TileLowering *l, MlirValue address, int count, bool transposed,
                        const MlirValue *words) {
  MlirAttribute shape = mlirAttributeParseGet(l->context, tileStr("#nvvm.ld_st_matrix_shape<m = 8, n = 8>"));
  nvvmStMatrixOpCreate(l->b, l->loc, address, count, words,
                       nvvmMMALayoutAttrGet(l->context, transposed ? NVVMMMALayout_col : NVVMMMALayout_row),
                       shape, nvvmLdStMatrixEltTypeAttrGet(l->context, NVVMLdStMatrixEltType_B16));
}

static const TileLoweringHooks hooks = {
    .vendor = TileVendor_NVIDIA,
    .asyncCopy = asyncCopy,
    .asyncCommit = asyncCommit,
    .asyncWait = asyncWait,
    .loadMatrix = loadMatrix,
    .storeMatrix = storeMatrix,
    .threadId = threadId,
    .programId = programId,
    .numPrograms = numPrograms,
    .load = load,
    .store = store,
    .addVector = addVector,
    .barrier = barrier,
    .fullBarrier = barrier,
    .groupBarrier = groupBarrier,
    .clusterBarrier = tileClusterBarrier,
    .gridDependency = gridDependency,
    .warpBarrier = warpBarrier,
    .shuffleXor = shuffleXor,
    .reduceWarp = reduceWarp,
    .voteAny = voteAny,
    .syncScope = syncScope,
    .shuffleIndex = shuffleIndex,
    .markKernel = markKernel,
    .exp2 = exp2Approx,
    .exp2Normal = exp2ApproxFtz,
    .log2 = log2Approx,
    .rsqrt = rsqrtApprox,
    .sqrt = sqrtApprox,
    .tanh = tanhApprox,
    .divide = divideScaled,
    .mulHigh = mulHigh,
    .divideNormal = divideNormal,
    .float8ToF32 = float8ToF32,
    .f32ToFloat8 = f32ToFloat8,
    .widenFloat8 = widenFloat8,
    .widenBytes = tileNvidiaWidenBytes,
    .hasMatrix = tileNvidiaHasMatrix,
    .packFragment = tileNvidiaPackFragment,
    .unpackFragment = tileNvidiaUnpackFragment,
    .multiply = tileNvidiaMultiply,
    .print = tileNvidiaPrint,
    .sayFailed = tileNvidiaSayFailed,
};

MlirLogicalResult tileConvertTileGPUToNVVMRun(MlirOperation op,
                                              const TileConvertTileGPUToNVVMParams *params) {
  return tileLowerModule(op, &hooks, params->precise);
}
