/* MatrixNVVM.c - mma.sync: fragments as the registers of PTX, and the instruction.
 *
 * PTX ISA, "Matrix Fragments for mma": elements narrower than 32 bits share a register, the lower element in
 * the lower bits. nvvm.mma.sync knows f16, bf16, tf32, i8 and m8n8k4 of f64; the rest are LLVM's intrinsics. */
#include "MatrixNVVM.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/NVVM.h"
#include <stdio.h>

/* How PTX names an operand's elements. */
static NVVMMMATypes ptxType(TileElementType t) {
  switch (t) {
  case TileElementType_F16:
    return NVVMMMATypes_f16;
  case TileElementType_BF16:
    return NVVMMMATypes_bf16;
  case TileElementType_F32: // operands; they are read as tf32
    return NVVMMMATypes_tf32;
  case TileElementType_F64:
    return NVVMMMATypes_f64;
  case TileElementType_I8:
    return NVVMMMATypes_s8;
  case TileElementType_F8E4M3FN:
    return NVVMMMATypes_e4m3;
  default:
    return NVVMMMATypes_e5m2;
  }
}

bool tileNvidiaHasMatrix(TileLowering *l, const TileMatrixCall *call) {
  (void)l;
  return call->instr->family == TileMatrixFamily_MmaSync;
}

/* Operand registers are i32 but for f16 (vectors of two) and f64; accumulators are their elements, but for
 * f16. */
int tileNvidiaPackFragment(TileLowering *l, const TileMatrixCall *call, TileMatrixRole role,
                           const MlirValue *elements, int n, MlirValue *out) {
  MlirType type = mlirValueGetType(elements[0]), i32 = mlirIntegerTypeGet(l->context, 32);
  int bits = (int)tileTypeBits(type), perRegister = bits < 32 ? 32 / bits : 1;
  (void)call;
  for (int i = 0; i < n / perRegister; ++i) {
    MlirValue packed = tileEmitPack(l, elements + i * perRegister, perRegister);
    bool isInteger = role != TileMatrixRole_Accumulator && bits <= 32 && !mlirTypeIsAF16(type);
    out[i] = isInteger ? tileEmitBitcast(l, packed, i32) : packed;
  }
  return n / perRegister;
}

void tileNvidiaUnpackFragment(TileLowering *l, const TileMatrixCall *call, const MlirValue *packed, int count,
                              MlirValue *elements, int n) {
  (void)call;
  for (int i = 0; i < count; ++i)
    tileEmitUnpack(l, packed[i], n / count, elements + i * (n / count));
}

/* A struct of one type. */
static MlirType structOf(TileLowering *l, MlirType field, int n) {
  MlirType fields[TileMatrix_MaxFragment];
  for (int i = 0; i < n; ++i)
    fields[i] = field;
  return mlirLLVMStructTypeLiteralGet(l->context, n, fields, false);
}

static MlirAttribute shapeOf(TileLowering *l, const TileMatrixChoice *c) {
  char text[64];
  snprintf(text, sizeof text, "#nvvm.shape<m = %d, n = %d, k = %d>", c->m, c->n, c->k);
  return mlirAttributeParseGet(l->context, tileStr(text));
}

/* The types of the instruction's operands, which are exchanged in a transposed one. */
static TileElementType firstType(const TileMatrixCall *call) {
  return call->instr->transposed ? call->sizes->b : call->sizes->a;
}
static TileElementType secondType(const TileMatrixCall *call) {
  return call->instr->transposed ? call->sizes->a : call->sizes->b;
}

static MlirValue emitNVVM(TileLowering *l, const TileMatrixCall *call, MlirType result, const MlirValue *a,
                          int na, const MlirValue *b, int nb, const MlirValue *acc, int nacc) {
  NVVMMmaOpAttrs attrs = {.multiplicandAPtxType = nvvmMMATypesAttrGet(l->context, ptxType(firstType(call))),
                          .multiplicandBPtxType = nvvmMMATypesAttrGet(l->context, ptxType(secondType(call)))};
  if (call->sizes->a == TileElementType_I8)
    attrs.intOverflowBehavior = nvvmMMAIntOverflowAttrGet(l->context, NVVMMMAIntOverflow_wrapped);
  NVVMMmaOp op = nvvmMmaOpCreate(l->b, l->loc, result, na, a, nb, b, nacc, acc, shapeOf(l, call->instr),
                                 nvvmMMALayoutAttrGet(l->context, NVVMMMALayout_row),
                                 nvvmMMALayoutAttrGet(l->context, NVVMMMALayout_col), &attrs);
  return nvvmMmaOpGetRes(op);
}

/* Forms that nvvm.mma.sync does not know: 8-bit floats, and f64 with 16 rows. */
static MlirValue emitIntrinsic(TileLowering *l, const TileMatrixCall *call, MlirType result,
                               const MlirValue *a, int na, const MlirValue *b, int nb, const MlirValue *acc,
                               int nacc) {
  MlirValue operands[3 * TileMatrix_MaxFragment];
  char name[64] = "llvm.nvvm.mma.m16n8k16.row.col.f64";
  if (call->sizes->a != TileElementType_F64)
    snprintf(name, sizeof name, "llvm.nvvm.mma.m16n8k32.row.col.f32.%s.%s.f32",
             nvvmMMATypesStringify(ptxType(firstType(call))),
             nvvmMMATypesStringify(ptxType(secondType(call))));
  memcpy(operands, a, (size_t)na * sizeof *a);
  memcpy(operands + na, b, (size_t)nb * sizeof *b);
  memcpy(operands + na + nb, acc, (size_t)nacc * sizeof *acc);
  return tileEmitIntrinsic(l, name, result, na + nb + nacc, operands);
}

void tileNvidiaMultiply(TileLowering *l, const TileMatrixCall *call, const MlirValue *a, int na,
                        const MlirValue *b, int nb, MlirValue *acc, int nacc) {
  MlirType field = mlirValueGetType(acc[0]);
  MlirType type = structOf(l, field, nacc);
  bool isNVVM = call->sizes->a < TileElementType_F8E4M3FN &&
                !(call->sizes->a == TileElementType_F64 && call->instr->m == 16);
  MlirValue result = (isNVVM ? emitNVVM : emitIntrinsic)(l, call, type, a, na, b, nb, acc, nacc);
  for (int64_t i = 0; i < nacc; ++i)
    acc[i] = llvmExtractValueOpGetRes(
        llvmExtractValueOpCreate(l->b, l->loc, field, result, mlirDenseI64ArrayGet(l->context, 1, &i)));
}
