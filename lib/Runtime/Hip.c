/* Hip.c - the AMD driver's HIP run time, opened at run time. */
#include "Driver.h"
#include "HipApi.h"
#include <stdlib.h>
#include <string.h>

typedef struct State {
  HipApi api;
} State;

static const char *const libraries[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                                        "libamdhip64.so.5", NULL};

static const TileDriverSymbol symbols[] = {
    {"hipInit", offsetof(HipApi, init), false},
    {"hipGetErrorName", offsetof(HipApi, getErrorName), false},
    {"hipGetErrorString", offsetof(HipApi, getErrorString), false},
    {"hipGetDeviceCount", offsetof(HipApi, getDeviceCount), false},
    {"hipSetDevice", offsetof(HipApi, setDevice), false},
    {"hipDeviceGetName", offsetof(HipApi, deviceGetName), false},
    {"hipGetDevicePropertiesR0600", offsetof(HipApi, getDeviceProperties6), true},
    {"hipGetDeviceProperties", offsetof(HipApi, getDeviceProperties5), true},
    {"hipMalloc", offsetof(HipApi, malloc), false},
    {"hipFree", offsetof(HipApi, free), false},
    {"hipMemcpy", offsetof(HipApi, memcpy), false},
    {"hipMemsetAsync", offsetof(HipApi, memsetAsync), false},
    {"hipDeviceSynchronize", offsetof(HipApi, deviceSynchronize), false},
    {"hipModuleLoadData", offsetof(HipApi, moduleLoadData), false},
    {"hipModuleUnload", offsetof(HipApi, moduleUnload), false},
    {"hipModuleGetFunction", offsetof(HipApi, moduleGetFunction), false},
    {"hipModuleLaunchKernel", offsetof(HipApi, moduleLaunchKernel), false},
    {"hipEventCreate", offsetof(HipApi, eventCreate), false},
    {"hipEventDestroy", offsetof(HipApi, eventDestroy), false},
    {"hipEventRecord", offsetof(HipApi, eventRecord), false},
    {"hipEventSynchronize", offsetof(HipApi, eventSynchronize), false},
    {"hipEventElapsedTime", offsetof(HipApi, eventElapsedTime), false},
};

static TileErrorCode codeOf(hipError_t result) {
  switch (result) {
  case hipErrorOutOfMemory:
    return TileError_OutOfMemory;
  case hipErrorNoDevice:
  case hipErrorInvalidDevice:
    return TileError_NoDevice;
  case hipErrorNoBinaryForGpu:
    return TileError_WrongTarget;
  case hipErrorNotFound:
    return TileError_MissingKernel;
  default:
    return result >= hipErrorIllegalAddress && result <= hipErrorLaunchFailure ? TileError_LaunchFailed
                                                                               : TileError_Driver;
  }
}

static const HipApi *apiOf(TileDevice *device) { return &((const State *)device->state)->api; }

static void *pointer(TileDeviceAddress address) { return (void *)(uintptr_t)address; }

static TileErrorCode describe(TileDevice *device, int result, const char **out_name, const char **out_text) {
  *out_name = apiOf(device)->getErrorName(result);
  *out_text = apiOf(device)->getErrorString(result);
  return codeOf(result);
}

static int init(TileDevice *device, int *out_count) {
  const hipError_t result = apiOf(device)->init(0);
  return result ? result : apiOf(device)->getDeviceCount(out_count);
}

static int makeCurrent(TileDevice *device) { return apiOf(device)->setDevice(device->info.ordinal); }
static int openDevice(TileDevice *device) { return makeCurrent(device); }
static void closeDevice(TileDevice *device) {}

/// The chip's name out of text that holds it, such as "gfx942:sramecc+:xnack-"; true if it does.
static bool findChip(const char *bytes, size_t size, TileDeviceInfo *info) {
  for (size_t i = 0; i + 6 <= size; ++i) {
    if (memcmp(bytes + i, "gfx", 3))
      continue;
    const size_t length = strspn(bytes + i + 3, "0123456789abcdef") + 3;
    if (length >= 6 && length < sizeof info->target) {
      memcpy(info->target, bytes + i, length);
      info->target[length] = 0;
      return true;
    }
  }
  return false;
}

