/* TransposedRead.c - the lanes and registers of CDNA4's transposing reads of shared memory. */
#include "tile-c/LayoutShared.h"
#include <string.h>

enum { GROUP_BITS = 4 }; /* 16 lanes exchange what they read */

static void copyBasis(const TileLayout *from, TileLayoutDim fromDim, int32_t fromBit, TileLayout *to,
                      TileLayoutDim toDim, int32_t toBit) {
  memcpy(to->bases[toDim][toBit], from->bases[fromDim][fromBit], sizeof to->bases[toDim][toBit]);
}

bool tileSharedTransposedRead(const TileLayout *distributed, int32_t elementBits, TileLayout *out) {
  int32_t e = elementBits == 16 ? 2 : elementBits == 8 ? 3 : 0;
  if (!e || distributed->bits[TileLayoutDim_Register] < e ||
      distributed->bits[TileLayoutDim_Lane] < GROUP_BITS)
    return false;
  *out = *distributed;
  for (int32_t bit = 0; bit < e; ++bit)
    copyBasis(distributed, TileLayoutDim_Lane, bit, out, TileLayoutDim_Register, bit);
  for (int32_t bit = e; bit < GROUP_BITS; ++bit)
    copyBasis(distributed, TileLayoutDim_Lane, bit, out, TileLayoutDim_Lane, bit - e);
  for (int32_t bit = 0; bit < e; ++bit)
    copyBasis(distributed, TileLayoutDim_Register, bit, out, TileLayoutDim_Lane, GROUP_BITS - e + bit);
  return true;
}

bool tileSharedTransposedAccess(const TileLayout *distributed, const TileSharedLayout *shared,
                                int32_t elementBits, TileSharedAccess *out) {
  enum { BITS = 64 };
  TileLayout turned;
  if (!tileSharedTransposedRead(distributed, elementBits, &turned) ||
      !tileSharedAccessOf(&turned, shared, elementBits, BITS, out) ||
      elementBits << out->vector.elementBits != BITS)
    return false;
  for (uint32_t element = 0; element < 1u << out->vector.elementBits; ++element)
    if (tileLayoutVectorRegister(&out->vector, 0, element) != element)
      return false;
  return true;
}

bool tileSharedTransposedConflicts(const TileLayout *distributed, const TileSharedLayout *shared,
                                   int32_t elementBits, int32_t banks, TileSharedConflicts *out) {
  enum { BITS = 64 };
  TileSharedAccess access;
  TileLayout turned;
  return tileSharedTransposedAccess(distributed, shared, elementBits, &access) &&
         tileSharedTransposedRead(distributed, elementBits, &turned) &&
         tileSharedConflicts(&turned, shared, elementBits, BITS, banks, out);
}
