/* Try.c - compiles many examples at once in a child process; what fails is halved until it is one. */
#include "Try.h"
#include "Child.h"
#include "tile-c/Emission.h"
#include "tile-c/Passes.h"
#include "tile-c/Session.h"
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 64 };

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

/* In the child; 0: compiled. */
static int compile(void *user) {
  const Attempt *a = user;
  static const TileExpandTileNVParams params;
  TileStringBuilder text = {0};
  bool nvidia = a->target->vendor == TileVendor_NVIDIA;
  appendModule(a, &text);
  MlirModule module =
      tileParseModule(a->options->context, mlirStringRefCreate(text.data, text.length), "examples");
  if (mlirModuleIsNull(module) ||
      (nvidia && tileFailed(tileExpandTileNVRun(mlirModuleGetOperation(module), &params))))
    return 1;
  if (!nvidia)
    return !(emit(a, module, TileEmit_AMDGCN, 3) && emit(a, module, TileEmit_HSACO, 0));
  return !(emit(a, module, TileEmit_PTX, 3) && emit(a, module, TileEmit_PTX, 0) &&
           (!a->options->ptxas || emit(a, module, TileEmit_Cubin, 0)));
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
  char reason[CHILD_WORDS];
  if (a.count == 0 || childRun(compile, &a, reason) == 0)
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
