/* TileNVVerify.c - verifiers of tile_nv ops: shapes and types that the PTX ISA knows. */
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/TileNV.h"
#include "tile-c/IR.h"

static bool is8BitFloat(TileNVWgmmaType t) { return t == TileNVWgmmaType_E4M3 || t == TileNVWgmmaType_E5M2; }
static bool isInteger(TileNVWgmmaType t) { return t == TileNVWgmmaType_S8 || t == TileNVWgmmaType_U8; }
static bool is16Bit(TileNVWgmmaType t) { return t == TileNVWgmmaType_F16 || t == TileNVWgmmaType_BF16; }

/* PTX ISA 9.7.15.5.2: equal types, but the 8-bit ones of a kind mix. */
static MlirLogicalResult verifyTypes(TileNVWgmmaOp op) {
  TileNVWgmmaType a = tileNVWgmmaOpGetAType(op), b = tileNVWgmmaOpGetBType(op);
  if (a != b && !(is8BitFloat(a) && is8BitFloat(b)) && !(isInteger(a) && isInteger(b)))
    return tileEmitOpError(op.op, "got elements of %s and %s, expected one type", tileNVWgmmaTypeStringify(a),
                           tileNVWgmmaTypeStringify(b));
  if (!is16Bit(a) && (tileNVWgmmaOpGetTransA(op) || tileNVWgmmaOpGetTransB(op)))
    return tileEmitOpError(op.op, "got a transposed operand of %s, expected f16 or bf16",
                           tileNVWgmmaTypeStringify(a));
  if (isInteger(a) && (tileNVWgmmaOpGetNegateA(op) || tileNVWgmmaOpGetNegateB(op)))
    return tileEmitOpError(op.op, "got a negated operand of %s, expected floats",
                           tileNVWgmmaTypeStringify(a));
  if (!isInteger(a) && tileNVWgmmaOpGetSaturate(op))
    return tileEmitOpError(op.op, "saturates elements of %s, expected integers", tileNVWgmmaTypeStringify(a));
  return tileSuccess();
}

static MlirLogicalResult verifyN(TileNVWgmmaOp op) {
  const int64_t n = tileNVWgmmaOpGetN(op);
  const bool integer = isInteger(tileNVWgmmaOpGetAType(op));
  const bool ok = n >= 8 && n <= 256 && n % 8 == 0 && (!integer || n % 16 == 0 || n == 8 || n == 24);
  return ok ? tileSuccess()
            : tileEmitOpError(op.op, "got n = %lld, expected a multiple of %d up to 256", (long long)n,
                              integer ? 16 : 8);
}

/* n / 2 registers of f32 (i32 for integers), or n / 4 of two f16. */
static MlirLogicalResult verifyAccumulator(TileNVWgmmaOp op) {
  MlirType type = mlirValueGetType(tileNVWgmmaOpGetAccumulator(op));
  const TileNVWgmmaType a = tileNVWgmmaOpGetAType(op);
  const intptr_t fields = mlirLLVMStructTypeGetNumElementTypes(type);
  const int64_t n = tileNVWgmmaOpGetN(op);
  MlirType first = fields ? mlirLLVMStructTypeGetElementType(type, 0) : (MlirType){NULL};
  for (intptr_t i = 0; i < fields; ++i)
    if (!mlirTypeEqual(mlirLLVMStructTypeGetElementType(type, i), first) ||
        !(mlirTypeIsAF32(first) || (mlirTypeIsAInteger(first) && mlirIntegerTypeGetWidth(first) == 32)))
      return tileEmitOpError(op.op, "got an accumulator with other fields than f32 or i32");
  const bool isF32 = fields && mlirTypeIsAF32(first);
  if (isF32 && isInteger(a))
    return tileEmitOpError(op.op, "got an accumulator of f32, expected i32 for elements of %s",
                           tileNVWgmmaTypeStringify(a));
  if (fields && !isF32 && !isInteger(a) && a != TileNVWgmmaType_F16 && !is8BitFloat(a))
    return tileEmitOpError(op.op, "got an accumulator of i32, expected f32 for elements of %s",
                           tileNVWgmmaTypeStringify(a));
  const int64_t expected = isF32 || isInteger(a) ? n / 2 : n / 4;
  return fields == expected ? tileSuccess()
                            : tileEmitOpError(op.op, "got an accumulator of %lld registers, expected %lld",
                                              (long long)fields, (long long)expected);
}

static MlirLogicalResult verifyA(TileNVWgmmaOp op) {
  const intptr_t count = tileNVWgmmaOpGetNumA(op);
  const unsigned bits = count ? mlirIntegerTypeGetWidth(mlirValueGetType(tileNVWgmmaOpGetA(op, 0))) : 0;
  for (intptr_t i = 0; i < count; ++i)
    if (mlirIntegerTypeGetWidth(mlirValueGetType(tileNVWgmmaOpGetA(op, i))) != bits)
      return tileEmitOpError(op.op,
                             "got operand A of i32 and i64, expected one descriptor or four registers");
  if (!(count == 1 && bits == 64) && !(count == 4 && bits == 32))
    return tileEmitOpError(op.op, "got %lld values of i%u as operand A, expected one of i64 or four of i32",
                           (long long)count, bits);
  if (count == 4 && tileNVWgmmaOpGetTransA(op))
    return tileEmitOpError(op.op, "got a transposed operand A in registers, expected one in shared memory");
  return tileSuccess();
}

MlirLogicalResult tileNVWgmmaOpVerify(TileNVWgmmaOp op) {
  MlirLogicalResult (*const checks[])(TileNVWgmmaOp) = {verifyTypes, verifyN, verifyA, verifyAccumulator};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i)
    if (tileFailed(checks[i](op)))
      return tileFailure();
  return tileSuccess();
}

static MlirLogicalResult verifyTied(MlirOperation op) {
  const intptr_t n = mlirOperationGetNumOperands(op);
  bool same = n == mlirOperationGetNumResults(op);
  for (intptr_t i = 0; same && i < n; ++i)
    same = mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)),
                         mlirValueGetType(mlirOperationGetResult(op, i)));
  return same ? tileSuccess() : tileEmitOpError(op, "got results of other types than its values");
}

MlirLogicalResult tileNVWgmmaWaitOpVerify(TileNVWgmmaWaitOp op) {
  if (tileNVWgmmaWaitOpGetPending(op) < 0 || tileNVWgmmaWaitOpGetPending(op) > 7)
    return tileEmitOpError(op.op, "got %lld pending groups, expected 0 to 7",
                           (long long)tileNVWgmmaWaitOpGetPending(op));
  return verifyTied(op.op);
}

MlirLogicalResult tileNVWgmmaFenceOpVerify(TileNVWgmmaFenceOp op) { return verifyTied(op.op); }

static MlirLogicalResult verifyRank(MlirOperation op, intptr_t rank) {
  return rank >= 1 && rank <= 5
             ? tileSuccess()
             : tileEmitOpError(op, "got %lld coordinates, expected 1 to 5", (long long)rank);
}

MlirLogicalResult tileNVTmaLoadOpVerify(TileNVTmaLoadOp op) {
  return verifyRank(op.op, tileNVTmaLoadOpGetNumCoordinates(op));
}
MlirLogicalResult tileNVTmaStoreOpVerify(TileNVTmaStoreOp op) {
  return verifyRank(op.op, tileNVTmaStoreOpGetNumCoordinates(op));
}