static void readInfo(TileDevice *device) {
  const HipApi *api = apiOf(device);
  TileDeviceInfo *info = &device->info;
  HipDeviceProp *properties = calloc(1, sizeof *properties);
  int processors = 0;
  api->deviceGetName(info->name, sizeof info->name, info->ordinal);
  if (!properties)
    return;
  if (api->getDeviceProperties6 && api->getDeviceProperties6(properties, info->ordinal) == hipSuccess) {
    info->memoryBytes = properties->version6.totalGlobalMem;
    processors = properties->version6.multiProcessorCount;
  } else if (api->getDeviceProperties5 &&
             api->getDeviceProperties5(properties, info->ordinal) == hipSuccess) {
    info->memoryBytes = properties->version5.totalGlobalMem;
    processors = properties->version5.multiProcessorCount;
  }
  info->processors = processors > 0 ? (unsigned)processors : 0;
  const size_t nameBytes = sizeof properties->version6.name; // product names: searched last
  if (!findChip(properties->bytes + nameBytes, sizeof properties->bytes - nameBytes - 1, info))
    findChip(info->name, strlen(info->name), info);
  free(properties);
}

static int allocate(TileDevice *device, size_t size, TileDeviceAddress *out_address) {
  void *address = NULL;
  const hipError_t result = apiOf(device)->malloc(&address, size);
  *out_address = (TileDeviceAddress)(uintptr_t)address;
  return result;
}

static int freeMemory(TileDevice *device, TileDeviceAddress address) {
  return apiOf(device)->free(pointer(address));
}

static int copyIn(TileDevice *device, TileDeviceAddress to, const void *from, size_t size) {
  return apiOf(device)->memcpy(pointer(to), from, size, hipMemcpyHostToDevice);
}

static int copyOut(TileDevice *device, void *to, TileDeviceAddress from, size_t size) {
  return apiOf(device)->memcpy(to, pointer(from), size, hipMemcpyDeviceToHost);
}

static int fill(TileDevice *device, TileDeviceAddress address, uint8_t byte, size_t size, void *stream) {
  return apiOf(device)->memsetAsync(pointer(address), byte, size, stream);
}

static int synchronize(TileDevice *device) { return apiOf(device)->deviceSynchronize(); }

static int loadModule(TileDevice *device, const void *data, void **out_module, char *out_log,
                      size_t logSize) {
  return apiOf(device)->moduleLoadData(out_module, data);
}

static int unloadModule(TileDevice *device, void *module) { return apiOf(device)->moduleUnload(module); }

static int getFunction(TileDevice *device, void *module, const char *name, void **out_function) {
  return apiOf(device)->moduleGetFunction(out_function, module, name);
}

/// LDS is static: a kernel has what it needs.
static int prepareFunction(TileDevice *device, void *function, const TileManifestKernel *contract) {
  return hipSuccess;
}

static int launch(TileDevice *device, void *function, const TileLaunchShape *shape, void **params,
                  void *stream) {
  return apiOf(device)->moduleLaunchKernel(function, shape->blocks[0], shape->blocks[1], shape->blocks[2],
                                           shape->threads, 1, 1, shape->dynamicShared, stream, params, NULL);
}

static int createEvent(TileDevice *device, void **out_event) { return apiOf(device)->eventCreate(out_event); }
static int destroyEvent(TileDevice *device, void *event) { return apiOf(device)->eventDestroy(event); }

static int recordEvent(TileDevice *device, void *event, void *stream) {
  return apiOf(device)->eventRecord(event, stream);
}

static int waitForEvent(TileDevice *device, void *event) { return apiOf(device)->eventSynchronize(event); }

static int elapsed(TileDevice *device, void *start, void *stop, float *out_milliseconds) {
  return apiOf(device)->eventElapsedTime(out_milliseconds, start, stop);
}

const TileDriver tileHipDriver = {
    .vendor = "AMD",
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
    .createEvent = createEvent,
    .destroyEvent = destroyEvent,
    .recordEvent = recordEvent,
    .waitForEvent = waitForEvent,
    .elapsed = elapsed,
};
