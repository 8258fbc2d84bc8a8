/* WarpGroup.c - sizes, layouts and buffers of products of warp groups (PTX ISA 9.0, 9.7.15.5), and their verifier. */
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/LayoutMatrix.h"
#include "tile-c/Support/Bits.h"

enum { GroupRows = 64, GroupWarps = 4, MaxN = 256, DepthBytes = 32 };

bool tileWarpGroupWithWarps(int64_t m, int64_t n, int64_t k, int64_t warpsM, int64_t warpsN,
                            TileWarpGroupShape *out) {
  if (warpsM < GroupWarps || warpsM > 64 || warpsN < 1 || warpsN > 16 || !tileIsPowerOfTwo(warpsM) ||
      !tileIsPowerOfTwo(warpsN) || !tileIsPowerOfTwo(m) || !tileIsPowerOfTwo(n) || !tileIsPowerOfTwo(k) ||
      m < GroupRows / GroupWarps * warpsM || n < 8 * warpsN)
    return false;
  *out = (TileWarpGroupShape){.m = m, .n = n, .k = k, .warpsM = (int32_t)warpsM, .warpsN = (int32_t)warpsN};
  out->instrN = (int32_t)(n / warpsN < MaxN ? n / warpsN : MaxN);
  return true;
}

/* Along M as far as there are rows for groups, then along N. */
bool tileWarpGroupShape(int64_t m, int64_t n, int64_t k, int numWarps, TileElementType element,
                        TileWarpGroupShape *out) {
  int64_t warpsM = GroupWarps;
  if (numWarps % GroupWarps || m < GroupRows || k * (int64_t)tileElementTypeSize(element) < DepthBytes)
    return false;
  while (warpsM < numWarps && GroupRows / GroupWarps * warpsM * 2 <= m)
    warpsM *= 2;
  return tileWarpGroupWithWarps(m, n, k, warpsM, numWarps / warpsM, out) &&
         (element != TileElementType_I8 || out->instrN % 16 == 0);
}

bool tileWarpGroupLayout(const TileWarpGroupShape *s, TileLayout *out) {
  const TileMatrixPlacement p = {
      .rank = 2, .shape = {s->m, s->n}, .warps = {s->warpsM, s->warpsN}, .tilesPerWarp = {1, 1}};
  return tileLayoutWgmma(&p, TileMatrixRole_Accumulator, s->instrN, 0, out);
}

bool tileWarpGroupRegistersLayout(const TileWarpGroupShape *s, TileLayout *out) {
  const TileMatrixPlacement p = {
      .rank = 2, .shape = {s->m, s->k}, .warps = {s->warpsM, s->warpsN}, .tilesPerWarp = {1, 1}};
  return tileLayoutWgmma(&p, TileMatrixRole_A, 0, 2, out);
}

bool tileWarpGroupShapeOf(MlirOperation op, TileWarpGroupShape *out) {
  TileGPUWgmmaOp o = tileGPUWgmmaOpCast(op);
  MlirAttribute warps = tileGPUWgmmaOpGetWarpsAttr(o);
  MlirType a = mlirValueGetType(tileGPUWgmmaOpGetA(o));
  TileMemDesc desc;
  int64_t c[2], shape[2];
  if (tileMemDescOf(a, &desc) && desc.rank == 2)
    shape[1] = desc.shape[1];
  else if (!tileTypeIsTensor(a) || tileTypeGetShape(a, shape, 2) != 2)
    return false;
  return mlirDenseArrayGetNumElements(warps) == 2 &&
         tileTypeGetShape(mlirValueGetType(tileGPUWgmmaOpGetC(o)), c, 2) == 2 &&
         tileWarpGroupWithWarps(c[0], c[1], shape[1], mlirDenseI64ArrayGetElement(warps, 0),
                                mlirDenseI64ArrayGetElement(warps, 1), out);
}

