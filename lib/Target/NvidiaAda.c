/* NvidiaAda.c - sm_89 (L4, L40, RTX 40).
 *
 * Limits: CUDA C++ Programming Guide 13.0, technical specifications, column 8.9. Instructions: PTX ISA 9.0:
 * as sm_80, and cvt to and from e4m3x2/e5m2x2 (PTX 8.1) and mma m16n8k32 on e4m3/e5m2 (PTX 8.4) need sm_89.
 */
#include "Tables.h"

static const TileMatrixInstr instrs[] = {
    MATRIX(MmaSync, F16, F16, F32, 16, 8, 16, 0),
    MATRIX(MmaSync, F16, F16, F16, 16, 8, 16, 0),
    MATRIX(MmaSync, BF16, BF16, F32, 16, 8, 16, 0),
    SHORT_MATRIX(MmaSync, 16, 8, 8, 0),
    MATRIX(MmaSync, I8, I8, I32, 16, 8, 32, 0),
    MATRIX(MmaSync, F64, F64, F64, 8, 8, 4, 0),
    MATRIX(MmaSync, F8E4M3FN, F8E4M3FN, F32, 16, 8, 32, 0),
    MATRIX(MmaSync, F8E4M3FN, F8E5M2, F32, 16, 8, 32, 0),
    MATRIX(MmaSync, F8E5M2, F8E4M3FN, F32, 16, 8, 32, 0),
    MATRIX(MmaSync, F8E5M2, F8E5M2, F32, 16, 8, 32, 0),
};

static const TileTargetInfo rows[] = {
    {NVIDIA_COMMON, TENSOR_CORE_8, .chip = "sm_89", .cpu = "sm_89", .architecture = "Ada",
     .maxWarpsPerMultiprocessor = 48, .maxBlocksPerMultiprocessor = 24, .maxClusterSize = 1,
     .sharedPerMultiprocessor = 100 * 1024, .sharedPerBlock = 99 * 1024, .maxGlobalVectorBits = 128,
     .features = FEATURE(CpAsync) | FEATURE(MoreWarps) | FEATURE(LdMatrix) | FEATURE(MmaSync) |
                 FEATURE(ReduxI32) | FEATURE(BF16Convert) | FEATURE(BF16Fma) | FEATURE(AtomicAddF16x2) |
                 FEATURE(Fp8Convert),
     .fp8Format = TileFp8Format_OCP, .matrixInstrs = instrs,
     .numMatrixInstrs = sizeof instrs / sizeof instrs[0], .ptxVersion = 84, .llvmFeatures = "+ptx84"},
};

const TileTargetTable tileNvidiaAda = {rows, sizeof rows / sizeof rows[0]};
