/* TileGPUVerifyMatrix.c - verifier of tile_gpu.mma. */
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMatrix.h"

static MlirType typeOf(MlirOperation op, int i) { return mlirValueGetType(mlirOperationGetOperand(op, i)); }

/* Ranks and sizes of the three tensors fit each other. */
static MlirLogicalResult verifyShapes(MlirOperation op) {
  int64_t a[3] = {0}, b[3] = {0}, c[3] = {0};
  int rank = tileTypeGetShape(typeOf(op, 0), a, 3), rankB = tileTypeGetShape(typeOf(op, 1), b, 3),
      rankC = tileTypeGetShape(typeOf(op, 2), c, 3);
  if (rank < 2 || rank > 3 || rankB != rank || rankC != rank)
    return tileEmitOpError(op, "got tensors of %d, %d and %d dimensions, expected two, or three with a batch",
                           rank, rankB, rankC);
  int m = rank - 2, n = rank - 1;
  if (a[n] != b[m])
    return tileEmitOpError(op,
                           "got K = %lld in the first operand and %lld in the second, expected equal sizes",
                           (long long)a[n], (long long)b[m]);
  if (a[m] != c[m] || b[n] != c[n] || (rank == 3 && (a[0] != b[0] || a[0] != c[0])))
    return tileEmitOpError(op, "got an accumulator of %lld x %lld, expected %lld x %lld in each batch",
                           (long long)c[m], (long long)c[n], (long long)a[m], (long long)b[n]);
  return tileSuccess();
}

static MlirLogicalResult verifyLayout(MlirOperation op, MlirType type, const TileMatrixChoice *choice,
                                      TileMatrixRole role, const char *what) {
  TileMatrixSizes sizes = tileMatrixSizesOf(op);
  TileMatrixOperand expected;
  TileLayout got;
  if (!tileMatrixOperandOf(choice, &sizes, role, &expected))
    return tileEmitOpError(op, "got sizes that the instruction's layouts cannot cover, expected powers of "
                               "two");
  if (!tileTypeGetEncoding(type).ptr ||
      (tileLayoutOfType(type, &got) && tileLayoutEqual(&got, &expected.layout)))
    return tileSuccess();
  char text[1024];
  tileLayoutPrint(&expected.layout, false, text, sizeof text);
  return tileEmitOpError(op, "got %s in another layout than its instruction's, expected %s", what, text);
}

MlirLogicalResult tileGPUMmaOpVerify(TileGPUMmaOp o) {
  TileMatrixChoice choice;
  TILE_TRY(verifyShapes(o.op));
  if (!tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(o), &choice))
    return tileEmitOpError(o.op, "got numbers in instr that are no powers of two up to 1024, or not two or "
                                 "three counts of warps");
  if (choice.rank != (int32_t)mlirShapedTypeGetRank(typeOf(o.op, 0)))
    return tileEmitOpError(o.op, "got warps along %d dimensions, expected %d", choice.rank,
                           (int)mlirShapedTypeGetRank(typeOf(o.op, 0)));
  TileMatrixSizes sizes = tileMatrixSizesOf(o.op);
  if (!tileMatrixChoiceExists(&choice, &sizes))
    return tileEmitOpError(
        o.op, "got %s %dx%dx%d%s of %s and %s into %s, expected an instruction that some chip has",
        tileGPUMatrixFamilyStringify((TileGPUMatrixFamily)choice.family), choice.m, choice.n, choice.k,
        choice.shortened ? " (shortened)" : "", tileElementTypeName(sizes.a), tileElementTypeName(sizes.b),
        tileElementTypeName(sizes.acc));
  TILE_TRY(verifyLayout(o.op, typeOf(o.op, 0), &choice, TileMatrixRole_A, "the first operand"));
  TILE_TRY(verifyLayout(o.op, typeOf(o.op, 1), &choice, TileMatrixRole_B, "the second operand"));
  return verifyLayout(o.op, typeOf(o.op, 2), &choice, TileMatrixRole_Accumulator, "the accumulator");
}
