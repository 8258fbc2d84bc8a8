/* Main.c - tile-run: runs one kernel on host arrays, on the device asked for, and checks the result. */
#include "TileRun.h"
#include "tile-c/Version.h"
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

RunStatus runFailure(RunStatus status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout); // so that lines of both streams stand in order
  fputs("tile-run: error: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return status;
}

/// All that a run owns.
typedef struct Run {
  RunOptions options;
  RunInput input;
  RunCompiler compiler;
  TileManifest manifest;
  const TileManifestKernel *kernel;
  RunLaunch launch;
  RunArgument *arguments, *before, *reference;
  size_t count;
} Run;

static bool isText(const Run *run) { return run->input.kind == TileBinary_Unknown; }

static bool isOnGpu(const Run *run) {
  return run->options.device == RunDevice_Cuda || run->options.device == RunDevice_Hip;
}

/// No --out may replace the kernel's file.
static RunStatus checkOuts(const RunOptions *options) {
  struct stat file, out;
  for (size_t i = 0; i < options->numOuts; ++i)
    if (stat(options->file, &file) == 0 && stat(options->outs[i].path, &out) == 0 && S_ISREG(out.st_mode) &&
        file.st_dev == out.st_dev && file.st_ino == out.st_ino)
      return runFailure(RunStatus_Usage, "--out: got %s, the file with the kernel, expected another one",
                        options->outs[i].path);
  return RunStatus_Ok;
}

/// Opens what the run needs and finds the kernel: cheap faults before expensive work.
static RunStatus prepare(Run *run) {
  const RunOptions *options = &run->options;
  RunStatus status;
  if ((status = checkOuts(options)) || (status = runInputRead(options->file, &run->input)))
    return status;
  if (run->options.automatic && !isText(run))
    return runFailure(RunStatus_Usage, "--auto needs the kernel's text, got a %s",
                      tileBinaryKindName(run->input.kind));
  if (!isText(run) && !isOnGpu(run))
    return runFailure(RunStatus_Usage, "the %s device runs texts, got a %s",
                      options->device == RunDevice_Sim ? "sim" : "cpu", tileBinaryKindName(run->input.kind));
  if (!isText(run) && options->againstCpu)
    return runFailure(RunStatus_Usage,
                      "--against=cpu needs the kernel's text, got a %s (--expect compares with a file)",
                      tileBinaryKindName(run->input.kind));
  if (!isText(run) && options->compilerOnly)
    return runFailure(RunStatus_Usage, "%s says how a text is compiled, got a %s, which is compiled already",
                      options->compilerOnly, tileBinaryKindName(run->input.kind));
  if (isText(run) && (status = runCompilerOpen(&run->compiler)))
    return status;
  status = isText(run) ? runCompilerManifest(&run->compiler, options, &run->input, &run->manifest)
                       : runInputReadManifest(&run->input, &run->manifest);
  if (!status && !isText(run) && options->compile.target &&
      strcmp(options->compile.target, run->manifest.target))
    return runFailure(RunStatus_Usage, "--target: got %s, expected %s, which %s is compiled for",
                      options->compile.target, run->manifest.target, run->input.path);
  TileError error;
  if (!status && tileManifestFindKernel(&run->manifest, options->kernel, &run->kernel, &error))
    status = runFailure(run->manifest.numKernels ? RunStatus_Usage : RunStatus_Failed, "%s: %s",
                        run->input.path, error.text);
  return status;
}

static RunStatus makeArguments(Run *run) {
  run->count = run->options.numArgs;
  run->arguments = calloc(run->count + 1, sizeof *run->arguments);
  run->before = calloc(run->count + 1, sizeof *run->before);
  run->reference = calloc(run->count + 1, sizeof *run->reference);
  if (!run->arguments || !run->before || !run->reference)
    return runFailure(RunStatus_Failed, "out of memory");
  RunStatus status = runArgumentsParse(&run->options, run->kernel, run->arguments);
  if (!status)
    status = runFilesCheck(&run->options, run->arguments);
  return status;
}

