/* MatrixROCDL.c - MFMA and WMMA: each operand is one vector, and so is the accumulator.
 *
 * Types of operands are those of LLVM's intrinsics (IntrinsicsAMDGPU.td): 8-bit elements travel as integers,
 * bf16 as i16 but for the MFMA of CDNA4. */
#include "MatrixROCDL.h"
#include "tile-c/Dialect/ROCDL.h"

typedef struct Form {
  TileMatrixFamily family;
  uint8_t m, k;
  TileElementType a, b, acc;
  bool shortened;
  TileOpKind kind;
} Form;

#define MFMA(M, K, A, B, ACC, NAME)                                                                          \
  {TileMatrixFamily_MFMA,   M, K, TileElementType_##A, TileElementType_##B, TileElementType_##ACC, false,    \
   TileOp_ROCDL_mfma_##NAME}
#define XF32(M, K, NAME)                                                                                     \
  {TileMatrixFamily_MFMA,   M, K, TileElementType_F32, TileElementType_F32, TileElementType_F32, true,       \
   TileOp_ROCDL_mfma_##NAME}
/* CDNA4's deep forms: the op takes the types of A and B as operands. */
#define MFMA_WIDE(M, K, NAME)                                                                                \
  MFMA(M, K, F8E4M3FN, F8E4M3FN, F32, NAME), MFMA(M, K, F8E4M3FN, F8E5M2, F32, NAME),                        \
      MFMA(M, K, F8E5M2, F8E4M3FN, F32, NAME), MFMA(M, K, F8E5M2, F8E5M2, F32, NAME)
#define WMMA(GENERATION, A, B, ACC, NAME)                                                                    \
  {TileMatrixFamily_WMMA##GENERATION,                                                                        \
   16,                                                                                                       \
   16,                                                                                                       \
   TileElementType_##A,                                                                                      \
   TileElementType_##B,                                                                                      \
   TileElementType_##ACC,                                                                                    \
   false,                                                                                                    \
   TileOp_ROCDL_wmma_##NAME}
/* fp8 is e4m3, bf8 is e5m2: FNUZ on CDNA3, OCP on CDNA4. */
#define MFMA_FLOAT8(M, K, SIZE)                                                                              \
  MFMA(M, K, F8E4M3FNUZ, F8E4M3FNUZ, F32, f32_##SIZE##_fp8_fp8),                                             \
      MFMA(M, K, F8E4M3FNUZ, F8E5M2FNUZ, F32, f32_##SIZE##_fp8_bf8),                                         \
      MFMA(M, K, F8E5M2FNUZ, F8E4M3FNUZ, F32, f32_##SIZE##_bf8_fp8),                                         \
      MFMA(M, K, F8E5M2FNUZ, F8E5M2FNUZ, F32, f32_##SIZE##_bf8_bf8),                                         \
      MFMA(M, K, F8E4M3FN, F8E4M3FN, F32, f32_##SIZE##_fp8_fp8),                                             \
      MFMA(M, K, F8E4M3FN, F8E5M2, F32, f32_##SIZE##_fp8_bf8),                                               \
      MFMA(M, K, F8E5M2, F8E4M3FN, F32, f32_##SIZE##_bf8_fp8),                                               \
      MFMA(M, K, F8E5M2, F8E5M2, F32, f32_##SIZE##_bf8_bf8)

static const Form forms[] = {
    MFMA(16, 16, F16, F16, F32, f32_16x16x16f16),
    MFMA(32, 8, F16, F16, F32, f32_32x32x8f16),
    MFMA(16, 16, BF16, BF16, F32, f32_16x16x16bf16_1k),
    MFMA(32, 8, BF16, BF16, F32, f32_32x32x8bf16_1k),
    MFMA(16, 4, F32, F32, F32, f32_16x16x4f32),
    MFMA(32, 2, F32, F32, F32, f32_32x32x2f32),
    MFMA(16, 4, F64, F64, F64, f64_16x16x4f64),
    MFMA(16, 16, I8, I8, I32, i32_16x16x16i8),
    MFMA(32, 8, I8, I8, I32, i32_32x32x8i8),
    MFMA(16, 32, I8, I8, I32, i32_16x16x32_i8),
    MFMA(32, 16, I8, I8, I32, i32_32x32x16_i8),
    XF32(16, 8, f32_16x16x8_xf32),
    XF32(32, 4, f32_32x32x4_xf32),
    MFMA_FLOAT8(16, 32, 16x16x32),
    MFMA_FLOAT8(32, 16, 32x32x16),
    MFMA_WIDE(16, 128, scale_f32_16x16x128_f8f6f4),
    MFMA_WIDE(32, 64, scale_f32_32x32x64_f8f6f4),
    MFMA(16, 32, F16, F16, F32, f32_16x16x32_f16),
    MFMA(32, 16, F16, F16, F32, f32_32x32x16_f16),
    MFMA(16, 32, BF16, BF16, F32, f32_16x16x32_bf16),
    MFMA(32, 16, BF16, BF16, F32, f32_32x32x16_bf16),
    MFMA(16, 64, I8, I8, I32, i32_16x16x64_i8),
    MFMA(32, 32, I8, I8, I32, i32_32x32x32_i8),
    WMMA(11, F16, F16, F32, f32_16x16x16_f16),
    WMMA(11, F16, F16, F16, f16_16x16x16_f16),
    WMMA(11, BF16, BF16, F32, f32_16x16x16_bf16),
    WMMA(11, I8, I8, I32, i32_16x16x16_iu8),
    WMMA(12, F16, F16, F32, f32_16x16x16_f16),
    WMMA(12, F16, F16, F16, f16_16x16x16_f16),
    WMMA(12, BF16, BF16, F32, f32_16x16x16_bf16),
    WMMA(12, I8, I8, I32, i32_16x16x16_iu8),
    WMMA(12, F8E4M3FN, F8E4M3FN, F32, f32_16x16x16_fp8_fp8),
    WMMA(12, F8E4M3FN, F8E5M2, F32, f32_16x16x16_fp8_bf8),
    WMMA(12, F8E5M2, F8E4M3FN, F32, f32_16x16x16_bf8_fp8),
    WMMA(12, F8E5M2, F8E5M2, F32, f32_16x16x16_bf8_bf8),
};

/* The operands are exchanged in a transposed instruction, and with them their types. */
static const Form *formOf(const TileMatrixCall *call) {
  const TileMatrixChoice *c = call->instr;
  TileElementType a = c->transposed ? call->sizes->b : call->sizes->a,
                  b = c->transposed ? call->sizes->a : call->sizes->b;
  for (size_t i = 0; i < TILE_COUNTOF(forms); ++i) {
    const Form *f = &forms[i];
    if (f->family == c->family && f->m == c->m && f->m == c->n && f->k == c->k && f->a == a && f->b == b &&
        f->acc == call->sizes->acc && f->shortened == c->shortened)
      return f;
  }
  return NULL;
}

bool tileAmdHasMatrix(TileLowering *l, const TileMatrixCall *call) {
  (void)l;
  return formOf(call) != NULL;
}

static MlirType vectorOf(MlirType element, int64_t n) {
  return n == 1 ? element : mlirVectorTypeGet(1, &n, element);
}

/* RDNA3 keeps a 16-bit accumulator in the lower half of each register. */
static bool inHalves(const TileMatrixCall *call) {
  return call->instr->family == TileMatrixFamily_WMMA11 && call->sizes->acc == TileElementType_F16;
}

static MlirType operandType(TileLowering *l, const TileMatrixCall *call, TileElementType element, int n) {
  bool wmma = call->instr->family != TileMatrixFamily_MFMA;
  int size = (int)tileElementTypeSize(element), bits = 8 * size * n;
  if (element == TileElementType_BF16 && (wmma || n == 4))
    return vectorOf(mlirIntegerTypeGet(l->context, 16), n);
  if (size > 1)
    return vectorOf(tileElementTypeToMlir(l->context, element), n);
  if (bits == 64 && !wmma)
    return mlirIntegerTypeGet(l->context, 64);
  return vectorOf(mlirIntegerTypeGet(l->context, 32), bits / 32);
}

/* Bytes by words: LLVM has no good code for vectors of 32 bytes. */
static MlirValue packWords(TileLowering *l, const MlirValue *bytes, int n) {
  MlirValue words[TileMatrix_MaxFragment / 4];
  for (int i = 0; i < n / 4; ++i)
    words[i] = tileEmitBitcast(l, tileEmitPack(l, bytes + 4 * i, 4), mlirIntegerTypeGet(l->context, 32));
  return tileEmitPack(l, words, n / 4);
}

int tileAmdPackFragment(TileLowering *l, const TileMatrixCall *call, TileMatrixRole role,
                        const MlirValue *elements, int n, MlirValue *out) {
  if (role == TileMatrixRole_Accumulator && inHalves(call)) {
    MlirValue spread[2 * TileMatrix_MaxFragment];
    for (int i = 0; i < 2 * n; ++i)
      spread[i] = elements[i / 2];
    out[0] = tileEmitPack(l, spread, 2 * n);
    return 1;
  }
  if (n == 32 && role != TileMatrixRole_Accumulator) {
    out[0] = packWords(l, elements, n);
    return 1;
  }
  MlirValue packed = tileEmitPack(l, elements, n);
  out[0] = role == TileMatrixRole_Accumulator
               ? packed
               : tileEmitBitcast(
                     l, packed,
                     operandType(l, call, role == TileMatrixRole_A ? call->sizes->a : call->sizes->b, n));
  return 1;
}

void tileAmdUnpackFragment(TileLowering *l, const TileMatrixCall *call, const MlirValue *packed, int count,
                           MlirValue *elements, int n) {
  (void)count;
  int step = inHalves(call) ? 2 : 1;
  for (int i = 0; i < n; ++i)
    elements[i] = n == 1 ? packed[0] : tileEmitExtract(l, packed[0], step * i);
}

static bool isWide(const Form *f) {
  return f->kind == TileOp_ROCDL_mfma_scale_f32_16x16x128_f8f6f4 ||
         f->kind == TileOp_ROCDL_mfma_scale_f32_32x32x64_f8f6f4;
}

/* How the wide forms count types. */
static int32_t formatOf(TileElementType t) { return t == TileElementType_F8E4M3FN ? 0 : 1; }

void tileAmdMultiply(TileLowering *l, const TileMatrixCall *call, const MlirValue *a, int na,
                     const MlirValue *b, int nb, MlirValue *acc, int nacc) {
  (void)na, (void)nb, (void)nacc;
  const Form *form = formOf(call);
  MlirType type = mlirValueGetType(acc[0]);
  MlirValue operands[9] = {a[0], b[0], acc[0]};
  int n = form->family != TileMatrixFamily_MFMA ? 3 : isWide(form) ? 9 : 6;
  for (int i = 3; i < n; ++i) // cbsz, abid, blgp: no broadcast, no permutation; scales of 0: none
    operands[i] = tileEmitI32(l, 0);
  if (isWide(form)) {
    operands[3] = tileEmitI32(l, formatOf(form->a));
    operands[4] = tileEmitI32(l, formatOf(form->b));
  }
  MlirOperationState s = mlirOperationStateGet(tileStr(tileOpKindName(form->kind)), l->loc);
  mlirOperationStateAddOperands(&s, n, operands);
  mlirOperationStateAddResults(&s, 1, &type);
  if (form->kind == TileOp_ROCDL_wmma_i32_16x16x16_iu8) {
    tileStateAddAttr(&s, "signA", mlirBoolAttrGet(l->context, true));
    tileStateAddAttr(&s, "signB", mlirBoolAttrGet(l->context, true));
  }
  acc[0] = mlirOperationGetResult(tileBuilderInsert(l->b, &s), 0);
}
