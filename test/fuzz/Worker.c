/* Worker.c - fuzz-worker: libtile behind a pipe, so that one process compiles and executes thousands of kernels.
 *
 * Reads one command a line and answers each with one line, "ok" or "error MESSAGE" (diagnostics joined by " | "):
 *
 *   set FIELD VALUE             warps, stages, precise, fma, disable, kernel or file (the text to work on)
 *   arg buf TYPE COUNT IN OUT   a buffer: raw elements of file IN; after a run written to OUT ("-": not)
 *   arg int TYPE VALUE          a scalar; likewise arg float TYPE VALUE
 *   cpu X Y Z                   executes the kernel on the arguments, then forgets them
 *   sim CHIP X Y Z              the same on a simulated chip
 *   compile CHIP KIND OUT       KIND as in tile-translate --emit ("-": OUT is not written)
 *
 * Words hold no spaces. A malformed command ends the process with status 2. */
#include "FuzzArguments.h"
#include "tile-c/Compile.h"
#include "tile-c/Simulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 4096 };

typedef struct Worker {
  TileCompileOptions options;
  char kernel[256], file[1024], disable[256];
  char *text;
  size_t size;
  FuzzArguments arguments;
  char messages[4096]; ///< diagnostics of the current command
} Worker;

static void onDiagnostic(TileSeverity severity, const char *text, void *user) {
  Worker *w = user;
  size_t used = strlen(w->messages);
  if (severity != TileSeverity_Error || used + 8 > sizeof w->messages)
    return;
  snprintf(w->messages + used, sizeof w->messages - used, "%s%s", used ? " | " : "", text);
  for (char *c = w->messages; *c; ++c)
    if (*c == '\n' || *c == '\r')
      *c = ' ';
}

static void answer(const Worker *w, int failed) {
  if (failed)
    printf("error %s\n", w->messages[0] ? w->messages : "without a diagnostic");
  else
    puts("ok");
  fflush(stdout);
}

static int setField(Worker *w, const char *field, const char *value) {
  if (!strcmp(field, "warps"))
    w->options.numWarps = atoi(value);
  else if (!strcmp(field, "stages"))
    w->options.numStages = atoi(value);
  else if (!strcmp(field, "disable")) {
    snprintf(w->disable, sizeof w->disable, "%s", value);
    w->options.disable = strcmp(value, "-") ? w->disable : NULL;
  } else if (!strcmp(field, "precise"))
    w->options.precise = atoi(value);
  else if (!strcmp(field, "fma"))
    w->options.noFpContract = !atoi(value);
  else if (!strcmp(field, "kernel"))
    snprintf(w->kernel, sizeof w->kernel, "%s", value);
  else if (!strcmp(field, "file")) {
    free(w->text);
    snprintf(w->file, sizeof w->file, "%s", value);
    w->text = fuzzReadFile(value, &w->size);
    return w->text != NULL;
  } else
    return 0;
  return 1;
}

/* The options of one call. */
static TileCompileOptions optionsOf(Worker *w, const char *target) {
  TileCompileOptions o = w->options;
  o.fileName = w->file;
  o.target = target;
  o.kernel = w->kernel[0] && strcmp(w->kernel, "-") ? w->kernel : NULL;
  o.diagnostic = onDiagnostic;
  o.diagnosticUser = w;
  w->messages[0] = 0;
  return o;
}

static TileArgument argumentOf(const FuzzArgument *a) {
  TileArgument r = {
      .type = a->type, .isBuffer = a->isBuffer, .data = a->data, .numElements = (int64_t)a->count};
  if (!a->isBuffer && tileElementTypeIsFloat(a->type))
    r.scalar.f = strtod(a->text, NULL);
  else if (!a->isBuffer)
    r.scalar.i = strtoll(a->text, NULL, 10);
  return r;
}

/* On the cpu device, or on a simulated chip. */
static void execute(Worker *w, const char *chip, char **sizes) {
  TileCompileOptions o = optionsOf(w, chip);
  TileSimOptions sim = {.checks = TileSimCheck_Default, .numThreads = 1};
  TileArgument arguments[FUZZ_MAX_ARGUMENTS];
  const uint32_t grid[3] = {(uint32_t)atoi(sizes[0]), (uint32_t)atoi(sizes[1]), (uint32_t)atoi(sizes[2])};
  size_t n = w->arguments.count;
  for (size_t i = 0; i < n; ++i)
    arguments[i] = argumentOf(&w->arguments.at[i]);
  int failed = chip ? tileExecuteSim(w->text, w->size, &o, grid, arguments, n, &sim)
                    : tileExecuteCpu(w->text, w->size, &o, grid, arguments, n);
  failed = failed || !fuzzWriteOutputs(&w->arguments);
  fuzzForget(&w->arguments);
  answer(w, failed);
}

static void compile(Worker *w, const char *target, TileEmit emit, const char *out) {
  TileCompileOptions o = optionsOf(w, target);
  TileCompileResult result = {0};
  int failed = tileCompile(w->text, w->size, emit, &o, &result);
  if (!failed && strcmp(out, "-")) {
    char manifest[MAX_LINE + 8];
    snprintf(manifest, sizeof manifest, "%s.json", out);
    failed = !fuzzWriteFile(out, result.data, result.size) ||
             (result.manifest && !fuzzWriteFile(manifest, result.manifest, result.manifestSize));
  }
  tileCompileResultRelease(&result);
  answer(w, failed);
}

static int obey(Worker *w, char **word, int words) {
  TileEmit emit;
  if (words == 3 && !strcmp(word[0], "set")) {
    if (!setField(w, word[1], word[2]))
      return 0;
    answer(w, 0);
  } else if (words > 1 && !strcmp(word[0], "arg")) {
    if (!fuzzAddArgument(&w->arguments, word, words))
      return 0;
    answer(w, 0);
  } else if (words == 4 && w->text && !strcmp(word[0], "cpu"))
    execute(w, NULL, word + 1);
  else if (words == 5 && w->text && !strcmp(word[0], "sim"))
    execute(w, word[1], word + 2);
  else if (words == 4 && w->text && !strcmp(word[0], "compile") && tileEmitParse(word[2], &emit))
    compile(w, word[1], emit, word[3]);
  else
    return 0;
  return 1;
}

int main(void) {
  static Worker w;
  char line[MAX_LINE];
  tileCompileOptionsInit(&w.options);
  while (fgets(line, sizeof line, stdin)) {
    char *word[8];
    int words = fuzzSplit(line, word, 8);
    if (words && !obey(&w, word, words)) {
      fprintf(stderr, "fuzz-worker: cannot obey '%s'\n", word[0]);
      return 2;
    }
  }
  fuzzForget(&w.arguments);
  free(w.text);
  return 0;
}
