/* ManifestGrid.c - the grid of programs that a manifest says for a launch's values. */
#include "tile-c/Expression.h"
#include "tile-c/Manifest.h"
#include <string.h>

typedef struct Values {
  const TileManifestKernel *kernel;
  const int64_t *values;
  unsigned processors;
} Values;

static bool lookUp(const char *name, size_t length, int64_t *out_value, void *user) {
  static const char processors[] = "processors";
  const Values *v = user;
  for (size_t i = 0; i < v->kernel->numParams; ++i) {
    const TileManifestParam *param = &v->kernel->params[i];
    if (param->kind == TileParamKind_Scalar && param->name && strlen(param->name) == length &&
        !memcmp(param->name, name, length))
      return *out_value = v->values[i], true;
  }
  *out_value = v->processors;
  return length == sizeof processors - 1 && !memcmp(name, processors, length);
}

TileErrorCode tileManifestGrid(const TileManifestKernel *kernel, const int64_t *values, unsigned processors,
                               uint32_t out_programs[3], TileError *out_error) {
  Values v = {kernel, values, processors};
  if (!kernel->programs[0])
    return tileErrorSet(out_error, TileError_Argument, "kernel '%.100s' does not say its grid", kernel->name);
  for (int i = 0; i < 3; ++i) {
    const char *text = kernel->programs[i] ? kernel->programs[i] : "1";
    int64_t value;
    size_t at;
    const TileExpressionResult result = tileExpressionEvaluate(text, strlen(text), lookUp, &v, &value, &at);
    if (result)
      return tileErrorSet(
          out_error, TileError_Format, "kernel '%.100s': grid '%.80s': %s at '%.40s'", kernel->name, text,
          result == TileExpression_Unknown ? "unknown name" : "malformed expression", text + at);
    if (value < 0 || value > UINT32_MAX)
      return tileErrorSet(out_error, TileError_Argument, "kernel '%.100s': grid '%.80s' is %lld",
                          kernel->name, text, (long long)value);
    out_programs[i] = (uint32_t)(value ? value : 1);
  }
  return TileError_None;
}
