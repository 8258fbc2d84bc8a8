/* FloatFormat.h - what distinguishes one float format from another; private to lib/Numerics. */
#ifndef TILE_LIB_NUMERICS_FLOATFORMAT_H
#define TILE_LIB_NUMERICS_FLOATFORMAT_H
#include "tile-c/Numerics.h"

typedef enum TileSpecials {
  TileSpecials_IEEE, ///< the highest exponent holds infinity and NaNs
  TileSpecials_FN,   ///< no infinity; all ones is NaN, with either sign
  TileSpecials_FNUZ  ///< no infinity, no negative zero; the sign bit alone is NaN
} TileSpecials;

typedef struct TileFloatFormat {
  int exponentBits, mantissaBits, bias;
  TileSpecials specials;
  uint64_t maxFinite; ///< bits of the largest finite value
  uint64_t nan;       ///< bits of the canonical NaN
} TileFloatFormat;

const TileFloatFormat *tileFloatFormat(TileElementType type);
uint64_t tileFloatSignBit(TileElementType type);

/// The bits of (-1)^negative * significand * 2^exponent, rounded once.
uint64_t tileFloatPack(TileElementType type, bool negative, uint64_t significand, int exponent,
                       TileRoundingMode rounding, TileOverflow overflow);
#endif
