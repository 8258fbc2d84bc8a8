/* TileVerify.h - what the verifiers of the tile dialect share: type queries, texts for messages, checks with
 * a diagnostic. */
#ifndef TILE_DIALECT_TILE_IR_TILEVERIFY_H
#define TILE_DIALECT_TILE_IR_TILEVERIFY_H
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"

/// A short text held by value, so that a message needs no buffer: `tileTextOfType(t).s`. Cut if too long.
typedef struct TileText {
  char s[192];
} TileText;
TileText tileTextOfType(MlirType type);
TileText tileTextOfAttr(MlirAttribute attr);
/// "128x64"; "scalar" for a type without dimensions.
TileText tileTextOfShape(MlirType type);
/// The same for dimensions in an array.
TileText tileTextOfDims(intptr_t rank, const int64_t *dims);

/// 0 for scalars.
intptr_t tileRankOf(MlirType type);
int64_t tileDimOf(MlirType type, intptr_t i);
bool tileSameShape(MlirType a, MlirType b);
static inline MlirType typeOf(MlirValue v) { return mlirValueGetType(v); }
static inline TileElementType elementKind(MlirValue v) { return tileElementTypeOf(typeOf(v)); }

/// The axis lies in [0, rank).
MlirLogicalResult tileVerifyAxis(MlirOperation op, int64_t axis, intptr_t rank);
/// `type`, called `what`, has the element type `element`.
MlirLogicalResult tileVerifyElement(MlirOperation op, const char *what, MlirType type, MlirType element);
/// `type`, called `what`, is a tensor of these dimensions.
MlirLogicalResult tileVerifyShape(MlirOperation op, const char *what, MlirType type, intptr_t rank,
                                  const int64_t *dims);
/// Layouts of the two, where both have one, are equal.
MlirLogicalResult tileVerifySameEncoding(MlirOperation op, MlirType a, MlirType b);
/// All operands and results are scalars, or tensors of one shape and layout.
MlirLogicalResult tileVerifyOneShape(MlirOperation op);
/// The body has n arguments of the expected types.
MlirLogicalResult tileVerifyBodyArguments(MlirOperation op, MlirRegion body, intptr_t n,
                                          const MlirType *expected);
/// The body ends in tile.yield of n values of the expected types.
MlirLogicalResult tileVerifyBodyYields(MlirOperation op, MlirRegion body, intptr_t n,
                                       const MlirType *expected);
/// No operation of the body touches a tensor or memory.
MlirLogicalResult tileVerifyBodyScalars(MlirOperation op, MlirRegion body);

/// Dimensions that a verifier handles; more are refused by tileVerifyRankLimit.
enum { TileVerify_MaxRank = 16 };
MlirLogicalResult tileVerifyRankLimit(MlirOperation op, MlirType type);

#endif
