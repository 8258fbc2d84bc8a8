/* Auto.c - --auto: estimates the cost of every combination of the values that a text declares and takes the least. */
#include "Auto.h"
#include "Cost.h"
#include "Report.h"
#include "tile-c/Expression.h"
#include "tile-c/IR.h"
#include "tile-c/Session.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHOSEN = 16, MAX_CANDIDATES = 100000, UNKNOWN_SIZE = 4096 };

/// A parameter to choose for.
typedef struct Digit {
  const TileParam *param;
  const char **values;
  size_t count, at;
  bool inText; ///< the text changes with it
} Digit;

typedef struct Search {
  const char *text;
  size_t size;
  TileCompileOptions options; ///< silent; its last defines are the digits' values
  const TileCompileOptions *given;
  const TileTargetInfo *target;
  TileArena *arena;
  TileSource declared;
  bool fulfilled; ///< some combination fulfils every tile.require
  Digit digits[MAX_CHOSEN];
  size_t numDigits;
  TileDefine *defines;
  MlirContext context;
  MlirModule module;
  int lasts[TILE_MAX_REQUIRES]; ///< of each tile.require the last digit that it is about; -1: none
} Search;

// ---- What is declared ----

static bool isGiven(const Search *s, const TileParam *param) {
  for (size_t i = 0; i < s->given->numDefines; ++i)
    if (strlen(s->given->defines[i].name) == param->nameLength &&
        !memcmp(s->given->defines[i].name, param->name, param->nameLength))
      return true;
  const bool warps = param->nameLength == 9 && !memcmp(param->name, "NUM_WARPS", 9);
  const bool stages = param->nameLength == 10 && !memcmp(param->name, "NUM_STAGES", 10);
  return (warps && s->given->numWarps) || (stages && s->given->numStages);
}

/// Whether a word of a text is this name.
static bool hasWord(const char *text, size_t size, const char *name, size_t nameLength) {
  for (size_t at = 0; at < size;) {
    size_t length = 0;
    while (at + length < size && (text[at + length] == '_' || isalnum((unsigned char)text[at + length])))
      ++length;
    if (length == nameLength && !memcmp(text + at, name, length))
      return true;
    at += length ? length : 1;
  }
  return false;
}

/// Whether it stands between braces, alone or in an expression.
static bool isUsed(const Search *s, const TileParam *param) {
  const char *end = s->text + s->size;
  for (const char *at = s->text; (at = memmem(at, (size_t)(end - at), "${", 2)); at += 2) {
    const char *close = memchr(at, '}', (size_t)(end - at));
    if (close && hasWord(at + 2, (size_t)(close - at) - 2, param->name, param->nameLength))
      return true;
  }
  return false;
}

/// The values after `in`, without the blanks around them.
static void splitChoices(Search *s, Digit *digit) {
  const char *at = digit->param->choices, *end = at + digit->param->choicesLength;
  size_t most = 1;
  for (const char *c = at; c < end; ++c)
    most += *c == ',';
  digit->values = tileArenaAlloc(s->arena, most, sizeof *digit->values);
  while (at < end) {
    const char *comma = memchr(at, ',', (size_t)(end - at)), *stop = comma ? comma : end;
    while (at < stop && *at == ' ')
      ++at;
    size_t length = (size_t)(stop - at);
    while (length && at[length - 1] == ' ')
      --length;
    if (length)
      digit->values[digit->count++] = tileArenaCopy(s->arena, at, length);
    at = stop + 1;
  }
}

/// Those that the text does not contain come last: they change most often and cost no parsing.
static bool collectDigits(Search *s) {
  for (int inText = 1; inText >= 0; --inText)
    for (size_t i = 0; i < s->declared.numParams; ++i) {
      const TileParam *param = &s->declared.params[i];
      if (!param->choices || isGiven(s, param) || isUsed(s, param) != (inText != 0))
        continue;
      if (s->numDigits == MAX_CHOSEN) {
        tileReport(s->given, TileSeverity_Error, "--auto: more than %d parameters to choose", MAX_CHOSEN);
        return false;
      }
      s->digits[s->numDigits] = (Digit){.param = param, .inText = inText != 0};
      splitChoices(s, &s->digits[s->numDigits++]);
    }
  double all = 1;
  for (size_t i = 0; i < s->numDigits; ++i)
    all *= (double)s->digits[i].count;
  if (all <= MAX_CANDIDATES)
    return true;
  tileReport(s->given, TileSeverity_Error,
             "--auto: %.0f combinations to choose from, expected at most %d (-D fixes a value)", all,
             MAX_CANDIDATES);
  return false;
}

