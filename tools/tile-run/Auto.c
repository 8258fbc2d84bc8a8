/* Auto.c - what a kernel's text leaves to the launcher: --auto's choice among declared values, and the grid. */
#include "TileRun.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Multiprocessors; 0: as usual for the chip (no device, or its driver does not tell).
static unsigned processorsOf(const RunLaunch *launch) {
  return launch->device ? tileDeviceGetInfo(launch->device)->processors : 0;
}

static bool isInteger(const RunArgument *argument) {
  return !argument->isBuffer && !tileElementTypeIsFloat(argument->type);
}

static bool addDefine(RunOptions *options, const char *name, const char *value) {
  TileDefine *defines = realloc(options->defines, (options->numDefines + 1) * sizeof *defines);
  char *copy = malloc(strlen(name) + 1);
  if (defines)
    options->defines = defines;
  if (!defines || !copy) {
    free(copy);
    return false;
  }
  strcpy(copy, name);
  defines[options->numDefines++] = (TileDefine){copy, value};
  return true;
}

static bool isDefined(const RunOptions *options, const char *name) {
  for (size_t i = 0; i < options->numDefines; ++i)
    if (!strcmp(options->defines[i].name, name))
      return true;
  return (options->compile.numWarps && !strcmp(name, "NUM_WARPS")) ||
         (options->compile.numStages && !strcmp(name, "NUM_STAGES"));
}

RunStatus runChoose(RunOptions *options, const RunCompiler *compiler, const RunInput *input,
                    const TileManifestKernel *kernel, const RunArgument *arguments, const RunLaunch *launch) {
  static const char whatIfThereIsNone[] = "sm_90a";
  const char *target = options->compile.target ? options->compile.target
                       : launch->device        ? tileDeviceGetInfo(launch->device)->target
                                               : whatIfThereIsNone;
  const TileManifestKernel *chosen = NULL;
  TileError error;
  options->known = calloc(kernel->numParams + 1, sizeof *options->known);
  if (!options->known)
    return runFailure(RunStatus_Failed, "out of memory");
  for (size_t i = 0; i < kernel->numParams; ++i)
    if (isInteger(&arguments[i]) && kernel->params[i].name && kernel->params[i].name[0])
      options->known[options->numKnown++] = (TileKnown){kernel->params[i].name, arguments[i].scalar.i};
  RunStatus status = runCompilerChoose(compiler, options, input, kernel->name, target, processorsOf(launch),
                                       &options->chosen);
  if (status)
    return status;
  if (tileManifestFindKernel(&options->chosen, kernel->name, &chosen, &error))
    return runFailure(RunStatus_Failed, "%s", error.text);
  printf("auto:");
  for (size_t i = 0; i < chosen->numChoices; ++i) {
    const TileManifestChoice *choice = &chosen->choices[i];
    printf(" %s=%s", choice->name, choice->value);
    if (!isDefined(options, choice->name) && !addDefine(options, choice->name, choice->value))
      return runFailure(RunStatus_Failed, "out of memory");
  }
  printf("\n");
  return RunStatus_Ok;
}

RunStatus runTakeGrid(RunOptions *options, const TileManifestKernel *kernel, const RunArgument *arguments,
                      const RunLaunch *launch) {
  enum { WithoutDevice = 132 };
  TileError error;
  if (options->grid[0])
    return RunStatus_Ok;
  if (!kernel->programs[0])
    return runFailure(RunStatus_Usage, "no grid given, expected --grid=X[,Y[,Z]]");
  int64_t *values = calloc(kernel->numParams + 1, sizeof *values);
  if (!values)
    return runFailure(RunStatus_Failed, "out of memory");
  for (size_t i = 0; i < kernel->numParams; ++i)
    values[i] = isInteger(&arguments[i]) ? arguments[i].scalar.i : 0;
  const unsigned processors = processorsOf(launch);
  const TileErrorCode code =
      tileManifestGrid(kernel, values, processors ? processors : WithoutDevice, options->grid, &error);
  free(values);
  return code ? runFailure(RunStatus_Failed, "%s", error.text) : RunStatus_Ok;
}
