/* FormMade.c - a descriptor that the kernel makes of its parameters becomes one that the launcher makes.
 *
 *   %y = arith.muli %heads, %n
 *   %d = tile.make_desc %k shape [%y, %c64] strides [%c64, %c1] : !tile.desc<128x64xf16>
 *   ... %x = tile.desc_load %d[%i, %zero]
 * becomes
 *   %y = arith.muli %heads, %n                                   // again, at the start of the kernel
 *   %d = tile.make_desc %k shape [%y, %c64] ... {tile_gpu.formed = "loaded", tile_gpu.checked}
 *   ... %x = tile.desc_load %d[%i, %zero]
 *
 * Sizes and strides are products of parameters and constants, which the launcher computes in 64 bits: the kernel's version with
 * this descriptor runs only where they are positive and its own numbers do not wrap around. Coordinates are any. */
#include "FormMade.h"
#include "BoxSums.h"
#include "FormRanges.h"
#include "MemoryRoots.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/OpKind.h"

#define MOST_NUMBER (INT64_C(1) << 40) /* of 64 bits: what the copy engine takes for a stride, in bytes */

static TileMakeDescOp makerOf(MlirOperation access) {
  return tileMakeDescOpCast(tileValueGetDefiningOp(mlirOperationGetOperand(access, 0)));
}

static bool isStore(MlirOperation access) { return tileOpKind(access) == TileOp_Tile_DescStore; }

bool tileIsMadeAccess(MlirOperation access) {
  return (tileOpKind(access) == TileOp_Tile_DescLoad || isStore(access)) && makerOf(access).op.ptr &&
         !tileDescriptorIsFormed(mlirOperationGetOperand(access, 0));
}

static bool areHostNumbers(TileMakeDescOp make) {
  TileHostNumber n;
  for (intptr_t d = 0; d < tileMakeDescOpGetNumShape(make); ++d)
    if (!tileHostNumberOf(tileMakeDescOpGetShape(make, d), &n) ||
        !tileHostNumberOf(tileMakeDescOpGetStrides(make, d), &n))
      return false;
  return true;
}

const char *tileMadeBoxOf(MlirOperation access, TileBox *out) {
  TileMakeDescOp make = makerOf(access);
  MlirValue block = isStore(access) ? tileDescStoreOpGetValue(tileDescStoreOpCast(access))
                                    : mlirOperationGetResult(access, 0);
  int64_t shape[3], unit;
  *out = (TileBox){.made = make.op, .base = tileBoxParameter(tileMakeDescOpGetBase(make)), .unit = 1};
  if (tileTypeGetShape(mlirValueGetType(block), shape, 3) != 2 || tileMakeDescOpGetNumShape(make) != 2)
    return "its descriptor is of no matrix";
  out->stores = isStore(access);
  out->elementBytes = (int64_t)tileElementTypeSize(tileElementTypeOf(mlirValueGetType(block)));
  for (int d = 0; d < 2; ++d)
    out->dims[d].length = shape[d];
  if (!out->base.ptr)
    return "its descriptor does not start at a parameter";
  if (tileMakeDescOpGetPadding(make) != TilePadding_Zero)
    return "what lies outside its descriptor is not 0";
  if (!tileValueConstantInt(tileMakeDescOpGetStrides(make, 1), &unit) || unit != 1)
    return "no dimension has stride 1";
  return areHostNumbers(make)
             ? NULL
             : "a size or stride of its descriptor is no product of parameters and constants";
}

// ---- Conditions ----

/* All factors are positive, and the product does not wrap around. */
void tileGuardRequireNumber(TileBoxGuard *g, MlirValue v) {
  v = tileStripExtension(v);
  const bool isNarrow = tileElementTypeOf(mlirValueGetType(v)) == TileElementType_I32;
  MlirOperation op = tileValueGetDefiningOp(v);
  const TileAxis *axis = tileAxisInfoOf(g->info, v);
  if (!op.ptr || tileOpKind(op) != TileOp_Arith_MulI) {
    if (!axis || axis->min < 1)
      tileGuardRequire(g, tileGuardNumber(g, 1), tileGuardWide(g, v));
    if (!isNarrow && (!axis || axis->max > INT32_MAX))
      tileGuardRequire(g, tileGuardWide(g, v), tileGuardNumber(g, INT32_MAX));
    return;
  }
  MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  tileGuardRequireNumber(g, x);
  tileGuardRequireNumber(g, y);
  tileGuardRequire(g, tileGuardTwo(g, TileOp_Arith_MulI, tileGuardWide(g, x), tileGuardWide(g, y)),
                   tileGuardNumber(g, isNarrow ? INT32_MAX : MOST_NUMBER));
}

