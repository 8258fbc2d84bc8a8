/* Bits.h - powers of two; the lesser and the greater of two numbers. */
#ifndef TILE_C_SUPPORT_BITS_H
#define TILE_C_SUPPORT_BITS_H
#include <stdbool.h>
#include <stdint.h>

static inline bool tileIsPowerOfTwo(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }
static inline int64_t tileLeast(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t tileMost(int64_t a, int64_t b) { return a > b ? a : b; }

#endif
