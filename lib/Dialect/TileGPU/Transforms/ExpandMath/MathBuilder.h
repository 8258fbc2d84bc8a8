/* MathBuilder.h - short forms for writing a math function as arith and math ops on scalars or whole tensors.
 *
 * Everything rests on the eight functions of the first group (MathBuilder.c creates IR by them); the rest, in
 * MathForms.c, and all expanders only call those. The accuracy test under test/numeric/math puts an evaluator
 * of arrays in the place of the eight and so executes the very expanders, bit for bit, on millions of inputs.
 */
#ifndef TILE_LIB_TILEGPU_MATHBUILDER_H
#define TILE_LIB_TILEGPU_MATHBUILDER_H
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Target.h"
#include <math.h>

typedef struct MathBuilder {
  TileBuilder b;
  MlirLocation loc;
  MlirContext context;
  MlirType type; ///< float type being computed in: f32, f64 or a tensor of it
  bool narrow;   ///< the arguments were f16: below 2^16, and the result is rounded to it
  bool precise;
  bool
      added; ///< the result, between -1 and 1, is only added to numbers of 1 or more: its absolute error counts
  bool whole;    ///< what mathRarely is given holds for all arguments: its branch computes nothing else
  bool branches; ///< mathRarely may branch: tensors become threads' registers
  bool
      besideProduct; ///< in a loop with a product, a few dozen elements a thread: tile-gpu-skip-masks makes the branch
  int mode;          ///< parameter of an expander that serves several names
} MathBuilder;

/// Writes the value of a function of x[0], x[1] ... in m->type.
typedef MlirValue (*MathExpander)(MathBuilder *m, const MlirValue *x);

/// Element type of a result: the float type, the integer of the same width, i1; or a type by name, for
/// conversions.
typedef enum MathType {
  MathType_Float,
  MathType_Int,
  MathType_Bool,
  MathType_F16,
  MathType_F32,
  MathType_F64,
  MathType_I16,
  MathType_I32,
  MathType_I64
} MathType;

/// arith.cmpf's numbers: false on NaN but for NE, which is true, and Unordered.
typedef enum MathOrder {
  MathOrder_EQ = 1,
  MathOrder_GT = 2,
  MathOrder_GE = 3,
  MathOrder_LT = 4,
  MathOrder_LE = 5,
  MathOrder_NE = 13,
  MathOrder_Unordered = 14
} MathOrder;

/// arith.cmpi's numbers; U: unsigned.
typedef enum MathIntOrder {
  MathIntOrder_EQ = 0,
  MathIntOrder_NE = 1,
  MathIntOrder_LT = 2,
  MathIntOrder_GE = 5,
  MathIntOrder_ULT = 6,
  MathIntOrder_UGE = 9
} MathIntOrder;

// ---- The eight ----

/// An op without attributes.
MlirValue mathEmit(MathBuilder *m, TileOpKind kind, MathType result, int n, const MlirValue *x);
/// 2^x of f32 where a result below 2^-126 may become 0: needs no care for subnormal numbers.
MlirValue mathExp2Normal(MathBuilder *m, MlirValue x);
/// 1 / x of f32 for 2^-126 <= x: 1 ulp unless precise, and 0 for some below 2^-125.
MlirValue mathReciprocalNormal(MathBuilder *m, MlirValue x);
MlirValue mathConstant(MathBuilder *m, double value);
MlirValue mathInt(MathBuilder *m, int64_t value); ///< i32 (f32) or i64 (f64)
MlirValue mathCompare(MathBuilder *m, MathOrder order, MlirValue a, MlirValue b);
MlirValue mathCompareInt(MathBuilder *m, MathIntOrder order, MlirValue a, MlirValue b);

/// Writes out[0 ... n) for arguments x; `user` is the caller's.
typedef void (*MathRare)(MathBuilder *m, const MlirValue *x, const void *user, MlirValue *out);
/// Replaces values[0 ... n) by those of `rare` where `condition` is true. Where no element of a thread needs
/// them, it does not compute them (in the accuracy test and without a target everyone does).
void mathRarely(MathBuilder *m, MlirValue condition, MathRare rare, const MlirValue *x, const void *user,
                int n, MlirValue *values);