// ---- Names in expressions ----

static bool parseInteger(const char *text, size_t length, int64_t *out) {
  char copy[32], *end;
  if (!length || length >= sizeof copy)
    return false;
  memcpy(copy, text, length);
  copy[length] = 0;
  *out = strtoll(copy, &end, 10);
  return !*end;
}

static unsigned processorsOf(const TileCompileOptions *options) {
  return options->processors ? options->processors : tileTargetProcessors(options->automatic);
}

/// Parameters, known arguments, processors; other names are arguments that are not known.
static bool lookUp(const char *name, size_t length, int64_t *out_value, void *user) {
  const Search *s = user;
  size_t valueLength;
  const char *value = tileSourceFindValue(&s->declared, &s->options, name, length, &valueLength);
  if (value)
    return parseInteger(value, valueLength, out_value);
  for (size_t i = 0; i < s->given->numKnown; ++i)
    if (strlen(s->given->known[i].name) == length && !memcmp(s->given->known[i].name, name, length))
      return *out_value = s->given->known[i].value, true;
  *out_value = length == 10 && !memcmp(name, "processors", 10) ? processorsOf(s->given) : UNKNOWN_SIZE;
  return true;
}

static bool evaluate(Search *s, const TileSourceExpression *e, size_t from, size_t length, int64_t *out) {
  size_t at;
  if (!tileExpressionEvaluate(e->text + from, length, lookUp, s, out, &at))
    return true;
  tileReportAt(s->given, TileSeverity_Error, e->line, 1, "malformed expression at '%.*s'", (int)(length - at),
               e->text + from + at);
  return false;
}

static bool programsOf(Search *s, double *out) {
  const TileSourceExpression *grid = &s->declared.grid;
  *out = grid->text ? 1 : processorsOf(s->given);
  for (size_t from = 0, end; grid->text && from < grid->length; from = end + 1) {
    int64_t value;
    end = tileSourcePartEnd(grid, from);
    if (!evaluate(s, grid, from, end - from, &value))
      return false;
    *out *= value < 1 ? 1 : (double)value;
  }
  return true;
}

const char *tileAutoGridPart(const TileSource *source, const TileCompileOptions *options, int i,
                             TileArena *arena) {
  const TileSourceExpression *grid = &source->grid;
  size_t from = 0, end = tileSourcePartEnd(grid, 0);
  for (; i > 0 && end < grid->length; --i, end = tileSourcePartEnd(grid, from))
    from = end + 1;
  if (i > 0)
    return NULL;
  while (from < end && isspace((unsigned char)grid->text[from]))
    ++from;
  char *out = tileArenaCopy(arena, "", 0);
  for (size_t k = from; k < end;) { // words that are parameters become their values
    size_t length = 0, valueLength;
    while (k + length < end &&
           (grid->text[k + length] == '_' || isalnum((unsigned char)grid->text[k + length])))
      ++length;
    const char *value =
        length ? tileSourceFindValue(source, options, grid->text + k, length, &valueLength) : NULL;
    length += !length;
    out = value ? tileArenaFormat(arena, "%s%.*s", out, (int)valueLength, value)
                : tileArenaFormat(arena, "%s%.*s", out, (int)length, grid->text + k);
    k += length;
  }
  return out;
}

// ---- Candidates ----

static void closeModule(Search *s) {
  if (s->module.ptr)
    mlirModuleDestroy(s->module);
  s->module.ptr = NULL;
}

/// The text with the digits' values; false if it does not parse.
static bool openModule(Search *s) {
  closeModule(s);
  if (!tileSourceFill(&s->declared, s->text, s->size, &s->options))
    return false;
  s->module =
      tileParseModule(s->context, mlirStringRefCreate(s->declared.text, s->declared.size), "candidate");
  return s->module.ptr != NULL;
}

/// The row that the text declares for a descriptor, and how many of them; 0 if it does not say.
static void rowOf(Search *s, const char *name, size_t length, int64_t *out_row, int64_t *out_count) {
  *out_row = *out_count = 0;
  for (size_t i = 0; i < s->declared.numRows; ++i) {
    const TileSourceRow *r = &s->declared.rows[i];
    if (r->nameLength != length || memcmp(r->name, name, length))
      continue;
    const size_t end = tileSourcePartEnd(&r->length, 0);
    if (!evaluate(s, &r->length, 0, end, out_row))
      *out_row = 0;
    if (end < r->length.length && !evaluate(s, &r->length, end + 1, r->length.length - end - 1, out_count))
      *out_count = 0;
    return;
  }
}

