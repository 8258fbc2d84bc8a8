/* Target.h - what the compiler knows about each chip: limits, widths, features, matrix instructions, LLVM
 * names.
 *
 * Plain C with no LLVM behind it. Passes ask this table and never compare architecture numbers. All pointers
 * handed out are to constant data that lives as long as the program. Each table file in lib/Target names its
 * sources. */
#ifndef TILE_C_TARGET_H
#define TILE_C_TARGET_H
#include "tile-c/Compile.h"
#include "tile-c/ElementType.h"
#include "tile-c/Manifest.h" // TileVendor
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Optional abilities of a chip, each of which `--disable=NAME` can switch off. Names: tileFeatureName.
typedef enum TileFeature {
  // NVIDIA
  TileFeature_CpAsync,     ///< "cp-async": cp.async global to shared, without registers
  TileFeature_LdMatrix,    ///< "ldmatrix"
  TileFeature_StMatrix,    ///< "stmatrix"
  TileFeature_MmaSync,     ///< "mma-sync": warp-wide mma.sync
  TileFeature_WGMMA,       ///< "wgmma": warp-group-wide asynchronous mma, operands in shared memory
  TileFeature_TcGen05,     ///< "tcgen05": mma with accumulators in tensor memory
  TileFeature_MBarrier,    ///< "mbarrier": barriers in shared memory with try_wait and transaction counts
  TileFeature_TMA,         ///< "tma": cp.async.bulk.tensor by tensor map
  TileFeature_TMAPointers, ///< "tma-pointers": tma for loads through pointers (tile-gpu-form-descriptors)
  TileFeature_ProgramLoops, ///< "program-loops": kernels that go over their programs in a loop (tile-gpu-form-descriptors)
  TileFeature_MoreWarps, ///< "more-warps": kernels that spill are compiled for twice the warps
  TileFeature_TMAGather, ///< "tma-gather": tile::gather4 and tile::scatter4
  TileFeature_Cluster,   ///< "cluster": thread block clusters, distributed shared memory
  TileFeature_SetMaxReg, ///< "setmaxnreg": registers moved between warp groups
  TileFeature_ElectSync, ///< "elect-sync"
  TileFeature_PDL,       ///< "pdl": griddepcontrol
  TileFeature_ReduxI32,  ///< "redux-i32": redux.sync on 32-bit integers
  TileFeature_ReduxF32,  ///< "redux-f32": redux.sync min/max on f32
  TileFeature_ThreeWayMaxima, ///< "three-way-maxima": the largest or smallest of three integers in one instruction, not of f32
  // AMD
  TileFeature_MFMA,            ///< "mfma"
  TileFeature_WMMA,            ///< "wmma"
  TileFeature_AGPR,            ///< "agpr": accumulation registers beside the vector registers
  TileFeature_BufferOps,       ///< "buffer-ops": raw buffer accesses with hardware bounds
  TileFeature_UnalignedAccess, ///< "unaligned-access": wide accesses of global memory may start at any element
  TileFeature_LdsDma,          ///< "lds-dma": global to LDS loads without registers; widths in asyncCopyBytes
  TileFeature_DsReadTr,        ///< "ds-read-tr": transposing LDS reads
  TileFeature_GlobalLoadTr,    ///< "global-load-tr": transposing global loads
  TileFeature_PermlaneSwap,    ///< "permlane-swap"
  TileFeature_DPP,             ///< "dpp": cross-lane operand modifiers
  // both
  TileFeature_Fp8Convert,  ///< "fp8-convert": f8 to and from f16/f32 in one instruction; which f8: fp8Format
  TileFeature_BF16Convert, ///< "bf16-convert": f32 to bf16, round to nearest even, in one instruction
  TileFeature_BF16Fma,     ///< "bf16-fma": fused multiply-add on bf16 pairs
  TileFeature_BF16Arith,   ///< "bf16-arith": add, sub and mul on bf16 pairs
  TileFeature_PackedF32,   ///< "packed-f32": two f32 operations in one instruction
  TileFeature_AtomicAddF16x2,  ///< "atomic-f16x2": global add on f16 pairs
  TileFeature_AtomicAddBF16x2, ///< "atomic-bf16x2": global add on bf16 pairs
  TileFeature_AtomicAddF32Vec, ///< "atomic-f32-vec": global add of 2 or 4 consecutive f32, 2 to 8 of 16 bits
  TileFeature_Count
} TileFeature;

