/* TensorMaps.c - recipes of tensor maps from descriptors that are parameters (include/tile-c/TensorMap.h). */
#include "TensorMaps.h"
#include "Boxes.h"
#include "MemoryRoots.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/OpKind.h"
#include "tile-c/SeparateMemory.h"
#include "tile-c/TensorMap.h"

enum { MAX_BOX = 256, MAX_MAPS = 64, VECTOR_BYTES = 128 /* alignment of copies */, MAX_MEMBERS = 16 };

/* What a recipe takes from a descriptor: numbers of launch values and their factors, outermost dimension first. */
typedef struct Parts {
  MlirOperation function;
  int32_t base, rank;
  TileMapNumber sizes[TILE_MAX_RANK], strides[TILE_MAX_RANK];
  bool isChecked; ///< the kernel does without the map where it cannot be made
  bool isStored;  ///< what comes of the copies is a store
  int32_t apart; ///< every so many-th row is in one map, of rows that start at any element; 0: all are in one
  int32_t row;   ///< the first of those
} Parts;

static TileMapNumber valueAt(int32_t position) { return (TileMapNumber){.param = position, .factor = 1}; }

static bool numberOfValue(MlirValue v, TileMapNumber *out) {
  TileHostNumber n;
  if (!tileHostNumberOf(v, &n))
    return false;
  *out = (TileMapNumber){.param = n.count ? tileLaunchValueOf(n.params[0]) : -1, .factor = n.factor};
  for (int i = 1; i < n.count; ++i)
    out->more[out->numMore++] = tileLaunchValueOf(n.params[i]);
  return true;
}

static bool partsOfMade(TileMakeDescOp make, Parts *out) {
  MlirValue base = tileBoxParameter(tileMakeDescOpGetBase(make));
  const intptr_t rank = tileMakeDescOpGetNumShape(make);
  int64_t unit;
  if (!base.ptr || rank > TILE_MAX_RANK || tileMakeDescOpGetPadding(make) != TilePadding_Zero ||
      !tileValueConstantInt(tileMakeDescOpGetStrides(make, rank - 1), &unit) || unit != 1)
    return false;
  *out = (Parts){.function = mlirBlockGetParentOperation(tileValueGetBlock(base)),
                 .base = tileLaunchValueOf(base),
                 .rank = (int32_t)rank};
  out->isChecked = mlirOperationGetDiscardableAttributeByName(make.op, tileStr("tile_gpu.checked")).ptr;
  for (intptr_t d = 0; d < rank; ++d)
    if (!numberOfValue(tileMakeDescOpGetShape(make, d), &out->sizes[d]) ||
        !numberOfValue(tileMakeDescOpGetStrides(make, d), &out->strides[d]))
      return false;
  return true;
}

static bool partsOf(MlirValue desc, Parts *out) {
  TileMakeDescOp make = tileMakeDescOpCast(tileValueGetDefiningOp(desc));
  const intptr_t rank = tileDescTypeGetNumShape(mlirValueGetType(desc));
  if (!tileMakeDescOpIsNull(make))
    return tileDescriptorIsFormed(desc) && partsOfMade(make, out);
  if (!mlirValueIsABlockArgument(desc) || rank > TILE_MAX_RANK)
    return false;
  *out = (Parts){.function = mlirBlockGetParentOperation(tileValueGetBlock(desc)),
                 .base = tileLaunchValueOf(desc),
                 .rank = (int32_t)rank};
  for (int32_t d = 0; d < out->rank; ++d) {
    out->sizes[d] = valueAt(out->base + 1 + d);
    out->strides[d] = valueAt(out->base + 1 + out->rank + d);
  }
  return true;
}

// ---- Where blocks begin ----

static const char startName[] = "tile_gpu.any_start";

/* The innermost coordinate; null if the op accesses no block. */
static MlirValue startOf(MlirOperation access) {
  switch (tileOpKind(access)) {
  case TileOp_Tile_DescLoad: {
    TileDescLoadOp load = tileDescLoadOpCast(access);
    return tileDescLoadOpGetCoords(load, tileDescLoadOpGetNumCoords(load) - 1);
  }
  case TileOp_Tile_DescStore: {
    TileDescStoreOp store = tileDescStoreOpCast(access);
    return tileDescStoreOpGetCoords(store, tileDescStoreOpGetNumCoords(store) - 1);
  }
  case TileOp_Tile_DescReduce: {
    TileDescReduceOp reduce = tileDescReduceOpCast(access);
    return tileDescReduceOpGetCoords(reduce, tileDescReduceOpGetNumCoords(reduce) - 1);
  }
  default:
    return (MlirValue){NULL};
  }
}

