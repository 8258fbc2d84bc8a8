/* Tables.h - the architecture tables, one per file, that TargetTable.c joins into one list. */
#ifndef TILE_LIB_TARGET_TABLES_H
#define TILE_LIB_TARGET_TABLES_H
#include "tile-c/Target.h"

#define FEATURE(name) (UINT64_C(1) << TileFeature_##name)

/// One row of a matrix table; the step of n is 0 but for WGMMA. SHORT_MATRIX: f32 operands lose bits (tf32,
/// xf32).
#define MATRIX(family, a, b, acc, m, n, k, step)                                                             \
  {TileMatrixFamily_##family,                                                                                \
   TileElementType_##a,                                                                                      \
   TileElementType_##b,                                                                                      \
   TileElementType_##acc,                                                                                    \
   m,                                                                                                        \
   n,                                                                                                        \
   k,                                                                                                        \
   step,                                                                                                     \
   false}
#define SHORT_MATRIX(family, m, n, k, step)                                                                  \
  {TileMatrixFamily_##family,                                                                                \
   TileElementType_F32,                                                                                      \
   TileElementType_F32,                                                                                      \
   TileElementType_F32,                                                                                      \
   m,                                                                                                        \
   n,                                                                                                        \
   k,                                                                                                        \
   step,                                                                                                     \
   true}

/// The data layouts are the ones LLVM 22 gives for the triple; test/unit/TargetTest.cpp compares them with
/// LLVM's.
#define NVPTX_DATA_LAYOUT "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
#define AMDGCN_DATA_LAYOUT                                                                                   \
  "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-" \
  "p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-"      \
  "v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"

/// What every NVIDIA chip of compute capability 8.0 and up shares. CUDA C++ Programming Guide 13.0, "Compute
/// capabilities", tables of features and technical specifications: warp 32, 1024 threads a block, 64 K
/// registers a multiprocessor, 255 a thread, 48 KB static shared memory, 1 KB reserved a block, 32 banks of 4
/// bytes, four schedulers; registers are given to warps in units of 256. Sectors of 32 bytes: Nsight Compute
/// guide, "Memory tables". %globaltimer counts nanoseconds: PTX ISA, "Special Registers".
#define NVIDIA_COMMON                                                                                        \
  .vendor = TileVendor_NVIDIA, .canPrint = true, .warpSize = 32, .maxThreadsPerBlock = 1024,                 \
  .maxWarpsPerBlock = 32, .simdsPerMultiprocessor = 4, .registersPerMultiprocessor = 65536,                  \
  .maxRegistersPerThread = 255, .registerGranule = 8, .sharedPerBlockDefault = 48 * 1024,                    \
  .sharedReserved = 1024, .sharedBanks = 32, .sharedBankBytes = 4, .maxVectorBits = 128, .sectorBytes = 32,  \
  .asyncCopyBytes = 4 | 8 | 16, .triple = "nvptx64-nvidia-cuda", .dataLayout = NVPTX_DATA_LAYOUT,            \
  .timerNanoseconds = 1

/// How tensor cores add. 8.x: M. Fasi et al., "Numerical behavior of NVIDIA tensor cores", PeerJ Computer
/// Science 7:e330, 2021; 8-bit floats keep 13 fraction bits: F. A. Khattak and M. Mikaitis, "Accurate models of
/// NVIDIA tensor cores", 2025. 9.0: measured on an H200. Blackwell is taken to be alike.
#define TENSOR_CORE_8 .tensorCoreBytes = 16, .tensorCoreGuardBits = 1, .tensorCoreFloat8GuardBits = -10
#define TENSOR_CORE_9                                                                                        \
  .tensorCoreBytes = 32, .tensorCoreGuardBits = 2, .tensorCoreFloat8GuardBits = -10,                         \
  .tensorCoreFloat8AsHalf = true
#define TENSOR_CORE_10 .tensorCoreBytes = 32, .tensorCoreGuardBits = 2, .tensorCoreFloat8GuardBits = 2

typedef struct TileTargetTable {
  const TileTargetInfo *rows;
  size_t numRows;
} TileTargetTable;

extern const TileTargetTable tileNvidiaAmpere;    ///< sm_80 sm_86
extern const TileTargetTable tileNvidiaAda;       ///< sm_89
extern const TileTargetTable tileNvidiaHopper;    ///< sm_90 sm_90a
extern const TileTargetTable tileNvidiaBlackwell; ///< sm_100a sm_120
extern const TileTargetTable tileAmdCdna;         ///< gfx90a gfx942 gfx950
extern const TileTargetTable tileAmdRdna;         ///< gfx1100 gfx1201

#endif
