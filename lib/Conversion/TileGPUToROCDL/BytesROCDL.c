/* BytesROCDL.c - integers and floats of 8 bits become wider floats four at a time.
 *
 * f16: two permutes of bytes and two packed subtractions. A number between 0 and 255 in the last bits of 1024 is that number more,
 * exactly; with its top bit turned, a signed one is 128 more.
 * bf16: four conversions of a byte to f32 (v_cvt_f32_ubyte0 to 3), of which the upper halves are all there is: 8 bits. A product of bf16
 * takes these f32 as they are.
 *
 * 8-bit floats: by v_cvt_pk_f32_fp8 and _bf8 where the chip has the format, two at a time; f16 and bf16 lose nothing of it. Else
 * f8E5M2 is the upper byte of f16, and f8E4M3FN, put where f16's exponent and fraction end, is 2^-8 of the number; its NaN there is
 * 1.875, which times 37376 is infinite, as 1.75 is not, and nothing times infinity is NaN. */
#include "BytesROCDL.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/LLVM.h"
#include "tile-c/Dialect/ROCDL.h"

static MlirType pairOf(TileLowering *l, MlirType element) {
  int64_t two[] = {2};
  return mlirVectorTypeGet(1, two, element);
}

/* v_perm_b32: byte k of the result is byte `selector >> 8 k` of x (0 to 3) or of y (4 to 7). */
static MlirValue permute(TileLowering *l, MlirValue x, MlirValue y, int64_t selector) {
  MlirValue operands[] = {y, x, tileEmitI32(l, selector)};
  return tileEmitIntrinsic(l, "llvm.amdgcn.perm", mlirIntegerTypeGet(l->context, 32), 3, operands);
}

static void toHalves(TileLowering *l, MlirValue word, bool isSigned, MlirValue *out) {
  MlirType pair = pairOf(l, mlirF16TypeGet(l->context));
  MlirValue above =
      tileEmitBitcast(l, tileEmitI32(l, isSigned ? 0x64806480 : 0x64006400), pair); /* 1152, 1024 */
  for (int i = 0; i < 2; ++i) {
    MlirValue x = permute(l, word, tileEmitI32(l, 0x64646464), i ? 0x04030402 : 0x04010400);
    tileEmitUnpack(l, tileEmit2(l, TileOp_LLVM_FSub, tileEmitBitcast(l, x, pair), above), 2, out + 2 * i);
  }
}

static MlirValue byteAsFloat(TileLowering *l, MlirValue word, int k) {
  MlirValue shifted = k ? tileEmit2(l, TileOp_LLVM_LShr, word, tileEmitI32(l, 8 * k)) : word;
  return tileEmit1(l, TileOp_LLVM_UIToFP, mlirF32TypeGet(l->context),
                   tileEmit2(l, TileOp_LLVM_And, shifted, tileEmitI32(l, 255)));
}

enum { UPPERS = 0x07060302 }; /* of two words, by permute */

/* Two f32 that are upper halves and nothing else, as bf16. */
static void takeUppers(TileLowering *l, const MlirValue x[2], MlirValue *out) {
  MlirType i32 = mlirIntegerTypeGet(l->context, 32);
  MlirValue uppers = permute(l, tileEmitBitcast(l, x[0], i32), tileEmitBitcast(l, x[1], i32), UPPERS);
  tileEmitUnpack(l, tileEmitBitcast(l, uppers, pairOf(l, mlirBF16TypeGet(l->context))), 2, out);
}

