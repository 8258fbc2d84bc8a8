/* Options.c - tile-translate's command line: one table of options, read by the parser and by --help. */
#include "TileTranslate.h"
#include "tile-c/Target.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum ValueKind { Value_None, Value_Required, Value_Optional } ValueKind;

typedef struct Option {
  const char *name;
  ValueKind kind;
  const char *value; ///< its spelling in --help
  const char *help;
  /// Takes the value; returns what was expected on a wrong one, else NULL.
  const char *(*set)(TranslateOptions *options, const char *value);
} Option;

static const char emitKinds[] =
    "tile, tile_gpu, llvm-dialect, llvm, ptx, cubin, amdgcn, hsaco, manifest or report";

static const char *setInt(const char *text, long low, long high, int *out_value, const char *expected) {
  char *end;
  long value = strtol(text, &end, 10);
  if (!isdigit((unsigned char)*text) || *end || value < low || value > high) // no blanks, no signs
    return expected;
  *out_value = (int)value;
  return NULL;
}

static const char *setHelp(TranslateOptions *o, const char *value) { return o->help = true, NULL; }
static const char *setVersion(TranslateOptions *o, const char *value) { return o->version = true, NULL; }
/// "-" is standard output, as without the option.
static const char *setOutput(TranslateOptions *o, const char *value) {
  o->output = strcmp(value, "-") != 0 ? value : NULL;
  return *value ? NULL : "the name of a file, or - for standard output";
}

static const char *setTarget(TranslateOptions *o, const char *value) {
  o->compile.target = value;
  return tileTargetLookup(value) ? NULL : tileTargetNames();
}

static const char *setEmit(TranslateOptions *o, const char *value) {
  o->hasEmit = tileEmitParse(value, &o->emit);
  return o->hasEmit ? NULL : emitKinds;
}

static const char *setKernel(TranslateOptions *o, const char *value) {
  return o->compile.kernel = value, NULL;
}

static const char *setWarps(TranslateOptions *o, const char *value) {
  const char *expected = "1, 2, 4, 8, 16 or 32, or 12 for three warp groups";
  const char *wrong = setInt(value, 1, TILE_MOST_WARPS, &o->compile.numWarps, expected);
  return wrong || tileIsWarpCount(o->compile.numWarps) ? wrong : expected;
}

static const char *setStages(TranslateOptions *o, const char *value) {
  return setInt(value, 1, TILE_MOST_STAGES, &o->compile.numStages, "a number from 1 to 16");
}

static const char *setCtas(TranslateOptions *o, const char *value) {
  return setInt(value, 1, 16, &o->compile.numCtas, "a number from 1 to 16");
}

static const char *setLevel(TranslateOptions *o, const char *value) {
  return setInt(value, 0, 3, &o->compile.optLevel, "0, 1, 2 or 3");
}

static const char *addDefine(TranslateOptions *o, const char *value) {
  const char *equals = strchr(value, '=');
  if (!equals || equals == value)
    return "NAME=VALUE";
  TileDefine *defines = realloc(o->defines, (o->numDefines + 1) * sizeof *defines);
  char *name = malloc((size_t)(equals - value) + 1);
  if (defines)
    o->defines = defines;
  if (!defines || !name) {
    free(name);
    return "less, as there is no memory";
  }
  memcpy(name, value, (size_t)(equals - value));
  name[equals - value] = 0;
  defines[o->numDefines++] = (TileDefine){name, equals + 1};
  return NULL;
}

/// One NAME=NUMBER of --auto; false if it is none.
static bool addKnown(TranslateOptions *o, const char *text, size_t length) {
  const char *equals = memchr(text, '=', length);
  char *end = NULL;
  errno = 0;
  const long long value = equals ? strtoll(equals + 1, &end, 10) : 0;
  const bool isNumber = !errno;
  TileKnown *known = realloc(o->known, (o->numKnown + 1) * sizeof *known);
  char *name = equals ? malloc((size_t)(equals - text) + 1) : NULL;
  if (known)
    o->known = known;
  if (!known || !name || equals == text || end != text + length ||
      !(isdigit((unsigned char)equals[1]) || equals[1] == '-') || !isNumber) {
    free(name);
    return false;
  }
  memcpy(name, text, (size_t)(equals - text));
  name[equals - text] = 0;
  known[o->numKnown++] = (TileKnown){name, value};
  return true;
}

static const char *setAuto(TranslateOptions *o, const char *value) {
  o->automatic = true;
  for (const char *at = value; at && *at;) {
    const size_t length = strcspn(at, ",");
    if (!addKnown(o, at, length))
      return "NAME=NUMBER,... of scalar arguments";
    at += length + (at[length] == ',');
  }
  return NULL;
}

