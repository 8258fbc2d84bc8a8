/* Main.c - tile-legality: tries what LLVM can compile, and writes it down.
 *
 *   tile-legality ROWS [--chip=CHIP]... [--ptxas=PATH] [--verbose] [--kinds=OPKIND.H --table=TABLE.c]
 * [--doc=DOC.md]
 *                 [--known] [--new] [--check]
 *
 * What is not tried is taken from the table that this program was linked with.
 * --chip: only these chips are tried. --new: only rows that the table lacks. --known: nothing is; a row that
 * the table lacks is an error. --check: compare with the files that --table and --doc name instead of writing
 * them. */
#include "Text.h"
#include "Try.h"
#include "Write.h"
#include "mlir-c/IR.h"
#include "tile-c/Emission.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct Arguments {
  const char *rows, *table, *doc, *kinds, *ptxas;
  uint32_t chips;
  bool verbose, known, fresh, check;
} Arguments;

static bool takeValue(const char *argument, const char *name, const char **out) {
  size_t n = strlen(name);
  if (strncmp(argument, name, n) || argument[n] != '=')
    return false;
  *out = argument + n + 1;
  return true;
}

static bool addChip(Arguments *a, const char *name) {
  for (size_t i = 0; i < tileTargetCount(); ++i)
    if (!strcmp(tileTargetAt(i)->chip, name)) {
      a->chips |= UINT32_C(1) << i;
      return true;
    }
  fprintf(stderr, "unknown chip '%s'\n", name);
  return false;
}

static bool parseArguments(int argc, char **argv, Arguments *a) {
  *a = (Arguments){0};
  for (int i = 1; i < argc; ++i) {
    const char *chip = NULL;
    if (!strcmp(argv[i], "--verbose"))
      a->verbose = true;
    else if (!strcmp(argv[i], "--known"))
      a->known = true;
    else if (!strcmp(argv[i], "--new"))
      a->fresh = true;
    else if (!strcmp(argv[i], "--check"))
      a->check = true;
    else if (takeValue(argv[i], "--chip", &chip)) {
      if (!addChip(a, chip))
        return false;
    } else if (!takeValue(argv[i], "--table", &a->table) && !takeValue(argv[i], "--doc", &a->doc) &&
               !takeValue(argv[i], "--kinds", &a->kinds) && !takeValue(argv[i], "--ptxas", &a->ptxas)) {
      if (*argv[i] == '-' || a->rows)
        return false;
      a->rows = argv[i];
    }
  }
  if (!a->chips && !a->known)
    a->chips = (UINT32_C(1) << tileTargetCount()) - 1;
  return a->rows && (!a->table || a->kinds);
}

static bool sameChips(void) {
  bool good = tileLegalityNumChips == tileTargetCount();
  for (size_t i = 0; i < tileLegalityNumChips && good; ++i)
    good = !strcmp(tileLegalityChips[i], tileTargetAt(i)->chip);
  return good;
}

static const TileLegalityRow *linkedRow(const Row *row) {
  const TileLegalityRow *linked = tileLegalityRows, *end = linked + tileLegalityNumRows;
  while (linked < end && !tileLegalityKeyMatches(&row->key, linked))
    ++linked;
  return linked < end ? linked : NULL;
}

/* Sets what to try for each row, and takes the rest from the linked table. */
static bool planRows(const Arguments *a, Rows *rows) {
  uint32_t all = (UINT32_C(1) << tileTargetCount()) - 1;
  bool useLinked = sameChips(), good = true;
  if (!useLinked && a->chips != all) {
    fprintf(stderr, "the table is for other chips\n");
    return false;
  }
  for (size_t i = 0; i < rows->numRows; ++i) {
    Row *row = &rows->rows[i];
    const TileLegalityRow *linked = useLinked ? linkedRow(row) : NULL;
    row->plan = a->fresh && linked ? 0 : a->chips;
    row->chips = linked ? linked->chips & ~row->plan : 0;
    if (!linked && row->plan != all) {
      fprintf(stderr, "the table lacks %s; make it anew (ninja legality-new)\n", rowText(row));
      good = false;
    }
  }
  return good;
}

static MlirContext createContext(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterAllDialects(registry);
  tileRegisterTranslations(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  return context;
}

static bool work(const Arguments *a, Rows *rows, MlirContext context) {
  TryOptions options = {.context = context, .ptxas = a->ptxas, .verbose = a->verbose};
  size_t size;
  char *text = textReadFile(a->rows, &size);
  bool good = text && rowsRead(rows, text, a->rows) && rowsFindKeys(rows, context, a->rows);
  free(text);
  if (!good)
    return false;
  printf("%zu examples, %zu rows\n", rows->numExamples, rows->numRows);
  if (!planRows(a, rows))
    return false;
  for (size_t i = 0; i < tileTargetCount(); ++i)
    tryChip(rows, i, &options);
  bool table = !a->table || writeTable(rows, a->kinds, a->table, a->check);
  return (!a->doc || writeDoc(rows, a->doc, a->check)) && table;
}

int main(int argc, char **argv) {
  Arguments a;
  if (!parseArguments(argc, argv, &a)) {
    fprintf(stderr, "usage: tile-legality ROWS [--chip=CHIP]... [--ptxas=PATH] [--verbose] [--kinds=OPKIND.H "
                    "--table=TABLE.c] [--doc=DOC.md] [--known] [--new] [--check]\n");
    return 2;
  }
  tileInstallFatalErrorHandler("tile-legality");
  Rows rows = {0};
  MlirContext context = createContext();
  bool good = work(&a, &rows, context);
  rowsRelease(&rows);
  mlirContextDestroy(context);
  return good ? 0 : 1;
}
