/* Options.c - tile-run's command line: one table of options, read by the parser and by --help. */
#include "TileRun.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum ValueKind { Value_None, Value_Optional, Value_Required } ValueKind;

typedef struct Option {
  const char *name;
  ValueKind kind;
  const char *value; ///< its spelling in --help
  const char *help;
  /// Takes the value (NULL if there is none); prints nothing and returns what was expected on a wrong one,
  /// else NULL.
  const char *(*set)(RunOptions *options, const char *value);
} Option;

static bool parseNumber(const char *text, uint64_t low, uint64_t high, uint64_t *out_value) {
  char *end;
  if (text[0] < '0' || text[0] > '9')
    return false;
  errno = 0;
  *out_value = strtoull(text, &end, 10);
  return !errno && !*end && *out_value >= low && *out_value <= high;
}

static const char *setInt(const char *text, uint64_t low, uint64_t high, int *out_value,
                          const char *expected) {
  uint64_t value;
  if (!parseNumber(text, low, high, &value))
    return expected;
  *out_value = (int)value;
  return NULL;
}

static const char *setReal(const char *text, double *out_value, const char *expected) {
  char *end;
  const double value = strtod(text, &end);
  if (end == text || *end || !(value >= 0))
    return expected;
  *out_value = value;
  return NULL;
}

static const char *setHelp(RunOptions *options, const char *value) { return options->help = true, NULL; }
static const char *setVersion(RunOptions *options, const char *value) {
  return options->version = true, NULL;
}

static const char *setDevice(RunOptions *options, const char *value) {
  static const char *const names[] = {"cpu", "sim", "cuda", "hip"};
  const char *expected = "cpu, sim, cuda or hip, the last two with :N for device number N";
  const size_t length = strcspn(value, ":");
  for (int i = 0; i < 4; ++i) {
    if (strlen(names[i]) != length || strncmp(names[i], value, length))
      continue;
    options->device = (RunDevice)i;
    if (!value[length])
      return NULL;
    return i < RunDevice_Cuda ? expected : setInt(value + length + 1, 0, 1023, &options->ordinal, expected);
  }
  return expected;
}

static const char *setKernel(RunOptions *options, const char *value) { return options->kernel = value, NULL; }

static const char *setGrid(RunOptions *options, const char *value) {
  const char *expected = "X, X,Y or X,Y,Z, each from 1 to 2147483647";
  uint64_t extents[3] = {1, 1, 1};
  int count = 0;
  for (const char *at = value; count < 3; ++count) {
    char number[24];
    const size_t length = strcspn(at, ",");
    snprintf(number, sizeof number, "%.*s", (int)(length < 23 ? length : 23), at);
    if (!parseNumber(number, 1, INT32_MAX, &extents[count]))
      return expected;
    if (!at[length])
      break;
    at += length + 1;
  }
  if (count == 3)
    return expected;
  for (int i = 0; i < 3; ++i)
    options->grid[i] = (uint32_t)extents[i];
  return NULL;
}

static const char *addArg(RunOptions *options, const char *value) {
  const char **args = realloc(options->args, (options->numArgs + 1) * sizeof *args);
  if (!args)
    return "less, as there is no memory";
  args[options->numArgs++] = value;
  options->args = args;
  return NULL;
}

static const char *addFile(RunFile **files, size_t *count, const char *value) {
  char number[8];
  uint64_t index;
  const char *colon = strchr(value, ':');
  snprintf(number, sizeof number, "%.*s", colon && colon - value < 7 ? (int)(colon - value) : 0, value);
  if (!colon || !colon[1] || !parseNumber(number, 0, 9999, &index))
    return "an argument's index (from 0), a colon and a file";
  RunFile *grown = realloc(*files, (*count + 1) * sizeof *grown);
  if (!grown)
    return "less, as there is no memory";
  grown[(*count)++] = (RunFile){(size_t)index, colon + 1};
  *files = grown;
  return NULL;
}

static const char *addOut(RunOptions *options, const char *value) {
  return addFile(&options->outs, &options->numOuts, value);
}

static const char *addExpect(RunOptions *options, const char *value) {
  return addFile(&options->expects, &options->numExpects, value);
}

static const char *setAgainst(RunOptions *options, const char *value) {
  options->againstCpu = true;
  return strcmp(value, "cpu") ? "cpu" : NULL;
}

static const char *setAtol(RunOptions *options, const char *value) {
  return setReal(value, &options->atol, "a number that is not negative");
}

