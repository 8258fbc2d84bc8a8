/* TileVerify.h - what the verifiers of the tile dialect share: type queries, texts for messages, checks with
 * a diagnostic. */
#ifndef TILE_DIALECT_TILE_IR_TILEVERIFY_H
#define TILE_DIALECT_TILE_IR_TILEVERIFY_H
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"

/// A short text held by value, so that a message needs no buffer: `textOfType(t).s`. Cut if too long.
typedef struct TileText {
  char s[192];
} TileText;
TileText textOfType(MlirType type);
/// "128x64"; "scalar" for a type without dimensions.
TileText textOfShape(MlirType type);
/// The same for dimensions in an array.
TileText textOfDims(intptr_t rank, const int64_t *dims);

/// 0 for scalars.
intptr_t rankOf(MlirType type);
int64_t dimOf(MlirType type, intptr_t i);
bool sameShape(MlirType a, MlirType b);
static inline MlirType typeOf(MlirValue v) { return mlirValueGetType(v); }
static inline TileElementType elementKind(MlirValue v) { return tileElementTypeOf(typeOf(v)); }

/// The axis lies in [0, rank).
MlirLogicalResult verifyAxis(MlirOperation op, int64_t axis, intptr_t rank);
/// `type`, called `what`, has the element type `element`.
MlirLogicalResult verifyElement(MlirOperation op, const char *what, MlirType type, MlirType element);
/// `type`, called `what`, is a tensor of these dimensions.
MlirLogicalResult verifyShape(MlirOperation op, const char *what, MlirType type, intptr_t rank,
                              const int64_t *dims);
/// Layouts of the two, where both have one, are equal.
MlirLogicalResult verifySameEncoding(MlirOperation op, MlirType a, MlirType b);
/// All operands and results are scalars, or tensors of one shape and layout.
MlirLogicalResult verifyOneShape(MlirOperation op);
/// The body takes and yields these scalar types (of `inputs` each `copies` times in a row, or as a whole if
/// `rounds`) and computes on scalars only.
MlirLogicalResult verifyBodyArguments(MlirOperation op, MlirRegion body, intptr_t n,
                                      const MlirType *expected);
MlirLogicalResult verifyBodyYields(MlirOperation op, MlirRegion body, intptr_t n, const MlirType *expected);
MlirLogicalResult verifyBodyScalars(MlirOperation op, MlirRegion body);

/// Dimensions that a verifier handles; more are refused by `verifyRankLimit`.
enum { TileMaxRank = 16 };
MlirLogicalResult verifyRankLimit(MlirOperation op, MlirType type);

#define TRY(expression)                                                                                      \
  do {                                                                                                       \
    if (tileFailed(expression))                                                                              \
      return tileFailure();                                                                                  \
  } while (0)

#endif
