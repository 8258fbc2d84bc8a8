/* Fragments.h - where the elements of matrices are in the registers of a warp, from the vendors' documents.
 *
 * acc[m,n] += a[m,k] * b[k,n]. A lane's elements of an operand are numbered through its registers, lowest
 * bits first. Pure functions, written independently of lib/Layout, so that tests can compare the two.
 *
 * Sources: PTX ISA, "Matrix Fragments for mma.m16n8k8" and its siblings; AMD CDNA3 ISA, "Matrix Arithmetic
 * Instructions", and AMD's matrix instruction calculator; CDNA4's 8-, 6- and 4-bit forms: the register tables
 * in the tests of AMD's Composable Kernel (test/mx_mfma_op); RDNA3 ISA 7.9 and RDNA4 ISA, "WMMA". */
#ifndef TILE_LIB_SIMULATOR_FRAGMENTS_H
#define TILE_LIB_SIMULATOR_FRAGMENTS_H
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SimMatrixFamily {
  SimMatrix_MmaSync,    ///< 32 lanes
  SimMatrix_Mfma,       ///< 64 lanes
  SimMatrix_MfmaF64,    ///< its accumulators come in groups of one row
  SimMatrix_MfmaF8F6F4, ///< CDNA4: 32 elements of A and B a lane; those of 8 bits in two runs of 16
  SimMatrix_Wmma11,     ///< RDNA3, 32 lanes; operands twice
  SimMatrix_Wmma12      ///< RDNA4, 32 lanes
} SimMatrixFamily;

/// An instruction's shape. `blocks` independent products (MFMA).
typedef struct SimMatrixShape {
  SimMatrixFamily family;
  unsigned m, n, k, blocks;
  unsigned elementBits; ///< of A and B; MfmaF8F6F4: of the operand that is asked about
} SimMatrixShape;

/// Element i of a lane: row and column in the operand (A: m, k; B: k, n; accumulator: m, n), and the block.
typedef struct SimElement {
  unsigned row, column, block;
} SimElement;

/// Elements that a lane holds of A, B and the accumulator.
unsigned simFragmentSizeA(const SimMatrixShape *s);
unsigned simFragmentSizeB(const SimMatrixShape *s);
unsigned simFragmentSizeC(const SimMatrixShape *s);
SimElement simFragmentA(const SimMatrixShape *s, unsigned lane, unsigned i);
SimElement simFragmentB(const SimMatrixShape *s, unsigned lane, unsigned i);
SimElement simFragmentC(const SimMatrixShape *s, unsigned lane, unsigned i);

/// MFMA's lane group pattern of B (CDNA3 ISA, BLGP): the lane whose registers are lane `lane`'s. 1, 2: the lower or upper
/// half for both; 3: 16 lanes on, round about; 4 to 7: a quarter for all.
unsigned simPatternLane(unsigned pattern, unsigned lane);

/// ldmatrix and stmatrix of 8x8 matrices of 16 bits: row and column of half h (0, 1) of a lane's register.
/// The row is at the address that lane 8 * matrix + row gives.
SimElement simLdMatrixElement(bool transposed, unsigned lane, unsigned h);

#ifdef __cplusplus
}
#endif
#endif
