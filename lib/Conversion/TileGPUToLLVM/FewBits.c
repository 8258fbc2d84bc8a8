/* FewBits.c - integers that are known to have few bits, and bytes of which only a few bits are wanted (NVIDIA).
 *
 *   arith.sitofp (arith.subi (arith.andi %x, 15), 8) : i32 to f16     // two registers at a time
 * becomes
 *   (%x0 & 15 | (%x1 & 15) << 16 | 0x64006400) + <-1032, -1032>        // 1024 and a number of ten bits, less 1024 + 8
 * and the byte that `arith.extsi` makes 32 bits of is the word it lies in, shifted, if only masked bits of it are used: LLVM puts
 * shifts and masks together, and does not look through the elements of vectors. */
#include "Elementwise.h"
#include "tile-c/Dialect/Arith.h"

/* x = y - c, and y has no sign and at most ten bits: c, and y in *of. */
typedef struct Offset {
  MlirValue of;
  int64_t less;
} Offset;

enum { MOST_BITS = 9, MAGIC = 0x6400, MAGIC_NUMBER = 1024, MOST_OFFSET = 512 };

static bool isMasked(MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  int64_t mask;
  return op.ptr && tileOpKind(op) == TileOp_Arith_AndI &&
         tileValueConstantInt(mlirOperationGetOperand(op, 1), &mask) && mask >= 0 && mask < MAGIC_NUMBER;
}

static bool offsetOf(MlirValue x, Offset *out) {
  MlirOperation op = tileValueGetDefiningOp(x);
  const TileOpKind kind = op.ptr ? tileOpKind(op) : TileOp_None;
  *out = (Offset){.of = x};
  if (isMasked(x))
    return true;
  if ((kind != TileOp_Arith_SubI && kind != TileOp_Arith_AddI) ||
      !tileValueConstantInt(mlirOperationGetOperand(op, 1), &out->less))
    return false;
  out->of = mlirOperationGetOperand(op, 0);
  if (kind == TileOp_Arith_AddI)
    out->less = -out->less;
  return isMasked(out->of) && out->less >= -MOST_OFFSET && out->less <= MOST_OFFSET;
}

/* Two words, of 16 bits each, as two numbers that are `more` than they shall be. */
static void lessMagic(TileLowering *l, MlirValue word, int64_t more, MlirValue *out) {
  MlirType half = mlirF16TypeGet(l->context);
  int64_t two[] = {2};
  MlirType pair = mlirVectorTypeGet(1, two, half);
  MlirValue number = tileEmitFloat(l, half, -(double)more), numbers[] = {number, number};
  MlirValue sum = tileEmit2(l, TileOp_LLVM_FAdd, tileEmitBitcast(l, word, pair), tileEmitPack(l, numbers, 2));
  tileEmitUnpack(l, sum, 2, out);
}

/* Two integers from 0 to 1023, less an offset, as f16: in the last bits of 1024 each is that number more. */
static void maskedHalves(TileLowering *l, const MlirValue *x, int64_t less, MlirValue *out) {
  MlirValue upper = tileEmit2(l, TileOp_LLVM_Shl, x[1], tileEmitI32(l, 16));
  MlirValue word = tileEmit2(l, TileOp_LLVM_Or, tileEmit2(l, TileOp_LLVM_Or, upper, x[0]),
                             tileEmitI32(l, MAGIC | MAGIC << 16));
  lessMagic(l, word, MAGIC_NUMBER + less, out);
}

/* Two integers from -512 to 511 as f16: in the last bits of 1536 each is that number more. */
static void halvesOf(TileLowering *l, const MlirValue *x, MlirValue *out) {
  enum { MIDDLE = 0x6600, NUMBER = 1536 }; ///< the bits of this f16
  MlirValue upper = tileEmit2(l, TileOp_LLVM_Shl, x[1], tileEmitI32(l, 16));
  MlirValue word = tileEmit2(l, TileOp_LLVM_Add, tileEmit2(l, TileOp_LLVM_Add, upper, x[0]),
                             tileEmitI32(l, MIDDLE | MIDDLE << 16));
  lessMagic(l, word, NUMBER, out);
}

