/* Bytes.c - integers of 8 bits become floats four at a time, by the bits of floats instead of the few conversion units.
 *
 * A number between 0 and 255 in the last bits of 1024 (f16) or 2^23 (f32) is that number more, exactly; with its top bit
 * turned, a signed one is 128 more. The 7 bits of bf16 take all but the sign: 128 + low bits, minus 128 or 256. */
#include "MatrixNVVM.h"
#include "tile-c/Target.h"

/* prmt: byte k of the result is byte `selector >> 4 k` of x (0 to 3) or y (4 to 7). */
static MlirValue permute(TileLowering *l, MlirValue x, int64_t y, int64_t selector) {
  MlirValue operands[] = {x, tileEmitI32(l, y), tileEmitI32(l, selector)};
  return tileEmitIntrinsic(l, "llvm.nvvm.prmt", mlirIntegerTypeGet(l->context, 32), 3, operands);
}

/* The vector of two bytes that a and b are taken from, in this order; null if they are not. */
static MlirValue pairBehind(MlirValue a, MlirValue b) {
  const MlirValue none = {NULL};
  MlirValue of[2] = {a, b}, vector = none;
  for (int i = 0; i < 2; ++i) {
    MlirOperation op = tileValueGetDefiningOp(of[i]);
    int64_t at;
    if (!op.ptr || tileOpKind(op) != TileOp_LLVM_ExtractElement ||
        !tileLLVMConstant(mlirOperationGetOperand(op, 1), &at) || at != i ||
        (i && !mlirValueEqual(mlirOperationGetOperand(op, 0), vector)))
      return none;
    vector = mlirOperationGetOperand(op, 0);
  }
  return mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0) == 2 ? vector : none;
}

/* The word whose bytes at[0] to at[3] these are, in any order; null if they are not. */
static MlirValue wordBehind(TileLowering *l, const MlirValue bytes[4], int64_t at[4]) {
  const MlirValue none = {NULL};
  MlirValue vector = none;
  for (int i = 0; i < 4; ++i) {
    MlirOperation op = tileValueGetDefiningOp(bytes[i]);
    if (!op.ptr || tileOpKind(op) != TileOp_LLVM_ExtractElement ||
        !tileLLVMConstant(mlirOperationGetOperand(op, 1), &at[i]) ||
        (i && !mlirValueEqual(mlirOperationGetOperand(op, 0), vector)))
      return none;
    vector = mlirOperationGetOperand(op, 0);
  }
  return mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0) == 4
             ? tileEmitBitcast(l, vector, mlirIntegerTypeGet(l->context, 32))
             : none;
}

bool tileNvidiaOrderBytes(TileLowering *l, const MlirValue bytes[4], MlirValue out[4]) {
  int64_t at[4], four[] = {4}, selector = 0, natural = 0x3210;
  MlirValue word = wordBehind(l, bytes, at);
  for (int i = 0; word.ptr && i < 4; ++i)
    selector |= at[i] << 4 * i;
  if (!word.ptr || selector == natural)
    return false;
  MlirType bytesType = mlirVectorTypeGet(1, four, mlirIntegerTypeGet(l->context, 8));
  tileEmitUnpack(l, tileEmitBitcast(l, permute(l, word, 0, selector), bytesType), 4, out);
  return true;
}

/* Four bytes in a word, in any order: byte i at at[i]. What was read two at a time is not taken apart: LLVM would put single bytes together. */
static MlirValue wordOf(TileLowering *l, const MlirValue bytes[4], int64_t at[4]) {
  MlirValue whole = wordBehind(l, bytes, at);
  if (whole.ptr)
    return whole;
  for (int i = 0; i < 4; ++i)
    at[i] = i;
  MlirType i32 = mlirIntegerTypeGet(l->context, 32), i16 = mlirIntegerTypeGet(l->context, 16);
  MlirValue low = pairBehind(bytes[0], bytes[1]), high = pairBehind(bytes[2], bytes[3]);
  if (!low.ptr || !high.ptr)
    return tileEmitBitcast(l, tileEmitPack(l, bytes, 4), i32);
  MlirValue operands[] = {tileEmit1(l, TileOp_LLVM_ZExt, i32, tileEmitBitcast(l, low, i16)),
                          tileEmit1(l, TileOp_LLVM_ZExt, i32, tileEmitBitcast(l, high, i16)),
                          tileEmitI32(l, 0x5410)};
  return tileEmitIntrinsic(l, "llvm.nvvm.prmt", i32, 3, operands);
}

