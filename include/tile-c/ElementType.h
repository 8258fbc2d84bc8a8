/* ElementType.h - the scalar types of the tile dialect, shared by the compiler, the interpreter and the
 * run-time library.
 *
 * Plain C with no LLVM behind it: libtile_rt is built from it alone. */
#ifndef TILE_C_ELEMENTTYPE_H
#define TILE_C_ELEMENTTYPE_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileElementType {
  TileElementType_None,
  TileElementType_I1, ///< one byte in memory, 0 or 1
  TileElementType_I8,
  TileElementType_I16,
  TileElementType_I32,
  TileElementType_I64,
  TileElementType_F16,
  TileElementType_BF16,
  TileElementType_F32,
  TileElementType_F64,
  TileElementType_F8E4M3FN,   ///< OCP e4m3: no infinity, NaN = S.1111.111
  TileElementType_F8E5M2,     ///< OCP e5m2: IEEE-like
  TileElementType_F8E4M3FNUZ, ///< bias 8, NaN = 0x80, no negative zero
  TileElementType_F8E5M2FNUZ, ///< bias 16, NaN = 0x80, no negative zero
  TileElementType_Count
} TileElementType;

/// Spelling in MLIR and on the command line: "i1", "f32", "bf16", "f8E4M3FN" ...; "none" for None.
const char *tileElementTypeName(TileElementType type);
/// The type with this spelling (length bytes of text), or None.
TileElementType tileElementTypeParse(const char *text, size_t length);
/// Bytes of one element in memory; 0 for None.
size_t tileElementTypeSize(TileElementType type);
/// Significant bits: 1 for i1, 8 for every f8.
unsigned tileElementTypeBits(TileElementType type);
int tileElementTypeIsFloat(TileElementType type);

#ifdef __cplusplus
}
#endif
#endif
