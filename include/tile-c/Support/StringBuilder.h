/* StringBuilder.h - text that grows. */
#ifndef TILE_C_SUPPORT_STRINGBUILDER_H
#define TILE_C_SUPPORT_STRINGBUILDER_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Zero-initialised is the empty string. `data` is null or zero-terminated; owned until released or taken.
typedef struct TileStringBuilder {
  char *data;
  size_t length, capacity;
} TileStringBuilder;

void tileStringAppend(TileStringBuilder *s, const char *text, size_t length);
void tileStringAppendText(TileStringBuilder *s, const char *text);
void tileStringAppendFormat(TileStringBuilder *s, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/// The text, now the caller's to free(); never null. The builder is empty again.
char *tileStringTake(TileStringBuilder *s, size_t *out_length);
void tileStringRelease(TileStringBuilder *s);

#ifdef __cplusplus
}
#endif
#endif
