/* CompileText.c - parses, compiles and executes one fuzzed text. */
#include "CompileText.h"
#include "mlir-c/Diagnostics.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Interpreter.h"
#include "tile-c/Session.h"
#include "tile-c/Simulator.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Plan {
  TileEmit emit;
  const char *target;
} Plan;

/* The later the stage, the more code runs; code generation is most expensive and therefore rarer. */
static const Plan plans[] = {
    {TileEmit_LLVMDialect, "sm_90a"},  {TileEmit_LLVMDialect, "gfx942"}, {TileEmit_LLVMDialect, "gfx1201"},
    {TileEmit_LLVMDialect, "sm_80"},   {TileEmit_TileGPU, "sm_100a"},    {TileEmit_Tile, NULL},
    {TileEmit_LLVMDialect, "gfx1100"}, {TileEmit_LLVMDialect, "gfx90a"}, {TileEmit_PTX, "sm_90"},
    {TileEmit_PTX, "sm_120"},          {TileEmit_HSACO, "gfx950"},       {TileEmit_Report, "gfx942"},
    {TileEmit_AMDGCN, "gfx1100"},      {TileEmit_Manifest, NULL},        {TileEmit_LLVM, "sm_89"},
    {TileEmit_LLVMDialect, "sm_86"}};

typedef struct Errors {
  size_t count;
} Errors;

static void onDiagnostic(TileSeverity severity, const char *text, void *user) {
  (void)text;
  ((Errors *)user)->count += severity == TileSeverity_Error;
}

static uint64_t hashOf(const char *text, size_t size) {
  uint64_t h = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
  for (size_t i = 0; i < size; ++i)
    h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
  return h ^ h >> 29;
}

static const char *judge(bool failed, size_t errors) {
  return failed && !errors   ? "rejected without an error"
         : !failed && errors ? "accepted with an error"
                             : NULL;
}

/* ---- Arguments ---- */

enum { MAX_PARAMETERS = 32, BUFFER_BYTES = 4096 };

/* An argument for a parameter: a small buffer, or a small number. False if it takes none. */
static bool argumentFor(MlirType type, char *memory, TileArgument *out) {
  *out = (TileArgument){.type = TileElementType_F32, .isBuffer = true, .data = memory};
  if (tilePtrTypeIsA(type)) {
    out->type = tileElementTypeOf(tilePtrTypeGetPointee(type));
    if (out->type == TileElementType_None)
      return false;
    out->numElements = BUFFER_BYTES / (int64_t)tileElementTypeSize(out->type);
    return true;
  }
  out->isBuffer = false;
  out->type = tileElementTypeOf(type);
  out->scalar.i = 33;
  if (tileElementTypeIsFloat(out->type))
    out->scalar.f = 1.5;
  return out->type != TileElementType_None;
}

/* Arguments for a module's only kernel, if it is one of tile IR with simple parameters. */
typedef struct Launch {
  TileArgument arguments[MAX_PARAMETERS];
  size_t count;
  char *memory;
} Launch;

static bool prepare(Launch *launch, MlirModule module) {
  TileKernelView kernel, second;
  MlirOperation none = {NULL};
  *launch = (Launch){0};
  if (!tileKernelViewNext(module, none, &kernel) || tileKernelViewNext(module, kernel.op, &second))
    return false;
  launch->count = (size_t)mlirBlockGetNumArguments(kernel.entry);
  launch->memory = calloc(MAX_PARAMETERS, BUFFER_BYTES);
  bool fits = launch->count <= MAX_PARAMETERS && launch->memory;
  for (size_t i = 0; i < launch->count && fits; ++i)
    fits = argumentFor(mlirValueGetType(mlirBlockGetArgument(kernel.entry, (intptr_t)i)),
                       launch->memory + i * BUFFER_BYTES, &launch->arguments[i]);
  return fits;
}

enum { MAX_STEPS = 2000 };
static const uint32_t grid[3] = {2, 1, 1};

/* ---- As the tools do it ---- */

static const char *executeCold(const char *text, size_t size, const TileCompileOptions *options,
                               bool simulate) {
  Launch launch;
  TileSession *session = tileSessionOpen(text, size, options, NULL);
  bool fits = session && prepare(&launch, tileSessionGetModule(session));
  tileSessionClose(session);
  if (!fits) {
    if (session)
      free(launch.memory);
    return NULL;
  }
  Errors *errors = options->diagnosticUser;
  errors->count = 0;
  TileSimOptions sim = {.checks = TileSimCheck_Default, .numThreads = 1, .maxSteps = 20 * MAX_STEPS};
  int status = simulate ? tileExecuteSim(text, size, options, grid, launch.arguments, launch.count, &sim)
                        : tileExecuteCpu(text, size, options, grid, launch.arguments, launch.count);
  free(launch.memory);
  return judge(status, errors->count);
}

