/* Elementwise.h - what the element-wise emitters share: one row per op kind, one function per register. */
#ifndef TILE_LIB_CONVERSION_ELEMENTWISE_H
#define TILE_LIB_CONVERSION_ELEMENTWISE_H
#include "Lowering.h"

typedef struct TileElementwiseRow TileElementwiseRow;

/// Computes one register of the result from the same register of each operand; null if it is not supported.
typedef MlirValue (*TileElementEmitter)(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                                        const MlirValue *x, MlirType result);

struct TileElementwiseRow {
  TileElementEmitter emit;
  TileOpKind llvm; ///< op or the first choice of it, as the emitter understands it
  bool f8;         ///< takes f8 operands as they are; otherwise they are computed in f32
};

extern const TileElementwiseRow tileElementwiseRows[TileOp_Count];

// ---- SmallNumbers.c ----
/// Comparisons and conversions that are marked `tile_gpu.small`; false for others.
bool tileLowerSmall(TileLowering *l, MlirOperation op, const TileRegisters *in, TileRegisters out);

// ---- Arith.c ----
MlirValue tileEmitDirect(TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x,
                         MlirType result);
MlirValue tileEmitIntCompare(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                             const MlirValue *x, MlirType result);
MlirValue tileEmitFloatCompare(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                               const MlirValue *x, MlirType result);
MlirValue tileEmitShift(TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x,
                        MlirType result);
MlirValue tileEmitSignedDivide(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                               const MlirValue *x, MlirType result);
MlirValue tileEmitUnsignedDivide(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                                 const MlirValue *x, MlirType result);
MlirValue tileEmitFloatDivide(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                              const MlirValue *x, MlirType result);
MlirValue tileEmitPreciseDivide(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                                const MlirValue *x, MlirType result);
MlirValue tileEmitAbsInt(TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x,
                         MlirType result);
MlirValue tileEmitMultiply(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                           const MlirValue *x, MlirType result);
MlirValue tileEmitMulHigh(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                          const MlirValue *x, MlirType result);
MlirValue tileEmitClampF(TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x,
                         MlirType result);

// ---- Integers.c ----
MlirValue tileEmitFloorDivide(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                              const MlirValue *x, MlirType result);
MlirValue tileEmitCeilDivide(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                             const MlirValue *x, MlirType result);
MlirValue tileEmitCeilDivideUnsigned(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                                     const MlirValue *x, MlirType result);

// ---- Fma.c ----
MlirValue tileEmitFma(TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x,
                      MlirType result);

// ---- KnownBits.c ----
/// The least n known, at most 62, such that all elements of the tensor of integers, or the scalar, lie in -2^n .. 2^n - 1.
int tileKnownBits(MlirValue v);

// ---- FewBits.c ----
/// Registers of integers of few bits made f16, or of bytes extended of which few bits are used, in a shorter way; false if `op` has none.
bool tileLowerFewBits(TileLowering *l, MlirOperation op, TileRegisters in, TileRegisters out);

// ---- Casts.c ----
MlirValue tileEmitFloatToInt(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                             const MlirValue *x, MlirType result);
MlirValue tileEmitIntToFloat(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                             const MlirValue *x, MlirType result);
MlirValue tileEmitExtF(TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x,
                       MlirType result);
MlirValue tileEmitTruncF(TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x,
                         MlirType result);
MlirValue tileEmitFpToFp(TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x,
                         MlirType result);
MlirValue tileEmitBits(TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x,
                       MlirType result);
MlirValue tileEmitIndexCast(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                            const MlirValue *x, MlirType result);
MlirValue tileEmitAddPtr(TileLowering *l, const TileElementwiseRow *row, MlirOperation op, const MlirValue *x,
                         MlirType result);
/// Any float type to any other, rounded once (to nearest even, or toward zero).
MlirValue tileEmitFloatConvert(TileLowering *l, TileElementType from, TileElementType to, MlirValue x,
                               MlirType result, bool towardZero);
/// A float rounded to nearest made odd: toward zero, with the last bit set if anything was lost; to round it again to
/// some bits fewer is then right. isAbove: the rounding grew the magnitude.
MlirValue tileEmitOdd(TileLowering *l, MlirValue nearest, MlirValue isAbove, MlirValue isExact);
/// f64 to an intermediate from which rounding to a narrower type is correct: f32, made odd where it is
/// inexact.
MlirValue tileEmitRoundToOdd(TileLowering *l, MlirValue x);

// ---- Float8.c ----
MlirValue tileEmitFloat8ToF32(TileLowering *l, TileElementType from, MlirValue bits);
MlirValue tileEmitF32ToFloat8(TileLowering *l, TileElementType to, MlirValue x, bool towardZero);
bool tileLowerFloat8Pairs(TileLowering *l, TileElementType from, TileElementType to, TileRegisters in,
                          TileRegisters out);

// ---- Math.c ----
/// f32 through the target's primitive, f64 through the LLVM op of the row.
MlirValue tileEmitPrimitive(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                            const MlirValue *x, MlirType result);
MlirValue tileEmitCountZeros(TileLowering *l, const TileElementwiseRow *row, MlirOperation op,
                             const MlirValue *x, MlirType result);

#endif
