/* BytesROCDL.c - integers of 8 bits become f16 four at a time: two permutes of bytes and two packed subtractions.
 *
 * A number between 0 and 255 in the last bits of 1024 is that number more, exactly; with its top bit turned, a signed one is 128
 * more. f32 has instructions that take a byte of a word, and bf16 comes from it. */
#include "BytesROCDL.h"
#include "mlir-c/Dialect/LLVM.h"

/* v_perm_b32: byte k of the result is byte `selector >> 8 k` of x (0 to 3) or of y (4 to 7). */
static MlirValue permute(TileLowering *l, MlirValue x, int64_t y, int64_t selector) {
  MlirValue operands[] = {tileEmitI32(l, y), x, tileEmitI32(l, selector)};
  return tileEmitIntrinsic(l, "llvm.amdgcn.perm", mlirIntegerTypeGet(l->context, 32), 3, operands);
}

bool tileAmdWidenBytes(TileLowering *l, bool isSigned, TileElementType to, const MlirValue bytes[4],
                       MlirValue out[4]) {
  if (to != TileElementType_F16)
    return false;
  int64_t two[] = {2};
  MlirType i32 = mlirIntegerTypeGet(l->context, 32),
           pair = mlirVectorTypeGet(1, two, mlirF16TypeGet(l->context));
  MlirValue word = tileEmitBitcast(l, tileEmitPack(l, bytes, 4), i32);
  MlirValue above =
      tileEmitBitcast(l, tileEmitI32(l, isSigned ? 0x64806480 : 0x64006400), pair); /* 1152, 1024 */
  if (isSigned)
    word = tileEmit2(l, TileOp_LLVM_XOr, word, tileEmitI32(l, (int32_t)0x80808080));
  for (int i = 0; i < 2; ++i) {
    MlirValue x = tileEmitBitcast(l, permute(l, word, 0x64646464, i ? 0x04030402 : 0x04010400), pair);
    tileEmitUnpack(l, tileEmit2(l, TileOp_LLVM_FSub, x, above), 2, out + 2 * i);
  }
  return true;
}
