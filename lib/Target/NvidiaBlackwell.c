/* NvidiaBlackwell.c - sm_100a (B200) and sm_120 (RTX 50).
 *
 * Limits: CUDA C++ Programming Guide 13.0, technical specifications, columns 10.0 and 12.0. Instructions: PTX
 * ISA 9.0: tcgen05, tile::gather4, redux.sync on f32 and setmaxnreg need an architecture-specific target
 * (sm_100a); f32x2 arithmetic and 256-bit global accesses (PTX 8.8, CUDA 12.9) need sm_100. wgmma is Hopper's
 * alone; mma.sync remains. */
#include "Tables.h"

#define BLACKWELL                                                                                            \
  (FEATURE(CpAsync) | FEATURE(MoreWarps) | FEATURE(LdMatrix) | FEATURE(MmaSync) | FEATURE(ReduxI32) |        \
   FEATURE(BF16Convert) | FEATURE(BF16Fma) | FEATURE(AtomicAddF16x2) | FEATURE(Fp8Convert) |                 \
   FEATURE(StMatrix) | FEATURE(MBarrier) | FEATURE(TMA) | FEATURE(Cluster) | FEATURE(ElectSync) |            \
   FEATURE(PDL) | FEATURE(BF16Arith) | FEATURE(AtomicAddBF16x2) | FEATURE(AtomicAddF32Vec) |                 \
   FEATURE(PackedF32))

static const TileMatrixInstr instrs[] = {
    MATRIX(MmaSync, F16, F16, F32, 16, 8, 16, 0),
    MATRIX(MmaSync, F16, F16, F16, 16, 8, 16, 0),
    MATRIX(MmaSync, BF16, BF16, F32, 16, 8, 16, 0),
    SHORT_MATRIX(MmaSync, 16, 8, 8, 0),
    MATRIX(MmaSync, I8, I8, I32, 16, 8, 32, 0),
    MATRIX(MmaSync, F8E4M3FN, F8E4M3FN, F32, 16, 8, 32, 0),
    MATRIX(MmaSync, F8E4M3FN, F8E5M2, F32, 16, 8, 32, 0),
    MATRIX(MmaSync, F8E5M2, F8E4M3FN, F32, 16, 8, 32, 0),
    MATRIX(MmaSync, F8E5M2, F8E5M2, F32, 16, 8, 32, 0),
    MATRIX(MmaSync, F64, F64, F64, 16, 8, 16, 0),
    MATRIX(MmaSync, F64, F64, F64, 8, 8, 4, 0),
};

static const TileTargetInfo rows[] = {
    {NVIDIA_COMMON, TENSOR_CORE_10, .chip = "sm_100a", .cpu = "sm_100a", .architecture = "Blackwell",
     .maxWarpsPerMultiprocessor = 64, .maxBlocksPerMultiprocessor = 32, .maxClusterSize = 8,
     .sharedPerMultiprocessor = 228 * 1024, .sharedPerBlock = 227 * 1024, .maxGlobalVectorBits = 256,
     .features = BLACKWELL | FEATURE(TcGen05) | FEATURE(TMAGather) | FEATURE(ReduxF32) | FEATURE(SetMaxReg),
     .fp8Format = TileFp8Format_OCP, .matrixInstrs = instrs,
     .numMatrixInstrs = sizeof instrs / sizeof instrs[0], .ptxVersion = 88, .llvmFeatures = "+ptx88"},
    {NVIDIA_COMMON, TENSOR_CORE_10, .chip = "sm_120", .cpu = "sm_120", .architecture = "Blackwell RTX",
     .maxWarpsPerMultiprocessor = 48, .maxBlocksPerMultiprocessor = 24, .maxClusterSize = 8,
     .sharedPerMultiprocessor = 100 * 1024, .sharedPerBlock = 99 * 1024, .maxGlobalVectorBits = 256,
     .features = BLACKWELL, .fp8Format = TileFp8Format_OCP, .matrixInstrs = instrs,
     .numMatrixInstrs = sizeof instrs / sizeof instrs[0], .ptxVersion = 88, .llvmFeatures = "+ptx88"},
};

const TileTargetTable tileNvidiaBlackwell = {rows, sizeof rows / sizeof rows[0]};