static const char *setRtol(RunOptions *options, const char *value) {
  return setReal(value, &options->rtol, "a number that is not negative");
}

static const char *setBench(RunOptions *options, const char *value) { return options->bench = true, NULL; }

static const char *setBytes(RunOptions *options, const char *value) {
  return setReal(value, &options->bytes, "a number of bytes, such as 3e9");
}

static const char *setFlops(RunOptions *options, const char *value) {
  return setReal(value, &options->flops, "a number of operations, such as 1.1e12");
}

static const char *setTarget(RunOptions *options, const char *value) {
  return options->compile.target = value, NULL;
}

static const char *setWarps(RunOptions *options, const char *value) {
  const char *expected = "1, 2, 4, 8, 16 or 32, or 12 for three warp groups";
  const char *wrong = setInt(value, 1, TILE_MOST_WARPS, &options->compile.numWarps, expected);
  return wrong || tileIsWarpCount(options->compile.numWarps) ? wrong : expected;
}

static const char *setStages(RunOptions *options, const char *value) {
  return setInt(value, 1, TILE_MOST_STAGES, &options->compile.numStages, "a number from 1 to 16");
}

static const char *setCtas(RunOptions *options, const char *value) {
  return setInt(value, 1, 16, &options->compile.numCtas, "a number from 1 to 16");
}

static const char *setOptLevel(RunOptions *options, const char *value) {
  return setInt(value, 0, 3, &options->compile.optLevel, "0, 1, 2 or 3");
}

static const char *addDefine(RunOptions *options, const char *value) {
  const char *equals = strchr(value, '=');
  if (!equals || equals == value)
    return "NAME=VALUE";
  TileDefine *defines = realloc(options->defines, (options->numDefines + 1) * sizeof *defines);
  char *name = malloc((size_t)(equals - value) + 1);
  if (defines)
    options->defines = defines;
  if (!defines || !name) {
    free(name);
    return "less, as there is no memory";
  }
  memcpy(name, value, (size_t)(equals - value));
  name[equals - value] = 0;
  defines[options->numDefines++] = (TileDefine){name, equals + 1};
  return NULL;
}

static const char *setDebug(RunOptions *options, const char *value) {
  return options->compile.debug = true, NULL;
}
static const char *setLines(RunOptions *options, const char *value) {
  return options->compile.lineTables = true, NULL;
}

static const char *setContract(RunOptions *options, const char *value) {
  options->compile.noFpContract = !strcmp(value, "off");
  return options->compile.noFpContract || !strcmp(value, "on") ? NULL : "on or off";
}

static const char *setMath(RunOptions *options, const char *value) {
  options->compile.precise = !strcmp(value, "precise");
  return options->compile.precise || !strcmp(value, "fast") ? NULL : "fast or precise";
}

static const char *setDisable(RunOptions *options, const char *value) {
  return options->compile.disable = value, NULL;
}
static const char *setPtxas(RunOptions *options, const char *value) {
  return options->compile.ptxas = value, NULL;
}
static const char *setAuto(RunOptions *options, const char *value) { return options->automatic = true, NULL; }

static const char *setStats(RunOptions *options, const char *value) {
  options->simulatorOnly = "--stats";
  options->simulate.stats = value ? TileSimStats_Json : TileSimStats_Text;
  return !value || !strcmp(value, "json") ? NULL : "nothing or json";
}

static const char *setCheck(RunOptions *options, const char *value) {
  static const char *const names[] = {"race", "oob", "uninit", "nan"}; // in the order of TileSimCheck
  options->simulatorOnly = "--check";
  options->simulate.checks = 0;
  for (const char *at = value;; ++at) {
    const size_t length = strcspn(at, ",");
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
      if (strlen(names[i]) == length && !strncmp(names[i], at, length)) {
        options->simulate.checks |= 1u << i;
        known = true;
      }
    if (!known)
      return "a list of race, oob, uninit and nan";
    at += length;
    if (!*at)
      return NULL;
  }
}

static const char *setShuffle(RunOptions *options, const char *value) {
  options->simulatorOnly = "--shuffle";
  options->simulate.shuffle = true;
  return parseNumber(value, 0, UINT64_MAX, &options->simulate.seed) ? NULL : "a seed";
}

static const char *setMaxSteps(RunOptions *options, const char *value) {
  uint64_t steps;
  const bool known = parseNumber(value, 1, INT64_MAX, &steps);
  options->compile.maxSteps = known ? (int64_t)steps : 0;
  return known ? NULL : "a number of steps";
}

