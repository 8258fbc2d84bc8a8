/* Compiler.c - libtile, opened with dlopen only when a text is compiled or the cpu device runs. */
#define _POSIX_C_SOURCE 200809L
#include "TileRun.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// ../lib/libtile.so from the executable's folder; an empty text if that is unknown.
static void libraryBesideExecutable(char *path, size_t size) {
  static const char relative[] = "/../lib/libtile.so";
  const ssize_t length = readlink("/proc/self/exe", path, size - 1);
  path[length > 0 ? length : 0] = 0;
  char *slash = strrchr(path, '/');
  if (!slash || (size_t)(slash - path) + sizeof relative > size)
    path[0] = 0;
  else
    strcpy(slash, relative);
}

static bool lookUp(RunCompiler *compiler, const char *name, void *out_function) {
  void *address = dlsym(compiler->library, name);
  memcpy(out_function, &address, sizeof address);
  return address != NULL;
}

RunStatus runCompilerOpen(RunCompiler *compiler) {
  char path[4096], reason[512] = "";
  if (compiler->library)
    return RunStatus_Ok;
  libraryBesideExecutable(path, sizeof path);
  compiler->library = path[0] ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!compiler->library && path[0] && !access(path, F_OK))
    snprintf(reason, sizeof reason, "%s",
             dlerror()); // it is there but does not load: that is the fault to tell
  if (!compiler->library)
    compiler->library = dlopen("libtile.so", RTLD_NOW | RTLD_LOCAL);
  if (!compiler->library)
    return runFailure(RunStatus_Failed, "a text and the cpu device need the compiler: %s",
                      reason[0] ? reason : dlerror());
  if (lookUp(compiler, "tileCompileOptionsInit", &compiler->optionsInit) &&
      lookUp(compiler, "tileCompile", &compiler->compile) &&
      lookUp(compiler, "tileCompileResultRelease", &compiler->release) &&
      lookUp(compiler, "tileExecuteCpu", &compiler->executeCpu) &&
      lookUp(compiler, "tileExecuteSim", &compiler->executeSim))
    return RunStatus_Ok;
  return runFailure(RunStatus_Failed, "libtile.so is of another version: %s", dlerror());
}

void runCompilerClose(RunCompiler *compiler) {
  // LLVM registers handlers that run at exit: the library stays.
  *compiler = (RunCompiler){0};
}

/// Where the message starts after "file:line:col: "; the start if there is no such location.
static const char *messageOf(const char *text) {
  for (const char *at = text; (at = strstr(at, ": ")); ++at) {
    const char *digit = at;
    while (digit > text && digit[-1] >= '0' && digit[-1] <= '9')
      --digit;
    if (digit < at && digit > text && digit[-1] == ':')
      return at + 2;
  }
  return text;
}

static void printDiagnostic(TileSeverity severity, const char *text, void *user) {
  static const char *const names[] = {"error", "warning", "remark", "note"};
  const char *message = messageOf(text);
  fprintf(stderr, "%.*s%s: %s\n", (int)(message - text), text, names[severity], message);
}

static void printError(TileSeverity severity, const char *text, void *user) {
  if (severity == TileSeverity_Error || severity == TileSeverity_Note)
    printDiagnostic(severity, text, user);
}

/// Keeps the first error for a message, prints nothing.
static void keepFirst(TileSeverity severity, const char *text, void *user) {
  char *first = user;
  if (severity == TileSeverity_Error && !first[0])
    snprintf(first, 512, "%s", messageOf(text));
}

TileCompileOptions runCompilerOptions(const RunCompiler *compiler, const RunOptions *options,
                                      const RunInput *input) {
  TileCompileOptions result;
  compiler->optionsInit(&result);
  const TileCompileOptions *given = &options->compile;
  result.fileName = input->path;
  result.target = given->target;
  result.kernel = options->kernel;
  result.numWarps = given->numWarps;
  result.numStages = given->numStages;
  result.numCtas = given->numCtas;
  if (given->optLevel >= 0)
    result.optLevel = given->optLevel;
  result.debug = given->debug;
  result.lineTables = given->lineTables;
  result.noFpContract = given->noFpContract;
  result.precise = given->precise;
  result.disable = given->disable;
  result.ptxas = given->ptxas;
  result.maxSteps = given->maxSteps;
  result.defines = options->defines;
  result.numDefines = options->numDefines;
  result.diagnostic = printDiagnostic;
  return result;
}

RunStatus runCompilerStatus(int status) {
  return status == TileStatus_Done      ? RunStatus_Ok
         : status == TileStatus_Options ? RunStatus_Usage
                                        : RunStatus_Failed;
}

/// The manifest of a text for no target: parameters, grid, choices.
static RunStatus readManifest(const RunCompiler *compiler, const RunInput *input,
                              const TileCompileOptions *options, TileManifest *out_manifest) {
  TileCompileOptions compile = *options;
  compile.target = NULL;
  compile.diagnostic = printError; // warnings come again when it is compiled
  TileCompileResult result = {0};
  TileError error;
  *out_manifest = (TileManifest){0};
  int failed = compiler->compile(input->data, input->size, TileEmit_Manifest, &compile, &result);
  if (failed)
    return runCompilerStatus(failed);
  const char *text = result.manifest ? result.manifest : result.data;
  const size_t size = result.manifest ? result.manifestSize : result.size;
  TileErrorCode code = tileManifestParse(text, size, out_manifest, &error);
  compiler->release(&result);
  return code ? runFailure(RunStatus_Failed, "%s: %s", input->path, error.text) : RunStatus_Ok;
}

RunStatus runCompilerManifest(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                              TileManifest *out_manifest) {
  TileCompileOptions compile = runCompilerOptions(compiler, options, input);
  compile.kernel = NULL;
  return readManifest(compiler, input, &compile, out_manifest);
}

RunStatus runCompilerChoose(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                            const char *kernel, const char *target, unsigned processors,
                            TileManifest *out_manifest) {
  TileCompileOptions compile = runCompilerOptions(compiler, options, input);
  compile.kernel = kernel;
  compile.automatic = target;
  compile.known = options->known;
  compile.numKnown = options->numKnown;
  compile.processors = processors;
  return readManifest(compiler, input, &compile, out_manifest);
}

RunStatus runCompilerBinary(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                            const char *target, TileCompileResult *out_result) {
  TileCompileOptions compile = runCompilerOptions(compiler, options, input);
  compile.target = target;
  *out_result = (TileCompileResult){0};
  if (options->device == RunDevice_Hip)
    return runCompilerStatus(
        compiler->compile(input->data, input->size, TileEmit_HSACO, &compile, out_result));
  if (options->compile.ptxas) // asked for by name: no other way will do
    return runCompilerStatus(
        compiler->compile(input->data, input->size, TileEmit_Cubin, &compile, out_result));
  // Without ptxas there is no cubin, but the driver assembles PTX. Any other fault shows in PTX's compilation
  // too.
  char first[512] = "";
  compile.diagnostic = keepFirst;
  compile.diagnosticUser = first;
  if (!compiler->compile(input->data, input->size, TileEmit_Cubin, &compile, out_result))
    return RunStatus_Ok;
  compile.diagnostic = printDiagnostic;
  const int failed = compiler->compile(input->data, input->size, TileEmit_PTX, &compile, out_result);
  if (failed)
    return runCompilerStatus(failed);
  fprintf(stderr, "tile-run: warning: no cubin (%s): the driver assembles PTX\n", first);
  return RunStatus_Ok;
}
