/* Externs.c - the functions of libdevice (and of OCML, where they mean the same) by name. */
#include "Externs.h"
#include "Functions.h"
#include "tile-c/LibraryName.h"

#define OP(name, signature, kind)           {name, signature, TileOp_##kind, NULL, NULL, 0, false}
#define FUNCTION(name, signature, f32, f64) {name, signature, TileOp_None, f32, f64, 0, false}
#define EXACT(name, signature, expander)    {name, signature, TileOp_None, expander, expander, 0, true}

/* Of one float type: f32 with the suffix f (_f32 in OCML), else f64. */
static const MathExtern floats[] = {
    OP("acos", "FF", Math_Acos),
    OP("acosh", "FF", Math_Acosh),
    OP("asin", "FF", Math_Asin),
    OP("asinh", "FF", Math_Asinh),
    OP("atan", "FF", Math_Atan),
    OP("atan2", "FFF", Math_Atan2),
    OP("atanh", "FF", Math_Atanh),
    OP("cbrt", "FF", Math_Cbrt),
    OP("ceil", "FF", Math_Ceil),
    OP("copysign", "FFF", Math_CopySign),
    OP("cos", "FF", Math_Cos),
    OP("cosh", "FF", Math_Cosh),
    FUNCTION("cospi", "FF", mathCosPi, mathCosPi),
    FUNCTION("cyl_bessel_i0", "FF", mathI0, mathI0),
    FUNCTION("cyl_bessel_i1", "FF", mathI1, mathI1),
    OP("erf", "FF", Math_Erf),
    OP("erfc", "FF", Math_Erfc),
    FUNCTION("erfcinv", "FF", mathErfcInv, mathErfcInv),
    FUNCTION("erfcx", "FF", mathErfcx, mathErfcx),
    FUNCTION("erfinv", "FF", mathErfInv, mathErfInv),
    OP("exp", "FF", Math_Exp),
    FUNCTION("exp10", "FF", mathExp10, mathWideExp10),
    OP("exp2", "FF", Math_Exp2),
    OP("expm1", "FF", Math_ExpM1),
    OP("fabs", "FF", Math_AbsF),
    EXACT("fdim", "FFF", mathFdim),
    OP("floor", "FF", Math_Floor),
    OP("fma", "FFFF", Math_Fma),
    OP("fmax", "FFF", Arith_MaxNumF),
    OP("fmin", "FFF", Arith_MinNumF),
    EXACT("fmod", "FFF", mathFmod),
    FUNCTION("hypot", "FFF", mathHypot, mathHypot),
    FUNCTION("j0", "FF", mathJ0, mathJ0),
    FUNCTION("j1", "FF", mathJ1, mathJ1),
    FUNCTION("lgamma", "FF", mathLgamma, mathLgamma),
    OP("log", "FF", Math_Log),
    OP("log10", "FF", Math_Log10),
    OP("log1p", "FF", Math_Log1p),
    OP("log2", "FF", Math_Log2),
    EXACT("logb", "FF", mathLogb),
    OP("nearbyint", "FF", Math_RoundEven),
    EXACT("nextafter", "FFF", mathNextAfter),
    FUNCTION("norm3d", "FFFF", mathNorm3, mathNorm3),
    FUNCTION("norm4d", "FFFFF", mathNorm4, mathNorm4),
    FUNCTION("normcdf", "FF", mathNormCdf, mathNormCdf),
    FUNCTION("normcdfinv", "FF", mathNormCdfInv, mathNormCdfInv),
    OP("pow", "FFF", Math_PowF),
    FUNCTION("rcbrt", "FF", mathRcbrt, mathRcbrt),
    EXACT("remainder", "FFF", mathRemainder),
    FUNCTION("rhypot", "FFF", mathRhypot, mathRhypot),
    OP("rint", "FF", Math_RoundEven),
    FUNCTION("rnorm3d", "FFFF", mathRnorm3, mathRnorm3),
    FUNCTION("rnorm4d", "FFFFF", mathRnorm4, mathRnorm4),
    OP("round", "FF", Math_Round),
    OP("rsqrt", "FF", Math_Rsqrt),
    OP("sin", "FF", Math_Sin),
    OP("sinh", "FF", Math_Sinh),
    FUNCTION("sinpi", "FF", mathSinPi, mathSinPi),
    OP("sqrt", "FF", Math_Sqrt),
    OP("tan", "FF", Math_Tan),
    OP("tanh", "FF", Math_Tanh),
    FUNCTION("tgamma", "FF", mathTgamma, mathTgamma),
    OP("trunc", "FF", Math_Trunc),
    FUNCTION("y0", "FF", mathY0, mathY0),
    FUNCTION("y1", "FF", mathY1, mathY1),
};

/* With integers, with a rounding direction, or of one type only: by the whole name. */
#define ROW(name, signature, expander, mode)                                                                 \
  {"__nv_" name, signature, TileOp_None, expander, expander, mode, true}
#define FAST(name, signature, expander)                                                                      \
  {"__nv_fast_" name, signature, TileOp_None, expander, expander, 0, false}