/// Fills in what is known of the kernel's arguments.
static void readValues(Search *s, const TileKernelView *view, int64_t *values, bool *known, int64_t *rows,
                       int64_t *counts) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(view->entry); ++i) {
    size_t length;
    const char *name = tileSourceArgumentName(s->declared.text, s->declared.size, view->name.data,
                                              view->name.length, (size_t)i, &length);
    known[i] = length && mlirTypeIsAInteger(mlirValueGetType(mlirBlockGetArgument(view->entry, i)));
    if (known[i])
      known[i] = lookUp(name, length, &values[i], s);
    rowOf(s, name, length, &rows[i], &counts[i]);
  }
}

static double costOfKernel(Search *s, const TileKernelView *view, double programs) {
  const size_t n = (size_t)mlirBlockGetNumArguments(view->entry) + 1;
  int64_t *values = tileArenaAlloc(s->arena, n, sizeof *values), warps = 4, stages = 3;
  int64_t *rows = tileArenaAlloc(s->arena, n, sizeof *rows),
          *counts = tileArenaAlloc(s->arena, n, sizeof *counts);
  bool *known = tileArenaAlloc(s->arena, n, sizeof *known);
  size_t length;
  const char *text;
  readValues(s, view, values, known, rows, counts);
  if (s->options.numWarps)
    warps = s->options.numWarps;
  else if ((text = tileSourceFindValue(&s->declared, &s->options, "NUM_WARPS", 9, &length)))
    parseInteger(text, length, &warps);
  if (s->options.numStages)
    stages = s->options.numStages;
  else if ((text = tileSourceFindValue(&s->declared, &s->options, "NUM_STAGES", 10, &length)))
    parseInteger(text, length, &stages);
  if (!tileTargetTakesWarps(s->target, warps) || stages < 1 || stages > TILE_MOST_STAGES)
    return INFINITY;
  const TileCostInput input = {.module = s->module,
                               .kernel = view->op,
                               .target = s->target,
                               .processors = processorsOf(s->given),
                               .numWarps = (int)warps,
                               .numStages = (int)stages,
                               .programs = programs,
                               .values = values,
                               .known = known,
                               .rows = rows,
                               .rowCounts = counts};
  return tileCostEstimate(&input);
}

static void findLasts(Search *s) {
  for (size_t i = 0; i < s->declared.numRequires; ++i) {
    s->lasts[i] = -1;
    for (size_t d = 0; d < s->numDigits; ++d)
      if (hasWord(s->declared.requires[i].text, s->declared.requires[i].length, s->digits[d].param->name,
                  s->digits[d].param->nameLength))
        s->lasts[i] = (int)d;
  }
}

/// Infinity for what cannot be, whatever values the digits behind *inout_last have; negative after a diagnostic.
static double checkRequires(Search *s, int *inout_last) {
  double cost = 0;
  for (size_t i = 0; i < s->declared.numRequires; ++i) {
    int64_t holds;
    if (cost == INFINITY && s->lasts[i] >= *inout_last)
      continue;
    if (!evaluate(s, &s->declared.requires[i], 0, s->declared.requires[i].length, &holds))
      return -1;
    if (!holds) {
      cost = INFINITY;
      *inout_last = s->lasts[i];
    }
  }
  return cost;
}

/// Infinity for what cannot be; negative after a diagnostic. *inout_last: the last digit that has to change.
static double costOfCandidate(Search *s, bool isNew, int *inout_last) {
  double programs, cost = checkRequires(s, inout_last);
  if (cost)
    return cost;
  s->fulfilled = true;
  if (!programsOf(s, &programs))
    return -1;
  if ((isNew || !s->module.ptr) && !openModule(s))
    return INFINITY;
  TileKernelView view = {0};
  while (tileKernelViewNext(s->module, view.op, &view))
    if (!s->given->kernel || mlirStringRefEqual(view.name, tileStr(s->given->kernel)))
      cost += costOfKernel(s, &view, programs);
  return cost;
}

static void setDigit(Search *s, size_t i, size_t at) {
  s->digits[i].at = at;
  s->defines[s->given->numDefines + i].value = s->digits[i].values[at];
}

