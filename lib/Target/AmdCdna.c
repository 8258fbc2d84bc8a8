/* AmdCdna.c - gfx90a (MI200), gfx942 (MI300), gfx950 (MI350).
 *
 * Limits: AMD "GPU specifications" (rocm.docs.amd.com/en/latest/reference/gpu-specs.html): LDS 64 KB, 64 KB
 * and 160 KB, vector registers 512 KB a compute unit; CDNA2/3/4 ISA guides: waves of 64, four SIMDs, 512
 * registers a lane of which 256 are accumulation registers, LDS of 32 banks (64 on CDNA4) of 4 bytes. LLVM
 * 22, AMDGPUBaseInfo: 8 waves a SIMD, registers in units of 8, 16 barriers (so 16 multi-wave blocks) a
 * compute unit. L1 asks L2 for 64 bytes at a time: ROCm Compute Profiler, "Vector L1 cache". Matrix
 * instructions: each ISA guide's MFMA table. LDS DMA copies 4 bytes a lane, on CDNA4 also 16
 * (buffer_load_dwordx4 lds). 8-bit floats are FNUZ on CDNA3 and OCP on CDNA4; xf32 is CDNA3's alone. Buffer
 * word 3: DATA_FORMAT_32 (AMDGPUUsage, "Buffer resources"). The real-time counter
 * runs at 25 MHz up to gfx90a and at 100 MHz from gfx940 on (LLVM libc, gpu/time_utils). */
#include "Tables.h"

#define CDNA_COMMON                                                                                          \
  .vendor = TileVendor_AMD, .warpSize = 64, .maxThreadsPerBlock = 1024, .maxWarpsPerBlock = 16,              \
  .maxWarpsPerMultiprocessor = 32, .maxBlocksPerMultiprocessor = 16, .simdsPerMultiprocessor = 4,            \
  .maxClusterSize = 1, .sharedIsStatic = true, .registersPerMultiprocessor = 131072,                         \
  .maxRegistersPerThread = 512, .registerGranule = 8, .sharedBankBytes = 4, .maxVectorBits = 128,            \
  .maxGlobalVectorBits = 128, .sectorBytes = 64, .triple = "amdgcn-amd-amdhsa", .llvmFeatures = "",          \
  .dataLayout = AMDGCN_DATA_LAYOUT, .codeObjectVersion = 500

#define CDNA_FEATURES                                                                                        \
  (FEATURE(MFMA) | FEATURE(AGPR) | FEATURE(BufferOps) | FEATURE(UnalignedAccess) | FEATURE(LdsDma) |         \
   FEATURE(DPP) | FEATURE(PackedF32) | FEATURE(AtomicAddF16x2))

static const TileMatrixInstr cdna2[] = {
    MATRIX(MFMA, F16, F16, F32, 16, 16, 16, 0),   MATRIX(MFMA, F16, F16, F32, 32, 32, 8, 0),
    MATRIX(MFMA, BF16, BF16, F32, 16, 16, 16, 0), MATRIX(MFMA, BF16, BF16, F32, 32, 32, 8, 0),
    MATRIX(MFMA, F32, F32, F32, 16, 16, 4, 0),    MATRIX(MFMA, F32, F32, F32, 32, 32, 2, 0),
    MATRIX(MFMA, I8, I8, I32, 16, 16, 16, 0),     MATRIX(MFMA, I8, I8, I32, 32, 32, 8, 0),
    MATRIX(MFMA, F64, F64, F64, 16, 16, 4, 0),
};

static const TileMatrixInstr cdna3[] = {
    MATRIX(MFMA, F16, F16, F32, 16, 16, 16, 0),
    MATRIX(MFMA, F16, F16, F32, 32, 32, 8, 0),
    MATRIX(MFMA, BF16, BF16, F32, 16, 16, 16, 0),
    MATRIX(MFMA, BF16, BF16, F32, 32, 32, 8, 0),
    SHORT_MATRIX(MFMA, 16, 16, 8, 0),
    SHORT_MATRIX(MFMA, 32, 32, 4, 0),
    MATRIX(MFMA, F32, F32, F32, 16, 16, 4, 0),
    MATRIX(MFMA, F32, F32, F32, 32, 32, 2, 0),
    MATRIX(MFMA, I8, I8, I32, 16, 16, 32, 0),
    MATRIX(MFMA, I8, I8, I32, 32, 32, 16, 0),
    MATRIX(MFMA, F8E4M3FNUZ, F8E4M3FNUZ, F32, 16, 16, 32, 0),
    MATRIX(MFMA, F8E4M3FNUZ, F8E4M3FNUZ, F32, 32, 32, 16, 0),
    MATRIX(MFMA, F8E4M3FNUZ, F8E5M2FNUZ, F32, 16, 16, 32, 0),
    MATRIX(MFMA, F8E4M3FNUZ, F8E5M2FNUZ, F32, 32, 32, 16, 0),
    MATRIX(MFMA, F8E5M2FNUZ, F8E4M3FNUZ, F32, 16, 16, 32, 0),
    MATRIX(MFMA, F8E5M2FNUZ, F8E4M3FNUZ, F32, 32, 32, 16, 0),
    MATRIX(MFMA, F8E5M2FNUZ, F8E5M2FNUZ, F32, 16, 16, 32, 0),
    MATRIX(MFMA, F8E5M2FNUZ, F8E5M2FNUZ, F32, 32, 32, 16, 0),
    MATRIX(MFMA, F64, F64, F64, 16, 16, 4, 0),
};

