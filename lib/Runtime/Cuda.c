/* Cuda.c - the NVIDIA driver, opened at run time. */
#include "CudaApi.h"
#include "Driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct State {
  void *library;
  CudaApi api;
  CUdevice device;
  CUcontext context; ///< the primary one, so that memory is shared with the caller's other CUDA code
} State;

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

/// Success, or an error text of what was tried and the driver's name and description.
static TileErrorCode check(const State *state, CUresult result, TileError *out_error, const char *what) {
  if (result == CUDA_SUCCESS)
    return TileError_None;
  const char *name = NULL, *text = NULL;
  state->api.getErrorName(result, &name);
  state->api.getErrorString(result, &text);
  char number[32];
  snprintf(number, sizeof number, "CUDA error %d", result);
  return tileErrorSet(out_error, codeOf(result), "%s: %s: %s", what, name ? name : number,
                      text ? text : "no text");
}

static TileErrorCode makeCurrent(TileDevice *device, State **out_state, TileError *out_error) {
  State *state = *out_state = device->state;
  return check(state, state->api.ctxSetCurrent(state->context), out_error, "cannot make the device current");
}

static unsigned attribute(const State *state, int which) {
  int value = 0;
  return state->api.deviceGetAttribute(&value, which, state->device) == CUDA_SUCCESS && value > 0
             ? (unsigned)value
             : 0;
}

static void readInfo(const State *state, TileDeviceInfo *info) {
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

static TileErrorCode openDevice(TileDevice *device, TileError *out_error) {
  static const char *const names[] = {"libcuda.so.1", NULL};
  State *state = device->state = calloc(1, sizeof *state);
  if (!state)
    return tileErrorSet(out_error, TileError_OutOfMemory, "out of host memory");
  int count = 0;
  TileErrorCode code;
  if ((code = tileDriverOpenLibrary("NVIDIA", names, &state->library, out_error)) ||
      (code = tileDriverLoadSymbols(state->library, symbols, sizeof symbols / sizeof *symbols, &state->api,
                                    out_error)) ||
      (code = check(state, state->api.init(0), out_error, "no NVIDIA device")) ||
      (code = check(state, state->api.deviceGetCount(&count), out_error, "no NVIDIA device")))
    return code;
  if (device->info.ordinal < 0 || device->info.ordinal >= count)
    return tileErrorSet(out_error, TileError_NoDevice, "no NVIDIA device number %d: the driver has %d",
                        device->info.ordinal, count);
  if ((code = check(state, state->api.deviceGet(&state->device, device->info.ordinal), out_error,
                    "cannot open the device")) ||
      (code = check(state, state->api.primaryCtxRetain(&state->context, state->device), out_error,
                    "cannot open the device")))
    return code;
  readInfo(state, &device->info);
  return makeCurrent(device, &state, out_error);
}

static void closeDevice(TileDevice *device) {
  State *state = device->state;
  if (!state)
    return;
  if (state->context)
    state->api.primaryCtxRelease(state->device);
  // The library stays open: it keeps threads and exit handlers of its own, which unloading would pull the
  // ground from.
  free(state);
}

static TileErrorCode allocate(TileDevice *device, size_t size, TileDeviceAddress *out_address,
                              TileError *out_error) {
  State *state;
  char what[64];
  snprintf(what, sizeof what, "cannot allocate %zu bytes on the device", size);
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code : check(state, state->api.memAlloc(out_address, size), out_error, what);
}

static void freeMemory(TileDevice *device, TileDeviceAddress address) {
  State *state;
  if (!makeCurrent(device, &state, NULL))
    state->api.memFree(address);
}

static TileErrorCode copyIn(TileDevice *device, TileDeviceAddress to, const void *from, size_t size,
                            TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code
              : check(state, state->api.memcpyHtoD(to, from, size), out_error, "cannot copy to the device");
}

static TileErrorCode copyOut(TileDevice *device, void *to, TileDeviceAddress from, size_t size,
                             TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code
              : check(state, state->api.memcpyDtoH(to, from, size), out_error, "cannot copy from the device");
}

static TileErrorCode fill(TileDevice *device, TileDeviceAddress address, uint8_t byte, size_t size,
                          void *stream, TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code
              : check(state, state->api.memsetD8Async(address, byte, size, stream), out_error,
                      "cannot fill memory of the device");
}

static TileErrorCode synchronize(TileDevice *device, TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code : check(state, state->api.ctxSynchronize(), out_error, "the kernel failed");
}

static TileErrorCode loadModule(TileDevice *device, const void *data, void **out_module,
                                TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  if (code)
    return code;
  char log[512] = "", what[640] = "cannot load the module";
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
  const CUresult result = state->api.moduleLoadDataEx(out_module, data, 2, options, values);
  log[strcspn(log, "\n")] = 0; // the first line says what is wrong
  if (log[0])
    snprintf(what, sizeof what, "cannot load the module: %s", log);
  return check(state, result, out_error, what);
}

static void unloadModule(TileDevice *device, void *module) {
  State *state;
  if (!makeCurrent(device, &state, NULL))
    state->api.moduleUnload(module);
}

static TileErrorCode prepareFunction(const State *state, const TileManifestKernel *contract,
                                     CUfunction function, TileError *out_error) {
  enum { WithoutAsking = 48 * 1024, PortableCluster = 8 };
  TileErrorCode code = TileError_None;
  const unsigned *cluster = contract->cluster;
  if (!contract->sharedStatic && contract->sharedBytes > WithoutAsking)
    code = check(state,
                 state->api.funcSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                             (int)contract->sharedBytes),
                 out_error, "cannot get the kernel's shared memory");
  if (!code && cluster[0] * cluster[1] * cluster[2] > PortableCluster)
    code = check(
        state, state->api.funcSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
        out_error, "cannot get the kernel's cluster size");
  return code;
}