static const char *setProcessors(TranslateOptions *o, const char *value) {
  int count = 0;
  const char *wrong = setInt(value, 1, 4096, &count, "a number from 1 to 4096");
  o->compile.processors = (unsigned)count;
  return wrong;
}

static const char *setDebug(TranslateOptions *o, const char *value) { return o->compile.debug = true, NULL; }
static const char *setLines(TranslateOptions *o, const char *value) {
  return o->compile.lineTables = true, NULL;
}

static const char *setContract(TranslateOptions *o, const char *value) {
  o->compile.noFpContract = !strcmp(value, "off");
  return o->compile.noFpContract || !strcmp(value, "on") ? NULL : "on or off";
}

static const char *setMath(TranslateOptions *o, const char *value) {
  o->compile.precise = !strcmp(value, "precise");
  return o->compile.precise || !strcmp(value, "fast") ? NULL : "fast or precise";
}

static const char *setDisable(TranslateOptions *o, const char *value) {
  const char *bad;
  size_t length;
  TileTargetInfo scratch = {0};
  o->compile.disable = value;
  return tileTargetDisable(&scratch, value, &bad, &length)
             ? NULL
             : "a comma-separated list of features; --help lists them";
}

static const char *setPtxas(TranslateOptions *o, const char *value) {
  return *value ? (o->compile.ptxas = value, NULL) : "the path of ptxas";
}

static const char *setCodeObject(TranslateOptions *o, const char *value) {
  return setInt(value, 5, 6, &o->compile.codeObjectVersion, "5 or 6");
}

static const Option table[] = {
    {"--help", Value_None, "", "print this text", setHelp},
    {"-h", Value_None, "", "the same", setHelp},
    {"--version", Value_None, "", "print the version", setVersion},
    {"--target", Value_Required, "CHIP", "the chip to compile for", setTarget},
    {"--emit", Value_Required, "KIND", "what to write", setEmit},
    {"-o", Value_Required, "FILE", "where to write it (default, and -: standard output)", setOutput},
    {"--kernel", Value_Required, "NAME", "only this kernel of the file (default: all)", setKernel},
    {"--num-warps", Value_Required, "N", "warps a program (default 4): a power of two; 12 on Hopper",
     setWarps},
    {"--num-stages", Value_Required, "N", "stages of a pipelined loop (default 3)", setStages},
    {"--num-ctas", Value_Required, "N", "blocks a program: 1 (loops ask for clusters)", setCtas},
    {"--opt-level", Value_Required, "0-3", "LLVM's and ptxas's level (default 3)", setLevel},
    {"-D", Value_Required, "NAME=VALUE", "value of ${NAME} in the text", addDefine},
    {"--auto", Value_Optional, "[=NAME=N,...]",
     "choose the values that the text declares, for these arguments", setAuto},
    {"--processors", Value_Required, "N", "of the GPU that --auto is for (default: as usual)", setProcessors},
    {"--debug", Value_None, "", "keep assertions", setDebug},
    {"-g", Value_None, "", "line tables; locations in printed IR", setLines},
    {"--fp-contract", Value_Required, "on|off", "form fused multiply-adds (default on)", setContract},
    {"--math", Value_Required, "fast|precise", "division, sqrt, exp (default fast)", setMath},
    {"--disable", Value_Required, "FEATURE,...", "chip features not to use", setDisable},
    {"--ptxas", Value_Required, "PATH", "NVIDIA's assembler (default: PATH, $CUDA_HOME, ...)", setPtxas},
    {"--code-object-version", Value_Required, "5|6", "of an hsaco (default 5)", setCodeObject},
};
enum { numOptions = sizeof table / sizeof table[0] };

void translateOptionsPrintHelp(void) {
  puts("usage: tile-translate --target=CHIP --emit=KIND FILE [-o OUT] [options]\n\n"
       "Compiles the kernels of FILE (.mlir or .ttir text; - is standard input). With -o OUT, ptx, cubin "
       "and hsaco\n"
       "come with a manifest for the launcher, OUT.json; standard output gets no manifest.\n");
  for (size_t i = 0; i < numOptions; ++i) {
    char left[64];
    bool joined = table[i].kind == Value_Required && table[i].name[1] == '-';
    const char *between = joined ? "=" : table[i].kind == Value_Required ? " " : "";
    snprintf(left, sizeof left, "%s%s%s", table[i].name, between, table[i].value);
    printf("  %-27s %s\n", left, table[i].help);
  }
  printf("\nKIND: %s\nCHIP: %s\nFEATURE:", emitKinds, tileTargetNames());
  for (int i = 0; i < TileFeature_Count; ++i)
    printf("%s %s", i % 8 == 7 ? "\n        " : "", tileFeatureName((TileFeature)i));
  puts("\n\nExit status: 0 done; 1 diagnostics, or an unusable file; 2 the command line is malformed "
       "or does\nnot fit the chip or the file");
}

