/* RunCpu.c - the devices that libtile itself is: cpu, the meaning of the kernel's ops, and sim, the lowered
 * code lane by lane. */
#include "TileRun.h"
#include <stdio.h>
#include <stdlib.h>

/// The arguments as libtile takes them; NULL: no memory. A descriptor is a buffer, sizes and strides.
static TileArgument *pass(const RunArgument *arguments, size_t count, size_t *out_count) {
  TileArgument *passed = calloc(count * (1 + 2 * TILE_MAX_RANK) + 1, sizeof *passed), *next = passed;
  for (size_t i = 0; passed && i < count; ++i) {
    const RunArgument *argument = &arguments[i];
    const TileTensor *tensor = &argument->tensor;
    *next = (TileArgument){.type = argument->type, .isBuffer = argument->isBuffer, .number = (int)i + 1};
    if (argument->isBuffer) {
      next->data = argument->array.numElements ? argument->array.data : NULL;
      next->numElements = argument->array.numElements;
    } else if (tileElementTypeIsFloat(argument->type)) {
      next->scalar.f = argument->scalar.f;
    } else {
      next->scalar.i = argument->scalar.i;
    }
    ++next;
    for (unsigned d = 0; argument->isDescriptor && d < 2 * tensor->rank; ++d) {
      const bool isSize = d < tensor->rank;
      *next++ = (TileArgument){.type = isSize ? TileElementType_I32 : TileElementType_I64,
                               .scalar.i = isSize ? tensor->shape[d] : tensor->strides[d - tensor->rank],
                               .number = (int)i + 1};
    }
  }
  *out_count = passed ? (size_t)(next - passed) : 0;
  return passed;
}

RunStatus runOnCpu(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                   const char *kernel, RunArgument *arguments, size_t count) {
  size_t numPassed;
  TileArgument *passed = pass(arguments, count, &numPassed);
  if (!passed)
    return runFailure(RunStatus_Failed, "out of memory");
  TileCompileOptions compile = runCompilerOptions(compiler, options, input);
  compile.kernel = kernel;
  const int failed =
      compiler->executeCpu(input->data, input->size, &compile, options->grid, passed, numPassed);
  free(passed);
  return runCompilerStatus(failed);
}

static void print(const char *text, void *user) {
  (void)user;
  fputs(text, stdout);
}

RunStatus runOnSim(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                   const char *kernel, RunArgument *arguments, size_t count) {
  size_t numPassed;
  TileArgument *passed = pass(arguments, count, &numPassed);
  if (!passed)
    return runFailure(RunStatus_Failed, "out of memory");
  TileCompileOptions compile = runCompilerOptions(compiler, options, input);
  TileSimOptions simulate = options->simulate;
  compile.kernel = kernel;
  simulate.output = print;
  const int failed =
      compiler->executeSim(input->data, input->size, &compile, options->grid, passed, numPassed, &simulate);
  free(passed);
  return runCompilerStatus(failed);
}
