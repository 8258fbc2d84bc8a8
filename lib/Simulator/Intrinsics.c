/* Intrinsics.c - the table of intrinsics that are called by name. Overloaded names may have types behind. */
#include "Lanes.h"
#include "MapOps.h"
#include "MatrixOps.h"
#include "Special.h"
#include "tile-c/Dialect/NVVM.h"
#include <string.h>

typedef struct NamedRow {
  const char *name;
  SimRow row;
} NamedRow;

#define MAP(NAME, MIX, KERNELS, OPERANDS)                                                                    \
  {                                                                                                          \
    NAME, { simDecodeMap, SimMix_##MIX, &KERNELS, OPERANDS }                                                 \
  }
#define FLUSHED(NAME, KERNELS, OPERANDS)                                                                     \
  {                                                                                                          \
    NAME, { simDecodeFlushed, SimMix_Special, &KERNELS, OPERANDS }                                           \
  }
#define CAST(NAME, KERNELS) {NAME, {simDecodeCast, SimMix_Convert, KERNELS, 0}}
#define ROW(NAME, DECODE, MIX, PARAM)                                                                        \
  {                                                                                                          \
    NAME, { DECODE, SimMix_##MIX, NULL, PARAM }                                                              \
  }

#define MMA(NAME, K, A, B)                                                                                   \
  ROW("llvm.nvvm.mma.m16n8k" #K ".row.col." NAME, simDecodeMmaIntrinsic, Matrix,                             \
      K | NVVMMMATypes_##A << 8 | NVVMMMATypes_##B << 16)
#define MMA_FLOAT8(K, A, B) MMA("f32." #A "." #B ".f32", K, A, B), MMA("f16." #A "." #B ".f16", K, A, B)

/* The approximate ones give the correctly rounded result here; docs/simulator.md lists what the vendors
 * promise. */
static const NamedRow table[] = {
    MAP("llvm.abs", Integer, simAbs, 1),
    MAP("llvm.ceil", Float, simCeil, 1),
    MAP("llvm.copysign", Float, simCopySign, 2),
    MAP("llvm.cos", Special, simCos, 1),
    MAP("llvm.ctlz", Integer, simCtlz, 1),
    MAP("llvm.ctpop", Integer, simCtPop, 1),
    MAP("llvm.cttz", Integer, simCttz, 1),
    MAP("llvm.exp", Special, simExp, 1),
    MAP("llvm.exp2", Special, simExp2, 1),
    MAP("llvm.exp10", Special, simExp10, 1),
    MAP("llvm.fabs", Float, simFAbs, 1),
    MAP("llvm.floor", Float, simFloor, 1),
    ROW("llvm.fma", simDecodeFma, Float, 0),
    MAP("llvm.log", Special, simLog, 1),
    MAP("llvm.log10", Special, simLog10, 1),
    MAP("llvm.log2", Special, simLog2, 1),
    MAP("llvm.maximum", Float, simMaximum, 2),
    MAP("llvm.maxnum", Float, simMaxNum, 2),
    MAP("llvm.minimum", Float, simMinimum, 2),
    MAP("llvm.minnum", Float, simMinNum, 2),
    MAP("llvm.nearbyint", Float, simRint, 1),
    ROW("llvm.readsteadycounter", simDecodeSteps, Other, 0),
    MAP("llvm.rint", Float, simRint, 1),
    MAP("llvm.round", Float, simRound, 1),
    MAP("llvm.roundeven", Float, simRint, 1),
    MAP("llvm.sin", Special, simSin, 1),
    MAP("llvm.smax", Integer, simSMax, 2),
    MAP("llvm.smin", Integer, simSMin, 2),
    MAP("llvm.sqrt", Special, simSqrt, 1),
    MAP("llvm.trunc", Float, simTrunc, 1),
    MAP("llvm.umax", Integer, simUMax, 2),
    MAP("llvm.umin", Integer, simUMin, 2),
    CAST("llvm.fptosi.sat", simFloatToS),
    CAST("llvm.fptoui.sat", simFloatToU),

    // NVIDIA
    MAP("llvm.nvvm.cos.approx.f", Special, simCos, 1),
    MAP("llvm.nvvm.div.approx.f", Special, simFDiv, 2),
    MAP("llvm.nvvm.div.full", Special, simFDiv, 2),
    MAP("llvm.nvvm.div.rn.f", Special, simFDiv, 2),
    MAP("llvm.nvvm.ex2.approx", Special, simExp2, 1),
    MAP("llvm.nvvm.ex2.approx.ftz", Special, simExp2, 1),
    MAP("llvm.nvvm.ex2.approx.f", Special, simExp2, 1),
    MAP("llvm.nvvm.fabs", Float, simFAbs, 1),
    MAP("llvm.nvvm.lg2.approx.f", Special, simLog2, 1),
    MAP("llvm.nvvm.mulhi.i", Integer, simMulHighS, 2),
    MAP("llvm.nvvm.mulhi.ui", Integer, simMulHighU, 2),
    MAP("llvm.nvvm.mulhi.ll", Integer, simMulHighS, 2),
    MAP("llvm.nvvm.mulhi.ull", Integer, simMulHighU, 2),
    MAP("llvm.nvvm.rcp.rn.f", Special, simRcp, 1),
    MAP("llvm.nvvm.rsqrt.approx.f", Special, simRsqrt, 1),
    MAP("llvm.nvvm.sin.approx.f", Special, simSin, 1),
    MAP("llvm.nvvm.sqrt.approx.f", Special, simSqrt, 1),
    MAP("llvm.nvvm.sqrt.rn.f", Special, simSqrt, 1),
    MAP("llvm.nvvm.sqrt.f", Special, simSqrt, 1),
    MAP("llvm.nvvm.tanh.approx.f", Special, simTanh, 1),
    FLUSHED("llvm.nvvm.div.full.ftz", simFDiv, 2),
    FLUSHED("llvm.nvvm.ex2.approx.ftz", simExp2, 1),
    FLUSHED("llvm.nvvm.ex2.approx.ftz.f", simExp2, 1),
    FLUSHED("llvm.nvvm.lg2.approx.ftz.f", simLog2, 1),
    FLUSHED("llvm.nvvm.rcp.approx.ftz.f", simRcp, 1),
    FLUSHED("llvm.nvvm.rsqrt.approx.ftz.f", simRsqrt, 1),
    FLUSHED("llvm.nvvm.sqrt.approx.ftz.f", simSqrt, 1),
    ROW("llvm.nvvm.ff.to.e4m3x2.rn", simDecodeToFloat8, Convert, TileElementType_F8E4M3FN),
    ROW("llvm.nvvm.ff.to.e5m2x2.rn", simDecodeToFloat8, Convert, TileElementType_F8E5M2),
    ROW("llvm.nvvm.e4m3x2.to.f16x2.rn", simDecodeFromFloat8, Convert, TileElementType_F8E4M3FN),
    ROW("llvm.nvvm.e5m2x2.to.f16x2.rn", simDecodeFromFloat8, Convert, TileElementType_F8E5M2),
    ROW("llvm.nvvm.f2tf32.rna", simDecodeToTF32, Convert, 1),
    ROW("llvm.nvvm.f2tf32.rn", simDecodeToTF32, Convert, 0),
    MMA("f64", 4, f64, f64),
    MMA("f64", 8, f64, f64),
    MMA("f64", 16, f64, f64),
    MMA_FLOAT8(16, e4m3, e4m3),
    MMA_FLOAT8(16, e4m3, e5m2),
    MMA_FLOAT8(16, e5m2, e4m3),
    MMA_FLOAT8(16, e5m2, e5m2),
    MMA_FLOAT8(32, e4m3, e4m3),
    MMA_FLOAT8(32, e4m3, e5m2),
    MMA_FLOAT8(32, e5m2, e4m3),
    MMA_FLOAT8(32, e5m2, e5m2),
    ROW("llvm.nvvm.prmt", simDecodePermute, Integer, 1),
    ROW("llvm.nvvm.shfl.sync.bfly", simDecodeShfl, CrossLane, 1 + SimShfl_Butterfly),
    ROW("llvm.nvvm.shfl.sync.up", simDecodeShfl, CrossLane, 1 + SimShfl_Up),
    ROW("llvm.nvvm.shfl.sync.down", simDecodeShfl, CrossLane, 1 + SimShfl_Down),
    ROW("llvm.nvvm.shfl.sync.idx", simDecodeShfl, CrossLane, 1 + SimShfl_Index),
    ROW("llvm.nvvm.vote.ballot.sync", simDecodeVote, CrossLane, 1 + SimVote_Ballot),
    ROW("llvm.nvvm.vote.any.sync", simDecodeVote, CrossLane, 1 + SimVote_Any),
    ROW("llvm.nvvm.vote.all.sync", simDecodeVote, CrossLane, 1 + SimVote_All),
    ROW("llvm.nvvm.barrier0", simDecodeBarrier, Barrier, 0),
    ROW("llvm.nvvm.barrier.cta.sync.aligned.all", simDecodeBarrier, Barrier, 0),

    // AMD
    MAP("llvm.amdgcn.exp2", Special, simExp2, 1),
    MAP("llvm.amdgcn.log", Special, simLog2, 1),
    MAP("llvm.amdgcn.rcp", Special, simRcp, 1),
    MAP("llvm.amdgcn.rsq", Special, simRsqrt, 1),
    MAP("llvm.amdgcn.sqrt", Special, simSqrt, 1),
    ROW("llvm.amdgcn.implicitarg.ptr", simDecodeUniform, Other, SimUniform_ImplicitArguments),
    ROW("llvm.amdgcn.cvt.f32.bf8", simDecodeAmdFromFloat8, Convert, 1),
    ROW("llvm.amdgcn.cvt.f32.fp8", simDecodeAmdFromFloat8, Convert, 0),
    ROW("llvm.amdgcn.cvt.pk.bf8.f32", simDecodeAmdPairToFloat8, Convert, 1),
    ROW("llvm.amdgcn.cvt.pk.f32.bf8", simDecodeAmdPairFromFloat8, Convert, 1),
    ROW("llvm.amdgcn.cvt.pk.f32.fp8", simDecodeAmdPairFromFloat8, Convert, 0),
    ROW("llvm.amdgcn.cvt.pk.fp8.f32", simDecodeAmdPairToFloat8, Convert, 0),
    ROW("llvm.amdgcn.cvt.pkrtz", simDecodePackRtz, Convert, 0),
    ROW("llvm.amdgcn.fmed3", simDecodeMedian, Float, 0),
    ROW("llvm.amdgcn.ballot", simDecodeBallot, CrossLane, 0),
    ROW("llvm.amdgcn.ds.bpermute", simDecodeBpermute, CrossLane, 0),
    ROW("llvm.amdgcn.ds.swizzle", simDecodeSwizzle, CrossLane, 0),
    ROW("llvm.amdgcn.mbcnt.hi", simDecodeMbcnt, CrossLane, 32),
    ROW("llvm.amdgcn.mbcnt.lo", simDecodeMbcnt, CrossLane, 0),
    ROW("llvm.amdgcn.perm", simDecodeAmdPermute, Integer, 0),
    ROW("llvm.amdgcn.permlane16.swap", simDecodePermlaneSwap, CrossLane, 16),
    ROW("llvm.amdgcn.permlane32.swap", simDecodePermlaneSwap, CrossLane, 32),
    ROW("llvm.amdgcn.readfirstlane", simDecodeReadFirstLane, CrossLane, 0),
    ROW("llvm.amdgcn.readlane", simDecodeReadLane, CrossLane, 0),
    ROW("llvm.amdgcn.update.dpp", simDecodeDpp, CrossLane, 0),
    ROW("llvm.amdgcn.s.barrier", simDecodeBarrier, Barrier, 1),
    ROW("llvm.amdgcn.wavefrontsize", simDecodeUniform, Other, SimUniform_Lanes),
};

/// Whether `name` is `entry`, or `entry` with types behind (".f32", ".v2f16", ".i32.f32").
static bool matches(MlirStringRef name, const char *entry) {
  const size_t length = strlen(entry);
  if (name.length < length || memcmp(name.data, entry, length))
    return false;
  if (name.length == length)
    return true;
  const char *rest = name.data + length, *end = name.data + name.length;
  if (*rest != '.')
    return false;
  for (const char *at = rest; at < end; ++at) // each part: a letter or two, then digits
    if (*at == '.' &&
        (at + 2 >= end || !strchr("fivbp", at[1]) || !((at[2] >= '0' && at[2] <= '9') || at[2] == 'f')))
      return false;
  return true;
}

const SimRow *simIntrinsicRow(MlirStringRef name) {
  const NamedRow *best = NULL;
  for (size_t k = 0; k < TILE_COUNTOF(table); ++k)
    if (matches(name, table[k].name) && (!best || strlen(table[k].name) > strlen(best->name)))
      best = &table[k];
  return best ? &best->row : NULL;
}