static MlirAttribute layoutAttr(MlirOperation op,
                                bool (*layoutOf)(const TileWarpGroupShape *shape, TileLayout *out)) {
  TileWarpGroupShape shape;
  TileLayout layout;
  return tileWarpGroupShapeOf(op, &shape) && layoutOf(&shape, &layout)
             ? tileLayoutToAttr(mlirOperationGetContext(op), &layout)
             : (MlirAttribute){NULL};
}

MlirAttribute tileWarpGroupLayoutAttr(MlirOperation op) { return layoutAttr(op, tileWarpGroupLayout); }

MlirAttribute tileWarpGroupRegistersAttr(MlirOperation op) {
  return tileTypeIsTensor(mlirValueGetType(mlirOperationGetOperand(op, 0)))
             ? layoutAttr(op, tileWarpGroupRegistersLayout)
             : (MlirAttribute){NULL};
}

static MlirWalkResult findProduct(MlirOperation op, void *user) {
  const TileOpKind kind = tileOpKind(op);
  *(bool *)user |= kind == TileOp_TileGPU_Wgmma || kind == TileOp_TileGPU_WgmmaWait;
  return MlirWalkResultAdvance;
}

bool tileHasWarpGroupProducts(MlirOperation op) {
  bool found = false;
  mlirOperationWalk(op, findProduct, &found, MlirWalkPreOrder);
  return found;
}

MlirOperation tileWarpGroupWaitOf(MlirOperation product) {
  int64_t since = 0;
  for (MlirOperation op = mlirOperationGetNextInBlock(product); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    TileGPUWgmmaWaitOp wait = tileGPUWgmmaWaitOpCast(op);
    if (mlirOperationGetNumRegions(op) && tileHasWarpGroupProducts(op))
      break; // how many it starts, nobody knows
    since += tileOpKind(op) == TileOp_TileGPU_Wgmma &&
             !mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.same_group")).ptr;
    if (!tileGPUWgmmaWaitOpIsNull(wait) && tileGPUWgmmaWaitOpGetPending(wait) <= since)
      return op;
  }
  return (MlirOperation){NULL};
}

// ---- Factors ----

static bool nvmmaLayout(const int64_t shape[2], int fastest, int32_t bits, int32_t swizzle,
                        TileSharedLayout *out) {
  const int32_t order[2] = {fastest, 1 - fastest};
  return swizzle >= 32 && shape[1 - fastest] >= 8 && tileSharedNvmma(shape, 2, order, bits, swizzle, out);
}

bool tileWarpGroupFactorOf(const TileMemDesc *desc, int kDim, TileWarpGroupFactor *out) {
  const int32_t bits = 8 * desc->elementBytes;
  const int64_t shape[2] = {desc->layout.map.shape[0], desc->layout.map.shape[1]};
  if (desc->rank != 2 || desc->numBufferDims || tileMemDescIsPart(desc))
    return false;
  for (int fastest = 0; fastest < 2; ++fastest)
    for (int32_t swizzle = 128; swizzle >= 32; swizzle /= 2) {
      TileSharedLayout wanted;
      if (!nvmmaLayout(shape, fastest, bits, swizzle, &wanted) || !tileSharedEqual(&wanted, &desc->layout) ||
          desc->alignment < 8 * swizzle)
        continue;
      *out = (TileWarpGroupFactor){fastest == kDim, swizzle};
      return true;
    }
  return false;
}

MlirType tileWarpGroupBufferType(MlirType element, const int64_t shape[2], int fastest) {
  const int32_t bits = 8 * (int32_t)tileElementTypeSize(tileElementTypeOf(element));
  const int32_t swizzle = tileSharedNvmmaSwizzleBytes(bits, shape[fastest]);
  TileSharedLayout layout;
  if (!nvmmaLayout(shape, fastest, bits, swizzle, &layout))
    return (MlirType){NULL};
  return tileMemDescTypeFor(element, &layout, 8 * (int64_t)swizzle, 0);
}

// ---- Verifier ----

