/* Cuda.c - the NVIDIA driver, opened at run time. */
#include "CudaApi.h"
#include "Driver.h"
#include <stdio.h>
#include <string.h>

typedef struct State {
  CudaApi api;
  CUdevice device;
  CUcontext context; ///< the primary one, so that memory is shared with the caller's other CUDA code
} State;

static const char *const libraries[] = {"libcuda.so.1", NULL};

static const TileDriverSymbol symbols[] = {
    {"cuInit", offsetof(CudaApi, init), false},
    {"cuGetErrorName", offsetof(CudaApi, getErrorName), false},
    {"cuGetErrorString", offsetof(CudaApi, getErrorString), false},
    {"cuDeviceGetCount", offsetof(CudaApi, deviceGetCount), false},
    {"cuDeviceGet", offsetof(CudaApi, deviceGet), false},
    {"cuDeviceGetName", offsetof(CudaApi, deviceGetName), false},
    {"cuDeviceGetAttribute", offsetof(CudaApi, deviceGetAttribute), false},
    {"cuDeviceTotalMem_v2", offsetof(CudaApi, deviceTotalMem), false},
    {"cuDevicePrimaryCtxRetain", offsetof(CudaApi, primaryCtxRetain), false},
    {"cuDevicePrimaryCtxRelease_v2", offsetof(CudaApi, primaryCtxRelease), false},
    {"cuCtxSetCurrent", offsetof(CudaApi, ctxSetCurrent), false},
    {"cuCtxSynchronize", offsetof(CudaApi, ctxSynchronize), false},
    {"cuMemAlloc_v2", offsetof(CudaApi, memAlloc), false},
    {"cuMemFree_v2", offsetof(CudaApi, memFree), false},
    {"cuMemcpyHtoD_v2", offsetof(CudaApi, memcpyHtoD), false},
    {"cuMemcpyDtoH_v2", offsetof(CudaApi, memcpyDtoH), false},
    {"cuMemsetD8Async", offsetof(CudaApi, memsetD8Async), false},
    {"cuModuleLoadDataEx", offsetof(CudaApi, moduleLoadDataEx), false},
    {"cuModuleUnload", offsetof(CudaApi, moduleUnload), false},
    {"cuModuleGetFunction", offsetof(CudaApi, moduleGetFunction), false},
    {"cuFuncSetAttribute", offsetof(CudaApi, funcSetAttribute), false},
    {"cuLaunchKernel", offsetof(CudaApi, launchKernel), false},
    {"cuLaunchKernelEx", offsetof(CudaApi, launchKernelEx), true}, // since 11.8; for clusters only
    {"cuEventCreate", offsetof(CudaApi, eventCreate), false},
    {"cuEventDestroy_v2", offsetof(CudaApi, eventDestroy), false},
    {"cuEventRecord", offsetof(CudaApi, eventRecord), false},
    {"cuEventSynchronize", offsetof(CudaApi, eventSynchronize), false},
    {"cuEventElapsedTime", offsetof(CudaApi, eventElapsedTime), false},
    {"cuTensorMapEncodeTiled", offsetof(CudaApi, tensorMapEncodeTiled), true}, // since 12.0
};

static TileErrorCode codeOf(CUresult result) {
  switch (result) {
  case CUDA_ERROR_OUT_OF_MEMORY:
    return TileError_OutOfMemory;
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_INVALID_DEVICE:
    return TileError_NoDevice;
  case CUDA_ERROR_STUB_LIBRARY:
    return TileError_NoDriver;
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    return TileError_WrongTarget;
  case CUDA_ERROR_NOT_FOUND:
    return TileError_MissingKernel;
  default:
    return result >= CUDA_ERROR_ILLEGAL_ADDRESS && result <= CUDA_ERROR_LAUNCH_FAILED ? TileError_LaunchFailed
                                                                                      : TileError_Driver;
  }
}

static State *stateOf(TileDevice *device) { return device->state; }
static const CudaApi *apiOf(TileDevice *device) { return &stateOf(device)->api; }

