/* Text.c - reading, and writing or comparing, whole files; lists of chips. */
#include "Text.h"
#include "tile-c/Target.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *textReadFile(const char *path, size_t *out_size) {
  FILE *file = fopen(path, "rb");
  TileStringBuilder text = {0};
  char part[4096];
  size_t n;
  if (!file) {
    fprintf(stderr, "cannot open %s\n", path);
    return NULL;
  }
  while ((n = fread(part, 1, sizeof part, file)) > 0)
    tileStringAppend(&text, part, n);
  fclose(file);
  return tileStringTake(&text, out_size);
}

bool textFinish(TileStringBuilder *text, const char *path, bool check) {
  bool good;
  if (check) {
    size_t size;
    char *there = textReadFile(path, &size);
    good = there && size == text->length && !memcmp(there, text->data, size);
    free(there);
    if (!good)
      fprintf(stderr, "%s is stale; make it anew (ninja legality-table or operations-page)\n", path);
  } else {
    FILE *file = fopen(path, "wb");
    good = file && fwrite(text->data, 1, text->length, file) == text->length;
    if (file)
      good = fclose(file) == 0 && good;
    if (!good)
      fprintf(stderr, "cannot write %s\n", path);
  }
  tileStringRelease(text);
  return good;
}

void textAppendChips(uint32_t chips, TileStringBuilder *out) {
  uint32_t all = 0, nvidia = 0, amd = 0;
  for (size_t i = 0; i < tileTargetCount(); ++i) {
    all |= UINT32_C(1) << i;
    *(tileTargetAt(i)->vendor == TileVendor_AMD ? &amd : &nvidia) |= UINT32_C(1) << i;
  }
  if (chips == all || !chips) {
    tileStringAppendText(out, chips ? "all" : "none");
    return;
  }
  const char *between = "";
  if ((chips & nvidia) == nvidia || (chips & amd) == amd) {
    uint32_t whole = (chips & nvidia) == nvidia ? nvidia : amd;
    tileStringAppendText(out, whole == amd ? "AMD" : "NVIDIA");
    chips &= ~whole;
    between = " ";
  }
  for (size_t i = 0; i < tileTargetCount(); ++i)
    if (chips >> i & 1) {
      tileStringAppendFormat(out, "%s%s", between, tileTargetAt(i)->chip);
      between = " ";
    }
}