bool tileBlockStartFits(const TileAxisInfo *info, MlirOperation access) {
  enum { Granule = 16 };
  MlirType desc = mlirValueGetType(mlirOperationGetOperand(access, 0));
  const int64_t bytes = (int64_t)tileElementTypeSize(tileElementTypeOf(tileDescTypeGetElementType(desc)));
  return tileAxisInfoGet(info, startOf(access), 0).divisibility * bytes % Granule == 0;
}

static MlirWalkResult markStart(MlirOperation op, void *user) {
  if (startOf(op).ptr && mlirValueIsABlockArgument(mlirOperationGetOperand(op, 0)) &&
      !tileBlockStartFits(user, op))
    mlirOperationSetDiscardableAttributeByName(op, tileStr(startName),
                                               mlirUnitAttrGet(mlirOperationGetContext(op)));
  return MlirWalkResultAdvance;
}

void tileMarkBlockStarts(const TileAxisInfo *info, MlirOperation function) {
  mlirOperationWalk(function, markStart, (void *)info, MlirWalkPreOrder);
}

bool tileBlockStartIsMarked(MlirOperation access) {
  return mlirOperationGetDiscardableAttributeByName(access, tileStr(startName)).ptr != NULL;
}

// ---- Recipes ----

/* The members of numbers, outermost first, as arrays innermost first; without what all of them lack. */
static intptr_t appendNumbers(MlirContext context, const TileMapNumber *numbers, int32_t n,
                              const char *const names[3], MlirNamedAttribute *out) {
  int32_t params[TILE_MAX_RANK], more[TileMapNumber_MostMore * TILE_MAX_RANK];
  int64_t factors[TILE_MAX_RANK];
  bool hasFactors = false, hasMore = false;
  for (int32_t d = 0; d < n; ++d) {
    const TileMapNumber *one = &numbers[n - 1 - d];
    params[d] = one->param;
    factors[d] = one->factor;
    hasFactors |= one->factor != 1;
    hasMore |= one->numMore > 0;
    for (int k = 0; k < TileMapNumber_MostMore; ++k)
      more[TileMapNumber_MostMore * d + k] = k < one->numMore ? one->more[k] : -1;
  }
  intptr_t count = 0;
  out[count++] = tileNamedAttr(context, names[0], mlirDenseI32ArrayGet(context, n, params));
  if (hasFactors)
    out[count++] = tileNamedAttr(context, names[1], mlirDenseI64ArrayGet(context, n, factors));
  if (hasMore)
    out[count++] =
        tileNamedAttr(context, names[2], mlirDenseI32ArrayGet(context, TileMapNumber_MostMore * n, more));
  return count;
}

/* The box is innermost dimension first. */
static MlirAttribute recipe(MlirContext context, const Parts *p, MlirType element, const int32_t *box,
                            int32_t swizzle) {
  static const char *const sizes[3] = {"sizes", "size_factors", "size_more"}, *const strides[3] = {
                                                                                  "strides", "stride_factors",
                                                                                  "stride_more"};
  MlirNamedAttribute members[MAX_MEMBERS] = {
      tileNamedAttr(context, "base", tileI32Attr(context, p->base)),
      tileNamedAttr(context, "element", mlirTypeAttrGet(element)),
      tileNamedAttr(context, "box", mlirDenseI32ArrayGet(context, p->rank, box)),
      tileNamedAttr(context, "swizzle", tileI32Attr(context, swizzle)),
  };
  intptr_t n = 4;
  n += appendNumbers(context, p->sizes, p->rank, sizes, members + n);
  n += appendNumbers(context, p->strides, p->rank - 1, strides, members + n);
  if (p->isChecked)
    members[n++] = tileNamedAttr(context, "checked", mlirUnitAttrGet(context));
  else if (p->isStored)
    members[n++] = tileNamedAttr(context, "stored", mlirUnitAttrGet(context));
  if (p->apart) {
    members[n++] = tileNamedAttr(context, "apart", tileI32Attr(context, p->apart));
    members[n++] = tileNamedAttr(context, "row", tileI32Attr(context, p->row));
  }
  return mlirDictionaryAttrGet(context, n, members);
}