static TileErrorCode describe(TileDevice *device, int result, const char **out_name, const char **out_text) {
  if (apiOf(device)->getErrorName(result, out_name) != CUDA_SUCCESS)
    *out_name = NULL;
  if (apiOf(device)->getErrorString(result, out_text) != CUDA_SUCCESS)
    *out_text = NULL;
  return codeOf(result);
}

static int init(TileDevice *device, int *out_count) {
  const CUresult result = apiOf(device)->init(0);
  return result ? result : apiOf(device)->deviceGetCount(out_count);
}

static int openDevice(TileDevice *device) {
  State *state = stateOf(device);
  const CUresult result = state->api.deviceGet(&state->device, device->info.ordinal);
  return result ? result : state->api.primaryCtxRetain(&state->context, state->device);
}

static unsigned attribute(const State *state, int which) {
  int value = 0;
  return state->api.deviceGetAttribute(&value, which, state->device) == CUDA_SUCCESS && value > 0
             ? (unsigned)value
             : 0;
}

static void readInfo(TileDevice *device) {
  const State *state = stateOf(device);
  TileDeviceInfo *info = &device->info;
  size_t memory = 0;
  state->api.deviceGetName(info->name, sizeof info->name, state->device);
  state->api.deviceTotalMem(&memory, state->device);
  info->memoryBytes = memory;
  info->major = attribute(state, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  info->minor = attribute(state, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  info->processors = attribute(state, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info->sharedBytes = attribute(state, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  // From 9.0 on a chip's own features need the name with an 'a'.
  snprintf(info->target, sizeof info->target, "sm_%u%u%s", info->major, info->minor,
           info->major >= 9 ? "a" : "");
}

static void closeDevice(TileDevice *device) {
  if (stateOf(device)->context)
    apiOf(device)->primaryCtxRelease(stateOf(device)->device);
}

static int makeCurrent(TileDevice *device) { return apiOf(device)->ctxSetCurrent(stateOf(device)->context); }

static int allocate(TileDevice *device, size_t size, TileDeviceAddress *out_address) {
  return apiOf(device)->memAlloc(out_address, size);
}

static int freeMemory(TileDevice *device, TileDeviceAddress address) {
  return apiOf(device)->memFree(address);
}

static int copyIn(TileDevice *device, TileDeviceAddress to, const void *from, size_t size) {
  return apiOf(device)->memcpyHtoD(to, from, size);
}

static int copyOut(TileDevice *device, void *to, TileDeviceAddress from, size_t size) {
  return apiOf(device)->memcpyDtoH(to, from, size);
}

static int fill(TileDevice *device, TileDeviceAddress address, uint8_t byte, size_t size, void *stream) {
  return apiOf(device)->memsetD8Async(address, byte, size, stream);
}

static int synchronize(TileDevice *device) { return apiOf(device)->ctxSynchronize(); }

static int loadModule(TileDevice *device, const void *data, void **out_module, char *out_log,
                      size_t logSize) {
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {out_log, (void *)(uintptr_t)(logSize - 1)};
  return apiOf(device)->moduleLoadDataEx(out_module, data, 2, options, values);
}

static int unloadModule(TileDevice *device, void *module) { return apiOf(device)->moduleUnload(module); }

static int getFunction(TileDevice *device, void *module, const char *name, void **out_function) {
  return apiOf(device)->moduleGetFunction(out_function, module, name);
}

static int prepareFunction(TileDevice *device, void *function, const TileManifestKernel *contract) {
  enum { WithoutAsking = 48 * 1024, PortableCluster = 8 };
  const CudaApi *api = apiOf(device);
  const unsigned *cluster = contract->cluster;
  CUresult result = CUDA_SUCCESS;
  if (!contract->sharedStatic && contract->sharedBytes > WithoutAsking)
    result = api->funcSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                   (int)contract->sharedBytes);
  if (!result && cluster[0] * cluster[1] * cluster[2] > PortableCluster)
    result = api->funcSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
  return result;
}

static int launch(TileDevice *device, void *function, const TileLaunchShape *shape, void **params,
                  void *stream) {
  const CudaApi *api = apiOf(device);
  const uint32_t *blocks = shape->blocks, *cluster = shape->cluster;
  if (cluster[0] * cluster[1] * cluster[2] == 1)
    return api->launchKernel(function, blocks[0], blocks[1], blocks[2], shape->threads, 1, 1,
                             shape->dynamicShared, stream, params, NULL);
  if (!api->launchKernelEx)
    return CUDA_ERROR_NOT_SUPPORTED;
  CUlaunchAttribute attributes[1] = {{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION}};
  attributes[0].value.clusterDim.x = cluster[0];
  attributes[0].value.clusterDim.y = cluster[1];
  attributes[0].value.clusterDim.z = cluster[2];
  const CUlaunchConfig config = {.gridDimX = blocks[0],
                                 .gridDimY = blocks[1],
                                 .gridDimZ = blocks[2],
                                 .blockDimX = shape->threads,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .sharedMemBytes = shape->dynamicShared,
                                 .hStream = stream,
                                 .attrs = attributes,
                                 .numAttrs = 1};
  return api->launchKernelEx(&config, function, params, NULL);
}

/// CUtensorMapDataType; -1: none.
static int mapType(TileElementType type) {
  switch (type) {
  case TileElementType_F16:
    return 6;
  case TileElementType_F32:
    return 7;
  case TileElementType_F64:
    return 8;
  case TileElementType_BF16:
    return 9;
  default:
    switch (tileElementTypeBits(type)) {
    case 8:
      return 0;
    case 16:
      return 1;
    case 32:
      return 2;
    case 64:
      return 4;
    default:
      return -1;
    }
  }
}

static int encodeTensorMap(TileDevice *device, const TileTensorMap *map, TileDeviceAddress base,
                           const uint64_t *sizes, const uint64_t *strides, void *out_map) {
  enum {
    NoInterleave = 0,
    Promote128 = 2 /* of 256 bytes, half would be for nothing where rows are not lines */
  };
  static const uint32_t ones[TILE_MAX_RANK] = {1, 1, 1, 1, 1};
  const int swizzle = map->swizzleBytes == 128  ? 3
                      : map->swizzleBytes == 64 ? 2
                      : map->swizzleBytes == 32 ? 1
                                                : 0;
  if (!apiOf(device)->tensorMapEncodeTiled || mapType(map->type) < 0)
    return CUDA_ERROR_NOT_SUPPORTED;
  return apiOf(device)->tensorMapEncodeTiled(out_map, mapType(map->type), map->rank, (void *)(uintptr_t)base,
                                             sizes, strides, map->box, ones, NoInterleave, swizzle,
                                             Promote128, map->fillsNaN);
}

static int createEvent(TileDevice *device, void **out_event) {
  return apiOf(device)->eventCreate(out_event, 0);
}
static int destroyEvent(TileDevice *device, void *event) { return apiOf(device)->eventDestroy(event); }

static int recordEvent(TileDevice *device, void *event, void *stream) {
  return apiOf(device)->eventRecord(event, stream);
}

static int waitForEvent(TileDevice *device, void *event) { return apiOf(device)->eventSynchronize(event); }

static int elapsed(TileDevice *device, void *start, void *stop, float *out_milliseconds) {
  return apiOf(device)->eventElapsedTime(out_milliseconds, start, stop);
}

const TileDriver tileCudaDriver = {
    .vendor = "NVIDIA",
    .libraries = libraries,
    .symbols = symbols,
    .numSymbols = sizeof symbols / sizeof *symbols,
    .stateBytes = sizeof(State),
    .init = init,
    .open = openDevice,
    .readInfo = readInfo,
    .close = closeDevice,
    .makeCurrent = makeCurrent,
    .describe = describe,
    .allocate = allocate,
    .free = freeMemory,
    .copyIn = copyIn,
    .copyOut = copyOut,
    .fill = fill,
    .synchronize = synchronize,
    .loadModule = loadModule,
    .unloadModule = unloadModule,
    .getFunction = getFunction,
    .prepareFunction = prepareFunction,
    .launch = launch,
    .encodeTensorMap = encodeTensorMap,
    .createEvent = createEvent,
    .destroyEvent = destroyEvent,
    .recordEvent = recordEvent,
    .waitForEvent = waitForEvent,
    .elapsed = elapsed,
};
