/* Externs.h - which function a name of a device library stands for. */
#ifndef TILE_LIB_TILEGPU_MATHEXTERNS_H
#define TILE_LIB_TILEGPU_MATHEXTERNS_H
#include "MathBuilder.h"

typedef struct MathExtern {
  const char *name; ///< whole, or without the vendor's prefix and the float type's suffix
  const char
      *signature;  ///< types of the result and the arguments: f d f32 f64, h i l i16 i32 i64; F f32 or f64
  TileOpKind kind; ///< the op that means the same; TileOp_None: the expanders
  MathExpander f32, f64; ///< of arguments (floats or integers) of 32 and of 64 bits; null: not supported
  int mode;              ///< for MathBuilder's
  bool exact;            ///< the expansion is: it is the function on every device
} MathExtern;

/// What the function that a tile.extern_elementwise calls means, by its name (tileLibraryName). out_float: which float type F is. Null: not
/// known.
const MathExtern *mathExternLookup(MlirOperation call, TileElementType *out_float);
/// Why a function of the library that is no entry of the table cannot be called; null: not known at all.
const char *mathExternRefusal(MlirStringRef symbol);

#endif
