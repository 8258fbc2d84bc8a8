/* tile-cgen - typed C access to MLIR dialects and passes, from TableGen's JSON.
 *
 * usage: tile-cgen header|capi DIALECT RECORDS.json OUT
 *        tile-cgen passes-h|passes-cpp GROUP RECORDS.json OUT
 *        tile-cgen kinds-h|kinds-c OUT DIALECT RECORDS.json [DIALECT RECORDS.json ...]
 * The output is replaced only if it changed, and only when the whole of it could be written. Exit status 2:
 * usage. */
#include "Generators.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_DIALECTS = 32 };

static const json_t *load(const char *path) {
  json_error_t error;
  json_t *root = json_load_file(path, 0, &error);
  if (!root)
    fprintf(stderr, "tile-cgen: %s:%d: %s\n", path, error.line, error.text);
  return root;
}

static bool sameContent(const char *path, const char *data, size_t size) {
  FILE *f = fopen(path, "rb");
  if (!f)
    return false;
  char *old = malloc(size + 1);
  size_t n = old ? fread(old, 1, size + 1, f) : 0;
  bool same = old && n == size && !memcmp(old, data, size);
  free(old);
  fclose(f);
  return same;
}

static int writeFile(const char *path, const char *data, size_t size) {
  if (sameContent(path, data, size))
    return 0;
  char temporary[4096];
  snprintf(temporary, sizeof temporary, "%s.tmp", path);
  FILE *f = fopen(temporary, "wb");
  if (!f || fwrite(data, 1, size, f) != size || fclose(f) || rename(temporary, path)) {
    fprintf(stderr, "tile-cgen: cannot write %s\n", path);
    return 1;
  }
  return 0;
}

static int generateOne(const char *mode, const char *what, const char *json, FILE *out) {
  Records r = {.root = load(json)};
  if (!r.root)
    return 1;
  if (!strcmp(mode, "passes-h"))
    return emitPassesHeader(&r, out), 0;
  if (!strcmp(mode, "passes-cpp"))
    return emitPassesCapi(&r, what, out), 0;
  if (!recordsInit(&r, r.root, what))
    return 1;
  if (!strcmp(mode, "header"))
    return emitHeader(&r, out), 0;
  if (!strcmp(mode, "capi"))
    return emitCapi(&r, out), 0;
  fprintf(stderr, "tile-cgen: unknown mode '%s'\n", mode);
  return 2;
}

static int generateKinds(const char *mode, int n, char **pairs, FILE *out) {
  static Records rs[MAX_DIALECTS];
  if (n / 2 > MAX_DIALECTS)
    return 2;
  for (int i = 0; i < n / 2; ++i) {
    const json_t *root = load(pairs[2 * i + 1]);
    if (!root || !recordsInit(&rs[i], root, pairs[2 * i]))
      return 1;
  }
  if (!strcmp(mode, "kinds-h"))
    emitKindsHeader(rs, (size_t)n / 2, out);
  else
    emitKindsSource(rs, (size_t)n / 2, out);
  return 0;
}

int main(int argc, char **argv) {
  bool kinds = argc > 4 && !strncmp(argv[1], "kinds-", 6) && (argc - 3) % 2 == 0;
  if (!kinds && argc != 5) {
    fprintf(stderr, "usage: tile-cgen header|capi|passes-h|passes-cpp NAME RECORDS.json OUT\n"
                    "       tile-cgen kinds-h|kinds-c OUT DIALECT RECORDS.json ...\n");
    return 2;
  }
  char *data = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&data, &size);
  if (!out)
    return 1;
  int status =
      kinds ? generateKinds(argv[1], argc - 3, argv + 3, out) : generateOne(argv[1], argv[2], argv[3], out);
  fclose(out);
  if (!status)
    status = writeFile(kinds ? argv[2] : argv[4], data, size);
  free(data);
  return status;
}