#define IS(name, signature, kind) {"__nv_" name, signature, TileOp_##kind, NULL, NULL, 0, true}
#define ROUNDED(name, signature, expander)                                                                   \
  ROW(name "_rn", signature, expander, MathRounding_Nearest),                                                \
      ROW(name "_rz", signature, expander, MathRounding_Zero),                                               \
      ROW(name "_rd", signature, expander, MathRounding_Down),                                               \
      ROW(name "_ru", signature, expander, MathRounding_Up)

static const MathExtern exact[] = {
    ROW("abs", "ii", mathAbsInt, 0),
    ROW("brev", "ii", mathReverseBits, 0),
    ROW("brevll", "ll", mathReverseBits, 0),
    ROW("byte_perm", "iiii", mathBytePermute, 0),
    ROW("clz", "ii", mathCountLeadingZeros, 0),
    ROW("clzll", "il", mathCountLeadingZeros, 0),
    ROUNDED("dadd", "ddd", mathAddDirected),
    ROUNDED("ddiv", "ddd", mathDivDirected),
    ROUNDED("dmul", "ddd", mathMulDirected),
    ROUNDED("double2float", "fd", mathF64ToF32),
    ROW("double2hiint", "id", mathHalfOfBits, 32),
    ROUNDED("double2int", "id", mathToI32),
    ROUNDED("double2ll", "ld", mathToI64),
    ROW("double2loint", "id", mathHalfOfBits, 0),
    ROUNDED("double2uint", "id", mathToU32),
    ROUNDED("double2ull", "ld", mathToU64),
    ROW("double_as_longlong", "ld", mathBitsOf, 0),
    ROUNDED("drcp", "dd", mathRcpDirected),
    ROUNDED("dsqrt", "dd", mathSqrtDirected),
    ROUNDED("dsub", "ddd", mathSubDirected),
    ROUNDED("fadd", "fff", mathAddDirected),
    FAST("cosf", "ff", mathFastCos),
    FAST("exp10f", "ff", mathFastExp10),
    FAST("expf", "ff", mathFastExp),
    FAST("fdividef", "fff", mathFastDivide),
    FAST("log10f", "ff", mathFastLog10),
    FAST("log2f", "ff", mathFastLog2),
    FAST("logf", "ff", mathFastLog),
    FAST("powf", "fff", mathFastPow),
    FAST("sinf", "ff", mathFastSin),
    FAST("tanf", "ff", mathFastTan),
    FAST("tanhf", "ff", mathTanh),
    ROUNDED("fdiv", "fff", mathDivDirected),
    ROW("ffs", "ii", mathFindFirst, 0),
    ROW("ffsll", "il", mathFindFirst, 0),
    ROW("finitef", "if", mathTestInt, MathTest_Finite),
    ROW("float2half_rn", "hf", mathFloatToHalf, 0),
    ROUNDED("float2int", "if", mathToI32),
    ROUNDED("float2ll", "lf", mathToI64),
    ROUNDED("float2uint", "if", mathToU32),
    ROUNDED("float2ull", "lf", mathToU64),
    ROW("float_as_int", "if", mathBitsOf, 0),
    ROW("float_as_uint", "if", mathBitsOf, 0),
    ROUNDED("fma", "dddd", mathFmaDirected),
    ROUNDED("fmaf", "ffff", mathFmaDirected),
    ROUNDED("fmaf_ieee", "ffff", mathFmaDirected),
    ROUNDED("fmul", "fff", mathMulDirected),
    ROUNDED("frcp", "ff", mathRcpDirected),
    ROW("frsqrt_rn", "ff", mathRsqrtExact, 0),
    ROUNDED("fsqrt", "ff", mathSqrtDirected),
    ROUNDED("fsub", "fff", mathSubDirected),
    ROW("hadd", "iii", mathAverage, TileOp_Arith_ShRSI),
    ROW("half2float", "fh", mathHalfToFloat, 0),
    ROW("hiloint2double", "dii", mathOfHalves, 0),
    ROW("ilogb", "id", mathIlogbI32, 0),
    ROW("ilogbf", "if", mathIlogbI32, 0),
    ROW("int2double_rn", "di", mathI32ToF64, 0),
    ROUNDED("int2float", "fi", mathI32ToF32),
    ROW("int_as_float", "fi", mathOfBits, 0),
    ROW("isfinited", "id", mathTestInt, MathTest_Finite),
    ROW("isinfd", "id", mathTestInt, MathTest_Infinite),
    ROW("isinff", "if", mathTestInt, MathTest_Infinite),
    ROW("isnand", "id", mathTestInt, MathTest_NaN),
    ROW("isnanf", "if", mathTestInt, MathTest_NaN),
    ROW("ldexp", "ddi", mathLdexpI32, 0),
    ROW("ldexpf", "ffi", mathLdexpI32, 0),
    ROUNDED("ll2double", "dl", mathI64ToF64),
    ROUNDED("ll2float", "fl", mathI64ToF32),
    ROW("llabs", "ll", mathAbsInt, 0),
    IS("llmax", "lll", Arith_MaxSI),
    IS("llmin", "lll", Arith_MinSI),
    ROW("llrint", "ld", mathToI64, MathRounding_Nearest),
    ROW("llrintf", "lf", mathToI64, MathRounding_Nearest),
    ROW("llround", "ld", mathRoundToI64, 0),
    ROW("llroundf", "lf", mathRoundToI64, 0),
    ROW("longlong_as_double", "dl", mathOfBits, 0),
    IS("max", "iii", Arith_MaxSI),
    IS("min", "iii", Arith_MinSI),
    ROW("mul24", "iii", mathMul24, TileOp_Arith_ShRSI),
    ROW("mul64hi", "lll", mathMulHigh, 0),
    ROW("mulhi", "iii", mathMulHigh, 0),
    ROW("popc", "ii", mathPopulation, 0),
    ROW("popcll", "il", mathPopulation, 0),
    ROW("powi", "ddi", mathPowI32, 0),
    ROW("powif", "ffi", mathPowI32, 0),
    ROW("rhadd", "iii", mathAverageUp, TileOp_Arith_ShRSI),
    ROW("sad", "iiii", mathSad, 1),
    ROW("saturatef", "ff", mathSaturate, 0),
    ROW("scalbn", "ddi", mathLdexpI32, 0),
    ROW("scalbnf", "ffi", mathLdexpI32, 0),
    ROW("signbitd", "id", mathTestInt, MathTest_Sign),
    ROW("signbitf", "if", mathTestInt, MathTest_Sign),
    ROW("uhadd", "iii", mathAverage, TileOp_Arith_ShRUI),
    ROW("uint2double_rn", "di", mathU32ToF64, 0),
    ROUNDED("uint2float", "fi", mathU32ToF32),
    ROW("uint_as_float", "fi", mathOfBits, 0),
    ROUNDED("ull2double", "dl", mathU64ToF64),
    ROUNDED("ull2float", "fl", mathU64ToF32),
    IS("ullmax", "lll", Arith_MaxUI),
    IS("ullmin", "lll", Arith_MinUI),
    IS("umax", "iii", Arith_MaxUI),
    IS("umin", "iii", Arith_MinUI),
    ROW("umul24", "iii", mathMul24, TileOp_Arith_ShRUI),
    IS("umul64hi", "lll", Tile_MulhiUI),
    IS("umulhi", "iii", Tile_MulhiUI),
    ROW("urhadd", "iii", mathAverageUp, TileOp_Arith_ShRUI),
    ROW("usad", "iiii", mathSad, 0),
};