/// Which 8-bit float encodings the chip's instructions read and write.
typedef enum TileFp8Format {
  TileFp8Format_None,
  TileFp8Format_OCP, ///< f8E4M3FN, f8E5M2
  TileFp8Format_FNUZ ///< f8E4M3FNUZ, f8E5M2FNUZ
} TileFp8Format;

typedef enum TileMatrixFamily {
  TileMatrixFamily_MmaSync, ///< one warp; fragments in registers (PTX ISA, "Matrix multiply-accumulate using
                            ///< mma")
  TileMatrixFamily_WGMMA,   ///< four warps; B, and A by choice, in shared memory (PTX ISA, "wgmma.mma_async")
  TileMatrixFamily_MFMA,    ///< one wave of 64 (CDNA ISA, "MFMA instructions")
  TileMatrixFamily_WMMA11,  ///< one wave of 32; A and B held twice, in both half-waves (RDNA3 ISA 7.9)
  TileMatrixFamily_WMMA12   ///< one wave of 32; A and B held once (RDNA4 ISA)
} TileMatrixFamily;

/// One matrix instruction: acc[m,n] += a[m,k] * b[k,n]. WGMMA rows give the widest n; every multiple of nStep
/// works.
typedef struct TileMatrixInstr {
  TileMatrixFamily family;
  TileElementType a, b, acc; ///< f32 operands are read with fewer bits (tf32, xf32) if `shortened`
  uint16_t m, n, k, nStep;   ///< nStep 0: n is fixed
  bool shortened;
} TileMatrixInstr;

typedef struct TileTargetInfo {
  const char *chip;         ///< "sm_90a", "gfx942": the name on the command line and in `tile_gpu.target`
  const char *architecture; ///< "Hopper", "CDNA3": for reports
  TileVendor vendor;        ///< never None
  bool canPrint;            ///< the driver gives kernels a vprintf

  // Threads. A "block" is a CUDA thread block or an AMD work-group; a "multiprocessor" an SM or a compute
  // unit.
  unsigned warpSize; ///< lanes of a warp (wave)
  unsigned maxThreadsPerBlock;
  unsigned maxWarpsPerBlock;
  unsigned maxWarpsPerMultiprocessor;
  unsigned maxBlocksPerMultiprocessor; ///< 0: no limit of its own
  unsigned simdsPerMultiprocessor;     ///< schedulers a warp may be placed on
  unsigned maxClusterSize;             ///< blocks in a portable cluster; 1: no clusters

  // Registers of 32 bits.
  unsigned registersPerMultiprocessor; ///< counted per lane on AMD times lanes, so that both vendors compare
  unsigned maxRegistersPerThread;      ///< accumulation registers included
  unsigned registerGranule;            ///< registers a thread are allocated in multiples of this

  // Shared memory (LDS), in bytes.
  unsigned sharedPerMultiprocessor;
  unsigned sharedPerBlock;        ///< most that a block can get (NVIDIA: dynamic, opted in by the launcher)
  unsigned sharedPerBlockDefault; ///< most without opting in; the same as sharedPerBlock on AMD
  unsigned sharedReserved;        ///< taken by the system from each block on top of what it asks for
  bool sharedIsStatic;            ///< the compiler sizes a block's shared memory (AMD), not the launcher
  unsigned sharedBanks;
  unsigned sharedBankBytes;

  // Accesses.
  unsigned maxVectorBits;       ///< widest shared and portable global access of a thread
  unsigned maxGlobalVectorBits; ///< widest global access of a thread
  unsigned sectorBytes;         ///< smallest piece of a global request that memory serves
  unsigned
      asyncCopyBytes; ///< cp.async or LDS DMA: a lane copies w bytes, w a power of two, if asyncCopyBytes & w

  uint64_t features; ///< bit i: TileFeature i; ask with tileTargetHas
  TileFp8Format fp8Format;
  const TileMatrixInstr *matrixInstrs; ///< best first among rows of equal types
  size_t numMatrixInstrs;
  unsigned tensorCoreBytes;      ///< NVIDIA: of a row of A; the products of so many are added in one go
  int tensorCoreGuardBits;       ///< fraction bits beyond an f32's that take part in that sum
  int tensorCoreFloat8GuardBits; ///< the same for 8-bit floats
  bool tensorCoreFloat8AsHalf;   ///< mma.sync of 8-bit floats is made of f16 ones

  // Code generation.
  const char *triple;         ///< LLVM target triple
  const char *cpu;            ///< LLVM processor
  const char *llvmFeatures;   ///< LLVM feature string, may be empty
  const char *dataLayout;     ///< LLVM data layout of the triple
  unsigned timerNanoseconds;  ///< of one tick of the counter that runs at a constant rate
  unsigned ptxVersion;        ///< NVIDIA: 86 is PTX ISA 8.6; 0 on AMD
  unsigned codeObjectVersion; ///< AMD: 500 is code object version 5; 0 on NVIDIA
  uint32_t bufferFlags;       ///< AMD: word 3 of a raw buffer resource; 0 on NVIDIA
} TileTargetInfo;

