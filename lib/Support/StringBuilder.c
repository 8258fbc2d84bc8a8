/* StringBuilder.c - doubling buffer; exhausted memory ends the process with a message. */
#include "tile-c/Support/StringBuilder.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(TileStringBuilder *s, size_t more) {
  if (s->capacity - s->length > more)
    return;
  size_t capacity = s->capacity * 2 > s->length + more + 1 ? s->capacity * 2 : s->length + more + 64;
  char *data = realloc(s->data, capacity);
  if (!data) {
    fprintf(stderr, "error: out of memory (%zu bytes of text)\n", capacity);
    exit(1);
  }
  s->data = data;
  s->capacity = capacity;
}

void tileStringAppend(TileStringBuilder *s, const char *text, size_t length) {
  reserve(s, length);
  memcpy(s->data + s->length, text, length);
  s->data[s->length += length] = 0;
}

void tileStringAppendText(TileStringBuilder *s, const char *text) { tileStringAppend(s, text, strlen(text)); }

void tileStringAppendFormat(TileStringBuilder *s, const char *format, ...) {
  va_list ap, again;
  va_start(ap, format);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, format, ap);
  va_end(ap);
  if (n >= 0) {
    reserve(s, (size_t)n);
    vsnprintf(s->data + s->length, (size_t)n + 1, format, again);
    s->length += (size_t)n;
  }
  va_end(again);
}

char *tileStringTake(TileStringBuilder *s, size_t *out_length) {
  reserve(s, 0);
  s->data[s->length] = 0;
  if (out_length)
    *out_length = s->length;
  char *data = s->data;
  *s = (TileStringBuilder){0};
  return data;
}

void tileStringRelease(TileStringBuilder *s) {
  free(s->data);
  *s = (TileStringBuilder){0};
}
