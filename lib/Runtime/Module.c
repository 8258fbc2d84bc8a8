/* Module.c - modules and kernels: from a launch contract to the driver's launch. */
#include "Driver.h"
#include "Tensor.h"
#include <stdlib.h>
#include <string.h>

struct TileKernel {
  TileModule *module;
  const TileManifestKernel *contract;
  void *function;
  void **params;  ///< room for the parts of the source's parameters, the hidden ones and tensor maps
  int32_t *sizes; ///< of descriptors, for one launch
  char *maps;     ///< the tensor maps, for one launch
  TileDeviceAddress scratch;
  uint64_t scratchBytes;
  TileKernel *next;
};

struct TileModule {
  TileDevice *device;
  void *handle;
  TileKernel *kernels;
};

/// The driver reads PTX as a string, and an ELF as far as its headers say: both get a zero after the end.
static void *copyTerminated(const void *data, size_t size) {
  char *copy = malloc(size + 1);
  if (copy) {
    memcpy(copy, data, size);
    copy[size] = 0;
  }
  return copy;
}

static TileErrorCode load(TileDevice *device, const void *data, void **out_handle, TileError *out_error) {
  char log[512] = "";
  TileErrorCode code = tileDriverMakeCurrent(device, out_error);
  if (code)
    return code;
  const int result = device->driver->loadModule(device, data, out_handle, log, sizeof log);
  log[strcspn(log, "\n")] = 0; // the first line says what is wrong
  return tileDriverCheck(device, result, out_error, "cannot load the module%s%s", log[0] ? ": " : "", log);
}

TileErrorCode tileModuleLoad(TileDevice *device, const void *data, size_t size, const char *target,
                             TileModule **out_module, TileError *out_error) {
  *out_module = NULL;
  TileErrorCode code = tileModuleCheck(&device->info, data, size, target, out_error);
  if (code)
    return code;
  TileModule *module = calloc(1, sizeof *module);
  void *copy = copyTerminated(data, size);
  if (!module || !copy)
    code = tileErrorSet(out_error, TileError_OutOfMemory, "out of host memory");
  else
    code = load(device, copy, &module->handle, out_error);
  free(copy);
  if (code) {
    free(module);
    return code;
  }
  module->device = device;
  *out_module = module;
  return TileError_None;
}

static void freeKernel(TileKernel *kernel) {
  tileDeviceFree(kernel->module->device, kernel->scratch);
  free(kernel->params);
  free(kernel->sizes);
  free(kernel->maps);
  free(kernel);
}

void tileModuleUnload(TileModule *module) {
  if (!module)
    return;
  for (TileKernel *kernel = module->kernels, *next; kernel; kernel = next) {
    next = kernel->next;
    freeKernel(kernel);
  }
  if (!tileDriverMakeCurrent(module->device, NULL))
    module->device->driver->unloadModule(module->device, module->handle);
  free(module);
}

static TileErrorCode findFunction(TileModule *module, const TileManifestKernel *contract, void **out_function,
                                  TileError *out_error) {
  TileDevice *device = module->device;
  const uint32_t most = device->info.sharedBytes;
  TileErrorCode code = tileDriverMakeCurrent(device, out_error);
  if (!code)
    code = tileDriverCheck(device,
                           device->driver->getFunction(device, module->handle, contract->name, out_function),
                           out_error, "no kernel '%.100s' in the binary", contract->name);
  if (code)
    return code;
  if (!contract->sharedStatic && most && contract->sharedBytes > most)
    return tileErrorSet(out_error, TileError_LaunchFailed,
                        "kernel '%.100s' asks for %u bytes of shared memory, the device has %u a block",
                        contract->name, contract->sharedBytes, most);
  return tileDriverCheck(device, device->driver->prepareFunction(device, *out_function, contract), out_error,
                         "cannot get the shared memory or cluster of kernel '%.100s'", contract->name);
}