/* A number of elements is one of whole 16 bytes. */
static void requireWhole(TileBoxGuard *g, MlirValue v, int64_t elementBytes) {
  const int64_t count = 16 / elementBytes;
  if (tileAxisInfoGet(g->info, v, 0).divisibility % count)
    tileGuardRequire(g, tileGuardTwo(g, TileOp_Arith_RemUI, tileGuardWide(g, v), tileGuardNumber(g, count)),
                     tileGuardNumber(g, 0));
}

void tileMadeRequire(TileBoxGuard *g, const TileBox *box) {
  TileMakeDescOp make = tileMakeDescOpCast(box->made);
  for (int d = 0; d < 2; ++d) {
    tileGuardRequireNumber(g, tileMakeDescOpGetShape(make, d));
    tileGuardRequireNumber(g, tileMakeDescOpGetStrides(make, d));
  }
  requireWhole(g, tileMakeDescOpGetStrides(make, 0), box->elementBytes);
  if (box->stores)
    requireWhole(g, tileMakeDescOpGetShape(make, 1), box->elementBytes);
}

// ---- Forming ----

/* A number of the launcher at the insertion point. */
MlirValue tileHostNumberAgain(TileBuilder b, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr)
    return v;
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(clone, i, tileHostNumberAgain(b, mlirOperationGetOperand(op, i)));
  mlirRewriterBaseInsert(b, clone);
  return mlirOperationGetResult(clone, 0);
}

void tileFormMade(const TileFormSite *site, MlirOperation access, const TileBox *box, bool isChecked) {
  mlirRewriterBaseSetInsertionPointToStart(site->b, site->entry);
  MlirOperation make = mlirOperationClone(box->made);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(make); ++i)
    mlirOperationSetOperand(make, i, tileHostNumberAgain(site->b, mlirOperationGetOperand(make, i)));
  mlirRewriterBaseInsert(site->b, make);
  tileMarkFormed(make, !box->stores, isChecked);
  mlirOperationSetOperand(access, 0, mlirOperationGetResult(make, 0));
}

MlirValue tileMadePiece(TileBuilder b, const TileBox *box, MlirOperation load, const int64_t shape[2], int d,
                        MlirValue by) {
  MlirLocation loc = mlirOperationGetLocation(load);
  MlirContext context = mlirLocationGetContext(loc);
  TileMakeDescOp make = tileMakeDescOpCast(box->made);
  MlirType element = tileDescTypeGetElementType(mlirValueGetType(tileMakeDescOpGetResult(make)));
  MlirValue sizes[2], strides[2], coordinates[2];
  for (int i = 0; i < 2; ++i) {
    sizes[i] = tileMakeDescOpGetShape(make, i);
    strides[i] = tileMakeDescOpGetStrides(make, i);
    coordinates[i] = tileDescLoadOpGetCoords(tileDescLoadOpCast(load), i);
  }
  if (by.ptr)
    coordinates[d] = tileCreateOp2(b, loc, TileOp_Arith_AddI, coordinates[d], by);
  MlirType type = tileDescTypeGet(context, 2, shape, element, (MlirAttribute){NULL});
  MlirValue desc = tileMakeDescOpGetResult(tileMakeDescOpCreate(b, loc, type, tileMakeDescOpGetBase(make), 2,
                                                                sizes, 2, strides, (MlirAttribute){NULL}));
  return tileDescLoadOpGetResult(
      tileDescLoadOpCreate(b, loc, mlirRankedTensorTypeGet(2, shape, element, (MlirAttribute){NULL}), desc, 2,
                           coordinates, (MlirAttribute){NULL}, (MlirAttribute){NULL}));
}
