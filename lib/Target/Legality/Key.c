/* Key.c - what of an operation decides whether LLVM can select it. */
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/LLVM.h"
#include "tile-c/IR.h"
#include "tile-c/Legality.h"
#include "tile-c/OpKind.h"

static uint16_t integerType(MlirType type) {
  switch (mlirIntegerTypeGetWidth(type)) {
  case 1:
    return TileLegality_I1;
  case 8:
    return TileLegality_I8;
  case 16:
    return TileLegality_I16;
  case 32:
    return TileLegality_I32;
  case 64:
    return TileLegality_I64;
  case 128:
    return TileLegality_I128;
  default:
    return TileLegality_Other;
  }
}

static uint16_t scalarType(MlirType type) {
  enum { MAX_SPACE = 15 };
  if (mlirTypeIsAInteger(type))
    return integerType(type);
  if (mlirTypeIsALLVMPointerType(type)) {
    unsigned space = mlirLLVMPointerTypeGetAddressSpace(type);
    return (uint16_t)(space > MAX_SPACE ? (unsigned)TileLegality_Other : TileLegality_Pointer + space);
  }
  if (mlirTypeIsALLVMStructType(type))
    return TileLegality_Struct;
  return mlirTypeIsAF16(type)    ? TileLegality_F16
         : mlirTypeIsABF16(type) ? TileLegality_BF16
         : mlirTypeIsAF32(type)  ? TileLegality_F32
         : mlirTypeIsAF64(type)  ? TileLegality_F64
                                 : TileLegality_Other;
}

static uint16_t typeCode(MlirType type) {
  if (!mlirTypeIsAVector(type))
    return scalarType(type);
  int64_t length = mlirShapedTypeGetRank(type) == 1 ? mlirShapedTypeGetDimSize(type, 0) : 0;
  uint16_t element = scalarType(mlirShapedTypeGetElementType(type));
  if (length < 1 || length > 255 || element == TileLegality_Other)
    return TileLegality_Other;
  return (uint16_t)(length << 8 | element);
}

/* Ops that become no instruction, or one that every target has for every type; and inline assembly, which
 * only the assembler can judge. */
static bool isFree(TileOpKind kind) {
  switch (kind) {
  case TileOp_LLVM_AddressOf:
  case TileOp_LLVM_Assume:
  case TileOp_LLVM_Br:
  case TileOp_LLVM_CondBr:
  case TileOp_LLVM_Constant:
  case TileOp_LLVM_InlineAsm:
  case TileOp_LLVM_LLVMFunc:
  case TileOp_LLVM_Poison:
  case TileOp_LLVM_Return:
  case TileOp_LLVM_Undef:
  case TileOp_LLVM_Unreachable:
  case TileOp_LLVM_Zero:
  case TileOp_ROCDL_SchedBarrier:
    return true;
  default:
    return false;
  }
}

static MlirStringRef detailOf(MlirOperation op, TileOpKind kind) {
  switch (kind) {
  case TileOp_LLVM_AtomicRMW:
    return tileStr(llvmAtomicBinOpStringify(llvmAtomicRMWOpGetBinOp(llvmAtomicRMWOpCast(op))));
  case TileOp_LLVM_CallIntrinsic:
    return llvmCallIntrinsicOpGetIntrin(llvmCallIntrinsicOpCast(op));
  case TileOp_LLVM_Call: {
    LLVMCallOp call = llvmCallOpCast(op);
    return llvmCallOpGetCalleeAttr(call).ptr ? llvmCallOpGetCallee(call) : tileStr("");
  }
  default:
    return tileStr("");
  }
}

bool tileLegalityKeyOf(MlirOperation op, TileLegalityKey *out_key) {
  TileOpKind kind = tileOpKind(op);
  if (isFree(kind))
    return false;
  *out_key = (TileLegalityKey){.op = (uint16_t)kind, .detail = detailOf(op, kind)};
  if (mlirOperationGetNumResults(op) > 0)
    out_key->types[0] = typeCode(mlirValueGetType(mlirOperationGetResult(op, 0)));
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n && i < 2; ++i)
    out_key->types[1 + i] = typeCode(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return true;
}

TileLegalityKey tileLegalityParameterKey(MlirType type) {
  return (TileLegalityKey){.op = TileOp_LLVM_LLVMFunc, .types = {typeCode(type)}, .detail = tileStr("")};
}

bool tileLegalityKeyMatches(const TileLegalityKey *key, const TileLegalityRow *row) {
  return key->op == row->op && !memcmp(key->types, row->types, sizeof row->types) &&
         mlirStringRefEqual(key->detail, tileStr(row->detail ? row->detail : ""));
}

void tileLegalityAppendType(TileStringBuilder *out, uint16_t type) {
  static const char *const names[] = {"none", "i1",   "i8",  "i16", "i32",    "i64",  "i128",
                                      "f16",  "bf16", "f32", "f64", "struct", "other"};
  unsigned length = type >> 8, scalar = type & 0xFF;
  if (length)
    tileStringAppendFormat(out, "vector<%ux", length);
  if (scalar > TileLegality_Pointer)
    tileStringAppendFormat(out, "ptr<%u>", scalar - TileLegality_Pointer);
  else
    tileStringAppendText(out, scalar == TileLegality_Pointer ? "ptr" : names[scalar]);
  if (length)
    tileStringAppendText(out, ">");
}

void tileLegalityAppendTypes(TileStringBuilder *out, const uint16_t types[3]) {
  const char *between = "";
  bool uniform = types[1] == types[0] && (!types[2] || types[2] == types[0]);
  /* Operands that are of one type, or of the result's, need no mention. */
  for (int i = 1; i < 3 && !uniform; ++i) {
    if (!types[i] || (i == 2 && (types[2] == types[1] || types[2] == types[0])))
      continue;
    tileStringAppendText(out, between);
    tileLegalityAppendType(out, types[i]);
    between = ", ";
  }
  if (!types[0])
    return;
  tileStringAppendText(out, *between ? " to " : "");
  tileLegalityAppendType(out, types[0]);
}
