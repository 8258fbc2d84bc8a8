/* TensorMaps.c - recipes of tensor maps from descriptors that are parameters (include/tile-c/TensorMap.h). */
#include "TensorMaps.h"
#include "Boxes.h"
#include "MemoryRoots.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/OpKind.h"
#include "tile-c/SeparateMemory.h"
#include "tile-c/TensorMap.h"

enum { MAX_BOX = 256, MAX_MAPS = 64, VECTOR_BYTES = 128 /* alignment of copies */ };

static MlirNamedAttribute named(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, tileStr(name)), value);
}

/* What a recipe takes from a descriptor: numbers of launch values and their factors, outermost dimension first. */
typedef struct Parts {
  MlirOperation function;
  int32_t base, sizes[2], stride;
  int64_t sizeFactors[2], strideFactor;
  bool isChecked; ///< the kernel does without the map where it cannot be made
  bool isStored;  ///< what comes of the copies is a store
} Parts;

/* A parameter, extended or not, or a constant, or a product of both. */
static bool numberOfValue(MlirValue v, int32_t *out_param, int64_t *out_factor) {
  MlirOperation op = tileValueGetDefiningOp(v);
  *out_factor = 1;
  if (op.ptr && tileOpKind(op) == TileOp_Arith_MulI) {
    if (!tileValueConstantInt(mlirOperationGetOperand(op, 1), out_factor))
      return false;
    v = mlirOperationGetOperand(op, 0);
  }
  MlirValue parameter = tileBoxParameter(v);
  *out_param = parameter.ptr ? tileLaunchValueOf(parameter) : -1;
  return parameter.ptr || (*out_factor == 1 && tileValueConstantInt(v, out_factor));
}

static bool partsOfMade(TileMakeDescOp make, Parts *out) {
  MlirValue base = tileBoxParameter(tileMakeDescOpGetBase(make));
  int64_t unit;
  if (!base.ptr || tileMakeDescOpGetNumShape(make) != 2 ||
      tileMakeDescOpGetPadding(make) != TilePadding_Zero ||
      !tileValueConstantInt(tileMakeDescOpGetStrides(make, 1), &unit) || unit != 1)
    return false;
  out->base = tileLaunchValueOf(base);
  out->function = mlirBlockGetParentOperation(tileValueGetBlock(base));
  out->isChecked = mlirOperationGetDiscardableAttributeByName(make.op, tileStr("tile_gpu.checked")).ptr;
  return numberOfValue(tileMakeDescOpGetShape(make, 0), &out->sizes[0], &out->sizeFactors[0]) &&
         numberOfValue(tileMakeDescOpGetShape(make, 1), &out->sizes[1], &out->sizeFactors[1]) &&
         numberOfValue(tileMakeDescOpGetStrides(make, 0), &out->stride, &out->strideFactor);
}

static bool partsOf(MlirValue desc, Parts *out) {
  TileMakeDescOp make = tileMakeDescOpCast(tileValueGetDefiningOp(desc));
  if (tileDescTypeGetNumShape(mlirValueGetType(desc)) != 2)
    return false;
  if (!tileMakeDescOpIsNull(make))
    return tileDescriptorIsFormed(desc) && partsOfMade(make, out);
  if (!mlirValueIsABlockArgument(desc))
    return false;
  const int32_t base = tileLaunchValueOf(desc);
  *out = (Parts){mlirBlockGetParentOperation(tileValueGetBlock(desc)),
                 base,
                 {base + 1, base + 2},
                 base + 3,
                 {1, 1},
                 1,
                 false,
                 false};
  return true;
}

