/* TileGPUMatrix.h - #tile_gpu.instr: the layouts of a product's tensors, and which registers one instruction
 * takes of them.
 *
 * A layout of a product is the instruction's fragment, repeated over warps and over the tensor. Each register
 * bit of it moves along one dimension: the lowest ones belong to the fragment, the others repeat it. Tensors
 * smaller than the fragment are filled up: the layout is made for the larger tensor and then clipped, so that
 * what lies outside are copies of what lies inside. */
#ifndef TILE_C_DIALECT_TILEGPUMATRIX_H
#define TILE_C_DIALECT_TILEGPUMATRIX_H
#include "tile-c/IR.h"
#include "tile-c/LayoutMatrix.h"
#include "tile-c/Target.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The content of #tile_gpu.instr.
typedef struct TileMatrixChoice {
  TileMatrixFamily family;
  int32_t m, n, k; ///< of the instruction
  int32_t kWidth;  ///< consecutive elements along K in a thread, a power of two
  int32_t rank;    ///< 2, or 3 with a batch
  int32_t warps[3];
  bool shortened, transposed;
  bool paired; ///< mma.sync: rows r and r + 8 of the first operand are neighbours
} TileMatrixChoice;

MlirAttribute tileMatrixChoiceToAttr(MlirContext context, const TileMatrixChoice *choice);
/// False if `attr` is no #tile_gpu.instr or a number is out of range.
bool tileMatrixChoiceFromAttr(MlirAttribute attr, TileMatrixChoice *out);

/// Rows and columns of the accumulator that one instruction makes: m and n, exchanged where operands are.
int32_t tileMatrixRows(const TileMatrixChoice *choice);
int32_t tileMatrixColumns(const TileMatrixChoice *choice);

/// Of what a product is made, in elements; batch is 1 for two dimensions.
typedef struct TileMatrixSizes {
  int64_t batch, m, n, k;
  TileElementType a, b, acc; ///< element types
} TileMatrixSizes;
/// From a tile_gpu.mma (or tile.dot) with operands a, b, c of two or three dimensions.
TileMatrixSizes tileMatrixSizesOf(MlirOperation op);

/// Directions in which a fragment is repeated.
typedef enum TileMatrixAxis {
  TileMatrixAxis_Batch,
  TileMatrixAxis_M,
  TileMatrixAxis_N,
  TileMatrixAxis_K,
  TileMatrixAxis_Count
} TileMatrixAxis;

/// One tensor of a product: its layout, and its registers as fragments of the instruction.
typedef struct TileMatrixOperand {
  TileLayout layout;
  int32_t numElementBits;
  int32_t elementBits[TileLayout_MaxBits]; ///< register bit behind each bit of an element's number in the
                                           ///< instruction's operand
  int32_t numRepeats[TileMatrixAxis_Count];
  int32_t repeats[TileMatrixAxis_Count][TileLayout_MaxBits]; ///< register bits of each direction
  uint32_t outsideRegisters, outsideLanes; ///< bits of register and lane that lead beyond the end of K
} TileMatrixOperand;

/// False if there is no such instruction or the sizes are no powers of two.
bool tileMatrixOperandOf(const TileMatrixChoice *choice, const TileMatrixSizes *sizes, TileMatrixRole role,
                         TileMatrixOperand *out);
/// The layout alone, as an attribute; null as above.
MlirAttribute tileMatrixLayoutAttr(MlirOperation mma, TileMatrixRole role);
/// The register that holds element `element` of the fragment at `at` (numbers of repeats by direction).
uint32_t tileMatrixRegister(const TileMatrixOperand *operand, const int32_t at[TileMatrixAxis_Count],
                            uint32_t element);

/// Whether a chip of the tables has this instruction.
bool tileMatrixChoiceExists(const TileMatrixChoice *choice, const TileMatrixSizes *sizes);

#ifdef __cplusplus
}
#endif
#endif