/// What the library cannot pass yet.
static TileErrorCode checkParams(const TileManifestKernel *contract, TileError *out_error) {
  for (size_t i = 0; i < contract->numParams; ++i)
    if (contract->params[i].kind == TileParamKind_Descriptor &&
        contract->params[i].form != TileDescriptorForm_Parts)
      return tileErrorSet(out_error, TileError_Unsupported,
                          "parameter %zu: descriptors as tensor maps are not supported yet", i);
  return TileError_None;
}

TileErrorCode tileModuleGetKernel(TileModule *module, const TileManifestKernel *contract,
                                  TileKernel **out_kernel, TileError *out_error) {
  *out_kernel = NULL;
  TileErrorCode code = checkParams(contract, out_error);
  if (code)
    return code;
  size_t parts = contract->numHidden + 1;
  for (size_t i = 0; i < contract->numParams; ++i)
    parts += tileTensorParts(&contract->params[i]);
  TileKernel *kernel = calloc(1, sizeof *kernel);
  void **params = calloc(parts + contract->numTensorMaps, sizeof *params);
  int32_t *sizes = calloc(parts, sizeof *sizes);
  char *maps = aligned_alloc(64, (contract->numTensorMaps + 1) * TILE_TENSOR_MAP_BYTES);
  if (!kernel || !params || !sizes || !maps)
    code = tileErrorSet(out_error, TileError_OutOfMemory, "out of host memory");
  else
    code = findFunction(module, contract, &kernel->function, out_error);
  if (code) {
    free(params);
    free(sizes);
    free(maps);
    free(kernel);
    return code;
  }
  *kernel = (TileKernel){.module = module,
                         .contract = contract,
                         .function = kernel->function,
                         .params = params,
                         .sizes = sizes,
                         .maps = maps,
                         .next = module->kernels};
  module->kernels = *out_kernel = kernel;
  return TileError_None;
}

static uint32_t atLeastOne(uint32_t value) { return value ? value : 1; }

static TileErrorCode shapeLaunch(const TileDeviceInfo *info, const TileManifestKernel *contract,
                                 const uint32_t programs[3], TileLaunchShape *out_shape,
                                 TileError *out_error) {
  static const uint64_t limits[3] = {INT32_MAX, 65535, 65535};
  uint64_t blocks[3] = {programs[0], programs[1], programs[2]};
  if (contract->gridRule == TileGridRule_Persistent) {
    if (!info->processors)
      return tileErrorSet(out_error, TileError_Unsupported,
                          "the driver does not tell how many processors there are");
    const uint64_t resident = (uint64_t)info->processors * contract->blocksPerProcessor;
    const double all = (double)programs[0] * programs[1] * programs[2];
    blocks[0] = all < (double)resident ? (uint64_t)all : resident;
    blocks[1] = blocks[2] = 1;
  }
  blocks[0] *= atLeastOne(contract->numCtas);
  for (int i = 0; i < 3; ++i) {
    if (!blocks[i] || blocks[i] > limits[i])
      return tileErrorSet(out_error, TileError_Argument,
                          "grid dimension %c: got %llu blocks, expected 1 to %llu", 'x' + i,
                          (unsigned long long)blocks[i], (unsigned long long)limits[i]);
    out_shape->blocks[i] = (uint32_t)blocks[i];
    out_shape->cluster[i] = atLeastOne(contract->cluster[i]);
  }
  out_shape->threads = contract->threadsPerWarp * (contract->numWarps + contract->extraWarps);
  out_shape->dynamicShared = contract->sharedStatic ? 0 : contract->sharedBytes;
  if (info->kind == TileDevice_HIP && blocks[0] * out_shape->threads > UINT32_MAX)
    return tileErrorSet(out_error, TileError_Argument,
                        "got %u blocks of %u threads in x, HIP has at most 2^32 - 1 threads",
                        out_shape->blocks[0], out_shape->threads);
  return TileError_None;
}

