/* Arguments.c - the kernel's arguments: --arg against the kernel's parameters, then the arrays themselves. */
#include "TileRun.h"
#include "tile-c/Numerics.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The type, the shape and where the value starts.
static RunStatus parseSyntax(size_t index, const char *text, RunArgument *out_argument) {
  *out_argument = (RunArgument){.text = text};
  if (!strncmp(text, "desc(", 5))
    return runDescriptorParse(index, text + 5, out_argument);
  const size_t length = strcspn(text, "[=");
  const char *at = text + length;
  out_argument->type = tileElementTypeParse(text, length);
  if (out_argument->type == TileElementType_None)
    return runFailure(RunStatus_Usage, "argument %zu: got type '%.*s', expected an element type such as f32",
                      index, (int)(length < 40 ? length : 40), text);
  out_argument->isBuffer = *at == '[';
  if (out_argument->isBuffer && !runShapeParse(&at, out_argument))
    return runFailure(RunStatus_Usage,
                      "argument %zu: got '%.80s', expected extents in brackets, such as f32[64,32]", index,
                      text);
  if (*at != '=' || !at[1])
    return runFailure(RunStatus_Usage, "argument %zu: got '%.80s', expected TYPE[N]=INIT or TYPE=VALUE",
                      index, text);
  out_argument->init = at + 1;
  return RunStatus_Ok;
}

/// "argument 3 ('n')".
static const char *describe(size_t index, const TileManifestParam *param, char *text, size_t size) {
  if (param->name && param->name[0])
    snprintf(text, size, "argument %zu ('%.60s')", index, param->name);
  else
    snprintf(text, size, "argument %zu", index);
  return text;
}

static RunStatus checkAgainstParam(size_t index, const TileManifestParam *param, RunArgument *argument) {
  char name[96];
  describe(index, param, name, sizeof name);
  if (param->kind == TileParamKind_Descriptor || argument->isDescriptor)
    return runDescriptorCheck(name, param, argument);
  const bool wantsBuffer = param->kind == TileParamKind_Pointer;
  if (wantsBuffer != argument->isBuffer || param->type != argument->type)
    return runFailure(RunStatus_Usage, "%s: got a %s of %s, expected a %s of %s (%s%s=...)", name,
                      argument->isBuffer ? "buffer" : "scalar", tileElementTypeName(argument->type),
                      wantsBuffer ? "buffer" : "scalar", tileElementTypeName(param->type),
                      tileElementTypeName(param->type), wantsBuffer ? "[N]" : "");
  return RunStatus_Ok;
}

static RunStatus checkScalar(size_t index, const TileManifestParam *param, RunArgument *argument) {
  char name[96];
  TileError error;
  describe(index, param, name, sizeof name);
  if (tileScalarParse(argument->type, argument->init, strlen(argument->init), &argument->scalar, &error))
    return runFailure(RunStatus_Usage, "%s: %s", name, error.text);
  if (param->divisibility > 1 && !tileElementTypeIsFloat(argument->type) &&
      argument->scalar.i % param->divisibility)
    return runFailure(RunStatus_Usage, "%s: got %lld, expected a multiple of %lld, which the kernel assumes",
                      name, (long long)argument->scalar.i, (long long)param->divisibility);
  return RunStatus_Ok;
}

static RunStatus wrongCount(size_t got, const TileManifestKernel *kernel) {
  char list[512] = "";
  size_t used = 0;
  for (size_t i = 0; i < kernel->numParams && used < sizeof list; ++i) {
    const TileManifestParam *param = &kernel->params[i];
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.60s%s%s%s", i ? ", " : ": ",
                             param->name ? param->name : "", param->name && *param->name ? " " : "",
                             tileElementTypeName(param->type),
                             param->kind == TileParamKind_Pointer      ? "[N]"
                             : param->kind == TileParamKind_Descriptor ? " descriptor"
                                                                       : "");
  }
  return runFailure(RunStatus_Usage, "kernel '%s': got %zu, expected %zu arguments%s", kernel->name, got,
                    kernel->numParams, list);
}