static MlirLogicalResult verifyFactor(MlirOperation op, const char *name, MlirValue v, int kDim,
                                      int64_t outer, int64_t k) {
  TileMemDesc desc;
  TileWarpGroupFactor factor;
  if (!tileMemDescOf(mlirValueGetType(v), &desc) || !tileWarpGroupFactorOf(&desc, kDim, &factor))
    return tileEmitOpError(op, "got factor %s in another layout than swizzled rows of 128, 64 or 32 bytes",
                           name);
  if (desc.shape[kDim] != k || desc.shape[1 - kDim] != outer)
    return tileEmitOpError(op, "got factor %s of %lldx%lld, expected %lldx%lld", name,
                           (long long)desc.shape[0], (long long)desc.shape[1], (long long)(kDim ? outer : k),
                           (long long)(kDim ? k : outer));
  if (!factor.kMajor && desc.elementBytes != 2)
    return tileEmitOpError(op, "got factor %s of %d-byte elements with rows along the other dimension than K",
                           name, desc.elementBytes);
  return tileSuccess();
}

static MlirLogicalResult verifyRegisters(MlirOperation op, MlirType type, const TileWarpGroupShape *s) {
  int64_t shape[2];
  TileElementType element = tileElementTypeOf(type);
  if (element != TileElementType_F16 && element != TileElementType_BF16)
    return tileEmitOpError(op, "got factor a in registers of another type than f16 or bf16");
  if (tileTypeGetShape(type, shape, 2) != 2 || shape[0] != s->m || s->k < DepthBytes / 2)
    return tileEmitOpError(op, "got factor a in registers of other sizes than %lldx%lld or K below 16",
                           (long long)s->m, (long long)s->k);
  return tileSuccess();
}

MlirLogicalResult tileGPUWgmmaWaitOpVerify(TileGPUWgmmaWaitOp o) {
  const intptr_t n = tileGPUWgmmaWaitOpGetNumValues(o);
  bool same = n == tileGPUWgmmaWaitOpGetNumResults(o);
  for (intptr_t i = 0; same && i < n; ++i)
    same = mlirTypeEqual(mlirValueGetType(tileGPUWgmmaWaitOpGetValues(o, i)),
                         mlirValueGetType(tileGPUWgmmaWaitOpGetResults(o, i)));
  if (tileGPUWgmmaWaitOpGetPending(o) < 0 || tileGPUWgmmaWaitOpGetPending(o) > 7)
    return tileEmitOpError(o.op, "got %lld pending products, expected 0 to 7",
                           (long long)tileGPUWgmmaWaitOpGetPending(o));
  return same ? tileSuccess() : tileEmitOpError(o.op, "got results of other types than its values");
}

MlirLogicalResult tileGPUWgmmaOpVerify(TileGPUWgmmaOp o) {
  TileWarpGroupShape s;
  if (!tileWarpGroupShapeOf(o.op, &s))
    return tileEmitOpError(o.op,
                           "got sizes and warps that no warp group computes, expected powers of two, at "
                           "least 16 rows and 8 columns a warp and a multiple of 4 warps along M");
  MlirType a = mlirValueGetType(tileGPUWgmmaOpGetA(o));
  if (tileTypeIsTensor(a))
    TILE_TRY(verifyRegisters(o.op, a, &s));
  else
    TILE_TRY(verifyFactor(o.op, "a", tileGPUWgmmaOpGetA(o), 1, s.m, s.k));
  return verifyFactor(o.op, "b", tileGPUWgmmaOpGetB(o), 0, s.n, s.k);
}

bool tileWarpGroupSuitsTransposed(int64_t rows, int64_t columns) {
  enum { GROUP_ROWS = 64, LEAST = 8, MOST = 256, MOST_PIECES = 3 };
  return rows % GROUP_ROWS && columns % GROUP_ROWS == 0 && rows % LEAST == 0 && rows >= LEAST &&
         rows <= MOST && __builtin_popcountll((unsigned long long)rows) <= MOST_PIECES;
}
