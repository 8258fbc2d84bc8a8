/* AmdRdna.c - gfx1100 (RX 7900, W7900) and gfx1201 (RX 9070, R9700).
 *
 * Limits: AMD "GPU specifications" (rocm.docs.amd.com/en/latest/reference/gpu-specs.html); RDNA3 and RDNA4
 * ISA guides: waves of 32, two SIMDs a compute unit, 128 KB LDS for two compute units of which a block gets
 * 64 KB, 32 banks of 4 bytes a compute unit. LLVM 22, AMDGPUBaseInfo: 16 waves a SIMD, 1536 registers a lane
 * and SIMD in units of 24 (the larger register file of these two), 256 a wave. Requests of 64 bytes as on
 * CDNA. WMMA: RDNA3 ISA 7.9, RDNA4 ISA 7.12; OCP 8-bit floats and transposing global loads are RDNA4's. There
 * is no LDS DMA. Buffer word 3: FORMAT_32_FLOAT with OOB_SELECT 3, raw (AMDGPUUsage, "Buffer resources").
 * The real-time counter runs at 100 MHz (LLVM libc, gpu/time_utils). */
#include "Tables.h"

#define RDNA_COMMON                                                                                          \
  .vendor = TileVendor_AMD, .warpSize = 32, .maxThreadsPerBlock = 1024, .maxWarpsPerBlock = 32,              \
  .maxWarpsPerMultiprocessor = 32, .maxBlocksPerMultiprocessor = 16, .simdsPerMultiprocessor = 2,            \
  .maxClusterSize = 1, .sharedIsStatic = true, .registersPerMultiprocessor = 98304,                          \
  .maxRegistersPerThread = 256, .registerGranule = 24, .sharedBankBytes = 4, .maxVectorBits = 128,           \
  .maxGlobalVectorBits = 128, .sectorBytes = 64, .triple = "amdgcn-amd-amdhsa",                              \
  .dataLayout = AMDGCN_DATA_LAYOUT, .codeObjectVersion = 500, .timerNanoseconds = 10

static const TileMatrixInstr rdna3[] = {
    MATRIX(WMMA11, F16, F16, F32, 16, 16, 16, 0),   MATRIX(WMMA11, F16, F16, F16, 16, 16, 16, 0),
    MATRIX(WMMA11, BF16, BF16, F32, 16, 16, 16, 0), MATRIX(WMMA11, BF16, BF16, BF16, 16, 16, 16, 0),
    MATRIX(WMMA11, I8, I8, I32, 16, 16, 16, 0),
};

static const TileMatrixInstr rdna4[] = {
    MATRIX(WMMA12, F16, F16, F32, 16, 16, 16, 0),
    MATRIX(WMMA12, F16, F16, F16, 16, 16, 16, 0),
    MATRIX(WMMA12, BF16, BF16, F32, 16, 16, 16, 0),
    MATRIX(WMMA12, BF16, BF16, BF16, 16, 16, 16, 0),
    MATRIX(WMMA12, I8, I8, I32, 16, 16, 16, 0),
    MATRIX(WMMA12, F8E4M3FN, F8E4M3FN, F32, 16, 16, 16, 0),
    MATRIX(WMMA12, F8E4M3FN, F8E5M2, F32, 16, 16, 16, 0),
    MATRIX(WMMA12, F8E5M2, F8E4M3FN, F32, 16, 16, 16, 0),
    MATRIX(WMMA12, F8E5M2, F8E5M2, F32, 16, 16, 16, 0),
};

static const TileTargetInfo rows[] = {
    {RDNA_COMMON, .chip = "gfx1100", .cpu = "gfx1100", .architecture = "RDNA3",
     /* Halves of registers as operands only cost moves: 16-bit values are packed here. */
     .llvmFeatures = "-real-true16", .sharedPerMultiprocessor = 64 * 1024, .sharedPerBlock = 64 * 1024,
     .sharedPerBlockDefault = 64 * 1024, .sharedBanks = 32, .asyncCopyBytes = 0,
     .features = FEATURE(WMMA) | FEATURE(BufferOps) | FEATURE(UnalignedAccess) | FEATURE(DPP),
     .fp8Format = TileFp8Format_None, .matrixInstrs = rdna3,
     .numMatrixInstrs = sizeof rdna3 / sizeof rdna3[0], .bufferFlags = 0x31027000},
    {RDNA_COMMON, .chip = "gfx1201", .cpu = "gfx1201", .architecture = "RDNA4", .llvmFeatures = "",
     .sharedPerMultiprocessor = 64 * 1024, .sharedPerBlock = 64 * 1024, .sharedPerBlockDefault = 64 * 1024,
     .sharedBanks = 32, .asyncCopyBytes = 0,
     .features = FEATURE(WMMA) | FEATURE(BufferOps) | FEATURE(UnalignedAccess) | FEATURE(DPP) |
                 FEATURE(Fp8Convert) | FEATURE(GlobalLoadTr) | FEATURE(AtomicAddF16x2) |
                 FEATURE(AtomicAddBF16x2),
     .fp8Format = TileFp8Format_OCP, .matrixInstrs = rdna4, .numMatrixInstrs = sizeof rdna4 / sizeof rdna4[0],
     .bufferFlags = 0x31027000},
};

const TileTargetTable tileAmdRdna = {rows, sizeof rows / sizeof rows[0]};