/* Integers of 32 bits that are known to be small to f16, two registers at a time, none of it a conversion. */
static bool widenSmall(TileLowering *l, MlirOperation op, TileRegisters in, TileRegisters out) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  Offset offset;
  if (tileOpKind(op) != TileOp_Arith_SIToFP || in.count != out.count || out.count % 2 ||
      tileElementTypeOf(mlirValueGetType(x)) != TileElementType_I32 ||
      tileElementTypeOf(mlirValueGetType(mlirOperationGetResult(op, 0))) != TileElementType_F16)
    return false;
  bool fits = offsetOf(x, &offset);
  TileRegisters of = fits ? tileRegistersOf(l, offset.of) : in;
  fits = fits && of.count == out.count;
  if (!fits && tileKnownBits(x) > MOST_BITS)
    return false;
  for (intptr_t i = 0; i < out.count; i += 2)
    if (fits)
      maskedHalves(l, &of.values[i], offset.less, &out.values[i]);
    else
      halvesOf(l, &in.values[i], &out.values[i]);
  return true;
}

/* Whether all uses keep a few bits of it, shifted or as they are. */
static bool isForMasks(MlirValue v, int depth) {
  enum { MOST_SHIFTS = 2 };
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    const TileOpKind kind = tileOpKind(user);
    bool isShifted = (kind == TileOp_Arith_ShRSI || kind == TileOp_Arith_ShRUI) &&
                     mlirOpOperandGetOperandNumber(use) == 0 && depth < MOST_SHIFTS &&
                     isForMasks(mlirOperationGetResult(user, 0), depth + 1);
    if (!isShifted && (mlirOperationGetNumResults(user) != 1 || !isMasked(mlirOperationGetResult(user, 0))))
      return false;
  }
  return true;
}

/* The vector of four bytes that a byte is taken from, and which one it is; null if it is none. */
static MlirValue fourOf(MlirValue byte, int64_t *at) {
  const MlirValue none = {NULL};
  MlirOperation op = tileValueGetDefiningOp(byte);
  if (!op.ptr || tileOpKind(op) != TileOp_LLVM_ExtractElement ||
      !tileLLVMConstant(mlirOperationGetOperand(op, 1), at) ||
      mlirShapedTypeGetDimSize(mlirValueGetType(mlirOperationGetOperand(op, 0)), 0) != 4)
    return none;
  return mlirOperationGetOperand(op, 0);
}

static MlirValue byteOfWord(TileLowering *l, MlirValue byte, bool isSigned) {
  int64_t at = 0;
  MlirValue four = fourOf(byte, &at), word = tileEmitBitcast(l, four, mlirIntegerTypeGet(l->context, 32));
  if (!isSigned)
    return tileEmit2(l, TileOp_LLVM_And, tileEmit2(l, TileOp_LLVM_LShr, word, tileEmitI32(l, 8 * at)),
                     tileEmitI32(l, 255));
  word = tileEmit2(l, TileOp_LLVM_Shl, word, tileEmitI32(l, 24 - 8 * at));
  return tileEmit2(l, TileOp_LLVM_AShr, word, tileEmitI32(l, 24));
}

static bool extendMasked(TileLowering *l, MlirOperation op, TileRegisters in, TileRegisters out) {
  const TileOpKind kind = tileOpKind(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  int64_t at;
  if ((kind != TileOp_Arith_ExtSI && kind != TileOp_Arith_ExtUI) || in.count != out.count ||
      tileElementTypeOf(mlirValueGetType(mlirOperationGetOperand(op, 0))) != TileElementType_I8 ||
      tileElementTypeOf(mlirValueGetType(result)) != TileElementType_I32 || !isForMasks(result, 0))
    return false;
  for (intptr_t i = 0; i < out.count; ++i)
    if (!fourOf(in.values[i], &at).ptr)
      return false;
  for (intptr_t i = 0; i < out.count; ++i)
    out.values[i] = byteOfWord(l, in.values[i], kind == TileOp_Arith_ExtSI);
  return true;
}

bool tileLowerFewBits(TileLowering *l, MlirOperation op, TileRegisters in, TileRegisters out) {
  return l->target->vendor == TileVendor_NVIDIA &&
         (widenSmall(l, op, in, out) || extendMasked(l, op, in, out));
}