/// The next combination of the digits up to `last`, with the first values of those behind; false if there is none. *out_isNew: the
/// text changes.
static bool advance(Search *s, int last, bool *out_isNew) {
  *out_isNew = false;
  for (size_t i = s->numDigits; i-- > 0;) {
    const Digit *digit = &s->digits[i];
    const size_t next = (int)i > last ? 0 : (digit->at + 1) % digit->count;
    *out_isNew |= digit->inText && next != digit->at;
    setDigit(s, i, next);
    if (next)
      return true;
  }
  return false;
}

static MlirLogicalResult ignore(MlirDiagnostic diagnostic, void *user) {
  (void)diagnostic;
  (void)user;
  return tileSuccess();
}

static void openContext(Search *s) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterAllDialects(registry);
  s->context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(s->context, ignore, NULL, NULL);
}

/// Leaves the best combination in s->defines.
static bool search(Search *s) {
  const size_t given = s->given->numDefines;
  double best = INFINITY;
  const char *values[MAX_CHOSEN] = {NULL};
  bool isNew = true, more = true;
  int last = 0;
  openContext(s);
  findLasts(s);
  for (; more; more = advance(s, last, &isNew)) {
    const bool reopen = isNew;
    last = (int)s->numDigits;
    const double cost = costOfCandidate(s, reopen, &last);
    if (cost < 0)
      break;
    if (reopen && cost == INFINITY)
      closeModule(s); // the next one of the same text may have to open it
    if (cost < best) {
      best = cost;
      for (size_t i = 0; i < s->numDigits; ++i)
        values[i] = s->digits[i].values[s->digits[i].at];
    }
  }
  closeModule(s);
  mlirContextDestroy(s->context);
  if (!more && best < INFINITY) {
    for (size_t i = 0; i < s->numDigits; ++i)
      s->defines[given + i].value = values[i];
    return true;
  }
  if (!more && !s->fulfilled)
    tileReport(s->given, TileSeverity_Error,
               "--auto: none of the combinations of declared values fulfils every tile.require");
  else if (!more)
    tileReport(s->given, TileSeverity_Error,
               "--auto: none of the combinations of declared values can be compiled for %s",
               s->given->automatic);
  return false;
}

static bool chooseDeclared(Search *s, TileDefine **out_defines, size_t *out_numDefines) {
  const size_t given = s->given->numDefines;
  if (!collectDigits(s))
    return false;
  s->defines = tileArenaAlloc(s->arena, given + s->numDigits + 1, sizeof *s->defines);
  for (size_t i = 0; i < given; ++i)
    s->defines[i] = s->given->defines[i];
  for (size_t i = 0; i < s->numDigits; ++i)
    s->defines[given + i] =
        (TileDefine){tileArenaCopy(s->arena, s->digits[i].param->name, s->digits[i].param->nameLength),
                     s->digits[i].values[0]};
  s->options.defines = s->defines;
  s->options.numDefines = given + s->numDigits;
  *out_defines = s->defines;
  *out_numDefines = given + s->numDigits;
  return !s->numDigits || search(s);
}

/// A value for an argument that no kernel has is probably misspelt.
static bool checkKnown(const Search *s) {
  for (size_t i = 0; i < s->given->numKnown; ++i) {
    const char *name = s->given->known[i].name;
    if (tileSourceHasArgument(s->text, s->size, name, strlen(name), true))
      continue;
    size_t valueLength;
    const bool isDeclared =
        tileSourceFindValue(&s->declared, &s->options, name, strlen(name), &valueLength) != NULL;
    tileReport(s->given, TileSeverity_Error,
               "--auto: got a value for '%s', expected the name of an argument that is a number%s", name,
               isDeclared ? " (-D gives a tile.param its value)" : "");
    return false;
  }
  return true;
}

bool tileAutoChoose(const char *text, size_t size, const TileCompileOptions *options, TileArena *arena,
                    TileDefine **out_defines, size_t *out_numDefines) {
  Search s = {.text = text,
              .size = size,
              .options = *options,
              .given = options,
              .target = tileTargetLookup(options->automatic),
              .arena = arena};
  s.options.diagnostic = NULL;
  if (!s.target) {
    tileReport(options, TileSeverity_Error, "unknown target '%s', expected one of %s", options->automatic,
               tileTargetNames());
    return false;
  }
  const bool ok = tileSourceReadParams(&s.declared, text, size, options) && checkKnown(&s) &&
                  chooseDeclared(&s, out_defines, out_numDefines);
  tileSourceRelease(&s.declared);
  return ok;
}
