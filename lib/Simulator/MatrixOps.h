/* MatrixOps.h - private to lib/Simulator: what the decoders of both vendors' matrix instructions share. */
#ifndef TILE_LIB_SIMULATOR_MATRIXOPS_H
#define TILE_LIB_SIMULATOR_MATRIXOPS_H
#include "Decode.h"
#include "Matrix.h"

/// An operand's value as the fragment it is: elements of `bits` in slots that may hold several.
bool simMakeFragment(SimDecoder *d, MlirOperation op, const SimValue *value, unsigned bits, SimNumber number,
                     SimFragment *out);
/// Fills the maps, checks the sizes and emits the instruction; the op's only result gets new slots.
bool simEmitMatrix(SimDecoder *d, MlirOperation op, SimMatrixOp *m);
/// The values of an 8-bit float type by their bits.
const double *simFloat8Table(SimDecoder *d, TileElementType type);
/// Numbers in the text of an attribute such as #nvvm.shape<m = 16, n = 8, k = 16>; how many were found.
unsigned simNumbersIn(MlirAttribute a, unsigned *out, unsigned max);

bool simDecodeMma(SimDecoder *d, MlirOperation op, const SimRow *row);
/// `param`: k, then the types of A and B as NVVMMMATypes, eight bits each.
bool simDecodeMmaIntrinsic(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeLdMatrix(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeStMatrix(SimDecoder *d, MlirOperation op, const SimRow *row);
/// `param`: bits of an element.
bool simDecodeTransposedRead(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeMfma(SimDecoder *d, MlirOperation op, const SimRow *row);
/// CDNA4's f8f6f4 forms, scaled or not.
bool simDecodeMfmaScale(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeWmma(SimDecoder *d, MlirOperation op, const SimRow *row);
#endif