static FuzzOutcome compileCold(const char *text, size_t size, uint64_t hash, bool simulate) {
  const Plan *plan = &plans[hash % TILE_COUNTOF(plans)];
  Errors errors = {0};
  TileCompileOptions options;
  TileCompileResult result;
  tileCompileOptionsInit(&options);
  options.target = plan->target;
  options.numWarps = 1 << (hash >> 8 & 3);
  options.precise = hash >> 10 & 1;
  options.debug = hash >> 11 & 1;
  options.lineTables = hash >> 12 & 1;
  options.optLevel = (int)(hash >> 13 & 3);
  options.maxSteps = MAX_STEPS;
  options.diagnostic = onDiagnostic;
  options.diagnosticUser = &errors;
  if (simulate && options.target) {
    const char *wrong = executeCold(text, size, &options, true);
    return (FuzzOutcome){errors.count == 0, errors.count == 0, wrong};
  }
  int status = tileCompile(text, size, plan->emit, &options, &result);
  FuzzOutcome outcome = {status == 0, status == 0, judge(status, errors.count)};
  tileCompileResultRelease(&result);
  if (outcome.accepted && !outcome.wrong)
    outcome.wrong = executeCold(text, size, &options, false);
  return outcome;
}

/* ---- In the warm context ---- */

/* The cpu device, on what the target-free pipeline left. */
static const char *executeWarm(MlirModule module, Errors *errors) {
  static const TileInterpretOptions interpret = {.maxSteps = MAX_STEPS};
  Launch launch;
  const char *wrong = NULL;
  errors->count = 0;
  if (prepare(&launch, module))
    wrong =
        judge(tileFailed(tileInterpretKernel(module, NULL, grid, launch.arguments, launch.count, &interpret)),
              errors->count);
  free(launch.memory);
  return wrong;
}

static FuzzOutcome runPipeline(FuzzWarm *warm, const char *text, size_t size, size_t which) {
  Errors errors = {0};
  FuzzOutcome outcome = {0};
  TileCompileOptions options;
  tileCompileOptionsInit(&options);
  fuzzPipelineOptions(which, &options);
  options.diagnostic = onDiagnostic;
  options.diagnosticUser = &errors;
  TileSession *session = tileSessionOpenIn(fuzzWarmContext(warm), text, size, &options, NULL);
  outcome.parsed = session != NULL;
  if (session) {
    MlirModule module = tileSessionGetModule(session);
    outcome.accepted = tileSucceeded(fuzzRunPipeline(warm, which, mlirModuleGetOperation(module)));
    outcome.wrong = judge(!outcome.accepted, errors.count);
    if (outcome.accepted && !outcome.wrong && fuzzPipelineEndsInTile(which))
      outcome.wrong = executeWarm(module, &errors);
  } else {
    outcome.wrong = judge(true, errors.count);
  }
  tileSessionClose(session);
  return outcome;
}

static MlirLogicalResult countErrors(MlirDiagnostic diagnostic, void *errors) {
  ((Errors *)errors)->count += mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultSuccess();
}

/* One or few passes, on any module: what tile-opt does. */
static FuzzOutcome runPass(FuzzWarm *warm, const char *text, size_t size, size_t which) {
  Errors errors = {0};
  FuzzOutcome outcome = {0};
  MlirContext context = fuzzWarmContext(warm);
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(context, countErrors, &errors, NULL);
  TileCompileOptions options;
  tileCompileOptionsInit(&options);
  options.diagnostic = onDiagnostic;
  options.diagnosticUser = &errors;
  MlirModule module = {NULL};
  if (tileCheckParserInput(text, size, &options))
    module = tileParseModule(context, mlirStringRefCreate(text, size), "text");
  outcome.parsed = !mlirModuleIsNull(module) && !errors.count;
  if (outcome.parsed) {
    outcome.accepted = tileSucceeded(fuzzRunPass(warm, which, mlirModuleGetOperation(module)));
  }
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  outcome.wrong = judge(!outcome.accepted, errors.count);
  mlirContextDetachDiagnosticHandler(context, handler);
  return outcome;
}

FuzzOutcome fuzzCompileText(FuzzWarm *warm, const char *text, size_t size) {
  uint64_t hash = hashOf(text, size), way = hash >> 20 & 31;
  if (way < 2)
    return compileCold(text, size, hash, way == 1);
  if (way < 12)
    return runPass(warm, text, size, (hash >> 32) % fuzzNumPasses());
  return runPipeline(warm, text, size, (hash >> 32) % fuzzNumPipelines());
}
