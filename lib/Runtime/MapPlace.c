/* MapPlace.c - rows of a matrix that start at any element, some of them as a tensor map takes them.
 *
 * The copy engine wants starts and strides of whole 16 bytes; where in a row a box starts is up to its coordinate. Rows of f16 that are
 * eight apart are a multiple of 16 bytes apart:
 *
 *   rows of 4111 elements (8222 bytes) from 0x1000 on; rows 1, 9, 17, ... start at 0x301e, 0x1311e, ...
 *   base 0x3010, 4111 + 7 elements a row, 131552 bytes from one to the next; a box starts 7 elements further */
#include "tile-c/Manifest.h"

enum { GRANULE = 16 };

void tileTensorMapPlace(const TileTensorMap *map, TileMapPlace *place) {
  if (!map->rowsApart)
    return;
  const int64_t bytes = tileElementTypeBits(map->type) / 8, apart = map->rowsApart;
  const uint64_t start = place->base + (uint64_t)place->strides[1] * map->firstRow;
  place->base = start / GRANULE * GRANULE;
  place->sizes[0] += (int64_t)(start % GRANULE) / bytes;
  place->sizes[1] = (place->sizes[1] - map->firstRow + apart - 1) / apart;
  if (__builtin_mul_overflow(place->strides[1], apart, &place->strides[1]))
    place->strides[1] = -1;
}
