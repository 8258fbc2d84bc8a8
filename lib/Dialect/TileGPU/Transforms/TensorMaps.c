/* TensorMaps.c - recipes of tensor maps from descriptors that are parameters (include/tile-c/TensorMap.h). */
#include "TensorMaps.h"
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

/* Of a descriptor with `rank` dimensions, 1 or 2; the box innermost dimension first. */
static MlirAttribute recipe(MlirContext context, int32_t base, MlirType element, int32_t rank,
                            const int32_t *box, int32_t swizzle) {
  const int32_t sizes[2] = {base + rank, base + 1}, strides[1] = {base + 3};
  MlirNamedAttribute members[] = {
      named(context, "base", tileI32Attr(context, base)),
      named(context, "element", mlirTypeAttrGet(element)),
      named(context, "sizes", mlirDenseI32ArrayGet(context, rank, sizes)),
      named(context, "strides", mlirDenseI32ArrayGet(context, rank - 1, strides)),
      named(context, "box", mlirDenseI32ArrayGet(context, rank, box)),
      named(context, "swizzle", tileI32Attr(context, swizzle)),
  };
  return mlirDictionaryAttrGet(context, (intptr_t)(sizeof members / sizeof *members), members);
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

int tileTensorMapFor(MlirValue desc, MlirType block, bool apart, MlirType *out_buffer) {
  MlirType type = mlirValueGetType(desc), element = tileDescTypeGetElementType(type);
  int64_t shape[3];
  if (!mlirValueIsABlockArgument(desc) || tileDescTypeGetNumShape(type) != 2 ||
      tileTypeGetShape(block, shape, 3) != 2)
    return -1;
  MlirOperation function = mlirBlockGetParentOperation(tileValueGetBlock(desc));
  *out_buffer = tileWarpGroupBufferType(element, shape, 1);
  TileMemDesc d;
  TileWarpGroupFactor factor;
  if (tileOpKind(function) != TileOp_Func_Func || !out_buffer->ptr || shape[0] > MAX_BOX ||
      !tileMemDescOf(*out_buffer, &d) || !tileWarpGroupFactorOf(&d, 1, &factor))
    return -1;
  const int32_t box[2] = {factor.swizzleBytes / d.elementBytes, (int32_t)shape[0]};
  return numberOf(function,
                  recipe(mlirOperationGetContext(function), tileLaunchValueOf(desc), element, 2, box,
                         factor.swizzleBytes),
                  apart);
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
  *out_buffer = tileMemDescTypeFor(element, &layout, VECTOR_BYTES, 0);
  return numberOf(function,
                  recipe(mlirOperationGetContext(function), tileLaunchValueOf(desc), element, 1, box, 0),
                  false);
}

MlirValue tileTmaBufferFor(TileBuilder b, TileDescLoadOp load, int kDim) {
  MlirType buffer, block = mlirValueGetType(tileDescLoadOpGetResult(load));
  MlirContext context = mlirOperationGetContext(load.op);
  if ((kDim != 1 && tileElementTypeSize(tileElementTypeOf(block)) != 2) ||
      !tileDescriptorIsReadOnly(tileDescLoadOpGetDesc(load)))
    return (MlirValue){NULL};
  const int map = tileTensorMapFor(tileDescLoadOpGetDesc(load), block, false, &buffer);
  if (map < 0)
    return (MlirValue){NULL};
  tileAssumeDescriptorSeparate(tileDescLoadOpGetDesc(load), false);
  MlirValue coordinates[2] = {tileDescLoadOpGetCoords(load, 0), tileDescLoadOpGetCoords(load, 1)};
  return tileGPUTmaAllocOpGetResult(tileGPUTmaAllocOpCreate(b, mlirOperationGetLocation(load.op), buffer, 2,
                                                            coordinates, tileI32Attr(context, map)));
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
