/* Shuffle.c - values of any type from other lanes of the warp, in words of 32 bits. */
#include "Lowering.h"

/* A value as 32-bit words: narrower ones are extended, 64-bit ones split. */
static int toWords(TileLowering *l, MlirValue v, MlirValue words[2]) {
  MlirType type = mlirValueGetType(v), i32 = mlirIntegerTypeGet(l->context, 32);
  unsigned bits = tileTypeBits(type);
  MlirType integer = mlirIntegerTypeGet(l->context, bits);
  if (!mlirTypeIsAInteger(type))
    v = mlirTypeIsAFloat(type) ? tileEmitBitcast(l, v, integer)
                               : tileEmit1(l, TileOp_LLVM_PtrToInt, integer, v);
  if (bits < 32)
    words[0] = tileEmit1(l, TileOp_LLVM_ZExt, i32, v);
  else if (bits == 32)
    words[0] = v;
  else {
    words[0] = tileEmit1(l, TileOp_LLVM_Trunc, i32, v);
    words[1] =
        tileEmit1(l, TileOp_LLVM_Trunc, i32, tileEmit2(l, TileOp_LLVM_LShr, v, tileEmitInt(l, integer, 32)));
  }
  return bits > 32 ? 2 : 1;
}

static MlirValue fromWords(TileLowering *l, const MlirValue words[2], MlirType type) {
  unsigned bits = tileTypeBits(type);
  MlirType integer = mlirIntegerTypeGet(l->context, bits);
  MlirValue v = words[0];
  if (bits < 32)
    v = tileEmit1(l, TileOp_LLVM_Trunc, integer, v);
  else if (bits == 64) {
    MlirValue high = tileEmit2(l, TileOp_LLVM_Shl, tileEmit1(l, TileOp_LLVM_ZExt, integer, words[1]),
                               tileEmitInt(l, integer, 32));
    v = tileEmit2(l, TileOp_LLVM_Or, tileEmit1(l, TileOp_LLVM_ZExt, integer, words[0]), high);
  }
  if (mlirTypeIsAInteger(type))
    return v;
  return mlirTypeIsAFloat(type) ? tileEmitBitcast(l, v, type) : tileEmit1(l, TileOp_LLVM_IntToPtr, type, v);
}

MlirValue tileEmitShuffleXor(TileLowering *l, MlirValue v, int laneMask) {
  MlirValue words[2];
  int n = toWords(l, v, words);
  for (int i = 0; i < n; ++i)
    words[i] = l->hooks->shuffleXor(l, words[i], laneMask);
  return fromWords(l, words, mlirValueGetType(v));
}

MlirValue tileEmitShuffleIndex(TileLowering *l, MlirValue v, MlirValue lane) {
  MlirValue words[2];
  int n = toWords(l, v, words);
  for (int i = 0; i < n; ++i)
    words[i] = l->hooks->shuffleIndex(l, words[i], lane);
  return fromWords(l, words, mlirValueGetType(v));
}