/* The f32 whose upper half a bf16 is, where takeUppers took it. */
static MlirValue uppersSource(MlirValue v) {
  MlirValue none = {NULL};
  int64_t at, selector;
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || tileOpKind(op) != TileOp_LLVM_ExtractElement ||
      !tileLLVMConstant(mlirOperationGetOperand(op, 1), &at))
    return none;
  op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  op = op.ptr && tileOpKind(op) == TileOp_LLVM_Bitcast
           ? tileValueGetDefiningOp(mlirOperationGetOperand(op, 0))
           : (MlirOperation){NULL};
  LLVMCallIntrinsicOp call = llvmCallIntrinsicOpCast(op);
  if (!op.ptr || llvmCallIntrinsicOpIsNull(call) ||
      !mlirStringRefEqual(llvmCallIntrinsicOpGetIntrin(call), tileStr("llvm.amdgcn.perm")) ||
      !tileLLVMConstant(mlirOperationGetOperand(op, 2), &selector) || selector != UPPERS)
    return none;
  op = tileValueGetDefiningOp(mlirOperationGetOperand(op, !at));
  return op.ptr && tileOpKind(op) == TileOp_LLVM_Bitcast ? mlirOperationGetOperand(op, 0) : none;
}

static MlirValue floatOfBrain(TileLowering *l, MlirValue v) {
  MlirValue x = uppersSource(v);
  return x.ptr ? x : tileEmit1(l, TileOp_LLVM_FPExt, mlirF32TypeGet(l->context), v);
}

/* To nearest even. What the operands of a product have in their upper halves is all of a NaN, so that nothing is carried into its upper
 * half either. */
static MlirValue roundToUpper(TileLowering *l, MlirValue x) {
  MlirValue bits = tileEmitBitcast(l, x, mlirIntegerTypeGet(l->context, 32)), one = tileEmitI32(l, 1);
  MlirValue last =
      tileEmit2(l, TileOp_LLVM_And, tileEmit2(l, TileOp_LLVM_LShr, bits, tileEmitI32(l, 16)), one);
  return tileEmit2(l, TileOp_LLVM_Add, tileEmit2(l, TileOp_LLVM_Add, bits, last), tileEmitI32(l, 0x7FFF));
}

void tileAmdMultiplyBrains(TileLowering *l, const MlirValue x[2], const MlirValue y[2], MlirValue out[2]) {
  MlirValue a[2], b[2], p[2];
  for (int i = 0; i < 2; ++i) {
    a[i] = floatOfBrain(l, x[i]);
    b[i] = floatOfBrain(l, y[i]);
  }
  MlirValue products = tileEmit2(l, TileOp_LLVM_FMul, tileEmitPack(l, a, 2), tileEmitPack(l, b, 2));
  if (tileTargetHas(l->target, TileFeature_BF16Convert)) {
    MlirType pair = pairOf(l, mlirBF16TypeGet(l->context));
    tileEmitUnpack(l, tileEmit1(l, TileOp_LLVM_FPTrunc, pair, products), 2, out);
    return;
  }
  tileEmitUnpack(l, products, 2, p);
  for (int i = 0; i < 2; ++i)
    p[i] = roundToUpper(l, p[i]);
  MlirValue both = permute(l, p[0], p[1], UPPERS);
  tileEmitUnpack(l, tileEmitBitcast(l, both, pairOf(l, mlirBF16TypeGet(l->context))), 2, out);
}

static void toBrainHalves(TileLowering *l, MlirValue word, bool isSigned, MlirValue *out) {
  MlirType f32 = mlirF32TypeGet(l->context);
  MlirValue one = tileEmitFloat(l, f32, 128.0), both[] = {one, one}, above = tileEmitPack(l, both, 2);
  for (int i = 0; i < 2; ++i) {
    MlirValue x[2] = {byteAsFloat(l, word, 2 * i), byteAsFloat(l, word, 2 * i + 1)};
    if (isSigned)
      tileEmitUnpack(l, tileEmit2(l, TileOp_LLVM_FSub, tileEmitPack(l, x, 2), above), 2, x);
    takeUppers(l, x, out + 2 * i);
  }
}

static MlirValue wordOf(TileLowering *l, const MlirValue bytes[4]) {
  return tileEmitBitcast(l, tileEmitPack(l, bytes, 4), mlirIntegerTypeGet(l->context, 32));
}

