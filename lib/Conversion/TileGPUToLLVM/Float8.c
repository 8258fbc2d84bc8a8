/* Float8.c - the 8-bit float types, held as their bits in i8: exact conversion from and to f32.
 *
 * A number's bits below the sign, shifted to the place of f32's exponent and fraction, are the number times
 * 2^(bias - 127), subnormals included; so decoding is one exact multiplication. Encoding rounds once, in the
 * integer domain for normal results and by an addition whose unit in the last place is the format's smallest
 * step for subnormal ones. Chips with conversion instructions for a format use them (hooks).
 * docs/spec/numerics.md has the rules: saturation, NaN kept. */
#include "Elementwise.h"

/* Bit layout of a format (OCP 8-bit Floating Point Specification 1.0; the FNUZ variants: Noune et al. 2022).
 */
typedef struct Float8 {
  int fraction, bias;
  double max;   ///< largest finite value
  int nan;      ///< encoding that is written for a NaN
  bool fnuz;    ///< 0x80 is the only NaN, zero has no sign
  int firstNan; ///< magnitudes from here on are no finite numbers (not for fnuz)
} Float8;

static const Float8 *formatOf(TileElementType t) {
  static const Float8 e4m3 = {3, 7, 448, 0x7F, false, 0x7F}, e5m2 = {2, 15, 57344, 0x7F, false, 0x7C},
                      e4m3fnuz = {3, 8, 240, 0x80, true, 0}, e5m2fnuz = {2, 16, 57344, 0x80, true, 0};
  switch (t) {
  case TileElementType_F8E4M3FN:
    return &e4m3;
  case TileElementType_F8E5M2:
    return &e5m2;
  case TileElementType_F8E4M3FNUZ:
    return &e4m3fnuz;
  case TileElementType_F8E5M2FNUZ:
    return &e5m2fnuz;
  default:
    return NULL;
  }
}

static double powerOfTwo(int e) {
  double p = 1;
  for (; e > 0; --e)
    p *= 2;
  for (; e < 0; ++e)
    p /= 2;
  return p;
}

static MlirValue quietNan(TileLowering *l) {
  return tileEmitBitcast(l, tileEmitI32(l, 0x7FC00000), mlirF32TypeGet(l->context));
}

/* Infinity (e5m2) and NaN for the magnitudes above the finite ones. */
static MlirValue decodeSpecial(TileLowering *l, const Float8 *f, MlirValue byte, MlirValue magnitude,
                               MlirValue finite) {
  MlirType f32 = mlirF32TypeGet(l->context);
  if (f->fnuz)
    return tileEmitSelect(l, tileEmitICmp(l, LLVMICmpPredicate_eq, byte, tileEmitI32(l, 0x80)), quietNan(l),
                          finite);
  MlirValue special = quietNan(l);
  if (f->firstNan == 0x7C) {
    MlirValue infinity = tileEmitBitcast(l, tileEmitI32(l, 0x7F800000), f32);
    special = tileEmitSelect(l, tileEmitICmp(l, LLVMICmpPredicate_eq, magnitude, tileEmitI32(l, 0x7C)),
                             infinity, special);
  }
  return tileEmitSelect(l, tileEmitICmp(l, LLVMICmpPredicate_uge, magnitude, tileEmitI32(l, f->firstNan)),
                        special, finite);
}

static MlirValue decode(TileLowering *l, const Float8 *f, MlirValue bits) {
  MlirType i32 = mlirIntegerTypeGet(l->context, 32), f32 = mlirF32TypeGet(l->context);
  MlirValue byte = tileEmit1(l, TileOp_LLVM_ZExt, i32, bits);
  MlirValue magnitude = tileEmit2(l, TileOp_LLVM_And, byte, tileEmitI32(l, 0x7F));
  MlirValue shifted = tileEmit2(l, TileOp_LLVM_Shl, magnitude, tileEmitI32(l, 23 - f->fraction));
  MlirValue scale = tileEmitFloat(l, f32, powerOfTwo(127 - f->bias));
  MlirValue value = tileEmit2(l, TileOp_LLVM_FMul, tileEmitBitcast(l, shifted, f32), scale);
  value = decodeSpecial(l, f, byte, magnitude, value);
  MlirValue sign = tileEmit2(l, TileOp_LLVM_Shl, tileEmit2(l, TileOp_LLVM_And, byte, tileEmitI32(l, 0x80)),
                             tileEmitI32(l, 24));
  return tileEmitBitcast(l, tileEmit2(l, TileOp_LLVM_Or, tileEmitBitcast(l, value, i32), sign), f32);
}

/* Round to nearest even of a magnitude within the finite range; the encoding without sign, in i32. */
static MlirValue encodeMagnitude(TileLowering *l, const Float8 *f, MlirValue x) {
  MlirType i32 = mlirIntegerTypeGet(l->context, 32), f32 = mlirF32TypeGet(l->context);
  int drop = 23 - f->fraction;
  MlirValue bits = tileEmitBitcast(l, x, i32);
  MlirValue odd = tileEmit2(l, TileOp_LLVM_And, tileEmit2(l, TileOp_LLVM_LShr, bits, tileEmitI32(l, drop)),
                            tileEmitI32(l, 1));
  MlirValue rounded = tileEmit2(l, TileOp_LLVM_Add, tileEmit2(l, TileOp_LLVM_Add, bits, odd),
                                tileEmitI32(l, (1 << (drop - 1)) - 1));
  MlirValue normal =
      tileEmit2(l, TileOp_LLVM_Sub, tileEmit2(l, TileOp_LLVM_LShr, rounded, tileEmitI32(l, drop)),
                tileEmitI32(l, (int64_t)(127 - f->bias) << f->fraction));
  int step = 1 - f->bias - f->fraction; /* log2 of the smallest subnormal */
  MlirValue anchor = tileEmitFloat(l, f32, powerOfTwo(step + 23));
  MlirValue sum = tileEmit2(l, TileOp_LLVM_FAdd, x, anchor);
  MlirValue subnormal =
      tileEmit2(l, TileOp_LLVM_Sub, tileEmitBitcast(l, sum, i32), tileEmitBitcast(l, anchor, i32));
  MlirValue isNormal =
      tileEmitFCmp(l, LLVMFCmpPredicate_oge, x, tileEmitFloat(l, f32, powerOfTwo(1 - f->bias)));
  return tileEmitSelect(l, isNormal, normal, subnormal);
}

