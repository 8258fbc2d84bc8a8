/* BytesROCDL.c - integers of 8 bits become f16 or bf16 four at a time.
 *
 * f16: two permutes of bytes and two packed subtractions. A number between 0 and 255 in the last bits of 1024 is that number more,
 * exactly; with its top bit turned, a signed one is 128 more.
 * bf16: four conversions of a byte to f32 (v_cvt_f32_ubyte0 to 3), of which the upper halves are all there is: 8 bits. */
#include "BytesROCDL.h"
#include "mlir-c/Dialect/LLVM.h"

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

static void toBrainHalves(TileLowering *l, MlirValue word, bool isSigned, MlirValue *out) {
  MlirType f32 = mlirF32TypeGet(l->context), i32 = mlirIntegerTypeGet(l->context, 32);
  MlirValue one = tileEmitFloat(l, f32, 128.0), both[] = {one, one}, above = tileEmitPack(l, both, 2);
  for (int i = 0; i < 2; ++i) {
    MlirValue x[2] = {byteAsFloat(l, word, 2 * i), byteAsFloat(l, word, 2 * i + 1)};
    if (isSigned)
      tileEmitUnpack(l, tileEmit2(l, TileOp_LLVM_FSub, tileEmitPack(l, x, 2), above), 2, x);
    MlirValue uppers = permute(l, tileEmitBitcast(l, x[0], i32), tileEmitBitcast(l, x[1], i32), 0x07060302);
    tileEmitUnpack(l, tileEmitBitcast(l, uppers, pairOf(l, mlirBF16TypeGet(l->context))), 2, out + 2 * i);
  }
}

bool tileAmdWidenBytes(TileLowering *l, bool isSigned, TileElementType to, const MlirValue bytes[4],
                       MlirValue out[4]) {
  if (to != TileElementType_F16 && to != TileElementType_BF16)
    return false;
  MlirValue word = tileEmitBitcast(l, tileEmitPack(l, bytes, 4), mlirIntegerTypeGet(l->context, 32));
  if (isSigned)
    word = tileEmit2(l, TileOp_LLVM_XOr, word, tileEmitI32(l, (int32_t)0x80808080));
  (to == TileElementType_F16 ? toHalves : toBrainHalves)(l, word, isSigned, out);
  return true;
}