/* Of a descriptor with `rank` dimensions, 1 or 2; the box innermost dimension first. */
static MlirAttribute recipe(MlirContext context, const Parts *p, MlirType element, int32_t rank,
                            const int32_t *box, int32_t swizzle) {
  const int32_t sizes[2] = {p->sizes[rank - 1], p->sizes[0]}, strides[1] = {p->stride};
  const int64_t sizeFactors[2] = {p->sizeFactors[rank - 1], p->sizeFactors[0]},
                strideFactors[1] = {p->strideFactor};
  MlirNamedAttribute members[9] = {
      named(context, "base", tileI32Attr(context, p->base)),
      named(context, "element", mlirTypeAttrGet(element)),
      named(context, "sizes", mlirDenseI32ArrayGet(context, rank, sizes)),
      named(context, "strides", mlirDenseI32ArrayGet(context, rank - 1, strides)),
      named(context, "box", mlirDenseI32ArrayGet(context, rank, box)),
      named(context, "swizzle", tileI32Attr(context, swizzle)),
  };
  intptr_t n = 6;
  if (sizeFactors[0] != 1 || sizeFactors[1] != 1)
    members[n++] = named(context, "size_factors", mlirDenseI64ArrayGet(context, rank, sizeFactors));
  if (strideFactors[0] != 1)
    members[n++] = named(context, "stride_factors", mlirDenseI64ArrayGet(context, 1, strideFactors));
  if (p->isChecked)
    members[n++] = named(context, "checked", mlirUnitAttrGet(context));
  else if (p->isStored)
    members[n++] = named(context, "stored", mlirUnitAttrGet(context));
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
  if (!partsOf(desc, &parts) || tileOpKind(parts.function) != TileOp_Func_Func ||
      !bufferFor(element, block, shape, out_buffer, &d, &factor))
    return -1;
  const int32_t box[2] = {factor.swizzleBytes / d.elementBytes, (int32_t)shape[0]};
  parts.isStored = use == TileTensorMapUse_Store;
  return numberOf(
      parts.function,
      recipe(mlirOperationGetContext(parts.function), &parts, element, 2, box, factor.swizzleBytes),
      use != TileTensorMapUse_Load);
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
  const int32_t base = tileLaunchValueOf(desc);
  const Parts parts = {function, base, {base + 1, -1}, -1, {1, 1}, 1, false, false};
  *out_buffer = tileMemDescTypeFor(element, &layout, VECTOR_BYTES, 0);
  return numberOf(function, recipe(mlirOperationGetContext(function), &parts, element, 1, box, 0), false);
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
    const int32_t box[2] = {mlirDenseI32ArrayGetElement(members[i].attribute, 0),
                            mlirDenseI32ArrayGetElement(members[i].attribute, 1) / parts};
    members[i].attribute = mlirDenseI32ArrayGet(context, 2, box);
  }
  maps[map] = mlirDictionaryAttrGet(context, count, members);
  tileTensorMapSetList(function, mlirArrayAttrGet(context, n, maps));
  return true;
}

MlirValue tileTmaBufferFor(TileBuilder b, TileDescLoadOp load, int kDim) {
  MlirType buffer, block = mlirValueGetType(tileDescLoadOpGetResult(load));
  MlirContext context = mlirOperationGetContext(load.op);
  if ((kDim != 1 && tileElementTypeSize(tileElementTypeOf(block)) != 2) ||
      !tileDescriptorIsReadOnly(tileDescLoadOpGetDesc(load)))
    return (MlirValue){NULL};
  const int64_t blocks = tileGetIntAttr(load.op, "tile_gpu.multicast", 1);
  const int map = tileTensorMapFor(tileDescLoadOpGetDesc(load), block,
                                   blocks > 1 ? TileTensorMapUse_LoadApart : TileTensorMapUse_Load, &buffer);
  if (map < 0)
    return (MlirValue){NULL};
  tileAssumeDescriptorSeparate(tileDescLoadOpGetDesc(load), false);
  MlirValue coordinates[2] = {tileDescLoadOpGetCoords(load, 0), tileDescLoadOpGetCoords(load, 1)};
  TileGPUTmaAllocOp alloc = tileGPUTmaAllocOpCreate(b, mlirOperationGetLocation(load.op), buffer, 2,
                                                    coordinates, tileI32Attr(context, map));
  if (blocks > 1)
    mlirOperationSetDiscardableAttributeByName(alloc.op, tileStr("tile_gpu.multicast"),
                                               tileI32Attr(context, blocks));
  return tileGPUTmaAllocOpGetResult(alloc);
}

MlirValue tileTmaVectorBufferFor(TileBuilder b, TileDescLoadOp load) {
  MlirValue desc = tileDescLoadOpGetDesc(load), coordinate = tileDescLoadOpGetCoords(load, 0);
  MlirType buffer;
  MlirContext context = mlirOperationGetContext(load.op);
  const int map = tileDescriptorIsReadOnly(desc)
                      ? vectorMapFor(desc, mlirValueGetType(tileDescLoadOpGetResult(load)), &buffer)
                      : -1;
  if (map < 0)
    return (MlirValue){NULL};
  tileAssumeDescriptorSeparate(desc, false);
  return tileGPUTmaAllocOpGetResult(tileGPUTmaAllocOpCreate(b, mlirOperationGetLocation(load.op), buffer, 1,
                                                            &coordinate, tileI32Attr(context, map)));
}