/// The option that `word` starts with; its value inside the word (after '=', or after -D), else NULL.
static const Option *findOption(const char *word, const char **out_value) {
  *out_value = NULL;
  for (size_t i = 0; i < numOptions; ++i) {
    size_t length = strlen(table[i].name);
    if (strncmp(word, table[i].name, length) != 0)
      continue;
    if (!word[length])
      return &table[i];
    bool isLong = table[i].name[1] == '-';
    if (isLong ? word[length] == '=' : table[i].kind == Value_Required) {
      *out_value = word + length + isLong;
      return &table[i];
    }
  }
  return NULL;
}

static TranslateStatus parseWord(int argc, char **argv, int *index, TranslateOptions *options) {
  const char *word = argv[*index], *value;
  if (word[0] != '-' || !word[1]) {
    if (options->input)
      return translateFail(TranslateStatus_Usage, "got a second file '%s', expected one", word);
    options->input = word;
    return TranslateStatus_Ok;
  }
  const Option *option = findOption(word, &value);
  if (!option)
    return translateFail(TranslateStatus_Usage, "unknown option '%s' (tile-translate --help lists them)",
                         word);
  if (option->kind == Value_None && value)
    return translateFail(TranslateStatus_Usage, "%s takes no value", option->name);
  if (option->kind == Value_Required && !value && *index + 1 < argc)
    value = argv[++*index];
  if (option->kind == Value_Required && !value)
    return translateFail(TranslateStatus_Usage, "%s needs a value, %s", option->name, option->value);
  const char *expected = option->set(options, value);
  if (expected)
    return translateFail(TranslateStatus_Usage, "%s: got '%s', expected %s", option->name, value, expected);
  return TranslateStatus_Ok;
}

/// What cannot be said of one option alone.
static TranslateStatus checkTogether(const TranslateOptions *o) {
  if (!o->input)
    return translateFail(TranslateStatus_Usage, "no file given (tile-translate --help tells the usage)");
  if (!o->hasEmit)
    return translateFail(TranslateStatus_Usage, "no --emit given, expected one of %s", emitKinds);
  if (o->automatic && !o->compile.target)
    return translateFail(TranslateStatus_Usage, "--auto needs --target, one of %s", tileTargetNames());
  bool needsTarget = o->emit != TileEmit_Tile && o->emit != TileEmit_Manifest;
  if (needsTarget && !o->compile.target)
    return translateFail(TranslateStatus_Usage, "--emit=%s needs --target, one of %s", tileEmitName(o->emit),
                         tileTargetNames());
  if (!o->compile.target)
    return TranslateStatus_Ok;
  bool amd = tileTargetLookup(o->compile.target)->vendor == TileVendor_AMD;
  if (amd ? o->emit == TileEmit_PTX || o->emit == TileEmit_Cubin
          : o->emit == TileEmit_AMDGCN || o->emit == TileEmit_HSACO)
    return translateFail(TranslateStatus_Usage, "--emit=%s is not for %s, expected %s", tileEmitName(o->emit),
                         o->compile.target, amd ? "amdgcn or hsaco" : "ptx or cubin");
  return TranslateStatus_Ok;
}

TranslateStatus translateOptionsParse(int argc, char **argv, TranslateOptions *out_options) {
  *out_options = (TranslateOptions){0};
  tileCompileOptionsInit(&out_options->compile);
  for (int i = 1; i < argc && !out_options->help && !out_options->version; ++i) {
    TranslateStatus status = parseWord(argc, argv, &i, out_options);
    if (status)
      return status;
  }
  out_options->compile.fileName =
      out_options->input && strcmp(out_options->input, "-") != 0 ? out_options->input : "<stdin>";
  out_options->compile.defines = out_options->defines;
  out_options->compile.numDefines = out_options->numDefines;
  out_options->compile.automatic = out_options->automatic ? out_options->compile.target : NULL;
  out_options->compile.known = out_options->known;
  out_options->compile.numKnown = out_options->numKnown;
  return out_options->help || out_options->version ? TranslateStatus_Ok : checkTogether(out_options);
}

void translateOptionsRelease(TranslateOptions *options) {
  for (size_t i = 0; i < options->numDefines; ++i)
    free((char *)options->defines[i].name);
  free(options->defines);
  for (size_t i = 0; i < options->numKnown; ++i)
    free((char *)options->known[i].name);
  free(options->known);
}