static const Option table[] = {
    {"--help", Value_None, "", "print this text", setHelp},
    {"-h", Value_None, "", "the same", setHelp},
    {"--version", Value_None, "", "print the version", setVersion},
    {"--device", Value_Required, "cpu|sim|cuda|hip",
     "where to run (default cpu); cuda:N and hip:N choose a device", setDevice},
    {"--kernel", Value_Required, "NAME", "which kernel of the file; needed if there are several", setKernel},
    {"--grid", Value_Required, "X[,Y[,Z]]", "programs to run (default: as the file says)", setGrid},
    {"--arg", Value_Required, "TYPE[N]=INIT", "the next argument, a buffer: see below", addArg},
    {"--arg", Value_Required, "TYPE=VALUE", "the next argument, a scalar", addArg},
    {"--out", Value_Required, "I:FILE.npy", "write argument I (from 0) after the run", addOut},
    {"--expect", Value_Required, "I:FILE.npy", "compare argument I with a file", addExpect},
    {"--against", Value_Required, "cpu", "run on the cpu device too and compare all buffers", setAgainst},
    {"--atol", Value_Required, "X", "absolute tolerance of comparisons (default: by type)", setAtol},
    {"--rtol", Value_Required, "X", "relative tolerance; with both 0 the bits must be equal", setRtol},
    {"--bench", Value_None, "", "time the kernel (cuda, hip)", setBench},
    {"--bytes", Value_Required, "N", "bytes that a launch moves: prints GB/s", setBytes},
    {"--flops", Value_Required, "N", "operations of a launch: prints TFLOP/s", setFlops},
    {"--target", Value_Required, "CHIP", "compile a text for this chip (default: the device's)", setTarget},
    {"--num-warps", Value_Required, "N", "warps a program", setWarps},
    {"--num-stages", Value_Required, "N", "stages of a pipelined loop", setStages},
    {"--num-ctas", Value_Required, "N", "blocks a program: 1 (loops ask for clusters)", setCtas},
    {"--opt-level", Value_Required, "0-3", "LLVM's level", setOptLevel},
    {"-D", Value_Required, "NAME=VALUE", "value of ${NAME} in a text", addDefine},
    {"--auto", Value_None, "", "let the cost rule choose the declared values", setAuto},
    {"--debug", Value_None, "", "keep assertions", setDebug},
    {"-g", Value_None, "", "line tables", setLines},
    {"--fp-contract", Value_Required, "on|off", "form fused multiply-adds", setContract},
    {"--math", Value_Required, "fast|precise", "division, sqrt, exp", setMath},
    {"--disable", Value_Required, "FEATURE,...", "chip features not to use", setDisable},
    {"--ptxas", Value_Required, "PATH", "the assembler", setPtxas},
    {"--check", Value_Required, "race,oob,uninit,nan", "what sim checks", setCheck},
    {"--stats", Value_Optional, "[=json]", "print the counters of sim", setStats},
    {"--shuffle", Value_Required, "SEED", "order of the warps in sim", setShuffle},
    {"--max-steps", Value_Required, "N", "operations after which a program on cpu or sim is stopped",
     setMaxSteps},
};

void runOptionsPrintHelp(void) {
  puts("usage: tile-run FILE [--grid=X[,Y[,Z]]] [--device=cpu|sim|cuda|hip] [--arg=...]...\n\n"
       "Runs a kernel. FILE is .mlir or .ttir text, or a cubin, PTX or hsaco with its manifest (FILE.json) "
       "beside it;\n- is standard input.\n");
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    char left[64];
    const bool joined = table[i].kind == Value_Required && table[i].name[1] == '-';
    snprintf(left, sizeof left, "%s%s%s", table[i].name,
             joined                            ? "="
             : table[i].kind == Value_Required ? " "
                                               : "",
             table[i].value);
    printf("  %-28s %s\n", left, table[i].help);
  }
  puts("\nTYPE: i1 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 f8E4M3FNUZ f8E5M2FNUZ\n"
       "INIT: zeros, ones, iota, fill:V, rand:SEED[:LOW:HIGH], randn:SEED, file:X.npy (TYPE[]=file:X.npy "
       "takes its shape),\n      arg:N (the memory of argument N);\n"
       "      f32[0]=zeros is a null pointer, f32[64,32]=... a shape in row-major order;\n"
       "      desc(f16[64,32])=..., desc(f16[64,30],strides=32x1)=... a tensor descriptor\n\n"
       "Exit status: 0 done, and every comparison holds; 1 wrong result, diagnostics, or an unusable file or "
       "device;\n"
       "2 the command line is malformed or does not fit the kernel");
}

