/* RunCpu.c - the devices that libtile itself is: cpu, the meaning of the kernel's ops, and sim, the lowered
 * code lane by lane. */
#include "TileRun.h"
#include <stdio.h>
#include <stdlib.h>

/// The arguments as libtile takes them; NULL: no memory.
static TileArgument *pass(const RunArgument *arguments, size_t count) {
  TileArgument *passed = calloc(count + 1, sizeof *passed);
  for (size_t i = 0; passed && i < count; ++i) {
    passed[i].type = arguments[i].type;
    passed[i].isBuffer = arguments[i].isBuffer;
    if (arguments[i].isBuffer) {
      passed[i].data = arguments[i].array.numElements ? arguments[i].array.data : NULL;
      passed[i].numElements = arguments[i].array.numElements;
    } else if (tileElementTypeIsFloat(arguments[i].type)) {
      passed[i].scalar.f = arguments[i].scalar.f;
    } else {
      passed[i].scalar.i = arguments[i].scalar.i;
    }
  }
  return passed;
}

RunStatus runOnCpu(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                   const char *kernel, RunArgument *arguments, size_t count) {
  TileArgument *passed = pass(arguments, count);
  if (!passed)
    return runFailure(RunStatus_Failed, "out of memory");
  TileCompileOptions compile = runCompilerOptions(compiler, options, input);
  compile.kernel = kernel;
  const int failed = compiler->executeCpu(input->data, input->size, &compile, options->grid, passed, count);
  free(passed);
  return failed ? RunStatus_Failed : RunStatus_Ok; // the diagnostics have been printed
}

static void print(const char *text, void *user) {
  (void)user;
  fputs(text, stdout);
}

RunStatus runOnSim(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                   const char *kernel, RunArgument *arguments, size_t count) {
  TileArgument *passed = pass(arguments, count);
  if (!passed)
    return runFailure(RunStatus_Failed, "out of memory");
  TileCompileOptions compile = runCompilerOptions(compiler, options, input);
  TileSimOptions simulate = options->simulate;
  compile.kernel = kernel;
  simulate.output = print;
  const int failed =
      compiler->executeSim(input->data, input->size, &compile, options->grid, passed, count, &simulate);
  free(passed);
  return failed ? RunStatus_Failed : RunStatus_Ok;
}
