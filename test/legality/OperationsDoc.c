/* OperationsDoc.c - docs/operations.md: what compiles where, and the words of each refusal. */
#include "Operations.h"
#include "Text.h"
#include <stdio.h>
#include <stdlib.h>

/* The operation's name: the first word of the keyed statement behind "%x = ", with what it calls in quotes or the kind of
 * an atomic. */
static void appendName(const Example *e, TileStringBuilder *out) {
  const char *at = e->statements[e->keyed];
  if (*at == '%' && strstr(at, " = "))
    at = strstr(at, " = ") + 3;
  tileStringAppend(out, at, strcspn(at, " ("));
  const char *quote = !strncmp(at, "tile.extern_elementwise ", 24) ? strchr(at, '"') : NULL;
  if (quote)
    tileStringAppendFormat(out, " %.*s", (int)strcspn(quote + 1, "\""), quote + 1);
  if (!strncmp(at, "tile.atomic_rmw ", 16))
    tileStringAppendFormat(out, " %.*s", (int)strcspn(at + 16, " "), at + 16);
}

/* "i8 to f32", "f16". Masks and addresses are the same in all examples and need no mention. */
static void appendTypes(const Example *e, TileStringBuilder *out) {
  const char *first = e->numOperands ? e->operands[e->numOperands - 1] : "";
  if (e->numOperands == 1 && e->result && !strcmp(first, "i64") && strstr(e->statements[0], "int_to_ptr"))
    first = e->result;
  tileStringAppendText(out, first);
  if (e->result && strcmp(first, e->result))
    tileStringAppendFormat(out, " to %s", e->result);
}

/* A refusal without what differs between types and functions: T is the type, F the function. */
static void appendWords(const Example *e, const char *words, TileStringBuilder *out) {
  const char *op = *words == '\'' ? strstr(words, "' op ") : NULL;
  const char *type = e->numOperands ? e->operands[e->numOperands - 1] : "", *f = "__nv_";
  bool said = strstr(words, "expected its form"); /* the first place only: others say what is expected */
  if (op)
    words = op + strlen("' op ");
  while (*words) {
    size_t length = strcspn(words, " ,'");
    if (!said && length == strlen(type) && !strncmp(words, type, length)) {
      tileStringAppendText(out, "T");
      said = true;
    } else if (!strncmp(words, f, strlen(f)))
      tileStringAppendText(out, "F");
    else
      tileStringAppend(out, words, length);
    words += length;
    length = strspn(words, " ,'");
    tileStringAppend(out, words, length);
    words += length;
  }
}

/* An operation on some types, then a line of the page: names and types that fare alike. */
typedef struct Entry {
  char *name, *types, *words; ///< words: of a refusal, or ""
  uint32_t compiled;
} Entry;

typedef struct Entries {
  Entry *list;
  size_t count;
} Entries;

static void release(Entry *e) {
  free(e->name);
  free(e->types);
  free(e->words);
}

static Entry entryOf(const Example *e, const OperationResult *result) {
  TileStringBuilder name = {0}, types = {0}, words = {0};
  appendName(e, &name);
  appendTypes(e, &types);
  tileStringAppendText(&words, "");
  for (size_t i = 0; i < MAX_CHIPS && !words.length; ++i)
    if (result->words[i])
      appendWords(e, result->words[i], &words);
  return (Entry){tileStringTake(&name, NULL), tileStringTake(&types, NULL), tileStringTake(&words, NULL),
                 result->compiled};
}

/* Adds what an example says to the entry of its name and types. An entry compiles where all its examples do. */
static void addExample(Entries *all, Entry added) {
  for (size_t i = 0; i < all->count; ++i) {
    Entry *known = &all->list[i];
    if (strcmp(known->name, added.name) || strcmp(known->types, added.types))
      continue;
    known->compiled &= added.compiled;
    if (!*known->words) {
      char *words = known->words;
      known->words = added.words;
      added.words = words;
    }
    release(&added);
    return;
  }
  all->list[all->count++] = added;
}

/* `name` behind others: without its first word if theirs begin with it and go on. */
static const char *shortName(const char *names, const char *name) {
  size_t first = strcspn(name, " ");
  bool same = name[first] && !strncmp(names, name, first + 1);
  return same ? name + first + 1 : name;
}

static void join(char **text, const char *between, const char *more) {
  TileStringBuilder out = {0};
  tileStringAppendFormat(&out, "%s%s%s", *text, between, more);
  free(*text);
  *text = tileStringTake(&out, NULL);
}

static bool alike(const Entry *a, const Entry *b) {
  return a->compiled == b->compiled && !strcmp(a->words, b->words);
}

/* Joins entries into the first that they are like: of one name their types, or of the same types their names. */
static void merge(Entries *all, bool names) {
  size_t kept = 0;
  for (size_t i = 0; i < all->count; ++i) {
    Entry e = all->list[i];
    size_t k = 0;
    while (k < kept && !(alike(&all->list[k], &e) &&
                         !strcmp(names ? all->list[k].types : all->list[k].name, names ? e.types : e.name)))
      ++k;
    if (k == kept) {
      all->list[kept++] = e;
      continue;
    }
    if (names)
      join(&all->list[k].name, "`, `", shortName(all->list[k].name, e.name));
    else
      join(&all->list[k].types, ", ", e.types);
    release(&e);
  }
  all->count = kept;
}

static void appendLine(const Entry *e, TileStringBuilder *out) {
  tileStringAppendFormat(out, "| `%s` | %s | ", e->name, e->types);
  textAppendChips(e->compiled, out);
  tileStringAppendFormat(out, " | %s |\n", e->words);
}

static const char head[] = "# Operations, types and chips\n\n"
                           "Generated by `tile-operations`; do not edit.\n\n"
                           "Each operation of `test/legality/operations.txt` on tensors, compiled for each "
                           "chip by itself, with and without\n"
                           "`--math=precise`, to LLVM IR of [legal operations](legality.md) (tests go on to "
                           "PTX and code objects). Where it is\n"
                           "not compiled, the last column is the error at the operation; T is the type, F "
                           "the function. `ninja -C build\n"
                           "operations-page` writes this page.\n\n"
                           "| operation | types | compiled for | else |\n|---|---|---|---|\n";

bool operationsWriteDoc(const Rows *rows, const OperationResult *results, const char *path, bool check) {
  Entries all = {calloc(rows->numExamples + 1, sizeof(Entry)), 0};
  TileStringBuilder out = {0};
  if (!all.list)
    return false;
  for (size_t i = 0; i < rows->numExamples; ++i)
    addExample(&all, entryOf(&rows->examples[i], &results[i]));
  merge(&all, false);
  merge(&all, true);
  tileStringAppendText(&out, head);
  for (size_t i = 0; i < all.count; ++i) {
    appendLine(&all.list[i], &out);
    release(&all.list[i]);
  }
  free(all.list);
  return textFinish(&out, path, check);
}