RunStatus runArgumentsParse(const RunOptions *options, const TileManifestKernel *kernel,
                            RunArgument *out_arguments) {
  RunStatus status;
  for (size_t i = 0; i < options->numArgs; ++i)
    if ((status = parseSyntax(i, options->args[i], &out_arguments[i])))
      return status;
  if (options->numArgs != kernel->numParams)
    return wrongCount(options->numArgs, kernel);
  for (size_t i = 0; i < options->numArgs; ++i)
    if ((status = checkAgainstParam(i, &kernel->params[i], &out_arguments[i])) ||
        (!out_arguments[i].isBuffer && (status = checkScalar(i, &kernel->params[i], &out_arguments[i]))))
      return status;
  return RunStatus_Ok;
}

/// "SEED" or "SEED:LOW:HIGH"; the range stays as it is without one.
static bool parseRandom(const char *text, TileElementType type, uint64_t *out_seed, double *low,
                        double *high) {
  char *end;
  if (text[0] < '0' || text[0] > '9')
    return false;
  errno = 0;
  *out_seed = strtoull(text, &end, 10);
  if (errno) // 2^64 or more
    return false;
  if (!*end)
    return true;
  const char *start = end + 1;
  if (*end != ':' || (*low = strtod(start, &end), end == start) || *end != ':')
    return false;
  start = end + 1;
  *high = strtod(start, &end);
  if (end == start || *end || !isfinite(*low) || !isfinite(*high) || !(*low < *high))
    return false;
  const double bits = tileElementTypeBits(type);
  if (tileElementTypeIsFloat(type))
    return fmax(-*low, *high) <= tileFloatMax(type) && isfinite(*high - *low);
  return (*low == floor(*low) && *high == floor(*high) && *low >= (bits > 1 ? -exp2(bits - 1) : 0) &&
          *high <= exp2(bits));
}

static RunStatus fillRandom(size_t index, RunArgument *argument, const char *text, bool normal) {
  uint64_t seed;
  double low, high;
  TileError error;
  tileRandomRange(argument->type, &low, &high);
  if (!parseRandom(text, argument->type, &seed, &low, &high) || (normal && strchr(text, ':')))
    return runFailure(RunStatus_Usage, "argument %zu: got '%.80s', expected %s", index, argument->init,
                      normal ? "randn:SEED" : "rand:SEED or rand:SEED:LOW:HIGH with a range of the type");
  if (!normal)
    tileArrayFillUniform(&argument->array, seed, low, high);
  else if (tileArrayFillNormal(&argument->array, seed, &error))
    return runFailure(RunStatus_Usage, "argument %zu: %s", index, error.text);
  return RunStatus_Ok;
}

static RunStatus readFile(size_t index, RunArgument *argument, const char *path) {
  TileArray array;
  TileError error;
  if (tileNpyRead(path, argument->type, &array, &error))
    return runFailure(RunStatus_Failed, "argument %zu: %s", index, error.text);
  if (argument->hasShape && array.numElements != argument->array.numElements) {
    const long long got = array.numElements;
    tileArrayRelease(&array);
    return runFailure(RunStatus_Usage, "argument %zu: %s has %lld elements, expected %lld", index, path, got,
                      (long long)argument->array.numElements);
  }
  if (argument->hasShape) { // the command line's shape, the file's elements
    free(argument->array.data);
    argument->array.data = array.data;
    return RunStatus_Ok;
  }
  tileArrayRelease(&argument->array);
  argument->array = array;
  return RunStatus_Ok;
}

static RunStatus fillConstant(size_t index, RunArgument *argument, const char *text) {
  TileScalar value;
  TileError error;
  if (tileScalarParse(argument->type, text, strlen(text), &value, &error))
    return runFailure(RunStatus_Usage, "argument %zu: %s", index, error.text);
  tileArrayFill(&argument->array, value);
  return RunStatus_Ok;
}

/// "arg:N": the memory of an argument before.
static RunStatus share(size_t index, RunArgument *arguments, const char *text) {
  RunArgument *argument = &arguments[index];
  char *end;
  const unsigned long long owner = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end || owner >= index || !arguments[owner].isBuffer ||
      arguments[owner].isShared)
    return runFailure(RunStatus_Usage,
                      "argument %zu: got '%.80s', expected arg:N with the number of a buffer before that has "
                      "its own memory",
                      index, argument->init);
  const size_t got = tileArrayBytes(&argument->array), most = tileArrayBytes(&arguments[owner].array);
  if (got > most)
    return runFailure(RunStatus_Usage,
                      "argument %zu: got %zu bytes, expected at most the %zu of argument %llu", index, got,
                      most, owner);
  free(argument->array.data);
  argument->array.data = arguments[owner].array.data;
  argument->isShared = true;
  argument->owner = (size_t)owner;
  return RunStatus_Ok;
}

