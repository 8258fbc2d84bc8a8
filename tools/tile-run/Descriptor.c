/* Descriptor.c - arguments for descriptor parameters: a buffer seen as a tensor.
 *
 *   --arg=desc(f16[4096,4096],box=128x64)=rand:1
 *   --arg=desc(f16[100,30],strides=32x1)=iota        rows of 30 elements, one every 32 */
#include "TileRun.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool runShapeParse(const char **at, RunArgument *argument) {
  const char *text = *at + 1;
  argument->hasShape = *text != ']';
  while (*text != ']') {
    char *end;
    if (argument->rank == TILE_ARRAY_MAX_RANK || *text < '0' || *text > '9')
      return false;
    const unsigned long long extent = strtoull(text, &end, 10);
    if (extent > INT64_MAX || (*end != ',' && *end != ']') || (*end == ',' && end[1] == ']'))
      return false;
    argument->shape[argument->rank++] = (int64_t)extent;
    text = end + (*end == ',');
  }
  *at = text + 1;
  return true;
}

/// Reads "128x64" at `*at`, which it moves behind: 1 to TILE_MAX_RANK numbers.
static bool parseProduct(const char **at, unsigned *out_rank, int64_t *out_numbers) {
  const char *text = *at;
  for (*out_rank = 0; *out_rank < TILE_MAX_RANK; ++text) {
    char *end;
    if (*text < '0' || *text > '9')
      return false;
    const unsigned long long number = strtoull(text, &end, 10);
    if (number > INT64_MAX)
      return false;
    out_numbers[(*out_rank)++] = (int64_t)number;
    *at = text = end;
    if (*text != 'x')
      return true;
  }
  return false;
}

/// What stands behind the shape: ",box=128x64", ",strides=64x1", in any order.
static bool parseKeys(const char **at, RunArgument *argument) {
  while (**at == ',') {
    unsigned rank;
    if (!strncmp(*at, ",box=", 5)) {
      *at += 5;
      if (!parseProduct(at, &argument->boxRank, argument->box))
        return false;
    } else if (!strncmp(*at, ",strides=", 9)) {
      *at += 9;
      if (!parseProduct(at, &rank, argument->tensor.strides) || rank != argument->rank)
        return false;
      argument->hasStrides = true;
    } else {
      return false;
    }
  }
  return true;
}

RunStatus runDescriptorParse(size_t index, const char *text, RunArgument *out_argument) {
  const size_t length = strcspn(text, "[,)=");
  const char *at = text + length;
  out_argument->isBuffer = out_argument->isDescriptor = true;
  out_argument->type = tileElementTypeParse(text, length);
  if (out_argument->type == TileElementType_None)
    return runFailure(RunStatus_Usage, "argument %zu: got type '%.*s', expected an element type such as f32",
                      index, (int)(length < 40 ? length : 40), text);
  if (*at != '[' || !runShapeParse(&at, out_argument) || !parseKeys(&at, out_argument) ||
      strncmp(at, ")=", 2) || !at[2])
    return runFailure(RunStatus_Usage,
                      "argument %zu: got '%.80s', expected desc(TYPE[N,M],box=AxB)=INIT or "
                      "desc(TYPE[N,M],box=AxB,strides=SxT)=INIT",
                      index, out_argument->text);
  out_argument->init = at + 2;
  return RunStatus_Ok;
}

/// "128x64".
static const char *productText(unsigned rank, const int64_t *numbers, char *text, size_t size) {
  size_t used = 0;
  for (unsigned i = 0; i < rank && used < size; ++i)
    used += (size_t)snprintf(text + used, size - used, i ? "x%lld" : "%lld", (long long)numbers[i]);
  return text;
}

/// Rows do not reach into each other, and all of it is what the contract asks for.
static RunStatus checkTensor(const char *name, const TileManifestParam *param, RunArgument *argument) {
  TileTensor *tensor = &argument->tensor;
  TileError error;
  if (!argument->hasStrides)
    tileTensorPack(tensor);
  for (unsigned i = 1; argument->hasStrides && i < tensor->rank; ++i) {
    const double least = (double)tensor->shape[i] * (double)tensor->strides[i];
    if ((double)tensor->strides[i - 1] < least)
      return runFailure(RunStatus_Usage, "%s: dimension %u: got stride %lld, expected at least %.0f", name,
                        i - 1, (long long)tensor->strides[i - 1], least);
  }
  if (tileTensorCheck(tensor, param, &error))
    return runFailure(RunStatus_Usage, "%s: %s", name, error.text);
  return RunStatus_Ok;
}

static RunStatus setTensor(const char *name, const TileManifestParam *param, unsigned rank,
                           const int64_t *shape, RunArgument *argument) {
  if (rank != param->rank)
    return runFailure(RunStatus_Usage, "%s: got a tensor of %u dimensions, expected %u", name, rank,
                      param->rank);
  argument->tensor.rank = rank;
  memcpy(argument->tensor.shape, shape, rank * sizeof *shape);
  return checkTensor(name, param, argument);
}

RunStatus runDescriptorCheck(const char *name, const TileManifestParam *param, RunArgument *argument) {
  char box[96], other[96];
  productText(param->rank, param->box, box, sizeof box);
  const char *type = tileElementTypeName(param->type);
  if (param->kind != TileParamKind_Descriptor)
    return runFailure(RunStatus_Usage, "%s: got a descriptor of %s, expected a %s of %s", name,
                      tileElementTypeName(argument->type),
                      param->kind == TileParamKind_Pointer ? "buffer" : "scalar", type);
  if (!argument->isDescriptor || argument->type != param->type)
    return runFailure(RunStatus_Usage,
                      "%s: got a %s of %s, expected a descriptor of %s (desc(%s[..],box=%s)=...)", name,
                      argument->isDescriptor ? "descriptor"
                      : argument->isBuffer   ? "buffer"
                                             : "scalar",
                      tileElementTypeName(argument->type), type, type, box);
  if (argument->boxRank && (argument->boxRank != param->rank ||
                            memcmp(argument->box, param->box, param->rank * sizeof *param->box)))
    return runFailure(RunStatus_Usage, "%s: got box %s, expected %s", name,
                      productText(argument->boxRank, argument->box, other, sizeof other), box);
  return argument->hasShape ? setTensor(name, param, argument->rank, argument->shape, argument)
                            : RunStatus_Ok;
}

void runDescriptorShape(const RunArgument *argument, unsigned *inout_rank, int64_t *inout_shape) {
  if (!argument->hasStrides || argument->rank < 2)
    return;
  *inout_rank = 2; // each row with what follows it
  inout_shape[1] = argument->tensor.strides[0];
}

RunStatus runDescriptorFinish(size_t index, const TileManifestParam *param, RunArgument *argument) {
  char name[32];
  snprintf(name, sizeof name, "argument %zu", index);
  return argument->hasShape ? RunStatus_Ok
                            : setTensor(name, param, argument->array.rank, argument->array.shape, argument);
}
