/* Try.c - compiles many examples at once in a child process; what fails is halved until it is one. */
#include "Try.h"
#include "tile-c/Emission.h"
#include "tile-c/Passes.h"
#include "tile-c/Session.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 64, SECONDS = 120, REASON_BYTES = 300 };

typedef struct Attempt {
  Rows *rows;
  const TryOptions *options;
  const TileTargetInfo *target;
  uint32_t bit;
  const size_t *list; ///< examples
  size_t count;
} Attempt;

static void appendModule(const Attempt *a, TileStringBuilder *text) {
  bool amd = a->target->vendor == TileVendor_AMD;
  for (size_t i = 0; i < a->count; ++i) {
    const Example *e = &a->rows->examples[a->list[i]];
    TileStringBuilder top = {0};
    exampleAppendTop(e, &top);
    if (top.length && (!text->data || !strstr(text->data, top.data)))
      tileStringAppendText(text, top.data);
    tileStringRelease(&top);
    exampleAppendFunction(e, a->list[i], a->target->vendor, false, text);
    if (amd) /* other instructions do what is the same in all lanes */
      exampleAppendFunction(e, a->list[i], a->target->vendor, true, text);
  }
}

/* A function that the run-time system does not have would be missed at launch. */
static bool callsTheUnknown(const char *assembly) {
  for (const char *at = assembly; (at = strstr(at, ".extern .func")); ++at) {
    const char *end = strchr(at, ';');
    char *text = strndup(at, end ? (size_t)(end - at) : strlen(at));
    bool known = text && (strstr(text, "vprintf") || strstr(text, "__assertfail"));
    free(text);
    if (!known) {
      fprintf(stderr, "calls an unknown function");
      return true;
    }
  }
  if (!strstr(assembly, "@gotpcrel32") && !strstr(assembly, "@rel32"))
    return false;
  fprintf(stderr, "calls a function");
  return true;
}

static bool emit(const Attempt *a, MlirModule module, TileEmit kind, int level) {
  TileEmissionOptions how = {.target = a->target, .optLevel = level, .ptxas = a->options->ptxas};
  TileEmission emission;
  if (tileFailed(tileEmitModule(module, kind, &how, &emission)))
    return false;
  bool isText = kind == TileEmit_PTX || kind == TileEmit_AMDGCN,
       good = !isText || !callsTheUnknown(emission.data);
  tileEmissionRelease(&emission);
  return good;
}

/* In the child. */
static bool compile(const Attempt *a) {
  static const TileExpandTileNVParams params;
  TileStringBuilder text = {0};
  bool nvidia = a->target->vendor == TileVendor_NVIDIA;
  appendModule(a, &text);
  MlirModule module =
      tileParseModule(a->options->context, mlirStringRefCreate(text.data, text.length), "examples");
  if (mlirModuleIsNull(module) ||
      (nvidia && tileFailed(tileExpandTileNVRun(mlirModuleGetOperation(module), &params))))
    return false;
  if (!nvidia)
    return emit(a, module, TileEmit_AMDGCN, 3) && emit(a, module, TileEmit_HSACO, 0);
  return emit(a, module, TileEmit_PTX, 3) && emit(a, module, TileEmit_PTX, 0) &&
         (!a->options->ptxas || emit(a, module, TileEmit_Cubin, 0));
}

/* True if a child compiled it; its first words on stderr otherwise. */
static bool compileInChild(const Attempt *a, char *reason) {
  int ends[2];
  if (pipe(ends))
    return false;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    alarm(SECONDS);
    _exit(compile(a) ? 0 : 1);
  }
  close(ends[1]);
  size_t length = 0;
  char ignored[512];
  for (;;) {
    bool full = length == REASON_BYTES - 1;
    ssize_t n = full ? read(ends[0], ignored, sizeof ignored)
                     : read(ends[0], reason + length, REASON_BYTES - 1 - length);
    if (n <= 0)
      break;
    length += full ? 0 : (size_t)n;
  }
  reason[length] = 0;
  close(ends[0]);
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void recordFailure(const Attempt *a, char *reason) {
  const Example *e = &a->rows->examples[a->list[0]];
  a->rows->rows[e->row].chips &= ~a->bit;
  if (!a->options->verbose)
    return;
  reason[strcspn(reason, "\n")] = 0;
  printf("%s: line %d: %s: %s\n", a->target->chip, e->line, e->statements[e->keyed], reason);
}

static void tryList(Attempt a) {
  char reason[REASON_BYTES];
  if (a.count == 0 || compileInChild(&a, reason))
    return;
  if (a.count == 1) {
    recordFailure(&a, reason);
    return;
  }
  size_t half = a.count / 2, count = a.count;
  a.count = half;
  tryList(a);
  a.list += half;
  a.count = count - half;
  tryList(a);
}

void tryChip(Rows *rows, size_t chip, const TryOptions *options) {
  size_t *list = calloc(rows->numExamples, sizeof *list), count = 0;
  Attempt a = {.rows = rows, .options = options, .target = tileTargetAt(chip), .bit = UINT32_C(1) << chip};
  for (size_t i = 0; i < rows->numExamples && list; ++i) {
    Row *row = &rows->rows[rows->examples[i].row];
    if (!(exampleChips(&rows->examples[i]) & row->plan & a.bit))
      continue;
    row->chips |= a.bit;
    list[count++] = i;
  }
  for (size_t i = 0; i < count; i += BATCH) {
    a.list = list + i;
    a.count = count - i < BATCH ? count - i : BATCH;
    tryList(a);
  }
  free(list);
}