static const TileMatrixInstr cdna4[] = {
    MATRIX(MFMA, F16, F16, F32, 16, 16, 32, 0),
    MATRIX(MFMA, F16, F16, F32, 32, 32, 16, 0),
    MATRIX(MFMA, F16, F16, F32, 16, 16, 16, 0),
    MATRIX(MFMA, F16, F16, F32, 32, 32, 8, 0),
    MATRIX(MFMA, BF16, BF16, F32, 16, 16, 32, 0),
    MATRIX(MFMA, BF16, BF16, F32, 32, 32, 16, 0),
    MATRIX(MFMA, BF16, BF16, F32, 16, 16, 16, 0),
    MATRIX(MFMA, BF16, BF16, F32, 32, 32, 8, 0),
    MATRIX(MFMA, F32, F32, F32, 16, 16, 4, 0),
    MATRIX(MFMA, F32, F32, F32, 32, 32, 2, 0),
    MATRIX(MFMA, I8, I8, I32, 16, 16, 64, 0),
    MATRIX(MFMA, I8, I8, I32, 32, 32, 32, 0),
    MATRIX(MFMA, I8, I8, I32, 16, 16, 32, 0),
    MATRIX(MFMA, I8, I8, I32, 32, 32, 16, 0),
    MATRIX(MFMA, F8E4M3FN, F8E4M3FN, F32, 16, 16, 128, 0),
    MATRIX(MFMA, F8E4M3FN, F8E4M3FN, F32, 32, 32, 64, 0),
    MATRIX(MFMA, F8E4M3FN, F8E4M3FN, F32, 16, 16, 32, 0),
    MATRIX(MFMA, F8E4M3FN, F8E4M3FN, F32, 32, 32, 16, 0),
    MATRIX(MFMA, F8E4M3FN, F8E5M2, F32, 16, 16, 128, 0),
    MATRIX(MFMA, F8E4M3FN, F8E5M2, F32, 32, 32, 64, 0),
    MATRIX(MFMA, F8E4M3FN, F8E5M2, F32, 16, 16, 32, 0),
    MATRIX(MFMA, F8E4M3FN, F8E5M2, F32, 32, 32, 16, 0),
    MATRIX(MFMA, F8E5M2, F8E4M3FN, F32, 16, 16, 128, 0),
    MATRIX(MFMA, F8E5M2, F8E4M3FN, F32, 32, 32, 64, 0),
    MATRIX(MFMA, F8E5M2, F8E4M3FN, F32, 16, 16, 32, 0),
    MATRIX(MFMA, F8E5M2, F8E4M3FN, F32, 32, 32, 16, 0),
    MATRIX(MFMA, F8E5M2, F8E5M2, F32, 16, 16, 128, 0),
    MATRIX(MFMA, F8E5M2, F8E5M2, F32, 32, 32, 64, 0),
    MATRIX(MFMA, F8E5M2, F8E5M2, F32, 16, 16, 32, 0),
    MATRIX(MFMA, F8E5M2, F8E5M2, F32, 32, 32, 16, 0),
    MATRIX(MFMA, F64, F64, F64, 16, 16, 4, 0),
};

static const TileTargetInfo rows[] = {
    {CDNA_COMMON, .chip = "gfx90a", .cpu = "gfx90a", .timerNanoseconds = 40, .architecture = "CDNA2",
     .sharedPerMultiprocessor = 64 * 1024, .sharedPerBlock = 64 * 1024, .sharedPerBlockDefault = 64 * 1024,
     .sharedBanks = 32, .asyncCopyBytes = 4, .features = CDNA_FEATURES, .fp8Format = TileFp8Format_None,
     .matrixInstrs = cdna2, .numMatrixInstrs = sizeof cdna2 / sizeof cdna2[0], .bufferFlags = 0x27000},
    {CDNA_COMMON, .chip = "gfx942", .cpu = "gfx942", .timerNanoseconds = 10, .architecture = "CDNA3",
     .sharedPerMultiprocessor = 64 * 1024, .sharedPerBlock = 64 * 1024, .sharedPerBlockDefault = 64 * 1024,
     .sharedBanks = 32, .asyncCopyBytes = 4,
     .features = CDNA_FEATURES | FEATURE(Fp8Convert) | FEATURE(AtomicAddBF16x2),
     .fp8Format = TileFp8Format_FNUZ, .matrixInstrs = cdna3,
     .numMatrixInstrs = sizeof cdna3 / sizeof cdna3[0], .bufferFlags = 0x27000},
    {CDNA_COMMON, .chip = "gfx950", .cpu = "gfx950", .timerNanoseconds = 10, .architecture = "CDNA4",
     .sharedPerMultiprocessor = 160 * 1024, .sharedPerBlock = 160 * 1024, .sharedPerBlockDefault = 160 * 1024,
     .sharedBanks = 64, .asyncCopyBytes = 4 | 16,
     .features = CDNA_FEATURES | FEATURE(Fp8Convert) | FEATURE(BF16Convert) | FEATURE(AtomicAddBF16x2) |
                 FEATURE(DsReadTr) | FEATURE(PermlaneSwap),
     .fp8Format = TileFp8Format_OCP, .matrixInstrs = cdna4, .numMatrixInstrs = sizeof cdna4 / sizeof cdna4[0],
     .bufferFlags = 0x27000},
};

const TileTargetTable tileAmdCdna = {rows, sizeof rows / sizeof rows[0]};
