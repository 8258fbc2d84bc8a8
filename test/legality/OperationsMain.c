/* OperationsMain.c - tile-operations: compiles each operation of the source for each chip.
 *
 *   tile-operations OPERATIONS [--chip=CHIP]... [--binary [--ptxas=PATH]] [--doc=DOC.md [--check]]
 *
 * As far as LLVM IR whose operations tile-check-legality has let pass; --binary: to PTX or a code object, with
 * --math=precise too, which takes many times longer.
 * Fails if an operation is neither compiled nor refused with a diagnostic at its place. --doc wants all chips. */
#include "Operations.h"
#include "Text.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct Arguments {
  const char *operations, *doc;
  uint32_t chips;
  bool check;
  OperationOptions options;
} Arguments;

static bool addChip(Arguments *a, const char *name) {
  for (size_t i = 0; i < tileTargetCount(); ++i)
    if (!strcmp(tileTargetAt(i)->chip, name)) {
      a->chips |= UINT32_C(1) << i;
      return true;
    }
  return false;
}

static bool parseArguments(int argc, char **argv, Arguments *a) {
  *a = (Arguments){0};
  for (int i = 1; i < argc; ++i) {
    const char *value = strchr(argv[i], '=');
    if (!strncmp(argv[i], "--chip=", 7)) {
      if (!addChip(a, value + 1))
        return false;
    } else if (!strncmp(argv[i], "--ptxas=", 8)) {
      a->options.ptxas = value + 1;
    } else if (!strncmp(argv[i], "--doc=", 6)) {
      a->doc = value + 1;
    } else if (!strcmp(argv[i], "--binary")) {
      a->options.binary = true;
    } else if (!strcmp(argv[i], "--check")) {
      a->check = true;
    } else if (*argv[i] == '-' || a->operations) {
      return false;
    } else {
      a->operations = argv[i];
    }
  }
  uint32_t all = (UINT32_C(1) << tileTargetCount()) - 1;
  a->chips = a->chips ? a->chips : all;
  return a->operations && (!a->doc || a->chips == all);
}

int main(int argc, char **argv) {
  Arguments a;
  Rows rows = {0};
  size_t size;
  if (!parseArguments(argc, argv, &a)) {
    fprintf(stderr, "usage: tile-operations OPERATIONS [--chip=CHIP]... [--binary [--ptxas=PATH]] "
                    "[--doc=DOC.md [--check]]\n");
    return 2;
  }
  char *text = textReadFile(a.operations, &size);
  bool good = text && rowsRead(&rows, text, a.operations);
  free(text);
  OperationResult *results = calloc(rows.numExamples + 1, sizeof *results);
  printf("%zu examples\n", rows.numExamples);
  for (size_t i = 0; i < tileTargetCount() && results; ++i)
    if (rows.numExamples && a.chips >> i & 1)
      good = operationsTry(&rows, results, i, &a.options) && good;
  if (a.doc && results)
    good = operationsWriteDoc(&rows, results, a.doc, a.check) && good;
  free(results);
  rowsRelease(&rows);
  return good ? 0 : 1;
}
