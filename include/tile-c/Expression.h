/* Expression.h - integer expressions of named numbers, as kernel files write them for grids and requirements.
 *
 *   ceildiv(m, BM) * ceildiv(n, BN)      min(tiles, processors)      BLOCK >= n
 *
 * Integers, names, ( ), + - * / % with C's meaning and order, min(a, b), max(a, b), ceildiv(a, b), and one comparison
 * (< <= > >= == !=), which gives 1 or 0. Plain C; part of both libtile and libtile_rt. */
#ifndef TILE_C_EXPRESSION_H
#define TILE_C_EXPRESSION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The number called `name`; false if there is none.
typedef bool (*TileExpressionLookup)(const char *name, size_t length, int64_t *out_value, void *user);

typedef enum TileExpressionResult {
  TileExpression_Ok,
  TileExpression_Malformed, ///< also a division by zero
  TileExpression_Unknown    ///< a name that the lookup does not know, or a function that there is not
} TileExpressionResult;

/// Evaluates `length` bytes of text. On failure *out_at is the offset of what is wrong.
TileExpressionResult tileExpressionEvaluate(const char *text, size_t length, TileExpressionLookup lookup,
                                            void *user, int64_t *out_value, size_t *out_at);

#ifdef __cplusplus
}
#endif
#endif
