/* Operations.c - kernels with one operation on tensors, compiled by tileCompile in children.
 *
 * An example that is refused must be refused at a line of the text, before LLVM sees it. */
#include "Operations.h"
#include "Child.h"
#include "tile-c/Compile.h"
#include "tile-c/Emission.h"
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 16, COMPILED = 0, REFUSED = 10, BROKEN = 11 };

typedef struct Attempt {
  Rows *rows;
  OperationResult *results;
  const OperationOptions *options;
  size_t chip;
  const size_t *list; ///< examples
  size_t count;
  bool good;
} Attempt;

// ---- Text ----

static void appendPointers(const char *type, const char *name, const char *base, TileStringBuilder *out) {
  tileStringAppendFormat(
      out,
      "  %%%ss = tile.splat %%%s : tensor<128x!tile.ptr<%s>>\n"
      "  %%%sp = tile.addptr %%%ss, %%range : tensor<128x!tile.ptr<%s>>, tensor<128xi32>\n",
      name, base, type, name, name, type);
}

static void appendKernel(const Example *e, size_t number, TileStringBuilder *out) {
  tileStringAppendFormat(out, "func.func @k%zu(", number);
  for (int i = 0; i < e->numOperands; ++i)
    tileStringAppendFormat(out, "%%in%d: !tile.ptr<%s>, ", i, e->operands[i]);
  tileStringAppendFormat(out, "%%out: !tile.ptr<%s>) attributes {tile.kernel} {\n",
                         e->result ? e->result : "i8");
  tileStringAppendText(out, "  %range = tile.make_range 0 to 128 : tensor<128xi32>\n");
  for (int i = 0; i < e->numOperands; ++i) {
    char name[16], base[16];
    snprintf(name, sizeof name, "a%d", i);
    snprintf(base, sizeof base, "in%d", i);
    appendPointers(e->operands[i], name, base, out);
    tileStringAppendFormat(out, "  %%a%d = tile.load %%a%dp : tensor<128x!tile.ptr<%s>>\n", i, i,
                           e->operands[i]);
  }
  for (int i = 0; i < e->numStatements; ++i)
    tileStringAppendFormat(out, "  %s%s\n", i + 1 == e->numStatements && e->result ? "%r = " : "",
                           e->statements[i]);
  if (e->result) {
    appendPointers(e->result, "r", "out", out);
    tileStringAppendFormat(out, "  tile.store %%rp, %%r : tensor<128x!tile.ptr<%s>>\n", e->result);
  }
  tileStringAppendText(out, "  return\n}\n");
}

// ---- In the child ----

/* The first error: "source.mlir:LINE:COLUMN: words". */
typedef struct Refusal {
  char text[CHILD_WORDS];
  bool located;
} Refusal;

static void keepError(TileSeverity severity, const char *text, void *user) {
  Refusal *r = user;
  static const char name[] = "source.mlir:";
  if (severity != TileSeverity_Error || *r->text)
    return;
  bool located =
      !strncmp(text, name, sizeof name - 1) && text[sizeof name - 1] >= '1' && text[sizeof name - 1] <= '9';
  const char *words = located ? strstr(text, ": ") : NULL;
  r->located = words && !strstr(text, "LLVM");
  snprintf(r->text, sizeof r->text, "%s", words ? words + 2 : text);
}

static int compileOnce(const Attempt *a, const TileStringBuilder *text, bool precise, Refusal *refusal) {
  const TileTargetInfo *target = tileTargetAt(a->chip);
  TileCompileOptions options;
  TileCompileResult result;
  tileCompileOptionsInit(&options);
  options.fileName = "source.mlir";
  options.target = target->chip;
  options.precise = precise;
  options.ptxas = a->options->ptxas;
  options.diagnostic = keepError;
  options.diagnosticUser = refusal;
  TileEmit kind = TileEmit_LLVM;
  if (!a->options->binary)
    options.optLevel = 0;
  else
    kind = target->vendor == TileVendor_AMD ? TileEmit_HSACO
           : a->options->ptxas              ? TileEmit_Cubin
                                            : TileEmit_PTX;
  if (tileCompile(text->data, text->length, kind, &options, &result) == 0) {
    tileCompileResultRelease(&result);
    return COMPILED;
  }
  return refusal->located ? REFUSED : BROKEN;
}

static int compile(void *user) {
  const Attempt *a = user;
  TileStringBuilder text = {0};
  Refusal refusal = {0};
  for (size_t i = 0; i < a->count; ++i)
    appendKernel(&a->rows->examples[a->list[i]], a->list[i], &text);
  int status = compileOnce(a, &text, false, &refusal);
  if (status == COMPILED && a->options->binary)
    status = compileOnce(a, &text, true, &refusal) == COMPILED ? COMPILED : BROKEN;
  tileStringRelease(&text);
  fputs(refusal.text, stderr);
  return status;
}

// ---- In the parent ----

static void recordOne(Attempt *a, int status, const char *words) {
  size_t i = a->list[0];
  OperationResult *result = &a->results[i];
  const Example *e = &a->rows->examples[i];
  uint32_t bit = UINT32_C(1) << a->chip;
  if (status == REFUSED) {
    result->refused |= bit;
    result->words[a->chip] = tileArenaCopy(&a->rows->arena, words, strlen(words));
    return;
  }
  fprintf(stderr, "%s: line %d: %s: %s: %s\n", tileTargetAt(a->chip)->chip, e->line, e->statements[e->keyed],
          status == BROKEN ? "fails without a diagnostic at its place" : "ends the compiler", words);
  a->good = false;
}

static void tryList(Attempt *a, const size_t *list, size_t count) {
  char words[CHILD_WORDS];
  a->list = list;
  a->count = count;
  int status = count ? childRun(compile, a, words) : COMPILED;
  if (status == COMPILED) {
    for (size_t i = 0; i < count; ++i)
      a->results[list[i]].compiled |= UINT32_C(1) << a->chip;
  } else if (count == 1) {
    recordOne(a, status, words);
  } else {
    tryList(a, list, count / 2);
    tryList(a, list + count / 2, count - count / 2);
  }
}

bool operationsTry(Rows *rows, OperationResult *results, size_t chip, const OperationOptions *options) {
  Attempt a = {.rows = rows, .results = results, .options = options, .chip = chip, .good = true};
  size_t *list = calloc(rows->numExamples, sizeof *list);
  if (!list)
    return false;
  for (size_t i = 0; i < rows->numExamples; ++i)
    list[i] = i;
  for (size_t i = 0; i < rows->numExamples; i += BATCH)
    tryList(&a, list + i, rows->numExamples - i < BATCH ? rows->numExamples - i : BATCH);
  free(list);
  return a.good;
}
