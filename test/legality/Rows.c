/* Rows.c - reads rows.txt: variables, their combinations, types in short. */
#include "Rows.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_VARIABLES = 8, MAX_VALUES = 256 };

typedef struct Variable {
  char name;
  const char *values[MAX_VALUES];
  int numValues, chosen;
} Variable;

typedef struct Line {
  int number;
  bool optional;
  TileVendor vendor;
  Variable variables[MAX_VARIABLES];
  int numVariables;
  const char *signature, *body;
} Line;

static bool complain(const char *name, int line, const char *what) {
  fprintf(stderr, "%s:%d: %s\n", name, line, what);
  return false;
}

static char *trim(char *text) {
  while (isspace((unsigned char)*text))
    ++text;
  size_t n = strlen(text);
  while (n && isspace((unsigned char)text[n - 1]))
    text[--n] = 0;
  return text;
}

// ---- Types in short: v4f32 and p1 ----

static bool isNumberAt(const char *text, size_t *out_digits) {
  *out_digits = strspn(text, "0123456789");
  return *out_digits > 0;
}

static const char *longType(TileArena *arena, const char *text) {
  size_t digits;
  if (*text == 'p' && isNumberAt(text + 1, &digits) && !text[1 + digits])
    return text[1] == '0' ? "!llvm.ptr" : tileArenaFormat(arena, "!llvm.ptr<%s>", text + 1);
  if (*text == 'v' && isNumberAt(text + 1, &digits))
    return tileArenaFormat(arena, "vector<%.*sx%s>", (int)digits, text + 1,
                           longType(arena, text + 1 + digits));
  return text;
}

// ---- Variables ----

static bool addVariable(Rows *rows, Line *line, const char *word, const char *file) {
  if (!isupper((unsigned char)word[0]) || word[1] != '=' || line->numVariables == MAX_VARIABLES)
    return complain(file, line->number, "expected variables such as T=i32,f16");
  Variable *v = &line->variables[line->numVariables++];
  *v = (Variable){.name = word[0]};
  for (const char *at = word + 2; *at; at += *at == ',') {
    size_t length = strcspn(at, ",");
    if (v->numValues == MAX_VALUES)
      return complain(file, line->number, "too many values");
    v->values[v->numValues++] = longType(&rows->arena, tileArenaCopy(&rows->arena, at, length));
    at += length;
  }
  return true;
}

/* The value of a variable; E that is not given is the element of the vector T. */
static const char *valueOf(Rows *rows, const Line *line, char name) {
  const char *tensor = NULL;
  for (int i = 0; i < line->numVariables; ++i) {
    const Variable *v = &line->variables[i];
    if (v->name == name)
      return v->values[v->chosen];
    if (v->name == 'T')
      tensor = v->values[v->chosen];
  }
  const char *x = name == 'E' && tensor && !strncmp(tensor, "vector<", 7) ? strchr(tensor + 7, 'x') : NULL;
  return x ? tileArenaCopy(&rows->arena, x + 1, strlen(x) - 2) : NULL;
}

static bool isWordCharacter(char c) { return isalnum((unsigned char)c) || c == '_' || c == '%' || c == '@'; }

/* Copies the text with every variable that stands alone or behind a $ replaced, and %0 to %7 by %a0 to %a7. */
static char *substitute(Rows *rows, const Line *line, const char *text) {
  TileStringBuilder out = {0};
  for (const char *at = text; *at; ++at) {
    bool marked = *at == '$' && isupper((unsigned char)at[1]);
    bool alone = (at == text || !isWordCharacter(at[-1])) && !isWordCharacter(at[1]);
    at += marked;
    const char *value = (marked || alone) && isupper((unsigned char)*at) ? valueOf(rows, line, *at) : NULL;
    if (value)
      tileStringAppendText(&out, value);
    else
      tileStringAppend(&out, at, 1);
    if (*at == '%' && isdigit((unsigned char)at[1]))
      tileStringAppendText(&out, "a");
  }
  char *copy = tileArenaCopy(&rows->arena, out.data ? out.data : "", out.length);
  tileStringRelease(&out);
  return copy;
}

// ---- Examples ----

static Example *newExample(Rows *rows) {
  if (rows->numExamples == rows->capacity) {
    rows->capacity = rows->capacity ? 2 * rows->capacity : 1024;
    rows->examples = realloc(rows->examples, rows->capacity * sizeof *rows->examples);
    if (!rows->examples)
      abort();
  }
  Example *e = &rows->examples[rows->numExamples++];
  *e = (Example){0};
  return e;
}

