/* FormBlocks.c - a load or store through pointers that is a box becomes one of a block of a descriptor.
 *
 *   %x = tile.load (box of 128x64 at [%m0, %k], the matrix that starts %b * %s behind %a)
 * becomes
 *   %d = tile.make_desc %a shape [.., %M, %K] strides [%s, %ld, 1] : !tile.desc<1x128x64xf16>    // at the start of the kernel
 *   %y = tile.desc_load %d[%b, %m0, %k];  %x = tile.reshape %y */
#include "FormBlocks.h"
#include "FormConditions.h"
#include "FormMade.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Support/PointerMap.h"

MlirType tileFormedBlockType(const TileBox *box, MlirType type) {
  const int64_t shape[2] = {box->dims[!box->unit].length, box->dims[box->unit].length};
  return mlirRankedTensorTypeGet(2, shape, tileTypeGetElement(type), (MlirAttribute){NULL});
}

static MlirValue constant(const TileFormSite *f, MlirLocation loc, unsigned bits, int64_t n) {
  MlirType type = mlirIntegerTypeGet(mlirLocationGetContext(loc), bits);
  return tileCreateInteger(f->b, loc, type, n);
}

static MlirValue strideOf(const TileFormSite *f, MlirLocation loc, MlirValue stride, int64_t factor) {
  MlirType i64 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 64);
  if (!stride.ptr)
    return constant(f, loc, 64, factor);
  stride = tileHostNumberAgain(f->b, stride);
  if (tileElementTypeOf(mlirValueGetType(stride)) != TileElementType_I64)
    stride = arithExtSIOpGetOut(arithExtSIOpCreate(f->b, loc, i64, stride));
  return factor == 1 ? stride
                     : tileCreateOp2(f->b, loc, TileOp_Arith_MulI, stride, constant(f, loc, 64, factor));
}

/* The block with the dimensions in front of it in which it has one element. */
static MlirType fullType(const TileBox *box, MlirType block) {
  int64_t shape[2 + TileBox_MostExtra];
  for (int i = 0; i < box->numExtra; ++i)
    shape[i] = 1;
  tileTypeGetShape(block, shape + box->numExtra, 2);
  return box->numExtra ? mlirRankedTensorTypeGet(2 + box->numExtra, shape, tileTypeGetElement(block),
                                                 (MlirAttribute){NULL})
                       : block;
}

static MlirValue reshaped(const TileFormSite *f, MlirLocation loc, MlirType type, MlirValue v) {
  return mlirTypeEqual(type, mlirValueGetType(v))
             ? v
             : tileReshapeOpGetResult(tileReshapeOpCreate(f->b, loc, type, v, (MlirAttribute){NULL}));
}

void tileMarkFormed(MlirOperation make, bool isLoaded, bool isChecked) {
  MlirContext context = mlirOperationGetContext(make);
  mlirOperationSetDiscardableAttributeByName(
      make, tileStr("tile_gpu.formed"), mlirStringAttrGet(context, tileStr(isLoaded ? "loaded" : "stored")));
  if (isChecked)
    mlirOperationSetDiscardableAttributeByName(make, tileStr("tile_gpu.checked"), mlirUnitAttrGet(context));
}

/* A descriptor at the start of the kernel, its neighbours along the last dimension. */
static MlirValue makeDescriptor(const TileFormSite *f, MlirOperation op, const TileBox *box, MlirType block,
                                bool isChecked) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirContext context = mlirLocationGetContext(loc);
  const int order[2] = {!box->unit, box->unit}, rank = 2 + box->numExtra;
  MlirValue shape[2 + TileBox_MostExtra], strides[2 + TileBox_MostExtra];
  int64_t sizes[2 + TileBox_MostExtra];
  tileTypeGetShape(fullType(box, block), sizes, rank);
  mlirRewriterBaseSetInsertionPointToStart(f->b, f->entry);
  for (int i = 0; i < box->numExtra; ++i) {
    shape[i] = constant(f, loc, 32, TileBox_Unbounded);
    strides[i] = strideOf(f, loc, box->extra[i].stride, box->extra[i].factor);
  }
  for (int i = 0; i < 2; ++i) {
    const TileBoxDim *dim = &box->dims[order[i]];
    shape[box->numExtra + i] = dim->bound.ptr ? dim->bound : constant(f, loc, 32, dim->size);
    strides[box->numExtra + i] = strideOf(f, loc, dim->stride, dim->factor);
  }
  MlirType type = tileDescTypeGet(context, rank, sizes, tileTypeGetElement(block), (MlirAttribute){NULL});
  TileMakeDescOp make =
      tileMakeDescOpCreate(f->b, loc, type, box->base, rank, shape, rank, strides, (MlirAttribute){NULL});
  tileMarkFormed(make.op, tileOpKind(op) == TileOp_Tile_Load, isChecked);
  if (box->apart)
    mlirOperationSetDiscardableAttributeByName(make.op, tileStr("tile_gpu.apart"),
                                               tileI32Attr(context, box->apart));
  return tileMakeDescOpGetResult(make);
}

