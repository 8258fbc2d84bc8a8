/* SeparateMemory.c - the attribute that lists parameters which are taken to be different memory. */
#include "tile-c/SeparateMemory.h"
#include "mlir-c/BuiltinAttributes.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include <stdlib.h>

static const char separateName[] = "tile_gpu.separate";

static MlirAttribute listOf(MlirOperation function) {
  MlirAttribute list = mlirOperationGetDiscardableAttributeByName(function, tileStr(separateName));
  return list.ptr && mlirAttributeIsADenseI32Array(list) ? list : (MlirAttribute){NULL};
}

intptr_t tileSeparateCount(MlirOperation function) {
  MlirAttribute list = listOf(function);
  return list.ptr ? mlirDenseArrayGetNumElements(list) / 2 : 0;
}

TileValuePair tileSeparateGet(MlirOperation function, intptr_t i) {
  MlirAttribute list = listOf(function);
  return (TileValuePair){mlirDenseI32ArrayGetElement(list, 2 * i),
                         mlirDenseI32ArrayGetElement(list, 2 * i + 1)};
}

void tileSeparateCopy(MlirOperation from, MlirOperation to) {
  MlirAttribute list = listOf(from);
  if (list.ptr)
    mlirOperationSetDiscardableAttributeByName(to, tileStr(separateName), list);
}

int tileLaunchValueOf(MlirValue parameter) {
  MlirBlock entry = mlirBlockArgumentGetOwner(parameter);
  int at = 0;
  for (intptr_t i = 0; i < mlirBlockArgumentGetArgNumber(parameter); ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(entry, i));
    at += tileDescTypeIsA(type) ? 1 + 2 * (int)tileDescTypeGetNumShape(type) : 1;
  }
  return at;
}

static void addPair(MlirOperation function, TileValuePair pair) {
  const intptr_t n = tileSeparateCount(function);
  for (intptr_t i = 0; i < n; ++i) {
    TileValuePair known = tileSeparateGet(function, i);
    if (known.first == pair.first && known.second == pair.second)
      return;
  }
  int32_t *list = malloc((size_t)(2 * n + 2) * sizeof *list);
  if (!list)
    return;
  for (intptr_t i = 0; i < 2 * n; ++i)
    list[i] = mlirDenseI32ArrayGetElement(listOf(function), i);
  list[2 * n] = pair.first;
  list[2 * n + 1] = pair.second;
  mlirOperationSetDiscardableAttributeByName(
      function, tileStr(separateName),
      mlirDenseI32ArrayGet(mlirOperationGetContext(function), 2 * n + 2, list));
  free(list);
}

void tileAssumeSeparate(MlirValue a, MlirValue b) {
  if (!a.ptr || !b.ptr || a.ptr == b.ptr || !mlirValueIsABlockArgument(a) || !mlirValueIsABlockArgument(b))
    return;
  MlirOperation function = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(a));
  if (tileOpKind(function) != TileOp_Func_Func)
    return;
  const int x = tileLaunchValueOf(a), y = tileLaunchValueOf(b);
  addPair(function, x < y ? (TileValuePair){x, y} : (TileValuePair){y, x});
}
