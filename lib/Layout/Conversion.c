/* Conversion.c - what it takes to bring a tensor from one layout to another. */
#include "Linear.h"

/// Whether every input of the map stays where it is in `dim`: bit i of dim goes to bit i there, others do not
/// touch it.
static bool staysIn(const TileLayout *map, TileLayoutDim dim) {
  if (map->shape[dim] != 1 << map->bits[dim])
    return false;
  for (int32_t in = 0; in < TileLayoutDim_Count; ++in)
    for (int32_t bit = 0; bit < map->bits[in]; ++bit)
      if (map->bases[in][bit][dim] != (in == (int32_t)dim ? 1 << bit : 0))
        return false;
  return true;
}

/// Whether the source register depends on the destination register alone.
static bool registerIsUniform(const TileLayout *map) {
  for (int32_t in = TileLayoutDim_Lane; in < TileLayoutDim_Count; ++in)
    for (int32_t bit = 0; bit < map->bits[in]; ++bit)
      if (map->bases[in][bit][TileLayoutDim_Register])
        return false;
  return true;
}

bool tileLayoutConversion(const TileLayout *src, const TileLayout *dst, TileConversion *out) {
  TileConversion conversion;
  if (!tileLayoutInvertAndCompose(dst, src, &conversion.map))
    return false;
  if (!staysIn(&conversion.map, TileLayoutDim_Block))
    conversion.kind = TileConversion_Block;
  else if (!staysIn(&conversion.map, TileLayoutDim_Warp))
    conversion.kind = TileConversion_Warp;
  else if (!staysIn(&conversion.map, TileLayoutDim_Lane) || !registerIsUniform(&conversion.map))
    conversion.kind = TileConversion_Lane;
  else if (!staysIn(&conversion.map, TileLayoutDim_Register))
    conversion.kind = TileConversion_Register;
  else
    conversion.kind = TileConversion_None;
  *out = conversion;
  return true;
}

int64_t tileConversionSourceRegister(const TileConversion *conversion, int64_t dstRegister) {
  int32_t coords[TileLayout_MaxRank];
  tileLayoutApply(&conversion->map, dstRegister, 0, 0, 0, coords);
  return coords[TileLayoutDim_Register];
}

const char *tileConversionKindName(TileConversionKind kind) {
  static const char *const names[] = {"none", "register permutation", "warp-local", "block shared memory",
                                      "cluster shared memory"};
  return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}
