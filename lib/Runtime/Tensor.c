/* Tensor.c - values of descriptor parameters: checked against the launch contract, passed to the kernel. */
#include "Tensor.h"

void tileTensorPack(TileTensor *tensor) {
  int64_t stride = 1;
  for (unsigned i = tensor->rank; i-- > 0; stride *= tensor->shape[i])
    tensor->strides[i] = stride;
}

TileErrorCode tileTensorCheck(const TileTensor *tensor, const TileManifestParam *param,
                              TileError *out_error) {
  enum { Alignment = 16 };
  const int64_t size = (int64_t)tileElementTypeSize(param->type);
  if (tensor->rank != param->rank)
    return tileErrorSet(out_error, TileError_Argument, "got a tensor of %u dimensions, expected %u",
                        tensor->rank, param->rank);
  if (tensor->base % Alignment)
    return tileErrorSet(out_error, TileError_Argument, "got base 0x%llx, expected a multiple of %d",
                        (unsigned long long)tensor->base, Alignment);
  for (unsigned i = 0; i < tensor->rank; ++i) {
    const bool last = i + 1 == tensor->rank;
    const int64_t stride = tensor->strides[i];
    if (tensor->shape[i] < 0 || tensor->shape[i] > INT32_MAX)
      return tileErrorSet(out_error, TileError_Argument,
                          "dimension %u: got size %lld, expected 0 to 2^31 - 1", i,
                          (long long)tensor->shape[i]);
    if (last && stride != 1)
      return tileErrorSet(out_error, TileError_Argument, "dimension %u: got stride %lld, expected 1", i,
                          (long long)stride);
    if (!last && (stride < 0 || stride > INT64_MAX / size || stride * size % Alignment))
      return tileErrorSet(out_error, TileError_Argument,
                          "dimension %u: got a stride of %lld elements (%lld bytes), expected a multiple of "
                          "%d bytes",
                          i, (long long)stride, (long long)(stride * size), Alignment);
  }
  return TileError_None;
}

size_t tileTensorParts(const TileManifestParam *param) {
  return param->kind == TileParamKind_Descriptor ? 1 + 2 * (size_t)param->rank : 1;
}

size_t tileTensorPass(const TileTensor *tensor, int32_t *sizes, void **out_params) {
  out_params[0] = (void *)&tensor->base;
  for (unsigned i = 0; i < tensor->rank; ++i) {
    sizes[i] = (int32_t)tensor->shape[i];
    out_params[1 + i] = &sizes[i];
    out_params[1 + tensor->rank + i] = (void *)&tensor->strides[i];
  }
  return 1 + 2 * (size_t)tensor->rank;
}

/// Memory that an argument stands for.
typedef struct Range {
  size_t argument;
  uint64_t start, end;
} Range;

static Range tensorRange(const TileTensor *tensor, uint64_t elementBytes) {
  uint64_t last = 0;
  bool empty = false;
  for (unsigned i = 0; i < tensor->rank; ++i) {
    empty |= tensor->shape[i] == 0;
    last += (uint64_t)(tensor->shape[i] - 1) * (uint64_t)tensor->strides[i];
  }
  return (Range){0, tensor->base, tensor->base + (empty ? 0 : (last + 1) * elementBytes)};
}

/// What launch value number `position` points to; false if it is no pointer of a parameter.
static bool rangeAt(const TileManifestKernel *contract, void *const *arguments, int position, Range *out) {
  size_t at = 0;
  for (size_t i = 0; i < contract->numParams && at <= (size_t)position; ++i) {
    const TileManifestParam *param = &contract->params[i];
    const uint64_t bytes = tileElementTypeSize(param->type);
    if (at == (size_t)position && param->kind == TileParamKind_Descriptor)
      *out = tensorRange(arguments[i], bytes);
    else if (at == (size_t)position && param->kind == TileParamKind_Pointer)
      *out = (Range){0, *(const TileDeviceAddress *)arguments[i],
                     *(const TileDeviceAddress *)arguments[i] + bytes};
    out->argument = i;
    if (at == (size_t)position)
      return param->kind != TileParamKind_Scalar;
    at += tileTensorParts(param);
  }
  return false;
}

/// Whether two arguments are the very same memory, which the pair allows.
static bool areSame(const TileManifestKernel *contract, void *const *arguments, const TileValuePair *pair,
                    const Range *a, const Range *b) {
  if (!pair->maySame || a->start != b->start)
    return false;
  if (contract->params[a->argument].kind != TileParamKind_Descriptor)
    return true;
  const TileTensor *x = arguments[a->argument], *y = arguments[b->argument];
  for (unsigned d = 0; d < x->rank; ++d)
    if (x->shape[d] != y->shape[d] || x->strides[d] != y->strides[d])
      return false;
  return x->rank == y->rank;
}

TileErrorCode tileSeparateCheck(const TileManifestKernel *contract, void *const *arguments,
                                TileError *out_error) {
  for (size_t i = 0; i < contract->numSeparate; ++i) {
    Range a, b;
    if (rangeAt(contract, arguments, contract->separate[i].first, &a) &&
        rangeAt(contract, arguments, contract->separate[i].second, &b) && a.start < b.end &&
        b.start < a.end && !areSame(contract, arguments, &contract->separate[i], &a, &b))
      return tileErrorSet(out_error, TileError_Argument,
                          "kernel '%.100s': arguments %zu and %zu overlap (from 0x%llx and 0x%llx), expected "
                          "different memory: loads of one run ahead of stores to the other",
                          contract->name, a.argument, b.argument, (unsigned long long)a.start,
                          (unsigned long long)b.start);
  }
  return TileError_None;
}
