/* NvidiaHopper.c - sm_90 and sm_90a (H100, H200, GH200).
 *
 * Limits: CUDA C++ Programming Guide 13.0, technical specifications, column 9.0; clusters of 8 blocks are
 * portable. Instructions: PTX ISA 9.0: cp.async.bulk.tensor, mbarrier.try_wait, clusters, elect.sync,
 * griddepcontrol, stmatrix, add/mul.bf16x2, atom.add.noftz.bf16x2 and atom.global.v2/v4.f32.add need sm_90;
 * wgmma and setmaxnreg need sm_90a. Three integers: VIMNMX3 (CUDA binary utilities, Hopper's instructions). LLVM 22 selects cp.async.bulk.tensor to shared::cta only from PTX 8.6 on
 * (CUDA 12.7). */
#include "Tables.h"

#define HOPPER                                                                                               \
  (FEATURE(CpAsync) | FEATURE(MoreWarps) | FEATURE(LdMatrix) | FEATURE(MmaSync) | FEATURE(ReduxI32) |        \
   FEATURE(BF16Convert) | FEATURE(BF16Fma) | FEATURE(AtomicAddF16x2) | FEATURE(Fp8Convert) |                 \
   FEATURE(StMatrix) | FEATURE(MBarrier) | FEATURE(TMA) | FEATURE(TMAPointers) | FEATURE(ProgramLoops) |     \
   FEATURE(Cluster) | FEATURE(ElectSync) | FEATURE(PDL) | FEATURE(BF16Arith) | FEATURE(AtomicAddBF16x2) |    \
   FEATURE(AtomicAddF32Vec) | FEATURE(ThreeWayMaxima))

// PTX ISA 9.0, 9.7.15 "Asynchronous warpgroup level matrix instructions": n = 8 to 256; 8-bit integers n in
// steps of 16 above 32 (8 and 24 too, which the step leaves out). These rows come first: sm_90 has the rest.
static const TileMatrixInstr instrs[] = {
    MATRIX(WGMMA, F16, F16, F32, 64, 256, 16, 8),
    MATRIX(WGMMA, F16, F16, F16, 64, 256, 16, 8),
    MATRIX(WGMMA, BF16, BF16, F32, 64, 256, 16, 8),
    SHORT_MATRIX(WGMMA, 64, 256, 8, 8),
    MATRIX(WGMMA, F8E4M3FN, F8E4M3FN, F32, 64, 256, 32, 8),
    MATRIX(WGMMA, F8E4M3FN, F8E5M2, F32, 64, 256, 32, 8),
    MATRIX(WGMMA, F8E5M2, F8E4M3FN, F32, 64, 256, 32, 8),
    MATRIX(WGMMA, F8E5M2, F8E5M2, F32, 64, 256, 32, 8),
    MATRIX(WGMMA, I8, I8, I32, 64, 256, 32, 16),
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

enum { numInstrs = sizeof instrs / sizeof instrs[0], numWgmma = 9 };

static const TileTargetInfo rows[] = {
    {NVIDIA_COMMON, TENSOR_CORE_9, .chip = "sm_90", .cpu = "sm_90", .architecture = "Hopper",
     .maxWarpsPerMultiprocessor = 64, .maxBlocksPerMultiprocessor = 32, .maxClusterSize = 8,
     .sharedPerMultiprocessor = 228 * 1024, .sharedPerBlock = 227 * 1024, .maxGlobalVectorBits = 128,
     .features = HOPPER, .fp8Format = TileFp8Format_OCP, .matrixInstrs = instrs + numWgmma,
     .numMatrixInstrs = numInstrs - numWgmma, .ptxVersion = 86, .llvmFeatures = "+ptx86"},
    {NVIDIA_COMMON, TENSOR_CORE_9, .chip = "sm_90a", .cpu = "sm_90a", .architecture = "Hopper",
     .maxWarpsPerMultiprocessor = 64, .maxBlocksPerMultiprocessor = 32, .maxClusterSize = 8,
     .sharedPerMultiprocessor = 228 * 1024, .sharedPerBlock = 227 * 1024, .maxGlobalVectorBits = 128,
     .features = HOPPER | FEATURE(WGMMA) | FEATURE(SetMaxReg), .fp8Format = TileFp8Format_OCP,
     .matrixInstrs = instrs, .numMatrixInstrs = numInstrs, .ptxVersion = 86, .llvmFeatures = "+ptx86"},
};

const TileTargetTable tileNvidiaHopper = {rows, sizeof rows / sizeof rows[0]};