/* The number of the recipe among the function's, where it is added if it is new or wanted apart; -1: there are too many. */
static int numberOf(MlirOperation function, MlirAttribute wanted, bool apart) {
  MlirAttribute all[MAX_MAPS], old = tileTensorMapList(function);
  const intptr_t n = tileTensorMapCount(function);
  for (intptr_t i = 0; i < n; ++i) {
    all[i] = mlirArrayAttrGetElement(old, i);
    if (!apart && mlirAttributeEqual(all[i], wanted))
      return (int)i;
  }
  if (n == MAX_MAPS)
    return -1;
  all[n] = wanted;
  tileTensorMapSetList(function, mlirArrayAttrGet(mlirOperationGetContext(function), n + 1, all));
  return (int)n;
}

/* The buffer for a block, and how its rows are swizzled. */
static bool bufferFor(MlirType element, MlirType block, int64_t shape[3], MlirType *out_buffer,
                      TileMemDesc *d, TileWarpGroupFactor *factor) {
  if (tileTypeGetShape(block, shape, 3) != 2 || shape[0] > MAX_BOX)
    return false;
  *out_buffer = tileWarpGroupBufferType(element, shape, 1);
  return out_buffer->ptr && tileMemDescOf(*out_buffer, d) && tileWarpGroupFactorOf(d, 1, factor);
}

bool tileTensorMapTakes(MlirType block) {
  int64_t shape[3];
  MlirType buffer;
  TileMemDesc d;
  TileWarpGroupFactor factor;
  return bufferFor(tileTypeGetElement(block), block, shape, &buffer, &d, &factor);
}

int tileTensorMapFor(MlirValue desc, MlirType block, TileTensorMapUse use, MlirType *out_buffer) {
  MlirType element = tileDescTypeGetElementType(mlirValueGetType(desc));
  int64_t shape[3];
  Parts parts = {.base = 0};
  TileMemDesc d;
  TileWarpGroupFactor factor;
  if (!partsOf(desc, &parts) || parts.rank < 2 || tileOpKind(parts.function) != TileOp_Func_Func ||
      !bufferFor(element, block, shape, out_buffer, &d, &factor))
    return -1;
  int32_t box[TILE_MAX_RANK] = {factor.swizzleBytes / d.elementBytes, (int32_t)shape[0]};
  for (int32_t k = 2; k < parts.rank; ++k)
    box[k] = 1;
  parts.isStored = use == TileTensorMapUse_Store;
  return numberOf(parts.function,
                  recipe(mlirOperationGetContext(parts.function), &parts, element, box, factor.swizzleBytes),
                  use != TileTensorMapUse_Load);
}

int64_t tileRowsApart(MlirValue desc) {
  TileMakeDescOp make = tileMakeDescOpCast(tileValueGetDefiningOp(desc));
  return tileMakeDescOpIsNull(make) ? 0 : tileGetIntAttr(make.op, "tile_gpu.apart", 0);
}

/* The buffer for a block of rows that come apart, and the columns of a box without the 16 bytes more. */
static int64_t apartBufferFor(MlirType block, TileSharedLayout *out, int64_t *out_columns) {
  enum { Granule = 16 };
  const int32_t bytes = (int32_t)tileElementTypeSize(tileElementTypeOf(block));
  int64_t shape[3];
  const int64_t apart = bytes ? Granule / bytes : 0;
  return tileTypeGetShape(block, shape, 3) == 2 && apart && shape[0] / apart <= MAX_BOX &&
                 tileSharedApart(shape, bytes, apart, out, out_columns)
             ? apart
             : 0;
}

int64_t tileTensorMapTakesApart(MlirType block) {
  TileSharedLayout layout;
  int64_t columns;
  return tileTensorMapTakes(block) ? apartBufferFor(block, &layout, &columns) : 0;
}

/* Maps of rows that start alike, one after the other; the first one's number. */
static int mapsApart(MlirValue desc, MlirType block, MlirType *out_buffer) {
  MlirContext context = mlirTypeGetContext(block);
  MlirType element = tileTypeGetElement(block);
  TileSharedLayout layout;
  Parts parts = {.base = 0};
  int64_t columns, apart = apartBufferFor(block, &layout, &columns);
  if (!apart || apart != tileRowsApart(desc) || !partsOf(desc, &parts) || parts.rank < 2)
    return -1;
  int32_t box[TILE_MAX_RANK] = {(int32_t)(columns + apart),
                                (int32_t)(mlirShapedTypeGetDimSize(block, 0) / apart)};
  for (int32_t k = 2; k < parts.rank; ++k)
    box[k] = 1;
  *out_buffer = tileMemDescTypeFor(element, &layout, VECTOR_BYTES, 0);
  int first = -1;
  parts.apart = (int32_t)apart;
  for (; parts.row < parts.apart; ++parts.row) { // all of them are there, or none
    const int number = numberOf(parts.function, recipe(context, &parts, element, box, 0), false);
    first = parts.row ? first : number;
    if (number < 0)
      return -1;
  }
  return first;
}