/// The chip with exactly this name, or NULL.
const TileTargetInfo *tileTargetLookup(const char *chip);
/// Multiprocessors that a card with the chip usually has.
unsigned tileTargetProcessors(const char *chip);
/// Number of known chips, and the i-th of them (i < count), NVIDIA first, in order of age.
size_t tileTargetCount(void);
const TileTargetInfo *tileTargetAt(size_t i);
/// All names, separated by blanks: "sm_80 sm_86 ... gfx1201". For messages.
const char *tileTargetNames(void);

enum { TileTarget_MostStoreParts = 4 };

/// In how many parts (1, 2 or 4) a block of results leaves through shared memory in a loop, where factors of the next block come
/// meanwhile: a part, and the `beside` bytes of blocks that are loaded to be added, take no more than a third of the memory; it has at
/// least 64 columns.
static inline int tileTargetStoreParts(const TileTargetInfo *target, int64_t bytes, int64_t columns,
                                       int64_t beside) {
  int parts = 1;
  while (parts < TileTarget_MostStoreParts && bytes / parts + beside > target->sharedPerBlock / 3 &&
         columns / parts >= 128)
    parts *= 2;
  return parts;
}

static inline bool tileTargetHas(const TileTargetInfo *target, TileFeature feature) {
  return target->features >> feature & 1;
}

/// Whether a program of so many warps can be compiled for the chip. Three groups take one with wgmma and tma.
static inline bool tileTargetTakesWarps(const TileTargetInfo *target, int64_t warps) {
  return tileIsWarpCount(warps) && warps <= (int64_t)target->maxWarpsPerBlock &&
         (warps != TILE_THREE_GROUPS ||
          (tileTargetHas(target, TileFeature_WGMMA) && tileTargetHas(target, TileFeature_TMA)));
}

/// The warps that layouts are made for.
static inline int64_t tileLayoutWarps(int64_t launched) {
  return launched == TILE_THREE_GROUPS ? TILE_FOUR_GROUPS : launched;
}

/// Command-line spelling of a feature ("tma"), or NULL if out of range.
const char *tileFeatureName(TileFeature feature);
/// False if `length` bytes of `name` name no feature.
bool tileFeatureParse(const char *name, size_t length, TileFeature *out_feature);
/// Clears every feature named in the comma-separated `list` (NULL or empty: none) of `target`, a copy owned
/// by the caller. Switching off a feature that the chip lacks is allowed. On an unknown name returns false,
/// with the name's place in *out_bad (not terminated) and its length in *out_length.
bool tileTargetDisable(TileTargetInfo *target, const char *list, const char **out_bad, size_t *out_length);

/// First matrix instruction of the family for these types, or NULL. `shortened` as in TileMatrixInstr.
const TileMatrixInstr *tileTargetFindMatrix(const TileTargetInfo *target, TileMatrixFamily family,
                                            TileElementType a, TileElementType b, TileElementType acc,
                                            bool shortened);

#ifdef __cplusplus
}
#endif
#endif
