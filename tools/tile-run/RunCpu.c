/* RunCpu.c - the cpu device: the meaning of the kernel's ops, executed by libtile. */
#include "TileRun.h"
#include <stdlib.h>

RunStatus runOnCpu(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                   const char *kernel, RunArgument *arguments, size_t count) {
  TileArgument *passed = calloc(count + 1, sizeof *passed);
  if (!passed)
    return runFailure(RunStatus_Failed, "out of memory");
  for (size_t i = 0; i < count; ++i) {
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
  TileCompileOptions compile = runCompilerOptions(compiler, options, input);
  compile.kernel = kernel;
  const int failed = compiler->executeCpu(input->data, input->size, &compile, options->grid, passed, count);
  free(passed);
  return failed ? RunStatus_Failed : RunStatus_Ok; // the diagnostics have been printed
}