/* The same for vectors, which are whole lines: buffers of a ring then stay aligned. */
static int vectorMapFor(MlirValue desc, MlirType vector, MlirType *out_buffer) {
  MlirType element = tileDescTypeGetElementType(mlirValueGetType(desc));
  const TileElementType kind = tileElementTypeOf(element);
  const int64_t n = tileTypeNumElements(vector);
  const int32_t order[1] = {0}, box[1] = {(int32_t)n};
  TileSharedLayout layout;
  if (!mlirValueIsABlockArgument(desc) || tileDescTypeGetNumShape(mlirValueGetType(desc)) != 1 ||
      (kind != TileElementType_F16 && kind != TileElementType_BF16 && kind != TileElementType_F32) ||
      n > MAX_BOX || n * (int64_t)tileElementTypeSize(kind) % VECTOR_BYTES ||
      !tileSharedPlain(&n, 1, order, &layout))
    return -1;
  MlirOperation function = mlirBlockGetParentOperation(tileValueGetBlock(desc));
  if (tileOpKind(function) != TileOp_Func_Func)
    return -1;
  Parts parts;
  if (!partsOf(desc, &parts))
    return -1;
  *out_buffer = tileMemDescTypeFor(element, &layout, VECTOR_BYTES, 0);
  return numberOf(function, recipe(mlirOperationGetContext(function), &parts, element, box, 0), false);
}

bool tileTensorMapShorten(MlirOperation function, intptr_t map, int parts) {
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute all = tileTensorMapList(function), maps[MAX_MAPS];
  const intptr_t n = tileTensorMapCount(function);
  if (n > MAX_MAPS)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    maps[i] = mlirArrayAttrGetElement(all, i);
  MlirNamedAttribute members[16];
  const intptr_t count = mlirDictionaryAttrGetNumElements(maps[map]);
  for (intptr_t i = 0; i < count && i < 16; ++i) {
    members[i] = mlirDictionaryAttrGetElement(maps[map], i);
    if (!mlirStringRefEqual(mlirIdentifierStr(members[i].name), tileStr("box")))
      continue;
    const intptr_t rank = mlirDenseArrayGetNumElements(members[i].attribute);
    int32_t box[TILE_MAX_RANK];
    for (intptr_t d = 0; d < rank && d < TILE_MAX_RANK; ++d)
      box[d] = mlirDenseI32ArrayGetElement(members[i].attribute, d) / (d == 1 ? parts : 1);
    members[i].attribute = mlirDenseI32ArrayGet(context, rank, box);
  }
  maps[map] = mlirDictionaryAttrGet(context, count, members);
  tileTensorMapSetList(function, mlirArrayAttrGet(context, n, maps));
  return true;
}

MlirType tileBlockMatrix(MlirType block) {
  const int64_t rank = mlirShapedTypeGetRank(block);
  for (int64_t d = 0; d + 2 < rank; ++d)
    if (mlirShapedTypeGetDimSize(block, d) != 1)
      return (MlirType){NULL};
  if (rank < 2)
    return (MlirType){NULL};
  const int64_t shape[2] = {mlirShapedTypeGetDimSize(block, rank - 2),
                            mlirShapedTypeGetDimSize(block, rank - 1)};
  return mlirRankedTensorTypeGet(2, shape, tileTypeGetElement(block), (MlirAttribute){NULL});
}

/* Blocks of one map and type that are there at the same time have rings of their own (tile-gpu-warp-specialize): how many of them stand
 * in front of the copy, in its block. */
static void numberRing(MlirOperation copy) {
  MlirContext context = mlirOperationGetContext(copy);
  MlirType type = mlirValueGetType(mlirOperationGetResult(copy, 0));
  int64_t before = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(copy)); op.ptr != copy.ptr;
       op = mlirOperationGetNextInBlock(op))
    before += tileOpKind(op) == TileOp_TileGPU_TmaAlloc &&
              mlirAttributeEqual(tileGPUTmaAllocOpGetMapAttr(tileGPUTmaAllocOpCast(op)),
                                 tileGPUTmaAllocOpGetMapAttr(tileGPUTmaAllocOpCast(copy))) &&
              mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), type);
  if (before)
    mlirOperationSetDiscardableAttributeByName(copy, tileStr("tile_gpu.ring"), tileI32Attr(context, before));
}

