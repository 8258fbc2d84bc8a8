/* LayoutMatrix.h - layouts of the operands and accumulators of matrix instructions.
 *
 * Every constructor takes the fragment of one instruction in one warp, as the vendor publishes it, repeats it
 * over warps, and distributes the result over the tensor (tileLayoutDistribute: what is left is covered by
 * registers, what exceeds the tensor is replicated). For acc[M,N] += a[M,K] * b[K,N], warps along M hold
 * copies of b and warps along N copies of a.
 *
 * Sources: PTX ISA, "Matrix Fragments for mma" and "Register Fragments for wgmma"; AMD CDNA3 ISA, "Matrix
 * Arithmetic Instructions"; AMD RDNA3 ISA 7.9 and RDNA4 ISA, "WMMA". Fragments are written (row, column) =
 * (dim 0, dim 1). */
#ifndef TILE_C_LAYOUTMATRIX_H
#define TILE_C_LAYOUTMATRIX_H
#include "tile-c/Layout.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileMatrixRole {
  TileMatrixRole_Accumulator, ///< tensor [batch,] M, N
  TileMatrixRole_A,           ///< tensor [batch,] M, K
  TileMatrixRole_B            ///< tensor [batch,] K, N
} TileMatrixRole;

/// Where the tensor and the warps are. `warps` and `tilesPerWarp` are along [batch,] M, N for every role, so
/// that the three layouts of one product differ only in role, shape and instruction. Powers of two.
typedef struct TileMatrixPlacement {
  int32_t rank;            ///< 2, or 3 with a leading batch dimension
  int64_t shape[3];        ///< of this tensor, in elements
  int32_t warps[3];        ///< warps along [batch,] M, N
  int32_t tilesPerWarp[3]; ///< neighbouring instruction tiles of a warp along [batch,] M, N (AMD; NVIDIA: 1);
                           ///< 0 counts as 1
  bool paired;             ///< mma.sync: rows r and r + 8 of the instruction's first operand are neighbours
} TileMatrixPlacement;

/// mma.sync. Accumulator 16x8: register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]]; A is 16 x
/// 8*kWidth, B is 8*kWidth x 8, with kWidth consecutive elements along K in a thread: 32 / element bits, or
/// more when an operand should keep wider runs (both operands then see the same reordering of K). With `f64`
/// the m8n8k4 fragments (kWidth 1). `transposed` exchanges M and N (operands swapped in the instruction). Warps: N
/// fastest. `kWidth` is ignored for the accumulator.
bool tileLayoutMmaSync(const TileMatrixPlacement *placement, TileMatrixRole role, int32_t kWidth, bool f64,
                       bool transposed, TileLayout *out);

/// wgmma with instructions of 64 x instrN: the accumulator, or A in registers (kWidth = 32 / element bits;
/// instrN is ignored). A warp holds 16 rows, consecutive warps of a group hold consecutive rows: M fastest,
/// so placement->warps along M is a multiple of 4. B is never in registers: false for that role.
bool tileLayoutWgmma(const TileMatrixPlacement *placement, TileMatrixRole role, int32_t instrN,
                     int32_t kWidth, TileLayout *out);

/// MFMA on 64 lanes, instruction m x n: 32x32, 16x16, 64x4 or 4x64. Accumulator: groups of 4 rows (1 row with
/// `f64`) in consecutive registers; `transposed` exchanges M and N (operands swapped in the instruction): a
/// thread then holds consecutive columns. Operands: kWidth consecutive elements along K. Warps: N fastest.
/// 64x4 is always transposed, 4x64 never.
bool tileLayoutMfma(const TileMatrixPlacement *placement, TileMatrixRole role, int32_t m, int32_t n,
                    int32_t kWidth, bool f64, bool transposed, TileLayout *out);

/// WMMA 16x16 on 32 lanes. `generation` 1 is RDNA3 (operands held twice, once per half-wave; accumulator rows
/// interleaved), 2 is RDNA4. kWidth: 16 in generation 1, usually 8 in generation 2; `k` is the instruction's
/// depth. `transposed` as for MFMA.
bool tileLayoutWmma(const TileMatrixPlacement *placement, TileMatrixRole role, int32_t generation,
                    int32_t kWidth, int32_t k, bool transposed, TileLayout *out);

/// The operand that multiply-adds on `accumulator` need: each thread holds all of K for its rows (role A) or
/// columns (role B), K in the lowest registers. `k` is the size of K. Works for any accumulator layout of
/// rank 2 or 3.
bool tileLayoutFmaOperand(const TileLayout *accumulator, TileMatrixRole role, int64_t k, TileLayout *out);

#ifdef __cplusplus
}
#endif
#endif