/// The same builder computing in f32 or f64 (not in the accuracy test).
MathBuilder mathWithWidth(MathBuilder *m, int width);

// ---- Floats ----

MlirValue mathUnary(MathBuilder *m, TileOpKind kind, MlirValue x);
MlirValue mathBinary(MathBuilder *m, TileOpKind kind, MlirValue a, MlirValue b);
MlirValue mathAdd(MathBuilder *m, MlirValue a, MlirValue b);
MlirValue mathSub(MathBuilder *m, MlirValue a, MlirValue b);
MlirValue mathMul(MathBuilder *m, MlirValue a, MlirValue b);
MlirValue mathDiv(MathBuilder *m, MlirValue a, MlirValue b);      ///< f32: 2 ulp unless precise
MlirValue mathExactDiv(MathBuilder *m, MlirValue a, MlirValue b); ///< rounded once
MlirValue mathFma(MathBuilder *m, MlirValue a, MlirValue b, MlirValue c);
/// With one constant operand.
MlirValue mathAddK(MathBuilder *m, MlirValue a, double k);
MlirValue mathMulK(MathBuilder *m, MlirValue a, double k);
MlirValue mathFmaK(MathBuilder *m, MlirValue a, double k, MlirValue c); ///< a * k + c
MlirValue mathNeg(MathBuilder *m, MlirValue x);
MlirValue mathAbs(MathBuilder *m, MlirValue x);
MlirValue mathCopySign(MathBuilder *m, MlirValue magnitude, MlirValue sign);
MlirValue mathSelect(MathBuilder *m, MlirValue c, MlirValue t, MlirValue f);
MlirValue mathCompareK(MathBuilder *m, MathOrder order, MlirValue a, double k);
/// y + correction; y where the correction is not finite: for y of 0, infinity and NaN.
MlirValue mathCorrect(MathBuilder *m, MlirValue y, MlirValue correction);
/// c[0] + x * (c[1] + x * (...)), by fma, n coefficients.
MlirValue mathPolynomial(MathBuilder *m, MlirValue x, const double *c, int n);

/// Of two constants or tables the one for the type that is computed in.
#define MATH_PICK(m, single, twice) (mathWidth(m) == 64 ? (twice) : (single))
#define MATH_POLYNOMIAL(m, x, single, twice)                                                                 \
  mathPolynomial(                                                                                            \
      m, x, MATH_PICK(m, single, twice),                                                                     \
      MATH_PICK(m, (int)(sizeof(single) / sizeof(double)), (int)(sizeof(twice) / sizeof(double))))

/// a nearest integer of |x| < 2^22 (f32) or 2^51 (f64), as a float and, modulo 2^22, in the low bits of an
/// integer.
typedef struct MathRounded {
  MlirValue value, bits;
} MathRounded;
MathRounded mathRoundSmall(MathBuilder *m, MlirValue x);

// ---- Sums of two floats, high + low ----

typedef struct MathPair {
  MlirValue high, low;
} MathPair;

/// a * b exactly.
MathPair mathExactProduct(MathBuilder *m, MlirValue a, MlirValue b);
/// a + b exactly, where |a| >= |b| or a is 0.
MathPair mathExactSum(MathBuilder *m, MlirValue a, MlirValue b);

// ---- Integers, of the float's width ----

MlirValue mathBits(MathBuilder *m, MlirValue x); ///< a float's bits
MlirValue mathFromBits(MathBuilder *m, MlirValue x);
MlirValue mathIntOp(MathBuilder *m, TileOpKind kind, MlirValue a, MlirValue b);
MlirValue mathIntOpK(MathBuilder *m, TileOpKind kind, MlirValue a, int64_t k);
MlirValue mathSelectInt(MathBuilder *m, MlirValue c, MlirValue t, MlirValue f);
MlirValue mathToFloat(MathBuilder *m, MlirValue x); ///< signed
MlirValue mathConvert(MathBuilder *m, TileOpKind kind, MathType result, MlirValue x);
/// Flips the sign of x where bit `bit` of n is set.
MlirValue mathFlipSign(MathBuilder *m, MlirValue x, MlirValue n, int bit);
/// Bits of the float type: 32 or 64.
int mathWidth(MathBuilder *m);

#endif
