/* Hip.c - the AMD driver's HIP run time, opened at run time. */
#include "Driver.h"
#include "HipApi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct State {
  void *library;
  HipApi api;
  int device;
} State;

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

/// Success, or an error text of what was tried and the driver's name and description.
static TileErrorCode check(const State *state, hipError_t result, TileError *out_error, const char *what) {
  if (result == hipSuccess)
    return TileError_None;
  return tileErrorSet(out_error, codeOf(result), "%s: %s: %s", what, state->api.getErrorName(result),
                      state->api.getErrorString(result));
}

static TileErrorCode makeCurrent(TileDevice *device, State **out_state, TileError *out_error) {
  State *state = *out_state = device->state;
  return check(state, state->api.setDevice(state->device), out_error, "cannot make the device current");
}

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

static TileErrorCode readInfo(const State *state, TileDeviceInfo *info, TileError *out_error) {
  HipDeviceProp *properties = calloc(1, sizeof *properties);
  if (!properties)
    return tileErrorSet(out_error, TileError_OutOfMemory, "out of host memory");
  state->api.deviceGetName(info->name, sizeof info->name, state->device);
  const HipApi *api = &state->api;
  int processors = 0;
  if (api->getDeviceProperties6 && api->getDeviceProperties6(properties, state->device) == hipSuccess) {
    info->memoryBytes = properties->version6.totalGlobalMem;
    processors = properties->version6.multiProcessorCount;
  } else if (api->getDeviceProperties5 &&
             api->getDeviceProperties5(properties, state->device) == hipSuccess) {
    info->memoryBytes = properties->version5.totalGlobalMem;
    processors = properties->version5.multiProcessorCount;
  }
  info->processors = processors > 0 ? (unsigned)processors : 0;
  const size_t nameBytes = sizeof properties->version6.name; // product names: searched last
  if (!findChip(properties->bytes + nameBytes, sizeof properties->bytes - nameBytes - 1, info))
    findChip(info->name, strlen(info->name), info);
  free(properties);
  return TileError_None;
}

static TileErrorCode openDevice(TileDevice *device, TileError *out_error) {
  static const char *const names[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                                      "libamdhip64.so.5", NULL};
  State *state = device->state = calloc(1, sizeof *state);
  if (!state)
    return tileErrorSet(out_error, TileError_OutOfMemory, "out of host memory");
  int count = 0;
  TileErrorCode code;
  if ((code = tileDriverOpenLibrary("AMD", names, &state->library, out_error)) ||
      (code = tileDriverLoadSymbols(state->library, symbols, sizeof symbols / sizeof *symbols, &state->api,
                                    out_error)) ||
      (code = check(state, state->api.init(0), out_error, "no AMD device")) ||
      (code = check(state, state->api.getDeviceCount(&count), out_error, "no AMD device")))
    return code;
  if (device->info.ordinal < 0 || device->info.ordinal >= count)
    return tileErrorSet(out_error, TileError_NoDevice, "no AMD device number %d: the driver has %d",
                        device->info.ordinal, count);
  state->device = device->info.ordinal;
  code = makeCurrent(device, &state, out_error);
  return code ? code : readInfo(state, &device->info, out_error);
}

static void closeDevice(TileDevice *device) {
  free(device->state); // the library stays open: it keeps threads and exit handlers of its own
}

static TileErrorCode allocate(TileDevice *device, size_t size, TileDeviceAddress *out_address,
                              TileError *out_error) {
  State *state;
  void *address = NULL;
  char what[64];
  snprintf(what, sizeof what, "cannot allocate %zu bytes on the device", size);
  TileErrorCode code = makeCurrent(device, &state, out_error);
  if (!code)
    code = check(state, state->api.malloc(&address, size), out_error, what);
  *out_address = (TileDeviceAddress)(uintptr_t)address;
  return code;
}

static void freeMemory(TileDevice *device, TileDeviceAddress address) {
  State *state;
  if (!makeCurrent(device, &state, NULL))
    state->api.free((void *)(uintptr_t)address);
}

static TileErrorCode copyIn(TileDevice *device, TileDeviceAddress to, const void *from, size_t size,
                            TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code
              : check(state, state->api.memcpy((void *)(uintptr_t)to, from, size, hipMemcpyHostToDevice),
                      out_error, "cannot copy to the device");
}

static TileErrorCode copyOut(TileDevice *device, void *to, TileDeviceAddress from, size_t size,
                             TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code
              : check(state, state->api.memcpy(to, (void *)(uintptr_t)from, size, hipMemcpyDeviceToHost),
                      out_error, "cannot copy from the device");
}

static TileErrorCode fill(TileDevice *device, TileDeviceAddress address, uint8_t byte, size_t size,
                          void *stream, TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code
              : check(state, state->api.memsetAsync((void *)(uintptr_t)address, byte, size, stream),
                      out_error, "cannot fill memory of the device");
}

static TileErrorCode synchronize(TileDevice *device, TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code : check(state, state->api.deviceSynchronize(), out_error, "the kernel failed");
}

static TileErrorCode loadModule(TileDevice *device, const void *data, void **out_module,
                                TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code
             ? code
             : check(state, state->api.moduleLoadData(out_module, data), out_error, "cannot load the module");
}

static void unloadModule(TileDevice *device, void *module) {
  State *state;
  if (!makeCurrent(device, &state, NULL))
    state->api.moduleUnload(module);
}

static TileErrorCode getFunction(TileDevice *device, void *module, const TileManifestKernel *contract,
                                 void **out_function, TileError *out_error) {
  State *state;
  char what[160];
  snprintf(what, sizeof what, "no kernel '%.100s' in the binary", contract->name);
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code
              : check(state, state->api.moduleGetFunction(out_function, module, contract->name), out_error,
                      what);
}

static TileErrorCode launch(TileDevice *device, void *function, const TileLaunchShape *shape, void **params,
                            void *stream, TileError *out_error) {
  State *state;
  const uint32_t *blocks = shape->blocks;
  if ((uint64_t)blocks[0] * shape->threads > UINT32_MAX) // HIP counts the threads of a grid in 32 bits
    return tileErrorSet(out_error, TileError_LaunchFailed,
                        "got %u blocks of %u threads in x, HIP has at most 2^32 - 1 threads", blocks[0],
                        shape->threads);
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code
              : check(state,
                      state->api.moduleLaunchKernel(function, blocks[0], blocks[1], blocks[2], shape->threads,
                                                    1, 1, shape->dynamicShared, stream, params, NULL),
                      out_error, "cannot launch the kernel");
}

static TileErrorCode createEvent(TileDevice *device, void **out_event, TileError *out_error) {
  State *state;
  TileErrorCode code = makeCurrent(device, &state, out_error);
  return code ? code : check(state, state->api.eventCreate(out_event), out_error, "cannot make an event");
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

const TileDriver tileHipDriver = {
    .vendor = "AMD",
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
