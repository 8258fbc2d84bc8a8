/* TensorMap.c - reads the recipes of tensor maps from a kernel's attribute. */
#include "tile-c/TensorMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "tile-c/IR.h"

static const char mapsName[] = "tile_gpu.tensor_maps";

static MlirAttribute member(MlirAttribute map, const char *name) {
  return mlirDictionaryAttrGetElementByName(map, tileStr(name));
}

static int64_t arrayElement(MlirAttribute array, intptr_t i, int64_t missing) {
  if (!array.ptr || i >= mlirDenseArrayGetNumElements(array))
    return missing;
  return mlirAttributeIsADenseI64Array(array) ? mlirDenseI64ArrayGetElement(array, i)
                                              : mlirDenseI32ArrayGetElement(array, i);
}

static int64_t integer(MlirAttribute a, int64_t missing) {
  return a.ptr && mlirAttributeIsAInteger(a) ? tileIntegerAttrValue(a) : missing;
}

MlirAttribute tileTensorMapList(MlirOperation function) {
  MlirAttribute maps = mlirOperationGetDiscardableAttributeByName(function, tileStr(mapsName));
  return maps.ptr && mlirAttributeIsAArray(maps) ? maps : (MlirAttribute){NULL};
}

void tileTensorMapSetList(MlirOperation function, MlirAttribute list) {
  if (list.ptr)
    mlirOperationSetDiscardableAttributeByName(function, tileStr(mapsName), list);
}

intptr_t tileTensorMapCount(MlirOperation function) {
  MlirAttribute maps = tileTensorMapList(function);
  return maps.ptr ? mlirArrayAttrGetNumElements(maps) : 0;
}

static TileMapNumber number(MlirAttribute map, const char *params, const char *factors, const char *more,
                            intptr_t i) {
  TileMapNumber n = {.param = (int)arrayElement(member(map, params), i, -1),
                     .factor = arrayElement(member(map, factors), i, 1)};
  for (int k = 0; k < TileMapNumber_MostMore; ++k) {
    const int64_t by = arrayElement(member(map, more), TileMapNumber_MostMore * i + k, -1);
    if (by >= 0)
      n.more[n.numMore++] = (int)by;
  }
  return n;
}

TileTensorMap tileTensorMapGet(MlirOperation function, intptr_t i) {
  MlirAttribute map = mlirArrayAttrGetElement(tileTensorMapList(function), i);
  if (!mlirAttributeIsADictionary(map))
    return (TileTensorMap){.rank = 0};
  MlirAttribute box = member(map, "box"), element = member(map, "element");
  const intptr_t rank = box.ptr ? mlirDenseArrayGetNumElements(box) : 0;
  TileTensorMap read = {.base = (int)integer(member(map, "base"), 0),
                        .rank = (unsigned)(rank <= TILE_MAX_RANK ? rank : TILE_MAX_RANK),
                        .swizzleBytes = (unsigned)integer(member(map, "swizzle"), 0),
                        .fillsNaN = member(map, "nan").ptr != NULL,
                        .isChecked = member(map, "checked").ptr != NULL,
                        .isStored = member(map, "stored").ptr != NULL,
                        .rowsApart = (unsigned)integer(member(map, "apart"), 0),
                        .firstRow = (unsigned)integer(member(map, "row"), 0)};
  if (element.ptr && mlirAttributeIsAType(element))
    read.type = tileElementTypeOf(mlirTypeAttrGetValue(element));
  for (unsigned d = 0; d < read.rank; ++d) {
    read.box[d] = (unsigned)arrayElement(box, d, 1);
    read.sizes[d] = number(map, "sizes", "size_factors", "size_more", d);
    read.strides[d] = d ? number(map, "strides", "stride_factors", "stride_more", d - 1)
                        : (TileMapNumber){.param = -1, .factor = 1};
  }
  return read;
}
