/* ElementType.c - names and sizes of the scalar types. */
#include "tile-c/ElementType.h"
#include <string.h>

static const struct {
  const char *name;
  unsigned bits;
  int isFloat;
} rows[TileElementType_Count] = {
    [TileElementType_None] = {"none", 0, 0},
    [TileElementType_I1] = {"i1", 1, 0},
    [TileElementType_I8] = {"i8", 8, 0},
    [TileElementType_I16] = {"i16", 16, 0},
    [TileElementType_I32] = {"i32", 32, 0},
    [TileElementType_I64] = {"i64", 64, 0},
    [TileElementType_F16] = {"f16", 16, 1},
    [TileElementType_BF16] = {"bf16", 16, 1},
    [TileElementType_F32] = {"f32", 32, 1},
    [TileElementType_F64] = {"f64", 64, 1},
    [TileElementType_F8E4M3FN] = {"f8E4M3FN", 8, 1},
    [TileElementType_F8E5M2] = {"f8E5M2", 8, 1},
    [TileElementType_F8E4M3FNUZ] = {"f8E4M3FNUZ", 8, 1},
    [TileElementType_F8E5M2FNUZ] = {"f8E5M2FNUZ", 8, 1},
};

const char *tileElementTypeName(TileElementType type) { return rows[type].name; }
unsigned tileElementTypeBits(TileElementType type) { return rows[type].bits; }
size_t tileElementTypeSize(TileElementType type) { return (rows[type].bits + 7) / 8; }
int tileElementTypeIsFloat(TileElementType type) { return rows[type].isFloat; }

TileElementType tileElementTypeParse(const char *text, size_t length) {
  for (int i = 1; i < TileElementType_Count; ++i)
    if (strlen(rows[i].name) == length && !memcmp(rows[i].name, text, length))
      return (TileElementType)i;
  return TileElementType_None;
}
