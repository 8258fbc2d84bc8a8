/* WidenedFactors.c - which factors are widened bytes; products with their factors exchanged.
 *
 *   scf.for ... iter_args(%acc = %zero) {
 *     %w = tile.desc_load %b ... : tensor<256x64xi8>
 *     %wide = arith.sitofp %w : tensor<256x64xi8> to tensor<256x64xf16>
 *     %t = tile.trans %wide
 *     %d = tile.dot %x, %t, %acc : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
 *     scf.yield %d
 * becomes
 *   %r = scf.for ... iter_args(%acc = %zero : tensor<256x128xf32>) {
 *     %m = tile_gpu.tma_alloc ... : memdesc<256x64xi8>
 *     %w = tile_gpu.local_load %m
 *     %wide = arith.sitofp %w
 *     %u = tile.trans %x
 *     %d = tile.dot %wide, %u, %acc : tensor<256x64xf16> * tensor<64x128xf16> -> tensor<256x128xf32>
 *     scf.yield %d
 *   }
 *   tile.trans %r
 *
 * Warp groups take their first factor from registers, their second one from shared memory: what is widened goes first. */
#include "WidenedFactors.h"
#include "FormMade.h"
#include "MemoryRoots.h"
#include "TensorMaps.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"

enum { MAX_DEPTH = 16 };

// ---- Which ----

typedef struct Walk {
  MlirBlock block;
  int64_t size; ///< elements of the factor
  bool descriptors;
  MlirOperation load; ///< of bytes
  int bytes, others;  ///< loads in the block: of bytes, one for each element; of anything else as large
} Walk;

static size_t sizeOf(MlirValue v) { return tileElementTypeSize(tileElementTypeOf(mlirValueGetType(v))); }

static bool isBlockOfMap(TileDescLoadOp load) {
  MlirValue desc = tileDescLoadOpIsNull(load) ? (MlirValue){NULL} : tileDescLoadOpGetDesc(load);
  return desc.ptr && (mlirValueIsABlockArgument(desc) || tileDescriptorIsFormed(desc)) &&
         tileDescLoadOpGetNumCoords(load) == 2 && tileDescriptorIsReadOnly(desc);
}

static void visit(Walk *w, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || !tileTypeIsTensor(mlirValueGetType(v)))
    return;
  const bool isWhole = tileTypeNumElements(mlirValueGetType(v)) == w->size,
             isHere = mlirBlockEqual(mlirOperationGetBlock(op), w->block);
  const TileOpKind kind = tileOpKind(op);
  if (kind == TileOp_Tile_Load || kind == TileOp_Tile_DescLoad) {
    const bool isByte = isWhole && isHere && sizeOf(v) == 1 &&
                        (w->descriptors ? isBlockOfMap(tileDescLoadOpCast(op))
                                        : kind == TileOp_Tile_Load || tileIsMadeAccess(op));
    w->bytes += isByte;
    w->load = isByte ? op : w->load;
    w->others += !isByte && isHere && isWhole;
    return;
  }
  if (depth > MAX_DEPTH || !tileOpIsPure(op) || mlirOperationGetNumRegions(op) ||
      (isWhole && kind != TileOp_Tile_Trans && kind != TileOp_Tile_Broadcast && kind != TileOp_Tile_Splat &&
       !tileOpIsElementwise(op))) {
    w->others += isWhole;
    return;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    visit(w, mlirOperationGetOperand(op, i), depth + 1);
}

bool tileFactorIsWidened(TileDotOp dot, MlirValue factor, bool descriptors) {
  Walk w = {.block = mlirOperationGetBlock(dot.op),
            .size = tileTypeNumElements(mlirValueGetType(factor)),
            .descriptors = descriptors};
  if (sizeOf(factor) != 2)
    return false;
  visit(&w, factor, 0);
  return w.bytes == 1 && !w.others;
}

MlirOperation tileWidenedLoad(TileDotOp dot, MlirValue factor) {
  Walk w = {.block = mlirOperationGetBlock(dot.op), .size = tileTypeNumElements(mlirValueGetType(factor))};
  if (sizeOf(factor) == 2)
    visit(&w, factor, 0);
  return w.bytes == 1 && !w.others ? w.load : (MlirOperation){NULL};
}

// ---- Exchanged ----

static MlirType turnedType(MlirType type) {
  int64_t shape[2] = {0, 0};
  tileTypeGetShape(type, shape, 2);
  const int64_t turned[2] = {shape[1], shape[0]};
  return mlirRankedTensorTypeGet(2, turned, tileTypeGetElement(type), mlirAttributeGetNull());
}

