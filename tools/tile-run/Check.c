/* Check.c - results: compared with the cpu device or with files, and written to files. */
#include "TileRun.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/// "argument 2 'out' f32[64,32]".
static void printName(size_t index, const TileManifestKernel *kernel, const RunArgument *argument) {
  const char *name = kernel->params[index].name;
  printf("argument %zu%s%s%s %s[", index, name && name[0] ? " '" : "", name ? name : "",
         name && name[0] ? "'" : "", tileElementTypeName(argument->type));
  for (unsigned i = 0; i < argument->array.rank; ++i)
    printf(i ? ",%lld" : "%lld", (long long)argument->array.shape[i]);
  printf("]: ");
}

/// "[2,5]" for an element of a row-major array.
static void printPosition(const TileArray *array, int64_t position) {
  int64_t index[TILE_ARRAY_MAX_RANK] = {0};
  for (unsigned i = array->rank; i-- > 0; position /= array->shape[i])
    index[i] = position % array->shape[i];
  printf("[");
  for (unsigned i = 0; i < array->rank; ++i)
    printf(i ? ",%lld" : "%lld", (long long)index[i]);
  printf("]");
}

static void printElement(const TileArray *array, int64_t position) {
  const TileScalar value = tileScalarLoad(
      array->type, (const char *)array->data + position * (int64_t)tileElementTypeSize(array->type));
  if (tileElementTypeIsFloat(array->type))
    printf("%.*g", array->type == TileElementType_F64 ? 17 : 9, value.f);
  else
    printf("%lld", (long long)value.i);
}

/// ": got 0.5, expected 0.25".
static void printPair(const TileArray *got, const TileArray *expected, int64_t position) {
  printPosition(got, position);
  printf(" (got ");
  printElement(got, position);
  printf(", expected ");
  printElement(expected, position);
  printf(")");
}

static void printErrors(const TileArray *got, const TileArray *expected, const TileComparison *result) {
  printf("max abs error %.6g", result->maxAbs);
  if (result->maxAbsAt >= 0) {
    printf(" at ");
    printPair(got, expected, result->maxAbsAt);
  }
  printf(", max rel error %.6g", result->maxRel);
  if (result->maxRelAt >= 0) {
    printf(" at ");
    printPair(got, expected, result->maxRelAt);
  }
  printf(", scaled %.6g", result->maxAbs / fmax(1, result->maxExpected));
}

static RunStatus compare(const RunOptions *options, const TileArray *got, const TileArray *expected,
                         const char *reference) {
  const double standard = tileDefaultTolerance(got->type);
  const double atol = options->atol >= 0 ? options->atol : standard;
  const double rtol = options->rtol >= 0 ? options->rtol : standard;
  TileComparison result;
  tileArrayCompare(got, expected, atol, rtol, &result);
  if (result.identical) {
    printf("equals %s bit for bit\n", reference);
    return RunStatus_Ok;
  }
  if (!result.equal) {
    printf("MISMATCH with %s: %lld of %lld elements, first at ", reference, (long long)result.numMismatches,
           (long long)got->numElements);
    printPair(got, expected, result.firstMismatch);
    printf("; ");
    if (result.numSpecial)
      printf("%lld NaNs or infinities differ; ", (long long)result.numSpecial);
  } else {
    printf("agrees with %s: ", reference);
  }
  printErrors(got, expected, &result);
  printf(" (atol %g, rtol %g)\n", atol, rtol);
  return result.equal ? RunStatus_Ok : RunStatus_Failed;
}

static bool isSame(const TileArray *a, const TileArray *b) {
  return !memcmp(a->data, b->data, tileArrayBytes(a));
}

RunStatus runCheckAgainst(const RunOptions *options, const TileManifestKernel *kernel, const RunArgument *got,
                          const RunArgument *expected, const RunArgument *before, size_t count) {
  RunStatus status = RunStatus_Ok;
  size_t written = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!got[i].isBuffer ||
        (isSame(&got[i].array, &before[i].array) && isSame(&expected[i].array, &before[i].array)))
      continue;
    ++written;
    printName(i, kernel, &got[i]);
    if (compare(options, &got[i].array, &expected[i].array, "cpu"))
      status = RunStatus_Failed;
  }
  if (!written)
    puts("no argument was changed, here or on cpu");
  return status;
}

RunStatus runCheckExpected(const RunOptions *options, const TileManifestKernel *kernel,
                           const RunArgument *got) {
  RunStatus status = RunStatus_Ok;
  for (size_t i = 0; i < options->numExpects; ++i) {
    const RunFile *file = &options->expects[i];
    const TileArray *array = &got[file->argument].array;
    TileArray expected;
    TileError error;
    if (tileNpyRead(file->path, array->type, &expected, &error))
      return runFailure(RunStatus_Failed, "%s", error.text);
    if (expected.numElements != array->numElements) {
      status =
          runFailure(RunStatus_Failed, "%s: got %lld elements, expected the %lld of argument %zu", file->path,
                     (long long)expected.numElements, (long long)array->numElements, file->argument);
    } else {
      printName(file->argument, kernel, &got[file->argument]);
      if (compare(options, array, &expected, file->path))
        status = RunStatus_Failed;
    }
    tileArrayRelease(&expected);
  }
  return status;
}

RunStatus runWriteOuts(const RunOptions *options, const RunArgument *arguments) {
  for (size_t i = 0; i < options->numOuts; ++i) {
    TileError error;
    if (tileNpyWrite(options->outs[i].path, &arguments[options->outs[i].argument].array, &error))
      return runFailure(RunStatus_Failed, "%s", error.text);
  }
  return RunStatus_Ok;
}