static RunStatus fill(size_t index, RunArgument *arguments) {
  RunArgument *argument = &arguments[index];
  TileError error;
  const char *init = argument->init;
  const bool isFile = !strncmp(init, "file:", 5);
  if (!argument->hasShape && !isFile)
    return runFailure(RunStatus_Usage,
                      "argument %zu: got no extents in '%.80s', expected them unless a file gives them",
                      index, argument->text);
  unsigned rank = argument->rank;
  int64_t shape[TILE_ARRAY_MAX_RANK];
  memcpy(shape, argument->shape, sizeof shape);
  if (argument->isDescriptor)
    runDescriptorShape(argument, &rank, shape);
  if (tileArrayCreate(argument->type, rank, shape, &argument->array, &error))
    return runFailure(RunStatus_Failed, "argument %zu: %s", index, error.text);
  if (isFile)
    return readFile(index, argument, init + 5);
  if (!strcmp(init, "zeros"))
    return RunStatus_Ok;
  if (!strncmp(init, "arg:", 4))
    return share(index, arguments, init + 4);
  if (!strcmp(init, "ones"))
    return fillConstant(index, argument, "1");
  if (!strncmp(init, "fill:", 5))
    return fillConstant(index, argument, init + 5);
  if (!strncmp(init, "rand:", 5) || !strncmp(init, "randn:", 6))
    return fillRandom(index, argument, strchr(init, ':') + 1, init[4] == 'n');
  if (strcmp(init, "iota"))
    return runFailure(RunStatus_Usage,
                      "argument %zu: got '%.80s', expected zeros, ones, iota, fill:V, rand:SEED, "
                      "randn:SEED, file:X.npy or arg:N",
                      index, init);
  tileArrayFillIota(&argument->array);
  return RunStatus_Ok;
}

RunStatus runArgumentsFill(const TileManifestKernel *kernel, RunArgument *arguments, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    RunStatus status = arguments[i].isBuffer ? fill(i, arguments) : RunStatus_Ok;
    if (!status && arguments[i].isDescriptor)
      status = runDescriptorFinish(i, &kernel->params[i], &arguments[i]);
    if (status)
      return status;
  }
  return RunStatus_Ok;
}

RunStatus runArgumentsCopy(const RunArgument *arguments, size_t count, RunArgument *out_copies) {
  for (size_t i = 0; i < count; ++i) {
    TileError error;
    out_copies[i] = arguments[i];
    if (arguments[i].isShared)
      out_copies[i].array.data = out_copies[arguments[i].owner].array.data;
    else if (arguments[i].isBuffer && tileArrayCopy(&arguments[i].array, &out_copies[i].array, &error))
      return runFailure(RunStatus_Failed, "argument %zu: %s", i, error.text);
  }
  return RunStatus_Ok;
}

void runArgumentsRelease(RunArgument *arguments, size_t count) {
  for (size_t i = 0; arguments && i < count; ++i)
    if (!arguments[i].isShared)
      tileArrayRelease(&arguments[i].array);
  free(arguments);
}

static RunStatus checkFile(const char *option, const RunFile *file, const RunOptions *options,
                           const RunArgument *arguments) {
  if (file->argument >= options->numArgs)
    return runFailure(RunStatus_Usage, "%s=%zu:%s: got index %zu, expected one below %zu", option,
                      file->argument, file->path, file->argument, options->numArgs);
  if (!arguments[file->argument].isBuffer)
    return runFailure(RunStatus_Usage, "%s=%zu:%s: argument %zu is a scalar, expected a buffer", option,
                      file->argument, file->path, file->argument);
  return RunStatus_Ok;
}

RunStatus runFilesCheck(const RunOptions *options, const RunArgument *arguments) {
  RunStatus status = RunStatus_Ok;
  for (size_t i = 0; !status && i < options->numOuts; ++i)
    status = checkFile("--out", &options->outs[i], options, arguments);
  for (size_t i = 0; !status && i < options->numExpects; ++i)
    status = checkFile("--expect", &options->expects[i], options, arguments);
  return status;
}
