/* Arena.c - bump allocation in growing blocks. */
#include "tile-c/Support/Arena.h"
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct TileArenaBlock {
  TileArenaBlock *previous;
  alignas(max_align_t) char data[];
};

enum { FIRST_BLOCK = 16 << 10, ALIGNMENT = alignof(max_align_t) };

static void outOfMemory(size_t count, size_t size) {
  fprintf(stderr, "error: out of memory (%zu elements of %zu bytes)\n", count, size);
  exit(1);
}

static void grow(TileArena *arena, size_t bytes) {
  size_t size = bytes > FIRST_BLOCK / 2 ? bytes + FIRST_BLOCK : FIRST_BLOCK;
  TileArenaBlock *block = malloc(sizeof *block + size);
  if (!block)
    outOfMemory(1, size);
  block->previous = arena->blocks;
  arena->blocks = block;
  arena->next = block->data;
  arena->end = block->data + size;
}

void *tileArenaAlloc(TileArena *arena, size_t count, size_t size) {
  if (size && count > (SIZE_MAX / 2) / size)
    outOfMemory(count, size);
  size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (!arena->next || (size_t)(arena->end - arena->next) < bytes)
    grow(arena, bytes);
  void *p = arena->next;
  arena->next += bytes;
  return memset(p, 0, bytes);
}

char *tileArenaCopy(TileArena *arena, const char *text, size_t length) {
  char *copy = tileArenaAlloc(arena, length + 1, 1);
  if (length)
    memcpy(copy, text, length);
  return copy;
}

char *tileArenaFormat(TileArena *arena, const char *format, ...) {
  va_list ap, again;
  va_start(ap, format);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, format, ap);
  va_end(ap);
  char *text = tileArenaAlloc(arena, n < 0 ? 1 : (size_t)n + 1, 1);
  if (n >= 0)
    vsnprintf(text, (size_t)n + 1, format, again);
  va_end(again);
  return text;
}

void tileArenaRelease(TileArena *arena) {
  for (TileArenaBlock *block = arena->blocks; block;) {
    TileArenaBlock *previous = block->previous;
    free(block);
    block = previous;
  }
  *arena = (TileArena){0};
}