static bool mentions(const char *text, const char *const *words) {
  for (; *words; ++words)
    if (strstr(text, *words))
      return true;
  return false;
}

static TileVendor vendorOf(const Line *line, const char *body) {
  static const char *const nvidia[] = {"nvvm", "tile_nv", NULL}, *const amd[] = {"rocdl", "amdgcn", NULL};
  if (line->vendor != TileVendor_None)
    return line->vendor;
  return mentions(body, nvidia) ? TileVendor_NVIDIA : mentions(body, amd) ? TileVendor_AMD : TileVendor_None;
}

/* "(T, i1) -> U" */
static bool parseSignature(Rows *rows, Example *e, char *text) {
  char *arrow = strstr(text, "->"), *close = strchr(text, ')');
  if (*text != '(' || !arrow || !close || close > arrow)
    return false;
  *close = 0;
  char *save = NULL;
  for (char *word = strtok_r(text + 1, ", ", &save); word; word = strtok_r(NULL, ", ", &save)) {
    if (e->numOperands == MAX_OPERANDS)
      return false;
    e->operands[e->numOperands++] = longType(&rows->arena, word);
  }
  const char *result = trim(arrow + 2);
  e->result = strcmp(result, "()") ? longType(&rows->arena, result) : NULL;
  return true;
}

static bool parseBody(Example *e, char *text) {
  char *save = NULL;
  e->keyed = -1;
  for (char *word = strtok_r(text, ";", &save); word; word = strtok_r(NULL, ";", &save)) {
    if (e->numStatements == MAX_STATEMENTS)
      return false;
    word = trim(word);
    if (*word == '!')
      e->keyed = e->numStatements, ++word;
    e->statements[e->numStatements++] = word;
  }
  if (e->keyed < 0)
    e->keyed = e->numStatements - 1;
  return e->numStatements > 0;
}

static bool addExample(Rows *rows, const Line *line, const char *file) {
  char *signature = substitute(rows, line, line->signature), *body = substitute(rows, line, line->body);
  Example *e = newExample(rows);
  e->line = line->number;
  e->optional = line->optional;
  e->vendor = vendorOf(line, body);
  if (!parseSignature(rows, e, trim(signature)) || !parseBody(e, body))
    return complain(file, line->number, "expected (TYPES) -> TYPE | OPERATIONS");
  return true;
}

/* Counts the variables' values up like digits; false after the last combination. */
static bool nextCombination(Line *line) {
  for (int i = 0; i < line->numVariables; ++i) {
    if (++line->variables[i].chosen < line->variables[i].numValues)
      return true;
    line->variables[i].chosen = 0;
  }
  return false;
}

static bool readHead(Rows *rows, Line *line, char *head, const char *file) {
  char *save = NULL;
  for (char *word = strtok_r(head, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
    if (!strcmp(word, "?"))
      line->optional = true;
    else if (!strcmp(word, "nvidia"))
      line->vendor = TileVendor_NVIDIA;
    else if (!strcmp(word, "amd"))
      line->vendor = TileVendor_AMD;
    else if (!addVariable(rows, line, word, file))
      return false;
  }
  return true;
}

static bool readLine(Rows *rows, char *text, int number, const char *file) {
  text = trim(text);
  if (!*text || *text == '#')
    return true;
  char *signature = strchr(text, '|'), *body = signature ? strchr(signature + 1, '|') : NULL;
  if (!body)
    return complain(file, number, "expected VARIABLES | SIGNATURE | OPERATIONS");
  *signature = *body = 0;
  Line line = {.number = number, .signature = signature + 1, .body = body + 1};
  if (!readHead(rows, &line, text, file))
    return false;
  do
    if (!addExample(rows, &line, file))
      return false;
  while (nextCombination(&line));
  return true;
}

bool rowsRead(Rows *rows, const char *text, const char *name) {
  char *copy = tileArenaCopy(&rows->arena, text, strlen(text));
  for (int number = 1; copy; ++number) {
    char *end = strchr(copy, '\n');
    if (end)
      *end = 0;
    if (!readLine(rows, copy, number, name))
      return false;
    copy = end ? end + 1 : NULL;
  }
  return true;
}

void rowsRelease(Rows *rows) {
  free(rows->examples);
  free(rows->rows);
  tileArenaRelease(&rows->arena);
  *rows = (Rows){0};
}
