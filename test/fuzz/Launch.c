/* Launch.c - fuzz-launch: kernels on a GPU through libtile_rt, told what to do like fuzz-worker. It needs no LLVM.
 *
 *   fuzz-launch cuda|hip
 * Commands, one a line, each answered by "ok" or "error MESSAGE":
 *   load BINARY              with its manifest BINARY.json
 *   arg ...                  an argument, as FuzzArguments.h says
 *   launch KERNEL X Y Z      executes the kernel on the arguments, then forgets them
 * A descriptor's arguments are its base, its sizes and its strides. */
#include "FuzzArguments.h"
#include "tile-c/Runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Launcher {
  TileDevice *device;
  TileModule *module;
  TileManifest manifest;
  FuzzArguments arguments;
} Launcher;

static TileErrorCode load(Launcher *l, const char *path, TileError *error) {
  char name[4096];
  size_t size, manifestSize;
  snprintf(name, sizeof name, "%s.json", path);
  tileModuleUnload(l->module);
  tileManifestRelease(&l->manifest);
  l->module = NULL;
  char *data = fuzzReadFile(path, &size), *manifest = fuzzReadFile(name, &manifestSize);
  TileErrorCode code = data && manifest ? tileManifestParse(manifest, manifestSize, &l->manifest, error)
                                        : tileErrorSet(error, TileError_File, "cannot read %s", path);
  if (!code)
    code = tileModuleLoad(l->device, data, size, l->manifest.target, &l->module, error);
  free(data);
  free(manifest);
  return code;
}

/* The argument's value: an address of a copy on the device, or the scalar. */
static TileErrorCode place(Launcher *l, const FuzzArgument *a, uint64_t *out_value, TileError *error) {
  size_t size = a->count * tileElementTypeSize(a->type);
  TileScalar scalar;
  TileErrorCode code;
  if (!a->isBuffer) {
    code = tileScalarParse(a->type, a->text, strlen(a->text), &scalar, error);
    if (!code)
      tileScalarStore(a->type, scalar, out_value);
    return code;
  }
  const size_t front = a->shift * tileElementTypeSize(a->type);
  code = tileDeviceAllocate(l->device, front + size, out_value, error);
  *out_value += front;
  return code ? code : tileDeviceCopyIn(l->device, *out_value, a->data, size, error);
}

/* The tensor of a descriptor from its values on. */
static TileTensor tensorOf(const uint64_t *values, unsigned rank) {
  TileTensor t = {.base = values[0], .rank = rank};
  for (unsigned d = 0; d < rank; ++d) {
    t.shape[d] = (int32_t)values[1 + d];
    t.strides[d] = (int64_t)values[1 + rank + d];
  }
  return t;
}

/* What the kernel takes, a pointer to each; how many. */
static size_t bind(const TileManifestKernel *contract, uint64_t *values, size_t n, TileTensor *tensors,
                   void **out_pointers) {
  size_t at = 0, count = 0;
  for (; count < contract->numParams && at < n; ++count) {
    const TileManifestParam *p = &contract->params[count];
    const size_t taken = p->kind == TileParamKind_Descriptor ? 1 + 2 * (size_t)p->rank : 1;
    if (at + taken > n)
      break;
    out_pointers[count] = &values[at];
    if (taken > 1) {
      tensors[count] = tensorOf(&values[at], p->rank);
      out_pointers[count] = &tensors[count];
    }
    at += taken;
  }
  return at == n ? count : n;
}

static TileErrorCode launch(Launcher *l, char **word, TileError *error) {
  static TileTensor tensors[FUZZ_MAX_ARGUMENTS];
  uint64_t values[FUZZ_MAX_ARGUMENTS] = {0};
  void *pointers[FUZZ_MAX_ARGUMENTS] = {NULL};
  const uint32_t grid[3] = {(uint32_t)atoi(word[2]), (uint32_t)atoi(word[3]), (uint32_t)atoi(word[4])};
  const TileManifestKernel *contract;
  TileKernel *kernel;
  size_t n = l->arguments.count;
  TileErrorCode code = tileManifestFindKernel(&l->manifest, word[1], &contract, error);
  code = code ? code : tileModuleGetKernel(l->module, contract, &kernel, error);
  for (size_t i = 0; i < n && !code; ++i)
    code = place(l, &l->arguments.at[i], &values[i], error);
  const size_t count = code ? 0 : bind(contract, values, n, tensors, pointers);
  code = code ? code : tileKernelLaunch(kernel, grid, pointers, count, NULL, error);
  code = code ? code : tileDeviceSynchronize(l->device, error);
  for (size_t i = 0; i < n; ++i) {
    FuzzArgument *a = &l->arguments.at[i];
    if (a->isBuffer && !code)
      code = tileDeviceCopyOut(l->device, a->data, values[i], a->count * tileElementTypeSize(a->type), error);
    if (a->isBuffer && values[i])
      tileDeviceFree(l->device, values[i] - a->shift * tileElementTypeSize(a->type));
  }
  if (!code && !fuzzWriteOutputs(&l->arguments))
    code = tileErrorSet(error, TileError_File, "cannot write the results");
  fuzzForget(&l->arguments);
  return code;
}

/* False for a malformed command. */
static bool obey(Launcher *l, char **word, int words) {
  TileError error = {0};
  TileErrorCode code = TileError_None;
  if (words == 2 && !strcmp(word[0], "load"))
    code = load(l, word[1], &error);
  else if (words == 5 && !strcmp(word[0], "launch"))
    code = launch(l, word, &error);
  else if (words < 1 || strcmp(word[0], "arg") || !fuzzAddArgument(&l->arguments, word, words))
    return false;
  if (code)
    printf("error %s\n", error.text);
  else
    puts("ok");
  fflush(stdout);
  return true;
}

int main(int argc, char **argv) {
  static Launcher l;
  static char line[4096];
  TileError error;
  TileDeviceKind kind = argc > 1 && !strcmp(argv[1], "hip") ? TileDevice_HIP : TileDevice_CUDA;
  if (tileDeviceOpen(kind, 0, &l.device, &error)) {
    fprintf(stderr, "fuzz-launch: %s\n", error.text);
    return 1;
  }
  while (fgets(line, sizeof line, stdin)) {
    char *word[8];
    if (!obey(&l, word, fuzzSplit(line, word, 8))) {
      fprintf(stderr, "fuzz-launch: cannot obey '%s'\n", line);
      return 2;
    }
  }
  tileModuleUnload(l.module);
  tileManifestRelease(&l.manifest);
  tileDeviceClose(l.device);
  return 0;
}