/* What is transposed twice is what it was; a constant of one number is one of the other shape. */
static MlirValue turned(TileBuilder b, MlirLocation loc, MlirValue v) {
  static const int32_t order[2] = {1, 0};
  MlirOperation op = tileValueGetDefiningOp(v);
  TileTransOp trans = tileTransOpCast(op);
  MlirType type = turnedType(mlirValueGetType(v));
  MlirAttribute number = tileValueConstantNumber(v);
  if (!tileTransOpIsNull(trans))
    return tileTransOpGetSrc(trans);
  if (number.ptr)
    return arithConstantOpGetResult(
        arithConstantOpCreate(b, loc, type, mlirDenseElementsAttrSplatGet(type, number)));
  return tileTransOpGetResult(
      tileTransOpCreate(b, loc, type, v, mlirDenseI32ArrayGet(mlirLocationGetContext(loc), 2, order)));
}

/* The number of the carried value that the product takes and makes, both alone; -1 if there is none. */
static intptr_t carriedFor(TileDotOp dot) {
  MlirValue c = tileDotOpGetC(dot), d = tileDotOpGetResult(dot);
  MlirOperation loop = mlirBlockGetParentOperation(mlirOperationGetBlock(dot.op)), yield;
  if (tileOpKind(loop) != TileOp_SCF_For || !mlirValueIsABlockArgument(c) || !tileValueHasOneUse(c) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(c), mlirOperationGetBlock(dot.op)))
    return -1;
  yield = mlirBlockGetTerminator(mlirOperationGetBlock(dot.op));
  const intptr_t i = mlirBlockArgumentGetArgNumber(c) - 1;
  return mlirOperationEqual(tileValueOnlyUser(d), yield) &&
                 mlirValueEqual(mlirOperationGetOperand(yield, i), d)
             ? i
             : -1;
}

/* Carries value i transposed; its users behind the loop see it as it was. */
static void carryTurned(TileBuilder b, MlirLocation loc, MlirOperation op, intptr_t i) {
  SCFForOp loop = scfForOpCast(op);
  MlirValue result = mlirOperationGetResult(op, i);
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  mlirRewriterBaseSetInsertionPointBefore(b, op);
  mlirOperationSetOperand(op, 3 + i, turned(b, loc, scfForOpGetInitArgs(loop, i)));
  MlirType type = turnedType(mlirValueGetType(result));
  mlirValueSetType(result, type);
  mlirValueSetType(mlirBlockGetArgument(body, i + 1), type);
  mlirRewriterBaseSetInsertionPointAfter(b, op);
  MlirValue outside = turned(b, loc, result);
  mlirValueReplaceAllUsesExcept(result, outside, 1, (MlirOperation[]){tileValueGetDefiningOp(outside)});
}

TileDotOp tileExchangeFactors(TileBuilder b, TileDotOp dot) {
  MlirLocation loc = mlirOperationGetLocation(dot.op);
  MlirValue d = tileDotOpGetResult(dot), c = tileDotOpGetC(dot);
  const intptr_t carried = carriedFor(dot);
  MlirType type = turnedType(mlirValueGetType(d));
  if (carried >= 0)
    carryTurned(b, loc, mlirBlockGetParentOperation(mlirOperationGetBlock(dot.op)), carried);
  mlirRewriterBaseSetInsertionPointBefore(b, dot.op);
  MlirValue first = turned(b, loc, tileDotOpGetB(dot)), second = turned(b, loc, tileDotOpGetA(dot));
  MlirValue sum = carried >= 0 ? c : turned(b, loc, c);
  TileDotOp made = tileDotOpCreate(b, loc, type, first, second, sum, tileDotOpGetPrecisionAttr(dot),
                                   tileDotOpGetImpreciseAccAttr(dot));
  MlirValue result = tileDotOpGetResult(made);
  mlirValueReplaceAllUsesOfWith(d, carried >= 0 ? result : turned(b, loc, result));
  mlirRewriterBaseEraseOp(b, dot.op);
  return made;
}

// ---- Blocks ----

static void bring(TileBuilder b, MlirValue v, int64_t size, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  TileDescLoadOp load = tileDescLoadOpCast(op);
  if (!op.ptr || depth > MAX_DEPTH || !tileTypeIsTensor(mlirValueGetType(v)) ||
      tileTypeNumElements(mlirValueGetType(v)) != size)
    return;
  if (tileDescLoadOpIsNull(load)) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      bring(b, mlirOperationGetOperand(op, i), size, depth + 1);
    return;
  }
  mlirRewriterBaseSetInsertionPointBefore(b, op);
  MlirValue buffer = tileTmaBufferFor(b, load, 1);
  if (!buffer.ptr)
    return;
  MlirValue read = tileGPULocalLoadOpGetResult(
      tileGPULocalLoadOpCreate(b, mlirOperationGetLocation(op), mlirValueGetType(v), buffer));
  mlirValueReplaceAllUsesOfWith(v, read);
  mlirRewriterBaseEraseOp(b, op);
}

void tileBringWidened(TileBuilder b, MlirValue factor) {
  bring(b, factor, tileTypeNumElements(mlirValueGetType(factor)), 0);
}