/// Whether the option says how a text is compiled: nothing for a binary.
static bool isOfCompiler(const Option *option) {
  static const char *const names[] = {"--num-warps", "--num-stages",  "--num-ctas", "--opt-level",
                                      "-D",          "--auto",        "--debug",    "-g",
                                      "--math",      "--fp-contract", "--disable",  "--ptxas"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(option->name, names[i]))
      return true;
  return false;
}

/// The option that `word` starts with; its value inside the word (after '=', or after -D) in `out_value`,
/// else NULL.
static const Option *findOption(const char *word, const char **out_value) {
  *out_value = NULL;
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    const size_t length = strlen(table[i].name);
    if (strncmp(word, table[i].name, length))
      continue;
    if (!word[length])
      return &table[i];
    if (table[i].name[1] == '-' ? word[length] == '=' : table[i].kind == Value_Required) {
      *out_value = word + length + (table[i].name[1] == '-');
      return &table[i];
    }
  }
  return NULL;
}

static RunStatus parseWord(int argc, char **argv, int *index, RunOptions *options) {
  const char *word = argv[*index], *value;
  if (word[0] != '-' || !word[1]) {
    if (options->file)
      return runFailure(RunStatus_Usage, "got a second file '%s', expected one", word);
    options->file = word;
    return RunStatus_Ok;
  }
  const Option *option = findOption(word, &value);
  if (!option)
    return runFailure(RunStatus_Usage, "unknown option '%s' (tile-run --help lists them)", word);
  if (option->kind == Value_None && value)
    return runFailure(RunStatus_Usage, "%s takes no value", option->name);
  if (option->kind == Value_Required && !value && *index + 1 < argc)
    value = argv[++*index];
  if (option->kind == Value_Required && !value)
    return runFailure(RunStatus_Usage, "%s needs a value, %s", option->name, option->value);
  const char *expected = option->set(options, value);
  if (isOfCompiler(option))
    options->compilerOnly = option->name;
  if (expected)
    return runFailure(RunStatus_Usage, "%s: got '%s', expected %s", option->name, value, expected);
  return RunStatus_Ok;
}

/// What cannot be said of one option alone.
static RunStatus checkTogether(const RunOptions *options) {
  const bool onGpu = options->device == RunDevice_Cuda || options->device == RunDevice_Hip;
  if (!options->file)
    return runFailure(RunStatus_Usage, "no file given (tile-run --help tells the usage)");
  if (options->bench && !onGpu)
    return runFailure(RunStatus_Usage, "--bench needs --device=cuda or --device=hip");
  if ((options->bytes > 0 || options->flops > 0) && !options->bench)
    return runFailure(RunStatus_Usage, "--bytes and --flops need --bench");
  if (options->againstCpu && options->device == RunDevice_Cpu)
    return runFailure(RunStatus_Usage, "--against=cpu needs another device than cpu");
  if (options->simulatorOnly && options->device != RunDevice_Sim)
    return runFailure(RunStatus_Usage, "%s needs --device=sim", options->simulatorOnly);
  if (options->compile.maxSteps && onGpu)
    return runFailure(RunStatus_Usage, "--max-steps needs --device=cpu or sim");
  if (options->device == RunDevice_Sim && !options->compile.target)
    return runFailure(RunStatus_Usage, "--device=sim needs --target=CHIP (tile-translate --help lists them)");
  return RunStatus_Ok;
}

RunStatus runOptionsParse(int argc, char **argv, RunOptions *out_options) {
  *out_options =
      (RunOptions){.atol = -1, .rtol = -1, .compile.optLevel = -1, .simulate.checks = TileSimCheck_Default};
  for (int i = 1; i < argc && !out_options->help && !out_options->version; ++i) {
    RunStatus status = parseWord(argc, argv, &i, out_options);
    if (status)
      return status;
  }
  return out_options->help || out_options->version ? RunStatus_Ok : checkTogether(out_options);
}

void runOptionsRelease(RunOptions *options) {
  for (size_t i = 0; i < options->numDefines; ++i)
    free((char *)options->defines[i].name);
  free(options->defines);
  free(options->known);
  tileManifestRelease(&options->chosen);
  free(options->args);
  free(options->outs);
  free(options->expects);
}
