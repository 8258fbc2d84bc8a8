/* Arena.h - memory that is released all at once: one arena per pass run, no malloc in a pass. */
#ifndef TILE_C_SUPPORT_ARENA_H
#define TILE_C_SUPPORT_ARENA_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TileArenaBlock TileArenaBlock;

/// Zero-initialised is ready to use. Not thread-safe.
typedef struct TileArena {
  TileArenaBlock *blocks;
  char *next, *end;
} TileArena;

/// `count` elements of `size` bytes, zeroed, aligned for any type. Never null: exhausted memory (or an
/// overflowing product) ends the process with a message, as there is nothing a pass could do about it.
void *tileArenaAlloc(TileArena *arena, size_t count, size_t size);
/// A copy of `length` bytes with a terminating zero.
char *tileArenaCopy(TileArena *arena, const char *text, size_t length);
/// printf into the arena.
char *tileArenaFormat(TileArena *arena, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/// Releases everything; the arena can be used again.
void tileArenaRelease(TileArena *arena);

#ifdef __cplusplus
}
#endif
#endif