bool tileAmdWidenBytes(TileLowering *l, bool isSigned, TileElementType to, const MlirValue bytes[4],
                       MlirValue out[4]) {
  if (to != TileElementType_F16 && to != TileElementType_BF16)
    return false;
  MlirValue word = wordOf(l, bytes);
  if (isSigned)
    word = tileEmit2(l, TileOp_LLVM_XOr, word, tileEmitI32(l, (int32_t)0x80808080));
  (to == TileElementType_F16 ? toHalves : toBrainHalves)(l, word, isSigned, out);
  return true;
}

// ---- Bytes of several words ----

/* The word that a byte is taken from, and its place there; false if it is no element of a vector of whole words. */
static bool takenFrom(TileLowering *l, MlirValue byte, MlirValue *out_word, int64_t *out_place) {
  MlirOperation op = tileValueGetDefiningOp(byte);
  MlirType i32 = mlirIntegerTypeGet(l->context, 32);
  int64_t at;
  if (!op.ptr || tileOpKind(op) != TileOp_LLVM_ExtractElement ||
      !tileLLVMConstant(mlirOperationGetOperand(op, 1), &at))
    return false;
  MlirValue vector = mlirOperationGetOperand(op, 0);
  int64_t words[] = {mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0) / 4};
  if (words[0] * 4 != mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0))
    return false;
  MlirValue all = tileEmitBitcast(l, vector, words[0] == 1 ? i32 : mlirVectorTypeGet(1, words, i32));
  *out_word = words[0] == 1 ? all : tileEmitExtract(l, all, (int)(at / 4));
  *out_place = at % 4;
  return true;
}

/* Byte k of four words: bytes k and its neighbour of the first two, of the last two, and k of both; four such words take eight
 * permutes, since two share the first ones. */
bool tileAmdPackBytes(TileLowering *l, const MlirValue bytes[4], MlirValue *out_word) {
  MlirValue words[4];
  int64_t places[4];
  for (int i = 0; i < 4; ++i)
    if (!takenFrom(l, bytes[i], &words[i], &places[i]) || places[i] != places[0])
      return false;
  int64_t low = places[0] & 2, both = low * 0x01010101 + 0x05010400;
  MlirValue first = permute(l, words[0], words[1], both), second = permute(l, words[2], words[3], both);
  *out_word = permute(l, first, second, places[0] % 2 ? 0x07060302 : 0x05040100);
  return true;
}

// ---- Floats of 8 bits ----

static bool hasConversion(const TileLowering *l, TileElementType from) {
  bool isFnuz = from == TileElementType_F8E4M3FNUZ || from == TileElementType_F8E5M2FNUZ;
  return tileTargetHas(l->target, TileFeature_Fp8Convert) &&
         l->target->fp8Format == (isFnuz ? TileFp8Format_FNUZ : TileFp8Format_OCP);
}

static void convert(TileLowering *l, TileElementType from, MlirValue word, MlirValue *out) {
  MlirType pair = pairOf(l, mlirF32TypeGet(l->context)), i1 = mlirIntegerTypeGet(l->context, 1);
  bool isBf8 = from == TileElementType_F8E5M2 || from == TileElementType_F8E5M2FNUZ;
  for (int i = 0; i < 2; ++i) {
    MlirAttribute half = mlirIntegerAttrGet(i1, i);
    MlirValue x = isBf8 ? rocdlCvtPkF32Bf8OpGetRes(rocdlCvtPkF32Bf8OpCreate(l->b, l->loc, pair, word, half))
                        : rocdlCvtPkF32Fp8OpGetRes(rocdlCvtPkF32Fp8OpCreate(l->b, l->loc, pair, word, half));
    tileEmitUnpack(l, x, 2, out + 2 * i);
  }
}

static MlirValue halfPair(TileLowering *l, int64_t word) {
  return tileEmitBitcast(l, tileEmitI32(l, word), pairOf(l, mlirF16TypeGet(l->context)));
}

