/* FuzzArguments.c - kernel arguments from lines and files. */
#include "FuzzArguments.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *fuzzReadFile(const char *path, size_t *out_size) {
  FILE *f = fopen(path, "rb");
  if (!f)
    return NULL;
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  rewind(f);
  char *data = size < 0 ? NULL : malloc((size_t)size + 1);
  *out_size = data ? fread(data, 1, (size_t)size, f) : 0;
  if (data)
    data[*out_size] = 0;
  fclose(f);
  return data;
}

bool fuzzWriteFile(const char *path, const void *data, size_t size) {
  FILE *f = fopen(path, "wb");
  bool ok = f && fwrite(data, 1, size, f) == size;
  return (!f || fclose(f) == 0) && ok;
}

int fuzzSplit(char *line, char **word, int most) {
  int words = 0;
  for (char *t = strtok(line, " \n"); t && words < most; t = strtok(NULL, " \n"))
    word[words++] = t;
  return words;
}

bool fuzzAddArgument(FuzzArguments *arguments, char **word, int words) {
  if (words < 4 || arguments->count == FUZZ_MAX_ARGUMENTS)
    return false;
  FuzzArgument a = {.type = tileElementTypeParse(word[2], strlen(word[2])),
                    .isBuffer = !strcmp(word[1], "buf")};
  if (a.type == TileElementType_None || (a.isBuffer && words != 6 && words != 7))
    return false;
  if (!a.isBuffer)
    a.text = strdup(word[3]);
  else {
    size_t size = 0;
    a.count = strtoull(word[3], NULL, 10);
    a.shift = words == 7 ? strtoull(word[6], NULL, 10) : 0;
    a.data = fuzzReadFile(word[4], &size);
    if (!a.data || size != a.count * tileElementTypeSize(a.type)) {
      free(a.data);
      return false;
    }
    a.output = strcmp(word[5], "-") ? strdup(word[5]) : NULL;
  }
  arguments->at[arguments->count++] = a;
  return true;
}

bool fuzzWriteOutputs(const FuzzArguments *arguments) {
  bool ok = true;
  for (size_t i = 0; i < arguments->count; ++i) {
    const FuzzArgument *a = &arguments->at[i];
    if (a->output)
      ok = fuzzWriteFile(a->output, a->data, a->count * tileElementTypeSize(a->type)) && ok;
  }
  return ok;
}

void fuzzForget(FuzzArguments *arguments) {
  for (size_t i = 0; i < arguments->count; ++i) {
    free(arguments->at[i].data);
    free(arguments->at[i].text);
    free(arguments->at[i].output);
  }
  memset(arguments, 0, sizeof *arguments);
}
