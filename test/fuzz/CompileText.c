/* CompileText.c - compiles and executes one fuzzed text. */
#include "CompileText.h"
#include "tile-c/Compile.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/Session.h"
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

static void onDiagnostic(TileSeverity severity, const char *text, void *user) {
  (void)text;
  *(size_t *)user += severity == TileSeverity_Error;
}

static uint64_t hashOf(const char *text, size_t size) {
  uint64_t h = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
  for (size_t i = 0; i < size; ++i)
    h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
  return h ^ h >> 29;
}

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

/* Executes the text's only kernel, if it is one of tile IR with simple parameters. */
static const char *execute(const char *text, size_t size, TileCompileOptions *options, size_t *errors) {
  TileArgument arguments[MAX_PARAMETERS];
  static const uint32_t grid[3] = {2, 1, 1};
  TileKernelView kernel, second;
  TileSession *session = tileSessionOpen(text, size, options);
  if (!session)
    return NULL;
  MlirOperation none = {NULL};
  bool fits = tileKernelViewNext(tileSessionGetModule(session), none, &kernel) &&
              !tileKernelViewNext(tileSessionGetModule(session), kernel.op, &second);
  intptr_t n = fits ? mlirBlockGetNumArguments(kernel.entry) : 0;
  char *memory = calloc(MAX_PARAMETERS, BUFFER_BYTES);
  fits = fits && n <= MAX_PARAMETERS && memory;
  for (intptr_t i = 0; i < n && fits; ++i)
    fits = argumentFor(mlirValueGetType(mlirBlockGetArgument(kernel.entry, i)), memory + i * BUFFER_BYTES,
                       &arguments[i]);
  tileSessionClose(session);
  const char *wrong = NULL;
  if (fits) {
    *errors = 0;
    int status = tileExecuteCpu(text, size, options, grid, arguments, (size_t)n);
    wrong = status && !*errors ? "execution fails without an error" : NULL;
  }
  free(memory);
  return wrong;
}

const char *fuzzCompileText(const char *text, size_t size, bool *out_accepted) {
  uint64_t hash = hashOf(text, size);
  const Plan *plan = &plans[hash % (sizeof plans / sizeof *plans)];
  size_t errors = 0;
  TileCompileOptions options;
  TileCompileResult result;
  tileCompileOptionsInit(&options);
  options.target = plan->target;
  options.numWarps = 1 << (hash >> 8 & 3);
  options.precise = hash >> 10 & 1;
  options.debug = hash >> 11 & 1;
  options.lineTables = hash >> 12 & 1;
  options.optLevel = (int)(hash >> 13 & 3);
  options.maxSteps = 2000;
  options.diagnostic = onDiagnostic;
  options.diagnosticUser = &errors;
  int status = tileCompile(text, size, plan->emit, &options, &result);
  *out_accepted = status == 0;
  if (status && !errors)
    return "rejected without an error";
  if (!status && errors)
    return "accepted with an error";
  tileCompileResultRelease(&result);
  return status ? NULL : execute(text, size, &options, &errors);
}
