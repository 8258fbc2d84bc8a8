/* Bits.h - powers of two. */
#ifndef TILE_C_SUPPORT_BITS_H
#define TILE_C_SUPPORT_BITS_H
#include <stdbool.h>
#include <stdint.h>

static inline bool tileIsPowerOfTwo(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

#endif
