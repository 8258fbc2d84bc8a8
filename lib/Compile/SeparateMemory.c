/* SeparateMemory.c - the attribute that lists parameters which are taken to be different memory. */
#include "tile-c/SeparateMemory.h"
#include "mlir-c/BuiltinAttributes.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include <stdlib.h>

static const char separateName[] = "tile_gpu.separate";     // pairs
static const char sameName[] = "tile_gpu.same_or_separate"; // triples
static const char inPlaceName[] = "tile_gpu.in_place";      // triples

static MlirAttribute listOf(MlirOperation function, const char *name) {
  MlirAttribute list = mlirOperationGetDiscardableAttributeByName(function, tileStr(name));
  return list.ptr && mlirAttributeIsADenseI32Array(list) ? list : (MlirAttribute){NULL};
}

/// Entries of `width` numbers each.
static intptr_t countOf(MlirOperation function, const char *name, int width) {
  MlirAttribute list = listOf(function, name);
  return list.ptr ? mlirDenseArrayGetNumElements(list) / width : 0;
}

static TileValuePair entryOf(MlirOperation function, const char *name, int width, intptr_t i) {
  MlirAttribute list = listOf(function, name);
  TileValuePair pair = {.first = mlirDenseI32ArrayGetElement(list, width * i),
                        .second = mlirDenseI32ArrayGetElement(list, width * i + 1),
                        .maySame = width == 3};
  if (width == 3)
    pair.alike = (unsigned)mlirDenseI32ArrayGetElement(list, width * i + 2);
  return pair;
}

intptr_t tileSeparateCount(MlirOperation function) {
  return countOf(function, separateName, 2) + countOf(function, sameName, 3);
}

TileValuePair tileSeparateGet(MlirOperation function, intptr_t i) {
  const intptr_t pairs = countOf(function, separateName, 2);
  return i < pairs ? entryOf(function, separateName, 2, i) : entryOf(function, sameName, 3, i - pairs);
}

void tileSeparateCopy(MlirOperation from, MlirOperation to) {
  static const char *const names[] = {separateName, sameName};
  for (size_t k = 0; k < TILE_COUNTOF(names); ++k) {
    MlirAttribute list = listOf(from, names[k]);
    if (list.ptr)
      mlirOperationSetDiscardableAttributeByName(to, tileStr(names[k]), list);
  }
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

static bool isPair(TileValuePair a, TileValuePair b) { return a.first == b.first && a.second == b.second; }

static void append(MlirOperation function, const char *name, int width, TileValuePair pair) {
  const intptr_t n = countOf(function, name, width);
  int32_t *list = malloc((size_t)(n + 1) * (size_t)width * sizeof *list);
  if (!list)
    return;
  for (intptr_t i = 0; i < width * n; ++i)
    list[i] = mlirDenseI32ArrayGetElement(listOf(function, name), i);
  list[width * n] = pair.first;
  list[width * n + 1] = pair.second;
  if (width == 3)
    list[width * n + 2] = (int32_t)pair.alike;
  mlirOperationSetDiscardableAttributeByName(
      function, tileStr(name),
      mlirDenseI32ArrayGet(mlirOperationGetContext(function), width * (n + 1), list));
  free(list);
}

static void addPair(MlirOperation function, TileValuePair pair) {
  for (intptr_t i = 0; i < tileSeparateCount(function); ++i)
    if (isPair(tileSeparateGet(function, i), pair))
      return;
  for (intptr_t i = 0; i < countOf(function, inPlaceName, 3); ++i)
    if (isPair(entryOf(function, inPlaceName, 3, i), pair)) {
      append(function, sameName, 3, entryOf(function, inPlaceName, 3, i));
      return;
    }
  append(function, separateName, 2, pair);
}

/// The function of two parameters, and the pair of them; null if they are none, or one.
static MlirOperation pairOf(MlirValue a, MlirValue b, TileValuePair *out) {
  static const MlirOperation none = {NULL};
  if (!a.ptr || !b.ptr || a.ptr == b.ptr || !mlirValueIsABlockArgument(a) || !mlirValueIsABlockArgument(b))
    return none;
  MlirOperation function = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(a));
  if (tileOpKind(function) != TileOp_Func_Func)
    return none;
  const int x = tileLaunchValueOf(a), y = tileLaunchValueOf(b);
  *out = x < y ? (TileValuePair){.first = x, .second = y} : (TileValuePair){.first = y, .second = x};
  return function;
}

void tileAllowSame(MlirValue a, MlirValue b) {
  TileValuePair pair;
  MlirOperation function = pairOf(a, b, &pair);
  if (!function.ptr)
    return;
  MlirType type = mlirValueGetType(a);
  pair.alike = tileDescTypeIsA(type) ? 2 * (unsigned)tileDescTypeGetNumShape(type) : 0;
  append(function, inPlaceName, 3, pair);
}

void tileAssumeSeparate(MlirValue a, MlirValue b) {
  TileValuePair pair;
  MlirOperation function = pairOf(a, b, &pair);
  if (function.ptr)
    addPair(function, pair);
}