/// --auto chooses with the arguments as they are; the kernel's parameters are then read again.
static RunStatus choose(Run *run) {
  RunOptions *options = &run->options;
  TileError error;
  RunStatus status =
      runChoose(options, &run->compiler, &run->input, run->kernel, run->arguments, &run->launch);
  if (status)
    return status;
  if (tileManifestFindKernel(&options->chosen, run->kernel->name, &run->kernel, &error))
    return runFailure(RunStatus_Failed, "%s", error.text);
  runArgumentsRelease(run->arguments, run->count);
  free(run->before);
  free(run->reference);
  run->arguments = run->before = run->reference = NULL;
  return makeArguments(run);
}

static RunStatus execute(Run *run) {
  const RunOptions *options = &run->options;
  RunStatus status = RunStatus_Ok;
  if (options->againstCpu && ((status = runArgumentsCopy(run->arguments, run->count, run->before)) ||
                              (status = runArgumentsCopy(run->arguments, run->count, run->reference)) ||
                              (status = runOnCpu(&run->compiler, options, &run->input, run->kernel->name,
                                                 run->reference, run->count))))
    return status;
  if (options->device == RunDevice_Sim)
    return runOnSim(&run->compiler, options, &run->input, run->kernel->name, run->arguments, run->count);
  if (!isOnGpu(run))
    return runOnCpu(&run->compiler, options, &run->input, run->kernel->name, run->arguments, run->count);
  return runLaunchRun(&run->launch, options, run->arguments, run->count);
}

/// Every comparison and file is done, also after one has failed: the figures belong together.
static RunStatus conclude(Run *run) {
  const RunOptions *options = &run->options;
  RunStatus status = runWriteOuts(options, run->arguments), next;
  if (options->againstCpu &&
      (next = runCheckAgainst(options, run->kernel, run->arguments, run->reference, run->before, run->count)))
    status = next;
  if ((next = runCheckExpected(options, run->kernel, run->arguments)))
    status = next;
  if (options->bench && (next = runLaunchBench(&run->launch, options)))
    status = next;
  return status;
}

static RunStatus runAll(Run *run) {
  RunStatus status;
  if ((status = prepare(run)) || (status = makeArguments(run)))
    return status;
  if (isOnGpu(run) && (status = runLaunchOpen(&run->options, &run->launch)))
    return status;
  if (run->options.automatic && (status = choose(run)))
    return status;
  if ((status = runTakeGrid(&run->options, run->kernel, run->arguments, &run->launch)))
    return status;
  if (isOnGpu(run) && (status = runLaunchLoad(&run->launch, &run->compiler, &run->options, &run->input,
                                              &run->manifest, run->kernel)))
    return status;
  if ((status = runArgumentsFill(run->kernel, run->arguments, run->count)) || (status = execute(run)))
    return status;
  return conclude(run);
}

int main(int argc, char **argv) {
  Run run = {0};
  signal(SIGXFSZ, SIG_IGN); // a file that may not become that large is an error of writing
  RunStatus status = runOptionsParse(argc, argv, &run.options);
  if (!status && run.options.help)
    runOptionsPrintHelp();
  else if (!status && run.options.version)
    puts("tile-run " TILE_VERSION);
  else if (!status)
    status = runAll(&run);
  runLaunchClose(&run.launch);
  runArgumentsRelease(run.arguments, run.count);
  runArgumentsRelease(run.before, run.count);
  runArgumentsRelease(run.reference, run.count);
  tileManifestRelease(&run.manifest);
  runCompilerClose(&run.compiler);
  runInputRelease(&run.input);
  runOptionsRelease(&run.options);
  if (fflush(stdout) && !status)
    status = runFailure(RunStatus_Failed, "cannot write to the standard output");
  return status;
}
