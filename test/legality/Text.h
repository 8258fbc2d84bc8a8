/* Text.h - reading, and writing or comparing, whole files; lists of chips. */
#ifndef TILE_TEST_LEGALITY_TEXT_H
#define TILE_TEST_LEGALITY_TEXT_H
#include "tile-c/Support/StringBuilder.h"
#include <stdbool.h>
#include <stdint.h>

/// A whole file, malloc'ed, with a zero at the end; null after a message.
char *textReadFile(const char *path, size_t *out_size);
/// Writes the text to the file, or compares it with what is there; releases it. False after a message.
bool textFinish(TileStringBuilder *text, const char *path, bool check);
/// "all", "none", "NVIDIA", "AMD", or a list, of the chips with these bits.
void textAppendChips(uint32_t chips, TileStringBuilder *out);

#endif