/* In the library, but not to be called on elements. */
static const struct {
  const char *name, *why;
} refused[] = {
    {"frexp", "returns a second value through a pointer"},
    {"jn", "takes the order at run time"},
    {"modf", "returns a second value through a pointer"},
    {"nan", "takes a string"},
    {"norm", "takes an array"},
    {"rcp64h", "returns half of a reciprocal"},
    {"remquo", "returns a second value through a pointer"},
    {"rnorm", "takes an array"},
    {"sincos", "returns two values through pointers"},
    {"sincospi", "returns two values through pointers"},
    {"fast_sincos", "returns two values through pointers"},
    {"yn", "takes the order at run time"},
};

static bool strip(MlirStringRef *s, const char *prefix, const char *suffix) {
  size_t p = strlen(prefix), n = strlen(suffix);
  if (s->length <= p + n || memcmp(s->data, prefix, p) || memcmp(s->data + s->length - n, suffix, n))
    return false;
  *s = mlirStringRefCreate(s->data + p, s->length - p - n);
  return true;
}

static const MathExtern *find(const MathExtern *table, size_t n, MlirStringRef name) {
  for (size_t i = 0; i < n; ++i)
    if (mlirStringRefEqual(name, tileStr(table[i].name)))
      return &table[i];
  return NULL;
}

const MathExtern *mathExternLookup(MlirOperation call, TileElementType *out_float) {
  MlirStringRef symbol = tileLibraryName(call);
  static const struct {
    const char *prefix, *suffix;
    TileElementType type;
  } forms[] = {{"__nv_", "f", TileElementType_F32},
               {"__nv_", "", TileElementType_F64},
               {"__ocml_", "_f32", TileElementType_F32},
               {"__ocml_", "_f64", TileElementType_F64}};
  *out_float = TileElementType_None;
  const MathExtern *found = find(exact, TILE_COUNTOF(exact), symbol);
  for (size_t i = 0; i < TILE_COUNTOF(forms) && !found; ++i) {
    MlirStringRef base = symbol;
    *out_float = forms[i].type;
    if (strip(&base, forms[i].prefix, forms[i].suffix))
      found = find(floats, TILE_COUNTOF(floats), base);
  }
  return found;
}

const char *mathExternRefusal(MlirStringRef symbol) {
  for (size_t i = 0; i < TILE_COUNTOF(refused); ++i) {
    MlirStringRef wide = symbol, single = symbol;
    if ((strip(&wide, "__nv_", "") && mlirStringRefEqual(wide, tileStr(refused[i].name))) ||
        (strip(&single, "__nv_", "f") && mlirStringRefEqual(single, tileStr(refused[i].name))))
      return refused[i].why;
  }
  return NULL;
}
