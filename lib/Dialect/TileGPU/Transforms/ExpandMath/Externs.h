/* Externs.h - which function a name of the device library stands for. */
#ifndef TILE_LIB_TILEGPU_MATHEXTERNS_H
#define TILE_LIB_TILEGPU_MATHEXTERNS_H
#include "MathBuilder.h"

typedef struct MathExtern {
  const char *symbol;
  int arity;
  TileOpKind kind; ///< the op that means the same; TileOp_None: the expander
  MathExpander expander;
} MathExtern;

/// Null if the name is not known.
const MathExtern *mathExternLookup(MlirStringRef symbol);

#endif