static MlirValue encode(TileLowering *l, const Float8 *f, MlirValue x) {
  MlirType i8 = mlirIntegerTypeGet(l->context, 8), i32 = mlirIntegerTypeGet(l->context, 32),
           f32 = mlirF32TypeGet(l->context);
  MlirValue magnitude = tileEmit1(l, TileOp_LLVM_FAbs, f32, x);
  MlirValue within = tileEmit2(l, TileOp_LLVM_MinNum, magnitude, tileEmitFloat(l, f32, f->max));
  MlirValue code = encodeMagnitude(l, f, within);
  MlirValue sign = tileEmit2(l, TileOp_LLVM_LShr, tileEmitBitcast(l, x, i32), tileEmitI32(l, 24));
  sign = tileEmit2(l, TileOp_LLVM_And, sign, tileEmitI32(l, 0x80));
  if (f->fnuz)
    sign = tileEmitSelect(l, tileEmitICmp(l, LLVMICmpPredicate_eq, code, tileEmitI32(l, 0)),
                          tileEmitI32(l, 0), sign);
  code = tileEmit2(l, TileOp_LLVM_Or, code, sign);
  MlirValue isNan = tileEmitFCmp(l, LLVMFCmpPredicate_uno, x, x);
  return tileEmit1(l, TileOp_LLVM_Trunc, i8, tileEmitSelect(l, isNan, tileEmitI32(l, f->nan), code));
}

MlirValue tileEmitFloat8ToF32(TileLowering *l, TileElementType from, MlirValue bits) {
  MlirValue pair[] = {bits, bits}, out[2];
  if (l->hooks->float8ToF32 && l->hooks->float8ToF32(l, from, pair, out))
    return out[0];
  return decode(l, formatOf(from), bits);
}

MlirValue tileEmitF32ToFloat8(TileLowering *l, TileElementType to, MlirValue x, bool towardZero) {
  MlirType i8 = mlirIntegerTypeGet(l->context, 8), f32 = mlirF32TypeGet(l->context);
  MlirValue pair[] = {x, x}, out[2];
  MlirValue code =
      l->hooks->f32ToFloat8 && l->hooks->f32ToFloat8(l, to, pair, out) ? out[0] : encode(l, formatOf(to), x);
  if (!towardZero)
    return code;
  /* Nearest, then one step back where that grew the magnitude. */
  MlirValue back = tileEmitFloat8ToF32(l, to, code);
  MlirValue grew = tileEmitFCmp(l, LLVMFCmpPredicate_ogt, tileEmit1(l, TileOp_LLVM_FAbs, f32, back),
                                tileEmit1(l, TileOp_LLVM_FAbs, f32, x));
  MlirValue less = tileEmit2(l, TileOp_LLVM_Sub, code, tileEmitInt(l, i8, 1));
  MlirValue stepped = tileEmitSelect(l, grew, less, code);
  if (!formatOf(to)->fnuz)
    return stepped;
  /* A step from the smallest negative number would be -0, which is NaN here. */
  MlirValue isNegativeZero = tileEmit2(l, TileOp_LLVM_And, grew,
                                       tileEmitICmp(l, LLVMICmpPredicate_eq, less, tileEmitInt(l, i8, -128)));
  return tileEmitSelect(l, isNegativeZero, tileEmitInt(l, i8, 0), stepped);
}

/* All registers, four at a time, where the target has a way. */
static bool widenFours(TileLowering *l, TileElementType from, TileElementType to, TileRegisters in,
                       TileRegisters out) {
  if (!l->hooks->widenFloat8 || out.count % 4)
    return false;
  for (intptr_t i = 0; i < out.count; i += 4)
    if (!l->hooks->widenFloat8(l, from, to, &in.values[i], &out.values[i]))
      return false;
  return true;
}

/* Between floats and f8 registers two at a time, where the chip has an instruction for pairs. */
bool tileLowerFloat8Pairs(TileLowering *l, TileElementType from, TileElementType to, TileRegisters in,
                          TileRegisters out) {
  bool narrow = from == TileElementType_F32 && formatOf(to),
       wide = (to == TileElementType_F32 || to == TileElementType_F16 || to == TileElementType_BF16) &&
              formatOf(from);
  if ((!narrow && !wide) || in.count != out.count || out.count % 2)
    return false;
  if (wide && widenFours(l, from, to, in, out))
    return true;
  MlirType half = to == TileElementType_F16 ? mlirF16TypeGet(l->context) : mlirBF16TypeGet(l->context);
  for (intptr_t i = 0; i < out.count; i += 2)
    if (narrow ? !l->hooks->f32ToFloat8 || !l->hooks->f32ToFloat8(l, to, &in.values[i], &out.values[i])
               : !l->hooks->float8ToF32 || !l->hooks->float8ToF32(l, from, &in.values[i], &out.values[i]))
      return false;
  for (intptr_t i = 0; i < out.count && wide && to != TileElementType_F32; ++i) /* exact */
    out.values[i] = tileEmit1(l, TileOp_LLVM_FPTrunc, half, out.values[i]);
  return true;
}