void tileTmaShareLike(MlirOperation from, MlirOperation to) {
  const char *names[] = {"tile_gpu.multicast", "tile_gpu.multicast_stride"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    MlirAttribute value = mlirOperationGetDiscardableAttributeByName(from, tileStr(names[i]));
    if (value.ptr)
      mlirOperationSetDiscardableAttributeByName(to, tileStr(names[i]), value);
  }
}

MlirValue tileTmaBufferFor(TileBuilder b, TileDescLoadOp load, int kDim) {
  MlirType buffer, block = tileBlockMatrix(mlirValueGetType(tileDescLoadOpGetResult(load)));
  MlirContext context = mlirOperationGetContext(load.op);
  const MlirAttribute none = {NULL};
  const intptr_t rank = tileDescLoadOpGetNumCoords(load);
  if (!block.ptr || rank > TILE_MAX_RANK || tileBlockStartIsMarked(load.op) ||
      (kDim != 1 && tileElementTypeSize(tileElementTypeOf(block)) != 2) ||
      !tileDescriptorIsReadOnly(tileDescLoadOpGetDesc(load)) || tileRowsApart(tileDescLoadOpGetDesc(load)))
    return (MlirValue){NULL};
  const int64_t blocks = tileGetIntAttr(load.op, "tile_gpu.multicast", 1);
  const int map = tileTensorMapFor(tileDescLoadOpGetDesc(load), block,
                                   blocks > 1 ? TileTensorMapUse_LoadApart : TileTensorMapUse_Load, &buffer);
  if (map < 0)
    return (MlirValue){NULL};
  tileAssumeDescriptorSeparate(tileDescLoadOpGetDesc(load), false);
  MlirValue coordinates[TILE_MAX_RANK];
  for (intptr_t d = 0; d < rank; ++d)
    coordinates[d] = tileDescLoadOpGetCoords(load, d);
  TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCreate(b, mlirOperationGetLocation(load.op), buffer, rank,
                                                    coordinates, tileI32Attr(context, map), none);
  if (blocks > 1)
    tileTmaShareLike(load.op, alloc.op);
  numberRing(alloc.op);
  return tileGPUTmaAllocOpGetResult(alloc);
}

MlirValue tileTmaApartBufferFor(TileBuilder b, TileDescLoadOp load) {
  MlirType buffer, block = tileBlockMatrix(mlirValueGetType(tileDescLoadOpGetResult(load)));
  MlirValue desc = tileDescLoadOpGetDesc(load), coordinates[TILE_MAX_RANK];
  const intptr_t rank = tileDescLoadOpGetNumCoords(load);
  if (!block.ptr || rank > TILE_MAX_RANK || !tileDescriptorIsReadOnly(desc))
    return (MlirValue){NULL};
  const int map = mapsApart(desc, block, &buffer);
  if (map < 0)
    return (MlirValue){NULL};
  tileAssumeDescriptorSeparate(desc, false);
  for (intptr_t d = 0; d < rank; ++d)
    coordinates[d] = tileDescLoadOpGetCoords(load, d);
  MlirContext context = mlirOperationGetContext(load.op);
  TileGPUTmaAllocOp alloc =
      tileGPUTmaAllocOpCreate(b, mlirOperationGetLocation(load.op), buffer, rank, coordinates,
                              tileI32Attr(context, map), tileI32Attr(context, tileRowsApart(desc)));
  numberRing(alloc.op);
  return tileGPUTmaAllocOpGetResult(alloc);
}

MlirValue tileTmaVectorBufferFor(TileBuilder b, TileDescLoadOp load) {
  MlirValue desc = tileDescLoadOpGetDesc(load), coordinate = tileDescLoadOpGetCoords(load, 0);
  MlirType buffer;
  MlirContext context = mlirOperationGetContext(load.op);
  const int map = tileDescriptorIsReadOnly(desc) && !tileBlockStartIsMarked(load.op)
                      ? vectorMapFor(desc, mlirValueGetType(tileDescLoadOpGetResult(load)), &buffer)
                      : -1;
  if (map < 0)
    return (MlirValue){NULL};
  tileAssumeDescriptorSeparate(desc, false);
  return tileGPUTmaAllocOpGetResult(tileGPUTmaAllocOpCreate(b, mlirOperationGetLocation(load.op), buffer, 1,
                                                            &coordinate, tileI32Attr(context, map),
                                                            (MlirAttribute){NULL}));
}