static TileErrorCode getFunction(TileDevice *device, void *module, const TileManifestKernel *contract,
                                 void **out_function, TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  char what[160];
  snprintf(what, sizeof what, "no kernel '%.100s' in the binary", contract->name);
  if (code || (code = check(state, state->api.moduleGetFunction(out_function, module, contract->name),
                            out_error, what)))
    return code;
  if (!contract->sharedStatic && device->info.sharedBytes && contract->sharedBytes > device->info.sharedBytes)
    return tileErrorSet(out_error, TileError_LaunchFailed,
                        "kernel '%.100s' asks for %u bytes of shared memory, the device has %u a block",
                        contract->name, contract->sharedBytes, device->info.sharedBytes);
  return prepareFunction(state, contract, *out_function, out_error);
}

static TileErrorCode launch(TileDevice *device, void *function, const TileLaunchShape *shape, void **params,
                            void *stream, TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  if (code)
    return code;
  const uint32_t *blocks = shape->blocks, *cluster = shape->cluster;
  if (cluster[0] * cluster[1] * cluster[2] == 1)
    return check(state,
                 state->api.launchKernel(function, blocks[0], blocks[1], blocks[2], shape->threads, 1, 1,
                                         shape->dynamicShared, stream, params, NULL),
                 out_error, "cannot launch the kernel");
  if (!state->api.launchKernelEx)
    return tileErrorSet(out_error, TileError_NoDriver,
                        "the driver lacks cuLaunchKernelEx, which clusters need");
  CUlaunchAttribute attributes[1] = {{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION}};
  attributes[0].value.clusterDim.x = cluster[0];
  attributes[0].value.clusterDim.y = cluster[1];
  attributes[0].value.clusterDim.z = cluster[2];
  const CUlaunchConfig config = {blocks[0], blocks[1],  blocks[2], shape->threads, 1, 1, shape->dynamicShared,
                                 stream,    attributes, 1};
  return check(state, state->api.launchKernelEx(&config, function, params, NULL), out_error,
               "cannot launch the kernel");
}

static TileErrorCode createEvent(TileDevice *device, void **out_event, TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code : check(state, state->api.eventCreate(out_event, 0), out_error, "cannot make an event");
}

static void destroyEvent(TileDevice *device, void *event) {
  State *state;
  if (!makeCurrent(device, &state, NULL))
    state->api.eventDestroy(event);
}

static TileErrorCode recordEvent(TileDevice *device, void *event, void *stream, TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code
              : check(state, state->api.eventRecord(event, stream), out_error, "cannot record an event");
}

static TileErrorCode elapsed(TileDevice *device, void *start, void *stop, double *out_milliseconds,
                             TileError *out_error) {
  State *state;
  float milliseconds = 0;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  if (!code)
    code = check(state, state->api.eventSynchronize(stop), out_error, "the kernel failed");
  if (!code)
    code = check(state, state->api.eventElapsedTime(&milliseconds, start, stop), out_error,
                 "cannot read the time");
  *out_milliseconds = milliseconds;
  return code;
}

const TileDriver tileCudaDriver = {
    .vendor = "NVIDIA",
    .open = openDevice,
    .close = closeDevice,
    .allocate = allocate,
    .free = freeMemory,
    .copyIn = copyIn,
    .copyOut = copyOut,
    .fill = fill,
    .synchronize = synchronize,
    .loadModule = loadModule,
    .unloadModule = unloadModule,
    .getFunction = getFunction,
    .launch = launch,
    .createEvent = createEvent,
    .destroyEvent = destroyEvent,
    .recordEvent = recordEvent,
    .elapsed = elapsed,
};