/* f8E4M3FN in the upper bytes of a word as two f16. */
static MlirValue scaleUp(TileLowering *l, MlirValue uppers) {
  MlirType shorts = pairOf(l, mlirIntegerTypeGet(l->context, 16)), i32 = mlirIntegerTypeGet(l->context, 32),
           pair = pairOf(l, mlirF16TypeGet(l->context));
  MlirValue one = tileEmitBitcast(l, tileEmitI32(l, 0x00010001), shorts);
  MlirValue moved = tileEmit2(l, TileOp_LLVM_AShr, tileEmitBitcast(l, uppers, shorts), one);
  moved = tileEmit2(l, TileOp_LLVM_And, tileEmitBitcast(l, moved, i32), tileEmitI32(l, (int32_t)0xBFFFBFFF));
  MlirValue x = tileEmitBitcast(l, moved, pair);
  MlirValue large = tileEmit2(l, TileOp_LLVM_FMul, x, halfPair(l, 0x78907890)); /* 37376 */
  MlirValue nothing = tileEmit2(l, TileOp_LLVM_FMul, large, halfPair(l, 0));
  return tileEmit3(l, TileOp_LLVM_FMA, pair, x, halfPair(l, 0x5C005C00) /* 256 */, nothing);
}

static bool moveToHalves(TileLowering *l, TileElementType from, MlirValue word, MlirValue pairs[2]) {
  if (from != TileElementType_F8E5M2 && from != TileElementType_F8E4M3FN)
    return false;
  for (int i = 0; i < 2; ++i) {
    MlirValue uppers = permute(l, word, tileEmitI32(l, 0), i ? 0x03040204 : 0x01040004);
    pairs[i] = from == TileElementType_F8E5M2
                   ? tileEmitBitcast(l, uppers, pairOf(l, mlirF16TypeGet(l->context)))
                   : scaleUp(l, uppers);
  }
  return true;
}

/* f32 of four numbers, all of them exact. */
static bool toFloats(TileLowering *l, TileElementType from, MlirValue word, MlirValue out[4]) {
  MlirValue pairs[2];
  if (hasConversion(l, from)) {
    convert(l, from, word, out);
    return true;
  }
  if (!moveToHalves(l, from, word, pairs))
    return false;
  for (int i = 0; i < 2; ++i)
    tileEmitUnpack(l, pairs[i], 2, out + 2 * i);
  for (int i = 0; i < 4; ++i)
    out[i] = tileEmit1(l, TileOp_LLVM_FPExt, mlirF32TypeGet(l->context), out[i]);
  return true;
}

static bool toHalfPairs(TileLowering *l, TileElementType from, MlirValue word, MlirValue pairs[2]) {
  MlirValue x[4];
  if (from == TileElementType_F8E5M2 || !hasConversion(l, from))
    return moveToHalves(l, from, word, pairs);
  convert(l, from, word, x);
  for (int i = 0; i < 2; ++i)
    pairs[i] = rocdlCvtPkRtzGetRes(
        rocdlCvtPkRtzCreate(l->b, l->loc, pairOf(l, mlirF16TypeGet(l->context)), x[2 * i], x[2 * i + 1]));
  return true;
}

bool tileAmdWidenFloat8(TileLowering *l, TileElementType from, TileElementType to, const MlirValue bytes[4],
                        MlirValue out[4]) {
  MlirValue word = wordOf(l, bytes), x[4], pairs[2];
  if (to == TileElementType_F32)
    return toFloats(l, from, word, out);
  if (to == TileElementType_F16 ? !toHalfPairs(l, from, word, pairs) : !toFloats(l, from, word, x))
    return false;
  for (int i = 0; i < 2; ++i) {
    if (to == TileElementType_F16)
      tileEmitUnpack(l, pairs[i], 2, out + 2 * i);
    else
      takeUppers(l, x + 2 * i, out + 2 * i);
  }
  return true;
}
