/* NvidiaAmpere.c - sm_80 (A100) and sm_86 (RTX 30).
 *
 * Limits: CUDA C++ Programming Guide 13.0, technical specifications per compute capability (columns 8.0
 * and 8.6). Instructions: PTX ISA 9.0, "Target ISA notes" of each instruction: cp.async, ldmatrix, mma
 * m16n8k16, redux.sync, cvt.rn.bf16.f32 and fma.rn.bf16x2 need sm_80; atom.add.noftz.f16x2 needs sm_60. PTX
 * ISA 8.4 (CUDA 12.4) has all that these chips can do. */
#include "Tables.h"

static const TileMatrixInstr instrs[] = {
    MATRIX(MmaSync, F16, F16, F32, 16, 8, 16, 0),   MATRIX(MmaSync, F16, F16, F16, 16, 8, 16, 0),
    MATRIX(MmaSync, BF16, BF16, F32, 16, 8, 16, 0), SHORT_MATRIX(MmaSync, 16, 8, 8, 0),
    MATRIX(MmaSync, I8, I8, I32, 16, 8, 32, 0),     MATRIX(MmaSync, F64, F64, F64, 8, 8, 4, 0),
};

/// BF16Arith is absent: add.bf16 and mul.bf16 need sm_90.
#define AMPERE                                                                                               \
  (FEATURE(CpAsync) | FEATURE(MoreWarps) | FEATURE(LdMatrix) | FEATURE(MmaSync) | FEATURE(ReduxI32) |        \
   FEATURE(BF16Convert) | FEATURE(BF16Fma) | FEATURE(AtomicAddF16x2))

static const TileTargetInfo rows[] = {
    {NVIDIA_COMMON, TENSOR_CORE_8, .chip = "sm_80", .cpu = "sm_80", .architecture = "Ampere",
     .maxWarpsPerMultiprocessor = 64, .maxBlocksPerMultiprocessor = 32, .maxClusterSize = 1,
     .sharedPerMultiprocessor = 164 * 1024, .sharedPerBlock = 163 * 1024, .maxGlobalVectorBits = 128,
     .features = AMPERE, .fp8Format = TileFp8Format_None, .matrixInstrs = instrs,
     .numMatrixInstrs = sizeof instrs / sizeof instrs[0], .ptxVersion = 84, .llvmFeatures = "+ptx84"},
    {NVIDIA_COMMON, TENSOR_CORE_8, .chip = "sm_86", .cpu = "sm_86", .architecture = "Ampere",
     .maxWarpsPerMultiprocessor = 48, .maxBlocksPerMultiprocessor = 16, .maxClusterSize = 1,
     .sharedPerMultiprocessor = 100 * 1024, .sharedPerBlock = 99 * 1024, .maxGlobalVectorBits = 128,
     .features = AMPERE, .fp8Format = TileFp8Format_None, .matrixInstrs = instrs,
     .numMatrixInstrs = sizeof instrs / sizeof instrs[0], .ptxVersion = 84, .llvmFeatures = "+ptx84"},
};

const TileTargetTable tileNvidiaAmpere = {rows, sizeof rows / sizeof rows[0]};