/* The selector of bytes 2 i and 2 i + 1 of four, each with byte 4 of a permute above it. */
static int64_t pairSelector(const int64_t at[4], int i) { return 0x4040 | at[2 * i] | at[2 * i + 1] << 8; }

static MlirValue asPair(TileLowering *l, MlirValue word, MlirType element) {
  int64_t two[] = {2};
  return tileEmitBitcast(l, word, mlirVectorTypeGet(1, two, element));
}

static MlirValue constantPair(TileLowering *l, int64_t word, MlirType element) {
  return asPair(l, tileEmitI32(l, word), element);
}

static void toHalves(TileLowering *l, MlirValue word, const int64_t at[4], bool isSigned, MlirValue *out) {
  MlirType f16 = mlirF16TypeGet(l->context);
  MlirValue above = constantPair(l, isSigned ? 0x64806480 : 0x64006400, f16); /* 1152, 1024 */
  for (int i = 0; i < 2; ++i) {
    MlirValue x = asPair(l, permute(l, word, 0x64646464, pairSelector(at, i)), f16);
    tileEmitUnpack(l, tileEmit2(l, TileOp_LLVM_FSub, x, above), 2, out + 2 * i);
  }
}

static void toBrainHalves(TileLowering *l, MlirValue word, const int64_t at[4], MlirValue *out) {
  MlirType bf16 = mlirBF16TypeGet(l->context);
  MlirValue base = tileEmitI32(l, 0x43004300); /* 128 */
  for (int i = 0; i < 2; ++i) {
    MlirValue bytes = permute(l, word, 0, pairSelector(at, i));
    MlirValue low = tileEmit2(l, TileOp_LLVM_And, bytes, tileEmitI32(l, 0x007F007F)),
              sign = tileEmit2(l, TileOp_LLVM_And, bytes, tileEmitI32(l, 0x00800080));
    MlirValue x = asPair(l, tileEmit2(l, TileOp_LLVM_Or, low, base), bf16),
              above = asPair(l, tileEmit2(l, TileOp_LLVM_Or, sign, base), bf16);
    tileEmitUnpack(l, tileEmit2(l, TileOp_LLVM_FSub, x, above), 2, out + 2 * i);
  }
}

static void toFloats(TileLowering *l, MlirValue word, const int64_t at[4], bool isSigned, MlirValue *out) {
  MlirType f32 = mlirF32TypeGet(l->context);
  MlirValue above = tileEmitFloat(l, f32, isSigned ? 0x800080 : 0x800000);
  for (int i = 0; i < 4; ++i)
    out[i] = tileEmit2(l, TileOp_LLVM_FSub,
                       tileEmitBitcast(l, permute(l, word, 0x4B000000, 0x7540 + at[i]), f32), above);
}

bool tileNvidiaWidenBytes(TileLowering *l, bool isSigned, TileElementType to, const MlirValue bytes[4],
                          MlirValue out[4]) {
  bool isBrain = to == TileElementType_BF16;
  if ((to != TileElementType_F16 && to != TileElementType_F32 && !isBrain) || (isBrain && !isSigned))
    return false;
  int64_t at[4];
  MlirValue word = wordOf(l, bytes, at);
  if (isBrain) {
    toBrainHalves(l, word, at, out);
    return true;
  }
  if (isSigned)
    word = tileEmit2(l, TileOp_LLVM_XOr, word, tileEmitI32(l, (int32_t)0x80808080));
  if (to == TileElementType_F16)
    toHalves(l, word, at, isSigned, out);
  else
    toFloats(l, word, at, isSigned, out);
  return true;
}
