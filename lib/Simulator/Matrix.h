/* Matrix.h - private to lib/Simulator: matrix instructions of a whole warp. */
#ifndef TILE_LIB_SIMULATOR_MATRIX_H
#define TILE_LIB_SIMULATOR_MATRIX_H
#include "Fragments.h"
#include "Kernels.h"
#include "TensorCore.h"

/// How an operand's bits are numbers.
typedef enum SimNumber {
  SimNumber_F16,
  SimNumber_BF16,
  SimNumber_TF32, ///< f32 whose 13 low bits are ignored
  SimNumber_F32,
  SimNumber_F64,
  SimNumber_Float8, ///< by a table of 256 values
  SimNumber_Signed, ///< of elementBits
  SimNumber_Unsigned
} SimNumber;

/// One operand: slots with `perSlot` elements of `elementBits` each, lowest bits first. `perSlot` 0: elements
/// follow each other across slots of 32 bits.
typedef struct SimFragment {
  const uint32_t *slots;
  unsigned perSlot, elementBits, slotLog2Bytes;
  SimNumber number;
  const double *float8; ///< of SimNumber_Float8
  unsigned size;        ///< elements of a lane
  const uint16_t *map;  ///< lane by lane: place in the dense matrix, block by block
} SimFragment;

/// Powers of two by which CDNA4 multiplies: byte `byte` of a lane's number in `slot`, as 2^(byte - 127), for 32
/// elements of a row of A (a column of B); lanes count rows, then runs of 32 along k.
typedef struct SimScale {
  uint32_t slot;
  unsigned byte;
} SimScale;

/// What MFMA does to its operands before it multiplies; all zero: nothing.
typedef struct SimModifiers {
  uint8_t broadcast;   ///< cbsz: each run of 2^broadcast blocks multiplies the same block of A,
  uint8_t block;       ///< abid: this one of the run
  uint8_t lanePattern; ///< blgp: whose B a lane takes, see simPatternLane
  uint8_t negated;     ///< f64: bits 0 to 2 for A, B, C
} SimModifiers;

/// `data` of a matrix instruction. The result's elements are the accumulator's.
typedef struct SimMatrixOp {
  SimMatrixShape shape;
  SimFragment a, b, c;
  const uint32_t *result;
  SimSumRule sum;   ///< NVIDIA: of floats but f64
  bool asHalves;    ///< Hopper's mma.sync of 8-bit floats
  bool differs;     ///< bits: of different ones instead of products
  bool saturates;   ///< integers clamp instead of wrapping
  bool copiesAgree; ///< RDNA3: both half-waves have to hold the same
  bool scaled;      ///< by scaleA and scaleB
  SimScale scaleA, scaleB;
  SimModifiers modifiers;  ///< MFMA
  unsigned stride, offset; ///< element i of a lane's accumulator is number i * stride + offset of the value
} SimMatrixOp;

SimStatus simMatrix(SimWarp *w, const SimInsn *i);

/// `data` of ldmatrix and stmatrix; operand a is the address.
typedef struct SimLdMatrix {
  unsigned count; ///< matrices: 1, 2 or 4
  bool transposed;
  const uint32_t *slots; ///< of 32 bits, one a matrix
} SimLdMatrix;

/// `data` of ds_read_b64_tr_b*; operand a is the address. The 8 bytes of a lane fill `count` slots.
typedef struct SimTransposedRead {
  unsigned bits; ///< of an element
  unsigned count;
  const uint32_t *slots;
} SimTransposedRead;

SimStatus simTransposedRead(SimWarp *w, const SimInsn *i);

SimStatus simLoadMatrix(SimWarp *w, const SimInsn *i);
SimStatus simStoreMatrix(SimWarp *w, const SimInsn *i);
#endif
