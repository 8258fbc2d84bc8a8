/* Kernels.h - private to lib/Simulator: the loops behind pure instructions, one for each container. */
#ifndef TILE_LIB_SIMULATOR_KERNELS_H
#define TILE_LIB_SIMULATOR_KERNELS_H
#include "Sim.h"
#include "tile-c/Numerics.h"

/// Integers by log2 of the container's bytes; floats by SimFloat.
typedef struct SimKernels {
  SimPure of[5];
} SimKernels;

typedef enum SimFloat { SimFloat_F16, SimFloat_BF16, SimFloat_F32, SimFloat_F64, SimFloat_None } SimFloat;

// Integers.c. `bits` is the width.
extern const SimKernels simAdd, simSub, simMul, simAnd, simOr, simXor, simShl, simLShr, simAShr, simUDiv,
    simSDiv, simURem, simSRem, simUMin, simUMax, simSMin, simSMax, simAbs, simCtPop, simCtlz, simCttz,
    simBitReverse, simByteSwap, simFshl, simFshr, simUAddSat, simSAddSat, simUSubSat, simSSubSat, simMulHighU,
    simMulHighS, simSelect, simCopy;
/// `param`: accepted relations, 1 equal, 2 greater, 4 less.
extern const SimKernels simCompareU, simCompareS;
/// Overflow bits (a byte each) of the sum, difference and product.
extern const SimKernels simUAddOverflow, simSAddOverflow, simUSubOverflow, simSSubOverflow, simUMulOverflow,
    simSMulOverflow;

// Floats.c
extern const SimKernels simFAdd, simFSub, simFMul, simFDiv, simFRem, simFNeg, simFAbs, simFma,
    simFmaBF16AsF32, simMinNum, simMaxNum, simMinimum, simMaximum, simCopySign, simSqrt, simRsqrt, simRcp,
    simExp, simExp2, simExp10, simLog, simLog2, simLog10, simSin, simCos, simTanh, simPow, simFloor, simCeil,
    simTrunc, simRint, simRound;
/// `param`: accepted relations, 1 equal, 2 greater, 4 less, 8 unordered.
extern const SimKernels simCompareF;
/// Flush subnormal operands and results of f32 (the .ftz forms).
extern const SimKernels simFtz;
extern const SimKernels simLdexp; ///< b is i32

// Casts.c. [from][to]; bits of the source in `param`, of the result in `bits`.
extern const SimKernels simZExt[5], simSExt[5];         ///< also truncation
extern const SimKernels simFloatCast[4];                ///< by SimFloat
extern const SimKernels simFloatToS[4], simFloatToU[4]; ///< [from float] of integer container; saturating
extern const SimKernels simSToFloat[5], simUToFloat[5]; ///< [from container] of float

#endif