/// Makes sure of the scratch memory a launch needs, and has it zeroed before the kernel: where it is kept, once.
static TileErrorCode prepareScratch(TileKernel *kernel, const TileLaunchShape *shape, void *stream,
                                    TileError *out_error) {
  TileDevice *device = kernel->module->device;
  const uint64_t blocks = (uint64_t)shape->blocks[0] * shape->blocks[1] * shape->blocks[2];
  const uint64_t needed = kernel->contract->scratchBytes + kernel->contract->scratchBytesPerBlock * blocks;
  TileErrorCode code = TileError_None;
  if (needed > kernel->scratchBytes) {
    if (kernel->scratch && (code = tileDeviceSynchronize(device, out_error)))
      return code;
    tileDeviceFree(device, kernel->scratch);
    kernel->scratch = kernel->scratchBytes = 0;
    if ((code = tileDeviceAllocate(device, needed, &kernel->scratch, out_error)))
      return code;
    kernel->scratchBytes = needed;
  } else if (kernel->contract->scratchKept) {
    return TileError_None;
  }
  return tileDeviceFill(device, kernel->scratch, 0, needed, stream, out_error);
}

/// Sets kernel->params to the values of the source's parameters; `out_count` is where the hidden ones begin.
static TileErrorCode passArguments(TileKernel *kernel, void *const *arguments, size_t *out_count,
                                   TileError *out_error) {
  const TileManifestKernel *contract = kernel->contract;
  size_t at = 0;
  for (size_t i = 0; i < contract->numParams; ++i) {
    if (contract->params[i].kind != TileParamKind_Descriptor) {
      kernel->params[at++] = arguments[i];
      continue;
    }
    TileError wrong;
    TileErrorCode code = tileTensorCheck(arguments[i], &contract->params[i], &wrong);
    if (code)
      return tileErrorSet(out_error, code, "kernel '%.100s': argument %zu: %s", contract->name, i,
                          wrong.text);
    at += tileTensorPass(arguments[i], &kernel->sizes[at], &kernel->params[at]);
  }
  *out_count = at;
  return TileError_None;
}

TileErrorCode tileKernelLaunch(TileKernel *kernel, const uint32_t programs[3], void *const *arguments,
                               size_t numArguments, void *stream, TileError *out_error) {
  const TileManifestKernel *contract = kernel->contract;
  TileDevice *device = kernel->module->device;
  TileLaunchShape shape;
  if (numArguments != contract->numParams)
    return tileErrorSet(out_error, TileError_Argument, "kernel '%.100s': got %zu arguments, expected %zu",
                        contract->name, numArguments, contract->numParams);
  TileErrorCode code = shapeLaunch(&device->info, contract, programs, &shape, out_error);
  size_t first;
  if (!code)
    code = passArguments(kernel, arguments, &first, out_error);
  if (!code)
    code = tileSeparateCheck(contract, arguments, out_error);
  if (!code)
    code = prepareScratch(kernel, &shape, stream, out_error);
  if (code)
    return code;
  uint32_t grid[3] = {programs[0], programs[1], programs[2]};
  for (size_t i = 0; i < contract->numHidden; ++i) {
    const TileHiddenKind kind = contract->hidden[i];
    kernel->params[first + i] = kind == TileHiddenKind_Scratch
                                    ? (void *)&kernel->scratch
                                    : (void *)&grid[kind - TileHiddenKind_ProgramsX];
  }
  for (size_t i = 0; i < contract->numTensorMaps; ++i)
    kernel->params[first + contract->numHidden + i] = kernel->maps + i * TILE_TENSOR_MAP_BYTES;
  if ((code = tileDriverMakeCurrent(device, out_error)) ||
      (code = tileTensorMapsEncode(device, contract, kernel->params, kernel->maps, out_error)))
    return code;
  return tileDriverCheck(device,
                         device->driver->launch(device, kernel->function, &shape, kernel->params, stream),
                         out_error, "cannot launch kernel '%.100s'", contract->name);
}
