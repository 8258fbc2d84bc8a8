/* DotChoice.h - which matrix instruction computes a product, in which types, spread how over warps.
 *
 * Decided from sizes and the target's table alone; AccelerateDot.c writes the ops. */
#ifndef TILE_LIB_TILEGPU_DOTCHOICE_H
#define TILE_LIB_TILEGPU_DOTCHOICE_H
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPUMatrix.h"

/// What is known of a product before an instruction is chosen.
typedef struct DotRequest {
  TileMatrixSizes sizes;
  int rank;
  TileInputPrecision precision;
  bool feedsDot;             ///< its result becomes, element by element, the first operand of another product
  bool takesDot;             ///< its first operand comes so from another product
  int bitsA, bitsB;          ///< of the elements that the operands were loaded as, if along K
  bool acrossA, acrossB;     ///< loaded as bytes across K, which ldmatrix can transpose in pairs
  bool unpackedA, unpackedB; ///< made beside the product of bytes that hold several numbers each, along K
  bool crowded;              ///< the sums of the products beside it take all of a thread's registers
  int64_t imprecise;         ///< elements of K whose products, if 8-bit floats, may be summed with fewer bits
} DotRequest;

/// How operands are made from the program's.
typedef enum DotParts {
  DotParts_Plain,  ///< converted to the instruction's type
  DotParts_Masked, ///< f32 without the bits that tf32 lacks, multiplied exactly
  DotParts_Halved, ///< the same as two bf16 each, which hold it exactly: four products
  DotParts_TF32x3, ///< a tf32 and what it leaves over
  DotParts_BF16x3, ///< a bf16 and what it leaves over
  DotParts_BF16x6  ///< two bf16 and what they leave over
} DotParts;

typedef struct DotChoice {
  TileMatrixChoice instr;
  TileElementType a, b, acc; ///< that the instruction takes
  DotParts parts;
  bool apart; ///< summed apart from the accumulator, which is then added
} DotChoice;

/// False if no instruction serves; *out_reason says why, or why a faster one was passed over (null: none
/// was). Reasons are constant texts.
bool tileDotChoose(const TileTargetInfo *target, int numWarps, const DotRequest *request, DotChoice *out,
                   const char **out_reason);

#endif