static MlirValue turned(const TileFormSite *f, MlirLocation loc, MlirType type, MlirValue v) {
  static const int32_t order[2] = {1, 0};
  return tileTransOpGetResult(
      tileTransOpCreate(f->b, loc, type, v, mlirDenseI32ArrayGet(mlirLocationGetContext(loc), 2, order)));
}

static void replaceLoad(const TileFormSite *f, TileLoadOp load, const TileBox *box, MlirValue desc,
                        MlirType block, const MlirValue *coordinates) {
  MlirLocation loc = mlirOperationGetLocation(load.op);
  MlirValue old = tileLoadOpGetResult(load);
  MlirValue v = tileDescLoadOpGetResult(
      tileDescLoadOpCreate(f->b, loc, fullType(box, block), desc, 2 + box->numExtra, coordinates,
                           tileLoadOpGetCacheAttr(load), tileLoadOpGetEvictAttr(load)));
  v = reshaped(f, loc, block, v);
  if (box->unit == 1) {
    mlirValueReplaceAllUsesOfWith(old, v);
    return;
  }
  MlirValue back = {NULL};
  while (!mlirOpOperandIsNull(mlirValueGetFirstUse(old))) {
    MlirOpOperand use = mlirValueGetFirstUse(old);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpKind(user) == TileOp_Tile_Trans) {
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(user, 0), v);
      mlirRewriterBaseEraseOp(f->b, user);
      continue;
    }
    if (!back.ptr)
      back = turned(f, loc, mlirValueGetType(old), v);
    mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), back);
  }
}

void tileFormBlock(const TileFormSite *f, MlirOperation access, const TileBox *box, bool isChecked) {
  if (box->made.ptr) {
    tileFormMade(f, access, box, isChecked);
    return;
  }
  MlirLocation loc = mlirOperationGetLocation(access);
  TileStoreOp store = tileStoreOpCast(access);
  MlirType type = mlirValueGetType(tileStoreOpIsNull(store) ? mlirOperationGetResult(access, 0)
                                                            : tileStoreOpGetValue(store));
  MlirType block = tileFormedBlockType(box, type);
  MlirValue desc = makeDescriptor(f, access, box, block, isChecked), coordinates[2 + TileBox_MostExtra];
  mlirRewriterBaseSetInsertionPointBefore(f->b, access);
  for (int i = 0; i < box->numExtra; ++i)
    coordinates[i] = tileSumEmit(f->b, loc, &box->extra[i].start);
  coordinates[box->numExtra] = tileSumEmit(f->b, loc, &box->dims[!box->unit].start);
  coordinates[box->numExtra + 1] = tileSumEmit(f->b, loc, &box->dims[box->unit].start);
  if (tileStoreOpIsNull(store))
    replaceLoad(f, tileLoadOpCast(access), box, desc, block, coordinates);
  else
    tileDescStoreOpCreate(f->b, loc, desc, 2 + box->numExtra, coordinates,
                          reshaped(f, loc, fullType(box, block), tileStoreOpGetValue(store)));
  TilePointerMap gone = {.arena = f->arena};
  MlirValue pointers = tilePointerAccessOf(access).ptr, mask = tilePointerAccessOf(access).mask;
  mlirRewriterBaseEraseOp(f->b, access);
  MlirOperation makers[2] = {tileValueGetDefiningOp(pointers),
                             mask.ptr ? tileValueGetDefiningOp(mask) : (MlirOperation){NULL}};
  for (int i = 0; i < 2; ++i)
    if (makers[i].ptr && !tilePointerMapFind(&gone, makers[i].ptr))
      tileEraseUnused(f->b, &gone, makers[i]);
}

void tileSplitBlock(TileBuilder b, MlirLocation loc, MlirBlock block, MlirValue ok, MlirBlock out_arms[2]) {
  MlirOperation end = mlirBlockGetTerminator(block);
  mlirRewriterBaseSetInsertionPointAfter(b, tileValueGetDefiningOp(ok));
  SCFIfOp branch = scfIfOpCreate(b, loc, 0, NULL, ok);
  mlirRewriterBaseSetInsertionPointToEnd(b, tileRegionAddBlock(scfIfOpGetThenRegion(branch)));
  MlirOperation yield = scfYieldOpCreate(b, loc, 0, NULL).op;
  for (MlirOperation op = mlirOperationGetNextInBlock(branch.op), next; !mlirOperationEqual(op, end);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, yield);
  }
  MlirOperation other = mlirOperationClone(branch.op);
  mlirRegionTakeBody(scfIfOpGetElseRegion(branch), mlirOperationGetRegion(other, 0));
  mlirOperationDestroy(other);
  for (int arm = 0; arm < 2; ++arm)
    out_arms[arm] = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch.op, arm));
}
